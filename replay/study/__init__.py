"""The study of a recorded hand: what it was worth, what each decision cost, and what came of it."""

from replay.study.decisions import StudiedDecision, StudiedHand, study_hand
from replay.study.loss_kinds import LossKind
from replay.study.score import OpenScore

__all__ = ["LossKind", "OpenScore", "StudiedDecision", "StudiedHand", "study_hand"]
