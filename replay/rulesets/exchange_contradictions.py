"""Which policies of deal, exchange and phases cannot stand together, and why.

Sources: 0.order, 1.exchange, 12.exchange; S17, S44, S74 to S76.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from replay.rulesets.relevance import WHOLE_STOCK, in_a_sentence
from schemas.words import counted

PARTNERSHIP: Final = 4
"""So many players make two partnerships."""

_LEAVES_SHORT: Final = frozenset({"all-plain", "plain-if-liked", "any"})
"""Ways of laying off that need not leave the hand size."""

Rows = tuple[tuple[bool, str, str], ...]
"""What is checked: whether it is wrong, the policy to change, the reason."""

_BEFORE: Final = (
    ("trump", "double"),
    ("trump", "fold"),
    ("trump", "give"),
    ("trump", "discard"),
    ("kitty", "discard"),
    ("deal-rest", "fold"),
    ("deal-rest", "discard"),
    ("fold", "discard"),
    ("discard", "refill"),
    ("refill", "rob"),
    ("give", "refill"),
    ("give", "dealer-give"),
    ("rob", "dealer-give"),
    ("dealer-give", "come-down"),
    ("rob", "come-down"),
    ("come-down", "show"),
    ("rob", "show"),
)
"""Phases of which the one has to come before the other, where a game has both."""

_NEEDS_PHASE: Final[tuple[tuple[str, tuple[object, ...], str], ...]] = (
    ("kitty_size", (0,), "kitty"),
    ("discard", ("nothing",), "discard"),
    ("refill", ("nobody",), "refill"),
    ("rob", ("nothing",), "rob"),
    ("fold", ("never",), "fold"),
    ("doubling", ("none",), "double"),
    ("solo", ("none",), "solo"),
    ("surplus_shown", (False,), "show"),
)
"""A policy, the values with which nothing happens, and the phase that all others need."""


def _pack_size(values: Mapping[str, Any]) -> int:
    return 4 * len(values["ranks"]) + int(values["joker"])


def of_deal(values: Mapping[str, Any]) -> Rows:
    """Check what is about pack, deal and kitty: no more cards than there are (S50, S75)."""
    pack = _pack_size(values)
    most = sum(values["packets"]) * max(values["players"]) + values["kitty_size"]
    whole = values["deal"] == "whole-pack"
    in_play = values["high_low"] == "in-play"
    return (
        (
            not whole and most > pack,
            "packets",
            f"deal {counted(most, 'card')}, the pack has {pack}",
        ),
        (
            values["sides"] == "partners" and PARTNERSHIP not in values["players"],
            "sides",
            f"cannot be partners without {PARTNERSHIP} players",
        ),
        (
            whole and values["kitty_size"] > 0,
            "kitty_size",
            "leaves a kitty, but the whole pack is dealt",
        ),
        (
            whole and (values["discard"] != "nothing" or values["refill"] != "nobody"),
            "deal",
            "cannot be whole-pack where cards are laid off or drawn: nothing is left to draw",
        ),
        (
            values["kitty_size"] > 0 and values["discard"] == "nothing",
            "kitty_size",
            "cards go to the maker, who would have to lay off as many: discard is nothing",
        ),
        (
            values["odd_card"] == "dealer" and values["discard"] == "nothing",
            "odd_card",
            "cannot be dealer where nothing is laid off: one hand would be larger",
        ),
        (
            values["weak_start"] != "played" and values["points_in"] == "trumps",
            "weak_start",
            "cannot be judged before trumps are named where only trumps carry points",
        ),
        (
            values["off_five"] and "5" not in values["ranks"],
            "off_five",
            "cannot be a trump in a pack without fives",
        ),
        (
            values["off_jack"] and "J" not in values["ranks"],
            "off_jack",
            "cannot be a trump in a pack without jacks",
        ),
        (
            "joker" in values["points"] and not values["joker"],
            "points",
            "give the joker a worth, but there is no joker in the pack",
        ),
        (
            in_play and values["points_in"] == "every-suit",
            "high_low",
            "cannot be in-play where the cards of every suit carry points",
        ),
        (
            in_play and values["both_over"] == "count-order",
            "high_low",
            "cannot be in-play where points are counted out card by card",
        ),
        (
            in_play and values["low_to"] == "player",
            "low_to",
            "cannot be player where low is the lowest trump in play: say holder",
        ),
        (
            values["game_point"] == "count" and values["points_in"] == "every-suit",
            "game_point",
            "cannot be a count of cards where the cards of every suit carry points",
        ),
    )


def of_exchange(values: Mapping[str, Any]) -> Rows:
    """Check what is about laying off, drawing and giving."""
    phases = values["phases"]
    laid_off = values["discard"] != "nothing"
    comes_down = "come-down" in phases
    dealt = sum(values["packets"])
    partners = values["sides"] == "partners"
    return (
        (
            values["rob"] != "nothing" and values["refill"] == "nobody",
            "rob",
            f"is {values['rob']}, but nobody is dealt cards before it",
        ),
        (
            values["rob"] != "nothing" and values["refill"] == "everybody",
            "refill",
            "is for everybody, but the dealer takes from the rest instead",
        ),
        (
            values["rob"] == "nothing" and values["refill"] == "others",
            "rob",
            "is nothing, but nobody deals new cards to the dealer either",
        ),
        (
            values["discard"] in _LEAVES_SHORT and values["refill"] == "nobody",
            "refill",
            f"is nobody, but discard is {values['discard']}: hands would be short",
        ),
        (
            not laid_off and values["refill"] != "nobody",
            "refill",
            "needs a discard before it: nobody is short of cards",
        ),
        (
            not laid_off and values["deal"] == "packets" and dealt != values["hand_size"],
            "hand_size",
            f"is {values['hand_size']}, but {counted(dealt, 'card')} are dealt and kept",
        ),
        (
            laid_off and values["refill"] == "nobody" and dealt < values["hand_size"],
            "hand_size",
            f"is {values['hand_size']}, but only {counted(dealt, 'card')} are dealt and none drawn",
        ),
        (
            values["rob"] in WHOLE_STOCK and not comes_down,
            "rob",
            f"cannot be {values['rob']} without come-down among the phases",
        ),
        (
            values["rob"] in {"to-size", "stock-and-discards"} and not comes_down,
            "rob",
            f"cannot be {values['rob']} without come-down among the phases",
        ),
        (
            values["rob"] == "all-trumps" and values["surplus"] == "discard" and not comes_down,
            "surplus",
            "cannot be discard without come-down among the phases, after rob",
        ),
        (
            values["rob"] == "all-trumps"
            and values["discard"] == "plain-if-liked"
            and not comes_down,
            "discard",
            "cannot be plain-if-liked without come-down among the phases, after rob",
        ),
        (
            values["surplus"] == "to-partner" and "give" not in phases,
            "surplus",
            "cannot be to-partner without give among the phases",
        ),
        (
            values["surplus"] == "to-partner"
            and values["rob"] != "nothing"
            and "dealer-give" not in phases,
            "surplus",
            "cannot be to-partner without dealer-give among the phases, after rob",
        ),
        (
            values["surplus"] == "to-partner" and values["rob"] == "whole-stock-first",
            "rob",
            "cannot be whole-stock-first where surplus goes to the partner before the dealer robs",
        ),
        (
            values["surplus"] == "to-partner" and not partners,
            "surplus",
            "cannot be to-partner where everybody plays alone",
        ),
        (
            values["surplus"] == "to-partner" and values["fold"] != "never",
            "surplus",
            "cannot be to-partner where the partner may have folded",
        ),
        (
            values["fold"] != "never" and not partners,
            "fold",
            "needs a partner who plays on",
        ),
        (
            laid_off and values["discarded_points"] == "opponents" and not partners,
            "discarded_points",
            "cannot be opponents where everybody plays alone",
        ),
        (
            values["search_discards"] and values["rob"] == "nothing",
            "search_discards",
            "needs a dealer who looks through the rest of the stock",
        ),
        (
            values["rob_keeps_points"] and values["rob"] != "to-size",
            "rob_keeps_points",
            f"has no meaning where rob is {values['rob']}: it limits a dealer who takes any cards",
        ),
        (
            values["surplus_shown"] and values["rob"] != "to-size",
            "surplus_shown",
            f"has no meaning where rob is {values['rob']}: no trump is left in the stock",
        ),
        (
            values["discards_claimed"] and values["discards_shown"] != "all",
            "discards_claimed",
            "needs discards that are shown: nobody can claim what nobody sees",
        ),
    )


def of_phases(values: Mapping[str, Any]) -> Rows:
    """Check what is about the phases and their order."""
    phases = values["phases"]
    needed = tuple(
        (
            values[key] not in idle and phase not in phases,
            key,
            f"is {in_a_sentence(values[key])}, but the phases have no {phase}",
        )
        for key, idle, phase in _NEEDS_PHASE
    )
    ordered = tuple(
        (
            first in phases and later in phases and phases.index(first) > phases.index(later),
            "phases",
            f"must have {first} before {later}",
        )
        for first, later in _BEFORE
    )
    return (
        *needed,
        (
            len(values["packets"]) > 1 and "deal-rest" not in phases,
            "packets",
            "are more than one, but the phases have no deal-rest",
        ),
        *ordered,
    )
