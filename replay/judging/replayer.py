"""Replaying a hand: from a log to verdict, findings, tricks, captures, outcome and every state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from replay.engine import engine
from replay.engine.faults import FATAL, Fault, faults_in
from replay.engine.policies import MatchScore
from replay.engine.records import State, copy_state
from replay.engine.rules import history
from replay.engine.rules import result as closing
from replay.engine.rules.table import side_of
from replay.judging import deal_findings, findings, result_claims, setup, views
from replay.judging.standing import ALONE, RESULTS, match_of, standing
from replay.model import Call, Capture, Mode, Outcome, Replayed, Trick, Verdict, View
from replay.rulesets.phase_words import phase_words
from replay.rulesets.ruleset import Ruleset, ruleset_of
from schemas.actions import Action
from schemas.hand import Hand
from schemas.words import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

_TAKEN_OVER: Final = (Fault.TRUMP_BY_OTHER, Fault.KITTY_BY_OTHER)
"""Faults of who acts in the place of the maker."""


@dataclass(slots=True)
class Replay(Replayed):
    """A hand replayed under its rules, with the table at any moment of it."""

    _states: list[State] = field(default_factory=list, repr=False)

    def state_at(self, index: int) -> State:
        """Return the state before action ``index``; ``len(replay)`` is the end.

        Past the point where a rejected record breaks off it stays the last defined state.
        """
        if not self._states:
            state = setup.first_state(self.hand, self.ruleset, list(self.actions))[0]
            engine.start(state, self.rules)
            self._states.append(copy_state(state))
            for action in self.actions[: self.played]:
                engine.apply(state, self.rules, action)
                self._states.append(copy_state(state))
            if self.outcome is not None:
                engine.finish(state, self.rules)
                self._states[-1] = state
        return self._states[min(index, len(self._states) - 1)]

    def at(self, index: int) -> View:
        """Return the table before action ``index``; ``len(replay)`` is the end.

        Raises ``IndexError`` outside 0 to ``len(replay)``.
        """
        if not 0 <= index <= len(self.actions):
            raise IndexError(f"step {index} is not within 0 to {len(self.actions)}")
        calls = tuple(call for call in self.calls if call.action < index)
        done = [trick for trick in self.tricks if trick.last_action < index]
        state = self.state_at(index)
        return views.view_of(self.hand, self.rules, state, index, calls, done[-1] if done else None)

    def __repr__(self) -> str:
        """Return one line that says which hand it is and what came of it."""
        return f"<Replay of {self.hand.id!r}: {self.verdict}, {counted(len(self), 'action')}>"

    def __str__(self) -> str:
        """Return the hand as plain text: deal, calls, tricks, result, findings."""
        from replay.render.terminal import overview, plain

        return plain(overview(self))

    def __rich__(self) -> RenderableType:
        """Return the hand as rich shows it on a terminal."""
        from replay.render.terminal import overview

        return overview(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
        from replay.render.html import replay_html

        return replay_html(self)


def replay(hand: Hand, *, mode: Mode = "audit", ruleset: Ruleset | None = None) -> Replay:
    """Replay ``hand`` and return what the rules say of it.

    ``mode``: ``audit`` goes on after every finding that leaves a defined state; ``strict`` refuses
    the hand at its first finding; ``salvage`` keeps the longest legal prefix. ``ruleset`` replaces
    the rules the log names. Raises ``RulesetError`` when the rules cannot be resolved and
    ``BadRecord`` when a card or an action cannot be read.
    """
    rules_of_hand = ruleset or ruleset_of(hand)
    actions = setup.read_actions(hand)
    state, rules, deal_faults = setup.first_state(hand, rules_of_hand, actions)
    result = Replay(hand, rules_of_hand, rules, mode, tuple(actions))
    result.dealt = tuple(state.holding[seat] | state.reserve[seat] for seat in range(rules.seats))
    return _Run(result, state, deal_faults).run()


class _Run:
    """One pass over the actions of a hand."""

    def __init__(self, result: Replay, state: State, deal_faults: list[setup.DealFault]) -> None:
        self.result = result
        self.state = state
        self.rules = result.rules
        self.found = [
            deal_findings.deal_finding(result.hand, result.ruleset, fault) for fault in deal_faults
        ]
        self.broken = any(fault.code == "card-not-in-pack" for fault in deal_faults)
        self.unreadable = False
        """Whether the record leaves open what was trumps, so that no more can be judged."""
        self.course = history.Course()
        self.tricks: list[Trick] = []

    def run(self) -> Replay:
        """Apply the actions, close the record, reconcile the claims, pass the verdict."""
        engine.start(self.state, self.rules)
        for index, action in enumerate(self.result.actions):
            if self._stopped() or not self._step(index, action):
                break
            self.result.played = index + 1
        result = self.result
        complete = not self._stopped() and result.played == len(result.actions) and self._finish()
        outcome = self._outcome() if complete else None
        self._reconcile(outcome)
        result.calls = tuple(self._calls())
        result.tricks = tuple(self.tricks)
        result.captures = tuple(self._captures())
        result.at_play = tuple(self.state.at_play[seat] for seat in range(self.rules.seats))
        result.findings = tuple(self.found)
        result.verdict = self._verdict(complete=complete)
        if result.verdict != Verdict.REJECTED:
            result.outcome = outcome
        return result

    def _stopped(self) -> bool:
        return self.broken or (self.result.mode != "audit" and bool(self.found))

    def _step(self, index: int, action: Action) -> bool:
        """Carry out one action; return whether a state is defined after it."""
        before = history.standing_before(self.state)
        faults = engine.apply(self.state, self.rules, action)
        if faults:
            if faults & FATAL == Fault.TRUMP_NOT_RECORDED:
                self.unreadable = True
                return False
            self._report(index, action, faults)
            self.broken = bool(faults & FATAL)
            if self._stopped():
                return False
        if not faults & Fault.PLAYED_WHEN_OUT:
            history.note(self.state, self.rules, self.course, index, action, before)
        if self.course.tricks > len(self.tricks):
            self.tricks.append(self._trick(len(self.tricks)))
        return True

    def _report(self, index: int, action: Action, bits: int) -> None:
        """Turn faults into findings, with the state before the action; skip what is explained."""
        self.result.played = index
        before = self._state_before(index)
        if action.seat < self.rules.seats:
            engine.go_on_to(before, self.rules, action)
        for fault in faults_in(bits):
            if self.result.mode == "audit" and self._is_explained(action.seat, fault):
                continue
            self.found.append(
                findings.action_finding(
                    self.result.hand,
                    self.result.ruleset,
                    self.rules,
                    before,
                    index,
                    action,
                    fault,
                )
            )

    def _is_explained(self, seat: int, fault: Fault) -> bool:
        """Whether a fault only follows from one found before.

        Who was given a trick that another has won leads after it; who has named trumps or taken
        the kitty in the place of the maker goes on as the maker.
        """
        if fault == Fault.WRONG_LEADER and self.tricks:
            return result_claims.claimed_leader(self.result.hand, self.tricks) == seat
        if fault not in (*_TAKEN_OVER, Fault.WRONG_LEADER):
            return False
        codes = [findings.code_of(each) for each in _TAKEN_OVER]
        return any(item.seat == seat and item.code in codes for item in self.found)

    def _state_before(self, index: int) -> State:
        """Return the state before action ``index`` by playing the record up to it again."""
        result = self.result
        state = setup.first_state(result.hand, result.ruleset, list(result.actions))[0]
        engine.start(state, self.rules)
        for action in result.actions[:index]:
            engine.apply(state, self.rules, action)
        return state

    def _trick(self, place: int) -> Trick:
        """Return a complete trick as it was written down, ``place`` from 0."""
        written = self.course
        first = written.first_play[place]
        last = written.first_play[place + 1] if place + 1 < written.tricks else written.plays
        seats, cards = written.play_seat[first:last], written.play_card[first:last]
        plays = tuple(zip(seats, cards, strict=True))
        winner = written.trick_winner[place]
        return Trick(
            number=place + 1,
            leader=plays[0][0],
            plays=plays,
            buried=written.buried if place == 0 else 0,
            winner=winner if winner >= 0 else None,
            points=written.trick_points[place],
            first_action=written.play_action[first],
            last_action=written.play_action[last - 1],
        )

    def _calls(self) -> Iterator[Call]:
        for place in range(self.course.calls):
            index = self.course.call_action[place]
            action = self.result.actions[index]
            yield Call(index, action.seat, action.verb, self.course.call_amount[place])

    def _captures(self) -> Iterator[Capture]:
        written = self.course
        for place in range(written.captures):
            owner = written.capture_by[place]
            yield Capture(
                written.capture_card[place],
                written.capture_points[place],
                written.capture_trick[place],
                written.capture_from[place],
                owner,
                side_of(self.rules, owner),
            )

    def _finish(self) -> bool:
        """Close the record; return whether the hand came to its end."""
        alone = self.state.turn
        left = self.state.holding[alone] if alone >= 0 else 0
        complete = engine.finish(self.state, self.rules)
        if complete:
            history.close(self.state, self.rules, self.course, alone, left)
        return complete

    def _reconcile(self, outcome: Outcome | None) -> None:
        """Compare what the record claims with what the rules give, as far as it goes."""
        complete = outcome is not None
        if self.result.mode != "audit" and self._stopped():
            return
        hand, ruleset = self.result.hand, self.result.ruleset
        wrong = result_claims.winner_findings(hand, ruleset, self.tricks, complete=complete)
        if outcome is not None:
            wrong_leads = {item.action for item in self.found if item.code == "wrong-leader"}
            takers = result_claims.trick_takers(hand, self.tricks, wrong_leads)
            taken = list(zip(self.tricks, takers, strict=True))
            wrong += result_claims.score_findings(hand, ruleset, self.state, outcome, taken)
        if not self.state.doubt:
            self.found += wrong
        elif complete:
            self.result.doubts = (
                "A card that is not recorded could change what was legal or what it scores.",
                *(item.message for item in wrong),
            )

    def _verdict(self, *, complete: bool) -> Verdict:
        if self.broken or (self.result.mode == "strict" and self.found):
            return Verdict.REJECTED
        if not complete:
            self.result.doubts = (self._why_incomplete(),)
            return Verdict.INCOMPLETE
        if self.found:
            return Verdict.IRREGULAR
        return Verdict.DOUBTFUL if self.state.doubt else Verdict.VALID

    def _why_incomplete(self) -> str:
        if self.unreadable:
            return "The record does not say what was trumps, and nothing after that can be judged."
        if self._stopped():
            return "Kept is what came before the first fault."
        return f"The record stops during {phase_words(self.state.phase)}."

    def _outcome(self) -> Outcome:
        """Return how the hand ended, and where its scores are recorded, how the game stands."""
        outcome = self._result()
        before = self.result.hand.scores
        if before is UNSET or len(before) != self.rules.side_count:
            return outcome
        scores, winner = standing(self.rules, before, outcome)
        match = None
        if winner is not None and self.rules.match_score != MatchScore.NONE:
            match = match_of(self.rules, winner)
        added = tuple(new - old for old, new in zip(before, scores, strict=True))
        return replace(outcome, change=added, scores=scores, winner_side=winner, match=match)

    def _result(self) -> Outcome:
        """Return how the hand ended, whatever the scores were before it."""
        result = closing.Result()
        closing.sum_up(self.state, self.rules, result)
        played = result.maker != closing.NOBODY
        sides = self.rules.side_count
        return Outcome(
            result=RESULTS[result.ending],
            maker=result.maker if played else None,
            bid=result.bid if result.contract else None,
            need=result.need if result.contract else None,
            trump=result.trump if played else None,
            forced=bool(result.forced),
            no_contract=bool(result.no_contract),
            alone=ALONE[result.alone],
            stake=result.stake,
            points=tuple(result.points[:sides]),
            taken=tuple(result.taken[:sides]),
            change=tuple(result.change[:sides]),
            scores=None,
            winner_side=None,
            match=None,
        )
