"""``tricklog rules``: games in words and side by side, what findings cite, and the schemas."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from rich.text import Text

from tricklog.ingest.cli.arguments import Flag
from tricklog.ingest.cli.languages import Language, need_english, speaking
from tricklog.ingest.cli.lists import are_citations, listed_variants, print_rules
from tricklog.ingest.cli.output import UserError, out, print_json, tell, write_bytes
from tricklog.ingest.cli.rulesets import wanted_rules
from tricklog.ingest.cli.text_table import boxed
from tricklog.schemas.languages.messages import say
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tricklog.core import Ruleset
    from tricklog.core.rulesets.rules_text import Difference, RuleInWords

EXAMPLES = """\
  tricklog rules                         # every game, one line each
  tricklog rules king-pedro              # its rules in words, with citations
  tricklog rules 8.surplus C16 S54       # the rules that findings cite so
  tricklog rules club.toml               # those of a file of your own
  tricklog rules --compare pedro pidro   # where two games differ
  tricklog rules pidro --language sv     # its rules in Swedish
  tricklog rules --schema                # the JSON Schema of the hand log"""

_SCHEMAS: Final = ("hand", "hand-2", "ruleset")


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
    if json:
        need_english(language, "JSON is English alone")
    if schema:
        _print_schema(*names)
    elif names and are_citations(names):
        print_rules(names, json=json)
    elif not names and compare is None and not json:
        listed_variants(language)
    else:
        with speaking(language) if not json else nullcontext():
            if compare is None:
                _describe(*names, json=json)
            else:
                _compare(*compare, json=json)


def _print_schema(*names: str) -> None:
    from tricklog import schemas

    name = names[0] if names else _SCHEMAS[0]
    if len(names) > 1 or name not in _SCHEMAS:
        raise UserError(
            f"there is no schema {' '.join(names)}", f"Schemas are {', '.join(_SCHEMAS)}."
        )
    write_bytes(Path(schemas.__file__).with_name(f"{name}.schema.json").read_bytes(), None)


def _describe(name: str | None = None, *, json: bool) -> None:
    from tricklog.core.rulesets.variant_names import variants as known

    rulesets = [wanted_rules(each) for each in (known() if name is None else (name,))]
    if json:
        for ruleset in rulesets:
            print_json(variant_json(ruleset))
    else:
        from tricklog.ingest.cli.game_page import game_page
        from tricklog.ingest.cli.written_pages import laid_out

        tell(laid_out(game_page(rulesets[0])))


def variant_json(ruleset: Ruleset) -> dict[str, object]:
    """Return a ruleset as plain values: names, rules in words, house rules."""
    from tricklog.core.rulesets.rules_text import rules_in_words

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


def _compare(first: str, second: str, *, json: bool) -> None:
    from tricklog.core.rulesets.rules_text import differences

    a, b = wanted_rules(first), wanted_rules(second)
    found = differences(a, b)
    if json:
        for each in found:
            print_json(each.to_json())
    else:
        out().print(_side_by_side(a, b, found))


def _side_by_side(a: Ruleset, b: Ruleset, found: list[Difference]) -> RenderableType:
    names = [f"{each.title} ({each.id})" for each in (a, b)]
    if not found:
        alike = say("{one} and {other} are played alike.", one=names[0], other=names[1])
        return Text(one_line(alike))
    heads = map(one_line, (say("question"), *names))
    rows = boxed(list(heads), [(each.question, _told(each.a), _told(each.b)) for each in found])
    for column in rows.columns:
        column.ratio = 1
    return rows


def _told(rule: RuleInWords) -> RenderableType:
    if not rule.applies and not rule.idle:
        return Text(say("does not arise"), "dim")
    return Text.assemble(rule.answer, (one_line(f"  {rule.cite}"), "dim"))
