"""What the card table in the browser is given, made whole again as the browser does it."""

from typing import Any

from tricklog.core import Replay
from tricklog.core.render.sentences import moment_of
from tricklog.dashboard.data.hand_data import FIRST_SIGN, hand_data


def data_of(replayed: Replay) -> dict[str, Any]:
    found = [(finding, moment_of(finding, replayed)) for finding in replayed.findings]
    return hand_data(replayed, found, 0)


def whole_frames(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Every frame in full: the one before, and what differs from it."""
    frames = [data["frames"][0]]
    for changes in data["frames"][1:]:
        seats = [
            seat | changes.get("seats", {}).get(str(place), {})
            for place, seat in enumerate(frames[-1]["seats"])
        ]
        frames.append(frames[-1] | changes | {"seats": seats})
    return frames


def named(text: str, data: dict[str, Any]) -> str:
    for seat, name in enumerate(data["names"]):
        text = text.replace(chr(FIRST_SIGN + seat), name)
    return text
