"""Notes and tags: kept in the user's own file, by the content of a hand, outside the records."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.kit.dashboard_logs import NASTY
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tests.kit.tiers import scaled, some
from tricklog import Filters, ingest
from tricklog.ingest.facts.files import open_facts, open_scope_of
from tricklog.ingest.metrics import METRIC, dimensions_of, listings, measure
from tricklog.ingest.metrics.listings import hashes_behind
from tricklog.ingest.store import marks, userdata
from tricklog.ingest.store.lenses import NOTHING, Lens, lens_of, own_lens
from tricklog.ingest.store.marks import (
    LONGEST_NOTE,
    add_note,
    add_tag,
    as_document,
    change_note,
    remove_note,
    remove_tag,
    take_in,
)
from tricklog.ingest.store.queries import hashes_of, ids_of
from tricklog.ingest.store.scopes import EVERYBODY, Scope
from tricklog.ingest.store.userdata import UserDataError
from tricklog.ingest.store.warehouse import WarehouseError, current_snapshot, open_snapshot
from tricklog.ingest.warehouses import open_facts as open_seen
from tricklog.schemas.hand import content_hash

ONE = "1" * 32
TWO = "2" * 32


def texts(db: Path) -> list[str]:
    return [each.text for each in marks.marks(db).notes]


def test_notes_are_written_changed_and_removed(tmp_path: Path) -> None:
    assert marks.marks(tmp_path) == marks.Marks()
    add_note(tmp_path, "hand", ONE, "first\r\n\r\n  second  ")
    add_note(tmp_path, "player", "ann", "first")
    first, second = marks.marks(tmp_path).notes
    assert (first.text, second.about, second.subject) == ("first\n\n  second", "player", "ann")
    change_note(tmp_path, first.note_id, first.text, "other")
    assert texts(tmp_path) == ["other", "first"]
    assert remove_note(tmp_path, first.note_id)
    assert not remove_note(tmp_path, first.note_id)
    assert marks.marks(tmp_path).notes_of("player", "ann") == [second]


def test_nobody_writes_over_what_somebody_else_has_changed(tmp_path: Path) -> None:
    add_note(tmp_path, "hand", ONE, "as it was")
    (note,) = marks.marks(tmp_path).notes
    change_note(tmp_path, note.note_id, note.text, "by the first")
    with pytest.raises(UserDataError, match="in the meantime"):
        change_note(tmp_path, note.note_id, note.text, "by the second")
    assert texts(tmp_path) == ["by the first"]


def test_two_people_who_write_at_once_lose_nothing(tmp_path: Path) -> None:
    ready = threading.Barrier(4)

    def write(who: int) -> None:
        ready.wait()
        for number in range(5):
            add_note(tmp_path, "hand", ONE, f"{who} {number}")
            add_tag(tmp_path, [f"{who}{number}".ljust(32, "0")], "same")

    people = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for each in people:
        each.start()
    for each in people:
        each.join()
    found = marks.marks(tmp_path)
    assert (len(found.notes), found.by_tag()) == (20, {"same": 20})


def test_a_note_or_a_tag_that_is_empty_or_too_long_is_refused(tmp_path: Path) -> None:
    for text in ("", " \n\t ", "\u202e", "x" * (LONGEST_NOTE + 1), "x" * 1_000_000):
        with pytest.raises(UserDataError, match="note"):
            add_note(tmp_path, "hand", ONE, text)
    for tag in ("", " \n ", "\u202e", "x" * 41):
        with pytest.raises(UserDataError, match="tag"):
            add_tag(tmp_path, [ONE], tag)
    assert not userdata.user_file(tmp_path).exists()


def test_a_tag_in_other_capital_letters_is_the_same_tag(tmp_path: Path) -> None:
    assert add_tag(tmp_path, [ONE], " Lesson \n") == 1
    assert add_tag(tmp_path, [ONE, TWO], "LESSON") == 1
    assert marks.marks(tmp_path).tags == ((ONE, "Lesson"), (TWO, "Lesson"))
    assert remove_tag(tmp_path, [ONE, "3" * 32], "lesson") == 1
    assert marks.marks(tmp_path).tags_of(TWO) == ["Lesson"]


def test_hostile_text_is_kept_as_it_is_but_for_signs_that_turn_text(tmp_path: Path) -> None:
    add_note(tmp_path, "player", NASTY, f"{NASTY}\n\x1b[2J")
    (note,) = marks.marks(tmp_path).notes
    assert (note.subject, note.text) == (NASTY, f"{NASTY.replace(chr(0x202E), '')}\n[2J")


def test_a_change_of_a_tag_is_noticed_and_the_copy_read_instead(tmp_path: Path) -> None:
    add_tag(tmp_path, [ONE], "lesson")
    path = userdata.user_file(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"lesson", b"lessen"))
    assert marks.marks(tmp_path).by_tag() == {"lesson": 1}
    assert "its copy" in userdata.mend(tmp_path)
    for each in (path, userdata.copy_of(path)):
        each.write_bytes(b"junk" * 99)
    with pytest.raises(UserDataError, match=r"user\.sqlite|user-copy"):
        lens_of(tmp_path)
    with pytest.raises(WarehouseError, match="by tag"):
        own_lens(tmp_path)


def test_a_file_of_the_version_without_marks_is_read_and_takes_some(tmp_path: Path) -> None:
    path = userdata.user_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        for name in ("views", "scopes", "practice"):
            connection.execute(userdata._TABLES[name].make)
        connection.execute(userdata._DIGEST)
        connection.execute("INSERT INTO views (name, page, query) VALUES ('old', 'bids', '{}')")
        digest = userdata._digest_of(connection, 4)
        connection.execute("INSERT INTO content VALUES (1, ?)", (digest,))
        connection.execute("PRAGMA user_version = 4")
        connection.commit()
    assert marks.marks(tmp_path) == marks.Marks()
    assert lens_of(tmp_path) == NOTHING
    add_tag(tmp_path, [ONE], "new")
    assert [each.name for each in userdata.views(tmp_path)] == ["old"]
    assert lens_of(tmp_path) == Lens(tags=((ONE, "new"),))


LINES = st.text(min_size=1, max_size=20)


@settings(max_examples=scaled(20))
@given(
    st.dictionaries(st.text("0123456789abcdef", min_size=32, max_size=32), st.lists(LINES)),
    st.lists(st.tuples(st.sampled_from(["hand", "player"]), LINES, LINES, st.just("2026"))),
)
def test_a_document_brings_everything_to_another_warehouse_once(
    tmp_path_factory: pytest.TempPathFactory, tags: dict[str, list[str]], notes: list[Any]
) -> None:
    first, second = (tmp_path_factory.mktemp("marks") for _ in range(2))
    try:
        take_in(first, tags, notes)
    except UserDataError:
        assert marks.marks(first) == marks.Marks()
        return
    document = as_document(marks.marks(first))
    again: list[Any] = [tuple(each.values()) for each in document["notes"]]
    take_in(second, document["tags"], again)
    assert as_document(marks.marks(second)) == document
    assert take_in(second, document["tags"], again) == (0, 0)


# --- Beside the records
@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of four games, of which some hands are tagged, one of them that is not there."""

    def make(folder: Path) -> None:
        hands = [hand for game in ("pedro", "twenty-nine") for hand in generated(game, games=2)]
        ingest.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
        add_tag(folder / "db", [content_hash(hand) for hand in hands[::2]], "even")
        add_tag(folder / "db", [*(content_hash(hand) for hand in hands[::3]), ONE], "third")
        add_tag(folder / "db", ["no hash of any hand"], "lost")
        write_hands(folder / "even.jsonl", hands[::2])
        write_hands(folder / "third.jsonl", hands[::3])

    return made_once(tmp_path_factory, "stored", make)


@pytest.mark.parametrize(
    "tag",
    [pytest.param("even", marks=pytest.mark.thorough("the other tag is asked alike")), "third"],
)
def test_figures_of_a_tag_are_those_of_its_hands(stored: Path, tmp_path: Path, tag: str) -> None:
    ingest.load(stored / f"{tag}.jsonl", db=tmp_path)
    snapshot = current_snapshot(stored / "db")
    assert snapshot
    lens = lens_of(stored / "db")
    tagged = Filters.of({"tag": tag})
    with (
        open_facts(tmp_path) as alone,
        open_seen(stored / "db") as whole,
        open_scope_of(snapshot, Scope(variants=("pedro", "twenty-nine")), lens=lens) as scoped,
    ):
        # Whose hands count is decided below figures.
        for metric in some(list(METRIC.values()), 9):
            if "tag" not in {each.name for each in dimensions_of(metric)} or metric.source:
                continue
            if metric.name in _NEED_OTHERS or metric.grain in _SOLVED:
                continue
            expected = measure(alone, metric.name, ("variant", "player"))
            for facts in (whole, scoped):
                found = measure(facts, metric.name, ("variant", "player"), tagged)
                assert_frame_equal(found, expected, check_row_order=False)
                grouped = measure(facts, metric.name, ("tag", "variant", "player"))
                of_tag = grouped.filter(grouped["tag"] == tag).drop("tag")
                assert_frame_equal(of_tag, expected, check_row_order=False)


_NEED_OTHERS = ("findings",)
_SOLVED = ("study_facts", "decision_facts", "judged_facts", "luck_facts", "par_facts")


def test_hands_are_found_by_tag_and_have_a_column_of_them(stored: Path) -> None:
    with open_seen(stored / "db") as facts:
        both = Filters.of({"tag": ("third",)})
        rows = listings.hand_list(facts, both, limit=1_000)
        assert {tag for each in rows["tags"].to_list() for tag in each} == {"even", "third"}
        hashes = hashes_behind(facts, both)
        assert len(hashes) == len(rows)
    with open_snapshot(stored / "db") as tables:
        ids = ids_of(tables, [*hashes, ONE, "junk"])
        assert sorted(ids.values()) == sorted(rows["hand_id"].to_list())
        assert hashes_of(tables, [*ids.values(), "nobody"]) == {ids[each]: each for each in ids}


def test_without_a_tag_facts_are_opened_as_ever(small_warehouse: Path) -> None:
    snapshot = current_snapshot(small_warehouse)
    assert snapshot
    assert lens_of(small_warehouse) == NOTHING
    with open_seen(small_warehouse) as facts, open_scope_of(snapshot, EVERYBODY) as scoped:
        for each in (facts, scoped):
            assert measure(each, "hands", ("tag",)).is_empty()
