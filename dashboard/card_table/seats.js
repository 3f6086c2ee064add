// The table itself: a place for each seat around the trick.

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
  centre.setAttribute("aria-label", "On the table");
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
  const roles = seat.roles.map((role) => make("span", { class: `tag role ${role}` }, role));
  const tags = seat.tags.map((tag) => make("span", { class: "tag" }, tag));
  const words = `Seat ${look.nameOf(place)} below`;
  return make("header", {},
    make("button", {
      class: "name", type: "button", title: words, "aria-label": `${look.nameOf(place)}: ${words}`,
      onclick: () => look.table.change({ below: place }),
    }, make("bdi", {}, look.nameOf(place))),
    roles, isTurn && make("span", { class: "tag acts" }, look.isBranch ? "your choice" : "to act"),
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
  }, "Have the trump shown", look.study && worth && chipOf(look, worth));
}

/** Returns a card of the seat to act, as a button where it may be played in a branch. */
function cardToPlay(look, card, marks) {
  const worth = look.study ? worthOf(choicesAt(look), card) : null;
  const isLegal = marks.includes("legal");
  const isAlone = choicesAt(look).length === 1;
  const all = [...marks, worth?.cost === 0 && !isAlone && "kept"].filter(Boolean);
  const shown = face(card, all);
  const chip = isLegal && !isAlone && chipOf(look, worth);
  if (!look.canTry || !isLegal) return make("span", { class: "one" }, shown, chip);
  const words = [cardWords(card), ...marks.filter((mark) => mark !== "legal"),
    worth && worthWords(look.study, worth), "play it in a branch"];
  return make("button", {
    class: "one", type: "button", "aria-label": words.filter(Boolean).join(", "),
    onclick: () => look.table.tryCard(card),
  }, shown, chip);
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
  const faces = open ? cards.map(faceOf) : cards.map(() => back("a card face down"));
  for (let unknown = 0; unknown < seat.unknown; unknown += 1) faces.push(face("?"));
  // Cards that may be robbed lie in the stock: then no card held is one to choose from.
  const choice = open && held.some((card) => legal.has(card)) && "choice";
  if (!faces.length) return make("p", { class: "none" }, "no cards");
  const classes = ["holding", choice && "choice", own && open && "playing", faces.length > roomFor(look, place) && "many"];
  return make("div", { class: classes.filter(Boolean).join(" ") }, fan(faces, "holds"));
}

function laidOff(seat, open) {
  const cards = cardsOf(seat.off);
  if (!cards.length) return null;
  const shown = new Set(cardsOf(seat.up));
  const faces = cards.map((card) => (open || shown.has(card) ? face(card) : back("laid off")));
  return make("div", { class: "off" },
    make("span", {}, `laid off ${cards.length}`), fan(faces, "laid off"));
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
  if (frame.number) lines.push(make("b", {}, `Trick ${frame.number}`));
  if (frame.won) {
    lines.push(make("span", {},
      make("bdi", {}, look.nameOf(winner)), ` takes ${counted(frame.won[1], "point")}`));
  }
  if (frame.stock) {
    lines.push(make("span", { class: "stock" }, `${counted(frame.stock, "card")} in the stock`));
  }
  return [
    make("ol", { class: "trick", "data-seats": hand.seatCount, "aria-label": "The trick" }, plays),
    make("p", { class: "told" }, lines),
    make("div", { class: "piles" }, pilesOf(look)),
  ];
}

function pilesOf(look) {
  const { frame } = look;
  const piles = [
    ["The kitty", frame.kitty, !look.settings.closed],
    ["Under the pile", frame.under, look.knowsTrump(look.settings.below)],
    ["Shown, left in the stock", frame.shown, true],
    ["Buried", frame.buried, true],
  ];
  return piles.filter(([, cards]) => cards).map(([title, list, open]) => {
    const cards = cardsOf(list);
    const faces = cards.map((card) => (open ? face(card) : back("a card face down")));
    return make("div", { class: "pile" }, make("span", {}, title), fan(faces, title));
  });
}
