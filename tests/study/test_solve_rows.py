"""What solving stores: just what a study of each hand says, of every valid hand, once.

Compiled code says what plain Python says of hands, in every game.
"""

import shutil
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.kit.log_lines import with_revoke, write_hands
from tests.kit.solved import few, hands_of, known, warehouse
from tests.kit.tiers import scaled
from tricklog import Filters, Hand, card_name, encode_hand, ingest, replay, ruleset_of, variants
from tricklog.core.compiled.batch import lines_of
from tricklog.core.compiled.solving import StudyPlace
from tricklog.core.compiled.study_lines import Studied
from tricklog.core.study import Solver, open_hand
from tricklog.ingest.facts import kept, solved
from tricklog.ingest.metrics import METRIC, measure, practice
from tricklog.ingest.metrics.looked_at import looked_at
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.study import lanes
from tricklog.ingest.study import rows as study_rows
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.lanes import Lane
from tricklog.ingest.study.solving import solve
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import open_facts, warehouse_at


def test_rows_are_what_a_study_of_each_hand_says(solved_db: Path) -> None:
    hands, decisions = known(solved_db)
    by_id = {hand.id: hand for hand in few()}
    assert {row["hand_id"] for row in hands} == by_id.keys()
    played = 0
    for row in hands:
        if row["status"] == "refused":
            assert row["reason"] == "the record shows no play"
            continue
        found = open_hand(replay(by_id[row["hand_id"]]))
        played += 1
        assert (row["par_low"], row["par_high"]) == (found.par.low, found.par.high)
        assert (row["outcome"], row["need_open"]) == (found.outcome.low, found.need)
        assert (row["made_open"], row["unit"]) == (found.could_be_made, found.unit)
        assert (row["score_par"], row["score_outcome"]) == (found.score_par, found.score_outcome)
        assert row["decisions"] == len(found.decisions)
        assert row["outcome"] == row["par_low"] - row["losses_makers"] + row["losses_others"]
        own = [each for each in decisions if each["hand_id"] == row["hand_id"]]
        assert [
            (each["action"], each["seat"], each["trick"], each["turn"], each["loss"])
            for each in own
        ] == [
            (each.action, each.seat, each.trick, each.turn, each.loss) for each in found.decisions
        ]
        assert [(each["card"], each["choices"], each["loss_kind"]) for each in own] == [
            (" ".join(map(card_name, each.cards)), each.choices, each.loss_kind)
            for each in found.decisions
        ]
    assert played > 10


def test_without_a_run_there_are_empty_tables(db: Path) -> None:
    assert known(db) == ([], [])
    with open_facts(db) as facts:
        counts = solved.counts(facts)
    assert counts.left == counts.hands > 0
    # A run gives the state another name.
    stored = warehouse_at(db)
    before = stored.current()
    open_before = stored.facts(before)
    solve(db)
    after = stored.current()
    assert before
    assert after
    assert after != before
    assert stored.is_there(after)
    with open_before, stored.facts(after) as facts:
        assert solved.counts(facts).left == 0


def test_a_second_run_solves_what_is_new(solved_db: Path, tmp_path: Path) -> None:
    again = solve(solved_db)
    assert (again.known, again.outcome.hands, again.left) == (len(few()), 0, 0)
    more = hands_of("ukrainian", 5)
    ingest.load(write_hands(tmp_path / "more.jsonl", more), db=solved_db)
    report = solve(solved_db)
    assert (report.known, report.outcome.hands) == (len(few()), len(more))
    assert len(known(solved_db)[0]) == len(few()) + len(more)


def test_hands_not_there_do_not_count(solved_db: Path, tmp_path: Path) -> None:
    (tmp_path / "less").mkdir()
    less = warehouse(tmp_path / "less", few()[:10])
    shutil.copytree(solved_db / kept.FOLDER, less / kept.FOLDER)
    hands, decisions = known(less)
    assert {row["hand_id"] for row in hands} == {hand.id for hand in few()[:10]}
    assert {row["hand_id"] for row in decisions} <= {hand.id for hand in few()[:10]}


def test_filters_choose_what_is_solved_of_the_valid_hands(db: Path, tmp_path: Path) -> None:
    more = hands_of("pedro", 3)
    faulty, _ = with_revoke(more[:1])
    more.append(msgspec.structs.replace(faulty, id="faulty", hand=msgspec.UNSET))
    ingest.load(write_hands(tmp_path / "more.jsonl", more), db=db)
    report = solve(db, filters=Filters.of({"variant": "pedro"}))
    assert (report.hands, report.outcome.hands, report.left) == (3, 3, 0)
    with open_facts(db) as facts:
        assert {*study_list(facts, "solved_hands")["hand_id"]} == {hand.id for hand in more[:3]}
        assert study_list(facts, "decision_rows", Filters.of({"variant": "pidro"})).is_empty()


def test_rules_that_the_solver_does_not_take_on_are_refused_with_a_sentence(db: Path) -> None:
    lane_refuses = "points below nothing make a card that nobody wants"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tricklog.ingest.study.rows.refusal", lambda _: lane_refuses)
        report = solve(db)
    assert report.outcome.refused == report.hands > 0
    assert {row["reason"] for row in known(db)[0]} == {lane_refuses}


def test_a_damaged_list_is_told_as_is_a_file_and_made_again(solved_db: Path) -> None:
    before = known(solved_db)
    (solved_db / kept.FOLDER / kept.LIST).write_bytes(b"{}\nnothing\n")
    assert known(solved_db) == before
    (file,) = solved_db.glob("solved-*.duckdb")
    content = file.read_bytes()
    file.write_bytes(content[:5000] + bytes([content[5000] ^ 1]) + content[5001:])
    tables = {each.table for each in verify(solved_db).problems}
    assert {"study/PUBLISHED", file.name} <= tables
    assert solve(solved_db).outcome.hands == 0


def test_hands_of_other_rules_wait_for_a_reaudit(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricklog.ingest.study.lanes.known_rules", lambda *_: ("other hash", None))
    report = solve(db)
    assert report.outcome.outdated == len(few())
    assert known(db) == ([], [])


def test_what_is_solved_outlasts_rebuilds_and_a_reaudit(solved_db: Path, tmp_path: Path) -> None:
    before = known(solved_db)
    whole, *others = kept.blocks_in(solved_db)
    damaged = others[0]
    rows = pq.read_metadata(damaged).num_rows
    damaged.write_bytes(damaged.read_bytes()[:-1])
    rebuild(db=solved_db, to=tmp_path / "other")
    assert kept.blocks_in(tmp_path / "other") == [
        tmp_path / "other" / each.relative_to(solved_db) for each in (whole, *others[1:])
    ]
    assert solve(tmp_path / "other").outcome.hands == rows
    rebuild(db=tmp_path / "other")
    reaudit(tmp_path / "other")
    assert known(tmp_path / "other") == before


def test_hands_within_limits_count_as_known(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_rows, "NODES", 40)
    outcome = solve(db).outcome
    assert outcome.limits
    assert outcome.solved
    with open_facts(db) as facts:
        (said,) = looked_at(facts, [METRIC["accuracy"]], Filters())
        assert (said.done, said.partly, said.left) == (outcome.solved, outcome.limits, 0)
        assert f"{outcome.limits} in part" in str(said)
        player = few()[0].players[0].id
        (said,) = looked_at(facts, [METRIC["accuracy"]], Filters.of({"player": player}))
        assert practice.solved_of_player(facts, player) == said.done + said.partly
        assert measure(facts, "solved-hands")["n"].item() == outcome.solved
        ((known_losses,),) = facts.execute(
            "SELECT count(*) FROM decision_rows WHERE choices > 1 AND loss IS NOT NULL"
        ).fetchall()
        assert measure(facts, "decisions")["n"].item() == known_losses


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
    keyed = [{**row, "content_hash": _KEY, "ruleset": "r"} for row in rows]
    wanted = study_rows.table_of(keyed, study_rows.SCHEMA)
    assert lanes.table_of(found, [_KEY] * len(hands), "r").equals(wanted)


def test_what_is_not_as_expected_is_left_to_careful_reading(place: StudyPlace) -> None:
    first, second, third = hands_of("pidro", 3)
    faulty, _ = with_revoke([second])
    text = b"\n".join([encode_hand(first), encode_hand(faulty), b"{}", encode_hand(third)]) + b"\n"
    found = studied(place, [first, faulty, first, third], text)
    assert lanes.careful(found) == [1, 2]
    assert len(lanes.table_of(found, [_KEY] * 4, "r")) == 2
    # It stops when it is told to.
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
