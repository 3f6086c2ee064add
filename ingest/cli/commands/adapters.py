"""``tricklog adapters``: whose logs can be read, and a project for those of another program."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Literal

from ingest.cli.adapter_list import listed_adapters
from ingest.cli.arguments import Flag
from ingest.cli.output import SUCCESS, UserError, out, own_command

USAGE = """\
Usage: tricklog adapters [--json]
       tricklog adapters new NAME [FOLDER]"""
EXAMPLES = """\
  tricklog adapters                      # whose logs can be read
  tricklog adapters new our-club ./our-club    # a project for your own adapter"""


def adapters(
    action: Literal["new"] | None = None,
    name: str | None = None,
    folder: str | None = None,
    /,
    *,
    json: Flag = False,
) -> int:
    """List whose logs can be read, or begin an adapter.

    Packages that are installed beside Tricklog may bring adapters; each is listed with its package,
    and one that cannot be used with the reason.

    Args:
        action: new writes a project for an adapter: package, sample records and tests that pass.
        name: With new, the name of the adapter: small letters, digits and hyphens.
        folder: With new, the folder to write into; one of that name unless said.
        json: One JSON object for each adapter.
    """
    if action == "new":
        return _new(name, folder)
    return listed_adapters(json=json)


def _new(name: str | None, folder: str | None) -> int:
    from ingest.adapters.new_project import ProjectError, write_project
    from ingest.adapters.registry import listed
    from ingest.cli import own_version

    if name is None:
        raise UserError(
            "a new adapter needs a name",
            f"Say {own_command()} adapters new NAME, such as the name of the program.",
        )
    taken = next((each for each in listed() if each.name == name), None)
    if taken is not None:
        raise UserError(
            f"there is an adapter {name} already, of {taken.package} {taken.version}",
            "Choose another name: two packages with one name are both refused.",
        )
    place = Path(folder or name)
    try:
        written = write_project(name, place, own_version())
    except ProjectError as error:
        raise UserError(str(error), "Choose another.") from error
    console = out()
    for path in written:
        console.print(str(path), soft_wrap=True)
    there = shlex.quote(str(place))
    console.print(
        f"It passes its tests as it is. Go on with:\n"
        f"  cd {there} && pip install -e '.[test]' && python -m pytest\n"
        f"  {own_command()} convert --from {name} tests/sample.jsonl",
        soft_wrap=True,
    )
    return SUCCESS
