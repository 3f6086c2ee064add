"""The pages of the games in ``docs/rules``, their overview, and the table of policies.

A page of a game is made from the data of its variant down to a mark; below it stand the rules by
number, which are written by hand. ``./dev regenerate`` writes the pages into the checkout; the
site has the policies.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from tricklog import Ruleset, load_variant, read, replay, variants
from tricklog.core.engine.policies import Answer, value_name
from tricklog.core.render.terminal import overview, plain
from tricklog.core.rulesets import policy_table
from tricklog.core.rulesets.rules_file import HouseRule, as_written
from tricklog.core.rulesets.rules_text import (
    CITATION,
    RuleInWords,
    answer_in_words,
    answered,
    rules_in_words,
    words_of,
)
from tricklog.ingest.cli.output import PIPE_WIDTH
from tricklog.schemas.citations import citations

ROOT: Final = Path(__file__).resolve().parents[2]
_UPPER_PART: Final = (
    "<!-- Made by `./dev regenerate` down to the end of what is made; do not edit it. -->"
)
_GAMES: Final = "<!-- games: made by `./dev regenerate` -->"
_END: Final = "<!-- end of what is made -->"
_BY_NUMBER: Final = "## The rules by number"
_FEW: Final = 5
"""So many games are named one by one."""
_SECTION_TITLES: Final = {
    "table": "The table",
    "pack": "The cards",
    "deal": "The deal",
    "auction": "The bidding",
    "exchange": "The exchange",
    "play": "The play",
    "score": "The score",
    "game": "The game",
}


@cache
def pages() -> dict[str, str]:
    """Return every page by its path in the checkout."""
    made = {page_of(name): variant_page(load_variant(name)) for name in variants()}
    made["docs/rules/README.md"] = _overview()
    return made


def page_of(variant: str) -> str:
    """Return the page of a game, as a path in the checkout."""
    return f"docs/rules/{_home(load_variant(variant))}"


# --- A variant
def variant_page(ruleset: Ruleset) -> str:
    """Return the page of a game: what is made of its variant, and what is written by hand."""
    _, mark, by_hand = _written(page_of(ruleset.id)).partition(f"{_END}\n")
    assert mark, f"{page_of(ruleset.id)}: write '{_END}' above '{_BY_NUMBER}'"
    here = _upper_part(ruleset).replace(f"]({_home(ruleset)}#", "](#")
    return f"{_UPPER_PART}\n{here}\n{mark}{by_hand}"


def _written(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def _upper_part(ruleset: Ruleset) -> str:
    """Return the rules of a game in words, its house rules, a hand, and what it all rests on."""
    rules = [rule for rule in rules_in_words(ruleset) if rule.applies]
    parts = [f"# {ruleset.title}\n", f"{ruleset.summary}\n", _head(ruleset)]
    for section, own in itertools.groupby(rules, key=lambda rule: rule.section):
        rows = [(rule.question, rule.answer, linked(rule.cite.split(), "")) for rule in own]
        table = _table(("question", "answer", "rule"), rows)
        parts += [f"## {_SECTION_TITLES[section]}\n", table]
    parts += _options(ruleset)
    parts += ["## A hand\n", _hand(ruleset)]
    parts += [
        _folded("As a rules file says it", _as_data(rules)),
        _folded("Rulings on other pages", _rulings(ruleset, rules)),
    ]
    return "\n".join(parts)


def _head(ruleset: Ruleset) -> str:
    base = ruleset.extends
    extends = f"[{load_variant(base).title}]({_home(load_variant(base))})" if base else "nothing"
    named = f"`{ruleset.id}`, version {ruleset.version}"
    heads = ("in a log", "players", "points", "won at", "builds on")
    return _table(heads, [(named, *_in_short(ruleset), extends)])


def _in_short(ruleset: Ruleset) -> tuple[str, str, str]:
    """Return how many play, how many points there are, and at how many a game is won."""
    words = {rule.policy: rule.answer for rule in rules_in_words(ruleset)}
    return words["players"], str(ruleset.total_points), words["target"]


def _hand(ruleset: Ruleset) -> str:
    """Return a sample hand as a terminal shows it, down to its score."""
    path = f"sample_logs/text/{ruleset.id}.trick"
    hand = next(line.hand for line in read(ROOT / path) if line.hand is not None)
    shown = plain(overview(replay(hand)), PIPE_WIDTH)
    return f"```console\n$ tricklog replay {path}\n{shown}\n...\n```\n"


def _as_data(rules: Sequence[RuleInWords]) -> str:
    lines = []
    for section, own in itertools.groupby(rules, key=lambda rule: rule.section):
        lines += [f"[{section}]", *(f"{rule.policy} = {as_written(rule.value)}" for rule in own)]
    text = "\n".join(lines)
    return f"```toml\n{text}\n```\n"


def _folded(title: str, text: str) -> str:
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n</details>\n"


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
        heads = ("number", "rule", "instead of", "values")
        rows = [(*_cited(rule), _instead_of(rule, ruleset), _values(rule)) for rule in others]
        yield _table(heads, rows)
    if standing and ruleset.extends:
        before = load_variant(ruleset.extends)
        yield (
            "These options with a number are rules of this game. To play without them, as in "
            f"{before.title}, write other values:\n"
        )
        heads = ("number", "rule", "without it", f"as in {before.title}")
        yield _table(
            heads,
            [
                (*_cited(rule), _instead_of(rule, before), _values_before(rule, before))
                for rule in standing
            ],
        )


def _cited(rule: HouseRule) -> tuple[str, str]:
    return linked([rule.cite], ""), rule.words


def _instead_of(rule: HouseRule, ruleset: Ruleset) -> str:
    """Return what a game has where a house rule changes it."""
    told = []
    for key in rule.values:
        if ruleset.values[key] in rule.choices(key):
            continue
        policy = policy_table.POLICIES[key]
        answer = answer_in_words(policy, answered(policy, ruleset.values))
        told.append(
            answer if isinstance(policy, policy_table.Choice) else f"{policy.question} {answer}"
        )
    return "<br>".join(told)


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


def _rulings(ruleset: Ruleset, rules: Sequence[RuleInWords]) -> str:
    """Name the rulings behind the rules that stand on the page of another game."""
    known = citations()
    cited = {name for rule in rules for name in rule.cite.split()}
    found = [
        name
        for name in known
        if name[0] in "SC" and name in cited and known[name].file != _home(ruleset)
    ]
    found.sort(key=lambda name: (name[0], int(name[1:])))
    lines = "".join(f"- {linked([name], '')} {known[name].title}\n" for name in found)
    return (
        "Where the texts say nothing (S) or disagree (C), what Tricklog does, and why, stands "
        f"under the number. The [general rules](00-general.md) hold in every game.\n\n{lines}"
    )


def _home(ruleset: Ruleset) -> str:
    """Return the page of a game in the folder of the rules."""
    return citations()[ruleset.cite("players").split()[0]].file


def _overview() -> str:
    """Return the page of the rules with its table of the games."""
    path = "docs/rules/README.md"
    marked = re.fullmatch(f"(.*{_GAMES}\n).*(\n{_END}\n.*)", _written(path), flags=re.DOTALL)
    assert marked, f"{path}: write '{_GAMES}' above the games, and '{_END}' below"
    rows = []
    for ruleset in sorted(map(load_variant, variants()), key=_home):
        home = _home(ruleset)
        title, name = f"[{ruleset.title}]({home})", f"`{ruleset.id}`"
        rows.append((str(int(home[:2])), title, name, *_in_short(ruleset), ruleset.summary))
    heads = ("section", "game", "in a log", "players", "points", "won at", "in short")
    return f"{marked[1]}\n{_table(heads, rows)}{marked[2]}"


# --- All policies
def policies_part() -> str:
    """Return all questions and answers, and which game has which, in Markdown."""
    parts = []
    rulesets = [load_variant(name) for name in variants()]
    for section, policies in itertools.groupby(
        policy_table.POLICIES.values(), key=lambda each: each.section
    ):
        parts.append(f"## {_SECTION_TITLES[section]}: `[{section}]`\n")
        for policy in policies:
            parts.append(f'<a id="{policy.key}"></a>\n**`{policy.key}`** {policy.question}\n')
            parts.append(_answers(policy, rulesets))
    return "\n".join(parts)


def _answers(policy: policy_table.Policy, rulesets: Sequence[Ruleset]) -> str:
    if isinstance(policy, policy_table.Choice | policy_table.Switch):
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


def _possible(policy: policy_table.Choice | policy_table.Switch) -> Iterator[tuple[object, str]]:
    """Yield each answer there is, with its words and what they rest on."""
    if isinstance(policy, policy_table.Switch):
        yield True, ""
        yield False, ""
        return
    for member in policy.values:
        sources = linked(citations_of(member), "rules")
        yield value_name(member), f": {words_of(member)}{f' {sources}.' if sources else ''}"


def citations_of(answer: Answer) -> list[str]:
    return [name for cites in CITATION.findall(answer.text) for name in re.split(r",\s+", cites)]


def _with(policy: policy_table.Policy, value: object, rulesets: Sequence[Ruleset]) -> str:
    """Return which games give an answer, where they are few enough to be named."""
    having = [ruleset.title for ruleset in rulesets if ruleset.values[policy.key] == value]
    if not having:
        return ""
    named = ", ".join(having) if len(having) <= _FEW else "most games"
    return f" *{'All games' if len(having) == len(rulesets) else named}.*"


def _kind(policy: policy_table.Policy) -> str:
    """Return which values a policy takes that has no list of them."""
    if isinstance(policy, policy_table.Number):
        return f"A whole number from {policy.low} to {policy.high}."
    if isinstance(policy, policy_table.Numbers):
        return f"A list of whole numbers from {policy.low} to {policy.high}."
    if isinstance(policy, policy_table.Ranks):
        return "Ranks out of `AKQJT98765432`, high to low, each at most once."
    kinds = ", ".join(f"`{kind}`" for kind in policy_table.CARD_KINDS)
    if isinstance(policy, policy_table.Points):
        return f"For each point card its worth from 1 to 100. Cards are {kinds}."
    if isinstance(policy, policy_table.Cards):
        return f"A list of cards out of {kinds}; it may be empty."
    assert isinstance(policy, policy_table.Phases)
    return "A list of phases from `auction` to `play`; one with nothing to do is passed over."


# --- Markdown
def linked(names: Iterable[str], rules: str) -> str:
    """Return citations as links into the rules pages, which lie in the folder ``rules``."""
    known = citations()
    folder = f"{rules}/" if rules else ""
    return ", ".join(f"[{name}]({folder}{known[name].file}#{known[name].anchor})" for name in names)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell or ' ' for cell in line)} |\n" for line in lines)


def write() -> None:
    for path, text in pages().items():
        (ROOT / path).write_text(text, encoding="utf-8")
