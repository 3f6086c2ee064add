"""The arguments that several commands take, for the library that reads the command line."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from cyclopts import Parameter

LOG: Final = "a log"
"""What marks a parameter that names logs."""

LogPath = Annotated[str, Parameter(allow_leading_hyphen=True), LOG]
"""A file, a folder or ``-`` for standard input."""

OptionalLog = Annotated[str | None, Parameter(allow_leading_hyphen=True), LOG]
"""The same, where there may be none."""

Flag = Annotated[bool, Parameter(show_default=False)]
"""An option that is off unless it is given."""

AllowEmpty = Annotated[bool, Parameter(name="--allow-empty", show_default=False)]
"""The option with which it is no error when there is nothing to read."""

DEFAULT_DB: Final = "tricklog-data"
"""The warehouse that is meant where none is named."""

Warehouse = Annotated[str, Parameter(name="--db")]
"""The option that names a warehouse."""

Sort = Literal["figure", "sure", "cases", "name"]
"""How rows of figures come, see ``ingest.cli.figures.in_order``."""
