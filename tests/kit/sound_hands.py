"""One small sound hand of each system, written out: what other tests break on purpose.

Seat 3 deals, seat 0 plays with spades as trumps, and both sides start from nothing.
"""

from collections.abc import Callable

from msgspec.structs import replace

from tests.kit.support import hand_of, plays
from tricklog.schemas.hand import Claimed, Hand, OptionValue, RulesRef

PASSES = ["1 pass", "2 pass", "3 pass"]

# Pedro and Pidro: seat 0 has six trumps, the stock is all plain. Seats 0 and 2 take 8 points in
# tricks and keep their own two: 9 to 5.
PEDRO_DEAL = [
    "AS KS QS JS TS 2S 2C 3C 4C",
    "9S 8S 5S 2H 3H 4H 5H 6H 7H",
    "7S 6S 5C 2D 3D 4D 5D 6D 7D",
    "4S 3S 6C 7C 8C 9C TC JC QC",
]
PEDRO_STOCK = "KC AC 8H 9H TH JH QH KH AH 8D 9D TD JD QD KD AD"
PEDRO_EXCHANGE = [
    "0 discard 2C 3C 4C",
    "1 discard 2H 3H 4H 5H 6H 7H",
    "2 discard 2D 3D 4D 5D 6D 7D",
    "3 discard 6C 7C 8C 9C TC JC QC",
    "1 draw KC AC 8H",
    "2 draw 9H TH JH",
]
TRUMP_TRICKS = ["0 AS 1 5S 2 6S 3 3S", "0 JS 1 8S 2 7S 3 4S"]


def pedro() -> Hand:
    """The contract of T25: 9 bid and just made, because the two counts for its holder."""
    tricks = plays(
        *TRUMP_TRICKS,
        "0 2S 1 9S 2 5C 3 QH",
        "1 KC 2 9H 3 KH 0 TS",
        "0 KS 1 AC 2 TH 3 AH",
        "0 QS 1 8H 2 JH 3 8D",
    )
    actions = ["0 bid 9", *PASSES, "0 trump S", *PEDRO_EXCHANGE, "3 rob QH KH AH 8D", *tricks]
    return _claiming("pedro", actions, [9, 5], [9, 5], deal=PEDRO_DEAL, stock=PEDRO_STOCK)


def pidro() -> Hand:
    """After trick 3 only seat 0 has trumps, though seat 1 won it."""
    actions = [
        *("0 bid 9", *PASSES, "0 trump S", *PEDRO_EXCHANGE),
        "3 rob QH KH AH 8D 9D TD JD QD KD AD",
        "3 discard QH KH AH 8D 9D TD",
        *plays(*TRUMP_TRICKS, "0 2S 1 9S 2 5C", "0 TS", "0 KS", "0 QS"),
    ]
    return _claiming("pidro", actions, [9, 5], [9, 5], deal=PEDRO_DEAL, stock=PEDRO_STOCK)


# King Pedro: seat 0 has seven trumps and buries one. The two is all that the others get.
KING_DEAL = [
    "AS KS QS JS TS 9S 8S 2H 3H 4H 5H 6H",
    "7S 6S 5S JH QH KH AH 2D 3D 4D 5D 6D",
    "5C 4S 3S 7D 8D 9D TD JD QD KD AD 2C",
    "2S 3C 4C 6C 7C 8C 9C TC JC QC KC AC",
]


def king_pedro() -> Hand:
    """Everybody else drops out on the way; the last three tricks are seat 0's alone."""
    actions = [
        *("0 bid 30", *PASSES, "0 trump S", "0 kitty 7H 8H 9H TH"),
        "0 discard 2H 3H 4H 5H 6H 7H 8H 9H TH",
        "1 discard JH QH KH AH 2D 3D",
        "2 discard 7D 8D 9D TD JD QD",
        "3 discard 3C 4C 6C 7C 8C 9C",
        "0 bury 8S",
        *plays("0 AS 1 5S 2 3S 3 2S", "0 KS 1 6S 2 4S", "0 QS 1 7S 2 5C", "0 JS", "0 TS", "0 9S"),
    ]
    return _claiming(
        "king-pedro", actions, [43, 1], [43, 1], deal=KING_DEAL, kitty="7H 8H 9H TH", stock=""
    )


# Twenty-Nine: seat 1 has no heart and asks at once. 16 bid and just made.
TWENTY_NINE_DEAL = [
    "JH 9H AH TH JS 9S KS QS",
    "JD 9D AD TD KD QD 8D 7D",
    "KH QH 8H 7H JC 9C AC TC",
    "AS TS 8S 7S KC QC 8C 7C",
]

EVEN = [
    "JH 9H JD 9D JC 9C JS 9S",
    "AH TH AD TD AC TC AS TS",
    "KH QH KD QD KC QC KS QS",
    "8H 7H 8D 7D 8C 7C 8S 7S",
]
"""Everybody has two cards of each suit, so trumps need never come to light."""


def twenty_nine() -> Hand:
    """Seat 0 holds king and queen of trumps and could declare them after every trick but one."""
    actions = [
        *("0 bid 16", *PASSES, "0 trump S"),
        *("0 play JH", "1 ask", "0 reveal S", "1 play 7D", "2 play 7H", "3 play 7C"),
        *plays(
            "0 JS 1 8D 2 8H 3 7S",
            "0 9S 1 QD 2 QH 3 8S",
            "0 9H 1 KD 2 KH 3 8C",
            "0 AH 1 TD 2 AC 3 QC",
            "0 TH 1 AD 2 TC 3 KC",
            "0 KS 1 9D 2 9C 3 AS",
            "3 TS 0 QS 1 JD 2 JC",
        ),
    ]
    return _claiming("twenty-nine", actions, [16, 12], [1, 0], deal=TWENTY_NINE_DEAL)


def alone_with_trumps() -> Hand:
    """Seat 0 takes over from seat 1, who has named hearts, and chooses spades (O87)."""
    actions = [
        *("0 pass", "1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump H", "0 solo", "0 trump S"),
        *plays(
            *("0 JS 1 9C 3 7S", "0 9S 1 7H 3 8S", "0 AS 1 JC 3 7C", "0 KS 1 8H 3 8C"),
            *("0 QS 1 QH 3 QC", "0 TS 1 KH 3 KC", "0 JH 1 TH 3 TC", "0 9H 1 AH 3 AC"),
        ),
    ]
    deal = [
        *("JS 9S AS KS QS TS JH 9H", "AH TH KH QH 8H 7H JC 9C"),
        *("JD 9D AD TD KD QD 8D 7D", "8S 7S AC TC KC QC 8C 7C"),
    ]
    hand = _claiming("twenty-nine", actions, [21, 0], [3, 0], deal=deal)
    options: dict[str, OptionValue] = {"solo": "partner-hidden", "solo_trump": True}
    return replace(hand, rules=RulesRef("twenty-nine", options=options))


SOUND: dict[str, Callable[[], Hand]] = {
    "pedro": pedro,
    "pidro": pidro,
    "king-pedro": king_pedro,
    "twenty-nine": twenty_nine,
}


def _claiming(
    variant: str,
    actions: list[str],
    points: list[int],
    change: list[int],
    **cards: list[str] | str,
) -> Hand:
    claimed = Claimed(points=points, change=change, scores=change)
    return replace(hand_of(variant, actions), scores=[0, 0], claimed=claimed, **cards)


# --- Ways to break them


def place_of(hand: Hand, text: str) -> int:
    """Return the index of the only action `text`."""
    assert hand.actions.count(text) == 1, text
    return hand.actions.index(text)


def instead(hand: Hand, old: str, *new: str) -> Hand:
    """Return the hand with other actions, or none, in the place of one."""
    index = place_of(hand, old)
    return replace(hand, actions=[*hand.actions[:index], *new, *hand.actions[index + 1 :]])


def swapped(hand: Hand, one: str, other: str) -> Hand:
    """Return the hand with two actions of it in each other's place."""
    places = {one: other, other: one}
    return replace(hand, actions=[places.get(text, text) for text in hand.actions])


def up_to(hand: Hand, text: str) -> Hand:
    """Return the hand as a record that stops after an action."""
    return replace(hand, actions=hand.actions[: place_of(hand, text) + 1])
