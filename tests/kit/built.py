"""The compiled rules for tests that need them."""

import os
import subprocess
import sys
from pathlib import Path

from replay.compiled import kernel


def build_elsewhere() -> None:
    """Compile the rules, if nobody has, in a process of its own.

    The compiler takes some 700 MB and gives none of it back while its process lives.
    """
    if not kernel.is_ready():
        subprocess.run(
            [sys.executable, "-P", "-c", "from replay.compiled.build import build; build()"],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
            check=True,
        )
    assert kernel.is_ready()
