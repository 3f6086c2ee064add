"""Teaching the compiler: which functions it may call, and what integers can do."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from numba import types
from numba.extending import overload_method, register_jitable

from replay import clean, coding, engine, exchanging, rules
from schemas import scan_actions, scan_text, scan_time, scanning

SCANNERS = (scan_text, scan_actions, scan_time, scanning)


@overload_method(types.Integer, "bit_count")
def _bit_count(number: Any) -> Any:  # noqa: ANN401, ARG001 - the compiler types it
    """Compile ``int.bit_count``."""

    def count(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
        bits = 0
        while number:
            number &= number - 1
            bits += 1
        return bits

    return count


@overload_method(types.Integer, "bit_length")
def _bit_length(number: Any) -> Any:  # noqa: ANN401, ARG001 - the compiler types it
    """Compile ``int.bit_length``."""

    def length(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
        bits = 0
        while number:
            number >>= 1
            bits += 1
        return bits

    return length


def modules() -> tuple[ModuleType, ...]:
    """Return every module whose functions are compiled."""
    of_rules = [each for _, each in inspect.getmembers(rules, inspect.ismodule)]
    return (*SCANNERS, *of_rules, exchanging, engine, clean, coding)


def register(module: ModuleType) -> None:
    """Let compiled code call the functions that ``module`` defines. In Python they stay plain."""
    for _, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__:
            register_jitable(function)


def teach() -> None:
    """Let compiled code call all functions of the rules."""
    for module in modules():
        register(module)
