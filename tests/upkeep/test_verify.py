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
from tests.kit.rule_cases import sections_in
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

FIRST = "WHERE hand_id = 'pedro-5-1-1'"


class Corruption(NamedTuple):
    name: str
    check: str
    table: str
    is_loose: bool
    statement: str


def corruptions() -> list[list[Corruption]]:
    """Return what is made at once; in the thorough tier each by itself."""
    found: list[list[Corruption]] = []
    for rows in sections_in(Path(__file__).with_name("corruptions.txt")).values():
        found.append([])
        for name, finds, statement in rows:
            check, table, *loose = finds.split()
            text = statement.replace("$FIRST", FIRST)
            found[-1].append(Corruption(name, check, table, bool(loose), text))
    return [[each] for made in found for each in made] if is_thorough() else found[:-1]


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
