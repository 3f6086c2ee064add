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
  if (frame.trump && look.knowsTrump(settings.below)) {
    parts.push(" · ", ...sayParts("trumps {trump}", { trump: trumpPip(frame.trump) }));
    if (frame.secret) {
      parts.push(make("span", { title: say("not shown to the others") }, ` ${say("(hidden)")}`));
    }
  } else if (frame.trump) parts.push(` · ${say("trumps hidden")}`);
  if (frame.stake) parts.push(` · ${frame.stake}`);
  return make("p", { class: "contract" }, parts);
}

function noContract({ hand, step }) {
  if (step === hand.last && hand.thrown_in) return say("Nobody won the auction");
  if (step === hand.last && hand.gaps) return say("The record does not say who won the auction");
  return say("Nobody has won the auction so far");
}

function pointsOf(look) {
  const { hand, frame } = look;
  const nameOf = (seat, place) => [place ? " & " : "", make("bdi", {}, look.nameOf(seat))];
  return (hand.sides ?? []).map((seats, side) => {
    const chance = hand.chances?.[side]?.[chanceAt(look)];
    return make("p", { class: "side" }, seats.flatMap(nameOf), make("b", {}, frame.points[side]),
      pointsWord(frame.points[side], hand.some_points),
      chance !== undefined && ` · ${say("{chance} to win", { chance })}`);
  });
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
