// Elements. Text from a log only ever becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element with attributes and children; those without a value are left out. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === "button") element.type = "button";
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = classesOf(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...seen(children));
  return element;
}

/** Returns a class, or those of a list that apply. */
function classesOf(names) {
  return [names].flat().filter(Boolean).join(" ");
}

/** Returns what there is to be seen: children that are not there are left out. */
function seen(children) {
  return children.flat().filter((child) => child || child === 0);
}

/** Returns text for those who have the page read to them. */
function unseen(text) {
  return make("span", { class: "unseen" }, text);
}

/** Returns places to be filled, by names that are their classes as well. */
function placesOf(...names) {
  return Object.fromEntries(names.map((name) => [name, make("div", { class: name })]));
}

function kbd(key) {
  return make("kbd", {}, key);
}

/** Returns words and the key for them. */
function withKey(words, key) {
  return [`${words} `, kbd(key)];
}

/** Returns an element of a picture. */
function draw(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const shownIn = new WeakMap();

/** Fills a place again, and only when what is `shown` there has changed. */
function refill(place, shown, fill) {
  const now = JSON.stringify(shown);
  if (shownIn.get(place) === now) return;
  shownIn.set(place, now);
  const summaries = () => [...place.querySelectorAll("details > summary")];
  const opened = new Set(summaries().filter((each) => each.parentElement.open)
    .map((each) => each.textContent));
  place.replaceChildren(...seen([fill()]));
  // What somebody reads must not close when values come.
  for (const each of summaries()) each.parentElement.open = opened.has(each.textContent);
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
