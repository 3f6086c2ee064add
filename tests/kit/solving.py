"""Warehouses with hands to solve, and what has been solved of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tricklog import ingest
from tricklog.core import generate
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.warehouses import open_facts
from tricklog.schemas.hand import Hand, encode_hand

Solved = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def hands_of(variant: str, count: int, seed: int = 5) -> list[Hand]:
    """Return the first hands of generated games."""
    found: list[Hand] = []
    for hand in generate(variant, games=20, seed=seed):
        found.append(hand)
        if len(found) == count:
            break
    return found


def write(path: Path, hands: Iterable[Hand]) -> Path:
    """Write hands as a log."""
    path.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
    return path


def warehouse(folder: Path, hands: Iterable[Hand]) -> Path:
    """Load hands into a warehouse below a folder, and return it."""
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
