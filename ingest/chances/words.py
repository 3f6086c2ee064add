"""Chances to win in words, for a game and for an evening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ingest.chances.hands import Chances
from ingest.chances.outcomes import FEW
from schemas.languages.messages import Listing, say, say_counted
from schemas.languages.numbers import number, percent

if TYPE_CHECKING:
    import polars as pl

MOST_GAMES: Final = 3
"""Games of an evening that are named, those first that one hand changed most."""
MOST_DECIDING: Final = 3
"""Hands of a game that are named."""
_LEAST: Final = 0.1
"""What a hand has to change to be named after the first."""
_HALF: Final = 0.5


def deciding(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the hands that decided a game, that which did most first, as rows of whom they helped.

    ``frame`` has the chances of one game. They are those that brought the winner the most or, while
    nobody has won, those that changed the most.
    """
    won = frame.filter("won")
    helped = frame.filter(frame["chance_change"] > 0)
    if len(won):
        helped = helped.filter(helped["side_no"] == won["side_no"].last())
    order = helped.sort("chance_change", "hand", descending=[True, False])
    rest = order.slice(1, MOST_DECIDING - 1)
    return order.head(1).vstack(rest.filter(rest["chance_change"] >= _LEAST))


def game_sentences(frame: pl.DataFrame, labels: Sequence[str]) -> list[str]:
    """Return the chances of a game, hand by hand, and which hands decided it.

    ``frame`` has the chances of one game, ``labels`` what to call its sides.
    """
    one = frame.filter(frame["side_no"] == 0)
    if one.is_empty():
        return []
    steps = [_whole(each) for each in (one["chance_before"][0], *one["chance_after"])]
    said = [
        say(
            "Chances of {side} between equal sides, before the first hand and after each, in %: "
            "{chances}.",
            side=labels[0],
            chances=" ".join(steps),
        )
    ]
    parts = [_step_text(row, labels) for row in deciding(frame).iter_rows(named=True)]
    if not parts:
        return said
    if frame["won"].null_count() < len(frame):
        return [*said, say("Decided by {hands}.", hands=Listing(parts))]
    return [*said, say("Most was changed by {hands}.", hands=Listing(parts))]


def _whole(chance: float) -> str:
    return number(100 * chance)


def _step_text(row: Mapping[str, Any], labels: Sequence[str]) -> str:
    return say(
        "{hand} ({side} from {before} to {after})",
        hand=hand_text(row),
        side=labels[row["side_no"]],
        before=percent(row["chance_before"]).removesuffix(" %"),
        after=percent(row["chance_after"]),
    )


def hand_text(row: Mapping[str, Any]) -> str:
    """Return what to call a hand of a game: ``hand 11``."""
    if row["hand"] is None:
        return say("a hand without a number")
    return say("hand {number}", number=row["hand"])


def evening_sentences(frame: pl.DataFrame, titles: Mapping[str, str]) -> list[str]:
    """Return which hand decided each game of an evening, and how few hands carried half of it.

    ``titles`` are what to call the games, by id, in the order of play.
    """
    ended = set(frame.filter(frame["won"].is_not_null())["game"])
    first = [deciding(frame.filter(frame["game"] == game)).head(1) for game in titles]
    rows = [each.row(0, named=True) for each in first if len(each) and each["game"][0] in ended]
    parts = [
        say(
            "{game} by {hand} ({gain})",
            game=titles[row["game"]],
            hand=hand_text(row),
            gain=percent(row["chance_change"], sign=True),
        )
        for row in sorted(rows, key=lambda row: -row["chance_change"])
    ]
    moved = np.abs(frame.filter(frame["side_no"] == 0)["chance_change"].to_numpy())
    carried = np.cumsum(np.sort(moved)[::-1])
    if not parts:
        return []
    few = int((carried < _HALF * carried[-1]).sum()) + 1
    half = say_counted(
        "One of {hands} hands carried half of all that chances changed by.",
        "{count} of {hands} hands carried half of all that chances changed by.",
        few,
        hands=number(len(moved)),
    )
    if len(parts) > MOST_GAMES:
        more = say("{number} more", number=number(len(parts) - MOST_GAMES))
        parts = [*parts[:MOST_GAMES], more]
    return [say("Decided: {games}.", games=Listing(parts)), half]


def sureness(chances: Chances) -> list[str]:
    """Return how far chances can be trusted, and why there are none where there are none."""
    said = [str(each) for each in chances.refused]
    if chances.tables:
        hands = chances.tables[0].hands
        said.append(
            say_counted(
                "Chances come of {count} stored hand of the same rules.",
                "Chances come of {count} stored hands of the same rules.",
                hands,
            )
        )
        if hands < FEW:
            said.append(say("As these are few, the samples of the game count as well."))
    if chances.slopes and chances.slopes[0]:
        found, low, high, games = chances.slopes[0]
        said.append(
            say(
                "The results of {games} games bear them out with a slope of {slope} ({low} to "
                "{high}); at 1 they are right, and above it the side that stood better won more "
                "often than said.",
                games=number(games),
                slope=number(found, 2),
                low=number(low, 2),
                high=number(high, 2),
            )
        )
    return said
