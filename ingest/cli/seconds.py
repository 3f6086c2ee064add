"""The option ``--budget``: how long something may take."""

from __future__ import annotations

import re
from typing import Annotated, Final

from cyclopts import Parameter

from tricklog.ingest.cli.output import UserError

Budget = Annotated[
    str | None,
    Parameter(help="How long it may take, such as 90s, 10m or 2h; no limit unless said."),
]
_BUDGET: Final = re.compile(r"([0-9]{1,6})(s|m|h|)")
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}


def seconds_of(budget: str | None) -> float | None:
    """Return the seconds that a text such as 10m is. Raises ``UserError`` for one that is none."""
    if budget is None:
        return None
    found = _BUDGET.fullmatch(budget)
    if not found or not int(found[1]):
        raise UserError(f"--budget {budget} is no time", "Write 90s, 10m or 2h.")
    return int(found[1]) * _SECONDS[found[2]]
