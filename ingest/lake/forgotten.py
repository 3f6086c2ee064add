"""The list of those who were forgotten in a lake: at its root, read by all who stage logs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store.forgotten import UnfinishedError, unfinished
from tricklog.ingest.store.seals import digest_of
from tricklog.ingest.store.warehouse import DamagedError


def read(storage: Storage) -> ForgottenList | None:
    """Return the list of a lake, ``None`` where nobody was forgotten.

    Raises ``DamagedError`` where neither of its files can be read, and ``OSError`` when the store
    fails.
    """
    if storage.is_local:
        return lists.read(Path(storage.root))
    troubles = []
    for name in (lists.FILE, lists.COPY):
        try:
            return lists.decoded(storage.read(name))
        except FileNotFoundError:
            continue
        except ValueError as error:
            troubles.append(f"{storage.file_uri(name)}: {error}")
    if troubles:
        raise DamagedError(lists.damaged(storage, "; ".join(troubles)))
    return None


def known(storage: Storage) -> Forgotten | None:
    """Return the list at work. Raises as ``read`` does."""
    listed = read(storage)
    return Forgotten(listed) if listed else None


def named(listed: ForgottenList | None) -> str:
    """Return what names a list, empty without one."""
    return digest_of(lists.encoded(listed)) if listed else ""


def write(storage: Storage, listed: ForgottenList) -> None:
    """Put a list in the place of the one before. Raises ``OSError`` when the store fails."""
    if storage.is_local:
        folder = Path(storage.root)
        folder.mkdir(parents=True, exist_ok=True)
        lists.write(folder, listed)
        return
    # A store has the whole of a file, or the one before.
    for name in (lists.FILE, lists.COPY):
        with storage.open_output(name) as stream:
            stream.write(lists.encoded(listed))


def troubles(storage: Storage) -> list[tuple[str, str, str]]:
    """Return what is wrong with the files of the list: the file, a sentence, what to do.

    Raises ``OSError`` when the store fails.
    """
    there = {}
    for name in (lists.FILE, lists.COPY):
        with suppress(FileNotFoundError):
            there[name] = storage.read(name)
    return lists.troubles_of(there)


def require_finished(storage: Storage) -> None:
    """Raise ``UnfinishedError`` where somebody is only half forgotten."""
    listed = read(storage)
    if listed and listed.unfinished:
        raise UnfinishedError(unfinished(storage))
