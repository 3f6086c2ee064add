"""Par of the auction: best contracts, who has it at which number, and what was bid beside it."""

import random
from fractions import Fraction
from itertools import product

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.random_play import dealt_hand
from tests.kit.support import hand_of, rules_of
from tricklog import Hand, Replay, replay
from tricklog.core.engine.policies import AllPass
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused, Solver, contracts, stocks
from tricklog.core.study.contracts import AuctionPar, Contract, SideContract, Valuer, Worth
from tricklog.core.study.exchange import name_trumps, plays_on
from tricklog.core.study.ledger import auction_par_of
from tricklog.schemas.cards import CARD_NAMES, parse_cards


def side(
    rules: Rules, number: int, most: int, mean: int | None = None, maker: int | None = None
) -> SideContract:
    """A side's best contract that makes ``most`` on half of the stocks."""
    worth = Worth((most if mean is None else mean,), ())
    contract = Contract(number if maker is None else maker, 2, max(rules.min_bid, most))
    return SideContract(number, contract, most, most, worth)


def dealt(variant: str, seed: int = 1) -> Hand:
    return dealt_hand(variant, random.Random(seed), None, 4)


def replayed(hand: Hand, *actions: str) -> Replay:
    return replay(replace(hand, actions=list(actions), claimed=UNSET))


def passes(hand: Hand) -> list[str]:
    return [f"{(hand.dealt_by + 1 + turn) % 4} pass" for turn in range(4)]


# --- Who has the auction, and at which number
@pytest.mark.parametrize(
    ("mosts", "winner", "number"),
    [
        ((12, 9), 0, 10),
        ((9, 12), 1, 10),
        ((12, 2), 0, 7),
        ((12, 11), 0, 12),
        ((14, 6), 0, 7),
        ((7, 0), 0, 7),
    ],
)
def test_the_number_outbids_the_others(mosts: tuple[int, int], winner: int, number: int) -> None:
    rules = rules_of("pedro")
    best = [side(rules, place, most) for place, most in enumerate(mosts)]
    assert contracts.par_contract(rules, State(), best) == Contract(winner, 2, number)


def test_of_two_that_make_as_much_the_contract_worth_more_has_it() -> None:
    rules = rules_of("pedro")
    best = [side(rules, 0, 10, mean=10), side(rules, 1, 10, mean=11)]
    assert contracts.par_contract(rules, State(), best) == Contract(1, 2, 10)
    # Where nobody can make a bid nobody bids unless somebody has to.
    thrown_in = rules_of("eighty-three")
    assert thrown_in.all_pass == AllPass.THROWN_IN
    best = [side(thrown_in, 0, 20), side(thrown_in, 1, 3)]
    assert contracts.par_contract(thrown_in, State(), best) is None
    forced = rules_of("pedro")
    best = [side(forced, 0, 4, maker=2), side(forced, 1, 5)]
    lowest = Contract(2, 2, forced.forced_bid)
    assert contracts.par_contract(forced, State(dealer=0), best) == lowest
    # Where each plays alone one has to outbid all others.
    rules = rules_of("sancho")
    best = [side(rules, 0, 9), side(rules, 1, 12), side(rules, 2, 10), side(rules, 3, 1)]
    assert contracts.par_contract(rules, State(), best) == Contract(1, 2, 11)
    assert contracts.lowest_winning(rules, best[0], best) == Contract(0, 2, 9)


# --- Hands
def test_the_best_contract_is_the_best_of_all_where_nothing_is_left_to_chance() -> None:
    """Each maker and each suit, with everything dealt, valued one by one."""
    rules = rules_of("sancho")
    solver = Solver(rules)
    for seed in range(4):
        start = stocks.deal_at_random(rules, seed, random.Random(seed))
        valuer = Valuer(start, solver)
        values = {}
        for maker, trump in product(range(4), range(4)):
            state = contracts.with_contract(start, rules, Contract(maker, trump, 5))
            name_trumps(state, rules, trump)
            (state,) = plays_on(state, rules, stocks.order_of("x", 0))
            values[maker, trump] = solver.value(state).low
        for seat in range(4):
            found = contracts.best_of_side(valuer, seat, samples=5)
            own = max(values[seat, trump] for trump in range(4))
            assert (found.most, found.ever) == (min(own, rules.max_bid), own)
            assert found.worth.mean == own
            assert values[found.contract.maker, found.contract.trump] == own


def test_who_holds_all_trumps_makes_everything() -> None:
    """The side of seat 0 holds all spades that count and most others."""
    ours, partners = "AS KS QS JS TS 9S 8S 7S 6S", "5S 4S 3S 2S 5C AH KH QH JH"
    rest = [*{*CARD_NAMES[:52]} - {*ours.split(), *partners.split()}]
    rest.sort()
    random.Random(4).shuffle(rest)
    deal = [ours, " ".join(rest[:9]), partners, " ".join(rest[9:18])]
    called = ["0 bid 8", "1 pass", "2 pass", "3 pass"]
    played = replay(hand_of("pedro", called, deal=deal, stock=" ".join(rest[18:])))
    state = stocks.forget_the_record(played.state_at(0))
    rules = played.rules
    valuer = Valuer(state, Solver(rules))
    found = contracts.best_of_side(valuer, side_of(rules, 0), samples=8)
    assert (found.most, found.ever, found.worth.mean) == (14, 14, Fraction(14))
    assert found.contract.trump == parse_cards("AS")[0] // 13


@pytest.mark.parametrize(
    ("bid", "over", "is_beyond", "is_passed"),
    [(11, 2, False, False), (13, 4, True, False), (7, -2, False, False), (0, None, False, True)],
)
def test_what_was_bid_is_held_against_what_could_be_made(
    bid: int, over: int | None, *, is_beyond: bool, is_passed: bool
) -> None:
    """Nine could be made, and twelve with what others did."""
    rules = rules_of("pedro")
    best = (SideContract(0, Contract(0, 1, 9), 9, 12, Worth((9,), ())), side(rules, 1, 5))
    par = AuctionPar(best[0].contract, True, best, 8, 0 if bid else -1, bid)  # noqa: FBT003
    assert (par.over(rules), par.beyond_all_play(rules)) == (over, is_beyond)
    assert par.passed_out == is_passed


def test_a_deal_passed_out_has_a_par_if_it_is_known() -> None:
    hand = dealt("eighty-three")
    thrown_in = replayed(hand, *passes(hand))
    found = auction_par_of(thrown_in, samples=2)
    assert (found.maker, found.bid) == (-1, 0)
    assert found.passed_out == any(each.most >= thrown_in.rules.min_bid for each in found.best)
    hand = dealt("eighty-three")
    unknown = replace(hand, deal=UNSET, kitty=UNSET, stock=UNSET)
    with pytest.raises(Refused, match="does not name every card"):
        auction_par_of(replayed(unknown, *passes(hand)))
    with pytest.raises(Refused, match="incomplete"):
        auction_par_of(replayed(hand, *passes(hand)[:2]))


def test_the_same_stock_is_dealt_to_every_contract() -> None:
    """So that what differs between two contracts is the contract and never the stock."""
    rules = rules_of("pedro")
    start = stocks.deal_at_random(rules, 0, random.Random(9))
    valuer = Valuer(start, Solver(rules))
    seen: dict[int, set[tuple[int, ...]]] = {}
    for trump in (0, 3):
        for number in range(3):
            state = contracts.with_contract(start, rules, Contract(1, trump, 8))
            stocks.lay_again(state, rules, valuer.order(number))
            laid = tuple(state.stock[: state.stock_size])
            seen.setdefault(number, set()).add(laid)
    assert all(len(each) == 1 for each in seen.values())
    assert len({each for laid in seen.values() for each in laid}) == 3
    before = copy_state(start)
    contracts.worth_of_contract(valuer, Contract(1, 0, 8), 1, range(2))
    assert start == before
