"""Why something has no value, no score or no ledger, in the language of the viewer.

The studies of ``replay`` say it in English, and so it is kept with what they work out.
"""

from __future__ import annotations

from tricklog.ingest.study.season_words import WHY_NOT
from tricklog.schemas.languages.messages import translated_in


def why_not(reason: object) -> str:
    """Return a reason, a sentence without its full stop, as it is to be shown."""
    return translated_in(WHY_NOT, str(reason))
