"""Small foreign records for tests of adapters, and records made from them."""

import copy
from typing import Any

from tricklog.ingest.adapters import ADAPTERS
from tricklog.schemas.hand import Hand

Record = dict[str, Any]

CATCH_FIVE = "catch-five-arena"
PIDRO = "knybbe-pidro"
SIXTY_THREE = "sixty-three"
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


def tricks_of(leaders: str, *tricks: str) -> list[tuple[int, list[str]]]:
    """Who leads each trick, and its cards in the order played."""
    return [(int(leader), cards(trick)) for leader, trick in zip(leaders, tricks, strict=True)]


CATCH_FIVE_GAME: Record = {
    "source": "PGD3311/Catch-Five-Arena@0000000 shared/gameEngine.ts",
    "game": 4,
    "policy": "cpu",
    "seed": 104,
    "targetScore": 31,
    "rounds": [
        {
            "dealer": 0,
            "scoresBefore": [0, 0],
            "deal": [
                cards("7C QD JC KD QC 2S KC JD 5H"),
                cards("3H 9S KS 6D 9H 8C 7S 3S AS"),
                cards("8S QS 10S 4H 6H 5D 5C KH 3C"),
                cards("9C 6C 5S 10H 4D JS 2D 2H AC"),
            ],
            "stock": cards("AH 6S 8H 7D 3D 7H 4S AD 8D 4C QH 2C 10C JH 10D 9D"),
            "bids": [
                {"seat": 1, "bid": 5},
                {"seat": 2, "bid": 0},
                {"seat": 3, "bid": 0},
                {"seat": 0, "bid": 0},
            ],
            "bidder": 1,
            "bid": 5,
            "trump": "S",
            "trumpDiscards": [],
            "handsAtPlay": [
                cards("2S AD 4S 7H 3D 7D"),
                cards("9S KS 7S 3S AS 9D"),
                cards("8S QS 10S 10D JH 10C"),
                cards("5S JS 2C QH 4C 8D"),
            ],
            "stockAfter": cards("AH 6S 8H"),
            "discardPileAfter": cards("7C QD JC KD QC KC JD 5H 3H 6D 9H 8C 4H 6H 5D 5C KH 3C")
            + cards("9C 6C 10H 4D 2D 2H AC"),
            "usedPurgedCards": False,
            "tricks": [
                {
                    "leader": leader,
                    "plays": [
                        {"seat": (leader + step) % 4, "card": card}
                        for step, card in enumerate(played)
                    ],
                    "winner": winner,
                }
                for (leader, played), winner in zip(
                    tricks_of(
                        "111211",
                        "AS 8S JS 4S",
                        "KS 10S 5S 2S",
                        "9S QS 2C 3D",
                        "JH QH 7H 3S",
                        "7S 10C 4C 7D",
                        "9D 10D 8D AD",
                    ),
                    (1, 1, 2, 1, 1, 0),
                    strict=True,
                )
            ],
            "result": {
                "teamPoints": [0, 9],
                "high": {"team": "team2", "card": "AS"},
                "low": {"team": "team2", "card": "2S"},
                "jack": "team2",
                "five": "team2",
                "game": {"teamId": "team2", "points": 31},
                "gameCount": [16, 31],
            },
            "scoresAfter": [0, 9],
        }
    ],
    "finalScores": [0, 9],
    "winner": None,
}

SIXTY_THREE_GAME: Record = {
    "source": "bspaulding/sixty-three@0000000 backend",
    "game": 2,
    "seed": 1002,
    "rounds": 1,
    "over": False,
    "total": [37, 26],
    "events": [
        {
            "round": 1,
            "dealer": 3,
            "hands": [
                cards("KS KD 10H 4C JK 7C 10C 10D JH 6S AD 2D"),
                cards("4D 8H 7H 6H QC JD 5D AC 3C JS 9C 9D"),
                cards("5H 2S 8S 6C 10S 7D 4S AS AH 4H QH 2C"),
                cards("9H 6D 9S QD JC 5S 3H KH 5C 8D QS 3S"),
            ],
            "kitty": cards("KC 2H 8C 3D 7S"),
        },
        {"a": "bid", "seat": 0, "amount": 25},
        {"a": "bid", "seat": 1, "amount": 26},
        {"a": "pass", "seat": 2},
        {"a": "pass", "seat": 3},
        {"a": "bid", "seat": 0, "amount": 28},
        {"a": "bid", "seat": 1, "amount": 29},
        {"a": "pass", "seat": 2},
        {"a": "pass", "seat": 3},
        {"a": "bid", "seat": 0, "amount": 30},
        {"a": "pass", "seat": 1},
        {"a": "trump", "seat": 0, "suit": "H"},
        {"a": "discard", "seat": 0, "cards": cards("KC 8C 3D 7S KS KD 4C 7C 10C 10D 6S")},
        {"a": "discard", "seat": 1, "cards": cards("4D QC JD AC 3C JS")},
        {"a": "discard", "seat": 2, "cards": cards("2S 8S 6C 10S 7D 4S")},
        {"a": "discard", "seat": 3, "cards": cards("6D 9S QD JC 5S 5C")},
        {
            "atPlay": [
                cards("2H 10H JH 2D AD JK"),
                cards("6H 7H 8H 5D 9D 9C"),
                cards("4H 5H QH AH 2C AS"),
                cards("3H 9H KH 8D 3S QS"),
            ],
            "bidder": 0,
            "bid": 30,
        },
        *(
            event
            for (leader, played), winner in zip(
                tricks_of(
                    "023202",
                    "JH 8H AH 3H",
                    "4H KH 10H 7H",
                    "9H JK 6H QH",
                    "AS 8D AD 9D",
                    "2D 9C 5H 3S",
                    "2C QS 2H 5D",
                ),
                (2, 3, 2, 0, 2, None),
                strict=True,
            )
            for event in (
                *(
                    {"a": "play", "seat": (leader + step) % 4, "card": card}
                    for step, card in enumerate(played)
                ),
                *([] if winner is None else [{"trickWinner": winner}]),
            )
        ),
        {
            "roundEnd": True,
            "bidder": 0,
            "bid": 30,
            "pointsBySeat": [6, 0, 31, 26],
            "roundScore": [37, 26],
            "total": [37, 26],
        },
    ],
}

RECORDS = {
    CATCH_FIVE: CATCH_FIVE_GAME,
    PIDRO: PIDRO_GAME,
    SIXTY_THREE: SIXTY_THREE_GAME,
    TWENTY_NINE: ROUND,
}


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
    """What an adapter makes of a record."""
    return ADAPTERS[name].convert(record)
