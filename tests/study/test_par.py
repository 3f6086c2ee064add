"""Auctions held against par: rows and figures are what is said of each hand, and runs of them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace
from numpy.typing import NDArray

from tests.cli.command_line import CommandLine
from tests.kit.accounts import Account, Entry, account_of
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tests.kit.random_play import dealt_hand
from tests.kit.solved import OF_PAR, known, warehouse
from tests.kit.support import Options
from tricklog import ingest
from tricklog.core import Replay, replay
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import Averages
from tricklog.core.study.contracts import AuctionPar, mean_of
from tricklog.core.study.ledger import PARTS, Ledger, auction_par_of, ledger_of
from tricklog.ingest.facts import solved
from tricklog.ingest.facts.files import open_scope_of
from tricklog.ingest.metrics import METRIC, Kind, UnsolvedError, measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.query import Cases, hands_behind
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.ingest.study import by_hand, lanes
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.kept_ledgers import KeptLedgers
from tricklog.ingest.study.kept_ledgers import row_of as ledger_row_of
from tricklog.ingest.study.solving import solve, value_auctions
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.warehouses import open_facts
from tricklog.schemas.actions import Verb, trump_name
from tricklog.schemas.hand import Hand, content_hash

STOCKS = 2
PASSED_OUT = 2
VARIANTS = ("pidro", "sancho", "king-pedro")
value = partial(value_auctions, stocks=STOCKS)
_OWN_CARDS: tuple[Entry, ...] = ("own cards as maker's side", "own cards in defence")
_ENTRIES: dict[str, tuple[Entry, ...]] = {
    "at_par": ("start", "deal"),
    "draw": ("draw",),
    "own_bids": ("own bids",),
    "own_exchange": ("own exchange",),
    "own_cards": _OWN_CARDS,
    "by_partners": ("partner's bids", "partner's exchange", "partner's cards"),
    "by_others": ("opponents' bids", "opponents' exchange", "opponents' cards"),
    "brought": ("result",),
}
SHARES: dict[str, tuple[Entry, ...]] = {
    "own-choices-share": ("own bids", "own exchange", *_OWN_CARDS),
    "own-bids-share": _ENTRIES["own_bids"],
    "own-exchange-share": _ENTRIES["own_exchange"],
    "own-cards-share": _OWN_CARDS,
    "partners-choices-share": _ENTRIES["by_partners"],
    "others-choices-share": _ENTRIES["by_others"],
    "luck-share": ("start", "deal", "draw"),
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
    hand = dealt_hand("bangladesh", random.Random(3), once, 4)
    assert isinstance(hand.dealer, int)
    turns = [(hand.dealer - 1 - turn) % 4 for turn in range(3)]
    return replace(hand, id="passed-by-three", actions=[f"{seat} pass" for seat in turns])


@pytest.fixture(scope="module")
def hands() -> list[Hand]:
    """Hands of partners and of singles, with chance left and without, and deals passed out."""
    return [
        *generated("pidro", 2, 5)[:3],
        *generated("king-pedro", 1, 3)[:1],
        *generated("sancho", 2, 8)[:11],
        *(passed_out(seed) for seed in range(PASSED_OUT)),
        passed_by_three(),
    ]


@pytest.fixture(scope="module")
def singles(hands: list[Hand]) -> list[Hand]:
    """Those that are valued in no time."""
    return [hand for hand in hands if hand.rules.variant == "sancho"]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory, hands: list[Hand]) -> Path:
    """Their warehouse, with all auctions held against par."""

    def make(folder: Path) -> None:
        db = warehouse(folder, hands)
        value(db, jobs=1)
        open_facts(db).close()

    return made_once(tmp_path_factory, "par", make) / "db"


@pytest.fixture(scope="module")
def facts(db: Path) -> Iterator[DuckDBPyConnection]:
    with open_facts(db) as connection:
        yield connection


def rows(db: Path) -> dict[str, list[dict[str, Any]]]:
    """What readers see."""
    with open_facts(db) as facts:
        return {
            "hands": study_list(facts, "par_hands").to_dicts(),
            "sides": study_list(facts, "par_sides").to_dicts(),
            "parts": study_list(facts, "ledger_rows").to_dicts(),
        }


@dataclass(frozen=True)
class Held:
    """A hand with par of its auction, and its ledger."""

    played: Replay
    par: AuctionPar
    ledger: Ledger | None
    solver: Solver
    averages: Averages

    @property
    def variant(self) -> str:
        return self.played.hand.rules.variant

    @property
    def passed_out(self) -> bool:
        return all(each.verb == Verb.PASS for each in self.played.actions)

    @property
    def maker(self) -> int | None:
        """Who chose to bid what was played."""
        outcome = self.played.outcome
        assert outcome is not None
        forced = outcome.maker is not None and self._is_forced()
        return None if forced or self.par.maker < 0 else outcome.maker

    def _is_forced(self) -> bool:
        bids = [each for each in self.played.actions if each.verb == Verb.BID]
        passed = [each for each in self.played.actions if each.verb == Verb.PASS]
        others = self.played.rules.seats - 1
        dealer = self.played.hand.dealer
        return len(bids) == 1 and bids[0].seat == dealer and len(passed) == others

    def most(self, seat: int) -> int:
        return self.par.best[side_of(self.played.rules, seat)].most

    def seats(self) -> Iterator[tuple[int, str]]:
        for seat, player in enumerate(self.played.hand.players):
            yield seat, player.id

    def defenders(self) -> Iterator[tuple[int, str]]:
        """Those against a contract that was bid by choice."""
        if self.maker is None:
            return
        side = side_of(self.played.rules, self.maker)
        for seat, player in self.seats():
            if side_of(self.played.rules, seat) != side:
                yield seat, player

    @property
    def result(self) -> str:
        assert self.played.outcome is not None
        return str(self.played.outcome.result)


@pytest.fixture(scope="module")
def held(hands: list[Hand]) -> list[Held]:
    found = []
    kept: dict[str, tuple[Solver, Averages]] = {}
    for hand in hands:
        played = replay(hand)
        name = f"{played.ruleset.hash} {played.rules.seats}"
        if name not in kept:
            kept[name] = Solver(played.rules), Averages(played.ruleset, played.rules.seats)
        solver, averages = kept[name]
        due = auction_par_of(played, samples=STOCKS, solver=solver)
        ledger = None
        if any(each.verb == Verb.PLAY for each in played.actions):
            averages.ensure(1, solver)
            ledger = ledger_of(played, samples=STOCKS, solver=solver, averages=averages)
        found.append(Held(played, due, ledger, solver, averages))
    assert sum(each.maker is not None for each in found) > 9
    return found


# --- Rows


def test_rows_are_par_of_each_auction(db: Path, held: list[Held]) -> None:
    found = rows(db)
    assert [row["hand_id"] for row in found["hands"]] == [each.played.hand.id for each in held]
    assert [row["passed_out"] for row in found["hands"]] == [each.passed_out for each in held]
    for row, of in zip(found["hands"], held, strict=True):
        replayed, due = of.played, of.par
        contract = due.contract
        assert (row["status"], row["stocks"]) == ("valued", due.stocks)
        assert (row["makeable"], row["lowest_bid"]) == (due.makeable, replayed.rules.min_bid)
        assert row["points_bid"] == (due.bid or None)
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
        names = ("side_no", "most", "ever", "mean_points")
        assert [tuple(each[name] for name in names) for each in sides] == [
            (each.side, each.most, each.ever, float(each.worth.mean)) for each in due.best
        ]
        for each in sides:
            others = [other["most"] for other in sides if other is not each]
            assert each["others_most"] == max(others)
            assert {side_of(replayed.rules, seat) for seat in each["seats"]} == {each["side_no"]}


def test_parts_are_the_ledger_of_each_hand_and_sum_to_its_result(
    db: Path, facts: DuckDBPyConnection, held: list[Held]
) -> None:
    found = rows(db)
    seats = facts.sql(
        "SELECT hands.hand_id, ledger_seats.* FROM ledger_seats JOIN games.hands USING (hand_no)"
    ).pl()
    for row, of in zip(found["hands"], held, strict=True):
        parts = [each for each in found["parts"] if each["hand_id"] == row["hand_id"]]
        replayed, due = of.played, of.ledger
        assert (row["no_ledger"] is None) == (due is not None) != row["passed_out"]
        if due is None:
            assert parts == []
            continue
        assert list(dict.fromkeys(each["part"] for each in parts)) == ["par", *PARTS[1:]]
        for unit, column in (("points", "part_points"), ("score", "score")):
            total = sum(each[column] for each in parts)
            assert total == pytest.approx(row[f"result_{unit}"])
        at_par = sum(each["part_points"] for each in parts if each["part"] == "par")
        assert at_par == float(mean_of(due.at_par.points))
        for term in due.terms[1:]:
            own = [each for each in parts if each["part"] == term.name]
            assert {each["whose"] for each in own} == {term.whose}
            assert term.amount.points is not None
            points = sum(each["part_points"] for each in own)
            assert points == pytest.approx(float(term.amount.points))
            assert {each["points_error"] for each in own} == {term.amount.points_error}
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


# --- Figures


Cell = tuple[float, int]
Recount = dict[Any, Cell]


def recounted(cases: Iterable[tuple[Any, float]]) -> Recount:
    """Return the mean and the number of the values by key."""
    return weighed((key, value, 1) for key, value in cases)


def weighed(cases: Iterable[tuple[Any, float, float]]) -> Recount:
    """Return the ratio of the sums and the number of the cases by key."""
    values: dict[Any, list[tuple[float, float]]] = defaultdict(list)
    for key, value, weight in cases:
        values[key].append((value, weight))
    return {
        key: (sum(y for y, _ in each) / sum(w for _, w in each), len(each))
        for key, each in values.items()
    }


def figure(facts: DuckDBPyConnection, name: str, *by: str, **chosen: str) -> Recount:
    rows = measure(facts, name, by, Filters.of(chosen), 1).to_dicts()
    return {tuple(str(row[each]) for each in by): (row["value"], row["n"]) for row in rows}


def same(found: Recount, due: Recount) -> None:
    assert due
    nearly: Mapping[Any, object] = {
        key: (pytest.approx(value, abs=1e-9), n) for key, (value, n) in due.items()
    }
    assert found == nearly


def chosen_contracts(held: list[Held]) -> list[tuple[Held, str, int]]:
    """Hands with a contract that somebody chose to bid, the maker, and the bid less par."""
    found = []
    for each in held:
        if each.maker is not None:
            player = each.played.hand.players[each.maker].id
            found.append((each, player, each.par.bid - each.most(each.maker)))
    return found


def test_bids_against_par_by_player(facts: DuckDBPyConnection, held: list[Held]) -> None:
    contracts = chosen_contracts(held)
    for variant in VARIANTS:
        own = [(each, player, over) for each, player, over in contracts if each.variant == variant]
        due = recounted(((player,), over) for _, player, over in own)
        same(figure(facts, "bid-over-par", "player", variant=variant), due)
    shares = weighed(
        ((player,), over, each.played.rules.all_points) for each, player, over in contracts
    )
    same(figure(facts, "bid-over-par-share", "player"), shares)
    same(
        figure(facts, "above-par", "player"),
        recounted(((player,), over > 0) for _, player, over in contracts),
    )


def test_overbids_are_above_all_that_the_side_takes(
    facts: DuckDBPyConnection, held: list[Held]
) -> None:
    contracts = chosen_contracts(held)
    due = recounted(
        (
            (each.variant,),
            each.par.bid > each.par.best[side_of(each.played.rules, each.par.maker)].ever,
        )
        for each, _, _ in contracts
    )
    assert 0 < sum(value * n for value, n in due.values()) < len(contracts)
    same(figure(facts, "overbids", "variant"), due)


def test_contracts_set_are_split_by_what_set_them(
    facts: DuckDBPyConnection, held: list[Held]
) -> None:
    found: dict[str, int] = defaultdict(int)
    for each, _, over in chosen_contracts(held):
        if each.result != "set" or each.ledger is None:
            continue
        if each.ledger.opened.could_be_made:
            found["set-by-play"] += 1
        else:
            found["set-by-bid" if over > 0 else "set-by-cards"] += 1
    whole = sum(found.values())
    assert len(found) > 1
    for name in ("set-by-play", "set-by-bid", "set-by-cards"):
        same(figure(facts, name), {(): (found[name] / whole, whole)})


def test_deals_passed_out(facts: DuckDBPyConnection, held: list[Held]) -> None:
    passed = [each for each in held if each.passed_out]
    makeable = [each.par.makeable for each in passed]
    assert (len(passed), sum(makeable) > 0) == (PASSED_OUT + 1, True)
    same(figure(facts, "passed-out-makeable"), recounted(((), each) for each in makeable))
    due = recounted(
        ((player,), each.most(seat) >= each.played.rules.min_bid)
        for each in passed
        for seat, player in each.seats()
    )
    same(figure(facts, "passed-out-own", "player"), due)


def test_contracts_left_to_the_others(facts: DuckDBPyConnection, held: list[Held]) -> None:
    due = recounted(
        ((player,), each.most(seat) > each.par.bid)
        for each in held
        for seat, player in each.defenders()
    )
    same(figure(facts, "left-to-others", "player"), due)
    at_par = recounted(
        (
            (player,),
            each.par.contract is not None
            and side_of(each.played.rules, each.par.contract.maker)
            == side_of(each.played.rules, seat),
        )
        for each in held
        for seat, player in each.defenders()
    )
    same(figure(facts, "par-left", "player"), at_par)


def test_sides_that_passed_with_something_to_make(
    facts: DuckDBPyConnection, held: list[Held]
) -> None:
    """By seat at Sancho, where each is a side."""
    cases = []
    for each in held:
        if each.variant != "sancho":
            continue
        bidders = {action.seat for action in each.played.actions if action.verb == Verb.BID}
        for seat, _ in each.seats():
            if seat in bidders or seat == each.par.maker:
                continue
            most, bid = each.most(seat), each.par.bid
            lowest = each.played.rules.min_bid
            cases.append(((str(seat),), most > bid if bid else most >= lowest))
    same(figure(facts, "passed-could-make", "seat", variant="sancho"), recounted(cases))


def test_counts(facts: DuckDBPyConnection, held: list[Held]) -> None:
    same(figure(facts, "par-auctions"), {(): (len(held), len(held))})
    ledgers = sum(each.ledger is not None and each.ledger.no_score is None for each in held)
    same(figure(facts, "ledger-hands"), {(): (ledgers, ledgers)})


def accounts(held: list[Held]) -> Iterator[tuple[Held, str, Account]]:
    for each in held:
        alone = each.variant == "sancho"
        for seat, player in each.seats() if each.ledger else ():
            assert each.ledger is not None
            account = account_of(each.ledger, seat, "score", alone=alone)
            if account is not None:
                yield each, player, account


def test_shares_of_the_ledger_by_player(facts: DuckDBPyConnection, held: list[Held]) -> None:
    for name, entries in SHARES.items():
        due = weighed(
            (
                (each.variant, player),
                float(sum((account[entry] for entry in entries), Fraction(0))),
                each.played.rules.all_points,
            )
            for each, player, account in accounts(held)
        )
        same(figure(facts, name, "variant", "player"), due)


def test_shares_sum_to_what_hands_brought(facts: DuckDBPyConnection, held: list[Held]) -> None:
    whole = weighed(
        ((each.variant, player), float(account["result"]), each.played.rules.all_points)
        for each, player, account in accounts(held)
    )
    names = ("luck-share", "own-choices-share", "partners-choices-share", "others-choices-share")
    found = [figure(facts, name, "variant", "player") for name in names]
    for key, (value, _) in whole.items():
        assert sum(each[key][0] for each in found) == pytest.approx(value, abs=1e-9)


def test_players_of_several_games_are_compared_within_each(facts: DuckDBPyConnection) -> None:
    frame = standings(facts, METRIC["own-choices-share"], minimum=1)
    assert len(frame) >= 4
    assert frame["n"].sum() == sum(
        n for _, n in figure(facts, "own-choices-share", "player").values()
    )


def test_hands_are_found_by_bid_less_par(facts: DuckDBPyConnection, held: list[Held]) -> None:
    due = {each.played.hand.id for each, _, over in chosen_contracts(held) if over > 0}
    assert due
    query, parameters = hands_behind(Cases(METRIC["above-par"]), Filters.of({"over-par": "1.."}))
    found = facts.execute(
        f"SELECT hand_id FROM ({query}) JOIN games.hands USING (hand_no)",  # noqa: S608 - our own
        parameters,
    ).fetchall()
    assert {name for (name,) in found} == due
    strong = figure(facts, "left-to-others", "par-most", variant="sancho")
    assert sum(n for _, n in strong.values()) == sum(
        len([*each.defenders()]) for each in held if each.variant == "sancho"
    )


def test_every_figure_has_its_cases_here_and_none_where_no_auction_was_held_against_par(
    facts: DuckDBPyConnection, stored: Path
) -> None:
    with open_facts(stored / "db") as without:
        for metric in OF_PAR:
            frame = measure(facts, metric.name, ("variant",))
            assert frame.height > (metric.kind == Kind.COUNT), metric.name
            with pytest.raises(UnsolvedError, match=r"none here has been.*tricklog solve --par"):
                measure(without, metric.name, ("variant",))


# --- Runs


@pytest.mark.thorough("what is known is not valued again in the test of the command")
def test_a_second_run_does_what_is_new_and_more_stocks_take_their_place(
    tmp_path: Path, hands: list[Hand], singles: list[Hand]
) -> None:
    few = singles[:3]
    db = warehouse(tmp_path, few[:2])
    first = value(db)
    assert (first.known, first.outcome.solved, first.left) == (0, 2, 0)
    ingest.load(write_hands(tmp_path / "more.jsonl", [*few[2:], hands[0]]), db=db)
    before = rows(db)["hands"]
    assert len(before) == 2
    second = value(db)
    assert (second.known, second.outcome.solved) == (2, 2)
    finer = value_auctions(db, stocks=STOCKS + 1)
    assert finer.known == 0
    after = rows(db)["hands"]
    assert len(after) == len(few) + 1
    # Nothing is left to chance at Sancho, so that only what was drawn again says so.
    assert [row["stocks"] for row in after] == [1] * len(few) + [STOCKS + 1]
    assert [row | {"asked": STOCKS} for row in after[:2]] == before
    assert value(db).outcome.hands == 0


@pytest.mark.thorough("each is kept by itself in the first tier")
def test_solved_hands_and_auctions_do_not_push_each_other_out(
    tmp_path: Path, singles: list[Hand]
) -> None:
    db = warehouse(tmp_path, singles[:2])
    solve(db)
    solved_before = known(db)
    value(db)
    held = rows(db)
    assert known(db) == solved_before
    assert len(held["hands"]) == 2
    ingest.load(write_hands(tmp_path / "more.jsonl", singles[2:3]), db=db)
    solve(db)
    assert rows(db) == held
    assert len(known(db)[0]) == 3
    rebuild(db=db)
    assert rows(db) == held


def test_ledgers_on_as_many_stocks_need_not_be_worked_out_for_sums(
    tmp_path: Path, held: list[Held]
) -> None:
    few = [each for each in held if each.variant == "sancho"][:2]
    value_auctions(warehouse(tmp_path, [each.played.hand for each in few]))
    found = KeptLedgers().of_rules([few[0].played.ruleset.hash])
    for each in few:
        key = bytes.fromhex(content_hash(each.played.hand)), each.played.ruleset.hash
        assert found[key] == ledger_row_of(each.played, each.solver, each.averages)


@pytest.mark.thorough("filters choose what is solved in test_solve_rows")
def test_filters_choose_what_is_valued(
    facts: DuckDBPyConnection, tmp_path: Path, hands: list[Hand], singles: list[Hand]
) -> None:
    other = warehouse(tmp_path, [*singles[:2], *hands[4:5]])
    report = value(other, filters=Filters.of({"variant": "sancho"}))
    assert (report.hands, report.outcome.solved) == (2, 2)
    assert study_list(facts, "par_hands", Filters.of({"variant": "king-pedro"})).height == 1
    assert study_list(facts, "par_sides", Filters.of({"variant": "sancho"})).height == 4 * len(
        singles
    )
    assert solved.par_counts(facts).valued == len(hands)
    assert (
        str(solved.par_counts(facts)) == f"{len(hands)} of {len(hands)} auctions held against par"
    )


def test_a_scope_has_the_auctions_of_its_tables_alone(db: Path, hands: list[Hand]) -> None:
    snapshot = current_snapshot(db)
    assert snapshot
    due = {hand.id for hand in hands if hand.rules.variant == "pidro"}
    with open_scope_of(snapshot, Scope(variants=("pidro",))) as facts:
        assert set(study_list(facts, "par_hands")["hand_id"]) == due
        assert set(study_list(facts, "ledger_rows")["hand_id"]) == due


@pytest.mark.thorough("refusals and other rules are said where hands are solved")
def test_rules_that_the_solver_does_not_take_on_are_refused_with_a_sentence(
    tmp_path: Path, singles: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = warehouse(tmp_path, singles[:2])
    refuse = "tricklog.ingest.study.rows.Solvers.of"
    monkeypatch.setattr(refuse, lambda *_: "nobody wants such points")
    assert value(db, jobs=1).outcome.refused == 2
    assert {row["reason"] for row in rows(db)["hands"]} == {"nobody wants such points"}
    assert rows(db)["sides"] == []


@pytest.mark.thorough("rules that are refused are said in the first tier")
def test_a_ledger_that_is_refused_leaves_the_par(
    tmp_path: Path, singles: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Refused("the search was given up")

    db = warehouse(tmp_path, singles[:2])
    monkeypatch.setattr("tricklog.ingest.study.par.ledger_of", refuse)
    assert value(db, jobs=1).outcome.solved == 2
    found = rows(db)
    assert {row["no_ledger"] for row in found["hands"]} == {"the search was given up"}
    assert (len(found["sides"]), found["parts"]) == (8, [])


@pytest.mark.thorough("refusals and other rules are said where hands are solved")
def test_hands_whose_rules_have_changed_wait_for_a_reaudit(
    tmp_path: Path, singles: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = warehouse(tmp_path, singles[:2])
    whole = lanes.read_records

    def of_other_rules(
        tables: DuckDBPyConnection, numbers: NDArray[np.int64]
    ) -> list[lanes.Record]:
        return [each._replace(ruleset="another hash") for each in whole(tables, numbers)]

    monkeypatch.setattr(by_hand, "read_records", of_other_rules)
    assert value(db).outcome.outdated == 2
    assert rows(db)["hands"] == []


# --- Commands


def test_the_command_says_what_it_has_done(
    tricklog: CommandLine, tmp_path: Path, singles: list[Hand]
) -> None:
    db = warehouse(tmp_path, singles[:3])
    output = tmp_path / "par.parquet"
    (told,) = tricklog(
        "solve", "--par", "--stocks", str(STOCKS), "--db", db, "--output", output, "--json"
    ).objects
    assert told["hands"] == told["solved"] == 3
    assert told["par"] | {"seconds": 0, "published": ""} == {
        "hands": 3,
        "known": 0,
        "valued": 3,
        "refused": 0,
        "outdated": 0,
        "unreadable": 0,
        "elsewhere": 0,
        "left": 0,
        "stocks": STOCKS,
        "seconds": 0,
        "published": "",
    }
    assert pl.read_parquet(output)["hand_id"].to_list() == [hand.id for hand in singles[:3]]
    again = tricklog("solve", "--par", "--stocks", str(STOCKS), "--db", db)
    assert "3 auctions = 3 known before + 0 held against par on 2 stocks" in again.text


def test_stocks_without_par_are_refused(tricklog: CommandLine, tmp_path: Path) -> None:
    ran = tricklog("solve", "--stocks", "4", "--db", tmp_path)
    assert ran.status == 2
    assert "--stocks is about par of auctions" in ran.stderr


def test_a_replay_shows_par_of_the_auction(
    tricklog: CommandLine, tmp_path: Path, hands: list[Hand], singles: list[Hand]
) -> None:
    hand, passed = singles[0], hands[-2]
    log = write_hands(tmp_path / "log.jsonl", [hand, passed])
    given = ("replay", log, "--hand", hand.id, "--solve", "--at", "0")
    (told,) = tricklog(*given, "--json").objects
    replayed = replay(hand)
    due = auction_par_of(replayed, samples=8)
    assert told["par"]["refused"] is None
    assert told["par"]["over"] == due.over(replayed.rules)
    assert [each["most"] for each in told["par"]["sides"]] == [each.most for each in due.best]
    text = tricklog(*given).text
    assert "Par of the auction" in text
    assert "At par" in text
    text = tricklog("replay", log, "--hand", passed.id, "--solve", "--at", "0").text
    makeable = auction_par_of(replay(passed), samples=8).makeable
    assert ("Nobody bid, and it could be made" in text) == makeable
