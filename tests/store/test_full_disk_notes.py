"""Notes where the disk is full: the sentence is about the disk, and what was kept stays."""

from __future__ import annotations

import resource
import sqlite3
from pathlib import Path

import pytest

from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import UserStorageError


@pytest.mark.posix
def test_a_full_disk_is_what_is_said(tmp_path: Path) -> None:
    userdata.save_view(tmp_path, "first", "bids", {})
    size = userdata.user_file(tmp_path).stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        with pytest.raises(UserStorageError) as told:
            fill(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "rollback" not in str(told.value)
    assert "first" in [each.name for each in userdata.views(tmp_path)]


def test_a_statement_that_ended_the_transaction_itself_is_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(userdata.UserDataError, match="disk is full"):
        end_within(tmp_path)


def fill(folder: Path) -> None:
    for number in range(200):
        userdata.save_view(folder, f"view {number} {'x' * 60}", "bids", {"a": ["b" * 500]})


def end_within(folder: Path) -> None:
    with userdata.writing(folder) as tables:
        tables.execute("ROLLBACK")
        raise sqlite3.OperationalError("database or disk is full")
