"""What facts say, by whatever way they came to be: the same snapshot, the same checksum."""

import hashlib

from duckdb import DuckDBPyConnection

_NUMBERED = {
    "seat_facts": "hand_no, game_no, seating_id",
    "card_facts": "hand_no, game_no, seating_id",
    "finding_facts": "hand_no, game_no, seating_id",
    "game_facts": "game_no",
    "tallies": "game_no, seating_id",
}
"""Tables of facts, and the columns in which they have numbers that loads have given."""


def checksum(facts: DuckDBPyConnection) -> str:
    """Return 32 hex digits over all facts, in whatever order and parts hands were loaded.

    ``facts`` is a connection of ``open_facts``.
    """
    digest = hashlib.sha256()
    for table, numbers in _NUMBERED.items():
        # A row may be there twice, such as two findings of a kind, and two alike must not cancel
        # each other out.
        (found,) = facts.execute(
            f"SELECT count(*), coalesce(sum(md5_number_lower(to_json(item)::VARCHAR)), 0) "  # noqa: S608 - names of our own
            f"FROM ({_named(table, numbers)}) AS item"
        ).fetchall()
        digest.update(f"{table} {found}\n".encode())
    names = "SELECT list(name ORDER BY session) FROM session_names"
    digest.update(str(facts.execute(names).fetchall()).encode())
    return digest.hexdigest()[:32]


def _named(table: str, numbers: str) -> str:
    """Return the query for the rows of a table, with the names of hands and games for numbers."""
    hand = "hands.hand_id AS of_hand, " if "hand_no" in numbers.split(", ") else ""
    join = f"JOIN games.hands ON hands.hand_no = {table}.hand_no " if hand else ""
    return (
        f"SELECT {hand}coalesce(whole.game, alone.hand_id) AS of_game, "  # noqa: S608 - names of our own
        f"{table}.* EXCLUDE ({numbers}) FROM {table} {join}"
        f"LEFT JOIN games.games AS whole ON whole.game_no = {table}.game_no "
        f"LEFT JOIN games.hands AS alone ON alone.hand_no = {table}.game_no"
    )
