"""Warehouses with hands to solve, and what has been solved of them."""

from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from tricklog import Hand, encode_hand, generate, ingest, open_facts
from tricklog.ingest.study.frames import study_list

Solved = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def hands_of(variant: str, count: int, seed: int = 5) -> list[Hand]:
    return list(islice(generate(variant, games=20, seed=seed), count))


@cache
def few() -> list[Hand]:
    """Return hands of a game that is solved in a moment; nobody changes them."""
    return hands_of("pidro", 14)


def write(path: Path, hands: Iterable[Hand]) -> Path:
    path.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
    return path


def warehouse(folder: Path, hands: Iterable[Hand]) -> Path:
    ingest.load(write(folder / "log.jsonl", hands), db=folder / "db")
    return folder / "db"


def known(db: str | Path) -> Solved:
    """Return what readers see of solved hands and decisions, by the ids of hands."""
    with open_facts(db) as facts:
        return (
            sorted(
                study_list(facts, "solved_hands").to_dicts(), key=lambda row: str(row["hand_id"])
            ),
            sorted(
                study_list(facts, "decision_rows").to_dicts(),
                key=lambda row: (row["hand_id"], row["action"], row["deed"]),
            ),
        )
