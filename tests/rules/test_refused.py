"""Options of Twenty-Nine that contradict the rest of the rules are refused, with the reason."""

import pytest

from tests.kit.support import Options, ruleset_for
from tricklog.core import RulesetError

STAKES: Options = {"made": "game-point", "failed": "minus-game-point"}
PHASES = ["auction", "trump", "double", "discard", "refill", "rob", "play"]


@pytest.mark.parametrize(
    ("variant", "options", "key", "reason"),
    [
        (
            "twenty-nine",
            {
                "solo": "partner-open",
                "phases": ["auction", "trump", "solo", "double", "deal-rest", "play"],
            },
            "solo",
            "the last before play",
        ),
        ("pedro", {**STAKES, "doubling": "double", "phases": PHASES}, "doubling", "laid off"),
        ("king-pedro", {"weak_start": "thrown-in"}, "weak_start", "before trumps are named"),
        ("twenty-nine", {"joker": True}, "joker", "is always a trump, so trumps have to be open"),
        (
            "twenty-nine",
            {"twos": "no-trump-reversed", "no_trump": "colours"},
            "twos",
            "cannot mean no trumps reversed",
        ),
        ("twenty-nine", {"ask": "end-of-trick", "pair": "with-a-ruff"}, "pair", "end of a trick"),
    ],
)
def test_s87_s93_what_cannot_agree(variant: str, options: Options, key: str, reason: str) -> None:
    with pytest.raises(RulesetError, match=reason) as caught:
        ruleset_for(variant, options)
    assert caught.value.pointer == f"/rules/options/{key}"
