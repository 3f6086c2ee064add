"""Score sheets on the page Import: what their columns are taken to mean, and what would come in."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import streamlit as st
from msgspec.structs import replace

from tricklog.core import Ruleset, RulesetError, load_variant, variants
from tricklog.core.rulesets.relevance import PARTNERSHIP
from tricklog.core.rulesets.rules_text import rule_said
from tricklog.core.rulesets.ruleset import resolved, seats_problem
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit.page_parts import show_values
from tricklog.dashboard.kit.tables import Cell, show_table
from tricklog.dashboard.pages.import_logs import sheet_hints
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import title_of
from tricklog.ingest.reading.sources import SourceError, find_sources
from tricklog.ingest.score_sheets.grid import SheetError, shown
from tricklog.ingest.score_sheets.layout import Kind, Section
from tricklog.ingest.score_sheets.reader import Preview, content_of, preview
from tricklog.ingest.score_sheets.settings import (
    Column,
    MappingError,
    SheetSettings,
    header_key,
    is_sheet_name,
    parts_of,
    settings_of,
)
from tricklog.ingest.score_sheets.words import OF_A_SIDE, Means
from tricklog.ingest.store import userdata
from tricklog.schemas.languages.messages import message, message_in, say, say_counted, say_in
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line

_FIRST_ROWS: Final = 6
_MOST_SHOWN: Final = 100


def show_rows(section: Section, columns: Sequence[Column], heads: Mapping[str, str]) -> None:
    """Show the first rows as they are read; ``heads`` are meanings by the letters of columns."""
    used = [each for each in columns if each.means != Means.IGNORE]
    rows: list[list[Cell]] = []
    for row, kind in section.rows:
        if kind == Kind.HAND and len(rows) < _FIRST_ROWS:
            cells = [one_line(shown(row.cell(each.index))) for each in used]
            rows.append([str(row.number), *cells])
    st.caption(say("The first rows, as they are read:"))
    names = [heads[each.at] for each in used]
    row_head = say_in("column of a table", "row")
    show_table([row_head, *names], rows, name=say("The first rows"))


def show_what_comes(read: Preview) -> None:
    """Say what a load would bring, and what is wrong."""
    st.subheader(say("What would be loaded"))
    values = (
        (say_in("a number of them", "Hands"), read.hands),
        (say_in("a number of them", "Games"), read.games),
        (say("Rows refused"), len(read.refused)),
        (say_in("a number of them", "Findings"), len(read.found)),
    )
    show_values((label, number(value)) for label, value in values)
    for names in dict.fromkeys(
        seating.players for sheet in read.sheets for seating in sheet.seatings
    ):
        st.caption(say("By seat: {players}", players=as_markdown(", ".join(names))))
    if read.rows_read < read.rows:
        shown, every = number(read.rows_read), number(read.rows)
        st.caption(
            say(
                "This is of the first {shown} rows of {all}; a load reads all of them.",
                shown=shown,
                all=every,
            )
        )

    def place(sheet: str, row: int) -> str:
        return f"{one_line(sheet)}, {row}" if len(read.sheets) > 1 else str(row)

    row_head = say_in("column of a table", "row")
    refused: list[list[Cell]] = [
        [place(each.sheet, each.row), one_line(each.why), sheet_hints.on_page(each.hint)]
        for each in read.refused
    ]
    if refused:
        st.caption(say("Rows that make no hand:"))
        heads = [row_head, say_in("column of a table", "why"), say("what to do")]
        show_table(heads, refused, name=say("Rows refused"), most=_MOST_SHOWN)
    found: list[list[Cell]] = [
        [
            *(place(each.sheet, each.row), each.cells, title_of(each.finding.code)),
            *(one_line(str(each.finding.said)), each.finding.rule),
        ]
        for each in read.found
    ]
    if found:
        st.caption(say("What does not fit the rules or does not add up:"))
        heads = [
            *(row_head, say_in("column of a table", "cells")),
            *(say_in("column of a table", "finding"), say("what is wrong")),
            say_in("column of a table", "rule"),
        ]
        name = say_in("a number of them", "Findings")
        show_table(heads, found, name=name, most=_MOST_SHOWN)


VARIANT: Final = "sheet-variant"
_PLAYERS: Final = "sheet-players"
_MEANINGS: Final = {
    Means.DATE: message_in("what a column means", "Date"),
    Means.GAME: message("Number of the game"),
    Means.HAND: message("Number of the hand"),
    Means.DEALER: message_in("what a column means", "Dealer"),
    Means.MAKER: message_in("what a column means", "Bidder"),
    Means.BID: message_in("what a column means", "Bid"),
    Means.TRUMP: message_in("what a column means", "Trumps"),
    Means.STAKE: message_in("what a column means", "Doubled"),
    Means.RESULT: message("Made or set"),
    Means.SET: message("Whether it was set"),
    Means.BY: message("By how many points"),
    Means.POINTS: message("Points taken"),
    Means.CHANGE: message("Change of the score"),
    Means.SCORE: message("Running score"),
    Means.BEFORE: message("Score before"),
    Means.REMARK: message_in("what a column means", "Remark"),
    Means.IGNORE: message("Not used"),
}
_SIDES: Final = {
    "makers": message_in("a side", "makers"),
    "defenders": message_in("a side", "defenders"),
}
_MOST_LISTED: Final = 200
_A_ROW: Final = 4
"""Choices beside each other; a phone shows them one below the other."""
_FEW: Final = 80
"""Out of 100: what is less sure is marked."""


@dataclass(frozen=True, slots=True)
class LocalSheet:
    """A score sheet of this machine, as the browser would have sent it."""

    path: Path

    @property
    def name(self) -> str:
        """Its name without its folder."""
        return self.path.name

    def getvalue(self) -> bytes:
        """Return what is in it. Raises ``SheetError`` where that cannot be read."""
        (source,) = find_sources([self.path])
        try:
            return content_of(source)
        except SourceError as error:
            raise SheetError(error.message, error.hint) from error


def sheets_below(place: Path) -> list[Path]:
    """Return the score sheets in a folder, or the one that is named; the first of very many.

    What a link leads to is for the page to say.
    """
    if place.is_file():
        return [place] if is_sheet_name(place.name) else []
    found = (each for each in sorted(place.iterdir()) if is_sheet_name(each.name))
    return list(islice(found, _MOST_LISTED))


def are_sheets(files: Sequence[Any]) -> bool:
    """Whether score sheets are among the files that were chosen."""
    return any(is_sheet_name(each.name) for each in files)


def choose(files: Sequence[Any]) -> SheetSettings | None:
    """Show what the sheets say, and ask for what they do not; return how they are to be read.

    Nothing is returned where they cannot be loaded yet; the page says why.
    """
    if not all(is_sheet_name(each.name) for each in files):
        st.warning(say("Score sheets are loaded apart from logs. Take one of the two kinds away."))
        return None
    name = files[0].name
    try:
        content = files[0].getvalue()
        asked = _asked()
        if asked is None:
            return None
        first = preview(content, name, asked)
    except SheetError as error:
        st.error(as_markdown(f"{error.message} {sheet_hints.on_page(error.hint)}"))
        return None
    mark = hashlib.sha256(content).hexdigest()[:16]
    section = _first_section(first)
    if section is None:
        st.warning(say("No row of this sheet looks like a hand."))
        return None
    # The columns as they were chosen for such a sheet before.
    text = userdata.kept_mapping(snapshot.user_folder(), header_key(section.headings))
    kept: tuple[Column, ...] = ()
    with suppress(MappingError):
        settings = settings_of(text) if text else None
        kept = settings.columns if settings else ()
    if [each.at for each in kept] != [each.at for each in section.columns]:
        kept = ()
    recognised = kept or section.columns
    if kept:
        st.caption(
            say("These columns mean what was chosen for a sheet with the same headings before.")
        )
    columns = _columns_as_chosen(section, recognised, mark)
    # Where all is as recognised, other tables of the file may have other columns.
    settings = asked if columns == section.columns else replace(asked, columns=columns)
    read = first if settings is asked else preview(content, name, settings)
    heads = {each.at: _meaning((each.means, each.of), section) for each in columns}
    show_rows(section, columns, heads)
    show_what_comes(read)
    is_asked = _ask_whose_score(read, section)
    if len(files) > 1:
        st.caption(
            say_counted(
                "The other {count} file will be read in the same way.",
                "The other {count} files will be read in the same way.",
                len(files) - 1,
            )
        )
    return settings if read.hands and not is_asked else None


def _ask_whose_score(read: Preview, section: Section) -> bool:
    """Ask whose a column of a side is, where only its place would tell; return whether it is."""
    seatings = {each.players for sheet in read.sheets for each in sheet.seatings}
    guessed = any(each.is_guessed for sheet in read.sheets for each in sheet.seatings)
    if not guessed or len(seatings) != 1:
        return False
    (players,) = seatings
    label = section.labels[0] if section.labels else "1"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            say("Whose score is “{side}”?", side=as_markdown(one_line(label))), width="content"
        )
        for order in (players, (*players[1:], players[0])):
            st.button(
                as_markdown(" & ".join(order[::2])),
                on_click=st.session_state.update,
                args=({_PLAYERS: ", ".join(order)},),
                type="primary",
            )
    return True


def keep(files: Sequence[Any], settings: SheetSettings) -> None:
    """Keep what was chosen for sheets with the same headings; a folder may not allow it."""
    read = preview(files[0].getvalue(), files[0].name, settings)
    section = _first_section(read)
    if section is None:
        return
    try:
        userdata.keep_mapping(snapshot.user_folder(), header_key(section.headings), settings.reader)
    except userdata.UserDataError as error:
        told = say("The choice of columns could not be kept: {reason}", reason=error)
        st.caption(as_markdown(told))


def _asked() -> SheetSettings | None:
    """Ask for game, house rules and players; return nothing while they do not go together."""
    left, middle, right = st.columns(3)
    variant = left.selectbox(
        say("Which game?"),
        variants(),
        index=variants().index("pedro"),
        format_func=lambda each: load_variant(each).title,
        key=VARIANT,
    )
    rules = load_variant(variant).house_rules
    words = {rule.cite: f"{rule.cite} {rule_said(rule.words)}" for rule in rules}
    house = middle.multiselect(
        say("House rules"),
        list(words),
        format_func=words.__getitem__,
        key=f"sheet-house-{variant}",
        placeholder=say_in("house rules", "None") if words else say("This game has none"),
        help=say("Those that the sheet was kept by."),
    )
    players = right.text_input(
        say("Who plays, by seat"),
        key=_PLAYERS,
        placeholder=say("as the sheet says"),
        help=say(
            "Only where the sheet does not tell: the names in the order of the seats, partners "
            "across, separated by commas."
        ),
    )
    settings = SheetSettings(variant=variant, house=tuple(house), players=tuple(parts_of(players)))
    try:
        ruleset = resolved(settings.rules)
    except RulesetError as error:
        told = say("These house rules cannot be used: {reason}", reason=error)
        st.error(as_markdown(told))
        return None
    problem = _seats_problem(ruleset, len(settings.players)) if settings.players else None
    if problem:
        st.error(as_markdown(problem))
        return None
    return settings


def _seats_problem(ruleset: Ruleset, seats: int) -> str | None:
    allowed = ruleset.values["players"]
    if seats not in allowed:
        return say(
            "Who plays holds {count} players; {game} takes {allowed}.",
            count=seats,
            game=ruleset.title,
            allowed=", ".join(map(str, allowed)),
        )
    if seats_problem(ruleset, seats):
        return say(
            "Who plays holds {count} players, but partnerships are for {pairs}.",
            count=seats,
            pairs=PARTNERSHIP,
        )
    return None


def _first_section(read: Preview) -> Section | None:
    return next(
        (section for each in read.sheets for section in each.sections if section.hands), None
    )


def _columns_as_chosen(
    section: Section, recognised: Sequence[Column], mark: str
) -> tuple[Column, ...]:
    st.subheader(say("What the columns mean"))
    st.caption(
        say("Recognised from the headings and from what stands below. Choose what is wrong.")
    )
    sides = [str(number + 1) for number in range(max(len(section.labels), 2))]
    sides += ["makers", "defenders"]
    choices = [(means, of) for means in Means for of in (sides if means in OF_A_SIDE else ("",))]
    chosen = []
    for start in range(0, len(recognised), _A_ROW):
        places = st.columns(_A_ROW)
        for place, column in zip(places, recognised[start : start + _A_ROW], strict=False):
            said = (column.means, column.of)
            listed = choices if said in choices else [*choices, said]
            label = f"{column.at} {one_line(column.header)}"
            if column.sure < _FEW and column.means != Means.IGNORE:
                label = say("{column} (not sure)", column=label)
            pick = place.selectbox(
                as_markdown(label),
                listed,
                index=listed.index(said),
                format_func=lambda each: _meaning(each, section),
                key=f"sheet-column-{mark}-{column.at}",
            )
            sure = column.sure if pick == said else 100
            chosen.append(Column(column.at, pick[0], column.header, pick[1], sure))
    return tuple(chosen)


def _meaning(choice: tuple[Means, str], section: Section) -> str:
    means, of = choice
    if not of:
        return str(_MEANINGS[means])
    label = str(_SIDES.get(of, of))
    if of.isdecimal():
        number = int(of) - 1
        label = (
            section.labels[number]
            if number < len(section.labels)
            else say("side {number}", number=of)
        )
    return f"{_MEANINGS[means]}: {one_line(label)}"
