"""What is wrong with the cards as dealt: wrong numbers, a card twice, a player at two seats.

Laying the cards out says whether anything is wrong; this says what. Sources: 0.deal,
0.conservation, 0.players.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from replay.engine.hand_replay import Workspace
from replay.engine.records import Rules
from schemas.hand import Hand


@dataclass(frozen=True, slots=True)
class DealFault:
    """Something wrong with what stands before the first action: ``card-twice`` and so on."""

    code: str
    pointer: str
    seat: int | None
    facts: dict[str, int | str | list[int]]


def deal_faults(hand: Hand, rules: Rules, workspace: Workspace | None) -> list[DealFault]:
    """Return what is wrong with what stands before the first action.

    ``workspace``: where the deal was laid out; ``None`` where ``lay_out`` has found it sound.
    """
    faults: list[DealFault] = []
    if workspace:
        faults += _wrong_sizes(rules, workspace)
        faults += _conservation(rules, workspace)
        if hand.scores is not UNSET and len(hand.scores) != rules.side_count:
            count = len(hand.scores)
            faults.append(_size_fault("score-count", "/scores", None, count, rules.side_count))
    if len({player.id for player in hand.players}) < len(hand.players):
        faults += _players_twice(hand)
    return faults


def _place_of(rules: Rules, part: int) -> tuple[str, str, int | None]:
    """Return code, JSON pointer and seat of a part of the deal."""
    if part < rules.seats:
        return "deal-size", f"/deal/{part}", part
    return ("kitty-size", "/kitty", None) if part == rules.seats else ("stock-size", "/stock", None)


def _size_fault(code: str, pointer: str, seat: int | None, count: int, wanted: int) -> DealFault:
    return DealFault(code, pointer, seat, {"count": count, "wanted": wanted})


def _wrong_sizes(rules: Rules, workspace: Workspace) -> list[DealFault]:
    """Every part of the deal that is listed holds as many cards as it must (0.deal)."""
    faults = []
    bounds = workspace.bounds
    for part, wanted in enumerate(workspace.wanted):
        count = bounds[part + 1] - bounds[part]
        if count != wanted:
            faults.append(_size_fault(*_place_of(rules, part), count, wanted))
    return faults


def _conservation(rules: Rules, workspace: Workspace) -> list[DealFault]:
    """Every card of the pack exists once (0.conservation)."""
    faults = []
    seen: dict[int, str] = {}
    for part in range(rules.seats + 2):
        _, pointer, seat = _place_of(rules, part)
        for card in workspace.cards[workspace.bounds[part] : workspace.bounds[part + 1]]:
            if card < 0:
                continue
            if not rules.pack >> card & 1:
                faults.append(DealFault("card-not-in-pack", pointer, seat, {"card": card}))
            elif card in seen:
                facts: dict[str, int | str | list[int]] = {"card": card, "first": seen[card]}
                faults.append(DealFault("card-twice", pointer, seat, facts))
            else:
                seen[card] = pointer
    return faults


def _players_twice(hand: Hand) -> list[DealFault]:
    """Nobody sits at two seats (0.players)."""
    faults = []
    seats: dict[str, int] = {}
    for seat, player in enumerate(hand.players):
        if player.id in seats:
            facts: dict[str, int | str | list[int]] = {"id": player.id, "other": seats[player.id]}
            faults.append(DealFault("player-twice", f"/players/{seat}", seat, facts))
        seats.setdefault(player.id, seat)
    return faults
