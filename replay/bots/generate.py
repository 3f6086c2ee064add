"""Complete games of a variant, played out by bots: legal, deterministic, with plausible play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from replay.bots.bots import TEMPERAMENTS, Bot, Temperament
from replay.bots.dealing import deal_out
from replay.bots.table import Player, play_out
from replay.bots.training import practised
from replay.engine import engine
from replay.engine.records import State
from replay.engine.rules.table import next_seat
from replay.judging.replayer import replay
from replay.judging.setup import first_state
from replay.rulesets.rules_file import RulesetError
from replay.rulesets.ruleset import Ruleset, resolve, seats_problem
from schemas import hand as hand_log
from schemas.actions import Action, Verb, format_action
from schemas.cards import cards_in
from schemas.hand import Claimed, Hand, OptionValue, RulesRef

MAX_HANDS: Final = 500
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
    overlay = msgspec.json.encode(ruleset.options, order="deterministic").decode()
    chance = random.Random(f"{reference.variant}/{seats}/{overlay}/{seed}/{game}")
    turned = [TEMPERAMENTS[(seat + game) % len(TEMPERAMENTS)] for seat in range(seats)]
    judgement = practised(ruleset, seats)
    table = f"-{seats}" if len(ruleset.values["players"]) > 1 else ""
    first = Hand(
        format="tricklog/1",
        id="",
        rules=reference,
        players=[_player(temperament, seat) for seat, temperament in enumerate(turned)],
        dealer=chance.randrange(seats),
        actions=[],
        game=f"{reference.variant}{table}-{seed}-{game + 1}",
        started_at=_written_time(_FIRST_DAY + timedelta(days=game)),
    )
    bots = [Bot(each, seat, judgement, chance) for seat, each in enumerate(turned)]
    yield from play_game(first, ruleset, bots, chance)


def play_game(
    first: Hand, ruleset: Ruleset, players: Sequence[Player], chance: random.Random
) -> Iterator[Hand]:
    """Yield the hands that ``players`` play, dealt at random, until somebody has won the game.

    ``first`` has what all hands share, the first dealer and the time to count from.
    """
    seats = len(players)
    rules = ruleset.rules(seats)
    scores = [0] * rules.side_count
    dealer = first.dealt_by
    start = datetime.fromisoformat(str(first.started_at))
    for number in range(1, MAX_HANDS + 1):
        hand = replace(
            first,
            id=f"{first.game}-{number}",
            hand=number,
            dealer=dealer,
            scores=list(scores),
            started_at=_written_time(start + timedelta(minutes=6 * number)),
        )
        hand = deal_out(hand, ruleset, chance)
        actions = play_out(players, begun(hand, ruleset), rules)
        hand = replace(hand, actions=[written(action) for action in actions])
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


def _written_time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _player(temperament: Temperament, seat: int) -> hand_log.Player:
    return hand_log.Player(id=f"bot-{temperament.name}-{seat // len(TEMPERAMENTS) + 1}", kind="bot")


def begun(hand: Hand, ruleset: Ruleset) -> State:
    """Return the state of a dealt hand whose first player is to act."""
    state, rules, _ = first_state(hand, ruleset, [])
    engine.start(state, rules)
    return state


def written(action: Action) -> str:
    """Return an action as a log writes it."""
    cards = cards_in(action.cards)
    if action.card >= 0:
        cards.sort(key=lambda card: card != action.card)
    return format_action(action.seat, Verb(action.verb), action.amount, cards)
