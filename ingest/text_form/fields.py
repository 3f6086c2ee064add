"""Statements about the hand as a whole, what is not recorded of it, and the contract by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from tricklog.ingest.text_form.deeds import card_list, cards_at, is_word, trump_at, verb_at
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.page import PARTS, Page
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.ingest.text_form.scanner import Kind, Token, keyword_of, tokens
from tricklog.ingest.text_form.settings import free_text, key_and_json
from tricklog.ingest.text_form.vocabulary import (
    BY,
    KEYWORDS,
    MISSING,
    NONES,
    PLAIN_CARDS,
    RESULTS,
    STATUSES,
    THEN,
    meaning_of,
    status_of,
)
from tricklog.schemas.limits import MAX_SEATS

Rest = Sequence[Token]
"""Tokens behind what a field has taken, which say something else."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,7}|\?")
_PLAIN_NUMBERS: Final = re.compile(rf"[+-]?[0-9]{{1,7}}(?: [+-]?[0-9]{{1,7}}){{1,{MAX_SEATS - 1}}}")
_BETWEEN: Final = re.compile(r"[\s,:/]+|(?<=[0-9?])-|to\b")
_TRICKS: Final = re.compile(r"([1-9][0-9]?)(?:[-–]([1-9][0-9]?))?")
_LEAST_SIDES: Final = 2
_SCORES: Final = {"before": "scores", "after": "scores", "points": "points", "change": "change"}
_FULL_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?"
    r"(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?)?)?"
)
_CLOCK: Final = re.compile(r"([0-9]{1,2})[:.]([0-9]{2})")
_MINUS: Final = str.maketrans("−–—", "---")
EMPTY: Final = ("times", "notes", "claimed", "known", "ext")
"""Objects of the log that may be there without anything in them."""
_STAKES: Final = frozenset({"double", "redouble", "super"})
_ALONE: Final = frozenset({"solo", "tenny"})


def _put_dealer(page: Page, text: str, column: int) -> Rest:
    """``dealer Ann``."""
    line = tokens(text, column)
    draft = page.open()
    if line and line[0].text == "?" and line[0].kind is Kind.WORD:
        draft.unknown.add("dealer")
        return line[1:]
    names = page.table.names
    seat, count = names.at(line, 0)
    if seat is None:
        name = line[0].text if line else ""
        page.error(line[0].column if line else column, names.nobody(name))
        return ()
    draft.fields["dealer"] = seat
    return line[count:]


def _put_cards(name: str, page: Page, text: str, column: int) -> Rest:
    """``stock 7h 8h`` or ``kitty …``: a list of cards."""
    draft = page.open()
    words = [] if text in NONES and " " not in text else text.split(" ")
    if page.table.names.are_plain and text != "?" and PLAIN_CARDS.keys() >= set(words):
        draft.fields[name] = " ".join([PLAIN_CARDS[word] for word in words])
        return ()
    line = tokens(text, column)
    if not line or (len(line) == 1 and line[0].text == "?"):
        draft.unknown.add(name)
        return ()
    cards, end = cards_at(line, 0, page.table.names)
    if end < len(line) and not cards:
        cards, end = card_list(page, line, 0)
    draft.fields[name] = " ".join(cards)
    return line[end:]


def _put_winners(page: Page, text: str, column: int) -> Rest:
    """``winners Ann, Bo, ?``: who took each trick, in order."""
    winners: list[int | None] = []
    line = tokens(text, column)
    # A player who is called so stands in quotes or behind an @.
    at = 1 if len(line) == 1 and line[0].word.folded in NONES else 0
    while at < len(line):
        token = line[at]
        seat, count = page.table.names.at(line, at)
        if seat is not None:
            winners.append(seat)
        elif token.text == "?":
            winners.append(None)
        elif token.kind is not Kind.COMMA and token.word.folded not in NONES:
            page.error(token.column, page.table.names.nobody(token.text))
            return ()
        at += max(count, 1)
    page.open().claimed["winners"] = winners
    return ()


# --- Scores


def _put_scores(name: str, page: Page, text: str, column: int) -> Rest:
    """``before 6 8``: a number for each side."""
    draft = page.open()
    text = text.translate(_MINUS)
    if text == "?":
        draft.unknown.add(name)
    elif (values := _side_numbers(page, name, text, column)) is not None:
        # Another count than one number a side is odd, as far as the sides are known.
        sides, players = page.table.turns.sides, len(page.table.players)
        if sides is not None:
            if len(values) != sides:
                page.warn(column, f"{len(values)} numbers for {sides} sides")
        elif players and len(values) not in {_LEAST_SIDES, players}:
            page.warn(column, f"{len(values)} numbers for {players} players")
        (draft.fields if name == "before" else draft.claimed)[_SCORES[name]] = values
    return ()


def _side_numbers(page: Page, name: str, text: str, column: int) -> list[int | None] | None:
    """Return one number a side, nothing when they cannot be read."""
    if _PLAIN_NUMBERS.fullmatch(text):
        return [int(word) for word in text.split(" ")]
    words = _BETWEEN.sub(" ", text).split()
    if any(character.isalpha() for word in words for character in word):
        return _by_name(page, name, text, column)
    if not _LEAST_SIDES <= len(words) <= MAX_SEATS or not all(map(_NUMBER.fullmatch, words)):
        page.error(
            column,
            f"{name} has one whole number for each side, the side of the first player first: "
            f"{name} 6 8",
        )
        return None
    return [None if word == "?" else int(word) for word in words]


def _by_name(page: Page, name: str, text: str, column: int) -> list[int | None] | None:
    """Return the numbers of ``Ann 6, Bo 8`` or ``Ann & Cy 6, Bo & Dee 8``."""
    names = page.table.names
    said: dict[int, int | None] = {}
    line = [token for token in tokens(text, column) if token.kind is not Kind.COMMA]
    seats: list[int] = []
    at = 0
    while at < len(line):
        seat, count = names.at(line, at)
        word = line[at].text
        if seat is not None:
            seats.append(seat)
        elif seats and _NUMBER.fullmatch(word):
            said.update(dict.fromkeys(seats, None if word == "?" else int(word)))
            seats = []
        elif word not in {"&", "+", "/", "-"}:
            page.error(line[at].column, names.nobody(word))
            return None
        at += max(count, 1)
    if len(said) == names.seats and page.table.turns.sides != _LEAST_SIDES:
        return [said[seat] for seat in range(names.seats)]
    # In partnerships it is said of anybody on a side.
    pairs = [{value for seat, value in said.items() if seat % 2 == side} for side in (0, 1)]
    if said and all(len(values) <= 1 for values in pairs):
        return [next(iter(values), None) for values in pairs]
    example = f"{name} {names.example()} 6, {names.called(1) if names.seats else 'Bo'} 8"
    page.error(column, f"{name} for each side once: {example}")
    return None


# --- How it ended


def _put_result(page: Page, text: str, column: int) -> Rest:
    """``made``, ``set by 1``, ``made by 2``."""
    words = fold(text).split()
    claimed = page.open().claimed
    if words and KEYWORDS.get(words[0]) == "result" and words[0] not in RESULTS:
        words = words[1:]
    result = RESULTS.get(words[0]) if words else None
    rest = [word for word in words[1:] if word not in BY and word != "it"]
    by = re.fullmatch("[0-9]{1,3}", rest[0]) if len(rest) == 1 else None
    if result is None or (rest and by is None):
        page.error(column, f"{shown(text)} is no result: write made, set, or set by 1")
        return ()
    claimed["result"] = result
    if by:
        claimed["by"] = int(by[0])
    return ()


def _put_status(page: Page, text: str, column: int) -> Rest:
    """``status complete``: how the record ends."""
    status = status_of(text)
    if text == "?":
        page.open().unknown.add("status")
    elif status is None:
        listed = ", ".join(each.replace("_", " ") for each in sorted(set(STATUSES.values())))
        hint = did_you_mean(text, STATUSES, f": write {listed}")
        page.error(column, f"{shown(text)} is no status{hint}")
    else:
        page.open().fields["status"] = status
    return ()


def _put_time(page: Page, text: str, column: int) -> Rest:
    """``time 19:03`` on the date above, or all of it, ``2026-11-20T19:03:00+02:00``."""
    table = page.table
    clock = _CLOCK.fullmatch(text)
    if _FULL_TIME.fullmatch(text):
        page.open().fields["started_at"] = text
    elif text == "?":
        page.open().unknown.add("time")
    elif clock and table.date is None:
        page.error(column, "which day? Write a line above: date 2026-11-20")
    elif clock:
        seconds = f":00{table.zone}" if table.zone else ""
        page.open().fields["started_at"] = f"{table.date}T{int(clock[1]):02}:{clock[2]}{seconds}"
    else:
        page.error(column, f"{shown(text)} is no time: write 19:03, or 2026-11-20T19:03:00+02:00")
    return ()


# --- Everything else


def _put_id(page: Page, text: str, column: int) -> Rest:
    """``id club-4``: the name of the hand in the log."""
    if text:
        page.open().fields["id"] = free_text(text)
    else:
        page.error(column, "which id? Write id and a name for this hand that no other hand has")
    return ()


def _put_remark(page: Page, text: str, _: int) -> Rest:
    """``remark …``: about the hand as a whole."""
    page.open().remarks.append(free_text(text))
    return ()


def _put_empty(page: Page, text: str, column: int) -> Rest:
    """``empty notes``: an object of the log that has nothing in it."""
    for word in text.split():
        if word not in EMPTY:
            page.error(column, f"{shown(word)} cannot be empty; what can is {', '.join(EMPTY)}")
            return ()
        page.open().empty.add(word)
    return ()


def _put_ext(page: Page, text: str, column: int) -> Rest:
    """``ext example.org/table = 4``: anything else, by a key."""
    found = key_and_json(text)
    if found is None:
        page.error(column, "ext has a key and a JSON value: ext example.org/table = 4")
    else:
        page.open().ext[found[0]] = found[1]
    return ()


class Field(NamedTuple):
    """A statement about the hand."""

    put: Callable[[Page, str, int], Rest]
    """Takes the page, what stands behind the keyword, and the column of that."""
    pointers: tuple[str, ...] = ()
    """JSON pointers to the parts of the log that it says."""
    is_short: bool = False
    """Whether behind it, after a comma, another statement may stand, and a remark in brackets."""


FIELDS: Final = {
    "dealer": Field(_put_dealer, ("/dealer",)),
    "before": Field(partial(_put_scores, "before"), ("/scores",), is_short=True),
    "stock": Field(partial(_put_cards, "stock"), ("/stock",)),
    "kitty": Field(partial(_put_cards, "kitty"), ("/kitty",)),
    "points": Field(partial(_put_scores, "points"), ("/claimed/points",), is_short=True),
    "change": Field(partial(_put_scores, "change"), ("/claimed/change",), is_short=True),
    "after": Field(partial(_put_scores, "after"), ("/claimed/scores",), is_short=True),
    "winners": Field(_put_winners, ("/claimed/winners",)),
    "result": Field(_put_result, ("/claimed/result", "/claimed/by"), is_short=True),
    "status": Field(_put_status, ("/status",), is_short=True),
    "time": Field(_put_time, ("/started_at",), is_short=True),
    "id": Field(_put_id, ("/id",)),
    "remark": Field(_put_remark),
    "empty": Field(_put_empty),
    "ext": Field(_put_ext),
}


# --- What is not recorded


def read_gap(page: Page, line: Sequence[Token], at: int, *, names_part: bool) -> int:
    """Read three dots and, with ``names_part``, what they stand for; return the place behind.

    ``... tricks 1-2`` or ``... auction``; without a word, what is missing follows from what comes
    next. Of two things that a gap leaves out it says the one that comes later in a hand.
    """
    gap = page.open().gap_here()
    gap.is_written = True
    at += 1
    words: list[Token] = []
    while names_part and at < len(line) and line[at].kind is Kind.WORD and len(words) < 2:  # noqa: PLR2004
        words.append(line[at])
        at += 1
    if not words:
        return at
    missing, _ = meaning_of([words[0].word.folded], MISSING)
    if not missing:
        page.error(
            words[0].column,
            f"{shown(words[0].text)} is nothing that can be left out: write "
            f"... {', ... '.join(PARTS)}, or only ...",
        )
        return at
    if not gap.missing or PARTS.index(missing) > PARTS.index(gap.missing):
        gap.missing = missing
    for number in words[1:]:
        found = _TRICKS.fullmatch(number.word.folded)
        if found and gap.missing == "tricks":
            gap.tricks = (int(found[1]), int(found[2] or found[1]))
        else:
            message = f"{shown(number.word.folded)} is no number of a trick: ... tricks 1-2"
            page.error(number.column, message)
    return at


def read_then(page: Page, text: str, column: int) -> None:
    """``then Dee has 7s``, ``then Dee won``: what is known of the table behind a gap."""
    draft = page.opened()
    names = page.table.names
    if names.seats == 0:
        return
    gap = draft.gap_here()
    gap.has_then = True
    line = tokens(text, column)
    first = line[0].word.folded if line else ""
    if line and first in NONES:
        return
    seat, at = names.at(line, 0)
    if keyword_of(text) == "points":
        gap.then["points"] = _then_numbers(page, line[1:], "then points 3 ?")
    elif MISSING.get(first) == "tricks":
        gap.then["tricks_won"] = _then_numbers(page, line[1:], "then tricks 1 0 ? 1")
    elif THEN.get(first) == "seen":
        cards, _ = card_list(page, line, 1)
        gap.then["seen"] = " ".join(cards)
    elif seat is None:
        known = "then Dee has 7s, then Dee won, then points 3 4, then seen Ah 10h"
        page.error(column, f"what is known then? Write {known}")
    elif at < len(line) and THEN.get(line[at].word.folded) == "won":
        gap.then["winner"] = seat
    else:
        verb, count = verb_at(line, at)
        if verb != "has":
            name = names.called(seat)
            page.error(column, f"write then {name} has 7s, or then {name} won")
            return
        cards, _ = card_list(page, line, at + count)
        gap.then.setdefault("holdings", [None] * names.seats)[seat] = " ".join(cards)


def _then_numbers(page: Page, line: Sequence[Token], example: str) -> list[int | None]:
    numbers: list[int | None] = []
    for token in line:
        if re.fullmatch(r"-?[0-9]{1,7}", token.text):
            numbers.append(int(token.text))
        elif token.text == "?":
            numbers.append(None)
        elif token.kind is not Kind.COMMA:
            page.error(token.column, f"{shown(token.text)} is no number: {example}")
    return numbers


def read_contract(page: Page, text: str, column: int) -> None:
    """``contract Cy 8 hearts double``: what is known though no act says it, in any order."""
    draft = page.opened()
    known = draft.known
    line = tokens(text, column)
    at = 0
    while at < len(line):
        token = line[at]
        word = token.word
        is_none = is_word(line, at, NONES)
        seat, count = (None, 1) if is_none else page.table.names.at(line, at)
        trump, taken = trump_at(line, at, "reveal") if seat is None else ("", 0)
        verb, _ = verb_at(line, at)
        before = set(known)
        if seat is not None:
            known["maker"] = seat
        elif word.bid or is_none:
            bid = word.bid or "none"
            known["bid"] = int(bid) if bid.isdecimal() else bid
        elif trump and trump != "?":
            known["trump"], count = trump, taken
        elif verb in _STAKES:
            known["stake"] = verb
        elif verb in _ALONE:
            known["alone"] = verb
        elif verb == "pair":
            seat, taken = page.table.names.at(line, at + 1)
            if seat is None:
                page.error(token.column, "whose pair? Write contract … pair Ann")
                return
            known["pair"], count = seat, 1 + taken
        elif token.kind is Kind.WORD and word.folded not in {"by", "in", "on"}:
            page.error(
                token.column,
                f"{shown(token.text)} is no part of a contract: contract Ann 8 hearts double",
            )
            return
        for part in known.keys() - before:
            draft.wheres[f"/known/{part}"] = (page.line, token.column)
        at += max(count, 1)
