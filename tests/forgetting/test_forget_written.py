"""What users wrote, and what was found out about hands, when somebody is forgotten."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.kit.forgotten_club import (
    NAME,
    NICK,
    OTHER,
    WHO,
    first_hand,
    left_in,
    load_club,
    records,
    write_evening,
)
from tests.kit.log_lines import write_lines
from tests.kit.name_search import searched
from tests.kit.solved import solve_all
from tests.kit.stored import rows
from tests.kit.tiers import scaled
from tricklog import Player, ingest, open_facts
from tricklog.ingest.facts import kept
from tricklog.ingest.forgetting import forget
from tricklog.ingest.recording import keeping
from tricklog.ingest.store import marks, scopes, userdata
from tricklog.ingest.store.aliases import add_alias, aliases
from tricklog.ingest.store.userdata import Answer
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.study.homes import troubles

NEW = "forgotten-1"


def write_everything(db: Path, content: str) -> None:
    """Name the player in everything that users can write."""
    marks.add_note(db, "hand", content, f"{NAME} and {NICK} are one")
    marks.add_note(db, "player", WHO, "Passes with the ace of trumps.")
    marks.add_tag(db, [content], f"of {NICK}")
    userdata.save_view(db, f"{NAME} overbids", "players", {
        "player": [WHO], "from": [f"bids?player={WHO}&variant=pedro"], "variant": ["pedro"],
    })  # fmt: skip
    userdata.choose_scope(db, scopes.Scope(people=(WHO, OTHER)))
    userdata.keep_answer(db, Answer(content, 3, NICK, "pass", "points", 0, 0, hinted=False))
    userdata.keep_mapping(db, f"Date;{NAME};Bo", "settings")
    userdata.keep_mapping(db, "Date;Bo", "settings")
    write_evening(db, Player(WHO, name=NAME), Player("bo"))


def test_all_that_users_wrote_names_nobody_and_stays_with_its_hand(tmp_path: Path) -> None:
    db = load_club(tmp_path, count=12)
    hand, content = first_hand(db, WHO)
    write_everything(db, content)
    done = forget(WHO, db=db, also=[NICK])
    assert searched(db, WHO, NAME, NICK).is_clean
    assert left_in(db, WHO, NAME, NICK) == []
    _, now = first_hand(db, NEW)
    assert now != content
    found = marks.marks(db)
    assert [(note.about, note.subject, note.text) for note in found.notes] == [
        ("hand", now, f"{NEW} and {NEW} are one")
    ]
    assert found.tags == ((now, f"of {NEW}"),)
    (view,) = userdata.views(db)
    assert (view.name, view.query) == (
        f"{NEW} overbids",
        {"player": [NEW], "from": [f"bids?player={NEW}&variant=pedro"], "variant": ["pedro"]},
    )
    chosen = userdata.scopes(db).chosen
    assert chosen
    assert sorted(chosen.people) == sorted((NEW, OTHER))
    (answer,) = userdata.answers(db)
    assert (answer.content_hash, answer.who) == (now, NEW)
    assert userdata.kept_mapping(db, f"Date;{NAME};Bo") is None
    assert userdata.kept_mapping(db, "Date;Bo")
    kept_evening = keeping.read_file(keeping.evening_file(db, "abc"))
    assert kept_evening
    assert kept_evening.evening.draft.players[0] == Player(NEW)
    assert userdata.damage(db) == ""
    assert done.written.removed_notes == 1
    with sqlite3.connect(db / userdata.FILE_NAME) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
    assert hand


def test_ids_that_are_merged_are_forgotten_together_and_stay_merged(tmp_path: Path) -> None:
    db = load_club(tmp_path, count=scaled(12, most=30))
    with open_snapshot(db) as tables:
        seated = {player for (player,) in tables.execute("SELECT player FROM players").fetchall()}
        merged = None
        for other in sorted(seated - {WHO}):
            try:
                add_alias(db, tables, other, WHO)
            except userdata.UserDataError:
                continue
            merged = other
            break
    if merged is None:
        pytest.skip("everybody has sat with everybody")
    done = forget(merged, db=db)
    assert set(done.ids) == {merged, WHO}
    assert aliases(db) == ((done.ids[merged], done.ids[WHO]),)
    assert left_in(db, WHO, NAME) == []


def test_hands_stay_solved_and_every_row_of_it_is_as_before(tmp_path: Path) -> None:
    db = load_club(tmp_path, count=9)
    solve_all(db)
    blocks = {path.name for path in kept.blocks_in(db)}
    before = solved_rows(db)
    done = forget(WHO, db=db)
    assert searched(db, WHO, NAME).is_clean
    assert done.blocks == len(blocks) > 0
    assert not blocks & {path.name for path in kept.blocks_in(db)}
    assert list(troubles(db)) == []
    # Hands keep their numbers, so that figures of them, which are counted from these rows, do too.
    assert solved_rows(db) == before
    assert all(before)


def solved_rows(db: Path) -> list[list[tuple[Any, ...]]]:
    with open_facts(db) as facts:
        return [
            facts.execute(f"FROM {table} ORDER BY ALL").fetchall() for table in kept.OPEN.tables
        ]


def test_a_player_called_as_a_game_is_forgotten_and_the_game_is_not(tmp_path: Path) -> None:
    hands = records(count=8)
    for hand in hands:
        hand["players"] = [
            {"id": "pedro", "name": "King"} if player["id"] == WHO else player
            for player in hand["players"]
        ]
        assert hand["rules"]["variant"] == "king-pedro"
    hands[0]["id"] = "king-night-1"
    rival = {**hands[0], "remark": "another hand"}
    lines = [msgspec.json.encode(each) for each in (*hands, rival)]
    lines += [b'{"format":"tricklog/9","rules":{"variant":"king-pedro"},"players":["pedro"]}']
    log, db = write_lines(tmp_path / "king.jsonl", lines), tmp_path / "db"
    ingest.load(log, db=db)
    forget("pedro", db=db)
    assert searched(db, "pedro", "King").is_clean
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "forgotten.json").write_bytes((db / "forgotten.json").read_bytes())
    ingest.load(log, db=fresh)
    for folder in (db, fresh):
        said = rows(folder, "SELECT message, decode(text) FROM rejects")
        assert rows(folder, "SELECT DISTINCT title, family FROM rulesets") == [
            ("King Pedro", "pedro")
        ]
        assert len(said) == 2
        rest = [text.replace('"variant":"king-pedro"', "") for _, text in said]
        assert all(text != told for text, (_, told) in zip(rest, said, strict=True))
        assert not any("king" in told.lower() for told in [*rest, *(each for each, _ in said)])
    assert ingest.load(log, db=db).accepted == 0
