"""What players do, in the order in which it is written: calls, trumps, cards, tricks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tricklog.ingest.text_form import deeds
from tricklog.ingest.text_form.card_lists import as_written, card_at, no_card
from tricklog.ingest.text_form.cards import SUIT_WORDS, cards_of, nearest_card, written_card
from tricklog.ingest.text_form.draft import Draft
from tricklog.ingest.text_form.gaps import read_gap
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.ingest.text_form.scanner import Kind, Token
from tricklog.ingest.text_form.vocabulary import KEYWORDS, VERBS

CALLS: Final = frozenset({"pass", "ditto"})
"""Calls that may stand without a name, as bids may."""
_DASHES: Final = frozenset({"-", "–", "—", "--", "−"})
_SHORT_WORD: Final = 3


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
    if not page.table.players:
        _no_players(page, line)
        return None
    return _Acts(page, line, calls=calls, is_fresh=not inside).read()


def _no_players(page: Page, line: Sequence[Token]) -> None:
    first = next((token for token in line if token.kind is Kind.WORD), None)
    if first is not None and "players" not in page.table.broken and not _told(page.opened()):
        page.error(first.column, page.table.names.nobody(first.text))


def _told(draft: Draft) -> bool:
    return any("no players are named" in problem.message for problem in draft.problems)


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
            take = _SIGNS.get(token.kind)
            if take is not None:
                take(self, token)
                continue
            stop = self._word(token)
            if stop is not None:
                return stop
        return None

    # --- Signs

    def _comma(self, _: Token) -> None:
        self.at += 1

    def _remark(self, token: Token) -> None:
        self.at += 1
        deeds.add_remark(self.draft, token.text)

    def _dots(self, _: Token) -> None:
        self.at = read_gap(self.page, self.line, self.at, names_part=self.is_fresh)
        self.is_fresh = False

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

    def _broken(self, token: Token) -> None:
        self.at = len(self.line)
        if token.text == "(":
            self.page.error(token.column, "this ( is never closed by )")
        elif token.text == '"':
            self.page.error(token.column, 'this " is never closed')
        else:
            self.page.error(token.column, f"{shown(token.text)} is no text in quotes")

    def _named(self, token: Token) -> None:
        """Take a name in quotes or behind an @."""
        seat, count = self.names.at(self.line, self.at)
        self.at += max(count, 1)
        self.is_fresh = False
        if seat is None:
            self.page.error(token.column, self._who_at(token))
            self._skip()
        else:
            self._does(seat, token)

    def _who_at(self, token: Token) -> str:
        if token.text.isdecimal() and len(token.text) == 1:
            return f"nobody sits at @{token.text}; the seats are @0 to @{self.names.seats - 1}"
        return self.names.nobody(token.text)

    # --- Words

    def _word(self, token: Token) -> int | None:
        word = token.word
        if word.moment is not None:
            self._moment(token, word.moment)
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

    def _moment(self, token: Token, moment: int) -> None:
        self.at += 1
        if self.draft.actions:
            self.draft.times[str(len(self.draft.actions) - 1)] = moment
        else:
            self.page.error(token.column, "a time stands after what was done at that time")

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
        done = deeds.read_deed(self.page, self.line, self.at, seat, named, calls=self.in_calls)
        self.at = done.at
        self.in_calls = self.in_calls or done.is_call

    def _unnamed(self, token: Token) -> int | None:
        """Read what stands without a name: a card, a call, trumps, or a word that is none."""
        word = token.word
        verb, count = deeds.verb_at(self.line, self.at)
        card, _ = card_at(self.line, self.at)
        if card and not verb:
            self._card(token, card)
        elif word.text in _DASHES and self.draft.last_player is not None:
            self.draft.last_player = self.table.after(self.draft.last_player)
            self.at += 1
        elif (word.bid or verb in CALLS) and self._calls_next():
            assert self.draft.last_caller is not None
            self._does(self.table.after_caller(self.draft.last_caller), token)
        elif verb in {"trump", "reveal"} and self._trumps(token, verb, count):
            pass
        elif verb and verb != "has":
            self._who(token, count)
        elif word.keyword:
            return token.column
        elif word.folded == "no" and deeds.is_word(self.line, self.at + 1, {"cards", "card"}):
            self.at += 2
        else:
            self._no_word(token)
        self.is_fresh = False
        return None

    def _calls_next(self) -> bool:
        return self.in_calls and self.draft.last_caller is not None

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
        elif self.is_fresh and draft.actions and draft.actions[-1][2:6] == "play":
            self.page.error(
                token.column,
                "who leads this trick? Begin with the name, or say who took the one before: "
                f"> {self.names.example()}",
            )
        self.at = deeds.read_play(self.page, self.line, self.at, seat)

    def _trumps(self, token: Token, verb: str, count: int) -> bool:
        """Take trumps that are named without saying by whom; return whether it could be done."""
        seat = deeds.bidder(self.draft) if verb == "trump" else deeds.namer(self.draft)
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

    def _who(self, token: Token, count: int) -> None:
        name = self.names.example()
        message = f"who? {token.text} needs the player's name before it: {name} {token.text} …"
        self.page.error(token.column, message)
        self.at += count
        self._skip()

    def _no_word(self, token: Token) -> None:
        """Report a word that means nothing here; where it should be a card, take it for one."""
        draft = self.draft
        is_card = bool(draft.actions) and draft.actions[-1][2:6] == "play" and not self.is_fresh
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
        elif is_card or self._is_like_a_card(token):
            message = no_card(token.text)
        else:
            message = self._no_meaning(token)
        self.page.error(token.column, message)
        self.at += 1
        if draft.last_player is None or not (is_card or self._is_like_a_card(token) or several):
            self._skip()
            return
        seat = self.table.after(draft.last_player)
        deeds.add(self.page, seat, "play ?", token.column)

    def _is_like_a_card(self, token: Token) -> bool:
        is_short = len(token.text) <= _SHORT_WORD
        return bool(nearest_card(token.text)) and (is_short or any(map(str.isdigit, token.text)))

    def _no_meaning(self, token: Token) -> str:
        called = map(self.names.called, range(self.names.seats))
        known = [*KEYWORDS, *called, *SUIT_WORDS, *VERBS]
        otherwise = f"; the players are {self.names.listed()}"
        hint = did_you_mean(token.text, known, otherwise)
        return f"{shown(token.text)} is neither a player nor a word of the form{hint}"

    def _skip(self) -> None:
        """Go on to the next sign or name."""
        while self.at < len(self.line) and self.line[self.at].kind is Kind.WORD:
            if self.names.at(self.line, self.at, short=False)[0] is not None:
                return
            self.at += 1


_SIGNS: Final[dict[Kind, Callable[[_Acts, Token], None]]] = {
    Kind.COMMA: _Acts._comma,  # noqa: SLF001 - the table of this class
    Kind.NOTE: _Acts._remark,  # noqa: SLF001
    Kind.GAP: _Acts._dots,  # noqa: SLF001
    Kind.WINNER: _Acts._winner,  # noqa: SLF001
    Kind.BROKEN: _Acts._broken,  # noqa: SLF001
    Kind.QUOTED: _Acts._named,  # noqa: SLF001
    Kind.AT: _Acts._named,  # noqa: SLF001
}
