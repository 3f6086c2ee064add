"""Commands read logs in an object store as they read those of a folder."""

import gzip
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import generated
from tests.kit.object_store import ObjectStore
from tests.reading.test_object_stores import put
from tricklog import ingest
from tricklog.ingest.store.warehouse import checksum, open_snapshot
from tricklog.schemas.hand import encode_hand

BUCKET = "commands"


def logs_by_name() -> dict[str, bytes]:
    lines = [encode_hand(hand) for hand in generated("pedro", 4)][:30]
    return {
        "logs/a.jsonl": b"\n".join(lines[:20]),
        "logs/b.jsonl.gz": gzip.compress(b"\n".join(lines[20:]), mtime=0),
        "logs/é x.jsonl": b"oops\n" + lines[0],
    }


@pytest.fixture(autouse=True)
def _store(object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in object_store.environment.items():
        monkeypatch.setenv(name, value)
    for name, content in logs_by_name().items():
        put(object_store, name, content, BUCKET)


def test_a_load_is_that_of_a_folder(tricklog: CommandLine, tmp_path: Path) -> None:
    logs = f"s3://{BUCKET}/logs/"
    ran = tricklog("load", logs, "--db", "stored")
    assert ran.status == 3
    assert "32 lines = 30 accepted + 1 duplicate + 1 quarantined" in ran.text
    assert f"{logs}é x.jsonl:1" in ran.stderr
    (tmp_path / "logs").mkdir()
    for name, content in logs_by_name().items():
        (tmp_path / name).write_bytes(content)
    assert ingest.load(tmp_path / "logs", db=tmp_path / "db").accepted == 30
    sums = []
    for db in ("stored", "db"):
        with open_snapshot(tmp_path / db) as connection:
            sums.append(checksum(connection))
    assert sums[0] == sums[1]
    assert "30 lines" in tricklog("load", f"{logs}a.jsonl", f"{logs}b.jsonl.gz").text


def test_other_commands_read_addresses_too(tricklog: CommandLine) -> None:
    logs = f"s3://{BUCKET}/logs"
    ran = tricklog("audit", f"{logs}/b.jsonl.gz", "--json")
    assert (ran.status, len(ran.objects)) == (0, 10)
    ran = tricklog("replay", f"{logs}/a.jsonl", "--json")
    assert ran.status == 0
    assert ran.objects
    ran = tricklog("convert", f"{logs}/nothing", "--from", "rlcard-29")
    assert ran.status == 3
    assert f"{logs}/nothing does not exist. Check the address" in " ".join(ran.stderr.split())
