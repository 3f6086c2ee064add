"""What players do, in the order in which it is written: calls, trumps, cards, tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tricklog.ingest.text_form import deeds
from tricklog.ingest.text_form.cards import SUIT_WORDS, cards_of, nearest_card, written_card
from tricklog.ingest.text_form.deeds import as_written, card_at, no_card
from tricklog.ingest.text_form.fields import read_gap
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.ingest.text_form.scanner import Kind, Token
from tricklog.ingest.text_form.vocabulary import KEYWORDS, VERBS

_CALLS: Final = frozenset({"pass", "ditto"})
"""Calls that may stand without a name, as bids may."""
_DASHES: Final = frozenset({"-", "–", "—", "--", "−"})
_SHORT_WORD: Final = 3
_NEVER_CLOSED: Final = {"(": "this ( is never closed by )", '"': 'this " is never closed'}


def read_acts(
    page: Page, line: Sequence[Token], *, calls: bool = False, inside: bool = False
) -> int | None:
    """Read the acts of a statement.

    Args:
        page: where they go.
        line: the words.
        calls: whether they are said to be calls.
        inside: whether something else of the line stands before them.

    Returns:
        The column at which another kind of statement begins, if one does.
    """
    table = page.table
    if table.players:
        return _Acts(page, line, calls=calls, is_fresh=not inside).read()
    first = next((token for token in line if token.kind is Kind.WORD), None)
    if first and "players" not in table.broken and not page.opened().lacks_players:
        page.error(first.column, table.names.nobody(first.text))
    return None


class _Acts:
    """Reads one statement, act by act."""

    def __init__(self, page: Page, line: Sequence[Token], *, calls: bool, is_fresh: bool) -> None:
        self.page = page
        self.table = page.table
        self.names = page.table.names
        self.draft = page.opened()
        self.line = line
        self.at = 0
        self.is_fresh = is_fresh
        """Whether nothing of the statement has been taken yet."""
        self.in_calls = calls
        """Whether a number is a bid, and of whom, without a name."""

    def read(self) -> int | None:
        """Read all acts; return the column of a keyword that ends them."""
        while self.at < len(self.line) and not self.draft.is_given_up:
            token = self.line[self.at]
            if token.kind is not Kind.WORD:
                self._sign(token)
            elif (stop := self._word(token)) is not None:
                return stop
        return None

    def _sign(self, token: Token) -> None:
        if token.kind is Kind.COMMA:
            self.at += 1
        elif token.kind is Kind.NOTE:
            self.at += 1
            deeds.add_remark(self.draft, token.text)
        elif token.kind is Kind.GAP:
            self.at = read_gap(self.page, self.line, self.at, names_part=self.is_fresh)
            self.is_fresh = False
        elif token.kind is Kind.WINNER:
            self._winner(token)
        elif token.kind is Kind.BROKEN:
            self.at = len(self.line)
            otherwise = f"{shown(token.text)} is no text in quotes"
            self.page.error(token.column, _NEVER_CLOSED.get(token.text, otherwise))
        else:
            self._marked_name(token)

    def _winner(self, token: Token) -> None:
        """Take who took the trick that has just been played."""
        seat, count = self.names.at(self.line, self.at + 1)
        self.at += 1 + count
        if seat is None:
            self.page.error(token.column, "after > stands who took the trick")
            self.at += 1
        elif self.draft.last_player is None:
            message = "who took which trick? > stands after the cards of a trick"
            self.page.error(token.column, message)
        else:
            played = [place for place, act in enumerate(self.draft.actions) if act[2:6] == "play"]
            self.draft.taken_by[played[-1]] = seat
            self.draft.taken_at[played[-1]] = (self.page.line, token.column)

    def _marked_name(self, token: Token) -> None:
        """Take a name in quotes or behind an @."""
        seat, count = self.names.at(self.line, self.at)
        self.at += max(count, 1)
        self.is_fresh = False
        if seat is not None:
            self._does(seat, token)
            return
        message = self.names.nobody(token.text)
        if token.text.isdecimal() and len(token.text) == 1:
            last = self.names.seats - 1
            message = f"nobody sits at @{token.text}; the seats are @0 to @{last}"
        self.page.error(token.column, message)
        self._skip()

    # --- Words

    def _word(self, token: Token) -> int | None:
        word = token.word
        if word.moment is not None:
            self.at += 1
            if self.draft.actions:
                self.draft.times[str(len(self.draft.actions) - 1)] = word.moment
            else:
                message = "a time stands after what was done at that time"
                self.page.error(token.column, message)
            return None
        is_trump = self.is_fresh and word.verb == "trump"
        seat, count = (None, 0) if is_trump else self.names.at(self.line, self.at)
        if seat is not None:
            self._warn_of_card(token, count)
            self.at += count
            self.is_fresh = False
            self._does(seat, token)
            return None
        if word.keyword and not (self.is_fresh or word.verb):
            return token.column
        return self._unnamed(token)

    def _warn_of_card(self, token: Token, count: int) -> None:
        """Warn once of a name that is a card as well."""
        card = token.word.card
        if card and count == 1 and token.text not in {"?", "*"}:
            other = written_card(card, self.names.keys)
            message = (
                f"{token.text} is read as the player; for the card write {other}, "
                f"for the player @{token.text}"
            )
            self.page.warn(token.column, message, once=f"card {token.word.key}")

    def _does(self, seat: int, named: Token) -> None:
        """Read what a player does whose name has been read."""
        while self.at < len(self.line):
            kind = self.line[self.at].kind
            if kind is Kind.NOTE:
                self.draft.waiting.append(self.line[self.at].text)
            elif kind is not Kind.COMMA:
                break
            self.at += 1
        self.at, is_call = deeds.read_deed(
            self.page, self.line, self.at, seat, named, calls=self.in_calls
        )
        self.in_calls = self.in_calls or is_call

    def _unnamed(self, token: Token) -> int | None:
        """Read what stands without a name: a card, a call, trumps, or a word that is none."""
        word, draft = token.word, self.draft
        verb, count = deeds.verb_at(self.line, self.at)
        card, _ = card_at(self.line, self.at)
        calls_next = self.in_calls and (word.bid or verb in _CALLS)
        if card and not verb:
            self._card(token, card)
        elif word.text in _DASHES and draft.last_player is not None:
            draft.last_player = self.table.after(draft.last_player)
            self.at += 1
        elif calls_next and draft.last_caller is not None:
            self._does(self.table.after_caller(draft.last_caller), token)
        elif verb in {"trump", "reveal"} and self._trumps(token, verb, count):
            pass
        elif verb and verb != "has":
            name = self.names.example()
            message = f"who? {token.text} needs the player's name before it: {name} {token.text} …"
            self.page.error(token.column, message)
            self.at += count
            self._skip()
        elif word.keyword:
            return token.column
        elif word.folded == "no" and deeds.is_word(self.line, self.at + 1, {"cards", "card"}):
            self.at += 2
        else:
            self._no_word(token)
        self.is_fresh = False
        return None

    def _card(self, token: Token, card: str) -> None:
        """Take a card of the next player, or of who leads where a line begins with it."""
        draft = self.draft
        if draft.last_player is None:
            name = self.names.example()
            self.page.error(
                token.column,
                f"who leads? Begin with the player's name: {name} {written_card(card)} …",
            )
            draft.last_player = (0 - self.table.turns.step) % self.names.seats
        seat = self.table.after(draft.last_player)
        last = len(draft.actions) - 1
        if self.is_fresh and last in draft.taken_by:
            seat = draft.taken_by[last]
        elif self.is_fresh and draft.is_in_play:
            self.page.error(
                token.column,
                "who leads this trick? Begin with the name, or say who took the one before: "
                f"> {self.names.example()}",
            )
        self.at = deeds.read_play(self.page, self.line, self.at, seat)

    def _trumps(self, token: Token, verb: str, count: int) -> bool:
        """Take trumps that are named without saying by whom; return whether it could be done.

        Trumps are for the last bidder to name, or for who plays alone.
        """
        verbs = {"bid", "ditto", "solo"} if verb == "trump" else {"trump"}
        seat = deeds.last_of(self.draft, verbs)
        if seat is not None:
            self._does(seat, token)
            return True
        if verb == "reveal":
            return False
        trump, taken = deeds.trump_at(self.line, self.at + count, verb)
        if trump in {"?", "*", "seventh", ""}:
            return False
        self.draft.known["trump"] = trump
        self.at += count + taken
        return True

    def _no_word(self, token: Token) -> None:
        """Report a word that means nothing here; where it should be a card, take it for one."""
        draft = self.draft
        is_short = len(token.text) <= _SHORT_WORD or any(map(str.isdigit, token.text))
        is_card = draft.is_in_play and not self.is_fresh
        is_like_card = is_card or (bool(nearest_card(token.text)) and is_short)
        several = cards_of(token.text)
        if several:
            cards = as_written(several)
            message = f"{shown(token.text)} are several cards: leave a space between them, {cards}"
        elif token.word.bid and not is_card:
            name = self.names.example()
            message = (
                f"{token.text}: who bids? Write the name before it, {name} {token.text}; "
                "a card has a suit, such as 7h"
            )
        elif is_like_card:
            message = no_card(token.text)
        else:
            called = list(map(self.names.called, range(self.names.seats)))
            known = [*KEYWORDS, *called, *SUIT_WORDS, *VERBS]
            hint = did_you_mean(token.text, known, f"; the players are {', '.join(called)}")
            message = f"{shown(token.text)} is neither a player nor a word of the form{hint}"
        self.page.error(token.column, message)
        self.at += 1
        if draft.last_player is None or not (is_like_card or several):
            self._skip()
        else:
            deeds.add(self.page, self.table.after(draft.last_player), "play ?", token.column)

    def _skip(self) -> None:
        """Go on to the next sign or name."""
        self.at = deeds.next_name(self.page, self.line, self.at)
