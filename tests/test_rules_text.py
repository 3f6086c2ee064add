"""Rulesets in words: every question and every answer has some, and they come from the data."""

import re

import pytest

import replay
from replay.policy_table import POLICIES, Choice
from replay.rules_text import answer_in_words, house_rule_values, rules_in_words

CHOICES = [policy for policy in POLICIES.values() if isinstance(policy, Choice)]


@pytest.mark.parametrize("policy", CHOICES, ids=lambda policy: policy.key)
def test_every_value_of_a_policy_has_words_without_its_citation(policy: Choice) -> None:
    for name in policy.names():
        words = answer_in_words(policy, name)
        assert words.endswith("."), words
        assert words != name
        assert not re.search(r"\(\d|\([COS]\d", words)


@pytest.mark.parametrize("variant", replay.variants())
def test_every_question_is_answered(variant: str) -> None:
    ruleset = replay.load_variant(variant)
    rules = rules_in_words(ruleset)
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
        ("pedro", "off_five", "Yes."),
        ("pedro", "first_leader", "The winner of the auction."),
    ],
)
def test_answers_read_as_people_say_them(variant: str, policy: str, answer: str) -> None:
    rules = {rule.policy: rule for rule in rules_in_words(replay.load_variant(variant))}
    assert rules[policy].answer == answer


@pytest.mark.parametrize(
    ("variant", "policy", "applies"),
    [
        ("twenty-nine", "discard", False),
        ("twenty-nine", "pair_shift", True),
        ("pedro", "pair_shift", False),
        ("pedro", "rob", True),
        ("king-pedro", "rob", False),
        ("king-pedro", "kitty_size", True),
        ("king-pedro", "forced_bid", False),
        ("pidro", "plain_void", False),
    ],
)
def test_questions_that_do_not_arise_are_known(variant: str, policy: str, applies: bool) -> None:  # noqa: FBT001
    rules = {rule.policy: rule for rule in rules_in_words(replay.load_variant(variant))}
    assert rules[policy].applies is applies


def test_a_house_rule_is_written_as_the_options_of_a_log() -> None:
    rules = {rule.cite: rule for rule in replay.load_variant("pedro").house_rules}
    assert house_rule_values(rules["O01"]) == '{"min_bid": 6, "forced_bid": 6}'
    assert house_rule_values(rules["O14"]) == (
        '{"target": 51 or 52 or 56 or 61, "both_over": "makers", "goes_out_at": 0}'
    )
    pass_out = {rule.cite: rule for rule in replay.load_variant("twenty-nine").house_rules}["S78"]
    assert house_rule_values(pass_out) == '{"pass_final": true}'
