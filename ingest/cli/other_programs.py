"""What a command says when the lines it cannot read are those of another program."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ingest.cli.output import err, own_command

if TYPE_CHECKING:
    from ingest import Reject

_KEPT: Final = 20
"""Lines among which records of another program are looked for."""


class FirstRejects:
    """The first lines that could not be read."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rejects: list[Reject] = []

    def add(self, reject: Reject) -> None:
        """Keep a line if it is one of the first."""
        if len(self._rejects) < _KEPT:
            self._rejects.append(reject)

    def say(self, paths: Sequence[str], then: str) -> None:
        """Say on standard error whose log they look like, and how to convert ``paths``.

        ``then`` is the command that takes the converted hands. Nothing is said of lines that no
        adapter knows.
        """
        if not self._rejects:
            return
        from ingest.adapters.recognising import recognise_rejects

        found = recognise_rejects(self._rejects)
        if found.adapter is None:
            return
        names = shlex.join(("--from", found.adapter.name, *map(str, paths)))
        console = err()
        console.print(
            f"These lines look like another program’s: {found.adapter.program}.", soft_wrap=True
        )
        console.print(
            f"Convert them first: {own_command()} convert {names} | {then}", soft_wrap=True
        )
