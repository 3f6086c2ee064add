"""What Python offers under one name, and the notebooks, each of which runs whole."""

import ast
import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

import tricklog
from tests.cli.command_line import run_python
from tricklog import core, ingest


def test_one_name_has_all_that_the_packages_offer_and_each_says_what_it_is() -> None:
    assert {*ingest.__all__, *core.__all__} <= set(tricklog.__all__)
    data = {"ADAPTERS", "DIMENSIONS", "METRICS", "Mode"}
    for name in tricklog.__all__:
        assert getattr(tricklog, name) is not None
        assert name in data or (getattr(tricklog, name).__doc__ or "").strip(), name
    assert set(tricklog.__all__) <= set(dir(tricklog))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tricklog.nothing  # noqa: B018 - it raises


def test_what_a_type_checker_sees_is_what_is_there(repository: Path) -> None:
    tree = ast.parse((repository / "tricklog" / "__init__.py").read_text("utf-8"))
    (branch,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in branch.body if isinstance(node, ast.ImportFrom)]
    seen = {
        each.asname or each.name: getattr(import_module(str(node.module)), each.name)
        for node in imports
        for each in node.names
    }
    renamed = [node for node in branch.body if isinstance(node, ast.Assign)]
    for node in renamed:
        seen[ast.unparse(node.targets[0])] = seen.pop(ast.unparse(node.value))
    assert seen == {name: getattr(tricklog, name) for name in tricklog.__all__}


def test_the_one_name_loads_next_to_nothing() -> None:
    program = (
        "import sys, tricklog\n"
        "heavy = {'altair', 'duckdb', 'numpy', 'polars', 'pyarrow', 'streamlit'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "tricklog.replay(next(tricklog.generate('pedro', games=1, seed=1)))\n"
        # The library that plays is called with arrays of numpy.
        "print(sorted(heavy & set(sys.modules) - {'numpy'}), tricklog.__version__)\n"
    )
    assert run_python("-c", program).stdout == f"[]\n[] {version('tricklog')}\n"


# --- Notebooks
FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_whole(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
