"""The rules engine: variants as data, replay of recorded hands, games, generated hands.

Each name is imported from its own module when it is first used, so that whoever asks for a little
does not load the engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.bots.generate import generate as generate
    from replay.judging.games import check_game as check_game
    from replay.judging.games import match_scores as match_scores
    from replay.judging.replayer import Replay as Replay
    from replay.judging.replayer import replay as replay
    from replay.model import BadRecord as BadRecord
    from replay.model import Call as Call
    from replay.model import Capture as Capture
    from replay.model import Choice as Choice
    from replay.model import Finding as Finding
    from replay.model import Mode as Mode
    from replay.model import Outcome as Outcome
    from replay.model import Trick as Trick
    from replay.model import Verdict as Verdict
    from replay.model import View as View
    from replay.rulesets.house_rules import HouseRule as HouseRule
    from replay.rulesets.rules_file import RulesetError as RulesetError
    from replay.rulesets.ruleset import Ruleset as Ruleset
    from replay.rulesets.ruleset import load_rules_file as load_rules_file
    from replay.rulesets.ruleset import load_variant as load_variant
    from replay.rulesets.ruleset import ruleset_of as ruleset_of
    from replay.rulesets.ruleset import variants as variants

_HOMES = {
    "model": (
        *("BadRecord", "Call", "Capture", "Choice", "Finding", "Mode", "Outcome", "Trick"),
        *("Verdict", "View"),
    ),
    "judging.replayer": ("Replay", "replay"),
    "judging.games": ("check_game", "match_scores"),
    "bots.generate": ("generate",),
    "rulesets.house_rules": ("HouseRule",),
    "rulesets.rules_file": ("RulesetError",),
    "rulesets.ruleset": (
        *("Ruleset", "load_rules_file", "load_variant", "ruleset_of", "variants"),
    ),
}
_PLACES = {name: module for module, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:
    # Type checkers take the imports above as what is offered.
    __all__ = list(_PLACES)


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value
