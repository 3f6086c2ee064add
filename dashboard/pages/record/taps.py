"""What a tap does to an evening. The browser sends several at once after it was cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from tricklog.core.model import Verdict
from tricklog.core.recording.draft import PASSED_OVER, Draft, RecordingError
from tricklog.core.recording.evening import Evening, mend, next_hand, undo_hand
from tricklog.core.recording.finishing import (
    asked_before,
    asked_before_saving,
    dealt_from_play,
    exchange_left_out,
    finished,
)
from tricklog.core.recording.moment import passed_over
from tricklog.ingest.recording.keeping import Kept
from tricklog.ingest.recording.words import SAVE, asked_about, choices_of
from tricklog.schemas.languages.messages import say, say_counted

CONFIRMED: Final = "! "
"""In front of a choice that it was asked about and that happened so."""
TAKEN_BACK: Final = "no"
"""What was asked about did not happen."""
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
    asked: str = ""
    """The tap that has to be confirmed before it is taken down."""
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
    return Sent(mark, builds_on, tuple(map(str, taps)))


def take(kept: Kept, sent: Sent, now: str) -> Taken:
    """Return what comes of the taps of a message, up to the first that has to be asked about."""
    taken = Taken(kept.evening)
    for number, tap in enumerate(sent.taps, 1):
        told = []
        try:
            taken = _tap(taken.evening, tap, now)
        except RecordingError as error:
            reason = str(error)
            reason += "" if reason.endswith((".", "?")) else "."
            told.append(say("Not taken: {reason}", reason=reason))
        if not (told or taken.asked):
            continue
        if left := len(sent.taps) - number:
            told.append(
                say_counted("{count} later tap not taken.", "{count} later taps not taken.", left)
            )
        return Taken(taken.evening, taken.asked, " ".join(told))
    return taken


def question_about(kept: Kept) -> dict[str, Any] | None:
    """Return what an evening waits to have confirmed, as the browser shows it."""
    try:
        asked = asked_about(kept.asked, kept.evening.draft) if kept.asked else None
    except RecordingError:
        asked = None
    if asked is None:
        return None
    is_save = kept.asked == SAVE
    return {
        "tap": kept.asked,
        "lead": say("Save it as it is?") if is_save else say("Was it really so?"),
        "text": asked.sentence,
        "last": asked.is_last,
        "no": say("No, go on") if is_save else say("No, something else"),
        "yes": say("Save it") if is_save else say("As it happened"),
    }


def _tap(evening: Evening, tap: str, now: str) -> Taken:
    draft = evening.draft
    is_sure, said = tap.startswith(CONFIRMED), tap.removeprefix(CONFIRMED)
    if said == SAVE:
        return _save(evening, now, is_sure=is_sure)
    if tap == TAKEN_BACK:
        return Taken(evening)
    if tap == "undo hand":
        return Taken(undo_hand(evening))
    if tap.startswith("mend "):
        return Taken(mend(evening, int(tap[5:]) if tap[5:].isdigit() else -1))
    if tap in _CHANGES:
        return Taken(replace(evening, draft=_CHANGES[tap](evening)))
    choices = choices_of(said, draft)
    draft = exchange_left_out(draft, choices)
    if not is_sure and asked_before(draft, choices):
        return Taken(evening, asked=choices[0] if len(choices) == 1 else said)
    return Taken(replace(evening, draft=_taking(draft, choices)))


def _taking(draft: Draft, choices: Sequence[str]) -> Draft:
    for choice in choices:
        draft = draft.taking(choice)
    return draft


def _undone(evening: Evening) -> Draft:
    if not evening.draft.is_empty:
        return evening.draft.undo()
    why = say("there is nothing to take back in this hand")
    if evening.done:
        why = say(
            "there is nothing to take back in this hand; mend a hand that is saved on the score pad"
        )
    raise RecordingError(why)


_CHANGES: Final[dict[str, Callable[[Evening], Draft]]] = {
    "undo": _undone,
    "redo": lambda evening: evening.draft.redo(),
    PASSED_OVER: lambda evening: passed_over(evening.draft),
    "deals": lambda evening: _taking(evening.draft, dealt_from_play(evening.draft)),
    "trick": lambda evening: _taking(evening.draft, ["cards", "gap tricks"]),
}
"""Taps that change the hand without being a choice of their own."""


def _save(evening: Evening, now: str, *, is_sure: bool) -> Taken:
    draft = evening.draft
    ended = finished(draft)
    if not draft.is_empty and ended.replayed.verdict == Verdict.INCOMPLETE:
        reason = ended.replayed.doubted[0]
        raise RecordingError(say("the hand is not over. {reason}", reason=reason))
    if not is_sure and not draft.is_empty and asked_before_saving(ended):
        return Taken(evening, asked=SAVE)
    return Taken(next_hand(evening, now), is_saved=True)
