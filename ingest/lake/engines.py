"""Who does the tasks of a lake: this process, processes of this machine, or a cluster.

A task is a function of a module and one argument that ``pickle`` can write. Both the argument and
what comes back are small: the data of a task lies on storage, which all can reach. A task may be
done twice, when a process or a machine is lost, so doing it again must do no harm.
"""

from __future__ import annotations

import errno
import pickle
import re
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, Generic, Self, TypeVar

from tricklog.ingest.loading import workers
from tricklog.ingest.loading.workers import EndedError, Job, Pool, WorkerError
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store.warehouse import WarehouseError

LARGEST: Final = 1_000_000
"""Bytes of an argument or a result, as ``pickle`` writes it, at most."""
RETRIES: Final = 3
"""How often a task is done again after its process was lost, or its storage did not answer."""
MOST_PROCESSES: Final = 1024
PAUSES: Final = (0.2, 1.0, 5.0)
"""Seconds before each further try of a task whose storage did not answer."""
_LASTING: Final = frozenset(
    {
        errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.EEXIST,
        errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EINVAL, errno.ENAMETOOLONG, errno.EFBIG,
    }
)  # fmt: skip
"""Trouble of storage that is there again the next time."""
_REFUSED: Final = re.compile(r"ACCESS_DENIED|NO_SUCH_|INVALID_|UNRECOGNIZED_CLIENT|SIGNATURE")
"""Answers of an object store that are no different the next time."""

_ADDRESS: Final = re.compile(r"(?:ray://)?(?:[^\s/=:\[\]]+|\[[^\s\]]+\]):\d{1,5}")
"""A host by its name, its number or its long number, and a port."""

A = TypeVar("A")
R = TypeVar("R")
T = TypeVar("T")


class EngineError(WarehouseError):
    """An engine that cannot be used; the sentence says which, why and what to do."""


class ClusterError(EngineError, WorkerError):
    """A cluster that cannot be reached, or whose nodes cannot do tasks."""


class Engine(ABC):
    """Does tasks, several at a time."""

    @property
    @abstractmethod
    def slots(self) -> int:
        """How many tasks are done at the same time, about; at least 1."""

    @abstractmethod
    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        """Return ``work(item)`` of each item, in whatever order they become ready.

        ``work`` is a function of a module; ``memory`` the bytes that one task needs at most, where
        that is known. Items are taken as there is room, a few more than ``slots``. A task whose
        process is lost, or whose storage does not answer, is done again, ``RETRIES`` times at most.

        Raises what a task raised, with the place where it did as a note; ``WorkerError`` when the
        process of one task was lost again and again; ``TypeError`` for an argument or a result of
        more than ``LARGEST`` bytes, or which ``pickle`` cannot write. What is still being done is
        dropped then, as it is when the iterator is closed.
        """


@contextmanager
def engine_of(on: str | None) -> Iterator[Engine]:
    """Make ready what ``on`` names, for as long as the context lasts.

    ``here`` is this process, ``processes=N`` are so many of this machine, and ``None`` one for
    each core, where this program has an interpreter of its own to start. ``ray`` is the cluster
    that ``RAY_ADDRESS`` names or that runs on this machine, or else one that is started for this
    time; ``ray://HOST:PORT`` and ``HOST:PORT`` are others.

    Raises ``EngineError`` when ``on`` names nothing of that, or when it cannot be reached.
    """
    counted = re.fullmatch(r"processes=(\d{1,4})", on or "")
    if on == "here" or (on is None and not workers.can_start()):
        yield Here()
    elif on is None or (counted and 1 <= int(counted[1]) <= MOST_PROCESSES):
        with Processes(int(counted[1]) if counted else workers.cores()) as engine:
            yield engine
    elif on == "ray" or _ADDRESS.fullmatch(on):
        from tricklog.ingest.lake.on_ray import on_cluster

        with on_cluster(on) as cluster:
            yield cluster
    else:
        raise EngineError(
            f"Nothing is known that is called {on!r} and does tasks. Give here, processes=N with a "
            f"number from 1 to {MOST_PROCESSES}, ray, ray://HOST:PORT or HOST:PORT."
        )


class Here(Engine):
    """This process, one task after the other."""

    slots = 1

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        """See ``Engine.map``."""
        del memory
        for item in items:
            yield _result(attempt(_request(work, item), PAUSES))


@dataclass(frozen=True, slots=True)
class Lost:
    """A task that brought nothing back, because of how what did it ended."""

    reason: str


class Lanes(Engine, Generic[T]):
    """What does tasks outside this process, each named by a ``T``: what is the same for all."""

    @abstractmethod
    def begin(self, request: bytes, memory: int) -> T:
        """Have ``attempt(request, PAUSES)`` done, and return what names the task from now on."""

    @abstractmethod
    def wait(self, tasks: Collection[T]) -> tuple[T, bytes | Lost]:
        """Wait for any of these tasks to end, and return which, and its answer."""

    @abstractmethod
    def drop(self, tasks: Collection[T]) -> None:
        """End these tasks, whatever they are doing."""

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        """See ``Engine.map``."""
        to_do = iter(items)
        running: dict[T, tuple[bytes, int]] = {}
        try:
            while True:
                for item in islice(to_do, max(0, 2 * self.slots - len(running))):
                    request = _request(work, item)
                    running[self.begin(request, memory)] = request, 0
                if not running:
                    return
                task, answer = self.wait(running)
                request, losses = running.pop(task)
                if not isinstance(answer, Lost):
                    yield _result(answer)
                elif losses == RETRIES:
                    raise WorkerError(
                        f"The process of a task ({_name(work)}) was lost {RETRIES + 1} times, last "
                        f"because {answer.reason}, as the system does when memory runs out. "
                        "Nothing was published, the warehouse is as it was. Give it more memory, "
                        "or have fewer tasks done at a time, then load again."
                    )
                else:
                    running[self.begin(request, memory)] = request, losses + 1
        finally:
            if running:
                self.drop(running)


class Processes(Lanes[Job]):
    """Processes of this machine, started as tasks come. Used as a context manager, which ends them.

    Raises ``EngineError`` where this program cannot start any.
    """

    def __init__(self, count: int) -> None:
        if not workers.can_start():
            raise EngineError(
                "This program has no interpreter of its own that could be started again for tasks. "
                "Have them done in this process: here."
            )
        self._count = count

    @property
    def slots(self) -> int:
        """How many processes there are."""
        return self._count

    def __enter__(self) -> Self:
        # What is killed cannot remove its temporary files.
        self._folder = Scratch()
        self._pool = Pool(self.slots, self._folder.name)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()
        self._folder.cleanup()

    def begin(self, request: bytes, memory: int) -> Job:
        """See ``Lanes.begin``."""
        del memory
        return self._pool.begin(partial(attempt, request), PAUSES)

    def wait(self, tasks: Collection[Job]) -> tuple[Job, bytes | Lost]:
        """See ``Lanes.wait``."""
        jobs = {job.answer: job for job in tasks}
        answer = wait_for(jobs, return_when=FIRST_COMPLETED).done.pop()
        reason = "no process could be started"
        try:
            if told := answer.result():
                return jobs[answer], pickle.loads(told)  # noqa: S301 - of our own process
        except EndedError as ended:
            reason = f"its process was ended ({ended})"
        except OSError as error:
            reason += f": {error.strerror or error}"
        return jobs[answer], Lost(reason)

    def drop(self, tasks: Collection[Job]) -> None:
        """See ``Lanes.drop``."""
        self._pool.drop(tasks)


# --- A task, on both sides


def _request(work: Callable[[A], R], item: A) -> bytes:
    try:
        request = pickle.dumps((work, item), pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        message = f"{_name(work)} or its argument cannot be given to another process: {error}"
        raise TypeError(message) from error
    _check_size(work, "the argument", request)
    return request


def attempt(request: bytes, pauses: Sequence[float]) -> bytes:
    """Do a task that somebody asked for, and return what ``_result`` reads.

    Where its storage does not answer it is done again after each of some ``pauses`` (seconds).
    """
    for pause in (*pauses, None):
        try:
            work, item = pickle.loads(request)  # noqa: S301 - of our own
            answer = pickle.dumps((None, work(item)), pickle.HIGHEST_PROTOCOL)
            _check_size(work, "the result", answer)
        except Exception as error:  # noqa: BLE001 - who asked raises it
            if pause is None or not _may_pass(error):
                return pickle.dumps((_packed(error), None), pickle.HIGHEST_PROTOCOL)
            time.sleep(pause)
        else:
            return answer
    raise AssertionError("the last try returns")


def _may_pass(error: Exception) -> bool:
    """Whether this is trouble of storage that may be over in a moment."""
    is_of_storage = isinstance(error, OSError) and error.errno not in _LASTING
    return is_of_storage and not _REFUSED.search(str(error))


def _packed(error: Exception) -> tuple[bytes, str]:
    """Return an error so that it can be raised elsewhere, and where it was raised here."""
    where = "".join(traceback.format_exception(error))[-20_000:]
    # Classes may do anything; of one that cannot travel the words do.
    with suppress(Exception):
        packed = pickle.dumps(error, pickle.HIGHEST_PROTOCOL)
        pickle.loads(packed)  # noqa: S301 - just made
        if len(packed) + len(where) < LARGEST:
            return packed, where
    return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"[:10_000])), where


def _result(answer: bytes) -> Any:  # noqa: ANN401 - whatever the task returns
    """Return what a task returned, or raise what it raised."""
    error, result = pickle.loads(answer)  # noqa: S301 - of our own
    if error is not None:
        packed, where = error
        raised = pickle.loads(packed)  # noqa: S301 - of our own
        assert isinstance(raised, Exception)
        raised.add_note(f"In the process that did the task:\n{where}")
        raise raised
    return result


def _name(work: Callable[..., object]) -> str:
    return getattr(work, "__name__", repr(work))


def _check_size(work: Callable[..., object], what: str, message: bytes) -> None:
    if len(message) > LARGEST:
        raise TypeError(
            f"{what} of {_name(work)} has {len(message):,} bytes, more than the {LARGEST:,} that "
            "may travel; data belongs on storage"
        )
