"""The options by which score sheets are read, what they come to, and what a sheet says by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cyclopts import Parameter

from tricklog.ingest.cli import output
from tricklog.ingest.cli.arguments import recognised
from tricklog.ingest.cli.output import UserError, own_command, remark
from tricklog.ingest.cli.rulesets import rules_named
from tricklog.ingest.score_sheets import settings as sheet_settings
from tricklog.ingest.score_sheets.settings import MappingError, SheetSettings, is_sheet_name
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.score_sheets.reader import ReadSheet

_SHOWN: Final = 10
"""Rows that cannot be read that are shown."""


@Parameter(name="*")
@dataclass(frozen=True)
class SheetOptions:
    """How score sheets are read.

    Attributes:
        variant: The kind of game that score sheets (.csv, .tsv, .xlsx, .ods) are of: a variant by
            name, or a TOML file with rules of your own. Of logs that are audited, what every hand
            is judged by, instead of the rules that it names.
        house: Of score sheets the house rules by number, such as O01,O14.
        players: Of score sheets who plays, in the order of the seats: Ann,Bo,Cy,Dee.
        mapping: What the columns of score sheets mean, as tricklog load --inspect prints it.
    """

    variant: str | None = None
    house: str | None = None
    players: str | None = None
    mapping: Path | None = None

    def reads(self, paths: Sequence[str]) -> bool:
        """Whether paths are score sheets, by what they are or by an option for these alone."""
        from tricklog.ingest.score_sheets.grid import is_counter_file

        said = any((self.house, self.players, self.mapping))
        return said or any(is_sheet_name(each) or is_counter_file(Path(each)) for each in paths)

    @property
    def is_said(self) -> bool:
        """Whether any of them is given."""
        return any((self.variant, self.house, self.players, self.mapping))


UNSAID: Final = SheetOptions()


def reader_of(
    paths: Sequence[str],
    options: SheetOptions,
    adapter: str | None,
    kept: SheetSettings | None = None,
) -> str | None:
    """Return what reads the paths: score sheets by their options or ``kept``, else ``adapter``."""
    sheets = [path for path in paths if is_sheet_name(path)]
    if adapter is None and not (sheets or options.variant or options.mapping):
        from tricklog.ingest.score_sheets.grid import is_counter_file

        for path in paths:
            if is_counter_file(Path(path)):
                # It does not say who plays what.
                raise UserError(
                    f"{path} is a game that pidro-counter keeps: bids and scores of two sides, "
                    "without the names of who played",
                    "Say which game it is, and who played, in the order of the seats, partners "
                    "across: --variant pidro --players Ann,Bo,Cy,Dee.",
                )
    if not sheets and not options.is_said:
        return adapter
    if adapter is not None:
        raise UserError(
            "--from is for logs of other programs, and these are score sheets",
            "Leave one of them out.",
        )
    if sheets and len(sheets) < len(paths):
        raise UserError(
            "score sheets are read apart from logs", f"First read {' '.join(sheets)} alone."
        )
    return settings_for(options, kept).reader


def reader_for(
    db: str,
    paths: Sequence[str],
    options: SheetOptions,
    adapter: str | None,
    *,
    is_told: bool,
    is_kept: bool,
) -> str | None:
    """Return what reads logs into a warehouse; sheets with a header met before as they were then.

    ``is_told``: whether it is said as whose logs they are read; ``is_kept``: whether what a mapping
    says is kept for the next such sheet.
    """
    from tricklog.ingest.warehouses import is_lake

    content = b"" if is_lake(db) else _first_content(paths)
    kept = _kept_settings(db, content) if content else None
    reader = reader_of(paths, options, adapter, kept) or recognised(paths, is_told=is_told)
    if reader is not None and options.mapping and is_kept:
        if content:
            _keep_settings(db, content, settings_for(options, kept), reader)
    elif kept is not None and kept.columns and not options.mapping:
        remark("The columns mean what was said of such a sheet before")
    if kept is not None and kept.players and not (options.players or options.mapping):
        names = ", ".join(kept.players)
        remark(f"Who plays was said of such a sheet before: {names}; --players names others")
    return reader


def settings_for(options: SheetOptions, kept: SheetSettings | None = None) -> SheetSettings:
    """Return the settings that options say; what they leave open the mapping says, then ``kept``.

    Raises ``UserError`` where no game is named, or something named is not there.
    """
    house, players = map(sheet_settings.parts_of, (options.house or "", options.players or ""))
    said = SheetSettings(house=tuple(house), players=tuple(players))
    if options.variant:
        rules = rules_named(options.variant)
        named = SheetSettings(variant=rules.variant, definition=rules.definition or {})
        said = sheet_settings.merged(said, named)
    if path := options.mapping:
        try:
            mapping = sheet_settings.read_mapping(path.read_text("utf-8-sig"))
        except MappingError as error:
            raise UserError(f"{path}: {error}", "Correct it there.") from error
        except UnicodeDecodeError as error:
            raise UserError(f"{path} is no text in UTF-8", "Save it as UTF-8.") from error
        except OSError as error:
            raise UserError(f"{path} cannot be read: {error.strerror}") from error
        said = sheet_settings.merged(said, mapping)
    if kept is not None:
        said = sheet_settings.merged(said, kept)
    if not said.variant:
        raise UserError(
            "a score sheet does not say which game it is of",
            f"Say which: --variant pedro; {own_command()} rules lists the games.",
        )
    _need_rules(said)
    return said


def _need_rules(settings: SheetSettings) -> None:
    from tricklog.core import RulesetError
    from tricklog.core.rulesets.ruleset import resolved, seats_problem

    try:
        ruleset = resolved(settings.rules)
    except RulesetError as error:
        is_house = error.pointer.startswith("/rules/options")
        said = "--house" if is_house else "these rules cannot be used:"
        see = f"See {own_command()} rules {settings.variant}."
        raise UserError(f"{said} {error.message}", see) from error
    problem = seats_problem(ruleset, len(settings.players)) if settings.players else None
    if problem:
        raise UserError(f"--players {problem}", "Name each player once, in the order of the seats.")


def _first_content(paths: Sequence[str]) -> bytes:
    """Return the bytes of the first score sheet among the paths; none where it cannot be read."""
    sheets = [path for path in paths if is_sheet_name(path)]
    if not sheets:
        return b""
    from tricklog.ingest.reading.sources import SourceError, find_sources
    from tricklog.ingest.score_sheets.reader import content_of, grids_of

    try:
        (source,) = find_sources(sheets[:1])
        content = content_of(source)
        grids_of(content)
    except SourceError:
        # Whoever reads it says what is wrong with it.
        return b""
    return content


def _kept_settings(db: str, content: bytes) -> SheetSettings | None:
    from tricklog.ingest.score_sheets.reader import headers_of
    from tricklog.ingest.store.userdata import kept_mapping

    for header in headers_of(content):
        try:
            if found := kept_mapping(db, header):
                return sheet_settings.settings_of(found)
        except MappingError:
            continue
    return None


def _keep_settings(db: str, content: bytes, settings: SheetSettings, reader: str) -> None:
    """Keep how such sheets are read; what cannot be kept is no reason not to load."""
    from tricklog.ingest.score_sheets.reader import header_of
    from tricklog.ingest.store.userdata import UserDataError, keep_mapping

    header = header_of(content, settings)
    try:
        Path(db).mkdir(parents=True, exist_ok=True)
        keep_mapping(db, header, reader)
    except (UserDataError, OSError) as error:
        remark(f"The mapping could not be kept: {error}")


def print_meaning(paths: Sequence[str], options: SheetOptions, *, json: bool) -> int:
    """Print what the columns of a sheet mean, as a mapping or an object; return the exit status."""
    from tricklog.ingest.reading.rejects import printable
    from tricklog.ingest.reading.sources import SourceError, find_sources
    from tricklog.ingest.score_sheets.reader import (
        MOST_READ,
        content_of,
        read_content,
        recognised_settings,
    )

    if len(paths) > 1:
        raise UserError("--inspect looks at one score sheet", "Name one file.")
    (file,) = paths
    settings = settings_for(options)
    (source,) = find_sources(paths)
    try:
        sheets = read_content(content_of(source), source.name, settings, MOST_READ)
    except SourceError as error:
        raise UserError(f"{file}: {error.message.rstrip('.')}", error.hint) from error
    read = [(each, _wrong_rows(each)) for each in sheets]
    found = recognised_settings(sheets, settings)
    if json:
        told = [
            {
                "sheet": each.name,
                "rows": Counter(fate.kind.value for fate in each.fates),
                "is_cut": each.is_cut,
                "players": [list(seating.players) for seating in each.seatings],
                "wrong": [{"row": row, "why": why} for row, why in wrong],
            }
            for each, wrong in read
        ]
        output.print_json({"columns": found.columns, "sheets": told})
    else:
        said = (line for each, wrong in read for line in _told(file, each, wrong))
        remarks = [f"# {printable(line)}" for line in said]
        output.write_text("\n".join([*remarks, sheet_settings.write_mapping(found)]))
    return (
        output.UNREADABLE if any(wrong or each.trouble for each, wrong in read) else output.SUCCESS
    )


def _wrong_rows(read: ReadSheet) -> list[tuple[int, str]]:
    """Return the rows that make no hand, each with the reason."""
    found = []
    for fate in read.fates:
        if fate.trouble is not None:
            found.append((fate.row.number, fate.trouble.message.rstrip(".")))
        elif fate.line is not None and fate.line.wrong:
            found.append((fate.row.number, "; ".join(map(str, fate.line.wrong))))
    return found


def _told(file: str, read: ReadSheet, wrong: Sequence[tuple[int, str]]) -> Iterator[str]:
    from tricklog.ingest.score_sheets.grid import MAX_ROWS

    kinds = Counter(fate.kind.value for fate in read.fates)
    name = f"{file}[{read.name}]" if read.name else file
    nouns = {"header": "row of headings", "title": "title", "footer": "row of totals"}
    rows = [counted(kinds["hand"], "row")]
    rows += [f"{kinds[kind]:,} x {noun}" for kind, noun in nouns.items() if kinds[kind]]
    rows += [f"{kinds['blank']:,} blank"] if kinds["blank"] else []
    yield f"{name}: {', '.join(rows)}"
    for seating in read.seatings:
        yield f"Players in the order of the seats: {', '.join(seating.players)}"
    games = {fate.record["game"] for fate in read.fates if fate.record}
    yield f"{counted(kinds['hand'] - len(wrong), 'hand')} in {counted(len(games), 'game')}"
    for row, why in wrong[:_SHOWN]:
        yield f"Row {row} makes no hand: {why}"
    if len(wrong) > _SHOWN:
        yield f"and {len(wrong) - _SHOWN:,} more rows make no hand"
    if read.trouble is not None:
        yield read.trouble.message
    if read.is_cut:
        yield f"This is of the first {len(read.fates):,} rows; a load reads {MAX_ROWS:,} at most"
