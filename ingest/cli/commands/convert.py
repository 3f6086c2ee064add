"""``tricklog convert``: logs of other programs as hand logs."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from ingest.cli.output import (
    SUCCESS,
    UNREADABLE,
    Flag,
    LogPath,
    UserError,
    err,
    need_paths,
    note_json,
    print_line,
)
from schemas.words import counted

EXAMPLES = """\
  tricklog convert --from knybbe-pidro games.jsonl.gz > hands.jsonl
  tricklog convert --from rlcard-29 logs/ | tricklog audit -"""


def convert(
    *paths: LogPath, source: Annotated[str, Parameter(name="--from")], json: Flag = False
) -> int:
    """Turn logs of another program into a hand log.

    The hands go to standard output, one a line. Nothing is repaired: what is unknown stays
    unknown, and a record that makes no sense is reported on standard error with its place.

    Args:
        paths: Files, folders or - for standard input.
        source: Whose logs they are: the name of an adapter.
        json: What goes to standard error, rejects and the counts, as JSON objects.
    """
    from ingest import adapters
    from ingest.cli.reject_text import reject_json, reject_text
    from schemas.hand import encode_hand

    need_paths(paths, "convert")
    try:
        items = adapters.convert(source, *paths)
    except adapters.UnknownAdapterError as error:
        raise UserError(str(error)) from error
    counts = adapters.ConvertCounts()
    console = err()
    for item in items:
        counts.add(item)
        for hand in item.hands:
            print_line(encode_hand(hand))
        if item.reject and json:
            note_json(reject_json(item.reject))
        elif item.reject:
            console.print(reject_text(item.reject))
    if json:
        note_json(counts)
    else:
        console.print(
            f"{counted(counts.records, 'record')} = {counts.converted:,} converted + "
            f"{counts.rejected:,} rejected; {counted(counts.hands, 'hand')}"
        )
    return UNREADABLE if counts.rejected else SUCCESS
