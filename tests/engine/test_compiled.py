"""The library against plain Python: the same verdicts, faults, states, results and facts.

`python -m tests.long.compiled` compares as many hands as wanted.
"""

import pickle
import random
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from benchmarks.compiled_proof import Library, Plain, differences
from tests.kit.gap_records import cut
from tests.kit.made_once import played
from tests.kit.noise import broken, with_noisy_cards
from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.kit.tiers import scaled, some
from tests.mutations.run import subjects
from tricklog import Claimed, Hand, RulesetError, Verdict, decode_hand, encode_hand, variants
from tricklog.core import BadRecord, Mode, Replay, Ruleset, load_variant, replay
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.hand_replay import ANY_FAULT
from tricklog.core.engine.rules.history import History
from tricklog.core.judging import setup
from tricklog.core.judging.setup import LibraryCarrier
from tricklog.core.native import library

needs_library = pytest.mark.skipif(not library.is_there(), reason="there is no library")

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


def sound_and_faulty(variant: str, seed: int = 1) -> Iterator[Hand]:
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
    for hand in sound_and_faulty(variant, seed):
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


# --- ``replay`` by the library, and in plain Python: nothing of a replay differs
HANDS = scaled(40, most=400)
"""Hands of each variant, about, of each of which others are made."""
LOOKED_AT = 5
"""One hand in so many has the table compared before each of its actions."""
MODES: tuple[Mode, ...] = ("audit", "audit", "strict", "salvage")
_RECORD = re.compile(r"_\w+|carrier")


def hands_to_replay(variant: str, chance: random.Random) -> Iterator[Hand]:
    """Yield hands of bots, random, broken and hidden ones, with claims, gaps and changed words."""
    yield from played(variant, 1, 1)[:PLAYED]
    yield from islice(dealt_hands(variant, chance), HANDS)
    for subject in islice(subjects(variant, chance), HANDS // 6):
        hand = subject.hand
        yield hand
        yield broken(hand, chance)
        yield with_parts_unknown(hand, chance)
        if gaps := cut(hand, replay(hand), chance):
            yield gaps
        for _ in range(4):
            try:
                yield decode_hand(mutated(encode_hand(hand), chance))
            except msgspec.DecodeError:
                continue


def with_parts_unknown(hand: Hand, chance: random.Random) -> Hand:
    """Return a hand that is claimed in part, as only version 2 of the log can say."""
    claimed = hand.claimed or Claimed()
    whole = list(claimed.points or [7, 7])
    whole[chance.randrange(len(whole))] = chance.choice([None, 3])
    scores = list(hand.scores or [0, 0])
    some_scores = [None, *scores[1:]] if chance.random() < 0.5 else hand.scores
    claimed = replace(claimed, points=whole, result=chance.choice([UNSET, "made", "set"]))
    return replace(hand, claimed=claimed, scores=some_scores, remark="of \ud7ff and more")


def told(hand: Hand, mode: Mode, ruleset: Ruleset | None, *, at_each: bool) -> dict[str, Any]:
    try:
        found = replay(hand, mode=mode, ruleset=ruleset)
    except (BadRecord, RulesetError) as error:
        return {"refused": str(error)}
    names = [each.name for each in fields(found) if not _RECORD.fullmatch(each.name)]
    names += ["doubts", "actions", "at_play", "has_gaps", "calls", "tricks", "captures", "outcome"]
    place = found.workspace
    read = {
        **{name: getattr(found, name) for name in names},
        **place._asdict(),
        "history": listed(place.history),
        "length": len(found),
    }
    if at_each:
        read["states"] = [found.state_at(index) for index in range(len(found) + 1)]
        read["views"] = list(found)
    return read


def listed(history: History) -> dict[str, Any]:
    """Return a history without what lies beyond its lists."""
    sizes = {
        "call": history.calls,
        "play": history.plays + history.on_table,
        "first": history.tricks,
        "trick": history.tricks,
        "capture": history.captures,
    }
    cells = {each.name: getattr(history, each.name) for each in fields(history)}
    return {
        name: value[: sizes[name.partition("_")[0]]] if isinstance(value, list) else value
        for name, value in cells.items()
    }


@needs_library
@pytest.mark.parametrize("variant", some(variants(), 5))
def test_library_and_plain_python_agree(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"carriers/{variant}")
    others = [None] * 4 + [load_variant("pedro"), load_variant(variant)]
    verdicts, differing = set(), []
    for number, hand in enumerate(hands_to_replay(variant, chance)):
        mode = chance.choice(MODES)
        ruleset = chance.choice(others)
        at_each = number % LOOKED_AT == 0
        one = told(hand, mode, ruleset, at_each=at_each)
        with monkeypatch.context() as plain:
            plain.setattr(library, "is_there", lambda: False)
            other = told(hand, mode, ruleset, at_each=at_each)
        verdicts.add(one.get("verdict"))
        names = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
        differing += [f"{name}: {mode}, {encode_hand(hand).decode()}" for name in names]
    assert not differing
    assert verdicts > {Verdict.VALID, Verdict.IRREGULAR, Verdict.REJECTED, Verdict.PARTIAL}


@needs_library
def test_hands_are_carried_out_by_the_library() -> None:
    for variant in variants():
        for hand in played(variant, 1, 1)[:PLAYED]:
            for each in (hand, replace(hand, remark="a fine one"), broken(hand, random.Random(1))):
                assert isinstance(replay(each).carrier, LibraryCarrier)


@needs_library
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"deal": ["AS", "KS", "QS", "\ud800"]}, "/deal/3"),
        ({"deal": ["AS", "KS"]}, "/deal"),
        ({"actions": ["1 pass", "2 play \ud800"]}, "/actions/1"),
        ({"actions": ["1 pass"] * 1001}, ""),
        ({"actions": ["6 pass"]}, ""),
        ({"dealer": 5}, "/dealer"),
        ({"scores": [1 << 70, 0]}, ""),
        ({"scores": [2_000_000, 0]}, ""),
        ({"stock": "AS AS"}, ""),
        ({"kitty": "as"}, "/kitty"),
    ],
)
def test_what_the_library_cannot_read_is_read_with_care(changed: dict[str, Any], says: str) -> None:
    hand = replace(played("pedro", 1, 1)[0], **changed)
    if says:
        with pytest.raises(BadRecord, match=f"^{says}: "):
            replay(hand)
    else:
        assert replay(hand).verdict != Verdict.VALID


@needs_library
def test_a_replay_can_be_packed_and_unpacked() -> None:
    hand = played("pedro", 1, 1)[0]
    packed = pickle.dumps(replay(hand))
    found: Replay = pickle.loads(packed)  # noqa: S301 - what was just packed
    assert found == replay(hand)
    assert (found.captures, found.outcome) == (replay(hand).captures, replay(hand).outcome)
    assert list(found) == list(replay(hand))


@needs_library
def test_one_replay_does_not_change_another() -> None:
    hands = played("pedro", 1, 1)[:PLAYED]
    together = [replay(hand) for hand in hands]
    told_later = [(found.tricks, found.outcome, found.state_at(9)) for found in together]
    for hand, (tricks, outcome, state) in zip(hands, told_later, strict=True):
        found = replay(hand)
        assert (found.tricks, found.outcome, found.state_at(9)) == (tricks, outcome, state)


@needs_library
def test_rules_that_come_and_go_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from tricklog.core.compiled import replaying

    monkeypatch.setattr(replaying, "_KEPT_RULES", 2)
    monkeypatch.setattr(setup, "_places", type("Places", (), {})())
    hands = [played(variant, 1, 1)[0] for variant in some(variants(), 5)]
    assert {replay(hand).verdict for hand in hands * 3} == {Verdict.VALID}
    assert isinstance(replay(hands[0]).carrier, LibraryCarrier)
