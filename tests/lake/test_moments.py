"""The roll-up of games: to the last digit what tallies say."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from duckdb import DuckDBPyConnection

from tests.kit.made_once import made_once
from tests.kit.rolled_facts import merged, mixed_warehouse, open_views, roll_up, without_roll_up
from tests.kit.solved import ANY_TIME
from tests.kit.tiers import some
from tests.metrics.test_tallies import recorded
from tricklog.ingest.metrics import (
    METRIC,
    FigureError,
    Grain,
    Kind,
    Level,
    Metric,
    comparing,
    measure,
    rolls,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.rolled import are_rolled, games_in, rolled
from tricklog.ingest.metrics.standings import standings

pytestmark = pytest.mark.thorough("test_rolling compares figures of a lake that is rolled up")

ROLLED = [each for each in ANY_TIME if each.grain != Grain.FINDING]
FILTERS = {
    "everything": EVERYTHING,
    "a player": Filters.of({"player": "p1"}),
    "two players": Filters.of({"player": ("p1", "p2")}),
    "a partner": Filters.of({"partner": "p2"}),
    "every verdict": Filters(every_verdict=True),
    "irregular": Filters.of({"verdict": "irregular"}),
    "two verdicts": Filters.of({"verdict": ("irregular", "valid")}),
    "a seat of a variant": Filters.of({"seat": "1", "variant": "pedro"}),
    "seats": Filters.of({"seat": "0..1"}),
    "people": Filters.of({"kind": "human"}),
    "part of two months": Filters(since=date(2026, 2, 3), until=date(2026, 11, 20)),
    "whole months": Filters(since=date(2026, 3, 1), until=date(2026, 10, 31)),
    "from a day on": Filters(since=date(2026, 11, 21)),
    "until a day": Filters.of({"player": "p1"}, until=date(2026, 2, 28)),
    "nobody": Filters.of({"player": "somebody else"}),
}
BY = (
    (),
    ("variant",),
    ("player", "variant"),
    ("kind", "variant"),
    ("kind", "player", "variant"),
    ("seat", "variant"),
    ("source", "variant"),
    ("verdict", "variant"),
    ("month", "variant"),
    ("week", "variant"),
    ("day", "weekday", "variant"),
    ("ruleset", "seating"),
)
FURTHER = (
    ("partner", "variant"),
    ("opponent", "variant"),
    ("session", "variant"),
    ("player", "day", "variant"),
    ("player", "month"),
    ("seat", "kind", "ruleset"),
    ("kind", "week", "variant"),
    ("source", "month", "variant"),
)

Case = tuple[Metric, tuple[str, ...], str]


def make(folder: Path) -> None:
    open_views(mixed_warehouse(folder, recorded())).close()


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "moments", make) / "db"


@pytest.fixture(scope="module")
def facts(db: Path) -> Iterator[DuckDBPyConnection]:
    with open_views(db) as found:
        roll_up(found, ("tallies", "game_facts"))
        yield found


def figure(
    facts: DuckDBPyConnection, metric: Metric, by: tuple[str, ...], filters: Filters
) -> list[object] | str:
    try:
        frame = measure(facts, metric, by, filters)
    except FigureError as error:
        return str(error)
    return [frame.schema, *sorted(frame.rows(), key=repr)]


def assert_same_both_ways(facts: DuckDBPyConnection, cases: Sequence[Case]) -> int:
    """Compare, and return how many of the figures came of the roll-up."""
    found = [figure(facts, metric, by, FILTERS[chosen]) for metric, by, chosen in cases]
    used = [
        not isinstance(figures, str) and rolled(facts, metric, by, FILTERS[chosen]) is not None
        for figures, (metric, by, chosen) in zip(found, cases, strict=True)
    ]
    with without_roll_up(facts):
        for case, figures in zip(cases, found, strict=True):
            metric, by, chosen = case
            assert figures == figure(facts, metric, by, FILTERS[chosen]), (metric.name, by, chosen)
    return sum(used)


def test_metrics_are_the_same_from_the_roll_up(facts: DuckDBPyConnection) -> None:
    """By each dimension and with each filter in turn."""
    turns = zip(itertools.cycle(BY), itertools.cycle(FILTERS), strict=False)
    cases: list[Case] = [(metric, *next(turns)) for metric in some(ROLLED, 8)]
    cases += [(metric, ("player", "variant"), "everything") for metric in some(ROLLED, 2)]
    assert assert_same_both_ways(facts, cases) >= 6


def test_every_figure_is_the_same_from_the_roll_up(facts: DuckDBPyConnection) -> None:
    for metric in ROLLED:
        cases = [(metric, by, chosen) for by in (*BY, *FURTHER) for chosen in FILTERS]
        assert_same_both_ways(facts, cases[ROLLED.index(metric) % 4 :: 4])


def test_some_games_are_in_cells_and_some_are_rest(facts: DuckDBPyConnection) -> None:
    for roll in rolls.ROLLS.values():
        for span in roll.spans:
            cells = facts.sql(
                f"SELECT sum(hand_hands_cases), sum(hand_games_cases) FROM moments "  # noqa: S608
                f"WHERE roll = '{roll.name}' AND span = '{span}' AND verdict IS NOT NULL"
            ).fetchall()
            assert all(each > 0 for each in cells[0]), (roll.name, span)
            for scope in (rolls.EACH, rolls.EVERY):
                left = rolls.left_out(roll.whole, span, scope)
                some = f"SELECT count(*) > 0 FROM moments_rest WHERE {left}"  # noqa: S608 - our own
                # The hands of a game are all of the day on which it began.
                assert facts.sql(some).fetchall() == [(roll.whole == "player",)]


def test_the_columns_are_those_that_are_announced(facts: DuckDBPyConnection) -> None:
    nothing = "(FROM tallies LIMIT 0)", "(FROM game_facts LIMIT 0)"
    assert list(rolls.rows(facts, *nothing)) == []
    for query, types in (
        ("FROM moments LIMIT 0", rolls.types()),
        (rolls.rest(*nothing), rolls.rest_types()),
    ):
        described = facts.execute(f"DESCRIBE {query}").fetchall()
        assert {name: kind for name, kind, *_ in described} == types
    for part in rolls.rows(facts):
        assert part.column_names == list(rolls.types())


def test_what_takes_games_apart_is_not_answered_from_the_roll_up(
    facts: DuckDBPyConnection,
) -> None:
    metric = METRIC["points-share"]
    for by, chosen in (
        (("opponent",), EVERYTHING),
        (("session",), EVERYTHING),
        (("game",), EVERYTHING),
        (("bid",), EVERYTHING),
        (("player", "source"), EVERYTHING),
        ((), FILTERS["two players"]),
        ((), FILTERS["two verdicts"]),
        ((), FILTERS["seats"]),
        (("partner",), EVERYTHING),
        (("player",), FILTERS["a partner"]),
        (("player", "day"), EVERYTHING),
    ):
        assert rolled(facts, metric, by, chosen) is None, (by, chosen)
    assert rolled(facts, METRIC["findings"], (), EVERYTHING) is None


COMPARED = [
    each
    for each in ANY_TIME
    if each.kind != Kind.COUNT and each.level != Level.HAND and each.comparable
]


@pytest.mark.parametrize(
    "chosen",
    [
        "every verdict",
        "everything",
        "part of two months",
    ],
)
def test_players_are_compared_the_same(facts: DuckDBPyConnection, chosen: str) -> None:
    filters = FILTERS[chosen]
    metrics = [*some(COMPARED, 3), METRIC["points-share"]]
    found = [comparing.sums(facts, each, "player", filters) for each in metrics]
    assert all(comparing.compared(facts, each, "player", filters) for each in metrics)
    placed = standings(facts, METRIC["points-share"], "player", filters)
    with without_roll_up(facts):
        for metric, (rows, totals) in zip(metrics, found, strict=True):
            others, all_games = comparing.sums(facts, metric, "player", filters)
            assert rows.equals(others), metric.name
            assert totals.equals(all_games), metric.name
        assert placed.equals(standings(facts, METRIC["points-share"], "player", filters))
    assert placed.height > 5


def test_players_in_part_of_a_table_are_compared_from_tallies(facts: DuckDBPyConnection) -> None:
    for chosen in ("people", "a player", "a seat of a variant"):
        assert comparing.compared(facts, METRIC["points-share"], "player", FILTERS[chosen]) is None


def test_amounts_of_several_variants_are_not_averaged(facts: DuckDBPyConnection) -> None:
    with pytest.raises(FigureError, match="mean something else"):
        measure(facts, "score-change", ("player",))
    with without_roll_up(facts), pytest.raises(FigureError, match="mean something else"):
        measure(facts, "score-change", ("player",))


def test_games_are_counted_from_the_roll_up(facts: DuckDBPyConnection) -> None:
    assert are_rolled(facts)
    found = games_in(facts)
    with without_roll_up(facts):
        assert not are_rolled(facts)
        assert found == games_in(facts) > 10


# --- What is added by several loads

OLD = (
    "(SELECT * REPLACE (day + 1 AS day) FROM tallies WHERE game_no % 2 = 0)",
    "(SELECT * REPLACE (day + 1 AS day) FROM game_facts WHERE game_no % 6 = 0)",
)
"""Half of the games as a first load would have known them, without the day on which they began."""
EVEN = ("(FROM tallies WHERE game_no % 2 = 0)", "(FROM game_facts WHERE game_no % 2 = 0)")
ODD = ("(FROM tallies WHERE game_no % 2 = 1)", "(FROM game_facts WHERE game_no % 2 = 1)")


def test_games_that_go_on_are_taken_away_and_added_again(db: Path) -> None:
    with open_views(db) as facts:
        roll_up(facts, OLD, ODD)
        # Readers do not see the rest of games that came again.
        facts.execute("DELETE FROM moments_rest WHERE game_no % 2 = 0")
        assert facts.sql(f"SELECT count(*) > 0 FROM {OLD[0]}").fetchall() == [(True,)]  # noqa: S608
        roll_up(facts, EVEN, before=OLD)
        assert facts.sql("SELECT min(hand_hands_cases) < 0 FROM moments").fetchall() == [(True,)]
        cases = [
            (metric, by, [*FILTERS][number % len(FILTERS)])
            for number, (metric, by) in enumerate(product(some(ROLLED, 6), BY))
            if number % 5 == 0
        ]
        assert assert_same_both_ways(facts, cases) > 10
        added = facts.sql("FROM moments").pl()
        one = merged(added)
        assert 0 < len(one) < len(added)
        replace_moments(facts, one)
        assert assert_same_both_ways(facts, cases) > 10
        # Put together, they are what one load of all would have said.
        facts.execute("DROP TABLE moments")
        roll_up(facts, ("tallies", "game_facts"))
        assert one.equals(merged(facts.sql("FROM moments").pl()))


def replace_moments(facts: DuckDBPyConnection, rows: pl.DataFrame) -> None:
    facts.register("arriving", rows.to_arrow())
    facts.execute("DROP TABLE moments")
    facts.execute("CREATE TABLE moments AS FROM arriving")
    facts.unregister("arriving")
