"""Where questions for practice come from: the hands of a player, and what decisions cost there."""

from __future__ import annotations

from typing import Final, NamedTuple

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.field.reading import Table
from tricklog.ingest.metrics.themes import THEME_SQL
from tricklog.ingest.sql import run


class Played(NamedTuple):
    """A player at a seat of a stored valid hand."""

    hand_id: str
    seat: int


class Dear(NamedTuple):
    """A decision that cost its side something with all cards open."""

    hand_id: str
    action: int
    seat: int
    trick: int
    turn: int
    showed: bool
    loss: int
    loss_kind: str | None


class Within(NamedTuple):
    """Which decisions are looked for; all of them unless said."""

    first_trick: int = 1
    last_trick: int = 99
    first_turn: int = 0
    """Place in the trick, 0 for the lead."""
    last_turn: int = 99
    loss_kind: str = ""
    """Empty for every kind."""
    theme: str = ""
    """Empty for all; otherwise of solved hands alone."""
    last_evening: bool = False
    """Whether only those of the last evening are looked for, and those come first that cost most by
    what the player knew, where that is known. Of solved hands alone."""

    def has(self, dear: Dear) -> bool:
        """Return whether a decision is among them."""
        return (
            self.first_trick <= dear.trick <= self.last_trick
            and self.first_turn <= dear.turn <= self.last_turn
            and self.loss_kind in ("", dear.loss_kind)
        )


EVERY_DECISION: Final = Within()


def hands_of_player(
    facts: DuckDBPyConnection, player: str, variant: str = "", *, limit: int, offset: int = 0
) -> list[Played]:
    """Return seats of a player in valid hands, the latest first; ``variant`` leaves out others."""
    chosen = {"player": player, "variant": variant, "limit": limit, "offset": offset}
    return [Played(*row) for row in run(facts, _HANDS, chosen).iter_rows()]


def count_of_player(facts: DuckDBPyConnection, player: str, variant: str = "") -> int:
    """Return how many of those there are."""
    return int(run(facts, _COUNT, {"player": player, "variant": variant}).item())


def has_solved_hands(facts: DuckDBPyConnection) -> bool:
    """Return whether any hand has been solved."""
    return bool(run(facts, _HAS_ROWS, {}).item())


def solved_of_player(facts: DuckDBPyConnection, player: str, variant: str = "") -> int:
    """Return in how many hands a player sat of which it is known what decisions cost.

    Of hands within limits that is known of some decisions, which count here as in figures.
    """
    return int(run(facts, _SOLVED, {"player": player, "variant": variant}).item())


def dearest_decisions(
    facts: DuckDBPyConnection,
    player: str,
    variant: str = "",
    within: Within = EVERY_DECISION,
    *,
    limit: int,
) -> list[Dear]:
    """Return the decisions of a player that cost most in solved hands, the dearest first."""
    chosen = {**within._asdict(), "player": player, "variant": variant, "limit": limit}
    # To find out the theme of every decision takes time.
    theme = f"{THEME_SQL} = $theme" if within.theme else "$theme = ''"
    return [Dear(*row) for row in run(facts, _DEAREST.format(theme=theme), chosen).iter_rows()]


def dearest_kinds(facts: DuckDBPyConnection, player: str, variant: str = "") -> list[str]:
    """Return the kinds of losses of a player in solved hands, the one that cost most first.

    What has no kind of its own is none.
    """
    rows = run(facts, _KINDS, {"player": player, "variant": variant})
    return [str(each) for each in rows["loss_kind"]]


def table_of(facts: DuckDBPyConnection, hand_id: str) -> Table | None:
    """Return the kind of table of a hand; ``None`` where the facts do not have the hand."""
    rows = run(facts, _TABLE, {"hand_id": hand_id}).rows()
    return Table(*rows[0]) if rows else None


_OF_PLAYER: Final = """
    SELECT hand_no, seat, day, game_no, hand
    FROM seat_facts
    WHERE player = $player AND verdict = 'valid' AND ($variant = '' OR variant = $variant)
"""
_HANDS: Final = f"""
SELECT hand_id, seat::INTEGER AS seat
FROM ({_OF_PLAYER}) AS sat
JOIN games.hands ON hands.hand_no = sat.hand_no
ORDER BY sat.day DESC NULLS LAST, sat.game_no DESC, sat.hand DESC NULLS LAST, sat.hand_no DESC
LIMIT $limit OFFSET $offset
"""  # noqa: S608 - names of our own
_COUNT: Final = f"SELECT count(*) FROM ({_OF_PLAYER})"  # noqa: S608 - names of our own
_HAS_ROWS: Final = "SELECT count(*) > 0 FROM (FROM decision_rows LIMIT 1)"
_SOLVED: Final = f"""
SELECT count(*)
FROM ({_OF_PLAYER}) AS sat
SEMI JOIN solved_hands ON solved_hands.hand_no = sat.hand_no AND solved_hands.status <> 'refused'
"""  # noqa: S608 - names of our own
_DECIDED: Final = """
    SELECT *
    FROM decision_facts
    WHERE player = $player AND verdict = 'valid' AND ($variant = '' OR variant = $variant)
        AND loss > 0 AND choices > 1 AND deed = 'card'
"""
_DEAREST: Final = f"""
WITH decided AS (
    {_DECIDED}
        AND trick BETWEEN $first_trick AND $last_trick
        AND turn BETWEEN $first_turn AND $last_turn
        AND ($loss_kind = '' OR loss_kind = $loss_kind)
        AND {{theme}}
)
SELECT hand_id, decided."action"::INTEGER AS "action", decided.seat::INTEGER AS seat,
    trick::INTEGER AS trick, turn::INTEGER AS turn, showed, loss::INTEGER AS loss, loss_kind
FROM decided
JOIN games.hands ON hands.hand_no = decided.hand_no
LEFT JOIN hidden_rows AS graded
    ON graded.hand_no = decided.hand_no AND graded."action" = decided."action"
WHERE NOT $last_evening OR session = (
    SELECT session FROM decided ORDER BY day DESC NULLS LAST, game_no DESC LIMIT 1
)
ORDER BY CASE WHEN $last_evening THEN coalesce(judged, loss) ELSE loss END DESC,
    decided.day DESC NULLS LAST, decided.game_no DESC,
    decided.hand DESC NULLS LAST, decided.hand_no DESC, decided."action"
LIMIT $limit
"""  # noqa: S608 - names of our own
_KINDS: Final = f"""
SELECT loss_kind
FROM ({_DECIDED})
WHERE loss_kind <> 'other'
GROUP BY loss_kind
ORDER BY sum(loss) DESC, loss_kind
"""  # noqa: S608 - names of our own
_TABLE: Final = """
SELECT seat_facts.variant, seating
FROM seat_facts
JOIN games.hands USING (hand_no)
WHERE hand_id = $hand_id
LIMIT 1
"""
