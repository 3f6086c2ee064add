"""A hand with all cards open on the terminal: par, and what each decision cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.words import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ingest.study.telling import Solvers
    from replay import Replay
    from replay.open_cards import Value
    from replay.study import StudiedDecision, StudiedHand


def ready_solvers() -> Solvers:
    """Return solvers, compiled first where that has not been done."""
    from ingest.cli.progress import ProgressLine
    from ingest.reading.progress import Progress, Stage
    from ingest.study.telling import Solvers
    from replay.compiled import build, kernel

    if not kernel.solver_is_ready() and kernel.can_keep():
        with ProgressLine("With open cards") as line:
            line.report(Progress(Stage.COMPILING_SOLVER))
            build.build_solver()
    return Solvers()


def in_short(studied: StudiedHand | str) -> str:
    """Return in one sentence what a hand was worth, without a full stop."""
    if isinstance(studied, str):
        return f"not solved: {studied}"
    opened = studied.opened
    unit = opened.unit
    says = f"par {_range(opened.par)} {unit}"
    if opened.need is not None:
        could = {True: "could be made", False: "no play makes it", None: "not known if it is made"}
        says += f", needed {opened.need}: {could[opened.could_be_made]}"
    says += f"; taken {_range(opened.outcome)}"
    lost = [_lost(studied, by_makers=side) for side in (True, False)]
    if None not in lost:
        says += f"; makers lost {lost[0]}, others {lost[1]}"
    return says


def dear_cards(studied: StudiedHand | str, replayed: Replay) -> str:
    """Return the cards that cost something, each with who played it and what it cost."""
    if isinstance(studied, str):
        return ""
    found = []
    for each in studied.decisions:
        if each.loss:
            _, _, player, cards, *_ = _cells(each, replayed)
            found.append(f"{player} {cards} cost {each.loss}")
    return ", ".join(found)


def study_text(studied: StudiedHand | str, replayed: Replay) -> RenderableType:
    """Return what a hand was worth, and every decision with what it cost."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    head = Text("With all cards open", "bold")
    if isinstance(studied, str):
        return Group(head, Text(in_short(studied)))
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("action", "trick", "player", "card", "choices", "value", "cost", "score", ""):
        rows.add_column(name, overflow="fold")
    for each in studied.decisions:
        rows.add_row(*_cells(each, replayed), style="bold" if each.loss else "")
    notes = [Text(f"No cost in score: {studied.no_score}", "dim")] if studied.no_score else []
    return Group(head, Text(in_short(studied)), rows, *notes)


def _cells(each: StudiedDecision, replayed: Replay) -> list[str]:
    from schemas.cards import pretty_card
    from schemas.render import one_line, player_labels

    cards = " ".join(pretty_card(card) for card in each.cards)
    shown = {"silence": "not declared: ", "surplus": "put down: "}.get(each.kind, "")
    asked = "trump shown, " if each.showed else ""
    return [
        str(each.action),
        str(each.trick),
        one_line(player_labels(replayed.hand)[each.seat]),
        f"{asked}{shown}{cards}",
        str(each.choices) if each.choices > 1 else "no choice",
        _range(each.after),
        _number(each.loss),
        _number(each.score_loss),
        each.loss_kind or "",
    ]


def _number(lost: int | None) -> str:
    return "?" if lost is None else str(lost or "")


def _range(value: Value) -> str:
    return str(value.low) if value.is_exact else f"{value.low} to {value.high}"


def _lost(studied: StudiedHand, *, by_makers: bool) -> int | None:
    losses = [each.loss for each in studied.decisions if each.by_makers == by_makers]
    return None if None in losses else sum(each or 0 for each in losses)


def sum_text(hands: int, could: int, lost: int) -> str:
    """Return what solved hands come to: how many, contracts that could be made, points lost."""
    return (
        f"With all cards open: {counted(hands, 'hand')} solved, {counted(could, 'contract')} that "
        f"could be made, {lost:,} lost by cards together"
    )
