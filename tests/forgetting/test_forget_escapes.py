"""Names that logs write with escapes: JSON's own reader finds none of them afterwards.

Nothing here is shared with what forgets and searches: each stored text is read by ``json.loads``,
and the plain name is looked for in it.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.kit.log_lines import record
from tests.kit.name_search import searched
from tricklog import ingest
from tricklog.ingest.forgetting import forget
from tricklog.ingest.reading.forgotten import Forgotten

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


def lines(who: str) -> list[str]:
    """A good hand, and lines in quarantine that name its player."""
    players = [{"id": who}, {"id": "bo"}, {"id": "cy"}, {"id": "dee"}]
    good = json.dumps(record(players=players, ext={"who": {"said": json.dumps({"by": who})}}))

    def bad(number: int) -> str:
        hand = record(id=f"bad {number}", players=players, dealer=-1)
        return json.dumps(hand, ensure_ascii=False)

    return [
        good,
        bad(1),
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
    found = []
    for path in db.rglob("*.duckdb"):
        with duckdb.connect(str(path), read_only=True) as connection:
            for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                for row in connection.execute(f'FROM "{table}"').fetchall():
                    found += [
                        f"{table}: {text}"
                        for text in texts_in(row)
                        if who in text or repr(who)[1:-1] in text
                    ]
    return found


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
    (games,) = db.rglob("games-*.duckdb")
    with duckdb.connect(str(games), read_only=True) as tables:
        texts = [text for (text,) in tables.execute("SELECT text FROM rejects").fetchall()]
    assert len(texts) == 6
    for text in texts:
        assert json.loads(text)["players"][0]["id"] == "forgotten-1"


def test_signs_tell_a_name_from_another_of_the_same_word(tmp_path: Path) -> None:
    who, alike = f"{FOX}fox", "fox"
    players = [{"id": who}, {"id": alike}, {"id": "cy"}, {"id": "dee"}]
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
def test_the_search_finds_what_was_left(
    who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    players = [{"id": who}, {"id": "bo"}, {"id": "cy"}, {"id": "dee"}]
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
