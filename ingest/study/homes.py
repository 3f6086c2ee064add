"""Where solved hands are kept: what a run that solves needs of a warehouse, wherever it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.reading.progress import OnProgress

Numbers = NDArray[np.int64]
MEMORY: Final = "400MB"
"""What DuckDB may take to find out which hands are wanted."""
ASKED: Final = "asked"
"""The column of blocks that says how much was asked of a hand, where one run may ask for more."""


@dataclass(frozen=True, slots=True)
class Which:
    """Which hands a run is about: valid ones, unless more is said."""

    chosen: Numbers | None = None
    """The numbers of those that filters let through."""
    sample: int | None = None
    """So many of them at the most, by chance, which is the same for every run."""
    asked: int = 0
    """Blocks that say how much was asked of a hand do not count where that was less."""


class Home(Protocol):
    """A warehouse whose hands are solved."""

    def alone(
        self, patience: float, on_progress: OnProgress | None
    ) -> AbstractContextManager[object]:
        """Keep other runs away, where two must not solve at once.

        Raises ``BusyError`` when another does not end within ``patience`` seconds.
        """

    def tables(self) -> DuckDBPyConnection:
        """Open the tables of the snapshot that is solved."""

    def facts(self, on_progress: OnProgress | None) -> DuckDBPyConnection:
        """Open its facts, as ``open_facts`` does."""

    def wanted(self, kind: Kind, which: Which) -> tuple[Numbers, int]:
        """Return the numbers of the hands that no block has yet, and of how many these are.

        The newest come first.
        """

    def order(self, wanted: Numbers) -> Numbers:
        """Return the numbers of hands in the order in which they are to be solved."""

    def others(self, kind: Kind) -> frozenset[bytes]:
        """Return the content of hands that other runs have solved since this one looked."""

    def write(self, kind: Kind, table: pa.Table) -> str:
        """Keep a block, and return its name. Raises ``StorageError`` where that cannot be done."""

    def publish(
        self, new: Mapping[Kind, Sequence[str]], on_progress: OnProgress | None
    ) -> str | None:
        """Have readers see all that is kept, with ``new`` blocks; return what shows it.

        ``None`` where nothing has ever been found.
        """
