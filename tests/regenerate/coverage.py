"""Write the coverage register: ./dev regenerate.

It says what carries out each numbered rule, and what tests it. The numbers are the rulings on
silent points (S), on conflicts (C), the options (O) and the worked examples (T) of ``docs/rules``.

It goes through the variants, the docstrings and the tests, and makes ``tests/rules/coverage.md``.
A policy value covers the numbers that a variant cites for it or that its docstring names; a
function, those its docstring names; a test, those in its name; a rule case, those that it cites.
A number in quotes is an example of a number and covers nothing.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.kit.rule_cases import CASES, cases_in
from tests.regenerate.schemas import below_attributes
from tests.regenerate.variant_pages import citations_of
from tricklog.core import load_variant, variants
from tricklog.core.engine.policies import value_name
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.core.rulesets.rules_file import as_written
from tricklog.schemas.citations import citations

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "tests" / "rules" / "coverage.md"
COMMAND: Final = "./dev regenerate"

UNTOLD: Final = {
    "T02": ("The last to speak may not pass", "1.auction"),
    "T05": ("Outside the limits", "1.auction O01 O02"),
    "T10": ("Seven trumps", "1.exchange 1.surplus"),
    "T20": ("The king takes both fives", "1.trick"),
    "T26": ("Over the target alone", "1.game"),
    "T32": ("The hand that decides", "1.game S15"),
    "T83": ("Sixty-two points, and a hand without trumps", "9.points 9.fold"),
    "T95": ("All fifty-three cards", "11.deal 11.kitty"),
    "T101": ("Seven points in a suit", "14.points"),
}
"""Examples without a paragraph in the rules pages: what they are about, the rules they show."""
KINDS: Final = {
    "S": ("Rulings where the texts are silent", "carried out by"),
    "C": ("Rulings where the texts disagree", "carried out by"),
    "O": ("Options", "carried out by"),
    "T": ("Worked examples", "shows"),
}

_NUMBER: Final = r"[SCO]\d{2,3}"
_NAMED: Final = re.compile(rf"(?<![\w`'\"])({_NUMBER})(?: to ({_NUMBER}))?(?![\w`'\"])")
_CITATIONS: Final = re.compile(rf"(?:\d+\.[a-z-]+|{_NUMBER})(?: (?:\d+\.[a-z-]+|{_NUMBER}))*")
_IN_A_NAME: Final = re.compile(r"(?<![a-z0-9])([scot]\d{2,3})(?![a-z0-9])")

Found = dict[str, list[str]]


class Covered(NamedTuple):
    """What there is for one number."""

    number: str
    title: str
    by: tuple[str, ...]
    """Policy values, options and functions that carry it out; for an example the rules it shows."""
    tests: tuple[str, ...]
    """Tests and rule cases that pin it, by file."""


def numbers() -> list[str]:
    """Every number of the rules pages and every example, in the order of the register."""
    found = {*(name for name in citations() if name[0] in KINDS), *UNTOLD}
    return sorted(found, key=lambda name: ([*KINDS].index(name[0]), int(name[1:])))


def made() -> list[Covered]:
    """Make the register from the code and the tests as they stand."""
    by: Found = defaultdict(list)
    for place, cited in (*policy_values(), *options(), *docstrings()):
        for number in cited:
            by[number].append(place)
    tests: Found = defaultdict(list)
    # By example the rules that its cases cite with it.
    beside: Found = defaultdict(list)
    for place, cited in (*rule_cases(), *test_functions()):
        for number in cited:
            tests[number].append(place)
            beside[number] += [other for other in cited if not other.startswith("T")]
    known = citations()
    shown = rules_shown()
    rows = []
    for number in numbers():
        title = known[number].title if number in known else UNTOLD[number][0]
        if number.startswith("T"):
            by[number] = sorted({*shown[number], *beside[number]}, key=_order)
        rows.append(Covered(number, title, tuple(_once(by[number])), tuple(_once(tests[number]))))
    return rows


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _order(citation: str) -> tuple[bool, int, str]:
    digits = re.findall(r"\d+", citation)
    return not citation[0].isdigit(), int(digits[0]), citation


# --- What carries a rule out
def policy_values() -> Iterator[tuple[str, list[str]]]:
    for key, policy in POLICIES.items():
        if isinstance(policy, Choice):
            for member in policy.values:
                yield f'{key} = "{value_name(member)}"', citations_of(member)
        games: Found = defaultdict(list)
        for variant in variants():
            ruleset = load_variant(variant)
            for number in ruleset.cite(key).split():
                games[f"{number} {as_written(ruleset.values[key])}"].append(variant)
        for cited, having in games.items():
            number, written = cited.split(" ", 1)
            # The game matters where the value alone does not tell what was decided.
            game = "" if isinstance(policy, Choice) else f" in {', '.join(having)}"
            yield f"{key} = {written}{game}", [number]


def options() -> Iterator[tuple[str, list[str]]]:
    for variant in variants():
        for rule in load_variant(variant).house_rules:
            values = ", ".join(
                f"{key} = {' or '.join(map(as_written, rule.choices(key)))}" for key in rule.values
            )
            yield f"option of {variant}: {values}", [rule.cite]


def docstrings() -> Iterator[tuple[str, list[str]]]:
    """Modules, classes and functions, with the numbers that their docstrings or findings name."""
    for folder in ("replay", "schemas"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name == "policies.py":
                continue
            name = path.relative_to(ROOT).as_posix()
            tree = ast.parse(path.read_text("utf-8"))
            yield name, numbers_in(ast.get_docstring(tree) or "")
            yield (
                name,
                [
                    number
                    for node in ast.walk(tree)
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                    if _CITATIONS.fullmatch(node.value)
                    for number in node.value.split()
                ],
            )
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    yield f"{name}: {node.name}", numbers_in(ast.get_docstring(node) or "")
                if isinstance(node, ast.ClassDef):
                    for each, words in below_attributes(node):
                        yield f"{name}: {node.name}.{each}", numbers_in(words)


def numbers_in(text: str) -> list[str]:
    """The numbers that a text names; ``S11 to S14`` are four."""
    found = []
    for first, last in _NAMED.findall(text):
        end = int(last[1:]) if last else int(first[1:])
        found += [f"{first[0]}{number:02}" for number in range(int(first[1:]), end + 1)]
    return found


def rules_shown() -> Found:
    """By example: the rule under which it stands in the rules pages."""
    found: Found = defaultdict(list)
    for number, (_, cites) in UNTOLD.items():
        found[number] += cites.split()
    known = {each.anchor: name for name, each in citations().items()}
    for page in sorted({each.file for each in citations().values()}):
        text = (ROOT / "docs" / "rules" / page).read_text("utf-8")
        rule = ""
        for anchor in re.findall(r'^<a id="([^"]+)"></a>$', text, re.MULTILINE):
            citation = known[anchor]
            if citation.startswith("T"):
                found[citation].append(rule)
            elif citation[0] not in "SC":
                rule = citation
    return found


# --- What tests a rule
def rule_cases() -> Iterator[tuple[str, list[str]]]:
    for path in sorted(CASES.glob("*/*.txt")):
        name = path.relative_to(ROOT).as_posix()
        for kind, rows in cases_in(path).items():
            for row in rows:
                yield f"{name}: {kind}", row.get("rule", "").split()


def test_functions() -> Iterator[tuple[str, list[str]]]:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                cited = [number.upper() for number in _IN_A_NAME.findall(node.name)]
                if cited:
                    yield f"{name}: {node.name}", cited


# --- Writing it down
def rendered_page(rows: list[Covered]) -> str:
    parts = [
        f"<!-- Made by `{COMMAND}`; do not edit. -->",
        "# Coverage\n",
        (
            "Every number of the [rules pages](../../docs/rules/README.md), what carries it out, "
            "and which tests pin it.\n"
        ),
    ]
    for kind, (title, by) in KINDS.items():
        own = [row for row in rows if row.number.startswith(kind)]
        done = sum(bool(row.by and row.tests) for row in own)
        parts += [f"## {title}\n", f"{done} of {len(own)} are carried out and tested.\n"]
        lines = [f"| number | what it is | {by} | tested by |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {_linked(row.number)} | {row.title} | {_cell(row.by)} | {_cell(row.tests)} |"
            for row in own
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _cell(words: tuple[str, ...]) -> str:
    return "<br>".join(_linked(word) if word in citations() else f"`{word}`" for word in words)


def _linked(number: str) -> str:
    known = citations().get(number)
    return f"[{number}](../../docs/rules/{known.file}#{known.anchor})" if known else number


def write() -> None:
    PAGE.write_text(rendered_page(made()), "utf-8")
