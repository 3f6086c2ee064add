"""Parts of a ledger as they are printed sum to the result as it is printed."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.tiers import scaled
from tricklog.ingest.study.season import in_hundredths

HUNDREDTH = 0.01


@settings(max_examples=scaled(20))
@given(st.lists(st.fractions(-50, 50), min_size=1, max_size=9))
def test_the_parts_sum_to_the_result_and_none_is_off_by_a_hundredth(parts: list[Fraction]) -> None:
    *shown, result = in_hundredths([*parts, sum(parts, Fraction(0))])
    assert round(sum(shown), 6) == result
    assert abs(result - float(sum(parts))) <= HUNDREDTH / 2 + 1e-9
    for part, each in zip(parts, shown, strict=True):
        assert abs(each - float(part)) < HUNDREDTH + 1e-9


def test_the_largest_remainder_is_rounded_up() -> None:
    parts = [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    assert in_hundredths([*parts, Fraction(1)]) == [0.34, 0.33, 0.33, 1.0]
