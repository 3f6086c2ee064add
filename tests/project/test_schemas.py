"""The published schemas: made by the code, and at one with the reader and the rules loader."""

import copy
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.any_hand import HANDS, HANDS_WITH_GAPS
from tests.kit.log_lines import SOUND
from tests.kit.page_blocks import blocks_of
from tests.kit.support import ruleset_validator
from tests.kit.tiers import scaled
from tests.regenerate.schemas import gaps_schema, hand_schema, ruleset_schema, schema_text
from tricklog.core import RulesetError, variants
from tricklog.core.rulesets.policy_table import COMMON, POLICIES
from tricklog.core.rulesets.ruleset import resolve
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.schemas.actions import VERB_NAMES
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Hand, RulesRef, decode_hand, encode_hand

ROOT = Path(__file__).parents[2]
MADE = {"hand": hand_schema, "hand-2": gaps_schema, "ruleset": ruleset_schema}
IDS = {"hand": "hand:1", "hand-2": "hand:2", "ruleset": "ruleset:1"}
HAND = jsonschema_rs.validator_for(hand_schema())
GAPS = jsonschema_rs.validator_for(gaps_schema())


@pytest.mark.parametrize("name", MADE)
def test_the_published_file_is_what_the_code_makes(name: str) -> None:
    published = (ROOT / f"schemas/{name}.schema.json").read_text("utf-8")
    assert published == schema_text(MADE[name]()), "run: ./dev regenerate"


@pytest.mark.parametrize("name", MADE)
def test_the_schema_is_a_schema_and_names_no_host(name: str) -> None:
    schema = MADE[name]()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(schema)
    assert schema["$id"] == f"urn:tricklog:{IDS[name]}"
    assert schema_text(schema).count("://") == 1


def properties(part: Any) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - any JSON
    if isinstance(part, dict):
        yield from part.get("properties", {}).items()
        for inner in part.values():
            yield from properties(inner)
    if isinstance(part, list):
        for inner in part:
            yield from properties(inner)


@pytest.mark.parametrize("made", [hand_schema, gaps_schema])
def test_each_field_of_a_hand_and_verb_is_described(made: Callable[[], dict[str, Any]]) -> None:
    schema = made()
    assert [name for name, part in properties(schema) if not part.get("description")] == []
    verbs = schema["$defs"]["action"]["anyOf"]
    assert [verb["title"] for verb in verbs] == list(VERB_NAMES.values())
    assert all(verb["description"] for verb in verbs)


def test_every_policy_is_described_with_all_its_values() -> None:
    described = ruleset_schema()["$defs"]["policies"]
    assert list(described) == list(POLICIES)
    for key, part in described.items():
        assert part["description"].startswith(POLICIES[key].question)
        for value in part.get("enum", []):
            assert f"\n- {value}: " in part["description"]


# --- Hands
def sample_lines() -> list[bytes]:
    """The lines of every sample but those that are no hands."""
    logs = sorted((ROOT / "sample_logs").rglob("*.jsonl"))
    hands = [log for log in logs if log.parent != ROOT / "sample_logs/invalid/line"]
    return [line for log in hands for line in log.read_bytes().splitlines()]


def test_every_sample_validates() -> None:
    lines = sample_lines()
    assert lines
    for line in lines:
        document = json.loads(line)
        schema = GAPS if document["format"] == FORMAT_WITH_GAPS else HAND
        schema.validate(document)


BEYOND_SCHEMA = (
    (
        RejectCode.BAD_VALUE,
        r"/dealer|/deal|/claimed/winners/\d+",
        "There is no seat|for . seats and . players",
    ),
    (RejectCode.BAD_VALUE, r"/(times|notes)/\d+", "There is no action"),
    (RejectCode.BAD_VALUE, "/started_at", "is not a time that exists"),
    (RejectCode.BAD_ACTION, r"/actions/\d+", "There is no seat|names one card twice"),
    (RejectCode.BAD_VALUE, "/known/(maker|pair)|/gaps/.*/winner", "There is no seat"),
    (RejectCode.BAD_VALUE, r"/gaps/\d+/(before|tricks)", "before action|Gaps stand|[Tt]rick"),
    (RejectCode.BAD_VALUE, r"/gaps/\d+/then/(tricks_won|holdings)", "an entry for"),
    (RejectCode.BAD_CARD, r"/gaps/\d+/then/(holdings/\d|seen)", "named twice"),
    (RejectCode.BAD_VALUE, "/claimed/by", "whether the contract"),
)
"""What the page says that a schema has no words for: code, place, message."""


def agree(document: object) -> None:
    """The schema and the reader accept a document both or not at all."""
    found = parse_line(json.dumps(document).encode())
    version = isinstance(document, dict) and document.get("format")
    schema = GAPS if version == FORMAT_WITH_GAPS else HAND
    if not isinstance(found, Trouble):
        schema.validate(document)
    elif schema.is_valid(document):
        assert any(
            found.code == code
            and re.fullmatch(place, found.pointer)
            and re.search(words, found.message)
            for code, place, words in BEYOND_SCHEMA
        ), found


JUNK = [
    *(None, True, False, 0, -1, 1, 7, 999, 1000, 1001, 100_001, 1_000_001, -1_000_001, 10**10 + 1),
    *(1.5, "", "x", "X", "x" * 200, "x" * 201, "AH", "AH 2H", "AH  2H", "? *", "10H", "ah", "JO"),
    *("0 pass", "0 bid 7", "0 bid 07", "6 pass", "7 pass", "0 discard AH AH", "0 pass\n", "AH\n"),
    *("AH " * 52 + "AH", "AH " * 53 + "AH", "0 draw" + " ?" * 53, "0 draw" + " ?" * 54),
    *("tricklog/1", "tricklog/2", "complete", "lost", "human", "2026-11-20T19:03:00Z", "pidro\n"),
    *("2026-02-30T19:03:00Z", "2026-11-20t19:03:00.5+02:00", "2026-11-20", "é", "\0"),
    *([], [0, 0], [0] * 7, [0] * 8, ["AH"], ["0 pass"], {}, {"a": 1}, {"0": 1}, {"0": "x"}),
    *({"00": 1}, {"id": "x"}, {"variant": "pedro"}, [{"id": "x"}] * 5, [{"id": "x"}] * 8),
]
KEYS = ("a", "0", "17", "1000", "id", "name", "scores", "winners", "kitty", "\n", "target", "game")


def places(value: object) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys or indexes."""
    if isinstance(value, dict):
        return [(value, k) for k in value] + [p for inner in value.values() for p in places(inner)]
    if isinstance(value, list):
        return [(value, i) for i in range(len(value))] + [p for v in value for p in places(v)]
    return []


@st.composite
def spoilt(draw: st.DrawFn, documents: list[Any], junk: list[Any]) -> Any:  # noqa: ANN401 - any JSON
    """A document with a few things replaced, removed, added, repeated or misspelt."""
    document = copy.deepcopy(draw(st.sampled_from(documents)))
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        inside, key = draw(st.sampled_from(found))
        deed = draw(st.sampled_from(["replace", "remove", "add", "misspell"]))
        odd = copy.deepcopy(draw(st.sampled_from([*junk, inside[key]])))
        if deed == "remove":
            del inside[key]
        elif deed == "add" and isinstance(inside, dict):
            inside[draw(st.sampled_from(KEYS))] = odd
        elif deed == "add":
            inside.insert(draw(st.integers(0, len(inside))), odd)
        elif deed == "misspell" and isinstance(inside[key], str):
            at = draw(st.integers(0, len(inside[key])))
            inside[key] = (
                inside[key][:at] + draw(st.sampled_from(" 0Hx?\n")) + inside[key][at + 1 :]
            )
        else:
            inside[key] = odd
    return document


def hands_of_the_page() -> list[Any]:
    told = [block.content for block in blocks_of("docs/hand-log.md") if block.language == "json"]
    return [json.loads(text) for text in told if FORMAT_WITH_GAPS in text]


# Files are read when a test runs, not when it is collected.
SPOILT = st.deferred(lambda: spoilt([SOUND, *map(json.loads, sample_lines()[::40])], JUNK))
SPOILT_WITH_GAPS = st.deferred(lambda: spoilt(hands_of_the_page(), JUNK))


@settings(max_examples=scaled(20))
@given(SPOILT, SPOILT_WITH_GAPS)
def test_the_schema_and_the_reader_agree_on_spoilt_hands(document: object, gappy: object) -> None:
    agree(document)
    agree(gappy)


@settings(max_examples=scaled(12))
@given(HANDS, HANDS_WITH_GAPS)
def test_the_schema_and_the_reader_agree_on_any_hand(hand: Hand, gappy: Hand) -> None:
    HAND.validate(json.loads(encode_hand(hand)))
    agree(json.loads(encode_hand(hand)))
    agree(json.loads(encode_hand(gappy)))


def test_what_only_the_schema_accepts() -> None:
    line = json.dumps(SOUND).encode()
    for other in (
        line.replace(b'"dealer": 3', b'"dealer": 3.0'),
        line.replace(b'"dealer": 3', b'"dealer": 3, "dealer": 2'),
        line.replace(b'{"a": null}', b"[" * 70 + b"]" * 70),
    ):
        assert HAND.is_valid(json.loads(other))
        assert isinstance(parse_line(other), Trouble)
        decode_hand(line)


# --- Rulesets
def variant_files() -> list[dict[str, Any]]:
    folder = ROOT / "replay/rulesets/variants"
    # The name of the file is the id of the game.
    texts = {name: (folder / f"{name}.toml").read_text("utf-8") for name in variants()}
    return [{"id": name, **tomllib.loads(text)} for name, text in texts.items()]


def test_every_variant_file_validates() -> None:
    for data in variant_files():
        if "extends" not in data:
            for key, answer in COMMON.items():
                data[POLICIES[key].section].setdefault(key, answer)
        ruleset_validator().validate(data)


HOUSE_RULES: list[dict[str, Any]] = [
    {"extends": "pedro", "min_bid": 6, "forced_bid": 6, "auction": "rounds"},
    {"extends": "pidro", "id": "ours", "title": "Ours", "game": {"target": 52}},
    {"extends": "pedro", "house_rules": ["O01", "O16"], "deal": {"packets": [9]}},
    {"extends": "twenty-nine", "players": [4], "phases": ["auction", "trump", "deal-rest", "play"]},
]


@pytest.mark.parametrize("data", HOUSE_RULES)
def test_house_rules_validate_in_their_sections_or_without(data: dict[str, Any]) -> None:
    ruleset_validator().validate(data)
    resolve(RulesRef("x", definition=data))


RULE_JUNK = [
    *(*JUNK, "partners", "rounds", "open", "pedro", "any", "A", "AKQ", "AA", {"A": 0}, {"B": 1}),
    *({"A": 1, "off_five": 5}, [4, 7], [3], [8], ["auction", "play"], ["play", "trump", "auction"]),
]


def beyond_schema(error: RulesetError) -> bool:
    """Whether rules are refused for what a schema has no words for.

    That is: which variants there are, ranks that are named twice, the order of the phases, and
    policies that contradict each other.
    """
    key = re.split("[./]", error.pointer)[-1]
    plain = "is not known|is not set|is not a policy|is not the cit|must be|is .*(allowed|must be)"
    return key in {"extends", "ranks", "phases"} or not re.match(plain, error.message)


@given(st.deferred(lambda: spoilt([*variant_files(), *HOUSE_RULES], RULE_JUNK)))
def test_the_schema_and_the_loader_agree_on_spoilt_rules(data: dict[str, Any]) -> None:
    # A log names the variant of rules that it embeds, so these need no id of their own.
    data.setdefault("id", "x")
    refusal = None
    try:
        resolve(RulesRef("x", definition=data))
    except RulesetError as error:
        refusal = error
    if refusal is None:
        ruleset_validator().validate(data)
    elif ruleset_validator().is_valid(data):
        assert beyond_schema(refusal), refusal
