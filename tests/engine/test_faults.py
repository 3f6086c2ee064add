"""Faults in one integer: one fatal fault by its number, a bit for each of the others."""

import random
import re
import sys
from enum import IntEnum

import pytest
from msgspec.structs import replace

from tests.kit.noise import broken, with_noisy_cards
from tests.kit.provoked import on_actions
from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.kit.tiers import scaled
from tricklog.core import ruleset_of, variants
from tricklog.core.engine import engine, faults
from tricklog.core.engine.faults import FATAL, Fault, faults_in
from tricklog.core.engine.records import copy_state
from tricklog.core.engine.rules import play
from tricklog.core.judging import setup
from tricklog.schemas.hand import Hand

FATAL_FAULTS = [fault for fault in Fault if fault & FATAL]
OTHERS = [fault for fault in Fault if not fault & FATAL]
LAST_BIT = 62
"""The highest bit of a signed integer of 64 bits that is free for a fault."""


def test_fatal_faults_are_numbers_and_the_others_bits_of_their_own() -> None:
    assert [*FATAL_FAULTS, *OTHERS] == list(Fault)
    assert all(0 < fault <= FATAL for fault in FATAL_FAULTS)
    assert all(fault.bit_count() == 1 for fault in OTHERS)
    assert len({*FATAL_FAULTS, *OTHERS}) == len(Fault.__members__)


def test_bits_of_a_signed_integer_are_free_for_faults_to_come() -> None:
    used = sum(OTHERS) | FATAL
    assert used < 1 << LAST_BIT + 1 == 1 << 63
    free = LAST_BIT + 1 - used.bit_count()
    assert free >= 4, f"{free} bits are free: give Workspace.faults a second word now, not later"


def test_faults_are_reported_in_the_order_of_the_enum() -> None:
    bits = Fault.REVOKE | Fault.NOT_BURIED
    assert faults_in(bits) == [Fault.NOT_BURIED, Fault.REVOKE]
    # Numbers of fatal faults share bits; only the one that holds is reported.
    for fatal in FATAL_FAULTS:
        assert faults_in(bits | fatal) == [fatal, Fault.NOT_BURIED, Fault.REVOKE]
    assert faults_in(0) == []


def faulty_hands(variant: str) -> list[Hand]:
    chance = random.Random(f"faults/{variant}")
    hands = []
    for _ in range(scaled(2, most=4)):
        hand = random_hand(variant, chance, some_options(variant, chance))
        hidden = hidden_record(hand, chance, hidden_plays=True)
        hands += [broken(each, chance) for each in (hand, with_noisy_cards(hand, chance), hidden)]
        hands.append(without_trumps(hand))
    return hands


def without_trumps(hand: Hand) -> Hand:
    """Return the hand as somebody wrote it down who never learnt what was trumps."""
    return replace(
        hand, actions=[re.sub(r"(trump|reveal) \S+", r"\1 ?", text) for text in hand.actions]
    )


def test_an_action_has_one_fatal_fault_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bit for each fatal fault two at once would show; every hand is made to go wrong."""
    wide = IntEnum("wide", {fault.name: 1 << place for place, fault in enumerate(Fault)})  # type: ignore[misc]  # its members are made here
    fatal = sum(wide[fault.name] for fault in FATAL_FAULTS)
    provoked = [case.hand for case in on_actions()]
    hands = {name: faulty_hands(name) for name in variants()} | {"each code": provoked}
    for name, module in list(sys.modules.items()):
        if name.startswith("tricklog.core.") and getattr(module, "Fault", None) is Fault:
            monkeypatch.setattr(module, "Fault", wide)
            if getattr(module, "FATAL", None) == FATAL:
                monkeypatch.setattr(module, "FATAL", fatal)
    monkeypatch.setattr(play, "NOT_PUT", fatal | wide["PLAYED_WHEN_OUT"])
    assert vars(faults)["Fault"] is wide
    seen = 0
    judged = 0
    for name, records in hands.items():
        others = [action for hand in records for action in setup.read_actions(hand)]
        chance = random.Random(f"faults/others/{name}")
        for hand in records:
            actions = setup.read_actions(hand)
            state, rules, _ = setup.first_state(hand, ruleset_of(hand), actions)
            engine.start(state, rules)
            for action in actions:
                for tried in (*chance.sample(others, 2), action):
                    before = copy_state(state)
                    found = engine.apply(before, rules, tried) & fatal
                    assert found.bit_count() <= 1, (hand, action, tried)
                    seen |= found
                    judged += 1
                state = before
                if found:
                    break
    assert seen == fatal
    assert judged > 5_000
