"""All hands of one kind of table, judged by what the field does with the same cards.

Three things are fitted to the cards that makers held: the points they took, the bid, and the points
they took with the bid. A hand is judged by fits that have not seen its game. What is left of it,
above or below what the cards say, is the player's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.field import holdings
from tricklog.ingest.metrics.field.holdings import NOT_KNOWN, FeatureTables, Flags, Floats, Integers
from tricklog.ingest.metrics.field.reading import (
    FOLDS,
    NOBODY,
    Calls,
    Hands,
    Table,
    read_hands,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.schemas.languages.messages import Message, message, message_counted

FEWEST_GAMES: Final = 30
FEWEST_CONTRACTS: Final = 150
"""Games and contracts, of all players together, that a fit takes."""
TENTHS: Final = 10
HOLDERS: Final = ("nobody", "partner", "others")
"""Who may hold the bid when somebody calls."""

_PORTION: Final = 100_000
"""Contracts that are fitted at a time; with players around them, a tenth."""
_MOST_AROUND: Final = 64
"""Of more players than this partners and opponents are left out of the fit: among so many, nobody
sits often enough with the same ones for it to matter."""


class Scope(StrEnum):
    """Whose hands the field was fitted on."""

    OWN = "own"
    """The hands under the filters."""
    WAREHOUSE = "warehouse"
    """All valid hands of the warehouse, samples and bots included."""
    NONE = "none"
    """Nobody's: there are too few."""


@dataclass(frozen=True, slots=True)
class Contracts:
    """Contracts that makers chose to bid for, an entry each."""

    hand: Integers
    """Place of the hand in ``Hands``."""
    place: Integers
    """Sitting and seat of the maker: ``sitting * seats + seat``."""
    chosen: Flags
    """Whether the filters let the maker through."""
    expected: Floats
    """Points the field takes with these cards."""
    taken: Floats
    """Points taken less those expected."""
    bid: Floats
    """Points bid less those the field bids on these cards."""
    played: Floats
    """Points taken less those the field takes with these cards and this bid."""


@dataclass(frozen=True, slots=True)
class JudgedCalls(Calls):
    """Free calls by players whose cards are known, an entry each, in the order of play."""

    place: Integers
    """Sitting and seat of the caller, as in ``Contracts``."""
    chosen: Flags
    expected: Floats
    """Points the field takes with the caller's best suit as trumps."""
    tenth: Integers
    """Which tenth of all free calls the margin falls in, 0 for the lowest."""
    holder: Integers
    """Who held the bid: a place in ``HOLDERS``."""
    rate: Floats
    """How often the field bids there: the share of bids in this tenth with this holder."""

    @property
    def margin(self) -> Floats:
        """Points expected less the least bid."""
        found: Floats = self.expected - self.lowest
        return found

    @property
    def cell(self) -> Integers:
        """The decision: tenth and holder as one number."""
        found: Integers = self.tenth.astype(np.int64) * len(HOLDERS) + self.holder
        return found


@dataclass(frozen=True, slots=True)
class Judged:
    """What a fit makes of the hands."""

    features: FeatureTables
    weights: Floats
    """By fold: of 1, of each place after the dealer but the first, and of the features of cards;
    what they add up to are the points expected."""
    contracts: Contracts
    calls: JudgedCalls


@dataclass(frozen=True, slots=True)
class Study:
    """One kind of table under some filters, judged by the field where there are enough hands."""

    table: Table
    scope: Scope
    games: int
    """Games under the filters with a contract that could be judged."""
    contracts: int
    hands: Hands
    judged: Judged | None
    """``None`` where the scope is none."""

    @property
    def note(self) -> str:
        """Say whose hands the field is, in a sentence or two."""
        return " ".join(map(str, self.notes))

    @property
    def notes(self) -> tuple[Message, ...]:
        """The sentences that say whose hands the field is."""
        values = {
            "contracts": message_counted("{count} contract", "{count} contracts", self.contracts),
            "games": message_counted("{count} game", "{count} games", self.games),
            "fewest": FEWEST_CONTRACTS,
            "fewest_games": FEWEST_GAMES,
        }
        if self.scope is Scope.NONE:
            none = message(
                "These hands have {contracts} in {games}; a comparison takes {fewest} in "
                "{fewest_games}, and there are not so many in the whole warehouse.",
                **values,
            )
            return (none,)
        first = message("The field is everybody who plays in these hands.")
        if self.scope is Scope.WAREHOUSE:
            first = message(
                "These hands have {contracts} in {games}; a comparison takes {fewest} in "
                "{fewest_games}. So the field is the whole warehouse, samples and bots included.",
                **values,
            )
        every = self.hands.every
        sampled = [message("One game in {every} is read.", every=every)] if every > 1 else []
        return (first, *sampled)


def study(connection: DuckDBPyConnection, table: Table, filters: Filters = EVERYTHING) -> Study:
    """Judge the hands of a kind of table by what the field does with the same cards.

    The field is everybody in the hands under the filters where these have 30 games and 150
    contracts, else everybody in the warehouse, else nobody. A player among the filters is passed
    over: everybody is judged. A million hands take some seconds and, while kept, 280 MB. What this
    returns depends only on the snapshot, the table and the filters, so a caller may keep it.

    Raises ``FigureError`` for a dimension that players in hands do not have.
    """
    hands = read_hands(connection, table, filters)
    fitted, games = _fitted(hands)
    contracts, of_filters, scope = len(fitted), games, Scope.OWN
    if contracts < FEWEST_CONTRACTS or games < FEWEST_GAMES:
        hands = read_hands(connection, table, filters, everything=True)
        fitted, games = _fitted(hands)
        enough = len(fitted) >= FEWEST_CONTRACTS and games >= FEWEST_GAMES
        scope = Scope.WAREHOUSE if enough else Scope.NONE
    judged = None if scope is Scope.NONE else judge(hands, fitted)
    return Study(table, scope, of_filters, contracts, hands, judged)


def _fitted(hands: Hands) -> tuple[Integers, int]:
    """Return the places of contracts whose maker's cards and trumps are known, and their games."""
    held = np.take_along_axis(hands.held, np.maximum(hands.maker, 0)[:, None], axis=1)[:, 0]
    found = np.flatnonzero(hands.contract & (hands.trump != NOBODY) & (held != NOT_KNOWN))
    return found, len(np.unique(hands.games_of(found)))


def judge(hands: Hands, fitted: Integers) -> Judged:
    """Fit the field to contracts, by their places in ``hands``, and judge contracts and calls."""
    features = holdings.feature_tables(hands.family, many=hands.packet >= holdings.MANY)
    cards = hands.seats + len(features.names)
    bid, points = cards, cards + 1
    players = len(hands.players)
    around = players if players <= _MOST_AROUND else 0
    sums = Sums(columns=cards + 2, around=2 * around, players=players)
    portion = _PORTION // 10 if around else _PORTION
    portions = [fitted[at : at + portion] for at in range(0, len(fitted), portion)]
    for part in portions:
        of_cards = _columns(hands, features, part)
        known = [of_cards, hands.bid[part], hands.points[part], _around(hands, part, around)]
        rows = np.column_stack(known)
        sums.add(rows, hands.players_of(part, hands.maker[part]), hands.fold[part])
    weights = sums.fit(points, np.arange(cards))
    fits = (weights, sums.fit(bid, np.arange(cards)), sums.fit(points, np.arange(cards + 1)))
    predicted = []
    for part in portions:
        fold = hands.fold[part]
        rows = np.column_stack([_columns(hands, features, part), hands.bid[part]])
        # What each fit says, by the other folds.
        predicted.append([(rows[:, : fit.shape[1]] * fit[fold]).sum(axis=1) for fit in fits])
    expected, usual_bid, with_bid = np.hstack(predicted)
    maker = hands.maker[fitted]
    contracts = Contracts(
        hand=fitted,
        place=hands.sitting[fitted] * hands.seats + maker,
        chosen=hands.chosen[fitted, maker],
        expected=expected,
        taken=hands.points[fitted] - expected,
        bid=hands.bid[fitted] - usual_bid,
        played=hands.points[fitted] - with_bid,
    )
    return Judged(features, weights, contracts, _judged_calls(hands, features, weights))


def _columns(hands: Hands, features: FeatureTables, places: Integers) -> Floats:
    """Return the columns of contracts: 1, places after the dealer, features of the cards."""
    maker, trump = hands.maker[places], hands.trump[places]
    held, off_ranks = hands.held[places, maker], hands.off_ranks[places]
    found = np.empty((len(places), hands.seats + len(features.names)))
    found[:, 0] = 1
    after = hands.from_dealer[places, maker]
    found[:, 1 : hands.seats] = after[:, None] == np.arange(1, hands.seats)
    for suit in np.unique(trump):
        for kind in np.unique(off_ranks):
            chosen = (trump == suit) & (off_ranks == kind)
            found[chosen, hands.seats :] = holdings.features_of(
                features, held[chosen], int(suit), off_ranks=int(kind)
            )
    return found


def _around(hands: Hands, places: Integers, players: int) -> Floats:
    """Return how often each of the first players is a partner, and an opponent, of the maker."""
    found = np.zeros((len(places), 2 * players))
    if not players:
        return found
    maker, rows = hands.maker[places], np.arange(len(places))
    side = hands.side[places, maker]
    for seat in range(hands.seats):
        others = maker != seat
        against = hands.side[places, seat] != side
        column = hands.sitting_player[hands.sitting[places], seat] + players * against
        found[rows[others], column[others]] += 1
    return found


# --- Calls


def _judged_calls(hands: Hands, features: FeatureTables, weights: Floats) -> JudgedCalls:
    calls = hands.calls
    known = hands.held[calls.hand, calls.seat] != NOT_KNOWN
    hand, seat, lowest = calls.hand[known], calls.seat[known], calls.lowest[known]
    is_bid, over = calls.is_bid[known], calls.over[known]
    expected = _expected_points(hands, features, weights, hand, seat)
    margin = expected - lowest
    tenth = tenths_of(margin, edges_of(margin))
    partner = hands.side[hand, over] == hands.side[hand, seat]
    holder = np.where(over == NOBODY, 0, np.where(partner, 1, 2)).astype(np.int8)
    return JudgedCalls(
        hand=hand,
        seat=seat,
        is_bid=is_bid,
        over=over,
        lowest=lowest,
        place=(hands.sitting[hand] * hands.seats + seat).astype(np.int32),
        chosen=hands.chosen[hand, seat],
        expected=expected,
        tenth=tenth,
        holder=holder,
        rate=rates_of(tenth * len(HOLDERS) + holder, is_bid, hands.fold[hand]),
    )


def edges_of(margin: Floats) -> Floats:
    """Return the margins between the tenths of calls with these margins; none without calls."""
    return np.quantile(margin, np.arange(1, TENTHS) / TENTHS) if len(margin) else np.empty(0)


def tenths_of(margin: Floats, edges: Floats) -> Integers:
    """Return which tenth margins fall in, 0 for the lowest."""
    return np.searchsorted(edges, margin, side="right").astype(np.int8)


def _expected_points(
    hands: Hands, features: FeatureTables, weights: Floats, hand: Integers, seat: Integers
) -> Floats:
    """Return the points the field takes with the best suit of seats of hands, by other folds."""
    found = np.empty(len(hand), dtype=np.float32)
    fold, off_ranks = hands.fold[hand], hands.off_ranks[hand]
    held, after = hands.held[hand, seat], hands.from_dealer[hand, seat]
    for number in range(FOLDS):
        # The first place after the dealer's own has no weight beside that of 1.
        of_seats = weights[number, : hands.seats].copy()
        of_seats[1:] += of_seats[0]
        of_cards = weights[number, hands.seats :]
        for kind in np.unique(off_ranks):
            chosen = np.flatnonzero((fold == number) & (off_ranks == kind))
            of_suits = holdings.worth(features, of_cards, held[chosen], off_ranks=int(kind))
            found[chosen] = of_suits.max(axis=1) + of_seats[after[chosen]]
    return found


def rates_of(cell: Integers, is_bid: Flags, fold: Integers) -> Floats:
    """Return how often calls in the same cell were bids, in all folds but the call's own.

    Every cell has one call more than there are, which counts as all calls do on the average.
    """
    cells = TENTHS * len(HOLDERS)
    at = fold * cells + cell
    calls = np.bincount(at, minlength=FOLDS * cells).reshape(FOLDS, cells)
    bids = np.bincount(at, weights=is_bid, minlength=FOLDS * cells).reshape(FOLDS, cells)
    whole = bids.sum() / max(1, calls.sum())
    rates = (bids.sum(axis=0) - bids + whole) / (calls.sum(axis=0) - calls + 1)
    found: Floats = rates.astype(np.float32).reshape(-1)[at]
    return found


# --- Linear fits

_COLUMN_RIDGE: Final = 1.0
"""Holds a column back, once it is scaled to a variance of one."""
_OWN_RIDGE: Final = 0.5
_AROUND_RIDGE: Final = 8.0
_STEADY: Final = 1e-9
"""Variance up to which a column says the same of every row."""


class Sums:
    """Sums of squares and products, by fold, of which every fit is made, in closed form.

    A fit has a number for each column, one for each player whose row it is, and one for each player
    around the table. The player's own number keeps a bold bidder from teaching the fit that such
    cards are bid so; only the columns are taken out of what is judged afterwards. With ``x`` the
    columns, ``p`` the player and ``q`` the others of a row, the fit is the least of

        sum((y - c - x b - own[p] - sum(around[q])) ** 2)
            + sum(var(x) b ** 2) + 0.5 sum(own ** 2) + 8 sum(around ** 2)

    The own numbers follow from the rest by ``own[p] = sum(residual) / (rows + 0.5)``, so they are
    taken out of the equations beforehand, and any number of players costs nothing.

    A row has ``columns`` numbers, of which the first is always 1, and ``around`` numbers after
    them, how often each player sits around it. What is fitted is a column, too.
    """

    def __init__(self, columns: int, around: int, players: int) -> None:
        size = columns + around
        self._columns, self._players = columns, players
        self._products = np.zeros((FOLDS, size, size))
        self._own = np.zeros((size, FOLDS * players))

    def add(self, rows: Floats, player: Integers, fold: Integers) -> None:
        """Add some rows, with the player and the fold of each."""
        for number in range(FOLDS):
            chosen = rows[fold == number]
            self._products[number] += chosen.T @ chosen
        cell = fold.astype(np.int64) * self._players + player
        for column, numbers in enumerate(rows.T):
            self._own[column] += np.bincount(cell, weights=numbers, minlength=self._own.shape[1])

    def fit(self, target: int, by: Integers) -> Floats:
        """Return the weights of columns, a row for each fold, made of all other folds.

        ``target`` is the column that is fitted, ``by`` the columns it is fitted by, of which the
        first is 0. Those around the table are always in the fit and left out of what is returned.
        """
        used = np.concatenate([by, np.arange(self._columns, len(self._own))])
        by_fold = self._own.reshape(len(self._own), FOLDS, self._players)
        found = []
        for fold in range(FOLDS):
            products = self._products.sum(axis=0) - self._products[fold]
            mean = products[0] / products[0, 0]
            variance = np.diag(products) / products[0, 0] - mean**2
            # A column that never changes gets a weight of nothing.
            ridge = _COLUMN_RIDGE * np.where(variance > _STEADY, variance, 1.0)
            ridge[self._columns :] = _AROUND_RIDGE
            ridge[0] = 0.0
            own = by_fold.sum(axis=1) - by_fold[:, fold]
            shrunk = own / np.sqrt(own[0] + _OWN_RIDGE)
            products = products - shrunk @ shrunk.T
            matrix = products[np.ix_(used, used)] + np.diag(ridge[used])
            found.append(np.linalg.solve(matrix, products[used, target])[: len(by)])
        return np.stack(found)
