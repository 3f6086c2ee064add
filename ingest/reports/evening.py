"""The report of an evening: who won, every game hand by hand, and what was not in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Final

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.core.judging.standing import RESULTS_SAID
from tricklog.core.render.sentences import rules_text
from tricklog.ingest.chances import chances_of
from tricklog.ingest.chances.words import evening_sentences, game_sentences, numbered, sureness
from tricklog.ingest.metrics import METRIC, FigureError
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.measuring import measure
from tricklog.ingest.reports.content import (
    MADE_WITH,
    OPEN_CARDS,
    Block,
    Card,
    Cell,
    Column,
    Listed,
    Report,
    Score,
    Scores,
    Section,
    Sentences,
    Strong,
    Table,
    table_of,
    tabled,
)
from tricklog.ingest.reports.drawings import Line, lines
from tricklog.ingest.reports.retold import sentences_of
from tricklog.ingest.reports.sources import Dearest, Sources, cards_of
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import Evening, Played, Standing, evening_of
from tricklog.ingest.sessions.records import Record, records
from tricklog.ingest.sheets import words as sheet_words
from tricklog.ingest.sheets.model import Row, RowKind, Sheet
from tricklog.ingest.sheets.sheet import sheets_of
from tricklog.ingest.sql import run
from tricklog.schemas.actions import trump_suit
from tricklog.schemas.languages.messages import plain, say, say_counted
from tricklog.schemas.languages.numbers import day_text, number
from tricklog.schemas.printable import one_line

LETTERS: Final = "AB"
"""What two sides are called in the heads of columns."""
MOST_DEAREST: Final = 5
MOST_FINDINGS: Final = 60
_TWO: Final = 2
_MOST_SIDES: Final = 7
_SIGNS: Final = {"won": "■", "lost": "□", "open": "·"}


def evening_report(sources: Sources, day: date, filters: Filters = EVERYTHING) -> Report:
    """Return the report of an evening, or of one table of it.

    ``filters`` choose the table. Raises ``LookupError`` when nobody played on the day.
    """
    season = Filters(since=date(day.year, 1, 1), until=day)
    evening = evening_of(sources.facts, day, filters, season)
    if evening is None:
        raise LookupError(f"nobody played on {day}")
    games = [(game, _sheet_of(sources, game)) for game in evening.games]
    wanted = [row.hand for _, sheet in games for row in sheet.rows if row.hand]
    dearest, makers = sources.dearest(wanted), sources.makers(wanted)
    new = records_set(sources.facts, evening)
    played = [game.game for game in evening.games]
    chances = chances_of(sources.tables, played)
    # Where there is one game, its section says it all.
    decided = evening_sentences(chances.frame, numbered(played)) if len(played) > 1 else []
    shown = [
        _Game(sources, game, sheet, number, dearest, makers, chances.frame)
        for number, (game, sheet) in enumerate(games, 1)
    ]
    sections = [
        *(each.section(alone=len(games) == 1) for each in shown),
        *(standings_section(sources, evening) if len(games) > 1 else []),
        *_players(sources, evening, day, filters),
        *_dearest_section(sources, games, dearest),
        *_findings(sources, evening, games),
    ]
    notes = filter(None, [str(OPEN_CARDS) if dearest else "", " ".join(sureness(chances))])
    return Report(
        title=say("Evening of {day}", day=day_text(day)),
        above=str(MADE_WITH),
        about=words.about(evening),
        lead=[*lead(sources, evening, new), _order_text(evening), *decided],
        sections=sections,
        notes=list(notes),
        hands=sources.in_full(),
    )


def _sheet_of(sources: Sources, game: Played) -> Sheet:
    """Return the sheet of a game; where logs share its id, the one with the most of its players."""
    seated = {player for side in game.sides for player in side}
    found = sheets_of(sources.tables, game.game)
    return max(
        found, key=lambda each: len(seated & {one for side in each.sides for one in side.players})
    )


def lead(sources: Sources, evening: Evening, new: Sequence[Record]) -> list[str]:
    """Return who won, the records that were set, and how many hands belong to no game."""
    said = [words.headline(evening, sources.people)]
    said += [
        words.new_record_text(each, sources.title(each.variant), sources.people) for each in new
    ]
    if evening.without_game:
        without = number(evening.without_game)
        said.append(say("Hands that belong to no game: {number}.", number=without))
    return said


def _order_text(evening: Evening) -> str:
    if not evening.findings:
        return say("All hands are in order.")
    return say_counted(
        "One finding is listed below.", "The {count} findings are listed below.", evening.findings
    )


def records_set(facts: DuckDBPyConnection, evening: Evening) -> list[Record]:
    """Return the records of the season so far that games of an evening set."""
    day = evening.day
    found = records(facts, Filters(since=date(day.year, 1, 1), until=day))
    ours = {each.game for each in evening.games}
    return [each for each in found if words.is_new(each, day) and each.game in ours]


# --- A game


@dataclass(frozen=True, slots=True)
class _Game:
    """A game of the evening with its sheet, and what is known of its hands."""

    sources: Sources
    game: Played
    sheet: Sheet
    number: int
    dearest: dict[str, Dearest]
    makers: dict[str, str]
    chances: pl.DataFrame

    @property
    def _labels(self) -> list[str]:
        return [self.sources.people.side(side.players) for side in self.sheet.sides]

    @property
    def _is_solved(self) -> bool:
        return any(row.hand in self.dearest for row in self.sheet.rows)

    @property
    def _sides_are_few(self) -> bool:
        return len(self.sheet.sides) <= _TWO

    def section(self, *, alone: bool) -> Section:
        """Return the game under a heading; ``alone`` when the evening has no other."""
        sheet, blocks = self.sheet, list[Block]()
        told = words.game_text(self.game, self.sources.people)
        numbered = say("Game {number}: {result}", number=self.number, result=told)
        heading = self.game.title if alone else numbered
        if alone and sheet.final and len(sheet.sides) <= _MOST_SIDES:
            blocks.append(self._scores(sheet.final))
        scored = [row for row in sheet.rows if row.scores]
        if len(scored) > 1:
            blocks.append(self._race(scored))
        if self._sides_are_few and len(scored) <= 1:
            named = zip(LETTERS, self._labels, strict=False)
            blocks.append(Sentences([f"{letter}: {label}." for letter, label in named]))
        blocks.append(self._hands())
        own = self.chances.filter(self.chances["game"] == self.game.game)
        if said := game_sentences(own, self._labels):
            blocks.append(Sentences(said))
        about = f"{sheet_words.aim(sheet)} · {sheet_words.state(sheet)}"
        return Section(heading, blocks, about=about)

    def _scores(self, final: Sequence[int]) -> Scores:
        form = sheet_words.signed if self.sheet.in_game_points else sheet_words.plain
        return Scores(
            [
                Score(label, form(score), side == self.sheet.winner)
                for side, (label, score) in enumerate(zip(self._labels, final, strict=True))
            ]
        )

    def _race(self, scored: Sequence[Row]) -> Block:
        """Draw the running scores after each hand."""
        sheet, labels = self.sheet, self._labels
        start = [sheet.start] if sheet.start else []
        places = [*start, *(row.scores for row in scored if row.scores)]
        return lines(
            [
                Line(
                    f"{LETTERS[side]}  {label} {sheet_words.plain(places[-1][side])}"
                    if self._sides_are_few
                    else f"{label} {sheet_words.plain(places[-1][side])}",
                    [each[side] for each in places],
                )
                for side, label in enumerate(labels)
            ],
            ["" for _ in start] + [sheet_words.number_text(row) for row in scored],
            said=say(
                "Scores after each hand of {sides}; the table below has them.",
                sides=", ".join(labels),
            ),
            target=None if sheet.in_game_points else float(sheet.target),
        )

    def _hands(self) -> Table:
        """Return the table of the hands of a game, a row for each."""
        solved, rows = self._is_solved, self.sheet.rows
        form = sheet_words.signed if self.sheet.in_game_points else sheet_words.plain
        columns = [
            Column(say("hand"), self._hand, is_number=True),
            Column(say("maker"), self._maker),
            Column(say("bid"), sheet_words.bid_text, is_number=True),
            Column("", _trump),
            Column(say("took"), _took, is_number=True),
            Column("", _result),
            *([Column(say("best play*"), self._best, is_number=True)] if solved else []),
            *self._by_side(
                [say("hand {side}", side=each) for each in LETTERS],
                *(say("added"), "change", sheet_words.signed),
            ),
            *self._by_side(
                [say("score {side}", side=each) for each in LETTERS], say("scores"), "scores", form
            ),
            *([Column(say("dearest card*"), self._dearest)] if solved else []),
            *([Column(say("remarks"), self._remarks)] if any(map(self._remarks, rows)) else []),
        ]
        return table_of(say("Hands of game {number}", number=self.number), columns, rows)

    def _by_side(
        self, heads: Sequence[str], together: str, name: str, form: Callable[[int], str]
    ) -> Iterator[Column]:
        """Yield a column for each of two sides, or one for many."""

        def cell(row: Row, side: int | None = None) -> str:
            numbers: Sequence[int] | None = getattr(row, name)
            if numbers is None:
                return ""
            return " : ".join(map(form, numbers)) if side is None else form(numbers[side])

        if not self._sides_are_few:
            yield Column(together, cell, is_number=True)
            return
        for side, head in enumerate(heads):
            yield Column(head, partial(cell, side=side), is_number=True)

    def _hand(self, row: Row) -> Cell:
        told = sheet_words.number_text(row)
        return (
            self.sources.link(row.hand, told, _hand_place(self.number, told)) if row.hand else told
        )

    def _maker(self, row: Row) -> str:
        maker = self.makers.get(row.hand or "")
        return "" if maker is None else self.sources.people[maker]

    def _best(self, row: Row) -> str:
        cost = self.dearest.get(row.hand or "")
        return "" if cost is None or cost.par is None else str(cost.par)

    def _dearest(self, row: Row) -> Cell:
        cost = self.dearest.get(row.hand or "")
        if cost is None:
            return say("not solved")
        if cost.player is None:
            return say("no card cost anything")
        return [self.sources.people[cost.player], *cards_of(cost.cards), f"−{cost.loss}"]

    def _remarks(self, row: Row) -> str:
        remarks = sheet_words.remarks(replace(row, others=()))
        if row.others and self.sources.people.hidden:
            remarks.append(say("played by others"))
        elif row.others:
            others = ", ".join(map(one_line, row.others))
            remarks.append(say("played by {players}", players=others))
        remarks += [sheet_words.finding_text(mark.code) for mark in row.marks]
        return ", ".join(dict.fromkeys(remarks))


def _hand_place(game: int, hand: str) -> str:
    return say("Game {game}, hand {hand}", game=game, hand=hand)


def _trump(row: Row) -> Cell:
    text = sheet_words.trump_text(row)
    if row.trump is None or len(text) != 1:
        return text
    return Card(text, trump_suit(row.trump))


def _took(row: Row) -> str:
    if row.points is None or row.kind != RowKind.PLAYED or row.maker_side is None:
        return ""
    return sheet_words.plain(row.points[row.maker_side])


def _result(row: Row) -> Cell:
    if row.kind != RowKind.PLAYED:
        return ""
    if row.result is None:
        return ""
    said = str(RESULTS_SAID[row.result])
    return Strong(said) if row.result == "set" else said


# --- The evening as a whole


def standings_section(sources: Sources, evening: Evening) -> list[Section]:
    """Return what everybody won, in one section, if there was a game."""
    above = say("above the field, of 100 at stake")
    columns = [
        Column(say("player"), lambda each: Strong(sources.people[each.player])),
        Column(say("won"), lambda each: number(each.won), is_number=True),
        Column(say("games"), lambda each: "".join(_SIGNS[game] for game in each.games)),
        Column(above, lambda each: words.above_text(each.above), is_number=True),
    ]
    about = say("■ won, □ lost, · open, in the order of play")
    named = say("Standings of the evening")
    return tabled(say("Standings"), columns, evening.standings, name=named, about=about)


def _players(sources: Sources, evening: Evening, day: date, filters: Filters) -> list[Section]:
    """Return what each player bid and made, and how many of their cards cost something."""
    own = Filters(since=day, until=day, chosen=filters.chosen)
    bids, choices = (_cases(sources, name, own) for name in ("made-rate", "accuracy"))
    columns = [
        Column(say("player"), lambda each: Strong(sources.people[each.player])),
        Column(say("contracts"), lambda each: str(bids.get(each.player, _NONE)[0]), is_number=True),
        Column(say("made"), lambda each: str(bids.get(each.player, _NONE)[1]), is_number=True),
    ]

    def cost(each: Standing) -> str:
        count, free = choices.get(each.player, _NONE)
        return str(count - free)

    if choices:
        columns += [
            Column(
                say("choices*"),
                lambda each: str(choices.get(each.player, _NONE)[0]),
                is_number=True,
            ),
            Column(say("that cost*"), cost, is_number=True),
        ]
    about = say("contracts they chose to bid, not those they had to")
    return tabled(say("Players"), columns, evening.standings, about=about, half=True)


_NONE: Final = (0, 0)


def _cases(sources: Sources, name: str, filters: Filters) -> dict[str, tuple[int, int]]:
    """Return, by player, of how many cases how many count for a share; nothing where none can."""
    try:
        frame = measure(sources.facts, METRIC[name], ("player",), filters, 1)
    except FigureError:
        return {}
    return {row["player"]: (row["n"], row["hits"]) for row in frame.iter_rows(named=True)}


def _dearest_section(
    sources: Sources, games: Sequence[tuple[Played, Sheet]], dearest: dict[str, Dearest]
) -> list[Section]:
    """Return the cards of the evening that cost most."""
    found = [
        (cost, number, row)
        for number, (_, sheet) in enumerate(games, 1)
        for row in sheet.rows
        if row.hand and (cost := dearest.get(row.hand)) and cost.player
    ]
    found.sort(key=lambda each: (-each[0].loss, each[1]))

    def where(each: tuple[Dearest, int, Row]) -> Cell:
        cost, game, row = each
        told = sheet_words.number_text(row)
        place = say("game {game}, hand {hand}", game=game, hand=told)
        if len(games) == 1:
            place = say("hand {hand}", hand=told)
        link = sources.link(row.hand or "", place, _hand_place(game, told))
        return [link, say("trick {number}", number=cost.trick)]

    def card(each: tuple[Dearest, int, Row]) -> Cell:
        return [Strong(sources.people[each[0].player or ""]), *cards_of(each[0].cards)]

    columns = [
        Column(say("where"), where),
        Column(say("card"), card),
        Column(say("cards open*"), lambda each: f"−{each[0].loss}", is_number=True),
    ]
    return tabled(say("Dearest cards"), columns, found[:MOST_DEAREST], half=True)


def _findings(
    sources: Sources, evening: Evening, games: Sequence[tuple[Played, Sheet]]
) -> list[Section]:
    """Return every finding with its hand and its rule."""
    if not evening.findings:
        return []
    rules = _rules_of(sources, [row.hand for _, sheet in games for row in sheet.rows if row.hand])
    items: list[tuple[Cell, str]] = []
    for game, (_, sheet) in enumerate(games, 1):
        said_of = sentences_of(sources.tables, sheet)
        for row in sheet.rows:
            told = _hand_place(game, sheet_words.number_text(row))
            for mark in row.marks:
                # Where names are hidden so is the sentence, which names players.
                said = sheet_words.finding_text(mark.code)
                sentence = said_of.get((row.hand or "", mark.message), plain(mark.message))
                text = said if sources.people.hidden else one_line(str(sentence))
                place = sources.link(row.hand, f"{told}:", told) if row.hand else f"{told}:"
                rule = rules.get((row.hand or "", mark.code), "")
                cited = say("Rule {rules}", rules=rules_text(rule)) if rule else ""
                items.append(([place, text], cited))
    blocks: list[Block] = [Listed(items[:MOST_FINDINGS])]
    more = evening.findings - min(len(items), MOST_FINDINGS)
    if more > 0:
        blocks.append(
            Sentences(
                [
                    say_counted(
                        "{count} more finding stand in the audit.",
                        "{count} more findings stand in the audit.",
                        more,
                    )
                ]
            )
        )
    return [Section(say("Findings"), blocks)]


def _rules_of(sources: Sources, wanted: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return the citations of findings, by hand and code."""
    rows = run(
        sources.tables,
        "SELECT hand_id, code, any_value(rule) AS rule FROM findings "
        "WHERE hand_id IN (SELECT unnest($ids::VARCHAR[])) GROUP BY hand_id, code",
        {"ids": list(wanted)},
    )
    return {(row["hand_id"], row["code"]): row["rule"] for row in rows.iter_rows(named=True)}
