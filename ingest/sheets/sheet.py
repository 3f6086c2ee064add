"""The score sheet of a stored game.

Every number on it was found by the engine: points, change and scores as they are stored of each
hand. Where a log has no running scores, its hands are replayed one after the other, and the scores
are those of ``tricklog.core.judging.games.Course``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.core import BadRecord, Finding, Replay, RulesetError, replay
from tricklog.core.judging.games import Course, check_game
from tricklog.core.judging.standing import counted_out, match_of
from tricklog.core.model import Verdict
from tricklog.core.render.sentences import moment_of
from tricklog.ingest.sheets.model import CountOut, Mark, Row, RowKind, Scores, ScoresBy, Sheet, Side
from tricklog.ingest.sql import run
from tricklog.ingest.store.warehouse import RecordError, hands
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import Message, plain
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import seat_labels

MOST_REPLAYED: Final = 1_000
"""Hands of a game that are replayed at most to add up scores that its log does not have."""

Stored = dict[str, Any]
"""A row of ``_HANDS``."""
Found = tuple[str, Finding]
"""A finding behind what it was seen beside: ``hand`` or ``game``."""


def sheets_of(connection: DuckDBPyConnection, game: str) -> list[Sheet]:
    """Return the score sheet of a game, by the snapshot it is stored in.

    There are several where one id stands for several games: when logs have a hand of the same
    number in it, each log has its own. None where no stored hand is of such a game.
    """
    stored = run(connection, _HANDS, {"game": game}).to_dicts()
    marks: dict[str, list[Found]] = {}
    for row in run(connection, _FINDINGS, {"game": game}).to_dicts():
        hand, scope, said = row.pop("hand_id"), row.pop("scope"), plain(row.pop("message"))
        marks.setdefault(hand, []).append((scope, Finding(**row, facts={}, said=said)))
    games = [stored] if stored else []
    numbered = {(hand["file"], hand["number"]) for hand in stored if hand["number"] is not None}
    if max(Counter(number for _, number in numbered).values(), default=0) > 1:
        files = sorted({hand["file"] for hand in stored})
        games = [[hand for hand in stored if hand["file"] == file] for file in files]
    return [_sheet(connection, game, part, marks) for part in games]


def sentences_of(tables: DuckDBPyConnection, sheet: Sheet) -> dict[tuple[str, str], Message]:
    """Return the messages of the findings of a game, by the hand and the English sentence.

    A warehouse has sentences in English. In another language the hands are judged again, each by
    itself and those of the game together; what cannot be judged again has none, nor has English.
    """
    wanted = [row.hand for row in sheet.rows if row.hand]
    if current() == ENGLISH or not any(row.marks for row in sheet.rows):
        return {}
    judged = _replays(tables, wanted)
    in_order = [judged[hand] for hand in wanted if hand in judged]
    return {
        (replayed.hand.id, finding.message): finding.said
        for replayed, found in zip(in_order, check_game(in_order), strict=True)
        for finding in (*replayed.findings, *found)
    }


def retold(tables: DuckDBPyConnection, sheet: Sheet) -> Sheet:
    """Return a score sheet with the sentences of its findings in the language of this context."""
    said = sentences_of(tables, sheet)

    def marks(row: Row) -> tuple[Mark, ...]:
        return tuple(
            replace(mark, message=str(said.get((row.hand or "", mark.message), mark.message)))
            for mark in row.marks
        )

    return replace(sheet, rows=tuple(replace(row, marks=marks(row)) for row in sheet.rows))


def _sheet(
    connection: DuckDBPyConnection, game: str, stored: list[Stored], marks: dict[str, list[Found]]
) -> Sheet:
    # The table most hands were played at, of several the first.
    table = Counter(hand["table"] for hand in stored).most_common(1)[0][0]
    there = [hand for hand in stored if hand["table"] == table]
    sides, last, policies = _sides(there[0]), there[-1], json.loads(there[-1]["policies"])
    are_open = any(hand["result"] is not None and hand["scores"] is None for hand in stored)
    adds_up = are_open and len(stored) <= MOST_REPLAYED
    ids = [hand["hand_id"] for hand in stored]
    wanted = set(ids)
    if not adds_up:
        # A wrong claim shows at the end of its hand.
        claimed = [
            hand
            for hand in ids
            if any(found.pointer.startswith("/claimed") for _, found in marks.get(hand, ()))
        ]
        wanted = set(claimed[:MOST_REPLAYED])
        if policies["match_score"] != "none" or policies["both_over"] == "count-order":
            wanted |= {hand["hand_id"] for hand in stored if hand["winner_side"] is not None}
    replays = _replays(connection, wanted)
    settled = _settled(stored, replays if adds_up else {}, len(sides))
    rows: list[Row] = []
    due = 1
    for hand in stored:
        if hand["number"] is not None:
            if hand["number"] > due:
                rows.append(Row(RowKind.MISSING, due, hand["number"] - 1))
            due = hand["number"] + 1
        found, replayed = marks.get(hand["hand_id"], ()), replays.get(hand["hand_id"])
        others = _labels(hand["players"]) if hand["table"] != table else ()
        rows.append(_row(hand, sides, found, replayed, others, settled[hand["hand_id"]]))
    _take_recorded(rows, stored, len(sides))
    ended = [place for place, row in enumerate(rows) if row.winner_side is not None]
    winner = rows[ended[-1]].winner_side if ended else None
    ending = replays.get(rows[ended[-1]].hand or "") if ended else None
    match = None if ending is None or winner is None else match_of(ending.rules, winner)
    count_out = None
    if ending is not None and (row := rows[ended[-1]]).before and row.scores:
        cards = counted_out(ending, row.before, row.scores)
        count_out = CountOut(ended[-1], row.before, cards) if cards else None
    start = _per_side(stored[0]["scores_before"], len(sides)) or (0,) * len(sides)
    days = [hand["day"] for hand in stored if hand["day"] is not None]
    return Sheet(
        game=game,
        files=tuple(sorted({hand["file"] for hand in stored})),
        variant=last["variant"],
        title=one_line(last["title"]),
        target=int(policies["target"]),
        lowest=int(policies["lose_at"]) or None,
        in_game_points=last["scored_in"] == "game points",
        first_day=next(iter(days), None),
        last_day=max(days, default=None),
        sides=sides,
        # A game begins at nothing (0.record).
        start=start if stored[0]["number"] == 1 else None,
        rows=tuple(rows),
        winner=winner,
        match=match if match and any(match) else None,
        count_out=count_out,
        scores_left_open=are_open and not adds_up,
    )


def _sides(hand: Stored) -> tuple[Side, ...]:
    labels = _labels(hand["players"])
    seats_of: list[list[int]] = [[] for _ in range(max(hand["seat_sides"]) + 1)]
    for seat, side in enumerate(hand["seat_sides"]):
        seats_of[side].append(seat)
    return tuple(
        Side(
            tuple(hand["players"][seat]["id"] for seat in seats),
            " & ".join(labels[seat] for seat in seats),
        )
        for seats in seats_of
    )


def _labels(players: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(seat_labels((each["id"], each["name"] or each["id"]) for each in players))


def _row(
    hand: Stored,
    sides: Sequence[Side],
    found: Sequence[Found],
    replayed: Replay | None,
    others: tuple[str, ...],
    settled: dict[str, Any],
) -> Row:
    labels, maker = _labels(hand["players"]), hand["maker"]
    maker_side: int | None = None if maker is None else hand["seat_sides"][maker]
    if hand["result"] is not None:
        is_played = hand["result"] in {"made", "set", "void"}
        kind = RowKind.PLAYED if is_played else RowKind.THROWN_IN
    else:
        kind = _WITHOUT_RESULT.get(hand["verdict"], RowKind.INCOMPLETE)
    return Row(
        kind=kind,
        last_number=hand["number"],
        hand=hand["hand_id"],
        verdict=Verdict(hand["verdict"]),
        dealer=None if hand["dealer"] is None else labels[hand["dealer"]],
        maker=None if maker is None else labels[maker],
        maker_side=maker_side if (maker_side or 0) < len(sides) else None,
        points=_per_side(hand["points"], len(sides)),
        marks=tuple(
            Mark(
                code=finding.code,
                step=finding.action if replayed is None else moment_of(finding, replayed),
                scope=scope,
                message=finding.message,
            )
            for scope, finding in found
        ),
        doubts=tuple(map(one_line, hand["doubts"])),
        others=others,
        **{name: hand[name] for name in _AS_STORED},
        **settled,
    )


_WITHOUT_RESULT: Final = {
    Verdict.PARTIAL: RowKind.NOT_RECORDED,
    Verdict.REJECTED: RowKind.REJECTED,
}
_AS_STORED: Final = (
    *("number", "result", "bid", "need", "forced", "no_contract", "alone", "trump", "stake"),
)


def _per_side(values: Sequence[int] | None, count: int) -> Scores | None:
    """Return one number a side; ``None`` where another table has another number of sides."""
    return None if values is None or len(values) != count else tuple(values)


def _settled(
    stored: Sequence[Stored], replays: dict[str, Replay], count: int
) -> dict[str, dict[str, Any]]:
    """Return what each hand added, and how the game then stood, by the ids of the hands.

    Where nothing of it is stored, scores are carried from hand to hand of the replayed ones.
    """
    settled, course = {}, Course()
    for hand in stored:
        scores = _per_side(hand["scores"], count)
        change = _per_side(hand["change"], count)
        winner = None if scores is None else hand["winner_side"]
        if (replayed := replays.get(hand["hand_id"])) is None:
            course = Course()
        else:
            won, before = course.winner, course.scores
            course.check(replayed)
            if hand["scores"] is None and course.scores is not None:
                scores = _per_side(course.scores, count)
                if scores is not None:
                    start = before if before and len(before) == count else (0,) * count
                    change = tuple(new - old for new, old in zip(scores, start, strict=True))
                winner = course.winner if course.winner != won else winner
        by = None if scores is None else ScoresBy.RULES
        settled[hand["hand_id"]] = {
            "change": change,
            "scores": scores,
            "scores_by": by,
            "winner_side": winner,
        }
    return settled


def _take_recorded(rows: list[Row], stored: Sequence[Stored], count: int) -> None:
    """Fill in the scores after a hand without a result from the record of the hand after it."""
    before = {hand["hand_id"]: _per_side(hand["scores_before"], count) for hand in stored}
    for place, row in enumerate(rows[:-1]):
        scores = before.get(rows[place + 1].hand or "")
        if row.scores is None and row.kind != RowKind.PLAYED and scores is not None:
            rows[place] = replace(row, scores=scores, scores_by=ScoresBy.RECORD)


def _replays(connection: DuckDBPyConnection, wanted: Collection[str]) -> dict[str, Replay]:
    """Return hands replayed, by id, without those that cannot be any more."""
    found = {}
    for stored in hands(connection, list(wanted)) if wanted else ():
        try:
            found[stored.id] = replay(stored.hand)
        except (BadRecord, RecordError, RulesetError):
            continue
    return found


# Hands without a number come first, in the order in which their log has them.
_HANDS: Final = """
SELECT
    hand_id, file, hand AS number, day, dealer, scores_before, verdict, doubts, result, maker, bid,
    need, trump_code AS trump, coalesce(forced, false) AS forced,
    coalesce(no_contract, false) AS no_contract, alone_by AS alone, stake, points, change, scores,
    winner_side, players, seat_sides,
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
SELECT hand_id, scope, message, code, "action", pointer, seat, rule
FROM findings
WHERE hand_id IN (SELECT hand_id FROM hands WHERE game = $game)
ORDER BY hand_id, scope DESC, ordinal
"""
