"""Rules that come to nothing are refused, options combine as the texts allow, names stay true."""

from pathlib import Path
from typing import Any

import pytest

from tests.rules.test_house_rules import by_number, refusal
from tricklog import Ruleset, RulesetError, Verdict, generate, load_rules_file, load_variant, replay
from tricklog.core.rulesets.policy_table import ADDED
from tricklog.core.rulesets.relevance import points_in_play
from tricklog.core.rulesets.ruleset import CHANGED, make_rules, resolve, rules_definition
from tricklog.schemas.hand import OptionValue, RulesRef, decode_hand, encode_hand


def from_file(folder: Path, text: str, name: str = "club.toml") -> Ruleset:
    path = folder / name
    path.write_text(text, "utf-8")
    return load_rules_file(path)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(RulesetError) as caught:
        from_file(folder, text)
    return str(caught.value)


def in_a_log(variant: str, **options: OptionValue) -> Ruleset:
    return resolve(RulesRef(variant, options=options))


# --- What may stand together
@pytest.mark.parametrize("numbers", [("O28", "O30"), ("O30", "O28")])
def test_o28_and_o30_of_eighty_three_stand_together(numbers: tuple[str, str]) -> None:
    both = by_number("eighty-three", *numbers)
    assert (both.values["joker"], both.values["kitty_size"], both.values["packets"]) == (
        False,
        0,
        [9],
    )
    assert both.values["points"]["3"] == 15
    assert by_number("eighty-three", "O28").values["kitty_size"] == 4
    hands = list(generate("eighty-three", 1, 1, options=dict(both_as_options(both))))
    assert {replay(hand).verdict for hand in hands} == {Verdict.VALID}


def both_as_options(ruleset: Ruleset) -> dict[str, Any]:
    before = load_variant(ruleset.extends).values
    return {key: value for key, value in ruleset.values.items() if value != before[key]}


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


# --- Numbers without effect
@pytest.mark.parametrize(
    ("game", "number", "said"),
    [
        (
            "twenty-nine",
            "O06",
            '"What becomes of surplus trumps?" does not arise where discard is nothing',
        ),
        ("twenty-nine", "O07", "does not arise where discard is nothing"),
        ("twenty-nine", "O09", "does not arise where discard is nothing"),
        ("twenty-nine", "O17", "does not arise where points_in is every-suit"),
        ("twenty-nine", "O22", "does not arise where discard is nothing"),
        ("twenty-nine", "O23", "does not arise where discard is nothing"),
        ("twenty-nine", "O47", "does not arise where solo is none"),
        ("twenty-nine", "O61", "does not arise where seventh_card is false"),
        ("pidro", "O11", "only trumps are played in this game, so there are no plain leads"),
        ("pidro", "O12", "only trumps are played in this game, so there are no plain leads"),
        ("pidro", "O16", "only trumps are played in this game, so there are no plain leads"),
        ("sancho", "O09", "does not arise where discard is nothing"),
        ("sancho", "O22", "does not arise where discard is nothing"),
    ],
)
def test_a_number_without_effect_is_refused_wherever_it_is_named(
    tmp_path: Path, game: str, number: str, said: str
) -> None:
    told = refusal(game, number)
    assert told.startswith(f"names {number}, which has no effect here: ")
    assert told.endswith(said)
    with pytest.raises(RulesetError) as caught:
        in_a_log(game, house_rules=[number])
    assert (caught.value.pointer, caught.value.message) == ("/rules/options/house_rules", told)
    text = f"extends = '{game}'\nhouse_rules = ['{number}']\n"
    assert refused(tmp_path, text) == f"club.toml: house_rules {told}"


@pytest.mark.parametrize(
    ("game", "number", "said"),
    [
        (
            "twenty-nine",
            "O31",
            "points give a worth to 5, off_five, 3, 2, which this game does not have",
        ),
        ("pedro", "O35", "max_bid is 29, and there are 15 points: nobody could make such a bid"),
    ],
)
def test_a_number_out_of_reach_is_refused(game: str, number: str, said: str) -> None:
    assert refusal(game, number) == f"names {number}, which cannot be in this game: {said}"


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


def test_plain_leads_may_be_let_into_pidro_by_value() -> None:
    assert by_number("pidro", "O16", plain_follow="follow").values["plain_void"] == "must-trump"


# --- Values without effect, in a file
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "extends = 'pedro'\nmin_bid = 15\nmax_bid = 15\nforced_bid = 15\n",
            "min_bid is 15, and there are 14 points: no bid could be made",
        ),
        (
            "extends = 'pedro'\nmax_bid = 29\n",
            "max_bid is 29, and there are 14 points: nobody could make such a bid",
        ),
        (
            "extends = 'pedro'\ntarget = 51\n",
            "target is 51, below goes_out_at 55, so nobody goes out",
        ),
        (
            "extends = 'twenty-nine'\ncertain_solo = false\n",
            (
                'certain_solo has no effect: the question "Even with a hand that cannot lose?" '
                "does not arise where solo is none"
            ),
        ),
        (
            "extends = 'pidro'\n[play]\nplain_void = 'must-trump'\n",
            (
                'plain_void has no effect: the question "And without the suit?" '
                "does not arise where plain_follow is trumps-only"
            ),
        ),
    ],
)
def test_a_value_without_effect_is_refused_in_a_file(tmp_path: Path, text: str, said: str) -> None:
    assert refused(tmp_path, text) == f"club.toml: {said}"


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
    from_file(tmp_path, text)


def test_what_a_log_says_was_played_stays_sound() -> None:
    assert in_a_log("pidro", plain_void="must-trump").values["plain_void"] == "must-trump"
    assert in_a_log("pedro", target=51).values["goes_out_at"] == 55
    definition = {"extends": "pedro", "min_bid": 8}
    assert resolve(RulesRef("mine", definition=definition)).values["min_bid"] == 8


@pytest.mark.parametrize("variant", ["pedro", "snoozer", "eighty-three", "twenty-nine"])
def test_the_points_in_play_are_those_of_the_engine(variant: str) -> None:
    values = load_variant(variant).values
    assert points_in_play(values) == make_rules(values, 4).all_points


# --- Numbers in the options of a log
def test_numbers_and_values_stand_side_by_side_in_a_log() -> None:
    by_numbers = in_a_log("pedro", house_rules=["O01", "O14"], target=52)
    by_values = in_a_log(
        "pedro", min_bid=6, forced_bid=6, target=52, both_over="makers", goes_out_at=0
    )
    assert by_numbers.values == by_values.values
    assert by_numbers.hash == by_values.hash
    assert by_numbers.cites == by_values.cites
    assert by_numbers.options == by_values.options
    assert (by_numbers.title, by_numbers.extends) == ("Pedro", "")


def test_numbers_of_a_log_lie_over_rules_that_it_carries() -> None:
    reference = RulesRef(
        "mine",
        options={"house_rules": ["O17"]},
        definition={"extends": "pedro", "house_rules": ["O01", "O16"]},
    )
    values = resolve(reference).values
    assert (values["min_bid"], values["plain_void"], values["low_to"]) == (
        6,
        "must-trump",
        "winner",
    )


def test_a_hand_with_numbers_is_read_written_and_judged() -> None:
    hand = next(generate("pedro", 1, 1, options={"house_rules": ["O01"], "target": 70}))
    assert hand.rules.options == {"house_rules": ["O01"], "target": 70}
    assert decode_hand(encode_hand(hand)) == hand
    assert replay(hand).verdict == Verdict.VALID


# --- A file on top of a file
def test_a_file_extends_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    from_file(
        tmp_path,
        "extends = 'pedro'\nid = 'club'\ntitle = 'Club'\nhouse_rules = ['O01']\n"
        "[[option]]\ncite = 'O14'\nwords = 'To 70.'\nvalues = { target = 70 }\n",
        "club/base.toml",
    )
    night = from_file(
        tmp_path, "extends = 'club/base.toml'\nhouse_rules = ['O14', 'O16']\n", "night.toml"
    )
    assert (night.values["min_bid"], night.values["target"]) == (6, 70)
    assert night.values["plain_void"] == "must-trump"
    assert (night.id, night.extends, night.title) == ("club", "pedro", f"Club {CHANGED}")
    assert night.cite("min_bid") == "O01 1.auction"


def test_a_log_carries_what_a_chain_of_files_says(tmp_path: Path) -> None:
    from_file(
        tmp_path,
        "extends = 'pedro'\nid = 'club'\nhouse_rules = ['O01', 'O03']\ntarget = 70\n",
        "base.toml",
    )
    night = from_file(
        tmp_path, "extends = 'base.toml'\nhouse_rules = ['O16']\nforced_bid = 7\n", "night.toml"
    )
    definition = rules_definition(tmp_path / "night.toml")
    assert definition["extends"] == "pedro"
    embedded = resolve(RulesRef(definition["id"], definition=definition))
    assert embedded.values == night.values
    assert (embedded.hash, embedded.title) == (night.hash, night.title)
    hands = list(generate(definition["id"], 1, 1, definition=definition))
    assert {replay(hand).verdict for hand in hands} == {Verdict.VALID}


def test_a_file_that_another_one_extends_is_named_where_it_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text("extends = 'pedro'\nmin_bid = 'six'\n", "utf-8")
    assert refused(tmp_path, "extends = 'base.toml'\n").startswith("base.toml: min_bid is 'six'")


def test_a_file_that_is_not_there_or_comes_back_to_itself(tmp_path: Path) -> None:
    assert refused(tmp_path, "extends = 'gone.toml'\n") == (
        "club.toml: extends is 'gone.toml', which cannot be read: No such file or directory"
    )
    (tmp_path / "base.toml").write_text("extends = 'club.toml'\n", "utf-8")
    assert refused(tmp_path, "extends = 'base.toml'\n") == (
        "base.toml: extends is 'club.toml', which extends this file in turn"
    )


def test_a_log_has_no_file_to_extend() -> None:
    with pytest.raises(RulesetError) as caught:
        resolve(RulesRef("mine", definition={"extends": "club.toml"}))
    assert caught.value.pointer == "/rules/definition/extends"
    assert caught.value.message == (
        "is 'club.toml', a file, which nobody can read from here: write what it says"
    )


# --- Names that stay true
def test_changed_rules_have_no_title_or_summary_of_the_game(tmp_path: Path) -> None:
    nameless = from_file(tmp_path, "extends = 'pedro'\nmin_bid = 6\n")
    assert (nameless.title, nameless.summary, nameless.id) == (f"Pedro {CHANGED}", "", "pedro")
    named = from_file(tmp_path, "extends = 'pedro'\nmin_bid = 6\ntitle = 'Six'\nsummary = 'S.'\n")
    assert (named.title, named.summary) == ("Six", "S.")
    titled = from_file(tmp_path, "extends = 'pedro'\nmin_bid = 6\ntitle = 'Six'\n")
    assert (titled.title, titled.summary) == ("Six", "")
    embedded = resolve(RulesRef("x", definition={"extends": "pedro", "min_bid": 6}))
    assert (embedded.title, embedded.summary) == (f"Pedro {CHANGED}", "")


def test_rules_that_change_nothing_keep_the_names_of_the_game(tmp_path: Path) -> None:
    same = from_file(tmp_path, "extends = 'pedro'\nid = 'ours'\nmin_bid = 7\n")
    pedro = load_variant("pedro")
    assert (same.title, same.summary) == (pedro.title, pedro.summary)


# --- Questions added later
def test_rules_written_before_a_question_was_asked_stay_complete_and_keep_their_hash() -> None:
    whole = {key: value for key, value in load_variant("pedro").values.items() if key not in ADDED}
    definition = {"title": "Mine", "family": "pedro", "deal": "packets", **whole}
    ruleset = resolve(RulesRef("pedro", definition=definition))
    assert ruleset.values == load_variant("pedro").values
    # The digest that these rules had before these questions were added.
    assert ruleset.hash == load_variant("pedro").hash == "29c65a3940d52d00"
    assert in_a_log("pedro", top_bid="ends").hash != ruleset.hash
