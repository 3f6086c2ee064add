"""Folding in the Ukrainian-Canadian game: who may, who must, and what follows from it."""

from replay import Verdict
from replay.engine import engine
from replay.engine.policies import Phase
from schemas.actions import Verb
from schemas.cards import names_in
from tests.kit.exchange_tables import Table
from tests.kit.support import legal_now

FOLDING = [
    "AS KS QS JS AH KH QH JH TH 9H 8H 7H 6H",
    "TS 5H 4H 3H 2H AD KD QD JD TD 9D 8D 7D",
    "9S 8S 7S 6S 6D 5D 4D 3D 2D AC KC QC JC",
    "5S 5C 4S 3S 2S TC 9C 8C 7C 6C 4C 3C 2C",
]
"""Seat 1 has one trump, all others more."""


def test_t83_s59_without_a_trump_one_must_fold() -> None:
    deal = [FOLDING[0], FOLDING[1].replace("TS", "2C"), *FOLDING[2:]]
    deal[3] = deal[3].replace("2C", "TS")
    table = Table("ukrainian", deal)
    assert (table.phase, table.state.turn, legal_now(table.state, table.rules)) == (
        "FOLD",
        1,
        "fold",
    )
    assert not engine.may_pass_over(table.state, table.rules)
    assert table.judged("0 fold") == ["fold-with-trumps"]
    assert table.judged("2 fold") == ["fold-with-trumps"]
    table.ok("1 fold")
    assert table.phase == "DISCARD"
    assert table.judged("1 discard 5H") == ["card-not-held"]


def test_s59_one_trump_may_be_given_and_then_one_folds() -> None:
    table = Table("ukrainian", FOLDING)
    assert (table.phase, table.state.turn) == ("FOLD", 1)
    assert engine.may_pass_over(table.state, table.rules)
    assert table.judged("1 fold") == ["fold-with-trumps"]
    table.ok("1 give TS")
    assert legal_now(table.state, table.rules) == "fold"
    assert names_in(table.state.holding[3] & table.rules.trump_cards[0]) == "TS 5S 4S 3S 2S 5C"
    table.ok("1 fold", "0 discard AH KH QH JH TH 9H 8H", "2 discard 6D 5D 4D 3D 2D AC KC")
    assert table.judged("3 discard TC 9C 8C 7C 6C 4C 3C") == ["discard-count"]
    table.ok("3 discard TC 9C 8C 7C 6C 4C 3C 2C", "0 play AS", "2 play 6S", "3 play 5S")
    assert table.state.winner == 0


def test_s59_or_one_stays() -> None:
    table = Table("ukrainian", FOLDING).ok("0 discard AH KH QH JH TH 9H 8H")
    assert table.phase == "DISCARD"
    table.ok("1 discard 5H 4H 3H 2H AD KD QD")
    assert table.state.folded == 0


TWO = [
    "AS KS QS JS AH KH QH JH TH 9H 8H 7H 6H",
    "TS 2S 5H 4H 3H 2H AD KD QD JD TD 9D 8D",
    "9S 8S 7S 6S 7D 6D 5D 4D 3D 2D AC KC QC",
    "5S 5C 4S 3S JC TC 9C 8C 7C 6C 4C 3C 2C",
]


def test_s59_two_trumps_with_the_two_go_together() -> None:
    table = Table("ukrainian", TWO)
    assert table.judged("1 give TS") == ["give-count"]
    assert table.judged("1 give TS 2S 5H") == ["give-not-allowed"]
    assert table.judged("1 give 2S 5H") == ["give-not-allowed"]
    assert table.judged("1 give TS 2S") == []


def test_s59_two_trumps_without_the_two_stay() -> None:
    deal = [TWO[0], TWO[1].replace("2S", "3S"), TWO[2], TWO[3].replace("3S", "2S")]
    table = Table("ukrainian", deal)
    assert table.phase == "DISCARD"
    assert table.judged("1 give TS 3S") == ["give-not-allowed"]
    assert table.judged("1 fold") == ["fold-with-trumps"]


def test_s59_three_trumps_stay_and_so_does_the_maker() -> None:
    table = Table("ukrainian", FOLDING, maker=1)
    assert table.phase == "DISCARD"
    assert table.judged("1 give TS") == ["give-not-allowed"]
    assert table.judged("2 give 9S") == ["give-not-allowed"]


def both_poor() -> Table:
    deal = [
        "AS KS QS JS 9S 8S AH KH QH JH TH 9H 8H",
        "TS 7H 6H 5H 4H 3H 2H AD KD QD JD TD 9D",
        "7S 6S 5S 4S 3S 5C 8D 7D 6D 5D 4D 3D 2D",
        "2S AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
    ]
    return Table("ukrainian", deal)


def test_s59_only_one_of_two_partners_may_give() -> None:
    assert both_poor().judged("3 give 2S") == []
    table = both_poor().ok("1 give TS")
    assert table.judged("3 give 2S TS") == ["give-not-allowed"]
    table.ok("1 fold")
    assert table.judged("3 give 2S TS") == ["give-not-allowed"]


def test_s59_nothing_can_be_given_to_a_player_who_has_folded() -> None:
    table = both_poor()
    table.found("1 fold")
    assert table.judged("3 give 2S") == ["give-not-allowed"]


def test_s59_the_gift_precedes_the_partners_discard() -> None:
    table = both_poor()
    _, _, codes = table.foreseen(
        "0 discard AH KH QH JH TH 9H 8H", "1 give TS", "3 discard AC KC QC JC TC 9C 8C 7C", "1 fold"
    )
    assert codes == [[]] * 4
    _, _, codes = table.foreseen("3 discard AC KC QC JC TC 9C 8C", "1 give TS", "1 fold")
    assert codes == [[], ["give-not-allowed"], []]


def test_s59_s62_a_maker_without_trumps_folds_and_the_next_leads_a_trump() -> None:
    deal = [FOLDING[0], FOLDING[1].replace("TS", "2C"), *FOLDING[2:]]
    deal[3] = deal[3].replace("2C", "TS")
    table = Table("ukrainian", deal, maker=1).ok("1 fold")
    table.ok("0 discard AH KH QH JH TH 9H 8H", "2 discard 6D 5D 4D 3D 2D AC KC")
    table.ok("3 discard TC 9C 8C 7C 6C 4C 3C")
    assert (table.phase, table.state.turn) == ("PLAY", 2)
    assert table.judged("2 play QC") == ["plain-lead"]
    table.ok("2 play 9S", "3 play 5C", "0 play AS")
    assert (table.state.winner, table.state.trick) == (0, 2)
    assert table.judged("1 play 5H") == ["played-when-out"]


def test_t83_a_player_who_does_not_fold_is_found_once() -> None:
    deal = [FOLDING[0], FOLDING[1].replace("TS", "2C"), *FOLDING[2:]]
    deal[3] = deal[3].replace("2C", "TS")
    table = Table("ukrainian", deal)
    rest = [
        *("0 discard AH KH QH JH TH 9H 8H", "2 discard 6D 5D 4D 3D 2D AC KC"),
        *("3 discard TC 9C 8C 7C 6C 4C 3C", "0 play AS"),
    ]
    _, _, codes = table.foreseen("1 discard 5H 4H 3H 2H AD KD QD", *rest, "1 play JD")
    assert codes == [["not-folded"], [], [], [], [], []]
    _, _, codes = table.foreseen(*rest, "1 play JD", "2 play 6S")
    assert codes == [[], [], [], [], ["not-folded"], []]
    _, _, codes = table.foreseen("1 fold", *rest, "2 play 6S", "3 play 5C", "0 play KS")
    assert codes == [[]] * 8
    # Who had to fold and does nothing more has folded, said or not.
    _, _, codes = table.foreseen(*rest, "2 play 6S", "3 play 5C", "0 play KS")
    assert codes == [[]] * 7


def test_9_fold_an_unknown_hand_may_fold_and_leaves_a_doubt() -> None:
    table = Table("ukrainian", [FOLDING[0], "? " * 12 + "?", *FOLDING[2:]])
    table.state.folds_ahead = 0b10
    _, _, codes = table.foreseen("1 fold")
    assert codes == [[]]
    everything = [
        *("1 fold", "0 discard AH KH QH JH TH 9H 8H", "2 discard 6D 5D 4D 3D 2D AC KC"),
        *("3 discard TC 9C 8C 7C 6C 4C 3C", "0 play AS", "2 play 6S", "3 play 2S"),
        *("0 play KS", "2 play 7S", "3 play 3S", "0 play QS", "2 play 8S", "3 play 4S"),
        *("0 play JS", "2 play 9S", "3 play 5C", "0 play 7H", "2 play QC", "3 play 2C"),
        *("0 play 6H", "2 play JC", "3 play 5S"),
    ]
    replayed = table.replayed(*everything)
    assert replayed.findings == ()
    # The ten of trumps was not seen.
    assert replayed.verdict == Verdict.DOUBTFUL


def test_9_give_a_gift_is_offered_as_a_value() -> None:
    table = Table("ukrainian", TWO)
    options = engine.legal(table.state, table.rules, 1)
    assert options.verbs == 1 << Verb.GIVE
    assert names_in(options.must) == names_in(options.may) == "TS 2S"
    assert (options.least, options.most) == (2, 2)
    assert table.state.phase == Phase.FOLD
