"""What both versions of the hand log are made of: numbers, texts, players and rules."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.limits import (
    MAX_ACTION,
    MAX_LIST,
    MAX_NAME,
    MAX_SCORE,
    MAX_SEATS,
    MAX_TIME,
)

Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Score = Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
PerSide = Annotated[list[Score], Meta(min_length=2, max_length=MAX_SEATS)]
CardList = Annotated[str, Meta(max_length=MAX_LIST, extra_json_schema={"$ref": "#/$defs/cards"})]
ActionText = Annotated[
    str, Meta(min_length=3, max_length=MAX_ACTION, extra_json_schema={"$ref": "#/$defs/action"})
]
Time = Annotated[str, Meta(max_length=MAX_TIME, extra_json_schema={"$ref": "#/$defs/time"})]
Moment = Annotated[str, Meta(max_length=MAX_TIME, extra_json_schema={"$ref": "#/$defs/moment"})]
ActionKey = Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,2})(?!\n)$")]
OptionValue = bool | int | str | list[int | str] | dict[str, int]
Status = Literal["complete", "in_progress", "abandoned", "thrown_in", "claimed", "decided"]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat at a seat."""

    id: Name
    """Stays the same from hand to hand, wherever the player sits; may be a pseudonym."""
    name: Name | UnsetType = UNSET
    """What people call the player; the id when absent."""
    kind: Literal["human", "bot"] | UnsetType = UNSET
    """Whether a human or a program decided."""


class RulesRef(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rules the table played: a variant, its version, and the house rules on top."""

    variant: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}(?!\n)$")]
    """Id of the variant."""
    version: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType = UNSET
    """Version of the variant; the newest one when absent."""
    options: dict[str, OptionValue] | UnsetType = UNSET
    """House rules: policy name to value, as in the variant files."""
    definition: dict[str, Any] | UnsetType = UNSET
    """A user's own rules, embedded whole: the content of their TOML file."""
