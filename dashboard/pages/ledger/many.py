"""Ledgers of many hands: luck and choices of whoever filters choose, with intervals by games.

What has been worked out is added up at once; the rest is worked out beside the page, by the same
command that anybody could type.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit as st

from tricklog.core.study.averages import Averages
from tricklog.core.study.sampling import Unit
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.address.languages import Spoken
from tricklog.dashboard.data import filters, our_table, snapshot, work
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.pages.ledger import kinds as ledger_kinds
from tricklog.dashboard.pages.ledger.many_words import (
    in_words,
    mean_text,
    part_rows,
    part_words,
    shapes_html,
    who_words,
)
from tricklog.dashboard.pages.ledger.words import UNIT, choose_unit
from tricklog.dashboard.sections import work_panel
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.study import season as seasons
from tricklog.ingest.study.kept_ledgers import KeptLedgers, Key, LedgerRow
from tricklog.ingest.study.season import By, Season
from tricklog.ingest.study.season_words import left_out_words
from tricklog.schemas.languages.messages import mark, message, say, say_in, translated
from tricklog.schemas.languages.numbers import number, plain_day
from tricklog.schemas.words import hands_counted

if TYPE_CHECKING:
    import polars as pl

FOR: Final = "for"
"""Parameter and key: for whom."""
UNITS: Final[tuple[Unit, ...]] = ("score", "points")
BY: Final[dict[str, By]] = {
    mark("Players"): "player",
    mark("Pairs"): "side",
    mark("Makers"): "makers",
}
AT_ONCE: Final = 100
"""Hands that the first button works out."""
MOST_ROWS: Final = 100
_AS_KEPT: Final[snapshot.StandsFor] = {KeptLedgers: lambda kept: kept.mark()}
"""What is kept changes when there are more ledgers."""


@refusals_said()
def show() -> None:
    """Show the ledgers of the hands that the filters choose."""
    parameters.knows(UNIT, FOR)
    st.html(Path(__file__).with_name("ledger.css"))
    title = as_html(say("Where results came from"))
    st.html(f'<div class="tl-head"><h2>{title}</h2></div>')
    our_table.show()
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    figures.show_chosen_on_paper(facts, chosen)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        label = choose_beside(
            say_in("for whom", "For"), FOR, BY, translated, ids=urls.id_of, hides_label=True
        )
        unit, by = choose_unit(UNITS), BY[label]
    seats = snapshot.kept(seasons.seats_of, facts, chosen.filters)
    need(seats)
    games = seasons.by_variant(seats)
    own = games[0]
    _show_other_games(chosen, games)
    rules = tuple(sorted(set(own["ruleset"])))
    key = (snapshot.key(), chosen.filters, str(own["variant"][0]), by, unit)
    found = _added(key, KeptLedgers(), rules, own)
    title = snapshot.titles().get(found.variant, found.variant)
    ledgers = say(
        "ledgers of {count} of {hands}",
        count=number(found.counted),
        hands=hands_counted(found.hands),
    )
    told = [title, ledgers]
    days = [*dict.fromkeys(plain_day(each) for each in (found.first_day, found.last_day) if each)]
    if days:
        several = say("{first} to {last}", first=days[0], last=days[-1])
        told.append(several if len(days) > 1 else days[0])
    if unit != "score":
        told.append(say("points a hand"))
    elif by != "makers":
        told.append(say("score a hand, own side less the other"))
    else:
        told.append(say("score a hand, makers less the others"))
    st.html(f'<p class="tl-quiet">{as_html(" · ".join(told))}</p>')
    if found.totals:
        _show_totals(chosen, found)
        ledger_kinds.show(facts, chosen, found)
    for line in left_out_words(found):
        st.caption(as_markdown(line))
    _show_work(found, chosen, title)


def _show_other_games(chosen: Chosen, games: Sequence[pl.DataFrame]) -> None:
    """Say which game is shown, and lead to the others: their scores are not of one kind."""
    if len(games) == 1:
        return
    links = []
    for each in games[1:]:
        variant = str(each["variant"][0])
        title = snapshot.titles().get(variant, variant)
        query = {urls.VIEW: "many-hands"}
        there = addresses.of_page(urls.LEDGER_PATH, chosen, query, variant=variant)
        said = f"{as_html(title)} ({hands_counted(each['hand_no'].n_unique())})"
        links.append(link_html(there, said))
    told = say(
        "Shown is the game of most hands, as scores of two games do not add up. Others: {links}",
        links=", ".join(links),
    )
    st.html(f'<p class="tl-quiet">{told}</p>')


@st.cache_resource(
    max_entries=64, show_spinner=Spoken(mark("Adding ledgers up")), hash_funcs=_AS_KEPT
)
def _added(
    key: tuple[object, object, str, By, Unit],
    kept: KeptLedgers,
    rules: tuple[str, ...],
    _own: pl.DataFrame,
) -> Season:
    *_, by, unit = key
    return seasons.season_of(_own, _rows(kept, rules), cache(Averages), by=by, unit=unit)


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=_AS_KEPT)
def _rows(kept: KeptLedgers, rules: tuple[str, ...]) -> dict[Key, LedgerRow]:
    return kept.of_rules(rules)


# --- What is shown


def _show_totals(chosen: Chosen, found: Season) -> None:
    names = snapshot.names()
    wanted = chosen.filters.values("player")
    totals = [
        each
        for each in found.totals
        if not wanted or not each.players or any(player in wanted for player in each.players)
    ]
    if len(totals) == 1:
        (total,) = totals
        st.info(f"**{say('In words.')}** {as_markdown(in_words(found, total, names))}")
        st.html(shapes_html())
        amount = say("score a hand, 95 %")
        if found.unit == "points":
            amount = say("points a hand, 95 %")
        heads = [say_in("of a ledger", "part"), say("hands"), amount, ""]
        with st.container(key="ledger-parts"):
            show_table(heads, part_rows(found, total), name=say("Parts of the ledger"))
        return

    rows: list[tuple[Cell, ...]] = []
    for total in totals:
        who: Cell = who_words(total.players, names)
        if found.by == "player":
            own = chosen.also("player", *total.players)
            query = {urls.VIEW: "many-hands"}
            there = addresses.of_page(urls.LEDGER_PATH, own, query, variant=found.variant)
            who = Link(str(who), there)
        rows.append((who, total.hands, *map(mean_text, total.summary)))
    heads = [say("who"), say("hands")]
    heads += map(part_words, ("start", "deal and draw", "own choices", "others' choices", "result"))
    show_table(heads, rows, name=say("Ledgers of everybody"), most=MOST_ROWS)


# --- What has not been worked out


def _show_work(found: Season, chosen: Chosen, title: str) -> None:
    if work_panel.show_running() or not found.waiting:
        return
    st.markdown(
        say(
            "**{hands} not worked out yet.** Each takes from a twentieth of a second to a second "
            "and a half, once. The newest come first; the pages go on meanwhile.",
            hands=hands_counted(found.waiting),
        )
    )
    wanted = chosen.filters.also("variant", found.variant)
    where, whose = snapshot.warehouse().address, our_table.word_for_commands()
    runs: dict[int | None, str] = {None: say("Work out all {count}", count=number(found.waiting))}
    if found.waiting > AT_ONCE:
        runs = {AT_ONCE: say("Work out the newest {count}", count=AT_ONCE), **runs}
    what = message("ledgers of {game}", game=title)

    def start(most: int | None) -> None:
        work.start(what, command_of(where, wanted, whose, most))

    with st.container(horizontal=True):
        for most, label in runs.items():
            st.button(label, on_click=start, args=(most,))


def command_of(db: str, filters: Filters, whose: str, most: int | None) -> list[str]:
    """Return the command that works out the ledgers of the hands that filters choose."""
    chosen = [(name, value) for name, values in filters.chosen for value in values]
    given = [f"--where={name}={value}" for name, value in chosen]
    given += [f"--since={filters.since}"] if filters.since else []
    given += [f"--until={filters.until}"] if filters.until else []
    given += [f"--hands={most}"] if most else []
    return ["show", "ledger", f"--db={db}", f"--whose={whose}", *given]
