"""Same deal: which deals several tables have played, and of one what each table did with it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from tricklog.core.study.same_deal import Compared, Table, by_side, compare
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.page_parts import first_row, offer_parts
from tricklog.dashboard.kit.tables import Link, in_columns, show_table
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.study import same_deals
from tricklog.ingest.study.same_deals import (
    FEWEST_DEALS,
    PairTotal,
    SharedDeal,
    dealt_in,
    pair_totals,
    shared_deals,
    tables_of,
)
from tricklog.schemas.cards import pretty_cards
from tricklog.schemas.languages.messages import message, say, say_counted, say_in
from tricklog.schemas.languages.numbers import number, plain_day
from tricklog.schemas.printable import one_line

PAGE: Final = 50
MOST_PAIRS: Final = 200
"""Pairs that are listed, of those with the most deals."""
_MIDDLES: Final = {"mean": message("mean"), "median": message("median")}
_AGAINST: Final = {
    "mean": message("mean of the others"),
    "median": message("median of the others"),
}
"""What a table can be held against."""


def show() -> None:
    """Show the tables of the deal in the URL, or the list of deals."""
    st.header(say("Same deal"))
    parameters.knows(urls.DEAL, urls.PART, urls.AGAINST)
    if key := parameters.get(urls.DEAL):
        _show_deal(key)
    else:
        _show_all()


# --- All of them


def _show_all() -> None:
    found = snapshot.kept(shared_deals, snapshot.within())
    if not found:
        st.info(
            say(
                "No deal was played at more than one table. Hands are of the same deal when each "
                "seat, counted from the dealer, held the same cards under the same rules."
            )
        )
        return
    st.caption(
        say_counted(
            "{count} deal played at more than one table: the same cards to each seat, counted from "
            "the dealer, under the same rules. Click a row to compare the tables.",
            "{count} deals played at more than one table: the same cards to each seat, counted "
            "from the dealer, under the same rules. Click a row to compare the tables.",
            len(found),
        )
    )
    first = first_row(len(found), PAGE)

    def link(deal: SharedDeal) -> Link:
        said = say("Deal {deal}: compare the tables", deal=deal.key)
        return Link(deal.key, addresses.of_deal(deal.key), said)

    show_table(
        *in_columns(
            found[first : first + PAGE],
            (say_in("a deal of cards", "Deal"), link),
            (say_in("a variant", "Game"), lambda deal: one_line(deal.title)),
            (say("Tables"), lambda deal: deal.tables),
            (say("Hands"), lambda deal: deal.hands),
            (say_in("the days of something", "Played"), _days),
        ),
        name=say("Deals"),
        whole_rows=True,
    )
    offer_parts(len(found), PAGE)
    _show_pairs(snapshot.kept(pair_totals, snapshot.within()))


def _days(deal: SharedDeal) -> str:
    days = [*dict.fromkeys(plain_day(x) for x in (deal.first_day, deal.last_day) if x)]
    return say("{first} to {last}", first=days[0], last=days[1]) if len(days) > 1 else "".join(days)


def _show_pairs(pairs: list[PairTotal]) -> None:
    """Show what everybody did with cards that others held as well."""
    if not pairs:
        return
    names, title = snapshot.names(), say("With the same cards")
    st.subheader(title)
    st.caption(
        say(
            "What each side did over these deals. The score is what a hand adds to its own score "
            "less what it adds to the others’, less the mean of that at the other tables with the "
            "same cards. Matchpoints count the tables it did better than, half where it did as "
            "well: 50% is as well as the others. In brackets the 95% interval over deals, from "
            "{fewest} deals on.",
            fewest=FEWEST_DEALS,
        )
    )
    most = set(sorted(pairs, key=lambda each: -each.deals)[:MOST_PAIRS])
    show_table(
        *in_columns(
            [each for each in pairs if each in most],
            (say_in("a variant", "Game"), lambda each: one_line(each.title)),
            (
                say("Players"),
                lambda each: one_line(" & ".join(names.get(one, one) for one in each.players)),
            ),
            (say("Deals"), lambda each: each.deals),
            (say("Score a deal"), same_deals.score_words),
            (say("Matchpoints"), same_deals.share_words),
        ),
        name=title,
    )
    if len(pairs) > MOST_PAIRS:
        st.caption(
            say(
                "Shown are the {shown} with the most deals, of {all}.",
                shown=MOST_PAIRS,
                all=number(len(pairs)),
            )
        )


# --- One of them


def _show_deal(key: str) -> None:
    st.html(addresses.link_html(addresses.of(urls.SAME_DEAL_PATH), as_html(say("All deals"))))
    tables, left = snapshot.kept(tables_of, snapshot.connection(), key)
    if not tables:
        st.error(
            as_markdown(
                say("No deal {deal} that can be compared is in this warehouse.", deal=repr(key))
            )
        )
        return
    dealt = [
        (say("{place} after", place=place) if place else say("Dealer"), pretty_cards(cards))
        for place, cards in enumerate(dealt_in(snapshot.hand(tables[0].hand)))
    ]
    show_table((say("Seat"), say_in("cards", "Dealt")), dealt, name=say("Cards"))
    _show_tables(tables)
    _show_compared(tables)
    if left:
        st.caption(
            as_markdown(
                say(
                    "Left out: {hands}. They are not valid, or of players who sit as in another "
                    "hand and have seen the cards.",
                    hands=", ".join(left),
                )
            )
        )


def _show_tables(tables: list[Table]) -> None:
    names = snapshot.names()
    st.subheader(say_counted("{count} table", "{count} tables", len(tables)))

    def link(numbered: tuple[int, Table]) -> Link:
        hand = numbered[1].hand
        return Link(hand, addresses.of_step(hand), say("{hand}: replay", hand=hand))

    show_table(
        *in_columns(
            enumerate(tables, 1),
            (say_in("where a hand was played", "Table"), lambda each: each[0]),
            (say("Hand"), link),
            (say("Contract"), lambda each: one_line(same_deals.contract_words(each[1], names))),
            (
                say_in("of a hand", "Result"),
                lambda each: same_deals.result_words(each[1]).capitalize(),
            ),
            (say_in("card points", "Points"), lambda each: same_deals.points_words(each[1])),
            (say("All cards open"), lambda each: same_deals.value_words(each[1].par)),
        ),
        name=say("Tables"),
    )
    st.caption(
        say(
            "Points are card points, those of the dealer’s side first. All cards open: what the "
            "makers take with the contract of that table when everybody sees all cards and plays "
            "as well as can be. Nobody at the table could see them; it is a measure of the cards."
        )
    )


def _show_compared(tables: list[Table]) -> None:
    if len(tables) == 1:
        st.info(say("Only one table can be compared, so there is nothing to compare it with."))
        return
    names = snapshot.names()
    st.subheader(say("With the same cards"))
    against = choose_beside(say("Against the"), urls.AGAINST, _AGAINST, _AGAINST.__getitem__)

    def side(row: Compared) -> str:
        return one_line(same_deals.side_words(tables[row.table], row.side, names))

    show_table(
        *in_columns(
            by_side(compare(tables, "median" if against == "median" else "mean")),
            (say_in("where a hand was played", "Table"), lambda row: row.table + 1),
            (say("Side"), side),
            (say("Balance"), lambda row: same_deals.signed(row.balance)),
            (say_in("against other tables", "Score"), lambda row: same_deals.signed(row.score)),
            (say("Matchpoints"), same_deals.matchpoint_words),
        ),
        name=say_in("tables", "Compared"),
    )
    st.caption(
        say(
            "Balance: what the hand adds to the side’s own score less what it adds to the others’, "
            "without the scores before the hand. Score: the balance less the {middle} of the other "
            "tables with the same cards. Matchpoints: one for each table that did worse, half of "
            "one for each that did as well.",
            middle=_MIDDLES[against or "mean"],
        )
    )


show()
