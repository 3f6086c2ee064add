"""Processes that work for a load beside it, one for each core.

They are fresh interpreters that answer requests on their standard input: nothing of the caller's
program is run again in them, threads of its own do not matter, and a process whose caller is gone
comes to the end of its input and ends, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Final, Generic, Self, TypeVar

from tricklog.ingest.store.warehouse import WarehouseError

MOST: Final = 6
"""Processes a load has at most: each takes some 50 MB, 70 MB with logs that bring rules along."""
IN_FLIGHT: Final = 1 << 18
"""Bytes of tasks, for each process, that are given out at a time, about."""
_PROGRAM: Final = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import serve; serve()"
_LENGTH: Final = struct.Struct("<Q")

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


def cores() -> int:
    """Return how many processes a load keeps busy: one for each core it may use, up to ``MOST``."""
    if hasattr(os, "sched_getaffinity"):
        return min(MOST, len(os.sched_getaffinity(0)))
    return min(MOST, os.cpu_count() or 1)


def do_here(parts: Iterable[Task[A, R] | Aside[T]]) -> Iterator[Done[A, R] | Aside[T]]:
    """Do every task in this process; return the results, and what is no task, in order."""
    for part in parts:
        yield Done(part.argument, part.work(part.argument)) if isinstance(part, Task) else part


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

    @property
    def is_one(self) -> bool:
        """Whether there is nobody to share the work with."""
        return self._size <= 1

    def do(self, parts: Iterable[Task[A, R] | Aside[T]]) -> Iterator[Done[A, R] | Aside[T]]:
        """Do tasks on all cores; return the results, and what is no task, in order.

        A task that fails is done once more in this process, and raises there what it raises.
        Raises ``WorkerError`` when a process was ended from outside.
        """
        if self.is_one or not can_start():
            yield from do_here(parts)
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
    try:
        told = job.answer.result()
    except EndedError as ended:
        raise WorkerError(
            f"A process that replays hands for this load was ended ({ended}), as the system "
            "does when memory runs out. Nothing was published, the warehouse is as it was. "
            "Close other programs, then load again."
        ) from ended
    except OSError:
        told = b""
    result = pickle.loads(told) if told else task.work(task.argument)  # noqa: S301 - of our own process
    return Done(task.argument, result)


@dataclass(eq=False, slots=True)
class Job:
    """A task that a process of a pool does, or will do."""

    answer: Future[bytes] = field(default_factory=Future)
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
        with self._lock:
            self._jobs.add(job)
        self._threads.submit(self._do, job, message)
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
        for worker in self._free:
            worker.kill()
        for worker in self._free:
            worker.close()
        self._free.clear()

    def _do(self, job: Job, message: bytes) -> None:
        told, trouble = b"", None
        try:
            if self._takes(job) and job.worker:
                told = job.worker.ask(message)
        except (EndedError, OSError) as error:
            trouble = error
        with self._lock:
            worker, job.worker = job.worker, None
            self._jobs.discard(job)
            is_kept = not (trouble or job.is_dropped) and worker is not None and worker.has_begun
            if worker and is_kept:
                self._free.append(worker)
        if worker and not is_kept:
            worker.kill()
            worker.close()
        if trouble:
            job.answer.set_exception(trouble)
        else:
            job.answer.set_result(told)

    def _takes(self, job: Job) -> bool:
        """Give a process to a job that is still wanted."""
        with self._lock:
            if job.is_dropped:
                return False
            job.worker = self._free.pop() if self._free else Worker(self._folder)
            return True


def can_start() -> bool:
    """Whether this program can start another interpreter."""
    # Where a program is one file, the interpreter is the program itself.
    return bool(sys.executable) and not getattr(sys, "frozen", False)


class Worker:
    """One process; one thread at a time may ask it. Raises ``OSError`` where none can be made.

    Temporary files of it lie in ``folder`` where one is given.
    """

    def __init__(self, folder: str = "") -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-P", "-c", _PROGRAM, _home(), *filter(None, sys.path)],
            # No worker computes with matrices, and a pool of threads for that takes time to start.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | ({"TMPDIR": folder} if folder else {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for the caller alone.
            process_group=0,
        )
        self.has_begun = False
        """Whether it has ever been heard of."""

    def ask(self, request: bytes) -> bytes:
        """Return the answer; it is empty when the request failed, or no process would start.

        Raises ``EndedError`` when the process was ended.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        try:
            if not self.has_begun:
                _receive(stdout)
                self.has_begun = True
            _send(stdin, request)
            return _receive(stdout)
        except (EOFError, OSError):
            status = self._process.wait()
        if status >= 0 and not self.has_begun:
            return b""
        raise EndedError(_ending(status))

    def kill(self) -> None:
        """End the process, whatever it is doing: it holds nothing that anybody needs."""
        self._process.kill()

    def close(self) -> None:
        """Wait for the end of the process, and close the pipes to it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()


def _home() -> str:
    """Return the folder that our package is in, wherever this process has found it."""
    return str(Path(__file__).absolute().parents[3])


def _ending(status: int) -> str:
    if -status in set(signal.Signals):
        return signal.Signals(-status).name
    return f"status {status}"


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    message = pipe.read(length)
    if len(message) < length:
        raise EOFError
    return message


def serve() -> None:
    """Answer requests until standard input ends, in a process that a team started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever prints something must not print it between the answers.
    with os.fdopen(os.dup(1), "wb") as answers, suppress(BrokenPipeError):
        os.dup2(2, 1)
        requests = SimpleQueue[bytes]()
        Thread(target=_listen, args=[requests], daemon=True).start()
        _send(answers, b"")
        while True:
            _send(answers, _answer(requests.get()))


def _listen(requests: SimpleQueue[bytes]) -> None:
    """Pass requests on; end the process, whatever it is doing, once nobody waits for answers."""
    with suppress(EOFError):
        while True:
            requests.put(_receive(sys.stdin.buffer))
    os._exit(0)


def _answer(request: bytes) -> bytes:
    try:
        work, argument = pickle.loads(request)  # noqa: S301 - of our own process
        return pickle.dumps(work(argument), pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - who asked does the same, and fails in its own words
        return b""
