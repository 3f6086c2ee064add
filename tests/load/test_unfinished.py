"""A complete record takes the place of its own unfinished one, and of no other."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.following import loaded
from tests.kit.log_lines import generated, write_hands
from tests.kit.stored import content
from tests.kit.tiers import some
from tests.lake.conftest import rows
from tests.load.test_audit import fate, piped, revoked
from tricklog import Gap, Hand, encode_hand, ingest
from tricklog.core.native import library
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import How
from tricklog.ingest.lake.load import load as load_lake
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.verifying import verify


def unfinished(hand: Hand, actions: int, status: str = "in_progress") -> Hand:
    """The record of a hand when so much of it had been played, by somebody who saw one holding."""
    assert hand.deal is not UNSET
    hidden = [" ".join("?" * len(cards.split())) for cards in hand.deal]
    return replace(
        hand,
        actions=hand.actions[:actions],
        deal=[hand.deal[0], *hidden[1:]],
        stock=UNSET,
        claimed=UNSET,
        status=status,
    )


def played() -> list[Hand]:
    """Two hands of a game, and two without one: in order, and with a finding."""
    first, second, *others = generated("pedro", 1)
    third, fourth = (replace(each, game=UNSET, hand=UNSET) for each in others[:2])
    return [first, revoked(second), third, revoked(fourth)]


def begun(hands: Sequence[Hand]) -> list[Hand]:
    """Of each hand several records made while it was played, as programs write them."""
    stopped = [replace(unfinished(each, 20, "complete"), claimed=UNSET) for each in hands]
    ends = Gap(before=7, missing="rest")
    partial = [replace(unfinished(each, 7), status=UNSET, gaps=[ends]) for each in hands]
    return [*(unfinished(each, 3) for each in hands), *stopped, *partial]


def test_a_complete_record_takes_the_place_of_the_unfinished_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: True)
    whole, parts = played(), begun(played())
    wanted = loaded(tmp_path / "whole", write_hands(tmp_path / "whole.jsonl", whole))
    mixed = random.Random(4).sample([*parts, *whole], len(parts) + len(whole))
    for db, loads, completed in (
        (tmp_path / "apart", [parts[8:], [*parts[:8], *whole], parts], [0, 4, 0]),
        (tmp_path / "mixed", [mixed], [0]),
    ):
        logs = [write_hands(db / f"{number}.jsonl", each) for number, each in enumerate(loads)]
        reports = [ingest.load(log, db=db) for log in logs]
        assert [(each.completed, each.quarantined) for each in reports] == [
            (count, 0) for count in completed
        ]
        assert content(db) == wanted
        assert reports[-1].published == (len(loads) == 1)
        with open_snapshot(db) as connection:
            counts = connection.sql("SELECT sum(accepted), sum(quarantined) FROM imports")
            assert counts.fetchall() == [(len(whole), 0)]
    assert not verify(tmp_path / "apart").problems


def test_only_a_record_that_says_the_same_and_more_takes_the_place(tmp_path: Path) -> None:
    hand = played()[0]
    part = unfinished(hand, 4)
    assert hand.deal is not UNSET
    for case, (first, second) in {
        "another bid": (replace(part, actions=["2 bid 8", *part.actions[1:]]), hand),
        "another card": (replace(part, deal=hand.deal[1:] + hand.deal[:1]), hand),
        "another game": (replace(part, game="else"), hand),
        "another table": (replace(part, players=hand.players[::-1]), hand),
        "another time": (replace(part, started_at="2026-01-02T19:07:00Z"), hand),
        "a remark that is lost": (replace(part, notes={"0": "late"}), hand),
        "less is known": (
            unfinished(hand, 5),
            replace(unfinished(hand, 9), deal=part.deal and [""] * 4),
        ),
        "a hand that had ended": (hand, replace(hand, actions=[*hand.actions, "0 play 2S"])),
        "no more was played": (part, replace(part, status="abandoned")),
    }.items():
        log = write_hands(tmp_path / "log.jsonl", [first, second])
        assert Counter(map(fate, ingest.audit(log))) == {"accepted": 1, "quarantined": 1}, case


def test_an_audit_tells_complete_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = played(), begun(played())
    audit = ingest.audit(write_hands(tmp_path / "log.jsonl", [*parts, *whole, *parts]))
    lines = list(audit)
    assert [each.line.hand for each in lines if each.replay] == whole
    assert sorted(each.line.line for each in lines) == list(range(1, len(lines) + 1))
    assert audit.counts.duplicate == 2 * len(parts)
    # What was told cannot be taken back; what still waits for its game can.
    early = piped(map(encode_hand, [parts[0], whole[0]]), monkeypatch)
    assert [fate(each) for each in early] == ["accepted", "quarantined"]
    assert early[1].line.reject
    assert "Write the log to a file" in early[1].line.reject.hint
    late = piped(map(encode_hand, [parts[1], whole[1], whole[0]]), monkeypatch)
    assert [each.replay.hand for each in late if each.replay] == [whole[0], whole[1]]


@pytest.mark.slow("two lakes, each verified as a whole")
@pytest.mark.parametrize("buckets", some([3, 1], 1))
def test_in_a_lake_as_well(tmp_path: Path, buckets: int) -> None:
    """In one load and in a later one, of hands of a game and of lone ones, whatever else comes."""
    whole, parts, others = played(), begun(played()), generated("pidro", 4)
    rest = write_hands(tmp_path / "rest.jsonl", others)
    first, second, third = (
        write_hands(tmp_path / "logs" / f"{number}.jsonl", each)
        for number, each in enumerate((parts[8:], [*parts[:8], *whole], parts))
    )
    ingest.load(write_hands(tmp_path / "whole.jsonl", [*others, *whole]), db=tmp_path / "folder")
    ways = {
        "apart": [[rest, first], [second], [third]],
        "at once": [[rest, first, second, third]],
        "later games": [[first], [rest, third, second]],
    }
    for name, loads in some(list(ways.items()), 2):
        lake = f"lake:{tmp_path / name}"
        reports = [
            load_lake(logs, storage_of(lake), Here(), how=How(buckets=buckets)) for logs in loads
        ]
        assert {each.quarantined for each in reports} == {0}, name
        assert sum(each.completed for each in reports) == len(whole) * (len(loads) > 1), name
        assert verify(lake, everything=True).problems == (), name
        assert content(lake) == content(tmp_path / "folder"), name
        people = "SELECT player, hands, first_day, last_day FROM players ORDER BY player"
        assert rows(lake, people) == rows(tmp_path / "folder", people), name
        counts = "SELECT sum(accepted), sum(accepted + duplicate) FROM imports"
        ((accepted, lines),) = rows(lake, counts)
        assert accepted == len(whole) + len(others), name
        # A load that brings nothing publishes nothing, and is not written down.
        noted = [each for each in reports if each.published]
        assert lines == sum(each.accepted + each.duplicate for each in noted), name
        assert Lake(storage_of(lake)).opened().counts["hands"] == accepted, name
