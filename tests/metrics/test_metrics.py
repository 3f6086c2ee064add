"""Metrics: figures of a small table counted by hand."""

import re
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from tests.kit import counted_table
from tests.kit.counted_table import HANDS
from tests.kit.facts import Facts, Figures, assert_same, facts_in, figure, warehouse_of
from tests.kit.solved import ANY_TIME, solve_all, value_few
from tests.kit.tiers import is_thorough, some
from tricklog.ingest.metrics import DIMENSION, METRIC, METRICS, FigureError, Grain, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import GRADED

SANCHO: dict[str, str | tuple[str, ...]] = {"variant": "sancho"}
OF_SANCHO = Filters.of(SANCHO)
table_db = warehouse_of("table", lambda: HANDS, solve_all, partial(value_few, of=[EVERYTHING]))
table = facts_in("table_db")


def test_every_figure_is_as_counted_by_hand(table: Facts) -> None:
    """Those of ``tests/kit/counted_table.txt``."""
    rows = Path(counted_table.__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    rows = [row for row in rows if row and not row.startswith("#")]
    whole = set()
    for row in rows:
        asked, due = re.split(": ?", row, maxsplit=1)
        asked, _, chosen = asked.partition(" where ")
        metric, _, by = asked.partition(" by ")
        values = (each.split("=") for each in filter(None, chosen.split("; ")))
        filters = Filters.of(SANCHO | {name: tuple(value.split("|")) for name, value in values})
        figures: Figures = {}
        for part in filter(None, due.split("; ")):
            found = re.fullmatch(r"(?:(.+) )?(-?\d+)/(\d+)(?: of (\d+))?", part)
            assert found, row
            key, y, w, n = found.groups(default="")
            figures[tuple(key.split("+")) if "+" in key else key] = int(y) / int(w), int(n or w)
        told = figure(table, metric, *filter(None, by.split("+")), filters=filters)
        if figures:
            assert_same(told, figures, row)
        else:
            assert told == {}, row
        if not by and not chosen:
            whole.add(metric)
    assert whole == {metric.name for metric in ANY_TIME}
    assert len(rows) == 104
    # Partners are reported apart by two dimensions at once.
    shares = figure(table, "points-share", "player", "partner", filters=OF_SANCHO)
    of_ann = {key: value for key, value in shares.items() if "ann" in key[:1]}
    assert_same(of_ann, {("ann", "cy"): (24 / 54, 3), ("ann", "bo"): (32 / 72, 4)})


# --- Filters
def test_days_and_verdicts_choose_what_counts(table: Facts) -> None:
    friday, saturday = date(2026, 1, 2), date(2026, 1, 3)
    for since, until, hands in ((None, friday, 3), (friday, None, 7), (saturday, None, 4)):
        filters = Filters.of(SANCHO, since=since, until=until)
        assert figure(table, "hands", filters=filters) == {"": (hands, hands)}
    # Hands left out count when every verdict does.
    everything = Filters.of(SANCHO, every_verdict=True)
    assert_same(figure(table, "made-rate", filters=everything), {"": (5 / 7, 7)})
    found = figure(table, "made-rate", "verdict", filters=everything)
    assert_same(found, {"valid": (4 / 6, 6), "irregular": (1, 1)})
    # A value that nobody has lets nothing through.
    values = [*{"player": "nobody", "variant": "whist", "game": "none", "day": "x"}.items()]
    for number, each in enumerate(some([e for e in METRICS if e.grain not in GRADED], 12)):
        for value in values if is_thorough() else values[number % len(values) :][:1]:
            frame = measure(table, each.name, (), Filters.of(dict([value])))
            assert frame["n"].sum() == 0, (each.name, value)


# --- Too few
def test_too_few_games_have_neither_interval_nor_enough(table: Facts) -> None:
    """The table has two games of Pedro Sancho."""
    for name in ("made-rate", "margin", "points-share"):
        row = measure(table, name, (), OF_SANCHO, 1).row(0, named=True)
        assert (row["games"], row["enough"]) == (2, False)
        assert row["low"] is row["high"] is None


# --- What is refused
def test_amounts_of_different_variants_are_never_mixed(table: Facts) -> None:
    apart: list[tuple[tuple[str, ...], Filters]] = [
        (("variant",), EVERYTHING),
        (("ruleset",), EVERYTHING),
        ((), Filters.of({"variant": "pedro"})),
        ((), Filters.of({"game": "g1"})),
    ]
    amounts = [each for each in METRICS if not each.comparable and each.grain == Grain.SEAT]
    for number, metric in enumerate(amounts):
        with pytest.raises(FigureError, match="in Pedro than in Pedro Sancho"):
            measure(table, metric.name)
        measure(table, metric.name, *apart[number % len(apart)])
    assert len(amounts) > len(apart)
    # Shares are taken together.
    assert_same(figure(table, "made-rate", filters=EVERYTHING), {"": (5 / 7, 7)})


def test_unknown_names_are_reported_with_the_known_ones(table: Facts) -> None:
    with pytest.raises(FigureError, match=r"no metric 'luck'.*margin"):
        measure(table, "luck")
    with pytest.raises(FigureError, match=r"no dimension 'moon'.*month"):
        measure(table, "margin", ("moon",))
    with pytest.raises(FigureError, match=r"no dimension 'moon'"):
        measure(table, "margin", (), Filters.of({"moon": "full"}))
    with pytest.raises(FigureError, match=r"by card.*player"):
        measure(table, "made-rate", ("card",))
    assert len(METRIC) == len(METRICS)
    assert len(METRICS) >= 20
    assert len(DIMENSION) >= 20
