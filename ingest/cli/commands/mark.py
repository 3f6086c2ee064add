"""``tricklog mark``: tags and notes of hands, notes about players, and ids that are one player."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from tricklog.ingest.cli import output
from tricklog.ingest.cli.arguments import DEFAULT_DB, Dashed, Flag, Several, Warehouse
from tricklog.ingest.cli.conditions import Chosen
from tricklog.ingest.cli.failure_state import explained_failures, opened
from tricklog.ingest.cli.figures import set_aside_by
from tricklog.ingest.cli.output import UserError, print_json, put, show, values_of
from tricklog.ingest.metrics.listings import hashes_behind
from tricklog.ingest.store import aliases, marks
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.queries import hashes_of, ids_of
from tricklog.ingest.warehouses import warehouse_at
from tricklog.schemas.words import counted

EXAMPLES = {
    "alias": """\
  tricklog mark alias add ann-phone ann --db club     # both count as ann
  tricklog mark alias list
  tricklog mark alias remove ann-phone                # as it was before""",
    "note": """\
  tricklog mark note add friday-2-7 "Bo could have led the king." --db club
  tricklog mark note add --player ann "Passes with the ace of trumps."
  tricklog mark note list                            # all notes with their numbers
  tricklog mark note list friday-2-7
  tricklog mark note change 3 "Bo should have led the king."
  tricklog mark note remove 3
  tricklog mark note export > notes.json
  tricklog mark note import notes.json --db other""",
    "tag": """\
  tricklog mark tag add lesson friday-2-7 friday-2-8 --db club
  tricklog mark tag add close --where margin=0 --where variant=pedro
  tricklog mark tag list --db club  # which tags there are, and on how many hands
  tricklog mark tag list lesson                       # the hands with a tag
  tricklog mark tag remove lesson friday-2-8
  tricklog mark tag export > tags.json
  tricklog mark tag import tags.json --db other
  tricklog stats made-rate --where tag=lesson""",
}
_Found = TypeVar("_Found")


def tag(
    action: Literal["add", "remove", "list", "export", "import"],
    /,
    *words: Dashed,
    where: Several = (),
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Give hands tags, take them away, and list them.

    Tags stand in a file of the users beside what was loaded. They belong to the content of a hand,
    so they outlast loads and rebuilds. Figures can be grouped and filtered by them, as by
    --where tag=lesson.

    Args:
        action: add, remove, list, export or import.
        words: For add and remove the tag, then ids of hands. For list a tag, or nothing. For import
            a file, or - for standard input.
        where: DIMENSION=VALUE, all hands for which it holds; may be given several times.
        json: Print JSON.
    """
    if action not in ("add", "remove"):
        _need_none(f"tag {action}", where, "--where")
    if action == "list":
        _list_tags(db, words, json=json)
    elif action == "export":
        _need_none("tag export", words)
        print_json(marks.as_document(marks.Marks(tags=_of_users(db, marks.marks).tags)))
    elif action == "import":
        put(f"{' and '.join(_taken_in(db, words))} are new.")
    elif not words or not (words[1:] or where):
        raise UserError(
            f"tag {action} needs a tag and hands",
            f"Write tricklog mark tag {action} TAG HAND..., or choose the hands with --where.",
        )
    else:
        name, *ids = words
        hashes = _hashes(db, ids, where)
        change = marks.add_tag if action == "add" else marks.remove_tag
        changed = _of_users(db, change, hashes, name)
        hands, same = counted(changed, "hand"), len(hashes) - changed
        said = f"{hands} tagged {name}" if action == "add" else f"{name} taken from {hands}"
        put(f"{said}; {same:,} were as they are." if same else f"{said}.")


def _list_tags(db: str, words: Sequence[str], *, json: bool) -> None:
    found = _of_users(db, marks.marks)
    if not words:
        hands = found.by_tag()
        show(hands, (f"{name}  {counted(each, 'hand')}" for name, each in hands.items()), json=json)
        return
    wanted = {each.casefold() for each in words}
    hashes = {hashed for hashed, name in found.tags if name.casefold() in wanted}
    if not (hashes or json):
        near = output.guess(words[0], found.by_tag())
        raise UserError(
            f"no hand in {db} has the tag {' or '.join(words)}",
            f"{near}tricklog mark tag list {db_option(db)} names them.",
        )
    with opened(db) as tables:
        ids = sorted(ids_of(tables, hashes).values())
    left = len(hashes) - len(ids)
    waiting = f"{counted(left, 'tagged hand')} not stored here now; the tags wait for them."
    show(ids, [*ids, waiting] if left else ids, json=json)


def note(
    action: Literal["add", "change", "remove", "list", "export", "import"],
    /,
    *words: Dashed,
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
        _add_note(words, player, db)
    elif action == "change":
        if len(words) != 2:  # noqa: PLR2004 - number and text
            raise UserError(
                "note change needs a number and a note",
                'Write tricklog mark note change 3 "What it says".',
            )
        before = _numbered(words[0], db)
        _of_users(db, marks.change_note, before.note_id, before.text, words[1])
        put(f"Note {before.note_id} is changed.")
    elif action == "remove":
        if not words:
            raise UserError("note remove needs numbers", "tricklog mark note list has them.")
        for each in [_numbered(word, db) for word in dict.fromkeys(words)]:
            _of_users(db, marks.remove_note, each.note_id)
            put(f"Note {each.note_id} is removed.")
    elif action == "list":
        _list_notes(words, player, db, json=json)
    elif action == "export":
        _need_none("note export", words)
        print_json(marks.as_document(marks.Marks(notes=_of_users(db, marks.marks).notes)))
    else:
        put(f"{' and '.join(reversed(_taken_in(db, words)))} are new.")


def _add_note(words: Sequence[str], player: str | None, db: str) -> None:
    if len(words) != (2 if player is None else 1):
        raise UserError(
            "note add needs a hand and a note",
            'Write tricklog mark note add HAND "What you noticed", or note add --player ID "…".',
        )
    if player is not None:
        _need_player(player, db)
    about: marks.About = "hand" if player is None else "player"
    subject = player or _hashes(db, words[:1])[0]
    _of_users(db, marks.add_note, about, subject, words[-1])
    put(f"The note about {player or words[0]} is kept.")


def _need_player(player: str, db: str) -> None:
    with opened(db) as tables:
        known = [each for (each,) in tables.execute("SELECT player FROM players").fetchall()]
    if player not in known:
        raise UserError(
            f"no player in {db} has the id {player!r}",
            f"{output.guess(player, known)}tricklog list players {db_option(db)} names them.",
        )


def _numbered(word: str, db: str) -> marks.Note:
    for each in _of_users(db, marks.marks).notes:
        if str(each.note_id) == word:
            return each
    raise UserError(f"there is no note {word}", "tricklog mark note list has the numbers.")


def _list_notes(words: Sequence[str], player: str | None, db: str, *, json: bool) -> None:
    notes = _of_users(db, marks.marks).notes
    if words or player:
        subjects = {("player", player), *(("hand", each) for each in _hashes(db, words))}
        notes = tuple(each for each in notes if (each.about, each.subject) in subjects)
        if player and not notes:
            _need_player(player, db)
    with opened(db) as tables:
        ids = ids_of(tables, {each.subject for each in notes if each.about == "hand"})
    told, lines = [], list[str]()
    for each in notes:
        hand = ids.get(each.subject) if each.about == "hand" else None
        what = hand or "a hand that is not stored here now"
        if each.about == "player":
            what = f"player {each.subject}"
        head = {"note": each.note_id, "about": each.about, "hand_id": hand}
        told.append(head | values_of(each, without=["note_id", "about"]))
        lines.append(f"{each.note_id}  {what}, {each.written_at[:10]}")
        lines += (f"   {line}" for line in each.text.split("\n"))
    show(told, lines, json=json)


def alias(
    action: Literal["add", "remove", "list"],
    /,
    *players: Dashed,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Count two ids of one player as one player.

    Every figure, list and page counts the two as one from then on. What was loaded is not changed,
    and the alias can be taken back. Two ids that ever sat at one table are two people.

    Args:
        action: add, remove or list.
        players: For add the id that is to stand for another player, and the id of that player. For
            remove the ids that are to stand for themselves again.
        json: Print JSON.
    """
    if action == "add":
        if len(players) != 2:  # noqa: PLR2004 - who, and whom they are
            raise UserError(
                "alias add needs two ids",
                "Write tricklog mark alias add OTHER-ID ID: hands of OTHER-ID then count as ID's.",
            )
        player, stands_for = players
        hint = "tricklog mark alias list says who stands for whom."
        with opened(db) as tables, output.in_words(aliases.AliasError, hint):
            aliases.add_alias(warehouse_at(db).user_folder(), tables, player, stands_for)
        put(
            f"What was played as {player} counts as {stands_for}'s from now on. Take it back with "
            f"tricklog mark alias remove {player}."
        )
    elif action == "remove":
        if not players:
            raise UserError("alias remove needs an id", "tricklog mark alias list has them.")
        for player in players:
            if not _of_users(db, aliases.remove_alias, player):
                raise UserError(
                    f"{player} stands for nobody else", "tricklog mark alias list says who does."
                )
            put(f"{player} is a player of their own again.")
    else:
        _need_none("alias list", players)
        _list_aliases(db, json=json)


def _list_aliases(db: str, *, json: bool) -> None:
    found = _of_users(db, aliases.aliases)
    apart = {each.player: each for each in set_aside_by(db)} if found else {}
    told, lines = [], list[str]()
    for player, whom in found:
        told.append({"player": player, "stands_for": whom})
        lines.append(f"{player}  stands for {whom}")
        if player in apart:
            told[-1]["both_in"] = apart[player].hand
            lines.append(f"    set aside: {apart[player].sentence}")
    show(told, lines, json=json)


# --- What they share


def _need_none(action: str, given: Sequence[str], what: str = "") -> None:
    """Raise ``UserError`` for words that would be passed over."""
    if given:
        raise UserError(
            f"{action} has no place for {what or ' '.join(given)}",
            "Leave it out; what is printed can go into a file: > FILE.",
        )


def _of_users(db: str, how: Callable[..., _Found], *asked: object) -> _Found:
    """Read or write where the users of a warehouse write; say in a sentence what cannot be done."""
    with explained_failures(db):
        return how(warehouse_at(db).user_folder(), *asked)


def _hashes(db: str, ids: Sequence[str], where: Sequence[str] = ()) -> list[str]:
    """Return the content hashes of hands by their ids, and of those that conditions choose."""
    found: dict[str, None] = {}
    if ids:
        with opened(db) as tables:
            by_id = hashes_of(tables, ids)
            if missing := [each for each in ids if each not in by_id]:
                known = tables.execute("SELECT hand_id FROM hands").fetchmany(5_000)
                lists = f"{output.own_command()} list hands {db_option(db)} lists them."
                raise UserError(
                    f"there is no hand {missing[0]!r} in {db}",
                    f"{output.guess(missing[0], [row[0] for row in known])}{lists}",
                )
        found |= dict.fromkeys(by_id.values())
    if where:
        with Chosen(where=tuple(where)).opened(db) as (facts, filters):
            found |= dict.fromkeys(hashes_behind(facts, filters))
    return list(found)


class _Note(msgspec.Struct):
    about: marks.About
    subject: str
    text: str
    written_at: str = ""


class _Document(msgspec.Struct):
    """A file of tags and notes, as ``export`` writes it."""

    schema: Literal["tricklog-marks/1"]
    tags: dict[str, list[str]] = {}
    notes: list[_Note] = []


def _taken_in(db: str, words: Sequence[str]) -> list[str]:
    """Add what a file of tags and notes says; return how many of them are new, in words."""
    if len(words) != 1:
        raise UserError("import takes one file", "Name one that export wrote, or - for its text.")
    content = sys.stdin.buffer.read() if words[0] == "-" else Path(words[0]).read_bytes()
    try:
        document = msgspec.json.decode(content, type=_Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(
            f"{words[0]} is no file of tags and notes: {error}",
            'It is what export writes: {"schema": "tricklog-marks/1", "tags": {…}, "notes": […]}.',
            status=output.UNREADABLE,
        ) from error
    notes = [msgspec.structs.astuple(each) for each in document.notes]
    tags, new = _of_users(db, marks.take_in, document.tags, notes)
    return [counted(tags, "tag"), counted(new, "note")]
