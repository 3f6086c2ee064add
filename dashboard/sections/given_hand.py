"""Bid or pass with cards that a viewer names: what the field made of such cards."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import streamlit as st

from tricklog.dashboard.address import parameters
from tricklog.dashboard.kit.choices import choose_in_box
from tricklog.dashboard.kit.tables import show_table
from tricklog.dashboard.text.escaping import as_html, as_markdown, sentence_html
from tricklog.ingest.metrics import field as fields
from tricklog.ingest.metrics.field.decisions import FEWEST_OF_EACH
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS
from tricklog.schemas.cards import (
    JOKER,
    RANKS,
    SUIT_GLYPHS,
    SUITS,
    mask_of,
    names_in,
    parse_card,
    pretty_card,
    pretty_cards,
)
from tricklog.schemas.languages.messages import (
    mark,
    message,
    message_counted,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import localised, number
from tricklog.schemas.render import trump_words
from tricklog.schemas.words import cards_counted

HELD: Final = "hand-held"
PLACE: Final = "hand-place"
HOLDER: Final = "hand-holder"
LEAST: Final = "hand-least"
"""Parameters and keys: the cards, the place after the dealer, who holds the bid, the least bid."""
HOLDERS: Final = {
    "nobody": mark("nobody"),
    "partner": mark("the partner"),
    "others": mark("an opponent"),
}
_PLACES: Final = (
    mark("the dealer"),
    mark("first after the dealer"),
    mark("second after the dealer"),
    mark("third after the dealer"),
    mark("fourth after the dealer"),
    mark("fifth after the dealer"),
    mark("sixth after the dealer"),
    mark("seventh after the dealer"),
    mark("eighth after the dealer"),
)
_MOST_NAMED: Final = 6
_LONGEST: Final = 12
"""Letters of a word that is no card."""


# --- Reading cards


class Read(NamedTuple):
    """The cards that a text names."""

    cards: tuple[int, ...]
    """In the order written, those written twice too."""
    unknown: tuple[str, ...]
    """Words that are no cards."""


_PLAIN: Final = str.maketrans(
    dict(zip(SUIT_GLYPHS + "♤♡♢♧", SUITS * 2, strict=True))
    # What makes a glyph text or a picture.
    | dict.fromkeys("\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}", "")
)
_WORD: Final = re.compile(r"[^\W_]+|\?+|\*+")
_JOKER_WORDS: Final = ("JO", "JOKER")
_SUIT_FIRST: Final = re.compile(rf"([{SUITS}])([{RANKS}]+)")
_RANK_FIRST: Final = re.compile(rf"([{RANKS}]+)([{SUITS}])")


def read_cards(text: str) -> Read:
    """Return the cards that a text names, written as people do, with anything between them.

    A card is rank and suit in either order, in large or small letters or with the glyph of the
    suit, the ten ``10`` or ``T``: ``Ah``, ``♥A``, ``10h``; ``JO`` or ``joker`` is the joker. Cards
    may stand without a space, and several ranks before or after one suit: ``♥AKJ5``, ``AKJ5h``.
    """
    cards: list[int] = []
    unknown: list[str] = []
    for word in _WORD.findall(text.translate(_PLAIN)):
        found = _cards_of(word.upper().replace("10", "T"))
        cards += found
        if not found:
            unknown.append(word)
    return Read(tuple(cards), tuple(unknown))


def _cards_of(word: str) -> list[int]:
    if word in _JOKER_WORDS:
        return [JOKER]
    for form, suit, ranks in ((_SUIT_FIRST, 1, 2), (_RANK_FIRST, 2, 1)):
        if re.fullmatch(f"(?:{form.pattern})+", word):
            return [
                parse_card(rank + match[suit])
                for match in form.finditer(word)
                for rank in match[ranks]
            ]
    return []


def problems_of(read: Read, pack: int, packet: int) -> list[str]:
    """Return all that is wrong with cards as a hand of ``packet`` cards of a pack, a sentence each.

    ``pack`` is a set of cards.
    """
    told = []
    if read.unknown:
        words = dict.fromkeys(
            f"“{each if len(each) <= _LONGEST else f'{each[:_LONGEST]}…'}”" for each in read.unknown
        )
        told.append(
            say(
                "No card: {words}. Write rank and suit, as in Ah, 10♠ or 5D.",
                words=_listed(list(words)),
            )
        )
    counts = Counter(read.cards)
    if twice := [pretty_card(card) for card in counts if counts[card] > 1]:
        told.append(say("More than once: {cards}.", cards=_listed(twice)))
    if others := [pretty_card(card) for card in counts if not pack >> card & 1]:
        told.append(say("Not in the pack of this game: {cards}.", cards=_listed(others)))
    if len(counts) != packet:
        told.append(
            say(
                "{cards}: a hand of this game has {packet} before the auction is over.",
                cards=cards_counted(len(counts)),
                packet=packet,
            )
        )
    return told


def _listed(words: Sequence[str]) -> str:
    more = len(words) - _MOST_NAMED
    named = ", ".join(words[:_MOST_NAMED])
    return say("{words} and {count} more", words=named, count=more) if more > 0 else named


# --- The form


def take_parameters() -> None:
    """Say that the page knows the parameters, though it may have no form for them."""
    parameters.knows(HELD, PLACE, HOLDER, LEAST)


def show_given_hand(guide: fields.Guide) -> None:
    """Let the viewer name a hand, and show what the field made of such cards."""
    held = _ask(guide)
    if held is None:
        return
    found = fields.given_hand(guide, held)
    suit, decision = SUITS.index(found.suit), found.decision
    cards = sentence_html(pretty_cards(mask_of([parse_card(each) for each in held.cards.split()])))
    bid, chance = found.chances[0]
    best = say(
        "Best in {suit}, about {points} points: a bid of {bid} is made {chance}.",
        suit=f"{trump_words(suit)} {SUIT_GLYPHS[suit]}",
        points=number(found.expected, 1),
        bid=bid,
        chance=chance_words(chance),
    )
    told = as_html(_decision_words(decision))
    st.html(f'<p class="tl-lead"><b>{best}</b> {told}<br>{cards}</p>')
    left, right = st.columns(2, gap="large")
    with left:
        rows = []
        for words, group in groupby(found.chances, key=lambda each: chance_words(each[1])):
            bids = [str(each) for each, _ in group]
            several = say("{low} to {high}", low=bids[0], high=bids[-1])
            rows.append((several if len(bids) > 1 else bids[0], words))
        heads = [say_in("what was called", "bid"), say("such cards make it")]
        show_table(heads, rows, name=say("Chance to make each bid"))
        st.caption(say("Nobody here chose to bid more than {bid}.", bid=found.chances[-1][0]))
    if decision is not None:
        with right:
            _show_decision(held, found, decision)
    st.caption(
        say(
            "This is what others did and what came of it, with cards worth about the same and at "
            "all scores of a game; it is no search for the best call, and those who bid may be "
            "other people than those who passed. Chances are of hands that were bid, and off by a "
            "tenth or so. Scores are what a hand added to the side’s score, less what it added to "
            "the others’; 95 % intervals."
        )
    )


def _ask(guide: fields.Guide) -> fields.Held | None:
    """Return the hand that is named; say what is wrong with it, or that none is."""
    places = [*range(1, guide.seats), 0]
    holders = guide.holders or ("nobody",)
    if guide.example is not None:
        st.button(
            f":blue[{say('An example')}]",
            type="tertiary",
            key="hand-example",
            on_click=_fill,
            args=(guide.example,),
            help=say("A hand that somebody held in these games."),
        )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = st.text_input(
            say("Your {count} cards", count=guide.packet),
            key=parameters.typed(HELD),
            placeholder="Ah Kh Jh 5d 10♠ …",
            width=400,
        )
        place = choose_in_box(
            say("You are"), PLACE, places, lambda each: translated(_PLACES[each]), width=220
        )
        holder = choose_in_box(
            say("Who holds the bid now"),
            HOLDER,
            holders,
            lambda each: translated(HOLDERS[each]),
            width=180,
        )
        least = st.number_input(
            say("Lowest bid you may make"),
            min_value=float(guide.least),
            max_value=float(guide.most),
            step=1.0,
            format="%.0f",
            key=parameters.number(LEAST, guide.least, guide.most, default=guide.least),
            width=180,
        )
    if not text.strip():
        st.caption(say("Name the cards of a hand to see what others made of such cards."))
        return None
    read = read_cards(text)
    problems = problems_of(read, guide.pack, guide.packet)
    if problems:
        st.warning("  \n".join(map(as_markdown, problems)))
        return None
    # The field shows the least bid without a fraction.
    return fields.Held(names_in(mask_of([*read.cards])), place, holder, math.floor(least + 0.5))


def _fill(example: fields.Held) -> None:
    parameters.put(HELD, example.cards)
    parameters.put(PLACE, str(example.from_dealer))
    parameters.put(HOLDER, example.holder)
    parameters.put(LEAST, str(example.least))


# --- The answer


def chance_words(chance: float) -> str:
    """Return a chance in steps of a tenth in words."""
    tenths = round(chance * 10)
    words = {0: message("hardly ever"), 1: message("once in 10"), 10: message("nearly always")}
    return str(words.get(tenths, message("{count} times in 10", count=tenths)))


def _decision_words(row: dict[str, Any] | None) -> str:
    if row is None:
        return say("Nobody has had to call with such cards and the bid there.")
    if row["enough"]:
        return say(
            "Those who bid with cards worth this scored {bid} a hand, those who passed {passed}: "
            "{better}.",
            bid=_interval(row, "bid"),
            passed=_interval(row, "pass"),
            better=better_words(row),
        )
    bids, passes = row["bids"], row["passes"]
    counts = message(
        "{bids} bid and {passes} passed with cards worth this", bids=bids, passes=passes
    )
    if not passes:
        reason = say_counted(
            "Nobody passes these: {count} bid and no pass",
            "Nobody passes these: {count} bids and no pass",
            bids,
        )
    elif not bids:
        reason = say(
            "Nobody bids these: no bid, and passed {passes} of {passes} times", passes=passes
        )
    elif min(bids, passes) < FEWEST_OF_EACH:
        reason = say("{counts}, and it takes {least} of each", counts=counts, least=FEWEST_OF_EACH)
    else:
        reason = say(
            "{counts} in {games}, and it takes {least} games",
            counts=counts,
            games=message_counted("{count} game", "{count} games", row["games"]),
            least=FEWEST_GAMES_OF_AMOUNTS,
        )
    return say("{reason}, so the two cannot be compared.", reason=reason)


def better_words(row: dict[str, Any]) -> str:
    """Return who did better at a decision with enough of both, if that can be told."""
    if row["low"] > 0:
        return say("those who bid did better")
    if row["high"] < 0:
        return say("those who passed did better")
    return say("cannot tell yet")


def _interval(row: dict[str, Any], name: str) -> str:
    if row["low"] is None:
        return say("not compared")
    keys = (name, "low", "high")
    if name != "difference":
        keys = (f"{name}_score", f"{name}_low", f"{name}_high")
    value, low, high = (_signed(row[each]) for each in keys)
    return say("{mean} ({low} to {high})", mean=value, low=low, high=high)


def _signed(value: float) -> str:
    return localised(f"{value:+z.1f}").replace("-", "−")


def _show_decision(held: fields.Held, found: fields.GivenHand, row: dict[str, Any]) -> None:
    st.caption(
        say(
            "Cards worth {margin} against the lowest bid, while {holder} held the bid: tenth "
            "{tenth} of 10 of all calls, which are worth {mean} there on the average.",
            margin=_signed(found.margin),
            holder=translated(HOLDERS[held.holder]),
            tenth=found.tenth,
            mean=_signed(row["margin"]),
        )
    )
    bids, passes, nobody = row["bids"], row["passes"], say("nobody passes these")
    show_table(
        [say("they"), "n", say("score a hand")],
        [
            (say_in("people who", "bid"), bids, _interval(row, "bid")),
            (say_in("people who", "passed"), passes or nobody, _interval(row, "pass")),
            (say("bid, less passed"), bids + passes, _interval(row, "difference")),
        ],
        name=say("Bid or pass with this hand"),
    )
