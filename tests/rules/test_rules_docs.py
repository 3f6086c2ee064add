"""The rules pages, their index, and the register of who carries out and tests each number.

A citation has exactly one paragraph, and links lead to one; pages made of the data are what is
made. The index is generated. After editing a page, write it again: ./dev regenerate
"""

import json
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from tests.regenerate import coverage, variant_pages
from tests.regenerate.variant_pages import page_of, pages, policies_part
from tricklog.core import load_variant, variants
from tricklog.core.engine.policies import value_name
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.core.rulesets.rules_text import answer_in_words, rules_in_words
from tricklog.schemas.citations import citations

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "docs" / "rules"
INDEX = RULES / "index.json"
MADE = [*map(page_of, variants()), "docs/rules/README.md"]
BY_HAND = sorted({f"docs/rules/{page.name}" for page in RULES.glob("*.md")} - {*MADE})

PEDRO_TOPICS = (
    *("players", "pack", "trumps", "points", "deal", "auction", "trump-call", "kitty"),
    *("exchange", "refill", "rob", "surplus", "give", "fold"),
    *("lead", "follow", "trick", "drop-out", "score", "game"),
)
TWENTY_NINE_TOPICS = (
    *("players", "pack", "points", "deal", "auction", "trump-call"),
    *("lead", "follow", "ask", "trick", "pair", "score", "game"),
)
GENERAL_TOPICS = ("players", "deal", "auction", "record", "conservation", "order")
REQUIRED_TOPICS = {
    0: GENERAL_TOPICS,
    **dict.fromkeys(range(1, 12), PEDRO_TOPICS),
    **dict.fromkeys((14, 16, 17), TWENTY_NINE_TOPICS),
}
ON_THE_PAGE_OF = {12: 10, 15: 14}
"""Sections about options of a game, which stand on its page."""

ANCHOR = re.compile(r'<a id="([^"]*)"></a>')
HEADING = re.compile(r"#+ (?P<citation>\S+) · (?P<title>.+)")
LEAD_IN = re.compile(r"\*\*(?P<citation>\S+) · (?P<title>.+?)\.?\*\*")
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
CITATION = re.compile(r"\d+\.[a-z-]+|[SCOT]\d+")


def anchor_of(citation: str) -> str:
    return citation.lower().replace(".", "-")


def scan() -> list[tuple[str, dict[str, str]]]:
    """All anchored paragraphs in the order of the pages: (citation, {file, anchor, title})."""
    entries: list[tuple[str, dict[str, str]]] = []
    for page in sorted(RULES.glob("*.md")):
        lines = page.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            for anchor in ANCHOR.findall(line):
                where = f"{page.name}:{number + 1}"
                assert line == f'<a id="{anchor}"></a>', f"{where}: an anchor stands alone"
                start = lines[number + 1] if number + 1 < len(lines) else ""
                found = HEADING.fullmatch(start) or LEAD_IN.match(start)
                assert found, f"{where}: no titled heading or paragraph after the anchor"
                citation = found["citation"]
                assert CITATION.fullmatch(citation), f"{where}: {citation} is no citation"
                assert anchor == anchor_of(citation), f"{where}: {anchor} is not {citation}"
                entry = {"file": page.name, "anchor": anchor, "title": found["title"]}
                entries.append((citation, entry))
    return entries


def rendered_index() -> str:
    return json.dumps(dict(scan()), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def test_index_is_what_the_pages_say() -> None:
    assert INDEX.read_text(encoding="utf-8") == rendered_index(), (
        "docs/rules/index.json is out of date: ./dev regenerate"
    )


def test_pages_are_not_made_before_the_index_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    # ./dev regenerate imports this module, when the index may lack a number that a game names.
    monkeypatch.setattr(variant_pages, "pages", pytest.fail)
    runpy.run_path(__file__)


def test_no_citation_has_two_paragraphs() -> None:
    citations = [citation for citation, _ in scan()]
    assert sorted(citations) == sorted(set(citations))


def test_sections_have_their_topics_on_their_own_page() -> None:
    entries = dict(scan())
    missing = [
        f"{section}.{topic}"
        for section, topics in REQUIRED_TOPICS.items()
        for topic in topics
        if f"{section}.{topic}" not in entries
    ]
    assert not missing
    for citation, entry in entries.items():
        section, _, topic = citation.partition(".")
        if topic:
            page = ON_THE_PAGE_OF.get(int(section), int(section))
            assert entry["file"].startswith(f"{page:02d}-"), citation
            assert topic in {*PEDRO_TOPICS, *TWENTY_NINE_TOPICS, *GENERAL_TOPICS}, citation


@pytest.mark.parametrize("name", [*BY_HAND, *MADE, "tests/rules/coverage.md", "docs/rulesets.md"])
def test_links_lead_to_files_and_anchors_and_citations_to_their_own(name: str) -> None:
    entries, page = dict(scan()), ROOT / name
    anchors = {(entry["file"], entry["anchor"]) for entry in entries.values()}
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        text, target = link["text"], link["target"]
        if "://" in target and name in BY_HAND:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.is_file(), target
        known = set(anchors)
        if file.parent != RULES:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            known = {(file.name, each.lower().replace(" ", "-")) for each in headings}
        if anchor:
            assert (file.name, anchor) in known, target
        if CITATION.fullmatch(text):
            assert text in entries, text
            expected = (entries[text]["file"], entries[text]["anchor"])
            assert (file.name, anchor) == expected, f"{text} -> {target}"


def test_every_page_is_in_the_readme() -> None:
    readme = (RULES / "README.md").read_text(encoding="utf-8")
    targets = {link["target"] for link in LINK.finditer(readme)}
    pages = {page.name for page in RULES.glob("*.md")} - {"README.md"}
    assert pages <= targets


def write() -> None:
    """Write the index of the rules pages."""
    INDEX.write_text(rendered_index(), encoding="utf-8")
    citations.cache_clear()


@pytest.fixture(scope="module")
def rows() -> list[coverage.Covered]:
    """The register, made once: the whole of the code and of the tests is read for it."""
    return coverage.made()


def complain(rows: list[coverage.Covered], what: str) -> None:
    if rows:
        listed = "".join(f"\n  {row.number}  {row.title}" for row in rows)
        pytest.fail(f"{len(rows)} numbers {what}:{listed}", pytrace=False)


def test_every_number_is_carried_out(rows: list[coverage.Covered]) -> None:
    complain([row for row in rows if not row.by], "are carried out by nothing that says so")


def test_every_number_is_tested(rows: list[coverage.Covered]) -> None:
    complain([row for row in rows if not row.tests], "are tested by nothing that says so")


def test_the_register_is_what_the_code_says(rows: list[coverage.Covered]) -> None:
    assert coverage.PAGE.read_text("utf-8") == coverage.rendered_page(rows), (
        f"it is out of date: {coverage.COMMAND}"
    )


def test_rulings_and_options_are_numbered_without_gaps() -> None:
    assert not coverage.UNTOLD.keys() & citations().keys()
    for kind in "SCO":
        found = [int(number[1:]) for number in coverage.numbers() if number[0] == kind]
        assert found == [*range(1, len(found) + 1)], kind


def test_a_number_that_no_page_has_says_what_to_do() -> None:
    with pytest.raises(KeyError, match="no O777: write its paragraph"):
        citations()["O777"]


def test_what_the_register_says_of_some_numbers(rows: list[coverage.Covered]) -> None:
    by_number = {row.number: row for row in rows}
    assert 'low_to = "winner"' in by_number["O17"].by
    assert "option of pedro: min_bid = 6, forced_bid = 6" in by_number["O01"].by
    assert 'empty_stock = "short"' in by_number["S13"].by
    assert "schemas/actions.py: _parse_bid" in by_number["S06"].by
    assert "replay/model.py: Finding" in by_number["S04"].by
    assert "tests/rules/cases/pedro/base.txt: discard" in by_number["T08"].tests
    assert "1.exchange" in by_number["T08"].by
    assert any("test_s06_" in test for test in by_number["S06"].tests)


def test_numbers_in_a_text() -> None:
    assert coverage.numbers_in("Sources: 1.rob; S03, S11 to S13 (O09).") == [
        *("S03", "S11", "S12", "S13", "O09")
    ]
    assert coverage.numbers_in("as in ``O01``, 'S13' or \"C07\", S1 and TS05") == []


def test_what_tests_a_number_exists(rows: list[coverage.Covered], repository: Path) -> None:
    for row in rows:
        for test in row.tests:
            file, _, name = test.partition(": ")
            assert name in (repository / file).read_text("utf-8"), test


def test_an_example_shows_rules_that_exist(rows: list[coverage.Covered]) -> None:
    known = set(citations())
    for row in rows:
        if row.number.startswith("T"):
            assert set(row.by) <= known, row.number


WORDS = ("\n## The table\n", "\n## House rules\n")
OPTIONS = ("\n## House rules\n", "\n## A hand\n")
DATA = ("\n```toml\n", "\n```\n")


def part_of(page: str, start: str, end: str) -> str:
    """What stands on a page between two lines."""
    return page.partition(start)[2].partition(end)[0]


@pytest.mark.parametrize("path", MADE)
def test_a_page_is_what_the_data_say(path: str) -> None:
    written = (ROOT / path).read_text("utf-8")
    assert written == pages()[path], f"{path} is out of date: ./dev regenerate"


def test_there_is_one_page_for_every_game() -> None:
    games = [page_of(name) for name in variants()]
    assert len(set(games)) == len(games)
    of_many = {"00-general.md", "18-as-played.md", "conflicts.md", "README.md"}
    found = {path.name for path in RULES.glob("*.md")}
    assert found == {Path(page).name for page in games} | of_many


@pytest.mark.parametrize("variant", variants())
def test_a_page_answers_the_questions_that_arise_with_their_sources(variant: str) -> None:
    above, data = (part_of(pages()[page_of(variant)], *ends) for ends in (WORDS, DATA))
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
    page = part_of(pages()[page_of(variant)], *OPTIONS)
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
    by_number = pages()[page_of(variant)].partition("## The rules by number\n")[2]
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
