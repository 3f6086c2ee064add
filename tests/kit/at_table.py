"""Hands dealt by chance, and games of players of any kind."""

import random
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tricklog import Hand, Ruleset, replay
from tricklog.core.bots.generate import Player, games_of, play_out, with_cards
from tricklog.core.card_sense.choices import shuffled
from tricklog.core.engine import engine
from tricklog.core.engine.records import State
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.judging.setup import first_state
from tricklog.schemas.actions import action_text


def deal_out(hand: Hand, ruleset: Ruleset, chance: random.Random) -> Hand:
    """Return ``hand`` with the pack dealt at random: hands packet by packet, kitty, stock."""
    rules = ruleset.rules(len(hand.players))
    return with_cards(hand, rules, shuffled(rules, chance))


def begun(hand: Hand, ruleset: Ruleset) -> State:
    """Return the state of a dealt hand whose first player is to act."""
    state, rules, _ = first_state(hand, ruleset, [])
    engine.start(state, rules)
    return state


def play_any_game(
    first: Hand, ruleset: Ruleset, players: Sequence[Player], chance: random.Random
) -> Iterator[Hand]:
    """Yield the hands of a game as ``play_game`` does, of players of any kind."""
    rules = ruleset.rules(len(players))

    def play(hand: Hand, _: Sequence[int]) -> tuple[list[str], Result]:
        actions = [*map(action_text, play_out(players, begun(hand, ruleset), rules))]
        replayed = replay(replace(hand, actions=actions), ruleset=ruleset)
        assert replayed.outcome is not None, hand.id
        return actions, replayed.workspace.result

    yield from games_of(first, rules, play, chance)
