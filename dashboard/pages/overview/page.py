"""Overview: what is in the warehouse, the first answers, what was played and found last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final, TypeVar

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Verdict
from tricklog.core.judging.findings import finding_said
from tricklog.core.render.sentences import verdict_said
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.choices import choose_player
from tricklog.dashboard.kit.figure_page import QUESTION
from tricklog.dashboard.kit.figures import games_played, measured
from tricklog.dashboard.kit.page_parts import lead_to
from tricklog.dashboard.kit.tables import Link, in_columns, show_table
from tricklog.dashboard.sections import answers, chances, ranking
from tricklog.dashboard.text import findings
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html, sentence_html
from tricklog.dashboard.text.labels import title_of
from tricklog.dashboard.text.questions import hand_questions
from tricklog.ingest.metrics import listings, metric_named, wording
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.sessions import evening as sessions
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.records import records
from tricklog.ingest.store import quarantine
from tricklog.schemas.languages.messages import (
    message,
    message_counted,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import day_text, number, plain_day, short_day

ALL_HANDS: Final = Chosen(EVERYTHING)
FIRST_HANDS: Final = 5
FIRST_FINDINGS: Final = 2
EVENINGS: Final = 4
MOST_CODES: Final = 10
MOST_REJECTS: Final = 4
MOST_RECORDS: Final = 3
MOST_CHANGES: Final = 4
_MOST: Final = 5
"""Of each kind that is found."""
_HANDS_LOOKED_AT: Final = 200
FURTHER: Final = (
    (message("Which bids are made?"), urls.BIDS, "By bid", ""),
    (message("Which bids pay?"), urls.BIDS, "Same cards", "bids-that-pay"),
    (message("Bid or pass with a hand?"), urls.BIDS, "Same cards", "bid-or-pass"),
    (message("Where, and to whom, do we lose pedros?"), urls.CAPTURE, "Pedros", ""),
    (message("Which point cards get away?"), urls.CAPTURE, "Cards", ""),
    (message("How do two games differ?"), urls.VARIANTS, "Two games", ""),
    (message("How does the season stand?"), urls.EVENINGS, "Season", ""),
)
"""Questions that other pages answer: what they are called, the page, the part of it, and the name
that the question has there."""
ONE: Final = "about-one"
TWO: Final = "about-two"
"""Keys of the boxes with the people that questions are about."""
T = TypeVar("T")


def show() -> None:
    """Show the front page."""
    connection, facts = snapshot.connection(), snapshot.facts()
    totals = snapshot.totals()
    st.header("Tricklog")
    st.markdown(f"{_played_words(totals)} {_counted_words(totals)}")
    show_search(facts)
    st.subheader(say("What your hands say"))
    answered = st.container()
    with st.expander(say("More questions")):
        with st.container(horizontal=True, gap="small"):
            for question, page, view, name in FURTHER:
                query = {urls.VIEW: urls.id_of(view), **urls.whose_parameter()}
                lead_to(page, str(question), query | ({QUESTION: name} if name else {}))
        _show_people_questions(facts)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(say("Look for"), width="content")
            for each in hand_questions(games_played(facts)["variant"]):
                lead_to(urls.HANDS, str(each.text), filters.parameters_of(Chosen(each.filters)))
    left, right = st.columns(2, gap="large")
    with left:
        news = st.container()
        _show_evenings(facts)
    with right:
        _show_findings(connection, facts)
        with st.expander(say("Hands in order, and left out")):
            _show_verdicts(facts)
        _show_rejects(connection)
    # Of a million hands these take seconds the first time, and all else can be read meanwhile.
    with news:
        show_news(facts)
    with answered, st.spinner(say("Working out the answers …")):
        answers.show_answers(facts)


def _show_people_questions(facts: DuckDBPyConnection) -> None:
    """Say how good a player is that the viewer chooses, and lead to more of them, or of two."""
    labels = labels_of(facts, "player")
    if len(labels) <= 1:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        player = choose_player(say_in("a person", "About"), ONE, labels, width=200)
        assert player is not None
        but = [player]
        other = choose_player(say_in("another person", "and"), TWO, labels, but=but, width=200)
        assert other is not None
        name, of_one = labels[player], filters.parameters_of(ALL_HANDS, player=player)
        together = {urls.VIEW: "side-by-side", urls.WITH: other}
        asked: dict[str, dict[str, str]] = {
            say("Best partner for {player}?", player=name): {urls.VIEW: "partners"},
            say("Is {player} improving?", player=name): {urls.VIEW: "over-time"},
            say("Where does {player} lose points?", player=name): {urls.VIEW: "leaks"},
            say("{player} and {other} side by side", player=name, other=labels[other]): together,
        }
        for label, query in asked.items():
            lead_to(urls.PLAYERS, as_markdown(label), {**of_one, **query})
    if snapshot.totals()["hands"] <= answers.MOST_AT_ONCE:
        ranking.show_rating_of(Profile(facts, ALL_HANDS, player, name))


def _counted_words(totals: dict[str, Any]) -> str:
    """Return of which hands figures are made, and how much of all else there is."""
    made, left, gaps = totals["analysed"], totals["left_out"], totals["partial"]
    values = {
        "number": number(made),
        "left_out": message_counted("{count} is left out", "{count} are left out", left),
        "gaps": message_counted(
            "{count} record with gaps count where no cards are needed",
            "{count} records with gaps count where no cards are needed",
            gaps,
        ),
    }
    if gaps and left:
        said = say("Figures are made of the {number} in order; {gaps}; {left_out}.", **values)
    elif gaps:
        said = say("Figures are made of the {number} in order; {gaps}.", **values)
    elif left:
        said = say("Figures are made of the {number} in order; {left_out}.", **values)
    else:
        said = say("All are in order.")
    counted = [
        say_counted("{count} game", "{count} games", totals["games"]),
        say_counted("{count} player", "{count} players", totals["players"]),
        say_counted("{count} day", "{count} days", totals["days"]),
    ]
    if found := totals["findings"]:
        counted.append(say_counted("{count} finding", "{count} findings", found))
    if unread := totals["rejects"]:
        counted.append(
            say_counted("{count} line not readable", "{count} lines not readable", unread)
        )
    return f"{said} {' · '.join(counted)}."


def _played_words(totals: dict[str, Any]) -> str:
    hands = words.hands_text(totals["hands"])
    if totals["first_day"] is None:
        return say("{hands}.", hands=hands)
    first, last = plain_day(totals["first_day"]), plain_day(totals["last_day"])
    if first == last:
        return say("{hands} played on {day}.", hands=hands, day=first)
    return say("{hands} played from {first} to {last}.", hands=hands, first=first, last=last)


def _show_evenings(facts: DuckDBPyConnection) -> None:
    st.subheader(say("Last evenings"))
    days = snapshot.kept(sessions.evenings, facts).tail(EVENINGS).reverse()
    if days.is_empty():
        st.page_link(urls.HANDS, label=say("No hand has a day. See all hands"))
        return
    left_out = say_in("a column", "left out"), "left_out"
    show_table(
        *in_columns(
            days.iter_rows(named=True),
            (
                say_in("a column", "evening"),
                lambda row: Link(day_text(row["day"]), addresses.of_evening(row["day"])),
            ),
            (say_in("a column", "hands in order"), "hands"),
            (say_in("a column", "games"), "games"),
            *([left_out] if days["left_out"].sum() else []),
        ),
        name=say("Last evenings"),
        whole_rows=True,
    )


def _show_verdicts(facts: DuckDBPyConnection) -> None:
    sentence = wording.sentence(metric_named("verdicts"))
    st.caption(f"{sentence} {figures.definition_link('verdicts')}")
    found = snapshot.kept(listings.left_out, facts, EVERYTHING)

    def link(verdict: str) -> Link:
        said = str(verdict_said(Verdict(verdict))).capitalize()
        address = addresses.of_page(addresses.HANDS, ALL_HANDS, verdict=verdict)
        return Link(said, address, say("{verdict}: its hands", verdict=said))

    show_table(
        *in_columns(
            found,
            (say_in("a column", "verdict"), link),
            (say_in("a column", "hands"), found.__getitem__),
            (
                say_in("a column", "the hand was or had"),
                lambda verdict: translated(figures.MEANINGS[Verdict(verdict)]),
            ),
        ),
    )
    frame, titles = measured(facts, ALL_HANDS, "valid-rate", ("variant",)), snapshot.titles()
    show_table(
        *in_columns(
            frame.sort("n", descending=True).iter_rows(named=True),
            (say_in("a column", "game"), lambda row: titles.get(row["variant"], row["variant"])),
            (say_in("a column", "hands"), "n"),
            (say_in("a column", "in order"), "hits"),
            (say_in("a column", "left out"), lambda row: row["n"] - row["hits"]),
        ),
    )


def _show_rejects(connection: DuckDBPyConnection) -> None:
    rejects = quarantine.codes(connection)
    if rejects.is_empty():
        return
    st.subheader(say("Lines that could not be read"))
    show_table(
        [say_in("a column", "what was wrong"), say_in("a column", "lines")],
        [(title_of(code), lines) for code, lines in rejects.head(MOST_REJECTS).iter_rows()],
    )
    label = say("See these lines")
    if len(rejects) > MOST_REJECTS:
        label = say_counted(
            "See these lines, and those of {count} other kind",
            "See these lines, and those of {count} other kinds",
            len(rejects) - MOST_REJECTS,
        )
    query = {urls.VIEW: urls.UNREADABLE} | urls.whose_parameter()
    st.page_link(urls.AUDIT, label=label, query_params=query)


def _show_findings(connection: DuckDBPyConnection, facts: DuckDBPyConnection) -> None:
    st.subheader(say("What was against the rules"))
    frame = measured(facts, ALL_HANDS, "findings", ("code",))
    if frame.is_empty():
        st.markdown(say("Nothing: every hand was played and scored by the rules."))
        return
    st.caption(say("Each kind of finding leads to its hands."))
    frame = frame.sort("n", descending=True).select("code", "n")
    with st.container(horizontal=True, gap="small"):
        for code, count in frame.head(MOST_CODES).iter_rows():
            title = as_markdown(str(finding_said(code)).capitalize())
            lead_to(urls.HANDS, f"{title} · {number(count)}", urls.to_hands(code))
        if len(frame) > MOST_CODES:
            others = say_counted(
                "and {count} other kind", "and {count} other kinds", len(frame) - MOST_CODES
            )
            lead_to(urls.AUDIT, others)
    st.caption(say("The latest hands with findings, each with the step where it shows."))
    left = FIRST_HANDS
    for verdict in (Verdict.IRREGULAR, Verdict.REJECTED):
        rows = listings.hand_list(facts, Filters.of({"verdict": verdict}), limit=left)
        left -= len(rows)
        for hand_id in rows["hand_id"]:
            found = findings.of_hand(connection, snapshot.replayed_hand(hand_id))
            with st.container(border=True, gap="xsmall"):
                for finding, step in found[:FIRST_FINDINGS]:
                    st.html(findings.finding_html(finding))
                    place = findings.place_words(step).lower()
                    said = f"{as_markdown(hand_id)}, {place}"
                    lead_to(urls.STEPS, said, urls.to_step(hand_id, step or 0))
                if (more := len(found) - FIRST_FINDINGS) > 0:
                    st.caption(
                        say_counted("and {count} finding more", "and {count} findings more", more)
                    )
        if not left:
            return


def show_news(facts: DuckDBPyConnection) -> None:
    """Say what the last evening brought; nothing where no hand has a day."""
    days = snapshot.kept(sessions.evenings, facts)["day"].to_list()
    if not days:
        return
    before, last = (None, *days)[-2:]
    season = Filters(since=date(last.year, 1, 1), until=last)
    evening = snapshot.kept(sessions.evening_of, facts, last, EVERYTHING, season=season)
    if evening is None:
        return
    st.subheader(say("New since {day}", day=short_day(before)) if before else say_in("news", "New"))
    names, titles = snapshot.names(), snapshot.titles()
    about = ", ".join(words.about(evening)[:3])
    link = link_html(addresses.of_evening(last), day_text(last))
    said = [f"{link}: {as_html(about)}. {sentence_html(words.headline(evening, names))}"]
    new = [each for each in snapshot.kept(records, facts, season) if words.is_new(each, last)]
    said += [
        sentence_html(words.new_record_text(each, titles.get(each.variant, each.variant), names))
        for each in new[:MOST_RECORDS]
    ]
    if (more := len(new) - MOST_RECORDS) > 0:
        said.append(
            say_counted("{count} more record was set.", "{count} more records were set.", more)
        )
    if snapshot.totals()["hands"] <= answers.MOST_LOOKED_BACK:
        said += map(sentence_html, chances.of_evening(evening)[1][:1])
    changed = (answers.changed_answers(facts, before) if before else None) or []
    said += changed[:MOST_CHANGES]
    if (more := len(changed) - MOST_CHANGES) > 0:
        said.append(
            say_counted(
                "{count} more answer has changed.", "{count} more answers have changed.", more
            )
        )
    st.html(f'<ul class="tl-news">{"".join(f"<li>{each}</li>" for each in said)}</ul>')


def show_search(facts: DuckDBPyConnection) -> None:
    """Show the box, and links to what is called as was typed."""
    said = say("Find a player, an evening, a game or a hand")
    typed = st.text_input(
        said, placeholder=said, key="find-anything", label_visibility="collapsed", width=480
    )
    text = (typed or "").strip()
    if not text:
        return
    wanted = text.casefold()
    rows = snapshot.kept(listings.hand_list, facts, text=text, limit=_HANDS_LOOKED_AT)

    names = snapshot.names()

    def called_so(
        each: Iterable[T], texts: Callable[[T], Sequence[str]] = lambda text: (str(text),)
    ) -> list[T]:
        fits = (one for one in each if any(wanted in text.casefold() for text in texts(one)))
        return [*islice(fits, _MOST)]

    days, games, hands = (
        rows[name].drop_nulls().unique(maintain_order=True).to_list()
        for name in ("day", "game", "hand_id")
    )
    links = {}
    for player in called_so(names, lambda player: (player, names[player])):
        address = addresses.of_page(addresses.PLAYERS, ALL_HANDS, player=player)
        links[address] = say("player {name}", name=name_html(names[player]))
    for day in called_so(days, lambda day: (day.isoformat(), day_text(day))):
        links[addresses.of_evening(day)] = say("evening {day}", day=as_html(day_text(day)))
    for game in called_so(games):
        links[addresses.of_game(game)] = say("game {name}", name=name_html(game))
    for hand in called_so(hands):
        links[addresses.of_step(hand)] = say("hand {name}", name=name_html(hand))
    if links:
        listed = "".join(f"<li>{link_html(*each)}</li>" for each in links.items())
        st.html(f'<ul class="tl-found">{listed}</ul>')
    else:
        st.caption(
            say(
                "Nothing here is called “{text}”. Try a part of a name, or a day such as "
                "2026-11-20.",
                text=as_markdown(text),
            )
        )


show()
