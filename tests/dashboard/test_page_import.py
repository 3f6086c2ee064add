"""The page that loads logs: by upload or by path, checked first, and how the end is shown."""

import gzip
import re
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, table_of, text_of, values_of
from tests.kit.dashboard_logs import NASTY, REVOKE, first_hands, with_revoke, write_logs
from tests.kit.foreign_records import RECORDS
from tests.kit.score_sheets import Rows, as_csv, one_row_a_hand, scored
from tests.kit.tiers import some
from tricklog import ADAPTERS, encode_hand
from tricklog.dashboard.address import urls
from tricklog.dashboard.app import server
from tricklog.dashboard.data import uploads
from tricklog.ingest.reading import samples
from tricklog.ingest.score_sheets import reader
from tricklog.ingest.score_sheets.words import Means
from tricklog.ingest.store.warehouse import open_snapshot

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("jobs_run_here")]

LIMIT = 300.0


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(repository))
    return folder


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(tmp_path / "db", monkeypatch)


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The dashboard of an empty warehouse that may read logs below ``tmp_path/logs``."""
    folder = write_logs(tmp_path / "logs").resolve()
    return open_app(tmp_path / "db", monkeypatch, "--logs", str(folder))


def press(app: AppTest, label: str) -> AppTest:
    next(each for each in app.button if each.label == label).click().run()
    if "import-job" in app.session_state:
        job = app.session_state["import-job"]
        assert job.wait(LIMIT)
        app.run()
    assert not app.exception, app.exception
    return app


def log_of(*lines: bytes) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_an_empty_warehouse_leads_to_import_and_the_samples(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "samples_folder", lambda: write_logs(tmp_path / "samples"))
    app.run()
    doors = [each.proto.label for each in app.get("page_link")]
    assert [
        each
        for each in ("Record a hand", "Drop a file", "Look at the samples")
        if not any(each in door for door in doors)
    ] == []
    assert not app.code
    press(go(app, urls.IMPORT), "Load the samples")
    assert "Loaded. Every page shows the new hands." in text_of(app)
    assert values_of(app) == {
        "New hands": "51",
        "Known already": "0",
        "Not readable": "1",
        "Blank lines": "0",
    }
    assert "51 hands" in text_of(go(app, urls.HANDS))


def test_files_are_checked_first_and_nothing_changes(app: AppTest, tmp_path: Path) -> None:
    go(app, urls.IMPORT)
    content = log_of(encode_hand(with_revoke()[0]), b"oops", b"")
    app.file_uploader(key="import-files").upload("../games.jsonl", content).run()
    press(app, "Check only")
    shown = text_of(app)
    assert "nothing was changed" in shown
    assert values_of(app)["New hands"] == "1"
    assert values_of(app)["Blank lines"] == "1"
    assert "uploaded/games.jsonl" in shown
    assert "Not json: " in shown
    assert not (tmp_path / "db").exists()
    press(app, "Load")
    assert "Loaded." in text_of(app)
    press(app, "Load")
    assert "Nothing here was new" in text_of(app)
    assert values_of(app)["Known already"] == "1"


ONE_MORE = pytest.mark.thorough("one more job")


@pytest.mark.parametrize(
    "path",
    ["{logs}/../logs", pytest.param(".", marks=ONE_MORE), pytest.param("{logs}", marks=ONE_MORE)],
)
def test_a_folder_of_this_machine_is_loaded(named: AppTest, tmp_path: Path, path: str) -> None:
    go(named, urls.IMPORT)
    typed = path.format(logs=tmp_path / "logs")
    named.text_input(key="import-path").set_value(typed).run()
    press(named, "Load")
    assert values_of(named)["New hands"] == "51"
    assert "Claimed points" in text_of(named)
    assert named.session_state["import-job"].sources == [str((tmp_path / "logs").resolve())]


def test_a_path_that_is_not_there_is_said_so(named: AppTest) -> None:
    go(named, urls.IMPORT)
    for path in ("no/such/folder", NASTY, "-", "--db"):
        named.text_input(key="import-path").set_value(path)
        press(named, "Load")
        assert "There is no file or folder" in named.error[0].value, path
        assert "<img" not in named.error[0].value.replace("\\<img", "")
    assert "import-job" not in named.session_state


def test_no_path_is_read_unless_folders_were_named(app: AppTest, tmp_path: Path) -> None:
    write_logs(tmp_path / "logs")
    go(app, urls.IMPORT)
    assert [each.key for each in app.text_input if each.key == "import-path"] == []
    assert "tricklog dashboard --logs FOLDER" in text_of(app)
    # A page may send what it likes: the value of a box that is not there is read by nobody.
    app.session_state["import-path"] = str(tmp_path / "logs")
    press(app.run(), "Load")
    assert "nothing to load yet" in app.warning[0].value
    assert "import-job" not in app.session_state


def test_nothing_outside_the_named_folders_is_read(named: AppTest, tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text("secret\n")
    (tmp_path / "logs-of-others").mkdir()
    (tmp_path / "logs-of-others" / "log.jsonl").write_text("secret\n")
    (tmp_path / "logs" / "link-to-a-file.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (tmp_path / "logs" / "link-to-a-folder").symlink_to(tmp_path)
    (tmp_path / "logs" / "link-in-a-circle").symlink_to("link-in-a-circle")
    go(named, urls.IMPORT)
    for path in (
        "../secret.jsonl",
        "../no-such-secret.jsonl",
        f"{tmp_path}/secret.jsonl",
        f"{tmp_path}/no-such-secret.jsonl",
        f"{tmp_path}/logs-of-others/log.jsonl",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "~nobody-at-all/x",
        "link-to-a-file.jsonl",
        "link-to-a-folder",
        "link-to-a-folder/secret.jsonl",
        "link-in-a-circle",
        "a\0b",
        "x" * 5000,
    ):
        named.text_input(key="import-path").set_value(path)
        press(named, "Load")
        assert "and nothing else is read" in named.error[0].value, path[:99]
    assert "import-job" not in named.session_state


def test_a_folder_with_a_link_leading_out_is_not_read(named: AppTest, tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text("secret\n")
    deep = tmp_path / "logs" / "deep"
    deep.mkdir()
    (deep / "games.jsonl").symlink_to(tmp_path / "secret.jsonl")
    go(named, urls.IMPORT)
    named.text_input(key="import-path").set_value(".").run()
    press(named, "Load")
    assert "is a link that leads out" in named.error[0].value
    assert "import-job" not in named.session_state
    (deep / "games.jsonl").unlink()
    first = next(each for each in sorted((tmp_path / "logs").iterdir()) if each.is_file())
    (deep / "again.jsonl").symlink_to(first)
    press(named, "Check only")
    assert "nothing was changed" in text_of(named)


def test_nothing_chosen_is_said_so(app: AppTest) -> None:
    press(go(app, urls.IMPORT), "Load")
    assert "nothing to load yet" in app.warning[0].value


def test_foreign_logs_that_are_none_are_told_line_by_line(named: AppTest, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "log.jsonl"
    log.write_bytes(log_of(*map(encode_hand, first_hands("pedro", 2))))
    go(named, urls.IMPORT)
    named.text_input(key="import-path").set_value(log.name).run()
    named.selectbox(key="import-adapter").set_value("rlcard-29").run()
    press(named, "Load")
    shown = text_of(named)
    assert values_of(named)["Not readable"] == "2"
    assert "Lines that could not be used" in shown


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_foreign_logs_are_recognised_and_loaded(app: AppTest, tmp_path: Path, name: str) -> None:
    record = msgspec.json.encode(RECORDS[name])
    go(app, urls.IMPORT)
    app.file_uploader(key="import-files").upload("games.jsonl", log_of(record)).run()
    assert app.selectbox(key="import-adapter").value == name
    assert f"This looks like {ADAPTERS[name].program}" in unescaped(app.info[0].value)
    # One is loaded in the first tier: what becomes of each is what `tricklog load` makes of it.
    if name not in some(sorted(RECORDS), 1):
        return
    press(app, "Load")
    assert int(values_of(app)["New hands"]) > 0
    with open_snapshot(tmp_path / "db") as connection:
        stored = connection.execute("SELECT count(*) FROM hands").fetchall()[0][0]
    assert values_of(app)["New hands"] == str(stored)


def test_compressed_logs_are_recognised_too(app: AppTest) -> None:
    content = gzip.compress(log_of(msgspec.json.encode(RECORDS["rlcard-29"])))
    go(app, urls.IMPORT)
    app.file_uploader(key="import-files").upload("games.jsonl.gz", content).run()
    assert app.selectbox(key="import-adapter").value == "rlcard-29"


def test_the_viewer_may_choose_another_program_than_the_one_recognised(app: AppTest) -> None:
    go(app, urls.IMPORT)
    content = log_of(msgspec.json.encode(RECORDS["rlcard-29"]))
    app.file_uploader(key="import-files").upload("games.jsonl", content).run()
    app.selectbox(key="import-adapter").set_value("sixty-three").run()
    assert app.selectbox(key="import-adapter").value == "sixty-three"
    assert "Something else is chosen" in app.warning[0].value


def test_hand_logs_are_recognised_after_another_programs(app: AppTest) -> None:
    go(app, urls.IMPORT)
    box = app.file_uploader(key="import-files")
    box.upload("games.jsonl", log_of(msgspec.json.encode(RECORDS["rlcard-29"]))).run()
    app.file_uploader(key="import-files").set_value(
        [("hands.jsonl", log_of(*map(encode_hand, first_hands("pedro", 2))), "text/plain")]
    ).run()
    assert app.selectbox(key="import-adapter").value == "tricklog"
    assert "own format" in text_of(app)


def test_logs_of_several_kinds_are_to_be_loaded_apart(named: AppTest, tmp_path: Path) -> None:
    (tmp_path / "logs" / "z.jsonl").write_bytes(log_of(msgspec.json.encode(RECORDS["rlcard-29"])))
    go(named, urls.IMPORT)
    named.text_input(key="import-path").set_value(".").run()
    assert "not of one kind" in named.warning[0].value
    assert "z\\.jsonl" in named.warning[0].value
    assert named.selectbox(key="import-adapter").value == "tricklog"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"moves": [], "<b>": 1}\n', "fields moves"),
        (b"Ann bids 9\n", "no JSON objects"),
        (b"[1, 2]\n", "no JSON objects"),
        (b'{"a": 1, "a": 2}\n', "fields a"),
    ],
)
def test_logs_that_nobody_knows_are_said_to_be_so(app: AppTest, content: bytes, said: str) -> None:
    go(app, urls.IMPORT)
    app.file_uploader(key="import-files").upload("games.jsonl", content).run()
    text = app.warning[0].value
    assert said in unescaped(text)
    assert "knybbe" in text
    assert "<b>" not in text.replace("\\<b", "")


def test_after_a_load_exactly_what_came_in_is_a_click_away(app: AppTest) -> None:
    first, later = first_hands("pedro", 5), [*first_hands("king-pedro", 3), with_revoke()[0]]
    for name, lines in (("a", map(encode_hand, first)), ("b", [*map(encode_hand, later), b"oops"])):
        go(app, urls.IMPORT)
        app.file_uploader(key="import-files").set_value(
            [(f"{name}.jsonl", log_of(*lines), "text/plain")]
        ).run()
        press(app, "Load")
    links = {each.proto.label: each.proto for each in app.get("page_link")}
    assert links[":blue[The 4 new hands]"].query_string == "load=2"
    assert "4 hands" in text_of(go(app, urls.HANDS, load="2"))
    (shown,) = [each for each in app.button if each.label.startswith("Load of")]
    assert "4 hands" in shown.label
    shown.click().run()
    assert "9 hands" in text_of(app)
    found = text_of(go(app, urls.AUDIT, load="2"))
    assert re.search(rf"[1-9] findings?,.*{REVOKE}", found, re.DOTALL)
    assert "No findings" in text_of(go(app, urls.AUDIT, load="1"))
    for load, said in (("2", "1 line kept aside"), ("1", "every line of the logs could be read")):
        go(app, urls.HANDS)
        assert said in text_of(go(app, urls.AUDIT, load=load, view="unreadable lines"))
    # A load that there is not is passed over.
    for load in some(("3", "x", "0", "-1", "9" * 30), 2):
        go(app, urls.DEFINITIONS)
        assert "9 hands" in text_of(go(app, urls.HANDS, load=load))
        assert "asks for load" in app.warning[0].value, load


def unescaped(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def test_uploads_are_limited_and_details_of_errors_stay_here() -> None:
    assert server.SETTINGS["server.maxUploadSize"] == 200
    assert server.SETTINGS["client.showErrorDetails"] == "none"
    assert server.SETTINGS["runner.magicEnabled"] is False
    assert set(uploads.TYPES) >= {"jsonl", "gz", "zst", "json"}


def test_lines_that_are_wrong_alike_are_said_once(app: AppTest) -> None:
    go(app, urls.IMPORT)
    content = b"".join(b"row %d;and so on\n" % number for number in range(163))
    app.file_uploader(key="import-files").upload("games.jsonl", content + b"{}\n").run()
    press(app, "Check only")
    alike, other = table_of(app, "Lines that could not be used")
    assert (alike["line"], alike["lines"]) == ("1 to 163", "163")
    assert (other["line"], other["lines"]) == ("164", "1")
    (saved,) = (each for each in app.get("download_button"))
    assert saved.proto.label == "Save them as CSV"


def test_a_load_is_undone_while_it_is_the_latest(app: AppTest) -> None:
    for name, hands in (("a", first_hands("pedro", 5)), ("b", first_hands("king-pedro", 3))):
        go(app, urls.IMPORT)
        app.file_uploader(key="import-files").set_value(
            [(f"{name}.jsonl", log_of(*map(encode_hand, hands)), "text/plain")]
        ).run()
        press(app, "Load")
    assert "8 hands" in text_of(go(app, urls.HANDS))
    press(go(app, urls.IMPORT), "Undo this load")
    assert "The load is undone: 5 hands, before 8 hands." in text_of(app)
    assert "Undo this load" not in [each.label for each in app.button]
    assert "5 hands" in text_of(go(app, urls.HANDS))


PASTED = {
    ".jsonl": "\n".join(encode_hand(each).decode() for each in first_hands("pedro", 2)),
    ".trick": (samples.samples_folder() / "text" / "pedro.trick").read_text("utf-8"),
    ".csv": as_csv(one_row_a_hand(scored("pedro", 1, 3))).decode(),
    ".tsv": as_csv(one_row_a_hand(scored("pedro", 1, 3)), delimiter="\t").decode(),
}


@pytest.mark.parametrize("suffix", PASTED)
def test_pasted_text_is_loaded_as_a_file_of_its_kind(app: AppTest, suffix: str) -> None:
    go(app, urls.IMPORT)
    app.text_area(key="import-text").set_value(PASTED[suffix]).run()
    app.text_input(key="import-text-name").set_value("friday").run()
    assert f"Read as a file called friday\\{suffix}." in text_of(app)
    press(app, "Load")
    assert int(values_of(app)["New hands"]) > 0
    assert values_of(app)["Not readable"] == "0"
    with open_snapshot(app.session_state["import-job"].request.db) as connection:
        files = connection.execute("SELECT DISTINCT file FROM hands").fetchall()
    assert files == [(f"uploaded/friday{suffix}",)]


# --- Score sheets
@pytest.fixture
def page(app: AppTest) -> AppTest:
    return go(app, urls.IMPORT)


def drop(page: AppTest, content: bytes, name: str = "club.csv") -> AppTest:
    page.file_uploader(key="import-files").upload(name, content).run()
    assert not page.exception, page.exception
    return page


def test_a_sheet_is_shown_changed_loaded_and_its_columns_are_known_again(page: AppTest) -> None:
    written = scored("pedro", 2, 3)
    rows = one_row_a_hand(written, leave_out=["Game", "Hand", "Trump", "Change"])
    rows[0][3] = "Height"
    drop(page, as_csv(rows))
    found = values_of(page)
    assert found == {"Hands": str(len(written)), "Games": "2", "Rows refused": "0", "Findings": "0"}
    assert any("By seat: Ann" in each.value for each in page.caption)
    box = next(each for each in page.selectbox if each.label.startswith("D Height"))
    assert box.value == (Means.IGNORE, "")
    box.select((Means.BID, "")).run()
    assert not page.exception
    next(each for each in page.button if each.label == "Load").click().run()
    job = page.session_state["import-job"]
    assert job.wait(LIMIT)
    page.run()
    assert values_of(page)["New hands"] == str(len(written))
    assert job.result["verdicts"] == {"partial": len(written)}
    drop(page, as_csv(rows), "next.csv")
    assert any("same headings before" in each.value for each in page.caption)
    again = next(each for each in page.selectbox if each.label.startswith("D Height"))
    assert again.value == (Means.BID, "")


def test_what_is_wrong_is_said_before_loads(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand", "Change"])
    monkeypatch.setattr(reader, "MOST_READ", 5)
    rows[2][3] = 3
    rows[3][3] = "eight"
    drop(page, as_csv(rows))
    shown = text_of(page)
    assert values_of(page)["Rows refused"] == "1"
    assert "Bid too low" in shown
    assert "column D (Bid)" in shown
    assert f"This is of the first 5 rows of {len(rows)}; a load reads all of them." in shown


def run_job(page: AppTest, button: str = "Load") -> dict[str, Any]:
    next(each for each in page.button if each.label == button).click().run()
    assert not page.exception, page.exception
    job = page.session_state["import-job"]
    assert job.wait(LIMIT)
    page.run()
    result: dict[str, Any] = job.result
    return result


def test_house_rules_are_chosen_in_words_and_nothing_speaks_of_a_terminal(page: AppTest) -> None:
    drop(page, b"Bidder,Bid,Beer,We,They\nAnn,6,2,9,5\n")
    assert "who sat where" in text_of(page)
    assert "Who plays, by seat" in text_of(page)
    page.text_input(key="sheet-players").set_value("Ann,Bo,Cy,Dee").run()
    assert values_of(page)["Findings"] == "1"
    house = page.multiselect(key="sheet-house-pedro")
    assert "O01 Bids start at six" in house.options[0]
    house.set_value(["O01"]).run()
    assert values_of(page)["Findings"] == "0"
    run_job(page)
    shown = text_of(page)
    assert "(cell C1) is not used; choose under" in shown
    for word in ("tricklog load --inspect", "--players", "--mapping", "--correct"):
        assert word not in shown


def test_a_corrected_sheet_takes_the_place_of_the_old_one_when_asked_to(page: AppTest) -> None:
    rows = one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand", "Change"])
    drop(page, as_csv(rows))
    run_job(page)
    rows[2][3] = 13
    page.session_state["import-files"] = None
    drop(page, as_csv(rows))
    told = run_job(page)
    assert (told["quarantined"], told["corrected"]) == (1, 0)
    assert "choose “Correct what was loaded of it before”" in text_of(page)
    page.checkbox(key="sheet-correct").check().run()
    assert next(each for each in page.button if each.label == "Load").disabled
    assert "Check first: that says which hands would be replaced" in text_of(page)
    (day,) = run_job(page, "Check only")["gave_way"]
    assert (day["hands"], day["stored"], day["players"][0], day["is_plain"]) == (1, 9, "Ann", True)
    told = run_job(page)
    assert (told["quarantined"], told["corrected"]) == (0, 1)
    assert "1 hand corrected." in text_of(page)


def test_a_sheet_below_the_folders_of_the_server_is_chosen_and_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below, outside = tmp_path / "logs", tmp_path / "outside.csv"
    below.mkdir()
    written = scored("pedro", 1, 3)
    (below / "club.csv").write_bytes(as_csv(one_row_a_hand(written)))
    outside.write_bytes(b"Bidder,Bid\n")
    (below / "link.csv").symlink_to(outside)
    page = go(open_app(tmp_path / "db", monkeypatch, "--logs", str(below)), urls.IMPORT)
    page.text_input(key="import-path").set_value(".").run()
    box = page.selectbox(key="import-sheet")
    assert box.options == ["None: its logs", "club.csv", "link.csv"]
    box.select_index(2).run()
    assert "nothing else is read" in text_of(page)
    page.selectbox(key="import-sheet").select_index(1).run()
    assert values_of(page)["Hands"] == str(len(written))
    assert run_job(page)["accepted"] == len(written)
    page.text_input(key="import-path").set_value("club.csv").run()
    assert values_of(page)["Hands"] == str(len(written))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.xlsx", b"PK\x03\x04 and nothing", "The workbook is damaged"),
        ("a.csv", b"\0\1\2\3", "this is no text"),
        ("a.csv", b"", "No row of this sheet looks like a hand"),
    ],
)
def test_files_that_are_no_sheets_are_refused_with_a_sentence(
    page: AppTest, name: str, content: bytes, sentence: str
) -> None:
    assert sentence in text_of(drop(page, content, name))
    assert next(each for each in page.button if each.label == "Load").disabled


UNNAMED: Rows = [
    ["Hand", "Dealer", "Bidder", "Bid", "Trumps", "Score A", "Score B"],
    [1, "Ann", "Bo", 8, "H", 9, 5],
    [2, "Bo", "Cy", 7, "S", 14, 14],
    [3, "Cy", "Dee", 9, "D", 24, 18],
]


@pytest.mark.parametrize(
    ("pair", "seats"), [("Ann & Cy", "Ann, Bo, Cy, Dee"), ("Bo & Dee", "Bo, Cy, Dee, Ann")]
)
def test_whose_score_a_column_is_is_asked_once(page: AppTest, pair: str, seats: str) -> None:
    drop(page, as_csv(UNNAMED))
    assert "Whose score is “A”?" in text_of(page)
    (load,) = (each for each in page.button if each.label == "Load")
    assert load.disabled
    next(each for each in page.button if each.label.replace("\\", "") == pair).click().run()
    assert not page.exception
    assert "Whose score" not in text_of(page)
    (said,) = (each.value for each in page.caption if "By seat" in each.value)
    assert said.replace("\\", "") == f"By seat: {seats}"
    (load,) = (each for each in page.button if each.label == "Load")
    assert not load.disabled
