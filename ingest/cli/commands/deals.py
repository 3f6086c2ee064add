"""``tricklog list deals`` and ``show deal``: what several tables did with the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.core.study.same_deal import by_side, compare
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.output import UserError, show, values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.study import same_deals
from tricklog.ingest.study.same_deals import PairTotal, SharedDeal
from tricklog.ingest.study.season_words import days_text
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog list deals --db club          # which deals several tables have played
  tricklog show deal 5893ec5d9ff4e0e4 --db club    # what each table did with one
  tricklog list deals --db club --json | jq .pairs # what pairs did over all"""

MOST: Final = 20
"""Deals that are listed unless said."""
_POINTS: Final = "points from the dealer's side on"
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
        found, pairs = same_deals.shared_deals(snapshot), same_deals.pair_totals(snapshot)
    told = [values_of(each, players="player_ids") for each in pairs]
    answer = {"count": len(found), "deals": found[:top], "pairs": told}
    show(answer, _deals(found, pairs, top), json=json)


def _deals(found: Sequence[SharedDeal], pairs: Sequence[PairTotal], top: int) -> Iterator[str]:
    if not found:
        yield "No deal was played at more than one table."
        return
    yield f"{counted(len(found), 'deal')} played at more than one table"
    rows = [
        (each.key, each.title, f"{each.tables}", f"{each.hands}", days)
        for each in found[:top]
        for days in [days_text(each.first_day, each.last_day)]
    ]
    if rows:
        heads = ("deal", "game", "tables", "hands", "played")
        yield from aligned(heads, [False, False, True, True, False], rows)
    if len(found) > top:
        yield f"Not shown: {counted(len(found) - top, 'deal')}; --top shows more."
    yield ""
    yield "Each pair over these deals, against the mean of the others with the same cards:"
    yield from aligned(
        ("game", "players", "deals", "score a deal", "matchpoints"),
        [False, False, True, True, True],
        [
            (
                each.title,
                " & ".join(each.players),
                f"{each.deals}",
                same_deals.score_words(each),
                share,
            )
            for each, share in zip(pairs, map(same_deals.share_words, pairs), strict=True)
        ],
    )


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
        if not same_deals.hands_of(snapshot, key):
            raise UserError(
                f"no deal {key!r} was played at several tables",
                "tricklog list deals has those that were.",
            )
        tables, left = same_deals.tables_of(snapshot, key)
    compared = compare(tables, against)
    told = {
        "deal": key,
        "against": against,
        "tables": [
            values_of(each, hand="hand_id", players="player_ids", bid="bid_name") for each in tables
        ],
        "compared": [
            values_of(each, side="side_no")
            | {"hand_id": table.hand, "player_ids": table.side_players(each.side)}
            | {"score": each.score}
            for each in compared
            for table in [tables[each.table]]
        ],
        "left_out": left,
    }
    sides = [
        (
            *(f"{each.table + 1}", same_deals.side_words(tables[each.table], each.side, {})),
            *(same_deals.signed(each.balance), same_deals.signed(each.score)),
            same_deals.matchpoint_words(each),
        )
        for each in by_side(compared)
    ]
    lines = [
        f"Deal {key}: {counted(len(tables), 'table')} to compare",
        *aligned(
            ("table", "hand", "contract", "result", _POINTS, "all cards open"),
            [True, False, False, False, False, True],
            [
                (
                    *(f"{number}", each.hand, same_deals.contract_words(each, {})),
                    *(same_deals.result_words(each), same_deals.points_words(each)),
                    same_deals.value_words(each.par),
                )
                for number, each in enumerate(tables, 1)
            ],
        ),
        "",
        f"Against the {against} of the others with the same cards:",
        *aligned(
            ("table", "side", "balance", "score", "matchpoints"),
            [True, False, True, True, True],
            sides,
        ),
    ]
    if left:
        why = "not valid, or of players who sit as in another hand"
        lines.append(f"Left out: {', '.join(left)}: {why}.")
    show(told, lines, json=json)
