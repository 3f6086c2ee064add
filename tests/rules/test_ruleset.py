"""Rulesets: bad data is named with file, key and allowed values; overlays, inheritance, hash."""

import ast
import random
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_play import HOUSE_RULES, random_hand
from tests.kit.rule_cases import rows_in
from tests.kit.sound_hands import pedro
from tests.kit.support import hand_of, refused, rules_of, rules_of_file, ruleset_for
from tests.kit.tiers import is_thorough, some
from tricklog import RulesetError, load_rules_file
from tricklog.core import HouseRule, Ruleset, load_variant, replay, ruleset_of, variants
from tricklog.core.engine.policies import Phase
from tricklog.core.rulesets import policy_table
from tricklog.core.rulesets.rules_file import as_written
from tricklog.core.rulesets.ruleset import resolve, seats_problem
from tricklog.schemas.hand import OptionValue, RulesRef

REPOSITORY = Path(__file__).resolve().parents[2]


def overlaid(options: Mapping[str, Any], variant: str = "pedro") -> Ruleset:
    return resolve(RulesRef(variant, options=dict(options)))


def defined(definition: dict[str, Any], options: dict[str, Any] | None = None) -> Ruleset:
    """Return a user's own rules, as a log carries them."""
    return ruleset_for("mine", options, definition)


# --- The variants
def test_the_systems_are_there() -> None:
    assert set(variants()) == {
        *("pedro", "cinch", "nicaragua", "pidro", "pitch-with-fives", "sancho", "snoozer"),
        *("king-pedro", "ukrainian", "sixty-three", "eighty-three"),
        *("twenty-nine", "lucknow", "bangladesh"),
    }


@pytest.mark.parametrize("variant", variants())
def test_a_variant_is_whole(variant: str) -> None:
    ruleset = load_variant(variant)
    assert ruleset.id == variant
    assert set(ruleset.values) == set(policy_table.POLICIES)
    for key, policy in policy_table.POLICIES.items():
        assert policy.check(ruleset.values[key]) == ruleset.values[key]
    assert ruleset.options == {}
    assert re.fullmatch(r"[0-9a-f]{16}", ruleset.hash)
    assert ruleset.rules(4) is ruleset.rules(4)


def test_points_of_the_systems() -> None:
    totals = {name: load_variant(name).total_points for name in variants()}
    assert totals == {
        **dict.fromkeys(("pedro", "cinch", "nicaragua", "pidro"), 14),
        **dict.fromkeys(("twenty-nine", "lucknow", "bangladesh"), 28),
        "pitch-with-fives": 9,
        "sancho": 18,
        "snoozer": 36,
        "king-pedro": 44,
        "ukrainian": 62,
        "sixty-three": 63,
        "eighty-three": 83,
    }
    assert overlaid({"last_trick_points": 1}, "twenty-nine").total_points == 29


def test_a_variant_extends_another() -> None:
    pedro_values, pidro_values = load_variant("pedro").values, load_variant("pidro").values
    differences = {key for key in policy_table.POLICIES if pedro_values[key] != pidro_values[key]}
    assert differences == {
        *("min_bid", "forced_bid", "surplus", "rob"),
        *("first_lead", "plain_follow", "drop_out", "both_over", "goes_out_at"),
    }
    assert load_variant("pidro").cite("points_in") == "4.points"
    assert load_variant("pidro").cite("points") == "4.points"


def test_the_seats_and_sides() -> None:
    ruleset = load_variant("pedro")
    assert ruleset.sides(4) == 2
    assert [ruleset.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    singles = overlaid({"sides": "singles", "both_over": "makers"})
    assert singles.sides(4) == 4
    assert [singles.side_of(seat) for seat in range(4)] == [0, 1, 2, 3]
    anticlockwise = rules_of("pedro", {"direction": "anticlockwise"})
    assert anticlockwise.step == 3


# --- House rules of a log
@pytest.mark.parametrize("variant", variants())
def test_every_named_option_can_be_switched_on(variant: str) -> None:
    for options in HOUSE_RULES[variant]:
        ruleset = overlaid(options, variant)
        assert ruleset.options == options
        for key, value in options.items():
            assert ruleset.values[key] == value
            assert set(ruleset.cite(key).split()) >= set(load_variant(variant).cite(key).split())


def test_an_overlay_changes_only_what_it_names() -> None:
    ruleset = overlaid({"target": 51})
    assert ruleset.values == {**load_variant("pedro").values, "target": 51}
    assert ruleset.rules(4).target == 51
    assert load_variant("pedro").rules(4).target == 62


ABOUT_POLICIES = {*("policy_table.py", "relevance.py", "rules_text.py")}
"""Modules that speak of policies and do not act on them."""


def test_every_policy_reaches_the_engine() -> None:
    """A policy that nothing reads would be a house rule that does nothing."""
    paths = sorted((REPOSITORY / "replay").rglob("*.py"))
    source = "".join(each.read_text("utf-8") for each in paths if each.name not in ABOUT_POLICIES)
    assert "OFF_CARDS" in source
    read = {key for key in policy_table.POLICIES if re.search(rf'(rules\.{key}\b|"{key}")', source)}
    assert set(policy_table.POLICIES) - read == set(policy_table.OFF_CARDS)


def test_the_hash_tells_rulesets_apart() -> None:
    hashes = {load_variant(name).hash for name in variants()}
    assert len(hashes) == len(variants())
    plain = load_variant("pedro").hash
    assert overlaid({"target": 51}).hash != plain
    assert overlaid({"target": 62}).hash == plain
    assert overlaid({"min_bid": 6, "forced_bid": 6}).hash == (
        overlaid({"forced_bid": 6, "min_bid": 6}).hash
    )
    assert overlaid({"packets": [9]}).hash == plain


def test_a_hand_carries_its_rules() -> None:
    hand = hand_of("pedro", [], options={"target": 51})
    assert ruleset_of(hand).values["target"] == 51
    assert replay(hand).ruleset.hash == ruleset_of(hand).hash
    assert replay(hand, ruleset=load_variant("pidro")).ruleset.id == "pidro"


# --- What is wrong is named
FOLOW = r"'folow' \(did you mean 'follow'\?\), allowed are follow-or-trump, follow, any"
BASIC = ("auction", "trump", "play")


@pytest.mark.parametrize(
    ("options", "pointer", "said"),
    [
        ({"min_bid": "six"}, "/rules/options/min_bid", "'six'.* whole numbers from 1 to 999"),
        ({"min_bid": 0}, "/rules/options/min_bid", "whole numbers from 1 to 999"),
        ({"min_bid": True}, "/rules/options/min_bid", "True.*whole numbers"),
        ({"target": 1.5}, "/rules/options/target", "whole numbers"),
        ({"pass_final": "yes"}, "/rules/options/pass_final", "'yes', allowed are true and false"),
        ({"plain_follow": "folow"}, "/rules/options/plain_follow", FOLOW),
        ({"rob": 1}, "/rules/options/rob", "allowed are all-trumps, whole-stock"),
        ({"packets": []}, "/rules/options/packets", "a list of whole numbers from 1 to 13"),
        ({"packets": [9, 20]}, "/rules/options/packets", "a list of whole numbers"),
        ({"ranks": "AAK"}, "/rules/options/ranks", "ranks out of AKQJT98765432, each once"),
        ({"ranks": "10"}, "/rules/options/ranks", "ranks out of"),
        ({"points": {"A": 0}}, "/rules/options/points", "points from 1 to 100"),
        ({"points": {"Z": 1}}, "/rules/options/points", "by rank"),
        ({"phases": ["auction", "play"]}, "/rules/options/phases", "trump among them"),
        ({"phases": [*BASIC[:2], *BASIC[1:]]}, "/rules/options/phases", "each phase once"),
        ({"zzz": 1}, "/rules/options/zzz", "is not known; known are players, sides"),
        ({"minbid": 1}, "/rules/options/minbid", r"is not known \(did you mean 'min_bid'\?\)$"),
        ({"a/b~c": 1}, "/rules/options/a~1b~0c", "is not known"),
        ({"house_rules": "O01"}, "/rules/options/house_rules", "it must be a list of numbers"),
        ({"house_rules": ["O1"]}, "/rules/options/house_rules", r"\(did you mean 'O01'\?\)"),
        ({"house_rules": ["O01", "O02"]}, "/rules/options/house_rules", "do not go together"),
        ({"house_rules": ["O46"]}, "/rules/options/house_rules", "names O46, which does not fit"),
        ({"house_rules": ["O35"]}, "/rules/options/house_rules", "names O35, which cannot be"),
        ({"O16": True}, "/rules/options/O16", r'numbers stand in a list: "house_rules": \["O16"\]'),
        # Values that are allowed, but not together: test_contradictions.py has them all.
        ({"min_bid": 20}, "/rules/options/min_bid", "above max_bid 14"),
        ({"max_bid": 6}, "/rules/options", "^/rules/options min_bid is 7, above max_bid 6"),
    ],
)
def test_a_bad_overlay_is_pointed_at(options: dict[str, Any], pointer: str, said: str) -> None:
    error = refused(overlaid, options)
    assert error.pointer == pointer
    assert error.source == "the log"
    assert re.search(said, f"{error.pointer} {error.message}"), str(error)


def test_a_log_that_names_no_variant_is_pointed_at() -> None:
    error = refused(overlaid, {}, "bridge")
    assert error.pointer == "/rules/variant"
    assert error.message.startswith("is 'bridge', known are bangladesh, cinch, ")
    error = refused(resolve, RulesRef("pedro", version=99))
    assert error.pointer == "/rules/version"
    assert "is at version 1" in error.message
    hand = pedro()
    hand.players.append(hand.players[0])
    error = refused(ruleset_of, hand)
    assert error.pointer == "/players"
    assert "holds 5 players; Pedro takes 4" in error.message


def test_a_log_may_write_its_keys_in_any_order() -> None:
    options: dict[str, OptionValue] = {"house_rules": ["O17"], "min_bid": 7, "target": 70}
    definition = {"extends": "pedro", "forced_bid": 6, "house_rules": ["O16"], "title": "Mine"}
    back, forth = dict(reversed(options.items())), dict(reversed(definition.items()))
    assert resolve(RulesRef("pedro", options=back)) == ruleset_for("pedro", options)
    given = RulesRef("mine", options=back, definition=forth)
    assert resolve(given) == ruleset_for("mine", options, definition)


@pytest.mark.parametrize(
    ("text", "key", "said"), rows_in(Path(__file__).with_name("refused_files.txt"))
)
def test_a_bad_file_is_named_with_key_and_allowed_values(
    tmp_path: Path, text: str, key: str, said: str
) -> None:
    error = refused(rules_of_file, tmp_path, text.replace(" ; ", "\n"), "mine.toml")
    assert (error.source, error.pointer) == ("mine.toml", key)
    assert re.fullmatch(".*".join(map(re.escape, said.split("…"))), error.message)
    assert str(error).startswith("mine.toml: ")


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"title = '\xff'")
    with pytest.raises(RulesetError, match=r"mine\.toml: the file is not TOML"):
        load_rules_file(path)


@pytest.mark.parametrize(
    ("definition", "options", "pointer"),
    [
        ({"extends": "pedro", "auction": {"min_bid": 0}}, {}, "/rules/definition/auction/min_bid"),
        ({"extends": "nowhere"}, {}, "/rules/definition/extends"),
        ({"extends": "pedro", "x/y": 1}, {}, "/rules/definition/x~1y"),
        ({"extends": "pedro", "option": [{}]}, {}, "/rules/definition/option/0"),
        ({}, {}, "/rules/definition/title"),
        ({"extends": "pedro", "min_bid": 15}, {}, "/rules/definition"),
        ({"extends": "pedro"}, {"min_bid": 15}, "/rules/options/min_bid"),
        ({"extends": "pedro"}, {"nothing": 15}, "/rules/options/nothing"),
    ],
)
def test_bad_rules_inside_a_log_are_pointed_at(
    definition: dict[str, Any], options: dict[str, Any], pointer: str
) -> None:
    assert refused(defined, definition, options).pointer == pointer


# --- A user's own rules
def test_a_users_file_extends_a_variant(tmp_path: Path) -> None:
    text = (
        "extends = 'pedro'\nid = 'ours'\ntitle = 'Our Pedro'\n"
        "[auction]\nmin_bid = 6\nforced_bid = 6\n[game]\ntarget = 52\ngoes_out_at = 0\n"
    )
    ruleset = rules_of_file(tmp_path, text)
    assert (ruleset.id, ruleset.title, ruleset.version) == ("ours", "Our Pedro", 1)
    assert ruleset.values["target"] == 52
    assert ruleset.values["rob"] == "all-trumps"
    assert ruleset.cite("min_bid") == "O01 1.auction"
    assert ruleset.hash != load_variant("pedro").hash


def test_rules_embedded_in_a_log_are_the_same_as_in_a_file(tmp_path: Path) -> None:
    text = "extends = 'pedro'\nid = 'mine'\nversion = 3\n[game]\ntarget = 72\n"
    embedded = defined({"extends": "pedro", "version": 3, "game": {"target": 72}})
    own = rules_of_file(tmp_path, text)
    assert (embedded.hash, embedded.values) == (own.hash, own.values)
    assert defined({"extends": "pedro", "target": 72}).values == embedded.values
    # Options of the log lie over them.
    assert (
        defined({"extends": "pedro", "game": {"target": 52}}, {"target": 56}).values["target"] == 56
    )


def test_a_whole_variant_written_out_is_a_ruleset_of_its_own(tmp_path: Path) -> None:
    pedro = load_variant("pedro")
    lines = [f"{key} = {as_written(value)}" for key, value in pedro.values.items()]
    head = "id = 'ours'\ntitle = 'Ours'\nfamily = 'pedro'\nsummary = 'All of it.'\n"
    alone = rules_of_file(tmp_path, head + "\n".join(lines))
    assert (alone.values, alone.extends) == (pedro.values, "")
    assert set(alone.cites.values()) == {""}


def test_a_chapter_says_what_policies_rest_on(tmp_path: Path) -> None:
    head = "extends = 'pedro'\nid = 'ours'\nchapter = 40\n"
    more = "[topics]\npair = 'pairs'\n[rulings]\nmade = 'S99'\n[cite]\nclamp = '41.game'"
    ours = rules_of_file(tmp_path, head + more)
    assert [ours.cite(key) for key in ("made", "pair_cap", "clamp", "target", "phases")] == [
        *("40.score S99", "40.pairs", "41.game", "40.game", "0.order")
    ]
    # What pedro.toml says of its own topics holds below it, where a game has not its own.
    assert ours.cite("ask") == "40.trump-call"
    assert ours.house_rules == ()
    for text, pointer, said in (
        ("extends = 'pedro'\nchapter = 'one'", "chapter", "number of a chapter"),
        ("extends = 'pedro'\n[rulings]\nmade = 'S99'", "rulings", "chapter = 1"),
        (f"{head}[topics]\npairs = 'pair'", "topics.pairs", "is not a topic"),
        (f"{head}[rulings]\nmade = 1", "rulings.made", "must be text"),
    ):
        error = refused(rules_of_file, tmp_path, text)
        assert (error.pointer, said in error.message) == (pointer, True)


def test_every_policy_has_a_topic() -> None:
    for policy in policy_table.POLICIES.values():
        assert bool(policy.topic) != bool(policy.rests_on), policy.key
    assert {policy.topic for policy in policy_table.POLICIES.values()} == {*policy_table.TOPICS, ""}


def test_a_variant_reads_as_its_difference() -> None:
    folder = resources.files("tricklog.core.rulesets") / "variants"
    for name in variants():
        text = (folder / f"{name}.toml").read_text("utf-8")
        before_options = text.partition("[option]")[0].splitlines()
        assert len(before_options) < (50 if name == "snoozer" else 90), name


# --- Nothing asks which variant it is
def test_no_code_of_the_engine_knows_a_variant_by_name() -> None:
    names = {*variants()}
    for path in sorted((REPOSITORY / "replay").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in names, f"{path.name}:{node.lineno}"


def test_rule_modules_do_not_know_the_compiler() -> None:
    engine = REPOSITORY / "replay" / "engine"
    # Records know numpy where they are packed into arrays for compiled code.
    modules = [path for path in engine.rglob("*.py") if path.name != "records.py"]
    assert len(modules) > 5
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] == "numpy"], path


def each_policy_changed() -> Iterator[tuple[str, Any]]:
    """Every value that one policy can have, of numbers the extreme ones."""
    for key, policy in policy_table.POLICIES.items():
        values: list[Any] = []
        if isinstance(policy, policy_table.Choice):
            values = list(policy.names())
        elif isinstance(policy, policy_table.Switch):
            values = [True, False]
        elif isinstance(policy, policy_table.Number):
            values = [policy.low, policy.low + 1, policy.high]
        yield from ((key, value) for value in values)


@pytest.mark.parametrize("variant", some(variants(), 4))
def test_every_value_of_every_policy_gives_rules_or_a_reason(variant: str) -> None:
    outcomes = {gives_rules(variant, {key: value}) for key, value in each_policy_changed()}
    assert outcomes == {True, False}


OPTIONS = [rule for variant in variants() for rule in load_variant(variant).house_rules]


@given(st.sampled_from(variants()), st.lists(st.sampled_from(OPTIONS), max_size=3), st.data())
def test_any_options_on_any_game_give_rules_or_a_reason(
    variant: str, rules: list[HouseRule], data: st.DataObject
) -> None:
    options = {
        key: data.draw(st.sampled_from(rule.choices(key))) for rule in rules for key in rule.values
    }
    gives_rules(variant, options)


def gives_rules(variant: str, options: dict[str, Any]) -> bool:
    """Whether options give rules for every number of players, or are refused with a reason."""
    refusal = None
    try:
        ruleset = overlaid(options, variant)
    except RulesetError as error:
        refusal = error
    if refusal:
        assert re.match("[a-z]", refusal.message)
        assert refusal.pointer.startswith("/rules/options")
        return False
    seated = 0
    for seats in ruleset.values["players"]:
        if seats_problem(ruleset, seats) is None:
            rules = ruleset.rules(seats)
            assert rules.dealt * seats + rules.kitty_size <= rules.pack_size
            assert rules.packet <= rules.dealt
            assert Phase.PLAY in rules.phases
            seated += 1
    assert seated
    return True


@pytest.mark.parametrize("variant", variants())
def test_every_value_of_every_policy_can_be_played(variant: str) -> None:
    """One policy changed at a time: where there are rules, a table can play by them.

    Each game has every 18th value, by turns, and all of them in the thorough tier.
    """
    step = 1 if is_thorough() else 18
    for key, value in islice(each_policy_changed(), variants().index(variant) % step, None, step):
        if gives_rules(variant, {key: value}):
            hand = random_hand(variant, random.Random(f"{key}={value}"), {key: value})
            replayed = replay(hand)
            assert replayed.findings == (), (key, value)
            assert replayed.outcome is not None, (key, value)
