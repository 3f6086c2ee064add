"""What a replay notes of each call."""

from tricklog.core import Replay
from tricklog.core.engine.facts import caller
from tricklog.core.engine.rules.history import NOBODY
from tricklog.schemas.actions import VERB_NAMES, Verb

Facts = tuple[int, str, int, int | None, int, bool]
"""Seat, what it called, amount, whose bid stood, lowest number, whether there was a choice."""


def facts_of(replayed: Replay) -> list[Facts]:
    place = replayed.workspace
    history = place.history
    return [
        (
            caller(place, call),
            VERB_NAMES[Verb(place.actions[history.call_action[call]].verb)],
            history.call_amount[call],
            nobody_or(history.call_standing[call]),
            history.call_lowest[call],
            history.call_choice[call] == 1,
        )
        for call in range(history.calls)
    ]


def nobody_or(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def as_text(facts: Facts) -> str:
    """Return them as cases write them: `1 pass 0 0 8 free`, and `-` where no bid stood."""
    seat, verb, amount, standing, lowest, is_free = facts
    over = "-" if standing is None else standing
    return f"{seat} {verb} {amount} {over} {lowest}{' free' if is_free else ''}"
