"""The fuzz targets for a moment: their seeds, and what chance makes of them.

A long run that is guided by coverage is ``python -m tests.fuzz``.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.mutation import changed_json
from tests.fuzz.seeds import LONGEST, seeds_of, words_of
from tests.fuzz.targets import TARGETS
from tests.kit.tiers import scaled

JSON_TARGETS = [name for name in TARGETS if name not in {"action", "stream", "text"}]
MOST_SEEDS = scaled(40)


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_holds(name: str) -> None:
    seeds = seeds_of(name)
    assert seeds
    for seed in random.Random(1).sample(seeds, min(len(seeds), MOST_SEEDS)):
        assert len(seed) <= LONGEST
        TARGETS[name](seed)


@pytest.mark.parametrize("name", JSON_TARGETS)
@settings(max_examples=scaled(10))
@given(seed=st.integers(0, 2**32), at=st.integers(0, 10**6))
def test_whatever_becomes_of_the_json_holds(name: str, seed: int, at: int) -> None:
    seeds = seeds_of(name)
    TARGETS[name](changed_json(seeds[at % len(seeds)], seed))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=scaled(8))
@given(data=st.data())
def test_whatever_becomes_of_the_bytes_holds(name: str, data: st.DataObject) -> None:
    made = bytearray(data.draw(st.sampled_from(seeds_of(name))))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(made)))
        part = data.draw(st.binary(max_size=4) | st.sampled_from(words_of(name)))
        made[at : at + data.draw(st.integers(0, 8))] = part
    TARGETS[name](bytes(made))


def test_mutations_of_json_mostly_stay_json_and_are_the_same_each_time() -> None:
    seed = seeds_of("reader")[0]
    made = [changed_json(seed, number) for number in range(100)]
    assert made == [changed_json(seed, number) for number in range(100)]
    assert len(set(made)) > 60
    assert changed_json(b"{oops", 1) == b"{oops"
