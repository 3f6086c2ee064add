"""What is not recorded: three dots, what is known behind them, and the contract by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tricklog.ingest.text_form import deeds
from tricklog.ingest.text_form.card_lists import card_list
from tricklog.ingest.text_form.draft import PARTS, DraftGap
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import shown
from tricklog.ingest.text_form.scanner import Kind, Token, keyword_of, tokens
from tricklog.ingest.text_form.vocabulary import MISSING, NONES, THEN, meaning_of

_NUMBERS: Final = re.compile(r"([1-9][0-9]?)(?:[-–]([1-9][0-9]?))?")
_STAKES: Final = frozenset({"double", "redouble", "super"})
_ALONE: Final = frozenset({"solo", "tenny"})


def read_gap(page: Page, line: Sequence[Token], at: int, *, names_part: bool) -> int:
    """Read three dots and, with ``names_part``, what they stand for; return the place behind.

    ``... tricks 1-2`` or ``... auction``; without a word, what is missing follows from what comes
    next.
    """
    draft = page.open()
    gap = draft.gap_here()
    gap.is_written = True
    at += 1
    if not names_part:
        return at
    words: list[str] = []
    while at < len(line) and line[at].kind is Kind.WORD and len(words) < 2:  # noqa: PLR2004
        words.append(line[at].word.folded)
        at += 1
    if not words:
        return at
    missing, _ = meaning_of(words, MISSING, 1)
    column = line[at - len(words)].column
    if not missing:
        page.error(
            column,
            f"{shown(line[at - len(words)].text)} is nothing that can be left out: write "
            f"... {', ... '.join(PARTS)}, or only ...",
        )
        return at
    _leave_out(gap, missing)
    if len(words) > 1:
        _number_tricks(page, gap, words[1], line[at - 1].column)
    return at


def _leave_out(gap: DraftGap, missing: str) -> None:
    """Say what a gap leaves out; of two things, the one that comes later in a hand."""
    if not gap.missing or PARTS.index(missing) > PARTS.index(gap.missing):
        gap.missing = missing


def _number_tricks(page: Page, gap: DraftGap, text: str, column: int) -> None:
    found = _NUMBERS.fullmatch(text)
    if found is None or gap.missing != "tricks":
        page.error(column, f"{shown(text)} is no number of a trick: ... tricks 1-2")
        return
    gap.tricks = (int(found[1]), int(found[2] or found[1]))


# --- Then


def read_then(page: Page, text: str, column: int) -> None:
    """``then Dee has 7s``: what is known of the table behind a gap."""
    draft = page.opened()
    if page.table.names.seats == 0:
        return
    gap = draft.gap_here()
    gap.has_then = True
    line = tokens(text, column)
    words = [token.word.folded for token in line[:2]]
    if words and words[0] in NONES:
        return
    keyword = keyword_of(text)
    if keyword == "points":
        numbers = _numbers(page, line[1:], "then points 3 ?")
        gap.then["points"] = numbers
    elif words and MISSING.get(words[0]) == "tricks":
        gap.then["tricks_won"] = _numbers(page, line[1:], "then tricks 1 0 ? 1")
    elif words and THEN.get(words[0]) == "seen":
        cards, _ = card_list(page, line, 1)
        gap.then["seen"] = " ".join(cards)
    else:
        _then_of_player(page, gap, line, column)


def _numbers(page: Page, line: Sequence[Token], example: str) -> list[int | None]:
    numbers: list[int | None] = []
    for token in line:
        if re.fullmatch(r"-?[0-9]{1,7}", token.text):
            numbers.append(int(token.text))
        elif token.text == "?":
            numbers.append(None)
        elif token.kind is not Kind.COMMA:
            page.error(token.column, f"{shown(token.text)} is no number: {example}")
    return numbers


def _then_of_player(page: Page, gap: DraftGap, line: Sequence[Token], column: int) -> None:
    """``then Dee leads`` after winning a trick, ``then Dee has 7s``."""
    names = page.table.names
    seat, at = names.at(line, 0)
    if seat is None:
        known = "then Dee has 7s, then Dee won, then points 3 4, then seen Ah 10h"
        page.error(column, f"what is known then? Write {known}")
        return
    if at < len(line) and THEN.get(line[at].word.folded) == "won":
        gap.then["winner"] = seat
        return
    verb, count = deeds.verb_at(line, at)
    if verb != "has":
        page.error(
            column, f"write then {names.called(seat)} has 7s, or then {names.called(seat)} won"
        )
        return
    cards, _ = card_list(page, line, at + count)
    holdings = gap.then.setdefault("holdings", [None] * names.seats)
    holdings[seat] = " ".join(cards)


# --- The contract


def read_contract(page: Page, text: str, column: int) -> None:
    """``contract Cy 8 hearts double``: what is known though no act says it, in any order."""
    draft = page.opened()
    known = draft.known
    line = tokens(text, column)
    at = 0
    while at < len(line):
        token = line[at]
        word = token.word
        is_none = token.kind is Kind.WORD and word.folded in NONES
        seat, count = (None, 1) if is_none else page.table.names.at(line, at)
        trump, taken = deeds.trump_at(line, at, "reveal") if seat is None else ("", 0)
        verb, _ = deeds.verb_at(line, at)
        before = set(known)
        if seat is not None:
            known["maker"] = seat
        elif word.bid or is_none:
            known["bid"] = _bid(word.bid)
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


def _bid(text: str | None) -> int | str:
    if text is None:
        return "none"
    return int(text) if text.isdecimal() else text
