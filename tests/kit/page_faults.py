"""What is wrong on pages of the documentation, with file and line and what to write instead.

Blocks of code are run by ``page_runner``; spelling and words are codespell's (``./dev lint``).
"""

import difflib
import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from tests.regenerate.site_parts import filled
from tricklog.ingest.cli import COMMANDS, NAME, command_in
from tricklog.ingest.cli.usage import OPTIONS

_BLOCK: Final = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"(?<!`)`(?!`)([^`]+)`(?!`)")
_LINK: Final = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
_PLACE: Final = re.compile(r'<\w+ (?:id|name)="([^"]+)"')
_HEADING: Final = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_ANYWHERE: Final = frozenset({"--help", "--version", "--install-completion", "--shell"})
_FIRST_LINE_OF_A_TEXT: Final = "tricklog text 1"


def link_faults(page: Path, root: Path) -> Iterator[str]:
    """Yield the links of a page that lead to no file, or to no place in it."""
    text = page.read_text("utf-8")
    read = _blanked(_CODE, _blanked(_BLOCK, text))
    for link in _LINK.finditer(read):
        where = f"{page.relative_to(root)}:{_line(text, link.start())}: {link[0]}"
        to = page.parent / link[1] if link[1] else page
        if not to.exists():
            there = [each.relative_to(root).as_posix() for each in root.rglob(f"*{to.suffix}")]
            yield f"{where} leads to no file{_meant(to.name, there)}"
        elif link[2] and link[2] not in places_on(to):
            yield f"{where} leads to no heading or mark{_meant(link[2], places_on(to))}"


def places_on(page: Path) -> set[str]:
    """What links to a page name as places on it."""
    text = _BLOCK.sub("", filled(page.read_text("utf-8")))
    names = (re.sub(r"[^\w\- ]", "", each.lower()) for each in _HEADING.findall(text))
    return {name.strip().replace(" ", "-") for name in names} | {*_PLACE.findall(text)}


def command_faults(page: Path, root: Path) -> Iterator[str]:
    """Yield the commands and options in the sentences of a page that the program lacks."""
    known = {name: {*each["options"], *_ANYWHERE} for name, each in _options().items()}
    everywhere = set[str]().union(*known.values())
    text = page.read_text("utf-8")
    for code in _CODE.finditer(_blanked(_BLOCK, text)):
        words = code[1].split()
        if not words or code[1] == _FIRST_LINE_OF_A_TEXT:
            continue
        where = f"{page.relative_to(root)}:{_line(text, code.start())}: `{' '.join(words)}`"
        of_program = words[0] == NAME and len(words) > 1
        command = command_in(words[of_program:])
        has = known.get(command, everywhere)
        if of_program and not command and re.fullmatch(r"[a-z]+", words[1]):
            yield f"{where}: there is no command {words[1]}{_meant(words[1], COMMANDS)}"
        elif of_program or command or words[0].startswith("--"):
            for option in _OPTION.findall(code[1]):
                if option not in has:
                    yield f"{where}: {command or NAME} has no {option}{_meant(option, has)}"


def _options() -> dict[str, dict[str, Collection[str]]]:
    found: dict[str, dict[str, Collection[str]]] = json.loads(OPTIONS.read_bytes())
    return found


def menu_faults(menu: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Yield the pages that the menu of the site lacks, and what it names that is no page."""
    text = menu.read_text("utf-8")
    headings = tomllib.loads(text)["menu"]
    named = [name for names in headings.values() for name in names]
    docs = menu.parents[1]
    where = menu.relative_to(docs.parent)
    for page in pages:
        name = page.relative_to(docs).with_suffix("").as_posix()
        if name not in named:
            yield f'{where}:1: write "{name}" under one of {", ".join(headings)}'
    for name in named:
        place = docs.parent / name[1:] if name.startswith("/") else docs / name
        if not any(place.with_suffix(end).is_file() for end in (".md", ".ipynb")):
            line = _line(text, text.index(f'"{name}"'))
            yield f"{where}:{line}: {name} is no page: take it out"


def _blanked(what: re.Pattern[str], text: str) -> str:
    """Return a text with spaces in the place of what is not looked at, so that lines stay."""
    return what.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _meant(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, [each.rpartition("/")[2] for each in known], 1)
    return f"; write {near[0]}" if near else "; take it out, or write what there is"
