"""``tricklog replay``: one hand, step by step, on the terminal."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ingest.cli.output import (
    PROBLEM,
    SUCCESS,
    UNREADABLE,
    Flag,
    LogPath,
    UserError,
    err,
    out,
    print_json,
)
from schemas.words import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ingest.reading.reader import LogLine
    from replay import Replay

EXAMPLES = """\
  tricklog replay club.jsonl                       the first hand, key by key
  tricklog replay club.jsonl --hand c-7 --at 17    the table before action 17
  tricklog replay club.jsonl --hand c-7 --all | less"""

_NEXT = frozenset({"n", " ", "\r", "\n", "right", "down"})
_BACK = frozenset({"p", "b", "left", "up"})
_LEAVE = frozenset({"q", "escape", ""})
_KEYS = "enter or n next · p back · f next finding · g start · G end · q quit"


def replay(
    path: LogPath,
    /,
    *,
    hand: str | None = None,
    at: int | None = None,
    all_steps: Annotated[bool, Parameter(name="--all", show_default=False)] = False,
    rules: str | None = None,
    json: Flag = False,
) -> int:
    """Show one hand step by step.

    Each step is the card table: who holds what, what lies there, who may do what. On a terminal
    you turn the pages with keys; otherwise all steps are printed. Cards in brackets are those the
    rules allow. The exit status is 1 when the hand has findings.

    Args:
        path: A file or folder with the hand, or - for standard input.
        hand: The id of the hand; without it the first hand is shown.
        at: Only the table before this action, counted from 0; the number of actions is the end.
        all_steps: Every step at once, on a terminal too.
        rules: A variant or a TOML file with rules of your own, to replay the hand under them.
        json: One JSON object with the verdict, the findings and the steps.
    """
    from ingest.cli.rulesets import wanted_rules
    from ingest.loading.auditing import rules_trouble
    from replay import Verdict
    from replay import replay as replay_hand

    ruleset = wanted_rules(rules) if rules else None
    line = _find(path, hand)
    trouble = line.hand and rules_trouble(line.hand, ruleset)
    if line.hand is None or trouble:
        return _refuse(line.rejected(trouble) if trouble else line)
    replayed = replay_hand(line.hand, ruleset=ruleset)
    if at is not None and not 0 <= at <= len(replayed):
        raise UserError(
            f"hand {replayed.hand.id} has no step {at}",
            f"It has {counted(len(replayed), 'action')}: --at takes 0 to {len(replayed)}.",
        )
    steps = range(len(replayed) + 1) if at is None else range(at, at + 1)
    if json:
        print_json(_as_json(line, replayed, steps))
    elif at is None and not all_steps and sys.stdin.isatty() and sys.stdout.isatty():
        _turn_pages(out(), replayed)
    else:
        _print_steps(out(), replayed, steps)
    bad = replayed.verdict in (Verdict.IRREGULAR, Verdict.REJECTED)
    return PROBLEM if bad else SUCCESS


# --- Finding the hand


def _find(path: str, hand_id: str | None) -> LogLine:
    """Return the line of the hand that is meant, or the first line that could not be read.

    Raises ``UserError`` when there is no such hand.
    """
    from ingest.reading.reader import read

    unreadable: LogLine | None = None
    ids: list[str] = []
    for line in read(path):
        if line.hand and hand_id in (None, line.hand.id):
            return line
        if line.hand:
            ids.append(line.hand.id)
        elif line.reject and unreadable is None:
            unreadable = line
    if not ids and unreadable:
        return unreadable
    if hand_id is None:
        raise UserError(f"{path} holds no hand", "A hand is one JSON object on one line.")
    close = difflib.get_close_matches(hand_id, ids, 1) or ids[:1]
    raise UserError(
        f"{path} holds no hand {hand_id!r}",
        f"It holds {counted(len(ids), 'other')}{f', for example {close[0]}' if close else ''}.",
    )


def _refuse(line: LogLine) -> int:
    from ingest.cli.reject_text import reject_text

    if line.reject:
        err().print(reject_text(line.reject))
    return UNREADABLE


# --- Showing it


def _print_steps(console: Console, replayed: Replay, steps: range) -> None:
    from replay.render.terminal import overview, table

    if len(steps) > 1:
        console.print(overview(replayed))
        console.print()
    for step in steps:
        console.print(table(replayed.at(step), replayed))
        if step != steps[-1]:
            console.print()


def _turn_pages(console: Console, replayed: Replay) -> None:
    from rich.text import Text

    from ingest.cli.keys import keyboard
    from replay.render.terminal import overview, table

    step = -1
    with keyboard() as next_key:
        console.print(overview(replayed))
        console.print(Text(_KEYS, "dim"))
        while (key := next_key()) not in _LEAVE:
            step = _next_step(key, step, replayed)
            console.clear()
            console.print(table(replayed.at(step), replayed))
            console.print(Text(_KEYS, "dim"))


def _next_step(key: str, step: int, replayed: Replay) -> int:
    """Return the step a key leads to; an unknown key stays where it is."""
    from replay.render.sentences import moment_of

    end = len(replayed)
    if key == "f":
        moments = [moment_of(finding, replayed) for finding in replayed.findings]
        later = [moment for moment in moments if moment is not None and moment > step]
        return min(later, default=max(step, 0))
    if key == "G":
        return end
    move = 1 if key in _NEXT else -1 if key in _BACK else -end if key == "g" else 0
    return min(max(step + move, 0), end)


# --- As JSON


def _as_json(line: LogLine, replayed: Replay, steps: range) -> dict[str, Any]:
    from ingest.loading.auditing import AuditedLine

    audited = AuditedLine(line, replayed).to_json()
    return {**audited, "steps": [_step_json(replayed, step) for step in steps]}


def _step_json(replayed: Replay, step: int) -> dict[str, Any]:
    from schemas.actions import trump_name
    from schemas.cards import card_name, names_in

    view = replayed.at(step)
    actions = replayed.hand.actions
    return {
        "step": step,
        "action": actions[step] if step < len(actions) else None,
        "phase": view.phase,
        "turn": view.turn,
        "dealer": view.dealer,
        "maker": view.maker,
        "bid": _bid(view.bid),
        "no_contract": view.no_contract,
        "alone": view.alone,
        "doubles": view.doubles,
        "trump": None if view.trump is None else trump_name(view.trump),
        "trump_public": view.trump_public,
        "holdings": [names_in(cards) for cards in view.holdings],
        "unknown": view.unknown,
        "out": view.out,
        "folded": view.folded,
        "trick": view.trick_number,
        "leader": view.leader,
        "table": [{"seat": seat, "card": card_name(card)} for seat, card in view.trick],
        "points": view.points,
        "tricks_won": view.tricks_won,
        "stock": view.stock,
        "kitty": names_in(view.kitty),
        "under": names_in(view.under),
        "shown": names_in(view.shown),
        "buried": names_in(view.buried),
        "legal": {
            "verbs": view.choice.verbs,
            "low": view.choice.low,
            "high": view.choice.high,
            "cards": names_in(view.choice.cards),
            "least": view.choice.least,
            "most": view.choice.most,
            "sentence": view.choice.sentence,
        },
    }


def _bid(amount: int | None) -> int | str | None:
    """Return a bid as a number, a special one as logs write it: ``28-56``."""
    from schemas.actions import MAX_BID, bid_name

    return amount if amount is None or amount <= MAX_BID else bid_name(amount)
