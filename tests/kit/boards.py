"""The board of the solver, changed by hand: parts of the search off, or other weights."""

from tricklog.core.compiled.solving import Place


def set_on_board(place: Place, name: str, value: object) -> None:
    """Give a field of ``tricklog.core.solver.position.Board`` a value, compiled or plain."""
    board = place._board
    if place._call:
        board[name] = value
    else:
        setattr(board, name, value)
