// A question at the table: what its player saw, with cards to choose from, and what came of it.

class QuestionTable {
  constructor(parent) {
    this.parts = placesOf("scores", "happens", "bar", "felt", "ways");
    const { scores, happens, bar, felt, ways } = this.parts;
    this.parts.left = make("div", { class: "left" }, scores, make("div", {}, happens),
      make("div", { class: "play" }, bar, felt), ways);
    this.root = make("div", { class: "card-table studied asked", lang: SPOKEN.language },
      this.parts.left);
    this.gathered = [];
    this.onKey = (event) => this.press(event);
    parent.append(this.root);
    document.addEventListener("keydown", this.onKey, true);
  }

  /** Takes a question from Python; cards marked since it last heard of any stay marked. */
  receive(data, send) {
    this.send = send;
    if (this.data === data) return;
    const { question } = data;
    const isHeard = question.heard === this.number || question.open;
    if (isHeard || this.data?.question.id !== question.id) {
      this.gathered = cardsOf(question.picked);
    }
    this.data = data;
    this.hand = new Hand(data);
    this.draw();
  }

  close() {
    document.removeEventListener("keydown", this.onKey, true);
    this.root.remove();
  }

  look() {
    const { hand, data: { question } } = this;
    const [frame] = hand.frames;
    const isOpen = Boolean(question.open);
    return {
      table: this,
      hand, frame, question,
      step: 0,
      settings: { below: question.seat, study: true },
      nameOf: (seat) => hand.names[seat],
      studied: hand.edition,
      study: hand.study ?? null,
      isStudied: Boolean(hand.study),
      canTry: !isOpen,
      isHindsight: isOpen,
      isOpen: () => true,
      knowsTrump: (seat) => !frame.secret || frame.knows === seat || isOpen,
    };
  }

  draw() {
    const look = this.look();
    const { parts } = this;
    const { tone, title, below, lines, cost = null, links = [] } = look.question;
    drawScores(parts.scores, look);
    fillStrip(parts.happens, look, { kind: tone, title, below, lines, cost });
    drawFelt(parts.felt, look);
    drawBar(parts.bar, look);
    refill(parts.ways, links, () => [
      ...links.map(({ key, text, to }) =>
        make("a", { href: to, target: "_self", "data-key": key }, withKey(text, key))),
      make("button", {
        onclick: () => savePicture(parts, `${this.hand.hand}-${this.data.question.id}`),
      }, say("Save picture")),
    ]);
  }

  /** Marks a card, and of several takes the mark away again. */
  tryCard(card) {
    const { several, must, id } = this.data.question;
    const chosen = new Set(several ? this.gathered : []);
    if (cardsOf(must).includes(card) || !chosen.delete(card)) chosen.add(card);
    this.gathered = [...chosen];
    const cards = () => [...this.parts.felt.querySelectorAll("button.one")];
    const focused = cards().indexOf(this.root.getRootNode().activeElement);
    this.draw();
    cards()[focused]?.focus();
    this.number = Date.now();
    this.send("choose", { question: id, cards: this.gathered.join(" "), number: this.number });
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], [role=dialog]")) return;
    const link = this.parts.ways.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const look = this.look();
    const card = look.canTry && pickable(look)[Number(event.key) - 1]?.card;
    if (!link && !card) return;
    // Streamlit has keys of its own.
    event.preventDefault();
    event.stopImmediatePropagation();
    if (link) link.click();
    else this.tryCard(card);
  }
}

/** Returns the key that marks a card of a question. */
function keyOf(look, card) {
  const place = pickable(look).findIndex((each) => each.card === card) + 1;
  return place > 0 && place < 10 && make("kbd", { "aria-hidden": "true" }, place);
}

/** Returns what stands below a card of a question that is answered: who chose it. */
function answerTags({ picked, played }, card) {
  return [[picked, sayIn("a tag of an answer", "you")], [played, sayIn("a tag of an answer", "played")]]
    .filter(([cards]) => cardsOf(cards).includes(card))
    .map(([, word]) => make("span", { class: "tag" }, word));
}
