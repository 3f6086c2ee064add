"""What tests of solving share."""

import shutil
from pathlib import Path

from tests.cli.conftest import tricklog
from tests.kit.made_once import copied, once
from tests.kit.solved import few, warehouse
from tricklog.ingest.study.solving import solve
from tricklog.ingest.warehouses import open_facts

__all__ = ["tricklog"]


@once()
def stored(folder: Path) -> None:
    """A warehouse with ``few`` hands, and the same solved in another; to be read and copied."""
    db = warehouse(folder, few())
    open_facts(db).close()
    solve(shutil.copytree(db, folder / "solved"))


db = copied("stored", "db")
"""A warehouse with those hands, not solved."""
solved_db = copied("stored", "solved")
"""The same, solved."""
