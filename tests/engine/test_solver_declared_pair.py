"""After a declared pair every answer of the solver counts it alike (14.pair, docs/solver.md)."""

from __future__ import annotations

import msgspec
import pytest

from tests.kit.page_blocks import REPOSITORY
from tricklog.core import Replay, replay
from tricklog.core.study import Solver, open_hand
from tricklog.core.study.refusals import OpenScore, pair_points
from tricklog.schemas.actions import Verb
from tricklog.schemas.hand import Hand

LOGS = ("lucknow/one-game", "lucknow/two-games-to-6", "twenty-nine/five-games")


def with_pair(log: str) -> list[tuple[Replay, int]]:
    """The hands of a sample in which a pair was declared, and at which action."""
    path = REPOSITORY / "sample_logs" / "valid" / f"{log}.jsonl"
    found = []
    for line in path.read_bytes().splitlines():
        item = replay(msgspec.json.decode(line, type=Hand))
        verbs = [action.verb for action in item.actions]
        if Verb.PAIR in verbs:
            found.append((item, verbs.index(Verb.PAIR)))
    return found


@pytest.mark.parametrize("log", LOGS)
def test_values_choices_and_the_whole_hand_count_a_declared_pair_alike(log: str) -> None:
    shifted = 0
    for item, declared in with_pair(log)[:3]:
        solver = Solver(item.rules)
        opened = open_hand(item, solver)
        for each in opened.decisions:
            state = item.state_at(each.action)
            assert solver.value(state) == each.before
            assert solver.need(state) == opened.need
            after = {choice.value for choice in solver.choices(state) if choice.cards == each.cards}
            assert each.after in after
            makes = None if opened.need is None else each.before.low >= opened.need
            assert solver.is_made(state) == makes
        shifted += abs(pair_points(item.state_at(declared + 1), item.rules))
    assert shifted


@pytest.mark.parametrize("log", LOGS[2:])
def test_the_score_by_points_is_the_same_before_and_after_the_pair(log: str) -> None:
    for item, declared in with_pair(log):
        solver = Solver(item.rules)
        opened = open_hand(item, solver)
        later = item.state_at(declared + 1)
        if item.state_at(item.played).revealed:
            score = OpenScore(later, item.rules, solver.need(later))
            made = opened.outcome.low >= (opened.need or 0)
            assert (score.change(opened.outcome.low) > 0) == made
