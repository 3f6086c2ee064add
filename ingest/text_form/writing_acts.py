"""Writes what was done in a hand: calls on a line, other acts one by one, a line for each trick."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import UNKNOWN, written_card, written_cards
from tricklog.ingest.text_form.deeds import CALLS, LISTS
from tricklog.ingest.text_form.draft import plays_by_trick
from tricklog.ingest.text_form.names import Names, quoted
from tricklog.ingest.text_form.table import Turns
from tricklog.ingest.text_form.vocabulary import is_printable, written

Record = Mapping[str, Any]

_ODD: Final = re.compile(r'[()"“”„«»\\#;]|\s\s|[^\S ]')
_LONG_LINE: Final = 1_000
"""Characters after which calls go on in another line."""
_ENDS: Final = frozenset({"throw-in", "concede", "decided"})
_COUNTED: Final = frozenset({"bid", "pass", "ditto", "tenny"})


class ActsWriter:
    """Writes the acts of one hand."""

    def __init__(
        self, record: Record, names: Names, turns: Turns, *, language: int, all_names: bool
    ) -> None:
        """``all_names``: whether every card stands with a name."""
        self._record = record
        self._names = names
        self._step = turns.step
        self._language = language
        self._all_names = all_names
        self._actions: list[str] = record["actions"]
        self._notes: Mapping[str, str] = record.get("notes", {})
        self._times: Mapping[str, int] = record.get("times", {})
        self._gaps = {gap["before"]: gap for gap in record.get("gaps", ())}
        tricks = plays_by_trick(self._actions, names.seats, turns.step, self._gaps)
        self._leads = {trick[0] for trick in tricks}
        self._of_trick = {at for trick in tricks for at in trick}
        self._winners = self._marks(tricks)
        self._lines: list[str] = []
        self._line = ""
        self._kind = ""
        """What the line is of: ``calls``, ``trick`` or ``other``."""
        self._is_broken = False
        """Whether an act stands between the cards of the trick, so that a name has to follow."""
        self._last_seat = 0

    @property
    def is_marked(self) -> bool:
        """Whether each trick says who took it."""
        return bool(self._winners)

    def _marks(self, tricks: list[list[int]]) -> dict[int, int]:
        """Return who took the trick that ends with an action, if just all tricks are claimed."""
        winners = self._record.get("claimed", {}).get("winners")
        if not winners or self._gaps or len(winners) != len(tricks) or None in winners:
            return {}
        return {trick[-1]: seat for trick, seat in zip(tricks, winners, strict=True)}

    def lines(self) -> Iterator[str]:
        """Return the lines."""
        if self._record.get("known"):
            yield self._contract()
        if self._is_exact():
            self._line = written(languages.KEYWORDS, "bids", self._language)
            self._kind = "bids"
            if not self._begins_with_call():
                self._line += f" {languages.NONE[0][self._language]}"
                self._flush()
        at = 0
        while at < len(self._actions):
            if at in self._gaps:
                self._gap(self._gaps[at])
            at = self._act(at)
        if at in self._gaps:
            self._gap(self._gaps[at])
        self._flush()
        yield from self._lines

    def _flush(self) -> None:
        if self._line:
            self._lines.append(self._line)
        self._line = self._kind = ""

    # --- What a reader would otherwise fill in

    def _is_exact(self) -> bool:
        """Whether it has to be said that the calls are all there were, and nothing is left out."""
        verbs = [act.split(" ", 2)[1] for act in self._actions]
        calls = [at for at, verb in enumerate(verbs) if verb in _COUNTED]
        if any(gap["missing"] == "auction" for gap in self._gaps.values()):
            is_contract = False
        else:
            is_contract = calls == [0] and verbs[0] == "bid"
        is_known = bool(self._record.get("known")) and not calls and 0 not in self._gaps
        return is_contract or is_known or self._is_result_alone(verbs)

    def _is_result_alone(self, verbs: list[str]) -> bool:
        if self._gaps or "play" in verbs or _ENDS.intersection(verbs):
            return False
        if self._record.get("status", "complete") != "complete":
            return False
        was_bid = bool({"bid", "ditto", "tenny"}.intersection(verbs))
        return bool(self._record.get("claimed") or self._record.get("known")) and (
            was_bid or not _COUNTED.intersection(verbs)
        )

    def _begins_with_call(self) -> bool:
        return (
            bool(self._actions)
            and self._actions[0].split(" ", 2)[1] in CALLS
            and 0 not in self._gaps
        )

    # --- Gaps and the contract

    def _gap(self, gap: Record) -> None:
        self._flush()
        missing = written(languages.MISSING, gap["missing"], self._language)
        first, last = gap.get("tricks", (0, 0))
        numbers = f" {first}-{last}" if last > first else f" {first}" if first else ""
        self._lines.append(f"... {missing}{numbers}")
        then = gap.get("then")
        if then is None:
            return
        word = written(languages.KEYWORDS, "then", self._language)
        said = list(self._then(then)) or [languages.NONE[0][self._language]]
        self._lines += [f"{word} {each}" for each in said]

    def _then(self, then: Record) -> Iterator[str]:
        if "winner" in then:
            won = written(languages.THEN, "won", self._language)
            yield f"{self._names.called(then['winner'])} {won}"
        for name, word in (
            ("tricks_won", written(languages.MISSING, "tricks", self._language)),
            ("points", written(languages.KEYWORDS, "points", self._language)),
        ):
            if name in then:
                numbers = ("?" if each is None else str(each) for each in then[name])
                yield f"{word} {' '.join(numbers)}"
        has = written(languages.VERBS, "has", self._language)
        for seat, cards in enumerate(then.get("holdings", ())):
            if cards is not None:
                yield f"{self._names.called(seat)} {has} {self._cards(cards)}"
        if "seen" in then:
            yield f"{written(languages.THEN, 'seen', self._language)} {self._cards(then['seen'])}"

    def _contract(self) -> str:
        known = self._record["known"]
        said = [written(languages.KEYWORDS, "contract", self._language)]
        if "maker" in known:
            said.append(self._names.called(known["maker"]))
        if "bid" in known:
            is_none = known["bid"] == "none"
            said.append(languages.NONE[0][self._language] if is_none else str(known["bid"]))
        if "trump" in known:
            said.append(self._trump(known["trump"]))
        said += [self._verb(known[name]) for name in ("stake", "alone") if name in known]
        if "pair" in known:
            said += [self._verb("pair"), self._names.called(known["pair"])]
        return " ".join(said)

    # --- Acts

    def _act(self, at: int) -> int:
        """Write an action, with a card that is buried under the next one; return what follows."""
        seat, verb, *cards = self._actions[at].split(" ")
        if verb == "bury" and self._is_under_next(at, seat, cards):
            under = "".join(f"/{self._card(card)}" for card in cards)
            self._play(at + 1, int(seat), under)
            return at + 2
        if verb == "play":
            self._play(at, int(seat), "")
            return at + 1
        self._other(at, int(seat), verb, cards)
        return at + 1

    def _is_under_next(self, at: int, seat: str, cards: list[str]) -> bool:
        """Whether buried cards can be written with the card that is played next."""
        if at + 1 >= len(self._actions) or at + 1 in self._gaps:
            return False
        if str(at) in self._times or str(at) in self._notes:
            return False
        following = self._actions[at + 1]
        card = following[7:]
        return following[:7] == f"{seat} play " and (card in UNKNOWN or card not in cards)

    def _play(self, at: int, seat: int, under: str) -> None:
        who = self._names.called(seat)
        card = self._card(self._actions[at].split(" ")[2]) + under
        if at in self._leads or self._kind != "trick":
            self._flush()
            self._line, self._kind = f"{who} {card}", "trick"
        elif self._is_out_of_turn(seat):
            self._line += f", {who} {card}"
        else:
            self._line += f" {card}"
        self._last_seat, self._is_broken = seat, False
        self._line += self._marks_of(at)
        if at in self._winners:
            self._line += f" > {self._names.called(self._winners[at])}"

    def _is_out_of_turn(self, seat: int) -> bool:
        expected = (self._last_seat + self._step) % self._names.seats
        return self._is_broken or self._all_names or seat != expected

    def _other(self, at: int, seat: int, verb: str, cards: list[str]) -> None:
        said = f"{self._names.called(seat)} {self._deed(verb, cards)}{self._marks_of(at)}"
        if self._kind == "bids":
            self._line += f" {said}"
            self._kind = "calls"
        elif verb in CALLS and self._kind == "calls" and len(self._line) < _LONG_LINE:
            self._line += f", {said}"
        elif self._kind == "trick" and self._goes_on(at):
            self._line += f", {said}"
            self._is_broken = True
        else:
            self._flush()
            self._line, self._kind = said, "calls" if verb in CALLS else "other"

    def _goes_on(self, at: int) -> bool:
        """Whether the trick goes on: no gap and no lead comes before its next card."""
        for later in range(at + 1, len(self._actions)):
            if later in self._gaps:
                return False
            if later in self._of_trick:
                return later not in self._leads
        return False

    def _marks_of(self, at: int) -> str:
        """Return the time of an act, and the remark on it."""
        marks = ""
        time = self._times.get(str(at))
        if time is not None:
            seconds, rest = divmod(time, 1000)
            decimals = f".{rest:03}".rstrip("0").rstrip(".")
            marks += f" +{seconds}{decimals}s"
        note = self._notes.get(str(at))
        return marks if note is None else f"{marks} {_note(note)}"

    def _deed(self, verb: str, cards: list[str]) -> str:
        if verb == "bid":
            return cards[0]
        if verb in {"trump", "reveal"}:
            return f"{self._verb(verb)} {self._trump(cards[0])}"
        if verb in LISTS:
            return f"{self._verb(verb)} {self._cards(' '.join(cards))}"
        return self._verb(verb)

    def _verb(self, verb: str) -> str:
        return written(languages.VERBS, verb, self._language)

    def _trump(self, trump: str) -> str:
        suit, _, turned = trump.partition("-")
        rows = languages.SUITS if suit in languages.SUITS else languages.TRUMPS
        word = written(rows, suit, self._language) if suit in rows else suit
        reverse = written(languages.TRUMPS, "reversed", self._language)
        return f"{word} {reverse}" if turned else word

    def _card(self, card: str) -> str:
        return written_card(card, self._names.keys)

    def _cards(self, cards: str) -> str:
        return written_cards(cards, self._language, self._names.keys)


def _note(text: str) -> str:
    """Return a remark in brackets, in quotes where it could be misread."""
    is_plain = bool(text) and text == text.strip() and not _ODD.search(text)
    return f"({text})" if is_plain and all(map(is_printable, text)) else f"({quoted(text)})"
