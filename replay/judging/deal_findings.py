"""What is wrong with the cards as dealt: wrong numbers, a card twice, a player at two seats.

Laying the cards out says whether anything is wrong; this says what, and which rule a finding about
it cites. Sources: 0.deal, 0.conservation, 0.players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from replay.engine.hand_replay import Workspace
from replay.engine.records import Rules
from replay.judging.findings import cite, player_name
from replay.model import Finding
from replay.rulesets.ruleset import Ruleset
from schemas.cards import card_name, pretty_card
from schemas.hand import Hand
from schemas.languages.messages import Message, mark, message, message_of
from schemas.words import cards_counted

DEAL_ROWS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "deal-size": (("packets",), mark("{place} was dealt {counted} instead of {wanted}.")),
    "kitty-size": (("kitty_size",), mark("The kitty holds {counted} instead of {wanted}.")),
    "stock-size": (("packets",), mark("The stock holds {counted} instead of {wanted}.")),
    "player-twice": (("0.players",), mark("{place} is recorded at seat {other} as well.")),
    "score-count": (
        ("sides",),
        mark("The record gives {count} running scores for {wanted} sides."),
    ),
    "card-not-in-pack": (("ranks",), mark("{place} holds {card}, which is not in the pack.")),
    "card-twice": (
        ("0.conservation",),
        mark("{place} holds {card}, which is already recorded in {first}."),
    ),
}


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


def deal_finding(hand: Hand, ruleset: Ruleset, fault: DealFault) -> Finding:
    """Return the finding for a fault in the cards as dealt."""
    keys, sentence = DEAL_ROWS[fault.code]
    facts = dict(fault.facts)
    if "card" in facts:
        facts["card"] = card_name(int(str(facts["card"])))
    words: dict[str, object] = dict(facts)
    if "card" in fault.facts:
        words["card"] = pretty_card(int(str(fault.facts["card"])))
    if fault.seat is None:
        words["place"] = message("The kitty") if fault.pointer == "/kitty" else message("The stock")
    else:
        words["place"] = player_name(hand, fault.seat)
    if "count" in facts:
        words["counted"] = cards_counted(int(str(facts["count"])))
    if "first" in facts:
        words["first"] = _place_said(hand, str(facts["first"]))
    rule = cite(ruleset, keys)
    said = message_of(sentence, words)
    return Finding(fault.code, None, fault.pointer, fault.seat, facts, "", rule, said)


def _place_said(hand: Hand, pointer: str) -> Message:
    if pointer.startswith("/deal/"):
        return message("{player}'s hand", player=player_name(hand, int(pointer[6:])))
    return message("the kitty") if pointer == "/kitty" else message("the stock")
