"""Rules that would have no effect: options a game has no use for, numbers that nobody can reach.

Nothing here stands against anything else, so a log that says so is read. Who writes down rules to
play or judge by is refused. Sources: 0.order, 1.auction, 1.game, 4.follow; C13.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from replay.rulesets.house_rules import HouseRule
from replay.rulesets.policy_table import OFF_CARDS, POLICIES
from replay.rulesets.relevance import applies, in_a_sentence, is_idle, unasked_where

Values = Mapping[str, Any]

_OF_PLAIN_LEADS: Final = frozenset({"plain_follow", "plain_void"})


def pointless(
    rule: HouseRule, values: Values, before: Values, settled: Collection[str]
) -> str | None:
    """Return why a house rule changes nothing in a game, ``None`` when it has an effect.

    ``values`` are the rules with it, ``before`` those of the game that they extend, ``settled``
    policies that are written beside it.
    """
    trumps_only = before["plain_follow"] == "trumps-only" and "plain_follow" not in settled
    if trumps_only and _OF_PLAIN_LEADS.issuperset(rule.values):
        return "only trumps are played in this game, so there are no plain leads"
    reasons = [idle_reason(key, values, before) for key in rule.values]
    return None if None in reasons else reasons[0]


def idle_reason(key: str, values: Values, before: Values) -> str | None:
    """Return why the answer to a question has no effect, ``None`` when it has one."""
    switched_off = is_idle(key, values) and values[key] != before.get(key, values[key])
    if switched_off or applies(key, values):
        return None
    if is_idle(key, values):
        return f"{key} is {in_a_sentence(values[key])} in this game already"
    return f'the question "{POLICIES[key].question}" {unasked_where(key, values)}'


def out_of_reach(values: Values) -> tuple[str, str] | None:
    """Return a policy that asks for what cannot be, and the reason; ``None`` when all is well."""
    most = points_in_play(values)
    reach = most + (values["pair_shift"] if values["pair"] != "none" else 0)
    strange = strange_cards(values)
    found = (
        (
            bool(strange),
            "points",
            f"give a worth to {', '.join(strange)}, which this game does not have",
        ),
        (
            values["min_bid"] > reach,
            "min_bid",
            f"is {values['min_bid']}, and there are {most} points: no bid could be made",
        ),
        (
            values["max_bid"] > reach,
            "max_bid",
            f"is {values['max_bid']}, and there are {most} points: nobody could make such a bid",
        ),
        (
            0 < values["target"] < values["goes_out_at"],
            "target",
            f"is {values['target']}, below goes_out_at {values['goes_out_at']}, so nobody goes out",
        ),
    )
    return next(((key, reason) for wrong, key, reason in found if wrong), None)


def points_in_play(values: Values) -> int:
    """Return the points of a hand in which every point card is in play."""
    worth = values["points"]
    ranks = sum(worth.get(rank, 0) for rank in values["ranks"])
    total = ranks * (4 if values["points_in"] == "every-suit" else 1)
    total += sum(worth.get(kind, 0) for kind in (*OFF_CARDS, "joker") if values[kind])
    return int(total + values["last_trick_points"] + (values["game_point"] == "count"))


def strange_cards(values: Values) -> list[str]:
    """Return the kinds of card that are given a worth and are not in the pack."""
    there = {*values["ranks"], *(kind for kind in OFF_CARDS if values[kind]), "joker"}
    return [kind for kind in values["points"] if kind not in there]
