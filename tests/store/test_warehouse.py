"""The snapshot: hands come back as recorded, views say what the replay says, nothing leaks out."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import duckdb
import pytest
from duckdb import DuckDBPyConnection
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.coded import set_code
from tests.kit.log_lines import SOUND_LINE, generated, line, moved_on, write_hands, write_lines
from tests.kit.made_once import once, opened
from tests.kit.stored import content, rows
from tests.kit.tiers import some
from tricklog import Replay, ingest, replay, variants
from tricklog.ingest.sql import columns_of, sql_text
from tricklog.ingest.store.warehouse import hand, open_snapshot
from tricklog.schemas.actions import BID_28_56, BID_DOUBLE, TRUMP_CODES, VERB_NAMES, Verb
from tricklog.schemas.cards import CARD_NAMES, card_name, cards_in, parse_cards
from tricklog.schemas.hand import Hand, content_hash, decode_hand, encode_hand, play_hash

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"


@cache
def hands() -> tuple[Hand, ...]:
    """Hands of whole games of every variant, cut off ones, and what is wrong."""
    return (
        stray(),
        *(hand for variant in variants() for hand in some(generated(variant, 1), 12)),
        *(
            replace(hand, id=f"{hand.id}-cut", actions=hand.actions[:20])
            for hand in generated("pidro")
        ),
        replace(moved_on(generated("pedro")[1]), id="wrong"),
    )


def stray() -> Hand:
    """A hand with a card played by somebody who is out, which belongs to no trick."""
    hand = next(iter(ingest.read(SAMPLES / "invalid/play/played-when-out.jsonl"))).hand
    assert hand
    return hand


@once("db")
def db(folder: Path) -> None:
    lines = [SOUND_LINE, line(id='NUL \0, "quotes", ♥', name=...), b"oops"]
    odd = write_lines(folder / "odd.jsonl", lines)
    ingest.load(write_hands(folder / "log.jsonl", hands()), odd, db=folder / "db")


snapshot = opened(open_snapshot)


def rows_of(connection: DuckDBPyConnection, query: str) -> list[tuple[object, ...]]:
    return connection.execute(query).fetchall()


# --- Hands
def test_a_hand_comes_back_exactly(snapshot: DuckDBPyConnection) -> None:
    odd = [decode_hand(SOUND_LINE), decode_hand(line(id='NUL \0, "quotes", ♥'))]
    for recorded in (*hands(), *odd):
        assert hand(snapshot, recorded.id) == recorded
    with pytest.raises(LookupError, match="nobody"):
        hand(snapshot, "nobody")
    # Hashes are those of the record.
    stored = rows_of(snapshot, "SELECT hand_id, replace(content_hash::VARCHAR, '-', '') FROM hands")
    assert {(each.id, content_hash(each)) for each in hands()} <= set(stored)


def test_every_sample_comes_back_byte_for_byte(tmp_path: Path) -> None:
    samples = some([*ingest.read(SAMPLES / "invalid", SAMPLES / "foreign")], 90)
    known = {each.hand.id: each.hand for each in reversed(samples) if each.hand}
    ingest.load(write_hands(tmp_path / "log.jsonl", known.values()), db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        for (hand_id,) in rows_of(connection, "SELECT hand_id FROM hands"):
            assert encode_hand(hand(connection, str(hand_id))) == encode_hand(known[str(hand_id)])
    rare = "SELECT bool_or(at_play_code <> ''), bool_or(calls_code <> '') FROM recorded"
    assert rows(tmp_path / "db", rare) == [(True, True)]


def test_the_number_of_a_seating_leaves_no_trace(tmp_path: Path) -> None:
    hands = [*generated("pedro", 1), *generated("pidro", 1)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "at-once")
    for part, half in enumerate((hands[::-2], hands[-2::-2])):
        ingest.load(write_hands(tmp_path / f"{part}.jsonl", half), db=tmp_path / "in-parts")
    dbs = [tmp_path / name for name in ("at-once", "in-parts")]
    assert len({content(db) for db in dbs}) == 1
    assert [rows(db, "SELECT count(*) FROM seatings") for db in dbs] == [[(2,)], [(4,)]]


def test_the_same_play_is_the_same_rules_dealer_deal_and_deeds(tmp_path: Path) -> None:
    hand, other = generated("pedro")[:2]
    again = replace(hand, id="again", game=UNSET)
    ingest.load(write_hands(tmp_path / "log.jsonl", [hand, other, again]), db=tmp_path / "db")
    alike = (
        "SELECT list_sort(list(hand_id)) FROM stored GROUP BY ruleset, dealer, deal, deeds "
        "HAVING count(*) > 1"
    )
    assert rows(tmp_path / "db", alike) == [(sorted([hand.id, "again"]),)]
    assert play_hash(again) == play_hash(hand) != play_hash(other)


def test_the_local_day_is_the_day_of_the_hand(tmp_path: Path) -> None:
    late = line(started_at="2026-11-20T23:30:00-05:00")
    ingest.load(write_lines(tmp_path / "log.jsonl", [late]), db=tmp_path / "db")
    assert rows(tmp_path / "db", "SELECT started_at::VARCHAR, day::VARCHAR FROM hands") == [
        ("2026-11-21 04:30:00", "2026-11-20")
    ]


# --- Views: of every hand they say what its replay says
ByHand = Callable[[str], Iterator[tuple[Replay, list[tuple[object, ...]]]]]


@pytest.fixture(scope="module")
def by_hand(snapshot: DuckDBPyConnection) -> ByHand:
    """Gives each replay with the rows of its hand; the first column of the query is the id."""
    replays = {recorded.id: replay(recorded) for recorded in hands()}
    assert len(replays) == len(hands()) > 80
    assert any(each.findings for each in replays.values())
    assert any(each.outcome is None for each in replays.values())
    assert any(trick.buried for each in replays.values() for trick in each.tricks)

    def asked(query: str) -> Iterator[tuple[Replay, list[tuple[object, ...]]]]:
        found: dict[str, list[tuple[object, ...]]] = {hand_id: [] for hand_id in replays}
        for hand_id, *row in rows_of(snapshot, query):
            found.get(str(hand_id), []).append(tuple(row))
        return ((replayed, found[hand_id]) for hand_id, replayed in replays.items())

    return asked


def test_outcomes_are_of_replays(by_hand: ByHand) -> None:
    query = (
        "SELECT hand_id, verdict, ruleset, played, result, maker, bid, need, trump_code, forced, "
        "stake, points, change, scores, winner_side FROM stored"
    )
    for replayed, stored in by_hand(query):
        derived: tuple[object, ...] = (None,) * 11
        if outcome := replayed.outcome:
            derived = (
                *(outcome.result, outcome.maker, outcome.bid, outcome.need, outcome.trump),
                *(outcome.forced, outcome.stake, list(outcome.points), list(outcome.change)),
                *(list(outcome.scores or ()) or None, outcome.winner_side),
            )
        judged = (replayed.verdict.value, replayed.ruleset.hash, replayed.played)
        assert stored == [(*judged, *derived)], replayed.hand.id


def test_the_view_calls_is_right(by_hand: ByHand) -> None:
    query = 'SELECT hand_id, "action", seat, verb, amount FROM calls ORDER BY ALL'
    for replayed, stored in by_hand(query):
        assert stored == [
            (call.action, call.seat, VERB_NAMES[Verb(call.verb)], call.amount)
            for call in replayed.calls
        ], replayed.hand.id


def test_the_view_plays_has_the_cards_and_their_actions(by_hand: ByHand) -> None:
    query = 'SELECT hand_id, trick, "action", seat, card FROM plays ORDER BY ALL'
    for replayed, stored in by_hand(query):
        assert [(trick, seat, card) for trick, _, seat, card in stored] == [
            (trick.number, seat, card_name(card))
            for trick in replayed.tricks
            for seat, card in trick.plays
        ], replayed.hand.id
        for _, action, seat, card in stored:
            assert replayed.hand.actions[int(str(action))] == f"{seat} play {card}"


def test_the_view_tricks_is_right(by_hand: ByHand) -> None:
    query = "SELECT hand_id, trick, leader, winner, trick_points, buried FROM tricks ORDER BY ALL"
    for replayed, stored in by_hand(query):
        assert [(*row[:4], masks(row[4])) for row in stored] == [
            (trick.number, trick.leader, trick.winner, trick.points, trick.buried)
            for trick in replayed.tricks
        ], replayed.hand.id


def test_the_view_captures_has_every_point(by_hand: ByHand) -> None:
    query = (
        "SELECT hand_id, card, card_points, trick, from_seat, by_seat, side_no, leader "
        "FROM captures"
    )
    for replayed, stored in by_hand(query):
        leaders = {trick.number: trick.leader for trick in replayed.tricks}
        taken = [(c, leaders.get(c.trick)) for c in replayed.captures]
        assert stored == [
            (card_name(c.card), c.points, c.trick, c.from_seat, c.by_seat, c.side, led)
            for c, led in taken
        ], replayed.hand.id


def test_the_views_of_seats_have_players_and_holdings(by_hand: ByHand) -> None:
    query = (
        "SELECT hand_id, seat, player, side_no, is_dealer, is_maker, dealt, at_play "
        "FROM seats JOIN holdings USING (hand_id, seat) ORDER BY ALL"
    )
    for replayed, stored in by_hand(query):
        hand, side_of = replayed.hand, replayed.ruleset.side_of
        maker = replayed.outcome.maker if replayed.outcome else None
        assert [row[:5] for row in stored] == [
            (seat, player.id, side_of(seat), seat == hand.dealer, seat == maker)
            for seat, player in enumerate(hand.players)
        ], hand.id
        assert [masks(row[5]) for row in stored] == list(replayed.dealt)
        assert [masks(row[6]) for row in stored] == list(replayed.at_play)


def masks(names: object) -> int:
    assert isinstance(names, list)
    return sum(1 << card for card in parse_cards(" ".join(names)))


def test_findings_are_those_of_the_replay(by_hand: ByHand) -> None:
    query = (
        'SELECT hand_id, ordinal, code, "action", pointer, seat, legal, rule, message '
        "FROM findings WHERE scope = 'hand' ORDER BY ALL"
    )
    for replayed, stored in by_hand(query):
        assert [row[1:] for row in stored] == [
            (f.code, f.action, f.pointer, f.seat, f.legal, f.rule, f.message)
            for f in replayed.findings
        ], replayed.hand.id


# --- Macros
def test_names_in_sql_are_the_names_of_the_log(snapshot: DuckDBPyConnection) -> None:
    def one(expression: str) -> object:
        return rows_of(snapshot, f"SELECT {expression}")[0][0]

    assert [one(f"card_name({n})") for n in range(-2, 53)] == ["*", "?", *CARD_NAMES]
    assert [one(f"trump_name({code})") for code in TRUMP_CODES.values()] == list(TRUMP_CODES)
    assert [one(f"verb_name({verb.value})") for verb in Verb] == list(VERB_NAMES.values())
    assert one(f"bid_name({BID_28_56})") == "28-56"
    assert one(f"bid_name({BID_DOUBLE + 83})") == "83-double"
    assert one("bid_name(28)") == "28"
    everything = (1 << 53) - 1
    names = one(f"card_names('{set_code(everything)}')")
    assert masks(names) == everything
    assert len(cards_in(everything)) == 53


# --- The snapshot as a whole
def test_every_table_and_view_says_what_it_is_and_the_checksum_is_stable(
    snapshot: DuckDBPyConnection, db: Path
) -> None:
    silent = (
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL UNION ALL "
        "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL"
    )
    assert rows_of(snapshot, silent) == []
    assert content(db) == content(db)
    assert len(content(db)) == 32


@pytest.mark.parametrize(
    ("column", "table", "other"),
    [
        ("hand_id", "findings", "hands"),
        ("seating_id", "hands", "seatings"),
        ("seating_id", "seatings", "hands"),
        ("ruleset", "seatings", "rulesets"),
        ("import_id", "hands", "imports"),
        ("game", "hands", "games"),
        ("player", "seats", "players"),
        ("import_id", "rejects", "imports"),
    ],
)
def test_every_reference_leads_somewhere(
    snapshot: DuckDBPyConnection, column: str, table: str, other: str
) -> None:
    query = f"SELECT {column} FROM {table} WHERE {column} NOT IN (SELECT {column} FROM {other})"  # noqa: S608
    assert rows_of(snapshot, query) == []


@pytest.mark.parametrize(
    "statement",
    [
        *("SELECT * FROM read_text('{secret}')", "SELECT * FROM '{secret}'"),
        *("ATTACH '{folder}/other.duckdb'", "COPY hands TO '{folder}/hands.csv'"),
        *("SET enable_external_access = true", "SET threads = 1", "INSTALL httpfs"),
        *("DELETE FROM hands", "CREATE TABLE mine (x INTEGER)"),
    ],
)
def test_sql_can_only_read(snapshot: DuckDBPyConnection, tmp_path: Path, statement: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    with pytest.raises(duckdb.Error):
        snapshot.execute(statement.format(secret=secret, folder=tmp_path)).fetchall()
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_columns_are_read_from_the_tables_as_duckdb_reads_them() -> None:
    with duckdb.connect() as connection:
        connection.execute(sql_text("tricklog.ingest.store", "warehouse.sql"))
        tables = [name for (name,) in connection.execute("SHOW TABLES").fetchall()]
        assert "hands" in tables
        for table in tables:
            described = connection.execute(f"DESCRIBE {table}").fetchall()
            columns = {row[0]: row[1].replace('"', "") for row in described}
            assert columns_of(table) == columns
    with pytest.raises(KeyError):
        columns_of("no_such_table")
