"""Pages of the documentation: links, commands, the menu, words, and each block of code."""

import ast
import configparser
import contextlib
import difflib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import yaml  # type: ignore[import-untyped]

import tricklog
from tests.kit.in_process import run_here
from tests.kit.page_blocks import DOCS, REPOSITORY, Block, blocks_of, pages
from tests.regenerate.site_parts import filled
from tricklog import ingest
from tricklog import sql as ask
from tricklog.ingest.cli import COMMANDS, NAME, command_in
from tricklog.ingest.cli.usage import OPTIONS

Provide = Callable[[str, Path], None]
PROVIDED: Final = frozenset({"club", "demo", "logs", "play", "hands"})
"""What a page may ask for: a warehouse, that of the demo, a folder of logs, broken hands, a log."""
_DIRECTIVE: Final = re.compile(r"\{[\w-]+\}")
_ANY_LINES: Final = "..."
_SHELL: Final = re.compile(r"[|;&$`]|<<|>>| < ")
_USAGE: Final = re.compile(r"\[--|\]\.\.\.|\bPATH\b|\[\w+\|")
_SPELLED: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


class PageRun:
    """A page that is being followed: its folder, its names, what was printed last."""

    def __init__(self, folder: Path, provide: Provide) -> None:
        """Follow a page in ``folder``; ``provide`` puts there what a block asks for."""
        self.folder = folder
        self.aside = folder.parent / f"{folder.name}-said"
        self.aside.mkdir()
        self.names: dict[str, Any] = {}
        self.said: str | None = None
        self.unshown: list[str] = []
        """What Python has printed and the page does not show."""
        self.provide = provide

    def run(self, block: Block) -> None:
        """Run one block; raise ``AssertionError`` where it is not as the page says."""
        if "not run" in block.marks:
            self.said = None
            return
        for name in filter(None, block.marks.get("with", "").split(", ")):
            self.provide(name, self.folder)
        if saved_as := block.marks.get("file"):
            (self.folder / saved_as).write_text(block.content, "utf-8")
            self.said = None
        elif not _DIRECTIVE.match(block.language):
            runs = getattr(self, f"run_{block.language or 'text'}", None)
            assert runs, f"{block.place}: nobody knows {block.language}"
            runs(block)

    # --- What a reader runs, by the language of the block

    def run_python(self, block: Block) -> None:
        code = compile(block.content, block.place, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(code, self.names)  # noqa: S102 - an example of a page
        self.said = output.getvalue()
        self.unshown += filter(None, [self.said])

    def run_sh(self, block: Block) -> None:
        if _USAGE.search(block.content):
            _is_usage(block, self.aside)
            return
        ended, said = 0, ""
        for line in block.content.splitlines():
            ended, printed = self._command(line)
            said += printed
        self.said = said
        if "status" in block.marks:
            assert ended == int(block.marks["status"]), f"{block.place}: {ended}\n{said}"
        else:
            assert ended in (0, 1), f"{block.place}: {ended}\n{said}"

    def run_console(self, block: Block) -> None:
        for each in re.split(r"^\$ ", block.content, flags=re.MULTILINE)[1:]:
            command, _, expected = each.partition("\n")
            _, said = self._command(command)
            assert is_as_told(said, expected), f"{block.place}: {command} says\n{said}"

    def _command(self, line: str) -> tuple[int, str]:
        words = shlex.split(line, comments=True)
        if not words:
            return 0, ""
        if words[0] != "tricklog" or _SHELL.search(line):
            return self._in_bash(line)
        target = None
        if ">" in words:
            words, target = words[: words.index(">")], words[words.index(">") + 1]
        ran = run_here(words[1:], self.aside)
        assert ran.status is not None, ran.raised
        if target is None:
            return ran.status, ran.said
        (self.folder / target).write_text(ran.out, "utf-8")
        return ran.status, ran.err

    def _in_bash(self, line: str) -> tuple[int, str]:
        place = Path(sys.executable).parent
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env=os.environ | {"PATH": f"{place}{os.pathsep}{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    # --- What a reader sees

    def run_text(self, block: Block) -> None:
        assert self.said is not None, f"{block.place}: nothing that is run stands before it"
        assert is_as_told(self.said, block.content), f"{block.place}: it says\n{self.said}"
        if self.unshown[-1:] == [self.said]:
            self.unshown.pop()
        self.said = None

    # --- What a reader copies

    def run_json(self, block: Block) -> None:
        for value in _json_values(block.content):
            if isinstance(value, dict) and str(value.get("format", "")).startswith("tricklog/"):
                tricklog.decode_hand(json.dumps(value))

    def run_toml(self, block: Block) -> None:
        assert tomllib.loads(block.content), block.place
        self.said = None

    def run_trick(self, block: Block) -> None:
        path = self.folder / "block.trick"
        path.write_text(block.content, "utf-8")
        for line in tricklog.read(path):
            assert line.reject is None, f"{block.place}: {line.reject}"

    def run_sql(self, block: Block) -> None:
        with tricklog.open_facts("club") as facts:
            facts.sql(block.content).fetchall()

    def run_yaml(self, block: Block) -> None:
        assert yaml.safe_load(block.content), block.place

    def run_ini(self, block: Block) -> None:
        read = configparser.ConfigParser(strict=False)
        read.read_string(block.content)
        assert read.sections(), block.place


def is_as_told(said: str, told: str) -> bool:
    """Whether what was printed is what the page says; dots on a line stand for any lines."""
    parts = ("\n" + told).split(f"\n{_ANY_LINES}\n")
    pattern = r"\n(?:.*\n)*".join(re.escape(part.rstrip("\n")) for part in parts)
    return re.fullmatch(pattern + r"\s*", "\n" + said) is not None


def _json_values(content: str) -> Iterator[Any]:
    try:
        yield json.loads(content)
    except json.JSONDecodeError:
        yield from map(json.loads, content.splitlines())


def _is_usage(block: Block, folder: Path) -> None:
    text = block.content.replace("\n ", " ")
    for line in text.splitlines():
        name = command_in(line.split()[1:])
        known = run_here([*name.split(), "--help"], folder).out
        missing = {each for each in _SPELLED.findall(line) if not re.search(rf"{each}\b", known)}
        assert not missing, f"{block.place}: {name} knows nothing of {sorted(missing)}"


def provider(warehouse: Path) -> Provide:
    """Return what puts into a folder what a page asks for."""

    def provide(name: str, folder: Path) -> None:
        assert name in PROVIDED, name
        samples = REPOSITORY / "sample_logs"
        if name == "club":
            shutil.copytree(warehouse, folder / "club")
        elif name == "demo":
            tricklog.load(samples, db=folder / "tricklog-data" / "demo")
        elif name == "logs":
            shutil.copytree(samples / "valid" / "pedro", folder / "logs")
        elif name == "play":
            shutil.copytree(samples / "invalid" / "play", folder / "play")
        else:
            shutil.copy(samples / "valid" / "pidro" / "five-games.jsonl", folder / "hands.jsonl")

    return provide


# --- The pages
_BLOCK: Final = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"(?<!`)`(?!`)([^`]+)`(?!`)")
_LINK: Final = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
_PLACE: Final = re.compile(r'<\w+ (?:id|name)="([^"]+)"')
_HEADING: Final = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_ANYWHERE: Final = frozenset({"--help", "--version", "--install-completion", "--shell"})
_FIRST_LINE_OF_A_TEXT: Final = "tricklog text 1"


def link_faults(page: Path, root: Path) -> Iterator[str]:
    """Yield the links of a page that lead to no file, or to no place in it."""
    text = page.read_text("utf-8")
    read = _blanked(_CODE, _blanked(_BLOCK, text))
    for link in _LINK.finditer(read):
        where = f"{page.relative_to(root)}:{_line(text, link.start())}: {link[0]}"
        to = page.parent / link[1] if link[1] else page
        if not to.exists():
            there = [each.relative_to(root).as_posix() for each in root.rglob(f"*{to.suffix}")]
            yield f"{where} leads to no file{_meant(to.name, there)}"
        elif link[2] and link[2] not in places_on(to):
            yield f"{where} leads to no heading or mark{_meant(link[2], places_on(to))}"


def places_on(page: Path) -> set[str]:
    """What links to a page name as places on it."""
    text = _BLOCK.sub("", filled(page.read_text("utf-8")))
    names = (re.sub(r"[^\w\- ]", "", each.lower()) for each in _HEADING.findall(text))
    return {name.strip().replace(" ", "-") for name in names} | {*_PLACE.findall(text)}


def command_faults(page: Path, root: Path) -> Iterator[str]:
    """Yield the commands and options in the sentences of a page that the program lacks."""
    known = {name: {*each["options"], *_ANYWHERE} for name, each in _options().items()}
    everywhere = set[str]().union(*known.values())
    text = page.read_text("utf-8")
    for code in _CODE.finditer(_blanked(_BLOCK, text)):
        words = code[1].split()
        if not words or code[1] == _FIRST_LINE_OF_A_TEXT:
            continue
        where = f"{page.relative_to(root)}:{_line(text, code.start())}: `{' '.join(words)}`"
        of_program = words[0] == NAME and len(words) > 1
        command = command_in(words[of_program:])
        has = known.get(command, everywhere)
        if of_program and not command and re.fullmatch(r"[a-z]+", words[1]):
            yield f"{where}: there is no command {words[1]}{_meant(words[1], COMMANDS)}"
        elif of_program or command or words[0].startswith("--"):
            for option in _OPTION.findall(code[1]):
                if option not in has:
                    yield f"{where}: {command or NAME} has no {option}{_meant(option, has)}"


def _options() -> dict[str, dict[str, Collection[str]]]:
    found: dict[str, dict[str, Collection[str]]] = json.loads(OPTIONS.read_bytes())
    return found


def menu_faults(menu: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Yield the pages that the menu of the site lacks, and what it names that is no page."""
    text = menu.read_text("utf-8")
    headings = tomllib.loads(text)["menu"]
    named = [name for names in headings.values() for name in names]
    docs = menu.parents[1]
    where = menu.relative_to(docs.parent)
    for page in pages:
        name = page.relative_to(docs).with_suffix("").as_posix()
        if name not in named:
            yield f'{where}:1: write "{name}" under one of {", ".join(headings)}'
    for name in named:
        place = docs.parent / name[1:] if name.startswith("/") else docs / name
        if not any(place.with_suffix(end).is_file() for end in (".md", ".ipynb")):
            line = _line(text, text.index(f'"{name}"'))
            yield f"{where}:{line}: {name} is no page: take it out"


def _blanked(what: re.Pattern[str], text: str) -> str:
    """Return a text with spaces in the place of what is not looked at, so that lines stay."""
    return what.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _meant(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, [each.rpartition("/")[2] for each in known], 1)
    return f"; write {near[0]}" if near else "; take it out, or write what there is"


# --- The pages
MENU = DOCS / "site" / "navigation.toml"
WORDS = DOCS / "site" / "words.txt"
PAGES = [
    *(REPOSITORY / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")),
    *sorted(DOCS.rglob("*.md")),
]
OF_OTHER_PROGRAMS = {"CONTRIBUTING.md", "docs/cluster.md", "docs/container.md"}
"""Pages that name options of pytest, Ray and podman."""


def of_today(page: Path) -> bool:
    """Whether a page names commands as they are: the changelog and decisions name old ones."""
    name = page.relative_to(REPOSITORY).as_posix()
    is_history = name == "CHANGELOG.md" or name.startswith("docs/decisions/")
    return not is_history and name not in OF_OTHER_PROGRAMS


def test_every_link_between_pages_leads_somewhere() -> None:
    assert not [fault for page in PAGES for fault in link_faults(page, REPOSITORY)]


def test_every_command_and_option_that_a_page_names_exists() -> None:
    today = [page for page in PAGES if of_today(page)]
    assert not [fault for page in today for fault in command_faults(page, REPOSITORY)]


def test_every_page_stands_in_the_menu() -> None:
    pages = [*DOCS.glob("*.md"), *DOCS.glob("notebooks/*.ipynb")]
    assert not [*menu_faults(MENU, pages)]
    assert len([*DOCS.glob("start-*.md")]) == 4


def test_a_word_of_two_parts_is_looked_for(tmp_path: Path) -> None:
    listed = [line.partition("->") for line in WORDS.read_text("utf-8").splitlines()]
    page = tmp_path / "page.md"
    page.write_text("".join(f"{word}\n" for word, _, _ in listed), "utf-8")
    told = spelled(REPOSITORY, page).stdout.splitlines()
    assert [line.rpartition(": ")[2].partition(" ==> ")[0] for line in told] == [
        word for word, _, _ in listed
    ]


# --- Faults that are planted
@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("[a](metrix.md)", " leads to no file; write metrics.md"),
        ("[a](metrics.md#on-teh-metrics)", " leads to no heading or mark; write on-the-metrics"),
        ("[a](#s9)", " leads to no heading or mark; write s09"),
        ("[a](none.md)", " leads to no file; take it out, or write what there is"),
        ("`tricklog audits x.jsonl`", ": there is no command audits; write audit"),
        ("`tricklog load --quick`", ": load has no --quick; take it out, or write what there is"),
        ("`tricklog db tidy --kept 3`", ": db tidy has no --kept; write --keep"),
        ("`load --folow x`", ": load has no --folow; write --follow"),
        ("`--zzz pidro`", ": tricklog has no --zzz; take it out, or write what there is"),
    ],
)
def test_what_a_page_names_in_vain_is_told_with_its_line(
    part: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "metrics.md").write_text("# On the metrics\n", "utf-8")
    page = tmp_path / "page.md"
    sound = '# A page\n<a id="s09"></a> `tricklog\nload --follow LOG`, `--by`, [b](metrics.md)'
    page.write_text(f"{sound}\n`[a](metrix.md)`, `[a](#s9)` or {part}.\n", "utf-8")
    told = [*link_faults(page, tmp_path), *command_faults(page, tmp_path)]
    assert told == [f"page.md:4: {part}{said}"]


def test_a_page_that_the_menu_lacks_is_told_and_what_it_names_in_vain(tmp_path: Path) -> None:
    menu = tmp_path / "docs" / "site" / "navigation.toml"
    menu.parent.mkdir(parents=True)
    menu.write_text('[menu]\n"How to" = ["there",\n  "gone"]\n', "utf-8")
    pages = [tmp_path / "docs" / f"{name}.md" for name in ("there", "new")]
    for page in pages:
        page.write_text("# A page\n", "utf-8")
    assert [*menu_faults(menu, pages)] == [
        'docs/site/navigation.toml:1: write "new" under one of How to',
        "docs/site/navigation.toml:3: gone is no page: take it out",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Load it anew.", "anew ==> again"),
        ("They are Told apart.", "Told apart ==> Separated"),
        ("This is simply so.", "simply ==> leave it out"),
        ("It is recieved.", "recieved ==> received"),
    ],
)
@pytest.mark.parametrize("name", ["page.md", "help.txt", "messages.py"])
def test_a_word_that_is_not_to_be_written_is_told_with_what_to_write(
    words: str, said: str, name: str, tmp_path: Path
) -> None:
    page = tmp_path / name
    page.write_text(f'# A page\nname = "{words}"\n', "utf-8")
    done = spelled(REPOSITORY, page)
    assert (done.returncode, done.stdout) == (65, f"{page}:2: {said}\n")


def spelled(repository: Path, *pages: Path) -> subprocess.CompletedProcess[str]:
    """What ``./dev lint`` says of words: of all files, or of some."""
    return subprocess.run(
        [Path(sys.executable).with_name("codespell"), *pages],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )


def test_lint_looks_at_words(repository: Path) -> None:
    script = (repository / "dev").read_text("utf-8")
    assert re.search(
        r'^check_lint\(\) \{\n.*?"\$bin/codespell"\n', script, re.MULTILINE | re.DOTALL
    )


# --- Blocks of code
ELSEWHERE = {
    "docs/build-server.md": "cli/test_build_server.py",
    "docs/cluster.md": "lake/test_cluster_page.py",
    "docs/cookbook.md": "project/test_pages.py",
    "docs/disputes.md": "cli/test_ask.py",
    "docs/own-metrics.md": "metrics/test_own_metrics.py",
    "docs/rulesets.md": "rules/test_rulesets_page.py",
    "docs/text-form.md": "reading/test_documents.py",
}
"""Pages whose blocks a test of their own runs, which knows more of what they are about."""
RUN_HERE = [page for page in pages() if page not in ELSEWHERE]


@pytest.fixture(scope="module")
def provide(tmp_path_factory: pytest.TempPathFactory) -> Provide:
    warehouse = tmp_path_factory.mktemp("pages") / "club"
    ingest.load(REPOSITORY / "sample_logs" / "valid" / "pedro", db=warehouse)
    return provider(warehouse)


DEAR = ("docs/cli.md", "docs/start-with-a-notebook.md")
"""Pages of commands and frames, which tests of these ask as well."""
SHOW_ALL = ("docs/export.md", "docs/python-api.md")
"""Pages of Python, of which readers see all that is printed."""
LATER = pytest.mark.thorough("pages that take a second each; their parts are tested in the first")


@pytest.mark.posix
@pytest.mark.parametrize(
    "page", [pytest.param(each, marks=[LATER] if each in DEAR else []) for each in RUN_HERE]
)
def test_every_block_of_a_page_does_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provide: Provide
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
    assert page not in SHOW_ALL or run.unshown == []


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
    language: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provide: Provide
) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    monkeypatch.chdir(folder)
    run = PageRun(folder, provide)
    with pytest.raises((AssertionError, ValueError)):
        run.run(Block("a.md", 1, language, content + "\n", {}))


# --- The cookbook
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
