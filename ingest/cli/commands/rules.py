"""``tricklog rules``: games in words and side by side, what findings cite, and the schemas."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from rich.text import Text

from tricklog import schemas
from tricklog.ingest.cli.arguments import Flag
from tricklog.ingest.cli.languages import Language, speaking
from tricklog.ingest.cli.lists import are_citations, listed_variants, print_rules
from tricklog.ingest.cli.output import UserError, print_json, put, tell, write_bytes
from tricklog.ingest.cli.rulesets import wanted_rules
from tricklog.ingest.cli.text_table import boxed
from tricklog.ingest.cli.written_pages import HEADING, laid_out
from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tricklog.core import HouseRule, Ruleset
    from tricklog.core.rulesets.rules_text import RuleInWords

EXAMPLES = """\
  tricklog rules                         # every game, one line each
  tricklog rules king-pedro              # its rules in words, with citations
  tricklog rules 8.surplus C16 S54       # the rules that findings cite so
  tricklog rules club.toml               # those of a file of your own
  tricklog rules --compare pedro pidro   # where two games differ
  tricklog rules pidro --language sv     # its rules in Swedish
  tricklog rules --schema                # the JSON Schema of the hand log"""

_SCHEMAS: Final = ("hand", "hand-2", "ruleset")
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


def rules(
    *names: Annotated[str, Parameter(name="NAME")],
    compare: Annotated[tuple[str, str] | None, Parameter(show_default=False)] = None,
    schema: Flag = False,
    json: Flag = False,
    language: Language | None = None,
) -> None:
    """Print games and rules in words, and JSON Schemas.

    Args:
        names: One game, a variant or a TOML file with rules of your own; or citations such as
            1.follow, S12, C16 or O35, as findings have them. Without it all variants are listed.
        compare: Two variants or files: the questions they answer differently.
        schema: JSON Schema 2020-12 instead: of the hand log (hand), of records with gaps (hand-2)
            or of a file with rules of your own (ruleset); hand unless named.
        json: JSON instead, with every policy value: one object a variant or a difference, or a
            rule: cite, title, file, anchor, text.
        language: The language of the rules in words: en, sv, fi, es, hi or bn. English unless said
            here or in TRICKLOG_LANGUAGE; JSON is English, and so are the pages of the rules.
    """
    if names and compare is not None:
        raise UserError("these do not go together", "Give a name, or --compare A B.")
    if json and language not in (None, "en"):
        raise UserError("JSON is English alone", "Leave out --language.")
    if schema:
        name = names[0] if names else _SCHEMAS[0]
        if len(names) > 1 or name not in _SCHEMAS:
            raise UserError(
                f"there is no schema {' '.join(names)}", f"Schemas are {', '.join(_SCHEMAS)}."
            )
        write_bytes(Path(schemas.__file__).with_name(f"{name}.schema.json").read_bytes(), None)
    elif names and are_citations(names):
        print_rules(names, json=json)
    elif not names and compare is None and not json:
        listed_variants(language)
    else:
        with speaking("en" if json else language):
            if compare is None:
                _describe(*names, json=json)
            else:
                _compare(*compare, json=json)


def _describe(name: str | None = None, *, json: bool) -> None:
    from tricklog.core.rulesets.rules_text import rules_in_words
    from tricklog.core.rulesets.variant_names import variants as known

    rulesets = [wanted_rules(each) for each in (known() if name is None else (name,))]
    if not json:
        tell(laid_out(game_page(rulesets[0])))
        return
    names = ("id", "version", "hash", "title", "family", "summary")
    for each in rulesets:
        told = {name: getattr(each, name) for name in names}
        print_json(told | {"rules": rules_in_words(each), "house_rules": each.house_rules})


def game_page(ruleset: Ruleset) -> str:
    """Return the page of ``written_pages`` with the rules of a game, in the language spoken now."""
    return "\n".join(_page_lines(ruleset))


def _page_lines(ruleset: Ruleset) -> Iterator[str]:
    from tricklog.core.rulesets.rules_text import house_rule_values, rule_said, rules_in_words

    def row(*cells: str) -> str:
        return "".join(f"\t{one_line(each)}" for each in cells)

    def option(rule: HouseRule) -> str:
        return row(rule.cite, rule_said(rule.words))

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
        yield from (row(each.question, each.answer, each.cite) for each in rules)
    standing = [rule for rule in ruleset.house_rules if rule.holds(ruleset.values)]
    others = [rule for rule in ruleset.house_rules if rule not in standing]
    if standing:
        yield from ("", f"{HEADING}{say('Options that are rules here')}")
        yield from map(option, standing)
    if others:
        title = say("House rules, by number in a file of your own, or as options of a log")
        yield from ("", f"{HEADING}{title}")
    for rule in others:
        yield from (option(rule), row("", house_rule_values(rule)))


def _compare(first: str, second: str, *, json: bool) -> None:
    from tricklog.core.rulesets.rules_text import differences

    a, b = wanted_rules(first), wanted_rules(second)
    found = differences(a, b)
    names = [f"{each.title} ({each.id})" for each in (a, b)]
    if json:
        for each in found:
            print_json(each.to_json())
    elif not found:
        alike = say("{one} and {other} are played alike.", one=names[0], other=names[1])
        put(one_line(alike))
    else:
        heads = map(one_line, (say("question"), *names))
        rows = boxed(list(heads), [(each.question, _told(each.a), _told(each.b)) for each in found])
        for column in rows.columns:
            column.ratio = 1
        put(rows)


def _told(rule: RuleInWords) -> RenderableType:
    if not rule.applies and not rule.idle:
        return Text(say("does not arise"), "dim")
    return Text.assemble(rule.answer, (one_line(f"  {rule.cite}"), "dim"))
