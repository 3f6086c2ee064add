// Beside the table: tabs with the dearest cards, the branch, the steps and the findings.

const TABS = [["dearest", mark("Dearest")], ["branch", mark("Branch")], ["steps", mark("Steps")],
  ["findings", mark("Findings")]];

/** Returns the tabs; `parts` gets one panel for each, of which one is seen. */
function tabsOf(table, parts) {
  parts.tabs = {};
  parts.panels = {};
  for (const [name, text] of TABS) {
    const id = `tl-panel-${name}`;
    parts.panels[name] = make("div", {
      class: `panel ${name}-panel`, role: "tabpanel", id, "aria-label": say(text),
    });
    parts.tabs[name] = make("button", {
      role: "tab", "aria-controls": id,
      onclick: () => table.showTab(name), onkeydown: (event) => moveAmongTabs(table, event),
    });
  }
  parts.study = keyed(table, "s", withKey(say("Study"), "s"), {
    class: "study", title: say("Study: values with all cards open"),
  });
  return make("div", { class: "tabs" },
    make("div", { class: "seg", role: "tablist", "aria-label": say("Beside the table") },
      Object.values(parts.tabs)),
    parts.study);
}

function moveAmongTabs(table, event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const open = TABS.map(([name]) => name).filter((name) => !table.parts.tabs[name].hidden);
  table.showTab(open.at((open.indexOf(table.tab) + by) % open.length));
  table.parts.tabs[table.tab].focus();
}

/** Returns the sheet that comes up from below on phones, with what stands beside the table. */
function sheetOf(right, home) {
  const sheet = make("dialog", {
    class: "up", "aria-label": say("Beside the table"),
    onclose: () => home.append(right),
    onclick: (event) => {
      if (event.target === sheet || event.target.closest("[data-step], .try button")) sheet.close();
    },
  }, make("button", { class: "shut-sheet", onclick: () => sheet.close() },
    sayIn("a button", "Close")));
  return sheet;
}

/** Draws which tabs there are and which one is open. */
function drawTabs(parts, look) {
  const { settings, hand, table, study } = look;
  parts.tabs.dearest.hidden = !settings.study;
  parts.tabs.branch.hidden = !look.isBranch;
  parts.tabs.findings.hidden = look.isBranch;
  if (parts.tabs[table.tab].hidden) table.tab = settings.study ? "dearest" : "steps";
  const counts = {
    dearest: study && dearestOf(study).length,
    findings: look.isHindsight ? hand.findings.length : null,
  };
  for (const [name, text] of TABS) {
    const tab = parts.tabs[name];
    const isOpen = name === table.tab;
    tab.textContent = [say(text), counts[name]].join(" ").trim();
    tab.setAttribute("aria-selected", isOpen);
    tab.tabIndex = isOpen ? 0 : -1;
    parts.panels[name].classList.toggle("shut", !isOpen);
  }
  parts.study.setAttribute("aria-pressed", settings.study);
  parts.dearestSheet.textContent = settings.study ? parts.tabs.dearest.textContent : say("Findings");
}

/** Returns a table whose figures stand right; `heads` and the cells of `rows` are elements. */
function dearTable(heads, rows) {
  return make("table", { class: "dear" },
    make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows));
}

function figure(tag, ...content) {
  return make(tag, { class: "num" }, ...content);
}

function note(...children) {
  return make("p", { class: "note" }, ...children);
}

function bold(text) {
  return make("b", {}, text);
}

/** Returns a line that lists keys. */
function keysLine(keys) {
  return make("p", { class: "keys" },
    keys.map(([key, word]) => make("span", {}, kbd(key), ` ${word}`)));
}

/** Draws the cards that cost the most, and the way into a branch. */
function drawDearest(place, look) {
  const { study, hand } = look;
  const why = whyWithout(look);
  const shown = [hand.edition, look.studied, Boolean(study), look.names, why,
    look.frame.take, look.frame.turn, look.isBranch, look.isHindsight];
  refill(place, shown, () => [
    ...(study ? [dearestTable(look), ...meaningOf(study, look)] : [quietly(why)]),
    keysLine([["← →", sayIn("a key", "step")], ["n p", sayIn("a key", "decision")],
      ["d", sayIn("a key", "next dearest")], ["w", sayIn("a key", "what if")],
      ["s", sayIn("a key", "study off")], ["?", sayIn("a key", "all keys")]]),
    tryBox(look),
  ]);
  for (const row of place.querySelectorAll("tr[data-step]")) {
    row.classList.toggle("on", Number(row.dataset.step) === look.step);
  }
}

function dearestTable(look) {
  const { study, hand, table } = look;
  const dearest = dearestOf(study);
  if (!dearest.length) {
    return quietly(study.more ? say("First values in a moment.")
      : say("No card cost anything with all cards open."));
  }
  const heads = [make("th", {}, unseen(sayIn("a place in a list", "Rank"))), make("th", {}, say("card")),
    figure("th", say("cost, cards open")), figure("th", say("cost, hidden")),
    figure("th", say("where they lay"))];
  return dearTable(heads, dearest.map((move, place) => make("tr", { "data-step": move.step },
    make("td", { class: "quiet" }, place + 1),
    make("td", {}, make("button", { class: "row", onclick: () => table.go(move.step) },
      bold(make("bdi", {}, look.nameOf(move.seat))), " ",
      move.kind === "silence" ? say("no king and queen")
        : cardsOf(move.cards).slice(0, 3).map(smallCard),
      " ", make("span", { class: "quiet" },
        [trickWords(hand, move.step), move.what].filter(Boolean).join(", ")))),
    make("td", { class: "num cost" }, String(move.loss),
      move.score > 0 && make("span", { class: "under" }, say("score {score}", { score: move.score }))),
    hiddenCells(look, move))));
}

/** Returns what a card cost by what its player knew, and what was luck of where the cards lay. */
function hiddenCells({ study, table }, { step, kind, cards }) {
  const graded = study.hidden[step];
  if (!graded) {
    const name = cardsOf(cards).map(cardWords).join(` ${sayIn("between two cards", "and")} `);
    return make("td", { class: "num", colspan: 2 }, kind !== "silence" && make("button", {
      class: "work", "aria-label": say("Work out {cards} with cards hidden", { cards: name }),
      onclick: (event) => {
        event.stopPropagation();
        table.ask({ hidden: step });
      },
    }, say("work out")));
  }
  if (graded.refused) return make("td", { class: "quiet", colspan: 2 }, graded.refused);
  return [
    make("td", { class: "num", title: say("over {count} deals", { count: graded.worlds }) },
      minus(graded.judged), make("span", { class: "under" }, `±${numberText(graded.reach)}`)),
    make("td", { class: "num quiet" }, signed(graded.luck)),
  ];
}

/** Returns the part of the hand that a step belongs to: a trick, the auction. */
function trickWords(hand, step) {
  return hand.groups.findLast((each) => each.first <= step)?.part ?? "";
}

/** Returns what the figures mean, beside the first of them. */
function meaningOf(study, { table, hand }) {
  return [
    note(...sayParts(
      "{open}: best play of all when everybody sees every card. Nobody at the table does.",
      { open: bold(sayIn("cards", "Open")) },
    ), " ", ...sayParts(
      "{hidden}: in the mean over deals that fit what the player knew. The rest is where the cards lay.",
      { hidden: bold(sayIn("cards", "Hidden")) },
    )),
    study.singles && note(bold(say("Maker against the rest.")), " ",
      say("The {count} others play together here, more than they do at a table.",
        { count: hand.seatCount - 1 })),
    study.unit === "tricks" && note(say("A hand alone is valued in tricks.")),
    study.vague && note(bold(`${say("Some values are limits.")} `),
      `${say("The first cards of this hand are too many to go through at once.")} `,
      make("button", { onclick: () => table.ask({ on: true }) }, say("Search on"))),
  ];
}

function tryBox(look) {
  const { frame, table, isHindsight } = look;
  const isPlayed = table.hand.groups.some(({ number }) => number > 0);
  if (look.isBranch || !isHindsight || !isPlayed) return null;
  const told = frame.take && frame.turn !== null
    ? say("Tap another card of {player} and play on. It is never counted.",
      { player: signOf(frame.turn) })
    : say("Tap another card at any step of the play and play on. It is never counted.");
  return make("div", { class: "try" },
    make("p", {}, bold(`${say("What if?")} `), ...sentence(told, look.nameOf)),
    keyed(table, "w", withKey(say("Try another card"), "w"), { class: "go" }));
}

// --- The branch

/** Draws what comes of the branch beside what came of the hand, and the link to it. */
function drawBranch(place, look) {
  const { hand, table } = look;
  const without = look.isHindsight ? "" : whyWithout(look);
  const shown = [hand.edition, look.studied, look.isBranch, look.names, table.branchError, without];
  refill(place, shown, () => look.isBranch && [
    without ? quietly(without) : resultTable(look),
    note(say("With all cards open. A branch is never counted."),
      hand.study?.noScore && ` ${say("No score: {reason}.", { reason: hand.study.noScore })}`),
    make("div", { class: "try" },
      make("p", {}, sayParts("{link} opens here, with these cards",
        { link: bold(say("Link to this branch")) })),
      make("code", {}, new URL(table.address()).search),
      keyed(table, "l", withKey(sayIn("a button", "Copy"), "l"), { class: "go" })),
    keysLine([["1–9", say("choose a card")], ["Enter", say("play it")], ["⌫", say("take back")],
      ["e", say("best play to the end")], ["Esc", say("leave the branch")]]),
  ]);
}

function resultTable({ hand: { study }, played }) {
  const before = played.study?.outcome;
  const branch = study?.values?.at(-1);
  const scores = [played.study?.score, study?.score].map((each) => each ?? null);
  const hasScores = scores.every((each) => each !== null);
  const row = (word, value, score, classes) => make("tr", { class: classes },
    make("th", { scope: "row" }, word), figure("td", value), hasScores && figure("td", signed(score)));
  const taken = (value) => (study?.need
    ? say("{points} of {need}", { points: valueText(value), need: study.need }) : valueText(value));
  const isClear = branch && before && isExact(branch) && isExact(before);
  const unit = study?.unit === "tricks" ? sayIn("a unit", "tricks") : sayIn("a unit", "points");
  return dearTable(
    [make("th", {}, say("Result for the makers")), figure("th", unit),
      hasScores && figure("th", sayIn("a unit", "score"))],
    [row(say("as played"), before ? taken(before) : "…", scores[0]),
      row(say("this branch"), branch ? taken(branch) : study?.refused ? say("no value") : "…",
        scores[1], "mine"),
      row(say("difference"), isClear && signed(branch[0] - before[0]), scores[1] - scores[0])],
  );
}
