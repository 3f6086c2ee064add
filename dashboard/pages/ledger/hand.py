"""The ledger of one hand: where its result came from, part by part.

What needs no sampling is shown at once, the rest a moment later; a button takes more stocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import streamlit as st

from tricklog.core import Replay
from tricklog.core.native import library
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import DEALS, Averages
from tricklog.core.study.contracts import STOCKS
from tricklog.core.study.ledger import Ledger, ledger_of, opened_exactly, refusal_of_record
from tricklog.core.study.sampling import Unit
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.solving import no_library
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.drawing import title_html
from tricklog.dashboard.kit.tables import show_table
from tricklog.dashboard.pages.ledger import words as ledger_words
from tricklog.dashboard.pages.ledger.words import UNIT, UNITS, Bar, choose_unit, unit_words
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.refusals import why_not
from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.filters import Filters
from tricklog.schemas.hand import encode_hand
from tricklog.schemas.languages.messages import say, say_in

FIRST: Final = 8
"""Stocks that are taken before anybody asks for more."""
PATIENCE: Final = 2.0
"""Seconds for which deals are added to an average while somebody waits."""
STOCKS_ASKED: Final = "stocks"
"""Parameter: how many stocks are dealt, where more were asked for."""
_LEAST_DEALS: Final = 2
_OTHER: Final[dict[Unit, Unit]] = {"points": "score", "score": "points"}

_BY_CONTENT: Final = snapshot.for_replays(
    lambda replayed: (replayed.ruleset.hash, encode_hand(replayed.hand))
) | {Averages: lambda averages: averages.deals}


def show() -> None:
    """Show the hand of the URL; without one, the first valid hand."""
    parameters.knows(urls.HAND, UNIT)
    st.html(Path(__file__).with_name("ledger.css"))
    parameters.allows(STOCKS_ASKED, (str(STOCKS),))
    hand_id = parameters.get(urls.HAND)
    if not hand_id:
        wanted = Filters.of({"verdict": "valid"})
        hand_id = next(iter(listings.hand_list(snapshot.facts(), wanted, limit=1)["hand_id"]), "")
    if not hand_id:
        st.info(say("No hand here is valid to its end, and only those have a ledger."))
        return
    parameters.put(urls.HAND, hand_id)
    try:
        replayed = snapshot.replayed_hand(hand_id)
    except LookupError as error:
        st.error(as_markdown(str(error)))
        st.page_link(urls.HANDS, label=say("Choose a hand from the list"))
        return
    there = addresses.of(urls.STEPS_PATH, {urls.HAND: hand_id})
    link = addresses.link_html(there, say("Replay"))
    st.html(addresses.head_html(replayed, say("Ledger of hand {hand}", hand=hand_id), link))
    if not library.is_there():
        st.info(no_library())
        return
    try:
        _show_ledger(replayed)
    except Refused as error:
        st.info(say("This hand has no ledger: {reason}.", reason=as_markdown(why_not(error))))


def _show_ledger(replayed: Replay) -> None:
    refusal = refusal_of_record(replayed)
    if refusal:
        raise Refused(refusal)
    unit = choose_unit(UNITS)
    words = st.empty()
    left, right = st.columns([2, 1], gap="medium")
    parts = left.empty()
    solver = Solver(replayed.rules)
    opened = opened_exactly(replayed, solver)
    words.caption(say("Dealing other stocks …"))
    need = opened.need if opened.unit == "points" else None
    with parts.container():
        title, bars = say("The play, with all cards open"), ledger_words.exact_bars(opened)
        _show_parts(title, bars, unit_words(opened.unit), need)
    with right:
        show_table(
            [say("choices of"), say("cards with a cost"), say("cost, open")],
            ledger_words.player_rows(replayed, opened),
            name=say("What cards cost"),
        )
        st.caption(
            say(
                "Each card is charged to the player who laid it; costs of two partners are not "
                "split by blame. “With all cards open” means that everybody sees every card. "
                "Nobody at the table did, so a cost is a measure and not a reproach."
            )
        )
    wanted = STOCKS if parameters.get(STOCKS_ASKED) == str(STOCKS) else FIRST
    ledger = _ledger(replayed, wanted, _averages(replayed, solver), solver)
    if missing := ledger.why_not(unit):
        reason = as_markdown(why_not(missing))
        in_points = say("Not in points: {reason}.", reason=reason)
        st.caption(in_points if unit == "points" else say("Not in score: {reason}.", reason=reason))
    # Where the one asked for has no account, the other may have.
    shown = next((each for each in (unit, _OTHER[unit]) if not ledger.why_not(each)), None)
    if shown is None:
        reason = as_markdown(why_not(ledger.no_score or ""))
        words.info(say("There is no account of this hand: {reason}.", reason=reason))
        return
    told = as_markdown(ledger_words.in_words(replayed, ledger, shown))
    words.info(f"**{say('In words.')}** {told}")
    with parts.container():
        _show_whole(replayed, ledger, shown)
    with left:
        _show_sampling(ledger, wanted)


def _show_whole(replayed: Replay, ledger: Ledger, unit: Unit) -> None:
    bars, other = ledger_words.bars_of(replayed, ledger, unit), _OTHER[unit]
    values = {"amount": bars[-1].text, "makers": ledger_words.makers_of(replayed, ledger)}
    others = ["–"] * len(bars)
    if not ledger.why_not(other):
        others = [each.text for each in ledger_words.bars_of(replayed, ledger, other)]
    heads = {"points": unit_words("points"), "score": say("score, makers less others")}
    if unit == "points":
        title = say("Where the {amount} points of {makers} came from", **values)
    else:
        title = say(
            "Where the {amount} of score, makers less the others, of {makers} came from", **values
        )
    need = ledger.opened.need if unit == "points" else None
    _show_parts(title, bars, heads[unit], need, heads[other], others)


def _show_parts(
    title: str,
    bars: Sequence[Bar],
    head: str,
    need: int | None,
    other: str = "",
    others: Sequence[str] = (),
) -> None:
    """Show parts with a bar each, from where the one before has ended."""
    legend = [say("hatched: luck, nobody chose it · solid: choices")]
    legend += [] if need is None else [say("dashed: the bid of {bid}", bid=need)]
    st.html(title_html(title, " · ".join(legend)))
    heads = [say_in("of a ledger", "part"), say("drawn"), head]
    heads += [say("what it was"), other, say("whose")] if others else []
    with st.container(key=f"ledger-hand-{'whole' if others else 'exact'}"):
        rows = ledger_words.rows_of(bars, need, others)
        show_table(heads, rows, name=say("Parts of the ledger"))


def _show_sampling(ledger: Ledger, wanted: int) -> None:
    told = [
        say(
            "**The parts sum to the result exactly.** Sampling moves a little between neighbours "
            "(±), never into the sum. Other stocks dealt: {stocks}. Deals in the average: {deals}.",
            stocks=ledger.stocks,
            deals=ledger.deals,
        )
    ]
    if ledger.loose:
        told.append(say("{number} values are the middle of limits.", number=ledger.loose))
    st.caption(" ".join(told))
    if ledger.deals < DEALS:
        st.caption(
            say(
                "The average is over {deals} of {all} deals so far. More are valued each time "
                "somebody looks, so that start and deal may be others at your next look, within "
                "their ±.",
                deals=ledger.deals,
                all=DEALS,
            )
        )
    if (ledger.stocks > 1 and wanted < STOCKS) or ledger.deals < DEALS:
        more = (STOCKS_ASKED, str(STOCKS))
        st.button(say("Deal more stocks"), on_click=parameters.put, args=more)


def _averages(replayed: Replay, solver: Solver) -> Averages:
    """Return the average over what deals there are and those that can be valued in a moment."""
    averages = Averages(replayed.ruleset, replayed.rules.seats)
    until = monotonic() + PATIENCE
    while averages.deals < DEALS and (averages.deals < _LEAST_DEALS or monotonic() < until):
        averages.ensure(averages.deals + 1, solver)
    return averages


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_BY_CONTENT)
def _ledger(replayed: Replay, stocks: int, averages: Averages, _solver: Solver) -> Ledger:
    """Return a ledger, found once for all viewers."""
    return ledger_of(replayed, samples=stocks, solver=_solver, averages=averages)
