"""``tricklog``, and ``python -m tricklog``: the command line."""

from __future__ import annotations

import sys
from typing import Final

_INTERRUPTED: Final = 130
"""As for a command that has begun; its own constant is among what is still to be imported."""


def main() -> int:
    """Run one command of the process's arguments and return its exit status."""
    try:
        # The imports take most of the first half second, in which Ctrl-C is no error either.
        from ingest.cli import main as run
    except KeyboardInterrupt:
        return _INTERRUPTED
    return run()


if __name__ == "__main__":
    sys.exit(main())
