"""Verifying: a sound warehouse has no problem, and each way of being wrong is found."""

import shutil
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

import ingest
from ingest import NoSnapshotError
from ingest.store.warehouse import current_snapshot
from ingest.upkeep import verifying
from ingest.upkeep.verifying import verify
from replay import load_variant, variants
from replay.rulesets import ruleset
from schemas.hand import encode_hand
from tests.kit.log_lines import SOUND_LINE, generated, line, moved_on, write_hands, write_lines

HANDS = generated("pedro", 1)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    lines = [encode_hand(each) for each in (*HANDS[:3], moved_on(HANDS[3]), *HANDS[4:])]
    lines += [SOUND_LINE, line(dealer=1), b"oops"]
    ingest.load(write_lines(folder / "log.jsonl", lines), db=folder / "db")
    return folder / "db"


@pytest.fixture
def db(tmp_path: Path, sound: Path) -> Path:
    shutil.copytree(sound, tmp_path / "db")
    return tmp_path / "db"


def test_hands_of_all_games_have_no_problem(tmp_path: Path) -> None:
    hands = [each for variant in variants() for each in generated(variant, 1)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    found = verify(tmp_path / "db", everything=True)
    assert found.problems == ()
    assert (found.hands, found.replayed) == (len(hands), len(hands))


def test_a_sample_is_of_whole_games(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "SAMPLE", 2)
    found = verify(db)
    assert found.problems == ()
    assert 2 <= found.replayed <= len(HANDS) + 1


LOOSE = """
CREATE TABLE loose AS FROM {table}; DROP TABLE {table}; ALTER TABLE loose RENAME TO {table};
"""
"""Takes the constraints off a table."""

CORRUPTIONS: dict[str, tuple[str, str, str, str]] = {
    # name: table without constraints, statement, the check that finds it, its table
    "a hand twice": (
        "hands",
        "INSERT INTO hands FROM hands WHERE id = 'pedro-5-1-1'",
        "key",
        "hands",
    ),
    "a finding twice": (
        "findings",
        "INSERT INTO findings FROM findings LIMIT 1",
        "key",
        "findings",
    ),
    "a reject twice": ("rejects", "INSERT INTO rejects FROM rejects LIMIT 1", "key", "rejects"),
    "an import twice": ("imports", "INSERT INTO imports FROM imports LIMIT 1", "key", "imports"),
    "rules twice": ("rulesets", "INSERT INTO rulesets FROM rulesets LIMIT 1", "key", "rulesets"),
    "a game twice": ("games", "INSERT INTO games FROM games LIMIT 1", "key", "games"),
    "a player twice": ("players", "INSERT INTO players FROM players LIMIT 1", "key", "players"),
    "a hand of no import": (
        "",
        "UPDATE hands SET import_id = 9 WHERE id = 'pedro-5-1-1'",
        "reference",
        "hands",
    ),
    "a hand of no rules": (
        "",
        "UPDATE seatings SET ruleset = 'none'",
        "reference",
        "seatings",
    ),
    "a hand that nobody played": (
        "",
        "UPDATE hands SET seating_id = 99 WHERE id = 'pedro-5-1-1'",
        "reference",
        "hands",
    ),
    "a seating twice": ("", "INSERT INTO seatings FROM seatings LIMIT 1", "key", "seatings"),
    "a seating of no hand": (
        "",
        "INSERT INTO seatings SELECT * REPLACE (99 AS seating_id) FROM seatings LIMIT 1",
        "reference",
        "seatings",
    ),
    "sides for fewer seats": (
        "",
        "UPDATE seatings SET seat_sides = seat_sides[:3]",
        "seats",
        "seatings",
    ),
    "other sides": (
        "",
        "UPDATE seatings SET seat_sides = list_reverse(seat_sides)",
        "facts",
        "hands",
    ),
    "other rules than recorded": (
        "",
        "UPDATE seatings SET rules = replace(rules, 'pedro', 'pidro')",
        "ruleset",
        "rulesets",
    ),
    "a reject of no import": ("", "UPDATE rejects SET import_id = 9", "reference", "rejects"),
    "a finding of no hand": (
        "findings",
        "UPDATE findings SET hand_id = 'nobody' WHERE ordinal = 0",
        "reference",
        "findings",
    ),
    "a finding that is gone": (
        "findings",
        "UPDATE findings SET ordinal = ordinal + 1",
        "reference",
        "findings",
    ),
    "rules of no hand": (
        "",
        "INSERT INTO rulesets SELECT * REPLACE ('0' AS ruleset) FROM rulesets LIMIT 1",
        "reference",
        "rulesets",
    ),
    "lines that do not add up": (
        "imports",
        "UPDATE imports SET lines = lines + 1",
        "sum",
        "imports",
    ),
    "a hand that is gone": ("", "DELETE FROM hands WHERE id = 'pedro-5-1-1'", "sum", "imports"),
    "a reject too many": (
        "",
        "INSERT INTO rejects SELECT * REPLACE (reject || 'x' AS reject) FROM rejects",
        "sum",
        "imports",
    ),
    "a game with too many hands": ("", "UPDATE games SET hands = hands + 1", "sum", "games"),
    "a game that is gone": ("", "DELETE FROM games", "sum", "games"),
    "a player with too few hands": ("", "UPDATE players SET hands = 1", "sum", "players"),
    "points that nobody took": (
        "",
        "UPDATE hands SET points = [99, 99] WHERE id = 'pedro-5-1-1'",
        "sum",
        "hands",
    ),
    "a seat too many": (
        "",
        "UPDATE hands SET dealer = 6 WHERE id = 'pedro-5-1-1'",
        "seats",
        "hands",
    ),
    "another deal": (
        "",
        "UPDATE hands SET deal = translate(deal, '=>', '>=') WHERE id = 'pedro-5-1-1'",
        "hash",
        "hands",
    ),
    "the deeds of another hand": (
        "",
        (
            "UPDATE hands SET deeds = (SELECT deeds FROM hands WHERE id = 'pedro-5-1-2') "
            "WHERE id = 'pedro-5-1-1'"
        ),
        "hash",
        "hands",
    ),
    "deeds that are none": (
        "",
        "UPDATE hands SET deeds = '' WHERE id = 'pedro-5-1-1'",
        "hash",
        "hands",
    ),
    "other players": (
        "",
        (
            "UPDATE seatings SET players = [{'id': 'rob-' || p.id, 'name': p.name, 'kind': p.kind} "
            "FOR p IN players]"
        ),
        "hash",
        "hands",
    ),
    "a claim that the record has not": (
        "",
        'UPDATE hands SET tail = replace(tail, \'"claimed":~\', \'"claimed":{"scores":[1,2]}\')',
        "hash",
        "hands",
    ),
    "a deal that is none": (
        "",
        "UPDATE hands SET deal = 'x' WHERE id = 'pedro-5-1-1'",
        "unreadable",
        "hands",
    ),
    "cards that are none": (
        "",
        "UPDATE hands SET deal = '~' || deal WHERE id = 'pedro-5-1-1'",
        "unreadable",
        "hands",
    ),
    "a verb that is none": (
        "",
        "UPDATE hands SET deeds = 'e~' || deeds WHERE id = 'pedro-5-1-1'",
        "unreadable",
        "hands",
    ),
    "a trump that is cut off": (
        "",
        "UPDATE hands SET deeds = 'e4' WHERE id = 'pedro-5-1-1'",
        "unreadable",
        "hands",
    ),
    "a tail that is none": (
        "",
        "UPDATE hands SET tail = 'x' WHERE id = 'pedro-5-1-1'",
        "unreadable",
        "hands",
    ),
    "rules that are none": ("", "UPDATE seatings SET rules = 'x'", "unreadable", "hands"),
    "another line in quarantine": ("", "UPDATE rejects SET text = 'x'::BLOB", "hash", "rejects"),
    "other policies": (
        "",
        "UPDATE rulesets SET policies = replace(policies, 'true', 'false')",
        "ruleset",
        "rulesets",
    ),
    "other points of the rules": (
        "",
        "UPDATE rulesets SET total_points = total_points + 1",
        "ruleset",
        "rulesets",
    ),
    "another verdict": (
        "",
        "UPDATE hands SET verdict = 'irregular' WHERE id = 'pedro-5-1-1'",
        "facts",
        "hands",
    ),
    "other scores": (
        "",
        "UPDATE hands SET scores = [1, 2] WHERE id = 'pedro-5-1-1'",
        "facts",
        "hands",
    ),
    "another message": ("", "UPDATE findings SET message = 'No.'", "facts", "findings"),
    "no findings": ("", "DELETE FROM findings", "facts", "findings"),
    "another winner of the game": (
        "",
        "UPDATE games SET winner_side = 1 - winner_side",
        "facts",
        "games",
    ),
    "a view that is gone": ("", "DROP VIEW holdings", "schema", "holdings"),
    "a column more": ("", "ALTER TABLE games ADD COLUMN more INTEGER", "schema", "games.more"),
    "a macro that lies": (
        "",
        "CREATE OR REPLACE MACRO verb_name(verb) AS 'bid'",
        "schema",
        "verb_name",
    ),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_each_corruption_is_found(db: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loose, statement, check, table = CORRUPTIONS[name]
    if check != "facts":
        # The cheap check must find it by itself.
        monkeypatch.setattr(verifying.Run, "facts", lambda _: iter(()))
    snapshot = current_snapshot(db)
    with duckdb.connect(str(snapshot)) as connection:
        if loose:
            connection.execute(LOOSE.format(table=loose))
        before = len(connection.execute(f"FROM {table.split('.')[0]}").fetchall()) if loose else 0
        connection.execute(statement)
        assert before or not loose
    problems = verify(db).problems
    assert (check, table) in {(problem.check, problem.table) for problem in problems}
    assert all(problem.message and "tricklog" in problem.hint for problem in problems)


def test_a_record_that_cannot_be_read_hides_no_other(db: Path) -> None:
    with duckdb.connect(str(current_snapshot(db))) as connection:
        connection.execute("UPDATE hands SET tail = 'x' WHERE id = 'pedro-5-1-1'")
        connection.execute("UPDATE hands SET deeds = '' WHERE id = 'pedro-5-1-2'")
    found = verify(db)
    assert found.hands == len(HANDS) + 1
    told = {(problem.check, problem.row) for problem in found.problems}
    assert {("unreadable", "pedro-5-1-1"), ("hash", "pedro-5-1-2")} <= told


def test_only_so_many_rows_of_one_check_are_reported(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "MOST", 2)
    with duckdb.connect(str(current_snapshot(db))) as connection:
        connection.execute("UPDATE hands SET dealer = 6")
    seats = [problem for problem in verify(db).problems if problem.check == "seats"]
    assert len(seats) == 3
    assert "further rows" in seats[2].message


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("CURRENT", b"games-000007.duckdb\n"),
        ("CURRENT", b"nothing\n"),
        ("CURRENT", None),
        ("games-000001.duckdb", b"junk"),
    ],
)
def test_a_folder_without_a_snapshot_to_read(db: Path, file: str, text: bytes | None) -> None:
    if text is None:
        (db / file).unlink()
    else:
        (db / file).write_bytes(text)
    (problem,) = verify(db).problems
    assert problem.check == "file"
    assert "tricklog" in problem.hint


def test_bytes_that_changed_on_the_disk_are_found(db: Path) -> None:
    snapshot = current_snapshot(db)
    assert snapshot
    data = bytearray(snapshot.read_bytes())
    # The blocks of the file begin after its three headers; each has a checksum of its own.
    for at in range(3 * 4096 + 100, len(data), 64 * 1024):
        data[at] ^= 0xFF
    snapshot.write_bytes(data)
    assert verify(db).problems


def test_rules_that_were_changed_since_are_reported(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ruleset.Ruleset(
        **{name: getattr(load_variant("pedro"), name) for name in ruleset.Ruleset.__slots__}
        | {"hash": "0" * 16}
    )
    monkeypatch.setattr(verifying, "ruleset_of", lambda _: other)
    problems = [each for each in verify(db).problems if each.check == "ruleset"]
    assert problems
    assert all("tricklog reaudit" in problem.hint for problem in problems)


def test_nothing_to_verify(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError):
        verify(tmp_path)


def test_a_record_of_its_own_content_alone_is_checked(tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", [replace(HANDS[0], ext={"club/table": 1})])
    ingest.load(log, db=tmp_path / "db")
    assert verify(tmp_path / "db").problems == ()
