"""How much a test does in each of the two tiers of the suite, and checks of many cases in one.

The tiers are those of ``tests/README.md``.
The first tier is what ``./dev test`` runs. ``./dev test --thorough`` runs the same tests at a
larger size, and with them those marked ``thorough``.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

SETTING: Final = "TRICKLOG_TESTS_THOROUGH"
"""Set by ``--thorough``, so that the processes that tests start know of it, too."""
FACTOR: Final = 20
"""How many times as many examples, kills or hands the thorough tier tries."""

T = TypeVar("T")


def is_thorough() -> bool:
    return SETTING in os.environ


def scaled(number: int, *, most: int | None = None) -> int:
    """Return ``number``, or ``FACTOR`` times as many, ``most`` at most, in the thorough tier."""
    if not is_thorough():
        return number
    return min(number * FACTOR, most) if most is not None else number * FACTOR


def some(items: Sequence[T], count: int) -> list[T]:
    """Return ``count`` of the items, spread evenly over all of them; all in the thorough tier."""
    if is_thorough() or len(items) <= count:
        return list(items)
    return [items[number * len(items) // count] for number in range(count)]


_SHOWN = 20


def check_each(
    cases: Iterable[T], check: Callable[[T], object], name_of: Callable[[T], object] = repr
) -> None:
    """Check all cases, and fail with all that fail."""
    failed: dict[str, Exception] = {}
    count = 0
    for case in cases:
        count += 1
        try:
            check(case)
        except Exception as error:  # noqa: BLE001 - whatever a case fails with is told
            failed[str(name_of(case))] = error
    assert count, "there is no case"
    if failed:
        message = f"{len(failed)} of {count} cases: {'; '.join([*failed][:_SHOWN])}"
        raise ExceptionGroup(message, [*failed.values()][:_SHOWN])
