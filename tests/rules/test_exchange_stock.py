"""Deal, refill and rob: whole packs, odd cards, who draws when, what the dealer finds and shows."""

import pytest

from replay import Verdict, replay
from replay.engine.policies import Phase
from schemas.cards import names_in
from tests.kit.exchange_tables import Table, pack_rest
from tests.kit.sound_hands import PEDRO_DEAL, PEDRO_EXCHANGE, PEDRO_STOCK
from tests.kit.support import JOKER, Options, hand_of, plays, ruleset_for

WHOLE: Options = {"deal": "whole-pack"}
DRAW: Options = {"discard": "all-plain", "refill": "everybody"}
S38: Options = {"first_drawer": "maker", "empty_stock": "discards"}

# --- Deal


@pytest.mark.parametrize(
    ("variant", "seats", "each", "over"),
    [
        *(("sancho", 4, 13, 0), ("sancho", 5, 10, 2), ("sancho", 6, 8, 4), ("sancho", 7, 7, 3)),
        *(("snoozer", 4, 13, 1), ("snoozer", 5, 10, 3), ("snoozer", 6, 8, 5), ("snoozer", 7, 7, 4)),
    ],
)
def test_o24_s50_the_whole_pack_in_equal_hands(
    variant: str, seats: int, each: int, over: int
) -> None:
    rules = ruleset_for(variant, WHOLE).rules(seats)
    assert (rules.dealt, rules.hand_size) == (each, each)
    assert rules.pack_size - seats * each == over
    six = ruleset_for(variant).rules(seats)
    assert (six.dealt, six.hand_size) == (6, 6)


def test_o24_the_log_shows_the_matching_hand_size() -> None:
    cards = pack_rest("")
    deal = [" ".join(cards[seat * 10 : seat * 10 + 10]) for seat in range(5)]
    table = Table("sancho", deal, dealer=4, options=WHOLE, stock=" ".join(cards[50:]))
    assert table.phase == "PLAY"
    assert table.replayed().findings == ()
    short = table.replayed(deal=[text[:-3] for text in deal])
    assert [finding.code for finding in short.findings][:5] == ["deal-size"] * 5


THIRTEENS = [" ".join(pack_rest("")[seat * 13 : seat * 13 + 13]) for seat in (1, 2, 3, 0)]


def test_o27_s74_the_odd_card_goes_to_the_dealer_who_lays_off_eight() -> None:
    table = Table("sixty-three", THIRTEENS, "H", options=JOKER, stock="JO")
    assert names_in(table.state.holding[3]).endswith("JO")
    assert table.state.holding[3].bit_count() == 14
    table.ok("0 give TH")
    assert table.judged("3 discard AS KS QS JS TS 9S 8S") == ["discard-count"]
    assert table.judged("3 discard AS KS QS JS TS 9S 8S 7S") == []
    assert table.state.stock_next == table.state.stock_size


def test_s74_it_may_be_listed_with_the_dealers_cards() -> None:
    deal = [*THIRTEENS[:3], f"{THIRTEENS[3]} JO"]
    table = Table("sixty-three", deal, "H", options=JOKER)
    assert table.state.holding[3].bit_count() == 14
    assert table.replayed().findings == ()
    over: Options = {**JOKER, "odd_card": "nobody"}
    without = Table("sixty-three", THIRTEENS, "H", options=over, stock="JO")
    assert without.state.holding[3].bit_count() == 13
    others = table.replayed(deal=[*deal[:2], f"{deal[2]} JO", THIRTEENS[3]])
    assert [finding.code for finding in others.findings] == ["deal-size", "stock-size"]


def test_o27_o30_with_a_refill_there_is_no_odd_card() -> None:
    options: Options = {
        **JOKER,
        "packets": [9],
        "discard": "all-plain",
        "refill": "others",
        "rob": "whole-stock",
        "phases": [
            *("auction", "trump", "discard", "give", "refill", "rob", "dealer-give", "come-down"),
            "play",
        ],
    }
    deal = [text[:26] for text in THIRTEENS]
    stock = " ".join([*pack_rest(*deal), "JO"])
    table = Table("sixty-three", deal, "H", options=options, stock=stock)
    assert table.state.holding[3].bit_count() == 9
    assert table.state.stock_size == 17


def test_t95_o28_s75_twelve_each_and_a_kitty_of_five_or_four() -> None:
    cards = [*pack_rest(""), "JO"]
    deal = [" ".join(cards[seat * 12 : seat * 12 + 12]) for seat in range(4)]
    table = Table("eighty-three", deal, "C", kitty=" ".join(cards[48:]))
    assert table.state.holding[0].bit_count() == 17
    table.ok("0 discard AS KS QS JS TS 9S 8S 7S 6S 4S 3S")
    assert table.state.holding[0].bit_count() == 6
    without: Options = {
        "joker": False,
        "kitty_size": 4,
        "points": {
            "A": 1,
            "K": 25,
            "Q": 20,
            "J": 1,
            "T": 1,
            "9": 9,
            "5": 5,
            "off_five": 5,
            "3": 15,
            "2": 1,
        },
    }
    table = Table("eighty-three", deal, "C", options=without, kitty=" ".join(cards[48:52]))
    assert table.state.holding[0].bit_count() == 16


def test_s23_seven_cards_in_whatever_packets() -> None:
    assert ruleset_for("nicaragua").rules(4).dealt == 7


# --- Refill

PITCH = [
    "AS KS QS 2C 3C 4C",
    "JS TS 2H 3H 4H 5H",
    "9S 2D 3D 4D 5D 6D",
    "8S 7S 6S 6C 7C 8C",
]
PITCH_DISCARDS = [
    *("0 discard 2C 3C 4C", "1 discard 2H 3H 4H 5H"),
    *("2 discard 2D 3D 4D 5D 6D", "3 discard 6C 7C 8C"),
]
PITCH_REST = pack_rest(*PITCH)


def drawing(rest: list[str], *needs: tuple[int, int]) -> list[str]:
    """Return draws of so many cards by such seats, from the top of the stock."""
    texts = []
    for seat, need in needs:
        texts.append(" ".join([f"{seat} draw", *rest[:need]]))
        rest = rest[need:]
    return texts


def test_s38_everybody_draws_and_the_dealer_last() -> None:
    table = Table("pitch-with-fives", PITCH, maker=2, stock=" ".join(PITCH_REST))
    table.ok(*PITCH_DISCARDS)
    assert table.judged(drawing(PITCH_REST, (2, 5))[0]) == ["draw-out-of-turn"]
    table.ok(*drawing(PITCH_REST, (0, 3), (1, 4), (2, 5), (3, 3)))
    assert (table.phase, table.state.turn) == ("PLAY", 2)
    assert table.judged(f"3 rob {PITCH_REST[20]}") == ["not-now"]


def test_s38_the_maker_may_draw_first() -> None:
    table = Table("pitch-with-fives", PITCH, maker=2, stock=" ".join(PITCH_REST), options=S38)
    table.ok(*PITCH_DISCARDS)
    assert table.judged(drawing(PITCH_REST, (0, 3))[0]) == ["draw-out-of-turn"]
    table.ok(*drawing(PITCH_REST, (2, 5), (3, 3), (0, 3), (1, 4)))
    assert table.phase == "PLAY"


NINES = [
    "AS 2C 3C 4C 5C 6C 7C 8C 9C",
    "KS 2H 3H 4H 5H 6H 7H 8H 9H",
    "QS 2D 3D 4D 5D 6D 7D 8D 9D",
    "JS TH JH QH KH AH TC JC QC",
]
NINES_REST = pack_rest(*NINES)
THROWN = [f"{seat} discard {NINES[seat][3:]}" for seat in range(4)]


def test_s38_an_empty_stock_is_made_up_from_the_discards() -> None:
    options: Options = {**S38, "packets": [9], "first_drawer": "next-to-dealer"}
    table = Table("pitch-with-fives", NINES, stock=" ".join(NINES_REST), options=options)
    table.ok(*THROWN)
    first = drawing(NINES_REST, (0, 5), (1, 5), (2, 5))
    assert table.judged(f"{first[0][:-2]}2H") == ["card-not-in-stock"]
    table.ok(*first)
    last = NINES_REST[15]
    assert table.judged(f"3 draw {last}") == ["draw-count"]
    assert table.judged(f"3 draw {last} 2C 3C 4C JC") == []
    assert table.judged("3 draw 2C 3C 4C JC TC") == ["card-not-in-stock"]
    assert table.judged(f"3 draw {last} 2C 3C 4C AS") == ["card-not-in-stock"]
    table.ok(f"3 draw {last} 2C 2H QC 4D")
    assert names_in(table.state.discarded[1]) == "9H 8H 7H 6H 5H 4H 3H"
    assert table.phase == "PLAY"


def test_s38_without_that_the_last_to_draw_stays_short() -> None:
    table = Table("pitch-with-fives", NINES, stock=" ".join(NINES_REST), options={"packets": [9]})
    table.ok(*THROWN, *drawing(NINES_REST, (0, 5), (1, 5), (2, 5)))
    assert table.judged(f"3 draw {NINES_REST[15]} 2C") == ["card-not-in-stock"]
    table.ok(f"3 draw {NINES_REST[15]}")
    assert table.state.holding[3].bit_count() == 2


def test_s38_discards_not_recorded_may_be_what_is_dealt_again() -> None:
    options: Options = {**S38, "packets": [9], "first_drawer": "next-to-dealer"}
    table = Table("pitch-with-fives", NINES, stock=" ".join(NINES_REST), options=options)
    hidden = [f"{seat} discard" + " ?" * 8 for seat in range(4)]
    draws = drawing(NINES_REST, (0, 5), (1, 5), (2, 5))
    state, _, codes = table.foreseen(*hidden, *draws, f"3 draw {NINES_REST[15]} 2C ? QC 4D")
    assert codes == [[]] * 8
    assert sum(state.discarded_unknown) + sum(mask.bit_count() for mask in state.discarded) == 28


def test_o25_s44_s42_of_seven_players_the_later_ones_stay_short() -> None:
    deal = [
        "AS KS 2H 3H 4H 5H",
        "QS 2D 3D 4D 5D 6D",
        "JS 2C 3C 4C 5C 6C",
        "TS 7H 8H 9H TH JH",
        "9S 7D 8D 9D TD JD",
        "8S 7C 8C 9C TC JC",
        "7S QH KH AH QD KD",
    ]
    rest = pack_rest(*deal)
    table = Table("sancho", deal, dealer=6, options=DRAW, stock=" ".join(rest))
    table.ok(*(f"{seat} discard {text[3:]}" for seat, text in enumerate(deal) if seat))
    table.ok("0 discard 2H 3H 4H 5H")
    table.ok(*drawing(rest, (0, 4), (1, 5), (2, 1)))
    assert (table.phase, len(rest)) == ("PLAY", 10)
    assert [table.state.holding[seat].bit_count() for seat in range(7)] == [6, 6, 2, 1, 1, 1, 1]
    # Seat 0 leads a low trump, and the winner, whose cards are gone, passes the lead on.
    spades = [card for card in rest[:4] if card.endswith("S")]
    table.ok(f"0 play {spades[-1]}", "1 play QS", "2 play JS", "3 play TS", "4 play 9S")
    table.ok("5 play 8S", "6 play 7S")
    assert (table.state.winner, table.state.turn) == (1, 1)
    other = next(card for card in rest[4:9] if not card.endswith("S"))
    table.ok(f"1 play {other}")
    assert table.state.pending == 0b101


def test_s44_a_trick_won_with_ones_last_card() -> None:
    deal = [
        "2S 3S 2H 3H 4H 5H",
        "QS 2D 3D 4D 5D 6D",
        "JS 2C 3C 4C 5C 6C",
        "AS 7H 8H 9H TH JH",
        "9S 7D 8D 9D TD JD",
        "8S 7C 8C 9C TC JC",
    ]
    rest = pack_rest(*deal)
    table = Table("sancho", deal, dealer=5, options=DRAW, stock=" ".join(rest))
    table.ok("0 discard 2H 3H 4H 5H")
    table.ok(*(f"{seat} discard {text[3:]}" for seat, text in enumerate(deal) if seat))
    table.ok(*drawing(rest, (0, 4), (1, 5), (2, 5), (3, 2)))
    assert [table.state.holding[seat].bit_count() for seat in range(6)] == [6, 6, 6, 3, 1, 1]
    table.ok("0 play 2S", "1 play QS", "2 play JS", "3 play AS", "4 play 9S", "5 play 8S")
    assert table.state.turn == 3
    led = drawing(rest, (0, 4), (1, 5), (2, 5), (3, 2))[3].split()[2:]
    table.ok(f"3 play {led[0]}")
    assert table.state.pending == 0b111 & ~0b1000


def test_s11_the_refill_goes_round_and_leaves_the_dealer_out() -> None:
    table = Table("pedro", PEDRO_DEAL, stock=PEDRO_STOCK).ok(*PEDRO_EXCHANGE[:4])
    assert table.judged("2 draw KC AC 8H") == ["draw-out-of-turn"]
    table.ok("1 draw KC AC 8H", "2 draw 9H TH JH")
    assert table.judged("3 draw QH KH AH 8D") == ["not-now"]


def test_s11_a_draw_may_stand_before_later_discards() -> None:
    table = Table("pedro", PEDRO_DEAL, stock=PEDRO_STOCK)
    table.ok(*PEDRO_EXCHANGE[:2], "1 draw KC AC 8H", *PEDRO_EXCHANGE[2:4], "2 draw 9H TH JH")
    assert table.phase == "ROB"


def test_s09_a_two_that_is_drawn_or_robbed_is_its_holders() -> None:
    deal = [PEDRO_DEAL[0].replace("2S", "AD"), *PEDRO_DEAL[1:]]
    stock = PEDRO_STOCK.replace("AD", "2S")
    for place, holder in ((0, 0), (1, 1), (15, 3)):
        cards = stock.split()
        cards.remove("2S")
        cards.insert(place, "2S")
        table = Table("pedro", deal, stock=" ".join(cards))
        table.ok("0 discard 2C 3C 4C AD", *PEDRO_EXCHANGE[1:4])
        table.ok(*drawing(cards, (0, 1), (1, 3), (2, 3)))
        rest = sorted(cards[7:], key=lambda card: card != "2S")
        table.ok(" ".join(["3 rob", *rest[:4]]))
        assert table.state.low_seat == holder


# --- Rob


def test_o08_s19_the_dealers_partner_lays_off_the_fives_for_him() -> None:
    options: Options = {"search_discards": True}
    deal = [
        "AS KS QS 2C 3C 4C AC KC QC",
        "5S 5C JS 2H 3H 4H 5H 6H 7H",
        "8S 7S 6S 2D 3D 4D 6D 7D 8D",
        "9S TS 4S AH KH QH AD KD QD",
    ]
    rest = pack_rest(*deal)
    table = Table("pedro", deal, options=options, stock=" ".join(rest))
    table.ok("0 discard 2C 3C 4C AC KC QC", "1 discard 5S 5C 2H 3H 4H 5H 6H 7H")
    table.ok("2 discard 2D 3D 4D 6D 7D 8D", "3 discard AH KH QH AD KD QD")
    table.ok(*drawing(rest, (0, 3), (1, 5), (2, 3)))
    left = rest[11:]
    assert table.judged(f"3 rob {' '.join(left[:3])}") == ["rob-left-trumps"]
    assert table.judged(f"3 rob 5S 5C 2H {left[0]}") == ["card-not-in-stock"]
    table.ok(f"3 rob 5S 5C {left[0]}")
    assert table.state.discard_points[:2] == [0, 0]
    replayed = table.replayed()
    assert replayed.findings == ()
    plain = Table("pedro", deal, stock=" ".join(rest)).ok("0 discard 2C 3C 4C AC KC QC")
    assert plain.judged("1 discard 5S 5C 2H 3H 4H 5H 6H 7H") == ["discarded-points"]


def test_o08_o07_points_the_dealer_finds_are_not_lost() -> None:
    options: Options = {"search_discards": True, "discarded_points": "opponents"}
    deal = [
        "AS KS QS 2C 3C 4C AC KC QC",
        "5S 5C JS 2H 3H 4H 5H 6H 7H",
        "8S 7S 6S 2D 3D 4D 6D 7D 8D",
        "9S TS 4S AH KH QH AD KD QD",
    ]
    rest = pack_rest(*deal)
    table = Table("pedro", deal, options=options, stock=" ".join(rest))
    table.ok("0 discard 2C 3C 4C AC KC QC", "1 discard 5S 5C 2H 3H 4H 5H 6H 7H")
    table.ok("2 discard 2D 3D 4D 6D 7D 8D", "3 discard AH KH QH AD KD QD")
    table.ok(*drawing(rest, (0, 3), (1, 5), (2, 3)))
    assert table.found(f"3 rob 5S {' '.join(rest[11:13])}") == ["rob-left-trumps"]
    # The five of clubs is left lying, and it was seat 1 that laid it off.
    assert table.state.discard_points[:2] == [5, 0]


SEVENS = [
    "AS KS QS JS TS 2S 2C",
    "9S 8S 5S 2H 3H 4H 5H",
    "7S 6S 5C 2D 3D 4D 5D",
    "4S 3S 6C 7C 8C 9C TC",
]
SEVENS_REST = pack_rest(*SEVENS)


def nicaragua() -> Table:
    table = Table("nicaragua", SEVENS, stock=" ".join(SEVENS_REST))
    return table.ok("0 discard 2C", "1 discard 9S 2H", "2 discard 2D 3D")


def test_t47_s25_s26_the_dealer_picks_from_stock_and_discards() -> None:
    table = nicaragua()
    draws = drawing(SEVENS_REST, (0, 1), (1, 2), (2, 2))
    ways = (
        ["3 discard 6C 7C", *draws, "3 rob 9S 2H"],
        ["3 discard 6C 7C", *draws, "3 rob 9S 6C"],
        [*draws, "3 rob 9S 2H", "3 discard 6C 7C"],
        [*draws, "3 rob 9S 2H", "3 discard 2H 6C"],
        [*draws, f"3 rob {SEVENS_REST[20]}", "3 discard TC"],
        draws,
    )
    for way in ways:
        state, _, codes = table.foreseen(*way, "0 play AS")
        assert codes == [[]] * (len(way) + 1)
        assert state.phase == Phase.PLAY
        assert state.holding[3].bit_count() == 7


def test_t47_in_pedro_the_discards_are_out_of_reach() -> None:
    table = Table("pedro", PEDRO_DEAL, stock=PEDRO_STOCK).ok(*PEDRO_EXCHANGE)
    assert table.judged("3 rob QH KH AH 2H") == ["card-not-in-stock"]


def test_s26_the_dealer_ends_with_seven() -> None:
    table = nicaragua().ok(*drawing(SEVENS_REST, (0, 1), (1, 2), (2, 2)), "3 rob 9S 2H")
    assert table.judged("0 play AS") == ["not-now"]
    assert table.judged("3 discard 6C") == ["discard-count"]
    assert table.judged("3 discard 6C 7C 8C") == ["discard-count"]


def test_s24_the_others_are_filled_to_seven_or_six() -> None:
    table = nicaragua()
    assert table.judged(f"0 draw {SEVENS_REST[0]}") == []
    assert table.judged(f"0 draw {SEVENS_REST[0]} {SEVENS_REST[1]}") == ["draw-count"]
    six = Table("nicaragua", SEVENS, options={"hand_size": 6}, stock=" ".join(SEVENS_REST))
    six.ok("0 discard 2C 2S", "1 discard 9S", "2 discard 2D 3D", "3 discard 6C")
    assert six.judged(f"0 draw {' '.join(SEVENS_REST[:2])}") == ["draw-count"]
    six.ok(*drawing(SEVENS_REST, (0, 1), (2, 1)), "0 play AS")


def test_s13_a_dealer_with_fewer_cards_is_accepted() -> None:
    deal = [
        "AS 2C 3C 4C 6C 7C 8C 9C TC",
        "KS 2H 3H 4H 6H 7H 8H 9H TH",
        "QS 2D 3D 4D 6D 7D 8D 9D TD",
        "JS AH KH QH AD KD QD JD JH",
    ]
    rest = pack_rest(*deal)
    table = Table("pedro", deal, stock=" ".join(rest))
    table.ok(*(f"{seat} discard {deal[seat][3:]}" for seat in range(4)))
    table.ok(*drawing(rest, (0, 5), (1, 5), (2, 5)))
    last = rest[15]
    table.ok(f"3 rob {last}")
    assert table.state.holding[3].bit_count() == 2
    assert table.phase == "PLAY"


def test_o21_trumps_left_in_the_stock_are_shown() -> None:
    deal = [
        "AS 2C 3C 4C 6C 7C 8C 9C TC",
        "KS 2H 3H 4H 6H 7H 8H 9H TH",
        "QS JS TS 8S 7S 6S 2D 3D 4D",
        "5S 5C 4S 3S 2S AH KH QH AD",
    ]
    rest = [*(card for card in pack_rest(*deal) if card != "9S"), "9S"]
    hands = [
        *("0 discard 2C 3C 4C 6C 7C 8C 9C TC", "1 discard 2H 3H 4H 6H 7H 8H 9H TH"),
        *("2 discard 2D 3D 4D", "3 discard KH QH AD"),
        *drawing(rest, (0, 5), (1, 5)),
    ]
    for options, phase in (({"surplus_shown": True}, "SHOW"), ({}, "ROB")):
        table = Table("cinch", deal, options=options, stock=" ".join(rest)).ok(*hands)
        assert table.phase == "ROB"
        if phase == "SHOW":
            assert table.judged("3 show 9S") == []
            assert table.judged("3 show 9S AH") == ["card-not-in-stock"]
            assert table.judged(f"3 show 9S {rest[10]}") == ["discard-not-shown"]
            assert table.judged("0 show 9S") == ["not-now"]
            table.ok("0 play AS", "1 play KS", "2 play QS")
            assert table.found("3 play 2S") == ["discard-not-shown"]
            assert table.judged("0 play 2S") != ["discard-not-shown"]
        else:
            assert table.judged("3 show 9S") == ["not-now"]
            table.ok("0 play AS", "1 play KS", "2 play QS", "3 play 2S")


def test_o21_what_was_shown_is_not_asked_for_again() -> None:
    deal = [
        "AS 2C 3C 4C 6C 7C 8C 9C TC",
        "KS 2H 3H 4H 6H 7H 8H 9H TH",
        "QS JS TS 8S 7S 6S 2D 3D 4D",
        "5S 5C 4S 3S 2S AH KH QH AD",
    ]
    rest = [*(card for card in pack_rest(*deal) if card != "9S"), "9S"]
    table = Table("cinch", deal, options={"surplus_shown": True}, stock=" ".join(rest))
    table.ok("0 discard 2C 3C 4C 6C 7C 8C 9C TC", "1 discard 2H 3H 4H 6H 7H 8H 9H TH")
    table.ok("2 discard 2D 3D 4D", "3 discard KH QH AD", *drawing(rest, (0, 5), (1, 5)))
    table.ok("3 show 9S", *plays("0 AS 1 KS 2 QS 3 2S"))
    assert table.replayed().verdict == Verdict.INCOMPLETE


def test_s76_a_dealer_whose_hand_is_not_recorded_gives_before_and_after_robbing() -> None:
    options: Options = {
        "discard": "all-plain",
        "packets": [9],
        "kitty_size": 0,
        "refill": "others",
        "rob": "whole-stock",
        "phases": [
            *("auction", "trump", "discard", "give", "refill", "rob", "dealer-give", "come-down"),
            "play",
        ],
    }
    hand = hand_of(
        "eighty-three",
        [
            *("1 pass", "2 pass", "3 pass", "0 bid 33", "0 trump S"),
            *("1 discard JH AH KH QH TH 9H", "2 discard QD 8H 7H 6H 5H 4H 3H 2H AD"),
            *("3 discard 7D KD JD TD 9D 8D 6D 5D 3D", "0 discard 6S 8S", "0 give QS"),
            *("1 draw AC 4D 2D", "2 draw QC KC JC TC 9C", "3 draw 2C 8C 7C 6C 5C 4C"),
            *("0 rob JO AS 3C", "0 give JS", "2 discard QC", "0 discard 7S 3C", "0 play JO"),
        ],
        options=options,
        dealer=0,
    )
    assert replay(hand).findings == ()
