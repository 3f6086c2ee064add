"""The blocks of code of a page of the documentation, with what the page says of each to its tests.

Above a block, comments that no reader sees may stand, one a line:

- ``<!-- not run: REASON -->``: it cannot be run by a test, and why;
- ``<!-- file: NAME -->``: it is saved under that name, as the page tells its readers to;
- ``<!-- with: NAME, NAME -->``: what is there before it is run, ``PROVIDED`` of its tests;
- ``<!-- status: N -->``: with which status the last command of the block ends.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

REPOSITORY: Final = Path(__file__).parents[2]
DOCS: Final = REPOSITORY / "docs"
MARKS: Final = frozenset({"not run", "file", "with", "status"})
_FENCE: Final = re.compile(r"^( *)```(\S*)(?: .*)?$")
_MARK: Final = re.compile(r"^ *<!-- ([a-z ]+): (.+) -->$")


class Block(NamedTuple):
    page: str
    """Below the repository."""
    line: int
    language: str
    content: str
    marks: dict[str, str]

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[str]:
    paths = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
    names = (path.relative_to(REPOSITORY).as_posix() for path in sorted(paths))
    return [name for name in names if blocks_of(name)]


def blocks_of(page: str) -> list[Block]:
    return list(_blocks(page, (REPOSITORY / page).read_text("utf-8").splitlines()))


def _blocks(page: str, lines: list[str]) -> Iterator[Block]:
    marks: dict[str, str] = {}
    numbered = enumerate(lines, start=1)
    for number, line in numbered:
        if fence := _FENCE.match(line):
            indent, language = fence.groups()
            content = [each.removeprefix(indent) for each in _until_closed(numbered)]
            yield Block(page, number, language, "".join(f"{each}\n" for each in content), marks)
            marks = {}
        elif mark := _MARK.match(line):
            if mark[1] in MARKS:
                marks = {**marks, mark[1]: mark[2]}
        elif line.strip():
            marks = {}


def _until_closed(numbered: Iterator[tuple[int, str]]) -> Iterator[str]:
    for _, line in numbered:
        if line.strip() == "```":
            return
        yield line
    raise AssertionError("a block of a page is never closed")
