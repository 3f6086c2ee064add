"""From replayed hands to rows: one Arrow table a chunk, with the columns of ``warehouse.sql``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec
import pyarrow as pa
from msgspec import UNSET

from tricklog.core import Finding, Replay, Ruleset
from tricklog.core.engine import facts
from tricklog.core.engine.facts import NOT_KNOWN, SeatFacts, note_facts, trump_suit
from tricklog.core.engine.records import NO_TRUMPS
from tricklog.ingest import sql
from tricklog.ingest.reading.intake import RejectRow
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.store import record_codec
from tricklog.schemas.hand import Claimed, Hand, Player

_ARROW: Final = {
    "BIGINT": pa.int64(),
    "BLOB": pa.binary(),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    "INTEGER": pa.int32(),
    "SMALLINT": pa.int16(),
    "TIMESTAMP": pa.timestamp("us"),
    "TINYINT": pa.int8(),
    "USMALLINT": pa.uint16(),
    "UTINYINT": pa.uint8(),
    "UUID": pa.uuid(),
    "VARCHAR": pa.string(),
}
"""The Arrow type of each SQL type that ``warehouse.sql`` uses, but for lists and structs."""


def types_of(table: str) -> dict[str, pa.DataType]:
    """Return the columns of a table of ``warehouse.sql`` in order, with their Arrow types."""
    return {name: _arrow(kind) for name, kind in sql.columns_of(table).items()}


def _arrow(kind: str) -> pa.DataType:
    if kind.endswith("[]"):
        return pa.list_(_arrow(kind[:-2]))
    if kind.startswith("STRUCT("):
        fields = [field.split() for field in kind[len("STRUCT(") : -1].split(",")]
        return pa.struct([(name, _arrow(each)) for name, each in fields])
    return _ARROW[kind]


HAND_TYPES: Final = types_of("hands")
SEATING_TYPES: Final = types_of("seatings")
FINDING_TYPES: Final = types_of("findings")
RULESET_TYPES: Final = types_of("rulesets")
REJECT_TYPES: Final = {
    name: kind for name, kind in types_of("rejects").items() if name != "import_id"
}
"""Those of a rejected line before it is known with which load it comes."""

MAX_TITLE: Final = 1_000
"""Characters of the title and family of rules that their table keeps; the seatings keep all."""

Row = tuple[Any, ...]


class Seatings:
    """Who sat where under which rules: each seating of a chunk of hands gets one number.

    What is kept is as large as a chunk, however long the load; so a seating that comes back in a
    later chunk gets another number, and ``rows`` is emptied between chunks by ``clear``.
    """

    def __init__(self, first: int) -> None:
        self.rows: list[Row] = []
        self._next = first
        self._numbers: dict[tuple[Any, ...], int] = {}

    def number(self, hand: Hand, ruleset: Ruleset) -> int:
        """Return the number of the hand's seating, a new one at its first hand."""
        key = record_codec.rules_of(hand), tuple(hand.players)
        return self._numbered(key, lambda new: seating_row(new, key[0], hand.players, ruleset))

    def renumber(self, row: Row) -> int:
        """Return the number of a seating that was numbered elsewhere, whose row is given."""
        _, _, rules, people, _ = row
        key = rules, tuple(tuple(each.values()) for each in people)
        return self._numbered(key, lambda new: (new, *row[1:]))

    def _numbered(self, key: tuple[Any, ...], made: Callable[[int], Row]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._next
            self._next += 1
            self.rows.append(made(number))
        return number

    def clear(self) -> None:
        """Forget the seatings so far, whose rows have been written."""
        self.rows.clear()
        self._numbers.clear()


def seating_row(number: int, rules: str, players: Sequence[Player], ruleset: Ruleset) -> Row:
    """Return the row of table seatings, in the order of ``SEATING_TYPES``."""
    people = [
        {"id": each.id, "name": each.name or None, "kind": each.kind or None} for each in players
    ]
    sides = [ruleset.side_of(seat) for seat in range(len(people))]
    return number, ruleset.hash, rules, people, sides


def hand_row(
    line: LogLine, content: bytes, replay: Replay, hand_no: int, import_id: int, seating: int
) -> Row:
    """Return the row of table hands; ``content`` is its ``content_hash`` as bytes."""
    hand, workspace = replay.hand, replay.workspace
    history = workspace.history
    moment = record_codec.moment_of(hand)
    deeds, kept, rest = record_codec.deeds_of(hand, workspace)
    # Details are left out that follow from the deeds carried out, as far as column deeds has them.
    shown = min(replay.played, kept)
    suit = NO_TRUMPS if replay.outcome is None else trump_suit(workspace.result)
    outcome = replay.known_outcome or replay.outcome
    confirmed, told = None, replay.outcome
    if told is not None and told.scores is not None and not replay.known_outcome:
        # What a record claims that agrees with the rules on every count.
        confirmed = Claimed(list(told.points), list(told.change), list(told.scores))
    return (
        hand_no,
        hand.id,
        content,
        import_id,
        line.file,
        line.line,
        hand.game or None,
        hand.hand or None,
        moment and moment.started_at,
        moment and moment.day,
        seating,
        None if hand.dealer is UNSET else hand.dealer,
        None if hand.scores is UNSET else hand.scores,
        record_codec.written(facts.write_deal, workspace),
        deeds,
        rest + record_codec.tail_of(hand, moment, confirmed),
        replay.verdict.value,
        replay.doubts,
        replay.played,
        *((None,) * len(_OUTCOME) if outcome is None else _outcome_columns(outcome)),
        record_codec.written(facts.write_details, workspace, shown),
        [facts.trick_of(history, trick) for trick in range(history.tricks)],
        [
            facts.capture_of(workspace, replay.rules, suit, capture)
            for capture in range(history.captures)
        ],
        []
        if replay.has_gaps
        else [facts.call_of(workspace, call) for call in range(history.calls)],
        seat_facts(replay),
    )


def seat_facts(replay: Replay) -> list[tuple[int | None, ...]]:
    """Return what figures count of each seat, of a record with gaps only how the scores stood."""
    seats = range(replay.rules.seats)
    if replay.has_gaps:
        before = replay.hand.whole_scores or None
        after = replay.known_outcome.scores if replay.known_outcome else None
        found = []
        for side in map(replay.ruleset.side_of, seats):
            leads = {"lead_before": _lead(before, side), "lead_after": _lead(after, side)}
            found.append(tuple(leads.get(name) for name in SeatFacts.__slots__))
        return found
    facts = SeatFacts()
    has_outcome = replay.outcome is not None
    note_facts(replay.workspace, replay.rules, facts, replay.played, has_outcome)
    noted = [getattr(facts, name) for name in SeatFacts.__slots__]
    return [
        tuple(None if each[seat] == NOT_KNOWN else each[seat] for each in noted) for seat in seats
    ]


def _lead(scores: Sequence[int] | None, side: int) -> int | None:
    """Return the score of a side less the best of the others."""
    if scores is None or side >= len(scores):
        return None
    return scores[side] - max(value for other, value in enumerate(scores) if other != side)


_OUTCOME: Final = (
    *("result", "maker", "bid", "need", "trump", "forced", "no_contract", "alone", "stake"),
    *("points", "change", "scores", "winner_side"),
)
_outcome_columns: Final = attrgetter(*_OUTCOME)


def finding_rows(hand_id: str, scope: str, findings: Sequence[Finding]) -> list[Row]:
    """Return the rows of table findings, in the order of ``FINDING_TYPES``."""
    return [
        (
            *(hand_id, scope, ordinal, finding.code, finding.action, finding.pointer),
            *(finding.seat, _json(finding.facts), finding.legal, finding.rule, finding.message),
        )
        for ordinal, finding in enumerate(findings)
    ]


def ruleset_row(ruleset: Ruleset) -> Row:
    """Return the row of table rulesets, in the order of ``RULESET_TYPES``."""
    return (
        ruleset.hash,
        ruleset.id,
        ruleset.version,
        ruleset.title[:MAX_TITLE],
        ruleset.family[:MAX_TITLE],
        ruleset.total_points,
        "game points" if ruleset.values["made"] == "game-point" else "card points",
        _json(ruleset.options),
        _json(ruleset.values),
    )


def words_of(ruleset: Row) -> tuple[int, str, str, str]:
    """Return the key by which rows of one ruleset are compared: that with the least stays."""
    title, family, options = ruleset[3], ruleset[4], ruleset[7]
    return len(options), options, title, family


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def to_table(types: dict[str, pa.DataType], rows: Sequence[Row] | Sequence[RejectRow]) -> pa.Table:
    """Return rows as an Arrow table with the given columns."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    arrays = [
        pa.array(column, type_) for type_, column in zip(types.values(), columns, strict=True)
    ]
    return pa.table(arrays, names=list(types))
