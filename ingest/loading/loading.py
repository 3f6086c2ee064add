"""Loading logs into a warehouse: stage, settle, store; the same hands add nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tricklog.ingest.loading import workers
from tricklog.ingest.loading.auditing import OnWarning
from tricklog.ingest.loading.destination import Folder, Rehearsal
from tricklog.ingest.loading.forecast import Forecast
from tricklog.ingest.loading.foreign import reader_named
from tricklog.ingest.loading.report import Account, LoadReport, OnReject
from tricklog.ingest.loading.staging import Staged, stage
from tricklog.ingest.loading.storing import publish
from tricklog.ingest.loading.superseding import NOTHING, Superseded
from tricklog.ingest.loading.workers import Team
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.progress import ByteCounter, OnProgress, Stage
from tricklog.ingest.score_sheets.settings import settings_of
from tricklog.ingest.store import loads
from tricklog.ingest.store.forgotten import forgotten_meanwhile
from tricklog.ingest.store.publishing import WAIT, ForgottenMeanwhileError

OnCorrection = Callable[[Superseded], None]


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
    target = Rehearsal(Path(db)) if dry_run else Folder(Path(db))
    logs = loads.as_named((str(path) for path in paths), adapter)
    listed = target.forgotten()
    forgotten = Forgotten(listed) if listed else forgotten
    with Staged(forgotten) as staged, Team(cores or workers.cores()) as team:
        account = Account(Forecast(facts and not dry_run), on_progress, on_reject, on_warning)
        stage(paths, staged, account, ByteCounter(paths), foreign=foreign)
        with target.held(wait, lambda: account.tell(Stage.WAITING)):
            if target.forgotten() != listed:
                raise ForgottenMeanwhileError(forgotten_meanwhile(db))
            old = NOTHING
            if correct and settings is not None:
                from tricklog.ingest.loading.correcting import superseded

                old = superseded(target.current(), settings, paths, forgotten)
                if old.ids and on_correction:
                    on_correction(old)
            named = forgotten.in_each(logs) if forgotten else logs
            return publish(staged, target, account, team, named, facts=facts, old=old)
