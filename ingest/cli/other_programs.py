"""What a command says when the lines it cannot read are those of another program."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ingest.cli.output import UserError, err, own_command

if TYPE_CHECKING:
    from ingest import Reject

From = Annotated[str | None, Parameter(name="--from")]
"""Whose logs are read: the name of an adapter; of hand logs nothing."""
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

    def say(self, command: str, paths: Sequence[str], *options: str) -> None:
        """Say on standard error whose log they look like, and how to read ``paths`` as such.

        ``command`` is what was called, with its ``options``. Of records that no adapter knows it is
        said how to get one.
        """
        if not self._rejects:
            return
        from ingest.adapters.recognising import recognise_rejects
        from ingest.reading.rejects import RejectCode

        found = recognise_rejects(self._rejects)
        console = err()
        if found.adapter is None:
            if all(each.code == RejectCode.UNKNOWN_FORMAT for each in self._rejects):
                console.print(_no_adapter(command), soft_wrap=True)
            return
        words = (command, "--from", found.adapter.name, *map(str, paths), *options)
        console.print(
            f"These lines look like another program’s: {found.adapter.program}.", soft_wrap=True
        )
        console.print(f"Read them as such: {own_command()} {shlex.join(words)}", soft_wrap=True)


def _no_adapter(command: str) -> str:
    own = own_command()
    return (
        "No adapter that is installed knows these records. If they are another program’s, install "
        f"its adapter and say {own} {command} --from NAME; {own} adapters lists those that are "
        f"installed, {own} adapters new NAME begins one of your own."
    )


def need_adapter(name: str | None) -> None:
    """Raise ``UserError`` for an adapter that is not there or cannot be used."""
    if name is None:
        return
    from ingest.adapters import UnknownAdapterError, adapter_named

    try:
        adapter_named(name)
    except UnknownAdapterError as error:
        raise UserError(str(error), f"See {own_command()} adapters.") from error
