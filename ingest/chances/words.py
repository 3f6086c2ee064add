"""Chances to win in words, for a game and for an evening."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tricklog.ingest.chances import Chances
from tricklog.ingest.chances.outcomes import FEW
from tricklog.schemas.languages.messages import Listing, say, say_counted
from tricklog.schemas.languages.numbers import number, percent

if TYPE_CHECKING:
    import polars as pl

MOST_GAMES: Final = 3
"""Games of an evening that are named, those first that one hand changed most."""
MOST_DECIDING: Final = 3
"""Hands of a game that are named."""
MOST_SHOWN: Final = 30
"""Chances of a game that stand in a sentence; of more, evenly chosen ones."""
_LEAST: Final = 0.1
"""What a hand has to change to be named after the first."""
_ALIKE: Final = 1e-6


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
    large = order.filter(order["chance_change"] >= _LEAST)
    return (large if len(large) else order.head(1)).head(MOST_DECIDING)


def told(chances: Chances, labels: Sequence[str]) -> list[str]:
    """Return all there is to say of the chances of one game, whose sides ``labels`` are."""
    if chances.frame.is_empty() and not chances.refused:
        return [say("No chances to win: no hand tells who dealt, the scores, and its result.")]
    return [*game_sentences(chances.frame, labels), *sureness(chances)]


def course(frame: pl.DataFrame) -> list[float | None]:
    """Return the chance of a side before its first hand and after each, ``None`` for a gap.

    ``frame`` has the rows of one side of a game.
    """
    steps: list[float | None] = []
    for before, after in frame.select("chance_before", "chance_after").iter_rows():
        if not steps or not isclose(before, steps[-1] or 0, abs_tol=_ALIKE):
            steps += [None, before] if steps else [before]
        steps.append(after)
    return steps


def game_sentences(frame: pl.DataFrame, labels: Sequence[str]) -> list[str]:
    """Return the chances of one game, hand by hand, and which hands decided it."""
    one = frame.filter(frame["side_no"] == 0).sort("hand", "hand_no")
    if one.is_empty():
        return []
    steps = course(one)
    shown = steps
    if len(steps) > MOST_SHOWN:
        shown = [steps[at] for at in np.linspace(0, len(steps) - 1, MOST_SHOWN).round().astype(int)]
    values = {
        "side": labels[0],
        "chances": " ".join("…" if each is None else number(100 * each) for each in shown),
    }
    said = [
        say(
            "Chances of {side} between equal sides, before the first hand and after each, in %: "
            "{chances}.",
            **values,
        )
        if shown is steps
        else say(
            "Chances of {side} between equal sides, from before the first hand to after the last, "
            "at {count} of {all} moments, in %: {chances}.",
            count=len(shown),
            all=number(len(steps)),
            **values,
        )
    ]
    if one["ruleset"].n_unique() > 1:
        said.append(say("The rules changed within the game; each hand goes by its own."))
    elif None in steps or (one["hand"][0] or 1) > 1:
        said.append(
            say(
                "Hands are missing, have no result or do not add up; what they changed counts for "
                "no other hand."
            )
        )
    rows = [_values(row) | {"side": labels[row["side_no"]]} for row in deciding(frame).to_dicts()]
    if not rows:
        return said
    hands = Listing(
        [
            say("{hand} ({side} from {before} to {after}, leverage {leverage})", **row)
            for row in rows
        ]
    )
    if frame["won"].count():
        said.append(say("Decided by {hands}.", hands=hands))
    else:
        said.append(say("As stored, nobody has won; most was changed by {hands}.", hands=hands))
    if rows[0]["auction"]:
        said.append(
            say(
                "Of the {gain} of {hand}, the auction brought {auction}, cards and play the rest.",
                **rows[0],
            )
        )
    return said


def _values(row: Mapping[str, Any]) -> dict[str, str]:
    auction = row["auction_change"]
    return {
        "hand": hand_text(row),
        "before": percent(row["chance_before"]).removesuffix(" %"),
        "after": percent(row["chance_after"]),
        "gain": percent(row["chance_change"], sign=True),
        "auction": "" if auction is None else percent(auction, sign=True),
        "leverage": number(row["leverage"], 1),
    }


def hand_text(row: Mapping[str, Any]) -> str:
    """Return what to call a hand of a game: ``hand 11``."""
    if row["hand"] is None:
        return say("a hand without a number")
    return say("hand {number}", number=row["hand"])


def numbered(games: Iterable[str]) -> dict[str, str]:
    """Return what to call the games of an evening, by id: ``game 2``."""
    return {game: say("game {number}", number=place) for place, game in enumerate(games, 1)}


def evening_sentences(frame: pl.DataFrame, titles: Mapping[str, str]) -> list[str]:
    """Return which hand decided each game of an evening, and how few hands carried half of it.

    ``titles`` are what to call the games, by id, in the order of play.
    """
    ended = set(frame.filter(frame["won"].is_not_null())["game"])
    games = [frame.filter(frame["game"] == game) for game in titles if game in ended]
    rows = [row for game in games for row in deciding(game).head(1).iter_rows(named=True)]
    if not rows:
        return []
    rows.sort(key=lambda row: -row["chance_change"])
    parts = [
        say(
            "{game} by {hand} ({gain}, leverage {leverage})",
            game=titles[row["game"]],
            **_values(row),
        )
        for row in rows[:MOST_GAMES]
    ]
    if (more := len(rows) - MOST_GAMES) > 0:
        parts.append(say("{number} more", number=number(more)))
    moved = np.abs(frame.filter(frame["side_no"] == 0)["chance_change"].to_numpy())
    carried = np.cumsum(np.sort(moved)[::-1])
    half = say_counted(
        "One of {hands} hands carried half of all that chances changed by.",
        "{count} of {hands} hands carried half of all that chances changed by.",
        int((2 * carried < carried[-1]).sum()) + 1,
        hands=number(len(moved)),
    )
    return [say("Decided, between equal sides: {games}.", games=Listing(parts)), half]


def sureness(chances: Chances) -> list[str]:
    """Return how far chances can be trusted, and why there are none where there are none."""
    said = [str(each) for each in chances.refused]
    for model in chances.models:
        hands, game = model.table.hands, model.table.game.title
        said.append(
            say(
                "Chances in {game} come of the latest {count} stored hands of the same rules.",
                count=number(hands),
                game=game,
            )
            if model.is_of_latest
            else say_counted(
                "Chances in {game} come of {count} stored hand of the same rules.",
                "Chances in {game} come of {count} stored hands of the same rules.",
                hands,
                game=game,
            )
        )
        if hands < FEW:
            said.append(say("As these are few, the samples of the game count as well."))
        if slope := model.slope:
            names = ("slope", "low", "high")
            values = {name: number(getattr(slope, name), 2) for name in names}
            said.append(
                say(
                    "The results of {games} games bear them out with a slope of {slope} ({low} to "
                    "{high}); at 1 they are right, and above it the side that stood better won "
                    "more often than said.",
                    games=number(slope.games),
                    **values,
                )
            )
    return said
