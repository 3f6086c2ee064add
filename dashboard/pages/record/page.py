"""Record: hands taken down at the table, on a phone first; kept on the server with every tap."""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import Any, Final

import streamlit as st
from msgspec.structs import replace

from tricklog.core import Ruleset, RulesetError, load_variant, variants
from tricklog.core.recording.draft import RecordingError
from tricklog.core.recording.evening import begin
from tricklog.core.rulesets.rules_text import rule_said
from tricklog.core.rulesets.ruleset import resolve
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import jobs, snapshot
from tricklog.dashboard.kit.page_parts import in_twos
from tricklog.dashboard.pages.record import KEY, recorder
from tricklog.dashboard.pages.record.own_rules import own_rules
from tricklog.dashboard.pages.record.screen import screen_of
from tricklog.dashboard.pages.record.taps import question_about, sent_of, take
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.recording import keeping
from tricklog.ingest.recording.keeping import (
    CHANGED_ELSEWHERE,
    ChangedElsewhereError,
    KeepingError,
    Kept,
)
from tricklog.ingest.recording.people import known_people, person
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.schemas.hand import Player, RulesRef, encode_hand
from tricklog.schemas.languages.messages import mark, say, say_counted, say_in, translated

_ANSWER: Final = "recorder-answer"
_JOB: Final = "recorder-job"
_TARGETS: Final = """<style>
.st-key-record-setup :is(button, input, [data-baseweb="select"] > div, [role="combobox"]) {
  min-height: 44px; min-width: 44px; }
</style>"""
"""Keys as large as a thumb."""
_MOST_OFFERED: Final = 500
"""Players that a seat offers; who is typed can be any other."""
_FIRST_GAME: Final = "pedro"
"""The game offered first to whoever has recorded none."""
_QUICK: Final = mark("Bid, maker, points")
_CARDS: Final = mark("Every card")


def show() -> None:
    """Show the evening of the address; without one, ask who plays what."""
    parameters.knows(urls.DRAFT)
    evening_id = parameters.get(urls.DRAFT)
    try:
        if not evening_id:
            with st.container(key="record-setup"):
                _set_up()
        else:
            _show_evening(evening_id)
    except KeepingError as error:
        st.error(as_markdown(str(error)))


# --- Setting up


def _set_up() -> None:
    st.html(_TARGETS)
    st.header(say("Record at the table"))
    latest = keeping.latest(snapshot.user_folder())
    for kept in latest[:3]:
        who, number = ", ".join(_names_of(kept).values()), kept.evening.draft.number
        said = say("Go on: {players}, hand {number}", players=who, number=number)
        address = f"?{urls.DRAFT}={kept.evening.id}"
        st.link_button(as_markdown(said), address, width="stretch")
    titles = {name: load_variant(name).title for name in variants()}
    played = [*(kept.evening.draft.rules.variant for kept in latest), _FIRST_GAME]
    games = list(dict.fromkeys([*(name for name in played if name in titles), *titles]))
    game = st.selectbox(
        say_in("a game of cards", "Game"), games, format_func=titles.__getitem__, key="record-game"
    )
    own = _own_rules()
    ruleset = resolve(own) if own else load_variant(game)
    counts = list(ruleset.values["players"])
    seats = st.segmented_control(
        say("Players"), counts, default=counts[0], key=f"record-seats-{ruleset.hash}"
    )
    rules = own or _with_house_rules(ruleset)
    known = _known_names(latest)
    last = [*_names_of(latest[0]).values()] if latest else []
    sitting = []
    for n, place in enumerate(in_twos(seats or counts[0])):
        with place:
            sitting.append(
                _seat(n, list(islice(known, _MOST_OFFERED)), last[n] if n < len(last) else "")
            )
    dealer = st.selectbox(
        say("Who deals first"),
        range(len(sitting)),
        index=len(sitting) - 1,
        format_func=lambda n: sitting[n] or say("Seat {seat}", seat=n + 1),
        key="record-dealer",
    )
    mode = st.segmented_control(
        say("How much do you write down?"),
        (_QUICK, _CARDS),
        default=_QUICK,
        format_func=translated,
        key="record-mode",
        help=say("Either can be changed at any hand."),
    )
    log = st.text_input(
        say_in("a file of hands", "Log"),
        value="evenings",
        key="record-log",
        help=say("The hands are added to this log below the warehouse, so that it can be rebuilt."),
    )
    if st.button(say_in("a button", "Start"), type="primary", width="stretch", key="record-start"):
        if not all(sitting):
            st.warning(say("Say who sits at each seat."))
            return
        players = [person(name, known) for name in sitting]
        _start(rules, players, dealer, log, quick=mode != _CARDS)


def _with_house_rules(ruleset: Ruleset) -> RulesRef:
    """Let the viewer choose house rules, and return the rules as a hand names them."""
    house = {rule.cite: rule for rule in ruleset.house_rules}
    chosen = st.multiselect(
        say("House rules"),
        list(house),
        format_func=lambda cite: f"{cite} {rule_said(house[cite].words)}",
        key=f"record-house-{ruleset.id}",
        placeholder=say("as the game is played"),
    )
    options: dict[str, Any] = {}
    for cite, rule in house.items():
        if cite in chosen:
            options |= {key: rule.choices(key)[0] for key in rule.values}
    return RulesRef(ruleset.id, options=options) if options else RulesRef(ruleset.id)


def _own_rules() -> RulesRef | None:
    """Ask for a file of rules of one's own; a note under it says what is wrong with one."""
    with st.expander(say("Rules of your own")):
        file = st.file_uploader(
            say("A file of rules (TOML), in place of the game above"),
            type=["toml"],
            key="record-own",
        )
        if file is None:
            return None
        try:
            rules = own_rules(file.name, file.getvalue())
        except RecordingError as error:
            told = say("{problem}. The game above is taken until the file is right.", problem=error)
            st.error(as_markdown(told))
            return None
        title = resolve(rules).title
        st.success(as_markdown(say("{game}: every hand carries these rules.", game=title)))
        return rules


def _names_of(kept: Kept) -> dict[str, str]:
    """Return the names of who sits at a table, by id."""
    return {player.id: player.name or player.id for player in kept.evening.draft.players}


def _known_names(latest: list[Kept]) -> dict[str, str]:
    """Return the ids of players by name, those of the latest evenings first."""
    recorded = [pair for kept in latest for pair in _names_of(kept).items()]
    try:
        is_there = snapshot.warehouse().current() is not None
        stored = list(snapshot.recorded_names().items()) if is_there else []
        old = snapshot.merged_people() if is_there else []
    except WarehouseError:
        stored, old = [], []
    return known_people([*recorded, *stored, *old])


def _seat(place: int, names: list[str], last: str) -> str:
    """Ask who sits at a seat, by default whoever sat there ``last``."""
    chosen = st.selectbox(
        say("Seat {seat}", seat=place + 1) if place else say("Seat 1, clockwise"),
        names,
        index=names.index(last) if last in names else None,
        accept_new_options=True,
        placeholder=say_in("of a player", "name"),
        key=f"record-seat-{place}",
    )
    return (chosen or "").strip()


def _start(rules: RulesRef, players: list[Player], dealer: int, log: str, *, quick: bool) -> None:
    folder, name = snapshot.user_folder(), keeping.new_id()
    try:
        keeping.log_file(folder, log)
        evening = begin(name, rules, players, dealer=dealer, started_at=_now(), quick=quick)
    except (RecordingError, RulesetError, KeepingError) as error:
        st.error(as_markdown(str(error)))
        return
    kept = Kept(revision=0, evening=evening, log=log)
    keeping.write_file(keeping.evening_file(folder, name), kept, builds_on=0)
    parameters.put(urls.DRAFT, name)
    st.rerun()


# --- Recording


def _show_evening(evening_id: str) -> None:
    path = keeping.evening_file(snapshot.user_folder(), evening_id)
    kept = keeping.read_file(path)
    if kept is None:
        st.error(say("There is no evening with this address; it may be that of another warehouse."))
        st.link_button(say("Begin an evening"), "?")
        return
    data = {
        "id": evening_id,
        "revision": kept.revision,
        "seen": kept.seen,
        "screen": screen_of(kept.evening),
        "asked": question_about(kept),
        # Said until another message is answered: a run may be overtaken before it is shown.
        **st.session_state.get(_ANSWER, {}),
    }
    recorder(data, on_taps=lambda: _take_taps(evening_id))
    if kept.evening.done:
        _show_ending(kept)


def _take_taps(evening_id: str) -> None:
    """Take in what the browser sends, and say what came of it with the next run of the page."""
    sent = sent_of(getattr(st.session_state.get(KEY), "taps", None))
    if sent is None:
        return
    path = keeping.evening_file(snapshot.user_folder(), evening_id)
    try:
        kept = keeping.read_file(path)
        if kept is None or kept.seen == sent.mark:
            return
        if kept.revision != sent.builds_on:
            raise ChangedElsewhereError(str(CHANGED_ELSEWHERE))
        taken = take(kept, sent, _now())
        changed = replace(kept, evening=taken.evening, seen=sent.mark, asked=taken.asked)
        keeping.write_file(path, changed, builds_on=sent.builds_on)
        st.session_state[_ANSWER] = {"told": taken.told, "saved": taken.is_saved}
    except KeepingError as error:
        st.session_state[_ANSWER] = {"told": str(error), "refused": sent.mark}


def _show_ending(kept: Kept) -> None:
    evening = kept.evening
    lines = b"".join(encode_hand(ended.hand) + b"\n" for ended in evening.hands())
    load, save = st.columns(2)
    left, label = len(evening.done) - evening.written, say("All hands are in the log")
    if left:
        label = say("Load {count} into the warehouse", count=left)
    is_off = not left or evening.mended >= 0
    if load.button(label, disabled=is_off, width="stretch", key="record-load"):
        _load(kept)
    save.download_button(
        say("Download the log"),
        lines,
        f"{kept.log}.jsonl",
        "application/x-ndjson",
        width="stretch",
        on_click="ignore",
        key="record-download",
    )
    if told := st.session_state.pop(_JOB, ""):
        st.info(as_markdown(told))


def _load(kept: Kept) -> None:
    folder = snapshot.user_folder()
    log = keeping.log_file(folder, kept.log)
    keeping.hand_over(log, keeping.evening_file(folder, kept.evening.id), kept)
    try:
        job = jobs.start(jobs.Request(snapshot.warehouse().address, path=log))
    except jobs.NotStartedError as error:
        st.session_state[_JOB] = str(error)
        return
    with st.spinner(say("Loading")):
        job.wait(60)
    told = job.error or say("The load still runs; the hands will show by themselves.")
    if job.state == jobs.State.DONE:
        told = say_counted(
            "Loaded: {count} new hand in the warehouse.",
            "Loaded: {count} new hands in the warehouse.",
            job.result["accepted"],
        )
    st.session_state[_JOB] = told
    st.rerun()


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


show()
