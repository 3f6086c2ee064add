"""The rule cases of `tests/rules/cases/VARIANT/*.txt`, one row each.

    [call]                                 the kind of the rows below
    with dealer 2 | options min_bid = 6    what these rows have until the next `with` or kind
    T05 O01 | legal 6-14 pass              a case: the rules that it cites, then its fields
      | illegal 0 bid 5 -> bid-too-low     an indented line belongs to the row before
    | calls 0 pass, 1 pass | legal 6-14    cites no rule: goes on with the test of the row before

A field is a word and its value: a number, true or false, text, or what a set below says of it.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from tricklog.core import variants

CASES: Final = Path(__file__).parents[1] / "rules/cases"

Case = dict[str, Any]

NUMBERS: Final = frozenset(("points", "change", "before", "after", "count", "scores"))
"""Fields of several numbers: `2 0`."""
LISTS: Final = frozenset(
    ("allowed", "unset", "found", "deal", "gaps", "noted", "told", "doubts", "taken", "captures")
)
"""Fields of several texts: `3 bid 7; 3 pass`."""
CHANGES: Final = frozenset(("illegal", "instead", "face_down", "faults"))
"""Fields that lead from texts to texts: `3 bid 7 -> bid-too-low; 3 bid 8 -> bid-too-high`."""
TABLES: Final = frozenset(
    ("options", "outcome", "known_outcome", "tricks", "at", "claimed", "known", "state")
)
"""Fields with fields of their own, as TOML: `change = [1, 0], result = "made"`."""


def all_cases() -> dict[str, dict[str, list[Case]]]:
    """Return the cases of every variant by kind, those of its files put together."""
    found: dict[str, dict[str, list[Case]]] = {name: {} for name in variants()}
    for path in sorted(CASES.glob("*/*.txt")):
        for kind, rows in cases_in(path).items():
            found[path.parent.name].setdefault(kind, []).extend(rows)
    return found


def cases_in(path: Path) -> dict[str, list[Case]]:
    """Return the cases of a file by kind.

    Raises:
    ------
    ValueError: A row without a kind above it.
    """
    found: dict[str, list[Case]] = {}
    shared: Case = {}
    rows: list[Case] | None = None
    for first, *fields in rows_in(path):
        if first.startswith("["):
            rows, shared = found.setdefault(first.strip("[]"), []), {}
        elif first.startswith("with"):
            shared = dict(field_of(field) for field in [first[5:], *fields] if field)
        elif rows is None:
            message = f"{path.name}: no kind, as [hand], above: {first}"
            raise ValueError(message)
        else:
            cited = {"rule": first} if first else {}
            rows.append(shared | cited | dict(field_of(field) for field in filter(None, fields)))
    return found


def field_of(text: str) -> tuple[str, Any]:
    name, _, value = text.partition(" ")
    if name in NUMBERS:
        return name, [int(word) for word in value.split()]
    if name in TABLES:
        return name, fields_in(value)
    parts = [part.strip() for part in value.split(";")] if value else []
    if name in LISTS:
        return name, parts
    if name in CHANGES:
        return name, dict(re.split(" *-> *", part) for part in parts)
    if name == "hands":
        return name, {int(part[0]): part[2:] for part in parts}
    return name, {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)


# --- Tables written as text: a row a line, its parts separated by ` | `
def rows_in(path: Path) -> list[list[str]]:
    """Return the rows of a file, each with its parts; an empty one is an empty text.

    An indented line goes on with the row before, lines that begin with `#` are remarks.
    """
    text = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\n +", " ", text).splitlines()
    parted = (re.split(r"(?:^| )\|(?= |$)", line) for line in lines if line)
    return [[part.strip() for part in parts] for parts in parted]


def sections_in(path: Path) -> dict[str, list[list[str]]]:
    """Return the rows below each heading of a file, such as `[deal]`."""
    found: dict[str, list[list[str]]] = {}
    rows: list[list[str]] = []
    for row in rows_in(path):
        if row[0].startswith("["):
            rows = found.setdefault(row[0].strip("[]"), [])
        else:
            rows.append(row)
    return found


def blocks_in(path: Path) -> list[tuple[str, str, list[str]]]:
    """Return the name, the text and what comes of it, of each block between empty lines of a file.

    The name stands behind `==`, if there is one, and each thing that comes of it behind `->`. Lines
    that begin with `#` are remarks.
    """
    found = []
    whole = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE).strip("\n")
    for block in re.split(r"\n\n+", whole):
        name, text, told = "", "", []
        for line in block.split("\n"):
            if line.startswith("== "):
                name = line[3:]
            elif line.startswith("-> "):
                told.append(line[3:])
            else:
                text += f"{line}\n"
        found.append((name, text, told))
    return found


def fields_in(text: str) -> dict[str, Any]:
    """Return fields written as in a table of TOML within one line: `change = [1, 0]`."""
    return dict(tomllib.loads(f"it = {{{text}}}")["it"])
