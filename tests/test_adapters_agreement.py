"""Whole foreign logs: agreement with the rules code of the programs that wrote them."""

import gzip
import itertools
import json
from pathlib import Path

import pytest

from ingest import adapters
from ingest.adapters import ADAPTERS, ConvertCounts
from ingest.reader import read
from replay import Replay, Verdict, check_game, replay
from schemas.cards import mask_of, parse_card
from schemas.hand import Hand, content_hash, encode_hand
from tests.foreign_records import PIDRO, TWENTY_NINE, Record

LOGS = {
    PIDRO: "real/knybbe-pidro.classic_bots.jsonl.gz",
    TWENTY_NINE: "real/rlcard-29.committed-logs.jsonl.gz",
}

Played = tuple[Record, list[tuple[Hand, Replay]]]


def foreign_log(name: str, shared_dir: Path) -> list[Played]:
    """Every record of a log with its hands replayed; nothing may be refused."""
    path = shared_dir / LOGS[name]
    with gzip.open(path) as lines:
        records = [json.loads(line) for line in lines]
    counts = ConvertCounts()
    log = []
    for record, item in zip(records, adapters.convert(name, path), strict=True):
        counts.add(item)
        log.append((record, [(hand, replay(hand)) for hand in item.hands]))
    assert (counts.records, counts.rejected) == (len(records), 0)
    return log


@pytest.fixture(scope="module")
def pidro_games(shared_dir: Path) -> list[Played]:
    return foreign_log(PIDRO, shared_dir)


@pytest.fixture(scope="module")
def rounds(shared_dir: Path) -> list[Played]:
    """The rounds that are complete and distinct."""
    log = foreign_log(TWENTY_NINE, shared_dir)
    assert len(log) == 1384
    return [played for played in log if played[0]["complete"] and not played[0].get("duplicate")]


def foreign_mask(cards: list[str]) -> int:
    return mask_of([parse_card(card.replace("10", "T")) for card in cards])


def test_every_pidro_hand_is_valid_with_the_points_and_scores_of_the_program(
    pidro_games: list[Played],
) -> None:
    count = 0
    for game, hands in pidro_games:
        for deal, (_, result) in zip(game["hands"], hands, strict=True):
            assert result.verdict == Verdict.VALID, result.findings
            assert result.outcome is not None
            assert list(result.outcome.points) == deal["result"]["teamPointsTaken"]
            assert list(result.outcome.change) == deal["result"]["teamScoreDelta"]
            assert result.outcome.scores is not None
            assert list(result.outcome.scores) == deal["result"]["scoresAfter"]
            assert (result.outcome.result == "made") == deal["result"]["made"]
            count += 1
    assert count == 1307


def test_every_pidro_game_is_sound_and_ends_where_the_program_ended_it(
    pidro_games: list[Played],
) -> None:
    for game, hands in pidro_games:
        assert not any(check_game([result for _, result in hands]))
        over = [result.outcome is not None and result.outcome.game_over for _, result in hands]
        assert over == [False] * (len(hands) - 1) + [True]
        assert len({hand.id for hand, _ in hands}) == len(game["hands"])
    ids = [hand.game for _, hands in pidro_games for hand, _ in hands[:1]]
    assert len(set(ids)) == len(ids) == 150


def test_the_pidro_program_allowed_the_same_calls_and_cards(pidro_games: list[Played]) -> None:
    for game, hands in pidro_games:
        for deal, (hand, result) in zip(game["hands"], hands, strict=True):
            assert list(result.at_play) == [foreign_mask(cards) for cards in deal["handsAtPlay"]]
            calls = iter(deal["bids"])
            plays = itertools.chain.from_iterable(trick["plays"] for trick in deal["tricks"])
            for index, action in enumerate(hand.actions):
                verb = action.split()[1]
                choice = result.at(index).choice
                if verb in {"bid", "pass"}:
                    call = next(calls)
                    assert list(range(choice.low, choice.high + 1)) == call["legal"]
                    assert ("pass" in choice.verbs) == call["canPass"]
                elif verb == "play":
                    assert choice.cards == foreign_mask(next(plays)["legal"])


def test_the_pidro_tricks_have_the_winners_the_program_named(pidro_games: list[Played]) -> None:
    for game, hands in pidro_games:
        names = [seat["name"] for seat in game["seats"]]
        for deal, (_, result) in zip(game["hands"], hands, strict=True):
            said = [trick["message"].split()[0] for trick in deal["tricks"]]
            assert [names[trick.winner] for trick in result.tricks] == said


def test_every_clean_round_is_valid_with_the_winners_and_points_of_the_program(
    rounds: list[Played],
) -> None:
    clean = [played for played in rounds if not played[0]["deviations"]]
    assert len(clean) == 71
    for record, ((hand, result),) in clean:
        assert (result.verdict, result.findings) == (Verdict.VALID, ())
        assert [trick.winner for trick in result.tricks] == [t["winner"] for t in record["tricks"]]
        assert result.outcome is not None
        assert list(result.outcome.points) == record["teamPoints"]
        assert result.outcome.change[record["result"]["team"]] == record["result"]["gamePoints"]
        assert hand.claimed
        assert list(result.outcome.change) == hand.claimed.change


def test_every_wrongly_awarded_trick_is_exactly_one_finding(rounds: list[Played]) -> None:
    faulty = [played for played in rounds if played[0]["deviations"]]
    assert len(faulty) == 36
    for record, ((_, result),) in faulty:
        assert result.verdict == Verdict.IRREGULAR
        found = [
            (finding.code, finding.pointer, finding.seat, finding.facts["winner"])
            for finding in result.findings
        ]
        assert found == [
            ("claimed-winner", f"/claimed/winners/{d['trick'] - 1}", d["logged"], d["standard"])
            for d in record["deviations"]
        ]


def test_the_plays_of_a_round_show_the_hands(rounds: list[Played]) -> None:
    for record, ((_, result),) in rounds:
        shown = [foreign_mask(cards) for cards in record["handsReconstructed"]]
        assert list(result.at_play) == shown


def test_rounds_printed_again_are_the_same_hands(shared_dir: Path) -> None:
    items = list(adapters.convert(TWENTY_NINE, shared_dir / LOGS[TWENTY_NINE]))
    contents: dict[str, str] = {}
    for item in items:
        (hand,) = item.hands
        assert contents.setdefault(hand.id, content_hash(hand)) == content_hash(hand)
    assert len(contents) == 108


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_sample_is_what_the_adapter_makes_of_the_log(
    name: str, shared_dir: Path, repository: Path
) -> None:
    sample = [item.text for item in read(repository / f"sample_logs/foreign/{name}.jsonl")]
    log = {
        encode_hand(hand)
        for item in adapters.convert(name, shared_dir / LOGS[name])
        for hand in item.hands
    }
    assert sample
    assert set(sample) <= log


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_hand_of_the_sample_is_valid(name: str, repository: Path) -> None:
    hands = [item.hand for item in read(repository / f"sample_logs/foreign/{name}.jsonl")]
    results = [replay(hand) for hand in hands if hand is not None]
    assert len(results) == len(hands)
    assert {result.verdict for result in results} == {Verdict.VALID}
    assert not any(check_game(results))
