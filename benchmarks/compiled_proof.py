"""Prove that the rule functions compile unchanged: the same lines, plain and compiled.

Reads and replays hand log lines twice with the same functions, in plain Python and by the compiled
driver, and compares every fault, every field of the final state, the history of the hand and its
result. Reports the time to compile and the hands per second of both.

    python -m benchmarks.compiled_proof [--hands 20000]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable
from dataclasses import fields
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import numpy as np

from benchmarks.replaying import plain_buffers, plain_workspace
from replay import RulesetError, generate, ruleset_of, variants
from replay.compiled import batch, driver
from replay.engine import hand_replay
from replay.engine.faults import FATAL
from replay.engine.hand_replay import ANY_FAULT
from replay.engine.records import Rules, State, dtype_of, pack
from replay.engine.rules.history import History
from replay.engine.rules.result import Result
from schemas.hand import Hand, RulesRef, encode_hand
from schemas.scan.line import scan_line
from schemas.scan.text import SCANNED


class Run(NamedTuple):
    """What one run made of a line."""

    valid: int
    faults: list[int]
    """As many as the line has actions, 0 for those that were not carried out."""
    records: tuple[Any, ...]
    """State, history and result, as numpy records; empty where the scanner gave the line up."""


class Plain:
    """The functions of the driver, run as they are."""

    def __init__(self) -> None:
        self._place = plain_buffers()

    def run(self, line: bytes, rules: Rules, count: int, ending: int) -> Run:
        """Read and replay a line of ``count`` actions."""
        place = self._place
        place.faults[:count] = [0] * count
        found = place.lines[0]
        if scan_line(line, 0, len(line), found) != SCANNED:
            return Run(0, place.faults[:count], ())
        workspace = plain_workspace(place)
        read = driver.read_record(line, place, workspace)
        if read < 0:
            return Run(0, place.faults[:count], ())
        workspace.state.dealer = found.dealer
        verdict = hand_replay.prove_valid(workspace, rules, read, ending)
        records = _packed(workspace.state, workspace.history, workspace.result)
        return Run(int(verdict), place.faults[:count], records)


class Compiled:
    """The compiled driver."""

    def __init__(self) -> None:
        self._place = batch.buffers()
        self._room = batch.ColumnBuffers()
        self._seatings = batch.KnownSeatings(rules_of_seating)

    def run(self, line: bytes, count: int, ending: int) -> Run:
        """Read and replay a line of ``count`` actions."""
        place = self._place
        place.faults[:count] = 0
        place.states[:] = np.zeros(1, place.states.dtype)
        pack(History(), place.histories[0])
        pack(Result(), place.results[0])
        out = batch.judge(batch.lines_of(line), place, self._room, self._seatings, ending)
        records = tuple(each[0].copy() for each in (place.states, place.histories, place.results))
        # A state that was begun is never all zeros.
        read = bool(records[0].tobytes().strip(b"\0"))
        faults = [int(fault) for fault in place.faults[:count]]
        return Run(int(out.valid[0]), faults, records if read else ())


def rules_of_seating(text: bytes) -> Rules | None:
    """Return the rules of a seating in a line, ``None`` when there are none."""
    seating = msgspec.json.decode(b'{"rules":' + text + b"}")
    try:
        reference = msgspec.convert(seating["rules"], RulesRef)
        hand = msgspec.structs.replace(_ANY_HAND, rules=reference, players=seating["players"])
        return ruleset_of(hand).rules(len(seating["players"]))
    except RulesetError:
        return None


_ANY_HAND = next(iter(generate("pedro", 1, 1)))


_DTYPES = {kind: dtype_of(kind()) for kind in (State, History, Result)}


def _packed(*records: State | History | Result) -> tuple[Any, ...]:
    rows = []
    for record in records:
        row = np.zeros(1, _DTYPES[type(record)])
        pack(record, row[0])
        rows.append(row[0])
    return tuple(rows)


def differences(hands: Iterable[Hand], ending: int = FATAL) -> tuple[int, list[str]]:
    """Run hands both ways; return how many were compared, and what differs, hand by hand.

    ``ending``: the faults at which a replay stops.
    """
    plain, compiled = Plain(), Compiled()
    compared, found = 0, []
    for hand in hands:
        line, count = encode_hand(hand), len(hand.actions)
        try:
            rules = ruleset_of(hand).rules(len(hand.players))
        except RulesetError:
            continue
        one, other = plain.run(line, rules, count, ending), compiled.run(line, count, ending)
        compared += 1
        found += [f"{hand.id}: {name}" for name in _unlike(one, other)]
    return compared, found


def _unlike(one: Run, other: Run) -> list[str]:
    names = [name for name in ("valid", "faults") if getattr(one, name) != getattr(other, name)]
    if len(one.records) != len(other.records):
        return [*names, "read"]
    kinds = (State, History, Result)[: len(one.records)]
    return names + [
        f"{kind.__name__}.{item.name}"
        for kind, mine, theirs in zip(kinds, one.records, other.records, strict=True)
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
    for hand, line in zip(hands, texts, strict=True):
        plain.run(line, ruleset_of(hand).rules(len(hand.players)), len(hand.actions), ANY_FAULT)
    plain_seconds = time.thread_time() - began
    compared, found = differences(hands)
    actions = sum(len(hand.actions) for hand in hands)
    print(f"hands {len(hands)}, actions {actions}, valid {int(out.valid.sum())}")
    print(f"compiled {len(hands) / compiled_seconds:,.0f} hands/s, lines read and written down")
    print(f"compiled {actions / compiled_seconds:,.0f} actions/s")
    print(f"plain {len(hands) / plain_seconds:,.0f} hands/s, lines read")
    print(f"ratio {plain_seconds / compiled_seconds:.0f}")
    print(f"compared {compared}, differences {len(found)}")
    if found:
        raise SystemExit("\n".join(found[:20]))


if __name__ == "__main__":
    main()
