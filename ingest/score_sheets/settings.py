"""How a score sheet is to be read: its game, its players, and what its columns mean.

The same settings stand in a mapping file, which people edit, in the user's file, and beside a load,
so that a rebuild reads the sheet as it was read before.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from pathlib import PurePath
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from tricklog.core.rulesets.guarded_toml import TomlError, read_toml
from tricklog.ingest.reading.shapes import READ_ARCHIVES
from tricklog.ingest.score_sheets.grid import column_of
from tricklog.ingest.score_sheets.words import OF_A_SIDE, Means, key
from tricklog.ingest.text_form.problems import did_you_mean
from tricklog.schemas.hand import RulesRef

PREFIX: Final = "score-sheet:"
"""How the name of a reader of logs begins that reads score sheets: its settings follow as JSON."""
SUFFIXES: Final = (".csv", ".tsv", ".tab", ".xlsx", ".ods")
"""What score sheets end in."""
ROLES: Final = ("makers", "defenders")


class Sure(IntEnum):
    """How sure what a column means is, out of 100, by how it is known."""

    EXACT = 95
    """All of the heading is known words."""
    IN_PART = 85
    """A part of it is."""
    BY_CONTENT = 75
    """What stands below says which of several meanings it is."""
    GUESSED = 50
    """The heading says nothing, and what stands below speaks for it."""
    NOT_KNOWN = 30


class Column(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a column means."""

    at: str
    """Its letter; empty where a mapping has its heading alone."""
    means: Means
    header: str = ""
    of: str = ""
    """Of a column of points or scores: ``1``, ``2`` … for the side, or the player, whose column is
    the first, second …; or ``makers`` or ``defenders``."""
    sure: int = 100
    """How sure that is, out of 100."""

    @property
    def index(self) -> int:
        """Its place, from 0."""
        return column_of(self.at) or 0

    def unused(self) -> Column:
        """Return it as one whose meaning is not known."""
        return Column(self.at, Means.IGNORE, self.header, "", Sure.NOT_KNOWN)


class SheetSettings(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a sheet is read; what is not said is recognised."""

    variant: str = ""
    house: tuple[str, ...] = ()
    """House rules by number."""
    definition: dict[str, Any] = {}
    """The content of a rules file of the user's own; its id is the variant."""
    players: tuple[str, ...] = ()
    """Who plays, in the order of the seats."""
    name: str = ""
    """What the games are called after; the name of the file without it."""
    dates: Literal["", "day first", "month first"] = ""
    columns: tuple[Column, ...] = ()
    names: dict[str, str] = {}
    """By the name of a file what its games are called after, where another sheet has that name."""
    moved: dict[str, str] = {}
    """By the content hash of a row the id under which it is stored, from where it stood before."""

    def called(self, file: str) -> str:
        """Return what the games of a file are called after: its name has no folder or suffixes."""
        stem = PurePath(file).name
        for suffix in (*READ_ARCHIVES, *SUFFIXES):
            stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) else stem
        return self.names.get(file) or self.name or stem[:80] or "sheet"

    @property
    def headings(self) -> frozenset[str]:
        """The headings that the columns name, as words are compared."""
        return frozenset(key(each.header) for each in self.columns if each.header)

    @property
    def reader(self) -> str:
        """The name by which a load is told to read logs like this."""
        return PREFIX + msgspec.json.encode(self, order="deterministic").decode()

    @property
    def rules(self) -> RulesRef:
        """The rules as a hand names them."""
        options: dict[str, Any] = {"house_rules": list(self.house)} if self.house else {}
        return RulesRef(
            self.variant,
            options=options or msgspec.UNSET,
            definition=self.definition or msgspec.UNSET,
        )


class MappingError(Exception):
    """A mapping that cannot be used; the sentence says what to correct."""


def settings_of(reader: str) -> SheetSettings | None:
    """Return the settings that the name of a reader of logs carries; nothing for an adapter."""
    if not reader.startswith(PREFIX):
        return None
    try:
        return msgspec.json.decode(reader[len(PREFIX) :], type=SheetSettings)
    except msgspec.DecodeError as error:
        raise MappingError(f"These settings of a score sheet cannot be read: {error}.") from error


def is_sheet_name(name: str) -> bool:
    """Whether a file of this name is a score sheet, by its ending."""
    name = name.lower()
    for suffix in (".gz", ".zst"):
        name = name.removesuffix(suffix)
    return name.endswith(SUFFIXES)


def merged(first: SheetSettings, other: SheetSettings) -> SheetSettings:
    """Return settings with what ``first`` leaves open taken from ``other``."""
    empty = SheetSettings()
    said = {
        name: getattr(other, name)
        for name in SheetSettings.__struct_fields__
        if getattr(first, name) == getattr(empty, name)
    }
    if first.variant:
        said["definition"] = first.definition
    return replace(first, **said)


# --- As people edit it


def read_mapping(text: str) -> SheetSettings:
    """Return the settings of a mapping file.

    Raises ``MappingError`` that says where and what to correct.
    """
    try:
        data = read_toml(text.encode())
    except TomlError as error:
        raise MappingError(f"it {error}") from error
    known = {*SheetSettings.__struct_fields__, "column"} - {"columns", "names", "moved"}
    for name in data:
        if name not in known:
            listed = did_you_mean(name, sorted(known), f"; known are {', '.join(sorted(known))}")
            raise MappingError(f"there is no {name!r} in a mapping{listed}")
    columns = data.pop("column", [])
    if not isinstance(columns, list) or not all(isinstance(each, dict) for each in columns):
        raise MappingError("columns are written as [[column]], one after the other")
    data["columns"] = [_column(number, each) for number, each in enumerate(columns, 1)]
    for name in ("house", "players"):
        if isinstance(data.get(name), str):
            data[name] = parts_of(data[name])
    try:
        return msgspec.convert(data, SheetSettings)
    except msgspec.ValidationError as error:
        raise MappingError(f"{error}") from error


def _column(number: int, said: dict[str, Any]) -> dict[str, Any]:
    where = f"column {number} ({said.get('at') or said.get('header') or 'without a letter'})"
    means, of = str(said.get("means", "")), str(said.get("of", ""))
    if means not in list(Means):
        hint = did_you_mean(means, list(Means), f"; known are {', '.join(Means)}")
        raise MappingError(f"{where} cannot mean {means!r}{hint}")
    at = str(said.get("at", ""))
    if not at and not said.get("header"):
        raise MappingError(f'{where} needs its heading, header = "Bid", or its letter, at = "D"')
    if at and column_of(at) is None:
        raise MappingError(f'{where}: {at!r} is no letter of a column, such as at = "D"')
    if of and means not in OF_A_SIDE:
        raise MappingError(f"{where}: {means} is not of a side; leave out of = {of!r}")
    if of and of not in (*ROLES, *"1234567"):
        raise MappingError(f"{where}: of is a number, 1 for the first side, or makers or defenders")
    return {**said, "at": at, "means": means, "of": of}


def write_mapping(settings: SheetSettings) -> str:
    """Return settings as a mapping file."""
    lines = ["# How this score sheet is read. Change what is wrong; docs/score-sheets.md explains."]
    for name in ("variant", "house", "players", "name", "dates"):
        value = getattr(settings, name)
        if value:
            lines.append(f"{name} = {_toml(value)}")
        elif name in ("variant", "players"):
            lines.append(f"# {name} = {_EXAMPLES[name]}")
    for column in settings.columns:
        lines += ["", "[[column]]"]
        sure = "" if column.sure >= _SURE else f"    # {column.sure} % sure"
        for name in ("at", "header", "means", "of"):
            if value := getattr(column, name):
                lines.append(f"{name} = {_toml(value)}{sure if name == 'means' else ''}")
    if settings.definition:
        lines += ["", "# Rules of your own are named on the command line: --variant FILE.toml"]
    return "\n".join(lines) + "\n"


_SURE: Final = 90
_EXAMPLES: Final = {"variant": '"pedro"', "players": '["Ann", "Bo", "Cy", "Dee"]'}


def _toml(value: object) -> str:
    # Strings and lists of strings are the same in JSON, but for DEL, which TOML wants escaped.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def parts_of(text: str) -> list[str]:
    """Return what stands between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def header_key(headers: Iterable[str]) -> str:
    """Return by what a sheet is known again: the words of its header."""
    return "|".join(key(header) for header in headers).strip("|")
