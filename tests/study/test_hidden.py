"""The second grade: what a choice was worth to somebody who could not see all cards."""

import random
from collections.abc import Iterator
from itertools import islice
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from tests.kit.duplicate import margin
from tests.kit.sound_hands import alone_with_trumps, instead
from tests.kit.tiers import scaled, some
from tricklog.core import generate, replay, variants
from tricklog.core.judging.replayer import Replay
from tricklog.core.native import library
from tricklog.core.study import Decision, Refused, Solver, open_hand
from tricklog.core.study.hidden import HiddenGrade, grade, hand_grades
from tricklog.core.study.knowledge import known_to
from tricklog.core.study.worlds import Worlds
from tricklog.schemas.actions import Verb
from tricklog.schemas.hand import RulesRef

SMALL = 6


def hands(variant: str, count: int) -> Iterator[Replay]:
    """Yield some generated hands that come to play."""
    replays = map(replay, generate(variant, games=2, seed=9))
    played = (each for each in replays if any(one.verb == Verb.PLAY for one in each.actions))
    return islice(played, count)


def decisions_of(played: Replay) -> list[Decision]:
    return [each for each in open_hand(played).decisions if each.kind == "card"]


def judged(given: HiddenGrade | None) -> tuple[object, ...]:
    """Return all of a grade that its player could know."""
    assert given is not None
    score = given.score_loss and (given.score_loss.judged, given.score_loss.error)
    return given.choices, given.made, given.loss.judged, given.loss.error, score


@pytest.mark.parametrize("variant", some(["pidro", "twenty-nine", "pedro", "ukrainian"], 2))
def test_cards_a_player_could_not_see_change_nothing_of_what_they_could_judge(variant: str) -> None:
    changed = 0
    for played in hands(variant, 2):
        solver = Solver(played.rules)
        for decision in decisions_of(played)[1:12:4]:
            at = decision.action
            given = grade(played, at, worlds=SMALL, solver=solver)
            if given is None:
                continue
            known = known_to(played, at, decision.seat)
            world = Worlds(known, random.Random(at)).draw()
            assert world is not None
            changed += world.state.holding != played.state_at(at).holding
            record = replace(world.record, actions=[*world.record.actions, played.hand.actions[at]])
            other = replay(record, ruleset=played.ruleset)
            assert judged(grade(other, at, worlds=SMALL)) == judged(given)
    assert changed


def test_losses_with_open_cards_are_what_was_judged_and_luck() -> None:
    (played,) = hands("pidro", 1)
    solver = Solver(played.rules)
    losses = {each.action: each.loss for each in open_hand(played, solver).decisions}
    grades = hand_grades(played, worlds=SMALL, solver=solver)
    assert grades
    for each in grades:
        assert each.loss.open == losses[each.action]
        assert each.loss.judged + each.loss.luck == pytest.approx(each.loss.open)
        assert each.worlds == each.asked == SMALL
        chosen = each.choices[each.made]
        assert played.actions[each.action].card in chosen.cards
        sign = 1 if each.by_makers else -1
        others = [sign * other.mean for other in each.choices if other != chosen]
        if sign * chosen.mean > max(others):
            assert each.loss.judged <= 0


def test_the_same_decision_gets_the_same_grade_and_more_worlds_a_smaller_error() -> None:
    (played,) = hands("pedro", 1)
    at = decisions_of(played)[0].action
    first, again = (grade(played, at, worlds=SMALL) for _ in range(2))
    assert first == again
    many = grade(played, at, worlds=80)
    assert first is not None
    assert many is not None
    few_errors = sum(each.error for each in first.choices)
    assert sum(each.error for each in many.choices) < few_errors


@pytest.mark.skipif(not library.is_there(), reason="there is no library")
@pytest.mark.parametrize("variant", some(variants(), 4))
def test_worlds_and_grades_are_the_same_with_and_without_the_library(variant: str) -> None:
    for played in hands(variant, scaled(1, most=4)):
        solver = Solver(played.rules)
        for decision in decisions_of(played)[: scaled(12, most=100) : 5]:
            told = []
            for there in (True, False):
                with patch.object(library, "is_there", lambda there=there: there):
                    again = replay(played.hand)
                    known = known_to(again, decision.action, decision.seat)
                    worlds = Worlds(known, random.Random(variant))
                    drawn = [worlds.draw() for _ in range(2)]
                    graded = grade(again, decision.action, worlds=SMALL, solver=solver)
                told.append((known, drawn, graded))
            assert told[0] == told[1]


def test_against_a_hand_alone_players_are_judged_by_what_they_saw() -> None:
    """O46, O87: what the maker named in secret counts no more, what was chosen is known to all."""
    chosen = alone_with_trumps()
    rules = RulesRef("twenty-nine", options={"solo": "partner-hidden"})
    without = replace(instead(chosen, "0 trump S"), rules=rules)
    for hand in (chosen, without):
        played, first = replay(hand), hand.actions.index("0 play JS")
        grades = [grade(played, at, worlds=2) for at in range(first, first + 3)]
        assert [(each.seat, each.unit) for each in grades if each] == [
            (seat, "tricks") for seat in (0, 1, 3)
        ]


def test_a_decision_without_a_choice_has_no_grade() -> None:
    (played,) = hands("pedro", 1)
    assert grade(played, decisions_of(played)[-1].action) is None


def test_with_a_small_budget_there_are_fewer_worlds_or_none() -> None:
    (played,) = hands("pedro", 1)
    at = decisions_of(played)[0].action
    whole = grade(played, at, worlds=40)
    assert whole is not None
    fewer = None
    budget = 2_000
    while fewer is None:
        try:
            fewer = grade(played, at, worlds=40, budget=budget)
        except Refused:
            budget *= 4
    assert fewer.worlds <= whole.worlds
    assert fewer.asked == 40
    with pytest.raises(Refused, match="budget"):
        grade(played, at, budget=1)


def test_bots_that_think_of_no_worlds_lose_by_what_they_could_have_judged() -> None:
    lost = 0.0
    for played in hands("sancho", 2):
        lost += sum(each.loss.judged for each in hand_grades(played, worlds=SMALL))
    assert lost > 0


def test_bots_that_play_by_it_beat_todays() -> None:
    assert margin("pidro", 4, "suite", worlds=10).mean > 0


@pytest.mark.thorough("twenty-four deals both ways, thinking at each card: minutes for a game")
@pytest.mark.parametrize("variant", variants())
def test_bots_that_play_by_it_are_not_beaten_in_any_game(variant: str) -> None:
    assert margin(variant, 24, "long").interval[1] >= 0
