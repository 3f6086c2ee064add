"""One thing that a player does: a call, a card, or a verb with what belongs to it."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Final

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import (
    RANKS_ONLY,
    SUIT_WORDS,
    UNKNOWN,
    cards_of,
    nearest_card,
    one_card,
    rank_in_words,
    ranks_of,
    suit_of,
    written_card,
)
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.names import Names
from tricklog.ingest.text_form.page import Draft, Given, Page, verb_of
from tricklog.ingest.text_form.problems import did_you_mean, nearest, shown
from tricklog.ingest.text_form.scanner import Kind, Token
from tricklog.ingest.text_form.vocabulary import NONES, TRUMPS, VERBS, meaning_of
from tricklog.schemas.limits import MAX_ACTIONS

_OF: Final = frozenset(map(fold, languages.OF))
_BETWEEN: Final = NONES | {"for", "+", "and", "mot", "por", "&", "och", "ja", "y"}
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


# --- Cards in a row of words


def card_at(line: Sequence[Token], at: int) -> tuple[str | None, int]:
    """Return the card at a place of a line and how many words it takes: ``ace of hearts`` three.

    Of a card played over others, ``7h/4h``, it is the upper one.
    """
    token = line[at]
    if token.kind is not Kind.WORD:
        return None, 0
    if token.word.card:
        return token.word.card, 1
    if "/" in token.text:
        over = [one_card(part) for part in token.text.split("/")]
        return (over[0], 1) if None not in over else (None, 0)
    following = _word(line, at + 1)
    if not following:
        return None, 0
    first = token.word.folded
    rank = rank_in_words(first)
    if rank and following in _OF:
        suit = suit_of(_word(line, at + 2))
        return (rank + suit, 3) if suit else (None, 0)
    suit = suit_of(following)
    if rank and suit:
        return rank + suit, 2
    suit = suit_of(first) if len(first) > 1 or not first.isalpha() else None
    rank = rank_in_words(following)
    return (rank + suit, 2) if rank and suit else (None, 0)


def _word(line: Sequence[Token], at: int) -> str:
    """Return the folded word at a place, empty when there is none."""
    return line[at].word.folded if at < len(line) and line[at].kind is Kind.WORD else ""


def cards_at(line: Sequence[Token], at: int, names: Names) -> tuple[list[str], int]:
    """Return the cards of a list from a place on, and the place behind it."""
    cards: list[str] = []
    suit: str | None = None
    first = at
    while at < len(line):
        token = line[at]
        if token.kind is Kind.COMMA:
            at += 1
            continue
        if token.kind is not Kind.WORD or (at > first and names.is_whole_name(line, at)):
            break
        word = token.word
        if word.card and suit is None:
            cards.append(word.card)
            at += 1
            continue
        if word.folded in _BETWEEN:
            at += 1
            continue
        found, suit, taken = _some_cards(line, at, suit)
        if not taken:
            break
        cards += found
        at += taken
    return cards, at


def _some_cards(
    line: Sequence[Token], at: int, suit: str | None
) -> tuple[Sequence[str], str | None, int]:
    """Return the cards of the next words, the suit of ranks still to come, and how many words.

    ``suit``: the suit of ranks that follow it, as in ``♥ A 10``.
    """
    word = line[at].word
    if "/" in word.text:
        parts = [one_card(part) for part in word.text.split("/")]
        if None not in parts:
            return [part for part in parts if part], None, 1
    card, count = card_at(line, at)
    if card and not (suit and count > 1):
        return [card], (suit_of(word.folded) if count == 2 else None), count  # noqa: PLR2004
    several = None if word.verb else cards_of(word.text)
    if several:
        return several, None, 1
    named = suit_of(word.folded)
    if named and RANKS_ONLY.fullmatch(_word(line, at + 1)):
        return (), named, 1
    if suit and RANKS_ONLY.fullmatch(word.folded):
        return ranks_of(word.folded, suit), suit, 1
    return (), None, 0


def card_list(page: Page, line: Sequence[Token], at: int) -> tuple[list[str], int]:
    """Return the cards of a list, which goes on behind what is no card.

    What is none is reported and taken for a card that is not known.
    """
    names = page.table.names
    cards, at = cards_at(line, at, names)
    while at < len(line) and not page.open().is_given_up:
        token = line[at]
        word = token.word
        if token.kind is not Kind.WORD or word.verb or word.keyword or word.moment is not None:
            break
        if names.at(line, at)[0] is not None:
            break
        page.error(token.column, no_card(token.text))
        more, at = cards_at(line, at + 1, names)
        cards += ["?", *more]
    return cards, at


def no_card(text: str) -> str:
    """Return the sentence about a word that should be a card."""
    word = fold(text[:8])
    if _is_rank(word):
        return f"{shown(text)} has no suit: write {_each_suit(text)}"
    if near := nearest_card(text):
        return f"{shown(text)} is no card; did you mean {near}?"
    if _is_rank(word[:-1]):
        return f"{shown(text)} is no card: write {_each_suit(word[:-1])}"
    return f"{shown(text)} is no card: write 10h, ♥10, joker, or ? for a card nobody knows"


def _is_rank(word: str) -> bool:
    return bool(RANKS_ONLY.fullmatch(word) and rank_in_words(word))


def _each_suit(rank: str) -> str:
    return f"{rank}s, {rank}h, {rank}d or {rank}c"


def as_written(cards: Sequence[str]) -> str:
    """Return cards as they are written in examples."""
    return " ".join(map(written_card, cards))


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


def _add_play(page: Page, seat: int, card: str, column: int) -> None:
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


def last_of(draft: Draft, verbs: Collection[str]) -> int | None:
    """Return the seat that was the last to do one of some things."""
    return next((int(act[0]) for act in reversed(draft.actions) if verb_of(act) in verbs), None)


# --- Reading


def is_word(line: Sequence[Token], at: int, words: Collection[str]) -> bool:
    """Whether one of some folded words stands at a place."""
    return at < len(line) and line[at].kind is Kind.WORD and line[at].word.folded in words


def _folded(line: Sequence[Token], at: int, most: int = 3) -> list[str]:
    """Return the folded words from a place on, up to the next sign."""
    words = itertools.takewhile(lambda token: token.kind is Kind.WORD, line[at : at + most])
    return [token.word.folded for token in words]


def verb_at(line: Sequence[Token], at: int) -> tuple[str, int]:
    """Return the verb at a place and how many words it has, ``("", 0)`` for none."""
    if at >= len(line) or line[at].kind is not Kind.WORD:
        return "", 0
    word = line[at].word
    return ("", 0) if word.card and not word.verb else meaning_of(_folded(line, at), VERBS)


def next_name(page: Page, line: Sequence[Token], at: int) -> int:
    """Return the place of the next sign or whole name."""
    while at < len(line) and line[at].kind is Kind.WORD:
        if page.table.names.at(line, at, short=False)[0] is not None:
            break
        at += 1
    return at


def read_deed(
    page: Page, line: Sequence[Token], at: int, seat: int, named: Token, *, calls: bool
) -> tuple[int, bool]:
    """Read what a player does.

    Args:
        page: where it goes.
        line: the words.
        at: the place of the first one behind the name.
        seat: who does it.
        named: the token that says who, for problems.
        calls: whether the statement is of calls.

    Returns:
        The place behind it, and whether it was a call, after which a number is one, too.
    """
    if at >= len(line) or line[at].kind is not Kind.WORD:
        _does_nothing(page, seat, named)
        return at, False
    word, word_column = line[at].word, line[at].column
    verb, count = verb_at(line, at)
    if verb == "play":
        return _played(page, line, at + count, seat), False
    if verb == "bid":
        at, verb = at + count, ""
        word = line[at].word if at < len(line) else word
    if word.bid and not word.card:
        return _bid(page, line, at, seat), True
    if verb in {"trump", "reveal"}:
        return _trump(page, line, at + count, seat, verb), False
    if verb == "has":
        return _has(page, line, at + count, seat, named), False
    if verb in LISTS:
        return _cards(page, line, at, count, seat, verb), False
    if verb:
        add(page, seat, verb, word_column)
        if verb in CALLS:
            page.open().last_caller = seat
        return at + count, verb in CALLS
    return _card_or_nothing(page, line, at, seat, named, calls=calls)


def _card_or_nothing(
    page: Page, line: Sequence[Token], at: int, seat: int, named: Token, *, calls: bool
) -> tuple[int, bool]:
    """Read a card, or report what is none."""
    names = page.table.names
    if at >= len(line):
        _does_nothing(page, seat, named)
        return at, False
    token = line[at]
    card, count = card_at(line, at)
    if card and count > 1 and calls:
        _card_or_bid(page, token, seat, card)
        return at + count, True
    if card or ("/" in token.text and one_card(token.text.partition("/")[0])):
        return read_play(page, line, at, seat), False
    if several := cards_of(token.text):
        name = names.called(seat)
        page.error(
            token.column,
            f"several cards after {name}: to give the hand write "
            f"{name} has {as_written(several)}; in a trick leave a space between cards",
        )
        return at + 1, False
    if names.at(line, at)[0] is not None:
        _does_nothing(page, seat, named)
        return at, False
    # Where a word that is nothing a player does is like a card, it is taken for one.
    near = nearest(token.text, VERBS)
    if not near and (nearest_card(token.text) or any(map(str.isdigit, token.text))):
        _no_card_played(page, seat, token)
        return at + 1, False
    hint = did_you_mean(
        token.text, VERBS, ": a card such as 10h, a bid such as 8, or a word such as pass"
    )
    page.error(token.column, f"{shown(token.text)} is nothing a player does{hint}")
    return next_name(page, line, at + 1), False


def _does_nothing(page: Page, seat: int, named: Token) -> None:
    name = page.table.names.called(seat)
    page.error(
        named.column,
        f"{name} does nothing here: a card, a bid or a word such as pass belongs after the name",
    )


def _no_card_played(page: Page, seat: int, token: Token) -> None:
    """Report a word that should be the card that is played, and take it for an unknown one."""
    page.error(token.column, no_card(token.text))
    _add_play(page, seat, "?", token.column)


# --- Calls and trumps


def _bid(page: Page, line: Sequence[Token], at: int, seat: int) -> int:
    token = line[at]
    bid = token.word.bid
    if is_word(line, at + 1, {"double", "x"}):
        page.error(
            line[at + 1].column,
            f"write {bid}-double for the call above the highest number, or name who doubles",
        )
        return at + 2
    card, count = card_at(line, at)
    if card and count > 1:
        _card_or_bid(page, token, seat, card)
        return at + count
    add(page, seat, f"bid {bid}", token.column)
    page.open().last_caller = seat
    at += 1
    suit = suit_of(line[at + 1].word.folded) if at + 1 < len(line) else None
    if suit and is_word(line, at, {"in", "on", "i", "en"}):
        name = page.table.names.called(seat)
        page.error(
            line[at].column,
            "trumps are named after the auction, on a line of their own: "
            f"{name} trump {_SUIT_WORDS[suit]}",
        )
        at += 2
    return at


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
        page.error(line[-1].end, f"what was trumps? Write {_TRUMP_CHOICES}")
        return at
    token = line[at]
    hint = did_you_mean(token.text, [*SUIT_WORDS, "NT", "seventh"], f": write {_TRUMP_CHOICES}")
    page.error(token.column, f"{shown(token.text)} is no trump{hint}")
    return at + len(_folded(line, at, len(line)))


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
    if at < len(line) and nearest_card(line[at].text):
        _no_card_played(page, seat, line[at])
        return at + 1
    column = line[at].column if at < len(line) else line[-1].end
    name = page.table.names.called(seat)
    page.error(column, f"which card does {name} play? Write ? if nobody knows")
    return at


def read_play(page: Page, line: Sequence[Token], at: int, seat: int) -> int:
    """Read a card that is played, alone or over those buried under it: ``7h/4h``."""
    token = line[at]
    card, count = card_at(line, at)
    if card and (count > 1 or "/" not in token.text):
        _add_play(page, seat, card, token.column)
        return at + count
    cards = [one_card(part) for part in token.text.split("/")]
    known = [each for each in cards if each and each not in UNKNOWN]
    if None in cards:
        _no_card_played(page, seat, token)
    else:
        if len(set(known)) < len(known):
            page.error(token.column, f"{shown(token.text)} names one card twice")
        top, *under = [each for each in cards if each]
        add(page, seat, f"bury {' '.join(under)}", token.column)
        _add_play(page, seat, top, token.column)
    return at + 1
