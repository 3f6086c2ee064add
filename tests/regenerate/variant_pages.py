"""The pages in ``docs/variants``, made from the data of the variants, and the table of policies.

``./dev regenerate`` writes the pages into the checkout; the site has the policies.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from tricklog.core.engine.policies import Answer, value_name
from tricklog.core.rulesets.house_rules import HouseRule, as_written
from tricklog.core.rulesets.policy_table import (
    CARD_KINDS,
    POLICIES,
    Cards,
    Choice,
    Number,
    Numbers,
    Phases,
    Points,
    Policy,
    Ranks,
    Switch,
)
from tricklog.core.rulesets.rules_text import CITATION, RuleInWords, rules_in_words, words_of
from tricklog.core.rulesets.ruleset import Ruleset, load_variant
from tricklog.core.rulesets.variant_names import variants
from tricklog.schemas.citations import citations

_MADE_BY: Final = "<!-- Made by `./dev regenerate`; do not edit. -->"
_FEW: Final = 5
"""So many games are named one by one."""
_SECTION_TITLES: Final = {
    "table": "The table",
    "pack": "The pack",
    "deal": "The deal",
    "auction": "The auction",
    "exchange": "The exchange",
    "play": "The play",
    "score": "The score",
    "game": "The game",
}


_ABOUT_GAMES: Final = """\
One page for each game Tricklog knows: its rules in words, how each is written as data, what it
rests on, and the house rules that have a number. `tricklog rules NAME` prints the same, and
`tricklog rules --compare NAME NAME` what differs. All questions and all answers that there are
stand on [one page](../policies.md).
"""


def pages() -> dict[str, str]:
    """Return every page by its path in the checkout."""
    made = {f"docs/variants/{name}.md": variant_page(load_variant(name)) for name in variants()}
    made["docs/variants/README.md"] = _overview()
    return {path: f"{_MADE_BY}\n{text}" for path, text in made.items()}


# --- A variant


def variant_page(ruleset: Ruleset) -> str:
    """Return the page of a variant: its rules in words, its house rules, its rulings."""
    rules = [rule for rule in rules_in_words(ruleset) if rule.applies]
    parts = [f"# {ruleset.title}\n", f"{ruleset.summary}\n", _head(ruleset)]
    for section, own in itertools.groupby(rules, key=lambda rule: rule.section):
        parts += [f"## {_SECTION_TITLES[section]}\n", _questions(list(own))]
    parts += _options(ruleset)
    parts += _rulings(ruleset, rules)
    return "\n".join(parts)


def _head(ruleset: Ruleset) -> str:
    extends = f"[{ruleset.extends}]({ruleset.extends}.md)" if ruleset.extends else "nothing"
    home = _home(ruleset)
    return _table(
        ("in a log", "version", "builds on", "the rules as text"),
        [(f"`{ruleset.id}`", str(ruleset.version), extends, f"[{home}](../rules/{home})")],
    )


def _questions(rules: Sequence[RuleInWords]) -> str:
    return _table(
        ("question", "answer", "as data", "rests on"),
        [
            (
                rule.question,
                rule.answer,
                f"`{rule.policy} = {as_written(rule.value)}`",
                linked(rule.cite.split(), "../rules"),
            )
            for rule in rules
        ],
    )


def _options(ruleset: Ruleset) -> Iterator[str]:
    standing = [rule for rule in ruleset.house_rules if rule.holds(ruleset.values)]
    others = [rule for rule in ruleset.house_rules if rule not in standing]
    yield "## House rules\n"
    yield (
        "A file of your own and the `options` of a log switch house rules on by number, as in "
        f'`house_rules = ["{others[0].cite if others else "O10"}"]`, or by their values. Options '
        "of other games can be named, too, if they fit. See [Rulesets](../rulesets.md).\n"
    )
    if others:
        yield _table(
            ("number", "rule", "values"),
            [(linked([rule.cite], "../rules"), rule.words, _values(rule)) for rule in others],
        )
    if standing and ruleset.extends:
        before = load_variant(ruleset.extends)
        yield (
            "These options with a number are rules of this game. To play without them, as in "
            f"{before.title}, write other values:\n"
        )
        yield _table(
            ("number", "rule", f"as in {before.title}"),
            [
                (linked([rule.cite], "../rules"), rule.words, _values_before(rule, before))
                for rule in standing
            ],
        )


def _values(rule: HouseRule) -> str:
    """Return how a file writes a house rule; where there is a choice, the values side by side."""
    return "<br>".join(
        f"`{key} = {as_written(choices[0])}`"
        + "".join(f" or `{as_written(other)}`" for other in choices[1:])
        for key, choices in ((key, rule.choices(key)) for key in rule.values)
    )


def _values_before(rule: HouseRule, before: Ruleset) -> str:
    return "<br>".join(
        f"`{key} = {as_written(before.values[key])}`"
        for key in rule.values
        if before.values[key] not in rule.choices(key)
    )


def _rulings(ruleset: Ruleset, rules: Sequence[RuleInWords]) -> Iterator[str]:
    """Name the rulings behind the rules: those they cite, and those on the pages of the game."""
    known = citations()
    cited = {name for rule in rules for name in rule.cite.split()}
    own_pages = _pages_of(ruleset)
    found = [
        name
        for name in known
        if name[0] in "SC" and (name in cited or known[name].file in own_pages)
    ]
    found.sort(key=lambda name: (name[0], int(name[1:])))
    yield "## Rulings\n"
    yield (
        "Where the texts say nothing (S) or disagree (C), what Tricklog does, and why, stands "
        "under the number. The [general rules](../rules/00-general.md) hold in every game.\n"
    )
    lines = [f"- {linked([name], '../rules')} {known[name].title}" for name in found]
    yield "\n".join(lines) + "\n"


def _pages_of(ruleset: Ruleset) -> set[str]:
    """Return the rules pages about a game and its house rules, but not about another game."""
    known = citations()
    homes = {_home(load_variant(name)) for name in variants()}
    optional = {known[rule.cite].file for rule in ruleset.house_rules}
    return {_home(ruleset)} | (optional - homes - {"conflicts.md"})


def _home(ruleset: Ruleset) -> str:
    """Return the rules page of a game."""
    return citations()[ruleset.cite("players").split()[0]].file


def _overview() -> str:
    rows = []
    for name in variants():
        ruleset = load_variant(name)
        words = {rule.policy: rule.answer for rule in rules_in_words(ruleset)}
        rows.append(
            (
                f"[{ruleset.title}]({name}.md)",
                f"`{name}`",
                words["players"],
                str(ruleset.total_points),
                words["target"],
                ruleset.summary,
            )
        )
    return "\n".join(
        (
            "# The games\n",
            _ABOUT_GAMES,
            _table(("game", "in a log", "players", "points", "won at", "in short"), rows),
        )
    )


# --- All policies


def policies_part() -> str:
    """Return all questions and answers, and which game has which, in Markdown."""
    parts = []
    rulesets = [load_variant(name) for name in variants()]
    for section, policies in itertools.groupby(POLICIES.values(), key=lambda each: each.section):
        parts.append(f"## {_SECTION_TITLES[section]}: `[{section}]`\n")
        for policy in policies:
            parts.append(f'<a id="{policy.key}"></a>\n**`{policy.key}`** {policy.question}\n')
            parts.append(_answers(policy, rulesets))
    return "\n".join(parts)


def _answers(policy: Policy, rulesets: Sequence[Ruleset]) -> str:
    if isinstance(policy, Choice | Switch):
        return "".join(
            f"- `{as_written(value).strip(chr(34))}`{words}{_with(policy, value, rulesets)}\n"
            for value, words in _possible(policy)
        )
    values: list[Any] = []
    for ruleset in rulesets:
        if ruleset.values[policy.key] not in values:
            values.append(ruleset.values[policy.key])
    games = "".join(
        f"- `{as_written(value)}`{_with(policy, value, rulesets)}\n" for value in values
    )
    return f"{_kind(policy)}\n\n{games}"


def _possible(policy: Choice | Switch) -> Iterator[tuple[object, str]]:
    """Yield each answer there is, with its words and what they rest on."""
    if isinstance(policy, Switch):
        yield True, ""
        yield False, ""
        return
    for member in policy.values:
        sources = linked(citations_of(member), "rules")
        yield value_name(member), f": {words_of(member)}{f' {sources}.' if sources else ''}"


def citations_of(answer: Answer) -> list[str]:
    """Return what a policy value rests on."""
    return [name for cites in CITATION.findall(answer.text) for name in re.split(r",\s+", cites)]


def _with(policy: Policy, value: object, rulesets: Sequence[Ruleset]) -> str:
    """Return which games give an answer, where they are few enough to be named."""
    having = [ruleset.title for ruleset in rulesets if ruleset.values[policy.key] == value]
    if not having:
        return ""
    named = ", ".join(having) if len(having) <= _FEW else "most games"
    return f" *{'All games' if len(having) == len(rulesets) else named}.*"


def _kind(policy: Policy) -> str:
    """Return which values a policy takes that has no list of them."""
    if isinstance(policy, Number):
        return f"A whole number from {policy.low} to {policy.high}."
    if isinstance(policy, Numbers):
        return f"A list of whole numbers from {policy.low} to {policy.high}."
    if isinstance(policy, Ranks):
        return "Ranks out of `AKQJT98765432`, high to low, each at most once."
    kinds = ", ".join(f"`{kind}`" for kind in CARD_KINDS)
    if isinstance(policy, Points):
        return f"For each point card its worth from 1 to 100. Cards are {kinds}."
    if isinstance(policy, Cards):
        return f"A list of cards out of {kinds}; it may be empty."
    assert isinstance(policy, Phases)
    return "A list of phases from `auction` to `play`; one with nothing to do is passed over."


# --- Markdown


def linked(names: Iterable[str], rules: str) -> str:
    """Return citations as links into the rules pages, which lie in the folder ``rules``."""
    known = citations()
    return ", ".join(f"[{name}]({rules}/{known[name].file}#{known[name].anchor})" for name in names)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell or ' ' for cell in line)} |\n" for line in lines)


def write() -> None:
    """Write the pages into the checkout that this module lies in."""
    root = Path(__file__).resolve().parents[2]
    for path, text in pages().items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
