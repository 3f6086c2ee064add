"""Figures of auctions held against par, counted once more from par and ledger of each hand."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import METRIC, Kind, UnsolvedError, measure
from ingest.metrics.filters import Filters
from ingest.metrics.query import Cases, hands_behind
from ingest.metrics.standings import standings
from ingest.study.par.running import value_auctions
from replay import Replay, replay
from replay.engine.rules.table import side_of
from replay.open_cards import Refused, Solver
from replay.study.accounts import Account, account_of
from replay.study.averages import Averages
from replay.study.contracts import AuctionPar
from replay.study.ledger import Ledger, auction_par_of, ledger_of
from schemas.actions import Verb
from schemas.hand import Hand
from tests.kit.built import build_solver_elsewhere
from tests.kit.log_lines import generated, write_hands
from tests.kit.random_play import dealt_hand
from tests.kit.solved import OF_PAR

STOCKS = 2


def passed_out(seed: int) -> Hand:
    """A deal of Eighty-Three that everybody passes."""
    hand = dealt_hand("eighty-three", random.Random(seed), None, 4)
    assert isinstance(hand.dealer, int)
    turns = [(hand.dealer + 1 + turn) % 4 for turn in range(4)]
    return replace(hand, id=f"passed-{seed}", actions=[f"{seat} pass" for seat in turns])


HANDS: list[Hand] = [
    *generated("pidro", 2, 5)[:12],
    *generated("sancho", 2, 8)[:30],
    *generated("king-pedro", 1, 3)[:4],
    *(passed_out(seed) for seed in range(6)),
]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    build_solver_elsewhere()
    folder = tmp_path_factory.mktemp("par")
    ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
    value_auctions(folder / "db", stocks=STOCKS, jobs=1)
    with open_facts(folder / "db") as connection:
        yield connection


@dataclass(frozen=True)
class Held:
    """A hand with par of its auction, and its ledger."""

    played: Replay
    par: AuctionPar
    ledger: Ledger | None

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
def held(facts: DuckDBPyConnection) -> list[Held]:  # noqa: ARG001 - the solver is compiled by then
    found = []
    known: dict[str, tuple[Solver, Averages]] = {}
    for hand in HANDS:
        played = replay(hand)
        name = f"{played.ruleset.hash} {played.rules.seats}"
        if name not in known:
            solver = Solver(played.rules)
            averages = Averages(played.ruleset, played.rules.seats)
            averages.ensure(1, solver)
            known[name] = solver, averages
        solver, averages = known[name]
        par = auction_par_of(played, samples=STOCKS, solver=solver)
        try:
            ledger = ledger_of(played, samples=STOCKS, solver=solver, averages=averages)
        except Refused:
            ledger = None
        found.append(Held(played, par, ledger))
    assert sum(each.maker is not None for each in found) > 20
    assert sum(each.passed_out for each in found) == 6
    return found


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
    assert found.keys() == due.keys()
    assert due
    for key, (value, n) in due.items():
        assert found[key][0] == pytest.approx(value, abs=1e-9), key
        assert found[key][1] == n, key


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
    for variant in ("pidro", "sancho", "king-pedro"):
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
    makeable = [any(best.most >= 50 for best in each.par.best) for each in passed]
    assert 0 < sum(makeable) <= len(passed)
    same(figure(facts, "passed-out-makeable"), recounted(((), each) for each in makeable))
    due = recounted(
        ((player,), each.most(seat) >= 50) for each in passed for seat, player in each.seats()
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


PARTS = {
    "own-choices-share": (
        "own bids",
        "own exchange",
        *("own cards as maker's side",),
        "own cards in defence",
    ),
    "own-bids-share": ("own bids",),
    "own-exchange-share": ("own exchange",),
    "own-cards-share": ("own cards as maker's side", "own cards in defence"),
    "partners-choices-share": ("partner's bids", "partner's exchange", "partner's cards"),
    "others-choices-share": ("opponents' bids", "opponents' exchange", "opponents' cards"),
    "luck-share": ("start", "deal", "draw"),
}


def accounts(held: list[Held]) -> Iterator[tuple[Held, str, Account]]:
    for each in held:
        alone = each.variant == "sancho"
        for seat, player in each.seats() if each.ledger else ():
            assert each.ledger is not None
            account = account_of(each.ledger, seat, "score", alone=alone)
            if account is not None:
                yield each, player, account


def at_stake(each: Held) -> int:
    """What a hand can bring: the points of the pack, or game points."""
    in_game_points = each.played.ruleset.values["made"] == "game-point"
    assert not in_game_points
    return each.played.rules.all_points


@pytest.mark.parametrize("name", PARTS)
def test_shares_of_the_ledger_by_player(
    facts: DuckDBPyConnection, held: list[Held], name: str
) -> None:
    due = weighed(
        (
            (each.variant, player),
            float(sum((account[entry] for entry in PARTS[name]), Fraction(0))),  # type: ignore[index]
            at_stake(each),
        )
        for each, player, account in accounts(held)
    )
    same(figure(facts, name, "variant", "player"), due)


def test_shares_sum_to_what_hands_brought(facts: DuckDBPyConnection, held: list[Held]) -> None:
    whole = weighed(
        ((each.variant, player), float(account["result"]), at_stake(each))
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
        f"SELECT id FROM ({query}) JOIN games.hands ON hand_no = hand",  # noqa: S608 - our own
        parameters,
    ).fetchall()
    assert {name for (name,) in found} == due
    strong = figure(facts, "left-to-others", "par-most", variant="sancho")
    assert sum(n for _, n in strong.values()) == sum(
        len([*each.defenders()]) for each in held if each.variant == "sancho"
    )


def test_where_no_auction_was_held_against_par_figures_say_so(tmp_path: Path) -> None:
    ingest.load(write_hands(tmp_path / "log.jsonl", HANDS[:3]), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as facts:
        for metric in OF_PAR:
            with pytest.raises(UnsolvedError, match=r"none here has been.*tricklog solve --par"):
                measure(facts, metric.name, ("variant",))


def test_every_figure_has_its_cases_here(facts: DuckDBPyConnection) -> None:
    for metric in OF_PAR:
        frame = measure(facts, metric.name, ("variant",))
        assert not frame.is_empty()
        assert frame.height > 1 or metric.kind != Kind.COUNT
