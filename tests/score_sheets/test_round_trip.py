"""Sheets written from generated games in many shapes say the same when they are read."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import score_sheets
from tests.kit.log_lines import logged_field
from tests.kit.score_sheets import (
    PEOPLE,
    as_csv,
    as_ods,
    as_xlsx,
    game_numbers,
    hands_in,
    read_sheet,
)
from tests.kit.tiers import scaled, some
from tests.regenerate.samples import SAMPLES
from tricklog import Hand, decode_hand, ingest, variants
from tricklog.ingest.score_sheets.settings import SheetSettings


def agree(hands: Sequence[Hand], written: Sequence[score_sheets.Scored]) -> None:
    """Every hand has the scores that were written, and games are parted alike."""
    assert logged_field(hands, "claimed.scores") == [list(each.scores) for each in written]
    games = list(dict.fromkeys(each.game for each in written))
    assert game_numbers(hands) == [games.index(each.game) for each in written]


SHAPES: dict[str, list[str]] = {
    "all": [],
    "scores alone": ["Points", "Change", "Hand", "Game", "Dealer"],
    "changes alone": ["Points", "Score", "Game"],
    "points and scores": ["Change", "Hand", "Trump"],
    "no results": ["Result", "Trump", "Date"],
}


def two_games(variant: str) -> tuple[score_sheets.Scored, ...]:
    """Games of the samples, which bots need not play first."""
    if variant in {"sancho", "snoozer"}:
        # Where all play for themselves, a sheet seats who deals first as the first.
        return score_sheets.scored(variant, 2, 3)
    (sample, *_) = (each for each in SAMPLES if each.variant == variant and not each.options)
    hands = [decode_hand(line) for line in sample.path.read_bytes().splitlines()]
    games = list(dict.fromkeys(hand.game for hand in hands))[:2]
    return score_sheets.as_scored(hand for hand in hands if hand.game in games)


@pytest.mark.parametrize("variant", some(variants(), 5))
def test_every_game_comes_back_with_its_scores(variant: str, tmp_path: Path) -> None:
    written = two_games(variant)
    for name, left_out in SHAPES.items():
        rows = score_sheets.one_row_a_hand(written, leave_out=left_out)
        agree(hands_in(read_sheet(as_csv(rows), tmp_path, variant)), written)
        if name in ("all", "scores alone"):
            audit = ingest.audit(tmp_path / "club.csv", adapter=SheetSettings(variant).reader)
            assert {code for item in audit for code in item.findings} == set(), name
    rows = score_sheets.game_by_game(written)
    agree(hands_in(read_sheet(as_csv(rows), tmp_path, variant)), written)


@settings(max_examples=scaled(25))
@given(
    language=st.sampled_from(sorted(score_sheets.HEADINGS)),
    shape=st.sampled_from(sorted(SHAPES)),
    written_as=st.fixed_dictionaries(
        {
            "delimiter": st.sampled_from(",;\t|"),
            "encoding": st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
            "dates": st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %b %Y", "%d.%m.%y"]),
            "line_end": st.sampled_from(["\n", "\r\n", "\r"]),
        }
    ),
    seed=st.integers(1, 4),
)
def test_how_it_is_written_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    language: str,
    shape: str,
    written_as: dict[str, str],
    seed: int,
) -> None:
    written = score_sheets.scored("pedro", 2, seed)
    rows = score_sheets.one_row_a_hand(written, language, leave_out=SHAPES[shape])
    hands = hands_in(read_sheet(as_csv(rows, **written_as), tmp_path_factory.getbasetemp()))
    agree(hands, written)
    if "Date" not in SHAPES[shape]:
        assert logged_field(hands, "started_at") == [each.date.isoformat() for each in written]
    assert logged_field(hands, "known.bid") == [each.bid for each in written]


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_workbooks_say_what_the_text_says(suffix: str, tmp_path: Path) -> None:
    written = score_sheets.scored("pedro", 4, 2)
    sheets: dict[str, score_sheets.Rows] = {
        "Spring": score_sheets.one_row_a_hand([each for each in written if each.game <= 2]),
        "Autumn": score_sheets.one_row_a_hand([each for each in written if each.game > 2]),
    }
    content = as_xlsx(sheets) if suffix == "xlsx" else as_ods(sheets)
    lines = read_sheet(content, tmp_path, name=f"club.{suffix}")
    agree(hands_in(lines), written)
    assert {line.file.rpartition("[")[2] for line in lines} == {"Spring]", "Autumn]"}


def test_merged_headings_and_values_of_formulas_are_read(tmp_path: Path) -> None:
    written = score_sheets.scored("pedro", 1, 2)
    rows: score_sheets.Rows = [
        ["Bidder", "Bid", "Points", None, "Score", None],
        [None, None, "Ann & Cy", "Bo & Dee", "Ann & Cy", "Bo & Dee"],
    ]
    for number, each in enumerate(written, 3):
        scores: list[score_sheets.Cell] = [f"=E{number - 1}+1|{each.scores[0]}", each.scores[1]]
        rows.append([each.names[each.maker or 0], each.bid, *each.points, *scores])
    content = as_xlsx({"One": rows}, merged=["A1:A2", "B1:B2", "C1:D1", "E1:F1"])
    hands = hands_in(read_sheet(content, tmp_path, name="club.xlsx"))
    agree(hands, written)
    assert logged_field(hands, "claimed.points") == [list(each.points) for each in written]


def test_merged_cells_of_the_open_format_are_read(tmp_path: Path) -> None:
    written = score_sheets.scored("pedro", 2, 2)
    rows: score_sheets.Rows = [
        ["Date", "Bidder", "Bid", "Points", None],
        [None, None, None, "Ann & Cy", "Bo & Dee"],
    ]
    merged = [(0, 0, 2, 1), (0, 1, 2, 1), (0, 2, 2, 1), (0, 3, 1, 2)]
    for _, evening in groupby(written, key=lambda each: each.date):
        hands = list(evening)
        merged.append((len(rows), 0, len(hands), 1))
        for number, each in enumerate(hands):
            date = None if number else each.date
            rows.append([date, each.names[each.maker or 0], each.bid, *each.points])
    content = as_ods({"One": rows}, merged=merged)
    found = hands_in(read_sheet(content, tmp_path, name="club.ods"))
    assert logged_field(found, "claimed.points") == [list(each.points) for each in written]
    assert logged_field(found, "started_at") == [each.date.isoformat() for each in written]


def test_a_row_may_go_over_lines_and_is_counted_by_its_first(tmp_path: Path) -> None:
    content = 'Bidder,Bid,We,They,Note\nAnn,8,9,5,"a long\nevening"\nBo,7,5,9,\n'
    lines = read_sheet(content, tmp_path, "pedro", PEOPLE[:4])
    assert [(line.line, line.byte) for line in lines] == [(1, 0), (2, 24), (4, 51)]
    assert logged_field(hands_in(lines), "remark") == ["a long\nevening", None]
