"""How the files of each table of a lake are written: their order, their statistics, their parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tricklog.ingest.metrics import rolls

_ROW_GROUP: Final = 122_880


@dataclass(frozen=True, slots=True)
class Layout:
    """How the files of a table are written."""

    sorted_by: tuple[str, ...]
    """Columns by which the rows of a file are sorted; the first also splits an export."""
    statistics: tuple[str, ...] = ()
    """Columns of which the lowest and the highest value of a file are known before it is read."""
    row_group: int = _ROW_GROUP
    """Rows of a row group, at most."""
    deltas: tuple[str, ...] = ()
    """Columns of numbers that are stored as what they differ from the one before."""
    extra: dict[str, str] = field(default_factory=dict)
    """Columns that the tables of a warehouse lack, and their SQL types."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Columns that a reader makes again, and the SQL that does."""


SOLVER: Final = "solver"
"""The column of tables of solved hands that says by which version they were made."""


def _of_solved(*within: str, row_group: int = _ROW_GROUP) -> Layout:
    """Return the layout of a table of solved hands, sorted by hand and ``within`` it."""
    order, by_solver = ("hand_no", *within), {SOLVER: "VARCHAR"}
    return Layout(order, ("hand_no", SOLVER), row_group, deltas=("hand_no",), extra=by_solver)


LAYOUTS: Final = {
    "hands": Layout(
        ("hand_no",),
        ("hand_no", "import_id", "day"),
        row_group=20_480,
        deltas=("hand_no", "line", "started_at"),
    ),
    "ids": Layout(
        ("id_hash",),
        ("id_hash",),
        row_group=65_536,
        deltas=("id_hash", "hand_no"),
        extra={"id_hash": "UBIGINT", "content": "BLOB", "hand_no": "BIGINT"},
    ),
    "seatings": Layout(
        ("seating_id",),
        ("seating_id",),
        deltas=("seating_id",),
        extra={
            "hands": "INTEGER",
            "latest": 'STRUCT("at" TIMESTAMP, id VARCHAR)',
        },
    ),
    "rulesets": Layout(("ruleset",)),
    "findings": Layout(
        ("hand_no", "scope", "ordinal"),
        ("hand_no", "game_no"),
        deltas=("hand_no", "game_no"),
        extra={"hand_no": "BIGINT", "game_no": "BIGINT"},
    ),
    "games": Layout(
        ("game_hash",),
        ("game_hash", "game_no", "first_day", "last_day"),
        row_group=16_384,
        deltas=("game_hash", "game_no"),
        extra={"game_hash": "UBIGINT", "hand_nos": "BIGINT[]"},
    ),
    "rejects": Layout(("reject",), ("import_id",), row_group=8_192),
    "imports": Layout(("import_id",), ("import_id",)),
    "long_texts": Layout(("text_hash", "piece"), row_group=2_048),
    "chairs": Layout(("chair",), ("chair", "seating_id"), deltas=("chair", "seating_id")),
    "seat_rows": Layout(
        ("game_no", "hand_no", "seat"),
        ("game_no", "hand_no", "chair", "day"),
        row_group=245_760,
        deltas=("game_no", "hand_no"),
        left_out={"first_of_hand": "seat = 0"},
    ),
    "card_rows": Layout(
        ("game_no", "hand_no", "seat"),
        ("game_no", "hand_no", "chair", "day"),
        row_group=245_760,
        deltas=("game_no", "hand_no"),
        left_out={"kept": "won_by <> 'opponents'"},
    ),
    "game_facts": Layout(("game_no", "seat"), ("game_no", "day"), deltas=("game_no",)),
    "finding_facts": Layout(
        ("game_no", "hand_no"), ("game_no", "hand_no", "day"), deltas=("game_no", "hand_no")
    ),
    "tallies": Layout(("game_no", "seat"), ("game_no", "day"), deltas=("game_no",)),
    "sessions": Layout(("day", "session"), ("day", "session")),
    rolls.TABLE: Layout(rolls.ORDER, ("day",), row_group=40_960, extra=rolls.types()),
    rolls.REST: Layout(rolls.REST_ORDER, ("day", "game_no"), extra=rolls.rest_types()),
    "solved_hands": _of_solved(),
    "decision_rows": _of_solved("action", row_group=245_760),
    "hidden_hands": _of_solved(),
    "hidden_rows": _of_solved("action"),
    "par_hands": _of_solved(),
    "par_sides": _of_solved("side_no"),
    "ledger_rows": _of_solved("part", "seat"),
    "ledger_seats": _of_solved("seat"),
    "superseded": Layout(
        ("game_no",),
        ("game_no", "load"),
        deltas=("game_no",),
        extra={"game_no": "BIGINT", "load": "INTEGER"},
    ),
}
"""All tables but ``snapshots``: ``tricklog.ingest.lake.publish`` says of them what is published."""
BY_GAME: Final = (
    "games", "findings", "seat_rows", "card_rows", "game_facts", "finding_facts", "tallies",
    rolls.REST,
)  # fmt: skip
"""Tables of which the rows of superseded games do not count."""
