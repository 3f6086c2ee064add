"""The page with the ledger of one hand: table with bars, words, and why there is none."""

import re
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import address_of, go, open_app, table_of, text_of
from tests.kit.spoken_pages import untranslated
from tricklog.core.native import library
from tricklog.core.study import contracts
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit.cells import Picture
from tricklog.dashboard.pages.ledger.words import Bar, number_text, rows_of, signed_text

pytestmark = pytest.mark.usefixtures("quick_ledgers")
Visit = Callable[..., AppTest]
PLAYED = "pidro-8-1-1"
SUMS = ("start", "best play", "result")
FIRST = 8
"""Stocks that are dealt before anybody asks for more."""


@pytest.fixture
def visit(ledgers: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return lambda **asked: go(open_app(ledgers, monkeypatch), urls.LEDGER, **asked)


def test_parts_stand_in_a_table_with_their_bars_and_add_up(visit: Visit) -> None:
    for unit, column in (("points", "points"), ("score", "score, makers less others")):
        app = visit(hand=PLAYED, unit=unit)
        rows = table_of(app, "Parts of the ledger")
        table = {row["part"]: row[column] for row in rows}
        assert [*table] == [
            *("start", "deal", "auction", "exchange", "draw", "best play"),
            *("makers' play", "defence", "result"),
        ]
        whose = {row["whose"] for row in rows if row["part"] not in SUMS}
        assert whose <= {"luck", "choice", "none"}
        assert all(row["drawn"] == f"{row['part']} {row[column]}" for row in rows)
        amounts = {part: tenths(text) for part, text in table.items()}
        before = sum(amounts[part] for part in ("start", "deal", "auction", "exchange", "draw"))
        assert before == amounts["best play"]
        assert before + amounts["makers' play"] + amounts["defence"] == amounts["result"]
        text = text_of(app)
        assert "In words." in text
        assert "sum to the result exactly" in text
        assert f"Other stocks dealt: {FIRST}" in text
        in_score = "of score, makers less the others,"
        assert (in_score if unit == "score" else "points of") in text


def tenths(text: str) -> int:
    """Return a number as it stands on the page, without what it may be off."""
    return round(float(text.partition(" ±")[0].replace("−", "-").replace(",", "")) * 10)


def test_more_stocks_are_dealt_when_asked_for(visit: Visit) -> None:
    more = visit(hand=PLAYED, stocks=str(contracts.STOCKS))
    assert f"Other stocks dealt: {contracts.STOCKS}" in text_of(more)


def test_nothing_of_it_stays_english(ledgers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert untranslated(ledgers, monkeypatch, urls.LEDGER, hand=PLAYED) == []


def test_without_a_hand_in_the_address_a_valid_one_is_shown(visit: Visit) -> None:
    app = visit()
    assert f"Ledger of hand {address_of(app)['hand']}" in text_of(app)
    assert table_of(app, "Parts of the ledger")


def test_a_hand_that_does_not_exist_is_told_of(visit: Visit) -> None:
    assert "nowhere" in text_of(visit(hand="nowhere"))


def test_without_the_library_the_page_says_where_to_look(visit: Visit) -> None:
    with patch.object(library, "is_there", lambda: False):
        assert "tricklog demo --check" in text_of(visit(hand=PLAYED))


# --- The bars


BARS = [
    Bar("start", (), 0.0, 7.0, reach=0.4),
    Bar("deal", (), 7.0, 8.3, "luck", 0.5),
    Bar("draw", (), 8.3, 5.4, "luck", 0.4),
    Bar("play", ("Dan −10",), 5.4, -8.6, "cost"),
    Bar("result", (), 0.0, -8.6),
]


def drawn(need: int | None) -> list[str]:
    """The bars as HTML."""
    found = [row[1] for row in rows_of(BARS, need, ())]
    return [each.html for each in found if isinstance(each, Picture)]


def ends_in(html: str) -> tuple[float, float]:
    """From where to where a bar goes, in per cent of its cell."""
    (left, width), *_ = re.findall(r"left:([\d.]+)%;width:([\d.]+)%", html)
    return float(left), float(left) + float(width)


def test_each_bar_begins_where_the_one_before_ended() -> None:
    assert [row[2] for row in rows_of(BARS, 9, ())] == [
        *("7 ±0.4", "+1.3 ±0.5", "−2.9 ±0.4", "−14", "−8.6"),
    ]
    start, deal, draw, play, result = map(ends_in, drawn(9))
    assert start[1] == pytest.approx(deal[0], abs=0.2)
    assert deal[1] == pytest.approx(draw[1], abs=0.2)
    assert draw[0] == pytest.approx(play[1], abs=0.2)
    assert play[0] == pytest.approx(result[0], abs=0.2)
    # Sums stand on the line.
    assert start[0] == pytest.approx(result[1], abs=0.2)


def test_what_is_needed_is_a_line_in_every_row_and_only_luck_is_hatched() -> None:
    assert all(html.count("<s ") == 1 for html in drawn(9))
    assert all("<s " not in html for html in drawn(None))
    hatched = ["tl-step-luck" in html for html in drawn(9)]
    assert hatched == [False, True, True, False, False]


def test_the_scale_has_room_for_all_of_it() -> None:
    shown = [each for html in drawn(9) for each in re.findall(r"left:([\d.]+)%", html)]
    assert all(0 < float(each) < 100 for each in shown)


def test_numbers_are_written_as_people_write_them() -> None:
    assert [signed_text(each) for each in (0.0, -0.01, 1.26, -2.0)] == ["0", "0", "+1.3", "−2"]
    assert number_text(-14.0) == "−14"
