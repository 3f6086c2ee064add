"""Questions worth asking: the same ones from stored losses and from hands solved on the way."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from duckdb import DuckDBPyConnection

from dashboard import snapshot as page_snapshot
from dashboard.practice import finding
from dashboard.practice.finding import LENGTH, TOPICS, Questions, Search, Topic, Wanted
from dashboard.practice.moments import moment_at
from ingest.store import practice
from ingest.store.practice import EVERY_DECISION, Within
from ingest.store.warehouse import hand, open_snapshot
from ingest.warehouses import open_facts
from replay import replay
from tests.kit.tiers import some

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
