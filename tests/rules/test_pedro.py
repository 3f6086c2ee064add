"""Pedro: whole hands for what takes more than a moment to show (docs/rules/01-pedro.md)."""

from msgspec import UNSET
from msgspec.structs import replace

from replay import Capture, Verdict, replay
from schemas.cards import parse_card
from schemas.hand import Hand
from tests.kit.sound_hands import PASSES, PEDRO_DEAL, instead, pedro
from tests.kit.support import card_set, codes, hand_of, places, plays


def test_t25_the_two_makes_the_bid() -> None:
    replayed = replay(pedro())
    assert replayed.verdict == Verdict.VALID, replayed.findings
    outcome = replayed.outcome
    assert outcome is not None
    assert (outcome.result, outcome.points, outcome.change) == ("made", (9, 5), (9, 5))
    two = next(each for each in replayed.captures if each.card == parse_card("2S"))
    assert two == Capture(parse_card("2S"), 1, trick=3, from_seat=0, by_seat=0, side=0)
    assert replayed.tricks[2].winner == 1
    assert replayed.tricks[2].points == 5


def test_t25_o17_the_two_breaks_it() -> None:
    hand = pedro()
    rules = replace(hand.rules, options={"low_to": "winner"})
    outcome = replay(replace(hand, rules=rules, claimed=UNSET)).outcome
    assert outcome is not None
    assert (outcome.result, outcome.points, outcome.change) == ("set", (8, 6), (-9, 6))


# In all of these seat 3 deals and robs. Seat 2 gets the two of trumps with the refill.
LATE_TWO_DEAL = [
    "AS KS QS JS TS 9S 2C 3C 4C",
    "8S 5S AC 2H 3H 4H 5H 6H 7H",
    "7S 6S 5C 2D 3D 4D 5D 6D 7D",
    "4S 3S 6C 7C 8C 9C TC JC QC",
]


def late_two(stock: str, drawn: list[str]) -> Hand:
    actions = [
        *("0 bid 7", *PASSES, "0 trump S", "0 discard 2C 3C 4C"),
        "1 discard AC 2H 3H 4H 5H 6H 7H",
        "2 discard 2D 3D 4D 5D 6D 7D",
        "3 discard 6C 7C 8C 9C TC JC QC",
        *drawn,
    ]
    return hand_of("pedro", actions, deal=LATE_TWO_DEAL, stock=stock)


def test_s09_a_two_from_the_refill_counts_for_who_drew_it() -> None:
    hand = late_two(
        "KC 8H 9H TH 2S JH QH KH AH 8D 9D TD JD QD KD AD",
        ["1 draw KC 8H 9H TH", "2 draw 2S JH QH", "3 rob KH AH 8D 9D"],
    )
    hand = replace(hand, actions=[*hand.actions, *plays("0 AS 1 5S 2 2S 3 3S")])
    replayed = replay(hand)
    assert replayed.findings == ()
    assert replayed.at(len(replayed)).points == (7, 0)
    hand = late_two(
        "KC 8H 2S TH 9H JH QH KH AH 8D 9D TD JD QD KD AD",
        ["1 draw KC 8H 2S TH", "2 draw 9H JH QH", "3 rob KH AH 8D 9D"],
    )
    hand = replace(hand, actions=[*hand.actions, *plays("0 AS 1 2S 2 6S 3 3S")])
    assert replay(hand).at(len(hand.actions)).points == (1, 1)


def test_s09_a_robbed_two_counts_for_the_dealer() -> None:
    hand = late_two(
        "KC 8H 9H TH JH QH 2S KH AH 8D 9D TD JD QD KD AD",
        ["1 draw KC 8H 9H TH", "2 draw JH QH 2S", "3 rob KH AH 8D 9D"],
    )
    robbed = instead(hand, "2 draw JH QH 2S", "2 draw JH QH KH")
    robbed = instead(robbed, "3 rob KH AH 8D 9D", "3 rob 2S AH 8D 9D")
    stock = "KC 8H 9H TH JH QH KH 2S AH 8D 9D TD JD QD KD AD"
    tricks = plays("0 AS 1 5S 2 6S 3 2S")
    replayed = replay(replace(robbed, stock=stock, actions=[*robbed.actions, *tricks]))
    assert replayed.findings == ()
    assert replayed.at(len(replayed)).points == (6, 1)


# Only seat 0 has trumps, six of them: three hands of six cards need 18 of the 16 in the stock.
SHORT_DEAL = [
    "AS KS QS JS TS 9S 2C 3C 4C",
    "2H 3H 4H 5H 6H 7H 8H 9H TH",
    "2D 3D 4D 5D 6D 7D 8D 9D TD",
    "6C 7C 8C 9C TC JC QC KC AC",
]
SHORT_STOCK = "8S 7S 6S 5S 5C 4S 3S 2S JH QH KH AH JD QD KD AD"


def short_hand(*drawn: str) -> Hand:
    actions = [
        *("0 bid 7", *PASSES, "0 trump S", "0 discard 2C 3C 4C"),
        f"1 discard {SHORT_DEAL[1]}",
        f"2 discard {SHORT_DEAL[2]}",
        f"3 discard {SHORT_DEAL[3]}",
        *drawn,
    ]
    return hand_of("pedro", actions, deal=SHORT_DEAL, stock=SHORT_STOCK)


DRAWS = ("1 draw 8S 7S 6S 5S 5C 4S", "2 draw 3S 2S JH QH KH AH")
SHORT_TRICKS = plays(
    *("0 AS 1 4S 2 3S 3 JD", "0 KS 1 6S 2 2S 3 QD", "0 QS 1 7S 2 JH 3 KD", "0 JS 1 8S 2 QH 3 AD"),
)


def test_s13_the_dealer_makes_up_with_his_own_discards() -> None:
    hand = short_hand(*DRAWS)
    view = replay(hand).at(len(hand.actions))
    assert (view.turn, view.choice.verbs, view.stock) == (3, ("rob",), 4)
    assert (view.choice.least, view.choice.most) == (4, 6)
    assert view.choice.cards == card_set(f"JD QD KD AD {SHORT_DEAL[3]}")
    rest = plays("0 TS 1 5S 2 KH 3 AC", "0 9S 1 5C 2 AH 3 KC")
    full = short_hand(*DRAWS, "3 rob JD QD KD AD AC KC", *SHORT_TRICKS, *rest)
    replayed = replay(full)
    assert replayed.findings == ()
    assert replayed.outcome is not None
    assert replayed.outcome.points == (14, 0)


def test_s13_a_dealer_with_fewer_cards_sits_out_the_last_tricks() -> None:
    rest = plays("0 TS 1 5S 2 KH", "0 9S 1 5C 2 AH")
    replayed = replay(short_hand(*DRAWS, "3 rob JD QD KD AD", *SHORT_TRICKS, *rest))
    assert replayed.findings == ()
    assert replayed.outcome is not None
    assert replayed.outcome.points == (14, 0)
    assert [len(trick.plays) for trick in replayed.tricks] == [4, 4, 4, 4, 3, 3]


def test_s13_the_others_are_filled_in_turn_as_far_as_the_stock_goes() -> None:
    # Seat 3 has the trumps and deals, so the three others need 18 cards.
    deal = [SHORT_DEAL[1], SHORT_DEAL[2], SHORT_DEAL[3], SHORT_DEAL[0]]
    actions = [
        *("0 bid 7", *PASSES, "0 trump S"),
        *(f"{seat} discard {deal[seat]}" for seat in range(3)),
        "3 discard 2C 3C 4C",
        "0 draw 8S 7S 6S 5S 5C 4S",
        "1 draw 3S 2S JH QH KH AH",
    ]
    hand = hand_of("pedro", actions, deal=deal, stock=SHORT_STOCK)
    view = replay(hand).at(len(actions))
    assert (view.turn, view.choice.least, view.choice.most) == (2, 4, 4)
    full = replay(replace(hand, actions=[*actions, "2 draw JD QD KD AD", "0 play 8S"]))
    assert full.findings == ()
    assert full.at(len(full)).phase == "play"


def test_s13_the_lead_goes_on_from_a_player_without_cards() -> None:
    # The dealer took four cards and wins trick 4 with the last of them.
    deal = [
        "AS KS QS JS TS 2C 3C 4C 6C",
        SHORT_DEAL[1],
        SHORT_DEAL[2],
        "9S 7C 8C 9C TC JC QC KC AC",
    ]
    actions = [
        *("0 bid 7", *PASSES, "0 trump S", "0 discard 2C 3C 4C 6C"),
        f"1 discard {deal[1]}",
        f"2 discard {deal[2]}",
        "3 discard 7C 8C 9C TC JC QC KC AC",
        "0 draw JH",
        "1 draw QH KH AH JD QD KD",
        "2 draw AD 8S 7S 6S 5S 5C",
        "3 rob 4S 3S 2S",
    ]
    stock = "JH QH KH AH JD QD KD AD 8S 7S 6S 5S 5C 4S 3S 2S"
    tricks = plays(
        *("0 AS 1 QH 2 5C 3 2S", "0 KS 1 KH 2 5S 3 3S", "0 QS 1 AH 2 6S 3 4S"),
        *("0 JH 1 JD 2 AD 3 9S", "0 JS 1 QD 2 7S", "0 TS 1 KD 2 8S"),
    )
    replayed = replay(hand_of("pedro", [*actions, *tricks], deal=deal, stock=stock))
    assert replayed.findings == ()
    assert replayed.tricks[3].winner == 3
    assert replayed.tricks[4].leader == 0


def test_s11_the_refill_goes_round_from_the_dealers_left() -> None:
    early = instead(pedro(), "1 draw KC AC 8H", "2 draw KC AC 8H")
    early = instead(early, "2 draw 9H TH JH", "1 draw 9H TH JH")
    assert places(replay(replace(early, claimed=UNSET)).findings)[:1] == [
        ("draw-out-of-turn", "/actions/9")
    ]


def test_s11_a_draw_may_be_recorded_while_later_hands_lay_off() -> None:
    hand = pedro()
    discards = hand.actions.index("2 discard 2D 3D 4D 5D 6D 7D")
    actions = [text for text in hand.actions if text != "1 draw KC AC 8H"]
    actions.insert(discards, "1 draw KC AC 8H")
    assert replay(replace(hand, actions=actions)).verdict == Verdict.VALID


def test_a_short_draw_is_one_finding() -> None:
    # The refill goes on, and the dealer robs what the stock then holds.
    hand = instead(pedro(), "1 draw KC AC 8H", "1 draw KC AC")
    hand = instead(hand, "2 draw 9H TH JH", "2 draw 8H 9H TH")
    hand = instead(hand, "3 rob QH KH AH 8D", "3 rob JH QH KH AH")
    tricks = plays(
        *("0 AS 1 5S 2 6S 3 3S", "0 JS 1 8S 2 7S 3 4S", "0 2S 1 9S 2 5C 3 QH"),
        *("1 KC 2 9H 3 KH 0 TS", "0 KS 1 AC 2 TH 3 AH", "0 QS 2 8H 3 JH"),
    )
    first = next(index for index, text in enumerate(hand.actions) if " play " in text)
    replayed = replay(replace(hand, actions=[*hand.actions[:first], *tricks]))
    assert places(replayed.findings) == [("draw-count", "/actions/9")]
    assert replayed.verdict == Verdict.IRREGULAR
    assert replayed.outcome is not None
    assert replayed.outcome.points == (9, 5)


def test_cards_left_over_after_a_forgotten_surplus_are_not_played_on() -> None:
    # Seat 0 holds seven trumps and buries none: six tricks are played all the same.
    deal = ["AS KS QS JS TS 9S 2S 3C 4C", *PEDRO_DEAL[1:]]
    deal[1] = "2C 8S 5S 2H 3H 4H 5H 6H 7H"
    stock = "KC AC 8H 9H TH JH QH KH AH 8D 9D TD JD QD KD AD"
    actions = [
        *("0 bid 9", *PASSES, "0 trump S", "0 discard 3C 4C", "1 discard 2C 2H 3H 4H 5H 6H 7H"),
        *("2 discard 2D 3D 4D 5D 6D 7D", "3 discard 6C 7C 8C 9C TC JC QC"),
        *("1 draw KC AC 8H 9H", "2 draw TH JH QH", "3 rob KH AH 8D 9D"),
        *plays(
            *("0 AS 1 5S 2 5C 3 3S", "0 KS 1 8S 2 6S 3 4S", "0 QS 1 KC 2 7S 3 KH"),
            *("0 JS 1 AC 2 TH 3 AH", "0 TS 1 8H 2 JH 3 8D", "0 2S 1 9H 2 QH 3 9D"),
        ),
    ]
    replayed = replay(hand_of("pedro", actions, deal=deal, stock=stock))
    assert codes(replayed) == ["not-buried"]
    assert replayed.verdict == Verdict.IRREGULAR
    assert replayed.outcome is not None
    assert replayed.outcome.points == (14, 0)
