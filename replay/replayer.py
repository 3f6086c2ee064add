"""Replaying a hand: from a log to verdict, findings, tricks, captures, outcome and every state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from replay import claims, deal_findings, engine, findings, setup, views
from replay.faults import FATAL, Fault, faults_in
from replay.model import Call, Capture, Finding, Mode, Outcome, Trick, Verdict, View
from replay.policies import LowTo, MatchScore, Phase
from replay.records import Rules, State, copy_state
from replay.rules import counting, scoring
from replay.rules.table import named_trump, side_of, trump_code
from replay.ruleset import Ruleset, ruleset_of
from replay.standing import RESULTS, match_of, standing
from schemas.actions import NO_TRUMP, Action, Verb
from schemas.cards import cards_in
from schemas.hand import Hand

if TYPE_CHECKING:
    from rich.console import RenderableType

_CALLS: Final = (Verb.BID, Verb.PASS, Verb.DITTO, Verb.TENNY)
_TAKEN_OVER: Final = (Fault.TRUMP_BY_OTHER, Fault.KITTY_BY_OTHER)
"""Faults of who acts in the place of the maker."""


@dataclass(slots=True)
class Replay:
    """A hand replayed under its rules."""

    hand: Hand
    ruleset: Ruleset
    rules: Rules
    mode: Mode
    actions: tuple[Action, ...]
    verdict: Verdict = Verdict.VALID
    findings: tuple[Finding, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why the verdict is doubtful or incomplete."""
    outcome: Outcome | None = None
    """``None`` when the record stops early or is rejected."""
    calls: tuple[Call, ...] = ()
    tricks: tuple[Trick, ...] = ()
    captures: tuple[Capture, ...] = ()
    dealt: tuple[int, ...] = ()
    """Per seat the cards dealt, as far as recorded."""
    at_play: tuple[int, ...] = ()
    """Per seat the holding when the first trick begins; empty sets before play."""
    played: int = 0
    """Number of actions carried out: all, or the part before a rejection."""
    _states: list[State] = field(default_factory=list, repr=False)

    def __len__(self) -> int:
        """Return the number of recorded actions."""
        return len(self.actions)

    def __bool__(self) -> bool:
        """Return true: a record without actions is replayed like any other."""
        return True

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

    def findings_at(self, index: int) -> tuple[Finding, ...]:
        """Return the findings that hang on action ``index``."""
        return tuple(item for item in self.findings if item.action == index)

    def __repr__(self) -> str:
        """Return one line that says which hand it is and what came of it."""
        return f"<Replay of {self.hand.id!r}: {self.verdict}, {len(self)} actions>"

    def __str__(self) -> str:
        """Return the hand as plain text: deal, calls, tricks, result, findings."""
        from replay.text import overview, plain

        return plain(overview(self))

    def __rich__(self) -> RenderableType:
        """Return the hand as rich shows it on a terminal."""
        from replay.text import overview

        return overview(self)

    def _repr_html_(self) -> str:
        """Return the hand as HTML, which a notebook shows by itself."""
        from replay.show import replay_html

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
        self.calls: list[Call] = []
        self.tricks: list[Trick] = []
        self.captures: list[Capture] = []
        self.plays: list[tuple[int, int, int]] = []
        """(action, seat, card) of the trick on the table."""

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
        result.calls = tuple(self.calls)
        result.tricks = tuple(self.tricks)
        result.captures = tuple(self.captures)
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
        state = self.state
        is_call = action.verb in _CALLS and state.phase == Phase.AUCTION
        number = max(state.trick, 1)
        faults = engine.apply(state, self.rules, action)
        if faults:
            if faults & Fault.TRUMP_NOT_RECORDED:
                self.unreadable = True
                return False
            self._report(index, action, faults)
            self.broken = bool(faults & FATAL)
            if self._stopped():
                return False
        if is_call:
            amount = state.high_bid if action.verb == Verb.DITTO else action.amount
            self.calls.append(Call(index, action.seat, action.verb, amount))
        if action.verb == Verb.PLAY and not faults & Fault.PLAYED_WHEN_OUT:
            self.plays.append((index, action.seat, state.trick_cards[action.seat]))
        # It may take the showing of the trump to end a trick.
        if self.plays and state.trick > number:
            self._close_trick()
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
            return claims.claimed_leader(self.result.hand, self.tricks) == seat
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

    def _close_trick(self) -> None:
        state = self.state
        buried = 0
        if not self.tricks:
            for seat in range(self.rules.seats):
                buried |= state.buried[seat]
        trick = Trick(
            number=len(self.tricks) + 1,
            leader=self.plays[0][1],
            plays=tuple((seat, card) for _, seat, card in self.plays),
            buried=buried,
            winner=state.winner,
            points=state.trick_points,
            first_action=self.plays[0][0],
            last_action=self.plays[-1][0],
        )
        self.tricks.append(trick)
        self.plays = []
        counting_cards = counting.cards_that_count(state, self.rules)
        for seat, card in trick.plays:
            if card >= 0 and counting_cards >> card & 1:
                self._capture(card, trick.number, seat, trick.winner)
            if trick.number == 1 and state.buried[seat]:
                for each in cards_in(state.buried[seat]):
                    self._capture(each, trick.number, seat, trick.winner)

    def _capture(self, card: int, trick: int, seat: int, winner: int) -> None:
        trump = named_trump(self.state)
        worth = counting.worth_of(self.state, self.rules, card)
        if not worth:
            return
        owner = winner
        if card == self.rules.low_card[trump] and self.rules.low_to != LowTo.WINNER:
            owner = self.state.low_seat if self.state.low_seat >= 0 else seat
        side = side_of(self.rules, owner)
        self.captures.append(Capture(card, worth, trick, seat, owner, side))

    def _finish(self) -> bool:
        """Close the record; what the one player left holds is his, as is a two laid off (S61)."""
        alone = self.state.turn
        left = self.state.holding[alone] if alone >= 0 else 0
        complete = engine.finish(self.state, self.rules)
        if complete and alone >= 0 and not self.state.holding[alone]:
            for card in cards_in(left):
                self._capture(card, len(self.tricks) + 1, alone, alone)
        holder = self.state.low_seat
        low = self.rules.low_card[named_trump(self.state)]
        if complete and holder >= 0 and self.state.discarded[holder] >> low & 1:
            self._capture(low, len(self.tricks) + 1, holder, holder)
        return complete

    def _reconcile(self, outcome: Outcome | None) -> None:
        """Compare what the record claims with what the rules give, as far as it goes."""
        complete = outcome is not None
        if self.result.mode != "audit" and self._stopped():
            return
        hand, ruleset = self.result.hand, self.result.ruleset
        wrong = claims.winner_findings(hand, ruleset, self.tricks, complete=complete)
        if outcome is not None:
            wrong_leads = {item.action for item in self.found if item.code == "wrong-leader"}
            takers = claims.trick_takers(hand, self.tricks, wrong_leads)
            taken = list(zip(self.tricks, takers, strict=True))
            wrong += claims.score_findings(hand, ruleset, self.state, outcome, taken)
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
        return f"The record stops during {findings.phase_words(self.state.phase)}."

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
        return replace(outcome, scores=scores, winner_side=winner, match=match)

    def _result(self) -> Outcome:
        """Return how the hand ended, whatever the scores were before it."""
        state, rules = self.state, self.rules
        score = scoring.score_hand(state, rules)
        sides = range(rules.side_count)
        alone = state.solo >= 0
        bid_made = score.result != scoring.THROWN_IN and not alone and not state.no_contract
        played = score.result != scoring.THROWN_IN
        return Outcome(
            result=RESULTS[score.result],
            maker=scoring.maker_of(state) if played else None,
            bid=state.high_bid if bid_made else None,
            need=score.need if bid_made else None,
            trump=(NO_TRUMP if alone else trump_code(state)) if played else None,
            forced=bid_made and state.forced == 1 and state.high_bid == rules.forced_bid,
            no_contract=played and state.no_contract == 1,
            alone=("tenny" if state.tenny else "solo") if alone else None,
            stake=score.stake,
            points=tuple(scoring.points_of(state, side) for side in sides),
            taken=tuple(state.taken[side] for side in sides),
            change=tuple(scoring.change_of(state, rules, score, side) for side in sides),
            scores=None,
            winner_side=None,
            match=None,
        )
