"""Players whose ids hold the id of somebody who is forgotten: they stay who they are."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.log_lines import record
from tests.kit.name_search import searched
from tests.kit.stored import rows
from tests.kit.tiers import some
from tricklog import Player, RulesRef, ingest
from tricklog.core.recording.evening import begin
from tricklog.ingest.forgetting import forget
from tricklog.ingest.recording import keeping
from tricklog.ingest.store import marks, scopes, userdata
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.verifying import verify

WHO = "anna"
NAME = "Anna Berg"
ALIKE = (
    *("anna-lisa", "lisa-anna", "anna_2", "anna2", "annalisa", "sample:anna", "anna.b", "x@anna"),
    *("anna\N{EN DASH}lisa", "anna\N{FOX FACE}x", "Åsa-anna", "anna berg-li", "anna 田中"),
)


def lines(other: str) -> list[dict[str, Any]]:
    """Hands of both, with a finding, remarks, and lines that go into quarantine."""
    players = [{"id": WHO, "name": NAME}, {"id": other}, {"id": "cy"}, {"id": "dee"}]
    beside = [{"id": "x", "name": f"{other} II"}, {"id": other}, {"id": "cy"}, {"id": "dee"}]
    return [
        record(
            players=players, notes={"4": f"{other} sighed, {WHO} laughed"}, ext={"late": [other]}
        ),
        record(id="two", players=beside, notes={"4": f"{other} sighed"}),
        record(id=f"of {other}", players=players, actions=["1 pass", "0 bid 7"], notes=...),
        record(id=f"for {other}", players=players, dealer=-1),
        record(id="two", players=players),
    ]


def load(other: str, folder: Path) -> Path:
    log = folder / "log.jsonl"
    log.write_text("".join(f"{json.dumps(each)}\n" for each in lines(other)))
    db = folder / "db"
    loaded = ingest.load(log, db=db)
    assert (loaded.accepted, loaded.quarantined) == (3, 2)
    marks.add_note(db, "player", other, f"{other} overbids")
    userdata.save_view(db, "both", "players", {"player": [other], "from": [f"bids?player={other}"]})
    userdata.choose_scope(db, scopes.Scope(people=(WHO, other)))
    guest = f"{other} the guest"
    evening = begin(
        "evening-1", RulesRef("pedro"),
        [Player(other), Player(guest), Player("cy"), Player("dee")], dealer=0,
    )  # fmt: skip
    path = keeping.evening_file(db, "abc")
    keeping.write_file(path, keeping.Kept(revision=0, evening=evening, log="tuesday"), builds_on=0)
    return db


@pytest.mark.parametrize("other", some(ALIKE, 3))
def test_whose_id_holds_that_of_somebody_forgotten_is_not_what_is_left_of_them(
    other: str, tmp_path: Path
) -> None:
    db = load(other, tmp_path)
    forget(WHO, db=db)
    found = searched(db, WHO)
    assert found.is_clean, found.places
    names = dict(rows(db, "SELECT player, name FROM players"))
    hands = dict(rows(db, "SELECT hand_id, tail FROM hands"))
    rejects = [json.loads(bytes(text)) for (text,) in rows(db, "SELECT text FROM rejects")]
    assert names.keys() == {"forgotten-1", other, "cy", "dee", "x"}
    assert names["x"] == f"{other} II"
    assert f"of {other}" in hands
    assert {each["players"][1]["id"] for each in rejects} == {other}
    assert f"for {other}" in {each["id"] for each in rejects}
    assert sum(other in tail for tail in hands.values()) == 2
    assert any("forgotten-1 laughed" in tail for tail in hands.values())
    (note,) = marks.marks(db).notes
    assert (note.subject, note.text) == (other, f"{other} overbids")
    (view,) = userdata.views(db)
    assert view.query == {"player": [other], "from": [f"bids?player={other}"]}
    kept = keeping.read_file(keeping.evening_file(db, "abc"))
    assert kept
    assert [each.id for each in kept.evening.draft.players][:2] == [other, f"{other} the guest"]
    assert verify(db).problems == ()
    assert ingest.load(tmp_path / "log.jsonl", db=db).accepted == 0
    forget("cy", db=db)
    assert searched(db, WHO, "cy").is_clean


def test_the_search_stays_strict_where_the_name_stands_as_a_word(tmp_path: Path) -> None:
    db = load("anna-lisa", tmp_path)
    texts = ("Anna, Lisa came", "anna lisa", "anna_lisa", "lisa-anna", "anna-lis", "anna berg-lisa")
    for number, text in enumerate(texts):
        (db / f"about-{number}.txt").write_text(f"{text}\nanna-lisa came\n")
    forget(WHO, db=db)
    found = searched(db, WHO)
    assert [(each.file, each.where) for each in found.places] == [
        (f"about-{number}.txt", "line 1") for number in range(len(texts))
    ]
    assert not found.is_clean


def test_whoever_has_the_longer_id_can_be_forgotten_as_well(tmp_path: Path) -> None:
    db = load("anna-lisa", tmp_path)
    forget(WHO, db=db)
    assert searched(db, WHO).is_clean
    forget("anna-lisa", db=db)
    found = searched(db, WHO, "anna-lisa")
    assert found.is_clean, found.places
    with open_snapshot(db) as tables:
        stored = tables.execute("SELECT tail FROM hands UNION ALL SELECT decode(text) FROM rejects")
        assert not any("anna" in text.lower() for (text,) in stored.fetchall())
    (view,) = userdata.views(db)
    assert view.query == {"player": ["forgotten-2"], "from": ["bids?player=forgotten-2"]}
