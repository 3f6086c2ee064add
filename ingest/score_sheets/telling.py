"""What is said of a sheet beside its hands: columns that are not used, or are guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from tricklog.ingest.score_sheets.layout import Kind, Section
from tricklog.ingest.score_sheets.settings import Column, SheetSettings, Sure
from tricklog.ingest.score_sheets.words import Means, key
from tricklog.ingest.text_form.problems import did_you_mean
from tricklog.schemas.printable import one_line

MAP_IT: Final = "Say what the columns mean: tricklog load --inspect FILE prints a mapping to edit."
_ANOTHER = (
    "If this is another sheet or evening, give the file a name of its own, or its rows the day: "
    "the stored hands stay. "
)
CORRECT_IT: Final = (
    f"{_ANOTHER}Only if this row was corrected, load the sheet with --correct: it says which "
    "stored hands it replaces, and asks where it agrees with few of them."
)
CORRECT_IN_LAKE: Final = (
    f"{_ANOTHER}If this row was corrected, load the sheet into a new lake, or into a warehouse in "
    "a folder: in a lake no row takes the place of a stored one."
)
_UNUSED: Final = "is not used"
ADVICE: Final = "; a mapping can say what it means, see tricklog load --inspect"
_MOST_NAMED: Final = 8
_CONTRACT: Final = frozenset(Means) - {
    Means.DATE,
    Means.GAME,
    Means.HAND,
    Means.DEALER,
    Means.TRUMP,
    Means.STAKE,
    Means.BEFORE,
    Means.REMARK,
    Means.IGNORE,
}
"""What says that something was bid or scored in a hand."""


class Told(NamedTuple):
    """What is said of a column."""

    row: int
    """Of its heading; of its first hand where it has none."""
    column: int
    """From 1."""
    message: str


def told_of(sections: Sequence[Section], settings: SheetSettings) -> list[Told]:
    """Return what is said of the columns of a sheet, each once: not used, or guessed."""
    said = {(each.means, key(each.header), each.at) for each in settings.columns}
    found: list[Told] = []
    seen: set[tuple[str, str]] = set()
    for section in sections:
        for each in section.columns:
            known = (each.at, key(each.header))
            if known in seen or not _is_filled(section, each):
                continue
            seen.add(known)
            message = _message(each, section.labels, is_said=_is_said(each, said))
            if message == _UNUSED and all(_UNUSED not in other.message for other in found):
                message += ADVICE
            if message:
                row = _row_of(section)
                found.append(Told(row, each.index + 1, f"{_named(each, row)} {message}"))
    return found


def _is_said(column: Column, said: set[tuple[Means, str, str]]) -> bool:
    """Whether a mapping says of a column that it is not to be used."""
    return any(
        means == Means.IGNORE and (heading == key(column.header) if heading else at == column.at)
        for means, heading, at in said
    )


def _is_filled(section: Section, column: Column) -> bool:
    return any(row.cell(column.index) is not None for row in section.hands)


def _row_of(section: Section) -> int:
    heads = [row.number for row, kind in section.rows if kind == Kind.HEADER]
    return heads[-1] if heads else section.hands[0].number


def _named(column: Column, row: int) -> str:
    heading = f" {one_line(column.header)!r}" if column.header else ""
    return f"column {column.at}{heading} (cell {column.at}{row})"


def _message(column: Column, labels: Sequence[str], *, is_said: bool) -> str:
    if column.means == Means.IGNORE:
        return "" if is_said else _UNUSED
    if column.sure == Sure.GUESSED:
        whose = dict(enumerate(labels, 1)).get(int(column.of)) if column.of.isdecimal() else ""
        of = f" of {whose or f'side {column.of}'}" if column.of.isdecimal() else ""
        return f"is taken for {column.means.value}{of}, by what stands in it alone"
    return ""


def not_there(sections: Iterable[Section], settings: SheetSettings) -> Iterator[str]:
    """Return a sentence for each heading of a mapping that no table of a file has."""
    texts = {key(text): text for section in sections for text in section.headings if text}
    for each in settings.columns:
        if each.header and key(each.header) not in texts:
            hint = did_you_mean(each.header, texts.values(), "")
            heading = repr(one_line(each.header))
            yield f"the mapping names a heading {heading}, which is not here{hint}"


def named_anew(file: str, settings: SheetSettings) -> Iterator[str]:
    """Return a sentence for a file whose hands are not called after it, as others are."""
    if file in settings.names:
        taken = replace(settings, names={}).called(file)
        name = settings.names[file]
        yield f"{taken!r} is the name of another sheet, so the ids of these hands begin with {name}"


def says_nothing(section: Section) -> str:
    """Return a sentence for a table none of whose columns says what was bid or scored."""
    if any(each.means in _CONTRACT for each in section.columns):
        return ""
    named = [f"{each.at} {one_line(each.header)!r}" for each in section.columns if each.header]
    what = f" It is not known what {', '.join(named[:_MOST_NAMED])} mean." if named else ""
    return f"No column says what was bid or scored.{what}"
