"""Departures that do no harm: each is one finding, and the points are counted all the same.

Sources: 1.exchange, 1.refill, 1.rob, 4.exchange, 4.rob; S11, S17, S32.
"""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, replay
from schemas.hand import Hand
from tests.kit.exchange_tables import Table, pack_rest
from tests.kit.sound_hands import SOUND, instead
from tests.kit.support import places

DEALER_PLAIN = "3 discard 6C 7C 8C 9C TC JC QC"
PIDRO_ROB = "3 rob QH KH AH 8D 9D TD JD QD KD AD"
PEDRO_ROB = "3 rob QH KH AH 8D"


def without(hand: Hand, text: str) -> Hand:
    return replace(hand, actions=[each for each in hand.actions if each != text])


def place_of(hand: Hand, text: str) -> str:
    return f"/actions/{hand.actions.index(text)}"


def check(system: str, hand: Hand, code: str, place: str, seat: int, message: str) -> None:
    """The hand is irregular with one finding, and comes to what the sound one comes to."""
    hand = replace(hand, claimed=UNSET)
    replayed = replay(hand)
    assert places(replayed.findings) == [(code, place)]
    assert replayed.verdict == Verdict.IRREGULAR
    assert (replayed.findings[0].seat, replayed.findings[0].message) == (seat, message)
    assert replayed.outcome is not None
    sound = replay(SOUND[system]()).outcome
    assert sound is not None
    assert (replayed.outcome.points, replayed.outcome.change) == (sound.points, sound.change)


# --- Laying off once after taking the rest


@pytest.mark.parametrize(
    ("system", "rob", "late"),
    [
        ("pidro", PIDRO_ROB, "3 discard 6C 7C 8C 9C TC JC QC QH KH AH 8D 9D TD"),
        ("pedro", PEDRO_ROB, DEALER_PLAIN),
    ],
)
def test_4_rob_1_rob_a_dealer_lays_off_once_after_taking_the_rest(
    system: str, rob: str, late: str
) -> None:
    hand = SOUND[system]()
    down = "3 discard QH KH AH 8D 9D TD"
    hand = without(without(hand, DEALER_PLAIN), down)
    hand = instead(hand, rob, rob, late)
    count = len(late.split()) - 2
    message = f"dee laid off {count} cards only after taking the rest of the stock."
    check(system, hand, "discard-out-of-turn", place_of(hand, late), 3, message)


def test_1_rob_such_a_dealer_takes_what_is_lacking_all_the_same() -> None:
    hand = without(SOUND["pedro"](), DEALER_PLAIN)
    short = replace(instead(hand, PEDRO_ROB, "3 rob QH KH AH", DEALER_PLAIN), claimed=UNSET)
    assert [code for code, _ in places(replay(short).findings)][:2] == [
        "rob-count",
        "discard-out-of-turn",
    ]


def test_s32_a_dealer_with_nothing_but_trumps_has_nothing_to_lay_off_before() -> None:
    deal = [
        *("9H 8H 7H 5H 6H 2H 4H 3H KD", "3D 2D 4D KC QC AC JC TC 9C"),
        *("8C 7C 6C 5C 4C 2C 3C AS KS", "AD QD JD 9D TD 8D 7D 6D 5D"),
    ]
    rest = pack_rest(*deal)
    table = Table("pidro", deal, trumps="D", maker=3, stock=" ".join(rest))
    table.ok("0 discard 9H 8H 7H 6H 2H 4H 3H", "1 discard KC QC AC JC TC 9C")
    table.ok("2 discard 8C 7C 6C 5C 4C 2C 3C AS KS")
    left = iter(rest)
    for seat, count in ((0, 4), (1, 3), (2, 6)):
        table.ok(" ".join([f"{seat} draw", *(next(left) for _ in range(count))]))
    last = [*left]
    replayed = table.replayed(
        f"3 rob {' '.join(last)}", f"3 discard QD 8D 7D {' '.join(last)}", "3 play 9D"
    )
    assert replayed.findings == ()


def test_2_rob_a_dealer_who_chooses_may_lay_off_after_it() -> None:
    hand = without(SOUND["pedro"](), DEALER_PLAIN)
    hand = replace(hand, rules=replace(hand.rules, variant="cinch"), claimed=UNSET)
    hand = instead(hand, PEDRO_ROB, PEDRO_ROB, DEALER_PLAIN)
    assert replay(hand).findings == ()


# --- Laying off one more


def test_4_exchange_one_more_card_with_six_in_hand() -> None:
    for before in ("2 draw 9H TH JH", PIDRO_ROB, "0 play AS"):
        hand = SOUND["pidro"]()
        more = "1 discard KC"
        hand = instead(hand, before, more, before)
        message = "bo laid off 1 card more, though nothing was due to go."
        check("pidro", hand, "discard-out-of-turn", place_of(hand, more), 1, message)


def test_4_exchange_the_dealer_lays_off_one_more_after_coming_down() -> None:
    hand = instead(SOUND["pidro"](), "0 play AS", "3 discard JD", "0 play AS")
    message = "dee laid off 1 card more, though nothing was due to go."
    check("pidro", hand, "discard-out-of-turn", place_of(hand, "3 discard JD"), 3, message)


@pytest.mark.parametrize(("card", "code"), [("9S", "discarded-trump"), ("5S", "discarded-points")])
def test_s12_a_trump_laid_off_like_this_is_one_that_had_to_be_kept(card: str, code: str) -> None:
    hand = instead(SOUND["pidro"](), "2 draw 9H TH JH", f"1 discard {card}", "2 draw 9H TH JH")
    replayed = replay(replace(hand, claimed=UNSET))
    assert replayed.findings[0].code == code
    assert replayed.findings[0].action == hand.actions.index(f"1 discard {card}")


def test_0_record_once_cards_are_played_nothing_can_be_laid_off() -> None:
    hand = instead(SOUND["pidro"](), "1 play 5S", "1 discard KC", "1 play 5S")
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings[0].code) == (Verdict.REJECTED, "not-now")


# --- Leaving the rest of the stock


def without_the_rest(system: str, *texts: str) -> Hand:
    hand = SOUND[system]()
    for text in texts:
        hand = without(hand, text)
    return hand


def test_4_rob_a_rest_without_trumps_is_left() -> None:
    hand = without_the_rest("pidro", PIDRO_ROB, "3 discard QH KH AH 8D 9D TD")
    message = "dee left the rest of the stock, which the dealer has to take."
    check("pidro", hand, "not-robbed", place_of(hand, "0 play AS"), 3, message)


def test_1_rob_left_by_a_dealer_who_then_has_no_card_for_the_late_tricks() -> None:
    hand = without_the_rest("pedro", PEDRO_ROB)
    hand = replace(
        hand,
        actions=[
            text
            for text in hand.actions
            if text not in ("3 play QH", "3 play KH", "3 play AH", "3 play 8D")
        ],
    )
    message = "dee left the rest of the stock, which the dealer has to take."
    check("pedro", hand, "not-robbed", place_of(hand, "0 play AS"), 3, message)


def test_0_record_a_record_that_stops_before_the_rob_is_incomplete() -> None:
    hand = without_the_rest("pidro", PIDRO_ROB)
    stopped = replay(replace(hand, actions=hand.actions[:11], claimed=UNSET))
    assert (stopped.verdict, stopped.findings) == (Verdict.INCOMPLETE, ())


# --- One draw recorded as two


def test_s11_one_draw_recorded_as_two() -> None:
    for system in ("pidro", "pedro"):
        for first, second in (("1 draw KC", "1 draw AC 8H"), ("1 draw AC", "1 draw KC 8H")):
            hand = instead(SOUND[system](), "1 draw KC AC 8H", first, second)
            message = "bo drew 2 cards more: each hand is filled in one go."
            check(system, hand, "draw-split", place_of(hand, second), 1, message)


def test_s11_such_a_draw_is_counted_and_ordered_as_a_whole() -> None:
    for first, second, code in (
        ("1 draw KC", "1 draw AC", "draw-count"),
        ("1 draw KC AC", "1 draw 8H 9H", "draw-count"),
        ("1 draw KC 9H", "1 draw AC", "draw-order"),
    ):
        hand = instead(SOUND["pidro"](), "1 draw KC AC 8H", first, second)
        found = places(replay(replace(hand, claimed=UNSET)).findings)
        at = second if code == "draw-count" else first
        assert found[0] == (code, place_of(hand, at))


def test_s11_a_hand_filled_later_is_no_draw_in_two_goes() -> None:
    hand = instead(SOUND["pidro"](), "1 draw KC AC 8H", "1 draw KC AC")
    hand = instead(hand, "2 draw 9H TH JH", "2 draw 8H 9H TH", "1 draw JH")
    found = [code for code, _ in places(replay(replace(hand, claimed=UNSET)).findings)]
    assert found[0] == "draw-count"
    assert "draw-split" not in found
