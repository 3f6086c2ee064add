"""What Python calls of the library, with arguments like those that it passes."""

from __future__ import annotations

from types import FunctionType
from typing import Final

import numpy as np

from replay.native.translate import Translation

FITTED_IN: Final = {
    "replay.solver.choices": ("list_moves",),
    "replay.solver.moves": ("after", "before_choice", "legal_cards", "play_card", "take_trick"),
}
"""They take a position and return another: passing its numbers on takes longer than what most of
them do with it."""
MODULES: Final = ("replay.compiled.driver", "replay.compiled.study_lines", "replay.solver.answer")
"""Where the entries are defined."""
Entries = dict[str, tuple[FunctionType, tuple[object, ...]]]


def entries() -> Entries:
    """Return the functions by the names of the library, and arguments of each."""
    from replay.card_sense.hand import play_hand
    from replay.compiled import batch, driver, playing, solving, study_lines, studying
    from replay.solver import answer

    log, place = batch.lines_of(b"{}\n"), batch.buffers()
    seatings = batch.KnownSeatings(lambda _: None).arrays()
    rules = np.zeros(2, solving.RULES)
    board, states = solving.new_boards()[0], np.zeros(1, solving.STATE)
    room, sheet = studying.new_room(place), solving.new_sheet()
    out = studying.new_columns(1)
    return {
        "judge": (driver.judge, (log, 0, place, seatings, batch.new_columns(1, 1), -1)),
        "ask": (answer.answer, (0, board, rules[1], states[0], rules[0], sheet)),
        "play": (play_hand, (playing.seats_of(4), rules[0], -1)),
        "study": (
            study_lines.study_lines,
            (log, place, room, rules[0], rules[1], board, sheet, 0, out),
        ),
    }


def source() -> str:
    """Return the library as C++. Raises ``UnsupportedError`` for what the subset does not have."""
    from replay.engine.records import State

    translation = Translation(fitted_in=FITTED_IN, stood_in_for=frozenset({State}))
    for name, (function, arguments) in entries().items():
        translation.entry(name, function, arguments)
    return translation.text()
