"""The ledger of a hand: from an average deal to the result, part by part, without a rest.

Everything is seen from the side of the makers, in points and in score: their change of score less
that of the others. Where each plays alone it is the maker and what the maker adds.

- **start**: what an average deal brings to this place at the table (``replay.study.averages``).
- **deal**: what par of the auction is worth with these cards, less the start. Luck.
- **auction**: what the contract played is worth before the exchange, less that; besides, trumps
  named after the kitty, the stake and a hand undertaken alone, each where it was called. Choice.
- **exchange**: for each choice of cards laid off, given, robbed, claimed: the worth after it less
  the worth before it. Choice.
- **draw**: what remains up to the first card: kitty, refill, later packets, what the dealer finds.
  Luck, and on average nothing.
- **makers** and **defence**: the losses of the play. Choice.

Worths are means over stocks. Each part is the difference of two neighbours, so what sampling is
wrong by moves between neighbours and never into the sum: start and parts sum to the result exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import hypot
from typing import Final, Literal

from replay.engine.records import State
from replay.engine.rules import scoring
from replay.engine.rules.table import side_of
from replay.judging.replayer import Replay
from replay.model import Verdict
from replay.open_cards import OpenHand, Refused, Solver, first_card, open_hand, start_of_play
from replay.study import stocks
from replay.study.averages import Average, Averages, place_of, worth_at_par
from replay.study.contracts import (
    STOCKS,
    AuctionPar,
    Valuer,
    Worth,
    mean_of,
    par_of_auction,
    valued_on,
)
from replay.study.sampling import error_of, reach_of
from replay.study.score import OpenScore
from replay.study.walk import Walk
from schemas.actions import Verb

Part = Literal["deal", "auction", "exchange", "draw", "makers", "defence"]
PARTS: Final[tuple[Part, ...]] = ("deal", "auction", "exchange", "draw", "makers", "defence")
Whose = Literal["luck", "choice", "none"]
_OPENED: Final = 10_000_000
"""Nodes for each value of the play, which has to be exact."""
_STOPS: Final = (Verb.DECIDED, Verb.CONCEDE)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in points and in score, each ``None`` where it has no meaning."""

    points: Fraction | None
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a ledger."""

    name: Part
    whose: Whose
    """``none``: nothing was left to chance, or to anybody's choice, in this part."""
    amount: Amount
    points_error: float
    """Standard error of sampling."""
    score_error: float
    points_reach: float
    """How far sampling may be off either way, in 95 of 100 cases (``sampling``)."""
    score_reach: float
    players: tuple[tuple[int, Amount], ...]
    """By seat in order, what those who chose brought the makers by it; nobody for luck."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where the result of one hand came from, seen from the side of its makers."""

    maker: int
    makers: tuple[int, ...]
    """Seats of the side of the makers; where a hand is played alone, of all its partners."""
    start: Amount
    points_error: float
    """Standard error of the start."""
    score_error: float
    points_reach: float
    """How far the start may be off either way, in 95 of 100 cases."""
    score_reach: float
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

    @property
    def by_player(self) -> dict[int, Amount]:
        """What the own choices of each seat brought its own side, in auction, exchange and play.

        What the makers lose by a defender's choice, the defender's side gains.
        """
        found: dict[int, Amount] = {}
        for term in self.terms:
            for seat, amount in term.players:
                signed = amount if seat in self.makers else _times(amount, -1)
                found[seat] = _plus(found[seat], signed) if seat in found else signed
        return dict(sorted(found.items()))


@dataclass(slots=True)
class _Account:
    """The parts as they are entered, each as what it comes to on every stock."""

    points: dict[Part, list[Fraction]] = field(default_factory=dict)
    score: dict[Part, list[Fraction]] = field(default_factory=dict)
    players: dict[Part, dict[int, Amount]] = field(default_factory=dict)

    def enter(self, part: Part, before: Worth, after: Worth, seat: int | None = None) -> None:
        """Enter a part that leads from one worth to another, by the choice of ``seat``."""
        points = difference(after.points, before.points)
        score = difference(after.score, before.score)
        self.points[part] = _summed(self.points.get(part, []), points)
        self.score[part] = _summed(self.score.get(part, []), score)
        if seat is not None:
            amount = Amount(_mean(points), _mean(score) if score else None)
            theirs = self.players.setdefault(part, {})
            theirs[seat] = _plus(theirs[seat], amount) if seat in theirs else amount


def ledger_of(
    replay: Replay,
    *,
    samples: int = STOCKS,
    solver: Solver | None = None,
    averages: Averages | None = None,
) -> Ledger:
    """Return the ledger of a replayed hand.

    ``samples``: stocks that each worth is a mean over. ``solver``: one made for the same rules;
    ``averages``: those of the same rules and table, with some deals valued, so that none have to
    be valued now. Raises ``Refused`` with a sentence for hands that have no ledger: records that
    are not valid or name not every card, deals thrown in, play stopped before its end, and what
    the solver does not take on.
    """
    why_not = refusal_of_record(replay)
    if why_not:
        raise Refused(why_not)
    solver = solver or Solver(replay.rules)
    if averages is None:
        averages = Averages(replay.ruleset, replay.rules.seats)
        averages.ensure(1, solver)
    return _Entries(replay, samples, solver, averages).ledger()


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
        return "the record does not name every card, so other stocks cannot be dealt"
    return None


def opened_exactly(replay: Replay, solver: Solver) -> OpenHand:
    """Return a hand that has a ledger with all cards open, every value exact.

    Raises ``Refused`` where the search for one of them takes too long.
    """
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

    Raises ``Refused`` for records that are not valid or name not every card, and for rules that
    the solver does not take on.
    """
    start = stocks.forget_the_record(replay.state_at(0))
    if replay.verdict != Verdict.VALID:
        raise Refused(f"the record is {replay.verdict}: only valid hands have a par")
    if not stocks.names_every_card(start, replay.rules):
        raise Refused("the record does not name every card, so other stocks cannot be dealt")
    solver = solver or Solver(replay.rules)
    content = stocks.content_of(start, replay.rules)
    valuer = Valuer(replay.rules, content, solver, scored=False)
    return _par(replay, valuer, start, samples)


def _par(replay: Replay, valuer: Valuer, start: State, samples: int) -> AuctionPar:
    par, best = par_of_auction(valuer, start, samples=samples)
    ended = replay.state_at(len(replay.actions))
    bid = 0
    if ended.maker >= 0 and not ended.no_contract and ended.solo < 0:
        bid = scoring.points_bid(replay.rules, ended.high_bid)
    return AuctionPar(
        par,
        any(each.most >= replay.rules.min_bid for each in best),
        best,
        max(len(each.worth.points) for each in best),
        ended.maker if bid else -1,
        bid,
    )


class _Entries:
    """The making of one ledger."""

    def __init__(self, replay: Replay, samples: int, solver: Solver, averages: Averages) -> None:
        self.replay = replay
        self.rules = replay.rules
        self.averages = averages
        self.samples = samples
        self.opened = opened_exactly(replay, solver)
        self.play = start_of_play(replay)[1]
        self.maker = scoring.maker_of(self.play)
        self.side = side_of(self.rules, self.maker)
        self.start = stocks.forget_the_record(replay.state_at(0))
        self.valuer = Valuer(self.rules, stocks.content_of(self.start, self.rules), solver)
        self.valuer.know(self.play, self.opened.par.low)
        self.account = _Account()
        self.no_score: str | None = None
        self._score: OpenScore | None = None
        try:
            self._score = OpenScore(self.play, self.rules, self.opened.need)
        except Refused as error:
            self.no_score = str(error)

    def ledger(self) -> Ledger:
        """Enter every part, and close."""
        par = _par(self.replay, self.valuer, self.start, self.samples)
        at_par = worth_at_par(
            self.valuer, self.start, self.side, par.contract, par.best, self.samples
        )
        walk = Walk(self.replay, self.valuer, self.side, valued_on(self.samples))
        contract = walk.contract()
        self.account.enter("auction", at_par, contract, walk.caller)
        last = walk.exchange(contract, self.account.enter)
        exact = self._at_first_card()
        self.account.enter("draw", last, exact)
        average = self._average()
        return self._closed(par, at_par, average, walk, contract)

    def _average(self) -> Average:
        place = place_of(self.rules, self.start.dealer, self.maker)
        return self.averages.at(place, self.averages.deals)

    def _at_first_card(self) -> Worth:
        """Return the worth at the first card, which is exact."""
        par = self.opened.par.low
        return Worth((par,), () if self._score is None else (self._score.change(par),))

    def _closed(
        self, par: AuctionPar, at_par: Worth, average: Average, walk: Walk, contract: Worth
    ) -> Ledger:
        tricks = self.opened.unit == "tricks"
        no_points = "a hand alone counts in tricks, which points do not compare with"
        terms = (self._deal(at_par, average), *self._sampled(walk), *self._played())
        outcome = self.opened.outcome.low
        score = None if self._score is None else Fraction(self._score.change(outcome))
        return _only_what_counts(
            Ledger(
                self.maker,
                tuple(
                    seat
                    for seat in range(self.rules.seats)
                    if side_of(self.rules, seat) == self.side
                ),
                Amount(average.points, average.score),
                average.points_error,
                average.score_error,
                average.points_reach,
                average.score_reach,
                terms,
                Amount(Fraction(outcome), score),
                no_points if tricks else None,
                self.no_score or self.valuer.no_score or self.averages.no_score,
                par,
                self.opened,
                len(at_par.points),
                average.deals,
                self.valuer.loose,
                at_par,
                contract,
            )
        )

    def _deal(self, at_par: Worth, average: Average) -> Term:
        score = average.score if average.score is not None else Fraction(0)
        amount = Amount(
            mean_of(at_par.points) - average.points,
            mean_of(at_par.score) - score if at_par.score else None,
        )
        return Term(
            "deal",
            "luck",
            amount,
            hypot(error_of(at_par.points), average.points_error),
            hypot(error_of(at_par.score), average.score_error),
            hypot(reach_of(at_par.points), average.points_reach),
            hypot(reach_of(at_par.score), average.score_reach),
            (),
        )

    def _sampled(self, walk: Walk) -> tuple[Term, ...]:
        """Return auction, exchange and draw."""
        return (
            self._entered("auction", "choice"),
            self._entered("exchange", "choice" if walk.had_choice else "none"),
            self._entered("draw", "luck" if walk.had_chance else "none"),
        )

    def _entered(self, part: Part, whose: Whose) -> Term:
        points = self.account.points.get(part, [])
        score = self.account.score.get(part, [])
        amount = Amount(_mean(points), _mean(score))
        players = tuple(sorted(self.account.players.get(part, {}).items()))
        errors = error_of(points), error_of(score)
        return Term(part, whose, amount, *errors, reach_of(points), reach_of(score), players)

    def _played(self) -> tuple[Term, Term]:
        """Return the losses of the makers and those of the defence, by who chose the cards."""
        found: dict[Part, dict[int, Amount]] = {"makers": {}, "defence": {}}
        for each in self.opened.decisions:
            before, after = each.before.low, each.after.low
            change = Amount(Fraction(after - before), None)
            if self._score is not None:
                score = self._score.change(after) - self._score.change(before)
                change = Amount(change.points, Fraction(score))
            theirs = found["makers" if each.by_makers else "defence"]
            theirs[each.seat] = _plus(theirs.get(each.seat, _NOTHING), change)
        return self._of_play("makers", found["makers"]), self._of_play("defence", found["defence"])

    def _of_play(self, part: Part, players: dict[int, Amount]) -> Term:
        total = _NOTHING
        for amount in players.values():
            total = _plus(total, amount)
        return Term(part, "choice", total, 0.0, 0.0, 0.0, 0.0, tuple(sorted(players.items())))


_NOTHING: Final = Amount(Fraction(0), Fraction(0))


def _only_what_counts(ledger: Ledger) -> Ledger:
    """Return the ledger without amounts in what it has no account in."""

    def kept(amount: Amount) -> Amount:
        points = None if ledger.no_points else amount.points
        return Amount(points, None if ledger.no_score else amount.score)

    terms = tuple(
        replace(
            each,
            amount=kept(each.amount),
            players=tuple((seat, kept(amount)) for seat, amount in each.players),
        )
        for each in ledger.terms
    )
    return replace(ledger, start=kept(ledger.start), terms=terms, result=kept(ledger.result))


def difference(after: Sequence[int], before: Sequence[int]) -> list[Fraction]:
    """Return after less before on every stock; one number stands for all. None without either."""
    if not after or not before:
        return []
    count = max(len(after), len(before))
    return [
        Fraction(after[index % len(after)] - before[index % len(before)]) for index in range(count)
    ]


def _summed(one: Sequence[Fraction], other: Sequence[Fraction]) -> list[Fraction]:
    """Return the sums on every stock."""
    if not one or not other:
        return list(one or other)
    count = max(len(one), len(other))
    return [one[index % len(one)] + other[index % len(other)] for index in range(count)]


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / max(1, len(numbers))


def _plus(one: Amount, other: Amount) -> Amount:
    return Amount(
        None if one.points is None or other.points is None else one.points + other.points,
        None if one.score is None or other.score is None else one.score + other.score,
    )


def _times(amount: Amount, sign: int) -> Amount:
    return Amount(
        None if amount.points is None else sign * amount.points,
        None if amount.score is None else sign * amount.score,
    )
