"""What tests in a real browser share: the browser, its windows, a server, room for pictures."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page

from tests.kit.browsing import chromium, serving, shared, window
from tests.kit.made_once import made_once
from tests.kit.simulated_club import write_season
from tricklog import Player, RulesRef, ingest
from tricklog.core.recording.evening import begin
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.recording import keeping


def begun_evening(
    db: Path, rules: RulesRef, players: Sequence[Player], *choices: str, dealer: int = 3
) -> str:
    """Begin an evening at which every card is recorded, with these actions; return its name."""
    name = keeping.new_id()
    begun = begin(name, rules, [*players], dealer=dealer, quick=False)
    draft = begun.draft
    for choice in choices:
        draft = draft.taking(choice)
    kept = keeping.Kept(revision=0, evening=replace(begun, draft=draft), log="evenings")
    keeping.write_file(keeping.evening_file(db, name), kept, builds_on=0)
    return name


@pytest.fixture(scope="module")
def artefacts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what the tests of a module make."""
    return tmp_path_factory.mktemp(request.module.__name__.rpartition(".")[2])


@pytest.fixture(scope="package")
def server(small_server: str) -> str:
    """The address of a dashboard over the small warehouse, into which nobody loads."""
    return small_server


@pytest.fixture(scope="package")
def evenings_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of forty evenings of eight people."""

    def make(folder: Path) -> None:
        write_season(folder / "log.jsonl", seed=3)
        ingest.load(folder / "log.jsonl", db=folder / "db")
        open_facts(folder / "db").close()

    made = made_once(tmp_path_factory, "forty-evenings", make) / "db"
    return shutil.copytree(made, tmp_path_factory.mktemp("club") / "db")


@pytest.fixture(scope="package")
def evenings_server(evenings_db: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over them."""
    with serving(evenings_db, evenings_db.parent, repository) as address:
        yield address


@pytest.fixture(scope="package")
def beginning_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that becomes a warehouse as tests load into it."""
    folder = tmp_path_factory.mktemp("beginning") / "db"
    folder.mkdir()
    return folder


@pytest.fixture(scope="package")
def beginning(beginning_db: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over that folder."""
    with serving(beginning_db, beginning_db.parent, repository) as address:
        yield address


@pytest.fixture(scope="package")
def browser(chromium_path: Path) -> Iterator[Browser]:
    """The browser of all these tests; it ends with them, for others its driver is in the way."""
    with chromium(chromium_path) as started:
        yield started


@pytest.fixture(scope="package")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What most pages share."""
    with shared(browser) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail."""
    made = context.new_page()
    failures: list[str] = []
    made.on("pageerror", lambda error: failures.append(str(error)))
    yield made
    made.close()
    assert not failures


@pytest.fixture
def lone_page(browser: Browser) -> Iterator[Page]:
    """A page that shares nothing with other pages."""
    with window(browser) as made:
        yield made
