"""``tricklog convert``: logs of other programs as hand logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.cli.other_programs import From, need_adapter
from ingest.cli.output import (
    SUCCESS,
    UNREADABLE,
    Flag,
    LogPath,
    UserError,
    err,
    need_paths,
    note_json,
    own_command,
    print_line,
)
from schemas.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.adapters import Adapter, Converted
    from ingest.adapters.recognising import Recognised

EXAMPLES = """\
  tricklog convert games.jsonl.gz > hands.jsonl      whose they are is seen from the log
  tricklog convert --from rlcard-29 logs/ | tricklog audit -"""


def convert(*paths: LogPath, source: From = None, json: Flag = False) -> int:
    """Turn logs of another program into a hand log.

    The hands go to standard output, one a line. Nothing is repaired: what is unknown stays
    unknown, and a record that makes no sense is reported on standard error with its place.

    Args:
        paths: Files, folders or - for standard input.
        source: Whose logs they are: the name of an adapter, as tricklog adapters lists them.
            Without it their first records have to tell for sure.
        json: What goes to standard error, rejects and the counts, as JSON objects.
    """
    from ingest import adapters
    from ingest.cli.reject_text import reject_json, reject_text
    from schemas.hand import encode_hand

    need_paths(paths, "convert")
    need_adapter(source)
    items = adapters.convert(source, *paths) if source else _recognised(paths, json=json)
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


def _recognised(paths: Sequence[str], *, json: bool) -> Iterator[Converted]:
    """Convert logs whose first records tell whose they are. Raises ``UserError`` if they do not."""
    from ingest.adapters import converting
    from ingest.adapters.recognising import recognise_first, recognise_logs, taken_together
    from ingest.reading.reader import read
    from ingest.reading.sources import find_sources

    sources = list(find_sources(paths))
    if any(each.may_be_endless for each in sources):
        if len(sources) > 1:
            raise UserError(
                "a pipe is read only once, and whose log it is cannot be seen beside others",
                "Say whose they are: --from ADAPTER.",
            )
        found, lines = recognise_first(read(*sources))
        adapter = _sure_adapter(found, paths)
    else:
        logs = recognise_logs(*sources)
        together = taken_together(logs.values())
        if together is None and any(each.records for each in logs.values()):
            kinds = "; ".join(f"{name}: {each.sentence}" for name, each in logs.items())
            raise UserError(
                f"these logs are not of one kind. {kinds}",
                "Convert each kind apart, or say whose they are: --from ADAPTER.",
            )
        adapter = _sure_adapter(together, paths)
        lines = read(*sources)
    if not json:
        err().print(f"Read as {adapter.program}: --from {adapter.name}", soft_wrap=True)
    return converting.converted(adapter, lines)


def _sure_adapter(found: Recognised | None, paths: Sequence[str]) -> Adapter:
    if found is not None and found.adapter is not None and found.is_sure and not found.is_mixed:
        return found.adapter
    if found is None or not found.records:
        said = f"{', '.join(map(str, paths))}: there are no records at the beginning"
    elif found.is_own:
        raise UserError(
            "these are hand logs of Tricklog’s own format, and need not be converted",
            f"Read them as they are, such as {own_command()} audit.",
        )
    else:
        said = found.sentence.rstrip(".")
    raise UserError(
        f"whose log this is cannot be told for sure. {said}",
        f"Say whose it is: --from ADAPTER; {own_command()} adapters lists them.",
    )
