"""Auctions held against par: rows and figures are what is said of each hand, and runs of them."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace

from tests.cli.command_line import CommandLine
from tests.kit.accounts import Account, Entry, account_of
from tests.kit.facts import Facts, assert_same, facts_in, figure, recounted, warehouse_of, weighed
from tests.kit.log_lines import generated, write_hands
from tests.kit.random_play import dealt_hand
from tests.kit.solved import OF_PAR, known, valued, warehouse
from tests.kit.stored import open_scope
from tests.kit.support import Options
from tricklog import Filters, Replay, Verb, open_facts, replay, trump_name
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import Averages
from tricklog.core.study.contracts import AuctionPar, mean_of
from tricklog.core.study.ledger import PARTS, Ledger, auction_par_of, ledger_of
from tricklog.ingest.facts import solved
from tricklog.ingest.metrics import METRIC, Kind, UnsolvedError, measure
from tricklog.ingest.metrics.query import Cases, hands_behind
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.kept_ledgers import KeptLedgers
from tricklog.ingest.study.kept_ledgers import row_of as ledger_row_of
from tricklog.ingest.study.solving import value_auctions
from tricklog.schemas.hand import Hand, OptionValue, content_hash

STOCKS = 2
PASSED_OUT = 2
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


def passed(variant: str, name: str, seed: int, options: Options | None = None) -> Hand:
    """A deal that everybody passes, who have a turn each."""
    hand = dealt_hand(variant, random.Random(seed), options, 4)
    assert isinstance(hand.dealer, int)
    # At Bangladesh the turn goes round the other way, and the dealer has none (S104).
    step, turns = (-1, 3) if variant == "bangladesh" else (1, 4)
    seats = [(hand.dealer + step * (1 + turn)) % 4 for turn in range(turns)]
    return replace(hand, id=name, actions=[f"{seat} pass" for seat in seats])


@cache
def hands() -> list[Hand]:
    """Hands of partners and of singles, with chance left and without, and deals passed out."""
    once: dict[str, OptionValue] = {"auction": "one-turn", "all_pass": "thrown-in"}
    once |= {"ditto": "nobody", "pass_final": True}
    return [
        *generated("pidro", 2, 5)[:3],
        *generated("king-pedro", 1, 3)[:1],
        *singles(),
        *(passed("eighty-three", f"passed-{seed}", seed) for seed in range(PASSED_OUT)),
        passed("bangladesh", "passed-by-three", 3, once),
    ]


def singles() -> list[Hand]:
    """Those that are valued in no time."""
    return list(generated("sancho", 2, 8)[:11])


db = warehouse_of("par", hands, partial(value, jobs=1))
facts = facts_in("db")


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
        assert self.played.outcome is not None
        bids = [each.seat for each in self.played.actions if each.verb == Verb.BID]
        passed = sum(each.verb == Verb.PASS for each in self.played.actions)
        forced = bids == [self.played.hand.dealer] and passed == self.played.rules.seats - 1
        return None if forced or self.par.maker < 0 else self.played.outcome.maker

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

    def account(self, seat: int) -> Account | None:
        assert self.ledger is not None
        alone = self.played.ruleset.values["sides"] == "singles"
        return account_of(self.ledger, seat, "score", alone=alone)


@pytest.fixture(scope="module")
def held() -> list[Held]:
    found = []
    kept: dict[str, tuple[Solver, Averages]] = {}
    for hand in hands():
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
    found = valued(db)
    assert [row["hand_id"] for row in found["hands"]] == [each.played.hand.id for each in held]
    assert [row["passed_out"] for row in found["hands"]] == [each.passed_out for each in held]
    for row, of in zip(found["hands"], held, strict=True):
        rules, due = of.played.rules, of.par
        assert (row["status"], row["stocks"]) == ("valued", due.stocks)
        assert (row["makeable"], row["lowest_bid"]) == (due.makeable, rules.min_bid)
        assert (row["points_bid"], row["over"]) == (due.bid or None, due.over(rules))
        assert row["beyond"] == (due.beyond_all_play(rules) if due.bid else None)
        told = [row[f"par_{name}"] for name in ("seat", "number", "trump")]
        best: list[object] = [None, None, None]
        if due.contract is not None:
            trump = None if due.contract.trump < 0 else trump_name(due.contract.trump)
            best = [due.contract.maker, due.contract.number, trump]
        assert told == best
        sides = [each for each in found["sides"] if each["hand_id"] == row["hand_id"]]
        names = ("side_no", "most", "ever", "mean_points")
        assert [tuple(each[name] for name in names) for each in sides] == [
            (each.side, each.most, each.ever, float(each.worth.mean)) for each in due.best
        ]
        for each in sides:
            others = [other["most"] for other in sides if other is not each]
            assert each["others_most"] == max(others)
            assert {side_of(rules, seat) for seat in each["seats"]} == {each["side_no"]}


def test_parts_are_the_ledger_and_its_result(db: Path, facts: Facts, held: list[Held]) -> None:
    found = valued(db)
    seats = facts.sql(
        "SELECT hands.hand_id, ledger_seats.* FROM ledger_seats JOIN games.hands USING (hand_no)"
    ).pl()
    for row, of in zip(found["hands"], held, strict=True):
        parts = [each for each in found["parts"] if each["hand_id"] == row["hand_id"]]
        due = of.ledger
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
        for seat in range(of.played.rules.seats):
            account = of.account(seat)
            told = seats.filter(pl.col("hand_id") == row["hand_id"], pl.col("seat") == seat)
            assert len(told) == (account is not None)
            for name, entries in _ENTRIES.items() if account else ():
                assert account is not None
                brought = float(sum(account[entry] for entry in entries))
                assert told[name].item() == pytest.approx(brought, abs=1e-9)


# --- Figures
def chosen_contracts(held: list[Held]) -> list[tuple[Held, str, int]]:
    """Hands with a contract that somebody chose to bid, the maker, and the bid less par."""
    return [
        (each, each.played.hand.players[each.maker].id, each.par.bid - each.most(each.maker))
        for each in held
        if each.maker is not None
    ]


def test_bids_against_par(facts: Facts, held: list[Held]) -> None:
    contracts = chosen_contracts(held)
    for variant in ("pidro", "sancho", "king-pedro"):
        own = [(player, over) for each, player, over in contracts if each.variant == variant]
        assert_same(figure(facts, "bid-over-par", "player", variant=variant), recounted(own))
    points = ((player, over, each.played.rules.all_points) for each, player, over in contracts)
    assert_same(figure(facts, "bid-over-par-share", "player"), weighed(points))
    above = recounted((player, over > 0) for _, player, over in contracts)
    assert_same(figure(facts, "above-par", "player"), above)
    # Overbids are above all that the side takes.
    sides = ((each, side_of(each.played.rules, each.par.maker)) for each, _, _ in contracts)
    due = recounted((each.variant, each.par.bid > each.par.best[side].ever) for each, side in sides)
    assert 0 < sum(value * n for value, n in due.values()) < len(contracts)
    assert_same(figure(facts, "overbids", "variant"), due)


def test_contracts_set_are_split_by_what_set_them(facts: Facts, held: list[Held]) -> None:
    found: dict[str, int] = defaultdict(int)
    for each, _, over in chosen_contracts(held):
        outcome = each.played.outcome
        assert outcome is not None
        if outcome.result != "set" or each.ledger is None:
            continue
        if each.ledger.opened.could_be_made:
            found["set-by-play"] += 1
        else:
            found["set-by-bid" if over > 0 else "set-by-cards"] += 1
    whole = sum(found.values())
    assert len(found) > 1
    for name in ("set-by-play", "set-by-bid", "set-by-cards"):
        assert_same(figure(facts, name), {"": (found[name] / whole, whole)})


def test_deals_passed_out(facts: Facts, held: list[Held]) -> None:
    passed = [each for each in held if each.passed_out]
    makeable = [each.par.makeable for each in passed]
    assert (len(passed), sum(makeable) > 0) == (PASSED_OUT + 1, True)
    assert_same(figure(facts, "passed-out-makeable"), recounted(("", each) for each in makeable))
    due = recounted(
        (player, each.most(seat) >= each.played.rules.min_bid)
        for each in passed
        for seat, player in each.seats()
    )
    assert_same(figure(facts, "passed-out-own", "player"), due)


def test_contracts_left_to_the_others(facts: Facts, held: list[Held]) -> None:
    against = [(each, *defender) for each in held for defender in each.defenders()]
    due = recounted((player, each.most(seat) > each.par.bid) for each, seat, player in against)
    assert_same(figure(facts, "left-to-others", "player"), due)
    at_par = []
    for each, seat, player in against:
        best = {side_of(each.played.rules, part.maker) for part in (each.par.contract,) if part}
        at_par.append((player, side_of(each.played.rules, seat) in best))
    assert_same(figure(facts, "par-left", "player"), recounted(at_par))
    # By seat at Sancho, where each is a side: those that passed with something to make.
    cases = []
    for each in (each for each in held if each.variant == "sancho"):
        bidders = {action.seat for action in each.played.actions if action.verb == Verb.BID}
        for seat in {*range(each.played.rules.seats)} - bidders - {each.par.maker}:
            most, bid, lowest = each.most(seat), each.par.bid, each.played.rules.min_bid
            cases.append((str(seat), most > bid if bid else most >= lowest))
    assert_same(figure(facts, "passed-could-make", "seat", variant="sancho"), recounted(cases))


def accounts(held: list[Held]) -> Iterator[tuple[tuple[str, str], Account, int]]:
    """By variant and player: each account, and the points there are in its game."""
    for each in held:
        for seat, player in each.seats() if each.ledger else ():
            if (account := each.account(seat)) is not None:
                yield (each.variant, player), account, each.played.rules.all_points


def test_shares_of_the_ledger_sum_to_what_hands_brought(facts: Facts, held: list[Held]) -> None:
    found = {name: figure(facts, name, "variant", "player") for name in SHARES}
    for name, entries in SHARES.items():
        due = weighed(
            (key, float(sum((account[entry] for entry in entries), Fraction(0))), points)
            for key, account, points in accounts(held)
        )
        assert_same(found[name], due, name)
    whole = weighed((key, float(each["result"]), points) for key, each, points in accounts(held))
    parts = ("luck-share", *(f"{whose}-choices-share" for whose in ("own", "partners", "others")))
    for key, (value, _) in whole.items():
        assert sum(found[name][key][0] for name in parts) == pytest.approx(value, abs=1e-9)
    # Players of several games are compared within each.
    frame = standings(facts, METRIC["own-choices-share"], minimum=1)
    assert len(frame) >= 4
    counted = figure(facts, "own-choices-share", "player").values()
    assert frame["n"].sum() == sum(n for _, n in counted)


def test_hands_are_counted_and_found_by_bid_less_par(facts: Facts, held: list[Held]) -> None:
    assert_same(figure(facts, "par-auctions"), {"": (len(held), len(held))})
    ledgers = sum(each.ledger is not None and each.ledger.no_score is None for each in held)
    assert_same(figure(facts, "ledger-hands"), {"": (ledgers, ledgers)})
    due = {each.played.hand.id for each, _, over in chosen_contracts(held) if over > 0}
    assert due
    query, parameters = hands_behind(Cases(METRIC["above-par"]), Filters.of({"over-par": "1.."}))
    found = facts.execute(
        f"SELECT hand_id FROM ({query}) JOIN games.hands USING (hand_no)",  # noqa: S608 - our own
        parameters,
    ).fetchall()
    assert {name for (name,) in found} == due
    strong = figure(facts, "left-to-others", "par-most", variant="sancho")
    of_sancho = [each for each in held if each.variant == "sancho"]
    assert sum(n for _, n in strong.values()) == sum(len([*each.defenders()]) for each in of_sancho)


def test_every_figure_has_its_cases_here_and_none_elsewhere(facts: Facts, stored: Path) -> None:
    with open_facts(stored / "db") as without:
        for metric in OF_PAR:
            frame = measure(facts, metric.name, ("variant",))
            assert frame.height > (metric.kind == Kind.COUNT), metric.name
            with pytest.raises(UnsolvedError, match=r"none here has been.*tricklog solve --par"):
                measure(without, metric.name, ("variant",))


# --- Runs
@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A warehouse with two of the hands that are valued in no time."""
    return warehouse(tmp_path, singles()[:2])


def test_ledgers_on_as_many_stocks_are_kept_for_sums(two: Path, held: list[Held]) -> None:
    value_auctions(two)
    few = [each for each in held if each.variant == "sancho"][:2]
    found = KeptLedgers().of_rules([few[0].played.ruleset.hash])
    for each in few:
        key = bytes.fromhex(content_hash(each.played.hand)), each.played.ruleset.hash
        assert found[key] == ledger_row_of(each.played, each.solver, each.averages)


def test_a_scope_has_the_auctions_of_its_tables_alone(db: Path) -> None:
    due = {hand.id for hand in hands() if hand.rules.variant == "pidro"}
    with open_scope(db, variants=("pidro",)) as facts:
        assert set(study_list(facts, "par_hands")["hand_id"]) == due
        assert set(study_list(facts, "ledger_rows")["hand_id"]) == due


def test_a_ledger_that_is_refused_leaves_the_par(
    two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Refused("the search was given up")

    monkeypatch.setattr("tricklog.ingest.study.par.ledger_of", refuse)
    assert value(two, jobs=1).outcome.solved == 2
    found = valued(two)
    assert {row["no_ledger"] for row in found["hands"]} == {"the search was given up"}
    assert (len(found["sides"]), found["parts"]) == (8, [])


# --- Commands
def test_the_command_says_what_it_has_done(tricklog: CommandLine, tmp_path: Path) -> None:
    few = singles()[:3]
    db = warehouse(tmp_path, few)
    output = tmp_path / "par.parquet"
    asked = ("solve", "--par", "--stocks", str(STOCKS), "--db", db)
    (told,) = tricklog(*asked, "--output", output, "--json").objects
    assert told["hands"] == told["solved"] == 3
    nothing = ("known", "refused", "outdated", "unreadable", "elsewhere", "left")
    due = {"hands": 3, "valued": 3, "stocks": STOCKS, "seconds": 0, "published": ""}
    assert told["par"] | {"seconds": 0, "published": ""} == due | dict.fromkeys(nothing, 0)
    assert pl.read_parquet(output)["hand_id"].to_list() == [hand.id for hand in few]
    text = tricklog(*asked).text
    assert "3 auctions = 3 known before + 0 held against par on 2 stocks" in text
    # More stocks replace few; the summary says what there is.
    finer = value_auctions(db, stocks=STOCKS + 1)
    assert (finer.known, finer.outcome.solved, value(db).outcome.hands) == (0, 3, 0)
    assert {row["asked"] for row in valued(db)["hands"]} == {STOCKS + 1}
    assert len(known(db)[0]) == 3
    said = solved.par_counts(open_facts(db))
    assert "of 3 auctions held against par" in str(said)
    assert str(said) in tricklog("stats", "--summary", "--db", db).text
    (summary,) = tricklog("stats", "--summary", "--db", db, "--json").objects
    assert summary["par"]["valued"] == 3
    checks = tricklog("demo", "--check", "--db", db, "--json").objects
    assert any(str(said) in each["says"] for each in checks if each["name"] == "warehouse")
    ran = tricklog("solve", "--stocks", "4", "--db", tmp_path)
    assert ran.status == 2
    assert "--stocks is about par of auctions" in ran.stderr


def test_a_replay_shows_par_of_the_auction(tricklog: CommandLine, tmp_path: Path) -> None:
    hand, passed = singles()[0], hands()[-2]
    log = write_hands(tmp_path / "log.jsonl", [hand, passed])
    given = ("replay", log, "--solve", "--at", "0", "--hand")
    (told,) = tricklog(*given, hand.id, "--json").objects
    replayed = replay(hand)
    due = auction_par_of(replayed, samples=8)
    assert told["par"]["refused"] is None
    assert told["par"]["over"] == due.over(replayed.rules)
    assert [each["most"] for each in told["par"]["sides"]] == [each.most for each in due.best]
    text = tricklog(*given, hand.id).text
    assert "Par of the auction" in text
    assert "At par" in text
    text = tricklog(*given, passed.id).text
    makeable = auction_par_of(replay(passed), samples=8).makeable
    assert ("Nobody bid, and it could be made" in text) == makeable
