"""Questions to a warehouse by its path, in plain values, and in SQL; and filters as values."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tricklog
from tests.kit.log_lines import one_game
from tests.kit.stored import SILENT
from tricklog.ingest.metrics import DIMENSION, DIMENSIONS
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, Range, is_number_or_range, range_of


def test_a_path_and_plain_values_ask_what_filters_do(small_warehouse: Path) -> None:
    filters = tricklog.Filters.of({"role": "maker", "variant": "pedro"}).within("bid", least=8)
    with tricklog.open_facts(small_warehouse) as facts:
        expected = tricklog.measure(facts, "made-rate", ["bid"], filters)
        for where in ({"bid": Range(8)}, {"bid": [8, 9, 10, 11, 12, 13, 14]}):
            asked: dict[str, Any] = {"role": "maker", "variant": ("pedro",), **where}
            for warehouse in (facts, small_warehouse, str(small_warehouse)):
                assert tricklog.measure(warehouse, "made-rate", "bid", where=asked).equals(expected)
    assert expected.height


def test_sql_joins_frames_and_changes_nothing(small_warehouse: Path, tmp_path: Path) -> None:
    ours = pl.DataFrame({"variant": ["pedro"], "club": ["north"]})
    query = "SELECT club, count(*) AS n FROM games.stored JOIN ours USING (variant) GROUP BY club"
    (row,) = tricklog.sql(small_warehouse, query, ours=ours).rows()
    assert row[0] == "north"
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for wrong in ("DELETE FROM seat_facts", f"FROM '{tmp_path}/secret.csv'", "SELECT nope", ""):
        with pytest.raises(tricklog.FigureError, match="query"):
            tricklog.sql(small_warehouse, wrong)


def test_a_table_is_found_under_its_name_alone(small_warehouse: Path) -> None:
    (stored,) = tricklog.sql(small_warehouse, "SELECT count(*) FROM games.hands").row(0)
    for query in ("SELECT count(*) FROM hands", "SELECT count(*) AS hands FROM READABLE_hands"):
        assert tricklog.sql(small_warehouse, query).row(0) == (stored,)
    told = tricklog.sql(small_warehouse, "DESCRIBE readable_hands")
    assert all(told["about"])
    with tricklog.open_facts(small_warehouse) as facts:
        for _ in range(2):
            found = tricklog.sql(facts, "SELECT count(*) FROM players, hands WHERE false")
            assert found.row(0) == (0,)
    ours = pl.DataFrame({"club": ["north"]})
    assert tricklog.sql(small_warehouse, "FROM hands", hands=ours).equals(ours)
    # All that can be asked is explained.
    assert tricklog.sql(small_warehouse, SILENT).is_empty()


def test_mistakes_get_a_sentence(small_warehouse: Path) -> None:
    hand = one_game("pedro")[0]
    wrong: Any = 3
    with pytest.raises(TypeError, match="the folder or the address of a warehouse"):
        tricklog.measure(wrong, "made-rate")
    with pytest.raises(tricklog.FigureError, match="no dimension 'varient'"):
        tricklog.measure(small_warehouse, "made-rate", where={"varient": "pedro"})
    with pytest.raises(tricklog.FigureError, match=r"variant=pedrro\. Did you mean pedro\? There"):
        tricklog.measure(small_warehouse, "made-rate", where={"variant": "pedrro"})
    with pytest.raises(tricklog.FigureError, match="No bid is at least 12 and at most 10"):
        tricklog.measure(small_warehouse, "made-rate", where={"bid": "12..10"})
    for by in (5, [5]):
        with pytest.raises(TypeError, match="by is the name of a dimension, such as"):
            tricklog.measure(small_warehouse, "made-rate", by)  # type: ignore[arg-type]
    for where in ("variant=pedro", ["variant=pedro"]):
        with pytest.raises(TypeError, match=r'such as \{"variant": "pedro"\}, and is not'):
            tricklog.measure(small_warehouse, "made-rate", where=where)  # type: ignore[arg-type]
    wrong = ["log.jsonl", small_warehouse]
    for nothing in wrong, "log.jsonl":
        with pytest.raises(TypeError, match="frames are made of hands, replays, or the lines"):
            tricklog.to_frames(nothing)  # type: ignore[arg-type]  # a mistake that people make
    for given in ("x", next(tricklog.read("nowhere.jsonl"))):
        with pytest.raises(TypeError, match="replay takes a hand, as decode_hand"):
            tricklog.replay(given)  # type: ignore[arg-type]  # a mistake that people make
    replayed = tricklog.replay(hand)
    assert [view.index for view in replayed] == list(range(len(replayed) + 1))
    assert repr(tricklog.to_frames([hand])).startswith("<Frames: hands 1, seats 4, calls ")


# --- Filters are values: two that let the same through are the same, ranges among them
@pytest.mark.parametrize(
    ("text", "within"),
    [
        *[("10..", Range(10)), ("..-1", Range(None, -1)), ("7..9", Range(7, 9))],
        *[("-3..-1", Range(-3, -1)), ("007..9", Range(7, 9)), ("7..7", Range(7, 7))],
    ],
)
def test_a_range_is_read_from_its_text_and_stands_in_filters_as_it(
    text: str, within: Range
) -> None:
    assert range_of(text) == within
    assert is_number_or_range(text)
    if within.least != within.most:
        assert range_of(str(within)) == within
        filters = Filters.of({"bid": within})
        assert filters.values("bid") == (str(within),)
        assert filters == EVERYTHING.within("bid", *within)
        assert hash(filters) == hash(Filters.of({"bid": str(within)}))


NO_RANGES = ["", "..", "7", "-1", "7.9", "7...9", "7..9..", "x..", "7..9\n", " 7..", "1e3.."]


@pytest.mark.parametrize("text", [*NO_RANGES, "9" * 10, "\N{ARABIC-INDIC DIGIT SEVEN}.."])
def test_nothing_else_is_a_range(text: str) -> None:
    assert range_of(text) is None


def test_a_range_of_one_number_filters_by_it_and_one_without_ends_filters_nothing() -> None:
    assert EVERYTHING.within("margin", -1, -1) == Filters.of({"margin": "-1"})
    makers = Filters.of({"role": "maker"})
    assert makers.also("bid", "10..").within("bid") == makers
    assert Filters.of({"bid": Range()}) == EVERYTHING


def test_dimensions_of_numbers_are_those_whose_values_are_added_up_or_counted() -> None:
    numbers = {each.name for each in DIMENSIONS if each.is_number}
    assert {"bid", "margin", "trumps-held", "points-held", "stake", "hand-number"} <= numbers
    assert not numbers & {"day", "player", "card", "game", "session", "forced", "variant"}
    assert all(DIMENSION[name].ordered for name in numbers)
