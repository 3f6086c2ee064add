// Cards, and sentences with cards and names in them.

const GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT_OF = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const SUIT_WORDS = { S: mark("spades"), H: mark("hearts"), D: mark("diamonds"), C: mark("clubs") };
const RANK_WORDS = {
  2: mark("two"), 3: mark("three"), 4: mark("four"), 5: mark("five"), 6: mark("six"),
  7: mark("seven"), 8: mark("eight"), 9: mark("nine"), T: mark("ten"), J: mark("jack"),
  Q: mark("queen"), K: mark("king"), A: mark("ace"),
};
// After a suit it keeps systems from drawing a coloured picture instead.
const AS_TEXT = "\ufe0e";
const FIRST_SIGN = 0xe000;
const IN_SENTENCES = /([\ue000-\ue006])|(?<![0-9A-Za-z])(10|[2-9AKQJ])([♠♥♦♣])|([♠♥♦♣])/gu;

function cardsOf(list) {
  return list ? list.split(" ") : [];
}

function cardWords(card) {
  if (card === "JO") return say("the joker");
  if (card === "?") return say("a card not recorded");
  if (card === "*") return say("a hidden card");
  const [rank, suit] = card;
  return say("{rank} of {suit}", { rank: say(RANK_WORDS[rank]), suit: say(SUIT_WORDS[suit]) });
}

const MARK_WORDS = {
  legal: markIn("a card", "legal"), chosen: markIn("a card", "chosen"), illegal: markIn("a card", "illegal"), picked: markIn("a card", "picked"),
  kept: markIn("a card", "kept"), winner: markIn("a card", "winner"),
};

/** Returns what a mark on a card is called. */
function markWords(name) {
  return sayIn("a card", MARK_WORDS[name]);
}

/** Returns a card face up; marks are such as "legal", which are its classes as well. */
function face(card, marks = []) {
  const words = [cardWords(card), ...marks.map(markWords)].join(", ");
  const named = { role: "img", "aria-label": words, title: words };
  if (card === "?" || card === "*") return back(words, marks);
  const classes = ["card", ...marks];
  if (card === "JO") {
    return make("span", { class: [...classes, "N"].join(" "), ...named },
      make("b", {}, "★"), make("i", {}, "★"));
  }
  const rank = card[0] === "T" ? "10" : card[0];
  const glyph = GLYPHS[card[1]] + AS_TEXT;
  return make("span", { class: [...classes, card[1]].join(" "), ...named },
    make("b", { class: rank === "10" ? "ten" : null }, rank, make("em", {}, glyph)), make("i", {}, glyph));
}

/** Returns a card face down. */
function back(words, marks = []) {
  return make("span", {
    class: ["card", "back", ...marks].join(" "), role: "img", "aria-label": words, title: words,
  });
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
  return make("span", { class: `pip ${suit}`, role: "img", "aria-label": words, title: words },
    text + AS_TEXT);
}

function trumpPip([sign, words]) {
  const suit = SUIT_OF[sign[0]] ?? "N";
  return make("span", { class: `pip ${suit}`, role: "img", "aria-label": words, title: words },
    suit === "N" ? sign : sign[0] + AS_TEXT + sign.slice(1));
}

/** Returns a sentence with names for their signs and cards in the colours of their suits. */
function sentence(text, nameOf) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(IN_SENTENCES)) {
    parts.push(text.slice(from, match.index));
    const [whole, sign, rank, suitOfCard, suitAlone] = match;
    if (sign) parts.push(make("bdi", {}, nameOf(sign.codePointAt(0) - FIRST_SIGN)));
    else {
      const suit = SUIT_OF[suitOfCard ?? suitAlone];
      const words = rank ? cardWords((rank === "10" ? "T" : rank) + suit) : say(SUIT_WORDS[suit]);
      parts.push(pip(whole, suit, words));
    }
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== "");
}

/** Returns a sentence for being read out. */
function spoken(text, nameOf) {
  return text.replace(IN_SENTENCES, (whole, sign, rank, suitOfCard, suitAlone) => {
    if (sign) return nameOf(sign.codePointAt(0) - FIRST_SIGN);
    const suit = SUIT_OF[suitOfCard ?? suitAlone];
    return rank ? cardWords((rank === "10" ? "T" : rank) + suit) : say(SUIT_WORDS[suit]);
  });
}
