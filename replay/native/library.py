"""The library as Python calls it, if it is there and made of the sources as they are."""

from __future__ import annotations

import ctypes
import sys
from array import array
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tricklog.core.native.build import LIBRARY
from tricklog.core.native.sources import digest

if TYPE_CHECKING:
    import numpy as np

_PROCESSOR: Final = Path("/proc/cpuinfo")
_ABILITIES: Final = "flags"
"""What the line of ``_PROCESSOR`` begins with that names what the processor can do."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no library to call, and what to do about it."""

    why: str
    remedy: str


@cache
def library() -> ctypes.CDLL | None:
    """Return the library; ``None`` where there is none that can be called."""
    return None if trouble() else ctypes.CDLL(str(LIBRARY))


@cache
def trouble() -> Trouble | None:
    """Return what is wrong with the library; ``None`` if it can be called."""
    if not LIBRARY.exists():
        return Trouble(
            "the library of machine code was not made when Tricklog was installed",
            "install a C++ compiler, or pip install ziglang, then install Tricklog again",
        )
    try:
        found = ctypes.CDLL(str(LIBRARY))
        files, made_of = (_text(found, name) for name in ("sources", "digest"))
        needed = _text(found, "processor")
    except (OSError, ValueError) as error:
        return Trouble(
            f"the library of machine code cannot be used here: {error}",
            "install Tricklog again on this machine",
        )
    if lacking := lacks(needed):
        return Trouble(
            f"the library of machine code needs a processor with {lacking}",
            "install Tricklog from its sources with CXX='c++ -march=native'",
        )
    if made_of != digest(files.split("\n")):
        return Trouble(
            "the library of machine code was made of other sources",
            f"{Path(sys.executable).name} -m tricklog.core.compiled.make",
        )
    return None


def is_there() -> bool:
    """Whether there is a library to call."""
    return library() is not None


def made_by() -> str:
    """Return what compiled the library, which must be there, and for which processors."""
    found = library()
    assert found is not None
    needed = _text(found, "processor").split()
    told = f", for processors with {', '.join(needed)}" if needed else ""
    return f"{_text(found, 'compiler')}{told}"


def lacks(needed: str) -> str:
    """Return which of ``needed`` abilities this processor lacks, as far as the system says."""
    try:
        with _PROCESSOR.open(encoding="utf-8") as lines:
            able = next(line for line in lines if line.startswith(_ABILITIES)).split()
    except (OSError, StopIteration):
        return ""
    return ", ".join(each for each in needed.split() if each not in able)


def _text(found: ctypes.CDLL, name: str) -> str:
    """Return a text that the library has about itself. Raises ``ValueError`` if it has none."""
    place = ctypes.addressof(ctypes.c_char.in_dll(found, f"tricklog_{name}"))
    return ctypes.string_at(place).decode()


class Call:
    """A function of the library with its arguments, which may be called again and again.

    Arguments are numbers, arrays and records of numpy, and named tuples of them, which live as long
    as this does. An array may also be given as the words that it is.
    """

    def __init__(self, name: str, *arguments: object, of: ctypes.CDLL | None = None) -> None:
        """Put the arguments where the function reads them.

        ``of``: another library than that of the rules, which must be there.
        """
        found = of or library()
        assert found is not None
        self._function = getattr(found, name)
        self._function.restype = ctypes.c_longlong
        self._arguments = arguments
        self.words = array("q", _words(arguments))
        """The arguments as the function finds them: a number is one word, a record one, an array
        its place and its lengths."""
        self._place = ctypes.c_void_p(self.words.buffer_info()[0])

    def __call__(self) -> int:
        """Call it. Other threads of Python go on meanwhile."""
        returned: int = self._function(self._place)
        return returned


def place_of(record: np.void) -> int:
    """Return the word that a record is among the arguments of a ``Call``."""
    import numpy as np

    # What a record says of its place itself, it says with a list of all its fields.
    return np.frombuffer(record, np.uint8).ctypes.data


def _words(value: Any) -> list[int]:  # noqa: ANN401 - see ``Call``
    if isinstance(value, int):
        return [value]
    if isinstance(value, tuple):
        return [word for each in value for word in _words(each)]
    # Numpy itself takes longer to load than most calls, so that it is not asked for its types.
    if not hasattr(value, "ctypes"):
        return [place_of(value)]
    assert value.flags.c_contiguous
    return [value.ctypes.data, *value.shape]
