"""The place where bots play hands: by the library, or in plain Python where there is none."""

import random
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tricklog.core.card_sense.choices import ILLEGAL, NO_MAKER, Drawn, Luck, Mind, Seats, play_hand
from tricklog.core.compiled.batch import NEW_STATE, RULES, STATE
from tricklog.core.engine.records import SEATS, Rules, State, dtype_of, pack
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.native import library
from tricklog.core.native.library import Call
from tricklog.schemas.cards import CARD_COUNT
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import ScannedAction

Deed = tuple[int, ...]
"""An action: seat, verb, amount, first card, cards as a set, and how many."""

_WORDS: Final = 1024
"""Numbers drawn for a hand: two for a card played, and some for one played without thinking."""
_MAKER: Final = -1
"""Where this stands among the words of the arguments of ``play_hand``."""
_FIELDS: Final = 6


class PlayTable:
    """A table of bots that plays one hand after the other; for one thread at a time."""

    def __init__(
        self, rules: Rules, minds: Sequence[Mind], *, compiled: bool | None = None
    ) -> None:
        """Sit down under rules as resolved for so many seats.

        ``compiled``: whether the library plays; by default where there is one.
        """
        self._rules, self.minds = rules, list(minds)
        self._call: Call | None = None
        self._state: Any
        """That of the last hand, a record of numpy or a ``State``."""
        self._result: Any
        self._done: Any = [ScannedAction() for _ in range(MAX_ACTIONS)]
        if library.is_there() if compiled is None else compiled:
            seats = self._seats = seats_of(len(minds))
            for mind, row in zip(minds, seats.minds, strict=True):
                pack(mind, row)
            packed = np.zeros(1, RULES)
            pack(rules, packed[0])
            self._state, self._result, self._done = seats.states[0], seats.results[0], seats.done
            self._call = Call("play", seats, packed[0], NO_MAKER)

    def play(
        self,
        cards: Sequence[int],
        dealer: int,
        before: Sequence[int],
        chance: random.Random,
        maker: int = NO_MAKER,
    ) -> list[Deed]:
        """Play a hand and return what was done; see ``card_sense.choices.Seats`` and ``play_hand``.

        Bots draw from ``chance`` what they leave to it. Raises ``AssertionError`` when one does
        something illegal: that is a bug.
        """
        if self._call:
            seats = self._seats
            seats.states[0] = NEW_STATE[0]
            self._state["dealer"] = dealer
            seats.cards[: len(cards)] = cards
            seats.before[: len(before)] = before
            seats.luck.used[0] = 0
            drawn_from = chance.getstate()
            drawn = chance.getrandbits(32 * _WORDS).to_bytes(4 * _WORDS, "little")
            seats.luck.words[:] = np.frombuffer(drawn, "<u4")
            self._call.words[_MAKER] = maker
            count = self._call()
            # Nobody else is to find numbers missing that nobody used.
            chance.setstate(drawn_from)
            if used := int(seats.luck.used[0]):
                chance.getrandbits(32 * used)
            deeds = [row[:_FIELDS] for row in self._done[: max(0, count)].tolist()]
        else:
            self._state, self._result = State(dealer=dealer), Result()
            luck = Luck(Drawn(chance), [0])
            records = [self._state], [self._result]
            seats = Seats(*records, cards, self.minds, luck, before, self._done)
            count = play_hand(seats, self._rules, maker)
            done = self._done[: max(0, count)]
            deeds = [(it.seat, it.verb, it.amount, it.card, it.cards, it.size) for it in done]
        if count == ILLEGAL:
            raise AssertionError("a bot did something illegal")
        return deeds

    def points_of(self, side: int) -> int:
        """Return the card points that a side has taken in the last hand."""
        points = self._state["points"] if self._call else self._state.points
        return int(points[side])

    def result(self) -> Result:
        """Return how the last hand ended."""
        if isinstance(self._result, Result):
            return self._result
        return Result(**{name: self._result[name].tolist() for name in self._result.dtype.names})


def seats_of(count: int) -> Seats:
    """Return what the library plays hands of so many players with."""
    return Seats(
        np.zeros(1, STATE),
        np.zeros(1, dtype_of(Result())),
        np.zeros(CARD_COUNT, np.int64),
        np.zeros(count, dtype_of(Mind(), "float64")),
        Luck(np.zeros(_WORDS, np.uint32), np.zeros(1, np.int64)),
        np.zeros(SEATS, np.int64),
        np.zeros(MAX_ACTIONS, dtype_of(ScannedAction())),
    )
