"""Import: logs dropped onto the page, or below a folder named at start, checked first or loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st

from dashboard import exports, figures, folders, jobs, launch, snapshot, uploads, urls
from dashboard.escaping import as_markdown
from dashboard.jobs import Job, Request, State
from dashboard.labels import counted, title_of
from dashboard.tables import show_table
from ingest.adapters import ADAPTERS
from ingest.reading import samples

# The session keeps under this key the job that the viewer started last.
JOB: Final = "import-job"
MOST_SHOWN: Final = 100
# Seconds between two looks at a job that runs.
EVERY: Final = 0.5
_OWN: Final = "tricklog"


def show() -> None:
    """Show what to load, and how the last load went."""
    st.header("Import")
    st.caption(
        "Hands you have already are not added twice. What cannot be read is reported line by line "
        "and kept aside."
    )
    job: Job | None = st.session_state.get(JOB)
    _choose(is_running=job is not None and job.state == State.RUNNING)
    if job is None:
        return
    if job.state == State.RUNNING:
        _watch()
    else:
        _show_end(job)


def _choose(*, is_running: bool) -> None:
    files = st.file_uploader(
        "Logs",
        type=list(uploads.TYPES),
        accept_multiple_files=True,
        key="import-files",
        help="One hand a line, as .jsonl, also compressed as .gz or .zst. Several files may be one "
        "game.",
    )
    readable = launch.log_folders(sys.argv[1:])
    left, right = st.columns(2)
    with left:
        path = _path_box(readable)
    adapter = right.selectbox(
        "Written by",
        [_OWN, *ADAPTERS],
        format_func=_adapter_words,
        key="import-adapter",
        help="Logs of other programs are turned into hand logs first. What they leave open stays "
        "open.",
    )
    with st.container(horizontal=True):
        check = st.button("Check only", disabled=is_running)
        load = st.button("Load", type="primary", disabled=is_running)
        sample = st.button("Load the samples", type="tertiary", disabled=is_running)
    if sample:
        _start(Request(snapshot.folder(), path=samples.samples_folder()))
    if not (check or load):
        return
    if not files and not path:
        st.warning("There is nothing to load yet. Choose logs first.")
        return
    try:
        place = folders.allowed_path(path, readable) if path else None
    except folders.RefusedPathError as error:
        st.error(as_markdown(str(error)))
        return
    chosen = None if adapter == _OWN else adapter
    _start(Request(snapshot.folder(), tuple(files), place, chosen, dry_run=check))


def _path_box(readable: Sequence[Path]) -> str:
    """Ask for a path, where there are folders to read; return it, or else nothing."""
    if not readable:
        st.caption(
            "To load logs from where they are on this machine, start the dashboard with "
            "`tricklog dashboard --logs FOLDER`."
        )
        return ""
    places = " or ".join(as_markdown(str(each)) for each in readable)
    return st.text_input(
        "Or a file or folder of this machine",
        key="import-path",
        placeholder=". for all of it",
        help=f"Below {places}. In a folder, every .jsonl and .ndjson file is read, also "
        "compressed.",
    ).strip()


def _adapter_words(name: str) -> str:
    return (
        "Tricklog, or any program that writes its format"
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
    st.progress(share, f"{'Checking' if job.request.dry_run else 'Loading'}: {words}")
    st.button("Stop", on_click=job.cancel, help="The warehouse stays as it is.")


def _progress_of(told: dict[str, Any]) -> tuple[float, str]:
    """Return how much of a job is done, of its stage where no more is known, and where it is."""
    total = told.get("total")
    share = told.get("share")
    if share is None:
        share = min(1.0, told["done"] / total) if total else 0.0
    words = [told.get("stage", "starting")]
    if told.get("lines"):
        words.append(counted(told["lines"], "line"))
    if told.get("hands"):
        words.append(counted(told["hands"], "hand"))
    return share, ", ".join(words)


def _show_end(job: Job) -> None:
    what = "The check" if job.request.dry_run else "The load"
    if job.state == State.CANCELLED:
        st.info(f"{what} was stopped. {as_markdown(job.error)}")
    elif job.state == State.FAILED:
        st.error(f"{what} did not succeed. {as_markdown(job.error)}")
    if job.converted:
        told = job.converted
        st.caption(
            f"{counted(told['records'], 'record')} of another program: {told['converted']:,} "
            f"turned into {counted(told['hands'], 'hand')}, {told['rejected']:,} refused."
        )
    if job.result:
        _show_result(job)
    _show_rejects(job)
    if job.result.get("findings"):
        st.subheader("Against the rules")
        found = sorted(job.result["findings"].items(), key=lambda each: -each[1])
        show_table(["finding", "times"], [(title_of(code), count) for code, count in found])


def _show_result(job: Job) -> None:
    result, dry = job.result, job.request.dry_run
    if dry:
        st.success("Checked; nothing was changed. A load would do this:")
    elif result["published"]:
        st.success("Loaded. Every page shows the new hands.")
    else:
        st.success("Nothing here was new: the warehouse stays as it is.")
    with st.container(horizontal=True):
        for label, value in (
            ("New hands", result["accepted"]),
            ("Known already", result["duplicate"]),
            ("Not readable", result["quarantined"]),
            ("Blank lines", result["blank"]),
        ):
            st.metric(label, f"{value:,}", border=True, width=160)
    st.caption(f"Together {counted(result['lines'], 'line')}, every one accounted for.")
    if not dry:
        _show_ways_on(job)
    if result["verdicts"]:
        st.subheader("The new hands")
        show_table(
            ["verdict", "hands", "the hand was or had"],
            [
                (verdict.value.capitalize(), result["verdicts"][verdict], meaning)
                for verdict, meaning in figures.MEANINGS.items()
                if verdict in result["verdicts"]
            ],
        )


def _show_ways_on(job: Job) -> None:
    with st.container(horizontal=True):
        if job.result["accepted"]:
            st.page_link(urls.OVERVIEW, label=":blue[Overview]")
            st.page_link(urls.HANDS, label=":blue[All hands]")
        if job.result["findings"] or job.result["quarantined"]:
            st.page_link(urls.AUDIT, label=":blue[What the audit found]")


def _show_rejects(job: Job) -> None:
    rejects = job.rejects
    if not rejects:
        return
    st.subheader("Lines that could not be used")
    show_table(
        ["log", "line", "byte", "what is wrong", "what to do"],
        [
            (
                each["file"],
                each["line"],
                each["byte"],
                f"{title_of(each['code'])}: {each['message']}",
                each["hint"],
            )
            for each in rejects[:MOST_SHOWN]
        ],
    )
    if len(rejects) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} of {len(rejects):,}.")
    heads = ("file", "line", "byte", "code", "pointer", "message", "hint")
    st.download_button(
        "Save them as CSV",
        exports.as_csv(heads, ([each[name] for name in heads] for each in rejects)),
        "lines.csv",
        exports.CSV,
        on_click="ignore",
    )


show()
