"""``tricklog solve``, and the commands that show what was solved."""

from pathlib import Path

import polars as pl
import pytest

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import write_hands
from tests.kit.solved import few, hands_of, known, warehouse
from tests.kit.tiers import is_thorough
from tricklog.ingest.cli import doctor


def test_it_says_and_writes_what_it_did(tricklog: CommandLine, db: Path, tmp_path: Path) -> None:
    parquet, text = tmp_path / "losses.parquet", tmp_path / "losses.csv"
    ran = tricklog("solve", "--db", db, "--json", "--progress", "--output", parquet)
    (told,) = ran.objects
    assert ran.status == 0
    assert told["hands"] == len(few()) == told["solved"] + told["refused"]
    assert (told["known"], told["left"], told["limits"]) == (0, 0, 0)
    assert '"stage":"solving with open cards"' in ran.stderr
    assert f'"total":{len(few())}' in ran.stderr
    again = tricklog("solve", "--db", db, "--output", text)
    assert again.text.startswith(f"{len(few())} valid hands = {len(few())} known before + 0 solved")
    assert "Published" in again.text
    from_text, frame = pl.read_csv(text), pl.read_parquet(parquet)
    assert from_text.columns == frame.columns
    assert frame.height == from_text.height == len(known(db)[1])
    assert frame["loss"].sum() == from_text["loss"].sum() > 0


def test_what_cannot_be_done_is_said(tricklog: CommandLine, db: Path, tmp_path: Path) -> None:
    for options, says in (
        (["--budget", "soon"], "--budget soon is no time"),
        (["--budget", "0m"], "--budget 0m is no time"),
        (["--where", "variant=bridge"], "no hand in this warehouse has variant=bridge"),
        (["--where", "colour=red"], "colour"),
        (["--output", "losses.txt"], "losses.txt is no .csv or .parquet file"),
        (["--jobs", "0"], "--jobs"),
    ):
        ran = tricklog("solve", "--db", db, *options)
        assert ran.status == 2, options
        assert says in ran.stderr, options
    assert known(db) == ([], [])
    ran = tricklog("solve", "--db", f"lake:{tmp_path}")
    assert ran.status == 2
    assert "holds no lake yet" in ran.stderr
    ran = tricklog("solve", "--db", tmp_path / "nothing")
    assert ran.status == 2
    assert "holds no warehouse yet" in ran.stderr


def test_a_load_may_solve(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", hands_of("pidro", 5))
    (told,) = tricklog("load", log, "--db", tmp_path / "db", "--solve", "--json").objects
    assert told["accepted"] == told["solved"]["hands"] == 5
    assert len(known(tmp_path / "db")[0]) == 5
    ran = tricklog("load", log, "--db", tmp_path / "db", "--solve")
    assert "5 valid hands = 5 known before" in ran.text
    assert tricklog("load", log, "--db", tmp_path / "db", "--solve", "--dry-run").status == 2
    if not is_thorough():
        return
    lake = f"lake:{tmp_path}/lake"
    (told,) = tricklog("load", log, "--db", lake, "--on", "here", "--solve", "--json").objects
    assert told["solved"]["solved"] == 5
    assert told["solved"]["published"] == f"{lake} 2"


def test_summary_and_doctor_count_hands(tricklog: CommandLine, db: Path) -> None:
    tricklog.patch.setattr(doctor, "_engine", str)
    assert "solved" not in tricklog("stats", "--summary", "--db", db).text
    tricklog("solve", "--db", db)
    says = f"of {len(few())} valid hands solved with open cards"
    assert says in tricklog("stats", "--summary", "--db", db).text
    checks = {
        each["name"]: each["says"]
        for each in tricklog("demo", "--check", "--db", db, "--json").objects
    }
    assert says in checks["warehouse"]


@pytest.mark.thorough("they say how many are solved in the first tier")
def test_summary_and_doctor_count_auctions(tricklog: CommandLine, tmp_path: Path) -> None:
    singles = hands_of("sancho", 3)
    db = warehouse(tmp_path, singles)
    assert "against par" not in tricklog("stats", "--summary", "--db", db).text
    tricklog("solve", "--par", "--stocks", "2", "--db", db)
    says = f"of {len(singles)} auctions held against par"
    assert says in tricklog("stats", "--summary", "--db", db).text
    (told,) = tricklog("stats", "--summary", "--db", db, "--json").objects
    assert told["par"]["valued"] + told["par"]["refused"] == len(singles)
    checks = {
        each["name"]: each["says"]
        for each in tricklog("demo", "--check", "--db", db, "--json").objects
    }
    assert says in checks["warehouse"]


def test_a_replay_shows_par_and_what_cards_cost(tricklog: CommandLine, tmp_path: Path) -> None:
    hand = hands_of("pidro", 1)[0]
    log = write_hands(tmp_path / "log.jsonl", [hand])
    (told,) = tricklog("replay", log, "--solve", "--json", "--at", "0").objects
    found = told["solved"]
    lost = [each["loss"] if each["by_makers"] else -each["loss"] for each in found["decisions"]]
    assert found["outcome"] == found["par"] - sum(lost)
    text = tricklog("replay", log, "--solve", "--all").text
    assert f"par {found['par']} points, needed {found['need']}" in text
    tricklog("load", log, "--db", tmp_path / "db")
    asked = ("--db", tmp_path / "db", "--solve", "--json", "--at", "0")
    stored = tricklog("replay", "--hand", hand.id, *asked)
    assert stored.objects[0]["solved"] == found
    assert "solved" not in tricklog("replay", log, "--json", "--at", "0").objects[0]


def test_an_audit_shows_what_hands_were_worth(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", hands_of("pidro", 3))
    told = tricklog("audit", log, "--solve", "--json").objects
    assert [each["solved"]["unit"] for each in told] == ["points"] * 3
    text = tricklog("audit", log, "--solve").text
    assert text.count("par ") == 3
    assert "With all cards open: 3 hands solved" in text
    assert "With all cards open" not in tricklog("audit", log).text
