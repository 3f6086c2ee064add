"""The hands of one kind of table as arrays: who held what, who called what, what came of it.

One query reads a table's hands. What a call was is read from its number in the warehouse, which
``tricklog.schemas.codes`` explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.built_in import METRIC
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.field import holdings
from tricklog.ingest.metrics.field.holdings import NOT_KNOWN, Flags, Floats, Integers
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import Grain, Level, facts_for
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.sql import run
from tricklog.schemas.actions import MAX_BID, Verb
from tricklog.schemas.cards import FIVE, JACK
from tricklog.schemas.codes import NOBODY_BID

if TYPE_CHECKING:
    import pyarrow as pa

MOST_HANDS: Final = 1_000_000
"""Of more hands of one kind of table, every second game is read, or every third, and so on."""
NOBODY: Final = -1
FOLDS: Final = 10
"""Parts of the games, each judged by the others."""
_CONTRACTS: Final = METRIC["made-rate"]
_EVERY_SEAT: Final = 127


@dataclass(frozen=True, slots=True)
class Table:
    """A kind of table: a variant, and how many play it, in partnerships or not."""

    variant: str
    seating: str
    """As the dimension ``seating`` has it, such as ``4 partners``."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Free calls of the auction, an entry each, in the order of the hands and of the calls.

    A call is free when the caller had a choice, could bid a number, and did not hold the bid.
    """

    hand: Integers
    """Place of the hand in ``Hands``."""
    seat: Integers
    is_bid: Flags
    """A bid, or a ditto that holds one; else a pass."""
    over: Integers
    """The seat whose bid stood, ``NOBODY`` without one."""
    lowest: Integers
    """The lowest number the caller might have bid."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands of one kind of table, an entry each; where it says so, one for each seat of a hand."""

    table: Table
    family: str
    pack_points: int
    """Card points of the pack; of several rules, as most hands have them."""
    packet: int
    """Cards that a seat holds in the auction, likewise."""
    usual_off_ranks: int
    """``off_ranks``, likewise."""
    players: tuple[str, ...]
    """Everybody who sat there; elsewhere a player is a place in here."""
    seats: int
    every: int
    """One game in so many is read."""
    hand: Integers
    """``games.hands.hand_no``."""
    fold: Integers
    """Which tenth of the games the game belongs to, by its id."""
    sitting: Integers
    """Game and seating: a place in the next two."""
    sitting_game: Integers
    sitting_player: Integers
    """By sitting and seat."""
    side: Integers
    """By seat."""
    from_dealer: Integers
    """By seat: places after the dealer in the direction of play."""
    held: Integers
    """By seat: the set of cards held in the auction, ``NOT_KNOWN`` where one is not recorded."""
    off_ranks: Integers
    """Ranks, a bit each, of which the card of the other suit of the trump colour is a trump."""
    chosen: Flags
    """By seat: whether the filters let it through."""
    maker: Integers
    """The seat, ``NOBODY`` without."""
    trump: Integers
    """The suit, ``NOBODY`` where none was named openly or in secret."""
    contract: Flags
    """Whether the maker chose to bid for it, with partners as usual, and it was made or set."""
    bid: Floats
    """In card points; a bid above the highest number is all points of the pack."""
    points: Floats
    """What the makers took."""
    made: Flags
    gain: Floats
    """By seat: what the hand added to the score of the side less what it added to the others',
    on the average of these; NaN without a result."""
    calls: Calls

    def players_of(self, hand: Integers, seat: Integers) -> Integers:
        """Return who sat at seats of hands."""
        found: Integers = self.sitting_player[self.sitting[hand], seat]
        return found

    def games_of(self, hand: Integers) -> Integers:
        """Return the games of hands."""
        found: Integers = self.sitting_game[self.sitting[hand]]
        return found


def tables(connection: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the kinds of tables with contracts under the filters, those with most first.

    Columns: ``variant``, ``seating``, ``contracts`` that the maker chose to bid, ``games`` and
    ``makers`` of these. A player among the filters is passed over.

    Raises ``FigureError`` for a dimension that players in hands do not have.
    """
    condition, parameters = rows_of(connection, _CONTRACTS, filters.also("player"))
    return run(
        connection,
        "SELECT variant, seating, count(*) AS contracts, count(DISTINCT game_no) AS games, "  # noqa: S608 - names of our own
        f"count(DISTINCT player) AS makers FROM seat_facts "
        f"WHERE ({_CONTRACTS.cases}) AND {condition} "
        "GROUP BY variant, seating ORDER BY contracts DESC, variant, seating",
        parameters,
    )


def read_hands(
    connection: DuckDBPyConnection, table: Table, filters: Filters, *, everything: bool = False
) -> Hands:
    """Return the hands of a kind of table under the filters, a player among them passed over.

    With ``everything`` all valid hands of the warehouse are read, and ``chosen`` says which seats
    the filters let through.

    Raises ``FigureError`` for a dimension that players in hands do not have.
    """
    pinned = filters.also("player").also("seating").also("variant", table.variant)
    read, parameters = _chosen(connection, pinned)
    chosen = "FROM read"
    if everything:
        # Only the variant has a parameter there, and its name must not be that of another.
        chosen, read = read, _chosen(connection, Filters.of({"variant": table.variant}))[0]
        read = read.replace("$p0", "$table_variant")
    parameters |= {"seating": table.seating, "table_variant": table.variant}
    parameters |= {"five": 1 << FIVE, "jack": 1 << JACK, "most": MOST_HANDS, "folds": FOLDS}
    seatings, rows = (
        # A query takes those of the parameters that it names.
        connection.cursor()
        .sql(sql, params={name: each for name, each in parameters.items() if f"${name}" in sql})
        .to_arrow_table()
        for sql in (_SEATINGS, _HANDS.format(read=read, chosen=chosen))
    )
    return _hands_of(table, seatings, rows)


def _chosen(connection: DuckDBPyConnection, filters: Filters) -> tuple[str, dict[str, Any]]:
    """Return a query for hands, games and the seats that filters let through, one bit each."""
    condition, parameters = rows_of(connection, _CONTRACTS, filters)
    facts = facts_for(Grain.SEAT, condition)
    if all(DIMENSION[name].level == Level.HAND for name, _ in filters.chosen):
        return (
            f"SELECT hand_no, game_no, {_EVERY_SEAT} AS seats FROM {facts} "  # noqa: S608 - names of our own
            f"WHERE first_of_hand AND {condition}"
        ), parameters
    return (
        "SELECT hand_no, any_value(game_no) AS game_no, bit_or(1 << seat::INTEGER) AS seats "  # noqa: S608 - names of our own
        f"FROM {facts} WHERE {condition} GROUP BY hand_no"
    ), parameters


_SEATINGS: Final = """
SELECT
    seating_id::BIGINT AS seating_id,
    [each.id FOR each IN players] AS sitting,
    seat_sides::BIGINT[] AS sides,
    CASE policies->>'direction' WHEN 'clockwise' THEN 1 ELSE -1 END::BIGINT AS step,
    coalesce((policies->>'off_five') = 'true', FALSE)::BIGINT * $five
        + coalesce((policies->>'off_jack') = 'true', FALSE)::BIGINT * $jack AS off_ranks,
    total_points::BIGINT AS total_points,
    family,
    CASE policies->>'deal'
        WHEN 'whole-pack'
        THEN
            (4 * len(policies->>'ranks') + ((policies->>'joker') = 'true')::INTEGER)
            // len(players)
        ELSE (policies->>'$.packets[0]')::BIGINT
    END::BIGINT AS packet
FROM games.seatings
JOIN games.rulesets USING (ruleset)
WHERE variant = $table_variant AND games.seating(seat_sides) = $seating
ORDER BY seating_id
"""
_HANDS: Final = """
WITH read AS ({read}), chosen AS ({chosen}),
numbered AS (SELECT game_no, md5_number_lower(game) AS game_hash FROM games.games),
seated AS (
    SELECT seating_id FROM games.seatings JOIN games.rulesets USING (ruleset)
    WHERE variant = $table_variant AND games.seating(seat_sides) = $seating
),
counted AS (
    SELECT greatest(1, ceil(count(*) / $most))::BIGINT AS every
    FROM read JOIN games.hands USING (hand_no) SEMI JOIN seated USING (seating_id)
)
SELECT
    hands.hand_no,
    read.game_no,
    (coalesce(game_hash, md5_number_lower(hands.hand_id)) % $folds)::TINYINT AS fold,
    hands.seating_id,
    coalesce(chosen.seats, 0)::TINYINT AS seats,
    hands.dealer,
    coalesce(hands.maker::TINYINT, -1) AS maker,
    coalesce(hands.trump_code, -1) AS trump,
    coalesce(hands.bid, 0) AS bid,
    coalesce(
        result IN ('made', 'set') AND bid IS NOT NULL AND NOT forced AND alone_by IS NULL, FALSE
    ) AS contract,
    coalesce(result = 'made', FALSE) AS made,
    coalesce(hands.points, []) AS points,
    coalesce(hands.change, []) AS change,
    hands.call_facts AS calls,
    split_part(hands.deal, ',', 1) || ',' AS deal,
    every
FROM read
JOIN games.hands USING (hand_no)
SEMI JOIN seated USING (seating_id)
CROSS JOIN counted
LEFT JOIN chosen USING (hand_no)
LEFT JOIN numbered ON numbered.game_no = read.game_no
WHERE coalesce(game_hash, md5_number_lower(hands.hand_id)) // $folds % every = 0
ORDER BY hands.hand_no
"""


# --- From rows to arrays


def _hands_of(table: Table, seatings: pa.Table, rows: pa.Table) -> Hands:
    seats = int(table.seating.split(" ")[0])
    names, sitting_names = _places_of(seatings["sitting"].combine_chunks().flatten())
    families, of_families = _places_of(seatings["family"].combine_chunks())
    where = np.searchsorted(_numbers(seatings, "seating_id"), _numbers(rows, "seating_id"))
    step, packet, total, off_ranks = (
        _numbers(seatings, name)[where] for name in ("step", "packet", "total_points", "off_ranks")
    )
    # A game may change its seating, and a seating has many games.
    seating_count = max(1, len(seatings))
    pairs, sitting = np.unique(
        _numbers(rows, "game_no") * seating_count + where, return_inverse=True
    )
    games, seating_of_sitting = np.divmod(pairs, seating_count)
    maker, trump, bid = (_numbers(rows, name) for name in ("maker", "trump", "bid"))
    sides = seatings["sides"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    side = sides.reshape(-1, seats)[where].astype(np.int8)
    makers = np.take_along_axis(side, np.maximum(maker, 0)[:, None], axis=1)
    after_dealer = np.arange(seats) - _numbers(rows, "dealer")[:, None]
    present, sitting_player = np.unique(
        sitting_names.reshape(-1, seats)[seating_of_sitting], return_inverse=True
    )
    held = np.full((len(where), seats), NOT_KNOWN, dtype=np.int64)
    for size in np.unique(packet):
        chosen = np.flatnonzero(packet == size)
        deals = rows["deal"] if len(chosen) == len(packet) else rows["deal"].take(chosen)
        held[chosen] = holdings.read_holdings(deals, seats, int(size))
    change = _by_side(rows, "change", side)
    own = np.take_along_axis(change, side, axis=1)
    others = change.sum(axis=1, keepdims=True) - own
    return Hands(
        table=table,
        family=families[_commonest(of_families[where])] if len(where) else "",
        pack_points=_commonest(total),
        packet=_commonest(packet),
        usual_off_ranks=_commonest(off_ranks),
        players=tuple(names[each] for each in present.tolist()),
        seats=seats,
        every=_commonest(_numbers(rows, "every")) or 1,
        hand=_numbers(rows, "hand_no"),
        fold=_numbers(rows, "fold"),
        sitting=sitting.astype(np.int32),
        sitting_game=np.unique(games, return_inverse=True)[1],
        sitting_player=sitting_player.reshape(-1, seats),
        side=side,
        from_dealer=(after_dealer * step[:, None] % seats).astype(np.int8),
        held=held,
        off_ranks=off_ranks.astype(np.int16),
        chosen=(_numbers(rows, "seats")[:, None] >> np.arange(seats) & 1).astype(bool),
        maker=maker.astype(np.int8),
        trump=np.where((trump >= 0) & (trump < holdings.SUIT_COUNT), trump, NOBODY).astype(np.int8),
        contract=_numbers(rows, "contract").astype(bool) & (maker >= 0),
        bid=np.where(bid > MAX_BID, total, bid).astype(float),
        points=np.take_along_axis(_by_side(rows, "points", side), makers, axis=1)
        .reshape(-1)
        .astype(float),
        made=_numbers(rows, "made").astype(bool),
        gain=own - others / max(1, change.shape[1] - 1),
        calls=_calls_of(rows),
    )


def _numbers(rows: pa.Table, name: str) -> Integers:
    found: Integers = rows[name].to_numpy().astype(np.int64)
    return found


def _places_of(texts: pa.Array) -> tuple[list[str], Integers]:
    """Return different texts in their order, and the place of each text among them."""
    known = pl.Series(texts).cast(pl.String)
    return known.unique().sort().to_list(), known.rank("dense").to_numpy().astype(np.int64) - 1


def _commonest(values: Integers) -> int:
    """Return the number that comes most often, the lowest of several, 0 of none."""
    each, counts = np.unique(values, return_counts=True)
    return int(each[counts.argmax()]) if len(each) else 0


def _by_side(rows: pa.Table, name: str, side: Integers) -> Floats:
    """Return the numbers of a list by side, hands by sides; NaN where the hand has none."""
    sides = int(side.max(initial=0)) + 1
    column = rows[name].combine_chunks()
    lengths = np.diff(column.offsets.to_numpy())
    whole = lengths == sides
    found = np.full((len(lengths), sides), np.nan, dtype=np.float32)
    values = column.flatten().to_numpy(zero_copy_only=False)
    found[whole] = values[np.repeat(whole, lengths)].reshape(-1, sides)
    return found


def _calls_of(rows: pa.Table) -> Calls:
    column = rows["calls"].combine_chunks()
    lengths = np.diff(column.offsets.to_numpy())
    call = column.flatten().to_numpy(zero_copy_only=False)
    seat, verb, over = call & 7, call >> 3 & 3, call >> 5 & 7
    lowest = call >> 9 & 63 | call >> 27 << 6
    usual = (verb == Verb.BID) | (verb == Verb.PASS) | (verb == Verb.DITTO)
    free = usual & (call >> 8 & 1 == 1) & (lowest > 0) & (over != seat)
    return Calls(
        hand=np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)[free],
        seat=seat[free].astype(np.int8),
        is_bid=verb[free] != Verb.PASS,
        over=np.where(over == NOBODY_BID, NOBODY, over)[free].astype(np.int8),
        lowest=lowest[free].astype(np.int16),
    )
