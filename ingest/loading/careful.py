"""The careful lane: lines read and hands replayed one by one, many of them on all cores.

What is done elsewhere gives plain values: what the intake notes of a hand, and rows of tables. In
which process and in which portions it is done does not show in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tricklog.core import Replay, Ruleset, Verdict, replay
from tricklog.core.judging.games import Course
from tricklog.ingest.loading.auditing import Judged, judged_game, judged_one_by_one, rules_trouble
from tricklog.ingest.loading.workers import Aside, Done, Task, Team, do_here
from tricklog.ingest.reading.intake import (
    Entry,
    Intake,
    LongGame,
    SpooledHand,
    SpooledRow,
    entry_of,
    spooled_hand,
)
from tricklog.ingest.reading.reader import Block, LogLine, lines_in, read_block, read_line
from tricklog.ingest.store import rows

PORTION: Final = 1 << 17
"""Bytes of lines or games that are a task, about; a game is never divided."""
WORTH_READING: Final = 2_500_000
"""Bytes of logs from which on it pays to start processes that read them."""
WORTH_REPLAYING: Final = 2_000
"""Hands from which on it pays to start processes that replay them."""


class SoundLine(NamedTuple):
    """A line that was read elsewhere and holds a hand that can be replayed."""

    line: LogLine
    """Without its hand."""
    entry: Entry


# --- Reading


def read_parts(
    parts: Iterable[Block | LogLine], team: Team | None
) -> Iterator[LogLine | SoundLine]:
    """Read the lines of blocks, with a team when there is one; lines come in order."""
    if team is None:
        for part in parts:
            yield from [part] if isinstance(part, LogLine) else read_block(part)
        return
    for done in team.do(_reading_tasks(parts)):
        if isinstance(done, Done):
            yield from _lines_of(done.argument, done.result)
        else:
            yield done.part


def _reading_tasks(
    parts: Iterable[Block | LogLine],
) -> Iterator[Task[Block, list[Entry | None]] | Aside[LogLine]]:
    for part in parts:
        if isinstance(part, LogLine):
            yield Aside(part)
        else:
            for portion in _portions(part):
                yield Task(read_entries, portion, len(portion.text))


def _portions(block: Block) -> Iterator[Block]:
    text, start, number = block.text, 0, block.number
    while start < len(text):
        end = text.find(b"\n", start + PORTION) + 1 or len(text)
        portion = text[start:end]
        yield Block(block.source, number, block.byte + start, portion)
        number += portion.count(b"\n")
        start = end


def read_entries(block: Block) -> list[Entry | None]:
    """Return for each line of a block what is noted of its hand; ``None`` for any other line."""
    return [
        entry_of(line, line.hand) if line.hand and not rules_trouble(line.hand) else None
        for line in read_block(block)
    ]


def _lines_of(block: Block, entries: list[Entry | None]) -> Iterator[LogLine | SoundLine]:
    for index, ((start, end), entry) in enumerate(zip(lines_in(block), entries, strict=True)):
        if entry is None:
            yield read_line(block, index, start, end)
            continue
        place = block.number + index, block.byte + start
        yield SoundLine(LogLine(block.source, *place, text=block.text[start:end]), entry)


# --- Replaying


class JudgedHand(NamedTuple):
    """What the rules make of a hand, as rows."""

    id: str
    stored: bool
    """Whether the hand came from the warehouse: only its findings are new."""
    sequence: int
    """Its number in the intake."""
    size: int
    """Bytes of its line."""
    verdict: Verdict
    seating: int
    """Place of its seating in ``JudgedGames.seatings``."""
    ruleset: int
    """Place of its rules in ``JudgedGames.rulesets``."""
    row: rows.Row
    """The row of table hands, but for the numbers of hand and seating; empty for a stored hand."""
    findings: list[rows.Row]
    """Those of its game, then those of the hand itself unless it is stored."""


class JudgedGames(NamedTuple):
    """Hands of some games, each game whole, with their seatings and rules."""

    hands: list[JudgedHand]
    seatings: list[rows.Row]
    rulesets: list[rows.Row]


class Games(NamedTuple):
    """Games to be judged."""

    import_id: int
    games: list[list[SpooledRow]]


def judged_rows(intake: Intake, import_id: int, team: Team) -> Iterator[JudgedGames]:
    """Judge the hands of the intake, game by game, with a team when there are many."""
    tasks = _judging_tasks(intake, import_id)
    is_worth_while = intake.hand_count() >= WORTH_REPLAYING
    for done in team.do(tasks) if is_worth_while else do_here(tasks):
        if isinstance(done, Done):
            yield done.result
        else:
            for judged in judged_one_by_one(intake, done.part, _replayed):
                yield _in_rows([judged], import_id)


def _judging_tasks(
    intake: Intake, import_id: int
) -> Iterator[Task[Games, JudgedGames] | Aside[LongGame]]:
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


def judge_games(given: Games) -> JudgedGames:
    """Replay games none of whose hands was checked before."""
    judged = (
        each
        for game in given.games
        for each in judged_game([spooled_hand(row) for row in game], Course(), _replayed)
    )
    return _in_rows(judged, given.import_id)


def _replayed(spooled: SpooledHand) -> Replay:
    return replay(spooled.hand)


def _in_rows(judged: Iterable[Judged], import_id: int) -> JudgedGames:
    hands: list[JudgedHand] = []
    seatings = rows.Seatings(0)
    rulesets: dict[int, tuple[int, Ruleset]] = {}
    for spooled, replayed, found in judged:
        hand, ruleset = spooled.hand, replayed.ruleset
        seating = seatings.number(hand, ruleset)
        place, _ = rulesets.setdefault(id(ruleset), (len(rulesets), ruleset))
        row: rows.Row = ()
        findings = rows.finding_rows(hand.id, "game", found)
        if not spooled.stored:
            row = rows.hand_row(spooled, replayed, 0, import_id, seating)
            findings += rows.finding_rows(hand.id, "hand", replayed.findings)
        size = len(spooled.line.text)
        hands.append(
            JudgedHand(
                id=hand.id,
                stored=spooled.stored,
                sequence=spooled.sequence,
                size=size,
                verdict=replayed.verdict,
                seating=seating,
                ruleset=place,
                row=row,
                findings=findings,
            )
        )
    noted = [rows.ruleset_row(ruleset) for _, ruleset in rulesets.values()]
    return JudgedGames(hands, seatings.rows, noted)
