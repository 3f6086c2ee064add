"""Prove that the library does what its text says: the same lines, by plain Python and by it.

Reads and replays hand log lines twice with the same functions, in plain Python and by the library,
and compares every fault, every field of the last state, the history of the hand, its result and
its facts. Reports the hands per second of both.

    python -m benchmarks.compiled_proof [--hands 20000]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from benchmarks.replaying import plain_buffers
from tricklog.core import RulesetError, generate, ruleset_of, variants
from tricklog.core.compiled import batch, driver
from tricklog.core.compiled.driver import read_record
from tricklog.core.engine import hand_replay
from tricklog.core.engine.facts import SeatFacts, note_facts
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.hand_replay import ANY_FAULT
from tricklog.core.engine.records import Rules, State, dtype_of, pack
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import History
from tricklog.schemas.hand import Hand, RulesRef, encode_hand
from tricklog.schemas.scan.line import scan_line
from tricklog.schemas.scan.text import SCANNED

Record: TypeAlias = Any
"""A numpy record."""


class Run(NamedTuple):
    """What one run made of a line."""

    valid: int
    faults: list[int]
    """By action, 0 for those that were not carried out."""
    records: tuple[Record, ...]
    """State, history and result, and facts of a valid hand, as numpy records; none where the line
    could not be read."""


class Plain:
    """The functions of the driver, run as they are."""

    def __init__(self) -> None:
        self._place = plain_buffers()
        self._rules = cache(rules_of_seating)

    def run(self, line: bytes, ending: int) -> Run:
        """Read and replay a line, to the first of the faults at which it ends."""
        records_of_hand = {"state": State(), "history": History(), "result": Result()}
        workspace = self._place.workspace._replace(**records_of_hand)
        place, found = self._place._replace(workspace=workspace), workspace.line
        if scan_line(line, 0, len(line), found) != SCANNED:
            return _UNREAD
        rules = self._rules(line[found.rules_start : found.players_end])
        if rules is None:
            return _UNREAD
        count = read_record(line, place)
        if count < 0:
            return _UNREAD
        workspace.faults[:] = [0] * len(workspace.faults)
        workspace.state.dealer = found.dealer
        valid = hand_replay.prove_valid(workspace, rules, count, ending)
        records: list[State | History | Result | SeatFacts]
        records = [workspace.state, workspace.history, workspace.result]
        # A time that is written otherwise is left to careful reading, as the whole line then.
        valid = valid and bool(driver.read_start(line, found)[0])
        if valid:
            facts = SeatFacts()
            note_facts(workspace, rules, facts, count, 1)
            records.append(facts)
        return Run(int(valid), workspace.faults[:count], tuple(map(_packed, records)))


class Library:
    """The driver of the library."""

    def __init__(self) -> None:
        self._place = batch.buffers()
        self._room = batch.ColumnBuffers()
        self._seatings = batch.KnownSeatings(rules_of_seating)

    def run(self, line: bytes, ending: int) -> Run:
        """Read and replay a line, as ``Plain.run`` does."""
        place, workspace = self._place, self._place.workspace
        workspace.faults[:] = 0
        place.states[:] = 0
        pack(History(), workspace.history)
        pack(Result(), workspace.result)
        out = batch.judge(batch.lines_of(line), place, self._room, self._seatings, ending)
        # A state that was begun is never all zeros.
        if not place.states.tobytes().strip(b"\0"):
            return _UNREAD
        valid = int(out.hands["valid"][0])
        records = workspace.state, workspace.history, workspace.result, *out.facts[:valid]
        return Run(valid, workspace.faults.tolist(), tuple(each.copy() for each in records))


def rules_of_seating(text: bytes) -> Rules | None:
    """Return the rules of a seating in a line, ``None`` when there are none."""
    try:
        seating = msgspec.json.decode(b'{"rules":' + text + b"}")
        reference = msgspec.convert(seating["rules"], RulesRef)
        hand = msgspec.structs.replace(_any_hand(), rules=reference, players=seating["players"])
        return ruleset_of(hand).rules(len(seating["players"]))
    except (RulesetError, msgspec.MsgspecError):
        return None


@cache
def _any_hand() -> Hand:
    return next(iter(generate("pedro", 1, 1)))


_UNREAD = Run(0, [], ())
_KINDS = State, History, Result, SeatFacts
_DTYPES = {**{kind: dtype_of(kind()) for kind in _KINDS}, SeatFacts: batch.FACTS}


def _packed(record: State | History | Result | SeatFacts) -> Record:
    row = np.zeros(1, _DTYPES[type(record)])
    pack(record, row[0])
    return row[0]


def differences(lines: Iterable[bytes], ending: int = FATAL) -> tuple[int, list[str]]:
    """Run lines both ways; return how many were compared, and what differs, line by line.

    ``ending``: the faults at which a replay stops.
    """
    plain, library = Plain(), Library()
    compared, found = 0, []
    for line in lines:
        unlike = _unlike(plain.run(line, ending), library.run(line, ending))
        compared += 1
        found += [f"{name}: {line.decode()}" for name in unlike]
    return compared, found


def _unlike(one: Run, other: Run) -> list[str]:
    """Name what differs, each field of a record by the name that its dataclass gives it."""
    count = len(one.faults)
    names = ["valid"] if one.valid != other.valid else []
    if one.faults != other.faults[:count] or any(other.faults[count:]):
        names.append("faults")
    if len(one.records) != len(other.records):
        return [*names, "read"]
    return names + [
        f"{kind.__name__}.{item.name}"
        for kind, mine, theirs in zip(_KINDS, one.records, other.records, strict=False)
        # Equal bytes need no look at each field; others may differ in what pads the fields alone.
        if mine.tobytes() != theirs.tobytes()
        for item in fields(kind)
        if not np.array_equal(mine[item.name], theirs[item.name])
    ]


def main() -> None:
    """Run the proof and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    each = parser.parse_args().hands // len(variants())
    hands: list[Hand] = []
    for name in variants():
        hands += islice(generate(name, each, seed=7), each)
    random.Random(7).shuffle(hands)
    texts = [encode_hand(hand) for hand in hands]
    log = batch.lines_of(b"\n".join(texts))
    place, room = batch.buffers(), batch.ColumnBuffers()
    seatings = batch.KnownSeatings(rules_of_seating)
    batch.judge(log, place, room, seatings)
    began = time.thread_time()
    out = batch.judge(log, place, room, seatings)
    compiled_seconds = time.thread_time() - began
    plain = Plain()
    began = time.thread_time()
    for line in texts:
        plain.run(line, ANY_FAULT)
    plain_seconds = time.thread_time() - began
    compared, found = differences(texts)
    actions = sum(len(hand.actions) for hand in hands)
    valid = out.hands["valid"].sum()
    print(f"hands {len(hands)}, actions {actions}, valid {valid}")
    print(f"compiled {len(hands) / compiled_seconds:,.0f} hands/s, lines read and written down")
    print(f"compiled {actions / compiled_seconds:,.0f} actions/s")
    print(f"plain {len(hands) / plain_seconds:,.0f} hands/s, lines read")
    print(f"ratio {plain_seconds / compiled_seconds:.0f}")
    print(f"compared {compared}, differences {len(found)}")
    if found:
        raise SystemExit("\n".join(found[:20]))


if __name__ == "__main__":
    main()
