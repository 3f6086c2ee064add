"""The careful lane: hands replayed one by one, many of them on all cores.

What is done elsewhere gives plain values: rows of tables. In which process and in which portions it
is done does not show in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tricklog.core import Replay, Ruleset, Verdict, replay
from tricklog.core.judging.games import Course
from tricklog.ingest.loading.auditing import Judged, judged_game, judged_one_by_one
from tricklog.ingest.loading.workers import Aside, Done, Task, Team
from tricklog.ingest.reading.intake import (
    Intake,
    LongGame,
    SpooledHand,
    SpooledRow,
    spooled_hand,
)
from tricklog.ingest.store import rows

PORTION: Final = 1 << 17
"""Bytes of games that are a task, about; a game is never divided."""
WORTH_REPLAYING: Final = 2_000
"""Hands from which on it pays to start processes that replay them."""


class JudgedHand(NamedTuple):
    """What the rules make of a hand, as rows; hands judged together share seatings and rules."""

    id: str
    stored: bool
    """Whether the hand came from the warehouse: only its findings are new."""
    sequence: int
    """Its number in the intake."""
    size: int
    """Bytes of its line."""
    verdict: Verdict
    seating: rows.Row
    ruleset: rows.Row
    row: rows.Row
    """The row of table hands, but for the numbers of hand and seating; empty for a stored hand."""
    findings: list[rows.Row]
    """Those of its game, then those of the hand itself unless it is stored."""


class Games(NamedTuple):
    """Games to be judged, none of whose hands was checked before."""

    import_id: int
    games: list[list[SpooledRow]]


def judged_rows(intake: Intake, import_id: int, team: Team) -> Iterator[JudgedHand]:
    """Judge the hands of the intake, game by game, with a team when there are many."""
    some = team if intake.hand_count() >= WORTH_REPLAYING else Team(1)
    for done in some.do(_judging_tasks(intake, import_id)):
        if isinstance(done, Done):
            yield from done.result
        else:
            for judged in judged_one_by_one(intake, done.part, _replayed):
                yield from _in_rows([judged], import_id)


def _judging_tasks(
    intake: Intake, import_id: int
) -> Iterator[Task[Games, list[JudgedHand]] | Aside[LongGame]]:
    games: list[list[SpooledRow]] = []
    size = 0
    for game in intake.games_unread():
        if not isinstance(game, LongGame):
            games.append(game)
            size += sum(len(row.text) for row in game)
        if games and (size >= PORTION or isinstance(game, LongGame)):
            yield Task(judge_games, Games(import_id, games), size)
            games, size = [], 0
        if isinstance(game, LongGame):
            yield Aside(game)
    if games:
        yield Task(judge_games, Games(import_id, games), size)


def judge_games(given: Games) -> list[JudgedHand]:
    """Replay games in whatever process this is."""
    judged = (
        each
        for game in given.games
        for each in judged_game([spooled_hand(row) for row in game], Course(), _replayed)
    )
    return list(_in_rows(judged, given.import_id))


def _replayed(spooled: SpooledHand) -> Replay:
    return replay(spooled.hand)


def _in_rows(judged: Iterable[Judged], import_id: int) -> Iterator[JudgedHand]:
    seatings = rows.Seatings(0)
    rulesets: dict[int, tuple[Ruleset, rows.Row]] = {}
    for spooled, replayed, found in judged:
        hand, noted, ruleset = spooled.hand, spooled.row, replayed.ruleset
        seating = seatings.number(hand, ruleset)
        if id(ruleset) not in rulesets:
            rulesets[id(ruleset)] = ruleset, rows.ruleset_row(ruleset)
        row: rows.Row = ()
        findings = rows.finding_rows(hand.id, "game", found)
        if not noted.stored:
            content = bytes.fromhex(noted.content)
            row = rows.hand_row(spooled.line, content, replayed, 0, import_id, seating)
            findings += rows.finding_rows(hand.id, "hand", replayed.findings)
        yield JudgedHand(
            id=hand.id,
            stored=bool(noted.stored),
            sequence=noted.sequence,
            size=len(noted.text),
            verdict=replayed.verdict,
            seating=seatings.rows[seating],
            ruleset=rulesets[id(ruleset)][1],
            row=row,
            findings=findings,
        )
