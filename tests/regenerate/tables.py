"""The pictures of tables and their keys on ``docs/warehouse.md``, made from what columns mean.

Words about a column name the key that it leads to, such as ``hands.hand_id``; that is a line. A
table stands to the right of all that it leads to.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from tricklog.ingest.exporting import FACTS, READABLE, TABLES, VIEWS
from tricklog.ingest.facts import build
from tricklog.ingest.metrics.tallies import about
from tricklog.ingest.store import database, publishing

IMAGES = Path(__file__).parents[2] / "docs" / "images"
PICTURES = {
    "tables": (*TABLES, *(name for name in VIEWS if name != READABLE)),
    "facts": ("hands", "games", "seatings", "chairs", "sessions", *FACTS),
}
"""What each picture shows."""
_KEY = re.compile(r"\b(?:games\.)?(\w+)\.(\w+)\b")
_WIDTH, _APART, _LINE, _GAP, _MARGIN = 190, 90, 20, 18, 16
"""Of a box, between columns of boxes, of a line, between boxes, around all, in pixels."""
_STYLE = (
    "text{font:13px sans-serif;fill:#1f2328}.t{font-weight:bold}"
    ".b{fill:#f6f8fa;stroke:#656d76}path{fill:none;stroke:#0969da}"
)


@cache
def columns() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    with database.connect() as connection:
        publishing.create_tables(connection)
        connection.execute("ATTACH ':memory:' AS facts")
        build.make_tables(connection, tallied=False)
        listed = "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
        for table, column in connection.execute(listed).fetchall():
            found[table] = (*found.get(table, ()), column)
    return found


def lines_of(tables: tuple[str, ...]) -> list[tuple[str, str, str, str]]:
    """Return what leads where: table and column, and the table and the key there."""
    known, found = columns(), []
    for table in tables:
        for column in known[table]:
            for there, key in _KEY.findall(about(table, column)):
                # The table alone is named where the key has the name of the column.
                goal = (key, column) if key in tables and column in known[key] else (there, key)
                if goal[0] in tables and goal[0] != table and goal[1] in known[goal[0]]:
                    found.append((table, column, *goal))
                    break
    return found


@dataclass(slots=True)
class _Box:
    """Tables that lead to the same keys, with these."""

    tables: list[str]
    keys: list[str]
    depth: int = 0
    left: int = 0
    top: int = 0

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return _LINE * (len(self.tables) + len(self.keys)) + 8

    def middle_of(self, key: str) -> int:
        """Return where lines to and from a key meet the box."""
        return self.top + _LINE * (len(self.tables) + self.keys.index(key) + 1) - 7

    def drawn(self) -> Iterator[str]:
        """Yield the elements of the box."""
        yield (
            f'<rect class="b" x="{self.left}" y="{self.top}" width="{_WIDTH}" '
            f'height="{self.height}" rx="4"/>'
        )
        for number, name in enumerate((*self.tables, *self.keys), start=1):
            kind = ' class="t"' if number <= len(self.tables) else ""
            y = self.top + number * _LINE - 3
            yield f'<text{kind} x="{self.left + 10}" y="{y}">{escape(name)}</text>'


def _boxes(tables: tuple[str, ...], lines: list[tuple[str, str, str, str]]) -> dict[str, _Box]:
    """Return the box of each table, in its place."""
    boxes: dict[str, _Box] = {}
    alike: dict[object, _Box] = {}
    goals = {there for _, _, there, _ in lines}
    for table in tables:
        own = [(column, *goal) for each, column, *goal in lines if each == table]
        reached = {key for _, _, there, key in lines if there == table}
        leading = {column for column, *_ in own}
        keys = [each for each in columns()[table] if each in reached | leading]
        # What nothing leads to stands with whatever leads to the same.
        same = table if table in goals else str(own)
        box = boxes[table] = alike.setdefault(same, _Box([], keys))
        box.tables.append(table)
    for _ in tables:
        for table, _, there, _ in lines:
            boxes[table].depth = max(boxes[table].depth, boxes[there].depth + 1)
    bottoms: Counter[int] = Counter()
    for box in alike.values():
        box.left = _MARGIN + box.depth * (_WIDTH + _APART)
        box.top = _MARGIN + bottoms[box.depth]
        bottoms[box.depth] += box.height + _GAP
    return boxes


def picture(name: str) -> str:
    """Return tables with their keys, and lines from each key to where it leads, as SVG."""
    lines = lines_of(PICTURES[name])
    boxes = _boxes(PICTURES[name], lines)
    paths = set()
    for table, column, there, key in lines:
        start, y = boxes[table].left, boxes[table].middle_of(column)
        end, goal = boxes[there].left + _WIDTH, boxes[there].middle_of(key)
        paths.add(f'<path d="M{start} {y}C{start - 40} {y} {end + 40} {goal} {end} {goal}"/>')
    each_box = {id(box): box for box in boxes.values()}.values()
    width = max(box.left for box in each_box) + _WIDTH + _MARGIN
    height = max(box.top + box.height for box in each_box) + _MARGIN
    size = f'width="{width}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}>',
            f"<style>{_STYLE}</style>",
            f'<rect {size} fill="#ffffff"/>',
            *sorted(paths),
            *(element for box in each_box for element in box.drawn()),
            "</svg>\n",
        ]
    )


def file_of(name: str) -> Path:
    return IMAGES / f"{name}.svg"


def write() -> None:
    for name in PICTURES:
        file_of(name).write_text(picture(name), "utf-8")
