"""Which questions of the rules arise in a game, as its other answers stand, and which rules do not.

A question that does not arise is left out where rules are put into words; its value is idle. Rules
without effect stand against nothing, so a log that says so is read; who writes down rules to play
or judge by is refused. Sources: 0.order, 1.auction, 1.game, 4.follow; C13.

Tables say by conditions when something is so: ``rob = to-size | all-trumps, phases lacks show``.
Each part has to hold. It has a policy, or a figure made of several, a sign and a value, as files
write it; ``=`` and ``!=`` take several values, ``has`` and ``lacks`` ask about lists, and ``>``
and ``>=`` compare numbers, also those of two policies.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final

from tricklog.core.rulesets.house_rules import HouseRule
from tricklog.core.rulesets.policy_table import OFF_CARDS, POLICIES

Values = Mapping[str, Any]

_ONE_SIDE_SCORES: Final = frozenset({"game-point", "difference", "bid-less-others"})
"""What a contract made can score where a hand never takes two sides to the target."""

_TAKES_ALL_TRUMPS: Final = "rob = all-trumps | whole-stock | whole-stock-first"
POLICY_OF_PHASE: Final = {
    "kitty": "kitty_size",
    "discard": "discard",
    "refill": "refill",
    "rob": "rob",
    "fold": "fold",
    "double": "doubling",
    "solo": "solo",
    "show": "surplus_shown",
}
"""Phases with a policy: where its answer is idle, there is nothing to do in them."""


def in_a_sentence(value: object) -> str:
    """Return the value of a policy as a sentence has it: ``all-plain``, ``true``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def holds(condition: str, values: Values) -> bool:
    """Whether all parts of a condition hold; the empty one always does."""
    return all(_part_holds(part, values) for part in condition.split(", ") if part)


def _part_holds(part: str, values: Values) -> bool:
    key, sign, right = part.split(" ", 2)
    value = values[key]
    match sign:
        case "=":
            return in_a_sentence(value) in right.split(" | ")
        case "!=":
            return in_a_sentence(value) not in right.split(" | ")
        case "has":
            return right in map(str, value)
        case "lacks":
            return right not in map(str, value)
    other = int(values.get(right, right))
    return bool(value > other or (value == other and sign == ">="))


def is_idle(key: str, values: Values) -> bool:
    """Whether the thing that the question of a policy is about does not exist."""
    idle = POLICIES[key].idle
    return idle is not None and bool(values[key] == idle)


def applies(key: str, values: Values) -> bool:
    """Whether the question of a policy arises at all."""
    asked = not is_idle(key, values) and holds(POLICIES[key].asked, values)
    return asked and _special(key, values)


def _unasked_where(key: str, values: Values) -> str:
    """Return when the question of a policy does not arise, for one that does not."""
    for part in POLICIES[key].asked.split(", "):
        other, _, right = part.partition(" ")
        if right.startswith(("=", "!=")) and not holds(part, values):
            return f"does not arise where {other} is {in_a_sentence(values[other])}"
    return "does not arise in this game"


def _special(key: str, values: Values) -> bool:
    """Whether the question of a policy arises, where that takes more than one other policy."""
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


def _may_hold_surplus(values: Values) -> bool:
    dealt = sum(values["packets"]) + values["kitty_size"]
    return dealt > values["hand_size"] or holds(_TAKES_ALL_TRUMPS, values)


def phases_with_work(values: Values) -> list[str]:
    """Return the phases of a game in which there can be anything to do."""
    return [name for name in values["phases"] if _has_work(name, values)]


def _has_work(phase: str, values: Values) -> bool:
    if phase in POLICY_OF_PHASE:
        return not is_idle(POLICY_OF_PHASE[phase], values)
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
    buries = values["surplus"] == "bury" and values["discard"] == "all-plain"
    return values["rob"] != "nothing" and not (values["rob"] == "all-trumps" and buries)


# --- Rules without effect

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
    return f'the question "{POLICIES[key].question}" {_unasked_where(key, values)}'


def points_in_play(values: Values) -> int:
    """Return the points of a hand in which every point card is in play."""
    worth = values["points"]
    ranks = sum(worth.get(rank, 0) for rank in values["ranks"])
    total = ranks * (4 if values["points_in"] == "every-suit" else 1)
    total += sum(worth.get(kind, 0) for kind in (*OFF_CARDS, "joker") if values[kind])
    return int(total + values["last_trick_points"] + (values["game_point"] == "count"))
