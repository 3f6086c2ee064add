"""What was done in a hand: calls, complete tricks, and where the points of each card went.

The engine writes it down in a history of integers; these are the same facts as objects. Sources:
0.record, 1.points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from replay.engine.records import Rules
from replay.engine.rules.history import History
from replay.engine.rules.table import side_of
from replay.model import Call, Capture, Trick
from schemas.actions import Verb, parse_action


def calls(actions: Sequence[str], history: History) -> Iterator[Call]:
    """Yield the calls of the auction, in order; ``actions`` as a log writes them."""
    for place in range(history.calls):
        index = history.call_action[place]
        action = parse_action(actions[index])
        yield Call(index, action.seat, Verb(action.verb), history.call_amount[place])


def tricks(history: History) -> Iterator[Trick]:
    """Yield the complete tricks, in order."""
    ends = [*history.first_play[1 : history.tricks], history.plays]
    plays = tuple(zip(history.play_seat, history.play_card, strict=False))
    actions = history.play_action
    for place, last in enumerate(ends[: history.tricks]):
        first = history.first_play[place]
        if first == last:
            # A trick that the record leaves out.
            continue
        winner = history.trick_winner[place]
        yield Trick(
            place + 1,
            plays[first][0],
            plays[first:last],
            0 if place else history.buried,
            winner if winner >= 0 else None,
            history.trick_points[place],
            actions[first],
            actions[last - 1],
        )


def captures(rules: Rules, history: History) -> Iterator[Capture]:
    """Yield the cards that scored points, in the order in which they were won."""
    lists = (
        history.capture_card,
        history.capture_points,
        history.capture_trick,
        history.capture_from,
        history.capture_by,
    )
    sides = [side_of(rules, seat) for seat in range(rules.seats)]
    for row in islice(zip(*lists, strict=False), history.captures):
        yield Capture(*row, sides[row[-1]])
