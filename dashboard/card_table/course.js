// The course of the hand: the makers' points step by step, drawn behind the slider.

const WIDE = 1000;
const HIGH = 100;

/** Draws the course, with a dot where a card cost something and a tick where a trick begins. */
function drawCourse(place, look) {
  const { hand, study, settings } = look;
  const why = whyWithout(look);
  refill(place, [hand.edition, look.studied, Boolean(study), settings.study, why], () => {
    if (!settings.study) return [];
    return [...(why ? [make("p", { class: "without" }, why)] : courseOf(look)), ...partNames(hand)];
  });
}

function courseOf({ hand, study, isBranch }) {
  const { values } = study;
  const known = values.filter(Boolean).flat();
  if (!known.length) return [];
  const least = Math.min(0, ...known);
  const most = Math.max(study.most, ...known);
  const high = (points) => HIGH - ((points - least) / (most - least || 1)) * HIGH;
  const across = (step) => (step / (hand.last || 1)) * WIDE;
  let line = "";
  // The limits of values that are not exact.
  const bands = [];
  values.forEach((value, step) => {
    if (!value) return;
    const height = high((value[0] + value[1]) / 2);
    line += line ? `H${across(step)}V${height}` : `M${across(step)} ${height}`;
    if (!isExact(value)) {
      bands.push(draw("rect", {
        class: "band", x: across(step), width: across(step + 1) - across(step),
        y: high(value[1]), height: high(value[0]) - high(value[1]),
      }));
    }
  });
  const picture = draw("svg", {
    viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true",
  });
  const path = (name, d) => draw("path", { class: name, d });
  picture.append(path("area", `${line}V${HIGH}H${across(values.findIndex(Boolean))}z`), ...bands,
    path(isBranch ? "line branch" : "line", line));
  if (study.need !== null) picture.append(path("need", `M0 ${high(study.need)}H${WIDE}`));
  return [picture, ...dearestOf(study).map(({ step, loss, after }) => make("i", {
    class: "dot",
    style: `--at: ${(step + 1) / hand.last}; --up: ${1 - high(after[0]) / HIGH}; `
      + `--size: ${Math.min(13, 7 + Math.sqrt(loss) * 1.6).toFixed(1)}px`,
  }))];
}

/** Returns the names of the parts of a hand below the course. */
function partNames(hand) {
  const last = hand.last || 1;
  return hand.groups.map(({ first, end, number, part }) => make("span", {
    class: "part", style: `--at: ${first / last}; --wide: ${(end - first) / last}`,
  }, number > 1 ? number : part));
}

/** Returns the decisions that cost something, the dearest ones first. */
function dearestOf(study) {
  return Object.entries(study?.moves ?? {})
    .map(([step, move]) => ({ ...move, step: Number(step) }))
    .filter((move) => move.loss > 0)
    .sort((one, other) => other.loss - one.loss || one.step - other.step);
}
