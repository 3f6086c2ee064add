"""A run that forgets a player, wherever their hands are stored, and what it did or would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tricklog.ingest.forgetting import changes
from tricklog.ingest.forgetting.changes import Changes
from tricklog.ingest.forgetting.users import Written
from tricklog.ingest.forgetting.whom import People, whom, with_whom
from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList, new_list
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.recording.keeping import KeepingError
from tricklog.ingest.store import userdata
from tricklog.ingest.store.aliases import aliases
from tricklog.ingest.store.publishing import StorageError


@dataclass(slots=True)
class ForgetReport:
    """What was done, or would be, and what is left."""

    ids: dict[str, str] = field(default_factory=dict)
    """Each id that was forgotten, and the one in its place."""
    names: int = 0
    """Names beside the ids that were looked for."""
    hands: int = 0
    """Hands with another record: a player sat there, or a text named them."""
    sat: int = 0
    rejects: int = 0
    paths: int = 0
    blocks: int = 0
    """Files with what was found out about hands that were written again."""
    written: Written = field(default_factory=Written)
    logs: dict[str, int] = field(default_factory=dict)
    """Logs that name the player, and how many hands of each; they stay as they are."""
    snapshot: Path | str | None = None
    removed: int = 0
    """Files of older states that are gone."""
    dry_run: bool = False


class Run:
    """Who is to be forgotten, and what was found of them so far."""

    def __init__(
        self,
        player: str,
        also: Sequence[str],
        before: ForgottenList | None,
        people: People,
        users: Path,
        on_progress: OnProgress | None,
    ) -> None:
        """``before`` is the list of the warehouse, ``users`` where what users wrote is kept."""
        known = Forgotten(before or new_list())
        meant = whom(player, people, aliases(users), known, also)
        self.is_again = before is not None and bool(before.unfinished)
        """Whether a run that was killed is finished."""
        self.users = users
        self.forgotten = Forgotten(with_whom(known, meant, people))
        self.hashes: dict[str, str] = {}
        """The hash of the new record of each hand by that of the old one."""
        self.report = ForgetReport(
            ids={each: self.forgotten.id_of(each) for each in meant.ids},
            names=len(meant.needles) - len(meant.ids),
        )
        self.on_progress = on_progress

    def tell(self, stage: Stage, done: int = 0, total: int | None = None) -> None:
        """Say how far the run is."""
        if self.on_progress:
            self.on_progress(Progress(stage, done=done, total=total))

    def count(self, found: Changes, stored: Path) -> None:
        """Take in what becomes of a snapshot, or of a portion of one."""
        told = self.report
        told.hands += found.hands
        told.sat += found.sat
        told.rejects += found.rejects
        told.paths = max(told.paths, found.paths)
        for file, hands in changes.logs_of(found, stored).items():
            told.logs[file] = told.logs.get(file, 0) + hands
        self.hashes |= changes.hashes_of(found)


@contextmanager
def explained() -> Iterator[None]:
    """Say what to do where what users wrote cannot be written."""
    try:
        yield
    except (userdata.UserDataError, KeepingError) as error:
        raise StorageError(f"{error} Do the same again when that is mended.") from error
