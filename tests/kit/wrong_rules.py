"""Rules as another version of the program would have them."""

import pytest

from tricklog.core.engine.rules import scoring
from tricklog.core.native import library


def wrong_scores(patch: pytest.MonkeyPatch) -> None:
    """Have a made contract change the scores by 3."""
    patch.setattr(scoring, "change_when_made", lambda *_: 3)
    # The library has the right rules.
    patch.setattr(library, "is_there", lambda: False)
