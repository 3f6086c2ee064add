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

function placeClass({ hand, settings }, seat) {
  return `s${(seat - settings.below + hand.seatCount) % hand.seatCount}`;
}

function drawSeat(section, look, seat, place) {
  const { hand, frame, step } = look;
  const deed = hand.steps[step];
  const isTurn = frame.turn === place;
  const acts = look.isHindsight && deed?.seat === place ? deed : null;
  section.className = classesOf(["seat", placeClass(look, place), isTurn && "turn", seat.out && "gone"]);
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
  const { question } = look;
  const tag = (text, ...classes) => make("span", { class: ["tag", ...classes] }, text);
  const name = make("bdi", {}, look.nameOf(place));
  const words = say("Seat {player} below", { player: look.nameOf(place) });
  const due = question ? say("your turn") : look.isBranch ? say("your choice") : say("to act");
  return make("header", {},
    question ? make("b", { class: "name" }, name) : make("button", {
      class: "name", title: words, "aria-label": `${look.nameOf(place)}: ${words}`,
      onclick: () => look.table.change({ below: place }),
    }, name),
    seat.roles.map((role) => tag(say(ROLES[role]), "role", role)),
    isTurn && !question?.open && tag(due, "acts"), seat.tags.map((text) => tag(text)),
    isTurn && askButton(look), laidOff(seat, open));
}

/** Returns the way to have the trump shown without having to, with what that is worth at the best. */
function askButton(look) {
  if (!look.canTry || !look.frame.ask) return null;
  const worth = worthOf(choicesAt(look), null, true);
  return make("button", { class: "asking", onclick: () => look.table.tryWord("ask") },
    say("Have the trump shown"), worth && chipOf(look, worth));
}

/** Returns a card of the seat to act, as a button where it may be played in a branch. */
function cardToPlay(look, card, marks) {
  const { question } = look;
  const choices = choicesAt(look);
  const worth = worthOf(choices, card);
  const isLegal = marks.includes("legal");
  const isOnly = choices.length === 1;
  const shown = face(card, worth?.cost === 0 && !isOnly ? [...marks, "kept"] : marks);
  const chip = isLegal && !isOnly && chipOf(look, worth);
  if (!look.canTry || !isLegal) {
    return make("span", { class: "one" }, shown, chip, question?.tagged && answerTags(question, card));
  }
  const words = [cardWords(card), ...marks.filter((name) => name !== "legal").map(markWords),
    worth && worthWords(look.study, worth), question ? say("choose it") : say("play it in a branch")];
  return make("button", {
    class: "one", "aria-label": words.filter(Boolean).join(", "),
    onclick: () => look.table.tryCard(card),
  }, shown, chip, question && keyOf(look, card));
}

function holdingOf(look, seat, place, { open, isTurn, acts }) {
  const held = cardsOf(seat.hand);
  const cards = look.knowsTrump(place) ? held : look.hand.sortedPlainly(held);
  const legal = new Set(isTurn ? cardsOf(look.frame.legal) : []);
  const chosen = new Set(cardsOf(acts?.chosen));
  const own = isTurn && look.frame.take;
  const picked = own && look.isBranch ? pickable(look)[look.table.pick]?.card : undefined;
  const faceOf = (card) => {
    const marks = [
      legal.has(card) && "legal",
      chosen.has(card) && "chosen",
      chosen.has(card) && acts.wrong && !legal.has(card) && "illegal",
      (card === picked || (own && look.table.gathered.includes(card))) && "picked",
    ].filter(Boolean);
    return own ? cardToPlay(look, card, marks) : face(card, marks);
  };
  const faces = open ? cards.map(faceOf) : cards.map(() => back(say("a card face down")));
  for (let unknown = 0; unknown < seat.unknown; unknown += 1) faces.push(face("?"));
  if (!faces.length) return make("p", { class: "none" }, say("no cards"));
  // Cards that may be robbed lie in the stock: then no card held is one to choose from.
  const choice = open && held.some((card) => legal.has(card));
  // How many have room for a chip on one line under each.
  const { hand: { seatCount } } = look;
  const at = placeClass(look, place);
  const room = (at === "s0" && seatCount < 7) || (at === "s2" && seatCount === 4) ? 8 : 5;
  return make("div", {
    class: ["holding", choice && "choice", own && open && "playing", faces.length > room && "many"],
  }, fan(faces, say("holds")));
}

function laidOff(seat, open) {
  const cards = cardsOf(seat.off);
  if (!cards.length) return null;
  const shown = new Set(cardsOf(seat.up));
  const words = sayIn("a card", "laid off");
  return make("div", { class: "off" },
    make("span", {}, say("laid off {count}", { count: cards.length })),
    fan(cards.map((card) => (open || shown.has(card) ? face(card) : back(words))), words));
}

function centreOf(look) {
  const { hand, frame, settings } = look;
  const { number, won, stock } = frame;
  const plays = frame.trick.map(([seat, card], place) => make("li", {
    class: [placeClass(look, seat), place === frame.trick.length - 1 && look.forward && "new"],
    "aria-label": look.nameOf(seat),
  }, face(card, seat === won?.[0] ? ["winner"] : [])));
  const piles = [
    [say("The kitty"), frame.kitty, !settings.closed],
    [say("Under the pile"), frame.under, look.knowsTrump(settings.below)],
    [say("Shown, left in the stock"), frame.shown, true],
    [say("Buried"), frame.buried, true],
  ];
  const pileOf = ([title, list, open]) => make("div", { class: "pile" }, make("span", {}, title),
    fan(cardsOf(list).map((card) => (open ? face(card) : back(say("a card face down")))), title));
  return [
    make("ol", { class: "trick", "data-seats": hand.seatCount, "aria-label": say("The trick") }, plays),
    make("p", { class: "told" },
      number > 0 && make("b", {}, say("Trick {number}", { number })),
      won && make("span", {}, sentence(say("{player} takes {points}",
        { player: signOf(won[0]), points: pointsCounted(won[1]) }), look.nameOf)),
      stock > 0 && make("span", { class: "stock" },
        sayCounted("{count} card in the stock", "{count} cards in the stock", stock))),
    make("div", { class: "piles" }, piles.filter(([, cards]) => cards).map(pileOf)),
  ];
}
