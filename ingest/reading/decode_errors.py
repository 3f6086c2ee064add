"""From what the JSON decoder says to a code, a pointer, a byte and a sentence for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tricklog.ingest.reading.json_positions import Path, Place, members, place_of, repeated_key
from tricklog.ingest.reading.rejects import RejectCode, Trouble, pointer_to
from tricklog.schemas.hand import FORMAT, FORMAT_WITH_GAPS, Hand, claims_version_1, decode_hand

MOST_LISTED: Final = 12
"""Values that a message lists."""


def values_at(path: Sequence[str | int]) -> tuple[str, ...]:
    """Return the texts that a field of a hand may have, nothing where any text will do."""
    types = [_hand()]
    for step in path:
        types = [inner for each in types for inner in _inside(each, step)]
    found = (each.values for each in types if isinstance(each, msgspec.inspect.LiteralType))
    return tuple(str(value) for values in found for value in values)


def no_such_value(value: str, path: Sequence[str | int]) -> str | None:
    """Return a sentence about a value that is none of those there are."""
    # Reading what is in order has no need of it.
    from tricklog.core.rulesets.suggestions import did_you_mean

    values = values_at(path)
    if not values:
        return None
    listed = ", ".join(values[:MOST_LISTED])
    more = f" and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else ""
    name = next((step for step in reversed(path) if isinstance(step, str)), "value")
    return f"There is no {name} {value!r}{did_you_mean(value, values)}; choose {listed}{more}."


@cache
def _hand() -> msgspec.inspect.Type:
    return msgspec.inspect.type_info(Hand)


def _inside(kind: msgspec.inspect.Type, step: str | int) -> list[msgspec.inspect.Type]:
    """Return the types of what a step leads to, those of a union one by one."""
    found: msgspec.inspect.Type | None = None
    if isinstance(kind, msgspec.inspect.StructType):
        found = next((each.type for each in kind.fields if each.encode_name == step), None)
    elif isinstance(kind, msgspec.inspect.ListType | msgspec.inspect.VarTupleType):
        found = kind.item_type
    elif isinstance(kind, msgspec.inspect.DictType):
        found = kind.value_type
    if isinstance(found, msgspec.inspect.UnionType):
        return list(found.types)
    return [] if found is None else [found]


_WHERE: Final = re.compile(r" - at (`key` in )?`\$([^`]*)`$")
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|(\[\.\.\.\])")
_FIELD: Final = re.compile(r"^Object (contains unknown|missing required) field `(.*)`$", re.DOTALL)
_MALFORMED: Final = re.compile(r"^JSON is malformed: (.*) \(byte (\d+)\)$")
_QUOTED: Final = re.compile(r"`([^`]*)`")
_TYPE_WORDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number with decimals",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
BOM: Final = b"\xef\xbb\xbf"
_ANY_KEY: Final = "[...]"


class _Probe(Struct):
    """Just enough of an object to see which format it claims to be."""

    format: str | UnsetType = UNSET


_probe: Final = msgspec.json.Decoder(_Probe)
_ENUM: Final = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_syntax: Final = msgspec.json.Decoder(msgspec.Raw)
"""Reads every value as it stands: refuses what is not JSON, and nothing else."""


def explain(text: bytes, error: msgspec.DecodeError) -> Trouble:
    """Return what is wrong with a line that the typed decoder refused with ``error``."""
    if not isinstance(error, msgspec.ValidationError):
        return _not_json(text, str(error))
    try:
        _syntax.decode(text)
    except msgspec.DecodeError as broken:
        return _not_json(text, str(broken))
    other = _other_format(text)
    if other is not None:
        return other
    where = _WHERE.search(str(error))
    what = str(error)[: where.start()] if where else str(error)
    steps: Path = ()
    if where:
        steps = tuple(m[1] or (int(m[2]) if m[2] else m[3]) for m in _STEP.finditer(where[2]))
        if where[1]:
            steps += (_ANY_KEY,)
    field = _FIELD.match(what)
    path = _resolve(text, steps, str(error))
    if field:
        return _field_trouble(text, field, path)
    code = (
        RejectCode.WRONG_TYPE
        if what.startswith("Expected") and ", got " in what
        else RejectCode.BAD_VALUE
    )
    value = _ENUM.fullmatch(what)
    message = no_such_value(value[1], path) if value else None
    return Trouble(code, pointer_to(*path), message or _in_words(what), _start(text, path))


def locate_duplicate(text: bytes) -> Trouble | None:
    """Return the first repeated key of a line, if it has one."""
    repeated = repeated_key(text)
    if repeated is None:
        return None
    path, place = repeated
    message = f"The key {path[-1]!r} stands twice in one object."
    return Trouble(RejectCode.DUPLICATE_KEY, pointer_to(*path), message, place.start)


def _other_format(text: bytes) -> Trouble | None:
    """Return the trouble that goes before any wrong field: another kind of record."""
    try:
        claimed = _probe.decode(text).format
    except msgspec.ValidationError:
        return None
    if claimed is UNSET:
        message = "The object does not say that it is a hand: it has no format."
        return Trouble(RejectCode.UNKNOWN_FORMAT, "/format", message)
    if claimed in (FORMAT, FORMAT_WITH_GAPS):
        return None
    name, _, version = claimed.partition("/")
    if name == FORMAT.partition("/")[0] and version.isascii() and version.isdigit():
        message = f"The hand is written in {claimed}; this Tricklog reads {FORMAT} and 2."
        return Trouble(RejectCode.NEWER_FORMAT, "/format", message, _start(text, ("format",)))
    message = f"The format is {claimed!r}, not {FORMAT}."
    return Trouble(RejectCode.UNKNOWN_FORMAT, "/format", message, _start(text, ("format",)))


def _not_json(text: bytes, said: str) -> Trouble:
    malformed = _MALFORMED.match(said)
    if malformed is None:
        message = "The line stops in the middle of its JSON."
        return Trouble(RejectCode.NOT_JSON, "", message, len(text))
    at = int(malformed[2])
    if malformed[1] == "trailing characters":
        # The decoder has consumed the first of them.
        at -= 1
    message = f"The line is not JSON from byte {at} on: {malformed[1]}."
    if b"\r" in text.rstrip(b"\r"):
        message += " It holds carriage returns; lines end with a line feed."
    if b"\0" in text:
        message += " It holds NUL bytes, as UTF-16 text does; hands are written in UTF-8."
    if BOM in text:
        message += " It holds a byte order mark; one may stand at the start of a file only."
    return Trouble(RejectCode.NOT_JSON, "", message, at)


def _resolve(text: bytes, steps: Path, said: str) -> Path:
    """Put the keys in where the decoder only says that it was some key of a mapping."""
    path: Path = ()
    for step in steps:
        if step != _ANY_KEY:
            path = (*path, step)
            continue
        mapping = place_of(text, path)
        guilty = _guilty_key(text, mapping, said) if mapping else None
        if guilty is None:
            return path
        path = (*path, guilty)
    return path


def _guilty_key(text: bytes, mapping: Place, said: str) -> str | int | None:
    """Return the key of ``mapping`` that makes the decoder say what it said.

    A mapping cut down to a part of its members draws the same message when a guilty one is among
    them: halving finds the first of them in little more than one decoding of all.
    """
    inside = list(members(text, mapping))

    def guilty(first: int, last: int) -> bool:
        part = text[inside[first].place.start : inside[last - 1].place.end] if last else b""
        return _says(text[: mapping.value] + b"{" + part + b"}" + text[mapping.end :], said)

    first, last = 0, len(inside)
    if guilty(0, 0):
        return None
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (first, middle) if guilty(first, middle) else (middle, last)
    return inside[first].name if last and guilty(first, last) else None


def _says(text: bytes, said: str) -> bool:
    try:
        decode_hand(text)
    except msgspec.DecodeError as error:
        return str(error) == said
    return False


def _field_trouble(text: bytes, field: re.Match[str], path: Path) -> Trouble:
    name = field[2]
    if field[1] == "missing required":
        message = f"The field {name!r} is missing."
        return Trouble(
            RejectCode.MISSING_FIELD, pointer_to(*path, name), message, _start(text, path)
        )
    message = f"There is no field {name!r} in this format."
    if not path and name in Hand.__struct_fields__ and claims_version_1(text):
        message = f"There is no field {name!r} in {FORMAT}; it belongs to {FORMAT_WITH_GAPS}."
    path = (*path, name)
    return Trouble(RejectCode.UNKNOWN_FIELD, pointer_to(*path), message, _start(text, path))


def _in_words(what: str) -> str:
    def words(quoted: re.Match[str]) -> str:
        return " or ".join(_TYPE_WORDS.get(word, word) for word in quoted[1].split(" | "))

    sentence = _QUOTED.sub(words, what).replace(", got ", ", found ")
    return sentence[0].upper() + sentence[1:] + "."


def _start(text: bytes, path: Path) -> int | None:
    place = place_of(text, path)
    return place.start if place else None
