"""Statements about the hand as a whole: dealer, scores, stock and kitty, result, status, time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from tricklog.ingest.text_form.card_lists import card_list, cards_at
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.names import Names
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.ingest.text_form.scanner import Kind, Token, tokens
from tricklog.ingest.text_form.settings import free_text, key_and_json
from tricklog.ingest.text_form.statuses import status_of
from tricklog.ingest.text_form.vocabulary import (
    BY,
    KEYWORDS,
    NONES,
    PLAIN_CARDS,
    RESULTS,
    STATUSES,
)
from tricklog.schemas.limits import MAX_SEATS

Rest = Sequence[Token]
"""Tokens behind what a field has taken, which say something else."""
Field = Callable[[Page, str, int], Rest]
"""Takes the page, what stands behind the keyword, and the column of that."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,7}|\?")
_PLAIN_NUMBERS: Final = re.compile(rf"[+-]?[0-9]{{1,7}}(?: [+-]?[0-9]{{1,7}}){{1,{MAX_SEATS - 1}}}")
_BETWEEN: Final = re.compile(r"[\s,:/]+|(?<=[0-9?])-|to\b")
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


def put_dealer(page: Page, text: str, column: int) -> Rest:
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


def put_cards(name: str) -> Field:
    """Return the field ``stock`` or ``kitty``, which is a list of cards."""

    def put(page: Page, text: str, column: int) -> Rest:
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

    return put


def put_winners(page: Page, text: str, column: int) -> Rest:
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


def put_scores(name: str) -> Field:
    """Return a field that has a number for each side."""

    def put(page: Page, text: str, column: int) -> Rest:
        draft = page.open()
        text = text.translate(_MINUS)
        if text == "?":
            draft.unknown.add(name)
            return ()
        values = _numbers(page, name, text, column)
        if values is None:
            return ()
        _warn_of_count(page, len(values), column)
        (draft.fields if name == "before" else draft.claimed)[_SCORES[name]] = values
        return ()

    return put


def _warn_of_count(page: Page, count: int, column: int) -> None:
    """Warn of another count than one number for each side, as far as the sides are known."""
    sides, players = page.table.turns.sides, len(page.table.players)
    if sides is not None:
        if count != sides:
            page.warn(column, f"{count} numbers for {sides} sides")
    elif players and count not in {_LEAST_SIDES, players}:
        page.warn(column, f"{count} numbers for {players} players")


def _numbers(page: Page, name: str, text: str, column: int) -> list[int | None] | None:
    """Return one number a side, nothing when they cannot be read."""
    if _PLAIN_NUMBERS.fullmatch(text):
        return [int(word) for word in text.split(" ")]
    if any(map(str.isalpha, _BETWEEN.sub(" ", text))):
        return _by_name(page, name, text, column)
    words = _BETWEEN.sub(" ", text).split()
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
            value = None if word == "?" else int(word)
            said.update(dict.fromkeys(seats, value))
            seats = []
        elif word not in {"&", "+", "/", "-"}:
            page.error(line[at].column, names.nobody(word))
            return None
        at += max(count, 1)
    sides = _sides(said, names, page.table.turns.sides)
    if sides is None:
        example = f"{name} {names.example()} 6, {names.called(1) if names.seats else 'Bo'} 8"
        page.error(column, f"{name} for each side once: {example}")
    return sides


def _sides(said: dict[int, int | None], names: Names, sides: int | None) -> list[int | None] | None:
    """Return what is said of each side; in partnerships, of anybody on it."""
    if len(said) == names.seats and sides != _LEAST_SIDES:
        return [said[seat] for seat in range(names.seats)]
    pairs = {side: {value for seat, value in said.items() if seat % 2 == side} for side in (0, 1)}
    if not said or any(len(values) > 1 for values in pairs.values()):
        return None
    return [next(iter(pairs[side]), None) for side in (0, 1)]


# --- How it ended


def put_result(page: Page, text: str, column: int) -> Rest:
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


def put_status(page: Page, text: str, column: int) -> Rest:
    """``status complete``: how the record ends."""
    draft = page.open()
    if text == "?":
        draft.unknown.add("status")
        return ()
    status = status_of(text)
    if status is None:
        listed = ", ".join(status.replace("_", " ") for status in sorted(set(STATUSES.values())))
        page.error(
            column,
            f"{shown(text)} is no status{did_you_mean(text, STATUSES, f': write {listed}')}",
        )
    else:
        draft.fields["status"] = status
    return ()


def put_time(page: Page, text: str, column: int) -> Rest:
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


def put_id(page: Page, text: str, column: int) -> Rest:
    """``id club-4``: the name of the hand in the log."""
    if text:
        page.open().fields["id"] = free_text(text)
    else:
        page.error(column, "which id? Write id and a name for this hand that no other hand has")
    return ()


def put_remark(page: Page, text: str, _: int) -> Rest:
    """``remark …``: about the hand as a whole."""
    page.open().remarks.append(free_text(text))
    return ()


def put_empty(page: Page, text: str, column: int) -> Rest:
    """``empty notes``: an object of the log that has nothing in it."""
    for word in text.split():
        if word not in EMPTY:
            page.error(column, f"{shown(word)} cannot be empty; what can is {', '.join(EMPTY)}")
            return ()
        page.open().empty.add(word)
    return ()


def put_ext(page: Page, text: str, column: int) -> Rest:
    """``ext example.org/table = 4``: anything else, by a key."""
    found = key_and_json(text)
    if found is None:
        page.error(column, "ext has a key and a JSON value: ext example.org/table = 4")
    else:
        page.open().ext[found[0]] = found[1]
    return ()


FIELDS: Final[dict[str, Field]] = {
    "dealer": put_dealer,
    "before": put_scores("before"),
    "stock": put_cards("stock"),
    "kitty": put_cards("kitty"),
    "points": put_scores("points"),
    "change": put_scores("change"),
    "after": put_scores("after"),
    "winners": put_winners,
    "result": put_result,
    "status": put_status,
    "time": put_time,
    "id": put_id,
    "remark": put_remark,
    "empty": put_empty,
    "ext": put_ext,
}
WRITES: Final[dict[str, tuple[str, ...]]] = {
    "dealer": ("/dealer",),
    "before": ("/scores",),
    "stock": ("/stock",),
    "kitty": ("/kitty",),
    "points": ("/claimed/points",),
    "change": ("/claimed/change",),
    "after": ("/claimed/scores",),
    "winners": ("/claimed/winners",),
    "result": ("/claimed/result", "/claimed/by"),
    "status": ("/status",),
    "time": ("/started_at",),
    "id": ("/id",),
}
"""JSON pointers to the parts of the log that a field says."""
SHORT: Final = frozenset({"points", "change", "after", "before", "result", "status", "time"})
"""Fields behind which, after a comma, another statement may stand, and a remark in brackets."""
