"""The options by which score sheets are read, and what they come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cyclopts import Parameter

from tricklog.ingest.cli.output import UserError, own_command, remark
from tricklog.ingest.cli.rulesets import rules_named
from tricklog.ingest.score_sheets.settings import (
    MappingError,
    SheetSettings,
    is_sheet_name,
    merged,
    parts_of,
    read_mapping,
    settings_of,
)


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
    """Return what reads the paths: score sheets by their options, else ``adapter``.

    ``kept`` are the settings by which such sheets were read before. Raises ``UserError`` for paths
    and options that do not go together.
    """
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


def settings_for(options: SheetOptions, kept: SheetSettings | None = None) -> SheetSettings:
    """Return the settings that options say; what they leave open the mapping says, then ``kept``.

    Raises ``UserError`` where no game is named, or something named is not there.
    """
    said = SheetSettings(
        house=tuple(parts_of(options.house or "")),
        players=tuple(parts_of(options.players or "")),
    )
    if options.variant:
        rules = rules_named(options.variant)
        named = SheetSettings(variant=rules.variant, definition=rules.definition or {})
        said = merged(said, named)
    if options.mapping:
        said = merged(said, _mapping_in(options.mapping))
    if kept is not None:
        said = merged(said, kept)
    if not said.variant:
        raise UserError(
            "a score sheet does not say which game it is of",
            f"Say which: --variant pedro; {own_command()} rules lists the games.",
        )
    _need_rules(said)
    return said


def _mapping_in(path: Path) -> SheetSettings:
    try:
        return read_mapping(path.read_text("utf-8-sig"))
    except MappingError as error:
        raise UserError(f"{path}: {error}", "Correct it there.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no text in UTF-8", "Save it as UTF-8.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error


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


def header_in(paths: Sequence[str], settings: SheetSettings) -> str:
    """Return by what the first score sheet among the paths is known again, if there is one."""
    from tricklog.ingest.score_sheets.reader import header_of

    content = _first_content(paths)
    return header_of(content, settings) if content else ""


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


def kept_settings(db: str, paths: Sequence[str]) -> SheetSettings | None:
    """Return how sheets with the headings of the first one were read before, if that was said."""
    from tricklog.ingest.warehouses import is_lake

    content = b"" if is_lake(db) else _first_content(paths)
    if not content:
        return None
    from tricklog.ingest.score_sheets.reader import headers_of
    from tricklog.ingest.store.sheet_mappings import kept_mapping

    for header in headers_of(content):
        try:
            if found := kept_mapping(db, header):
                return settings_of(found)
        except MappingError:
            continue
    return None


def keep_settings(db: str, header: str, reader: str) -> None:
    """Keep how sheets with a header are read; what cannot be kept is no reason not to load."""
    from tricklog.ingest.store.sheet_mappings import keep_mapping
    from tricklog.ingest.store.userdata import UserDataError
    from tricklog.ingest.warehouses import is_lake

    if is_lake(db):
        return
    try:
        Path(db).mkdir(parents=True, exist_ok=True)
        keep_mapping(db, header, reader)
    except (UserDataError, OSError) as error:
        remark(f"The mapping could not be kept: {error}")
