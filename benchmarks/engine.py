"""The rules engine: actions a second against the engines of other games, and plain hands a second.

Every engine replays records that were made beforehand, each action checked for legality: ours of
generated hands, the others of games they played themselves at random. Reading the records is not
timed, with one exception: PokerKit reads an action while it replays it. It is compared with the
whole driver, which reads lines and writes the codes of the warehouse besides replaying, the others
with the engine alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final

from benchmarks import harness
from benchmarks.hands import games
from benchmarks.harness import Budget, Measured, Run
from benchmarks.loading import budget_table
from schemas.hand import Hand, decode_hand, encode_hand

Timed = Callable[[], Mapping[str, float]]

PEERS: Final = {
    "PokerKit": ("pokerkit", "benchmarks.peers:pokerkit_hands", (700.0, 500.0)),
    "OpenSpiel euchre": ("pyspiel", "benchmarks.peers:openspiel_euchre", (6.0,)),
    "python-chess": ("chess", "benchmarks.peers:chess_games", ()),
}
"""Module, run, and how many times its actions a second the compiled engine is to reach, and then
the compiled driver, where the peer reads as it plays."""
REPEATS: Final = 5
"""How often the compiled engine replays its hands in one run, for a time that can be measured."""


def hands_of(variant: str, count: int) -> list[Hand]:
    """Return generated hands."""
    lines = (line for _, text in games(variant, count) for line in text.splitlines())
    return [decode_hand(line) for line in islice(lines, count)]


def compiled(variant: str, hands: int) -> Timed:
    """Read, replay and write down hands with the compiled driver, on one thread."""
    from benchmarks.compiled_proof import rules_of_seating
    from replay.compiled import batch

    log = hands_of(variant, hands)
    lines = batch.lines_of(b"\n".join([encode_hand(hand) for hand in log]))
    actions = sum(len(hand.actions) for hand in log)
    place, room = batch.buffers(), batch.ColumnBuffers()
    seatings = batch.KnownSeatings(rules_of_seating)
    batch.judge(lines, place, room, seatings)

    def timed() -> Mapping[str, float]:
        for _ in range(REPEATS):
            if not batch.judge(lines, place, room, seatings).valid.all():
                raise AssertionError("a generated hand is not valid")
        return {"actions": REPEATS * actions, "hands": REPEATS * hands}

    return timed


def engine_alone(variant: str, hands: int) -> Timed:
    """Replay hands read beforehand with the compiled rules, on one thread."""
    from benchmarks import replaying
    from replay.compiled import batch

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
    from replay.engine.hand_replay import ANY_FAULT

    run = Plain().run
    log = [(encode_hand(hand), len(hand.actions)) for hand in hands_of(variant, hands)]

    def timed() -> Mapping[str, float]:
        valid = sum(run(line, ANY_FAULT).valid for line, _ in log)
        if valid < hands:
            raise AssertionError("a generated hand is not valid")
        return {"actions": sum(count for _, count in log), "hands": hands}

    return timed


def replayed(variant: str, hands: int) -> Timed:
    """Replay hands with ``replay.replay``: verdict, findings, tricks, captures, outcome."""
    from replay import replay

    log = hands_of(variant, hands)

    def timed() -> Mapping[str, float]:
        actions = sum(len(replay(hand)) for hand in log)
        return {"actions": actions, "hands": hands}

    return timed


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


def uncompiled(hands: int, rounds: int) -> list[str]:
    """Measure plain ``replay()`` loops, over Pedro hands and hands of all systems."""
    runs = [
        Run(f"replay() of {variant}", "benchmarks.engine:replayed", arguments)
        for variant in ("pedro", "mixed")
        for arguments in ({"variant": variant, "hands": hands},)
    ]
    found = harness.measure(runs, rounds)
    rows = [
        f"| {each.run.name} | {hands:,} | {each.seconds:.3g} s | {each.spread} "
        f"| {each.rate('hands'):,.0f} |"
        for each in found
    ]
    budgets = [
        Budget(each.run.name, each.rate("hands"), 5000, "hands/s", at_least=True) for each in found
    ]
    return [
        "",
        f"{rounds} rounds.",
        "",
        "| run | hands | median | spread | hands/s |",
        "|---|---|---|---|---|",
        *rows,
        "",
        *budget_table(budgets),
    ]
