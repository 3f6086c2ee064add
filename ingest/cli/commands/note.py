"""``tricklog mark note``: what users write about hands and players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.marked import explained, folder_of, hashes_of_hands, take_in, written
from tricklog.ingest.cli.output import UserError, out, print_json, put
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.store.marks import About, Note

EXAMPLES = """\
  tricklog mark note add friday-2-7 "Bo could have led the king." --db club
  tricklog mark note add --player ann "Passes with the ace of trumps."
  tricklog mark note list                            # all notes with their numbers
  tricklog mark note list friday-2-7
  tricklog mark note change 3 "Bo should have led the king."
  tricklog mark note remove 3
  tricklog mark note export > notes.json
  tricklog mark note import notes.json --db other"""


def note(
    action: Literal["add", "change", "remove", "list", "export", "import"],
    /,
    *words: Annotated[str, Parameter(allow_leading_hyphen=True)],
    player: str | None = None,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Write, change and list notes about hands and players.

    Notes stand in a file of the users beside what was loaded, and belong to the content of a hand,
    so they outlast loads and rebuilds.

    Args:
        action: add, change, remove, list, export or import.
        words: For add the id of a hand and the note, or with --player the note alone. For change
            the number of a note and what it is to say; for remove numbers. For list ids of hands,
            or nothing. For import a file, or - for standard input.
        player: The id of the player whom a note is about.
        json: Print JSON.
    """
    if action == "add":
        _add(words, player, db)
    elif action == "change":
        _change(words, db)
    elif action == "remove":
        _remove(words, db)
    elif action == "list":
        _list(words, player, db, json=json)
    elif action == "export":
        from tricklog.ingest.store.marks import Marks, as_document

        print_json(as_document(Marks(notes=written(db).notes)))
    else:
        tags, notes = take_in(db, words)
        out().print(f"{counted(notes, 'note')} and {counted(tags, 'tag')} are new.")


def _add(words: tuple[str, ...], player: str | None, db: str) -> None:
    from tricklog.ingest.store import marks

    if len(words) != (2 if player is None else 1):
        raise UserError(
            "note add needs a hand and a note",
            'Write tricklog mark note add HAND "What you noticed", or note add --player ID "…".',
        )
    about: About = "hand" if player is None else "player"
    subject = _known_player(db, player) if player else hashes_of_hands(db, words[:1])[0]
    with explained():
        marks.add_note(folder_of(db), about, subject, words[-1])
    put(f"The note about {player or words[0]} is kept.")


def _known_player(db: str, player: str) -> str:
    from tricklog.ingest.cli.output import guess

    with opened(db) as tables:
        known = [each for (each,) in tables.execute("SELECT player FROM players").fetchall()]
    if player not in known:
        raise UserError(
            f"no player in {db} has the id {player!r}",
            f"{guess(player, known)}tricklog stats hands --by player names them.",
        )
    return player


def _change(words: tuple[str, ...], db: str) -> None:
    from tricklog.ingest.store import marks

    if len(words) != 2:  # noqa: PLR2004 - number and text
        raise UserError(
            "note change needs a number and a note",
            'Write tricklog mark note change 3 "What it says".',
        )
    before = _numbered(words[0], db)
    with explained():
        marks.change_note(folder_of(db), before.note_id, before.text, words[1])
    out().print(f"Note {before.note_id} is changed.")


def _remove(words: tuple[str, ...], db: str) -> None:
    from tricklog.ingest.store import marks

    if not words:
        raise UserError("note remove needs numbers", "tricklog mark note list has them.")
    for each in [_numbered(word, db) for word in words]:
        with explained():
            marks.remove_note(folder_of(db), each.note_id)
        out().print(f"Note {each.note_id} is removed.")


def _numbered(word: str, db: str) -> Note:
    found = [each for each in written(db).notes if str(each.note_id) == word]
    if not found:
        raise UserError(f"there is no note {word}", "tricklog mark note list has the numbers.")
    return found[0]


def _list(words: tuple[str, ...], player: str | None, db: str, *, json: bool) -> None:
    from tricklog.ingest.store.hashes import ids_of

    notes = written(db).notes
    if words or player:
        subjects = {("player", player), *(("hand", each) for each in hashes_of_hands(db, words))}
        notes = tuple(each for each in notes if (each.about, each.subject) in subjects)
    hashes = {each.subject for each in notes if each.about == "hand"}
    with opened(db) as tables:
        ids = ids_of(tables, hashes)
    if json:
        print_json(
            [
                {
                    "note": each.note_id,
                    "about": each.about,
                    "hand_id": ids.get(each.subject) if each.about == "hand" else None,
                    "subject": each.subject,
                    "text": each.text,
                    "written_at": each.written_at,
                }
                for each in notes
            ]
        )
        return
    for each in notes:
        what = ids.get(each.subject, "a hand that is not stored here now")
        what = what if each.about == "hand" else f"player {each.subject}"
        put(f"{each.note_id}  {what}, {each.written_at[:10]}")
        for line in each.text.split("\n"):
            put(f"   {line}")
