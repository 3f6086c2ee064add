"""The small steps of scanning a line of a hand log byte by byte.

The functions run in plain Python over ``bytes`` and compiled over an array of bytes, which does not
check an index. So each one looks at no byte outside ``at`` to ``end``; the caller answers for
``0 <= start <= end <= len(text)``. A step returns where it got to, ``CAREFUL`` where it could not
go, and goes nowhere from a negative place, so that steps follow each other without a test between.
"""

from __future__ import annotations

from typing import Final

SCANNED: Final = 0
CAREFUL: Final = -1
"""Not scanned: the line is for the reader that explains, which may still find it sound."""

QUOTE: Final = ord('"')
SPACE: Final = ord(" ")
_BACKSLASH: Final = ord("\\")
_CLOSING: Final = ord("]")
_ZERO: Final = ord("0")
_NINE: Final = ord("9")
_OPENS: Final = 2
_CLOSES: Final = 3
_MAX_NESTED: Final = 32
_MAX_DIGITS: Final = 7

# What a byte inside a string asks for: 0 to go on; it ends the string, or is no plain text.
_ATTENTION: Final = bytes(byte < SPACE or byte in b'"\\' for byte in range(256))
# What a byte outside strings is: 0 nothing that matters for where a value ends.
_STRUCTURE: Final = bytes(
    1 if byte == QUOTE else _OPENS if byte in b"{[" else _CLOSES if byte in b"}]" else 0
    for byte in range(256)
)


def past(text: bytes, at: int, end: int, word: bytes) -> int:
    """Return the place after ``word``, which must stand at ``at``."""
    if at < 0 or at + len(word) > end:
        return CAREFUL
    for index in range(len(word)):
        if text[at + index] != word[index]:
            return CAREFUL
    return at + len(word)


def past_pattern(text: bytes, at: int, end: int, pattern: bytes) -> int:
    """Return the place after ``pattern``, in which ``0`` stands for any digit."""
    if at < 0 or at + len(pattern) > end:
        return CAREFUL
    for index in range(len(pattern)):
        byte = text[at + index]
        if pattern[index] == _ZERO:
            if not _ZERO <= byte <= _NINE:
                return CAREFUL
        elif byte != pattern[index]:
            return CAREFUL
    return at + len(pattern)


def past_text(text: bytes, at: int, end: int, least: int, most: int) -> int:
    """Return the place after the quote that ends the string whose content starts at ``at``.

    The content has ``least`` to ``most`` bytes and no escapes.
    """
    if at < 0:
        return CAREFUL
    last = at
    end = min(end, at + most + 1)
    while last < end and not _ATTENTION[text[last]]:
        last += 1
    return last + 1 if at + least <= last < end and text[last] == QUOTE else CAREFUL


def past_string(text: bytes, at: int, end: int) -> int:
    """Return the place after the quote that ends a string with or without escapes."""
    while 0 <= at < end:
        if not _ATTENTION[text[at]]:
            at += 1
        elif text[at] == QUOTE:
            return at + 1
        elif text[at] == _BACKSLASH:
            at += 2
        else:
            return CAREFUL
    return CAREFUL


def past_value(text: bytes, at: int, end: int) -> int:
    """Return the place after the object or list that starts at ``at``.

    Only strings and the number of brackets are looked at: what it holds is for a decoder.
    """
    depth = 0
    while 0 <= at < end:
        kind = _STRUCTURE[text[at]]
        at += 1
        if kind == _OPENS:
            depth += 1
            if depth > _MAX_NESTED:
                return CAREFUL
        elif kind == _CLOSES:
            depth -= 1
            if depth <= 0:
                return at
        elif kind:
            at = past_string(text, at, end)
    return CAREFUL


def past_list(text: bytes, at: int, end: int) -> int:
    """Return the place after the first closing bracket, which ends a list of cards or actions.

    A bracket inside one of its strings would be no card and no action.
    """
    if at < 0:
        return CAREFUL
    # Compiled, this takes half the time of a loop over a range.
    while at < end and text[at] != _CLOSING:
        at += 1
    return at + 1 if at < end else CAREFUL


def read_number(text: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the place after a whole number of at most seven digits, and the number."""
    signed = past(text, at, end, b"-")
    first = at if signed < 0 else signed
    number = 0
    last = first
    while 0 <= last < min(end, first + _MAX_DIGITS) and _ZERO <= text[last] <= _NINE:
        number = number * 10 + text[last] - _ZERO
        last += 1
    if last == first or (text[first] == _ZERO and (last > first + 1 or signed >= 0)):
        return CAREFUL, 0
    return last, number if signed < 0 else -number


def read_numbers(
    text: bytes, at: int, end: int, numbers: list[int], low: int, high: int
) -> tuple[int, int]:
    """Fill ``numbers`` from a list whose first number stands at ``at``.

    Returns the place after the closing bracket, and how many numbers there are. All of them must
    be from ``low`` to ``high``, and fit.
    """
    closed = past(text, at, end, b"]")
    if closed >= 0:
        return closed, 0
    count = 0
    while at >= 0 and count < len(numbers):
        at, number = read_number(text, at, end)
        if not low <= number <= high:
            return CAREFUL, 0
        numbers[count] = number
        count += 1
        closed = past(text, at, end, b"]")
        if closed >= 0:
            return closed, count
        at = past(text, at, end, b",")
    return CAREFUL, 0
