"""What forgetting a player did, or would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tricklog.ingest.forgetting.users import Written


@dataclass(slots=True)
class ForgetReport:
    """What was done, or would be, and what is left."""

    ids: dict[str, str] = field(default_factory=dict)
    """Each id that was forgotten, and the one in its place."""
    names: int = 0
    """Names beside the ids that were looked for."""
    hands: int = 0
    """Hands with another record: a player sat there, or a text named them."""
    sat: int = 0
    rejects: int = 0
    paths: int = 0
    blocks: int = 0
    """Files with what was found out about hands that were written again."""
    written: Written = field(default_factory=Written)
    logs: dict[str, int] = field(default_factory=dict)
    """Logs that name the player, and how many hands of each; they stay as they are."""
    snapshot: Path | str | None = None
    removed: int = 0
    """Files of older states that are gone."""
    dry_run: bool = False
