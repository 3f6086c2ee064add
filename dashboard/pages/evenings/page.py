"""Evenings: who won on one of them, game by game, and how the season stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, cells
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.choices import choose_in_box
from tricklog.dashboard.kit.page_parts import refusals_said, show_head, show_parts
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.sections import chances, season
from tricklog.dashboard.sections.report_button import show_report_button
from tricklog.dashboard.sections.sheet_table import fit_of
from tricklog.dashboard.text import findings
from tricklog.dashboard.text.escaping import as_html, as_markdown, sentence_html
from tricklog.ingest.chances.words import sureness
from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.reports.evening import evening_report
from tricklog.ingest.sessions import evening as sessions
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import LOST, OPEN, WON, Evening
from tricklog.ingest.sessions.records import KIND, Record, records
from tricklog.schemas.languages.messages import mark, message_in, say, say_counted, say_in
from tricklog.schemas.languages.numbers import day_text, number, short_day
from tricklog.schemas.printable import one_line

EVENING_VIEW: Final = mark("Evening")
SEASON_VIEW: Final = mark("Season")
MOST_GAMES: Final = 60
MOST_PLAYERS: Final = 40
MOST_SQUARES: Final = 24
MOST_FINDINGS: Final = 8
MOST_RECORDS: Final = 2
"""Records that the sentence at the top tells."""
_ROW_HEIGHT: Final = 36
_GAME_HEIGHT: Final = 60
_FINDING_HEIGHT: Final = 72
_HEADS_HEIGHT: Final = 260
"""What parts of a printed page take, in pixels."""
_MARKS: Final = {WON: True, LOST: False, OPEN: None}
_ENDED: Final = {
    WON: message_in("a game", "won"),
    LOST: message_in("a game", "lost"),
    OPEN: message_in("a game", "open"),
}


@refusals_said()
def show() -> None:
    """Show the evening or the season in the URL."""
    facts = snapshot.facts()
    st.header(say("Evenings"))
    chosen = filters.choose(facts)
    parameters.knows(season.OF, urls.VIEW, urls.EVENING, urls.SEASON)
    days = snapshot.kept(sessions.evenings, facts, sessions.of_tables(chosen.filters))
    listed = [day.isoformat() for day in reversed(days["day"].to_list())]
    years = [*dict.fromkeys(each[:4] for each in listed)]
    if sessions.of_tables(chosen.filters).chosen != chosen.filters.chosen:
        st.caption(
            say(
                "Evenings are of whole tables: filters by player, bid and whatever else differs "
                "within a game are passed over here."
            )
        )
    if not listed:
        st.info(say("No hand that the filters choose has a day, so there is no evening to show."))
        address = addresses.of_page(addresses.HANDS, chosen)
        st.html(link_html(address, as_html(say("All hands"))))
        return
    if (picked := st.session_state.pop(season.PICKED, None)) is not None:
        # The calendar was clicked on.
        parameters.put(urls.EVENING, picked)
        parameters.put(urls.VIEW)
    day = _chosen_day(listed)

    def show_season() -> None:
        year = str(day.year)
        if len(years) > 1 and not (chosen.filters.since or chosen.filters.until):
            year = choose_in_box(say("Season"), urls.SEASON, years, default=year, width=180)
        own = _season(chosen, int(year))
        first, last = own.filters.since or date.min, own.filters.until or date.max
        season.show_season(facts, own, days.filter(pl.col("day").is_between(first, last)), day)

    show_parts(
        {
            EVENING_VIEW: lambda: _show_evening(facts, chosen, _season(chosen, day.year), day),
            SEASON_VIEW: show_season,
        }
    )


def _chosen_day(listed: list[str]) -> date:
    with st.container(horizontal=True, vertical_alignment="bottom", key="evening-choice"):
        title = say("Evening")
        day = choose_in_box(title, urls.EVENING, listed, width=180)
        at = listed.index(day)
        links = [
            link_html(
                parameters.with_parameter(addresses.EVENINGS, urls.EVENING, listed[other]),
                form.format(short_day(date.fromisoformat(listed[other]))),
            )
            for other, form in ((at + 1, "← {}"), (at - 1, "{} →"))
            if 0 <= other < len(listed)
        ]
        said = as_html(say("Evenings before and after"))
        st.html(f'<nav class="tl-way tl-beside-box" aria-label="{said}">{" · ".join(links)}</nav>')
    return date.fromisoformat(day)


def _season(chosen: Chosen, year: int) -> Chosen:
    whole = sessions.of_tables(chosen.filters)
    if not (whole.since or whole.until):
        whole = replace(whole, since=date(year, 1, 1), until=date(year, 12, 31))
    return replace(chosen, filters=whole)


# --- An evening


def _show_evening(facts: DuckDBPyConnection, chosen: Chosen, own: Chosen, day: date) -> None:
    until = replace(own.filters, until=day)
    found = snapshot.kept(sessions.evening_of, facts, day, chosen.filters, season=until)
    if found is None:
        st.info(say("No hand of this evening fits the filters."))
        return
    new = [each for each in snapshot.kept(records, facts, until) if words.is_new(each, day)]
    _show_head(found, new)
    show_report_button(
        f"evening-{day}",
        say("This evening"),
        lambda sources: evening_report(sources, day, chosen.filters),
    )
    left, right = st.columns([1, 1.08], gap="medium")
    with left:
        _show_standings(facts, own, found)
        season.show_new_records(new)
    with right:
        _show_games(chosen, found)
        _show_findings(facts, chosen, found)


def _show_head(found: Evening, new: list[Record]) -> None:
    names, titles = snapshot.names(), snapshot.titles()
    said = [words.headline(found, names)]
    said += [
        words.new_record_text(each, titles.get(each.variant, each.variant), names)
        for each in sorted(new, key=lambda each: list(KIND).index(each.kind))[:MOST_RECORDS]
    ]
    # What stands in either column of a printed page.
    left = _ROW_HEIGHT * (len(found.standings[:MOST_PLAYERS]) + len(new))
    right = _GAME_HEIGHT * len(found.games[:MOST_GAMES])
    right += _FINDING_HEIGHT * min(found.findings, MOST_FINDINGS)
    looks = ("tl-evening", fit_of(_HEADS_HEIGHT + max(left, right)))
    about = map(as_html, words.about(found))
    show_head(day_text(found.day), about, sentence_html(" ".join(said)), *looks)


def _show_standings(facts: DuckDBPyConnection, own: Chosen, found: Evening) -> None:
    season.heading(
        say("Standings of the evening"),
        say(
            "games won and lost in the order of play; one evening is mostly luck, so no places are "
            "claimed"
        ),
    )
    if not found.standings:
        st.caption(say("No game was played."))
        return
    rows: list[list[Cell]] = []
    labels = labels_of(facts, "player")
    for each in found.standings:
        name = labels.get(each.player, each.player)
        address = addresses.of_page(addresses.PLAYERS, own, player=each.player)
        marks = [_MARKS[game] for game in each.games]
        picture: Cell = cells.squares(marks, ", ".join(str(_ENDED[game]) for game in each.games))
        if len(marks) > MOST_SQUARES:
            picture = say("{won} of {number}", won=number(each.won), number=number(len(marks)))
        link = Link(name, address, say("{player}: profile", player=name))
        rows.append([link, each.won, picture, words.above_text(each.above)])
    show_table(
        [
            *(say_in("a column", "player"), say_in("a column", "won")),
            *(say("games in order"), say("above the field, of 100 at stake")),
        ],
        rows,
        name=say("Standings of the evening"),
        most=MOST_PLAYERS,
    )
    notes = []
    if any(OPEN in each.games for each in found.standings):
        notes.append(
            say(
                "A dashed square is a game without a winner: left open, or with hands missing or "
                "other players in a part of it."
            )
        )
    if found.left_out:
        notes.append(say("Games count as they ended; points are those of hands in order."))
    if notes:
        st.caption(" ".join(notes))


def _show_games(chosen: Chosen, found: Evening) -> None:
    title, names = say("Games of the evening"), snapshot.names()
    season.heading(title, say("in the order of play; the score leads to its sheet"))
    tables = found.fixed and found.tables > 1
    won, decided = chances.of_evening(found)
    with_chances = not won.frame.is_empty()
    rows: list[list[Cell]] = []
    for game in found.games[:MOST_GAMES]:
        state = [words.state_text(game)]
        if game.findings:
            state.append(say_counted("{count} finding", "{count} findings", game.findings))
        said = say("{game}: score sheet", game=one_line(game.game))
        rows.append(
            [
                *(["" if game.began is None else words.clock(game.began)] if found.began else []),
                *([game.table] if tables else []),
                *(game.title, words.winner_text(game, names)),
                Link(words.score_text(game), addresses.of_game(game.game), said),
                words.others_text(game, names),
                *([chances.cell_of(won.frame, game)] if with_chances else []),
                *(game.hands, ", ".join(filter(None, state))),
            ]
        )
    if rows:
        heads = [
            *([say_in("a column", "began")] if found.began else []),
            *([say_in("a column", "table")] if tables else []),
            *(say_in("a column", "game"), say_in("a column", "won by")),
            *(say_in("a column", "score"), say_in("a column", "against")),
            *([say("chances, decided by")] if with_chances else []),
            *(say_in("a column", "hands"), say_in("a column", "remarks")),
        ]
        show_table(heads, rows, name=title)
        if with_chances:
            st.caption(as_markdown(" ".join(decided)))
            with st.expander(say("How good these chances are")):
                st.markdown(as_markdown(" ".join(sureness(won))))
    evening = replace(chosen, filters=_of_day(chosen.filters, found.day))
    all_hands = say_counted(
        "The hand of the evening", "All {count} hands of the evening", found.hands
    )
    links = [link_html(addresses.of_page(addresses.HANDS, evening), as_html(all_hands))]
    if (count := len(found.games)) > MOST_GAMES:
        all_games = as_html(say("All {number} games of the evening", number=number(count)))
        links.append(link_html(addresses.of_page(addresses.GAMES, evening), all_games))
    if found.without_game:
        st.caption(
            say_counted(
                "{count} hand belongs to no game.",
                "{count} hands belong to no game.",
                found.without_game,
            )
        )
    st.html(f"<p>{' · '.join(links)}</p>")


def _of_day(chosen: Filters, day: date) -> Filters:
    return replace(sessions.of_tables(chosen), since=day, until=day)


def _show_findings(facts: DuckDBPyConnection, chosen: Chosen, found: Evening) -> None:
    season.heading(say("To settle"), say("what was against the rules, or claimed and not so"))
    if not found.findings:
        st.caption(say("Nothing: every hand was played and scored by the rules."))
        return
    own = _of_day(chosen.filters, found.day)
    rows = snapshot.kept(listings.finding_list, facts, own, limit=MOST_FINDINGS)
    told = []
    for row in rows.to_dicts():
        hand_id = row["hand_id"]
        stored, replayed = findings.of_row(row), snapshot.replayed_hand(hand_id)
        (finding,) = findings.in_language(snapshot.connection(), [stored], replayed)
        link = link_html(addresses.of_step(hand_id), as_html(hand_id))
        told.append(findings.finding_html(finding, link))
    st.html("".join(told))
    if (more := found.findings - len(rows)) > 0:
        said = as_html(say("and {number} more", number=number(more)))
        st.html(f"<p>{link_html(f'audit?find={found.day.isoformat()}', said)}</p>")


show()
