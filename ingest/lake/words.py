"""What users are told about a lake that is held by another load, lost to it, or damaged."""

from __future__ import annotations

import getpass
import os
import re
import socket
from datetime import datetime
from typing import Final

from tricklog.ingest.lake.ledger import Row
from tricklog.ingest.lake.storage import SNAPSHOTS, Storage
from tricklog.ingest.store.warehouse import first_line

_LONG: Final = 3_600
_TREE: Final = re.compile("\x1b\\[[0-9;]*m|[\u2500-\u257f\u21b3]")
"""How the causes of an error are drawn, one below the other."""


def damaged(storage: Storage, table: str, error: Exception) -> str:
    """Return the sentence about something that is not there, or not whole, that was published."""
    where = f"The table {table} of {storage}" if table else str(storage)
    says = error.strerror if isinstance(error, OSError) and error.strerror else first_line(error)
    name = getattr(error, "filename", None)
    says = f"{name}: {says}" if name else says
    return (
        f"{where} is damaged: {says}. Bring it back from a copy, or make the lake again: "
        f"tricklog db rebuild --db {storage}."
    )


def without_ledger(storage: Storage) -> str:
    """Return the sentence about a lake that has lost what says what is published."""
    return (
        f"{storage} has tables, and no snapshots, which says what of them is published. Bring "
        f"{SNAPSHOTS} back from a copy, or load the logs into a new lake."
    )


def outdated(storage: Storage) -> str:
    """Return the sentence about a lake that another version of this program has written."""
    return (
        f"{storage} was written by another version of Tricklog, whose tables are others. Use that "
        f"version, or make the lake again with this one: tricklog db rebuild --db {storage}."
    )


def unreachable(storage: Storage, error: Exception) -> str:
    """Return the sentence about a store that does not answer as it should."""
    if storage.is_local:
        return f"{storage} cannot be reached: {first_line(error)}."
    return (
        f"{storage} cannot be reached: {cause(error)}. Look at the address, at what "
        "AWS_ENDPOINT_URL names, and at the credentials; what is asked for must be allowed."
    )


def cause(error: Exception) -> str:
    """Return what an error of a store comes from, which stands at its end."""
    lines = [_TREE.sub("", line).strip() for line in str(error).splitlines()]
    return ([line for line in lines if line] or [type(error).__name__])[-1].rstrip(".")


def damaged_file(lake: str, name: str, wrong: str) -> str:
    """Return the sentence about a file that is not what was published."""
    return (
        f"{lake} is damaged: {wrong} Bring {name} back from a copy, or make the lake again from "
        f"its logs: tricklog db rebuild --db {lake}."
    )


def busy(storage: Storage, row: Row, now: datetime) -> str:
    """Return the sentence about another load that holds a lake."""
    left = max(1, round((row.lease_until - now).total_seconds()))
    until = f"{left} seconds more" if left < _LONG else f"{row.lease_until:%Y-%m-%d %H:%M} UTC"
    return (
        f"{storage} is held by {row.load}, begun by {row.holder}, "
        f"{'for up to' if left < _LONG else 'until'} {until}. "
        "Try again when it has finished; if it no longer runs, add --take-over."
    )


def fenced(storage: Storage) -> str:
    """Return the sentence about another load that has taken over."""
    return (
        f"Another load has taken over {storage}, so this one published nothing. Do the same again "
        "when the other has finished."
    )


def holder() -> str:
    """Return who is writing, for people who wait."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}, process {os.getpid()}"
