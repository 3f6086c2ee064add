"""From a fault in the cards as dealt to a finding: what it says and which rule it cites."""

from __future__ import annotations

from typing import Final

from replay.judging.deal_checks import DealFault
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
