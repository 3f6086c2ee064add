"""The bulk lane: valid hands of a log, read, replayed and coded by the library.

A block of lines goes to the compiled driver, which says which of them are valid hands and writes
their columns. The hands become one Arrow table; all other lines are read with care. The driver runs
on threads of its own, so that the next blocks are judged while the last one is taken up.
"""

from __future__ import annotations

import ctypes
import hashlib
import sys
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from tricklog.core import Ruleset, RulesetError
from tricklog.core.engine.facts import NOT_KNOWN
from tricklog.core.judging.standing import ALONE, RESULTS
from tricklog.core.native import library
from tricklog.core.rulesets.ruleset import resolved, seats_problem
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import Block, LogLine, read_block, read_blocks, read_line
from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.ingest.store import mornings, rows
from tricklog.schemas.hand import Player, RulesRef, encode_hand
from tricklog.schemas.limits import MAX_SEATS

if TYPE_CHECKING:
    from tricklog.core.compiled.driver import Columns, Lines
    from tricklog.core.engine.records import Rules

BLOCK: Final = 1 << 23
"""Bytes judged at a time."""
SEATINGS_KEPT: Final = 1 << 25
"""Bytes of seatings kept in memory; when there are more, numbers are given again."""
RULES_KEPT: Final = 4_000
"""Rules kept in memory; hands under still more rules are read with care until the next block."""
_SEATING_SIZE: Final = 500
"""Bytes that a seating takes in memory beside its text."""
LANES: Final = 2
"""Blocks judged at the same time, if nobody says otherwise."""
GATHERED: Final = 1 << 20
"""Bytes of hands that are judged together; each of them is held in memory until then."""
_MMAP_THRESHOLD: Final = -3
"""What the allocator of Linux calls the size from which on blocks are given back."""
_GIVEN_BACK: Final = 1 << 18
"""Bytes of such a block."""

Array = Any


@dataclass(frozen=True, slots=True)
class ValidHands:
    """The valid hands of a block."""

    file: str
    hands: pa.Table
    """Columns of table hands, but for import and file; ``byte``, where the line starts, and
    ``text``, the line as it was read where that is not the canonical form."""
    seatings: pa.Table
    """Columns of table seatings: those not told before."""


class ReadHands(NamedTuple):
    """Hands of one log that were read one by one, to be judged together by compiled rules.

    Text, JSON over many lines and records of other programs give hands, not lines of a hand log;
    their canonical form is what a hand log would have.
    """

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
        file = part.file if isinstance(part, LogLine) else part.source
        is_other = held.lines and held.lines[0].file != file
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


class _Seating(msgspec.Struct):
    rules: RulesRef
    players: list[Player]


def read_bulk(
    *paths: str | Path | Source, byte_counter: ByteCounter, lanes: int = LANES
) -> Iterator[ValidHands | LogLine]:
    """Read hand logs: valid hands in tables, every other line by itself.

    Lines come in order, but for valid hands, which come after the other lines of their block.
    Where there is no library every line comes by itself. ``lanes``: how many blocks are judged at
    the same time.
    """
    sources = find_sources(paths)
    parts = (part for each in sources for part in read_blocks(each, byte_counter, BLOCK))
    yield from judge_read(parts, lanes)


def judge_read(
    parts: Iterator[Block | LogLine], lanes: int = LANES
) -> Iterator[ValidHands | LogLine]:
    """Judge blocks of lines, and lines that were read one by one, as ``read_bulk`` does."""
    _give_back_large_blocks()
    if not library.is_there():
        for part in parts:
            yield from [part] if isinstance(part, LogLine) else read_block(part)
        return
    judging = None
    waiting: deque[tuple[_Lanes, Block | ReadHands, Future[_Judged]]] = deque()

    def taken(most: int) -> Iterator[ValidHands | LogLine]:
        while len(waiting) > most:
            judged_by, block, judged = waiting.popleft()
            yield from judged_by.take(block, judged.result())

    with ThreadPoolExecutor(max_workers=lanes) as pool:
        for each in gathered(parts):
            if isinstance(each, LogLine):
                yield from taken(0)
                yield each
                continue
            judging = judging or _Lanes(lanes)
            block = each.as_block() if isinstance(each, ReadHands) else each
            waiting.append((judging, each, pool.submit(judging.judge, block)))
            yield from taken(0 if block.is_urgent else lanes)
        yield from taken(0)


def _give_back_large_blocks() -> None:
    """Have each block of more than 256 KiB returned to the system as soon as it is freed.

    By itself the allocator of Linux keeps blocks of up to 32 MiB, in pieces that do not fit the
    next one: reading 8 MiB of logs at a time on several threads took some 250 MB more.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _GIVEN_BACK)


def _readable(text: bytes) -> bytes:
    """Return the text of a block with spaces in the place of lines that are not UTF-8."""
    if text.isascii() or _is_utf8(text):
        return text
    lines = text.split(b"\n")
    return b"\n".join(line if _is_utf8(line) else b" " * len(line) for line in lines)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the driver made of a block."""

    log: Lines
    columns: Columns
    numbers: array[int]
    """By the number that the columns give a seating: the one that it has been given."""
    seatings: _Seatings
    hashes: pa.Array
    """``content_hash`` of every valid hand."""


class _Seatings:
    """Seatings that were met on any lane: the number each was given, and what it means."""

    def __init__(self, numbers: Iterator[int], lanes: int) -> None:
        self._numbers = numbers
        self._lanes = lanes
        self._lock = Lock()
        self._known: dict[bytes, tuple[int, Rules | None]] = {}
        self._rules: dict[tuple[str, int], Rules] = {}
        self._size = 0
        self._untold: list[tuple[int, _Seating, Ruleset]] = []

    @property
    def is_full(self) -> bool:
        """Whether so much is known that it is time to begin again."""
        return self._size > SEATINGS_KEPT or len(self._rules) >= RULES_KEPT

    def resolve(self, text: bytes) -> tuple[int, Rules | None]:
        """Return number and rules of a seating; no rules when only careful reading can judge it."""
        with self._lock:
            if text not in self._known:
                self._known[text] = self._learn(text)
                # The text is kept here and on every lane.
                self._size += _SEATING_SIZE + (1 + self._lanes) * len(text)
            return self._known[text]

    def _learn(self, text: bytes) -> tuple[int, Rules | None]:
        number = next(self._numbers)
        if len(self._rules) >= RULES_KEPT:
            return number, None
        whole = b'{"rules":' + text + b"}"
        try:
            seating = msgspec.json.decode(whole, type=_Seating)
            ruleset = resolved(seating.rules)
        except (msgspec.DecodeError, RulesetError):
            return number, None
        exact = msgspec.json.encode(seating, order="deterministic") == whole
        seats = len(seating.players)
        alone = len({player.id for player in seating.players}) == seats
        if not exact or not alone or seats_problem(ruleset, seats):
            return number, None
        self._untold.append((number, seating, ruleset))
        # One record for all who write the same rules: the lanes keep a copy of each.
        return number, self._rules.setdefault((ruleset.hash, seats), ruleset.rules(seats))

    def news(self) -> pa.Table:
        with self._lock:
            untold, self._untold = self._untold, []
        found = []
        for number, seating, ruleset in untold:
            rules = msgspec.json.encode(seating.rules, order="deterministic").decode()
            found.append(rows.seating_row(number, rules, seating.players, ruleset))
        return rows.to_table(rows.SEATING_TYPES, found)


class _Lane:
    """What one block at a time is judged with."""

    def __init__(self, seatings: _Seatings) -> None:
        from tricklog.core.compiled import batch

        self.place = batch.buffers()
        self.room = batch.ColumnBuffers()
        self.use(seatings)

    def use(self, seatings: _Seatings) -> None:
        """Judge with the seatings, from now on."""
        from tricklog.core.compiled import batch

        self.seatings = seatings
        self.known = batch.KnownSeatings(self._rules_of)
        self.numbers = array("i")

    def _rules_of(self, text: bytes) -> Rules | None:
        number, rules = self.seatings.resolve(text)
        self.numbers.append(number)
        return rules


class _Lanes:
    """Where blocks are judged, each on a lane that nobody else uses meanwhile."""

    def __init__(self, lanes: int) -> None:
        from tricklog.core.compiled import batch

        self._batch = batch
        self._lanes = lanes
        self._numbers = count()
        self._seatings = _Seatings(self._numbers, lanes)
        self._free: SimpleQueue[_Lane] = SimpleQueue()
        for _ in range(lanes):
            self._free.put(_Lane(self._seatings))

    def judge(self, block: Block) -> _Judged:
        text = _readable(block.text)
        lane = self._free.get()
        try:
            if self._seatings.is_full:
                self._seatings = _Seatings(self._numbers, self._lanes)
            if lane.seatings is not self._seatings:
                lane.use(self._seatings)
            log = self._batch.lines_of(text)
            columns = self._batch.judge(log, lane.place, lane.room, lane.known)
            hashes = _hashes(log, np.flatnonzero(columns.hands["valid"]))
            return _Judged(log, columns, lane.numbers, lane.seatings, hashes)
        finally:
            self._free.put(lane)

    def take(self, part: Block | ReadHands, judged: _Judged) -> Iterator[ValidHands | LogLine]:
        """Return what is not valid of a block, or of hands that were read, then the valid hands.

        Hands not written in canonical form are judged once more when they have been read.
        """
        log, valid = judged.log, judged.columns.hands["valid"].astype(np.bool_)
        rewritten = ReadHands([], [])
        texts: list[bytes | None] = []
        if isinstance(part, ReadHands):
            file = part.lines[0].file
            yield from (
                line for line, is_valid in zip(part.lines, valid, strict=True) if not is_valid
            )
            numbers = np.array([line.line for line in part.lines])
            first_bytes = np.array([line.byte for line in part.lines])
            texts = [
                None if line.text == canonical else line.text
                for line, canonical, is_valid in zip(*part, valid, strict=True)
                if is_valid
            ]
        else:
            file = part.source
            numbers, first_bytes = np.arange(len(log.starts)) + part.number, log.starts + part.byte
            for index in np.flatnonzero(~valid).tolist():
                line = read_line(part, index, int(log.starts[index]), int(log.ends[index]))
                canonical = encode_hand(line.hand) if line.hand else line.text
                if canonical == line.text:
                    yield line
                else:
                    rewritten.lines.append(line)
                    rewritten.canonical.append(canonical)
        if valid.any():
            hands = hands_table(judged, (numbers, first_bytes), texts)
            yield ValidHands(file, hands, judged.seatings.news())
        if rewritten.lines:
            yield from self.take(rewritten, self.judge(rewritten.as_block()))


def hands_table(
    judged: _Judged, places: tuple[Array, Array], texts_read: list[bytes | None]
) -> pa.Table:
    """Return the valid hands of a block, with the columns that ``ValidHands.hands`` has.

    ``places``: number and first byte of every line; ``texts_read``: the valid lines as they were
    read, ``None`` of those that are canonical, or nothing where all are.
    """
    from tricklog.core.compiled.driver import LISTS, TEXTS

    columns = judged.columns
    valid = columns.hands["valid"].astype(np.bool_)
    hands, results = columns.hands[valid], columns.results[valid]
    texts = {
        name: _texts(columns.texts[place], columns.text_ends[place], valid)
        for place, name in enumerate(TEXTS)
    }
    lists = {
        name: _list(getattr(columns, name), columns.list_ends[place], valid)
        for place, name in enumerate(LISTS)
    }
    played = results["ending"] != RESULTS.index("thrown_in")
    contract = results["contract"] == 1
    scored, timed = hands["has_scores"] == 1, hands["has_time"] == 1
    days, is_likely = mornings.evenings_of(hands["hour"])
    winner = results["winner"]

    def numbers(name: str, values: Array, left_out: Array | None = None) -> pa.Array:
        return _array(values, rows.HAND_TYPES[name], None if left_out is None else ~left_out)

    def per_side(name: str, values: Array, known: Array | None = None) -> pa.Array:
        return _per_side(values, hands["sides"], rows.HAND_TYPES[name].value_type, known)

    data = {
        "hand_id": texts.pop("id"),
        **texts,
        "game": _masked(texts["game"], hands["has_game"] == 1),
        "content_hash": judged.hashes,
        "line": numbers("line", places[0][valid]),
        "byte": _array(places[1][valid], pa.int64()),
        "text": pa.array(texts_read, pa.binary())
        if texts_read
        else pa.nulls(len(hands), pa.binary()),
        "hand": numbers("hand", hands["number"], hands["number"] == 0),
        "started_at": _array(hands["started"], rows.HAND_TYPES["started_at"], timed),
        "day": _array(days, rows.HAND_TYPES["day"], timed & is_likely),
        "seating_id": numbers("seating_id", np.asarray(judged.numbers[:])[hands["seating"]]),
        "dealer": numbers("dealer", hands["dealer"]),
        "scores_before": per_side("scores_before", hands["before"], scored),
        "verdict": _constant("valid", len(hands)),
        "doubts": pa.ListArray.from_arrays(
            _array(np.zeros(len(hands) + 1, np.int32)), pa.array([], pa.string())
        ),
        "played": numbers("played", hands["played"]),
        "result": _named(results["ending"], list(RESULTS)),
        "maker": numbers("maker", results["maker"], ~played),
        "bid": numbers("bid", results["bid"], ~contract),
        "need": numbers("need", results["need"], ~contract),
        "trump_code": numbers("trump_code", results["trump"], ~played),
        "forced": _array(results["forced"] == 1),
        "no_contract": _array(results["no_contract"] == 1),
        "alone_by": _named(results["alone"], list(ALONE)),
        "stake": numbers("stake", results["stake"]),
        "points": per_side("points", results["points"]),
        "change": per_side("change", results["change"]),
        "scores": per_side("scores", results["scores"], scored),
        "winner_side": numbers("winner_side", winner, ~scored | (winner < 0)),
        **lists,
        "seat_facts": _facts(columns.facts[valid], hands["seats"]),
    }
    return pa.table(data)


def _array(values: Array, kind: pa.DataType | None = None, known: Array | None = None) -> pa.Array:
    """Return numbers or flags as Arrow has them, null where they are not known.

    Arrow by itself would import the masked arrays of NumPy, which takes longer than a small load.
    """
    if kind is None:
        kind = pa.from_numpy_dtype(values.dtype)
    if kind == pa.bool_():
        data = _bits(values)
    else:
        width = f"{values.dtype.kind}{kind.bit_width // 8}"
        data = pa.py_buffer(np.ascontiguousarray(values, dtype=width))
    valid = None if known is None or known.all() else _bits(known)
    return pa.Array.from_buffers(kind, len(values), [valid, data])


def _bits(flags: Array) -> pa.Buffer:
    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def _facts(facts: Array, seats: Array) -> pa.Array:
    """Return the facts of each seat of some hands; ``seats``: how many each hand has."""
    offsets = np.concatenate([[0], np.cumsum(seats)]).astype(np.int32)
    fields = list(rows.HAND_TYPES["seat_facts"].value_type)
    is_taken = np.arange(MAX_SEATS) < seats[:, None]
    arrays = []
    for field in fields:
        numbers = facts[field.name][is_taken]
        known = numbers != NOT_KNOWN
        arrays.append(_array(np.where(known, numbers, 0), field.type, known))
    entries = pa.StructArray.from_arrays(arrays, fields=fields)
    return pa.ListArray.from_arrays(_array(offsets), entries)


def _texts(text: Array, ends: Array, valid: Array) -> pa.Array:
    """Return the texts of the valid lines; the other lines have none between them."""
    offsets = np.concatenate([ends[:1], ends[1:][valid]]).astype(np.int32)
    size = len(offsets) - 1
    data = pa.py_buffer(text[: int(offsets[-1])])
    return pa.StringArray.from_buffers(size, pa.py_buffer(offsets), data)


def _list(values: Array, ends: Array, valid: Array) -> pa.Array:
    offsets = np.concatenate([ends[:1], ends[1:][valid]]).astype(np.int32)
    return pa.ListArray.from_arrays(_array(offsets), _array(values[: int(offsets[-1])]))


def _per_side(values: Array, sides: Array, kind: pa.DataType, known: Array | None) -> pa.Array:
    """Return lists with one entry per side; null where ``known`` says so."""
    counts = sides if known is None else np.where(known, sides, 0)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    entries = values[np.arange(values.shape[1]) < counts[:, None]]
    mask = None if known is None or known.all() else _array(~known)
    return pa.ListArray.from_arrays(_array(offsets), _array(entries, kind), mask=mask)


def _masked(texts: pa.Array, known: Array) -> pa.Array:
    if known.all():
        return texts
    _, offsets, data = texts.buffers()
    return pa.StringArray.from_buffers(len(texts), offsets, data, _bits(known), int((~known).sum()))


def _named(codes: Array, names: list[str | None]) -> pa.Array:
    known = np.array([name is not None for name in names])[codes]
    return pa.DictionaryArray.from_arrays(
        _array(codes, pa.int8(), known), pa.array([name or "" for name in names])
    )


def _constant(name: str, size: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(_array(np.zeros(size, np.int8)), pa.array([name]))


def _hashes(log: Lines, chosen: Array) -> pa.Array:
    """Return what ``content_hash`` gives for the lines, which are in canonical form without ext."""
    view = memoryview(log.text)
    spans = zip(log.starts[chosen].tolist(), log.ends[chosen].tolist(), strict=True)
    sha256 = hashlib.sha256
    digests = b"".join([sha256(view[start:end]).digest()[:16] for start, end in spans])
    storage = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(16), len(chosen), [None, pa.py_buffer(digests)]
    )
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)
