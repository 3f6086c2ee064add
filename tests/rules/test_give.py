"""Giving to the partner: who may, who must, and what follows from it."""

import pytest

from replay.engine import engine
from schemas.actions import Verb
from schemas.cards import names_in
from tests.kit.exchange_tables import Table, pack_rest
from tests.kit.support import Options

O30: Options = {
    "packets": [9],
    "discard": "all-plain",
    "refill": "others",
    "rob": "whole-stock",
    "phases": [
        *("auction", "trump", "discard", "give", "refill", "rob", "dealer-give", "come-down"),
        "play",
    ],
}

# --- Sixty-Three: point trumps too many

RICH = [
    "AS KS JS TS 9S 5S 5C QS 8S KH QH JH TH",
    "7S 6S AH AD KD QD JD TD 9D 8D 7D 6D 5D",
    "4S 3S 2S 4D 3D 2D 9H 7H 6H 5H 4H 3H 2H",
    "8H AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
]
"""Seat 0 has nine trumps, seven with points; its partner three, two with points."""
NINE_POINTS = [
    "AS KS JS TS 9S 5S 5C 3S 2S QS 8S KH QH",
    RICH[1],
    "4S JH TH 4D 3D 2D 9H 7H 6H 5H 4H 3H 2H",
    RICH[3],
]
SIX_POINTS = [
    "AS KS JS TS 9S 5S QS AH KH QH JH TH 9H",
    "8H AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
    "5C 3S 2S 8S 7S 6S 4S 7H 6H 5H 4H 3H 2H",
    "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
]
"""Seats 0 and 2 have seven trumps each; six and three of them with points."""


def sixty_three() -> Table:
    return Table("sixty-three", RICH)


def test_s66_who_has_more_than_six_point_trumps_gives_what_is_over() -> None:
    table = sixty_three()
    assert (table.phase, table.state.turn) == ("GIVE", 0)
    assert not engine.may_pass_over(table.state, table.rules)
    assert table.judged("0 give AS") == []
    assert table.judged("0 give 5C") == []
    assert table.judged("0 give AS JS") == ["give-count"]
    assert table.judged("1 give 7S") == ["give-not-allowed"]
    assert table.judged("0 give 2S") == ["card-not-held"]
    table.ok("0 give JS", "0 discard QS 8S KH QH JH TH")
    assert names_in(table.state.holding[2] & table.rules.trump_cards[0]) == "JS 4S 3S 2S"


def test_s66_all_nine_point_trumps_are_three_too_many() -> None:
    table = Table("sixty-three", NINE_POINTS)
    assert table.judged("0 give 3S 2S") == ["give-count"]
    assert table.judged("0 give AS 3S 2S") == []
    assert table.judged("0 give AS KS 3S 2S") == ["give-count"]


@pytest.mark.parametrize("cards", ["QS", "JS QS", "JS QS 8S", "KH", "JS KH"])
def test_s66_nothing_but_point_trumps_is_given(cards: str) -> None:
    assert sixty_three().judged(f"0 give {cards}") == ["give-not-allowed"]


def test_s66_blanks_and_plain_cards_are_not_offered_as_a_gift() -> None:
    table = sixty_three()
    options = engine.legal(table.state, table.rules, 0)
    assert options.verbs == 1 << Verb.GIVE
    assert names_in(options.may) == "AS KS JS TS 9S 5S 5C"
    assert (options.least, options.most) == (1, 1)


def test_s66_with_six_point_trumps_or_fewer_nothing_is_given() -> None:
    table = Table("sixty-three", SIX_POINTS)
    assert table.phase == "DISCARD"
    for text in ("0 give QS", "0 give AS", "2 give 8S", "2 give 5C"):
        assert table.judged(text) == ["give-not-allowed"], text
    assert table.judged("0 discard AH KH QH JH TH 9H") == ["discard-count"]
    assert table.judged("0 discard AH KH QH JH TH 9H AS") == ["discarded-points"]
    assert table.judged("0 discard AH KH QH JH TH 9H QS") == []


@pytest.mark.parametrize(
    ("deal", "cards", "because"),
    [
        (RICH, "QS", "only point cards may be given"),
        (RICH, "KH", "only trumps may be given"),
        (SIX_POINTS, "QS", "only point cards may be given"),
        (SIX_POINTS, "AS", "only point cards beyond 6 may be given"),
    ],
)
def test_s66_the_finding_tells_why(deal: list[str], cards: str, because: str) -> None:
    (finding, *_) = Table("sixty-three", deal).replayed(f"0 give {cards}").findings
    assert finding.message.endswith(f", but {because}.")


def test_s66_who_gets_point_trumps_comes_down_to_six() -> None:
    table = sixty_three().ok("0 give JS", "0 discard QS 8S KH QH JH TH")
    table.ok("1 discard AH AD KD QD JD TD 9D")
    assert table.judged("2 discard 4D 3D 2D 9H 7H 6H 5H") == ["discard-count"]
    table.ok("2 discard 4D 3D 2D 9H 7H 6H 5H 4H", "3 discard AC KC QC JC TC 9C 8C")
    assert table.phase == "PLAY"
    assert [table.state.holding[seat].bit_count() for seat in range(4)] == [6] * 4


def test_10_give_s71_the_gift_precedes_the_partners_discard() -> None:
    before = ["1 discard AH AD KD QD JD TD 9D", "0 discard KH QH JH TH QS 8S", "0 give JS"]
    _, _, codes = sixty_three().foreseen(*before)
    assert codes == [[]] * 3
    late = ["2 discard 4D 3D 2D 9H 7H 6H 5H", "0 discard KH QH JH TH QS 8S", "0 give JS"]
    state, _, codes = sixty_three().foreseen(*late, "2 discard 4H")
    assert codes == [[], [], ["give-not-allowed"], []]
    assert state.holding[2].bit_count() == 6


def test_s66_who_lays_off_before_giving_keeps_no_blanks() -> None:
    _, _, codes = sixty_three().foreseen("0 discard KH QH JH TH", "0 give JS")
    assert codes == [["discard-count"], []]
    state, _, codes = sixty_three().foreseen(
        "0 discard KH QH JH TH", "0 give JS", "0 discard QS 8S"
    )
    assert codes == [[]] * 3
    assert state.holding[0].bit_count() == 6
    # A blank that is given away instead is one fault, and found where it is given.
    _, _, codes = Table("sixty-three", SIX_POINTS).foreseen(
        "0 discard AH KH QH JH TH 9H", "0 give QS"
    )
    assert codes == [[], ["give-not-allowed"]]


def test_s66_s71_who_is_wrongly_given_a_seventh_point_trump_keeps_it() -> None:
    table = Table("sixty-three", SIX_POINTS, dealer=0)
    assert table.found("2 give 3S") == ["give-not-allowed"]
    table.ok("1 discard AC KC QC JC TC 9C 8C", "2 discard 7H 6H 5H 4H 3H 2H")
    table.ok("3 discard AD KD QD JD TD 9D 8D")
    assert table.judged("0 discard QS AH KH QH JH TH 9H 3S") == ["discarded-points"]
    table.ok("0 discard QS AH KH QH JH TH 9H")
    assert table.phase == "PLAY"


def test_s66_s71_an_unknown_gift_counts_and_no_more() -> None:
    deal = ["? " * 12 + "?"] * 4
    table = Table("sixty-three", deal)
    state, _, codes = table.foreseen("0 give ? ?", "2 discard ? ? ? ? ? ? ? ? ?")
    assert codes == [[], []]
    assert (state.unknown[0], state.unknown[2]) == (11, 6)
    for cards, found in (("2H", ["give-not-allowed"]), ("8S", ["give-not-allowed"]), ("JS", [])):
        assert table.foreseen(f"0 give ? ? {cards}")[2] == [found]


# --- Eighty-Three: trumps too many

SEVENS = [
    "AS KS QS JS TS 9S 8S AH KH QH JH TH",
    "4H 3H 2H AD KD QD JD TD 9D 8D 7D 6D",
    "5S 5C 2S 7S 6S 4S 3S 9H 8H 7H 6H 5H",
    "5D 4D 3D 2D AC KC QC JC TC 9C 8C 7C",
]
"""Seats 0 and 2 have seven trumps each; six and three of them with points."""


def sevens() -> Table:
    return Table("eighty-three", SEVENS, maker=1, kitty="JO 6C 4C 3C 2C")


def test_s71_gifts_go_one_way_only() -> None:
    table = sevens()
    assert table.judged("2 give 6S") == []
    table.ok("0 give 8S")
    assert table.found("2 give 6S") == ["give-not-allowed"]
    assert table.state.holding[0].bit_count() == 12


def test_s71_no_gift_may_bring_the_partner_over_six_point_cards() -> None:
    table = sevens()
    # Seat 0 has six point cards already, so a blank may come, and a point card may not.
    assert table.judged("2 give 5S") == ["give-not-allowed"]
    assert table.judged("2 give 4S") == []
    assert table.judged("0 give AS") == []


def test_s71_blanks_may_be_laid_off_instead_of_given() -> None:
    table = sevens()
    assert engine.may_pass_over(table.state, table.rules)
    table.ok("0 discard 8S AH KH QH JH TH", "1 discard 4H 3H 2H AD KD QD JD TD 9D 8D 7D")
    table.ok("2 discard 3S 9H 8H 7H 6H 5H", "3 discard 5D 4D 3D 2D AC KC")
    assert table.phase == "PLAY"


def test_s71_the_gift_precedes_the_partners_discard() -> None:
    before = ["0 discard AH KH QH JH TH", "0 give 8S", "2 discard 8S 9H 8H 7H 6H 5H 3S"]
    _, _, codes = sevens().foreseen(*before)
    assert codes == [[]] * 3
    late = ["2 discard 9H 8H 7H 6H 5H 3S", "0 discard AH KH QH JH TH", "0 give 8S"]
    _, _, codes = sevens().foreseen(*late, "2 discard 8S")
    assert codes == [[], [], ["give-not-allowed"], []]


EIGHTY_THREE = [
    "AS KS QS JS TS 9S 8S 7S AH KH QH JH",
    "TH 9H 8H 7H 6H 5H 4H 3H 2H AD KD QD",
    "5S 5C 2S 6S JD TD 9D 8D 7D 6D 5D 4D",
    "4S 3S AC KC QC JC TC 9C 8C 7C 6C 4C",
]
EIGHTY_THREE_KITTY = "JO 3D 2D 3C 2C"


def test_t95_s71_eighty_three_gives_just_what_is_over_six() -> None:
    table = Table("eighty-three", EIGHTY_THREE, kitty=EIGHTY_THREE_KITTY)
    assert table.state.holding[0].bit_count() == 17
    # Nine trumps: seven with points, so that at least one of these has to go.
    assert table.judged("0 give 8S 7S") == ["give-count"]
    assert table.judged("0 give 8S 7S TS") == []
    assert table.judged("0 give JO JS TS") == []
    assert table.judged("0 give QS JS TS AS") == ["give-count"]
    table.ok("0 give 8S 7S TS", "0 discard AH KH QH JH 3D 2D 3C 2C")
    table.ok("1 discard TH 9H 8H 7H 6H 4H")
    assert table.judged("2 discard 8S 7S 6S JD TD 9D 8D 7D 5S") == ["discarded-points"]
    table.ok("2 discard 8S JD TD 9D 8D 7D 6D 5D 4D", "3 discard AC KC QC JC TC 9C")
    assert table.phase == "PLAY"


def test_s71_without_a_gift_eight_trumps_come_down_by_blanks() -> None:
    deal = [EIGHTY_THREE[0].replace("TS", "AD"), *EIGHTY_THREE[1:]]
    deal[1] = deal[1].replace("AD", "TS")
    table = Table("eighty-three", deal, kitty=EIGHTY_THREE_KITTY)
    assert engine.may_pass_over(table.state, table.rules)
    assert table.judged("0 discard 8S 7S AH KH QH JH AD 3D 2D 3C 2C") == []
    assert table.judged("0 discard 8S 7S JO AH KH QH JH AD 3D 2D 3C") == ["discarded-points"]


# --- Either game with nine cards and a refill

NINES = [
    "AS KS JS TS 9S 5S QS 8S 7S",
    "AH KH QH JH TH 9H 8H 7H 6H",
    "3S 2S 6S 5H 4H 3H 2H AD KD",
    "5C 4S QD JD TD 9D 8D 7D 6D",
]
NINES_STOCK = pack_rest(*NINES)


def o30(deal: list[str] = NINES, maker: int = 0) -> Table:
    rest = " ".join(pack_rest(*deal))
    return Table("sixty-three", deal, options=O30, stock=rest, maker=maker)


def test_o30_plain_cards_go_then_the_surplus_then_hands_are_filled() -> None:
    table = o30().ok("1 discard AH KH QH JH TH 9H 8H 7H 6H", "2 discard 5H 4H 3H 2H AD KD")
    table.ok("3 discard QD JD TD 9D 8D 7D 6D")
    # Seat 0 has nine trumps and nothing to lay off, but might shed blanks already.
    assert table.phase == "DISCARD"
    assert engine.may_pass_over(table.state, table.rules)
    assert table.judged("0 give JS TS") == ["give-count"]
    table.ok("0 give JS QS 8S")
    assert table.phase == "REFILL"
    assert table.judged("2 give 6S") == ["not-now"]
    draws = NINES_STOCK
    table.ok(f"1 draw {' '.join(draws[:6])}")
    assert table.phase == "ROB"
    table.ok(f"3 rob {' '.join(draws[6:])}")
    assert table.phase == "COME_DOWN"


def test_o30_without_it_there_is_no_refill_and_the_gift_comes_first() -> None:
    assert sixty_three().phase == "GIVE"
    table = sixty_three().ok("0 give JS", "0 discard QS 8S KH QH JH TH")
    assert table.judged("1 draw AS") == ["not-now"]


def test_s76_who_was_given_too_many_sheds_blanks() -> None:
    deal = [
        "AS KS JS TS 9S 5S QS 8S AH",
        "KH QH JH TH 9H 8H 7H 6H 5H",
        "3S 2S 7S 6S 4S 4H 3H 2H AD",
        "5C KD QD JD TD 9D 8D 7D 6D",
    ]
    table = o30(deal).ok("0 discard AH", "1 discard KH QH JH TH 9H 8H 7H 6H 5H")
    table.ok("2 discard 4H 3H 2H AD", "3 discard KD QD JD TD 9D 8D 7D 6D", "0 give QS 8S")
    rest = pack_rest(*deal)
    late = [f"1 draw {' '.join(rest[:6])}", f"3 rob {' '.join(rest[6:])}"]
    state, _, codes = table.foreseen(*late, "2 discard 8S", "3 discard " + " ".join(rest[11:]))
    assert codes[:3] == [[], [], []]
    early = ["2 discard 8S", *late]
    _, _, codes = table.foreseen(*early)
    assert codes == [[], [], []]
    assert table.judged("2 discard 3S") == ["discarded-points"]
    assert state.holding[2].bit_count() == 6


def test_s76_a_dealer_with_too_many_point_cards_gives_them() -> None:
    deal = [
        "QS AH KH QH JH TH 9H 8H 7H",
        "8S 7S 6S 6H 5H 4H 3H 2H AD",
        "4S KD QD JD TD 9D 8D 7D 6D",
        "AS KS JS TS 9S 5S 5D 4D 3D",
    ]
    rest = ["2D", *(card for card in pack_rest(*deal) if card not in ("2D", "5C", "3S"))]
    stock = [*rest, "5C", "3S"]
    table = Table("sixty-three", deal, options=O30, stock=" ".join(stock), maker=3)
    table.ok("0 discard AH KH QH JH TH 9H 8H 7H", "1 discard 6H 5H 4H 3H 2H AD")
    table.ok("2 discard KD QD JD TD 9D 8D 7D 6D", "3 discard 5D 4D 3D")
    table.ok(f"0 draw {' '.join(stock[:5])}", f"1 draw {' '.join(stock[5:8])}")
    table.ok(f"2 draw {' '.join(stock[8:13])}", f"3 rob {' '.join(stock[13:])}")
    assert (table.phase, table.state.turn) == ("DEALER_GIVE", 3)
    assert not engine.may_pass_over(table.state, table.rules)
    assert table.judged("3 give 5C") == ["give-count"]
    assert table.judged("3 give 5C 3S") == []
    assert table.judged("1 give 8S") == ["not-now"]
    assert table.judged("3 discard 3S") in (["discarded-points"], ["discard-count"])
    table.ok("3 give JS 5C")
    assert table.phase == "COME_DOWN"
    assert table.state.pending == 0b1010


# --- Other games


@pytest.mark.parametrize("text", ["1 fold", "1 give 2C"])
def test_1_fold_in_other_games_nobody_folds(text: str) -> None:
    rest = pack_rest(*RICH)
    table = Table("sixty-three", RICH, stock=" ".join(rest))
    assert table.judged("1 fold") == ["not-now"]
    pedro = Table("pedro", [hand[:26] for hand in RICH], stock=" ".join("?" * 16))
    assert pedro.judged(text) == ["not-now"]
