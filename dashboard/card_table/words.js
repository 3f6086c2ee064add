// Texts in the language of the viewer. They stand in the code in English, whole and with named
// values; Python hands over their translations by the English text.

const SPOKEN = { language: "en", texts: {}, decimal: "." };

/** Takes a language and its texts; English needs none. */
function speak({ language = "en", texts = {} }) {
  SPOKEN.language = language;
  SPOKEN.texts = texts;
  SPOKEN.decimal = language === "en" ? "." : (0.5).toLocaleString(language).charAt(1);
}

/** Returns a text as it is: it is a constant that is said elsewhere. */
function mark(text) {
  return text;
}

/** Returns a text as it is: with the same context it is said elsewhere. */
function markIn(context, text) {
  return text;
}

/** Returns a text in the language of the viewer; `values` fill its names. */
function say(text, values = {}) {
  return filled(SPOKEN.texts[text] ?? text, values);
}

/** Returns a text that means something else in another context. */
function sayIn(context, text, values = {}) {
  return filled(SPOKEN.texts[`${context}\n${text}`] ?? text, values);
}

/** Returns a text with a number, which stands in it as `{count}`. */
function sayCounted(one, many, count) {
  const [first, other] = SPOKEN.texts[one] ?? [one, many];
  return filled(count === 1 ? first : other, { count });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);
}

/** Returns a text in its parts, so that elements may be its values. */
function sayParts(text, values) {
  return (SPOKEN.texts[text] ?? text).split(/\{(\w+)\}/u)
    .map((part, place) => (place % 2 ? values[part] : part)).filter((part) => part !== "");
}

function pointsCounted(count) {
  return sayCounted("{count} point", "{count} points", count);
}

const MINUS = "−";

/** Returns a number as the language writes it. */
function numberText(number) {
  return String(number).replace(".", SPOKEN.decimal);
}

function minus(number) {
  return number < 0 ? MINUS + numberText(-number) : numberText(number);
}

/** Returns a number with its sign. */
function signed(number) {
  return (number > 0 ? "+" : "") + minus(number);
}
