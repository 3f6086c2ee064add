"""The rules that findings cite, on the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tricklog.ingest.cli.output import PIPE_WIDTH, UserError, guess, print_json, tell
from tricklog.ingest.cli.rulesets import is_file_name

_CITATION = re.compile(r"[0-9]+\.[\w.-]+|[SCO][0-9]+")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKS = re.compile(r"^#+ |\*\*|`", re.MULTILINE)
_PARTS = re.compile(r"\n(?=\n|- |\d+\. )|(?<=\n)\n(?=\S)")
"""Between headings, paragraphs, items of lists and tables."""


def are_citations(names: Sequence[str]) -> bool:
    """Whether names are those of rules as findings cite them, and not of one game."""
    is_one = len(names) == 1
    return not is_one or (bool(_CITATION.fullmatch(names[0])) and not is_file_name(names[0]))


def print_rules(citations: Sequence[str], *, json: bool) -> None:
    """Print the rules that findings cite. Raises ``UserError`` for a citation of no rule."""
    from tricklog.schemas import citations as pages

    known = pages.citations()
    for cite in citations:
        if cite not in known:
            _need_no_index(cite, known)
            raise UserError(
                f"there is no rule {cite!r}",
                f"{guess(cite, known)}Citations look like 1.follow, S12, C16 or O35; tricklog "
                "rules NAME shows them.",
            )
    for cite in citations:
        page, text = known[cite], pages.text_of(cite)
        if json:
            row = {"cite": cite, "title": page.title, "file": page.file, "anchor": page.anchor}
            print_json({**row, "text": text})
        else:
            for line in _plain(text):
                tell(line)


def _need_no_index(cite: str, known: Mapping[str, object]) -> None:
    """Raise ``UserError`` for a number that the games of this checkout have, and no page yet."""
    from tricklog.core.rulesets.variant_names import variant_text, variants

    if not any(cite in variant_text(name) for name in variants()):
        return
    from tricklog.core import load_variant

    games = [load_variant(name) for name in variants()]
    cited = " ".join(text for game in games for text in game.cites.values()).split()
    if cite in {*cited, *(rule.cite for game in games for rule in game.house_rules)}:
        try:
            known[cite]
        except KeyError as error:
            raise UserError(f"{cite} stands in the rules of a game, but {error.args[0]}") from error


def _plain(text: str) -> Iterator[str]:
    """Yield the lines of what a page says, as wide as the terminal and without its marks."""
    import shutil
    import textwrap

    width = shutil.get_terminal_size((PIPE_WIDTH, 0)).columns
    plain = _MARKS.sub("", _LINK.sub(r"\1", text))
    for part in _PARTS.split(plain.strip()):
        deeper = "  " if part.startswith(("- ", "1. ")) else ""
        if part.startswith("|"):
            from tricklog.ingest.cli.text_table import aligned

            heads, _, *rows = (line[2:-2].split(" | ") for line in part.splitlines())
            yield from aligned(heads, [False] * len(heads), rows)
        else:
            line = " ".join(part.split())
            yield from textwrap.wrap(
                line, width, subsequent_indent=deeper, break_on_hyphens=False
            ) or [""]
    yield ""
