"""Logs in an object store are read as those of a folder are, and trouble is told in sentences."""

import gzip
import os
import socket
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import zstandard
from pyarrow import fs

from tests.kit.engine_tasks import read_pieces_of
from tests.kit.log_lines import generated, reject_of
from tests.kit.object_store import ObjectStore
from tests.reading.test_ranges import joined
from tricklog import encode_hand, read
from tricklog.ingest.lake.engines import Processes
from tricklog.ingest.reading import object_stores
from tricklog.ingest.reading.object_stores import Place, StoredObject, find_objects
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.rejects import HINTS, RejectCode
from tricklog.ingest.reading.sources import SourceError, find_sources, read_pieces, split

BUCKET = "records"


@cache
def lines_of_games() -> list[bytes]:
    return [encode_hand(hand) for hand in generated("pedro", 8)]


def logs() -> dict[str, bytes]:
    lines = lines_of_games()
    return {
        "logs/b.jsonl": b"\n".join(lines[:20]) + b"\n",
        "logs/a/z.jsonl": b"\n".join(lines[20:40]),
        "logs/a.jsonl.gz": gzip.compress(b"\n".join(lines[40:50])),
        "logs/a-1.ndjson.zst": zstandard.compress(b"\n".join(lines[50:60])),
        "logs/.hidden/c.jsonl": b"oops",
        "logs/.c.jsonl": b"oops",
        "logs/notes.txt": b"oops",
        "other/é x.jsonl": b"oops\n" + lines[0],
        "empty/readme.txt": b"",
        "empty.jsonl": b"",
    }


@pytest.fixture(scope="module")
def store(object_store: ObjectStore) -> Iterator[ObjectStore]:
    """A store with a bucket of its own that holds ``logs()``, as the environment names it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in object_store.environment.items():
            patch.setenv(name, value)
        for name, content in logs().items():
            put(object_store, name, content)
        yield object_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the same logs as the store."""
    for name, content in logs().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def put(store: ObjectStore, name: str, content: bytes, bucket: str = BUCKET) -> None:
    system = system_of(store)
    system.create_dir(bucket)
    with system.open_output_stream(f"{bucket}/{name}", compression=None) as stream:
        stream.write(content)


def system_of(store: ObjectStore) -> fs.S3FileSystem:
    host = store.endpoint.removeprefix("http://")
    return fs.S3FileSystem(
        endpoint_override=host, scheme="http", region="us-east-1", allow_bucket_creation=True
    )


def told(*addresses: str) -> list[tuple[str, str, str, str]]:
    """What is wrong at these addresses, which hold nothing else."""
    rejects = map(reject_of, read(*addresses))
    return [(each.file, each.code, each.message, each.hint) for each in rejects]


# --- What is found
@pytest.mark.parametrize("prefix", ["logs", "", "other", "empty.jsonl"])
@pytest.mark.usefixtures("store")
def test_the_logs_below_a_prefix_are_those_of_a_folder(prefix: str, folder: Path) -> None:
    here = [str(source.path) for source in find_sources([folder / prefix])]
    expected = [name.replace(str(folder), "s3://records") for name in here]
    found = list(find_sources([f"s3://records/{prefix}"]))
    assert [source.name for source in found] == expected
    assert [source.name for source in find_sources([f"s3://records/{prefix}/"])] == expected
    sizes = [Path(name).stat().st_size for name in here]
    assert [source.size for source in found] == sizes
    assert ByteCounter([f"s3://records/{prefix}"]).total == sum(sizes)
    assert not any(source.is_pipe or source.may_be_endless or source.path for source in found)


@pytest.mark.usefixtures("store")
def test_lines_are_those_of_a_folder(folder: Path) -> None:
    here = read(folder / "logs", folder / "other")
    there = list(read("s3://records/logs/", "s3://records/other"))
    told, expected = ([(each.hand, each.line, each.byte) for each in one] for one in (there, here))
    assert told == expected
    assert [line.reject.file for line in there if line.reject] == ["s3://records/other/é x.jsonl"]


def test_an_object_tells_when_it_changes_and_is_told_when_it_goes(store: ObjectStore) -> None:
    put(store, "changing.jsonl", b"x")
    (before,) = find_sources(["s3://records/changing.jsonl"])
    put(store, "changing.jsonl", b"xy")
    (after,) = find_sources(["s3://records/changing.jsonl"])
    assert isinstance(before.opener, StoredObject)
    assert isinstance(after.opener, StoredObject)
    assert (before.size, after.size) == (1, 2)
    assert before.opener.changed
    system_of(store).delete_file(f"{BUCKET}/changing.jsonl")
    (line,) = read(after)
    assert reject_of(line).message == "s3://records/changing.jsonl is not there any more."


# --- Ranges and blocks
@pytest.mark.parametrize("first", [16, 1 << 18])
@pytest.mark.parametrize("largest", [64, 1 << 23])
@pytest.mark.parametrize("pieces", [1, 20])
def test_ranges_have_the_lines_of_the_whole(
    first: int, largest: int, pieces: int, store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_stores, "FIRST_BLOCK", first)
    monkeypatch.setattr(object_stores, "LARGEST_BLOCK", largest)
    lines = lines_of_games()[:12]
    content = b"\n".join(line[: 30 + 7 * number] for number, line in enumerate(lines))
    put(store, "ranged.jsonl", content)
    (whole,) = find_sources(["s3://records/ranged.jsonl"])
    parts = split(whole, -(-len(content) // pieces))
    assert len(parts) == pieces
    found = joined(parts)
    assert b"\n".join(line.text for line in found) == content
    assert [line.line for line in found] == list(range(1, 13))


def test_large_objects_take_few_asks(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    content = os.urandom(1 << 20) * 21
    put(store, "large.jsonl", content)
    (source,) = find_sources(["s3://records/large.jsonl"])
    asked: list[int] = []
    ask = object_stores._Blocks._ask

    def noted(self: object_stores._Blocks) -> bytes:
        block = ask(self)
        asked.append(len(block))
        return block

    monkeypatch.setattr(object_stores._Blocks, "_ask", noted)
    assert b"".join(piece for _, piece in read_pieces(source)) == content
    assert asked == [1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, (5 << 20) + (1 << 18), 0]
    asked.clear()
    split(source, 1 << 20)
    assert sum(asked) <= 1 << 20
    with source.opener.open(len(content) - 3) as stream:
        assert stream.read(9) == content[-3:]
        assert stream.read(9) == b""
    with source.opener.open(len(content) + 3) as stream:
        assert stream.read(9) == b""


@pytest.mark.usefixtures("store")
def test_a_source_that_was_found_here_can_be_opened_elsewhere() -> None:
    source = list(find_sources(["s3://records/logs"]))[-1]
    with Processes(1) as engine:
        ((first, *_),) = engine.map(read_pieces_of, [source])
    assert first.startswith(lines_of_games()[0])


# --- Trouble
@pytest.mark.usefixtures("store")
def test_what_is_not_there_is_told() -> None:
    unreadable = RejectCode.UNREADABLE_FILE
    assert told("s3://records/nothing", "s3://nobody/logs/", "s3://records/empty", "s3:///x") == [
        (
            "s3://records/nothing", unreadable, "s3://records/nothing does not exist.",
            "Check the address: stores tell small letters from capitals.",
        ),
        (
            "s3://nobody/logs/", unreadable,
            "s3://nobody/logs cannot be read: there is no bucket nobody.",
            "Check the address, and whose store AWS_ENDPOINT_URL names.",
        ),
        (
            "s3://records/empty", RejectCode.NO_LOGS, "s3://records/empty holds no log file.",
            HINTS[RejectCode.NO_LOGS],
        ),
        (
            "s3:///x", unreadable, "s3:///x names no bucket.",
            "Write s3://BUCKET or s3://BUCKET/PREFIX.",
        ),
    ]  # fmt: skip


def test_a_store_that_cannot_be_reached_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "test")
        monkeypatch.setattr(object_stores, "TRIES", 1)
        (found,) = told("s3://records/logs")
    assert found[2:] == (
        "s3://records/logs cannot be reached.",
        "Check the network, and AWS_ENDPOINT_URL where the store is not that of Amazon.",
    )


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError("AWS Error ACCESS_DENIED during HeadObject operation: No response body."),
         "s3://records/x may not be read: access is denied. Set AWS_ACCESS_KEY_ID"),
        (OSError("AWS Error UNKNOWN (HTTP status 403) during ListObjectsV2 operation"),
         "s3://records/x may not be read: access is denied."),
        (OSError("AWS Error NO_SUCH_BUCKET during ListObjectsV2: The bucket does not exist"),
         "s3://records/x cannot be read: there is no bucket records."),
        (OSError("AWS Error NETWORK_CONNECTION during HeadObject operation: curlCode: 6, "
                 "Couldn't resolve host name"), "s3://records/x cannot be reached."),
        (OSError("AWS Error SLOW_DOWN during GetObject:\n Reduce your rate."),
         "s3://records/x cannot be read: AWS Error SLOW_DOWN during GetObject: Reduce your rate."),
        (ImportError("The pyarrow installation is not built with support for S3FileSystem"),
         "s3://records/x cannot be read: the installed pyarrow knows no s3://. Install pyarrow"),
    ],
)  # fmt: skip
def test_what_a_store_says_becomes_a_sentence(error: Exception, says: str) -> None:
    trouble = object_stores._in_words(Place("s3://records/x", "s3", "records/x"), error)
    assert isinstance(trouble, SourceError)
    assert trouble.code == RejectCode.UNREADABLE_FILE
    assert f"{trouble.message} {trouble.hint}".startswith(says)


def test_addresses_of_other_stores_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    place = object_stores._place("abfss://logs@club.dfs.core.windows.net/2026/a.jsonl")
    assert (place.store, place.path, place.account) == ("az", "logs/2026/a.jsonl", "club")
    assert isinstance(object_stores._file_system(place), fs.AzureFileSystem)
    assert object_stores._place("gcs://club/2026/").path == "club/2026"
    assert isinstance(object_stores._file_system(object_stores._place("gs://b")), fs.GcsFileSystem)
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    (source,) = find_objects("az://logs/2026")
    with pytest.raises(SourceError, match="in which account") as raised, source.opener.open():
        pass
    assert raised.value.hint == "Set AZURE_STORAGE_ACCOUNT_NAME."


def test_paths_like_an_address_stay_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:").mkdir()
    (tmp_path / "s3:" / "a.jsonl").write_bytes(b"")
    assert [source.name for source in find_sources(["s3:"])] == ["s3:/a.jsonl"]
    assert [source.path for source in find_sources(["ftp://x"])] == [Path("ftp:/x")]
