"""Random hands for tests: house rules, deals, legal play, and records that leave cards out."""

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from replay import RulesetError, engine, variants
from replay.contradictions import contradiction, partnership_problem
from replay.dealing import deal_out
from replay.faults import faults_in
from replay.generate import begun, written
from replay.playing import next_action
from replay.policies import Phase
from replay.records import Rules, State
from replay.rules.table import Legal, named_trump
from replay.ruleset import resolve
from schemas.actions import VERB_NAMES, Action, Verb
from schemas.cards import cards_in, mask_of
from schemas.hand import Hand, OptionValue, Player, RulesRef
from tests.support import NAMES, Options, ruleset_for

PEOPLE = (*NAMES, "eve", "flo", "gus")

# --- House rules

HOUSE_RULES: dict[str, list[dict[str, OptionValue]]] = {}
"""By variant: each named option as an overlay; a choice of values gives one overlay each."""


def _fill_house_rules() -> None:
    for variant in variants():
        overlays: list[dict[str, Any]] = []
        for rule in ruleset_for(variant).house_rules:
            listed = {key: rule.choices(key) for key in rule.values if len(rule.choices(key)) > 1}
            choices: list[dict[str, Any]] = [dict(rule.values)]
            for key, values in listed.items():
                choices = [{**choice, key: value} for choice in choices for value in values]
            overlays += choices
        HOUSE_RULES[variant] = overlays


_fill_house_rules()
# TEMPORARY: what the engine plays today.
WORKING = ("pedro", "pidro", "king-pedro", "twenty-nine")
KNOWN = {
    *("min_bid", "forced_bid", "first_lead", "plain_follow", "plain_void", "target", "both_over"),
    *("goes_out_at", "pass_final", "low_to", "trumpless_trick", "slam", "special_bid", "ditto"),
    *("equal_bid", "all_pass", "made", "failed", "defenders", "won_by", "game_point", "points"),
    *("surplus_points", "direction", "last_trick_points", "max_bid", "pair_cap", "half_rule"),
    *("auction", "lose_at", "match_score"),
}
for _variant, _overlays in HOUSE_RULES.items():
    HOUSE_RULES[_variant] = [each for each in _overlays if set(each) <= KNOWN]
ALL_HOUSE_RULES = [overlay for overlays in HOUSE_RULES.values() for overlay in overlays]


def some_options(variant: str, chance: random.Random) -> dict[str, OptionValue]:
    """Return a random mix of named options: the variant's own, and a few of other variants."""
    own = [each for each in HOUSE_RULES[variant] if chance.random() < 0.25]
    foreign = chance.sample(ALL_HOUSE_RULES, chance.choice((0, 0, 1, 3)))
    return together(variant, [*own, *foreign])


def together(variant: str, overlays: Sequence[Options]) -> dict[str, OptionValue]:
    """Return one overlay of several, without those that contradict the ones before."""
    values = ruleset_for(variant).values
    options: dict[str, OptionValue] = {}
    for overlay in overlays:
        more = {**options, **overlay}
        together_with = {**values, **more}
        seats = together_with["players"][0]
        if contradiction(together_with) or partnership_problem(together_with, seats):
            continue
        with contextlib.suppress(RulesetError):
            ruleset_for(variant, more)
            options = more
    return options


# --- Deals


def some_seats(variant: str, chance: random.Random, options: Options | None = None) -> int:
    """Return a number of players who may sit down to these rules."""
    values = ruleset_for(variant, options).values
    return chance.choice(
        [seats for seats in values["players"] if not partnership_problem(values, seats)]
    )


def dealt_hand(
    variant: str, chance: random.Random, options: Options | None = None, seats: int | None = None
) -> Hand:
    """Return a hand with a random deal of the whole pack and no actions."""
    seats = seats or some_seats(variant, chance, options)
    hand = Hand(
        format="tricklog/1",
        id="hand",
        rules=RulesRef(variant, options=dict(options) if options else UNSET),
        players=[Player(id=name) for name in PEOPLE[:seats]],
        dealer=chance.randrange(seats),
        actions=[],
    )
    return deal_out(hand, ruleset_for(variant, options), chance)


# --- Legal play


def random_hand(variant: str, chance: random.Random, options: Options | None = None) -> Hand:
    """Return a complete hand in which everybody does something legal at random."""
    hand = dealt_hand(variant, chance, options)
    actions = [text for _, _, text in walk(hand, chance)]
    return replace(hand, actions=actions)


def walk(hand: Hand, chance: random.Random) -> Iterator[tuple[State, Rules, str]]:
    """Yield each state of random legal play with the action chosen, before it is applied."""
    ruleset = resolve(hand.rules)
    state, rules = begun(hand, ruleset), ruleset.rules(len(hand.players))
    yield from walk_on(state, rules, chance)


def walk_on(
    state: State, rules: Rules, chance: random.Random
) -> Iterator[tuple[State, Rules, str]]:
    """Yield each state of random legal play from `state` on, which it changes."""
    players = [RandomPlayer(seat, chance) for seat in range(rules.seats)]
    while state.phase != Phase.OVER:
        action = next_action(players, state, rules)
        if action is None:
            engine.enter(state, rules)
            continue
        yield state, rules, written(action)
        faults = engine.apply(state, rules, action)
        assert not faults, f"{written(action)!r} was legal and is judged {faults_in(faults)}"


class RandomPlayer:
    """Somebody who does anything that is legal."""

    def __init__(self, seat: int, chance: random.Random) -> None:
        self.seat = seat
        self.chance = chance

    def volunteer(self, state: State, rules: Rules, options: Legal) -> Action | None:  # noqa: ARG002
        """Now and then do what nobody waits for."""
        verbs = [
            verb
            for verb, share in VOLUNTEERED.items()
            if options.verbs >> verb & 1 and self.chance.random() < share
        ]
        return self._do(self.chance.choice(verbs), state, options) if verbs else None

    def decide(self, state: State, rules: Rules, options: Legal) -> Action | None:  # noqa: ARG002
        """Do anything legal, or nothing where that is allowed."""
        verbs = [verb for verb in Verb if options.verbs >> verb & 1 and verb not in VOLUNTEERED]
        if Verb.PASS in verbs and (len(verbs) == 1 or self.chance.random() < 0.6):
            return Action(self.seat, Verb.PASS)
        verbs = [verb for verb in verbs if verb != Verb.PASS]
        if not verbs or (options.least == 0 and options.most and self.chance.random() < 0.2):
            return None
        return self._do(self.chance.choice(verbs), state, options)

    def _do(self, verb: Verb, state: State, options: Legal) -> Action:
        amount = 0
        if verb == Verb.BID:
            amount = self._bid(options)
        elif verb == Verb.TRUMP:
            amount = self.chance.choice([suit for suit in range(4) if options.trumps >> suit & 1])
        elif verb == Verb.REVEAL:
            amount = named_trump(state)
        elif options.most and verb not in VOLUNTEERED:
            cards = random_choice(options, self.chance)
            return Action(self.seat, verb, 0, cards[0], mask_of(cards), len(cards))
        return Action(self.seat, verb, amount)

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
    Verb.CLAIM: 0.5,
}
"""What nobody waits for, and how readily it is done."""


def random_choice(options: Legal, chance: random.Random) -> list[int]:
    """Return a random choice of cards within `options`, limits included."""
    chosen = cards_in(options.must)
    count = chance.randint(max(options.least, len(chosen), 1), max(options.most, 1))
    spare = cards_in(options.may & ~options.must)
    chance.shuffle(spare)
    limited = sum(options.limited >> card & 1 for card in chosen)
    for card in spare:
        if len(chosen) == count:
            break
        if options.limited >> card & 1:
            if limited == options.limit:
                continue
            limited += 1
        chosen.append(card)
    chance.shuffle(chosen)
    return chosen


# --- Hiding what a record says


def hide_words(text: str, hide: Callable[[], bool]) -> str:
    return " ".join("?" if hide() else word for word in text.split(" ")) if text else text


def hidden_record(hand: Hand, chance: random.Random, *, hidden_plays: bool) -> Hand:
    """Return the hand with cards not recorded here and there, the actions otherwise the same."""
    shares = {
        Verb.DISCARD: chance.choice((0.0, 0.2, 1.0)),
        Verb.DRAW: chance.choice((0.0, 0.3, 1.0)),
        Verb.ROB: chance.choice((0.0, 0.3, 1.0)),
        Verb.KITTY: chance.choice((0.0, 0.3, 1.0)),
        Verb.PLAY: chance.choice((0.05, 0.3, 1.0)) if hidden_plays else 0.0,
        Verb.BURY: 0.3 if hidden_plays else 0.0,
    }
    by_name = {VERB_NAMES[verb]: share for verb, share in shares.items()}
    actions = []
    for text in hand.actions:
        seat, verb, *rest = text.split(" ", 2)
        share = by_name.get(verb, 0.0)
        words = [hide_words(each, lambda share=share: chance.random() < share) for each in rest]  # type: ignore[misc]
        actions.append(" ".join([seat, verb, *words]))
    return replace(
        hand,
        actions=actions,
        deal=_hide_deal(hand, chance),
        stock=_hide_pile(hand.stock, chance),
        kitty=_hide_pile(hand.kitty, chance),
    )


def _hide_deal(hand: Hand, chance: random.Random) -> list[str] | UnsetType:
    share = chance.choice((0.0, 0.3, 1.0, None))
    if share is None or hand.deal is UNSET:
        return UNSET
    return [hide_words(text, lambda: chance.random() < share) for text in hand.deal]


def _hide_pile(text: str | UnsetType, chance: random.Random) -> str | UnsetType:
    share = chance.choice((0.0, 0.5, None))
    if share is None or text is UNSET:
        return UNSET
    return hide_words(text, lambda: chance.random() < share)
