"""The arguments that several commands take, for the library that reads the command line."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

LOG: Final = "a log"
"""What marks a parameter that names logs."""

LogPath = Annotated[str, Parameter(allow_leading_hyphen=True), LOG]
"""A file, a folder or ``-`` for standard input."""

OptionalLog = Annotated[str | None, Parameter(allow_leading_hyphen=True), LOG]
"""The same, where there may be none."""

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

Output = Annotated[str | None, Parameter(help="The file to write, instead of standard output.")]

Variant = Annotated[
    str | None,
    Parameter(help="The kind of game: a variant by name, or a TOML file with rules of your own."),
]

Sort = Literal["figure", "sure", "cases", "name"]
"""How rows of figures come, see ``tricklog.ingest.cli.figures.in_order``."""
