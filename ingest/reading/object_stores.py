"""Logs in object stores: which there are below an address, and how their bytes are read.

An address is ``s3://BUCKET/PREFIX``, ``gs://BUCKET/PREFIX`` or ``az://CONTAINER/PREFIX``. Access is
what the environment gives, under the names that the programs of each store use. An error says what
is wrong and what to do.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.reading.sources import Opener, Source, SourceError, Stream, is_log

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo, FileSystem

FIRST_BLOCK: Final = 1 << 18
"""Bytes of the first request to a store: who looks how a log begins needs no more."""
LARGEST_BLOCK: Final = 1 << 23
"""Bytes of a request; each is twice as large as the one before, up to this."""
TRIES: Final = 6
"""How often S3 is asked before a request counts as failed."""
CONNECTING: Final = 10
"""Seconds within which a store takes a connection."""
ANSWERING: Final = 60
"""Seconds within which a store answers."""
_STORES: Final = {
    "s3": "s3", "gs": "gs", "gcs": "gs", "az": "az", "abfs": "az", "abfss": "az",
}  # fmt: skip
"""The store that each scheme of addresses means."""
_ACCESS: Final = {
    "s3": "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, to who may read it.",
    "gs": "Set GOOGLE_APPLICATION_CREDENTIALS to a key of who may read it.",
    "az": "Set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or log in with az login.",
}
_WHERE: Final = {
    "s3": "Check the network, and AWS_ENDPOINT_URL where the store is not that of Amazon.",
    "gs": "Check the network.",
    "az": "Check the network, and AZURE_STORAGE_ACCOUNT_NAME.",
}
_REFUSED: Final = re.compile(
    r"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE_DOES_NOT_MATCH|INVALID_CLIENT_TOKEN|"
    r"MISSING_AUTHENTICATION|EXPIRED_TOKEN|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|"
    r"HTTP response code 40[13]|\b40[13]\b|AuthorizationFailure|AuthenticationFailed|"
    r"PermissionDenied|Forbidden|credentials",
    re.IGNORECASE,
)
_UNREACHABLE: Final = re.compile(
    r"NETWORK_CONNECTION|curlCode|resolve host|connect|timed? ?out|REQUEST_TIMEOUT", re.IGNORECASE
)
_NO_BUCKET: Final = re.compile(
    r"NO_SUCH_BUCKET|NoSuchBucket|ContainerNotFound|bucket does not exist", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Place:
    """A bucket of an object store, or what is below a prefix of it."""

    address: str
    """As it was written, without a slash at the end."""
    store: str
    """``s3``, ``gs`` or ``az``."""
    path: str
    """Bucket and key, as the file system of the store takes it."""
    account: str = ""
    """The account that an address of Azure names."""

    def below(self, path: str) -> str:
        """Return the address of a path that is below this one."""
        return self.address + path[len(self.path) :]


@dataclass(frozen=True, slots=True)
class StoredObject(Opener):
    """Opens an object of a store."""

    place: Place
    found_size: int | None
    """How many bytes it had when it was found."""
    changed: str = ""
    """When it was written last, as the store tells it."""

    @property
    def size(self) -> int | None:
        """How many bytes it had when it was found."""
        return self.found_size

    @contextmanager
    def open(self, start: int = 0) -> Iterator[Stream]:
        """Open the object, to be read from ``start`` on. Raises ``SourceError``."""
        with _told(self.place):
            file = _file_system(self.place).open_input_file(self.place.path)
        with file, _Blocks(self.place, file, start) as blocks:
            yield blocks


@dataclass(frozen=True, slots=True)
class Unreadable(Opener):
    """Opens nothing: it raises what was found wrong when an address was looked at."""

    error: SourceError

    def open(self, start: int = 0) -> NoReturn:
        """Raise ``SourceError``."""
        del start
        raise self.error


def find_objects(address: str) -> Iterator[Source]:
    """Return the logs at an address, sorted by name, or one source that tells what is wrong there.

    An object stands for itself, a prefix or a bucket for the logs below it; names that start with
    a dot are passed over, and so is what is below such a name.
    """
    try:
        place = _place(address)
        with _told(place):
            found = list(_found(place))
    except SourceError as error:
        yield Source(address, Unreadable(error))
        return
    for info in found:
        here = Place(place.below(info.path), place.store, info.path, place.account)
        yield Source(here.address, StoredObject(here, info.size, str(info.mtime_ns or "")))


def _place(address: str) -> Place:
    scheme, _, rest = address.partition("://")
    rest = rest.rstrip("/")
    bucket, slash, key = rest.partition("/")
    # Azure's own addresses name the account as well: abfss://container@account.dfs.…/key.
    bucket, _, host = bucket.partition("@") if _STORES[scheme] == "az" else (bucket, "", "")
    if not bucket:
        raise SourceError(
            RejectCode.UNREADABLE_FILE,
            f"{address} names no bucket.",
            f"Write {scheme}://BUCKET or {scheme}://BUCKET/PREFIX.",
        )
    path = f"{bucket}{slash}{key}"
    return Place(f"{scheme}://{rest}", _STORES[scheme], path, host.partition(".")[0])


def _found(place: Place) -> Iterator[FileInfo]:
    from pyarrow.fs import FileSelector, FileType

    system = _file_system(place)
    here = system.get_file_info(place.path)
    if here.type == FileType.File:
        yield here
        return
    if here.type == FileType.NotFound:
        bucket = place.path.partition("/")[0]
        if system.get_file_info(bucket).type == FileType.NotFound:
            raise _no_bucket(place)
        raise SourceError(
            RejectCode.UNREADABLE_FILE,
            f"{place.address} does not exist.",
            "Check the address: stores tell small letters from capitals.",
        )
    logs = []
    for info in system.get_file_info(FileSelector(place.path, recursive=True)):
        names = info.path[len(place.path) :].strip("/").split("/")
        is_hidden = any(name.startswith(".") for name in names)
        if info.type == FileType.File and not is_hidden and is_log(names[-1].lower()):
            logs.append(([os.fsencode(name) for name in names], info))
    if not logs:
        raise SourceError(RejectCode.NO_LOGS, f"{place.address} holds no log file.")
    yield from (info for _, info in sorted(logs, key=lambda log: log[0]))


# --- Bytes of an object


class _Blocks:
    """A stream over an object that asks for large blocks, the next one while this one is used."""

    def __init__(self, place: Place, file: Any, start: int) -> None:  # noqa: ANN401 - pyarrow's
        self._place = place
        self._file = file
        self._next = start
        self._size = FIRST_BLOCK
        self._block = b""
        self._used = 0
        self._ahead: Future[bytes] | None = None
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> _Blocks:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, none at the end. Raises ``SourceError``."""
        if self._used == len(self._block):
            with _told(self._place):
                self._block = self._ahead.result() if self._ahead else self._ask()
            self._used = 0
            self._ahead = None
            if self._block and self._size == LARGEST_BLOCK:
                self._pool = self._pool or ThreadPoolExecutor(1)
                self._ahead = self._pool.submit(self._ask)
        piece = self._block[self._used : self._used + size]
        self._used += len(piece)
        return piece

    def _ask(self) -> bytes:
        size = min(self._size, self._file.size() - self._next)
        if size <= 0:
            return b""
        block = bytes(self._file.read_at(size, self._next))
        self._next += len(block)
        self._size = min(2 * self._size, LARGEST_BLOCK)
        return block


# --- Stores


def _file_system(place: Place) -> FileSystem:
    settings = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("AWS_", "GOOGLE_", "AZURE_"))
    }
    bucket = place.path.partition("/")[0]
    return _made(place.store, bucket, place.account, os.getpid(), tuple(sorted(settings.items())))


@functools.lru_cache(maxsize=16)
def _made(
    store: str, bucket: str, account: str, _process: int, settings: tuple[tuple[str, str], ...]
) -> FileSystem:
    """Return the file system of a store, made again in a process that was forked."""
    told = dict(settings)
    if store == "s3":
        return _s3(bucket, told)
    if store == "gs":
        from pyarrow.fs import GcsFileSystem

        return GcsFileSystem()
    from pyarrow.fs import AzureFileSystem

    account = account or told.get("AZURE_STORAGE_ACCOUNT_NAME", "")
    if not account:
        raise SourceError(
            RejectCode.UNREADABLE_FILE,
            "Nobody says in which account of Azure the container is.",
            "Set AZURE_STORAGE_ACCOUNT_NAME.",
        )
    return AzureFileSystem(account_name=account, account_key=told.get("AZURE_STORAGE_ACCOUNT_KEY"))


def _s3(bucket: str, told: Mapping[str, str]) -> FileSystem:
    from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem, resolve_s3_region

    endpoint = told.get("AWS_ENDPOINT_URL_S3") or told.get("AWS_ENDPOINT_URL", "")
    scheme, _, host = endpoint.rpartition("://")
    region = told.get("AWS_REGION") or told.get("AWS_DEFAULT_REGION")
    if not region and not endpoint:
        # The network is asked, and who is not answered may still have a profile that says it.
        try:
            region = resolve_s3_region(bucket)
        except OSError as error:
            if _NO_BUCKET.search(str(error)):
                raise
    return S3FileSystem(
        endpoint_override=host.rstrip("/") or None,
        scheme=scheme or "https",
        region=region,
        connect_timeout=CONNECTING,
        request_timeout=ANSWERING,
        retry_strategy=AwsStandardS3RetryStrategy(max_attempts=TRIES),
    )


# --- Trouble


@contextmanager
def _told(place: Place) -> Iterator[None]:
    """Raise ``SourceError`` with a sentence for what a store, or pyarrow, complains about."""
    try:
        yield
    except (OSError, ImportError, ValueError) as error:
        raise _in_words(place, error) from error


def _in_words(place: Place, error: Exception) -> SourceError:
    said = " ".join(str(error).split())
    code, address = RejectCode.UNREADABLE_FILE, place.address
    if isinstance(error, ImportError):
        message = f"{address} cannot be read: the installed pyarrow knows no {place.store}://."
        return SourceError(code, message, "Install pyarrow as pip has it: pip install pyarrow.")
    if _NO_BUCKET.search(said):
        return _no_bucket(place)
    if isinstance(error, FileNotFoundError):
        return SourceError(code, f"{address} is not there any more.", "Do the same again.")
    if _REFUSED.search(said):
        return SourceError(
            code, f"{address} may not be read: access is denied.", _ACCESS[place.store]
        )
    if _UNREACHABLE.search(said):
        return SourceError(code, f"{address} cannot be reached.", _WHERE[place.store])
    return SourceError(code, f"{address} cannot be read: {said.rstrip('.')[:200]}.")


def _no_bucket(place: Place) -> SourceError:
    bucket = place.path.partition("/")[0]
    return SourceError(
        RejectCode.UNREADABLE_FILE,
        f"{place.address} cannot be read: there is no bucket {bucket}.",
        "Check the address, and whose store AWS_ENDPOINT_URL names."
        if place.store == "s3"
        else "Check the address.",
    )
