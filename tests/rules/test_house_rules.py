"""House rules: what numbers mean, which go together, what comes to nothing, files on files."""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.kit.rule_cases import fields_in, rows_in
from tests.kit.support import refused, rules_of_file, ruleset_for
from tests.kit.tiers import is_thorough
from tests.regenerate.coverage import numbers
from tricklog import Verdict, generate, replay
from tricklog.core import HouseRule, Ruleset, RulesetError, load_variant, variants
from tricklog.core.rulesets.policy_table import ADDED
from tricklog.core.rulesets.relevance import points_in_play
from tricklog.core.rulesets.rules_file import as_written
from tricklog.core.rulesets.ruleset import CHANGED, make_rules, rules_definition
from tricklog.schemas.hand import decode_hand, encode_hand

OPTIONS = tuple(number for number in numbers() if number[0] == "O")
PAIRS = tuple(combinations(OPTIONS, 2))
NEEDS = {("twenty-nine", "O47"): "O46", ("twenty-nine", "O87"): "O46"}
"""Options that have no effect without another one."""


def by_number(game: str, *numbers: Any, **own: Any) -> Ruleset:  # noqa: ANN401 - nonsense, too
    """Return the rules of a file that extends a game and names house rules."""
    definition = {"extends": game, "house_rules": list(numbers), **own}
    return ruleset_for("mine", definition=definition)


def refusal(game: str, *numbers: Any, **own: Any) -> str:  # noqa: ANN401 - nonsense, too
    error = refused(by_number, game, *numbers, **own)
    assert error.pointer == "/rules/definition/house_rules"
    return error.message


def refused_file(folder: Path, text: str) -> str:
    return str(refused(rules_of_file, folder, text))


def homes(number: str) -> list[tuple[str, HouseRule]]:
    """The games that list an option, and their rule."""
    every = ((game, rule) for game in variants() for rule in load_variant(game).house_rules)
    return [(game, rule) for game, rule in every if rule.cite == number]


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


def test_o56_a_long_game_is_lost_at_the_number_at_which_it_is_won() -> None:
    (rule,) = (rule for game, rule in homes("O56") if game == "lucknow")
    limits = [*zip(rule.choices("target"), rule.choices("lose_at"), strict=True)]
    assert limits == [(6, -6), (11, -11), (15, -15), (18, -18)]


def test_a_number_of_ones_own_file_goes_before_that_of_the_game() -> None:
    mine = {"cite": "O14", "words": "To seventy.", "values": {"target": 70}}
    ruleset = by_number("pedro", "O14", option=[mine])
    assert ruleset.values["target"] == 70
    assert ruleset.values["goes_out_at"] == 55


@pytest.mark.parametrize(
    ("game", "numbers", "own", "said"), rows_in(Path(__file__).with_name("refusals.txt"))
)
def test_house_rules_are_refused_with_the_reason(
    tmp_path: Path, game: str, numbers: str, own: str, said: str
) -> None:
    named: list[int | str] = [*numbers.split()]
    told = refusal(game, *named, **fields_in(own))
    assert re.fullmatch(".*".join(map(re.escape, said.split("…"))), told), told
    if own:
        return
    # Wherever they are named, the same is said of them.
    error = refused(ruleset_for, game, {"house_rules": named})
    assert (error.pointer, error.message) == ("/rules/options/house_rules", told)
    text = f"extends = '{game}'\nhouse_rules = {named}\n"
    assert refused_file(tmp_path, text) == f"club.toml: house_rules {told}"


@pytest.mark.parametrize("given", ["O01", [16]])
def test_house_rules_that_are_no_list_of_texts(tmp_path: Path, given: str | list[int]) -> None:
    told = refused_file(tmp_path, f"extends = 'pedro'\nhouse_rules = {given!r}\n")
    wanted = f'is {given!r}, it must be a list of numbers such as ["O01", "O16"]'
    assert told.startswith(f"club.toml: house_rules {wanted}")
    definition = {"extends": "pedro", "house_rules": given}
    error = refused(ruleset_for, "mine", definition=definition)
    assert error.pointer == "/rules/definition/house_rules"
    assert error.message.startswith(wanted)


def test_a_file_that_extends_nothing_can_name_numbers_too() -> None:
    mine = {"auction": "one-turn", "deal": "packets", "title": "Mine", "family": "pedro"}
    definition = {**load_variant("pedro").values, **mine, "house_rules": ["O16"]}
    del definition["plain_void"]
    assert ruleset_for("mine", definition=definition).values["plain_void"] == "must-trump"


# --- Several numbers
def test_numbers_that_do_not_touch_each_other_or_are_the_same() -> None:
    ruleset = by_number("pedro", "O01", "O16", "O17")
    assert ruleset.values["min_bid"] == ruleset.values["forced_bid"] == 6
    assert ruleset.values["plain_void"] == "must-trump"
    assert ruleset.values["low_to"] == "winner"
    assert by_number("pedro", "O17", "O16", "O01").hash == ruleset.hash
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


def test_a_value_beside_the_numbers_wins_and_choices_meet_where_they_agree() -> None:
    both = by_number("pedro", "O01", "O02", forced_bid=6)
    assert both.values["forced_bid"] == 6
    assert both.cite("forced_bid") == "O01 1.auction S10"
    in_its_section = by_number("pedro", "O01", auction={"forced_bid": 8})
    assert (in_its_section.values["min_bid"], in_its_section.values["forced_bid"]) == (6, 8)
    mine = {"cite": "O17", "words": "To 56 or 61.", "values": {"target": [61, 56]}}
    assert by_number("pedro", "O14", "O17", option=[mine]).values["target"] == 56


def test_a_contradiction_that_the_numbers_did_not_bring_about_names_none() -> None:
    message = refused(by_number, "pedro", "O16", min_bid=20).message
    assert "min_bid is 20, above max_bid 14" in message
    assert "O16" not in message


def test_any_two_numbers_in_any_game_hold_or_are_refused_with_both_or_one_named() -> None:
    """Each game has every 27th pair, by turns, and all of them in the thorough tier."""
    for place, game in enumerate(variants()):
        for pair in PAIRS if is_thorough() else PAIRS[place % 27 :: 27]:
            try:
                held = set(pair) <= {rule.cite for rule in by_number(game, *pair).house_rules}
                message = f"{pair} in {game}"
            except RulesetError as error:
                message = error.message
                held = pair[0] in message or pair[1] in message
            assert held, message


# --- What may stand together
@pytest.mark.parametrize("numbers", [("O28", "O30"), ("O30", "O28")])
def test_o28_and_o30_of_eighty_three_stand_together(numbers: tuple[str, str]) -> None:
    both = by_number("eighty-three", *numbers)
    values, before = both.values, load_variant("eighty-three").values
    assert [values[key] for key in ("joker", "kitty_size", "packets")] == [False, 0, [9]]
    assert values["points"]["3"] == 15
    assert by_number("eighty-three", "O28").values["kitty_size"] == 4
    assert both.extends == "eighty-three"
    options = {key: value for key, value in values.items() if value != before[key]}
    assert {replay(hand).verdict for hand in generate("eighty-three", 1, 1, options=options)} == {
        Verdict.VALID
    }


@pytest.mark.parametrize(
    ("numbers", "doubling"),
    [
        (("O42",), "double"),
        (("O42", "O43"), "redouble"),
        (("O43", "O42"), "redouble"),
        (("O42", "O43", "O44"), "super"),
        (("O42", "O44"), "super"),
        (("O42", "O43", "O45"), "redouble"),
    ],
)
def test_steps_of_o42_o43_and_o44_stand_in_a_list(numbers: tuple[str, ...], doubling: str) -> None:
    assert by_number("twenty-nine", *numbers).values["doubling"] == doubling


# --- Numbers that need another
@pytest.mark.parametrize(
    ("game", "numbers"),
    [
        ("twenty-nine", ("O46", "O47")),
        ("twenty-nine", ("O41", "O61")),
        ("sancho", ("O25", "O09")),
        ("sancho", ("O25", "O22")),
    ],
)
def test_with_the_option_it_needs_a_number_works(game: str, numbers: tuple[str, ...]) -> None:
    assert set(numbers) <= {rule.cite for rule in by_number(game, *numbers).house_rules}


# --- Values in a file
@pytest.mark.parametrize(
    "text",
    [
        # The forced bid of Nicaragua is below its lowest by its own rules (C13).
        "extends = 'nicaragua'\ntarget = 62\n",
        "extends = 'nicaragua'\nmin_bid = 8\n",
        "extends = 'pedro'\nmin_bid = 8\n",
        # A pair lowers what a bid has to take, so 29 of 28 points can be made.
        "extends = 'twenty-nine'\nmax_bid = 29\n",
        # What is switched off, or is so already, is no news.
        "extends = 'bangladesh'\nweak_defence = 'played'\n",
        "extends = 'sancho'\nsurplus = 'discard'\n",
    ],
)
def test_what_has_an_effect_or_is_so_already_is_taken(tmp_path: Path, text: str) -> None:
    rules_of_file(tmp_path, text)


def test_what_a_log_says_was_played_stays_sound() -> None:
    # Plain leads may be let into Pidro by a value, too.
    by_value = by_number("pidro", "O16", plain_follow="follow")
    for ruleset in (ruleset_for("pidro", {"plain_void": "must-trump"}), by_value):
        assert ruleset.values["plain_void"] == "must-trump"
    assert ruleset_for("pedro", {"target": 51}).values["goes_out_at"] == 55
    definition = {"extends": "pedro", "min_bid": 8}
    assert ruleset_for("mine", definition=definition).values["min_bid"] == 8


@pytest.mark.parametrize("variant", ["pedro", "snoozer", "eighty-three", "twenty-nine"])
def test_the_points_in_play_are_those_of_the_engine(variant: str) -> None:
    values = load_variant(variant).values
    assert points_in_play(values) == make_rules(values, 4).all_points


# --- Numbers in the options of a log
def test_numbers_and_values_stand_side_by_side_in_a_log() -> None:
    by_numbers = ruleset_for("pedro", {"house_rules": ["O01", "O14"], "target": 52})
    by_values = ruleset_for(
        "pedro",
        {"min_bid": 6, "forced_bid": 6, "target": 52, "both_over": "makers", "goes_out_at": 0},
    )
    for name in ("values", "hash", "cites", "options"):
        assert getattr(by_numbers, name) == getattr(by_values, name), name
    assert (by_numbers.title, by_numbers.extends) == ("Pedro", "")
    carried = {"extends": "pedro", "house_rules": ["O01", "O16"]}
    values = ruleset_for("mine", {"house_rules": ["O17"]}, carried).values
    found = [values[key] for key in ("min_bid", "plain_void", "low_to")]
    assert found == [6, "must-trump", "winner"]


def test_a_hand_with_numbers_is_read_written_and_judged() -> None:
    hand = next(generate("pedro", 1, 1, options={"house_rules": ["O01"], "target": 70}))
    assert hand.rules.options == {"house_rules": ["O01"], "target": 70}
    assert decode_hand(encode_hand(hand)) == hand
    assert replay(hand).verdict == Verdict.VALID


# --- A file on top of a file
def test_a_file_extends_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    base = (
        "extends = 'pedro'\nid = 'club'\ntitle = 'Club'\nhouse_rules = ['O01']\n"
        "[[option]]\ncite = 'O14'\nwords = 'To 70.'\nvalues = { target = 70 }\n"
    )
    rules_of_file(tmp_path, base, "club/base.toml")
    text = "extends = 'club/base.toml'\nhouse_rules = ['O14', 'O16']\n"
    night = rules_of_file(tmp_path, text, "night.toml")
    assert (night.values["min_bid"], night.values["target"]) == (6, 70)
    assert night.values["plain_void"] == "must-trump"
    assert (night.id, night.extends, night.title) == ("club", "pedro", f"Club {CHANGED}")
    assert night.cite("min_bid") == "O01 1.auction"


def test_a_log_carries_what_a_chain_of_files_says(tmp_path: Path) -> None:
    base = "extends = 'pedro'\nid = 'club'\nhouse_rules = ['O01', 'O03']\ntarget = 70\n"
    rules_of_file(tmp_path, base, "base.toml")
    text = "extends = 'base.toml'\nhouse_rules = ['O16']\nforced_bid = 7\n"
    night = rules_of_file(tmp_path, text, "night.toml")
    definition = rules_definition(tmp_path / "night.toml")
    assert definition["extends"] == "pedro"
    embedded = ruleset_for(definition["id"], definition=definition)
    for name in ("values", "hash", "title"):
        assert getattr(embedded, name) == getattr(night, name), name
    hands = list(generate(definition["id"], 1, 1, definition=definition))
    assert {replay(hand).verdict for hand in hands} == {Verdict.VALID}


def test_files_that_are_wrong_or_not_there_or_come_back_to_themselves(tmp_path: Path) -> None:
    base, on_base = tmp_path / "base.toml", "extends = 'base.toml'\n"
    base.write_text("extends = 'pedro'\nmin_bid = 'six'\n", "utf-8")
    assert refused_file(tmp_path, on_base).startswith("base.toml: min_bid is 'six'")
    assert refused_file(tmp_path, "extends = 'gone.toml'\n") == (
        "club.toml: extends is 'gone.toml', which cannot be read: No such file or directory"
    )
    base.write_text("extends = 'club.toml'\n", "utf-8")
    assert refused_file(tmp_path, on_base) == (
        "base.toml: extends is 'club.toml', which extends this file in turn"
    )
    in_a_log = refused(ruleset_for, "mine", definition={"extends": "club.toml"})
    assert (in_a_log.pointer, in_a_log.message) == (
        "/rules/definition/extends",
        "is 'club.toml', a file, which nobody can read from here: write what it says",
    )


# --- Names that stay true
@pytest.mark.parametrize(
    ("more", "title", "summary"),
    [
        ({}, f"Pedro {CHANGED}", ""),
        ({"title": "Six", "summary": "S."}, "Six", "S."),
        ({"title": "Six"}, "Six", ""),
    ],
)
def test_changed_rules_have_no_title_or_summary_of_the_game(
    tmp_path: Path, more: dict[str, str], title: str, summary: str
) -> None:
    text = "".join(f"{key} = '{value}'\n" for key, value in more.items())
    changed = rules_of_file(tmp_path, f"extends = 'pedro'\nmin_bid = 6\n{text}")
    assert (changed.title, changed.summary, changed.id) == (title, summary, "pedro")
    embedded = ruleset_for("x", definition={"extends": "pedro", "min_bid": 6, **more})
    assert (embedded.title, embedded.summary) == (title, summary)
    same = rules_of_file(tmp_path, "extends = 'pedro'\nid = 'ours'\nmin_bid = 7\n")
    pedro = load_variant("pedro")
    assert (same.title, same.summary) == (pedro.title, pedro.summary)


# --- Questions added later
def test_rules_written_before_a_question_was_asked_stay_complete_and_keep_their_hash() -> None:
    whole = {key: value for key, value in load_variant("pedro").values.items() if key not in ADDED}
    definition = {"title": "Mine", "family": "pedro", "deal": "packets", **whole}
    ruleset = ruleset_for("pedro", definition=definition)
    assert ruleset.values == load_variant("pedro").values
    # The digest that these rules had before these questions were added.
    assert ruleset.hash == load_variant("pedro").hash == "29c65a3940d52d00"
    assert ruleset_for("pedro", {"top_bid": "ends"}).hash != ruleset.hash


# --- Values in TOML
def test_values_are_written_as_toml_has_them() -> None:
    assert as_written(6) == "6"
    assert as_written(value=True) == "true"
    assert as_written("follow") == '"follow"'
    assert as_written([4, 4]) == "[4, 4]"
    assert as_written(["A", "2"]) == '["A", "2"]'
    assert as_written({"A": 1, "off_five": 5}) == "{ A = 1, off_five = 5 }"
