"""What is asked before something is taken down: what the rules do not allow, and what is missing.

A question never refuses anything: what happened at the table is taken down once it is confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from replay.engine.policies import ThrowIn, WeakStart
from replay.engine.records import Rules
from replay.engine.rules.auction import throws_in
from replay.judging.replayer import Replay, replay
from replay.model import Finding, Verdict
from replay.recording.draft import Draft, hand_of
from replay.recording.finishing import Finished, finished
from schemas.languages.messages import message, say

_NO_POINTS: Final = message(
    "The hand has no points yet: what it scores, and the scores after it, will not be known."
)
_NO_SCORE: Final = message(
    "What the hand scores does not follow from what is recorded, so the scores after it will not "
    "be known."
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question before something is taken down."""

    sentence: str
    """Why it is asked, in sentences of the language of this context."""
    is_last: bool = False
    """Whether no table is defined after it, so that nothing more can be recorded."""
    findings: tuple[Finding, ...] = ()
    """What would be wrong with the hand after it and is not before."""


def asked_before(draft: Draft, choices: Sequence[str]) -> Asked | None:
    """Return what has to be asked before choices are taken down together; ``None`` for nothing.

    Raises ``RecordingError`` for a choice that is none.
    """
    if len(choices) == 1 and choices[0][:1].isdigit():
        return question_about(draft, choices[0])
    after = draft
    for choice in choices:
        after = after.taking(choice)
    told = after.told()
    if told.is_thrown_in and not draft.told().is_thrown_in:
        rules = after.ruleset().rules(len(after.players))
        if not may_be_thrown_in(rules):
            return Asked(say("In this game no hand is thrown in."))
    # A number given alone may be one of several that are only right together.
    return _about_contract(draft, after) if told.is_quick and len(choices) > 1 else None


def _about_contract(before: Draft, after: Draft) -> Asked | None:
    """Ask about what is wrong with a hand without cards and was not wrong before."""
    known = {finding.message for finding in finished(before).replayed.findings}
    found = finished(after).replayed.findings
    return _asked([finding for finding in found if finding.message not in known])


def question_about(draft: Draft, choice: str) -> Asked | None:
    """Return what has to be asked before a choice is taken down; ``None`` for one in order.

    Raises ``RecordingError`` for a choice that is none.
    """
    after = draft.taking(choice)
    if after.told().actions == draft.told().actions:
        return None
    before = {_key(finding) for finding in _replayed(draft).findings}
    replayed = _replayed(after)
    new = [finding for finding in replayed.findings if _key(finding) not in before]
    return _asked(new, is_last=replayed.verdict == Verdict.REJECTED)


def _asked(new: Sequence[Finding], *, is_last: bool = False) -> Asked | None:
    sentence = " ".join(str(finding.said) for finding in new)
    return Asked(sentence, is_last, tuple(new)) if new else None


def _replayed(draft: Draft) -> Replay:
    return replay(hand_of(draft), ruleset=draft.ruleset())


def _key(finding: Finding) -> tuple[str, int | None, int | None]:
    return finding.code, finding.action, finding.seat


def asked_before_saving(ended: Finished) -> Asked | None:
    """Return what has to be asked before a hand is saved after which the scores are not known."""
    if ended.result == "thrown_in" or None not in ended.scores:
        return None
    return Asked(str(_NO_POINTS if None in ended.points else _NO_SCORE))


def may_be_thrown_in(rules: Rules) -> bool:
    """Is there a way under these rules in which a hand is thrown in without being played?"""
    by_cards = ThrowIn.THROWN_IN in (rules.bare_seventh, rules.weak_defence, rules.four_jacks)
    return by_cards or throws_in(rules) or rules.weak_start == WeakStart.THROWN_IN
