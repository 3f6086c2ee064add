"""The same hands again in any form add nothing; one id with other content is kept twice."""

import gzip
import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import zstandard

from tests.kit.log_lines import SOUND_LINE, generated, line, write_lines
from tests.kit.made_once import made_once
from tests.kit.stored import content
from tricklog import RejectCode, encode_hand, ingest
from tricklog.ingest.store import quarantine
from tricklog.ingest.store.warehouse import current_snapshot, hand, open_snapshot


@cache
def stored() -> list[bytes]:
    hands = (*generated("pedro", 1), *generated("pidro", 1))
    return [*map(encode_hand, hands), SOUND_LINE, b"oops"]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        ingest.load(write_lines(folder / "log.jsonl", stored()), db=folder / "db")

    return made_once(tmp_path_factory, "again", make) / "db"


def text_of(lines: list[bytes]) -> bytes:
    return b"".join(each + b"\n" for each in lines)


def spaced(lines: list[bytes]) -> bytes:
    return b"\r\n".join(
        json.dumps(json.loads(each), separators=(" , ", " :\t")).encode()
        if each.startswith(b"{")
        else each
        for each in lines
    )


FORMS: dict[str, Callable[[list[bytes]], bytes]] = {
    "renamed.ndjson": text_of,
    "packed.jsonl.gz": lambda lines: gzip.compress(text_of(lines)),
    "in-two-frames.gz": lambda lines: (
        gzip.compress(text_of(lines[:4])) + gzip.compress(text_of(lines[4:]))
    ),
    "packed.jsonl.zst": lambda lines: zstandard.compress(text_of(lines)),
    "backwards.jsonl": lambda lines: text_of(lines[::-1]),
    "shuffled.jsonl": lambda lines: text_of(random.Random(3).sample(lines, len(lines))),
    "twice.jsonl": lambda lines: text_of([*lines[:9], *lines[2:], b"", *lines[-5:]]),
    "a part.jsonl": lambda lines: text_of(lines[3:11]),
    "spaced.jsonl": spaced,
}


def test_the_same_hands_in_other_forms_add_nothing(tmp_path: Path, db: Path) -> None:
    before, snapshot = content(db), current_snapshot(db)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name, form in FORMS.items():
        (folder / name).write_bytes(form(stored()))
    report = ingest.load(*folder.iterdir(), db=db)
    assert (report.accepted, report.published) == (0, False)
    assert report.lines == report.duplicate + report.quarantined + report.blank
    assert report.lines > 6 * len(stored())
    assert (content(db), current_snapshot(db)) == (before, snapshot)


def test_overlapping_logs_give_what_one_log_gives(tmp_path: Path, db: Path) -> None:
    for number, (start, end) in enumerate([(5, 12), (0, 7), (3, 99)]):
        log = write_lines(tmp_path / f"{number}.jsonl", stored()[start:end])
        ingest.load(log, db=tmp_path / "parts")
    assert content(tmp_path / "parts") == content(db)


@pytest.mark.parametrize("at_once", [True, False])
def test_one_id_with_other_content_is_kept_twice(tmp_path: Path, *, at_once: bool) -> None:
    first = write_lines(tmp_path / "first.jsonl", [SOUND_LINE])
    second = write_lines(tmp_path / "second.jsonl", [b"", line(dealer=0)])
    for paths in [(first, second)] if at_once else [(first,), (second,)]:
        ingest.load(*paths, db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        assert hand(connection, "club-1").dealer == 3
        (reject,) = quarantine.lines(connection)
        assert list(quarantine.lines(connection, code="not-json")) == []
    assert reject.code == RejectCode.ID_CONFLICT
    assert reject.text == line(dealer=0)
    assert (reject.file, reject.line) == (str(second), 2)
    assert f"{first}:1" in reject.message
