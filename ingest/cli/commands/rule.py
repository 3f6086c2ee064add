"""``tricklog rule``: print the rule a finding cites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from cyclopts import Parameter

from ingest.cli.output import SUCCESS, Flag, UserError, guess, out, print_json

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")

EXAMPLES = """\
  tricklog rule 1.follow                 # what a finding cites as 1.follow
  tricklog rule 8.surplus C16 S54"""


def rule(*citations: Annotated[str, Parameter(name="CITATION")], json: Flag = False) -> int:
    """Print the rules that findings cite.

    Args:
        citations: Citations such as 1.follow, S12, C16 or O35.
        json: One JSON object a rule: cite, title, file, anchor, text.
    """
    from rich.markdown import Markdown

    from schemas import citations as pages

    known = pages.citations()
    if not citations:
        raise UserError("name a citation", "For example 1.follow, as findings cite it.")
    for cite in citations:
        if cite not in known:
            _need_no_index(cite, known)
            raise UserError(
                f"there is no rule {cite!r}",
                f"{guess(cite, known)}Citations look like 1.follow, S12, C16 or O35; tricklog "
                "variants NAME shows them.",
            )
    console = out()
    for cite in citations:
        page, text = known[cite], pages.text_of(cite)
        if json:
            row = {"cite": cite, "title": page.title, "file": page.file, "anchor": page.anchor}
            print_json({**row, "text": text})
        else:
            console.print(Markdown(_LINK.sub(r"\1", text)))
    return SUCCESS


def _need_no_index(cite: str, known: Mapping[str, object]) -> None:
    """Raise ``UserError`` for a number that the games of this checkout have, and no page yet."""
    from replay import load_variant, variants

    games = [load_variant(name) for name in variants()]
    cited = " ".join(text for game in games for text in game.cites.values()).split()
    if cite in {*cited, *(rule.cite for game in games for rule in game.house_rules)}:
        try:
            known[cite]
        except KeyError as error:
            raise UserError(f"{cite} stands in the rules of a game, but {error.args[0]}") from error
