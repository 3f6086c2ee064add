"""What each policy is about: where a chapter of docs/rules treats it, and so what it cites.

A variant names its chapter once. The citation of a policy follows from it: policy ``made`` of
chapter 7 rests on ``7.score``, to which the variant may add rulings, such as ``S46``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_POLICIES_OF: Final = {
    "players": ("players", "sides", "solo", "certain_solo", "solo_trump"),
    "pack": ("joker",),
    "trumps": ("ranks", "off_five", "off_jack"),
    "points": ("points_in", "points", "high_low", "game_point", "low_to", "last_trick_points"),
    "deal": (
        *("direction", "deal", "packets", "odd_card"),
        *("weak_start", "bare_seventh", "weak_defence", "four_jacks"),
    ),
    "kitty": ("kitty_size",),
    "auction": (
        *("first_caller", "auction", "call_direction", "pass_final", "top_bid"),
        *("min_bid", "max_bid", "equal_bid", "ditto", "special_bid", "tenny"),
        *("all_pass", "forced_bid"),
    ),
    "trump-call": ("trump_call", "no_trump", "twos", "seventh_card"),
    "fold": ("fold",),
    "exchange": (
        *("hand_size", "discard", "discards_shown", "discarded_points"),
        *("discards_claimed", "discard_changeable"),
    ),
    "surplus": ("surplus", "surplus_points", "buried_wins"),
    "refill": ("refill", "first_drawer", "empty_stock"),
    "rob": ("rob", "search_discards", "rob_keeps_points", "surplus_shown"),
    "lead": ("first_leader", "first_lead"),
    "follow": ("plain_follow", "plain_void"),
    "trick": ("trumpless_trick",),
    "drop-out": ("drop_out",),
    "ask": ("ask",),
    "pair": ("pair", "pair_shift", "pair_from", "pair_cap"),
    "score": (
        *("doubling", "auto_double", "made", "failed", "defenders", "slam"),
        *("solo_stake", "tenny_stake", "stake_two_from", "stake_three_from"),
        *("half_rule", "sweep", "unshown"),
    ),
    "game": (
        *("target", "won_by", "both_over", "count_order", "goes_out_at"),
        *("lose_at", "clamp", "match_score"),
    ),
}
TOPICS: Final = tuple(_POLICIES_OF)
"""What chapters of docs/rules have a part about."""
EVERYWHERE: Final = {"phases": "0.order", "early_end": "S08"}
"""By policy: what it rests on in every game."""


def topic_of(policy: str) -> str:
    """Return the usual topic of a policy; empty for one that rests on the same in every game."""
    return next((topic for topic, keys in _POLICIES_OF.items() if policy in keys), "")


def cites_of_chapter(
    chapter: int, topics: Mapping[str, str], rulings: Mapping[str, str]
) -> dict[str, str]:
    """Return by policy what it rests on in a game that one chapter treats.

    ``topics``: by topic, the part of the chapter that treats it, where it has none of that name.
    ``rulings``: by policy, numbers to be added, separated by spaces.
    """
    cites = dict(EVERYWHERE)
    for topic, keys in _POLICIES_OF.items():
        cites |= dict.fromkeys(keys, f"{chapter}.{topics.get(topic, topic)}")
    for key, numbers in rulings.items():
        cites[key] = f"{cites[key]} {numbers}"
    return cites
