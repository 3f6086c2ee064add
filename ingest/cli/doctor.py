"""``tricklog demo --check``: is everything in place, and what to do about what is not."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from tricklog.ingest.cli.commands.dashboard import NEEDED, packages_lacking
from tricklog.ingest.cli.output import print_json, put, status_of
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.warehouses import Warehouse

OLDEST_PYTHON: Final = (3, 11)
PACKAGES: Final = (
    "babel",
    "cyclopts",
    "duckdb",
    "filelock",
    "msgspec",
    "numpy",
    "platformdirs",
    "polars",
    "pyarrow",
    "python-calamine",
    "rich",
    "zstandard",
)
"""What the package depends on."""
LAKE_PACKAGES: Final = ("deltalake", "fsspec")
"""What a lake needs beside that."""
LIBRARY_OF_RULES: Final = "library"
_MARKS: Final = {True: ("OK", "green"), False: ("PROBLEM", "bold red"), None: ("note", "yellow")}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: ``ok`` is ``None`` where it is optional and not there."""

    name: str
    ok: bool | None
    says: str


def check_all(db: str, *, json: bool) -> int:
    """Print a line for each thing looked at; return the exit status."""
    from rich.table import Table

    checks = list(run_checks(db))
    broken = [check.name for check in checks if check.ok is False]
    for check in checks if json else ():
        print_json(check)
    if not json:
        rows = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        for check in checks:
            says = Text(check.says, overflow="fold")
            rows.add_row(Text(*_MARKS[check.ok]), check.name, says)
        verdict = f"Broken: {', '.join(broken)}" if broken else "Everything is in place"
        put(rows, Text(verdict, "bold red" if broken else "bold"))
    return status_of(broken)


def run_checks(db: str | Path) -> Iterator[Check]:
    """Look at everything, one thing after the other."""
    running, wanted = (".".join(map(str, each)) for each in (sys.version_info[:3], OLDEST_PYTHON))
    is_old = sys.version_info < OLDEST_PYTHON
    older = f"; Tricklog needs {wanted} or newer" if is_old else ""
    yield Check("python", ok=not is_old, says=f"{running} at {sys.executable}{older}")
    yield from map(_package, PACKAGES)
    yield from _lakes(db)
    for name, look in (
        ("rules pages", _rules_pages),
        ("variants", _variants),
        ("sample logs", _sample_logs),
        ("engine", _engine),
        ("store", _store),
        ("warehouse", lambda: _warehouse(db)),
        (LIBRARY_OF_RULES, _library),
    ):
        try:
            found = look()
            yield found if isinstance(found, Check) else Check(name, ok=True, says=found)
        except Exception as error:  # noqa: BLE001 - it reports what is broken
            yield Check(name, ok=False, says=f"{type(error).__name__}: {error}")
    yield from _dashboard()
    wanted = os.environ.get("TRICKLOG_CHROMIUM") or "chromium"
    browser = shutil.which(wanted)
    says = browser or f"no {wanted}; only the browser tests need it"
    yield Check("chromium", ok=True if browser else None, says=says)
    encoding = (sys.stdout.encoding or "unknown").lower()
    if "utf" in encoding:
        yield Check("terminal", ok=True, says=f"{encoding}, suits show as ♠ ♥ ♦ ♣")
    else:
        says = f"{encoding} cannot show the suits; set PYTHONIOENCODING=utf-8"
        yield Check("terminal", ok=None, says=says)


def _package(name: str, lacking: str = "install Tricklog again", *, needed: bool = True) -> Check:
    try:
        return Check(name, ok=True, says=version(name))
    except PackageNotFoundError:
        return Check(name, ok=False if needed else None, says=f"not installed; {lacking}")


def _lakes(db: str | Path) -> Iterator[Check]:
    try:
        from tricklog.ingest.warehouses import is_lake
    except ImportError:
        # What is lacking has been told.
        return
    if is_lake(db):
        for name in LAKE_PACKAGES:
            yield _package(name, "install what lakes need: pip install 'tricklog[lake]'")
        says = "only --on ray needs it: pip install 'tricklog[ray]'"
        yield _package("ray", says, needed=False)


def _rules_pages() -> str:
    from tricklog.schemas.citations import citations, rules_folder

    return f"{counted(len(citations()), 'citation')} in {rules_folder()}"


def _variants() -> str:
    from tricklog.core import load_variant, variants

    return ", ".join(load_variant(name).id for name in variants())


def _sample_logs() -> str:
    from tricklog.ingest.reading.samples import samples_folder
    from tricklog.ingest.reading.sources import find_sources

    folder = samples_folder()
    count = sum(1 for source in find_sources([folder]) if source.path and source.path.is_file())
    if not count:
        raise FileNotFoundError(f"{folder} holds no logs; install Tricklog again")
    return f"{counted(count, 'file')} in {folder}"


def _engine() -> str:
    from tricklog.core import Verdict, generate, replay, variants

    for name in variants():
        hand = next(iter(generate(name, 1, 1)))
        verdict = replay(hand).verdict
        if verdict != Verdict.VALID:
            raise AssertionError(f"a generated hand of {name} is {verdict}: please report this")
    return "a generated hand of every variant replays valid"


def _store() -> str:
    from tricklog.ingest.reading.scratch import Scratch
    from tricklog.ingest.store import database

    with Scratch() as folder, database.connect(Path(folder, "try.duckdb")) as try_it:
        try_it.execute("CREATE TABLE t AS SELECT 1 AS one")
        try_it.sql("FROM t").pl()
    return "DuckDB writes, reads and hands over to Polars"


def _warehouse(db: str | Path) -> str:
    from tricklog.ingest.warehouses import is_lake, warehouse_at

    warehouse = warehouse_at(db)
    warehouse.require_place()
    state = warehouse.current()
    if state is None:
        can = "the folder can be written" if not is_lake(db) else "the store answers"
        return f"nothing loaded into {db} yet; {can}"
    with warehouse.tables(state, once=True) as connection:
        ((hands,),) = connection.execute("SELECT count(*) FROM hands").fetchall()
    figures = (
        "ready" if warehouse.facts_are_ready(state) else "derived when they are first asked for"
    )
    says = f"{counted(hands, 'hand')} in {state}; their figures are {figures}"
    return "; ".join([says, *_studied(db, warehouse, state)])


def _studied(db: str | Path, warehouse: Warehouse, state: str) -> list[str]:
    """Return what is known of solved hands and of auctions held against par; nothing is made."""
    from tricklog.ingest.facts import solved
    from tricklog.ingest.store.warehouse import current_snapshot
    from tricklog.ingest.warehouses import is_lake

    if is_lake(db):
        with warehouse.facts(state) as facts:
            known, against = solved.counts(facts), solved.par_counts(facts)
    else:
        snapshot = current_snapshot(db)
        found = solved.asked_of(snapshot, "solved_hands", solved.counts) if snapshot else None
        held = solved.asked_of(snapshot, "par_hands", solved.par_counts) if snapshot else None
        if found is None or held is None:
            return []
        known, against = found, held
    told = [str(known)] if known.left < known.hands else []
    return [*told, str(against)] if against.is_any else told


def _library() -> Check:
    from tricklog.core.native.build import LIBRARY
    from tricklog.core.native.library import made_by, trouble

    if found := trouble():
        says = f"{found.why}, so everything runs in plain Python, slower: {found.remedy}"
        return Check(LIBRARY_OF_RULES, ok=None, says=says)
    return Check(LIBRARY_OF_RULES, ok=True, says=f"{LIBRARY}, made by {made_by()}")


def _dashboard() -> Iterator[Check]:
    if lacking := packages_lacking():
        says = f"no {', '.join(lacking)}; only pages need that: pip install 'tricklog[dashboard]'"
        yield Check("dashboard", ok=None, says=says)
        return
    yield from map(_package, NEEDED)
    yield Check("dashboard", ok=True, says="tricklog dashboard serves it to this machine alone")
