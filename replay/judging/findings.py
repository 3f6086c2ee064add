"""From faults to findings: the sentence, the facts behind it, the legal set, the citation.

Every fault says which policies' citations it carries, and its sentence; rows here are for special
cases. Sentences are templates over facts, so a reader of the facts can check them.
Of the cards as dealt, laying them out says whether anything is wrong; here stands what. Sources:
0.deal, 0.conservation, 0.players.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import UNSET

from tricklog.core.engine import engine
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.policies import (
    AllPass,
    Ask,
    DiscardsShown,
    DropOut,
    EmptyStock,
    Fold,
    Phase,
)
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import (
    auction,
    discard,
    early_end,
    hidden_trump,
    play,
    stock,
    table,
)
from tricklog.core.engine.rules.table import Legal, named_trump
from tricklog.core.model import Fact, Finding
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.actions import (
    BID_28_56,
    MAX_BID,
    NO_TRUMP,
    NO_TRUMP_REVERSED,
    SEVENTH_CARD,
    SUIT_REVERSED,
    TAKES_TRUMP,
    TRUMP_CODES,
    VERB_NAMES,
    Action,
    Verb,
    bid_name,
    trump_name,
)
from tricklog.schemas.cards import card_name, names_in, pretty_card, pretty_cards
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import (
    Listing,
    Message,
    either,
    mark,
    message,
    message_in,
    message_of,
    plain,
)
from tricklog.schemas.render import player_labels, trump_said
from tricklog.schemas.words import cards_counted


def takes_as_many(state: State, rules: Rules, action: Action) -> bool:
    """Does the dealer take as many cards as they may, so that it is for their kind if not right?"""
    options = legal_for(state, rules, action)
    return options.least <= action.size <= options.most


def lays_off_too_many(state: State, rules: Rules, action: Action) -> bool:
    """Are only cards laid off that may go, and more of them than may?"""
    options = legal_for(state, rules, action)
    few = (action.cards & options.limited).bit_count()
    return few > options.limit and action.cards & ~options.may == 0


# fmt: off
SPECIAL: Final[tuple[tuple[Fault, Callable[[State, Rules, Action], object], str, str], ...]] = (
    (Fault.CARD_NOT_IN_STOCK, lambda _state, _rules, action: action.verb == Verb.CLAIM,
     "0.conservation", "{player} claimed {claimed}, which cannot lie among the discards."),
    (Fault.CARD_NOT_IN_STOCK, lambda _state, _rules, action: action.verb == Verb.SHOW,
     "0.conservation", "{player} showed {strangers}, which cannot lie in the stock."),
    (Fault.DISCARD_NOT_SHOWN, lambda _state, _rules, action: action.verb == Verb.SHOW,
     "surplus_shown", "{player} showed {cards}; the trumps left in the stock were {left}."),
    (Fault.DISCARD_NOT_SHOWN, lambda _state, _rules, action: action.verb == Verb.PLAY,
     "surplus_shown", "{player} played on without showing {left}, left in the stock."),
    (Fault.DISCARD_OUT_OF_TURN, lambda state, _rules, _action: state.robs_first == 1,
     "discard rob", "{player} laid off {counted} only after taking the rest of the stock."),
    (Fault.DISCARD_OUT_OF_TURN,
     lambda state, rules, action: discard.precedes_rob(state, rules, action.seat),
     "rob", "{player} laid off {counted} before taking the rest of the stock, which comes first."),
    (Fault.PAIR_NOT_NOW, lambda state, _rules, _action: state.pair_side >= 0,
     "pair", "{player} declared king and queen of trumps, which had been declared before."),
    (Fault.PAIR_NOT_NOW, lambda state, rules, _action: hidden_trump.is_hidden(state, rules),
     "pair", "{player} declared king and queen of trumps before trumps were shown."),
    (Fault.PLAYED_TWICE, lambda state, rules, _action: state.trick > rules.hand_size,
     "0.order", "{player} played {card}, but every trick of the hand was over."),
    (Fault.PLAYED_WHEN_OUT, lambda state, _rules, action: state.folded >> action.seat & 1,
     "fold", "{player} played {card}, but had folded."),
    # Nothing that is known to be held could have been played instead.
    (Fault.REVOKE, lambda state, rules, action: not play.legal_cards(state, rules, action.seat),
     "plain_void", "{player} played {card}, which is no trump: only trumps are played."),
    (Fault.PLAIN_LEAD, lambda state, rules, action: not play.legal_cards(state, rules, action.seat),
     "first_lead", "{player} led {card}, which is no trump: a trump had to be led."),
    (Fault.OUT_WITH_TRUMPS, lambda _state, rules, _action: rules.drop_out == DropOut.WHEN_TRUMP_LED,
     "drop_out", "{player} dropped out before a trump was led that {player} could not follow."),
    # What is not known to be held may have been a trump, but they play it later.
    (Fault.OUT_WITH_TRUMPS,
     lambda state, rules, action: state.holding[action.seat]
     & rules.trump_cards[named_trump(state)] == 0,
     "drop_out", "{player} dropped out, and yet plays on after that."),
    (Fault.BID_NOT_ALLOWED,
     lambda state, _rules, action: state.bid_suits == 0 and action.verb == Verb.TRUMP,
     "first_lead", "{player} named {trump_named} without a card of it to lead."),
    (Fault.DEALER_MUST_BID, lambda _state, rules, _action: rules.all_pass == AllPass.FIRST_OPENS,
     "all_pass", "{player} passed, but must open the auction with {bids}."),
    (Fault.FORCED_BID_WRONG, lambda _state, rules, _action: rules.all_pass == AllPass.FIRST_OPENS,
     "all_pass forced_bid", "{player} bid {bid}, but must open the auction with {bids}."),
    (Fault.ROB_COUNT, takes_as_many,
     "rob hand_size", "{player} took {cards}, but a hand over {size} may hold only trumps."),
    (Fault.DISCARDED_TRUMP, lays_off_too_many, "discard surplus",
     "{player} laid off {limited}, of which only {limit} may go."),
    (Fault.TRUMP_UNKNOWN,
     lambda state, _rules, action: state.solo >= 0 and action.verb == Verb.TRUMP,
     "solo_trump", "{player} named {trump_named}, but whoever plays alone names a suit."),
)
# fmt: on
"""What is said of a fault where the table shows something special."""

_DUE_RULES: Final[dict[int, tuple[str, ...]]] = {
    Phase.AUCTION: ("auction",),
    Phase.TRUMP: ("trump_call",),
    Phase.DOUBLE: ("doubling",),
    Phase.KITTY: ("kitty_size",),
    Phase.FOLD: ("fold",),
    Phase.GIVE: ("surplus",),
    Phase.DISCARD: ("discard",),
    Phase.REFILL: ("refill",),
    Phase.ROB: ("rob",),
    Phase.DEALER_GIVE: ("surplus",),
    Phase.COME_DOWN: ("hand_size",),
    Phase.SHOW: ("surplus_shown",),
}
"""By phase: the rule that says what is due in it."""
ANY_SUIT: Final = (0, 0b1111)
"""Sets of trump suits without a choice to tell: none are to be named, or any."""
_OF_ONE_ALONE: Final = (
    Fault.PLAYED_WHEN_OUT,
    Fault.ASK_WITHOUT_CAUSE,
    Fault.REVEAL_WITHOUT_CAUSE,
)
"""Faults for which it is the reason that somebody plays alone, where somebody does."""
_NO_CHOICE: Final = (
    Fault.WRONG_LEADER,
    Fault.PLAYED_OUT_OF_TURN,
    Fault.DISCARD_OUT_OF_TURN,
    Fault.NOT_ROBBED,
    Fault.DRAW_SPLIT,
)
"""Faults of acting at another's turn, too late, or not at all: no other card would be legal."""


def player_name(hand: Hand, seat: int) -> str:
    """Return how people call the player at a seat."""
    if not 0 <= seat < len(hand.players):
        return f"seat {seat}"
    return player_labels(hand)[seat]


def player_said(hand: Hand, seat: int) -> str | Message:
    """Return how people call the player at a seat, to be shown; there may be no such seat."""
    if not 0 <= seat < len(hand.players):
        return message("seat {seat}", seat=seat)
    return player_name(hand, seat)


def code_of(fault: Fault) -> str:
    """Return the code of a fault as findings write it: ``wrong-leader``."""
    return fault.name.lower().replace("_", "-")


def cite(ruleset: Ruleset, keys: tuple[str, ...]) -> str:
    """Return the citations of policies, each once."""
    words: list[str] = []
    for key in keys:
        words += key.split() if "." in key else ruleset.cite(key).split()
    return " ".join(dict.fromkeys(words))


def action_finding(
    hand: Hand,
    ruleset: Ruleset,
    rules: Rules,
    state: State,
    index: int,
    action: Action,
    fault: Fault,
) -> Finding:
    """Return the finding for one fault of action ``index``, ``state`` being that before it."""
    if fault == Fault.NO_SUCH_SEAT:
        facts: dict[str, Fact] = {"seat": action.seat, "seats": rules.seats}
        words: Mapping[str, object] = facts
        options = Legal(0)
    else:
        options = legal_for(state, rules, action)
        facts = facts_of(state, rules, action, options)
        words = words_of(hand, rules, state, action, options)
    rows = (row for each, is_so, *row in SPECIAL if each == fault and is_so(state, rules, action))
    cites, sentence = next(rows, (fault.cites, fault.sentence))
    keys = tuple(cites.split())
    if fault in (Fault.GIVE_COUNT, Fault.GIVE_NOT_ALLOWED) and rules.fold != Fold.NEVER:
        keys = ("fold",)
    if fault == Fault.NOT_NOW:
        keys = _DUE_RULES.get(state.phase, keys)
        keys = ("auction",) if auction.CALLS >> action.verb & 1 else keys
    if fault == Fault.WRONG_LEADER and state.trick > 1:
        keys = ("first_leader", "trumpless_trick")
    if fault in (Fault.TRUMP_UNKNOWN, Fault.STOPPED_WITHOUT_CAUSE):
        keys = _named_rules(fault, action) or keys
    if state.solo >= 0 and action.verb == Verb.TRUMP:
        keys = ("solo_trump",)
    if fault == Fault.NOT_THROWN_IN:
        keys = _reasons_to_throw_in(state, rules)
    if state.solo >= 0 and fault in _OF_ONE_ALONE:
        keys = ("tenny",) if state.tenny else ("solo",)
    if action.verb == Verb.TENNY and fault == Fault.SOLO_NOT_ALLOWED:
        keys = ("tenny",)
    if fault == Fault.REVOKE and state.played:
        led = rules.suit_cards[table.live_trump(state, rules)][state.led_suit]
        keys = keys if state.holding[action.seat] & led else ("plain_void",)
    # Who left the rest of the stock may have nothing more to do in the hand.
    seat = state.dealer if fault == Fault.NOT_ROBBED else action.seat
    legal = "" if fault in _NO_CHOICE else legal_text(options)
    code, pointer, rule = code_of(fault), f"/actions/{index}", cite(ruleset, keys)
    said = message_of(sentence, words)
    return Finding(code, pointer, facts, rule, said, action=index, seat=seat, legal=legal)


def _named_rules(fault: Fault, action: Action) -> tuple[str, ...]:
    """Return the policies that say whether what an action names exists at this table."""
    if fault == Fault.STOPPED_WITHOUT_CAUSE:
        return () if action.verb == Verb.THROW_IN else ("early_end",)
    if action.amount == SEVENTH_CARD:
        return ("seventh_card",)
    if action.amount >= SUIT_REVERSED:
        return ("twos",)
    return {NO_TRUMP: ("no_trump",), NO_TRUMP_REVERSED: ("twos", "no_trump")}.get(action.amount, ())


def _reasons_to_throw_in(state: State, rules: Rules) -> tuple[str, ...]:
    if state.phase == Phase.AUCTION:
        return ("weak_start",)
    reasons = {
        "bare_seventh": early_end.by_seventh_card(state, rules),
        "weak_defence": early_end.by_defence(state, rules),
        "four_jacks": early_end.by_jacks(state, rules),
    }
    return tuple(key for key, found in reasons.items() if found == early_end.DUE)


def legal_for(state: State, rules: Rules, action: Action) -> Legal:
    """Return what the seat could legally have done instead of ``action``."""
    seat = action.seat
    if state.due_thrown_in == early_end.DUE:
        return engine.legal(state, rules, seat)
    if action.verb == Verb.PLAY and state.pending >> seat & 1:
        cards = play.legal_cards(state, rules, seat)
        return Legal(1 << Verb.PLAY, 0, cards, 1, 1)
    aside = engine.legal_aside(state, rules, seat)
    if aside.verbs >> action.verb & 1:
        return aside
    if engine.DISCARDS >> action.verb & 1 and not state.fold_due >> seat & 1:
        lacks = table.cannot_hold(state, rules, seat, action.cards, action.size)
        options = engine.legal_lay_off(state, rules, seat, 0 if lacks else action.cards)
        if options.verbs:
            return options
    return engine.legal(state, rules, seat)


def legal_text(options: Legal) -> str:
    """Return a legal set in log notation: bids as ``7-14``, cards by name, else the verbs."""
    if options.may:
        return names_in(options.may)
    if options.trumps not in ANY_SUIT:
        return " ".join(trump_name(code) for code in codes_in(options.trumps))
    words = [f"{options.low}-{options.high}"] if options.high else []
    words += [bid_name(bid) for bid in (options.top, options.special) if bid]
    names = [name for verb, name in VERB_NAMES.items() if options.verbs >> verb & 1]
    return " ".join(words + [name for name in names if name != VERB_NAMES[Verb.BID]])


def codes_in(trumps: int) -> list[int]:
    """Return the trumps of a legal set by their codes."""
    return [code for code in TRUMP_CODES.values() if code >= 0 and trumps >> code & 1]


def facts_of(state: State, rules: Rules, action: Action, options: Legal) -> dict[str, Fact]:
    """Return the facts a finding about ``action`` rests on, in log notation."""
    facts: dict[str, Fact] = {"verb": VERB_NAMES[Verb(action.verb)], "due": seat_due(state, action)}
    special = state.high_bid > MAX_BID
    if action.verb == Verb.BID:
        facts["bid"] = bid_name(action.amount)
    if action.verb in (Verb.BID, Verb.DITTO):
        facts["standing"] = bid_name(state.high_bid) if special else state.high_bid
        facts |= {"min": rules.min_bid, "max": rules.max_bid}
    is_call = auction.CALLS >> action.verb & 1 or action.verb == Verb.TRUMP
    if is_call and auction.is_forced(state, rules, action.seat):
        facts["forced"] = rules.forced_bid
    if action.verb == Verb.TRUMP:
        facts["named"] = trump_name(action.amount)
    if action.verb == Verb.TRUMP and state.high_bid:
        facts["bid"] = bid_name(state.high_bid)
    if action.amount == BID_28_56 or (action.verb == Verb.TRUMP and special):
        facts["holding"] = names_in(state.holding[action.seat])
    if action.size:
        facts["cards"] = names_in(action.cards)
        facts["holding"] = names_in(state.holding[action.seat])
    if action.verb == Verb.PLAY and state.played:
        facts["led"] = card_name(state.led_card)
    if options.most:
        facts |= {"least": options.least, "most": options.most}
    if state.trump >= 0:
        facts["trump"] = trump_name(table.trump_code(state))
    return facts


def seat_due(state: State, action: Action) -> int:
    """Return whose turn it was: for a card the seat to play, though another has to show trumps."""
    return state.turn if action.verb == Verb.PLAY else engine.to_act(state)


def words_of(
    hand: Hand, rules: Rules, state: State, action: Action, options: Legal
) -> dict[str, object]:
    """Return what the sentences of faults are filled with."""
    due = seat_due(state, action)
    seat = action.seat
    trump = named_trump(state)
    strangers = action.cards & ~source_of(rules, state, action)
    trumps = rules.trump_cards[trump]
    suit = rules.suit[table.live_trump(state, rules)]
    suit_named = trump_said(action.amount) if action.verb in TAKES_TRUMP else message("no suit")
    wanted: object = between(options.least, options.most)
    if action.verb in (Verb.PLAY, Verb.BURY):
        wanted = play.surplus_count(state, rules, seat) or message("none")
    drawer = stock.next_drawer(state, rules)
    nobody = message("nobody")
    shows_all = rules.discards_shown == DiscardsShown.ALL
    to_show = action.cards if shows_all else trumps
    because = _REASONS.get(Verb(action.verb))
    return {
        "player": player_name(hand, seat),
        "verb": _DOING[Verb(action.verb)],
        "due": player_name(hand, due) if due >= 0 else nobody,
        "due_verbs": verbs_said(engine.legal(state, rules, due) if due >= 0 else Legal(0)),
        "dealer": player_name(hand, state.dealer),
        "maker": player_name(hand, state.maker) if state.maker >= 0 else nobody,
        "bid": bid_name(action.amount),
        "standing": bid_name(state.high_bid),
        "no_ditto": message("may not hold the bid of {bid}", bid=bid_name(state.high_bid))
        if state.high_bid
        else message("there is no bid to hold"),
        "called": called(state, action),
        "min": rules.min_bid,
        "max": rules.max_bid,
        "bids": bids_said(auction.legal_call(state, rules, seat)),
        "card": cards_said(action.cards & options.limited or action.cards, action.size),
        "cards": cards_said(action.cards, action.size),
        "counted": cards_counted(action.size),
        "wanted": wanted,
        "strangers": pretty_cards(strangers) if strangers else message("so many cards"),
        "kept": pretty_cards(options.must & ~action.cards),
        "barred_points": pretty_cards(action.cards & ~options.may & rules.point_cards[trump]),
        "barred": pretty_cards(action.cards & trumps & ~options.may or action.cards & trumps),
        "limited": pretty_cards(action.cards & options.limited),
        "limit": options.limit,
        "must": pretty_cards(options.must),
        "legal": pretty_cards(options.may),
        "trumps": pretty_cards(state.holding[seat] & trumps),
        "trump": trump_said(table.trump_code(state)),
        "trump_named": suit_named,
        "led": trump_said(suit[state.led_card]) if state.led_card >= 0 else message("nothing"),
        "draws": message("{player} is next to draw", player=player_name(hand, drawer))
        if drawer >= 0
        else message("nobody is to draw"),
        "because": because(rules, state, action) if because else plain(""),
        "claimed": pretty_card(action.card) if action.card >= 0 else message("a card"),
        "hidden": cards_said(action.cards & to_show, action.size),
        "size": rules.hand_size,
        "left": pretty_cards(stock.left_to_show(state, rules)),
    }


def cards_said(cards: int, size: int) -> str | Message:
    """Return the cards that an action of ``size`` cards names, else how many there are."""
    if cards:
        return pretty_cards(cards)
    return message("a card") if size == 1 else cards_counted(size)


# --- Words: what players do and call

_BESIDE_BIDS: Final = (
    *(Verb.DITTO, Verb.TENNY, Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER, Verb.PASS),
)
"""Calls without a number, in the order in which they are said."""
_DOING: Final = {
    Verb.BID: message_in("what to do", "bid"),
    Verb.PASS: message_in("what to do", "pass"),
    Verb.DITTO: message_in("what to do", "say ditto"),
    Verb.TENNY: message_in("what to do", "call tenny"),
    Verb.TRUMP: message_in("what to do", "name trumps"),
    Verb.KITTY: message_in("what to do", "take the kitty"),
    Verb.DISCARD: message_in("what to do", "lay off"),
    Verb.DISCARD_UP: message_in("what to do", "lay off face up"),
    Verb.CLAIM: message_in("what to do", "claim a discard"),
    Verb.DRAW: message_in("what to do", "draw"),
    Verb.ROB: message_in("what to do", "rob the stock"),
    Verb.GIVE: message_in("what to do", "give to the partner"),
    Verb.FOLD: message_in("what to do", "fold"),
    Verb.BURY: message_in("what to do", "bury surplus"),
    Verb.PLAY: message_in("what to do", "play"),
    Verb.OUT: message_in("what to do", "drop out"),
    Verb.ASK: message_in("what to do", "ask for the trump"),
    Verb.REVEAL: message_in("what to do", "show the trump"),
    Verb.PAIR: message_in("what to do", "declare king and queen of trumps"),
    Verb.DOUBLE: message_in("what to do", "double"),
    Verb.REDOUBLE: message_in("what to do", "redouble"),
    Verb.SUPER: message_in("what to do", "raise the redoubled stake"),
    Verb.SOLO: message_in("what to do", "announce all tricks alone"),
    Verb.SHOW: message_in("what to do", "show cards"),
    Verb.THROW_IN: message_in("what to do", "throw the deal in"),
    Verb.CONCEDE: message_in("what to do", "give up the rest"),
    Verb.DECIDED: message_in("what to do", "stop play, as the contract is decided"),
}
"""What verbs mean, for people."""


def verbs_said(options: Legal) -> Message | Listing:
    """Return the verbs of a legal set, to be shown: ``name trumps or lay off``."""
    names = [_DOING[verb] for verb in Verb if options.verbs >> verb & 1]
    return either(names, commas=False) if names else message_in("what to do", "act")


def bids_said(options: Legal) -> Listing:
    """Return the bids of a legal set, to be shown: ``7, 14 or 28-56``, ``31 to 83``."""
    bids: list[object] = [bid_name(bid) for bid in (options.top, options.special) if bid]
    if options.high:
        bids.insert(0, between(options.low, options.high))
    return either(bids)


def between(least: int, most: int) -> int | Message:
    """Return a number from one to another, to be shown."""
    return message("{least} to {most}", least=least, most=most) if least < most else least


def calls_said(options: Legal) -> Listing:
    """Return the calls of a legal set, to be shown: ``bid 17 to 28, say ditto or pass``."""
    may_bid = options.verbs >> Verb.BID & 1
    bids = [message_in("what to do", "bid {bids}", bids=bids_said(options))] if may_bid else []
    return either([*bids, *(_DOING[verb] for verb in _BESIDE_BIDS if options.verbs >> verb & 1)])


def called(state: State, action: Action) -> Message:
    """Return what was called, for people; a suit is named on the bid that won the auction."""
    if action.verb == Verb.BID:
        return message_in("what was called", "bid {bid}", bid=bid_name(action.amount))
    if action.verb == Verb.TRUMP:
        trump, bid = trump_said(action.amount), bid_name(state.high_bid)
        return message_in("what was called", "named {trump} after {bid}", trump=trump, bid=bid)
    if action.verb == Verb.DITTO:
        return message_in("what was called", "said ditto")
    return message_in("what was called", "called")


# --- Words: the exchange

_FROM_STOCK: Final = (Verb.DRAW, Verb.ROB, Verb.SHOW)


def source_of(rules: Rules, state: State, action: Action) -> int:
    """Return the cards known or possible where those of an action come from."""
    if action.verb == Verb.KITTY:
        return state.kitty
    if action.verb not in _FROM_STOCK or state.phase == Phase.PLAY:
        return state.holding[action.seat]
    cards = state.stock_set
    if action.verb == Verb.ROB:
        cards |= stock.open_discards(state, rules, action.seat)
    if action.verb == Verb.DRAW and rules.empty_stock == EmptyStock.DISCARDS:
        cards |= table.laid_off_cards(state, rules)
    return cards


def _why_not_given(rules: Rules, state: State, action: Action) -> Message:
    partner = 1 << table.partner_of(rules, action.seat)
    trumps = rules.trump_cards[named_trump(state)]
    point_cards = trumps & rules.point_cards[named_trump(state)]
    may = point_cards if discard.gives_points_only(state, rules) else trumps
    over = ((state.holding[action.seat] | action.cards) & may).bit_count() > rules.hand_size
    folds = rules.fold != Fold.NEVER
    size = rules.hand_size
    reasons = (
        (state.folded & partner, message("the partner had folded")),
        (state.gave & partner, message("gifts between partners go one way only")),
        (state.gave >> action.seat & 1, message("had given before")),
        (folds and action.seat == state.maker, message("the maker has to lead a trump")),
        (state.laid_off & partner, message("the partner had laid off before")),
        (action.cards & ~trumps, message("only trumps may be given")),
        (
            rules.fold == Fold.WITHOUT_TRUMPS,
            message("only a single trump may be given, or two with the two among them"),
        ),
        (folds, message("only one trump may be given, or two")),
        # Where more than points may be given, what may not is no trump, as said above.
        (action.cards & ~may, message("only point cards may be given")),
        (
            (state.holding[action.seat] & point_cards & ~action.cards).bit_count() > size,
            message("more point cards than {size} would stay, and none may be laid off", size=size),
        ),
        (
            action.cards & point_cards and over,
            message("no hand may come to hold more than {size} point cards", size=size),
        ),
        (may == trumps, message("only trumps beyond {size} may be given", size=size)),
    )
    otherwise = message("only point cards beyond {size} may be given", size=size)
    return next((reason for holds, reason in reasons if holds), otherwise)


def _why_not_claimed(rules: Rules, state: State, action: Action) -> Message:
    trumps = rules.trump_cards[named_trump(state)]
    owner = stock.claimed_from(state, rules, action)
    given = stock.given_for(action)
    held = (state.holding[action.seat] & trumps).bit_count()
    reasons = (
        (
            owner >= 0 and table.side_of(rules, owner) == table.side_of(rules, action.seat),
            message("no opponent had laid it off"),
        ),
        (action.card >= 0 and not trumps >> action.card & 1, message("it is no trump")),
        (state.filled >> action.seat & 1, message("had drawn before")),
        (held >= rules.hand_size, message("held {held} trumps already", held=held)),
        (given & trumps, message("gave {cards} for it, a trump", cards=pretty_cards(given))),
    )
    otherwise = message("gave no plain card for it")
    return next((reason for holds, reason in reasons if holds), otherwise)


# --- Words: hidden trumps, and who plays alone


def _why_it_stays_hidden(rules: Rules, state: State, action: Action) -> Message:
    asks = action.verb == Verb.ASK
    reasons = (
        (state.solo >= 0, message("nothing is hidden in a hand played alone")),
        (state.revealed, message("it had been shown before")),
        (
            rules.ask == Ask.END_OF_TRICK,
            message("it is shown only after a trick that somebody could not follow"),
        ),
        (asks and action.seat == state.maker, message("had chosen it")),
        (
            not hidden_trump.is_to_follow(state, action.seat),
            message("it was not their turn to follow"),
        ),
        (asks, message("could follow suit")),
    )
    otherwise = message("nobody had asked, and they could follow suit")
    return next((reason for holds, reason in reasons if holds), otherwise)


def _why_not_alone(_rules: Rules, state: State, action: Action) -> Message:
    calls_tenny = action.verb == Verb.TENNY
    begun = state.trick > 1 or state.played > 0
    reasons = (
        (action.seat == state.solo, message("had done so before")),
        (begun or (state.phase == Phase.PLAY and not calls_tenny), message("play had begun")),
        (calls_tenny and state.spoken, message("calls had been made before")),
        (state.solo >= 0, message("somebody earlier in turn had done so")),
    )
    otherwise = message("no card of that hand could lose")
    return next((reason for holds, reason in reasons if holds), otherwise)


_REASONS: Final = {
    Verb.GIVE: _why_not_given,
    Verb.CLAIM: _why_not_claimed,
    Verb.ASK: _why_it_stays_hidden,
    Verb.REVEAL: _why_it_stays_hidden,
    Verb.SOLO: _why_not_alone,
    Verb.TENNY: _why_not_alone,
}
"""By what was done: the reason why it was not allowed, where there are several."""


# --- The cards as dealt


DEAL_ROWS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "deal-size": (("packets",), mark("{place} was dealt {counted} instead of {wanted}.")),
    "kitty-size": (("kitty_size",), mark("The kitty holds {counted} instead of {wanted}.")),
    "stock-size": (("packets",), mark("The stock holds {counted} instead of {wanted}.")),
    "player-twice": (("0.players",), mark("{place} is recorded at seat {other} as well.")),
    "score-count": (
        ("sides",),
        mark("The record gives {count} running scores for {wanted} sides."),
    ),
    "card-not-in-pack": (("ranks",), mark("{place} holds {card}, which is not in the pack.")),
    "card-twice": (
        ("0.conservation",),
        mark("{place} holds {card}, which is already recorded in {first}."),
    ),
}


def deal_findings(hand: Hand, ruleset: Ruleset, workspace: Workspace | None) -> list[Finding]:
    """Return what is wrong with what stands before the first action.

    ``workspace``: where the deal was laid out; ``None`` where ``lay_out`` has found it sound.
    """
    found: list[Finding] = []
    if workspace:
        rules = ruleset.rules(len(hand.players))
        found += _wrong_sizes(hand, ruleset, rules, workspace)
        found += _conservation(hand, ruleset, rules, workspace)
        if hand.scores is not UNSET and len(hand.scores) != rules.side_count:
            facts: dict[str, Fact] = {"count": len(hand.scores), "wanted": rules.side_count}
            found.append(_finding(hand, ruleset, "score-count", "/scores", facts))
    if len({player.id for player in hand.players}) < len(hand.players):
        found += _players_twice(hand, ruleset)
    return found


def _wrong_sizes(
    hand: Hand, ruleset: Ruleset, rules: Rules, workspace: Workspace
) -> Iterator[Finding]:
    """Every part of the deal that is listed holds as many cards as it must (0.deal)."""
    bounds = workspace.bounds
    for part, wanted in enumerate(workspace.wanted):
        count = bounds[part + 1] - bounds[part]
        if count != wanted:
            pointer = _pointer(rules, part)
            code = "deal-size" if part < rules.seats else f"{pointer[1:]}-size"
            facts: dict[str, Fact] = {"count": count, "wanted": wanted}
            yield _finding(hand, ruleset, code, pointer, facts, counted=cards_counted(count))


def _conservation(
    hand: Hand, ruleset: Ruleset, rules: Rules, workspace: Workspace
) -> Iterator[Finding]:
    """Every card of the pack exists once (0.conservation)."""
    seen: dict[int, str] = {}
    for part in range(rules.seats + 2):
        pointer = _pointer(rules, part)
        for card in workspace.cards[workspace.bounds[part] : workspace.bounds[part + 1]]:
            if card < 0:
                continue
            facts: dict[str, Fact] = {"card": card_name(card)}
            words: dict[str, object] = {"card": pretty_card(card)}
            if not rules.pack >> card & 1:
                yield _finding(hand, ruleset, "card-not-in-pack", pointer, facts, **words)
            elif card in seen:
                facts["first"] = first = seen[card]
                words["first"] = message("the kitty") if first == "/kitty" else message("the stock")
                if first.startswith("/deal/"):
                    name = player_name(hand, int(first[6:]))
                    words["first"] = message("{player}'s hand", player=name)
                yield _finding(hand, ruleset, "card-twice", pointer, facts, **words)
            else:
                seen[card] = pointer


def _pointer(rules: Rules, part: int) -> str:
    return f"/deal/{part}" if part < rules.seats else ("/kitty", "/stock")[part - rules.seats]


def _players_twice(hand: Hand, ruleset: Ruleset) -> Iterator[Finding]:
    """Nobody sits at two seats (0.players)."""
    seats: dict[str, int] = {}
    for seat, player in enumerate(hand.players):
        if player.id in seats:
            facts: dict[str, Fact] = {"id": player.id, "other": seats[player.id]}
            yield _finding(hand, ruleset, "player-twice", f"/players/{seat}", facts)
        seats.setdefault(player.id, seat)


def _finding(
    hand: Hand, ruleset: Ruleset, code: str, pointer: str, facts: dict[str, Fact], **words: object
) -> Finding:
    """Return a finding; ``words`` are said in the place of facts, or beside them."""
    keys, sentence = DEAL_ROWS[code]
    _, _, at = pointer[1:].partition("/")
    place = message("The kitty") if pointer == "/kitty" else message("The stock")
    of = player_name(hand, int(at)) if at else place
    said = message_of(sentence, {"place": of, **facts, **words})
    seat = int(at) if at else None
    return Finding(code, pointer, facts, cite(ruleset, keys), said, seat=seat)


# --- Their names


CONTEXT: Final = "a finding"
OTHER_CODES: Final = (
    "after-the-game",
    "began-before",
    "claimed-change",
    "claimed-points",
    "claimed-result",
    "claimed-score",
    "claimed-winner",
    "hand-number-twice",
    "known-otherwise",
    "players-changed",
    "rules-changed",
    "score-not-carried",
    "wrong-dealer",
)
"""Codes of what is found in claims and beside the other hands of a game."""


def finding_codes() -> tuple[str, ...]:
    """Return the codes of all findings there can be."""
    faults = [code_of(fault) for fault in Fault]
    return tuple(dict.fromkeys([*faults, *DEAL_ROWS, *OTHER_CODES]))


def finding_said(code: str) -> Message:
    """Return the name of a finding by its code, to be shown."""
    return Message(code.replace("-", " "), context=CONTEXT)
