"""Small foreign records for tests of adapters, and records made from them."""

import copy
from typing import Any

Record = dict[str, Any]

PIDRO = "knybbe-pidro"
TWENTY_NINE = "rlcard-29"


def cards(text: str) -> list[str]:
    return text.split(" ")


PIDRO_GAME: Record = {
    "source": "knybbe/pidro@0000000",
    "gameMode": "classic",
    "policy": "bots",
    "seed": 7,
    "seats": [
        {"kind": "bot", "name": name, "difficulty": "easy", "biddingRisk": "low"}
        for name in ("South", "West", "North", "East")
    ],
    "targetScore": 62,
    "hands": [
        {
            "hand": 1,
            "dealer": 0,
            "scoresBefore": [0, 0],
            "deal": [
                cards("JD 5D 5H KD 8C 2D 6C QS 10H"),
                cards("3H 9C 4H KC 6D 3S 10D 7S 6H"),
                cards("4S 10C 9D JS 4C 7D JH 2S KS"),
                cards("3C QC 8S 6S KH 10S 4D 3D 2H"),
            ],
            "stock": cards("AC 5S QH 9S 7H 8H JC 9H 2C QD AH 7C 5C AD AS 8D"),
            "bids": [
                {"seat": 1, "bid": None, "legal": [6, 7], "canPass": True},
                {"seat": 2, "bid": None},
                {"seat": 3, "bid": None},
                {"seat": 0, "bid": 6},
            ],
            "bidder": 0,
            "bid": 6,
            "trump": "D",
            "handsAtPlay": [
                cards("5D 5H JD 2D AD KD"),
                cards("6D 10D AC 5S QH 9S"),
                cards("9D 7D 7H 8H JC 9H"),
                cards("4D 3D 2C QD AH 7C"),
            ],
            "dump": [
                cards("8C 6C QS 10H 5C AS 8D"),
                cards("3H 9C 4H KC 3S 7S 6H"),
                cards("4S 10C JS 4C JH 2S KS"),
                cards("3C QC 8S 6S KH 10S 2H"),
            ],
            "tricks": [
                {
                    "leader": 0,
                    "plays": [{"seat": seat, "card": card} for seat, card in plays],
                    "pointsAfter": points,
                    "next": 0,
                    "message": f"{winner} wins the trick",
                }
                for plays, points, winner in (
                    ([(0, "KD"), (1, "6D"), (2, "7D"), (3, "3D")], [0, 0], "South"),
                    ([(0, "AD"), (1, "10D"), (2, "9D"), (3, "4D")], [2, 0], "South"),
                    ([(0, "2D"), (3, "QD")], [3, 0], "East"),
                    ([(0, "JD")], [4, 0], "South"),
                    ([(0, "5H")], [9, 0], "South"),
                    ([(0, "5D")], [14, 0], "South"),
                )
            ],
            "lowHolder": 0,
            "result": {
                "teamPointsTaken": [14, 0],
                "teamScoreDelta": [14, 0],
                "scoresAfter": [14, 0],
            },
        }
    ],
    "message": "unfinished",
}

ROUND: Record = {
    "source": "arnob-das/RLCard_29@0000000",
    "file": "run.log",
    "dealer": 0,
    "bids": [
        {"seat": 1, "bid": 16},
        {"seat": 2, "bid": None},
        {"seat": 3, "bid": None},
        {"seat": 0, "bid": None},
    ],
    "bidder": 1,
    "bid": 16,
    "trump": "D",
    "tricks": [
        {
            "plays": [
                {"seat": 1, "card": "10C"},
                {"seat": 2, "card": "7C"},
                {"seat": 3, "card": "9H"},
                {"seat": 0, "card": "KC"},
            ],
            "winner": 1,
        }
    ],
    "revealedBy": 3,
    "revealedAtTrick": 1,
    "matchScoreBefore": [-3, 2],
    "complete": False,
}

RECORDS = {PIDRO: PIDRO_GAME, TWENTY_NINE: ROUND}


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
