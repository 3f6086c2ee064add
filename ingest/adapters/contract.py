"""What an adapter is: the contract between Tricklog and whoever reads another program's records.

A plug-in imports this as ``tricklog.adapters``. ``docs/adapters.md`` puts the contract into words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tricklog.schemas.hand import Hand

CONTRACT: Final = 1
"""The version of this contract; counted up when an adapter written for it would no longer do."""


@dataclass(frozen=True, slots=True)
class GroupBy:
    """How lines of a log belong together into one record.

    Lines of several records may come mixed; within each record they stay in order. Both functions
    get one decoded line. They raise ``ForeignError`` for a line that no record can have, and
    nothing else.
    """

    key: str | Callable[[Any], str | None]
    """The field that names the record a line belongs to, a text or a whole number; or a function
    that returns the name, ``None`` for a line that belongs to no record and is passed over."""
    ends: Callable[[Any], bool]
    """Whether the record is complete with this line."""
    across_files: bool = False
    """Whether a record that is not complete at the end of a file goes on in the next one; else it
    is unfinished there, and the same key in another file is another record."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """One shape of foreign log.

    ``convert`` takes one decoded JSON record and returns its hands, at least one; with ``group_by``
    it takes the list of the decoded lines that the record consists of. It raises ``ForeignError``,
    and nothing else, for any record that it cannot turn into hands. Anything else it raises is a
    fault of the adapter, and makes a reject of that record.
    """

    name: str
    """What ``--from`` takes: small letters, digits and hyphens. Ids of its hands begin with it."""
    program: str
    """Which program's records, in a few words."""
    convert: Callable[[Any], list[Hand]]
    shape: type[msgspec.Struct]
    """What a record holds, of which ``convert`` reads it; with ``group_by``, what every line holds.
    A record that has all its required fields is taken for one of this program."""
    contract: int
    """The version of the contract that it was written for, as a number: ``contract=1``."""
    group_by: GroupBy | None = None
    """How lines belong together; ``None`` where each line is a record."""
    is_text: Callable[[bytes], bool] | None = None
    """Whether a line is one of the words that the program writes around its records, which say
    nothing that these do not; ``None`` where it writes none."""

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields that every record, or every line of one, has."""
        listed = msgspec.structs.fields(self.shape)
        return frozenset(each.encode_name for each in listed if each.required)
