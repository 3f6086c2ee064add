"""Laying off: in several goes, changed, face up, and whose points it costs."""

import random

import pytest
from msgspec.structs import replace

from replay import replay, ruleset_of
from replay.engine import engine
from replay.engine.policies import Phase
from replay.engine.rules.scoring import points_of
from replay.judging.setup import first_state
from schemas.actions import parse_action
from schemas.cards import card_name, names_in
from schemas.hand import Hand
from tests.kit.exchange_tables import Table, pack_rest
from tests.kit.random_play import walk_on
from tests.kit.sound_hands import PEDRO_DEAL, PEDRO_EXCHANGE, PEDRO_STOCK
from tests.kit.support import Options, hand_of, rules_of

O22: Options = {"discards_shown": "trumps", "discard_changeable": True}
O23: Options = {"discarded_points": "makers"}


def pedro(options: Options | None = None, variant: str = "pedro") -> Table:
    return Table(variant, PEDRO_DEAL, options=options, stock=PEDRO_STOCK)


# --- One lay-off in several actions


def test_1_exchange_a_lay_off_may_be_recorded_in_two_actions() -> None:
    table = pedro()
    assert table.judged("0 discard 2C 3C") == ["kept-plain"]
    state, _, codes = table.foreseen("0 discard 2C 3C", *PEDRO_EXCHANGE[1:4], "0 discard 4C")
    assert codes == [[]] * 5
    assert names_in(state.discarded[0]) == "4C 3C 2C"
    assert state.phase == Phase.REFILL


def test_1_exchange_what_is_missing_is_found_with_the_last_of_them() -> None:
    _, _, codes = pedro().foreseen("0 discard 2C", "0 discard 3C")
    assert codes == [[], ["kept-plain"]]
    _, _, codes = pedro().foreseen("0 discard 2C QS", "0 discard 3C 4C")
    assert codes == [["discarded-trump"], []]


def test_4_exchange_coming_down_may_be_recorded_in_two_actions() -> None:
    table = pedro(variant="pidro").ok(*PEDRO_EXCHANGE)
    table.ok("3 rob QH KH AH 8D 9D TD JD QD KD AD")
    assert table.judged("3 discard QH KH AH") == ["discard-count"]
    state, _, codes = table.foreseen("3 discard QH KH AH", "3 discard 8D 9D TD")
    assert codes == [[], []]
    assert state.phase == Phase.PLAY


UKRAINIAN_DEAL = [
    "AS KS QS JS TS 9S 8S 7S AH KH QH JH TH",
    "6S 5S 4S AD KD QD JD TD 9D 8D 7D 6D 5D",
    "3S 2S 4D 3D 2D 9H 8H 7H 6H 5H 4H 3H 2H",
    "5C AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
]


def test_9_surplus_plain_cards_face_down_and_trumps_face_up_are_one_lay_off() -> None:
    table = Table("ukrainian", UKRAINIAN_DEAL)
    assert table.judged("0 discard AH KH QH JH TH QS 8S") == ["discard-not-shown"]
    assert table.judged("0 discard-up AH KH QH JH TH QS 8S") == []
    for first, second in (
        ("0 discard AH KH QH JH TH", "0 discard-up QS 8S"),
        ("0 discard-up QS 8S", "0 discard AH KH QH JH TH"),
    ):
        _, _, codes = table.foreseen(first, second)
        assert codes == [[], []]
    _, _, codes = table.foreseen("0 discard AH KH QH JH TH", "0 discard QS 8S")
    assert codes == [[], ["discard-not-shown"]]


# --- A changed discard


def cinch_with_seven(options: Options) -> Table:
    deal = [
        "AS KS JS 9S 8S 7S 6S AH 2D",
        "5S 4S 2H 3H 4H 5H 6H 7H 8H",
        "3S 5C 3D 4D 5D 6D 7D 8D 9D",
        "2S 6C 7C 8C 9C TC JC QC KC",
    ]
    rest = " ".join(pack_rest(*deal))
    return Table("cinch", deal, options=options, stock=rest)


OTHERS = ["1 discard 2H 3H 4H 5H 6H 7H 8H", "2 discard 3D 4D 5D 6D 7D 8D 9D"]


def test_o22_a_discard_may_be_changed_until_a_card_is_drawn() -> None:
    table = cinch_with_seven(O22).ok("0 discard-up AH 2D 6S", *OTHERS)
    table.ok("0 discard-up AH 2D KS")
    assert names_in(table.state.discarded[0]) == "KS AH 2D"
    assert names_in(table.state.holding[0]) == "AS JS 9S 8S 7S 6S"
    table.ok("1 discard 2H 3H 4H 5H 6H 7H 8H")
    assert table.judged("0 discard-up AH 2D JS") == []
    assert table.judged("0 discard-up AH 2D 7S KS") == ["discarded-trump"]
    assert table.judged("0 discard-up AH 2D") == ["discard-count"]
    table.ok("3 discard 6C 7C 8C 9C TC JC QC KC", "1 draw QS TS KH QH")
    assert table.judged("1 discard 2H 3H 4H 5H 6H 7H 8H") == ["not-now"]
    table.ok("0 discard-up AH 2D 6S")


def test_o22_without_it_a_discard_stands_at_once() -> None:
    table = cinch_with_seven({"discards_shown": "trumps"}).ok("0 discard-up AH 2D 6S")
    assert table.judged("0 discard-up AH 2D KS") == ["card-not-held"]
    assert table.judged("0 discard-up KS") == ["discarded-trump"]


def test_o22_a_forced_trump_has_to_be_shown_and_is_dead() -> None:
    table = cinch_with_seven({**O22})
    assert table.judged("0 discard AH 2D 6S") == ["discard-not-shown"]
    assert cinch_with_seven({}).judged("0 discard AH 2D 6S") == []
    table.ok("0 discard-up AH 2D 6S", *OTHERS, "3 discard 6C 7C 8C 9C TC JC QC KC")
    assert "6S" not in names_in(table.state.stock_set)


def test_o22_in_a_record_of_both_goes_the_second_counts() -> None:
    table = cinch_with_seven(O22)
    state, _, codes = table.foreseen("0 discard-up AH 2D 6S", "0 discard-up AH 2D KS")
    assert codes == [[], []]
    assert names_in(state.discarded[0]) == "KS AH 2D"
    state, _, codes = table.foreseen("0 discard AH 2D", "0 discard-up 6S")
    assert codes == [[], []]
    assert names_in(state.discarded[0]) == "6S AH 2D"


# --- Whose points

WITH_TEN = [
    "AS KS QS JS 9S 2S 2C 3C 4C",
    "TS 8S 5S 2H 3H 4H 5H 6H 7H",
    *PEDRO_DEAL[2:],
]


def after_discards(variant: str, options: Options, *discards: str) -> Table:
    """Play on to the first trick after these discards of seats 0 and 1, by rule otherwise."""
    table = Table(variant, WITH_TEN, options=options, stock=PEDRO_STOCK)
    for text in discards:
        table.found(text)
    table.ok("2 discard 2D 3D 4D 5D 6D 7D", "3 discard 6C 7C 8C 9C TC JC QC")
    left = PEDRO_STOCK.split()
    for seat in range(3):
        need = 6 - table.state.holding[seat].bit_count()
        if need:
            table.ok(" ".join([f"{seat} draw", *left[:need]]))
            left = left[need:]
    table.ok(" ".join(["3 rob", *left[:4]]))
    assert table.phase == "PLAY"
    return table


KEEPS_ALL = "0 discard 2C 3C 4C"
ALL_PLAIN = "1 discard 2H 3H 4H 5H 6H 7H"


@pytest.mark.parametrize(
    ("variant", "options", "discard", "scored"),
    [
        ("pedro", {"discarded_points": "opponents"}, "0 discard 2C 3C 4C JS", [0, 1]),
        ("pedro", {}, "0 discard 2C 3C 4C JS", [0, 0]),
        ("pedro", {"discarded_points": "opponents"}, "0 discard 2C 3C 4C 2S", [0, 1]),
        ("cinch", {}, "0 discard 2C 3C 4C JS", [0, 1]),
        ("cinch", O23, "0 discard 2C 3C 4C JS", [0, 0]),
    ],
)
def test_t40_o07_s18_s22_c11_points_a_maker_lays_off(
    variant: str, options: Options, discard: str, scored: list[int]
) -> None:
    table = after_discards(variant, options, discard, ALL_PLAIN)
    assert table.state.discard_points[:2] == scored
    assert table.state.low_seat == (-1 if "2S" in discard or variant == "cinch" else 0)


@pytest.mark.parametrize(
    ("variant", "options", "scored"),
    [("cinch", O23, [1, 0]), ("cinch", {}, [1, 0]), ("pedro", {}, [0, 0])],
)
def test_t41_o23_c11_a_ten_a_defender_lays_off(
    variant: str, options: Options, scored: list[int]
) -> None:
    table = after_discards(variant, options, KEEPS_ALL, f"{ALL_PLAIN} TS")
    assert table.state.discard_points[:2] == scored


def test_o07_s22_it_is_no_fault_where_the_others_score_it() -> None:
    for options, found in (
        ({}, ["discarded-points"]),
        (O23, ["discarded-points"]),
        ({"discarded_points": "opponents"}, []),
    ):
        assert pedro(options).judged("0 discard 2C 3C 4C JS") == found


def test_c20_s61_the_two_that_is_laid_off_counts_for_its_side() -> None:
    deal = [
        "AS KS JS TS 9S 5S 2S AH KH QH JH TH 8H",
        "QS 8S 7S AD KD QD JD TD 9D 8D 7D 6D 5D",
        "6S 4S 4D 3D 2D 9H 7H 6H 5H 4H 3H 2H AC",
        "5C 3S KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
    ]
    table = Table("ukrainian", deal, maker=1)
    table.ok("0 discard-up AH KH QH JH TH 8H 2S")
    table.ok("1 discard AD KD QD JD TD 9D 8D", "2 discard 4D 3D 2D 9H 7H 6H 5H")
    table.ok("3 discard KC QC JC TC 9C 8C 7C")
    assert table.phase == "PLAY"
    assert [points_of(table.state, side) for side in (0, 1)] == [1, 0]
    assert table.state.low_seat == 0


def test_s25_in_nicaragua_points_may_go_and_score_for_nobody() -> None:
    deal = [
        "AS KS QS JS TS 2S 2C",
        "9S 8S 5S 2H 3H 4H 5H",
        "7S 6S 5C 2D 3D 4D 5D",
        "4S 3S 6C 7C 8C 9C TC",
    ]
    rest = pack_rest(*deal)
    table = Table("nicaragua", deal, stock=" ".join(rest))
    table.ok("0 discard JS 2S", f"0 draw {rest[0]} {rest[1]}")
    table.ok("3 play 4S") if table.state.turn == 3 else table.ok("0 play AS")
    assert table.state.discard_points[:2] == [0, 0]
    assert table.state.low_seat == -1


def test_o09_every_discard_lies_face_up() -> None:
    options: Options = {"discards_shown": "all", "discards_claimed": True}
    table = pedro(options)
    assert table.judged("0 discard 2C 3C 4C") == ["discard-not-shown"]
    assert table.judged("0 discard-up 2C 3C 4C") == []
    assert pedro().judged("0 discard 2C 3C 4C") == []
    assert pedro().judged("0 discard-up 2C 3C 4C") == []


def test_s31_it_does_not_matter_where_nothing_has_to_be_shown() -> None:
    assert rules_of("pidro").discards_shown == 0
    table = pedro(variant="pidro")
    assert table.judged("0 discard 2C 3C 4C") == table.judged("0 discard-up 2C 3C 4C") == []


# --- Who is waited for


def test_s25_what_may_be_done_is_not_said_to_be_due() -> None:
    deal = [" ".join(pack_rest("")[seat * 7 : seat * 7 + 7]) for seat in range(4)]
    table = Table("nicaragua", deal, stock=" ".join(pack_rest(*deal)))
    free = table.replayed().at(5).choice
    assert free.sentence == "ann may lay off: 0 to 7 of A♠ K♠ Q♠ J♠ 10♠ 9♠ 8♠."
    due = pedro().replayed().at(5).choice
    assert due.sentence == "ann is to lay off: 3 of 4♣ 3♣ 2♣."


def test_c12_the_dealer_may_lay_off_before_or_after_the_rob_or_not_at_all() -> None:
    deal = [
        "AS KS QS 2C 3C 4C AC KC QC",
        "JS TS 9S 2H 3H 4H 5H 6H 7H",
        "8S 7S 6S 2D 3D 4D 6D 7D 8D",
        "5S 5C 4S 3S 2S AH KH QH 5D",
    ]
    rest = pack_rest(*deal)
    table = Table("cinch", deal, stock=" ".join(rest))
    table.ok("0 discard 2C 3C 4C AC KC QC", "1 discard 2H 3H 4H 5H 6H 7H")
    table.ok("2 discard 2D 3D 4D 6D 7D 8D")
    draws = [f"{seat} draw {' '.join(rest[3 * seat : 3 * seat + 3])}" for seat in range(3)]
    before = ["3 discard AH KH QH 5D", *draws, f"3 rob {rest[9]}"]
    late = [*draws, "3 discard AH KH QH 5D", f"3 rob {rest[10]}"]
    after = [*draws, f"3 rob {rest[9]} {rest[10]}", "3 discard AH KH QH 5D 4S"]
    never = [*draws, "3 discard AH KH QH"]
    for way in (before, late, after, never):
        state, _, codes = table.foreseen(*way, "0 play AS")
        assert codes == [[]] * (len(way) + 1)
        assert state.phase == Phase.PLAY
        assert state.holding[3].bit_count() == 6


def test_s66_point_cards_too_many_cannot_be_kept_instead_of_given() -> None:
    deal = [
        "AS KS JS TS 9S 5S 5C AH KH QH JH TH 8H",
        "QS 8S 7S AD KD QD JD TD 9D 8D 7D 6D 5D",
        "6S 4S 3S 2S 4D 3D 2D 9H 7H 6H 5H 4H 3H",
        "2H AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
    ]
    table = Table("sixty-three", deal)
    assert table.phase == "GIVE"
    assert table.judged("0 discard AH KH QH JH TH 8H") == ["discard-count"]
    assert table.judged("0 discard AH KH QH JH TH 8H TS") == ["discarded-points"]


# --- Cards that are not recorded


def seen(table: Table, text: str) -> list[str]:
    """Return the codes of an action of a record that has it."""
    return table.foreseen(text)[2][0]


def test_s32_an_unknown_hand_that_lays_off_a_trump_keeps_six() -> None:
    table = Table("pidro", ["? " * 8 + "?"] * 4, stock=" ".join("?" * 16))
    assert seen(table, "0 discard 2H 3H 4S") == []
    assert seen(table, "0 discard 2H 3H 4H 4S") == ["discarded-trump"]
    assert seen(table, "0 discard 2H 3H JS") == ["discarded-points"]


def test_9_surplus_an_unknown_trump_laid_off_face_down_is_no_finding() -> None:
    table = Table("ukrainian", ["? " * 12 + "?"] * 4, stock="")
    assert seen(table, "0 discard ? ? ? ? ? ? ?") == []
    assert seen(table, "0 discard ? ? ? ? ? ? QS") == ["discard-not-shown"]


def test_s76_hands_come_down_after_the_refill_though_nothing_was_left_to_rob() -> None:
    # Seat 1 drew one too many. The dealer, with a trump too many, finds the stock empty: what they
    # lay off last is no part of what they laid off as dealt.
    options: Options = {
        "discard": "all-plain",
        "packets": [9],
        "refill": "others",
        "rob": "whole-stock",
        "phases": [
            *("auction", "trump", "discard", "give", "refill", "rob", "dealer-give", "come-down"),
            "play",
        ],
    }
    hand = hand_of(
        "sixty-three",
        [
            *("1 pass", "2 pass", "3 pass", "0 bid 2", "0 trump D"),
            *("1 discard 3C AC KC JC 9C 8C 7C", "2 discard KS AS JS 7S 4S 6C 5C 4C 2C"),
            *("3 discard 8S QS TS 9S 6S 5S 3S 2S AH", "0 discard TC QC"),
            *("1 draw KH JH 6H 4H 9H", "2 draw 2H QH TH 7H AD QD", "3 draw 8H 5H 3H KD JD"),
            *("1 discard JH", "0 discard 4D", "0 play TD"),
        ],
        options=options,
        dealer=0,
        deal=[
            *("9D 8D TD 4D 7D 5D 6D TC QC", "3D JC 7C 2D AC 8C KC 3C 9C"),
            *("KS AS 5C 7S 6C JS 4C 4S 2C", "TS QS 3S 9S 6S 8S AH 5S 2S"),
        ],
        stock="KH JH 4H 6H 9H TH 8H QD QH 7H 2H 3H 5H KD JD AD",
    )
    found = [(finding.code, finding.pointer) for finding in replay(hand).findings]
    assert found == [("draw-count", "/actions/9")]


def test_s19_the_dealer_need_not_take_up_what_he_laid_off_himself_for_room() -> None:
    # Nine trumps are dealt to the dealer, and none is left to rob: they come down last.
    def laid_off(cards: str) -> list[str]:
        hand = hand_of(
            "pedro",
            [
                *("1 pass", "2 pass", "3 pass", "0 bid 7", "0 trump C"),
                *("1 discard AS KS QS 8S 7S 6S", "2 discard 2S JS TS 9S 4S 3S JH KH"),
                "3 discard AH QH TH 9H 8H 7H 6H 5H 4H",
                *("1 draw 3H 2H AD", "2 draw QD KD TD 6D JD", "3 draw 7D 9D 8D 4D AC 5D"),
                *(f"0 discard {cards}", "0 play 4C"),
            ],
            options={"search_discards": True, "surplus": "discard"},
            dealer=0,
            deal=[
                *("KC 8C 9C QC JC TC 6C 4C 7C", "5C 2C KS 3C QS AS 6S 7S 8S"),
                *("JS TS 9S 4S 5S 2S JH 3S KH", "9H AH QH 7H 6H TH 8H 5H 4H"),
            ],
            stock="3H 2H AD QD KD TD 6D JD 7D 9D 8D 4D AC 5D 2D 3D",
        )
        return [f"{finding.code} {finding.pointer}" for finding in replay(hand).findings]

    assert laid_off("KC QC 8C") == []
    assert laid_off("KC JC 8C") == ["not-robbed /actions/12"]


def test_s17_s19_no_plain_card_is_kept_beside_trumps_too_many() -> None:
    deal = [
        *("QS JS 9S AH TS 4S 8S 7S 5S", "3S 6S 2S KH QH 7H JH 9H 3H"),
        *("8H TH 4H 2H 6H 5H JD 9D 6D", "QD AD TD 8D 2D KD AC 4D 7D"),
    ]
    options: Options = {"discard": "plain-if-liked", "search_discards": True}
    table = Table("pedro", deal, options=options, stock=" ".join(pack_rest(*deal)))
    assert table.judged("0 discard 5S") == ["kept-plain"]
    assert table.judged("0 discard AH") == []
    assert table.judged("0 discard AH 5S") == []
    table.ok("0 discard AH", "1 discard KH QH 7H")


# --- Points of cards laid off are captures, too


@pytest.mark.parametrize(
    ("options", "discards", "captured"),
    [
        (
            {"discarded_points": "opponents"},
            ["0 discard 2C 3C 4C JS 2S"],
            [("2S", 0, 1), ("JS", 0, 1)],
        ),
        ({"discarded_points": "opponents"}, ["1 discard 2H 3H 4H 5H 6H 7H TS"], [("TS", 1, 0)]),
        (O23, ["1 discard 2H 3H 4H 5H 6H 7H TS"], [("TS", 1, 0)]),
        (O23, ["0 discard 2C 3C 4C JS"], []),
        ({}, ["1 discard 2H 3H 4H 5H 6H 7H TS"], []),
    ],
)
def test_o07_o23_s18_captures_have_the_points_of_cards_laid_off(
    options: Options, discards: list[str], captured: list[tuple[str, int, int]]
) -> None:
    rows = {"0": KEEPS_ALL, "1": ALL_PLAIN} | {text[0]: text for text in discards}
    table = after_discards("pedro", options, rows["0"], rows["1"])
    hand = replace(table.hand, actions=table.actions)
    replayed = replay(played_out(hand))
    assert replayed.outcome is not None
    laid_off = [
        (card_name(item.card), item.from_seat, item.by_seat)
        for item in replayed.captures
        if card_name(item.card) in " ".join(discards)
    ]
    assert laid_off == captured
    for side in (0, 1):
        points = sum(item.points for item in replayed.captures if item.side == side)
        assert points == replayed.outcome.points[side]


def played_out(hand: Hand) -> Hand:
    """Return the hand played on by anybody's legal choice to its end."""
    ruleset = ruleset_of(hand)
    actions = [*hand.actions]
    state, rules, _ = first_state(hand, ruleset, [])
    engine.start(state, rules)
    for text in actions:
        engine.apply(state, rules, parse_action(text))
    actions += [text for _, _, text in walk_on(state, rules, random.Random(1))]
    return replace(hand, actions=actions)
