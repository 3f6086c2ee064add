"""A finding as two columns: what the log says, and what the rules would have had."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tricklog.core import Finding
from tricklog.core.model import Fact
from tricklog.schemas.cards import mask_of, parse_card, parse_cards, pretty_card, pretty_cards
from tricklog.schemas.languages.messages import either, say, translated_in
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import describe_action

_BIDS: Final = re.compile(r"(\d+)-(\d+)")
_NOBODY: Final = -1
_SEATS: Final = ("due", "winner")
"""Facts that are seats; a number in their place in the record is a seat, too."""


def logged(finding: Finding, actions: Sequence[str], names: Sequence[str]) -> str:
    """Return what the record says at the place of a finding: ``Cy plays queen of hearts``.

    ``actions`` are those of the record, ``names`` the players by seat. Empty where there is nothing
    but the sentence to tell.
    """
    facts = finding.facts
    at = finding.action
    if at is not None and at < len(actions) and "claimed" not in facts:
        return describe_action(actions[at], names)
    for name in ("claimed", "recorded", "now", "count", "number"):
        if name in facts:
            seat = any(each in facts for each in _SEATS)
            return _fact_words(facts[name], names, is_seat=seat)
    return pretty_card(parse_card(str(facts["card"]))) if "card" in facts else ""


def expected(finding: Finding, names: Sequence[str]) -> str:
    """Return what would have been by the rules: ``one of 6♠ 5♠ K♦``, ``11 : -35``.

    Empty where the rules leave nothing that could have been.
    """
    facts = finding.facts
    for name in ("recomputed", "carried", "before", "wanted"):
        if name in facts:
            return _fact_words(facts[name], names)
    if "winner" in facts and "claimed" in facts:
        return _fact_words(facts["winner"], names, is_seat=True)
    if finding.legal:
        return _legal_words(finding.legal, facts)
    due = facts.get("due")
    if isinstance(due, int) and due not in (_NOBODY, finding.seat):
        player = _fact_words(due, names, is_seat=True)
        if "recorded" in facts:
            return say("{player} deals", player=player)
        return say("{player} is to act", player=player)
    return ""


def _legal_words(legal: str, facts: dict[str, Fact]) -> str:
    """Return a legal set in words; it is cards, or bids and verbs."""
    try:
        cards = pretty_cards(mask_of(parse_cards(legal)))
    except ValueError:
        return one_line(str(either([*map(_call_words, legal.split())], commas=False)))
    least, most = facts.get("least"), facts.get("most")
    if least is None or most is None:
        return cards
    if least == most:
        if most == 1:
            return say("one of {cards}", cards=cards)
        return say("{count} of {cards}", count=most, cards=cards)
    return say("{least} to {most} of {cards}", least=least, most=most, cards=cards)


def _call_words(text: str) -> str:
    bids = _BIDS.fullmatch(text)
    if not bids:
        return translated_in("a call", text.replace("-", " "))
    low, high = bids.groups()
    return low if low == high else say("{low} to {high}", low=low, high=high)


def _fact_words(fact: Fact, names: Sequence[str], *, is_seat: bool = False) -> str:
    if isinstance(fact, list | tuple):
        return " : ".join(str(each) for each in fact)
    if is_seat and isinstance(fact, int) and 0 <= fact < len(names):
        return names[fact]
    return one_line(str(fact))
