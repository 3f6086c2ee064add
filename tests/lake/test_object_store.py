"""The same protocol on an object store, and trouble that only a store far away has."""

import pickle
import socket

import pytest

from tests.kit.lake_rows import games, hands, publish_hands, rows_of
from tests.kit.object_store import ObjectStore
from tricklog.ingest.lake import commits
from tricklog.ingest.lake.publish import FencedError, Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.store.publishing import BusyError, StorageError

pytestmark = pytest.mark.thorough("an object store")


@pytest.fixture
def lake(s3_prefix: str) -> Lake:
    return Lake(storage_of(s3_prefix))


def test_loads_follow_each_other(lake: Lake) -> None:
    assert lake.current() is None
    first = publish_hands(lake, 1, 2)
    with lake.begin("second") as begun:
        assert begun.before == first
        files = [hands(lake.storage, 3), games(lake.storage, "g")]
        second = begun.publish(files, {"accepted": 1})
    assert lake.snapshots() == [first, second]
    assert rows_of(lake, "hands", "hand_no") == [1, 2, 3]
    assert rows_of(lake, "games", "game") == ["g"]
    assert {file.low["hand_no"] for file in lake.files(second, "hands")} == {1, 3}


def test_one_load_at_a_time(lake: Lake) -> None:
    publish_hands(lake, 1)
    zombie = lake.begin("zombie")
    with pytest.raises(BusyError, match="held by zombie"):
        lake.begin("waiting")
    before = commits.table_at(lake.storage, "hands")
    zombie._commit("hands", before, [hands(lake.storage, 7)], (), whole=False)
    zombie._commit("games", None, [games(lake.storage, "g")], (), whole=True)
    with lake.begin("taker", take_over=True) as taker:
        with pytest.raises(FencedError):
            zombie._commit("hands", before, [hands(lake.storage, 8)], (), whole=False)
        with pytest.raises(FencedError):
            zombie.publish([hands(lake.storage, 9)], {})
        taker.publish([hands(lake.storage, 2)], {})
    assert len(commits.paths_of(commits.table_at(lake.storage, "hands"))) == 2
    assert rows_of(lake, "hands", "hand_no") == [1, 2]


def test_files_of_a_store(lake: Lake) -> None:
    storage = pickle.loads(pickle.dumps(lake.storage))  # noqa: S301
    for name in ("a/b/c", "a/d"):
        with storage.open_output(name) as stream:
            stream.write(b"text")
    assert sorted(entry.name for entry in storage.list()) == ["a/b/c", "a/d"]
    assert all(entry.modified > 0 and entry.size == 4 for entry in storage.list("a"))
    assert storage.folders() == ["a"]
    assert storage.folders("a") == ["b"]
    assert list(storage.list("nowhere")) == []
    with storage.open_input("a/d") as stream:
        stream.seek(2)
        assert stream.read() == b"xt"
    storage.delete_folder("a")
    storage.delete(["a/d"])
    assert not list(storage.list())
    with pytest.raises(FileNotFoundError):
        storage.size("a/d")


def test_a_store_that_does_not_answer_is_told(
    object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in object_store.environment.items():
        monkeypatch.setenv(name, value)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")
        with pytest.raises(StorageError, match="s3://club/none cannot be reached"):
            Lake(storage_of("s3://club/none")).current()


def test_a_bucket_that_is_not_there_is_told(s3_prefix: str) -> None:
    assert s3_prefix
    with pytest.raises(StorageError, match="s3://nobody"):
        publish_hands(Lake(storage_of("s3://nobody/tricklog")), 1)
