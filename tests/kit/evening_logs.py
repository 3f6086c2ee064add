"""Logs of two evenings at several tables, for tests of evenings and seasons."""

from datetime import datetime, timedelta

from tests.kit.sheet_logs import Record, holed_game, king_pedro, records_in
from tests.regenerate.samples import FOLDER

FIRST, LAST, NEXT = "2026-11-13", "2026-11-20", "2026-11-21"
"""An evening with one broken game, one with several tables, and one of a single hand."""
KING = king_pedro()
SEVEN = records_in([FOLDER / "sancho" / "one-game-at-7.jsonl"])
PIPS = records_in([FOLDER / "twenty-nine" / "one-game-last-trick-counts.jsonl"])


def at(records: list[Record], game: str, begins: str, people: str = "") -> list[Record]:
    """The hands as a game of its own that begins then, one every five minutes.

    ``people`` stands before the ids of the players, to make others of them.
    """
    first = datetime.fromisoformat(begins)
    return [
        record
        | {
            "id": f"{game}-{number}",
            "game": game,
            "started_at": (first + timedelta(minutes=5 * number)).isoformat(),
            "players": [
                {"id": people + each["id"].rpartition(":")[2]} for each in record["players"]
            ],
        }
        for number, record in enumerate(records)
    ]


def two_evenings() -> list[Record]:
    """Everything that an evening may hold, and a game and a hand without a day."""
    late = at(KING, "late", f"{LAST}T23:40:00+02:00")
    loose = at(KING[:1], "loose", f"{LAST}T19:00:00+02:00", "other-")
    dayless = at(KING, "dayless", f"{LAST}T19:00:00+02:00")
    for each in loose:
        del each["game"], each["hand"], each["scores"]
    for each in dayless:
        del each["started_at"]
    return [
        *at(holed_game(), "broken", f"{FIRST}T20:00:00+02:00"),
        *at(KING, "early", f"{LAST}T19:30:00+02:00"),
        *at(PIPS, "pips", f"{LAST}T21:00:00+02:00"),
        *at(SEVEN, "seven", f"{LAST}T18:00:00+02:00", "guest-"),
        *at(SEVEN[:-3], "open", f"{LAST}T22:30:00+02:00", "guest-")[: len(SEVEN) // 3],
        *late,
        *at(KING[:1], "next", f"{NEXT}T19:30:00+02:00"),
        *loose,
        *dayless,
    ]
