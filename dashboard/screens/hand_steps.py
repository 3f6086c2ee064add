"""Replay: one hand, step by step. Step ``n`` is the table before action ``n``."""

from __future__ import annotations

import streamlit as st
from duckdb import DuckDBPyConnection
from msgspec import UNSET

from dashboard import findings, links, snapshot
from dashboard.plain import as_html, as_markdown, name_html, sentence_html
from dashboard.table import card_html, score_html, table_html
from dashboard.words import call_words, title_of
from ingest import listings
from replay import Finding, Replay, Verdict, View
from replay.telling import place_text, result_text
from schemas.show import describe_action, player_labels


def show() -> None:
    """Show the hand of the URL; without one, a hand worth a look."""
    connection = snapshot.connection()
    hand_id = st.query_params.get("hand")
    if hand_id is None:
        hand_id = _worth_a_look(connection)
        st.query_params["hand"] = hand_id
    try:
        replayed = snapshot.replayed_hand(hand_id)
    except LookupError as error:
        st.error(as_markdown(str(error)))
        st.page_link(links.HANDS, label="Choose a hand from the list")
        return
    found = findings.of_hand(connection, replayed)
    _show_head(replayed)
    left, right = st.columns([5, 2], gap="medium")
    with left:
        step = _choose_step(len(replayed))
        _show_step(replayed, step, [finding for finding, at in found if at == step])
    with right:
        _show_findings(replayed, found)
        _show_auction(replayed)
        _show_tricks(replayed)
        _show_result(replayed)


def _worth_a_look(connection: DuckDBPyConnection) -> str:
    for verdict in (Verdict.IRREGULAR, Verdict.REJECTED, None):
        rows = listings.hand_list(connection, verdict=verdict, limit=1)
        if len(rows):
            break
    return str(rows["id"].item())


def _show_head(replayed: Replay) -> None:
    hand = replayed.hand
    st.header(as_markdown(f"Hand {hand.id}"))
    words = [replayed.ruleset.title]
    if hand.game is not UNSET:
        words.append(f"game {hand.game}")
    if hand.hand is not UNSET:
        words.append(f"hand {hand.hand}")
    if hand.started_at is not UNSET:
        words.append(hand.started_at[:10])
    verdict = f'<span class="tl-verdict tl-{replayed.verdict}">{replayed.verdict}</span>'
    st.html(f"<p>{' · '.join(as_html(word) for word in words)} {verdict}</p>")
    for doubt in replayed.doubts:
        st.html(f"<p>{sentence_html(doubt)}</p>")


def _choose_step(last: int) -> int:
    """Show the controls and return the step; the slider and the URL hold it."""
    if not last:
        return 0
    now = min(links.number_of(links.STEP, 0), last)
    at_start, at_end = now == 0, now == last
    with st.container(horizontal=True, gap="xsmall"):
        st.button("First", key="go-First", on_click=_go, args=(0,), disabled=at_start)
        st.button(
            "Previous",
            key="go-Previous",
            on_click=_move,
            args=(-1, last),
            disabled=at_start,
            shortcut="Left",
        )
        st.button(
            "Next", key="go-Next", on_click=_move, args=(1, last), disabled=at_end, shortcut="Right"
        )
        st.button("Last", key="go-Last", on_click=_go, args=(last,), disabled=at_end)
    return int(st.slider("Step", 0, last, key=links.STEP, bind="query-params"))


def _go(step: int) -> None:
    st.session_state[links.STEP] = step


def _move(by: int, last: int) -> None:
    """Step from where the hand is now, which a fast second press finds moved already."""
    _go(min(max(links.number_of(links.STEP, 0) + by, 0), last))


def _show_step(replayed: Replay, step: int, found: list[Finding]) -> None:
    view = replayed.at(step)
    st.html(
        f'<div class="tl-step" data-step="{step}">'
        f"<b>{as_html(place_text(view).capitalize())}</b> {_what_happens(replayed, view)}</div>"
    )
    for finding in found:
        st.html(findings.finding_html(finding))
        findings.show_rules(finding)
    st.html(score_html(replayed, view) + table_html(replayed, view))


def _what_happens(replayed: Replay, view: View) -> str:
    if view.index >= len(replayed):
        return "".join(f"<p>{sentence_html(line)}</p>" for line in _ending(replayed))
    names = player_labels(replayed.hand)
    lines = []
    if view.turn is not None:
        lines.append(view.choice.sentence)
    lines.append(f"Then {describe_action(replayed.hand.actions[view.index], names)}.")
    if view.index >= replayed.played and not replayed.findings_at(view.index):
        lines.append("This is not carried out: the record broke off before.")
    return "".join(f"<p>{sentence_html(line)}</p>" for line in lines)


def _ending(replayed: Replay) -> list[str]:
    if replayed.verdict == Verdict.REJECTED:
        return [f"The record can be followed up to step {replayed.played} and no further."]
    return result_text(replayed) or ["The record ends here."]


def _show_findings(replayed: Replay, found: list[tuple[Finding, int | None]]) -> None:
    st.subheader("Findings")
    if not found:
        st.markdown("None: the hand was played and scored by the rules.")
        if replayed.verdict == Verdict.VALID:
            return
    for number, (finding, step) in enumerate(found):
        st.html(findings.finding_html(finding))
        if step is None:
            st.caption("It shows beside the other hands of the game.")
            findings.show_rules(finding)
        else:
            label = f"Go to step {step}"
            st.button(label, key=f"finding-{number}", on_click=_go, args=(step,))


def _show_auction(replayed: Replay) -> None:
    if not replayed.calls:
        return
    names = player_labels(replayed.hand)
    rows = "".join(
        f"<tr><td>{name_html(names[call.seat])}</td>"
        f"<td>{as_html(call_words(call.verb, call.amount))}</td></tr>"
        for call in replayed.calls
    )
    with st.expander("Auction"):
        st.html(f'<table class="tl-list"><tbody>{rows}</tbody></table>')


def _show_tricks(replayed: Replay) -> None:
    if not replayed.tricks:
        return
    names = player_labels(replayed.hand)
    rows = []
    for trick in replayed.tricks:
        cards = "".join(
            card_html(card, ("winner",) if seat == trick.winner else ())
            for seat, card in trick.plays
        )
        rows.append(
            f"<tr><td>{trick.number}</td><td>{name_html(names[trick.leader])} led</td>"
            f'<td class="tl-small">{cards}</td><td>{trick.points}</td></tr>'
        )
    head = "<tr><th>trick</th><th></th><th>cards</th><th>points</th></tr>"
    with st.expander("Tricks"):
        st.html(
            f'<table class="tl-list"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
        )


def _show_result(replayed: Replay) -> None:
    if replayed.outcome is None:
        return
    lines = "".join(f"<p>{sentence_html(line)}</p>" for line in result_text(replayed))
    with st.expander(f"Result: {title_of(replayed.outcome.result).lower()}"):
        st.html(lines)


show()
