"""Rulesets in words: every question and every answer has some, and they come from the data."""

import re
from typing import Any

import pytest

from tests.kit.support import ruleset_for
from tricklog import core
from tricklog.core.rulesets import relevance, rules_text
from tricklog.core.rulesets.policy_table import COMMON, POLICIES, Choice, Phases, Switch

PEDRO_PHASES = (
    "the auction, naming trumps, laying off, filling the hands, robbing the stock, the play"
)
EXCHANGE_QUESTIONS = "discard discarded_points refill first_drawer empty_stock"

CHOICES = [policy for policy in POLICIES.values() if isinstance(policy, Choice)]


@pytest.mark.parametrize("policy", CHOICES, ids=lambda policy: policy.key)
def test_every_value_of_a_policy_has_words_without_its_citation(policy: Choice) -> None:
    for name in policy.names():
        words = rules_text.answer_in_words(policy, name)
        assert words.endswith("."), words
        assert words != name
        assert not re.search(r"\(\d|\([COS]\d", words)


@pytest.mark.parametrize("variant", core.variants())
def test_every_question_is_answered(variant: str) -> None:
    ruleset = core.load_variant(variant)
    rules = rules_text.rules_in_words(ruleset)
    assert [rule.policy for rule in rules] == list(POLICIES)
    assert all(rule.question.endswith("?") and rule.answer for rule in rules)
    assert {rule.policy: rule.value for rule in rules} == ruleset.values


@pytest.mark.parametrize(
    ("variant", "policy", "answer"),
    [
        ("king-pedro", "packets", "12"),
        ("twenty-nine", "packets", "4 + 4"),
        ("twenty-nine", "ranks", "J 9 A 10 K Q 8 7"),
        ("twenty-nine", "points", "J 3, 9 2, A 1, 10 1"),
        ("pedro", "points", "A 1, J 1, 10 1, 5 5, off five 5, 2 1"),
        ("snoozer", "count_order", "A, 2, J, 10, 3, 5, 9, joker"),
        ("pedro", "count_order", "In none."),
        ("sancho", "players", "4, 5, 6 or 7"),
        ("pedro", "players", "4"),
        ("pedro", "off_five", "Yes."),
        ("pedro", "first_leader", "The winner of the auction."),
        ("pedro", "goes_out_at", "55"),
        ("cinch", "goes_out_at", "From none."),
        ("king-pedro", "lose_at", "-100"),
        ("pedro", "lose_at", "At none."),
        ("pedro", "phases", PEDRO_PHASES),
        ("pidro", "phases", PEDRO_PHASES.replace("stock, ", "stock, coming down to size, ")),
        ("cinch", "phases", PEDRO_PHASES.replace("stock, ", "stock, coming down to size, ")),
        ("sancho", "phases", "the auction, naming trumps, the play"),
        ("twenty-nine", "phases", "the auction, naming trumps, the second deal, the play"),
        (
            "ukrainian",
            "phases",
            "the auction, naming trumps, the second deal, folding, laying off, the play",
        ),
        (
            "king-pedro",
            "phases",
            "the auction, naming trumps, taking the kitty, laying off, the play",
        ),
    ],
)
def test_answers_read_as_people_say_them(variant: str, policy: str, answer: str) -> None:
    rules = {rule.policy: rule for rule in rules_text.rules_in_words(core.load_variant(variant))}
    assert rules[policy].answer == answer


# --- Which questions arise
IN_NO_GAME = {
    *("last_trick_points", "deal", "odd_card", "no_trump", "twos", "auto_double"),
    *("discards_claimed", "discard_changeable", "search_discards", "surplus_shown"),
    *("early_end", "slam", "half_rule", "match_score"),
    *("call_direction", "top_bid", "sweep", "unshown", "stake_two_from", "stake_three_from"),
    *("four_jacks", "buried_wins", "off_jack"),
}
"""Questions that only house rules raise."""


def arising(variant: str, options: dict[str, Any] | None = None) -> set[str]:
    ruleset = ruleset_for(variant, options)
    return {rule.policy for rule in rules_text.rules_in_words(ruleset) if rule.applies}


def test_the_questions_that_arise_in_some_games_only() -> None:
    by_variant = {variant: arising(variant) for variant in core.variants()}
    everywhere = set.intersection(*by_variant.values())
    assert everywhere == {
        *("players", "sides", "direction", "ranks", "points_in", "points"),
        *("packets", "hand_size", "first_caller", "auction", "min_bid", "max_bid", "equal_bid"),
        *("all_pass", "trump_call", "phases", "first_leader", "first_lead", "plain_follow"),
        *("made", "failed", "defenders", "target", "won_by"),
    }
    assert {
        key for key in POLICIES if all(key not in each for each in by_variant.values())
    } == IN_NO_GAME


@pytest.mark.parametrize(
    ("variant", "some", "others"),
    [
        ("pedro", "rob surplus_points goes_out_at plain_void", "pair_shift lose_at clamp ask"),
        ("cinch", "rob_keeps_points surplus", "surplus_points both_over forced_bid goes_out_at"),
        ("nicaragua", "discard rob forced_bid", "surplus surplus_points"),
        ("pidro", "drop_out surplus", "plain_void trumpless_trick surplus_points"),
        ("pitch-with-fives", "refill first_drawer off_five", "rob surplus"),
        ("sancho", "count_order drop_out", "discard discarded_points refill empty_stock surplus"),
        ("snoozer", "joker count_order", "kitty_size"),
        ("king-pedro", "kitty_size pass_final lose_at", "rob forced_bid both_over"),
        ("ukrainian", "fold discards_shown surplus", "surplus_points both_over"),
        ("sixty-three", "surplus pass_final", "surplus_points goes_out_at"),
        ("eighty-three", "joker special_bid kitty_size", "forced_bid"),
        ("twenty-nine", "pair_shift pair_cap ask clamp", "off_five low_to drop_out discard twos"),
        ("lucknow", "tenny tenny_stake solo solo_stake certain_solo ditto", "doubling"),
        ("bangladesh", "seventh_card bare_seventh weak_start pair_from", "pass_final solo"),
    ],
)
def test_questions_that_do_not_arise_are_known(variant: str, some: str, others: str) -> None:
    assert set(some.split()) <= arising(variant)
    assert not set(others.split()) & arising(variant)


@pytest.mark.parametrize(
    ("variant", "options", "raised"),
    [
        ("pedro", {"special_bid": "dealer-28-56"}, "special_bid"),
        ("pedro", {"discard": "plain-if-liked"}, ""),
        ("pedro", {"search_discards": True}, "search_discards"),
        ("pedro", {"discards_shown": "all"}, "discards_shown"),
        ("pedro", {"auction": "rounds"}, "pass_final"),
        ("king-pedro", {"won_by": "any-hand"}, "both_over"),
        ("nicaragua", {"hand_size": 6}, "surplus"),
        ("twenty-nine", {"seventh_card": True}, "seventh_card bare_seventh"),
        ("twenty-nine", {"solo": "partner-open"}, "solo solo_stake certain_solo solo_trump"),
        ("twenty-nine", {"auto_double": 21, "doubling": "redouble"}, "doubling auto_double"),
        ("sixty-three", {"joker": True, "odd_card": "dealer"}, "joker odd_card"),
        ("sancho", {"deal": "whole-pack"}, "deal odd_card"),
        ("sancho", {"discard": "all-plain", "refill": "everybody"}, EXCHANGE_QUESTIONS),
    ],
)
def test_a_house_rule_raises_questions(variant: str, options: dict[str, Any], raised: str) -> None:
    assert arising(variant, options) - arising(variant) == set(raised.split())


@pytest.mark.parametrize(("key", "value"), COMMON.items())
def test_the_usual_answer_is_one_that_the_policy_takes(key: str, value: object) -> None:
    assert POLICIES[key].check(value) == value


def test_conditions_name_policies_and_values_that_they_take() -> None:
    asked = [policy.asked for policy in POLICIES.values() if policy.asked]
    refused = [each for conditions, *_ in relevance.rows() for each in conditions]
    figures = relevance._figures(core.load_variant("pedro").values)
    for part in ", ".join([*asked, *refused]).split(", "):
        key, sign, right = part.split(" ", 2)
        policy = POLICIES.get(key)
        assert policy or key in figures, part
        if isinstance(policy, Choice | Switch):
            assert sign in {"=", "!="}, part
            known = policy.names() if isinstance(policy, Choice) else ["true", "false"]
            assert set(right.split(" | ")) <= set(known), part
        if sign in {">", ">="}:
            assert right.isdigit() or right in POLICIES or right in figures, part


def test_phases_with_a_policy_are_phases_and_can_be_idle() -> None:
    phases = POLICIES["phases"]
    assert isinstance(phases, Phases)
    assert set(relevance.POLICY_OF_PHASE) <= set(phases.names())
    for key in relevance.POLICY_OF_PHASE.values():
        assert POLICIES[key].idle is not None


# --- Two games
def test_what_differs_between_two_games() -> None:
    a, b = core.load_variant("twenty-nine"), core.load_variant("lucknow")
    found = {each.policy: each for each in rules_text.differences(a, b)}
    assert set(found) == {
        *("min_bid", "forced_bid", "ditto", "tenny", "phases", "solo", "certain_solo", "pair"),
        "solo_trump",
        *("solo_stake", "tenny_stake", "target", "lose_at"),
    }
    assert (found["solo"].a.answer, found["solo"].a.idle) == ("No.", True)
    assert (found["solo_stake"].a.applies, found["solo_stake"].a.idle) == (False, False)
    assert found["target"].to_json() == {
        "policy": "target",
        "section": "game",
        "question": "At what score is the game won?",
        "a": {"value": 6, "answer": "6", "cite": "14.game", "applies": True},
        "b": {"value": 20, "answer": "20", "cite": "16.game O56", "applies": True},
    }


def test_a_value_that_does_not_count_is_no_difference() -> None:
    plain, other = core.load_variant("pedro"), ruleset_for("pedro", {"pair_cap": 3})
    assert rules_text.differences(plain, other) == []
    assert plain.hash != other.hash


# --- House rules
def test_a_house_rule_is_written_as_the_options_of_a_log() -> None:
    rules = {rule.cite: rule for rule in core.load_variant("pedro").house_rules}
    assert rules_text.house_rule_values(rules["O01"]) == '{"min_bid": 6, "forced_bid": 6}'
    assert rules_text.house_rule_values(rules["O14"]) == (
        '{"target": 51 or 52 or 56 or 61, "both_over": "makers", "goes_out_at": 0}'
    )
    pass_out = {rule.cite: rule for rule in core.load_variant("twenty-nine").house_rules}["S78"]
    assert rules_text.house_rule_values(pass_out) == '{"pass_final": true}'
