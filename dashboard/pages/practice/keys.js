// Keys of links, each followed where the page offers it. Buttons have shortcuts of their own.

const LINKS = { r: ".st-key-practice-whole a", w: ".st-key-practice-branch a" };

/** Returns whether keys go into a field or a dialog, or belong to the browser. */
function isTaken(event) {
  return event.ctrlKey || event.metaKey || event.altKey
    || event.target.closest?.("input, textarea, select, [contenteditable], [role=dialog]");
}

/** Listens while the page is open. */
export default function listenForKeys() {
  const press = (event) => {
    if (isTaken(event)) return;
    const link = LINKS[event.key] && document.querySelector(LINKS[event.key]);
    if (!link) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    link.click();
  };
  document.addEventListener("keydown", press, true);
  return () => document.removeEventListener("keydown", press, true);
}
