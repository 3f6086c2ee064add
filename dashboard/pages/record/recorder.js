// The recorder: draws what the server says, and keeps each tap until the server has taken it in.

const PATIENCE = 3000;

/** Returns an element with a class, text and children. Text only ever becomes a text node. */
function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

function button(name, act, ...children) {
  const element = make("button", `key ${name}`, ...children);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** Returns a sign of a suit that no phone turns into a picture. */
function glyph(text) {
  return `${text}${/[♠♥♦♣]$/.test(text) ? "\ufe0e" : ""}`;
}

function cardText(name) {
  if (name === "?" || name === "JO") return name === "JO" ? "Joker" : "?";
  return `${name[0] === "T" ? "10" : name[0]}${glyph("♠♥♦♣"["SHDC".indexOf(name[1])])}`;
}

function suitOf(name) {
  return name.length === 2 ? "SHDC".indexOf(name[1]) : 4;
}

/** Returns a text of the server with its values in place of their names in braces. */
function filled(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Taps that the server has not taken in, kept by the browser as well as here. */
class Waiting {
  constructor(id) {
    this.place = `tricklog-recorder-${id}`;
    this.taps = [];
    this.sent = null;
    try {
      const kept = JSON.parse(localStorage.getItem(this.place) ?? "{}");
      this.taps = kept.taps ?? [];
      this.sent = kept.sent ?? null;
    } catch {
      // Without a store the taps last as long as the page.
    }
  }

  keep() {
    try {
      if (this.taps.length || this.sent) {
        const { taps, sent } = this;
        localStorage.setItem(this.place, JSON.stringify({ taps, sent }));
      } else localStorage.removeItem(this.place);
    } catch {
      // As above.
    }
  }

  get count() {
    return this.taps.length + (this.sent?.taps.length ?? 0);
  }
}

class Recorder {
  constructor(parent) {
    this.root = make("div", "recorder");
    parent.append(this.root);
    this.view = "hand";
    this.picked = null;
    this.device = Math.random().toString(36).slice(2);
    this.numbersKnown = {};
    this.holdStill();
  }

  /** Waits with drawing while a finger is down: the tap would go to a key that is gone. */
  holdStill() {
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
    if (this.waiting?.place !== `tricklog-recorder-${data.id}`) this.waiting = new Waiting(data.id);
    const sent = this.waiting.sent;
    if (sent && data.seen === sent.mark) {
      this.waiting.sent = null;
      // What was refused is then a message of another device, or one sent twice.
      if (data.asked || (data.told && !data.refused)) this.waiting.taps = [];
      this.waiting.keep();
      if (data.saved) this.view = "pad";
      this.told = data.told;
      this.picked = null;
    } else if (sent && data.refused === sent.mark) {
      this.waiting.sent = null;
      this.waiting.taps = [];
      this.waiting.keep();
      this.told = data.told;
    }
    // What is asked stands with the evening, so that it is asked again after a reload.
    this.asked = this.waiting.count ? null : data.asked;
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
    const { data } = this;
    const screen = data.screen;
    const isPad = this.view === "pad";
    this.root.replaceChildren(
      ...[
        this.header(screen, isPad),
        this.late && make("p", "late", this.counted("late", this.waiting.count)),
        this.told && make("p", "told", this.told),
        this.asked && this.question(),
        ...(isPad ? this.pad(screen.pad) : screen.blocks.map((block) => this.block(block))),
        this.footer(screen, isPad),
      ].filter(Boolean),
    );
  }

  /** Returns a text of the server, in the language of the page. */
  say(name, values) {
    return filled(this.data.texts[name], values);
  }

  /** Returns one of two texts: for one, and for any other number. */
  counted(name, count) {
    return filled(this.data.texts[name][count === 1 ? 0 : 1], { count });
  }

  header(screen, isPad) {
    const other = isPad ? screen.pad.button : this.say("pad");
    return make("header", "", make("div", "title", make("b", "", isPad ? this.say("score")
      : screen.head),
      ` ${screen.sub}`), button("small", () => this.show(isPad ? "hand" : "pad"), other),
      !isPad && make("p", "scores", screen.scores.map(([name, score]) =>
        make("span", "", `${name} `, make("b", "", score))), make("span", "", screen.dealer)));
  }

  show(view) {
    this.view = view;
    this.draw();
  }

  question() {
    const { tap, lead, text, last, no, yes } = this.asked;
    return make("section", "question", make("p", "", make("b", "", `${lead} `), text),
      last && make("p", "", this.say("last")),
      make("div", "two", button("", () => this.tap("no"), no),
        button("rust", () => this.tap(`! ${tap}`), yes)));
  }

  block(block) {
    return this[block.kind](block);
  }

  keys({ title, note, keys }) {
    return make("section", "", (title || note) && make("h3", "", title, note && make("small", "",
      ` ${note}`)), make("div", `grid many${Math.min(keys.length, 8)}`, keys.map((key) =>
      button(`${key.chosen ? "chosen " : ""}${key.grey ? "grey " : ""}${key.suit === null ? ""
        : `suit${key.suit}`}`, () => this.tap(key.tap), glyph(key.label)))));
  }

  numbers(block) {
    return make("section", "", make("h3", "", block.title, make("small", "", ` ${block.note}`)),
      block.rows.map((row) => this.stepper(block, row)));
  }

  /** Returns a number as it is by now, with taps that wait, so that the next tap counts from there. */
  ahead(beginning) {
    const waiting = [...(this.waiting.sent?.taps ?? []), ...this.waiting.taps];
    const last = waiting.reverse().find((tap) => tap.startsWith(beginning));
    if (last === undefined) return this.numbersKnown[beginning];
    const text = last.slice(beginning.length);
    return text === "-" ? null : Number(text);
  }

  /** A number with keys for one less and one more; what cannot be meant is said below it. */
  stepper({ word, least, most, all, wrong }, row) {
    const beginning = `${word} ${row.side} `;
    this.numbersKnown[beginning] = row.value;
    const now = () => this.ahead(beginning);
    const stepped = (by) => (now() === null ? Math.max(0, by) : now() + by);
    const isOne = (value) => value === null
      || (Number.isInteger(value) && value >= least && value <= most);
    const set = (value) => {
      this.tap(`${word} ${row.side} ${value ?? "-"}`);
      if (all !== null) this.tap(`${word} ${1 - row.side} ${value === null ? "-" : all - value}`);
    };
    const step = (by, sign) => {
      const key = button("", () => isOne(stepped(by)) && set(stepped(by)), sign);
      key.setAttribute("aria-label", by > 0 ? row.more : row.less);
      key.disabled = !isOne(stepped(by));
      return key;
    };
    const saying = make("p", "wrong");
    saying.setAttribute("role", "alert");
    const field = this.field(row.said, now() ?? "", (text) => {
        const value = text === "" ? null : Number(text.replace("−", "-"));
        saying.textContent = isOne(value) ? "" : wrong;
        if (isOne(value) && value !== now()) set(value);
        return isOne(value);
      });
    return make("div", "stepper", make("b", "name", row.name), step(-1, "−"), field, step(1, "+"),
      saying);
  }

  /** A field for a number; `act` says whether what was typed can be taken. */
  field(name, value, act) {
    const field = make("input", "number");
    field.type = "text";
    field.inputMode = "numeric";
    field.value = value;
    field.placeholder = "–";
    field.setAttribute("aria-label", name);
    field.addEventListener("change", () => {
      field.setAttribute("aria-invalid", String(!act(field.value.trim())));
    });
    return field;
  }

  remark({ title, value, most }) {
    const area = make("textarea", "");
    area.rows = 2;
    area.value = value;
    area.setAttribute("aria-label", title);
    const saying = make("p", "wrong");
    saying.setAttribute("role", "alert");
    area.addEventListener("change", () => {
      const { length } = area.value;
      saying.textContent = length > most ? this.say("long", { most, length }) : "";
      if (length <= most && area.value !== value) this.tap(`remark ${area.value}`);
    });
    return make("section", "", make("h3", "", title), area, saying);
  }

  more({ title, blocks, open }) {
    const details = make("details", "", make("summary", "", title), blocks.map((block) =>
      this.block(block)));
    details.open = this.isMore ?? open;
    details.addEventListener("toggle", () => {
      this.isMore = details.open;
    });
    return details;
  }

  trick({ plays }) {
    return make("section", "trick", plays.map(([name, card]) => make("div", "", name,
      make("span", `card suit${suitOf(card)}`, cardText(card)))));
  }

  rows({ rows }) {
    return make("section", "calls", rows.map((row) => make("p", "", row)));
  }

  lead({ text }) {
    return make("h2", "", text);
  }

  pack({ title, prefix, suits }) {
    return make("section", "", make("h3", "", title), this.suits(suits, (card) =>
      this.tap(`${prefix} ${card}`), []), button("wide", () => this.tap(`${prefix} ?`),
      this.say("unseen")));
  }

  suits(suits, act, chosen) {
    return suits.map((suit) => make("div", `suit ${suit.trumps ? "trumps" : ""}`,
      suit.keys.map((key) => {
        const name = `card suit${key.suit} ${key.gone ? "gone" : ""} ${key.odd ? "grey" : ""} ${
          chosen.includes(key.card) ? "chosen" : ""}`;
        const element = button(name, () => act(key.card), cardText(key.card));
        element.setAttribute("aria-label", key.said);
        return element;
      }), make("small", "", suit.name)));
  }

  exchange({ choices, suits }) {
    const open = choices.find((choice) => choice.prefix === this.picked?.prefix);
    const keys = make("div", "grid many2", choices.map((choice) => button(choice === open
      ? "chosen" : "", () => {
      this.picked = { prefix: choice.prefix, cards: [], one: choice.one };
      this.draw();
    }, choice.label)));
    return make("section", "", keys, open && this.picking(open, suits));
  }

  picking(open, suits) {
    const { cards, one } = this.picked;
    if (one) {
      return make("section", "picking", make("h3", "", `${open.label}:`), this.suits(suits, (card) =>
        this.tap(`${open.prefix} ${card}`), []), button("wide", () =>
        this.tap(`${open.prefix} ?`), this.say("unseen")));
    }
    const toggle = (card) => {
      const at = cards.indexOf(card);
      if (at >= 0) cards.splice(at, 1);
      else cards.push(card);
      this.draw();
    };
    return make("section", "picking", make("h3", "", `${open.label}: ${this.counted("cards",
      cards.length)}`),
      this.suits(suits, toggle, cards), make("div", "grid many3",
        button("", () => {
          cards.push("?");
          this.draw();
        }, this.say("one")), button("", () => {
          this.picked = null;
          this.draw();
        }, this.say("cancel")), button("blue", () => cards.length
          && this.tap(`${open.prefix} ${cards.join(" ")}`), this.say("done"))));
  }

  result({ tone, title, lines, audit, findings }) {
    return make("section", `result ${tone}`, make("b", "", title), lines.map((line) =>
      make("p", "", line)), make("p", "audit", audit), findings.map((line) =>
      make("p", "finding", `✗ ${line}`)));
  }

  pad(pad) {
    const side = (values, row) => values.map((value, n) => make("td", "", make("span",
      value < 0 ? "minus" : "", value === null ? "?" : value > 0 ? `+${value}`
        : String(value).replace("-", "−")), make("b", "", row.scores[n] === null ? "?"
        : String(row.scores[n]).replace("-", "−"))));
    return [
      make("section", "totals", pad.scores.map(([name, score]) => make("div", "", name,
        make("b", "", score.replace("-", "−"))))),
      make("p", "next", pad.next),
      pad.rows.length ? make("table", "", make("thead", "", make("tr", "", make("th", "", ""),
        make("th", "", this.say("hand")), pad.sides.map((name) => make("th", "", name)))),
      make("tbody", "", pad.rows.map((row) => {
        const line = make("tr", row.findings.length ? "bad" : "", make("td", "", row.number),
          make("td", "", `${row.what} `, make("span", `suit${row.suit}`, glyph(row.trump)),
            make("small", "", row.result), row.findings.map((text) => make("small", "finding",
              `✗ ${text}`)), row.mend && button("small", () => {
              this.view = "hand";
              this.tap(row.mend);
            }, this.say("mend"))), side(row.change, row));
        return line;
      }))) : make("p", "", this.say("none")),
      pad.audit && make("p", "audit", pad.audit),
    ];
  }

  footer(screen, isPad) {
    if (isPad) {
      return make("footer", "", button("blue", () => this.show("hand"), screen.pad.button));
    }
    return make("footer", "", button("", () => this.tap("undo"), screen.undo
      ? `↶ ${glyph(screen.undo)}` : `↶ ${this.say("undo")}`), button("blue",
    () => this.tap("save"), screen.save));
  }

  close() {
    clearTimeout(this.timer);
    this.root.remove();
  }
}

const recorders = new WeakMap();

/** Shows the recorder in `parentElement`; called again with every answer of the server. */
export default function showRecorder({ parentElement, data, setTriggerValue }) {
  if (!recorders.has(parentElement)) recorders.set(parentElement, new Recorder(parentElement));
  const recorder = recorders.get(parentElement);
  recorder.receive(data, setTriggerValue);
  return () => {
    recorder.close();
    recorders.delete(parentElement);
  };
}
