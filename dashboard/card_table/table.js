// One card table: what it shows, where it stands, and what it listens to.

const SETTLED = 250;
/** How small the cards of a phone may get beside what they are where there is room. */
const LEAST_SCALE = 0.5;

class CardTable {
  constructor(parent) {
    this.scale = 1;
    this.tab = "steps";
    this.asked = 0;
    this.studied = 0;
    this.forgetBranch();
    this.stepWanted = null;
    this.speed = 1;
    this.timer = 0;
    this.page = location.pathname;
    this.onKey = (event) => this.press(event);
    this.writeAddress = later(SETTLED, () => this.putIntoAddress());
    this.announce = later(SETTLED, () => this.readOut());
    this.going = null;
    this.presses = 0;
    this.hush = later(4000, () => this.say(""));
    parent.append(this.build());
    document.addEventListener("keydown", this.onKey);
  }

  build() {
    const parts = placesOf("happens", "here", "scores", "felt", "findings", "result", "bar");
    this.parts = parts;
    parts.record = make("div", {
      class: "record", tabindex: 0, role: "region", "aria-label": say("All steps"),
    });
    parts.live = make("div", { class: "unseen", "aria-live": "polite" });
    parts.help = helpOf();
    parts.middle = make("div", { class: "play" }, parts.bar, parts.felt);
    parts.left = make("div", { class: "left" }, parts.scores,
      make("div", { class: "strip" }, parts.happens, parts.here), parts.middle,
      make("div", { class: "controls" }, transportOf(this, parts), settingsOf(this, parts)));
    const tabs = tabsOf(this, parts);
    parts.panels.findings.append(parts.findings);
    parts.panels.steps.append(parts.result, parts.record);
    parts.right = make("aside", { class: "right", "aria-label": say("Findings and steps") },
      tabs, Object.values(parts.panels));
    const sheet = make("div", { class: "sheet" }, parts.left, parts.right);
    parts.sheet = sheetOf(parts.right, sheet);
    this.root = make("div", { class: "card-table", lang: SPOKEN.language },
      sheet, parts.live, parts.help, parts.sheet);
    return this.root;
  }

  /** The hand looked at: as it was played, or the branch. */
  get hand() {
    return this.branch ?? this.played;
  }

  /** Takes a hand from Python; one that is shown already stays where it is. */
  receive(data, send) {
    this.send = send;
    if (this.data === data) return;
    const isSame = this.data?.hand === data.hand;
    const isFirst = !this.data;
    this.data = data;
    if (this.going?.number === data.gone?.number) this.going = null;
    if (!isSame) this.forgetBranch();
    this.played = new Hand(data);
    this.studied += 1;
    if (isFirst) this.settings = settingsIn(location.href, this.hand.seatCount);
    if (!isSame) {
      this.stop();
      this.step = data.step;
      this.settings.below %= this.hand.seatCount;
      this.tab = firstTab(this.hand, this.settings);
    }
    if (isFirst) {
      // The branch of the address is played once Python has it.
      const asked = new URL(location.href).searchParams;
      this.wanted = asked.get("try") ?? "";
      const ply = asked.get("ply") ?? "";
      this.stepWanted = this.wanted && /^\d+$/.test(ply) ? Number(ply) : null;
    }
    this.takeBranch(data.branch);
    this.step = Math.min(this.step, this.hand.last);
    this.parts.known.hidden = !this.hand.hasSecret;
    this.draw();
    this.askOn();
  }

  /** Asks for what is not there yet: values, or a branch. */
  askOn() {
    const { branch, played, wanted } = this;
    const isDue = (hand) => this.settings.study && (!hand.study || hand.study.more);
    const isWanted = wanted && branch?.text !== wanted && !this.branchError;
    if (isWanted || isDue(played) || (branch && isDue(branch))) this.ask();
  }

  /** Asks Python for the branch wanted and more, as `Asked` has it. Of two messages on their way
   * it hears the later, so that has what is due. */
  ask(more = {}) {
    if (this.going) this.send("go", this.going);
    this.asked += 1;
    this.send("ask", { hand: this.played.hand, at: this.step, branch: this.wanted, best: false,
      on: false, hidden: -1, number: this.asked, ...more });
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    this.stop();
    for (const each of [this.writeAddress, this.announce, this.hush]) each.stop();
    this.root.remove();
  }

  // --- Where it stands

  go(step) {
    const within = Math.min(Math.max(step, 0), this.hand.last);
    if (within === this.step) return;
    this.forward = within === this.step + 1;
    this.step = within;
    this.forgetCards();
    this.draw();
  }

  move(by) {
    this.stop();
    this.go(this.step + by);
  }

  toNearest(steps, by) {
    this.stop();
    this.go(this.hand.nearest(steps, this.step, by));
  }

  /** Goes to the next decision; where hands are hidden, to one of the player below. */
  toDecision(by) {
    const { hand, settings } = this;
    this.toNearest(hand.decisions.filter((step) =>
      !settings.closed || hand.frames[step].turn === settings.below), by);
  }

  /** Goes to the next of the cards that cost something, or the one before, dearest first. */
  toDearest(by) {
    this.stop();
    const dearest = dearestOf(this.look().study);
    if (!dearest.length) return;
    const here = dearest.findIndex(({ step }) => step === this.step);
    const next = here < 0 && by < 0 ? -1 : (here + by) % dearest.length;
    this.showTab("dearest");
    this.go(dearest.at(next).step);
  }

  showTab(tab) {
    this.tab = tab;
    drawTabs(this.parts, this.look());
    markStep(this.parts.record, this.step);
  }

  openSheet(tab) {
    this.showTab(tab);
    this.parts.sheet.append(this.parts.right);
    this.parts.sheet.showModal();
  }

  toggleStudy() {
    this.toggle("study");
    if (this.settings.study) {
      this.showTab("dearest");
      this.askOn();
    }
  }

  /** Asks for another hand; keys pressed before Python has answered count from where it was. */
  toHand(by) {
    this.stop();
    const from = this.going ?? { hand: this.hand.hand, by: 0 };
    this.presses += 1;
    // The time names it, too, as the page may be opened again.
    this.going = { hand: from.hand, by: from.by + by, number: `${Date.now()} ${this.presses}` };
    this.send("go", this.going);
  }

  change(settings) {
    Object.assign(this.settings, settings);
    this.forward = false;
    this.parts.live.textContent = "";
    this.draw();
  }

  toggle(setting) {
    if (setting === "known" && !this.hand.hasSecret) return;
    this.change({ [setting]: !this.settings[setting] });
  }

  flip() {
    this.change({ below: (this.settings.below + 1) % this.hand.seatCount });
  }

  // --- By itself

  toggleAutoplay() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.step === this.hand.last) this.go(0);
    this.playOn();
  }

  playOn() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.go(this.step + 1);
      if (this.step < this.hand.last) this.playOn();
      else this.stop();
    }, SPEEDS[this.speed][1]);
    this.drawPlay();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.drawPlay();
  }

  setSpeed(place) {
    this.speed = Math.min(Math.max(place, 0), SPEEDS.length - 1);
    this.parts.speed.value = this.speed;
    if (this.timer) this.playOn();
  }

  // --- What it shows

  /** Returns what is looked at: the frame, and who may see what of it. */
  look() {
    const { hand, step, settings } = this;
    const frame = hand.frames[step];
    const known = settings.known || settings.closed;
    // Values tell all cards, and what comes next.
    const showsValues = settings.study && !settings.closed && !(settings.known && frame.secret);
    return {
      table: this,
      hand, step, frame, settings,
      nameOf: (seat) => (settings.nameless ? undefined : hand.names[seat])
        ?? say("Seat {seat}", { seat }),
      played: this.played,
      isBranch: Boolean(this.branch),
      studied: this.studied,
      study: showsValues && hand.study?.values ? hand.study : null,
      isStudied: settings.study && STUDIED.includes(hand.verdict) && !hand.study?.refused,
      canTry: !settings.closed && Boolean(frame.take),
      forward: this.forward,
      names: settings.nameless,
      // Whoever hides the other hands looks at the table as the player below did.
      isHindsight: !settings.closed,
      isOpen: (seat) => !settings.closed || seat === settings.below,
      knowsTrump: (seat) => !known || !frame.secret || frame.knows === seat,
      seesDeed: (deed) => deed.seat === settings.below
        || (deed.secret ? !known : !settings.closed),
    };
  }

  draw() {
    const look = this.look();
    const { parts } = this;
    this.root.classList.toggle("branched", look.isBranch);
    this.root.classList.toggle("studied", look.isStudied);
    drawScores(parts.scores, look);
    drawHappens(parts.happens, look);
    drawFindingsHere(parts.here, look);
    drawFelt(parts.felt, look);
    drawFindings(parts.findings, look);
    drawResult(parts.result, look);
    drawRecord(parts.record, look);
    drawBar(parts.bar, look);
    drawCourse(parts.course, look);
    drawDearest(parts.panels.dearest, look);
    drawBranch(parts.panels.branch, look);
    drawTabs(parts, look);
    this.drawControls();
    this.fit();
    this.writeAddress();
    this.announce();
  }

  /** Has the table of a phone stand whole above what one steps with: without the bar of points,
   * which the course shows as well, and with smaller cards. */
  fit() {
    const { middle, transport } = this.parts;
    if (getComputedStyle(transport).position !== "sticky") return;
    const scrolled = this.root.getRootNode().host?.closest('[data-testid="stMain"]')?.scrollTop ?? 0;
    const room = innerHeight - transport.offsetHeight - scrolled;
    const isCovered = () => middle.getBoundingClientRect().bottom > room;
    if (isCovered()) this.root.classList.add("tight");
    while (this.scale > LEAST_SCALE && isCovered()) {
      this.scale -= 0.05;
      this.root.style.setProperty("--scale", this.scale);
    }
  }

  drawControls() {
    const { parts, settings, hand, step } = this;
    const part = (each) => (hand.last ? each / hand.last : 0);
    parts.range.max = hand.last;
    parts.range.value = step;
    parts.range.setAttribute("aria-valuetext", say("step {step} of {last}", { step, last: hand.last }));
    parts.now.style.setProperty("--at", part(step));
    const found = new Set(hand.findings.map((finding) => finding.step));
    found.delete(null);
    refill(parts.marks, [hand.edition], () =>
      [...found].map((each) => make("i", { style: `--at: ${part(each)}` })));
    for (const setting of ["closed", "nameless", "known"]) {
      parts[setting].setAttribute("aria-pressed", settings[setting]);
    }
    parts.speed.value = this.speed;
    parts.branching.hidden = !this.branch;
    parts.marks.hidden = settings.closed;
    parts.line.hidden = settings.closed;
    for (const end of parts.left.querySelectorAll("[data-end]")) {
      end.setAttribute("aria-disabled", step === (end.dataset.end === "0" ? 0 : hand.last));
    }
    // What is offered for copying stays, with the focus, while it is what the table shows.
    parts.offered.hidden ||= ![this.address(), hand.line].includes(parts.offered.value);
  }

  drawPlay() {
    const { play } = this.parts;
    play.title = this.timer ? sayIn("a button", "Stop") : say("Play by itself");
    play.setAttribute("aria-label", play.title);
    play.replaceChildren(iconOf(this.timer ? "pause" : "play"));
  }

  readOut() {
    const look = this.look();
    const { step, hand: { last, ending } } = look;
    const values = studyLines(look);
    const done = step === last ? ending : happensAt(look);
    const told = [...findingsHere(look).map((each) => each.text), ...(values.length ? values : done)];
    this.parts.live.textContent = [say("Step {step} of {last}.", { step, last }), look.frame.place,
      ...told.map((line) => spoken(line, look.nameOf))].join(" ");
  }

  // --- The address, and what is copied

  address() {
    const branch = this.branch?.text ?? this.wanted;
    return addressOf(location.href, this.hand.hand, this.step, this.settings, branch);
  }

  putIntoAddress() {
    // Another page may stand in the address before this one is taken away.
    if (location.pathname !== this.page) return;
    const address = this.address();
    if (address !== location.href) history.replaceState(history.state, "", address);
  }

  /** Copies text; where the browser does not let us, offers it for copying. */
  async copyText(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      const { offered } = this.parts;
      offered.hidden = false;
      offered.value = text;
      offered.select();
      this.say(say("Copy it from here"));
    }
  }

  say(words) {
    this.parts.said.textContent = words;
    if (words) this.hush();
  }

  // --- Keys

  press(event) {
    const act = actOf(event, Boolean(this.branch));
    if (!act) return;
    if (this.parts.sheet.open || (this.parts.help.open && event.key !== "?")) return;
    event.preventDefault();
    act(this);
  }

  toggleHelp() {
    const { help } = this.parts;
    if (help.open) help.close();
    else help.showModal();
  }
}

/** Returns whether what is due may be shown: not the cards of others, nor those to be drawn. */
function mayKnowDue({ frame, isHindsight, settings }) {
  if (isHindsight) return true;
  const held = cardsOf(frame.seats[frame.turn].hand);
  return frame.turn === settings.below
    && cardsOf(frame.legal).every((card) => held.includes(card));
}

/** Returns what is due at a step, and what is done, or without hindsight what was; a line each. */
function happensAt(look) {
  const { hand, frame, step } = look;
  if (step === hand.last) return hand.ending.slice(0, 1);
  const due = frame.due && (mayKnowDue(look) ? frame.due
    : say("{player} is to act.", { player: signOf(frame.turn) }));
  const deed = hand.steps[look.isHindsight ? step : step - 1];
  const told = deed && { deed: deedTold(look, deed) };
  if (!look.isHindsight) return [due, deed && say("Before: {deed}.", told)].filter(Boolean);
  return [due, say("Then {deed}.", told),
    deed.void && say("This is not carried out: the record broke off before.")].filter(Boolean);
}

function drawHappens(place, look) {
  const { hand, frame, step, isBranch } = look;
  const studied = studyLines(look);
  const move = moveAt(look);
  const cost = move?.loss > 0 ? move.loss : null;
  const at = isBranch ? say("from step {step}, {place}",
    { step: wordsOf(hand.text).start, place: frame.place })
    : say("step {step} of {last}", { step, last: hand.last });
  const played = move ? trickWords(hand, step) : frame.place;
  fillStrip(place, look, {
    kind: [isBranch ? "branch" : cost ? "costly" : "plain", studied.length && "valued"],
    title: isBranch ? sayIn("a part of the hand", "what if") : played,
    below: at,
    lines: studied.length ? studied : happensAt(look),
    cost,
  });
}

/** Fills the strip above the table: where it is, what is said of it, and a cost, written large. */
function fillStrip(place, look, { kind, title, below, lines, cost }) {
  place.parentElement.className = classesOf(["strip", ...[kind].flat()]);
  refill(place, [look.hand.edition, look.names, kind, title, below, lines], () => [
    make("p", { class: "place" }, make("b", {}, title),
      make("span", {}, sentence(below, look.nameOf))),
    // Some words are bold.
    make("div", { class: "lines" }, lines.map((line) => make("p", {},
      line.split(/<\/?b>/u).flatMap((part, at) => (at % 2
        ? make("b", {}, sentence(part, look.nameOf)) : sentence(part, look.nameOf)))))),
    cost !== null && make("b", { class: "big" }, costWord("small"), cost),
  ]);
}

/** Verdicts of hands that have values. */
const STUDIED = ["valid", "incomplete"];

/** Returns what stands beside a hand when it is opened. */
function firstTab(hand, settings) {
  if (settings.closed) return "steps";
  if (hand.findings.length) return "findings";
  return settings.study ? "dearest" : "steps";
}

Object.assign(CardTable.prototype, BRANCHING);

const tables = new WeakMap();

/** Shows a hand or a question in `parentElement`; called again with everything Python sends. */
export default function showCardTable({ parentElement, data, setTriggerValue }) {
  const tableShown = tables.get(parentElement);
  if (tableShown && SPOKEN.language !== data.spoken.language) {
    tableShown.close();
    tables.delete(parentElement);
  }
  speak(data.spoken);
  const Kind = data.question ? QuestionTable : CardTable;
  if (!tables.has(parentElement)) tables.set(parentElement, new Kind(parentElement));
  const table = tables.get(parentElement);
  table.receive(data, setTriggerValue);
  return () => {
    table.close();
    tables.delete(parentElement);
  };
}
