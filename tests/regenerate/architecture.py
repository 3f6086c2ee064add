"""The picture in ``docs/architecture.md``, made from the imports of the packages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import grimp

PACKAGES: Final = ("dashboard", "ingest", "core", "schemas")
_ROOT: Final = Path(__file__).parents[2]
PAGE: Final = _ROOT / "docs" / "architecture.md"
_BEGIN: Final = "<!-- picture -->\n"
_END: Final = "<!-- end of picture -->\n"


def room_of(module: str) -> tuple[str, str]:
    """Return the package of a module and its room: the folder, or the package where it has none."""
    _, package, name, *_ = module.split(".")
    in_folder = (_ROOT / "tricklog" / package / name).is_dir()
    return package, name if in_folder else package


def arrows() -> set[tuple[tuple[str, str], tuple[str, str]]]:
    """Return which room imports which, each as (package, room)."""
    graph = grimp.build_graph("tricklog")
    # The packages themselves, and tricklog, only offer names of their modules.
    shown = {each for package in PACKAGES for each in graph.find_descendants(f"tricklog.{package}")}
    found = set()
    for module in shown:
        for imported in graph.find_modules_directly_imported_by(module) & shown:
            pair = room_of(module), room_of(imported)
            if pair[0] != pair[1]:
                found.add(pair)
    return found


def picture() -> str:
    """Return the rooms and their arrows as a Mermaid flow chart."""
    pairs = arrows()
    lines = ["```mermaid", "flowchart TD"]
    for package in PACKAGES:
        rooms = sorted({room for pair in pairs for name, room in pair if name == package})
        lines.append(f"  subgraph {package}")
        lines += [f"    {package}.{room}[{_label(package, room)}]" for room in rooms]
        inside = sorted((a[1], b[1]) for a, b in pairs if a[0] == b[0] == package)
        lines += [f"    {package}.{a} --> {package}.{b}" for a, b in inside]
        lines.append("  end")
    between = sorted({(a[0], b[0]) for a, b in pairs if a[0] != b[0]})
    lines += [f"  {a} ==> {b}" for a, b in between]
    return "\n".join([*lines, "```", ""])


def _label(package: str, room: str) -> str:
    return "modules of its own" if room == package else room


def page() -> str:
    """Return the page with its picture drawn again."""
    text = PAGE.read_text("utf-8")
    before, rest = text.split(_BEGIN)
    after = rest.split(_END)[1]
    return f"{before}{_BEGIN}\n{picture()}\n{_END}{after}"


def write() -> None:
    """Draw the picture into the page."""
    PAGE.write_text(page(), "utf-8")
