"""``tricklog list deals`` and ``show deal``: what several tables did with the same cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number
from duckdb import DuckDBPyConnection

from tricklog.core.study.same_deal import Compared, Table, by_side, compare
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.output import UserError, out, print_json, put, values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.study.same_deals import (
    PairTotal,
    SharedDeal,
    hands_of,
    pair_totals,
    shared_deals,
    tables_of,
)
from tricklog.ingest.study.words import (
    contract_words,
    matchpoint_words,
    points_words,
    result_words,
    score_words,
    share_words,
    side_words,
    signed,
    value_words,
)
from tricklog.schemas.actions import bid_name, trump_name
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog list deals --db club          # which deals several tables have played
  tricklog show deal 5893ec5d9ff4e0e4 --db club    # what each table did with one
  tricklog list deals --db club --json | jq .pairs # what pairs did over all"""

MOST: Final = 20
"""Deals that are listed unless said."""
Top = Annotated[int, Parameter(validator=Number(gte=0))]


def deals(*, top: Top = MOST, db: Warehouse = DEFAULT_DB, json: Flag = False) -> None:
    """List the deals that several tables have played.

    The same deal is the same cards to each seat, counted from the dealer, under the same rules.
    With the list comes what each pair did over all of them: the mean of the duplicate scores, and
    the share of the matchpoints.

    Args:
        top: Deals to list, those of most tables first.
        json: One JSON object with the deals and the pairs.
    """
    with opened(db) as snapshot:
        _show_all(snapshot, top, as_json=json)


def deal(
    key: str | None = None,
    /,
    *,
    against: Literal["mean", "median"] = "mean",
    top: Top = MOST,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Compare hands of one deal played at several tables.

    What each table did with the same cards, beside what its makers take with all cards open.

    Args:
        key: A deal by its key, as tricklog list deals has it; without one they are listed.
        against: What a balance is compared with: the mean or the median of the other tables.
        top: Deals to list without a key, those of most tables first.
        json: One JSON object with the tables of the deal.
    """
    if key is None:
        deals(top=top, db=db, json=json)
        return
    with opened(db) as snapshot:
        _show_one(snapshot, key, against, as_json=json)


# --- All of them


def _show_all(snapshot: DuckDBPyConnection, limit: int, *, as_json: bool) -> None:
    found = shared_deals(snapshot)
    pairs = pair_totals(snapshot)
    if as_json:
        told = [values_of(each, players="player_ids") for each in pairs]
        print_json({"count": len(found), "deals": found[:limit], "pairs": told})
        return
    console = out()
    if not found:
        console.print("No deal was played at more than one table.")
        return
    console.print(f"{counted(len(found), 'deal')} played at more than one table")
    rows = [
        (each.key, each.title, f"{each.tables}", f"{each.hands}", _days(each))
        for each in found[:limit]
    ]
    if rows:
        _print(("deal", "game", "tables", "hands", "played"), (0, 0, 1, 1, 0), rows)
    if len(found) > limit:
        console.print(f"Not shown: {counted(len(found) - limit, 'deal')}; --top shows more.")
    console.print()
    console.print("Each pair over these deals, against the mean of the others with the same cards:")
    _print(
        ("game", "players", "deals", "score a deal", "matchpoints"),
        (0, 0, 1, 1, 1),
        [_pair_row(each) for each in pairs],
    )


def _days(deal: SharedDeal) -> str:
    days = [str(each) for each in (deal.first_day, deal.last_day) if each]
    return " to ".join(dict.fromkeys(days))


def _pair_row(pair: PairTotal) -> tuple[str, ...]:
    together = " & ".join(pair.players)
    return pair.title, together, f"{pair.deals}", score_words(pair), share_words(pair)


# --- One of them


def _show_one(
    snapshot: DuckDBPyConnection, key: str, against: Literal["mean", "median"], *, as_json: bool
) -> None:
    if not hands_of(snapshot, key):
        raise UserError(
            f"no deal {key!r} was played at several tables",
            "tricklog list deals has those that were.",
        )
    tables, left = tables_of(snapshot, key)
    compared = compare(tables, against)
    if as_json:
        print_json(
            {
                "deal": key,
                "against": against,
                "tables": [_table_json(each) for each in tables],
                "compared": [_compared_json(each, tables) for each in compared],
                "left_out": left,
            }
        )
        return
    console = out()
    console.print(f"Deal {key}: {counted(len(tables), 'table')} to compare")
    _print(
        (
            "table",
            "hand",
            "contract",
            "result",
            "points from the dealer's side on",
            "all cards open",
        ),
        (1, 0, 0, 0, 0, 1),
        [_table_row(number, each) for number, each in enumerate(tables, 1)],
    )
    console.print()
    console.print(f"Against the {against} of the others with the same cards:")
    _print(
        ("table", "side", "balance", "score", "matchpoints"),
        (1, 0, 1, 1, 1),
        [_side_row(each, tables) for each in by_side(compared)],
    )
    if left:
        console.print(
            f"Left out: {', '.join(left)}: not valid, or of players who sit as in another hand."
        )


def _table_row(number: int, table: Table) -> tuple[str, ...]:
    return (
        f"{number}",
        table.hand,
        contract_words(table, {}),
        result_words(table),
        points_words(table),
        value_words(table.par),
    )


def _side_row(row: Compared, tables: Sequence[Table]) -> tuple[str, ...]:
    return (
        f"{row.table + 1}",
        side_words(tables[row.table], row.side, {}),
        signed(row.balance),
        signed(row.score),
        matchpoint_words(row),
    )


def _print(heads: Sequence[str], right: Sequence[int], rows: Sequence[Sequence[str]]) -> None:
    put(*aligned(heads, [bool(each) for each in right], rows))


# --- As JSON


def _table_json(table: Table) -> dict[str, Any]:
    told = values_of(table, hand="hand_id", players="player_ids", bid="bid_name")
    told["bid_name"] = None if table.bid is None else bid_name(table.bid)
    told["trump"] = None if table.trump is None else trump_name(table.trump)
    return told


def _compared_json(row: Compared, tables: Sequence[Table]) -> dict[str, Any]:
    table = tables[row.table]
    return values_of(row, side="side_no") | {
        "hand_id": table.hand,
        "player_ids": table.side_players(row.side),
        "score": row.score,
    }
