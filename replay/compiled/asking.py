"""The solver as Python calls it compiled."""

from __future__ import annotations

from replay.solver.answer import Sheet, answer
from replay.solver.placed import Array


def ask(question: int, boards: Array, rules: Array, states: Array, sheet: tuple[Array, ...]) -> int:
    """Answer a question, see ``solver.answer.answer``: on the first board, about the first state.

    ``rules`` are two records of the same rules, the second to be written into; ``sheet`` has the
    fields of a ``Sheet``. All are arrays: of a record by itself numpy describes every field
    whenever compiled code is called with it.
    """
    room = Sheet(sheet[0], sheet[1], sheet[2], sheet[3])
    return answer(question, boards[0], rules[1], states[0], rules[0], room)
