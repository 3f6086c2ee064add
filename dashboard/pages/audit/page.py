"""Audit: was it legal, what was not, and by which rule; and the lines that could not be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Replay, Verdict
from tricklog.core.render.sentences import moment_of, verdict_said
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import addresses, exports, figures
from tricklog.dashboard.kit.choices import choose_beside, choose_or_not, find_text
from tricklog.dashboard.kit.drilldown import Wanted, choose_load
from tricklog.dashboard.kit.exports import MOST_ROWS
from tricklog.dashboard.kit.figures import MEANINGS, Figure
from tricklog.dashboard.kit.page_parts import first_row, lead_to, offer_parts, refusals_said
from tricklog.dashboard.pages.audit.expected import expected, logged
from tricklog.dashboard.text import findings
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html, sentence_html
from tricklog.dashboard.text.labels import short_name, title_of
from tricklog.ingest.metrics import DIMENSION, listings
from tricklog.ingest.reading.rejects import Reject, printable
from tricklog.ingest.store import quarantine
from tricklog.ingest.store.warehouse import RecordError
from tricklog.schemas.languages.current import ENGLISH, in_language
from tricklog.schemas.languages.messages import (
    message,
    message_in,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import number, plain_day

PAGE: Final = 20
FIRST_HANDS: Final = 12
# Bytes of a line that are shown.
LONGEST_LINE: Final = 4_000
FINDINGS, COUNTS = "findings", "counts"
_VIEWS: Final = {
    FINDINGS: message_in("a view of the audit", "findings"),
    COUNTS: message_in("a view of the audit", "counts"),
    urls.UNREADABLE: message_in("a view of the audit", "unreadable lines"),
}
_COUNTED_BY: Final = {
    Figure("findings", "code", order="value"): message("Kinds of findings"),
    Figure("fault-rate", "player", order="value"): message("Who makes mistakes"),
    Figure("valid-rate", "source", order="n"): message("How well each log is kept"),
    Figure("findings", "rule", order="value"): message("Rules that are broken"),
}
_SAVED: Final = (
    *("hand_id", "game", "hand", "day", "log", "line", "variant", "verdict", "finding"),
    *("seen_from", "action", "pointer", "seat", "player", "sentence", "by_the_rules"),
    *("rules", "facts"),
)
"""Columns of the download."""
_STORED: Final = {
    "log": "file",
    "finding": "code",
    "seen_from": "scope",
    "sentence": "message",
    "rules": "rule",
}
"""Where the database has another name for a column."""


@refusals_said()
def show() -> None:
    """Show what the audit found, filtered as the URL says."""
    st.header(say("Audit"))
    facts = snapshot.facts()
    chosen = filters.choose(facts)
    parameters.knows("find", "finding", "trouble", urls.PART)
    load = choose_load()
    words = _VIEWS.__getitem__
    view = choose_beside(say_in("what is seen", "View"), urls.VIEW, _VIEWS, words, hides_label=True)
    if view == COUNTS:
        if load is not None:
            st.caption(say("These figures are of all loads."))
        for figure, title in _COUNTED_BY.items():
            figures.heading(figure.metric, title)
            figure.show(facts, chosen)
    elif view == urls.UNREADABLE:
        _show_lines(load)
    else:
        _show_findings(facts, chosen, load)


# --- Findings


def _show_findings(facts: DuckDBPyConnection, chosen: Chosen, load: int | None) -> None:
    left, right = st.columns(2)
    with left:
        text = find_text() or None
    with right:
        codes = listings.values(facts, DIMENSION["code"])
        code = choose_or_not(say("Finding"), "finding", codes, title_of, say("Every kind"))
    _show_verdicts(facts, chosen, {"text": text, "load": load, "code": None})
    wanted = chosen.filters.also("code", code) if code else chosen.filters
    total = listings.finding_count(facts, wanted, text=text, load=load)
    if not total:
        st.markdown(say("No findings: nothing here was against the rules."))
        return
    found = partial(listings.finding_list, facts, wanted, text=text, load=load)
    rows = found(limit=PAGE, offset=first_row(total, PAGE))
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.caption(
            say_counted(
                "{count} finding, those of the latest hands first.",
                "{count} findings, those of the latest hands first.",
                total,
            )
        )
        _offer("findings", total, lambda: [*map(_export_row, found(limit=MOST_ROWS).to_dicts())])
    for place, row in enumerate(rows.to_dicts()):
        _show_finding(row, f"finding-{place}")
    offer_parts(total, PAGE)


def _show_verdicts(facts: DuckDBPyConnection, chosen: Chosen, named: Wanted) -> None:
    """Say how many of the hands are in order; of few hands, say it of each."""
    total = listings.hand_count(facts, chosen.filters, **named)
    if not total:
        st.info(say("No hand matches. Remove a filter, or look for less."))
        return
    if total > FIRST_HANDS:
        valid = Verdict.VALID.value
        verdicts = chosen.filters.values("verdict")
        in_order = chosen.filters.also("verdict", valid)
        fits = not verdicts or valid in verdicts
        legal = listings.hand_count(facts, in_order, **named) if fits else 0
        values = {
            "legal": number(legal),
            "hands": say_counted("{count} hand", "{count} hands", total),
            "meaning": translated(MEANINGS[Verdict.VALID]),
        }
        one = say("**{legal} of {hands}** is in order: {meaning}.", **values)
        more = say("**{legal} of {hands}** are in order: {meaning}.", **values)
        st.markdown(one if legal == 1 else more)
        return
    for row in listings.hand_list(facts, chosen.filters, **named).to_dicts():
        verdict, hand_id = Verdict(row["verdict"]), row["hand_id"]
        said = as_html(str(verdict_said(verdict)))
        where = ", ".join([hand_id, *([plain_day(row["day"])] if row["day"] else [])])
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f'<span class="tl-verdict tl-{verdict}">{said}</span> '
                f"{as_html(translated(MEANINGS[verdict]))}",
                width="content",
            )
            lead_to(urls.STEPS, as_markdown(where), urls.to_step(hand_id))
            if game := row["game"]:
                said = say("game {game}", game=as_markdown(game))
                lead_to(urls.GAMES, said, urls.to_game(game))


def _show_finding(row: dict[str, Any], key: str) -> None:
    replayed: Replay | None = None
    # What is stored of a hand may make no record.
    with suppress(LookupError, RecordError):
        replayed = snapshot.replayed_hand(row["hand_id"])
    (finding,) = findings.in_language(snapshot.connection(), [findings.of_row(row)], replayed)
    step = moment_of(finding, replayed) if replayed else finding.action
    where = [name_html(snapshot.titles()[row["variant"]])]
    if row["game"]:
        where.append(say("game {game}", game=addresses.game_html(row["game"])))
    if row["hand"] is not None:
        where.append(say("hand {hand}", hand=row["hand"]))
    if row["day"]:
        where.append(plain_day(row["day"]))
    with st.container(border=True, gap="xsmall", key=key):
        st.html(findings.finding_html(finding))
        actions = replayed.hand.actions if replayed else ()
        columns = {
            say("In the log"): logged(finding, actions, row["players"]),
            say("By the rules"): expected(finding, row["players"]),
        }
        told = "".join(
            f"<dt>{as_html(head)}</dt><dd><bdi>{sentence_html(text)}</bdi></dd>"
            for head, text in columns.items()
            if text
        )
        st.html(f'<dl class="tl-against">{told}</dl>')
        said = f"{as_markdown(row['hand_id'])}, {findings.place_words_within(step)}"
        lead_to(urls.STEPS, said, urls.to_step(row["hand_id"], step or 0))
        where.append(_log_html(row["file"], row["line"]))
        st.html(f'<p class="tl-where">{" · ".join(where)}</p>')
        findings.show_rules(finding)


def _offer(name: str, total: int, rows: Callable[[], list[dict[str, Any]]]) -> None:
    """Offer rows as CSV and as JSON, made when somebody takes them, and say if not all fit in."""

    def cell(value: object) -> object:
        return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value

    def as_csv() -> bytes:
        found = rows()
        return exports.as_csv(list(found[0]), (map(cell, row.values()) for row in found))

    kinds = (
        ("CSV", as_csv, exports.CSV),
        ("JSON", lambda: exports.as_json(rows()), exports.JSON),
    )
    with st.container(horizontal=True, width="content"):
        for kind, made, mime in kinds:
            st.download_button(
                say("Save the first {rows} as {kind}", rows=number(MOST_ROWS), kind=kind)
                if total > MOST_ROWS
                else say("Save as {kind}", kind=kind),
                made,
                f"{name}.{kind.lower()}",
                mime,
                key=f"{name}-{kind}",
                on_click="ignore",
            )


def _export_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a finding as a program reads it, in English."""
    finding = findings.of_row(row)
    with in_language(ENGLISH):
        told = row | {"facts": finding.facts, "by_the_rules": expected(finding, row["players"])}
    return {name: told[_STORED.get(name, name)] for name in _SAVED}


# --- Lines that could not be read


def _show_lines(load: int | None) -> None:
    connection = snapshot.connection()
    counts = dict(quarantine.codes(connection, load).select("code", "lines").iter_rows())
    if not counts:
        st.markdown(say("None: every line of the logs could be read."))
        return
    code = choose_or_not(say("What was wrong"), "trouble", counts, title_of, say("Anything"))
    total = counts[code] if code else sum(counts.values())
    found = partial(quarantine.lines, connection, code=code, load=load)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.caption(
            say_counted(
                "{count} line kept aside, by log and line.",
                "{count} lines kept aside, by log and line.",
                total,
            )
        )
        _offer("lines", total, lambda: [*map(_line_row, found(limit=MOST_ROWS))])
    for reject in found(limit=PAGE, offset=first_row(total, PAGE)):
        place = f" {say('at {pointer}', pointer=reject.pointer)}" if reject.pointer else ""
        byte = f", {say('byte {number}', number=reject.byte)}" if reject.has_byte else ""
        with st.container(border=True, gap="xsmall"):
            st.html(
                f'<div class="tl-finding"><b>{as_html(title_of(reject.code))}.</b> '
                f"{as_html(reject.message)}</div>"
            )
            st.html(f'<p class="tl-where">{_log_html(reject.file, reject.line, byte + place)}</p>')
            st.markdown(as_markdown(reject.hint))
            if reject.text:
                with st.expander(say("The line as it was read")):
                    more = "…" if len(reject.text) > LONGEST_LINE else ""
                    st.code(_text_of(reject) + more, language=None, wrap_lines=True)
    offer_parts(total, PAGE)


def _log_html(file: str, line: int, more: str = "") -> str:
    said = name_html(f"{short_name(file)}:{line}{more}")
    return f'<span title="{as_html(file)}">{said}</span>'


def _text_of(reject: Reject) -> str:
    return printable(reject.text[:LONGEST_LINE].decode("utf-8", "backslashreplace"))


def _line_row(reject: Reject) -> dict[str, Any]:
    names = ("file", "line", "byte", "code", "pointer", "message", "hint")
    return {**{name: getattr(reject, name) for name in names}, "text": _text_of(reject)}


show()
