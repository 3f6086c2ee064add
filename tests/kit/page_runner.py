"""Runs the blocks of a page one after the other in a folder, as a reader would."""

import configparser
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

import tricklog
from tests.kit.in_process import run_here
from tests.kit.page_blocks import REPOSITORY, Block
from tricklog.ingest.cli import command_in

PROVIDED: Final = frozenset({"club", "demo", "logs", "play", "hands"})
"""What a page may ask for: a warehouse, that of the demo, a folder of logs, broken hands, a log."""
_DIRECTIVE: Final = re.compile(r"\{[\w-]+\}")
_ANY_LINES: Final = "..."
_SHELL: Final = re.compile(r"[|;&$`]|<<|>>| < ")
_USAGE: Final = re.compile(r"\[--|\]\.\.\.|\bPATH\b|\[\w+\|")
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_RUNS: Final = {
    "": "_text",
    "console": "_console",
    "ini": "_ini",
    "json": "_json",
    "python": "_python",
    "sh": "_shell",
    "sql": "_sql",
    "text": "_text",
    "toml": "_toml",
    "trick": "_trick",
    "yaml": "_yaml",
}
"""How a block of each language is run."""


class PageRun:
    """A page that is being followed: its folder, its names, what was printed last."""

    def __init__(self, folder: Path, provide: Callable[[str, Path], None]) -> None:
        """Follow a page in ``folder``; ``provide`` puts there what a block asks for."""
        self.folder = folder
        self.aside = folder.parent / f"{folder.name}-said"
        self.aside.mkdir()
        self.names: dict[str, Any] = {}
        self.said: str | None = None
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
            runs = getattr(self, _RUNS.get(block.language, ""), None)
            assert runs, f"{block.place}: nobody knows {block.language}"
            runs(block)

    # --- What a reader runs

    def _python(self, block: Block) -> None:
        code = compile(block.content, block.place, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(code, self.names)  # noqa: S102 - an example of a page
        self.said = output.getvalue()

    def _shell(self, block: Block) -> None:
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

    def _console(self, block: Block) -> None:
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

    def _text(self, block: Block) -> None:
        assert self.said is not None, f"{block.place}: nothing that is run stands before it"
        assert is_as_told(self.said, block.content), f"{block.place}: it says\n{self.said}"
        self.said = None

    # --- What a reader copies

    def _json(self, block: Block) -> None:
        for value in _json_values(block.content):
            if isinstance(value, dict) and str(value.get("format", "")).startswith("tricklog/"):
                tricklog.decode_hand(json.dumps(value))

    def _toml(self, block: Block) -> None:
        assert tomllib.loads(block.content), block.place
        self.said = None

    def _trick(self, block: Block) -> None:
        path = self.folder / "block.trick"
        path.write_text(block.content, "utf-8")
        for line in tricklog.read(path):
            assert line.reject is None, f"{block.place}: {line.reject}"

    def _sql(self, block: Block) -> None:
        with tricklog.open_facts("club") as facts:
            facts.sql(block.content).fetchall()

    def _yaml(self, block: Block) -> None:
        assert yaml.safe_load(block.content), block.place

    def _ini(self, block: Block) -> None:
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
    """Check that a command has every option that its line of usage names."""
    text = block.content.replace("\n ", " ")
    for line in text.splitlines():
        name = command_in(line.split()[1:])
        known = run_here([*name.split(), "--help"], folder).out
        missing = {each for each in _OPTION.findall(line) if not re.search(rf"{each}\b", known)}
        assert not missing, f"{block.place}: {name} knows nothing of {sorted(missing)}"


def provider(warehouse: Path) -> Callable[[str, Path], None]:
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
