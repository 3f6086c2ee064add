"""Evenings and seasons in words, for screens of every kind. Names are given by player id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.figure_words import signed_text, value_text
from tricklog.ingest.sessions.evening import OPEN, Evening, Played
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
from tricklog.schemas.languages.numbers import number, ordinal, plain_day

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


def days_text(first: date, last: date) -> str:
    """Return from when to when days go, in figures; of one day only that."""
    if first == last:
        return plain_day(first)
    return say("{first} to {last}", first=plain_day(first), last=plain_day(last))


def clock(moment: datetime) -> str:
    """Return a time of the day: ``19:04``."""
    return f"{moment:%H:%M}"


def headline(evening: Evening, names: Names) -> str:
    """Return who won, in a sentence."""
    ended = [each for each in evening.games if each.winner is not None]
    if not evening.games:
        return say("The hands of this evening belong to no game.")
    if not ended:
        return say("No game of this evening has a winner.")
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
    who = listed([name_of(names, each.player) for each in winners])
    played = {len(each.games) - each.games.count(OPEN) for each in winners}
    if len(played) > 1:
        # Of different numbers of games, so more than one player has won the most.
        return say("{who} won the most games: {games} each.", who=who, games=games_text(most))
    values = {"who": who, "won": number(most), "ended": number(played.pop())}
    if len(winners) > 1:
        return say("{who} won the most games: {won} of {ended} each.", **values)
    return say("{who} won the most games: {won} of {ended}.", **values)


def game_text(game: Played, names: Names) -> str:
    """Return who won a game: ``Ann & Dee beat Bo & Hana in King Pedro, 203 to 61``."""
    if game.winner is None:
        return say("{game}: {state}", game=game.title, state=state_text(game))
    winner, scores = game.sides[game.winner], game.scores
    values: dict[str, object] = {"winner": side_text(names, winner), "game": game.title}
    if len(game.sides) == _TWO:
        values["loser"] = side_text(names, game.sides[1 - game.winner])
        if scores is not None:
            values |= {"won": _plain(scores[game.winner]), "lost": _plain(scores[1 - game.winner])}
        return str(message_of(_BEAT[scores is not None], values))
    values["sides"] = len(game.sides)
    if scores is not None:
        values["score"] = _plain(scores[game.winner])
    return str(message_of(_WON_AMONG[scores is not None, len(winner) > 1], values))


_BEAT: Final = {
    False: mark("{winner} beat {loser} in {game}"),
    True: mark("{winner} beat {loser} in {game}, {won} to {lost}"),
}
_WON_AMONG: Final = {
    (False, False): mark("{winner} wins {game} among {sides}"),
    (False, True): mark("{winner} win {game} among {sides}"),
    (True, False): mark("{winner} wins {game} among {sides} with {score}"),
    (True, True): mark("{winner} win {game} among {sides} with {score}"),
}
"""By whether the scores are known, and whether several won."""


def score_text(game: Played) -> str:
    """Return the scores, the winner's first: ``203 : 61``; of many sides the first two."""
    scores = game.scores
    if scores is None:
        return say("not known")
    return f"{TIED}:{TIED}".join(_plain(scores[side]) for side in sides_in_order(game)[:_TWO])


def winner_text(game: Played, names: Names) -> str:
    """Return who won; a dash for a game that counts for nobody, as ``state_text`` says."""
    if game.winner is None:
        return "–" if _counts_for_nobody(game) else say("nobody yet")
    return side_text(names, game.sides[game.winner])


def others_text(game: Played, names: Names) -> str:
    """Return who did not win; without a winner everybody, in the order of the scores."""
    sides = [game.sides[place] for place in sides_in_order(game) if place != game.winner]
    between = " – " if game.winner is None and len(sides) == _TWO else ", "
    return between.join(side_text(names, side) for side in sides)


def sides_in_order(game: Played) -> list[int]:
    """Return the numbers of the sides, who won first, then whoever has the higher score."""
    scores = game.scores or [0] * len(game.sides)
    return sorted(range(len(game.sides)), key=lambda side: (side != game.winner, -scores[side]))


def _counts_for_nobody(game: Played) -> bool:
    """Return whether a game has no winner because something of it is not known, or others sat."""
    return bool(game.missing or game.others or game.shared)


def state_text(game: Played) -> str:
    """Return what else is to be said of a game, empty where nothing is."""
    parts = []
    if game.winner is None and not _counts_for_nobody(game):
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
    first = _first_text(placed, names)
    named = placed.filter(placed["named"].fill_null(value=False))
    if named.is_empty():
        nobody = say(
            "Nobody differs from the others for sure, with all {number} compared.",
            number=number(len(placed)),
        )
        return f"{first} {nobody}"
    values = {
        place: listed([name_of(names, each) for each in named.filter(those)["player"]])
        for place, those in {
            "above": named["difference"] > 0,
            "below": named["difference"] < 0,
        }.items()
    }
    apart = message_of(_APART[bool(values["above"]), bool(values["below"])], values)
    return f"{first} {apart}"


_APART: Final = {
    (True, True): mark("For sure above the others {above}; below the others {below}."),
    (True, False): mark("For sure above the others {above}."),
    (False, True): mark("For sure below the others {below}."),
}
"""By whether somebody is above the others for sure, and somebody below."""


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
        "first": ordinal(row["from_place"]),
        "last": ordinal(row["to_place"]),
    }
    are_several, is_open = len(first) > 1, row["to_place"] > row["from_place"]
    text = _FIRST_TOGETHER if are_several else _FIRST_BETWEEN if is_open else _FIRST
    return str(message_of(text, values))


_FIRST: Final = mark(
    "{who} stands first in games won, with {value} of theirs ({low} to {high}), {difference} in "
    "100 against the others in the same games."
)
_FIRST_BETWEEN: Final = mark(
    "{who} stands first in games won, with {value} of theirs ({low} to {high}), {difference} in "
    "100 against the others in the same games, between {first} and {last} place."
)
_FIRST_TOGETHER: Final = mark(
    "{who} stand first together in games won, with {value} of theirs ({low} to {high}), "
    "{difference} in 100 against the others in the same games, between {first} and {last} place."
)


def pairs_text(frame: Any, names: Names) -> str:  # noqa: ANN401 - a frame of polars
    """Return which pairs stand out, from ``pairs.pairs``."""
    judged = frame.filter(frame["difference"].is_not_null())
    if frame.is_empty():
        return say("No pair has played a complete game.")
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
        f"{side_text(names, pair)} {signed_text(METRIC['win-rate'], difference)}"
        for *pair, difference in named["one", "two", "difference"].iter_rows()
    ]
    return say(
        "For sure more or less than both win with others: {pairs} games in 100.",
        pairs=listed(said),
    )


def record_text(record: Record) -> str:
    """Return what a record is: ``58``, ``118 points behind``, ``3 hands``."""
    if record.kind == "highest-bid":
        return bid_name(record.value)
    if record.kind == "shortest-game":
        return hands_text(record.value)
    value = _plain(record.value)
    form = _RECORDS.get(record.kind)
    return value if form is None else str(message_of(form, {"number": value}))


_RECORDS: Final = {
    "comeback": mark("{number} behind"),
    "run-made": mark("{number} contracts"),
    "most-points": mark("{number} points"),
}


def times_text(record: Record) -> str:
    """Return how often a record was reached again; empty where it was not."""
    again = record.times - 1
    return say_counted("once again", "{count} times again", again) if again else ""


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
