// What if: the table plays on from a step in another way. Python says what is legal in a branch.

/** Reads a branch from an address: the step it begins at, and the words after it. */
function wordsOf(text) {
  const [start, ...words] = text.split(".");
  return { start: Number(start), words };
}

/** Returns the branch so far at a step of it, without what comes after. */
function branchUntil(table, step) {
  const { branch } = table;
  const { start, words } = wordsOf(branch.text);
  const kept = words.filter((_, place) => branch.places[place] < step);
  return [start, ...kept].join(".");
}

const BRANCHING = {
  /** Begins a branch at the card to be played next, without a card of its own. */
  enterBranch() {
    if (this.branch || !this.look().isHindsight) return;
    const step = this.hand.frames.findIndex((frame, place) =>
      frame.take && place >= this.step && place <= this.hand.last);
    if (step < 0) {
      this.say(say("No card is left to play"));
      return;
    }
    this.ask(String(step));
  },

  /** Plays a card of the seat to act, in a branch that begins here where there is none. */
  tryCard(card) {
    const { frame, isHindsight } = this.look();
    if (!isHindsight || !frame.take) return;
    if (frame.take[0] > 1) {
      this.collect(card, frame.take[0]);
      return;
    }
    if (!this.branch && this.hand.steps[this.step]?.card === card) {
      this.move(1);
      return;
    }
    this.tryWord(card);
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
    const so = this.branch ? branchUntil(this, this.step) : String(this.step);
    this.ask(`${so}.${word}`);
  },

  playBest() {
    if (!this.branch) return;
    this.ask(branchUntil(this, this.step), true);
  },

  takeBack() {
    if (!this.branch) return;
    const { start, words } = wordsOf(branchUntil(this, this.step));
    if (words.length) this.ask([start, ...words.slice(0, -1)].join("."));
    else this.leaveBranch();
  },

  leaveBranch() {
    if (!this.branch && !this.wanted) return;
    const { start } = wordsOf(this.branch?.text ?? this.wanted);
    this.forgetBranch();
    this.step = Math.min(start, this.hand.last);
    this.forward = false;
    this.drawRange();
    this.draw();
  },

  forgetBranch() {
    this.branch = null;
    this.wanted = "";
    this.pick = -1;
    this.gathered = [];
    this.branchError = "";
  },

  /** Chooses a card of the seat to act by its place. */
  choose(place) {
    if (!this.branch) return;
    this.pick = place;
    this.draw();
  },

  playChosen() {
    if (!this.branch) return;
    const cards = pickable(this.look());
    const card = cards[this.pick] ?? cards.find((each) => each.free) ?? cards[0];
    if (card) this.tryCard(card.card);
  },

  /** Asks Python for a branch. */
  ask(text, best = false) {
    this.stop();
    this.wanted = text;
    this.sendQuestion({ branch: text, best });
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
    const isNew = this.branch?.text !== data.text;
    this.branch = new Hand({ ...data.hand, text: data.text, places: data.places, study: data.study });
    this.wanted = data.text;
    if (!isNew) return;
    this.pick = -1;
    this.gathered = [];
    this.tab = "branch";
    this.step = this.stepWanted ?? this.branch.last;
    this.step = Math.min(this.step, this.branch.last);
    this.stepWanted = null;
    this.forward = true;
    this.drawRange();
  },

  branchLink() {
    return new URL(this.address()).search;
  },
};

/** Returns the cards that may be played now, as they stand at the table. */
function pickable(look) {
  const { frame } = look;
  if (!frame.take || frame.turn === null) return [];
  const held = cardsOf(frame.seats[frame.turn].hand);
  const legal = new Set(cardsOf(frame.legal));
  const choices = choicesAt(look);
  return held.filter((card) => legal.has(card)).map((card) =>
    ({ card, free: worthOf(choices, card)?.cost === 0 }));
}
