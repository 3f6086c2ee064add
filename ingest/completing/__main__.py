"""Print what can stand in the place of the last word of a command line; nothing where in doubt."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def main(words: list[str]) -> int:
    """Print candidates, one a line. Whatever goes wrong stays unsaid, for somebody is typing."""
    with suppress(Exception):
        from tricklog.ingest.completing.words import candidates

        text = "".join(f"{each}\n" for each in candidates(words))
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        return 0
    # A reader gone away is no reason for a complaint at exit either.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
