"""Wrong usage of the command line, told as every other error is: what is wrong, what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tricklog.ingest.cli.output import UserError, own_command

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
    text = " ".join(str(error).split())
    what, *advice = _SENTENCE_END.split(text)
    what = (what[:1].lower() + what[1:]).rstrip(".")
    for found, ours in _REWORDED:
        if match := found.fullmatch(what):
            what = match.expand(ours)
            break
    return UserError(what, " ".join([*advice, _help(tokens)]))


def _help(tokens: Sequence[str]) -> str:
    """Return where the options are told: of the command, where one was named that exists."""
    from tricklog.ingest.cli import command_in

    return f"See {' '.join(filter(None, (own_command(), command_in(tokens))))} --help."
