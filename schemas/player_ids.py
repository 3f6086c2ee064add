"""The id of a player of whom only a name is known: one rule for every way that hands come in."""

import unicodedata


def id_of_name(name: str) -> str:
    """Return the id of a player who has none of their own: ``ann-lee`` for ``Ann  Lee``.

    Text, score sheets and hands recorded at the table share it, so that one name is one player.
    Accents are kept, each letter with its accent as one character where there is one.
    """
    return "-".join(unicodedata.normalize("NFC", name.lower()).split())
