"""Where the fives go at one kind of table: who loses which, when, on whose lead, and to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, cells, figures
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.choices import TABLE, at_table, choose_beside, choose_table
from tricklog.dashboard.kit.drawing import title_html
from tricklog.dashboard.kit.figure_page import Question
from tricklog.dashboard.kit.matrix import Between, show_matrix
from tricklog.dashboard.kit.page_parts import few_words, need, refusals_said, show_figures
from tricklog.dashboard.kit.tables import Cell, Link, in_columns
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import METRIC, fives, metric_named
from tricklog.ingest.metrics.figure_words import figure_text, interval_text
from tricklog.ingest.metrics.measuring import kinds_of_tables
from tricklog.schemas.languages.messages import message, message_in, say, say_counted, say_in
from tricklog.schemas.languages.numbers import number, ordinal, percent

PART: Final = "fives-by"
"""Parameter and key: the part that is shown."""
PARTS: Final = {
    "leader": message("On the lead of"),
    "five": message("Which five"),
    "holder": message("Held by"),
    "played": message_in("how a five went", "Played"),
    "taker": message("Lost to"),
    "lost-to": message_in("fives", "Taken by"),
    "trick": message("In trick"),
}
"""What the fives are taken apart by."""
MOST_NAMED: Final = 3
MOST_ROWS: Final = 25
_METRIC: Final = metric_named(fives.LOST)
_SEATS: Final = {
    "left": message("left opponent"),
    "right": message("right opponent"),
    "partner": message("maker’s partner"),
}
_SIDES: Final = {"left": message_in("a seat", "left"), "right": message_in("a seat", "right")}
_MOST_PEOPLE: Final = 14
"""Rows and columns of the matrix."""
_ORDER: Final = {
    **dict.fromkeys(("holder", "leader", "taker"), ("maker", "partner", "left", "right")),
    "five": ("right", "left"),
    "played": ("led", "over", "under", "not played"),
}

Names = Mapping[str, str]
"""What players are called, by their ids."""


@refusals_said()
def _show(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show in a sentence, a matrix and tables where fives are lost, when, by whom, to whom."""
    figures.heading(fives.LOST, LOST_FIVES.title)
    parameters.knows(TABLE)
    tables = snapshot.kept(kinds_of_tables, facts, METRIC[fives.KEPT], chosen.filters)
    nobody = ""
    if tables.is_empty() and (played := figures.variants_of(facts, chosen)):
        games = ", ".join(snapshot.titles().get(each, each) for each in played)
        nobody = say("No five that counts was played in these hands: {games}.", games=games)
    need(tables, nobody)
    of_table = at_table(chosen, choose_table(tables))
    given = (of_table.filters, chosen.minimum)
    where = snapshot.kept(fives.where_lost, facts, *given)
    losers = snapshot.kept(fives.losers, facts, *given)
    names = labels_of(facts, "player")
    st.markdown(sentence(where, losers, names))
    st.caption(_kept_words(facts, of_table))
    _show_losers(of_table, where, losers, names)
    _show_between(facts, of_table, where, names)
    _show_where(of_table, where, names)


LOST_FIVES: Final = Question("fives", message("Where do the fives go?"), _show)
"""The part of the page that follows the fives of one game."""


# --- The answer


def sentence(where: pl.DataFrame, losers: pl.DataFrame, names: Names) -> str:
    """Return the answer in markdown, from the frames of ``tricklog.ingest.metrics.fives``.

    ``names`` are those of players. People are told only where they are named among all.
    """
    rows = {(row["part"], row["of"]): row for row in where.iter_rows(named=True)}
    whole = rows.get((fives.ALL, fives.ALL), {"enough": False, "n": 0, "games": 0})
    if not whole["enough"]:
        return say(
            "Too few to say how often makers lose a five: {fives} in {games}.",
            fives=say_counted("{count} five", "{count} fives", whole["n"]),
            games=say_counted("{count} game", "{count} games", whole["games"]),
        )
    said = [
        say(
            "Makers lose **{value} of 100 fives they played** ({low} to {high}).",
            **_hundreds(whole),
        )
    ]
    theirs, own = (rows.get((fives.LEAD, each)) for each in ("defenders", "makers"))
    if theirs and own and theirs["enough"] and own["enough"]:
        said.append(
            say(
                "When a defender has the lead it is {theirs}, when they lead themselves {own}.",
                theirs=interval_text(theirs, _hundredths),
                own=interval_text(own, _hundredths),
            )
        )
    # Of those who stand out, first who loses more than the others, then who loses fewer.
    named = losers.filter(pl.col("named").fill_null(value=False)).sort("difference")
    more = named.filter(pl.col("difference") > 0).reverse().head(MOST_NAMED).to_dicts()
    less = named.filter(pl.col("difference") < 0).head(MOST_NAMED).to_dicts()
    said += [_loser_words(row, names) for row in more]
    if less:
        listed = ", ".join(
            say("**{player}**, {value} ({low} to {high})", **_hundreds(row, names)) for row in less
        )
        said.append(say("Fewest are lost by {players}.", players=listed))
    if named.is_empty():
        judged = losers["place"].count()
        nobody = say_counted(
            "Nobody stands out among {count} player for sure.",
            "Nobody stands out among {count} players for sure.",
            judged,
        )
        few = say("There are too few games to compare players.")
        said.append(nobody if judged > 1 else few)
    return " ".join(said)


def _loser_words(row: Mapping[str, Any], names: Names) -> str:
    """Return how many somebody loses, and in which trick most, where one has more than others."""
    values, tricks = _hundreds(row, names), list(row["tricks"])
    most = max(tricks, default=0)
    if not most or tricks.count(most) > 1:
        return say("**{player} loses {value}** ({low} to {high}).", **values)
    return say(
        "**{player} loses {value}** ({low} to {high}), most often in trick {trick}.",
        **values,
        trick=tricks.index(most) + 1,
    )


def _hundreds(row: Mapping[str, Any], names: Names | None = None) -> dict[str, str]:
    """Return a share and the ends of its interval in hundredths by name, and whose it is."""
    values = {name: _hundredths(row[name]) for name in ("value", "low", "high")}
    if names is not None:
        values["player"] = as_markdown(names.get(row["player"], row["player"]))
    return values


def _hundredths(share: float) -> str:
    return number(100 * share)


def _kept_words(facts: DuckDBPyConnection, chosen: Chosen) -> str:
    frame = figures.measured(facts, chosen, fives.KEPT, ("side",))
    sides = {row["side"]: (int(row["n"]), int(row["hits"])) for row in frame.to_dicts()}
    held, kept = sides.get("makers", (0, 0))
    others, theirs = sides.get("defenders", (0, 0))
    own = say_counted("{count} five", "{count} fives", held)
    if held:
        own = say_counted(
            "{count} five ({share})", "{count} fives ({share})", held, share=percent(kept / held)
        )
    won = others - theirs
    share = f" ({percent(won / others)})" if others else ""
    return say(
        "Makers keep {kept} of their {fives} and win {won} of the defenders’ {others}.",
        kept=number(kept),
        fives=own,
        won=number(won),
        others=f"{number(others)}{share}",
    )


# --- Who loses them


def _show_losers(chosen: Chosen, where: pl.DataFrame, losers: pl.DataFrame, names: Names) -> None:
    shown = losers.sort("n", descending=True, maintain_order=True).head(MOST_ROWS)
    shown = shown.sort("enough", "value", descending=True, maintain_order=True).with_columns(
        label=pl.col("player").replace(names), key="player"
    )
    if len(losers) > MOST_ROWS:
        figures.show_most_cases(MOST_ROWS, len(losers))
    player = say_in("a heading", "Player")
    picked = IntervalChart(
        title=say("Who loses them"),
        category=player,
        measure=say("share of their fives as makers, 95 % interval"),
        percent=True,
        mark=say("all"),
    ).show(shown.with_columns(mark=_share_of_all(where)), "fives-losers")
    if picked:
        figures.go_to_hands(chosen, _METRIC, {"player": picked["key"]})

    def profile(row: dict[str, Any]) -> Cell:
        address = addresses.of_page(addresses.PLAYERS, chosen, player=row["player"])
        return Link(row["label"], address, say("{player}: player", player=row["label"]))

    def by_trick(row: dict[str, Any]) -> Cell:
        said = ", ".join(
            say("{number} in trick {trick}", number=number(lost), trick=trick)
            for trick, lost in enumerate(row["tricks"], 1)
            if lost
        )
        return cells.columns(row["tricks"], said or say("none lost in a trick"))

    def most_to(row: dict[str, Any]) -> Cell:
        """Return to which seat most are lost, and how many of all."""
        if row["to"] is None:
            return ""
        seat = _SIDES.get(row["to"]) or value_words("taker", row["to"])
        own, lost = number(row["to_count"]), number(row["lost"])
        return say("{seat}, {number} of {all}", seat=seat, number=own, all=lost)

    def places(row: dict[str, Any]) -> Cell:
        if row["place"] is None:
            return ""
        first, last = ordinal(row["from_place"]), ordinal(row["to_place"])
        return say("{least} to {most}", least=first, most=last)

    def hands(row: dict[str, Any]) -> Cell:
        return figures.link_to_hands(chosen, row["n"], _METRIC, {"player": row["player"]})

    tricks = max(losers["tricks"].list.len(), default=0)
    judged = losers["place"].count()
    place = say("place of {number}", number=number(judged)) if judged else None
    show_figures(
        *in_columns(
            shown.to_dicts(),
            (player, profile),
            (say("lost, 95 % interval"), _lost_text),
            (say_in("fives", "fives"), hands),
            (say("in trick 1 to {last}", last=tricks) if tricks else say("in tricks"), by_trick),
            (say_in("fives", "most often to"), most_to),
            (place or say_in("a heading", "place"), places),
        ),
        name=say("Who loses the makers’ fives"),
    )


def _lost_text(row: dict[str, Any]) -> str:
    return figure_text(_METRIC, row, cases=False)


# --- To whom


def _show_between(
    facts: DuckDBPyConnection, chosen: Chosen, where: pl.DataFrame, names: Names
) -> None:
    """Show for each two how many of the makers' fives of the one the other took."""
    taken_by, against = (
        figures.measured(facts, chosen, fives.LOST, ("player", other))
        for other in ("lost-to", "opponent")
    )
    lost = {
        (one, other): int(n) for one, other, n in taken_by.select("player", "lost-to", "n").rows()
    }
    known = against.filter(pl.col("n") >= chosen.minimum)
    average = fives.taken_by_one(where)
    if known.is_empty() or not average:
        return
    between: dict[tuple[str, str], Between] = {}
    for one, other, count in known.select("player", "opponent", "n").rows():
        n, taken = int(count), lost.get((one, other), 0)
        said = say(
            "{one} to {other}: {fives}", one=names.get(one, one), other=names.get(other, other),
            fives=say("{number} of {all}", number=number(taken), all=number(n)),
        )  # fmt: skip
        hands = figures.hands_behind(chosen, _METRIC, {"player": one, "lost-to": other})
        text, small = percent(taken / n), f"{number(taken)}/{number(n)}"
        strength = (average - taken / n) / average
        between[one, other] = Between(text, small, said, hands, strength)
    heading = say("Who loses fives to whom")
    said = say(
        "share of the makers’ fives of the player in the row that the one in the column took; "
        "orange is more than one opponent takes on average, {average}",
        average=percent(average),
    )
    st.html(title_html(heading, said))
    # Of many those who occur most, in the order of their names.
    losers, takers = (
        sorted(
            (who for who, _ in Counter(found).most_common(_MOST_PEOPLE)),
            key=lambda who: names.get(who, who).lower(),
        )
        for found in zip(*between, strict=True)
    )
    corner = say_in("a five", "lost by / taken by")
    show_matrix(heading, corner, losers, takers, between, names)
    if few := len(against) - len(known):
        st.caption(few_words(few))


# --- Where they are lost


def _show_where(chosen: Chosen, where: pl.DataFrame, names: Names) -> None:
    """Show a chart of the part that the viewer chooses, with its figures below."""
    parts = {part: rows for part in PARTS if not (rows := _rows_of(where, part, names)).is_empty()}
    if not parts:
        return
    said = say(
        "share that the opponents won, 95 % interval over games. By who took them, a player’s "
        "share is of the fives of makers they sat against. A click leads to the hands."
    )
    st.markdown(f"**{say('Where the makers’ fives are lost')}**", help=said)
    part = choose_beside(say("Fives by"), PART, parts, PARTS.__getitem__, hides_label=True)
    rows, title = parts[part], str(PARTS[part])
    taken = part in fives.TAKERS
    tick = fives.taken_by_one(where) if taken else _share_of_all(where)
    picked = IntervalChart(
        title=title,
        category=title,
        measure=say_in("fives", "taken") if taken else say_in("fives", "lost"),
        percent=True,
        mark=say("what one opponent takes on average") if taken else say("all"),
    ).show(rows.with_columns(mark=pl.lit(tick, pl.Float64)), f"fives-{part}")
    if picked:
        figures.go_to_hands(chosen, _METRIC, {part: picked["key"]})

    def hands(row: dict[str, Any]) -> Cell:
        return figures.link_to_hands(chosen, row["label"], _METRIC, {part: row["key"]})

    show_figures(
        *in_columns(
            rows.to_dicts(),
            (title, hands),
            (say("lost, 95 % interval"), _lost_text),
            (say_in("fives", "fives"), "n"),
        ),
        name=say("Makers’ fives lost: {part}", part=title.lower()),
        whole_rows=True,
    )


def _rows_of(where: pl.DataFrame, part: str, names: Names) -> pl.DataFrame:
    """Return the rows of a part as people name them, players by how many they took."""
    rows = where.filter(pl.col("part") == part)
    if len(rows) > MOST_ROWS:
        rows = rows.sort("n", descending=True).head(MOST_ROWS)
    order = {each: place for place, each in enumerate(_ORDER.get(part, ()))}
    if part == "lost-to":
        rows = rows.sort("enough", "value", descending=True, maintain_order=True)
    elif order:
        place = pl.col("of").replace_strict(order, default=len(order), return_dtype=pl.Int64)
        rows = rows.sort(place, "of", maintain_order=True)

    def label(of: str) -> str:
        if part == "lost-to":
            return names.get(of, of)
        if part == "trick":
            return say("no trick") if of == "0" else ordinal(int(of))
        return value_words(part, of) if part == "five" or of not in _SEATS else str(_SEATS[of])

    return rows.with_columns(pl.Series("label", map(label, rows["of"]), pl.String), key="of")


def _share_of_all(where: pl.DataFrame) -> float | None:
    rows = where.filter(pl.col("part") == fives.ALL)
    return None if rows.is_empty() else float(rows["value"][0])
