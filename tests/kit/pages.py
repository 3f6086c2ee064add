"""The hands that stand on pages of the documentation, as they stand there."""

import re
from pathlib import Path
from typing import Final

from schemas.hand import Hand, decode_hand

PAGE: Final = Path(__file__).parents[2] / "docs" / "hand-log.md"


def page_of_gaps() -> list[Hand]:
    """The records with gaps on the page of the hand log."""
    text = PAGE.read_text("utf-8")
    part = text[text.index("## Records with gaps") :]
    blocks = re.findall(r"^```json\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    return [decode_hand(block) for block in blocks]
