"""What commands share: where output goes, exit statuses, errors of the user's."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn, TextIO, cast

from tricklog.ingest.cli.text_table import room_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl
    from _typeshed import DataclassInstance
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

SUCCESS: Final = 0
PROBLEM: Final = 1
USAGE: Final = 2
UNREADABLE: Final = 3
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
"""What a shell reports of any program whose reader has gone away."""


def status_of(trouble: object) -> int:
    """Return the exit status of a command that worked, by whether it found ``trouble``."""
    return PROBLEM if trouble else SUCCESS


PIPE_WIDTH: Final = 100
"""Columns of text that does not go to a terminal."""
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FILLING: Final = re.compile(r" +$", re.MULTILINE)


class Style:
    """How a terminal can show a text."""

    BOLD: Final = "1"
    DIM: Final = "2"
    TROUBLE: Final = "1;31"


class UserError(Exception):
    """Something only the user can put right: what is wrong, and what to do about it."""

    def __init__(self, message: str, hint: str = "", *, status: int = USAGE) -> None:
        """Keep the hint, and the exit status it leads to, beside the sentence."""
        super().__init__(message)
        self.message, self.hint, self.status = message, hint, status


@contextmanager
def in_words(kind: type[Exception], hint: str = "", *, status: int = USAGE) -> Iterator[None]:
    """Raise ``UserError`` for an error that says what is wrong; ``hint`` is what to do about it."""
    try:
        yield
    except kind as error:
        raise UserError(str(error), hint, status=status) from error


# --- Streams


def prepare_streams() -> None:
    """Let text with suit glyphs through whatever the encoding of the terminal is."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")


def out() -> Console:
    """Return the console for data meant for people."""
    return console_for(sys.stdout)


def err() -> Console:
    """Return the console for everything that is not data."""
    return console_for(sys.stderr)


def put(*lines: RenderableType) -> None:
    """Print lines for people to standard output."""
    console = out()
    for line in lines:
        console.print(line)


def remark(*lines: RenderableType) -> None:
    """Print lines that are not data to standard error."""
    console = err()
    for line in lines:
        console.print(line)


def console_for(stream: TextIO) -> Console:
    """Return a console that writes to a terminal, or into a pipe or a file as into one."""
    from rich.console import Console
    from rich.segment import Segment
    from rich.text import Text

    room = room_of(stream)

    class LiteralConsole(Console):
        """A console that takes text as it is and leaves a reader gone away to the caller.

        Control characters in the text, such as those in the name of a folder, are escaped. A line
        of text is folded between words where it goes to a terminal, and elsewhere left whole; with
        ``soft_wrap`` it is always whole, as a command to be copied is.
        """

        def print(self, *values: object, **options: Any) -> None:  # noqa: ANN401 - as rich
            # Rich takes a bell or a return out of a text, with no trace left of it.
            shown = [_escaped(value) if isinstance(value, str) else value for value in values]
            match shown:
                case [str() | Text() as text]:
                    if room and "soft_wrap" not in options:
                        shown = [_folded(text, room)]
                    options["soft_wrap"] = True
            super().print(*shown, **options)

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else _escaped(text), style, control)

        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    # Without a file it finds the stream again for every line.
    is_terminal, wide = stream.isatty(), None if os.environ.get("COLUMNS") else PIPE_WIDTH
    return LiteralConsole(
        file=None if is_terminal else cast("IO[str]", _Trimmed(stream)),
        stderr=is_terminal and stream is sys.stderr,
        width=None if is_terminal else wide,
        markup=False,
        emoji=False,
        highlight=False,
    )


def _folded(text: str | Text, width: int) -> Text:
    """Return text folded between words, each in its style."""
    from rich.text import Text

    lines = []
    for line in (Text(text) if isinstance(text, str) else text).split("\n", allow_blank=True):
        at = 0
        for piece in wrapped(line.plain, width):
            words = piece.lstrip()
            start = line.plain.index(words, at)
            at = start + len(words)
            lines.append(Text(piece[: len(piece) - len(words)]) + line[start:at])
        # What is typed behind a question stands apart from it.
        lines[-1] += line[at:]
    return Text("\n").join(lines)


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


class _Trimmed:
    """A stream that leaves out the blanks with which tables are filled up at the right."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_FILLING.sub("", text))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def as_json(value: object) -> bytes:
    """Return one JSON value, or a record, as one line of UTF-8."""
    import msgspec

    return msgspec.json.encode(value, enc_hook=_as_plain)


def print_json(value: object) -> None:
    """Write one JSON value, or a record, as one line to standard output."""
    write_bytes(as_json(value) + b"\n", None)


def show(value: object, lines: Iterable[RenderableType], *, json: bool) -> None:
    """Print an answer: a value as one JSON object, or else the lines that say it to people."""
    if json:
        print_json(value)
    else:
        put(*lines)


def _as_plain(value: object) -> object:
    """Return what records hold that the library does not know: paths as text, shares as numbers."""
    from fractions import Fraction

    if isinstance(value, Fraction | Path):
        return float(value) if isinstance(value, Fraction) else str(value)
    # msgspec asks this of a hook for what it does not know either.
    raise NotImplementedError


def values_of(
    record: DataclassInstance,
    /,
    *,
    without: Sequence[str] = (),
    unless_empty: Sequence[str] = (),
    **names: str,
) -> dict[str, Any]:
    """Return the fields of a record by name, ready for ``print_json``.

    Those of ``unless_empty`` only where they say something; ``names`` are other names for fields.
    What is called ``bid_name`` or ``trump`` comes as a log writes it.
    """
    from dataclasses import fields

    from tricklog.schemas.actions import bid_name, trump_name

    values = {each.name: getattr(record, each.name) for each in fields(record)}
    told = {
        names.get(name, name): each
        for name, each in values.items()
        if name not in without and (each or name not in unless_empty)
    }
    for name, written in (("bid_name", bid_name), ("trump", trump_name)):
        if told.get(name) is not None:
            told[name] = written(told[name])
    return told


def note_json(value: object) -> None:
    """Write one JSON value as one line to standard error, at once."""
    sys.stderr.write(as_json(value).decode() + "\n")
    sys.stderr.flush()


def is_stdout(output: str | None) -> bool:
    """Return whether a result goes to standard output: no file is named, or ``-``."""
    return output in (None, "-")


_FORMS: Final = {".csv": "csv", ".json": "json", ".parquet": "parquet"}


def form_of(output: str | None) -> str | None:
    """Return the form of a file for programs, by how its name ends; ``None`` where it is none."""
    return _FORMS.get(Path(output or "").suffix.lower())


def need_apart(output: str | None, paths: Iterable[str]) -> None:
    """Raise ``UserError`` where what is written is read as well: that is lost, or has no end."""
    from tricklog.ingest.reading.sources import find_sources

    try:
        written = os.fstat(sys.stdout.fileno()) if is_stdout(output) else Path(str(output)).stat()
    except OSError:
        return
    local = [path for path in paths if "://" not in path]
    for source in find_sources(local if stat.S_ISREG(written.st_mode) else []):
        with suppress(OSError, ValueError):
            if source.path and os.path.samestat(written, source.path.stat()):
                raise UserError(
                    f"{source.name} is read, and would be written as well",
                    "Write into a file that is not among the logs.",
                )


@contextmanager
def writing_lines(output: str | None) -> Iterator[Callable[[bytes], None]]:
    """Give what writes lines of bytes into a file, or to standard output where none is named.

    A file is begun with its first line, so that what goes wrong before leaves it as it was.
    """
    if is_stdout(output):
        # At once: somebody may be waiting for it.
        yield lambda line: write_bytes(line + b"\n", None)
        return
    with ExitStack() as stack:
        begun = cache(lambda: stack.enter_context(Path(str(output)).open("wb")))
        yield lambda line: begun().writelines((line, b"\n"))
        begun()


def write_text(text: str) -> None:
    """Write a piece of a text for programs, in UTF-8, to standard output, at once."""
    write_bytes(text.encode(), None)


def write_bytes(content: bytes, output: str | None) -> None:
    """Write what is for programs into a file, or to standard output where none is named."""
    if is_stdout(output):
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        Path(str(output)).write_bytes(content)


def write_frame(frame: pl.DataFrame, form: str, output: str | None) -> None:
    """Write a frame as ``csv`` or ``parquet``. Raises ``UserError`` for Parquet on a screen."""
    from tricklog.ingest.store.exports import as_csv, as_parquet

    if form == "parquet" and is_stdout(output) and sys.stdout.isatty():
        raise UserError("Parquet is not for a screen", "Name a file with --output.")
    write_bytes(as_csv(frame) if form == "csv" else as_parquet(frame), output)


def one_form(form: Any, *, json: bool) -> Any:  # noqa: ANN401 - one of those that a command has
    """Return the form that is asked for. Raises ``UserError`` where ``--json`` asks for another."""
    if json and form not in (None, "json"):
        raise UserError(f"--json and --format {form} ask for two forms", "Leave one of them out.")
    return "json" if json else form


def close_broken_output() -> None:
    """Stop Python from complaining at exit about output that nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave_output() -> None:
    """Write what is still to be written, or stop Python from trying at exit when that fails."""
    try:
        sys.stdout.flush()
    except (OSError, MemoryError):
        close_broken_output()


def hint_about(error: OSError | MemoryError) -> str:
    """Return what to do where output could not be written, empty when that is not known."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return "Free some space where the output goes, or send it to another disk."
    if isinstance(error, FileNotFoundError) and error.filename:
        folder = Path(os.fsdecode(error.filename)).parent
        if not folder.exists():
            return f"There is no folder {folder}: make it first, or name another place."
    return ""


def complain(error: UserError) -> None:
    """Tell the user what is wrong and what to do."""
    from tricklog.schemas.printable import one_line

    room, name = room_of(sys.stderr), "tricklog: "

    def lines(text: str, before: str = "") -> str:
        line = _escaped(one_line(text))
        return "\n".join(wrapped(line, room, before=before)) if room else line

    said = lines(error.message, name)
    sys.stderr.write(f"{styled(name, Style.TROUBLE, sys.stderr)}{said}\n")
    if error.hint:
        sys.stderr.write(f"{styled(lines(error.hint), Style.DIM, sys.stderr)}\n")
    sys.stderr.flush()


def tell(text: str) -> None:
    """Write a line for people to standard output, without what a console would load."""
    sys.stdout.write(f"{text}\n")


def styled(text: str, style: str, stream: TextIO) -> str:
    """Return a text in a style of ``Style`` where the stream is a terminal that has styles."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("dumb", "unknown")
    return f"\x1b[{style}m{text}\x1b[0m" if stream.isatty() and not is_plain else text


def guess(word: str, known: Iterable[str]) -> str:
    """Return ``Did you mean x? ``, to begin a hint with, where a known name looks like a word."""
    from tricklog.core.rulesets.suggestions import hint_at

    return hint_at(word, known)


def agrees(question: str, refused: str) -> bool:
    """Ask what needs a yes. Raises ``UserError``, with ``refused`` first, where nobody is there."""
    if not sys.stdin.isatty():
        raise UserError(f"{refused}: nobody is there to be asked", "Add --yes to go on.")
    err().print(f"{question} [y/N] ", end="", markup=False)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def need_agreement(question: str, refused: str) -> None:
    """Ask what needs a yes. Raises ``UserError``, which begins with ``refused``, without one."""
    if not agrees(question, refused):
        raise UserError(f"{refused}: the warehouse is as it was")


def own_command() -> str:
    """Return how to call this command again: its name, or its path when the shell lacks it."""
    if shutil.which("tricklog") or not sys.argv[0].endswith("tricklog"):
        return "tricklog"
    return nearby(Path(sys.argv[0]))


def nearby(path: Path) -> str:
    """Return a path as short as it can be written from the working folder."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


# --- What was read


def need_paths(paths: tuple[str, ...], purpose: str) -> None:
    """Raise ``UserError`` when a command that reads logs is given none."""
    if not paths:
        hint = "Name files or folders, or - for standard input."
        raise UserError(f"there is nothing to {purpose}", hint)


def need_hands(read: int, paths: tuple[str, ...], *, allow_empty: bool) -> None:
    """Raise ``UserError`` when no line but blank ones was read, as when a program before failed."""
    if not read and not allow_empty:
        places = ", ".join("standard input" if path == "-" else path for path in paths)
        raise UserError(
            f"there is no hand in {places}",
            "See whether what writes it went wrong. --allow-empty says that this may be so.",
            status=UNREADABLE,
        )


def counts_sentence(counts: Any) -> str:  # noqa: ANN401 - two kinds of counts
    """Return the four counts and their sum: every line is accounted for."""
    from tricklog.schemas.languages.messages import say_counted

    lines, *parts = (
        say_counted("{count} line", "{count} lines", counts.lines),
        say_counted("{count} accepted", "{count} accepted", counts.accepted),
        say_counted("{count} duplicate", "{count} duplicate", counts.duplicate),
        say_counted("{count} quarantined", "{count} quarantined", counts.quarantined),
        say_counted("{count} blank", "{count} blank", counts.blank),
    )
    return f"{lines} = {' + '.join(parts)}"
