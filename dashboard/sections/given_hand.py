"""Bid or pass with cards that a viewer names: what the field made of such cards."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import streamlit as st

from tricklog.dashboard.address import asked
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
_AFTER: Final = (
    mark("first after the dealer"),
    mark("second after the dealer"),
    mark("third after the dealer"),
    mark("fourth after the dealer"),
    mark("fifth after the dealer"),
    mark("sixth after the dealer"),
    mark("seventh after the dealer"),
    mark("eighth after the dealer"),
)
_DEALER: Final = mark("the dealer")
_NUMBER: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
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
    """Return the cards of a word; none if a part of it is no card."""
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
            each if len(each) <= _LONGEST else f"{each[:_LONGEST]}…" for each in read.unknown
        )
        told.append(
            say(
                "No card: {words}. Write rank and suit, as in Ah, 10♠ or 5D.",
                words=_listed([f"“{each}”" for each in words]),
            )
        )
    if twice := [card for card, count in Counter(read.cards).items() if count > 1]:
        told.append(say("More than once: {cards}.", cards=_listed(list(map(pretty_card, twice)))))
    if others := [card for card in dict.fromkeys(read.cards) if not pack >> card & 1]:
        cards = _listed(list(map(pretty_card, others)))
        told.append(say("Not in the pack of this game: {cards}.", cards=cards))
    count = len(set(read.cards))
    if count != packet:
        told.append(
            say(
                "{cards}: a hand of this game has {packet} before the auction is over.",
                cards=cards_counted(count),
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
    asked.takes(HELD, PLACE, HOLDER, LEAST)


def show_given_hand(guide: fields.Guide) -> None:
    """Let the viewer name a hand, and show what the field made of such cards."""
    held = _ask(guide)
    if held is None:
        return
    found = fields.given_hand(guide, held)
    st.html(f'<p class="tl-lead">{_answer_html(held, found)}</p>')
    left, right = st.columns(2, gap="large")
    with left:
        _show_chances(found)
    with right:
        _show_decision(held, found)
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
    places = _place_words(guide.seats)
    holders = [HOLDERS[each] for each in guide.holders] or [HOLDERS["nobody"]]
    asked.allows(PLACE, map(translated, places))
    asked.allows(HOLDER, map(translated, holders))
    asked.allows_if(LEAST, lambda text: _is_bid(text, guide.least, guide.most))
    _forget_others(guide, places, holders)
    if guide.example is not None:
        st.button(
            f":blue[{say('An example')}]",
            type="tertiary",
            key="hand-example",
            on_click=_fill,
            args=(guide.example, places),
            help=say("A hand that somebody held in these games."),
        )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = st.text_input(
            say("Your {count} cards", count=guide.packet),
            key=HELD,
            bind="query-params",
            placeholder="Ah Kh Jh 5d 10♠ …",
            width=400,
        )
        place = st.selectbox(
            say("You are"),
            places,
            format_func=translated,
            key=PLACE,
            bind="query-params",
            width=220,
        )
        holder = st.selectbox(
            say("Who holds the bid now"),
            holders,
            format_func=translated,
            key=HOLDER,
            bind="query-params",
            width=180,
        )
        least = st.number_input(
            say("Lowest bid you may make"),
            # As for the ranges of the filters.
            min_value=float(guide.least),
            max_value=float(guide.most),
            step=1.0,
            format="%.0f",
            key=LEAST,
            bind="query-params",
            width=180,
        )
    if not (text or "").strip():
        st.caption(say("Name the cards of a hand to see what others made of such cards."))
        return None
    read = read_cards(text or "")
    problems = problems_of(read, guide.pack, guide.packet)
    if problems:
        st.warning("  \n".join(map(as_markdown, problems)))
        return None
    by_words = {words: name for name, words in HOLDERS.items()}
    return fields.Held(
        names_in(mask_of([*read.cards])),
        _from_dealer(places, place or places[0]),
        by_words[holder or holders[0]],
        # As the box shows it.
        math.floor(least + 0.5),
    )


def _place_words(seats: int) -> list[str]:
    """Return what seats are called, in the direction of play, the dealer's last."""
    return [*_AFTER[: seats - 1], _DEALER]


def _is_bid(text: str, least: int, most: int) -> bool:
    """Return whether an address may have a number as the least bid; the box writes ``31.0``."""
    return bool(_NUMBER.fullmatch(text)) and least <= float(text) <= most


def _from_dealer(places: list[str], place: str) -> int:
    return (places.index(place) + 1) % len(places)


def _forget_others(guide: fields.Guide, places: list[str], holders: list[str]) -> None:
    """Forget what another game has and this one has not."""
    for key, options in ((PLACE, places), (HOLDER, holders)):
        if st.session_state.get(key, options[0]) not in options:
            del st.session_state[key]
    if not guide.least <= st.session_state.get(LEAST, guide.least) <= guide.most:
        del st.session_state[LEAST]


def _fill(example: fields.Held, places: list[str]) -> None:
    st.session_state[HELD] = example.cards
    st.session_state[PLACE] = places[example.from_dealer - 1]
    st.session_state[HOLDER] = HOLDERS[example.holder]
    st.session_state[LEAST] = float(example.least)


# --- The answer


def _answer_html(held: fields.Held, found: fields.GivenHand) -> str:
    suit = SUITS.index(found.suit)
    cards = sentence_html(pretty_cards(mask_of([parse_card(each) for each in held.cards.split()])))
    bid, chance = found.chances[0]
    best = say(
        "Best in {suit}, about {points} points: a bid of {bid} is made {chance}.",
        suit=f"{trump_words(suit)} {SUIT_GLYPHS[suit]}",
        points=number(found.expected, 1),
        bid=bid,
        chance=chance_words(chance),
    )
    return f"<b>{best}</b> {as_html(_decision_words(found.decision))}<br>{cards}"


def chance_words(chance: float) -> str:
    """Return a chance in steps of a tenth in words."""
    tenths = round(chance * 10)
    words = {0: message("hardly ever"), 1: message("once in 10"), 10: message("nearly always")}
    return str(words.get(tenths, message("{count} times in 10", count=tenths)))


def _decision_words(row: dict[str, Any] | None) -> str:
    """Return what those who bid and those who passed came to, in sentences."""
    if row is None:
        return say("Nobody has had to call with such cards and the bid there.")
    if not row["enough"]:
        return say("{reason}, so the two cannot be compared.", reason=_few_words(row))
    return say(
        "Those who bid with cards worth this scored {bid} a hand, those who passed {passed}: "
        "{better}.",
        bid=_interval(row, "bid"),
        passed=_interval(row, "pass"),
        better=better_words(row),
    )


def _few_words(row: dict[str, Any]) -> str:
    if not row["passes"]:
        return say_counted(
            "Nobody passes these: {count} bid and no pass",
            "Nobody passes these: {count} bids and no pass",
            row["bids"],
        )
    if not row["bids"]:
        passes = row["passes"]
        return say(
            "Nobody bids these: no bid, and passed {passes} of {passes} times", passes=passes
        )
    counts = message(
        "{bids} bid and {passes} passed with cards worth this",
        bids=row["bids"],
        passes=row["passes"],
    )
    if min(row["bids"], row["passes"]) < FEWEST_OF_EACH:
        return say("{counts}, and it takes {least} of each", counts=counts, least=FEWEST_OF_EACH)
    games = message_counted("{count} game", "{count} games", row["games"])
    return say(
        "{counts} in {games}, and it takes {least} games",
        counts=counts,
        games=games,
        least=FEWEST_GAMES_OF_AMOUNTS,
    )


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
    keys = ("difference", "low", "high")
    if name != "difference":
        keys = (f"{name}_score", f"{name}_low", f"{name}_high")
    value, low, high = (_signed(row[each]) for each in keys)
    return say("{mean} ({low} to {high})", mean=value, low=low, high=high)


def _signed(value: float) -> str:
    return localised(f"{value:+z.1f}").replace("-", "−")


def _show_chances(found: fields.GivenHand) -> None:
    rows = []
    for words, bids in groupby(found.chances, key=lambda each: chance_words(each[1])):
        each = [bid for bid, _ in bids]
        rows.append((_range(each), words))
    heads = [say_in("what was called", "bid"), say("such cards make it")]
    show_table(heads, rows, name=say("Chance to make each bid"))
    st.caption(say("Nobody here chose to bid more than {bid}.", bid=found.chances[-1][0]))


def _range(bids: Sequence[int]) -> str:
    if len(bids) == 1:
        return str(bids[0])
    return say("{low} to {high}", low=bids[0], high=bids[-1])


def _show_decision(held: fields.Held, found: fields.GivenHand) -> None:
    row = found.decision
    if row is None:
        return
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
    show_table(
        [say("they"), "n", say("score a hand")],
        [
            (say_in("people who", "bid"), row["bids"], _interval(row, "bid")),
            (
                say_in("people who", "passed"),
                row["passes"] or say("nobody passes these"),
                _interval(row, "pass"),
            ),
            (say("bid, less passed"), row["bids"] + row["passes"], _interval(row, "difference")),
        ],
        name=say("Bid or pass with this hand"),
    )
