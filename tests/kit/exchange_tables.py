"""Tables between auction and play for tests: the hands of all seats, the stock, any rules."""

from collections.abc import Sequence

from msgspec.structs import replace

from tests.kit.support import DEALER, PLAYERS, Options, do, hand_of
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.judging.setup import first_state, read_actions
from tricklog.core.rulesets.ruleset import resolve


class Table:
    """A hand in the making: every action is judged as it is done.

    `deal` are the hands as dealt, those of the later packets included. Seat 3 deals unless
    `dealer` says otherwise, `maker` bids the minimum, all others pass. `piles` are stock and kitty.
    """

    def __init__(
        self,
        variant: str,
        deal: Sequence[str],
        trumps: str = "S",
        *,
        maker: int = 0,
        dealer: int = DEALER,
        options: Options | None = None,
        **piles: str,
    ) -> None:
        self.hand = hand_of(
            variant,
            id="table",
            options=options,
            dealer=dealer,
            players=PLAYERS[: len(deal)],
            deal=list(deal),
            stock=piles.get("stock", ""),
            kitty=piles.get("kitty", ""),
        )
        self.actions: list[str] = []
        self.state, self.rules, faults = first_state(self.hand, resolve(self.hand.rules), [])
        assert [fault.code for fault in faults] == []
        engine.start(self.state, self.rules)
        self._auction(maker, trumps, piles.get("kitty", ""))

    def _auction(self, maker: int, trumps: str, kitty: str) -> None:
        while self.state.phase == Phase.AUCTION:
            seat = self.state.turn
            bids = seat == maker and self.state.high_bid == 0
            text = f"{seat} bid {self.rules.min_bid}" if bids else f"{seat} pass"
            assert self.found(text) == [], text
        while self.state.phase in (Phase.TRUMP, Phase.KITTY):
            named = self.state.phase == Phase.TRUMP
            text = f"{maker} trump {trumps}" if named else f"{maker} kitty {kitty}"
            assert self.found(text) == [], text

    def found(self, text: str) -> list[str]:
        """Do something; return the codes of its faults."""
        self.actions.append(text)
        return do(self.state, self.rules, text)

    def foreseen(self, *texts: str) -> tuple[State, Rules, list[list[str]]]:
        """Return state, rules and codes of doing `texts` as a record that has them all."""
        hand = replace(self.hand, actions=[*self.actions, *texts])
        actions = read_actions(hand)
        state, rules, _ = first_state(hand, resolve(self.hand.rules), actions)
        engine.start(state, rules)
        codes = [do(state, rules, text) for text in hand.actions]
        return state, rules, codes[len(self.actions) :]
