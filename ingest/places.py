"""Where things stand inside a line of JSON: the byte of every value and the path to it.

The typed decoder says what is wrong, but not under which key of a free mapping, nor at which byte.
This slower scan runs over rejected lines only, and makes do with a line that is broken further on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

Path = tuple[str | int, ...]

MAX_DEPTH: Final = 64
_STRING: Final = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_TOKEN: Final = re.compile(
    rb"[ \t\r\n]*(?:([{}\[\],:])|(" + _STRING + rb')|([^\s{}\[\],:"]+))', re.DOTALL
)
# The closing quote is optional: a string that never ends swallows the rest of the line, once.
_BRACKET_OR_STRING: Final = re.compile(_STRING + rb"?|[\[\]{}]", re.DOTALL)


@dataclass(slots=True)
class Place:
    """One value: its path, where its key (or else the value) starts, and the span of the value."""

    path: Path
    start: int
    value: int
    end: int


class _BrokenError(Exception):
    """The text is not JSON from here on."""


def too_deep_at(line: bytes) -> int | None:
    """Return the byte of the first bracket that nests deeper than ``MAX_DEPTH``, if one does."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return None
    depth = 0
    for token in _BRACKET_OR_STRING.finditer(line):
        if token[0] in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return token.start()
        elif token[0] in b"]}":
            depth -= 1
    return None


def places_in(line: bytes) -> list[Place]:
    """Return every value of a line in the order written, as far as the line is JSON.

    Meant for lines no deeper than ``MAX_DEPTH``.
    """
    found: list[Place] = []
    with suppress(_BrokenError):
        _scan_value(line, 0, (), None, found)
    return found


def place_of(places: list[Place], path: Path) -> Place | None:
    """Return the first place with this path."""
    return next((place for place in places if place.path == path), None)


def members(places: list[Place], path: Path) -> Iterator[Place]:
    """Return the places directly inside the object or list at ``path``."""
    return (p for p in places if len(p.path) == len(path) + 1 and p.path[:-1] == path)


def repeated_key(places: list[Place]) -> Place | None:
    """Return the first member whose key its object had before."""
    seen: set[Path] = set()
    for place in places:
        if place.path in seen:
            return place
        seen.add(place.path)
    return None


def _next(line: bytes, at: int) -> tuple[re.Match[bytes], int]:
    token = _TOKEN.match(line, at)
    if token is None:
        raise _BrokenError
    return token, token.start(token.lastindex or 0)


def _scan_value(line: bytes, at: int, path: Path, key: int | None, found: list[Place]) -> int:
    token, start = _next(line, at)
    place = Place(path, start if key is None else key, start, len(line))
    found.append(place)
    if token[1] == b"{":
        place.end = _scan_object(line, token.end(), path, found)
    elif token[1] == b"[":
        place.end = _scan_list(line, token.end(), path, found)
    elif token[1]:
        raise _BrokenError
    else:
        place.end = token.end()
    return place.end


def _scan_object(line: bytes, at: int, path: Path, found: list[Place]) -> int:
    token, start = _next(line, at)
    while token[1] != b"}":
        if token[2] is None:
            raise _BrokenError
        try:
            name = json.loads(token[2])
        except ValueError:
            raise _BrokenError from None
        at = _expect(line, token.end(), b":").end()
        at = _scan_value(line, at, (*path, name), start, found)
        token = _expect(line, at, b",}")
        if token[1] == b",":
            token, start = _next(line, token.end())
    return token.end()


def _scan_list(line: bytes, at: int, path: Path, found: list[Place]) -> int:
    if (closing := _TOKEN.match(line, at)) and closing[1] == b"]":
        return closing.end()
    index = 0
    while True:
        at = _scan_value(line, at, (*path, index), None, found)
        token = _expect(line, at, b",]")
        if token[1] == b"]":
            return token.end()
        at = token.end()
        index += 1


def _expect(line: bytes, at: int, marks: bytes) -> re.Match[bytes]:
    token, _ = _next(line, at)
    if not token[1] or token[1] not in marks:
        raise _BrokenError
    return token
