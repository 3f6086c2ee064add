"""Nothing that the library does reads or writes outside its arrays, nor is left to the compiler.

`python -m tests.long.sanitized` uses it for as many lines as wanted.
"""

import json
from pathlib import Path

import pytest

from tests.kit import sanitized
from tests.kit.tiers import scaled
from tricklog.core import variants
from tricklog.core.native import build

LINES = scaled(40, most=150)
"""Of each system."""
OUTSIDE = """
extern "C" __attribute__((visibility("default"))) int third(int place) {
    static int numbers[2] = {1, 2};
    return numbers[place];
}
"""
pytestmark = pytest.mark.thorough("compiles the library once more, and a slow one")


@pytest.fixture(scope="module")
def watcher() -> str:
    return sanitized.watching()


def test_all_that_the_library_does_is_defined(watcher: str, tmp_path: Path) -> None:
    library = sanitized.built(tmp_path / "sanitized.so")
    done = sanitized.watched(
        watcher, "-m", "tests.kit.sanitized", str(library), "--lines", str(LINES)
    )
    assert done.returncode == 0, done.stderr[-4000:]
    used = json.loads(done.stdout)
    assert used["judged"] == LINES * len(variants())
    assert used["studied"] >= used["solved"] > len(variants())


def test_what_is_outside_an_array_is_found(watcher: str, tmp_path: Path) -> None:
    library = tmp_path / "outside.so"
    build.compile_text(OUTSIDE, library, *sanitized.FLAGS)
    read = f"import ctypes; print(ctypes.CDLL({str(library)!r}).third(2))"
    done = sanitized.watched(watcher, "-c", read)
    assert done.returncode != 0
    assert "index 2 out of bounds" in done.stderr
