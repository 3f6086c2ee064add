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
from tricklog.core.study import Refused, Value, costs_among, first_card, open_hand
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.dashboard.data import solving
from tricklog.dashboard.pages.replay import study as replay_study
from tricklog.dashboard.pages.replay.study import KEPT, Asked, Study, answered

VARIANTS = ("pedro", "king-pedro", "twenty-nine", "sancho")


@cache
def played(variant: str = "pedro") -> core.Replay:
    return core.replay(first_hands(variant, 1)[0])


@cache
def studied(variant: str = "pedro") -> dict[str, Any]:
    return data_of(Study(played(variant)))


def data_of(study: Study) -> dict[str, Any]:
    study.work(seconds=600)
    return study.data()


FIRST = 13
"""The step of the first card of the hand of Pedro."""


def cards_from(step: int, count: int | None = None) -> list[str]:
    actions = played().actions[step:] if count is None else played().actions[step : step + count]
    return [card_name(action.card) for action in actions]


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
    assert checked_choices(data)
    # Choices are the cards that the engine allows, and some cost nothing.
    for step, choices in data["choices"].items():
        view = replayed.at(int(step))
        if "play" in view.choice.verbs:
            legal = {card_name(card) for card in cards_in(view.choice.cards)}
            assert {each["cards"] for each in choices if not each["shows"]} == legal
        assert min(each["cost"] for each in choices) == 0


def test_after_a_declared_pair_the_list_counts_it_as_the_values_do() -> None:
    """14.pair: one page, one scale."""
    for item, declared in with_pair("lucknow/one-game")[:2]:
        assert max(checked_choices(data_of(Study(item)))) > declared


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
        assert (choice["value"], choice["cost"]) == (move["after"], move["loss"])
        steps.append(int(step))
    return steps


def test_costs_are_told_only_where_limits_leave_no_doubt() -> None:
    sure, worse, open_ = Value(9, 9), Value(7, 7), Value(6, 8)
    assert costs_among([sure, worse], by_makers=True) == [0, 2]
    assert costs_among([sure, worse], by_makers=False) == [2, 0]
    assert costs_among([sure, worse, open_], by_makers=True) == [0, 2, None]
    assert costs_among([worse, Value(6, 9)], by_makers=True) == [None, None]


def test_what_is_not_there_in_time_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(played(), at=FIRST + 5)
    study.work(seconds=0)
    assert study.data()["more"]
    assert list(study.data()["choices"]) == [str(FIRST + 5)]
    rounds = 0
    while study.data()["more"]:
        study.work(seconds=0)
        rounds += 1
    assert rounds > 5
    assert study.data()["choices"].keys() == studied()["choices"].keys()
    monkeypatch.setattr(replay_study, "FIRST_BUDGET", 1)
    assert study.data()["values"] == studied()["values"]
    # A hand that takes long has limits until it is searched.
    monkeypatch.setattr(replay_study, "FIRST_BUDGET", 40)
    study = Study(played())
    data = data_of(study)
    assert data["vague"]
    low, high = data["par"]
    exact = studied()["par"][0]
    assert low <= exact <= high
    study.search_on(0)
    data = data_of(study)
    assert (data["par"], bool(data["vague"])) == ([exact, exact], False)


def test_what_cannot_be_solved_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "irregular" in data_of(Study(core.replay(with_revoke()[0])))["refused"]
    # Without the library nothing is solved in Python.
    monkeypatch.setattr(library, "is_there", lambda: False)
    assert data_of(Study(played())) == {"refused": solving.NO_LIBRARY}
    with pytest.raises(Refused, match="tricklog demo --check"), solving.solver_for(played()):
        pass


# --- Branches
@given(variant=st.sampled_from(VARIANTS), data=st.data())
@settings(max_examples=25, deadline=None)
def test_any_legal_play_is_told_as_a_branch_and_read(variant: str, data: st.DataObject) -> None:
    replayed = played(variant)
    start = data.draw(st.integers(first_card(replayed), replayed.played - 1))
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
        actions = branch.replayed.hand.actions
        assert branch.text == text
        assert len(branch.places) == len(branch.words)
        assert not branch.replayed.findings
        assert actions[:start] == replayed.hand.actions[:start]
        assert actions[branch.places[-1]].endswith(word.replace("-", " "))


def test_the_branch_of_what_was_played_is_what_was_played() -> None:
    assert first_card(played()) == FIRST
    branch = branch_of(played(), ".".join([str(FIRST), *cards_from(FIRST)]))
    assert branch.replayed.hand.actions == played().hand.actions
    assert branch.replayed.outcome == played().outcome


def test_in_twenty_nine_duties_come_by_themselves() -> None:
    hands = map(core.replay, first_hands("twenty-nine", 4))
    replayed, asked = next(
        (each, at)
        for each in hands
        for at, action in enumerate(each.hand.actions)
        if action.endswith(" ask")
    )
    branch = branch_of(replayed, f"{asked}.{card_name(replayed.actions[asked + 2].card)}")
    assert branch.replayed.hand.actions[: asked + 3] == replayed.hand.actions[: asked + 3]
    assert branch.places == (asked + 2,)


def of_another() -> str:
    """A card of the player after the one who plays the first card."""
    turn = played().at(FIRST).turn
    assert turn is not None
    return card_name(cards_in(played().at(FIRST).holdings[(turn + 1) % 4])[0])


def test_a_branch_that_is_none_is_refused_with_a_sentence() -> None:
    for text, reason in (
        ("", "cannot be read"),
        ("13.XX", "cannot be read"),
        ("13x", "cannot be read"),
        ("999.AS", "nobody|none at this step"),
        ("0.AS", "none at this step"),
        ("-1", "cannot be read"),
        ("13." + ".".join(["AS"] * 99), "do not allow AS"),
        ("13.ask", "do not allow ask"),
        ("13.{of_another}", "do not allow {of_another}"),
        ("13.{second}", "do not allow {second}"),
    ):
        cards = {"of_another": of_another(), "second": cards_from(FIRST + 1, 1)[0]}
        with pytest.raises(NoBranch, match=reason.format(**cards)):
            branch_of(played(), text.format(**cards))


def asked_for(branch: str = str(FIRST), **more: object) -> dict[str, Any]:
    asked = Asked.of({"hand": played().hand.id, "branch": branch, **more})
    return answered(played(), asked, {})


def test_of_a_branch_that_somebody_changed_the_legal_beginning_is_left() -> None:
    cards = cards_from(FIRST, 3)
    legal = ".".join([str(FIRST), *cards])
    whole = branch_of(played(), legal)
    assert (whole.text, whole.problem) == (legal, "")
    part = branch_of(played(), f"{legal}.{cards[0]}.AS")
    assert part.text == legal
    assert f"do not allow {cards[0]}" in part.problem
    part = branch_of(played(), f"{legal}.<b>")
    assert (part.text, part.problem) == (legal, "card 4 of the branch cannot be read")
    told = asked_for(f"{legal}.{cards[0]}")["branch"]
    assert told["text"] == legal
    assert f"do not allow {cards[0]}" in told["error"]


def test_a_branch_with_cards_left_does_not_say_that_the_record_ends() -> None:
    told = asked_for()["branch"]
    assert told["hand"]["ending"] == ["The branch goes no further yet."]
    assert told["hand"]["unfinished"]
    # Without a card yet it has the value of its moment.
    assert told["study"]["par"] == studied()["par"]
    (choices,) = told["study"]["choices"].values()
    assert min(each["cost"] for each in choices) == 0
    ended = asked_for(best=True)["branch"]["hand"]
    assert "unfinished" not in ended
    assert "goes no further" not in ended["ending"][0]


# --- What the table asks for
def test_a_branch_comes_with_its_own_values_and_changes_nothing_of_the_hand() -> None:
    before = list(played().hand.actions)
    parts = asked_for(at=FIRST, best=True)
    branch = parts["branch"]
    assert branch["asked"] == str(FIRST)
    assert branch["text"].startswith(f"{FIRST}.")
    assert branch["study"]["outcome"] == parts["study"]["par"]
    assert len(branch["hand"]["frames"]) == len(branch["hand"]["steps"]) + 1
    assert len(branch["places"]) == len(branch["text"].split(".")) - 1
    assert played().hand.actions == before


def test_what_a_browser_sends_may_be_anything() -> None:
    strange = Asked.of({"hand": 3, "at": "x", "branch": ["AS"], "best": 1, "on": None})
    assert strange == Asked("3", 0, "['AS']", best=False, on=False, hidden=-1)
    told = answered(played(), strange, {})
    assert told["branch"]["error"] == "The address of the branch cannot be read."


def test_a_card_is_graded_with_hidden_cards_when_somebody_asks() -> None:
    step, move = next((int(at), each) for at, each in studied()["moves"].items() if each["loss"])
    given = {"hand": played().hand.id, "at": step}
    studies: dict[str, Study] = {}

    def hidden(**asked: int) -> dict[str, Any]:
        found: dict[str, Any] = answered(played(), Asked.of(given | asked), studies)
        graded: dict[str, Any] = found["study"]["hidden"]
        return graded

    assert hidden() == {}
    graded = hidden(hidden=step)[str(step)]
    assert graded["worlds"] > 1
    assert graded["judged"] + graded["luck"] == pytest.approx(move["loss"], abs=0.11)
    assert graded["reach"] >= 0
    assert list(hidden(hidden=9999)) == [str(step)]


def test_only_the_latest_studies_are_kept() -> None:
    studies: dict[str, Study] = {}
    for step in islice(range(FIRST, played().played), 14):
        asked = Asked.of({"hand": played().hand.id, "branch": str(step)})
        answered(played(), asked, studies)
    assert len(studies) == KEPT
    assert played().hand.id in studies
