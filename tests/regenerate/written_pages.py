"""The help of each command, and the lists, options and names that are known without the code."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, get_type_hints

from rich.console import Console

from tests.regenerate.texts import folded
from tricklog import ADAPTERS, METRICS, Verdict, load_variant, variants
from tricklog.ingest.adapters.registry import OWN, listed
from tricklog.ingest.cli import COMMANDS, GROUPS, NAME, make_app
from tricklog.ingest.cli.arguments import LOG
from tricklog.ingest.cli.commands.rules import game_page
from tricklog.ingest.cli.lists import (
    TITLES,
    VERSION,
    adapters_json,
    adapters_page,
    figures_json,
    figures_page,
)
from tricklog.ingest.cli.usage import OPTIONS
from tricklog.ingest.cli.written_pages import HEADING, LISTS, PAGES, file_of
from tricklog.ingest.cli.written_pages import page as written_page
from tricklog.ingest.completing.words import NAMES_FILE
from tricklog.ingest.exporting import ALL, NAMES
from tricklog.ingest.exporting import GROUPS as GROUPS_OF_TABLES
from tricklog.ingest.metrics import DIMENSIONS, METRIC
from tricklog.schemas.languages.current import ENGLISH, LANGUAGES, in_language
from tricklog.schemas.languages.messages import Message

if TYPE_CHECKING:
    from cyclopts import App
    from cyclopts.help import HelpPanel
    from rich.console import ConsoleOptions

_WIDE = 100_000


class _Unfolded:
    """Writes help with each paragraph and each row on a line of its own."""

    def render_usage(self, console: Console, _: ConsoleOptions, usage: object) -> None:
        console.print(f"Usage: {_plain(usage).removeprefix('Usage: ')}", end="\n\n")

    def render_description(self, console: Console, _: ConsoleOptions, said: object) -> None:
        console.print(_plain(said), end="\n\n")

    def __call__(self, console: Console, _: ConsoleOptions, panel: HelpPanel) -> None:
        if panel.entries:
            console.print(f"{panel.title}:")
        for entry in panel.entries:
            said = [_plain(entry.description)] if entry.description else []
            if entry.choices:
                said.append(f"[choices: {', '.join(entry.choices)}]")
            if entry.default not in (None, "()"):
                said.append(f"[default: {entry.default}]")
            if entry.required:
                said.append("[required]")
            names = ", ".join(entry.display_labels_with_metavar)
            # The library would turn tabs into spaces.
            console.file.write(f"\t{names}\t{' '.join(' '.join(said).split())}\n")
        console.print()


def _console() -> Console:
    return Console(
        file=io.StringIO(), width=_WIDE, tab_size=1, markup=False, emoji=False, highlight=False
    )


def _plain(shown: object) -> str:
    console = _console()
    console.print(shown)
    file = console.file
    assert isinstance(file, io.StringIO)
    return "\n".join(line.rstrip() for line in file.getvalue().strip().splitlines())


def page(name: str) -> str:
    app, console = make_app(), _console()
    app.help_formatter = _Unfolded()  # type: ignore[assignment]  # it is called by position
    app.help_print([] if name == NAME else name.split(), console=console)
    file = console.file
    assert isinstance(file, io.StringIO)
    lines = "\n".join(line.rstrip() for line in file.getvalue().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines) + "\n"


def part() -> str:
    """Return the help of every command, each in a fold, in Markdown."""
    return "\n".join(
        folded(
            f"<code>tricklog {name}</code>",
            f"```text\n{written_page(name)}\n```",
            f"tricklog-{name.replace(' ', '-')}",
        )
        for name in COMMANDS
    )


def lists() -> dict[str, str]:
    """Return each file of ``LISTS`` by its name, but the options."""
    own = [dataclasses.replace(each, version=VERSION) for each in listed() if each.package == OWN]
    games = {f"games/{name}.txt": game_page(load_variant(name)) for name in variants()}
    others = {f"{each}.tsv": "".join(_translated(each)) for each in LANGUAGES if each != ENGLISH}
    made = {
        "adapters.txt": adapters_page(own),
        "adapters.json": adapters_json(own),
        "figures.txt": figures_page(METRICS),
        "figures.json": figures_json(METRICS),
    }
    return {name: f"{text.rstrip()}\n" for name, text in (made | games | others).items()}


def _translated(language: str) -> Iterator[str]:
    """Yield a line for each text of the lists of games that is another one in a language."""
    found: dict[str, str] = {}
    for english, other in _texts_of_games(language):
        was = found.setdefault(english, other)
        assert was == other, f"{english!r} is {was!r} and {other!r} in {language}"
    for english, other in sorted(found.items()):
        if english != other:
            yield f"{english}\t{other}\n"


def _texts_of_games(language: str) -> Iterator[tuple[str, str]]:
    for each in TITLES:
        with in_language(language):
            yield each, str(Message(each))
    for ruleset in map(load_variant, variants()):
        english = _cells(game_page(ruleset))
        with in_language(language):
            yield from zip(english, _cells(game_page(ruleset)), strict=True)


def _cells(page: str) -> list[str]:
    return [cell for line in page.splitlines() for cell in line.removeprefix(HEADING).split("\t")]


def options() -> dict[str, Any]:
    """Return what ``tricklog.ingest.cli.usage`` knows of each command."""
    app = make_app()
    return {name: _options_of(app, name) for name in COMMANDS if name not in GROUPS}


def _options_of(app: App, name: str) -> dict[str, Any]:
    command = app
    for word in name.split():
        command = command[word]
    function = command.default_command
    assert function is not None
    hints = get_type_hints(function, include_extras=True)
    reads = any(LOG in getattr(each, "__metadata__", ()) for each in hints.values())
    found = command.assemble_argument_collection(default_parameter=app.default_parameter)
    arguments = [each for each in found if each.parse]
    named = {
        each: argument.token_count()[0]
        for argument in arguments
        for each in argument.names
        if each.startswith("-")
    }
    any_word = any(
        each.parameter.allow_leading_hyphen for each in arguments if each.index is not None
    )
    return {
        "options": dict(sorted(named.items())),
        "reads_logs": reads,
        "takes_any_word": any_word and not reads,
    }


def options_text() -> str:
    """Return the file of options."""
    return json.dumps(options(), indent=1) + "\n"


def write() -> None:
    for each in PAGES.iterdir():
        each.unlink()
    files = {file_of(name): page(name) for name in (NAME, *COMMANDS)}
    files |= {LISTS / name: text for name, text in lists().items()}
    for file, text in (files | {OPTIONS: options_text()}).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


# --- The names that shells complete
def names_text() -> str:
    kinds = {
        "adapters": sorted(ADAPTERS),
        "dimensions": sorted(each.name for each in DIMENSIONS),
        "metrics": sorted(METRIC),
        "player_dimensions": sorted(each.name for each in DIMENSIONS if each.players),
        "tables": [*GROUPS_OF_TABLES, ALL, *NAMES],
        "variants": list(variants()),
        "verdicts": [each.value for each in Verdict],
    }
    return json.dumps(kinds, indent=1) + "\n"


def write_names() -> None:
    NAMES_FILE.write_text(names_text(), "utf-8")
