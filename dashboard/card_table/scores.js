// Above the table: the contract, what is trumps, and the points so far.

/** Draws who plays for what, what is trumps, and the points of partnerships so far. */
function drawScores(place, look) {
  const { hand, frame, settings } = look;
  const shown = [hand.edition, frame.contract, frame.stake, frame.trump, frame.secret, frame.points,
    settings, frame.knows, look.step === hand.last];
  refill(place, shown, () => [contractOf(look), ...pointsOf(look)]);
}

function contractOf(look) {
  const { frame, settings } = look;
  const parts = frame.contract ? sentence(frame.contract, look.nameOf) : [noContract(look)];
  if (frame.trump) {
    if (look.knowsTrump(settings.below)) {
      parts.push(" · trumps ", trumpPip(frame.trump));
      if (frame.secret) {
        parts.push(make("span", { title: "not shown to the others" }, " (hidden)"));
      }
    } else parts.push(" · trumps hidden");
  }
  if (frame.stake) parts.push(` · ${frame.stake}`);
  return make("p", { class: "contract" }, parts);
}

function noContract({ hand, step }) {
  return step === hand.last && hand.thrown_in
    ? "Nobody won the auction"
    : hand.gaps && step === hand.last
      ? "The record does not say who won the auction"
      : "Nobody has won the auction so far";
}

function pointsOf(look) {
  const { hand, frame } = look;
  return (hand.sides ?? []).map((seats, side) => make("p", { class: "side" },
    seats.flatMap((seat, place) =>
      [place ? " & " : "", make("bdi", {}, look.nameOf(seat))]),
    make("b", {}, frame.points[side]), frame.points[side] === 1 ? "point" : "points",
    hand.some_points ? " recorded" : ""));
}
