"""Deals of a warehouse that were played at several tables, and how those tables compare.

Every stored hand gets the name of its deal in SQL, from the columns alone; only hands that are
compared are read and replayed. ``tricklog.core.study.same_deal`` says what the same deal is, and
what is compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from math import sqrt
from operator import itemgetter
from statistics import mean
from typing import Any, Final

import msgspec
import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.core import RulesetError, replay, ruleset_of
from tricklog.core.study import Value
from tricklog.core.study.same_deal import (
    KEY_LENGTH,
    ORDER,
    Compared,
    Table,
    compare,
    deal_key,
    once_each,
    shape_of,
    sides_by_place,
    table_of,
)
from tricklog.ingest.metrics.figure_words import between_text
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS, Z_95, student
from tricklog.ingest.study.rows import lists_of
from tricklog.ingest.warehouses import stored_hand
from tricklog.schemas.actions import bid_name
from tricklog.schemas.cards import CARD_COUNT
from tricklog.schemas.codes import ZERO
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import message_in, say
from tricklog.schemas.languages.numbers import localised, number, percent
from tricklog.schemas.render import trump_words

FEWEST_DEALS: Final = FEWEST_GAMES_OF_AMOUNTS
"""Deals that an interval of a pair needs."""


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A deal that several tables have played."""

    key: str
    variant: str
    title: str
    ruleset: str
    tables: int
    """Sets of players, each at their places, that have a hand of it."""
    hands: int
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True, slots=True)
class PairTotal:
    """What players who sat on one side did with cards that others held as well.

    Each deal counts once, whatever the number of their tables. Scores of two rulesets are not of
    one kind, so there is a total for each.
    """

    ruleset: str
    title: str
    players: tuple[str, ...]
    """Sorted; one where each plays alone."""
    deals: int
    score: float
    """The mean duplicate score of a deal, against the mean of the others."""
    score_low: float | None
    """The 95 % interval over deals; ``None`` with fewer than ``FEWEST_DEALS`` or no scatter."""
    score_high: float | None
    share: float
    """The mean share of the matchpoints."""
    share_low: float | None
    share_high: float | None


def shared_deals(snapshot: DuckDBPyConnection) -> list[SharedDeal]:
    """Return the deals that more than one table has played, of most tables and latest first."""
    return [SharedDeal(*row) for row in _asked(snapshot, _SHARED)]


def hands_of(snapshot: DuckDBPyConnection, key: str) -> list[str]:
    """Return the ids of the hands of one deal, in the order in which they were played."""
    return [str(row[0]) for row in _asked(snapshot, _HANDS_OF, key=key)]


def key_of(hand: Hand) -> str | None:
    """Return the name of a hand's deal as the other functions have it; ``None`` without one."""
    try:
        return deal_key(hand, ruleset_of(hand))
    except (RulesetError, ValueError):
        return None


def dealt_in(hand: Hand) -> tuple[int, ...]:
    """Return the cards dealt, as sets, the dealer's first, clockwise; raises as ``replay``."""
    dealt = replay(hand).dealt
    return (*dealt[hand.dealt_by :], *dealt[: hand.dealt_by])


def tables_of(
    snapshot: DuckDBPyConnection, key: str, *, solve: bool = True
) -> tuple[list[Table], list[str]]:
    """Return the tables of a deal that can be compared, and the ids of hands left out.

    Left out are hands that are not valid, and those of players who sit as before: they have seen
    the cards. ``solve``: whether each table has its par, with all cards open.
    """
    tables, left = [], []
    for hand_id in hands_of(snapshot, key):
        table = table_of(replay(stored_hand(snapshot, hand_id)), solve=solve)
        if table is None:
            left.append(hand_id)
        else:
            tables.append(table)
    kept = once_each(tables)
    left += [each.hand for each in tables if each not in kept]
    return kept, left


# --- Totals


def pair_totals(snapshot: DuckDBPyConnection) -> list[PairTotal]:
    """Return what each pair did over shared deals, by ruleset, the most matchpoints first."""
    titles: dict[str, str] = {}
    deals: dict[tuple[str, tuple[str, ...]], list[tuple[Fraction, Fraction]]] = defaultdict(list)
    for ruleset, title, tables in _deals_in(snapshot):
        titles[ruleset] = title
        for players, scores in _by_pair(tables).items():
            deals[ruleset, players].append(scores)
    found: list[PairTotal] = []
    for (ruleset, players), each in deals.items():
        points, shares = ([float(value) for value in column] for column in zip(*each, strict=True))
        counted = ruleset, titles[ruleset], players, len(each)
        low, high = _interval(points)
        least, most = _interval(shares)
        if least is not None:
            least, most = max(0.0, least), min(1.0, most or 0.0)
        score, share = float(np.mean(points)), float(np.mean(shares))
        found.append(PairTotal(*counted, score, low, high, share, least, most))
    return sorted(found, key=lambda each: (each.title, each.ruleset, -each.share, each.players))


def _by_pair(tables: Sequence[Table]) -> dict[tuple[str, ...], tuple[Fraction, Fraction]]:
    """Return by pair the mean duplicate score and share of matchpoints at one deal."""
    each_time: dict[tuple[str, ...], list[Compared]] = defaultdict(list)
    for row in compare(tables):
        each_time[tuple(sorted(tables[row.table].side_players(row.side)))].append(row)
    return {
        players: (mean(row.score for row in rows), mean(row.share for row in rows))
        for players, rows in each_time.items()
    }


def _interval(values: Sequence[float]) -> tuple[float, float] | tuple[None, None]:
    """Return Student's 95 % interval of a mean over deals."""
    count = len(values)
    spread = float(np.std(values, ddof=1)) if count >= FEWEST_DEALS else 0.0
    if spread == 0.0:
        return None, None
    t = float(student(np.array([count - 1.0]), Z_95)[0])
    middle, reach = float(np.mean(values)), t * spread / sqrt(count)
    return middle - reach, middle + reach


def _deals_in(snapshot: DuckDBPyConnection) -> Iterator[tuple[str, str, list[Table]]]:
    """Yield the tables of each deal that several have played, with the rules and their title."""
    for _, deal in groupby(_asked(snapshot, _RESULTS), key=itemgetter(0)):
        rows = list(deal)
        tables = [_table(snapshot, row[3:]) for row in rows]
        yield rows[0][1], rows[0][2], once_each(each for each in tables if each is not None)


def _table(snapshot: DuckDBPyConnection, columns: Sequence[Any]) -> Table | None:
    """Return what columns say of one table; a hand whose change may be cut is replayed."""
    hand, players, seat_sides, maker, bid, trump, result, need, points, change, cut = columns
    if cut:
        return table_of(replay(stored_hand(snapshot, hand)))
    sides = sides_by_place(seat_sides)
    old = [seat_sides[places[0]] for places in sides]
    return Table(
        hand,
        tuple(players),
        sides,
        maker,
        bid,
        trump,
        result,
        need,
        tuple(points[side] for side in old),
        tuple(change[side] for side in old),
    )


# --- In words

_RESULT_WORDS: Final = {
    "made": message_in("the result of a hand", "made"),
    "set": message_in("the result of a hand", "set"),
    "void": message_in("the result of a hand", "void"),
    "thrown_in": message_in("the result of a hand", "thrown in"),
}


def contract_words(table: Table, names: Mapping[str, str]) -> str:
    """Return who undertook what: ``Ann: 9, hearts``; empty for a deal thrown in."""
    if table.maker is None:
        return ""
    player = table.players[table.maker]
    bid = say("no number") if table.bid is None else bid_name(table.bid)
    trump = "" if table.trump is None else f", {trump_words(table.trump)}"
    return f"{names.get(player, player)}: {bid}{trump}"


def result_words(table: Table) -> str:
    """Return how it ended: ``made``, ``thrown in``."""
    return str(_RESULT_WORDS[table.result])


def side_words(table: Table, side: int, names: Mapping[str, str]) -> str:
    """Return who played together on a side: ``Ann & Cy``."""
    return " & ".join(names.get(each, each) for each in table.side_players(side))


def points_words(table: Table) -> str:
    """Return the card points of the sides, that of the dealer first."""
    return " : ".join(map(str, table.points))


def value_words(value: Value | None) -> str:
    """Return a value, or the limits it lies within; empty without one."""
    if value is None:
        return ""
    if value.is_exact:
        return str(value.low)
    return say("{first} to {last}", first=value.low, last=value.high)


def signed(value: Fraction | float) -> str:
    """Return a score with its sign, to one place: ``+4.0``, ``−13.5``, ``0.0``."""
    return number(float(value), 1, sign=True)


def matchpoint_words(row: Compared) -> str:
    """Return the matchpoints out of those there were: ``1.5 of 2``."""
    points = localised(f"{float(row.matchpoints):g}")
    return say("{points} of {most}", points=points, most=row.others)


def score_words(pair: PairTotal) -> str:
    """Return the mean duplicate score with its interval, if there is one."""
    return _with_interval(signed, pair.score, pair.score_low, pair.score_high)


def share_words(pair: PairTotal) -> str:
    """Return the share of the matchpoints with its interval, if there is one."""
    return _with_interval(_share, pair.share, pair.share_low, pair.share_high)


def _with_interval(
    shown: Callable[[float], str], value: float, low: float | None, high: float | None
) -> str:
    if low is None or high is None:
        return shown(value)
    return between_text(shown(value), shown(low), shown(high))


def _share(share: float) -> str:
    return f"{share:.0%}" if current() == ENGLISH else percent(share)


# --- Asking


def _asked(snapshot: DuckDBPyConnection, query: str, **asked: object) -> list[tuple[Any, ...]]:
    """Return the rows of a query over hands that have the name of their deal."""
    rules = snapshot.cursor().execute("SELECT ruleset, policies FROM rulesets").fetchall()
    return (
        snapshot.cursor().execute(f"WITH {_NAMED} {query}", {**_shapes(rules), **asked}).fetchall()
    )


def _shapes(rules: Iterable[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return by column what of a deal matters under each of the rules."""
    rows = []
    for ruleset, policies in rules:
        values = msgspec.json.decode(policies)
        shape = shape_of(values)
        cut = values["clamp"] or values["both_over"] == "count-order"
        each = (shape.packet, shape.last_in_order, shape.stock, shape.kitty)
        rows.append((ruleset, *each, bool(cut)))
    names = ("rules", "packets", "last_in_order", "stocks", "kitties", "cut")
    return lists_of(names, rows)


_SORTED: Final = "array_to_string(list_sort(string_split({code}, '')), '')"
_DEALERS_CARDS: Final = " | ".join(
    f"CASE WHEN contains(cards, '{chr(ZERO + card)}') THEN {1 << card} ELSE 0 END"
    for card in range(CARD_COUNT)
)
_NAMED: Final = f"""
    holdings AS MATERIALIZED (
        SELECT hand_no, {_DEALERS_CARDS} AS held
        FROM (
            SELECT hand_no, split_part(split_part(deal, ',', 1), ' ', dealer + 1) AS cards
            FROM hands
            WHERE NOT starts_with(deal, '-')
        )
    ),
    alike AS (
        SELECT hand_no
        FROM holdings
        WHERE held IN (SELECT held FROM holdings GROUP BY held HAVING count(*) > 1)
    ),
    shapes AS (
        SELECT
            unnest($rules) AS ruleset,
            unnest($packets) AS packet,
            unnest($last_in_order) AS last_in_order,
            unnest($stocks) AS uses_stock,
            unnest($kitties) AS uses_kitty,
            unnest($cut) AS cut
    ),
    dealt AS (
        SELECT
            hand_no,
            hand_id,
            ruleset,
            dealer,
            string_split(split_part(deal, ',', 1), ' ') AS hands_dealt,
            CASE WHEN uses_stock > 0 THEN split_part(deal, ',', 2) ELSE '' END AS stock,
            CASE WHEN uses_kitty > 0 THEN split_part(deal, ',', 3) ELSE '' END AS kitty,
            packet,
            last_in_order,
            uses_stock,
            cut
        FROM hands
        JOIN seatings USING (seating_id)
        JOIN shapes USING (ruleset)
        WHERE hand_no IN (FROM alike)
    ),
    texts AS (
        SELECT
            *,
            concat(
                ruleset,
                ',',
                array_to_string([
                    concat(
                        {_SORTED.format(code="left(cards, packet)")},
                        '+',
                        CASE
                            WHEN last_in_order THEN substr(cards, packet + 1)
                            ELSE {_SORTED.format(code="substr(cards, packet + 1)")}
                        END
                    )
                    FOR cards IN list_concat(
                        list_slice(hands_dealt, dealer + 1, len(hands_dealt)),
                        list_slice(hands_dealt, 1, dealer)
                    )
                ], ' '),
                ',',
                CASE WHEN uses_stock = {ORDER} THEN stock ELSE {_SORTED.format(code="stock")} END,
                ',',
                {_SORTED.format(code="kitty")}
            ) AS text
        FROM dealt
    ),
    named AS (
        SELECT hand_no, cut, left(md5(text), {KEY_LENGTH}) AS deal_key
        FROM texts
        WHERE NOT regexp_matches(text, '[-./]')
    ),
    seated AS (
        SELECT
            *,
            [
                player.id
                FOR player IN list_concat(
                    list_slice(players, dealer + 1, len(players)), list_slice(players, 1, dealer)
                )
            ] AS by_place
        FROM named
        JOIN hands USING (hand_no)
        JOIN seatings USING (seating_id)
        WHERE deal_key IN (SELECT deal_key FROM named GROUP BY deal_key HAVING count(*) > 1)
    )
"""  # noqa: S608 - names of our own
"""``named`` are hands with the name of their deal. Left out before are those whose dealer holds
what no other dealer held: that is quickly seen, and leaves few cards to put in order. ``seated``
are those whose deal more than one hand has."""

_SHARED: Final = """
SELECT
    deal_key,
    any_value(variant),
    any_value(title),
    any_value(ruleset),
    count(DISTINCT by_place) AS tables,
    count(*),
    min(coalesce(first_day, day)),
    max(coalesce(first_day, day)) AS last_day
FROM seated
JOIN rulesets USING (ruleset)
LEFT JOIN (SELECT game, first_day FROM games) USING (game)
GROUP BY deal_key
HAVING count(DISTINCT by_place) > 1
ORDER BY tables DESC, last_day DESC NULLS LAST, deal_key
"""

_HANDS_OF: Final = """
SELECT hand_id
FROM named
JOIN hands USING (hand_no)
WHERE deal_key = $key
ORDER BY started_at NULLS LAST, hand_id
"""

_RESULTS: Final = """
SELECT
    deal_key,
    ruleset,
    title,
    hand_id,
    by_place,
    [seat_sides[(dealer + place) % len(seat_sides) + 1] FOR place IN range(len(seat_sides))],
    (maker + len(seat_sides) - dealer) % len(seat_sides),
    bid,
    trump_code,
    result,
    need,
    points,
    change,
    cut AND scores_before IS NOT NULL
FROM seated
JOIN rulesets USING (ruleset)
WHERE verdict = 'valid' AND result IS NOT NULL
ORDER BY deal_key, started_at NULLS LAST, hand_id
"""
