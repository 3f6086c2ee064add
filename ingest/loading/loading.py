"""Loading logs into a warehouse: stage, settle, store; the same hands add nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import files as facts_files
from tricklog.ingest.loading import workers
from tricklog.ingest.loading.auditing import OnWarning
from tricklog.ingest.loading.foreign import reader_named
from tricklog.ingest.loading.report import (
    NOTHING,
    Account,
    Forecast,
    LoadReport,
    OnReject,
    Superseded,
)
from tricklog.ingest.loading.staging import Staged, stage
from tricklog.ingest.loading.storing import note_load, numbers_after, store
from tricklog.ingest.loading.workers import Team
from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList
from tricklog.ingest.reading.progress import ByteCounter, OnProgress, Stage
from tricklog.ingest.score_sheets.settings import settings_of
from tricklog.ingest.store import loads, publishing, warehouse
from tricklog.ingest.store.forgotten import forgotten_meanwhile, read
from tricklog.ingest.store.publishing import WAIT, ForgottenMeanwhileError

OnCorrection = Callable[[Superseded], None]


class Folder:
    """A warehouse in a folder, which is made when it does not exist.

    A rehearsal leaves the folder as it is, and what is written is thrown away.
    """

    def __init__(self, path: Path, *, is_rehearsal: bool = False) -> None:
        self.is_rehearsal = is_rehearsal
        self.path = path if is_rehearsal else publishing.prepare(path)

    def current(self) -> Path | None:
        """Return the snapshot that is published now; ``None`` before the first load."""
        return warehouse.current_snapshot(self.path)

    def forgotten(self) -> ForgottenList | None:
        """Return the list of those who were forgotten, ``None`` where nobody was.

        Raises ``DamagedError`` where it cannot be read.
        """
        return read(self.path)

    def held(self, wait: float, on_wait: Callable[[], None]) -> AbstractContextManager[None]:
        """Keep other loads from deciding what is new until the end of a ``with``.

        ``wait``: seconds to wait for another one; ``on_wait`` is called once when that is needed.
        What other loads do meanwhile does no harm to a rehearsal.
        """
        if self.is_rehearsal:
            return nullcontext()
        return publishing.writing(self.path, wait=wait, on_wait=on_wait)

    @contextmanager
    def draft(self, *, facts: bool, on_progress: OnProgress) -> Iterator[DuckDBPyConnection]:
        """Give the tables to write to, and publish them at the end of a ``with``.

        With ``facts`` what figures are made of is published beside them; ``on_progress`` hears how
        far that is.
        """
        if self.is_rehearsal:
            with publishing.rehearsal(self.path) as connection:
                yield connection
            return
        before = self.current()
        old = warehouse.facts_file(before) if facts and before else None

        def make_facts(draft: Path, hands: int, state: str) -> None:
            if facts:
                facts_files.make_beside(draft, hands, state, before, on_progress)

        with publishing.draft(self.path, facts=old, make_facts=make_facts) as connection:
            yield connection


def load(  # noqa: PLR0913 - all of them are named
    *paths: str | Path,
    db: str | Path,
    on_progress: OnProgress | None = None,
    on_reject: OnReject | None = None,
    on_warning: OnWarning | None = None,
    wait: float = WAIT,
    dry_run: bool = False,
    facts: bool = True,
    cores: int | None = None,
    adapter: str | None = None,
    correct: bool = False,
    forgotten: Forgotten | None = None,
    on_correction: OnCorrection | None = None,
) -> LoadReport:
    """Load hand logs into the folder ``db``, as ``tricklog.ingest.warehouses.load`` says.

    ``adapter`` may be the ``reader`` of the settings of score sheets, too; ``cores`` is how many
    processor cores to take, all by default; ``forgotten`` says who was forgotten where that is not
    said by a list in ``db``.

    Raises what that raises; ``ValueError`` for ``correct`` without score sheets.
    """
    foreign = reader_named(adapter) if adapter is not None else None
    settings = settings_of(adapter) if adapter is not None else None
    if correct and settings is None:
        raise ValueError("Only score sheets take the place of what was loaded of them before.")
    target = Folder(Path(db), is_rehearsal=dry_run)
    logs = loads.as_named((str(path) for path in paths), adapter)
    listed = target.forgotten()
    forgotten = Forgotten(listed) if listed else forgotten
    account = Account(Forecast(facts and not dry_run), on_progress, on_reject, on_warning)
    with Staged(account, forgotten) as staged, Team(cores or workers.cores()) as team:
        stage(paths, staged, ByteCounter(paths), foreign=foreign)
        with target.held(wait, lambda: account.tell(Stage.WAITING)):
            if target.forgotten() != listed:
                raise ForgottenMeanwhileError(forgotten_meanwhile(db))
            old = NOTHING
            if correct and settings is not None:
                from tricklog.ingest.loading.known_sheets import superseded

                old = superseded(target.current(), settings, paths, forgotten)
                if old.ids and on_correction:
                    on_correction(old)
            named = forgotten.in_each(logs) if forgotten else logs
            return publish(staged, target, team, named, facts=facts, old=old)


def publish(
    staged: Staged,
    target: Folder,
    team: Team,
    logs: list[str],
    *,
    facts: bool = True,
    old: Superseded = NOTHING,
    also: Callable[[DuckDBPyConnection, int], None] = lambda *_: None,
) -> LoadReport:
    """Settle what was staged, publish what is new of it, and return what the load did.

    ``old`` is what gives way to it; ``also`` is called with the draft and the number of the load,
    to write what is published with it.
    """
    account = staged.account
    staged.settle(target.current(), old)
    is_new = staged.has_news()
    if is_new:
        # Facts grow by hands that come; where some go they are derived when asked for.
        grows = facts and not staged.superseded.ids
        with target.draft(facts=grows, on_progress=account.derived) as connection:
            numbers = numbers_after(connection)
            store(staged, connection, numbers, team)
            note_load(connection, numbers.import_id, logs, account.counts)
            also(connection, numbers.import_id)
    account.finished()
    return account.report(target.current(), published=is_new and not target.is_rehearsal)
