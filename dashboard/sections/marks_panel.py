"""Notes and tags on a page: what stands there, and the dialog in which they are written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from tricklog.dashboard.address import parameters
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.store import marks
from tricklog.ingest.store.marks import About, Marks, Note
from tricklog.ingest.store.userdata import UserDataError
from tricklog.schemas.languages.current import current, in_language
from tricklog.schemas.languages.messages import message, say, say_counted
from tricklog.schemas.languages.numbers import plain_day

SHORTCUT: Final = "Alt+N"
_TROUBLE: Final = "marks-trouble"
_NEW_TAG: Final = "new-tag"
_NEW_NOTE: Final = "new-note"
_LONG: Final = 300
"""Characters of a note that stand on the page itself."""


def show_marks(
    about: About,
    subject: str,
    called: str,
    head: str = "",
    show_more: Callable[[], None] = lambda: None,
) -> None:
    """Show what is written about a hand or a player, and the button that opens the dialog.

    ``subject`` is the content hash of the hand or the id of the player; ``head`` is HTML that the
    button stands beside, and ``show_more`` shows what else belongs into the dialog.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="marks"):
        if head:
            st.html(head, width="content")
        is_hand, language = about == "hand", current()
        if st.button(
            say("Notes and tags") if is_hand else say("Notes"),
            key="open-marks",
            type="tertiary",
            shortcut=SHORTCUT,
        ):
            st.session_state.pop(_TROUBLE, None)

            # The dialog runs again by itself, in the language of the page.
            @st.dialog(say("Notes and tags"), width="large")
            def fill() -> None:
                with in_language(language):
                    _show_written(about, subject, called, show_more)

            fill()
    if (found := _known()) is None:
        return
    parts = []
    for tag in found.tags_of(subject) if is_hand else []:
        address = as_html(parameters.with_parameter(addresses.HANDS, "tag", tag))
        parts.append(f'<a class="tl-link tl-tag" href="{address}">{name_html(tag)}</a>')
    for note in found.notes_of(about, subject):
        text = note.text if len(note.text) <= _LONG else f"{note.text[:_LONG].rstrip()} …"
        lines = "<br>".join(as_html(line) for line in text.split("\n"))
        parts.append(f'<p class="tl-note" dir="auto">{lines}</p>')
    if parts:
        st.html(f'<div class="tl-marks">{"".join(parts)}</div>')


def _known() -> Marks | None:
    """Return what is written, or say on the page why it cannot be read."""
    try:
        return marks.marks(snapshot.user_folder())
    except UserDataError as error:
        st.warning(as_markdown(str(error)))
        return None


def _say_trouble() -> None:
    if trouble := st.session_state.pop(_TROUBLE, None):
        st.warning(as_markdown(str(trouble)))


def _show_written(about: About, subject: str, called: str, show_more: Callable[[], None]) -> None:
    st.caption(
        say(
            "Of {subject}. Kept beside the warehouse; what was loaded stays as it is.",
            subject=as_markdown(called),
        )
    )
    _say_trouble()
    folder = snapshot.user_folder()
    if (found := _known()) is None:
        return
    if about == "hand":
        tags = found.tags_of(subject)
        if tags:
            with st.container(horizontal=True, gap="small", key="own-tags"):
                for tag in tags:
                    label, key = say("Remove {tag}", tag=as_markdown(tag)), f"remove-tag-{tag}"
                    remove = partial(_change, marks.remove_tag, folder, [subject], tag)
                    st.button(label, key=key, on_click=remove)
        with st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", key="add-tags"
        ):
            _choose_tag(say("New tag"), [each for each in found.by_tag() if each not in tags])
            add_tag = partial(_take, _NEW_TAG, None, marks.add_tag, folder, [subject])
            st.button(say("Add tag"), key="add-tag", on_click=add_tag)
    for note in found.notes_of(about, subject):
        day = plain_day(date.fromisoformat(note.written_at[:10]))
        key, longest = f"note-{note.note_id}", marks.LONGEST_NOTE
        st.text_area(say("Note of {day}", day=day), note.text, key=key, max_chars=longest)
        remove = partial(_change, marks.remove_note, folder, note.note_id)
        with st.container(horizontal=True, gap="small", key=f"{key}-buttons"):
            st.button(say("Save"), key=f"{key}-save", on_click=_change_note, args=(note,))
            st.button(say("Remove"), key=f"{key}-remove", on_click=remove)
    st.text_area(say("New note"), key=_NEW_NOTE, max_chars=marks.LONGEST_NOTE, height=100)
    add_note = partial(_take, _NEW_NOTE, "", marks.add_note, folder, about, subject)
    st.button(say("Add note"), key="add-note", on_click=add_note)
    show_more()
    if st.button(say("Done"), type="primary", key="marks-done"):
        st.rerun()


def _choose_tag(title: str, known: list[str]) -> None:
    st.selectbox(
        title,
        known,
        index=None,
        key=_NEW_TAG,
        accept_new_options=True,
        placeholder=say("Choose a tag or write a new one"),
    )


def _take(key: str, empty: str | None, change: Callable[..., object], *given: object) -> None:
    """Add what stands in a box, and empty the box."""
    typed = st.session_state.get(key, empty)
    if typed is not None and _try(change, *given, typed):
        st.session_state[key] = empty


def _change_note(note: Note) -> None:
    text = st.session_state[f"note-{note.note_id}"]
    _try(marks.change_note, snapshot.user_folder(), note.note_id, note.text, text)


def _change(change: Callable[..., object], *given: object) -> None:
    _try(change, *given)


def _try(change: Callable[..., object], *given: object) -> bool:
    """Change what is written; say on the page what stands against it. Return whether it is done."""
    try:
        change(*given)
    except UserDataError as error:
        st.session_state[_TROUBLE] = str(error)
        return False
    return True


# --- Many hands at once


def show_bulk(hashes: Callable[[], list[str]], total: int) -> None:
    """Show the button behind which all hands of a list get a tag, or lose it."""
    _say_trouble()
    with st.popover(
        say("Tag these"), type="tertiary", key="bulk-tags", on_change="rerun"
    ) as choice:
        if not choice.open or (found := _known()) is None:
            return
        st.caption(
            say_counted(
                "The hand of this list, on every page of it.",
                "All {count} hands of this list, on every page of it.",
                total,
            )
        )
        _choose_tag(say("Tag"), list(found.by_tag()))
        with st.container(horizontal=True, gap="small", key="bulk-buttons"):
            for label, key, change in (
                (say("Tag all"), "bulk-add", marks.add_tag),
                (say("Take it from all"), "bulk-remove", marks.remove_tag),
            ):
                st.button(label, key=key, on_click=_tag_all, args=(hashes, change))


def _tag_all(hashes: Callable[[], list[str]], change: Callable[..., int]) -> None:
    if st.session_state.get(_NEW_TAG):
        _take(_NEW_TAG, None, change, snapshot.user_folder(), hashes())
    else:
        st.session_state[_TROUBLE] = message("Choose a tag first, or write a new one.")
