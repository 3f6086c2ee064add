"""What the dashboard was started with."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from tricklog.ingest.warehouses import is_lake

DATABASE_SETTING: Final = "TRICKLOG_DB"
DEFAULT_DATABASE: Final = "tricklog-data"


def database(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str | Path:
    """Return the folder of the warehouse to show, or the address of a lake.

    ``--db`` among ``arguments`` goes before the variable ``TRICKLOG_DB``; without either it is
    ``tricklog-data`` where the server was started.
    """
    named: str | None = _parser().parse_known_args(arguments)[0].db
    if named is None:
        named = environment.get(DATABASE_SETTING) or DEFAULT_DATABASE
    return named if is_lake(named) else Path(named)


def log_folders(arguments: Sequence[str]) -> tuple[Path, ...]:
    """Return the folders of this machine that Import may read, each given by ``--logs``."""
    return tuple(_parser().parse_known_args(arguments)[0].logs)


# Pages ask for the warehouse dozens of times, and a new parser looks for translations on the disk.
@cache
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False)
    parser.add_argument("--db")
    parser.add_argument("--logs", action="append", type=Path, default=[])
    return parser
