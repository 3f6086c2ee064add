"""The solver with all cards open: time and positions for a hand, by what is asked of it.

Time is that of the processor, for the thread alone: other work on the machine slows it down, but
less than it stretches the time of the wall. Positions looked at do not depend on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchmarks import harness
from benchmarks.harness import Budget, Run
from benchmarks.loading import budget_table
from tricklog.core.engine.records import State
from tricklog.core.solver.answer import CHOICES, HAND, VALUE, WINDOW
from tricklog.core.study import Solver
from tricklog.core.study.open_cards import Deed, deeds_of

SEED: Final = 77
HANDS: Final = 100
"""Hands of a system, at the most."""
TAILED: Final = 2_000_000
"""Nodes for each value: some tables of seven would take seconds for one of them."""
SYSTEMS: Final = {
    "pedro": ("pedro", 4),
    "cinch": ("cinch", 4),
    "nicaragua": ("nicaragua", 4),
    "pidro": ("pidro", 4),
    "pitch-with-fives": ("pitch-with-fives", 4),
    "king-pedro": ("king-pedro", 4),
    "ukrainian": ("ukrainian", 4),
    "sixty-three": ("sixty-three", 4),
    "eighty-three": ("eighty-three", 4),
    "snoozer": ("snoozer", 4),
    "sancho, 4": ("sancho", 4),
    "sancho, 5": ("sancho", 5),
    "sancho, 7": ("sancho", 7),
    "twenty-nine": ("twenty-nine", 4),
    "lucknow": ("lucknow", 4),
    "bangladesh": ("bangladesh", 4),
}
"""By name: the game, and how many sit at the table."""
WORDS: Final = {
    "hand": "all positions",
    "first": "first card",
    "made": "is it made",
    "every": "every card",
}
ASKED: Final = tuple(WORDS)
"""All positions of a hand, the value at the first card, whether it can be made, and the value of
every card that could be played at any moment of the hand."""
LIMITS: Final = {
    ("pedro", "hand", "median"): 0.4,
    ("pedro", "hand", "p95"): 5.0,
    ("pedro", "first", "median"): 0.5,
    ("twenty-nine", "hand", "median"): 3.5,
    ("twenty-nine", "hand", "p95"): 20.0,
    ("pidro", "hand", "median"): 0.1,
}
"""Milliseconds of the processor that a hand may take."""
EVERY: Final = 50.0
"""Milliseconds for every card of an opened hand, 95th of 100; not with seven."""
MILLION: Final = {"pedro": 12.0, "twenty-nine": 50.0}
"""Minutes for all positions of a million hands, on two cores."""


def hands(system: str, count: int) -> Callable[[], Mapping[str, float]]:
    """Ask everything about the hands of a system; the numbers are of single hands."""
    from tricklog.core import generate, replay
    from tricklog.core.study import open_hand

    variant, seats = SYSTEMS[system]
    found = (replay(hand) for hand in generate(variant, count, SEED, players=seats))
    played = [each for each in found if each.tricks][:count]
    solver = Solver(played[0].rules, compiled=True)
    opened = [open_hand(each, solver, budget=TAILED) for each in played]

    def timed() -> Mapping[str, float]:
        times: dict[str, list[float]] = {asked: [] for asked in ASKED}
        nodes: dict[str, list[float]] = {asked: [] for asked in ASKED}
        place = solver.place
        for replayed, open_cards in zip(played, opened, strict=True):
            moments = [each.action for each in open_cards.decisions]
            first, *_ = states = [replayed.state_at(action) for action in moments]
            need = solver.need(first) or 0
            asks: dict[str, list[tuple[int, State, Sequence[Deed]]]] = {
                "hand": [(HAND, first, deeds_of(replayed.actions[moments[0] :]))],
                "first": [(VALUE, first, ())],
                "made": [(WINDOW, first, ())],
                "every": [(CHOICES, state, ()) for state in states],
            }
            for asked, questions in asks.items():
                taken = looked_at = 0
                for question, state, deeds in questions:
                    place.load(state, solver.rules, deeds, TAILED, need)
                    began = time.thread_time_ns()
                    place.run(question)
                    taken += time.thread_time_ns() - began
                    looked_at += place.nodes
                times[asked].append(taken / 1e6)
                nodes[asked].append(looked_at)
        numbers: dict[str, float] = {"hands": len(played)}
        for asked in ASKED:
            numbers |= _spread(asked, times[asked])
            numbers[f"{asked} nodes"] = sum(nodes[asked]) / len(nodes[asked])
        return numbers

    return timed


def _spread(asked: str, times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        f"{asked} median": ordered[len(ordered) // 2],
        f"{asked} p95": ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)],
        f"{asked} mean": sum(ordered) / len(ordered),
        f"{asked} most": ordered[-1],
    }


def open_cards(count: int, rounds: int) -> list[str]:
    """Measure every system; a round is a process of its own."""
    runs = [
        Run(system, "benchmarks.solver:hands", {"system": system, "count": count})
        for system in SYSTEMS
    ]
    found = {each.run.name: each for each in harness.measure(runs, rounds)}
    rows = [
        f"| {system} | {found[system].number('hands'):,.0f} | "
        + " | ".join(
            f"{found[system].number(f'{asked} median'):.3g} / "
            f"{found[system].number(f'{asked} p95'):.3g} / "
            f"{found[system].number(f'{asked} mean'):.3g}"
            for asked in ASKED
        )
        + f" | {found[system].number('first nodes'):,.0f} |"
        for system in SYSTEMS
    ]
    budgets = [
        Budget(
            f"{system}: {WORDS[asked]}, {what}",
            found[system].number(f"{asked} {what}"),
            limit,
            "ms",
        )
        for (system, asked, what), limit in LIMITS.items()
    ]
    budgets += [
        Budget(f"{system}: every card, p95", each.number("every p95"), EVERY, "ms")
        for system, each in found.items()
        if SYSTEMS[system][1] < 7
    ]
    budgets += [
        Budget(
            f"{system}: a million hands on two cores",
            found[system].number("hand mean") * 1e6 / 60_000 / 2,
            limit,
            "min",
        )
        for system, limit in MILLION.items()
    ]
    how = (
        f"Processor time of one thread in ms, median / 95th of 100 / mean of the hands; {rounds} "
        f"rounds, up to {count} hands each, at most {TAILED:,} positions for a value. Setting up "
        "from the engine's state included, copying Python's records not. The last column is how "
        "many positions the value at the first card took."
    )
    return [
        "",
        how,
        "",
        "| system | hands | all positions | first card | is it made | every card | positions |",
        "|---|---|---|---|---|---|---|",
        *rows,
        "",
        *budget_table(budgets),
    ]
