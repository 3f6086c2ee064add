"""Setting up numba: which functions compiled code may call, and what integers can do.

The compiled subset is three folders, ``replay/engine``, ``replay/solver`` and ``schemas/scan``;
every function in them is registered.
"""

from __future__ import annotations

import dis
import inspect
import os
import pkgutil
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from llvmlite import ir
from numba import njit, types
from numba.core.caching import UserProvidedCacheLocator
from numba.cpython.unsafe.numbers import leading_zeros
from numba.extending import intrinsic, overload, overload_method, register_jitable

import replay.engine
import replay.solver
import schemas.scan
from replay.compiled.linking import Part
from replay.solver import moves

SUBSET: Final = (replay.engine, replay.solver, schemas.scan)
"""The packages whose functions run compiled as well as in plain Python."""
OPTIONS: Final[dict[str, Any]] = {"nogil": True, "_nrt": False, "error_model": "numpy"}
"""How all is compiled. Counting references to arrays, which nobody makes or frees meanwhile, would
cost most of the time; no rule divides by anything that may be 0, so that no division is watched."""


FITTED_IN: Final = {
    "replay.solver.choices": ("list_moves",),
    "replay.solver.moves": ("after", "before_choice", "legal_cards", "play_card", "take_trick"),
}
"""By module: functions that become part of whatever calls them. They take a position and return
another: passing its numbers on takes longer than what most of these do with them."""


class OneFolder(UserProvidedCacheLocator):
    """Keeps what is compiled in the folder of the build itself, wherever the sources lie.

    The compiler would add a folder named by the path of the sources, so that each copy of one
    version compiled for itself.
    """

    def get_cache_path(self) -> str:
        """Return the folder, which ``config.CACHE_DIR`` names."""
        return str(Path(self._cache_path).parent)

    def ensure_cache_path(self) -> None:
        """Ask of a folder that may only be read no more than that it is there."""
        path = self.get_cache_path()
        if not Path(path).is_dir() or os.access(path, os.W_OK):
            super().ensure_cache_path()  # type: ignore[no-untyped-call]  # numba has no types


@intrinsic
def _ones(_: Any, number: Any) -> Any:  # noqa: ANN401 - the compiler types it
    """Return how many bits are set, by the processor's own instruction."""

    def count(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
        return builder.ctpop(arguments[0])

    return number(number), count


@intrinsic
def _highest(_: Any, number: Any) -> Any:  # noqa: ANN401 - the compiler types it
    """Return the highest bit that is set, of a number that is not 0.

    It is never below 0. The compiler sees that, and takes it for an index as it is.
    """

    def find(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
        value = arguments[0]
        zeros = builder.ctlz(value, ir.Constant(ir.IntType(1), 1))
        return builder.xor(zeros, ir.Constant(value.type, value.type.width - 1))

    return number(number), find


@overload(moves.top)
def _top(cards: Any) -> Any:  # noqa: ANN401, ARG001 - the compiler types it
    """Compile ``top`` of a set that is not empty."""

    def find(cards: Any) -> Any:  # noqa: ANN401 - the compiler types it
        return _highest(cards)  # type: ignore[call-arg]  # numba passes the context

    return find


@overload_method(types.Integer, "bit_count")
def _bit_count(number: Any) -> Any:  # noqa: ANN401, ARG001 - the compiler types it
    """Compile ``int.bit_count`` of a number that is not below 0."""

    def count(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
        return _ones(number)  # type: ignore[call-arg]  # numba passes the context

    return count


@overload_method(types.Integer, "bit_length")
def _bit_length(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
    """Compile ``int.bit_length`` of a number that is not below 0."""
    width = number.bitwidth

    def length(number: Any) -> Any:  # noqa: ANN401 - the compiler types it
        return width - leading_zeros(number)  # type: ignore[call-arg]  # numba passes the context

    return length


def modules() -> list[ModuleType]:
    """Return every module of the compiled subset."""
    return [
        import_module(found.name)
        for package in SUBSET
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]


def register(module: ModuleType) -> None:
    """Let compiled code call the functions that ``module`` defines. In Python they stay plain."""
    for _, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__ and function is not moves.top:
            if calls_itself(function):
                register_recursive(function)
            else:
                fits = function.__name__ in FITTED_IN.get(module.__name__, ())
                register_jitable(forceinline=fits, pipeline_class=Part)(function)


def calls_itself(function: Any) -> bool:  # noqa: ANN401 - a function, with its code
    """Whether the text of a function names the function itself."""
    return any(
        each.opname == "LOAD_GLOBAL" and each.argval == function.__name__
        for each in dis.get_instructions(function)
    )


def register_recursive(function: Any) -> None:  # noqa: ANN401 - a function, with its code
    """Let compiled code call a function that calls itself.

    The compiler takes a call for one of itself only where the name means the compiled function. So
    it compiles a copy in which it does.
    """
    names = dict(function.__globals__)
    copy = FunctionType(function.__code__, names, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    compiled = names[function.__name__] = njit(copy, pipeline_class=Part, **OPTIONS)

    def jump(*_: Any) -> Any:  # noqa: ANN401 - the compiler types it
        return lambda *arguments: compiled(*arguments)  # noqa: PLW0108 - an implementation is plain

    options: Any = {"pipeline_class": Part}
    overload(function, jit_options=options, strict=False)(jump)


def register_all() -> None:
    """Let compiled code call all functions of the compiled subset."""
    for module in modules():
        register(module)
