"""What is kept of one hand: par of its auction, the best contract of each side, and its ledger."""

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
from tricklog.ingest.study.par.telling import seats_of, trump_of
from tricklog.ingest.study.plain import Row, lists_of
from tricklog.schemas.actions import Verb

VALUED: Final = "valued"
REFUSED: Final = "refused"

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
_NAMES: Final = {"deal": "par"}
_BIDS: Final = frozenset({Verb.BID, Verb.DITTO, Verb.TENNY, Verb.SOLO})


def row_of(replayed: Replay, solver: Solver | str, stocks: int) -> Row:
    """Return what ``SCHEMA`` has of a hand, but for its key.

    ``solver``: one for its rules, or why they are refused. In ``ledger`` it has what is kept for
    sums of ledgers, where there is one and it is over as many stocks.
    """
    if isinstance(solver, str):
        return _refusal_row(solver, stocks)
    given = {"asked": stocks}
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
    try:
        par = auction_par_of(replayed, samples=stocks, solver=solver)
    except Refused as refused:
        return _refusal_row(str(refused), stocks)
    return given | _of_par(replayed, par) | {"no_ledger": no_ledger} | _terms(())


def _refusal_row(reason: str, stocks: int) -> Row:
    """Return the row of a hand without a par."""
    return lists_of((*_SIDE, *_TERM), ()) | {"asked": stocks, "status": REFUSED, "reason": reason}


def _of_par(replayed: Replay, par: AuctionPar) -> dict[str, Any]:
    contract, rules = par.contract, replayed.rules
    is_bid = par.maker >= 0
    return {
        "status": VALUED,
        "stocks": par.stocks,
        "seats": rules.seats,
        "alone": rules.sides == Sides.SINGLES,
        "par_side": None if contract is None else side_of(rules, contract.maker),
        "par_seat": None if contract is None else contract.maker,
        "par_trump": None if contract is None else trump_of(contract.trump),
        "par_number": None if contract is None else contract.number,
        "lowest": rules.min_bid,
        "makeable": par.makeable,
        "passed_out": _is_passed_out(replayed),
        "bid": par.bid if is_bid else None,
        "over": par.over(rules),
        "beyond": par.beyond_all_play(rules) if is_bid else None,
        **_sides(replayed, par.best),
    }


def _is_passed_out(replayed: Replay) -> bool:
    """Whether passes ended the auction and nobody bid: three are enough in some (S104)."""
    said = [Verb(each.verb) for each in replayed.actions]
    return bool(said) and said[-1] == Verb.PASS and _BIDS.isdisjoint(said)


def _sides(replayed: Replay, best: Iterable[SideContract]) -> dict[str, list[Any]]:
    entries = (
        (
            *(each.side, seats_of(replayed, each.side)),
            *(each.contract.maker, trump_of(each.contract.trump)),
            *(each.most, each.ever, float(each.worth.mean), error_of(each.worth.points)),
        )
        for each in best
    )
    return lists_of(_SIDE, entries)


def _of_ledger(ledger: Ledger) -> dict[str, Any]:
    opened, need = ledger.opened, ledger.opened.need
    in_points = opened.unit == "points" and need is not None
    reached = [each >= (need or 0) for each in ledger.contract.points]
    return {
        "makers": list(ledger.makers),
        "made_share": sum(reached) / len(reached) if in_points else None,
        "made_open": opened.could_be_made,
        "no_points": ledger.no_points,
        "no_score": ledger.no_score,
        "result_points": _whole(ledger.result.points),
        "result_score": _whole(ledger.result.score),
        "loose": ledger.loose,
        **_terms(_from_par_on(ledger)),
    }


def _from_par_on(ledger: Ledger) -> tuple[Term, ...]:
    """Return the parts from par of the auction on, in the place of the deal: what it is worth.

    So nothing is in them of what average deals bring, and a row stays right when more are valued.
    """
    deal, *others = ledger.terms
    at_par = ledger.start + deal.amount
    errors = error_of(ledger.at_par.points), error_of(ledger.at_par.score)
    return replace(deal, amount=Sampled(at_par.points, at_par.score, *errors)), *others


def _terms(terms: Iterable[Term]) -> dict[str, list[Any]]:
    entries = (
        (
            *(_NAMES.get(term.name, term.name), term.whose, seat),
            *_with_error(amount.points, term.amount.points_error),
            *_with_error(amount.score, term.amount.score_error),
        )
        for term in terms
        for seat, amount in term.players or ((None, term.amount),)
    )
    return lists_of(_TERM, entries)


def _with_error(amount: Fraction | None, error: float) -> tuple[float | None, float | None]:
    return (None, None) if amount is None else (float(amount), error)


def _whole(amount: Fraction | None) -> int | None:
    return None if amount is None else int(amount)
