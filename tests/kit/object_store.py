"""An object store on this machine, for tests of what lies on one.

The program has an environment of its own, which ``./dev setup`` makes, since what it needs cannot
stand beside what the project needs.
"""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.kit.waiting import free_port

BUCKET = "club"
PROGRAM = Path(sys.prefix) / "s3-server" / "bin" / "moto_server"
MISSING = f"no object store: {PROGRAM} is not installed, run ./dev setup"
_PATIENCE = 300.0


@dataclass(frozen=True)
class ObjectStore:
    endpoint: str

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }


@contextmanager
def running_store() -> Iterator[ObjectStore]:
    """Run a store with an empty bucket on a free port; stop it at the end of the block."""
    port = free_port()
    store = ObjectStore(f"http://127.0.0.1:{port}")
    process = subprocess.Popen(
        [PROGRAM, "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _make_bucket(store, process)
        yield store
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _make_bucket(store: ObjectStore, process: subprocess.Popen[bytes]) -> None:
    request = urllib.request.Request(f"{store.endpoint}/{BUCKET}", method="PUT")  # noqa: S310
    end = time.monotonic() + _PATIENCE
    while True:
        assert process.poll() is None, "the object store has ended"
        try:
            urllib.request.urlopen(request, timeout=10).close()  # noqa: S310
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < end, "the object store does not answer"
            time.sleep(0.1)
        else:
            return
