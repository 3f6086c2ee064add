"""Nothing is put in order by what is another thing when somebody is forgotten."""

import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.kit.any_hand import HANDS
from tests.kit.page_blocks import REPOSITORY
from tests.kit.stored import rows
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import Hand, LogLine, encode_hand, ingest
from tricklog.ingest.forgetting import forget
from tricklog.ingest.reading.forgotten import Forgotten, new_list
from tricklog.ingest.reading.forgotten_hands import of_hand
from tricklog.ingest.reading.intake import entry_of
from tricklog.ingest.study.homes import Which, query_of_valid
from tricklog.ingest.upkeep.verifying import verify

TWICE = REPOSITORY / "sample_logs" / "invalid" / "game" / "hand-number-twice.jsonl"
PLAYERS = ["sample:bot-weak-1", "sample:bot-bold-1", "sample:bot-careful-1", "sample:bot-steady-1"]


def place_of(hand: Hand) -> str:
    return entry_of(LogLine("log.jsonl", 1, 0, hand), hand).place.removesuffix(hand.id)


@given(HANDS, HANDS)
@settings(max_examples=scaled(15))
def test_hands_of_one_number_and_time_stay_in_their_order(one: Hand, other: Hand) -> None:
    alike = replace(one, hand=2), replace(other, hand=2, started_at=one.started_at)
    listed = new_list()
    for number, player in enumerate(one.players, 1):
        listed = Forgotten(listed).with_player(player.id, [player.name or "ann lee"], (), number)
    before = [place_of(hand) for hand in alike]
    after = [place_of(of_hand(hand, Forgotten(listed))) for hand in alike]
    assert before == after


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands with a number twice, and one of them under an id that names a player."""
    folder = tmp_path_factory.mktemp("twice")
    hands = [msgspec.json.decode(line, type=Hand) for line in TWICE.read_bytes().splitlines()]
    named = replace(hands[-1], id=f"of {PLAYERS[0]}", started_at=hands[1].started_at)
    (folder / "log.jsonl").write_bytes(b"\n".join(map(encode_hand, [*hands, named])) + b"\n")
    ingest.load(folder / "log.jsonl", db=folder / "db")
    return folder / "db"


def told(db: Path) -> list[object]:
    """What the order of hands decides: findings, scores of games, and samples."""
    query = query_of_valid(Which(sample=2))
    return [
        rows(db, sql)
        for sql in (
            "SELECT hand_no, code FROM findings JOIN hands USING (hand_id) ORDER BY ALL",
            "SELECT scores, winner_side FROM games ORDER BY ALL",
            f"SELECT hand_no FROM ({query}) ORDER BY mixed",  # noqa: S608 - names of our own
        )
    ]


@pytest.mark.parametrize("player", some(PLAYERS, 1))
def test_after_forgetting_the_warehouse_is_sound(player: str, loaded: Path, tmp_path: Path) -> None:
    db = shutil.copytree(loaded, tmp_path / "db")
    before = told(db)
    assert before[0]
    forget(player, db=db)
    assert verify(db, everything=is_thorough()).problems == ()
    assert told(db) == before
