"""What the replay page is told of a hand with all cards open, and of its branches."""

from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.test_solver_values import with_pair
from tests.kit.dashboard_logs import first_hands, with_revoke
from tricklog import card_name, cards_in, core
from tricklog.core.native import library
from tricklog.core.study import Refused, Solver, Value, costs_among, first_card, open_hand
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.dashboard.data import solving
from tricklog.dashboard.pages.replay import study_answers, study_data
from tricklog.dashboard.pages.replay.study_answers import Asked, answered
from tricklog.dashboard.pages.replay.study_data import Study

VARIANTS = ("pedro", "king-pedro", "twenty-nine", "sancho")


@cache
def played(variant: str, number: int = 0) -> core.Replay:
    return core.replay(first_hands(variant, number + 1)[number])


@cache
def studied(variant: str) -> dict[str, Any]:
    study = Study(played(variant))
    study.work(seconds=600)
    return study.data()


# --- Values
@pytest.mark.parametrize("variant", VARIANTS)
def test_values_run_from_par_to_what_was_taken(variant: str) -> None:
    replayed, data = played(variant), studied(variant)
    opened = open_hand(replayed)
    values = data["values"]
    first = first_card(replayed)
    assert len(values) == len(replayed) + 1
    assert all(value is None for value in values[: first - 1])
    assert values[first] == data["par"] == [opened.par.low, opened.par.high]
    assert values[-1] == data["outcome"] == [opened.outcome.low, opened.outcome.high]
    assert not data["more"]
    assert not data["vague"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_value_after_a_decision_is_that_of_the_card_in_the_list(variant: str) -> None:
    assert checked_choices(studied(variant))


def test_after_a_declared_pair_the_list_counts_it_as_the_values_do() -> None:
    """14.pair: one page, one scale."""
    for item, declared in with_pair("lucknow/one-game")[:2]:
        study = Study(item)
        study.work(seconds=600)
        assert max(checked_choices(study.data())) > declared


def checked_choices(data: dict[str, Any]) -> list[int]:
    """The steps at which the list has what was played with the value that it led to."""
    steps = []
    for step, move in data["moves"].items():
        if move["kind"] != "card" or move["showed"]:
            continue
        (choice,) = [
            each
            for each in data["choices"][step]
            if each["cards"] == move["cards"] and not each["shows"]
        ]
        assert choice["value"] == move["after"]
        assert choice["cost"] == move["loss"]
        steps.append(int(step))
    return steps


@pytest.mark.parametrize("variant", VARIANTS)
def test_choices_are_the_cards_that_the_engine_allows_and_some_cost_nothing(variant: str) -> None:
    replayed, data = played(variant), studied(variant)
    for step, choices in data["choices"].items():
        view = replayed.at(int(step))
        if "play" in view.choice.verbs:
            legal = {card_name(card) for card in cards_in(view.choice.cards)}
            assert {each["cards"] for each in choices if not each["shows"]} == legal
        assert min(each["cost"] for each in choices) == 0


def test_costs_are_told_only_where_limits_leave_no_doubt() -> None:
    sure, worse, open_ = Value(9, 9), Value(7, 7), Value(6, 8)
    assert costs_among([sure, worse], by_makers=True) == [0, 2]
    assert costs_among([sure, worse], by_makers=False) == [2, 0]
    assert costs_among([sure, worse, open_], by_makers=True) == [0, 2, None]
    assert costs_among([worse, Value(6, 9)], by_makers=True) == [None, None]


def test_what_is_not_there_in_time_follows_and_the_step_looked_at_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replayed = played("pedro")
    first = first_card(replayed)
    study = Study(replayed, at=first + 5)
    study.work(seconds=0)
    assert study.data()["more"]
    assert list(study.data()["choices"]) == [str(first + 5)]
    rounds = 0
    while study.data()["more"]:
        study.work(seconds=0)
        rounds += 1
    assert rounds > 5
    assert study.data()["choices"].keys() == studied("pedro")["choices"].keys()
    monkeypatch.setattr(study_data, "FIRST_BUDGET", 1)
    assert study.data()["values"] == studied("pedro")["values"]


def test_a_hand_that_takes_long_has_limits_until_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_data, "FIRST_BUDGET", 40)
    study = Study(played("pedro"))
    study.work(seconds=600)
    data = study.data()
    assert data["vague"]
    low, high = data["par"]
    exact = studied("pedro")["par"][0]
    assert low <= exact <= high
    study.search_on(0)
    study.work(seconds=600)
    assert study.data()["par"] == [exact, exact]
    assert not study.data()["vague"]


def test_an_irregular_hand_is_refused_with_a_sentence() -> None:
    study = Study(core.replay(with_revoke()[0]))
    study.work()
    assert "irregular" in study.data()["refused"]


def test_without_library_nothing_is_solved_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "is_there", lambda: False)
    study = Study(played("pedro"))
    study.work()
    assert study.data() == {"refused": solving.NO_LIBRARY}
    with pytest.raises(Refused, match="tricklog demo --check"), solving.solver_for(played("pedro")):
        pass


# --- Branches
@given(variant=st.sampled_from(VARIANTS), data=st.data())
@settings(max_examples=25, deadline=None)
def test_any_legal_play_is_told_as_a_branch_and_read(variant: str, data: st.DataObject) -> None:
    replayed = played(variant)
    first = first_card(replayed)
    start = data.draw(st.integers(first, replayed.played - 1))
    text = str(start)
    for _ in range(data.draw(st.integers(1, 6))):
        branch = branch_of(replayed, text)
        view = branch.replayed.at(len(branch.replayed))
        if view.turn is None or not {"play", "bury"} & set(view.choice.verbs):
            break
        cards = list(cards_in(view.choice.cards))
        if "play" in view.choice.verbs:
            word = card_name(data.draw(st.sampled_from(cards)))
        else:
            free = [card for card in cards if card_name(card)[0] in "6789"] + cards
            word = "-".join(card_name(card) for card in dict.fromkeys(free[: view.choice.least]))
        text = f"{text}.{word}"
        try:
            branch = branch_of(replayed, text)
        except NoBranch:
            assert "bury" in view.choice.verbs
            break
        if branch.problem:
            assert "bury" in view.choice.verbs
            break
        assert branch.text == text
        assert len(branch.places) == len(branch.words)
        assert not branch.replayed.findings
        assert branch.replayed.hand.actions[:start] == replayed.hand.actions[:start]
        told = branch.replayed.hand.actions[branch.places[-1]]
        assert told.endswith(word.replace("-", " "))


@pytest.mark.parametrize("variant", VARIANTS)
def test_best_play_from_the_first_card_takes_par_and_ends_the_hand(variant: str) -> None:
    replayed = played(variant)
    solver = Solver(replayed.rules)
    branch = branch_of(replayed, str(first_card(replayed)), best=solver)
    opened = open_hand(branch.replayed, solver)
    assert branch.replayed.outcome is not None
    assert opened.outcome == open_hand(replayed, solver).par
    assert all(each.loss == 0 for each in opened.decisions)


def test_the_branch_of_what_was_played_is_what_was_played() -> None:
    replayed = played("pedro")
    first = first_card(replayed)
    cards = [card_name(action.card) for action in replayed.actions[first:]]
    branch = branch_of(replayed, ".".join([str(first), *cards]))
    assert branch.replayed.hand.actions == replayed.hand.actions
    assert branch.replayed.outcome == replayed.outcome


def test_in_twenty_nine_duties_come_by_themselves() -> None:
    replayed = next(
        each
        for each in (core.replay(hand) for hand in first_hands("twenty-nine", 4))
        if any(action.endswith(" ask") for action in each.hand.actions)
    )
    asked = next(at for at, action in enumerate(replayed.hand.actions) if action.endswith(" ask"))
    card = card_name(replayed.actions[asked + 2].card)
    branch = branch_of(replayed, f"{asked}.{card}")
    assert branch.replayed.hand.actions[: asked + 3] == replayed.hand.actions[: asked + 3]
    assert branch.places == (asked + 2,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot be read"),
        ("13.XX", "cannot be read"),
        ("999.AS", "nobody|none at this step"),
        ("0.AS", "none at this step"),
        ("-1", "cannot be read"),
        ("13." + ".".join(["AS"] * 99), "do not allow AS"),
    ],
)
def test_a_branch_that_is_none_is_refused_with_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(NoBranch, match=reason):
        branch_of(played("pedro"), text)


def test_of_a_branch_that_somebody_changed_the_legal_beginning_is_left() -> None:
    replayed = played("pedro")
    first = first_card(replayed)
    cards = [card_name(action.card) for action in replayed.actions[first : first + 3]]
    legal = ".".join([str(first), *cards])
    whole = branch_of(replayed, legal)
    assert (whole.text, whole.problem) == (legal, "")
    part = branch_of(replayed, f"{legal}.{cards[0]}.AS")
    assert part.text == legal
    assert f"do not allow {cards[0]}" in part.problem
    part = branch_of(replayed, f"{legal}.<b>")
    assert (part.text, part.problem) == (legal, "card 4 of the branch cannot be read")
    for text in (f"{first}.{cards[1]}", "13x"):
        with pytest.raises(NoBranch):
            branch_of(replayed, text)
    asked = Asked.of({"hand": replayed.hand.id, "branch": f"{legal}.{cards[0]}"})
    told = answered(replayed, asked, {})["branch"]
    assert told["text"] == legal
    assert f"do not allow {cards[0]}" in told["error"]


def test_a_branch_with_cards_left_does_not_say_that_the_record_ends() -> None:
    replayed = played("pedro")
    asked = Asked.of({"hand": replayed.hand.id, "branch": str(first_card(replayed))})
    branch = answered(replayed, asked, {})["branch"]["hand"]
    assert branch["ending"] == ["The branch goes no further yet."]
    assert branch["unfinished"]
    to_the_end = Asked.of({"hand": replayed.hand.id, "branch": asked.branch, "best": True})
    ended = answered(replayed, to_the_end, {})["branch"]["hand"]
    assert "unfinished" not in ended
    assert "goes no further" not in ended["ending"][0]


def test_a_card_that_is_not_legal_is_refused() -> None:
    replayed = played("pedro")
    first = first_card(replayed)
    turn = replayed.at(first).turn
    assert turn is not None
    (other, *_) = cards_in(replayed.at(first).holdings[(turn + 1) % 4])
    with pytest.raises(NoBranch, match=f"do not allow {card_name(other)}"):
        branch_of(replayed, f"{first}.{card_name(other)}")
    with pytest.raises(NoBranch, match="do not allow ask"):
        branch_of(replayed, f"{first}.ask")


# --- What the table asks for
def test_a_branch_comes_with_its_own_values_and_changes_nothing_of_the_hand() -> None:
    replayed = played("pedro")
    first = first_card(replayed)
    before = list(replayed.hand.actions)
    studies: dict[str, Study] = {}
    asked = Asked.of({"hand": replayed.hand.id, "at": first, "branch": str(first), "best": True})
    parts = answered(replayed, asked, studies)
    branch = parts["branch"]
    assert branch["asked"] == str(first)
    assert branch["text"].startswith(f"{first}.")
    assert branch["study"]["outcome"] == parts["study"]["par"]
    assert len(branch["hand"]["frames"]) == len(branch["hand"]["steps"]) + 1
    assert len(branch["places"]) == len(branch["text"].split(".")) - 1
    assert replayed.hand.actions == before


def test_a_branch_without_a_card_yet_has_the_value_of_its_moment() -> None:
    replayed = played("pedro")
    asked = Asked.of({"hand": replayed.hand.id, "branch": str(first_card(replayed))})
    study = answered(replayed, asked, {})["branch"]["study"]
    assert study["par"] == studied("pedro")["par"]
    (choices,) = study["choices"].values()
    assert min(each["cost"] for each in choices) == 0


def test_what_a_browser_sends_may_be_anything() -> None:
    strange = Asked.of({"hand": 3, "at": "x", "branch": ["AS"], "best": 1, "on": None})
    assert strange == Asked("3", 0, "['AS']", best=False, on=False, hidden=-1)
    told = answered(played("pedro"), strange, {})
    assert told["branch"]["error"] == "The address of the branch cannot be read."


def test_a_card_is_graded_with_hidden_cards_when_somebody_asks() -> None:
    replayed = played("pedro")
    step, move = next(
        (int(step), move) for step, move in studied("pedro")["moves"].items() if move["loss"]
    )
    given = {"hand": replayed.hand.id, "at": step}
    studies: dict[str, Study] = {}
    assert answered(replayed, Asked.of(given), studies)["study"]["hidden"] == {}
    asked = Asked.of(given | {"hidden": step})
    graded = answered(replayed, asked, studies)["study"]["hidden"][str(step)]
    assert graded["worlds"] > 1
    assert graded["judged"] + graded["luck"] == pytest.approx(move["loss"], abs=0.11)
    assert graded["reach"] >= 0
    asked = Asked.of(given | {"hidden": 9999})
    assert list(answered(replayed, asked, studies)["study"]["hidden"]) == [str(step)]


def test_only_the_latest_studies_are_kept() -> None:
    replayed = played("pedro")
    first = first_card(replayed)
    studies: dict[str, Study] = {}
    for step in islice(range(first, replayed.played), 14):
        answered(replayed, Asked.of({"hand": replayed.hand.id, "branch": str(step)}), studies)
    assert len(studies) == study_answers._KEPT
    assert replayed.hand.id in studies
