"""The files of one snapshot, as DuckDB gets to see them: these, to read, and no others.

DuckDB can keep to a list of files by itself, but then lets SQL write over them. So it is given a
file system of its own that only opens what a snapshot names, wherever that lies.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from fsspec import AbstractFileSystem
from pyarrow import NativeFile

from tricklog.ingest.lake.storage import Storage, at_once
from tricklog.ingest.lake.tables import File

SCHEME: Final = "s3"
"""How DuckDB has to be told that files are far, so that it asks for much at a time and keeps it."""
_FEW: Final = 64
"""Files that are opened at once with a lake on a store; of more, each when it is asked for."""
_END: Final = 1 << 17
"""Bytes from the end of each of them that are read at once: what it holds, and where."""
_PREFIX: Final = f"{SCHEME}://lake/"


def address(name: str) -> str:
    """Return the name under which DuckDB finds a file of the lake."""
    return f"{_PREFIX}{name}"


class _Stored:
    """A file of a store, which stays open, as that asks the store; its ``end`` may be kept."""

    def __init__(self, storage: Storage, name: str, size: int, *, end: int = 0) -> None:
        self._file = storage.open_input(name)
        self._kept_from = max(0, size - end)
        self._kept: bytes = self._file.read_at(size - self._kept_from, self._kept_from)

    def read_at(self, size: int, start: int) -> bytes:
        if start >= self._kept_from:
            return self._kept[start - self._kept_from :][:size]
        found: bytes = self._file.read_at(size, start)
        return found

    def close(self) -> None:
        pass


class _Handle:
    """An open file. Each thread that shares it has a place of its own."""

    def __init__(self, source: NativeFile | _Stored, size: int) -> None:
        self._source = source
        self._size = size
        self._place = threading.local()
        self._is_open = True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._size}[whence]
        self._place.at = start + offset
        return start + offset

    def tell(self) -> int:
        return getattr(self._place, "at", 0)

    def read(self, size: int = -1) -> bytes:
        start = self.tell()
        left = max(0, self._size - start)
        found: bytes = self._source.read_at(left if size < 0 else min(size, left), start)
        self._place.at = start + len(found)
        return found

    def flush(self) -> None:
        pass

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._source.close()

    def __del__(self) -> None:
        # DuckDB lets go of most files without closing them.
        self.close()


class ClosedFiles(AbstractFileSystem):  # type: ignore[misc]
    """The named files of a lake and their sizes, for DuckDB to read."""

    protocol = SCHEME
    cachable: ClassVar[bool] = False

    def __init__(self, storage: Storage, tables: Mapping[str, Iterable[File]]) -> None:
        """Raises ``OSError`` when a store does not answer, or lacks one of the files."""
        super().__init__()
        self._lake = storage
        self._sizes = {each.name: each.size for files in tables.values() for each in files}
        self._stored: dict[str, _Stored] = {}
        self._lock = threading.Lock()
        if not storage.is_local and len(self._sizes) <= _FEW:
            # One after the other, each waits for the answer of the store.
            names = list(self._sizes)
            opened = at_once(
                lambda name: _Stored(storage, name, self._sizes[name], end=_END), names
            )
            self._stored = dict(zip(names, opened, strict=True))

    def open(self, path: str, mode: str = "rb", **_: object) -> _Handle:
        """Open a file to read; raises ``PermissionError`` for any other and for writing."""
        name = self._named(path)
        if mode.replace("b", "") != "r":
            raise PermissionError(f"{name} is read only")
        return _Handle(self._source(name), self._sizes[name])

    def info(self, path: str, **_: object) -> dict[str, Any]:
        """Return what is known of a file without asking."""
        name = self._named(path)
        return {"name": address(name), "size": self._sizes[name], "type": "file"}

    def exists(self, path: str, **_: object) -> bool:
        """Whether the snapshot has the file."""
        return self._strip(path) in self._sizes

    def glob(self, path: str, **_: object) -> list[str]:
        """Return the file of this name."""
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        """Return one time for all: what is published is never changed."""
        self._named(path)
        return datetime.fromtimestamp(0, UTC)

    def _source(self, name: str) -> NativeFile | _Stored:
        if self._lake.is_local:
            return self._lake.open_input(name)
        with self._lock:
            if name not in self._stored:
                self._stored[name] = _Stored(self._lake, name, self._sizes[name])
            return self._stored[name]

    def _named(self, path: str) -> str:
        name = self._strip(path)
        if name not in self._sizes:
            raise PermissionError(f"{path} is no file of the snapshot")
        return name

    @staticmethod
    def _strip(path: str) -> str:
        return path.removeprefix(_PREFIX).removeprefix("lake/")
