"""Wrong usage of the command line, told as every other error is: what is wrong, what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ingest.cli.output import UnknownOptionError, UserError, guess, own_command

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

_REWORDED: Final = (
    (re.compile(r'command "(.+)" parameter (\S+) requires an argument'), r"tricklog \1 needs \2"),
    (re.compile(r"unused Tokens: \[(.*)\]"), r"there is no place for \1"),
    (re.compile(r"unknown option: (\S+?)"), r"there is no option \1"),
    (re.compile(r'unknown command "(-\S+)"'), r"there is no option \1"),
    (re.compile(r'unknown command "(.+)"'), r"there is no command \1"),
)
"""What the library says, and how we say it."""
_SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")


def usage_error(error: CycloptsError, tokens: Sequence[str]) -> UserError:
    """Return what the library for command lines found as an error of ours.

    The first sentence says what is wrong, the others and the way to the help what to do.
    """
    text = " ".join(str(error).split())
    what, *advice = _SENTENCE_END.split(text)
    what = (what[:1].lower() + what[1:]).rstrip(".")
    for found, ours in _REWORDED:
        if match := found.fullmatch(what):
            what = match.expand(ours)
            break
    return UserError(what, " ".join([*advice, _help(tokens)]))


def unknown_option(error: UnknownOptionError, app: App, tokens: Sequence[str]) -> UserError:
    """Return the error with the option that was meant, where one of the command looks like it."""
    word = error.word.partition("=")[0]
    near = guess(word, _options(app, tokens)) if tokens else ""
    return UserError(error.message, f"{near}{error.hint} {_help(tokens)}")


def _options(app: App, tokens: Sequence[str]) -> list[str]:
    """Return the long options of the command that words begin with."""
    from ingest.cli import command_in

    for word in command_in(tokens).split():
        app = app[word]
    return [
        name
        for argument in app.assemble_argument_collection()
        for name in argument.names
        if name.startswith("--")
    ]


def _help(tokens: Sequence[str]) -> str:
    """Return where the options are told: of the command, where one was named that exists."""
    from ingest.cli import command_in

    return f"See {' '.join(filter(None, (own_command(), command_in(tokens))))} --help."
