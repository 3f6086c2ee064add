"""Every figure Tricklog shows, each defined once in SQL, with its sentence, unit and interval.

Figures are made of valid hands only; ``verdicts`` says how many that leaves out. Shares come with
the hits they count, the number of cases and the 95 % Wilson interval. Systems are never mixed: a
row is always about one variant, and a figure about one seating of it, such as five players singly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from ingest.filters import EVERYTHING, Filters, run

if TYPE_CHECKING:
    import polars as pl

TOO_FEW: Final = 30
"""Below so many cases a figure should be called too few hands rather than shown as a result."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: what it says, what is counted, and the query that counts it."""

    name: str
    title: str
    sentence: str
    unit: str
    numerator: str
    denominator: str
    sql: str


METRICS: Final = (
    Metric(
        name="bid-accuracy-by-bid",
        title="Bid accuracy by bid",
        sentence="How often a contract at each bid was made. Forced bids stand apart.",
        unit="share of contracts",
        numerator="contracts made",
        denominator=(
            "contracts made or set; hands that were void, thrown in, played alone or without a "
            "bid are no contracts"
        ),
        sql="""
SELECT
    variant,
    seating,
    bid,
    bid_name(bid) AS bid_name,
    forced,
    count(*) FILTER (result = 'made') AS made,
    count(*) AS n,
    made / n AS share,
    wilson_low(made, n) AS low,
    wilson_high(made, n) AS high,
    avg(maker_points) AS mean_points,
    avg(need) AS mean_need
FROM analysed_hands($variants, $players, $game, $since, $until)
WHERE result IN ('made', 'set') AND bid IS NOT NULL
GROUP BY variant, seating, bid, forced
ORDER BY variant, seating, bid, forced
""",
    ),
    Metric(
        name="bid-accuracy-by-player",
        title="Bid accuracy by player",
        sentence=(
            "How often each player made the contracts he chose to bid; contracts he was forced "
            "into as dealer are counted beside them."
        ),
        unit="share of contracts",
        numerator="contracts made",
        denominator="contracts made or set in which the player was the maker and not forced to bid",
        sql="""
WITH contracts AS (
    SELECT *, players[maker + 1].id AS player
    FROM analysed_hands($variants, $players, $game, $since, $until)
    WHERE result IN ('made', 'set') AND bid IS NOT NULL
)
SELECT
    variant,
    seating,
    player,
    count(*) FILTER (result = 'made' AND NOT forced) AS made,
    count(*) FILTER (NOT forced) AS n,
    made / nullif(n, 0) AS share,
    wilson_low(made, n) AS low,
    wilson_high(made, n) AS high,
    avg(maker_points - need) FILTER (NOT forced) AS mean_margin,
    count(*) FILTER (result = 'made' AND forced) AS forced_made,
    count(*) FILTER (forced) AS forced_n
FROM contracts
WHERE len($players::VARCHAR[]) = 0 OR list_contains($players::VARCHAR[], player)
GROUP BY variant, seating, player
ORDER BY variant, seating, player
""",
    ),
    Metric(
        name="bid-margin",
        title="Points above or below the bid",
        sentence="How far the makers ended above (or below) the points they needed.",
        unit="share of contracts",
        numerator="contracts that ended at the margin",
        denominator="contracts made or set, forced ones included",
        sql="""
SELECT
    variant,
    seating,
    maker_points - need AS margin,
    count(*) AS hits,
    sum(hits) OVER (PARTITION BY variant, seating)::BIGINT AS n,
    hits / n AS share,
    wilson_low(hits, n) AS low,
    wilson_high(hits, n) AS high
FROM analysed_hands($variants, $players, $game, $since, $until)
WHERE result IN ('made', 'set') AND bid IS NOT NULL
GROUP BY variant, seating, margin
ORDER BY variant, seating, margin
""",
    ),
    Metric(
        name="point-capture-by-card",
        title="Point capture by card",
        sentence=(
            "How often each point card counted for the side of the player who held it, and how "
            "often for the makers."
        ),
        unit="share of the cards that came into play",
        numerator="cards whose points counted for the side of the player who played them",
        denominator="point cards played, or left with the last player in the hand",
        sql="""
WITH captured AS (
    SELECT variant, seating, trump, seat_sides, maker_side, unnest(captures) AS capture
    FROM analysed_hands($variants, $players, $game, $since, $until)
    WHERE maker IS NOT NULL
), cards AS (
    SELECT *, captured_side(capture, seat_sides) AS side FROM captured
)
SELECT
    variant,
    seating,
    card_role(captured_card(capture), trump) AS role,
    max(captured_points(capture)) AS points,
    count(*) FILTER (side = seat_sides[captured_from(capture) + 1]) AS kept,
    count(*) AS n,
    n - kept AS lost,
    kept / n AS share,
    wilson_low(kept, n) AS low,
    wilson_high(kept, n) AS high,
    count(*) FILTER (side = maker_side) AS makers,
    makers / n AS makers_share,
    wilson_low(makers, n) AS makers_low,
    wilson_high(makers, n) AS makers_high
FROM cards
GROUP BY variant, seating, role
ORDER BY variant, seating, points DESC, role
""",
    ),
    Metric(
        name="point-capture-by-trick",
        title="Point capture by trick",
        sentence="Which share of the point cards that fell in each trick the makers took.",
        unit="share of the point cards of the trick",
        numerator="point cards that counted for the makers",
        denominator="point cards that fell in the trick",
        sql="""
WITH captured AS (
    SELECT variant, seating, seat_sides, maker_side, unnest(captures) AS capture
    FROM analysed_hands($variants, $players, $game, $since, $until)
    WHERE maker IS NOT NULL
), cards AS (
    SELECT *, captured_side(capture, seat_sides) AS side FROM captured
)
SELECT
    variant,
    seating,
    captured_trick(capture) AS trick,
    count(*) FILTER (side = maker_side) AS makers,
    count(*) AS n,
    makers / n AS share,
    wilson_low(makers, n) AS low,
    wilson_high(makers, n) AS high,
    (sum(captured_points(capture)) FILTER (side = maker_side))::BIGINT AS makers_points,
    sum(captured_points(capture))::BIGINT AS points
FROM cards
GROUP BY variant, seating, trick
ORDER BY variant, seating, trick
""",
    ),
    Metric(
        name="point-capture-by-player",
        title="Point cards kept by player",
        sentence="How often the point cards a player played counted for his own side.",
        unit="share of the point cards played",
        numerator="cards whose points counted for the player's side",
        denominator="point cards the player played",
        sql="""
WITH captured AS (
    SELECT variant, seating, trump, players, seat_sides, unnest(captures) AS capture
    FROM analysed_hands($variants, $players, $game, $since, $until)
), cards AS (
    SELECT
        *,
        players[captured_from(capture) + 1].id AS player,
        captured_side(capture, seat_sides) AS side
    FROM captured
)
SELECT
    variant,
    seating,
    player,
    card_role(captured_card(capture), trump) AS role,
    count(*) FILTER (side = seat_sides[captured_from(capture) + 1]) AS kept,
    count(*) AS n,
    n - kept AS lost,
    kept / n AS share,
    wilson_low(kept, n) AS low,
    wilson_high(kept, n) AS high
FROM cards
WHERE len($players::VARCHAR[]) = 0 OR list_contains($players::VARCHAR[], player)
GROUP BY variant, seating, player, role
ORDER BY variant, seating, player, role
""",
    ),
    Metric(
        name="scores-by-variant",
        title="Scores by variant",
        sentence=(
            "What makers and defenders add to their score in a hand, as a share of what is "
            "available in it, so that systems can be compared."
        ),
        unit="share of the points available in the hand, with the 95 % interval of the mean",
        numerator="amount added to the running score",
        denominator=(
            "card points of the pack, or the stake where a hand is scored in game points; "
            "n is the number of sides in hands played for something, so void hands are left out"
        ),
        sql="""
WITH changes AS (
    SELECT
        variant, seating, title, scored_in, available, maker_side,
        unnest(change) AS change,
        generate_subscripts(change, 1) - 1 AS side
    FROM analysed_hands($variants, $players, $game, $since, $until)
    WHERE maker IS NOT NULL AND available > 0
)
SELECT
    variant,
    seating,
    title,
    CASE WHEN side = maker_side THEN 'makers' ELSE 'defenders' END AS role,
    count(*) AS n,
    avg(change / available) AS share,
    share - 1.959964 * stddev_samp(change / available) / sqrt(n) AS low,
    share + 1.959964 * stddev_samp(change / available) / sqrt(n) AS high,
    avg(change) AS mean_change,
    scored_in
FROM changes
GROUP BY variant, seating, title, role, scored_in
ORDER BY variant, seating, role DESC
""",
    ),
    Metric(
        name="findings-by-code",
        title="Findings by code",
        sentence="How many of the stored hands have a finding of each kind.",
        unit="share of hands",
        numerator="hands with at least one finding of the kind",
        denominator="hands stored, whatever their verdict",
        sql="""
WITH chosen AS (
    FROM stored_hands($variants, $players, $game, $since, $until)
), totals AS (
    SELECT variant, count(*) AS n FROM chosen GROUP BY variant
)
SELECT
    variant,
    code,
    scope,
    count(*) AS findings,
    count(DISTINCT hand_id) AS hands,
    any_value(totals.n) AS n,
    hands / any_value(totals.n) AS share,
    wilson_low(hands, any_value(totals.n)) AS low,
    wilson_high(hands, any_value(totals.n)) AS high
FROM findings
JOIN chosen ON chosen.id = hand_id
JOIN totals USING (variant)
GROUP BY variant, code, scope
ORDER BY variant, hands DESC, code
""",
    ),
    Metric(
        name="verdicts",
        title="Verdicts",
        sentence="How many hands have each verdict; figures are made of the valid ones only.",
        unit="share of hands",
        numerator="hands with the verdict",
        denominator="hands stored",
        sql="""
SELECT
    variant,
    verdict,
    verdict = 'valid' AS analysed,
    count(*) AS hits,
    sum(hits) OVER (PARTITION BY variant)::BIGINT AS n,
    hits / n AS share,
    wilson_low(hits, n) AS low,
    wilson_high(hits, n) AS high
FROM stored_hands($variants, $players, $game, $since, $until)
GROUP BY variant, verdict
ORDER BY variant, hits DESC, verdict
""",
    ),
)

_BY_NAME: Final = {metric.name: metric for metric in METRICS}


def measure(
    connection: DuckDBPyConnection, name: str, filters: Filters = EVERYTHING
) -> pl.DataFrame:
    """Return the rows of one of ``METRICS``. Raises ``KeyError`` for a name it does not have."""
    return run(connection, _BY_NAME[name].sql, filters.parameters())


def as_page() -> str:
    """Return the documentation page of the metrics, in Markdown."""
    parts = [_PAGE_HEAD]
    for metric in METRICS:
        parts.append(f"## {metric.title}\n\n`{metric.name}`: {metric.sentence}\n")
        parts.append(
            f"- unit: {metric.unit}\n"
            f"- counted: {metric.numerator}\n"
            f"- out of: {metric.denominator}\n"
        )
    return "\n".join(parts)


_PAGE_HEAD: Final = f"""# Metrics

Made from `ingest/metrics.py`, where each metric is defined once, in SQL; every page, command and
program uses that definition:

```python
from ingest import metrics, warehouse

with warehouse.open_snapshot("tricklog-data") as connection:
    print(metrics.measure(connection, "bid-accuracy-by-bid"))
```

Figures are made of **valid** hands only; the metric `verdicts` says how many hands that leaves out.
A row is always about one variant, and a row of figures about one `seating` of it, such as
`5 singles` or `4 partners`: where five play each for himself, a contract is another thing than
between partners. "Makers" is the side that won the auction: one player where all play singly.

In every row `n` is the number of cases, and `low` and `high` bound the `share`: the 95 % Wilson
interval of a proportion, for a mean 1.96 standard errors to either side. With fewer than {TOO_FEW}
cases a figure says too little to be shown as a result.
"""
