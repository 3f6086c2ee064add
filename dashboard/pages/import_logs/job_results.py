"""How a load or a check ended: its counts, what could not be read, and where to go on."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from tricklog.core.render.sentences import verdict_said
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.jobs import Job, State
from tricklog.dashboard.kit import exports, figures
from tricklog.dashboard.kit.page_parts import lead_to, show_values
from tricklog.dashboard.kit.tables import in_columns, show_table
from tricklog.dashboard.pages.import_logs.sheet_import import on_page, told_on_page
from tricklog.dashboard.sections import merged_players
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import title_of
from tricklog.ingest.store import loads
from tricklog.ingest.store.aliases import SetAside
from tricklog.schemas.languages.messages import Listing, say, say_counted, say_in, translated
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.words import hands_counted, lines_counted

MOST_SHOWN: Final = 100
"""Rows of what was not read, those alike in one, and of warnings."""


def show_end(job: Job) -> None:
    """Show how a job ended: what was loaded or checked, what was not read, and what is next."""
    result, is_check, why = job.result, job.request.dry_run, as_markdown(job.error)
    if job.state == State.CANCELLED:
        stopped = say("The load was stopped. {reason}", reason=why)
        st.info(say("The check was stopped. {reason}", reason=why) if is_check else stopped)
    elif job.state == State.FAILED:
        failed = say("The load did not succeed. {reason}", reason=why)
        st.error(say("The check did not succeed. {reason}", reason=why) if is_check else failed)
    if result and job.request.undo is not None:
        hands, before = hands_counted(result["hands"]), hands_counted(result["before"])
        said = say("The load is undone: {hands}, before {before}.", hands=hands, before=before)
        st.success(said)
    elif result:
        _show_result(result, is_check=is_check)
    _show_rejects(job.rejects)
    if job.warnings:
        # What of hands written as text may not be what was meant.
        st.subheader(say("Perhaps not meant"))
        show_table(
            *in_columns(
                job.warnings,
                (say_in("column of a table", "log"), "file"),
                (say_in("column of a table", "line"), "line"),
                (say_in("column of a table", "column"), "column"),
                (say("what was read"), lambda each: told_on_page(each["message"])),
            ),
            most=MOST_SHOWN,
        )
    if found := result.get("findings"):
        st.subheader(say("Against the rules"))
        show_table(
            *in_columns(
                sorted(found, key=found.__getitem__, reverse=True),
                (say_in("column of a table", "finding"), title_of),
                (say_in("column of a table", "times"), found.__getitem__),
            ),
        )


def _show_result(result: dict[str, Any], *, is_check: bool) -> None:
    if is_check:
        st.success(say("Checked; nothing was changed. A load would do this:"))
    elif result["published"]:
        st.success(say("Loaded. Every page shows the new hands."))
    else:
        st.success(say("Nothing here was new: the warehouse stays as it is."))
    values = {
        say("New hands"): "accepted",
        say("Known already"): "duplicate",
        say("Not readable"): "quarantined",
        say("Blank lines"): "blank",
    }
    show_values((label, number(result[name])) for label, name in values.items())
    lines = lines_counted(result["lines"])
    st.caption(say("Together {lines}, every one accounted for.", lines=lines))
    _say_corrected(result)
    if hands := result.get("forgotten"):
        st.info(
            say(
                "Somebody who was forgotten is named in {hands} of these logs; here they have "
                "another id.",
                hands=hands_counted(hands),
            )
        )
    for each in result.get("set_aside", ()):
        st.warning(as_markdown(merged_players.apart_text(SetAside(**each))))
    if not is_check:
        _show_ways_on(result)
    if verdicts := result["verdicts"]:
        st.subheader(say("The new hands"))
        show_table(
            *in_columns(
                [each for each in figures.MEANINGS if each in verdicts],
                (
                    say_in("column of a table", "verdict"),
                    lambda verdict: str(verdict_said(verdict)).capitalize(),
                ),
                (say_in("column of a table", "hands"), verdicts.__getitem__),
                (
                    say("the hand was or had"),
                    lambda verdict: translated(figures.MEANINGS[verdict]),
                ),
            ),
        )


def _say_corrected(result: dict[str, Any]) -> None:
    """Say what took the place of what was loaded before, of which days, and where that is odd."""
    counted = {
        "corrected": say_counted(
            "{count} hand corrected", "{count} hands corrected", result["corrected"]
        ),
        "taken_out": say_counted(
            "{count} hand taken out that the sheet no longer has",
            "{count} hands taken out that the sheet no longer has",
            result["taken_out"],
        ),
        "completed": say_counted(
            "{count} hand completed whose record was unfinished",
            "{count} hands completed whose records were unfinished",
            result["completed"],
        ),
    }
    if said := [text for name, text in counted.items() if result[name]]:
        st.info(f"{'; '.join(said)}.")
    gave_way: list[dict[str, Any]] = result.get("gave_way", [])
    if not gave_way:
        return
    show_table(
        *in_columns(
            gave_way,
            (say_in("column of a table", "sheet"), "sheet"),
            (say_in("column of a table", "day"), "day"),
            (say("hands replaced or taken out"), "hands"),
            (say("of stored"), "stored"),
            (say_in("column of a table", "players"), lambda each: ", ".join(each["players"])),
        ),
    )
    if emptied := dict.fromkeys(name for each in gave_way for name in each["emptied"]):
        st.warning(
            say(
                "The sheet no longer has all that was loaded of it. What is empty now: {columns}.",
                columns=Listing(list(emptied)),
            )
        )
    if not all(each["is_plain"] or each["emptied"] for each in gave_way):
        st.warning(
            say(
                "The sheet agrees with few of the stored hands of a day: it may be another sheet, "
                "or another evening. Give it a name of its own, or its rows the day, to keep both."
            )
        )


def _show_ways_on(result: dict[str, Any]) -> None:
    """Lead to exactly what came in: its hands, the findings among them, the lines not read."""
    load, new = load_of(result), result["accepted"]
    query = {} if load is None else {urls.LOAD: str(load)}
    with st.container(horizontal=True):
        if new:
            said = say_counted("The {count} new hand", "The {count} new hands", new)
            lead_to(urls.HANDS, said, query)
        if result["findings"] and new:
            lead_to(urls.AUDIT, say("Findings among them"), query)
        if result["quarantined"]:
            lead_to(urls.AUDIT, say("Lines not read"), {urls.VIEW: urls.UNREADABLE, **query})
        if new:
            lead_to(urls.OVERVIEW, say("Overview"))


def load_of(result: dict[str, Any]) -> int | None:
    """Return the number of the load that a job was, nothing where it added nothing."""
    if not result.get("published"):
        return None
    counts = {name: result[name] for name in loads.COUNTS}
    return loads.latest_load(snapshot.connection(), counts)


def _show_rejects(rejects: list[dict[str, Any]]) -> None:
    if not rejects:
        return
    st.subheader(say("Lines that could not be used"))
    alike: dict[tuple[str, ...], list[int]] = {}
    for each in rejects:
        said = f"{title_of(each['code'])}: {each['message']}"
        alike.setdefault((each["file"], said, on_page(each["hint"])), []).append(each["line"])

    def where(lines: list[int]) -> str:
        first, last = lines[0], lines[-1]
        return str(first) if first == last else say("{first} to {last}", first=first, last=last)

    show_table(
        *in_columns(
            alike.items(),
            (say_in("column of a table", "log"), lambda each: each[0][0]),
            (say_in("column of a table", "line"), lambda each: where(each[1])),
            (say_in("column of a table", "lines"), lambda each: len(each[1])),
            (say("what is wrong"), lambda each: each[0][1]),
            (say("what to do"), lambda each: each[0][2]),
        ),
        name=say("Lines that could not be used"),
        most=MOST_SHOWN,
    )
    heads = ("file", "line", "byte", "code", "pointer", "message", "hint")
    st.download_button(
        say("Save them as CSV"),
        exports.as_csv(heads, ([each[name] for name in heads] for each in rejects)),
        "lines.csv",
        exports.CSV,
        on_click="ignore",
    )
