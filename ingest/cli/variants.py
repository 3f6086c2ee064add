"""``tricklog variants``: the games Tricklog knows, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.cli.output import CLEAN, Flag, out, print_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from replay import Ruleset

EXAMPLES = """\
  tricklog variants                      every game, one line each
  tricklog variants king-pedro           its rules in words, with citations
  tricklog variants king-pedro --json"""


def variants(name: str | None = None, /, *, json: Flag = False) -> int:
    """List the games, or put one into words.

    Args:
        name: A variant; without it all are listed.
        json: One JSON object a variant, with every policy value.
    """
    from replay import load_variant
    from replay import variants as known

    if name is None:
        rulesets = [load_variant(each) for each in known()]
    else:
        from ingest.cli.rulesets import wanted_variant

        rulesets = [load_variant(wanted_variant(name))]
    if json:
        for ruleset in rulesets:
            print_json(variant_json(ruleset))
    elif name is None:
        out().print(_listed(rulesets))
    else:
        out().print(_in_words(rulesets[0]))
    return CLEAN


def variant_json(ruleset: Ruleset) -> dict[str, object]:
    """Return a ruleset as plain values: names, rules in words, house rules."""
    from replay.rules_text import rules_in_words

    return {
        "id": ruleset.id,
        "version": ruleset.version,
        "hash": ruleset.hash,
        "title": ruleset.title,
        "family": ruleset.family,
        "summary": ruleset.summary,
        "rules": rules_in_words(ruleset),
        "house_rules": ruleset.house_rules,
    }


def _listed(rulesets: list[Ruleset]) -> RenderableType:
    from rich import box
    from rich.table import Table

    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("variant", "title", "version", "summary"):
        rows.add_column(title)
    for ruleset in rulesets:
        rows.add_row(ruleset.id, ruleset.title, str(ruleset.version), ruleset.summary)
    return rows


def _in_words(ruleset: Ruleset) -> RenderableType:
    import itertools

    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from replay.rules_text import rules_in_words

    parts: list[RenderableType] = [
        Text(f"{ruleset.title} ({ruleset.id}, version {ruleset.version})", "bold"),
        Text(ruleset.summary),
    ]
    arising = [each for each in rules_in_words(ruleset) if each.applies]
    for section, rules in itertools.groupby(arising, key=lambda each: each.section):
        rows = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        for ratio in (5, 6, 2):
            rows.add_column(ratio=ratio)
        for each in rules:
            rows.add_row(each.question, each.answer, Text(each.cite, "dim"))
        parts += [Text(f"\n{section.capitalize()}", "bold"), rows]
    return Group(*parts, *_house_rules(ruleset))


def _house_rules(ruleset: Ruleset) -> list[RenderableType]:
    from rich.text import Text

    from replay.rules_text import house_rule_values

    others = [
        rule
        for rule in ruleset.house_rules
        if any(ruleset.values[key] != value for key, value in rule.values.items())
    ]
    if not others:
        return []
    lines: list[RenderableType] = [Text("\nHouse rules, as options of a log", "bold")]
    for rule in others:
        lines.append(Text.assemble((f"{rule.cite}  ", "dim"), rule.words))
        lines.append(Text(f"     {house_rule_values(rule)}", "dim"))
    return lines
