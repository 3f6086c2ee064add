"""The ledger of a hand: its parts sum to the result, repeat, and are refused where they must be."""

import random
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import random_play
from tests.kit.accounts import account_of
from tests.kit.open_play import NEVER_STOPPED
from tests.kit.random_play import dealt_hand, walk
from tests.kit.support import Options, ruleset_for
from tests.kit.tiers import scaled, some
from tricklog import Replay, Verb, generate, load_variant, replay, variants
from tricklog.core.engine.policies import Sides
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused, Solver, contracts, stocks
from tricklog.core.study.averages import Averages, place_of, users_folder
from tricklog.core.study.contracts import Valuer, valued_on
from tricklog.core.study.ledger import PARTS, Ledger, ledger_of, refusal_of_record
from tricklog.core.study.sampling import difference, error_of, reach, reach_of, student
from tricklog.core.study.walk import Walk

SYSTEMS = variants()
QUICK = ("pidro", "king-pedro", "ukrainian", "eighty-three", "sancho", "pitch-with-fives")
"""Systems of every shape of dealing whose hands are solved in no time."""
SLOW = ("twenty-nine", "lucknow", "bangladesh")
SAMPLES = 3


@pytest.fixture(scope="module", autouse=True)
def few_to_choose_on() -> object:
    """Choose contracts on few stocks and search little: what is proved holds for any number."""
    with (
        patch.object(contracts, "_HALVINGS", (1, 1, 1)),
        patch.object(contracts, "CHOOSING", 3),
        patch.object(contracts, "BUDGET", 20_000),
    ):
        yield


@cache
def averages(variant: str, seats: int, folder: Path) -> Averages:
    """Return averages over one deal, kept for all tests."""
    ruleset = load_variant(variant)
    found = Averages(ruleset, seats, folder=folder)
    found.ensure(1, Solver(ruleset.rules(seats)))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("averages")


def of_bots(variant: str, hands: int, seed: int = 5) -> list[Replay]:
    """Return hands of a game that bots have played, those that were played to an end."""
    found = (replay(each) for each in generate(variant, games=2, seed=seed))
    played = (each for each in found if refusal_of_record(each) is None)
    return [each for each, _ in zip(played, range(hands), strict=False)]


def at_random(variant: str, hands: int, options: Options | None = None) -> list[Replay]:
    """Return hands of random legal play, so that every choice of the exchange is made."""
    chance = random.Random(f"ledger/{variant}/{options}")
    found: list[Replay] = []
    while len(found) < hands:
        hand = dealt_hand(variant, chance, options, 4)
        with patch.dict(random_play.VOLUNTEERED, NEVER_STOPPED):
            done = replay(replace(hand, actions=[text for _, _, text in walk(hand, chance)]))
        if refusal_of_record(done) is None:
            found.append(done)
    return found


def assert_sums(ledger: Ledger) -> None:
    """Check that start and parts come to the result exactly, and players to their parts."""
    assert [term.name for term in ledger.terms] == list(PARTS)
    for kind, reason in (("points", ledger.no_points), ("score", ledger.no_score)):
        amounts = [getattr(each, kind) for each in (ledger.start, ledger.result)]
        parts = [getattr(term.amount, kind) for term in ledger.terms]
        if reason:
            assert set(amounts + parts) == {None}
            continue
        assert amounts[0] + sum(parts) == amounts[1]
        for term in ledger.terms:
            if term.players:
                theirs = [getattr(amount, kind) for _, amount in term.players]
                assert sum(theirs) == getattr(term.amount, kind), term.name


def assert_is_the_result(replayed: Replay, ledger: Ledger) -> None:
    """Check that the ledger ends with what the engine says came of the hand."""
    outcome = replayed.outcome
    assert outcome is not None
    side = side_of(replayed.rules, ledger.maker)
    if ledger.no_score is None:
        change = outcome.change[side]
        if replayed.rules.sides == Sides.PARTNERS:
            change -= outcome.change[1 - side]
        assert ledger.result.score == change
    if ledger.no_points is None and not any(a.verb == Verb.PAIR for a in replayed.actions):
        assert ledger.result.points == outcome.points[side]


# --- Sums
def check(played: list[Replay], known: Averages) -> None:
    for replayed in played:
        ledger = ledger_of(replayed, samples=SAMPLES, averages=known)
        assert_sums(ledger)
        assert_is_the_result(replayed, ledger)
    assert played


@pytest.mark.parametrize("variant", some([each for each in SYSTEMS if each not in SLOW], 5))
def test_the_parts_sum_to_the_result_exactly(variant: str, folder: Path) -> None:
    played = at_random(variant, 3 if variant in QUICK else 1)
    check(played, averages(variant, played[0].rules.seats, folder))


@pytest.mark.parametrize("variant", SLOW)
def test_they_do_where_a_later_packet_comes(variant: str, tmp_path: Path) -> None:
    """The budget is so small that values are the middle of limits: the sum does not mind."""
    (replayed,) = at_random(variant, 1)
    with patch.object(contracts, "BUDGET", 3000):
        known = Averages(replayed.ruleset, 4, folder=tmp_path)
        known.ensure(1, Solver(replayed.rules))
        ledger = ledger_of(replayed, samples=2, averages=known)
    assert_sums(ledger)
    assert_is_the_result(replayed, ledger)
    assert ledger.term("draw").whose == "luck"
    assert ledger.loose


HOUSE_RULES: list[tuple[str, Options]] = [
    ("pidro", {"rob": "stock-and-discards", "discard": "any"}),
    ("pidro", {"empty_stock": "discards"}),
    ("pidro", {"discarded_points": "opponents"}),
    ("king-pedro", {"direction": "anticlockwise"}),
]


@pytest.mark.parametrize(("variant", "options"), some(HOUSE_RULES, 2))
def test_they_do_under_house_rules(variant: str, options: Options, tmp_path: Path) -> None:
    ruleset = ruleset_for(variant, options)
    known = Averages(ruleset, 4, folder=tmp_path)
    known.ensure(1, Solver(ruleset.rules(4)))
    for replayed in at_random(variant, 3, options):
        assert_sums(ledger_of(replayed, samples=SAMPLES, averages=known))


def test_they_do_as_bots_play_and_the_play_is_what_the_solver_says_it_cost(folder: Path) -> None:
    """What defenders lose counts against their own side."""
    known = averages("pidro", 4, folder)
    played = of_bots("pidro", 6)
    check(played[:5], known)
    for replayed in played:
        ledger = ledger_of(replayed, samples=2, averages=known)
        lost = {True: 0, False: 0}
        for each in ledger.opened.decisions:
            assert each.loss is not None
            lost[each.by_makers] += each.loss
        assert ledger.term("makers").amount.points == -lost[True]
        assert ledger.term("defence").amount.points == lost[False]
        for seat, amount in ledger.term("defence").players:
            assert amount.points is not None
            assert amount.points >= 0
            account = account_of(ledger, seat, "points")
            assert account is not None
            assert account["own cards in defence"] == -amount.points


# --- Stocks
def test_the_same_hand_gives_the_same_ledger(folder: Path) -> None:
    (replayed,) = of_bots("pidro", 1)
    known = averages("pidro", 4, folder)
    first = ledger_of(replayed, samples=SAMPLES, averages=known)
    again = ledger_of(replay(replayed.hand), samples=SAMPLES, averages=known)
    assert first == again
    renamed = replay(replace(replayed.hand, id="another name", game="elsewhere"))
    assert ledger_of(renamed, samples=SAMPLES, averages=known).terms == first.terms
    # More stocks bring the same ones first.
    assert list(valued_on(3)) == list(valued_on(9))[:3]
    assert stocks.order_of("a", 4) == stocks.order_of("a", 4)
    assert stocks.order_of("a", 4) != stocks.order_of("b", 4)


def test_cards_still_to_come_keep_their_order() -> None:
    """The stock of a number is the same for every contract, and after some of it is drawn."""
    rules = load_variant("pedro").rules(4)
    state = stocks.deal_at_random(rules, 0, random.Random(1))
    order = stocks.order_of("x", 0)
    stocks.lay_again(state, rules, order)
    laid = state.stock[: state.stock_size]
    assert stocks.the_rest(state, rules) == sum(1 << card for card in laid)
    gone = laid[3]
    state.stock_set &= ~(1 << gone)
    state.stock_size -= 1
    stocks.lay_again(state, rules, order)
    assert state.stock[: state.stock_size] == [card for card in laid if card != gone]


@pytest.mark.parametrize("variant", SYSTEMS)
def test_every_card_is_dealt_once(variant: str) -> None:
    ruleset = load_variant(variant)
    rules = ruleset.rules(min(ruleset.values["players"]))
    state = stocks.deal_at_random(rules, 0, random.Random(2))
    stocks.lay_again(state, rules, stocks.order_of("y", 1))
    parts = [*state.holding[: rules.seats], *state.reserve[: rules.seats], state.kitty]
    parts.append(state.stock_set)
    assert sum(each.bit_count() for each in parts) == rules.pack_size
    assert sum(parts) == rules.pack
    assert stocks.names_every_card(state, rules)


@pytest.mark.parametrize("variant", ["king-pedro", "sancho", "snoozer"])
def test_where_everything_is_known_nothing_is_left_to_chance(variant: str, folder: Path) -> None:
    """With all cards open a kitty is known once nothing else is undealt."""
    for replayed in at_random(variant, 3):
        seats = replayed.rules.seats
        ledger = ledger_of(replayed, samples=9, averages=averages(variant, seats, folder))
        draw = ledger.term("draw")
        assert draw.whose == "none"
        assert draw.amount.points == 0
        assert draw.amount.points_error == 0.0
        assert ledger.stocks == 1
        assert ledger.term("auction").amount.points_error == 0.0


def test_the_draw_brings_nothing_on_average() -> None:
    """It is what chance adds to the mean over chance: over deals it comes to 0 within its error."""
    found: list[float] = []
    solver: Solver | None = None
    for number in count():
        for replayed in of_bots("pidro", 12, seed=100 + number):
            solver = solver or Solver(replayed.rules)
            found.append(draw_of(replayed, solver))
        if len(found) >= scaled(30):
            break
    mean = sum(found) / len(found)
    spread = (sum((each - mean) ** 2 for each in found) / (len(found) - 1)) ** 0.5
    error = spread / len(found) ** 0.5
    assert spread > 1.5
    assert abs(mean) < 3 * error


def draw_of(replayed: Replay, solver: Solver) -> float:
    """Return what the draw brought the makers, with the choices in it taken out."""
    start = stocks.forget_the_record(replayed.state_at(0))
    valuer = Valuer(start, solver)
    maker = replayed.state_at(len(replayed.actions)).maker
    walked = Walk(replayed, valuer, side_of(replayed.rules, maker), valued_on(6))
    contract = walked.contract()
    chosen: list[Fraction] = []

    def enter(part: str, before: contracts.Worth, after: contracts.Worth, _: int | None) -> None:
        if part != "draw":
            steps = difference(after.points, before.points)
            chosen.append(sum(steps, Fraction(0)) / len(steps))

    walked.exchange(contract, enter)
    verbs = [each.verb in (Verb.PLAY, Verb.BURY) for each in replayed.actions]
    first = verbs.index(True)
    par = solver.value(replayed.state_at(first)).low
    return float(par - contract.mean - sum(chosen))


# --- The start
def test_averages_go_on_from_what_was_kept(tmp_path: Path) -> None:
    ruleset = load_variant("pidro")
    solver = Solver(ruleset.rules(4))
    first = Averages(ruleset, 4, folder=tmp_path)
    first.ensure(2, solver)
    (tmp_path / "file").touch()
    nowhere = Averages(ruleset, 4, folder=tmp_path / "file" / "averages")
    nowhere.ensure(first.deals, solver)
    assert nowhere.at(0) == first.at(0)
    again = Averages(ruleset, 4, folder=tmp_path)
    assert again.deals == 2
    again.ensure(4, solver)
    whole = Averages(ruleset, 4, folder=tmp_path / "other")
    whole.ensure(4, solver)
    assert [again.at(place) for place in (0, 1)] == [whole.at(place) for place in (0, 1)]
    assert again.at(0, 2) == first.at(0)
    assert again.deals == 4
    (tmp_path / next(tmp_path.glob("*.json")).name).write_text("no json")
    assert Averages(ruleset, 4, folder=tmp_path).deals == 0


def test_without_a_home_averages_are_worked_out_and_not_kept() -> None:
    def nowhere(*_: object, **__: object) -> Path:
        raise RuntimeError("no home")

    folder = users_folder(nowhere)
    found = Averages(load_variant("pedro"), 4, folder=folder / "averages")
    found.add([])
    assert (found.deals, folder.exists()) == (0, False)


def test_of_the_score_what_one_side_has_the_other_lacks(tmp_path: Path) -> None:
    ruleset = load_variant("pidro")
    found = Averages(ruleset, 4, folder=tmp_path)
    found.ensure(3, Solver(ruleset.rules(4)))
    dealers, others = found.at(0), found.at(1)
    assert dealers.score is not None
    assert others.score is not None
    assert dealers.score + others.score == 0
    assert dealers.of("points") + others.of("points") == ruleset.total_points
    # Places are counted from the dealer.
    rules = load_variant("sancho").rules(5)
    assert [place_of(rules, 3, seat) for seat in range(5)] == [2, 3, 4, 0, 1]
    partners = load_variant("pedro").rules(4)
    assert [place_of(partners, 3, seat) for seat in range(4)] == [1, 0, 1, 0]


# --- What has no ledger
def refusal(replayed: Replay) -> str:
    with pytest.raises(Refused) as caught:
        ledger_of(replayed, samples=1)
    return str(caught.value)


def test_records_without_a_whole_hand_have_no_ledger() -> None:
    (replayed,) = of_bots("pidro", 1)
    hand = replayed.hand
    assert "incomplete" in refusal(replay(replace(hand, actions=hand.actions[:-3], claimed=UNSET)))
    wrong = [*hand.actions[:-2], hand.actions[-1], hand.actions[-2]]
    assert "only valid hands" in refusal(replay(replace(hand, actions=wrong)))
    assert refusal(replay(replace(hand, deal=UNSET, stock=UNSET))).startswith("the record")
    # Nor has a deal thrown in.
    hand = dealt_hand("eighty-three", random.Random(3), None, 4)
    seats = [(hand.dealt_by + 1 + turn) % 4 for turn in range(4)]
    passed = replay(replace(hand, actions=[f"{seat} pass" for seat in seats]))
    assert "no card was played" in refusal(passed)


def test_where_more_points_score_worse_there_is_no_score(tmp_path: Path) -> None:
    """Who is set loses what they have taken (C18), so the more they take the more they lose."""
    options: Options = {"failed": "minus-points", "defenders": "nothing"}
    ruleset = ruleset_for("pidro", options)
    known = Averages(ruleset, 4, folder=tmp_path)
    known.ensure(1, Solver(ruleset.rules(4)))
    (replayed,) = at_random("pidro", 1, options)
    ledger = ledger_of(replayed, samples=2, averages=known)
    assert ledger.no_score is not None
    assert "worse score" in ledger.no_score
    assert_sums(ledger)
    assert ledger.result.points is not None


# --- How far means of few samples may be off (docs/ledger.md)
def test_points_of_student_are_those_of_printed_tables() -> None:
    """Two-sided points of 95 %."""
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 7: 2.365, 8: 2.306, 15: 2.131, 19: 2.093}
    table |= {39: 2.023, 120: 1.980}
    assert {freedom: student(freedom) for freedom in table} == pytest.approx(table, abs=6e-4)
    # One sample and equal ones leave nothing open.
    assert reach_of([5]) == reach_of([]) == reach_of([3, 3, 3]) == 0
    assert reach(1.0, 1) == 0
    # With many samples it comes near the normal distribution.
    reaches = [reach(1.0, count) for count in (2, 8, 40, 1_000, 1_000_000)]
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[-1] == pytest.approx(1.96, abs=1e-3)


def test_of_eight_stocks_95_of_100_means_are_within_reach() -> None:
    """With 1.96 standard errors it would be 91."""
    chance = random.Random(8)
    tries, within, as_normal = 4_000, 0, 0
    for _ in range(tries):
        stocks = [chance.gauss(3, 2) for _ in range(8)]
        off = abs(sum(stocks) / 8 - 3)
        within += off <= reach_of(stocks)
        as_normal += off <= 1.96 * error_of(stocks)
    assert within / tries == pytest.approx(0.95, abs=0.012)
    assert as_normal / tries < 0.925
