"""The library against plain Python: the same verdicts, faults, states, results and facts.

`python -m tests.long.compiled` compares as many hands as wanted.
"""

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from benchmarks.compiled_proof import Library, Plain, differences
from tests.kit.made_once import played
from tests.kit.noise import broken, with_noisy_cards
from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.kit.tiers import scaled, some
from tricklog import Hand, Verdict, encode_hand, replay, variants
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.hand_replay import ANY_FAULT

GAMES = scaled(1, most=20)
"""Games of bots for each variant."""
PLAYED = 10
"""Hands taken of each of them, at most."""
DEALT = scaled(3, most=60)
"""Random legal hands for each variant, under house rules."""
SPOILT = 24
"""Faulty hands made of each of these, about."""
MUTATED = 4
"""Lines made of each hand, with words changed."""
COMPARED = 350 * GAMES
"""At least so many lines of a variant are compared."""
_WORD = re.compile(rb"\d+|[AKQJT2-9][SHDC]|[a-z]{3,}")


def hands_of(variant: str, seed: int = 1) -> Iterator[Hand]:
    """Yield hands of bots, random legal ones, and faulty and hidden ones."""
    for number in range(GAMES):
        yield from played(variant, 1, seed * GAMES + number)[:PLAYED]
    yield from dealt_hands(variant, random.Random(f"compiled/{variant}/{seed}"))


def dealt_hands(variant: str, chance: random.Random) -> Iterator[Hand]:
    """Yield random legal hands, and faulty and hidden ones made of them."""
    for _ in range(DEALT):
        hand = random_hand(variant, chance, some_options(variant, chance))
        hidden = hidden_record(hand, chance, hidden_plays=True)
        yield hand
        for _ in range(SPOILT // 3):
            yield broken(hand, chance)
            yield broken(with_noisy_cards(hand, chance), chance)
            yield broken(hidden, chance)


def lines_of(variant: str, seed: int = 1) -> Iterator[bytes]:
    """Yield the lines of such hands, and of each some with words changed."""
    chance = random.Random(f"mutated/{variant}/{seed}")
    for hand in hands_of(variant, seed):
        line = encode_hand(hand)
        yield line
        yield from (mutated(line, chance) for _ in range(MUTATED))


def mutated(line: bytes, chance: random.Random) -> bytes:
    """Return a line with a word in the place of another one like it, and at times a byte changed.

    So it can mostly be read, with something wrong in it that nobody thought of.
    """
    # What stands before says which rules hold, and who plays; the time is read by the driver alone.
    start, end = line.index(b'"dealer"'), line.find(b'"started_at"')
    words = list(_WORD.finditer(line, start, end if end >= 0 else len(line)))
    for _ in range(chance.randint(1, 2)):
        place = chance.choice(words)
        alike = [each for each in words if len(each[0]) == len(place[0])]
        other = chance.choice(alike)[0]
        line = line[: place.start()] + other + line[place.end() :]
    if chance.random() < 0.1:
        at = chance.choice(words).start()
        line = line[:at] + bytes([chance.choice(b'"]}, 0AS?-')]) + line[at + 1 :]
    return line


@pytest.mark.parametrize("variant", variants())
def test_the_library_and_plain_python_agree(variant: str) -> None:
    compared, found = differences(lines_of(variant))
    assert not found
    assert compared >= COMPARED


@pytest.mark.parametrize("variant", variants())
def test_what_the_library_finds_clean_is_valid(variant: str) -> None:
    library = Library()
    bots = played(variant, 1, 1)[:PLAYED]
    hands = [*bots, *islice(dealt_hands(variant, random.Random(1)), 12)]
    clean = [library.run(encode_hand(hand), ANY_FAULT).valid for hand in hands]
    # What bots play is found clean, so that the library cannot quietly leave it to others.
    assert clean[: len(bots)] == [1] * len(bots)
    assert 0 in clean
    found = [hand for hand, is_clean in zip(hands, clean, strict=True) if is_clean]
    assert {replay(hand).verdict for hand in found} == {Verdict.VALID}


def test_the_lines_compared_break_rules_of_every_kind() -> None:
    plain, faults, read = Plain(), [], []
    for variant in some(variants(), 6):
        for line in islice(lines_of(variant), 0, None, 2):
            run = plain.run(line, FATAL)
            faults += run.faults
            read.append(bool(run.records))
    assert len({fault for fault in faults if fault}) > 25
    assert any(fault & FATAL for fault in faults)
    assert sum(fault == 0 for fault in faults) > len(faults) // 2
    assert sum(read) > 2 * len(read) // 5
