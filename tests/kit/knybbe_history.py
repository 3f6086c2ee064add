"""Games of knybbe/pidro in the shape in which the program keeps them itself, made from its log."""

import json
from typing import Any

from tests.kit.foreign_records import Record

_SEATS = "SWNE"
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def face(card: str) -> Record:
    """``10H`` as an object."""
    rank, suit = card[:-1], card[-1]
    return {"suit": suit, "rank": rank, "id": f"{suit}-{rank}"}


def faces(lists: list[list[str]]) -> list[list[Record]]:
    return [[face(card) for card in cards] for cards in lists]


def history_of(game: Record) -> Record:
    """A game as the program keeps it, snapshots and all."""
    snapshot = {"phase": "bidding", "scores": [0, 0], "hands": [[], [], [], []], "message": ""}
    rounds: list[Record] = [
        {
            "roundNumber": deal["hand"],
            "startedAt": "2026-08-15T12:00:00.000Z",
            "dealer": deal["dealer"],
            "seed": game["seed"],
            "initialHands": faces(deal["deal"]),
            "initialStock": faces([deal["stock"]])[0],
            "initialStateSnapshot": snapshot,
            "bids": [{"seat": each["seat"], "bid": each["bid"]} for each in deal["bids"]],
            "bidWinner": {"seat": deal["bidder"], "bid": max(e["bid"] or 0 for e in deal["bids"])},
            "trump": deal["trump"],
            "refills": [[], [], [], []],
            "discards": faces(deal["dump"]),
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
        "finalScores": rounds[-1]["scoresAfter"],
        "rounds": rounds,
        "latestStateSnapshot": snapshot,
    }


def _trick(number: int, trick: Record, game: Record) -> Record:
    names = [seat["name"] for seat in game["seats"]]
    return {
        "trickNumber": number,
        "leader": trick["plays"][0]["seat"],
        "plays": [{"seat": each["seat"], "card": face(each["card"])} for each in trick["plays"]],
        "winner": names.index(trick["message"].removesuffix(" wins the trick")),
        "pointsScored": {"team0": 0, "team1": 0},
    }


def copied(history: Record) -> str:
    """The text that the program puts on the clipboard: words for people, and the game itself."""
    lines = [
        f"=== PIDRO MATCH: {history['id']} ===",
        "Mode: CLASSIC | Target: 62 | Status: FINISHED (Winner: Team South & North)",
        "Score: S-N [62] — W-E [40] | Started: 2026-08-15T12:00:00.000Z",
        "Seats: S:You(Human) W:West(easy) N:North(easy) E:East(easy)",
        "",
    ]
    for each in history["rounds"]:
        lines += [f"--- Round {each['roundNumber']} (Dealer: S, Seed: 7) ---", "Deals:"]
        for seat, cards in zip(_SEATS, each["initialHands"], strict=True):
            lines.append(f"  {seat}: " + " ".join(map(_shown, cards)))
        lines += ["Bids: W:Pass -> N:Pass -> E:Pass -> S:6  [Contract: S @ 6, Trump: ♦]", "Tricks:"]
        for trick in each["tricks"]:
            plays = " ".join(
                f"{_SEATS[put['seat']]}:{_shown(put['card'])}" for put in trick["plays"]
            )
            lines.append(f"  T{trick['trickNumber']}: {plays} => S (Pts: +2 Us)")
        lines += ["Result: Team 0 MADE 6 (Pts: 14-0) | Delta: +14/+0 => Score: 14 - 0", ""]
    lines += ["=== REPLAY JSON ===", json.dumps(history, ensure_ascii=False)]
    return "\n".join(lines)


def _shown(card: dict[str, Any]) -> str:
    return f"{card['rank']}{_SUITS[card['suit']]}"
