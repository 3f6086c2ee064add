"""``tricklog mark tag``: words that users give hands, to find them and to count by them."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Several, Warehouse
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.marked import (
    Action,
    explained,
    folder_of,
    hashes_of_hands,
    take_in,
    written,
)
from tricklog.ingest.cli.output import UserError, out, print_json, put
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog mark tag add lesson friday-2-7 friday-2-8 --db club
  tricklog mark tag add close --where margin=0 --where variant=pedro
  tricklog mark tag list --db club  # which tags there are, and on how many hands
  tricklog mark tag list lesson                       # the hands with a tag
  tricklog mark tag remove lesson friday-2-8
  tricklog mark tag export > tags.json
  tricklog mark tag import tags.json --db other
  tricklog stats made-rate --where tag=lesson"""


def tag(
    action: Action,
    /,
    *words: Annotated[str, Parameter(allow_leading_hyphen=True)],
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
    if action == "list":
        _list(db, words, json=json)
    elif action == "export":
        from tricklog.ingest.store.marks import Marks, as_document

        print_json(as_document(Marks(tags=written(db).tags)))
    elif action == "import":
        tags, notes = take_in(db, words)
        out().print(f"{counted(tags, 'tag')} and {counted(notes, 'note')} are new.")
    else:
        _change(action, words, where, db)


def _change(action: str, words: tuple[str, ...], where: tuple[str, ...], db: str) -> None:
    from tricklog.ingest.store import marks

    if not words or not (words[1:] or where):
        raise UserError(
            f"tag {action} needs a tag and hands",
            f"Write tricklog mark tag {action} TAG HAND..., or choose the hands with --where.",
        )
    name, *ids = words
    hashes = hashes_of_hands(db, ids, where)
    with explained():
        if action == "add":
            changed = marks.add_tag(folder_of(db), hashes, name)
            said = f"{counted(changed, 'hand')} tagged {name}"
        else:
            changed = marks.remove_tag(folder_of(db), hashes, name)
            said = f"{name} taken from {counted(changed, 'hand')}"
    same = len(hashes) - changed
    put(f"{said}; {same:,} were as they are." if same else f"{said}.")


def _list(db: str, words: tuple[str, ...], *, json: bool) -> None:
    from tricklog.ingest.store.hashes import ids_of

    found = written(db)
    if not words:
        if json:
            print_json(found.by_tag())
            return
        for name, count in found.by_tag().items():
            put(f"{name}  {counted(count, 'hand')}")
        return
    wanted = {each.casefold() for each in words}
    hashes = {hashed for hashed, name in found.tags if name.casefold() in wanted}
    with opened(db) as tables:
        ids = sorted(ids_of(tables, hashes).values())
    if json:
        print_json(ids)
        return
    put(*ids)
    if len(ids) < len(hashes):
        left = counted(len(hashes) - len(ids), "tagged hand")
        put(f"{left} not stored here now; the tags wait for them.")
