"""Finnish Pidro: dropping out, the lead passing on, the last player (docs/rules/04-pidro.md)."""

from tests.kit.sound_hands import pidro, up_to
from tricklog.core import Verdict, replay


def test_the_last_player_takes_what_is_left_played_out_or_not() -> None:
    full = replay(pidro())
    assert full.verdict == Verdict.VALID
    short = replay(up_to(pidro(), "2 play 5C"))
    assert short.verdict == Verdict.VALID
    assert short.outcome == full.outcome
    assert full.outcome is not None
    assert full.outcome.points == (9, 5)
    last = {(each.card, each.trick) for each in short.captures if each.trick > 3}
    assert [trick for _, trick in last] == [4]
    assert sum(each.points for each in short.captures) == 14
