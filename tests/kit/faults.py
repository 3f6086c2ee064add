"""Calls that fail: of the system, of DuckDB and of SQLite, one after the other.

Every call that a command makes is counted while it runs undisturbed. It is then run again and
again, and each time another call fails, with an error of the disk or for want of memory.
"""

import builtins
import errno
import gc
import hashlib
import io
import os
import re
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Self
from unittest import mock

import duckdb
import pyarrow as pa
import pytest

from tests.kit.in_process import Ran, run_here
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_lines
from tests.kit.stored import content, content_or_none, wrong_scores
from tricklog import encode_hand, ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import save_view

PROGRAM = Path(__file__).parents[2] / "tricklog"
PACKAGES = tuple(f"{PROGRAM / name}/" for name in ("core", "ingest", "schemas"))
OF_SYSTEM = (
    *("open", "stat", "lstat", "mkdir", "rename", "replace", "fsync", "unlink", "rmdir"),
    *("listdir", "scandir", "copy_file_range"),
)
OF_FILES = frozenset({"read", "read1", "readinto", "write"})
OF_STORES = frozenset(
    {
        *("execute", "executescript", "executemany", "sql", "register"),
        *("fetchall", "fetchmany", "fetchone", "pl", "to_arrow_table"),
    }
)
ERRORS = (errno.EIO, errno.ENOSPC)


@dataclass(frozen=True)
class Call:
    """A call that may fail: what it is and where in the program it is made."""

    kind: str
    name: str
    place: str


@dataclass
class Faults:
    """Counts calls, and lets one of them fail."""

    fail_at: int = -1
    out_of_memory: bool = False
    packages: tuple[str, ...] = PACKAGES
    """Folders of the program whose calls count."""
    thread: int | None = None
    """The thread whose calls count, where other tests may have left some at work; else all."""
    calls: list[Call] = field(default_factory=list)
    said: str = ""
    """What the error says that was raised; empty as long as none was."""
    in_statement: bool = False
    """Whether DuckDB is at work: which of its threads asks a generator for more is chance, so what
    that one calls does not count."""

    def enter(self, kind: str, name: str, subject: object = None) -> None:
        """Take note of a call, and raise when it is its turn to fail."""
        place = _place(self.packages)
        if place is None or self.thread not in (None, threading.get_ident()) or self.in_statement:
            return
        self.calls.append(Call(kind, name, place))
        if len(self.calls) - 1 == self.fail_at:
            raise self._error(kind, subject)

    def _error(self, kind: str, subject: object) -> Exception:
        if self.out_of_memory:
            self.said = "memory"
            if kind == "duckdb" and self.fail_at % 2:
                return duckdb.OutOfMemoryException("Out of Memory Error: could not allocate block")
            return MemoryError()
        number = ERRORS[self.fail_at % 2]
        self.said = os.strerror(number)
        if kind == "duckdb":
            return duckdb.IOException(f"IO Error: Could not do it: {self.said}")
        if kind == "sqlite":
            self.said = "disk I/O error"
            error = sqlite3.OperationalError(self.said)
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            return error
        if isinstance(subject, str | os.PathLike):
            return OSError(number, self.said, os.fspath(subject))
        return OSError(number, self.said)

    def call(self, kind: str, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is counted and then does what ``real`` does."""

        def counted(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - any function
            self.enter(kind, name, given[0] if given else None)
            return real(*given, **named)

        return counted

    @contextmanager
    def installed(self) -> Iterator[Self]:
        """Count the calls of everything that runs meanwhile."""
        with ExitStack() as stack:

            def put(owner: object, name: str, value: object) -> None:
                stack.enter_context(mock.patch.object(owner, name, value))

            for name in OF_SYSTEM:
                if hasattr(os, name):
                    put(os, name, self.call("system", name, getattr(os, name)))
            opened = self.call("system", "open", io.open)

            def open_file(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as open
                return _Watched(opened(*given, **named), self, "system", OF_FILES)

            put(io, "open", open_file)
            put(builtins, "open", open_file)
            for kind, module, makes in (
                ("duckdb", duckdb, "connect"),
                ("sqlite", sqlite3, "connect"),
            ):
                put(module, makes, self._connecting(kind, getattr(module, makes)))
            for name in ("table", "concat_tables", "memory_map", "OSFile"):
                put(pa, name, self.call("arrow", name, getattr(pa, name)))
            yield self

    def _connecting(self, kind: str, real: Callable[..., Any]) -> Callable[..., Any]:
        counted = self.call(kind, "connect", real)

        def connect(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as connect
            if kind == "duckdb":
                # A variable that a statement names is not found past our wrapper otherwise.
                named["config"] = named.get("config", {}) | {"python_scan_all_frames": True}
            return _Watched(counted(*given, **named), self, kind, OF_STORES)

        return connect


class _Watched:
    """A file or connection some methods of which are counted."""

    def __init__(self, real: Any, faults: Faults, kind: str, methods: frozenset[str]) -> None:  # noqa: ANN401 - it may be anything
        self._real = real
        self._faults = faults
        self._kind = kind
        self._methods = methods

    def __enter__(self) -> Self:
        self._real.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._real.__exit__(*error)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._real)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute
        value = getattr(self._real, name)
        if name == "cursor":
            return lambda: _Watched(value(), self._faults, self._kind, self._methods)
        if name not in self._methods:
            return value

        def counted(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - any method
            what = f"{name} {given[0].split()[0]}" if given and name == "execute" else name
            self._faults.enter(self._kind, what)
            outer, self._faults.in_statement = self._faults.in_statement, self._kind == "duckdb"
            try:
                result = value(*given, **named)
            finally:
                self._faults.in_statement = outer
            # DuckDB gives the connection itself, SQLite a cursor.
            is_store = self._methods is OF_STORES and name in {"execute", "sql"}
            return _Watched(result, self._faults, self._kind, self._methods) if is_store else result

        return counted


def _place(packages: tuple[str, ...]) -> str | None:
    """Return where in the program a call comes from; ``None`` when it is not the program's own."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if "importlib/_bootstrap" in name or "linecache" in name:
            return None
        if name.startswith(packages):
            return f"{Path(name).relative_to(PROGRAM)}:{frame.f_lineno}"
        frame = frame.f_back
    return None


# --- What runs
@dataclass(frozen=True)
class Scene:
    name: str
    command: str
    start: str = ""
    """Name of the warehouse; empty for none."""


SCENES = (
    Scene("first load", "load {log} --db {db}"),
    Scene("load", "load {log} --db {db}", "half"),
    Scene("dry run", "load {log} --db {db} --dry-run", "half"),
    Scene("audit", "audit {log}"),
    Scene("replay", "replay {log} --hand pedro-5-1-2 --all"),
    Scene("figures, counted first", "stats --db {db}", "whole"),
    Scene("figures", "stats made-rate --by player --db {db}", "counted"),
    Scene("summary", "stats --summary --db {db} --json", "counted"),
    Scene("rejects", "db rejects --db {db}", "whole"),
    Scene("verify", "db verify --db {db}", "whole"),
    Scene("reaudit", "db reaudit --db {db}", "wrong"),
    Scene("rebuild", "db rebuild --db {db}", "whole"),
)


@dataclass
class Bench:
    """A folder with a log and warehouses, in which commands run."""

    folder: Path
    failures: list[str] = field(default_factory=list)
    known: dict[str, list[Call]] = field(default_factory=dict)
    """By scene: the calls that it makes."""
    undisturbed: dict[str, tuple[Ran, str | None]] = field(default_factory=dict)
    """By scene: what it says when no call fails, and the content of the warehouse after it."""
    left: dict[tuple[str, str], tuple[str | None, Ran, str | None]] = field(default_factory=dict)
    """By scene and the files it left behind when a call failed: what these hold, what came of
    running the scene once more, and what they hold then. Most failures leave the same files."""

    def __post_init__(self) -> None:
        hands = generated("pedro", 1)[:4]
        lines = [encode_hand(each) for each in (*hands[:3], moved_on(hands[3]))]
        self.log = write_lines(self.folder / "whole.jsonl", [*lines, SOUND_LINE, b"oops"])
        half = write_lines(self.folder / "half.jsonl", lines[:2])
        ingest.load(half, db=self.folder / "half")
        for name in ("whole", "counted"):
            ingest.load(self.log, db=self.folder / name)
        open_facts(self.folder / "counted").close()
        for name in ("whole", "counted"):
            save_view(self.folder / name, "mine", "bids", {"variant": ["Pedro"]})
        with pytest.MonkeyPatch.context() as patch:
            wrong_scores(patch)
            ingest.load(self.log, db=self.folder / "wrong")
        # What is there already need not be looked through each time garbage is collected.
        gc.freeze()
        self.db = self.folder / "db"
        self.whole = content(str(self.folder / "whole"))

    def calls_of(self, scene: Scene) -> list[Call]:
        if scene.name not in self.known:
            self.known[scene.name] = self._calls_of(scene)
        return self.known[scene.name]

    def _calls_of(self, scene: Scene) -> list[Call]:
        self._begin(scene)
        untouched = fingerprint(self.db)
        before = content_or_none(self.db)
        # The first run imports whatever no command before it needed.
        self.undisturbed[scene.name] = self.run(scene), content_or_none(self.db)
        self._begin(scene)
        faults = Faults(thread=threading.get_ident())
        with faults.installed():
            again = self.run(scene)
        assert again.status in (0, 1, 3), again
        self.left[scene.name, untouched] = before, again, content_or_none(self.db)
        return faults.calls

    def fail(self, scene: Scene, number: int, *, out_of_memory: bool = False) -> Ran:
        """Let one call of a scene fail, look what that leaves, and run the scene once more.

        ``calls_of`` the scene comes before.
        """
        faults = Faults(number, out_of_memory, thread=threading.get_ident())
        self._begin(scene)
        with faults.installed():
            ran = self.run(scene)
        call = faults.calls[number] if len(faults.calls) > number else None
        for wrong in self._wrong(scene, faults, ran):
            kind = "memory" if out_of_memory else "disk"
            self.failures.append(f"{scene.name}, call {number} ({kind}), {call}: {wrong}")
        return ran

    def run(self, scene: Scene) -> Ran:
        arguments = scene.command.format(log=self.log, db=self.db).split()
        return run_here(arguments, self.folder)

    def _begin(self, scene: Scene) -> None:
        # Each run stands for a process of its own, which leaves no connection to the next one.
        gc.collect()
        shutil.rmtree(self.db, ignore_errors=True)
        if scene.start:
            shutil.copytree(self.folder / scene.start, self.db)

    def _wrong(self, scene: Scene, faults: Faults, ran: Ran) -> Iterator[str]:
        if ran.status is None:
            yield ran.raised
            return
        if "Traceback" in ran.said:
            yield f"a traceback: {ran.said}"
        undisturbed, after = self.undisturbed[scene.name]
        before = self._content_at_first(scene)
        # A log that cannot be read is reported like a line in quarantine, and kept so.
        is_of_log = "unreadable-file" in ran.said or "no-logs" in ran.said
        stands, again, in_the_end = self._left_by(scene)
        if stands not in (before, after) and not is_of_log:
            yield f"it left {stands}, neither the old nor the new state"
        if faults.said and ran.status == 3 and "tricklog: " in ran.said:
            yield from _wrong_sentence(ran.said, faults.said, is_changed=stands != before)
        elif ran.status not in (0, 1, 3):
            yield f"status {ran.status}: {ran.said}"
        elif not is_of_log and _answer(ran) != _answer(undisturbed):
            yield f"status {ran.status}, and another answer: {ran.said}"
        if again.status not in (0, 1, 3) or "tricklog: " in again.said:
            yield f"it could not be done again: {again.said}{again.raised}"
        if in_the_end != after and not is_of_log:
            yield "doing it again gave something else"
        if self.db.exists() and (
            names := [each.name for each in self.db.iterdir() if not _belongs(each)]
        ):
            yield f"{names} were left behind"

    def _content_at_first(self, scene: Scene) -> str | None:
        if not scene.start:
            return None
        return next(stands for (name, _), (stands, _, _) in self.left.items() if name == scene.name)

    def _left_by(self, scene: Scene) -> tuple[str | None, Ran, str | None]:
        """Return what the files hold now, what comes of the scene, and what they hold after it."""
        key = scene.name, fingerprint(self.db)
        if key not in self.left:
            stands = content_or_none(self.db)
            again = self.run(scene)
            self.left[key] = stands, again, content_or_none(self.db)
        return self.left[key]


def fingerprint(folder: Path) -> str:
    """Return what tells the files of a folder and all that is in them from any other."""
    if not folder.exists():
        return ""
    digest = hashlib.blake2b()
    for path in sorted(folder.rglob("*")):
        digest.update(f"{path.relative_to(folder)} {path.is_dir()} ".encode())
        if path.is_file():
            digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


def _wrong_sentence(said: str, trouble: str, *, is_changed: bool) -> Iterator[str]:
    """Say what is not as it should be in a refusal."""
    if not re.search(r"/\w", said.rsplit("tricklog: ", maxsplit=1)[-1]):
        yield f"no file is named: {said}"
    if is_changed and "is published" not in said:
        yield f"the state changed, and nothing says so: {said}"
    advice = {os.strerror(errno.ENOSPC): "Free ", "memory": "Free some memory"}
    if " could not be written: " in said and advice.get(trouble, "Check the disk") not in said:
        yield f"other advice is due: {said}"


def _answer(ran: Ran) -> tuple[int | None, str]:
    """Return what a command said to whoever asked, without names of snapshots and times."""
    return ran.status, re.sub(r"games-\d+|\d+(\.\d+)? (s|ms)\b", "", ran.out)


def _belongs(path: Path) -> bool:
    ours = {"CURRENT", "LOCK", "FACTS-LOCK", userdata.FILE_NAME, userdata.COPY_NAME}
    return path.name in ours or path.suffix in {".duckdb", ".seal"}
