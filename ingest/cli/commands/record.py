"""``tricklog record``: hands taken down at the table, by typing."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tricklog.ingest.cli.arguments import Flag, Variant
from tricklog.ingest.cli.output import UNREADABLE, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tricklog.core.recording.evening import Evening
    from tricklog.schemas.hand import Player

EXAMPLES = """\
  tricklog record sunday.jsonl --variant pedro --players "Ann, Bo, Cy, Dee" --dealer Dee
  tricklog record sunday.jsonl                       # goes on where it was left
  tricklog record pad.jsonl --variant pidro --players "Ann, Bo, Cy, Dee" --quick
  tricklog record sunday.jsonl < typed.txt           # the same, typed before"""


def record(
    log: str,
    /,
    *,
    variant: Variant = None,
    players: str = "",
    dealer: str | None = None,
    scores: str = "",
    quick: Flag = False,
) -> int:
    """Record hands at the table, and check each on the spot.

    You are told who is to act and what the rules allow, and type what happened: 7, pass, hearts,
    10h. What the rules do not allow is asked about, and kept as it happened if you say so. Type ?
    for what can be typed now, undo to take the last thing back, save when a hand is over, pad for
    the score, quit to stop; the finished hands are then added to the log. Scores and dealer are
    carried over. What is not finished is kept beside the log and goes on with the next call.

    Args:
        log: The log that the hands are added to; --variant and --players are needed to begin it.
        players: Who sits at the table, clockwise, with commas; needed to begin.
        dealer: Who deals first; the last of the players unless said.
        scores: The scores the game stands at, by side with commas; 0 each unless said.
        quick: Only bid, maker, trumps and points of each hand; cards may be added at any hand.
    """
    from tricklog.ingest.cli.recorder import Recorder
    from tricklog.ingest.recording import keeping
    from tricklog.ingest.recording.keeping import KeepingError

    path = Path(log)
    draft = path.with_name(f"{path.name}.draft")
    try:
        kept = keeping.read_file(draft)
        if kept is None:
            evening = _begun(variant, players, dealer, scores, quick=quick)
            kept = keeping.Kept(revision=0, evening=evening, log=path.name)
        elif variant or players:
            raise UserError(
                f"{draft} has an evening that is not finished",
                "Leave --variant and --players out to go on with it; or remove the file to begin "
                "again.",
            )
        return Recorder(kept, path, draft, sys.stdin).run()
    except KeepingError as error:
        raise UserError(str(error), status=UNREADABLE) from error


def _begun(
    variant: str | None, players: str, dealer: str | None, scores: str, *, quick: bool
) -> Evening:
    """Return a new evening. Raises ``UserError`` for a table that cannot be."""
    from tricklog.core.recording.draft import RecordingError
    from tricklog.core.recording.evening import begin
    from tricklog.ingest.cli.rulesets import definition_of, is_file_name, wanted_rules
    from tricklog.ingest.recording import keeping
    from tricklog.ingest.recording.people import players_of
    from tricklog.schemas.hand import RulesRef

    if variant is None or not players.strip():
        raise UserError(
            "nothing is being recorded there yet",
            "Say what is played and who sits at the table, clockwise: --variant pedro --players "
            '"Ann, Bo, Cy, Dee".',
        )
    wanted_rules(variant)
    rules = RulesRef(variant)
    if is_file_name(variant):
        definition = definition_of(Path(variant))
        rules = RulesRef(definition["id"], definition=definition)
    try:
        counted = tuple(int(score) for score in scores.split(",")) if scores else None
    except ValueError:
        raise UserError(f"{scores!r} are no scores", "Write one number a side: 16,3.") from None
    try:
        sitting = players_of(players)
        return begin(
            keeping.new_id(),
            rules,
            sitting,
            dealer=_dealer(dealer, sitting),
            scores=counted,
            started_at=datetime.now().astimezone().isoformat(timespec="seconds"),
            quick=quick,
        )
    except RecordingError as error:
        raise UserError(str(error)) from error


def _dealer(said: str | None, players: Sequence[Player]) -> int:
    """Return the seat of who deals first. Raises ``UserError`` for somebody else."""
    from tricklog.ingest.recording.people import calls, seat_called

    seat = len(players) - 1 if said is None else seat_called(players, said)
    if seat is None:
        listed = ", ".join(calls(players))
        raise UserError(f"{said} does not sit at the table", f"Players: {listed}.")
    return seat
