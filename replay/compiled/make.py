"""Making the library: ``python -m tricklog.core.compiled.make``, and what an installation calls.

Here stands what Python calls of it, with arguments like those that it passes.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from tricklog.core.native.build import LIBRARY, NoCompilerError, compile_text, compilers
from tricklog.core.native.library import trouble
from tricklog.core.native.sources import digest, sources
from tricklog.core.native.translate import Placing, Translation

PLACING: Final[Placing] = {
    # They take a position and return another: passing its numbers on takes longer than what most of
    # them do with it.
    "FITTED_IN": {
        "tricklog.core.solver.choices": ("list_moves",),
        "tricklog.core.solver.moves": (
            "after",
            "before_choice",
            "legal_cards",
            "play_card",
            "take_trick",
        ),
    },
    "GATHERS": {"tricklog.core.solver.search": ("search",)},
}
Entries = dict[str, tuple[Callable[..., int], tuple[object, ...]]]


def entries() -> Entries:
    """Return the functions by the names of the library, and arguments of each."""
    from tricklog.core.card_sense.choices import play_hand
    from tricklog.core.compiled import batch, driver, playing, solving, study_lines
    from tricklog.core.solver import answer

    log, desk = batch.lines_of(b"{}\n"), solving.new_desk(np.zeros(2, batch.RULES))
    rules, state = desk.rules, desk.starts[0]
    seatings = batch.KnownSeatings(lambda _: None).arrays()
    judged = log, 0, desk.place, seatings, batch.new_columns(1, 1), -1
    return {
        "judge": (driver.judge, judged),
        "replay": (driver.replay_hand, (0, 0, -1, log.text, rules, desk.starts, desk.place)),
        "ask": (answer.answer, (0, desk.board, desk.dense, state, rules, desk.sheet)),
        "play": (play_hand, (playing.seats_of(4), rules, -1)),
        "study": (study_lines.study_lines, (log, desk, 0)),
    }


def source() -> str:
    """Return the library as C++. Raises ``UnsupportedError`` for what the subset does not have."""
    from tricklog.core.engine.records import State

    translation = Translation(placing=PLACING, stood_in_for=frozenset({State}))
    for name, (function, arguments) in entries().items():
        translation.entry(name, function, arguments)
    return translation.text()


def build(library: Path = LIBRARY, *flags: str) -> str:
    """Make the library, with further flags, and return the command that compiled it.

    Raises ``NoCompilerError`` where none could, and ``UnsupportedError`` for what the compiled
    subset does not have.
    """
    if next(compilers(), None) is None:
        raise NoCompilerError("there is no C++ compiler, and no package ziglang")
    files = sources()
    signed = {"sources": "\\n".join(files), "digest": digest(files)}
    texts = (f'TEXT tricklog_{name}[] = "{text}";\n' for name, text in signed.items())
    return compile_text("".join([source(), *texts]), library, *flags)


def main() -> int:
    """Make the library, ``--if-needed``: if it is not of these sources. Returns 1 if none could."""
    if "--if-needed" in sys.argv[1:] and not trouble():
        # It is looked at again when a source is newer.
        LIBRARY.touch()
        return 0
    try:
        print(f"compiled by {build()}", file=sys.stderr)  # noqa: T201 - a command
    except NoCompilerError as error:
        print(error, file=sys.stderr)  # noqa: T201 - likewise
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
