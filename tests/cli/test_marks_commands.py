"""``tricklog mark tag`` and ``tricklog mark note``, as somebody types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.kit.dashboard_logs import NASTY
from tests.kit.in_process import Ran, run_here
from tests.kit.log_lines import generated, write_hands
from tricklog import ingest


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("marks")
    log = write_hands(folder / "log.jsonl", generated("pedro", games=2))
    ingest.load(log, db=folder / "db")
    return folder


@pytest.fixture
def db(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path, dirs_exist_ok=True) / "db"


def run(db: Path, *arguments: str, status: int = 0) -> Ran:
    ran = run_here([*arguments, "--db", str(db)], db.parent)
    assert ran.status == status, ran.err
    return ran


def ids() -> list[str]:
    return [hand.id for hand in generated("pedro", games=2)]


def test_hands_are_tagged_listed_counted_and_freed(db: Path) -> None:
    first, second, third = ids()[:3]
    assert run(db, "mark", "tag", "add", "lesson", first, second).out == "2 hands tagged lesson.\n"
    assert (
        "1 hand tagged Lesson; 1 were" in run(db, "mark", "tag", "add", "Lesson", second, third).out
    )
    assert run(db, "mark", "tag", "list").out == "lesson  3 hands\n"
    assert run(db, "mark", "tag", "list", "LESSON").out.split() == sorted([first, second, third])
    figures = json.loads(run(db, "stats", "hands", "--by", "tag", "--format", "json").out)
    assert [(row["tag"], row["n"]) for row in figures["figures"][0]["rows"]] == [("lesson", 3)]
    run(db, "mark", "tag", "remove", "lesson", "--where", "tag=lesson")
    assert run(db, "mark", "tag", "list", "--json").out == "{}\n"


def test_what_conditions_choose_is_tagged_whatever_the_verdict(db: Path) -> None:
    run(db, "mark", "tag", "add", "all", "--where", "variant=pedro")
    assert json.loads(run(db, "mark", "tag", "list", "all", "--json").out) == sorted(ids())


def test_notes_are_written_changed_listed_and_removed(db: Path) -> None:
    hand = ids()[0]
    run(db, "mark", "note", "add", hand, NASTY)
    player = generated("pedro", games=1)[0].players[0].id
    run(db, "mark", "note", "add", "--player", player, "passes\ntoo much")
    told = run(db, "mark", "note", "list", "--json").out
    first, second = json.loads(told)
    assert (first["hand_id"], first["text"]) == (hand, NASTY.replace("\u202e", ""))
    assert (second["subject"], second["text"]) == (player, "passes\ntoo much")
    run(db, "mark", "note", "change", str(first["note"]), "other")
    assert "other" in run(db, "mark", "note", "list", hand).out
    assert "other" not in run(db, "mark", "note", "list", "--player", player).out
    run(db, "mark", "note", "remove", str(first["note"]), str(second["note"]))
    assert json.loads(run(db, "mark", "note", "list", "--json").out) == []


def test_tags_and_notes_go_to_another_warehouse(db: Path, tmp_path: Path) -> None:
    hand = ids()[0]
    run(db, "mark", "tag", "add", "lesson", hand)
    run(db, "mark", "note", "add", hand, "what it taught")
    other = tmp_path / "other"
    ingest.load(tmp_path / "log.jsonl", db=other)
    for command in ("tag", "note"):
        file = tmp_path / f"{command}.json"
        file.write_text(run(db, "mark", command, "export").out, "utf-8")
        run(other, "mark", command, "import", str(file))
    assert run(other, "mark", "tag", "list", "lesson").out.split() == [hand]
    assert "what it taught" in run(other, "mark", "note", "list").out
    assert (
        "0 tags and 0 notes" in run(other, "mark", "tag", "import", str(tmp_path / "tag.json")).out
    )


def test_what_cannot_be_done_is_said(db: Path) -> None:
    for arguments, status, said in (
        (("tag", "add", "lesson"), 2, "tag add needs a tag and hands"),
        (("tag", "add", "lesson", "nobody"), 2, "there is no hand 'nobody'"),
        (("tag", "add", "lesson", "nobody"), 2, "list hands --db"),
        (("tag", "add", "x" * 41, "--where", "variant=pedro"), 2, "at most 40 characters"),
        (("tag", "add", "a", "--where", "bidd=3"), 2, "bid"),
        (("tag", "import", f"{db}/CURRENT"), 3, "is no file of tags and notes"),
        (("note", "add", "one word"), 2, "note add needs a hand and a note"),
        (("note", "add", "--player", "nobody", "text"), 2, "no player"),
        (("note", "change", "7", "text"), 2, "there is no note 7"),
        (("note", "remove"), 2, "needs numbers"),
    ):
        assert said in run(db, "mark", *arguments, status=status).err


def test_a_damaged_file_is_said_so_and_figures_by_tag_are_not_given_without_it(db: Path) -> None:
    run(db, "mark", "tag", "add", "lesson", ids()[0])
    for name in ("user.sqlite", "user-copy.sqlite"):
        (db / name).write_bytes(b"junk" * 99)
    assert "user" in run(db, "mark", "tag", "list", status=3).err
    assert "cannot be used" in run(db, "stats", "hands", "--by", "tag", status=3).err
