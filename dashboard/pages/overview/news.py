"""What is new: the last evening, the records it set, and the answers it changed."""

from __future__ import annotations

from datetime import date
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.sections import answers, chances
from tricklog.dashboard.text.escaping import as_html, sentence_html
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.sessions import evening as sessions
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.records import records
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import day_text, short_day

MOST_RECORDS: Final = 3
MOST_CHANGES: Final = 4


def show_news(facts: DuckDBPyConnection) -> None:
    """Say what the last evening brought; nothing where no hand has a day."""
    days = snapshot.kept(sessions.evenings, facts)["day"].to_list()
    if not days:
        return
    last = days[-1]
    before = days[-2] if len(days) > 1 else None
    since = say("New since {day}", day=short_day(before)) if before else say_in("news", "New")
    season = Filters(since=date(last.year, 1, 1), until=last)
    evening = snapshot.kept(sessions.evening_of, facts, last, EVERYTHING, season=season)
    if evening is None:
        return
    st.subheader(since)
    names, titles = snapshot.names(), snapshot.titles()
    about = ", ".join(words.about(evening)[:3])
    address = as_html(addresses.of_evening(last))
    link = f'<a class="tl-link" href="{address}">{day_text(last)}</a>'
    said = [f"{link}: {as_html(about)}. {sentence_html(words.headline(evening, names))}"]
    new = [each for each in snapshot.kept(records, facts, season) if words.is_new(each, last)]
    said += [
        sentence_html(words.new_record_text(each, titles.get(each.variant, each.variant), names))
        for each in new[:MOST_RECORDS]
    ]
    if len(new) > MOST_RECORDS:
        more = len(new) - MOST_RECORDS
        said.append(
            say_counted("{count} more record was set.", "{count} more records were set.", more)
        )
    if snapshot.totals()["hands"] <= answers.MOST_LOOKED_BACK:
        said += map(sentence_html, chances.of_evening(evening)[1][:1])
    changed = answers.changed_answers(facts, before) if before else None
    if changed is not None:
        said += changed[:MOST_CHANGES]
        if len(changed) > MOST_CHANGES:
            more = len(changed) - MOST_CHANGES
            said.append(
                say_counted(
                    "{count} more answer has changed.", "{count} more answers have changed.", more
                )
            )
    st.html(f'<ul class="tl-news">{"".join(f"<li>{each}</li>" for each in said)}</ul>')
