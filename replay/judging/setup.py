"""From a hand log to a workspace: the record as the engine takes it.

Sources: 0.deal, 0.record.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from tricklog.core.engine import hand_replay
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.history import History
from tricklog.core.engine.rules.result import Result
from tricklog.core.judging.findings import deal_findings
from tricklog.core.model import BadRecord, Finding
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.actions import Action, ActionError, parse_action
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.first_version import Claimed
from tricklog.schemas.hand import Hand
from tricklog.schemas.scan.line import ScannedLine
from tricklog.schemas.words import counted

_NOTHING_CLAIMED = Claimed()
_EMPTY = -1
"""In place of the length of a list that is there and holds nothing: it is not as if it were
absent."""


def read_actions(hand: Hand) -> tuple[Action, ...]:
    """Return the actions of a hand. Raises ``BadRecord`` at the first that cannot be read."""
    try:
        return tuple(map(parse_action, hand.actions))
    except ActionError:
        return tuple(_action_at(f"/actions/{n}", text) for n, text in enumerate(hand.actions))


def _action_at(pointer: str, text: str) -> Action:
    try:
        return parse_action(text)
    except ActionError as error:
        raise BadRecord(pointer, str(error)) from None


def first_state(
    hand: Hand, ruleset: Ruleset, actions: Sequence[Action]
) -> tuple[State, Rules, list[Finding]]:
    """Return the state before the first action, the rules, and what is wrong with the deal.

    Raises ``BadRecord`` when a card list cannot be read or does not fit the players.
    """
    rules = ruleset.rules(len(hand.players))
    workspace = workspace_of(hand, actions)
    right = hand_replay.lay_out(workspace, rules, len(actions))
    return workspace.state, rules, deal_findings(hand, ruleset, None if right else workspace)


def workspace_of(hand: Hand, actions: Sequence[Action]) -> Workspace:
    """Return what a hand is replayed on, with nothing laid out yet.

    Raises ``BadRecord`` when a card list cannot be read or does not fit the players.
    """
    seats = len(hand.players)
    if hand.dealt_by >= seats:
        raise BadRecord("/dealer", f"is {hand.dealer}, but the seats are 0 to {seats - 1}")
    cards: list[int] = []
    bounds = [0]
    hands: Sequence[str] = [""] * seats if hand.deal is UNSET else hand.deal
    if len(hands) != seats:
        raise BadRecord("/deal", f"holds {counted(len(hands), 'hand')} for {seats} players")
    for seat, text in enumerate(hands):
        cards += _cards_at(f"/deal/{seat}", text)
        bounds.append(len(cards))
    for pointer, part in (("/kitty", hand.kitty), ("/stock", hand.stock)):
        if part is not UNSET:
            cards += _cards_at(pointer, part)
        bounds.append(len(cards))
    room = [0] * len(actions)
    return Workspace(
        line=_line_of(hand),
        cards=cards,
        bounds=bounds,
        wanted=[0] * (seats + 2),
        actions=actions,
        faults=room[:],
        state=State(dealer=hand.dealt_by),
        history=History(
            call_action=room[:],
            call_amount=room[:],
            play_action=room[:],
            play_seat=room[:],
            play_card=room[:],
        ),
        result=Result(),
    )


def _cards_at(pointer: str, text: str) -> list[int]:
    try:
        return parse_cards(text)
    except ValueError as error:
        raise BadRecord(pointer, str(error)) from None


def _line_of(hand: Hand) -> ScannedLine:
    """Return what a scanned line would say of a hand besides its cards and actions.

    Of the places in the text only those are given that say whether a part is there.
    """
    claimed = hand.whole_claims or _NOTHING_CLAIMED
    line = ScannedLine(
        seats=len(hand.players),
        dealer=hand.dealt_by,
        deal_start=_is_there(hand.deal),
        kitty_start=_is_there(hand.kitty),
        stock_start=_is_there(hand.stock),
    )
    line.score_count, line.scores = _numbers(hand.whole_scores)
    line.points_count, line.points = _numbers(claimed.points)
    line.change_count, line.change = _numbers(claimed.change)
    line.after_count, line.after = _numbers(claimed.scores)
    if claimed.winners is not UNSET:
        line.winner_count, line.winners = len(claimed.winners), claimed.winners
    return line


def _is_there(part: object) -> int:
    return -1 if part is UNSET else 0


def _numbers(listed: list[int] | UnsetType) -> tuple[int, list[int]]:
    return (0, []) if listed is UNSET else (len(listed) or _EMPTY, listed)
