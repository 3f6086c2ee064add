"""The JSON Schema of the hand log, made from the types and their docstrings.

What the types leave open is filled in here: how a list of cards, an action and a time are written.
``./dev regenerate`` writes the published file.
"""

import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.regenerate.schema_texts import DIALECT, attribute_docs, plain, schema_text
from tricklog.schemas import actions, first_version
from tricklog.schemas import hand as log
from tricklog.schemas.cards import CARD_COUNT, JOKER, RANKS, SUITS, card_name
from tricklog.schemas.limits import MAX_SEATS

SCHEMA_ID: Final = "urn:tricklog:hand:{}"
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
        "$id": SCHEMA_ID.format(version.partition("/")[2]),
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


def write() -> None:
    folder = Path(log.__file__).parent
    for name, schema in (("hand", hand_schema()), ("hand-2", gaps_schema())):
        (folder / f"{name}.schema.json").write_text(schema_text(schema), "utf-8")
