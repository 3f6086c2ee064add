"""`tricklog list ratings`, and chances where games, evenings, reports, SQL and Python have them."""

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tricklog as api
from tests.cli.command_line import CommandLine
from tricklog.ingest.chances.outcomes import games_of, hands_of, phase
from tricklog.ingest.metrics import FigureError
from tricklog.ingest.warehouses import open_facts


def test_ratings_are_the_same_everywhere(tricklog: CommandLine, evenings: Path) -> None:
    ran = tricklog("list", "ratings", "--weekly", "--json", "--db", evenings)
    assert ran.status == 0
    told = json.loads(ran.text)
    frame = api.ratings(evenings, weekly=True).frame
    rows = [row["rating"] for row in told["ratings"]]
    assert rows == pytest.approx(frame["rating"].to_list())
    stored = api.sql(evenings, "SELECT rating FROM player_ratings ORDER BY ALL")["rating"]
    assert stored.to_list() == pytest.approx(sorted(rows))
    assert told["unit"] in ("points", "spreads")
    assert told["weeks"]
    assert told["half_life"] is None or told["half_life"] > 0
    table = tricklog("list", "ratings", "--top", "1", "--db", evenings).text
    assert "a hand, 95 %" in table
    assert "shows all" in table
    assert "in the right order nine times in ten" in table


def test_too_few_hands_are_said_so(tricklog: CommandLine, evenings: Path) -> None:
    ran = tricklog("list", "ratings", "--where", "hand-number=1", "--db", evenings)
    assert ran.status == 2
    assert "too few to rate anybody" in ran.stderr


def test_of_a_player_and_a_season_of_few_hands_it_is_said_too(
    tricklog: CommandLine, tmp_path: Path, repository: Path
) -> None:
    sheet = repository / "sample_logs/valid/pedro/one-game-open-discards.jsonl"
    tricklog("load", sheet, "--db", tmp_path / "db")
    player = api.sql(tmp_path / "db", "SELECT player FROM seat_facts LIMIT 1")["player"][0]
    for asked in (
        ("show", "player", player),
        ("report", "--player", player, "--output", "-"),
        ("report", "--season", "2026", "--output", "-"),
    ):
        said = tricklog(*asked, "--db", tmp_path / "db").text
        assert "hands of two sides are too few to rate anybody." in said


def test_ratings_by_games_won_have_a_column_of_their_own(
    tricklog: CommandLine, season: Path
) -> None:
    ran = tricklog("list", "ratings", "--openskill", "--db", season)
    assert "openskill" in ran.text.partition("\n")[0]
    told = json.loads(tricklog("list", "ratings", "--openskill", "--json", "--db", season).text)
    assert all("openskill" in row for row in told["ratings"])


def test_a_game_and_an_evening_say_what_decided_them(tricklog: CommandLine, evenings: Path) -> None:
    chances = api.win_chances(evenings)
    ended = chances.filter(pl.col("won").is_not_null())
    game = ended["game"][0]
    sheet = tricklog("show", "game", game, "--db", evenings).text
    assert "between equal sides" in sheet
    assert "Decided by hand" in sheet
    assert "stored hands of the same rules" in sheet
    told = json.loads(tricklog("show", "game", game, "--db", evenings, "--json").text)
    own = api.win_chances(evenings, game)
    assert [row["chance_after"] for row in told["chances"]] == own["chance_after"].to_list()
    # The number of a hand differs from one warehouse of the same logs to another.
    assert all("hand_id" in row and "hand_no" not in row for row in told["chances"])
    assert own.equals(chances.filter(pl.col("game") == game))
    evening = tricklog("show", "evening", "2026-11-20", "--db", evenings).text
    assert "carried half of all that chances changed by" in evening
    assert "not finished" in tricklog("show", "evening", "2026-11-21", "--db", evenings).text


def test_a_game_that_is_not_stored_has_no_chances_but_a_reason(evenings: Path) -> None:
    with pytest.raises(FigureError, match="no hand in this warehouse has game=nobodys"):
        api.win_chances(evenings, ["early", "nobodys"])


def test_games_without_an_end_are_said_beside_ratings(
    tricklog: CommandLine, evenings: Path
) -> None:
    told = json.loads(tricklog("list", "ratings", "--json", "--db", evenings).text)
    (said,) = (each for each in told["notes"] if "nobody has won" in each)
    assert said in map(str, api.ratings(evenings).notes)
    counted = api.sql(
        evenings,
        "SELECT count(*) AS hands FROM seat_facts JOIN games USING (game_no) "
        "WHERE first_of_hand AND winner_side IS NULL AND verdict = 'valid' AND variant <> 'sancho'",
    )
    assert counted["hands"].to_list() == [1]
    assert said.startswith("One hand is of a game that nobody has won")
    report = tricklog("report", "--season", "2026", "--output", "-", "--db", evenings).text
    assert said in report


def test_sql_has_chances_beside_the_facts(evenings: Path) -> None:
    query = (
        "SELECT player, avg(chance_change) AS brought, count(*) AS hands "
        "FROM seat_facts JOIN hand_chances USING (hand_no, side_no) GROUP BY player"
    )
    found = api.sql(evenings, query)
    assert found["hands"].sum() > 0
    assert api.sql(evenings, "DESCRIBE hand_chances")["about"].to_list()[-1]


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
