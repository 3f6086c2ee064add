"""Score sheets on the page Import: recognised, changed by choosing, previewed, loaded, kept."""

import tempfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import urls
from ingest.score_sheets.words import Means
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.score_sheets import as_csv, one_row_a_hand, scored

pytestmark = pytest.mark.posix
LIMIT = 120.0


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path) -> AppTest:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(repository))
    return go(open_app(tmp_path / "db", monkeypatch), urls.IMPORT)


def drop(app: AppTest, content: bytes, name: str = "club.csv") -> AppTest:
    app.file_uploader(key="import-files").upload(name, content).run()
    assert not app.exception, app.exception
    return app


def figures_of(app: AppTest) -> dict[str, str]:
    return {each.label: each.value for each in app.metric}


def test_a_sheet_is_shown_changed_loaded_and_its_columns_are_known_again(app: AppTest) -> None:
    written = scored("pedro", 2, 3)
    rows = one_row_a_hand(written, leave_out=["Game", "Hand", "Trump", "Change"])
    rows[0][3] = "Height"
    drop(app, as_csv(rows))
    found = figures_of(app)
    assert found == {"Hands": str(len(written)), "Games": "2", "Rows refused": "0", "Findings": "0"}
    assert any("By seat: Ann" in each.value for each in app.caption)
    box = next(each for each in app.selectbox if each.label.startswith("D Height"))
    assert box.value == (Means.IGNORE, "")
    box.select((Means.BID, "")).run()
    assert not app.exception
    next(each for each in app.button if each.label == "Load").click().run()
    job = app.session_state["import-job"]
    assert job.wait(LIMIT)
    app.run()
    assert figures_of(app)["New hands"] == str(len(written))
    assert job.result["verdicts"] == {"partial": len(written)}
    drop(app, as_csv(rows), "next.csv")
    assert any("same headings before" in each.value for each in app.caption)
    again = next(each for each in app.selectbox if each.label.startswith("D Height"))
    assert again.value == (Means.BID, "")


def test_what_is_wrong_is_said_before_anything_is_loaded(app: AppTest) -> None:
    rows = one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand", "Change"])
    rows[2][3] = 3
    rows[3][3] = "eight"
    drop(app, as_csv(rows))
    shown = text_of(app)
    assert figures_of(app)["Rows refused"] == "1"
    assert "Bid too low" in shown
    assert "column D (Bid)" in shown


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.xlsx", b"PK\x03\x04 and nothing", "The workbook is damaged"),
        ("a.csv", b"\0\1\2\3", "this is no text"),
        ("a.csv", b"", "No row of this sheet looks like a hand"),
    ],
)
def test_files_that_are_no_sheets_are_refused_with_a_sentence(
    app: AppTest, name: str, content: bytes, sentence: str
) -> None:
    assert sentence in text_of(drop(app, content, name))
    assert next(each for each in app.button if each.label == "Load").disabled
