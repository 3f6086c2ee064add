"""Metrics: figures of a small table counted by hand."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

from tests.kit.counted_table import HANDS
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once
from tests.kit.solved import ANY_TIME, solve_all, value_few
from tests.kit.tiers import is_thorough, some
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSION, METRIC, METRICS, FigureError, Grain, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import GRADED

Figures = dict[Any, tuple[float, int]]
SANCHO = {"variant": "sancho"}
Z = 1.959963984540054


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    """The table counted by hand."""

    def make(folder: Path) -> None:
        ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
        solve_all(folder / "db")
        value_few(folder / "db", of=[EVERYTHING])
        open_facts(folder / "db").close()

    with open_facts(made_once(tmp_path_factory, "table", make) / "db") as connection:
        yield connection


def figures(
    connection: DuckDBPyConnection,
    metric: str,
    *by: str,
    filters: Filters | None = None,
    chosen: Mapping[str, str | tuple[str, ...]] | None = None,
) -> Figures:
    """Value and n of a metric for each value of its dimensions, a tuple where there are several."""
    filters = filters or Filters.of(SANCHO | dict(chosen or {}))
    rows = measure(connection, metric, by, filters).to_dicts()
    return {
        (tuple(str(row[name]) for name in by) if len(by) > 1 else str(row[by[0]]) if by else ""): (
            row["value"],
            row["n"],
        )
        for row in rows
    }


def assert_figures(found: Figures, due: Figures, *asked: object) -> None:
    nearly: Mapping[Any, object] = {key: (pytest.approx(v), n) for key, (v, n) in due.items()}
    assert found == nearly, asked


# --- The table of tests/kit/counted_table.py. A figure is (value, n), the value as a fraction that
# --- says how it was counted. Chosen contracts: h1 ann 7 made by 1, h2 bo 9 made by 1, h3 cy 9 set
# --- by 1,
# --- h5 cy 12 set by 2, h6 bo 8 just made, h7 ann 6 made by 2. Forced: h4 dee 1 made.

WHOLE: dict[str, tuple[float, int]] = {
    "auctions-won": (7 / 28, 28),
    "bid-level": ((7 + 9 + 9 + 12 + 8 + 6) / (6 * 18), 6),
    "made-rate": (4 / 6, 6),
    "set-rate": (2 / 6, 6),
    "forced-rate": (1 / 7, 7),
    "forced-made-rate": (1 / 1, 1),
    "margin": ((1 + 1 - 1 - 2 + 0 + 2) / 6, 6),
    "margin-share": (1 / (6 * 18), 6),
    "underbid": ((1 + 1 + 0 + 2) / 4, 4),
    "overbid": ((1 + 2) / 2, 2),
    # h1 8, h2 10, h3 8, h4 10, h5 10, h6 8, h7 8
    "captured-by-makers": (62 / 7, 7),
    # 28 calls but for the forced one; two bids in h7, none that was free in h4
    "aggression": (7 / 27, 27),
    "set-cost": ((9 + 12) / 2, 2),
    "maker-trumps": (2, 6),
    # seat 0 held A 9, seat 1 the 5, seat 2 the J: h1 10, h2 5, h3 1, h5 5, h6 1, h7 10
    "maker-points-held": (32 / 6, 6),
    "thrown-in-rate": (0 / 7, 7),
    "points-share": (18 / 36, 14),
    "own-points-share": (18 / 72, 28),
    # A, J and T fall to their own side, 5, 2 and 9 to the other
    "cards-kept": (3 / 6, 42),
    "cards-lost": (3 / 6, 42),
    "points-lost": ((5 + 1 + 9) / 18, 42),
    # four cards of the first trick where the makers sit at 0 and 2 (h1 h3 h6 h7), else two
    "cards-to-makers": ((4 * 4 + 3 * 2) / 42, 42),
    # the five is seat 1's, whose side made h2, h4 and h5
    "pedros-lost": (3 / 3, 3),
    "pedros-kept": (0 / 7, 7),
    "low-kept": (0 / 7, 7),
    # the 9 fell on its own player's lead; 5 and 2 on an opponent's in h1, h3, h6, h7
    "taken-by-opponents-lead": (8 / 21, 21),
    # the first two leads of six
    "trump-leads": (2 / 6, 42),
    # 9 led in every hand; A in h1 and h7, 5 in h2 and h5, J in h3 and h6, 2 in h4
    "point-leads": (14 / 42, 42),
    # tricks 4 and 5 always, the first in h1, h3, h6, h7
    "leads-won": (18 / 42, 42),
    # two opponents follow with trumps each time; seat 0 leads some in every hand, the others once
    # as makers
    "trumps-drawn": (2, 7 + 5),
    "tricks-won": (6 / 24, 168),
    "point-tricks": (2 / 6, 42),
    # makers and defenders add up to 16 and 54: the last hand of the second game, which ends at 25,
    # adds 1 and 0 in the place of 8 and 10
    "score-change": (70 / 14, 14),
    "score-share": (70 / (14 * 18), 14),
    "win-rate": (2 / 4, 4),
    "game-length": ((3 + 4) / 2, 2),
    "comebacks": (0 / 2, 2),
    "final-lead": ((23 + 17) / 2, 2),
    "hands": (7, 7),
    "games": (2, 2),
    "valid-rate": (7 / 8, 8),
    "verdicts": (8, 8),
    "fault-rate": (0 / 32, 32),
    "findings": (1, 1),
}


def test_the_whole_table_has_the_figures_counted_by_hand(table: DuckDBPyConnection) -> None:
    for metric in ANY_TIME:
        found = figures(table, metric.name)
        if metric.name in WHOLE:
            assert_figures(found, {"": WHOLE[metric.name]}, metric.name)
        else:
            # Nobody could cinch; and the rest is for Twenty-Nine.
            assert metric.name in {"cinching", "asks", "reveals", "pairs", "doubles"}
            assert found == {}


GROUPED: list[tuple[str, tuple[str, ...], Figures]] = [
    ("set-rate", ("player",), {"ann": (0 / 2, 2), "bo": (0 / 2, 2), "cy": (2 / 2, 2)}),
    ("margin", ("player",), {"ann": (3 / 2, 2), "bo": (1 / 2, 2), "cy": (-3 / 2, 2)}),
    (
        "aggression",
        ("player",),
        {"ann": (2 / 7, 7), "bo": (2 / 7, 7), "cy": (2 / 7, 7), "dee": (1 / 6, 6)},
    ),
    (
        "aggression",
        ("from-dealer",),
        {"0": (0 / 6, 6), "1": (6 / 7, 7), "2": (1 / 7, 7), "3": (0 / 7, 7)},
    ),
    (
        "made-rate",
        ("bid",),
        {"6": (1, 1), "7": (1, 1), "8": (1, 1), "9": (1 / 2, 2), "12": (0, 1)},
    ),
    ("made-rate", ("margin",), {"-2": (0, 1), "-1": (0, 1), "0": (1, 1), "1": (1, 2), "2": (1, 1)}),
    ("captured-by-makers", ("forced",), {"False": (52 / 6, 6), "True": (10, 1)}),
    ("made-rate", ("day",), {"2026-01-02": (2 / 3, 3), "2026-01-03": (2 / 3, 3)}),
    ("made-rate", ("week",), {"2025-12-29": (4 / 6, 6)}),
    ("made-rate", ("weekday",), {"5": (2 / 3, 3), "6": (2 / 3, 3)}),
    (
        "made-rate",
        ("session",),
        {
            "2026-01-02 · ann, bo, cy, dee": (2 / 3, 3),
            "2026-01-03 · ann, cy, bo, dee": (2 / 3, 3),
        },
    ),
    ("made-rate", ("game",), {"g1": (2 / 3, 3), "g2": (2 / 3, 3)}),
    ("made-rate", ("hand-number",), {"1": (1, 1), "2": (1 / 2, 2), "3": (1 / 2, 2), "4": (1, 1)}),
    # The side of the maker: level in h1, behind in h3, ahead in h2, h5, h6 and h7.
    ("made-rate", ("standing",), {"level": (1, 1), "behind": (0, 1), "ahead": (3 / 4, 4)}),
    ("made-rate", ("dealer",), {"ann": (1 / 2, 2), "bo": (1 / 2, 2), "cy": (1, 1), "dee": (1, 1)}),
    ("made-rate", ("trumps-held",), {"2": (4 / 6, 6)}),
    ("made-rate", ("points-held",), {"1": (1 / 2, 2), "5": (1 / 2, 2), "10": (2 / 2, 2)}),
    ("points-share", ("side",), {"makers": (62 / 126, 7), "defenders": (64 / 126, 7)}),
    # ann 3 x 8 and 4 x 8, bo 3 x 10 and 4 x 8, cy 3 x 8 and 4 x 10, dee 3 x 10 and 4 x 10.
    (
        "points-share",
        ("player",),
        {"ann": (56 / 126, 7), "bo": (62 / 126, 7), "cy": (64 / 126, 7), "dee": (70 / 126, 7)},
    ),
    (
        "points-share",
        ("partner",),
        {"ann": (56 / 126, 7), "bo": (62 / 126, 7), "cy": (64 / 126, 7), "dee": (70 / 126, 7)},
    ),
    # Against ann sat the side of 10, each time once though it was two players.
    (
        "points-share",
        ("opponent",),
        {"ann": (70 / 126, 7), "bo": (64 / 126, 7), "cy": (62 / 126, 7), "dee": (56 / 126, 7)},
    ),
    # The makers' partner and the maker are one side, and so are the defenders.
    (
        "points-share",
        ("role",),
        {"maker": (62 / 126, 7), "partner": (62 / 126, 7), "defender": (64 / 126, 7)},
    ),
    # dee is the only bot: every side but its own has a human, its own is its own.
    ("points-share", ("kind",), {"human": (1 / 2, 14), "bot": (70 / 126, 7)}),
    ("hands", ("side",), {"makers": (7, 7), "defenders": (7, 7)}),
    ("hands", ("kind",), {"human": (7, 7), "bot": (7, 7)}),
    ("hands", ("opponent",), {"ann": (7, 7), "bo": (7, 7), "cy": (7, 7), "dee": (7, 7)}),
    (
        "own-points-share",
        ("seat",),
        {"0": (8 / 18, 7), "1": (10 / 18, 7), "2": (0, 7), "3": (0, 7)},
    ),
    (
        "cards-kept",
        ("card",),
        {"A": (1, 7), "J": (1, 7), "T": (1, 7), "9": (0, 7), "5": (0, 7), "2": (0, 7)},
    ),
    ("cards-kept", ("trick",), {"1": (2 / 4, 28), "2": (1 / 2, 14)}),
    (
        "cards-kept",
        ("won-by",),
        {"own": (1, 7), "partner": (1, 14), "opponents": (0, 21)},
    ),
    # Made by seats 0 1 2 3 1 2 0: A kept and 9 lost, 5 lost, J kept, 2 lost and T kept.
    ("cards-kept", ("role", "side"), {
        ("maker", "makers"): (5 / 10, 10),
        ("partner", "makers"): (6 / 11, 11),
        ("defender", "defenders"): (10 / 21, 21),
    }),
    ("win-rate", ("player",), {"ann": (1 / 2, 2), "bo": (1, 2), "cy": (0, 2), "dee": (1 / 2, 2)}),
    # With bo as an opponent a side lost: ann and cy in g1, cy and dee in g2.
    ("win-rate", ("opponent",), {"ann": (1 / 2, 2), "bo": (0, 2), "cy": (1, 2), "dee": (1 / 2, 2)}),
    ("game-length", ("player",), dict.fromkeys(("ann", "bo", "cy", "dee"), (7 / 2, 2))),
    ("game-length", ("opponent",), dict.fromkeys(("ann", "bo", "cy", "dee"), (7 / 2, 2))),
    ("findings", ("code",), {"claimed-points": (1, 1)}),
    ("findings", ("verdict",), {"irregular": (1, 1)}),
    ("findings", ("player",), {}),
    ("findings", ("partner",), {}),
]  # fmt: skip


def test_figures_distinguished_are_as_counted_by_hand(table: DuckDBPyConnection) -> None:
    for metric, by, due in GROUPED:
        assert_figures(figures(table, metric, *by), due, metric, *by)


def test_partners_are_reported_apart_by_two_dimensions_at_once(table: DuckDBPyConnection) -> None:
    found = figures(table, "points-share", "player", "partner")
    assert_figures(
        {key: value for key, value in found.items() if "ann" in key[:1]},
        {("ann", "cy"): (24 / 54, 3), ("ann", "bo"): (32 / 72, 4)},
    )


# --- Filters


CHOSEN: list[tuple[str, dict[str, str | tuple[str, ...]], tuple[float, int]]] = [
    ("made-rate", {"player": "cy"}, (0 / 2, 2)),
    ("made-rate", {"player": ("ann", "cy")}, (2 / 4, 4)),
    ("made-rate", {"player": "ann", "partner": "bo"}, (1 / 1, 1)),
    ("made-rate", {"opponent": "bo"}, (1 / 3, 3)),
    ("made-rate", {"result": "set"}, (0 / 2, 2)),
    ("made-rate", {"verdict": "irregular"}, (1 / 1, 1)),
    # The side of ann and cy counts once in g1, their two sides in g2 both: 24 + 32 + 40.
    ("points-share", {"player": ("ann", "cy")}, (96 / 198, 11)),
    ("points-share", {"player": "ann"}, (56 / 126, 7)),
    ("points-share", {"partner": "ann"}, (56 / 126, 7)),
    ("points-share", {"role": "defender"}, (64 / 126, 7)),
    ("points-share", {"opponent": "dee"}, (56 / 126, 7)),
    ("hands", {"player": ("ann", "cy")}, (7, 7)),
    ("hands", {"opponent": "ann"}, (7, 7)),
    ("win-rate", {"player": ("ann", "cy")}, (1 / 3, 3)),
    ("game-length", {"player": ("ann", "bo")}, (7 / 2, 2)),
    ("game-length", {"session": "2026-01-02 · ann, bo, cy, dee"}, (3, 1)),
]


def test_filters_choose_whose_cases_count(table: DuckDBPyConnection) -> None:
    for metric, chosen, due in CHOSEN:
        assert_figures(figures(table, metric, chosen=chosen), {"": due}, metric, chosen)


def test_days_bound_the_hands(table: DuckDBPyConnection) -> None:
    friday, saturday = date(2026, 1, 2), date(2026, 1, 3)
    for since, until, hands in ((None, friday, 3), (friday, None, 7), (saturday, None, 4)):
        filters = Filters.of(SANCHO, since=since, until=until)
        found = figures(table, "hands", filters=filters)
        assert found == {"": (hands, hands)}


def test_hands_left_out_count_when_every_verdict_does(table: DuckDBPyConnection) -> None:
    everything = Filters.of(SANCHO, every_verdict=True)
    assert_figures(figures(table, "made-rate", filters=everything), {"": (5 / 7, 7)})
    assert_figures(
        figures(table, "made-rate", "verdict", filters=everything),
        {"valid": (4 / 6, 6), "irregular": (1, 1)},
    )


def test_a_value_that_nobody_has_lets_nothing_through(table: DuckDBPyConnection) -> None:
    values = [*{"player": "nobody", "variant": "whist", "game": "none", "day": "x"}.items()]
    for number, metric in enumerate(some([e for e in METRICS if e.grain not in GRADED], 12)):
        for value in values if is_thorough() else values[number % len(values) :][:1]:
            found = measure(table, metric.name, (), Filters.of(dict([value])))
            assert found["n"].sum() == 0, (metric.name, value)


# --- Too few


def test_too_few_games_have_neither_interval_nor_enough(table: DuckDBPyConnection) -> None:
    """The table has two games of Pedro Sancho."""
    for name in ("made-rate", "margin", "points-share"):
        row = measure(table, name, (), Filters.of(SANCHO), 1).row(0, named=True)
        assert (row["games"], row["enough"]) == (2, False)
        assert row["low"] is row["high"] is None


# --- What is refused


def test_amounts_of_different_variants_are_never_mixed(table: DuckDBPyConnection) -> None:
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


def test_shares_of_different_variants_are_taken_together(table: DuckDBPyConnection) -> None:
    assert_figures(figures(table, "made-rate", filters=EVERYTHING), {"": (5 / 7, 7)})


def test_unknown_names_are_reported_with_the_known_ones(table: DuckDBPyConnection) -> None:
    with pytest.raises(FigureError, match=r"no metric 'luck'.*margin"):
        measure(table, "luck")
    with pytest.raises(FigureError, match=r"no dimension 'moon'.*month"):
        measure(table, "margin", ("moon",))
    with pytest.raises(FigureError, match=r"no dimension 'moon'"):
        measure(table, "margin", (), Filters.of({"moon": "full"}))
    with pytest.raises(FigureError, match=r"by card.*player"):
        measure(table, "made-rate", ("card",))


def test_names_are_unique() -> None:
    assert len(METRIC) == len(METRICS)
    assert len(METRICS) >= 20
    assert len(DIMENSION) >= 20
