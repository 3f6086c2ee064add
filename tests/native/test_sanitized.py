"""Nothing that the library does reads or writes outside its arrays, nor is left to the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tricklog.core import variants
from tricklog.core.compiled import make
from tricklog.core.native import build

FLAGS = ("-fsanitize=address,undefined,bounds-strict", "-g1", "-O1")
OUTSIDE = """
extern "C" __attribute__((visibility("default"))) int third(int place) {
    static int numbers[2] = {1, 2};
    return numbers[place];
}
"""
pytestmark = pytest.mark.thorough("compiles the library once more, and a slow one")


@pytest.fixture(scope="module")
def watching() -> str:
    """Where the compiler keeps what watches memory."""
    compiler = next(build.compilers())[0]
    asked = [compiler, "-print-file-name=libasan.so"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(found).is_absolute(), "the compiler has no sanitizers"
    return found


def run(watching: str, repository: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=repository,
        env=os.environ
        | {
            "LD_PRELOAD": watching,
            # Python leaves memory behind when it ends.
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        },
        check=False,
    )


def test_all_that_the_library_does_is_defined(
    watching: str, tmp_path: Path, repository: Path
) -> None:
    library = tmp_path / "sanitized.so"
    make.build(library, *FLAGS)
    done = run(watching, repository, "-m", "tests.kit.sanitized", str(library))
    assert done.returncode == 0, done.stderr[-4000:]
    assert int(done.stdout) > 30 * len(variants())


def test_what_is_outside_an_array_is_found(watching: str, tmp_path: Path, repository: Path) -> None:
    library = tmp_path / "outside.so"
    build.compile_text(OUTSIDE, library, *FLAGS)
    read = f"import ctypes; print(ctypes.CDLL({str(library)!r}).third(2))"
    done = run(watching, repository, "-c", read)
    assert done.returncode != 0
    assert "index 2 out of bounds" in done.stderr
