"""Import: logs dropped onto the page, or below a folder named at start, checked first or loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import streamlit as st

from dashboard import (
    exports,
    figures,
    folders,
    followed,
    jobs,
    launch,
    merged_players,
    sheet_hints,
    sheet_import,
    snapshot,
    uploads,
    urls,
)
from dashboard.escaping import as_markdown
from dashboard.jobs import Job, Request, State
from dashboard.labels import short_names, title_of
from dashboard.tables import show_table
from ingest.adapters import ADAPTERS
from ingest.adapters.recognising import Recognised, recognise_logs, taken_together
from ingest.reading import samples
from ingest.reading.sources import Source
from ingest.store import loads
from ingest.store.aliases import SetAside
from replay.render.sentences import verdict_said
from schemas.languages.messages import (
    Message,
    either,
    message_counted,
    say,
    say_counted,
    say_in,
    translated,
)
from schemas.languages.numbers import number
from schemas.words import hands_counted

# The session keeps under this key the job that the viewer started last.
JOB: Final = "import-job"
MOST_SHOWN: Final = 100
# Seconds between two looks at a job that runs.
EVERY: Final = 0.5
_OWN: Final = "tricklog"
_ADAPTER: Final = "import-adapter"
_RECOGNISED: Final = "import-recognised"


def show() -> None:
    """Show what to load, and how the last load went."""
    st.header(say("Import"))
    st.caption(
        say(
            "Hands you have already are not added twice. What cannot be read is reported line by "
            "line and kept aside."
        )
    )
    job: Job | None = st.session_state.get(JOB)
    _choose(is_running=job is not None and job.state == State.RUNNING)
    if job is None:
        followed.show()
        return
    if job.state == State.RUNNING:
        _watch()
    else:
        _show_end(job)


def _choose(*, is_running: bool) -> None:
    files = st.file_uploader(
        say("Logs"),
        type=list(uploads.TYPES),
        accept_multiple_files=True,
        key="import-files",
        help=say(
            "Hand logs, as .jsonl or .json, and hands written as text, as .trick; also compressed "
            "as .gz or .zst. Several files may be one game. Score sheets, as .csv, .tsv, .xlsx or "
            ".ods."
        ),
    )
    if files and sheet_import.are_sheets(files):
        _choose_sheet(files, is_running=is_running)
        return
    readable = launch.log_folders(sys.argv[1:])
    left, right = st.columns(2)
    with left:
        path = _path_box(readable)
        sheet = None if files else _sheet_below(path, readable)
    if sheet is not None:
        _choose_sheet([sheet], is_running=is_running)
        return
    recognised = _recognised(files, path, readable)
    adapter = right.selectbox(
        say("Written by"),
        [_OWN, *ADAPTERS],
        format_func=_adapter_words,
        key=_ADAPTER,
        help=say(
            "Logs of other programs are turned into hand logs first. What they leave open stays "
            "open."
        ),
    )
    if recognised:
        _say_recognised(recognised, adapter)
    with st.container(horizontal=True):
        check = st.button(say("Check only"), disabled=is_running)
        load = st.button(say_in("a button", "Load"), type="primary", disabled=is_running)
        sample = st.button(say("Load the samples"), type="tertiary", disabled=is_running)
    if sample:
        _start(Request(snapshot.warehouse().address, path=samples.samples_folder()))
    if not (check or load):
        return
    if not files and not path:
        st.warning(say("There is nothing to load yet. Choose logs first."))
        return
    try:
        place = folders.allowed_path(path, readable) if path else None
    except folders.RefusedPathError as error:
        st.error(as_markdown(str(error)))
        return
    chosen = None if adapter == _OWN else adapter
    _start(Request(snapshot.warehouse().address, tuple(files), place, chosen, dry_run=check))


def _choose_sheet(files: Sequence[Any], *, is_running: bool) -> None:
    """Ask how score sheets are read, and load them so."""
    settings = sheet_import.choose(files)
    is_off = is_running or settings is None
    correct = st.checkbox(
        say("Correct what was loaded of it before"),
        key="sheet-correct",
        disabled=is_off,
        help=say(
            "Rows that you have changed since take the place of those in the warehouse, and hands "
            "that the sheet no longer has are taken out. Without it they stay, and you are told. "
            "Check first: that says what would be corrected."
        ),
    )
    with st.container(horizontal=True):
        check = st.button(say("Check only"), disabled=is_off)
        load = st.button(say_in("a button", "Load"), type="primary", disabled=is_off)
    if settings is None or not (check or load):
        return
    if load:
        sheet_import.keep(files, settings)
    request = Request(snapshot.warehouse().address, sheet=settings, correct=correct, dry_run=check)
    local = [each.path for each in files if isinstance(each, sheet_import.LocalSheet)]
    sent = {"path": local[0]} if local else {"uploads": tuple(files)}
    _start(replace(request, **sent))


def _sheet_below(path: str, readable: Sequence[Path]) -> sheet_import.LocalSheet | None:
    """Return the score sheet that a path of this machine names, or that is chosen in its folder."""
    try:
        place = folders.allowed_path(path, readable) if path else None
    except folders.RefusedPathError:
        # The page says why when it is to be loaded.
        return None
    sheets = sheet_import.sheets_below(place) if place else []
    if place is None or not sheets or place.is_file():
        return sheet_import.LocalSheet(sheets[0]) if sheets else None
    chosen = st.selectbox(
        say("Or a score sheet in it"),
        [None, *sheets],
        format_func=lambda each: each.name if each else say("None: its logs"),
        key="import-sheet",
    )
    if chosen is None:
        return None
    try:
        return sheet_import.LocalSheet(folders.allowed_path(str(chosen), readable))
    except folders.RefusedPathError as error:
        st.error(as_markdown(str(error)))
        return None


def _recognised(files: Sequence[Any], path: str, readable: Sequence[Path]) -> dict[str, Recognised]:
    """Return what the chosen logs look like, by name; what that is is chosen below, once."""
    chosen = (tuple(each.file_id for each in files), path)
    known, found = st.session_state.get(_RECOGNISED, (((), ""), {}))
    if chosen == known:
        return dict(found)
    places: list[Path | Source] = [uploads.as_source(each, each.size) for each in files]
    with suppress(folders.RefusedPathError):
        places += [folders.allowed_path(path, readable)] if path else []
    found = recognise_logs(*places)
    st.session_state[_RECOGNISED] = (chosen, found)
    together = taken_together(found.values())
    if together:
        st.session_state[_ADAPTER] = together.adapter.name if together.adapter else _OWN
    return found


def _say_recognised(found: dict[str, Recognised], adapter: str) -> None:
    """Say whose logs they look like, and what follows from that."""
    together = taken_together(found.values())
    if together is None:
        _say_different(found)
        return
    looks_like = together.adapter.name if together.adapter else _OWN
    text = as_markdown(together.sentence)
    if together.is_mixed:
        st.warning(
            say(
                "{found} Load the two kinds apart: an adapter refuses hands of Tricklog’s own "
                "format.",
                found=text,
            )
        )
    elif together.adapter is None and not together.is_own:
        st.warning(text)
    elif looks_like != adapter:
        st.warning(say("{found} Something else is chosen as “Written by”.", found=text))
    elif together.adapter is None:
        st.caption(text)
    else:
        st.info(
            say("{found} It is chosen as “Written by”; change it if that is wrong.", found=text)
        )


def _say_different(found: dict[str, Recognised]) -> None:
    kinds: dict[str, list[str]] = {}
    for name, each in found.items():
        if each.records:
            kinds.setdefault(_kind_words(each), []).append(name)
    if kinds:
        listed = "; ".join(
            f"{kind}: {', '.join(map(as_markdown, short_names(names).values()))}"
            for kind, names in kinds.items()
        )
        st.warning(
            say("These logs are not of one kind. Load each kind apart. {kinds}.", kinds=listed)
        )


def _kind_words(found: Recognised) -> str:
    if found.adapter:
        return as_markdown(found.adapter.program)
    if found.is_own:
        return say("Tricklog’s own format")
    return say_in("a kind of logs", "not known")


def _path_box(readable: Sequence[Path]) -> str:
    """Ask for a path, where there are folders to read; return it, or else nothing."""
    if not readable:
        st.caption(
            say(
                "To load logs from where they are on this machine, start the dashboard with "
                "`tricklog dashboard --logs FOLDER`."
            )
        )
        return ""
    places = either([as_markdown(str(each)) for each in readable], commas=False)
    return st.text_input(
        say("Or a file or folder of this machine"),
        key="import-path",
        placeholder=say(". for all of it"),
        help=say(
            "Below {folders}. In a folder, every .jsonl, .ndjson and .trick file is read, also "
            "compressed; of score sheets you choose one.",
            folders=places,
        ),
    ).strip()


def _adapter_words(name: str) -> str:
    return (
        say("Tricklog, or any program that writes its format")
        if name == _OWN
        else ADAPTERS[name].program
    )


def _start(request: Request) -> None:
    try:
        st.session_state[JOB] = jobs.start(request)
    except jobs.NotStartedError as error:
        st.error(as_markdown(str(error)))
        return
    st.rerun()


@st.fragment(run_every=EVERY)
def _watch() -> None:
    """Show how far the job is, until it ends."""
    job: Job = st.session_state[JOB]
    if job.state != State.RUNNING:
        st.rerun()
    told = job.progress
    share, words = _progress_of(told)
    said = (
        say("Checking: {progress}", progress=words)
        if job.request.dry_run
        else say("Loading: {progress}", progress=words)
    )
    st.progress(share, said)
    st.button(
        say_in("a button", "Stop"), on_click=job.cancel, help=say("The warehouse stays as it is.")
    )


def _progress_of(told: dict[str, Any]) -> tuple[float, str]:
    """Return how much of a job is done, of its stage where no more is known, and where it is."""
    total = told.get("total")
    share = told.get("share")
    if share is None:
        share = min(1.0, told["done"] / total) if total else 0.0
    stage = told.get("stage")
    words = [translated(stage) if stage else say("starting")]
    if told.get("lines"):
        words.append(str(_lines_counted(told["lines"])))
    if told.get("hands"):
        words.append(str(hands_counted(told["hands"])))
    return share, ", ".join(words)


def _lines_counted(count: int) -> Message:
    return message_counted("{count} line", "{count} lines", count)


def _show_end(job: Job) -> None:
    is_check, why = job.request.dry_run, as_markdown(job.error)
    if job.state == State.CANCELLED:
        st.info(
            say("The check was stopped. {reason}", reason=why)
            if is_check
            else say("The load was stopped. {reason}", reason=why)
        )
    elif job.state == State.FAILED:
        st.error(
            say("The check did not succeed. {reason}", reason=why)
            if is_check
            else say("The load did not succeed. {reason}", reason=why)
        )
    if job.result:
        _show_result(job)
    _show_rejects(job)
    _show_warnings(job)
    if job.result.get("findings"):
        st.subheader(say("Against the rules"))
        found = sorted(job.result["findings"].items(), key=lambda each: -each[1])
        heads = [say_in("column of a table", "finding"), say_in("column of a table", "times")]
        show_table(heads, [(title_of(code), count) for code, count in found])


def _show_result(job: Job) -> None:
    result, dry = job.result, job.request.dry_run
    if dry:
        st.success(say("Checked; nothing was changed. A load would do this:"))
    elif result["published"]:
        st.success(say("Loaded. Every page shows the new hands."))
    else:
        st.success(say("Nothing here was new: the warehouse stays as it is."))
    with st.container(horizontal=True):
        for label, value in (
            (say("New hands"), result["accepted"]),
            (say("Known already"), result["duplicate"]),
            (say("Not readable"), result["quarantined"]),
            (say("Blank lines"), result["blank"]),
        ):
            st.metric(label, number(value), border=True, width=160)
    lines = _lines_counted(result["lines"])
    st.caption(say("Together {lines}, every one accounted for.", lines=lines))
    _say_corrected(result)
    _say_forgotten(result)
    for each in result.get("set_aside", ()):
        st.warning(as_markdown(merged_players.apart_text(SetAside(**each))))
    if not dry:
        _show_ways_on(job)
    if result["verdicts"]:
        st.subheader(say("The new hands"))
        show_table(
            [
                say_in("column of a table", "verdict"),
                say_in("column of a table", "hands"),
                say("the hand was or had"),
            ],
            [
                (
                    str(verdict_said(verdict)).capitalize(),
                    result["verdicts"][verdict],
                    translated(meaning),
                )
                for verdict, meaning in figures.MEANINGS.items()
                if verdict in result["verdicts"]
            ],
        )


def _say_corrected(result: dict[str, Any]) -> None:
    """Say what took the place of what was loaded of a sheet before."""
    said = []
    if result["corrected"]:
        said.append(
            say_counted("{count} hand corrected", "{count} hands corrected", result["corrected"])
        )
    if result["taken_out"]:
        said.append(
            say_counted(
                "{count} hand taken out that the sheet no longer has",
                "{count} hands taken out that the sheet no longer has",
                result["taken_out"],
            )
        )
    if said:
        st.info(f"{'; '.join(said)}.")


def _say_forgotten(result: dict[str, Any]) -> None:
    """Say that logs named somebody who was forgotten."""
    if hands := result.get("forgotten"):
        st.info(
            say(
                "Somebody who was forgotten is named in {hands} of these logs; here they have "
                "another id.",
                hands=hands_counted(hands),
            )
        )


def _show_ways_on(job: Job) -> None:
    """Lead to exactly what came in: its hands, the findings among them, the lines not read."""
    result = job.result
    load = _load_of(result)
    query = {urls.LOAD: str(load)} if load is not None else {}
    with st.container(horizontal=True):
        if result["accepted"]:
            said = say_counted("The {count} new hand", "The {count} new hands", result["accepted"])
            st.page_link(urls.HANDS, label=f":blue[{said}]", query_params=query)
        if result["findings"] and result["accepted"]:
            said = say("Findings among them")
            st.page_link(urls.AUDIT, label=f":blue[{said}]", query_params=query)
        if result["quarantined"]:
            unread = {urls.VIEW: urls.UNREADABLE, **query}
            said = say("Lines not read")
            st.page_link(urls.AUDIT, label=f":blue[{said}]", query_params=unread)
        if result["accepted"]:
            said = say("Overview")
            st.page_link(urls.OVERVIEW, label=f":blue[{said}]")


def _load_of(result: dict[str, Any]) -> int | None:
    """Return the number of the load that a job was, nothing where it added nothing."""
    if not result["published"]:
        return None
    counts = {name: result[name] for name in loads.COUNTS}
    return loads.latest_load(snapshot.connection(), counts)


def _show_warnings(job: Job) -> None:
    """Show what of hands written as text may not be what was meant."""
    if not job.warnings:
        return
    st.subheader(say("Perhaps not meant"))
    show_table(
        [
            say_in("column of a table", "log"),
            say_in("column of a table", "line"),
            say_in("column of a table", "column"),
            say("what was read"),
        ],
        [
            (
                each["file"],
                each["line"],
                each["column"],
                sheet_hints.told_on_page(each["message"]),
            )
            for each in job.warnings[:MOST_SHOWN]
        ],
    )
    if len(job.warnings) > MOST_SHOWN:
        st.caption(_first_of(len(job.warnings)))


def _first_of(count: int) -> str:
    return say("The first {shown} of {all}.", shown=MOST_SHOWN, all=number(count))


def _show_rejects(job: Job) -> None:
    rejects = job.rejects
    if not rejects:
        return
    st.subheader(say("Lines that could not be used"))
    show_table(
        [
            say_in("column of a table", "log"),
            say_in("column of a table", "line"),
            say_in("column of a table", "byte"),
            say("what is wrong"),
            say("what to do"),
        ],
        [
            (
                each["file"],
                each["line"],
                "" if each["byte"] is None else each["byte"],
                f"{title_of(each['code'])}: {each['message']}",
                sheet_hints.on_page(each["hint"]),
            )
            for each in rejects[:MOST_SHOWN]
        ],
    )
    if len(rejects) > MOST_SHOWN:
        st.caption(_first_of(len(rejects)))
    heads = ("file", "line", "byte", "code", "pointer", "message", "hint")
    st.download_button(
        say("Save them as CSV"),
        exports.as_csv(heads, ([each[name] for name in heads] for each in rejects)),
        "lines.csv",
        exports.CSV,
        on_click="ignore",
    )


show()
