"""Ratings by games won, of openskill, beside those by hands."""

import sys
from pathlib import Path

import polars as pl
import pytest

import tricklog as api
from tricklog.ingest.metrics import FigureError


def test_who_wins_more_games_is_rated_higher(season: Path) -> None:
    found = api.ratings(season, openskill=True)
    frame = found.frame.filter(pl.col("partner").is_null())
    assert frame["openskill"].null_count() == 0
    won = api.measure(season, "win-rate", by="player", minimum=1)
    both = frame.join(won, on="player").sort("value")
    assert both["openskill"][-1] > both["openskill"][0]
    assert any("never settles" in str(each) for each in found.notes)
    assert "openskill" not in api.ratings(season).frame.columns


def test_without_the_package_it_is_said_how_to_get_it(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(FigureError, match=r"pip install 'tricklog\[openskill\]'"):
        api.ratings(season, openskill=True)
