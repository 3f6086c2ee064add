"""`tricklog list`, `show` and `sql`: what a warehouse holds, and what an id leads to."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from msgspec.structs import replace

import tricklog as api
from tests.cli.command_line import CommandLine, write_log
from tests.kit.at_table import club
from tests.kit.dashboard_logs import HANDS, MARK, TEXTS, VARIANTS, with_wrong_claim, write_logs
from tests.kit.evening_logs import (
    FIRST,
    KING,
    LAST,
    NEXT,
    holed_game,
    king_pedro,
    records_in,
    write_records,
)
from tests.kit.log_lines import one_game, write_hands
from tests.kit.made_once import once
from tests.kit.solved import warehouse
from tests.kit.tiers import some
from tests.regenerate.samples import FOLDER
from tricklog import ingest
from tricklog.ingest.chances.outcomes import games_of, hands_of, phase
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics import FigureError
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.warehouses import open_facts
from tricklog.schemas.hand import Player

# --- Lists, and names of any kind
Records = list[dict[str, Any]]


@pytest.fixture
def logged(tmp_path: Path) -> Records:
    lines = (write_logs(tmp_path / "logs") / "hands.jsonl").read_text("utf-8").splitlines()
    return [record for record in map(json.loads, lines) if "id" in record]


def test_every_hand_game_and_player_is_listed_once(
    tricklog: CommandLine, small_warehouse: Path, logged: Records
) -> None:
    def listed(what: str, key: str) -> list[str]:
        found = tricklog(f"list {what} --json --db", small_warehouse).objects
        return sorted(each[key] for each in found)

    assert listed("hands", "hand_id") == sorted(each["id"] for each in logged)
    assert listed("games", "game") == sorted({str(each["game"]) for each in logged})
    players = {player["id"] for each in logged for player in each["players"]}
    assert listed("players", "player") == sorted(players)


@pytest.mark.parametrize("variant", some(VARIANTS, 1))
def test_conditions_choose_what_is_listed(
    tricklog: CommandLine, small_warehouse: Path, logged: Records, variant: str
) -> None:
    def listed(what: str) -> list[Any]:
        asked = f"list {what} --where variant={variant} --json --db"
        return tricklog(asked, small_warehouse).objects

    hands = [each for each in logged if each["rules"]["variant"] == variant]
    assert len(listed("hands")) == len(hands)
    assert {each["game"] for each in listed("games")} == {each["game"] for each in hands}
    seats = [player["id"] for each in hands for player in each["players"]]
    told = {each["player"]: each["hands"] for each in listed("players")}
    assert told == {player: seats.count(player) for player in seats}


def test_a_list_says_what_it_leaves_out(tricklog: CommandLine, small_warehouse: Path) -> None:
    db = ("--db", small_warehouse)
    every = len(tricklog("list hands --json", *db).objects)
    more = f"and {every - 3} more; --top {every} lists all"
    assert more in tricklog("list hands --top 3", *db).text
    assert tricklog("list evenings", *db).text.startswith("day ")


def test_an_id_shows_what_has_it(
    tricklog: CommandLine, small_warehouse: Path, logged: Records
) -> None:
    db = ("--db", small_warehouse)
    with open_snapshot(small_warehouse) as opened:
        ((hand, game, day, *place), *_) = opened.execute(
            "SELECT hand_id, game, day::VARCHAR, file, line FROM hands WHERE game IS NOT NULL"
        ).fetchall()
    (told,) = tricklog("show", hand, "--json", *db).objects
    assert [told["file"], told["line"]] == place
    assert tricklog("show", hand, *db).text.splitlines()[0].startswith(f"Hand {hand} ")
    for kind, name in (("game", game), ("evening", day), ("season", day[:4])):
        assert tricklog("show", name, *db) == tricklog("show", kind, name, *db)
    player = logged[0]["players"][0]["id"]
    figures = ("stats --where", f"player={player}", *db)
    expected = tricklog("show player", player, *db)
    assert expected.text.startswith(tricklog(*figures).text)
    assert tricklog("show", player, *db) == expected
    assert tricklog("show player", player, "--json", *db) == tricklog(*figures, "--json")


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


def test_an_answer_in_sql_has_three_forms(tricklog: CommandLine, small_warehouse: Path) -> None:
    db = ("--db", small_warehouse)
    query = "SELECT hand_id, change FROM games.stored WHERE change IS NOT NULL ORDER BY hand_id"
    shown = tricklog("sql", query, *db).text.splitlines()
    assert shown[0].split() == ["hand_id", "change"]
    objects = tricklog("sql", query, *db, "--json").objects
    assert shown[2].split() == [*objects[0]["hand_id"].split(), *map(str, objects[0]["change"])]
    assert len(shown) == 2 + min(len(objects), 100) + (len(objects) > 100)
    tricklog("sql - --format csv --output rows.csv", *db, stdin=query.encode())
    assert pl.read_csv("rows.csv")["hand_id"].to_list() == [each["hand_id"] for each in objects]
    for name, answer in (("rows.csv", "csv"), ("rows.NDJSON", "json")):
        form = ["--json"] if answer == "json" else []
        tricklog("sql", query, *db, *form, "--output", name, status=0)
    assert pl.read_csv("rows.csv")["hand_id"].to_list() == [each["hand_id"] for each in objects]
    assert [*map(json.loads, Path("rows.NDJSON").read_text().splitlines())] == objects


def test_times_and_bytes_of_an_answer_in_sql(tricklog: CommandLine, small_warehouse: Path) -> None:
    query = """SELECT INTERVAL 90 MINUTE AS "a""b", 'x'::BLOB AS bytes, [1] AS c"""
    asked = "sql", query, "--db", small_warehouse
    assert tricklog(*asked, "--json").objects == [{'a"b': "01:30:00", "bytes": "eA==", "c": [1]}]
    csv = tricklog(*asked, "--format", "csv", "--output", "-", status=0).text
    assert csv == '"a""b",bytes,c\n01:30:00,eA==,[1]\n'


# --- The score sheet of a game
SHEET = king_pedro()
GAME = SHEET[0]["game"]
SEVEN = records_in([FOLDER / "sancho" / "one-game-at-7.jsonl"])


@once("db")
def sheets(folder: Path) -> None:
    logs = folder / "logs"
    write_records(logs / "king.jsonl", [*SHEET, *holed_game()])
    write_records(logs / "seven.jsonl", SEVEN)
    again = [each | {"id": f"again {each['id']}"} for each in SHEET[:2]]
    write_records(logs / "twice.jsonl", again)
    ingest.load(logs, db=folder / "db")


def test_the_sheet_has_a_line_for_each_hand(tricklog: CommandLine, sheets: Path) -> None:
    ran = tricklog("show game holed --db", sheets, status=0)
    lines = {line.split()[0]: line for line in ran.text.splitlines() if line.strip()}
    assert {str(record["hand"]) for record in holed_game()} <= lines.keys()
    assert "not stored" in lines["2"]
    assert "incomplete" in lines["4"]
    assert "rejected" in lines["6"]
    for row in ("1", "3", "5"):
        record = next(each for each in SHEET if str(each["hand"]) == row)
        points, change, scores = (record["claimed"][key] for key in ("points", "change", "scores"))
        assert f"{points[0]} : {points[1]}" in lines[row]
        for number in (*map(abs, change), *map(abs, scores)):
            assert str(number) in lines[row]
    (told,) = tricklog("show game holed --json --db", sheets).objects
    assert told["variant"] == "king-pedro"
    kinds = [row["kind"] for row in told["rows"][:6]]
    assert kinds == ["played", "missing", "played", "incomplete", "played", "rejected"]
    assert told["scores"] == SHEET[-1]["claimed"]["scores"]
    assert told["rows"][0]["change"] == SHEET[0]["claimed"]["change"]
    # That of seven is aligned.
    shown = tricklog("show game --db", sheets, SEVEN[0]["game"]).text.splitlines()
    rule = next(place for place, line in enumerate(shown) if line.startswith("──"))
    head, last = shown[rule - 1], shown[rule + len(SEVEN)]
    ends = [head.index(word) + len(word) for word in head.split() if word.startswith("bot-")]
    scores = [int(last[:end].split()[-1].replace("−", "-")) for end in ends]
    assert scores == SEVEN[-1]["claimed"]["scores"]
    assert any(line.startswith("Counted out in hand") for line in shown)


def test_an_id_in_several_logs_gives_a_sheet_for_each(tricklog: CommandLine, sheets: Path) -> None:
    first, second = tricklog("show game --json --db", sheets, GAME).objects
    assert (len(first["rows"]), len(second["rows"])) == (len(SHEET), 2)
    assert tricklog("show game --db", sheets, GAME).text.count("From ") == 2


# --- An evening and a season
def test_an_evening_has_lines_of_games_and_players(tricklog: CommandLine, evenings: Path) -> None:
    # Without a day it is the last one.
    last = tricklog("show evening --db", evenings, status=0).text
    assert last.startswith("Saturday 21 November 2026")
    assert "1 hand, 1 game" in last
    ran = tricklog("show evening --db", evenings, LAST)
    lines = ran.text.splitlines()
    (early,) = [line for line in lines if " early " in line and "Decided" not in line]
    high, low = sorted(KING[-1]["claimed"]["scores"], reverse=True)
    assert f"{high} : {low}" in early
    assert sum("guest-bot" in line and ("■" in line or "□" in line) for line in lines) == 7
    assert "Hands that belong to no game: 1." in ran.text
    (told,) = tricklog("show evening --json --db", evenings, LAST).objects
    assert (told["day"], told["before"], told["after"]) == (LAST, FIRST, NEXT)
    assert [each["game"] for each in told["games"]] == ["seven", "early", "pips", "open", "late"]
    assert told["games"][1]["scores"] == KING[-1]["claimed"]["scores"]
    assert len(told["standings"]) == 11
    # A session is one table.
    (told,) = tricklog("show evening --json --db", evenings, f"{LAST} · guest").objects
    assert [each["game"] for each in told["games"]] == ["seven", "open"]


def test_a_season_has_games_won_and_records(tricklog: CommandLine, evenings: Path) -> None:
    ran = tricklog("show season 2026 --db", evenings, status=0)
    assert ran.text.startswith("Season 2026")
    assert "Shortest game" in ran.text
    both = tricklog("show evening --season 2026 --json --db", evenings, FIRST)
    evening, told = both.objects
    assert evening["day"] == FIRST
    assert {each["kind"] for each in told["records"]} >= {"highest-bid", "shortest-game"}
    assert sum(each["hands"] for each in told["evenings"]) > 0


def test_text_from_logs_moves_no_cursor_and_is_no_markup(tricklog: CommandLine) -> None:
    players = [Player(f"{MARK}{seat}", f"{TEXTS[14]}[bold]{seat}") for seat in range(4)]
    hand = replace(with_wrong_claim(), id=HANDS[14], game=f"{TEXTS[14]} game", players=players)
    log = write_hands(Path("hostile.jsonl"), [hand])
    tricklog("load --db db", log)
    asked: list[tuple[str, str | Path]] = [
        *(("audit", log), ("replay", log), ("load --dry-run --db new", log)),
        *(("show game --db db", str(hand.game)), ("show --db db", hand.id)),
        *((f"{what} --db", "db") for what in ("show evening", "list hands", "list players")),
    ]
    for command, given in asked:
        ran = tricklog(command, given)
        assert ran.status in (0, 1), command
        assert not set("\x00\x07\x1b\x7f\u202e\u2028") & {*ran.text, *ran.stderr}, command
        assert MARK in ran.text or command.startswith("load"), command
    assert "[bold]0" in tricklog("replay", log).text


# --- Deals of several tables
@once("db")
def deals(folder: Path) -> None:
    warehouse(folder, [*club("pidro", 3, 3), *one_game("pedro")])


def test_deals_lists_what_several_tables_have_played(tricklog: CommandLine, deals: Path) -> None:
    ran = tricklog("list deals --db", deals, status=0)
    assert "3 deals played at more than one table" in ran.text
    assert "t0-0 & t0-2" in ran.text
    assert "bot-" not in ran.text
    assert "Not shown: 2 deals" in tricklog("list deals --top 1 --db", deals).text
    (told,) = tricklog("list deals --json --db", deals).objects
    assert told["count"] == len(told["deals"]) == 3
    assert {each["tables"] for each in told["deals"]} == {3}
    assert len(told["pairs"]) == 6
    key = told["deals"][0]["key"]
    (one,) = tricklog("show deal --json --db", deals, key).objects
    assert (one["deal"], one["left_out"]) == (key, [])
    assert len(one["tables"]) == 3
    assert len(one["compared"]) == 6
    assert sum(each["matchpoints"] for each in one["compared"]) == 6
    assert sum(each["score"] for each in one["compared"]) == pytest.approx(0)
    text = tricklog("show deal --against median --db", deals, key).text
    assert "Against the median of the others" in text
    assert all(each["hand_id"] in text for each in one["tables"])
    ingest.load(write_log("log.jsonl", one_game("pidro")[0]), db="db")
    assert "No deal was played" in tricklog("list deals --db db").text


# --- Ratings and chances
def test_ratings_are_the_same_everywhere(tricklog: CommandLine, evenings: Path) -> None:
    (told,) = tricklog("list ratings --weekly --json --db", evenings, status=0).objects
    found = api.ratings(evenings, weekly=True)
    frame = found.frame
    rows = [row["rating"] for row in told["ratings"]]
    assert rows == pytest.approx(frame["rating"].to_list())
    stored = api.sql(evenings, "SELECT rating FROM player_ratings ORDER BY ALL")["rating"]
    assert stored.to_list() == pytest.approx(sorted(rows))
    assert told["unit"] in ("points", "spreads")
    (said,) = (each for each in told["notes"] if "nobody has won" in each)
    assert said in map(str, found.notes)
    assert said.startswith("One hand is of a game that nobody has won")
    assert told["weeks"]
    assert told["half_life"] is None or told["half_life"] > 0
    table = tricklog("list ratings --top 1 --db", evenings).text
    for says in ("a hand, 95 %", "shows all", "in the right order nine times in ten"):
        assert says in table


def test_too_few_hands_to_rate(tricklog: CommandLine, repository: Path) -> None:
    sheet = repository / "sample_logs/valid/pedro/one-game-open-discards.jsonl"
    tricklog("load --db db", sheet)
    player = api.sql("db", "SELECT player FROM seat_facts LIMIT 1")["player"][0]
    for asked in (
        ("show player", player),
        ("report --output - --player", player),
        ("report --output - --season", "2026"),
    ):
        said = tricklog(*asked, "--db", "db").text
        assert "hands of two sides are too few to rate anybody." in said


def test_ratings_by_games_won_have_their_own_column(tricklog: CommandLine, season: Path) -> None:
    ran = tricklog("list ratings --openskill --db", season)
    assert "openskill" in ran.text.partition("\n")[0]
    (told,) = tricklog("list ratings --openskill --json --db", season).objects
    assert all("openskill" in row for row in told["ratings"])


def test_a_game_and_an_evening_say_what_decided_them(tricklog: CommandLine, evenings: Path) -> None:
    chances = api.win_chances(evenings)
    ended = chances.filter(pl.col("won").is_not_null())
    game = ended["game"][0]
    sheet = tricklog("show game --db", evenings, game).text
    for says in ("between equal sides", "Decided by hand", "stored hands of the same rules"):
        assert says in sheet
    (told,) = tricklog("show game --json --db", evenings, game).objects
    own = api.win_chances(evenings, game)
    assert [row["chance_after"] for row in told["chances"]] == own["chance_after"].to_list()
    # The number of a hand differs from one warehouse of the same logs to another.
    assert all("hand_id" in row and "hand_no" not in row for row in told["chances"])
    assert own.equals(chances.filter(pl.col("game") == game))
    evening = tricklog("show evening 2026-11-20 --db", evenings).text
    assert "carried half of all that chances changed by" in evening
    assert "not finished" in tricklog("show evening 2026-11-21 --db", evenings).text
    with pytest.raises(FigureError, match="no hand in this warehouse has game=nobodys"):
        api.win_chances(evenings, ["early", "nobodys"])


def test_hands_are_told_by_who_is_near_the_end(evenings: Path) -> None:
    frame = api.measure(evenings, "hands", by="score-phase")
    assert "early" in frame["score-phase"].to_list()
    of_game = api.measure(evenings, "hands", by="score-phase", where={"game": "early"})
    counted = dict(of_game.select("score-phase", "n").iter_rows())
    with closing(open_facts(evenings)) as facts:
        (game,) = games_of(facts, ["early"])
        hands = hands_of(facts, game.ruleset, ["early"])
    scores = (hands[each].to_numpy() for each in ("dealers_before", "others_before"))
    nobody, dealers, others, both = np.bincount(phase(game, *scores), minlength=4)
    assert counted["early"] == nobody > 0
    assert counted["own side near"] == dealers + others > 0
    assert counted.get("both near", 0) == both
    own = api.measure(evenings, "score-share", by="score-phase", minimum=1)
    assert set(own["score-phase"]) <= {"early", "own side near", "other side near", "both near"}
