"""The page about the architecture shows the rooms as the imports have them."""

import pkgutil

from tests.regenerate import architecture, names, tables
from tricklog import core, ingest


def test_the_picture_is_up_to_date() -> None:
    assert architecture.PAGE.read_text("utf-8") == architecture.page(), "./dev regenerate"


def test_no_arrow_has_another_one_against_it() -> None:
    arrows = architecture.arrows()
    assert len(arrows) > 20
    assert not {(there, here) for here, there in arrows} & arrows


def test_no_room_hides_a_function_of_the_same_name() -> None:
    for package in (ingest, core):
        rooms = {found.name for found in pkgutil.iter_modules(package.__path__)}
        assert rooms
        assert not rooms & set(package.__all__)


def test_the_table_of_public_names_is_up_to_date() -> None:
    assert names.PAGE.read_text("utf-8") == names.page(), "./dev regenerate names"
    rows = [line for line in names.table().splitlines() if line.startswith("| `")]
    assert all(row.rstrip(" |").endswith((".", ")")) or "." in row for row in rows)
    assert not any(row.endswith("|  |") for row in rows)


def test_the_pictures_of_tables_show_their_keys_and_are_up_to_date() -> None:
    for name in tables.PICTURES:
        assert tables.file_of(name).read_text("utf-8") == tables.picture(name), "./dev regenerate"
    lines = tables.lines_of(tables.PICTURES["tables"])
    assert ("hands", "game", "games", "game") in lines
    assert ("calls", "hand_id", "hands", "hand_id") in lines
