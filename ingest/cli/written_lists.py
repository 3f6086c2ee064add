"""What a command line asks for that was written beforehand: lists, games in words, single rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tricklog.ingest.cli.languages import Language


def told_list(tokens: Sequence[str]) -> int | None:
    """Print the list that is asked for and return the exit status, nothing where none is."""
    match list(tokens):
        case ["convert", *rest] if sorted(rest) in (["--list"], ["--json", "--list"]):
            from tricklog.ingest.cli.adapters import listed_adapters

            return listed_adapters(json="--json" in rest)
        case ["stats", *rest] if sorted(rest) in (["--list"], ["--json", "--list"]):
            from tricklog.ingest.cli.figure_list import listed_figures

            return listed_figures(json="--json" in rest)
        case ["rules", *rest]:
            return _told_of_games(rest)
    return None


def _told_of_games(words: Sequence[str]) -> int | None:
    from tricklog.ingest.cli.variant_list import is_written, listed_variants, told_variant

    names = list(words)
    language: Language | None = None
    if "--language" in names[:-1]:
        at = names.index("--language")
        language = _known_language(names[at + 1])
        if language is None:
            return None
        del names[at : at + 2]
    if not names:
        return listed_variants(language)
    if len(names) == 1 and is_written(names[0]):
        return told_variant(names[0], language)
    return None if any(each.startswith("-") for each in names) else _told_rules(names)


def _told_rules(names: Sequence[str]) -> int | None:
    """Print the rules that are cited. Raises ``UserError`` for a name that nothing has."""
    from tricklog.ingest.cli.output import SUCCESS
    from tricklog.ingest.cli.rule_pages import are_citations, print_rules
    from tricklog.ingest.cli.rulesets import is_file_name, wanted_rules

    if are_citations(names):
        print_rules(names, json=False)
        return SUCCESS
    if not is_file_name(names[0]):
        wanted_rules(names[0])
    return None


def _known_language(code: str) -> Language | None:
    from tricklog.schemas.languages.current import LANGUAGES

    return cast("Language", code) if code in LANGUAGES else None
