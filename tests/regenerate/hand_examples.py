"""The annotated hands of ``docs/examples/hands.toml``, as the site shows them."""

import re
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from tests.regenerate.folds import folded

FILE: Final = Path(__file__).parents[2] / "docs" / "examples" / "hands.toml"


class Example(NamedTuple):
    """A recorded hand with what its actions mean."""

    title: str
    rules: str
    """The page in ``docs/rules``."""
    about: str
    log: str
    after: str
    acts: dict[str, str]
    """Words by the actions they are about, such as ``0 to 3``."""


def examples() -> list[Example]:
    read = tomllib.loads(FILE.read_text("utf-8"))["hand"]
    return [Example(**{"after": "", "acts": {}, **each}) for each in read]


def part() -> str:
    return "\n".join(map(_fold, examples()))


def _fold(shown: Example) -> str:
    rows = "".join(f"| {at} | {words} |\n" for at, words in shown.acts.items())
    table = f"\n| actions | |\n|---|---|\n{rows}" if rows else ""
    content = (
        f"{shown.about} [Its rules](rules/{shown.rules}).\n\n"
        f"```json\n{shown.log}```\n{table}\n{shown.after}\n"
    )
    return folded(shown.title, content, re.sub("[ ,]+", "-", shown.title.lower()))
