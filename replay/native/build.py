"""Making the library: ``python -m replay.native.build``, and what an installation calls.

The compiler that is there is used, or the one that the package ``ziglang`` brings. Where there is
neither, nothing is made: the same functions run in plain Python, slower, with the same answers.
"""

from __future__ import annotations

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

from replay.native.sources import digest

LIBRARY: Final = Path(__file__).with_name("tricklog_native.so")
_FLAGS: Final = (
    *("-std=c++20", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-w"),
    # Numbers wrap around: what is shifted out is masked away afterwards.
    "-fwrapv",
)
_OLDEST: Final = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""By processor: the oldest one on which a library of a wheel runs. Cards need ``popcnt``."""
_GLIBC: Final = "2.28"
"""The oldest version of the C library that one made by ``ziglang`` runs with."""


class NoCompilerError(Exception):
    """No compiler made the library; says what each of them said."""


def compilers(*, portable: bool) -> Iterator[list[str]]:
    """Yield the commands that may compile here, with the processor to compile for, best first.

    ``portable``: for the oldest processor, not for that of this machine.
    """
    oldest = _OLDEST.get(platform.machine())
    target = [f"-march={oldest}" if portable and oldest else "-march=native"]
    if platform.machine() not in _OLDEST:
        target = []
    if os.environ.get("CXX"):
        yield [*shlex.split(os.environ["CXX"]), *target]
    for name in ("c++", "g++", "clang++"):
        if found := shutil.which(name):
            yield [found, *target]
    if find_spec("ziglang"):
        yield [*_zig(), *(_zig_target(oldest) if portable and oldest else ["-mcpu=native"])]


def _zig() -> list[str]:
    return [sys.executable, "-m", "ziglang", "c++", "-x", "c++", "-nostdlib++", "-s"]


def _zig_target(oldest: str) -> list[str]:
    return ["-target", f"x86_64-linux-gnu.{_GLIBC}", f"-mcpu={oldest.replace('-', '_')}"]


def build(library: Path = LIBRARY, *, portable: bool = False) -> str:
    """Make the library and return the command that compiled it.

    Raises ``NoCompilerError`` where none could.
    """
    from replay.native.entries import source

    said = []
    with tempfile.TemporaryDirectory() as folder:
        text, made = Path(folder) / "tricklog.cpp", Path(folder) / library.name
        text.write_text(f"{source()}{_DIGEST.replace('DIGEST', digest())}", "utf-8")
        for compiler in compilers(portable=portable):
            command = [*compiler, *_FLAGS, "-o", str(made), str(text)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the compiler of this machine
            except OSError as error:
                said.append(f"{compiler[0]}: {error.strerror}")
                continue
            if done.returncode == 0:
                # Whoever has the old one open keeps it.
                beside = library.with_suffix(f".{os.getpid()}")
                shutil.copyfile(made, beside)
                beside.replace(library)
                return shlex.join(compiler)
            said.append(f"{shlex.join(compiler)}: {done.stderr[-2000:]}")
    raise NoCompilerError("\n".join(said) or "there is no C++ compiler, and no package ziglang")


_DIGEST: Final = (
    'extern "C" __attribute__((visibility("default"))) char const tricklog_digest[] = "DIGEST";\n'
)


if __name__ == "__main__":
    print(build(portable="--portable" in sys.argv[1:]), file=sys.stderr)  # noqa: T201 - a command
