"""Recording a hand as it is played: drafts, what comes next, and the record that comes of them."""

from replay.recording.draft import PASSED_OVER, Draft, RecordingError, Told, hand_of
from replay.recording.evening import Evening, begin, first_to_call, mend, next_hand, undo_hand
from replay.recording.finishing import Finished, dealt_from_play, finished
from replay.recording.moment import Moment, Offer, Question, moment_of, passed_over, question_about

__all__ = [
    "PASSED_OVER",
    "Draft",
    "Evening",
    "Finished",
    "Moment",
    "Offer",
    "Question",
    "RecordingError",
    "Told",
    "begin",
    "dealt_from_play",
    "finished",
    "first_to_call",
    "hand_of",
    "mend",
    "moment_of",
    "next_hand",
    "passed_over",
    "question_about",
    "undo_hand",
]
