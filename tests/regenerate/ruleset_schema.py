"""The JSON Schema of variant files and of users' own rules, made from the table of policies.

``./dev regenerate`` writes the published file.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tests.regenerate.schema_texts import DIALECT, schema_text
from tricklog.core.engine.policies import value_name
from tricklog.core.rulesets.policy_table import (
    ADDED,
    CARD_KINDS,
    POLICIES,
    SECTIONS,
    TOPICS,
    Cards,
    Choice,
    Number,
    Numbers,
    Phases,
    Points,
    Policy,
    Ranks,
    Switch,
)
from tricklog.core.rulesets.rules_file import ID_PATTERN, MAX_VERSION

SCHEMA_ID: Final = "urn:tricklog:ruleset:1"

_TEXT: Final = {"type": "string"}


def _said(words: str, kind: str = "string", **more: object) -> dict[str, Any]:
    return {"description": words, "type": kind, **more}


_HEAD: Final[dict[str, dict[str, Any]]] = {
    "id": _said("Short name, which logs give as their variant.", pattern=f"^{ID_PATTERN}$"),
    "version": _said(
        "Goes up with every change of what the rules mean.",
        "integer",
        minimum=1,
        maximum=MAX_VERSION,
    ),
    "chapter": _said(
        "The chapter of docs/rules about the game, which its policies rest on.",
        "integer",
        minimum=0,
    ),
    "title": _said("Name for people."),
    "family": _said("The family of games it belongs to."),
    "summary": _said("One sentence about the game."),
    "extends": _said("A variant or a file of rules, from which all else is taken."),
    "house_rules": _said("Numbers of options that hold, O01 and the like.", "array", items=_TEXT),
}


def ruleset_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a variant file, read from its TOML."""
    return {
        "$schema": DIALECT,
        "$id": SCHEMA_ID,
        "title": "Tricklog ruleset, version 1",
        "description": (
            "A variant file, or house rules: every policy is one question of the rules, set in its "
            "section or, in house rules, without one."
        ),
        "type": "object",
        "properties": {
            **_HEAD,
            **{key: _policy_ref(key) for key in POLICIES if key not in SECTIONS},
            **{section: _section(section) for section in SECTIONS},
            "topics": _texts(
                "By topic: the part of the chapter that treats it, where it has none of that name.",
                TOPICS,
            ),
            "rulings": _texts(
                "By policy: the numbers it rests on beside its topic, with spaces between.",
                POLICIES,
            ),
            "cite": _texts(
                "By policy: what in docs/rules it rests on, where chapter and topic do not say it.",
                POLICIES,
            ),
            "option": {
                "description": "House rules that are common enough to have a name.",
                "anyOf": [
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/by_number"}},
                    {"type": "array", "items": {"$ref": "#/$defs/house_rule"}},
                ],
            },
        },
        "additionalProperties": False,
        "anyOf": [{"required": ["extends"]}, {"$ref": "#/$defs/complete"}],
        "$defs": {
            "by_number": _said(
                "The rule in words, and the policy values it stands for.",
                "array",
                prefixItems=[_TEXT, {"$ref": "#/$defs/house_rule/properties/values"}],
                minItems=2,
                maxItems=2,
            ),
            "house_rule": _house_rule(),
            # What rules need that extend nothing: a name, and a value for every policy.
            "complete": {
                "required": ["id", "title", "family"],
                "allOf": [_is_set(policy) for key, policy in POLICIES.items() if key not in ADDED],
            },
            "policies": {key: _described(policy) for key, policy in POLICIES.items()},
        },
    }


def _policy_ref(key: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/policies/{key}"}


def _described(policy: Policy) -> dict[str, Any]:
    """Return the schema of a policy's value, with the question and what each value means."""
    words = policy.question
    if isinstance(policy, Choice):
        words += "".join(f"\n- {value_name(item)}: {item.text}" for item in policy.values)
    return {"description": words, **value_schema(policy)}


def value_schema(policy: Policy) -> dict[str, Any]:
    match policy:
        case Choice():
            return {"enum": policy.names()}
        case Number():
            return _whole_number(policy.low, policy.high)
        case Switch():
            return {"type": "boolean"}
        case Numbers():
            return {"type": "array", "minItems": 1, "items": _whole_number(policy.low, policy.high)}
        case Ranks():
            return {"type": "string", "pattern": "^[AKQJT98765432]{1,13}$"}
        case Points():
            return {
                "type": "object",
                "propertyNames": {"enum": CARD_KINDS},
                "additionalProperties": _whole_number(1, 100),
                "minProperties": 1,
            }
        case Cards():
            return {"type": "array", "items": {"enum": CARD_KINDS}, "uniqueItems": True}
        case _:
            assert isinstance(policy, Phases)
            phases = {"enum": policy.names()}
            return {"type": "array", "items": phases, "uniqueItems": True, "minItems": 3}


def _whole_number(low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": high}


def _section(section: str) -> dict[str, Any]:
    policies = {key: _policy_ref(key) for key, item in POLICIES.items() if item.section == section}
    table = {"type": "object", "properties": policies, "additionalProperties": False}
    # Where a policy bears the name of its section, house rules may write its value there.
    return {"anyOf": [table, _policy_ref(section)]} if section in POLICIES else table


def _texts(description: str, names: Iterable[str]) -> dict[str, Any]:
    properties = dict.fromkeys(names, _TEXT)
    return _said(description, "object", properties=properties, additionalProperties=False)


def _house_rule() -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, policy in POLICIES.items():
        one = _policy_ref(key)
        several = {"anyOf": [one, {"type": "array", "minItems": 1, "items": one}]}
        values[key] = one if policy.is_list else several
    properties = {
        "cite": _said("What in docs/rules it rests on."),
        "words": _said("The rule in words."),
        "values": _said(
            "The policy values it stands for; of a list any one.",
            "object",
            properties=values,
            additionalProperties=False,
        ),
    }
    rule = {"type": "object", "properties": properties, "required": list(properties)}
    return {**rule, "additionalProperties": False}


def _is_set(policy: Policy) -> dict[str, Any]:
    in_section = {
        "required": [policy.section],
        "properties": {policy.section: {"type": "object", "required": [policy.key]}},
    }
    alone: dict[str, Any] = {"required": [policy.key]}
    if policy.key in SECTIONS:
        alone["properties"] = {policy.key: {"not": {"type": "object"}}}
    return {"anyOf": [in_section, alone]}


def write() -> None:
    folder = Path(__file__).resolve().parents[2] / "schemas"
    (folder / "ruleset.schema.json").write_text(schema_text(ruleset_schema()), "utf-8")
