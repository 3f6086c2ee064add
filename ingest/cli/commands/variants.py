"""``tricklog variants``: the games Tricklog knows, in words, and side by side."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ingest.cli.arguments import Flag
from ingest.cli.languages import Language, speaking
from ingest.cli.output import SUCCESS, UserError, out, print_json, tell
from ingest.cli.variant_list import listed_variants
from schemas.languages.current import ENGLISH

if TYPE_CHECKING:
    from rich.console import RenderableType

    from replay import Ruleset
    from replay.rulesets.rules_text import Difference, RuleInWords

EXAMPLES = """\
  tricklog variants                        # every game, one line each
  tricklog variants king-pedro             # its rules in words, with citations
  tricklog variants club.toml              # those of a file of your own
  tricklog variants --compare pedro pidro  # where two games differ
  tricklog variants pidro --language sv    # its rules in Swedish"""


def variants(
    name: str | None = None,
    /,
    *,
    compare: Annotated[tuple[str, str] | None, Parameter(show_default=False)] = None,
    json: Flag = False,
    language: Language | None = None,
) -> int:
    """List the games, put one into words, or compare two.

    Args:
        name: A variant or a TOML file with rules of your own; without it all variants are listed.
        compare: Two variants or files: the questions they answer differently.
        json: JSON instead, with every policy value: one object a variant or a difference.
        language: The language of the rules in words: en, sv, fi, es, hi or bn. English unless said
            here or in TRICKLOG_LANGUAGE; JSON is English.
    """
    if name is not None and compare is not None:
        raise UserError("these do not go together", "Give a name, or --compare A B.")
    if language not in (None, ENGLISH) and json:
        raise UserError("JSON is English alone", "Leave out --language.")
    if name is None and compare is None and not json:
        return listed_variants(language)
    with speaking(language) if not json else nullcontext():
        return _describe(name, json=json) if compare is None else _compare(*compare, json=json)


def _describe(name: str | None, *, json: bool) -> int:
    from ingest.cli.rulesets import wanted_rules
    from replay.rulesets.variant_names import variants as known

    rulesets = [wanted_rules(each) for each in (known() if name is None else (name,))]
    if json:
        for ruleset in rulesets:
            print_json(variant_json(ruleset))
    else:
        from ingest.cli.game_page import game_page
        from ingest.cli.written_pages import laid_out

        tell(laid_out(game_page(rulesets[0])))
    return SUCCESS


def variant_json(ruleset: Ruleset) -> dict[str, object]:
    """Return a ruleset as plain values: names, rules in words, house rules."""
    from replay.rulesets.rules_text import rules_in_words

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


# --- Two rulesets side by side


def _compare(first: str, second: str, *, json: bool) -> int:
    from ingest.cli.rulesets import wanted_rules
    from replay.rulesets.rules_text import differences

    a, b = wanted_rules(first), wanted_rules(second)
    found = differences(a, b)
    if json:
        for each in found:
            print_json(each.to_json())
    else:
        out().print(_side_by_side(a, b, found))
    return SUCCESS


def _side_by_side(a: Ruleset, b: Ruleset, found: list[Difference]) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from schemas.languages.messages import say
    from schemas.printable import one_line

    names = [f"{each.title} ({each.id})" for each in (a, b)]
    if not found:
        alike = say("{one} and {other} are played alike.", one=names[0], other=names[1])
        return Text(one_line(alike))
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in (say("question"), *names):
        rows.add_column(one_line(title), ratio=1)
    for each in found:
        rows.add_row(each.question, _told(each.a), _told(each.b))
    return rows


def _told(rule: RuleInWords) -> RenderableType:
    from rich.text import Text

    from schemas.languages.messages import say
    from schemas.printable import one_line

    if not rule.applies and not rule.idle:
        return Text(say("does not arise"), "dim")
    return Text.assemble(rule.answer, (one_line(f"  {rule.cite}"), "dim"))
