"""Merged players: figures are those of a warehouse whose logs have the one id."""

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from polars.testing import assert_frame_equal

from tests.kit.log_lines import write_lines
from tests.kit.made_once import copied, made_once, once
from tests.kit.simulated_club import simulate_club
from tests.kit.solved import ANY_TIME, OF_SOLVED, solve_all
from tests.kit.tiers import is_thorough, scaled, some
from tests.store.test_scope import By, same_figures
from tricklog import Filters, ingest
from tricklog.core.study.averages import Averages
from tricklog.ingest.facts.aliased import set_aside
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, dimensions_of, field, measure, pairs, trend
from tricklog.ingest.metrics.leaks import find_leaks
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.versus import two_players
from tricklog.ingest.sheets.games import game_count
from tricklog.ingest.store import queries
from tricklog.ingest.store.aliases import AliasError, add_alias, aliases, hand_with, remove_alias
from tricklog.ingest.store.scopes import EVERYBODY, Scope
from tricklog.ingest.store.warehouse import checksum, open_snapshot
from tricklog.ingest.study.kept_ledgers import CHOSEN, HEAD, RESULT, Key, LedgerRow
from tricklog.ingest.study.season import Total, by_variant, season_of, seats_of
from tricklog.ingest.warehouses import open_facts as open_seen
from tricklog.ingest.warehouses import warehouse_at

BY: Final[Sequence[By]] = (
    *((), ("variant",), ("player",), ("partner", "variant"), ("opponent",), ("session",)),
)
FEW: Final = scaled(4, most=10)
"""Hands that are solved, in both warehouses."""
FIRST: Final = "steady-2"
"""Who sits first at the first table of the club."""
OTHER: Final = "phone of the first"
Pair = tuple[DuckDBPyConnection, DuckDBPyConnection]
Ask = Callable[[DuckDBPyConnection], object]


def records(times: int = 1) -> list[dict[str, Any]]:
    """Hands of a club, of whom one has another id from the middle of some games on.

    ``times`` over, a month later each time, with everybody in the place of the next.
    """
    played = simulate_club(3, evenings=4)
    assert played[0]["players"][0]["id"] == FIRST
    people = sorted({player["id"] for hand in played for player in hand["players"]})
    hands = [moved for time in range(times) for moved in map(partial(_again, people, time), played)]
    for hand in hands:
        if hand["hand"] > 3:
            for player in hand["players"]:
                if player["id"] == FIRST:
                    player["id"] = OTHER
    return hands


def _again(people: list[str], time: int, hand: dict[str, Any]) -> dict[str, Any]:
    hand = deepcopy(hand)
    if time:
        hand["id"], hand["game"] = f"{hand['id']} {time}", f"{hand['game']} {time}"
        started = datetime.fromisoformat(hand["started_at"]) + timedelta(days=30 * time)
        hand["started_at"] = started.isoformat()
    for player in hand["players"]:
        player["id"] = people[(people.index(player["id"]) + time) % len(people)]
    return hand


def rewritten(hands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    hands = deepcopy(hands)
    for hand in hands:
        for player in hand["players"]:
            player["id"] = FIRST if player["id"] == OTHER else player["id"]
    return hands


def load(folder: Path, hands: list[dict[str, Any]]) -> Path:
    log = write_lines(folder / "log.jsonl", map(msgspec.json.encode, hands))
    ingest.load(log, db=folder / "db")
    return folder / "db"


def merge(db: Path, player: str, stands_for: str) -> None:
    with open_snapshot(db) as tables:
        add_alias(db, tables, player, stands_for)


@once()
def folder(folder: Path) -> None:
    """Two warehouses: one with two ids of a player merged, and one with the one id.

    And ``before``, the first of them before the ids were merged.
    """
    load(folder / "two", records())
    shutil.copytree(folder / "two", folder / "before")
    merge(folder / "two" / "db", OTHER, FIRST)
    load(folder / "one", rewritten(records()))
    for name in ("two", "one"):
        open_facts(folder / name / "db").close()


db = copied("folder", "before/db", "two/db")
"""A warehouse in which nobody is merged yet, to be changed."""


@pytest.mark.parametrize(
    "scope",
    [
        pytest.param(EVERYBODY, marks=pytest.mark.thorough("the figures of one game stay")),
        Scope(variants=("pedro",)),
    ],
    ids=["all", "pedro"],
)
def test_every_figure_is_that_of_logs_with_the_one_id(folder: Path, scope: Scope) -> None:
    two, one = (warehouse_at(folder / name / "db") for name in ("two", "one"))
    state, plain = two.current(), one.current()
    assert state
    assert plain
    with two.facts(state, scope=scope) as merged, one.facts(plain, scope=scope) as written:
        # Hands are left out below figures: a scope is asked for every third one.
        step = 16 if not is_thorough() else 1 if scope == EVERYBODY else 3
        assert set_aside(merged) == []
        same_figures(merged, written, len(scope.variants), step, BY)
        assert game_count(merged) == game_count(written)
        columns = ("player", "hands", "first_day", "last_day")
        here, there = (queries.players(each).select(*columns).rows() for each in (merged, written))
        assert here == there
    with open_seen(folder / "two" / "db") as merged, open_facts(folder / "one" / "db") as written:
        if scope == EVERYBODY:
            assert set_aside(merged) == []
            same_figures(merged, written, 2, 3 if is_thorough() else 16, BY)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """The facts of two such warehouses, the merged ones first, of enough games to compare."""

    def make(folder: Path) -> None:
        hands = records(times=4)
        merge(load(folder / "two", hands), OTHER, FIRST)
        load(folder / "one", rewritten(hands))
        open_seen(folder / "two" / "db").close()
        open_facts(folder / "one" / "db").close()

    folder = made_once(tmp_path_factory, "compared", make)
    with open_seen(folder / "two" / "db") as merged, open_facts(folder / "one" / "db") as written:
        yield merged, written


def same(found: object, expected: object) -> None:
    """Assert that two answers say the same, whatever the order of rows."""
    if isinstance(found, pl.DataFrame):
        assert isinstance(expected, pl.DataFrame)
        assert len(found) > 0
        assert_frame_equal(found, expected, check_row_order=False)
    else:
        assert found == expected


@pytest.mark.thorough("figures are compared in the first tier")
def test_comparisons_and_the_field_are_those_of_logs_with_the_one_id(opened: Pair) -> None:
    def of_field(facts: DuckDBPyConnection, table: field.Table) -> object:
        return field.player_figures(field.study(facts, table))

    second = records()[0]["players"][1]["id"]
    seatings = field.tables(opened[0]).select("variant", "seating").rows()
    made, shared = METRIC["made-rate"], METRIC["score-share"]
    asks: list[Ask] = [
        lambda facts: pairs.sides(facts).drop("game"),
        lambda facts: pairs.partners(facts).rows,
        lambda facts: pairs.opponents(facts).rows,
        lambda facts: standings(facts, made),
        lambda facts: two_players(facts, FIRST, second, [made, shared]),
        lambda facts: find_leaks(facts, FIRST),
        lambda facts: trend.course(facts, shared, "month").own.drop("game_no"),
        lambda facts: trend.above_field(facts, shared, "month"),
        lambda facts: trend.changes(facts, [made, shared]),
        field.tables,
        *(partial(of_field, table=field.Table(*each)) for each in seatings),
    ]
    for ask in asks:
        same(*(ask(facts) for facts in opened))
    for name in ("lost-to", "dealer"):
        for metric in [each for each in ANY_TIME if each.comparable][::4]:
            if name in {each.name for each in dimensions_of(metric)}:
                figures = (measure(facts, metric, (name,)) for facts in opened)
                assert_frame_equal(*figures, check_row_order=False)


@pytest.mark.thorough("figures are compared in the first tier")
def test_figures_of_solved_hands_are_those_of_logs_with_the_one_id(tmp_path: Path) -> None:
    pedro = [hand for hand in records() if hand["rules"]["variant"] == "pedro"]
    hands = [hand for hand in pedro if hand["hand"] in (2, 4)][:FEW]
    merge(load(tmp_path / "two", hands), OTHER, FIRST)
    load(tmp_path / "one", rewritten(hands))
    for name in ("two", "one"):
        solve_all(tmp_path / name / "db")
    named = set[str]()
    two, one = tmp_path / "two" / "db", tmp_path / "one" / "db"
    with open_seen(two) as merged, open_facts(one) as written:
        for number, metric in enumerate(some(OF_SOLVED, 3)):
            allowed = {each.name for each in dimensions_of(metric)}
            by = [("player", "partner", "opponent")[number % 3], "variant"]
            by = [each for each in by if each in allowed]
            found, expected = (measure(each, metric, by) for each in (merged, written))
            assert_frame_equal(found, expected, check_row_order=False)
            named |= set(found["player"]) if "player" in by else set()
    assert FIRST in named
    assert OTHER not in named


@pytest.mark.thorough("figures are compared in the first tier")
def test_ledgers_of_many_hands_are_those_of_logs_with_one_id(opened: Pair, tmp_path: Path) -> None:
    averages = Averages("rules", 4, folder=tmp_path)
    averages.add([(((8, 16, 1), (-8, -24, 1)), None), (((4, 0, 1), (0, 8, 1)), None)])
    found = []
    for facts in opened:
        seats = seats_of(facts, Filters())
        told = []
        for by in ("player", "side"):
            season = season_of(
                by_variant(seats)[0], _ledgers(seats), lambda *_: averages, by=by, unit="score"
            )
            told += [_told(each) for each in season.totals]
        found.append(told)
    assert sorted(found[0]) == sorted(found[1])
    people = {player for players, *_ in found[0] for player in players}
    assert FIRST in people
    assert OTHER not in people


def _ledgers(seats: pl.DataFrame) -> dict[Key, LedgerRow]:
    """Ledgers made up of the id of each hand: by content those of the two warehouses differ."""
    rows = {}
    for content, ruleset, hand in seats.select("content", "ruleset", "hand_id").unique().rows():
        chance = random.Random(hand)
        amounts = [chance.randrange(-40, 40) for _ in range(HEAD - 1 + 4 * len(CHOSEN))]
        amounts.insert(RESULT, sum(amounts))
        rows[content, ruleset] = LedgerRow(
            None, maker=0, makers=0b0101, points=tuple(amounts), score=tuple(amounts)
        )
    return rows


def _told(total: Total) -> tuple[Any, ...]:
    lines = []
    for line in total.lines:
        mean = line.mean
        low = mean.low and str(round(mean.low, 9))
        lines.append((line.name, mean.value, mean.hands, mean.games, low))
    return sorted(total.players), total.hands, total.games, lines


def test_taken_back_everything_is_as_it_was_and_nothing_loaded_changed(db: Path) -> None:
    with open_snapshot(db) as tables, open_seen(db) as facts:
        content = checksum(tables)
        before = measure(facts, "made-rate", ("player",))
    merge(db, OTHER, FIRST)
    with open_snapshot(db) as tables, open_seen(db) as facts:
        assert checksum(tables) == content
        assert OTHER not in measure(facts, "made-rate", ("player",))["player"].to_list()
    assert remove_alias(db, OTHER)
    assert not remove_alias(db, OTHER)
    with open_seen(db) as facts:
        assert_frame_equal(measure(facts, "made-rate", ("player",)), before)


def test_chains_circles_and_people_who_met_are_refused_with_the_reason(db: Path) -> None:
    hands = records()
    second = hands[0]["players"][1]["id"]
    with open_snapshot(db) as tables:
        assert hand_with(tables, [FIRST], [second]) is not None
        for pair, why in {
            (FIRST, second): "sat at the table of hand",
            (FIRST, FIRST): "one id",
            ("nobody at all", FIRST): "No player here",
            (FIRST, "nobody at all"): "No player here",
        }.items():
            with pytest.raises(AliasError, match=why):
                add_alias(db, tables, *pair)
        add_alias(db, tables, OTHER, FIRST)
        for pair, why in {
            (OTHER, second): "stands for .* already",
            (second, OTHER): "no chain or circle",
            (FIRST, OTHER): "no chain or circle",
            (FIRST, second): "cannot stand for another",
        }.items():
            with pytest.raises(AliasError, match=why):
                add_alias(db, tables, *pair)
    assert aliases(db) == ((OTHER, FIRST),)


def test_a_load_that_seats_both_at_one_table_sets_the_alias_aside(db: Path, tmp_path: Path) -> None:
    hands = records()
    merge(db, OTHER, FIRST)
    both = deepcopy(hands[0]) | {"id": "both at one table", "game": "both"}
    both["players"][0]["id"], both["players"][1]["id"] = FIRST, OTHER
    load(tmp_path / "two", [*hands, both])
    with open_seen(db) as facts, open_facts(db) as plain:
        assert set_aside(facts) == [(OTHER, FIRST, "both at one table")]
        found, expected = (measure(each, "hands", ("player",)) for each in (facts, plain))
        assert_frame_equal(found, expected)


def test_a_lake_counts_merged_players_as_a_warehouse_does(folder: Path, tmp_path: Path) -> None:
    lake = f"lake:{tmp_path / 'lake'}"
    ingest.load(folder / "two" / "log.jsonl", db=lake, on="here")
    door = warehouse_at(lake)
    with door.tables() as tables:
        add_alias(door.user_folder(), tables, OTHER, FIRST)
    state = door.current()
    assert state
    with (
        open_facts(folder / "one" / "db") as written,
        door.facts() as merged,
        door.facts(state, scope=EVERYBODY) as scoped,
    ):
        names = ("hands", "made-rate", "points-share", "win-rate", "cards-lost", "findings")
        for number, name in enumerate(some(names, 2)):
            for by in (("player",), (("partner",), ("session",))[number % 2]):
                expected = measure(written, name, by)
                for found in (merged, scoped):
                    assert_frame_equal(measure(found, name, by), expected, check_row_order=False)
