"""The JSON Schemas of the hand log, and of variant files and users' own rules.

The first are made from the types and their docstrings; what the types leave open is filled in here:
how a list of cards, an action and a time are written. The other is made from the table of policies.
``./dev regenerate`` writes the published files.
"""

import ast
import inspect
import itertools
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

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
from tricklog.schemas import actions, first_version
from tricklog.schemas import hand as log
from tricklog.schemas.cards import CARD_COUNT, JOKER, RANKS, SUITS, card_name
from tricklog.schemas.limits import MAX_SEATS

FOLDER: Final = Path(log.__file__).parent
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def attribute_docs(owner: type) -> dict[str, str]:
    """Return the docstrings below the attributes of a class, by the name of the attribute."""
    body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {name: plain(words) for name, words in below_attributes(body)}


def below_attributes(owner: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield each attribute of a class with a docstring below it, as they are written."""
    for above, below in itertools.pairwise(owner.body):
        if not isinstance(below, ast.Expr) or not isinstance(below.value, ast.Constant):
            continue
        if isinstance(above, ast.AnnAssign | ast.Assign):
            target = above.target if isinstance(above, ast.AnnAssign) else above.targets[0]
            yield ast.unparse(target), str(below.value.value)


def plain(docstring: str | None) -> str:
    """Return a docstring as running text, paragraphs apart."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as its published file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


# --- The hand log
HAND_ID: Final = "urn:tricklog:hand:{}"
FROZEN: Final = "Version 1 is frozen: whatever changes this schema needs version 2."
GAPS: Final = "A line that version 1 can say is written in version 1, and has the hash of that."

_SEAT: Final = f"[0-{MAX_SEATS - 1}]"
_CARD: Final = f"([{RANKS}][{SUITS}]|{card_name(JOKER)}|[?*])"
_DATE: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK: Final = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?"
_OFFSET: Final = "([Zz]|[+-][0-9]{2}:[0-9]{2})"


def hand_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a hand log of version 1."""
    return _schema(first_version.Record, log.FORMAT, FROZEN, {"time": _time(offset=True)})


def gaps_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a hand log of version 2."""
    schema = _schema(log.Hand, log.FORMAT_WITH_GAPS, GAPS, {"moment": _time(offset=False)})
    schema["properties"]["format"]["enum"] = [log.FORMAT_WITH_GAPS]
    return schema


def _schema(
    line: type[msgspec.Struct], version: str, remark: str, moment: dict[str, Any]
) -> dict[str, Any]:
    """Return the schema of the lines of a version, which are of one type."""
    _, parts = msgspec.json.schema_components([line], ref_template="#/$defs/{name}")
    module = sys.modules[line.__module__]
    for name, described in parts.items():
        owner = getattr(module, name, None) or getattr(log, name)
        described["description"] = plain(owner.__doc__)
        # Of version 1 is said what differs, else the same as of version 2.
        owners = [log.Hand, first_version.Otherwise] if owner is first_version.Record else [owner]
        docs = {name: words for each in owners for name, words in attribute_docs(each).items()}
        for key, part in described["properties"].items():
            part["description"] = docs[key]
    hand = _portable(parts.pop(line.__name__))
    return {
        "$schema": DIALECT,
        "$id": HAND_ID.format(version.partition("/")[2]),
        **hand,
        "title": f"Hand log {version}",
        "description": f"{hand['description']}\n\n{remark}",
        "$defs": {
            **{name: _portable(part) for name, part in parts.items()},
            "cards": _cards(),
            "action": _action(),
            **moment,
        },
    }


def _time(*, offset: bool) -> dict[str, Any]:
    words, pattern = "A time with its offset from UTC, as RFC 3339 writes it", f"{_CLOCK}{_OFFSET}"
    if offset:
        shape = {"type": "string", "format": "date-time"}
        return {"description": f"{words}.", **shape, "pattern": f"^{_DATE}[Tt]{pattern}$"}
    return {
        "description": (
            f"{words}; the time by the clock on the wall, without offset and perhaps without "
            "seconds; or just a date."
        ),
        "type": "string",
        "pattern": f"^{_DATE}([Tt](([0-9]{{2}}:[0-9]{{2}})|{_CLOCK}({_OFFSET})?))?$",
    }


def _portable(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a part of the schema with patterns that every regular expression engine takes.

    In Python, and only there, a dollar sign also matches before a line feed at the end.
    """
    if isinstance(part, dict):
        return {
            key: value.replace(r"(?!\n)", "") if key == "pattern" else _portable(value)
            for key, value in part.items()
        }
    return part


def _cards() -> dict[str, Any]:
    return {
        "description": (
            "Cards separated by one space: rank and suit, `JO` the joker, `?` a card not recorded, "
            "`*` a card hidden from the recorder. Empty: no card."
        ),
        "type": "string",
        "pattern": f"^({_CARD}( {_CARD}){{0,{CARD_COUNT - 1}}})?$",
    }


def _action() -> dict[str, Any]:
    docs = attribute_docs(actions.Verb)
    return {
        "description": "One action: the seat, the verb, what the verb takes.",
        "type": "string",
        "anyOf": [
            {
                "title": actions.VERB_NAMES[verb],
                "description": docs[verb.name],
                "pattern": f"^{_SEAT} {actions.VERB_NAMES[verb]}{_arguments(verb)}$",
            }
            for verb in actions.Verb
        ],
    }


def _arguments(verb: actions.Verb) -> str:
    if verb in actions.TAKES_BID:
        number = f"[1-9][0-9]{{0,{len(str(actions.MAX_BID)) - 1}}}"
        return f" ({number}|{actions.NAME_28_56}|{number}{actions.SUFFIX_DOUBLE})"
    if verb in actions.TAKES_TRUMP:
        trumps = actions.TRUMP_CODES if verb == actions.Verb.TRUMP else actions.SHOWN_TRUMPS
        return f" ({'|'.join(name.replace('?', '[?]').replace('*', '[*]') for name in trumps)})"
    if verb in actions.TAKES_ONE_CARD:
        return f" {_CARD}"
    if verb in actions.TAKES_TWO_CARDS:
        return f"( {_CARD}){{1,2}}"
    if verb in actions.TAKES_CARDS:
        return f"( {_CARD}){{1,{actions.MAX_CARDS_IN_ACTION}}}"
    return ""


def write_hands() -> None:
    for name, schema in (("hand", hand_schema()), ("hand-2", gaps_schema())):
        (FOLDER / f"{name}.schema.json").write_text(schema_text(schema), "utf-8")


# --- Variants and rules of users
RULESET_ID: Final = "urn:tricklog:ruleset:1"

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
        "$id": RULESET_ID,
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


def write_rulesets() -> None:
    (FOLDER / "ruleset.schema.json").write_text(schema_text(ruleset_schema()), "utf-8")
