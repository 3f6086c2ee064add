"""Processes that work beside this one, one for each core.

They are fresh interpreters that answer requests: nothing of the caller's program is run again in
them, threads of its own do not matter, and a process whose caller is gone comes to the end of its
pipe and ends, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final, Generic, Self, TypeVar

from tricklog.ingest.store.warehouse import WarehouseError

MOST: Final = 6
"""Processes a load has at most: each takes some 50 MB, 70 MB with logs that bring rules along."""
IN_FLIGHT: Final = 1 << 18
"""Bytes of tasks, for each process, that are given out at a time, about."""
_PROGRAM: Final = (
    f"import sys; sys.path[:] = sys.argv[2:]; from {__name__} import serve; serve(int(sys.argv[1]))"
)

A = TypeVar("A")
R = TypeVar("R")
T = TypeVar("T")


class WorkerError(WarehouseError):
    """A process that worked for a load was ended from outside."""


class EndedError(Exception):
    """A process was ended while it was asked; the words say how, as ``SIGKILL``."""


@dataclass(frozen=True, slots=True)
class Task(Generic[A, R]):
    """Something to do: ``work(argument)``, a function of a module and plain values."""

    work: Callable[[A], R]
    argument: A
    size: int
    """Bytes of the argument, about."""


@dataclass(frozen=True, slots=True)
class Aside(Generic[T]):
    """What comes between tasks and is left as it is."""

    part: T


@dataclass(frozen=True, slots=True)
class Done(Generic[A, R]):
    """A task that was done."""

    argument: A
    result: R


def processors() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cores() -> int:
    """Return how many processes a load keeps busy: one for each core it may use, up to ``MOST``."""
    return min(MOST, processors())


def can_start() -> bool:
    """Whether this program can start another interpreter."""
    # Where a program is one file, the interpreter is the program itself.
    return bool(sys.executable) and not getattr(sys, "frozen", False)


class Team:
    """As many processes as there are cores, started as tasks come.

    Used as a context manager, which ends them. With one core, and where no process can be started,
    tasks are done in this process.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.close()

    def do(self, parts: Iterable[Task[A, R] | Aside[T]]) -> Iterator[Done[A, R] | Aside[T]]:
        """Do tasks on all cores; return the results, and what is no task, in order.

        A task that fails is done once more in this process, and raises there what it raises.
        Raises ``WorkerError`` when a process was ended from outside.
        """
        if self._size <= 1 or not can_start():
            for part in parts:
                if isinstance(part, Task):
                    yield Done(part.argument, part.work(part.argument))
                else:
                    yield part
            return
        self._pool = self._pool or Pool(self._size)
        waiting: deque[tuple[Task[A, R], Job]] = deque()
        size = 0
        for part in parts:
            if isinstance(part, Task):
                waiting.append((part, self._pool.begin(part.work, part.argument)))
                size += part.size
            while waiting and (size > IN_FLIGHT * self._size or not isinstance(part, Task)):
                size -= waiting[0][0].size
                yield _done(*waiting.popleft())
            if not isinstance(part, Task):
                yield part
        while waiting:
            yield _done(*waiting.popleft())


def _done(task: Task[A, R], job: Job) -> Done[A, R]:
    told = b""
    try:
        with suppress(OSError):
            told = job.answer.result()
    except EndedError as ended:
        raise WorkerError(
            f"A process that replays hands for this load was ended ({ended}), as the system "
            "does when memory runs out. Nothing was published, the warehouse is as it was. "
            "Close other programs, then load again."
        ) from ended
    result = pickle.loads(told) if told else task.work(task.argument)  # noqa: S301 - of our own process
    return Done(task.argument, result)


@dataclass(eq=False, slots=True)
class Job:
    """A task that a process of a pool does, or will do."""

    answer: Future[bytes] = field(init=False)
    """As ``Worker.ask`` gives or raises it; ``OSError`` where no process could be made."""
    worker: Worker | None = None
    """The process that does it, while it does."""
    is_dropped: bool = False


class Pool:
    """Processes of this machine, started as tasks come; ``close`` ends them.

    Temporary files of theirs lie in ``folder`` where one is given.
    """

    def __init__(self, size: int, folder: str = "") -> None:
        self._folder = folder
        self._threads = ThreadPoolExecutor(size)
        self._lock = Lock()
        self._free: list[Worker] = []
        self._jobs: set[Job] = set()

    def begin(self, work: Callable[[A], object], argument: A) -> Job:
        """Have ``work(argument)`` done, a function of a module and plain values."""
        job = Job()
        message = pickle.dumps((work, argument), pickle.HIGHEST_PROTOCOL)
        self._jobs.add(job)
        job.answer = self._threads.submit(self._do, job, message)
        job.answer.add_done_callback(lambda _: self._jobs.discard(job))
        return job

    def drop(self, jobs: Iterable[Job]) -> None:
        """End these jobs, whatever they are doing."""
        with self._lock:
            for job in jobs:
                job.is_dropped = True
                if job.worker:
                    job.worker.kill()

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        self.drop(list(self._jobs))
        self._threads.shutdown()
        while self._free:
            self._free.pop().end()

    def _do(self, job: Job, message: bytes) -> bytes:
        with self._lock:
            if job.is_dropped:
                return b""
            worker = job.worker = self._free.pop() if self._free else Worker(self._folder)
        is_kept = False
        try:
            told = worker.ask(message)
            is_kept = worker.has_begun
            return told
        finally:
            with self._lock:
                job.worker = None
                is_kept &= not job.is_dropped
                if is_kept:
                    self._free.append(worker)
            if not is_kept:
                worker.end()


class Worker:
    """One process; one thread at a time may ask it. Raises ``OSError`` where none can be made.

    Temporary files of it lie in ``folder`` where one is given.
    """

    def __init__(self, folder: str = "") -> None:
        # The folder that our package is in, wherever this process has found it.
        home = str(Path(__file__).absolute().parents[3])
        self._pipe, theirs = Pipe()
        with theirs:
            handle = theirs.fileno()
            path = [home, *filter(None, sys.path)]
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-P", "-c", _PROGRAM, str(handle), *path],
                # No worker computes with matrices, and threads for that take time to start.
                env=os.environ
                | {"OPENBLAS_NUM_THREADS": "1"}
                | ({"TMPDIR": folder} if folder else {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[handle],
                # Ctrl-C is for the caller alone.
                process_group=0,
            )
        self.has_begun = False
        """Whether it has ever been heard of."""

    def ask(self, request: bytes) -> bytes:
        """Return the answer; it is empty when the request failed, or no process would start.

        Raises ``EndedError`` when the process was ended.
        """
        try:
            if not self.has_begun:
                self._pipe.recv_bytes()
                self.has_begun = True
            self._pipe.send_bytes(request)
            return self._pipe.recv_bytes()
        except (EOFError, OSError):
            status = self._process.wait()
        if status >= 0 and not self.has_begun:
            return b""
        is_signal = -status in set(signal.Signals)
        raise EndedError(signal.Signals(-status).name if is_signal else f"status {status}")

    def kill(self) -> None:
        """End the process, whatever it is doing: it holds nothing that anybody needs."""
        self._process.kill()

    def end(self) -> None:
        """End the process, wait until it has gone, and close the pipe to it."""
        self.kill()
        self._pipe.close()
        self._process.wait()


def serve(handle: int) -> None:
    """Answer requests of a pipe until it ends, in a process that a pool started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = SimpleQueue[bytes]()
    with Connection(handle) as pipe, suppress(BrokenPipeError):
        Thread(target=_listen, args=[pipe, requests], daemon=True).start()
        pipe.send_bytes(b"")
        while True:
            pipe.send_bytes(_answer(requests.get()))


def _listen(pipe: Connection, requests: SimpleQueue[bytes]) -> None:
    """Pass requests on; end the process, whatever it is doing, once nobody waits for answers."""
    with suppress(EOFError, OSError):
        while True:
            requests.put(pipe.recv_bytes())
    os._exit(0)


def _answer(request: bytes) -> bytes:
    try:
        work, argument = pickle.loads(request)  # noqa: S301 - of our own process
        return pickle.dumps(work(argument), pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - who asked does the same, and fails in its own words
        return b""
