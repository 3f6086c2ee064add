// What the cards were worth with all cards open: words, chips under cards, and the points bar.

/** Returns a value: a number, or the limits it lies within. */
function valueText([low, high]) {
  return low === high ? minus(low) : `${minus(low)}–${minus(high)}`;
}

function valueWords([low, high]) {
  return low === high ? minus(low)
    : say("between {low} and {high}", { low: minus(low), high: minus(high) });
}

function isExact(value) {
  return value[0] === value[1];
}

function signOf(seat) {
  return String.fromCodePoint(FIRST_SIGN + seat);
}

/** Whether values are of one player against the rest, rather than of the makers. */
function isAlone(study) {
  return study?.makers.length === 1;
}

function unitWords(study, count) {
  return study.unit === "tricks" ? sayCounted("{count} trick", "{count} tricks", count)
    : pointsCounted(count);
}

/** Returns why no values are shown, a sentence; nothing where they are. */
function whyWithout(look) {
  const { hand, settings, frame } = look;
  if (!settings.study) return say("Study is off.");
  if (!look.isHindsight) return say("Values with all cards open show with all hands.");
  if (settings.known && frame.secret) {
    return say(
      "Values with all cards open would give the trump away: they wait until it is shown.",
    );
  }
  if (hand.study?.refused) return say("No values: {reason}.", { reason: hand.study.refused });
  return hand.study?.values ? "" : say("First values in a moment.");
}

/** Returns what the decision at a step cost, nothing where there was none. */
function moveAt(look) {
  return look.study?.moves[look.step] ?? null;
}

function choicesAt(look) {
  return look.study?.choices[look.step] ?? [];
}

function deedOf(move) {
  const player = signOf(move.seat);
  const cards = cardsOf(move.cards).map(cardText).join(" ");
  if (move.kind === "silence") return say("{player} does not declare king and queen.", { player });
  if (move.kind === "surplus") return say("{player} puts {cards} under the trick.", { player, cards });
  return move.showed ? say("{player} has the trump shown and plays {cards}.", { player, cards })
    : say("{player} plays {cards}.", { player, cards });
}

/** Returns what a decision among `count` choices cost, as a sentence. */
function costOf(study, { before, after, loss }, count, who) {
  if (count === 1) {
    return say("No choice: {who} {value} with all cards open.", { who, value: valueText(before) });
  }
  if (loss === null) {
    return say("With all cards open {who} {before}, after it {after}.",
      { who, before: valueWords(before), after: valueWords(after) });
  }
  if (loss === 0) {
    return say("It cost nothing with all cards open: {who} {after}.",
      { who, after: valueText(after) });
  }
  return say("It cost {cost} with all cards open: {who} {before} → {after}.",
    { cost: unitWords(study, loss), who, before: valueText(before), after: valueText(after) });
}

/** Returns what the strip says of a step that has values; nothing where it has none. */
function studyLines(look) {
  const { study, hand, step } = look;
  const move = moveAt(look);
  const choices = choicesAt(look);
  if (!move && !(look.isBranch && step === hand.last && choices.length > 0)) return [];
  const who = isAlone(study) ? signOf(study.maker) : sayIn("whose points", "makers");
  const first = move ? `${deedOf(move)} ${costOf(study, move, choices.length, who)}`
    : say("{player} is to play. With all cards open {who} {value}.",
      { player: signOf(look.frame.turn), who, value: valueWords(study.values[step]) });
  const free = choices.filter((each) => each.cost === 0).map((each) => {
    const cards = cardsOf(each.cards).map(cardText).join(" ");
    return each.shows ? say("asking and {cards}", { cards }) : cards;
  });
  if (!free.length || choices.length < 2) return [first];
  const cards = free.join(", ");
  return [first, free.length === 1 ? say("The card that costs nothing: {cards}", { cards })
    : say("Cards that cost nothing: {cards}", { cards })];
}

/** Returns what a card is worth at a step: of the choices with it the one that costs the least. */
function worthOf(choices, card, shows = false) {
  const fits = choices.filter((each) =>
    each.shows === shows && (card === null || cardsOf(each.cards).includes(card)));
  const cheapest = (one, other) => (one.cost ?? Infinity) - (other.cost ?? Infinity);
  return fits.toSorted(cheapest)[0] ?? null;
}

function worthWords(study, { value: worth, cost }) {
  const told = { value: valueWords(worth) };
  const value = isAlone(study) ? say("maker {value}", told) : say("makers {value}", told);
  if (cost === null) return value;
  return cost ? say("{value}, costs {cost}", { value, cost: unitWords(study, cost) })
    : say("{value}, costs nothing", { value });
}

/** Returns words for a cost, small beside it. */
function costWord(tag) {
  return make(tag, {}, `${sayIn("before a number", "cost")} `);
}

/** Returns the chip under a card: what the makers get with it, and what it costs. */
function chipOf(look, worth) {
  if (!look.study) return null;
  if (!worth) return look.study.more ? make("span", { class: "chip" }, "…") : null;
  return make("span", { class: ["chip", worth.cost === 0 && "free"] },
    make("b", {}, valueText(worth.value)),
    worth.cost > 0 && make("em", {}, costWord("span"), worth.cost));
}

// --- The points bar

/** Draws the makers' points before and after a step, beside the table. */
function drawBar(place, look) {
  const { study, step, hand } = look;
  place.hidden = !look.isStudied;
  const value = study?.values[step] ?? null;
  const move = moveAt(look);
  const next = move ? move.after : value;
  const shown = [hand.edition, look.studied, Boolean(study), value, next, look.names];
  refill(place, shown, () => [make("p", {}, sentence(barTitle(study), look.nameOf)),
    value ? gaugeOf(study, value, next, move) : make("div", { class: "gauge empty" })]);
}

function gaugeOf(study, value, next, move) {
  const { need, most } = study;
  const lows = Object.values(study.moves).flatMap((each) => [each.before[0], each.after[0]]);
  const least = Math.min(0, ...lows);
  const part = (points) => `${((points - least) / (most - least)) * 100}%`;
  const at = (points, classes, ...content) =>
    make("span", { class: classes, style: `--from: ${part(points)}` }, ...content);
  const between = (one, other, classes) => make("i", {
    class: classes,
    style: `--from: ${part(Math.min(one, other))}; --to: ${part(Math.max(one, other))}`,
  });
  const isChanged = isExact(value) && isExact(next) && value[0] !== next[0];
  const told = { value: valueWords(value) };
  const words = [isAlone(study) ? say("Maker {value}", told) : say("Makers {value}", told),
    isChanged && say("after this {value}", { value: valueWords(next) }),
    need !== null && say("needed {need}", { need })];
  return make("div", {
    class: ["gauge", move?.loss > 0 && "costly"], role: "img",
    "aria-label": words.filter(Boolean).join(", "),
  },
  between(least, Math.min(value[0], next[0]), "sure"),
  isChanged && between(value[0], next[0], "moved"),
  !isExact(value) && between(value[0], value[1], "open"),
  ticksOf(study, least).map((points) => at(points, "tick", minus(points))),
  need !== null && at(need, "need", make("b", {}, study.unit === "tricks"
    ? sayIn("what is needed", "all") : sayIn("what is needed", "bid")), make("b", {}, need)),
  at(value[1], "mark", valueText(value)),
  isChanged && at(next[1], "mark after", valueText(next)));
}

/** Returns whose points or tricks the bar shows. */
function barTitle(study) {
  const inTricks = study?.unit === "tricks";
  if (isAlone(study)) {
    const player = signOf(study.maker);
    return inTricks ? say("{player}’s tricks", { player }) : say("{player}’s points", { player });
  }
  return inTricks ? say("makers’ tricks") : say("makers’ points");
}

/** Returns the numbers beside the bar that what is needed does not cover. */
function ticksOf({ most, need }, least) {
  const every = Math.max(1, Math.ceil((most - least) / 7));
  const ticks = [];
  for (let points = least; points <= most; points += every) {
    if (need === null || Math.abs(points - need) > every * 0.9) ticks.push(points);
  }
  return ticks;
}
