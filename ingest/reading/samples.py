"""The sample logs that come with Tricklog, for a first look and for the empty dashboard."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PLACES: Final = (
    Path(__file__).parents[1] / "sample_logs",
    Path(__file__).parents[3] / "sample_logs",
)


def samples_folder() -> Path:
    """Return the folder of the sample logs: beside this file when installed, else the checkout's.

    Raises ``FileNotFoundError`` when the installation lacks them.
    """
    for place in _PLACES:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the sample logs are missing: there is no {_PLACES[0]}")
