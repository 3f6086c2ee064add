"""A program that has a cluster of Ray do tasks, in a process of its own.

Ray ends the process of a program from within when the node it came through is lost. That must never
be the process of pytest, which would take all that it has still to test with it.
"""

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

from tests.conftest import REPOSITORY
from tricklog.ingest.lake.on_ray import Cluster, on_cluster

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

RACE = "Tried to complete task that was not pending"
"""What Ray's core says when it ends the process of a program because a task that was called off was
done at the same moment."""


class RaceOfRayError(Exception):
    """The process ended for a fault of Ray's own."""


class RayDriver:
    """Calls functions in a process that is connected to the cluster at ``address``.

    ``said`` is the file that takes what the process prints. A call that a race within Ray ends is
    made a second time, in a process of its own; anything else that ends the process is a failure.
    """

    def __init__(self, address: str, environment: dict[str, str], said: Path) -> None:
        self.said = said
        self._address, self._environment = address, environment
        self._start()

    def _start(self) -> None:
        self._there, theirs = Pipe()
        with theirs, self.said.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno()), self._address],
                env=os.environ | self._environment | {"PYTHONPATH": str(REPOSITORY)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[theirs.fileno()],
            )
        self._received()

    def __call__(
        self, work: Callable[Concatenate[Cluster, P], R], /, *arguments: P.args, **options: P.kwargs
    ) -> R:
        """Return what a function of a module returns there, or raise what it raises there."""
        try:
            return cast(R, self._answer(work, arguments, options))
        except RaceOfRayError:
            self.restart()
            return cast(R, self._answer(work, arguments, options))

    def restart(self) -> None:
        """Begin a process in place of one that has ended."""
        self._there.close()
        self._start()

    def end(self) -> None:
        """Leave the cluster, and wait until the process has ended."""
        self._there.close()
        status, said = self._process.wait(300), self.said.read_text("utf-8")
        assert status == 0 or RACE in said, said

    def _answer(self, *call: object) -> object:
        with suppress(BrokenPipeError):  # it has ended, and what it said is told below
            self._there.send(call)
        return self._received()

    def _received(self) -> object:
        try:
            error, result = pickle.loads(self._there.recv_bytes())  # noqa: S301 - of our own
        except (EOFError, ConnectionError):
            status = self._process.wait(300)
            said = self.said.read_text("utf-8")
            if RACE in said:
                raise RaceOfRayError(said) from None
            raise AssertionError(f"The process of the driver ended with {status}: {said}") from None
        if error is not None:
            raise error
        return result


def mapped(
    cluster: Cluster, work: Callable[[T], R], items: Iterable[T], *, memory: int = 0
) -> list[R]:
    """Return all results of ``Cluster.map``, as they came."""
    return list(cluster.map(work, items, memory=memory))


def _serve(cluster: Cluster, asked: Connection) -> None:
    asked.send_bytes(pickle.dumps((None, None)))
    with suppress(EOFError):
        while True:
            work, arguments, options = asked.recv()
            answer: tuple[Exception | None, object]
            try:
                answer = None, work(cluster, *arguments, **options)
            except Exception as error:  # noqa: BLE001 - it is raised by who asked
                answer = error, None
            asked.send_bytes(pickle.dumps(answer))


def main() -> None:
    """Connect to a cluster, and do what is asked for until nobody asks any more."""
    warnings.simplefilter("error")
    with Connection(int(sys.argv[1])) as asked, on_cluster(sys.argv[2]) as cluster:
        _serve(cluster, asked)


if __name__ == "__main__":
    main()
