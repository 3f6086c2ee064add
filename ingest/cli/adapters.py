"""Adapters: whose logs can be read, and a project for those of another program."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.cli.output import (
    PROBLEM,
    SUCCESS,
    Style,
    UserError,
    own_command,
    print_json,
    put,
    styled,
    tell,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.adapters.registry import Listed


def listed_adapters(*, json: bool = False) -> int:
    """Print which adapters there are; return the exit status."""
    from ingest.adapters.registry import listed

    found = listed()
    for each in found:
        if json:
            print_json(_as_json(each))
        else:
            _print(each)
    return PROBLEM if any(each.trouble for each in found) else SUCCESS


def _as_json(each: Listed) -> dict[str, object]:
    adapter = each.adapter
    return {
        "name": each.name,
        "program": adapter.program if adapter else None,
        "package": each.package,
        "version": each.version,
        "contract": adapter.contract if adapter else None,
        "fields": sorted(adapter.fields) if adapter else None,
        "grouped": adapter.group_by is not None if adapter else None,
        "trouble": each.trouble or None,
    }


def _print(each: Listed) -> None:
    from schemas.printable import one_line

    def dim(text: str) -> str:
        return styled(one_line(text), Style.DIM, sys.stdout)

    name = styled(each.name, Style.BOLD, sys.stdout)
    tell(f"{name}  {dim(f'{each.package} {each.version}'.strip())}")
    if each.adapter is None:
        trouble = styled("cannot be used:", Style.TROUBLE, sys.stdout)
        tell(f"  {trouble} {one_line(each.trouble)}")
    else:
        unit = "one event a line" if each.adapter.group_by else "one record a line"
        tell(f"  {one_line(each.adapter.program)}")
        tell(dim(f"  {unit}, known by the fields {', '.join(sorted(each.adapter.fields))}"))


def begin_adapter(name: str, folders: Sequence[str]) -> int:
    """Write a project for an adapter into a folder, one of its name unless said.

    Raises ``UserError`` for a name or a folder that cannot be taken.
    """
    from ingest.adapters.new_project import ProjectError, write_project
    from ingest.adapters.registry import listed
    from ingest.cli import own_version

    taken = next((each for each in listed() if each.name == name), None)
    if taken is not None:
        raise UserError(
            f"there is an adapter {name} already, of {taken.package} {taken.version}",
            "Choose another name: two packages with one name are both refused.",
        )
    if len(folders) > 1:
        raise UserError("an adapter is written into one folder", "Name one, or none.")
    place = Path(*folders or (name,))
    try:
        written = write_project(name, place, own_version())
    except ProjectError as error:
        raise UserError(str(error), "Choose another.") from error
    there = shlex.quote(str(place))
    put(
        *map(str, written),
        f"It passes its tests as it is. Go on with:\n"
        f"  cd {there} && pip install -e '.[test]' && python -m pytest\n"
        f"  {own_command()} convert --from {name} tests/sample.jsonl",
    )
    return SUCCESS
