"""What a tap does to an evening. The browser sends several at once after it was cut off."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from ingest.recording.keeping import Kept
from ingest.recording.words import choice_of
from replay.model import Verdict
from replay.recording import (
    PASSED_OVER,
    Evening,
    RecordingError,
    dealt_from_play,
    finished,
    mend,
    moment_of,
    next_hand,
    passed_over,
    question_about,
    undo_hand,
)
from replay.recording.draft import TOLD

CONFIRMED: Final = "! "
"""In front of a choice that it was asked about and that happened so."""
_ACTION: Final = re.compile(r"[0-6] [a-z]")
_MOST: Final = 500
"""Taps in one message."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the browser."""

    mark: str
    """Names the device and the message: one that was taken in is not taken in again."""
    builds_on: int
    """Revision of the evening that the device has seen."""
    taps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of taps."""

    evening: Evening
    asked: dict[str, Any] | None = None
    """A question: the tap, and the sentence."""
    told: str = ""
    """What could not be taken, and why."""
    is_saved: bool = False


def sent_of(value: object) -> Sent | None:
    """Return a message as the browser sends it; ``None`` for anything else."""
    if not isinstance(value, dict):
        return None
    mark, builds_on, taps = value.get("mark"), value.get("base"), value.get("taps")
    if not (isinstance(mark, str) and isinstance(builds_on, int) and isinstance(taps, list)):
        return None
    if len(mark) > 64 or len(taps) > _MOST:  # noqa: PLR2004 - as long as the browser makes them
        return None
    return Sent(mark, builds_on, tuple(str(tap)[:400] for tap in taps))


def take(kept: Kept, sent: Sent, now: str) -> Taken:
    """Return what comes of the taps of a message, up to the first that has to be asked about."""
    taken = Taken(kept.evening)
    for tap in sent.taps:
        try:
            taken = _tap(taken.evening, tap, now)
        except RecordingError as error:
            left = len(sent.taps) - sent.taps.index(tap) - 1
            more = f" {left} later taps were not taken." if left else ""
            return Taken(taken.evening, told=f"Not taken: {error}.{more}".replace("?.", "?"))
        if taken.asked:
            return taken
    return taken


def _tap(evening: Evening, tap: str, now: str) -> Taken:
    draft = evening.draft
    if tap == "save":
        return _save(evening, now)
    if tap == "undo hand":
        return Taken(undo_hand(evening))
    if tap.startswith("mend "):
        return Taken(mend(evening, int(tap[5:]) if tap[5:].isdigit() else -1))
    if tap == "undo":
        return Taken(replace(evening, draft=draft.undo()))
    if tap == "redo":
        return Taken(replace(evening, draft=draft.redo()))
    if tap == PASSED_OVER:
        return Taken(replace(evening, draft=passed_over(draft)))
    if tap == "deals":
        for choice in dealt_from_play(draft):
            draft = draft.taking(choice)
        return Taken(replace(evening, draft=draft))
    is_sure, choice = tap.startswith(CONFIRMED), tap.removeprefix(CONFIRMED)
    if choice.partition(" ")[0] not in TOLD and not choice.startswith("gap "):
        choice = choice if _ACTION.match(choice) else choice_of(choice, moment_of(draft))
        asked = None if is_sure else question_about(draft, choice)
        if asked is not None:
            question = {"tap": choice, "text": asked.sentence, "last": asked.is_last}
            return Taken(evening, asked=question)
    return Taken(replace(evening, draft=draft.taking(choice)))


def _save(evening: Evening, now: str) -> Taken:
    ended = finished(evening.draft)
    if ended.replayed.verdict == Verdict.INCOMPLETE:
        raise RecordingError(f"the hand is not over. {ended.replayed.doubts[0]}")
    return Taken(next_hand(evening, now), is_saved=True)
