// Beside the table: tabs with the dearest cards, the branch, the steps and the findings.

const TABS = [["dearest", mark("Dearest")], ["branch", mark("Branch")], ["steps", mark("Steps")],
  ["findings", mark("Findings")]];

/** Returns the tabs; `parts` gets one panel for each, of which one is seen. */
function tabsOf(table, parts) {
  parts.tabs = {};
  parts.panels = {};
  const tabs = TABS.map(([name, text]) => {
    const word = say(text);
    const panel = make("div", {
      class: `panel ${name}-panel`, role: "tabpanel", id: `tl-panel-${name}`, "aria-label": word,
    });
    parts.panels[name] = panel;
    parts.tabs[name] = make("button", {
      type: "button", role: "tab", "aria-controls": `tl-panel-${name}`,
      onclick: () => table.showTab(name), onkeydown: (event) => moveAmongTabs(table, event),
    }, word);
    return parts.tabs[name];
  });
  parts.study = make("button", {
    type: "button", class: "study", "aria-pressed": "true", 
    title: say("Study: values with all cards open"),
    onclick: () => table.toggleStudy(),
  }, `${say("Study")} `, make("kbd", {}, "s"));
  return make("div", { class: "tabs" },
    make("div", { class: "seg", role: "tablist", "aria-label": say("Beside the table") }, tabs),
    parts.study);
}

function moveAmongTabs(table, event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const seenTabs = TABS.map(([name]) => name).filter((name) => !table.parts.tabs[name].hidden);
  const next = seenTabs[(seenTabs.indexOf(table.tab) + by + seenTabs.length) % seenTabs.length];
  table.showTab(next);
  table.parts.tabs[next].focus();
}

/** Returns the sheet that comes up from below on phones, with what stands beside the table. */
function sheetOf(right, home) {
  const sheet = make("dialog", {
    class: "up", "aria-label": say("Beside the table"),
    onclose: () => home.append(right),
    onclick: (event) => {
      if (event.target === sheet || event.target.closest("[data-step], .try button")) sheet.close();
    },
  });
  sheet.append(make("button", { type: "button", class: "shut-sheet", onclick: () => sheet.close() },
    sayIn("a button", "Close")));
  return sheet;
}

/** Draws which tabs there are and which one is open. */
function drawTabs(parts, look) {
  const { settings, hand, table } = look;
  parts.tabs.dearest.hidden = !settings.study;
  parts.tabs.branch.hidden = !look.isBranch;
  parts.tabs.findings.hidden = look.isBranch;
  if (parts.tabs[table.tab].hidden) table.tab = settings.study ? "dearest" : "steps";
  const counts = {
    dearest: look.study ? dearestOf(look.study).length : null,
    findings: look.isHindsight ? hand.findings.length : null,
  };
  for (const [name, text] of TABS) {
    const word = say(text);
    const count = counts[name] ?? null;
    const isOpen = name === table.tab;
    parts.tabs[name].textContent = count === null ? word : `${word} ${count}`;
    parts.tabs[name].setAttribute("aria-selected", isOpen);
    parts.tabs[name].tabIndex = isOpen ? 0 : -1;
    parts.panels[name].classList.toggle("shut", !isOpen);
  }
  parts.study.setAttribute("aria-pressed", settings.study);
  parts.dearestSheet.textContent = settings.study ? parts.tabs.dearest.textContent : say("Findings");
}

/** Draws the cards that cost the most, and the way into a branch. */
function drawDearest(place, look) {
  const { study, hand } = look;
  const shown = [hand.edition, look.studied, Boolean(study), look.names, whyWithout(look),
    look.frame.take, look.frame.turn, look.isBranch, look.isHindsight];
  refill(place, shown, () => [
    study ? dearestTable(look) : make("p", { class: "none" }, whyWithout(look)),
    study && meaningOf(look), keyLine(), tryBox(look),
  ].flat());
  for (const row of place.querySelectorAll("tr[data-step]")) {
    row.classList.toggle("on", Number(row.dataset.step) === look.step);
  }
}

function dearestTable(look) {
  const dearest = dearestOf(look.study);
  if (!dearest.length) {
    return make("p", { class: "none" }, look.study.more
      ? say("First values in a moment.") : say("No card cost anything with all cards open."));
  }
  return make("table", { class: "dear" },
    make("thead", {}, make("tr", {}, make("th", {}, unseen(sayIn("a place in a list", "Rank"))),
      make("th", {}, say("card")),
      make("th", { class: "num" }, say("cost, cards open")),
      make("th", { class: "num" }, say("cost, hidden")),
      make("th", { class: "num" }, say("where they lay")))),
    make("tbody", {}, dearest.map((move, place) => make("tr", { "data-step": move.step },
      make("td", { class: "quiet" }, place + 1),
      make("td", {}, make("button", {
        type: "button", class: "row", onclick: () => look.table.go(move.step),
      }, make("b", {}, make("bdi", {}, look.nameOf(move.seat))), " ",
      move.kind === "silence" ? say("no king and queen")
        : cardsOf(move.cards).slice(0, 3).map((card) => smallCard(card)),
      " ", make("span", { class: "quiet" }, [trickWords(look.hand, move.step), move.what]
        .filter(Boolean).join(", ")))),
      make("td", { class: "num cost" }, String(move.loss),
        move.score > 0 && make("span", { class: "under" }, say("score {score}", { score: move.score }))),
      hiddenCells(look, move)))));
}

/** Returns what a card cost by what its player knew, and what was luck of where the cards lay. */
function hiddenCells(look, move) {
  const graded = look.study.hidden[move.step];
  const name = cardsOf(move.cards).map(cardWords).join(` ${sayIn("between two cards", "and")} `);
  if (!graded) {
    return make("td", { class: "num", colspan: 2 }, move.kind !== "silence" && make("button", {
      type: "button", class: "work", "aria-label": say("Work out {cards} with cards hidden", { cards: name }),
      onclick: (event) => {
        event.stopPropagation();
        look.table.grade(move.step);
      },
    }, say("work out")));
  }
  if (graded.refused) return make("td", { class: "quiet", colspan: 2 }, graded.refused);
  return [
    make("td", { class: "num", title: say("over {count} deals", { count: graded.worlds }) }, minus(graded.judged),
      make("span", { class: "under" }, `±${numberText(graded.reach)}`)),
    make("td", { class: "num quiet" }, `${graded.luck > 0 ? "+" : ""}${minus(graded.luck)}`),
  ];
}

function smallCard(card) {
  return card === "JO" ? sayIn("a card", "joker") : pip(cardText(card), card[1], cardWords(card));
}

function trickWords(hand, step) {
  const group = hand.groups.findLast((each) => each.first <= step);
  return group ? group.part : "";
}

/** Returns what the figures mean, beside the first of them. */
function meaningOf(look) {
  const { study } = look;
  const lines = [make("p", { class: "note" }, ...sayParts(
    "{open}: best play of all when everybody sees every card. Nobody at the table does.",
    { open: make("b", {}, sayIn("cards", "Open")) },
  ), " ", ...sayParts(
    "{hidden}: in the mean over deals that fit what the player knew. The rest is where the cards lay.",
    { hidden: make("b", {}, sayIn("cards", "Hidden")) },
  ))];
  if (study.singles) {
    lines.push(make("p", { class: "note" }, make("b", {}, say("Maker against the rest.")), " ",
      say("The {count} others play together here, more than they do at a table.",
        { count: look.hand.seatCount - 1 })));
  }
  if (study.unit === "tricks") {
    lines.push(make("p", { class: "note" }, say("A hand alone is valued in tricks.")));
  }
  if (study.vague) {
    lines.push(make("p", { class: "note limits" }, make("b", {}, `${say("Some values are limits.")} `),
      `${say("The first cards of this hand are too many to go through at once.")} `,
      make("button", { type: "button", onclick: () => look.table.searchOn() },
        say("Search on"))));
  }
  return lines;
}

function tryBox(look) {
  const isPlayed = look.table.hand.groups.some(({ number }) => number > 0);
  if (look.isBranch || !look.isHindsight || !isPlayed) return null;
  const told = look.frame.take && look.frame.turn !== null
    ? sentence(say("Tap another card of {player} and play on. It is never counted.",
      { player: signOf(look.frame.turn) }), look.nameOf)
    : [say("Tap another card at any step of the play and play on. It is never counted.")];
  return make("div", { class: "try" },
    make("p", {}, make("b", {}, `${say("What if?")} `), ...told),
    make("button", { type: "button", class: "go", onclick: () => look.table.enterBranch() },
      `${say("Try another card")} `, make("kbd", {}, "w")));
}

function keyLine() {
  const keys = [["← →", sayIn("a key", "step")], ["n p", sayIn("a key", "decision")],
    ["d", sayIn("a key", "next dearest")], ["w", sayIn("a key", "what if")],
    ["s", sayIn("a key", "study off")], ["?", sayIn("a key", "all keys")]];
  return make("p", { class: "keys" }, keys.map(([key, word]) =>
    make("span", {}, make("kbd", {}, key), ` ${word}`)));
}

// --- The branch

/** Draws what comes of the branch beside what came of the hand, and the link to it. */
function drawBranch(place, look) {
  const { hand, played, table } = look;
  const without = look.isHindsight ? "" : whyWithout(look);
  const shown = [hand.edition, look.studied, look.isBranch, look.names, table.branchError, without];
  refill(place, shown, () => look.isBranch && [
    without ? make("p", { class: "none" }, without) : resultTable(look),
    make("p", { class: "note" }, say("With all cards open. A branch is never counted."),
      hand.study?.noScore && ` ${say("No score: {reason}.", { reason: hand.study.noScore })}`),
    make("div", { class: "try" },
      make("p", {}, ...sayParts("{link} opens here, with these cards",
        { link: make("b", {}, say("Link to this branch")) })),
      make("code", {}, table.branchLink()),
      make("button", { type: "button", class: "go", onclick: () => table.copyLink() },
        `${sayIn("a button", "Copy")} `, make("kbd", {}, "l"))),
    make("p", { class: "keys" }, [["1–9", say("choose a card")], ["Enter", say("play it")],
      ["⌫", say("take back")], ["e", say("best play to the end")], ["Esc", say("leave the branch")]]
      .map(([key, word]) => make("span", {}, make("kbd", {}, key), ` ${word}`))),
  ]);
  return played;
}

function resultTable(look) {
  const { hand, played } = look;
  const branch = hand.study?.values?.at(-1) ?? null;
  const before = played.study?.outcome ?? null;
  const scores = [played.study?.score, hand.study?.score].map((each) => each ?? null);
  const hasScores = scores.every((each) => each !== null);
  const row = (word, value, score, classes) => make("tr", { class: classes },
    make("th", { scope: "row" }, word), make("td", { class: "num" }, value),
    hasScores && make("td", { class: "num" }, score));
  const signed = (number) => `${number > 0 ? "+" : ""}${minus(number)}`;
  const need = hand.study?.need;
  const taken = (value) => (need ? say("{points} of {need}", { points: valueText(value), need })
    : valueText(value));
  const both = branch && before && isExact(branch) && isExact(before);
  const change = both ? branch[0] - before[0] : null;
  return make("table", { class: "dear" },
    make("thead", {}, make("tr", {}, make("th", {}, say("Result for the makers")),
      make("th", { class: "num" }, unitWord(hand.study)),
      hasScores && make("th", { class: "num" }, sayIn("a unit", "score")))),
    make("tbody", {},
      row(say("as played"), before ? taken(before) : "…", hasScores && signed(scores[0])),
      row(say("this branch"), branch ? taken(branch) : branchWithout(hand),
        hasScores && signed(scores[1]), "mine"),
      row(say("difference"), change === null ? "" : signed(change),
        hasScores && signed(scores[1] - scores[0]))));
}

function branchWithout(hand) {
  return hand.study?.refused ? say("no value") : "…";
}

/** Returns what values are in, as a heading. */
function unitWord(study) {
  return study?.unit === "tricks" ? sayIn("a unit", "tricks") : sayIn("a unit", "points");
}
