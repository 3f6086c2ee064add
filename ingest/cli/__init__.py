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

from tricklog.ingest.cli import commands
from tricklog.ingest.cli.failure_state import begun
from tricklog.ingest.cli.output import (
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
from tricklog.ingest.reading.interrupts import ended_in_order, is_interrupt

if TYPE_CHECKING:
    from types import FrameType

    from cyclopts import App
    from rich.console import Console

NAME: Final = "tricklog"
ABOUT: Final = "Replay, audit and explore recorded hands of bidding trick-taking games."
EPILOGUE: Final = """Exit status: 0 all is well; 1 hands with findings, or rejected ones; \
2 wrong usage; 3 something could not be read or written; 130 interrupted.

Start with: tricklog demo"""

COMMANDS: Final = {
    "ask": "Ask about a trick, without a whole hand.",
    "audit": "Check hands and games against the rules.",
    "convert": "Turn foreign logs or text into hand logs, and back to text.",
    "dashboard": "Show a warehouse in the browser.",
    "db": "Check, mend and tidy a warehouse.",
    "db reaudit": "Replay stored hands under the rules of this version.",
    "db rebuild": "Rebuild a warehouse from its logs.",
    "db rejects": "List the lines in quarantine, or drop them.",
    "db tidy": "Keep a lake in shape.",
    "db undo": "Undo the latest load.",
    "db verify": "Check a warehouse against itself.",
    "demo": "Try everything on the sample logs.",
    "export": "Write a warehouse as files for other programs.",
    "forget": "Forget a player of a warehouse.",
    "generate": "Write complete games played by bots.",
    "list": "List hands, games, evenings, players, deals or ratings.",
    "list deals": "List the deals that several tables have played.",
    "list ratings": "Rate players by points a hand.",
    "load": "Load hands into a warehouse.",
    "mark": "Tag hands, write notes, count two ids as one player.",
    "mark alias": "Count two ids of one player as one player.",
    "mark note": "Write, change and list notes about hands and players.",
    "mark tag": "Give hands tags, take them away, and list them.",
    "record": "Record hands at the table, and check each on the spot.",
    "replay": "Show one hand step by step.",
    "report": "Write an evening, a season or a player as one HTML file.",
    "rules": "Print games and rules in words, and JSON Schemas.",
    "show": "Show a hand, a game, an evening or a player of a warehouse.",
    "show deal": "Compare hands of one deal played at several tables.",
    "show evening": "Print an evening, or a season.",
    "show game": "Print the score sheet of a game.",
    "show ledger": "Print where the results of many hands came from.",
    "show player": "Print the main figures of a player.",
    "show season": "Print a season.",
    "solve": "Solve stored hands with all cards open.",
    "sql": "Answer a question in SQL.",
    "stats": "Print figures, grouped and filtered as you like.",
}
"""Every command, and the first sentence of its help: a command is imported when it is called.

A command of two words is a part of the one before it.
"""
GROUPS: Final = {
    "db": """\
  tricklog db verify --db club             # is what it says about itself true
  tricklog db rejects --db club            # lines that could not be used
  tricklog db undo --db club               # takes the latest load back
  tricklog db reaudit --db club            # after a change of the rules
  tricklog db rebuild --db club            # from the logs it was made from
  tricklog db tidy --db s3://club/tricklog # once a week""",
    "mark": """\
  tricklog mark tag add lesson friday-2-7 --db club
  tricklog mark note add friday-2-7 "Bo could have led the king." --db club
  tricklog mark alias add ann-phone ann --db club""",
}
"""Commands that do nothing without a part, and examples of their parts."""
_MODULES: Final = {
    "list deals": "deals",
    "show deal": "deals",
    "show game": "show",
    "show player": "show",
    "show evening": "report",
    "show ledger": "solve",
    "show season": "report",
}
"""Where the function of a part stands that has no module of its name."""
WITH_STORE: Final = frozenset(
    {
        *("dashboard", "db", "demo", "export", "forget", "list", "load", "mark", "report", "show"),
        *("solve", "sql", "stats"),
    }
)
"""Commands that load the libraries of the store."""
WRITING: Final = frozenset(
    {"db reaudit", "db rebuild", "db tidy", "db undo", "forget", "load", "solve"}
)
"""Commands that hold a warehouse while they write to it."""
_DATING: Final = frozenset({"dashboard", "db reaudit", "db rebuild", "load"})
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


class ArrowAlone:
    """Has Arrow do without pandas, which it imports with the first array where it is installed.

    That takes as long as a small load, and no command needs it. Whoever asks for pandas finds it.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Find nothing; raise ``ModuleNotFoundError`` where Arrow is called by us and asks."""
        del path, target
        if name != "pandas":
            return
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - inspect is a library of its own
        while frame and frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        # Arrow itself is compiled and has no frame; no module of ours imports pandas.
        asking = str(frame.f_globals.get("__name__")) if frame else ""
        if asking.partition(".")[0] in (NAME, "pyarrow"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def command_in(tokens: Sequence[str]) -> str:
    """Return the command that words begin with, with its part; empty where they begin with none."""
    both = " ".join(tokens[:2])
    return both if both in COMMANDS else tokens[0] if tokens and tokens[0] in COMMANDS else ""


def make_app(only: str = "") -> App:
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
    for name in [only] if only in COMMANDS else COMMANDS:
        _add(app, name)
    if only not in COMMANDS:
        from tricklog.ingest.cli import completion

        completion.register(app)
    return app


def _add(app: App, name: str) -> None:
    """Add a command to the command line; a part of one to that, which is there or is made."""
    from cyclopts import App

    whole, _, part = name.partition(" ")
    own = part or name
    if part and whole not in app:
        app.command(App(name=whole, help=COMMANDS[whole], version_flags=()))
    if name in GROUPS:
        examples = f"Examples:\n\n{GROUPS[name]}"
        app.command(App(name=name, help=COMMANDS[name], help_epilogue=examples, version_flags=()))
        return
    home = whole if whole in GROUPS else _MODULES.get(name, own)
    module = import_module(f"{commands.__name__}.{home}")
    function = getattr(module, own)
    # The terminal breaks the lines of a help text, not the source.
    function.__doc__ = _LINE_BREAK.sub(" ", function.__doc__ or "")
    examples = module.EXAMPLES if isinstance(module.EXAMPLES, str) else module.EXAMPLES[own]
    place = app[whole] if part else app
    place.command(function, name=own, help_epilogue=f"Examples:\n\n{examples}")


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
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    if "#" in tokens[:-1]:
        # Some shells pass a comment on, and the examples of the help are copied with theirs.
        tokens = tokens[: tokens.index("#")]
    begun.clear()
    try:
        _refuse_no_text(tokens)
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
        # A command that changes something says what stands now.
        said = str(error) if isinstance(error, KeyboardInterrupt) else ""
        if not said and not begun and command_in(tokens) in WRITING:
            said = NOT_BEGUN
        if said:
            complain(UserError(said))
        import ctypes

        # Python ends with the status of an interrupted command, and not by the signal itself: it
        # remembers one that went through code which a library had it run from a text, though it was
        # caught later, until it runs another text in the same way.
        ctypes.pythonapi.PyRun_SimpleString(b"")
        return INTERRUPTED
    return status if isinstance(status, int) else SUCCESS


def _tell_of_itself(tokens: Sequence[str]) -> int | None:
    """Print a list, the version or the help that is asked for; return nothing where none is."""
    if tokens[:1] == ["--version"]:
        tell(own_version())
        return SUCCESS
    options = tokens[: tokens.index("--")] if "--" in tokens else tokens
    words = [each for each in tokens if each not in _HELP]
    command = command_in(words)
    is_asked = command and not _HELP.isdisjoint(options)
    if words and not is_asked and " ".join(words) not in GROUPS:
        from tricklog.ingest.cli.lists import told_list

        return told_list(tokens)
    from tricklog.ingest.cli.written_pages import page

    tell(page(command or NAME))
    return SUCCESS


def _run(tokens: Sequence[str]) -> object:
    """Run a command and return its exit status. Raises ``UserError`` for wrong usage as well."""
    only = command_in(tokens)
    if only in GROUPS or (not only and tokens[0] != INSTALL):
        raise _unknown(tokens, only)
    from tricklog.ingest.cli.usage import refuse_early, usage_error

    refuse_early(tokens)
    from cyclopts import CycloptsError

    if tokens[0] in WITH_STORE or "--db" in tokens:
        _require_addresses(tokens)
    if only in _DATING:
        _require_morning()
    app = make_app(only)
    try:
        with ended_in_order() if only in WRITING else nullcontext():
            return app(tokens, print_error=False)
    except CycloptsError as error:
        raise usage_error(error, tokens) from error


def _unknown(tokens: Sequence[str], whole: str) -> UserError:
    """Return the error about a command that there is not, or a part of ``whole``."""
    word = tokens[1] if whole else tokens[0]
    is_option = word.startswith("-")
    commands = [each.removeprefix(f"{whole} ") for each in COMMANDS if each.startswith(whole)]
    near = guess(word, (*_HELP, INSTALL, "--version") if is_option else commands)
    what = "option" if is_option else "command"
    named, see = (f"{whole} {word}", f"{whole} --help") if whole else (word, "--help")
    return UserError(f"there is no {what} {named}", f"{near}See {own_command()} {see}.")


def _refuse_no_text(tokens: Sequence[str]) -> None:
    """Raise ``UserError`` for a word that is empty, as a path the folder one stands in, or no text.

    The names of files may be any bytes where no store takes them in.
    """
    of_store = tokens[:1] and (tokens[0] in WITH_STORE or "--db" in tokens)
    for token in tokens:
        option, equals, value = token.partition("=")
        if not token.strip() or (option.startswith("--") and equals and not value.strip()):
            what = f"what is given to {option}" if option.startswith("--") else "an argument"
            raise UserError(f"{what} is empty", "Is it a variable of the shell that is not set?")
        if of_store and not token.isascii():
            shown = os.fsencode(token).decode("utf-8", "backslashreplace")
            if shown.encode() != os.fsencode(token):
                raise UserError(
                    f"{shown} is no text in UTF-8",
                    "Write it in UTF-8; a log of that name can be loaded with its folder.",
                )


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
    from tricklog.ingest.store.mornings import MORNING, MorningError, morning

    try:
        morning()
    except MorningError as error:
        raise UserError(str(error), f"Set it to one, or to nothing for {MORNING}.") from None


def _sentence(error: OSError | MemoryError, tokens: Sequence[str]) -> str:
    """Return what is said about trouble with the system; where it names no file, the command."""
    command = shlex.join([NAME, *tokens])
    if isinstance(error, OSError):
        return f"{error.filename or command}: {error.strerror or error}"
    return f"{command}: there is not enough memory. Free some, then do the same again."
