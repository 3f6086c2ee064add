"""A ruleset in words, made from the data: each question of the rules and the answer it gets.

The words of an answer stand beside the policy value, so they cannot differ from the code.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tricklog.core.engine.policies import Answer, Phase, value_name
from tricklog.core.rulesets import policy_table
from tricklog.core.rulesets.relevance import applies, is_idle, phases_with_work
from tricklog.core.rulesets.rules_file import HouseRule
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.cards import RANKS
from tricklog.schemas.languages.messages import Message, either, message, message_in, say_in
from tricklog.schemas.render import rank_text

CITATION: Final = re.compile(r"\s*\(((?:\d|[COST]\d)[^()]*)\)")
"""What words rest on, at their end."""
RULE: Final = "a rule"
"""The context in which rules in words are translated."""
_AT_ZERO: Final = {
    "auto_double": message_in("a rule", "From none."),
    "goes_out_at": message_in("a rule", "From none."),
    "lose_at": message_in("a rule", "At none."),
    "stake_two_from": message_in("a rule", "From none."),
    "stake_three_from": message_in("a rule", "From none."),
    "pair_from": message_in("a rule", "From any."),
}
"""What a number means that is written as 0 and is none."""


@dataclass(frozen=True, slots=True)
class RuleInWords:
    """One question of the rules and its answer."""

    policy: str
    section: str
    question: str
    value: object
    """The answer as variant files write it."""
    answer: str
    """The answer for people."""
    cite: str
    """Citations, separated by spaces."""
    applies: bool
    """Whether the question arises in this game at all."""
    idle: bool
    """Whether it does not because the answer is that there is no such thing."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One question of the rules that two rulesets answer differently."""

    policy: str
    section: str
    question: str
    a: RuleInWords
    b: RuleInWords

    def to_json(self) -> dict[str, object]:
        """Return the question and both answers as plain values."""
        shared, own = ("policy", "section", "question"), ("value", "answer", "cite", "applies")
        return {
            **{name: getattr(self, name) for name in shared},
            "a": {name: getattr(self.a, name) for name in own},
            "b": {name: getattr(self.b, name) for name in own},
        }


def rules_in_words(ruleset: Ruleset) -> list[RuleInWords]:
    """Return every question of the rules with the answer of a ruleset, section by section."""
    return [
        RuleInWords(
            policy=policy.key,
            section=policy.section,
            question=rule_said(policy.question),
            value=ruleset.values[policy.key],
            answer=answer_in_words(policy, answered(policy, ruleset.values)),
            cite=ruleset.cite(policy.key),
            applies=applies(policy.key, ruleset.values),
            idle=is_idle(policy.key, ruleset.values),
        )
        for policy in policy_table.POLICIES.values()
    ]


def rule_said(text: str) -> str:
    """Return a question, an answer, a house rule or a summary in the language of this context.

    What somebody has written in a file of their own is there as they wrote it.
    """
    # In braces a message has its values.
    plain = text and "{" not in text and "}" not in text
    return str(Message(text, context=RULE)) if plain else text


def differences(a: Ruleset, b: Ruleset) -> list[Difference]:
    """Return the questions to which two rulesets give different answers, section by section.

    A question that arises under one of them alone is among these, under neither is not.
    """
    pairs = zip(rules_in_words(a), rules_in_words(b), strict=True)
    return [
        Difference(one.policy, one.section, one.question, one, other)
        for one, other in pairs
        if (one.applies or other.applies)
        and (one.answer, one.applies) != (other.answer, other.applies)
    ]


def answered(policy: policy_table.Policy, values: Mapping[str, Any]) -> object:
    """Return the value of a policy as far as it counts: of the phases those with work in them."""
    return (
        phases_with_work(values) if isinstance(policy, policy_table.Phases) else values[policy.key]
    )


def house_rule_values(rule: HouseRule) -> str:
    """Return how a log switches a house rule on, by any values: ``{"target": 51 or 52}``."""
    pairs = [f'"{key}": {" or ".join(map(_as_json, rule.choices(key)))}' for key in rule.values]
    return f"{{{', '.join(pairs)}}}"


def _as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def answer_in_words(policy: policy_table.Policy, value: Any) -> str:  # noqa: ANN401 - any policy's
    """Return the value of a policy for people."""
    if isinstance(policy, policy_table.Choice):
        return rule_said(words_of(policy.member(value)))
    if isinstance(policy, policy_table.Switch):
        return say_in("a rule", "Yes.") if value else say_in("a rule", "No.")
    if isinstance(policy, policy_table.Ranks):
        return " ".join(_rank(rank) for rank in value)
    if isinstance(policy, policy_table.Points):
        return ", ".join(f"{_rank(card)} {worth}" for card, worth in value.items())
    if isinstance(policy, policy_table.Cards):
        return ", ".join(_rank(card) for card in value) or say_in("a rule", "In none.")
    if isinstance(policy, policy_table.Phases):
        return ", ".join(map(phase_words, value))
    if value == 0 and policy.key in _AT_ZERO:
        return str(_AT_ZERO[policy.key])
    if policy.key == "players":
        return str(either(value))
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


def _rank(name: str) -> str:
    if name in RANKS:
        return rank_text(RANKS.index(name))
    return str(_OTHER_CARDS[name]) if name in _OTHER_CARDS else name.replace("_", " ")


_OTHER_CARDS: Final = {
    "off_five": message_in("a rule", "off five"),
    "off_jack": message_in("a rule", "off jack"),
    "joker": message_in("a rule", "joker"),
}


def words_of(answer: Answer) -> str:
    """Return the words of a policy value, without citations."""
    return " ".join(CITATION.sub("", answer.text).split())


_WORDS: Final = {
    "auction": (message("the auction"), message_in("a part of the hand", "auction")),
    "trump": (message("naming trumps"), message_in("a part of the hand", "trump")),
    "kitty": (message("taking the kitty"), message_in("a part of the hand", "kitty")),
    "double": (message("doubling"), message_in("a part of the hand", "double")),
    "deal-rest": (message("the second deal"), message_in("a part of the hand", "deal rest")),
    "fold": (message("folding"), message_in("a part of the hand", "fold")),
    "give": (message("giving to the partner"), message_in("a part of the hand", "give")),
    "discard": (message("laying off"), message_in("a part of the hand", "discard")),
    "refill": (message("filling the hands"), message_in("a part of the hand", "refill")),
    "rob": (message("robbing the stock"), message_in("a part of the hand", "rob")),
    "dealer-give": (
        message("the dealer's giving"),
        message_in("a part of the hand", "dealer give"),
    ),
    "come-down": (message("coming down to size"), message_in("a part of the hand", "come down")),
    "show": (message("showing what is left"), message_in("a part of the hand", "show")),
    "solo": (message("announcing a hand alone"), message_in("a part of the hand", "solo")),
    "play": (message("the play"), message_in("a part of the hand", "play")),
    "over": (message("the hand is over"), message("the end")),
}


def phase_said(phase: int) -> Message:
    """Return what is done in a phase, to be shown."""
    return _WORDS[value_name(Phase(phase))][0]


def phase_words(name: str) -> str:
    """Return what is done in a phase of this name, for people: ``naming trumps``."""
    return str(_WORDS[name][0])


def part_words(name: str) -> str:
    """Return which part of the hand a phase is, for people: ``trump``, ``the end``."""
    return str(_WORDS[name][1])
