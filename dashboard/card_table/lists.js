// Beside the table: what is wrong, and everything that was done, in order.

/** Returns what happens at a step as far as the one below may know it. */
function deedTold(look, deed) {
  return deed.covered && !look.seesDeed(deed) ? deed.covered : deed.told;
}

/** Draws the verdict and all findings, of which nobody at the table could know. */
function drawFindings(place, look) {
  const { hand } = look;
  refill(place, [hand.edition, look.names, look.isHindsight], () => {
    if (!look.isHindsight) {
      return [make("h2", {}, say("Findings")),
        make("p", { class: "none" }, say("Hidden like the other hands, as is what comes next."))];
    }
    const head = make("h2", {}, say("Findings"),
      make("span", { class: "verdict" }, hand.verdict_said));
    const notes = hand.notes.map((note) => make("p", {}, sentence(note, look.nameOf)));
    if (!hand.findings.length) {
      const none = hand.verdict === "valid"
        ? say("None: the hand was played and scored by the rules.")
        : say("None in what was recorded.");
      return [head, make("p", { class: "none" }, none), notes].flat();
    }
    const items = hand.findings.map((finding) => make("li", {}, findingRow(look, finding)));
    return [head, make("ul", { class: "findings" }, items), notes].flat();
  });
}

function findingRow(look, finding) {
  const told = sentence(finding.text, look.nameOf);
  if (finding.step === null) {
    return make("div", { class: "finding" }, make("b", {}, `${finding.title}.`), " ", told,
      make("p", { class: "none" }, say("It shows beside the other hands of the game.")),
      rulesOf(look.hand, finding));
  }
  return make("button", {
    class: "finding", type: "button", "data-step": finding.step,
    onclick: () => look.table.go(finding.step),
  }, make("b", {}, `${finding.title}.`), " ", told,
  make("span", { class: "where" }, say("Go to step {step}", { step: finding.step })));
}

/** Returns the findings of the step on the table. */
function findingsHere({ hand, step, isHindsight }) {
  return isHindsight ? hand.findings.filter((finding) => finding.step === step) : [];
}

/** Draws the findings of the step on the table, each with its rules. */
function drawFindingsHere(place, look) {
  const { hand } = look;
  const here = findingsHere(look);
  refill(place, [hand.edition, look.names, here], () => here.map((finding) =>
    make("div", { class: "finding" },
      make("p", {}, make("b", {}, `${finding.title}.`), " ", sentence(finding.text, look.nameOf)),
      rulesOf(hand, finding))));
}

function rulesOf(hand, finding) {
  return finding.rules.map((name) => {
    const rule = hand.rules[name];
    if (!rule.title) return make("p", { class: "none" }, say("Rule {name}", { name }));
    return make("details", {}, make("summary", {}, say("Rule {name}: {title}", { name, title: rule.title })),
      rule.text.map((paragraph) => make("p", {}, paragraph)));
  });
}

/** Draws, at the end, what came of the hand beyond how it ended. */
function drawResult(place, look) {
  const { hand, step } = look;
  const lines = step === hand.last ? hand.ending.slice(1) : [];
  refill(place, [hand.edition, look.names, lines], () => lines.length > 0 && [
    make("h2", {}, say("Result")), lines.map((line) => make("p", {}, sentence(line, look.nameOf))),
  ].flat());
}

/** Draws the list of all steps, or of those so far, and marks the one on the table. */
function drawRecord(place, look) {
  const { hand, settings } = look;
  const until = look.isHindsight ? hand.last : look.step;
  const shown = [hand.edition, look.names, settings.closed, settings.known, settings.below, until];
  refill(place, shown, () => hand.groups.filter((group) => group.first < until)
    .map((group, number) => {
      const next = hand.groups[number + 1]?.first ?? hand.last;
      const deeds = hand.steps.slice(group.first, Math.min(next, until));
      return make("section", { class: "group" }, groupHead(look, group, next <= until),
        make("ol", {}, deeds.map((deed, place_) => deedRow(look, deed, group.first + place_))));
    }).concat(until === hand.last ? endRow(look) : nowRow(look)));
  markStep(place, look.step);
}

function groupHead(look, group, isOver) {
  const won = group.winner === undefined || !isOver ? null : make("span", {},
    make("bdi", {}, look.nameOf(group.winner)), ` · ${pointsCounted(group.points)}`);
  return make("h3", {}, group.title, won);
}

function deedRow(look, deed, step) {
  const brief = deed.card || deed.call !== undefined;
  const wrong = deed.wrong && look.isHindsight;
  const classes = ["deed", brief ? "brief" : "long", wrong && "wrong", deed.void && "void"];
  return make("li", { class: brief ? "brief" : "long" }, make("button", {
    class: classes.filter(Boolean).join(" "), type: "button", "data-step": step,
    onclick: () => look.table.go(step),
  }, unseen(`${say("Step {step}:", { step })} `), deedShown(look, deed),
  wrong && unseen(`, ${say("against the rules")}`)));
}

function deedShown(look, deed) {
  const name = make("bdi", {}, look.nameOf(deed.seat));
  if (deed.card && deed.card !== "JO") {
    const [rank, suit] = deed.card;
    return [name, pip(`${rank === "T" ? "10" : rank}${GLYPHS[suit]}`, suit, cardWords(deed.card))];
  }
  if (deed.call !== undefined) return [name, make("b", {}, deed.call)];
  return [make("span", {}, sentence(deedTold(look, deed), look.nameOf))];
}

function endRow(look) {
  const { hand } = look;
  return make("section", { class: "group" }, make("h3", {}, hand.unfinished ? say("So far") : say("The end")),
    make("ol", {}, make("li", { class: "long" }, make("button", {
      class: "deed long", type: "button", "data-step": hand.last,
      onclick: () => look.table.go(hand.last),
    }, unseen(`${say("Step {step}:", { step: hand.last })} `), make("span", {}, sentence(hand.ending[0], look.nameOf))))));
}

/** Returns the end of a list of the steps so far. */
function nowRow(look) {
  return make("p", { class: "none", "data-step": look.step }, say("What comes next is hidden."));
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
