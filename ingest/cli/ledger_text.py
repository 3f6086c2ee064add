"""The ledger of a hand on the terminal: a line for each part, and what each player chose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from tricklog.core import Replay
from tricklog.core.study import Refused, Solver
from tricklog.core.study.accounts import shown_in
from tricklog.core.study.averages import Averages
from tricklog.core.study.contracts import Contract
from tricklog.core.study.ledger import Ledger, ledger_of, refusal_of_record
from tricklog.core.study.sampling import Amount, Sampled, Unit
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.study.par.telling import trump_of
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import player_labels, trump_words

DEALS: Final = 10
"""Deals that the average is over, at the least."""
_SCORE: Final = "score, makers less others"
_TITLES: Final = {"makers": "play, makers", "defence": "play, defence"}


def found_ledger(replayed: Replay) -> Ledger:
    """Return the ledger of a hand, by a solver that is compiled first where it has to be.

    Raises ``Refused`` for hands that have none.
    """
    why_not = refusal_of_record(replayed)
    if why_not:
        raise Refused(why_not)
    solver = Solver(replayed.rules)
    averages = Averages(replayed.ruleset, replayed.rules.seats)
    averages.ensure(DEALS, solver)
    return ledger_of(replayed, solver=solver, averages=averages)


def ledger_lines(replayed: Replay, ledger: Ledger) -> list[str]:
    """Return the lines that are printed."""
    names = [one_line(label) for label in player_labels(replayed.hand)]
    makers = " & ".join(names[seat] for seat in ledger.makers)
    rows = list(_rows(ledger, names))
    sampling = (
        f"Other stocks dealt: {ledger.stocks}; deals in the average: {ledger.deals}. The parts "
        "sum to the result exactly; ± says how far sampling may be off, 95 % sure."
    )
    return [
        f"Hand {replayed.hand.id}: where the result of {makers} came from",
        *aligned(["part", "whose", "points", _SCORE], [False, False, True, True], rows),
        sampling,
        *_missing(ledger),
        _at_par(ledger.par.contract, names),
    ]


def _rows(ledger: Ledger, names: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield start, parts, who chose in each, and the result, in tenths that add up."""
    heads = [("start", "")]
    for term in ledger.terms:
        heads.append((_TITLES.get(term.name, term.name), term.whose))
        heads += [(f"  {names[seat]}", "") for seat, _ in term.players]
    heads.append(("result", ""))
    columns = _column(ledger, "points"), _column(ledger, "score")
    for head, points, score in zip(heads, *columns, strict=True):
        yield *head, points, score


def _column(ledger: Ledger, unit: Unit) -> list[str]:
    """Return the cells of one column of ``_rows``."""
    shown = shown_in(ledger, unit)
    if shown is None:
        return ["-"] * (2 + len(ledger.terms) + sum(len(each.players) for each in ledger.terms))
    cells = [_cell(shown.start, ledger.start.reach_in(unit))]
    for term, part, players in zip(ledger.terms, shown.parts, shown.players, strict=True):
        cells.append(_cell(part, term.amount.reach_in(unit)))
        cells += [_cell(value) for _, value in players]
    return [*cells, _cell(shown.result)]


def _missing(ledger: Ledger) -> list[str]:
    """Return why there is no account in points or in score."""
    reasons = {"points": ledger.no_points, "score": ledger.no_score}
    return [f"Not in {unit}: {reason}." for unit, reason in reasons.items() if reason]


def _at_par(contract: Contract | None, names: list[str]) -> str:
    if contract is None:
        return "At par of the auction nobody could make a bid."
    trumps = f", {trump_words(contract.trump)}" if contract.trump >= 0 else ""
    return f"At par of the auction: {names[contract.maker]} {contract.number}{trumps}."


def _cell(value: Fraction, reach: float = 0.0) -> str:
    text = f"{float(value):+.1f}"
    return f"{text} ±{reach:.1f}" if reach else text


def ledger_json(replayed: Replay, ledger: Ledger) -> dict[str, Any]:
    """Return the object that ``--json`` prints; seats count as in the record."""
    contract = ledger.par.contract
    return {
        "hand_id": replayed.hand.id,
        "ruleset": replayed.ruleset.hash,
        "maker": ledger.maker,
        "makers": list(ledger.makers),
        "start": _numbers(ledger.start),
        "parts": [
            {"name": term.name, "whose": term.whose}
            | _numbers(term.amount)
            | {"players": {str(seat): _numbers(own) for seat, own in term.players}}
            for term in ledger.terms
        ],
        "brought": _numbers(ledger.result),
        "no_points": ledger.no_points,
        "no_score": ledger.no_score,
        "par": None
        if contract is None
        else {
            "maker": contract.maker,
            "trump": trump_of(contract.trump),
            "number": contract.number,
        },
        "stocks": ledger.stocks,
        "deals": ledger.deals,
    }


def _numbers(amount: Amount) -> dict[str, Any]:
    told: dict[str, Any] = {
        "part_points": None if amount.points is None else float(amount.points),
        "score": None if amount.score is None else float(amount.score),
    }
    if isinstance(amount, Sampled):
        told["points_error"] = None if amount.points is None else amount.points_error
        told["score_error"] = None if amount.score is None else amount.score_error
    return told
