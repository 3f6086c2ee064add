"""Names that logs write with escapes, and names that others have in their own.

JSON's own reader finds none of the escaped ones afterwards: each stored text is read by
``json.loads``, and the plain name is looked for in it, which shares nothing with what forgets and
searches. Players whose ids hold the id of somebody who is forgotten stay who they are.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.kit.forgotten_club import tables_in, write_evening
from tests.kit.log_lines import record
from tests.kit.name_search import searched
from tests.kit.stored import rows
from tests.kit.tiers import some
from tricklog import Player, ingest
from tricklog.ingest.forgetting import forget
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.recording import keeping
from tricklog.ingest.store import marks, scopes, userdata
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.verifying import verify

FOX = "\N{FOX FACE}"
NAMES = {
    "beyond-the-first-plane": f"{FOX}fox",
    "signs-alone": FOX * 2,
    "one-sign": FOX,
    "joined": "क्\u200dष",
    "accent": "Åsa",
    "plain": "annlee",
}


def escaped(text: str) -> str:
    """Every sign as an escape, as a writer may do it that trusts no sign at all."""
    units = text.encode("utf-16-be")
    return "".join(
        f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2)
    )


def seated(*ids: str) -> list[dict[str, str]]:
    return [{"id": each} for each in (*ids, "cy", "dee")]


def lines(who: str) -> list[str]:
    """A good hand, and lines in quarantine that name its player."""
    players = seated(who, "bo")
    good = json.dumps(record(players=players, ext={"who": {"said": json.dumps({"by": who})}}))

    def bad(number: int) -> str:
        hand = record(id=f"bad {number}", players=players, dealer=-1)
        return json.dumps(hand, ensure_ascii=False)

    return [
        *(good, bad(1)),
        bad(2).replace(f'"{who}"', f'"{escaped(who)}"'),
        bad(3).replace(f'"{who}"', f'"{escaped(who).upper().replace("U", "u")}"'),
        bad(4)[:-1] + f', "remark": "a \\"quote\\"\\n{escaped(who)}\\t{who}\\\\"}}',
        bad(5)[:-1] + f', "status": "\\u000a{escaped(who)}"}}',
        bad(6).replace("bad", who),
    ]


def texts_in(value: Any) -> list[str]:  # noqa: ANN401 - any value of a database
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        found = [value]
        with suppress(ValueError):
            read = json.loads(value)
            found += texts_in(read) if read != value else []
        return found
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in texts_in(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in texts_in(each)]
    return []


def named_in(db: Path, who: str) -> list[str]:
    stored = (each for path in db.rglob("*.duckdb") for each in tables_in(path))
    texts = ((table, text) for table, rows in stored for text in texts_in(rows))
    return [f"{table}: {text}" for table, text in texts if who in text or repr(who)[1:-1] in text]


def load(who: str, folder: Path) -> Path:
    log = folder / "log.jsonl"
    log.write_text("\n".join(lines(who)) + "\n")
    loaded = ingest.load(log, db=folder / "db")
    assert (loaded.accepted, loaded.quarantined) == (1, 6)
    return folder / "db"


def names(*first: str) -> list[Any]:
    """All names, of which the first tier takes the ``first``."""
    alike = pytest.mark.thorough("other names are escaped alike")
    return [
        pytest.param(who, id=name, marks=() if name in first else alike)
        for name, who in NAMES.items()
    ]


@pytest.mark.parametrize("who", names("one-sign", "beyond-the-first-plane"))
def test_no_name_is_left_that_the_reader_of_json_finds(who: str, tmp_path: Path) -> None:
    db = load(who, tmp_path)
    assert named_in(db, who)
    forget(who, db=db)
    assert named_in(db, who) == []
    assert searched(db, who).is_clean
    texts = [text for (text,) in rows(db, "SELECT text FROM rejects")]
    assert len(texts) == 6
    for text in texts:
        assert json.loads(text)["players"][0]["id"] == "forgotten-1"


def test_signs_tell_a_name_from_another_of_the_same_word(tmp_path: Path) -> None:
    who, alike = f"{FOX}fox", "fox"
    players = seated(who, alike)
    said = f"{who} and {alike}"
    bad = json.dumps(record(id="bad", players=players, dealer=-1, remark=said))
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(record(players=players, ext={"said": said})) + "\n" + bad + "\n")
    db = tmp_path / "db"
    ingest.load(log, db=db)
    forget(who, db=db)
    assert named_in(db, FOX) == []
    kept = named_in(db, f"and {alike}")
    assert len(kept) >= 2
    assert all(f"forgotten-1 and {alike}" in each for each in kept)


@pytest.mark.parametrize("who", names("signs-alone"))
def test_the_search_finds_a_rest(who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = load(who, tmp_path)
    monkeypatch.setattr(Forgotten, "in_bytes", lambda _, text: text)
    forget(who, db=db)
    assert searched(db, who).hits >= 6


def within(value: object, depth: int) -> str:
    """JSON in a text of JSON, so many times, with every sign beyond ASCII as an escape."""
    text = json.dumps(value)
    return text if depth == 0 else within(text, depth - 1)


@pytest.mark.parametrize("who", names("accent", "one-sign"))
def test_json_within_json_is_read_however_deep_it_lies(who: str, tmp_path: Path) -> None:
    players = seated(who, "bo")
    said = {"by": who, "words": f"so\n{who}\t{who}"}
    good = record(players=players, ext={"who": {"said": within(said, 3), within(said, 1): 1}})
    told = [{"event": "deal", "data": within({"hand": [said, who]}, depth)} for depth in range(6)]
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(map(json.dumps, [good, *told])) + "\n")
    db = tmp_path / "db"
    assert ingest.load(log, db=db).quarantined == len(told)
    assert len(named_in(db, who)) >= 2 * len(told)
    forget(who, db=db)
    assert named_in(db, who) == []
    assert searched(db, who).is_clean


WHO = "anna"
NAME = "Anna Berg"
ALIKE = (
    *("anna-lisa", "lisa-anna", "anna_2", "anna2", "annalisa", "sample:anna", "anna.b", "x@anna"),
    *("anna\N{EN DASH}lisa", "anna\N{FOX FACE}x", "Åsa-anna", "anna berg-li", "anna 田中"),
)


def hands_of_both(other: str) -> list[dict[str, Any]]:
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


def load_both(other: str, folder: Path) -> Path:
    log = folder / "log.jsonl"
    log.write_text("".join(f"{json.dumps(each)}\n" for each in hands_of_both(other)))
    db = folder / "db"
    loaded = ingest.load(log, db=db)
    assert (loaded.accepted, loaded.quarantined) == (3, 2)
    marks.add_note(db, "player", other, f"{other} overbids")
    userdata.save_view(db, "both", "players", {"player": [other], "from": [f"bids?player={other}"]})
    userdata.choose_scope(db, scopes.Scope(people=(WHO, other)))
    write_evening(db, Player(other), Player(f"{other} the guest"))
    return db


@pytest.mark.parametrize("other", some(ALIKE, 3))
def test_whose_id_holds_that_of_somebody_forgotten_stays(other: str, tmp_path: Path) -> None:
    db = load_both(other, tmp_path)
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
    db = load_both("anna-lisa", tmp_path)
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
    db = load_both("anna-lisa", tmp_path)
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
