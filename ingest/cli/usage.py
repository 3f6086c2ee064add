"""Wrong usage of the command line, told as every other error is: what is wrong, what to do."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.cli.failure_state import need_warehouse
from tricklog.ingest.cli.output import UNREADABLE, UserError, guess, own_command
from tricklog.ingest.cli.written_pages import LISTS

if TYPE_CHECKING:
    from cyclopts import CycloptsError

_REWORDED: Final = (
    (re.compile(r'command "(.+)" parameter (\S+) requires an argument'), r"tricklog \1 needs \2"),
    (re.compile(r"unknown option: (\S+?)"), r"there is no option \1"),
    (re.compile(r"unused Tokens: \[(.*)\]"), r"there is no place for \1"),
)
"""What the library says, and how we say it."""
_SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")


def usage_error(error: CycloptsError, tokens: Sequence[str]) -> UserError:
    """Return what the library for command lines found as an error of ours.

    The first sentence says what is wrong, the others and the way to the help what to do.
    """
    from tricklog.ingest.cli import command_in

    text = " ".join(str(error).split())
    what, *advice = _SENTENCE_END.split(text)
    what = (what[:1].lower() + what[1:]).rstrip(".")
    for found, ours in _REWORDED:
        if match := found.fullmatch(what):
            what = match.expand(ours)
            break
    # Where the options are told: of the command, where one was named that exists.
    see = " ".join(filter(None, (own_command(), command_in(tokens))))
    return UserError(what, " ".join([*advice, f"See {see} --help."]))


OPTIONS: Final = LISTS / "options.json"
"""By command, its options and how many values each takes, and what its other words may be."""
_ANYWHERE: Final = ("--help", "-h", "--version")
WITHOUT_A_WAREHOUSE: Final = frozenset({"dashboard", "db tidy", "demo", "load"})
"""Commands that make a warehouse, or say themselves what is there."""
_FOR_PROGRAMS: Final = frozenset({"--format", "--json", "--follow"})
"""Options with which a log that is not there is a part of the answer, or may still come."""


def refuse_early(tokens: Sequence[str]) -> None:
    """Raise ``UserError`` for an option there is not, or where all that is named is not there."""
    from tricklog.ingest.cli import command_in

    name = command_in(tokens)
    command = json.loads(OPTIONS.read_bytes()).get(name)
    if command is None:
        return
    given, words = _sorted(tokens[name.count(" ") + 1 :], name, command)
    is_listing = "--list" in given or "import" in words
    if name not in WITHOUT_A_WAREHOUSE and not is_listing and "--db" in given:
        need_warehouse(given["--db"])
    # A value may be wrong as well, and the command says that first.
    are_flags = all(each == "--db" or not command["options"][each] for each in given)
    may_be_absent = not (command["reads_logs"] and are_flags and _FOR_PROGRAMS.isdisjoint(given))
    if words and not may_be_absent and all(map(_is_missing, words)):
        raise UserError(
            f"{', '.join(words)} cannot be read: {os.strerror(errno.ENOENT)}",
            "Check that the path exists and that you may read it.",
            status=UNREADABLE,
        )


def _sorted(
    tokens: Sequence[str], whole: str, command: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]]:
    """Return the options behind a command with their first values, and its other words."""
    given: dict[str, str] = {}
    words: list[str] = []
    rest = iter(tokens)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--":
            words += rest
        elif not word.startswith("-") or word == "-":
            words.append(word)
        elif name in command["options"]:
            values = [value] if equals else list(islice(rest, command["options"][name]))
            if values and values[0] in command["options"]:
                hint = f"See {own_command()} {whole} --help."
                raise UserError(f"{name} has no value: {values[0]} comes behind it", hint)
            if not (values and values[0].startswith("-")):
                given[name] = next(iter(values), "")
        elif name not in _ANYWHERE and not command["takes_any_word"]:
            near = guess(name, (each for each in command["options"] if each.startswith("--")))
            file = f"Write ./{name} for a file of that name. " if command["reads_logs"] else ""
            hint = f"{near}{file}See {own_command()} {whole} --help."
            raise UserError(f"there is no option {name}", hint)
    return given, words


def _is_missing(path: str) -> bool:
    """Whether a word names a file or a folder of this machine that is not there."""
    if path == "-" or "://" in path:
        return False
    try:
        os.stat(path)  # noqa: PTH116 - a path is many things to pathlib that are not there
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return False
