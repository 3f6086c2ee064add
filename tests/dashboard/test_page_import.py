"""The page that loads logs: by upload or by path, checked first, and how the end is shown."""

import tempfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import server, uploads, urls
from ingest.reading import samples
from schemas.hand import encode_hand
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.dashboard_logs import NASTY, first_hands, with_revoke, write_logs

pytestmark = pytest.mark.posix

LIMIT = 120.0


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
    """Press a button, and wait for the job that it starts."""
    next(each for each in app.button if each.label == label).click().run()
    if "import-job" in app.session_state:
        job = app.session_state["import-job"]
        assert job.wait(LIMIT)
        app.run()
    assert not app.exception, app.exception
    return app


def figures_of(app: AppTest) -> dict[str, str]:
    return {each.label: each.value for each in app.metric}


def log_of(*lines: bytes) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_an_empty_warehouse_leads_to_import_and_the_samples(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "samples_folder", lambda: write_logs(tmp_path / "samples"))
    app.run()
    assert "tricklog load" in app.code[0].value
    assert any("Load your logs" in each.proto.label for each in app.get("page_link"))
    press(go(app, urls.IMPORT), "Load the samples")
    assert "Loaded. Every page shows the new hands." in text_of(app)
    assert figures_of(app) == {
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
    assert figures_of(app)["New hands"] == "1"
    assert figures_of(app)["Blank lines"] == "1"
    assert "uploaded/games.jsonl" in shown
    assert "Not json: " in shown
    assert not (tmp_path / "db").exists()
    press(app, "Load")
    assert "Loaded." in text_of(app)
    press(app, "Load")
    assert "Nothing here was new" in text_of(app)
    assert figures_of(app)["Known already"] == "1"


@pytest.mark.parametrize("path", [".", "{logs}", "{logs}/../logs"])
def test_a_folder_of_this_machine_is_loaded(named: AppTest, tmp_path: Path, path: str) -> None:
    go(named, urls.IMPORT)
    typed = path.format(logs=tmp_path / "logs")
    named.text_input(key="import-path").set_value(typed).run()
    press(named, "Load")
    assert figures_of(named)["New hands"] == "51"
    assert "Claimed points" in text_of(named)
    assert named.session_state["import-job"].sources == [str((tmp_path / "logs").resolve())]


@pytest.mark.parametrize("path", ["no/such/folder", f"{NASTY}", "-", "--db"])
def test_a_path_that_is_not_there_is_said_so(named: AppTest, path: str) -> None:
    go(named, urls.IMPORT)
    named.text_input(key="import-path").set_value(path).run()
    press(named, "Load")
    assert "There is no file or folder" in named.error[0].value
    assert "<img" not in named.error[0].value.replace("\\<img", "")
    assert "import-job" not in named.session_state


def test_no_path_is_read_unless_folders_were_named(app: AppTest, tmp_path: Path) -> None:
    write_logs(tmp_path / "logs")
    go(app, urls.IMPORT)
    assert [each.label for each in app.text_input] == []
    assert "tricklog dashboard --logs FOLDER" in text_of(app)
    # A page may send what it likes: the value of a box that is not there is read by nobody.
    app.session_state["import-path"] = str(tmp_path / "logs")
    press(app.run(), "Load")
    assert "nothing to load yet" in app.warning[0].value
    assert "import-job" not in app.session_state


@pytest.mark.parametrize(
    "path",
    [
        "../secret.jsonl",
        "../no-such-secret.jsonl",
        "{folder}/secret.jsonl",
        "{folder}/no-such-secret.jsonl",
        "{folder}/logs-of-others/log.jsonl",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "~nobody-at-all/x",
        "link-to-a-file.jsonl",
        "link-to-a-folder",
        "link-to-a-folder/secret.jsonl",
        "link-in-a-circle",
        "a\0b",
        "x" * 5000,
    ],
)
def test_nothing_outside_the_named_folders_is_read(
    named: AppTest, tmp_path: Path, path: str
) -> None:
    (tmp_path / "secret.jsonl").write_text("secret\n")
    (tmp_path / "logs-of-others").mkdir()
    (tmp_path / "logs-of-others" / "log.jsonl").write_text("secret\n")
    (tmp_path / "logs" / "link-to-a-file.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (tmp_path / "logs" / "link-to-a-folder").symlink_to(tmp_path)
    (tmp_path / "logs" / "link-in-a-circle").symlink_to("link-in-a-circle")
    go(named, urls.IMPORT)
    named.text_input(key="import-path").set_value(path.format(folder=tmp_path)).run()
    press(named, "Load")
    assert "and nothing else is read" in named.error[0].value
    assert "import-job" not in named.session_state


def test_a_folder_with_a_link_that_leads_out_of_it_is_not_read(
    named: AppTest, tmp_path: Path
) -> None:
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


def test_logs_of_another_program_that_are_none_are_reported_line_by_line(
    named: AppTest, tmp_path: Path
) -> None:
    log = tmp_path / "logs" / "log.jsonl"
    log.write_bytes(log_of(*map(encode_hand, first_hands("pedro", 2))))
    go(named, urls.IMPORT)
    named.text_input(key="import-path").set_value(log.name).run()
    named.selectbox(key="import-adapter").set_value("rlcard-29").run()
    press(named, "Load")
    shown = text_of(named)
    assert "2 records of another program: 0 turned into 0 hands, 2 refused." in shown
    assert "Lines that could not be used" in shown


def test_uploads_are_limited_and_details_of_errors_stay_here() -> None:
    assert server.SETTINGS["server.maxUploadSize"] == 200
    assert server.SETTINGS["client.showErrorDetails"] == "none"
    assert server.SETTINGS["runner.magicEnabled"] is False
    assert set(uploads.TYPES) >= {"jsonl", "gz", "zst", "json"}
