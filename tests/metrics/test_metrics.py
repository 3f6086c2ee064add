"""Metrics: figures of a small table counted by hand."""

import re
from datetime import date
from functools import partial

import pytest

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


# The table of tests/kit/counted_table.py. A figure is (value, n), the value as a fraction that says
# how it was counted. Chosen contracts: h1 ann 7 made by 1, h2 bo 9 made by 1, h3 cy 9 set by 1,
# h5 cy 12 set by 2, h6 bo 8 just made, h7 ann 6 made by 2. Forced: h4 dee 1 made.

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


def test_the_whole_table_has_the_figures_counted_by_hand(table: Facts) -> None:
    for metric in ANY_TIME:
        found = figure(table, metric.name, filters=OF_SANCHO)
        if metric.name in WHOLE:
            assert_same(found, {"": WHOLE[metric.name]}, metric.name)
        else:
            # Nobody could cinch; and the rest is for Twenty-Nine.
            assert metric.name in {"cinching", "asks", "reveals", "pairs", "doubles"}
            assert found == {}


GROUPED = """
set-rate by player: ann 0/2; bo 0/2; cy 2/2
margin by player: ann 3/2; bo 1/2; cy -3/2
aggression by player: ann 2/7; bo 2/7; cy 2/7; dee 1/6
aggression by from-dealer: 0 0/6; 1 6/7; 2 1/7; 3 0/7
made-rate by bid: 6 1/1; 7 1/1; 8 1/1; 9 1/2; 12 0/1
made-rate by margin: -2 0/1; -1 0/1; 0 1/1; 1 2/2; 2 1/1
captured-by-makers by forced: False 52/6; True 10/1
made-rate by day: 2026-01-02 2/3; 2026-01-03 2/3
made-rate by week: 2025-12-29 4/6
made-rate by weekday: 5 2/3; 6 2/3
made-rate by session: 2026-01-02 · ann, bo, cy, dee 2/3; 2026-01-03 · ann, cy, bo, dee 2/3
made-rate by game: g1 2/3; g2 2/3
made-rate by hand-number: 1 1/1; 2 1/2; 3 1/2; 4 1/1
# The side of the maker: level in h1, behind in h3, ahead in h2, h5, h6 and h7.
made-rate by standing: level 1/1; behind 0/1; ahead 3/4
made-rate by dealer: ann 1/2; bo 1/2; cy 1/1; dee 1/1
made-rate by trumps-held: 2 4/6
made-rate by points-held: 1 1/2; 5 1/2; 10 2/2
points-share by side: makers 62/126 of 7; defenders 64/126 of 7
# ann 3 x 8 and 4 x 8, bo 3 x 10 and 4 x 8, cy 3 x 8 and 4 x 10, dee 3 x 10 and 4 x 10.
points-share by player: ann 56/126 of 7; bo 62/126 of 7; cy 64/126 of 7; dee 70/126 of 7
points-share by partner: ann 56/126 of 7; bo 62/126 of 7; cy 64/126 of 7; dee 70/126 of 7
# Against ann sat the side of 10, each time once though it was two players.
points-share by opponent: ann 70/126 of 7; bo 64/126 of 7; cy 62/126 of 7; dee 56/126 of 7
# The makers' partner and the maker are one side, and so are the defenders.
points-share by role: maker 62/126 of 7; partner 62/126 of 7; defender 64/126 of 7
# dee is the only bot: every side but its own has a human, its own is its own.
points-share by kind: human 1/2 of 14; bot 70/126 of 7
hands by side: makers 7/1 of 7; defenders 7/1 of 7
hands by kind: human 7/1 of 7; bot 7/1 of 7
hands by opponent: ann 7/1 of 7; bo 7/1 of 7; cy 7/1 of 7; dee 7/1 of 7
own-points-share by seat: 0 8/18 of 7; 1 10/18 of 7; 2 0/18 of 7; 3 0/18 of 7
cards-kept by card: A 7/7; J 7/7; T 7/7; 9 0/7; 5 0/7; 2 0/7
cards-kept by trick: 1 2/4 of 28; 2 1/2 of 14
cards-kept by won-by: own 7/7; partner 14/14; opponents 0/21
# Made by seats 0 1 2 3 1 2 0: A kept and 9 lost, 5 lost, J kept, 2 lost and T kept.
cards-kept by role+side: maker+makers 5/10; partner+makers 6/11; defender+defenders 10/21
win-rate by player: ann 1/2; bo 2/2; cy 0/2; dee 1/2
# With bo as an opponent a side lost: ann and cy in g1, cy and dee in g2.
win-rate by opponent: ann 1/2; bo 0/2; cy 2/2; dee 1/2
game-length by player: ann 7/2; bo 7/2; cy 7/2; dee 7/2
game-length by opponent: ann 7/2; bo 7/2; cy 7/2; dee 7/2
findings by code: claimed-points 1/1
findings by verdict: irregular 1/1
findings by player:
findings by partner:
"""
"""A metric by dimensions: for each value the figure, and n where it is not the denominator."""


def test_figures_distinguished_are_as_counted_by_hand(table: Facts) -> None:
    rows = [row for row in GROUPED.splitlines() if row and not row.startswith("#")]
    for row in rows:
        metric, dimensions, due = re.split(r" by |: ?", row, maxsplit=2)
        figures: Figures = {}
        for part in filter(None, due.split("; ")):
            found = re.fullmatch(r"(.+) (-?\d+)/(\d+)(?: of (\d+))?", part)
            assert found, row
            key, y, w, n = found.groups()
            figures[tuple(key.split("+")) if "+" in key else key] = int(y) / int(w), int(n or w)
        by = dimensions.split("+")
        if figures:
            assert_same(figure(table, metric, *by, filters=OF_SANCHO), figures, row)
        else:
            assert figure(table, metric, *by, filters=OF_SANCHO) == {}, row
    assert len(rows) == 39
    # Partners are reported apart by two dimensions at once.
    shares = figure(table, "points-share", "player", "partner", filters=OF_SANCHO)
    of_ann = {key: value for key, value in shares.items() if "ann" in key[:1]}
    assert_same(of_ann, {("ann", "cy"): (24 / 54, 3), ("ann", "bo"): (32 / 72, 4)})


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


def test_filters_choose_whose_cases_count(table: Facts) -> None:
    for metric, chosen, due in CHOSEN:
        found = figure(table, metric, filters=Filters.of(SANCHO | chosen))
        assert_same(found, {"": due}, metric, chosen)
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
