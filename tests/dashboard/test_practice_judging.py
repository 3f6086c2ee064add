"""What an answer was worth: the solver's values, and how the hand goes on."""

from collections.abc import Iterator
from itertools import islice
from unittest.mock import patch

import pytest

from tests.kit.dashboard_logs import sample_hands
from tests.kit.tiers import scaled, some
from tricklog import core
from tricklog.core import Replay
from tricklog.core.engine.rules.table import side_of
from tricklog.core.native import library
from tricklog.core.study import LossKind, Solver, open_hand
from tricklog.core.study.branches import branch_of
from tricklog.core.study.questions import judging
from tricklog.core.study.questions.judging import Judged, judge
from tricklog.core.study.questions.known import known_at
from tricklog.core.study.questions.moments import (
    ASK,
    Kind,
    Moment,
    answer_of,
    first_action,
    moment_at,
)
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice import telling
from tricklog.dashboard.pages.practice.at_table import branch_text
from tricklog.ingest.store.userdata import Answer
from tricklog.schemas.actions import Verb

GAMES = ("pedro", "pidro", "king-pedro", "sancho", "twenty-nine", "ukrainian")


@pytest.fixture(autouse=True)
def _in_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Value sets of cards to the last, however busy the machine is."""
    monkeypatch.setattr(judging, "_SECONDS", 600)


def asked(variant: str, hands: int = 2, **options: str) -> Iterator[tuple[Replay, Moment, str]]:
    """Questions of generated hands with play, each with what was done at the table."""
    # In the samples of Twenty-Nine asking is optional.
    if variant == "twenty-nine":
        found = list(islice(core.generate(variant, 1, seed=4, options=options or None), hands))
    else:
        found = sample_hands(variant, hands)
    for hand in found:
        replayed = core.replay(hand)
        if not replayed.tricks:
            continue
        for index, action in enumerate(replayed.actions):
            moment = moment_at(replayed, index)
            if moment is not None:
                yield replayed, moment, answer_of(action)


@pytest.mark.parametrize("variant", some(GAMES, 2))
def test_a_card_costs_what_the_solver_says_of_the_recorded_hand(variant: str) -> None:
    seen = 0
    for replayed, moment, played in asked(variant):
        if moment.kind != Kind.CARD:
            continue
        (decision,) = [
            each for each in open_hand(replayed).decisions if each.action == moment.index
        ]
        judged = judge(replayed, moment, played, solver_for)
        row = judged.row(played)
        assert row is not None
        assert (row.value, row.cost) == (decision.after, decision.loss)
        assert judged.best == decision.before
        assert judged.by_makers == decision.by_makers
        assert judged.costs_nothing
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("variant", some(("king-pedro", "cinch", "ukrainian"), 1))
def test_cards_laid_off_as_recorded_are_worth_what_the_hand_was(variant: str) -> None:
    costs = []
    for replayed, moment, played in asked(variant):
        if moment.kind != Kind.CARDS:
            continue
        row = judge(replayed, moment, played, solver_for).row(played)
        assert row is not None
        if row.value is not None and replayed.actions[moment.index].verb != Verb.BURY:
            assert row.value == open_hand(replayed).par
            costs.append(row.cost)
    assert any(cost is not None for cost in costs)


def test_sets_that_are_too_many_to_value_have_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MOST_SETS", 1)
    rows = [
        judge(replayed, moment, played, solver_for).row(played)
        for replayed, moment, played in asked("king-pedro", 1)
        if moment.kind == Kind.CARDS
    ]
    assert rows
    assert all(row is not None and row.cost is None for row in rows)


@pytest.mark.parametrize("variant", some(("sancho", "sixty-three"), 1))
def test_best_play_ends_with_the_value_of_the_answer(variant: str) -> None:
    seen = 0
    for replayed, moment, played in asked(variant):
        if moment.kind != Kind.CARD:
            continue
        judged = judge(replayed, moment, played, solver_for)
        known = known_at(moment)
        solver = Solver(replayed.rules)
        found = branch_of(replayed, branch_text(moment, played), best=solver, seconds=600).replayed
        assert found.at(len(found)).phase == "over"
        maker = replayed.state_at(len(replayed)).maker
        side = side_of(replayed.rules, maker)
        tricks = found.tricks[len(known.tricks) :]
        makers = known.points[side] + sum(
            trick.points
            for trick in tricks
            if trick.winner is not None and side_of(replayed.rules, trick.winner) == side
        )
        row = judged.row(played)
        assert row is not None
        assert row.value is not None
        assert makers == row.value.low
        assert [len(each.plays) for each in tricks] == [replayed.rules.seats] * len(tricks)
        seen += 1
    assert seen > 10


def test_having_the_trump_shown_is_worth_the_card_after_it() -> None:
    seen = 0
    for replayed, moment, _ in asked("twenty-nine", scaled(2, most=5), ask="optional"):
        if not any(each.text == ASK for each in moment.options):
            continue
        judged = judge(replayed, moment, ASK, solver_for)
        row = judged.row(ASK)
        assert row is not None
        assert row.value is not None
        best = Solver(replayed.rules)
        found = branch_of(replayed, branch_text(moment, ASK), best=best, seconds=600)
        assert found.replayed.at(len(found.replayed)).phase == "over"
        seen += 1
        following = next(
            (
                at
                for at in range(moment.index, len(replayed))
                if replayed.hand.actions[at].split()[1] == "play"
            ),
            None,
        )
        if replayed.hand.actions[moment.index].endswith(ASK) and following is not None:
            assert first_action(replayed, following, showed=True) == moment.index
    assert seen


def test_without_the_library_a_question_has_no_values_and_says_so() -> None:
    replayed, moment, played = next(each for each in asked("pidro") if each[1].kind == Kind.CARD)
    with patch.object(library, "is_there", return_value=False):
        judged = judge(replayed, moment, played, solver_for)
    assert "tricklog demo --check" in judged.no_value
    assert [row.value for row in judged.rows] == [None] * len(moment.options)
    told = telling.verdict(judged, played, replayed)
    assert "tricklog demo --check" in told.lines[0]
    assert told.cost is None


def said(judged: Judged, answer: str, replayed: Replay) -> telling.Told:
    return telling.verdict(judged, answer, replayed)


@pytest.mark.parametrize("variant", some(("pedro", "twenty-nine"), 1))
def test_nobody_is_told_what_they_ought_to_have_done(variant: str) -> None:
    tones, kinds = set(), set()
    for replayed, moment, played in asked(variant, 1):
        for answer in [option.text for option in moment.options] or [played]:
            told = said(judge(replayed, moment, answer, solver_for), answer, replayed)
            words = " ".join(told.lines).lower()
            tones.add(told.tone)
            kinds |= {kind for kind in LossKind if f"({kind})" in words}
            for word in ("should", "mistake", "blunder", "wrong", "right", "best card"):
                assert word not in words
            if moment.kind == Kind.CARD:
                assert "with all cards open" in words
            elif moment.kind in (Kind.CALL, Kind.TRUMP):
                assert " cost" not in words
                assert told.cost is None
    assert tones == {"free", "costly", "plain"}
    assert kinds


def test_others_are_counted_without_oneself_and_by_question() -> None:
    def answer(who: str, text: str, action: int = 7) -> Answer:
        return Answer("f" * 32, action, who, text, "points", 0, 0, hinted=False)

    kept = [
        answer("Ann", "play 8D"),
        answer("Bo", "play 8D"),
        answer("Cy", "play JD"),
        answer("Cy", "play 2C", 8),
    ]
    assert telling.others(kept, "f" * 32, 7, "Ann") == {"play 8D": 1, "play JD": 1}
    assert telling.others(kept, "0" * 32, 7, "Ann") == {}
