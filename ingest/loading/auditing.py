"""Auditing logs: every line gets its fate, every hand a verdict, every game its own check."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tricklog.core import (
    Finding,
    Mode,
    Replay,
    Ruleset,
    RulesetError,
    Verdict,
    replay,
    ruleset_of,
)
from tricklog.core.judging.games import Course, game_checks
from tricklog.core.rulesets.ruleset import seats_problem
from tricklog.ingest.loading.foreign import ReadLogs, reader_named
from tricklog.ingest.reading.intake import Intake, LongGame, SpooledHand, entry_of
from tricklog.ingest.reading.log_line import odd_time
from tricklog.ingest.reading.progress import ByteCounter, OnProgress, Progress, Stage
from tricklog.ingest.reading.reader import LogLine, read
from tricklog.ingest.reading.rejects import SAID_BEFORE, RejectCode, Trouble, problems_json
from tricklog.ingest.reading.sources import find_sources
from tricklog.ingest.reading.unfinished import continues
from tricklog.ingest.score_sheets.hands import cells_of
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import Hand

REPORT_EVERY: Final = 200
EXIT_CLEAN: Final = 0
EXIT_FINDINGS: Final = 1
EXIT_UNREADABLE: Final = 3


@dataclass(slots=True)
class Counts:
    """What became of the lines read; the last four always sum to the first."""

    lines: int = 0
    accepted: int = 0
    duplicate: int = 0
    quarantined: int = 0
    blank: int = 0

    def add(self, more: Counts) -> None:
        """Count further lines."""
        for name, number in asdict(more).items():
            setattr(self, name, getattr(self, name) + number)

    @property
    def balanced(self) -> bool:
        """Whether every line is accounted for."""
        return self.lines == self.accepted + self.duplicate + self.quarantined + self.blank


@dataclass(frozen=True, slots=True)
class AuditedLine:
    """One line and what became of it; ``replay`` is set for accepted hands only."""

    line: LogLine
    replay: Replay | None = None
    game_findings: tuple[Finding, ...] = ()
    """Findings that only show beside the other hands of the game."""
    duplicate_of: str | None = None
    """``file:line`` of the same record, read before."""
    same_play_as: str | None = None
    """Id of another accepted hand with the same deal and the same actions."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the hand by itself, then those of its game."""
        return (self.replay.findings if self.replay else ()) + self.game_findings

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of the line: plain values, ready for a JSON encoder.

        The keys are always the same; a quarantined line has a ``reject`` and no verdict.
        """
        outcome = self.replay and (self.replay.known_outcome or self.replay.outcome)
        hand = self.replay.hand if self.replay else None
        reject = self.line.reject
        tricks = self.replay.tricks if self.replay else None
        return {
            "file": self.line.file,
            "line": self.line.line,
            "hand_id": hand.id if hand else None,
            "verdict": self.replay.verdict.value if self.replay else None,
            "findings": [_finding_json(finding, self.line, hand) for finding in self.findings],
            "points": list(outcome.points) if outcome and outcome.points else None,
            "change": list(outcome.change) if outcome and outcome.change else None,
            "scores": list(outcome.scores) if outcome and outcome.scores else None,
            "maker": outcome.maker if outcome else None,
            "need": outcome.need if outcome else None,
            "made": _MADE.get(outcome.result or "") if outcome else None,
            "winners": None if tricks is None else [trick.winner for trick in tricks],
            "winner_side": outcome.winner_side if outcome else None,
            "doubts": list(self.replay.doubts) if self.replay else [],
            "duplicate_of": self.duplicate_of,
            "same_play_as": self.same_play_as,
            "reject": reject
            and {
                "byte": reject.known_byte,
                "column": self.line.span_of_reject().column,
                "code": reject.code.value,
                "pointer": reject.pointer,
                "message": reject.message,
                "hint": reject.hint,
                **problems_json(reject),
            },
        }


_MADE: Final[dict[str, bool]] = {"made": True, "set": False}
_OF_FINDINGS: Final = ("code", "action", "pointer", "seat", "rule", "message", "legal", "facts")


def _finding_json(finding: Finding, line: LogLine, hand: Hand | None) -> dict[str, Any]:
    span = line.span_of(finding.pointer)
    # Only hands of score sheets have cells.
    cells = cells_of(hand, finding) if hand else ""
    return {
        "line": span.line,
        "column": span.column,
        **{name: getattr(finding, name) for name in _OF_FINDINGS},
        **({"cells": cells} if cells else {}),
    }


OnWarning = Callable[[str, Problem], None]
"""Called with a file and what of a hand written there as text may not be what was meant."""


@dataclass(slots=True)
class Audit:
    """An audit: iterate over it once for its lines; the totals are complete at the end.

    Lines that are blank, quarantined or duplicates come as they are read. Of files, the accepted
    hands come after them, game by game, each game whole and in the order it was first met. From a
    pipe a hand comes as soon as nothing that is still to come can change what is found in it: at
    once when it belongs to no game, else as soon as all hands of its game before it have come.
    """

    paths: tuple[str | Path, ...]
    mode: Mode = "audit"
    on_progress: OnProgress | None = None
    ruleset: Ruleset | None = None
    foreign: ReadLogs | None = None
    """What reads the logs; ``None`` for hand logs."""
    on_warning: OnWarning | None = None
    counts: Counts = field(default_factory=Counts)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    """Findings by code, those of games included."""
    same_plays: int = 0

    @property
    def exit_status(self) -> int:
        """3 when anything was unreadable, else 1 when there is a finding, else 0."""
        if self.counts.quarantined:
            return EXIT_UNREADABLE
        bad = self.verdicts[Verdict.IRREGULAR] + self.verdicts[Verdict.REJECTED]
        return EXIT_FINDINGS if bad or self.codes else EXIT_CLEAN

    def __iter__(self) -> Iterator[AuditedLine]:
        """Read and check everything, line by line."""
        is_piped = any(source.is_pipe for source in find_sources(self.paths))
        counter = ByteCounter(self.paths if self.on_progress else ())
        if self.foreign is None:
            lines = read(*self.paths, byte_counter=counter, judged_by=self.ruleset)
        else:
            lines = self.foreign(*self.paths, byte_counter=counter)
        with Intake(keeps_written=True) as intake:
            for line in lines:
                if self.on_warning:
                    for warning in line.warnings + odd_time(line):
                        self.on_warning(line.file, warning)
                if audited := _admit(line, intake, self.counts, self.ruleset):
                    yield audited
                elif is_piped and line.hand:
                    yield from self._told_at_once(intake, line.hand)
                self._tick(self.counts.lines, Stage.READING, counter.done, counter.total)
            for hand, replayed, found in judged_hands(intake, self._replay):
                yield self._judged(hand, replayed, found)
                count = self.verdicts.total()
                self._tick(count, Stage.REPLAYING, count, self.counts.accepted)

    def _told_at_once(self, intake: Intake, hand: Hand) -> Iterator[AuditedLine]:
        """Judge the hands whose fate is known now that ``hand`` has come: itself, later ones."""
        if hand.game is UNSET:
            yield self._tell(intake, intake.hand(hand.id), Course())
            return
        if hand.hand is UNSET:
            return
        intake.note_number(hand)
        course = intake.course(hand.game)
        last = course.number or 0
        if hand.hand < last:
            # Hands from this number on have been reported: it is checked beside the one it repeats.
            twin = next(intake.numbered(hand.game, hand.hand, told=True))
            beside = Course()
            beside.check(self._replay(twin))
            yield self._tell(intake, intake.hand(hand.id), beside)
        elif hand.hand <= last + 1:
            number = hand.hand
            told = True
            while told:
                told = False
                for spooled in intake.numbered(hand.game, number, told=False):
                    yield self._tell(intake, spooled, course)
                    told = True
                number += 1
            intake.keep_course(hand.game, course)

    def _tell(self, intake: Intake, hand: SpooledHand, course: Course) -> AuditedLine:
        replayed = self._replay(hand)
        found = course.check(replayed) if hand.hand.game is not UNSET else []
        intake.tell(hand.hand.id)
        return self._judged(hand, replayed, found)

    def _replay(self, hand: SpooledHand) -> Replay:
        return replay(hand.hand, mode=self.mode, ruleset=self.ruleset)

    def _judged(self, hand: SpooledHand, replayed: Replay, found: Sequence[Finding]) -> AuditedLine:
        twin = hand.row.same_play_as
        audited = AuditedLine(hand.line, replayed, tuple(found), same_play_as=twin)
        self.verdicts[replayed.verdict] += 1
        self.codes.update(finding.code for finding in audited.findings)
        self.same_plays += twin is not None
        return audited

    def _tick(self, count: int, stage: Stage, done: int, total: int | None) -> None:
        if self.on_progress and count % REPORT_EVERY == 0:
            hands, findings = self.verdicts.total(), self.codes.total()
            self.on_progress(Progress(stage, self.counts.lines, hands, findings, done, total))


def audit(
    *paths: str | Path,
    mode: Mode = "audit",
    on_progress: OnProgress | None = None,
    ruleset: Ruleset | None = None,
    adapter: str | None = None,
    on_warning: OnWarning | None = None,
) -> Audit:
    """Check hand logs: iterate over the result for every line, then read its totals.

    Args:
        paths: files, folders or ``-``, as ``tricklog.read`` takes them.
        mode: how hands are replayed, see ``tricklog.replay``.
        on_progress: called now and then with how far the audit is, for a progress display.
        ruleset: the rules to audit by, instead of those that each hand names.
        adapter: whose logs they are, a key of ``ADAPTERS``, or the ``reader`` of the settings of
            score sheets; hand logs without it. Each hand of a record counts as a line.
        on_warning: called with the file and what may not be meant of a hand written as text.

    Raises ``UnknownAdapterError`` when there is no such adapter.
    """
    foreign = reader_named(adapter) if adapter is not None else None
    return Audit(paths, mode, on_progress, ruleset, foreign, on_warning)


def _admit(
    line: LogLine, intake: Intake, counts: Counts, ruleset: Ruleset | None
) -> AuditedLine | None:
    """Count one line; put a new hand into the intake, or return what else became of the line.

    A hand with the id of another one is a duplicate or quarantined. A record that goes on from an
    unfinished one takes its place, and that one is the duplicate.
    """
    if audited := without_hand(line, counts, ruleset):
        return audited
    hand = line.hand
    assert hand
    rival = intake.enter(line, entry_of(line, hand))
    if rival is None:
        counts.accepted += 1
        return None
    place, is_same = rival
    other = None if is_same else intake.hand(hand.id)
    hint = ""
    if other is None or continues(other.hand, hand, ruleset):
        counts.duplicate += 1
        return AuditedLine(line, duplicate_of=place)
    if continues(hand, other.hand, ruleset):
        if intake.replace(line, entry_of(line, hand)):
            counts.duplicate += 1
            return AuditedLine(other.line, duplicate_of=line.place)
        hint = _TOLD_ALREADY
    counts.quarantined += 1
    return AuditedLine(line.rejected(conflict(hand.id, place, hint, line.place)))


def without_hand(
    line: LogLine, counts: Counts, ruleset: Ruleset | None = None
) -> AuditedLine | None:
    """Count one line; return what became of it, unless it has a hand that can be replayed."""
    counts.lines += 1
    trouble = rules_trouble(line.hand, ruleset) if line.hand else None
    if line.hand and not trouble:
        return None
    if trouble:
        line = line.rejected(trouble)
    counts.quarantined += line.reject is not None
    counts.blank += line.reject is None
    return AuditedLine(line)


_TOLD_ALREADY: Final = (
    "The unfinished record of the hand has been reported, as lines of a pipe are at once. Write "
    "the log to a file and audit that: then the complete record takes its place."
)


def conflict(hand_id: str, place: str, hint: str = "", here: str = "") -> Trouble:
    """Return the trouble of a hand with the id of one at a place, and with other content.

    Where it stands ``here``, it is the same line that says something else than before.
    """
    whose = SAID_BEFORE if place == here else f"belongs to another hand, {place}"
    message = f"The id {hand_id!r} {whose}."
    return Trouble(RejectCode.ID_CONFLICT, "/id", message, hint=hint)


Judged = tuple[SpooledHand, Replay, Sequence[Finding]]
"""A hand, its replay, and what shows only beside the other hands of its game."""


def judged_hands(intake: Intake, replayed: Callable[[SpooledHand], Replay]) -> Iterator[Judged]:
    """Return the hands of the intake game by game, each replayed and checked within its game.

    A game is checked in the order of the places of its hands, so the order they arrived in does
    not matter.
    """
    for game in intake.games():
        if isinstance(game, LongGame):
            yield from judged_one_by_one(intake, game, replayed)
        else:
            name = game[0].hand.game
            course = Course() if name is UNSET else intake.course(name)
            yield from judged_game(game, course, replayed)


def judged_game(
    game: Sequence[SpooledHand], course: Course, replayed: Callable[[SpooledHand], Replay]
) -> Iterator[Judged]:
    """Return the hands of a game, or one that belongs to none, replayed and checked.

    ``course`` is how far the game has been checked before.
    """
    replays = {spooled.row.sequence: replayed(spooled) for spooled in game}
    order = [each.row.sequence for each in sorted(game, key=lambda each: each.row.place)]
    found: dict[int, list[Finding]] = {}
    if game[0].hand.game is not UNSET:
        of_game = game_checks((replays[sequence] for sequence in order), course)
        found = dict(zip(order, of_game, strict=True))
    for spooled in game:
        sequence = spooled.row.sequence
        yield spooled, replays[sequence], found.get(sequence, ())


def judged_one_by_one(
    intake: Intake, game: LongGame, replayed: Callable[[SpooledHand], Replay]
) -> Iterator[Judged]:
    """Replay the hands of a long game twice, so that only two of them are held at a time."""
    ordered, to_check = itertools.tee(game.in_order())
    checks = game_checks(map(replayed, to_check), intake.course(game.name))
    for spooled, found in zip(ordered, checks, strict=True):
        if found:
            game.note(spooled, msgspec.msgpack.encode(found))
    for spooled in game.as_read():
        noted = game.noted(spooled)
        found = msgspec.msgpack.decode(noted, type=list[Finding]) if noted else []
        yield spooled, replayed(spooled), found


def rules_trouble(hand: Hand, ruleset: Ruleset | None = None) -> Trouble | None:
    """Return why a hand cannot be replayed under its own rules, or under ``ruleset``."""
    if ruleset:
        problem = seats_problem(ruleset, len(hand.players))
        return (
            Trouble(RejectCode.BAD_VALUE, "/players", f"/players {problem}.") if problem else None
        )
    try:
        ruleset_of(hand)
    except RulesetError as error:
        pointer = error.pointer if error.pointer.startswith("/") else "/rules"
        code = _RULES_CODES.get(pointer, RejectCode.BAD_OPTION)
        where = f"{error.source}: {error.pointer}" if pointer != error.pointer else pointer
        return Trouble(code, pointer, f"{where} {error.message}.")
    return None


_RULES_CODES: Final = {
    "/rules/variant": RejectCode.UNKNOWN_VARIANT,
    "/rules/version": RejectCode.UNKNOWN_VARIANT,
    "/players": RejectCode.BAD_VALUE,
}
