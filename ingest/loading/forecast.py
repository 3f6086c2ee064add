"""How much of a load is done: its stages beside each other, by what a hand costs in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Microseconds a hand on two cores. Only how they compare matters, and that not to the last digit.
READ_COMPILED: Final = 10
READ_WITH_CARE: Final = 60
STORE: Final = 5
REPLAY: Final = 300
DERIVE: Final = 25


@dataclass(slots=True)
class Forecast:
    """What a load has met so far, and from that what is still to do."""

    facts: bool = True
    """Whether facts will be made."""
    valid: int = 0
    """Hands that were judged while they were read."""
    careful: int = 0
    """Hands that are replayed after reading."""

    def _read(self) -> int:
        return self.valid * READ_COMPILED + self.careful * READ_WITH_CARE

    def _stored(self) -> int:
        return self._read() + self.valid * STORE

    def _replayed(self) -> int:
        return self._stored() + self.careful * REPLAY

    def _whole(self) -> int:
        return self._replayed() + (self.valid + self.careful) * (DERIVE if self.facts else 0)

    def share_reading(self, done: int, total: int | None) -> float | None:
        """Return the share of the load that is done when ``done`` of ``total`` bytes are read.

        ``None`` where nobody can say: before the first hand, or when the total is not known.
        """
        if not total or not self._whole():
            return None
        return min(1.0, done / total) * self._read() / self._whole()

    def share_storing(self) -> float | None:
        """Return the share that is done before the valid hands are stored."""
        return self._read() / self._whole() if self._whole() else None

    def share_replaying(self, done: int) -> float | None:
        """Return the share that is done when ``done`` hands are replayed after reading."""
        done_in_all = self._stored() + min(done, self.careful) * REPLAY
        return done_in_all / self._whole() if self._whole() else None

    def share_deriving(self, done: int, total: int) -> float | None:
        """Return the share that is done when the facts of ``done`` of ``total`` hands are made."""
        if not self._whole():
            return None
        before = self._replayed()
        return (before + (self._whole() - before) * done / max(1, total)) / self._whole()
