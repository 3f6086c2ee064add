"""Pedro: whole hands for what takes more than a moment to show (docs/rules/01-pedro.md)."""

from tests.kit.sound_hands import pedro
from tricklog.core import Capture, Verdict, replay
from tricklog.schemas.cards import parse_card


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
