"""Replaying a record with gaps: stretch by stretch, in every reading, keeping what holds in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from msgspec import UNSET, structs

from replay.engine import engine, hand_replay
from replay.engine.constants import PHASE_AUCTION, PHASE_OVER, PHASE_PLAY
from replay.engine.faults import FATAL, Fault
from replay.engine.hand_replay import ANY_FAULT
from replay.engine.records import State, copy_state
from replay.engine.rules import history as histories
from replay.judging import result_claims, setup
from replay.judging.carriers import Carrier
from replay.judging.gaps import contracts, totals
from replay.judging.gaps.crossing import Walk
from replay.judging.gaps.readings import NOBODY, STOPS, UNKNOWN_TRUMP, Reading, readings, sentences
from replay.judging.replayer import Replay, Run
from replay.judging.standing import outcome_of
from replay.model import Capture, Choice, Finding, KnownOutcome, Mode, Outcome, Trick, Verdict, View
from replay.rulesets.ruleset import Ruleset
from schemas.hand import Hand
from schemas.languages.messages import Message, message

_NOT_RECORDED: Final = Choice(
    verbs=(),
    low=0,
    high=0,
    other_bids=(),
    must=0,
    cards=0,
    least=0,
    most=0,
    said=message("The record does not say how the hand went on."),
)
_ANY_READING: Final = Reading(0, NOBODY, UNKNOWN_TRUMP, shown=True)


@dataclass(slots=True)
class GapReplay(Replay):
    """A record with gaps, replayed under one reading of what it leaves open."""

    reading: Reading = _ANY_READING
    auction: tuple[int | None, int | None] | None = None
    """Who won the auction and with what by its actions, where a gap was crossed after it."""
    supposes_maker: bool = False
    """Whether it is only supposed who won the auction."""
    read_as: Hand | None = None
    """The hand with the gap that its record does not name, where it has such a one."""
    _settled: Outcome | None = field(default=None, repr=False, compare=False)

    @property
    def outcome(self) -> Outcome | None:
        """How the hand ended, where the record covers all that it hangs on."""
        return self._settled

    @property
    def whole(self) -> bool:
        """Whether the record covers the hand to its end, points and contract included."""
        return self._settled is not None

    def _told_at_the_end(self, view: View) -> View:
        """Return the last table with what the record says of the rest of the hand."""
        known = self.known_outcome or KnownOutcome()
        return replace(
            view,
            turn=None,
            maker=view.maker if known.maker is None else known.maker,
            bid=view.bid if known.bid is None else known.bid,
            trump=view.trump if known.trump is None else known.trump,
            points=view.points if known.points is None else known.points,
            choice=_NOT_RECORDED,
        )

    def goes_on(self) -> bool:
        """Does the record say that something is missing after its last action?"""
        return any(gap.before >= len(self.actions) for gap in self._read.gaps or ())

    @property
    def has_gaps(self) -> bool:
        """Whether the record was replayed as one that leaves something out."""
        return True

    @property
    def _read(self) -> Hand:
        return self.read_as or self.hand

    def settle(self, outcome: Outcome | None) -> None:
        """Enter how the hand ended, ``None`` where it is not known after all."""
        self._settled = outcome

    def keep(self, tricks: Sequence[Trick], captures: Sequence[Capture]) -> None:
        """Enter the tricks and captures that are known, whatever was left out."""
        self._tricks, self._captures = tuple(tricks), tuple(captures)
        written = self.workspace.history
        for trick in tricks:
            winner = NOBODY if trick.winner is None else trick.winner
            written.trick_winner[trick.number - 1] = winner
            written.trick_points[trick.number - 1] = trick.points
        written.captures = 0
        for capture in captures:
            place = written.captures
            written.capture_card[place] = capture.card
            written.capture_points[place] = capture.points
            written.capture_trick[place] = capture.trick
            written.capture_from[place] = capture.from_seat
            written.capture_by[place] = capture.by_seat
            written.captures += 1

    def state_at(self, index: int) -> State:
        """Return the table before action ``index``, after any gap there; the end for the last."""
        if self._states is None:
            self._states = {}
            state, walk = self.begun()
            for place in range(self.played):
                walk.before(state, None, place)
                self._states[place] = copy_state(state)
                walk.apply(state, place)
            if self.whole:
                engine.finish(state, self.rules)
            self._states[self.played] = state
        return self._states[min(index, self.played)]

    def begun(self) -> tuple[State, Walk]:
        """Return the table before the first action, and what carries it over the gaps."""
        state = setup.first_state(self.basis(), self.ruleset, self.actions)[0]
        walk = Walk(self._read, self.rules, self.actions, self.reading)
        walk.begin(state)
        return state, walk

    def basis(self) -> Hand:
        """Return the hand with what the reading supposes, as the engine can lay it out."""
        return structs.replace(self.hand, dealer=self.reading.dealer)

    def at(self, index: int) -> View:
        """Return the table before action ``index``, without what is only supposed."""
        view = super(GapReplay, self).at(index)
        if index == len(self.actions) and not self.whole and self.goes_on():
            view = self._told_at_the_end(view)
        return replace(
            view,
            trick_number=self._trick_at(view),
            dealer=view.dealer if self.hand.dealer is not UNSET else None,
            maker=view.maker if self._is_maker_told() else None,
            trump=view.trump if self._is_told(view.trump) else None,
        )

    def _trick_at(self, view: View) -> int:
        """Return the trick that comes where the one before it is not recorded, else the last."""
        state = self.state_at(view.index)
        comes = state.phase == PHASE_PLAY and not view.trick and view.trick_number > 0
        return min(state.trick, self.rules.hand_size) if comes else view.trick_number

    def _is_maker_told(self) -> bool:
        known = self.known_outcome
        return not self.supposes_maker or (known is not None and known.maker is not None)

    def _is_told(self, trump: int | None) -> bool:
        """Is it more than supposed that these are trumps?"""
        known = self.known_outcome
        told = known is not None and known.trump is not None and known.trump == trump
        return told or not self.reading.supposes_trump


def replay_with_gaps(
    record: Hand, ruleset: Ruleset, mode: Mode, *, read_as: Hand | None = None
) -> GapReplay:
    """Return what the rules say of a record with gaps, in whatever way its gaps are filled.

    A finding stands that stands in every reading; what readings disagree about is not known.
    ``read_as`` is the record with a gap that it does not name.
    """
    hand = read_as or record
    actions = setup.read_actions(hand)
    rules = ruleset.rules(len(hand.players))
    found: list[GapReplay] = []
    for reading in readings(hand, rules, actions):
        supposed = structs.replace(hand, dealer=reading.dealer)
        carrier = Carrier(supposed, rules)
        result = GapReplay(hand, ruleset, rules, mode, carrier=carrier, reading=reading)
        _GapRun(result).run()
        found.append(result)
    best = _agreed(found)
    best.hand, best.read_as = record, read_as
    return best


def _agreed(found: list[GapReplay]) -> GapReplay:
    """Return the reading with the fewest findings, with no more than what all readings share."""
    best = min(found, key=lambda each: (each.verdict == Verdict.REJECTED, len(each.findings)))
    if len(found) > 1:
        shared = set.intersection(*({_key(item) for item in each.findings} for each in found))
        findings = tuple(item for item in best.findings if _key(item) in shared)
        if best.findings and not findings:
            best.doubted = (*best.doubted, _no_reading_fits(best))
        best.findings = findings
        _drop_what_differs(best, found)
    contract = contracts.contract_of(best)
    more = contracts.findings_of(best)
    best.known_outcome, wrong = totals.judge(best, contract)
    best.findings = (*best.findings, *more, *wrong)
    best.verdict = _verdict(best)
    best.doubted = (*sentences(best.hand), *best.doubted)
    return best


def _key(finding: Finding) -> tuple[str, int | None, str, int | None]:
    return finding.code, finding.action, finding.pointer, finding.seat


def _no_reading_fits(best: GapReplay) -> Message:
    return message(
        "However the gaps are filled, something was against the rules; perhaps: {finding}",
        finding=best.findings[0].said,
    )


def _drop_what_differs(best: GapReplay, found: Sequence[GapReplay]) -> None:
    """Keep only those winners, captures and results that are the same in every reading."""
    if any(each.outcome != best.outcome for each in found):
        best.settle(None)
    tricks: list[Trick] = []
    for place, trick in enumerate(best.tricks):
        others = [each.tricks[place] if place < len(each.tricks) else None for each in found]
        same = all(other == trick for other in others)
        tricks.append(trick if same else replace(trick, winner=None, points=0))
    shared = set[Capture].intersection(*(set(each.captures) for each in found))
    best.keep(tricks, [item for item in best.captures if item in shared])


def _verdict(best: GapReplay) -> Verdict:
    if best.verdict in (Verdict.REJECTED, Verdict.INCOMPLETE) and not (
        best.verdict == Verdict.INCOMPLETE and best.findings
    ):
        return best.verdict
    if best.mode == "strict" and best.findings:
        return Verdict.REJECTED
    return Verdict.IRREGULAR if best.findings else Verdict.PARTIAL


class _GapRun(Run):
    """One pass over a record with gaps, under one reading."""

    result: GapReplay

    def __init__(self, result: GapReplay) -> None:
        super().__init__(result)
        self.workspace, self.state = result.workspace, result.workspace.state
        self.walk = Walk(result.hand, result.rules, result.actions, result.reading)

    def run(self) -> GapReplay:
        """Lay out and carry out the record; compare its claims where it covers them."""
        result, rules = self.result, self.rules
        self._lay_out()
        carried = not self._stopped() and self._carry_out()
        stopped = self.walk.undecided and result.actions and result.actions[-1].verb in STOPS
        if (result.goes_on() or stopped) and self.walk.forget_open_trick(self.workspace.history):
            self.walk.points_known = False
        ended = carried and not self.result.goes_on() and hand_replay.close(self.workspace, rules)
        result.auction = self.walk.auction
        result.supposes_maker = self.walk.supposes_maker
        ended = ended or self._is_passed_out()
        if ended and self.state.phase == PHASE_OVER and self._is_settled():
            result.settle(outcome_of(result.hand, rules, self.workspace.result))
        self._reconcile(complete=result.whole)
        result.findings = tuple(self.found)
        goes_on = result.goes_on() or self.walk.open_alone
        result.verdict = self._verdict(complete=ended or (goes_on and not self.unreadable))
        result.doubted = result.doubted if result.verdict == Verdict.INCOMPLETE else ()
        return result

    def _is_passed_out(self) -> bool:
        """Was the deal thrown in after passes of which some are not recorded?"""
        passes = self.walk.open_auction and self.state.maker < 0
        return passes and self.result.hand.status == "thrown_in"

    def _is_settled(self) -> bool:
        walk, state = self.walk, self.state
        return bool(state.thrown_in) or (
            walk.points_known and walk.bid_known and walk.stake_known and not state.doubt
        )

    def _carry_out(self) -> bool:
        """Carry out the actions over the gaps, and say what was wrong; return if all were."""
        result, count = self.result, len(self.result.actions)
        ending = FATAL if result.mode == "audit" else ANY_FAULT
        self.walk.begin(self.state)
        result.played = count
        for index in range(count):
            if self._step(index) & ending:
                result.played = index
                self._note_fatal(self.workspace.faults[index] & FATAL)
                break
        if any(self.workspace.faults):
            self._explain()
        return result.played == count and not self._stopped()

    def _step(self, index: int) -> int:
        """Carry out one action as ``hand_replay.carry_out`` does; return its faults."""
        state, rules, written = self.state, self.rules, self.workspace.history
        action = self.result.actions[index]
        self.walk.before(state, written, index)
        before = histories.AUCTION if state.phase == PHASE_AUCTION else state.trick
        if before == histories.AUCTION:
            options = engine.legal_to_call(state, rules, action.seat)
            histories.note_options(state, written, options)
        faults = self.walk.apply(state, index)
        self.workspace.faults[index] = faults
        if not faults & (FATAL | Fault.PLAYED_WHEN_OUT):
            histories.record_action(state, rules, written, index, action, before)
        return faults

    def _reconcile(self, *, complete: bool) -> None:
        """Compare what the record claims with what it covers: winners of tricks, then the score."""
        result = self.result
        if result.mode != "audit" and self._stopped():
            return
        hand, ruleset = result.hand, result.ruleset
        known = [trick for trick in result.tricks if all(card >= 0 for _, card in trick.plays)]
        self.found += result_claims.winner_findings(hand, ruleset, known, complete=False)
        outcome = result.outcome
        if complete and outcome is not None:
            wrong_leads = {item.action for item in self.found if item.code == "wrong-leader"}
            takers = result_claims.trick_takers(hand, result.tricks, wrong_leads)
            taken = list(zip(result.tricks, takers, strict=True))
            self.found += result_claims.score_findings(hand, ruleset, self.state, outcome, taken)

    def _explain(self) -> None:
        """Turn faults into findings, each with the table before its action."""
        result, faults = self.result, self.workspace.faults
        state, walk = result.begun()
        last = max(index for index, bits in enumerate(faults) if bits)
        for index, action in enumerate(result.actions[: last + 1]):
            walk.before(state, None, index)
            if faults[index] and not (self.unreadable and index == result.played):
                self._report(index, action, copy_state(state))
            walk.apply(state, index)
