"""What is noted of each call: what was called, over whose bid, what else might have been."""

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.random_play import random_hand, some_options
from tests.kit.support import hand_of, rules_of
from tests.kit.tiers import scaled
from tests.reference_engine.auction import legal_calls, next_caller
from tests.reference_engine.table import tables_of
from tricklog.core import Replay, replay, variants
from tricklog.core.engine import facts as noted
from tricklog.core.engine.facts import NOT_KNOWN, SeatFacts, rank_of_trump
from tricklog.core.engine.rules.history import NOBODY
from tricklog.schemas.actions import BID_28_56, BID_DOUBLE, VERB_NAMES, Verb
from tricklog.schemas.cards import TRUMP_RANKS, mask_of, parse_card, parse_cards

Facts = tuple[int, str, int, int | None, int, bool]
"""Seat, what it called, amount, whose bid stood, lowest number, whether there was a choice."""


def facts_of(replayed: Replay) -> list[Facts]:
    place = replayed.workspace
    history = place.history
    return [
        (
            noted.caller(place, call),
            VERB_NAMES[Verb(place.actions[history.call_action[call]].verb)],
            history.call_amount[call],
            nobody_or(history.call_standing[call]),
            history.call_lowest[call],
            history.call_choice[call] == 1,
        )
        for call in range(history.calls)
    ]


def nobody_or(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def called(variant: str, *actions: str, **options: Any) -> list[Facts]:  # noqa: ANN401 - any policy
    return facts_of(replay(hand_of(variant, actions, options=options)))


PASSES = ("0 pass", "1 pass", "2 pass")


# --- What was called


def test_a_turn_each() -> None:
    assert called("pedro", "0 bid 7", "1 pass", "2 bid 9", "3 pass") == [
        (0, "bid", 7, None, 7, True),
        (1, "pass", 0, 0, 8, True),
        (2, "bid", 9, 0, 8, True),
        (3, "pass", 0, 2, 10, True),
    ]


def test_o54_a_ditto_has_the_amount_it_holds_and_stands_from_then_on() -> None:
    said = ("0 bid 16", "1 ditto", "2 pass", "3 bid 17")
    assert called("twenty-nine", *said, ditto="anyone") == [
        (0, "bid", 16, None, 15, True),
        (1, "ditto", 16, 0, 17, True),
        (2, "pass", 0, 1, 17, True),
        (3, "bid", 17, 1, 17, True),
    ]


@pytest.mark.parametrize(
    ("actions", "due"),
    [
        # Before the auction anybody may call it, and nobody has to.
        (["2 tenny"], [(2, "tenny", 0, None, 0, True)]),
        (["0 pass", "1 tenny"], [(0, "pass", 0, None, 16, True), (1, "tenny", 0, None, 16, True)]),
        # Out of turn, once the auction has begun; and late, after being passed over.
        (["0 bid 16", "2 tenny"], [(0, "bid", 16, None, 16, True), (2, "tenny", 0, 0, 0, False)]),
        (
            ["0 bid 16", "2 pass", "1 tenny"],
            [
                (0, "bid", 16, None, 16, True),
                (2, "pass", 0, 0, 0, False),
                (1, "tenny", 0, 0, 17, True),
            ],
        ),
    ],
)
def test_s95_tenny(actions: list[str], due: list[Facts]) -> None:
    assert called("lucknow", *actions) == due


def test_o46_a_single_hand_announced_after_the_auction_is_no_call() -> None:
    said = ("0 bid 16", "1 pass", "2 pass", "3 pass", "0 trump S", "0 solo")
    assert len(called("twenty-nine", *said, solo="partner-hidden")) == len(said) - 2


def test_bids_of_one_game_above_all_numbers() -> None:
    said = ("0 bid 83", "1 bid 83-double", "2 pass", "3 pass", "0 pass")
    assert called("eighty-three", *said) == [
        (0, "bid", 83, None, 30, True),
        # No number is left, but they may double the highest one.
        (1, "bid", BID_DOUBLE + 83, 0, 0, True),
        (2, "pass", 0, 1, 0, False),
        (3, "pass", 0, 1, 0, False),
        (0, "pass", 0, 1, 0, False),
    ]


@pytest.mark.parametrize(
    ("cards", "has_choice"),
    [
        ("AS KS 2S 3S 4S 5S 6S 7S 8S", True),
        ("AS KS 2H 3S 4S 5S 6S 7S 8S", False),
        ("? ? ? ? ? ? ? ? ?", True),
        ("? ? 2H 3H 4H 5H 6H 7H 8H", True),
        ("? 3S 2H 3H 4H 5H 6H 7H 8H", False),
    ],
)
def test_o04_28_56_is_a_choice_of_the_dealer_who_may_hold_the_cards(
    cards: str, *, has_choice: bool
) -> None:
    others = (
        "9S 9H 9D 9C TS TH TD TC 8C",
        "7D 7C 6D 6C 4D 4C 3D 3C 8D",
        "QS QH QD QC JS JH JD JC 9S",
    )
    hand = hand_of(
        "pedro",
        ["0 bid 14", "1 pass", "2 pass", "3 bid 28-56" if has_choice else "3 pass"],
        options={"special_bid": "dealer-28-56"},
        deal=[*others, cards],
    )
    found = facts_of(replay(hand))
    assert [each[-1] for each in found] == [True, False, False, has_choice]
    assert found[-1][2] == (BID_28_56 if has_choice else 0)
    assert found[-1][3:5] == (0, 0)


# --- What might have been called


@pytest.mark.parametrize(
    ("options", "bid", "due"),
    [
        ({}, 7, (7, False)),
        ({"slam": "double-if-made"}, 7, (7, True)),
        ({"all_pass": "dealer-at-least"}, 9, (7, True)),
        ({"special_bid": "double"}, 7, (7, True)),
        # Who bids a wrong number had the same choice.
        ({}, 9, (7, False)),
    ],
)
def test_s10_o65_the_choice_of_a_forced_dealer(
    options: Mapping[str, str], bid: int, due: tuple[int, bool]
) -> None:
    found = called("pedro", *PASSES, f"3 bid {bid}", **options)
    assert [each[2:] for each in found[:3]] == [(0, None, 7, True)] * 3
    assert found[3] == (3, "bid", bid, None, *due)


def test_o70_a_forced_first_speaker_had_a_choice_only_the_first_time() -> None:
    said = (*PASSES, "3 pass", "0 bid 15")
    hand = hand_of("twenty-nine", said, options={"all_pass": "first-forced"})
    found = facts_of(replay(hand))
    assert [each[-2:] for each in found] == [*[(15, True)] * 4, (15, False)]


@pytest.mark.parametrize(
    ("equal_bid", "bid", "lowest"),
    [
        ("nobody", 9, 10),
        ("dealer", 9, 9),
        ("dealer-at-maximum", 9, 10),
        ("dealer-at-maximum", 14, 14),
        ("nobody", 14, 0),
    ],
)
def test_s30_the_dealer_may_take_the_bid_that_stands(equal_bid: str, bid: int, lowest: int) -> None:
    found = called("pedro", f"0 bid {bid}", "1 pass", "2 pass", "3 pass", equal_bid=equal_bid)
    assert found[3] == (3, "pass", 0, 0, lowest, lowest > 0)
    assert found[2][4] == (bid + 1 if bid < 14 else 0)


def test_everybody_passes() -> None:
    assert called("eighty-three", *PASSES, "3 pass") == [
        (seat, "pass", 0, None, 30, True) for seat in range(4)
    ]


def test_o58_a_duel() -> None:
    said = ("2 bid 16", "1 bid 17", "2 ditto", "1 pass", "3 pass", "0 pass")
    assert called("bangladesh", *said) == [
        (2, "bid", 16, None, 16, True),
        (1, "bid", 17, 2, 17, True),
        (2, "ditto", 17, 1, 18, True),
        (1, "pass", 0, 2, 18, True),
        (3, "pass", 0, 2, 18, True),
        (0, "pass", 0, 2, 18, True),
    ]


def test_o68_a_challenge() -> None:
    said = ("0 bid 16", "1 bid 17", "0 ditto", "1 pass", "2 pass", "3 bid 18", "0 pass")
    assert called("twenty-nine", *said, auction="challenge", ditto="holder") == [
        (0, "bid", 16, None, 15, True),
        (1, "bid", 17, 0, 17, True),
        (0, "ditto", 17, 1, 18, True),
        (1, "pass", 0, 0, 18, True),
        (2, "pass", 0, 0, 18, True),
        (3, "bid", 18, 0, 18, True),
        (0, "pass", 0, 3, 19, True),
    ]


# --- Irregular and unfinished auctions


def test_nothing_is_legal_out_of_turn_but_who_was_passed_over_may_call_late() -> None:
    assert called("pedro", "0 pass", "2 bid 8", "3 pass", "1 bid 9") == [
        (0, "pass", 0, None, 7, True),
        (2, "bid", 8, None, 0, False),
        (3, "pass", 0, 2, 9, True),
        (1, "bid", 9, 2, 9, True),
    ]


def test_a_wrong_number_counts_as_the_bid_that_stands() -> None:
    assert called("pedro", "0 bid 3", "1 bid 5", "2 bid 20", "3 pass") == [
        (0, "bid", 3, None, 7, True),
        (1, "bid", 5, 0, 7, True),
        (2, "bid", 20, 1, 7, True),
        (3, "pass", 0, 2, 0, False),
    ]


def test_a_second_pass_is_noted_with_nothing_legal() -> None:
    found = called("twenty-nine", "0 bid 16", "1 pass", "2 pass", "1 pass")
    assert found[3] == (1, "pass", 0, 0, 0, False)


def test_a_call_that_ends_the_replay_is_not_noted() -> None:
    assert len(called("pedro", "0 bid 9", "1 bid 28-56")) == 1
    assert len(called("pedro", *PASSES, "3 pass")) == len(PASSES)


def test_an_auction_that_stops_has_the_calls_so_far() -> None:
    assert called("pedro") == []
    assert called("pedro", "0 bid 7") == [(0, "bid", 7, None, 7, True)]


def test_s101_where_the_deal_has_to_be_thrown_in_no_call_is_legal() -> None:
    blank = "7S 8S QS KS 7H 8H QH KH"
    deal = [blank, "7D 8D QD KD 7C 8C QC KC", "JS 9S AS TS JH 9H AH TH", "JD 9D AD TD JC 9C AC TC"]
    hand = hand_of("bangladesh", ["0 bid 16", "3 pass"], deal=deal, dealer=1)
    # The record goes on, and what follows is judged by itself.
    assert [each[-2:] for each in facts_of(replay(hand))] == [(0, False), (17, True)]


# --- Whole hands


@settings(max_examples=scaled(20))
@given(st.sampled_from(variants()), st.integers(0, 2**32))
def test_facts_of_calls_are_those_of_the_rules_written_twice(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = random_hand(system, chance, some_options(system, chance))
    tables, replayed = tables_of(hand), replay(hand)
    history = replayed.workspace.history
    for call, found in enumerate(facts_of(replayed)):
        table = tables[history.call_action[call]]
        seat, standing = found[0], found[3]
        assert standing == (table.maker if table.standing else None)
        legal = legal_calls(table) if seat == next_caller(table) else set()
        numbers = [int(text[4:]) for text in legal if text[4:].isdecimal()]
        assert found[4] == min(numbers, default=0)
        if legal:
            assert found[5] == (len(legal) + bool(table.game.values["tenny"]) > 1)
        else:
            assert found[1] == "tenny"
            assert found[5]


# --- Ranks of trumps


@pytest.mark.parametrize(
    ("cards", "suit", "ranks"),
    [
        ("AH KH 5H 5D 2H AS 5S 5C", 1, ["2", "off five", "5", "K", "A"]),
        ("AH KH 5H 5D 2H AS 5S 5C", 0, ["off five", "5", "A"]),
        ("3H 4H 6H 9H", 1, ["3", "4", "6", "9"]),
        ("AS KS", 1, []),
    ],
)
def test_the_ranks_of_trumps_held(cards: str, suit: int, ranks: list[str]) -> None:
    found = noted.trump_ranks_among(rules_of("pedro"), suit, mask_of(parse_cards(cards)))
    assert [name for place, name in enumerate(TRUMP_RANKS) if found >> place & 1] == ranks


def test_the_joker_is_a_trump_where_the_game_has_it() -> None:
    cards = mask_of(parse_cards("JO AH"))
    for variant, ranks in (("snoozer", 1 | 1 << 14), ("pedro", 1 << 14)):
        assert noted.trump_ranks_among(rules_of(variant), 1, cards) == ranks


def test_every_trump_of_a_suit_has_a_rank_of_its_own() -> None:
    names = [*(rank + "D" for rank in "23456789TJQKA"), "5H", "JH", "JO"]
    found = {TRUMP_RANKS[rank_of_trump(2, parse_card(name))]: name for name in names}
    assert len(found) == len(TRUMP_RANKS) == len(names)
    special = {"off five": "5H", "off jack": "JH", "joker": "JO"}
    assert found == {rank: special.get(rank, rank + "D") for rank in TRUMP_RANKS}


def test_ranks_are_not_known_where_the_packet_is_not() -> None:
    deal = ["AS KS QS 5C 9H 8H 7H 6D 4D", "? KH QH JH TH 2D 3D 5S 6S", "", "KC QC"]
    replayed, facts = replay(hand_of("pedro", ["0 bid 7"], deal=deal)), SeatFacts()
    noted.note_facts(replayed.workspace, replayed.rules, facts, 1, False)  # noqa: FBT003
    ranks = [name for place, name in enumerate(TRUMP_RANKS) if facts.trump_ranks[0] >> place & 1]
    assert ranks == ["off five", "Q", "K", "A"]
    assert facts.trump_ranks[1:4] == [NOT_KNOWN] * 3
