"""Commands run in this process, with what they print taken in as a system would."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from tricklog.ingest.cli import main


@dataclass(frozen=True)
class Ran:
    status: int | None
    """``None`` when an exception left the program."""
    out: str
    err: str
    raised: str

    @property
    def said(self) -> str:
        return self.out + self.err


def run_here(arguments: Sequence[str], folder: Path) -> Ran:
    """Run a command; what it prints goes through files in ``folder``."""
    status, raised = None, ""
    with _captured(folder) as said:
        try:
            status = main(arguments)
        except BaseException:  # noqa: BLE001 - whatever leaves the program is a failure
            raised = traceback.format_exc()
        return Ran(status, *said(), raised)


@contextmanager
def _captured(folder: Path) -> Iterator[Callable[[], tuple[str, str]]]:
    paths = folder / "said.out", folder / "said.err"
    out, err = (path.open("w", encoding="utf-8") for path in paths)
    with out, err, redirect_stdout(out), redirect_stderr(err):

        def said() -> tuple[str, str]:
            for stream in (out, err):
                stream.flush()
            return paths[0].read_text("utf-8"), paths[1].read_text("utf-8")

        yield said
