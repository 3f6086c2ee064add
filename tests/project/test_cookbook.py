"""The cookbook (docs/cookbook.md): SQL answers as shown, and Polars with the same rows."""

import ast
import re
import shlex
from typing import Any

import polars as pl
import pytest

from tests.kit.page_blocks import REPOSITORY, Block, blocks_of
from tests.kit.page_runner import PageRun, provider
from tricklog import ingest
from tricklog import sql as ask

PAGE = "docs/cookbook.md"
QUESTIONS = re.findall(r"^## (.+)$", (REPOSITORY / PAGE).read_text("utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> PageRun:
    """Somebody who has run the first block of the page, in a folder with the games of Pedro."""
    root = tmp_path_factory.mktemp("cookbook")
    ingest.load(REPOSITORY / "sample_logs" / "valid" / "pedro", db=root / "loaded")
    folder = root / "reader"
    folder.mkdir()
    run = PageRun(folder, provider(root / "loaded"))
    run.run(blocks_of(PAGE)[0])
    return run


def test_twelve_questions_are_asked_in_both_languages() -> None:
    languages = [block.language for block in blocks_of(PAGE)]
    assert len(QUESTIONS) == 12
    assert languages == ["python", *["console", "python"] * len(QUESTIONS)]


@pytest.mark.posix
@pytest.mark.parametrize("number", range(len(QUESTIONS)), ids=QUESTIONS)
def test_an_answer_is_what_the_page_shows_and_polars_has_the_same_rows(
    number: int, reader: PageRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(reader.folder)
    monkeypatch.delenv("COLUMNS", raising=False)
    in_sql, in_polars = blocks_of(PAGE)[2 * number + 1 : 2 * number + 3]
    reader.run(in_sql)
    _, _, _, query, *_ = shlex.split(in_sql.content.splitlines()[0])
    told, found = ask("club", query), value_of(in_polars, reader.names)
    assert found.columns == told.columns, in_polars.place
    assert found.rows() == told.rows(), in_polars.place


def value_of(block: Block, names: dict[str, Any]) -> pl.DataFrame:
    """What the last expression of a block is, as a notebook shows it."""
    *before, last = ast.parse(block.content).body
    assert isinstance(last, ast.Expr), f"{block.place}: end with the answer"
    exec(compile(ast.Module(before, []), block.place, "exec"), names)  # noqa: S102 - of a page
    answer = eval(compile(ast.Expression(last.value), block.place, "eval"), names)  # noqa: S307
    assert isinstance(answer, pl.DataFrame), f"{block.place}: it is no frame"
    return answer
