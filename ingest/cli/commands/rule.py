"""``tricklog rule``: print the rule a finding cites."""

from __future__ import annotations

import re
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
