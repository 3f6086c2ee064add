"""The rules of a game in words, as a page of ``written_pages``."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from tricklog.core import HouseRule, Ruleset
from tricklog.core.rulesets.rules_text import house_rule_values, rule_said, rules_in_words
from tricklog.ingest.cli.written_pages import HEADING
from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.printable import one_line

_SECTIONS: Final = {
    "table": message("Table"),
    "pack": message("Pack"),
    "deal": message("Deal"),
    "auction": message("Auction"),
    "exchange": message("Exchange"),
    "play": message("Play"),
    "score": message("Score"),
    "game": message("Game"),
}


def game_page(ruleset: Ruleset) -> str:
    """Return the rules of a game in the language of this context: rules that arise, and options."""
    return "\n".join(_lines(ruleset))


def _lines(ruleset: Ruleset) -> Iterator[str]:
    head = say(
        "{title} ({name}, version {version})",
        title=ruleset.title,
        name=ruleset.id,
        version=ruleset.version,
    )
    yield f"{HEADING}{one_line(head)}"
    yield one_line(rule_said(ruleset.summary))
    arising = [each for each in rules_in_words(ruleset) if each.applies]
    for section, rules in itertools.groupby(arising, key=lambda each: each.section):
        yield from ("", f"{HEADING}{_SECTIONS[section]}")
        for each in rules:
            yield _row(each.question, each.answer, each.cite)
    yield from _house_rules(ruleset)


def _house_rules(ruleset: Ruleset) -> Iterator[str]:
    """Yield the options with a number: those that are rules here, and how to play by others."""
    standing = [rule for rule in ruleset.house_rules if rule.holds(ruleset.values)]
    others = [rule for rule in ruleset.house_rules if rule not in standing]
    if standing:
        yield from ("", f"{HEADING}{say('Options that are rules here')}")
        yield from map(_option, standing)
    if others:
        title = say("House rules, by number in a file of your own, or as options of a log")
        yield from ("", f"{HEADING}{title}")
    for rule in others:
        yield _option(rule)
        yield _row("", house_rule_values(rule))


def _option(rule: HouseRule) -> str:
    return _row(rule.cite, rule_said(rule.words))


def _row(*cells: str) -> str:
    return "".join(f"\t{one_line(each)}" for each in cells)
