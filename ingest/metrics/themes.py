"""Themes: in what kind of position a choice cost something, one for each choice that did.

Of the themes of a family of games the first that fits is that of a loss, so that what they cost
adds up; a loss that none fits is ``REST``. A theme has chances as well: the decisions with a choice
in which it could have cost something. One decision may be a chance of several themes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

REST: Final = "rest"
"""The theme of a loss that none fits, and of all losses in games without themes."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme, with SQL over the columns of decisions."""

    title: str
    """What it is called, also among the values of the dimension."""
    sentence: str
    lost: str
    """Whether a choice that cost something is of this theme, if of none before it."""
    chance: str
    """Whether a decision is a chance of it; a loss of the theme is one in any case."""
    of_cards: bool = True
    """Whether its losses are cards that were played, which can be asked again."""


# Names that the facts do not have stand for the columns of other rows of the hand.
def _holds(*cards: str, who: str = "holder = seat") -> str:
    """Return whether a point card falls in this trick or a later one, of all those or of some."""
    some = f" AND held IN {cards}" if cards else ""
    return (
        "trick <= (SELECT max(fell) FROM (SELECT hand_no AS held_in, seat AS holder, trick AS fell, "  # noqa: S608 - our own
        f"point_card AS held FROM card_rows) WHERE held_in = hand_no AND {who}{some})"
    )


def _first(condition: str) -> str:
    """Return the first action of the hand that shows trumps."""
    return (
        '(SELECT min(came) FROM (SELECT hand_no AS came_in, "action" AS came, showed AS shown, '  # noqa: S608 - our own
        "card[2] <> led AS off FROM decision_rows JOIN (SELECT hand_no, trick, card[2] AS led FROM "
        "decision_rows WHERE turn = 0 AND deed = 'card') USING (hand_no, trick) "
        f"WHERE deed = 'card') WHERE came_in = hand_no AND {condition})"
    )


def _of_seat(column: str) -> str:
    return (
        f"(SELECT max(counted) FROM (SELECT hand_no AS sat_in, seat AS sat_at, {column} AS counted "  # noqa: S608 - our own
        "FROM seat_rows) WHERE sat_in = hand_no AND sat_at = seat)"
    )


_CARDS: Final = "deed = 'card' AND choices > 1"
_LEADS: Final = f"{_CARDS} AND turn = 0"
_FOLLOWS: Final = f"{_CARDS} AND turn > 0"
_LEFT: Final = f"{_of_seat('trick_count')} - trick"
"""Tricks after this one."""
_HOLDS_OVER_FIVE: Final = (
    "trick <= (SELECT max(fell) FROM (SELECT hand_no AS held_in, seat AS holder, trick AS fell, "
    "card AS held FROM decision_rows WHERE deed = 'card') WHERE held_in = hand_no "
    "AND holder = seat AND held[2] = suit::VARCHAR AND held[1] NOT IN ('2', '3', '4', '5'))"
)
_LED: Final = (
    "(SELECT max(led) FROM (SELECT hand_no AS led_in, trick AS led_to, card[2] AS led "
    "FROM decision_rows WHERE turn = 0 AND deed = 'card') WHERE led_in = hand_no "
    "AND led_to = trick)"
)
_ASKS_FREELY: Final = (
    "(SELECT max(free) FROM (SELECT hand_no AS ruled, (policies->>'ask') LIKE 'optional%' AS free "
    "FROM games.hands JOIN games.seatings USING (seating_id) JOIN games.rulesets USING (ruleset)) "
    "WHERE ruled = hand_no)"
)
# Who must ask does so with the first card that is not of the suit led.
_HIDDEN: Final = (
    f'coalesce("action" <= CASE WHEN {_ASKS_FREELY} THEN {_first("shown")} '
    f"ELSE {_first('off')} END, true)"
)
_KEPT_BACK: Final = Theme(
    "points kept back",
    "A card with fewer points than could go to a trick that the own side won. A chance is a card "
    "put to a lead by who holds a card with points.",
    lost="loss_kind = 'points kept back'",
    chance=f"{_FOLLOWS} AND {_holds()}",
)

THEMES: Final[Mapping[str, tuple[Theme, ...]]] = {
    "pedro": (
        Theme(
            "pedro given away",
            "A five of trumps that went to the other side, where a card with fewer points could be "
            "played. A chance is a card of who holds a five of trumps.",
            lost="loss_kind = 'pedro given away'",
            chance=f"{_CARDS} AND {_holds('5', 'off five')}",
        ),
        Theme(
            "cinch missed",
            "The third of four did not keep a five of the fourth from winning. A chance is the "
            "third card of who holds a trump above the five while another holds a five.",
            lost="loss_kind = 'cinch missed'",
            chance=f"{_FOLLOWS} AND turn = 2 AND len(opponents) = 2 AND {_HOLDS_OVER_FIVE} "
            f"AND {_holds('5', 'off five', who='holder <> seat')}",
        ),
        Theme(
            "opening lead of the maker",
            "The maker's lead to the first trick, which is a chance each time.",
            lost=f"{_LEADS} AND trick = 1 AND role = 'maker'",
            chance=f"{_LEADS} AND trick = 1 AND role = 'maker'",
        ),
        Theme(
            "drawing trumps",
            "Every other lead of the makers: to draw trumps, with which one, or to leave them.",
            lost=f"{_LEADS} AND by_makers",
            chance=f"{_LEADS} AND by_makers AND NOT (trick = 1 AND role = 'maker')",
        ),
        Theme(
            "leads of the defenders",
            "Every lead of the defenders.",
            lost=f"{_LEADS} AND NOT by_makers",
            chance=f"{_LEADS} AND NOT by_makers",
        ),
        Theme(
            "trump too high in tricks 1 and 2",
            "A trump put to a lead where it brought nothing and another card could go. A chance is "
            "a card put to a lead in these tricks.",
            lost="loss_kind = 'trump wasted' AND trick <= 2",
            chance=f"{_FOLLOWS} AND trick <= 2",
        ),
        _KEPT_BACK,
        Theme(
            "the last two tricks",
            "Any other card in them.",
            lost=f"{_CARDS} AND {_LEFT} < 2",
            chance=f"{_CARDS} AND {_LEFT} < 2",
        ),
    ),
    "twenty-nine": (
        Theme(
            "asking for trumps",
            "Trumps asked for or shown, or not, where there was the choice. A chance is a card "
            "that is not of the suit led, while trumps are hidden and nobody has to ask.",
            lost="loss_kind IN ('asked for trumps', 'did not ask for trumps')",
            chance=f"{_FOLLOWS} AND {_HIDDEN} AND {_ASKS_FREELY} AND card[2] <> {_LED}",
        ),
        Theme(
            "pair not declared",
            "King and queen of trumps kept to oneself. A chance is each time they were, and each "
            "hand in which they were declared.",
            lost="deed = 'silence'",
            chance=f"deed = 'silence' OR deed = 'card' AND trick = 1 AND {_of_seat('pairs')} > 0",
            of_cards=False,
        ),
        Theme(
            "jack or nine given away",
            "A jack or a nine that the other side won, where a card with fewer points could be "
            "played. A chance is a card of who holds a jack or a nine.",
            lost="loss_kind = 'point card given away' AND rank IN ('J', '9')",
            chance=f"{_CARDS} AND {_holds('J', '9')}",
        ),
        _KEPT_BACK,
        Theme(
            "leads before the trump is out",
            "Every lead while trumps are hidden.",
            lost=f"{_LEADS} AND {_HIDDEN}",
            chance=f"{_LEADS} AND {_HIDDEN}",
        ),
        Theme(
            "leads after the trump is out",
            "Every lead after trumps were shown.",
            lost=_LEADS,
            chance=f"{_LEADS} AND NOT {_HIDDEN}",
        ),
        Theme(
            "trump wasted",
            "A trump put to a lead where it brought nothing and another card could go. A chance is "
            "a card put to a lead after trumps were shown.",
            lost="loss_kind = 'trump wasted'",
            chance=f"{_FOLLOWS} AND NOT {_HIDDEN}",
        ),
        Theme(
            "the last three tricks",
            "Any other card in them.",
            lost=f"{_CARDS} AND {_LEFT} < 3",
            chance=f"{_CARDS} AND {_LEFT} < 3",
        ),
    ),
}
"""The themes of each family of games, in the order in which they are tried."""

TITLES: Final = tuple(
    dict.fromkeys([*(each.title for of_family in THEMES.values() for each in of_family), REST])
)
"""What the themes are called, each once."""
ASKED: Final = tuple(
    dict.fromkeys(
        each.title for of_family in THEMES.values() for each in of_family if each.of_cards
    )
)
"""Those whose losses can be asked again."""
_TRIED: Final = " ".join(
    f"WHEN family = '{family}' AND ({each.lost}) THEN '{each.title}'"
    for family, of_family in THEMES.items()
    for each in of_family
)
THEME_SQL: Final = f"CASE WHEN loss > 0 AND choices > 1 THEN CASE {_TRIED} ELSE '{REST}' END END"
"""The theme of a decision; NULL where it cost nothing or was no choice."""
