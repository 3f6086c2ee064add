"""Which variants come with Tricklog, by the names of their files; none of these is read for it."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable


@cache
def variants() -> tuple[str, ...]:
    """Return the ids of the variants that come with Tricklog, sorted."""
    names = (item.name for item in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def variant_text(name: str) -> str:
    """Return what the file of a variant says."""
    return (_folder() / f"{name}.toml").read_text("utf-8")


def _folder() -> Traversable:
    return resources.files("tricklog.core.rulesets") / "variants"
