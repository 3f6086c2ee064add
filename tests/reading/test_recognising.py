"""Whose log a file is, seen from its first records."""

import copy
import os
from pathlib import Path

import msgspec
import pytest

from tests.kit.foreign_records import RECORDS
from tricklog import core
from tricklog.ingest.adapters import ADAPTERS
from tricklog.ingest.adapters.recognising import (
    FIRST,
    Recognised,
    recognise,
    recognise_logs,
    recognise_rejects,
    taken_together,
)
from tricklog.ingest.reading.reader import read
from tricklog.schemas.hand import encode_hand


def write(path: Path, *records: object) -> Path:
    lines = [each if isinstance(each, bytes) else msgspec.json.encode(each) for each in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def seen(path: Path) -> Recognised:
    return recognise(read(path))


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_the_logs_of_each_program_are_known_for_sure(name: str, tmp_path: Path) -> None:
    found = seen(write(tmp_path / "log.jsonl", b"", RECORDS[name], RECORDS[name]))
    assert found.adapter is ADAPTERS[name]
    assert (found.records, found.own, found.shaped, found.converted) == (2, 0, 2, 2)
    assert found.is_sure
    assert "can read all of the first 2 records" in found.sentence


def test_real_logs_are_known_for_sure(shared_dir: Path) -> None:
    found = recognise_logs(shared_dir / "real")
    assert len(found) == len(ADAPTERS)
    for name, each in found.items():
        assert each.adapter is not None
        assert Path(name).name.startswith(each.adapter.name)
        assert each.is_sure
        assert each.records == FIRST


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_a_damaged_log_is_known_by_its_fields(name: str, tmp_path: Path) -> None:
    damaged = copy.deepcopy(RECORDS[name])
    key = next(each for each in ("events", "rounds", "hands", "tricks") if each in damaged)
    damaged[key] = "nothing of the kind"
    found = seen(write(tmp_path / "log.jsonl", damaged))
    assert found.adapter is ADAPTERS[name]
    assert (found.shaped, found.converted) == (1, 0)
    assert not found.is_sure
    assert "may be damaged" in found.sentence
    found = seen(write(tmp_path / "log.jsonl", damaged, RECORDS[name]))
    assert found.adapter is ADAPTERS[name]
    assert not found.is_sure
    assert "1 of the first 2 records, so this is likely" in found.sentence


def test_hand_logs_are_own_even_where_a_hand_is_wrong(tmp_path: Path) -> None:
    hand = encode_hand(next(iter(core.generate("pedro", 1, seed=1))))
    found = seen(write(tmp_path / "log.jsonl", hand, b'{"format": "tricklog/1"}'))
    assert found.is_own
    assert found.adapter is None
    mixed = seen(write(tmp_path / "log.jsonl", hand, RECORDS["sixty-three"]))
    assert mixed.is_mixed
    assert not mixed.is_own
    assert mixed.is_sure
    assert "1 of the first records are Tricklog" in mixed.sentence


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"Ann bids 9", "no JSON objects"),
        (b"[]", "no JSON objects"),
        (b"\xff\xfe{}", "no JSON objects"),
        (b"{" * 2000, "no JSON objects"),
        (b'{"moves": 1, "b": 2}', "the fields moves, b, which no adapter knows"),
        (b'{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}', "f, …, which"),
        (b'{"\\u202eabc": 1}', "the fields abc,"),
        (b"", "no records"),
    ],
)
def test_what_nobody_knows_is_said_to_be_so(line: bytes, said: str, tmp_path: Path) -> None:
    found = seen(write(tmp_path / "log.jsonl", line))
    assert found.adapter is None
    assert not found.is_own
    assert said in found.sentence


@pytest.mark.posix
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path / "log.jsonl", RECORDS["rlcard-29"])
    found = recognise_logs(tmp_path / "pipe", "-", tmp_path / "none", tmp_path / "log.jsonl")
    assert list(found) == [str(tmp_path / "log.jsonl")]


def test_logs_are_taken_together_only_when_all_are_alike(tmp_path: Path) -> None:
    one = seen(write(tmp_path / "a", RECORDS["rlcard-29"]))
    two = seen(write(tmp_path / "b", RECORDS["rlcard-29"], RECORDS["rlcard-29"]))
    other = seen(write(tmp_path / "c", RECORDS["sixty-three"]))
    empty = seen(write(tmp_path / "d"))
    together = taken_together([one, empty, two])
    assert together is not None
    assert (together.records, together.converted, together.adapter) == (3, 3, one.adapter)
    assert taken_together([one, other]) is None
    assert taken_together([empty]) is None


def test_lines_that_could_not_be_read_are_recognised(tmp_path: Path) -> None:
    path = write(tmp_path / "log.jsonl", b"oops", RECORDS["knybbe-pidro"])
    rejects = [line.reject for line in read(path) if line.reject]
    found = recognise_rejects(rejects)
    assert found.adapter is ADAPTERS["knybbe-pidro"]
    # What is no JSON is no record of any program.
    assert (found.records, found.converted) == (1, 1)
