"""The rules engine: variants as data, replay of recorded hands, games, generated hands.

Each name is imported from its own module when it is first used, so that whoever asks for a little
does not load the engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tricklog.core.bots.generate import generate as generate
    from tricklog.core.judging.games import check_game as check_game
    from tricklog.core.judging.games import match_scores as match_scores
    from tricklog.core.judging.replayer import Replay as Replay
    from tricklog.core.judging.replayer import replay as replay
    from tricklog.core.model import BadRecord as BadRecord
    from tricklog.core.model import Call as Call
    from tricklog.core.model import Capture as Capture
    from tricklog.core.model import Choice as Choice
    from tricklog.core.model import Finding as Finding
    from tricklog.core.model import Mode as Mode
    from tricklog.core.model import Outcome as Outcome
    from tricklog.core.model import Trick as Trick
    from tricklog.core.model import Verdict as Verdict
    from tricklog.core.model import View as View
    from tricklog.core.rulesets.rules_file import HouseRule as HouseRule
    from tricklog.core.rulesets.rules_file import RulesetError as RulesetError
    from tricklog.core.rulesets.ruleset import Ruleset as Ruleset
    from tricklog.core.rulesets.ruleset import load_rules_file as load_rules_file
    from tricklog.core.rulesets.ruleset import load_variant as load_variant
    from tricklog.core.rulesets.ruleset import ruleset_of as ruleset_of
    from tricklog.core.rulesets.variant_names import variants as variants

_HOMES = {
    "bots.generate": "generate",
    "judging.games": "check_game match_scores",
    "judging.replayer": "Replay replay",
    "model": "BadRecord Call Capture Choice Finding Mode Outcome Trick Verdict View",
    "rulesets.rules_file": "HouseRule RulesetError",
    "rulesets.ruleset": "Ruleset load_rules_file load_variant ruleset_of",
    "rulesets.variant_names": "variants",
}
_PLACES = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = list(_PLACES)


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value
