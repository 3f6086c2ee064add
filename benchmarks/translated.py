"""Functions of benchmarks and tests made machine code in the same way as those of the library."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Final

from tricklog.core.compiled.make import PLACING
from tricklog.core.engine.records import State
from tricklog.core.native.build import compile_text
from tricklog.core.native.library import Call
from tricklog.core.native.translate import OURS, Translation
from tricklog.schemas.actions import Action

_PACKAGES: Final = (*OURS, "benchmarks", "tests")
_NAME: Final = "called"


def translated(function: Callable[..., int], *arguments: object) -> Callable[..., Call]:
    """Return what makes calls of a function of the compiled subset with arguments like these.

    It takes a compiler some seconds.
    """
    text = Translation(placing=PLACING, stood_in_for=frozenset({Action, State}), packages=_PACKAGES)
    text.entry(_NAME, function, arguments)
    return partial(Call, _NAME, of=_compiled(text.text()))


@cache
def _compiled(text: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library.so"
        compile_text(text, library)
        return ctypes.CDLL(str(library))
