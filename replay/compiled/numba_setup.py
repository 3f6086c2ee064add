"""Setting up numba: which functions compiled code may call, and what integers can do.

The compiled subset is two folders, ``replay/engine`` and ``schemas/scan``; every function in them
is registered.
"""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from numba import types
from numba.core.caching import UserProvidedCacheLocator
from numba.cpython.unsafe.numbers import leading_zeros
from numba.extending import intrinsic, overload_method, register_jitable

import replay.engine
import schemas.scan
from replay.compiled.linking import Part

SUBSET: Final = (replay.engine, schemas.scan)
"""The packages whose functions run compiled as well as in plain Python."""


class OneFolder(UserProvidedCacheLocator):
    """Keeps what is compiled in the folder of the build itself, wherever the sources lie.

    The compiler would add a folder named by the path of the sources, so that each copy of one
    version compiled for itself.
    """

    def get_cache_path(self) -> str:
        """Return the folder, which ``config.CACHE_DIR`` names."""
        return str(Path(self._cache_path).parent)


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
        if function.__module__ == module.__name__:
            register_jitable(pipeline_class=Part)(function)


def register_all() -> None:
    """Let compiled code call all functions of the compiled subset."""
    for module in modules():
        register(module)
