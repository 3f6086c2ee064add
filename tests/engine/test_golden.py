"""Golden replays: stored hands of each system with all that their replay says.

A difference is a change of the rules or of what a replay tells, and has to be meant. Then write
what is expected again, and read the difference before committing it:

    ./dev regenerate golden

The hands stay as they are; a missing file is filled with generated hands first.
"""

import hashlib
import random
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.kit.log_lines import write_lines
from tests.kit.random_play import HOUSE_RULES, together
from tricklog.core import Finding, Replay, Trick, View, generate, load_variant, replay, variants
from tricklog.schemas.cards import card_name, names_in
from tricklog.schemas.hand import Claimed, Hand, decode_hand

FOLDER = Path(__file__).parents[1] / "golden"
Golden = dict[str, Any]


def path_of(variant: str) -> Path:
    return FOLDER / f"{variant}.jsonl"


def stored(variant: str) -> list[Golden]:
    return [msgspec.json.decode(line) for line in path_of(variant).read_bytes().splitlines()]


def hand_in(entry: Golden) -> Hand:
    return decode_hand(msgspec.json.encode(entry["hand"]))


# --- What a replay says, in plain values
def expected(hand: Hand) -> Golden:
    replayed = replay(hand)
    return {
        "ruleset": replayed.ruleset.hash,
        "verdict": replayed.verdict.value,
        "findings": [finding_in_words(finding) for finding in replayed.findings],
        "calls": len(replayed.calls),
        "tricks": [trick_in_words(trick) for trick in replayed.tricks],
        "captures": captures_in_words(replayed),
        "outcome": asdict(replayed.outcome) if replayed.outcome else None,
        "steps": " ".join(digest(replayed.at(index)) for index in range(len(replayed) + 1)),
    }


def finding_in_words(finding: Finding) -> str:
    return f"{finding.code} {finding.pointer} {finding.seat} [{finding.legal}] {finding.rule}"


def trick_in_words(trick: Trick) -> str:
    cards = " ".join(f"{seat} {card_name(card)}" for seat, card in trick.plays)
    return f"{trick.number}: {cards} ({names_in(trick.buried)}) {trick.winner} {trick.points}"


def captures_in_words(replayed: Replay) -> str:
    return " ".join(
        f"{card_name(each.card)}={each.points}:{each.from_seat}>{each.by_seat}"
        for each in replayed.captures
    )


def digest(view: View) -> str:
    """Return 8 hex digits over everything on the table but the wording."""
    values = asdict(view)
    del values["choice"]["said"]
    return hashlib.sha256(msgspec.json.encode(values, order="sorted")).hexdigest()[:8]


# --- Against what is stored
@pytest.mark.parametrize("variant", variants())
def test_stored_hands_replay_as_they_did(variant: str) -> None:
    entries = stored(variant)
    assert len(entries) >= 4
    for entry in entries:
        hand = hand_in(entry)
        now = msgspec.json.decode(msgspec.json.encode(expected(hand)))
        for key, value in now.items():
            assert value == entry["expected"][key], f"{hand.id}: {key}"
        assert set(now) == set(entry["expected"])


def test_the_stored_hands_are_of_every_kind() -> None:
    entries = [entry["expected"] for variant in variants() for entry in stored(variant)]
    assert {entry["verdict"] for entry in entries} >= {"valid", "irregular"}
    results = {entry["outcome"]["result"] for entry in entries if entry["outcome"]}
    assert results >= {"made", "set"}


def test_there_are_no_golden_files_of_other_systems() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(variants())


# --- Making them
def new_hands(variant: str) -> list[Hand]:
    """Return hands from the middle of a game, under house rules, with faults, at larger tables."""
    plain = list(islice(generate(variant, 2, seed=29), 3, 6))
    options = together(variant, HOUSE_RULES[variant])
    house = next(generate(variant, 1, seed=30, options=options))
    wrong = next(generate(variant, 1, seed=31))
    actions = list(wrong.actions)
    chance = random.Random(variant)
    cards = [index for index, text in enumerate(actions) if " play " in text]
    one, other = sorted(chance.sample(cards[4:], 2))
    actions[one], actions[other] = actions[other], actions[one]
    faulty = replace(wrong, id=f"{wrong.id}-broken", actions=actions)
    seatings = load_variant(variant).values["players"][1:]
    larger = [next(generate(variant, 1, seed=32, players=seats)) for seats in seatings]
    return [*plain, house, faulty, replace(wrong, claimed=Claimed(points=[0, 1])), *larger]


def write() -> None:
    for variant in variants():
        path = path_of(variant)
        hands = [*map(hand_in, stored(variant))] if path.exists() else new_hands(variant)
        entries = [{"hand": hand, "expected": expected(hand)} for hand in hands]
        write_lines(path, (msgspec.json.encode(each, order="deterministic") for each in entries))
