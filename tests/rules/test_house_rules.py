"""House rules by number: what each number means in which game, and several of them together."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.kit.tiers import is_thorough
from tests.regenerate.coverage import numbers
from tricklog.core import HouseRule, Ruleset, RulesetError, load_rules_file, load_variant, variants
from tricklog.core.rulesets.rules_file import as_written
from tricklog.core.rulesets.ruleset import resolve
from tricklog.schemas.hand import RulesRef

OPTIONS = tuple(number for number in numbers() if number[0] == "O")
PAIRS = tuple(combinations(OPTIONS, 2))
NEEDS = {("twenty-nine", "O47"): "O46", ("twenty-nine", "O87"): "O46"}
"""Options that have no effect without another one."""


def by_number(game: str, *numbers: str, **own: Any) -> Ruleset:  # noqa: ANN401 - any policy's
    """Return the rules of a file that extends a game and names house rules."""
    definition = {"extends": game, "house_rules": list(numbers), **own}
    return resolve(RulesRef("mine", definition=definition))


def refusal(game: str, *numbers: Any, **own: Any) -> str:  # noqa: ANN401 - nonsense, too
    with pytest.raises(RulesetError) as caught:
        by_number(game, *numbers, **own)
    assert caught.value.pointer == "/rules/definition/house_rules"
    return caught.value.message


def homes(number: str) -> list[tuple[str, HouseRule]]:
    """The games that list an option, and their rule."""
    return [
        (game, rule)
        for game in variants()
        for rule in load_variant(game).house_rules
        if rule.cite == number
    ]


# --- One number
@pytest.mark.parametrize("number", OPTIONS)
def test_every_option_of_the_register_can_be_named_in_its_game(number: str) -> None:
    assert homes(number)
    for game, rule in homes(number):
        needed = NEEDS.get((game, number))
        given = [needed] if needed else []
        values = by_number(game, number, *given).values
        before = by_number(game, *given).values
        assert {key: values[key] for key in rule.values} == {
            key: rule.choices(key)[0] for key in rule.values
        }
        others = {key for key in values if key not in rule.values}
        assert all(values[key] == before[key] for key in others)


@pytest.mark.parametrize("game", variants())
def test_no_game_lists_a_number_twice(game: str) -> None:
    cites = [rule.cite for rule in load_variant(game).house_rules]
    assert len(cites) == len(set(cites))


def test_a_number_that_is_already_a_rule_of_the_game_changes_nothing() -> None:
    for game in variants():
        for rule in load_variant(game).house_rules:
            if rule.holds(load_variant(game).values):
                assert by_number(game, rule.cite).values == load_variant(game).values


@pytest.mark.parametrize(
    ("game", "number", "policy", "value"),
    [
        # From the game it extends, and from the one that extends
        ("lucknow", "O51", "half_rule", "less-than-half"),
        ("bangladesh", "O56", "target", 20),
        ("lucknow", "O56", "target", 6),
        ("snoozer", "O16", "plain_void", "must-trump"),
        # From a game it has nothing to do with
        ("pidro", "O17", "low_to", "winner"),
        ("king-pedro", "O32", "low_to", "player"),
        ("pedro", "O19", "auction", "rounds"),
        ("twenty-nine", "O62", "weak_defence", "thrown-in"),
        ("twenty-nine", "O58", "auction", "duel"),
        ("pedro", "C21", "made", "bid"),
    ],
)
def test_a_number_of_another_game(game: str, number: str, policy: str, value: object) -> None:
    ruleset = by_number(game, number)
    assert ruleset.values[policy] == value
    assert number in ruleset.cite(policy).split()
    assert number in {rule.cite for rule in ruleset.house_rules}


def test_a_number_of_ones_own_file_goes_before_that_of_the_game() -> None:
    mine = {"cite": "O14", "words": "To seventy.", "values": {"target": 70}}
    ruleset = by_number("pedro", "O14", option=[mine])
    assert ruleset.values["target"] == 70
    assert ruleset.values["goes_out_at"] == 55


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (["O1"], "names 'O1', but no game has an option of that number (did you mean 'O01'?)"),
        (["o16"], "names 'o16', but no game has an option of that number (did you mean 'O16'?)"),
        (["O99"], "names 'O99', but no game has an option of that number; known here are O01, O02"),
        (["S13"], "names 'S13', but no game has an option of that number; known here are O01, O02"),
        (["strict"], "names 'strict', but no game has an option of that number"),
        ([16], 'is [16], it must be a list of numbers such as ["O01", "O16"]'),
    ],
)
def test_what_is_no_number_of_an_option(numbers: list[Any], said: str) -> None:
    assert refusal("pedro", *numbers).startswith(said)


def test_one_number_with_two_meanings_has_to_be_written_out() -> None:
    assert refusal("pedro", "O30") == (
        "names O30, which means one thing in eighty-three and another in sixty-three: "
        "write the values that you play by instead"
    )


def test_house_rules_that_are_no_list(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text("extends = 'pedro'\nhouse_rules = 'O01'\n", "utf-8")
    with pytest.raises(RulesetError, match=r"club\.toml: house_rules is 'O01', it must be a list"):
        load_rules_file(path)


def test_a_file_that_extends_nothing_can_name_numbers_too() -> None:
    whole = {
        **load_variant("pedro").values,
        "auction": "one-turn",
        "deal": "packets",
        "title": "Mine",
        "family": "pedro",
    }
    del whole["plain_void"]
    definition = {**whole, "house_rules": ["O16"]}
    assert resolve(RulesRef("mine", definition=definition)).values["plain_void"] == "must-trump"


# --- Several numbers
def test_numbers_that_do_not_touch_each_other() -> None:
    ruleset = by_number("pedro", "O01", "O16", "O17")
    assert ruleset.values["min_bid"] == ruleset.values["forced_bid"] == 6
    assert ruleset.values["plain_void"] == "must-trump"
    assert ruleset.values["low_to"] == "winner"
    assert by_number("pedro", "O17", "O16", "O01").hash == ruleset.hash


def test_a_number_twice_is_once() -> None:
    assert by_number("pedro", "O01", "O01").hash == by_number("pedro", "O01").hash


@pytest.mark.parametrize(
    ("game", "numbers", "policy", "sets"),
    [
        ("pedro", ("O01", "O02"), "forced_bid", ("6", "7")),
        ("pedro", ("O11", "O12"), "plain_follow", ('"follow"', '"any"')),
        ("cinch", ("O13", "O18"), "made", ('"difference"', '"bid-less-others"')),
        ("twenty-nine", ("O37", "O40"), "no_trump", ('"joker"', '"colours"')),
        ("twenty-nine", ("O38", "O39"), "twos", ('"no-trump-reversed"', '"suit-reversed"')),
        ("twenty-nine", ("O48", "O49"), "ask", ('"optional"', '"end-of-trick"')),
        ("twenty-nine", ("O46", "O53"), "solo", ('"partner-hidden"', '"partner-open"')),
        ("twenty-nine", ("O44", "O45"), "doubling", ('"super"', '"redouble"')),
        ("bangladesh", ("O58", "O64"), "auction", ('"duel"', '"one-turn"')),
        ("lucknow", ("O14", "O56"), "target", ("51 or 52 or 56 or 61", "6 or 11 or 15 or 18")),
    ],
)
def test_two_numbers_that_answer_one_question_differently(
    game: str, numbers: Sequence[str], policy: str, sets: Sequence[str]
) -> None:
    one, other = numbers
    assert refusal(game, one, other) == (
        f"names {one} and {other}, which do not go together: {one} sets {policy} to {sets[0]}, "
        f"{other} to {sets[1]}; leave one out, or write {policy} yourself"
    )


def test_a_value_beside_the_numbers_wins() -> None:
    both = by_number("pedro", "O01", "O02", forced_bid=6)
    assert both.values["forced_bid"] == 6
    assert both.cite("forced_bid") == "O01 1.auction S10"
    in_its_section = by_number("pedro", "O01", auction={"forced_bid": 8})
    assert (in_its_section.values["min_bid"], in_its_section.values["forced_bid"]) == (6, 8)


def test_two_choices_meet_where_they_agree() -> None:
    mine = {"cite": "O17", "words": "To 56 or 61.", "values": {"target": [61, 56]}}
    assert by_number("pedro", "O14", "O17", option=[mine]).values["target"] == 56


NOT_TOGETHER: list[tuple[str, Sequence[str], dict[str, Any], str, str]] = [
    (
        "twenty-nine",
        ("O38", "O40"),
        {},
        "names O38 and O40, which do not go together",
        "twos cannot mean no trumps reversed where a black joker or three says so already",
    ),
    (
        "sancho",
        ("O24", "O25"),
        {},
        "names O24 and O25, which do not go together",
        "deal cannot be whole-pack where cards are laid off or drawn: nothing is left to draw",
    ),
    (
        "pedro",
        ("O46", "O16"),
        {},
        "names O46, which does not fit the other rules",
        "solo is for two partnerships that score game points",
    ),
    (
        "pedro",
        ("O09",),
        {"discards_shown": "none"},
        "names O09, which does not fit the other rules",
        "discards_claimed needs discards that are shown: nobody can claim what nobody sees",
    ),
    (
        "pedro",
        ("O36", "O58", "O16"),
        {},
        "names O36 and O58, which do not fit the other rules",
        "min_bid is 16, above max_bid 14: nobody could bid",
    ),
]


@pytest.mark.parametrize(("game", "numbers", "own", "named", "reason"), NOT_TOGETHER)
def test_numbers_that_contradict_each_other_or_the_game(
    game: str, numbers: Sequence[str], own: dict[str, Any], named: str, reason: str
) -> None:
    assert refusal(game, *numbers, **own) == f"{named}: {reason}"


def test_a_contradiction_that_the_numbers_did_not_bring_about_names_none() -> None:
    with pytest.raises(RulesetError, match=r"min_bid is 20, above max_bid 14") as caught:
        by_number("pedro", "O16", min_bid=20)
    assert "O16" not in caught.value.message


def test_any_two_numbers_in_any_game_hold_or_are_refused_with_both_or_one_named() -> None:
    """Each game has every 27th pair, by turns, and all of them in the thorough tier."""
    for place, game in enumerate(variants()):
        pairs = PAIRS if is_thorough() else PAIRS[place % 27 :: 27]
        assert_held_or_refused(game, pairs)


def assert_held_or_refused(game: str, pairs: Iterable[tuple[str, str]]) -> None:
    for pair in pairs:
        try:
            ruleset = by_number(game, *pair)
        except RulesetError as error:
            message = error.message
        else:
            assert set(pair) <= {rule.cite for rule in ruleset.house_rules}
            continue
        assert pair[0] in message or pair[1] in message, message


# --- Values in TOML
def test_values_are_written_as_toml_has_them() -> None:
    assert as_written(6) == "6"
    assert as_written(value=True) == "true"
    assert as_written("follow") == '"follow"'
    assert as_written([4, 4]) == "[4, 4]"
    assert as_written(["A", "2"]) == '["A", "2"]'
    assert as_written({"A": 1, "off_five": 5}) == "{ A = 1, off_five = 5 }"
