"""The list of adapters, as text and as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ingest.cli.output import PROBLEM, SUCCESS, Style, print_json, styled, tell

if TYPE_CHECKING:
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
