"""Hands that were read one by one, put together so that compiled rules can judge them.

Text, JSON over many lines and records of other programs give hands, not lines of a hand log; their
canonical form is what a hand log would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ingest.reading.reader import Block, LogLine
from schemas.hand import encode_hand

GATHERED: Final = 1 << 20
"""Bytes of hands that are judged together; each of them is held in memory until then."""


class ReadHands(NamedTuple):
    """Hands of one log."""

    lines: list[LogLine]
    canonical: list[bytes]

    def as_block(self) -> Block:
        """Return them as lines of a hand log."""
        text = b"".join([each + b"\n" for each in self.canonical])
        return Block(self.lines[0].file, 0, 0, text)


def gathered(parts: Iterable[Block | LogLine]) -> Iterator[Block | LogLine | ReadHands]:
    """Return parts of logs, hands that were read one by one together.

    What has no hand comes before the hands around it; a hand with warnings comes by itself, so that
    they are told. Logs keep their order.
    """
    held = ReadHands([], [])
    size = 0
    for part in parts:
        is_other = held.lines and held.lines[0].file != _file_of(part)
        if is_other or size >= GATHERED:
            yield held
            held, size = ReadHands([], []), 0
        hand = part.hand if isinstance(part, LogLine) and not part.warnings else None
        if isinstance(part, LogLine) and hand is not None:
            held.lines.append(part)
            held.canonical.append(encode_hand(hand))
            size += len(held.canonical[-1])
        else:
            yield part
    if held.lines:
        yield held


def _file_of(part: Block | LogLine) -> str:
    return part.file if isinstance(part, LogLine) else part.source
