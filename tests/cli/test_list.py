"""`tricklog list` and `tricklog show`: what a warehouse holds, and what an id leads to."""

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.command_line import CommandLine
from tests.kit.dashboard_logs import VARIANTS, write_logs
from tests.kit.tiers import some
from tricklog.ingest.cli.output import USAGE
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.store.warehouse import open_snapshot


@pytest.fixture
def logged(tmp_path: Path) -> list[dict[str, object]]:
    """The records that the small warehouse was loaded from, but for the unreadable one."""
    lines = (write_logs(tmp_path / "logs") / "hands.jsonl").read_text("utf-8").splitlines()
    return [record for record in map(json.loads, lines) if "id" in record]


def test_every_hand_game_and_player_is_listed_once(
    tricklog: CommandLine, small_warehouse: Path, logged: list[dict[str, object]]
) -> None:
    def listed(what: str, key: str) -> list[str]:
        found = tricklog("list", what, "--db", small_warehouse, "--json").objects
        return sorted(each[key] for each in found)

    assert listed("hands", "hand_id") == sorted(str(each["id"]) for each in logged)
    assert listed("games", "game") == sorted({str(each["game"]) for each in logged})
    players = {player["id"] for each in logged for player in each["players"]}  # type: ignore[attr-defined]  # records are of any shape
    assert listed("players", "player") == sorted(players)


@pytest.mark.parametrize("variant", some(VARIANTS, 1))
def test_conditions_choose_what_is_listed(
    tricklog: CommandLine,
    small_warehouse: Path,
    logged: list[dict[str, object]],
    variant: str,
) -> None:
    asked = ("--where", f"variant={variant}", "--db", small_warehouse, "--json")
    hands = [each for each in logged if each["rules"]["variant"] == variant]  # type: ignore[index]  # likewise
    assert len(tricklog("list", "hands", *asked).objects) == len(hands)
    games = {each["game"] for each in hands}
    assert {each["game"] for each in tricklog("list", "games", *asked).objects} == games
    seats = [player["id"] for each in hands for player in each["players"]]  # type: ignore[attr-defined]  # likewise
    assert {
        each["player"]: each["hands"] for each in tricklog("list", "players", *asked).objects
    } == {player: seats.count(player) for player in seats}


def test_a_list_says_how_many_more_there_are(tricklog: CommandLine, small_warehouse: Path) -> None:
    every = len(tricklog("list", "hands", "--db", small_warehouse, "--json").objects)
    said = tricklog("list", "hands", "--top", "3", "--db", small_warehouse).text
    assert f"and {every - 3} more; --top {every} lists all" in said
    assert tricklog("list", "evenings", "--db", small_warehouse).text.startswith("day ")


def test_what_does_not_fit_is_said_so(tricklog: CommandLine, small_warehouse: Path) -> None:
    ran = tricklog("list", "hands", "--text", "nobody", "--db", small_warehouse)
    assert (ran.status, "no hands in" in ran.stderr) == (USAGE, True)
    ran = tricklog("list", "evenings", "--text", "x", "--db", small_warehouse)
    assert (ran.status, "evenings have no names" in ran.stderr) == (USAGE, True)


def test_an_id_leads_to_what_has_it(
    tricklog: CommandLine, small_warehouse: Path, logged: list[dict[str, object]]
) -> None:
    with open_snapshot(small_warehouse) as opened:
        ((hand, game, day),) = opened.execute(
            "SELECT hand_id, game, day::VARCHAR FROM hands WHERE game IS NOT NULL LIMIT 1"
        ).fetchall()
    with open_snapshot(small_warehouse) as tables:
        place = tables.execute("SELECT file, line FROM hands WHERE hand_id = $1", [hand]).fetchone()
    (told,) = tricklog("show", hand, "--db", small_warehouse, "--json").objects
    assert (told["file"], told["line"]) == place
    shown_hand = tricklog("show", hand, "--db", small_warehouse).text.splitlines()
    assert shown_hand[0].startswith(f"Hand {hand} ")
    shown = [
        (game, ("show", "game")),
        (day, ("show", "evening")),
        (day[:4], ("show", "season")),
    ]
    for name, command in shown:
        expected = tricklog(*command, name, "--db", small_warehouse)
        assert tricklog("show", name, "--db", small_warehouse) == expected
    player = logged[0]["players"][0]["id"]  # type: ignore[index]  # records are of any shape
    figures = ("stats", "--where", f"player={player}", "--db", small_warehouse)
    expected = tricklog("show", "player", player, "--db", small_warehouse)
    assert expected.text.startswith(tricklog(*figures).text)
    assert tricklog("show", player, "--db", small_warehouse) == expected
    objects = tricklog("show", "player", player, "--json", "--db", small_warehouse)
    assert objects == tricklog(*figures, "--json")
    ran = tricklog("show", "nobody", "--db", small_warehouse)
    assert (ran.status, "nothing in" in ran.stderr) == (USAGE, True)


def test_tables_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    heads, right = ["id", "players", "hands"], [False, False, True]
    rows = [["x" * 40, "Ann Bo Cy Dee " * 3, "7"], ["y", "", "12"]]
    monkeypatch.delenv("COLUMNS", raising=False)
    assert len(aligned(heads, right, rows)) == 4
    for columns in (60, 30, 20):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = aligned(heads, right, rows)
        assert max(map(len, lines)) <= columns
        # Nothing is lost: what was folded stands below itself.
        assert "".join(lines).count("x") == 40
        assert "".join(lines).count("Dee") == 3


def test_an_answer_in_sql_is_a_table_csv_and_json(
    small_warehouse: Path, tmp_path: Path, tricklog: CommandLine
) -> None:
    db = ("--db", str(small_warehouse))
    query = "SELECT hand_id, change FROM games.stored WHERE change IS NOT NULL ORDER BY hand_id"
    shown = tricklog("sql", query, *db).text.splitlines()
    assert shown[0].split() == ["hand_id", "change"]
    objects = tricklog("sql", query, *db, "--json").objects
    assert shown[2].split() == [*objects[0]["hand_id"].split(), *map(str, objects[0]["change"])]
    assert len(shown) == 2 + min(len(objects), 100) + (len(objects) > 100)
    file = tmp_path / "rows.csv"
    tricklog("sql", "-", *db, "--format", "csv", "--output", file, stdin=query.encode())
    assert pl.read_csv(file)["hand_id"].to_list() == [each["hand_id"] for each in objects]
    refused = tricklog("sql", "SELECT nope", *db)
    assert refused.status == 2
    assert 'tricklog sql "SHOW ALL TABLES"' in refused.stderr
