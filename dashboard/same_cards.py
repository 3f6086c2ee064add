"""Bidding apart from play: what the field does with the same cards, at one kind of table."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, filters, given_hand, snapshot
from dashboard.charts import IntervalChart
from dashboard.escaping import as_markdown
from dashboard.figures import definition_link
from dashboard.filters import Chosen
from dashboard.labels import counted
from dashboard.one_table import choose_table
from dashboard.tables import Cell, Link, show_table
from ingest.metrics import FigureError
from ingest.metrics import field as fields
from ingest.metrics.field.decisions import FEWEST_OF_EACH
from ingest.metrics.figure_words import chance_text
from ingest.metrics.filters import EVERYTHING, Filters

MOST_PASSED: Final = 10


class Found(NamedTuple):
    """What the field says of one kind of table."""

    note: str
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
    found: Found = snapshot.kept(_found_at, facts, table, chosen)
    return found


def _found_at(facts: DuckDBPyConnection, table: fields.Table, chosen: Filters) -> Found:
    study = fields.study(facts, table, chosen)
    return Found(
        study.note,
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
    found: pl.DataFrame = snapshot.kept(_found_over, facts, listed, chosen)
    return found


def _found_over(
    facts: DuckDBPyConnection, tables: tuple[fields.Table, ...], chosen: Filters
) -> pl.DataFrame:
    return fields.figures_over_tables([fields.study(facts, each, chosen) for each in tables])


class SameCards:
    """The section of the page on bidding that judges it apart from play."""

    def show(self, facts: DuckDBPyConnection, chosen: Chosen) -> None:
        """Show who bids and who plays above or below the field, which bids pay, and what to bid."""
        given_hand.take_parameters()
        try:
            tables = snapshot.kept(fields.tables, facts, chosen.filters)
        except FigureError as error:
            st.info(as_markdown(str(error)))
            return
        if tables.is_empty():
            st.info("No contract matches. Remove a filter, or load more logs.")
            return
        table = choose_table(tables)
        found = found_at(facts, table, chosen.filters)
        st.caption(as_markdown(found.note))
        if found.guide is None:
            st.subheader("Bid or pass?")
            st.info("There are too few contracts of this game to say what a hand is worth.")
            return
        _show_players(facts, chosen, found, table)
        left, right = st.columns(2, gap="large")
        with left:
            _show_scores(found)
        with right:
            _show_calibration(found)
        st.subheader("Bid or pass?")
        given_hand.show_given_hand(found.guide)
        _show_decisions(found.guide.decisions)
        _show_passed(found)


def _show_players(
    facts: DuckDBPyConnection, chosen: Chosen, found: Found, table: fields.Table
) -> None:
    st.subheader("Who bids too much, and who loses it in the play?")
    st.caption(
        "The number bid and the points taken, above or below what the others do with the same "
        "cards; 95 % intervals. Play is judged by the bid as well as the cards. Whoever is named "
        "differs with all of them compared, and by a size that matters at the table. "
        f"{definition_link('same-cards')}"
    )
    labels = filters.labels_of(facts, "player")
    frame = found.figures.with_columns(label=pl.col("player").replace(labels), key="player")
    named = frame.filter("named")
    lines = [
        f"- **{as_markdown(row['label'])}** {as_markdown(fields.words(row))}."
        for row in named.iter_rows(named=True)
    ]
    st.markdown("\n".join(lines) or "Nobody differs from the field by more than chance may give.")
    left, right = st.columns(2, gap="medium")
    for place, name in ((left, "bid"), (right, "play")):
        rows = frame.filter(pl.col("question") == name, "enough").sort("value", descending=True)
        question = fields.QUESTION[name]
        with place:
            if rows.is_empty():
                st.info(f"{question.title}: there are too few games to compare yet.")
                continue
            IntervalChart(
                question.title,
                category="player",
                measure=f"{question.unit}, above or below the field",
                percent=False,
            ).show(rows, key=f"same-cards-{name}")
    shown = frame.filter("enough")
    players = shown.group_by("player", maintain_order=True).first().sort("label")
    cells = {(row["player"], row["question"]): row for row in frame.iter_rows(named=True)}
    rows_of_table: list[list[Cell]] = []
    for row in players.iter_rows(named=True):
        address = addresses.of_page(
            addresses.PLAYERS, facts, chosen, player=row["player"], variant=table.variant
        )
        line: list[Cell] = [Link(row["label"], address)]
        for question in fields.QUESTIONS:
            cell = cells.get((row["player"], question.name))
            line += ["" if cell is None else str(cell["n"]), _value_words(question.name, cell)]
        rows_of_table.append(line)
    with st.expander("The figures"):
        heads = ["player"]
        for question in fields.QUESTIONS:
            heads += [question.cases, question.title.lower()]
        show_table(heads, rows_of_table, name="Players on the same cards")


def _value_words(question: str, row: dict[str, Any] | None) -> str:
    if row is None or not row["enough"]:
        return "too few games"
    scale, digits = (100, 0) if question == "calls" else (1, 1)
    value, low, high = (
        f"{scale * row[name]:+z.{digits}f}".replace("-", "−") for name in ("value", "low", "high")
    )
    unit = " in 100" if question == "calls" else ""
    return f"{value}{unit} ({low} to {high})"


def _show_scores(found: Found) -> None:
    st.subheader("Which bids pay?")
    st.caption(
        "What a hand adds to the makers’ score, less what it adds to the others’, by the bid."
    )
    rows = found.by_bid.filter("enough").with_columns(
        label=pl.col("bid").cast(pl.String), key=pl.col("bid").cast(pl.String), value="score"
    )
    if rows.is_empty():
        st.info("There are too few games of any bid yet.")
        return
    IntervalChart(
        "Score a hand, by the bid",
        category="bid",
        measure="score a contract, 95 % interval",
        percent=False,
        along="x",
    ).show(rows, key="score-by-bid")
    with st.expander("The figures"):
        show_table(
            ["bid", "n", "made", "score, 95 % interval"],
            [
                (
                    str(row["bid"]),
                    row["n"],
                    f"{row['made']:.0%}".replace("%", " %"),
                    _interval_words(row, "score"),
                )
                for row in found.by_bid.iter_rows(named=True)
            ],
            name="Score by the bid",
        )


def _show_calibration(found: Found) -> None:
    st.subheader("Do the cards make what they promise?")
    st.caption(
        "Contracts by the chance that their cards make them, as other hands with such cards say, "
        "and how often they were made. On the dashed line both are the same."
    )
    rows = found.calibration.filter("enough").with_columns(
        label=pl.format("{} %", (pl.col("chance") * 100).round(0).cast(pl.Int64)),
        key=pl.col("chance").cast(pl.String),
        value="made",
        mark="chance",
    )
    if rows.is_empty():
        st.info("There are too few games of any chance yet.")
        return
    IntervalChart(
        "Contracts made, by the chance of their cards",
        category="chance",
        measure="share of contracts, 95 % interval",
        percent=True,
        along="x",
        mark="the chance itself",
    ).show(rows, key="calibration-of-cards")
    with st.expander("The figures"):
        show_table(
            ["chance", "n", "made, 95 % interval"],
            [
                (row["label"], row["n"], _interval_words(row, "made", percent=True))
                for row in rows.iter_rows(named=True)
            ],
            name="Contracts made by chance",
        )


def _interval_words(row: dict[str, Any], name: str, *, percent: bool = False) -> str:
    if not row["enough"]:
        return "too few games"
    form = ".0%" if percent else "+z.1f"
    value, low, high = (
        f"{row[each]:{form}}".replace("%", " %").replace("-", "−") for each in (name, "low", "high")
    )
    return f"{value} ({low} to {high})"


def _show_decisions(decisions: pl.DataFrame) -> None:
    st.markdown("**All decisions**")
    st.caption(
        "First free calls of a hand with cards of like worth: what the hand added to the score "
        "where they bid, and where they passed, less what it added to the others’. Pushing the "
        "others up is in it. It is what happened to those who bid such cards, who may be others "
        "than those who passed them. Lowest worth first, each a tenth of all calls."
    )
    rows = decisions.sort("holder", "tenth")
    if rows.is_empty() or not rows["enough"].any():
        st.info("There are too few games to compare bidding with passing yet.")
        return
    show_table(
        [
            *("who holds the bid", "worth, less the lowest bid", "bids", "passes"),
            *("score after a bid", "after a pass", "difference, 95 % interval", "so far"),
        ],
        [_decision_row(row) for row in rows.iter_rows(named=True)],
        name="Bid or pass",
    )


def _decision_row(row: dict[str, Any]) -> tuple[Cell, ...]:
    holder = given_hand.HOLDERS[row["holder"]]
    start = (holder, f"{row['margin']:+z.1f}".replace("-", "−"), row["bids"], row["passes"])
    if not row["enough"]:
        few = [word for word in ("bids", "passes") if row[word] < FEWEST_OF_EACH]
        return (*start, "", "", "too few games" if not few else f"too few {' and '.join(few)}", "")
    words = given_hand.better_words(row)
    scores = (f"{row[each]:+z.1f}".replace("-", "−") for each in ("bid_score", "pass_score"))
    return (*start, *scores, _interval_words(row, "difference"), words)


def _show_passed(found: Found) -> None:
    st.subheader("Auctions passed that such cards usually make")
    if found.passed.is_empty():
        st.markdown(
            "There is none: nobody passed cards that made the least bid two times in three."
        )
        return
    st.caption(
        "Other hands with such cards, that were bid, took the least bid with at least this chance. "
        "The likeliest come first."
    )
    names = snapshot.names()
    show_table(
        ["player", "least bid", "points such cards take", "chance", "hand"],
        [
            (
                names.get(row["player"], row["player"]),
                row["lowest"],
                f"{row['expected']:.1f}",
                chance_text(row["chance"]),
                Link(row["id"], addresses.of_step(row["id"]), f"{row['id']}: replay"),
            )
            for row in found.passed.iter_rows(named=True)
        ],
        name="Auctions passed",
    )
    if len(found.passed) == MOST_PASSED:
        st.caption(f"The first {counted(MOST_PASSED, 'hand')}.")
