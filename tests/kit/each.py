"""Many cases in one test, and every one that fails is named."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
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
