"""Links to parts of pages and to findings, opened in another language than they were made in."""

import re
from pathlib import Path

import pytest

from tests.kit.app_pages import text_of
from tests.kit.spoken_pages import spoken
from tests.kit.tiers import some
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.players.pairs import AMONG
from tricklog.dashboard.sections import season
from tricklog.dashboard.sections.ranking import RANK
from tricklog.schemas.languages.current import in_language
from tricklog.schemas.languages.messages import translated


def test_a_link_opens_a_part_in_the_language_of_who_follows_it(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {urls.VIEW: "Season", season.OF: season.PAIRS}
    app = spoken(club_warehouse, monkeypatch, urls.EVENINGS, "sv", **asked)
    assert app.segmented_control(key=season.OF).value == season.PAIRS
    assert not app.warning
    app = spoken(club_warehouse, monkeypatch, urls.PLAYERS, "fi", **{AMONG: "Partners"})
    assert app.session_state[AMONG] == "Parit"
    assert not app.warning
    app = spoken(club_warehouse, monkeypatch, urls.PLAYERS, "sv", **{RANK: "Scoring: Games won"})
    assert app.selectbox(key=RANK).value == "win-rate"
    assert not app.warning


def test_a_part_named_in_another_language_opens(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_language("fi"):
        season_in_finnish = translated("Season")
    app = spoken(club_warehouse, monkeypatch, urls.EVENINGS, "sv", **{urls.VIEW: season_in_finnish})
    assert not app.warning
    assert app.session_state[f"{urls.VIEW}-sv"] == "Säsong"


def test_a_part_is_known_where_there_is_no_evening(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = spoken(
        club_warehouse,
        monkeypatch,
        urls.EVENINGS,
        "en",
        **{urls.VIEW: "Season", "month": "1999-01"},
    )
    assert not [each for each in app.warning if f"“{urls.VIEW}”" in each.value]


def test_a_link_opens_the_same_part_in_every_language(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = {
        "sv": "Vart tar femmorna vägen?",
        "en": "Where do the fives go?",
        "fi": "Minne viitoset menevät?",
        "es": "¿Adónde van los cincos?",
    }
    for language, question in some([*questions.items()], 1):
        app = spoken(club_warehouse, monkeypatch, urls.CAPTURE, language, view="Pedros")
        assert question in text_of(app)


def test_the_choice_of_languages_says_which_nobody_reviewed(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = spoken(small_warehouse, monkeypatch, urls.HANDS, "hi")
    choice = next(
        each.proto.body for each in page.get("html") if 'hreflang="bn"' in each.proto.body
    )
    marked = re.findall(r'hreflang="(\w+)"[^>]*>[^<]*</a> <small>([^<]+)</small>', choice)
    assert marked == [(code, "समीक्षा नहीं हुई") for code in ("sv", "fi", "es", "hi", "bn")]
    for language, said in {"sv": "svenska (inte granskad)", "en": "English"}.items():
        shown = spoken(small_warehouse, monkeypatch, urls.HANDS, language)
        labels = [each.proto.popover.label for each in shown.get("popover")]
        assert said in labels
        reviewed = "Ingen som spelar på det här språket" in text_of(shown)
        assert reviewed == (language == "sv")
