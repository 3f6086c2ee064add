"""Rules as somebody wrote them, on the way to be resolved: what they set, and what is refused.

What a file or the options of a log set is laid over the game they build on. What contradicts itself
is refused with a sentence that names the house rules which brought it about, and so is what comes
to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tricklog.core.rulesets.contradictions import contradiction, out_of_reach
from tricklog.core.rulesets.house_rules import HouseRule, HouseRulesError, together
from tricklog.core.rulesets.policy_table import POLICIES
from tricklog.core.rulesets.relevance import idle_reason, pointless
from tricklog.core.rulesets.rules_file import OPTIONS, THE_LOG, RulesetError, wrong

Named: TypeAlias = tuple[bool, HouseRule]
"""A house rule by number, and whether the options of a log name it and not a file."""


@dataclass(frozen=True, slots=True)
class Written:
    """Rules as somebody wrote them, on the way to be resolved.

    ``before`` are the values of what they extend, ``own`` those they set, ``options`` those of a
    log on top. ``named`` are the house rules by number, each with whether the options name it.
    """

    source: str
    before: Mapping[str, Any]
    own: Mapping[str, Any]
    options: Mapping[str, Any]
    named: tuple[Named, ...]

    def values(self) -> dict[str, Any]:
        """Return the value of every policy that anything sets."""
        return self.values_with(self.named)

    def values_with(self, named: Sequence[Named]) -> dict[str, Any]:
        """Return the values with only these house rules."""
        return {**self.before, **self.of_file(named), **self.overlay(named)}

    def of_file(self, named: Sequence[Named]) -> dict[str, Any]:
        """Return what the file itself sets, by value and by number."""
        rules = [rule for by_options, rule in named if not by_options]
        return {**together(rules, self.own), **self.own}

    def overlay(self, named: Sequence[Named]) -> dict[str, Any]:
        """Return what the options of a log lay on top, by value and by number."""
        rules = [rule for by_options, rule in named if by_options]
        return {**together(rules, self.options), **self.options}

    def refuse(self, named: Sequence[Named], message: str) -> RulesetError:
        """Return the error of house rules that cannot hold, at the place that names them."""
        numbers = " and ".join(dict.fromkeys(rule.cite for _, rule in named))
        place = OPTIONS if named[-1][0] else self.source
        return wrong(place, ("house_rules",), f"names {numbers}, which {message}")


def settled(written: Written) -> dict[str, Any]:
    """Return the value of every policy. Raises ``RulesetError`` when one is set twice or never."""
    for settle, place in ((written.of_file, written.source), (written.overlay, OPTIONS)):
        try:
            settle(written.named)
        except HouseRulesError as error:
            raise wrong(place, ("house_rules",), str(error)) from None
    values = written.values()
    missing = [key for key in POLICIES if key not in values]
    if missing:
        message = "is not set, and nothing is extended that sets it"
        raise wrong(written.source, missing[:1], message)
    return values


def refuse_contradiction(written: Written) -> None:
    """Raise ``RulesetError`` when policies cannot stand together; name what brought it about."""

    def against(named: Sequence[Named]) -> tuple[str, str] | None:
        return contradiction(written.values_with(named))

    found = against(written.named)
    if found is None:
        return
    key, reason = found
    if key in written.options:
        raise wrong(OPTIONS, (key,), reason)
    guilty = _guilty(written, against)
    fit = "do not go together" if len(guilty) > 1 else "does not fit the other rules"
    if not guilty and against([]) != found:
        guilty = [each for each in written.named if key in each[1].values] or list(written.named)
        fit = "do not fit the other rules"
    if guilty:
        raise written.refuse(guilty, f"{fit}: {key} {reason}")
    if written.source.startswith("/"):
        raise RulesetError(THE_LOG, written.source, f"{key} {reason}")
    raise wrong(written.source, (key,), reason)


def _guilty(
    written: Written,
    against: Callable[[Sequence[Named]], tuple[str, str] | None],
) -> list[Named]:
    """Return the house rules without any one of which what is found would not be."""
    found, named = against(written.named), written.named
    return [each for each in named if against([other for other in named if other != each]) != found]


def refuse_pointless(written: Written, *, extends: bool) -> None:
    """Raise ``RulesetError`` for rules that would come to nothing.

    House rules by number must have an effect wherever they are named. The values of a log are what
    somebody played by, so only those of a file must.
    """
    values = written.values()
    beside = {*written.own, *written.options}
    for each in written.named if extends else ():
        reason = pointless(each[1], values, written.before, beside)
        if reason:
            raise written.refuse([each], f"has no effect here: {reason}")

    def against(named: Sequence[Named]) -> tuple[str, str] | None:
        return out_of_reach(written.values_with(named))

    found = against(written.named)
    of_base = out_of_reach(written.before) if extends else None
    guilty = _guilty(written, against) if found else []
    if found and guilty:
        raise written.refuse(guilty, f"cannot be in this game: {found[0]} {found[1]}")
    if written.source.startswith("/"):
        return
    if found and found != of_base:
        raise wrong(written.source, found[:1], found[1])
    for key in written.own if extends else ():
        unchanged = values[key] == written.before[key]
        reason = None if unchanged else idle_reason(key, values, written.before)
        if reason:
            raise wrong(written.source, (key,), f"has no effect: {reason}")
