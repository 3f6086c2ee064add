"""The command ``tricklog``: a thin shell over the library.

Data go to standard output, everything else to standard error. Each command stands in a module of
its own and imports heavy libraries where it uses them, so that the small commands start at once.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Final

from cyclopts import App, CycloptsError, Parameter

from ingest.cli import completion
from ingest.cli.commands import (
    adapters,
    alias,
    ask,
    audit,
    convert,
    dashboard,
    deals,
    demo,
    doctor,
    export,
    forget,
    game,
    generate,
    ledger,
    load,
    note,
    reaudit,
    rebuild,
    record,
    rejects,
    replay,
    report,
    rule,
    schema,
    session,
    sheet,
    solve,
    stats,
    summary,
    tag,
    tidy,
    variants,
    verify,
    warmup,
)
from ingest.cli.output import (
    BROKEN_PIPE,
    INTERRUPTED,
    UNREADABLE,
    USAGE,
    UnknownOptionError,
    UserError,
    close_broken_output,
    complain,
    hint_about,
    leave_output,
    prepare_streams,
)
from ingest.cli.usage import unknown_option, usage_error
from ingest.reading.interrupts import ended_in_order, is_interrupt

NAME: Final = "tricklog"
ABOUT: Final = "Replay, audit and explore recorded hands of bidding trick-taking games."
EPILOGUE: Final = """Exit status: 0 all is well; 1 hands with findings, or rejected ones; \
2 wrong usage; 3 something could not be read or written; 130 interrupted.

Start with: tricklog demo"""

COMMANDS: Final = (
    (adapters.adapters, "adapters", adapters.EXAMPLES),
    (alias.alias, "alias", alias.EXAMPLES),
    (ask.ask, "ask", ask.EXAMPLES),
    (audit.audit, "audit", audit.EXAMPLES),
    (convert.convert, "convert", convert.EXAMPLES),
    (dashboard.dashboard, "dashboard", dashboard.EXAMPLES),
    (deals.deals, "deals", deals.EXAMPLES),
    (demo.demo, "demo", demo.EXAMPLES),
    (doctor.doctor, "doctor", doctor.EXAMPLES),
    (export.export, "export", export.EXAMPLES),
    (forget.forget, "forget", forget.EXAMPLES),
    (game.game, "game", game.EXAMPLES),
    (generate.generate, "generate", generate.EXAMPLES),
    (ledger.ledger, "ledger", ledger.EXAMPLES),
    (load.load, "load", load.EXAMPLES),
    (note.note, "note", note.EXAMPLES),
    (reaudit.reaudit, "reaudit", reaudit.EXAMPLES),
    (rebuild.rebuild, "rebuild", rebuild.EXAMPLES),
    (record.record, "record", record.EXAMPLES),
    (rejects.rejects, "rejects", rejects.EXAMPLES),
    (replay.replay, "replay", replay.EXAMPLES),
    (report.report, "report", report.EXAMPLES),
    (rule.rule, "rule", rule.EXAMPLES),
    (schema.schema, "schema", schema.EXAMPLES),
    (session.session, "session", session.EXAMPLES),
    (sheet.sheet, "sheet", sheet.EXAMPLES),
    (solve.solve, "solve", solve.EXAMPLES),
    (stats.stats, "stats", stats.EXAMPLES),
    (summary.summary, "summary", summary.EXAMPLES),
    (tag.tag, "tag", tag.EXAMPLES),
    (tidy.tidy, "tidy", tidy.EXAMPLES),
    (variants.variants, "variants", variants.EXAMPLES),
    (verify.verify, "verify", verify.EXAMPLES),
    (warmup.warmup, "warmup", warmup.EXAMPLES),
)

WITH_STORE: Final = frozenset(
    {
        "alias",
        "dashboard",
        "deals",
        "demo",
        "forget",
        "game",
        "ledger",
        "load",
        "note",
        "reaudit",
        "rebuild",
        "rejects",
        "report",
        "session",
        "solve",
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
_ADDRESSES: Final = 3 << 30
_ADDRESSES_OF_A_CORE: Final = 128 << 20
"""Bytes of memory that these libraries must be able to address; each core has threads of its own.

Far less is ever used, but below this they crash where they should raise an error.
"""
USAGES: Final = {"adapters": adapters.USAGE, "sheet": sheet.USAGE}
"""How commands are called of which that cannot be seen from their parameters."""
_LINE_BREAK = re.compile(r"(?<=\S)\n[ ]+(?!\w+:)(?=\S)")
"""A line break within a paragraph, or within the text of one argument."""


def make_app() -> App:
    """Return the command line with all its commands."""
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
    )
    for function, name, examples in COMMANDS:
        # The terminal breaks the lines of a help text, not the source.
        function.__doc__ = _LINE_BREAK.sub(" ", function.__doc__ or "")
        epilogue = f"Examples:\n\n{examples}"
        app.command(function, name=name, help_epilogue=epilogue, usage=USAGES.get(name))
    completion.register(app)
    return app


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
    try:
        _refuse_empty(tokens)
        if tokens and (tokens[0] in WITH_STORE or "--db" in tokens):
            _require_addresses(tokens)
        with ended_in_order() if tokens[:1] and tokens[0] in WRITING else nullcontext():
            status = make_app()(tokens, print_error=False)
        sys.stdout.flush()
    except CycloptsError as error:
        complain(usage_error(error, tokens))
        return USAGE
    except UnknownOptionError as error:
        complain(unknown_option(error, make_app(), tokens))
        return USAGE
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
    except (KeyboardInterrupt, RuntimeError) as error:
        if not is_interrupt(error):
            raise
        # A command that was changing something says what stands now.
        if isinstance(error, KeyboardInterrupt) and error.args:
            complain(UserError(str(error)))
        return INTERRUPTED
    return status if isinstance(status, int) else 0


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


def _sentence(error: OSError | MemoryError, tokens: Sequence[str]) -> str:
    """Return what is said about trouble with the system; where it names no file, the command."""
    place = error.filename if isinstance(error, OSError) else None
    place = place or shlex.join([NAME, *tokens])
    if isinstance(error, OSError):
        return f"{place}: {error.strerror or error}"
    return f"{place}: there is not enough memory. Free some, then do the same again."
