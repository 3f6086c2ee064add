"""Warehouses that tests of figures share."""

from tests.kit.figures import figures, samples, singles

__all__ = ["figures", "samples", "singles"]
