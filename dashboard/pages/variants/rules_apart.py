"""The rules in which two games differ, in words, each as most of the hands were played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Ruleset, ruleset_of
from tricklog.core.rulesets.rules_text import Difference, RuleInWords, differences, rules_in_words
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit.tables import show_table
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import listings, measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.schemas.languages.messages import say, say_counted
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line

MOST_SHOWN: Final = 3
"""Rules that stand on the page; further ones are folded away."""


@dataclass(frozen=True, slots=True)
class Played:
    """The rules that most hands of a variant were played under."""

    rules: Ruleset
    hands: int
    of: int
    """Hands of the variant under any rules."""


def rules_played(facts: DuckDBPyConnection, variant: str, filters: Filters) -> Played:
    """Return the rules that most hands of a variant were played under, of those chosen."""
    of_variant = filters.also("variant", variant)
    frame = measure(facts, "hands", ("ruleset",), of_variant).sort(
        "n", "ruleset", descending=[True, False]
    )
    ruleset = frame["ruleset"][0]
    first = listings.hand_list(facts, of_variant.also("ruleset", ruleset), limit=1)["hand_id"][0]
    rules = ruleset_of(snapshot.hand(first))
    return Played(rules, int(frame["n"][0]), int(frame["n"].sum()))


def show_rules_apart(one: Played, other: Played, *, names: tuple[str, str]) -> None:
    """Show each question that the rules answer differently, and how many they answer alike."""
    found = differences(one.rules, other.rules)
    alike = sum(
        a.applies and b.applies and a.answer == b.answer
        for a, b in zip(rules_in_words(one.rules), rules_in_words(other.rules), strict=True)
    )
    st.caption(
        say_counted(
            "{count} other rule that both games have to answer: the same in both.",
            "{count} other rules that both games have to answer: the same in both.",
            alike,
        )
    )
    for played, name in zip((one, other), names, strict=True):
        if played.hands < played.of:
            st.caption(
                say(
                    "{game}: the rules of {hands} of {all} hands. The others were played by house "
                    "rules of their own.",
                    game=as_markdown(name),
                    hands=number(played.hands),
                    all=number(played.of),
                )
            )
    if not found:
        st.info(say("The two games are played alike."))
        return
    heads = (say("question"), *map(one_line, names))
    show_table(heads, [_cells(each) for each in found[:MOST_SHOWN]], name=say("Rules that differ"))
    left = found[MOST_SHOWN:]
    if left:
        more = say_counted(
            "{count} more rule that differ", "{count} more rules that differ", len(left)
        )
        with st.expander(more):
            show_table(heads, [_cells(each) for each in left], name=say("More rules that differ"))


def _cells(each: Difference) -> tuple[str, str, str]:
    return each.question, _told(each.a), _told(each.b)


def _told(rule: RuleInWords) -> str:
    return rule.answer if rule.applies or rule.idle else say("does not arise")
