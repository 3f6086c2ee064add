"""Version 1 of the hand log is frozen: what was read when it was frozen is read alike for ever.

``tests/frozen`` is only added to. ``hands.jsonl`` has lines in canonical form; ``known.jsonl`` has,
in the same order, their hashes, verdicts and findings; ``spelled.jsonl`` has some of the hands
written otherwise.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs

from tests.kit.tiers import check_each
from tricklog.core import Verdict, replay, variants
from tricklog.ingest.reading.reader import parse_line
from tricklog.schemas import actions
from tricklog.schemas import hand as log
from tricklog.schemas.actions import SHOWN_TRUMPS, TRUMP_CODES, VERB_NAMES
from tricklog.schemas.cards import CARD_NAMES
from tricklog.schemas.first_version import Claimed, Record

FOLDER = Path(__file__).parents[1] / "frozen"
LINES = (FOLDER / "hands.jsonl").read_bytes().splitlines()
KNOWN = [json.loads(line) for line in (FOLDER / "known.jsonl").read_bytes().splitlines()]
SCHEMA = Path(__file__).parents[2] / "schemas" / "hand.schema.json"

GAMES = {
    *("pedro", "cinch", "nicaragua", "pidro", "pitch-with-fives", "sancho", "snoozer"),
    *("king-pedro", "ukrainian", "sixty-three", "eighty-three"),
    *("twenty-nine", "lucknow", "bangladesh"),
}
FROZEN_LINES = 83
LINES_DIGEST = "ecf24d26c6128259d4c3df9eceb9b43132164d75e8dcf9ee6cc9840c1e276be1"
KNOWN_DIGEST = "a796263c539a458a4252d8d73a1f8943aec73ca257ff4e61c20cc5cf2095ee90"
SCHEMA_DIGEST = "0672499b9c637a05e9aea35154b73bcf3dd1f3ece9e9443b3f39066556953b37"
VOCABULARY_DIGEST = "973543eb9bab96e51cfb9395639f3ea6a435d38b3919c3744afd6d22e4b2dc13"
MESSAGE = "tricklog/1 is frozen: a change of {} needs version 2 (docs/hand-log.md#versions)"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read(line: bytes) -> log.Hand:
    read = parse_line(line)
    assert isinstance(read, log.Hand), read
    return read


def objects() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LINES]


# --- What was written
def test_a_frozen_line_reads_and_is_judged_as_it_always_was() -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_bytes()))

    def check(case: tuple[bytes, dict[str, Any]]) -> None:
        line, known = case
        hand = read(line)
        assert log.encode_hand(hand) == line
        hashes = {"id": hand.id, "content": log.content_hash(hand), "play": log.play_hash(hand)}
        result = replay(hand)
        codes = [finding.code for finding in result.findings]
        assert known == hashes | {"verdict": result.verdict, "findings": codes}
        validator.validate(json.loads(line))

    check_each(zip(LINES, KNOWN, strict=True), check, lambda case: case[1]["id"])


def test_a_frozen_hand_in_another_spelling_is_the_same_record() -> None:
    for line in (FOLDER / "spelled.jsonl").read_bytes().split(b"\n")[:-1]:
        canonical = log.encode_hand(read(line))
        assert canonical != line
        assert canonical in LINES, line


# --- Lines of every kind
def words(verb: str) -> set[str]:
    texts = [action.split(" ", 2) for each in objects() for action in each["actions"]]
    return {text[2] for text in texts if text[1] == verb}


def test_every_game_of_that_time_has_three_hands_or_more() -> None:
    played = [each["rules"]["variant"] for each in objects()]
    assert {name for name in GAMES if played.count(name) < 3} == set()
    assert set(variants()) >= GAMES


def test_every_verb_is_used_soundly_and_every_word_for_bids_and_trumps_occurs() -> None:
    said = set()
    for each, known in zip(objects(), KNOWN, strict=True):
        if known["verdict"] == Verdict.VALID:
            said |= {action.split(" ")[1] for action in each["actions"]}
    assert said == set(VERB_NAMES.values())
    assert {"28-56", "83-double", "63-double"} <= words("bid")
    assert words("trump") | words("reveal") == set(TRUMP_CODES)
    assert words("reveal") <= set(SHOWN_TRUMPS)


def test_every_card_and_every_kind_of_ignorance_occurs() -> None:
    cards = {card for each in objects() for hand in each.get("deal", []) for card in hand.split()}
    assert cards == {*CARD_NAMES, "?", "*"}
    for verb in ("discard", "draw", "play", "rob", "bury"):
        assert any("?" in text for text in words(verb)), verb
    assert any("*" in text for text in words("discard"))
    for name in ("deal", "stock", "kitty"):
        assert any(name not in each for each in objects()), name
    assert {"", "?"} <= {each.get("stock", "")[:1] for each in objects()}


def test_every_field_occurs_and_every_optional_one_is_also_left_out() -> None:
    required = json.loads(SCHEMA.read_bytes())["required"]
    for name in Record.__struct_fields__:
        there = [name in each for each in objects()]
        assert any(there)
        assert all(there) == (name in required), name
    for name, part in (("rules", log.RulesRef), ("claimed", Claimed)):
        written = {key for each in objects() for key in each.get(name, {})}
        assert written == set(part.__struct_fields__), name
    people = [player for each in objects() for player in each["players"]]
    assert {key for player in people for key in player} == set(log.Player.__struct_fields__)
    assert {player.get("kind") for player in people} == {None, "human", "bot"}
    assert {len(each["players"]) for each in objects()} == {4, 5, 6, 7}


def test_every_status_verdict_and_type_of_option_occurs() -> None:
    assert {each.get("status") for each in objects()} == {None, *get_args(log.Status)}
    assert {known["verdict"] for known in KNOWN} == set(Verdict) - {Verdict.PARTIAL}
    options = [each["rules"].get("options", {}) for each in objects()]
    types = {type(value) for each in options for value in each.values()}
    assert types == {bool, int, str, list, dict}


# --- Nothing else either
def test_the_schema_and_the_vocabulary_are_frozen() -> None:
    assert digest(SCHEMA.read_bytes()) == SCHEMA_DIGEST, MESSAGE.format("the schema")
    takes = ["TAKES_BID", "TAKES_TRUMP", "TAKES_ONE_CARD", "TAKES_CARDS", "TAKES_TWO_CARDS"]
    vocabulary = [
        [[int(verb), name] for verb, name in VERB_NAMES.items()],
        [sorted(getattr(actions, name)) for name in takes],
        [list(TRUMP_CODES), list(SHOWN_TRUMPS), actions.NAME_28_56, actions.SUFFIX_DOUBLE],
        [actions.MAX_BID, actions.MAX_CARDS_IN_ACTION],
        list(CARD_NAMES),
        list(get_args(log.Status)),
    ]
    assert digest(json.dumps(vocabulary).encode()) == VOCABULARY_DIGEST, MESSAGE.format(
        "the vocabulary"
    )


def test_the_frozen_lines_are_only_added_to() -> None:
    lines = b"\n".join(LINES[:FROZEN_LINES])
    assert digest(lines) == LINES_DIGEST, MESSAGE.format("a frozen line")
    hashes = [[known["content"], known["play"]] for known in KNOWN[:FROZEN_LINES]]
    assert digest(json.dumps(hashes).encode()) == KNOWN_DIGEST, MESSAGE.format("a hash")
