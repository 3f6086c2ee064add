"""What calls were worth: each as the last one, with all cards open."""

from functools import cache
from unittest.mock import patch

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tricklog import Action, Replay, Verb, generate, replay
from tricklog.core.study import Refused, Solver, contracts
from tricklog.core.study.contracts import CallWorth, CallWorths, Valuer, call_worths
from tricklog.core.study.ledger import in_tenths
from tricklog.dashboard.pages.practice.worked_out import cost_shown

SAMPLES = 4


@pytest.fixture(scope="module", autouse=True)
def quick() -> object:
    with patch.object(contracts, "_HALVINGS", (1, 1, 1)):
        yield


@cache
def played(variant: str) -> tuple[Replay, Solver]:
    replayed = replay(next(iter(generate(variant, games=1, seed=5))))
    return replayed, Solver(replayed.rules)


def worths_at(variant: str, index: int, *actions: Action) -> CallWorths:
    replayed, solver = played(variant)
    return call_worths(replayed, index, actions, solver=solver, samples=SAMPLES)


def one(worths: CallWorths, verb: Verb, amount: int = 0) -> CallWorth:
    return next(
        each
        for each in worths.calls
        if (each.action.verb, each.action.amount if verb != Verb.PASS else 0) == (verb, amount)
    )


def bids(seat: int, *numbers: int) -> list[Action]:
    return [Action(seat, Verb.BID, number) for number in numbers]


def test_a_pass_is_worth_the_contract_that_stands() -> None:
    """What the bidder's side gets by it the other side loses (4.auction)."""
    first = played("pidro")[0].actions[0]
    bid = one(worths_at("pidro", 0, first), Verb.BID, first.amount)
    passes = [
        one(worths_at("pidro", at, Action((first.seat + at) % 4, Verb.PASS)), Verb.PASS)
        for at in (1, 2, 3)
    ]
    assert [each.value for each in passes] == pytest.approx([-bid.value, bid.value, -bid.value])


def test_a_higher_bid_is_never_worth_more() -> None:
    seat = played("pidro")[0].actions[0].seat
    found = worths_at("pidro", 0, *bids(seat, 6, 8, 10, 12))
    values = [each.value for each in found.calls]
    assert values == sorted(values, reverse=True)
    assert (found.unit, found.stocks) == ("score", SAMPLES)
    # Asking again gives the same, and calls without a number have no worth.
    assert worths_at("pidro", 0, *bids(seat, 7, 9)) == worths_at("pidro", 0, *bids(seat, 7, 9))
    assert worths_at("pidro", 0, Action(seat, Verb.DOUBLE)).calls == ()


def test_what_costs_nothing_is_the_call_that_looked_best() -> None:
    seat = played("king-pedro")[0].actions[0].seat
    found = worths_at("king-pedro", 0, Action(seat, Verb.PASS), *bids(seat, 30, 40, 60))
    best = max(each.value for each in found.calls)
    assert found.stocks == 1
    for each in found.calls:
        assert each.reach == each.cost_reach == 0
        assert each.cost == pytest.approx(best - each.value)
    # With cards to draw as well: both are means over the same stocks, and shown in tenths.
    seat = played("pidro")[0].actions[0].seat
    found = worths_at("pidro", 0, Action(seat, Verb.PASS), *bids(seat, 6, 8, 10, 12))
    assert found.stocks == SAMPLES
    best, *_ = (each.value for each in found.calls if each.cost == 0)
    assert len({each.value for each in found.calls}) > 1
    for each in found.calls:
        assert each.cost == best - each.value
        assert cost_shown(each) == in_tenths(best) - in_tenths(each.value)


def test_the_best_call_is_found_on_stocks_that_value_none() -> None:
    """So its worth is no maximum: the numbers of both kinds of stocks do not meet."""
    replayed, solver = played("pidro")
    seat = replayed.actions[0].seat
    seen: list[tuple[int, ...]] = []
    worth = Valuer.worth

    def noted(self: Valuer, state: object, side: int, numbers: range, *more: object) -> object:
        seen.append(tuple(numbers))
        return worth(self, state, side, numbers, *more)  # type: ignore[arg-type]

    with patch.object(Valuer, "worth", noted):
        found = call_worths(replayed, 0, bids(seat, 7), solver=solver, samples=SAMPLES)
    assert found.stocks == SAMPLES
    assert max(map(len, seen)) == SAMPLES + SAMPLES // 2


def test_a_suit_is_worth_what_the_solver_makes_of_it() -> None:
    """All cards are dealt before the auction, so nothing is left to chance (8.trump)."""
    replayed, solver = played("king-pedro")
    index = next(at for at, each in enumerate(replayed.actions) if each.verb == Verb.TRUMP)
    named = replayed.actions[index]
    found = worths_at("king-pedro", index, *[Action(named.seat, Verb.TRUMP, x) for x in range(4)])
    assert len({each.value for each in found.calls}) > 1
    again = call_worths(replayed, index, [named], solver=solver, samples=SAMPLES)
    assert again.calls[0].value == one(found, Verb.TRUMP, named.amount).value
    assert again.calls[0].cost == 0


def test_a_record_that_does_not_name_every_card_is_refused() -> None:
    hand = played("pidro")[0].hand
    assert hand.deal is not UNSET
    hidden = [*hand.deal[:3], " ".join("?" * 9)]
    cut = replay(replace(hand, deal=hidden, actions=hand.actions[:1], claimed=UNSET))
    with pytest.raises(Refused, match="name every card"):
        call_worths(cut, 0, [cut.actions[0]])
