// Cards, and sentences with cards and names in them.

const GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT_OF = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const SUIT_WORDS = { S: mark("spades"), H: mark("hearts"), D: mark("diamonds"), C: mark("clubs") };
const RANK_WORDS = {
  2: mark("two"), 3: mark("three"), 4: mark("four"), 5: mark("five"), 6: mark("six"),
  7: mark("seven"), 8: mark("eight"), 9: mark("nine"), T: mark("ten"), J: mark("jack"),
  Q: mark("queen"), K: mark("king"), A: mark("ace"),
};
const MARK_WORDS = {
  legal: markIn("a card", "legal"), chosen: markIn("a card", "chosen"),
  illegal: markIn("a card", "illegal"), picked: markIn("a card", "picked"),
  kept: markIn("a card", "kept"), winner: markIn("a card", "winner"),
};
// After a suit it keeps systems from drawing a coloured picture instead.
const AS_TEXT = "\ufe0e";
const FIRST_SIGN = 0xe000;
const IN_SENTENCES = /([\ue000-\ue006])|(?<![0-9A-Za-z])(10|[2-9AKQJ])([♠♥♦♣])|([♠♥♦♣])/gu;

function cardsOf(list) {
  return list ? list.split(" ") : [];
}

function rankText(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** Returns a card as sentences write it. */
function cardText(card) {
  return card === "JO" ? say("the joker") : rankText(card) + GLYPHS[card[1]];
}

function cardWords(card) {
  if (card === "JO") return say("the joker");
  if (card === "?") return say("a card not recorded");
  if (card === "*") return say("a hidden card");
  const [rank, suit] = card;
  return say("{rank} of {suit}", { rank: say(RANK_WORDS[rank]), suit: say(SUIT_WORDS[suit]) });
}

/** Returns what a mark on a card is called. */
function markWords(name) {
  return sayIn("a card", MARK_WORDS[name]);
}

/** Returns a picture made of text, with the words for it. */
function pictured(classes, words, ...children) {
  return make("span", { class: classes, role: "img", "aria-label": words, title: words },
    ...children);
}

/** Returns a card face up; marks are such as "legal", which are its classes as well. */
function face(card, marks = []) {
  const words = [cardWords(card), ...marks.map(markWords)].join(", ");
  if (card === "?" || card === "*") return back(words, marks);
  if (card === "JO") {
    return pictured(["card", ...marks, "N"], words, make("b", {}, "★"), make("i", {}, "★"));
  }
  const glyph = GLYPHS[card[1]] + AS_TEXT;
  return pictured(["card", ...marks, card[1]], words,
    make("b", { class: card[0] === "T" && "ten" }, rankText(card), make("em", {}, glyph)),
    make("i", {}, glyph));
}

/** Returns a card face down. */
function back(words, marks = []) {
  return pictured(["card", "back", ...marks], words);
}

/** Returns cards side by side, one over the other where there is no room, in rows of 13. */
function fan(faces, label) {
  const rows = [];
  const perRow = faces.length > 13 ? Math.ceil(faces.length / 2) : 13;
  for (let start = 0; start < faces.length; start += perRow) {
    const row = faces.slice(start, start + perRow).map((each) => make("li", {}, each));
    rows.push(make("ul", { class: "fan", "aria-label": label }, row));
  }
  return rows;
}

/** Returns a suit or a card within a line of text. */
function pip(text, suit, words) {
  return pictured(["pip", suit], words, text + AS_TEXT);
}

function trumpPip([sign, words]) {
  const suit = SUIT_OF[sign[0]];
  return pictured(["pip", suit ?? "N"], words, suit ? sign[0] + AS_TEXT + sign.slice(1) : sign);
}

/** Returns the parts of a sentence: what `named` makes of a seat, and `shown` of a card. */
function partsOf(text, named, shown) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(IN_SENTENCES)) {
    const [whole, sign, rank, suitOfCard, suitAlone] = match;
    const suit = SUIT_OF[suitOfCard ?? suitAlone];
    parts.push(text.slice(from, match.index), sign ? named(sign.codePointAt(0) - FIRST_SIGN)
      : shown(whole, suit, rank ? cardWords(whole.replace("10", "T")[0] + suit)
        : say(SUIT_WORDS[suit])));
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** Returns a sentence with names for their signs and cards in the colours of their suits. */
function sentence(text, nameOf) {
  return partsOf(text, (seat) => make("bdi", {}, nameOf(seat)), pip);
}

/** Returns a sentence for being read out. */
function spoken(text, nameOf) {
  return partsOf(text, nameOf, (whole, suit, words) => words).join("");
}
