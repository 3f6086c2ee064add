"""Auctions: what the cases cannot show in one position (docs/rules, the auction of each system)."""

import random

import pytest

from tests.kit import support
from tests.kit.random_play import HOUSE_RULES, together
from tests.kit.tiers import some
from tricklog.core import BadRecord, replay, variants
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.schemas.actions import BID_28_56, BID_DOUBLE, Verb, format_action

OTHER_RULES: list[support.Options] = [
    {"first_caller": "dealer"},
    {"direction": "anticlockwise"},
    {"auction": "rounds", "pass_final": False},
    {"auction": "rounds", "pass_final": True},
    {"auction": "duel"},
    {"all_pass": "no-contract"},
    {"all_pass": "dealer-forced"},
    {"all_pass": "thrown-in"},
    {"slam": "double-if-made"},
    {"special_bid": "double"},
    {"special_bid": "dealer-28-56"},
    {"ditto": "anyone"},
    *({"equal_bid": value} for value in ("dealer", "anyone", "anyone-at-maximum")),
]


# --- Offered and judged
def amounts(state: State, rules: Rules) -> set[int]:
    """Return bids around every limit there is, and the special ones."""
    near = {rules.min_bid, rules.max_bid, rules.forced_bid, state.high_bid}
    numbers = {number + step for number in near for step in (-1, 0, 1)}
    special = {BID_28_56, BID_DOUBLE + rules.max_bid, BID_DOUBLE + rules.max_bid - 1}
    return {number for number in numbers if 1 <= number <= 999} | special


def check_calls(state: State, rules: Rules) -> None:
    """What the seat to speak is offered has no fault, and all else has one."""
    seat = state.turn
    options = engine.legal(state, rules, seat)
    for amount in amounts(state, rules):
        offered = options.low <= amount <= options.high or amount in (options.top, options.special)
        offered &= options.verbs >> Verb.BID & 1 == 1
        assert offered == (
            support.judged(state, rules, format_action(seat, Verb.BID, amount)) == []
        )
    for verb in (Verb.PASS, Verb.DITTO):
        offered = options.verbs >> verb & 1 == 1
        assert offered == (support.judged(state, rules, format_action(seat, verb)) == [])


def random_call(state: State, rules: Rules, chance: random.Random) -> str:
    options = engine.legal(state, rules, state.turn)
    bids = sorted({options.low, options.high, options.top, options.special} - {0})
    calls = [format_action(state.turn, Verb.BID, bid) for bid in bids]
    others = [verb for verb in (Verb.PASS, Verb.DITTO) if options.verbs >> verb & 1]
    calls += [format_action(state.turn, verb) for verb in others]
    return chance.choice(calls)


@pytest.mark.parametrize("variant", some(variants(), 5))
def test_what_is_offered_is_judged_legal_and_nothing_else(variant: str) -> None:
    chance = random.Random(variant)
    kinds = set()
    for _ in range(25):
        mixed = [*HOUSE_RULES[variant], *OTHER_RULES]
        rules = support.rules_of(variant, together(variant, chance.sample(mixed, 4)))
        state = support.auction_table(rules, dealer=chance.randrange(4))
        for _ in range(60):
            if state.phase != Phase.AUCTION:
                break
            check_calls(state, rules)
            text = random_call(state, rules, chance)
            kinds.add(text.split(" ")[1])
            assert support.do(state, rules, text) == []
        # Even an auction of many rounds comes to its end: every round but the last goes higher.
        assert state.phase != Phase.AUCTION or state.high_bid < rules.max_bid
        check_ending(state, rules)
    assert {"bid", "pass"} <= kinds


def check_ending(state: State, rules: Rules) -> None:
    if state.thrown_in:
        assert (state.maker, state.high_bid, state.turn) == (-1, 0, -1)
    elif state.no_contract:
        assert (state.maker, state.high_bid, state.turn) == (state.dealer, 0, state.dealer)
    elif state.phase == Phase.TRUMP:
        assert state.turn == state.maker
        assert state.holders >> state.maker & 1
        assert state.high_bid >= min(rules.min_bid, rules.forced_bid)


# --- Numbers
@pytest.mark.parametrize("bid", ["0", "7.5", "-7", "07", "28-57", "1000"])
def test_s06_bids_are_whole_numbers_above_nothing(bid: str) -> None:
    with pytest.raises(BadRecord):
        replay(support.hand_of("pedro", [f"0 bid {bid}"]))


# --- Whole hands
def test_o54_a_ditto_is_a_call_with_the_number_it_holds() -> None:
    calls = ["0 bid 16", "1 ditto", "2 pass", "3 pass", "0 pass"]
    replayed = replay(support.hand_of("twenty-nine", calls, options={"ditto": "anyone"}))
    assert [(call.verb, call.amount) for call in replayed.calls[:2]] == [
        (Verb.BID, 16),
        (Verb.DITTO, 16),
    ]
    assert replayed.at(5).maker == 1
    assert replayed.at(1).choice.sentence == "bo may bid 17 to 28, say ditto or pass."
    assert replayed.at(1).choice.verbs == ("bid", "pass", "ditto")
