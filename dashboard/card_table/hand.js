// The hand as Python sent it, made whole: every frame in full, and where to step to.

/** Returns the frames in full, each made of the one before and what differs from it. */
function wholeFrames([first, ...differences]) {
  const frames = [first];
  for (const { seats = {}, ...rest } of differences) {
    const before = frames.at(-1);
    frames.push({
      ...before,
      ...rest,
      seats: before.seats.map((seat, place) => ({ ...seat, ...seats[place] })),
    });
  }
  return frames;
}

let editions = 0;

class Hand {
  constructor(data) {
    Object.assign(this, data);
    /** Tells what was drawn of a hand from what Python sends of it later. */
    this.edition = editions += 1;
    this.frames = wholeFrames(data.frames);
    this.last = this.frames.length - 1;
    this.seatCount = this.names.length;
    this.hasSecret = this.frames.some((frame) => frame.secret);
    const order = cardsOf(data.plain);
    this.plainPlace = Object.fromEntries(order.map((card, place) => [card, place]));
    this.decisions = [...this.frames.keys()].filter((step) =>
      this.frames[step].decision && step < this.last);
    this.groups = data.groups.map((group, number) =>
      ({ ...group, end: data.groups[number + 1]?.first ?? this.last }));
    this.trickStarts = [...this.groups.map((group) => group.first), this.last];
  }

  /** Returns cards as somebody sorts them who does not know what is trumps. */
  sortedPlainly(cards) {
    return cards.toSorted((one, other) => this.plainPlace[one] - this.plainPlace[other]);
  }

  /** Returns the nearest of some steps after (by 1) or before (by -1) a step, or the end of it. */
  nearest(steps, step, by) {
    if (by > 0) return steps.find((each) => each > step) ?? this.last;
    return steps.findLast((each) => each < step) ?? 0;
  }
}
