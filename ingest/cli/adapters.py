"""Adapters: whose logs can be read, and a project for those of another program."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.ingest.cli.output import PROBLEM, SUCCESS, UserError, own_command, put, tell
from tricklog.ingest.cli.written_pages import HEADING, LISTS, laid_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tricklog.ingest.adapters.registry import Listed

VERSION: Final = "{version}"
"""What stands for the version of Tricklog in what was written beforehand."""


def listed_adapters(*, json: bool = False) -> int:
    """Print which adapters there are; return the exit status."""
    from tricklog.ingest.cli import own_version
    from tricklog.ingest.reading.entry_points import ADAPTERS, are_brought

    if not are_brought(ADAPTERS):
        file = LISTS / f"adapters.{'json' if json else 'txt'}"
        text = file.read_text("utf-8").replace(VERSION, own_version())
        tell(text.rstrip("\n") if json else laid_out(text))
        return SUCCESS
    from tricklog.ingest.adapters.registry import listed

    found = listed()
    tell(adapters_json(found) if json else laid_out(adapters_page(found)))
    return PROBLEM if any(each.trouble for each in found) else SUCCESS


def adapters_json(found: Iterable[Listed]) -> str:
    """Return a JSON object for each adapter, one a line."""
    import msgspec

    return "\n".join(msgspec.json.encode(_as_json(each)).decode() for each in found)


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


def adapters_page(found: Iterable[Listed]) -> str:
    """Return the page of ``written_pages`` that lists adapters."""
    from tricklog.schemas.printable import one_line

    lines = []
    for each in found:
        lines.append(f"{HEADING}{one_line(f'{each.name}  {each.package} {each.version}'.strip())}")
        if each.adapter is None:
            lines.append(f"  cannot be used: {one_line(each.trouble)}")
        else:
            unit = "one event a line" if each.adapter.group_by else "one record a line"
            fields = ", ".join(sorted(each.adapter.fields))
            lines += [f"  {one_line(each.adapter.program)}"]
            lines += [f"  {unit}, known by the fields {one_line(fields)}"]
    return "\n".join(lines)


def begin_adapter(name: str, folders: Sequence[str]) -> int:
    """Write a project for an adapter into a folder, one of its name unless said.

    Raises ``UserError`` for a name or a folder that cannot be taken.
    """
    from tricklog.ingest.adapters.new_project import ProjectError, write_project
    from tricklog.ingest.adapters.registry import listed
    from tricklog.ingest.cli import own_version

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
