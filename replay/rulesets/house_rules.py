"""House rules that have a number: what each stands for, and several of them together.

A variant file lists them below ``[option]``; a user's file names them by number in ``house_rules``.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import msgspec

from tricklog.core.rulesets.policy_table import POLICIES

_NUMBER: Final = re.compile(r"([SCOsco])(\d{1,3})")


class HouseRulesError(ValueError):
    """Numbers that name no house rule, or house rules that do not go together."""


class HouseRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named option of a variant: its citation, its words, the policy values it stands for.

    A list stands for a choice of values, unless the value of the policy is itself a list.
    """

    cite: str
    words: str
    values: dict[str, object]

    def holds(self, values: Mapping[str, object]) -> bool:
        """Whether policy ``values`` are as this rule has them."""
        return all(values[key] in self.choices(key) for key in self.values)

    def choices(self, key: str) -> list[object]:
        """Return the values this rule allows for policy ``key``, the first as its own."""
        value = self.values[key]
        if isinstance(value, list) and not POLICIES[key].is_list:
            return value
        return [value]


def find(
    number: str, near: Sequence[HouseRule], elsewhere: Callable[[], Sequence[tuple[str, HouseRule]]]
) -> HouseRule:
    """Return the house rule of a number: the game's own, or what it means in other games.

    ``near`` are those of the game and of the games it extends, the nearest first; ``elsewhere``
    gives those of all games, each with the id of its game. Raises ``HouseRulesError``.
    """
    for rule in near:
        if rule.cite == number:
            return rule
    others = elsewhere()
    found = [(game, rule) for game, rule in others if rule.cite == number]
    if not found:
        raise HouseRulesError(
            f"names {number!r}, but no game has an option of that number"
            + _meant_number(number, [rule for _, rule in others], near)
        )
    first_game, first = found[0]
    for game, rule in found:
        if rule.values != first.values:
            raise HouseRulesError(
                f"names {number}, which means one thing in {first_game} and another in {game}: "
                "write the values that you play by instead"
            )
    return first


def _meant_number(number: str, rules: Sequence[HouseRule], near: Sequence[HouseRule]) -> str:
    """Return what may have been meant: ``O01`` for ``o1``, or else what there is to choose from."""
    if written := _NUMBER.fullmatch(number.strip()):
        whole = f"{written[1].upper()}{int(written[2]):02}"
        if any(rule.cite == whole for rule in rules):
            return f" (did you mean {whole!r}?)"
    listed = ", ".join(dict.fromkeys(rule.cite for rule in near))
    return f"; known here are {listed}" if listed else ""


def together(rules: Sequence[HouseRule], settled: Collection[str]) -> dict[str, Any]:
    """Return the values of several house rules at once.

    Where rules leave a choice it is the first value that suits them all. ``settled`` are policies
    set beside the rules, which are left out. Raises ``HouseRulesError`` when two rules set one
    policy differently.
    """
    left: dict[str, list[object]] = {}
    setter: dict[str, HouseRule] = {}
    for rule in rules:
        for key in rule.values:
            if key in settled:
                continue
            before = left.get(key)
            choices = rule.choices(key)
            left[key] = choices if before is None else [each for each in before if each in choices]
            if before is not None and not left[key]:
                one = setter[key]
                raise HouseRulesError(
                    f"names {one.cite} and {rule.cite}, which do not go together: {one.cite} sets "
                    f"{key} to {_either(before)}, {rule.cite} to {_either(choices)}; "
                    f"leave one out, or write {key} yourself"
                )
            setter.setdefault(key, rule)
    return {key: values[0] for key, values in left.items()}


def _either(values: Sequence[object]) -> str:
    return " or ".join(as_written(value) for value in values)


def as_written(value: object) -> str:
    """Return a policy value as a TOML file has it: ``6``, ``"follow"``, ``{ A = 1, J = 1 }``."""
    if isinstance(value, dict):
        pairs = [f"{key} = {as_written(item)}" for key, item in value.items()]
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(as_written(item) for item in value)}]"
    return msgspec.json.encode(value).decode()
