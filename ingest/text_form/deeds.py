"""One thing that a player does: a call, a card, or a verb with what belongs to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from tricklog.ingest.text_form.card_lists import as_written, card_at, card_list, no_card
from tricklog.ingest.text_form.cards import (
    SUIT_WORDS,
    UNKNOWN,
    cards_of,
    nearest_card,
    one_card,
    suit_of,
    written_card,
)
from tricklog.ingest.text_form.draft import Draft, Given
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import did_you_mean, nearest, shown
from tricklog.ingest.text_form.scanner import Kind, Token
from tricklog.ingest.text_form.vocabulary import TRUMPS, VERBS, meaning_of
from tricklog.schemas.limits import MAX_ACTIONS

BARE: Final = frozenset(
    {
        "pass", "ditto", "tenny", "fold", "out", "ask", "pair", "double", "redouble", "super",
        "solo", "throw-in", "concede", "decided",
    }
)  # fmt: skip
"""Verbs that take nothing."""
LISTS: Final = frozenset(
    {"kitty", "discard", "discard-up", "claim", "draw", "rob", "give", "bury", "show"}
)
"""Verbs that take cards."""
CALLS: Final = frozenset({"bid", "pass", "ditto", "tenny", "double", "redouble", "super"})
_CLAIMED: Final = 2
"""Cards of a claim: the one taken and the one given."""
_SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_TRUMP_CHOICES: Final = (
    "spades, hearts, diamonds, clubs, NT, hearts reversed, seventh, or ? if nobody knows"
)


class Done(NamedTuple):
    """What reading a deed came to."""

    at: int
    """Place behind it."""
    is_call: bool = False
    """Whether it was a call, after which a number is one, too."""


# --- What goes into the hand


def add(page: Page, seat: int, action: str, column: int) -> None:
    """Add an action to the hand."""
    draft = page.open()
    if len(draft.actions) >= MAX_ACTIONS:
        page.error(column, f"a hand has {MAX_ACTIONS:,} acts at most: begin the next one with hand")
        draft.is_long = True
        return
    draft.actions.append(f"{seat} {action}")
    draft.places.append((page.line, column))
    for text in draft.waiting:
        add_remark(draft, text)
    draft.waiting.clear()


def add_play(page: Page, seat: int, card: str, column: int) -> None:
    """Add a card that was played."""
    add(page, seat, f"play {card}", column)
    draft = page.open()
    draft.last_player = seat
    if card not in UNKNOWN:
        before = draft.played.setdefault(card, page.line)
        if before != page.line or draft.actions.count(f"{seat} play {card}") > 1:
            page.warn(column, f"{written_card(card)} was played already in line {before}")


def add_remark(draft: Draft, text: str) -> None:
    """Add a remark on the last action, or on the hand where there is none yet."""
    if not draft.actions:
        draft.remarks.append(text)
        return
    key = str(len(draft.actions) - 1)
    draft.notes[key] = f"{draft.notes[key]} {text}" if key in draft.notes else text


def bidder(draft: Draft) -> int | None:
    """Return the last bidder, or who plays alone: trumps are theirs to name."""
    return _last_of(draft, {"bid", "ditto", "solo"})


def namer(draft: Draft) -> int | None:
    """Return who named trumps."""
    return _last_of(draft, {"trump"})


def _last_of(draft: Draft, verbs: Collection[str]) -> int | None:
    for action in reversed(draft.actions):
        if action.split(" ", 2)[1] in verbs:
            return int(action[0])
    return None


# --- Reading


def is_word(line: Sequence[Token], at: int, words: Collection[str]) -> bool:
    """Whether one of some folded words stands at a place."""
    return at < len(line) and line[at].kind is Kind.WORD and line[at].word.folded in words


def _folded(line: Sequence[Token], at: int, most: int = 3) -> list[str]:
    """Return the folded words from a place on, up to the next sign."""
    words: list[str] = []
    for token in line[at : at + most]:
        if token.kind is not Kind.WORD:
            break
        words.append(token.word.folded)
    return words


def verb_at(line: Sequence[Token], at: int) -> tuple[str, int]:
    """Return the verb at a place and how many words it has, ``("", 0)`` for none."""
    if at >= len(line) or line[at].kind is not Kind.WORD:
        return "", 0
    word = line[at].word
    if word.card and not word.verb:
        return "", 0
    return meaning_of(_folded(line, at), VERBS)


def read_deed(
    page: Page, line: Sequence[Token], at: int, seat: int, named: Token, *, calls: bool
) -> Done:
    """Read what a player does.

    ``named`` is the token that says who, for problems; ``calls`` whether the statement is of calls.
    """
    if at >= len(line) or line[at].kind is not Kind.WORD:
        _does_nothing(page, seat, named)
        return Done(at)
    word, word_column = line[at].word, line[at].column
    verb, count = verb_at(line, at)
    if verb == "play":
        return Done(_played(page, line, at + count, seat))
    if verb == "bid":
        at, verb = at + count, ""
        word = line[at].word if at < len(line) else word
    if word.bid and not word.card:
        return _bid(page, line, at, seat)
    if verb in {"trump", "reveal"}:
        return Done(_trump(page, line, at + count, seat, verb))
    if verb == "has":
        return Done(_has(page, line, at + count, seat, named))
    if verb in LISTS:
        return Done(_cards(page, line, at, count, seat, verb))
    if verb:
        add(page, seat, verb, word_column)
        if verb in CALLS:
            page.open().last_caller = seat
        return Done(at + count, verb in CALLS)
    return _card_or_nothing(page, line, at, seat, named, calls=calls)


def _card_or_nothing(
    page: Page, line: Sequence[Token], at: int, seat: int, named: Token, *, calls: bool
) -> Done:
    """Read a card, or report what is none."""
    if at >= len(line):
        _does_nothing(page, seat, named)
        return Done(at)
    token = line[at]
    names = page.table.names
    card, count = card_at(line, at)
    if card and count > 1 and calls:
        _card_or_bid(page, token, seat, card)
        return Done(at + count, is_call=True)
    if card:
        return Done(read_play(page, line, at, seat))
    if "/" in token.text and one_card(token.text.partition("/")[0]):
        return Done(read_play(page, line, at, seat))
    if several := cards_of(token.text):
        cards = as_written(several)
        page.error(
            token.column,
            f"several cards after {names.called(seat)}: to give the hand write "
            f"{names.called(seat)} has {cards}; in a trick leave a space between cards",
        )
        return Done(at + 1)
    if names.at(line, at)[0] is not None:
        _does_nothing(page, seat, named)
        return Done(at)
    return Done(_nothing_known(page, line, at, seat))


def _does_nothing(page: Page, seat: int, named: Token) -> None:
    name = page.table.names.called(seat)
    page.error(
        named.column,
        f"{name} does nothing here: a card, a bid or a word such as pass belongs after the name",
    )


def _nothing_known(page: Page, line: Sequence[Token], at: int, seat: int) -> int:
    """Report a word that is nothing a player does; where it is like a card, take it for one."""
    token = line[at]
    near = nearest(token.text, VERBS)
    is_card = not near and bool(nearest_card(token.text) or any(map(str.isdigit, token.text)))
    if is_card:
        page.error(token.column, no_card(token.text))
        add_play(page, seat, "?", token.column)
        return at + 1
    hint = did_you_mean(
        token.text, VERBS, ": a card such as 10h, a bid such as 8, or a word such as pass"
    )
    page.error(token.column, f"{shown(token.text)} is nothing a player does{hint}")
    at += 1
    while at < len(line) and line[at].kind is Kind.WORD:
        if page.table.names.at(line, at, short=False)[0] is not None:
            break
        at += 1
    return at


# --- Calls and trumps


def _bid(page: Page, line: Sequence[Token], at: int, seat: int) -> Done:
    token = line[at]
    bid = token.word.bid
    if is_word(line, at + 1, {"double", "x"}):
        page.error(
            line[at + 1].column,
            f"write {bid}-double for the call above the highest number, or name who doubles",
        )
        return Done(at + 2, is_call=True)
    card, count = card_at(line, at)
    if card and count > 1:
        _card_or_bid(page, token, seat, card)
        return Done(at + count, is_call=True)
    add(page, seat, f"bid {bid}", token.column)
    page.open().last_caller = seat
    at += 1
    if is_word(line, at, {"in", "on", "i", "en"}) and suit_of(_next_word(line, at + 1)):
        _report_trump(page, line[at], seat, line[at + 1].text)
        at += 2
    return Done(at, is_call=True)


def _next_word(line: Sequence[Token], at: int) -> str:
    return line[at].word.folded if at < len(line) else ""


def _report_trump(page: Page, token: Token, seat: int, suit: str) -> None:
    name = page.table.names.called(seat)
    message = (
        "trumps are named after the auction, on a line of their own: "
        f"{name} trump {_SUIT_WORDS[suit_of(fold(suit)) or 'H']}"
    )
    page.error(token.column, message)


def _card_or_bid(page: Page, token: Token, seat: int, card: str) -> None:
    name = page.table.names.called(seat)
    number = token.text
    written = written_card(card)
    suit = _SUIT_WORDS.get(card[1:], "hearts")
    page.error(
        token.column,
        f"is this the card {written}, or a bid of {number}? Write {name} {written}, "
        f"or {name} {number} and then a line {name} trump {suit}",
    )


def trump_at(line: Sequence[Token], at: int, verb: str) -> tuple[str, int]:
    """Return what is named as trumps at a place, and how many words that takes."""
    words = _folded(line, at, 4)
    if not words:
        return "", 0
    turned = words[0].endswith("-reversed")
    words[0] = words[0].removesuffix("-reversed")
    trump, count = words[0] if words[0] in UNKNOWN else suit_of(words[0]) or "", 1
    if not trump:
        trump, count = meaning_of(words, TRUMPS, 2)
        trump = "" if trump == "reversed" else trump
    if not trump:
        return "", 0
    if TRUMPS.get(words[count] if len(words) > count else "") == "reversed":
        turned, count = True, count + 1
    if turned and trump not in UNKNOWN | {"seventh"}:
        trump += "-reversed"
    return ("", 0) if verb == "reveal" and trump in {"seventh", "*"} else (trump, count)


def _trump(page: Page, line: Sequence[Token], at: int, seat: int, verb: str) -> int:
    trump, count = trump_at(line, at, verb)
    if trump:
        add(page, seat, f"{verb} {trump}", line[at].column)
        return at + count
    if at >= len(line):
        column = line[-1].end
        page.error(column, f"what was trumps? Write {_TRUMP_CHOICES}")
        return at
    token = line[at]
    hint = did_you_mean(token.text, [*SUIT_WORDS, "NT", "seventh"], f": write {_TRUMP_CHOICES}")
    page.error(token.column, f"{shown(token.text)} is no trump{hint}")
    while at < len(line) and line[at].kind is Kind.WORD:
        at += 1
    return at


# --- Cards


def _has(page: Page, line: Sequence[Token], at: int, seat: int, named: Token) -> int:
    """Read the cards that somebody was dealt."""
    draft = page.open()
    cards, at = card_list(page, line, at)
    if seat in draft.deal:
        name = page.table.names.called(seat)
        first = draft.deal[seat].line
        message = f"the cards of {name} are given twice, first in line {first}"
        page.error(named.column, message)
    draft.deal[seat] = Given(cards, page.line, named.column)
    return at


def _cards(page: Page, line: Sequence[Token], at: int, count: int, seat: int, verb: str) -> int:
    """Read a verb that takes cards."""
    token = line[at]
    cards, end = card_list(page, line, at + count)
    known = [card for card in cards if card not in UNKNOWN]
    name = page.table.names.called(seat)
    if not cards:
        message = f"which cards? {name} {token.text} …; write 3? for three unknown ones"
        page.error(token.column, message)
    elif len(set(known)) < len(known):
        twice = next(card for card in known if known.count(card) > 1)
        page.error(token.column, f"{written_card(twice)} is named twice")
    elif verb == "claim" and len(cards) > _CLAIMED:
        message = "a claim names the card taken and the card given: claim 7h for Qs"
        page.error(token.column, message)
    else:
        add(page, seat, f"{verb} {' '.join(cards)}", token.column)
    return end


def _played(page: Page, line: Sequence[Token], at: int, seat: int) -> int:
    """Read the card behind the word ``plays``."""
    while at < len(line) and line[at].kind is Kind.COMMA:
        at += 1
    if at < len(line) and (card_at(line, at)[0] or "/" in line[at].text):
        return read_play(page, line, at, seat)
    column = line[at].column if at < len(line) else line[-1].end
    name = page.table.names.called(seat)
    if at < len(line) and nearest_card(line[at].text):
        page.error(column, no_card(line[at].text))
        add_play(page, seat, "?", column)
        return at + 1
    page.error(column, f"which card does {name} play? Write ? if nobody knows")
    return at


def read_play(page: Page, line: Sequence[Token], at: int, seat: int) -> int:
    """Read a card that is played, alone or over those buried under it: ``7h/4h``."""
    token = line[at]
    card, count = card_at(line, at)
    if card and (count > 1 or "/" not in token.text):
        add_play(page, seat, card, token.column)
        return at + count
    cards = [one_card(part) for part in token.text.split("/")]
    known = [each for each in cards if each and each not in UNKNOWN]
    if None in cards:
        page.error(token.column, no_card(token.text))
        add_play(page, seat, "?", token.column)
    else:
        if len(set(known)) < len(known):
            page.error(token.column, f"{shown(token.text)} names one card twice")
        top, *under = [each for each in cards if each]
        add(page, seat, f"bury {' '.join(under)}", token.column)
        add_play(page, seat, top, token.column)
    return at + 1
