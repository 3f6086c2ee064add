"""Complete games of a variant, played out by bots: legal, deterministic, with plausible play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from replay import engine
from replay.bots import TEMPERAMENTS, Bot, Temperament
from replay.policies import Phase, PointsIn
from replay.records import Rules, State
from replay.replayer import replay
from replay.rules.table import named_trump, next_seat
from replay.ruleset import Ruleset, RulesetError, resolve, seats_problem
from replay.setup import first_state
from schemas.actions import Action, Verb, format_action
from schemas.cards import CARD_NAMES, SUITS, cards_in, mask_of
from schemas.hand import Claimed, Hand, OptionValue, Player, RulesRef

MAX_HANDS: Final = 80
"""A game that nobody wins in so many hands is left where it is."""
_FIRST_DAY: Final = datetime(2026, 1, 2, 19, 0, tzinfo=UTC)


def generate(
    variant: str,
    games: int,
    seed: int,
    *,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    definition: Mapping[str, Any] | None = None,
) -> Iterator[Hand]:
    """Yield the hands of ``games`` complete games, the same for the same arguments.

    ``players`` is how many sit at the table, as few as the game takes unless said; ``options`` are
    house rules on top of the variant, ``definition`` a user's own rules. Each hand claims the
    result the rules give it. Raises ``RulesetError`` for rules that do not exist, and for more or
    fewer players than they take.
    """
    reference = RulesRef(
        variant,
        version=UNSET,
        options=dict(options) if options else UNSET,
        definition=dict(definition) if definition else UNSET,
    )
    ruleset = resolve(reference)
    reference = RulesRef(variant, ruleset.version, reference.options, reference.definition)
    seats = players or min(ruleset.values["players"])
    problem = seats_problem(ruleset, seats)
    if problem:
        raise RulesetError(ruleset.id, "the table", problem)
    for game in range(games):
        yield from _game(reference, ruleset, game, seed, seats)


def _game(
    reference: RulesRef, ruleset: Ruleset, game: int, seed: int, seats: int
) -> Iterator[Hand]:
    chance = random.Random(f"{reference.variant}/{ruleset.hash}/{seed}/{game}")
    rules = ruleset.rules(seats)
    turned = [TEMPERAMENTS[(seat + game) % len(TEMPERAMENTS)] for seat in range(seats)]
    dealer = chance.randrange(seats)
    scores = [0] * rules.side_count
    table = f"-{seats}" if len(ruleset.values["players"]) > 1 else ""
    name = f"{reference.variant}{table}-{seed}-{game + 1}"
    for number in range(1, MAX_HANDS + 1):
        start = _FIRST_DAY + timedelta(days=game, minutes=6 * number)
        hand = Hand(
            format="tricklog/1",
            id=f"{name}-{number}",
            rules=reference,
            players=[_player(temperament, seat) for seat, temperament in enumerate(turned)],
            dealer=dealer,
            actions=[],
            game=name,
            hand=number,
            scores=list(scores),
            started_at=start.isoformat().replace("+00:00", "Z"),
        )
        hand = _played(_dealt(hand, rules, ruleset, chance), ruleset, rules, turned, chance)
        outcome = replay(hand, ruleset=ruleset).outcome
        if outcome is None or outcome.scores is None:
            raise AssertionError(f"a generated hand came to no result: {hand.id}")
        claimed = Claimed(list(outcome.points), list(outcome.change), list(outcome.scores))
        status = "thrown_in" if outcome.result == "thrown_in" else "complete"
        yield replace(hand, claimed=claimed, status=status)
        if outcome.winner_side is not None:
            return
        scores = list(outcome.scores)
        dealer = next_seat(rules, dealer)


def _player(temperament: Temperament, seat: int) -> Player:
    return Player(id=f"bot-{temperament.name}-{seat // len(TEMPERAMENTS) + 1}", kind="bot")


def _dealt(hand: Hand, rules: Rules, ruleset: Ruleset, chance: random.Random) -> Hand:
    """Deal the whole pack: hands packet by packet, kitty, stock."""
    cards = cards_in(rules.pack)
    chance.shuffle(cards)
    hands: list[list[int]] = [[] for _ in range(rules.seats)]
    whole = ruleset.values["deal"] == "whole-pack"
    for packet in [rules.dealt] if whole else ruleset.values["packets"]:
        for seat in range(rules.seats):
            hands[seat] += cards[:packet]
            del cards[:packet]
    kitty, stock = cards[: rules.kitty_size], cards[rules.kitty_size :]
    texts = [" ".join(CARD_NAMES[card] for card in each) for each in (*hands, kitty, stock)]
    return replace(hand, deal=texts[: rules.seats], kitty=texts[-2], stock=texts[-1])


def _played(
    hand: Hand,
    ruleset: Ruleset,
    rules: Rules,
    temperaments: list[Temperament],
    chance: random.Random,
) -> Hand:
    """Let the bots play the hand out."""
    state = first_state(hand, ruleset, [])[0]
    points_in = PointsIn[ruleset.values["points_in"].upper().replace("-", "_")]
    bots = [
        Bot(temperament, seat, points_in, chance) for seat, temperament in enumerate(temperaments)
    ]
    actions: list[str] = []
    engine.start(state, rules)
    while state.phase != Phase.OVER:
        seat = engine.to_act(state)
        if seat < 0:
            raise AssertionError(f"nobody is to act in {hand.id}")
        if engine.may_pass_over(state, rules) and not _wants(bots, state, rules, seat):
            engine.pass_over(state, rules)
            continue
        text, action = _choice(bots, state, rules, seat)
        if engine.apply(state, rules, action):
            raise AssertionError(f"a bot did the illegal {text!r} in {hand.id}")
        actions.append(text)
    return replace(hand, actions=actions)


def _wants(bots: list[Bot], state: State, rules: Rules, seat: int) -> bool:
    """Return whether the bot at a seat does something that it need not do."""
    options = engine.legal(state, rules, seat)
    return bots[seat].pick(rules, named_trump(state), options) != 0


def _choice(bots: list[Bot], state: State, rules: Rules, seat: int) -> tuple[str, Action]:
    """Return what the bot to act does, as it is written and as the engine reads it."""
    bot = bots[seat]
    for other in range(rules.seats):
        options = engine.legal(state, rules, other)
        if options.verbs >> Verb.PAIR & 1:
            return _plain(other, Verb.PAIR)
    options = engine.legal(state, rules, seat)
    if options.verbs >> Verb.PLAY & 1:
        return _cards(seat, Verb.PLAY, [bot.card(state, rules, options)])
    if options.verbs & (1 << Verb.BID | 1 << Verb.PASS):
        bid = bot.call(state, rules, options)
        if not bid:
            return _plain(seat, Verb.PASS)
        return format_action(seat, Verb.BID, bid), Action(seat, Verb.BID, bid)
    if options.verbs >> Verb.TRUMP & 1:
        trump = bot.best_trump(rules, state.holding[seat])[0]
        text = f"{seat} trump {SUITS[trump]}"
        return text, Action(seat, Verb.TRUMP, trump)
    if options.verbs >> Verb.REVEAL & 1:
        text = format_action(seat, Verb.REVEAL, state.trump)
        return text, Action(seat, Verb.REVEAL, state.trump)
    if options.verbs >> Verb.ASK & 1:
        return _plain(seat, Verb.ASK)
    if options.verbs >> Verb.FOLD & 1:
        return _plain(seat, Verb.FOLD)
    verb = next(verb for verb in Verb if options.verbs >> verb & 1)
    return _cards(seat, verb, cards_in(bot.pick(rules, named_trump(state), options)))


def _plain(seat: int, verb: Verb) -> tuple[str, Action]:
    return format_action(seat, verb), Action(seat, verb)


def _cards(seat: int, verb: Verb, cards: list[int]) -> tuple[str, Action]:
    action = Action(seat, verb, 0, cards[0], mask_of(cards), len(cards))
    return format_action(seat, verb, cards=cards), action
