"""The rules engine: variants as data, replay of recorded hands, games, generated hands."""

from replay.bots.generate import generate
from replay.judging.games import check_game, match_scores
from replay.judging.replayer import Replay, replay
from replay.model import (
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
from replay.rulesets.house_rules import HouseRule
from replay.rulesets.rules_file import RulesetError
from replay.rulesets.ruleset import Ruleset, load_rules_file, load_variant, ruleset_of, variants

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
