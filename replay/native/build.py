"""Compiling C++ to a library.

The compiler that is there is used, or the one that the package ``ziglang`` brings. Where there is
neither, nothing is made: the same functions run in plain Python, slower, with the same answers.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

LIBRARY: Final = Path(__file__).with_name("tricklog_native.so")
_FLAGS: Final = (
    *("-std=c++20", "-O3", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-exceptions"),
    # A fraction in the place of a whole number would be cut without a word.
    "-Werror=float-conversion",
    # Numbers wrap around: what is shifted out is masked away afterwards.
    "-fwrapv",
    # Two numbers would be read at once that were written one by one, which takes longer.
    "-fno-tree-slp-vectorize",
    # A product is rounded before it is added to something, as Python does it.
    "-ffp-contract=off",
)
_OLDEST: Final = {"x86_64": "x86-64-v2"}
"""By processor: the oldest one that a library is made for, as cards are counted by ``popcnt``.

No library is made for the processor of one machine: a checkout, an environment or an image is
copied to others, and what tests have run is then what wheels bring.
"""
_GLIBC: Final = "2.17"
"""The oldest version of the C library that one made by ``ziglang`` runs with."""
ZIG: Final = "ziglang>=0.15,<0.18"
"""The package that brings a compiler."""
_OF_ZIG: Final = ("x86_64", "aarch64", "arm64")
"""The processors of Linux and macOS for which there is a package ``ziglang``."""


class NoCompilerError(Exception):
    """No compiler made the library; says what each of them said."""


def compilers() -> Iterator[list[str]]:
    """Yield the commands that may compile here, best first; what ``CXX`` asks for goes before."""
    oldest = _OLDEST.get(platform.machine())
    target = [f"-march={oldest}"] if oldest else []
    if words := shlex.split(os.environ.get("CXX", "")):
        yield [words[0], *target, *words[1:]]
    found = filter(None, map(shutil.which, ("c++", "g++", "clang++")))
    # One may be another name of the next.
    for name in {os.path.realpath(each): each for each in found}.values():
        yield [name, *target]
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "c++", *_zig_target(oldest), "-nostdlib++", "-s"]


def package_to_compile() -> list[str]:
    """Return what has to be installed to compile here, as ``pip`` is told: nothing, or a compiler.

    Nothing, too, where no such package is made: then there is no library.
    """
    if next(compilers(), None) or sys.platform not in ("linux", "darwin"):
        return []
    return [ZIG] if platform.machine() in _OF_ZIG else []


def _zig_target(oldest: str | None) -> list[str]:
    processor = ["-mcpu=" + (oldest or "baseline").replace("-", "_")]
    if platform.libc_ver()[0] == "glibc":
        return ["-target", f"{platform.machine()}-linux-gnu.{_GLIBC}", *processor]
    return processor


def compile_text(text: str, library: Path, *flags: str) -> str:
    """Compile C++ to a library; return the command that did. Raises ``NoCompilerError``."""
    said = []
    with tempfile.TemporaryDirectory() as folder:
        written, made = Path(folder) / "tricklog.cpp", Path(folder) / library.name
        written.write_text(text, "utf-8")
        # What zig keeps for the next time would stay for ever.
        caches = {f"ZIG_{kind}_CACHE_DIR": f"{folder}/zig" for kind in ("GLOBAL", "LOCAL")}
        for compiler in compilers():
            command = [*compiler, *_FLAGS, *flags, "-o", str(made), str(written)]
            try:
                done = subprocess.run(  # noqa: S603 - the compiler of this machine
                    command, capture_output=True, text=True, check=False, env=os.environ | caches
                )
            except OSError as error:
                said.append(f"{compiler[0]}: {error.strerror}")
                continue
            if done.returncode == 0:
                # Whoever has the old one open keeps it.
                beside = library.with_suffix(f".{os.getpid()}")
                shutil.copyfile(made, beside)
                beside.replace(library)
                return shlex.join(compiler)
            said.append(f"{shlex.join(compiler)}: {done.stderr[:2000]}")
    raise NoCompilerError("\n".join(said))
