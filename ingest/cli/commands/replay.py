"""``tricklog replay``: one hand, step by step, on the terminal."""

from __future__ import annotations

import difflib
import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter
from rich.text import Text

from tricklog.ingest.cli import output
from tricklog.ingest.cli.arguments import Flag, Many, OptionalLog, Variant
from tricklog.ingest.cli.languages import Language, speaking
from tricklog.ingest.cli.output import UserError, put, show, values_of
from tricklog.ingest.cli.rulesets import wanted_rules
from tricklog.ingest.store.absent import db_option
from tricklog.schemas.actions import bid_name
from tricklog.schemas.cards import card_name, names_in
from tricklog.schemas.languages.messages import say
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from tricklog.core import Replay, Ruleset
    from tricklog.core.study import OpenHand
    from tricklog.core.study.contracts import AuctionPar
    from tricklog.ingest.reading.reader import LogLine
    from tricklog.ingest.study.telling import Judged

    Worth = tuple[OpenHand | str, Mapping[int, Judged], AuctionPar | str]
    """What a hand was worth with all cards open, by what its players knew, and at par."""

EXAMPLES = """\
  tricklog replay club.jsonl                       # the first hand, key by key
  tricklog replay club.jsonl --hand c-7 --at 17    # the table before action 17
  tricklog replay club.jsonl --hand c-7 --all | less
  tricklog replay club.jsonl --hand c-7 --language fi    # the same in Finnish
  tricklog replay club.jsonl --hand c-7 --solve    # also what each card cost
  tricklog replay club.jsonl --hand c-7 --ledger   # where its result came from
  tricklog replay --hand c-7 --db club  # the hand as a warehouse has it
  tricklog replay club.jsonl --variant cinch --rescore   # in Cinch"""

_NEXT = frozenset({"n", " ", "\r", "\n", "right", "down"})
_BACK = frozenset({"p", "b", "left", "up"})
_LEAVE = frozenset({"q", "escape", ""})


def replay(  # noqa: PLR0913 - each is an option of the command
    path: OptionalLog = None,
    /,
    *,
    hand: str | None = None,
    db: str | None = None,
    at: int | None = None,
    all_steps: Annotated[bool, Parameter(name="--all", show_default=False)] = False,
    variant: Variant = None,
    rescore: Flag = False,
    solve: Flag = False,
    hidden: Many = None,
    ledger: Flag = False,
    json: Flag = False,
    language: Language | None = None,
) -> int:
    """Show one hand step by step.

    Each step is the card table: who holds what, what lies there, who may do what. On a terminal
    you turn the pages with keys; otherwise all steps are printed. Cards in brackets are those the
    rules allow. The exit status is 1 when the hand has findings.

    Args:
        path: A file or folder with the hand, or - for standard input.
        hand: The id of the hand; without it the first hand is shown.
        db: A warehouse, a folder or a lake, in the place of a log: the hand as it is stored there.
        at: Only the table before this action, counted from 0; the number of actions is the end.
        all_steps: Every step at once, on a terminal too.
        variant: The kind of game, or a TOML file with rules of your own, to replay the hand under.
        rescore: In the place of the steps, what the hand as its own rules have it would have scored
            and been worth under --variant, or why it does not fit.
        solve: Also what the hand was worth with all cards open, what each card cost, and par of
            the auction; of a stored hand that was graded, too, what a card cost as far as its
            player could know.
        hidden: Grade it so now, with --solve, by so many deals for each decision, such as 20.
        ledger: In the place of the steps, where the result came from: deal, auction, exchange,
            draw and play, which sum to it. It takes some seconds.
        json: One JSON object with the verdict, the findings and the steps; with --rescore, with
            what is said of the hand there.
        language: The language of the steps: en, sv, fi, es, hi or bn. English unless said here or
            in TRICKLOG_LANGUAGE; what --solve, --ledger, --rescore and --json show is English.
    """
    if rescore and not variant:
        raise UserError("--rescore goes with --variant", "Say under which rules.")
    steps_wanted = at is not None or all_steps
    instead = [name for name, given in (("--rescore", rescore), ("--ledger", ledger)) if given]
    _check_together(instead, steps=steps_wanted, solve=solve, hidden=hidden is not None)
    why = "--solve, --ledger, --rescore and --json are in English alone"
    spoken = speaking(language, why if json or solve or instead else "")
    if (path is None) == (db is None) or (db is not None and hand is None):
        raise UserError(
            "one hand of one place is shown",
            "Name a log, or a warehouse and the hand in it: --db club --hand c-7.",
        )
    from tricklog.core import Verdict
    from tricklog.core import replay as replay_hand
    from tricklog.ingest.loading.auditing import rules_trouble

    wanted = wanted_rules(variant) if variant else None
    ruleset = None if rescore else wanted
    line = _find(path, hand, ruleset) if path is not None else _stored(str(db), str(hand))
    trouble = line.hand and rules_trouble(line.hand, ruleset)
    if line.hand is None or trouble:
        from tricklog.ingest.cli.unread_lines import tell_reject

        refused = line.rejected(trouble) if trouble else line
        if refused.reject:
            tell_reject(refused.reject, as_object=False)
        return output.UNREADABLE
    replayed = replay_hand(line.hand, ruleset=ruleset)
    if instead:
        return _show_instead(replayed, wanted if rescore else None, json=json)
    if at is not None and not 0 <= at <= len(replayed):
        raise UserError(
            f"hand {replayed.hand.id} has no step {at}",
            f"It has {counted(len(replayed), 'action')}: --at takes 0 to {len(replayed)}.",
        )
    steps = range(len(replayed) + 1) if at is None else range(at, at + 1)
    worth = _worth(replayed, db, hidden) if solve else None
    if json:
        output.print_json(_as_json(line, replayed, steps, worth))
    else:
        by_keys = not steps_wanted and sys.stdin.isatty() and sys.stdout.isatty()
        with spoken:
            _show_steps(replayed, steps, worth, by_keys=by_keys)
    return output.status_of(replayed.verdict in (Verdict.IRREGULAR, Verdict.REJECTED))


def _check_together(instead: Sequence[str], *, steps: bool, solve: bool, hidden: bool) -> None:
    if instead and steps:
        raise UserError(f"{instead[0]} shows no steps", "Leave --at and --all out.")
    for other in [*(["--solve"] if solve else []), *instead[1:]] if instead else []:
        raise UserError(f"{instead[0]} does not go with {other}", "Ask for one after the other.")
    if hidden and not solve:
        raise UserError("--hidden goes with --solve", "Give both.")


# --- Finding the hand


def _find(path: str, hand_id: str | None, ruleset: Ruleset | None) -> LogLine:
    """Return the line of the hand that is meant, or the first line that could not be read."""
    from tricklog.ingest.reading.reader import read

    unreadable: LogLine | None = None
    ids: list[str] = []
    for line in read(path, judged_by=ruleset):
        if line.hand and hand_id in (None, line.hand.id):
            return line
        if line.hand:
            ids.append(line.hand.id)
        elif line.reject and unreadable is None:
            unreadable = line
    if not ids and unreadable:
        return unreadable
    if hand_id is None:
        raise UserError(
            f"{path} holds no hand",
            "A hand is one JSON object on one line, or text as docs/text-form.md shows.",
        )
    close = difflib.get_close_matches(hand_id, ids, 1) or ids[:1]
    raise UserError(
        f"{path} holds no hand {hand_id!r}",
        f"It holds {counted(len(ids), 'other')}{f', for example {close[0]}' if close else ''}.",
    )


def _stored(db: str, hand_id: str) -> LogLine:
    """Return a stored hand, as the line of the log that it was read from."""
    from tricklog.ingest.cli.failure_state import opened
    from tricklog.ingest.reading.reader import LogLine
    from tricklog.ingest.sheets.games import close_hands
    from tricklog.ingest.warehouses import stored_hand

    with opened(db, once=True) as connection:
        try:
            stored = stored_hand(connection, hand_id)
        except LookupError:
            close = " or ".join(map(repr, close_hands(connection, hand_id)))
            hint = f"Did you mean {close}? " if close else ""
            hint += f"tricklog db rejects {db_option(db)} lists the lines that could not be used."
            raise UserError(f"there is no hand {hand_id!r} in {db}", hint) from None
        place = "SELECT file, line FROM hands WHERE hand_id = $1"
        ((file, line),) = connection.cursor().execute(place, [hand_id]).fetchall()
        return LogLine(file, line, 0, stored)


# --- Showing it


def _worth(replayed: Replay, db: str | None, worlds: int | None) -> Worth:
    from tricklog.ingest.cli.failure_state import explained_failures
    from tricklog.ingest.study.par import par_of
    from tricklog.ingest.study.rows import Solvers
    from tricklog.ingest.study.telling import judged_now, judged_of
    from tricklog.ingest.warehouses import warehouse_at

    solvers = Solvers()
    judged: Mapping[int, Judged] = {}
    studied, par = solvers.study(replayed), par_of(replayed, solvers)
    if worlds is not None:
        judged = judged_now(replayed, worlds)
    elif db is not None:
        with explained_failures(db):
            warehouse = warehouse_at(db)
            state = warehouse.current()
            # One hand is not worth counting all others.
            if state is not None and warehouse.facts_are_ready(state):
                with warehouse.facts(state) as facts:
                    judged = judged_of(facts, replayed.hand.id)
    return studied, judged, par


def _show_steps(replayed: Replay, steps: range, worth: Worth | None, *, by_keys: bool) -> None:
    """Print steps, before several of them the hand as a whole; ``by_keys`` each after a key."""
    from rich.console import Group

    from tricklog.core.render.terminal import overview, table

    parts: list[RenderableType] = [overview(replayed)] if by_keys or len(steps) > 1 else []
    if worth:
        from tricklog.ingest.cli.study_text import par_text, study_text

        studied, judged, par = worth
        parts.append(Group(study_text(studied, replayed, judged), par_text(replayed, par)))
    if not by_keys:
        parts += (table(replayed.at(step), replayed) for step in steps)
        put(*(each for part in parts[:-1] for each in (part, "")), parts[-1])
        return
    console, step = output.out(), -1
    keys = Text(say("enter or n next · p back · f next finding · g start · G end · q quit"), "dim")
    with keyboard() as next_key:
        put(*parts, keys)
        while (key := next_key()) not in _LEAVE:
            step = _next_step(key, step, replayed)
            console.clear()
            put(table(replayed.at(step), replayed), keys)


def _next_step(key: str, step: int, replayed: Replay) -> int:
    from tricklog.core.render.sentences import moment_of

    end = len(replayed)
    if key == "f":
        moments = [moment_of(finding, replayed) for finding in replayed.findings]
        later = [moment for moment in moments if moment is not None and moment > step]
        return min(later, default=max(step, 0))
    if key == "G":
        return end
    move = 1 if key in _NEXT else -1 if key in _BACK else -end if key == "g" else 0
    return min(max(step + move, 0), end)


def _show_instead(replayed: Replay, ruleset: Ruleset | None, *, json: bool) -> int:
    """Print the ledger of a hand, or what it would have been elsewhere; return the exit status."""
    from tricklog.core.study import Refused
    from tricklog.core.study.elsewhere import NotThere, elsewhere
    from tricklog.ingest.cli import study_text

    if ruleset:
        there = elsewhere(replayed, ruleset)
        lines = study_text.elsewhere_lines(replayed, ruleset.title, there)
        show(study_text.elsewhere_json(replayed, ruleset.id, there), lines, json=json)
        return output.status_of(isinstance(there, NotThere))
    try:
        found = study_text.found_ledger(replayed)
    except Refused as error:
        hand = replayed.hand.id
        told = {"hand_id": hand, "refused": str(error)}
        show(told, [f"Hand {hand} has no ledger: {error}."], json=json)
        return output.PROBLEM
    rows = study_text.ledger_lines(replayed, found)
    show(study_text.ledger_json(replayed, found), rows, json=json)
    return output.SUCCESS


def _as_json(line: LogLine, replayed: Replay, steps: range, worth: Worth | None) -> dict[str, Any]:
    from tricklog.ingest.loading.auditing import AuditedLine

    told = AuditedLine(line, replayed).to_json()
    if worth is not None:
        from tricklog.ingest.study.par import par_json
        from tricklog.ingest.study.telling import study_json

        studied, judged, par = worth
        told |= {"solved": study_json(studied, judged), "par": par_json(replayed, par)}
    return told | {"steps": [_step_json(replayed, step) for step in steps]}


def _step_json(replayed: Replay, step: int) -> dict[str, Any]:
    view, actions = replayed.at(step), replayed.hand.actions
    names = {"alone": "alone_seat", "trick_number": "trick", "trick": "table"}
    told = values_of(view, without=["index", "bid", "calls", "discarded", "choice"], **names)
    legal = values_of(view.choice, without=["other_bids", "must", "said"])
    legal |= {"cards": names_in(view.choice.cards), "sentence": view.choice.sentence}
    sets = ("kitty", "under", "shown", "buried")
    return (
        {"step": step, "action": actions[step] if step < len(actions) else None}
        | told
        | {
            "bid_name": None if view.bid is None else bid_name(view.bid),
            "holdings": [names_in(cards) for cards in view.holdings],
            "table": [{"seat": seat, "card": card_name(card)} for seat, card in view.trick],
            **{name: names_in(getattr(view, name)) for name in sets},
            "legal": legal,
        }
    )


# --- Keys

_ARROWS: Final = {"A": "up", "B": "down", "C": "right", "D": "left"}
_LOOK_UP: Final = 0.2
"""Seconds after which a wait for a key looks whether the program was interrupted."""
_REST_OF_A_KEY: Final = 0.05
"""Seconds within which the bytes after an escape belong to the same key."""


@contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """Give a function that waits for a key: a character, ``up`` and the like, ``escape``.

    It returns an empty text when no more keys will come.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    # The mode stays for all keys and drops none, so that fast typing is not lost.
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _read_key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_key(terminal: int) -> str:
    # Ctrl-C just before a read that blocks would wait for another key to be noticed.
    while not select.select([terminal], [], [], _LOOK_UP)[0]:
        pass
    key = os.read(terminal, 1).decode("latin-1")
    if key != "\x1b":
        return "" if key == "\x04" else key
    waiting, _, _ = select.select([terminal], [], [], _REST_OF_A_KEY)
    if not waiting:
        return "escape"
    # An arrow is three bytes; more may wait that belong to the next key.
    return _ARROWS.get(os.read(terminal, 2).decode("latin-1")[-1:], "other")
