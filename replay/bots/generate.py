"""Complete games of a variant, played out by bots: legal, deterministic, with plausible play.

Bots are made of a few card sense rules. They see only what a player sees, and choose among what is
legal, by ``tricklog.core.card_sense``. A temperament shifts how much they bid and how often they
play without thinking. Before they bid they practise: random deals without an auction, in which one
seat is made maker, are played out, and what its side took is fitted to features of its first cards.
So every ruleset, a house's own included, gets bids that suit it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import sqrt
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tricklog.core.card_sense import choices
from tricklog.core.card_sense.choices import Drawn, Luck, Mind, best_trump, shuffled
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.game_end import GOES_ON, Result
from tricklog.core.engine.rules.scoring import THROWN_IN
from tricklog.core.engine.rules.table import Legal, next_seat, side_of
from tricklog.core.rulesets.rules_file import RulesetError
from tricklog.core.rulesets.ruleset import Ruleset, resolve, seats_problem
from tricklog.schemas import hand as hand_log
from tricklog.schemas.actions import Action, action_text
from tricklog.schemas.cards import CARD_NAMES, mask_of
from tricklog.schemas.hand import Claimed, Hand, OptionValue, RulesRef
from tricklog.schemas.scan.actions import ScannedAction


@dataclass(frozen=True, slots=True)
class Temperament:
    """How a bot differs from a sensible one."""

    name: str
    reach: float
    """How far above what it expects to take it bids, in standard deviations of its judgement."""
    carelessness: float
    """Chance to play any legal card."""


STEADY: Final = Temperament("steady", -0.1, 0.0)
TEMPERAMENTS: Final = (
    STEADY,
    Temperament("bold", 0.25, 0.0),
    Temperament("careful", -0.4, 0.0),
    Temperament("weak", 0.0, 0.35),
)


@dataclass(slots=True)
class Bot:
    """One player at the table."""

    temperament: Temperament
    seat: int
    judgement: Judgement
    chance: random.Random

    @property
    def mind(self) -> Mind:
        """How this player judges and plays."""
        return self.judgement.mind(self.temperament.reach, self.temperament.carelessness)

    def volunteer(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Declare a pair, and raise the stake or play alone with the cards for it."""
        done = ScannedAction()
        if choices.volunteer(state, rules, options, self.mind, self.seat, done):
            return _action(done)
        return None

    def decide(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Return what this player does in turn; nothing where that is allowed and as good."""
        done, luck = ScannedAction(), Luck(Drawn(self.chance), [0])
        if choices.decide(state, rules, options, self.mind, luck, self.seat, done):
            return _action(done)
        return None


def _action(done: ScannedAction) -> Action:
    return Action(done.seat, done.verb, done.amount, done.card, done.cards, done.size)


# --- What a hand is worth to them


_RIDGE: Final = 0.6
"""Holds the fit back where few practice hands speak for a feature."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the features of a hand foretell the share of points, and how far that may be off."""

    weights: tuple[float, ...]
    spread: float
    """Standard deviation of the share around what was foretold."""

    def mind(self, reach: float = 0.0, carelessness: float = 0.0) -> Mind:
        """Return the mind of a player who judges so.

        ``reach``: how far above what it expects to take it bids, in standard deviations;
        ``carelessness``: the chance to play any legal card.
        """
        return Mind([*self.weights], reach * self.spread, carelessness * (1 << 53))


UNTRAINED: Final = Judgement((0.1, 0.0, 0.0, 0.2, 0.03, 0.2, 0.05), 0.25)
"""Good enough to choose trumps by in practice hands."""


def fit(rows: Sequence[tuple[float, ...]], shares: Sequence[float]) -> Judgement:
    """Return the judgement that fits ``shares`` best in the least squares sense, with a ridge."""
    size = len(rows[0])
    matrix = [[0.0] * (size + 1) for _ in range(size)]
    for row, share in zip(rows, shares, strict=True):
        for one in range(size):
            for other in range(size):
                matrix[one][other] += row[one] * row[other]
            matrix[one][size] += row[one] * share
    for one in range(1, size):
        matrix[one][one] += _RIDGE
    weights = _solve(matrix)
    off = 0.0
    for row, share in zip(rows, shares, strict=True):
        foretold = sum(weight * value for weight, value in zip(weights, row, strict=True))
        off += (share - foretold) ** 2
    return Judgement(tuple(weights), sqrt(off / len(rows)))


def _solve(matrix: list[list[float]]) -> list[float]:
    """Solve a system of linear equations, positive definite by its ridge, by elimination."""
    size = len(matrix)
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = matrix[row][pivot] / matrix[pivot][pivot]
            for column in range(pivot, size + 1):
                matrix[row][column] -= factor * matrix[pivot][column]
    result = [0.0] * size
    for row in range(size - 1, -1, -1):
        known = sum(matrix[row][column] * result[column] for column in range(row + 1, size))
        result[row] = (matrix[row][size] - known) / matrix[row][row]
    return result


PRACTICE_HANDS: Final = 160

_LEARNED: dict[tuple[str, int], Judgement] = {}


def practised(ruleset: Ruleset, seats: int) -> Judgement:
    """Return the judgement of players who have practised ``ruleset`` at a table of ``seats``."""
    key = (ruleset.hash, seats)
    if key not in _LEARNED:
        _LEARNED[key] = _practise(ruleset, seats)
    return _LEARNED[key]


def _practise(ruleset: Ruleset, seats: int) -> Judgement:
    from tricklog.core.compiled.playing import PlayTable

    rules = ruleset.rules(seats)
    chance = random.Random(f"practice/{seats}")
    table = PlayTable(rules, [UNTRAINED.mind(STEADY.reach, STEADY.carelessness)] * seats)
    rows: list[tuple[float, ...]] = []
    shares: list[float] = []
    for number in range(PRACTICE_HANDS):
        cards = shuffled(rules, chance)
        maker = chance.randrange(seats)
        held = mask_of(cards[maker * rules.dealt :][: rules.packet])
        trump = best_trump(rules, table.minds[maker], held, choices.ALL_SUITS)
        table.play(cards, number % seats, [0] * rules.side_count, chance, maker)
        rows.append(choices.features_of(rules, held, trump))
        shares.append(table.points_of(side_of(rules, maker)) / rules.all_points)
    return fit(rows, shares)


# --- Games


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
    given = dict(options) if options else UNSET
    own = dict(definition) if definition else UNSET
    ruleset = resolve(RulesRef(variant, UNSET, given, own))
    reference = RulesRef(variant, ruleset.version, given, own)
    seats = players or min(ruleset.values["players"])
    if problem := seats_problem(ruleset, seats):
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
        name, began = f"{first.game}-{number}", _written_time(start + timedelta(minutes=6 * number))
        hand = replace(first, id=name, hand=number, dealer=dealer, scores=scores, started_at=began)
        cards = shuffled(rules, chance)
        hand = with_cards(hand, rules, cards)
        actions, result = play(hand, cards)
        sides = rules.side_count
        scores = result.scores[:sides]
        claimed = Claimed(result.points[:sides], result.change[:sides], scores)
        status = "thrown_in" if result.ending == THROWN_IN else "complete"
        yield replace(hand, actions=actions, claimed=claimed, status=status)
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


# --- Players of any kind, and the engine between them


class Player(Protocol):
    """Somebody at the table."""

    def volunteer(self, state: State, rules: Rules, options: Legal, /) -> Action | None:
        """Return something legal that nobody waits for, or nothing."""

    def decide(self, state: State, rules: Rules, options: Legal, /) -> Action | None:
        """Return what to do when it is this player's turn; nothing where that is allowed."""


def next_action(players: Sequence[Player], state: State, rules: Rules) -> Action | None:
    """Return what happens next at the table; ``None`` when a stage passes without anything."""
    for seat in range(rules.seats):
        for options in (engine.legal(state, rules, seat), engine.legal_aside(state, rules, seat)):
            if options.verbs & choices.UNASKED:
                action = players[seat].volunteer(state, rules, options)
                if action is not None:
                    return action
    seat = engine.to_act(state)
    if seat < 0:
        return None
    return players[seat].decide(state, rules, engine.legal(state, rules, seat))


def play_out(players: Sequence[Player], state: State, rules: Rules) -> list[Action]:
    """Let the players act until the hand is over; return what they did.

    Raises ``AssertionError`` when a player does something illegal: that is a bug.
    """
    actions: list[Action] = []
    while state.phase != Phase.OVER:
        action = next_action(players, state, rules)
        if action is None:
            engine.pass_over(state, rules)
            continue
        faults = engine.apply(state, rules, action)
        if faults:
            raise AssertionError(f"illegal: {action}, faults {faults:#x}")
        actions.append(action)
    return actions
