"""Files of a warehouse that are damaged: used all the same, checked, and made whole again.

Each damaged warehouse goes to a process forked for it, so that a library that crashes is noticed
like any other failure.
"""

import importlib
import json
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

import ingest
from ingest.facts.files import open_facts
from ingest.store import seals, warehouse
from ingest.store.userdata import UserDataError, save_view, views
from ingest.store.warehouse import WarehouseError, current_snapshot
from schemas.hand import encode_hand
from tests.kit.damage import Mutation
from tests.kit.in_process import Ran, run_here
from tests.kit.kill_child import forked
from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines

LIMIT = 1_800
"""Seconds after which a use of a warehouse is taken for one that never ends."""
REFUSED = "refused"
"""Stands for a sentence about damage."""
QUESTIONS = ("summary --json --db {db}", "rejects --json --db {db}")


@dataclass
class Tally:
    """What came of a number of changes, by file."""

    mutations: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    """Of these, how many ``verify`` or whoever used the file told of; the others did no harm."""
    failures: list[str] = field(default_factory=list)


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
        status, found, _ = forked(self._made)
        assert status == 0
        self.says, self.after_load, modules = found
        for name in modules:
            with suppress(ImportError):
                importlib.import_module(name)
        self.files = sorted(self.sound.iterdir())
        self.tally = Tally()

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
        self.says = self._said(self.db)
        assert REFUSED not in self.says.values()
        ingest.load(self.more, db=self.db)
        self.after_load = self._content(self.db)
        failures, noticed = self._failures_with(None)
        assert not failures, failures
        assert not noticed
        return self.says, self.after_load, sorted(sys.modules)

    def change(self, mutation: Mutation) -> None:
        """Damage one file of a copy, use the copy, and repair it."""
        tally = self.tally
        tally.mutations[mutation.file] += 1
        status, found, _ = forked(lambda: self._failures_with(mutation))
        if status or found is None:
            died = signal.Signals(-status).name if status < 0 else f"status {status}"
            tally.failures.append(f"{mutation}: the process died ({died})")
            return
        failures, noticed = found
        tally.failures += [f"{mutation}: {each}" for each in failures]
        tally.noticed[mutation.file] += noticed

    def _failures_with(self, mutation: Mutation | None) -> tuple[list[str], bool]:
        """Use a warehouse in every way; return what was wrong, and whether the damage was told."""
        signal.alarm(LIMIT)
        self._begin(mutation)
        failures = []
        checked = self._run("verify --db {db}")
        if checked.status not in (0, 1, 3) or checked.raised:
            failures.append(f"verify: {checked}")
        says = self._said(self.db)
        for question, answer in says.items():
            if answer not in (self.says[question], REFUSED):
                failures.append(f"{question}: {answer}")
        noticed = checked.status != 0 or REFUSED in says.values()
        if REFUSED in says.values() and checked.status == 0:
            failures.append("it cannot be used, and verify finds nothing")
        self._begin(mutation)
        failures += self._loaded()
        self._begin(mutation)
        failures += self._rebuilt()
        return failures, noticed

    def _begin(self, mutation: Mutation | None) -> None:
        shutil.rmtree(self.db, ignore_errors=True)
        shutil.copytree(self.sound, self.db)
        if mutation:
            mutation.apply(self.db)

    def _loaded(self) -> Iterator[str]:
        """Load more: it is done as ever, or refused, and then a rebuild with the log does it."""
        ran = self._run(f"load {self.more} --db {{db}}")
        if _is_refusal(ran):
            ran = self._run(f"rebuild {self.more} --db {{db}}")
        if ran.status not in (0, 1) or ran.raised:
            yield f"load: {ran}"
        stands = self._content(self.db)
        if stands != self.after_load:
            yield f"a load led to {stands}"

    def _rebuilt(self) -> Iterator[str]:
        ran = self._run("rebuild --db {db}")
        if ran.status not in (0, 1):
            yield f"rebuild: {ran}"
        snapshot = current_snapshot(self.db)
        assert snapshot
        if wrong := seals.difference(snapshot, seals.read(snapshot)):
            yield f"after a rebuild: {wrong}"
        if self._content(self.db) != self.says["content"] or _views(self.db) != self.says["views"]:
            yield "after a rebuild it says something else"

    def _said(self, db: Path) -> dict[str, str]:
        """Return what a warehouse says to each who asks; ``REFUSED`` where that was a sentence."""
        told = {"content": self._content(db), "views": _views(db)}
        for question in QUESTIONS:
            ran = self._run(question)
            if _is_refusal(ran):
                # Facts that were damaged have been removed by now, and are counted again.
                again = self._run(question)
                told[question] = again.out if again.status == 0 else REFUSED
            else:
                told[question] = ran.out if ran.status == 0 else str(ran)
        return told

    def _content(self, db: Path) -> str:
        try:
            with warehouse.open_snapshot(db) as connection:
                return warehouse.checksum(connection)
        except (WarehouseError, duckdb.Error) as error:
            return "none" if "no warehouse yet" in str(error) else REFUSED

    def _run(self, command: str) -> Ran:
        return run_here(command.format(db=self.db).split(), self.folder)


def _is_refusal(ran: Ran) -> bool:
    """Whether a command told in one sentence which file is damaged."""
    return (
        ran.status == 3
        and not ran.raised
        and "tricklog: " in ran.err
        and "Traceback" not in ran.said
        and "/" in ran.err
    )


def _views(db: Path) -> str:
    try:
        return json.dumps([[view.name, view.page, view.query] for view in views(db)])
    except UserDataError:
        return REFUSED
