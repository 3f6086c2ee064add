"""Everything the engine offers at a moment, written out as a log would."""

from collections.abc import Iterator
from itertools import combinations

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal, trump_code, within_limits
from tricklog.schemas.actions import TAKES_CARDS, VERB_NAMES, Verb, format_action
from tricklog.schemas.cards import CARD_NAMES, cards_in


def offered(state: State, rules: Rules) -> set[str]:
    """Return what any seat may do now; only for phases in which choices of cards are few."""
    found: set[str] = set()
    for seat in range(rules.seats):
        found |= set(offered_to(state, rules, seat))
    return found


def offered_to(state: State, rules: Rules, seat: int) -> Iterator[str]:
    """Yield what one seat may do now."""
    options = engine.legal(state, rules, seat)
    for verb in Verb:
        if not options.verbs >> verb & 1:
            continue
        if verb == Verb.BID:
            for amount in bids_of(options):
                yield format_action(seat, verb, amount)
        elif verb == Verb.REVEAL:
            yield format_action(seat, verb, trump_code(state))
        elif verb == Verb.PLAY:
            for card in cards_in(options.may):
                yield format_action(seat, verb, cards=[card])
        elif verb in TAKES_CARDS:
            for cards in choices_of(options):
                names = sorted(CARD_NAMES[card] for card in cards)
                yield " ".join([str(seat), VERB_NAMES[verb], *names])
        elif state.phase != Phase.TRUMP:
            yield format_action(seat, verb)


def bids_of(options: Legal) -> list[int]:
    """Return the bids of a legal set, special ones included."""
    numbers = range(options.low, options.high + 1) if options.high else ()
    return [*numbers, *(bid for bid in (options.top, options.special) if bid)]


def choices_of(options: Legal) -> Iterator[tuple[int, ...]]:
    """Yield every choice of cards of a legal set, each in ascending order."""
    must = cards_in(options.must)
    spare = cards_in(options.may & ~options.must)
    for count in range(max(options.least, 1), options.most + 1):
        if count < len(must):
            continue
        for rest in combinations(spare, count - len(must)):
            cards = sorted((*must, *rest))
            if within_limits(options, sum(1 << card for card in cards)):
                yield tuple(cards)
