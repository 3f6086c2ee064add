"""Figures over a billion hands: a roll-up of that size, made up, and what pages ask of it, timed.

    python -m tests.long.billion --to DIR [--hands 1000000000] [--players 300000]

Makes the files that a lake of so many hands would have once it is tidied, with sensible numbers and
the columns of three metrics, and asks for figures through the same code as pages do. Of tallies
there are the days that the questions need. ``--db`` names a warehouse with facts: its own roll-up
says how many bytes a cell takes with the columns of all metrics.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import duckdb
import polars as pl
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from tests.kit.rolled_facts import merged
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, comparing, measure, rolls
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.tallies import columns_for

FIRST_DAY: Final = date(2024, 1, 1)
DAYS: Final = 1_000
HANDS_OF_GAME: Final = 10
SEATS: Final = 4
VARIANTS: Final = 12
MIXED: Final = 0.05
"""Share of games with a hand that is not valid."""
OVER_MIDNIGHT: Final = 0.02
CHANGED: Final = 0.003
"""Share of games in which somebody gives way to another."""
TALLIED: Final = (date(2026, 6, 1), date(2026, 8, 1))
"""The days of which there are tallies."""
GIVEN: Final = {
    "made-rate": (2.2, 0.66, 1.0),
    "points-share": (9.0, 0.5, 14.0),
    "win-rate": (1, 0.5, 1.0),
}
"""Metrics: cases that a player has in a game, the figure, and the weight of a case."""
ACTIVE: Final = 7
"""Of ten players so many play in a month."""
KINDS: Final = ("table", "source", "kind", "seat")
GAMES: Final = "own_auctions_won_cases_games"
ROWS_OF_GROUP: Final = 262_144


def main() -> None:
    """Make the files that are not there yet, ask, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--to", type=Path, required=True, help="a folder for some 3 GB")
    parser.add_argument("--hands", type=int, default=10**9)
    parser.add_argument("--players", type=int, default=300_000)
    parser.add_argument("--db", type=Path, help="a warehouse to take the size of cells from")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    spill = str(given.to / "spill")
    connection = duckdb.connect(
        config={"threads": 2, "memory_limit": "4GB", "temp_directory": spill}
    )
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SELECT setseed(0.5)")
    began = time.perf_counter()
    _make(connection, given.to, given.hands, given.players)
    print(f"{given.hands:,} hands made in {time.perf_counter() - began:.0f} s", flush=True)
    _print_sizes(given.to, given.hands, given.db)
    _open(connection, given.to, given.players)
    _print_times(connection)


# --- Making


def _make(connection: DuckDBPyConnection, folder: Path, hands: int, players: int) -> None:
    connection.execute(
        "CREATE TABLE people AS SELECT printf('p%07d', i) AS player, i, "  # noqa: S608 - numbers
        "exp(1.2 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) AS share "
        f"FROM range({players}) AS listed (i)"
    )
    games = hands // HANDS_OF_GAME
    seats = games * SEATS
    connection.execute(
        "UPDATE people SET share = share * $1 / (SELECT sum(share) FROM people)", [seats]
    )
    months = _months()
    for month, days in months.items():
        path = folder / f"player-{month}.parquet"
        if not path.exists():
            _write(connection, path, _player_cells("month", month, days / DAYS, ACTIVE))
    for year in sorted({each.year for each in months}):
        path = folder / f"player-{year}.parquet"
        days = sum(count for month, count in months.items() if month.year == year)
        if not path.exists():
            cells = _player_cells("year", date(year, 1, 1), days / DAYS, 10)
            _write(connection, path, cells)
    for name, span, count in (
        ("table", "day", 2),
        ("table", "month", 2),
        ("source", "month", 24),
        ("kind", "day", 4),
        ("kind", "month", 4),
        ("seat", "month", 8),
    ):
        path = folder / f"{name}-{span}.parquet"
        if not path.exists():
            _write(connection, path, _cells_of_tables(name, span, count, games))
    if not (folder / "rest.parquet").exists():
        _write(connection, folder / "rest.parquet", _rest(games, players))
    day = TALLIED[0]
    while day < TALLIED[1]:
        path = folder / f"tallies-{day}.parquet"
        if not path.exists():
            _write(connection, path, _tallies(day, seats // DAYS, players))
        day += timedelta(days=1)


def _months() -> dict[date, int]:
    """Return the months, by their first days, with how many days of each there are."""
    days = [FIRST_DAY + timedelta(days=each) for each in range(DAYS)]
    found: dict[date, int] = {}
    for day in days:
        found[day.replace(day=1)] = found.get(day.replace(day=1), 0) + 1
    return found


def _write(connection: DuckDBPyConnection, path: Path, query: str) -> None:
    draft = path.with_suffix(".draft")
    connection.execute(
        f"COPY ({query}) TO '{draft}' (FORMAT parquet, COMPRESSION zstd, "
        f"ROW_GROUP_SIZE {ROWS_OF_GROUP})"
    )
    draft.replace(path)


def _sums(seats: int, *, apart: bool) -> str:
    """Return columns of cells of ``g`` games, each with so many seats of a table."""
    found = {"hand_hands_cases": f"g * {HANDS_OF_GAME}", "hand_games_cases": "g"}
    for name, (cases, ratio, weight) in GIVEN.items():
        names = rolls.named(METRIC[name])
        assert names is not None
        n = f"round(g * {cases * seats:e} * (9e-1 + 2e-1 * u))"
        y, w = f"round({n} * {ratio * weight:e} * (8e-1 + 4e-1 * v))", f"round({n} * {weight:e})"
        found |= {names.cases: n, names.amount: y, names.weight: w}
        found[rolls.games_of(names.cases)] = "g"
        squares = {(names.amount, names.amount): (y, y), (names.amount, names.weight): (y, w)}
        squares[names.weight, names.weight] = (w, w)
        if apart:
            t, u = f"{SEATS} * {y}", f"{SEATS} * {w}"
            all_y, all_w = rolls.of_all(names.amount), rolls.of_all(names.weight)
            found |= {all_y: t, all_w: u}
            squares |= {(all_y, all_y): (t, t), (all_y, all_w): (t, u), (all_w, all_w): (u, u)}
            squares |= {(names.amount, all_y): (y, t), (names.amount, all_w): (y, u)}
            squares |= {(names.weight, all_y): (w, t), (names.weight, all_w): (w, u)}
        for pair, (one, other) in squares.items():
            found[rolls.product(*pair)] = f"round({one} * {other} * 1.1e0 / greatest(g, 1))"
    return ", ".join(f"({sql})::BIGINT AS {name}" for name, sql in found.items())


_OF_TABLE: Final = (
    f"printf('variant-%d', kind_of % {VARIANTS}) AS variant, "
    "printf('ruleset-%d', kind_of) AS ruleset, '4 partners' AS seating"
)


def _player_cells(span: str, day: date, share: float, active: int) -> str:
    """Return the query for cells of players, of whom so many of ten play."""
    drawn = "sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())"
    return f"""
    WITH expected AS (
        SELECT player, (i * 7 + place * 5) % {VARIANTS} AS kind_of,
            share * {share} * part * 10 / {active} AS m
        FROM people, (VALUES (0, 0.7), (1, 0.25), (2, 0.05)) AS parts (place, part)
        WHERE hash(i, DATE '{day}') % 10 < {active}
    ), played AS MATERIALIZED (
        SELECT player, kind_of,
            CASE WHEN m > 4 THEN greatest(0, round(m + sqrt(m) * {drawn}))
                ELSE floor(m) + (random() < m - floor(m))::INTEGER END AS g
        FROM expected
    ), cells AS (
        SELECT player, kind_of, g, 'valid' AS verdict FROM played WHERE g > 0
        UNION ALL
        SELECT player, kind_of, greatest(1, round(g * {MIXED})) AS g, NULL
        FROM played WHERE random() < 1 - (1 - {MIXED}) ** g
    )
    SELECT 'player' AS roll, '{span}' AS span, DATE '{day}' AS day, verdict, {_OF_TABLE},
        NULL::VARCHAR AS source, 'human' AS kind, NULL::UTINYINT AS seat, player, true AS paired,
        {_sums(1, apart=True)}
    FROM (SELECT *, random() AS u, random() AS v FROM cells) ORDER BY player
    """  # noqa: S608 - numbers and days


def _cells_of_tables(name: str, span: str, count: int, games: int) -> str:
    """Return the query for the cells of a roll-up of whole tables, so many of each kind."""
    each = {
        "source": ("printf('%s-%d.jsonl', day, cell) AS source", "NULL::VARCHAR AS kind"),
        "kind": ("NULL::VARCHAR AS source", "['human', 'bot'][1 + cell % 2] AS kind"),
        "seat": ("NULL::VARCHAR AS source", "['human', 'bot'][1 + cell % 2] AS kind"),
    }.get(name, ("NULL::VARCHAR AS source", "NULL::VARCHAR AS kind"))
    seat = "cell // 2" if name == "seat" else "NULL"
    days = list(_months()) if span == "month" else [FIRST_DAY + timedelta(n) for n in range(DAYS)]
    part = games / len(days) / VARIANTS / count
    listed = ", ".join(f"(DATE '{day}')" for day in days)
    return f"""
    SELECT '{name}' AS roll, '{span}' AS span, day, verdict, {_OF_TABLE}, {each[0]}, {each[1]},
        ({seat})::UTINYINT AS seat, NULL::VARCHAR AS player, NULL::BOOLEAN AS paired,
        {_sums(SEATS, apart=False)}
    FROM (
        SELECT day, kind_of, cell, verdict, round({part}::DOUBLE * (0.5 + random())
            * CASE WHEN verdict IS NULL THEN {MIXED} ELSE 1 END) AS g, random() AS u, random() AS v
        FROM (VALUES {listed}) AS days (day), range({VARIANTS}) AS kinds (kind_of),
            range({count}) AS cells (cell), (VALUES ('valid'), (NULL)) AS verdicts (verdict)
    )
    ORDER BY day
    """  # noqa: S608 - numbers and days


def _rest(games: int, players: int) -> str:
    """Return the query for the rows of games over midnight, and with other people behind."""
    late, changed = round(games * OVER_MIDNIGHT), round(games * CHANGED)
    counted = _counted("hash(seat, game_no, part) % 1000 / 1e3")
    return f"""
    SELECT * EXCLUDE (over_month, over_year, late) FROM (
        SELECT game_no, false AS complete, 'valid' AS verdict, '1.jsonl' AS source,
            printf('variant-%d', game_no % {VARIANTS}) AS variant,
            printf('ruleset-%d', game_no % {VARIANTS}) AS ruleset, '4 partners' AS seating,
            game_no AS seating_id, DATE '{FIRST_DAY}' + first + part AS day, seat::UTINYINT AS seat,
            printf('p%07d', hash(game_no, seat) % {players}) AS player,
            [printf('p%07d', hash(game_no, (seat + 2) % 4) % {players})] AS partners,
            'human' AS kind, (seat % 2)::UTINYINT AS side_no, seat = 0 AS first_of_hand,
            seat = 0 AS first_of_game, seat < 2 AS first_of_side, {counted},
            late, late AND day(DATE '{FIRST_DAY}' + first + 1) = 1 AS over_month,
            late AS not_by_table_day_each, late AS not_by_table_day_every,
            over_month AS not_by_table_month_each, over_month AS not_by_table_month_every,
            over_month OR NOT late AS not_by_player_month_each,
            over_month OR NOT late AS not_by_player_month_every,
            over_month AND month(DATE '{FIRST_DAY}' + first + 1) = 1 AS over_year,
            over_year OR NOT late AS not_by_player_year_each,
            over_year OR NOT late AS not_by_player_year_every
        FROM (
            SELECT i AS game_no, i < {late} AS late, (hash(i) % {DAYS - 1})::INTEGER AS first
            FROM range({late + changed}) AS listed (i)
        ), range({SEATS}) AS seats (seat), (VALUES (0), (1)) AS parts (part)
    )
    ORDER BY not_by_player_year_every, not_by_player_month_every, not_by_table_day_every,
        day, game_no
    """  # noqa: S608 - numbers and days


def _counted(chance: str) -> str:
    """Return columns of tallies."""
    found: dict[str, str] = {}
    for name, (cases, ratio, weight) in GIVEN.items():
        tally = columns_for(METRIC[name])
        assert tally is not None
        n = f"round({cases:e} * (5e-1 + {chance}))"
        found.setdefault(tally.cases, n)
        found.setdefault(tally.amount, f"round({tally.cases} * {ratio * weight:e})")
        found.setdefault(tally.weight, f"round({tally.cases} * {weight:e})")
    return ", ".join(f"({sql})::BIGINT AS {name}" for name, sql in found.items())


def _tallies(day: date, count: int, players: int) -> str:
    """Return the query for the tallies of a day."""
    first = 10**9 + (day - FIRST_DAY).days * count
    return f"""
    SELECT game_no, 'valid' AS verdict, '1.jsonl' AS source,
        printf('variant-%d', game_no % {VARIANTS}) AS variant,
        printf('ruleset-%d', game_no % {VARIANTS}) AS ruleset, '4 partners' AS seating,
        game_no AS seating_id, DATE '{day}' AS day, seat::UTINYINT AS seat,
        printf('p%07d', hash(game_no, seat) % {players}) AS player,
        [printf('p%07d', hash(game_no, (seat + 2) % 4) % {players})] AS partners,
        ['somebody'] AS opponents, 'human' AS kind, (seat % 2)::UTINYINT AS side_no,
        seat = 0 AS first_of_hand, seat < 2 AS first_of_side, true AS only_row, 1 AS cards,
        {_counted("hash(seat, game_no) % 1000 / 1e3")}
    FROM (
        SELECT {first} + i // {SEATS} AS game_no, i % {SEATS} AS seat
        FROM range({count}) AS listed (i)
    )
    ORDER BY player
    """  # noqa: S608 - numbers and days


# --- Sizes


def _print_sizes(folder: Path, hands: int, db: Path | None) -> None:
    print("| files | rows | MB | columns |\n|---|---:|---:|---:|")
    rows = {}
    for kind in ("player-????-", "player-????.", *KINDS, "rest", "tallies"):
        files = sorted(folder.glob(f"{kind}*parquet"))
        size = sum(each.stat().st_size for each in files) / 1e6
        rows[kind] = sum(pq.read_metadata(each).num_rows for each in files)
        width = pq.read_metadata(files[0]).num_columns
        print(f"| {kind} | {rows[kind]:,} | {size:,.0f} | {width} |")
    if db is None:
        return
    print("\nBytes of a cell with the columns of all metrics, by how many games are in it:")
    with open_facts(db) as facts:
        frames: list[pl.DataFrame] = [pl.from_arrow(each) for each in rolls.rows(facts)]  # type: ignore[misc]
    players = pl.concat(each.filter(pl.col("roll") == "player") for each in frames)
    alike = players.with_columns(pl.lit("any").alias(name) for name in ("variant", "ruleset"))
    for rows_of, span in ((players, "1mo"), (players, "10y"), (alike, "10y"), (alike, "50y")):
        cells = merged(rows_of.with_columns(pl.col("day").dt.truncate(span)))
        path = folder / "measured.draft"
        cells.write_parquet(path, compression="zstd", row_group_size=ROWS_OF_GROUP)
        size = path.stat().st_size / len(cells)
        path.unlink()
        games = cells[GAMES].sum() / len(cells)
        print(
            f"- {games:.1f} games: {size:.0f} bytes, "
            f"so {size * (rows['player-????-'] + rows['player-????.']) / hands:.1f} a hand"
        )


# --- Asking


def _open(connection: DuckDBPyConnection, folder: Path, players: int) -> None:
    files = [
        str(each)
        for kind in ("player", *KINDS)
        for each in sorted(folder.glob(f"{kind}-*.parquet"))
    ]
    connection.execute("SET parquet_metadata_cache = true")
    connection.execute("CREATE TYPE verdict_key AS ENUM ('valid', 'irregular')")
    connection.execute("CREATE TABLE facts AS SELECT true AS tallied")
    connection.execute(f"CREATE VIEW moments AS FROM read_parquet({files}, union_by_name = true)")
    connection.execute(f"CREATE VIEW moments_rest AS FROM read_parquet('{folder}/rest.parquet')")
    connection.execute(f"CREATE VIEW tallies AS FROM read_parquet('{folder}/tallies-*.parquet')")
    connection.execute("CREATE SCHEMA games")
    connection.execute(
        f"CREATE TABLE games.players AS SELECT printf('p%07d', i) AS player, i AS hands "  # noqa: S608
        f"FROM range({players}) AS listed (i)"
    )


def _questions(connection: DuckDBPyConnection) -> Iterator[tuple[str, Callable[[], object]]]:
    days = Filters(since=date(2026, 6, 11), until=date(2026, 7, 10))
    quarter = Filters(since=date(2026, 1, 1), until=date(2026, 3, 31))
    one = Filters.of({"player": "p0000077"})
    some: tuple[tuple[str, str, tuple[str, ...], Filters], ...] = (
        ("share by variant", "made-rate", ("variant",), Filters()),
        ("share by variant, 30 days", "made-rate", ("variant",), days),
        ("mean by month", "points-share", ("month",), Filters()),
        ("mean by day", "points-share", ("day",), Filters()),
        ("mean by day, 30 days", "points-share", ("day",), days),
        ("share by log", "made-rate", ("source",), quarter),
        ("share by human or bot", "made-rate", ("kind",), Filters()),
        ("games won by seat", "win-rate", ("seat",), Filters()),
        ("share by player", "made-rate", ("player",), Filters()),
        ("share by player, a quarter", "made-rate", ("player",), quarter),
        ("share by player, 30 days", "made-rate", ("player",), days),
        ("one player", "made-rate", (), one),
        ("one player by month", "points-share", ("month",), one),
        ("one player, 30 days", "made-rate", (), days.also("player", "p0000077")),
    )
    for title, metric, by, filters in some:
        yield title, partial(measure, connection, metric, by, filters)
    compared = METRIC["points-share"]
    yield (
        "ranking, what is added up",
        lambda: comparing.sums(connection, compared, "player", Filters()),
    )
    yield (
        "ranking, a quarter, what is added up",
        lambda: comparing.sums(connection, compared, "player", quarter),
    )
    yield "ranking, the whole", lambda: standings(connection, compared, "player", Filters())


def _print_times(connection: DuckDBPyConnection) -> None:
    print("\n| figure | ms, first | ms, again | processor ms |\n|---|---:|---:|---:|")
    for title, asked in _questions(connection):
        times, used = [], []
        for _ in range(3):
            began, cpu = time.perf_counter(), time.process_time()
            asked()
            times.append(time.perf_counter() - began)
            used.append(time.process_time() - cpu)
        numbers = (each * 1e3 for each in (times[0], min(times[1:]), min(used)))
        print(f"| {title} | {' | '.join(f'{each:,.0f}' for each in numbers)} |", flush=True)


if __name__ == "__main__":
    main()
