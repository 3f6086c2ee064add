"""A ruleset in words, made from the data: each question of the rules and the answer it gets.

The words of an answer are the docstring of the policy value, so they cannot differ from the code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

from replay.findings import phase_words
from replay.policies import Phase
from replay.policy_table import POLICIES, Choice, Phases, Points, Policy, Ranks, Switch
from replay.ruleset import HouseRule, Ruleset
from schemas.cards import RANKS
from schemas.show import rank_text

_CITATION: Final = re.compile(r"\s*\((?:\d|[COST]\d)[^()]*\)")

_APPLIES: Final[dict[str, tuple[str, str]]] = {
    "forced_bid": ("all_pass", "dealer-forced"),
    "low_to": ("points", "2"),
}
"""Questions that only arise when another policy has, or holds, a value."""
_FALLS_AWAY: Final[dict[str, tuple[str, object]]] = {
    "surplus": ("discard", "nothing"),
    "surplus_points": ("discard", "nothing"),
    "pair_shift": ("pair", "none"),
    "last_trick_points": ("last_trick_points", 0),
    "plain_void": ("plain_follow", "trumps-only"),
    "goes_out_at": ("goes_out_at", 0),
    "lose_at": ("lose_at", 0),
    "clamp": ("clamp", False),
}
"""Questions that do not arise when another policy has a value."""


@dataclass(frozen=True, slots=True)
class RuleInWords:
    """One question of the rules and its answer."""

    policy: str
    section: str
    question: str
    value: object
    """The answer as variant files write it."""
    answer: str
    """The answer for people."""
    cite: str
    """Citations, separated by spaces."""
    applies: bool
    """Whether the question arises in this game at all."""


def rules_in_words(ruleset: Ruleset) -> list[RuleInWords]:
    """Return every question of the rules with the answer of a ruleset, section by section."""
    return [
        RuleInWords(
            policy=policy.key,
            section=policy.section,
            question=policy.question,
            value=ruleset.values[policy.key],
            answer=answer_in_words(policy, ruleset.values[policy.key]),
            cite=ruleset.cite(policy.key),
            applies=_applies(policy.key, ruleset.values),
        )
        for policy in POLICIES.values()
    ]


def house_rule_values(rule: HouseRule) -> str:
    """Return how a log switches a house rule on: ``{"min_bid": 6, "forced_bid": 6}``.

    Where there is a choice of values, they stand side by side.
    """
    pairs = [f'"{key}": {" or ".join(map(_as_json, rule.choices(key)))}' for key in rule.values]
    return f"{{{', '.join(pairs)}}}"


def _as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def answer_in_words(policy: Policy, value: Any) -> str:  # noqa: ANN401 - any policy's
    """Return the value of a policy for people."""
    if isinstance(policy, Choice):
        return _words_of(policy.values.__name__).get(str(value), str(value))
    if isinstance(policy, Switch):
        return "Yes." if value else "No."
    if isinstance(policy, Ranks):
        return " ".join(_rank(rank) for rank in value)
    if isinstance(policy, Points):
        worths = [f"{_rank(card)} {worth}" for card, worth in value.items()]
        return ", ".join(worths)
    if isinstance(policy, Phases):
        return ", ".join(phase_words(Phase[name.upper().replace("-", "_")]) for name in value)
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


def _rank(name: str) -> str:
    return rank_text(RANKS.index(name)) if name in RANKS else name.replace("_", " ")


def _applies(key: str, values: Mapping[str, Any]) -> bool:
    if key in _APPLIES:
        other, wanted = _APPLIES[key]
        held = values[other]
        return bool(held == wanted if isinstance(held, str) else wanted in held)
    if key in _FALLS_AWAY:
        other, unwanted = _FALLS_AWAY[key]
        return bool(values[other] != unwanted)
    return True


@cache
def _docstrings() -> dict[str, dict[str, str]]:
    """Return the docstring of every member of every policy, by enum and value.

    Python keeps no docstrings of members, so they are read from the source, which is installed.
    """
    source = (resources.files("replay") / "policies.py").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for member, below in zip(node.body, node.body[1:], strict=False):
            if (
                isinstance(member, ast.Assign)
                and isinstance(member.targets[0], ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
            ):
                value = member.targets[0].id.lower().replace("_", "-")
                found.setdefault(node.name, {})[value] = str(below.value.value)
    return found


def _words_of(enum: str) -> dict[str, str]:
    return {
        value: " ".join(_CITATION.sub("", text).split())
        for value, text in _docstrings().get(enum, {}).items()
    }
