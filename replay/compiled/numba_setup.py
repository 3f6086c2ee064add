"""Teaching the compiler: which functions it may call, and what integers can do."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from numba import types
from numba.cpython.unsafe.numbers import leading_zeros
from numba.extending import intrinsic, overload_method, register_jitable

from replay.engine import encode, engine, exchange, fast_replay, rules
from schemas.scan import actions, line, text, time

SCANNERS = (text, actions, time, line)


@intrinsic
def _ones(_: Any, number: Any) -> Any:  # noqa: ANN401 - the compiler types it
    """Return how many bits are set, by the processor's own instruction."""

    def count(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
        return builder.ctpop(arguments[0])

    return number(number), count


@overload_method(types.Integer, "bit_count")
def _bit_count(number: Any) -> Any:  # noqa: ANN401, ARG001 - the compiler types it
    """Compile ``int.bit_count`` of a number that is not below 0."""

    def count(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
        return _ones(number)  # type: ignore[call-arg]

    return count


@overload_method(types.Integer, "bit_length")
def _bit_length(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
    """Compile ``int.bit_length`` of a number that is not below 0."""
    width = number.bitwidth

    def length(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
        return width - leading_zeros(number)  # type: ignore[call-arg]

    return length


def modules() -> tuple[ModuleType, ...]:
    """Return every module whose functions are compiled."""
    of_rules = [each for _, each in inspect.getmembers(rules, inspect.ismodule)]
    return (*SCANNERS, *of_rules, exchange, engine, fast_replay, encode)


def register(module: ModuleType) -> None:
    """Let compiled code call the functions that ``module`` defines. In Python they stay plain."""
    for _, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__:
            register_jitable(function)


def teach() -> None:
    """Let compiled code call all functions of the rules."""
    for module in modules():
        register(module)
