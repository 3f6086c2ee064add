// Beside the table: what is wrong, and everything that was done, in order.

/** Returns what happens at a step as far as the one below may know it. */
function deedTold(look, deed) {
  return deed.covered && !look.seesDeed(deed) ? deed.covered : deed.told;
}

function quietly(...children) {
  return make("p", { class: "none" }, ...children);
}

/** Returns a button that leads to a step. */
function stepButton(look, step, classes, ...children) {
  return make("button", {
    class: classes, "data-step": step, onclick: () => look.table.go(step),
  }, ...children);
}

/** Draws the verdict and all findings, of which nobody at the table could know. */
function drawFindings(place, look) {
  const { hand, isHindsight } = look;
  refill(place, [hand.edition, look.names, isHindsight], () => {
    const head = make("h2", {}, say("Findings"),
      isHindsight && make("span", { class: "verdict" }, hand.verdict_said));
    if (!isHindsight) {
      return [head, quietly(say("Hidden like the other hands, as is what comes next."))];
    }
    const none = hand.verdict === "valid"
      ? say("None: the hand was played and scored by the rules.")
      : say("None in what was recorded.");
    const items = hand.findings.map((finding) => make("li", {}, findingRow(look, finding)));
    return [head, items.length ? make("ul", { class: "findings" }, items) : quietly(none),
      ...hand.notes.map((note) => make("p", {}, sentence(note, look.nameOf)))];
  });
}

function findingRow(look, finding) {
  const { step } = finding;
  const told = findingTold(look, finding);
  if (step !== null) {
    return stepButton(look, step, "finding", told,
      make("span", { class: "where" }, say("Go to step {step}", { step })));
  }
  return make("div", { class: "finding" }, told,
    quietly(say("It shows beside the other hands of the game.")), rulesOf(look.hand, finding));
}

function findingTold(look, { title, text }) {
  return [make("b", {}, `${title}.`), " ", ...sentence(text, look.nameOf)];
}

/** Returns the findings of the step on the table. */
function findingsHere({ hand, step, isHindsight }) {
  return isHindsight ? hand.findings.filter((finding) => finding.step === step) : [];
}

/** Draws the findings of the step on the table, each with its rules. */
function drawFindingsHere(place, look) {
  const here = findingsHere(look);
  refill(place, [look.hand.edition, look.names, here], () => here.map((finding) =>
    make("div", { class: "finding" }, make("p", {}, findingTold(look, finding)),
      rulesOf(look.hand, finding))));
}

function rulesOf(hand, finding) {
  return finding.rules.map((name) => {
    const { title, text } = hand.rules[name];
    if (!title) return quietly(say("Rule {name}", { name }));
    return make("details", {}, make("summary", {}, say("Rule {name}: {title}", { name, title })),
      text.map((paragraph) => make("p", {}, paragraph)));
  });
}

/** Draws, at the end, what came of the hand beyond how it ended. */
function drawResult(place, look) {
  const { hand, step } = look;
  const lines = step === hand.last ? hand.ending.slice(1) : [];
  refill(place, [hand.edition, look.names, lines], () => lines.length > 0 && [
    make("h2", {}, say("Result")), ...lines.map((line) => make("p", {}, sentence(line, look.nameOf))),
  ]);
}

/** Draws the list of all steps, or of those so far, and marks the one on the table. */
function drawRecord(place, look) {
  const { hand, settings, step } = look;
  const until = look.isHindsight ? hand.last : step;
  const shown = [hand.edition, look.names, settings.closed, settings.known, settings.below, until];
  const section = (head, ...rows) => make("section", { class: "group" }, make("h3", {}, head),
    make("ol", {}, ...rows));
  refill(place, shown, () => [
    ...hand.groups.filter(({ first }) => first < until)
      .map(({ title, winner, points, first, end }) => section(
        [title, winner !== undefined && end <= until && make("span", {},
          make("bdi", {}, look.nameOf(winner)), ` · ${pointsCounted(points)}`)],
        hand.steps.slice(first, Math.min(end, until))
          .map((deed, at) => deedRow(look, deed, first + at)),
      )),
    until === hand.last ? section(hand.unfinished ? say("So far") : say("The end"),
      stepRow(look, hand.last, "long", [], make("span", {}, sentence(hand.ending[0], look.nameOf))))
      : make("p", { class: "none", "data-step": step }, say("What comes next is hidden.")),
  ]);
  markStep(place, step);
}

function stepRow(look, step, form, classes, ...children) {
  return make("li", { class: form }, stepButton(look, step, ["deed", form, ...classes],
    unseen(`${say("Step {step}:", { step })} `), ...children));
}

function deedRow(look, deed, step) {
  const wrong = deed.wrong && look.isHindsight;
  return stepRow(look, step, deed.card || deed.call !== undefined ? "brief" : "long",
    [wrong && "wrong", deed.void && "void"], deedShown(look, deed),
    wrong && unseen(`, ${say("against the rules")}`));
}

function deedShown(look, deed) {
  const name = make("bdi", {}, look.nameOf(deed.seat));
  if (deed.card && deed.card !== "JO") return [name, smallCard(deed.card)];
  if (deed.call !== undefined) return [name, make("b", {}, deed.call)];
  return [make("span", {}, sentence(deedTold(look, deed), look.nameOf))];
}

/** Returns a card within a line of text. */
function smallCard(card) {
  return card === "JO" ? sayIn("a card", "joker") : pip(cardText(card), card[1], cardWords(card));
}

/** Marks a step in the list and scrolls the list, and nothing else, until it can be seen. */
function markStep(list, step) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const now = list.querySelector(`[data-step="${step}"]`);
  if (!now) return;
  now.setAttribute("aria-current", "step");
  if (list.scrollHeight <= list.clientHeight) return;
  const above = now.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (above < 40 || above > list.clientHeight - 60) {
    list.scrollTop += above - list.clientHeight / 2;
  }
}
