"""Bids, points and where fives go in other languages: no English is left on these pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard import urls
from tests.kit.app_pages import text_of
from tests.kit.spoken_pages import spoken, untranslated

PARTS = [
    (urls.BIDS, "By bid"),
    (urls.BIDS, "Calibration"),
    (urls.BIDS, "Against par"),
    (urls.BIDS, "By player"),
    (urls.BIDS, "Margins"),
    (urls.CAPTURE, "Sides"),
    (urls.CAPTURE, "Pedros"),
    (urls.CAPTURE, "Seats and leads"),
]


@pytest.mark.parametrize(("page", "part"), PARTS)
def test_no_english_is_left(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch, page: str, part: str
) -> None:
    left = untranslated(club_warehouse, monkeypatch, page, view=part)
    assert [each for each in left if not each.startswith("tricklog ")] == []


def test_a_link_opens_the_same_part_in_every_language(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = {
        "en": "Where do the fives go?",
        "sv": "Vart tar femmorna vägen?",
        "fi": "Minne viitoset menevät?",
        "es": "¿Adónde van los cincos?",
    }
    for language, question in questions.items():
        app = spoken(club_warehouse, monkeypatch, urls.CAPTURE, language, view="Pedros")
        assert question in text_of(app)
