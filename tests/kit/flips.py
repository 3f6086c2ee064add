"""Files of a warehouse that are damaged: used all the same, checked, and made whole again.

``python -m tests.kit.flips FOLDER EACH`` flips bits of each file of a small warehouse, cuts it off,
and prints what came of it. Each damaged warehouse goes to a process forked for it, so that a
library that crashes is noticed like any other failure.

Every change is read by what the program reads that file with. All commands then run on it when
nothing before it was read alike: a seal that says nothing says nothing whatever bit has flipped.
"""

import importlib
import json
import random
import shutil
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tests.kit.in_process import Ran, run_here
from tests.kit.kills import forked
from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines
from tests.kit.stored import HEADERS
from tricklog import encode_hand, ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.store import seals, userdata, warehouse
from tricklog.ingest.store.userdata import UserDataError, save_view, views
from tricklog.ingest.store.warehouse import WarehouseError, current_snapshot, snapshots
from tricklog.ingest.upkeep.salvaging import remains_of

LIMIT = 1_800
"""Seconds after which a use of a warehouse is taken for one that never ends."""
REFUSED = "refused"
"""Stands for a sentence about damage."""
QUESTIONS = ("stats --summary --json --db {db}", "db rejects --json --db {db}")


@dataclass(frozen=True)
class Mutation:
    file: str
    at: int
    """Byte whose bit flips or, at the end of an empty file, is added; or where the file is cut."""
    bit: int | None
    """The bit, ``None`` for a file that is cut off."""

    def __str__(self) -> str:
        what = "cut off" if self.bit is None else f"bit {self.bit} flipped"
        return f"{self.file} {what} at byte {self.at}"

    def apply(self, folder: Path) -> None:
        path = folder / self.file
        data = bytearray(path.read_bytes())
        if self.bit is None:
            del data[self.at :]
        elif self.at == len(data):
            data.append(1 << self.bit)
        else:
            data[self.at] ^= 1 << self.bit
        path.write_bytes(data)


def mutations(path: Path, count: int) -> Iterator[Mutation]:
    """Return changes of a file: three flips for each cut, some of both near its beginning.

    An empty file gets one byte instead.
    """
    dice = random.Random(f"flips/{path.name}")
    size = path.stat().st_size
    for number in range(count):
        at = dice.randrange(min(size, HEADERS) if number % 4 == 1 else size) if size else 0
        is_cut = size and number % 4 == 3
        yield Mutation(path.name, at, None if is_cut else dice.randrange(8))


class Flipper:
    """A small warehouse with every file that one can have, and copies of it that are damaged.

    The process itself never uses a library with threads, which a forked one could not use then.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sound = folder / "sound"
        self.db = folder / "db"
        self.more = write_lines(folder / "more.jsonl", [SOUND_LINE])
        self.says: dict[str, str] = {}
        self.after_load = ""
        self.known: set[tuple[str, str]] = set()
        """Files and how each was read when all commands did with it as they should."""
        self.mutations = Counter[str]()
        self.failures: list[str] = []
        status, found, _ = forked(self._made)
        assert status == 0
        self.says, self.after_load, modules = found
        for name in modules:
            with suppress(ImportError):
                importlib.import_module(name)
        self.files = sorted(self.sound.iterdir())

    def _made(self) -> tuple[dict[str, str], str, list[str]]:
        """Make the warehouse; return what it says, what it holds after a load, and all modules."""
        hands = generated("pedro", 1)
        logs = (
            write_hands(self.folder / "first.jsonl", hands[:3]),
            write_lines(self.folder / "second.jsonl", [*map(encode_hand, hands[3:5]), b"oops"]),
        )
        for log in logs:
            ingest.load(log, db=self.sound)
        open_facts(self.sound).close()
        for name in ("first", "second"):
            save_view(self.sound, name, "bids", {"variant": ["Pedro"]})
        self._begin(None)
        self.says = self._said() | {"facts": self._facts()}
        assert REFUSED not in self.says.values()
        assert self._run("db verify --db {db}").status == 0
        ingest.load(self.more, db=self.db)
        self.after_load = self._content()
        assert [*self._commands_with(None)] == []
        self._begin(None)
        for path in self.db.iterdir():
            self._read_as(path.name)
        return self.says, self.after_load, sorted(sys.modules)

    def change(self, mutation: Mutation) -> None:
        """Damage one file of a copy, use the copy, and repair it."""
        self.mutations[mutation.file] += 1
        status, found, _ = forked(lambda: self._failures_with(mutation))
        if status or found is None:
            died = signal.Signals(-status).name if status < 0 else f"status {status}"
            self.failures.append(f"{mutation}: the process died ({died})")
            return
        reading, failures = found
        self.failures += [f"{mutation}: {each}" for each in failures]
        if not failures:
            self.known.add((mutation.file, reading))

    def _failures_with(self, mutation: Mutation) -> tuple[str, list[str]]:
        """Return how the file is read, and what was wrong."""
        signal.alarm(LIMIT)
        try:
            self._begin(mutation)
            reading, failures = self._read_as(mutation.file)
            if (mutation.file, reading) not in self.known:
                failures += self._commands_with(mutation)
        except BaseException:  # noqa: BLE001 - whatever leaves the program is a failure
            return "", [traceback.format_exc()]
        return reading, failures

    # --- How a file is read

    def _read_as(self, name: str) -> tuple[str, list[str]]:
        """Return what the program makes of a file, as text, and what is wrong with that."""
        path = self.db / name
        if path.suffix == ".sqlite":
            return self._read_views(path)
        if name.startswith("facts-"):
            facts = self._facts()
            right = (self.says["facts"], REFUSED)
            return facts, [] if facts in right else [f"facts say {facts}"]
        if name.startswith("games-"):
            return self._read_snapshot(path)
        return _read_plain(path), []

    def _read_snapshot(self, path: Path) -> tuple[str, list[str]]:
        failures = []
        told: list[object] = []
        newest = snapshots(self.db)[-1]
        if path == newest:
            told = [self._content(), self._facts()]
            if told[0] not in (self.says["content"], REFUSED):
                failures.append(f"it says {told[0]}")
            if told[1] not in (self.says["facts"], REFUSED):
                failures.append(f"facts say {told[1]}")
            if not seals.difference(path, seals.read(path)):
                failures.append("its seal does not tell that it has changed")
        else:
            # Only who has nothing newer reads an older one.
            newest.write_bytes(b"junk")
        told.append(self._remains())
        return json.dumps(told), failures

    def _remains(self) -> object:
        """Return what a rebuild finds, with a checksum over the rows that can still be read."""
        scratch = self.folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        remains = remains_of(self.db, scratch)
        rows = ""
        if remains.stored and not remains.checksum:
            with warehouse.open_file(remains.stored) as connection:
                rows = warehouse.checksum(connection)
        return [remains.checksum, rows, len(remains.unreadable), remains.hands, len(remains.loads)]

    def _facts(self) -> str:
        """Return all that the facts say, as checksums of their tables."""
        try:
            with open_facts(self.db) as connection:
                tables = connection.execute(
                    "SELECT table_name FROM duckdb_tables() "
                    "WHERE database_name = current_database() ORDER BY table_name"
                ).fetchall()
                query = (
                    "SELECT count(*), bit_xor(md5_number(to_json(item)::VARCHAR)) FROM {} AS item"
                )
                return str(
                    [connection.execute(query.format(name)).fetchall() for (name,) in tables]
                )
        except (WarehouseError, duckdb.Error) as error:
            if isinstance(error, WarehouseError) or warehouse.is_trouble(error):
                return REFUSED
            raise

    def _read_views(self, path: Path) -> tuple[str, list[str]]:
        """Read a file of saved views, and have a rebuild put things right."""
        failures = []
        other = {userdata.COPY_NAME: userdata.FILE_NAME}.get(path.name)
        if other:
            # The copy is read when the file itself is gone.
            (self.db / other).unlink()
        said = _views(self.db)
        if said not in (self.says["views"], REFUSED):
            failures.append(f"saved views are {said}")
        if other:
            (self.db / other).write_bytes(b"junk")
        done = userdata.mend(self.db)
        after = _views(self.db)
        # With the file itself gone and its copy damaged there is nothing to put right.
        if after not in (self.says["views"], *([REFUSED] if other else [])):
            failures.append(f"after a rebuild saved views are {after}: {done}")
        return json.dumps([said, done, after]), failures

    # --- What the commands do

    def _commands_with(self, mutation: Mutation | None) -> Iterator[str]:
        """Use a warehouse in every way; yield what was wrong."""
        self._begin(mutation)
        checked = self._run("db verify --db {db}")
        if checked.status not in (0, 1, 3) or checked.raised:
            yield f"verify: {checked}"
        says = self._said()
        for question, answer in says.items():
            if answer not in (self.says[question], REFUSED):
                yield f"{question}: {answer}"
        if REFUSED in says.values() and checked.status == 0:
            yield "it cannot be used, and verify finds nothing"
        self._begin(mutation)
        yield from self._loaded()
        self._begin(mutation)
        yield from self._rebuilt()

    def _begin(self, mutation: Mutation | None) -> None:
        shutil.rmtree(self.db, ignore_errors=True)
        shutil.copytree(self.sound, self.db)
        if mutation:
            mutation.apply(self.db)

    def _loaded(self) -> Iterator[str]:
        """Load more: it is done as ever, or refused, and then a rebuild with the log does it."""
        ran = self._run(f"load {self.more} --db {{db}}")
        if _is_refusal(ran):
            ran = self._run(f"db rebuild {self.more} --db {{db}}")
        if ran.status not in (0, 1) or ran.raised:
            yield f"load: {ran}"
        stands = self._content()
        if stands != self.after_load:
            yield f"a load led to {stands}"

    def _rebuilt(self) -> Iterator[str]:
        ran = self._run("db rebuild --db {db}")
        if ran.status not in (0, 1):
            yield f"rebuild: {ran}"
        snapshot = current_snapshot(self.db)
        assert snapshot
        if wrong := seals.difference(snapshot, seals.read(snapshot)):
            yield f"after a rebuild: {wrong}"
        if self._content() != self.says["content"] or _views(self.db) != self.says["views"]:
            yield "after a rebuild it says something else"

    def _said(self) -> dict[str, str]:
        """Return what a warehouse says to each who asks; ``REFUSED`` where that was a sentence."""
        told = {"content": self._content(), "views": _views(self.db)}
        for question in QUESTIONS:
            ran = self._run(question)
            if _is_refusal(ran):
                # Facts that were damaged have been removed by now, and are counted again.
                again = self._run(question)
                told[question] = again.out if again.status == 0 else REFUSED
            else:
                told[question] = ran.out if ran.status == 0 else str(ran)
        return told

    def _content(self) -> str:
        try:
            with warehouse.open_snapshot(self.db) as connection:
                return warehouse.checksum(connection)
        except (WarehouseError, duckdb.Error) as error:
            return "none" if "no warehouse yet" in str(error) else REFUSED

    def _run(self, command: str) -> Ran:
        return run_here(command.format(db=self.db).split(), self.folder)


def _read_plain(path: Path) -> str:
    if path.name == "CURRENT":
        return _or_refused(lambda: str(current_snapshot(path.parent)))
    return repr(seals.read(path)) if path.suffix == ".seal" else path.read_bytes().hex()


def _is_refusal(ran: Ran) -> bool:
    """Whether a command told in one sentence which file is damaged."""
    return (
        ran.status == 3
        and not ran.raised
        and "tricklog: " in ran.err
        and "Traceback" not in ran.said
        and "/" in ran.err
    )


def _or_refused(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except (WarehouseError, UserDataError):
        return REFUSED


def _views(db: Path) -> str:
    return _or_refused(
        lambda: json.dumps([[view.name, view.page, view.query] for view in views(db)])
    )


def main() -> None:
    folder, each = sys.argv[1:]
    flipper = Flipper(Path(folder))
    for path in flipper.files:
        for mutation in mutations(path, int(each)):
            flipper.change(mutation)
    sys.stdout.write(json.dumps({"mutations": flipper.mutations, "failures": flipper.failures}))


if __name__ == "__main__":
    main()
