"""The help of each command as ``tricklog`` shows it, made from the commands."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.console import Console

from ingest.cli import COMMANDS, NAME, make_app
from ingest.cli.help_pages import PAGES, file_of

if TYPE_CHECKING:
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
    """Return the page of a command, or that of the whole program."""
    app, console = make_app(), _console()
    app.help_formatter = _Unfolded()  # type: ignore[assignment]  # it is called by position
    app.help_print([] if name == NAME else name.split(), console=console)
    file = console.file
    assert isinstance(file, io.StringIO)
    lines = "\n".join(line.rstrip() for line in file.getvalue().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines) + "\n"


def write() -> None:
    """Write all pages."""
    PAGES.mkdir(exist_ok=True)
    for each in PAGES.iterdir():
        each.unlink()
    for name in (NAME, *COMMANDS):
        file_of(name).write_text(page(name), "utf-8")
