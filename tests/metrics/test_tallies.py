"""Tallies: the same figures as from the facts, in every warehouse."""

import dataclasses
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.facts import Facts, facts_in, made_up, warehouse_of
from tests.kit.log_lines import generated, moved_on
from tests.kit.tiers import is_thorough, some
from tricklog.ingest import metrics
from tricklog.ingest.facts import build
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, METRICS, FigureError, Kind, dimensions_of, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import ask
from tricklog.ingest.metrics.standings import against_field
from tricklog.ingest.metrics.tallies import TALLIES
from tricklog.schemas.hand import Hand, Player

TALLIED = [each for each in METRICS if each.grain in TALLIES]
GROUPINGS = ((), ("variant", "partner"), ("variant",), ("player", "variant"))
OF_PEOPLE = (("player", "partner"), ("partner", "opponent", "variant"))
NAMES = ("points-share", "points-lost", "aggression", "hands")
FILTERS = {
    "everything": EVERYTHING,
    "a player": Filters.of({"player": "p1"}),
    "two players": Filters.of({"player": ("p1", "p2")}),
    "a partner": Filters.of({"partner": "p2"}),
    "every verdict": Filters(every_verdict=True),
    "a seat of a variant": Filters.of({"seat": "1", "variant": "pedro"}),
    "nobody": Filters.of({"player": "somebody else"}),
}


def lasting(hands: list[Hand], name: str) -> Iterator[Hand]:
    """A game in which a player gives way to another, midnight passes, and hands are irregular."""
    for number, hand in enumerate(hands):
        ids = ("p1", "p2", "p3") if number < 4 else ("p1", "p5", "p2")
        players = [*(Player(each, kind="human") for each in ids), *hand.players[3:]]
        late = replace(hand, id=f"{name} {number}", game=name, players=players)
        yield replace(late, started_at="2026-03-01T00:10:00Z") if number > 6 else late


def recorded() -> Iterator[Hand]:
    for variant in ("pedro", "pitch-with-fives", "twenty-nine"):
        yield from generated(variant, 2)
        yield from lasting(list(generated(variant, 1, 11)), f"lasting {variant}")
    yield moved_on(generated("pedro", 1, 7)[0])
    for number, hand in enumerate(generated("pedro", 1, 3)[:3]):
        yield replace(hand, id=f"single {number}", game=UNSET, hand=UNSET)


def in_chunks(db: Path) -> None:
    """Derive facts in chunks that end in the middle of games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "CHUNK", 25)
        open_facts(db).close()


db = warehouse_of("tallies", recorded, in_chunks)
facts = facts_in("db")


def figure(facts: Facts, name: str, by: tuple[str, ...], filters: Filters) -> list[object] | str:
    try:
        frame: pl.DataFrame = measure(facts, name, by, filters)
    except FigureError as error:
        return str(error)
    # Names of sessions come several times, and rows of one are in no order.
    return [frame.columns, *sorted(frame.rows(), key=repr)]


def same_both_ways(facts: Facts, name: str, by: tuple[str, ...], filters: Filters) -> bool:
    found = figure(facts, name, by, filters)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics.query, "are_kept", lambda _: False)
        return found == figure(facts, name, by, filters)


def test_every_figure_is_the_same_from_tallies_as_from_facts(facts: Facts) -> None:
    """Some of them by one of four groupings, by turns; all by each in the thorough tier."""
    for metric in TALLIED:
        assert ask(facts, metric, ("variant", "partner"), EVERYTHING).tallies
    for number, metric in enumerate(some(TALLIED, 12)):
        for by in GROUPINGS if is_thorough() else GROUPINGS[number % 4 :][:1]:
            assert same_both_ways(facts, metric.name, by, EVERYTHING), (metric.name, by)


def test_every_dimension_and_filter_gives_the_same_from_tallies(facts: Facts) -> None:
    """Of the dimensions, each filter has every seventh one of each metric, by turns.

    Every metric has every second filter. In the thorough tier each metric there is has all
    dimensions with each filter.
    """
    names = [each.name for each in TALLIED] if is_thorough() else NAMES
    for name, (number, chosen) in product(names, enumerate(FILTERS)):
        if not is_thorough() and (names.index(name) + number) % 2:
            continue
        all_of = dimensions_of(METRIC[name])
        dimensions = [each for each in all_of if metrics.Grain.GAME in each.grains]
        turn = names.index(name) + number
        asked = dimensions[turn % len(FILTERS) :: len(FILTERS)]
        groupings = [(each.name,) for each in (dimensions if is_thorough() else asked)]
        for by in (*groupings, OF_PEOPLE[turn % len(OF_PEOPLE)]):
            assert same_both_ways(facts, name, by, FILTERS[chosen]), (name, by, chosen)


def test_players_stand_the_same_against_the_field(facts: Facts) -> None:
    few = [METRIC[each] for each in ("points-share", "points-lost", "trump-leads", NAMES[2])]
    found = against_field(facts, "p1", few, minimum=5)
    assert found.height == len(few)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics.query, "are_kept", lambda _: False)
        assert found.equals(against_field(facts, "p1", few, minimum=5))


def test_games_in_which_somebody_has_several_tallies_are_marked(facts: Facts) -> None:
    several = facts.sql(
        "SELECT game_no FROM tallies GROUP BY game_no "
        "HAVING count(*) <> count(DISTINCT player) OR max(len(partners)) > 1 ORDER BY ALL"
    ).fetchall()
    marked = facts.sql("SELECT DISTINCT game_no FROM tallies WHERE NOT only_row ORDER BY ALL")
    assert several == marked.fetchall()
    assert 0 < len(several) < len(facts.sql("SELECT DISTINCT game_no FROM tallies").fetchall())


def test_changes_by_hand_count_from_facts(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = METRIC["points-share"]
    assert ask(facts, metric, ("bid",), EVERYTHING).tallies == ""
    assert ask(facts, metric, (), Filters.of({"role": "maker"})).tallies == ""
    # Facts are derived again when a metric counts something else.
    before = build.definition()
    monkeypatch.setattr(metrics.tallies, "query", lambda: "another query")
    assert build.definition.__wrapped__() != before


# --- A metric that is not built in
OWN = made_up("no-trick", "trick_count > 0", "(tricks_won = 0)::INTEGER", kind=Kind.SHARE)


def test_an_own_metric_is_counted_by_any_dimension(facts: Facts) -> None:
    """Or by several, and it may count the cases of one that is built in."""
    for by in ((), ("variant",), ("player", "variant"), ("role",)):
        found = measure(facts, OWN, by)
        listed = "".join(f"{name}::VARCHAR AS {name}, " for name in by)
        kept = " AND ".join(["verdict = 'valid'", *(f"{name} IS NOT NULL" for name in by)])
        expected = facts.execute(
            f"SELECT {listed}count(*) AS n, count(*) FILTER (tricks_won = 0) AS hits "  # noqa: S608 - our own
            f"FROM seat_facts WHERE trick_count > 0 AND {kept} GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        assert sorted(found.select(*by, "n", "hits").rows()) == expected, by
        assert expected
    metric = dataclasses.replace(METRIC["made-rate"], name="mine", weight="2 - 1")
    assert measure(facts, metric, ("variant",)).equals(measure(facts, "made-rate", ("variant",)))


@pytest.mark.parametrize("cases", ["tricks_wonn = 0", "trick_count >", "nonsense(trick_count)"])
def test_an_own_metric_that_duckdb_cannot_read_is_said_so(facts: Facts, cases: str) -> None:
    with pytest.raises(FigureError, match="'no-trick' cannot be counted"):
        measure(facts, dataclasses.replace(OWN, cases=cases), ("variant",))
