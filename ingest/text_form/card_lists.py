"""Cards in a row of words: one card in up to three words, and lists of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import (
    RANKS_ONLY,
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
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import shown
from tricklog.ingest.text_form.scanner import Kind, Token
from tricklog.ingest.text_form.vocabulary import NONES

_OF: Final = frozenset(map(fold, languages.OF))
_BETWEEN: Final = NONES | {"for", "+", "and", "mot", "por", "&", "och", "ja", "y"}
_SUITS: Final = "shdc"


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
    rank = word if rank_in_words(word) and RANKS_ONLY.fullmatch(word) else ""
    if rank:
        return f"{shown(text)} has no suit: write {_each_suit(text)}"
    near = nearest_card(text)
    if near:
        return f"{shown(text)} is no card; did you mean {near}?"
    rank = word[:-1] if RANKS_ONLY.fullmatch(word[:-1]) and rank_in_words(word[:-1]) else ""
    if rank:
        return f"{shown(text)} is no card: write {_each_suit(rank)}"
    return f"{shown(text)} is no card: write 10h, ♥10, joker, or ? for a card nobody knows"


def _each_suit(rank: str) -> str:
    first, second, third, fourth = (rank + suit for suit in _SUITS)
    return f"{first}, {second}, {third} or {fourth}"


def as_written(cards: Sequence[str]) -> str:
    """Return cards as they are written in examples."""
    return " ".join(map(written_card, cards))
