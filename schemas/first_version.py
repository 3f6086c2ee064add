"""The fields of the hand log ``tricklog/1``, which is frozen: those of version 2 without its gaps.

The JSON Schema ``schemas/hand.schema.json`` is made from these types, and lines that claim to be of
version 1 are held to them. Hands of either version are read into ``tricklog.schemas.hand.Hand``.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import Decoder
from msgspec.structs import fields

from tricklog.schemas.hand import Hand, Score, Seat, Status
from tricklog.schemas.limits import MAX_SEATS, MAX_TIME, MAX_WINNERS

PerSide = Annotated[list[Score], Meta(min_length=2, max_length=MAX_SEATS)]
Time = Annotated[str, Meta(max_length=MAX_TIME, extra_json_schema={"$ref": "#/$defs/time"})]


class Claimed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the record says came out of the hand; checked, never adopted."""

    points: PerSide | UnsetType = UNSET
    """Card points counted, one entry per side."""
    change: PerSide | UnsetType = UNSET
    """What was added to the running scores (Twenty-Nine: game points), one entry per side."""
    scores: PerSide | UnsetType = UNSET
    """Running scores after the hand, one entry per side."""
    winners: Annotated[list[Seat], Meta(max_length=MAX_WINNERS)] | UnsetType = UNSET
    """The seat each trick was given to, in order."""


class Otherwise(Struct, kw_only=True):
    """One recorded deal. Seats count clockwise from 0, whichever way the game is played.

    Cards stand in lists separated by one space: ``AS`` a card, ``?`` not recorded, ``*`` hidden
    from the recorder. An absent ``deal``, ``stock`` or ``kitty`` was not recorded at all; an empty
    one was never dealt.
    """

    format: Literal["tricklog/1"]
    """Name and version of the format."""
    dealer: Seat
    """The seat that dealt."""
    scores: PerSide | UnsetType = UNSET
    """Running scores before the hand, one entry per side."""
    claimed: Claimed | UnsetType = UNSET
    """The result as the record has it."""
    status: Status | UnsetType = UNSET
    """How the record ends; ``complete`` when absent."""
    started_at: Time | UnsetType = UNSET
    """RFC 3339 time with offset; the local day of that offset is the day of the hand."""


_ONLY_WITH_GAPS: Final = ("known", "gaps", "remark")


def _fields() -> Iterator[tuple[str, Any] | tuple[str, Any, Any]]:
    """Yield the fields in the order of version 2, those of ``Otherwise`` as they are there."""
    own = {each.name: each for each in fields(Otherwise)}
    for each in fields(Hand):
        if each.name not in _ONLY_WITH_GAPS:
            found = own.get(each.name, each)
            yield (each.name, found.type) if found.required else (each.name, found.type, UNSET)


Record: Final = defstruct(
    "Record",
    list(_fields()),
    namespace={"__doc__": Otherwise.__doc__},
    module=__name__,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
)
"""A line of version 1."""
DECODER: Final = Decoder(Record)
