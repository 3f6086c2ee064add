"""Commands on a lake: they print what they print on a warehouse of one machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import tricklog as library
from tests.cli.command_line import CommandLine, write_log
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.foreign_records import RECORDS
from tests.kit.log_lines import one_game
from tests.kit.stored import content, facts_checksum, rows
from tests.kit.tiers import is_thorough, some
from tests.lake.conftest import Both
from tricklog.dashboard.address import urls
from tricklog.ingest.cli import doctor
from tricklog.ingest.lake import reading
from tricklog.ingest.store import userdata
from tricklog.ingest.warehouses import open_facts, stored_hand, warehouse_at

READING = (
    ("stats", "--summary", "--json"),
    ("stats", "made-rate", "--by", "player", "--format", "csv"),
    ("stats", "hands", "--by", "day,variant", "--format", "json", "--whose", "people"),
    ("show", "evening", "--json"),
    ("show", "season", "2026", "--json"),
    ("db", "rejects", "--json"),
    ("show", "game", "king-pedro 2026-11-20 table 1", "--json"),
)
"""Commands that tell the same of both, to the last digit."""


def test_what_is_told_of_a_lake_is_the_same(tricklog: CommandLine, both: Both) -> None:
    told = doctor._warehouse(both.lake)
    assert re.search(r"\d+ hands in lake:.* 2; their figures are ready", told)
    for arguments in some(READING, 2):
        here, there = (tricklog(*arguments, "--db", str(db)) for db in (both.folder, both.lake))
        assert here.status == there.status == 0, arguments
        assert there.stdout == here.stdout, arguments


def test_a_lake_is_loaded_and_lines_dropped_alike(tricklog: CommandLine, tmp_path: Path) -> None:
    record = msgspec.json.encode(next(iter(RECORDS.values())))
    (tmp_path / "old").mkdir()
    wrong = write_log(tmp_path / "old" / "wrong.jsonl", b"oops " * 2_000, record)
    mixed = write_log(tmp_path / "older.jsonl", b"eh " * 2_000, *one_game("pedro")[:1])
    said, expected = [], ""
    for db, *on in (("club",), ("lake:club-lake", "--on", "here")):
        place = ("--db", db)
        dry = tricklog("load", mixed, *place, *on, "--dry-run")
        assert "dry run" in dry.text
        assert warehouse_at(db).current() is None
        (told,) = tricklog("load", mixed, *place, *on, "--json").objects
        assert told["snapshot"] == warehouse_at(db).current()
        assert (told["published"], told.pop("set_aside")) == (True, [])
        again = tricklog("load", mixed, *place, *on, "--json")
        assert again.objects[0] | {"duplicate": 0} == told | {
            "accepted": 0,
            "duplicate": 0,
            "published": False,
            "verdicts": {},
            "findings": {},
        }
        ran = tricklog("load", wrong, *place, *on)
        assert ran.status == 3
        assert f"tricklog db rejects {' '.join(place)}" in ran.text
        said.append(ran.stderr.replace(db, "club"))
        nothing = tricklog("db", "rejects", *place, "--log", "ol", "--forget")
        assert nothing.text == "0 lines dropped from quarantine\n"
        old = (*place, "--log", str(wrong.parent))
        assert "2 lines in quarantine" in tricklog("db", "rejects", *old).text
        assert tricklog("db", "rejects", *old, "--forget", "--json").objects == [{"dropped": 2}]
        (left,) = tricklog("db", "rejects", *place, "--json").objects
        assert left["file"] == str(mixed)
        assert tricklog("db", "rejects", *place, "--forget").text.startswith("1 line dropped")
        if is_thorough():
            assert tricklog("db", "verify", *place, *on).status == 0
        with warehouse_at(db).tables() as opened:
            counts = "SELECT count(*), (FROM (SELECT count(*) FROM long_texts)), $1 FROM imports"
            assert opened.execute(counts, [db]).fetchall() == [(1, 0, db)]
            expected = expected or library.checksum(opened)
            assert library.checksum(opened) == expected
    assert said[0] == said[1]
    assert "look like another program’s" in said[0]


def test_what_cannot_be_done_is_refused_and_makes_nothing(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    for place in (("club",), ("lake:club", "--on", "here")):
        ran = tricklog("load", tmp_path / "no.jsonl", "--db", *place)
        assert ran.status == 3
        assert "cannot be read" in " ".join(ran.stderr.split())
        assert not (tmp_path / "club").exists()
    ran = tricklog("stats", "--summary", "--db", "lake:nowhere")
    assert ran.status == 2
    assert "tricklog load LOGS --db lake:" in ran.stderr
    # What only lakes have is refused for a folder.
    log = write_log(tmp_path / "log.jsonl", *one_game("pedro"))
    for option in (("--on", "ray"), ("--take-over",)):
        ran = tricklog("load", log, "--db", "club", *option)
        assert ran.status == 2
        assert f"{option[0]} is for lakes" in ran.stderr
        assert not (tmp_path / "club").exists()


def test_without_what_reads_lakes_it_is_said_what_to_install(
    tricklog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path / "log.jsonl", *one_game("pedro"))
    for name in ("deltalake", "fsspec"):
        monkeypatch.setitem(sys.modules, name, None)
    for words in ("load log.jsonl", "stats --summary", "stats", "db verify", "dashboard"):
        command = words.split()
        ran = tricklog(*command, "--db", "s3://club/tricklog")
        assert ran.status == 2, command
        assert "pip install 'tricklog[lake]'" in ran.stderr, command


def test_a_folder_is_read_without_loading_what_reads_lakes(both: Both) -> None:
    program = (
        "import sys; from tricklog.ingest.cli import main; "
        f"main(['db', 'rejects', '--db', {str(both.folder)!r}, '--json']); "
        "needless = {'deltalake', 'fsspec', 'ray', 'tricklog.ingest.lake.publish'}; "
        "sys.exit(bool(needless & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def number_of_hands(both: Both) -> int:
    ((count,),) = rows(both.folder, "SELECT count(*) FROM hands")
    return int(count)


def assert_in_order(tricklog: CommandLine, lake: str, both: Both) -> None:
    ran = tricklog("db", "verify", "--db", lake, "--all", "--on", "here", "--json")
    (found,) = ran.objects
    assert (ran.status, found["problems"]) == (0, [])
    assert found["hands"] == found["replayed"] == number_of_hands(both)
    assert found["checksum"] == content(both.folder)


@pytest.mark.thorough("a lake of all games; test_lake_damage verifies one that was made again")
def test_a_lake_that_is_in_order_has_no_problem(tricklog: CommandLine, both: Both) -> None:
    assert_in_order(tricklog, str(both.lake), both)


# --- On an object store
@pytest.mark.thorough("an object store")
def test_commands_and_pages_on_an_object_store(
    tricklog: CommandLine,
    tmp_path: Path,
    s3_prefix: str,
    both: Both,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    logs = both.logs
    ran = tricklog("load", str(logs), "--db", s3_prefix, "--on", "here", "--json")
    assert ran.objects[0]["snapshot"] == f"{s3_prefix} 1"
    for arguments in READING[:2]:
        here, there = (tricklog(*arguments, "--db", str(db)) for db in (both.folder, s3_prefix))
        assert there.stdout == here.stdout
    assert_in_order(tricklog, s3_prefix, both)
    with open_facts(s3_prefix) as far, both.facts() as (_, near), both.tables() as (_, tables):
        assert facts_checksum(far) == facts_checksum(near)
        assert reading.hand(far, "long 0") == stored_hand(tables, "long 0")
    told = f"{number_of_hands(both)} hands in s3:"
    assert any(
        each["says"].startswith(told)
        for each in tricklog("demo", "--check", "--db", s3_prefix, "--json").objects
    )
    page = go(open_app(s3_prefix, monkeypatch), urls.OVERVIEW)
    assert " hands" in text_of(page)
    # What viewers write cannot lie on the store.
    own = warehouse_at(s3_prefix).user_folder()
    userdata.save_view(own, "Mine", "bids", {})
    assert own.is_relative_to(tmp_path / "own")
    assert "Mine" in text_of(page.run())


def test_a_silent_store_is_said_so(tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_ALLOW_HTTP": "true",
    }.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setattr(
        "tricklog.ingest.lake.storage._PATIENCE", {"max_retries": "0", "retry_timeout": "1s"}
    )
    ran = tricklog("stats", "--summary", "--db", "s3://club/tricklog")
    assert ran.status == 3
    assert "s3://club/tricklog" in ran.stderr


# --- One hand
def test_a_stored_hand_is_replayed_by_its_id(tricklog: CommandLine, both: Both) -> None:
    ((name,),) = rows(both.folder, "SELECT min(hand_id) FROM hands WHERE verdict = 'valid'")
    ran = [
        tricklog("replay", "--hand", name, "--db", str(db), "--json")
        for db in (both.folder, both.lake)
    ]
    assert [each.status for each in ran] == [0, 0]
    one, other = (each.objects[0] for each in ran)
    assert {**one, "file": ""} == {**other, "file": ""}
    assert one["hand_id"] == name
    assert one["steps"]
    nobody = tricklog("replay", "--hand", "nobody", "--db", str(both.lake))
    assert nobody.status == 2
    assert "no hand 'nobody'" in nobody.stderr
    # It takes a log or a hand of a warehouse.
    club = ("--db", both.folder)
    for arguments in ((), club, ("log.jsonl", "--hand", "c-7", *club)):
        refused = tricklog("replay", *arguments)
        assert refused.status == 2, arguments
        assert "--hand" in refused.stderr, arguments
