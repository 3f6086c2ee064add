"""Auctions held against par: how far bids were from what sides could make, and what was passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figure_page import Question, Topic, of_players, show_one
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.margin_bars import show_each_game
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.sections.work_panel import offer_solving
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.refusals import why_not
from tricklog.ingest.metrics import METRIC, bid_map, can_be_asked
from tricklog.ingest.metrics.bid_map import Held, WithoutOne
from tricklog.schemas.languages.messages import message, message_in, say, say_counted
from tricklog.schemas.languages.numbers import number

_BIDS: Final = METRIC[bid_map.BIDS]
_ABOVE: Final = 1
"""The least bid above par, which stands right of the line."""
_SPLIT: Final = (
    (message_in("what set a contract", "the play"), "set-by-play"),
    (message_in("what set a contract", "the bid"), "set-by-bid"),
    (message_in("what set a contract", "the cards that came"), "set-by-cards"),
)
_MOST_REASONS: Final = 4

_TOPICS: Final = (
    of_players(
        "bid-over-par-share",
        message("Who bids above par, and who below?"),
        message(
            "Right of zero more was bid than the side makes on half of the stocks; left of it less."
        ),
    ),
    of_players("overbids", message("Who bids what no play makes?")),
    Topic(
        Figure(
            "set-by-play",
            "variant",
            versions=_SPLIT,
            title=message("Contracts set, by what set them"),
        ),
        message("What sets contracts?"),
        message(
            "By the play: best play makes it with the cards as they lay. By the bid: it was above "
            "par, and no play makes it. By the cards that came: it was not, and they did not let "
            "it."
        ),
    ),
    of_players("left-to-others", message("Who leaves contracts to the others?")),
    Topic(
        Figure("passed-could-make", "trumps-held", separate=True),
        message("With which hands is a contract passed?"),
        message("By the trumps of the player in the suit they would best have named."),
    ),
    Topic(
        Figure(
            "passed-out-makeable",
            "variant",
            nothing=message(
                "No deal was passed out in these hands: in some games somebody has to bid."
            ),
        ),
        message("Which deals passed out could be made?"),
    ),
)


@refusals_said()
def _show(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show the answer, bids less par at each kind of table, and who is how far from it."""
    st.subheader(AGAINST_PAR.asks)
    said = say(
        "Par of a side is the highest number that it makes on at least half of the stocks, "
        "when all play as well as can be with all cards open. A stock is the cards that nobody "
        "had at the bidding, shuffled once more. Nobody at the table saw all cards: it "
        "measures bids, and reproaches nobody."
    )
    st.caption(f"{said} {figures.definition_link(_BIDS.name)}")
    if not can_be_asked(facts, _BIDS):
        offer_par()
        return
    found = snapshot.kept(bid_map.held, facts, chosen.filters)
    show_held(found, found.without_par)
    names = (bid_map.BIDS, "overbids", *(name for _, name in _SPLIT))
    rows = {
        name: next(figures.measured(facts, chosen, name).iter_rows(named=True), None)
        for name in names
    }
    st.markdown(sentence(rows))
    _show_bars(facts, chosen)
    show_one(_TOPICS, facts, chosen)


@refusals_said()
def _show_bars(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    st.markdown(say("**How far were bids from par?**"))
    st.caption(
        say(
            "Right of the line bids were above par: more than the side makes on half of the "
            "stocks. At 0 they were at par, further left points were left to bid. Neither end is "
            "good: who bids too high is set, who bids too low leaves contracts to the others. Pale "
            "bars were set. A click on a bar leads to its hands."
        )
    )
    found = snapshot.kept(bid_map.bid_over_par, facts, chosen.filters)
    need(found, message("Nobody chose to bid in these hands."))
    along, behind = say("points bid above par"), (_BIDS, "over-par")
    show_each_game(chosen, found, along=along, behind=behind, first=_ABOVE)


AGAINST_PAR: Final = Question(
    "against-par", message("Do bids stay within what the cards make?"), _show
)
"""The part of the page on bidding that holds bids against what could be made."""


def offer_par() -> None:
    """Say that no auction was held against par yet, and offer to do it."""
    offer_solving(
        say(
            "No auction here has been held against par yet. It takes a tenth of a second to a "
            "second a hand, so begin with ten minutes; the newest hands come first, and the next "
            "run goes on."
        ),
        par=True,
    )


def show_held(found: Held, without: Sequence[WithoutOne]) -> None:
    """Say how many hands were held against par, and which ones have none and why."""
    told = [
        say_counted(
            "Held against par: {held} of {count} hand.",
            "Held against par: {held} of {count} hands.",
            found.hands,
            held=number(found.held),
        )
    ]
    if without:
        parts = "; ".join(
            say_counted(
                "{count} hand of {game}, as {reason}",
                "{count} hands of {game}, as {reason}",
                each.hands,
                game=snapshot.titles().get(each.variant, each.variant),
                reason=why_not(each.reason),
            )
            for each in without[:_MOST_REASONS]
        )
        more = len(without) - _MOST_REASONS
        told.append(
            say_counted(
                "Left out: {parts}; and {count} other reasons.",
                "Left out: {parts}; and {count} other reasons.",
                more,
                parts=parts,
            )
            if more > 0
            else say("Left out: {parts}.", parts=parts)
        )
    if found.held + sum(each.hands for each in without) < found.hands:
        told.append(say("The others are not held against par yet."))
    st.caption(as_markdown(" ".join(told)))


def sentence(rows: Mapping[str, Mapping[str, Any] | None]) -> str:
    """Return the answer in markdown from the rows of figures by their names."""
    above, beyond = rows[bid_map.BIDS], rows["overbids"]
    if above is None:
        return say("In these hands nobody chose to bid a contract that was held against par.")
    if not above["enough"] or beyond is None:
        return say_counted(
            "There are too few games to say it yet: {count} contract so far.",
            "There are too few games to say it yet: {count} contracts so far.",
            above["n"],
        )
    told = [
        say(
            "Of 100 contracts {above} were bid above what the side makes on half of the stocks, "
            "and {beyond} at a number that no play makes on any.",
            above=_in_100(above),
            beyond=_in_100(beyond),
        )
    ]
    play, bid, cards = (rows[name] for _, name in _SPLIT)
    if play and bid and cards and all(row["enough"] for row in (play, bid, cards)):
        told.append(
            say(
                "Of 100 that were set, {play} by the play, {bid} by the bid and {cards} by the "
                "cards that came.",
                play=_in_100(play),
                bid=_in_100(bid),
                cards=_in_100(cards),
            )
        )
    told.append(
        say_counted(
            "Over {count} contract; in brackets 95 %.",
            "Over {count} contracts; in brackets 95 %.",
            above["n"],
        )
    )
    return " ".join(told)


def _in_100(row: Mapping[str, Any]) -> str:
    value, low, high = (number(100 * row[name]) for name in ("value", "low", "high"))
    return say("**{value}** ({low} to {high})", value=value, low=low, high=high)
