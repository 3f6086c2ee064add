"""What ``hatchling`` runs to build a wheel, or to install a checkout: it makes the library."""

from __future__ import annotations

import platform
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

PLACE: Final = "tricklog/core/native/tricklog_native.so"
OLDEST_GLIBC: Final = 17
"""The oldest version 2.x of the C library that a tag of a wheel names for every processor."""


class LibraryHook(BuildHookInterface[BuilderConfig]):
    """Puts the library into a wheel, or beside the sources of a checkout that is installed.

    Where nothing can compile it, the wheel is one of plain Python.
    """

    def dependencies(self) -> list[str]:
        """Return the compiler to install, where this machine has none."""
        sys.path.insert(0, self.root)
        from tricklog.core.native.build import package_to_compile

        return package_to_compile()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the library; ``version`` is ``editable`` where a checkout is installed."""
        sys.path.insert(0, self.root)
        from tricklog.core.compiled.make import build
        from tricklog.core.native.build import LIBRARY, NoCompilerError
        from tricklog.core.native.library import trouble

        self._folder = tempfile.TemporaryDirectory()
        library = Path(self._folder.name) / LIBRARY.name
        if version == "editable" and not trouble():
            return
        try:
            by = build(LIBRARY if version == "editable" else library)
        except NoCompilerError as error:
            self.app.display_warning(f"Tricklog will run in plain Python, slower: {error}")
            return
        self.app.display_info(f"compiled by {by}")
        if version != "editable":
            build_data["force_include"][str(library)] = PLACE
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_of(library.read_bytes())}"

    def finalize(self, *_: object) -> None:
        """Take away what is in the wheel now."""
        self._folder.cleanup()


def platform_of(library: bytes) -> str:
    """Return the platform of a wheel with this library, whatever compiled it.

    With the C library of GNU it is the oldest version that has all functions which are called.
    """
    if sys.platform != "linux" or b"libc.so.6\0" not in library or b"libstdc++.so" in library:
        return next(iter(platform_tags()))
    called = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library)]
    return f"manylinux_2_{max([OLDEST_GLIBC, *called])}_{platform.machine()}"
