"""Ratings by games won, of the package openskill, for those who want them beside those by hands."""

from __future__ import annotations

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, FigureError
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import say


def ratings_by_games(facts: DuckDBPyConnection, filters: Filters) -> dict[str, float]:
    """Return by player what openskill is nearly sure they reach: its mean less three deviations.

    Games count one after the other in the order of their days, if they are complete.

    Raises ``FigureError`` without openskill, and as ``measure`` does.
    """
    try:
        from openskill.models import PlackettLuce, PlackettLuceRating
    except ImportError as error:
        raise FigureError(
            say("Ratings by games won need openskill. Run pip install 'tricklog[openskill]'.")
        ) from error
    chosen, parameters = rows_of(facts, METRIC["win-rate"], filters)
    model = PlackettLuce()
    rated: dict[str, PlackettLuceRating] = {}
    for sides, lost in run(facts, _GAMES.format(chosen=chosen), parameters).iter_rows():
        teams = [[rated.get(each) or model.rating(name=each) for each in side] for side in sides]
        for side in model.rate(teams, ranks=lost):
            rated |= {str(each.name): each for each in side}
    return {player: float(each.ordinal()) for player, each in rated.items()}


_GAMES = """
SELECT list(players ORDER BY side_no) AS sides, list(lost ORDER BY side_no) AS lost
FROM (
    SELECT
        game_no,
        side_no,
        any_value(day) AS day,
        list(player ORDER BY seat) AS players,
        any_value(NOT won)::DOUBLE AS lost
    FROM game_facts
    WHERE game_no IN (SELECT game_no FROM game_facts WHERE {chosen})
    GROUP BY game_no, side_no
)
GROUP BY game_no
ORDER BY any_value(day), game_no
"""
