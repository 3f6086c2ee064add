"""The lines that most of a text consists of, taken without asking what else they could mean.

A trick, somebody's cards, an exchange, trumps, calls: words with one space between them, of which
the name is that of one player and nothing else, and each card is a card and nothing else. The
reader of all forms reads such a line the same way, but asks a hundred questions first; whatever is
not exactly like this is left to it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from tricklog.ingest.text_form.cards import RANK_WORDS, SUIT_WORDS, UNKNOWN
from tricklog.ingest.text_form.deeds import LISTS
from tricklog.ingest.text_form.page import Draft, Given, Page
from tricklog.ingest.text_form.vocabulary import (
    KEYWORDS,
    NONES,
    PLAIN_CARDS,
    VERBS,
    is_only_word,
    word_of,
)
from tricklog.schemas.limits import MAX_ACTIONS

_LONGEST: Final = 400
"""Characters of a line that is looked at."""
_KEPT: Final = 1 << 10
"""Words of which it is kept whom they name."""
_NAME: Final = re.compile(r"[\w'’-]+")
_OTHERWISE: Final = {phrase.partition(" ")[0] for phrase in (*KEYWORDS, *VERBS)} | {"bid", "bids"}
"""Words that a statement of another kind begins with."""
_FEWEST: Final = 2
_TRUMP_LINE: Final = 3
"""Words of ``Ann trump hearts``."""


def take(page: Page, line: str) -> bool:
    """Take a line of the hand that is open if it is a plain one; return whether it was.

    The hand is one that is not given up.
    """
    draft, names = page.draft, page.table.names
    if draft is None or draft.waiting or not names.are_plain or len(line) > _LONGEST:
        return False
    if ", " in line:
        parts = line.split(", ")
        return _take_plays(page, draft, parts) or _take_calls(page, draft, parts)
    words = line.split(" ")
    seat = _seat(page, words[0])
    if seat is None or len(words) < _FEWEST:
        return False
    if words[1] in PLAIN_CARDS:
        return _take_plays(page, draft, [line])
    verb = VERBS.get(words[1], "")
    if verb == "trump" and len(words) == _TRUMP_LINE and words[2] in SUIT_WORDS:
        column = len(line) - len(words[2]) + 1
        return _take_action(page, draft, f"{seat} trump {SUIT_WORDS[words[2]]}", column)
    if verb == "has" or (verb in LISTS and verb != "claim"):
        return _take_cards(page, draft, seat, verb, words)
    return len(words) == _FEWEST and _take_calls(page, draft, [line])


def _seat(page: Page, text: str) -> int | None:
    """Return the seat of a player whose name is a word that means nothing else."""
    names = page.table.names
    if text in names.plain_seats:
        return names.plain_seats[text]
    seat = names.seat_of_word(text) if _is_name(text) else None
    if len(names.plain_seats) < _KEPT:
        names.plain_seats[text] = seat
    return seat


def _is_name(text: str) -> bool:
    word = word_of(text)
    folded = word.folded
    if not _NAME.fullmatch(text) or text.isdigit() or folded.startswith("tricklog"):
        return False
    if folded in SUIT_WORDS or folded in RANK_WORDS or folded in NONES or folded in _OTHERWISE:
        return False
    return word.is_name and not word.card and is_only_word(word)


def _take_plays(page: Page, draft: Draft, parts: list[str]) -> bool:
    """Take cards that are played one after the other: ``Ann 10h 4h, Dee Jh``."""
    step, seats = page.table.turns.step, page.table.names.seats
    plays: list[tuple[int, str, int]] = []
    column = 1
    for part in parts:
        name, *words = part.split(" ")
        seat, cards = _seat(page, name), _cards_in(words, 0)
        if seat is None or not cards:
            return False
        column += len(name) + 1
        for word, card in zip(words, cards, strict=True):
            plays.append((seat, card, column))
            column += len(word) + 1
            seat = (seat + step) % seats
        column += 1
    known = [card for _, card, _ in plays if card not in UNKNOWN]
    if len(set(known)) < len(known) or not draft.played.keys().isdisjoint(known):
        return False
    if len(draft.actions) + len(plays) > MAX_ACTIONS:
        return False
    draft.actions += [f"{seat} play {card}" for seat, card, _ in plays]
    draft.places += [(page.line, column) for _, _, column in plays]
    draft.played.update(dict.fromkeys(known, page.line))
    draft.last_player = plays[-1][0]
    draft.has_content = True
    return True


def _take_cards(page: Page, draft: Draft, seat: int, verb: str, words: list[str]) -> bool:
    """Take the cards that somebody was dealt, or does something with before play."""
    cards = _cards_in(words, 2)
    if not cards:
        return False
    if verb != "has":
        return _take_action(page, draft, f"{seat} {verb} {' '.join(cards)}", len(words[0]) + 2)
    if seat in draft.deal:
        return False
    draft.deal[seat] = Given(cards, page.line, 1)
    draft.has_content = True
    return True


def _cards_in(words: list[str], first: int) -> list[str]:
    """Return the cards of the words from one on; none where a word is none, or one comes twice."""
    try:
        cards = [PLAIN_CARDS[word] for word in words[first:]]
    except KeyError:
        return []
    known = [card for card in cards if card not in UNKNOWN]
    return cards if len(set(known)) == len(known) else []


def _take_action(page: Page, draft: Draft, action: str, column: int) -> bool:
    if len(draft.actions) >= MAX_ACTIONS:
        return False
    draft.actions.append(action)
    draft.places.append((page.line, column))
    draft.has_content = True
    return True


def _take_calls(page: Page, draft: Draft, parts: list[str]) -> bool:
    """Take calls, each with the name before it: ``Ann 7, Bo pass``."""
    calls: list[tuple[int, str, int]] = []
    begin = 1
    for part in parts:
        name, _, said = part.partition(" ")
        seat, call = _seat(page, name), _call(said)
        if seat is None or not call:
            return False
        calls.append((seat, call, begin + len(name) + 1))
        begin += len(part) + 2
    if len(draft.actions) + len(calls) > MAX_ACTIONS:
        return False
    for seat, call, column in calls:
        draft.actions.append(f"{seat} {call}")
        draft.places.append((page.line, column))
    draft.last_caller = calls[-1][0]
    draft.has_content = True
    return True


@lru_cache(maxsize=1 << 10)
def _call(text: str) -> str:
    """Return the bid or the pass that a word is and nothing else, empty for none."""
    word = word_of(text)
    if word.card or word.keyword or word.moment is not None:
        return ""
    if word.verb == "pass":
        return "pass"
    return f"bid {word.bid}" if word.bid and not word.verb else ""
