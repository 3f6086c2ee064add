"""Games: the list of all, and of one the score sheet: hand by hand, who won, where it turned."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import streamlit as st

from tricklog.dashboard.address import opening, parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.choices import choose_in_box, find_text
from tricklog.dashboard.kit.drawing import title_html
from tricklog.dashboard.kit.page_parts import first_row, offer_parts, refusals_said, show_head
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.pages.games import race_chart
from tricklog.dashboard.sections import chances, sheet_table
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html, sentence_html
from tricklog.dashboard.text.labels import short_names
from tricklog.ingest.sessions.evening import day_of_game
from tricklog.ingest.sessions.words import days_text, side_text
from tricklog.ingest.sheets import games, words
from tricklog.ingest.sheets.model import Sheet
from tricklog.ingest.sheets.sheet import retold, sheets_of
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number, plain_day
from tricklog.schemas.printable import one_line

PAGE: Final = 50
MOST_ROWS: Final = 300
"""Rows of a sheet on one page of it."""
MOST_FINDINGS: Final = 12
_TWO: Final = 2
_WIDTHS: Final = {False: 1.6, True: 2.0}
"""How much wider the table is than the race, by whether it has much to show."""


@refusals_said()
def show() -> None:
    """Show the score sheet of the game in the URL, or the list of games."""
    parameters.knows(urls.GAME, urls.PART)
    if game := parameters.get(urls.GAME):
        _show_game(game)
        return
    st.header(say("Games"))
    facts = snapshot.facts()
    chosen = filters.choose(facts).filters
    text = find_text() or None
    total = snapshot.kept(games.game_count, facts, chosen, text=text)
    if not total:
        st.info(say("No game matches. Remove a filter, or look for less."))
        return
    part = {"limit": PAGE, "offset": first_row(total, PAGE)}
    rows = snapshot.kept(games.game_list, facts, chosen, text=text, **part)
    st.caption(
        say_counted(
            "{count} game, the latest first. Click a row for the score sheet.",
            "{count} games, the latest first. Click a row for the score sheet.",
            total,
        )
    )
    heads = [
        *(say_in("a column", "Game"), say_in("a column", "Day"), say_in("a column", "Variant")),
        *(say_in("a column", "Players"), say_in("a column", "Hands")),
        *(say_in("a column", "Result"), say_in("a column", "Findings")),
    ]
    cells = [_cells(row, snapshot.titles(), snapshot.names()) for row in rows.to_dicts()]
    show_table(heads, cells, name=say("Games"), whole_rows=True)
    offer_parts(total, PAGE)


def _cells(row: dict[str, Any], titles: dict[str, str], names: dict[str, str]) -> list[Cell]:
    name, day, winner = one_line(row["game"]), row["first_day"], row["winner_side"]
    sides: list[list[str]] = [[] for _ in range(max(row["seat_sides"]) + 1)]
    for player, side in zip(row["players"], row["seat_sides"], strict=True):
        sides[side].append(player)
    labels = [side_text(names, each) for each in sides]
    hands = [number(row["hands"])]
    if row["missing"]:
        hands.append(say("{number} missing", number=number(row["missing"])))
    if row["left_out"]:
        hands.append(say("{number} not valid", number=number(row["left_out"])))
    # Who won, and how the scores stood, as far as the log has them.
    scores = "" if row["scores"] is None else words.scores_text(tuple(row["scores"]))
    result = say("open at {scores}", scores=scores) if scores else say("no scores in the log")
    if winner is not None and winner < len(labels):
        result = say("{side} won, {scores}", side=labels[winner], scores=scores)
    return [
        Link(name, addresses.of_game(row["game"]), say("{game}: score sheet", game=name)),
        "" if day is None else plain_day(day),
        one_line(titles.get(row["variant"], row["variant"])),
        (" : " if len(labels) == _TWO else ", ").join(labels),
        ", ".join(hands),
        result,
        row["findings"],
    ]


# --- A sheet


def _show_game(game: str) -> None:
    connection = snapshot.connection()
    found = snapshot.kept(sheets_of, connection, game)
    if not found:
        st.header(say("Games"))
        missing = say("There is no game {game} in this warehouse.", game=repr(game))
        st.error(as_markdown(missing))
        for each in games.close_games(connection, game):
            st.html(f"<p>{say('Is it {game}?', game=addresses.game_html(each))}</p>")
        st.html(link_html(addresses.of(addresses.GAMES), as_html(say("All games"))))
        return
    beside = snapshot.kept(games.games_beside, snapshot.facts(), game)
    _show_way(game, beside)
    sheet = retold(connection, _chosen_sheet(found))
    _show_head(sheet)
    left, right = st.columns([_WIDTHS[len(sheet.sides) > _TWO or sheet.in_game_points], 1])
    with right:
        # A click on a point leads away, so that nothing else is made first.
        said = say("{marks}. A point leads to its hand.", marks=race_chart.key_words(sheet))
        st.html(title_html(say("Score race"), said))
        if hand := race_chart.show_race(sheet, key=f"race {sheet.game}"):
            opening.go(addresses.of_step(hand))
    with left:
        st.html(title_html(say("Score sheet"), sheet_table.key_words(sheet)))
        st.html(sheet_table.table_html(sheet, first_row(len(sheet.rows), MOST_ROWS), MOST_ROWS))
        offer_parts(len(sheet.rows), MOST_ROWS)
        if len(found) == 1:
            labels = [side.label for side in sheet.sides]
            st.html(chances.sheet_html(chances.of_games([game]), labels))
    with right:
        if sixes := sheet_table.sixes_html(sheet):
            st.html(title_html(say("As it lay on the table"), "") + sixes)
        if sheet.count_out:
            number_of = words.number_text(sheet.rows[sheet.count_out.row])
            title = say("Counted out in hand {hand}", hand=number_of)
            said = say(
                "point by point in this order; the first at {target} has won", target=sheet.target
            )
            counted = sheet_table.count_out_html(sheet, sheet.count_out)
            st.html(title_html(title, said) + counted)
        if told := sheet_table.findings_html(sheet, MOST_FINDINGS):
            st.html(title_html(say("Findings"), "") + told)


def _chosen_sheet(found: list[Sheet]) -> Sheet:
    """Return the sheet to show; where several games have the id, let the viewer choose the log."""
    if len(found) == 1:
        return found[0]
    by_log = {sheet.files[0]: sheet for sheet in found}
    names, count = short_names(by_log), len(found)
    st.info(say("{number} logs have a game with this id; each has its own sheet.", number=count))
    log = choose_in_box(
        say_in("a file", "Log"),
        urls.LOG,
        by_log,
        names.__getitem__,
        ids=names.__getitem__,
        width=400,
    )
    return by_log[log]


def _show_way(game: str, beside: pl.DataFrame) -> None:
    parts = [link_html(addresses.of(addresses.GAMES), as_html(say("All games")))]
    day = snapshot.kept(day_of_game, snapshot.facts(), game)
    if day is not None:
        said = as_html(say("Evening of {day}", day=plain_day(day)))
        parts.append(link_html(addresses.of_evening(day), said))
    ids, variants = beside["game"].to_list(), beside["variant"].to_list()
    if game in ids and len(ids) > 1:
        place, titles = ids.index(game), snapshot.titles()
        told = say(
            "game {place} of {number} of these players on the day",
            place=number(place + 1),
            number=number(len(ids)),
        )
        parts.append(as_html(told))
        for other, arrow in ((place - 1, "← {}"), (place + 1, "{} →")):
            if 0 <= other < len(ids):
                title = titles.get(variants[other], variants[other])
                said = as_html(say("game {place}, {game}", place=number(other + 1), game=title))
                parts.append(link_html(addresses.of_game(ids[other]), arrow.format(said)))
    label = as_html(say("Games of the evening"))
    st.html(f'<nav class="tl-way" aria-label="{label}">{" · ".join(parts)}</nav>')


def _show_head(sheet: Sheet) -> None:
    days = [day for day in (sheet.first_day, sheet.last_day) if day]
    about = [say("Game {game}", game=name_html(sheet.game))]
    about += map(as_html, [words.aim(sheet), words.state(sheet)])
    if days:
        about.append(as_html(days_text(days[0], days[-1])))
    if sheet.scores_left_open:
        told = say("the game is too long to add up scores that its log does not have")
        about.append(as_html(told))
    said = filter(None, [*words.turn_sentences(sheet), words.match_text(sheet)])
    marks = min(sum(len(row.marks) for row in sheet.rows), MOST_FINDINGS)
    looks = [sheet_table.fit_class(sheet, marks), *(["tl-many"] if len(sheet.sides) > _TWO else [])]
    show_head(words.headline(sheet), about, sentence_html(" ".join(said)), *looks)


show()
