"""The library with every index, cell and shift checked, over all that is compared with Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from replay.native import build
from tests.kit import tiers

CHECKED = (
    *("-DCHECKED", "-O1", "-g1", "-fno-sanitize-recover=all"),
    "-fsanitize=address,undefined",
)
COMPARED = (
    "tests/engine/test_compiled.py",
    "tests/engine/test_solver_values.py",
    "tests/study",
)
# A tier of its own: what the program starts is the first one.
PROGRAM = """
import sys
from pathlib import Path
from replay.native import library
library.LIBRARY = Path(sys.argv[1])
assert library.trouble() is None
import pytest
sys.exit(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


@pytest.mark.posix
@pytest.mark.thorough("compiles the library once more, and runs it ten times as slowly")
def test_nothing_is_read_or_written_beside_its_place(repository: Path, tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++ with its sanitizers")
    asked = [compiler, "-print-file-name=libasan.so"]
    runtime = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    library = tmp_path / "checked.so"
    build.build(library, *CHECKED)
    settings = {
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    first_tier = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    first_tier.pop(tiers.SETTING, None)
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(library), *COMPARED],
        cwd=repository,
        env=first_tier | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stdout[-3000:]}\n{ran.stderr[-3000:]}"
