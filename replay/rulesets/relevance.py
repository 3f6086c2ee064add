"""Which questions of the rules arise in a game, as its other answers stand.

A question that does not arise is left out where rules are put into words; its value is idle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Values = Mapping[str, Any]

_IDLE: Final[dict[str, object]] = {
    "off_jack": False,
    "joker": False,
    "last_trick_points": 0,
    "deal": "packets",
    "kitty_size": 0,
    "weak_start": "played",
    "call_direction": "with-play",
    "top_bid": "goes-on",
    "ditto": "nobody",
    "special_bid": "none",
    "tenny": False,
    "no_trump": "never",
    "twos": "suit",
    "seventh_card": False,
    "doubling": "none",
    "auto_double": 0,
    "fold": "never",
    "discard": "nothing",
    "discards_shown": "none",
    "discards_claimed": False,
    "discard_changeable": False,
    "buried_wins": False,
    "refill": "nobody",
    "rob": "nothing",
    "search_discards": False,
    "rob_keeps_points": False,
    "surplus_shown": False,
    "solo": "none",
    "weak_defence": "played",
    "four_jacks": "played",
    "pair": "none",
    "pair_from": 0,
    "early_end": "never",
    "slam": "nothing-extra",
    "stake_two_from": 0,
    "stake_three_from": 0,
    "half_rule": "none",
    "sweep": "nothing-extra",
    "unshown": "void",
    "goes_out_at": 0,
    "lose_at": 0,
    "clamp": False,
    "match_score": "none",
}
"""The value of a policy with which the thing it asks about does not exist."""

FORCING: Final = ("dealer-forced", "dealer-at-least", "first-forced", "first-opens")
"""Answers to who bids when nobody wants to by which somebody has to."""

_ONLY_WITH: Final[dict[str, tuple[str, tuple[object, ...]]]] = {
    "high_low": ("points_in", ("trumps",)),
    "game_point": ("points_in", ("trumps",)),
    "low_to": ("points_in", ("trumps",)),
    "packets": ("deal", ("packets",)),
    "hand_size": ("deal", ("packets",)),
    "pass_final": ("auction", ("rounds",)),
    "forced_bid": ("all_pass", FORCING),
    "search_discards": ("rob", ("all-trumps", "to-size", "whole-stock", "whole-stock-first")),
    "rob_keeps_points": ("rob", ("to-size",)),
    "surplus_shown": ("rob", ("to-size",)),
    "rob": ("refill", ("others",)),
    "bare_seventh": ("seventh_card", (True,)),
    "plain_void": ("plain_follow", ("follow-or-trump", "follow")),
    "drop_out": ("trump_call", ("open",)),
    "ask": ("trump_call", ("secret",)),
    "no_trump": ("trump_call", ("secret",)),
    "twos": ("trump_call", ("secret",)),
    "tenny_stake": ("tenny", (True,)),
    "count_order": ("both_over", ("count-order",)),
}
"""Questions that only arise when another policy has one of these values."""

_NOT_WITH: Final[dict[str, tuple[str, object]]] = {
    "discards_shown": ("discard", "nothing"),
    "discarded_points": ("discard", "nothing"),
    "discards_claimed": ("discard", "nothing"),
    "discard_changeable": ("discard", "nothing"),
    "surplus": ("discard", "nothing"),
    "surplus_points": ("discard", "nothing"),
    "buried_wins": ("discard", "nothing"),
    "first_drawer": ("refill", "nobody"),
    "empty_stock": ("refill", "nobody"),
    "certain_solo": ("solo", "none"),
    "solo_trump": ("solo", "none"),
    "solo_stake": ("solo", "none"),
    "pair_shift": ("pair", "none"),
    "pair_from": ("pair", "none"),
    "pair_cap": ("pair", "none"),
    "trumpless_trick": ("plain_follow", "trumps-only"),
}
"""Questions that do not arise when another policy has this value."""

_ONE_SIDE_SCORES: Final = frozenset({"game-point", "difference", "bid-less-others"})
"""What a contract made can score where a hand never takes two sides to the target."""

_WORK: Final[dict[str, tuple[str, object]]] = {
    "kitty": ("kitty_size", 0),
    "double": ("doubling", "none"),
    "fold": ("fold", "never"),
    "discard": ("discard", "nothing"),
    "refill": ("refill", "nobody"),
    "rob": ("rob", "nothing"),
    "show": ("surplus_shown", False),
    "solo": ("solo", "none"),
}
"""Phases with a policy, and the value with which there is nothing to do in them."""


def is_idle(key: str, values: Values) -> bool:
    """Whether the thing that the question of a policy is about does not exist."""
    return key in _IDLE and bool(values[key] == _IDLE[key])


def applies(key: str, values: Values) -> bool:
    """Whether the question of a policy arises at all."""
    if is_idle(key, values):
        return False
    return _is_asked(key, values) and _special(key, values)


def _is_asked(key: str, values: Values) -> bool:
    """Whether another policy leaves room for the question."""
    if key in _ONLY_WITH:
        other, wanted = _ONLY_WITH[key]
        if values[other] not in wanted:
            return False
    if key in _NOT_WITH:
        other, unwanted = _NOT_WITH[key]
        return bool(values[other] != unwanted)
    return True


def unasked_where(key: str, values: Values) -> str:
    """Return when the question of a policy does not arise, for one that does not."""
    for table in (_ONLY_WITH, _NOT_WITH):
        other = table[key][0] if key in table else ""
        if other and not _is_asked(key, values):
            return f"does not arise where {other} is {in_a_sentence(values[other])}"
    return "does not arise in this game"


def in_a_sentence(value: object) -> str:
    """Return the value of a policy as a sentence has it: ``all-plain``, ``true``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _special(key: str, values: Values) -> bool:
    """Whether the question of a policy arises, where that takes more than one other policy."""
    if key == "off_five":
        return "5" in values["ranks"]
    if key == "low_to":
        return "2" in values["points"]
    if key == "game_point":
        return values["game_point"] == "count" or "T" in values["points"]
    if key == "odd_card":
        return bool(values["odd_card"] != "nobody" or values["deal"] == "whole-pack")
    if key == "surplus":
        return _may_hold_surplus(values)
    if key == "buried_wins":
        return "bury" in values["surplus"] and _may_hold_surplus(values)
    if key == "surplus_points":
        return values["surplus"] == "bury" and _may_hold_surplus(values)
    if key == "both_over":
        return values["won_by"] == "any-hand" and values["made"] not in _ONE_SIDE_SCORES
    return True


WHOLE_STOCK: Final = ("whole-stock", "whole-stock-first")
"""Ways of robbing by which the dealer takes all that is left."""


def _may_hold_surplus(values: Values) -> bool:
    """Whether anybody can have more trumps than the hand size."""
    dealt = sum(values["packets"]) + values["kitty_size"]
    return dealt > values["hand_size"] or values["rob"] in {"all-trumps", *WHOLE_STOCK}


def phases_with_work(values: Values) -> list[str]:
    """Return the phases of a game in which there can be anything to do."""
    return [name for name in values["phases"] if _has_work(name, values)]


def _has_work(phase: str, values: Values) -> bool:
    if phase in _WORK:
        key, idle = _WORK[phase]
        return bool(values[key] != idle)
    if phase == "deal-rest":
        return values["deal"] == "packets" and len(values["packets"]) > 1
    gives = values["surplus"] == "to-partner" and applies("surplus", values)
    if phase == "give":
        return gives
    if phase == "dealer-give":
        return gives and values["rob"] != "nothing"
    if phase == "come-down":
        return _comes_down(values) or (gives and not _before(values, "give", "discard"))
    return True


def _before(values: Values, first: str, later: str) -> bool:
    phases = values["phases"]
    return later not in phases or bool(phases.index(first) < phases.index(later))


def _comes_down(values: Values) -> bool:
    """Whether the dealer can be over the hand size after robbing."""
    buries = values["surplus"] == "bury" and values["discard"] == "all-plain"
    return values["rob"] != "nothing" and not (values["rob"] == "all-trumps" and buries)
