// What the cards were worth with all cards open: words, chips under cards, and the points bar.

const MINUS = "−";

/** Returns a value: a number, or the limits it lies within. */
function valueText([low, high]) {
  return low === high ? minus(low) : `${minus(low)}–${minus(high)}`;
}

function valueWords([low, high]) {
  return low === high ? minus(low)
    : say("between {low} and {high}", { low: minus(low), high: minus(high) });
}

function minus(number) {
  return number < 0 ? `${MINUS}${numberText(-number)}` : numberText(number);
}

function isExact(value) {
  return value[0] === value[1];
}

/** Returns a card as sentences write it. */
function cardText(card) {
  if (card === "JO") return say("the joker");
  return `${card[0] === "T" ? "10" : card[0]}${GLYPHS[card[1]]}`;
}

function signOf(seat) {
  return String.fromCodePoint(FIRST_SIGN + seat);
}

/** Returns whose points values are: of the makers, or of one player against the rest. */
function whose(study) {
  return study.makers.length === 1 ? signOf(study.maker) : sayIn("whose points", "makers");
}

function unitWords(study, count) {
  return study.unit === "tricks" ? tricksCounted(count) : pointsCounted(count);
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
  if (!hand.study || (!hand.study.values && !hand.study.refused)) {
    return say("First values in a moment.");
  }
  if (hand.study.refused) return say("No values: {reason}.", { reason: hand.study.refused });
  return "";
}

/** Returns what the decision at a step cost, nothing where there was none. */
function moveAt(look) {
  return look.study?.moves[look.step] ?? null;
}

function choicesAt(look) {
  return look.study?.choices[look.step] ?? [];
}

/** Returns the cards of all choices that cost nothing, each once. */
function freeCards(choices) {
  const free = choices.filter((each) => each.cost === 0);
  return free.map((each) => {
    const cards = cardsOf(each.cards).map(cardText).join(" ");
    return each.shows ? say("asking and {cards}", { cards }) : cards;
  });
}

function deedOf(move) {
  const player = signOf(move.seat);
  const cards = cardsOf(move.cards).map(cardText).join(" ");
  if (move.kind === "silence") return say("{player} does not declare king and queen.", { player });
  if (move.kind === "surplus") return say("{player} puts {cards} under the trick.", { player, cards });
  return move.showed ? say("{player} has the trump shown and plays {cards}.", { player, cards })
    : say("{player} plays {cards}.", { player, cards });
}

/** Returns what a decision cost, as a sentence. */
function costOf(study, move, count) {
  const who = whose(study);
  if (count === 1) {
    const value = valueText(move.before);
    return say("No choice: {who} {value} with all cards open.", { who, value });
  }
  if (move.loss === null) {
    const [before, after] = [valueWords(move.before), valueWords(move.after)];
    return say("With all cards open {who} {before}, after it {after}.", { who, before, after });
  }
  const [before, after] = [valueText(move.before), valueText(move.after)];
  if (move.loss === 0) {
    return say("It cost nothing with all cards open: {who} {after}.", { who, after });
  }
  const cost = unitWords(study, move.loss);
  return say("It cost {cost} with all cards open: {who} {before} → {after}.",
    { cost, who, before, after });
}

/** Returns what the strip says of a step that has values; nothing where it has none. */
function studyLines(look) {
  const { study } = look;
  const move = moveAt(look);
  const choices = choicesAt(look);
  const free = freeCards(choices);
  const cards = free.join(", ");
  const told = free.length === 1 ? say("The card that costs nothing: {cards}", { cards })
    : say("Cards that cost nothing: {cards}", { cards });
  const second = free.length > 0 && choices.length > 1 ? told : "";
  if (move) return [`${deedOf(move)} ${costOf(study, move, choices.length)}`, second].filter(Boolean);
  if (look.isBranch && look.step === look.hand.last && choices.length > 0) {
    const value = valueWords(study.values[look.step]);
    const player = signOf(look.frame.turn);
    return [say("{player} is to play. With all cards open {who} {value}.",
      { player, who: whose(study), value }), second].filter(Boolean);
  }
  return [];
}

/** Returns what a card is worth at a step: of the choices with it the one that costs the least. */
function worthOf(choices, card, shows = false) {
  const fits = choices.filter((each) =>
    each.shows === shows && (card === null || cardsOf(each.cards).includes(card)));
  const cheapest = (one, other) => (one.cost ?? Infinity) - (other.cost ?? Infinity);
  return fits.toSorted(cheapest)[0] ?? null;
}

function worthWords(study, worth) {
  const words = valueWords(worth.value);
  const value = study.makers.length === 1 ? say("maker {value}", { value: words })
    : say("makers {value}", { value: words });
  if (worth.cost === null) return value;
  return worth.cost ? say("{value}, costs {cost}", { value, cost: unitWords(study, worth.cost) })
    : say("{value}, costs nothing", { value });
}

/** Returns the chip under a card: what the makers get with it, and what it costs. */
function chipOf(look, worth) {
  if (!look.study) return null;
  if (!worth) return look.study.more ? make("span", { class: "chip" }, "…") : null;
  const classes = ["chip", worth.cost === 0 && "free"].filter(Boolean).join(" ");
  return make("span", { class: classes }, make("b", {}, valueText(worth.value)),
    worth.cost > 0 && make("em", {}, make("span", {}, `${sayIn("before a number", "cost")} `), worth.cost));
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
  refill(place, shown, () => barOf(look, value, next, move));
}

function barOf(look, value, next, move) {
  const { study } = look;
  const title = make("p", {}, ...sentence(barTitle(study), look.nameOf));
  if (!study || !value) return [title, make("div", { class: "gauge empty" })];
  const lows = Object.values(study.moves).flatMap((each) => [each.before[0], each.after[0]]);
  const least = Math.min(0, ...lows);
  const part = (points) => `${((points - least) / (study.most - least)) * 100}%`;
  const between = (one, other, classes) => make("i", {
    class: classes,
    style: `--from: ${part(Math.min(one, other))}; --to: ${part(Math.max(one, other))}`,
  });
  const changed = isExact(value) && isExact(next) && value[0] !== next[0];
  const mark = (points, classes) =>
    make("span", { class: classes, style: `--from: ${part(points[1])}` }, valueText(points));
  const told = { value: valueWords(value) };
  const words = [study.makers.length === 1 ? say("Maker {value}", told) : say("Makers {value}", told),
    changed && say("after this {value}", { value: valueWords(next) }),
    study.need !== null && say("needed {need}", { need: study.need })];
  return [title, make("div", {
    class: move?.loss > 0 ? "gauge costly" : "gauge", role: "img",
    "aria-label": words.filter(Boolean).join(", "),
  },
  between(least, Math.min(value[0], next[0]), "sure"),
  changed && between(value[0], next[0], "moved"),
  !isExact(value) && between(value[0], value[1], "open"),
  ticksOf(study, least, [value, next]).map((points) =>
    make("span", { class: "tick", style: `--from: ${part(points)}` }, minus(points))),
  study.need !== null && make("span", { class: "need", style: `--from: ${part(study.need)}` },
    make("b", {},
      study.unit === "tricks" ? sayIn("what is needed", "all") : sayIn("what is needed", "bid")), make("b", {}, study.need)),
  mark(value, "mark"), changed && mark(next, "mark after"))];
}

/** Returns whose points or tricks the bar shows. */
function barTitle(study) {
  const inTricks = study?.unit === "tricks";
  if (study && study.makers.length === 1) {
    const player = signOf(study.maker);
    return inTricks ? say("{player}’s tricks", { player }) : say("{player}’s points", { player });
  }
  return inTricks ? say("makers’ tricks") : say("makers’ points");
}

/** Returns the numbers beside the bar that nothing else covers. */
function ticksOf(study, least, values) {
  const every = Math.max(1, Math.ceil((study.most - least) / 7));
  const far = (points) => study.need === null || Math.abs(points - study.need) > every * 0.9;
  const ticks = [];
  for (let points = least; points <= study.most; points += every) if (far(points)) ticks.push(points);
  return values.length ? ticks : [];
}
