"""Long texts: stored in pieces, read whole, missed when they are lost."""

from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest.loading import bulk
from ingest.store import database, long_texts, publishing, quarantine, warehouse
from ingest.store.warehouse import current_snapshot, open_snapshot
from ingest.upkeep.reauditing import reaudit
from ingest.upkeep.rebuilding import rebuild
from ingest.upkeep.verifying import verify
from replay.compiled import kernel
from schemas.hand import Hand, RulesRef, encode_hand
from tests.kit.built import build_elsewhere
from tests.kit.filling_logs import with_far_too_many_actions
from tests.kit.log_lines import generated, moved_on, write_lines

LIMIT = long_texts.LONG
PEDRO = generated("pedro", 1)


def of_length(size: int, mark: str) -> str:
    return (mark * size)[:size]


@cache
def hands() -> list[Hand]:
    """A game with extras, notes, rules and actions of all lengths."""
    first, *others = PEDRO
    long_rules = RulesRef(
        "own", definition={"extends": "pedro", "title": of_length(50_000, "\u6f22a")}
    )
    sizes = (1, LIMIT - 200, LIMIT, LIMIT + 1, 3 * long_texts.PIECE, 700_000)
    extras = [
        replace(hand, ext={"x": of_length(size, "ab~")})
        for hand, size in zip(others, sizes, strict=False)
    ]
    many = with_far_too_many_actions(moved_on(PEDRO[3]))
    return [
        replace(first, notes={"0": "n" * 2_000, "1": "m" * 2_000, "2": "o" * 2_000}),
        *extras,
        replace(moved_on(PEDRO[1]), id="rules", game="other", rules=long_rules),
        replace(moved_on(PEDRO[2]), id="rules again", game="other too", rules=long_rules),
        replace(many, id="many", game="many"),
    ]


BAD = [
    b"oops",
    b"~",
    b"~" + b"0" * 32 + b":3",
    b"x" * LIMIT,
    b"x" * (LIMIT + 1),
    b"\xff" * 20_000,
    long_texts.reference_to(b"x" * (LIMIT + 1)).encode(),
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "log.jsonl", [*map(encode_hand, hands()), *BAD])


@pytest.fixture(params=["fast", "careful"])
def db(
    tmp_path: Path, log: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Path:
    if request.param == "fast":
        build_elsewhere()
        assert kernel.is_ready()
    monkeypatch.setattr(bulk, "is_worth_while", lambda _: request.param == "fast")
    ingest.load(log, db=tmp_path / "db")
    return tmp_path / "db"


def stored_of(db: Path, query: str) -> list[tuple[object, ...]]:
    with open_snapshot(db) as connection:
        return connection.execute(query).fetchall()


def everything(db: Path) -> tuple[dict[str, bytes], set[bytes], str]:
    with open_snapshot(db) as connection:
        records = {each.id: encode_hand(each.hand) for each in warehouse.hands(connection)}
        lines = {reject.text for reject in quarantine.lines(connection)}
        return records, lines, warehouse.checksum(connection)


def change(db: Path, statement: str) -> None:
    snapshot = current_snapshot(db)
    assert snapshot
    with duckdb.connect(str(snapshot)) as connection:
        connection.execute(statement)


def test_what_was_recorded_is_read_whole(db: Path) -> None:
    records, lines, _ = everything(db)
    assert records == {hand.id: encode_hand(hand) for hand in hands()}
    assert lines == set(BAD)
    with open_snapshot(db) as connection:
        for hand in hands():
            assert warehouse.hand(connection, hand.id) == hand
    assert verify(db, everything=True).problems == ()


def test_no_value_takes_a_block_of_its_own(db: Path) -> None:
    for table, column in (
        ("hands", "encode(tail)"),
        ("hands", "encode(deeds)"),
        ("seatings", "encode(rules)"),
        ("rejects", "text"),
        ("long_texts", "content"),
    ):
        query = f"SELECT max(octet_length({column})) FROM {table}"  # noqa: S608 - names of our own
        ((longest,),) = stored_of(db, query)
        assert isinstance(longest, int)
        assert longest <= LIMIT


def test_each_text_is_stored_once_and_a_reference_is_no_text(db: Path) -> None:
    texts = stored_of(db, "SELECT count(DISTINCT text_hash) FROM long_texts")
    rules = stored_of(db, "SELECT DISTINCT rules FROM seatings WHERE rules LIKE '~%'")
    assert len(rules) == 1
    # Notes, four extras, rules, actions; lines that are long or begin as a reference does.
    assert texts == [(7 + 5,)]
    assert stored_of(db, "SELECT count(*) FROM long_texts WHERE piece = 0") == texts


def test_both_lanes_store_the_same(log: Path, tmp_path: Path, db: Path) -> None:
    ingest.load(log, db=tmp_path / "careful")
    assert everything(tmp_path / "careful") == everything(db)


def test_a_second_load_knows_the_texts(log: Path, db: Path, tmp_path: Path) -> None:
    before = stored_of(db, "SELECT count(*) FROM long_texts")
    assert not ingest.load(log, db=db).published
    late = replace(hands()[-3], id="late", game="third")
    assert ingest.load(write_lines(tmp_path / "late.jsonl", [encode_hand(late)]), db=db).published
    assert stored_of(db, "SELECT count(*) FROM long_texts") == before
    more = replace(PEDRO[-1], id="more", game=hands()[1].game)
    ingest.load(write_lines(tmp_path / "more.jsonl", [encode_hand(more)]), db=db)
    assert verify(db, everything=True).problems == ()


def test_hands_in_conflict_are_kept_as_they_were_read(tmp_path: Path, db: Path) -> None:
    *_, rules, _, _ = hands()
    other = replace(rules, dealer=(rules.dealt_by + 1) % 4)
    spaced = encode_hand(other).replace(b",", b", ", 3)
    ingest.load(write_lines(tmp_path / "other.jsonl", [spaced]), db=db)
    assert spaced in everything(db)[1]


LOSSES = {
    "a piece is lost": "DELETE FROM long_texts WHERE piece = 1",
    "all are lost": "DELETE FROM long_texts",
    "a piece is changed": "UPDATE long_texts SET content = 'x'::BLOB WHERE piece = 0",
    "pieces change places": "UPDATE long_texts SET piece = 1 - piece WHERE piece < 2",
    "a reference is none": "UPDATE hands SET tail = '~' WHERE tail LIKE '~%'",
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_text_that_is_lost_is_noticed_and_brought_back(
    log: Path, tmp_path: Path, loss: str
) -> None:
    db = tmp_path / "db"
    ingest.load(log, db=db)
    before = everything(db)
    change(db, LOSSES[loss])
    problems = verify(db).problems
    assert {"text", "unreadable"} <= {problem.check for problem in problems}
    report = rebuild(db=db)
    assert (report.hands, report.lost) == (len(hands()), 0)
    assert everything(db) == before
    assert verify(db, everything=True).problems == ()


def test_texts_of_a_damaged_snapshot_come_from_the_one_before(log: Path, tmp_path: Path) -> None:
    db = tmp_path / "db"
    ingest.load(log, db=db)
    more = replace(hands()[1], id="more", game="more", ext={"y": "y" * 9_000})
    ingest.load(write_lines(tmp_path / "more.jsonl", [encode_hand(more)]), db=db)
    before = everything(db)
    change(
        db,
        "DELETE FROM long_texts WHERE text_hash <> (SELECT any_value(text_hash) FROM "
        "long_texts JOIN hands ON starts_with(tail, '~' || replace(text_hash::VARCHAR, '-', '')) "
        "WHERE id = 'more')",
    )
    log.unlink()
    (tmp_path / "more.jsonl").unlink()
    assert rebuild(db=db).hands == len(hands()) + 1
    assert everything(db) == before
    assert verify(db, everything=True).problems == ()


def test_a_rebuild_and_a_reaudit_take_texts_along(log: Path, tmp_path: Path) -> None:
    db = tmp_path / "db"
    ingest.load(log, db=db)
    before = everything(db)
    log.unlink()
    assert rebuild(db=db, to=tmp_path / "new").equal
    assert everything(tmp_path / "new") == before
    change(db, "UPDATE hands SET verdict = 'doubtful' WHERE id = 'rules'")
    assert reaudit(db).published
    assert everything(db) == before
    for folder in (db, tmp_path / "new"):
        assert verify(folder, everything=True).problems == ()


def test_a_text_that_nothing_refers_to_is_reported(log: Path, tmp_path: Path) -> None:
    db = tmp_path / "db"
    ingest.load(log, db=db)
    change(db, "INSERT INTO long_texts VALUES (uuid(), 0, 'x'::BLOB)")
    assert ("reference", "long_texts") in {(each.check, each.table) for each in verify(db).problems}


def test_a_lost_line_is_a_sentence(log: Path, tmp_path: Path) -> None:
    db = tmp_path / "db"
    ingest.load(log, db=db)
    change(db, "DELETE FROM long_texts")
    with (
        open_snapshot(db) as connection,
        pytest.raises(warehouse.DamagedError, match="the line is lost"),
    ):
        list(quarantine.lines(connection))


def test_texts_are_fetched_a_portion_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_texts, "PORTION", 20_000)
    texts = [bytes([65 + number]) * 9_000 for number in range(7)]
    with database.connect() as connection:
        publishing.create_tables(connection)
        long_texts.insert(connection, [*texts, texts[0]])
        long_texts.insert(connection, texts[:2])
        assert connection.execute("SELECT count(*) FROM long_texts").fetchall() == [(21,)]
        rows = [(number, long_texts.reference_to(text)) for number, text in enumerate(texts)]
        asked: list[int] = []
        fetched = long_texts._fetched

        def counted(given: DuckDBPyConnection, wanted: set[str], of: str) -> dict[str, bytes]:
            asked.append(len(wanted))
            return fetched(given, wanted, of)

        monkeypatch.setattr(long_texts, "_fetched", counted)
        whole = list(long_texts.with_texts(connection, rows, [1]))
    assert [text for _, text in whole] == [text.decode() for text in texts]
    assert asked == [2, 2, 2, 1]


def test_columns_are_taken_apart_by_their_lengths() -> None:
    texts = ["", "short", None, "~", "x" * LIMIT, "x" * (LIMIT + 1)]
    kept: list[bytes] = []
    table = pa.table({"rules": pa.chunked_array([texts[:3], texts[3:]], pa.string())})
    apart = long_texts.with_references(table, ["rules"], kept.extend)["rules"].to_pylist()
    assert apart[:3] + apart[4:5] == texts[:3] + texts[4:5]
    assert [apart[3], apart[5]] == [long_texts.reference_to(text) for text in kept]
    assert kept == [b"~", b"x" * (LIMIT + 1)]
