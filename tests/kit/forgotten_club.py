"""A small club of whom one is to be forgotten, who is named wherever somebody can be named."""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
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


# --- Looking for names
_RAW_LEAST: Final = 5
"""Bytes of a word that is looked for in packed bytes, where shorter ones turn up by chance."""
_ESCAPE: Final = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([abfnrtv])|(.))", re.DOTALL
)


def named_in(folder: Path, *words: str | re.Pattern[str], but: Iterable[str] = ()) -> list[str]:
    """Where words stand in files below a folder, and what stands around them.

    They are found in the names of files, in every column of what has columns, and in the bytes of
    all files, in whatever letters and with however many escapes. ``but``: what others are called,
    which does not count. It shares nothing with what forgets.
    """
    in_bytes = [
        each for each in words if isinstance(each, str) and len(each.encode()) >= _RAW_LEAST
    ]
    others = re.compile("|".join(re.escape(_folded(each)) for each in but) or "(?!)")
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        plain = path.read_bytes().decode("utf-8", "replace")
        texts = [("bytes", plain, in_bytes), ("name", str(path.relative_to(folder)), words)]
        texts += [
            (where, _unescaped(text), words)
            for where, value in _values_in(path)
            for text in _texts_in(value)
        ]
        for where, text, asked in texts:
            told = others.sub("", _folded(text))
            for word in asked:
                pattern = word if isinstance(word, re.Pattern) else re.escape(_folded(word))
                for hit in re.finditer(pattern, told):
                    around = told[max(hit.start() - 40, 0) : hit.end() + 40]
                    found.append(f"{path.name} {where}: {around}")
    return found


def whole(word: str) -> re.Pattern[str]:
    """The pattern of a word that may stand in others."""
    return re.compile(rf"(?<!\w){re.escape(_folded(word))}(?!\w)")


def _values_in(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield what stands in the tables of a file, or in its lines, and where."""
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                yield table, connection.execute(f'FROM "{table}"').fetchall()
                if table == "long_texts":
                    # A name may lie across two pieces.
                    pieces = (
                        "SELECT list(content ORDER BY piece) FROM long_texts GROUP BY text_hash"
                    )
                    for (parts,) in connection.execute(pieces).fetchall():
                        yield table, b"".join(parts)
    elif path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as connection:
            tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
            for (table,) in connection.execute(tables).fetchall():
                yield table, connection.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608 - names of our own
    elif path.suffix == ".parquet":
        yield "rows", pq.read_table(path).to_pylist()
    else:
        yield "text", path.read_bytes().splitlines()


def _texts_in(value: Any) -> Iterator[str | bytes]:  # noqa: ANN401 - any value of a database
    if isinstance(value, str | bytes):
        yield value
    elif isinstance(value, dict):
        yield from _texts_in([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts_in(each)


def _unescaped(text: str | bytes) -> str:
    """What a text stands for, however often it was written as JSON or by Python within another."""
    plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    while (read := _ESCAPE.sub(_sign, plain)) != plain:
        # Signs beyond the first plane have two escapes.
        plain = read.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain


def _sign(escape: re.Match[str]) -> str:
    *numbers, space, sign = escape.groups()
    number = next((int(each, 16) for each in numbers if each), None)
    return chr(number) if number is not None else " " if space else sign


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def rows_of(frame: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - a frame of Polars
    """The rows of a frame, in any order, with numbers that can be compared."""
    return sorted((tuple(map(_plain, row)) for row in frame.iter_rows()), key=repr)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any value of a frame
    return round(value, 9) if isinstance(value, float | np.floating) else value
