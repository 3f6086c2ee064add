"""The sentences that say why something has no value, no score or no ledger, from the code itself.

They are English where they are said, and kept so; the dashboard shows them in other languages.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from tricklog.core import Verdict
from tricklog.dashboard.data.solving import NO_LIBRARY
from tricklog.dashboard.pages.replay.study_data import NO_CHOICE
from tricklog.ingest.study.season import ALONE

_ROOT: Final = Path(__file__).parents[2]
_FOLDER: Final = "replay/study"
_PACKAGE: Final = "tricklog.core.study"
_KEPT_IN: Final = frozenset(
    {"NO_PLAY", "NO_SCORE", "NOT_NAMED", "SENTENCES", "no_points", "given_up"}
)
"""What holds such sentences besides calls of ``Refused``."""


def refusals() -> Iterator[tuple[str, str]]:
    """Yield each sentence with the file that says it; those with a verdict, for each verdict."""
    for file in sorted((_ROOT / _FOLDER).glob("*.py")):
        place = str(file.relative_to(_ROOT))
        names = vars(import_module(f"{_PACKAGE}.{file.stem}"))
        for node in _said_in(ast.parse(file.read_text("utf-8"))):
            for text in dict.fromkeys(_texts(node, names)):
                yield text, place
    for verdict in Verdict:
        yield f"the record is {verdict}", "ingest/study/season.py"
    yield ALONE, "ingest/study/season.py"
    yield NO_LIBRARY, "dashboard/data/solving.py"
    yield NO_CHOICE, "dashboard/pages/replay/study_data.py"


def _said_in(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
            yield from node.args
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(getattr(each, "id", "") in _KEPT_IN for each in targets):
                yield from node.value.values if isinstance(node.value, ast.Dict) else [node.value]
        if isinstance(node, ast.FunctionDef) and "refusal" in node.name:
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    yield each.value


def _texts(node: ast.expr, names: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that an expression may be; one that is no text itself is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        expression = compile(ast.Expression(node), "<refusal>", "eval")
        for verdict in Verdict:
            if verdict != Verdict.VALID:
                of_hand = {"replay": SimpleNamespace(verdict=verdict), "verdict": verdict}
                yield eval(expression, names | of_hand)  # noqa: S307 - our own code
