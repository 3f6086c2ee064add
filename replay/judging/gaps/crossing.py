"""From one stretch of a record to the next: what the table is like where it goes on.

Before a gap the table follows the record. Where the record goes on, the engine gets a table that
holds what is proved and nothing else: cards that a seat plays later or is said to hold, cards seen,
the contract as far as it is known. Other cards are unknown, as the engine knows them from cards
that a record does not name; so no rule is broken by a card that nobody recorded.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from replay.engine import engine
from replay.engine.constants import (
    PHASE_AUCTION,
    PHASE_DISCARD,
    PHASE_DOUBLE,
    PHASE_FOLD,
    PHASE_KITTY,
    PHASE_PLAY,
    PHASE_SHOW,
    PHASE_SOLO,
    PHASE_TRUMP,
    TRUMP_CALL_SECRET,
)
from replay.engine.faults import Fault
from replay.engine.policies import Doubling, DropOut, EarlyEnd, Fold, Solo
from replay.engine.records import NO_TRUMPS, Rules, State
from replay.engine.rules import early_end, naming, play, seventh, solo
from replay.engine.rules.history import History
from replay.engine.rules.table import end, named_trump, next_of, partner_of
from replay.judging.gaps import auctions, resuming
from replay.judging.gaps.readings import (
    CALLS,
    IN_PLAY,
    STOPS,
    Reading,
    known_trump,
    may_miss_raises,
    names_alone,
)
from schemas.actions import TRUMP_HIDDEN, Action, Verb, parse_action
from schemas.hand import Gap, Hand, Known, Then

_RAISES: Final = frozenset({Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER})
_ONE_PHASE: Final = {Verb.TRUMP: PHASE_TRUMP, Verb.KITTY: PHASE_KITTY, Verb.SOLO: PHASE_SOLO}
_MANY: Final = 100
"""More cards than anybody plays."""


class Walk:
    """Carries one table through a record, stretch by stretch, under one reading."""

    def __init__(
        self, hand: Hand, rules: Rules, actions: Sequence[Action], reading: Reading
    ) -> None:
        self.hand = hand
        self.rules = rules
        self.actions = actions
        self.reading = reading
        self.gaps: dict[int, Gap] = {gap.before: gap for gap in hand.gaps or ()}
        self.open_auction = False
        """Whether calls may have been made that the record does not have."""
        self.loose = False
        """Whether cards may have changed hands that the record does not show going."""
        self.undecided = 0
        """Faults that the record leaves open from here on."""
        self.points_known = True
        """Whether the points taken so far are known."""
        self.bid_known = True
        self.supposes_maker = False
        """Whether it is only supposed who won the auction."""
        self.open_stake = False
        """Whether calls about the stake may have been made that the record does not have."""
        self.open_alone = False
        """Whether somebody may play alone without the record saying so."""
        self.auction: tuple[int | None, int | None] | None = None
        """Who won the auction and with what, as far as its actions tell, once a gap was crossed."""
        self.open_hands = False
        """Whether it is open how many cards a hand was left with: a stock may have run out."""
        self.stake_known = True
        """Whether it is known how far the stake was raised, and what a pair changed."""

    @property
    def is_told(self) -> bool:
        """Whether bid, stake and points taken are known."""
        return self.bid_known and self.stake_known and self.points_known

    def before(self, state: State, history: History | None, index: int) -> None:
        """Cross the gap before action ``index``, if there is one."""
        gap = self.gaps.get(index)
        if gap is None or gap.missing == "rest" or index >= len(self.actions):
            return
        verb = self.actions[index].verb
        calls_on = verb in CALLS and (gap.missing == "auction" or verb != Verb.PASS)
        if state.phase == PHASE_AUCTION and calls_on:
            self.open_auction = True
            return
        if state.phase == PHASE_AUCTION:
            auctions.settle_contract(self, state, index)
        lone = self._lone(state, index, gap)
        if state.solo >= 0 and self._may_take_over(state, lone):
            # They have called it as well, and before the other in turn.
            called = "tenny" if state.tenny else "solo"
            engine.apply(state, self.rules, parse_action(f"{lone} {called}"))
        if _is_about_stake(verb):
            self.open_stake = True
            self.stake_known = bool(self.hand.known and self.hand.known.stake)
        begun = state.phase == PHASE_PLAY and (state.trick > 1 or state.played > 0)
        before_play = state.phase <= PHASE_PLAY and not begun
        loses_cards = before_play and self.has_exchange() and self._loses_cards(index)
        if loses_cards and verb not in IN_PLAY:
            self.name_trump(state)
            self.loose = True
        elif loses_cards or (gap.missing == "tricks" and verb in IN_PLAY):
            resuming.resume_play(self, state, history, index, gap, loses_cards=loses_cards)
        else:
            self._advance(state, index)

    def begin(self, state: State) -> None:
        """Start the hand; cards that may still change hands unseen prove nothing before that."""
        engine.start(state, self.rules)
        if self.has_exchange() and any(self._loses_cards(place) for place in self.gaps):
            for seat in range(self.rules.seats):
                state.will_play[seat] = 0
                # Whatever they hold by then, nobody is out for what they were dealt.
                state.hidden_plays[seat] = _MANY
        if may_miss_raises(self.hand, self.actions):
            # As many as there may be: the gap is where they end.
            state.will_raise = -1
        if self.may_be_out_unseen(0):
            self.stay_in(state)

    def stay_in(self, state: State) -> None:
        """Who is not seen to play on may do so in tricks left out: let the engine drop nobody."""
        for seat in range(self.rules.seats):
            state.hidden_plays[seat] += _MANY

    def may_be_out_unseen(self, index: int) -> bool:
        """Is it only by their cards that players are known to be out, and some are left out?"""
        later = (gap.missing for place, gap in self.gaps.items() if place > index)
        left_out = any(part in ("tricks", "rest") for part in later)
        return (self._may_leave() and left_out) or self.open_alone

    def may_be_out(self) -> bool:
        """May players be out before the end: dropped, without cards, or beside a partner alone?"""
        return self._may_leave() or self.open_hands or self.open_alone

    def _may_leave(self) -> bool:
        """Do the rules let players leave the hand before its end?"""
        return self.rules.drop_out != DropOut.NEVER or self.rules.fold != Fold.NEVER

    def _drop_out(self, state: State, index: int) -> None:
        """Before a lead, drop out who plays neither to this trick nor later in the record."""
        kept = self.seats_in(index)
        if not self.open_alone:
            kept |= _holders(state, self.rules.trump_cards[named_trump(state)])
        for seat in range(self.rules.seats):
            if state.active & ~kept & 1 << seat:
                play.drop_out(state, self.rules, seat)
                state.pending &= ~(1 << seat)
        if state.pending and not state.pending >> state.turn & 1:
            state.turn = state.leader = next_of(self.rules, state.pending, state.turn)

    def seats_in(self, index: int) -> int:
        """Return the seats that do something in the play from action ``index`` on."""
        seats = 0
        for each in self.actions[index:]:
            if each.verb in IN_PLAY - STOPS and each.seat < self.rules.seats:
                seats |= 1 << each.seat
        return seats

    def _loses_cards(self, place: int) -> bool:
        """Does the gap before action ``place`` leave out some of the exchange of cards?"""
        if place >= len(self.actions):
            return False
        after = self.actions[place].verb
        named = any(each.verb == Verb.TRUMP for each in self.actions[:place])
        if after in (Verb.TRUMP, Verb.KITTY) and not named:
            # What follows is before any card changes hands.
            return False
        return after in IN_PLAY or self.gaps[place].missing in ("exchange", "tricks")

    def apply(self, state: State, index: int) -> int:
        """Carry out action ``index``; return its faults, without those that a gap leaves open."""
        action = self.actions[index]
        if self.open_auction and state.phase == PHASE_AUCTION:
            if action.verb in CALLS:
                return auctions.call(state, self.rules, action)
            auctions.settle_contract(self, state, index)
            self._advance(state, index)
        if self.open_stake and _is_about_stake(action.verb):
            state.doubles = max(state.doubles, _raised_to(action.verb))
            return 0
        if self.loose and action.verb in IN_PLAY:
            resuming.resume_play(self, state, None, index, None, loses_cards=True)
        if self.loose:
            state.discarded[action.seat] |= action.cards if _lays_off(action) else 0
            return 0
        if action.verb in STOPS and self._may_stop(state):
            early_end.do_stop(state, self.rules)
            end(state)
            return 0
        if action.verb == Verb.SHOW and self.open_alone:
            return 0
        leads = action.verb in IN_PLAY - STOPS and state.played == 0
        if leads and (self.open_hands or self.may_be_out_unseen(index)):
            self._drop_out(state, index)
        left_open = self.undecided
        if action.verb == Verb.GIVE and state.phase > PHASE_DISCARD and self._breaks_off():
            # Others may have laid off after it, though the record has nothing more of them.
            left_open |= Fault.GIVE_NOT_ALLOWED | Fault.GIVE_COUNT
        return engine.apply(state, self.rules, action) & ~left_open

    def _breaks_off(self) -> bool:
        """Does the record leave out the rest of a hand before anything is played?"""
        last = self.gaps.get(len(self.actions))
        plays = any(each.verb in IN_PLAY for each in self.actions)
        return last is not None and last.missing == "rest" and not plays

    def _may_stop(self, state: State) -> bool:
        """May the contract be decided, or a hand alone be lost, by what the record leaves out?"""
        stops = self.rules.early_end != EarlyEnd.NEVER or state.solo >= 0 or self.open_alone
        is_open = self.undecided != 0 or not self.is_told
        return stops and is_open and state.phase in (PHASE_SOLO, PHASE_PLAY)

    def name_trump(self, state: State) -> None:
        """Name what is known to be trumps, where no action has done so."""
        if solo.has_to_name(state) and self.reading.chosen >= 0:
            solo.name_trump(state, self.reading.chosen)
        if state.trump != -1 or solo.has_to_name(state):
            return
        code = known_trump(self.hand, self.reading)
        if code >= 0:
            naming.do_name(state, code)
        elif self.rules.trump_call == TRUMP_CALL_SECRET:
            naming.do_name(state, TRUMP_HIDDEN)
        elif state.will_show >= 0:
            naming.do_name(state, state.will_show)

    # --- On to a later part of the hand

    def _advance(self, state: State, index: int) -> None:
        """Leave phases of which the record has nothing until action ``index`` has its place."""
        verb = self.actions[index].verb
        if state.tenny:
            state.step, state.phase = list(self.rules.phases).index(PHASE_PLAY), PHASE_PLAY
        shows_partner = verb == Verb.SHOW and PHASE_SHOW not in self.rules.phases
        plays = verb in IN_PLAY or shows_partner
        if plays:
            self.suppose_alone(state, index)
        if _is_about_stake(verb):
            raises = itertools.takewhile(
                lambda each: _is_about_stake(each.verb), self.actions[index:]
            )
            state.will_raise = sum(1 for _ in raises)
        while state.phase < PHASE_PLAY and not self._fits(state.phase, index):
            if state.phase in (PHASE_TRUMP, PHASE_AUCTION):
                self.name_trump(state)
            if state.phase == PHASE_KITTY:
                state.unknown[state.maker] += state.kitty.bit_count() + state.kitty_unknown
                state.kitty = state.kitty_unknown = 0
            self.pass_stake(state)
            engine.enter(state, self.rules)
        begun = state.trick > 1 or state.played > 0
        if state.solo < 0 and names_alone(self.hand, self.rules, self.actions, index):
            solo.undertake(state, self.actions[index].seat, solo.NOT_NAMED)
            play.start_play(state, self.rules, state.solo)
        if plays and not begun and (state.solo >= 0 or self.open_alone):
            self.name_trump(state)
            state.trick = 0
            play.start_play(state, self.rules, resuming.leader_of(self, state, index, 1, Then()))

    def undertake(self, state: State, index: int) -> None:
        """Let somebody play alone, as it is known that they do."""
        known = self.hand.known or Known()
        maker = state.maker if known.maker is UNSET else known.maker
        shows = self.actions[index].verb == Verb.SHOW
        # Whoever shows is the partner of the one alone by then; another may take over from them.
        seat = partner_of(self.rules, self.actions[index].seat) if shows else maker
        state.tenny = 0 if known.alone == "solo" else 1
        solo.undertake(state, seat, NO_TRUMPS if state.tenny else solo.trump_at_first(self.rules))

    def _lone(self, state: State, index: int, gap: Gap) -> int:
        """Return who plays alone from action ``index`` on, as far as the record tells."""
        action = self.actions[index]
        if action.verb == Verb.SHOW:
            return partner_of(self.rules, action.seat)
        if gap.missing != "tricks":
            says = action.verb == Verb.PLAY
            says = says or names_alone(self.hand, self.rules, self.actions, index)
            return action.seat if says else state.solo
        played = self.seats_in(index)
        if not played & solo.sitting_out(state, self.rules):
            return state.solo
        for seat in range(self.rules.seats):
            sits_out = not played >> partner_of(self.rules, seat) & 1
            if sits_out and self._may_take_over(state, seat):
                return seat
        return state.solo

    def _may_take_over(self, state: State, seat: int) -> bool:
        """May the seat go alone before the one who does so far, who is later in turn?"""
        if state.tenny:
            return solo.may_tenny(state, self.rules, seat)
        return solo.may_solo(state, self.rules, seat, play.first_leader(state, self.rules))

    def pass_stake(self, state: State) -> None:
        """Leave out the calls about the stake: it is what is known of it."""
        if state.phase > PHASE_DOUBLE or self.rules.doubling == Doubling.NONE:
            return
        known = self.hand.known or None
        if known is not None and known.stake is not UNSET:
            state.doubles = ("double", "redouble", "super").index(known.stake) + 1
        elif state.phase == PHASE_DOUBLE:
            self.stake_known = False

    def _fits(self, phase: int, index: int) -> bool:
        verb = self.actions[index].verb
        if names_alone(self.hand, self.rules, self.actions, index):
            return phase == PHASE_SOLO
        if verb in _ONE_PHASE:
            return phase == _ONE_PHASE[Verb(verb)]
        if _is_about_stake(verb):
            return phase == PHASE_DOUBLE
        if verb in IN_PLAY:
            return phase in (PHASE_SOLO, PHASE_PLAY)
        return PHASE_FOLD <= phase <= PHASE_PLAY

    def has_exchange(self) -> bool:
        """Does the game have anything between trumps and play in which cards change hands?"""
        return any(PHASE_FOLD <= phase <= PHASE_SHOW for phase in self.rules.phases)

    def suppose_alone(self, state: State, index: int) -> None:
        """Note where a hand alone was or may have been announced, so that a partner sits out."""
        if state.phase >= PHASE_PLAY or state.solo >= 0:
            return
        verbs = [each.verb for each in self.actions[index:]]
        if (self.hand.known and self.hand.known.alone) or (
            verbs[0] == Verb.SHOW and Verb.TENNY in verbs
        ):
            self.undertake(state, index)
        elif self.rules.solo != Solo.NONE or self.rules.tenny:
            self.open_alone = True
            self._choose(state)
            self.bid_known = False
            self.undecided |= resuming.OPEN_AFTER_TRICKS
            if self.rules.tenny:
                # Who undertakes all tricks on the first cards is dealt no others, nor is anybody.
                for seat in range(self.rules.seats):
                    state.reserve_unknown[seat] += state.reserve[seat].bit_count()
                    state.reserve[seat] = 0

    def _choose(self, state: State) -> None:
        """Let trumps be what somebody may have chosen who plays alone, if the reading says so."""
        if self.reading.chosen >= 0:
            seventh.take_up(state)
            solo.name_trump(state, self.reading.chosen)
            state.revealed = 1

    def dealt(self, state: State) -> int:
        """Return how many cards a hand has before the first trick."""
        return self.rules.packet if state.tenny else self.rules.hand_size

    def forget_open_trick(self, written: History) -> bool:
        """Leave out a last trick of which nobody can tell whether all its cards are recorded.

        Where players may be out of the hand, who is not seen to play may have played, or would have
        played if play had not stopped; not so who was out of an earlier trick. Returns whether
        there was such a trick.
        """
        if not self.may_be_out() or written.on_table or not written.tricks:
            return False
        begins = written.first_play[: written.tricks]
        *sizes, last = (b - a for a, b in itertools.pairwise([*begins, written.plays]))
        if not 0 < last < min(filter(None, sizes), default=self.rules.seats):
            return False
        written.plays -= last
        written.tricks -= 1
        while (
            written.captures and written.capture_trick[written.captures - 1] == written.tricks + 1
        ):
            written.captures -= 1
        return True


def _is_about_stake(verb: int) -> bool:
    """Does a call, once trumps are named, say something about the stake?"""
    return verb in _RAISES or verb == Verb.PASS


def _raised_to(verb: int) -> int:
    """Return how often the stake has been raised with a call."""
    return {Verb.DOUBLE: 1, Verb.REDOUBLE: 2, Verb.SUPER: 3}.get(Verb(verb), 0)


def _holders(state: State, cards: int) -> int:
    """Return the seats that are known to hold one of some cards."""
    return sum(1 << seat for seat, held in enumerate(state.holding) if held & cards)


def _lays_off(action: Action) -> bool:
    return action.verb in (Verb.DISCARD, Verb.DISCARD_UP)
