"""The report of a player: figures against the others, over time, with whom, and what cards cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl

from tricklog.ingest.metrics import METRIC, FigureError, Metric, can_be_asked, wording
from tricklog.ingest.metrics.figure_words import (
    FAMILY,
    between_text,
    change_text,
    changed_texts,
    difference_text,
    figure_text,
    outlook_text,
    signed_text,
    value_text,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.leaks import LEAK, find_leaks
from tricklog.ingest.metrics.measuring import measure_metric
from tricklog.ingest.metrics.pairs import partners
from tricklog.ingest.metrics.players import against_field, metrics_of_players
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.metrics.trend import above_field, changes
from tricklog.ingest.ratings import ratings_of
from tricklog.ingest.ratings.words import player_sentences
from tricklog.ingest.reports.content import (
    INTERVALS,
    MADE_WITH,
    OPEN_CARDS,
    Block,
    Cell,
    Report,
    Section,
    Sentences,
    Strong,
    Table,
    tabled,
)
from tricklog.ingest.reports.season import above_text, trend_drawing
from tricklog.ingest.reports.sources import Sources, cards_of
from tricklog.ingest.sessions.words import games_text, hands_text
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import Message, say
from tricklog.schemas.languages.numbers import MINUS, month_text, number, percent, plain_day

MOST_PARTNERS: Final = 8
MOST_LEAKS: Final = 8
MOST_HANDS: Final = 5
_SCORE: Final = METRIC["score-share"]
LOSS: Final = "a kind of loss"
"""The context in which kinds of losses are translated."""
GROUPS: Final = ("Scoring", "Bidding", "Capture", "Play", "Open cards")


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
        if metric.group in GROUPS and can_be_asked(sources.facts, metric)
    }
    frame = against_field(sources.facts, player, list(metrics.values()), filters)
    costs = [*_kinds(sources, player, filters), *_dearest(sources, player, filters)]
    lead = _lead(name, frame, metrics)
    try:
        lead += player_sentences(ratings_of(sources.facts, filters), player, name)
    except FigureError as error:
        lead.append(str(error))
    return Report(
        title=name,
        above=f"{MADE_WITH} · {say('a player')}",
        about=[
            hands_text(about.hands),
            games_text(about.games),
            _days_text(about),
            ", ".join(sources.title(each) for each in about.variants),
        ],
        lead=lead,
        sections=[
            *(each for group in GROUPS for each in _figures(frame, metrics, group)),
            *_over_time(sources, player, name, filters),
            *_partners(sources, player, filters),
            *_leaks(sources, player, filters),
            *costs,
        ],
        notes=[str(INTERVALS), *([str(OPEN_CARDS)] if costs else [])],
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


def _days_text(about: _About) -> str:
    if about.first is None or about.last is None:
        return ""
    first, last = plain_day(about.first), plain_day(about.last)
    return first if first == last else say("{first} to {last}", first=first, last=last)


def _lead(name: str, frame: pl.DataFrame, metrics: dict[str, Metric]) -> list[str]:
    """Return how the player's score compares, and what differs from the others for sure."""
    said = []
    score = frame.filter(frame["metric"] == _SCORE.name)
    if len(score) and score["difference"].item() is not None:
        row = score.row(0, named=True)
        low, high = (signed_text(_SCORE, row[f"difference_{end}"]) for end in ("low", "high"))
        chance = row["difference_low"] <= 0 <= row["difference_high"]
        values = {
            "player": name,
            "difference": signed_text(_SCORE, row["difference"]),
            "low": low,
            "high": high,
        }
        if chance:
            said.append(
                say(
                    "Of 100 points at stake {player} and partner scored {difference} beside the "
                    "others in the same games ({low} to {high}), which could be chance.",
                    **values,
                )
            )
        else:
            said.append(
                say(
                    "Of 100 points at stake {player} and partner scored {difference} beside the "
                    "others in the same games ({low} to {high}).",
                    **values,
                )
            )
    named = frame.filter(pl.col("named").fill_null(value=False)).sort("chance")
    phrases = [
        say(
            "{figure} {value} against {others}",
            figure=wording.title(metrics[row["metric"]]).lower(),
            value=value_text(metrics[row["metric"]], row["value"]),
            others=value_text(metrics[row["metric"]], row["expected"]),
        )
        for row in named.iter_rows(named=True)
    ]
    if phrases:
        said.append(
            say("For sure different from the others: {figures}.", figures="; ".join(phrases))
        )
    else:
        said.append(say("No figure differs from the others by more than chance may give."))
    return said


# --- Figures


def _figures(frame: pl.DataFrame, metrics: dict[str, Metric], group: str) -> list[Section]:
    rows: list[Sequence[Cell]] = []
    for row in frame.iter_rows(named=True):
        metric = metrics[row["metric"]]
        if metric.group != group:
            continue
        known = row["expected"] is not None
        rows.append(
            [
                wording.title(metric),
                figure_text(metric, row, cases=False),
                number(row["n"]),
                value_text(metric, row["expected"]) if known else "",
                difference_text(metric, row),
                outlook_text(row),
            ]
        )
    heads = [
        *(say("figure"), say("value, 95 %"), "n"),
        *(say("others"), say("difference, 99 %"), say("place, 90 %")),
    ]
    name = wording.group(group)
    star = "*" if group == "Open cards" else ""
    return tabled(f"{name}{star}", heads, rows, {2, 3}, name=name)


# --- Over time, and with whom


def _over_time(sources: Sources, player: str, name: str, filters: Filters) -> list[Section]:
    looked_at = [METRIC[each] for each in FAMILY]
    try:
        frame = above_field(sources.facts, _SCORE, "month", filters, players=[player])
        found = changes(sources.facts, looked_at, filters.also("player"), player=player)
    except FigureError:
        return []
    if frame.is_empty():
        return []
    rows: list[Sequence[Cell]] = [
        [month_text(row["period"]), above_text(row), number(row["games"])]
        for row in frame.iter_rows(named=True)
    ]
    blocks: list[Block] = [
        Sentences(changed_texts(found, name)),
        trend_drawing(name, frame),
        Table(
            say("By month"),
            [say("month"), say("above the others, 95 %"), say("games")],
            rows,
            frozenset({2}),
        ),
    ]
    about = say("score above the others as points of 100 at stake, by month")
    return [Section(say("Over time"), blocks, about=about)]


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
                number(row["games"]),
                signed_text(_SCORE, row["share"]),
                change_text(_SCORE, {**row, "change": row["difference"]}),
                _sure_text(row),
            ]
        )
    heads = [
        *(say("partner"), say("games"), say("together")),
        *(say("beyond what both bring, 99 %"), ""),
    ]
    about = say("score above the others as points of 100 at stake; ten games or more")
    return tabled(say("With whom"), heads, rows, {1, 2}, name=say("Partners"), about=about)


def _sure_text(row: dict[str, Any]) -> str:
    return say("for sure") if row["named"] else say("could be chance")


def _leaks(sources: Sources, player: str, filters: Filters) -> list[Section]:
    frame = find_leaks(sources.facts, player, filters).filter(pl.col("difference").is_not_null())
    rows: list[Sequence[Cell]] = [
        [
            wording.title(LEAK[row["leak"]]),
            number(row["events"]),
            _share(row["lost"]),
            _share(row["field_lost"]),
            _difference(row),
            _sure_text(row),
        ]
        for row in frame.head(MOST_LEAKS).iter_rows(named=True)
    ]
    heads = [
        *(say("what is lost"), say("times"), say("lost a hand")),
        *(say("others"), say("more than others, 99 %"), ""),
    ]
    about = say("as a share of what a hand can bring")
    return tabled(say("Where points are lost"), heads, rows, {1, 2, 3}, about=about)


def _difference(row: dict[str, Any]) -> str:
    value, low, high = (_share(row[each], sign=True) for each in ("difference", "low", "high"))
    return between_text(value, low, high)


def _share(share: float, *, sign: bool = False) -> str:
    return percent(share, 1, sign=sign).replace("-", MINUS)


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
            _kind_said(row["loss-kind"]),
            number(row["n"]),
            f"−{number(round(row['n'] * row['value']))}",
        ]
        for row in frame.drop_nulls("loss-kind")
        .sort("variant", pl.col("n") * pl.col("value"), descending=[False, True])
        .iter_rows(named=True)
    ]
    heads = [say("game"), say("kind"), say("times"), say("points")]
    name = say("What cards cost by kind")
    return tabled(say("What cards cost, by kind*"), heads, rows, {2, 3}, name=name, half=True)


def _kind_said(kind: str) -> str:
    return str(Message(kind, context=LOSS))


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
    heads = [say("hand"), say("card"), say("cards open*"), say("kind")]
    blocks: list[Block] = [
        Table(say("Hands to look at again"), heads, shown, frozenset({2})),
        Sentences([say("Each leads to its hand.")]),
    ]
    return [Section(say("Hands to look at again"), blocks, half=True)]


def _dearest_row(sources: Sources, row: dict[str, Any]) -> list[Cell]:
    game, trick = sources.title(row["variant"]), row["trick"]
    if row["hand"] is None:
        place = say("{game}, hand, trick {trick}", game=game, trick=trick)
    else:
        place = say("{game}, hand {hand}, trick {trick}", game=game, hand=row["hand"], trick=trick)
    text = place if row["day"] is None else f"{plain_day(row['day'])}, {place}"
    cards: Cell = cards_of(row["card"]) or _kind_said("pair not declared")
    kind = row["loss_kind"]
    said = "" if kind is None else _kind_said(kind)
    return [sources.link(row["hand_id"], text, text), cards, f"−{row['loss']}", said]


_DEAREST: Final = """
SELECT hands.hand_id, found.*
FROM (
    SELECT hand_no, day, variant, hand, trick, card, loss, loss_kind, "action"
    FROM decision_facts
    WHERE {chosen} AND loss > 0
    QUALIFY row_number() OVER (PARTITION BY hand_no ORDER BY loss DESC, "action") = 1
) AS found
JOIN games.hands USING (hand_no)
ORDER BY loss DESC, found.day DESC, hands.hand_id
LIMIT {most}
"""
