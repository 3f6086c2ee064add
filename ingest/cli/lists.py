"""Lists and rules that no warehouse changes: written beforehand, so that nothing need be loaded."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from tricklog.core.rulesets.variant_names import variant_text, variants
from tricklog.ingest.cli.languages import Language, language_of
from tricklog.ingest.cli.output import (
    PIPE_WIDTH,
    PROBLEM,
    SUCCESS,
    UserError,
    guess,
    own_command,
    print_json,
    put,
    tell,
)
from tricklog.ingest.cli.rulesets import is_file_name, wanted_rules
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.cli.written_pages import (
    HEADING,
    LISTS,
    laid_out,
    put_into,
    translations,
)
from tricklog.schemas.languages.current import LANGUAGES
from tricklog.schemas.languages.messages import mark
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from tricklog.ingest.adapters.registry import Listed
    from tricklog.ingest.metrics import Dimension, Metric


def told_list(tokens: Sequence[str]) -> int | None:
    """Print the list that is asked for and return the exit status, nothing where none is."""
    match list(tokens):
        case ["convert" | "stats" as name, *rest] if {*rest} - {"--json"} == {"--list"}:
            return (listed_adapters if name == "convert" else listed_figures)(json=len(rest) > 1)
        case ["rules", *rest]:
            return _told_of_games(rest)
    return None


def _told_of_games(names: list[str]) -> int | None:
    language: Language | None = None
    if "--language" in names[:-1]:
        at = names.index("--language")
        if names[at + 1] not in LANGUAGES:
            return None
        language = cast("Language", names[at + 1])
        names = names[:at] + names[at + 2 :]
    if not names:
        return listed_variants(language)
    if len(names) == 1 and is_written(names[0]):
        return told_variant(names[0], language)
    if any(each.startswith("-") for each in names):
        return None
    if are_citations(names):
        print_rules(names, json=False)
        return SUCCESS
    if not is_file_name(names[0]):
        wanted_rules(names[0])
    return None


def _tell_written(name: str, *, json: bool) -> int:
    """Print a list as it was written; return the exit status."""
    from tricklog.ingest.cli import own_version

    file = LISTS / f"{name}.{'json' if json else 'txt'}"
    text = file.read_text("utf-8").replace(VERSION, own_version())
    tell(text.rstrip("\n") if json else laid_out(text))
    return SUCCESS


# --- Adapters and figures

VERSION: Final = "{version}"
"""What stands for the version of Tricklog in what was written beforehand."""


def listed_adapters(*, json: bool = False) -> int:
    """Print which adapters there are; return the exit status."""
    from tricklog.ingest.reading.entry_points import ADAPTERS, are_brought

    if not are_brought(ADAPTERS):
        return _tell_written("adapters", json=json)
    from tricklog.ingest.adapters.registry import listed

    found = listed()
    tell(adapters_json(found) if json else laid_out(adapters_page(found)))
    return PROBLEM if any(each.trouble for each in found) else SUCCESS


def adapters_json(found: Iterable[Listed]) -> str:
    """Return a JSON object for each adapter, one a line."""
    import msgspec

    objects = [
        {
            "name": each.name,
            "program": adapter and adapter.program,
            "package": each.package,
            "version": each.version,
            "contract": adapter and adapter.contract,
            "fields": adapter and sorted(adapter.fields),
            "grouped": adapter and adapter.group_by is not None,
            "trouble": each.trouble or None,
        }
        for each in found
        for adapter in [each.adapter]
    ]
    return msgspec.json.Encoder().encode_lines(objects).decode().rstrip("\n")


def adapters_page(found: Iterable[Listed]) -> str:
    """Return the page of ``written_pages`` that lists adapters."""
    lines = []
    for each in found:
        lines.append(f"{HEADING}{one_line(f'{each.name}  {each.package} {each.version}'.strip())}")
        if each.adapter is None:
            lines.append(f"  cannot be used: {one_line(each.trouble)}")
        else:
            unit = "one event a line" if each.adapter.group_by else "one record a line"
            fields = ", ".join(sorted(each.adapter.fields))
            lines += [f"  {one_line(each.adapter.program)}"]
            lines += [f"  {unit}, known by the fields {one_line(fields)}"]
    return "\n".join(lines)


def listed_figures(*, json: bool = False) -> int:
    """Print which figures and dimensions there are; return the exit status."""
    from tricklog.ingest.reading.entry_points import METRICS, are_brought

    if not os.environ.get("TRICKLOG_METRICS") and not are_brought(METRICS):
        return _tell_written("figures", json=json)
    from tricklog.ingest.metrics import known_metrics

    known = known_metrics().values()
    tell(figures_json(known) if json else laid_out(figures_page(known)))
    return SUCCESS


def figures_json(metrics: Iterable[Metric]) -> str:
    """Return one JSON object with the definitions of metrics, and all dimensions."""
    import msgspec

    from tricklog.ingest.metrics import DIMENSIONS
    from tricklog.ingest.metrics.page import definition

    dimensions = [
        {"name": each.name, "title": each.title, "sentence": each.sentence} for each in DIMENSIONS
    ]
    told = {"metrics": [definition(each) for each in metrics], "dimensions": dimensions}
    return msgspec.json.encode(told).decode()


def figures_page(metrics: Iterable[Metric]) -> str:
    """Return the page of ``written_pages`` that lists metrics by group, and all dimensions."""
    from tricklog.ingest.metrics import DIMENSIONS
    from tricklog.ingest.metrics.page import by_group

    lines: list[str] = []
    dimensions = "Dimensions, for --by and --where", DIMENSIONS
    listed: list[tuple[str, Sequence[Metric | Dimension]]] = [*by_group(metrics), dimensions]
    for title, named in listed:
        lines.append(f"{HEADING}{one_line(title)}")
        lines += (f"\t{one_line(each.name)}\t{one_line(each.sentence)}" for each in named)
        lines.append("")
    return "\n".join(lines)


def begin_adapter(name: str, folders: Sequence[str]) -> int:
    """Write a project for an adapter into a folder, one of its name unless said.

    Raises ``UserError`` for a name or a folder that cannot be taken.
    """
    from tricklog.ingest.adapters.new_project import ProjectError, write_project
    from tricklog.ingest.adapters.registry import listed
    from tricklog.ingest.cli import own_version

    taken = next((each for each in listed() if each.name == name), None)
    if taken is not None:
        raise UserError(
            f"there is an adapter {name} already, of {taken.package} {taken.version}",
            "Choose another name: two packages with one name are both refused.",
        )
    if len(folders) > 1:
        raise UserError("an adapter is written into one folder", "Name one, or none.")
    place = Path(*folders or (name,))
    try:
        written = write_project(name, place, own_version())
    except ProjectError as error:
        raise UserError(str(error), "Choose another.") from error
    there = shlex.quote(str(place))
    put(
        *map(str, written),
        f"It passes its tests as it is. Go on with:\n"
        f"  cd {there} && pip install -e '.[test]' && python -m pytest\n"
        f"  {own_command()} convert --from {name} tests/sample.jsonl",
    )
    return SUCCESS


# --- Games and their rules

GAMES: Final = LISTS / "games"
TITLES: Final = (mark("variant"), mark("title"), mark("version"), mark("summary"))


def listed_variants(language: Language | None = None) -> int:
    """Print which variants there are; return the exit status."""
    said = translations(language_of(language))
    heads = {name: tomllib.loads(variant_text(name).partition("\n[")[0]) for name in variants()}
    rows = [
        [name, head["title"], str(head["version"]), said.get(head["summary"], head["summary"])]
        for name, head in heads.items()
    ]
    titles = [said.get(each, each) for each in TITLES]
    tell("\n".join(aligned(titles, [False, False, True, False], rows)))
    return SUCCESS


def is_written(name: str) -> bool:
    """Whether a game is one that comes with Tricklog, whose rules in words were written."""
    return Path(name).name == name and (GAMES / f"{name}.txt").is_file()


def told_variant(name: str, language: Language | None = None) -> int:
    """Print the rules of a game for which ``is_written`` holds; return the exit status."""
    text = (GAMES / f"{name}.txt").read_text("utf-8")
    tell(laid_out(put_into(language_of(language), text)))
    return SUCCESS


_CITATION = re.compile(r"[0-9]+\.[\w.-]+|[SCO][0-9]+")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKS = re.compile(r"^#+ |\*\*|`", re.MULTILINE)
_PARTS = re.compile(r"\n(?=\n|- |\d+\. )|(?<=\n)\n(?=\S)")
"""Between headings, paragraphs, items of lists and tables."""


def are_citations(names: Sequence[str]) -> bool:
    """Whether names are those of rules as findings cite them, and not of one game."""
    return len(names) > 1 or bool(_CITATION.fullmatch(names[0]) and not is_file_name(names[0]))


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
            tell("\n".join(_plain(text)))


def _need_no_index(cite: str, known: Mapping[str, object]) -> None:
    """Raise ``UserError`` for a number that the games of this checkout have, and no page yet."""
    holding = [name for name in variants() if cite in variant_text(name)]
    if not holding:
        return
    from tricklog.core import load_variant

    games = [load_variant(name) for name in holding]
    cited = " ".join(text for game in games for text in game.cites.values()).split()
    if cite in {*cited, *(rule.cite for game in games for rule in game.house_rules)}:
        try:
            known[cite]
        except KeyError as error:
            raise UserError(f"{cite} stands in the rules of a game, but {error.args[0]}") from error


def _plain(text: str) -> Iterator[str]:
    """Yield the lines of what a page says, as wide as the terminal and without its marks."""
    width = shutil.get_terminal_size((PIPE_WIDTH, 0)).columns
    plain = _MARKS.sub("", _LINK.sub(r"\1", text))
    for part in _PARTS.split(plain.strip()):
        deeper = "  " if part.startswith(("- ", "1. ")) else ""
        if part.startswith("|"):
            heads, _, *rows = (line[2:-2].split(" | ") for line in part.splitlines())
            yield from aligned(heads, [False] * len(heads), rows)
        else:
            yield from textwrap.wrap(
                " ".join(part.split()), width, subsequent_indent=deeper, break_on_hyphens=False
            ) or [""]
    yield ""
