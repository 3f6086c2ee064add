"""Evenings, people and games in another language: nothing of them stays English."""

from pathlib import Path

import pytest

from dashboard import urls
from dashboard.pairs_page import AMONG
from dashboard.ranking import RANK
from tests.kit.spoken_pages import spoken, untranslated

PAGES = (
    (urls.OVERVIEW, {}),
    (urls.EVENINGS, {}),
    (urls.EVENINGS, {urls.VIEW: "Season"}),
    (urls.PLAYERS, {}),
    (urls.PLAYERS, {AMONG: "Partners"}),
    (urls.GAMES, {}),
)


@pytest.mark.parametrize(("screen", "asked"), PAGES)
def test_no_text_stays_english(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch, screen: str, asked: dict[str, str]
) -> None:
    assert untranslated(club_warehouse, monkeypatch, screen, **asked) == []
