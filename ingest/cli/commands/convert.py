"""``tricklog convert``: other programs' logs, hands written as text, score sheets as hand logs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from tricklog.ingest import adapters
from tricklog.ingest.adapters import Converted, converting, recognising
from tricklog.ingest.cli import arguments
from tricklog.ingest.cli.arguments import Flag, LogPath
from tricklog.ingest.cli.lists import begin_adapter, listed_adapters
from tricklog.ingest.cli.output import (
    SUCCESS,
    UNREADABLE,
    UserError,
    in_words,
    need_apart,
    need_hands,
    need_paths,
    note_json,
    own_command,
    remark,
    writing_lines,
)
from tricklog.ingest.cli.score_sheets import UNSAID, SheetOptions, reader_of
from tricklog.ingest.cli.unread_lines import tell_reject, tell_warning
from tricklog.ingest.reading.pseudonyms import Pseudonyms, WeakKeyError, key_of
from tricklog.ingest.reading.reader import read
from tricklog.ingest.reading.sources import find_sources
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import settings_of
from tricklog.ingest.text_form.writer import TextWriter, record_of, shared_by_all
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.words import counted

_MOST_TOGETHER: Final = 10_000
"""Hands among which it is looked for what all have alike."""

EXAMPLES = """\
  tricklog convert --list                # whose logs can be read
  tricklog convert games.jsonl.gz --output hands.jsonl   # whose, the log shows
  tricklog convert --from rlcard-29 logs/ | tricklog audit -
  tricklog convert thursday.trick > thursday.jsonl   # hands written as text
  tricklog convert scores.csv --variant pedro > hands.jsonl    # a score sheet
  tricklog convert --format text --language sv --names hands.jsonl
  tricklog convert --pseudonymise club.key --drop-remarks hands.jsonl > to-send.jsonl
  tricklog convert --new our-club        # a project for your own adapter"""


def convert(  # noqa: PLR0913 - all but the paths are named
    *paths: LogPath,
    source: arguments.From = None,
    sheet: SheetOptions = UNSAID,
    format: Literal["log", "text"] = "log",  # noqa: A002 - the name of the option
    language: Literal["en", "sv", "fi", "es"] = "en",
    names: Flag = False,
    pseudonymise: arguments.OptionalDashed = None,
    drop_remarks: Flag = False,
    output: arguments.Output = None,
    allow_empty: arguments.AllowEmpty = False,
    list: Flag = False,  # noqa: A002 - the name of the option
    new: str | None = None,
    json: Flag = False,
) -> int:
    """Turn foreign logs or text into hand logs, and back to text.

    The hands go to standard output, one a line. Nothing is repaired: what is unknown stays
    unknown, and a record that makes no sense is reported on standard error with its place.

    Packages that are installed beside Tricklog may bring adapters, which read the logs of other
    programs. --list names each with its package, and says why one cannot be used; the exit
    status is then 1.

    Args:
        paths: Files, folders or - for standard input. Or score sheets: .csv, .tsv, .xlsx, .ods.
        format: What to write: a hand log, or text as people write it.
        language: The language of the words of a text.
        names: In a text, the name of the player with every card.
        pseudonymise: A file that holds a key of 16 characters or more, or - for standard input: ids
            of people, hands and games become pseudonyms, the same under the same key; names and ext
            go.
        drop_remarks: With it leave out all remarks, as they may name anybody.
        list: List whose logs can be read, instead.
        new: Begin an adapter of this name instead: small letters, digits and hyphens. It writes a
            project, package, sample records and tests that pass, into a folder of that name, or
            into the one that is named in the place of a path.
        json: What goes to standard error, rejects and the counts, as JSON objects; with --list one
            object for each adapter.
    """
    if list or new is not None:
        return listed_adapters(json=json) if new is None else begin_adapter(new, paths)
    need_paths(paths, "convert")
    arguments.need_adapter(source)
    need_apart(output, [*paths, *([pseudonymise] if pseudonymise else [])])
    pseudonyms = _pseudonyms(pseudonymise, paths, keep_remarks=not drop_remarks)
    items = _items(paths, source, sheet, json=json)
    counts = adapters.ConvertCounts()

    def converted() -> Iterator[Hand]:
        for item in items:
            counts.add(item)
            yield from map(pseudonyms.of_hand, item.hands) if pseudonyms else item.hands
            if item.reject:
                tell_reject(item.reject, as_object=json)
            for warning in item.warnings if not json else ():
                tell_warning(item.file, warning, as_object=False)

    with writing_lines(output) as write:
        if format == "text":
            _write_text(converted(), write, language, names=names)
        else:
            for hand in converted():
                write(encode_hand(hand))
    if json:
        note_json(counts)
    else:
        remark(
            f"{counted(counts.records, 'record')} = {counts.converted:,} converted + "
            f"{counts.rejected:,} rejected; {counted(counts.hands, 'hand')}"
        )
    if pseudonyms and not json and (kept := pseudonyms.remarks):
        remark(
            f"{counted(kept, 'remark')} {'is' if kept == 1 else 'are'} kept. The names and ids of "
            "each table are replaced in them; other names, nicknames and misspellings cannot be "
            "known. --drop-remarks leaves all remarks out."
        )
    need_hands(counts.records, paths, allow_empty=allow_empty)
    return UNREADABLE if counts.rejected else SUCCESS


def _items(
    paths: Sequence[str], source: str | None, sheet: SheetOptions, *, json: bool
) -> Iterator[Converted]:
    reader = reader_of(paths, sheet, source)
    settings = settings_of(reader) if reader else None
    if settings is not None:
        rows = read_sheets(settings, *paths)
        return converting.own_hands(row for row in rows if row.hand or row.reject or row.warnings)
    return adapters.convert(source, *paths) if source else _recognised(paths, json=json)


def _pseudonyms(
    given: str | None, paths: Sequence[str], *, keep_remarks: bool
) -> Pseudonyms | None:
    if given == "-" and "-" in paths:
        raise UserError(
            "standard input cannot be both the key and a log", "Give the key as a file."
        )
    if given is None:
        if not keep_remarks:
            raise UserError("--drop-remarks goes with --pseudonymise", "Give a key as well.")
        return None
    with in_words(WeakKeyError, "Make one: head -c 32 /dev/urandom | base64 > club.key"):
        return Pseudonyms(key_of(given), keep_remarks=keep_remarks)


def _write_text(
    hands: Iterator[Hand], write: Callable[[bytes], None], language: str, *, names: bool
) -> None:
    """Write hands as text. What all have alike is said once, if they are not very many."""
    records = map(record_of, hands)
    first = [*itertools.islice(records, _MOST_TOGETHER + 1)]
    for_all = shared_by_all(first) if len(first) <= _MOST_TOGETHER else {}
    writer = TextWriter(language=language, names=names, for_all=for_all)
    for line in itertools.chain(writer.head(), writer.lines(itertools.chain(first, records))):
        write(line.encode())


def _recognised(paths: Sequence[str], *, json: bool) -> Iterator[Converted]:
    """Convert logs whose first records tell whose they are."""
    found: recognising.Recognised | None
    sources = [*find_sources(paths)]
    if any(each.may_be_endless for each in sources):
        if len(sources) > 1:
            raise UserError(
                "a pipe is read only once, and whose log it is cannot be seen beside others",
                "Say whose they are: --from ADAPTER.",
            )
        found, lines = recognising.recognise_first(read(*sources))
    else:
        logs = recognising.recognise_logs(*sources)
        together = recognising.taken_together(logs.values())
        if together is None and any(each.records for each in logs.values()):
            kinds = "; ".join(f"{name}: {each.sentence}" for name, each in logs.items())
            raise UserError(
                f"these logs are not of one kind. {kinds}",
                "Convert each kind apart, or say whose they are: --from ADAPTER.",
            )
        found, lines = together, read(*sources)
    if found is None or not found.records or found.is_own:
        return converting.own_hands(lines)
    if found.adapter is None or not found.is_sure or found.is_mixed:
        raise UserError(
            f"whose log this is cannot be told for sure. {found.sentence.rstrip('.')}",
            f"Say whose it is: --from ADAPTER; {own_command()} convert --list has them.",
        )
    if not json:
        arguments.tell_program(found.adapter)
    return converting.converted(found.adapter, lines)
