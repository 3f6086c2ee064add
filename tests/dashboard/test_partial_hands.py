"""Hands of which a part was written down, on the pages that show hands."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, text_of
from tests.kit.gap_texts import IDS, write_gap_texts
from tests.kit.made_once import made_once
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.dashboard.address import urls


@pytest.fixture(scope="module")
def partial(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        report = ingest.load(write_gap_texts(folder / "logs"), db=folder / "db")
        assert report.verdicts == {"irregular": 1, "partial": 4}
        assert report.findings == {"revoke": 1}

    return made_once(tmp_path_factory, "partial", make) / "db"


@pytest.fixture
def app(partial: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(partial, monkeypatch)


@pytest.mark.parametrize(("name", "said"), [("dispute", "Pedro"), ("middle", "Cinch")])
def test_a_hand_with_gaps_is_replayed(app: AppTest, name: str, said: str) -> None:
    go(app, urls.STEPS, hand=IDS[name])
    assert said in text_of(app)
    assert IDS[name] in text_of(app) + "".join(each.value for each in app.header)
    assert not app.error


def test_a_line_of_a_score_sheet_is_replayed(app: AppTest) -> None:
    go(app, urls.STEPS, hand=IDS["evening"])
    assert "Twenty-Nine" in text_of(app)
    assert not app.error


def test_the_list_of_hands_knows_what_is_recorded(app: AppTest) -> None:
    shown = text_of(go(app, urls.HANDS, verdict="partial"))
    assert "4 hands" in shown + "".join(each.value for each in app.caption)
    assert IDS["evening"] in shown
    assert IDS["middle"] in shown
    assert IDS["dispute"] not in shown
    assert "Ann &amp; Cy: 18" in shown


def test_the_audit_holds_nothing_against_what_is_not_recorded(app: AppTest) -> None:
    shown = text_of(go(app, urls.AUDIT))
    assert "Revoke" in shown
    assert "the record has gaps, and all that is written is in order" in shown
    assert "1 finding" in shown + "".join(each.value for each in app.caption)


def test_an_evening_of_partial_hands_is_shown(app: AppTest) -> None:
    for day in some(("2026-11-21", "2026-11-20", "2026-11-22"), 1):
        shown = text_of(go(app, urls.EVENINGS, evening=day))
        for player in ("Ann", "Bo", "Cy", "Dee"):
            assert player in shown
        assert not app.error
