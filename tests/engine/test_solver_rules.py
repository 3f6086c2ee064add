"""The solver plays by the engine's rules: the same moves, turns, winners and points."""

from copy import deepcopy

import pytest

from tests.kit.open_play import SHAPES, Played, some_plays
from tests.kit.tiers import scaled
from tricklog.core.compiled.solving import Place
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import State, copy_state
from tricklog.core.engine.rules.hidden_trump import is_hidden
from tricklog.core.solver import moves, position
from tricklog.core.solver.choices import list_surplus
from tricklog.core.solver.setting import cards_meant, locate, numbers_of, seat_at, set_up
from tricklog.schemas.actions import Verb

HANDS = scaled(9, most=200)
"""Hands of each shape: some 7,000 states of all together."""


class Kernel:
    """The solver's own course of a hand, beside the engine's."""

    def __init__(self, played: Played) -> None:
        self.rules = played.rules
        self.board = position.Board()
        self.dense = deepcopy(played.rules)
        set_up(self.board, self.dense, played.first, self.rules)
        # Who may declare king and queen, and when, is proved with the values.
        self.board.pair_holder = position.NOBODY
        self.at = self.locate(played.first)
        self.points = self.board.base

    def locate(self, state: State) -> position.Position:
        return locate(self.board, self.dense, state, self.rules)

    def begun(self, at: position.Position | None = None) -> position.Position:
        """Return where a hand stands, here or ``at``, with its trick begun."""
        at = at or self.at
        return moves.begin_trick(self.board, at) if at.turn == position.NOBODY else at


def whole(at: position.Position) -> tuple[object, ...]:
    """Return what matters of a position, with what a trick begins with left to its beginning."""
    lasting = at.flags & (position.SHOWN | position.FIRST_TRICK | position.LIMIT_USED * 127)
    return (*at[:10], lasting)


def compare(kernel: Kernel, state: State) -> None:
    """Compare where both stand."""
    if state.phase == Phase.OVER:
        assert moves.begin_trick(kernel.board, kernel.at).waiting == 0
        return
    there = kernel.locate(state)
    points = kernel.board.base
    here = kernel.begun()
    assert whole(here) == whole(kernel.begun(there))
    assert kernel.points == points
    assert seat_at(kernel.board, here.turn) == state.turn


def compare_choices(kernel: Kernel, state: State) -> None:
    board, at = kernel.board, kernel.begun()
    # The maker may yet say what trumps are after a trick that brought them out.
    seat = state.turn if state.revealed else engine.to_act(state)
    legal = engine.legal(state, kernel.rules, seat)
    shows = moves.showing(board, kernel.dense, at)
    if legal.verbs >> Verb.ASK & 1 and not legal.verbs >> Verb.PLAY & 1:
        assert shows == moves.HAS_TO_SHOW
    elif legal.verbs >> Verb.REVEAL & 1 and not legal.verbs >> Verb.PLAY & 1:
        assert shows == moves.HAS_TO_SHOW or state.asker >= 0
    elif legal.verbs >> Verb.BURY & 1:
        board.top = 0
        board.switches &= ~position.USE_LIKENESS
        list_surplus(board, at)
        sets = {cards_meant(board, board.moves[index]) for index in range(board.top)}
        chosen, allowed = legal.may, set()
        while chosen:
            few = (chosen & legal.limited).bit_count() <= legal.limit
            if chosen.bit_count() == legal.least and few:
                allowed.add(chosen)
            chosen = (chosen - 1) & legal.may
        assert sets == allowed
    else:
        assert cards_meant(board, moves.legal_cards(board, kernel.dense, at)) == legal.may
        asks = legal.verbs & (1 << Verb.ASK | 1 << Verb.REVEAL)
        alone = seat == state.maker and not state.holding[seat]
        hidden = is_hidden(state, kernel.rules)
        assert (shows == moves.MAY_SHOW) == (asks != 0) or alone or not hidden


def compare_what_is_owed(kernel: Kernel, state: State, *shown: position.Position) -> None:
    """Compare what is left to who had the trump shown: they may owe the trick a trump (O48)."""
    legal = engine.legal(state, kernel.rules, state.turn)
    for at in (*shown, kernel.locate(state)):
        left = moves.legal_cards(kernel.board, kernel.dense, at)
        assert cards_meant(kernel.board, left) == legal.may


def carried_out(played: Played) -> int:
    """Carry a hand out on both sides; return how many states were compared."""
    kernel = Kernel(played)
    compared, asked = 0, False
    asked_for: tuple[position.Position, ...] = ()
    for state, action in zip(played.states, played.actions, strict=False):
        if action.verb in (Verb.ASK, Verb.REVEAL):
            compare_choices(kernel, state)
            asked = True
            asked_for = (kernel.locate(state),) if state.asker >= 0 else ()
        if action.verb not in (Verb.PLAY, Verb.BURY):
            continue
        if not asked:
            compare(kernel, state)
            compared += 1
            compare_choices(kernel, state)
        at = kernel.begun()
        chosen = numbers_of(kernel.board, action.cards)
        may = moves.showing(kernel.board, kernel.dense, at)
        if asked and may:
            shown = moves.show(kernel.board, kernel.dense, at)
            compare_what_is_owed(kernel, state, shown, *asked_for)
        if asked and may == moves.HAS_TO_SHOW:
            at, _ = moves.before_choice(kernel.board, kernel.dense, at)
        move = chosen if action.verb == Verb.BURY else moves.top(chosen)
        if asked and may == moves.MAY_SHOW:
            move += moves.ASKED
        kernel.at, gain = moves.after(kernel.board, kernel.dense, at, move)
        kernel.points += gain
        asked = False
    compare(kernel, copy_state(played.states[-1]))
    return compared + 1


@pytest.mark.parametrize("name", SHAPES)
def test_moves_turns_winners_and_points_are_the_engines(name: str) -> None:
    compared = sum(carried_out(played) for played in some_plays(name, HANDS))
    assert compared > HANDS * 10


def test_the_states_compared_are_many_and_of_every_kind() -> None:
    states = [
        state
        for name in SHAPES
        for played in some_plays(name, HANDS)
        for state in played.states
        if state.phase == Phase.PLAY
    ]
    assert len(states) >= 6_000
    assert any(state.buriers for state in states)
    assert any(state.seventh for state in states)
    assert any(state.reversed for state in states)
    assert any(state.solo >= 0 for state in states)
    assert any(state.must_trump >= 0 for state in states)
    assert any(state.trump == 4 for state in states)


def test_plain_and_compiled_places_are_asked_alike() -> None:
    assert not Place(compiled=False).nodes
