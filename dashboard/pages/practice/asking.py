"""A question on the page: the table as its player saw it, and buttons to choose with."""

from __future__ import annotations

from datetime import date
from typing import Final, TypeAlias

import streamlit as st

from tricklog.dashboard.pages.practice import judging, session
from tricklog.dashboard.pages.practice.drawing import (
    face,
    known_html,
    question_lines,
    seat_head,
    strip_html,
    suit_of,
    table_html,
)
from tricklog.dashboard.pages.practice.keys import listen
from tricklog.dashboard.pages.practice.moments import Kind, Option, answer_of
from tricklog.dashboard.pages.practice.phrases import amount_of
from tricklog.dashboard.pages.practice.session import Page
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.store.userdata import Answer
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import cards_in, pretty_card
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import (
    mark,
    message,
    message_in,
    message_of,
    say,
    say_counted,
    say_in,
)
from tricklog.schemas.languages.numbers import plain_day
from tricklog.schemas.words import cards_counted

MOST_BUTTONS: Final = 14
"""Bids that have a button each; of more, as of 1 to 63, there is a box to choose from."""
_NOTHING_CHOSEN: Final = {
    Kind.CARD: message("Play a card"),
    Kind.CARDS: message("Choose cards"),
    Kind.CALL: message_in("a button", "Choose"),
    Kind.TRUMP: message_in("a button", "Choose"),
}
_DEEDS: Final = {
    Verb.DISCARD: mark("Lay off {cards}"),
    Verb.DISCARD_UP: mark("Lay off {cards}"),
    Verb.GIVE: mark("Give your partner {cards}"),
    Verb.BURY: mark("Bury {cards}"),
    Verb.ROB: mark("Take from the stock {cards}"),
}
"""What the button says of a set of cards."""
Chosen: TypeAlias = str | int | None
"""An answer, or a set of cards, that is marked and not given yet."""
_KEYS: Final = 9
BID: Final = "practice-bid"


def show(page: Page) -> None:
    """Show the question. What it is worth is looked up when it is answered, and not before."""
    left, right = st.columns([0.7, 0.3], gap="medium")
    known, moment, names = page.known, page.moment, page.names
    with left:
        st.html(
            strip_html(
                known.place.capitalize(),
                say("you sit as {player}", player=names.html(known.seat)),
                question_lines(known, moment, names),
            )
        )
        with st.container(key="practice-felt", gap=None):
            st.html(table_html(known, names))
            _show_own(page)
        _show_buttons(page)
    with right:
        _show_answered_before(page)
        st.html(known_html(known, names))
        _show_hint(page)
        session.show_progress(page.here)
    listen()


# --- Choosing


def _chosen(page: Page) -> Chosen:
    question, chosen = st.session_state.get(session.CHOSEN, (None, None))
    marked: Chosen = chosen if question == page.question else None
    return marked


def _cards_chosen(page: Page) -> int:
    chosen = _chosen(page)
    return chosen if isinstance(chosen, int) else page.moment.legal.must


def _choose(page: Page, chosen: Chosen) -> None:
    st.session_state[session.CHOSEN] = (page.question, chosen)


def _show_own(page: Page) -> None:
    known, moment = page.known, page.moment
    turn = say("your turn")
    with st.container(key="practice-own", gap=None):
        st.html(seat_head(known, page.names, known.seat, turn))
        with st.container(
            horizontal=True, horizontal_alignment="center", gap="small", key="practice-hand"
        ):
            if moment.kind == Kind.CARDS:
                _show_set(page)
            elif moment.kind == Kind.CARD:
                _show_cards(page)
            else:
                st.html(f'<div class="tlp-fan tlp-own">{"".join(map(face, known.held))}</div>')
        if moment.kind in (Kind.CALL, Kind.TRUMP):
            _show_options(page, moment.options)
        elif asks := [each for each in moment.options if each.card < 0]:
            _show_options(page, asks)


def _show_cards(page: Page) -> None:
    """Show the cards held: as buttons those that may be played."""
    options = {each.card: each for each in page.moment.options}
    playable = [card for card in page.known.held if card in options]
    chosen = _chosen(page)
    for card in page.known.held:
        option = options.get(card)
        place = playable.index(card) + 1 if option else 0
        _card_button(
            card,
            is_chosen=option is not None and chosen == option.text,
            is_barred=option is None,
            key=str(place) if 0 < place <= _KEYS else None,
            page=page,
            chooses=option.text if option else None,
        )


def _show_set(page: Page) -> None:
    cards = page.moment.cards_to_choose()
    chosen = _cards_chosen(page)
    for place, card in enumerate(cards, 1):
        _card_button(
            card,
            is_chosen=bool(chosen >> card & 1),
            is_barred=bool(page.moment.legal.must >> card & 1),
            key=str(place) if place <= _KEYS else None,
            page=page,
            chooses=chosen ^ 1 << card,
        )


def _card_button(
    card: int, *, is_chosen: bool, is_barred: bool, key: str | None, page: Page, chooses: Chosen
) -> None:
    is_free = chooses is not None and not is_barred
    st.button(
        pretty_card(card),
        key=f"practice-card-{suit_of(card)}-{card}",
        type="primary" if is_chosen else "secondary",
        disabled=not is_free,
        shortcut=key if is_free else None,
        on_click=_choose,
        args=(page, chooses),
    )


def _show_options(page: Page, options: tuple[Option, ...] | list[Option]) -> None:
    chosen = _chosen(page)
    bids = [each for each in options if each.text.startswith("bid ")]
    listed = bids if len(bids) > MOST_BUTTONS else []
    with st.container(
        horizontal=True, horizontal_alignment="center", gap="small", key="practice-options"
    ):
        for place, option in enumerate((each for each in options if each not in listed), 1):
            st.button(
                as_markdown(option.words),
                key=f"practice-option-{option.text.replace(' ', '-')}",
                type="primary" if chosen == option.text else "secondary",
                shortcut=_key_of(place, page),
                on_click=_choose,
                args=(page, option.text),
            )
        if listed:
            words = [each.words for each in listed]
            st.selectbox(
                say_in("a box to choose from", "Bid"),
                words,
                index=None,
                key=BID,
                placeholder=say("Bid …"),
                width=140,
                label_visibility="collapsed",
                on_change=_choose_bid,
                args=(page,),
            )


def _key_of(place: int, page: Page) -> str | None:
    """Return the key of an option; beside cards, which have the numbers, asking has its own."""
    if page.moment.kind == Kind.CARD:
        return "a"
    return str(place) if place <= _KEYS else None


def _choose_bid(page: Page) -> None:
    bid = st.session_state[BID]
    _choose(page, f"bid {bid}" if bid is not None else None)


# --- Answering


def _show_buttons(page: Page) -> None:
    chosen = _chosen(page)
    answer = _answer_text(page, chosen)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="practice-buttons"
    ):
        st.button(
            _play_words(page, answer),
            key="practice-play",
            type="primary",
            shortcut="Enter",
            disabled=answer is None,
            on_click=_give,
            args=(page, answer),
        )
        st.button(
            say("Skip"),
            key="practice-skip",
            shortcut="x",
            on_click=session.skip,
            args=(page.question,),
        )
        st.button(
            say("I remember this hand"),
            key="practice-remember",
            on_click=session.skip_hand,
            args=(page.question,),
            help=say("Leaves out all questions of this hand."),
        )


def _answer_text(page: Page, chosen: Chosen) -> str | None:
    moment = page.moment
    if moment.kind != Kind.CARDS:
        known = {each.text for each in moment.options}
        return chosen if isinstance(chosen, str) and chosen in known else None
    cards = _cards_chosen(page)
    return moment.text_of(cards) if moment.allows(cards) else None


def _play_words(page: Page, answer: str | None) -> str:
    kind = page.moment.kind
    if answer is None:
        return str(_NOTHING_CHOSEN[kind])
    words = as_markdown(judging.words_of(page.moment, answer))
    if kind == Kind.CARD and answer != "ask":
        return say_in("a button", "Play {card}", card=words)
    if kind == Kind.CARDS:
        count = len(cards_in(judging.cards_of(answer)))
        return str(message_of(_DEEDS[page.moment.verb], {"cards": cards_counted(count)}))
    return words


def _give(page: Page, answer: str) -> None:
    """Open the table, and keep the answer with what it cost."""
    session.give(page.question, answer)
    judged = judging.judge(page.replayed, page.moment, answer)
    row, played = judged.row(answer), judged.row(judged.played)
    session.note_cost(page.question, row.cost if row else None)
    session.keep(
        Answer(
            content_hash(page.replayed.hand),
            page.question.action,
            "",
            answer,
            judged.unit,
            row.cost if row else None,
            played.cost if played else None,
            hinted=session.is_hinted(page.question),
        )
    )


# --- Beside the table


def _show_answered_before(page: Page) -> None:
    before = page.here.answered(page.question)
    if before is None:
        return
    told = say(
        "You have answered this before, on {day}. The first answer counts until you remove it.",
        day=as_html(_day_of(before)),
    )
    st.html(f'<div class="tlp-box tlp-grey">{told}</div>')
    with st.container(horizontal=True, gap="small", key="practice-before"):
        st.button(
            say("Show that answer"),
            key="practice-show-before",
            on_click=session.give,
            args=(page.question, before.answer),
        )
        st.button(
            say("Remove it"),
            key="practice-remove-before",
            on_click=session.take_back,
            args=(page.question,),
        )


def _day_of(answer: Answer) -> str:
    day = answer.answered_at[:10]
    try:
        return plain_day(date.fromisoformat(day))
    except ValueError:
        return day


def _show_hint(page: Page) -> None:
    if page.moment.kind in (Kind.CALL, Kind.TRUMP):
        return
    if not session.is_hinted(page.question):
        st.button(
            say("Hint: what is at stake"),
            key="practice-hint",
            shortcut="i",
            on_click=session.hint,
            args=(page.question,),
        )
        return
    st.html(f'<div class="tlp-box tlp-grey">{_hint(page)}</div>')


def _hint(page: Page) -> str:
    """Say how far the choices are apart, and how many of them cost nothing."""
    played = answer_of(page.replayed.actions[page.question.action])
    judged = judging.judge(page.replayed, page.moment, played)
    costs = [each.cost for each in judged.rows if each.cost is not None]
    if judged.no_value or not costs or len(costs) < len(judged.rows):
        return say("Nobody can say with all cards open what is at stake here.")
    if page.moment.kind == Kind.CARDS:
        return say_counted(
            "{count} choice cost nothing with all cards open.",
            "{count} choices cost nothing with all cards open.",
            costs.count(0),
        )
    if not any(costs):
        return say("All choices cost the same with all cards open.")
    return say(
        "With all cards open {free} of {all} choices cost nothing; the dearest costs {cost}.",
        free=costs.count(0),
        all=len(costs),
        cost=amount_of(max(costs), judged),
    )
