"""The pages made of the data: they are what is made, and their links lead somewhere."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.regenerate.variant_pages import page_of, pages, policies_part
from tricklog.core import load_variant, variants
from tricklog.core.engine.policies import value_name
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.core.rulesets.rules_text import answer_in_words, rules_in_words

ROOT = Path(__file__).resolve().parents[2]
PAGES = pages()
LINK = re.compile(r"\]\(([^)\s]+)\)")
WORDS = ("\n## The table\n", "\n## House rules\n")
OPTIONS = ("\n## House rules\n", "\n## A hand\n")
DATA = ("\n```toml\n", "\n```\n")


def part_of(page: str, start: str, end: str) -> str:
    """What stands on a page between two lines."""
    return page.partition(start)[2].partition(end)[0]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_what_the_data_say(path: str) -> None:
    written = (ROOT / path).read_text("utf-8")
    assert written == PAGES[path], f"{path} is out of date: ./dev regenerate"


def test_there_is_one_page_for_every_game() -> None:
    games = [page_of(name) for name in variants()]
    assert len(set(games)) == len(games)
    of_many = {"00-general.md", "18-as-played.md", "conflicts.md", "README.md"}
    found = {path.name for path in (ROOT / "docs/rules").glob("*.md")}
    assert found == {Path(page).name for page in games} | of_many


@pytest.mark.parametrize("path", [*PAGES, "tests/rules/coverage.md", "docs/rulesets.md"])
def test_links_lead_to_files_and_anchors(path: str) -> None:
    for target in LINK.findall((ROOT / path).read_text("utf-8")):
        file, _, anchor = target.partition("#")
        page = ((ROOT / path).parent / file).resolve() if file else ROOT / path
        assert page.is_file(), target
        if anchor:
            text = page.read_text("utf-8")
            headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            known = {heading.lower().replace(" ", "-") for heading in headings}
            assert f'<a id="{anchor}"></a>' in text or anchor in known, target


@pytest.mark.parametrize("variant", variants())
def test_a_page_answers_the_questions_that_arise_with_their_sources(variant: str) -> None:
    above, data = (part_of(PAGES[page_of(variant)], *ends) for ends in (WORDS, DATA))
    told: dict[str, dict[str, object]] = tomllib.loads(data)
    for rule in rules_in_words(load_variant(variant)):
        row = next((line for line in above.splitlines() if f"| {rule.question} |" in line), "")
        assert bool(row) == rule.applies, rule.policy
        assert (rule.policy in told[rule.section]) == rule.applies, rule.policy
        if row:
            assert f"| {rule.question} | {rule.answer} |" in row
            assert all(f"[{name}](" in row for name in rule.cite.split())
            assert told[rule.section][rule.policy] == rule.value


@pytest.mark.parametrize("variant", variants())
def test_a_page_tells_how_to_switch_every_house_rule_on_or_off(variant: str) -> None:
    ruleset = load_variant(variant)
    page = part_of(PAGES[page_of(variant)], *OPTIONS)
    for rule in ruleset.house_rules:
        row = next(line for line in page.splitlines() if rule.words in line)
        assert row.startswith(f"| [{rule.cite}](")
        other = rule.holds(ruleset.values)
        for key in rule.values:
            written = f"`{key} = " in row
            before = load_variant(ruleset.extends).values[key] if other else None
            assert written or before in rule.choices(key), (rule.cite, key)


@pytest.mark.parametrize("variant", variants())
def test_what_stands_behind_the_rules_of_a_game_is_folded(variant: str) -> None:
    by_number = PAGES[page_of(variant)].partition("## The rules by number\n")[2]
    assert by_number
    unfolded = re.sub(r"<details>.*?</details>", "", by_number, flags=re.DOTALL)
    assert "<a id=" not in unfolded
    assert "#" not in re.sub(r"\(\S*\)", "", unfolded), "a heading among what is folded"


def test_the_page_of_questions_has_every_answer_there_is() -> None:
    page = policies_part()
    for key, policy in POLICIES.items():
        start = page.index(f"**`{key}`** {policy.question}")
        part = page[start:].split("<a id=", 1)[0]
        if isinstance(policy, Choice):
            for member in policy.values:
                name = value_name(member)
                assert f"- `{name}`: {answer_in_words(policy, name)}" in part
        else:
            assert re.search(r"whole number|A list|Ranks out of|worth|`true`", part), key


def test_the_readme_lists_every_game_with_its_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| \[`([a-z0-9-]+)`\]\((\S+?)\) \| (.+?) \|", readme, re.MULTILINE)
    assert {name for name, *_ in rows} == set(variants())
    for name, page, title in rows:
        assert page == page_of(name)
        assert load_variant(name).title in title
