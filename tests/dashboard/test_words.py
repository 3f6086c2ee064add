"""Numbers with their nouns."""

import pytest

from schemas.words import all_of


@pytest.mark.parametrize(
    ("count", "said"), [(1, "The hand"), (2, "All 2 hands"), (1204, "All 1,204 hands")]
)
def test_all_of_one_thing_is_that_thing(count: int, said: str) -> None:
    assert all_of(count, "hand") == said
