"""The small foreign records of the samples for tests of adapters, and records made from them."""

import copy
import json
import random
from pathlib import Path
from typing import Any, Final

from tricklog import ADAPTERS, Hand

Record = dict[str, Any]

CATCH_FIVE = "catch-five-arena"
PIDRO = "knybbe-pidro"
SIXTY_THREE = "sixty-three"
TWENTY_NINE = "rlcard-29"

RAW: Final = Path(__file__).parents[2] / "sample_logs" / "foreign" / "raw"
RECORDS: Final[dict[str, Record]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(RAW.glob("*.json"))
}
CATCH_FIVE_GAME: Final = RECORDS[CATCH_FIVE]
PIDRO_GAME: Final = RECORDS[PIDRO]
SIXTY_THREE_GAME: Final = RECORDS[SIXTY_THREE]
ROUND: Final = RECORDS[TWENTY_NINE]


def changed(record: Record, path: tuple[str | int, ...], value: object) -> Record:
    """A copy of a record with the value at a path replaced; ``...`` removes it."""
    made = copy.deepcopy(record)
    target: Any = made
    for step in path[:-1]:
        target = target[step]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return made


def hands_of(name: str, record: Record) -> list[Hand]:
    return ADAPTERS[name].convert(record)


# --- Games of the mode Kokkola
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
MATE = {"S": "C", "C": "S", "H": "D", "D": "H"}
POINTS = {"A": 1, "J": 1, "10": 1, "5": 5, "2": 1}
NAMES = ("South", "West", "North", "East")


def height(card: str, trump: str) -> float:
    """Return how high a trump stands, -1 for a plain card."""
    if card == f"5{MATE[trump]}":
        return RANKS.index("5") - 0.5
    return RANKS.index(card[:-1]) if card[-1] == trump else -1


def worth(card: str, trump: str) -> int:
    return POINTS.get(card[:-1], 0) if height(card, trump) >= 0 else 0


def kept(hand: list[str], trump: str) -> list[str]:
    """Return the six cards that are kept: point cards, then trumps from the top, then any."""
    return sorted(hand, key=lambda card: (worth(card, trump) == 0, -height(card, trump)))[:6]


def kokkola_hand(number: int, before: list[int], chance: random.Random) -> dict[str, Any]:
    dealer = number % 4
    pack = [rank + suit for suit in "SHDC" for rank in RANKS]
    chance.shuffle(pack)
    deal, stock = [pack[9 * seat : 9 * seat + 9] for seat in range(4)], pack[36:]
    hands = [list(cards) for cards in deal]
    for place in range(4):
        hands[(dealer + 1 + place) % 4] += stock[4 * place : 4 * place + 4]
    bidder = chance.randrange(4)
    order = [(dealer + step) % 4 for step in range(1, 5)]
    bid = 6 if bidder == dealer else chance.choice((6, 7, 8))
    bids = [{"seat": seat, "bid": bid if seat == bidder else None} for seat in order]
    trump = chance.choice("SHDC")
    at_play = [kept(hand, trump) for hand in hands]
    dump = [
        [card for card in hand if card not in stays]
        for hand, stays in zip(hands, at_play, strict=True)
    ]
    tricks, points = played(at_play, trump, bidder, chance)
    change = list(points)
    if points[bidder % 2] < bid:
        change[bidder % 2] = -bid
    return {
        "hand": number,
        "dealer": dealer,
        "scoresBefore": before,
        "deal": deal,
        "stock": stock,
        "bids": bids,
        "bidder": bidder,
        "trump": trump,
        "handsAtPlay": at_play,
        "dump": dump,
        "tricks": tricks,
        "result": {
            "teamPointsTaken": points,
            "teamScoreDelta": change,
            "scoresAfter": [old + new for old, new in zip(before, change, strict=True)],
        },
    }


def played(
    at_play: list[list[str]], trump: str, leader: int, chance: random.Random
) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the tricks of trumps alone, and the points of both sides."""
    left = [[card for card in hand if height(card, trump) >= 0] for hand in at_play]
    points = [0, 0]
    for seat, hand in enumerate(left):
        points[seat % 2] += f"2{trump}" in hand
    tricks: list[dict[str, Any]] = []
    while sum(map(bool, left)) > 1:
        order = [(leader + step) % 4 for step in range(4)]
        plays: list[dict[str, Any]] = []
        for seat in [seat for seat in order if left[seat]]:
            card = left[seat].pop(chance.randrange(len(left[seat])))
            plays.append({"seat": seat, "card": card})
        best = max(plays, key=lambda play: height(play["card"], trump))
        leader = best["seat"]
        for play in plays:
            points[leader % 2] += worth(play["card"], trump) if play["card"][0] != "2" else 0
        tricks.append({"plays": plays, "message": f"{NAMES[leader]} wins the trick"})
    for seat, hand in enumerate(left):
        points[seat % 2] += sum(worth(card, trump) for card in hand if card[0] != "2")
    return tricks, points


def kokkola_game(seed: int, hands: int) -> dict[str, Any]:
    chance = random.Random(seed)
    scores: list[int] = [0, 0]
    made: list[dict[str, Any]] = []
    for number in range(1, hands + 1):
        made.append(kokkola_hand(number, scores, chance))
        scores = made[-1]["result"]["scoresAfter"]
    return {
        "source": "knybbe/pidro@0000000",
        "gameMode": "kokkola",
        "policy": "bots",
        "seed": seed,
        "seats": [{"kind": "bot", "name": name, "difficulty": "easy"} for name in NAMES],
        "targetScore": 620,
        "hands": made,
    }
