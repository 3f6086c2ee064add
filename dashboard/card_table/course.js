// The course of the hand: the makers' points step by step, drawn behind the slider.

const WIDE = 1000;
const HIGH = 100;

/** Draws the course, with a dot where a card cost something and a tick where a trick begins. */
function drawCourse(place, look) {
  const { hand, study, settings } = look;
  const shown = [hand.edition, look.studied, Boolean(study), settings.study, whyWithout(look)];
  refill(place, shown, () => {
    if (!settings.study) return [];
    const why = whyWithout(look);
    return [why ? make("p", { class: "without" }, why) : courseOf(look), partsOf(look)].flat();
  });
}

function courseOf(look) {
  const { hand, study } = look;
  const { values } = study;
  const known = values.filter(Boolean).flat();
  if (!known.length) return [];
  const least = Math.min(0, ...known);
  const most = Math.max(study.most, ...known);
  const high = (points) => HIGH - ((points - least) / (most - least || 1)) * HIGH;
  const across = (step) => (step / (hand.last || 1)) * WIDE;
  const picture = draw("svg", {
    viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true",
  });
  const line = pathOf(values, across, high);
  const first = values.findIndex(Boolean);
  picture.append(
    draw("path", { class: "area", d: `${line}V${HIGH}H${across(first)}z` }),
    ...bandsOf(values, across, high),
    draw("path", { class: look.isBranch ? "line branch" : "line", d: line }),
  );
  if (study.need !== null) {
    picture.append(draw("path", { class: "need", d: `M0 ${high(study.need)}H${WIDE}` }));
  }
  return [picture, ...dotsOf(study, hand.last, high)];
}

function pathOf(values, across, high) {
  let path = "";
  values.forEach((value, step) => {
    if (!value) return;
    const height = high((value[0] + value[1]) / 2);
    path += path ? `H${across(step)}V${height}` : `M${across(step)} ${height}`;
  });
  return path;
}

/** Returns the limits of values that are not exact. */
function bandsOf(values, across, high) {
  return values.flatMap((value, step) => (!value || isExact(value) ? [] : [draw("rect", {
    class: "band", x: across(step), width: across(step + 1) - across(step),
    y: high(value[1]), height: high(value[0]) - high(value[1]),
  })]));
}

function dotsOf(study, last, high) {
  return dearestOf(study).map(({ step, loss, after }) => make("i", {
    class: "dot",
    style: `--at: ${(step + 1) / last}; --up: ${1 - high(after[0]) / HIGH}; `
      + `--size: ${Math.min(13, 7 + Math.sqrt(loss) * 1.6).toFixed(1)}px`,
  }));
}

/** Returns the names of the parts of a hand below the course. */
function partsOf({ hand }) {
  return hand.groups.map((group, number) => {
    const next = hand.groups[number + 1]?.first ?? hand.last;
    return make("span", {
      class: "part", style: `--at: ${group.first / (hand.last || 1)}; --wide: ${(next - group.first) / (hand.last || 1)}`,
    }, group.number > 1 ? group.number : group.part);
  });
}

/** Returns the decisions that cost something, the dearest ones first. */
function dearestOf(study) {
  return Object.entries(study?.moves ?? {})
    .map(([step, move]) => ({ ...move, step: Number(step) }))
    .filter((move) => move.loss > 0)
    .sort((one, other) => other.loss - one.loss || one.step - other.step);
}
