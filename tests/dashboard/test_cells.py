"""Pictures in the cells of tables."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tricklog.dashboard.kit.cells import (
    Colour,
    Track,
    columns,
    interval,
    line,
    picture_html,
    squares,
)

AMOUNTS = st.floats(-1e6, 1e6)
TRACK = Track(-4, 4, tick=0)


def per_cents(html: str) -> list[float]:
    return [float(each) for each in re.findall(r"(-?[\d.]+)%", html)]


@given(AMOUNTS, AMOUNTS, AMOUNTS)
def test_an_interval_stays_within_its_cell(first: float, second: float, third: float) -> None:
    low, value, high = sorted((first, second, third))
    found = interval(TRACK, value, low, high, "said")
    tick, left, width, dot = per_cents(found.html)
    assert tick == 50
    assert 0 <= left <= dot + 0.1
    assert dot <= left + width + 0.1 <= 100.2


def test_an_interval_stands_where_its_scale_says() -> None:
    found = interval(TRACK, 2, 1, 3, "+2 (+1 to +3)", Colour.ONE)
    assert per_cents(found.html) == [50, 62.5, 25, 75]
    assert "tl-one" in found.html


def test_a_value_with_too_few_cases_is_a_ring_without_a_bar() -> None:
    found = interval(TRACK, 2, None, None, "too few hands", few=True)
    assert "tl-few" in found.html
    assert "<u" not in found.html


@given(st.lists(st.floats(0, 1e6), max_size=12))
def test_columns_are_as_high_as_their_values(values: list[float]) -> None:
    heights = per_cents(columns(values, "said").html)
    assert len(heights) == len(values)
    assert all(0 <= each <= 100 for each in heights)
    if any(values):
        assert max(heights) == 100


def test_a_line_ends_in_its_last_value() -> None:
    found = line([-4, 0, 4], TRACK, "said")
    assert found.html.endswith('<b style="left:100.0%;top:0.0%"></b></span>')
    assert "0.0% 94.0%,50.0% 44.0%,100.0% -6.0%" in found.html


def test_values_of_a_line_stand_where_they_belong() -> None:
    found = line([0, 0], TRACK, "said", across=[0.25, 0.75])
    assert "25.0% 44.0%,75.0% 44.0%" in found.html
    assert found.html.endswith('<b style="left:75.0%;top:50.0%"></b></span>')


def test_each_mark_has_a_square() -> None:
    found = squares([True, False, None, True], "won, lost, open, won")
    assert re.findall(r'<i class="([^"]*)">', found.html) == [
        "tl-marked",
        "",
        "tl-few",
        "tl-marked",
    ]


def test_the_words_of_a_picture_are_text_and_never_html() -> None:
    found = picture_html(interval(TRACK, 1, 0, 2, "<b>Ann</b>"))
    assert "&lt;b&gt;Ann&lt;/b&gt;" in found
