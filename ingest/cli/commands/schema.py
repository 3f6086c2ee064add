"""``tricklog schema``: print the published schemas."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import schemas
from ingest.cli.output import SUCCESS

EXAMPLES = """\
  tricklog schema                        # the hand log, tricklog/1
  tricklog schema hand-2                 # records with gaps, tricklog/2
  tricklog schema ruleset > ruleset.schema.json"""


def schema(name: Literal["hand", "hand-2", "ruleset"] = "hand", /) -> int:
    """Print a JSON Schema.

    It is JSON Schema 2020-12, of a hand, of a hand with gaps or of a file with rules of your own.

    Args:
        name: Which schema.
    """
    text = Path(schemas.__file__).with_name(f"{name}.schema.json").read_bytes()
    sys.stdout.buffer.write(text)
    return SUCCESS
