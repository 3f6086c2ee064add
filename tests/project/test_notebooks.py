"""The notebooks of the documentation: every cell runs, and the last one draws a figure."""

import json
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_bytes())
    assert notebook["nbformat"] == 4
    names: dict[str, Any] = {}
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        # Nothing that a run left behind is published.
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
        code = compile("".join(cell["source"]), f"{path.name}, cell {place}", "exec")
        exec(code, names)  # noqa: S102 - a cell of a page
    chart = names["chart"]
    assert isinstance(chart, alt.LayerChart)
    drawn = chart.to_dict()
    values = drawn["data"]["values"] if "data" in drawn else drawn["layer"][0]["data"]["values"]
    assert len(values) >= 2
    assert all(each["low"] <= each["value"] <= each["high"] for each in values)
    assert isinstance(names["best"], pl.DataFrame)
    assert names["findings"] == []


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
