"""Where a lake lies: a folder, or a prefix of an object store, as files with names.

A ``Storage`` is small and can be pickled, so tasks on other machines get it; it never carries
credentials, which every machine takes from its own environment: the variables and files that
the store's own programs read.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from tricklog.ingest.store.disk import flush, put
from tricklog.ingest.store.warehouse import WarehouseError

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileInfo, FileSystem

SNAPSHOTS: Final = "snapshots"
"""The table whose newest published row is what readers see."""
LOG: Final = "_delta_log"
"""The folder of a table with its commits."""
AT_ONCE: Final = 8
"""Requests to a store that wait for an answer at the same time."""
_LOCAL: Final = "lake:"
_SCHEMES: Final = {
    "s3": "s3",
    "gs": "gs",
    "gcs": "gs",
    "az": "az",
    "abfs": "az",
    "abfss": "az",
}
"""How an address may begin, and which store it means."""
_OTHER: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_MISREAD: Final = re.compile(r"%[0-9A-Fa-f]{2}|\\|\x00")
"""What Delta decodes, or takes for a slash, in a path."""
_MISREAD_THERE: Final = re.compile(rf"{_MISREAD.pattern}|[?#]")
"""What it does so with in the address of a store, or takes for the end of its path."""
_SETTINGS: Final = ("AWS_", "GOOGLE_", "AZURE_")
_PATIENCE: Final = {"max_retries": "4", "retry_timeout": "60s"}
"""How long a commit tries to reach a store; otherwise a wrong address takes minutes to be told."""


T = TypeVar("T")
R = TypeVar("R")


def at_once(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Do something for each item, several at a time, since most of it is waiting for a store."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(work, items))


def in_lots(items: Iterable[tuple[T, int]], most: int) -> Iterator[tuple[list[T], int]]:
    """Put neighbours together, as long as they weigh no more than so much, or are one."""
    lot: list[T] = []
    size = 0
    for each, weight in items:
        if lot and size + weight > most:
            yield lot, size
            lot, size = [], 0
        lot.append(each)
        size += weight
    if lot:
        yield lot, size


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a storage."""

    name: str
    """Below the root, with ``/`` between folders."""
    size: int
    """In bytes."""
    modified: float
    """When it was written, in seconds since 1970."""


@dataclass(frozen=True)
class Storage:
    """A folder or a prefix with files. Raises ``OSError`` when the store cannot be reached."""

    kind: str
    """``file``, ``s3``, ``gs`` or ``az``."""
    root: str
    """What ``filesystem`` puts before every name: an absolute path, or bucket and prefix."""

    def __str__(self) -> str:
        """Return what ``--db`` takes."""
        return f"{_LOCAL}{self.root}" if self.is_local else self.uri

    @property
    def is_local(self) -> bool:
        """Whether this is a folder of this machine."""
        return self.kind == "file"

    @property
    def uri(self) -> str:
        """The address as Delta takes it: an absolute path, or with a scheme."""
        return self.root if self.is_local else f"{self.kind}://{self.root}"

    def file_uri(self, name: str) -> str:
        """Return the address of a file."""
        return f"{self.uri}/{name}"

    @property
    def options(self) -> dict[str, str]:
        """What Delta needs to know to reach the store; holds credentials, so never show it."""
        return {} if self.is_local else _options(os.environ) | _PATIENCE

    @property
    def filesystem(self) -> FileSystem:
        """The file system of pyarrow, one for each process."""
        settings = () if self.is_local else tuple(sorted(_options(os.environ).items()))
        return _filesystem(self.kind, os.getpid(), settings)

    def path(self, name: str) -> str:
        """Return the path of a file for ``filesystem``."""
        return f"{self.root}/{name}" if name else self.root

    def open_input(self, name: str) -> NativeFile:
        """Open a file, to read any part of it."""
        return self.filesystem.open_input_file(self.path(name))

    @contextmanager
    def open_output(self, name: str) -> Iterator[NativeFile]:
        """Open a new file, which is complete, and on the disk, when the block ends.

        What a block that fails leaves is a part of it: name files again with every attempt.
        """
        path = self.path(name)
        if self.is_local:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        with self.filesystem.open_output_stream(path) as stream:
            yield stream
        if self.is_local:
            flush(Path(path))

    def read(self, name: str) -> bytes:
        """Return all that a file holds."""
        with self.open_input(name) as stream:
            return bytes(stream.read())

    def put(self, name: str, content: bytes) -> None:
        """Put a file in the place of the one before, in one step."""
        if self.is_local:
            Path(self.root).mkdir(parents=True, exist_ok=True)
            put(Path(self.path(name)), content)
            return
        with self.open_output(name) as stream:
            stream.write(content)

    def size(self, name: str) -> int:
        """Return how many bytes a file has; raises ``FileNotFoundError``."""
        found = self.filesystem.get_file_info(self.path(name))
        if not found.is_file:
            raise FileNotFoundError(self.file_uri(name))
        return int(found.size)

    def exists(self, name: str) -> bool:
        """Whether there is a file or a folder of that name."""
        return bool(self.filesystem.get_file_info(self.path(name)).type.value)

    def list(self, folder: str = "") -> Iterator[Entry]:
        """Give all files below a folder, in no order; none when it does not exist."""
        for found in self._found(folder, recursive=True):
            if found.is_file:
                modified = found.mtime_ns / 1e9 if found.mtime_ns else 0.0
                name = found.path[len(self.root) + 1 :]
                yield Entry(name, int(found.size), modified)

    def folders(self, folder: str = "") -> Sequence[str]:
        """Return the names of the folders right below a folder, in order."""
        found = self._found(folder, recursive=False)
        return sorted(each.base_name for each in found if each.type.name == "Directory")

    def delete(self, names: Iterable[str]) -> None:
        """Remove files; one that is gone already is no trouble."""
        at_once(self._delete, names)

    def delete_folder(self, folder: str) -> None:
        """Remove a folder with all that is in it; one that is gone already is no trouble."""
        with suppress(FileNotFoundError):
            self.filesystem.delete_dir(self.path(folder))

    def made_folders(self) -> set[str]:
        """Return the root, as an empty name, and the folders below it; no store has any."""
        if not (self.is_local and Path(self.root).is_dir()):
            return set()
        return {"", *self.folders()}

    def delete_empty(self, folders: Iterable[str]) -> None:
        """Remove those of ``made_folders`` in which nothing is."""
        for folder in sorted(folders, reverse=True):
            with suppress(OSError):
                Path(self.path(folder)).rmdir()

    def flush(self, name: str) -> None:
        """Have the system write a file of a folder, and its name, to the disk."""
        if self.is_local:
            flush(Path(self.path(name)))
            flush(Path(self.path(name)).parent)

    def _delete(self, name: str) -> None:
        try:
            self.filesystem.delete_file(self.path(name))
        except FileNotFoundError:
            pass
        except OSError:
            if self.exists(name):
                raise

    def _found(self, folder: str, *, recursive: bool) -> Sequence[FileInfo]:
        from pyarrow.fs import FileSelector

        selector = FileSelector(self.path(folder), allow_not_found=True, recursive=recursive)
        found: Sequence[FileInfo] = self.filesystem.get_file_info(selector)
        return found


def is_lake_uri(text: str | os.PathLike[str]) -> bool:
    """Whether what ``--db`` names is a lake, by how it begins or as a folder that holds one.

    An address of a store that nobody knows counts as one; ``storage_of`` refuses it.
    """
    text = os.fspath(text)
    if text.startswith(_LOCAL) or _OTHER.match(text):
        return True
    try:
        return any(Path(text, table, LOG).is_dir() for table in (SNAPSHOTS, "hands"))
    except (OSError, ValueError):
        return False


def storage_of(uri: str | os.PathLike[str]) -> Storage:
    """Return the storage of an address: ``lake:FOLDER``, ``s3://BUCKET/PREFIX`` and the like.

    A plain path means a folder. Raises ``WarehouseError`` for an address without a bucket, and
    when what reads lakes is not installed.
    """
    text = os.fspath(uri)
    lacking = [name for name in ("deltalake", "fsspec") if util.find_spec(name) is None]
    if lacking:
        raise WarehouseError(
            f"{text} is a lake, and what reads lakes is not installed: {', '.join(lacking)}. "
            "Run pip install 'tricklog[lake]'."
        )
    scheme, _, place = text.partition("://")
    other = _OTHER.match(text)
    if scheme in _SCHEMES and other:
        if place := place.strip("/"):
            return _readable(Storage(_SCHEMES[scheme], place), _MISREAD_THERE)
        raise WarehouseError(f"{text} names no bucket: write {scheme}://BUCKET/...")
    if other:
        known = ", ".join(f"{each}://" for each in _SCHEMES)
        raise WarehouseError(
            f"No store is known at {other[0]}... Lakes are at {known} or lake:DIR."
        )
    folder = text.removeprefix(_LOCAL)
    if not folder:
        raise WarehouseError(f"{text} names no folder: write lake:FOLDER.")
    try:
        root = str(Path(folder).expanduser().absolute())
    except RuntimeError:
        raise WarehouseError(f"{text}: the system knows no home folder for that ~.") from None
    return _readable(Storage("file", root), _MISREAD)


def _readable(storage: Storage, misread: re.Pattern[str]) -> Storage:
    """Return a storage; ``WarehouseError`` where its path has what is ``misread``."""
    if found := misread.search(storage.root):
        raise WarehouseError(
            f"A lake cannot lie in {storage.uri}: what writes its tables takes {found[0]} for "
            "something else. Choose a path without it."
        )
    return storage


def _options(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of the stores, with what follows from them where it is not said."""
    found = {name: text for name, text in environment.items() if name.startswith(_SETTINGS)}
    endpoint = found.get("AWS_ENDPOINT_URL_S3") or found.get("AWS_ENDPOINT_URL", "")
    if endpoint:
        found["AWS_ENDPOINT_URL"] = endpoint
        found.setdefault("AWS_REGION", found.get("AWS_DEFAULT_REGION", "us-east-1"))
        if endpoint.startswith("http://"):
            found.setdefault("AWS_ALLOW_HTTP", "true")
    return found


@functools.lru_cache(maxsize=8)
def _filesystem(kind: str, _process: int, settings: tuple[tuple[str, str], ...]) -> FileSystem:
    """Return the file system of a store, made again in a process that was forked."""
    from pyarrow import fs

    told = dict(settings)
    if kind == "s3":
        scheme, _, host = told.get("AWS_ENDPOINT_URL", "").rpartition("://")
        return fs.S3FileSystem(
            endpoint_override=host or None,
            scheme=scheme or "https",
            region=told.get("AWS_REGION") or told.get("AWS_DEFAULT_REGION"),
        )
    if kind == "gs":
        return fs.GcsFileSystem()
    if kind == "az":
        return fs.AzureFileSystem(
            account_name=told["AZURE_STORAGE_ACCOUNT_NAME"],
            account_key=told.get("AZURE_STORAGE_ACCOUNT_KEY"),
        )
    return fs.LocalFileSystem()
