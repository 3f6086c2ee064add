"""The front page stays short, however many kinds of lines could not be read."""

import shutil
from pathlib import Path

import pytest

from tests.kit.app_pages import go, open_app
from tests.kit.dashboard_logs import first_hands
from tests.kit.log_lines import write_hands
from tricklog.dashboard.address import urls
from tricklog.ingest.loading.loading import load
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.store import quarantine
from tricklog.ingest.store.warehouse import open_snapshot

MOST = 4


def test_many_kinds_of_unreadable_lines_take_little_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = shutil.copytree(samples_folder() / "invalid" / "line", tmp_path / "logs")
    load(write_hands(logs / "hands.jsonl", first_hands("pedro", 1)).parent, db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        kinds = len(quarantine.codes(connection))
    assert kinds > 3 * MOST
    app = go(open_app(tmp_path / "db", monkeypatch), urls.OVERVIEW)
    bodies = [each.proto.body for each in app.get("html")]
    (table,) = (each for each in bodies if ">what was wrong<" in each)
    assert table.count("<tr>") == 1 + MOST
    (link,) = (each.proto for each in app.get("page_link") if "See these lines" in each.proto.label)
    assert link.label == f"See these lines, and those of {kinds - MOST} other kinds"
    assert link.query_string == "view=unreadable+lines"
