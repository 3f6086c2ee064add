"""An object store on this machine, for tests of what lies on one.

The program has an environment of its own, which ``./dev setup`` makes, since what it needs cannot
stand beside what the project needs.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.kit.waiting import PATIENCE, answers, await_that, free_port

BUCKET = "club"
PROGRAM = Path(sys.prefix) / "s3-server" / "bin" / "moto_server"
MISSING = f"no object store: {PROGRAM} is not installed, run ./dev setup"


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

    def has_bucket() -> bool:
        assert process.poll() is None, "the object store has ended"
        return answers(f"{store.endpoint}/{BUCKET}", "PUT")

    try:
        await_that(has_bucket, lambda: "the object store does not answer")
        yield store
    finally:
        process.terminate()
        process.wait(PATIENCE)
