"""The protocol by which a load is published: undisturbed and disturbed.

On a folder; the thorough tier has it on an object store, too.
"""

import json
import pickle
import shutil
import socket
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from tests.kit.lake_rows import games, hands, publish_hands, rows_of, write
from tests.kit.waiting import holding
from tricklog.ingest.lake import commits, publish
from tricklog.ingest.lake.commits import Head, Ledger, Place, Row
from tricklog.ingest.lake.publish import Begun, FencedError, Lake
from tricklog.ingest.lake.storage import is_lake_uri, storage_of
from tricklog.ingest.lake.tables import File
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import DamagedError, NoSnapshotError, WarehouseError


@pytest.fixture(
    params=["folder", pytest.param("store", marks=pytest.mark.thorough("an object store"))]
)
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Lake:
    if request.param == "store":
        return Lake(storage_of(request.getfixturevalue("s3_prefix")))
    return Lake(storage_of(f"lake:{tmp_path / 'lake'}"))


ON_A_FOLDER = pytest.mark.parametrize("lake", ["folder"], indirect=True)


def commit(load: Begun, table: str, added: Sequence[File], *, whole: bool) -> None:
    """Commit to a single table, as a load does that is killed before it publishes."""
    load._commit(table, commits.newest(load._storage, table), added, (), whole=whole)


def test_loads_make_their_files_visible_together(lake: Lake) -> None:
    assert (lake.current(), lake.snapshots()) == (None, [])
    with pytest.raises(NoSnapshotError, match=f"tricklog load LOGS --db {lake.storage}"):
        lake.opened()
    assert not list(lake.storage.list())
    with lake.begin("first") as begun:
        assert begun.before is None
        files = [hands(lake.storage, 1, 2), hands(lake.storage, 3), games(lake.storage, "g")]
        first = begun.publish(files, {"accepted": 3})
    assert first == lake.current() == lake.opened()
    assert (first.number, first.load, first.counts) == (1, "first", {"accepted": 3})
    assert set(first.versions) == {"hands", "games"}
    assert rows_of(lake, "hands", "hand_no") == [1, 2, 3]
    assert rows_of(lake, "games", "game") == ["g"]
    assert lake.files(first, "rejects") == []
    # A reader keeps its snapshot.
    listed = lake.files(first, "hands")
    second = publish_hands(lake, 4)
    assert lake.files(first, "hands") == listed
    assert len(lake.files(second, "hands")) == 3
    assert lake.snapshots() == [first, second]
    # A load without news publishes nothing.
    with lake.begin("nothing new") as begun:
        assert begun.before == second
    assert lake.current() == second
    assert publish_hands(lake, 5).number == 4


def test_files_come_with_their_statistics(lake: Lake) -> None:
    snapshot = publish_hands(lake, 5, 3, 4)
    (file,) = lake.files(snapshot, "hands")
    assert (file.rows, file.size) == (3, lake.storage.size(f"hands/{file.path}"))
    assert file.low == {"hand_no": 3, "day": date(2026, 1, 4)}
    assert file.high == {"hand_no": 5, "day": date(2026, 1, 6)}
    assert lake.all_files(snapshot) == {"hands": [file]}
    # Those of late columns are kept.
    columns = pa.schema({f"column_{number}": pa.int64() for number in range(60)})
    file = write(lake.storage, "wide", columns.empty_table())
    bounds = {"column_59": 7}
    with lake.begin("wide") as begun:
        wide = replace(file, low=bounds, high=bounds)
        snapshot = begun.publish([wide], {})
    commits.table_at(lake.storage, "wide", snapshot.versions["wide"]).create_checkpoint()
    (found,) = lake.files(snapshot, "wide")
    assert found.low == bounds


def test_single_files_go_and_all_rows_of_a_table_are_replaced(lake: Lake) -> None:
    publish_hands(lake, 1)
    snapshot = publish_hands(lake, 2)
    first = next(file for file in lake.files(snapshot, "hands") if file.low["hand_no"] == 1)
    with lake.begin("three") as begun:
        begun.publish([hands(lake.storage, 3)], {}, gone=[first])
    assert rows_of(lake, "hands", "hand_no") == [2, 3]
    with lake.begin("one") as begun:
        begun.publish([hands(lake.storage, 1), games(lake.storage, "g")], {})
    with lake.begin("two") as begun:
        begun.publish([hands(lake.storage, 2)], {}, replaced=["hands", "games", "never"])
    assert rows_of(lake, "hands", "hand_no") == [2]
    assert rows_of(lake, "games", "game") == []
    assert "never" not in lake.opened().versions
    # A replaced table may have other columns.
    publish_hands(lake, 1)
    wider = pa.table({"hand_no": [4], "name": ["x"]})
    with lake.begin("two") as begun:
        snapshot = begun.publish([write(lake.storage, "hands", wider)], {}, replaced=["hands"])
    table = commits.table_at(lake.storage, "hands", snapshot.versions["hands"])
    assert commits.arrow_schema(table).names == ["hand_no", "name"]


def test_a_second_load_has_to_wait(lake: Lake) -> None:
    begun = lake.begin("first")
    with pytest.raises(BusyError, match=r"held by first, begun by .* --take-over"):
        lake.begin("second")
    begun.release()
    with lake.begin("second") as second:
        assert second.number == 2


@ON_A_FOLDER
def test_a_load_whose_process_has_died_keeps_nobody_away(lake: Lake) -> None:
    begin = (
        "import os, sys; from tricklog.ingest.lake.publish import Lake; "
        "from tricklog.ingest.lake.storage import storage_of; "
        "Lake(storage_of(sys.argv[1])).begin('dead'); print('held', flush=True); sys.stdin.read()"
    )
    with holding(begin, lake.storage), pytest.raises(BusyError, match="held by dead"):
        lake.begin("next")
    assert publish_hands(lake, 1).number == 2


def test_of_processes_elsewhere_nothing_is_known() -> None:
    mine = commits.this_process()
    assert not commits.has_died(mine)
    assert commits.has_died({**mine, "started": "1"})
    assert not commits.has_died({**mine, "started": "1", "boot": "another"})
    assert not commits.has_died({**mine, "started": "1", "space": "another"})
    assert not commits.has_died({})


def test_an_ended_lease_keeps_nobody_away(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish.Begun, "_renew_in_time", lambda _: None)
    dead = lake.begin("dead", lease=0)
    assert publish_hands(lake, 2).number == dead.number + 1


@ON_A_FOLDER
def test_who_takes_over_does_so_beside_work(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    zombie = lake.begin("zombie")
    follow = Ledger.follow
    renewals = 2

    def late(ledger: Ledger, head: Head, row: Row, *gone: Place | None) -> Head:
        nonlocal renewals
        if row.load == "taker" and renewals:
            renewals -= 1
            zombie.renew()
        return follow(ledger, head, row, *gone)

    monkeypatch.setattr(Ledger, "follow", late)
    with lake.begin("taker", take_over=True) as taker:
        assert taker.number == zombie.number + 1
    assert not renewals


@ON_A_FOLDER
def test_who_takes_over_spares_who_did_before(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.begin("zombie")
    follow = Ledger.follow
    first: list[publish.Begun] = []

    def late(ledger: Ledger, head: Head, row: Row, *gone: Place | None) -> Head:
        monkeypatch.setattr(Ledger, "follow", follow)
        first.append(lake.begin("first taker", take_over=True))
        return follow(ledger, head, row, *gone)

    monkeypatch.setattr(Ledger, "follow", late)
    with pytest.raises(BusyError, match="first taker"):
        lake.begin("second taker", take_over=True)
    first[0].publish([hands(lake.storage, 1)], {})
    assert rows_of(lake, "hands", "hand_no") == [1]


def test_a_fenced_load_publishes_nothing_and_what_it_commits_goes_again(lake: Lake) -> None:
    publish_hands(lake, 1)
    zombie = lake.begin("zombie")
    with pytest.raises(BusyError, match="held by zombie"):
        lake.begin("waiting")
    left = [hands(lake.storage, 7), games(lake.storage, "zombie's")]
    before = commits.table_at(lake.storage, "hands")
    with lake.begin("taker", take_over=True) as taker:
        # It believes to be the owner, and commits to single tables.
        commit(zombie, "hands", left[:1], whole=False)
        commit(zombie, "games", left[1:], whole=True)
        for done in (lambda: zombie.publish(left, {}), zombie.renew, zombie.release):
            with pytest.raises(FencedError, match="taken over"):
                done()
        with pytest.raises(FencedError):
            zombie._commit("hands", before, [hands(lake.storage, 8)], (), whole=False)
        taker.publish([hands(lake.storage, 2), games(lake.storage, "taker's")], {})
    assert rows_of(lake, "hands", "hand_no") == [1, 2]
    assert rows_of(lake, "games", "game") == ["taker's"]
    assert len(commits.paths_of(commits.table_at(lake.storage, "hands"))) == 2


def test_leftovers_go_with_the_next_commit_to_their_table(lake: Lake) -> None:
    publish_hands(lake, 1)
    dead = lake.begin("dead")
    commit(dead, "hands", [hands(lake.storage, 7)], whole=False)
    commit(dead, "games", [games(lake.storage, "g")], whole=True)
    assert rows_of(lake, "hands", "hand_no") == [1]
    dead.release()
    publish_hands(lake, 2)
    assert rows_of(lake, "hands", "hand_no") == [1, 2]
    assert len(commits.paths_of(commits.table_at(lake.storage, "hands"))) == 2
    assert set(lake.opened().versions) == {"hands"}
    with lake.begin("games") as begun:
        begun.publish([games(lake.storage, "h")], {})
    assert rows_of(lake, "games", "game") == ["h"]
    assert len(commits.paths_of(commits.table_at(lake.storage, "games"))) == 1


def test_what_a_dead_load_replaced_comes_back(lake: Lake) -> None:
    """Files that it took out, and columns that it changed."""
    publish_hands(lake, 1)
    publish_hands(lake, 2)
    dead = lake.begin("dead")
    wider = write(lake.storage, "hands", pa.table({"hand_no": [4], "name": ["x"]}))
    commit(dead, "hands", [wider], whole=True)
    dead.release()
    publish_hands(lake, 3)
    assert rows_of(lake, "hands", "hand_no") == [1, 2, 3]
    table = commits.table_at(lake.storage, "hands", lake.opened().versions["hands"])
    assert "name" not in commits.arrow_schema(table).names
    assert {file.low["hand_no"] for file in lake.files(lake.opened(), "hands")} == {1, 2, 3}


def test_tables_of_somebody_else_are_left_alone_and_those_of_dead_loads_used(lake: Lake) -> None:
    other = games(lake.storage, "theirs")
    table = commits.create(lake.storage, "other", pa.schema({"game": pa.string()}))
    theirs = replace(other, table="other")
    assert commits.commit(lake.storage, "other", table, [theirs])
    publish_hands(lake, 1)
    assert commits.table_at(lake.storage, "other").version() == 1
    # Even one that this version does not know by name.
    dead = lake.begin("dead")
    commit(dead, "new", [write(lake.storage, "new", pa.table({"a": [1]}))], whole=True)
    commit(dead, "new", [write(lake.storage, "new", pa.table({"a": [2]}))], whole=True)
    with lake.begin("next", take_over=True) as begun:
        begun.publish([write(lake.storage, "new", pa.table({"a": [3]}))], {})
    assert rows_of(lake, "new", "a") == [3]


@ON_A_FOLDER
def test_a_commit_whose_answer_was_lost_counts(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    transaction = DeltaTable.create_write_transaction

    def lost(*arguments: object, **options: object) -> None:
        transaction(*arguments, **options)  # type: ignore[arg-type]
        raise OSError("the answer was lost")

    monkeypatch.setattr(DeltaTable, "create_write_transaction", lost)
    publish_hands(lake, 1)
    publish_hands(lake, 2)
    assert rows_of(lake, "hands", "hand_no") == [1, 2]


@ON_A_FOLDER
def test_a_store_that_fails_is_told(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_hands(lake, 1)

    def broken(*_: object, **__: object) -> None:
        raise OSError("no route to the store")

    with monkeypatch.context() as patched:
        patched.setattr(DeltaTable, "create_write_transaction", broken)
        with pytest.raises(StorageError, match="no route to the store"):
            publish_hands(lake, 2)
    publish_hands(lake, 3)
    assert rows_of(lake, "hands", "hand_no") == [1, 3]


@ON_A_FOLDER
def test_a_file_that_is_gone_is_not_published_and_a_lost_table_is_damage(lake: Lake) -> None:
    file = hands(lake.storage, 1)
    Path(lake.storage.path(f"hands/{file.path}")).unlink()
    with lake.begin("late") as begun, pytest.raises(StorageError, match="is gone"):
        begun.publish([file], {})
    assert lake.current() is None
    snapshot = publish_hands(lake, 1)
    lake.storage.delete_folder("hands")
    with pytest.raises(DamagedError, match=r"The table hands of lake:.* is damaged"):
        lake.files(snapshot, "hands")


@ON_A_FOLDER
def test_the_lease_is_renewed(lake: Lake) -> None:
    begun = lake.begin("long", lease=0.3)
    until = begun._row.lease_until
    for _ in range(6_000):
        if begun._row.lease_until > until:
            break
        begun._ended.wait(0.02)
    assert begun._row.lease_until > until
    begun.publish([hands(lake.storage, 1)], {})
    begun._renewing.join(120)
    assert not begun._renewing.is_alive()
    assert rows_of(lake, "hands", "hand_no") == [1]


@ON_A_FOLDER
def test_a_load_that_was_taken_over_learns_of_it_by_itself(lake: Lake) -> None:
    # It is renewed so often that it notices, and not so often that nobody else gets a word in.
    begun = lake.begin("zombie", lease=2)
    with lake.begin("taker", take_over=True):
        begun._renewing.join(120)
        with pytest.raises(FencedError):
            begun.check()


@ON_A_FOLDER
def test_opening_stays_cheap_after_many_loads(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(commits._SETTINGS, "delta.checkpointInterval", "4")
    for number in range(7):
        publish_hands(lake, number)
    for table, least in (("snapshots", 10), ("hands", 5)):
        last = json.loads(lake.storage.read(f"{table}/_delta_log/_last_checkpoint"))
        assert last["version"] >= least
    assert rows_of(lake, "hands", "hand_no") == sorted(range(7), key=str)
    # One row for each load is left, and none that was begun.
    assert [snapshot.number for snapshot in lake.snapshots()] == list(range(1, 8))


def test_addresses_of_lakes_and_places_that_none_can_have() -> None:
    lakes = ["lake:club", "s3://club/tricklog", "gs://club", "gcs://club", "az://club", "abfs://c"]
    # Refused by name, as addresses of no store.
    for text in (*lakes, "http://club", "S3://club"):
        assert is_lake_uri(text), text
    for text in ("club", "s3", "nul\0"):
        assert not is_lake_uri(text), text
    refused = r"No store is known|cannot lie in|names no"
    for text in (
        "http://club", "S3://club/x", "lake:a%41b", "lake:a\\b", "lake:", "s3://", "s3:///",
        "s3://club/a%20b", "s3://club/a#b", "s3://club/a?b", "s3://club/a\\b",
    ):  # fmt: skip
        with pytest.raises(WarehouseError, match=refused):
            storage_of(text)


@ON_A_FOLDER
def test_a_lake_without_its_ledger_is_not_begun_again(lake: Lake) -> None:
    publish_hands(lake, 1)
    shutil.rmtree(Path(lake.storage.root, "snapshots"))
    assert is_lake_uri(lake.storage.root)
    for asked in (lake.opened, lake.want_free, lambda: lake.begin("load")):
        with pytest.raises(DamagedError, match="has tables, and no snapshots"):
            asked()


def test_a_lake_of_another_version_is_refused(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_hands(lake, 1)
    monkeypatch.setattr(publish, "tables_of_this_version", lambda: "other tables")
    for asked in (lake.opened, lambda: lake.begin("load")):
        with pytest.raises(WarehouseError, match=r"another version.*tricklog db rebuild --db"):
            asked()
    with lake.begin("rebuild", outdated=True) as begun:
        begun.publish([], {})
    assert lake.opened().number == 2


@ON_A_FOLDER
def test_a_folder_with_a_lake_in_it_is_taken_for_one(lake: Lake, tmp_path: Path) -> None:
    folder = Path(lake.storage.root)
    assert not is_lake_uri(folder)
    publish_hands(lake, 1)
    assert is_lake_uri(folder)
    assert storage_of(folder) == lake.storage
    assert not is_lake_uri(tmp_path)
    # Nor is a folder that holds a warehouse, in which no lake is begun.
    (tmp_path / "CURRENT").touch()
    assert not is_lake_uri(tmp_path)
    with pytest.raises(WarehouseError, match="a folder of its own"):
        Lake(storage_of(f"lake:{tmp_path}")).begin("load")


def test_a_storage_knows_its_address_and_keeps_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, uri, shown in (
        ("s3://club/tricklog/", "s3://club/tricklog", "s3://club/tricklog"),
        ("gcs://club", "gs://club", "gs://club"),
        ("abfs://club/x", "az://club/x", "az://club/x"),
        ("lake:/club", "/club", "lake:/club"),
        ("/club", "/club", "lake:/club"),
    ):
        storage = storage_of(text)
        assert (storage.uri, str(storage)) == (uri, shown)
        assert storage.file_uri("hands/a") == f"{uri}/hands/a"
    # It can be pickled.
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "sesame")
    storage = storage_of("s3://club/tricklog")
    assert storage.options["AWS_SECRET_ACCESS_KEY"] == "sesame"  # noqa: S105
    written = pickle.dumps(storage)
    assert pickle.loads(written) == storage  # noqa: S301
    assert b"sesame" not in written
    assert "sesame" not in repr(storage)
    monkeypatch.setattr("tricklog.ingest.lake.storage.util.find_spec", lambda _: None)
    with pytest.raises(WarehouseError, match=r"pip install 'tricklog\[lake\]'"):
        storage_of("s3://club/tricklog")


def test_files_of_a_storage(lake: Lake) -> None:
    storage = pickle.loads(pickle.dumps(lake.storage))  # noqa: S301
    names: Sequence[str] = ["a/b/c.txt", "a/d.txt"]
    for name in names:
        with storage.open_output(name) as stream:
            stream.write(name.encode())
    assert sorted(entry.name for entry in storage.list()) == names
    assert [entry.name for entry in storage.list("a/b")] == names[:1]
    assert all(each.modified > 0 and each.size == len(each.name) for each in storage.list("a"))
    assert list(storage.list("nowhere")) == []
    assert (storage.folders(), storage.folders("a")) == (["a"], ["b"])
    assert storage.read("a/d.txt") == b"a/d.txt"
    with storage.open_input("a/d.txt") as stream:
        stream.seek(2)
        assert stream.read() == b"d.txt"
    assert [storage.exists(name) for name in ("a", "a/d.txt", "b")] == [True, True, False]
    storage.delete(["a/d.txt", "a/nothing"])
    with pytest.raises(FileNotFoundError):
        storage.size("a/d.txt")
    storage.delete_folder("a")
    assert not list(storage.list())
    assert not storage.exists("a")


@pytest.mark.thorough("an object store")
def test_a_store_that_does_not_answer_or_has_no_such_bucket_is_told(
    s3_prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert s3_prefix
    with pytest.raises(StorageError, match="s3://nobody"):
        publish_hands(Lake(storage_of("s3://nobody/tricklog")), 1)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")
        with pytest.raises(StorageError, match="s3://club/none cannot be reached"):
            Lake(storage_of("s3://club/none")).current()
