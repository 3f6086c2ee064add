"""Files of every wrong kind: each line has one fate, the counts balance, good lines are read."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.fuzz.targets import check_read_line
from tests.kit.bad_files import ARCHIVES, BLANK, HAND, PACKINGS, PLAIN, BadFile
from tests.kit.each import check_each
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.ingest.loading.auditing import Audit, AuditedLine


def fate(item: AuditedLine) -> str:
    """What became of a line, in one word."""
    if item.line.reject:
        return item.line.reject.code.value
    if item.duplicate_of:
        return "duplicate"
    return HAND if item.line.hand else BLANK


def fates(audit: Audit) -> tuple[str, ...]:
    """The fates of all lines in order; checks that the counts balance and that each has a place."""
    items: Iterable[AuditedLine] = sorted(audit, key=lambda item: item.line.line)
    for number, item in enumerate(items, 1):
        assert item.line.line == number
        check_read_line(item.line)
    assert audit.counts.balanced
    return tuple(map(fate, items))


@pytest.mark.parametrize("packing", PACKINGS)
def test_every_line_of_a_strange_file_has_its_fate(packing: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    def check(bad: BadFile) -> None:
        path.write_bytes(PACKINGS[packing](bad.content))
        assert fates(ingest.audit(path)) == bad.fates

    check_each(PLAIN, check, lambda bad: bad.name)


def test_every_line_of_a_strange_archive_has_its_fate(tmp_path: Path) -> None:
    def check(bad: BadFile) -> None:
        path = tmp_path / bad.file
        path.write_bytes(bad.content)
        assert fates(ingest.audit(path)) == bad.fates

    check_each(some(ARCHIVES, 20), check, lambda bad: bad.name)
