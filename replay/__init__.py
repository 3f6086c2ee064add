"""The rules engine: variants as data, replay of recorded hands, games, generated hands.

Each name is imported from its own module when it is first used, so that whoever asks for a little
does not load the engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tricklog.core.bots.generate import generate
    from tricklog.core.judging.games import check_game, match_scores
    from tricklog.core.judging.replayer import Replay, replay
    from tricklog.core.model import (
        BadRecord,
        Call,
        Capture,
        Choice,
        Finding,
        Mode,
        Outcome,
        Trick,
        Verdict,
        View,
    )
    from tricklog.core.rulesets.house_rules import HouseRule
    from tricklog.core.rulesets.rules_file import RulesetError
    from tricklog.core.rulesets.ruleset import Ruleset, load_rules_file, load_variant, ruleset_of
    from tricklog.core.rulesets.variant_names import variants

_HOMES = {
    "BadRecord": "model",
    "Call": "model",
    "Capture": "model",
    "Choice": "model",
    "Finding": "model",
    "HouseRule": "rulesets.house_rules",
    "Mode": "model",
    "Outcome": "model",
    "Replay": "judging.replayer",
    "Ruleset": "rulesets.ruleset",
    "RulesetError": "rulesets.rules_file",
    "Trick": "model",
    "Verdict": "model",
    "View": "model",
    "check_game": "judging.games",
    "generate": "bots.generate",
    "load_rules_file": "rulesets.ruleset",
    "load_variant": "rulesets.ruleset",
    "match_scores": "judging.games",
    "replay": "judging.replayer",
    "ruleset_of": "rulesets.ruleset",
    "variants": "rulesets.variant_names",
}

__all__ = [
    "BadRecord",
    "Call",
    "Capture",
    "Choice",
    "Finding",
    "HouseRule",
    "Mode",
    "Outcome",
    "Replay",
    "Ruleset",
    "RulesetError",
    "Trick",
    "Verdict",
    "View",
    "check_game",
    "generate",
    "load_rules_file",
    "load_variant",
    "match_scores",
    "replay",
    "ruleset_of",
    "variants",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
