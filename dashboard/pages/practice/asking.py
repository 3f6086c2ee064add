"""A question on the page: the table as its player saw it, and buttons to choose with.

Nothing is sent to a browser before the answer that the player did not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Final

import streamlit as st

from tricklog.core.study.questions import judging
from tricklog.core.study.questions.known import Known
from tricklog.core.study.questions.moments import ASK, Kind, Moment, Option, answer_of
from tricklog.dashboard import card_table
from tricklog.dashboard.data.hand_data import Data, names_of, sign_of
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice import session
from tricklog.dashboard.pages.practice.at_table import (
    amount_of,
    frame_at,
    id_of,
    in_html,
    or_you,
    question_data,
    trick_told,
)
from tricklog.dashboard.pages.practice.finding import Asked
from tricklog.dashboard.pages.practice.session import Page
from tricklog.dashboard.pages.practice.telling import CONTRACTS
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import call_words
from tricklog.ingest.store.userdata import Answer
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import card_name, cards_in, mask_of, pretty_card
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import (
    Message,
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
_EXCHANGES: Final = {
    Verb.DRAW: (mark("you drew {cards}"), mark("{player} drew {cards}")),
    Verb.ROB: (mark("you robbed {cards}"), mark("{player} robbed {cards}")),
    Verb.KITTY: (mark("you took the kitty"), mark("{player} took the kitty")),
    Verb.GIVE: (mark("you gave {cards}"), mark("{player} gave {cards}")),
    Verb.FOLD: (mark("you folded"), mark("{player} folded")),
}
"""What the player who is asked did before the play, and what others did."""
_KEYS: Final = 9
BID: Final = "practice-bid"
_HEARD: Final = "practice-heard"
"""Key: the number of what the table has sent last."""
_FEW: Final = 12
"""Cards that are listed by name; of more nobody could keep count."""


_HIDDEN: Final = "*"
_UNNAMED: Final = ["", ""]
"""What is sent of a trump that is not known to the player."""


def show(page: Page) -> None:
    """Show the question. What it is worth is looked up when it is answered, and not before."""
    left, right = st.columns([0.7, 0.3], gap="medium")
    with left:
        cards, answer = _marked(page)
        data = asked_data(page.moment, page.known, cards)
        data["question"]["heard"] = st.session_state.get(_HEARD)
        card_table.question_table(data, on_choose=partial(_take_cards, page))
        if options := [each for each in page.moment.options if each.card < 0]:
            _show_options(page, options, answer)
        _show_buttons(page, answer)
    with right:
        _show_answered_before(page)
        _show_known(page)
        _show_hint(page)
        session.show_progress(page.here)


# --- The table


def asked_data(moment: Moment, known: Known, picked: Iterable[int] = ()) -> Data:
    """Return a question with the table as its player knows it.

    ``picked``: the cards that are marked and not played yet.
    """
    frame = frame_at(moment, known)
    seats = [
        # Of another seat the cards lie face down.
        seat
        if at == known.seat
        else seat | {"hand": " ".join([_HIDDEN] * known.cards[at]), "unknown": 0, "off": seat["up"]}
        for at, seat in enumerate(frame["seats"])
    ]
    seats[known.seat]["off"] = names_of(known.laid_off)
    unnamed = _UNNAMED if known.trump_is_hidden and known.trump is None else frame["trump"]
    frame |= {
        "seats": seats,
        "trump": unnamed,
        "kitty": "",
        "under": "",
        "buried": names_of(chain.from_iterable(cards for _, cards in known.buried)),
    }
    asked = moment.verb if moment.kind == Kind.CARDS else moment.kind
    question = {
        "title": known.place,
        "below": say("you sit as {player}", player=sign_of(known.seat)),
        "lines": [
            f"{_before(known, moment)} <b>{_QUESTIONS[asked]}</b>".strip(),
            *filter(None, [_allowed(moment)]),
        ],
        "tone": "plain",
        "picked": names_of(picked),
        "must": names_of(cards_in(moment.legal.must)),
        "several": moment.kind == Kind.CARDS,
    }
    return question_data(moment, known, frame, question)


_QUESTIONS: Final[dict[Kind | Verb, Message]] = {
    Kind.CARD: message("Which card do you play?"),
    Kind.CALL: message("What do you say?"),
    Kind.TRUMP: message("Which trumps do you name?"),
    Verb.DISCARD: message("Which cards do you lay off?"),
    Verb.DISCARD_UP: message("Which cards do you lay off?"),
    Verb.GIVE: message("Which cards do you give your partner?"),
    Verb.BURY: message("Which cards do you bury?"),
    Verb.ROB: message("Which cards do you take from the stock?"),
}


def _before(known: Known, moment: Moment) -> str:
    if moment.kind == Kind.CARD and known.on_table:
        told = []
        for at, (seat, card) in enumerate(known.on_table):
            values = {"player": sign_of(seat), "card": pretty_card(card)}
            told.append(str(message_of(_LAID[seat in known.partners, at == 0], values)))
        said = ", ".join(told)
        return f"{said[:1].upper()}{said[1:]}."
    if moment.kind == Kind.CARD:
        return say("You lead.")
    if moment.kind != Kind.CALL:
        return ""
    told = [f"{or_you(seat, known.seat)} {call_words(*call)}" for seat, *call in known.calls[-3:]]
    nobody = say("Nobody has spoken before you.")
    return say("Before you: {calls}.", calls=" · ".join(told)) if told else nobody


_LAID: Final = {
    (True, True): mark("your partner {player} led {card}"),
    (True, False): mark("your partner {player} played {card}"),
    (False, True): mark("{player} led {card}"),
    (False, False): mark("{player} played {card}"),
}
"""What is said of a card on the table, by whether a partner played it, and whether it was led."""


def _allowed(moment: Moment) -> str:
    legal = moment.legal
    if moment.kind == Kind.CARD:
        cards = [each.card for each in moment.options if each.card >= 0]
        if len(cards) == moment.view.holdings[moment.seat].bit_count():
            return say("Every card is allowed.")
        return say("Allowed are {cards}.", cards=" ".join(map(pretty_card, cards)))
    if moment.kind == Kind.CARDS:
        if legal.least == legal.most:
            return f"{cards_counted(legal.least)}."
        return say("{least} to {most}.", least=legal.least, most=cards_counted(legal.most))
    return ""


# --- Choosing


def _marked(page: Page) -> tuple[list[int], str | None]:
    """Return the cards that are marked, and the answer that they or a button make, if any."""
    moment = page.moment
    question, chosen = st.session_state.get(session.CHOSEN, (None, None))
    if question != page.question:
        chosen = None
    if moment.kind == Kind.CARDS:
        cards = moment.legal.must if chosen is None else chosen
        return cards_in(cards), moment.text_of(cards) if moment.allows(cards) else None
    option = next((each for each in moment.options if each.text == chosen), None)
    if option is None:
        return [], None
    return [option.card] if option.card >= 0 else [], option.text


def _choose(page: Page, chosen: str | int | None) -> None:
    """Mark an answer or a set of cards, which is not given yet."""
    st.session_state[session.CHOSEN] = (page.question, chosen)


def _take_cards(page: Page) -> None:
    """Mark the cards that were tapped on the table; what a browser sends may be anything."""
    sent = st.session_state[card_table.QUESTION]["choose"]
    st.session_state[_HEARD] = sent.get("number")
    words = str(sent.get("cards")).split()
    if sent.get("question") != id_of(page.moment) or not words:
        return
    if page.moment.kind == Kind.CARDS:
        known = {card_name(card): card for card in page.moment.cards_to_choose()}
        _choose(page, mask_of([known[word] for word in words if word in known]))
    else:
        _choose(page, f"play {words[0]}")


def _show_options(page: Page, options: Sequence[Option], answer: str | None) -> None:
    bids = [each for each in options if each.text.startswith("bid ")]
    listed = bids if len(bids) > MOST_BUTTONS else []
    with st.container(
        horizontal=True, horizontal_alignment="center", gap="small", key="practice-options"
    ):
        for place, option in enumerate((each for each in options if each not in listed), 1):
            # Beside cards, which have the numbers, asking has a key of its own.
            key = "a" if page.moment.kind == Kind.CARD else str(place) if place <= _KEYS else None
            session.button(
                as_markdown(option.words),
                f"option-{option.text.replace(' ', '-')}",
                *(_choose, page, option.text),
                type="primary" if answer == option.text else "secondary",
                shortcut=key,
            )

        def choose_bid() -> None:
            bid = st.session_state[BID]
            _choose(page, None if bid is None else f"bid {bid}")

        if listed:
            st.selectbox(
                say_in("a box to choose from", "Bid"),
                [each.words for each in listed],
                index=None,
                key=BID,
                placeholder=say("Bid …"),
                width=140,
                label_visibility="collapsed",
                on_change=choose_bid,
            )


# --- Answering


def _show_buttons(page: Page, answer: str | None) -> None:
    moment, question = page.moment, page.question
    if answer is None:
        label = str(_NOTHING_CHOSEN[moment.kind])
    elif moment.kind == Kind.CARDS:
        cards = cards_counted(judging.cards_of(answer).bit_count())
        label = str(message_of(_DEEDS[moment.verb], {"cards": cards}))
    else:
        label = as_markdown(judging.words_of(moment, answer))
        if moment.kind == Kind.CARD and answer != ASK:
            label = say_in("a button", "Play {card}", card=label)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="practice-buttons"
    ):
        looks = {"type": "primary", "shortcut": "Enter", "disabled": answer is None}
        session.button(label, "play", _give, page, answer, **looks)
        session.button(say("Skip"), "skip", session.skip, question, shortcut="x")
        session.button(
            say("I remember this hand"),
            "remember",
            *(session.skip, question, Asked(question.hand_id, -1)),
            help=say("Leaves out all questions of this hand."),
        )


def _give(page: Page, answer: str) -> None:
    session.course().given[page.question] = answer
    judged = judging.judge(page.replayed, page.moment, answer, solver_for)
    row, played = judged.row(answer), judged.row(judged.played)
    session.note_cost(page.question, row.cost if row else None)
    session.keep(
        Answer(
            content_hash(page.replayed.hand),
            page.question.action,
            session.name(),
            answer,
            judged.unit,
            row.cost if row else None,
            played.cost if played else None,
            hinted=page.question in session.course().hinted,
        )
    )


# --- Beside the table


def _show_known(page: Page) -> None:
    """Show what the player asked has seen, as a list, and what they can count."""
    known, names = page.known, page.names
    title = in_html(say("What {player} knows", player=sign_of(known.seat)), names)
    listed = "".join(
        f"<dt>{head}</dt><dd>{in_html(told, names)}</dd>" for head, told in seen_rows(known)
    )
    notes = ""
    if known.unseen_trumps and len(known.unseen_trumps) <= _FEW:
        head = say("Trumps not seen yet")
        notes = f"<p><b>{head}</b> {in_html(_pretty(known.unseen_trumps), names)}</p>"
    if told := _at_stake(known):
        notes += f"<p>{in_html(told, names)}</p>"
    seen = f'<dl class="tl-pairs tl-beside">{listed}</dl>' if listed else ""
    st.html(f'<div class="tl-known"><b>{title}</b>{seen}{notes}</div>')


def seen_rows(known: Known) -> list[tuple[str, str]]:
    """Return what has been seen: a head and a sentence with signs for names, each."""
    own, seats = known.seat, range(len(known.cards))
    scores = [
        f"{' & '.join(map(sign_of, seats[side :: len(known.scores)]))} {score}"
        for side, score in enumerate(known.scores)
    ]
    calls = [f"{or_you(seat, own)} {call_words(*call)}" for seat, *call in known.calls]
    done = [
        str(
            message_of(
                _EXCHANGES[verb][seat != own],
                {"player": sign_of(seat), "cards": cards_counted(count)},
            )
        )
        for seat, verb, count in known.exchanged
    ]
    piles = [f"{sign_of(seat)} {_pretty(cards)}" for seat, cards in known.buried]
    rows = [
        (say_in("what the player knows", "score"), " · ".join(scores)),
        (say_in("what the player knows", "auction"), " · ".join(calls)),
        (say("you laid off"), _pretty(known.laid_off)),
        (say_in("what the player knows", "exchange"), " · ".join(done)),
        (say_in("what the player knows", "buried"), " · ".join(piles)),
    ]
    tricks = [
        (say("trick {number}", number=each.number), trick_told(each, own)) for each in known.tricks
    ]
    return [*filter(itemgetter(1), rows), *tricks]


def _pretty(cards: Iterable[int]) -> str:
    return " ".join(map(pretty_card, cards))


def _at_stake(known: Known) -> str:
    told = []
    if known.to_come and len(known.to_come) <= _FEW:
        listed = ", ".join(f"{pretty_card(card)} {points}" for card, points in known.to_come)
        told.append(say("Points in no trick so far: {cards}.", cards=listed))
    maker, with_partners = known.maker, len(known.points) < len(known.cards)
    if known.need is not None and maker is not None and (with_partners or maker == known.seat):
        values = {"points": known.points[maker % len(known.points)], "need": known.need}
        told.append(
            say("Your side has {points} and needs {need}.", **values)
            if maker in (known.seat, *known.partners)
            else say("The makers have {points} and need {need}.", **values)
        )
    return " ".join(told)


def _show_answered_before(page: Page) -> None:
    before = page.here.answered(page.question)
    if before is None:
        return
    day = before.answered_at[:10]
    with suppress(ValueError):
        day = plain_day(date.fromisoformat(day))
    told = say(
        "You have answered this before, on {day}. The first answer counts until you remove it.",
        day=as_html(day),
    )
    st.html(f'<p class="tl-quiet">{told}</p>')
    with st.container(horizontal=True, gap="small", key="practice-before"):
        give = session.course().given.update
        session.button(say("Show that answer"), "show-before", give, {page.question: before.answer})
        session.button(say("Remove it"), "remove-before", session.take_back, page.question)


def _show_hint(page: Page) -> None:
    if page.moment.kind in CONTRACTS:
        return
    hinted = session.course().hinted
    if page.question in hinted:
        st.html(f'<p class="tl-quiet">{_hint(page)}</p>')
    else:
        label = say("Hint: what is at stake")
        session.button(label, "hint", hinted.add, page.question, shortcut="i")


def _hint(page: Page) -> str:
    """Say how far the choices are apart, and how many of them cost nothing."""
    played = answer_of(page.replayed.actions[page.question.action])
    judged = judging.judge(page.replayed, page.moment, played, solver_for)
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
