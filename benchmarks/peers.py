"""Engines of other games, each replaying records it has made itself, every action checked."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

Timed = Callable[[], Mapping[str, float]]
SEED: Final = 7
CHESS_PLIES: Final = 80


def openspiel_euchre(games: int) -> Timed:
    """Replay euchre: every action is asked for among the legal ones and applied, deals included."""
    import pyspiel

    game = pyspiel.load_game("euchre")
    chance = random.Random(SEED)
    records = []
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        records.append(state.history())

    def timed() -> Mapping[str, float]:
        for record in records:
            state = game.new_initial_state()
            for action in record:
                if action not in state.legal_actions():
                    raise AssertionError(f"illegal: {action}")
                state.apply_action(action)
            if not state.is_terminal():
                raise AssertionError("a recorded game does not come to its end")
        return {"actions": sum(map(len, records)), "games": games}

    return timed


def chess_games(games: int) -> Timed:
    """Replay chess: every move is checked for legality and pushed."""
    import chess

    chance = random.Random(SEED)
    records = []
    for _ in range(games):
        board = chess.Board()
        while len(board.move_stack) < CHESS_PLIES and (moves := list(board.legal_moves)):
            board.push(chance.choice(moves))
        records.append(board.move_stack)

    def timed() -> Mapping[str, float]:
        for record in records:
            board = chess.Board()
            for move in record:
                if not board.is_legal(move):
                    raise AssertionError(f"illegal: {move}")
                board.push(move)
        return {"actions": sum(map(len, records)), "games": games}

    return timed


def pokerkit_hands(games: int) -> Timed:
    """Replay hold'em hand histories: PokerKit reads, checks and carries out every action."""
    from pokerkit import HandHistory

    random.seed(SEED)  # PokerKit shuffles with it
    records = [HandHistory.loads(_hold_em()) for _ in range(games)]

    def timed() -> Mapping[str, float]:
        for record in records:
            *_, state = record
            if state.status:
                raise AssertionError("a recorded hand does not come to its end")
        return {"actions": sum(len(record.actions) for record in records), "games": games}

    return timed


def _hold_em() -> str:
    """Return the hand history of six players who call, raise or fold at random."""
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    game = NoLimitTexasHoldem(automations, True, 0, (5, 10), 10)  # noqa: FBT003 - its signature
    state = game([1000] * 6, 6)
    while state.status:
        if state.can_deal_hole():
            state.deal_hole()
        elif state.can_deal_board():
            state.deal_board()
        else:
            _act(state)
    return str(HandHistory.from_game_state(game, state).dumps())


def _act(state: Any) -> None:  # noqa: ANN401 - an engine that need not be installed
    least = state.min_completion_betting_or_raising_to_amount
    throw = random.random()
    if throw < 0.15 and state.can_complete_bet_or_raise_to(least):
        state.complete_bet_or_raise_to(least)
    elif throw < 0.4 and state.checking_or_calling_amount:
        state.fold()
    else:
        state.check_or_call()
