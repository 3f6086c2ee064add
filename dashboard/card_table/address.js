// The address of the page stands for what is seen: hand, step and settings.

/** What one looks at a hand with: which seat is below, and what is to be seen. */
const SETTINGS = { below: 0, closed: false, nameless: false, known: false, study: true };
const SHOWN_IN_ADDRESS = { closed: "hands", nameless: "names", known: "trump" };

/** Returns the settings an address asks for, at a table of so many seats. */
function settingsIn(address, seatCount) {
  const asked = new URL(address).searchParams;
  const below = Number(asked.get("below"));
  const hidden = (asked.get("hide") ?? "").split(",");
  const settings = { ...SETTINGS, study: asked.get("study") !== "off" };
  if (Number.isInteger(below) && below > 0 && below < seatCount) settings.below = below;
  for (const [setting, word] of Object.entries(SHOWN_IN_ADDRESS)) {
    settings[setting] = hidden.includes(word);
  }
  return settings;
}

/** Returns an address changed to show a step of a hand, or of a branch of it, in the same way. */
function addressOf(address, handId, step, settings, branch) {
  const changed = new URL(address);
  const hidden = Object.keys(SHOWN_IN_ADDRESS).filter((setting) => settings[setting]);
  const asked = {
    hand: handId,
    // A branch without a step opens at its end.
    ply: step || (branch && "0") || "",
    below: settings.below || "",
    hide: hidden.map((setting) => SHOWN_IN_ADDRESS[setting]).join(","),
    study: settings.study ? "" : "off",
    try: branch,
  };
  for (const [name, value] of Object.entries(asked)) {
    if (value === "") changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed.href;
}
