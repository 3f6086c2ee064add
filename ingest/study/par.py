"""Par of auctions, and where results came from: what is kept of one hand, and as plain values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import pyarrow as pa

from tricklog.core import Replay
from tricklog.core.engine.policies import Sides
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study import Refused, Solver
from tricklog.core.study.contracts import AuctionPar, SideContract
from tricklog.core.study.ledger import Ledger, Term, auction_par_of, ledger_of, refusal_of_record
from tricklog.core.study.sampling import Sampled, error_of
from tricklog.ingest.study import kept_ledgers
from tricklog.ingest.study.kept_ledgers import averages_of, row_of_ledger
from tricklog.ingest.study.rows import REFUSED, Row, Solvers, lists_of
from tricklog.schemas.actions import Verb, trump_name

STOCKS: Final = 8
"""Stocks that worths are means over unless said: enough for averages over hands."""
_SIDE: Final[dict[str, pa.DataType]] = {
    "side": pa.int8(),
    "side_seats": pa.list_(pa.int8()),
    "side_seat": pa.int8(),
    "side_trump": pa.string(),
    "side_most": pa.int16(),
    "side_ever": pa.int16(),
    "side_points": pa.float64(),
    "side_points_error": pa.float64(),
}
_SIDE_KEYS: Final = (
    *("side_no", "seats", "seat", "trump", "most", "ever", "mean_points", "mean_error"),
)
_TERM: Final[dict[str, pa.DataType]] = {
    "term_part": pa.string(),
    "term_whose": pa.string(),
    "term_seat": pa.int8(),
    "term_points": pa.float64(),
    "term_points_error": pa.float64(),
    "term_score": pa.float64(),
    "term_score_error": pa.float64(),
}
SCHEMA: Final = pa.schema(
    {
        "content_hash": pa.uuid(),
        "ruleset": pa.string(),
        "asked": pa.int16(),
        "status": pa.string(),
        "reason": pa.string(),
        "stocks": pa.int16(),
        "seats": pa.int8(),
        "alone": pa.bool_(),
        "makers": pa.list_(pa.int8()),
        "par_side": pa.int8(),
        "par_seat": pa.int8(),
        "par_trump": pa.string(),
        "par_number": pa.int16(),
        "lowest": pa.int16(),
        "makeable": pa.bool_(),
        "passed_out": pa.bool_(),
        "bid": pa.int16(),
        "over": pa.int16(),
        "beyond": pa.bool_(),
        "made_share": pa.float64(),
        "made_open": pa.bool_(),
        "no_ledger": pa.string(),
        "no_points": pa.string(),
        "no_score": pa.string(),
        "result_points": pa.int32(),
        "result_score": pa.int32(),
        "loose": pa.int16(),
        **{name: pa.list_(kind) for name, kind in (_SIDE | _TERM).items()},
    }
)
"""A row is a hand; ``asked``: the stocks it was to be valued on, ``alone``: whether each plays for
themselves. Lists have an entry for each side, and for each part of the ledger and who chose in it.
Words are those of ``par.sql``."""
_BIDS: Final = frozenset({Verb.BID, Verb.DITTO, Verb.TENNY, Verb.SOLO})


def row_of(replayed: Replay, solver: Solver | str, stocks: int) -> Row:
    """Return what ``SCHEMA`` has of a hand, but for its key.

    ``solver``: one for its rules, or why they are refused. In ``ledger`` it has what is kept for
    sums of ledgers, where there is one and it is over as many stocks.
    """
    given: dict[str, Any] = {"asked": stocks} | lists_of((*_SIDE, *_TERM), ())
    refusal = given | {"status": REFUSED}
    if isinstance(solver, str):
        return refusal | {"reason": solver}
    try:
        no_ledger = refusal_of_record(replayed)
        if no_ledger is None:
            try:
                averages = averages_of(replayed, solver)
                ledger = ledger_of(replayed, samples=stocks, solver=solver, averages=averages)
            except Refused as refused:
                no_ledger = str(refused)
            else:
                row = given | _of_par(replayed, ledger.par) | _of_ledger(ledger)
                fits = stocks == kept_ledgers.STOCKS
                return row | {"ledger": row_of_ledger(replayed, ledger)} if fits else row
        par = auction_par_of(replayed, samples=stocks, solver=solver)
    except Refused as refused:
        return refusal | {"reason": str(refused)}
    return given | _of_par(replayed, par) | {"no_ledger": no_ledger}


def _of_par(replayed: Replay, par: AuctionPar) -> dict[str, Any]:
    contract, rules = par.contract, replayed.rules
    is_bid = par.maker >= 0
    said = [Verb(each.verb) for each in replayed.actions]
    return {
        "status": "valued",
        "stocks": par.stocks,
        "seats": rules.seats,
        "alone": rules.sides == Sides.SINGLES,
        "par_side": contract and side_of(rules, contract.maker),
        "par_seat": contract and contract.maker,
        "par_trump": contract and trump_of(contract.trump),
        "par_number": contract and contract.number,
        "lowest": rules.min_bid,
        "makeable": par.makeable,
        # Passes ended it, and nobody bid: three passes are enough in some (S104).
        "passed_out": bool(said) and said[-1] == Verb.PASS and _BIDS.isdisjoint(said),
        "bid": par.bid if is_bid else None,
        "over": par.over(rules),
        "beyond": par.beyond_all_play(rules) if is_bid else None,
        **lists_of(_SIDE, (_side(replayed, each) for each in par.best)),
    }


def _side(replayed: Replay, best: SideContract) -> tuple[Any, ...]:
    """Return what is known of the best contract of a side, in the order of ``_SIDE``."""
    return (
        *(best.side, seats_of(replayed, best.side)),
        *(best.contract.maker, trump_of(best.contract.trump)),
        *(best.most, best.ever, float(best.worth.mean), error_of(best.worth.points)),
    )


def _of_ledger(ledger: Ledger) -> dict[str, Any]:
    opened, need, result = ledger.opened, ledger.opened.need, ledger.result
    in_points = opened.unit == "points" and need is not None
    reached = [each >= (need or 0) for each in ledger.contract.points]
    # In the place of the deal stands what it is worth, with nothing of what average deals bring: so
    # a row stays right when more are valued.
    deal, *others = ledger.terms
    at_par = ledger.start + deal.amount
    errors = error_of(ledger.at_par.points), error_of(ledger.at_par.score)
    par = replace(deal, amount=Sampled(at_par.points, at_par.score, *errors))
    return {
        "makers": list(ledger.makers),
        "made_share": sum(reached) / len(reached) if in_points else None,
        "made_open": opened.could_be_made,
        "no_points": ledger.no_points,
        "no_score": ledger.no_score,
        "result_points": None if result.points is None else int(result.points),
        "result_score": None if result.score is None else int(result.score),
        "loose": ledger.loose,
        **_terms((par, *others)),
    }


def _terms(terms: Iterable[Term]) -> dict[str, list[Any]]:
    entries = (
        (
            *("par" if term.name == "deal" else term.name, term.whose, seat),
            *_with_error(amount.points, term.amount.points_error),
            *_with_error(amount.score, term.amount.score_error),
        )
        for term in terms
        for seat, amount in term.players or ((None, term.amount),)
    )
    return lists_of(_TERM, entries)


def _with_error(amount: Fraction | None, error: float) -> tuple[float | None, float | None]:
    return (None, None) if amount is None else (float(amount), error)


# --- One hand


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
    found: dict[str, Any] = {"refused": None} | dict.fromkeys(
        ("stocks", "contract", "makeable", "maker", "points_bid", "over", "beyond")
    )
    if isinstance(par, str):
        return found | {"refused": par, "sides": []}
    contract, is_bid = par.contract, par.maker >= 0
    return found | {
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
        "sides": [dict(zip(_SIDE_KEYS, _side(replayed, each), strict=True)) for each in par.best],
    }


def seats_of(replayed: Replay, side: int) -> list[int]:
    """Return the seats of a side."""
    rules = replayed.rules
    return [seat for seat in range(rules.seats) if side_of(rules, seat) == side]


def trump_of(code: int) -> str | None:
    """Return how a log writes the trumps of a contract; ``None`` where the kitty comes before."""
    return None if code < 0 else trump_name(code)
