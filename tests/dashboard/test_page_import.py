"""The page that loads logs: by upload or by path, checked first, and how the end is shown."""

import gzip
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from tests.kit.app_pages import button, go, open_app, press, table_of, text_of, unmarked, values_of
from tests.kit.dashboard_logs import NASTY, REVOKE, first_hands, with_revoke, write_logs
from tests.kit.foreign_records import RECORDS
from tests.kit.log_lines import write_hands
from tests.kit.score_sheets import Rows, as_csv, one_row_a_hand, scored
from tests.kit.tiers import some
from tricklog import ADAPTERS, Hand, encode_hand
from tricklog.dashboard.address import urls
from tricklog.dashboard.data.jobs import Job
from tricklog.dashboard.data.uploads import Pasted
from tricklog.ingest.reading import samples
from tricklog.ingest.score_sheets import reader
from tricklog.ingest.score_sheets.words import Means
from tricklog.ingest.store.warehouse import open_snapshot

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("jobs_run_here")]

LIMIT = 300.0
PATH, TEXT, ADAPTER, JOB = "import-path", "import-text", "import-adapter", "import-job"
FOREIGN = msgspec.json.encode(RECORDS["rlcard-29"])


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(repository))
    return folder


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return go(open_app(tmp_path / "db", monkeypatch), urls.IMPORT)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return write_logs(tmp_path / "logs").resolve()


@pytest.fixture
def named(tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page of imports where the dashboard may read logs below ``tmp_path/logs``."""
    return go(open_app(tmp_path / "db", monkeypatch, "--logs", str(logs)), urls.IMPORT)


def run(app: AppTest, label: str = "Load") -> Job | None:
    press(app, label)
    if JOB not in app.session_state:
        return None
    job: Job = app.session_state[JOB]
    assert job.wait(LIMIT)
    app.run()
    assert not app.exception, app.exception
    return job


def drop(app: AppTest, name: str, content: bytes | Iterable[bytes | Hand]) -> AppTest:
    """Drop a file, given as it is or by its lines, in the place of those that lie there."""
    if not isinstance(content, bytes):
        lines = (encode_hand(each) if isinstance(each, Hand) else each for each in content)
        content = b"".join(line + b"\n" for line in lines)
    app.file_uploader(key="import-files").set_value([(name, content, "text/plain")]).run()
    assert not app.exception, app.exception
    return app


def type_in(app: AppTest, path: str) -> AppTest:
    return app.text_input(key=PATH).set_value(path).run()


def test_an_empty_warehouse(app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Written once: a page that is drawn while the load reads them would write them over.
    folder = write_logs(tmp_path / "samples")
    monkeypatch.setattr(samples, "samples_folder", lambda: folder)
    go(app, urls.OVERVIEW)
    doors = " ".join(each.proto.label for each in app.get("page_link"))
    for door in ("Record a hand", "Drop a file", "Look at the samples"):
        assert door in doors
    assert not app.code
    run(go(app, urls.IMPORT), "Load the samples")
    assert "Loaded. Every page shows the new hands." in text_of(app)
    assert values_of(app) == {
        "New hands": "51",
        "Known already": "0",
        "Not readable": "1",
        "Blank lines": "0",
    }
    assert "51 hands" in text_of(go(app, urls.HANDS))


def test_files_are_checked_first_and_nothing_changes(app: AppTest, tmp_path: Path) -> None:
    drop(app, "../games.jsonl", [with_revoke()[0], b"oops", b""])
    run(app, "Check only")
    shown = text_of(app)
    for said in ("nothing was changed", "uploaded/games.jsonl", "Not json: "):
        assert said in shown
    assert (values_of(app)["New hands"], values_of(app)["Blank lines"]) == ("1", "1")
    assert not (tmp_path / "db").exists()
    run(app)
    assert "Loaded." in text_of(app)
    run(app)
    assert "Nothing here was new" in text_of(app)
    assert values_of(app)["Known already"] == "1"


def test_a_folder_of_this_machine_is_loaded(named: AppTest, logs: Path) -> None:
    job = run(type_in(named, f"{logs}/../logs"))
    assert job
    assert job.sources == [str(logs)]
    assert values_of(named)["New hands"] == "51"
    assert "Claimed points" in text_of(named)


def test_no_path_is_read_unless_folders_were_named(app: AppTest, logs: Path) -> None:
    assert [each.key for each in app.text_input if each.key == PATH] == []
    assert "tricklog dashboard --logs FOLDER" in text_of(app)
    # A page may send what it likes: the value of a box that is not there is read by nobody.
    app.session_state[PATH] = str(logs)
    assert run(app.run()) is None
    assert "nothing to load yet" in app.warning[0].value


NOT_THERE = "There is no file or folder"
ELSEWHERE = "and nothing else is read"


def test_nothing_outside_is_read(named: AppTest, tmp_path: Path, logs: Path) -> None:
    (tmp_path / "secret.jsonl").write_text("secret\n")
    (tmp_path / "logs-of-others").mkdir()
    (tmp_path / "logs-of-others" / "log.jsonl").write_text("secret\n")
    (logs / "link-to-a-file.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (logs / "link-to-a-folder").symlink_to(tmp_path)
    (logs / "link-in-a-circle").symlink_to("link-in-a-circle")
    outside = (
        *("../secret.jsonl", "../no-such-secret.jsonl", f"{tmp_path}/secret.jsonl"),
        *(f"{tmp_path}/no-such-secret.jsonl", f"{tmp_path}/logs-of-others/log.jsonl"),
        *("/etc/passwd", "~/.ssh/id_rsa", "~nobody-at-all/x", "link-to-a-file.jsonl"),
        *("link-to-a-folder", "link-to-a-folder/secret.jsonl", "link-in-a-circle"),
        *("a\0b", "x" * 5000),
    )
    for path, said in (
        *((each, NOT_THERE) for each in ("no/such/folder", NASTY, "-", "--db")),
        *((each, ELSEWHERE) for each in outside),
    ):
        named.text_input(key=PATH).set_value(path)
        assert run(named) is None
        assert said in named.error[0].value, path[:99]
        assert "<img" not in named.error[0].value.replace("\\<img", "")


def test_a_link_leading_out_is_not_read(named: AppTest, tmp_path: Path, logs: Path) -> None:
    (tmp_path / "secret.jsonl").write_text("secret\n")
    (deep := logs / "deep").mkdir()
    (deep / "games.jsonl").symlink_to(tmp_path / "secret.jsonl")
    assert run(type_in(named, ".")) is None
    assert "is a link that leads out" in named.error[0].value
    (deep / "games.jsonl").unlink()
    first = next(each for each in sorted(logs.iterdir()) if each.is_file())
    (deep / "again.jsonl").symlink_to(first)
    run(named, "Check only")
    assert "nothing was changed" in text_of(named)


# --- Logs of other programs
def test_foreign_logs_that_are_none_are_told_line_by_line(named: AppTest, logs: Path) -> None:
    log = write_hands(logs / "log.jsonl", first_hands("pedro", 2))
    type_in(named, log.name)
    named.selectbox(key=ADAPTER).set_value("rlcard-29").run()
    run(named)
    assert values_of(named)["Not readable"] == "2"
    assert "Lines that could not be used" in text_of(named)


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_foreign_logs_are_recognised_and_loaded(app: AppTest, tmp_path: Path, name: str) -> None:
    drop(app, "games.jsonl", [msgspec.json.encode(RECORDS[name])])
    assert app.selectbox(key=ADAPTER).value == name
    assert f"This looks like {ADAPTERS[name].program}" in unmarked(app.info[0].value)
    # One is loaded in the first tier: what becomes of each is what `tricklog load` makes of it.
    if name not in some(sorted(RECORDS), 1):
        return
    run(app)
    assert int(values_of(app)["New hands"]) > 0
    with open_snapshot(tmp_path / "db") as connection:
        stored = connection.execute("SELECT count(*) FROM hands").fetchall()[0][0]
    assert values_of(app)["New hands"] == str(stored)


def test_another_program_may_be_chosen_than_the_one_recognised(app: AppTest) -> None:
    drop(app, "games.jsonl.gz", gzip.compress(FOREIGN + b"\n"))
    assert app.selectbox(key=ADAPTER).value == "rlcard-29"
    app.selectbox(key=ADAPTER).set_value("sixty-three").run()
    assert app.selectbox(key=ADAPTER).value == "sixty-three"
    assert "Something else is chosen" in app.warning[0].value
    drop(app, "hands.jsonl", first_hands("pedro", 2))
    assert app.selectbox(key=ADAPTER).value == "tricklog"
    assert "own format" in text_of(app)


def test_logs_of_several_kinds_are_to_be_loaded_apart(named: AppTest, logs: Path) -> None:
    (logs / "z.jsonl").write_bytes(FOREIGN + b"\n")
    type_in(named, ".")
    assert "not of one kind" in named.warning[0].value
    assert "z\\.jsonl" in named.warning[0].value
    assert named.selectbox(key=ADAPTER).value == "tricklog"


def test_logs_that_nobody_knows_are_said_to_be_so(app: AppTest) -> None:
    for content, said in (
        (b'{"moves": [], "<b>": 1}\n', "fields moves"),
        (b"Ann bids 9\n", "no JSON objects"),
        (b"[1, 2]\n", "no JSON objects"),
        (b'{"a": 1, "a": 2}\n', "fields a"),
    ):
        text = drop(app, "games.jsonl", content).warning[0].value
        assert said in unmarked(text)
        assert "knybbe" in text
        assert "<b>" not in text.replace("\\<b", "")


# --- After a load
def test_after_a_load_exactly_what_came_in_is_a_click_away_and_is_undone(app: AppTest) -> None:
    run(drop(app, "a.jsonl", first_hands("pedro", 5)))
    later = [*first_hands("king-pedro", 3), with_revoke()[0]]
    run(drop(go(app, urls.IMPORT), "b.jsonl", [*map(encode_hand, later), b"oops"]))
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
    # A load is undone while it is the latest.
    run(go(app, urls.IMPORT), "Undo this load")
    assert "The load is undone: 5 hands, before 9 hands." in text_of(app)
    assert "Undo this load" not in [each.label for each in app.button]
    assert "5 hands" in text_of(go(app, urls.HANDS))


def test_lines_that_are_wrong_alike_are_said_once(app: AppTest) -> None:
    drop(app, "games.jsonl", [*(b"row %d;and so on" % number for number in range(163)), b"{}"])
    run(app, "Check only")
    alike, other = table_of(app, "Lines that could not be used")
    assert (alike["line"], alike["lines"]) == ("1 to 163", "163")
    assert (other["line"], other["lines"]) == ("164", "1")
    assert [each.proto.label for each in app.get("download_button")] == ["Save them as CSV"]


PASTED = {
    ".jsonl": "\n".join(encode_hand(each).decode() for each in first_hands("pedro", 2)),
    ".trick": (samples.samples_folder() / "text" / "pedro.trick").read_text("utf-8"),
    ".csv": as_csv(one_row_a_hand(scored("pedro", 1, 3))).decode(),
    ".tsv": as_csv(one_row_a_hand(scored("pedro", 1, 3)), delimiter="\t").decode(),
}


@pytest.mark.parametrize("suffix", PASTED)
def test_pasted_text_is_loaded_as_a_file_of_its_kind(app: AppTest, suffix: str) -> None:
    app.text_area(key=TEXT).set_value(PASTED[suffix]).run()
    app.text_input(key=f"{TEXT}-name").set_value("friday").run()
    assert f"Read as a file called friday\\{suffix}." in text_of(app)
    job = run(app)
    assert job
    assert int(values_of(app)["New hands"]) > 0
    assert values_of(app)["Not readable"] == "0"
    with open_snapshot(Path(job.request.db)) as connection:
        files = connection.execute("SELECT DISTINCT file FROM hands").fetchall()
    assert files == [(f"uploaded/friday{suffix}",)]


def test_what_is_pasted_is_told_by_its_rows() -> None:
    for text, called in (
        ("Date|Dealer|Bidder|Bid|We|They\n5.1.2024|Ann|Bo|8|5|9", "pasted.csv"),
        ("We,They\n5,9\n-7,7", "pasted.csv"),
        ("Thursdays\n\nDate;Bid;We;They;Remark\n5.1.2024;8;5;9", "pasted.csv"),
        ("5;9;14\n-7;7;0", "pasted.csv"),
        ("game pedro\nplayers Ann, Bo, Cy, Dee\nAnn 8, Bo p, Cy p, Dee p", "pasted.trick"),
        ("players Ann, Bo, Cy, Dee\nbids Ann 7, Bo p, Cy p, Dee p", "pasted.trick"),
        ('\ufeff{"format": "tricklog/1"}', "pasted.jsonl"),
        ("\0\0\0", "pasted.trick"),
    ):
        for name in ("pasted", "", " ..."):
            assert Pasted(text, name).name == called


# --- Score sheets
def sheet_of(games: int, *leave_out: str) -> Rows:
    return one_row_a_hand(scored("pedro", games, 3), leave_out=leave_out)


def test_a_sheet_is_shown_changed_loaded_and_its_columns_are_known_again(app: AppTest) -> None:
    rows = sheet_of(2, "Game", "Hand", "Trump", "Change")
    rows[0][3] = "Height"
    count = str(len(rows) - 1)

    def height() -> Selectbox[Any]:
        return next(each for each in app.selectbox if each.label.startswith("D Height"))

    drop(app, "club.csv", as_csv(rows))
    found = values_of(app)
    assert found == {"Hands": count, "Games": "2", "Rows refused": "0", "Findings": "0"}
    assert any("By seat: Ann" in each.value for each in app.caption)
    assert height().value == (Means.IGNORE, "")
    height().select((Means.BID, "")).run()
    job = run(app)
    assert job
    assert job.result["verdicts"] == {"partial": int(count)}
    assert values_of(app)["New hands"] == count
    drop(app, "next.csv", as_csv(rows))
    assert any("same headings before" in each.value for each in app.caption)
    assert height().value == (Means.BID, "")


def test_what_is_wrong_is_said_before_loads(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sheet_of(1, "Game", "Hand", "Change")
    monkeypatch.setattr(reader, "MOST_READ", 5)
    rows[2][3] = 3
    rows[3][3] = "eight"
    shown = text_of(drop(app, "club.csv", as_csv(rows)))
    assert values_of(app)["Rows refused"] == "1"
    assert "Bid too low" in shown
    assert "column D (Bid)" in shown
    assert f"This is of the first 5 rows of {len(rows)}; a load reads all of them." in shown


def test_house_rules_are_chosen_in_words_and_nothing_speaks_of_a_terminal(app: AppTest) -> None:
    drop(app, "club.csv", b"Bidder,Bid,Beer,We,They\nAnn,6,2,9,5\n")
    assert "who sat where" in text_of(app)
    assert "Who plays, by seat" in text_of(app)
    app.text_input(key="sheet-players").set_value("Ann,Bo,Cy,Dee").run()
    assert values_of(app)["Findings"] == "1"
    house = app.multiselect(key="sheet-house-pedro")
    assert "O01 Bids start at six" in house.options[0]
    house.set_value(["O01"]).run()
    assert values_of(app)["Findings"] == "0"
    run(app)
    shown = text_of(app)
    assert "(cell C1) is not used; choose under" in shown
    for word in ("tricklog load --inspect", "--players", "--mapping", "--correct"):
        assert word not in shown


def test_a_corrected_sheet_takes_the_place_of_the_old_one_when_asked_to(app: AppTest) -> None:
    rows = sheet_of(1, "Game", "Hand", "Change")
    run(drop(app, "club.csv", as_csv(rows)))

    def told_by(label: str) -> tuple[int, int, list[dict[str, Any]]]:
        job = run(app, label)
        assert job
        told = job.result
        return told["quarantined"], told["corrected"], told.get("gave_way", [])

    rows[2][3] = 13
    drop(app, "club.csv", as_csv(rows))
    assert told_by("Load")[:2] == (1, 0)
    assert "choose “Correct what was loaded of it before”" in text_of(app)
    app.checkbox(key="sheet-correct").check().run()
    assert button(app, "Load").disabled
    assert "Check first: that says which hands would be replaced" in text_of(app)
    (day,) = told_by("Check only")[2]
    assert {"hands": 1, "stored": 9, "is_plain": True}.items() <= day.items()
    assert day["players"][0] == "Ann"
    assert told_by("Load")[:2] == (0, 1)
    assert "1 hand corrected." in text_of(app)


def test_a_sheet_of_the_server_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below, outside = tmp_path / "sheets", tmp_path / "outside.csv"
    below.mkdir()
    rows = sheet_of(1)
    (below / "club.csv").write_bytes(as_csv(rows))
    outside.write_bytes(b"Bidder,Bid\n")
    (below / "link.csv").symlink_to(outside)
    app = go(open_app(tmp_path / "db", monkeypatch, "--logs", str(below)), urls.IMPORT)
    box = type_in(app, ".").selectbox(key="import-sheet")
    assert box.options == ["None: its logs", "club.csv", "link.csv"]
    box.select_index(2).run()
    assert "nothing else is read" in text_of(app)
    app.selectbox(key="import-sheet").select_index(1).run()
    assert values_of(app)["Hands"] == str(len(rows) - 1)
    job = run(app)
    assert job
    assert job.result["accepted"] == len(rows) - 1
    assert values_of(type_in(app, "club.csv"))["Hands"] == str(len(rows) - 1)


def test_what_is_no_sheet_is_refused(app: AppTest) -> None:
    for name, content, sentence in (
        ("a.xlsx", b"PK\x03\x04 and nothing", "The workbook is damaged"),
        ("a.csv", b"\0\1\2\3", "this is no text"),
        ("a.csv", b"", "No row of this sheet looks like a hand"),
    ):
        assert sentence in text_of(drop(app, name, content))
        assert button(app, "Load").disabled


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
    drop(app, "club.csv", as_csv(UNNAMED))
    assert "Whose score is “A”?" in text_of(app)
    assert button(app, "Load").disabled
    press(app, pair)
    assert "Whose score" not in text_of(app)
    (said,) = (each.value for each in app.caption if "By seat" in each.value)
    assert unmarked(said) == f"By seat: {seats}"
    assert not button(app, "Load").disabled
