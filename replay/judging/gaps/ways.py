"""The ways in which a hand may have ended, gone through jointly: contract, points, what they add.

Who bid what, what each side took and what it adds belong together: a claim about two sides is right
only where one and the same way brings both. Scored by the engine. Sources: the score section of
each system; 0.record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from tricklog.core.engine.policies import AllPass, Made, Pair, Solo, Sweep, TrumpCall, Unshown
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules import auction, game_end, scoring
from tricklog.core.engine.rules.auction import set_trump
from tricklog.core.engine.rules.game_end import Result, fill_result, settle_scores
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.gaps.contracts import Contract
from tricklog.core.judging.gaps.readings import NOBODY, least_bid
from tricklog.core.judging.standing import RESULTS
from tricklog.schemas.actions import NO_TRUMP

Some = Sequence[int | None]
"""Numbers by side; ``None`` where one is not known."""
_TABLES: Final = 512
"""Contracts whose ends are kept."""
_TWO: Final = 2
"""Sides of which each tells by its points what the other may have."""


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which the hand may have ended."""

    ending: int
    need: int
    stake: int
    points: tuple[int, ...]
    change: tuple[int, ...]
    scores: tuple[int, ...] | None
    winner: int | None


@dataclass(frozen=True, slots=True)
class Game:
    """Rules at a table of so many, known again by their hash, and what is known of a hand there."""

    hash: str
    seats: int
    rules: Rules = field(compare=False)
    is_void_possible: bool
    """Whether a hidden trump may never have come to light, where such a hand is void (S81)."""
    are_all_due: bool
    """Whether somebody scores every point of the hand."""
    may_be_thrown_in: bool
    """Whether the deal may have been thrown in."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What is said of the end of a hand; by side ``None`` where nothing is."""

    before: Some
    """Running scores before the hand."""
    points: Some
    least: Sequence[int]
    """Points that each side is known to have at least."""
    change: Some
    scores: Some
    result: str | None = None
    by: int | None = None

    def of_points(self) -> Claims:
        """Return what is said of points, and of nothing that follows from them."""
        nothing = [None] * len(self.points)
        return replace(self, change=nothing, scores=nothing, result=None, by=None)

    def added(self, rules: Rules, side: int, change: int) -> int:
        """Return what is really added: scores may stop at the limits of the game (S83)."""
        before = self.before[side]
        return change if before is None else game_end.clamped(rules, before + change) - before

    def allow_change(self, rules: Rules, side: int, change: int) -> bool:
        """May a side add this?"""
        added = self.added(rules, side, change)
        if self.change[side] not in (None, added):
            return False
        before, after = self.before[side], self.scores[side]
        return before is None or after is None or before + added == after

    def allow_points(self, side: int, points: int) -> bool:
        """May a side have these points?"""
        return points >= self.least[side] and self.points[side] in (None, points)

    def allow_end(self, end: _End) -> bool:
        """May a contract have ended so?"""
        if self.result is not None and RESULTS[end.ending] != self.result:
            return False
        return self.by is None or not end.need or abs(end.own - end.need) == self.by


class _End(NamedTuple):
    """How a contract ends whose makers take some points."""

    ending: int
    need: int
    stake: int
    own: int
    """The points of the makers."""
    change: int
    """What they add."""
    others: dict[int, int]
    """By the points that another side may have, what it adds."""


def are_open(game: Game, contract: Contract, points: Some) -> bool:
    """Whether it cannot be gone through what sides add, which hangs on what each of many took."""
    return _hangs_together(game.rules, contract) and None in points


def _hangs_together(rules: Rules, contract: Contract) -> bool:
    """Does what a side adds hang on more than its own points and those of the makers?"""
    bids = (0,) if rules.all_pass != AllPass.NO_CONTRACT else (0, None)
    together = rules.made in (Made.DIFFERENCE, Made.BID_LESS_OTHERS) or contract.bid in bids
    return rules.side_count > _TWO and together


def cases(game: Game, contract: Contract, claims: Claims, *, outer: bool = False) -> Iterator[Case]:
    """Yield ways in which a hand may have ended: of those that differ in points alone two at least.

    What is the same in all that are yielded is the same in every way there is. ``outer``: where
    nothing bounds the points, those with the fewest and the most of each kind of end will do.
    """
    rules = game.rules
    sides = range(rules.side_count)
    said = (claims.points, claims.change, claims.scores)
    bounds = any(claims.least) or claims.by is not None or any(map(_known, said))
    table = _outer_ends if outer and not bounds else _ends
    for maker in sides if contract.maker is None else (side_of(rules, contract.maker),):
        for change, ends in table(game, *_as_of_seat_0(rules, contract, claims, maker)).items():
            if not claims.allow_change(rules, maker, change):
                continue
            for end in ends:
                if claims.allow_points(maker, end.own) and claims.allow_end(end):
                    yield from _spread(game, contract, claims, maker, end)
    if game.may_be_thrown_in:
        thrown_in = _End(scoring.THROWN_IN, 0, 0, 0, 0, {0: 0})
        if claims.allow_change(rules, 0, 0) and claims.allow_end(thrown_in):
            yield from _spread(game, contract, claims, 0, thrown_in)


def _as_of_seat_0(
    rules: Rules, contract: Contract, claims: Claims, maker: int
) -> tuple[Contract, tuple[int, ...] | None]:
    """Return a contract of a side as if it were that of seat 0.

    Beside it what each side took, from that of the makers on, where what one adds hangs on all.
    """
    pair, points = contract.pair_side, None
    if pair is not None and pair != NOBODY:
        pair = (pair - maker) % rules.side_count
    if _hangs_together(rules, contract):
        known = [0 if each is None else each for each in claims.points]
        points = (*known[maker:], *known[:maker])
    return replace(contract, maker=0, trump=None, pair_side=pair), points


def _spread(
    game: Game, contract: Contract, claims: Claims, maker: int, end: _End
) -> Iterator[Case]:
    """Yield the ways to share out what the makers left: the first and the last of them in order."""
    rules, sides = game.rules, game.rules.side_count
    others = [side for side in range(sides) if side != maker]
    choices = [
        [
            points
            for points, change in end.others.items()
            if claims.allow_points(side, points) and claims.allow_change(rules, side, change)
        ]
        for side in others
    ]
    left = rules.all_points - end.own
    thrown_in = end.ending == scoring.THROWN_IN
    exact = game.are_all_due and not thrown_in
    first = _shares(choices, left, exact=exact)
    if first is None:
        return
    last = _shares([each[::-1] for each in choices], left, exact=exact)
    before = _known(claims.before)
    for shares in {first, last or first}:
        points, change = [end.own] * sides, [end.change] * sides
        for side, value in zip(others, shares, strict=True):
            points[side], change[side] = value, end.others[value]
        result = Result(ending=end.ending, trump=NO_TRUMP, change=change)
        result.maker = NOBODY if thrown_in else maker
        result.no_contract = int(contract.bid == 0 and not contract.alone)
        scores = winner = None
        if len(before) == sides:
            settle_scores(rules, before, result)
            scores = tuple(result.scores[:sides])
            winner = None if result.winner == game_end.GOES_ON else result.winner
        added = tuple(result.change[:sides])
        yield Case(end.ending, end.need, end.stake, tuple(points), added, scores, winner)


def _shares(choices: Sequence[Sequence[int]], left: int, *, exact: bool) -> tuple[int, ...] | None:
    """Return the first way to choose a number of each that come to what is left, or no more."""
    if not choices:
        return None if exact and left else ()
    for value in choices[0]:
        if value <= left:
            rest = _shares(choices[1:], left - value, exact=exact)
            if rest is not None:
                return (value, *rest)
    return None


# --- The ends of a contract


@lru_cache(maxsize=_TABLES)
def _ends(game: Game, contract: Contract, points: tuple[int, ...] | None) -> dict[int, list[_End]]:
    """Return how a contract of seat 0 may end, each way once, by what its side adds."""
    found: dict[int, dict[object, _End]] = defaultdict(dict)
    for bid, alone in _contracts(game.rules, contract):
        for end in _ends_of(game, contract, points, bid, alone):
            # Of contracts that are not known only counts what they come to.
            of = (end.need, end.stake) if contract.is_known else (abs(end.own - end.need),)
            found[end.change].setdefault((end.ending, end.own, of, *end.others.items()), end)
    return {change: list(ends.values()) for change, ends in found.items()}


@lru_cache(maxsize=_TABLES)
def _outer_ends(
    game: Game, contract: Contract, points: tuple[int, ...] | None
) -> dict[int, list[_End]]:
    """Return of ``_ends`` those with the fewest and the most points of the makers, of each kind.

    What a side adds only grows or only falls with the points, as long as need and stake are one.
    """
    kinds: dict[tuple[int, int, int], list[_End]] = defaultdict(list)
    for each in (end for ends in _ends(game, contract, points).values() for end in ends):
        kinds[each.ending, each.need, each.stake].append(each)
    found: dict[int, list[_End]] = defaultdict(list)
    for ends in kinds.values():
        for bound in (min, max):
            own = bound(each.own for each in ends)
            for each in ends:
                if each.own == own and each not in found[each.change]:
                    found[each.change].append(each)
    return found


def _known(values: Some) -> list[int]:
    return [each for each in values if each is not None]


def _contracts(rules: Rules, contract: Contract) -> Iterator[tuple[int, str | None]]:
    if contract.is_known:
        yield contract.bid or 0, contract.alone
        return
    for bid in range(least_bid(rules), rules.max_bid + 1):
        yield bid, None
    if special := auction.special_amount(rules):
        yield special, None
    if rules.all_pass == AllPass.NO_CONTRACT:
        yield 0, None
    if rules.solo != Solo.NONE:
        yield 0, "solo"
    if rules.tenny:
        yield 0, "tenny"


def _ends_of(
    game: Game, contract: Contract, known: tuple[int, ...] | None, bid: int, alone: str | None
) -> Iterator[_End]:
    """Yield how a contract ends, for all points that its makers may have and all that may count."""
    rules = game.rules
    pairs = (NOBODY,) if rules.pair == Pair.NONE else (NOBODY, 0, 1)
    ways = product(
        range(rules.doubling + 1) if contract.doubles is None else (contract.doubles,),
        pairs if contract.pair_side is None else (contract.pair_side,),
        (False, True) if rules.sweep == Sweep.DOUBLES or alone else (False,),
        (1, 0) if may_be_void(rules) and game.is_void_possible else (1,),
    )
    for doubles, pair, swept, shown in ways:
        state = _state(rules, bid, alone, swept=swept)
        state.doubles, state.pair_side, state.revealed = doubles, pair, shown
        found: dict[tuple[int, int, int, int, int], dict[int, int]] = defaultdict(dict)
        for points in _points(game) if known is None else (known,):
            state.points[: len(points)] = points
            result = Result()
            fill_result(state, rules, result)
            key = (result.ending, result.need, result.stake, points[0], result.change[0])
            for side in range(1, len(points)):
                found[key][points[side]] = result.change[side]
        yield from (_End(*key, others) for key, others in found.items())


def may_be_void(rules: Rules) -> bool:
    """May a hand be void as its trumps were never shown (S81)?"""
    return rules.trump_call == TrumpCall.SECRET and rules.unshown == Unshown.VOID


def _points(game: Game) -> Iterator[tuple[int, ...]]:
    total = game.rules.all_points
    for own in range(total + 1):
        least = total - own if game.are_all_due and game.rules.side_count == _TWO else 0
        for other in range(least, total - own + 1):
            yield own, other


def _state(rules: Rules, bid: int, alone: str | None, *, swept: bool) -> State:
    """Return the end of a hand that seat 0 has played."""
    state = State(maker=0, high_bid=bid)
    state.no_contract = 1 if bid == 0 and not alone else 0
    set_trump(state, NO_TRUMP)
    if alone:
        state.solo, state.tenny, state.trump = 0, int(alone == "tenny"), NO_TRUMPS
        state.high_bid = 0
    state.tricks_won[0] = 1
    if not swept:
        state.tricks_won[1 % rules.seats] = 1
    return state
