"""What people are called in a report: by their names, or by numbers where names are hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.schemas.hand import Hand, Player
from tricklog.schemas.languages.messages import say
from tricklog.schemas.printable import one_line


def display_name(player: str, names: Mapping[str, str], *, hidden: int | None = None) -> str:
    """Return what to call a player, by id: their name, else the id, each on one line.

    ``hidden``: the number that stands for the player where names are hidden, from 1.
    """
    if hidden is not None:
        return say("Player {number}", number=hidden)
    return one_line(names.get(player) or "") or one_line(player)


class People(Mapping[str, str]):
    """The people of a report: what to call whom, by id.

    Where names are hidden each has a number, the same throughout, and nobody's id is ever returned.
    """

    def __init__(self, names: Mapping[str, str], *, hidden: bool) -> None:
        """Take names by player id."""
        self._names = names
        self.hidden = hidden
        self._numbers: dict[str, int] = {}
        self._called = Counter(names.values())

    def __getitem__(self, player: str) -> str:
        """Return what to call a player; of people with one name the id goes with it."""
        if self.hidden:
            number = self._numbers.setdefault(player, len(self._numbers) + 1)
            return display_name(player, self._names, hidden=number)
        name = display_name(player, self._names)
        shared = self._called[self._names.get(player, "")] > 1
        return f"{name} ({one_line(player)})" if shared and name != player else name

    def __iter__(self) -> Iterator[str]:
        """Return the ids of everybody who is known by name."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many are known by name."""
        return len(self._names)

    def side(self, players: Sequence[str]) -> str:
        """Return the players of a side: ``Ann & Dee``."""
        return " & ".join(self[each] for each in players)

    def of_hand(self, hand: Hand, called: str = "-") -> Hand:
        """Return a hand whose players are called as in the report.

        Where names are hidden nothing is left of what people wrote: neither ids nor remarks. Its
        own id is ``called`` then.
        """
        players = [Player(id=self[each.id]) for each in hand.players]
        if not self.hidden:
            return replace(hand, players=players)
        return replace(
            hand,
            id=called,
            game=UNSET,
            players=players,
            notes=UNSET,
            remark=UNSET,
            ext=UNSET,
        )
