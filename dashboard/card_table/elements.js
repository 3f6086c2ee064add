// Elements. Text from a log only ever becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element with attributes and children; those without a value are left out. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...seen(children));
  return element;
}

/** Returns what there is to be seen: children that are not there are left out. */
function seen(children) {
  return children.flat().filter((child) => child || child === 0);
}

/** Returns text for those who have the page read to them. */
function unseen(text) {
  return make("span", { class: "unseen" }, text);
}

/** Returns an element of a picture. */
function draw(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Returns a picture from the path of its outline within 24 by 24. */
function icon(path) {
  const picture = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  picture.append(draw("path", { d: path }));
  return picture;
}

const seenIn = new WeakMap();

/** Fills a place again, and only when what is `shown` there has changed. */
function refill(place, shown, fill) {
  const now = JSON.stringify(shown);
  if (seenIn.get(place) === now) return;
  seenIn.set(place, now);
  const opened = new Set(summariesIn(place, "details[open]").map((each) => each.textContent));
  place.replaceChildren(...seen([fill()]));
  // What somebody reads must not close when values come.
  for (const each of summariesIn(place, "details")) {
    if (opened.has(each.textContent)) each.parentElement.open = true;
  }
}

function summariesIn(place, details) {
  return [...place.querySelectorAll(`${details} > summary`)];
}

/** Returns a function that runs `act` once it has not been called for a while. */
function later(milliseconds, act) {
  let timer = 0;
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
  start.stop = () => clearTimeout(timer);
  return start;
}
