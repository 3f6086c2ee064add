"""The page about the architecture shows the rooms as the imports have them."""

import pkgutil
import re
from pathlib import Path

import pytest

from tests.regenerate import architecture, tables
from tricklog import core, ingest


@pytest.fixture(scope="module")
def uses() -> set[tuple[architecture.Part, architecture.Part]]:
    return architecture.uses()


def test_the_picture_is_up_to_date() -> None:
    assert architecture.PICTURE.read_text("utf-8") == architecture.picture(), "./dev regenerate"
    assert len(architecture.PARTS) <= 10


def test_no_arrow_has_another_one_against_it(
    uses: set[tuple[architecture.Part, architecture.Part]],
) -> None:
    assert len(uses) > 20
    assert not {(there, here) for here, there in uses} & uses
    assert {part for pair in architecture.drawn(uses) for part in pair} == {*architecture.PARTS}


def test_every_place_that_the_page_names_is_there(repository: Path) -> None:
    page = (repository / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`((?:dashboard|ingest|replay|schemas)/[^`]*)`", page)
    gone = [each for each in named if not [*repository.glob(each.replace("NAME", "*"))]]
    assert len(named) > 30
    assert gone == []
    functions = re.findall(r"`([\w/]+\.py)`(?:,|:) ((?:`\w+`(?:, )?)+)", page)
    for file, names in functions:
        text = (repository / file).read_text("utf-8")
        assert all(f"def {name}(" in text for name in re.findall(r"`(\w+)`", names)), file
    assert len(functions) > 10


def test_no_room_hides_a_function_of_the_same_name() -> None:
    for package in (ingest, core):
        rooms = {found.name for found in pkgutil.iter_modules(package.__path__)}
        assert rooms
        assert not rooms & set(package.__all__)


def test_the_pictures_of_tables_show_their_keys_and_are_up_to_date() -> None:
    for name in tables.PICTURES:
        assert tables.file_of(name).read_text("utf-8") == tables.picture(name), "./dev regenerate"
    lines = tables.lines_of(tables.PICTURES["tables"])
    assert ("hands", "game", "games", "game") in lines
    assert ("calls", "hand_id", "hands", "hand_id") in lines
