"""Hands studied by compiled code: what plain Python says of them, in every game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.kit.log_lines import with_revoke
from tests.kit.solved import hands_of, warehouse
from tests.kit.tiers import scaled
from tricklog.core import replay, ruleset_of, variants
from tricklog.core.compiled.batch import lines_of
from tricklog.core.compiled.solving import StudyPlace
from tricklog.core.compiled.study_lines import Studied
from tricklog.core.study import Solver
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.study import lanes
from tricklog.ingest.study import rows as study_rows
from tricklog.ingest.study.lanes import Lane
from tricklog.schemas.hand import Hand, encode_hand

_KEY = bytes(16)


@pytest.fixture(scope="module")
def place() -> StudyPlace:
    return StudyPlace()


def studied(place: StudyPlace, hands: list[Hand], text: bytes | None = None) -> Studied:
    rules = ruleset_of(hands[0]).rules(len(hands[0].players))
    log = lines_of(text or b"".join(encode_hand(hand) + b"\n" for hand in hands))
    stop, done = np.zeros(1, np.int64), np.zeros(1, np.int64)
    found = place.study(log, rules, study_rows.NODES, stop, done)
    assert done[0] == len(hands)
    return found


@pytest.mark.parametrize("variant", variants())
def test_both_say_the_same(place: StudyPlace, variant: str) -> None:
    hands = hands_of(variant, scaled(2, most=12), seed=31)
    found = studied(place, hands)
    assert lanes.careful(found) == []
    solver = Solver(replay(hands[0]).rules)
    rows = [study_rows.row_of(replay(hand), solver) for hand in hands]
    wanted = study_rows.table_of(
        [{**row, "content_hash": _KEY, "ruleset": "r"} for row in rows], study_rows.SCHEMA
    )
    assert lanes.table_of(found, [_KEY] * len(hands), "r").equals(wanted)


def test_what_is_not_as_expected_is_left_to_careful_reading(place: StudyPlace) -> None:
    first, second, third = hands_of("pidro", 3)
    faulty, _ = with_revoke([second])
    text = b"\n".join([encode_hand(first), encode_hand(faulty), b"{}", encode_hand(third)]) + b"\n"
    found = studied(place, [first, faulty, first, third], text)
    assert lanes.careful(found) == [1, 2]
    assert len(lanes.table_of(found, [_KEY] * 4, "r")) == 2


def test_it_stops_when_it_is_told_to(place: StudyPlace) -> None:
    hands = hands_of("pidro", 3)
    log = lines_of(b"".join(encode_hand(hand) + b"\n" for hand in hands))
    stop, done = np.ones(1, np.int64), np.zeros(1, np.int64)
    found = place.study(log, ruleset_of(hands[0]).rules(4), study_rows.NODES, stop, done)
    assert len(found.status) == done[0] == 0


def test_both_lanes_of_a_run_give_the_same_rows(place: StudyPlace, tmp_path: Path) -> None:
    del place
    db = warehouse(tmp_path, [*hands_of("pidro", 5), *hands_of("ukrainian", 5)])
    tables = []
    with open_snapshot(db) as connection:
        found = connection.execute("SELECT hand_no FROM hands").fetchnumpy()["hand_no"]
        for compiled in (True, False):
            table, outcome = Lane(
                connection.cursor(), np.zeros(1, np.int64), compiled=compiled
            ).solve(found)
            assert outcome.solved + outcome.refused == 10
            tables.append(table)
    assert tables[0].equals(tables[1])
