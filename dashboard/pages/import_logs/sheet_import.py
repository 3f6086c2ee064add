"""Score sheets on the page Import: what their columns are taken to mean, and what would come in."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import streamlit as st
from msgspec.structs import replace

from tricklog.core import RulesetError, load_variant, variants
from tricklog.core.rulesets.relevance import PARTNERSHIP
from tricklog.core.rulesets.rules_text import rule_said
from tricklog.core.rulesets.ruleset import resolved, seats_problem
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit.page_parts import show_values
from tricklog.dashboard.kit.tables import Cell, in_columns, show_table
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import title_of, value_words
from tricklog.ingest.reading.rejects import HINTS, RejectCode
from tricklog.ingest.reading.sources import SourceError, find_sources
from tricklog.ingest.score_sheets.grid import SheetError, shown
from tricklog.ingest.score_sheets.hands import WHO_SAT
from tricklog.ingest.score_sheets.layout import ADVICE, CORRECT_IT, MAP_IT, Kind, Section
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
from tricklog.schemas.languages.messages import (
    message,
    message_in,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line

_PLAYERS: Final = "sheet-players"
_FIRST_ROWS: Final = 6
_MOST_SHOWN: Final = 100
_MOST_LISTED: Final = 200
_A_ROW: Final = 4
"""Choices beside each other; a phone shows them one below the other."""
_FEW: Final = 80
"""Out of 100: what is less sure is marked."""
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
_ON_PAGE: Final = {
    WHO_SAT: message(
        "Name those who play under “Who plays, by seat”, in the order of the seats, partners "
        "across."
    ),
    MAP_IT: message("Choose under “What the columns mean” what they say."),
    HINTS[RejectCode.BAD_SHEET]: message(
        "Correct the cell there, or choose under “What the columns mean” what its column says."
    ),
    CORRECT_IT: message(
        "If this is another sheet or evening, give the file a name of its own, or its rows the "
        "day. Only if this row was corrected, choose “Correct what was loaded of it before”, and "
        "check first which hands that replaces."
    ),
}
"""What to do about a sheet, by the hint for a terminal."""


def on_page(hint: str) -> str:
    """Return what to do, without commands for a terminal."""
    return str(_ON_PAGE.get(hint) or translated(hint))


def told_on_page(told: str) -> str:
    """Return what is said of a sheet, likewise."""
    if not told.endswith(ADVICE):
        return told
    return say(
        "{told}; choose under “What the columns mean” what its column says",
        told=told.removesuffix(ADVICE),
    )


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
    places = [place] if place.is_file() else sorted(place.iterdir())
    return list(islice((each for each in places if is_sheet_name(each.name)), _MOST_LISTED))


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
        st.error(as_markdown(f"{error.message} {on_page(error.hint)}"))
        return None
    section = _first_section(first)
    if section is None:
        st.warning(say("No row of this sheet looks like a hand."))
        return None
    # The columns as they were chosen for such a sheet before.
    text = userdata.kept_mapping(snapshot.user_folder(), header_key(section.headings))
    recognised = section.columns
    with suppress(MappingError):
        settings = settings_of(text) if text else None
        kept = settings.columns if settings else ()
        if kept and [each.at for each in kept] == [each.at for each in recognised]:
            recognised = kept
            st.caption(
                say("These columns mean what was chosen for a sheet with the same headings before.")
            )
    columns = _columns_as_chosen(section, recognised, hashlib.sha256(content).hexdigest()[:16])
    # Where all is as recognised, other tables of the file may have other columns.
    settings = asked if columns == section.columns else replace(asked, columns=columns)
    read = first if settings is asked else preview(content, name, settings)
    _show_rows(section, [each for each in columns if each.means != Means.IGNORE])
    _show_what_comes(read)
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


def keep(files: Sequence[Any], settings: SheetSettings) -> None:
    """Keep what was chosen for sheets with the same headings; a folder may not allow it."""
    section = _first_section(preview(files[0].getvalue(), files[0].name, settings))
    if section is None:
        return
    try:
        userdata.keep_mapping(snapshot.user_folder(), header_key(section.headings), settings.reader)
    except userdata.UserDataError as error:
        told = say("The choice of columns could not be kept: {reason}", reason=error)
        st.caption(as_markdown(told))


def _first_section(read: Preview) -> Section | None:
    sections = (section for each in read.sheets for section in each.sections)
    return next((each for each in sections if each.hands), None)


def _asked() -> SheetSettings | None:
    """Ask for game, house rules and players; return nothing while they do not go together."""
    left, middle, right = st.columns(3)
    variant = left.selectbox(
        say("Which game?"),
        variants(),
        index=variants().index("pedro"),
        format_func=lambda each: load_variant(each).title,
        key="sheet-variant",
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
    typed = right.text_input(
        say("Who plays, by seat"),
        key=_PLAYERS,
        placeholder=say("as the sheet says"),
        help=say(
            "Only where the sheet does not tell: the names in the order of the seats, partners "
            "across, separated by commas."
        ),
    )
    settings = SheetSettings(variant=variant, house=tuple(house), players=tuple(parts_of(typed)))
    seats, problem = len(settings.players), ""
    try:
        ruleset = resolved(settings.rules)
    except RulesetError as error:
        problem = say("These house rules cannot be used: {reason}", reason=error)
    else:
        allowed = ruleset.values["players"]
        if seats and seats not in allowed:
            problem = say(
                "Who plays holds {count} players; {game} takes {allowed}.",
                count=seats,
                game=ruleset.title,
                allowed=", ".join(map(str, allowed)),
            )
        elif seats and seats_problem(ruleset, seats):
            problem = say(
                "Who plays holds {count} players, but partnerships are for {pairs}.",
                count=seats,
                pairs=PARTNERSHIP,
            )
    if problem:
        st.error(as_markdown(problem))
    return None if problem else settings


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
    for at, column in enumerate(recognised):
        if at % _A_ROW == 0:
            places = st.columns(_A_ROW)
        said = (column.means, column.of)
        listed = choices if said in choices else [*choices, said]
        label = f"{column.at} {one_line(column.header)}"
        if column.sure < _FEW and column.means != Means.IGNORE:
            label = say("{column} (not sure)", column=label)
        pick = places[at % _A_ROW].selectbox(
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
    label = value_words("side", of)
    if of.isdecimal():
        known = dict(enumerate(section.labels, 1))
        label = known.get(int(of), say("side {number}", number=of))
    return f"{_MEANINGS[means]}: {one_line(label)}"


def _show_rows(section: Section, used: Sequence[Column]) -> None:
    st.caption(say("The first rows, as they are read:"))
    hands = [row for row, kind in section.rows if kind == Kind.HAND][:_FIRST_ROWS]
    rows = [
        [str(row.number), *(one_line(shown(row.cell(each.index))) for each in used)]
        for row in hands
    ]
    names = [_meaning((each.means, each.of), section) for each in used]
    row_head = say_in("column of a table", "row")
    show_table([row_head, *names], rows, name=say("The first rows"))


def _show_what_comes(read: Preview) -> None:
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
        st.caption(
            say(
                "This is of the first {shown} rows of {all}; a load reads all of them.",
                shown=number(read.rows_read),
                all=number(read.rows),
            )
        )
    row_head = say_in("column of a table", "row")

    def place(each: Any) -> Cell:  # noqa: ANN401 - a row refused, or a finding
        return f"{one_line(each.sheet)}, {each.row}" if len(read.sheets) > 1 else str(each.row)

    if read.refused:
        st.caption(say("Rows that make no hand:"))
        show_table(
            *in_columns(
                read.refused,
                (row_head, place),
                (say_in("column of a table", "why"), lambda each: one_line(each.why)),
                (say("what to do"), lambda each: on_page(each.hint)),
            ),
            name=say("Rows refused"),
            most=_MOST_SHOWN,
        )
    if read.found:
        st.caption(say("What does not fit the rules or does not add up:"))
        show_table(
            *in_columns(
                read.found,
                (row_head, place),
                (say_in("column of a table", "cells"), lambda each: each.cells),
                (say_in("column of a table", "finding"), lambda each: title_of(each.finding.code)),
                (say("what is wrong"), lambda each: one_line(str(each.finding.said))),
                (say_in("column of a table", "rule"), lambda each: each.finding.rule),
            ),
            name=say_in("a number of them", "Findings"),
            most=_MOST_SHOWN,
        )


def _ask_whose_score(read: Preview, section: Section) -> bool:
    """Ask whose a column of a side is, where only its place would tell; return whether it is."""
    seatings = [each for sheet in read.sheets for each in sheet.seatings]
    if (
        not any(each.is_guessed for each in seatings)
        or len({each.players for each in seatings}) > 1
    ):
        return False
    players = seatings[0].players
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
