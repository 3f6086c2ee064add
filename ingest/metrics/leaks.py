"""Where a player loses points that others do not lose: how often it happens, times what it costs.

The events of a leak are cases of a metric. What an event costs is a share of what a hand can
bring, so that the hands of every variant count together: the points of the pack for a card, what
was at stake for a contract. Leaks overlap, a pedro lost may be what sets the contract: they are
ranked, not added up. A cinch that was missed is none of them: the facts count chances by the hand,
not what became of the five in the trick, and a five that was covered may still be lost later. The
pedro lost by it is a leak.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.comparing import KIND_OF_TABLE, compare_one
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Scale
from tricklog.ingest.metrics.model import TOO_FEW, Grain, Metric
from tricklog.ingest.metrics.naming import name_rows
from tricklog.ingest.metrics.query import Which, rows_of
from tricklog.ingest.metrics.standings import require_player
from tricklog.ingest.sql import run

_SAT: Final = "role IS NOT NULL"
"""A hand somebody sat in: one that had a maker, as for the auctions won."""
_SOURCE: Final = {
    Grain.SEAT: "seat_facts",
    Grain.CARD: (
        "card_facts JOIN (SELECT ruleset, total_points AS pack_points "
        "FROM games.rulesets) USING (ruleset)"
    ),
}


@dataclass(frozen=True, slots=True)
class Leak:
    """One way to lose points: what counts as an event, and the SQL of what each costs."""

    name: str
    title: str
    sentence: str
    metric: Metric
    """The metric whose cases the events are."""
    which: Which
    """Which of these cases."""
    cost: str
    """What an event costs, over the columns of the metric's facts and ``pack_points``."""
    share_of: str
    """What the cost is a share of."""
    cards: tuple[str, ...] = ()
    """Values of the dimension ``card`` that the events are about; empty for all."""

    @property
    def events(self) -> str:
        """Condition that a row is an event."""
        counted = "<>" if self.which == Which.COUNTED else "="
        test = f"{_SAT} AND ({self.metric.cases}) AND ({self.metric.amount}) {counted} 0"
        if self.cards:
            listed = ", ".join(f"'{card}'" for card in self.cards)
            test += f" AND point_card IN ({listed})"
        return test


_AT_STAKE: Final = (
    "greatest(-side_change, 0) / nullif(available, 0)",
    "card points of the pack, or the stake where hands are scored in game points",
)
_LOST: Final = (
    *(METRIC["cards-lost"], Which.COUNTED),
    *("card_points / pack_points", "card points of the pack"),
)
_PLAYED: Final = "the player played that counted for another side."
_SET: Final = "and did not make: what their side's score lost."
_CONTRACTS: Final = (
    ("contracts-set", "Contracts set", "chose", "set-rate", Which.COUNTED),
    ("forced-contracts-set", "Forced contracts set", "had", "forced-made-rate", Which.OTHERS),
)
_CARDS: Final = (
    ("pedros", "Pedros lost", "Fives of trumps, right and left,", ("5", "off five")),
    ("aces", "Aces lost", "Aces", ("A",)),
    ("kings", "Kings lost", "Kings with points", ("K",)),
    ("queens", "Queens lost", "Queens with points", ("Q",)),
    ("jacks", "Jacks lost", "Jacks", ("J", "off jack")),
    ("tens", "Tens lost", "Tens", ("T",)),
    ("nines", "Nines lost", "Nines with points", ("9",)),
    ("threes", "Threes lost", "Threes with points", ("3",)),
    ("twos", "Low lost", "Twos of trumps", ("2",)),
    ("jokers", "Jokers lost", "Jokers", ("joker",)),
)
LEAKS: Final = (
    *(
        Leak(
            name, title, f"Contracts the player {did} to bid {_SET}", METRIC[of], which, *_AT_STAKE
        )
        for name, title, did, of, which in _CONTRACTS
    ),
    *(
        Leak(name, title, f"{what} {_PLAYED}", *_LOST, cards=cards)
        for name, title, what, cards in _CARDS
    ),
)
"""Every leak that is looked for."""
LEAK: Final = {each.name: each for each in LEAKS}
"""The leaks by name."""


def find_leaks(
    connection: DuckDBPyConnection,
    player: str,
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return the leaks of a player, that which loses most against the field first.

    One row for each leak that anybody has: ``leak``; ``hands`` the player sat in, ``games`` they
    come from and ``events``; ``frequency``, events a hand; ``cost`` of an event and ``lost`` a
    hand, both as shares of what a hand can bring, so ``lost`` is ``frequency`` times ``cost``; the
    same with ``field_`` before the name for all other players under the same filters; ``expected``,
    what others lose a hand in the same variants, each weighted by the player's hands in it;
    ``difference`` to that, above zero when the player loses more, with ``low`` and ``high`` (99 %);
    ``chance``, how often chance alone gives as much; ``named``, whether it stands among all leaks
    (Holm, at 3 %); and ``enough``, whether there are enough hands and games to judge by. What is
    compared is null where there are too few.

    A player among the filters is passed over.

    Raises ``FigureError`` for an unknown player and for filters that cards or contracts lack.
    """
    require_player(connection, player)
    games = _by_game(connection, player, filters.also("player"))
    rows = [_row(games, leak, minimum) for leak in LEAKS]
    schema = {name: pl.Int64 if name in _COUNTS else pl.Float64 for name in _NUMBERS}
    frame = pl.DataFrame(
        [row for row in rows if row["events"] or row["field_events"]],
        schema={"leak": pl.String, **schema, "enough": pl.Boolean},
    )
    return name_rows(frame, 0.0).sort(
        "difference", descending=True, nulls_last=True, maintain_order=True
    )


def _by_game(connection: DuckDBPyConnection, player: str, filters: Filters) -> pl.DataFrame:
    """Return one row for each game: hands, and events and cost of each leak, own and the field's.

    Columns: ``variant``, ``own_hands``, ``own_events_NAME`` and ``own_cost_NAME``, the same with
    ``field_``.
    """
    sat, parameters = rows_of(connection, METRIC["auctions-won"], filters)
    source = (
        f"({_summed('seat_facts', f'{sat} AND {_SAT}', ('hands', 'count(*)', 'BIGINT', 'true'))})"
    )
    for grain, facts in _SOURCE.items():
        chosen = [leak for leak in LEAKS if leak.metric.grain == grain]
        condition, _ = rows_of(connection, chosen[0].metric, filters)
        sums = [
            each
            for leak in chosen
            for each in (
                (f"events_{leak.name}", "count(*)", "BIGINT", leak.events),
                (f"cost_{leak.name}", f"sum({leak.cost})", "DOUBLE", leak.events),
            )
        ]
        somehow = " OR ".join(f"({leak.events})" for leak in chosen)
        summed = _summed(facts, f"{condition} AND ({somehow})", *sums)
        others = f"SELECT * EXCLUDE (variant) FROM ({summed})"  # noqa: S608 - names of our own
        source += f" LEFT JOIN ({others}) USING (game_no)"
    return run(connection, f"FROM {source}", parameters | {"who": player}).fill_null(0)


def _summed(source: str, condition: str, *sums: tuple[str, str, str, str]) -> str:
    """Return the query by game for sums, of the player and of the field.

    Each has a name, what is added up as SQL, its type, and the condition of the rows that count.
    """
    columns = ", ".join(
        f'{added} FILTER ({test} AND {counts})::{kind} AS "{who}_{name}"'
        for who, test in (("own", "own"), ("field", "NOT own"))
        for name, added, kind, counts in sums
    )
    return (
        f"SELECT game_no, any_value({KIND_OF_TABLE}) AS variant, {columns} FROM ("  # noqa: S608 - names of our own
        f"SELECT *, player = $who::VARCHAR AS own FROM {source} "
        f"WHERE {condition} AND player IS NOT NULL) GROUP BY game_no"
    )


def _row(games: pl.DataFrame, leak: Leak, minimum: int) -> dict[str, Any]:
    """Return one leak, from its sums by game."""
    row: dict[str, Any] = {"leak": leak.name, "games": int((games["own_hands"] > 0).sum())}
    for who, name in (("own", ""), ("field", "field_")):
        total = int(games[f"{who}_hands"].sum())
        events = int(games[f"{who}_events_{leak.name}"].sum())
        cost = float(games[f"{who}_cost_{leak.name}"].sum())
        row |= {
            f"{name}hands": total,
            f"{name}events": events,
            f"{name}frequency": events / total if total else None,
            f"{name}cost": cost / events if events else None,
            f"{name}lost": cost / total if total else None,
        }
    found = compare_one(
        games.select(
            "variant",
            y=f"own_cost_{leak.name}",
            w="own_hands",
            o=f"field_cost_{leak.name}",
            p="field_hands",
        ),
        Scale.FREE,
    )
    enough = row["hands"] >= minimum and found.get("judged", False)
    judged = {name: found[name] if enough else None for name in _JUDGED}
    return row | judged | {"enough": enough}


_JUDGED: Final = ("expected", "difference", "low", "high", "chance")
_COUNTS: Final = ("hands", "games", "events", "field_hands", "field_events")
_NUMBERS: Final = (
    *("hands", "games", "events", "frequency", "cost", "lost"),
    *("field_hands", "field_events", "field_frequency", "field_cost", "field_lost"),
    *_JUDGED,
)
