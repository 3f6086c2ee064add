"""What calls were worth with all cards open: each bid, a pass, each suit named.

A call is valued as the last one: everybody passes after it, the contract is played in the suit that
is worth most to its maker, and the play is as good as can be on both sides. Cards that come after
the auction are dealt again, stock after stock, the same for every call (``stocks``). How an auction
would have gone on, nobody can say, so what a call keeps others from is no part of its worth.

The call that is worth most is found on some stocks, and all are valued on others; else the luckiest
of many would always look too good. What calls were worth and what they cost are means over the same
stocks, so a cost is the difference of two worths.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import auction, scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.replayer import Replay
from tricklog.core.study import exchange, stocks
from tricklog.core.study.contracts import (
    CHOOSING,
    Contract,
    Valuer,
    Worth,
    best_of_makers,
    mean_of,
    worth_of_contract,
)
from tricklog.core.study.ledger import difference
from tricklog.core.study.open_cards import Solver
from tricklog.core.study.refusals import Refused
from tricklog.core.study.sampling import reach_of
from tricklog.schemas.actions import Action, Verb

STOCKS: Final = 16
"""Stocks on which calls are valued; on half as many others the best one is found before."""
_NOTHING: Final = Worth((0,), (0,))


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
    samples: int = STOCKS,
) -> CallWorths:
    """Return what each of the legal ``actions`` before action ``index`` was worth.

    Bids with a number, a pass, and suits named are valued; others are left out. Raises ``Refused``
    for records that do not name every card, and for rules that the solver does not take on.
    """
    start = stocks.forget_the_record(replay.state_at(0))
    if not stocks.names_every_card(start, replay.rules):
        raise Refused("the record does not name every card, so other stocks cannot be dealt")
    calls = _Calls(replay, index, start, solver or Solver(replay.rules), max(2, samples))
    worths = {each: worth for each in actions if (worth := calls.worth(each)) is not None}
    return calls.compared(worths)


class _Calls:
    def __init__(
        self, replay: Replay, index: int, start: State, solver: Solver, samples: int
    ) -> None:
        self._rules: Rules = replay.rules
        self._start = start
        self._state = stocks.forget_the_record(replay.state_at(index))
        self._valuer = Valuer(self._rules, stocks.content_of(start, self._rules), solver)
        self._valued = samples
        self._numbers = range(CHOOSING, CHOOSING + samples // 2 + samples)
        self._suits: dict[int, int] = {}

    def worth(self, action: Action) -> Worth | None:
        """Return the worth of a call for the side of its player; ``None`` where it has none."""
        side = side_of(self._rules, action.seat)
        if action.verb == Verb.TRUMP and action.amount in exchange.SUITS:
            suit = action.amount
            return self._valuer.worth(
                self._state,
                side,
                self._numbers,
                lambda laid: exchange.name_trumps(laid, self._rules, suit),
            )
        contract = self._contract_after(action)
        if contract == "none":
            return _NOTHING
        if contract is None:
            return None
        return worth_of_contract(self._valuer, self._start, contract, side, self._numbers)

    def _contract_after(self, action: Action) -> Contract | Literal["none"] | None:
        """Return the contract when everybody passes after a call; ``none`` where there is none."""
        rules, state = self._rules, self._state
        if action.verb == Verb.BID and rules.min_bid <= action.amount <= rules.max_bid:
            return self._at(action.seat, action.amount)
        if action.verb != Verb.PASS or state.solo >= 0:
            return None
        if state.maker >= 0:
            in_range = rules.min_bid <= state.high_bid <= rules.max_bid
            return self._at(scoring.maker_of(state), state.high_bid) if in_range else None
        if not auction.forces_a_bid(rules):
            return "none" if auction.throws_in(rules) else None
        return self._at(auction.forced_caller(self._start, rules), rules.forced_bid)

    def _at(self, maker: int, number: int) -> Contract:
        if maker not in self._suits:
            self._suits[maker] = best_of_makers(self._valuer, self._start, [maker])[1]
        return Contract(maker, self._suits[maker], number)

    def compared(self, worths: Mapping[Action, Worth]) -> CallWorths:
        """Return the calls with what each was worth and cost, on the stocks that chose nothing."""
        in_score = self._valuer.no_score is None
        found = {each: worth.score if in_score else worth.points for each, worth in worths.items()}
        # The first stocks serve to choose; where nothing is left to chance one stands for all.
        looked = {each: mean_of(on[: -self._valued] or on) for each, on in found.items()}
        last = {each: on[-self._valued :] for each, on in found.items()}
        best = last[max(looked, key=looked.__getitem__)] if last else ()
        calls = tuple(
            CallWorth(
                action,
                mean_of(amounts),
                reach_of(amounts),
                mean_of(best) - mean_of(amounts),
                reach_of(difference(best, amounts)),
            )
            for action, amounts in last.items()
        )
        return CallWorths(
            "score" if in_score else "points", calls, max(map(len, last.values()), default=1)
        )
