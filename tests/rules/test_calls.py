"""Auctions: what the cases cannot show in one position (docs/rules, the auction of each system)."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from replay import BadRecord, Replay, Verdict, replay, variants
from replay.engine import engine
from replay.engine.policies import Phase
from replay.engine.records import Rules, State
from schemas.actions import BID_28_56, BID_DOUBLE, Verb, format_action
from schemas.hand import Hand, OptionValue
from tests.kit.random_play import HOUSE_RULES, together
from tests.kit.sound_hands import PEDRO_DEAL, PEDRO_EXCHANGE, PEDRO_STOCK, TRUMP_TRICKS
from tests.kit.support import (
    Options,
    auction_table,
    do,
    hand_of,
    judged,
    legal_now,
    plays,
    rules_of,
)

OTHER_RULES: list[Options] = [
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
        assert offered == (judged(state, rules, format_action(seat, Verb.BID, amount)) == [])
    for verb in (Verb.PASS, Verb.DITTO):
        offered = options.verbs >> verb & 1 == 1
        assert offered == (judged(state, rules, format_action(seat, verb)) == [])


def random_call(state: State, rules: Rules, chance: random.Random) -> str:
    options = engine.legal(state, rules, state.turn)
    bids = sorted({options.low, options.high, options.top, options.special} - {0})
    calls = [format_action(state.turn, Verb.BID, bid) for bid in bids]
    others = [verb for verb in (Verb.PASS, Verb.DITTO) if options.verbs >> verb & 1]
    calls += [format_action(state.turn, verb) for verb in others]
    return chance.choice(calls)


@pytest.mark.parametrize("variant", variants())
def test_what_is_offered_is_judged_legal_and_nothing_else(variant: str) -> None:
    chance = random.Random(variant)
    kinds = set()
    for _ in range(25):
        mixed = [*HOUSE_RULES[variant], *OTHER_RULES]
        rules = rules_of(variant, together(variant, chance.sample(mixed, 4)))
        state = auction_table(rules, dealer=chance.randrange(4))
        for _ in range(60):
            if state.phase != Phase.AUCTION:
                break
            check_calls(state, rules)
            text = random_call(state, rules, chance)
            kinds.add(text.split(" ")[1])
            assert do(state, rules, text) == []
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
        replay(hand_of("pedro", [f"0 bid {bid}"]))


# --- Calls out of turn


def test_a_forced_dealer_who_passed_too_early_is_forced_all_the_same() -> None:
    rules = rules_of("pedro")
    state = auction_table(rules)
    assert do(state, rules, "0 pass") == []
    assert do(state, rules, "3 pass") == ["bid-out-of-turn"]
    assert do(state, rules, "1 pass") == []
    assert do(state, rules, "2 pass") == []
    assert (state.turn, legal_now(state, rules)) == (3, "7-7")


def test_s85_so_is_the_last_to_speak_where_the_dealer_begins() -> None:
    rules = rules_of("twenty-nine", {"first_caller": "dealer", "first_leader": "dealer"})
    state = auction_table(rules)
    assert do(state, rules, "3 pass") == []
    assert do(state, rules, "2 pass") == ["bid-out-of-turn"]
    assert do(state, rules, "0 pass") == []
    assert do(state, rules, "1 pass") == []
    assert (state.turn, legal_now(state, rules)) == (2, "15-15")


def test_o58_a_seat_skipped_in_a_duel_may_still_call() -> None:
    rules = rules_of("bangladesh")
    state = auction_table(rules)
    assert do(state, rules, "2 bid 16") == []
    assert do(state, rules, "3 bid 17") == ["bid-out-of-turn"]
    assert state.turn == 2
    assert do(state, rules, "1 bid 18") == []
    assert do(state, rules, "2 pass") == []
    assert (state.turn, state.maker) == (0, 1)


def test_o58_a_pass_before_ones_turn_leaves_the_turn_where_it_was() -> None:
    rules = rules_of("bangladesh")
    state = auction_table(rules)
    assert do(state, rules, "2 bid 16") == []
    assert do(state, rules, "0 pass") == ["bid-out-of-turn"]
    assert state.turn == 1
    assert do(state, rules, "1 pass") == []
    assert do(state, rules, "3 pass") == []
    assert (state.phase, state.maker) == (Phase.TRUMP, 2)


# --- 28-56 on cards that the record leaves open


def doubt_after(hand: str, trumps: str = "S") -> tuple[list[str], int]:
    rules = rules_of("pedro", {"special_bid": "dealer-28-56"})
    state = auction_table(rules, {3: hand})
    for text in ("0 pass", "1 pass", "2 pass", "3 bid 28-56"):
        assert do(state, rules, text) == []
    return do(state, rules, f"3 trump {trumps}"), state.doubt


@pytest.mark.parametrize(
    ("hand", "doubt"),
    [
        ("AS KS 2S 9S AH KH 3H 4D 5C", 0),
        ("AS KS 2S", 0),
        ("AS KS 9S AH KH 3H 4D 5C", 1),
        ("", 1),
    ],
)
def test_o04_28_56_is_in_doubt_where_the_three_cards_are_not_all_named(
    hand: str, doubt: int
) -> None:
    assert doubt_after(hand) == ([], doubt)


def test_s16_who_has_no_such_suit_named_another_is_one_finding() -> None:
    # One card is open: the two of spades, or that of hearts, but no suit lacks just one besides.
    hand = "AS KS 9S AH KH 3H 4D 5C"
    assert doubt_after(hand, "H") == ([], 1)
    assert doubt_after(hand, "D") == (["bid-not-allowed"], 0)
    rules = rules_of("pedro", {"special_bid": "dealer-28-56"})
    state = auction_table(rules)
    assert do(state, rules, "0 bid 28-56") == ["bid-not-allowed"]
    for text in ("1 pass", "2 pass", "3 pass", "0 trump S"):
        assert do(state, rules, text) == []
    assert state.doubt == 0


# --- Whole hands


def dealers_hand(bid: str, trumps: str = "S", **options: OptionValue) -> Hand:
    """The sound Pedro hand with seat 0 as the dealer, who has ace, king and two of spades."""
    last = plays("0 2S 1 9S 2 5C 3 QH", "1 KC 2 9H 3 KH 0 TS", "0 KS 1 AC 2 TH 3 AH")
    actions = [
        *("1 pass", "2 pass", "3 pass", f"0 bid {bid}", f"0 trump {trumps}"),
        *PEDRO_EXCHANGE[1:4],
        PEDRO_EXCHANGE[0],
        *PEDRO_EXCHANGE[4:],
        "3 draw QH KH AH 8D",
        *plays(*TRUMP_TRICKS),
        *last,
        *plays("0 QS 1 8H 2 JH 3 8D"),
    ]
    return hand_of(
        "pedro",
        actions,
        options=options or {"special_bid": "dealer-28-56"},
        dealer=0,
        deal=PEDRO_DEAL,
        stock=PEDRO_STOCK,
    )


def told(replayed: Replay) -> str:
    from replay.render.sentences import result_text

    return result_text(replayed)[0]


def test_o04_28_56_set_costs_twenty_eight() -> None:
    replayed = replay(dealers_hand("28-56"))
    outcome = replayed.outcome
    assert outcome is not None
    assert (replayed.verdict, outcome.result) == (Verdict.VALID, "set")
    assert (outcome.points, outcome.change, outcome.need) == ((9, 5), (-28, 5), 14)
    # The forced dealer chose the bid freely.
    assert (outcome.bid, outcome.forced) == (BID_28_56, False)
    assert (
        told(replayed) == "ann bid 28-56 with spades as trumps and was set: 9 points of 14 needed."
    )


def test_s10_the_forced_bid_is_distinguished_from_one_that_was_chosen() -> None:
    forced = replay(dealers_hand("7")).outcome
    assert forced is not None
    assert (forced.bid, forced.forced, forced.change) == (7, True, (9, 5))
    slam = replay(dealers_hand("14", slam="double-if-made")).outcome
    assert slam is not None
    assert (slam.bid, slam.forced, slam.change) == (14, False, (-14, 5))


def test_o54_a_ditto_is_a_call_with_the_number_it_holds() -> None:
    calls = ["0 bid 16", "1 ditto", "2 pass", "3 pass", "0 pass"]
    replayed = replay(hand_of("twenty-nine", calls, options={"ditto": "anyone"}))
    assert [(call.verb, call.amount) for call in replayed.calls[:2]] == [
        (Verb.BID, 16),
        (Verb.DITTO, 16),
    ]
    assert replayed.at(5).maker == 1
    assert replayed.at(1).choice.sentence == "bo may bid 17 to 28, say ditto or pass."
    assert replayed.at(1).choice.verbs == ("bid", "pass", "ditto")


# --- Words


def messages(variant: str, calls: list[str], **options: OptionValue) -> Iterator[tuple[str, str]]:
    for finding in replay(hand_of(variant, calls, options=options)).findings:
        yield finding.legal, finding.message


PASSES = ["0 pass", "1 pass", "2 pass"]


@pytest.mark.parametrize(
    ("variant", "calls", "options", "legal", "message"),
    [
        (
            "pedro",
            [*PASSES, "3 bid 8"],
            {"special_bid": "dealer-28-56", "slam": "double-if-made"},
            "7-7 14 28-56",
            "dee bid 8, but after the passes of all others must bid 7, 14 or 28-56.",
        ),
        (
            "twenty-nine",
            ["3 pass", "0 pass", "1 pass", "2 pass"],
            {"first_caller": "dealer", "first_leader": "dealer"},
            "15-15",
            "cy passed, but after the passes of all others must bid 15.",
        ),
        (
            "twenty-nine",
            ["0 ditto"],
            {"ditto": "anyone"},
            "15-28 pass",
            "ann said ditto, but there is no bid to hold.",
        ),
        (
            "twenty-nine",
            ["0 bid 16", "1 ditto", "2 ditto"],
            {"ditto": "anyone"},
            "17-28 pass",
            "cy said ditto, but may not hold the bid of 16.",
        ),
        (
            "bangladesh",
            ["2 bid 16", "1 bid 17", "2 pass", "2 ditto"],
            {},
            "",
            "cy said ditto after a pass, and a pass is final.",
        ),
        (
            "eighty-three",
            ["0 bid 83-double", "1 bid 83"],
            {},
            "pass",
            "bo bid 83, which does not go over the standing bid of 83-double.",
        ),
        (
            "eighty-three",
            ["0 bid 40-double"],
            {},
            "30-83 83-double pass",
            "ann bid 40-double, a bid this game does not have.",
        ),
        (
            "pedro",
            ["0 bid 28-56"],
            {"special_bid": "dealer-28-56"},
            "7-14 pass",
            "ann bid 28-56, a bid only for a dealer who holds ace, king and two of trumps.",
        ),
        (
            "cinch",
            [*PASSES, "3 pass", "0 trump S"],
            {},
            "",
            "ann named trumps, which was dee's to do.",
        ),
    ],
)
def test_findings_about_calls_say_what_was_called_and_what_was_legal(
    variant: str, calls: list[str], options: dict[str, OptionValue], legal: str, message: str
) -> None:
    assert list(messages(variant, calls, **options)) == [(legal, message)]


def test_s16_a_suit_named_on_the_cards_of_another_is_reported_with_the_bid() -> None:
    replayed = replay(dealers_hand("28-56", "H"))
    first = replayed.findings[0]
    assert (first.code, first.legal, first.rule) == ("bid-not-allowed", "S", "O04 1.auction")
    assert first.facts["bid"] == "28-56"
    assert first.facts["named"] == "H"
    assert first.message == (
        "ann named hearts after 28-56, "
        "a bid only for a dealer who holds ace, king and two of trumps."
    )
    assert replayed.at(4).choice.sentence == "ann is to name trumps: spades."


def test_the_sentence_of_a_choice_names_special_bids() -> None:
    actions = ["0 bid 83", "1 pass"]
    view = replay(hand_of("eighty-three", actions)).at(2)
    assert view.choice.sentence == "cy may bid 83-double or pass."
    assert (view.choice.low, view.choice.high) == (0, 0)
    assert view.choice.other_bids == (BID_DOUBLE + 83,)
    forced = replay(replace(dealers_hand("28-56"), actions=["1 pass", "2 pass", "3 pass"])).at(3)
    assert forced.choice.sentence == "ann must bid 7 or 28-56."
