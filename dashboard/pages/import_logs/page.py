"""Import: logs dropped onto the page, or below a folder named at start, checked first or loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import streamlit as st

from tricklog.dashboard.data import jobs, launch, snapshot, uploads
from tricklog.dashboard.data.jobs import Job, Request, State
from tricklog.dashboard.pages.import_logs import followed, job_results, sheet_import
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import short_names
from tricklog.ingest.adapters import ADAPTERS
from tricklog.ingest.adapters.recognising import Recognised, recognise_logs, taken_together
from tricklog.ingest.reading import samples
from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.schemas.languages.messages import either, say, say_in, translated
from tricklog.schemas.words import hands_counted, lines_counted

# The session keeps under this key the job that the viewer started last.
JOB: Final = "import-job"
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
    elif job.state == State.RUNNING:
        _watch()
    else:
        job_results.show_end(job)
        # What was loaded can be taken back while nothing else has been published.
        load = job_results.load_of(job.result)
        about = say(
            "Takes out what this load brought in. What it had corrected is back as it was; notes "
            "and tags stay."
        )
        if load is not None and st.button(say("Undo this load"), help=about):
            _start(Request(job.request.db, undo=load))


def _choose(*, is_running: bool) -> None:
    sent = st.file_uploader(
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
    files: list[Any] = [*sent, *_pasted()]
    if files and sheet_import.are_sheets(files):
        _choose_sheet(files, is_running=is_running)
        return
    readable = launch.log_folders(sys.argv[1:])
    left, right = st.columns(2)
    with left:
        path, place, refused = _path_box(readable), None, ""
        try:
            place = allowed_path(path, readable) if path else None
        except RefusedPathError as error:
            # It is said when it is to be loaded.
            refused = str(error)
        sheet = None if files or place is None else _sheet_below(place, readable)
    if sheet is not None:
        _choose_sheet([sheet], is_running=is_running)
        return
    recognised = _recognised(files, path, place)
    own = say("Tricklog, or any program that writes its format")
    adapter = right.selectbox(
        say("Written by"),
        [_OWN, *ADAPTERS],
        format_func=lambda name: ADAPTERS[name].program if name in ADAPTERS else own,
        key=_ADAPTER,
        help=say(
            "Logs of other programs are turned into hand logs first. What they leave open stays "
            "open."
        ),
    )
    if recognised:
        _say_recognised(recognised, adapter)
    with st.container(horizontal=True):
        check, load = _buttons(is_off=is_running, is_unseen=False)
        sample = st.button(say("Load the samples"), type="tertiary", disabled=is_running)
    if sample:
        _start(Request(snapshot.warehouse().address, path=samples.samples_folder()))
    if not (check or load):
        return
    if not files and not path:
        st.warning(say("There is nothing to load yet. Choose logs first."))
    elif refused:
        st.error(as_markdown(refused))
    else:
        chosen = None if adapter == _OWN else adapter
        _start(Request(snapshot.warehouse().address, tuple(files), place, chosen, dry_run=check))


def _buttons(*, is_off: bool, is_unseen: bool) -> tuple[bool, bool]:
    """Show the two buttons, and return which of them was pressed: to check, or to load."""
    check = st.button(say("Check only"), disabled=is_off)
    load = say_in("a button", "Load")
    return check, st.button(load, type="primary", disabled=is_off or is_unseen)


def _pasted() -> list[uploads.Pasted]:
    """Return what is pasted instead of sent as a file, if anything is."""
    with st.expander(say("Or paste text")):
        text = st.text_area(
            say("Lines of a log, hands written as text, or rows of a score sheet"),
            key="import-text",
            height=160,
        )
        called = st.text_input(
            say("Called"),
            value=say("pasted"),
            key="import-text-name",
            help=say("A score sheet is known again by its name: give each its own."),
        )
    if not text.strip():
        return []
    pasted = uploads.Pasted(text, called)
    st.caption(say("Read as a file called {name}.", name=as_markdown(pasted.name)))
    return [pasted]


def _choose_sheet(files: Sequence[Any], *, is_running: bool) -> None:
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
    request = Request(snapshot.warehouse().address, sheet=settings, correct=correct)
    local = next((each.path for each in files if isinstance(each, sheet_import.LocalSheet)), None)
    request = replace(request, **({"path": local} if local else {"uploads": tuple(files)}))
    # Corrections are loaded only once the last job was the check of the same load.
    job: Job | None = st.session_state.get(JOB)
    checked = job.request if job is not None and job.state == State.DONE else None
    is_unseen = correct and checked != replace(request, dry_run=True)
    with st.container(horizontal=True):
        check, load = _buttons(is_off=is_off, is_unseen=is_unseen)
    if is_unseen and not is_off:
        st.caption(say("Check first: that says which hands would be replaced, and whose they are."))
    if settings is not None and (check or load):
        if load:
            sheet_import.keep(files, settings)
        _start(replace(request, dry_run=check))


def _sheet_below(place: Path, readable: Sequence[Path]) -> sheet_import.LocalSheet | None:
    """Return the score sheet that a path of this machine names, or that is chosen in its folder."""
    sheets = sheet_import.sheets_below(place)
    if not sheets or place.is_file():
        return sheet_import.LocalSheet(sheets[0]) if sheets else None
    chosen = st.selectbox(
        say("Or a score sheet in it"),
        [None, *sheets],
        format_func=lambda each: each.name if each else say("None: its logs"),
        key="import-sheet",
    )
    try:
        return sheet_import.LocalSheet(allowed_path(str(chosen), readable)) if chosen else None
    except RefusedPathError as error:
        st.error(as_markdown(str(error)))
        return None


def _recognised(files: Sequence[Any], path: str, place: Path | None) -> dict[str, Recognised]:
    """Return what the chosen logs look like, by name; what that is is chosen below, once."""
    chosen = (tuple(each.file_id for each in files), path)
    known, found = st.session_state.get(_RECOGNISED, (((), ""), {}))
    if chosen != known:
        places: list[Path | Source] = [uploads.as_source(each, each.size) for each in files]
        found = recognise_logs(*places, *([place] if place else []))
        st.session_state[_RECOGNISED] = (chosen, found)
        if together := taken_together(found.values()):
            st.session_state[_ADAPTER] = together.adapter.name if together.adapter else _OWN
    return dict(found)


def _say_recognised(found: dict[str, Recognised], adapter: str) -> None:
    together = taken_together(found.values())
    if together is None:
        kinds: dict[str, list[str]] = {}
        for name, each in found.items():
            kind = say("Tricklog’s own format")
            if each.adapter:
                kind = as_markdown(each.adapter.program)
            elif not each.is_own:
                kind = say_in("a kind of logs", "not known")
            if each.records:
                kinds.setdefault(kind, []).append(name)
        listed = "; ".join(
            f"{kind}: {', '.join(map(as_markdown, short_names(names).values()))}"
            for kind, names in kinds.items()
        )
        if kinds:
            st.warning(
                say("These logs are not of one kind. Load each kind apart. {kinds}.", kinds=listed)
            )
        return
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
    elif adapter != (together.adapter.name if together.adapter else _OWN):
        st.warning(say("{found} Something else is chosen as “Written by”.", found=text))
    elif together.adapter is None:
        st.caption(text)
    else:
        st.info(
            say("{found} It is chosen as “Written by”; change it if that is wrong.", found=text)
        )


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


def _start(request: Request) -> None:
    try:
        st.session_state[JOB] = jobs.start(request)
    except jobs.NotStartedError as error:
        st.error(as_markdown(str(error)))
        return
    st.rerun()


@st.fragment(run_every=EVERY)
def _watch() -> None:
    job: Job = st.session_state[JOB]
    if job.state != State.RUNNING:
        st.rerun()
    told = job.progress
    total, share, stage = told.get("total"), told.get("share"), told.get("stage")
    if share is None:
        # Of the stage, where no more is known.
        share = min(1.0, told["done"] / total) if total else 0.0
    parts = [translated(stage) if stage else say("starting")]
    parts += [str(lines_counted(told["lines"]))] if told.get("lines") else []
    parts += [str(hands_counted(told["hands"]))] if told.get("hands") else []
    progress = ", ".join(parts)
    said = say("Loading: {progress}", progress=progress)
    if job.request.undo is not None:
        said = say("Undoing the load")
    elif job.request.dry_run:
        said = say("Checking: {progress}", progress=progress)
    st.progress(share, said)
    stays = say("The warehouse stays as it is.")
    st.button(say_in("a button", "Stop"), on_click=job.stop, help=stays)


class RefusedPathError(Exception):
    """A path that is not loaded; the sentence says why."""


def allowed_path(given: str, folders: Sequence[Path]) -> Path:
    """Return where the file or folder ``given`` is, links followed.

    Args:
        given: A path as typed; one that is not absolute is looked up in each of the folders.
        folders: Folders that may be read, links followed.

    Raises:
        RefusedPathError: The path, or a log in it, lies outside the folders, or does not exist. Of
            a path outside it is not said whether it exists.
    """
    inside = [path for each in folders if (path := _below(each, given, folders))]
    found = next((path for path in inside if path.exists()), None)
    if found is None:
        values = {"given": given, "places": either([*folders], commas=False)}
        if inside:
            raise RefusedPathError(
                say("There is no file or folder {given} below {places}.", **values)
            )
        raise RefusedPathError(
            say(
                "{given} is not below {places}, and nothing else is read. Name its folder when you "
                "start the dashboard: tricklog dashboard --logs FOLDER.",
                **values,
            )
        )
    for source in find_sources([found]):
        if source.path is not None and _is_outside(source.path, folders):
            raise RefusedPathError(
                say(
                    "{link} is a link that leads out of the folders that may be read. Remove "
                    "the link, or name its folder too when you start the dashboard.",
                    link=source.name,
                )
            )
    return found


def _below(folder: Path, given: str, folders: Sequence[Path]) -> Path | None:
    try:
        path = (folder / Path(given).expanduser()).resolve()
        path.exists()
    except (OSError, RuntimeError, ValueError):
        # Links in a circle, a user there is not, a name that no file can have.
        return None
    return None if _is_outside(path, folders) else path


def _is_outside(path: Path, folders: Sequence[Path]) -> bool:
    try:
        real = path.resolve()
    except (OSError, RuntimeError):
        return True
    return not any(real.is_relative_to(each) for each in folders)


show()
