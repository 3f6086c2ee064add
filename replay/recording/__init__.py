"""Recording a hand as it is played: drafts, what comes next, and the record that comes of them."""

from replay.recording.draft import PASSED_OVER, Draft, RecordingError, Told, hand_of
from replay.recording.evening import Evening, begin, first_to_call, mend, next_hand, undo_hand
from replay.recording.finishing import (
    Asked,
    Finished,
    asked_before,
    asked_before_saving,
    dealt_from_play,
    finished,
    may_be_thrown_in,
)
from replay.recording.moment import Moment, Offer, moment_of, passed_over

__all__ = [
    "PASSED_OVER",
    "Asked",
    "Draft",
    "Evening",
    "Finished",
    "Moment",
    "Offer",
    "RecordingError",
    "Told",
    "asked_before",
    "asked_before_saving",
    "begin",
    "dealt_from_play",
    "finished",
    "first_to_call",
    "hand_of",
    "may_be_thrown_in",
    "mend",
    "moment_of",
    "next_hand",
    "passed_over",
    "undo_hand",
]
