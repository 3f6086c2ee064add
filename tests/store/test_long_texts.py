"""Long texts: stored in pieces, read whole, missed when they are lost."""

import shutil
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

from tests.kit.filling_logs import with_far_too_many_actions
from tests.kit.log_lines import generated, moved_on, write_lines
from tests.kit.made_once import copied, once
from tests.kit.stored import alter, rows
from tests.kit.tiers import is_thorough, some
from tricklog import Hand, RulesRef, encode_hand, ingest
from tricklog.core.native import library
from tricklog.ingest.store import database, long_texts, publishing, quarantine, warehouse
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify

LIMIT = long_texts.LONG


def of_length(size: int, mark: str) -> str:
    return (mark * size)[:size]


@cache
def hands() -> list[Hand]:
    """A game with extras, notes, rules and actions of all lengths."""
    pedro = generated("pedro", 1)
    first, *others = pedro
    definition = {"extends": "pedro", "title": of_length(15_000, "\u6f22a")}
    long_rules = RulesRef("own", definition=definition)
    sizes = (1, LIMIT - 200, LIMIT, LIMIT + 1, 3 * long_texts.PIECE, 50_000)
    extras = [
        replace(hand, ext={"x": of_length(size, "ab~")})
        for hand, size in zip(others, sizes, strict=False)
    ]
    many = with_far_too_many_actions(moved_on(pedro[3]))
    return [
        replace(first, notes={"0": "n" * 2_000, "1": "m" * 2_000, "2": "o" * 2_000}),
        *extras,
        replace(moved_on(pedro[1]), id="rules", game="other", rules=long_rules),
        replace(moved_on(pedro[2]), id="rules again", game="other too", rules=long_rules),
        replace(many, id="many", game="many"),
    ]


BAD = [
    *(b"oops", b"~", b"~" + b"0" * 32 + b":3", b"x" * LIMIT, b"x" * (LIMIT + 1), b"\xff" * 20_000),
    long_texts.reference_to(b"x" * (LIMIT + 1)).encode(),
]

LANES = ("fast", "careful")


@once()
def made(folder: Path) -> None:
    """A log, and warehouses into which each lane loaded it; to be read and copied only."""
    log = write_lines(folder / "log.jsonl", [*map(encode_hand, hands()), *BAD])
    for lane in LANES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(library, "is_there", lambda lane=lane: lane == "fast")
            ingest.load(log, db=folder / lane)


db = copied("made", "careful")


def everything(db: Path) -> tuple[dict[str, bytes], set[bytes], str]:
    with open_snapshot(db) as connection:
        records = {each.id: encode_hand(each.hand) for each in warehouse.hands(connection)}
        lines = {reject.text for reject in quarantine.lines(connection)}
        return records, lines, warehouse.checksum(connection)


def test_what_was_recorded_is_read_whole_and_stored_once_in_pieces(made: Path) -> None:
    records, lines, _ = everything(made / "careful")
    assert everything(made / "fast") == everything(made / "careful")
    assert records == {hand.id: encode_hand(hand) for hand in hands()}
    assert lines == set(BAD)
    with open_snapshot(made / "fast") as connection:
        for hand in hands():
            assert warehouse.hand(connection, hand.id) == hand
    assert verify(made / "fast", everything=True).problems == ()
    # No value takes a block of its own.
    for table, column in (
        *(("hands", "encode(tail)"), ("hands", "encode(deeds)"), ("seatings", "encode(rules)")),
        *(("rejects", "text"), ("long_texts", "content")),
    ):
        query = f"SELECT max(octet_length({column})) FROM {table}"  # noqa: S608 - names of our own
        for lane in LANES:
            ((longest,),) = rows(made / lane, query)
            assert isinstance(longest, int)
            assert longest <= LIMIT, (lane, table, column)
    # Each text is stored once, and a reference is no text.
    for lane in LANES:
        texts = rows(made / lane, "SELECT count(DISTINCT text_hash) FROM long_texts")
        rules = rows(made / lane, "SELECT DISTINCT rules FROM seatings WHERE rules LIKE '~%'")
        assert len(rules) == 1
        # Notes, four extras, rules, actions; lines that are long or begin as a reference does.
        assert texts == [(7 + 5,)]
        assert rows(made / lane, "SELECT count(*) FROM long_texts WHERE piece = 0") == texts


def test_a_second_load_knows_the_texts_and_keeps_hands_in_conflict_as_they_were_read(
    made: Path, db: Path, tmp_path: Path
) -> None:
    before = rows(db, "SELECT count(*) FROM long_texts")
    assert not ingest.load(made / "log.jsonl", db=db).published
    late = replace(hands()[-3], id="late", game="third")
    assert ingest.load(write_lines(tmp_path / "late.jsonl", [encode_hand(late)]), db=db).published
    assert rows(db, "SELECT count(*) FROM long_texts") == before
    more = replace(generated("pedro", 1)[-1], id="more", game=hands()[1].game)
    *_, rules, _, _ = hands()
    spaced = encode_hand(moved_on(rules)).replace(b",", b", ", 3)
    ingest.load(write_lines(tmp_path / "more.jsonl", [encode_hand(more), spaced]), db=db)
    assert spaced in everything(db)[1]
    assert verify(db, everything=True).problems == ()


LOSSES = {
    "a piece is lost": "DELETE FROM long_texts WHERE piece = 1",
    "all are lost": "DELETE FROM long_texts",
    "a piece is changed": "UPDATE long_texts SET content = 'x'::BLOB WHERE piece = 0",
    "pieces change places": "UPDATE long_texts SET piece = 1 - piece WHERE piece < 2",
    "a reference is none": "UPDATE hands SET tail = '~' WHERE tail LIKE '~%'",
}


def test_a_text_that_is_lost_is_noticed_and_brought_back(made: Path, db: Path) -> None:
    before = everything(db)
    brought_back = some(list(LOSSES), 1)
    for loss in some(list(LOSSES), 2):
        alter(db, LOSSES[loss])
        problems = verify(db).problems
        assert {"text", "unreadable"} <= {problem.check for problem in problems}, loss
        if loss == "all are lost":
            lost = pytest.raises(warehouse.DamagedError, match="the line is lost")
            with open_snapshot(db) as connection, lost:
                list(quarantine.lines(connection))
        if loss in brought_back:
            report = rebuild(db=db)
            assert (report.hands, report.lost) == (len(hands()), 0), loss
            assert everything(db) == before, loss
            assert verify(db, everything=True).problems == (), loss
        shutil.rmtree(db)
        shutil.copytree(made / "careful", db)
    alter(db, "INSERT INTO long_texts VALUES (uuid(), 0, 'x'::BLOB)")
    assert ("reference", "long_texts") in {(each.check, each.table) for each in verify(db).problems}


@pytest.fixture
def without_log(made: Path, tmp_path: Path) -> Path:
    log = shutil.copy(made / "log.jsonl", tmp_path)
    ingest.load(log, db=tmp_path / "db")
    Path(log).unlink()
    return tmp_path / "db"


@pytest.mark.thorough("texts that are lost are brought back in the first tier")
def test_texts_of_damaged_snapshots_come_from_before(without_log: Path, tmp_path: Path) -> None:
    db = without_log
    more = replace(hands()[1], id="more", game="more", ext={"y": "y" * 9_000})
    ingest.load(write_lines(tmp_path / "more.jsonl", [encode_hand(more)]), db=db)
    before = everything(db)
    alter(
        db,
        "DELETE FROM long_texts WHERE text_hash <> (SELECT any_value(text_hash) FROM "
        "long_texts JOIN hands ON starts_with(tail, '~' || replace(text_hash::VARCHAR, '-', '')) "
        "WHERE hand_id = 'more')",
    )
    (tmp_path / "more.jsonl").unlink()
    assert rebuild(db=db).hands == len(hands()) + 1
    assert everything(db) == before
    assert verify(db, everything=True).problems == ()


def test_a_rebuild_and_a_reaudit_take_texts_along(without_log: Path, tmp_path: Path) -> None:
    db = without_log
    before = everything(db)
    if is_thorough():
        assert rebuild(db=db, to=tmp_path / "new").equal
        assert everything(tmp_path / "new") == before
    alter(db, "UPDATE hands SET verdict = 'doubtful' WHERE hand_id = 'rules'")
    assert reaudit(db).published
    assert everything(db) == before
    for folder in (db, tmp_path / "new") if is_thorough() else (db,):
        assert verify(folder, everything=True).problems == ()


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
