"""Rules as another version of the program would have them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tricklog.core import RulesetError
from tricklog.core.engine.rules import scoring
from tricklog.core.native import library
from tricklog.core.rulesets import ruleset


def wrong_scores(patch: pytest.MonkeyPatch) -> None:
    """Have a made contract change the scores by 3."""
    patch.setattr(scoring, "change_when_made", lambda *_: 3)
    # The library has the right rules.
    patch.setattr(library, "is_there", lambda: False)


@contextmanager
def other_rules() -> Iterator[pytest.MonkeyPatch]:
    """Have rules resolved again in the block, where they can be patched, and after it."""
    _forget_rules()
    try:
        with pytest.MonkeyPatch.context() as patch:
            yield patch
    finally:
        _forget_rules()


@contextmanager
def without_rules(*variants: str) -> Iterator[None]:
    """Have the rules of some games unknown in the block."""
    resolve = ruleset.resolve

    def forgetful(reference: object) -> ruleset.Ruleset:
        if (variant := getattr(reference, "variant", "")) in variants:
            raise RulesetError("the log", "/rules/variant", f"is {variant!r}, which is not known")
        return resolve(reference)  # type: ignore[arg-type]  # as resolve is called

    with other_rules() as patch:
        patch.setattr(ruleset, "resolve", forgetful)
        yield


def _forget_rules() -> None:
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()
