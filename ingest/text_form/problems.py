"""What is wrong with a text, as values: where, what was written, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tricklog.ingest.text_form.folding import fold

MOST: Final = 20
"""Problems of one hand that are reported; the rest of it is passed over then."""
_JOINED: Final = re.compile(r"(?:^|; )([1-9]\d*):([1-9]\d*) ")
"""How each of several problems begins in one message."""
_SHOWN: Final = 40
"""Characters of what was written that a message repeats."""


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"
    """The hand is not read."""
    WARNING = "warning"
    """The hand is read as it stands, which may not be what was meant."""
    NOTE = "note"
    """Something was taken to be meant that is not written."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: ``line`` and ``column`` count from 1, the column in characters."""

    line: int
    column: int
    severity: Severity
    message: str

    def __str__(self) -> str:
        """Return it as people are shown it, without the file."""
        return f"{self.line}:{self.column} {self.message}"


def problems_in(message: str) -> tuple[Problem, ...]:
    """Return the errors that were joined to one message, each as ``str`` gives it, by semicolons.

    Nothing where it begins with no place. Its full stop belongs to none of them.
    """
    message = message.removesuffix(".")
    begins = list(_JOINED.finditer(message))
    if not begins or begins[0].start():
        return ()
    ends = [each.start() for each in begins[1:]] + [len(message)]
    return tuple(
        Problem(int(each[1]), int(each[2]), Severity.ERROR, message[each.end() : end])
        for each, end in zip(begins, ends, strict=True)
    )


def shown(text: str) -> str:
    """Return what was written, in quotes, cut when it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was meant, empty when none is near.

    Near is: one letter in three, and always one, was left out, added, changed, or changed places.
    """
    written = fold(word[:_SHOWN])
    most = max(1, len(written) // 3)
    best: tuple[int, bool, bool, int, str] | None = None
    for place, each in enumerate(known):
        other = fold(each)
        if abs(len(other) - len(written)) > most:
            continue
        apart = _apart(written, other)
        rank = (apart, not other.startswith(written), other[:1] != written[:1], place, each)
        if apart <= most and (best is None or rank < best):
            best = rank
    return best[4] if best else ""


def _apart(first: str, second: str) -> int:
    """Return how many letters to add, drop, change or swap make one word the other."""
    before: list[int] = []
    above = list(range(len(second) + 1))
    for down, letter in enumerate(first, 1):
        row = [down]
        for along, other in enumerate(second, 1):
            row.append(min(row[-1] + 1, above[along] + 1, above[along - 1] + (letter != other)))
            if down > 1 and along > 1 and letter == second[along - 2] and other == first[down - 2]:
                row[-1] = min(row[-1], before[along - 2] + 1)
        before, above = above, row
    return above[-1]


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return ``; did you mean x?``, or what to say where no known word is near."""
    near = nearest(word, known)
    return f"; did you mean {near}?" if near else otherwise
