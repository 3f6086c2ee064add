"""A small club of whom one is to be forgotten, who is named wherever somebody can be named."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import duckdb
import msgspec
import numpy as np
import pyarrow.parquet as pq

from tests.kit.log_lines import write_lines
from tests.kit.simulated_club import simulate_club
from tricklog import Player, RulesRef, ingest
from tricklog.core.recording.evening import begin
from tricklog.ingest.recording import keeping
from tricklog.ingest.store.queries import hashes_of
from tricklog.ingest.warehouses import open_snapshot

WHO: Final = "ann-7"
NAME: Final = "Ann Bergström"
SHARED: Final = "Al"
"""A name of theirs that somebody else has as well."""
NICK: Final = "Annie"
OTHER: Final = "weak"
"""Who has it."""
_WAS: Final = "bold"
_FIRST_HANDS: Final = 60


@cache
def _season() -> tuple[dict[str, Any], ...]:
    return tuple(simulate_club(3, evenings=3))


def records(count: int = _FIRST_HANDS) -> list[dict[str, Any]]:
    """Hands in which they sit, are spoken of, broke a rule, and have given a game its id."""
    hands = deepcopy(list(_season()[:count]))
    first_game = next(hand["game"] for hand in hands if _seat(hand) is not None)
    for number, hand in enumerate(hands):
        seat = _seat(hand)
        for player in hand["players"]:
            if player["id"] == _WAS:
                player |= {"id": WHO, "name": SHARED if number % 7 == 0 else NAME}
            elif player["id"] == OTHER:
                player["name"] = SHARED
        if hand["game"] == first_game:
            hand["game"] = f"birthday of {WHO}"
        if number % 5 == 0:
            hand["notes"] = {"0": f"{NAME} sighed, {SHARED} laughed"}
            hand["ext"] = {"club/late": [WHO, {"why": f"{NAME}'s bus"}]}
        if seat is None and number % 2:
            hand["notes"] = {"1": f"{NICK} would have bid"}
        if seat is not None and number % 9 == 0:
            hand["claimed"]["points"] = [0, 0]
            hand["actions"].insert(1, f"{seat} pass")
    hands[-1]["id"] = f"last hand of {WHO}"
    return hands


def _seat(hand: dict[str, Any]) -> int | None:
    ids = [player["id"] for player in hand["players"]]
    return ids.index(_WAS) if _WAS in ids else None


def bad_lines() -> list[bytes]:
    """Lines that go into quarantine and name them, in plain and escaped."""
    escaped = NAME.encode("ascii", "backslashreplace").replace(b"\\xf6", b"\\u00f6")
    return [
        b'{"format":"tricklog/1","id":"' + WHO.encode() + b'-x","players":["' + escaped + b'"]}',
        f'{{"format":"tricklog/9","winner":"{NAME}"}}'.encode(),
    ]


def write_logs(folder: Path, count: int = _FIRST_HANDS) -> list[Path]:
    """Write two logs, the second below a folder with their id, and return their paths."""
    lines = [msgspec.json.encode(hand) for hand in records(count)]
    paths = [folder / "logs" / "first.jsonl", folder / "logs" / f"of {WHO}" / "second.jsonl"]
    for path, part in zip(
        paths, (lines[: count // 2], [*lines[count // 2 :], *bad_lines()]), strict=True
    ):
        write_lines(path, part)
    return paths


def load_club(folder: Path, count: int = _FIRST_HANDS) -> Path:
    """Load the club's logs one after the other into a warehouse below ``folder``."""
    for path in write_logs(folder, count):
        ingest.load(path, db=folder / "db")
    return folder / "db"


def first_hand(db: Path | str, player: str) -> tuple[str, str]:
    """Id and content hash of the first hand of a player."""
    with open_snapshot(db) as tables:
        found: str = tables.execute(
            "SELECT hand_id FROM hands JOIN seatings USING (seating_id) "
            "WHERE list_contains([each.id FOR each IN players], ?) ORDER BY hand_no LIMIT 1",
            [player],
        ).fetchall()[0][0]
        return found, hashes_of(tables, [found])[found]


def write_evening(db: Path, *players: Player) -> None:
    """Record an evening at which they and two others sit."""
    seated = [*players, Player("cy"), Player("dee")]
    evening = begin("evening-1", RulesRef("pedro"), seated, dealer=0)
    kept = keeping.Kept(revision=0, evening=evening, log="tuesday")
    keeping.write_file(keeping.evening_file(db, "abc"), kept, builds_on=0)


# --- Looking for names, written a second time
def tables_in(path: Path) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Yield every table of a DuckDB file, and its rows."""
    with duckdb.connect(str(path), read_only=True) as connection:
        for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            yield table, connection.execute(f'FROM "{table}"').fetchall()


def left_in(folder: Path, *words: str) -> list[str]:
    """Where words stand in files below a folder: raw, and in every column of what has columns."""
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        texts = {"raw": path.read_bytes()}
        if path.suffix == ".duckdb":
            texts |= {table: repr(rows).encode() for table, rows in tables_in(path)}
        if path.suffix == ".parquet":
            texts["rows"] = repr(pq.read_table(path).to_pylist()).encode()
        for where, text in texts.items():
            readable = text.replace(b"\\xc3\\xb6", "ö".encode())
            found += [f"{path.name} {where} {word}" for word in words if word.encode() in readable]
    return found


def rows_of(frame: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - a frame of Polars
    """The rows of a frame, in any order, with numbers that can be compared."""
    return sorted((tuple(map(_plain, row)) for row in frame.iter_rows()), key=repr)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any value of a frame
    return round(value, 9) if isinstance(value, float | np.floating) else value
