"""Random hands for tests: house rules, deals, legal play, and records that leave cards out."""

import random
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from itertools import combinations, product
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.at_table import begun, deal_out
from tests.kit.support import PLAYERS, Options, hand_of, ruleset_for
from tricklog.core import ruleset_of, variants
from tricklog.core.engine import engine
from tricklog.core.engine.faults import faults_in
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal, trump_code, within_limits
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.core.rulesets.relevance import contradiction, partnership_problem
from tricklog.schemas.actions import (
    SEVENTH_CARD,
    TAKES_CARDS,
    TAKES_ONE_CARD,
    VERB_NAMES,
    Action,
    Verb,
    action_text,
    format_action,
)
from tricklog.schemas.cards import CARD_NAMES, cards_in, mask_of
from tricklog.schemas.hand import Hand, OptionValue

# --- House rules
HOUSE_RULES: dict[str, list[dict[str, Any]]] = {
    variant: [
        dict(zip(rule.values, chosen, strict=True))
        for rule in ruleset_for(variant).house_rules
        for chosen in product(*map(rule.choices, rule.values))
    ]
    for variant in variants()
}
"""By variant: each named option as an overlay; a choice of values gives one overlay each."""


def _unnamed() -> list[dict[str, OptionValue]]:
    """Return the answers to questions of the rules that no game and no named option gives."""
    given: dict[str, set[object]] = {}
    named = [overlay for overlays in HOUSE_RULES.values() for overlay in overlays]
    for values in (*(ruleset_for(variant).values for variant in variants()), *named):
        for key, value in values.items():
            if isinstance(POLICIES[key], Choice):
                given.setdefault(key, set()).add(value)
    return [
        {key: name}
        for key, policy in POLICIES.items()
        if isinstance(policy, Choice)
        for name in policy.names()
        if name not in given[key]
    ]


UNNAMED = _unnamed()
ALL_HOUSE_RULES = [*(each for overlays in HOUSE_RULES.values() for each in overlays), *UNNAMED]


def some_options(variant: str, chance: random.Random) -> dict[str, OptionValue]:
    """Return a random mix of options: the variant's own, and a few of other variants or of none."""
    own = [each for each in HOUSE_RULES[variant] if chance.random() < 0.25]
    foreign = chance.sample(ALL_HOUSE_RULES, chance.choice((0, 0, 1, 3)))
    unnamed = chance.sample(UNNAMED, chance.choice((0, 0, 0, 1)))
    return together(variant, [*own, *foreign, *unnamed])


def together(variant: str, overlays: Sequence[Options]) -> dict[str, OptionValue]:
    """Return one overlay of several, without those that contradict the ones before."""
    values = ruleset_for(variant).values
    options: dict[str, OptionValue] = {}
    for overlay in overlays:
        more = {**options, **overlay}
        mixed = {**values, **more}
        if not contradiction(mixed) and seats_for(mixed):
            options = more
    return options


def seats_for(values: Mapping[str, Any]) -> list[int]:
    return [seats for seats in values["players"] if not partnership_problem(values, seats)]


# --- Deals
def dealt_hand(
    variant: str, chance: random.Random, options: Options | None = None, seats: int | None = None
) -> Hand:
    """Return a hand with a random deal of the whole pack and no actions."""
    seats = seats or chance.choice(seats_for(ruleset_for(variant, options).values))
    dealer = chance.randrange(seats)
    hand = hand_of(variant, options=options, dealer=dealer, players=PLAYERS[:seats])
    dice = LongSuits(chance.random()) if chance.random() < 0.4 else chance
    return deal_out(hand, ruleset_for(variant, options), dice)


class LongSuits(random.Random):
    """Shuffles so badly that suits stay together: what needs long suits comes up more often."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        noise = self.choice((3, 8, 15))
        start = self.randrange(len(x))
        cards = [*x[start:], *x[:start]]
        places = {card: place + self.uniform(0, noise) for place, card in enumerate(cards)}
        x[:] = sorted(cards, key=places.__getitem__)


# --- Legal play
def random_hand(variant: str, chance: random.Random, options: Options | None = None) -> Hand:
    """Return a complete hand in which everybody does something legal at random."""
    hand = dealt_hand(variant, chance, options)
    actions = [text for _, _, text in walk(hand, chance)]
    return replace(hand, actions=actions)


def walk(hand: Hand, chance: random.Random) -> Iterator[tuple[State, Rules, str]]:
    """Yield each state of random legal play with the action chosen, before it is applied."""
    ruleset = ruleset_of(hand)
    state, rules = begun(hand, ruleset), ruleset.rules(len(hand.players))
    yield from walk_on(state, rules, chance)


def walk_on(
    state: State, rules: Rules, chance: random.Random
) -> Iterator[tuple[State, Rules, str]]:
    """Yield each state of random legal play from `state` on, which it changes."""
    players = [RandomPlayer(seat, chance) for seat in range(rules.seats)]
    while state.phase != Phase.OVER:
        while engine.may_pass_over(state, rules) and chance.random() < 0.3:
            engine.pass_over(state, rules)
        if state.phase == Phase.OVER:
            return
        action = next_action(players, state, rules)
        if action is None:
            engine.pass_over(state, rules)
            continue
        text = as_written(action)
        yield state, rules, text
        faults = engine.apply(state, rules, action)
        assert not faults, f"{text!r} was legal and is judged {faults_in(faults)}"


def next_action(players: list["RandomPlayer"], state: State, rules: Rules) -> Action | None:
    """Return what happens next; nothing when a stage passes without anything."""
    for player in players:
        for options in (
            engine.legal_aside(state, rules, player.seat),
            engine.legal(state, rules, player.seat),
        ):
            action = player.volunteer(state, rules, options)
            if action is not None:
                return action
    seat = engine.to_act(state)
    if seat < 0:
        return None
    return players[seat].decide(state, rules, engine.legal(state, rules, seat))


def as_written(action: Action) -> str:
    """Return an action as a log writes it, a claimed card before the one given for it."""
    if action.verb != Verb.CLAIM:
        return action_text(action)
    cards = [action.card, *cards_in(action.cards & ~(1 << action.card))]
    return format_action(action.seat, Verb.CLAIM, cards=cards)


class RandomPlayer:
    """Somebody who does anything that is legal."""

    def __init__(self, seat: int, chance: random.Random) -> None:
        self.seat = seat
        self.chance = chance

    def volunteer(self, _state: State, _rules: Rules, options: Legal) -> Action | None:
        """Now and then do what nobody waits for."""
        verbs = [
            verb
            for verb, share in VOLUNTEERED.items()
            if options.verbs >> verb & 1 and self.chance.random() < share
        ]
        return self._do(self.chance.choice(verbs), None, options) if verbs else None

    def decide(self, state: State, _rules: Rules, options: Legal) -> Action | None:
        verbs = [verb for verb in Verb if options.verbs >> verb & 1 and verb not in ASIDES]
        if not options.most:
            verbs = [verb for verb in verbs if verb not in TAKES_CARDS]
        if Verb.PASS in verbs and (len(verbs) == 1 or self.chance.random() < 0.6):
            return Action(self.seat, Verb.PASS)
        verbs = [verb for verb in verbs if verb != Verb.PASS]
        return self._do(self.chance.choice(verbs), state, options) if verbs else None

    def _do(self, verb: Verb, state: State | None, options: Legal) -> Action:
        amount = 0
        if verb == Verb.CLAIM:
            return self._claim(options)
        if verb in TAKES_CARDS | TAKES_ONE_CARD:
            cards = random_choice(options, self.chance)
            return Action(self.seat, verb, 0, cards[0], mask_of(cards), len(cards))
        if verb == Verb.BID:
            amount = self._bid(options)
        elif verb == Verb.TRUMP and state is not None:
            amount = self._trump(state, options)
        elif verb == Verb.REVEAL and state is not None:
            amount = trump_code(state)
        return Action(self.seat, verb, amount)

    def _trump(self, state: State, options: Legal) -> int:
        codes = [code for code in range(SEVENTH_CARD + 1) if options.trumps >> code & 1]
        if self.chance.random() < 0.5:
            return self.chance.choice(codes)
        held = state.holding[self.seat] | state.reserve[self.seat]
        return max(codes, key=lambda code: (held >> 13 * code & 0x1FFF).bit_count() * (code < 4))

    def _claim(self, options: Legal) -> Action:
        """Claim a card and give another one for it, if there is one to give."""
        card = self.chance.choice(cards_in(options.may))
        cards = [card, *self.chance.sample(cards_in(options.limited), options.limit)]
        return Action(self.seat, Verb.CLAIM, 0, card, mask_of(cards), len(cards))

    def _bid(self, options: Legal) -> int:
        """Mostly go up in small steps, so that auctions take their time."""
        others = [bid for bid in (options.top, options.special) if bid]
        if not options.high or (others and self.chance.random() < 0.15):
            return self.chance.choice(others)
        if self.chance.random() < 0.7:
            return min(options.high, options.low + self.chance.randrange(3))
        return self.chance.randint(options.low, options.high)


VOLUNTEERED = {
    Verb.PAIR: 0.5,
    Verb.TENNY: 0.02,
    Verb.DOUBLE: 0.2,
    Verb.REDOUBLE: 0.5,
    Verb.SUPER: 0.5,
    Verb.SOLO: 0.02,
    Verb.CLAIM: 0.3,
    Verb.GIVE: 0.3,
    Verb.SHOW: 0.1,
    Verb.DECIDED: 0.1,
    Verb.CONCEDE: 0.1,
    Verb.THROW_IN: 1.0,
}
"""What nobody waits for, and how readily it is done."""
ASIDES = frozenset(VOLUNTEERED) - {Verb.GIVE, Verb.SHOW}
"""What is not done in turn."""


def random_choice(options: Legal, chance: random.Random) -> list[int]:
    """Return a random choice of cards within `options`, limits included."""
    chosen = cards_in(options.must)
    assert len(chosen) <= max(options.most, 1) >= options.least, f"{options} leaves no choice"
    count = chance.randint(max(options.least, len(chosen), 1), max(options.most, 1))
    spare = cards_in(options.may & ~options.must)
    chance.shuffle(spare)
    if options.floor:
        spare.sort(key=lambda card: not options.limited >> card & 1)
    limited = sum(options.limited >> card & 1 for card in chosen)
    for card in spare:
        if len(chosen) == count:
            break
        if options.limited >> card & 1:
            if limited == options.limit:
                continue
            limited += 1
        chosen.append(card)
    assert chosen, f"{options} offers no card"
    chance.shuffle(chosen)
    return chosen


# --- Hiding what a record says
def hide_words(text: str, hide: Callable[[], bool]) -> str:
    return " ".join("?" if hide() else word for word in text.split(" ")) if text else text


def hidden_record(
    hand: Hand, chance: random.Random, *, hidden_plays: bool, any_card: bool = False
) -> Hand:
    """Return the hand with cards not recorded here and there, the actions otherwise the same.

    These are cards of what is done before the play, and whole piles; with `any_card` they are of
    any action, and every pile is there.
    """
    if any_card:
        verbs = (*TAKES_CARDS, Verb.CLAIM)
        by_name = {VERB_NAMES[verb]: chance.choice((0.0, 0.3, 1.0)) for verb in verbs}
    else:
        by_name = {"discard": chance.choice((0.0, 0.2, 1.0))}
        by_name |= {name: chance.choice((0.0, 0.3, 1.0)) for name in ("draw", "rob", "kitty")}
    by_name["play"] = chance.choice((0.05, 0.3, 1.0)) if hidden_plays else 0.0
    by_name["bury"] = 0.3 if hidden_plays else 0.0
    actions = []
    for text in hand.actions:
        seat, verb, *rest = text.split(" ", 2)
        share = by_name.get(verb, 0.0)
        words = [hide_words(each, lambda share=share: chance.random() < share) for each in rest]  # type: ignore[misc]  # its default says its type
        actions.append(" ".join([seat, verb, *words]))
    same = chance.choice((0.0, 0.3, 1.0)) if any_card else None

    def hide(piles: Any, *shares: float | None) -> Any:  # noqa: ANN401 - one pile or several
        share = chance.choice(shares) if same is None else same
        if share is None or piles is UNSET:
            return UNSET
        if isinstance(piles, str):
            return hide_words(piles, lambda: chance.random() < share)
        return [hide_words(text, lambda: chance.random() < share) for text in piles]

    deal = hide(hand.deal, 0.0, 0.3, 1.0, None)
    stock, kitty = (hide(pile, 0.0, 0.5, None) for pile in (hand.stock, hand.kitty))
    return replace(hand, actions=actions, deal=deal, stock=stock, kitty=kitty)


# --- What the engine offers, written out as a log would
def offered(state: State, rules: Rules) -> set[str]:
    """Return what any seat may do now; only for phases in which choices of cards are few."""
    found: set[str] = set()
    for seat in range(rules.seats):
        found |= set(offered_to(state, rules, seat))
    return found


def offered_to(state: State, rules: Rules, seat: int) -> Iterator[str]:
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
