"""Auctions held against par: rows are what is said of each hand, whatever happens to a run."""

from __future__ import annotations

import errno
import random
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace
from numpy.typing import NDArray

import ingest
from ingest.facts import kept, par
from ingest.facts.scope import open_scope_of
from ingest.metrics.filters import Filters
from ingest.reading.progress import Progress, Stage
from ingest.store.publishing import StorageError
from ingest.store.scopes import Scope
from ingest.store.warehouse import current_snapshot
from ingest.study import records
from ingest.study.kept_ledgers import KeptLedgers
from ingest.study.ledger_rows import row_of as ledger_row_of
from ingest.study.par import running
from ingest.study.par.frames import ledger_list, par_list, side_list
from ingest.study.par.running import value_auctions
from ingest.study.solving import solve
from ingest.upkeep.rebuilding import rebuild
from ingest.upkeep.verifying import verify
from ingest.warehouses import open_facts
from replay import Replay, replay
from replay.engine.rules.table import side_of
from replay.open_cards import Refused, Solver
from replay.study.accounts import Entry, account_of
from replay.study.averages import Averages
from replay.study.contracts import mean_of
from replay.study.ledger import PARTS, auction_par_of, ledger_of
from schemas.actions import trump_name
from schemas.hand import Hand, content_hash
from tests.cli.command_line import CommandLine
from tests.kit.random_play import dealt_hand
from tests.kit.solving import hands_of, known, warehouse, write
from tests.kit.support import Options

STOCKS = 2
_ENTRIES: dict[str, tuple[Entry, ...]] = {
    "at_par": ("start", "deal"),
    "draw": ("draw",),
    "own_bids": ("own bids",),
    "own_exchange": ("own exchange",),
    "own_cards": ("own cards as maker's side", "own cards in defence"),
    "by_partners": ("partner's bids", "partner's exchange", "partner's cards"),
    "by_others": ("opponents' bids", "opponents' exchange", "opponents' cards"),
    "result": ("result",),
}


def passed_out(seed: int) -> Hand:
    """A deal of Eighty-Three that everybody passes."""
    hand = dealt_hand("eighty-three", random.Random(seed), None, 4)
    assert isinstance(hand.dealer, int)
    turns = [(hand.dealer + 1 + turn) % 4 for turn in range(4)]
    return replace(hand, id=f"passed-{seed}", actions=[f"{seat} pass" for seat in turns])


def passed_by_three() -> Hand:
    """A deal of Twenty-Nine with one turn each, thrown in after three passes (S104)."""
    once: Options = {
        "auction": "one-turn",
        "all_pass": "thrown-in",
        "ditto": "nobody",
        "pass_final": True,
    }
    hand = dealt_hand("bangladesh", random.Random(2), once, 4)
    assert isinstance(hand.dealer, int)
    turns = [(hand.dealer - 1 - turn) % 4 for turn in range(3)]
    return replace(hand, id="passed-by-three", actions=[f"{seat} pass" for seat in turns])


@pytest.fixture(scope="module")
def hands() -> list[Hand]:
    """Hands of partners and of singles, with chance left and without, and deals passed out."""
    return [
        *hands_of("pidro", 3),
        *hands_of("king-pedro", 1),
        *hands_of("sancho", 8),
        *(passed_out(seed) for seed in range(4)),
        passed_by_three(),
    ]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory, hands: list[Hand]) -> Path:
    """Their warehouse, with all auctions held against par."""
    folder = warehouse(tmp_path_factory.mktemp("par"), hands)
    value(folder)
    return folder


value = partial(value_auctions, stocks=STOCKS)


def rows(db: Path) -> dict[str, list[dict[str, Any]]]:
    """What readers see."""
    with open_facts(db) as facts:
        return {
            "hands": par_list(facts).to_dicts(),
            "sides": side_list(facts).to_dicts(),
            "parts": ledger_list(facts).to_dicts(),
        }


@pytest.fixture(scope="module")
def played(hands: list[Hand]) -> dict[str, Replay]:
    return {hand.id: replay(hand) for hand in hands}


def solver_of(replayed: Replay, solvers: dict[str, Solver]) -> Solver:
    name = f"{replayed.ruleset.hash} {replayed.rules.seats}"
    return solvers.setdefault(name, Solver(replayed.rules))


@pytest.fixture(scope="module")
def solvers() -> dict[str, Solver]:
    return {}


def test_rows_are_par_of_each_auction(
    db: Path, played: dict[str, Replay], solvers: dict[str, Solver]
) -> None:
    found = rows(db)
    assert {row["hand_id"] for row in found["hands"]} == played.keys()
    assert {row["hand_id"] for row in found["hands"] if row["passed_out"]} == {
        *(f"passed-{seed}" for seed in range(4)),
        "passed-by-three",
    }
    for row in found["hands"]:
        replayed = played[row["hand_id"]]
        due = auction_par_of(replayed, samples=STOCKS, solver=solver_of(replayed, solvers))
        contract = due.contract
        assert (row["status"], row["stocks"]) == ("valued", due.stocks)
        assert (row["makeable"], row["lowest"]) == (due.makeable, replayed.rules.min_bid)
        assert row["bid"] == (due.bid or None)
        assert row["over"] == due.over(replayed.rules)
        assert row["beyond"] == (due.beyond_all_play(replayed.rules) if due.bid else None)
        told = row["par_seat"], row["par_number"], row["par_trump"]
        assert told == (
            (None, None, None)
            if contract is None
            else (
                contract.maker,
                contract.number,
                None if contract.trump < 0 else trump_name(contract.trump),
            )
        )
        sides = [each for each in found["sides"] if each["hand_id"] == row["hand_id"]]
        assert [(each["side"], each["most"], each["ever"], each["points"]) for each in sides] == [
            (each.side, each.most, each.ever, float(each.worth.mean)) for each in due.best
        ]
        for each in sides:
            others = [other["most"] for other in sides if other is not each]
            assert each["others_most"] == max(others)
            assert {side_of(replayed.rules, seat) for seat in each["seats"]} == {each["side"]}


def test_parts_are_the_ledger_of_each_hand_and_sum_to_its_result(
    db: Path, played: dict[str, Replay], solvers: dict[str, Solver]
) -> None:
    found = rows(db)
    with open_facts(db) as facts:
        seats = facts.sql(
            "SELECT hands.id AS hand_id, ledger_seats.* FROM ledger_seats "
            "JOIN games.hands USING (hand_no)"
        ).pl()
    count = 0
    for row in found["hands"]:
        parts = [each for each in found["parts"] if each["hand_id"] == row["hand_id"]]
        replayed = played[row["hand_id"]]
        if row["no_ledger"] is not None:
            assert (parts, row["passed_out"]) == ([], True)
            continue
        count += 1
        solver = solver_of(replayed, solvers)
        averages = Averages(replayed.ruleset, replayed.rules.seats)
        averages.ensure(1, solver)
        due = ledger_of(replayed, samples=STOCKS, solver=solver, averages=averages)
        assert list(dict.fromkeys(each["part"] for each in parts)) == ["par", *PARTS[1:]]
        for unit in ("points", "score"):
            total = sum(each[unit] for each in parts)
            assert total == pytest.approx(row[f"result_{unit}"])
        at_par = sum(each["points"] for each in parts if each["part"] == "par")
        assert at_par == float(mean_of(due.at_par.points))
        for term in due.terms[1:]:
            own = [each for each in parts if each["part"] == term.name]
            assert {each["whose"] for each in own} == {term.whose}
            assert term.amount.points is not None
            assert sum(each["points"] for each in own) == pytest.approx(float(term.amount.points))
            assert {each["points_error"] for each in own} == {term.points_error}
            assert {each["seat"] for each in own} - {None} == {seat for seat, _ in term.players}
        reached = [each >= (due.opened.need or 0) for each in due.contract.points]
        assert row["made_share"] == sum(reached) / len(reached)
        assert row["made_open"] == due.opened.could_be_made
        alone = replayed.ruleset.values["sides"] == "singles"
        for seat in range(replayed.rules.seats):
            account = account_of(due, seat, "score", alone=alone)
            told = seats.filter(pl.col("hand_id") == row["hand_id"], pl.col("seat") == seat)
            assert len(told) == (account is not None)
            for name, entries in _ENTRIES.items() if account else ():
                assert account is not None
                brought = float(sum(account[entry] for entry in entries))
                assert told[name].item() == pytest.approx(brought, abs=1e-9)
    assert count > 8


def test_a_second_run_does_what_is_new_and_more_stocks_take_their_place(
    tmp_path: Path, hands: list[Hand]
) -> None:
    few = [hand for hand in hands if hand.rules.variant == "sancho"]
    db = warehouse(tmp_path, few[:5])
    first = value(db)
    assert (first.known, first.outcome.valued, first.left) == (0, 5, 0)
    ingest.load(write(tmp_path / "more.jsonl", few[5:]), db=db)
    assert len(rows(db)["hands"]) == 5
    second = value(db)
    assert (second.known, second.outcome.valued) == (5, len(few) - 5)
    before = rows(db)
    pidro = [hand for hand in hands if hand.rules.variant == "pidro"][:1]
    ingest.load(write(tmp_path / "chance.jsonl", pidro), db=db)
    finer = value_auctions(db, stocks=STOCKS + 1)
    assert finer.known == 0
    after = rows(db)["hands"]
    assert len(after) == len(few) + 1
    # Nothing is left to chance at Sancho, so that only what was drawn again says so.
    assert [row["stocks"] for row in after] == [1] * len(few) + [STOCKS + 1]
    assert [row | {"asked": STOCKS} for row in after[: len(few)]] == before["hands"]
    assert value(db).outcome.hands == 0


def test_solved_hands_and_auctions_do_not_push_each_other_out(
    tmp_path: Path, hands: list[Hand]
) -> None:
    db = warehouse(tmp_path, hands[4:8])
    solve(db)
    solved_before = known(db)
    value(db)
    held = rows(db)
    assert known(db) == solved_before
    assert len(held["hands"]) == 4
    ingest.load(write(tmp_path / "more.jsonl", hands[8:9]), db=db)
    solve(db)
    assert rows(db) == held
    assert len(known(db)[0]) == 5
    rebuild(db=db)
    assert rows(db) == held


def test_a_run_that_is_interrupted_keeps_what_it_has_found(
    tmp_path: Path, hands: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = warehouse(tmp_path, hands[4:12])

    def interrupt(progress: Progress) -> None:
        if progress.stage == Stage.VALUING and progress.hands >= 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(running, "_TICK", 0.001)
    with pytest.raises(KeyboardInterrupt):
        value(db, jobs=1, on_progress=interrupt)
    assert rows(db)["hands"] == []
    report = value(db)
    assert report.known >= 1
    assert report.known + report.outcome.hands == 8
    assert len(rows(db)["hands"]) == 8


def test_time_that_is_over_leaves_the_rest_to_the_next_run(
    tmp_path: Path, hands: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_TICK", 0.001)
    db = warehouse(tmp_path, hands[4:12])
    first = value(db, jobs=1, budget=0.0)
    assert first.left > 0
    assert value(db).left == 0
    assert len(rows(db)["hands"]) == 8


def test_the_same_comes_of_any_number_of_cores(tmp_path: Path, hands: list[Hand]) -> None:
    found = []
    for jobs in (1, 3):
        (tmp_path / str(jobs)).mkdir()
        db = warehouse(tmp_path / str(jobs), hands[3:9])
        value(db, jobs=jobs)
        found.append(rows(db))
    assert found[0] == found[1]


def test_ledgers_on_as_many_stocks_need_not_be_worked_out_for_sums(
    tmp_path: Path, hands: list[Hand], played: dict[str, Replay], solvers: dict[str, Solver]
) -> None:
    few = hands[4:6]
    value_auctions(warehouse(tmp_path, few))
    found = KeptLedgers().of_rules([played[few[0].id].ruleset.hash])
    for hand in few:
        replayed = played[hand.id]
        solver = solver_of(replayed, solvers)
        averages = Averages(replayed.ruleset, replayed.rules.seats)
        averages.ensure(1, solver)
        key = bytes.fromhex(content_hash(hand)), replayed.ruleset.hash
        assert found[key] == ledger_row_of(replayed, solver, averages)


def test_filters_choose_what_is_valued(db: Path, tmp_path: Path, hands: list[Hand]) -> None:
    other = warehouse(tmp_path, hands[3:6])
    report = value(other, filters=Filters.of({"variant": "sancho"}))
    assert (report.hands, report.outcome.valued) == (2, 2)
    with open_facts(db) as facts:
        assert par_list(facts, Filters.of({"variant": "pidro"})).height == 3
        assert side_list(facts, Filters.of({"variant": "sancho"})).height == 8 * 4
        assert par.counts(facts).valued == len(hands)
        assert str(par.counts(facts)) == f"{len(hands)} of {len(hands)} auctions held against par"


def test_a_scope_has_the_auctions_of_its_tables_alone(db: Path, hands: list[Hand]) -> None:
    snapshot = current_snapshot(db)
    assert snapshot
    due = {hand.id for hand in hands if hand.rules.variant == "pidro"}
    with open_scope_of(snapshot, Scope(variants=("pidro",))) as facts:
        assert set(par_list(facts)["hand_id"]) == due
        assert set(ledger_list(facts)["hand_id"]) == due


def test_rules_that_the_solver_does_not_take_on_are_refused_with_a_sentence(
    tmp_path: Path, hands: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = warehouse(tmp_path, hands[4:6])
    monkeypatch.setattr(running, "refusal", lambda _: "nobody wants such points")
    assert value(db).outcome.refused == 2
    assert {row["reason"] for row in rows(db)["hands"]} == {"nobody wants such points"}
    assert rows(db)["sides"] == []


def test_a_ledger_that_is_refused_leaves_the_par(
    tmp_path: Path, hands: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Refused("the search was given up")

    db = warehouse(tmp_path, hands[4:6])
    monkeypatch.setattr("ingest.study.par.rows.ledger_of", refuse)
    assert value(db, jobs=1).outcome.valued == 2
    found = rows(db)
    assert {row["no_ledger"] for row in found["hands"]} == {"the search was given up"}
    assert (len(found["sides"]), found["parts"]) == (8, [])


def test_a_damaged_block_is_told_left_out_and_valued_again(
    tmp_path: Path, hands: list[Hand]
) -> None:
    db = warehouse(tmp_path, hands[4:7])
    value(db, jobs=1)
    before = rows(db)
    (block,) = kept.blocks_in(db, kept.PAR)
    content = block.read_bytes()
    block.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    assert [each.table for each in verify(db).problems] == [
        f"study/{block.parent.name}/{block.name}"
    ]
    assert value(db, jobs=1).outcome.valued == 3
    assert rows(db) == before
    assert not verify(db).problems


def test_a_disk_that_is_full_is_told_with_the_way_on(
    tmp_path: Path, hands: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    db = warehouse(tmp_path, hands[4:6])
    monkeypatch.setattr("ingest.study.blocks.write", fails)
    with pytest.raises(StorageError, match=r"No space left.*do the same again"):
        value(db)


def test_hands_whose_rules_have_changed_wait_for_a_reaudit(
    tmp_path: Path, hands: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = warehouse(tmp_path, hands[4:6])
    whole = records.read_records

    def of_other_rules(
        tables: DuckDBPyConnection, numbers: NDArray[np.int64]
    ) -> list[records.Record]:
        return [each._replace(ruleset="another hash") for each in whole(tables, numbers)]

    monkeypatch.setattr(records, "read_records", of_other_rules)
    assert value(db).outcome.outdated == 2
    assert rows(db)["hands"] == []


# --- Commands


def test_the_command_says_what_it_has_done(
    tricklog: CommandLine, tmp_path: Path, hands: list[Hand]
) -> None:
    db = warehouse(tmp_path, hands[4:9])
    output = tmp_path / "par.parquet"
    (told,) = tricklog(
        "solve", "--par", "--stocks", str(STOCKS), "--db", db, "--output", output, "--json"
    ).objects
    assert told["hands"] == told["solved"] == 5
    assert told["par"] | {"seconds": 0, "published": ""} == {
        "hands": 5,
        "known": 0,
        "valued": 5,
        "refused": 0,
        "outdated": 0,
        "unreadable": 0,
        "elsewhere": 0,
        "left": 0,
        "stocks": STOCKS,
        "seconds": 0,
        "published": "",
    }
    assert pl.read_parquet(output)["hand_id"].to_list() == [hand.id for hand in hands[4:9]]
    again = tricklog("solve", "--par", "--stocks", str(STOCKS), "--db", db)
    assert "5 auctions = 5 known before + 0 held against par on 2 stocks" in again.text


def test_stocks_without_par_are_refused(tricklog: CommandLine, tmp_path: Path) -> None:
    ran = tricklog("solve", "--stocks", "4", "--db", tmp_path)
    assert ran.status == 2
    assert "--stocks is about par of auctions" in ran.stderr


def test_a_replay_shows_par_of_the_auction(
    tricklog: CommandLine, tmp_path: Path, hands: list[Hand], played: dict[str, Replay]
) -> None:
    log = write(tmp_path / "log.jsonl", hands)
    for hand in (hands[4], hands[-1]):
        given = ("replay", log, "--hand", hand.id, "--solve", "--at", "0")
        (told,) = tricklog(*given, "--json").objects
        replayed = played[hand.id]
        due = auction_par_of(replayed, samples=8)
        assert told["par"]["refused"] is None
        assert told["par"]["over"] == due.over(replayed.rules)
        assert [each["most"] for each in told["par"]["sides"]] == [each.most for each in due.best]
        text = tricklog(*given).text
        assert "Par of the auction" in text
        assert "At par" in text
    assert ("Nobody bid, and it could be made" in text) == due.makeable
