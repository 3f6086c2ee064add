"""From one stretch of a record to the next: what the table is like where it goes on.

Before a gap the table follows the record. Where the record goes on, the engine gets a table that
holds what is proved and nothing else: cards that a seat plays later or is said to hold, cards seen,
the contract as far as it is known. Other cards are unknown, as the engine knows them from cards
that a record does not name; so no rule is broken by a card that nobody recorded.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET, structs

from tricklog.core.engine import engine, hand_replay, policies
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.engine.policies import Phase, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, SEATS, Rules, State
from tricklog.core.engine.rules import auction, discard, early_end, hidden_trump, play, scoring
from tricklog.core.engine.rules import history as histories
from tricklog.core.engine.rules.history import History
from tricklog.core.engine.rules.table import (
    all_seats,
    end,
    named_trump,
    next_of,
    partner_of,
    side_of,
)
from tricklog.core.judging.gaps import readings
from tricklog.core.judging.gaps.readings import CALLS, IN_PLAY, NOBODY, STOPS, Reading, names_alone
from tricklog.core.judging.setup import Carrier
from tricklog.schemas.actions import MAX_BID, TRUMP_HIDDEN, Action, Verb, parse_action
from tricklog.schemas.cards import mask_of, parse_cards
from tricklog.schemas.hand import Gap, Hand, Known, Then

_RAISES: Final = {Verb.DOUBLE: 1, Verb.REDOUBLE: 2, Verb.SUPER: 3}
"""By call: how often the stake has been raised with it."""
_ABOUT_STAKE: Final = frozenset({*_RAISES, Verb.PASS})
"""Calls that, once trumps are named, say something about the stake."""
_ONE_PHASE: Final = {Verb.TRUMP: Phase.TRUMP, Verb.KITTY: Phase.KITTY, Verb.SOLO: Phase.SOLO}
_MANY: Final = 100
"""More cards than anybody plays."""
_OPEN_AFTER_EXCHANGE: Final = (
    Fault.NOT_BURIED
    | Fault.BURY_COUNT
    | Fault.BURIED_POINTS
    | Fault.NOT_FOLDED
    | Fault.DISCARD_NOT_SHOWN
)
"""Faults that rest on how many cards, and which, a hand was left with."""
_OPEN_AFTER_TRICKS: Final = (
    Fault.NOT_ASKED
    | Fault.NOT_SHOWN
    | Fault.ASK_WITHOUT_CAUSE
    | Fault.REVEAL_WITHOUT_CAUSE
    | Fault.PAIR_NOT_NOW
    | Fault.SEVENTH_CARD_HIDDEN
)
"""Faults that rest on what happened in earlier tricks."""
_NO_THEN: Final = Then()


class Walk(Carrier):
    """Carries one table through a record, stretch by stretch, under one reading."""

    def __init__(self, hand: Hand, rules: Rules, reading: Reading) -> None:
        """Take a hand, of whose cards nothing is laid out yet."""
        super().__init__(structs.replace(hand, dealer=reading.dealer), rules)
        self.reading = reading
        self.known = hand.known or Known()
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
    def goes_on(self) -> bool:
        """Whether the record says that something is missing after its last action."""
        return any(place >= len(self.actions) for place in self.gaps)

    @property
    def is_told(self) -> bool:
        """Whether bid, stake and points taken are known."""
        return self.bid_known and self.stake_known and self.points_known

    def carry_on(self, ending: int) -> int:
        """Carry out the actions over the gaps, and close the hand if the record goes to its end."""
        workspace, rules = self.workspace, self.rules
        state, written, faults = workspace.state, workspace.history, workspace.faults
        self._begin(state)
        for index, action in enumerate(self.actions):
            self._cross(state, written, index)
            before = histories.AUCTION if state.phase == Phase.AUCTION else state.trick
            if before == histories.AUCTION:
                options = engine.legal_to_call(state, rules, action.seat)
                histories.note_options(state, written, options)
            faults[index] = self._apply(state, index)
            if not faults[index] & (FATAL | Fault.PLAYED_WHEN_OUT):
                histories.record_action(state, rules, written, index, action, before)
            if faults[index] & ending:
                break
        stopped = self.actions and self.actions[-1].verb in STOPS
        is_open = self.goes_on or (stopped and (self.undecided or state.doubt_cards))
        if is_open and self._forget_open_trick(written):
            self.points_known = False
        if any(bits & ending for bits in faults):
            return hand_replay.BROKEN_OFF
        closed = not self.goes_on and hand_replay.close(workspace, rules)
        return hand_replay.CLOSED if closed else hand_replay.OPEN

    def _passed(self, state: State, last: int) -> Iterator[State]:
        """Yield one state, as it is before each action up to ``last`` and after any gap there."""
        again = Walk(self.hand, self.rules, self.reading)
        again._begin(state)
        for index in range(last + 1):
            again._cross(state, None, index)
            yield state
            if index < last:
                again._apply(state, index)

    def _begin(self, state: State) -> None:
        engine.start(state, self.rules)
        if self._has_exchange() and any(self._loses_cards(place) for place in self.gaps):
            for seat in range(self.rules.seats):
                state.will_play[seat] = 0
                # Whatever they hold by then, nobody is out for what they were dealt.
                state.hidden_plays[seat] = _MANY
        if readings.may_miss_raises(self.hand, self.actions):
            # As many as there may be: the gap is where they end.
            state.will_raise = -1
        if self._may_be_out_unseen(0):
            self._stay_in(state)

    def _cross(self, state: State, history: History | None, index: int) -> None:
        gap = self.gaps.get(index)
        if gap is None or gap.missing == "rest" or index >= len(self.actions):
            return
        verb = self.actions[index].verb
        calls_on = verb in CALLS and (gap.missing == "auction" or verb != Verb.PASS)
        if state.phase == Phase.AUCTION and calls_on:
            self.open_auction = True
            return
        if state.phase == Phase.AUCTION:
            self._settle_contract(state, index)
        lone = self._lone(state, index, gap)
        if state.solo >= 0 and self._may_take_over(state, lone):
            # They have called it as well, and before the other in turn.
            called = "tenny" if state.tenny else "solo"
            engine.apply(state, self.rules, parse_action(f"{lone} {called}"))
        if verb in _ABOUT_STAKE:
            self.open_stake = True
            self.stake_known = bool(self.known.stake)
        begun = state.phase == Phase.PLAY and (state.trick > 1 or state.played > 0)
        before_play = state.phase <= Phase.PLAY and not begun
        loses_cards = before_play and self._has_exchange() and self._loses_cards(index)
        if loses_cards and verb not in IN_PLAY:
            self._name_trump(state)
            self.loose = True
        elif loses_cards or (gap.missing == "tricks" and verb in IN_PLAY):
            self._resume_play(state, history, index, gap, loses_cards=loses_cards)
        else:
            self._advance(state, index)

    def _apply(self, state: State, index: int) -> int:
        """Carry out action ``index``; return its faults, without those that a gap leaves open."""
        action = self.actions[index]
        if self.open_auction and state.phase == Phase.AUCTION:
            if action.verb in CALLS:
                return call(state, self.rules, action)
            self._settle_contract(state, index)
            self._advance(state, index)
        if self.open_stake and action.verb in _ABOUT_STAKE:
            state.doubles = max(state.doubles, _RAISES.get(Verb(action.verb), 0))
            return 0
        if self.loose and action.verb in IN_PLAY:
            self._resume_play(state, None, index, None, loses_cards=True)
        if self.loose and action.verb == Verb.TRUMP and state.trump == -1:
            faults = auction.trump_faults(state, self.rules, action)
            if not faults & FATAL:
                auction.do_name(state, action.amount)
            return faults
        if self.loose:
            lays_off = action.verb in (Verb.DISCARD, Verb.DISCARD_UP)
            state.discarded[action.seat] |= action.cards if lays_off else 0
            return 0
        if action.verb in STOPS and self._may_stop(state):
            early_end.do_stop(state, self.rules)
            end(state)
            return 0
        if action.verb == Verb.SHOW and self.open_alone:
            return 0
        is_over = state.phase == Phase.OVER
        leads = action.verb in IN_PLAY - STOPS and state.played == 0 and not is_over
        if leads and (self.open_hands or self._may_be_out_unseen(index)):
            self._drop_out(state, index)
        left_open = self.undecided
        if action.verb == Verb.GIVE and state.phase > Phase.DISCARD and self._breaks_off():
            # Others may have laid off after it, though the record has nothing more of them.
            left_open |= Fault.GIVE_NOT_ALLOWED | Fault.GIVE_COUNT
        return engine.apply(state, self.rules, action) & ~left_open

    # --- The auction

    def _settle_contract(self, state: State, index: int) -> None:
        """Say who won the auction and with what, as far as that is known."""
        known = self.known
        namer = readings.maker_named_by(self.hand, self.rules, self.actions)
        covered = state.maker >= 0 and not self._misses_calls(index, Verb.BID, Verb.DITTO)
        if covered and namer == state.low_caller != NOBODY:
            auction.settle_low_call(state, namer)
        # Whether the table took a bid that went over none shows by who goes on as the maker.
        covered = covered and (namer >= 0 or state.low_caller < 0)
        # Who says "ditto" takes over the bid before it, whatever it was.
        self.bid_known = covered and not self._misses_calls(index, Verb.BID)
        bid = state.high_bid if self.bid_known else None
        self.auction = (state.maker, bid) if covered else (None, None)
        if namer >= 0 and not covered:
            self.auction = namer, None
        # Whoever plays alone takes over from who won the auction, once it is said.
        to_come = {each.verb for each in self.actions[index:]}
        taken_over = known.alone and not to_come.isdisjoint((Verb.TRUMP, Verb.SOLO))
        if known.maker is not UNSET and not taken_over:
            state.maker = known.maker
        elif not covered:
            self.supposes_maker = namer < 0
            state.maker = namer if namer >= 0 else max(self.reading.maker, 0)
        if known.bid is not UNSET:
            state.high_bid = readings.bid_code(known.bid)
            state.no_contract = 1 if known.bid == "none" else 0
            self.bid_known = True
        if known.alone and not taken_over:
            self._undertake(state, index)
        state.passed = all_seats(self.rules) & ~(1 << state.maker)
        state.holders = 1 << state.maker
        state.owed = 0

    def _misses_calls(self, index: int, *bids_with: Verb) -> bool:
        """Are calls missing between the last bid with one of these words and action ``index``?"""
        bids = [place for place, each in enumerate(self.actions[:index]) if each.verb in bids_with]
        return not bids or any(bids[-1] < place <= index for place in self.gaps)

    # --- Who is in the hand

    def _stay_in(self, state: State) -> None:
        """Who is not seen to play on may do so in tricks left out: let the engine drop nobody."""
        for seat in range(self.rules.seats):
            state.hidden_plays[seat] += _MANY

    def _may_be_out_unseen(self, index: int) -> bool:
        """Is it only by their cards that players are known to be out, and some are left out?"""
        later = (gap.missing for place, gap in self.gaps.items() if place > index)
        left_out = any(part in ("tricks", "rest") for part in later)
        return (self._may_leave() and left_out) or self.open_alone

    def _may_be_out(self) -> bool:
        return self._may_leave() or self.open_hands or self.open_alone

    def _may_leave(self) -> bool:
        rules = self.rules
        return rules.drop_out != policies.DropOut.NEVER or rules.fold != policies.Fold.NEVER

    def _drop_out(self, state: State, index: int) -> None:
        """Before a lead, drop out who plays neither to this trick nor later in the record."""
        kept = self._seats_in(index)
        if not self.open_alone:
            trumps = self.rules.trump_cards[named_trump(state)]
            kept |= sum(1 << seat for seat, held in enumerate(state.holding) if held & trumps)
        for seat in range(self.rules.seats):
            if state.active & ~kept & 1 << seat:
                play.drop_out(state, self.rules, seat)
                state.pending &= ~(1 << seat)
        if state.pending and not state.pending >> state.turn & 1:
            state.turn = state.leader = next_of(self.rules, state.pending, state.turn)

    def _seats_in(self, index: int) -> int:
        seats = {each.seat for each in self.actions[index:] if each.verb in IN_PLAY - STOPS}
        return sum(1 << seat for seat in seats if seat < self.rules.seats)

    def _active(self, state: State, index: int) -> int:
        """Return the seats that are still in: who is seen to play, where players may drop out."""
        present = all_seats(self.rules) & ~(state.folded | scoring.sitting_out(state, self.rules))
        return present & self._seats_in(index) if self._may_be_out() else present

    # --- What a gap may leave out

    def _has_exchange(self) -> bool:
        return any(Phase.FOLD <= phase <= Phase.SHOW for phase in self.rules.phases)

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

    def _breaks_off(self) -> bool:
        last = self.gaps.get(len(self.actions))
        plays = any(each.verb in IN_PLAY for each in self.actions)
        return last is not None and last.missing == "rest" and not plays

    def _may_stop(self, state: State) -> bool:
        """May the contract be decided, or a hand alone be lost, by what the record leaves out?"""
        lone = state.solo >= 0 or self.open_alone
        stops = lone or self.rules.early_end != policies.EarlyEnd.NEVER
        is_open = self.undecided != 0 or not self.is_told
        return stops and is_open and state.phase in (Phase.SOLO, Phase.PLAY)

    # --- On to a later part of the hand

    def _name_trump(self, state: State) -> None:
        if scoring.has_to_name(state) and self.reading.chosen >= 0:
            scoring.name_trump(state, self.reading.chosen)
        if state.trump != -1 or scoring.has_to_name(state):
            return
        code = readings.known_trump(self.hand, self.reading)
        if code >= 0:
            auction.do_name(state, code)
        elif self.rules.trump_call == TrumpCall.SECRET:
            auction.do_name(state, TRUMP_HIDDEN)
        elif state.will_show >= 0:
            auction.do_name(state, state.will_show)

    def _advance(self, state: State, index: int) -> None:
        """Leave phases of which the record has nothing until action ``index`` has its place."""
        verb = self.actions[index].verb
        if state.tenny:
            state.step, state.phase = list(self.rules.phases).index(Phase.PLAY), Phase.PLAY
        shows_partner = verb == Verb.SHOW and Phase.SHOW not in self.rules.phases
        plays = verb in IN_PLAY or shows_partner
        if plays:
            self._suppose_alone(state, index)
        if verb in _ABOUT_STAKE:
            later = (each.verb for each in self.actions[index:])
            state.will_raise = sum(1 for _ in itertools.takewhile(_ABOUT_STAKE.__contains__, later))
        while state.phase < Phase.PLAY and not self._fits(state.phase, index):
            if state.phase in (Phase.TRUMP, Phase.AUCTION):
                self._name_trump(state)
            if state.phase == Phase.KITTY:
                state.unknown[state.maker] += state.kitty.bit_count() + state.kitty_unknown
                state.kitty = state.kitty_unknown = 0
            self._pass_stake(state)
            engine.enter(state, self.rules)
        begun = state.trick > 1 or state.played > 0
        if state.solo < 0 and names_alone(self.hand, self.rules, self.actions, index):
            scoring.undertake(state, self.actions[index].seat, scoring.NOT_NAMED)
            play.start_play(state, self.rules, state.solo)
        if plays and not begun and (state.solo >= 0 or self.open_alone):
            self._name_trump(state)
            state.trick = 0
            play.start_play(state, self.rules, self._leader(state, index, 1, _NO_THEN))

    def _fits(self, phase: int, index: int) -> bool:
        verb = self.actions[index].verb
        if names_alone(self.hand, self.rules, self.actions, index):
            return phase == Phase.SOLO
        if verb in _ONE_PHASE:
            return phase == _ONE_PHASE[Verb(verb)]
        if verb in _ABOUT_STAKE:
            return phase == Phase.DOUBLE
        if verb in IN_PLAY:
            return phase in (Phase.SOLO, Phase.PLAY)
        return Phase.FOLD <= phase <= Phase.PLAY

    def _pass_stake(self, state: State) -> None:
        if state.phase > Phase.DOUBLE or self.rules.doubling == policies.Doubling.NONE:
            return
        if self.known.stake is not UNSET:
            state.doubles = _RAISES[Verb[self.known.stake.upper()]]
        elif state.phase == Phase.DOUBLE:
            self.stake_known = False

    # --- Who plays alone

    def _undertake(self, state: State, index: int) -> None:
        """Let somebody play alone, as it is known that they do."""
        maker = state.maker if self.known.maker is UNSET else self.known.maker
        shows = self.actions[index].verb == Verb.SHOW
        # Whoever shows is the partner of the one alone by then; another may take over from them.
        seat = partner_of(self.rules, self.actions[index].seat) if shows else maker
        state.tenny = 0 if self.known.alone == "solo" else 1
        trump = NO_TRUMPS if state.tenny else scoring.trump_at_first(self.rules)
        scoring.undertake(state, seat, trump)

    def _lone(self, state: State, index: int, gap: Gap) -> int:
        """Return who plays alone from action ``index`` on, as far as the record tells."""
        action = self.actions[index]
        if action.verb == Verb.SHOW:
            return partner_of(self.rules, action.seat)
        if gap.missing != "tricks":
            names = names_alone(self.hand, self.rules, self.actions, index)
            return action.seat if names or action.verb == Verb.PLAY else state.solo
        played = self._seats_in(index)
        if not played & scoring.sitting_out(state, self.rules):
            return state.solo
        for seat in range(self.rules.seats):
            sits_out = not played >> partner_of(self.rules, seat) & 1
            if sits_out and self._may_take_over(state, seat):
                return seat
        return state.solo

    def _may_take_over(self, state: State, seat: int) -> bool:
        """May the seat go alone before the one who does so far, who is later in turn?"""
        if state.tenny:
            return scoring.may_tenny(state, self.rules, seat)
        return scoring.may_solo(state, self.rules, seat, play.first_leader(state, self.rules))

    def _suppose_alone(self, state: State, index: int) -> None:
        """Note where a hand alone was or may have been announced, so that a partner sits out."""
        if state.phase >= Phase.PLAY or state.solo >= 0:
            return
        verbs = [each.verb for each in self.actions[index:]]
        if self.known.alone or (verbs[0] == Verb.SHOW and Verb.TENNY in verbs):
            self._undertake(state, index)
        elif self.rules.solo != policies.Solo.NONE or self.rules.tenny:
            self.open_alone = True
            if self.reading.chosen >= 0:
                # Trumps are what somebody who plays alone may have chosen.
                hidden_trump.take_up_seventh(state)
                scoring.name_trump(state, self.reading.chosen)
                state.revealed = 1
            self.bid_known = False
            self.undecided |= _OPEN_AFTER_TRICKS
            if self.rules.tenny:
                # Who undertakes all tricks on the first cards is dealt no others, nor is anybody.
                for seat in range(self.rules.seats):
                    state.reserve_unknown[seat] += state.reserve[seat].bit_count()
                    state.reserve[seat] = 0

    # --- The table where play goes on: who holds what, whose lead it is, what is open

    def _resume_play(
        self,
        state: State,
        history: History | None,
        index: int,
        gap: Gap | None,
        *,
        loses_cards: bool,
    ) -> None:
        """Set the table for a trick of which what came before is not recorded."""
        rules = self.rules
        then = _NO_THEN if gap is None or gap.then is UNSET else gap.then
        self.loose = False
        number = self._number(state, index, gap)
        self.open_hands = self.open_hands or self._has_exchange()
        self._suppose_alone(state, index)
        if state.phase <= Phase.DOUBLE:
            state.phase = Phase.DOUBLE
            self._pass_stake(state)
        if any(state.reserve_unknown) or any(state.reserve):
            engine.deal_rest(state, rules)
        self._name_trump(state)
        state.step = list(rules.phases).index(Phase.PLAY)
        state.phase = Phase.PLAY
        self._set_hands(state, index, number, then, loses_cards=loses_cards)
        if loses_cards:
            # Where the cards lie that were drawn, robbed and laid off is not known.
            self.undecided |= _OPEN_AFTER_EXCHANGE
            state.discarded, state.discarded_unknown = [0] * SEATS, [0] * SEATS
            state.stock_next, state.stock_set = state.stock_size, 0
            state.kitty = state.kitty_unknown = 0
            if rules.discarded_points != policies.DiscardedPoints.NOBODY:
                self.points_known = False
        leader = self._leader(state, index, number, then)
        if number == 1:
            state.trick = 0
            if rules.fold != policies.Fold.NEVER:
                state.folded |= all_seats(rules) & ~self._active(state, index)
            discard.count_discards(state, rules)
            play.start_play(state, rules, leader)
            return
        self._note_points(state, then)
        self._forget_tricks(state, index)
        state.active = self._active(state, index)
        state.trick = number - 1
        play.start_trick(state, rules, leader)
        if history is not None:
            self._forget_open_trick(history)
            # Tricks left out count, so that the next one has the right number; they hold no cards.
            history.on_table = 0
            while history.tricks < number - 1:
                history.first_play[history.tricks] = history.plays
                history.trick_winner[history.tricks] = NOBODY
                history.trick_points[history.tricks] = 0
                history.tricks += 1

    def _number(self, state: State, index: int, gap: Gap | None) -> int:
        """Return the number of the next trick: as given, else as late as the cards allow."""
        if gap is None or gap.missing != "tricks":
            return max(state.trick, 1)
        if gap.tricks is not UNSET:
            return gap.tricks[1] + 1
        earliest = max(2, state.trick + 1)
        if any(place > index for place in self.gaps):
            return earliest
        ahead = max(len(self._plays(seat, index)) for seat in range(self.rules.seats))
        # Whoever stops play still holds a card.
        ahead += any(each.verb in STOPS for each in self.actions[index:])
        return max(earliest, self._dealt(state) - ahead + 1)

    def _dealt(self, state: State) -> int:
        return self.rules.packet if state.tenny else self.rules.hand_size

    def _plays(self, seat: int, index: int) -> list[Action]:
        later = self.actions[index:]
        return [each for each in later if each.seat == seat and each.verb == Verb.PLAY]

    def _set_hands(
        self, state: State, index: int, number: int, then: Then, *, loses_cards: bool
    ) -> None:
        """Give each seat the cards that it is proved to hold, and others up to its number."""
        rules = self.rules
        # They prove nothing of who held them: one of the plays is at fault, as it will turn out.
        later = self.actions[index:]
        twice = shown_twice([each for each in later if each.verb in (Verb.PLAY, Verb.BURY)])
        sits_out = scoring.sitting_out(state, rules)
        said = dict(enumerate(then.holdings or ()))
        for seat in range(rules.seats):
            plays = self._plays(seat, index)
            buried = [each for each in later if each.seat == seat and each.verb == Verb.BURY]
            proved = _cards_of([*plays, *buried]) | mask_of(parse_cards(said.get(seat) or ""))
            gone = 0 if sits_out >> seat & 1 else number - 1
            size = self._dealt(state) - gone + sum(each.size for each in buried)
            if not loses_cards and state.unknown[seat] == 0:
                proved &= state.holding[seat]
            state.holding[seat] = proved & rules.pack & ~(state.seen | twice)
            held = state.holding[seat].bit_count()
            state.unknown[seat] = max(size - held, 0)
            state.will_play[seat] = _cards_of(plays)
            state.hidden_plays[seat] = sum(1 for each in plays if each.card < 0)
        if self._may_be_out_unseen(index):
            self._stay_in(state)
        if then.seen is not UNSET:
            state.seen |= mask_of(parse_cards(then.seen))

    def _leader(self, state: State, index: int, number: int, then: Then) -> int:
        if number == 1 and state.solo >= 0:
            return state.solo
        if number == 1 and not self.open_alone:
            return play.first_leader(state, self.rules)
        if then.winner is not UNSET:
            return then.winner
        return next((each.seat for each in self.actions[index:] if each.verb == Verb.PLAY), 0)

    def _note_points(self, state: State, then: Then) -> None:
        rules = self.rules
        if then.points is UNSET or None in then.points or len(then.points) != rules.side_count:
            self.points_known = False
        else:
            for side, points in enumerate(then.points):
                state.points[side] = points or 0
            self.points_known = True
        if then.tricks_won is not UNSET and None not in then.tricks_won:
            for seat, count in enumerate(then.tricks_won[: rules.seats]):
                state.tricks_won[seat] = count or 0

    def _forget_tricks(self, state: State, index: int) -> None:
        """What was shown, asked for and declared in tricks left out may be anything."""
        self.undecided |= _OPEN_AFTER_TRICKS
        if self.known.pair is not UNSET:
            state.pair_side = side_of(self.rules, self.known.pair)
        elif self.rules.pair != policies.Pair.NONE and state.pair_side < 0:
            self.stake_known = False
        everybody = (1 << self.rules.side_count) - 1
        state.won_any = state.won_since_shown = everybody
        state.asker = state.must_trump = state.shown_for = state.winner = -1
        state.show_due = state.unsure = state.on_table = 0
        if self.rules.trump_call != TrumpCall.SECRET:
            return
        shows = any(each.verb in (Verb.ASK, Verb.REVEAL) for each in self.actions[index:])
        if not state.revealed and not shows and self.reading.shown:
            state.revealed = state.reveal_trick = 1
            code = readings.known_trump(self.hand, self.reading)
            if state.trump < 0 <= code:
                auction.set_trump(state, code)

    def _forget_open_trick(self, written: History) -> bool:
        """Leave out a last trick of which nobody can tell whether all its cards are recorded.

        Where players may be out, who is not seen to play may have played, or would have later; not
        so who was out of an earlier trick. Returns whether there was such a trick.
        """
        if not self._may_be_out() or written.on_table or not written.tricks:
            return False
        begins = written.first_play[: written.tricks]
        *sizes, last = (b - a for a, b in itertools.pairwise([*begins, written.plays]))
        if not 0 < last < min(filter(None, sizes), default=self.rules.seats):
            return False
        written.plays -= last
        written.tricks -= 1
        number = written.tricks + 1
        while written.captures and written.capture_trick[written.captures - 1] == number:
            written.captures -= 1
        return True


def _cards_of(actions: Sequence[Action]) -> int:
    cards = 0
    for action in actions:
        cards |= action.cards
    return cards


def shown_twice(actions: Sequence[Action]) -> int:
    """Return the cards that more than one of these actions names."""
    shown = twice = 0
    for each in actions:
        twice |= shown & each.cards
        shown |= each.cards
    return twice


def call(state: State, rules: Rules, action: Action) -> int:
    """Enter a call after others that are not recorded: what was said before may be anything."""
    seat = action.seat
    if seat >= rules.seats:
        return Fault.NO_SUCH_SEAT
    must_bid = auction.forces_a_bid(rules) and seat == auction.forced_caller(state, rules)
    if action.verb == Verb.BID and state.maker < 0 and must_bid:
        # All others may have passed since.
        state.passed &= ~(1 << seat)
        state.spoken &= ~(1 << seat)
    if seat == state.low_caller:
        auction.take_back(state, rules)
        state.low_caller = NOBODY
    faults = auction.second_call_faults(state, rules, action)
    if faults:
        # A pass may leave the stake as it is, after trumps that nobody recorded.
        of_stake = action.verb == Verb.PASS and rules.doubling != policies.Doubling.NONE
        return 0 if of_stake else faults
    if action.verb == Verb.TENNY:
        state.turn = seat
        return engine.apply(state, rules, action)
    faults = _bid_faults(state, rules, action) if action.verb == Verb.BID else 0
    if faults & FATAL:
        return faults
    if must_bid and _leaves_only_passes(state, rules, action):
        state.passed |= all_seats(rules) & ~(1 << seat)
    if faults & Fault.BID_NOT_HIGHER:
        auction.call_too_low(state, action)
    elif action.verb in (Verb.BID, Verb.DITTO):
        auction.enter_bid(state, rules, action)
    else:
        auction.enter_pass(state, seat)
    state.spoken |= 1 << seat
    return faults


def _leaves_only_passes(state: State, rules: Rules, action: Action) -> bool:
    """Can all that is left out before the bid of the last to speak only have been passes?

    A bid would have been as high at least, and they could not have taken it over.
    """
    if state.high_bid or action.seat != auction.last_caller(state, rules):
        return False
    lowest = action.verb == Verb.BID and action.amount == rules.forced_bid <= rules.min_bid
    return lowest and rules.equal_bid not in (policies.EqualBid.DEALER, policies.EqualBid.ANYONE)


def _bid_faults(state: State, rules: Rules, action: Action) -> int:
    amount = action.amount
    if amount > MAX_BID and amount != auction.special_amount(rules):
        return Fault.BID_UNKNOWN
    if not auction.goes_over(state, rules, action.seat, amount):
        return Fault.BID_NOT_HIGHER
    if amount > MAX_BID:
        return 0
    if amount > rules.max_bid:
        return Fault.BID_TOO_HIGH
    return Fault.BID_TOO_LOW if amount < readings.least_bid(rules) else 0
