"""``tricklog show evening``, ``show season``, and ``report``: one file to send and to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from cyclopts import Parameter
from duckdb import DuckDBPyConnection
from rich.console import RenderableType
from rich.text import Text

from tricklog.ingest.chances import chances_of
from tricklog.ingest.chances.words import evening_sentences
from tricklog.ingest.cli import arguments, figures
from tricklog.ingest.cli.arguments import DEFAULT_DB, EVERYBODY, Flag, Warehouse, Whose
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.languages import Language, speaking
from tricklog.ingest.cli.output import (
    UserError,
    own_command,
    print_json,
    put,
    remark,
    values_of,
    write_text,
)
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.facts.aliased import merged
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.reports import content
from tricklog.ingest.reports import season as seasons
from tricklog.ingest.reports.evening import evening_report, lead, records_set, standings_section
from tricklog.ingest.reports.player import player_report
from tricklog.ingest.reports.sources import Sources
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import Evening, evening_of, evenings, sessions_named
from tricklog.ingest.sessions.records import Record
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.warehouses import open_snapshot
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import day_text
from tricklog.schemas.printable import one_line

_SHOWN: Final = """\
  tricklog show evening --db club        # the last one: who won, game by game
  tricklog show evening 2026-11-20 --db club
  tricklog show season 2026 --db club    # games, pairs, records of a year"""
EXAMPLES: Final = {
    "evening": _SHOWN,
    "report": """\
  tricklog report --db club  # the last evening, into report.html
  tricklog report --evening 2026-11-20 --db club   # that evening
  tricklog report --season 2026 --pdf season.pdf --db club
  tricklog report --season 2026 --language sv --db club
  tricklog report --player ann --hide-names --db club""",
    "season": _SHOWN,
}
_Answer = tuple[dict[str, Any], list[RenderableType]]
"""What is told to programs, in which players have their ids, and to people."""
_CLOSE: Final = 3
_MOST_NAMED: Final = 5
_OUT: Final = "report.html"


def season(
    year: int, /, *, whose: Whose = EVERYBODY, db: Warehouse = DEFAULT_DB, json: Flag = False
) -> None:
    """Print a season.

    It has the games that everybody won with the places they stand in, the pairs, and the records of
    each game.

    Args:
        year: Which, such as 2026.
        json: One JSON object.
    """
    evening(season=year, whose=whose, db=db, json=json)


def evening(
    evening: Annotated[str | None, Parameter(name="ID", allow_leading_hyphen=True)] = None,
    /,
    *,
    season: int | None = None,
    whose: Whose = EVERYBODY,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Print an evening, or a season.

    An evening is a day of all tables, with who won what, the hands that decided it and the records
    that were set; a session is one table of it. A season has the games that
    everybody won with the places they stand in, the pairs, and the records of each game.

    Args:
        evening: A day such as 2026-11-20, or a session: its number, its name, or a part of it that
            no other has. Without one the last evening.
        season: A year; prints its season, after the evening if one is named.
        json: One JSON object for the evening, and one for the season.
    """
    _check_season(season)
    with figures.opened_facts(db, whose) as facts, opened(db) as tables:
        sources, answers = _OnScreen(facts, tables), []
        if evening is not None or season is None:
            answers.append(_evening(sources, *_chosen_evening(facts, evening, db, whose)))
        if season is not None:
            answers.append(_season(sources, season))
    if json:
        for told, _ in answers:
            print_json(told)
    else:
        put(*[each for _, lines in answers for each in ("", *lines)][1:])


class _OnScreen(Sources):
    """What is said on a screen, where an id stands behind what a report links."""

    def link(self, hand: str, text: str, heading: str) -> str:
        del heading
        return f"{text}  {one_line(hand)}"

    def of_game(self, game: str, text: str) -> str:
        return f"{text}  {one_line(game)}"


def _evening(sources: Sources, day: date, filters: Filters) -> _Answer:
    found = evening_of(sources.facts, day, filters, Filters(since=date(day.year, 1, 1), until=day))
    assert found
    new = records_set(sources.facts, found)
    chances = chances_of(sources.tables, sorted(each.game for each in found.games))
    by_id = {each.game: one_line(each.game) for each in found.games}
    decided = [*evening_sentences(chances.frame, by_id), *map(str, chances.refused)]
    told = values_of(found) | {
        "games": [values_of(each, winner="winner_side") for each in found.games],
        "standings": [values_of(each) | {"won": each.won} for each in found.standings],
        "records": [*map(_record_json, new)],
        "headline": words.headline(found, {}),
        "decided": decided,
    }
    lines: list[RenderableType] = [
        Text(day_text(found.day), "bold"),
        f"{', '.join(words.about(found))}.",
        *lead(sources, found, new),
        *decided,
        *_lines_of(standings_section(sources, found)),
        "",
        *_games(sources, found),
    ]
    if found.findings:
        lines += ["", f"{own_command()} audit, or the page Audit, has the findings."]
    return told, lines


def _games(sources: Sources, found: Evening) -> list[str]:
    people = sources.people
    rows = [
        [
            "" if each.began is None else words.clock(each.began),
            one_line(each.game),
            each.title,
            words.winner_text(each, people),
            words.score_text(each).replace(words.TIED, " "),
            words.others_text(each, people),
            f"{each.hands:,}",
            words.state_text(each),
        ]
        for each in found.games
    ]
    heads = ["began", "game", "", "won by", "score", "against", "hands", ""]
    return aligned(heads, [False, False, False, False, True, False, True, False], rows)


def _season(sources: Sources, year: int) -> _Answer:
    found = seasons.season_of(sources.facts, _of_year(sources.facts, year))
    told = {
        "season": year,
        "evenings": found.evenings.to_dicts(),
        "won": found.won.to_dicts(),
        "pairs": found.pairs.to_dicts(),
        "records": [*map(_record_json, found.records)],
        "headline": words.season_text(found.won, {}),
    }
    return told, [
        Text(f"Season {year}", "bold"),
        f"{', '.join(found.about)}.",
        words.season_text(found.won, sources.people),
        words.pairs_text(found.pairs, sources.people),
        *_lines_of(seasons.season_sections(sources, found)),
    ]


def _record_json(record: Record) -> dict[str, Any]:
    return values_of(record, hand="hand_id", players="player_ids")


def _lines_of(sections: Sequence[content.Section]) -> Iterator[RenderableType]:
    """Yield sections of a report without their drawings."""
    for section in sections:
        yield from ("", Text(section.heading, "bold"))
        for block in section.blocks:
            if isinstance(block, content.Table):
                cells = zip(*block.rows, strict=True)
                drawn = {
                    at for at, column in enumerate(cells) if isinstance(column[0], content.Drawing)
                }
                shown = [at for at in range(len(block.heads)) if at not in drawn]
                yield from aligned(
                    [block.heads[at] for at in shown],
                    [at in block.numbers for at in shown],
                    [[content.plain_cell(row[at]) for at in shown] for row in block.rows],
                )


def report(  # noqa: PLR0913 - one parameter an option
    *,
    evening: arguments.OptionalDashed = None,
    season: int | None = None,
    player: arguments.OptionalDashed = None,
    db: Warehouse = DEFAULT_DB,
    whose: Whose = EVERYBODY,
    output: arguments.OptionalDashed = None,
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
    _check_season(season)
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
                title = say("Season {year}", year=season)
                made = seasons.season_report(sources, _of_year(facts, season), title)
            else:
                made = evening_report(sources, *_chosen_evening(facts, evening, db, whose))
        _write(made, output or (None if pdf else _OUT), pdf)


def _of_player(sources: Sources, player: str, db: str) -> content.Report:
    try:
        return player_report(sources, player)
    except LookupError:
        if player in sources.names:
            raise UserError(
                f"{one_line(player)!r} has no valid hand in {db}, or none that --whose chooses",
                f"{own_command()} stats verdicts --by verdict --where {quote(f'player={player}')} "
                f"{db_option(db)} says what there is.",
            ) from None
        ids = {
            name.removesuffix(f" ({one_line(each)})").lower(): each
            for each, name in sources.names.items()
        }
        ids |= {each.lower(): each for each in sources.names}
        near = get_close_matches(player.lower(), ids, n=_CLOSE)
        close = list(dict.fromkeys(ids[each] for each in near))
        hint = f"Did you mean {' or '.join(close)}?" if close else ""
        hint = hint or f"{own_command()} list players {db_option(db)} lists them."
        raise UserError(f"there is no player {one_line(player)!r} in {db}", hint) from None


def _write(made: content.Report, page: str | None, pdf: str | None) -> None:
    text = content.as_page(made, date.today())  # noqa: DTZ011 - the day as whoever makes it calls it
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
            content.print_page(printed, Path(pdf))
        except content.NoPrinterError as error:
            raise UserError(
                f"{pdf} was not written: {error}",
                "Install Chromium, or print the HTML file from a browser.",
            ) from None
    remark(Text(f"Wrote {pdf}: {made.title}."))


# --- Which is meant


def _check_season(season: int | None) -> None:
    if season is not None and not date.min.year <= season <= date.max.year:
        raise UserError(f"--season {season} is no year", "Give one such as 2026.")


def _of_year(facts: DuckDBPyConnection, year: int) -> Filters:
    years = sorted({day.year for day in evenings(facts)["day"]})
    if year not in years:
        raise UserError(
            f"nobody played in {year}",
            f"There are hands of {', '.join(map(str, years))}." if years else "No hand has a day.",
        )
    return seasons.of_year(year)


def _chosen_evening(
    facts: DuckDBPyConnection, text: str | None, db: str, whose: str
) -> tuple[date, Filters]:
    """Return the day asked for, the last one without ``text``, and the table if it is one."""
    days = evenings(facts)["day"].to_list()
    if not days:
        those = "" if whose == EVERYBODY else " of these people"
        raise UserError(
            f"no hand{those} in {db} has a day",
            f"{own_command()} stats --summary {db_option(db)}{figures.of_table(whose)}",
        )
    if text is None:
        return days[-1], EVERYTHING
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is not None:
        if day not in days:
            close = sorted(days, key=lambda each: abs((each - day).days))[:2]
            raise UserError(
                f"nobody played on {day} in {db}",
                f"Did you mean {' or '.join(str(each) for each in sorted(close))}?",
            )
        return day, EVERYTHING
    found = sessions_named(facts, text)
    exact = found.filter((found["name"] == text) | (found["session"].cast(str) == text))
    rows = exact if len(exact) == 1 else found
    if rows.is_empty():
        raise UserError(
            f"there is no session {one_line(text)!r} in {db}",
            "Give a day such as 2026-11-20, or a part of the name of a session.",
        )
    if len(rows) > 1:
        named = [one_line(each) for each in rows["name"].head(_MOST_NAMED)]
        raise UserError(
            f"{len(rows)} sessions or more have {one_line(text)!r} in their name",
            f"Among them: {'; '.join(named)}.",
        )
    return rows["day"].item(), Filters.of({"session": rows["name"].item()})
