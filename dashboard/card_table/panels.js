// Beside the table: tabs with the dearest cards, the branch, the steps and the findings.

const TABS = [["dearest", "Dearest"], ["branch", "Branch"], ["steps", "Steps"], ["findings", "Findings"]];

/** Returns the tabs; `parts` gets one panel for each, of which one is seen. */
function tabsOf(table, parts) {
  parts.tabs = {};
  parts.panels = {};
  const tabs = TABS.map(([name, word]) => {
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
    type: "button", class: "study", "aria-pressed": "true", title: "Study: values with all cards open",
    onclick: () => table.toggleStudy(),
  }, "Study ", make("kbd", {}, "s"));
  return make("div", { class: "tabs" },
    make("div", { class: "seg", role: "tablist", "aria-label": "Beside the table" }, tabs),
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
    class: "up", "aria-label": "Beside the table",
    onclose: () => home.append(right),
    onclick: (event) => {
      if (event.target === sheet || event.target.closest("[data-step], .try button")) sheet.close();
    },
  });
  sheet.append(make("button", { type: "button", class: "shut-sheet", onclick: () => sheet.close() },
    "Close"));
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
  for (const [name, word] of TABS) {
    const count = counts[name] ?? null;
    const isOpen = name === table.tab;
    parts.tabs[name].textContent = count === null ? word : `${word} ${count}`;
    parts.tabs[name].setAttribute("aria-selected", isOpen);
    parts.tabs[name].tabIndex = isOpen ? 0 : -1;
    parts.panels[name].classList.toggle("shut", !isOpen);
  }
  parts.study.setAttribute("aria-pressed", settings.study);
  parts.dearestSheet.textContent = settings.study ? parts.tabs.dearest.textContent : "Findings";
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
      ? "First values in a moment." : "No card cost anything with all cards open.");
  }
  return make("table", { class: "dear" },
    make("thead", {}, make("tr", {}, make("th", {}, unseen("Rank")), make("th", {}, "card"),
      make("th", { class: "num" }, "cost, cards open"), make("th", { class: "num" }, "cost, hidden"),
      make("th", { class: "num" }, "where they lay"))),
    make("tbody", {}, dearest.map((move, place) => make("tr", { "data-step": move.step },
      make("td", { class: "quiet" }, place + 1),
      make("td", {}, make("button", {
        type: "button", class: "row", onclick: () => look.table.go(move.step),
      }, make("b", {}, make("bdi", {}, look.nameOf(move.seat))), " ",
      move.kind === "silence" ? "no king and queen"
        : cardsOf(move.cards).slice(0, 3).map((card) => smallCard(card)),
      " ", make("span", { class: "quiet" }, [trickWords(look.hand, move.step), move.what]
        .filter(Boolean).join(", ")))),
      make("td", { class: "num cost" }, String(move.loss),
        move.score > 0 && make("span", { class: "under" }, `score ${move.score}`)),
      hiddenCells(look, move)))));
}

/** Returns what a card cost by what its player knew, and what was luck of where the cards lay. */
function hiddenCells(look, move) {
  const graded = look.study.hidden[move.step];
  const name = cardsOf(move.cards).map(cardWords).join(" and ");
  if (!graded) {
    return make("td", { class: "num", colspan: 2 }, move.kind !== "silence" && make("button", {
      type: "button", class: "work", "aria-label": `Work out ${name} with cards hidden`,
      onclick: (event) => {
        event.stopPropagation();
        look.table.grade(move.step);
      },
    }, "work out"));
  }
  if (graded.refused) return make("td", { class: "quiet", colspan: 2 }, graded.refused);
  return [
    make("td", { class: "num", title: `over ${graded.worlds} deals` }, minus(graded.judged),
      make("span", { class: "under" }, `±${graded.reach}`)),
    make("td", { class: "num quiet" }, `${graded.luck > 0 ? "+" : ""}${minus(graded.luck)}`),
  ];
}

function smallCard(card) {
  return card === "JO" ? "joker" : pip(cardText(card), card[1], cardWords(card));
}

function trickWords(hand, step) {
  const group = hand.groups.findLast((each) => each.first <= step);
  return group ? group.title.toLowerCase() : "";
}

/** Returns what the figures mean, beside the first of them. */
function meaningOf(look) {
  const { study } = look;
  const lines = [make("p", { class: "note" }, make("b", {}, "Open"),
    ": best play of all when everybody sees every card. Nobody at the table does. ",
    make("b", {}, "Hidden"), ": in the mean over deals that fit what the player knew. The rest is ",
    "where the cards lay.")];
  if (study.singles) {
    lines.push(make("p", { class: "note" }, make("b", {}, "Maker against the rest."),
      ` The ${look.hand.seatCount - 1} others play together here, more than they do at a table.`));
  }
  if (study.unit === "tricks") {
    lines.push(make("p", { class: "note" }, "A hand alone is valued in tricks."));
  }
  if (study.vague) {
    lines.push(make("p", { class: "note limits" }, make("b", {}, "Some values are limits. "),
      "The first cards of this hand are too many to go through at once. ",
      make("button", { type: "button", onclick: () => look.table.searchOn() }, "Search on")));
  }
  return lines;
}

function tryBox(look) {
  const isPlayed = look.table.hand.groups.some(({ title }) => title.startsWith("Trick"));
  if (look.isBranch || !look.isHindsight || !isPlayed) return null;
  const names = look.frame.take && look.frame.turn !== null
    ? ["Tap another card of ", make("bdi", {}, look.nameOf(look.frame.turn)), " and play on"]
    : ["Tap another card at any step of the play and play on"];
  return make("div", { class: "try" },
    make("p", {}, make("b", {}, "What if? "), ...names, ". It is never counted."),
    make("button", { type: "button", class: "go", onclick: () => look.table.enterBranch() },
      "Try another card ", make("kbd", {}, "w")));
}

function keyLine() {
  const keys = [["← →", "step"], ["n p", "decision"], ["d", "next dearest"], ["w", "what if"],
    ["s", "study off"], ["?", "all keys"]];
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
    make("p", { class: "note" }, "With all cards open. A branch is never counted.",
      hand.study?.noScore && ` No score: ${hand.study.noScore}.`),
    make("div", { class: "try" },
      make("p", {}, make("b", {}, "Link to this branch "), "opens here, with these cards"),
      make("code", {}, table.branchLink()),
      make("button", { type: "button", class: "go", onclick: () => table.copyLink() },
        "Copy ", make("kbd", {}, "l"))),
    make("p", { class: "keys" }, [["1–9", "choose a card"], ["Enter", "play it"],
      ["⌫", "take back"], ["e", "best play to the end"], ["Esc", "leave the branch"]]
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
  const of = hand.study?.need ? ` of ${hand.study.need}` : "";
  const both = branch && before && isExact(branch) && isExact(before);
  const change = both ? branch[0] - before[0] : null;
  return make("table", { class: "dear" },
    make("thead", {}, make("tr", {}, make("th", {}, "Result for the makers"),
      make("th", { class: "num" }, hand.study?.unit ?? "points"),
      hasScores && make("th", { class: "num" }, "score"))),
    make("tbody", {},
      row("as played", before ? valueText(before) + of : "…", hasScores && signed(scores[0])),
      row("this branch", branch ? valueText(branch) + of : branchWithout(hand),
        hasScores && signed(scores[1]), "mine"),
      row("difference", change === null ? "" : signed(change),
        hasScores && signed(scores[1] - scores[0]))));
}

function branchWithout(hand) {
  return hand.study?.refused ? "no value" : "…";
}
