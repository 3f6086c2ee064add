"""Bidding apart from play: what the field does with the same cards, at one kind of table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.choices import choose_table
from tricklog.dashboard.kit.figure_page import Question
from tricklog.dashboard.kit.figures import definition_link
from tricklog.dashboard.kit.page_parts import need, refusals_said, show_figures
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.sections import given_hand
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import DIMENSION, wording
from tricklog.ingest.metrics import field as fields
from tricklog.ingest.metrics.figure_words import chance_text, interval_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.schemas.languages.messages import (
    Message,
    message,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import MINUS, localised, number, percent

MOST_PASSED: Final = 10
GAMES: Final = 3
"""Kinds of tables taken together, those with the most contracts."""


class Found(NamedTuple):
    """What the field says of one kind of table."""

    notes: tuple[Message, ...]
    guide: fields.Guide | None
    """``None`` where there is no field."""
    figures: pl.DataFrame
    by_bid: pl.DataFrame
    calibration: pl.DataFrame
    passed: pl.DataFrame


def found_at(facts: DuckDBPyConnection, table: fields.Table, chosen: Filters = EVERYTHING) -> Found:
    """Return what the field says of a kind of table, kept for all viewers.

    The hands themselves, which take much memory, are not kept.
    """
    return snapshot.kept(_found_at, facts, table, chosen)


def _found_at(facts: DuckDBPyConnection, table: fields.Table, chosen: Filters) -> Found:
    study = fields.study(facts, table, chosen)
    return Found(
        study.notes,
        fields.guide_of(study),
        fields.player_figures(study),
        fields.score_by_bid(study),
        fields.calibration(study),
        fields.passed_auctions(facts, study).head(MOST_PASSED),
    )


def found_over(
    facts: DuckDBPyConnection, tables: pl.DataFrame, chosen: Filters = EVERYTHING
) -> pl.DataFrame:
    """Return the figures over several kinds of tables, each compared within itself."""
    listed = tuple(fields.Table(*row) for row in tables.select("variant", "seating").iter_rows())
    return snapshot.kept(_found_over, facts, listed, chosen)


def _found_over(
    facts: DuckDBPyConnection, tables: tuple[fields.Table, ...], chosen: Filters
) -> pl.DataFrame:
    return fields.figures_over_tables([fields.study(facts, each, chosen) for each in tables])


class _Shown(NamedTuple):
    """What a question is answered from."""

    facts: DuckDBPyConnection
    chosen: Chosen
    found: Found
    table: fields.Table


@refusals_said()
def _show(
    title: Message, part: Callable[[_Shown], None], facts: DuckDBPyConnection, chosen: Chosen
) -> None:
    """Answer a question for the game chosen, and the first also for all games together."""
    given_hand.take_parameters()
    tables = snapshot.kept(fields.tables, facts, chosen.filters)
    need(tables, message("No contract matches. Remove a filter, or load more logs."))
    st.subheader(str(title), help=str(_ABOUT_PLAYERS) if part is _show_players else None)
    if part is _show_players and len(tables) > 1:
        over = found_over(facts, tables.head(GAMES), chosen.filters)
        said = _who_differs(facts, over, over_tables=True)
        st.markdown(f"**{say('All games')}**\n\n{said}")
    table = choose_table(tables)
    found = found_at(facts, table, chosen.filters)
    if found.guide is None:
        st.info(say("There are too few contracts of this game to say what a hand is worth."))
        return
    part(_Shown(facts, chosen, found, table))
    with st.expander(say("How these are counted and compared")):
        st.caption(as_markdown(" ".join(map(str, found.notes))))


def _who_differs(facts: DuckDBPyConnection, figures: pl.DataFrame, *, over_tables: bool) -> str:
    """Return in markdown what those do who differ from the field."""
    if not figures["enough"].any():
        return say("There are too few games to compare yet.")
    labels = labels_of(facts, "player")
    lines = [
        say(
            "- **{player}** {does}.",
            player=as_markdown(labels.get(row["player"], row["player"])),
            does=as_markdown(fields.words(row, over_tables=over_tables)),
        )
        for row in figures.filter("named").to_dicts()
    ]
    nobody = say("Nobody differs from the field by more than chance may give.")
    return "\n".join(lines) or nobody


# --- Players


_ABOUT_PLAYERS: Final = message(
    "The number bid and the points taken, above or below what the others do with the same cards; "
    "95 % intervals. Play is judged by the bid as well as the cards. Whoever is named differs with "
    "all of them compared, and by a size that matters at the table."
)


def _show_players(shown: _Shown) -> None:
    st.caption(definition_link("same-cards"))
    figures, player = shown.found.figures, wording.title(DIMENSION["player"])
    names = pl.col("player").replace(labels_of(shown.facts, "player"))
    frame = figures.with_columns(label=names, key="player")
    st.markdown(_who_differs(shown.facts, figures, over_tables=False))
    for place, asked in zip(st.columns(2, gap="medium"), ("bid", "play"), strict=True):
        rows = frame.filter(pl.col("question") == asked, "enough").sort("value", descending=True)
        question = fields.QUESTION[asked]
        if rows.is_empty():
            title = question.title
            place.info(say("{question}: there are too few games to compare yet.", question=title))
            continue
        with place:
            IntervalChart(
                title=str(question.title),
                category=player,
                measure=say("{unit}, above or below the field", unit=question.unit),
                percent=False,
            ).show(rows, key=f"same-cards-{asked}")
    of_each = {(row["player"], row["question"]): row for row in frame.to_dicts()}
    listed = frame.filter("enough").group_by("player", maintain_order=True).first().sort("label")
    rows_of_table: list[list[Cell]] = []
    for row in listed.to_dicts():
        whose = {"player": row["player"], "variant": shown.table.variant}
        address = addresses.of_page(addresses.PLAYERS, shown.chosen, **whose)
        line: list[Cell] = [Link(row["label"], address)]
        for question in fields.QUESTIONS:
            cell = of_each.get((row["player"], question.name))
            line += ["" if cell is None else str(cell["n"]), _value_words(question.name, cell)]
        rows_of_table.append(line)
    heads = [player]
    for question in fields.QUESTIONS:
        heads += [str(question.cases), str(question.title).lower()]
    name = say("Players on the same cards")
    show_figures(heads, rows_of_table, name=name, title=say("The figures"))


def _value_words(question: str, row: dict[str, Any] | None) -> str:
    if row is None or not row["enough"]:
        return say("too few games")
    if question != "calls":
        return interval_text(row, _signed)
    ends = {name: _signed(100 * row[name], 0) for name in ("value", "low", "high")}
    return say("{value} in 100 ({low} to {high})", **ends)


def _signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, nothing as well: ``+0.0``."""
    return localised(f"{value:+z.{digits}f}".replace("-", MINUS))


# --- Bids and cards


@refusals_said()
def _show_scores(shown: _Shown) -> None:
    st.caption(
        say("What a hand adds to the makers’ score, less what it adds to the others’, by the bid.")
    )
    by_bid, bid = shown.found.by_bid, say_in("a heading", "bid")
    text = pl.col("bid").cast(pl.String)
    rows = by_bid.filter("enough").with_columns(label=text, key=text, value="score")
    need(rows, message("There are too few games of any bid yet."))
    IntervalChart(
        title=say("Score a hand, by the bid"),
        category=bid,
        measure=say("score a contract, 95 % interval"),
        percent=False,
        along="x",
    ).show(rows, key="score-by-bid")
    show_figures(
        [bid, "n", say_in("contracts", "made"), say("score, 95 % interval")],
        [
            (
                *(str(row["bid"]), row["n"], percent(row["made"])),
                interval_text(row, _signed, "score") if row["enough"] else say("too few games"),
            )
            for row in by_bid.to_dicts()
        ],
        name=say("Score by the bid"),
        title=say("The figures"),
    )


@refusals_said()
def _show_calibration(shown: _Shown) -> None:
    st.caption(
        say(
            "Contracts by the chance that their cards make them, as other hands with such cards "
            "say, and how often they were made. On the dashed line both are the same."
        )
    )
    rows = shown.found.calibration.filter("enough").with_columns(
        label=pl.format("{} %", (pl.col("chance") * 100).round(0).cast(pl.Int64)),
        key=pl.col("chance").cast(pl.String),
        value="made",
        mark="chance",
    )
    need(rows, message("There are too few games of any chance yet."))
    IntervalChart(
        title=say("Contracts made, by the chance of their cards"),
        category=say("chance"),
        measure=say("share of contracts, 95 % interval"),
        percent=True,
        along="x",
        mark=say("the chance itself"),
    ).show(rows, key="calibration-of-cards")
    show_figures(
        [say("chance"), "n", say("made, 95 % interval")],
        [(row["label"], row["n"], interval_text(row, percent)) for row in rows.to_dicts()],
        name=say("Contracts made by chance"),
        title=say("The figures"),
    )


# --- Decisions


def _show_bid_or_pass(shown: _Shown) -> None:
    assert shown.found.guide is not None
    given_hand.show_given_hand(shown.found.guide)
    with st.expander(say("All decisions")):
        _show_decisions(shown.found.guide.decisions)


@refusals_said()
def _show_decisions(decisions: pl.DataFrame) -> None:
    st.caption(
        say(
            "First free calls of a hand with cards of like worth: what the hand added to the score "
            "where they bid, and where they passed, less what it added to the others’. Pushing the "
            "others up is in it. It is what happened to those who bid such cards, who may be "
            "others than those who passed them. Lowest worth first, each a tenth of all calls."
        )
    )
    rows = decisions.sort("holder", "tenth").filter("enough")
    need(rows, message("There are too few games to compare bidding with passing yet."))
    show_table(
        [
            *(say("who holds the bid"), say("worth, less the lowest bid")),
            *(say("bids"), say("passes"), say("score after a bid"), say("after a pass")),
            *(say("difference, 95 % interval"), say_in("what can be told", "so far")),
        ],
        [
            (
                *(translated(given_hand.HOLDERS[row["holder"]]), _signed(row["margin"])),
                *(row["bids"], row["passes"]),
                *(_signed(row["bid_score"]), _signed(row["pass_score"])),
                *(interval_text(row, _signed, "difference"), given_hand.better_words(row)),
            )
            for row in rows.to_dicts()
        ],
        name=say("Bid or pass"),
    )
    if few := len(decisions) - len(rows):
        st.caption(
            say_counted(
                "Left out: {count} kind of decision with too few bids or passes.",
                "Left out: {count} kinds of decisions with too few bids or passes.",
                few,
            )
        )


def _show_passed(shown: _Shown) -> None:
    passed, names = shown.found.passed, snapshot.names()
    if passed.is_empty():
        st.markdown(
            say("There is none: nobody passed cards that made the least bid two times in three.")
        )
        return
    st.caption(
        say(
            "Other hands with such cards, that were bid, took the least bid with at least this "
            "chance. The likeliest come first."
        )
    )

    rows: list[list[Cell]] = []
    for row in passed.to_dicts():
        hand, who = row["hand_id"], names.get(row["player"], row["player"])
        link = Link(hand, addresses.of_step(hand), say("{hand}: replay", hand=hand))
        expected, chance = number(row["expected"], 1), chance_text(row["chance"])
        rows.append([who, row["lowest"], expected, chance, link])
    heads = [
        *(wording.title(DIMENSION["player"]), say("least bid"), say("points such cards take")),
        *(say("chance"), say_in("a heading", "hand")),
    ]
    show_table(heads, rows, name=say("Auctions passed"))
    if len(passed) == MOST_PASSED:
        st.caption(say_counted("The first {count} hand.", "The first {count} hands.", MOST_PASSED))


def _asked(name: str, title: Message, part: Callable[[_Shown], None]) -> Question:
    return Question(name, title, partial(_show, title, part))


SAME_CARDS: Final = (
    _asked(
        "same-cards", message("Who bids too much, and who loses it in the play?"), _show_players
    ),
    _asked("bids-that-pay", message("Which bids pay?"), _show_scores),
    _asked(
        "cards-and-contracts", message("Do the cards make what they promise?"), _show_calibration
    ),
    _asked("bid-or-pass", message("Bid or pass with a hand?"), _show_bid_or_pass),
    _asked(
        "passed", message("Which auctions were passed that such cards usually make?"), _show_passed
    ),
)
"""Questions about bidding apart from play, in the order of the page."""
