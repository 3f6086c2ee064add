"""Open discards: an opponent may take a trump out of them (docs/rules/01-pedro.md, O09)."""

from replay.engine import engine
from schemas.actions import Verb
from schemas.cards import names_in
from tests.kit.exchange_tables import Table, pack_rest
from tests.kit.support import Options

O09: Options = {"discards_shown": "all", "discards_claimed": True}
DEAL = [
    "AS KS QS JS 2S 2C 3C 4C AC",
    "9S 8S 2H 3H 4H 6H 7H 8H 9H",
    "7S 6S 5C 2D 3D 4D 6D 7D 8D",
    "5S TS 6C 7C 8C 9C TC JC QC",
]
REST = pack_rest(*DEAL)


def table(options: Options | None = None) -> Table:
    """Seat 1, in hope of its partner, lays off the nine of trumps."""
    return Table("pedro", DEAL, options={**O09, **(options or {})}, stock=" ".join(REST))


def laid_off(options: Options | None = None) -> Table:
    made = table(options)
    return made.ok("1 discard-up 9S 2H 3H 4H 6H 7H 8H 9H")


def test_o09_s20_an_opponent_takes_the_trump_and_gives_a_plain_card() -> None:
    made = laid_off()
    options = engine.legal_aside(made.state, made.rules, 0)
    assert options.verbs == 1 << Verb.CLAIM
    assert (names_in(options.may), names_in(options.limited)) == ("9S", "AC 4C 3C 2C")
    assert (options.least, options.most, options.limit) == (1, 1, 1)
    made.ok("0 claim 9S 2C")
    assert names_in(made.state.holding[0]) == "AS KS QS JS 9S 2S AC 4C 3C"
    assert names_in(made.state.discarded[0]) == "2C"
    assert "9S" not in names_in(made.state.discarded[1])
    made.ok("0 discard-up 3C 4C AC")
    # Six trumps: neither a draw nor another claim.
    made.ok("2 discard-up 2D 3D 4D 6D 7D 8D", "3 discard-up 6C 7C 8C 9C TC JC QC")
    assert made.judged(f"0 draw {REST[0]}") == ["draw-out-of-turn"]


def test_o09_without_it_nobody_claims() -> None:
    made = Table("pedro", DEAL, stock=" ".join(REST))
    assert made.found("1 discard 9S 2H 3H 4H 6H 7H 8H 9H") == ["discarded-trump"]
    assert made.judged("0 claim 9S 2C") == ["not-now"]


def test_s20_who_may_not_claim() -> None:
    made = laid_off()
    assert made.judged("3 claim 9S 6C") == ["claim-not-allowed"]
    assert made.judged("1 claim 9S") == ["claim-not-allowed"]
    assert made.judged("0 claim 2H 2C") == ["claim-not-allowed"]
    assert made.judged("0 claim 9S AS") == ["claim-not-allowed"]
    assert made.judged("0 claim 9S") == ["claim-not-allowed"]
    assert made.judged("0 claim 9S 2D") == ["card-not-held"]
    assert made.judged("0 claim 8S 2C") == ["card-not-in-stock"]
    assert engine.legal_aside(made.state, made.rules, 3).verbs == 0


def test_s20_with_six_trumps_nobody_claims() -> None:
    made = laid_off()
    made.state.holding[0] |= 1 << 8
    assert names_in(made.state.holding[0]).startswith("AS KS QS JS TS 2S")
    assert made.judged("0 claim 9S 2C") == ["claim-not-allowed"]


def test_s20_whose_plain_cards_are_gone_draws_one_fewer() -> None:
    made = laid_off()
    made.ok("0 discard-up 2C 3C 4C AC", "2 discard-up 2D 3D 4D 6D 7D 8D")
    assert engine.legal_aside(made.state, made.rules, 2).limit == 0
    made.ok("2 claim 9S", "3 discard-up 6C 7C 8C 9C TC JC QC")
    made.ok(f"0 draw {REST[0]}", f"1 draw {' '.join(REST[1:6])}")
    assert made.judged(f"2 draw {' '.join(REST[6:9])}") == ["draw-count"]
    made.ok(f"2 draw {' '.join(REST[6:8])}")


def test_s20_only_before_ones_own_refill() -> None:
    made = laid_off()
    made.ok("0 discard-up 2C 3C 4C AC", "2 discard-up 2D 3D 4D 6D 7D 8D")
    made.ok("3 discard-up 6C 7C 8C 9C TC JC QC", f"0 draw {REST[0]}")
    assert made.judged("0 claim 9S") == ["claim-not-allowed"]
    assert made.judged("2 claim 9S") == []


def test_s20_what_nobody_claims_stays_or_goes_to_a_dealer_who_searches() -> None:
    for options, found in (({}, ["card-not-in-stock"]), ({"search_discards": True}, [])):
        made = laid_off(options)
        made.ok("0 discard-up 2C 3C 4C AC", "2 discard-up 2D 3D 4D 6D 7D 8D")
        made.ok("3 discard-up 6C 7C 8C 9C TC JC QC", f"0 draw {REST[0]}")
        made.ok(f"1 draw {' '.join(REST[1:6])}", f"2 draw {' '.join(REST[6:9])}")
        rest = " ".join(sorted(REST[9:], key=lambda card: card[1] != "S")[:3])
        assert made.judged(f"3 rob 9S {rest}") == found


def test_s20_the_order_of_choice_is_not_something_to_record() -> None:
    made = laid_off()
    assert made.judged("0 claim 9S 2C") == made.judged("2 claim 9S 2D") == []


def test_s20_a_claimed_card_that_is_not_recorded() -> None:
    made = laid_off()
    made.ok("0 claim ? ?")
    assert (made.state.holding[0], made.state.unknown[0]) == (0, 9)
    assert made.state.discarded_unknown[1] + made.state.discarded[1].bit_count() == 7
