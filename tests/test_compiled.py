"""The compiled driver against plain Python: the same faults and states, sound hands or not."""

import random
from itertools import islice

import numba
import numpy as np

from benchmarks.compiled_proof import (
    MODULES,
    RULES,
    STATE,
    drive,
    prepare,
    register,
    run_plain,
)
from replay import generate, variants
from replay.faults import FATAL
from replay.records import copy_state, pack
from schemas.hand import Hand
from tests.noise import broken, with_noisy_cards
from tests.random_play import hidden_record, random_hand, some_options

EACH = 60


def hands_of_all_kinds() -> list[Hand]:
    """Return generated hands, random legal ones under house rules, and faulty and hidden ones."""
    chance = random.Random(11)
    hands: list[Hand] = []
    for variant in variants():
        hands += islice(generate(variant, EACH, seed=12), EACH)
        for _ in range(EACH):
            hand = random_hand(variant, chance, some_options(variant, chance))
            hands += [hand, broken(hand, chance), broken(with_noisy_cards(hand, chance), chance)]
            hands.append(broken(hidden_record(hand, chance, hidden_plays=True), chance))
    return hands


def test_compiled_and_plain_rules_agree_on_every_fault_and_state() -> None:
    prepared = prepare(hands_of_all_kinds())
    bounds = np.cumsum([0, *(len(actions) for _, _, actions in prepared)])
    rows = np.array([action for _, _, actions in prepared for action in actions], dtype=np.int64)
    states = np.zeros(len(prepared), dtype=STATE)
    rules = np.zeros(len(prepared), dtype=RULES)
    for index, (state, rule, _) in enumerate(prepared):
        pack(state, states[index])
        pack(rule, rules[index])
    for module in MODULES:
        register(module)
    found = np.zeros(len(rows), dtype=np.int64)
    numba.njit(drive)(states, rules, rows, bounds, found)
    finals, faults = run_plain([(copy_state(state), rule, acts) for state, rule, acts in prepared])
    # The comparison is worth something only if the hands break rules of every kind.
    assert len({fault for fault in faults if fault}) > 30
    assert any(fault & FATAL for fault in faults)
    assert sum(fault == 0 for fault in faults) > len(faults) // 2
    assert np.array_equal(np.array(faults), found)
    expected = np.zeros(len(finals), dtype=STATE)
    for index, state in enumerate(finals):
        pack(state, expected[index])
    assert np.array_equal(expected, states)
