// Above the table: the contract, what is trumps, and the points so far.

/** Draws who plays for what, what is trumps, and the points of partnerships so far. */
function drawScores(place, look) {
  const { hand, frame, settings } = look;
  const shown = [hand.edition, frame.contract, frame.stake, frame.trump, frame.secret, frame.points,
    settings, frame.knows, chanceAt(look)];
  refill(place, shown, () => [contractOf(look), ...pointsOf(look)]);
}

function contractOf(look) {
  const { frame, settings } = look;
  const parts = frame.contract ? sentence(frame.contract, look.nameOf) : [noContract(look)];
  if (frame.trump) {
    if (look.knowsTrump(settings.below)) {
      parts.push(" · ", ...sayParts("trumps {trump}", { trump: trumpPip(frame.trump) }));
      if (frame.secret) {
        parts.push(make("span", { title: say("not shown to the others") }, ` ${say("(hidden)")}`));
      }
    } else parts.push(` · ${say("trumps hidden")}`);
  }
  if (frame.stake) parts.push(` · ${frame.stake}`);
  return make("p", { class: "contract" }, parts);
}

function noContract({ hand, step }) {
  return step === hand.last && hand.thrown_in
    ? say("Nobody won the auction")
    : hand.gaps && step === hand.last
      ? say("The record does not say who won the auction")
      : say("Nobody has won the auction so far");
}

function pointsOf(look) {
  const { hand, frame } = look;
  return (hand.sides ?? []).map((seats, side) => make("p", { class: "side" },
    seats.flatMap((seat, place) =>
      [place ? " & " : "", make("bdi", {}, look.nameOf(seat))]),
    make("b", {}, frame.points[side]), pointsWord(frame.points[side], hand.some_points),
    hand.chances?.length ? ` · ${say("{chance} to win", { chance: hand.chances[side][chanceAt(look)] })}` : ""));
}

/** Returns which of the chances of a side holds: before the hand, with its bid, or after it. */
function chanceAt({ hand, frame, step }) {
  if (step === hand.last) return 2;
  return frame.number ? 1 : 0;
}

/** Returns what stands beside the number of points of a side. */
function pointsWord(points, isPart) {
  if (isPart) {
    return points === 1 ? sayIn("beside a number", "point recorded")
      : sayIn("beside a number", "points recorded");
  }
  return points === 1 ? sayIn("beside a number", "point") : sayIn("beside a number", "points");
}
