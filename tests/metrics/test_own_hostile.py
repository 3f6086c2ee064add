"""Files of metrics, of mappings and of rules that are more than any needs, or raise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tricklog.core.rulesets.rules_file import RulesetError, read_rules_file
from tricklog.ingest.metrics.model import OwnMetricError
from tricklog.ingest.metrics.own import metrics_of_file
from tricklog.ingest.score_sheets.settings import MappingError, read_mapping

METRIC = """[[metric]]
name = "no-trick"
title = "Hands"
sentence = "How often."
unit = "share of hands"
numerator = "a"
denominator = "b"
grain = "seat"
kind = "mean"
cases = "{cases}"
amount = "1"
{more}
"""
TOO_MUCH = {
    "deep": f"x = {'[' * 600}{']' * 600}",
    "digits": f"x = {'9' * 5_000}",
    "400 digits": f"x = {'9' * 400}",
    "long": "# " + "x" * (1 << 16),
    "key": "x" + ".x" * 600 + " = 1",
}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_every_file_that_people_write_has_the_same_bounds(text: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(OwnMetricError, match="no such file needs"):
        metrics_of_file(path)
    with pytest.raises(RulesetError, match="no such file needs"):
        read_rules_file(path)
    with pytest.raises(MappingError, match="no such file needs"):
        read_mapping(text)


@pytest.mark.parametrize(
    ("cases", "more", "said"),
    [
        ("NOT " * 490 + "true", "", "cases is nested too deep"),
        ("NOT " * 150 + "true", "", "cases is nested too deep"),
        ("trick_count > 0", "least = nan", "least is nan"),
        ("trick_count > 0", "least = 0\nmost = inf", "most is inf"),
        ("trick_count > 0", 'weight = "-1"', "weight is -1"),
        ("trick_count > 0", 'weight = "0 * 3"', "weight is 0"),
    ],
)
def test_what_cannot_be_counted_is_said(cases: str, more: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(METRIC.format(cases=cases, more=more))
    with pytest.raises(OwnMetricError, match=said):
        metrics_of_file(path)


def test_a_function_that_raises_is_named(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("def METRICS():\n    raise ValueError('x')\n")
    with pytest.raises(OwnMetricError, match=r"cannot be called: ValueError\('x'\)"):
        metrics_of_file(path)


def test_a_mark_of_the_encoding_is_no_part_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b"\xef\xbb\xbf" + METRIC.format(cases="trick_count > 0", more="").encode())
    assert [each.name for each in metrics_of_file(path)] == ["no-trick"]
    path.write_bytes(b'\xef\xbb\xbfid = "own"\n')
    assert read_rules_file(path) == {"id": "own"}
