"""A hand with all cards open on the terminal: par, and what each decision cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tricklog.core import Replay
from tricklog.core.study import Decision, OpenHand, Value
from tricklog.ingest.study.telling import Judged, judged_for
from tricklog.schemas.cards import pretty_card
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import player_labels
from tricklog.schemas.words import counted


def in_short(studied: OpenHand | str) -> str:
    """Return in one sentence what a hand was worth, without a full stop."""
    if isinstance(studied, str):
        return f"not solved: {studied}"
    says = f"par {_range(studied.par)} {studied.unit}"
    if studied.need is not None:
        could = {True: "could be made", False: "no play makes it", None: "not known if it is made"}
        says += f", needed {studied.need}: {could[studied.could_be_made]}"
    says += f"; taken {_range(studied.outcome)}"
    lost = [_lost(studied, by_makers=side) for side in (True, False)]
    if None not in lost:
        says += f"; makers lost {lost[0]}, others {lost[1]}"
    return says


_OF_WORDS: Final = ("player", "card")
_CARD: Final = 3
"""Place of the card among the cells of a decision."""


def dear_cards(studied: OpenHand | str, replayed: Replay) -> str:
    """Return the cards that cost something, each with who played it and what it cost."""
    if isinstance(studied, str):
        return ""
    found = []
    for each in studied.decisions:
        if each.loss:
            _, _, player, cards, *_ = _cells(each, replayed)
            found.append(f"{player} {cards} cost {each.loss}")
    return ", ".join(found)


def study_text(
    studied: OpenHand | str, replayed: Replay, judged: Mapping[int, Judged]
) -> RenderableType:
    """Return what a hand was worth, and every decision with what it cost.

    ``judged``: what decisions cost as far as their players could know, by index of the action.
    """
    head = Text("With all cards open", "bold")
    if isinstance(studied, str):
        return Group(head, Text(in_short(studied)))
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    known = ("judged", "luck") if judged else ()
    names = ("action", "trick", "player", "card", "choices", "value", "cost", "score", *known)
    for name in names:
        # Where the terminal is narrow words go on below; numbers stay on one line.
        rows.add_column(name, overflow="fold", no_wrap=name not in _OF_WORDS)
    for each in studied.decisions:
        *cells, kind = _cells(each, replayed)
        cells[_CARD] += f", {kind}" if kind else ""
        cells += _judged_cells(each, judged) if judged else []
        rows.add_row(*cells, style="bold" if each.loss else "")
    notes = [Text(f"No cost in score: {studied.no_score}", "dim")] if studied.no_score else []
    if judged:
        notes.append(Text(_judged_words(judged), "dim"))
    return Group(head, Text(in_short(studied)), rows, *notes)


def _cells(each: Decision, replayed: Replay) -> list[str]:
    cards = " ".join(pretty_card(card) for card in each.cards)
    shown = {"silence": "not declared: ", "surplus": "put down: "}.get(each.kind, "")
    asked = "trump shown, " if each.showed else ""
    return [
        str(each.action),
        str(each.trick),
        one_line(player_labels(replayed.hand)[each.seat]),
        f"{asked}{shown}{cards}",
        str(each.choices),
        _range(each.after),
        _number(each.loss),
        _number(each.score_loss),
        _kind(each),
    ]


def _judged_cells(each: Decision, judged: Mapping[int, Judged]) -> list[str]:
    known = judged_for(each, judged)
    if known is None:
        return ["", ""]
    return [f"{known.judged:.1f} ±{known.reach:.1f}", f"{known.luck:+.1f}"]


def _judged_words(judged: Mapping[int, Judged]) -> str:
    worlds = {each.worlds for each in judged.values()}
    deals = f"{min(worlds)} to {max(worlds)}" if len(worlds) > 1 else str(*worlds)
    return (
        f"judged: what it cost as far as the player could know, on the average of {deals} deals, "
        "± how far it may be off, 95 % sure; luck: the rest of the cost, which the lie of the "
        "cards made"
    )


def _kind(each: Decision) -> str:
    """Return what was done where something was lost; nothing where that has no name."""
    return "" if each.loss_kind in (None, "other") else str(each.loss_kind)


def _number(lost: int | None) -> str:
    return "?" if lost is None else str(lost or "")


def _range(value: Value) -> str:
    return str(value.low) if value.is_exact else f"{value.low} to {value.high}"


def _lost(studied: OpenHand, *, by_makers: bool) -> int | None:
    losses = [each.loss for each in studied.decisions if each.by_makers == by_makers]
    return None if None in losses else sum(each or 0 for each in losses)


def sum_text(hands: int, could: int, lost: int) -> str:
    """Return what solved hands come to: how many, contracts that could be made, points lost."""
    return (
        f"With all cards open: {counted(hands, 'hand')} solved, {counted(could, 'contract')} that "
        f"could be made, {lost:,} lost by cards together"
    )
