"""``tricklog report``: an evening, a season or a player as one file to send and to print."""

from __future__ import annotations

from datetime import date
from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import Annotated, Final
from urllib.parse import urlsplit

from cyclopts import Parameter
from rich.text import Text

from tricklog.ingest.cli import figures
from tricklog.ingest.cli.arguments import DEFAULT_DB, EVERYBODY, Flag, Warehouse, Whose
from tricklog.ingest.cli.commands.evening import check_season, chosen_evening, no_season
from tricklog.ingest.cli.languages import Language, speaking
from tricklog.ingest.cli.output import UserError, own_command, remark, write_text
from tricklog.ingest.facts.aliased import merged
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.reports.content import NoPrinterError, Report, as_page, print_page
from tricklog.ingest.reports.evening import evening_report
from tricklog.ingest.reports.player import player_report
from tricklog.ingest.reports.season import of_year, season_report
from tricklog.ingest.reports.sources import Sources
from tricklog.ingest.warehouses import open_snapshot
from tricklog.schemas.languages.messages import say
from tricklog.schemas.printable import one_line

EXAMPLES = """\
  tricklog report --db club  # the last evening, into report.html
  tricklog report --evening 2026-11-20 --db club   # that evening
  tricklog report --season 2026 --pdf season.pdf --db club
  tricklog report --season 2026 --language sv --db club
  tricklog report --player ann --hide-names --db club"""
_OUT: Final = "report.html"
_CLOSE: Final = 3


def report(  # noqa: PLR0913 - one parameter an option
    *,
    evening: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    season: int | None = None,
    player: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    db: Warehouse = DEFAULT_DB,
    whose: Whose = EVERYBODY,
    output: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    pdf: str | None = None,
    hide_names: Flag = False,
    links: str | None = None,
    language: Language | None = None,
) -> None:
    """Write an evening, a season or a player as one HTML file.

    The file needs nothing else: no script, no picture or font from elsewhere. It prints well on A4.
    Hands that it leads to stand in it in full, but are not printed.

    Args:
        evening: A day such as 2026-11-20, or a session: its number, its name, or a part of it that
            no other has. Without an evening, a season or a player it is the last evening.
        season: A year.
        player: The id of a player.
        output: The file to write, or - for standard output; report.html unless said, and none if
            --pdf is given.
        pdf: A PDF file to write, printed by the Chromium of this machine.
        hide_names: Players have numbers in the place of names.
        links: Address of a dashboard, such as http://localhost:8501, that hands are to lead to
            instead.
        language: The language of the report: en, sv, fi, es, hi or bn. English unless said here or
            in TRICKLOG_LANGUAGE.
    """
    asked = [each for each in (evening, season, player) if each is not None]
    if len(asked) > 1:
        raise UserError(
            "a report is about an evening, a season or a player, and more than one is named",
            "Run the command once for each.",
        )
    check_season(season)
    address = urlsplit(links or "http://none")
    if address.scheme not in {"http", "https"} or not address.netloc:
        raise UserError(
            f"--links {links!r} is no address of a dashboard", "Give one as http://localhost:8501."
        )
    with speaking(language):
        with figures.opened_facts(db, whose) as facts, open_snapshot(db) as tables:
            sources = Sources(facts, tables, hide_names=hide_names, dashboard=links)
            if player is not None:
                made = _of_player(sources, merged(facts).get(player, player), db)
            elif season is not None:
                try:
                    title = say("Season {year}", year=season)
                    made = season_report(sources, of_year(season), title)
                except LookupError:
                    raise no_season(facts, season) from None
            else:
                made = evening_report(sources, *chosen_evening(facts, evening, db, whose))
        _write(made, output or (None if pdf else _OUT), pdf)


def _of_player(sources: Sources, player: str, db: str) -> Report:
    try:
        return player_report(sources, player)
    except LookupError:
        if player in sources.names:
            raise UserError(
                f"{one_line(player)!r} has no valid hand in {db}, or none that --whose chooses",
                f"{own_command()} stats verdicts --by verdict --where {quote(f'player={player}')} "
                f"--db {quote(db)} says what there is.",
            ) from None
        ids = {name.lower(): each for each, name in sources.names.items()}
        ids |= {each.lower(): each for each in sources.names}
        near = get_close_matches(player.lower(), ids, n=_CLOSE)
        close = list(dict.fromkeys(ids[each] for each in near))
        hint = f"Did you mean {' or '.join(close)}?" if close else ""
        hint = hint or f"{own_command()} list players --db {quote(db)} lists them."
        raise UserError(f"there is no player {one_line(player)!r} in {db}", hint) from None


def _write(made: Report, page: str | None, pdf: str | None) -> None:
    text = as_page(made, date.today())  # noqa: DTZ011 - the day as whoever makes it calls it
    if page == "-":
        write_text(text)
    elif page is not None:
        Path(page).write_text(text, "utf-8")
        remark(Text(f"Wrote {page}: {made.title}."))
    if pdf is None:
        return
    with Scratch("report-") as folder:
        printed = Path(folder) / _OUT
        printed.write_text(text, "utf-8")
        try:
            print_page(printed, Path(pdf))
        except NoPrinterError as error:
            raise UserError(
                f"{pdf} was not written: {error}",
                "Install Chromium, or print the HTML file from a browser.",
            ) from None
    remark(Text(f"Wrote {pdf}: {made.title}."))
