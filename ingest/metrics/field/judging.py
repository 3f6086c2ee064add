"""All hands of one kind of table, judged by what the field does with the same cards.

Three things are fitted to the cards that makers held: the points they took, the bid, and the points
they took with the bid. A hand is judged by fits that have not seen its game. What is left of it,
above or below what the cards say, is the player's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.field.holdings import (
    NOT_KNOWN,
    FeatureTables,
    Flags,
    Floats,
    Integers,
    feature_tables,
    features_of,
    is_many,
    worth,
)
from tricklog.ingest.metrics.field.reading import FOLDS, NOBODY, Hands, Table, read_hands
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
class JudgedCalls:
    """Free calls by players whose cards are known, an entry each, in the order of play."""

    hand: Integers
    seat: Integers
    place: Integers
    """Sitting and seat of the caller, as in ``Contracts``."""
    chosen: Flags
    is_bid: Flags
    lowest: Integers
    expected: Floats
    """Points the field takes with the caller's best suit as trumps."""
    tenth: Integers
    """Which tenth of all free calls ``expected - lowest`` falls in, 0 for the lowest."""
    holder: Integers
    """Who held the bid: a place in ``HOLDERS``."""
    rate: Floats
    """How often the field bids there: the share of bids in this tenth with this holder."""

    @property
    def margin(self) -> Floats:
        """Points expected less the least bid."""
        found: Floats = self.expected - self.lowest
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
        if self.scope is Scope.OWN:
            first = message("The field is everybody who plays in these hands.")
            return (first, *self._sampled())
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
        everybody = message(
            "These hands have {contracts} in {games}; a comparison takes {fewest} in "
            "{fewest_games}. So the field is the whole warehouse, samples and bots included.",
            **values,
        )
        return (everybody, *self._sampled())

    def _sampled(self) -> tuple[Message, ...]:
        every = self.hands.every
        return (message("One game in {every} is read.", every=every),) if every > 1 else ()


def study(connection: DuckDBPyConnection, table: Table, filters: Filters = EVERYTHING) -> Study:
    """Judge the hands of a kind of table by what the field does with the same cards.

    The field is everybody in the hands under the filters where these have 30 games and 150
    contracts, else everybody in the warehouse, else nobody. A player among the filters is passed
    over: everybody is judged. A million hands take some seconds and, while kept, 280 MB. What this
    returns depends only on the snapshot, the table and the filters, so a caller may keep it.

    Raises ``FigureError`` for a dimension that players in hands do not have.
    """
    hands = read_hands(connection, table, filters)
    fitted = _fitted(hands)
    games, contracts = _games(hands, fitted), len(fitted)
    scope = Scope.OWN
    if not _is_enough(hands, fitted):
        hands = read_hands(connection, table, filters, everything=True)
        fitted = _fitted(hands)
        scope = Scope.WAREHOUSE if _is_enough(hands, fitted) else Scope.NONE
    judged = None if scope is Scope.NONE else judge(hands, fitted)
    return Study(table, scope, games, contracts, hands, judged)


def _fitted(hands: Hands) -> Integers:
    """Return the places of hands with a contract whose maker's cards and trumps are known."""
    held = np.take_along_axis(hands.held, np.maximum(hands.maker, 0)[:, None], axis=1)[:, 0]
    return np.flatnonzero(hands.contract & (hands.trump != NOBODY) & (held != NOT_KNOWN))


def _games(hands: Hands, places: Integers) -> int:
    return len(np.unique(hands.sitting_game[hands.sitting[places]]))


def _is_enough(hands: Hands, fitted: Integers) -> bool:
    return len(fitted) >= FEWEST_CONTRACTS and _games(hands, fitted) >= FEWEST_GAMES


def judge(hands: Hands, fitted: Integers) -> Judged:
    """Fit the field to contracts, by their places in ``hands``, and judge contracts and calls."""
    features = feature_tables(hands.family, many=is_many(hands.packet))
    cards = hands.seats + len(features.names)
    players = len(hands.players)
    around = players if players <= _MOST_AROUND else 0
    bid, points = cards, cards + 1
    sums = Sums(columns=cards + 2, around=2 * around, players=players)
    portion = _PORTION // 10 if around else _PORTION
    portions = [fitted[at : at + portion] for at in range(0, len(fitted), portion)]
    for part in portions:
        columns = [_columns(hands, features, part), hands.bid[part], hands.points[part]]
        rows = np.column_stack([*columns, _around(hands, part, around)])
        sums.add(rows, hands.players_of(part, hands.maker[part]), hands.fold[part])
    by_cards = np.arange(cards)
    weights = sums.fit(points, by_cards)
    fits = (weights, sums.fit(bid, by_cards), sums.fit(points, np.arange(cards + 1)))
    predicted = np.vstack([_predicted(hands, features, part, fits) for part in portions])
    contracts = _contracts(hands, fitted, predicted)
    return Judged(features, weights, contracts, _judged_calls(hands, features, weights))


def _columns(hands: Hands, features: FeatureTables, places: Integers) -> Floats:
    """Return the columns of contracts: 1, places after the dealer, features of the cards."""
    maker, trump = hands.maker[places], hands.trump[places]
    held = hands.held[places, maker]
    after = hands.from_dealer[places, maker]
    found = np.empty((len(places), hands.seats + len(features.names)))
    found[:, 0] = 1
    found[:, 1 : hands.seats] = after[:, None] == np.arange(1, hands.seats)
    off_ranks = hands.off_ranks[places]
    kinds = np.unique(off_ranks)
    for suit in np.unique(trump):
        for kind in kinds:
            chosen = (trump == suit) & (off_ranks == kind)
            of_cards = features_of(features, held[chosen], int(suit), off_ranks=int(kind))
            found[chosen, hands.seats :] = of_cards
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


def _predicted(
    hands: Hands, features: FeatureTables, places: Integers, fits: tuple[Floats, ...]
) -> Floats:
    """Return what each fit says of contracts, by the other folds: contracts by fits."""
    columns, fold = _columns(hands, features, places), hands.fold[places]
    with_bid = np.column_stack([columns, hands.bid[places]])
    return np.column_stack([(with_bid[:, : fit.shape[1]] * fit[fold]).sum(axis=1) for fit in fits])


def _contracts(hands: Hands, fitted: Integers, predicted: Floats) -> Contracts:
    maker = hands.maker[fitted]
    bid, points = hands.bid[fitted], hands.points[fitted]
    return Contracts(
        hand=fitted,
        place=hands.sitting[fitted] * hands.seats + maker,
        chosen=hands.chosen[fitted, maker],
        expected=predicted[:, 0],
        taken=points - predicted[:, 0],
        bid=bid - predicted[:, 1],
        played=points - predicted[:, 2],
    )


# --- Calls


def _judged_calls(hands: Hands, features: FeatureTables, weights: Floats) -> JudgedCalls:
    calls = hands.calls
    known = hands.held[calls.hand, calls.seat] != NOT_KNOWN
    hand, seat, lowest = calls.hand[known], calls.seat[known], calls.lowest[known]
    is_bid, over = calls.is_bid[known], calls.over[known]
    expected = expected_points(hands, features, weights, hand, seat)
    margin = expected - lowest
    tenth = tenths_of(margin, edges_of(margin))
    partner = hands.side[hand, over] == hands.side[hand, seat]
    holder = np.where(over == NOBODY, 0, np.where(partner, 1, 2)).astype(np.int8)
    return JudgedCalls(
        hand=hand,
        seat=seat,
        place=(hands.sitting[hand] * hands.seats + seat).astype(np.int32),
        chosen=hands.chosen[hand, seat],
        is_bid=is_bid,
        lowest=lowest,
        expected=expected,
        tenth=tenth,
        holder=holder,
        rate=rates_of(tenth * len(HOLDERS) + holder, is_bid, hands.fold[hand]),
    )


def edges_of(margin: Floats) -> Floats:
    """Return the margins between the tenths of calls with these margins; none without calls."""
    if not len(margin):
        return np.empty(0)
    found: Floats = np.quantile(margin, np.arange(1, TENTHS) / TENTHS)
    return found


def tenths_of(margin: Floats, edges: Floats) -> Integers:
    """Return which tenth margins fall in, 0 for the lowest."""
    return np.searchsorted(edges, margin, side="right").astype(np.int8)


def expected_points(
    hands: Hands, features: FeatureTables, weights: Floats, hand: Integers, seat: Integers
) -> Floats:
    """Return the points the field takes with the best suit of seats of hands, by other folds."""
    found = np.empty(len(hand), dtype=np.float32)
    fold, off_ranks = hands.fold[hand], hands.off_ranks[hand]
    kinds = np.unique(off_ranks)
    held, after = hands.held[hand, seat], hands.from_dealer[hand, seat]
    for number in range(FOLDS):
        # The first place after the dealer's own has no weight beside that of 1.
        of_seats = weights[number, : hands.seats].copy()
        of_seats[1:] += of_seats[0]
        for kind in kinds:
            chosen = np.flatnonzero((fold == number) & (off_ranks == kind))
            of_suits = worth(
                features, weights[number, hands.seats :], held[chosen], off_ranks=int(kind)
            )
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

COLUMN_RIDGE: Final = 1.0
"""Holds a column back, once it is scaled to a variance of one."""
OWN_RIDGE: Final = 0.5
AROUND_RIDGE: Final = 8.0
_STEADY: Final = 1e-9
"""Variance up to which a column says the same of every row."""


@dataclass(slots=True)
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

    columns: int
    around: int
    players: int
    """How many players rows may belong to."""
    products: Floats = field(init=False)
    """By fold, column and column."""
    own: Floats = field(init=False)
    """By column, fold and player: sums over the rows of the player."""

    def __post_init__(self) -> None:
        size = self.columns + self.around
        self.products = np.zeros((FOLDS, size, size))
        self.own = np.zeros((size, FOLDS * self.players))

    def add(self, rows: Floats, player: Integers, fold: Integers) -> None:
        """Add some rows, with the player and the fold of each."""
        for number in range(FOLDS):
            chosen = rows[fold == number]
            self.products[number] += chosen.T @ chosen
        cell = fold.astype(np.int64) * self.players + player
        for column, numbers in enumerate(rows.T):
            self.own[column] += np.bincount(cell, weights=numbers, minlength=self.own.shape[1])

    def fit(self, target: int, by: Integers) -> Floats:
        """Return the weights of columns, a row for each fold, made of all other folds.

        ``target`` is the column that is fitted, ``by`` the columns it is fitted by, of which the
        first is 0. Those around the table are always in the fit and left out of what is returned.
        """
        used = np.concatenate([by, np.arange(self.columns, self.columns + self.around)])
        return np.stack([self._without(fold, target, used)[: len(by)] for fold in range(FOLDS)])

    def _without(self, fold: int, target: int, used: Integers) -> Floats:
        products = self.products.sum(axis=0) - self.products[fold]
        by_fold = self.own.reshape(len(self.own), FOLDS, self.players)
        own = by_fold.sum(axis=1) - by_fold[:, fold]
        shrunk = own / np.sqrt(own[0] + OWN_RIDGE)
        products = products - shrunk @ shrunk.T
        matrix = products[np.ix_(used, used)] + np.diag(self._ridge(fold, used))
        return np.linalg.solve(matrix, products[used, target])

    def _ridge(self, fold: int, used: Integers) -> Floats:
        products = self.products.sum(axis=0) - self.products[fold]
        mean = products[0] / products[0, 0]
        variance = np.diag(products) / products[0, 0] - mean**2
        # A column that never changes gets a weight of nothing.
        ridge = COLUMN_RIDGE * np.where(variance > _STEADY, variance, 1.0)
        ridge[self.columns :] = AROUND_RIDGE
        ridge[0] = 0.0
        return ridge[used]
