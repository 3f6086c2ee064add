"""What the parts of ``tricklog mark`` share: which hands are meant, and files of marks."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal

import msgspec

from tricklog.ingest.cli.output import UNREADABLE, UserError, guess, own_command

if TYPE_CHECKING:
    from tricklog.ingest.store.marks import Marks

Action = Literal["add", "remove", "list", "export", "import"]


class _Note(msgspec.Struct):
    about: Literal["hand", "player"]
    subject: str
    text: str
    written_at: str = ""


class Document(msgspec.Struct):
    """A file of tags and notes, as ``export`` writes it."""

    schema: Literal["tricklog-marks/1"]
    tags: dict[str, list[str]] = {}
    notes: list[_Note] = []


@contextmanager
def explained() -> Iterator[None]:
    """Turn what cannot be written into an error of the user's."""
    from tricklog.ingest.store.userdata import UserDataError, WordsError

    try:
        yield
    except WordsError as error:
        raise UserError(str(error)) from error
    except UserDataError as error:
        raise UserError(str(error), status=UNREADABLE) from error


def hashes_of_hands(db: str, ids: Sequence[str], where: Sequence[str] = ()) -> list[str]:
    """Return the content hashes of hands by their ids and of those that conditions choose.

    Raises ``UserError`` for an id that no hand has, and for conditions that cannot be asked.
    """
    from tricklog.ingest.cli.failure_state import opened
    from tricklog.ingest.store.hashes import hashes_of

    found: dict[str, None] = {}
    if ids:
        with opened(db) as tables:
            by_id = hashes_of(tables, ids)
            if missing := [each for each in ids if each not in by_id]:
                known = [
                    row[0] for row in tables.execute("SELECT hand_id FROM hands").fetchmany(5_000)
                ]
                raise UserError(
                    f"there is no hand {missing[0]!r} in {db}; nothing was changed",
                    f"{guess(missing[0], known)}{own_command()} list hands --db {quote(db)} lists "
                    "them.",
                )
        found |= dict.fromkeys(by_id.values())
    if where:
        found |= dict.fromkeys(_hashes_where(db, where))
    return list(found)


def _hashes_where(db: str, where: Sequence[str]) -> list[str]:
    from tricklog.ingest.cli.conditions import Chosen
    from tricklog.ingest.metrics.listings import hashes_behind

    with Chosen(where=tuple(where)).opened(db) as (facts, filters):
        return hashes_behind(facts, filters)


def folder_of(db: str) -> Path:
    """Return where the users of a warehouse write. Raises ``UserError`` for none."""
    from tricklog.ingest.cli.failure_state import explained_failures
    from tricklog.ingest.warehouses import warehouse_at

    with explained_failures(db):
        return warehouse_at(db).user_folder()


def written(db: str) -> Marks:
    """Return all notes and tags of a warehouse. Raises ``UserError`` where they cannot be read."""
    from tricklog.ingest.store.marks import marks

    with explained():
        return marks(folder_of(db))


def take_in(db: str, words: Sequence[str]) -> tuple[int, int]:
    """Add what a file of tags and notes says, and return how many tags and notes are new.

    Raises ``UserError`` for a file that is none, with the place in it.
    """
    from tricklog.ingest.store import marks

    if len(words) != 1:
        raise UserError("import takes one file", "Name one that export wrote, or - for its text.")
    content = sys.stdin.buffer.read() if words[0] == "-" else Path(words[0]).read_bytes()
    try:
        document = msgspec.json.decode(content, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(
            f"{words[0]} is no file of tags and notes: {error}",
            'It is what export writes: {"schema": "tricklog-marks/1", "tags": {…}, "notes": […]}.',
            status=UNREADABLE,
        ) from error
    notes = [(each.about, each.subject, each.text, each.written_at) for each in document.notes]
    with explained():
        return marks.take_in(folder_of(db), document.tags, notes)
