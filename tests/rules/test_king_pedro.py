"""King Pedro: kitty, surplus, dropping out, throwing in (docs/rules/08-king-pedro.md)."""

from msgspec.structs import replace

from tests.kit.support import hand_of
from tricklog import Claimed, Verdict, check_game, replay


def test_t68_s02_all_pass_and_the_next_player_deals() -> None:
    passes = ["0 pass", "1 pass", "2 pass", "3 pass"]
    thrown_in = replace(
        hand_of("king-pedro", passes),
        game="g",
        hand=1,
        scores=[0, 0],
        claimed=Claimed(points=[0, 0], change=[0, 0], scores=[0, 0]),
        status="thrown_in",
    )
    first = replay(thrown_in)
    assert first.verdict == Verdict.VALID
    assert first.outcome is not None
    assert (first.outcome.result, first.outcome.maker, first.outcome.bid) == (
        "thrown_in",
        None,
        None,
    )
    following = replace(thrown_in, id="two", hand=2, dealer=0, actions=["1 pass"])
    assert check_game([first, replay(following)]) == [[], []]
    again = replay(replace(following, dealer=3, actions=["0 pass"]))
    assert [item.code for item in check_game([first, again])[1]] == ["wrong-dealer"]
