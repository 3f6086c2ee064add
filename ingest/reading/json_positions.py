"""Where things stand inside a line of JSON: the byte of every value and the path to it.

The typed decoder says what is wrong, but not under which key of a free mapping, nor at which byte.
These slower scans run over rejected lines only, and make do with a line that is broken further on.
What does not lie on the way is skipped bracket by bracket, so that a line full of values costs
little time and no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

Path = tuple[str | int, ...]

MAX_DEPTH: Final = 64
_SPACE: Final = rb"[ \t\r\n]*+"
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# With the closing quote optional, a string that never ends swallows the rest of the line, once.
_OPEN_STRING: Final = _STRING + rb"?+"
_ANY_STRING: Final = re.compile(_OPEN_STRING, re.DOTALL)
_BRACKET_OR_STRING: Final = re.compile(_OPEN_STRING + rb"|[\[\]{}]", re.DOTALL)
_BRACKET_OR_KEY: Final = re.compile(
    rb"(" + _OPEN_STRING + rb")(" + _SPACE + rb":)?+|[\[\]{}]", re.DOTALL
)
_FLAT: Final = rb'[^"\[\]{}]*+'
_STRINGS: Final = rb"(?:" + _OPEN_STRING + _FLAT + rb")"
# Many strings, or brackets with no other brackets in them, are one match.
_BRACKET_OR_MUCH: Final = re.compile(
    _STRINGS + rb"++|[\[{]" + _FLAT + _STRINGS + rb"*+[\]}]|[\[\]{}]", re.DOTALL
)
_KEY: Final = re.compile(_SPACE + rb"(" + _STRING + rb")" + _SPACE + rb":" + _SPACE, re.DOTALL)
_SPACES: Final = re.compile(_SPACE)
_COMMA: Final = re.compile(_SPACE + rb"," + _SPACE)
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS: Final = bytes(set(range(256)) - set(_STEPS))
_SCALAR: Final = re.compile(_STRING + rb'|[^\s{}\[\],:"]++', re.DOTALL)


class Place(NamedTuple):
    """One value: where its key (or else the value) starts, and the span of the value."""

    start: int
    value: int
    end: int


class Member(NamedTuple):
    """One value of an object or list, with its key or index."""

    name: str | int
    place: Place


def too_deep_at(line: bytes) -> int | None:
    """Return the byte of the first bracket that nests deeper than ``MAX_DEPTH``, if one does."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return None
    brackets = _ANY_STRING.sub(b"", line).translate(None, _NO_BRACKETS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) <= MAX_DEPTH:
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


def place_of(line: bytes, path: Path) -> Place | None:
    """Return the first place with this path, if the line is JSON as far as there."""
    place = _top(line)
    for step in path:
        if place is None:
            return None
        found = (member.place for member in members(line, place) if member.name == step)
        place = next(found, None)
    return place


def start_of(line: bytes, path: Path) -> int | None:
    """Return the byte at which the first member with this path begins, as ``place_of`` finds it."""
    place = place_of(line, path)
    return place.start if place else None


def place_at(line: bytes, pointer: str) -> Place | None:
    """Return the first place that a JSON pointer (RFC 6901) leads to, or as far as it leads.

    ``None`` when the line does not begin with a value.
    """
    place = _top(line)
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    for step in steps:
        if place is None:
            return None
        found = (member.place for member in members(line, place) if str(member.name) == step)
        nearer = next(found, None)
        if nearer is None:
            return place
        place = nearer
    return place


def members(line: bytes, within: Place) -> Iterator[Member]:
    """Return the values directly inside the object or list at ``within``, in the order written."""
    opening = line[within.value : within.value + 1]
    if opening == b"{":
        yield from _members_of_object(line, within.value + 1)
    elif opening == b"[":
        yield from _members_of_list(line, within.value + 1)


def repeated_key(line: bytes) -> tuple[Path, Place] | None:
    """Return the first member whose key its object had before, with the path to it.

    Meant for lines that are JSON, no deeper than ``MAX_DEPTH``.
    """
    keys_by_depth: list[set[str]] = []
    for token in _BRACKET_OR_KEY.finditer(line):
        if token[2]:
            key = _text(token[1])
            if key in keys_by_depth[-1]:
                return _at(line, token.start())
            keys_by_depth[-1].add(key)
        elif token[0] in b"[{":
            keys_by_depth.append(set())
        elif token[0] in b"]}":
            keys_by_depth.pop()
    return None


def _text(token: bytes) -> str:
    """Return what a JSON string says; raises ``ValueError`` when it is none."""
    if b"\\" not in token:
        return token[1:-1].decode()
    import json

    text: str = json.loads(token)
    return text


def _at(line: bytes, start: int) -> tuple[Path, Place] | None:
    """Return the member that starts at byte ``start``, with the path to it."""
    path: Path = ()
    place = _top(line)
    while place is not None and place.start != start:
        holder = place
        place = None
        for member in members(line, holder):
            if member.place.start <= start < member.place.end:
                path, place = (*path, member.name), member.place
                break
    return None if place is None else (path, place)


def _top(line: bytes) -> Place | None:
    spaces = _SPACES.match(line)
    return _value_at(line, spaces.end() if spaces else 0)


def _members_of_object(line: bytes, at: int) -> Iterator[Member]:
    while key := _KEY.match(line, at):
        place = _value_at(line, key.end(), key.start(1))
        if place is None:
            return
        try:
            name = _text(key[1])
        except ValueError:
            return
        yield Member(name, place)
        comma = _COMMA.match(line, place.end)
        if comma is None:
            return
        at = comma.end()


def _members_of_list(line: bytes, at: int) -> Iterator[Member]:
    spaces = _SPACES.match(line, at)
    at = spaces.end() if spaces else at
    index = 0
    while place := _value_at(line, at):
        yield Member(index, place)
        comma = _COMMA.match(line, place.end)
        if comma is None:
            return
        at = comma.end()
        index += 1


def _value_at(line: bytes, at: int, start: int | None = None) -> Place | None:
    """Return the place of the value that begins at ``at``, its key at ``start``."""
    if line[at : at + 1] in {b"{", b"["}:
        end = _end_of_brackets(line, at)
    elif scalar := _SCALAR.match(line, at):
        end = scalar.end()
    else:
        return None
    return Place(at if start is None else start, at, end)


def _end_of_brackets(line: bytes, at: int) -> int:
    depth = 0
    for token in _BRACKET_OR_MUCH.finditer(line, at):
        start, end = token.span()
        if end - start == 1:
            depth += _STEPS.get(line[start], 0)
        if not depth:
            return end
    return len(line)
