"""Same deal: which deals several tables have played, and of one what each table did with it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from dashboard import addresses, asked, snapshot, urls
from dashboard.escaping import as_html, as_markdown
from dashboard.labels import counted
from dashboard.tables import Cell, Link, show_table
from ingest.study import words
from ingest.study.same_deals import (
    FEWEST_DEALS,
    PairTotal,
    SharedDeal,
    dealt_in,
    pair_totals,
    shared_deals,
    tables_of,
)
from replay.study.same_deal import Compared, Table, by_side, compare
from schemas.cards import pretty_cards
from schemas.render import one_line

PAGE: Final = 50
MOST_PAIRS: Final = 200
"""Pairs that are listed, of those with the most deals."""


def show() -> None:
    """Show the tables of the deal in the URL, or the list of deals."""
    st.header("Same deal")
    asked.takes(urls.DEAL)
    asked.allows_if(urls.PART, asked.is_digits)
    asked.allows(urls.AGAINST, ("mean", "median"))
    key = st.query_params.get(urls.DEAL)
    if key:
        _show_deal(key)
    else:
        _show_all()


# --- All of them


def _show_all() -> None:
    found = snapshot.kept(shared_deals, snapshot.within())
    if not found:
        st.info(
            "No deal was played at more than one table. Hands are of the same deal when each seat, "
            "counted from the dealer, held the same cards under the same rules."
        )
        return
    st.caption(
        f"{counted(len(found), 'deal')} played at more than one table: the same cards to each "
        "seat, counted from the dealer, under the same rules. Click a row to compare the tables."
    )
    last = -(-len(found) // PAGE)
    page = max(1, urls.number_of(urls.PART, 1))
    if page > last:
        page = st.session_state[urls.PART] = 1
    listed = found[(page - 1) * PAGE : page * PAGE]
    show_table(
        ("Deal", "Game", "Tables", "Hands", "Played"),
        [_deal_cells(each) for each in listed],
        name="Deals",
        whole_rows=True,
    )
    if last > 1:
        st.pagination(last, key=urls.PART, bind="query-params")
    _show_pairs(snapshot.kept(pair_totals, snapshot.within()))


def _deal_cells(deal: SharedDeal) -> list[Cell]:
    days = [str(each) for each in (deal.first_day, deal.last_day) if each]
    return [
        Link(deal.key, addresses.of_deal(deal.key), f"Deal {deal.key}: compare the tables"),
        one_line(deal.title),
        deal.tables,
        deal.hands,
        " to ".join(dict.fromkeys(days)),
    ]


def _show_pairs(pairs: list[PairTotal]) -> None:
    """Show what everybody did with cards that others held as well."""
    if not pairs:
        return
    names = snapshot.names()
    st.subheader("With the same cards")
    st.caption(
        "What each side did over these deals. The score is what a hand adds to its own score less "
        "what it adds to the others’, less the mean of that at the other tables with the same "
        "cards. Matchpoints count the tables it did better than, half where it did as well: 50% is "
        "as well as the others. In brackets the 95% interval over deals, from "
        f"{FEWEST_DEALS} deals on."
    )
    most = set(sorted(pairs, key=lambda each: -each.deals)[:MOST_PAIRS])
    show_table(
        ("Game", "Players", "Deals", "Score a deal", "Matchpoints"),
        [
            [
                one_line(each.title),
                one_line(" & ".join(names.get(player, player) for player in each.players)),
                each.deals,
                words.score_words(each),
                words.share_words(each),
            ]
            for each in pairs
            if each in most
        ],
        name="With the same cards",
    )
    if len(pairs) > MOST_PAIRS:
        st.caption(f"Shown are the {MOST_PAIRS} with the most deals, of {len(pairs):,}.")


# --- One of them


def _show_deal(key: str) -> None:
    everything = addresses.of(urls.SAME_DEAL_PATH)
    st.html(f'<a class="tl-link" href="{as_html(everything)}">All deals</a>')
    tables, left = snapshot.kept(tables_of, snapshot.connection(), key)
    if not tables:
        st.error(as_markdown(f"No deal {key!r} that can be compared is in this warehouse."))
        return
    _show_cards(tables[0])
    _show_tables(tables)
    _show_compared(tables)
    if left:
        st.caption(
            as_markdown(
                f"Left out: {', '.join(left)}. They are not valid, or of players who sit as in "
                "another hand and have seen the cards."
            )
        )


def _show_cards(table: Table) -> None:
    """Show what every seat was dealt."""
    dealt = dealt_in(snapshot.hand(table.hand))
    rows: list[list[Cell]] = [
        ["Dealer" if place == 0 else f"{place} after", pretty_cards(cards)]
        for place, cards in enumerate(dealt)
    ]
    show_table(("Seat", "Dealt"), rows, name="Cards")


def _show_tables(tables: list[Table]) -> None:
    names = snapshot.names()
    st.subheader(counted(len(tables), "table"))
    show_table(
        ("Table", "Hand", "Contract", "Result", "Points", "All cards open"),
        [
            [
                number,
                Link(each.hand, addresses.of_step(each.hand), f"{each.hand}: replay"),
                one_line(words.contract_words(each, names)),
                words.result_words(each).capitalize(),
                words.points_words(each),
                words.value_words(each.par),
            ]
            for number, each in enumerate(tables, 1)
        ],
        name="Tables",
    )
    st.caption(
        "Points are card points, those of the dealer’s side first. All cards open: what the makers "
        "take with the contract of that table when everybody sees all cards and plays as well as "
        "can be. Nobody at the table could see them; it is a measure of the cards."
    )


def _show_compared(tables: list[Table]) -> None:
    if len(tables) == 1:
        st.info("Only one table can be compared, so there is nothing to compare it with.")
        return
    names = snapshot.names()
    st.subheader("With the same cards")
    against = st.segmented_control(
        "Against the",
        ("mean", "median"),
        format_func=lambda each: f"{each} of the others",
        default="mean",
        required=True,
        key=urls.AGAINST,
        bind="query-params",
    )
    found = compare(tables, "median" if against == "median" else "mean")
    show_table(
        ("Table", "Side", "Balance", "Score", "Matchpoints"),
        [_compared_cells(each, tables, names) for each in by_side(found)],
        name="Compared",
    )
    st.caption(
        "Balance: what the hand adds to the side’s own score less what it adds to the others’, "
        f"without the scores before the hand. Score: the balance less the {against} of the other "
        "tables with the same cards. Matchpoints: one for each table that did worse, half of one "
        "for each that did as well."
    )


def _compared_cells(row: Compared, tables: list[Table], names: dict[str, str]) -> list[Cell]:
    return [
        row.table + 1,
        one_line(words.side_words(tables[row.table], row.side, names)),
        words.signed(row.balance),
        words.signed(row.score),
        words.matchpoint_words(row),
    ]


show()
