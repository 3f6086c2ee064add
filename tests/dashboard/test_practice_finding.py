"""Questions worth asking: the same ones from stored losses and from hands solved on the way."""

import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import pytest
from duckdb import DuckDBPyConnection

from tests.kit.solved import grade_some
from tests.kit.tiers import some
from tricklog.core import replay
from tricklog.core.study.questions.moments import moment_at
from tricklog.dashboard.data import snapshot as page_snapshot
from tricklog.dashboard.pages.practice import finding
from tricklog.dashboard.pages.practice.finding import (
    LENGTH,
    TOPICS,
    Questions,
    Search,
    Topic,
    Wanted,
)
from tricklog.ingest.metrics import measure, practice
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.practice import EVERY_DECISION, Within
from tricklog.ingest.metrics.themes import TITLES
from tricklog.ingest.store.warehouse import hand, open_snapshot
from tricklog.ingest.warehouses import open_facts

PLAYER = "bot-bold-1"
TOPICS_WITH_COST = [topic for topic in Topic if topic.value not in ("bids", "trumps", "exchange")]


@pytest.fixture(scope="module")
def facts(solved: Path) -> Iterator[DuckDBPyConnection]:
    with open_facts(solved) as opened:
        yield opened


@pytest.fixture(scope="module")
def searched(solved: Path, facts: DuckDBPyConnection) -> Search:
    """All hands of the player looked through as the page does without stored losses."""
    search = Search(PLAYER, "")
    with open_snapshot(solved) as snapshot:
        stored = lambda hand_id: hand(snapshot, hand_id)  # noqa: E731 - stands for the page's own
        with patch.object(page_snapshot, "hand", stored):
            while not search.is_done:
                search.go_on(facts, 60)
    return search


def test_all_hands_of_a_player_are_looked_through_once(
    facts: DuckDBPyConnection, searched: Search
) -> None:
    hands = practice.hands_of_player(facts, PLAYER, limit=1_000)
    assert searched.looked == len(hands) == practice.count_of_player(facts, PLAYER)
    assert len({(each.hand_id, each.action) for each in searched.found}) == len(searched.found)
    assert all(each.loss > 0 for each in searched.found)


def test_stored_losses_and_those_looked_up_ask_the_same(
    facts: DuckDBPyConnection, searched: Search
) -> None:
    early, late = Within(last_turn=0), Within(first_turn=1)
    for within in (EVERY_DECISION, early, late, Within(last_trick=2), Within(first_trick=3)):
        stored = practice.dearest_decisions(facts, PLAYER, "", within, limit=LENGTH)
        assert stored == searched.dearest(within)
        assert stored, within
        assert [each.loss for each in stored] == sorted(each.loss for each in stored)[::-1]


def test_kinds_of_losses_come_in_the_order_of_what_they_cost(
    facts: DuckDBPyConnection, searched: Search
) -> None:
    kinds = practice.dearest_kinds(facts, PLAYER)
    assert kinds == searched.kinds()
    for kind in kinds:
        within = Within(loss_kind=kind)
        stored = practice.dearest_decisions(facts, PLAYER, "", within, limit=LENGTH)
        assert stored == searched.dearest(within)
        assert {each.loss_kind for each in stored} == {kind}


def test_a_theme_and_the_last_evening_narrow_stored_losses_down(
    facts: DuckDBPyConnection,
) -> None:
    every = practice.dearest_decisions(facts, PLAYER, limit=1_000)
    found = [
        practice.dearest_decisions(facts, PLAYER, "", Within(theme=theme), limit=1_000)
        for theme in TITLES
    ]
    assert sum(map(bool, found)) > 3
    # A theme each, and together they are all.
    assert sorted(chain(*found)) == sorted(every)
    theirs = {"player": PLAYER, "decision": "card", "choices": "2.."}
    for theme, listed in zip(TITLES, found, strict=True):
        rows = measure(
            facts, "cost-per-decision", ("variant",), Filters.of({**theirs, "theme": theme}), 1
        )
        assert rows["n"].sum() == len(listed)
    last = facts.execute(
        "SELECT session FROM decision_facts WHERE player = $1 AND loss > 0 AND choices > 1 "
        "AND deed = 'card' ORDER BY day DESC, game_no DESC LIMIT 1",
        [PLAYER],
    ).fetchall()[0][0]
    of_last = {
        name
        for (name,) in facts.execute(
            "SELECT hand_id FROM seat_facts JOIN games.hands USING (hand_no) WHERE session = $1",
            [last],
        ).fetchall()
    }
    evening = practice.dearest_decisions(facts, PLAYER, "", Within(last_evening=True), limit=1_000)
    assert evening == [each for each in every if each.hand_id in of_last]


def test_the_last_evening_begins_with_what_could_be_known(solved: Path, tmp_path: Path) -> None:
    db = shutil.copytree(solved, tmp_path / "db")
    grade_some(db, hands=4)
    with open_facts(db) as graded:
        judged = {
            (name, action): float(cost)
            for name, action, cost in graded.execute(
                'SELECT hand_id, "action", judged FROM hidden_rows JOIN games.hands USING (hand_no)'
            ).fetchall()
        }
        within = Within(last_evening=True)
        found = practice.dearest_decisions(graded, PLAYER, "", within, limit=1_000)
    costs = [judged.get((each.hand_id, each.action), each.loss) for each in found]
    assert costs == sorted(costs, reverse=True)
    assert any((each.hand_id, each.action) in judged for each in found)


def test_a_game_leaves_out_the_hands_of_others(facts: DuckDBPyConnection) -> None:
    pedro = practice.dearest_decisions(facts, PLAYER, "pedro", limit=1_000)
    pidro = practice.dearest_decisions(facts, PLAYER, "pidro", limit=1_000)
    both = practice.dearest_decisions(facts, PLAYER, limit=1_000)
    assert len(pedro) + len(pidro) == len(both)
    assert {each.hand_id.split("-")[0] for each in pedro} == {"pedro"}
    assert practice.solved_of_player(facts, PLAYER, "pedro") == practice.count_of_player(
        facts, PLAYER, "pedro"
    )


def test_every_question_listed_is_one_that_can_be_asked(
    solved: Path, facts: DuckDBPyConnection
) -> None:
    with open_snapshot(solved) as snapshot:
        stored = lambda hand_id: hand(snapshot, hand_id)  # noqa: E731 - stands for the page's own
        for topic in some([*TOPICS], 4):
            with patch.object(page_snapshot, "hand", stored):
                found = finding.questions(facts, Wanted(PLAYER, "", topic))
            assert found.listed, topic
            assert len(found.listed) <= LENGTH
            assert found.is_stored == (topic in TOPICS_WITH_COST), topic
            for each in found.listed:
                replayed = replay(hand(snapshot, each.hand_id))
                assert moment_at(replayed, each.action) is not None, topic


def test_a_list_keeps_its_order_while_it_grows() -> None:
    asked = [finding.Asked("a", number) for number in range(LENGTH + 2)]
    first = Questions(tuple(asked[:3]), 1, 9, is_stored=False, can_look_on=True)
    later = Questions(tuple(reversed(asked)), 5, 9, is_stored=False, can_look_on=True)
    assert first.may_grow
    grown = first.with_more(later)
    assert grown.listed[:3] == first.listed
    assert len(grown.listed) == len(set(grown.listed)) == LENGTH
    assert grown.looked == 5
    assert not grown.may_grow


def test_who_played_nothing_is_asked_nothing(facts: DuckDBPyConnection) -> None:
    found = finding.questions(facts, Wanted("nobody", "", Topic.CALLS))
    assert (found.listed, found.hands) == ((), 0)
    assert practice.dearest_decisions(facts, "nobody", limit=3) == []
    assert practice.table_of(facts, "no such hand") is None
