"""``replay`` by the library against ``replay`` in plain Python: nothing of a replay differs."""

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

from tests.engine.test_compiled import PLAYED, dealt_hands, mutated
from tests.kit.gap_records import cut
from tests.kit.made_once import played
from tests.kit.noise import broken
from tests.kit.tiers import scaled, some
from tests.mutations.run import subjects
from tricklog import RulesetError
from tricklog.core import BadRecord, Mode, Replay, Ruleset, Verdict, load_variant, replay, variants
from tricklog.core.engine.rules.history import History
from tricklog.core.judging import setup
from tricklog.core.judging.setup import LibraryCarrier
from tricklog.core.native import library
from tricklog.schemas.hand import Claimed, Hand, decode_hand, encode_hand

pytestmark = pytest.mark.skipif(not library.is_there(), reason="there is no library")

HANDS = scaled(40, most=400)
"""Hands of each variant, about, of each of which others are made."""
LOOKED_AT = 5
"""One hand in so many has the table compared before each of its actions."""
MODES: tuple[Mode, ...] = ("audit", "audit", "strict", "salvage")
_RECORD = re.compile(r"_\w+|carrier")


def hands_of(variant: str, chance: random.Random) -> Iterator[Hand]:
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
    return replace(
        hand,
        claimed=replace(claimed, points=whole, result=chance.choice([UNSET, "made", "set"])),
        scores=some_scores,
        remark="of \ud7ff and more",
    )


def told(hand: Hand, mode: Mode, ruleset: Ruleset | None, *, at_each: bool) -> dict[str, Any]:
    try:
        found = replay(hand, mode=mode, ruleset=ruleset)
    except (BadRecord, RulesetError) as error:
        return {"refused": str(error)}
    names = [each.name for each in fields(found) if not _RECORD.fullmatch(each.name)]
    place = found.workspace
    read = {
        **{name: getattr(found, name) for name in names},
        **{name: getattr(found, name) for name in ("doubts", "actions", "at_play", "has_gaps")},
        **{name: getattr(found, name) for name in ("calls", "tricks", "captures", "outcome")},
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


@pytest.mark.parametrize("variant", some(variants(), 5))
def test_library_and_plain_python_agree(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"carriers/{variant}")
    others = [None] * 4 + [load_variant("pedro"), load_variant(variant)]
    verdicts, differing = set(), []
    for number, hand in enumerate(hands_of(variant, chance)):
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


def test_hands_are_carried_out_by_the_library() -> None:
    for variant in variants():
        for hand in played(variant, 1, 1)[:PLAYED]:
            for each in (hand, replace(hand, remark="a fine one"), broken(hand, random.Random(1))):
                assert isinstance(replay(each).carrier, LibraryCarrier)


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


def test_a_replay_can_be_packed_and_unpacked() -> None:
    hand = played("pedro", 1, 1)[0]
    packed = pickle.dumps(replay(hand))
    found: Replay = pickle.loads(packed)  # noqa: S301 - what was just packed
    assert found == replay(hand)
    assert (found.captures, found.outcome) == (replay(hand).captures, replay(hand).outcome)
    assert list(found) == list(replay(hand))


def test_one_replay_does_not_change_another() -> None:
    hands = played("pedro", 1, 1)[:PLAYED]
    together = [replay(hand) for hand in hands]
    told_later = [(found.tricks, found.outcome, found.state_at(9)) for found in together]
    for hand, (tricks, outcome, state) in zip(hands, told_later, strict=True):
        found = replay(hand)
        assert (found.tricks, found.outcome, found.state_at(9)) == (tricks, outcome, state)


def test_rules_that_come_and_go_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from tricklog.core.compiled import replaying

    monkeypatch.setattr(replaying, "_KEPT_RULES", 2)
    monkeypatch.setattr(setup, "_places", type("Places", (), {})())
    hands = [played(variant, 1, 1)[0] for variant in some(variants(), 5)]
    assert {replay(hand).verdict for hand in hands * 3} == {Verdict.VALID}
    assert isinstance(replay(hands[0]).carrier, LibraryCarrier)
