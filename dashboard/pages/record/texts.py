"""The texts that ``recorder.js`` shows without asking the server, in the language of the page."""

from __future__ import annotations

from typing import Final

from tricklog.schemas.languages.catalogs import catalog
from tricklog.schemas.languages.current import current
from tricklog.schemas.languages.messages import mark_counted, message, message_in

_TEXTS: Final = {
    "pad": message("Score pad"),
    "score": message_in("a heading", "Score"),
    "last": message("Nothing can be recorded after it in this hand."),
    "long": message(
        "A remark has {most} characters at most; this has {length} and is not kept.",
        most="{most}",
        length="{length}",
    ),
    "unseen": message("Not seen"),
    "one": message("+ 1 not seen"),
    "cancel": message_in("a button", "Cancel"),
    "done": message_in("a button", "Done"),
    "hand": message_in("column of a table", "hand"),
    "mend": message_in("a button", "Mend"),
    "none": message("No hand is finished yet."),
    "undo": message_in("a button", "Undo"),
}
"""By the names that the component knows; it fills in what stands in braces."""
_COUNTED: Final = {
    "late": mark_counted(
        "No connection: {count} tap is kept on this phone and sent when it is back.",
        "No connection: {count} taps are kept on this phone and sent when it is back.",
    ),
    "cards": mark_counted("{count} card", "{count} cards"),
}


def spoken() -> dict[str, str | list[str]]:
    """Return the texts by name; of those with a number that for one, and that for any other."""
    found = catalog(current())
    counted = {
        name: [found.ngettext(one, many, count) for count in (1, 2)]
        for name, (one, many) in _COUNTED.items()
    }
    return {name: str(text) for name, text in _TEXTS.items()} | counted
