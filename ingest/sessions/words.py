"""Evenings and seasons in words, for screens of every kind. Names are given by player id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.figure_words import signed_text, value_text
from tricklog.ingest.sessions.evening import OPEN, Evening, Played, Standing
from tricklog.ingest.sessions.records import KIND, Record
from tricklog.schemas.actions import bid_name
from tricklog.schemas.languages.messages import (
    Listing,
    mark,
    message_of,
    say,
    say_counted,
    translated,
)
from tricklog.schemas.languages.numbers import number, ordinal

Names = Mapping[str, str]
MOST_NAMED: Final = 4
TIED: Final = "\N{NO-BREAK SPACE}"
"""Between parts of one number."""
_TWO: Final = 2


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
        shown.append(say("{number} more", number=number(len(parts) - most)))
    return str(Listing(shown))


# --- An evening


def about(evening: Evening) -> list[str]:
    """Return how much was played, and when: ``94 hands``, ``12 games``, ``2 tables``, times."""
    parts = [hands_text(evening.hands)]
    if evening.games:
        parts.append(games_text(len(evening.games)))
        parts.append(say_counted("{count} player", "{count} players", len(evening.standings)))
    if evening.fixed and evening.tables > 1:
        parts.append(say_counted("{count} table", "{count} tables", evening.tables))
    elif evening.tables > 1:
        parts.append(say("changing tables"))
    times = [clock(each) for each in (evening.began, evening.ended) if each]
    if times and times[0] == times[-1]:
        parts.append(say("began {time}", time=times[0]))
    elif times:
        parts.append(say("first hand {first}, last {last}", first=times[0], last=times[-1]))
    if evening.left_out:
        parts.append(say("{number} not in order", number=number(evening.left_out)))
    return parts


def hands_text(count: int) -> str:
    """Return a number of hands: ``94 hands``."""
    return say_counted("{count} hand", "{count} hands", count)


def games_text(count: int) -> str:
    """Return a number of games: ``12 games``."""
    return say_counted("{count} game", "{count} games", count)


def clock(moment: datetime) -> str:
    """Return a time of the day: ``19:04``."""
    return f"{moment:%H:%M}"


def headline(evening: Evening, names: Names) -> str:
    """Return who won, in a sentence."""
    ended = [each for each in evening.games if each.winner is not None]
    if not evening.games:
        return say("The hands of this evening belong to no game.")
    if not ended:
        return _none_ended(evening.games)
    if len(evening.games) == 1:
        return f"{game_text(ended[0], names)}."
    most = evening.standings[0].won
    winners = [each for each in evening.standings if each.won == most]
    if len(winners) > MOST_NAMED:
        return say(
            "{number} players won {games} each, the most of the evening.",
            number=number(len(winners)),
            games=games_text(most),
        )
    return _most_won(winners, most, listed([name_of(names, each.player) for each in winners]))


def _most_won(winners: Sequence[Standing], most: int, who: str) -> str:
    played = {_ended(each) for each in winners}
    if len(played) > 1:
        # Of different numbers of games, so more than one player has won the most.
        return say("{who} won the most games: {games} each.", who=who, games=games_text(most))
    values = {"who": who, "won": number(most), "ended": number(played.pop())}
    if len(winners) > 1:
        return say("{who} won the most games: {won} of {ended} each.", **values)
    return say("{who} won the most games: {won} of {ended}.", **values)


def _ended(standing: Standing) -> int:
    return len(standing.games) - standing.games.count(OPEN)


def _none_ended(games: Sequence[Played]) -> str:
    return say_counted(
        "No game ended on this evening: {count} game left open.",
        "No game ended on this evening: {count} games left open.",
        len(games),
    )


def game_text(game: Played, names: Names) -> str:
    """Return who won a game: ``Ann & Dee beat Bo & Hana in King Pedro, 203 to 61``."""
    if game.winner is None:
        return say("{game}: {state}", game=game.title, state=state_text(game))
    winner = side_text(names, game.sides[game.winner])
    losers = [side for place, side in enumerate(game.sides) if place != game.winner]
    scores = game.scores
    if len(game.sides) == _TWO:
        values = {"winner": winner, "loser": side_text(names, losers[0]), "game": game.title}
        if scores is None:
            return say("{winner} beat {loser} in {game}", **values)
        return say(
            "{winner} beat {loser} in {game}, {won} to {lost}",
            won=_plain(scores[game.winner]),
            lost=_plain(scores[1 - game.winner]),
            **values,
        )
    return _won_among(game, winner)


def _won_among(game: Played, winner: str) -> str:
    """Return who won a game of more than two sides."""
    assert game.winner is not None
    values = {"winner": winner, "game": game.title, "sides": len(game.sides)}
    several = len(game.sides[game.winner]) > 1
    if game.scores is None:
        if several:
            return say("{winner} win {game} among {sides}", **values)
        return say("{winner} wins {game} among {sides}", **values)
    values["score"] = _plain(game.scores[game.winner])
    if several:
        return say("{winner} win {game} among {sides} with {score}", **values)
    return say("{winner} wins {game} among {sides} with {score}", **values)


def score_text(game: Played) -> str:
    """Return the scores, the winner's first: ``203 : 61``; of many sides the first two."""
    scores = game.scores
    if scores is None:
        return say("not known")
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
    if game.winner is None and not (game.missing or game.others or game.shared):
        parts.append(say("not finished"))
    if game.missing:
        parts.append(say("{number} missing", number=number(game.missing)))
    if game.others:
        parts.append(say("players changed"))
    elif game.shared:
        parts.append(say("others played in it"))
    if game.left_out:
        parts.append(say("{number} not in order", number=number(game.left_out)))
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
        return say("There are too few games yet to say who wins more than others.")
    said = _first_text(placed, names)
    named = placed.filter(placed["named"].fill_null(value=False))
    if named.is_empty():
        nobody = say(
            "Nobody differs from the others for sure, with all {number} compared.",
            number=number(len(placed)),
        )
        return f"{said} {nobody}"
    above, below = (
        listed([name_of(names, each) for each in named.filter(those)["player"]])
        if those.any()
        else ""
        for those in (named["difference"] > 0, named["difference"] < 0)
    )
    return f"{said} {_apart_text(above, below)}"


def _apart_text(above: str, below: str) -> str:
    """Return who is above and below the others for sure, of whom there is somebody."""
    if above and below:
        return say(
            "For sure above the others {above}; below the others {below}.", above=above, below=below
        )
    if above:
        return say("For sure above the others {above}.", above=above)
    return say("For sure below the others {below}.", below=below)


def _first_text(placed: Any, names: Names) -> str:  # noqa: ANN401 - a frame of polars
    """Return who stands first in games won, from the rows of ``standings`` with a place.

    Partners who never parted stand there together.
    """
    metric, row = METRIC["win-rate"], placed.row(0, named=True)
    first = placed.filter(placed["place"] == row["place"])["player"]
    value, low, high = (value_text(metric, row[each]) for each in ("value", "low", "high"))
    values = {
        "who": listed([name_of(names, each) for each in first]),
        "value": value,
        "low": low.removesuffix(" %"),
        "high": high,
        "difference": signed_text(metric, row["difference"]),
    }
    values |= {"first": ordinal(row["from_place"]), "last": ordinal(row["to_place"])}
    if len(first) > 1:
        return say(
            "{who} stand first together in games won, with {value} of theirs ({low} to {high}), "
            "{difference} in 100 against the others in the same games, between {first} and {last} "
            "place.",
            **values,
        )
    if row["to_place"] > row["from_place"]:
        return say(
            "{who} stands first in games won, with {value} of theirs ({low} to {high}), "
            "{difference} in 100 against the others in the same games, between {first} and {last} "
            "place.",
            **values,
        )
    return say(
        "{who} stands first in games won, with {value} of theirs ({low} to {high}), {difference} "
        "in 100 against the others in the same games.",
        **values,
    )


def pairs_text(frame: Any, names: Names) -> str:  # noqa: ANN401 - a frame of polars
    """Return which pairs stand out, from ``pairs.pairs``."""
    judged = frame.filter(frame["difference"].is_not_null())
    if frame.is_empty():
        return say("Nobody played in pairs.")
    if judged.is_empty():
        return say("No pair has ten games together, and enough with others, yet.")
    named = judged.filter(judged["named"].fill_null(value=False))
    if named.is_empty():
        return say_counted(
            "No pair wins for sure more or less than both win with others, with all {count} pair "
            "compared.",
            "No pair wins for sure more or less than both win with others, with all {count} pairs "
            "compared.",
            len(judged),
        )
    said = [
        f"{name_of(names, row['one'])} & {name_of(names, row['two'])} "
        f"{signed_text(METRIC['win-rate'], row['difference'])}"
        for row in named.iter_rows(named=True)
    ]
    return say(
        "For sure more or less than both win with others: {pairs} games in 100.",
        pairs=listed(said),
    )


def record_text(record: Record) -> str:
    """Return what a record is: ``58``, ``118 points behind``, ``3 hands``."""
    value = _plain(record.value)
    match record.kind:
        case "highest-bid":
            return bid_name(record.value)
        case "comeback":
            return say("{number} behind", number=value)
        case "run-made":
            return say("{number} contracts", number=value)
        case "most-points":
            return say("{number} points", number=value)
        case "shortest-game":
            return hands_text(record.value)
        case _:
            return value


def times_text(record: Record) -> str:
    """Return how often a record was reached again; empty where it was not."""
    again = record.times - 1
    if not again:
        return ""
    return say_counted("once again", "{count} times again", again)


def is_new(record: Record, day: date) -> bool:
    """Return whether a record was set on a day, where there had been something to beat."""
    return record.day == day and record.first_day is not None and record.first_day < day


def new_record_text(record: Record, title: str, names: Names) -> str:
    """Return a record just set, in a sentence."""
    values = {
        "who": side_text(names, record.players),
        "record": record_text(record),
        "game": title,
        "number": record.value,
    }
    return str(message_of(_NEW_RECORDS[record.kind], values))


_NEW_RECORDS: Final = {
    "highest-bid": mark("{who}’s {record} in {game} is the highest bid made of the season so far."),
    "comeback": mark(
        "{who} won {game} from {number} behind, the biggest comeback of the season so far."
    ),
    "run-made": mark(
        "{who}’s {record} made in a row in {game} are the longest run of the season so far."
    ),
    "most-points": mark("{who}’s {record} in a hand of {game} are the most of the season so far."),
    "shortest-game": mark("{who}’s {game} in {record} is the shortest game of the season so far."),
    "lowest-score": mark("{who}’s {record} in {game} is the lowest score of the season so far."),
}


def record_title(record: Record) -> str:
    """Return what a record is about: ``Highest bid made``."""
    return translated(KIND[record.kind].title)
