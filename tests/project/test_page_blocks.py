"""Every block of code in the documentation is run, or says why it cannot be."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.page_blocks import DOCS, REPOSITORY, Block, blocks_of, pages
from tests.kit.page_runner import PageRun, is_as_told, provider
from tricklog import ingest

ELSEWHERE = {
    "docs/build-server.md": "cli/test_build_server.py",
    "docs/cluster.md": "lake/test_cluster_page.py",
    "docs/cookbook.md": "project/test_cookbook.py",
    "docs/disputes.md": "cli/test_ask.py",
    "docs/export.md": "project/test_python_api.py",
    "docs/own-metrics.md": "metrics/test_own_metrics.py",
    "docs/python-api.md": "project/test_python_api.py",
    "docs/rulesets.md": "rules/test_rulesets_page.py",
    "docs/text-form.md": "reading/test_text_documents.py",
}
"""Pages whose blocks a test of their own runs, which knows more of what they are about."""
RUN_HERE = [page for page in pages() if page not in ELSEWHERE]


@pytest.fixture(scope="module")
def provide(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Path], None]:
    warehouse = tmp_path_factory.mktemp("pages") / "club"
    ingest.load(REPOSITORY / "sample_logs" / "valid" / "pedro", db=warehouse)
    return provider(warehouse)


DEAR = ("docs/cli.md", "docs/start-with-a-notebook.md")
"""Pages of commands and frames, which tests of these ask as well."""
LATER = pytest.mark.thorough("pages that take a second each; their parts are tested in the first")


@pytest.mark.posix
@pytest.mark.parametrize(
    "page", [pytest.param(each, marks=[LATER] if each in DEAR else []) for each in RUN_HERE]
)
def test_every_block_of_a_page_does_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provide: Callable[[str, Path], None]
) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    shutil.copytree(REPOSITORY / "sample_logs", folder / "sample_logs")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    run = PageRun(folder, provide)
    for block in blocks_of(page):
        run.run(block)


@pytest.mark.parametrize("page", ELSEWHERE)
def test_a_page_that_is_run_elsewhere_is_read_there(page: str) -> None:
    assert Path(page).name in (REPOSITORY / "tests" / ELSEWHERE[page]).read_text("utf-8")


def test_what_is_saved_is_used_further_down() -> None:
    for page in RUN_HERE:
        blocks = blocks_of(page)
        for place, block in enumerate(blocks):
            if name := block.marks.get("file"):
                assert any(name in each.content for each in blocks[place + 1 :]), block.place


def test_whoever_leaves_a_block_out_gives_a_reason() -> None:
    reasons = [
        block.marks["not run"]
        for page in pages()
        for block in blocks_of(page)
        if "not run" in block.marks
    ]
    assert reasons
    assert all(len(reason.split()) >= 4 for reason in reasons)


def test_there_are_four_ways_to_start() -> None:
    assert len([*DOCS.glob("start-*.md")]) == 4


@pytest.mark.parametrize(
    ("told", "said", "is_so"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("...\nc\n", "a\nc\n", True),
        ("a\n...\n", "a\nb\n", True),
        ("a\n...\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nd\n", "a\nb\nc\n", False),
    ],
)
def test_dots_stand_for_any_lines(told: str, said: str, *, is_so: bool) -> None:
    assert is_as_told(said, told) is is_so


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("python", "assert 1 == 2"),
        ("console", "$ tricklog rules 1.follow\n1.lead\n"),
        ("sh", "tricklog rules 99.nothing"),
        ("json", '{"format": "tricklog/1"}'),
        ("trick", "Pedro\nAnn & Cy vs Bo & Dee\nhand 1; Boo 7"),
        ("toml", "= 1"),
        ("text", "out of nothing"),
        ("klingon", ""),
    ],
)
def test_a_wrong_block_is_seen(
    language: str,
    content: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    provide: Callable[[str, Path], None],
) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    monkeypatch.chdir(folder)
    run = PageRun(folder, provide)
    with pytest.raises((AssertionError, ValueError)):
        run.run(Block("a.md", 1, language, content + "\n", {}))
