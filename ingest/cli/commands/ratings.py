"""``tricklog list ratings``: who plays better, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.conditions import ALL, Chosen
from tricklog.ingest.cli.output import UserError, show
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics import FigureError
from tricklog.ingest.metrics.figure_words import place_text
from tricklog.ingest.ratings import Ratings, ratings_of, words
from tricklog.ingest.sessions.evening import names_of
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog list ratings --db club --where variant=pedro   # who plays Pedro better
  tricklog list ratings --whose people --since 2026-01-01 --db club
  tricklog list ratings --weekly --json --db club         # how everybody went"""
_ROWS = 30
_NUMBERS = ("group", "hands", "openskill")


def ratings(
    *,
    chosen: Chosen = ALL,
    top: Annotated[int, Parameter(validator=Number(gte=1))] = _ROWS,
    weekly: Flag = False,
    openskill: Flag = False,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Rate players by points a hand.

    What each brings their side, with partners and opponents taken out, from the mean of those they
    met, with its 95 % interval, the place and between which places they stand for sure, and from 50
    others on the share of them that they are better than. Hands of several games count in spreads
    of a hand.

    Args:
        top: Show so many rows; 30 unless said.
        weekly: Also say how fast players change; with --json what each brought week by week.
        openskill: Put ratings by games won beside them, for which Tricklog is installed as
            tricklog[openskill].
        json: One JSON object with all rows.
    """
    with chosen.opened(db) as (facts, filters):
        try:
            found = ratings_of(facts, filters, weekly=weekly, openskill=openskill)
        except FigureError as error:
            is_missing = isinstance(error.__cause__, ImportError)
            hint = "" if is_missing else "Choose other hands with --where or --since."
            raise UserError(str(error), hint) from error
        names = names_of(facts)
    told = {name: getattr(found, name) for name in ("unit", "sigma", "tau", "gap", "enough")} | {
        "ratings": found.frame.to_dicts(),
        "half_life": found.half_life,
        "weeks": None if found.course is None else found.course.to_dicts(),
        "notes": words.notes_text(found),
    }
    show(told, _lines(found, names, top), json=json)


def _lines(found: Ratings, names: dict[str, str], top: int) -> Iterator[str]:
    shown = found.frame.head(top).to_dicts()
    groups = found.frame["group"].n_unique() > 1
    by_games = [row["openskill"] for row in shown if "openskill" in row]
    columns = {
        "group": [str(row["group"]) for row in shown if groups],
        "player": [one_line(words.name_text(row, names)) for row in shown],
        f"{found.unit} a hand, 95 %": [words.rating_text(row) for row in shown],
        "stands": [place_text(row) for row in shown],
        "hands": [f"{row['hands']:,}" for row in shown],
        "openskill": ["" if each is None else f"{each:.1f}" for each in by_games],
        "": [words.remark_text(row) for row in shown],
    }
    columns = {head: cells for head, cells in columns.items() if cells}
    right = [head in _NUMBERS for head in columns]
    yield from aligned(list(columns), right, list(zip(*columns.values(), strict=True)))
    if len(found.frame) > top:
        more = len(found.frame) - top
        yield f"and {counted(more, 'more row')}; --top {len(found.frame)} shows all"
    yield ""
    best = one_line(words.best_sentence(found, names))
    yield from filter(None, (best, *words.notes_text(found), words.half_life_text(found)))
