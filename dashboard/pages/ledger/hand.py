"""The ledger of one hand: where its result came from, part by part.

What needs no sampling is shown at once, the rest a moment later; a button takes more stocks.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import streamlit as st
from msgspec import UNSET
from streamlit.delta_generator import DeltaGenerator

from tricklog.core import Replay
from tricklog.core.native import library
from tricklog.core.study import OpenHand, Refused, Solver
from tricklog.core.study.averages import DEALS, Averages
from tricklog.core.study.contracts import STOCKS
from tricklog.core.study.ledger import Ledger, ledger_of, opened_exactly, refusal_of_record
from tricklog.core.study.sampling import Unit
from tricklog.dashboard.address import asked, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.solving import no_library
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.tables import show_table
from tricklog.dashboard.pages.ledger import chart as ledger_chart
from tricklog.dashboard.pages.ledger import words as ledger_words
from tricklog.dashboard.pages.ledger.chart import Bar
from tricklog.dashboard.pages.ledger.unit import allow_units, choose_unit
from tricklog.dashboard.pages.ledger.words import UNITS, unit_words
from tricklog.dashboard.text.escaping import as_html, as_markdown
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
_MOST_KEPT: Final = 64


def show() -> None:
    """Show the hand of the URL; without one, the first valid hand."""
    asked.takes(urls.HAND)
    allow_units(UNITS)
    st.html(Path(__file__).with_name("ledger.css"))
    asked.allows(STOCKS_ASKED, (str(STOCKS),))
    hand_id = st.query_params.get(urls.HAND)
    if hand_id is None:
        hand_id = _first_valid()
        if hand_id is None:
            st.info(say("No hand here is valid to its end, and only those have a ledger."))
            return
        st.query_params[urls.HAND] = hand_id
    try:
        replayed = snapshot.replayed_hand(hand_id)
    except LookupError as error:
        st.error(as_markdown(str(error)))
        st.page_link(urls.HANDS, label=say("Choose a hand from the list"))
        return
    _show_head(replayed)
    if not library.is_there():
        st.info(no_library())
        return
    try:
        _show_ledger(replayed)
    except Refused as error:
        st.info(say("This hand has no ledger: {reason}.", reason=as_markdown(why_not(error))))


def _first_valid() -> str | None:
    wanted = Filters.of({"verdict": "valid"})
    rows = listings.hand_list(snapshot.facts(), wanted, limit=1)
    return str(rows["hand_id"].item()) if len(rows) else None


def _show_head(replayed: Replay) -> None:
    hand = replayed.hand
    words = [as_html(replayed.ruleset.title)]
    if hand.game is not UNSET:
        words.append(say("game {game}", game=addresses.game_html(hand.game)))
    if hand.hand is not UNSET:
        words.append(say("hand {hand}", hand=hand.hand))
    there = addresses.of(urls.STEPS_PATH, {urls.HAND: hand.id})
    words.append(f'<a class="tl-link" href="{as_html(there)}">{say("Replay")}</a>')
    told = " · ".join(words)
    title = as_html(say("Ledger of hand {hand}", hand=hand.id))
    st.html(f'<div class="tl-head"><h2>{title}</h2><p>{told}</p></div>')


def _show_ledger(replayed: Replay) -> None:
    refusal = refusal_of_record(replayed)
    if refusal:
        raise Refused(refusal)
    unit = choose_unit(UNITS)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        drawn = st.empty()
    solver = Solver(replayed.rules)
    opened = opened_exactly(replayed, solver)
    _draw_exact(drawn, opened)
    with right:
        words = st.empty()
        words.caption(say("Dealing other stocks …"))
        _show_players(replayed, opened)
        _explain()
    wanted = STOCKS if st.query_params.get(STOCKS_ASKED) == str(STOCKS) else FIRST
    ledger = _ledger(replayed, wanted, solver)
    shown = _unit_shown(ledger, unit)
    if shown is None:
        reason = as_markdown(why_not(ledger.no_score or ""))
        words.info(say("There is no account of this hand: {reason}.", reason=reason))
        return
    told = as_markdown(ledger_words.in_words(replayed, ledger, shown))
    words.info(f"**{say('In words.')}** {told}")
    _draw_whole(drawn, replayed, ledger, shown)
    _show_table(replayed, ledger)
    _show_sampling(ledger, wanted)


def _unit_shown(ledger: Ledger, unit: Unit) -> Unit | None:
    """Return the unit to show: the one asked for, or the other where that has no account."""
    missing = {"points": ledger.no_points, "score": ledger.no_score}
    if missing[unit]:
        reason = as_markdown(why_not(missing[unit]))
        in_points = say("Not in points: {reason}.", reason=reason)
        st.caption(in_points if unit == "points" else say("Not in score: {reason}.", reason=reason))
    return next((each for each in (unit, *UNITS) if not missing[each]), None)


def _draw_exact(place: DeltaGenerator, opened: OpenHand) -> None:
    """Draw what needs no sampling."""
    with place.container():
        title = as_html(say("The play, with all cards open"))
        st.html(f'<p class="tl-chart-title"><b>{title}</b></p>')
        need = opened.need if opened.unit == "points" else None
        bars = ledger_words.exact_bars(opened)
        said = say("What best play brings and what cards cost")
        _show_bars(bars, opened.unit, need, said, key="ledger-exact")


def _draw_whole(place: DeltaGenerator, replayed: Replay, ledger: Ledger, unit: Unit) -> None:
    amount = ledger_chart.number_text(float(ledger_words.shown_of(ledger, unit).result))
    makers = ledger_words.makers_of(replayed, ledger)
    if unit == "points":
        title = say("Where the {amount} points of {makers} came from", amount=amount, makers=makers)
    else:
        title = say(
            "Where the {amount} of score, makers less the others, of {makers} came from",
            amount=amount,
            makers=makers,
        )
    legend = say(
        "hatched: luck, nobody chose it · solid: choices · stroke: 95 % of what the sampling may "
        "be off"
    )
    with place.container():
        st.html(
            f'<p class="tl-chart-title"><b>{as_html(title)}</b><span>{as_html(legend)}</span></p>'
        )
        bars = ledger_words.bars_of(replayed, ledger, unit)
        need = ledger.opened.need if unit == "points" else None
        said = say("{title}; the table below has all numbers", title=title)
        _show_bars(bars, unit, need, said, key="ledger")


def _show_bars(bars: Sequence[Bar], unit: str, need: int | None, said: str, *, key: str) -> None:
    """Show bars side by side; on a phone, where they have no room, one below the other."""
    with st.container(key=f"{key}-wide"):
        ledger_chart.show(bars, unit=unit_words(unit), need=need, key=key, said=said)
    with st.container(key=f"{key}-narrow"):
        show_table(
            [say_in("of a ledger", "part"), say("drawn"), unit_words(unit)],
            ledger_words.bar_rows(bars, need),
            name=say("{title}, one by one", title=said),
        )


def _show_table(replayed: Replay, ledger: Ledger) -> None:
    show_table(
        [
            say_in("of a ledger", "part"),
            say("what it was"),
            unit_words("points"),
            say("score, makers less others"),
            say("whose"),
        ],
        ledger_words.table_rows(replayed, ledger),
        name=say("Parts of the ledger"),
    )


def _show_players(replayed: Replay, opened: OpenHand) -> None:
    show_table(
        [say("choices of"), say("cards with a cost"), say("cost, open")],
        ledger_words.player_rows(replayed, opened),
        name=say("What cards cost"),
    )


def _explain() -> None:
    st.caption(
        say(
            "Each card is charged to the player who laid it; costs of two partners are not split "
            "by blame. “With all cards open” means that everybody sees every card. Nobody at the "
            "table did, so a cost is a measure and not a reproach."
        )
    )


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
        st.button(say("Deal more stocks"), on_click=_ask_for_more)


def _ask_for_more() -> None:
    st.query_params[STOCKS_ASKED] = str(STOCKS)


def _ledger(replayed: Replay, stocks: int, solver: Solver) -> Ledger:
    averages = Averages(replayed.ruleset, replayed.rules.seats)
    until = monotonic() + PATIENCE
    while averages.deals < DEALS and (averages.deals < _LEAST_DEALS or monotonic() < until):
        averages.ensure(averages.deals + 1, solver)
    key = (replayed.ruleset.hash, encode_hand(replayed.hand), stocks, averages.deals)
    kept = _kept()
    if key not in kept:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        kept[key] = ledger_of(replayed, samples=stocks, solver=solver, averages=averages)
    return kept[key]


@st.cache_resource(show_spinner=False)
def _kept() -> dict[Hashable, Ledger]:
    """Return the ledgers found so far, for all viewers."""
    return {}
