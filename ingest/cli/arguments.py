"""The arguments that several commands take, for the library that reads the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.ingest.cli.output import UserError, own_command, remark

if TYPE_CHECKING:
    from tricklog.ingest.adapters import Adapter

LOG: Final = "a log"
"""What marks a parameter that names logs."""

LogPath = Annotated[str, Parameter(allow_leading_hyphen=True), LOG]
"""A file, a folder or ``-`` for standard input."""

OptionalLog = Annotated[str | None, Parameter(allow_leading_hyphen=True), LOG]
"""The same, where there may be none."""

Dashed = Annotated[str, Parameter(allow_leading_hyphen=True)]
OptionalDashed = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
"""A text that may begin with a dash."""

Flag = Annotated[bool, Parameter(show_default=False)]
"""An option that is off unless it is given."""

SEVERAL: Final = Parameter(negative=(), consume_multiple=False)
"""An option that may be given several times."""
Several = Annotated[tuple[str, ...], SEVERAL]

Id = Annotated[str, Parameter(name="ID", allow_leading_hyphen=True)]
"""What something in a warehouse is called; it may begin with a dash."""

AllowEmpty = Annotated[
    bool,
    Parameter(
        name="--allow-empty",
        show_default=False,
        help="That there is nothing to read is no error.",
    ),
]

DEFAULT_DB: Final = "tricklog-data"
"""The warehouse that is meant where none is named."""

Warehouse = Annotated[str, Parameter(name="--db", help="The folder of the warehouse, or a lake.")]

EVERYBODY: Final = "everybody"
Whose = Annotated[
    str,
    Parameter(
        help="Whose hands count: everybody, people (no bots, no samples), ours (the table chosen "
        "in the dashboard), or what stands after whose= in an address of the dashboard."
    ),
]

On = Annotated[
    str | None,
    Parameter(help="What does the work on a lake: processes=N, ray or ray://HOST:10001."),
]

TakeOver = Annotated[
    bool,
    Parameter(
        show_default=False,
        help="Begin although another run holds the lake. That one publishes nothing any more; only "
        "for a run that has died.",
    ),
]

AtLeastOne = Annotated[int | None, Parameter(validator=Number(gte=1))]
Many = Annotated[int | None, Parameter(validator=Number(gte=2, lte=1_000))]
"""So many deals that a mean can be made of them."""

Jobs = Annotated[
    int | None,
    Parameter(validator=Number(gte=1), help="Processor cores to use; all unless said."),
]

Told = Annotated[
    bool,
    Parameter(
        name="--progress",
        show_default=False,
        help="How far the run is, as JSON objects on standard error.",
    ),
]

Output = Annotated[
    str | None,
    Parameter(
        allow_leading_hyphen=True, help="The file to write, instead of standard output, which is -."
    ),
]

Variant = Annotated[
    str | None,
    Parameter(help="The kind of game: a variant by name, or a TOML file with rules of your own."),
]

Sort = Literal["figure", "sure", "cases", "name"]
"""How rows of figures come, see ``tricklog.ingest.cli.figure_tables.in_order``."""


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


MetricsFiles = Annotated[
    tuple[str, ...], Parameter(name="--metrics", negative=(), consume_multiple=False)
]
"""Files with metrics of one's own."""


def use_metrics(files: Sequence[str]) -> None:
    """Take metrics from files, and say on standard error what of other sources is left out.

    Raises ``UserError`` for a file that cannot be used.
    """
    from tricklog.ingest.metrics import OwnMetricError, metric_problems
    from tricklog.ingest.metrics.own import use_file

    for file in files:
        try:
            use_file(file)
        except OwnMetricError as error:
            raise UserError(
                str(error), "docs/own-metrics.md says how a metric is written."
            ) from error
        except OSError as error:
            raise UserError(f"{file} cannot be read: {error.strerror}") from error
    for problem in metric_problems():
        remark(f"Left out: {problem}")


From = Annotated[
    str | None,
    Parameter(
        name="--from",
        help="Whose logs they are, where they are another program's: the name of an adapter, as "
        "tricklog convert --list has them. Without it their first records have to tell for sure.",
    ),
]


def need_adapter(name: str | None) -> None:
    """Raise ``UserError`` for an adapter that is not there or cannot be used."""
    if name is None:
        return
    from tricklog.ingest.adapters import UnknownAdapterError, adapter_named

    try:
        adapter_named(name)
    except UnknownAdapterError as error:
        raise UserError(str(error), f"See {own_command()} convert --list.") from error


def recognised(paths: Sequence[str], *, is_told: bool = True) -> str | None:
    """Return the adapter that reads the paths where that is sure, and say so; else nothing."""
    from tricklog.ingest.adapters.recognising import surely_foreign

    adapter = surely_foreign(*paths)
    if adapter is not None and is_told:
        tell_program(adapter)
    return adapter.name if adapter else None


def tell_program(adapter: Adapter) -> None:
    """Say on standard error as whose logs are read."""
    remark(f"Read as {adapter.program}: --from {adapter.name}")
