"""The page about Python and the notebooks: every example runs as the page says."""

import ast
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

import tricklog
from tricklog import core, ingest

_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["docs/python-api.md", "docs/export.md"])
def test_every_example_prints_what_the_page_says(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(repository / "sample_logs", tmp_path / "sample_logs")
    page = (repository / name).read_text("utf-8")
    blocks = _BLOCK.findall(page)
    assert blocks
    names: dict[str, Any] = {}
    printed = ""
    for kind, content in blocks:
        if kind == "text":
            assert printed == content
            continue
        assert printed == "" or printed in page, printed
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(content, name, "exec"), names)  # noqa: S102 - an example of a page
        printed = output.getvalue()


def test_one_name_has_all_that_the_packages_offer() -> None:
    offered = {*ingest.__all__, *core.__all__}
    assert offered <= set(tricklog.__all__)
    for name in tricklog.__all__:
        assert getattr(tricklog, name) is not None
    assert set(tricklog.__all__) <= set(dir(tricklog))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tricklog.nothing  # noqa: B018 - it raises


def test_every_name_says_what_it_is() -> None:
    data = {"ADAPTERS", "DIMENSIONS", "METRICS", "Mode"}
    silent = [
        name
        for name in {*tricklog.__all__} - data
        if not (getattr(tricklog, name).__doc__ or "").strip()
    ]
    assert silent == []


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


def test_the_one_name_loads_next_to_nothing(repository: Path) -> None:
    program = (
        "import sys, tricklog\n"
        "heavy = {'altair', 'duckdb', 'numpy', 'polars', 'pyarrow', 'streamlit'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "tricklog.replay(next(tricklog.generate('pedro', games=1, seed=1)))\n"
        # The library that plays is called with arrays of numpy.
        "print(sorted(heavy & set(sys.modules) - {'numpy'}), tricklog.__version__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(repository)},
    )
    assert done.stdout == f"[]\n[] {version('tricklog')}\n"


# --- Notebooks
FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


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


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
