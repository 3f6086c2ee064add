"""What was done in a hand: calls, complete tricks, and where the points of each card went.

The engine writes it down in a history of integers; these are the same facts as objects. Sources:
0.record, 1.points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from replay.engine.records import Rules
from replay.engine.rules.history import History
from replay.engine.rules.table import side_of
from replay.model import Call, Capture, Trick
from schemas.actions import Action, Verb


def calls(actions: Sequence[Action], history: History) -> Iterator[Call]:
    """Yield the calls of the auction, in order."""
    for place in range(history.calls):
        index = history.call_action[place]
        action = actions[index]
        yield Call(index, action.seat, Verb(action.verb), history.call_amount[place])


def tricks(history: History) -> Iterator[Trick]:
    """Yield the complete tricks, in order."""
    ends = [*history.first_play[1 : history.tricks], history.plays]
    for place in range(history.tricks):
        first, last = history.first_play[place], ends[place]
        if first == last:
            # A trick that the record leaves out.
            continue
        seats, cards = history.play_seat[first:last], history.play_card[first:last]
        winner = history.trick_winner[place]
        yield Trick(
            number=place + 1,
            leader=seats[0],
            plays=tuple(zip(seats, cards, strict=True)),
            buried=history.buried if place == 0 else 0,
            winner=winner if winner >= 0 else None,
            points=history.trick_points[place],
            first_action=history.play_action[first],
            last_action=history.play_action[last - 1],
        )


def captures(rules: Rules, history: History) -> Iterator[Capture]:
    """Yield the cards that scored points, in the order in which they were won."""
    for place in range(history.captures):
        owner = history.capture_by[place]
        yield Capture(
            card=history.capture_card[place],
            points=history.capture_points[place],
            trick=history.capture_trick[place],
            from_seat=history.capture_from[place],
            by_seat=owner,
            side=side_of(rules, owner),
        )
