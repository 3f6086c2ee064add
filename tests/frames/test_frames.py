"""Hands as frames: the same as the warehouse's views, typed, empty without hands, in chunks."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import tricklog
from tests.kit.log_lines import one_game, with_revoke, write_hands
from tests.kit.sound_hands import sound
from tests.regenerate.site_parts import frame_tables
from tricklog import Frames, Hand, core, ingest, iter_frames, to_frames
from tricklog.ingest.frames import COLUMNS, words
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.cards import TRUMP_RANKS

VIEWS = {
    "hands": """
        SELECT hand_id, variant, ruleset, game, hand, started_at, day, dealer,
            [player.id FOR player IN players] AS player_ids, seat_sides, verdict, doubts, result,
            maker, bid, bid_name(bid) AS bid_name, need, trump, forced,
            no_contract, alone_by, stake, scores_before, points, change, scores, winner_side
        FROM stored""",
    "seats": """
        SELECT seats.*, dealt, at_play, seat_facts[seat + 1].trumps_held AS trumps_held,
            seat_facts[seat + 1].points_held AS points_held
        FROM seats JOIN holdings USING (hand_id, seat) JOIN hands USING (hand_id)""",
    **{name: f"FROM {name}" for name in ("calls", "plays", "tricks", "captures", "findings")},
}
"""What each frame is in a warehouse."""
KEYS = {
    "hands": ["hand_id"],
    "seats": ["hand_id", "seat"],
    "calls": ["hand_id", "action"],
    "plays": ["hand_id", "action"],
    "tricks": ["hand_id", "trick"],
    "captures": ["hand_id", "card", "trick"],
    "findings": ["hand_id", "scope", "ordinal"],
}


@pytest.fixture(scope="module")
def samples(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Hands of every game, every kind of finding, and the off jack (O88)."""
    valid = sorted((repository / "sample_logs" / "valid").glob("*/*.jsonl"))
    shortest = {path.parent: path for path in sorted(valid, key=lambda path: -path.stat().st_size)}
    jacks = tmp_path_factory.mktemp("jacks") / "jacks.jsonl"
    write_hands(jacks, [sound("pitch-with-fives-O88")])
    return [*shortest.values(), repository / "sample_logs" / "invalid", jacks]


@pytest.fixture(scope="module")
def frames(samples: list[Path]) -> Frames:
    return to_frames(ingest.audit(*samples))


@pytest.fixture(scope="module")
def stored(samples: list[Path], tmp_path_factory: pytest.TempPathFactory) -> DuckDBPyConnection:
    folder = tmp_path_factory.mktemp("frames") / "db"
    ingest.load(*samples, db=folder, facts=False)
    return open_snapshot(folder)


@pytest.mark.parametrize("name", COLUMNS)
def test_a_frame_is_what_a_view_says(frames: Frames, stored: DuckDBPyConnection, name: str) -> None:
    made = dict(frames.items())[name]
    view = stored.sql(VIEWS[name]).pl().select(made.columns)
    assert made.height > 50
    assert view.columns == list(COLUMNS[name])
    expected = view.cast(dict(COLUMNS[name]))
    assert made.sort(KEYS[name]).equals(expected.sort(KEYS[name]))


def test_every_game_and_every_verdict_is_among_them(frames: Frames) -> None:
    assert set(frames.hands["variant"]) == set(core.variants())
    whole = {str(each.value) for each in core.Verdict} - {"partial"}
    assert set(frames.hands["verdict"]) == whole
    assert set(frames.findings["scope"]) == {"hand", "game"}
    assert set(frames.captures["point_card"]) == {*TRUMP_RANKS} - {"4", "6", "7", "8"}
    # Without hands there are the same columns.
    for (name, empty), (_, full) in zip(to_frames([]).items(), frames.items(), strict=True):
        assert empty.height == 0
        assert empty.schema == full.schema == COLUMNS[name]


@pytest.mark.parametrize("size", [1, 2, 10_000])
def test_chunks_put_together_are_the_whole(size: int) -> None:
    hands = one_game("pedro")[:5]
    chunks = list(iter_frames(iter(hands), size))
    assert [each.hands.height for each in chunks] == [
        len(hands[at : at + size]) for at in range(0, len(hands), size)
    ]
    for name, whole in to_frames(hands).items():
        assert pl.concat([dict(each.items())[name] for each in chunks]).equals(whole)


def test_chunks_take_hands_only_as_they_are_asked_for() -> None:
    taken: list[str] = []
    hands = one_game("pedro")[:6]

    def given() -> Iterator[Hand]:
        for hand in hands:
            taken.append(hand.id)
            yield hand

    chunks = iter_frames(given(), 2)
    assert next(chunks).hands["hand_id"].to_list() == [hand.id for hand in hands[:2]]
    assert len(taken) == 2
    with pytest.raises(ValueError, match="size is 1 or more"):
        next(iter_frames([], 0))


def test_hands_replays_and_lines_give_the_same(tmp_path: Path) -> None:
    hand, _ = with_revoke(one_game("pedro"))
    hand = replace(hand, game="alone")
    log = tmp_path / "log.jsonl"
    log.write_bytes(tricklog.encode_hand(hand) + b"\n\nno hand\n")
    whole = to_frames([hand])
    assert whole.findings["code"].to_list() == ["revoke"]
    one = core.replay(hand)
    for source in (hand, one, [one], ingest.read(log), ingest.audit(log)):
        for name, frame in to_frames(source).items():
            assert frame.equals(dict(whole.items())[name])


def test_the_page_says_what_every_column_is() -> None:
    page = frame_tables()
    for name, columns in COLUMNS.items():
        for column, kind in columns.items():
            assert len(words(name, column)) > len("The card"), (name, column)
            assert f"| `{column}` | `{kind}` | {words(name, column)} |" in page
