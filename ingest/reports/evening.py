"""The report of an evening: who won, every game hand by hand, and what was not in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final, NamedTuple

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
    OPEN_CARDS,
    Block,
    Cell,
    Column,
    Report,
    Section,
    Table,
    card,
    large_scores,
    listing,
    sentences,
    strong,
    table_of,
    tabled,
)
from tricklog.ingest.reports.drawings import lines
from tricklog.ingest.reports.sources import Dearest, Sources, cards_of
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import Evening, Played, Standing, evening_of
from tricklog.ingest.sessions.records import Record, records
from tricklog.ingest.sheets import words as sheet_words
from tricklog.ingest.sheets.model import Row, RowKind, Sheet
from tricklog.ingest.sheets.sheet import sentences_of, sheets_of
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
    hands = [row.hand for _, sheet in games for row in sheet.rows if row.hand]
    chances = chances_of(sources.tables, [game.game for game in evening.games])
    told = _Told(sources, games, hands, sources.dearest(hands), sources.makers(hands))
    sections = [
        told.game(at, game, sheet, chances.frame) for at, (game, sheet) in enumerate(games, 1)
    ]
    own = Filters(since=day, until=day, chosen=filters.chosen)
    sections += standings_section(sources, evening) if len(games) > 1 else []
    sections += [*_players(sources, evening, own), *told.dearest_cards()]
    sections += [told.findings(evening.findings)] if evening.findings else []
    said = lead(sources, evening, records_set(sources.facts, evening))
    in_order = say("All hands are in order.")
    listed = say_counted(
        "One finding is listed below.", "The {count} findings are listed below.", evening.findings
    )
    said.append(listed if evening.findings else in_order)
    if len(games) > 1:
        # Where there is one game, its section says it all.
        said += evening_sentences(chances.frame, numbered(each.game for each in evening.games))
    notes = (str(OPEN_CARDS) if told.dearest else "", " ".join(sureness(chances)))
    return Report(
        title=say("Evening of {day}", day=day_text(day)),
        about=words.about(evening),
        lead=said,
        sections=sections,
        notes=[each for each in notes if each],
        hands=sources.in_full(),
    )


def _sheet_of(sources: Sources, game: Played) -> Sheet:
    """Return the sheet of a game; where logs share its id, the one with the most of its players."""
    seated = {player for side in game.sides for player in side}

    def seats(sheet: Sheet) -> int:
        return len(seated & {player for side in sheet.sides for player in side.players})

    return max(sheets_of(sources.tables, game.game), key=seats)


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


def records_set(facts: DuckDBPyConnection, evening: Evening) -> list[Record]:
    """Return the records of the season so far that games of an evening set."""
    day = evening.day
    found = records(facts, Filters(since=date(day.year, 1, 1), until=day))
    ours = {each.game for each in evening.games}
    return [each for each in found if words.is_new(each, day) and each.game in ours]


class _Told(NamedTuple):
    """The games of an evening with their sheets, and what is known of their hands."""

    sources: Sources
    games: list[tuple[Played, Sheet]]
    hands: list[str]
    dearest: dict[str, Dearest]
    makers: dict[str, str]

    def game(self, at: int, game: Played, sheet: Sheet, chances: pl.DataFrame) -> Section:
        """Return the game with the number ``at`` under a heading."""
        result = words.game_text(game, self.sources.people)
        labels = [self.sources.people.side(side.players) for side in sheet.sides]
        is_alone, are_few = len(self.games) == 1, len(sheet.sides) <= _TWO
        scored = [row for row in sheet.rows if row.scores]
        heading, blocks = game.title, list[Block]()
        if not is_alone:
            heading = say("Game {number}: {result}", number=at, result=result)
        elif sheet.final and len(sheet.sides) <= _MOST_SIDES:
            scores = [sheet_words.score_text(sheet, each) for each in sheet.final]
            won = [side == sheet.winner for side in range(len(scores))]
            blocks.append(large_scores(zip(labels, scores, won, strict=True)))
        if len(scored) > 1:
            # The running scores after each hand.
            start = [sheet.start] if sheet.start else []
            places = [*start, *(row.scores for row in scored if row.scores)]
            named = [
                f"{f'{LETTERS[side]}  ' if are_few else ''}{label} "
                f"{sheet_words.plain(places[-1][side])}"
                for side, label in enumerate(labels)
            ]
            drawn = [(name, [each[side] for each in places]) for side, name in enumerate(named)]
            said = say(
                "Scores after each hand of {sides}; the table below has them.",
                sides=", ".join(labels),
            )
            target = None if sheet.in_game_points else float(sheet.target)
            below = ["" for _ in start] + [sheet_words.number_text(row) for row in scored]
            blocks.append(lines(drawn, below, said=said, target=target))
        elif are_few:
            letters = zip(LETTERS, labels, strict=False)
            blocks.append(sentences(*(f"{letter}: {label}." for letter, label in letters)))
        blocks.append(self._hands_of(at, sheet))
        if said_of := game_sentences(chances.filter(chances["game"] == game.game), labels):
            blocks.append(sentences(*said_of))
        about = f"{sheet_words.aim(sheet)} · {sheet_words.state(sheet)}"
        return Section(heading, blocks, about=about)

    def _hands_of(self, at: int, sheet: Sheet) -> Table:
        """Return the table of the hands of a game, a row for each."""
        solved = any(row.hand in self.dearest for row in sheet.rows)

        def hand(row: Row) -> Cell:
            said = sheet_words.number_text(row)
            return self.sources.link(row.hand, said, _hand_place(at, said)) if row.hand else said

        def by_side(
            head: Callable[[str], str], whole: str, name: str, form: Callable[[int], str]
        ) -> list[Column]:
            """Return a column for each of two sides, or one for many."""
            if len(sheet.sides) > _TWO:
                return [Column(whole, partial(_scores, name, form), is_number=True)]
            return [
                Column(head(letter), partial(_scores, name, form, side=side), is_number=True)
                for side, letter in enumerate(LETTERS)
            ]

        columns = [
            Column(say("hand"), hand, is_number=True),
            Column(say("maker"), self._maker),
            Column(say("bid"), sheet_words.bid_text, is_number=True),
            Column("", _trump),
            Column(say("took"), _took, is_number=True),
            Column("", _result),
            *([Column(say("best play*"), self._best, is_number=True)] if solved else []),
            *by_side(
                lambda side: say("hand {side}", side=side),
                *(say("added"), "change", sheet_words.signed),
            ),
            *by_side(
                lambda side: say("score {side}", side=side),
                *(say("scores"), "scores", partial(sheet_words.score_text, sheet)),
            ),
            *([Column(say("dearest card*"), self._dearest)] if solved else []),
        ]
        if any(map(self._remarks, sheet.rows)):
            columns.append(Column(say("remarks"), self._remarks))
        return table_of(say("Hands of game {number}", number=at), columns, sheet.rows)

    def _maker(self, row: Row) -> str:
        player = self.makers.get(row.hand or "")
        return "" if player is None else self.sources.people[player]

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
        said = sheet_words.remarks(replace(row, others=()))
        if row.others and self.sources.people.hidden:
            said.append(say("played by others"))
        elif row.others:
            said.append(say("played by {players}", players=", ".join(map(one_line, row.others))))
        said += [sheet_words.finding_text(mark.code) for mark in row.marks]
        return ", ".join(dict.fromkeys(said))

    def dearest_cards(self) -> list[Section]:
        """Return the cards of the evening that cost most."""
        found = [
            (cost, at, row)
            for at, (_, sheet) in enumerate(self.games, 1)
            for row in sheet.rows
            if row.hand and (cost := self.dearest.get(row.hand)) and cost.player
        ]
        found.sort(key=lambda each: (-each[0].loss, each[1]))

        def where(each: tuple[Dearest, int, Row]) -> Cell:
            cost, at, row = each
            hand = sheet_words.number_text(row)
            place = say("hand {hand}", hand=hand)
            if len(self.games) > 1:
                place = say("game {game}, hand {hand}", game=at, hand=hand)
            link = self.sources.link(row.hand or "", place, _hand_place(at, hand))
            return [link, say("trick {number}", number=cost.trick)]

        def card_of(each: tuple[Dearest, int, Row]) -> Cell:
            return [strong(self.sources.people[each[0].player or ""]), *cards_of(each[0].cards)]

        columns = [
            Column(say("where"), where),
            Column(say("card"), card_of),
            Column(say("cards open*"), lambda each: f"−{each[0].loss}", is_number=True),
        ]
        return tabled(say("Dearest cards"), columns, found[:MOST_DEAREST], half=True)

    def findings(self, count: int) -> Section:
        """Return every finding with its hand and its rule; there are ``count`` on the evening."""
        sources = self.sources
        rules = {
            (hand, code): rule
            for hand, code, rule in run(sources.tables, _RULES, {"ids": self.hands}).iter_rows()
        }
        items: list[tuple[Cell, str]] = []
        for at, (_, sheet) in enumerate(self.games, 1):
            said_of = sentences_of(sources.tables, sheet)
            for row in sheet.rows:
                place = _hand_place(at, sheet_words.number_text(row))
                for mark in row.marks:
                    # Where names are hidden so is the sentence, which names players.
                    text = sheet_words.finding_text(mark.code)
                    if not sources.people.hidden:
                        key = row.hand or "", mark.message
                        text = one_line(str(said_of.get(key, plain(mark.message))))
                    where = f"{place}:"
                    head = sources.link(row.hand, where, place) if row.hand else where
                    rule = rules.get((row.hand or "", mark.code), "")
                    cited = say("Rule {rules}", rules=rules_text(rule)) if rule else ""
                    items.append(([head, text], cited))
        blocks = [listing(items[:MOST_FINDINGS])]
        more = count - min(len(items), MOST_FINDINGS)
        if more > 0:
            said = say_counted(
                "{count} more finding stand in the audit.",
                "{count} more findings stand in the audit.",
                more,
            )
            blocks.append(sentences(said))
        return Section(say("Findings"), blocks)


def _hand_place(game: int, hand: str) -> str:
    return say("Game {game}, hand {hand}", game=game, hand=hand)


def _scores(name: str, form: Callable[[int], str], row: Row, side: int | None = None) -> str:
    """Return the numbers of a row by their ``name``, or that of one side."""
    numbers: Sequence[int] | None = getattr(row, name)
    if numbers is None:
        return ""
    return " : ".join(map(form, numbers)) if side is None else form(numbers[side])


def _trump(row: Row) -> Cell:
    text = sheet_words.trump_text(row)
    return text if row.trump is None or len(text) != 1 else card(text, trump_suit(row.trump))


def _took(row: Row) -> str:
    if row.points is None or row.kind != RowKind.PLAYED or row.maker_side is None:
        return ""
    return sheet_words.plain(row.points[row.maker_side])


def _result(row: Row) -> Cell:
    if row.kind != RowKind.PLAYED or row.result is None:
        return ""
    said = str(RESULTS_SAID[row.result])
    return strong(said) if row.result == "set" else said


def standings_section(sources: Sources, evening: Evening) -> list[Section]:
    """Return what everybody won, in one section, if there was a game."""
    above = say("above the field, of 100 at stake")
    columns = [
        Column(say("player"), lambda each: strong(sources.people[each.player])),
        Column(say("won"), lambda each: number(each.won), is_number=True),
        Column(say("games"), lambda each: "".join(_SIGNS[game] for game in each.games)),
        Column(above, lambda each: words.above_text(each.above), is_number=True),
    ]
    about = say("■ won, □ lost, · open, in the order of play")
    named = say("Standings of the evening")
    return tabled(say("Standings"), columns, evening.standings, name=named, about=about)


def _players(sources: Sources, evening: Evening, filters: Filters) -> list[Section]:
    """Return what each player bid and made, and how many of their cards cost something."""

    def cases(name: str) -> dict[str, tuple[int, int]]:
        """Return, by player, of how many cases how many count; nothing where none can."""
        try:
            frame = measure(sources.facts, METRIC[name], ("player",), filters, 1)
        except FigureError:
            return {}
        return {player: (n, hits) for player, n, hits in frame["player", "n", "hits"].iter_rows()}

    def count(
        head: str, found: dict[str, tuple[int, int]], told: Callable[[int, int], int]
    ) -> Column:
        def cell(each: Standing) -> str:
            return str(told(*found.get(each.player, (0, 0))))

        return Column(head, cell, is_number=True)

    bids, choices = cases("made-rate"), cases("accuracy")
    columns = [
        Column(say("player"), lambda each: strong(sources.people[each.player])),
        count(say("contracts"), bids, lambda n, _: n),
        count(say("made"), bids, lambda _, hits: hits),
    ]
    if choices:
        columns += [
            count(say("choices*"), choices, lambda n, _: n),
            count(say("that cost*"), choices, lambda n, hits: n - hits),
        ]
    about = say("contracts they chose to bid, not those they had to")
    return tabled(say("Players"), columns, evening.standings, about=about, half=True)


_RULES: Final = """
SELECT hand_id, code, any_value(rule)
FROM findings
WHERE hand_id IN (SELECT unnest($ids::VARCHAR[]))
GROUP BY hand_id, code
"""
