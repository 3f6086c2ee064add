// What if: the table plays on from a step in another way. Python says what is legal in a branch.

/** Reads a branch from an address: the step it begins at, and the words after it. */
function wordsOf(text) {
  const [start, ...words] = text.split(".");
  return { start: Number(start), words };
}

const BRANCHING = {
  /** Returns the branch up to the step looked at, less as many of its last words. */
  branchHere(less = 0) {
    const { text, places } = this.branch;
    const { start, words } = wordsOf(text);
    const kept = words.filter((_, place) => places[place] < this.step);
    return [start, ...kept.slice(0, kept.length - less)].join(".");
  },

  /** Begins a branch at the card to be played next, without a card of its own. */
  enterBranch() {
    if (this.branch || !this.look().isHindsight) return;
    const step = this.hand.frames.findIndex((frame, place) =>
      frame.take && place >= this.step && place <= this.hand.last);
    if (step < 0) this.say(say("No card is left to play"));
    else this.askForBranch(String(step));
  },

  /** Plays a card of the seat to act, in a branch that begins here where there is none. */
  tryCard(card) {
    const { frame, isHindsight } = this.look();
    if (!isHindsight || !frame.take) return;
    if (frame.take[0] > 1) this.collect(card, frame.take[0]);
    else if (!this.branch && this.hand.steps[this.step]?.card === card) this.move(1);
    else this.tryWord(card);
  },

  /** Gathers surplus cards until they are as many as have to be put down. */
  collect(card, count) {
    const chosen = new Set(this.gathered);
    if (!chosen.delete(card)) chosen.add(card);
    this.gathered = [...chosen];
    if (this.gathered.length < count) this.draw();
    else this.tryWord(this.gathered.join("-"));
  },

  tryWord(word) {
    this.askForBranch(`${this.branch ? this.branchHere() : this.step}.${word}`);
  },

  takeBack() {
    if (this.branchHere().includes(".")) this.askForBranch(this.branchHere(1));
    else this.leaveBranch();
  },

  leaveBranch() {
    const { start } = wordsOf(this.branch.text);
    this.forgetBranch();
    this.step = Math.min(start, this.hand.last);
    this.forward = false;
    this.draw();
  },

  forgetBranch() {
    this.branch = null;
    this.wanted = "";
    this.branchError = "";
    this.forgetCards();
  },

  /** Leaves no card chosen by its place or gathered to be put down. */
  forgetCards() {
    this.pick = -1;
    this.gathered = [];
  },

  /** Chooses a card of the seat to act by its place. */
  choose(place) {
    this.pick = place;
    this.draw();
  },

  playChosen() {
    const cards = pickable(this.look());
    const card = cards[this.pick] ?? cards.find((each) => each.free) ?? cards[0];
    if (card) this.tryCard(card.card);
  },

  askForBranch(text, best = false) {
    this.stop();
    this.wanted = text;
    this.ask({ best });
  },

  /** Takes what Python says of the branch that was asked for. */
  takeBranch(data) {
    if (!data || data.asked !== this.wanted) return;
    this.branchError = data.error ?? "";
    if (data.error) this.parts.said.textContent = data.error;
    if (!data.hand) {
      this.wanted = this.branch?.text ?? "";
      return;
    }
    const { text, places, study } = data;
    const isNew = this.branch?.text !== text;
    this.branch = new Hand({ ...data.hand, text, places, study });
    this.wanted = text;
    if (!isNew) return;
    this.forgetCards();
    this.tab = "branch";
    this.step = Math.min(this.stepWanted ?? this.branch.last, this.branch.last);
    this.stepWanted = null;
    this.forward = true;
  },
};

/** Returns the cards that may be played now, as they stand at the table. */
function pickable(look) {
  const { frame } = look;
  if (!frame.take || frame.turn === null) return [];
  const legal = new Set(cardsOf(frame.legal));
  const choices = choicesAt(look);
  return cardsOf(frame.seats[frame.turn].hand).filter((card) => legal.has(card)).map((card) =>
    ({ card, free: worthOf(choices, card)?.cost === 0 }));
}
