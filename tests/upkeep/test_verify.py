"""Verifying: a sound warehouse has no problem, and each way of being wrong is found."""

from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from msgspec.structs import replace

from tests.kit.following import followed
from tests.kit.in_process import Ran, run_here
from tests.kit.log_lines import SOUND_LINE, generated, line, moved_on, write_hands, write_lines
from tests.kit.made_once import copied, once
from tests.kit.score_sheets import as_csv, one_row_a_hand, scored
from tests.kit.stored import SILENT, alter, snapshot_of, uncommented_in
from tests.kit.tiers import is_thorough, some
from tricklog import NoSnapshotError, encode_hand, ingest, load_variant, variants
from tricklog.core.rulesets import ruleset
from tricklog.ingest.loading import workers
from tricklog.ingest.upkeep import verifying
from tricklog.ingest.upkeep.verifying import verify


@once("db")
def sound(folder: Path) -> None:
    hands = list(generated("pedro", 1))
    hands[3] = moved_on(hands[3])
    lines = [*map(encode_hand, hands), SOUND_LINE, line(dealer=1), b"oops"]
    ingest.load(write_lines(folder / "log.jsonl", lines), db=folder / "db")


db = copied("sound")


def test_hands_of_all_games_have_no_problem(tmp_path: Path) -> None:
    hands = [each for variant in some(list(variants()), 2) for each in generated(variant, 1)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    found = verify(tmp_path / "db", everything=True)
    assert found.problems == ()
    assert (found.hands, found.replayed) == (len(hands), len(hands))


def test_a_sample_is_of_whole_games(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "SAMPLE", 2)
    found = verify(db)
    assert found.problems == ()
    assert 2 <= found.replayed <= len(generated("pedro", 1)) + 1


LOOSE = """
CREATE TABLE loose AS FROM {table}; DROP TABLE {table}; ALTER TABLE loose RENAME TO {table};
"""
"""Takes the constraints off a table."""

CORRUPTIONS = r"""
a hand twice | key hands loose | INSERT INTO hands FROM hands $FIRST
a finding twice | key findings loose | INSERT INTO findings FROM findings LIMIT 1
a reject twice | key rejects loose | INSERT INTO rejects FROM rejects LIMIT 1
an import twice | key imports loose | INSERT INTO imports FROM imports LIMIT 1
rules twice | key rulesets loose | INSERT INTO rulesets FROM rulesets LIMIT 1
a game twice | key games loose | INSERT INTO games FROM games LIMIT 1
a player twice | key players loose | INSERT INTO players FROM players LIMIT 1
a hand of no import | reference hands | UPDATE hands SET import_id = 9 $FIRST
a hand of no rules | reference seatings | UPDATE seatings SET ruleset = 'none'
a seating twice | key seatings | INSERT INTO seatings FROM seatings LIMIT 1
sides for fewer seats | seats seatings | UPDATE seatings SET seat_sides = seat_sides[:3]
a reject of no import | reference rejects | UPDATE rejects SET import_id = 9
a seat too many | seats hands | UPDATE hands SET dealer = 6 $FIRST
a deal that is none | unreadable hands | UPDATE hands SET deal = 'x' $FIRST
another line in quarantine | hash rejects | UPDATE rejects SET text = 'x'::BLOB
a view that is gone | schema holdings | DROP VIEW holdings
a column more | schema games.more | ALTER TABLE games ADD COLUMN more INTEGER
a macro that lies | schema verb_name | CREATE OR REPLACE MACRO verb_name(verb) AS 'bid'
---
a hand that nobody played | reference hands | UPDATE hands SET seating_id = 99 $FIRST
other rules than recorded | ruleset rulesets | UPDATE seatings SET rules = replace(rules, 'pedro',
    'pidro')
a finding of no hand | reference findings loose | UPDATE findings SET hand_id = 'nobody' WHERE
    ordinal = 0
lines that do not add up | sum imports loose | UPDATE imports SET lines = lines + 1
a game with too many hands | sum games | UPDATE games SET hands = hands + 1
---
a seating of no hand | reference seatings | INSERT INTO seatings SELECT * REPLACE (99 AS seating_id)
    FROM seatings LIMIT 1
a finding that is gone | reference findings loose | UPDATE findings SET ordinal = ordinal + 1
rules of no hand | reference rulesets | INSERT INTO rulesets SELECT * REPLACE ('0' AS ruleset) FROM
    rulesets LIMIT 1
a hand that is gone | sum imports | DELETE FROM hands $FIRST
other players | hash hands | UPDATE seatings SET players = [{'id': 'rob-' || p.id, 'name': p.name,
    'kind': p.kind} FOR p IN players]
---
a reject too many | sum imports | INSERT INTO rejects SELECT * REPLACE (reject || 'x' AS reject)
    FROM rejects
a game that is gone | sum games | DELETE FROM games
a player with too few hands | sum players | UPDATE players SET hands = 1
points that nobody took | sum hands | UPDATE hands SET points = [99, 99] $FIRST
cards that are none | unreadable hands | UPDATE hands SET deal = '~' || deal $FIRST
other policies | ruleset rulesets | UPDATE rulesets SET policies = replace(policies, 'true',
    'false')
---
another deal | hash hands | UPDATE hands SET deal = translate(deal, '=>', '>=') $FIRST
other points of the rules | ruleset rulesets | UPDATE rulesets SET total_points = total_points + 1
---
other sides | facts hands | UPDATE seatings SET seat_sides = list_reverse(seat_sides)
another message | facts findings | UPDATE findings SET message = 'No.'
---
another verdict | facts hands | UPDATE hands SET verdict = 'irregular' $FIRST
no findings | facts findings | DELETE FROM findings
another winner of the game | facts games | UPDATE games SET winner_side = 1 - winner_side
---
the deeds of another hand | hash hands | UPDATE hands SET deeds = (SELECT deeds FROM hands
    WHERE hand_id = 'pedro-5-1-2') $FIRST
deeds that are none | hash hands | UPDATE hands SET deeds = '' $FIRST
a claim that the record has not | hash hands | UPDATE hands SET tail = replace(tail, '"claimed":~',
    '"claimed":{"scores":[1,2]}')
a verb that is none | unreadable hands | UPDATE hands SET deeds = 'e~' || deeds $FIRST
a trump that is cut off | unreadable hands | UPDATE hands SET deeds = 'e4' $FIRST
a tail that is none | unreadable hands | UPDATE hands SET tail = 'x' $FIRST
rules that are none | unreadable hands | UPDATE seatings SET rules = 'x'
other scores | facts hands | UPDATE hands SET scores = [1, 2] $FIRST
"""
"""The name; the check that finds it, its table, ``loose``: without constraints; the statement.

Those between two lines are made at once in the first tier: of each only its own check and table
tells. What stands below the last line goes with no other and is left to the thorough tier.
"""
FIRST = "WHERE hand_id = 'pedro-5-1-1'"


class Corruption(NamedTuple):
    name: str
    check: str
    table: str
    is_loose: bool
    statement: str


def corruptions() -> list[list[Corruption]]:
    """Return what is made at once; in the thorough tier each by itself."""
    *together, alone = (
        [corruption_of(row) for row in block.strip().splitlines()]
        for block in CORRUPTIONS.replace("\n    ", " ").split("---")
    )
    if is_thorough():
        return [[each] for block in (*together, alone) for each in block]
    return together


def corruption_of(row: str) -> Corruption:
    name, found, statement = row.split(" | ")
    check, table, *loose = found.split()
    return Corruption(name, check, table, bool(loose), statement.replace("$FIRST", FIRST))


def corrupt(snapshot: Path, made: list[Corruption]) -> None:
    with duckdb.connect(str(snapshot)) as connection:
        for table in {each.table: None for each in made if each.is_loose}:
            connection.execute(LOOSE.format(table=table))
            assert connection.execute(f"FROM {table}").fetchall(), table
        for each in made:
            connection.execute(each.statement)


@pytest.mark.slow("dozens of warehouses, each wrong in its own way")
def test_each_corruption_is_found(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = snapshot_of(db)
    sound = snapshot.read_bytes()
    missed = []
    for made in corruptions():
        snapshot.write_bytes(sound)
        corrupt(snapshot, made)
        with monkeypatch.context() as patch:
            if made[0].check != "facts":
                # The cheap check must find it by itself.
                patch.setattr(verifying.Run, "facts", lambda _: iter(()))
            problems = verify(db).problems
        found = {(problem.check, problem.table) for problem in problems}
        missed += [f"{each}: {problems}" for each in made if (each.check, each.table) not in found]
        assert all(problem.message and "tricklog" in problem.hint for problem in problems), made
    assert not missed, "\n".join(missed)


def test_a_record_that_cannot_be_read_hides_no_other(db: Path) -> None:
    alter(
        db,
        "UPDATE hands SET tail = 'x' WHERE hand_id = 'pedro-5-1-1'",
        "UPDATE hands SET deeds = '' WHERE hand_id = 'pedro-5-1-2'",
    )
    found = verify(db)
    assert found.hands == len(generated("pedro", 1)) + 1
    told = {(problem.check, problem.row) for problem in found.problems}
    assert {("unreadable", "pedro-5-1-1"), ("hash", "pedro-5-1-2")} <= told


def test_only_so_many_rows_of_a_check_are_told(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "MOST", 2)
    alter(db, "UPDATE hands SET dealer = 6")
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


def test_rules_that_changed_since_are_reported(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {name: getattr(load_variant("pedro"), name) for name in ruleset.Ruleset.__slots__}
    other = ruleset.Ruleset(**values | {"hash": "0" * 16})
    monkeypatch.setattr(verifying, "ruleset_of", lambda _: other)
    problems = [each for each in verify(db).problems if each.check == "ruleset"]
    assert problems
    assert all("tricklog db reaudit" in problem.hint for problem in problems)


def test_a_record_is_checked_by_its_own_content_alone(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError):
        verify(tmp_path)
    hand = replace(generated("pedro", 1)[0], ext={"club/table": 1})
    ingest.load(write_hands(tmp_path / "log.jsonl", [hand]), db=tmp_path / "db")
    assert verify(tmp_path / "db").problems == ()


HANDS = generated("pedro")
SHORT = ("--budget", "1s") if is_thorough() else ("--sample", "1")
WHO, OTHER = (player.id for player in HANDS[0].players[:2])


def ran(folder: Path, *words: str) -> Ran:
    of_warehouse = () if words[0] == "sheet" else ("--db", str(folder / "db"))
    made = run_here([*words, *of_warehouse], folder)
    assert made.status in (0, 1, 3), (words, made.said, made.raised)
    return made


def test_a_warehouse_is_in_order_after_each_command_that_writes_into_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path
    monkeypatch.setattr(workers, "cores", lambda: 1)
    log = write_hands(folder / "first.jsonl", HANDS[:6])
    later = write_hands(folder / "followed.jsonl", HANDS[6:8])
    text = folder / "hands.trick"
    text.write_text("game pedro\nplayers Ann, Bo, Cy, Dee\n\nAnn bids 99\nhearts\n\nAnn bids 7\n")
    sheet = folder / "scores.csv"
    sheet.write_bytes(as_csv(one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand"])))
    with followed(later, db=folder / "db") as follower:
        follower.await_hands(2)
    seen: set[Path] = set()
    # Verifying costs most. The first tier does it three times, after what several commands wrote.
    for is_looked_at, *words in (
        (False, "load", str(log)),
        (False, "load", str(text)),
        (False, "load", "--inspect", str(sheet), "--variant", "pedro"),
        (False, "load", str(sheet), "--variant", "pedro"),
        (False, "load", str(sheet), "--variant", "pedro", "--correct"),
        (False, "mark", "tag", "add", "lesson", HANDS[0].id),
        (False, "mark", "note", "add", HANDS[0].id, "seen"),
        (False, "mark", "note", "add", "--player", WHO, "passes"),
        (False, "mark", "alias", "add", OTHER, "ann"),
        (False, "solve", *SHORT),
        (False, "show", "ledger", "--budget", "1s"),
        (True, "stats", "made-rate"),
        (False, "db", "reaudit"),
        (True, "forget", WHO, "--yes"),
        (False, "db", "rebuild", str(log)),
        (True, "db", "reaudit"),
    ):
        if words[1] == "ledger" and not is_thorough():
            continue
        ran(folder, *words)
        files = set((folder / "db").rglob("*.duckdb"))
        for file in files - seen:
            assert uncommented_in(str(file)) == [], (words, file.name)
        seen |= files
        if words[0] == "stats":
            # Of merged players and solved hands, over views.
            assert ran(folder, "sql", SILENT, "--json").out == ""
        if is_looked_at or is_thorough():
            verified = ran(folder, "db", "verify")
            assert verified.status == 0, (words, verified.said)
    assert "in quarantine" in ran(folder, "db", "rejects").said
    assert {file.name.partition("-")[0] for file in seen} == {"facts", "games", "solved"}
