"""What the engine writes in the codes of the warehouse, from parts of a hand."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.log_lines import SOUND_LINE
from tricklog.core import Replay
from tricklog.core.engine import facts
from tricklog.core.engine.facts import caller
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.core.engine.rules.history import NOBODY, History
from tricklog.core.judging.setup import read_actions, workspace_of
from tricklog.ingest.store import record_codec
from tricklog.schemas.actions import VERB_NAMES, Verb
from tricklog.schemas.hand import Hand, Player, decode_hand

_SOUND = decode_hand(SOUND_LINE)
_ROOM = 8_000


def hand_of(seats: int, **fields: Any) -> Hand:  # noqa: ANN401 - fields of a hand
    players = [Player(f"player-{seat}") for seat in range(seats)]
    return replace(_SOUND, players=players, dealer=0, **fields)


def workspace(hand: Hand) -> Workspace:
    """What the hand is replayed on, not laid out."""
    return workspace_of(hand, read_actions(hand))


def deal_code(hand: Hand) -> str:
    return record_codec.written(facts.write_deal, workspace(hand))


def cards_code(text: str) -> str:
    """The code of a list of cards as a log writes it: ``AS ? 2H`` is ``</=``."""
    return deal_code(hand_of(4, stock=text)).split(",")[1]


def deeds_code(actions: Sequence[str], seats: int) -> str:
    hand = hand_of(seats, deal=UNSET, actions=list(actions))
    deeds, kept, rest = record_codec.deeds_of(hand, workspace(hand))
    assert (kept, rest) == (len(actions), "")
    return deeds


def set_code(cards: int) -> str:
    room = bytearray(_ROOM)
    return room[: facts.write_set(room, 0, cards)].decode()


def pair_code(number: int) -> str:
    room = bytearray(2)
    facts.write_pair(room, 0, number)
    return room.decode()


def trick_code(winner: int, size: int, points: int) -> int:
    """The integer of a trick; ``winner``: -1 for nobody known."""
    written = History(tricks=1, plays=size)
    written.trick_winner[0], written.trick_points[0] = winner, points
    return facts.trick_of(written, 0)


def call_code(action: str, amount: int, standing: int, lowest: int, *, had_choice: bool) -> int:
    """The integer of a call; ``standing``: -1 where nobody had bid."""
    place = workspace(hand_of(7, deal=UNSET, actions=[action]))
    written = place.history
    written.calls = 1
    written.call_amount[0], written.call_standing[0] = amount, standing
    written.call_lowest[0], written.call_choice[0] = lowest, int(had_choice)
    return facts.call_of(place, 0)


def capture_code(card: int, points: int, trick: int, from_seat: int, by_seat: int) -> int:
    """The integer of a capture, of a card that no trick took."""
    place = workspace(_SOUND)
    written = place.history
    written.captures = 1
    written.capture_card[0], written.capture_points[0] = card, points
    written.capture_trick[0] = trick
    written.capture_from[0], written.capture_by[0] = from_seat, by_seat
    return facts.capture_of(place, Rules(), NO_TRUMPS, 0)


# --- Facts of calls

Facts = tuple[int, str, int, int | None, int, bool]
"""Seat, what it called, amount, whose bid stood, lowest number, whether there was a choice."""


def call_facts(replayed: Replay) -> list[Facts]:
    place = replayed.workspace
    history = place.history
    return [
        (
            caller(place, call),
            VERB_NAMES[Verb(place.actions[history.call_action[call]].verb)],
            history.call_amount[call],
            None if (stood := history.call_standing[call]) == NOBODY else stood,
            history.call_lowest[call],
            history.call_choice[call] == 1,
        )
        for call in range(history.calls)
    ]


def as_text(facts: Facts) -> str:
    """Return them as cases write them: `1 pass 0 0 8 free`, and `-` where no bid stood."""
    seat, verb, amount, standing, lowest, is_free = facts
    over = "-" if standing is None else standing
    return f"{seat} {verb} {amount} {over} {lowest}{' free' if is_free else ''}"
