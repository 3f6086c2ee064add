"""The coverage register: what carries out each numbered rule, and what tests it.

The numbers are the rulings on silent points (S), on conflicts (C), the options (O) and the worked
examples (T) of ``docs/rules``. The register is made from the code and the tests by
``./dev regenerate``, and comes with the package, which the tests do not.
"""

from __future__ import annotations

from importlib import resources

import msgspec


class Covered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What there is for one number."""

    number: str
    title: str
    by: tuple[str, ...]
    """Policy values, options and functions that carry it out; for an example the rules it shows."""
    tests: tuple[str, ...]
    """Tests and rule cases that pin it, by file."""


def register() -> list[Covered]:
    """Return the register: rulings, conflicts, options, examples, each in order."""
    text = (resources.files("replay.rulesets") / "coverage.json").read_bytes()
    return msgspec.json.decode(text, type=list[Covered])
