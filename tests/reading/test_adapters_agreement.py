"""Foreign logs: agreement with the rules code of the programs that wrote them.

The first tier looks at some records of each log, the thorough one at all of them.
"""

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.kit import foreign_records as foreign
from tests.kit.log_lines import logged_field
from tests.kit.support import ruleset_for
from tests.kit.tiers import is_thorough, some
from tests.reference_engine.game import Game
from tests.regenerate.samples import as_sample
from tricklog import Replay, Verdict, check_game, read, replay
from tricklog.core import Outcome
from tricklog.ingest import adapters
from tricklog.ingest.adapters import ADAPTERS, ConvertCounts
from tricklog.ingest.adapters.foreign import ForeignError
from tricklog.ingest.adapters.recognising import recognise_logs
from tricklog.schemas.cards import mask_of, parse_card
from tricklog.schemas.hand import Hand, content_hash, encode_hand


def faces(cards: list[str]) -> list[foreign.Record]:
    """``10H`` as an object, and so on."""
    return [
        {"suit": card[-1], "rank": card[:-1], "id": f"{card[-1]}-{card[:-1]}"} for card in cards
    ]


def history_of(game: foreign.Record) -> foreign.Record:
    """A game as the program keeps it, snapshots and all."""
    snapshot = {"phase": "bidding", "scores": [0, 0], "hands": [[], [], [], []], "message": ""}
    deals: list[foreign.Record] = [
        {
            "roundNumber": deal["hand"],
            "startedAt": "2026-08-15T12:00:00.000Z",
            "dealer": deal["dealer"],
            "seed": game["seed"],
            "initialHands": [*map(faces, deal["deal"])],
            "initialStock": faces(deal["stock"]),
            "initialStateSnapshot": snapshot,
            "bids": [{"seat": each["seat"], "bid": each["bid"]} for each in deal["bids"]],
            "bidWinner": {"seat": deal["bidder"], "bid": max(e["bid"] or 0 for e in deal["bids"])},
            "trump": deal["trump"],
            "refills": [[], [], [], []],
            "discards": [*map(faces, deal["dump"])],
            "lowHolder": deal.get("lowHolder"),
            "tricks": [_trick(number, each, game) for number, each in enumerate(deal["tricks"], 1)],
            "result": deal["result"],
            "scoresAfter": deal["result"]["scoresAfter"],
        }
        for deal in game["hands"]
    ]
    return {
        "id": f"pidro_game_1755259200000_{game['seed']}",
        "startedAt": "2026-08-15T12:00:00.000Z",
        "updatedAt": "2026-08-15T13:00:00.000Z",
        **{key: game[key] for key in ("gameMode", "targetScore", "seed", "seats")},
        "status": "finished",
        "winnerTeam": 0,
        "finalScores": deals[-1]["scoresAfter"],
        "rounds": deals,
        "latestStateSnapshot": snapshot,
    }


def _trick(number: int, trick: foreign.Record, game: foreign.Record) -> foreign.Record:
    names = [seat["name"] for seat in game["seats"]]
    return {
        "trickNumber": number,
        "leader": trick["plays"][0]["seat"],
        "plays": [
            {"seat": each["seat"], "card": faces([each["card"]])[0]} for each in trick["plays"]
        ],
        "winner": names.index(trick["message"].removesuffix(" wins the trick")),
        "pointsScored": {"team0": 0, "team1": 0},
    }


WORDS = """=== PIDRO MATCH: pidro_game_1755259200000_7 ===
Mode: CLASSIC | Target: 62 | Status: FINISHED (Winner: Team South & North)
Score: S-N [62] — W-E [40] | Started: 2026-08-15T12:00:00.000Z
Seats: S:You(Human) W:West(easy) N:North(easy) E:East(easy)

--- Round 1 (Dealer: S, Seed: 7) ---
Deals:
  S: K♦ 8♣ 6♣ Q♠ 10♥ 5♣ A♦ A♠ 8♦
Bids: W:Pass -> N:Pass -> E:Pass -> S:6  [Contract: S @ 6, Trump: ♦]
Tricks:
  T1: S:K♦ W:6♦ N:7♦ E:A♦ => S (Pts: +2 Us)
Result: Team 0 MADE 6 (Pts: 14-0) | Delta: +14/+0 => Score: 14 - 0

=== REPLAY JSON ===
"""
"""What the program puts on the clipboard before a game itself: words for people."""


# --- Agreement
LOGS = {
    foreign.CATCH_FIVE: "real/catch-five-arena.games_cpu_31.jsonl.gz",
    foreign.PIDRO: "real/knybbe-pidro.classic_bots.jsonl.gz",
    foreign.SIXTY_THREE: "real/sixty-three.games.jsonl.gz",
    foreign.TWENTY_NINE: "real/rlcard-29.committed-logs.jsonl.gz",
}

RECORDS = {
    foreign.CATCH_FIVE: 6,
    foreign.PIDRO: 6,
    foreign.SIXTY_THREE: 10,
    foreign.TWENTY_NINE: 120,
}
"""How many of a log the first tier looks at."""

Played = tuple[foreign.Record, list[tuple[Hand, Replay]]]
Reads = Callable[[str], list[Played]]


@pytest.fixture(scope="module")
def played(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Reads:
    """Read records of a log, with their hands replayed; nothing may be refused."""

    @cache
    def read(name: str) -> list[Played]:
        with gzip.open(shared_dir / LOGS[name]) as whole:
            lines = some(whole.read().splitlines(keepends=True), RECORDS[name])
        path = tmp_path_factory.mktemp(name) / "some.jsonl"
        path.write_bytes(b"".join(lines))
        counts = ConvertCounts()
        log = []
        for line, item in zip(lines, adapters.convert(name, path), strict=True):
            counts.add(item)
            log.append((json.loads(line), [(hand, replay(hand)) for hand in item.hands]))
        assert (counts.records, counts.rejected) == (len(lines), 0)
        return log

    return read


def is_all(count: int, of: int) -> bool:
    """Whether ``count`` is what there is in a whole log, or a good part of it in the first tier."""
    return count == of if is_thorough() else of / 30 <= count < of


def our_name(card: str) -> str:
    return card.replace("10", "T").replace("JK", "JO")


def foreign_mask(cards: list[str]) -> int:
    return mask_of([parse_card(our_name(card)) for card in cards])


def clean(result: Replay) -> Outcome:
    """The outcome of a hand in which nothing is wrong."""
    assert (result.verdict, result.findings) == (Verdict.VALID, ())
    assert result.outcome is not None
    return result.outcome


def counted(outcome: Outcome, *numbers: str) -> list[list[int]]:
    return [list(getattr(outcome, name)) for name in numbers]


def check_cards(hand: Hand, result: Replay, deal: foreign.Record) -> None:
    """The program allowed the same cards in each trick, of the same hands."""
    assert list(result.at_play) == [foreign_mask(cards) for cards in deal["handsAtPlay"]]
    plays = itertools.chain.from_iterable(trick["plays"] for trick in deal["tricks"])
    for index, action in enumerate(hand.actions):
        if action.split()[1] == "play":
            assert result.at(index).choice.cards == foreign_mask(next(plays)["legal"])


# --- Finnish Pidro
def test_every_pidro_hand_is_valid_as_the_program_played_and_scored_it(played: Reads) -> None:
    count = 0
    for game, hands in played(foreign.PIDRO):
        names = [seat["name"] for seat in game["seats"]]
        for deal, (hand, result) in zip(game["hands"], hands, strict=True):
            outcome, scored = clean(result), deal["result"]
            assert counted(outcome, "points", "change", "scores") == [
                scored[name] for name in ("teamPointsTaken", "teamScoreDelta", "scoresAfter")
            ]
            assert (outcome.result == "made") == scored["made"]
            winners = [trick.winner for trick in result.tricks if trick.winner is not None]
            told = [trick["message"].split()[0] for trick in deal["tricks"]]
            assert [names[winner] for winner in winners] == told
            check_cards(hand, result, deal)
            calls = iter(deal["bids"])
            for index, action in enumerate(hand.actions):
                if action.split()[1] in {"bid", "pass"}:
                    choice, call = result.at(index).choice, next(calls)
                    assert list(range(choice.low, choice.high + 1)) == call["legal"]
                    assert ("pass" in choice.verbs) == call["canPass"]
            count += 1
    assert is_all(count, 1307)


def test_every_pidro_game_is_sound_and_ends_as_in_the_program(played: Reads) -> None:
    ids = set()
    for game, hands in played(foreign.PIDRO):
        assert not any(check_game([result for _, result in hands]))
        over = [result.outcome is not None and result.outcome.game_over for _, result in hands]
        assert over == [False] * (len(hands) - 1) + [True]
        assert len({hand.id for hand, _ in hands}) == len(game["hands"])
        ids.add(hands[0][0].game)
    assert len(ids) == len(played(foreign.PIDRO))
    assert is_all(len(ids), 150)


def test_o76_games_of_the_mode_kokkola_are_valid_with_the_points_of_the_program() -> None:
    for record in foreign.kokkola_games():
        hands = foreign.hands_of(foreign.PIDRO, record)
        for hand, deal in zip(hands, record["hands"], strict=True):
            result, scored = replay(hand), deal["result"]
            assert counted(clean(result), "points", "change") == [
                scored[name] for name in ("teamPointsTaken", "teamScoreDelta")
            ]
            assert [len(cards.split()) for cards in hand.deal or ()] == [13] * 4
            assert "O76" in result.ruleset.cite("packets").split()
        assert len(hands) == 5


# --- Twenty-Nine
def test_every_round_is_valid_but_for_tricks_awarded_wrongly_each_one_finding(
    played: Reads,
) -> None:
    log = played(foreign.TWENTY_NINE)
    assert len(log) == (1384 if is_thorough() else RECORDS[foreign.TWENTY_NINE])
    clean_rounds, faulty = 0, 0
    for record, ((hand, result),) in log:
        if not record["complete"] or record.get("duplicate"):
            continue
        shown = [foreign_mask(cards) for cards in record["handsReconstructed"]]
        assert list(result.at_play) == shown
        if record["deviations"]:
            faulty += 1
            assert result.verdict == Verdict.IRREGULAR
            assert [
                (finding.code, finding.pointer, finding.seat, finding.facts["winner"])
                for finding in result.findings
            ] == [
                ("claimed-winner", f"/claimed/winners/{d['trick'] - 1}", d["logged"], d["standard"])
                for d in record["deviations"]
            ]
            continue
        clean_rounds += 1
        outcome, scored = clean(result), record["result"]
        assert [trick.winner for trick in result.tricks] == [t["winner"] for t in record["tricks"]]
        assert list(outcome.points) == record["teamPoints"]
        assert outcome.change[scored["team"]] == scored["gamePoints"]
        assert hand.claimed
        assert list(outcome.change) == hand.claimed.change
    assert is_all(clean_rounds, 71)
    assert is_all(faulty, 36)


def test_rounds_printed_again_are_the_same_hands(played: Reads) -> None:
    contents: dict[str, str] = {}
    for _, ((hand, _),) in played(foreign.TWENTY_NINE):
        assert contents.setdefault(hand.id, content_hash(hand)) == content_hash(hand)
    assert is_all(len(contents), 108)


# --- Catch-Five-Arena
def test_c15_every_catch_five_hand_is_valid_as_the_program_played_and_scored_it(
    played: Reads,
) -> None:
    """Every capture of a trump that is no ace or two, and yet scores its point, is a stand-in."""
    count = stood_in = 0
    for game, hands in played(foreign.CATCH_FIVE):
        assert not any(check_game([result for _, result in hands]))
        won = [result.outcome and result.outcome.winner_side for _, result in hands]
        assert won == [None] * (len(hands) - 1) + [("team1", "team2").index(game["winner"])]
        for deal, (hand, result) in zip(game["rounds"], hands, strict=True):
            outcome, scored = clean(result), deal["result"]
            assert counted(outcome, "points", "scores") == [
                scored["teamPoints"],
                deal["scoresAfter"],
            ]
            assert (outcome.maker, outcome.bid) == (deal["bidder"], deal["bid"])
            assert [trick.winner for trick in result.tricks] == [
                trick["winner"] for trick in deal["tricks"]
            ]
            check_cards(hand, result, deal)
            worth = {capture.card: capture.points for capture in result.captures}
            expected = dict.fromkeys(worth, 0)
            for name, points in (("J", 1), ("5", 5)):
                card = parse_card(name + deal["trump"])
                if card in worth:
                    expected[card] += points
            for name in ("high", "low"):
                card = parse_card(our_name(scored[name]["card"]))
                expected[card] = expected.get(card, 0) + 1
                stood_in += card % 13 not in (0, 12)
            assert worth == expected
            count += 1
    assert is_all(count, 1116)
    assert is_all(stood_in, 37)


# --- Sixty-Three: the program awards tricks by rules of its own, which must be found
CARDS = {
    "ranks": "AKQJT98765432",
    "points": {"A": 1, "K": 25, "J": 1, "T": 1, "9": 9, "5": 5, "off_five": 5, "2": 1, "joker": 15},
    "points_in": "trumps",
    "joker": True,
    "off_five": True,
    "off_jack": False,
}
"""What the cards are, whatever Tricklog says of them."""
GAME = Game({**ruleset_for("sixty-three").values, **CARDS}, 4)


def winner_by_the_rules(plays: list[foreign.Record], trump: str) -> int:
    led = our_name(plays[0]["card"])[1]

    def strength(play: foreign.Record) -> tuple[bool, bool, float]:
        card = our_name(play["card"])
        suit = GAME.suit(card, trump)
        return suit == trump, suit == led, GAME.height(card, trump)

    return int(max(plays, key=strength)["seat"])


def sixty_three_rounds(game: foreign.Record) -> list[list[foreign.Record]]:
    rounds: list[list[foreign.Record]] = []
    for event in game["events"]:
        if "hands" in event:
            rounds.append([])
        rounds[-1].append(event)
    return rounds


def find_event(events: list[foreign.Record], key: str, value: object = None) -> foreign.Record:
    return next(e for e in events if key in e and value in (None, e[key]))


def wrong_in(events: list[foreign.Record]) -> list[tuple[str, str]]:
    """What the program did against the rules in a round: code and place of each finding due."""
    found = []
    trump = find_event(events, "a", "trump")
    at_play, end = find_event(events, "atPlay"), events[-1]
    if trump["seat"] != at_play["bidder"]:
        # After an opening bid of 126 the program lets the next seat name trumps.
        assert at_play["bid"] == 126
        found.append(("trump-by-other", "trump"))
    plays = [event for event in events if event.get("a") == "play"]
    winners = [event["trickWinner"] for event in events if "trickWinner" in event]
    tricks = [plays[start : start + 4] for start in range(0, len(plays), 4)]
    assert len(tricks) == len(winners) + 1
    believed = [0, 0]
    for number, trick in enumerate(tricks):
        right = winner_by_the_rules(trick, trump["suit"])
        given = winners[number] if number < len(winners) else right
        if given != right:
            found.append(("claimed-winner", f"/claimed/winners/{number}"))
        worth = (GAME.points(our_name(play["card"]), trump["suit"]) for play in trick)
        believed[given % 2] += sum(worth)
    by_seat = end["pointsBySeat"]
    claimed = [by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]]
    if claimed != believed:
        # The last trick, whose winner the program does not write down, was awarded wrongly too.
        found.append(("claimed-points", "/claimed/points"))
    if end["bid"] == 126 and claimed[end["bidder"] % 2] == 63:
        found.append(("claimed-change", "/claimed/change"))
    return found


def test_every_fault_of_the_sixty_three_program_is_one_finding_and_all_else_agrees(
    played: Reads,
) -> None:
    total: Counter[str] = Counter()
    verdicts: Counter[Verdict] = Counter()
    for game, hands in played(foreign.SIXTY_THREE):
        # Games are sound beside the faults of their hands.
        assert not any(check_game([result for _, result in hands]))
        for events, (hand, result) in zip(sixty_three_rounds(game), hands, strict=True):
            due = wrong_in(events)
            found = [
                (item.code, "trump" if item.code == "trump-by-other" else item.pointer)
                for item in result.findings
            ]
            assert found == due, hand.id
            total.update(code for code, _ in due)
            verdicts[result.verdict] += 1
            outcome, at_play = result.outcome, find_event(events, "atPlay")
            assert outcome is not None
            assert outcome.maker == at_play["bidder"]
            assert outcome.bid == (2063 if at_play["bid"] == 126 else at_play["bid"])
            counted_wrongly = {"claimed-winner", "claimed-points", "claimed-change"}
            if not counted_wrongly & {code for code, _ in due}:
                by_seat = events[-1]["pointsBySeat"]
                assert counted(outcome, "points", "change", "scores") == [
                    [by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]],
                    *(events[-1][name] for name in ("roundScore", "total")),
                ]
    for count, of in (
        (total["claimed-winner"], 174),
        (total["trump-by-other"], 36),
        (verdicts[Verdict.VALID], 1051),
        (verdicts[Verdict.IRREGULAR], 221),
    ):
        assert is_all(count, of), of
    if is_thorough():
        assert (total["claimed-points"], total["claimed-change"], total.total()) == (15, 11, 236)
        assert verdicts.total() == 1051 + 221


def test_the_sixty_three_program_allowed_the_same_cards(played: Reads) -> None:
    for game, hands in played(foreign.SIXTY_THREE):
        for events, (hand, result) in zip(sixty_three_rounds(game), hands, strict=True):
            held = find_event(events, "atPlay")["atPlay"]
            assert list(result.at_play) == [foreign_mask(cards) for cards in held]
            plays = iter([event for event in events if event.get("a") == "play"])
            takes_over = any(item.code == "trump-by-other" for item in result.findings)
            for index, action in enumerate(hand.actions):
                if action.split()[1] != "play":
                    continue
                legal, seat, view = (
                    foreign_mask(next(plays)["legal"]),
                    int(action[0]),
                    result.at(index),
                )
                if view.turn == seat:
                    assert view.choice.cards == legal
                else:
                    # A seat that leads because the program gave it the trick, or the contract.
                    assert not view.trick or takes_over or result.findings
                    assert legal & ~view.holdings[seat] == 0


# --- Samples
@pytest.mark.thorough("it goes through whole logs to find a few hands in them")
@pytest.mark.parametrize("name", ADAPTERS)
def test_a_sample_is_what_its_adapter_makes(name: str, shared_dir: Path, repository: Path) -> None:
    sample = [item.text for item in read(repository / f"sample_logs/foreign/{name}.jsonl")]
    log = {
        encode_hand(as_sample(hand))
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


SAME = (
    *("players", "rules", "dealer", "actions", "deal", "stock", "scores"),
    *("claimed.points", "claimed.scores"),
)


def test_the_history_that_knybbe_pidro_keeps_says_what_its_log_says(
    played: Reads, tmp_path: Path
) -> None:
    """Draws are read off the stock there, and come out as the log notes them."""
    games = [game for game, _ in played(foreign.PIDRO)] + [foreign.kokkola_games()[1]]
    wanted = [hand for game in games for hand in ADAPTERS[foreign.PIDRO].convert(game)]
    histories = [history_of(game) for game in games]
    kept = {"version": 1, "updatedAt": "2026-08-15T13:00:00.000Z", "games": histories}
    for name, text in (
        ("games.jsonl", "\n".join(map(json.dumps, histories))),
        ("list.json", json.dumps(histories, indent=1)),
        ("history.json", json.dumps(kept, indent=2)),
        ("copied.txt", WORDS + json.dumps(histories[0], ensure_ascii=False)),
    ):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        items = list(adapters.convert(foreign.PIDRO, path))
        assert [each.reject for each in items if each.reject] == [], name
        found = [hand for each in items for hand in each.hands]
        there = wanted[: len(games[0]["hands"])] if name == "copied.txt" else wanted
        for field in SAME:
            assert logged_field(found, field) == logged_field(there, field), (name, field)
        (recognised,) = recognise_logs(path).values()
        assert recognised.is_sure, name
    assert {replay(hand).verdict for hand in found} == {Verdict.VALID}


def test_a_game_that_knybbe_pidro_keeps_unfinished_goes_as_far_as_it_was_played() -> None:
    history = history_of(foreign.PIDRO_GAME)
    (deal,) = history["rounds"]
    deal |= {"result": None, "tricks": deal["tricks"][:2]}
    (hand,) = ADAPTERS[foreign.PIDRO].convert(history)
    result = replay(hand)
    assert (hand.status, result.verdict, result.findings) == ("in_progress", Verdict.INCOMPLETE, ())
    assert len(result.tricks) == 2
    deal |= {"trump": None, "bidWinner": None, "bids": deal["bids"][:2], "tricks": []}
    deal["discards"] = [[], [], [], []]
    assert ADAPTERS[foreign.PIDRO].convert(history)[0].actions == ["1 pass", "2 pass"]
    deal["initialHands"][1][0]["rank"] = "1"
    with pytest.raises(ForeignError) as refused:
        ADAPTERS[foreign.PIDRO].convert(history)
    assert refused.value.path == ("rounds", 0, "initialHands", 1, 0, "rank")
