"""Verifying a lake: every file, every number, and every stored hand, as tasks of bounded size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import duckdb
import numpy as np
import pyarrow as pa

from tricklog.ingest.facts import build
from tricklog.ingest.lake import portions, reading
from tricklog.ingest.lake.checking import damaged
from tricklog.ingest.lake.door import LakeWarehouse
from tricklog.ingest.lake.engines import Engine, engine_of
from tricklog.ingest.lake.portions import Portion
from tricklog.ingest.lake.publish import Snapshot, in_words
from tricklog.ingest.lake.storage import LOG
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.store import database, forgotten, userdata, warehouse
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.upkeep import verifying
from tricklog.ingest.upkeep.verifying import MOST, REAUDIT, Problem, Verification

BRING_BACK: Final = (
    "Bring it back from a copy, or make the lake again from its logs and what is left of it: "
    "tricklog db rebuild."
)
_IDS_MEMORY: Final = 500_000_000
_FACTS: Final = ("seat_facts", "card_facts", "game_facts", "finding_facts", "tallies")
_COUNTED: Final = ("hands", "ids")
"""What the index and the hands are counted from."""
_OF_ALL: Final = ("imports", "players", "rejects", "long_texts")
"""Tables that are looked at as a whole."""


@dataclass(slots=True)
class Checked:
    """What came of a portion."""

    hands: int = 0
    replayed: int = 0
    problems: list[Problem] = field(default_factory=list)
    digest: int = 0
    """Over number, id and content of its hands, to be compared with the index of ids."""


@dataclass(frozen=True, slots=True)
class _PortionTask:
    portion: Portion
    everything: bool


def verify(
    lake: LakeWarehouse,
    *,
    everything: bool,
    on: str | None,
    on_progress: OnProgress | None,
) -> Verification:
    """Check the newest snapshot of a lake as ``verifying.verify`` says."""
    snapshot = lake.snapshot()
    state = lake.current()
    found = Checked()
    with engine_of(on) as engine:
        found.problems += _files(lake, snapshot, engine)
        if found.problems:
            # What hands say of each other cannot be told without all of them.
            return Verification(state, 0, 0, tuple(found.problems))
        checksum = ""
        with _told(found.problems, ""), lake.tables() as connection:
            run = verifying.Run(connection, None, everything=everything, on_progress=on_progress)
            run.check_tables(_OF_ALL)
            run.guarded("hash", "rejects", run.rejects)
            run.guarded("ruleset", "rulesets", run.rulesets)
            found.problems += run.problems
            checksum = warehouse.checksum(connection)
        parts = portions.portions(lake.lake, snapshot)
        tasks = [_PortionTask(each, everything) for each in parts]
        for part in engine.map(check_portion, tasks, memory=portions.MEMORY):
            _add(found, part)
            if on_progress:
                on_progress(Progress(Stage.CHECKING, hands=found.hands, done=found.hands))
        index = Checked()
        if parts:
            ranges = portions.portions_of_ids(lake.lake, snapshot)
            for part in engine.map(check_ids, ranges, memory=_IDS_MEMORY):
                _add(index, part)
    problems = (*index.problems, *found.problems)
    if (index.hands, index.digest) != (found.hands, found.digest) and not any(
        each.check == "unreadable" and each.table in _COUNTED for each in problems
    ):
        says = f"The index has {index.hands:,} ids of {found.hands:,} hands, or others than these."
        problems += (Problem("reference", "ids", "", says, BRING_BACK),)
    return Verification(state, found.hands, found.replayed, problems, checksum)


@contextmanager
def _told(problems: list[Problem], table: str) -> Iterator[None]:
    """Note as a problem what cannot be read, but for trouble of the store and of the memory."""
    try:
        yield
    except (StorageError, duckdb.IOException, duckdb.OutOfMemoryException):
        raise
    except (WarehouseError, duckdb.Error, pa.ArrowException, UnicodeError) as error:
        says = f"It cannot be read: {warehouse.first_line(error)}."
        problems.append(Problem("unreadable", table, "", says, BRING_BACK))


def _add(found: Checked, part: Checked) -> None:
    found.hands += part.hands
    found.replayed += part.replayed
    found.digest ^= part.digest
    # What is wrong everywhere is not told a thousand times.
    kinds = Counter((each.check, each.table) for each in found.problems)
    for problem in part.problems:
        if kinds[problem.check, problem.table] < MOST:
            found.problems.append(problem)
            kinds[problem.check, problem.table] += 1


def _files(lake: LakeWarehouse, snapshot: Snapshot, engine: Engine) -> Iterator[Problem]:
    """Read every file as a whole, and compare it with what was published."""
    for name, says in damaged(lake.lake, snapshot, snapshot.versions, engine):
        yield Problem("file", name, "", says, BRING_BACK)
    with in_words(lake.storage):
        for table in sorted(snapshot.versions):
            # To Delta a commit without a word is one in which nothing happened.
            log = lake.storage.list(f"{table}/{LOG}")
            for name in sorted(each.name for each in log if not each.size):
                yield Problem("file", name, "", f"{name} is empty.", BRING_BACK)
        of_hands, of_list = Blocks(lake.storage).troubles(), forgotten.troubles(lake.storage)
        yield from verifying.of_files(of_hands, of_list)
    if wrong := userdata.damage(lake.user_folder()):
        yield Problem("file", userdata.FILE_NAME, "", wrong, verifying.RESTORE)


# --- Portions


def check_portion(task: _PortionTask) -> Checked:
    """Check the hands of a portion: records against hashes, and what is stored against a replay."""
    found = Checked()
    with _told(found.problems, "hands"), portions.extracted(task.portion) as stored:
        with closing(warehouse.open_file(stored, once=True)) as connection:
            run = verifying.Run(connection, stored, everything=task.everything, on_progress=None)
            run.check(_OF_ALL)
            ((digest,),) = connection.execute(_DIGEST_OF_HANDS).fetchall()
        found.hands, found.replayed, found.digest = run.hands, run.replayed, int(digest)
        found.problems += run.problems
        if not run.problems:
            with _told(found.problems, "facts"):
                found.problems += _facts(task.portion, stored)
    return found


def _facts(portion: Portion, stored: Path) -> Iterator[Problem]:
    """Derive the facts of a portion, and compare them with those stored."""
    facts = stored.with_name("facts.duckdb")
    build.derive(stored, facts, tallied=True, passing=True)
    within = [portion.first, portion.behind]
    with (
        closing(database.open_shut_off(facts, games=stored)) as derived,
        reading.open_facts(*portion.opened()) as kept,
    ):
        for table in _FACTS:
            now, then = (
                {
                    game: digest
                    for game, *digest in each.execute(
                        _DIGESTS_OF_FACTS.format(table=table), within
                    ).fetchall()
                }
                for each in (derived, kept)
            )
            wrong = (game for game in now.keys() | then.keys() if now.get(game) != then.get(game))
            says = "The stored records give other rows of facts than are stored of this game."
            for game in sorted(wrong)[:MOST]:
                yield Problem("facts", table, str(game), says, REAUDIT)


# --- Ids


def check_ids(portion: Portion) -> Checked:
    """Look for hands that have one id, among the ids of a portion."""
    checked = Checked()
    with _told(checked.problems, "ids"):
        ids = portion.rows("ids", "id_hash", ["id_hash", "content", "hand_no"])
        hashes = np.sort(ids["id_hash"].to_numpy())
        twice = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
        with database.connect() as connection:
            connection.register("ids", ids)
            ((digest,),) = connection.execute(_DIGEST_OF_IDS).fetchall()
            numbers = connection.execute(_NUMBERS_OF, [twice.tolist()]).fetchall()
        checked.hands, checked.digest = len(ids), int(digest)
        if numbers:
            with reading.open_tables(*portion.opened(), once=True) as stored:
                hands = [number for (number,) in numbers]
                for (name,) in stored.execute(_TWICE, [hands, MOST]).fetchall():
                    says = "Several stored hands have this id."
                    checked.problems.append(Problem("key", "hands", name, says, BRING_BACK))
    return checked


_DIGEST_OF_HANDS: Final = """
SELECT coalesce(bit_xor(
    md5_number(concat_ws(' ', md5_number_lower(hand_id), content_hash, hand_no))
), 0)
FROM hands
"""
_DIGEST_OF_IDS: Final = """
SELECT coalesce(bit_xor(md5_number(concat_ws(
    ' ',
    CASE WHEN id_hash < 0 THEN id_hash::HUGEINT + 18446744073709551616 ELSE id_hash END,
    hex(content)::UUID,
    hand_no
))), 0)
FROM ids
"""
# Numbers of seats are others in a lake.
_DIGESTS_OF_FACTS: Final = """
SELECT game_no, count(*), bit_xor(md5_number(to_json(item)::VARCHAR))
FROM (SELECT COLUMNS(lambda name: name NOT IN ('seating_id', 'chair')) FROM {table}) AS item
WHERE game_no >= $1 AND game_no < $2
GROUP BY game_no
"""
_NUMBERS_OF: Final = "SELECT hand_no FROM ids WHERE id_hash IN (SELECT unnest($1::BIGINT[]))"
_TWICE: Final = """
SELECT hand_id FROM hands WHERE hand_no IN (SELECT unnest($1::BIGINT[]))
GROUP BY hand_id HAVING count(*) > 1 ORDER BY hand_id LIMIT $2
"""
