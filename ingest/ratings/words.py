"""Ratings in words, for a table and for one player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tricklog.ingest.metrics.figure_words import (
    between_text,
    chance_text,
    place_text,
    standing_text,
)
from tricklog.ingest.ratings import FEWEST, Ratings
from tricklog.schemas.languages.messages import say, say_counted
from tricklog.schemas.languages.numbers import number


def rating_text(row: Mapping[str, Any]) -> str:
    """Return a rating with its interval: ``+0.42 (−0.10 to +0.94)``."""
    return between_text(*(number(row[each], 2, sign=True) for each in ("rating", "low", "high")))


def name_text(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the name of a player, or of both of a pair."""
    return " & ".join(names[each] for each in (row["player"], row["partner"]) if each)


def remark_text(row: Mapping[str, Any]) -> str:
    """Return what else is to be said of a row; empty where nothing is."""
    parts = [] if row["better_than"] is None else [standing_text(row)]
    if row["evolving"]:
        parts.append(say("evolving"))
    if row["changed"]:
        parts.append(say("improving") if row["change"] > 0 else say("declining"))
    return ", ".join(parts)


def notes_text(ratings: Ratings) -> list[str]:
    """Return what has to be said of a table of ratings, a sentence each."""
    said = [
        say(
            "Two players {gap} {unit} a hand apart are in the right order nine times in ten from "
            "{hands} hands each on.",
            gap=number(ratings.gap, 2),
            unit=unit_text(ratings),
            hands=number(round(ratings.enough, -1)),
        )
    ]
    evolving = int(ratings.frame["evolving"].sum())
    if evolving:
        said.append(
            say_counted(
                "One player or pair has fewer than 300 hands and is evolving.",
                "{count} players or pairs have fewer than 300 hands and are evolving.",
                evolving,
            )
        )
    return said + [str(each) for each in ratings.notes]


def half_life_text(ratings: Ratings) -> str:
    """Return how fast the players change, empty where it was not asked for."""
    if ratings.half_life is None:
        return ""
    if ratings.half_life == float("inf"):
        return say("The hands say nothing of anybody changing: everybody counts as steady.")
    return say_counted(
        "Half of what players bring changes in a week.",
        "Half of what players bring changes in {count} weeks.",
        round(ratings.half_life),
    )


def unit_text(ratings: Ratings) -> str:
    """Return what ratings are counted in."""
    return say("points") if ratings.unit == "points" else say("spreads")


def player_sentences(ratings: Ratings, player: str, name: str) -> list[str]:
    """Return what is known of a player, a sentence each; none of one who is not rated."""
    frame = ratings.frame
    rows = frame.filter((frame["player"] == player) | (frame["partner"] == player))
    if rows.is_empty():
        return []
    row = rows.row(0, named=True)
    values = {
        "player": name,
        "rating": rating_text(row),
        "unit": unit_text(ratings),
        "standing": standing_text(row),
        "hands": number(row["hands"]),
    }
    if row["partner"] is not None:
        return [
            say(
                "{player} and their partner together bring {rating} {unit} a hand; they cannot be "
                "told from each other, as they nearly always sat together.",
                **values,
            )
        ]
    said = [
        say(
            "{player} brings {rating} {unit} a hand with partners and opponents taken out: "
            "{standing}, after {hands} hands.",
            **values,
        )
    ]
    if row["evolving"]:
        said.append(say("With fewer than 300 hands this is evolving."))
    elif row["better_than"] is not None:
        like = say("bots") if row["kind"] == "bot" else say("people")
        said.append(say("Compared are {like} with 300 hands or more of the same games.", like=like))
    if row["narrower_from"] is not None:
        said.append(
            say(
                "From some {hands} hands on this range will be about half as wide.",
                hands=number(row["narrower_from"]),
            )
        )
    return said


def best_sentence(ratings: Ratings, names: Mapping[str, str]) -> str:
    """Return who is the better player and how sure that is; empty where nobody can be compared."""
    row = ratings.largest.row(0, named=True)
    if row["of"] == 1 or row["hands"] < FEWEST:
        return ""
    return say(
        "The best is most likely {player}, with a chance of {chance}: {rating} {unit} a hand with "
        "partners and opponents taken out, {place}.",
        player=name_text(row, names),
        rating=rating_text(row),
        unit=unit_text(ratings),
        chance=chance_text(row["first"]),
        place=place_text(row),
    )
