"""Rules of a user's own, dropped onto the page: read once, and then carried by every hand."""

from __future__ import annotations

from pathlib import Path

from tricklog.core.recording.draft import RecordingError
from tricklog.core.rulesets.rules_file import RulesetError
from tricklog.core.rulesets.ruleset import rules_definition
from tricklog.ingest.reading.scratch import Scratch
from tricklog.schemas.hand import RulesRef
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number

_LONGEST = 1 << 20
"""Bytes of a file that is read."""


def own_rules(name: str, content: bytes) -> RulesRef:
    """Return the rules of a file, as hands carry them.

    Raises ``RecordingError`` that says what is wrong with it, and where.
    """
    if len(content) > _LONGEST:
        size = number(len(content))
        raise RecordingError(
            say("{file} has {count} bytes, too many for rules", file=name, count=size)
        )
    with Scratch() as folder:
        path = Path(folder) / (Path(name).name or "rules.toml")
        path.write_bytes(content)
        try:
            definition = rules_definition(path)
        except RulesetError as error:
            where = error.pointer or say("the file")
            raise RecordingError(f"{name}: {where} {error.message}") from None
    return RulesRef(definition["id"], definition=definition)
