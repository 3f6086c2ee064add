"""Evenings and seasons in words, for screens of every kind. Names are given by player id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from ingest.metrics import METRIC
from ingest.metrics.figure_words import ordinal, signed_text, value_text
from ingest.sessions.evening import OPEN, Evening, Played, Standing
from ingest.sessions.records import KIND, Record
from schemas.actions import bid_name
from schemas.words import counted

Names = Mapping[str, str]
MOST_NAMED: Final = 4
TIED: Final = "\N{NO-BREAK SPACE}"
"""Between parts of one number."""
_WEEKDAYS: Final = (
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_TWO: Final = 2


def day_text(day: date) -> str:
    """Return a day as people say it: ``Friday 20 November 2026``."""
    return f"{_WEEKDAYS[day.weekday()]} {short_day(day)} {day.year}"


def short_day(day: date) -> str:
    """Return a day without its year: ``20 November``."""
    return f"{day.day} {_MONTHS[day.month - 1]}"


def name_of(names: Names, player: str) -> str:
    """Return what a player is called."""
    return names.get(player) or player


def side_text(names: Names, players: Sequence[str]) -> str:
    """Return the players of a side: ``Ann & Dee``."""
    return " & ".join(name_of(names, each) for each in players)


def listed(parts: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return names in a row: ``Ann, Bo and Cy``; of many the first ones and how many more."""
    shown = list(parts[:most])
    if len(parts) > most:
        shown.append(f"{len(parts) - most:,} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


# --- An evening


def about(evening: Evening) -> list[str]:
    """Return how much was played, and when: ``94 hands``, ``12 games``, ``2 tables``, times."""
    parts = [counted(evening.hands, "hand")]
    if evening.games:
        parts.append(counted(len(evening.games), "game"))
        parts.append(counted(len(evening.standings), "player"))
    if evening.fixed and evening.tables > 1:
        parts.append(counted(evening.tables, "table"))
    elif evening.tables > 1:
        parts.append("changing tables")
    times = [clock(each) for each in (evening.began, evening.ended) if each]
    if times:
        same = times[0] == times[-1]
        parts.append(f"began {times[0]}" if same else f"first hand {times[0]}, last {times[-1]}")
    if evening.left_out:
        parts.append(f"{evening.left_out:,} not in order")
    return parts


def clock(moment: datetime) -> str:
    """Return a time of the day: ``19:04``."""
    return f"{moment:%H:%M}"


def headline(evening: Evening, names: Names) -> str:
    """Return who won, in a sentence."""
    ended = [each for each in evening.games if each.winner is not None]
    if not evening.games:
        return "The hands of this evening belong to no game."
    if not ended:
        return f"No game ended on this evening: {_unfinished(evening.games)}."
    if len(evening.games) == 1:
        return f"{game_text(ended[0], names)}."
    most = evening.standings[0].won
    winners = [each for each in evening.standings if each.won == most]
    if len(winners) > MOST_NAMED:
        return (
            f"{len(winners):,} players won {counted(most, 'game')} each, the most of the evening."
        )
    played = {_ended(each) for each in winners}
    of = f" of {played.pop():,}" if len(played) == 1 else ""
    each_of = " each" if len(winners) > 1 else ""
    number = f"{most:,}{of}" if of else counted(most, "game")
    who = listed([name_of(names, each.player) for each in winners])
    return f"{who} won the most games: {number}{each_of}."


def _ended(standing: Standing) -> int:
    return len(standing.games) - standing.games.count(OPEN)


def _unfinished(games: Sequence[Played]) -> str:
    going = sum(each.after for each in games)
    if going == len(games):
        return "the game went on the day after" if going == 1 else "all went on the day after"
    return f"{counted(len(games), 'game')} left open"


def game_text(game: Played, names: Names) -> str:
    """Return who won a game: ``Ann & Dee beat Bo & Hana in King Pedro, 203 to 61``."""
    if game.winner is None:
        return f"{game.title}: {state_text(game)}"
    winner = side_text(names, game.sides[game.winner])
    losers = [side for place, side in enumerate(game.sides) if place != game.winner]
    scores = game.scores
    if len(game.sides) == _TWO:
        by = ""
        if scores:
            by = f", {_plain(scores[game.winner])} to {_plain(scores[1 - game.winner])}"
        return f"{winner} beat {side_text(names, losers[0])} in {game.title}{by}"
    by = f" with {_plain(scores[game.winner])}" if scores else ""
    verb = "win" if len(game.sides[game.winner]) > 1 else "wins"
    return f"{winner} {verb} {game.title} among {len(game.sides)}{by}"


def score_text(game: Played) -> str:
    """Return the scores, the winner's first: ``203 : 61``; of many sides the first two."""
    scores = game.scores
    if scores is None:
        return "not known"
    order = sorted(range(len(scores)), key=lambda side: (side != game.winner, -scores[side]))
    return f"{TIED}:{TIED}".join(_plain(scores[side]) for side in order[:_TWO])


def others_text(game: Played, names: Names) -> str:
    """Return who did not win; of an open game everybody."""
    sides = [side for place, side in enumerate(game.sides) if place != game.winner]
    between = " – " if game.winner is None and len(sides) == _TWO else ", "
    return between.join(side_text(names, side) for side in sides)


def state_text(game: Played) -> str:
    """Return what else is to be said of a game, empty where nothing is."""
    parts = []
    if game.before:
        parts.append("began the day before")
    if game.after:
        parts.append("went on the day after")
    elif game.winner is None and not (game.missing or game.others or game.shared):
        parts.append("not finished")
    if game.missing:
        parts.append(f"{game.missing:,} missing")
    if game.others:
        parts.append("players changed")
    elif game.shared:
        parts.append("others played in it")
    if game.left_out:
        parts.append(f"{game.left_out:,} not in order")
    return ", ".join(parts)


def above_text(above: float | None) -> str:
    """Return points above the field of 100 at stake: ``+3.1``; a dash where none are known."""
    return "–" if above is None else signed_text(METRIC["score-share"], above)


def _plain(number: int) -> str:
    return f"−{-number}" if number < 0 else str(number)


# --- A season


def season_text(frame: Any, names: Names) -> str:  # noqa: ANN401 - a frame of polars
    """Return who has won the most of a season, from ``standings`` of games won."""
    placed = frame.filter(frame["place"].is_not_null())
    if placed.is_empty():
        return "There are too few games yet to say who wins more than others."
    row = placed.row(0, named=True)
    who = name_of(names, row["player"])
    metric = METRIC["win-rate"]
    value, low, high = (value_text(metric, row[each]) for each in ("value", "low", "high"))
    between = ""
    if row["to_place"] > row["from_place"]:
        between = f", between {ordinal(row['from_place'])} and {ordinal(row['to_place'])} place"
    said = (
        f"{who} stands first in games won, with {value} of theirs "
        f"({low.removesuffix(' %')} to {high}), {signed_text(metric, row['difference'])} in 100 "
        f"against the others in the same games{between}."
    )
    named = placed.filter(placed["named"].fill_null(value=False))
    if named.is_empty():
        return f"{said} Nobody differs from the others for sure, with all {len(placed):,} compared."
    parts = []
    for way, those in (("above", named["difference"] > 0), ("below", named["difference"] < 0)):
        apart = [name_of(names, each) for each in named.filter(those)["player"]]
        parts += [f"{way} the others {listed(apart)}"] if apart else []
    return f"{said} For sure {'; '.join(parts)}."


def pairs_text(frame: Any, names: Names) -> str:  # noqa: ANN401 - a frame of polars
    """Return which pairs stand out, from ``pairs.pairs``."""
    judged = frame.filter(frame["difference"].is_not_null())
    if frame.is_empty():
        return "Nobody played in pairs."
    if judged.is_empty():
        return "No pair has ten games together, and enough with others, yet."
    named = judged.filter(judged["named"].fill_null(value=False))
    if named.is_empty():
        return (
            "No pair wins for sure more or less than both win with others, with all "
            f"{counted(len(judged), 'pair')} compared."
        )
    said = [
        f"{name_of(names, row['one'])} & {name_of(names, row['two'])} "
        f"{signed_text(METRIC['win-rate'], row['difference'])}"
        for row in named.iter_rows(named=True)
    ]
    return f"For sure more or less than both win with others: {listed(said)} games in 100."


def record_text(record: Record) -> str:
    """Return what a record is: ``58``, ``118 points behind``, ``3 hands``."""
    number = _plain(record.value)
    if record.kind == "highest-bid":
        return bid_name(record.value)
    unit = {
        "comeback": "behind",
        "run-made": "contracts",
        "most-points": "points",
        "shortest-game": "hands" if record.value > 1 else "hand",
    }.get(record.kind, "")
    return f"{number} {unit}".strip()


def times_text(record: Record) -> str:
    """Return how often a record was reached again; empty where it was not."""
    again = record.times - 1
    return "" if not again else "once again" if again == 1 else f"{again:,} times again"


def is_new(record: Record, day: date) -> bool:
    """Return whether a record was set on a day, where there had been something to beat."""
    return record.day == day and record.first_day is not None and record.first_day < day


def new_record_text(record: Record, title: str, names: Names) -> str:
    """Return a record just set, in a sentence."""
    who = side_text(names, record.players)
    said = record_text(record)
    what = {
        "highest-bid": f"{who}’s {said} in {title} is the highest bid made",
        "comeback": f"{who} won {title} from {record.value} behind, the biggest comeback",
        "run-made": f"{who}’s {said} made in a row in {title} are the longest run",
        "most-points": f"{who}’s {said} in a hand of {title} are the most",
        "shortest-game": f"{who}’s {title} in {said} is the shortest game",
        "lowest-score": f"{who}’s {said} in {title} is the lowest score",
    }[record.kind]
    return f"{what} of the season so far."


def record_title(record: Record) -> str:
    """Return what a record is about: ``Highest bid made``."""
    return KIND[record.kind].title
