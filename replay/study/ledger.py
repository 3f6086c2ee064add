"""The ledger of a hand: from an average deal to the result, part by part, without a rest.

Everything is seen from the side of the makers, in points and in score: their change of score less
that of the others. Where each plays alone it is the maker and what the maker adds. The parts are
those of ``docs/ledger.md``. Worths are means over stocks, and each part is the difference of two
neighbours, so what sampling is wrong by moves between neighbours and never into the sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor, hypot
from typing import Any, Final, Literal

from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Verdict
from tricklog.core.study import contracts, stocks
from tricklog.core.study.averages import Averages, place_of
from tricklog.core.study.contracts import STOCKS, AuctionPar, Valuer, Worth
from tricklog.core.study.open_cards import OpenHand, Solver, first_card, open_hand, start_of_play
from tricklog.core.study.refusals import Refused
from tricklog.core.study.sampling import UNITS, Amount, Sampled, Unit, difference, sampled
from tricklog.core.study.walk import Walk
from tricklog.schemas.actions import Verb

Part = Literal["deal", "auction", "exchange", "draw", "makers", "defence"]
PARTS: Final[tuple[Part, ...]] = ("deal", "auction", "exchange", "draw", "makers", "defence")
Whose = Literal["luck", "choice", "none"]
_OPENED: Final = 10_000_000
"""Nodes for each value of the play, which has to be exact."""
_STOPS: Final = (Verb.DECIDED, Verb.CONCEDE)


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a ledger."""

    name: Part
    whose: Whose
    """``none``: nothing was left to chance, or to anybody's choice, in this part."""
    amount: Sampled
    players: tuple[tuple[int, Amount], ...]
    """By seat in order, what those who chose brought the makers by it; nobody for luck."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where the result of one hand came from, seen from the side of its makers."""

    maker: int
    makers: tuple[int, ...]
    """Seats of the side of the makers; where a hand is played alone, of all its partners."""
    start: Sampled
    terms: tuple[Term, ...]
    """In the order of ``PARTS``."""
    result: Amount
    no_points: str | None
    """Why there is no account in points, as a sentence without a full stop."""
    no_score: str | None
    """Why there is none in score."""
    par: AuctionPar
    opened: OpenHand
    stocks: int
    """Stocks on which worths were taken; 1 where nothing is left to chance."""
    deals: int
    """Deals over which the start was averaged."""
    loose: int
    """Values that the search did not finish: the middle of their limits stands for them."""
    at_par: Worth
    """What par of the auction is worth for the makers on each of the stocks."""
    contract: Worth
    """What the contract played was worth on each of them, before the exchange."""

    def term(self, name: Part) -> Term:
        """Return the part of this name."""
        return self.terms[PARTS.index(name)]

    def why_not(self, unit: Unit) -> str | None:
        """Return why there is no account in a unit; ``None`` where there is one."""
        return self.no_points if unit == "points" else self.no_score


class _Entries:
    """What is entered in the sampled parts, as what it comes to on every stock."""

    def __init__(self) -> None:
        self._found: dict[Part, tuple[list[Fraction], list[Fraction]]] = {}
        self._players: dict[Part, dict[int, Amount]] = {}

    def enter(self, part: Part, before: Worth, after: Worth, seat: int | None = None) -> None:
        """Enter what leads from one worth to another, by the choice of ``seat``."""
        points = difference(after.points, before.points)
        score = difference(after.score, before.score)
        old_points, old_score = self._found.get(part, ([], []))
        self._found[part] = _summed(old_points, points), _summed(old_score, score)
        if seat is not None:
            found = sampled(points, score)
            amount = Amount(found.points, found.score if score else None)
            theirs = self._players.setdefault(part, {})
            theirs[seat] = theirs[seat] + amount if seat in theirs else amount

    def term(self, part: Part, whose: Whose) -> Term:
        """Return a part; nothing was entered where nobody chose or drew in it."""
        players = tuple(sorted(self._players.get(part, {}).items()))
        return Term(part, whose, sampled(*self._found.get(part, ([], []))), players)


_ZERO: Final = Fraction(0)


def ledger_of(
    replay: Replay,
    *,
    samples: int = STOCKS,
    solver: Solver | None = None,
    averages: Averages | None = None,
) -> Ledger:
    """Return the ledger of a replayed hand.

    ``samples``: stocks that each worth is a mean over. ``solver`` and ``averages`` are of the same
    rules and table; some deals are valued. Raises ``Refused`` with a sentence for hands that have
    no ledger.
    """
    if why_not := refusal_of_record(replay):
        raise Refused(why_not)
    rules = replay.rules
    solver = solver or Solver(rules)
    if averages is None:
        averages = Averages(replay.ruleset, rules.seats)
        averages.ensure(1, solver)
    opened = opened_exactly(replay, solver)
    play = start_of_play(replay)[1]
    maker = scoring.maker_of(play)
    side = side_of(rules, maker)
    valuer = Valuer(stocks.start_of(replay), solver)
    valuer.know(play, opened.par.low)
    par = _par(replay, valuer, samples)
    at_par = contracts.worth_at_par(valuer, side, par.contract, par.best, samples)
    walk, entries = Walk(replay, valuer, side, contracts.valued_on(samples)), _Entries()
    contract = walk.contract()
    entries.enter("auction", at_par, contract, walk.caller)
    last = walk.exchange(contract, entries.enter)
    score_par, score_outcome = opened.score_par, opened.score_outcome
    entries.enter("draw", last, Worth((opened.par.low,), () if score_par is None else (score_par,)))
    average = averages.at(place_of(rules, play.dealer, maker), averages.deals)
    terms = (
        Term("deal", "luck", _less(at_par, average), ()),
        entries.term("auction", "choice"),
        entries.term("exchange", "choice" if walk.had_choice else "none"),
        entries.term("draw", "luck" if walk.had_chance else "none"),
        _played(opened, "makers"),
        _played(opened, "defence"),
    )
    no_points = "a hand alone counts in tricks, which points do not compare with"
    makers = tuple(seat for seat in range(rules.seats) if side_of(rules, seat) == side)
    score = None if score_outcome is None else Fraction(score_outcome)
    accounts = makers, average, terms, Amount(Fraction(opened.outcome.low), score)
    why = no_points if opened.unit == "tricks" else None
    why_nots = why, opened.no_score or valuer.no_score or averages.no_score
    counts = len(at_par.points), averages.deals, valuer.loose
    ledger = Ledger(maker, *accounts, *why_nots, par, opened, *counts, at_par, contract)
    return _only_what_counts(ledger)


def _less(at_par: Worth, average: Sampled) -> Sampled:
    found = sampled(*([*map(Fraction, each)] for each in (at_par.points, at_par.score)))
    return Sampled(
        found.of("points") - average.of("points"),
        found.of("score") - average.of("score"),
        hypot(found.points_error, average.points_error),
        hypot(found.score_error, average.score_error),
        hypot(found.points_reach, average.points_reach),
        hypot(found.score_reach, average.score_reach),
    )


def _played(opened: OpenHand, part: Literal["makers", "defence"]) -> Term:
    players: dict[int, Amount] = {}
    nothing = Amount(_ZERO, _ZERO)
    for each in opened.decisions:
        if each.by_makers == (part == "makers"):
            sign = -1 if each.by_makers else 1
            losses = each.loss, each.score_loss
            brought = [None if lost is None else Fraction(sign * lost) for lost in losses]
            players[each.seat] = players.get(each.seat, nothing) + Amount(*brought)
    total = sum(players.values(), nothing)
    return Term(part, "choice", Sampled(total.points, total.score), tuple(sorted(players.items())))


def _only_what_counts(ledger: Ledger) -> Ledger:
    gone: dict[str, Any] = {unit: None for unit in UNITS if ledger.why_not(unit)}
    terms = tuple(
        replace(
            each,
            amount=replace(each.amount, **gone),
            players=tuple((seat, replace(amount, **gone)) for seat, amount in each.players),
        )
        for each in ledger.terms
    )
    start, result = replace(ledger.start, **gone), replace(ledger.result, **gone)
    return replace(ledger, start=start, terms=terms, result=result)


def refusal_of_record(replay: Replay) -> str | None:
    """Return why a record has no ledger, as a sentence; ``None`` when nothing is in the way yet."""
    if replay.verdict != Verdict.VALID:
        return f"the record is {replay.verdict}: only valid hands have a ledger"
    if any(action.verb in _STOPS for action in replay.actions):
        return "play was stopped before the last trick, so what was left is a claim and not play"
    if first_card(replay) == len(replay.actions):
        return "no card was played: without a contract there is nothing to account for"
    states = [replay.state_at(index) for index in range(first_card(replay) + 1)]
    if not all(stocks.names_every_card(each, replay.rules) for each in states):
        return stocks.NOT_NAMED
    return None


def opened_exactly(replay: Replay, solver: Solver) -> OpenHand:
    """Return a hand with all cards open, exactly. Raises ``Refused`` where that takes too long."""
    given_up = Refused("the hand has so many cards that the search for its values was given up")
    # One value says sooner than all whether the hand is too large.
    if not solver.value(start_of_play(replay)[1], budget=_OPENED).is_exact:
        raise given_up
    opened = open_hand(replay, solver, budget=_OPENED)
    if any(each.loss is None for each in opened.decisions):
        raise given_up
    return opened


def auction_par_of(
    replay: Replay, *, samples: int = STOCKS, solver: Solver | None = None
) -> AuctionPar:
    """Return par of the auction of a replayed hand, of one that was passed out as well.

    Raises ``Refused`` for records that are not valid or name not every card, and for rules refused.
    """
    if replay.verdict != Verdict.VALID:
        raise Refused(f"the record is {replay.verdict}: only valid hands have a par")
    start = stocks.start_of(replay)
    return _par(replay, Valuer(start, solver or Solver(replay.rules), scored=False), samples)


def _par(replay: Replay, valuer: Valuer, samples: int) -> AuctionPar:
    par, best = contracts.par_of_auction(valuer, samples=samples)
    ended = replay.state_at(len(replay.actions))
    bid = 0
    if ended.maker >= 0 and not ended.no_contract and ended.solo < 0:
        bid = scoring.points_bid(replay.rules, ended.high_bid)
    makeable = any(each.most >= replay.rules.min_bid for each in best)
    count = max(len(each.worth.points) for each in best)
    return AuctionPar(par, makeable, best, count, ended.maker if bid else -1, bid)


def _summed(one: Sequence[Fraction], other: Sequence[Fraction]) -> list[Fraction]:
    if not one or not other:
        return list(one or other)
    count = max(len(one), len(other))
    return [one[index % len(one)] + other[index % len(other)] for index in range(count)]


# --- The ledger as it is shown: rounded so that its parts still sum to the result


_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """The ledger of a hand in one unit, in tenths, with start and parts that sum to the result.

    Not the parts are rounded but the sums between them: none is off by more than a tenth.
    """

    start: Fraction
    parts: tuple[Fraction, ...]
    """In the order of ``PARTS``."""
    players: tuple[tuple[tuple[int, Fraction], ...], ...]
    """By part, what those who chose brought the makers; they sum to the part."""
    result: Fraction

    def part(self, name: Part) -> Fraction:
        """Return the part of this name."""
        return self.parts[PARTS.index(name)]


def shown_in(ledger: Ledger, unit: Unit) -> Shown | None:
    """Return a ledger as it is shown; ``None`` where it has no account in this unit."""
    if ledger.why_not(unit):
        return None
    now = ledger.start.of(unit)
    amounts = [term.amount.of(unit) for term in ledger.terms]
    sums = [*accumulate(amounts, initial=now)]
    shares = (_shares(term, unit, before) for term, before in zip(ledger.terms, sums, strict=False))
    return Shown(in_tenths(now), tuple(_steps(now, amounts)), tuple(shares), in_tenths(sums[-1]))


def _shares(term: Term, unit: Unit, before: Fraction) -> tuple[tuple[int, Fraction], ...]:
    steps = _steps(before, [amount.of(unit) for _, amount in term.players])
    return tuple(zip([seat for seat, _ in term.players], steps, strict=True))


def in_tenths(value: Fraction) -> Fraction:
    """Return the nearest tenth; of two as near the higher one."""
    return Fraction(floor(value * _TENTHS + Fraction(1, 2)), _TENTHS)


def _steps(first: Fraction, amounts: Sequence[Fraction]) -> list[Fraction]:
    """Return amounts from ``first`` on, each as the difference of the sums around it in tenths."""
    sums = map(in_tenths, accumulate(amounts, initial=first))
    return [after - before for before, after in pairwise(sums)]
