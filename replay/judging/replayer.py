"""Replaying a hand: from a log to verdict, findings, tricks, captures, outcome and every state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import UNSET
from msgspec.structs import replace as replace_fields

from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.faults import FATAL, Fault, faults_in
from tricklog.core.engine.hand_replay import ANY_FAULT, Workspace
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import discard
from tricklog.core.engine.rules.history import History
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging import findings, result_claims, views
from tricklog.core.judging.findings import deal_findings
from tricklog.core.judging.gaps import contracts, totals
from tricklog.core.judging.gaps.crossing import Walk
from tricklog.core.judging.gaps.readings import NOBODY, readings, sentences
from tricklog.core.judging.setup import Carrier, carrier_of, read_actions
from tricklog.core.judging.standing import outcome_of
from tricklog.core.model import (
    Call,
    Capture,
    Choice,
    Finding,
    KnownOutcome,
    Mode,
    Outcome,
    Trick,
    Verdict,
    View,
)
from tricklog.core.rulesets.rules_text import phase_said
from tricklog.core.rulesets.ruleset import Ruleset, ruleset_of
from tricklog.schemas.actions import Action, Verb, parse_action
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Gap, Hand, has_gaps, needs_version_2
from tricklog.schemas.languages.messages import Message, message
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

ENDED: Final = (Verdict.VALID, Verdict.IRREGULAR, Verdict.DOUBTFUL)
"""Verdicts of hands that came to their end."""
_CALLS_KEPT: Final = 4096
"""Calls that are kept: most hands begin with the same."""
_TAKEN_OVER: Final = (Fault.TRUMP_BY_OTHER, Fault.KITTY_BY_OTHER)
"""Faults of who acts in the place of the maker."""


@dataclass
class Replay:
    """A hand replayed under its rules, with the table at any moment of it."""

    hand: Hand
    ruleset: Ruleset
    rules: Rules
    mode: Mode
    verdict: Verdict = Verdict.VALID
    findings: tuple[Finding, ...] = ()
    doubted: tuple[Message, ...] = ()
    """Why the verdict is doubtful, incomplete or partial, to be shown in the reader's language."""
    known_outcome: KnownOutcome | None = None
    """What is known of the outcome of a record with gaps; ``None`` for any other."""
    dealt: tuple[int, ...] = ()
    """Per seat the cards dealt, as far as recorded."""
    played: int = 0
    """Number of actions carried out: all, or the part before a rejection."""
    carrier: Carrier = field(kw_only=True, repr=False, compare=False)
    """What has carried the record out."""
    has_gaps: ClassVar[bool] = False
    """Whether the record was replayed as one that leaves something out."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The recorded actions."""
        return self.carrier.actions

    @property
    def workspace(self) -> Workspace:
        """The record as the engine has left it, for ``tricklog.core.engine.facts``."""
        return self.carrier.workspace

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls of the auction, in order."""
        actions, history = self.hand.actions, self.carrier.history
        places = zip(history.call_action, history.call_amount, range(history.calls), strict=False)
        return tuple([_call(index, actions[index], amount) for index, amount, _ in places])

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """The complete tricks, in order."""
        return tuple(_tricks(self.carrier.history))

    @cached_property
    def captures(self) -> tuple[Capture, ...]:
        """Where the points of each card went, in the order in which they were won."""
        sides = [side_of(self.rules, seat) for seat in range(self.rules.seats)]
        rows = zip(*captured_in(self.carrier.history), strict=False)
        count = self.carrier.history.captures
        return tuple([Capture(*(*row, sides[row[-1]])) for row in islice(rows, count)])

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the hand ended; ``None`` when the record stops early or is rejected."""
        ended = self.verdict in ENDED
        return outcome_of(self.hand, self.rules, self.carrier.result) if ended else None

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why the verdict is doubtful, incomplete or partial, in English."""
        return tuple(each.english for each in self.doubted)

    @property
    def at_play(self) -> tuple[int, ...]:
        """Per seat the holding when the first trick begins; empty sets before play."""
        return tuple(self.workspace.state.at_play[: self.rules.seats])

    def findings_at(self, index: int) -> tuple[Finding, ...]:
        """Return the findings that hang on action ``index``."""
        return tuple(item for item in self.findings if item.action == index)

    def state_at(self, index: int) -> State:
        """Return the state before action ``index`` or at the end; past a break the last defined."""
        if index >= self.played and self.outcome is not None:
            return self.carrier.state
        return self.states[min(index, self.played)]

    @cached_property
    def states(self) -> dict[int, State]:
        """The states before the actions that were carried out, and after them."""
        return self.carrier.states(self.played)

    def at(self, index: int) -> View:
        """Return the table before action ``index``, 0 to ``len(replay)``, else ``IndexError``."""
        if not 0 <= index <= len(self):
            raise IndexError(f"step {index} is not within 0 to {len(self)}")
        calls = tuple(call for call in self.calls if call.action < index)
        done = [trick for trick in self.tricks if trick.last_action < index]
        state = self.state_at(index)
        return views.view_of(self.hand, self.rules, state, index, calls, done[-1] if done else None)

    def __len__(self) -> int:
        """Return the number of recorded actions."""
        return len(self.hand.actions)

    def __bool__(self) -> bool:
        """Return true: a record without actions is replayed like any other."""
        return True

    def __iter__(self) -> Iterator[View]:
        """Yield the table before each action, and at the end."""
        return map(self.at, range(len(self) + 1))

    def __repr__(self) -> str:
        """Return one line that says which hand it is and what came of it."""
        return f"<Replay of {self.hand.id!r}: {self.verdict}, {counted(len(self), 'action')}>"

    def __str__(self) -> str:
        """Return the hand as plain text: deal, calls, tricks, result, findings."""
        from tricklog.core.render.terminal import overview, plain

        return plain(overview(self))

    def __rich__(self) -> RenderableType:
        """Return the hand as rich shows it on a terminal."""
        from tricklog.core.render.terminal import overview

        return overview(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
        from tricklog.core.render.html import replay_html

        return replay_html(self)


@lru_cache(maxsize=_CALLS_KEPT)
def _call(index: int, text: str, amount: int) -> Call:
    action = parse_action(text)
    return Call(index, action.seat, Verb(action.verb), amount)


def _tricks(history: History) -> Iterator[Trick]:
    ends = [*history.first_play[1 : history.tricks], history.plays]
    plays = tuple(zip(history.play_seat, history.play_card, strict=False))
    actions = history.play_action
    for place, last in enumerate(ends[: history.tricks]):
        first = history.first_play[place]
        if first == last:
            # A trick that the record leaves out.
            continue
        buried, points = 0 if place else history.buried, history.trick_points[place]
        winner = None if history.trick_winner[place] < 0 else history.trick_winner[place]
        shown, span = plays[first:last], (actions[first], actions[last - 1])
        yield Trick(place + 1, shown[0][0], shown, buried, winner, points, *span)


def captured_in(history: History) -> tuple[list[int], ...]:
    """Return the columns of the cards that scored points, in the order of ``Capture``."""
    return (
        history.capture_card,
        history.capture_points,
        history.capture_trick,
        history.capture_from,
        history.capture_by,
    )


def replay(hand: Hand, *, mode: Mode = "audit", ruleset: Ruleset | None = None) -> Replay:
    """Replay ``hand`` and return what the rules say of it.

    ``mode``: ``audit`` goes on after every finding that leaves a defined state; ``strict`` refuses
    the hand at its first finding; ``salvage`` keeps the longest legal prefix. ``ruleset`` replaces
    the rules the log names. Raises ``RulesetError`` when the rules cannot be resolved,
    ``BadRecord`` when a card or an action cannot be read, and ``TypeError`` for what is no hand.
    """
    if not isinstance(hand, Hand):
        raise TypeError(
            "replay takes a hand, as decode_hand gives it and each line of read has it in .hand, "
            f"and not {type(hand).__name__}"
        )
    rules_of_hand = ruleset or ruleset_of(hand)
    if has_gaps(hand):
        return replay_with_gaps(hand, rules_of_hand, mode)
    rules = rules_of_hand.rules(len(hand.players))
    carrier = carrier_of(hand, rules)
    found = Run(Replay(hand, rules_of_hand, rules, mode, carrier=carrier)).run()
    claimed = UNSET if hand.claimed is UNSET else hand.claimed.points
    cut_short = found.verdict is Verdict.INCOMPLETE and found.played == len(found)
    if cut_short and hand.status == "claimed" and claimed is not UNSET:
        # All agreed to a claim of the rest, so that what they wrote is the result of the hand.
        rest = Gap(before=len(found), missing="rest")
        return replay_with_gaps(hand, rules_of_hand, mode, gaps=[rest])
    if not found.findings:
        return found
    from tricklog.core.judging import left_out

    return min([found, *left_out.readings(found)], key=lambda each: len(each.findings))


class Run:
    """One pass over a record, and what is said of it."""

    def __init__(self, result: Replay) -> None:
        self.result = result
        self.rules = result.rules
        self.carrier = result.carrier
        self.found: list[Finding] = []
        self.broken = False
        self.unreadable = False
        """Whether the record leaves open what was trumps, so that no more can be judged."""
        self.confirmed = False
        """Whether all that is claimed is right."""

    def run(self) -> Replay:
        """Lay out, carry out and close the record, explain what was wrong, pass the verdict."""
        result = self.result
        self._lay_out()
        far = hand_replay.BROKEN_OFF if self._stopped() else self._carry_on()
        complete = far >= hand_replay.CLOSED
        self.confirmed = far == hand_replay.CONFIRMED
        self._reconcile(complete=complete)
        result.findings = tuple(self.found)
        result.verdict = self._verdict(complete=complete)
        return result

    def _stopped(self) -> bool:
        return self.broken or (self.result.mode != "audit" and bool(self.found))

    def _lay_out(self) -> None:
        result, carrier = self.result, self.carrier
        right = carrier.lay_out()
        result.dealt = carrier.dealt
        workspace = None if right else carrier.workspace
        self.found += deal_findings(result.hand, result.ruleset, workspace)
        self.broken = any(each.code == "card-not-in-pack" for each in self.found)

    def _carry_on(self) -> int:
        """Carry out the actions, and say what was wrong; return how far the record goes."""
        result = self.result
        ending = FATAL if result.mode == "audit" else ANY_FAULT
        far = self.carrier.carry_on(ending)
        faults = self.carrier.faults
        result.played = len(result)
        if far == hand_replay.BROKEN_OFF:
            result.played = next(n for n, bits in enumerate(faults) if bits & ending)
            fatal = faults[result.played] & FATAL
            self.unreadable = fatal == Fault.TRUMP_NOT_RECORDED
            self.broken = fatal != 0 and not self.unreadable
        if any(faults):
            self._explain()
        return far

    def _explain(self) -> None:
        """Turn faults into findings, but for those that only follow from others before them."""
        result = self.result
        for index, bits in enumerate(self.carrier.faults):
            if not bits or (self.unreadable and index == result.played):
                continue
            action, before = result.actions[index], copy_state(result.states[index])
            if action.seat < self.rules.seats:
                engine.go_on_to(before, self.rules, action)
                if (
                    engine.DISCARDS >> action.verb & 1
                    and before.phase in (Phase.DISCARD, Phase.GIVE, Phase.REFILL, Phase.ROB)
                    and discard.replaces(before, self.rules, action)
                ):
                    # It is judged in the place of the one before.
                    discard.take_back(before, action.seat)
                    before.phase, before.pending = Phase.DISCARD, before.pending | 1 << action.seat
            about = result.hand, result.ruleset, self.rules, before, index, action
            for fault in faults_in(bits):
                if result.mode != "audit" or not self._is_explained(index, action.seat, fault):
                    self.found.append(findings.action_finding(*about, fault))

    def _is_explained(self, index: int, seat: int, fault: Fault) -> bool:
        """Whether a fault of action ``index`` only follows from one found before.

        Who was given a trick that another has won leads after it; who has named trumps or taken
        the kitty in the place of the maker goes on as the maker.
        """
        if fault == Fault.WRONG_LEADER:
            done = [trick for trick in self.result.tricks if trick.last_action < index]
            if done:
                return result_claims.claimed_leader(self.result.hand, done[-1]) == seat
        if fault not in (*_TAKEN_OVER, Fault.WRONG_LEADER):
            return False
        codes = [findings.code_of(each) for each in _TAKEN_OVER]
        return any(item.seat == seat and item.code in codes for item in self.found)

    def _reconcile(self, *, complete: bool) -> None:
        if self.result.mode != "audit" and self._stopped():
            return
        wrong: list[Finding] = []
        if not self.confirmed:
            wrong = self._wrong_claims(self.result.tricks, whole=complete, complete=complete)
        if complete and needs_version_2(self.result.hand):
            wrong = [*wrong, *totals.findings_of_claims(self.result, self._outcome())]
        if not self.carrier.doubt:
            self.found += wrong
        elif complete:
            why = message(
                "A card that is not recorded could change what was legal or what it scores."
            )
            self.result.doubted = (why, *(item.said for item in wrong))

    def _outcome(self) -> Outcome:
        return outcome_of(self.result.hand, self.rules, self.carrier.result)

    def _wrong_claims(
        self, tricks: Sequence[Trick], *, whole: bool, complete: bool
    ) -> list[Finding]:
        """Compare claims with ``tricks``, ``whole`` if they are all there, and with the score."""
        hand, ruleset = self.result.hand, self.result.ruleset
        wrong = [*result_claims.winner_findings(hand, ruleset, tricks, complete=whole)]
        if complete:
            wrong_leads = {item.action for item in self.found if item.code == "wrong-leader"}
            takers = result_claims.trick_takers(hand, self.result.tricks, wrong_leads)
            taken = list(zip(self.result.tricks, takers, strict=True))
            state, outcome = self.carrier.state, self._outcome()
            wrong += result_claims.score_findings(hand, ruleset, state, outcome, taken)
        return wrong

    def _verdict(self, *, complete: bool) -> Verdict:
        if self.broken or (self.result.mode == "strict" and self.found):
            return Verdict.REJECTED
        if not complete:
            phase = phase_said(self.carrier.state.phase)
            why = message("The record stops during {phase}.", phase=phase)
            if self.unreadable:
                why = message(
                    "The record does not say what was trumps, and nothing after that can be judged."
                )
            elif self._stopped():
                why = message("Kept is what came before the first fault.")
            self.result.doubted = (why,)
            return Verdict.INCOMPLETE
        if self.found:
            return Verdict.IRREGULAR
        return Verdict.DOUBTFUL if self.carrier.doubt else Verdict.VALID


# --- Records with gaps: stretch by stretch, in every reading, keeping what holds in all


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
        for reading in readings(hand, rules, read_actions(hand))
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
    breaks_off = best.verdict == Verdict.INCOMPLETE and not best.findings
    if breaks_off or best.verdict == Verdict.REJECTED:
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
        self.found += self._wrong_claims(known, whole=False, complete=complete)
