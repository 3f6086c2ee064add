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
        _run("build")
    assert kernel.is_ready()


def build_solver_elsewhere() -> None:
    """Compile the solver, if nobody has, likewise."""
    if not kernel.solver_is_ready():
        _run("build_solver")
    assert kernel.solver_is_ready()


def build_study_elsewhere() -> None:
    """Compile what studies hands, if nobody has, likewise."""
    if not kernel.study_is_ready():
        _run("build_study")
    assert kernel.study_is_ready()


def _run(what: str) -> None:
    subprocess.run(
        [sys.executable, "-P", "-c", f"from replay.compiled.build import {what}; {what}()"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        check=True,
    )
