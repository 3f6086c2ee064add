"""An evening lasts until the morning, and a game counts where it began."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import msgspec
import pytest

import ingest
from ingest.metrics.filters import EVERYTHING
from ingest.sessions.evening import evenings
from ingest.store.record_codec import moment_of
from ingest.warehouses import open_facts
from schemas.hand import Hand
from tests.kit.evening_logs import KING, at
from tests.kit.log_lines import record
from tests.kit.sheet_logs import write_records


def day_of(started_at: str) -> date:
    moment = moment_of(msgspec.convert(record(started_at=started_at), Hand))
    assert moment is not None
    return moment.day


@pytest.mark.parametrize(
    ("started_at", "day"),
    [
        ("2026-11-20T23:59:59+02:00", 20),
        ("2026-11-21T00:03:00+02:00", 20),
        ("2026-11-21T05:59:59.5+02:00", 20),
        ("2026-11-21T06:00:00+02:00", 21),
        ("2026-11-21T02:00:00Z", 20),
    ],
)
def test_an_evening_lasts_until_the_morning(started_at: str, day: int) -> None:
    assert day_of(started_at) == date(2026, 11, day)


def test_the_hour_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKLOG_MORNING", "0")
    assert day_of("2026-11-21T00:03:00+02:00") == date(2026, 11, 21)


def test_a_game_counts_where_it_began(tmp_path: Path) -> None:
    late = at(KING, "late", "2026-11-21T05:50:00+02:00")
    ingest.load(write_records(tmp_path / "log.jsonl", late), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as facts:
        assert evenings(facts, EVERYTHING)["day"].to_list() == [date(2026, 11, 20)]
        told = facts.execute("SELECT DISTINCT day FROM seat_rows UNION SELECT day FROM game_facts")
        assert told.fetchall() == [(date(2026, 11, 20),)]
