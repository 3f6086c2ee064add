// What the cards were worth with all cards open: words, chips under cards, and the points bar.

const MINUS = "−";

/** Returns a value: a number, or the limits it lies within. */
function valueText([low, high]) {
  return low === high ? minus(low) : `${minus(low)}–${minus(high)}`;
}

function valueWords([low, high]) {
  return low === high ? minus(low) : `between ${minus(low)} and ${minus(high)}`;
}

function minus(number) {
  return number < 0 ? `${MINUS}${-number}` : String(number);
}

function isExact(value) {
  return value[0] === value[1];
}

/** Returns a card as sentences write it. */
function cardText(card) {
  if (card === "JO") return "the joker";
  return `${card[0] === "T" ? "10" : card[0]}${GLYPHS[card[1]]}`;
}

function signOf(seat) {
  return String.fromCodePoint(FIRST_SIGN + seat);
}

/** Returns whose points values are: of the makers, or of one player against the rest. */
function whose(study) {
  return study.makers.length === 1 ? signOf(study.maker) : "makers";
}

function unitWords(study, count) {
  const word = study.unit === "tricks" ? "trick" : "point";
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Returns why no values are shown, a sentence; nothing where they are. */
function whyWithout(look) {
  const { hand, settings, frame } = look;
  if (!settings.study) return "Study is off.";
  if (!look.isHindsight) return "Values with all cards open show with all hands.";
  if (settings.known && frame.secret) {
    return "Values with all cards open would give the trump away: they wait until it is shown.";
  }
  if (!hand.study || (!hand.study.values && !hand.study.refused)) return "First values in a moment.";
  if (hand.study.refused) return `No values: ${hand.study.refused}.`;
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
  return free.map((each) => (each.shows ? "asking and " : "")
    + cardsOf(each.cards).map(cardText).join(" "));
}

function deedOf(move) {
  const name = signOf(move.seat);
  const cards = cardsOf(move.cards).map(cardText).join(" ");
  if (move.kind === "silence") return `${name} does not declare king and queen.`;
  if (move.kind === "surplus") return `${name} puts ${cards} under the trick.`;
  return `${name} ${move.showed ? "has the trump shown and plays" : "plays"} ${cards}.`;
}

/** Returns what a decision cost, as a sentence. */
function costOf(study, move, count) {
  const who = whose(study);
  if (count === 1) return `No choice: ${who} ${valueText(move.before)} with all cards open.`;
  if (move.loss === null) {
    return `With all cards open ${who} ${valueWords(move.before)}, after it ${valueWords(move.after)}.`;
  }
  if (move.loss === 0) return `It cost nothing with all cards open: ${who} ${valueText(move.after)}.`;
  return `It cost ${unitWords(study, move.loss)} with all cards open: ${who} `
    + `${valueText(move.before)} → ${valueText(move.after)}.`;
}

/** Returns what the strip says of a step that has values; nothing where it has none. */
function studyLines(look) {
  const { study } = look;
  const move = moveAt(look);
  const choices = choicesAt(look);
  const free = freeCards(choices);
  const told = free.length === 1 ? "The card that costs nothing" : "Cards that cost nothing";
  const second = free.length > 0 && choices.length > 1 ? `${told}: ${free.join(", ")}` : "";
  if (move) return [`${deedOf(move)} ${costOf(study, move, choices.length)}`, second].filter(Boolean);
  if (look.isBranch && look.step === look.hand.last && choices.length > 0) {
    const value = study.values[look.step];
    return [`${signOf(look.frame.turn)} is to play. With all cards open ${whose(study)} `
      + `${valueWords(value)}.`, second].filter(Boolean);
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
  const value = `${study.makers.length === 1 ? "maker" : "makers"} ${valueWords(worth.value)}`;
  if (worth.cost === null) return value;
  return worth.cost ? `${value}, costs ${unitWords(study, worth.cost)}` : `${value}, costs nothing`;
}

/** Returns the chip under a card: what the makers get with it, and what it costs. */
function chipOf(look, worth) {
  if (!look.study) return null;
  if (!worth) return look.study.more ? make("span", { class: "chip" }, "…") : null;
  const classes = ["chip", worth.cost === 0 && "free"].filter(Boolean).join(" ");
  return make("span", { class: classes }, make("b", {}, valueText(worth.value)),
    worth.cost > 0 && make("em", {}, make("span", {}, "cost "), worth.cost));
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
  const title = make("p", {}, ...sentence(study ? `${whose(study)}’${study.makers.length === 1 ? "s" : ""} `
    : "makers’ ", look.nameOf), study?.unit ?? "points");
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
  const words = [`${study.makers.length === 1 ? "Maker" : "Makers"} ${valueWords(value)}`,
    changed && `after this ${valueWords(next)}`, study.need !== null && `needed ${study.need}`];
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
    make("b", {}, study.unit === "tricks" ? "all" : "bid"), make("b", {}, study.need)),
  mark(value, "mark"), changed && mark(next, "mark after"))];
}

/** Returns the numbers beside the bar that nothing else covers. */
function ticksOf(study, least, values) {
  const every = Math.max(1, Math.ceil((study.most - least) / 7));
  const far = (points) => study.need === null || Math.abs(points - study.need) > every * 0.9;
  const ticks = [];
  for (let points = least; points <= study.most; points += every) if (far(points)) ticks.push(points);
  return values.length ? ticks : [];
}
