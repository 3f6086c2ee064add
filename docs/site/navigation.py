"""The menu of the site, from ``navigation.toml``; the pages themselves carry no menu."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

DOCS: Final = Path(__file__).parents[1]
MENU: Final = Path(__file__).with_name("navigation.toml")


def add_menu(_app: Sphinx, name: str, content: list[str]) -> None:
    """Add to the start page the menu, and to the page of a folder what is in it."""
    page = DOCS.parent / f"{name}.md"
    if page == DOCS.parent / "README.md":
        content[0] += "".join(_trees())
    elif page.name == "README.md" and page.parent != DOCS:
        folder = page.parent.relative_to(DOCS.parent)
        content[0] += _tree("", [f"/{folder}/{each}" for each in _beside(page)])


def groups() -> dict[str, list[str]]:
    """The headings of the menu with their pages, below ``docs``, without the ending."""
    read: dict[str, list[str]] = tomllib.loads(MENU.read_text("utf-8"))["menu"]
    return read


def _trees() -> Iterator[str]:
    for heading, pages in groups().items():
        yield _tree(heading, [f"/docs/{page}" if "/" not in page[:1] else page for page in pages])


def _tree(heading: str, pages: list[str]) -> str:
    caption = f":caption: {heading}\n" if heading else ""
    return "\n\n```{toctree}\n:hidden:\n" + caption + "\n" + "\n".join(pages) + "\n```\n"


def _beside(page: Path) -> list[str]:
    """The other pages of a folder, and the first one of each folder below it."""
    below = (f"{path.parent.name}/README" for path in page.parent.glob("*/README.md"))
    return [*sorted(path.stem for path in page.parent.glob("*.md") if path != page), *sorted(below)]
