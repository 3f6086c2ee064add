"""The benchmarks' own tools: big logs of valid hands, and what is said of a measurement."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks import hands, make_log
from replay import variants
from schemas.hand import decode_hand, play_hash


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "mixed.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hands, "BASE_HANDS", 14 * 12)
        hands.write_log(path, hands.MIXED, 5000)
    return path


def test_a_big_log_has_as_many_hands_as_asked_for_and_no_two_are_the_same(mixed: Path) -> None:
    log = [decode_hand(line) for line in mixed.read_bytes().splitlines()]
    assert len(log) == len({hand.id for hand in log}) == len({play_hash(hand) for hand in log})
    assert len(log) == 5000


def test_a_mixed_log_gives_all_systems_equal_shares(mixed: Path) -> None:
    log = [decode_hand(line) for line in mixed.read_bytes().splitlines()]
    shares = Counter(hand.rules.variant for hand in log)
    assert set(shares) == set(variants())
    assert max(shares.values()) - min(shares.values()) <= 12  # a game
    assert {len(hand.players) for hand in log} == {4, 5, 6, 7}


def test_hands_made_of_others_have_nothing_to_find(mixed: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample.jsonl"
    sample.write_bytes(b"".join(make_log.sample(mixed, 60)))
    assert make_log.faults_of(sample) == []
