"""Rulesets: bad data is named with file, key and allowed values; overlays, inheritance, hash."""

import ast
import random
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from replay import (
    Ruleset,
    RulesetError,
    load_rules_file,
    load_variant,
    replay,
    ruleset_of,
    variants,
)
from replay.policy_table import POLICIES, Choice, Number, Switch
from replay.ruleset import resolve
from schemas.hand import RulesRef
from tests.random_play import HOUSE_RULES, random_hand
from tests.sound_hands import pedro
from tests.support import hand_of, rules_of

REPOSITORY = Path(__file__).resolve().parents[1]


def overlaid(options: Mapping[str, Any], variant: str = "pedro") -> Ruleset:
    return resolve(RulesRef(variant, options=dict(options)))


def defined(definition: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Ruleset:
    """Return a user's own rules, as a log carries them."""
    return resolve(
        RulesRef("mine", definition=dict(definition), options=dict(options) if options else UNSET)
    )


def from_file(folder: Path, text: str) -> Ruleset:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return load_rules_file(path)


# --- The variants


def test_the_four_systems_are_there() -> None:
    assert {"king-pedro", "pedro", "pidro", "twenty-nine"} <= set(variants())


@pytest.mark.parametrize("variant", variants())
def test_a_variant_is_whole(variant: str) -> None:
    ruleset = load_variant(variant)
    assert ruleset.id == variant
    assert set(ruleset.values) == set(POLICIES)
    for key, policy in POLICIES.items():
        assert policy.check(ruleset.values[key]) == ruleset.values[key]
    assert ruleset.options == {}
    assert re.fullmatch(r"[0-9a-f]{16}", ruleset.hash)
    assert ruleset.rules(4) is ruleset.rules(4)


def test_points_of_the_four_systems() -> None:
    totals = {name: load_variant(name).total_points for name in variants()}
    assert totals["pedro"] == totals["pidro"] == 14
    assert totals["king-pedro"] == 44
    assert totals["twenty-nine"] == 28
    assert overlaid({"last_trick_points": 1}, "twenty-nine").total_points == 29


def test_a_variant_extends_another() -> None:
    pedro_values, pidro_values = load_variant("pedro").values, load_variant("pidro").values
    differences = {key for key in POLICIES if pedro_values[key] != pidro_values[key]}
    assert differences == {
        *("min_bid", "forced_bid", "phases", "surplus", "rob"),
        *("first_lead", "plain_follow", "drop_out", "both_over", "goes_out_at"),
    }
    assert load_variant("pidro").cite("points_in") == "1.points"
    assert load_variant("pidro").cite("points") == "4.points"


def test_the_seats_and_sides() -> None:
    ruleset = load_variant("pedro")
    assert ruleset.sides(4) == 2
    assert [ruleset.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    singles = overlaid({"sides": "singles"})
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


def test_every_policy_reaches_the_engine() -> None:
    """A policy that nothing reads would be a house rule that does nothing."""
    source = "".join(
        path.read_text("utf-8")
        for path in sorted((REPOSITORY / "replay").rglob("*.py"))
        if path.name != "policy_table.py"
    )
    for key in POLICIES:
        read = re.search(rf'(rules\.{key}\b|"{key}")', source)
        assert read, key


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


@pytest.mark.parametrize(
    ("options", "pointer", "said"),
    [
        ({"min_bid": "six"}, "/rules/options/min_bid", "'six'.* whole numbers from 1 to 999"),
        ({"min_bid": 0}, "/rules/options/min_bid", "whole numbers from 1 to 999"),
        ({"min_bid": True}, "/rules/options/min_bid", "True.*whole numbers"),
        ({"target": 1.5}, "/rules/options/target", "whole numbers"),
        ({"pass_final": "yes"}, "/rules/options/pass_final", "'yes', allowed are true and false"),
        (
            {"plain_follow": "folow"},
            "/rules/options/plain_follow",
            "'folow', allowed are follow-or-trump, follow, any, trumps-only",
        ),
        ({"rob": 1}, "/rules/options/rob", "allowed are all-trumps, whole-stock"),
        ({"packets": []}, "/rules/options/packets", "a list of whole numbers from 1 to 13"),
        ({"packets": [9, 20]}, "/rules/options/packets", "a list of whole numbers"),
        ({"ranks": "AAK"}, "/rules/options/ranks", "ranks out of AKQJT98765432, each once"),
        ({"ranks": "10"}, "/rules/options/ranks", "ranks out of"),
        ({"points": {"A": 0}}, "/rules/options/points", "points from 1 to 100"),
        ({"points": {"Z": 1}}, "/rules/options/points", "by rank"),
        ({"phases": ["auction", "play"]}, "/rules/options/phases", "trump among them"),
        (
            {"phases": ["auction", "trump", "trump", "play"]},
            "/rules/options/phases",
            "each phase once",
        ),
        ({"colour": 1}, "/rules/options/colour", "is not known; known are players, sides"),
        ({"a/b~c": 1}, "/rules/options/a~1b~0c", "is not known"),
        # Values that are allowed, but not together
        ({"min_bid": 20}, "/rules/options/min_bid", "above max_bid 14"),
        ({"max_bid": 6}, "/rules/options", "^/rules/options min_bid is 7, above max_bid 6"),
        ({"packets": [13, 1]}, "/rules/options/packets", "deal 56 cards, the pack has 52"),
        ({"packets": [4, 5]}, "/rules/options", "options phases have deal-rest if and only if"),
        ({"kitty_size": 4}, "/rules/options", "options phases have kitty if and only if"),
        (
            {"phases": ["auction", "trump", "kitty", "discard", "refill", "rob", "play"]},
            "/rules/options/phases",
            "kitty_size",
        ),
        (
            {"phases": ["auction", "trump", "refill", "discard", "rob", "play"]},
            "/rules/options/phases",
            "order trump, discard, refill, rob, play",
        ),
        (
            {"phases": ["auction", "discard", "trump", "refill", "rob", "play"]},
            "/rules/options/phases",
            "order trump, discard",
        ),
        (
            {"phases": ["auction", "trump", "discard", "rob", "play"]},
            "/rules/options/phases",
            "rob without refill",
        ),
        (
            {"phases": ["auction", "trump", "play"]},
            "/rules/options",
            "options hand_size is 6, but 9 cards are dealt and kept",
        ),
        ({"rob": "whole-stock"}, "/rules/options/rob", "come-down"),
        ({"surplus": "discard"}, "/rules/options/surplus", "come-down"),
        ({"trump_call": "secret"}, "/rules/options/trump_call", "only trumps carry points"),
        ({"plain_follow": "trumps-only"}, "/rules/options/plain_follow", "stays in"),
        (
            {"plain_follow": "any", "plain_void": "must-trump"},
            "/rules/options/plain_void",
            "may play anything",
        ),
        (
            {"players": [4, 5]},
            "/rules/options",
            "options sides cannot be partners with an odd number",
        ),
        ({"ranks": "AKQJT9876"}, "/rules/options", "options off_five cannot be a trump"),
    ],
)
def test_a_bad_overlay_is_pointed_at(options: dict[str, Any], pointer: str, said: str) -> None:
    with pytest.raises(RulesetError) as caught:
        overlaid(options)
    error = caught.value
    assert error.pointer == pointer
    assert error.source == "the log"
    assert re.search(said, f"{error.pointer} {error.message}"), str(error)


def test_a_log_that_names_no_variant_is_pointed_at() -> None:
    with pytest.raises(RulesetError) as caught:
        resolve(RulesRef("bridge"))
    assert caught.value.pointer == "/rules/variant"
    assert caught.value.message.startswith("is 'bridge', known are king-pedro, pedro, pidro")
    with pytest.raises(RulesetError) as caught:
        resolve(RulesRef("pedro", version=99))
    assert caught.value.pointer == "/rules/version"
    assert "is at version 1" in caught.value.message


def test_a_wrong_number_of_players_is_pointed_at() -> None:
    hand = pedro()
    hand.players.append(hand.players[0])
    with pytest.raises(RulesetError) as caught:
        ruleset_of(hand)
    assert caught.value.pointer == "/players"
    assert "holds 5 players; Pedro takes 4" in caught.value.message


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("title = 'x'\nextends = 'pedr'", "extends", "'pedr', known are king-pedro, pedro"),
        ("extends = 3", "extends", "known are"),
        ("colour = 1", "colour", "sections are table, pack, deal"),
        ("extends = 'pedro'\n[auction]\nminimum = 6", "auction.minimum", "known are auction, pass"),
        ("extends = 'pedro'\n[auction]\nmin_bid = 'six'", "auction.min_bid", "whole numbers"),
        ("extends = 'pedro'\n[play]\nmin_bid = 6", "play.min_bid", "known are first_leader"),
        ("extends = 'pedro'\nmin_bid = 'six'", "min_bid", "whole numbers"),
        ("extends = 'pedro'\nplay = 3", "play", "must be a table"),
        ("extends = 'pedro'\nversion = 'one'", "version", "must be a whole number"),
        ("extends = 'pedro'\ntitle = 1", "title", "must be text"),
        ("extends = 'pedro'\ncite = 1", "cite", "table of citations"),
        (
            "extends = 'pedro'\n[cite]\nmin = '1.auction'",
            "cite.min",
            "not the citation of a policy",
        ),
        ("extends = 'pedro'\noption = 1", "option", "list of tables"),
        ("extends = 'pedro'\n[[option]]\ncite = 'O01'", "option.0", "missing required field"),
        (
            "extends = 'pedro'\n[[option]]\ncite = 'O01'\nwords = 'x'\nvalues = { min = 6 }",
            "option.0.values.min",
            "not a policy",
        ),
        (
            "extends = 'pedro'\n[[option]]\ncite = 'O01'\nwords = 'x'\nvalues = { rob = ['x'] }",
            "option.0.values.rob",
            "allowed are all-trumps, whole-stock",
        ),
        (
            "title = 'x'\nid = 'x'\nfamily = 'pedro'",
            "players",
            "is not set, and nothing is extended",
        ),
        ("extends = 'pedro'\n[auction]\nmin_bid = 20", "min_bid", "above max_bid 14"),
        ("extends = [", "", "is not TOML"),
    ],
)
def test_a_bad_file_is_named_with_key_and_allowed_values(
    tmp_path: Path, text: str, key: str, said: str
) -> None:
    with pytest.raises(RulesetError) as caught:
        from_file(tmp_path, text)
    assert (caught.value.source, caught.value.pointer) == ("mine.toml", key)
    assert said in caught.value.message
    assert str(caught.value).startswith("mine.toml: ")


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
    with pytest.raises(RulesetError) as caught:
        defined(definition, options)
    assert caught.value.pointer == pointer


# --- A user's own rules


def test_a_users_file_extends_a_variant(tmp_path: Path) -> None:
    ruleset = from_file(
        tmp_path,
        "extends = 'pedro'\nid = 'ours'\ntitle = 'Our Pedro'\n"
        "[auction]\nmin_bid = 6\nforced_bid = 6\n[game]\ntarget = 52\n",
    )
    assert (ruleset.id, ruleset.title, ruleset.version) == ("ours", "Our Pedro", 1)
    assert ruleset.values["target"] == 52
    assert ruleset.values["rob"] == "all-trumps"
    assert ruleset.cite("min_bid") == "O01 1.auction"
    assert ruleset.hash != load_variant("pedro").hash


def test_rules_embedded_in_a_log_are_the_same_as_in_a_file(tmp_path: Path) -> None:
    text = "extends = 'pedro'\nid = 'mine'\nversion = 3\n[game]\ntarget = 52\n"
    embedded = defined({"extends": "pedro", "version": 3, "game": {"target": 52}})
    assert embedded.hash == from_file(tmp_path, text).hash
    assert embedded.values == from_file(tmp_path, text).values
    assert defined({"extends": "pedro", "target": 52}).values == embedded.values


def test_options_lie_over_a_users_own_rules() -> None:
    both = defined({"extends": "pedro", "game": {"target": 52}}, {"target": 56})
    assert both.values["target"] == 56


def test_a_whole_variant_written_out_is_a_ruleset_of_its_own(tmp_path: Path) -> None:
    text = (resources.files("replay") / "variants/pedro.toml").read_text("utf-8")
    assert from_file(tmp_path, text).values == load_variant("pedro").values


# --- Nothing asks which variant it is


def test_no_code_of_the_engine_knows_a_variant_by_name() -> None:
    for path in sorted((REPOSITORY / "replay").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in variants(), f"{path.name}:{node.lineno}"


def test_rule_modules_do_not_know_the_compiler() -> None:
    modules = [*(REPOSITORY / "replay" / "rules").glob("*.py"), REPOSITORY / "replay/engine.py"]
    assert len(modules) > 5
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] in ("numba", "numpy")], path


@pytest.mark.parametrize("variant", variants())
def test_every_value_of_every_policy_gives_rules_or_a_reason(variant: str) -> None:
    """One policy changed at a time: either the table can play, or the error says why not."""
    refused = 0
    for key, policy in POLICIES.items():
        values: list[Any] = []
        if isinstance(policy, Choice):
            values = list(policy.names())
        elif isinstance(policy, Switch):
            values = [True, False]
        elif isinstance(policy, Number):
            values = [policy.low, policy.low + 1, policy.high]
        for value in values:
            try:
                overlaid({key: value}, variant)
            except RulesetError:
                refused += 1
                continue
            hand = random_hand(variant, random.Random(f"{key}={value}"), {key: value})
            replayed = replay(hand)
            assert replayed.findings == (), (key, value)
            assert replayed.outcome is not None, (key, value)
    assert refused
