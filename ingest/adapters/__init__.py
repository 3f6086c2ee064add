"""Logs of other programs: from foreign records to hands.

An adapter reads one shape of record, one record a line. It makes of each record one or more hands,
or none at all: then the record is refused as a whole, with the place and the reason. Ids are
``adapter:source:game:hand`` and depend on nothing but the record, so converting a log again gives
the same hands again. Nothing is repaired and nothing made up; what the hand log has no place for
stands under ``ext`` in an object with the adapter's name. ``docs/adapters.md`` says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from ingest.adapters import catch_five_arena, knybbe_pidro, rlcard_29, sixty_three
from ingest.adapters.foreign import SHAPE_HINT, ForeignError
from ingest.reading.decode_errors import explain, locate_duplicate
from ingest.reading.json_positions import place_of
from ingest.reading.reader import LineKind, LogLine, parse_line, read
from ingest.reading.rejects import Reject, RejectCode, Trouble, pointer_to
from schemas.hand import Hand, encode_hand

__all__ = [
    "ADAPTERS",
    "Adapter",
    "ConvertCounts",
    "Converted",
    "ForeignError",
    "UnknownAdapterError",
    "convert",
]


@dataclass(frozen=True, slots=True)
class Adapter:
    """One shape of foreign log.

    ``convert`` takes one decoded JSON record and returns its hands; it raises ``ForeignError``,
    and nothing else, for any record that it cannot turn into hands. Anything else it raises is a
    fault of the adapter, and makes a reject of that record.
    """

    name: str
    program: str
    """Which program's records, in a few words."""
    convert: Callable[[object], list[Hand]]
    shape: type[msgspec.Struct]
    """What a record holds, of which ``convert`` reads it."""

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields that every record has."""
        listed = msgspec.structs.fields(self.shape)
        return frozenset(each.encode_name for each in listed if each.required)


ADAPTERS: Final = {
    adapter.name: adapter
    for adapter in (
        Adapter(
            catch_five_arena.NAME,
            "Pitch with Fives of PGD3311/Catch-Five-Arena",
            catch_five_arena.convert,
            catch_five_arena.Game,
        ),
        Adapter(
            knybbe_pidro.NAME,
            "Finnish Pidro of knybbe/pidro",
            knybbe_pidro.convert,
            knybbe_pidro.Game,
        ),
        Adapter(
            rlcard_29.NAME, "Twenty-Nine of arnob-das/RLCard_29", rlcard_29.convert, rlcard_29.Round
        ),
        Adapter(
            sixty_three.NAME,
            "Sixty-Three of bspaulding/sixty-three",
            sixty_three.convert,
            sixty_three.Game,
        ),
    )
}
"""Every adapter, by the name that ``tricklog convert --from`` takes."""


class UnknownAdapterError(ValueError):
    """No adapter has this name; the message lists those there are."""


@dataclass(frozen=True, slots=True)
class Converted:
    """What became of one line: its hands, or the reject of its record, or (with neither) blank."""

    file: str
    line: int
    hands: tuple[Hand, ...] = ()
    reject: Reject | None = None


@dataclass(slots=True)
class ConvertCounts:
    """Running totals of a conversion; converted + rejected = records."""

    records: int = 0
    """Records read; blank lines are none."""
    converted: int = 0
    """Records that became hands."""
    rejected: int = 0
    """Records, or unreadable places, refused."""
    hands: int = 0

    def add(self, item: Converted) -> None:
        """Count one line."""
        self.records += bool(item.hands) or item.reject is not None
        self.converted += bool(item.hands)
        self.rejected += item.reject is not None
        self.hands += len(item.hands)


def convert(name: str, *paths: str | Path) -> Iterator[Converted]:
    """Convert foreign logs line by line, in bounded memory.

    Args:
        name: a key of ``ADAPTERS``.
        paths: files, folders or ``-``, as ``ingest.reading.reader.read`` takes them.

    Returns:
        Every line in order. Trouble with a record is never raised: it is a ``reject``.

    Raises:
        UnknownAdapterError: there is no such adapter; raised at once.
    """
    adapter = ADAPTERS.get(name)
    if adapter is None:
        raise UnknownAdapterError(f"there is no adapter {name!r}; choose {', '.join(ADAPTERS)}")
    return (convert_line(adapter, line) for line in read(*paths))


OF_HANDS: Final = frozenset(
    {
        RejectCode.UNKNOWN_FORMAT,
        RejectCode.NEWER_FORMAT,
        RejectCode.DUPLICATE_KEY,
        RejectCode.UNKNOWN_FIELD,
        RejectCode.MISSING_FIELD,
        RejectCode.WRONG_TYPE,
        RejectCode.BAD_VALUE,
        RejectCode.BAD_CARD,
        RejectCode.BAD_ACTION,
    }
)
"""Trouble that the hand reader has with any record that is foreign. All other trouble is with the
text itself, or with the place it stands in, and the same for every reader."""


def convert_line(adapter: Adapter, line: LogLine) -> Converted:
    """Return what becomes of one line of another program's log."""
    if line.kind == LineKind.BLANK:
        return Converted(line.file, line.line)
    if line.reject is not None and line.reject.code not in OF_HANDS:
        return Converted(line.file, line.line, reject=line.reject)
    record = _decode(line.text)
    if isinstance(record, Trouble):
        return Converted(line.file, line.line, reject=line.rejected(record).reject)
    try:
        hands = adapter.convert(record)
        for hand in hands:
            _check(hand)
    except ForeignError as error:
        return Converted(line.file, line.line, reject=_reject(line, error))
    except Exception as error:  # noqa: BLE001 - no fault of one record may end the run
        return Converted(
            line.file, line.line, reject=line.rejected(_failure(adapter, error)).reject
        )
    return Converted(line.file, line.line, tuple(hands))


def _failure(adapter: Adapter, error: Exception) -> Trouble:
    said = f"{type(error).__name__}: {error}".rstrip(": .")
    message = f"The adapter {adapter.name} failed on this record ({said})."
    return Trouble(RejectCode.ADAPTER_FAILED, "", message)


def _decode(text: bytes) -> object:
    """Return the record on a line, or the ``Trouble`` with its JSON."""
    try:
        record: object = msgspec.json.decode(text)
    except msgspec.ValidationError:
        return Trouble(RejectCode.BAD_VALUE, "", "A number is too large to be read.")
    except msgspec.DecodeError as error:
        return explain(text, error)
    # The decoder drops a repeated key, and its quotes with it.
    if b"\\u0022" in text or text.count(b'"') != msgspec.json.encode(record).count(b'"'):
        return locate_duplicate(text) or record
    return record


def _check(hand: Hand) -> None:
    """Refuse the record when the hand made of it is one that the reader would not take."""
    trouble = parse_line(encode_hand(hand))
    if isinstance(trouble, Trouble):
        message = f"Its hand {hand.id} could not be read again: {trouble.message}"
        raise ForeignError(trouble.code, (), message, SHAPE_HINT)


def _reject(line: LogLine, error: ForeignError) -> Reject:
    place = place_of(line.text, error.path)
    return Reject(
        file=line.file,
        line=line.line,
        byte=line.byte + (place.start if place else 0),
        code=error.code,
        pointer=pointer_to(*error.path),
        message=error.message,
        hint=error.hint,
        text=line.text,
    )
