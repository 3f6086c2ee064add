"""What is kept of the ledger of one hand, so that ledgers of many can be added up at once.

Amounts are whole numbers: means over so many stocks, times these. What an average deal brings is
left out of them, so that a row stays right when more deals are valued.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tricklog.core import Replay
from tricklog.core.engine.policies import Sides
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import Averages, method_of, place_of
from tricklog.core.study.ledger import Ledger, Part, ledger_of
from tricklog.core.study.sampling import Unit

STOCKS: Final = 8
"""Stocks of each hand: of many hands more would make the means hardly surer."""
AT_PAR, DRAW, RESULT = range(3)
"""Places of amounts that nobody chose; those that somebody did follow, by part and seat."""
HEAD: Final = 3
CHOSEN: Final[tuple[Part, ...]] = ("auction", "exchange", "makers", "defence")
_SOURCES: Final = (
    *("averages", "contracts", "exchange", "ledger", "open_cards", "sampling", "score", "stocks"),
    "walk",
)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The ledger of one hand, or why it has none."""

    refused: str | None
    """Why there is no ledger, as a sentence without a full stop; the rest is then empty."""
    no_points: str | None = None
    no_score: str | None = None
    maker: int = -1
    makers: int = 0
    """Seats of the makers' side, as a set of bits."""
    place: int = 0
    """Place of the maker at the table, as ``averages.place_of`` has it."""
    alone: bool = False
    """Whether each plays alone at this table, so that only the maker has an account."""
    loose: int = 0
    """Values that the search did not finish."""
    points: tuple[int, ...] = ()
    """``AT_PAR``, ``DRAW`` and ``RESULT`` for the makers, then for each of ``CHOSEN`` what each
    seat brought the makers by its choices; times ``STOCKS``. Empty without an account."""
    score: tuple[int, ...] = ()

    def amounts(self, unit: Unit) -> tuple[int, ...]:
        """Return the amounts in a unit, empty where there is no account in it."""
        return self.points if unit == "points" else self.score

    def why_not(self, unit: Unit) -> str | None:
        """Return why there is no account in a unit; ``None`` where there is one."""
        return self.refused or (self.no_points if unit == "points" else self.no_score)


def method() -> str:
    """Return what changes when rows would come out otherwise."""
    return f"{method_of(*_SOURCES)}-{STOCKS}"


_AVERAGES: Final[dict[tuple[str, int], Averages]] = {}


def averages_of(replayed: Replay, solver: Solver) -> Averages:
    """Return what average deals bring under the rules of a hand, with one deal valued.

    A ledger asks for it, and nothing of it is kept in a row. Raises ``Refused`` as ``ledger_of``.
    """
    key = replayed.ruleset.hash, replayed.rules.seats
    if key not in _AVERAGES:
        averages = Averages(replayed.ruleset, replayed.rules.seats)
        averages.ensure(1, solver)
        _AVERAGES[key] = averages
    return _AVERAGES[key]


def row_of(replayed: Replay, solver: Solver, averages: Averages) -> LedgerRow:
    """Return what is kept of the ledger of a hand; ``averages`` have some deals valued."""
    try:
        ledger = ledger_of(replayed, samples=STOCKS, solver=solver, averages=averages)
    except Refused as refused:
        return LedgerRow(str(refused))
    return row_of_ledger(replayed, ledger)


def row_of_ledger(replayed: Replay, ledger: Ledger) -> LedgerRow:
    """Return what is kept of a ledger over ``STOCKS`` stocks."""
    return LedgerRow(
        None,
        ledger.no_points,
        ledger.no_score,
        ledger.maker,
        sum(1 << seat for seat in ledger.makers),
        place_of(replayed.rules, replayed.state_at(0).dealer, ledger.maker),
        replayed.rules.sides == Sides.SINGLES,
        ledger.loose,
        _amounts(ledger, "points", replayed.rules.seats),
        _amounts(ledger, "score", replayed.rules.seats),
    )


def _amounts(ledger: Ledger, unit: Unit, seats: int) -> tuple[int, ...]:
    if ledger.why_not(unit):
        return ()
    terms = {term.name: term for term in ledger.terms}
    at_par = ledger.start.of(unit) + terms["deal"].amount.of(unit)
    found = [at_par, terms["draw"].amount.of(unit), ledger.result.of(unit)]
    for part in CHOSEN:
        players = dict(terms[part].players)
        found += [players[seat].of(unit) if seat in players else _ZERO for seat in range(seats)]
    return _whole(found)


_ZERO: Final = Fraction(0)


def _whole(amounts: Sequence[Fraction]) -> tuple[int, ...]:
    scaled = [each * STOCKS for each in amounts]
    assert all(each.denominator == 1 for each in scaled), "means are over as many stocks or one"
    return tuple(int(each) for each in scaled)
