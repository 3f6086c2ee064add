// The table itself: a place for each seat around the trick.

const ROLES = { dealer: mark("dealer"), maker: mark("maker"), alone: mark("alone") };

/** Draws everything on the felt at one step. `look` is what the table looks at it with. */
function drawFelt(felt, look) {
  const { hand, frame, step, settings } = look;
  felt.dataset.seats = hand.seatCount;
  felt.dataset.step = step;
  felt.toggleAttribute("data-play", frame.number > 0);
  while (felt.children.length < hand.seatCount + 1) felt.append(make("section"));
  while (felt.children.length > hand.seatCount + 1) felt.lastChild.remove();
  frame.seats.forEach((seat, place) => drawSeat(felt.children[place], look, seat, place));
  const centre = felt.children[hand.seatCount];
  centre.className = "centre";
  centre.setAttribute("aria-label", say("On the table"));
  const shown = [frame.trick, frame.won, frame.number, frame.stock, settings, look.names,
    frame.kitty, frame.under, frame.shown, frame.buried, hand.edition];
  refill(centre, shown, () => centreOf(look));
}

function placeClass(look, seat) {
  const { hand, settings } = look;
  return `s${(seat - settings.below + hand.seatCount) % hand.seatCount}`;
}

function drawSeat(section, look, seat, place) {
  const { hand, frame, step } = look;
  const deed = hand.steps[step];
  const isTurn = frame.turn === place;
  const acts = look.isHindsight && deed?.seat === place ? deed : null;
  section.className = ["seat", placeClass(look, place), isTurn && "turn", seat.out && "gone"]
    .filter(Boolean).join(" ");
  section.setAttribute("aria-label", look.nameOf(place));
  const open = look.isOpen(place);
  const studied = isTurn && [look.studied, look.study && step, look.canTry, look.settings.study,
    look.table.pick, look.table.gathered];
  const shown = [seat, open, isTurn && frame.legal, acts, look.names, look.knowsTrump(place),
    hand.edition, studied];
  refill(section, shown, () => [
    seatHead(look, seat, place, { open, isTurn }),
    holdingOf(look, seat, place, { open, isTurn, acts }),
  ]);
}

function seatHead(look, seat, place, { open, isTurn }) {
  const roles = seat.roles.map((role) => make("span", { class: `tag role ${role}` }, say(ROLES[role])));
  const tags = seat.tags.map((tag) => make("span", { class: "tag" }, tag));
  const words = say("Seat {player} below", { player: look.nameOf(place) });
  const name = make("bdi", {}, look.nameOf(place));
  return make("header", {},
    look.question ? make("b", { class: "name" }, name) : make("button", {
      class: "name", type: "button", title: words, "aria-label": `${look.nameOf(place)}: ${words}`,
      onclick: () => look.table.change({ below: place }),
    }, name),
    roles, isTurn && !look.question?.open && make("span", { class: "tag acts" }, look.question ? say("your turn")
      : look.isBranch ? say("your choice") : say("to act")),
    tags, isTurn && askButton(look), laidOff(seat, open));
}

/** Returns how many cards of a seat have room for a chip on one line under each. */
function roomFor(look, place) {
  const seats = look.hand.seatCount;
  const at = placeClass(look, place);
  return (at === "s0" && seats < 7) || (at === "s2" && seats === 4) ? 8 : 5;
}

/** Returns the way to have the trump shown without having to, with what that is worth at the best. */
function askButton(look) {
  if (!look.canTry || !look.frame.ask) return null;
  const worth = worthOf(choicesAt(look), null, true);
  return make("button", {
    class: "asking", type: "button", onclick: () => look.table.tryWord("ask"),
  }, say("Have the trump shown"), look.study && worth && chipOf(look, worth));
}

/** Returns a card of the seat to act, as a button where it may be played in a branch. */
function cardToPlay(look, card, marks) {
  const worth = look.study ? worthOf(choicesAt(look), card) : null;
  const isLegal = marks.includes("legal");
  const isAlone = choicesAt(look).length === 1;
  const all = [...marks, worth?.cost === 0 && !isAlone && "kept"].filter(Boolean);
  const shown = face(card, all);
  const chip = isLegal && !isAlone && chipOf(look, worth);
  if (!look.canTry || !isLegal) return make("span", { class: "one" }, shown, chip, answerTags(look, card));
  const words = [cardWords(card), ...marks.filter((name) => name !== "legal").map(markWords),
    worth && worthWords(look.study, worth), look.question ? say("choose it") : say("play it in a branch")];
  return make("button", {
    class: "one", type: "button", "aria-label": words.filter(Boolean).join(", "),
    onclick: () => look.table.tryCard(card),
  }, shown, chip, keyOf(look, card));
}

function holdingOf(look, seat, place, { open, isTurn, acts }) {
  const held = cardsOf(seat.hand);
  const cards = look.knowsTrump(place) ? held : look.hand.sortedPlainly(held);
  const legal = new Set(isTurn ? cardsOf(look.frame.legal) : []);
  const chosen = new Set(acts ? cardsOf(acts.chosen) : []);
  const marksOf = (card) => [
    legal.has(card) && "legal",
    chosen.has(card) && "chosen",
    chosen.has(card) && acts.wrong && !legal.has(card) && "illegal",
  ].filter(Boolean);
  const own = isTurn && look.frame.take;
  const picked = own && look.isBranch ? pickable(look)[look.table.pick]?.card : undefined;
  const faceOf = (card) => {
    const marks = marksOf(card);
    if (card === picked || (own && look.table.gathered.includes(card))) marks.push("picked");
    return own ? cardToPlay(look, card, marks) : face(card, marks);
  };
  const faces = open ? cards.map(faceOf) : cards.map(() => back(say("a card face down")));
  for (let unknown = 0; unknown < seat.unknown; unknown += 1) faces.push(face("?"));
  // Cards that may be robbed lie in the stock: then no card held is one to choose from.
  const choice = open && held.some((card) => legal.has(card)) && "choice";
  if (!faces.length) return make("p", { class: "none" }, say("no cards"));
  const classes = ["holding", choice && "choice", own && open && "playing", faces.length > roomFor(look, place) && "many"];
  return make("div", { class: classes.filter(Boolean).join(" ") }, fan(faces, say("holds")));
}

function laidOff(seat, open) {
  const cards = cardsOf(seat.off);
  if (!cards.length) return null;
  const shown = new Set(cardsOf(seat.up));
  const faces = cards.map((card) => (open || shown.has(card) ? face(card) : back(sayIn("a card", "laid off"))));
  return make("div", { class: "off" },
    make("span", {}, say("laid off {count}", { count: cards.length })),
    fan(faces, sayIn("a card", "laid off")));
}

function centreOf(look) {
  const { hand, frame } = look;
  const winner = frame.won ? frame.won[0] : null;
  const plays = frame.trick.map(([seat, card], place) => {
    const isNew = place === frame.trick.length - 1 && look.forward;
    const classes = [placeClass(look, seat), isNew && "new"].filter(Boolean).join(" ");
    return make("li", { class: classes, "aria-label": look.nameOf(seat) },
      face(card, seat === winner ? ["winner"] : []));
  });
  const lines = [];
  if (frame.number) lines.push(make("b", {}, say("Trick {number}", { number: frame.number })));
  if (frame.won) {
    const points = pointsCounted(frame.won[1]);
    lines.push(make("span", {},
      sentence(say("{player} takes {points}", { player: signOf(winner), points }), look.nameOf)));
  }
  if (frame.stock) {
    lines.push(make("span", { class: "stock" }, 
      sayCounted("{count} card in the stock", "{count} cards in the stock", frame.stock)));
  }
  return [
    make("ol", { class: "trick", "data-seats": hand.seatCount, "aria-label": say("The trick") }, plays),
    make("p", { class: "told" }, lines),
    make("div", { class: "piles" }, pilesOf(look)),
  ];
}

function pilesOf(look) {
  const { frame } = look;
  const piles = [
    [say("The kitty"), frame.kitty, !look.settings.closed],
    [say("Under the pile"), frame.under, look.knowsTrump(look.settings.below)],
    [say("Shown, left in the stock"), frame.shown, true],
    [say("Buried"), frame.buried, true],
  ];
  return piles.filter(([, cards]) => cards).map(([title, list, open]) => {
    const cards = cardsOf(list);
    const faces = cards.map((card) => (open ? face(card) : back(say("a card face down"))));
    return make("div", { class: "pile" }, make("span", {}, title), fan(faces, title));
  });
}
