"""What an average deal brings to a place at the table: where the ledger of a hand starts.

It is the mean, over deals at random, of what par of the auction brings: with partners for the side
of the dealer and for the other side, where each plays alone for each seat after the dealer, who
then plays their own best contract. Deals are drawn by their number, so asking again gives the same
and asking for more goes on from what there is; what was found is kept in the user's cache.
"""

import hashlib
import json
import os
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from tricklog.core.engine.policies import Sides
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import side_of
from tricklog.core.native.sources import digest_of_all
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.core.study import stocks
from tricklog.core.study.contracts import Valuer, par_of_auction, worth_at_par
from tricklog.core.study.open_cards import Solver
from tricklog.core.study.sampling import Sampled, sampled

DEALS: Final = 40
"""Deals that an average is taken over unless said."""
STOCKS_EACH: Final = 4
"""Stocks on which the par contract of each of them is valued."""

_SOURCES: Final = ("averages", "contracts", "exchange", "sampling", "stocks")

Row = tuple[tuple[int, int, int], ...]
"""Of one deal, by place: points and change of score, summed over stocks, and how many these are."""
Valued = tuple[Row, str | None]
"""A deal that was valued, and why points do not tell the score, where they do not."""


def method_of(*modules: str) -> str:
    """Return a digest over the engine, the solver and modules of this package by their names.

    What is kept is named by it, so that what was worked out in another way is not used.
    """
    mixed = hashlib.sha256(digest_of_all().encode())
    for name in modules:
        mixed.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return mixed.hexdigest()[:16]


def place_of(rules: Rules, dealer: int, seat: int) -> int:
    """Return the place of a seat: 0 for the dealer's side and 1 for the other one.

    Where each plays alone: how many seats after the dealer it is, in the direction of play.
    """
    if rules.sides == Sides.PARTNERS:
        return int(side_of(rules, seat) != side_of(rules, dealer))
    return (seat - dealer) * rules.step % rules.seats


def users_folder(place: Callable[..., Path] = user_cache_path) -> Path:
    """Return the folder of Tricklog at a ``place`` of this user, the cache by default.

    Where the system knows no home of theirs, it is one that cannot be made.
    """
    try:
        return place("tricklog", appauthor=False)
    except RuntimeError:
        return Path(os.devnull, "tricklog")


class Averages:
    """The averages of one set of rules at one size of table."""

    def __init__(self, ruleset: Ruleset | str, seats: int, *, folder: Path | None = None) -> None:
        """``ruleset``: rules, or their hash; ``folder``: of the rows, else in the user's cache."""
        ruleset = ruleset if isinstance(ruleset, str) else ruleset.hash
        folder = folder or users_folder() / "averages"
        self._file = folder / f"{ruleset}-{seats}-{method_of(*_SOURCES)}.json"
        self._rows, self.no_score = self._kept()

    @property
    def deals(self) -> int:
        """How many deals have been valued so far."""
        return len(self._rows)

    def ensure(self, deals: int, solver: Solver) -> None:
        """Value deals until there are as many as ``deals``, and keep what was found."""
        if self.deals < deals:
            self.add([value_deal(number, solver) for number in range(self.deals, deals)])

    def add(self, valued: Sequence[Valued]) -> None:
        """Take the deals of the next numbers, valued by ``value_deal``, and keep them."""
        self._rows += [row for row, _ in valued]
        for _, no_score in valued:
            self.no_score = self.no_score or no_score
        self._keep()

    def at(self, place: int, deals: int = DEALS) -> Sampled:
        """Return what an average deal brings to a place, over the first ``deals`` there are.

        Without score where points do not tell it. Raises ``ValueError`` when no deal is valued.
        """
        return self.mixed({place: 1}, deals)

    def mixed(self, weights: Mapping[int, Fraction | int], deals: int = DEALS) -> Sampled:
        """Return a weighed sum of averages. Raises ``ValueError`` when no deal has been valued."""
        rows = self._rows[:deals]
        if not rows:
            raise ValueError("no deal has been valued: ensure some first")
        points = [_weighed(row, weights, 0) for row in rows]
        if self.no_score:
            return replace(sampled(points, ()), score=None)
        return sampled(points, [_weighed(row, weights, 1) for row in rows])

    def _kept(self) -> tuple[list[Row], str | None]:
        try:
            kept = json.loads(self._file.read_bytes())
            rows = [tuple((int(a), int(b), int(c)) for a, b, c in row) for row in kept["rows"]]
            return rows, kept["no_score"]
        except (OSError, ValueError, KeyError, TypeError):
            return [], None

    def _keep(self) -> None:
        """Write the rows down where that is possible; whoever writes last is right as well."""
        partial = self._file.with_suffix(f".{os.getpid()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps({"rows": self._rows, "no_score": self.no_score}))
            partial.replace(self._file)
        except OSError:
            # Where no folder can be made, nothing can be removed from one either.
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def value_deal(number: int, solver: Solver) -> Valued:
    """Value the deal of a number under the rules of a solver; the seats deal in turn."""
    rules = solver.rules
    chance = random.Random(f"average/{rules.seats}/{number}")
    start = stocks.deal_at_random(rules, number % rules.seats, chance)
    valuer = Valuer(start, solver)
    par, best = par_of_auction(valuer, samples=STOCKS_EACH)
    places = 2 if rules.sides == Sides.PARTNERS else rules.seats
    row = [(0, 0, 1)] * places
    for seat in range(rules.seats):
        side = side_of(rules, seat)
        worth = worth_at_par(valuer, side, par, best, STOCKS_EACH)
        points, score = sum(worth.points), sum(worth.score)
        row[place_of(rules, start.dealer, seat)] = points, score, len(worth.points)
    return tuple(row), valuer.no_score


def _weighed(row: Row, weights: Mapping[int, Fraction | int], unit: int) -> Fraction:
    """Return the amounts of one deal at some places, 0 in points and 1 in score, by weight."""
    each = (weight * Fraction(row[at][unit], row[at][2]) for at, weight in weights.items())
    return sum(each, Fraction(0))
