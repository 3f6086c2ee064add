"""Positions written down: those of a recorded hand, and those that the last choices lead to."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from tricklog.core.solver.position import FIELDS, NOBODY, Board, Position

Array: TypeAlias = Any
"""A numpy array, or in plain Python a list or a list of lists."""

GOT: Final = FIELDS
"""After the fields of a position: what the makers have got by then; of one that a choice leads to
the least that they get from there on."""
AT_MOST: Final = FIELDS + 1
"""Of one that a choice leads to: the most that they get from there on."""
PLACED: Final = FIELDS + 2
"""Numbers in a position written down."""


def keep_position(at: Position, got: int, place: Array) -> None:
    """Write a position down."""
    place[0], place[1], place[2], place[3] = at.left, at.table, at.turn, at.waiting
    place[4], place[5], place[6], place[7] = at.leader, at.led, at.best, at.stake
    place[8], place[9], place[10] = at.weight, at.ahead, at.flags
    place[GOT] = got


def position_in(place: Array) -> Position:
    """Return a position that was written down."""
    return Position(
        place[0],
        place[1],
        place[2],
        place[3],
        place[4],
        place[5],
        place[6],
        place[7],
        place[8],
        place[9],
        place[10],
    )


def write_down(board: Board, at: Position, placed: Array, index: int) -> None:
    """Write down the position that a choice leads to, and what the board has found of it."""
    keep_position(at, board.low, placed[index])
    placed[index][AT_MOST] = board.high


def recall(board: Board, at: Position, placed: Array) -> bool:
    """Narrow the board to what was written down of a position, if it was."""
    for index in range(board.answered):
        if is_same(at, position_in(placed[index])):
            board.low, board.high = placed[index][GOT], placed[index][AT_MOST]
            return True
    return False


def is_same(at: Position, other: Position) -> bool:
    """Are two positions the same in all that decides what comes of them?"""
    same = at.left == other.left and at.table == other.table and at.turn == other.turn
    same = same and at.leader == other.leader and at.flags == other.flags
    same = same and at.stake == other.stake and at.weight == other.weight
    if not same or at.ahead != other.ahead:
        return False
    # Before a trick they say only how the last one ended.
    return at.turn == NOBODY or (
        at.waiting == other.waiting and at.led == other.led and at.best == other.best
    )
