"""One small sound hand of each other system of the Pedro family, for four to seven players.

The last seat deals, seat 0 plays with the lowest bid, and everybody starts from nothing.
"""

from collections.abc import Callable

from msgspec import UNSET

from tests.kit.exchange_tables import PLAYERS, pack_rest
from tests.kit.support import Options, plays
from tricklog.schemas.hand import Claimed, Hand, Player, RulesRef


def _hand(
    variant: str,
    deal: list[str],
    actions: list[str],
    points: list[int],
    *,
    options: Options | None = None,
    **piles: str,
) -> Hand:
    """Return the hand with what it claims; everybody adds the points taken."""
    seats = len(deal)
    calls = [f"{seat} pass" for seat in range(1, seats)]
    return Hand(
        format="tricklog/1",
        id=variant,
        rules=RulesRef(variant, options=dict(options) if options else UNSET),
        players=[Player(id=name) for name in PLAYERS[:seats]],
        dealer=seats - 1,
        actions=[actions[0], *calls, *actions[1:]],
        scores=[0] * len(points),
        deal=deal,
        stock=piles.get("stock", ""),
        kitty=piles.get("kitty", ""),
        claimed=Claimed(points=points, change=points, scores=points),
    )


def cinch() -> Hand:
    """Seat 0 has seven trumps and gives the nine up; the dealer takes what they like."""
    deal = [
        "AS KS QS JS TS 9S 2S 2C 3C",
        "8S 7S 5S 2H 3H 4H 6H 7H 8H",
        "6S 5C 2D 3D 4D 6D 7D 8D 9D",
        "4S 3S 4C 6C 7C 8C 9C TC JC",
    ]
    actions = [
        *("0 bid 1", "0 trump S", "0 discard 2C 3C 9S", "1 discard 2H 3H 4H 6H 7H 8H"),
        *("2 discard 2D 3D 4D 6D 7D 8D 9D", "1 draw AH KH QH", "2 draw JH TH 9H 5H"),
        *("3 discard 4C 6C 7C 8C 9C TC JC", "3 rob AD KD QD JD"),
        *plays(
            *("0 AS 1 7S 2 5C 3 3S", "0 KS 1 8S 2 6S 3 4S", "0 QS 1 5S 2 5H 3 JD"),
            *("0 JS 1 QH 2 9H 3 QD", "0 2S 1 KH 2 TH 3 KD", "0 TS 1 AH 2 JH 3 AD"),
        ),
    ]
    return _hand("cinch", deal, actions, [14, 0], stock=" ".join(pack_rest(*deal)))


def nicaragua() -> Hand:
    """Seat 2 lays the off five off, which nobody scores; the dealer takes the nine of seat 1."""
    deal = [
        "AS KS QS JS TS 2S 2C",
        "9S 8S 5S 2H 3H 4H 5H",
        "7S 6S 5C 2D 3D 4D 5D",
        "4S 3S 6C 7C 8C 9C TC",
    ]
    actions = [
        *("0 bid 7", "0 trump S", "0 discard 2C", "1 discard 9S 2H", "2 discard 5C 2D"),
        *("3 discard 6C 7C", "0 draw AH", "1 draw KH QH", "2 draw JH TH", "3 rob 9S 9H"),
        *plays(
            *("0 AS 1 5S 2 6S 3 3S", "0 KS 1 8S 2 7S 3 4S", "0 QS 1 3H 2 3D 3 9S"),
            *("0 JS 1 4H 2 4D 3 8C", "0 TS 1 5H 2 5D 3 9C", "0 AH 1 KH 2 JH 3 9H"),
            "0 2S 1 QH 2 TH 3 TC",
        ),
    ]
    return _hand("nicaragua", deal, actions, [9, 0], stock=" ".join(pack_rest(*deal)))


def pitch_with_fives() -> Hand:
    """Everybody draws; the two is seat 1's own."""
    deal = [
        "AS KS QS 2C 3C 4C",
        "JS TS 2H 3H 4H 5H",
        "9S 2D 3D 4D 5D 6D",
        "8S 7S 6S 6C 7C 8C",
    ]
    actions = [
        *("0 bid 2", "0 trump S", "0 discard 2C 3C 4C", "1 discard 2H 3H 4H 5H"),
        *("2 discard 2D 3D 4D 5D 6D", "3 discard 6C 7C 8C", "0 draw 5S 4S 3S"),
        *("1 draw 2S AH KH QH", "2 draw JH TH 9H 8H 7H", "3 draw 6H AD KD"),
        *plays(
            *("0 AS 1 2S 2 9S 3 6S", "0 KS 1 TS 2 7H 3 7S", "0 QS 1 JS 2 8H 3 8S"),
            *("0 5S 1 QH 2 9H 3 6H", "0 4S 1 KH 2 TH 3 KD", "0 3S 1 AH 2 JH 3 AD"),
        ),
    ]
    return _hand("pitch-with-fives", deal, actions, [8, 1], stock=" ".join(pack_rest(*deal)))


def pitch_with_off_jack() -> Hand:
    """O88: seat 1 takes the ten with the off jack."""
    deal = [
        "AS KS QS 2C 3C 4C",
        "JS JC 2H 3H 4D 5C",
        "9S 2D 3D 5D 6D 7D",
        "8S 7S 6S 6C 7C 8C",
    ]
    actions = [
        *("0 bid 2", "0 trump S", "0 discard 2C 3C 4C", "1 discard 2H 3H 4D 5C"),
        *("2 discard 2D 3D 5D 6D 7D", "3 discard 6C 7C 8C", "0 draw TS 5S 4S"),
        *("1 draw 3S 2S AH KH", "2 draw QH JH TH 9H 8H", "3 draw 7H 6H 5H"),
        *plays(
            *("0 AS 1 2S 2 9S 3 6S", "0 KS 1 3S 2 QH 3 7S", "0 QS 1 JS 2 JH 3 8S"),
            *("0 TS 1 JC 2 TH 3 7H", "1 AH 2 9H 3 6H 0 5S", "0 4S 1 KH 2 8H 3 5H"),
        ),
    ]
    options: Options = {"house_rules": ["O88"]}
    rest = " ".join(pack_rest(*deal))
    return _hand("pitch-with-fives", deal, actions, [7, 3], options=options, stock=rest)


def sancho_of_six() -> Hand:
    """Seat 1 catches the nine with the queen."""
    deal = [
        "AS KS 9S 2H 3H 4H",
        "QS 5S 2D 3D 4D 5D",
        "JS 2C 3C 4C 5C 6C",
        "TS 6H 7H 8H 9H TH",
        "2S 6D 7D 8D 9D TD",
        "8S 7C 8C 9C TC JC",
    ]
    tricks = plays(
        *("0 AS 1 5S 2 JS 3 TS 4 2S 5 8S", "0 9S 1 QS 2 2C 3 6H 4 6D 5 7C"),
        *("1 2D 2 3C 3 7H 4 7D 5 8C 0 KS", "0 2H 1 3D 2 4C 3 8H 4 8D 5 9C"),
        *("3 TH 4 9D 5 TC 0 3H 1 4D 2 5C", "3 9H 4 TD 5 JC 0 4H 1 5D 2 6C"),
    )
    rest = " ".join(pack_rest(*deal))
    actions = ["0 bid 1", "0 trump S", *tricks]
    return _hand("sancho", deal, actions, [9, 9, 0, 0, 0, 0], stock=rest)


def sancho_of_seven() -> Hand:
    """With the draw of O25: seats 3 to 6 get nothing and are out of cards after the first trick."""
    deal = [
        "AS KS 2H 3H 4H 5H",
        "QS 2D 3D 4D 5D 6D",
        "JS 2C 3C 4C 5C 6C",
        "TS 7H 8H 9H TH JH",
        "9S 7D 8D 9D TD JD",
        "8S 7C 8C 9C TC JC",
        "7S QH KH AH QD KD",
    ]
    actions = [
        *("0 bid 1", "0 trump S", "0 discard 2H 3H 4H 5H"),
        *(f"{seat} discard {deal[seat][3:]}" for seat in range(1, 7)),
        *("0 draw 6S 5S 4S 3S", "1 draw 2S 6H AD AC KC", "2 draw QC"),
        *plays(
            *("0 AS 1 2S 2 JS 3 TS 4 9S 5 8S 6 7S", "0 KS 1 QS 2 QC", "0 5S 1 6H"),
            *("0 6S 1 AD", "0 4S 1 AC", "0 3S 1 KC"),
        ),
    ]
    options: Options = {"discard": "all-plain", "refill": "everybody"}
    rest = " ".join(pack_rest(*deal))
    return _hand("sancho", deal, actions, [18, *[0] * 6], options=options, stock=rest)


def snoozer_of_five() -> Hand:
    """The joker falls to the ace."""
    deal = [
        "AH KH QH 2S 3S 4S",
        "JO 9H 2D 3D 4D 6D",
        "5H 3H 2C 3C 4C 6C",
        "2H TH 6S 7S 8S 9S",
        "JH 7D 8D 9D TD JD",
    ]
    tricks = plays(
        *("0 AH 1 JO 2 3H 3 2H 4 JH", "0 KH 1 9H 2 5H 3 TH 4 7D", "0 QH 1 2D 2 2C 3 6S 4 8D"),
        *("0 2S 1 3D 2 3C 3 7S 4 9D", "3 9S 4 TD 0 3S 1 4D 2 4C", "3 8S 4 JD 0 4S 1 6D 2 6C"),
    )
    rest = " ".join(pack_rest(*deal))
    actions = ["0 bid 1", "0 trump H", *tricks]
    return _hand("snoozer", deal, actions, [36, 0, 0, 0, 0], stock=rest)


def ukrainian() -> Hand:
    """Seat 1 gives its only trump away and folds; seat 3 has six trumps then and scores the two."""
    deal = [
        "AS KS QS JS AH KH QH JH TH 9H 8H 7H 6H",
        "TS 5H 4H 3H 2H AD KD QD JD TD 9D 8D 7D",
        "9S 8S 7S 6S 6D 5D 4D 3D 2D AC KC QC JC",
        "5S 5C 4S 3S 2S TC 9C 8C 7C 6C 4C 3C 2C",
    ]
    actions = [
        *("0 bid 30", "0 trump S", "1 give TS", "1 fold"),
        *("0 discard AH KH QH JH TH 9H 8H", "2 discard 6D 5D 4D 3D 2D AC KC"),
        "3 discard TC 9C 8C 7C 6C 4C 3C 2C",
        *plays(
            *("0 AS 2 6S 3 2S", "0 KS 2 7S 3 3S", "0 QS 2 8S 3 4S", "0 JS 2 9S 3 5C"),
            *("0 7H 2 QC 3 5S", "3 TS 0 6H 2 JC"),
        ),
    ]
    return _hand("ukrainian", deal, actions, [46, 16])


def sixty_three() -> Hand:
    """Seat 0 has nine trumps, seven with points, of which it gives one."""
    deal = [
        "AS KS JS TS 9S 5S 5C QS 8S KH QH JH TH",
        "7S 6S AH AD KD QD JD TD 9D 8D 7D 6D 5D",
        "4S 3S 2S 4D 3D 2D 9H 7H 6H 5H 4H 3H 2H",
        "8H AC KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
    ]
    actions = [
        *("0 bid 1", "0 trump S", "0 give JS", "0 discard KH QH JH TH QS 8S"),
        *("1 discard AH AD KD QD JD TD 9D", "2 discard 4D 3D 2D 9H 7H 6H 5H 4H"),
        "3 discard AC KC QC JC TC 9C 8C",
        *plays(
            *("0 AS 1 6S 2 2S 3 2C", "0 KS 1 7S 2 4S 3 3C", "0 TS 1 8D 2 3S 3 4C"),
            *("0 9S 1 7D 2 JS 3 6C", "2 3H 3 8H 0 5S 1 6D", "0 5C 1 5D 2 2H 3 7C"),
        ),
    ]
    return _hand("sixty-three", deal, actions, [63, 0])


def eighty_three() -> Hand:
    """Seat 0 takes the kitty with the joker and gives three of nine trumps."""
    deal = [
        "AS KS QS JS TS 9S 8S 7S AH KH QH JH",
        "TH 9H 8H 7H 6H 5H 4H 3H 2H AD KD QD",
        "5S 5C 2S 6S JD TD 9D 8D 7D 6D 5D 4D",
        "4S 3S AC KC QC JC TC 9C 8C 7C 6C 4C",
    ]
    actions = [
        *("0 bid 30", "0 kitty JO 3D 2D 3C 2C", "0 trump S", "0 give 8S 7S TS"),
        *("0 discard AH KH QH JH 3D 2D 3C 2C", "1 discard TH 9H 8H 7H 6H 4H"),
        *("2 discard 8S JD TD 9D 8D 7D 6D 5D 4D", "3 discard AC KC QC JC TC 9C"),
        *plays(
            *("0 AS 1 2H 2 2S 3 3S", "0 KS 1 3H 2 6S 3 4S", "0 QS 1 5H 2 7S 3 8C"),
            *("0 JS 1 AD 2 5C 3 7C", "0 9S 1 KD 2 TS 3 6C", "2 5S 3 4C 0 JO 1 QD"),
        ),
    ]
    return _hand("eighty-three", deal, actions, [83, 0], kitty="JO 3D 2D 3C 2C")


FAMILY: dict[str, Callable[[], Hand]] = {
    "cinch": cinch,
    "nicaragua": nicaragua,
    "pitch-with-fives": pitch_with_fives,
    "pitch-with-fives-O88": pitch_with_off_jack,
    "sancho-6": sancho_of_six,
    "sancho-7": sancho_of_seven,
    "snoozer-5": snoozer_of_five,
    "ukrainian": ukrainian,
    "sixty-three": sixty_three,
    "eighty-three": eighty_three,
}
