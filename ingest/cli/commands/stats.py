"""``tricklog stats``: any figure, grouped and filtered, with its interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from tricklog.ingest.cli import arguments
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.conditions import ALL, Chosen
from tricklog.ingest.cli.failure_state import need_warehouse
from tricklog.ingest.cli.output import UserError, form_of, one_form

EXAMPLES = """\
  tricklog stats --list                            # what there is
  tricklog stats --db club                         # the main figures
  tricklog stats --summary --db club               # and those of each game
  tricklog stats made-rate --by player             # who makes their contracts
  tricklog stats overbid --by player --where variant=pedro
  tricklog stats set-rate --by player --where 'bid>=10' --where 'bid<=12'
  tricklog stats cards-lost --by card --where player=ann --where player=bo
  tricklog stats made-rate --by player --whose ours    # at your table
  tricklog stats made-rate --by player --output made.csv
  tricklog stats no-trick --by player --metrics ours.toml    # your own"""

Format = Literal["table", "csv", "json", "parquet"]


def stats(  # noqa: PLR0913 - each is an option of the command
    *metrics: str,
    by: arguments.Several = (),
    chosen: Chosen = ALL,
    all_verdicts: Flag = False,
    min: arguments.AtLeastOne = None,  # noqa: A002 - the name of the option
    sort: arguments.Sort | None = None,
    top: arguments.AtLeastOne = None,
    format: Format | None = None,  # noqa: A002 - the name of the option
    output: arguments.Output = None,
    list: Flag = False,  # noqa: A002 - the name of the option
    summary: Flag = False,
    metrics_file: arguments.MetricsFiles = (),
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Print figures, grouped and filtered as you like.

    Every figure comes with its 95 % interval and the number of cases n, and with the hands that it
    leaves out.

    Args:
        metrics: Which figures, by name; without one the main figures.
        by: A dimension to group the figures by; may be given several times.
        all_verdicts: Count irregular, doubtful, incomplete and rejected hands, too.
        min: Below so many cases it says too few hands; 30 unless said.
        sort: How the rows come: by the figure, the largest first; those first that differ most
            surely from the mean of all (sure); by cases, the most first; or by the dimension
            (name). Unless said, numbers and days by their own order, and others by the figure, or
            as sure where there are more rows than are shown.
        top: Show so many rows; 20 of a table unless said. As csv, json and parquet all, by the
            dimension, unless these two are given.
        format: As a table for people, or csv, json or parquet; without it as the name of the output
            ends.
        list: List all metrics and dimensions instead.
        summary: The main tables of each game instead: contracts made by bid and by player, point
            cards kept, the share of the score; of each the ten rows with the most cases, where
            these are enough. With --json every row, and the totals of the warehouse.
        metrics_file: A file with metrics of your own, TOML or Python; may be given several times.
        json: The same as --format json.
    """
    form = one_form(format, json=json) or form_of(output) or "table"
    if not list:
        need_warehouse(db)
    arguments.use_metrics(metrics_file)
    if list:
        if output or form not in ("table", "json"):
            raise UserError(
                "the list is for the screen, for people or as JSON",
                "With it there are --format table or json and --metrics; > FILE keeps it.",
            )
        from tricklog.ingest.cli.lists import listed_figures

        listed_figures(json=form == "json")
        return
    from tricklog.ingest.cli.figure_tables import measured, print_summary

    groups = tuple(dict.fromkeys(name for each in by for name in each.split(",")))
    if summary:
        beside = (*metrics, *groups, output, all_verdicts, min, sort, top)
        whose_alone = replace(ALL, whose=chosen.whose)
        if any(beside) or form not in ("table", "json") or chosen != whose_alone:
            raise UserError(
                "--summary is of all hands, for people or as JSON",
                "With it there are --whose, --db and --json alone.",
            )
        print_summary(db, chosen.whose, json=form == "json")
        return
    found = measured(
        *(db, chosen, metrics, groups),
        is_table=form == "table",
        every_verdict=all_verdicts,
        minimum=min,
        sort=sort,
        top=top,
    )
    found.write(form, output)
