// The recorder: draws what the server says, and keeps each tap until the server has taken it in.

const PATIENCE = 3000;

function key(classes, act, content, attributes = {}) {
  return make("button", { class: `key ${classes}`, type: "button", onclick: act, ...attributes },
    content);
}

/** Returns a label whose sign of a suit no phone turns into a picture. */
function label(text) {
  return /[♠♥♦♣]$/u.test(text) ? text + AS_TEXT : text;
}

function heading(title, note) {
  return (title || note) && make("h3", {}, title, note && make("small", {}, ` ${note}`));
}

function paragraphs(lines, attributes = {}) {
  return lines.map((line) => make("p", attributes, line));
}

/** Returns the class of a suit, given by its number, in whose colour something is written. */
function suitClass(suit) {
  return "SHDC"[suit] ?? "";
}

function cardLabel(card) {
  if (card === "JO") return "Joker";
  return card === "?" ? card : cardText(card) + AS_TEXT;
}

function findingsOf(lines, tag) {
  return lines.map((line) => make(tag, { class: "finding" }, `✗ ${line}`));
}

/** Taps that the server has not taken in, kept by the browser as well as here. */
class Waiting {
  constructor(id) {
    this.place = `tricklog-recorder-${id}`;
    this.taps = [];
    this.sent = null;
    try {
      Object.assign(this, JSON.parse(localStorage.getItem(this.place)));
    } catch {
      // Without a store the taps last as long as the page.
    }
  }

  keep() {
    const { place, taps, sent } = this;
    try {
      if (this.all.length) localStorage.setItem(place, JSON.stringify({ taps, sent }));
      else localStorage.removeItem(place);
    } catch {
      // As above.
    }
  }

  get all() {
    return [...(this.sent?.taps ?? []), ...this.taps];
  }
}

class Recorder {
  constructor(parent) {
    this.root = make("div", { class: "recorder" });
    parent.append(this.root);
    this.view = "hand";
    this.picked = null;
    this.device = Math.random().toString(36).slice(2);
    // Drawing waits while a finger is down: the tap would go to a key that is gone.
    this.root.addEventListener("pointerdown", () => {
      this.isPressed = true;
    });
    const letGo = () => setTimeout(() => {
      this.isPressed = false;
      if (this.isStale) this.draw();
    });
    window.addEventListener("pointerup", letGo);
    window.addEventListener("pointercancel", letGo);
  }

  receive(data, send) {
    this.send = send;
    // A run of the page that was overtaken may still be shown; what is sent must not build on it.
    if (data.id === this.data?.id && data.revision < this.data.revision) return;
    if (data.id !== this.data?.id) this.waiting = new Waiting(data.id);
    const { waiting } = this;
    const isTaken = waiting.sent?.mark === data.seen;
    if (waiting.sent && (isTaken || waiting.sent.mark === data.refused)) {
      waiting.sent = null;
      // What was refused beside a message taken in is of another device, or was sent twice.
      if (!isTaken || data.asked || (data.told && !data.refused)) waiting.taps = [];
      waiting.keep();
      if (data.saved) this.view = "pad";
      this.told = data.told;
      if (isTaken) this.picked = null;
    }
    // What is asked stands with the evening, so that it is asked again after a reload.
    this.asked = waiting.all.length ? null : data.asked;
    this.data = data;
    this.draw();
    this.flush();
  }

  tap(text) {
    this.asked = null;
    this.told = "";
    this.waiting.taps.push(text);
    this.waiting.keep();
    this.flush();
    this.draw();
  }

  /** Sends what waits, one message after the other; the same again while no answer comes. */
  flush() {
    const { waiting } = this;
    clearTimeout(this.timer);
    if (!waiting.sent && waiting.taps.length) {
      const mark = `${this.device}-${Date.now().toString(36)}`;
      waiting.sent = { mark, base: this.data.revision, taps: waiting.taps };
      waiting.taps = [];
      waiting.keep();
    }
    if (!waiting.sent) {
      this.late = false;
      return;
    }
    this.send("taps", { ...waiting.sent, try: Date.now() });
    this.timer = setTimeout(() => {
      this.late = true;
      this.draw();
      this.flush();
    }, PATIENCE);
  }

  draw() {
    this.isStale = this.isPressed;
    if (this.isPressed) return;
    const { screen } = this.data;
    const isPad = this.view === "pad";
    const late = this.late && sayCounted(
      "No connection: {count} tap is kept on this phone and sent when it is back.",
      "No connection: {count} taps are kept on this phone and sent when it is back.",
      this.waiting.all.length,
    );
    this.root.replaceChildren(...seen([
      this.header(screen, isPad),
      late && make("p", { class: "late" }, late),
      this.told && make("p", { class: "told" }, this.told),
      this.asked && this.question(this.asked),
      isPad ? this.pad(screen.pad) : this.blocks(screen.blocks),
      make("footer", {}, isPad ? key("blue", () => this.show("hand"), screen.pad.button) : [
        key("", () => this.tap("undo"), `↶ ${label(screen.undo) || sayIn("a button", "Undo")}`),
        key("blue", () => this.tap("save"), screen.save),
      ]),
    ]));
  }

  show(view) {
    this.view = view;
    this.draw();
  }

  header(screen, isPad) {
    const told = ([name, score]) => make("span", {}, `${name} `, make("b", {}, score));
    return make("header", {},
      make("div", { class: "title" },
        make("b", {}, isPad ? sayIn("a heading", "Score") : screen.head), ` ${screen.sub}`),
      isPad ? key("", () => this.show("hand"), screen.pad.button)
        : key("", () => this.show("pad"), say("Score pad")),
      !isPad && make("p", { class: "scores" }, screen.scores.map(told),
        make("span", {}, screen.dealer)));
  }

  question({ tap, lead, text, last, no, yes }) {
    return make("section", { class: "question" },
      make("p", {}, make("b", {}, `${lead} `), text),
      last && make("p", {}, say("Nothing can be recorded after it in this hand.")),
      make("div", { class: "two" }, key("", () => this.tap("no"), no),
        key("rust", () => this.tap(`! ${tap}`), yes)));
  }

  // --- What the server has on the page, by its kind

  blocks(blocks) {
    return blocks.map((block) => this[block.kind](block));
  }

  keys({ title, note, keys }) {
    const keyOf = ({ label: text, tap, chosen, grey, suit }) =>
      key(`${chosen ? "chosen" : ""} ${grey ? "grey" : ""} ${suitClass(suit)}`, () => this.tap(tap),
        label(text));
    return make("section", {}, heading(title, note),
      make("div", { class: `grid many${Math.min(keys.length, 8)}` }, keys.map(keyOf)));
  }

  numbers(block) {
    return make("section", {}, heading(block.title, block.note),
      block.rows.map((row) => this.stepper(block, row)));
  }

  /** A number with keys for one less and one more; what cannot be meant is said below it. */
  stepper({ word, least, most, all, wrong }, { side, name, value: known }) {
    const beginning = `${word} ${side} `;
    // With taps that wait, so that the next tap counts from there.
    const now = () => {
      const waiting = this.waiting.all;
      const last = waiting.reverse().find((tap) => tap.startsWith(beginning));
      if (last === undefined) return known;
      const text = last.slice(beginning.length);
      return text === "-" ? null : Number(text);
    };
    const stepped = (by) => (now() === null ? Math.max(0, by) : now() + by);
    const isOne = (value) => value === null
      || (Number.isInteger(value) && value >= least && value <= most);
    const set = (value) => {
      this.tap(`${beginning}${value ?? "-"}`);
      if (all !== null) this.tap(`${word} ${1 - side} ${value === null ? "-" : all - value}`);
    };
    const step = (by, sign, told) => key("", () => isOne(stepped(by)) && set(stepped(by)), sign,
      { "aria-label": told, disabled: !isOne(stepped(by)) });
    const saying = make("p", { class: "wrong", role: "alert" });
    const field = make("input", {
      class: "number", type: "text", inputmode: "numeric", value: now() ?? "", placeholder: "–",
      "aria-label": word === "points" ? say("Points of {side}", { side: name })
        : say("Added for {side}", { side: name }),
      onchange: () => {
        const text = field.value.trim();
        const value = text === "" ? null : Number(text.replace(MINUS, "-"));
        field.setAttribute("aria-invalid", !isOne(value));
        saying.textContent = isOne(value) ? "" : wrong;
        if (isOne(value) && value !== now()) set(value);
      },
    });
    return make("div", { class: "stepper" }, make("b", { class: "name" }, name),
      step(-1, MINUS, say("One less: {side}", { side: name })), field,
      step(1, "+", say("One more: {side}", { side: name })), saying);
  }

  remark({ title, value, most }) {
    const saying = make("p", { class: "wrong", role: "alert" });
    const area = make("textarea", {
      rows: 2, "aria-label": title,
      onchange: () => {
        const { length } = area.value;
        saying.textContent = length <= most ? "" : say(
          "A remark has {most} characters at most; this has {length} and is not kept.",
          { most, length },
        );
        if (length <= most && area.value !== value) this.tap(`remark ${area.value}`);
      },
    }, value);
    return make("section", {}, heading(title), area, saying);
  }

  more({ title, blocks, open }) {
    const details = make("details", {
      open: this.isMore ?? open,
      ontoggle: () => {
        this.isMore = details.open;
      },
    }, make("summary", {}, title), this.blocks(blocks));
    return details;
  }

  trick({ plays }) {
    return make("section", { class: "trick" }, plays.map(([name, card]) => make("div", {}, name,
      make("span", { class: `card ${suitClass("SHDC".indexOf(card[1]))}` }, cardLabel(card)))));
  }

  rows({ rows }) {
    return make("section", { class: "calls" }, paragraphs(rows));
  }

  lead({ text }) {
    return make("h2", {}, text);
  }

  pack({ title, prefix, suits }) {
    const play = (card) => this.tap(`${prefix} ${card}`);
    return make("section", {}, heading(title), this.suits(suits, play),
      key("wide", () => play("?"), say("Not seen")));
  }

  suits(suits, act, chosen = []) {
    const keyOf = ({ card, said, gone, odd }) => key(`card ${card[1]} ${gone ? "gone" : ""} ${
      odd ? "grey" : ""} ${chosen.includes(card) ? "chosen" : ""}`, () => act(card),
    cardLabel(card), { "aria-label": said });
    return suits.map(({ name, trumps, keys }) =>
      make("div", { class: `suit ${trumps ? "trumps" : ""}` }, keys.map(keyOf),
        make("small", {}, name)));
  }

  exchange({ choices, suits }) {
    const open = choices.find((choice) => choice.prefix === this.picked?.prefix);
    const pick = (prefix) => {
      this.picked = prefix && { prefix, cards: [] };
      this.draw();
    };
    return make("section", {},
      make("div", { class: "grid many2" }, choices.map((choice) =>
        key(choice === open ? "chosen" : "", () => pick(choice.prefix), choice.label))),
      open?.one && this.pack({ title: `${open.label}:`, prefix: open.prefix, suits }),
      open && !open.one && this.picking(open, suits, () => pick(null)));
  }

  picking(open, suits, cancel) {
    const { cards } = this.picked;
    const toggle = (card) => {
      const at = cards.indexOf(card);
      if (at < 0 || card === "?") cards.push(card);
      else cards.splice(at, 1);
      this.draw();
    };
    const count = sayCounted("{count} card", "{count} cards", cards.length);
    const take = () => cards.length && this.tap(`${open.prefix} ${cards.join(" ")}`);
    return make("section", {}, heading(`${open.label}: ${count}`), this.suits(suits, toggle, cards),
      make("div", { class: "grid many3" }, key("", () => toggle("?"), say("+ 1 not seen")),
        key("", cancel, sayIn("a button", "Cancel")),
        key("blue", take, sayIn("a button", "Done"))));
  }

  result({ tone, title, lines, audit, findings }) {
    return make("section", { class: `result ${tone}` }, make("b", {}, title), paragraphs(lines),
      make("p", {}, audit), findingsOf(findings, "p"));
  }

  // --- The score pad

  pad({ scores, next, rows, sides, audit }) {
    const headOf = (name) => make("th", {}, name);
    return [
      make("section", { class: "totals" }, scores.map(([name, score]) =>
        make("div", {}, name, make("b", {}, minus(score))))),
      make("p", { class: "next" }, next),
      rows.length ? make("table", {},
        make("thead", {}, make("tr", {},
          ["", sayIn("column of a table", "hand"), ...sides].map(headOf))),
        make("tbody", {}, rows.map((row) => this.padRow(row))))
        : make("p", {}, say("No hand is finished yet.")),
      audit && make("p", {}, audit),
    ];
  }

  padRow({ number, what, suit, trump, result, findings, mend, change, scores }) {
    return make("tr", {}, make("td", {}, number),
      make("td", {}, `${what} `, make("span", { class: suitClass(suit) }, label(trump)),
        make("small", {}, result), findingsOf(findings, "small"), mend && key("", () => {
          this.view = "hand";
          this.tap(mend);
        }, sayIn("a button", "Mend"))),
      change.map((value, side) => make("td", {},
        make("span", { class: value < 0 ? "minus" : "" }, signed(value ?? "?")),
        make("b", {}, minus(scores[side] ?? "?")))));
  }

  close() {
    clearTimeout(this.timer);
    this.root.remove();
  }
}

const recorders = new WeakMap();

/** Shows the recorder in `parentElement`; called again with every answer of the server. */
export default function showRecorder({ parentElement, data, setTriggerValue }) {
  speak(data.spoken);
  if (!recorders.has(parentElement)) recorders.set(parentElement, new Recorder(parentElement));
  const recorder = recorders.get(parentElement);
  recorder.receive(data, setTriggerValue);
  return () => {
    recorder.close();
    recorders.delete(parentElement);
  };
}
