// What one steps with: keys, buttons, and the page of help that lists them.

const ICONS = {
  first: "M6 5v14M19 5l-10 7 10 7z",
  trickBack: "M12 5l-8 7 8 7zM20 5l-8 7 8 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  forward: "M8 5l9 7-9 7z",
  trickForward: "M4 5l8 7-8 7zM12 5l8 7-8 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
};

/** Returns a picture within 24 by 24. */
function iconOf(name) {
  const picture = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  picture.append(draw("path", { d: ICONS[name] }));
  return picture;
}

const SPEEDS = [
  [markIn("a speed", "slow"), 2000], [markIn("a speed", "steady"), 1000],
  [markIn("a speed", "fast"), 400], [markIn("a speed", "very fast"), 150],
];

/** What the keys do: key, what it is called in the help, what is done. */
const KEYS = [
  [["ArrowRight", "j"], mark("→ or j"), mark("next step"), (table) => table.move(1)],
  [["ArrowLeft", "k"], mark("← or k"), mark("previous step"), (table) => table.move(-1)],
  [["Home"], "Home", mark("the deal"), (table) => table.go(0)],
  [["End"], "End", mark("the end"), (table) => table.go(table.hand.last)],
  [["n"], "n", mark("next decision: a step at which something else could have been done"),
    (table) => table.toDecision(1)],
  [["p"], "p", mark("previous decision"), (table) => table.toDecision(-1)],
  [["Shift+ArrowRight"], "Shift →", mark("next trick, or part of the hand"),
    (table) => table.toNearest(table.hand.trickStarts, 1)],
  [["Shift+ArrowLeft"], "Shift ←", mark("previous trick, or part of the hand"),
    (table) => table.toNearest(table.hand.trickStarts, -1)],
  [["Shift+J"], "Shift J", mark("next hand"), (table) => table.toHand(1)],
  [["Shift+K"], "Shift K", mark("previous hand"), (table) => table.toHand(-1)],
  [[" "], mark("Space"), mark("play by itself, or stop"), (table) => table.toggleAutoplay()],
  [["+"], "+", mark("faster"), (table) => table.setSpeed(table.speed + 1)],
  [["-"], "−", mark("slower"), (table) => table.setSpeed(table.speed - 1)],
  [["f"], "f", mark("flip: the next player sits below"), (table) => table.flip()],
  [["h"], "h", mark("hide the other hands, or show them"), (table) => table.toggle("closed")],
  [["m"], "m", mark("hide the names, or show them"), (table) => table.toggle("nameless")],
  [["t"], "t", mark("a hidden trump as the player below knew it, or open"),
    (table) => table.toggle("known")],
  [["s"], "s", mark("study: values with all cards open, or none"), (table) => table.toggleStudy()],
  [["d"], "d", mark("next dearest card"), (table) => table.toDearest(1)],
  [["Shift+D"], "Shift D", mark("the dearest card before"), (table) => table.toDearest(-1)],
  [["w"], "w", mark("what if: play on from here in another way, in a branch"),
    (table) => table.enterBranch()],
  [["l"], "l", mark("copy the link to this step"),
    (table) => table.copyText(table.address(), say("Link copied"))],
  [["i"], "i", mark("save a picture of the table as it stands"),
    (table) => savePicture(table.parts, `${table.hand.hand}-${table.step}`)],
  [["?"], "?", mark("this list"), (table) => table.toggleHelp()],
];
/** What the keys do in a branch alone. */
const BRANCH_KEYS = [
  [["1", "2", "3", "4", "5", "6", "7", "8", "9"], mark("1 to 9"), mark("choose a card"),
    (table, key) => table.choose(Number(key) - 1)],
  [["Enter"], "Enter", mark("play the card chosen"), (table) => table.playChosen()],
  [["Backspace"], "Backspace", mark("take the last card back"), (table) => table.takeBack()],
  [["e"], "e", mark("best play to the end"),
    (table) => table.askForBranch(table.branchHere(), true)],
  [["Escape"], "Esc", mark("leave the branch"), (table) => table.leaveBranch()],
];
const actsOf = (rows) =>
  new Map(rows.flatMap(([keys, , , act]) => keys.map((key) => [key, act])));
const ACTS = actsOf(KEYS);
const BRANCH_ACTS = actsOf(BRANCH_KEYS);

/** Returns what a key press stands for, nothing where somebody types or another wants the key. */
function actOf(event, inBranch) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const [target] = event.composedPath();
  if (target instanceof Element) {
    if (target.isContentEditable) return undefined;
    if (target.matches("textarea, select, input:not([type=range])")) return undefined;
    if ([" ", "Enter"].includes(event.key) && target.closest("button, summary, a")) {
      return undefined;
    }
  }
  const shifted = event.shiftKey && /^(Arrow|[A-Z]$)/u.test(event.key);
  const key = shifted ? `Shift+${event.key}` : event.key;
  const act = ACTS.get(key) ?? (inBranch ? BRANCH_ACTS.get(key) : undefined);
  return act && ((table) => act(table, key));
}

/** Returns a button that does what a key does. */
function keyed(table, key, content, attributes = {}) {
  const act = ACTS.get(key) ?? BRANCH_ACTS.get(key);
  return make("button", { onclick: () => act(table), ...attributes }, content);
}

function groupOf(label, classes, ...children) {
  return make("div", { class: classes, role: "group", "aria-label": label }, ...children);
}

/** Returns the bar to step with; `parts` gets the elements that change. */
function transportOf(table, parts) {
  parts.range = make("input", {
    type: "range", min: 0, "aria-label": say("Step"),
    oninput: () => table.go(Number(parts.range.value)),
  });
  parts.marks = make("div", { class: "marks", "aria-hidden": "true" });
  parts.course = make("div", { class: "course", "aria-hidden": "true" });
  parts.now = make("i", { class: "now", "aria-hidden": "true" });
  const step = (key, icon, label, end) => keyed(table, key, iconOf(icon),
    { title: label, "aria-label": label, "data-end": end });
  parts.play = step(" ", "play", say("Play by itself"));
  const open = (act, text) => make("button", { onclick: act }, text);
  parts.dearestSheet = open(() =>
    table.openSheet(table.settings.study ? "dearest" : "findings"));
  parts.transport = groupOf(say("Steps"), "transport",
    make("div", { class: "track" }, parts.course, parts.now, parts.range, parts.marks),
    make("div", { class: "buttons" },
      step("Home", "first", say("First step"), "0"),
      step("Shift+ArrowLeft", "trickBack", say("Previous trick"), "0"),
      step("ArrowLeft", "back", say("Previous step"), "0"),
      parts.play,
      step("ArrowRight", "forward", say("Next step"), "last"),
      step("Shift+ArrowRight", "trickForward", say("Next trick"), "last"),
      step("End", "last", say("Last step"), "last")),
    make("div", { class: "sheets" }, parts.dearestSheet, keyed(table, "w", say("What if?")),
      open(() => table.openSheet("steps"), say("Steps"))));
  return parts.transport;
}

/** Returns the settings, and what leads from the hand to others. */
function settingsOf(table, parts) {
  parts.closed = keyed(table, "h", say("Hide other hands"));
  parts.nameless = keyed(table, "m", say("Hide names"));
  parts.known = keyed(table, "t", say("Trump as known"));
  parts.speed = make("select", {
    "aria-label": say("Speed"), onchange: () => table.setSpeed(Number(parts.speed.value)),
  }, SPEEDS.map(([word], place) => make("option", { value: place }, sayIn("a speed", word))));
  parts.line = make("button", {
    onclick: () => table.copyText(table.hand.line, say("Log line copied")),
  }, say("Copy line"));
  parts.offered = make("input", {
    class: "offered", readonly: true, hidden: true, "aria-label": say("To be copied"),
  });
  parts.said = make("span", { class: "said", role: "status" });
  const titled = (key, title, text) => keyed(table, key, text, { title });
  parts.branching = groupOf(say("Branch"), "group branching",
    keyed(table, "Backspace", withKey(say("Take back"), "⌫")),
    keyed(table, "e", withKey(say("Best play to the end"), "e"), { class: "go" }),
    keyed(table, "Escape", withKey(say("Back to what was played"), "Esc")));
  return make("div", { class: "settings" }, parts.branching,
    groupOf(say("Decisions and hands"), "group stepping",
      titled("p", "p", say("Previous decision")), titled("n", "n", say("Next decision")),
      titled("Shift+K", "Shift K", say("Previous hand")),
      titled("Shift+J", "Shift J", say("Next hand"))),
    groupOf(sayIn("what is seen", "View"), "group", titled("f", "f", say("Flip")),
      parts.closed, parts.nameless, parts.known,
      make("label", {}, `${say("Speed")} `, parts.speed)),
    groupOf(sayIn("a group of buttons", "Share"), "group", titled("l", "l", say("Copy link")),
      parts.line, titled("i", "i", say("Save picture")), titled("?", "?", say("Keys")),
      parts.said, parts.offered));
}

/** Returns the help: a dialog that lists the keys. */
function helpOf() {
  const listed = (rows) => make("dl", {}, rows.flatMap(([, name, does]) =>
    [make("dt", {}, kbd(say(name))), make("dd", {}, say(does))]));
  const help = make("dialog", { class: "help", "aria-label": say("Keys") },
    make("h2", {}, say("Keys")), listed(KEYS), make("h2", {}, say("In a branch")),
    listed(BRANCH_KEYS),
    make("p", { class: "none" }, `${say("A click on a name seats that player below.")} `,
      say("A click on anything in the list beside the table leads to its step.")),
    make("button", { onclick: () => help.close() }, sayIn("a button", "Close")));
  return help;
}
