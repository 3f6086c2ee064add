"""Complete games of a variant, played out by bots: legal, deterministic, with plausible play."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tricklog.core.bots.bots import TEMPERAMENTS, Bot, Temperament, practised
from tricklog.core.card_sense.hand import shuffled
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.game_end import GOES_ON, Result
from tricklog.core.engine.rules.scoring import THROWN_IN
from tricklog.core.engine.rules.table import next_seat
from tricklog.core.rulesets.rules_file import RulesetError
from tricklog.core.rulesets.ruleset import Ruleset, resolve, seats_problem
from tricklog.schemas import hand as hand_log
from tricklog.schemas.actions import Action, action_text
from tricklog.schemas.cards import CARD_NAMES
from tricklog.schemas.hand import Claimed, Hand, OptionValue, RulesRef

MAX_HANDS: Final = 500
"""A game that nobody wins in so many hands is left where it is."""
Play = Callable[[Hand, Sequence[int]], tuple[list[str], Result]]
"""Plays a hand with the cards of ``shuffled``: actions as a log writes them, and a ``Result``."""
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
    first: Hand, ruleset: Ruleset, bots: Sequence[Bot], chance: random.Random
) -> Iterator[Hand]:
    """Yield the hands that ``bots`` play, dealt at random, until somebody has won the game.

    ``first`` has what all hands share, the first dealer and the time to count from. The bots draw
    from ``chance`` what they leave to it.
    """
    from tricklog.core.compiled.playing import PlayTable

    rules = ruleset.rules(len(bots))
    table = PlayTable(rules, [bot.mind for bot in bots])

    def play(hand: Hand, cards: Sequence[int]) -> tuple[list[str], Result]:
        scores = hand.whole_scores
        assert not isinstance(scores, UnsetType), "the bots write every score"
        deeds = table.play(cards, hand.dealt_by, scores, chance)
        return [_written(*deed) for deed in deeds], table.result()

    yield from games_of(first, rules, play, chance)


def games_of(first: Hand, rules: Rules, play: Play, chance: random.Random) -> Iterator[Hand]:
    """Yield the hands of a game, dealt at random; ``play`` says what is done in each."""
    scores = [0] * rules.side_count
    dealer = first.dealt_by
    start = datetime.fromisoformat(str(first.started_at))
    for number in range(1, MAX_HANDS + 1):
        hand = replace(
            first,
            id=f"{first.game}-{number}",
            hand=number,
            dealer=dealer,
            scores=scores,
            started_at=_written_time(start + timedelta(minutes=6 * number)),
        )
        cards = shuffled(rules, chance)
        hand = with_cards(hand, rules, cards)
        actions, result = play(hand, cards)
        sides = rules.side_count
        scores = result.scores[:sides]
        claimed = Claimed(result.points[:sides], result.change[:sides], scores)
        is_thrown_in = result.ending == THROWN_IN
        yield replace(
            hand,
            actions=actions,
            claimed=claimed,
            status="thrown_in" if is_thrown_in else "complete",
        )
        if result.winner != GOES_ON:
            return
        dealer = next_seat(rules, dealer)


def with_cards(hand: Hand, rules: Rules, cards: Sequence[int]) -> Hand:
    """Return ``hand`` with the cards of ``shuffled``."""
    names = [CARD_NAMES[card] for card in cards]
    dealt, kitty = rules.seats * rules.dealt, rules.kitty_size
    return replace(
        hand,
        deal=[" ".join(names[at : at + rules.dealt]) for at in range(0, dealt, rules.dealt)],
        kitty=" ".join(names[dealt : dealt + kitty]),
        stock=" ".join(names[dealt + kitty :]),
    )


def _written_time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _player(temperament: Temperament, seat: int) -> hand_log.Player:
    return hand_log.Player(id=f"bot-{temperament.name}-{seat // len(TEMPERAMENTS) + 1}", kind="bot")


@lru_cache(maxsize=1 << 14)
def _written(*deed: int) -> str:
    return action_text(Action(*deed))
