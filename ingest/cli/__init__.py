"""The command ``tricklog``: a thin shell over the library.

Data go to standard output, everything else to standard error. Each command stands in a module of
its own and imports heavy libraries where it uses them, so that the small commands start at once. No
library is needed for what the program says about itself.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from ingest.cli import commands
from ingest.cli.failure_state import begun
from ingest.cli.output import (
    BROKEN_PIPE,
    INTERRUPTED,
    SUCCESS,
    UNREADABLE,
    UserError,
    close_broken_output,
    complain,
    guess,
    hint_about,
    leave_output,
    own_command,
    prepare_streams,
    tell,
)
from ingest.reading.interrupts import ended_in_order, is_interrupt

if TYPE_CHECKING:
    from cyclopts import App
    from rich.console import Console

NAME: Final = "tricklog"
ABOUT: Final = "Replay, audit and explore recorded hands of bidding trick-taking games."
EPILOGUE: Final = """Exit status: 0 all is well; 1 hands with findings, or rejected ones; \
2 wrong usage; 3 something could not be read or written; 130 interrupted.

Start with: tricklog demo"""

COMMANDS: Final = {
    "adapters": "List whose logs can be read, or begin an adapter.",
    "alias": "Count two ids of one player as one player.",
    "ask": "Ask about a trick, without a whole hand.",
    "audit": "Check hands and games against the rules.",
    "convert": "Turn foreign logs or text into hand logs, and back to text.",
    "dashboard": "Show a warehouse in the browser.",
    "deals": "Compare hands of one deal played at several tables.",
    "demo": "Try everything on the sample logs.",
    "doctor": "Check that everything Tricklog needs is there.",
    "export": "Write a warehouse as files for other programs.",
    "forget": "Forget a player of a warehouse.",
    "game": "Print the score sheet of a game.",
    "generate": "Write complete games played by bots.",
    "ledger": "Print where the results of many hands came from.",
    "list": "List the hands, games, evenings or players of a warehouse.",
    "load": "Load hands into a warehouse.",
    "note": "Write, change and list notes about hands and players.",
    "rating": "Rate players by points a hand.",
    "reaudit": "Replay stored hands under the rules of this version.",
    "rebuild": "Rebuild a warehouse from its logs.",
    "record": "Record hands at the table, and check each on the spot.",
    "rejects": "List the lines in quarantine, or drop them.",
    "replay": "Show one hand step by step.",
    "report": "Write an evening, a season or a player as one HTML file.",
    "rule": "Print the rules that findings cite.",
    "schema": "Print a JSON Schema.",
    "session": "Print an evening, or a season.",
    "sheet": "Say what the columns of a score sheet are taken to mean.",
    "show": "Show a hand, a game, an evening or a player of a warehouse.",
    "solve": "Solve stored hands with all cards open.",
    "sql": "Answer a question in SQL.",
    "stats": "Print figures, grouped and filtered as you like.",
    "summary": "Print the main figures of a warehouse.",
    "tag": "Give hands tags, take them away, and list them.",
    "tidy": "Keep a lake in shape.",
    "variants": "List the games, put one into words, or compare two.",
    "verify": "Check a warehouse against itself.",
}
"""Every command, and the first sentence of its help: a command is imported when it is called."""

WITH_STORE: Final = frozenset(
    {
        "alias",
        "dashboard",
        "deals",
        "demo",
        "forget",
        "game",
        "ledger",
        "list",
        "load",
        "note",
        "rating",
        "reaudit",
        "rebuild",
        "rejects",
        "report",
        "session",
        "show",
        "solve",
        "sql",
        "stats",
        "summary",
        "tag",
        "tidy",
        "verify",
    }
)
"""Commands that load the libraries of the store."""
WRITING: Final = frozenset({"forget", "load", "reaudit", "rebuild", "solve", "tidy"})
"""Commands that hold a warehouse while they write to it."""
_DATING: Final = frozenset({"dashboard", "load", "reaudit", "rebuild"})
"""Commands that say of hands to which evening they belong."""
INSTALL: Final = "--install-completion"
NOT_BEGUN: Final = "interrupted before it had begun"
"""What stands where Ctrl-C was pressed before a command that changes a warehouse looked at it."""
_HELP: Final = frozenset({"--help", "-h"})
_ADDRESSES: Final = 3 << 30
_ADDRESSES_OF_A_CORE: Final = 128 << 20
"""Bytes of memory that these libraries must be able to address; each core has threads of its own.

Far less is ever used, but below this they crash where they should raise an error.
"""
_LINE_BREAK = re.compile(r"(?<=\S)\n[ ]+(?!\w+:)(?=\S)")
"""A line break within a paragraph, or within the text of one argument."""


def make_app(only: str | None = None) -> App:
    """Return the command line: with the command ``only``, or else with all of them."""
    from cyclopts import App, Parameter

    app = App(
        name=NAME,
        help=ABOUT,
        version=own_version,
        help_format="plaintext",
        help_epilogue=EPILOGUE,
        default_parameter=Parameter(negative=()),
        result_action="return_value",
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        # Nothing is written to it, and one of the library's own would have to be loaded.
        error_console=cast("Console", object()),
    )
    if only in COMMANDS:
        _add(app, only)
        return app
    for name in COMMANDS:
        _add(app, name)
    from ingest.cli import completion

    completion.register(app)
    return app


def _add(app: App, name: str) -> None:
    module = import_module(f"{commands.__name__}.{name}")
    function = getattr(module, name)
    # The terminal breaks the lines of a help text, not the source.
    function.__doc__ = _LINE_BREAK.sub(" ", function.__doc__ or "")
    app.command(
        function,
        name=name,
        help_epilogue=f"Examples:\n\n{module.EXAMPLES}",
        usage=getattr(module, "USAGE", None),
    )


def own_version() -> str:
    """Return the version of Tricklog, or say that it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(NAME)
    except PackageNotFoundError:
        return "unknown (not installed)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. ``arguments`` are those of the process."""
    prepare_streams()
    tokens = _without_comment(sys.argv[1:] if arguments is None else arguments)
    try:
        _refuse_empty(tokens)
        status: object = _tell_of_itself(tokens)
        if status is None:
            status = _run(tokens)
        sys.stdout.flush()
    except UserError as error:
        complain(error)
        leave_output()
        return error.status
    except BrokenPipeError:
        close_broken_output()
        return BROKEN_PIPE
    except (OSError, MemoryError) as error:
        complain(UserError(_sentence(error, tokens), hint_about(error), status=UNREADABLE))
        leave_output()
        return UNREADABLE
    except (KeyboardInterrupt, RuntimeError, ImportError) as error:
        if not is_interrupt(error):
            raise
        # A command that was changing something says what stands now.
        if isinstance(error, KeyboardInterrupt) and error.args:
            complain(UserError(str(error)))
        _forget_interrupt()
        return INTERRUPTED
    return status if isinstance(status, int) else SUCCESS


def _tell_of_itself(tokens: Sequence[str]) -> int | None:
    """Print a list, the version or the help that is asked for; return nothing where none is."""
    if tokens[:1] == ["--version"]:
        tell(own_version())
        return SUCCESS
    options = tokens[: tokens.index("--")] if "--" in tokens else tokens
    if tokens and _HELP.isdisjoint(options):
        from ingest.cli.written_lists import told_list

        return told_list(tokens)
    command = next((each for each in tokens if each not in _HELP), "")
    if command and command not in COMMANDS:
        return None
    from ingest.cli.written_pages import page

    tell(page(command or NAME))
    return SUCCESS


def _run(tokens: Sequence[str]) -> object:
    """Run a command and return its exit status. Raises ``UserError`` for wrong usage as well."""
    only = tokens[0]
    if only not in (*COMMANDS, INSTALL):
        what = "option" if only.startswith("-") else "command"
        near = guess(only, (*COMMANDS, INSTALL, *_HELP, "--version"))
        raise UserError(f"there is no {what} {only}", f"{near}See {own_command()} --help.")
    begun.clear()
    try:
        from ingest.cli.early import refuse_early

        refuse_early(tokens)
        return _call(only, tokens)
    except (KeyboardInterrupt, RuntimeError, ImportError) as error:
        if not is_interrupt(error) or begun or only not in WRITING:
            raise
        raise KeyboardInterrupt(NOT_BEGUN) from error


def _call(only: str, tokens: Sequence[str]) -> object:
    """Have the library for command lines call the command ``only``."""
    from cyclopts import CycloptsError

    from ingest.cli.usage import usage_error

    if only in WITH_STORE or "--db" in tokens:
        _require_addresses(tokens)
    if only in _DATING:
        _require_morning()
    app = make_app(only)
    try:
        with ended_in_order() if only in WRITING else nullcontext():
            return app(tokens, print_error=False)
    except CycloptsError as error:
        raise usage_error(error, tokens) from error


def _forget_interrupt() -> None:
    """Have Python end with the status of an interrupted command, and not by the signal itself.

    It remembers a ``KeyboardInterrupt`` that went through code which a library had it run from a
    text, though it was caught later, until it runs another text in the same way.
    """
    import ctypes

    ctypes.pythonapi.PyRun_SimpleString(b"")


def _without_comment(tokens: Sequence[str]) -> list[str]:
    """Return words without a comment behind them, which some shells pass on.

    The examples of the help have comments, and are copied with them.
    """
    end = tokens.index("#") if "#" in tokens[:-1] else len(tokens)
    return list(tokens[:end])


def _refuse_empty(tokens: Sequence[str]) -> None:
    """Raise ``UserError`` for an empty word, which as a path would be the folder one stands in."""
    for token in tokens:
        option, equals, value = token.partition("=")
        if not token.strip() or (option.startswith("--") and equals and not value.strip()):
            what = f"what is given to {option}" if option.startswith("--") else "an argument"
            raise UserError(f"{what} is empty", "Is it a variable of the shell that is not set?")


def _require_addresses(tokens: Sequence[str]) -> None:
    """Raise ``UserError`` where the system lets a process address too little memory."""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    least = _ADDRESSES + (os.cpu_count() or 1) * _ADDRESSES_OF_A_CORE
    if limit != resource.RLIM_INFINITY and limit < least:
        raise UserError(
            f"{shlex.join([NAME, *tokens])}: this shell lets a program address {limit >> 20:,} MB "
            f"of memory, and it takes {least >> 20:,}.",
            f"Run ulimit -v {least >> 10} or ulimit -v unlimited first. Nothing was changed.",
            status=UNREADABLE,
        )


def _require_morning() -> None:
    """Raise ``UserError`` where the setting for the end of an evening names no hour."""
    from ingest.store.mornings import MORNING, MorningError, morning

    try:
        morning()
    except MorningError as error:
        raise UserError(str(error), f"Set it to one, or to nothing for {MORNING}.") from None


def _sentence(error: OSError | MemoryError, tokens: Sequence[str]) -> str:
    """Return what is said about trouble with the system; where it names no file, the command."""
    place = error.filename if isinstance(error, OSError) else None
    place = place or shlex.join([NAME, *tokens])
    if isinstance(error, OSError):
        return f"{place}: {error.strerror or error}"
    return f"{place}: there is not enough memory. Free some, then do the same again."
