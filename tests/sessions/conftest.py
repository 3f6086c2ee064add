"""The warehouse that tests of seasons share with those of figures."""

from tests.kit.figures import figures

__all__ = ["figures"]
