"""The report of a player: figures against the others, over time, with whom, and what cards cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl

from ingest.metrics import METRIC, FigureError, Metric, can_be_asked
from ingest.metrics.figure_words import (
    change_text,
    difference_text,
    figure_text,
    place_text,
    signed_text,
    value_text,
)
from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.leaks import LEAK, find_leaks
from ingest.metrics.measuring import measure_metric
from ingest.metrics.pairs import partners
from ingest.metrics.players import against_field, metrics_of_players
from ingest.metrics.query import rows_of
from ingest.metrics.trend import above_field
from ingest.reports.content import Block, Cell, Report, Section, Sentences, Strong, Table
from ingest.reports.season import above_text, month_text, trend_drawing
from ingest.reports.sources import Sources, cards_of
from ingest.reports.words import INTERVALS, MADE_WITH, OPEN_CARDS
from schemas.words import counted

MOST_PARTNERS: Final = 8
MOST_LEAKS: Final = 8
MOST_HANDS: Final = 5
_SCORE: Final = METRIC["score-share"]
_GROUPS: Final = ("Scoring", "Bidding", "Capture", "Play", "Open cards")


@dataclass(frozen=True, slots=True)
class _About:
    """What a player has played."""

    hands: int
    games: int
    first: date | None
    last: date | None
    variants: tuple[str, ...]


def player_report(sources: Sources, player: str, filters: Filters = EVERYTHING) -> Report:
    """Return the report of a player, by id, over the hands that filters choose.

    Raises ``LookupError`` for a player without a valid hand there.
    """
    about = _about(sources, player, filters)
    if not about.hands:
        raise LookupError(f"there is no valid hand of {player}")
    name = sources.people[player]
    if len(about.variants) == 1:
        # Amounts of one game can be compared with those of the same game alone.
        filters = filters.also("variant", *about.variants)
    metrics = {
        key: metric
        for key, metric in metrics_of_players(amounts=len(about.variants) == 1).items()
        if metric.group in _GROUPS and can_be_asked(sources.facts, metric)
    }
    frame = against_field(sources.facts, player, list(metrics.values()), filters)
    costs = [*_kinds(sources, player, filters), *_dearest(sources, player, filters)]
    return Report(
        title=name,
        above=f"{MADE_WITH} · a player",
        about=[
            counted(about.hands, "hand"),
            counted(about.games, "game"),
            " to ".join(dict.fromkeys(str(each) for each in (about.first, about.last) if each)),
            ", ".join(sources.title(each) for each in about.variants),
        ],
        lead=_lead(name, frame, metrics),
        sections=[
            *(_figures(frame, metrics, group) for group in _GROUPS if _has(frame, metrics, group)),
            *_over_time(sources, player, name, filters),
            *_partners(sources, player, filters),
            *_leaks(sources, player, filters),
            *costs,
        ],
        notes=[INTERVALS, *([OPEN_CARDS] if costs else [])],
        hands=sources.in_full(),
    )


def _about(sources: Sources, player: str, filters: Filters) -> _About:
    own = filters.also("player", player)
    counts = {
        name: measure_metric(sources.facts, METRIC[name], (), own, 1) for name in ("hands", "games")
    }
    hands, games = (int(each["n"].sum()) for each in counts.values())
    days = measure_metric(sources.facts, METRIC["hands"], ("day",), own, 1)["day"].drop_nulls()
    variants = measure_metric(sources.facts, METRIC["hands"], ("variant",), own, 1)
    first, last = days.min(), days.max()
    return _About(
        hands,
        games,
        first if isinstance(first, date) else None,
        last if isinstance(last, date) else None,
        tuple(variants.sort("n", "variant", descending=[True, False])["variant"]),
    )


def _lead(name: str, frame: pl.DataFrame, metrics: dict[str, Metric]) -> list[str]:
    """Return how the player's score compares, and what differs from the others for sure."""
    said = []
    score = frame.filter(frame["metric"] == _SCORE.name)
    if len(score) and score["difference"].item() is not None:
        row = score.row(0, named=True)
        low, high = (signed_text(_SCORE, row[f"difference_{end}"]) for end in ("low", "high"))
        chance = row["difference_low"] <= 0 <= row["difference_high"]
        said.append(
            f"Of 100 points at stake {name} and partner scored "
            f"{signed_text(_SCORE, row['difference'])} beside the others in the same games "
            f"({low} to {high}){', which could be chance' if chance else ''}."
        )
    named = frame.filter(pl.col("named").fill_null(value=False)).sort("chance")
    phrases = [
        f"{metrics[row['metric']].title.lower()} "
        f"{value_text(metrics[row['metric']], row['value'])} against "
        f"{value_text(metrics[row['metric']], row['expected'])}"
        for row in named.iter_rows(named=True)
    ]
    if phrases:
        said.append(f"For sure different from the others: {'; '.join(phrases)}.")
    else:
        said.append("No figure differs from the others by more than chance may give.")
    return said


# --- Figures


def _has(frame: pl.DataFrame, metrics: dict[str, Metric], group: str) -> bool:
    return any(metrics[each].group == group for each in frame["metric"])


def _figures(frame: pl.DataFrame, metrics: dict[str, Metric], group: str) -> Section:
    rows: list[Sequence[Cell]] = []
    for row in frame.iter_rows(named=True):
        metric = metrics[row["metric"]]
        if metric.group != group:
            continue
        known = row["expected"] is not None
        rows.append(
            [
                metric.title,
                figure_text(metric, row, cases=False),
                f"{row['n']:,}",
                value_text(metric, row["expected"]) if known else "",
                difference_text(metric, row),
                place_text(row),
            ]
        )
    heads = ["figure", "value, 95 %", "n", "others", "difference, 99 %", "place, 90 %"]
    star = "*" if group == "Open cards" else ""
    return Section(f"{group}{star}", [Table(group, heads, rows, frozenset({2, 3}))])


# --- Over time, and with whom


def _over_time(sources: Sources, player: str, name: str, filters: Filters) -> list[Section]:
    try:
        frame = above_field(sources.facts, _SCORE, "month", filters, players=[player])
    except FigureError:
        return []
    if frame.is_empty():
        return []
    rows: list[Sequence[Cell]] = [
        [month_text(row["period"]), above_text(row), f"{row['games']:,}"]
        for row in frame.iter_rows(named=True)
    ]
    blocks: list[Block] = [
        trend_drawing(name, frame),
        Table("By month", ["month", "above the others, 95 %", "games"], rows, frozenset({2})),
    ]
    about = "score above the others as points of 100 at stake, by month"
    return [Section("Over time", blocks, about=about)]


def _partners(sources: Sources, player: str, filters: Filters) -> list[Section]:
    """Return what the player and each partner bring together."""
    try:
        found = partners(sources.facts, filters)
    except FigureError:
        return []
    own = found.rows.filter((pl.col("one") == player) | (pl.col("other") == player))
    rows: list[Sequence[Cell]] = []
    for row in own.sort("games", descending=True).head(MOST_PARTNERS).iter_rows(named=True):
        partner = row["other"] if row["one"] == player else row["one"]
        rows.append(
            [
                Strong(sources.people[partner]),
                f"{row['games']:,}",
                signed_text(_SCORE, row["share"]),
                change_text(_SCORE, {**row, "change": row["difference"]}),
                "for sure" if row["named"] else "could be chance",
            ]
        )
    if not rows:
        return []
    heads = ["partner", "games", "together", "beyond what both bring, 99 %", ""]
    blocks: list[Block] = [Table("Partners", heads, rows, frozenset({1, 2}))]
    about = "score above the others as points of 100 at stake; ten games or more"
    return [Section("With whom", blocks, about=about)]


def _leaks(sources: Sources, player: str, filters: Filters) -> list[Section]:
    frame = find_leaks(sources.facts, player, filters).filter(pl.col("difference").is_not_null())
    rows: list[Sequence[Cell]] = [
        [
            LEAK[row["leak"]].title,
            f"{row['events']:,}",
            _share(row["lost"]),
            _share(row["field_lost"]),
            _difference(row),
            "for sure" if row["named"] else "could be chance",
        ]
        for row in frame.head(MOST_LEAKS).iter_rows(named=True)
    ]
    if not rows:
        return []
    heads = ["what is lost", "times", "lost a hand", "others", "more than others, 99 %", ""]
    about = "as a share of what a hand can bring"
    table = Table("Where points are lost", heads, rows, frozenset({1, 2, 3}))
    return [Section("Where points are lost", [table], about=about)]


def _difference(row: dict[str, Any]) -> str:
    value, low, high = (_share(row[each], sign=True) for each in ("difference", "low", "high"))
    return f"{value} ({low} to {high})"


def _share(share: float, *, sign: bool = False) -> str:
    text = f"{share:{'+' if sign else ''}z.1%}".replace("%", " %").replace("-", "−")
    return text.removeprefix("+") if text == "+0.0 %" else text


# --- With all cards open


def _kinds(sources: Sources, player: str, filters: Filters) -> list[Section]:
    """Return what the player's cards cost by kind, each game for itself."""
    own = filters.also("player", player)
    try:
        frame = measure_metric(
            sources.facts, METRIC["cost-per-decision"], ("variant", "loss-kind"), own, 1
        )
    except FigureError:
        return []
    rows: list[Sequence[Cell]] = [
        [
            sources.title(row["variant"]),
            row["loss-kind"],
            f"{row['n']:,}",
            f"−{round(row['n'] * row['value']):,}",
        ]
        for row in frame.drop_nulls("loss-kind")
        .sort("variant", pl.col("n") * pl.col("value"), descending=[False, True])
        .iter_rows(named=True)
    ]
    if not rows:
        return []
    heads = ["game", "kind", "times", "points"]
    table = Table("What cards cost by kind", heads, rows, frozenset({2, 3}))
    return [Section("What cards cost, by kind*", [table], half=True)]


def _dearest(sources: Sources, player: str, filters: Filters) -> list[Section]:
    """Return the hands in which one card of the player cost most."""
    try:
        chosen, parameters = rows_of(
            sources.facts, METRIC["accuracy"], filters.also("player", player)
        )
    except FigureError:
        return []
    query = _DEAREST.format(chosen=chosen, most=MOST_HANDS)
    rows = run(sources.facts, query, parameters)
    shown: list[Sequence[Cell]] = [_dearest_row(sources, row) for row in rows.iter_rows(named=True)]
    if not shown:
        return []
    heads = ["hand", "card", "cards open*", "kind"]
    blocks: list[Block] = [
        Table("Hands to look at again", heads, shown, frozenset({2})),
        Sentences(["Each leads to its hand."]),
    ]
    return [Section("Hands to look at again", blocks, half=True)]


def _dearest_row(sources: Sources, row: dict[str, Any]) -> list[Cell]:
    day = "" if row["day"] is None else f"{row['day']}, "
    number = "" if row["number"] is None else f" {row['number']}"
    text = f"{day}{sources.title(row['variant'])}, hand{number}, trick {row['trick']}"
    cards: Cell = cards_of(row["card"]) or "pair not declared"
    return [sources.link(row["id"], text, text), cards, f"−{row['loss']}", row["loss_kind"] or ""]


_DEAREST: Final = """
SELECT hands.id, found.*
FROM (
    SELECT hand, day, variant, number, trick, card, loss, loss_kind, "action"
    FROM decision_facts
    WHERE {chosen} AND loss > 0
    QUALIFY row_number() OVER (PARTITION BY hand ORDER BY loss DESC, "action") = 1
) AS found
JOIN games.hands ON hands.hand_no = found.hand
ORDER BY loss DESC, found.day DESC, hands.id
LIMIT {most}
"""
