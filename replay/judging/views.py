"""The table at one moment, for whoever looks at it."""

from typing import Final

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase, TrumpCall, value_name
from tricklog.core.engine.records import NOT_PLAYED, Rules, State
from tricklog.core.engine.rules import auction, scoring
from tricklog.core.engine.rules.table import Legal, next_seat, trump_code
from tricklog.core.judging import findings
from tricklog.core.model import Call, Choice, Trick, View
from tricklog.schemas.actions import TRUMP_NOT_RECORDED, VERB_NAMES, Verb
from tricklog.schemas.cards import pretty_cards
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import Message, either, message, message_counted
from tricklog.schemas.render import trump_said

_CALLS: Final = auction.CALLS | scoring.CALLS
_FROM_HAND: Final = (
    1 << Verb.DISCARD | 1 << Verb.DISCARD_UP | 1 << Verb.GIVE | 1 << Verb.BURY | 1 << Verb.FOLD
)
"""Verbs that choose among the cards in hand."""


def view_of(
    hand: Hand, rules: Rules, state: State, index: int, calls: tuple[Call, ...], last: Trick | None
) -> View:
    """Return the table of ``state``, before action ``index``.

    ``calls`` are those made so far; ``last`` the latest complete trick, shown until the next lead.
    """
    seats = range(rules.seats)
    turn = engine.to_act(state)
    in_play = state.phase in (Phase.PLAY, Phase.OVER) and state.trick > 0
    out = state.folded | (~state.active if in_play else 0)
    hidden = rules.trump_call == TrumpCall.SECRET and not state.revealed
    return View(
        index=index,
        phase=value_name(Phase(state.phase)),
        turn=turn if turn >= 0 else None,
        dealer=state.dealer,
        holdings=tuple(state.holding[seat] for seat in seats),
        unknown=tuple(state.unknown[seat] for seat in seats),
        out=tuple(bool(out >> seat & 1) for seat in seats),
        folded=tuple(bool(state.folded >> seat & 1) for seat in seats),
        maker=state.maker if state.maker >= 0 else None,
        bid=state.high_bid or None,
        no_contract=bool(state.no_contract),
        alone=state.solo if state.solo >= 0 else None,
        trump=trump_code(state) if trump_code(state) != TRUMP_NOT_RECORDED else None,
        trump_public=state.trump != TRUMP_NOT_RECORDED and not hidden,
        doubles=state.doubles,
        calls=calls,
        # Before the lead to a trick, the one just taken is still there.
        trick_number=state.trick if state.played or not state.trick else max(state.trick - 1, 1),
        trick=on_table(rules, state) or (last.plays if last else ()),
        leader=state.leader if in_play and state.leader >= 0 else None,
        points=tuple(scoring.points_of(state, side) for side in range(rules.side_count)),
        tricks_won=tuple(state.tricks_won[seat] for seat in seats),
        stock=state.stock_size - state.stock_next,
        kitty=state.kitty,
        under=state.seventh,
        shown=state.shown,
        buried=sum(state.buried[seat] for seat in seats),
        discarded=tuple(state.discarded[seat] for seat in seats),
        choice=choice_of(hand, state, rules, turn),
    )


def on_table(rules: Rules, state: State) -> tuple[tuple[int, int], ...]:
    """Return (seat, card) of the trick on the table, in the order played."""
    plays = []
    seat = state.leader
    for _ in range(rules.seats if state.played else 0):
        if state.trick_cards[seat] != NOT_PLAYED:
            plays.append((seat, state.trick_cards[seat]))
        seat = next_seat(rules, seat)
    return tuple(plays)


def choice_of(hand: Hand, state: State, rules: Rules, seat: int) -> Choice:
    """Return what the seat to act may do."""
    options = engine.legal(state, rules, seat) if seat >= 0 else Legal(0)
    unknown = state.unknown[seat] if seat >= 0 else 0
    return Choice(
        verbs=tuple(name for verb, name in VERB_NAMES.items() if options.verbs >> verb & 1),
        low=options.low,
        high=options.high,
        other_bids=tuple(bid for bid in (options.top, options.special) if bid),
        must=options.must,
        cards=options.may,
        least=options.least,
        most=options.most,
        said=_said(hand, seat, options, unknown=unknown, free=engine.may_pass_over(state, rules)),
    )


def _choice_of(cards: int, unknown: int, *, one: bool) -> str | Message:
    """Return cards to choose ``one`` or more among, and how many more the record does not name."""
    if not unknown:
        return pretty_cards(cards)
    if one:
        hidden = message_counted(
            "one of {count} card not recorded", "one of {count} cards not recorded", unknown
        )
    else:
        hidden = message_counted("{count} card not recorded", "{count} cards not recorded", unknown)
    if not cards:
        return hidden
    return message("{cards} or {hidden}", cards=pretty_cards(cards), hidden=hidden)


def _said(hand: Hand, seat: int, options: Legal, *, unknown: int, free: bool) -> Message:
    if seat < 0:
        return message("The hand is over.")
    name = findings.player_name(hand, seat)
    if options.verbs & _CALLS:
        calls = findings.calls_said(options)
        if options.verbs == 1 << Verb.BID:
            return message("{player} must {calls}.", player=name, calls=calls)
        return message("{player} may {calls}.", player=name, calls=calls)
    if options.trumps not in findings.ANY_SUIT:
        suits = [trump_said(code) for code in findings.codes_in(options.trumps)]
        named = either(suits, commas=False)
        return message("{player} is to name trumps: {trumps}.", player=name, trumps=named)
    if options.verbs >> Verb.PLAY & 1:
        cards = _choice_of(options.may, unknown, one=True)
        if more := options.verbs & ~(1 << Verb.PLAY):
            deeds = findings.verbs_said(Legal(more))
            values: dict[str, object] = {"player": name, "cards": cards, "deeds": deeds}
            return message("{player} may play {cards}, or {deeds}.", **values)
        return message("{player} may play {cards}.", player=name, cards=cards)
    deeds = findings.verbs_said(options)
    if options.most:
        hidden = unknown if options.verbs & _FROM_HAND else 0
        number = findings.between(options.least, options.most)
        cards = _choice_of(options.may, hidden, one=False)
        values = {"player": name, "deeds": deeds, "number": number, "cards": cards}
        if free:
            return message("{player} may {deeds}: {number} of {cards}.", **values)
        return message("{player} is to {deeds}: {number} of {cards}.", **values)
    if options.verbs & _FROM_HAND:
        return message("{player} has nothing more to lay off.", player=name)
    return message("{player} is to {deeds}.", player=name, deeds=deeds)
