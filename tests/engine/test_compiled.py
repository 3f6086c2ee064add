"""The compiled driver against plain Python: the same faults, states and results, on any hand.

Some 1,100 hands are compared here. `python -m tests.long.compiled` compares as many as wanted.
"""

import ast
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.compiled_proof import Compiled, Plain, differences
from replay import Verdict, generate, replay, ruleset_of, variants
from replay.compiled import kernel, numba_setup
from replay.engine.faults import FATAL
from replay.engine.hand_replay import ANY_FAULT
from schemas.hand import Hand, encode_hand
from tests.kit.built import build_elsewhere
from tests.kit.noise import broken, with_noisy_cards
from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.kit.tiers import scaled

PLAYED = scaled(6, most=60)
"""Hands of bots for each variant."""
DEALT = scaled(3, most=60)
"""Random legal hands for each variant, under house rules."""
SPOILT = 24
"""Faulty hands made of each of these, about."""
COMPARED = PLAYED + int(DEALT * SPOILT * 0.9)
"""At least so many hands of a variant are compared."""


def hands_of(variant: str, seed: str = "") -> Iterator[Hand]:
    """Return hands of bots, random legal ones, and faulty and hidden ones: 1,100 for all."""
    chance = random.Random(f"compiled/{variant}{seed}")
    yield from islice(generate(variant, PLAYED, seed=chance.randrange(1 << 32)), PLAYED)
    yield from dealt_hands(variant, chance)


def dealt_hands(variant: str, chance: random.Random) -> Iterator[Hand]:
    """Return random legal hands, and faulty and hidden ones made of them."""
    for _ in range(DEALT):
        hand = random_hand(variant, chance, some_options(variant, chance))
        hidden = hidden_record(hand, chance, hidden_plays=True)
        yield hand
        for _ in range(SPOILT // 3):
            yield broken(hand, chance)
            yield broken(with_noisy_cards(hand, chance), chance)
            yield broken(hidden, chance)


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Compile the driver, if nobody has, once for all processes of the test run."""
    build_elsewhere()


@pytest.mark.parametrize("variant", variants())
def test_compiled_and_plain_rules_agree_and_clean_is_what_careful_replay_calls_valid(
    variant: str,
) -> None:
    hands = list(hands_of(variant))
    compared, found = differences(hands)
    assert not found
    assert compared > COMPARED
    compiled = Compiled()
    clean = [compiled.run(encode_hand(hand), len(hand.actions), ANY_FAULT).valid for hand in hands]
    verdicts = {
        replay(hand).verdict for hand, is_clean in zip(hands, clean, strict=True) if is_clean
    }
    assert verdicts == {Verdict.VALID}
    # What bots play is found clean, so that the compiled lane cannot quietly pass all of it on.
    assert clean[:PLAYED] == [1] * PLAYED
    assert 0 in clean


def test_the_hands_compared_break_rules_of_every_kind() -> None:
    plain, faults = Plain(), []
    for variant in variants():
        for hand in islice(dealt_hands(variant, random.Random(variant)), 60):
            rules = ruleset_of(hand).rules(len(hand.players))
            faults += plain.run(encode_hand(hand), rules, len(hand.actions), FATAL).faults
    assert len({fault for fault in faults if fault}) > 30
    assert any(fault & FATAL for fault in faults)
    assert sum(fault == 0 for fault in faults) > len(faults) // 2


def test_the_digest_covers_every_source_that_is_compiled() -> None:
    covered = set(kernel.sources())
    root = Path(kernel.__file__).parents[2]
    waiting = [Path(str(module.__file__)) for module in numba_setup.modules()]
    seen = set()
    while waiting:
        path = waiting.pop()
        assert path in covered, path
        seen.add(path)
        # What a function imports when it is called is nothing that was compiled.
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for name in (node.module, *(f"{node.module}.{each.name}" for each in node.names)):
                imported = root / (name.replace(".", "/") + ".py")
                if imported.exists() and imported not in seen:
                    waiting.append(imported)


def test_another_source_gets_another_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "rule.py"
    source.write_text("ONE = 1\n", "utf-8")
    monkeypatch.setattr(kernel, "sources", lambda: [source])
    before = kernel.digest.__wrapped__()
    source.write_text("ONE = 2\n", "utf-8")
    assert kernel.digest.__wrapped__() != before


def test_a_build_that_may_only_be_read_is_used() -> None:
    """As in an image of a container, whose disk may not be written to."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.kit.read_only_build"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=True,
        text=True,
    )
    assert ran.stdout.split() == ["1", "0"]


def test_a_build_of_another_processor_is_not_used_where_none_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def may(path: Path, mode: int) -> bool:
        return mode == os.R_OK and Path(path).exists()

    monkeypatch.setattr(kernel, "build_folder", lambda: tmp_path)
    (tmp_path / kernel.READY).touch()
    assert kernel.is_ready()
    monkeypatch.setattr(os, "access", may)
    assert not kernel.is_ready()
    (tmp_path / kernel.MACHINE).write_text(kernel.machine(), "utf-8")
    assert kernel.is_ready()
    monkeypatch.setenv("NUMBA_CPU_NAME", "another")
    kernel.machine.cache_clear()
    assert not kernel.is_ready()
    kernel.machine.cache_clear()


def test_a_processor_that_is_asked_for_gets_another_build(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel.digest.__wrapped__()
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64-v3")
    assert kernel.digest.__wrapped__() != before
