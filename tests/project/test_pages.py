"""Pages of the documentation: links, commands, the menu and words; what is wrong says where."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.page_blocks import DOCS, REPOSITORY
from tests.kit.page_faults import command_faults, link_faults, menu_faults

MENU = DOCS / "site" / "navigation.toml"
WORDS = DOCS / "site" / "words.txt"
PAGES = [
    *(REPOSITORY / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")),
    *sorted(DOCS.rglob("*.md")),
]
OF_OTHER_PROGRAMS = {"CONTRIBUTING.md", "docs/cluster.md", "docs/container.md"}
"""Pages that name options of pytest, Ray and podman."""


def of_today(page: Path) -> bool:
    """Whether a page names commands as they are: the changelog and decisions name old ones."""
    name = page.relative_to(REPOSITORY).as_posix()
    is_history = name == "CHANGELOG.md" or name.startswith("docs/decisions/")
    return not is_history and name not in OF_OTHER_PROGRAMS


def test_every_link_between_pages_leads_somewhere() -> None:
    assert not [fault for page in PAGES for fault in link_faults(page, REPOSITORY)]


def test_every_command_and_option_that_a_page_names_exists() -> None:
    today = [page for page in PAGES if of_today(page)]
    assert not [fault for page in today for fault in command_faults(page, REPOSITORY)]


def test_every_page_stands_in_the_menu() -> None:
    pages = [*DOCS.glob("*.md"), *DOCS.glob("notebooks/*.ipynb")]
    assert not [*menu_faults(MENU, pages)]


def test_a_word_of_two_parts_is_looked_for(tmp_path: Path) -> None:
    listed = [line.partition("->") for line in WORDS.read_text("utf-8").splitlines()]
    page = tmp_path / "page.md"
    page.write_text("".join(f"{word}\n" for word, _, _ in listed), "utf-8")
    told = spelled(REPOSITORY, page).stdout.splitlines()
    assert [line.rpartition(": ")[2].partition(" ==> ")[0] for line in told] == [
        word for word, _, _ in listed
    ]


# --- Faults that are planted


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("[a](metrix.md)", "leads to no file; write metrics.md"),
        ("[a](metrics.md#on-teh-metrics)", "leads to no heading or mark; write on-the-metrics"),
        ("[a](#s9)", "leads to no heading or mark; write s09"),
        ("[a](none.md)", "leads to no file; take it out, or write what there is"),
    ],
)
def test_a_link_that_leads_nowhere_is_told_with_its_line(
    link: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "metrics.md").write_text("# On the metrics\n", "utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        f'# A page\n\n<a id="s09"></a>\n`{link}` and [b](metrics.md), {link}.\n', "utf-8"
    )
    assert [*link_faults(page, tmp_path)] == [f"page.md:4: {link} {said}"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("tricklog audits x.jsonl", "there is no command audits; write audit"),
        ("tricklog load --quick", "load has no --quick; take it out, or write what there is"),
        ("tricklog db tidy --kept 3", "db tidy has no --kept; write --keep"),
        ("load --folow x", "load has no --folow; write --follow"),
        ("--zzz pidro", "tricklog has no --zzz; take it out, or write what there is"),
    ],
)
def test_a_command_that_the_program_lacks_is_told_with_its_line(
    code: str, said: str, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Say `tricklog\nload --follow LOG`, `--by` or\n`{code}`.\n", "utf-8")
    assert [*command_faults(page, tmp_path)] == [f"page.md:3: `{code}`: {said}"]


def test_a_page_that_the_menu_lacks_is_told_and_what_it_names_in_vain(tmp_path: Path) -> None:
    menu = tmp_path / "docs" / "site" / "navigation.toml"
    menu.parent.mkdir(parents=True)
    menu.write_text('[menu]\n"How to" = ["there",\n  "gone"]\n', "utf-8")
    pages = [tmp_path / "docs" / f"{name}.md" for name in ("there", "new")]
    for page in pages:
        page.write_text("# A page\n", "utf-8")
    assert [*menu_faults(menu, pages)] == [
        'docs/site/navigation.toml:1: write "new" under one of How to',
        "docs/site/navigation.toml:3: gone is no page: take it out",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Load it anew.", "anew ==> again"),
        ("They are Told apart.", "Told apart ==> Separated"),
        ("This is simply so.", "simply ==> leave it out"),
        ("It is recieved.", "recieved ==> received"),
    ],
)
@pytest.mark.parametrize("name", ["page.md", "help.txt", "messages.py"])
def test_a_word_that_is_not_to_be_written_is_told_with_what_to_write(
    words: str, said: str, name: str, tmp_path: Path
) -> None:
    page = tmp_path / name
    page.write_text(f'# A page\nname = "{words}"\n', "utf-8")
    done = spelled(REPOSITORY, page)
    assert (done.returncode, done.stdout) == (65, f"{page}:2: {said}\n")


def spelled(repository: Path, *pages: Path) -> subprocess.CompletedProcess[str]:
    """What ``./dev lint`` says of words: of all files, or of some."""
    return subprocess.run(
        [Path(sys.executable).with_name("codespell"), *pages],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )


def test_lint_looks_at_words(repository: Path) -> None:
    script = (repository / "dev").read_text("utf-8")
    assert re.search(
        r'^check_lint\(\) \{\n.*?"\$bin/codespell"\n', script, re.MULTILINE | re.DOTALL
    )
