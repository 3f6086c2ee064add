"""Prove that the rule functions compile unchanged: the same hands, plain and compiled.

Replays generated hands of every variant twice with the same functions, in plain Python and by a
driver compiled with numba, and compares every fault and every final state. Reports the time to
compile and the hands per second of both.

    python -m benchmarks.compiled_proof [--hands 20000]
"""

from __future__ import annotations

import argparse
import inspect
import time
from collections.abc import Callable
from itertools import islice
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import overload_method, register_jitable

from replay import engine, exchanging, generate, ruleset_of, variants
from replay.records import Rules, State, copy_state, dtype_of, pack
from replay.rules import (
    alone,
    auction,
    claim,
    counting,
    discard,
    doubles,
    draw,
    duel,
    early_end,
    fold,
    game_end,
    give,
    hidden,
    kitty,
    naming,
    pair,
    play,
    rob,
    scoring,
    seventh,
    table,
    throw_in,
    tricks,
)
from replay.setup import first_state, read_actions
from schemas.actions import Action
from schemas.hand import Hand

EXCHANGE = (kitty, discard, draw, rob, give, fold, claim, exchanging)
HIDDEN = (naming, doubles, seventh, throw_in, alone, hidden, pair, early_end, tricks)
MODULES = (table, duel, auction, *EXCHANGE, counting, play, scoring, game_end, engine, *HIDDEN)
STATE = dtype_of(State())
RULES = dtype_of(Rules())
ACTION_FIELDS = len(Action._fields)
Driver = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


@overload_method(types.Integer, "bit_count")
def _bit_count(number: Any) -> Any:  # noqa: ANN401, ARG001 - numba types it
    """Teach numba ``int.bit_count``."""

    def count(number: Any) -> Any:  # noqa: ANN401 - numba types it
        bits = 0
        while number:
            number &= number - 1
            bits += 1
        return bits

    return count


@overload_method(types.Integer, "bit_length")
def _bit_length(number: Any) -> Any:  # noqa: ANN401, ARG001 - numba types it
    """Teach numba ``int.bit_length``."""

    def length(number: Any) -> Any:  # noqa: ANN401 - numba types it
        bits = 0
        while number:
            number >>= 1
            bits += 1
        return bits

    return length


def register(module: ModuleType) -> None:
    """Let compiled code call the functions that ``module`` defines."""
    for _, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__:
            register_jitable(function)


def drive(
    states: np.ndarray,
    rules: np.ndarray,
    actions: np.ndarray,
    bounds: np.ndarray,
    faults: np.ndarray,
) -> None:
    """Replay hand by hand: ``actions[bounds[i]:bounds[i + 1]]`` belong to ``states[i]``."""
    for hand in range(len(states)):
        state = states[hand]
        rule = rules[hand]
        engine.start(state, rule)
        for index in range(bounds[hand], bounds[hand + 1]):
            row = actions[index]
            action = Action(row[0], row[1], row[2], row[3], row[4], row[5])
            faults[index] = engine.apply(state, rule, action)
        engine.finish(state, rule)


def prepare(hands: list[Hand]) -> list[tuple[State, Rules, list[Action]]]:
    """Return first state, rules and actions of each hand."""
    prepared = []
    for hand in hands:
        actions = read_actions(hand)
        state, rules, _ = first_state(hand, ruleset_of(hand), actions)
        prepared.append((state, rules, actions))
    return prepared


def packed(
    prepared: list[tuple[State, Rules, list[Action]]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return states, rules, actions and bounds as ``drive`` takes them."""
    bounds = np.cumsum([0, *(len(actions) for _, _, actions in prepared)])
    rows = np.array([action for _, _, actions in prepared for action in actions], dtype=np.int64)
    states = np.zeros(len(prepared), dtype=STATE)
    rules = np.zeros(len(prepared), dtype=RULES)
    for index, (state, rule, _) in enumerate(prepared):
        pack(state, states[index])
        pack(rule, rules[index])
    return states, rules, rows, bounds


def compiled_driver() -> Driver:
    """Return ``drive`` compiled, which takes its time."""
    for module in MODULES:
        register(module)
    driver: Driver = numba.njit(drive)
    nothing = np.zeros((0, ACTION_FIELDS), dtype=np.int64)
    driver(*packed([])[:2], nothing, np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return driver


def run_plain(prepared: list[tuple[State, Rules, list[Action]]]) -> tuple[list[State], list[int]]:
    """Replay in plain Python; return final states and the faults of every action."""
    finals, faults = [], []
    for state, rules, actions in prepared:
        engine.start(state, rules)
        faults += [engine.apply(state, rules, action) for action in actions]
        engine.finish(state, rules)
        finals.append(state)
    return finals, faults


def main() -> None:
    """Run the proof and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    count = parser.parse_args().hands
    each = count // len(variants())
    hands: list[Hand] = []
    for name in variants():
        hands += islice(generate(name, each, seed=7), each)
    prepared = prepare(hands)
    states, rules, rows, bounds = packed(prepared)
    began = time.perf_counter()
    driver = compiled_driver()
    compile_seconds = time.perf_counter() - began
    found = np.zeros(len(rows), dtype=np.int64)
    began = time.perf_counter()
    driver(states, rules, rows, bounds, found)
    compiled_seconds = time.perf_counter() - began
    plain = [(copy_state(state), rule, actions) for state, rule, actions in prepared]
    began = time.perf_counter()
    finals, faults = run_plain(plain)
    plain_seconds = time.perf_counter() - began
    expected = np.zeros(len(finals), dtype=STATE)
    for index, state in enumerate(finals):
        pack(state, expected[index])
    differences = int((expected != states).sum()) + int((np.array(faults) != found).sum())
    print(f"hands {len(hands)}, actions {len(rows)}, variants {', '.join(variants())}")
    print(f"compile {compile_seconds:.1f} s")
    print(f"compiled {len(hands) / compiled_seconds:,.0f} hands/s")
    print(f"plain {len(hands) / plain_seconds:,.0f} hands/s")
    print(f"ratio {plain_seconds / compiled_seconds:.0f}")
    print(f"differences {differences}")
    if differences:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
