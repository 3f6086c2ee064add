"""Themes: in what kind of position a choice cost something, one for each choice that did.

Of the themes of a family of games the first that fits is that of a loss, so that what they cost
adds up; a loss that none fits is ``REST``. A theme has chances as well: the decisions with a choice
in which it could have cost something. One decision may be a chance of several themes.
``docs/ledger.md`` says in words what each is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

REST: Final = "rest"
"""The theme of a loss that none fits, and of all losses in games without themes."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme, with SQL over the columns of decisions."""

    title: str
    """What it is called, also among the values of the dimension."""
    lost: str
    """Whether a choice that cost something is of this theme, if of none before it."""
    chance: str = ""
    """Whether a decision is a chance of it, which every loss of the theme is besides; empty where
    it is one wherever ``lost`` fits."""


def _of_hand(value: str, rows: str, where: str = "true") -> str:
    """Return a value over some rows of the hand, whose columns have ``its_`` before their names."""
    return (
        rf"(SELECT {value} FROM (SELECT COLUMNS('.*') AS 'its_\0' FROM {rows}) "  # noqa: S608 - our own
        f"WHERE its_hand_no = hand_no AND {where})"
    )


def _holds(*cards: str, who: str = "its_seat = seat") -> str:
    """Return whether a point card, of all or of those named, falls in this trick or later."""
    some = f" AND its_point_card IN {cards}" if cards else ""
    return f"trick <= {_of_hand('max(its_trick)', 'card_rows', who + some)}"


_CARDS: Final = "deed = 'card' AND choices > 1"
_LEADS: Final = f"{_CARDS} AND turn = 0"
_FOLLOWS: Final = f"{_CARDS} AND turn > 0"
_OPENS: Final = f"{_LEADS} AND trick = 1 AND role = 'maker'"
_LEFT: Final = f"{_of_hand('max(its_trick_count)', 'seat_rows')} - trick"
"""Tricks after this one."""
_DECLARED: Final = f"{_of_hand('max(its_pairs)', 'seat_rows', 'its_seat = seat')} > 0"
_OVER_FIVE: Final = _of_hand(
    "max(its_trick)",
    "decision_rows",
    "its_deed = 'card' AND its_seat = seat AND its_card[2] = suit::VARCHAR "
    "AND its_card[1] NOT IN ('2', '3', '4', '5')",
)
_PLAYED: Final = (
    "(SELECT played.*, led.card[2] AS led FROM decision_rows AS played JOIN decision_rows AS led "
    "USING (hand_no, trick) WHERE played.deed = 'card' AND led.deed = 'card' AND led.turn = 0)"
)
_VOID: Final = f"card[2] <> {_of_hand('max(its_led)', _PLAYED, 'its_trick = trick')}"
_ASKS_FREELY: Final = _of_hand(
    "any_value(its_free)",
    "(SELECT hand_no, (policies->>'ask') LIKE 'optional%' AS free FROM games.hands "
    "JOIN games.seatings USING (seating_id) JOIN games.rulesets USING (ruleset))",
)
# Who has to ask does so with the first card that is not of the suit led.
_SHOWN: Final = (
    f"CASE WHEN {_ASKS_FREELY} THEN {_of_hand('min(its_action)', _PLAYED, 'its_showed')} "
    f"ELSE {_of_hand('min(its_action)', _PLAYED, 'its_card[2] <> its_led')} END"
)
_HIDDEN: Final = f'coalesce("action" <= {_SHOWN}, true)'
_KEPT_BACK: Final = Theme(
    "points kept back", "loss_kind = 'points kept back'", f"{_FOLLOWS} AND {_holds()}"
)
_ASKING: Final = Theme(
    "asking for trumps",
    "loss_kind IN ('asked for trumps', 'did not ask for trumps')",
    f"{_FOLLOWS} AND {_HIDDEN} AND {_ASKS_FREELY} AND {_VOID}",
)
NO_PAIR: Final = Theme(
    "pair not declared",
    "deed = 'silence'",
    f"deed = 'silence' OR deed = 'card' AND trick = 1 AND {_DECLARED}",
)

THEMES: Final[Mapping[str, tuple[Theme, ...]]] = {
    "pedro": (
        Theme(
            "pedro given away",
            "loss_kind = 'pedro given away'",
            f"{_CARDS} AND {_holds('5', 'off five')}",
        ),
        Theme(
            "cinch missed",
            "loss_kind = 'cinch missed'",
            f"{_FOLLOWS} AND turn = 2 AND len(opponents) = 2 AND trick <= {_OVER_FIVE} "
            f"AND {_holds('5', 'off five', who='its_seat <> seat')}",
        ),
        Theme("opening lead of the maker", _OPENS),
        Theme(
            "drawing trumps",
            f"{_LEADS} AND by_makers",
            f"{_LEADS} AND by_makers AND NOT ({_OPENS})",
        ),
        Theme("leads of the defenders", f"{_LEADS} AND NOT by_makers"),
        Theme(
            "trump too high in tricks 1 and 2",
            "loss_kind = 'trump wasted' AND trick <= 2",
            f"{_FOLLOWS} AND trick <= 2",
        ),
        _KEPT_BACK,
        Theme("the last two tricks", f"{_CARDS} AND {_LEFT} < 2"),
    ),
    "twenty-nine": (
        _ASKING,
        NO_PAIR,
        Theme(
            "jack or nine given away",
            "loss_kind = 'point card given away' AND rank IN ('J', '9')",
            f"{_CARDS} AND {_holds('J', '9')}",
        ),
        _KEPT_BACK,
        Theme("leads before the trump is out", f"{_LEADS} AND {_HIDDEN}"),
        Theme("leads after the trump is out", f"{_LEADS} AND NOT {_HIDDEN}"),
        Theme("trump wasted", "loss_kind = 'trump wasted'", f"{_FOLLOWS} AND NOT {_HIDDEN}"),
        Theme("the last three tricks", f"{_CARDS} AND {_LEFT} < 3"),
    ),
}
"""The themes of each family of games, in the order in which they are tried."""

TITLES: Final = (*dict.fromkeys(each.title for each in chain(*THEMES.values())), REST)
"""What the themes are called, each once."""
FIRST: Final = {
    family: " ".join(
        [
            "CASE",
            *(f"WHEN {each.lost} THEN '{each.title}'" for each in listed),
            f"ELSE '{REST}' END",
        ]
    )
    for family, listed in THEMES.items()
}
"""The theme of a choice that cost something, by family."""
_OF_FAMILY: Final = " ".join(f"WHEN '{family}' THEN {first}" for family, first in FIRST.items())
THEME_SQL: Final = (
    f"CASE WHEN loss > 0 AND choices > 1 THEN CASE family {_OF_FAMILY} ELSE '{REST}' END END"
)
"""The theme of a decision; NULL where it cost nothing or was no choice."""
