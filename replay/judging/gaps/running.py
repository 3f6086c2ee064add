"""Replaying a record with gaps: stretch by stretch, in every reading, keeping what holds in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from msgspec import UNSET
from msgspec.structs import replace as replace_fields

from tricklog.core.engine import hand_replay
from tricklog.core.engine.policies import Phase
from tricklog.core.judging import result_claims, setup
from tricklog.core.judging.gaps import contracts, totals
from tricklog.core.judging.gaps.crossing import Walk
from tricklog.core.judging.gaps.readings import NOBODY, readings, sentences
from tricklog.core.judging.replayer import Replay, Run, captured_in
from tricklog.core.model import Capture, Choice, Finding, KnownOutcome, Mode, Outcome, Verdict, View
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Gap, Hand
from tricklog.schemas.languages.messages import message

_NOT_RECORDED: Final = Choice(said=message("The record does not say how the hand went on."))


@dataclass
class GapReplay(Replay):
    """A record with gaps, replayed under one reading of what it leaves open."""

    carrier: Walk = field(kw_only=True, repr=False, compare=False)
    outcome: Outcome | None = field(default=None, repr=False, compare=False)
    """How the hand ended, where the record covers all that it hangs on."""
    has_gaps: ClassVar[bool] = True

    def agree_with(self, found: Sequence[GapReplay]) -> None:
        """Keep only findings, winners, captures and a result that are the same in every reading."""
        shared = set.intersection(*({_key(item) for item in each.findings} for each in found))
        findings = tuple(item for item in self.findings if _key(item) in shared)
        if self.findings and not findings:
            sentence = message(
                "However the gaps are filled, something was against the rules; perhaps: {finding}",
                finding=self.findings[0].said,
            )
            self.doubted = (*self.doubted, sentence)
        self.findings = findings
        if any(each.outcome != self.outcome for each in found):
            self.outcome = None
        written = self.workspace.history
        for place, trick in enumerate(self.tricks):
            if any(each.tricks[place : place + 1] != (trick,) for each in found):
                written.trick_winner[trick.number - 1] = NOBODY
                written.trick_points[trick.number - 1] = 0
        captured = set[Capture].intersection(*(set(each.captures) for each in found))
        kept = [place for place, item in enumerate(self.captures) if item in captured]
        for column in captured_in(written):
            column[: len(kept)] = [column[place] for place in kept]
        written.captures = len(kept)
        for name in ("tricks", "captures"):
            # They were made of what was there before.
            self.__dict__.pop(name, None)

    def at(self, index: int) -> View:
        """Return the table before action ``index``, without what is only supposed."""
        view, state = super().at(index), self.state_at(index)
        known = self.known_outcome or KnownOutcome()
        if index == len(self) and self.outcome is None and self.carrier.goes_on:
            # What the record says of the rest of the hand.
            view = replace(
                view,
                turn=None,
                maker=view.maker if known.maker is None else known.maker,
                bid=view.bid if known.bid is None else known.bid,
                trump=view.trump if known.trump is None else known.trump,
                points=view.points if known.points is None else known.points,
                choice=_NOT_RECORDED,
            )
        # The trick before the one that comes may not be recorded.
        comes = state.phase == Phase.PLAY and not view.trick and view.trick_number > 0
        tells_maker = not self.carrier.supposes_maker or known.maker is not None
        tells_trump = not self.carrier.reading.supposes_trump or known.trump == view.trump
        return replace(
            view,
            trick_number=min(state.trick, self.rules.hand_size) if comes else view.trick_number,
            dealer=view.dealer if self.hand.dealer is not UNSET else None,
            maker=view.maker if tells_maker else None,
            trump=view.trump if tells_trump else None,
        )


def replay_with_gaps(
    record: Hand, ruleset: Ruleset, mode: Mode, *, gaps: Sequence[Gap] = ()
) -> GapReplay:
    """Return what the rules say of a record with gaps, in whatever way its gaps are filled.

    A finding stands that stands in every reading; what readings disagree about is not known.
    ``gaps`` are those of a record that does not name them.
    """
    hand = replace_fields(record, format=FORMAT_WITH_GAPS, gaps=[*gaps]) if gaps else record
    rules = ruleset.rules(len(hand.players))
    found = [
        _GapRun(GapReplay(hand, ruleset, rules, mode, carrier=Walk(hand, rules, reading))).run()
        for reading in readings(hand, rules, setup.read_actions(hand))
    ]
    best = min(found, key=lambda each: (each.verdict == Verdict.REJECTED, len(each.findings)))
    if len(found) > 1:
        best.agree_with(found)
    contract = contracts.contract_of(best)
    more = contracts.findings_of(best)
    best.known_outcome, wrong = totals.judge(best, contract)
    best.findings = (*best.findings, *more, *wrong)
    best.verdict = _verdict(best)
    best.doubted = (*sentences(hand), *best.doubted)
    best.hand = record
    return best


def _key(finding: Finding) -> tuple[str, int | None, str, int | None]:
    return finding.code, finding.action, finding.pointer, finding.seat


def _verdict(best: GapReplay) -> Verdict:
    if best.verdict == Verdict.REJECTED:
        return best.verdict
    if best.verdict == Verdict.INCOMPLETE and not best.findings:
        return best.verdict
    if best.mode == "strict" and best.findings:
        return Verdict.REJECTED
    return Verdict.IRREGULAR if best.findings else Verdict.PARTIAL


class _GapRun(Run):
    result: GapReplay

    def run(self) -> GapReplay:
        """Lay out and carry out the record; compare its claims where it covers them."""
        result, walk = self.result, self.result.carrier
        self._lay_out()
        far = hand_replay.BROKEN_OFF if self._stopped() else self._carry_on()
        state = walk.state
        # The deal was thrown in after passes of which some are not recorded.
        passed_out = walk.open_auction and state.maker < 0 and result.hand.status == "thrown_in"
        ended = far == hand_replay.CLOSED or passed_out
        sure = state.thrown_in or (walk.is_told and not state.doubt)
        if ended and state.phase == Phase.OVER and sure:
            result.outcome = self._outcome()
        self._reconcile(complete=result.outcome is not None)
        result.findings = tuple(self.found)
        goes_on = (walk.goes_on or walk.open_alone) and not self.unreadable
        result.verdict = self._verdict(complete=ended or goes_on)
        return result

    def _reconcile(self, *, complete: bool) -> None:
        """Compare what the record claims with what it covers: winners of tricks, then the score."""
        result = self.result
        if result.mode != "audit" and self._stopped():
            return
        known = [trick for trick in result.tricks if all(card >= 0 for _, card in trick.plays)]
        self.found += result_claims.winner_findings(
            result.hand, result.ruleset, known, complete=False
        )
        if complete:
            self.found += self._score_findings()
