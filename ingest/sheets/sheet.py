"""The score sheet of a stored game.

Every number on it was found by the engine: points, change and scores as they are stored of each
hand. Where a log has no running scores, its hands are replayed one after the other, and the scores
are those of ``tricklog.core.judging.games.Course``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.core import BadRecord, Finding, Replay, RulesetError, replay
from tricklog.core.judging.games import Course
from tricklog.core.judging.standing import counted_out, match_of
from tricklog.core.model import Verdict
from tricklog.core.render.sentences import moment_of
from tricklog.ingest.sheets.model import CountOut, Mark, Row, RowKind, Scores, ScoresBy, Sheet, Side
from tricklog.ingest.sql import run
from tricklog.ingest.store import warehouse
from tricklog.ingest.store.warehouse import RecordError, read_record
from tricklog.schemas.languages.messages import plain
from tricklog.schemas.printable import one_line

MOST_REPLAYED: Final = 1_000
"""Hands of a game that are replayed at most to add up scores that its log does not have."""
_RESULTS: Final = frozenset({"made", "set", "void"})

Stored = dict[str, Any]
"""A row of ``_HANDS``."""
Found = tuple[str, Finding]
"""A finding behind what it was seen beside: ``hand`` or ``game``."""


def sheets_of(connection: DuckDBPyConnection, game: str) -> list[Sheet]:
    """Return the score sheet of a game, by the snapshot it is stored in.

    There are several where one id stands for several games: when logs have a hand of the same
    number in it, each log has its own. None where no stored hand is of such a game.
    """
    hands = run(connection, _HANDS, {"game": game}).to_dicts()
    marks = _findings(connection, game)
    return [_sheet(connection, game, part, marks) for part in _games_in(hands)]


def _games_in(hands: Sequence[Stored]) -> list[list[Stored]]:
    """Return the hands by game: all of them, or those of each log where numbers come twice."""
    files = list(dict.fromkeys(hand["file"] for hand in hands))
    numbered = {(hand["file"], hand["hand"]) for hand in hands if hand["hand"] is not None}
    times = Counter(number for _, number in numbered)
    if len(files) == 1 or max(times.values(), default=0) <= 1:
        return [list(hands)] if hands else []
    return [[hand for hand in hands if hand["file"] == file] for file in sorted(files)]


def _sheet(
    connection: DuckDBPyConnection, game: str, hands: list[Stored], marks: dict[str, list[Found]]
) -> Sheet:
    table = _table(hands)
    sides = _sides(hands, table)
    last = next(hand for hand in reversed(hands) if hand["table"] == table)
    policies = json.loads(last["policies"])
    settled = _Scores(hands, len(sides))
    wanted = _worth_replaying(hands, marks, policies, adding_up=settled.are_open)
    replays = _replays(connection, game, wanted) if wanted else {}
    if settled.are_open and len(hands) <= MOST_REPLAYED:
        settled.add_up(replays)
    stored = [
        _row(
            hand, table, sides, _marks(marks.get(hand["hand_id"], []), replays.get(hand["hand_id"]))
        )
        for hand in hands
    ]
    rows = _with_missing(
        [
            replace(row, **settled.of[hand["hand_id"]])
            for hand, row in zip(hands, stored, strict=True)
        ]
    )
    rows = _with_recorded_scores(rows, {hand["hand_id"]: hand for hand in hands}, len(sides))
    ended = [place for place, row in enumerate(rows) if row.winner_side is not None]
    winner = rows[ended[-1]].winner_side if ended else None
    ending = replays.get(rows[ended[-1]].hand or "") if ended else None
    days = [hand["day"] for hand in hands if hand["day"] is not None]
    return Sheet(
        game=game,
        files=tuple(sorted({hand["file"] for hand in hands})),
        variant=last["variant"],
        title=one_line(last["title"]),
        target=int(policies["target"]),
        lowest=int(policies["lose_at"]) or None,
        in_game_points=last["scored_in"] == "game points",
        first_day=next(iter(days), None),
        last_day=max(days, default=None),
        sides=sides,
        start=_start(hands[0], len(sides)),
        rows=tuple(rows),
        winner=winner,
        match=_match(ending, winner),
        count_out=None if ending is None else _count_out(ending, rows, ended[-1]),
        scores_left_open=settled.are_open and len(hands) > MOST_REPLAYED,
    )


# --- The table


def _table(hands: Sequence[Stored]) -> str:
    """Return the table most hands were played at, of several the first."""
    return str(Counter(hand["table"] for hand in hands).most_common(1)[0][0])


def _sides(hands: Sequence[Stored], table: str) -> tuple[Side, ...]:
    hand = next(hand for hand in hands if hand["table"] == table)
    labels = _labels(hand["players"])
    members: list[list[int]] = [[] for _ in range(max(hand["seat_sides"]) + 1)]
    for seat, side in enumerate(hand["seat_sides"]):
        members[side].append(seat)
    return tuple(
        Side(
            tuple(hand["players"][seat]["id"] for seat in seats),
            " & ".join(labels[seat] for seat in seats),
        )
        for seats in members
    )


def _labels(players: Sequence[dict[str, Any]]) -> list[str]:
    """Return what to call each player, by seat; players who share a name get their seat with it."""
    names = [
        one_line(player["name"] or player["id"]).strip() or f"seat {seat}"
        for seat, player in enumerate(players)
    ]
    return [
        f"{name} (seat {seat})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


# --- Rows


def _row(hand: Stored, table: str, sides: tuple[Side, ...], marks: tuple[Mark, ...]) -> Row:
    labels = _labels(hand["players"])
    maker = hand["maker"]
    return Row(
        kind=_kind(hand),
        number=hand["hand"],
        last_number=hand["hand"],
        hand=hand["hand_id"],
        verdict=Verdict(hand["verdict"]),
        dealer=None if hand["dealer"] is None else labels[hand["dealer"]],
        maker=None if maker is None else labels[maker],
        maker_side=_maker_side(hand, len(sides)),
        result=hand["result"],
        bid=hand["bid"],
        need=hand["need"],
        forced=bool(hand["forced"]),
        no_contract=bool(hand["no_contract"]),
        alone=hand["alone_by"],
        trump=hand["trump_code"],
        stake=hand["stake"],
        points=_per_side(hand["points"], len(sides)),
        marks=marks,
        doubts=tuple(map(one_line, hand["doubts"])),
        others=() if hand["table"] == table else tuple(labels),
    )


def _maker_side(hand: Stored, count: int) -> int | None:
    if hand["maker"] is None:
        return None
    side = int(hand["seat_sides"][hand["maker"]])
    return side if side < count else None


def _kind(hand: Stored) -> RowKind:
    if hand["result"] in _RESULTS:
        return RowKind.PLAYED
    if hand["result"] is not None:
        return RowKind.THROWN_IN
    if hand["verdict"] == Verdict.PARTIAL:
        return RowKind.NOT_RECORDED
    return RowKind.REJECTED if hand["verdict"] == Verdict.REJECTED else RowKind.INCOMPLETE


def _per_side(values: Sequence[int] | None, count: int) -> Scores | None:
    """Return one number a side; ``None`` where another table has another number of sides."""
    return None if values is None or len(values) != count else tuple(values)


def _with_missing(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with one more wherever numbers are missing, from hand 1 on."""
    whole: list[Row] = []
    due = 1
    for row in rows:
        if row.number is not None and row.number > due:
            whole.append(Row(RowKind.MISSING, due, row.number - 1))
        if row.number is not None:
            due = row.number + 1
        whole.append(row)
    return whole


def _marks(found: Sequence[Found], replayed: Replay | None) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            code=finding.code,
            step=finding.action if replayed is None else moment_of(finding, replayed),
            scope=scope,
            message=finding.message,
        )
        for scope, finding in found
    )


# --- Scores


class _Scores:
    """What each hand of a game added, and how the game then stood, by the ids of the hands."""

    def __init__(self, hands: Sequence[Stored], count: int) -> None:
        self._hands = hands
        self._count = count
        self.of: dict[str, dict[str, Any]] = {hand["hand_id"]: self._stored(hand) for hand in hands}
        self.are_open: bool = any(
            hand["result"] is not None and hand["scores"] is None for hand in hands
        )
        """Whether a hand has a result, and its log no scores to add it to."""

    def _stored(self, hand: Stored) -> dict[str, Any]:
        scores = _per_side(hand["scores"], self._count)
        return {
            "change": _per_side(hand["change"], self._count),
            "scores": scores,
            "scores_by": None if scores is None else ScoresBy.RULES,
            "winner_side": None if scores is None else hand["winner_side"],
        }

    def add_up(self, replays: dict[str, Replay]) -> None:
        """Carry the scores from hand to hand, as far as all hands are there to be replayed."""
        course = Course()
        for hand in self._hands:
            replayed = replays.get(hand["hand_id"])
            if replayed is None:
                course = Course()
                continue
            won, before = course.winner, course.scores
            course.check(replayed)
            if hand["scores"] is not None or course.scores is None:
                continue
            self._settle(hand["hand_id"], before, course.scores)
            if course.winner != won:
                self.of[hand["hand_id"]]["winner_side"] = course.winner

    def _settle(self, hand_id: str, before: Sequence[int] | None, after: Sequence[int]) -> None:
        scores = _per_side(after, self._count)
        if scores is None:
            return
        entry = self.of[hand_id]
        entry["scores"], entry["scores_by"] = scores, ScoresBy.RULES
        start = before if before is not None and len(before) == len(scores) else [0] * len(scores)
        entry["change"] = tuple(new - old for new, old in zip(scores, start, strict=True))


def _start(first: Stored, count: int) -> Scores | None:
    """Return the scores before the first hand of a game, which begins at nothing (0.record)."""
    if first["hand"] != 1:
        return None
    return _per_side(first["scores_before"], count) or (0,) * count


def _with_recorded_scores(rows: list[Row], hands: dict[str, Stored], count: int) -> list[Row]:
    """Fill in the scores after a hand without a result from the record of the hand after it."""
    filled = list(rows)
    for place, row in enumerate(rows[:-1]):
        following = hands.get(rows[place + 1].hand or "")
        if row.scores is None and row.kind != RowKind.PLAYED and following:
            scores = _per_side(following["scores_before"], count)
            if scores is not None:
                filled[place] = replace(row, scores=scores, scores_by=ScoresBy.RECORD)
    return filled


# --- What takes a replay


def _worth_replaying(
    hands: Sequence[Stored],
    marks: dict[str, list[Found]],
    policies: dict[str, Any],
    *,
    adding_up: bool,
) -> set[str]:
    """Return the hands of which more is asked than is stored of them."""
    if adding_up and len(hands) <= MOST_REPLAYED:
        return {hand["hand_id"] for hand in hands}
    # A wrong claim shows at the end of its hand.
    claimed = [
        hand["hand_id"]
        for hand in hands
        if any(each.pointer.startswith("/claimed") for _, each in marks.get(hand["hand_id"], []))
    ]
    wanted = set(claimed[:MOST_REPLAYED])
    if policies["match_score"] != "none" or policies["both_over"] == "count-order":
        wanted |= {hand["hand_id"] for hand in hands if hand["winner_side"] is not None}
    return wanted


def _replays(connection: DuckDBPyConnection, game: str, wanted: set[str]) -> dict[str, Replay]:
    """Return hands of a game replayed, by id, without those that cannot be any more."""
    found = {}
    for columns in warehouse.records(connection, "game = $game", {"game": game}):
        if columns[0] not in wanted:
            continue
        try:
            found[columns[0]] = replay(read_record(columns)[1])
        except (BadRecord, RecordError, RulesetError):
            continue
    return found


def _match(ending: Replay | None, winner: int | None) -> Scores | None:
    if ending is None or winner is None:
        return None
    counts = match_of(ending.rules, winner)
    return counts if any(counts) else None


def _count_out(ending: Replay, rows: Sequence[Row], place: int) -> CountOut | None:
    row = rows[place]
    if row.scores is None or row.change is None:
        return None
    before = tuple(score - added for score, added in zip(row.scores, row.change, strict=True))
    cards = counted_out(ending, before, row.scores)
    return CountOut(place, before, cards) if cards else None


# --- What is stored


def _findings(connection: DuckDBPyConnection, game: str) -> dict[str, list[Found]]:
    """Return the findings of the hands of a game by hand, its own before those of the game."""
    found: dict[str, list[Found]] = {}
    for row in run(connection, _FINDINGS, {"game": game}).iter_rows(named=True):
        finding = Finding(
            code=row["code"],
            action=row["action"],
            pointer=row["pointer"],
            seat=row["seat"],
            facts={},
            rule=row["rule"],
            said=plain(row["message"]),
        )
        found.setdefault(row["hand_id"], []).append((row["scope"], finding))
    return found


# Hands without a number come first, in the order in which their log has them.
_HANDS: Final = """
SELECT
    hand_id, file, hand, day, dealer, scores_before, verdict, doubts, result, maker, bid, need,
    trump_code, forced, no_contract, alone_by, stake, points, change, scores, winner_side, players,
    seat_sides,
    to_json({'sides': seat_sides, 'players': [each.id FOR each IN players]})::VARCHAR AS "table",
    variant, title, scored_in, policies
FROM hands
JOIN seatings USING (seating_id)
JOIN rulesets USING (ruleset)
WHERE game = $game
ORDER BY
    hand NULLS FIRST,
    CASE WHEN hand IS NULL THEN file END,
    CASE WHEN hand IS NULL THEN line END,
    started_at,
    hand_id
"""
_FINDINGS: Final = """
SELECT hand_id, scope, code, "action", pointer, seat, rule, message
FROM findings
WHERE hand_id IN (SELECT hand_id FROM hands WHERE game = $game)
ORDER BY hand_id, scope DESC, ordinal
"""
