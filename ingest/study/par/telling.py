"""Par of the auction of one hand: found on demand, and as plain values, as ``--json`` prints it."""

from __future__ import annotations

from typing import Any, Final

from tricklog.core import Replay
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused
from tricklog.core.study.contracts import AuctionPar, SideContract
from tricklog.core.study.ledger import auction_par_of
from tricklog.core.study.sampling import error_of
from tricklog.ingest.study.plain import Solvers
from tricklog.schemas.actions import trump_name

STOCKS: Final = 8
"""Stocks that worths are means over unless said: enough for averages over hands."""
_KEYS: Final = (
    *("refused", "stocks", "contract", "makeable", "maker", "points_bid", "over", "beyond"),
    "sides",
)


def par_of(replayed: Replay, solvers: Solvers, stocks: int = STOCKS) -> AuctionPar | str:
    """Return par of the auction of a hand, or why it has none, as a sentence."""
    solver = solvers.of(replayed.ruleset.hash, replayed.rules)
    try:
        if isinstance(solver, str):
            return solver
        return auction_par_of(replayed, samples=stocks, solver=solver)
    except Refused as refused:
        return str(refused)


def par_json(replayed: Replay, par: AuctionPar | str) -> dict[str, Any]:
    """Return what is known of an auction; the keys are always the same.

    ``over`` is the bid less the most that the side of the maker could make, ``beyond`` whether no
    contract of theirs makes it on any of the stocks.
    """
    if isinstance(par, str):
        return dict.fromkeys(_KEYS) | {"refused": par, "sides": []}
    contract = par.contract
    is_bid = par.maker >= 0
    return {
        "refused": None,
        "stocks": par.stocks,
        "contract": contract
        and {
            "side_no": side_of(replayed.rules, contract.maker),
            "seat": contract.maker,
            "trump": trump_of(contract.trump),
            "number": contract.number,
        },
        "makeable": par.makeable,
        "maker": par.maker if is_bid else None,
        "points_bid": par.bid if is_bid else None,
        "over": par.over(replayed.rules),
        "beyond": par.beyond_all_play(replayed.rules) if is_bid else None,
        "sides": [_side_json(replayed, each) for each in par.best],
    }


def seats_of(replayed: Replay, side: int) -> list[int]:
    """Return the seats of a side."""
    rules = replayed.rules
    return [seat for seat in range(rules.seats) if side_of(rules, seat) == side]


def trump_of(code: int) -> str | None:
    """Return how a log writes the trumps of a contract; ``None`` where the kitty comes before."""
    return None if code < 0 else trump_name(code)


def _side_json(replayed: Replay, best: SideContract) -> dict[str, Any]:
    return {
        "side_no": best.side,
        "seats": seats_of(replayed, best.side),
        "seat": best.contract.maker,
        "trump": trump_of(best.contract.trump),
        "most": best.most,
        "ever": best.ever,
        "mean_points": float(best.worth.mean),
        "mean_error": error_of(best.worth.points),
    }
