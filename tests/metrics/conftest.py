"""Warehouses that tests of figures share."""

from tests.cli.conftest import tricklog
from tests.kit.figures import figures, samples, singles

__all__ = ["figures", "samples", "singles", "tricklog"]
