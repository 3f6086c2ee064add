"""The rules engine: actions a second against the engines of other games, and one hand at a time.

Every engine replays records that were made beforehand, each action checked for legality: ours of
generated hands, the others of games they played themselves at random. Reading the records is not
timed, with one exception: PokerKit reads an action while it replays it. It is compared with the
whole driver, which reads lines and writes the codes of the warehouse besides replaying, the others
with the engine alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Final

from msgspec import DecodeError

from benchmarks import harness
from benchmarks.hands import MIXED, games
from benchmarks.harness import Budget, Measured, Run
from benchmarks.loading import budget_table
from tricklog.core import RulesetError
from tricklog.schemas.hand import Hand, decode_hand, encode_hand, has_gaps

Timed = Callable[[], Mapping[str, float]]

PEERS: Final = {
    "PokerKit": ("pokerkit", "benchmarks.peers:pokerkit_hands", (700.0, 500.0)),
    "OpenSpiel euchre": ("pyspiel", "benchmarks.peers:openspiel_euchre", (6.0,)),
    "python-chess": ("chess", "benchmarks.peers:chess_games", ()),
}
"""Module, run, and how many times its actions a second the compiled engine is to reach, and then
the compiled driver, where the peer reads as it plays."""
FAULTY: Final = "hands with findings"
ASKED: Final = {"pedro": 60.0, MIXED: 60.0, FAULTY: 400.0}
"""By log: how many microseconds ``replay`` and all it tells may take for a hand."""
REPEATS: Final = 5
"""How often the compiled engine replays its hands in one run, for a time that can be measured."""


def hands_of(variant: str, count: int) -> list[Hand]:
    """Return generated hands."""
    return list(islice(chain.from_iterable(games(variant)), count))


def compiled(variant: str, hands: int) -> Timed:
    """Read, replay and write down hands with the compiled driver, on one thread."""
    from benchmarks.compiled_proof import rules_of_seating
    from tricklog.core.compiled import batch

    log = hands_of(variant, hands)
    lines = batch.lines_of(b"\n".join([encode_hand(hand) for hand in log]))
    actions = sum(len(hand.actions) for hand in log)
    place, room = batch.buffers(), batch.ColumnBuffers()
    seatings = batch.KnownSeatings(rules_of_seating)
    batch.judge(lines, place, room, seatings)

    def timed() -> Mapping[str, float]:
        for _ in range(REPEATS):
            if not batch.judge(lines, place, room, seatings).hands["valid"].all():
                raise AssertionError("a generated hand is not valid")
        return {"actions": REPEATS * actions, "hands": REPEATS * hands}

    return timed


def engine_alone(variant: str, hands: int) -> Timed:
    """Replay hands read beforehand with the compiled rules, on one thread."""
    from benchmarks import replaying
    from tricklog.core.compiled import batch

    log = replaying.read(hands_of(variant, hands))
    run = replaying.compiled(log, batch.buffers())
    run()
    actions = int(log.counts.sum())

    def timed() -> Mapping[str, float]:
        for _ in range(REPEATS):
            if run() < hands:
                raise AssertionError("a generated hand is not valid")
        return {"actions": REPEATS * actions, "hands": REPEATS * hands}

    return timed


def plain(variant: str, hands: int) -> Timed:
    """Read and replay hands with the functions of the compiled driver in plain Python."""
    from benchmarks.compiled_proof import Plain
    from tricklog.core.engine.hand_replay import ANY_FAULT

    run = Plain().run
    log = [(encode_hand(hand), len(hand.actions)) for hand in hands_of(variant, hands)]

    def timed() -> Mapping[str, float]:
        valid = sum(run(line, ANY_FAULT).valid for line, _ in log)
        if valid < hands:
            raise AssertionError("a generated hand is not valid")
        return {"actions": sum(count for _, count in log), "hands": hands}

    return timed


def replayed(log: str, hands: int, *, by_library: bool) -> Timed:
    """Replay hands and ask for everything: verdict, findings, calls, tricks, captures, outcome."""
    from tricklog.core import replay
    from tricklog.core.native import library

    if not by_library:
        library.is_there = lambda: False
    kept = faulty(hands) if log == FAULTY else hands_of(log, hands)

    def timed() -> Mapping[str, float]:
        for hand in kept:
            found = replay(hand)
            _ = [each.message for each in found.findings]
            _ = found.calls, found.tricks, found.captures, found.outcome
        return {"hands": len(kept)}

    # The first hands find rules and library.
    timed()
    return timed


def faulty(count: int) -> list[Hand]:
    """Return the hands of the samples that have findings, again and again."""
    from tricklog.core import replay

    folder = Path(__file__).parents[1] / "sample_logs" / "invalid"
    found = []
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            with suppress(ValueError, DecodeError, RulesetError):
                hand = decode_hand(line)
                if not has_gaps(hand) and replay(hand).findings:
                    found.append(hand)
    return list(islice(cycle(found), count))


def against_peers(hands: int, rounds: int, variant: str) -> list[str]:
    """Measure the engine, compiled and plain, against the engines of other games."""
    few = max(1, hands // 10)
    many = {"variant": variant, "hands": hands}
    ours = [
        Run("compiled engine", "benchmarks.engine:engine_alone", many),
        Run("compiled driver", "benchmarks.engine:compiled", many),
        Run("Tricklog plain", "benchmarks.engine:plain", {"variant": variant, "hands": few}),
    ]
    there = {name: peer for name, peer in PEERS.items() if importlib.util.find_spec(peer[0])}
    peers = [Run(name, target, {"games": few}) for name, (_, target, _) in there.items()]
    found = harness.measure([*ours, *peers], rounds)
    best = found[0].rate("actions")
    budgets = []
    for each in found[len(ours) :]:
        for mine, limit in zip(found, there[each.run.name][2], strict=False):
            times = mine.rate("actions") / each.rate("actions")
            what = f"{mine.run.name} / {each.run.name}"
            budgets.append(Budget(what, times, limit, "x", at_least=True))
    missing = [
        f"{name} is not installed and was not measured." for name in PEERS if name not in there
    ]
    return [
        "",
        f"Tricklog replays {variant} hands; one thread each, {rounds} rounds.",
        "",
        "| engine | actions | median | spread | actions/s | ours is |",
        "|---|---|---|---|---|---|",
        *(_row(each, best) for each in found),
        "",
        *budget_table(budgets),
        *missing,
    ]


def _row(each: Measured, best: float) -> str:
    rate = each.rate("actions")
    return (
        f"| {each.run.name} | {each.number('actions'):,.0f} | {each.seconds:.3g} s | {each.spread} "
        f"| {rate:,.0f} | {best / rate:,.1f} x |"
    )


def one_by_one(hands: int, rounds: int) -> list[str]:
    """Measure ``replay()`` of one hand after the other, by the library and in plain Python."""
    runs = [
        Run(f"{log}, {way}", "benchmarks.engine:replayed", given)
        for log in ASKED
        for way in ("library", "plain Python")
        for given in ({"log": log, "hands": hands, "by_library": way == "library"},)
    ]
    found = harness.measure(runs, rounds)
    took = [1e6 * each.seconds / each.number("hands") for each in found]
    rows = [
        f"| {each.run.name} | {each.number('hands'):,.0f} | {a_hand:,.3g} µs | {each.spread} s |"
        for each, a_hand in zip(found, took, strict=True)
    ]
    budgets = []
    for (log, limit), quick, plain in zip(ASKED.items(), took[::2], took[1::2], strict=True):
        budgets.append(Budget(f"{log}, a hand", quick, limit, "µs"))
        rows.append(f"| {log}, plain Python / library | | {plain / quick:.1f} x | |")
    return [
        "",
        f"Verdict, findings, calls, tricks, captures and outcome of each hand, {rounds} rounds.",
        "",
        "| run | hands | a hand | spread |",
        "|---|---|---|---|",
        *rows,
        "",
        *budget_table(budgets),
    ]
