"""Score sheets on the page Import: recognised, changed by choosing, previewed, loaded, kept."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, text_of, values_of
from tests.kit.score_sheets import Rows, as_csv, one_row_a_hand, scored
from tricklog.dashboard.address import urls
from tricklog.ingest.score_sheets import preview
from tricklog.ingest.score_sheets.words import Means

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("jobs_run_here")]
LIMIT = 300.0


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


def test_a_sheet_is_shown_changed_loaded_and_its_columns_are_known_again(app: AppTest) -> None:
    written = scored("pedro", 2, 3)
    rows = one_row_a_hand(written, leave_out=["Game", "Hand", "Trump", "Change"])
    rows[0][3] = "Height"
    drop(app, as_csv(rows))
    found = values_of(app)
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
    assert values_of(app)["New hands"] == str(len(written))
    assert job.result["verdicts"] == {"partial": len(written)}
    drop(app, as_csv(rows), "next.csv")
    assert any("same headings before" in each.value for each in app.caption)
    again = next(each for each in app.selectbox if each.label.startswith("D Height"))
    assert again.value == (Means.BID, "")


def test_what_is_wrong_is_said_before_anything_is_loaded(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand", "Change"])
    monkeypatch.setattr(preview, "MOST_READ", 5)
    rows[2][3] = 3
    rows[3][3] = "eight"
    drop(app, as_csv(rows))
    shown = text_of(app)
    assert values_of(app)["Rows refused"] == "1"
    assert "Bid too low" in shown
    assert "column D (Bid)" in shown
    assert f"This is of the first 5 rows of {len(rows)}; a load reads all of them." in shown


def run_job(app: AppTest, button: str = "Load") -> dict[str, Any]:
    next(each for each in app.button if each.label == button).click().run()
    assert not app.exception, app.exception
    job = app.session_state["import-job"]
    assert job.wait(LIMIT)
    app.run()
    result: dict[str, Any] = job.result
    return result


def test_house_rules_are_chosen_in_words_and_nothing_speaks_of_a_terminal(app: AppTest) -> None:
    drop(app, b"Bidder,Bid,Beer,We,They\nAnn,6,2,9,5\n")
    assert "who sat where" in text_of(app)
    assert "Who plays, by seat" in text_of(app)
    app.text_input(key="sheet-players").set_value("Ann,Bo,Cy,Dee").run()
    assert values_of(app)["Findings"] == "1"
    house = app.multiselect(key="sheet-house-pedro")
    assert "O01 Bids start at six" in house.options[0]
    house.set_value(["O01"]).run()
    assert values_of(app)["Findings"] == "0"
    run_job(app)
    shown = text_of(app)
    assert "(cell C1) is not used; choose under" in shown
    for word in ("tricklog load --inspect", "--players", "--mapping", "--correct"):
        assert word not in shown


def test_a_corrected_sheet_takes_the_place_of_the_old_one_when_asked_to(app: AppTest) -> None:
    rows = one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand", "Change"])
    drop(app, as_csv(rows))
    run_job(app)
    rows[2][3] = 13
    app.session_state["import-files"] = None
    drop(app, as_csv(rows))
    told = run_job(app)
    assert (told["quarantined"], told["corrected"]) == (1, 0)
    assert "choose “Correct what was loaded of it before”" in text_of(app)
    app.checkbox(key="sheet-correct").check().run()
    assert next(each for each in app.button if each.label == "Load").disabled
    assert "Check first: that says which hands would be replaced" in text_of(app)
    (day,) = run_job(app, "Check only")["gave_way"]
    assert (day["hands"], day["stored"], day["players"][0], day["is_plain"]) == (1, 9, "Ann", True)
    told = run_job(app)
    assert (told["quarantined"], told["corrected"]) == (0, 1)
    assert "1 hand corrected." in text_of(app)


def test_a_sheet_below_the_folders_of_the_server_is_chosen_and_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path
) -> None:
    below, outside = tmp_path / "logs", tmp_path / "outside.csv"
    below.mkdir()
    written = scored("pedro", 1, 3)
    (below / "club.csv").write_bytes(as_csv(one_row_a_hand(written)))
    outside.write_bytes(b"Bidder,Bid\n")
    (below / "link.csv").symlink_to(outside)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(repository))
    app = go(open_app(tmp_path / "db", monkeypatch, "--logs", str(below)), urls.IMPORT)
    app.text_input(key="import-path").set_value(".").run()
    box = app.selectbox(key="import-sheet")
    assert box.options == ["None: its logs", "club.csv", "link.csv"]
    box.select_index(2).run()
    assert "nothing else is read" in text_of(app)
    app.selectbox(key="import-sheet").select_index(1).run()
    assert values_of(app)["Hands"] == str(len(written))
    assert run_job(app)["accepted"] == len(written)
    app.text_input(key="import-path").set_value("club.csv").run()
    assert values_of(app)["Hands"] == str(len(written))


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


UNNAMED: Rows = [
    ["Hand", "Dealer", "Bidder", "Bid", "Trumps", "Score A", "Score B"],
    [1, "Ann", "Bo", 8, "H", 9, 5],
    [2, "Bo", "Cy", 7, "S", 14, 14],
    [3, "Cy", "Dee", 9, "D", 24, 18],
]


@pytest.mark.parametrize(
    ("pair", "seats"), [("Ann & Cy", "Ann, Bo, Cy, Dee"), ("Bo & Dee", "Bo, Cy, Dee, Ann")]
)
def test_whose_score_a_column_is_is_asked_once(app: AppTest, pair: str, seats: str) -> None:
    drop(app, as_csv(UNNAMED))
    assert "Whose score is “A”?" in text_of(app)
    (load,) = (each for each in app.button if each.label == "Load")
    assert load.disabled
    next(each for each in app.button if each.label.replace("\\", "") == pair).click().run()
    assert not app.exception
    assert "Whose score" not in text_of(app)
    (said,) = (each.value for each in app.caption if "By seat" in each.value)
    assert said.replace("\\", "") == f"By seat: {seats}"
    (load,) = (each for each in app.button if each.label == "Load")
    assert not load.disabled
