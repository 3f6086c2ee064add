"""Scopes: the facts of some people and games alone are those of a warehouse with nothing else."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from polars.testing import assert_frame_equal

from tests.kit.log_lines import write_lines
from tests.kit.made_once import once
from tests.kit.simulated_club import PEOPLE as CLUB
from tests.kit.simulated_club import simulate_club
from tests.kit.solved import ANY_TIME
from tests.kit.stored import snapshot_of
from tests.kit.tiers import is_thorough, scaled
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts, open_scope_of
from tricklog.ingest.facts.views import hands_within, usual_scope
from tricklog.ingest.metrics import dimensions_of, listings, measure
from tricklog.ingest.sessions.evening import evenings
from tricklog.ingest.sheets.games import game_count
from tricklog.ingest.store import queries
from tricklog.ingest.store.queries import hand_beside
from tricklog.ingest.store.scopes import EVERYBODY, PEOPLE, Scope, as_text, from_text
from tricklog.ingest.store.warehouse import open_snapshot

SIX: Final = tuple(each for each in CLUB if not each.endswith("-2"))
By = tuple[str, ...]
BY: Final[Sequence[By]] = ((), ("variant",), ("player",), ("partner",), ("day", "variant"))


def records() -> list[dict[str, Any]]:
    """Hands of a club: a guest sits in for one of them in the midst of a game, and bots play."""
    hands = simulate_club(3, evenings=4)
    for hand in hands:
        if hand["game"].endswith("table 1") and hand["hand"] > 2:
            hand["players"][0] = {"id": "guest", "kind": "human"}
        if hand["game"].endswith("table 2") and "2026-11-13" in hand["game"]:
            hand["players"][1] = {"id": "machine", "kind": "bot"}
    return hands


def fits(hand: dict[str, Any], scope: Scope) -> bool:
    """Whether a hand counts, told from its record."""
    if scope.variants and hand["rules"]["variant"] not in scope.variants:
        return False
    if scope.people:
        return all(each["id"] in scope.people for each in hand["players"])
    return scope.bots or all(each["kind"] != "bot" for each in hand["players"])


def same_figures(found: Any, expected: Any, first: int, step: int, by: Iterable[By]) -> None:  # noqa: ANN401 - connections
    """Assert that figures are the same: one of ``step`` from the ``first`` on.

    Each is asked for by another one of the ways that it has.
    """
    for number, metric in enumerate(ANY_TIME[first % step :: step], first):
        allowed = {each.name for each in dimensions_of(metric)}
        ways = [way for way in by if allowed.issuperset(way)]
        ways = [way for way in ways if metric.comparable or "variant" in way]
        frames = (measure(each, metric, ways[number % len(ways)]) for each in (found, expected))
        assert_frame_equal(*frames, check_row_order=False)
    assert_frame_equal(evenings(found), evenings(expected))


@once("db")
def whole(folder: Path) -> None:
    log = write_lines(folder / "log.jsonl", map(msgspec.json.encode, records()))
    ingest.load(log, db=folder / "db")
    open_facts(folder / "db").close()


SCOPES: Final = {
    "everybody": EVERYBODY,
    "people": PEOPLE,
    "some": Scope(people=SIX),
    "the club": Scope(people=tuple(CLUB)),
    "one game": Scope(variants=("pedro", "sixty-three")),
    "some in one game": Scope(people=(*SIX, "guest", "steady-1"), variants=("king-pedro",)),
}
TURNS: Final = len(SCOPES) // 2 if is_thorough() else 12
"""Of so many figures a scope is asked for one."""


ALIKE: Final = pytest.mark.thorough("hands are left out alike in all")


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[ALIKE] * (each != "some in one game")) for each in SCOPES]
)
def test_a_scope_counts_what_its_hands_count(name: str, whole: Path, tmp_path: Path) -> None:
    """Every figure in two scopes, by another dimension each: hands are left out below figures."""
    scope = SCOPES[name]
    chosen = [hand for hand in records() if fits(hand, scope)]
    assert chosen
    log, db = write_lines(tmp_path / "log.jsonl", map(msgspec.json.encode, chosen)), tmp_path / "db"
    ingest.load(log, db=db)
    of_scope = open_scope_of(snapshot_of(whole), scope)
    with open_facts(db) as alone, open_snapshot(db) as stored_alone, of_scope as within:
        same_figures(within, alone, list(SCOPES).index(name), TURNS, BY)
        assert listings.hand_count(within) == len(chosen)
        here, there = (listings.hand_list(each, limit=2_000) for each in (within, alone))
        assert here["hand_id"].to_list() == there["hand_id"].to_list()
        overview, of_alone = (queries.overview(each) for each in (within, stored_alone))
        assert overview["hands"].item() == of_alone["hands"].item() == len(chosen)
        assert overview["players"].item() == of_alone["players"].item()
        assert game_count(within) == game_count(alone)
    with open_snapshot(whole) as stored:
        assert hands_within(stored, scope) == len(chosen)


def test_a_game_that_others_finished_has_no_result_in_the_scope(whole: Path) -> None:
    with open_scope_of(snapshot_of(whole), Scope(people=tuple(CLUB))) as within:
        parts = within.execute("SELECT game_no FROM touched WHERE NOT whole").fetchall()
        assert parts
        results = within.execute("SELECT DISTINCT game_no FROM game_facts").fetchall()
        assert not {*parts} & {*results}


def test_bots_are_left_out_where_people_play(whole: Path, repository: Path, tmp_path: Path) -> None:
    with open_snapshot(whole) as stored:
        assert usual_scope(stored) == PEOPLE
    ingest.load(repository / "sample_logs" / "invalid", db=tmp_path / "samples")
    with open_snapshot(tmp_path / "samples") as stored:
        assert usual_scope(stored) == EVERYBODY


def test_a_scope_is_the_same_in_any_order() -> None:
    first, second = Scope(people=("a", "b")), Scope(people=("b", "a"))
    assert first.scope_id == second.scope_id
    assert from_text(as_text(second)) == first
    assert len({EVERYBODY.scope_id, PEOPLE.scope_id, first.scope_id}) == 3


def test_beside_a_hand_stand_those_of_the_scope_and_all_where_it_is_outside(whole: Path) -> None:
    scope = Scope(people=tuple(CLUB))
    with open_snapshot(whole) as stored:
        ids = [name for (name,) in stored.execute("SELECT hand_id FROM hands").fetchall()]
        own = {hand["id"] for hand in records() if fits(hand, scope)}
        outside = next(each for each in ids if each not in own)
        inside = next(each for each in ids if each in own)
        for start, among in ((inside, own), (outside, {*ids})):
            passed, here = [start], start
            while following := hand_beside(stored, here, by=1, scope=scope):
                passed.append(following)
                here = following
                if start == outside or len(passed) > scaled(12):
                    break
            assert {*passed} <= among
            assert len(passed) > 1
        assert hand_beside(stored, inside, by=len(own) + 1, scope=scope) is None
