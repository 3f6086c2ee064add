"""The small foreign records of the samples for tests of adapters, and records made from them."""

import copy
import json
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


def kokkola_games() -> list[Record]:
    """Games of the mode Kokkola, played at random and scored by rules written for it."""
    lines = (Path(__file__).parents[1] / "data" / "kokkola.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]
