"""One hand of Pedro Sancho at tables of every size, written so that its result can be read off.

Spades are trumps. The first trick brings ann eight points, the second brings bo ten, and the rest
is plain. Whoever sits beyond the fourth seat holds nothing that changes this.
"""

from typing import Any

from msgspec import UNSET

from tests.kit.support import hand_of
from tricklog.schemas.cards import CARD_NAMES, JOKER
from tricklog.schemas.hand import Hand

PLAYERS = ("ann", "bo", "cy", "dee", "eve", "fay", "gus")
_DEAL = (
    *("AS 9S 6H 4H 3H 2H", "5S KS JH TH 8H 7H", "JS QS AH KH QH 5H", "2S TS 2D 3D 4D 6D"),
    *("7S 8S 5D 7D 8D TD", "9D JD 9H QD KD AD", "2C 3C 4C 5C 6C 7C"),
)
"""Each hand in the order in which it is played."""
_LEADERS = (0, 0, 1, 2, 2, 2)
WINNERS = (0, 1, 2, 2, 2, 1)


def sancho(seats: int, *, partners: bool = False, **fields: Any) -> Hand:  # noqa: ANN401 - any field
    """Return the hand for so many players; `fields` are further fields of `Hand`."""
    deal = [text.split() for text in _DEAL[:seats]]
    dealt = {card for cards in deal for card in cards}
    actions = ["0 bid 7", *(f"{seat} pass" for seat in range(1, seats)), "0 trump S"]
    for trick, leader in enumerate(_LEADERS):
        order = [(leader + step) % seats for step in range(seats)]
        actions += [f"{seat} play {deal[seat][trick]}" for seat in order]
    return hand_of(
        "sancho",
        fields.pop("actions", actions),
        id=fields.pop("id", name_of(seats, partners=partners)),
        options={"players": [4], "sides": "partners"} if partners else None,
        players=PLAYERS[:seats],
        dealer=seats - 1,
        deal=[" ".join(cards) for cards in deal],
        stock=" ".join(name for name in CARD_NAMES[:JOKER] if name not in dealt),
        **fields,
    )


def name_of(seats: int, *, partners: bool = False) -> str:
    return f"sancho-{seats}-{'partners' if partners else 'singles'}"


TABLES = (*(sancho(seats) for seats in (4, 5, 6, 7)), sancho(4, partners=True))
"""The hand at every table there is."""


def points_of(hand: Hand) -> tuple[int, ...]:
    singly = (8, 10, *[0] * (len(hand.players) - 2))
    return singly if hand.rules.options is UNSET else (8, 10)


def sides_of(hand: Hand) -> list[str]:
    names = [player.id for player in hand.players]
    return names if hand.rules.options is UNSET else ["ann & cy", "bo & dee"]
