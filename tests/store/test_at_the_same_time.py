"""Two loads at once, and readers while snapshots are published: processes and threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.log_lines import generated, line, write_hands, write_lines
from tests.kit.tiers import scaled
from tricklog import BusyError, encode_hand, ingest
from tricklog.ingest.loading import games
from tricklog.ingest.store import publishing

PUBLISHES = scaled(5, most=12)
"""Each reader sees several of them, and no snapshot that it reads outlives three more."""
REPOSITORY = Path(__file__).parents[2]

READER = """
import sys, threading, time
from tricklog.ingest.store.warehouse import open_snapshot

def read(name):
    newest = looks = 0
    while newest < {publishes}:
        with open_snapshot({db!r}) as connection:
            def one(query):
                return connection.execute(query).fetchall()[0]
            number, accepted, rejected = one(
                "SELECT max(import_id), sum(accepted), sum(quarantined) FROM imports")
            time.sleep(0.02)
            hands, games = one("SELECT count(*), count(DISTINCT game) FROM hands")
            seen = (accepted, rejected, hands, *one("SELECT count(*) FROM rejects"),
                    *one("SELECT count(*) FROM games"), *one("SELECT sum(hands) FROM players"))
        expected = (number, number, number, number, games, 4 * number)
        if seen != expected or number < newest:
            tell(f"{{name}} {{newest}} {{number}} {{seen}}")
        newest, looks = number, looks + 1
        time.sleep(0.2)
    tell(f"read {{looks}}")

def tell(text):
    # One write a line: print would let another thread come between a text and its end.
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

tell("ready")
threads = [threading.Thread(target=read, args=(n,)) for n in range({threads})]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def python(script: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )


def publish_one_more(db: Path, number: int) -> None:
    """Publish a snapshot with one import, one hand and one reject more."""
    with publishing.writing(db, wait=0), publishing.draft(db) as connection:
        for statement in ONE_MORE:
            connection.execute(statement, {"n": number})
        games.refresh(connection)


ONE_MORE = (
    """INSERT INTO hands BY NAME
    SELECT * REPLACE ($n::INTEGER AS import_id, $n::VARCHAR AS hand_id, -$n AS hand_no)
    FROM hands LIMIT 1""",
    """INSERT INTO rejects BY NAME
    SELECT * REPLACE ($n::INTEGER AS import_id, $n::VARCHAR AS reject) FROM rejects LIMIT 1""",
    "INSERT INTO imports BY NAME SELECT * REPLACE ($n::INTEGER AS import_id) FROM imports LIMIT 1",
)


def test_readers_see_whole_snapshots_while_others_are_published(tmp_path: Path) -> None:
    db = tmp_path / "db"
    lines = [encode_hand(generated("pedro", 1)[0]), line(dealer=9)]
    ingest.load(write_lines(tmp_path / "log.jsonl", lines), db=db)
    script = READER.format(db=str(db), publishes=PUBLISHES, threads=4)
    reader = python(script)
    assert reader.stdout
    assert reader.stdout.readline() == "ready\n"
    for number in range(2, PUBLISHES + 1):
        publish_one_more(db, number)
    said = reader.communicate()[0].splitlines()
    assert reader.returncode == 0
    assert len(said) == 4
    assert all(each.startswith("read ") for each in said)
    assert len(list(db.glob("*.duckdb"))) == publishing.KEPT


def test_a_load_that_another_process_holds_up_is_refused_in_words(tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 1))
    holder = python(
        "import pathlib; from tricklog.ingest.store import publishing\n"
        f"with publishing.writing(pathlib.Path({str(tmp_path / 'db')!r}), wait=0):\n"
        "    print('held', flush=True); input()"
    )
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    stages: list[str] = []
    with pytest.raises(BusyError, match="Another load is publishing"):
        ingest.load(
            log,
            db=tmp_path / "db",
            wait=0.2,
            on_progress=lambda progress: stages.append(progress.stage),
        )
    assert stages[-1] == "waiting for another load"
    holder.kill()
    holder.communicate()
    # The lock of a process that was killed is free.
    assert ingest.load(log, db=tmp_path / "db", wait=0).published
