"""The report of a player: figures against the others, over time, with whom, and what cards cost."""

from __future__ import annotations

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
from tricklog.ingest.metrics.measuring import measure
from tricklog.ingest.metrics.pairs import partners
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.metrics.standings import against_field, metrics_of_players
from tricklog.ingest.metrics.trend import above_field, changes
from tricklog.ingest.ratings import ratings_of
from tricklog.ingest.ratings.words import player_sentences
from tricklog.ingest.reports.content import (
    INTERVALS,
    OPEN_CARDS,
    Block,
    Cell,
    Column,
    Piece,
    Report,
    Section,
    sentences,
    strong,
    table_of,
    tabled,
)
from tricklog.ingest.reports.season import by_month, trend_drawing
from tricklog.ingest.reports.sources import Sources, cards_of
from tricklog.ingest.sessions.words import days_text, games_text, hands_text
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import Message, mark, message_of, say
from tricklog.schemas.languages.numbers import MINUS, number, percent, plain_day

MOST_PARTNERS: Final = 8
MOST_LEAKS: Final = 8
MOST_HANDS: Final = 5
_SCORE: Final = METRIC["score-share"]
LOSS: Final = "a kind of loss"
"""The context in which kinds of losses are translated."""
GROUPS: Final = ("Scoring", "Bidding", "Capture", "Play", "Open cards")


def player_report(sources: Sources, player: str, filters: Filters = EVERYTHING) -> Report:
    """Return the report of a player, by id, over the hands that filters choose.

    Raises ``LookupError`` for a player without a valid hand there.
    """
    about, variants = _about(sources, player, filters)
    if not variants:
        raise LookupError(f"there is no valid hand of {player}")
    name = sources.people[player]
    if len(variants) == 1:
        # Amounts of one game can be compared with those of the same game alone.
        filters = filters.also("variant", *variants)
    metrics = {
        key: metric
        for key, metric in metrics_of_players(amounts=len(variants) == 1).items()
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
        about=about,
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
        kind=say("a player"),
    )


def _about(sources: Sources, player: str, filters: Filters) -> tuple[list[str], list[str]]:
    """Return what a player has played in words, and the variants, that of most hands first."""
    own = filters.also("player", player)

    def cases(name: str, *by: str) -> pl.DataFrame:
        frame = measure(sources.facts, METRIC[name], by, own, 1)
        return frame.sort("n", *by, descending=[True, *[False] * len(by)])

    hands, games = (int(cases(name)["n"].sum()) for name in ("hands", "games"))
    days = sorted(cases("hands", "day")["day"].drop_nulls())
    when = days_text(days[0], days[-1]) if days else ""
    variants = cases("hands", "variant")["variant"].to_list()
    titles = ", ".join(map(sources.title, variants))
    return [hands_text(hands), games_text(games), when, titles], variants


def _lead(name: str, frame: pl.DataFrame, metrics: dict[str, Metric]) -> list[str]:
    """Return how the player's score compares, and what differs from the others for sure."""
    said = []
    score = frame.filter((frame["metric"] == _SCORE.name) & frame["difference"].is_not_null())
    for row in score.iter_rows(named=True):
        ends = row["difference_low"], row["difference_high"]
        low, high = (signed_text(_SCORE, end) for end in ends)
        difference = signed_text(_SCORE, row["difference"])
        values = {"player": name, "difference": difference, "low": low, "high": high}
        may_be_chance = ends[0] <= 0 <= ends[1]
        said.append(str(message_of(_PERHAPS if may_be_chance else _SURELY, values)))
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
    if frame["difference"].is_null().all():
        return [*said, say("There are too few games to compare yet.")]
    if not phrases:
        return [*said, say("No figure differs from the others by more than chance may give.")]
    figures = "; ".join(phrases)
    return [*said, say("For sure different from the others: {figures}.", figures=figures)]


_SURELY: Final = mark(
    "Of 100 points at stake {player} and partner scored {difference} beside the others in the same "
    "games ({low} to {high})."
)
_PERHAPS: Final = mark(
    "Of 100 points at stake {player} and partner scored {difference} beside the others in the same "
    "games ({low} to {high}), which could be chance."
)


def _figures(frame: pl.DataFrame, metrics: dict[str, Metric], group: str) -> list[Section]:
    def others(row: dict[str, Any]) -> str:
        known = row["expected"] is not None
        return value_text(metrics[row["metric"]], row["expected"]) if known else ""

    columns = [
        Column(say("figure"), lambda row: wording.title(metrics[row["metric"]])),
        Column(
            say("value, 95 %"), lambda row: figure_text(metrics[row["metric"]], row, cases=False)
        ),
        Column("n", lambda row: number(row["n"]), is_number=True),
        Column(say("others"), others, is_number=True),
        Column(say("difference, 99 %"), lambda row: difference_text(metrics[row["metric"]], row)),
        Column(say("place, 90 %"), outlook_text),
    ]
    name = wording.group(group)
    star = "*" if group == "Open cards" else ""
    rows = (row for row in frame.to_dicts() if metrics[row["metric"]].group == group)
    return tabled(f"{name}{star}", columns, rows, name=name)


def _over_time(sources: Sources, player: str, name: str, filters: Filters) -> list[Section]:
    looked_at = [METRIC[each] for each in FAMILY]
    try:
        frame = above_field(sources.facts, _SCORE, "month", filters, players=[player])
        found = changes(sources.facts, looked_at, filters.also("player"), player=player)
    except FigureError:
        return []
    if frame.is_empty():
        return []
    blocks: list[Block] = [
        sentences(*changed_texts(found, name)),
        trend_drawing(name, frame),
        table_of(say("By month"), by_month(), frame.iter_rows(named=True)),
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
    shown = own.sort("games", descending=True).head(MOST_PARTNERS)

    def partner(row: dict[str, Any]) -> Piece:
        return strong(sources.people[row["other"] if row["one"] == player else row["one"]])

    columns = [
        Column(say("partner"), partner),
        Column(say("games"), lambda row: number(row["games"]), is_number=True),
        Column(say("together"), lambda row: signed_text(_SCORE, row["share"]), is_number=True),
        Column(
            say("beyond what both bring, 99 %"),
            lambda row: change_text(_SCORE, {**row, "change": row["difference"]}),
        ),
        Column("", _sure_text),
    ]
    about = say("score above the others as points of 100 at stake; ten games or more")
    return tabled(say("With whom"), columns, shown.to_dicts(), name=say("Partners"), about=about)


def _sure_text(row: dict[str, Any]) -> str:
    return say("for sure") if row["named"] else say("could be chance")


def _leaks(sources: Sources, player: str, filters: Filters) -> list[Section]:
    frame = find_leaks(sources.facts, player, filters).filter(pl.col("difference").is_not_null())
    ends = ("difference", "low", "high")
    columns = [
        Column(say("what is lost"), lambda row: wording.title(LEAK[row["leak"]])),
        Column(say("times"), lambda row: number(row["events"]), is_number=True),
        Column(say("lost a hand"), lambda row: _share(row["lost"]), is_number=True),
        Column(say("others"), lambda row: _share(row["field_lost"]), is_number=True),
        Column(
            say("more than others, 99 %"),
            lambda row: between_text(*(_share(row[each], sign=True) for each in ends)),
        ),
        Column("", _sure_text),
    ]
    about = say("as a share of what a hand can bring")
    rows = frame.head(MOST_LEAKS).iter_rows(named=True)
    return tabled(say("Where points are lost"), columns, rows, about=about)


def _share(share: float, *, sign: bool = False) -> str:
    return percent(share, 1, sign=sign).replace("-", MINUS)


def _kinds(sources: Sources, player: str, filters: Filters) -> list[Section]:
    """Return what the player's cards cost by kind, each game for itself."""
    own = filters.also("player", player)
    try:
        frame = measure(
            sources.facts, METRIC["cost-per-decision"], ("variant", "loss-kind"), own, 1
        )
    except FigureError:
        return []
    points = pl.col("n") * pl.col("value")
    found = frame.drop_nulls("loss-kind").with_columns(points=points)
    columns = [
        Column(say("game"), lambda row: sources.title(row["variant"])),
        Column(say("kind"), lambda row: _kind_said(row["loss-kind"])),
        Column(say("times"), lambda row: number(row["n"]), is_number=True),
        Column(say("points"), lambda row: f"−{number(round(row['points']))}", is_number=True),
    ]
    rows = found.sort("variant", "points", descending=[False, True]).iter_rows(named=True)
    name = say("What cards cost by kind")
    return tabled(say("What cards cost, by kind*"), columns, rows, name=name, half=True)


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

    def place(row: dict[str, Any]) -> Cell:
        game, trick, hand = sources.title(row["variant"]), row["trick"], row["hand"]
        text = say("{game}, hand {hand}, trick {trick}", game=game, hand=hand, trick=trick)
        if hand is None:
            text = say("{game}, hand, trick {trick}", game=game, trick=trick)
        text = text if row["day"] is None else f"{plain_day(row['day'])}, {text}"
        return sources.link(row["hand_id"], text, text)

    def kind(row: dict[str, Any]) -> str:
        return "" if row["loss_kind"] is None else _kind_said(row["loss_kind"])

    columns = [
        Column(say("hand"), place),
        Column(say("card"), lambda row: cards_of(row["card"]) or _kind_said("pair not declared")),
        Column(say("cards open*"), lambda row: f"−{row['loss']}", is_number=True),
        Column(say("kind"), kind),
    ]
    rows = run(sources.facts, query, parameters).iter_rows(named=True)
    led = sentences(say("Each leads to its hand."))
    return tabled(say("Hands to look at again"), columns, rows, led, half=True)


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
