"""Random hands of the Pedro family for tests of exchange and play: any rules, 4 to 7 seats.

The auction is the shortest there is: one seat bids the minimum, all others pass.
"""

import random
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.random_play import random_choice
from tests.kit.support import Options, ruleset_for
from tricklog.core import RulesetError, variants
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.table import Legal
from tricklog.core.judging.setup import first_state
from tricklog.core.rulesets.policy_table import POLICIES, Choice, Switch
from tricklog.core.rulesets.ruleset import Ruleset, resolve
from tricklog.schemas.actions import Verb, format_action, parse_action
from tricklog.schemas.cards import CARD_NAMES, cards_in
from tricklog.schemas.hand import Hand, Player, RulesRef

FAMILY = tuple(name for name in variants() if ruleset_for(name).values["trump_call"] == "open")
NAMES = ("ann", "bo", "cy", "dee", "eve", "finn", "gus")
STOPS = (Verb.CONCEDE, Verb.DECIDED)
MINE = ("exchange", "play")
"""Sections of policies that come after the auction."""


def some_rules(variant: str, chance: random.Random) -> dict[str, Any]:
    """Return a random mix of named options and of single policies for exchange and play."""
    options: dict[str, Any] = {}
    named = ruleset_for(variant).house_rules
    overlays: list[dict[str, Any]] = [
        {key: rule.choices(key)[0] for key in rule.values} for rule in named
    ]
    for policy in POLICIES.values():
        if policy.section in MINE and isinstance(policy, Choice):
            overlays += [{policy.key: name} for name in policy.names()]
        if policy.section in MINE and isinstance(policy, Switch):
            overlays += [{policy.key: value} for value in (False, True)]
    chance.shuffle(overlays)
    for overlay in overlays[: chance.choice((0, 1, 2, 4, 8))]:
        more = {**options, **overlay}
        try:
            ruleset_for(variant, more)
        except RulesetError:
            continue
        options = more
    return options


def dealt(variant: str, chance: random.Random, options: Options | None = None) -> Hand:
    """Return a hand without actions: the pack shuffled and dealt, for some number of players."""
    ruleset = ruleset_for(variant, options)
    counts = [count for count in ruleset.values["players"] if fits(ruleset, count)]
    seats = chance.choice(counts)
    rules = ruleset.rules(seats)
    names = [CARD_NAMES[card] for card in cards_in(rules.pack)]
    if chance.random() < 0.5:
        chance.shuffle(names)
    else:
        # Long suits lie together, or the rare cases would never come up.
        noise = chance.choice((3, 8, 15))
        turned = chance.randrange(len(names))
        names = names[turned:] + names[:turned]
        places = {name: place + chance.uniform(0, noise) for place, name in enumerate(names)}
        names.sort(key=lambda name: places[name])
    deal = [" ".join(names[seat * rules.dealt : (seat + 1) * rules.dealt]) for seat in range(seats)]
    rest = names[seats * rules.dealt :]
    return Hand(
        format="tricklog/1",
        id="walk",
        rules=RulesRef(variant, options=dict(options) if options else UNSET),
        players=[Player(id=name) for name in NAMES[:seats]],
        dealer=chance.randrange(seats),
        actions=[],
        deal=deal,
        kitty=" ".join(rest[: rules.kitty_size]),
        stock=" ".join(rest[rules.kitty_size :]),
    )


def fits(ruleset: Ruleset, seats: int) -> bool:
    return ruleset.values["sides"] == "singles" or seats == 4


def calls(state: State, rules: Rules, chance: random.Random) -> Iterator[str]:
    """Yield the auction and the naming of trumps, applied to `state`."""
    maker = chance.randrange(rules.seats)
    while state.phase == Phase.AUCTION:
        seat = state.turn
        bids = seat == maker and state.high_bid == 0
        forced = not engine.legal(state, rules, seat).verbs >> Verb.PASS & 1
        text = f"{seat} pass"
        if bids or forced:
            text = f"{seat} bid {engine.legal(state, rules, seat).low}"
        assert engine.apply(state, rules, parse_action(text)) == 0, text
        yield text


def moves(hand: Hand, chance: random.Random) -> Iterator[tuple[State, Rules, str]]:
    """Yield each state after the auction with the legal action chosen, before it is applied."""
    ruleset = resolve(hand.rules)
    state, rules, faults = first_state(hand, ruleset, [])
    assert not faults
    engine.start(state, rules)
    for text in calls(state, rules, chance):
        yield state, rules, text
    while state.phase != Phase.OVER:
        while engine.may_pass_over(state, rules) and chance.random() < 0.3:
            engine.pass_over(state, rules)
        if state.phase == Phase.OVER:
            return
        text = aside(state, rules, chance) or due(state, rules, chance)
        yield state, rules, text
        found = engine.apply(state, rules, parse_action(text))
        assert not found, f"{text!r} was legal and has the faults {found:b}"


def due(state: State, rules: Rules, chance: random.Random) -> str:
    """Return something legal that the seat to act does."""
    seat = engine.to_act(state)
    options = engine.legal(state, rules, seat)
    verbs = [verb for verb in Verb if options.verbs >> verb & 1 and verb not in STOPS]
    verb = chance.choice(verbs)
    if verb == Verb.TRUMP:
        return format_action(seat, verb, some_trump(state, rules, chance))
    if verb in (Verb.FOLD, Verb.THROW_IN):
        return format_action(seat, verb)
    cards = random_choice(options, chance)
    assert options.least <= len(cards) <= options.most, (Phase(state.phase), options)
    return format_action(seat, verb, cards=cards)


def some_trump(state: State, rules: Rules, chance: random.Random) -> int:
    """Return a suit to name: mostly one in which some seat is long."""
    seat = chance.randrange(rules.seats)
    held = state.holding[seat] | state.reserve[seat]
    lengths = [(held & rules.trump_cards[suit]).bit_count() for suit in range(4)]
    return lengths.index(max(lengths)) if chance.random() < 0.7 else chance.randrange(4)


def aside(state: State, rules: Rules, chance: random.Random) -> str | None:
    """Return something that some seat may do out of turn, now and then."""
    seat = chance.randrange(rules.seats)
    options = engine.legal_aside(state, rules, seat)
    if chance.random() < 0.5 or not options.verbs:
        return None
    if options.verbs >> Verb.CLAIM & 1:
        return format_action(seat, Verb.CLAIM, cards=claimed(options, chance))
    return format_action(seat, Verb.GIVE, cards=random_choice(options, chance))


def claimed(options: Legal, chance: random.Random) -> list[int]:
    """Return a card to claim, and the one to give for it."""
    cards = [chance.choice(cards_in(options.may))]
    return cards + ([chance.choice(cards_in(options.limited))] if options.limit else [])


def played(hand: Hand, chance: random.Random) -> Hand:
    """Return the hand with random legal actions to its end."""
    return replace(hand, actions=[text for _, _, text in moves(hand, chance)])
