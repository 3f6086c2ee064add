"""One lake for all tests of lakes, and a warehouse of one machine of the same logs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

from tests.cli.command_line import CommandLine
from tests.conftest import REPOSITORY
from tests.kit.dashboard_logs import write_logs
from tests.kit.filling_logs import first_hands, with_far_too_many_actions
from tests.kit.kills import Stage, stage
from tests.kit.lake_rows import Tables, make_draft, rows_of_a_load
from tests.kit.log_lines import write_hands, write_lines
from tests.kit.made_once import made_once, once
from tests.kit.simulated_club import season_lines
from tests.kit.solved import Solved, hands_of, known, warehouse
from tests.kit.stored import snapshot_of
from tests.kit.tiers import some
from tricklog.ingest.facts import build
from tricklog.ingest.facts.files import open_facts_of, open_scope_of
from tricklog.ingest.lake import reading
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import How
from tricklog.ingest.lake.load import load as load_into_lake
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import open_file
from tricklog.ingest.study.solving import solve
from tricklog.ingest.warehouses import load, open_facts
from tricklog.schemas.hand import Hand, encode_hand

FEW = 12
"""Hands of the lake of hands that are solved in a moment."""


class Both(NamedTuple):
    """The same hands twice; both are to be read and copied only."""

    logs: Path
    folder: Path
    """The warehouse of one machine."""
    lake: Path
    """The folder of the lake, which was loaded in two loads."""

    @property
    def opened(self) -> Lake:
        """The lake, open."""
        return Lake(storage_of(self.lake))

    @property
    def file(self) -> Path:
        """What is published of the warehouse of one machine."""
        return snapshot_of(self.folder)

    @contextmanager
    def tables(self) -> Iterator[tuple[DuckDBPyConnection, DuckDBPyConnection]]:
        """Open the tables of the lake and of the folder."""
        lake = self.opened
        with reading.open_tables(lake, lake.opened()) as there, open_file(self.file) as here:
            yield there, here

    @contextmanager
    def facts(
        self, scope: Scope | None = None
    ) -> Iterator[tuple[DuckDBPyConnection, DuckDBPyConnection]]:
        """Open the facts of both, as far as a scope goes."""
        lake, file = self.opened, self.file
        of_folder = open_scope_of(file, scope) if scope else open_facts_of(file)
        with reading.open_facts(lake, lake.opened(), scope=scope) as there, of_folder as here:
            yield there, here


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """Hands of all games and lines of all kinds, most games of which go on in the second load."""
    place = made_once(tmp_path_factory, "both", _make)
    return Both(place / "logs", place / "folder", place / "lake")


def _make(place: Path) -> None:
    logs = write_logs(place / "logs")
    samples = REPOSITORY / "sample_logs"
    season = list(season_lines(3, evenings=2))
    lines: list[bytes] = []
    for log in some(sorted((samples / "valid").rglob("*.jsonl")), 24):
        lines += itertools.islice(log.read_bytes().splitlines(), 2)
    for log in some(sorted((samples / "invalid").rglob("*.jsonl")), 40):
        lines += log.read_bytes().splitlines()
    for part in (0, 1):
        long = with_far_too_many_actions(first_hands()[part])
        name = f"long {part}"
        # The same trouble with the same line in both, and a line that is long.
        trouble = b'{"format":"tricklog/1","text":"' + b"x" * 9_000 + b'"}'
        more = [encode_hand(replace(long, id=name, game=name)), trouble]
        half = season[: len(season) // 2] if part == 0 else season[len(season) // 2 :]
        write_lines(logs / f"season-{part + 1}.jsonl", [*half, *lines[part::2], *more])
    # The second load has the logs of the first, too, which add nothing.
    first = [logs / "hands.jsonl", logs / "season-1.jsonl"]
    for paths in (first, [logs]):
        # In one bucket games are numbered as in a folder, and so are in order where times are not.
        load_into_lake(paths, storage_of(place / "lake"), Here(), how=How(buckets=1))
        load(*paths, db=place / "folder", facts=False)
    with pytest.MonkeyPatch.context() as patch:
        # A lake keeps tallies of all games, and a folder where they are long enough.
        patch.setattr(build, "_has_long_games", lambda _: True)
        open_facts(place / "folder").close()


@once()
def drafted(folder: Path) -> None:
    """The folder of ``lake_rows.make_draft``."""
    make_draft(folder)


@pytest.fixture(scope="session")
def some_rows(drafted: Path) -> Tables:
    """What a load brings into the tables of a lake."""
    return rows_of_a_load(drafted)


def few() -> list[Hand]:
    """Return hands of a game that is solved in a moment."""
    return hands_of("pidro", FEW)


@once("lake")
def unsolved(place: Path) -> None:
    """A lake with those hands; to be copied only."""
    write_hands(place / "log.jsonl", few())
    load(place / "log.jsonl", db=f"lake:{place / 'lake'}", on="here")


@once("db")
def solved_folder(place: Path) -> None:
    """A folder with those hands, solved."""
    solve(warehouse(place, few()))


@pytest.fixture(scope="session")
def values(solved_folder: Path) -> Solved:
    """What a folder says of them."""
    return known(solved_folder)


@pytest.fixture
def tricklog(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLine:
    """The command within this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(capfdbinary, monkeypatch)


@pytest.fixture(scope="session")
def killing() -> Iterator[Stage]:
    """A process whose forks are killed."""
    with stage() as found:
        yield found
