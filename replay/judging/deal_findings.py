"""From a fault in the cards as dealt to a finding: what it says and which rule it cites."""

from __future__ import annotations

from typing import Final

from replay.judging.deal_checks import DealFault
from replay.judging.findings import cite, player_name
from replay.model import Finding
from replay.rulesets.ruleset import Ruleset
from schemas.cards import card_name, pretty_card
from schemas.hand import Hand
from schemas.words import counted

DEAL_ROWS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "deal-size": (("packets",), "{place} was dealt {counted} instead of {wanted}."),
    "kitty-size": (("kitty_size",), "The kitty holds {counted} instead of {wanted}."),
    "stock-size": (("packets",), "The stock holds {counted} instead of {wanted}."),
    "player-twice": (("0.players",), "{place} is recorded at seat {other} as well."),
    "score-count": (("sides",), "The record gives {count} running scores for {wanted} sides."),
    "card-not-in-pack": (("ranks",), "{place} holds {card}, which is not in the pack."),
    "card-twice": (
        ("0.conservation",),
        "{place} holds {card}, which is already recorded in {first}.",
    ),
}


def deal_finding(hand: Hand, ruleset: Ruleset, fault: DealFault) -> Finding:
    """Return the finding for a fault in the cards as dealt."""
    keys, sentence = DEAL_ROWS[fault.code]
    facts = dict(fault.facts)
    if "card" in facts:
        facts["card"] = card_name(int(str(facts["card"])))
    words = dict(facts)
    if "card" in fault.facts:
        words["card"] = pretty_card(int(str(fault.facts["card"])))
    if fault.seat is None:
        words["place"] = "The kitty" if fault.pointer == "/kitty" else "The stock"
    else:
        words["place"] = player_name(hand, fault.seat)
    if "count" in words:
        words["counted"] = counted(int(str(words["count"])), "card")
    if "first" in words:
        words["first"] = _place_name(hand, str(words["first"]))
    message = sentence.format(**words)
    return Finding(
        fault.code, None, fault.pointer, fault.seat, facts, "", cite(ruleset, keys), message
    )


def _place_name(hand: Hand, pointer: str) -> str:
    if pointer.startswith("/deal/"):
        return f"{player_name(hand, int(pointer[6:]))}'s hand"
    return f"the {pointer[1:]}"
