"""What contracts are worth over stocks, and par of the auction, as ``docs/ledger.md`` has them.

The worth of a contract is the mean, over stocks, of what comes of it with the reference exchange
(``tricklog.core.study.exchange``) and then best play of all with cards open. Where everything is
dealt before the auction it is one number, and exact. Bids above all numbers and what has to do with
turns are left out of par. The best contract of a side is chosen on some stocks and valued on
others, so that the choice among many does not lift its value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Final, Literal

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Pair, Phase, Sides
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import auction, scoring
from tricklog.core.engine.rules.table import all_seats, side_of
from tricklog.core.judging.replayer import Replay
from tricklog.core.solver import score
from tricklog.core.study import exchange, stocks
from tricklog.core.study.open_cards import Solver
from tricklog.core.study.refusals import NO_SCORE
from tricklog.core.study.sampling import difference, reach_of
from tricklog.schemas.actions import Action, Verb

STOCKS: Final = 40
"""Stocks on which the value of one hand is taken unless said."""
BUDGET: Final = 2_000_000
"""Nodes for one value; where they run out the middle of what is known is taken."""
_HALVINGS: Final = (1, 2, 4)
"""Stocks on which the candidates of a side are compared, before half of them and then all but two
are dropped, and before the best one is taken."""
CHOOSING: Final = sum(_HALVINGS)
"""Stocks that serve to choose contracts; they are never used to value one."""
_TO_RANK: Final = 16
"""Stocks on which the best contracts of the sides are compared, at the most."""

Change = Callable[[State], None]
"""What is done to a state whose rest was laid again, before the exchange goes on."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Who plays what: maker, trump suit, number. ``trump`` below 0: named after the kitty."""

    maker: int
    trump: int
    number: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What comes of a contract on each of some stocks, for one side."""

    points: tuple[int, ...]
    """Points of the side at the end, as values of the solver."""
    score: tuple[int, ...]
    """Its change of score less that of the others; nothing where points do not tell the score."""

    @property
    def mean(self) -> Fraction:
        """Mean of the points."""
        return mean_of(self.points)


@dataclass(frozen=True, slots=True)
class SideContract:
    """The best contract of one side."""

    side: int
    contract: Contract
    """At the most it can make, or the lowest number there is."""
    most: int
    """The highest number made on at least half of the stocks; below the lowest bid none is."""
    ever: int
    """The most points on any stock."""
    worth: Worth
    """On up to 16 stocks, which serve to compare the sides."""


@dataclass(frozen=True, slots=True)
class AuctionPar:
    """Par of an auction, and what was bid beside it."""

    contract: Contract | None
    """The par contract; ``None`` where nobody can make the lowest bid and nobody has to."""
    makeable: bool
    """Whether any side can make the lowest bid."""
    best: tuple[SideContract, ...]
    """By side, its best contract."""
    stocks: int
    """On how many stocks contracts were valued; 1 where nothing is left to chance."""
    maker: int
    """Who won the auction, -1 when nobody bid."""
    bid: int
    """The number that was bid, 0 when nobody bid."""

    @property
    def passed_out(self) -> bool:
        """Whether nobody bid although a side could make the lowest bid."""
        return self.maker < 0 and self.makeable

    def over(self, rules: Rules) -> int | None:
        """Return the bid less the most that its side could make; ``None`` when nobody bid."""
        if self.maker < 0:
            return None
        return self.bid - self.best[side_of(rules, self.maker)].most

    def beyond_all_play(self, rules: Rules) -> bool:
        """Whether no contract of the side makes the number bid, on any of the stocks."""
        return self.maker >= 0 and self.bid > self.best[side_of(rules, self.maker)].ever


class Valuer:
    """Values contracts of one hand over stocks; results are kept, so asking again is cheap."""

    def __init__(self, start: State, solver: Solver, *, scored: bool = True) -> None:
        """``start``: the hand before its first call; ``scored``: whether score is asked for."""
        self.start = start
        self.rules = solver.rules
        self.loose = 0
        """Values that are the middle of what was known when the budget ran out."""
        self.no_score: str | None = None if scored else "it was not asked for"
        self.order = cache(partial(stocks.order_of, stocks.content_of(start, self.rules)))
        """Gives the order of a stock by its number."""
        self._solver = solver
        self._values: dict[tuple[object, ...], int] = {}
        self._monotone: dict[tuple[int, ...], bool] = {}

    def worth(
        self, state: State, side: int, numbers: Sequence[int], change: Change | None = None
    ) -> Worth:
        """Return what comes of a state after the auction, on the stocks of these numbers.

        ``change`` is done to each first. With nothing left to chance one stock stands for all.
        """
        if not stocks.has_chance(state, self.rules):
            numbers = numbers[:1]
        found = []
        for number in numbers:
            laid, order = copy_state(state), self.order(number)
            stocks.lay_again(laid, self.rules, order)
            if change is not None:
                change(laid)
            found.append(self._end(laid, side, order))
        return self._worth_of(found)

    def worth_as_it_lies(self, state: State, side: int) -> Worth:
        """Return what comes of a state when the rest stays as it lies."""
        return self._worth_of([self._end(copy_state(state), side, self.order(0))])

    def know(self, state: State, value: int) -> None:
        """Take the exact value of a state at the first card, so that it is not searched again."""
        self._values[_key_of(state, self.rules)] = value

    def _worth_of(self, found: Sequence[tuple[int, int]]) -> Worth:
        points = tuple(each[0] for each in found)
        return Worth(points, () if self.no_score else tuple(each[1] for each in found))

    def _end(self, state: State, side: int, order: stocks.Order) -> tuple[int, int]:
        """Return points and change of score of a side; ``state`` is used up."""
        rules = self.rules
        ends = exchange.plays_on(state, rules, order)
        if ends[0].phase == Phase.OVER:
            return 0, 0
        points, best = max(((self._value(each), each) for each in ends), key=lambda each: each[0])
        total = score.points_at_stake(best, rules)
        change = self._score(best, points, total)
        if side_of(rules, scoring.maker_of(best)) == side:
            return points, change
        return total - points, -change

    def _value(self, state: State) -> int:
        """Return the value of a state at the first card; of limits the middle."""
        if state.phase == Phase.OVER:
            return 0
        key = _key_of(state, self.rules)
        if key not in self._values:
            value = self._solver.value(state, budget=BUDGET)
            self.loose += not value.is_exact
            self._values[key] = (value.low + value.high) // 2
        return self._values[key]

    def _score(self, state: State, points: int, total: int) -> int:
        """Return the change of score of the makers, 0 where points do not tell it.

        That a hand may be void is no reason against it: best play for points is all the same.
        """
        if self.no_score is not None:
            return 0
        need = self._solver.need(state) or 0
        reason = score.SCORES if state.solo >= 0 else score.refusal_with_trumps(state, self.rules)
        if reason in (score.SCORES, score.MAY_BE_VOID):
            key = (state.high_bid, state.no_contract, state.doubles, state.solo, need)
            if key not in self._monotone:
                self._monotone[key] = score.is_monotone(state, self.rules, need)
            reason = score.SCORES if self._monotone[key] else score.NOT_MONOTONE
        if reason != score.SCORES:
            self.no_score = NO_SCORE[reason]
            return 0
        return score.change_with(state, self.rules, need, points, total)


def _key_of(state: State, rules: Rules) -> tuple[object, ...]:
    """Return all that the value of a state at the first card depends on."""
    return (
        *(scoring.maker_of(state), state.solo, state.trump, state.reversed, state.seventh),
        *(state.leader, state.active, state.high_bid if rules.pair != Pair.NONE else 0),
        tuple(state.holding[: rules.seats]),
        tuple(state.points),
        tuple(state.discard_points),
    )


def mean_of(numbers: Sequence[int]) -> Fraction:
    """Return the mean, exactly."""
    return Fraction(sum(numbers), len(numbers))


def with_contract(state: State, rules: Rules, contract: Contract) -> State:
    """Return a hand, given before its first call, with its auction over; trumps may stay open."""
    copy = copy_state(state)
    copy.maker = contract.maker
    copy.high_bid = contract.number
    copy.holders = 1 << contract.maker
    copy.spoken = all_seats(rules)
    copy.passed = copy.spoken & ~copy.holders
    engine.enter(copy, rules)
    return copy


def worth_of_contract(
    valuer: Valuer, contract: Contract, side: int, numbers: Sequence[int]
) -> Worth:
    """Return the worth of a contract of the hand for a side."""
    state = with_contract(valuer.start, valuer.rules, contract)
    return worth_with_trumps(valuer, state, contract.trump, side, numbers)


def worth_with_trumps(
    valuer: Valuer, state: State, trump: int, side: int, numbers: Sequence[int]
) -> Worth:
    """Return the worth of a hand after its auction with a suit as trumps; open if below 0."""
    name = partial(exchange.name_trumps, rules=valuer.rules, code=trump) if trump >= 0 else None
    return valuer.worth(state, side, numbers, name)


def valued_on(samples: int) -> range:
    """Return the numbers of the stocks on which contracts are valued."""
    return range(CHOOSING, CHOOSING + samples)


def par_of_auction(
    valuer: Valuer, *, samples: int = STOCKS
) -> tuple[Contract | None, tuple[SideContract, ...]]:
    """Return par and the best contract of each side."""
    best = tuple(best_of_side(valuer, side, samples) for side in range(valuer.rules.side_count))
    return par_contract(valuer.rules, valuer.start, best), best


def best_of_side(valuer: Valuer, side: int, samples: int) -> SideContract:
    """Return the best contract of a side, at the most that it can make."""
    rules = valuer.rules
    makers = [seat for seat in range(rules.seats) if side_of(rules, seat) == side]
    maker, trump = best_of_makers(valuer, makers)
    numbers = valued_on(min(samples, _TO_RANK))
    number = (rules.min_bid + rules.max_bid) // 2
    tried: set[int] = set()
    while number not in tried:
        tried.add(number)
        worth = worth_of_contract(valuer, Contract(maker, trump, number), side, numbers)
        # What is reached on at least half of the stocks.
        usual = sorted(worth.points, reverse=True)[(len(worth.points) - 1) // 2]
        most = min(rules.max_bid, usual)
        # A pair changes what is needed by the number bid, so the value depends on the number.
        number = max(rules.min_bid, most) if rules.pair != Pair.NONE else number
    contract = Contract(maker, trump, max(rules.min_bid, most))
    return SideContract(side, contract, most, max(worth.points), worth)


def par_contract(rules: Rules, start: State, best: Sequence[SideContract]) -> Contract | None:
    """Return the par contract, by the best contract of each side."""
    first = max(best, key=lambda each: (each.most, each.worth.mean))
    if first.most >= rules.min_bid:
        return lowest_winning(rules, first, best)
    if not auction.forces_a_bid(rules):
        return None
    side = side_of(rules, auction.forced_caller(start, rules))
    own = next(each.contract for each in best if each.side == side)
    return Contract(own.maker, own.trump, rules.forced_bid)


def lowest_winning(rules: Rules, own: SideContract, best: Sequence[SideContract]) -> Contract:
    """Return a side's best contract at the lowest number, up to its most, that outbids all."""
    others = max((each.most for each in best if each.side != own.side), default=0)
    number = max(rules.min_bid, min(own.most, others + 1))
    return Contract(own.contract.maker, own.contract.trump, number)


def worth_at_par(
    valuer: Valuer, side: int, par: Contract | None, best: Sequence[SideContract], samples: int
) -> Worth:
    """Return what ``par`` brings a side; where each plays alone its own contract of ``best``."""
    rules = valuer.rules
    if rules.sides == Sides.SINGLES:
        # What the others bid does not tell how they share what this one leaves them.
        own = next(each for each in best if each.side == side)
        par = lowest_winning(rules, own, best)
    if par is None:
        return Worth((0,), (0,))
    return worth_of_contract(valuer, par, side, valued_on(samples))


def best_of_makers(valuer: Valuer, makers: Sequence[int]) -> tuple[int, int]:
    """Return maker and trump that bring most on the stocks below ``CHOOSING``."""
    rules = valuer.rules
    side = side_of(rules, makers[0])
    phases = rules.phases
    first_named = not rules.kitty_size or phases.index(Phase.TRUMP) < phases.index(Phase.KITTY)
    trumps: Sequence[int] = exchange.SUITS if first_named else (-1,)
    left = [(maker, trump) for maker in makers for trump in trumps]
    number = (rules.min_bid + rules.max_bid) // 2
    reached = dict.fromkeys(left, Fraction(0))
    first = 0
    keeps = (max(2, len(left) // 2), 2, 1)
    for count, keep in zip(_HALVINGS, keeps, strict=True):
        if len(left) > 1:
            numbers = range(first, first + count)
            for each in left:
                worth = worth_of_contract(valuer, Contract(*each, number), side, numbers)
                reached[each] += worth.mean * count
            left = sorted(left, key=lambda each: -reached[each])[:keep]
        first += count
    return left[0]


# --- Calls: each bid, a pass, each suit named


CALL_STOCKS: Final = 16
"""Stocks on which calls are valued; on half as many others the best one is found before."""


@dataclass(frozen=True, slots=True)
class CallWorth:
    """What one call was worth to the side of its player, were it the last one."""

    action: Action
    value: Fraction
    reach: float
    """How far sampling may be off either way, in 95 of 100 cases; 0 with nothing left to chance."""
    cost: Fraction
    """How much more the call brings that looked best; below 0 where it only looked so."""
    cost_reach: float


@dataclass(frozen=True, slots=True)
class CallWorths:
    """What all calls at one decision were worth."""

    unit: Literal["score", "points"]
    """Change of score of the own side less that of the others; points where they do not tell it."""
    calls: tuple[CallWorth, ...]
    stocks: int
    """Stocks on which they were valued; 1 where nothing is left to chance."""


def call_worths(
    replay: Replay,
    index: int,
    actions: Sequence[Action],
    *,
    solver: Solver | None = None,
    samples: int = CALL_STOCKS,
) -> CallWorths:
    """Return what each of the legal ``actions`` before action ``index`` was worth.

    A call is valued as the last one: everybody passes after it, and the contract is played in the
    suit worth most to its maker; what it keeps others from is no part of its worth. Only bids with
    a number, a pass, and suits named are valued. Raises ``Refused`` as ``ledger_of`` does.
    """
    rules, samples = replay.rules, max(2, samples)
    valuer = Valuer(stocks.start_of(replay), solver or Solver(rules))
    state = stocks.forget_the_record(replay.state_at(index))
    numbers = valued_on(samples // 2 + samples)
    suit_of = cache(lambda maker: best_of_makers(valuer, [maker])[1])
    worths = {}
    for action in actions:
        side = side_of(rules, action.seat)
        if action.verb == Verb.TRUMP and action.amount in exchange.SUITS:
            worths[action] = worth_with_trumps(valuer, state, action.amount, side, numbers)
            continue
        maker, number = _contract_after(valuer, state, action)
        if maker >= 0:
            contract = Contract(maker, suit_of(maker), number)
            worths[action] = worth_of_contract(valuer, contract, side, numbers)
        elif number == _NO_CONTRACT:
            worths[action] = Worth((0,), (0,))
    in_score = valuer.no_score is None
    found = {each: worth.score if in_score else worth.points for each, worth in worths.items()}
    return CallWorths("score" if in_score else "points", *_compared(found, samples))


_NO_CONTRACT, _NOT_VALUED = 0, -1


def _contract_after(valuer: Valuer, state: State, action: Action) -> tuple[int, int]:
    """Return maker and number when everybody passes after a call; below 0 and why where none is."""
    rules = valuer.rules
    if action.verb == Verb.BID and rules.min_bid <= action.amount <= rules.max_bid:
        return action.seat, action.amount
    if action.verb != Verb.PASS or state.solo >= 0:
        return -1, _NOT_VALUED
    if state.maker >= 0:
        in_range = rules.min_bid <= state.high_bid <= rules.max_bid
        return (scoring.maker_of(state), state.high_bid) if in_range else (-1, _NOT_VALUED)
    if auction.forces_a_bid(rules):
        return auction.forced_caller(valuer.start, rules), rules.forced_bid
    return -1, _NO_CONTRACT if auction.throws_in(rules) else _NOT_VALUED


def _compared(
    found: Mapping[Action, tuple[int, ...]], samples: int
) -> tuple[tuple[CallWorth, ...], int]:
    """Return what calls were worth and cost on the last stocks; the first serve to choose.

    Else the luckiest of many would always look too good. Costs are means over the same stocks, so
    that each is the difference of two worths; where nothing is left to chance one stands for all.
    """
    looked = {each: mean_of(on[:-samples] or on) for each, on in found.items()}
    last = {each: on[-samples:] for each, on in found.items()}
    best = last[max(looked, key=looked.__getitem__)] if last else ()
    calls = []
    for action, amounts in last.items():
        mean, cost_reach = mean_of(amounts), reach_of(difference(best, amounts))
        calls.append(CallWorth(action, mean, reach_of(amounts), mean_of(best) - mean, cost_reach))
    return tuple(calls), max(map(len, last.values()), default=1)
