"""Rules of a user's own, dropped onto the page: read once, and then carried by every hand."""

from __future__ import annotations

from pathlib import Path

from ingest.reading.scratch import Scratch
from replay.recording.draft import RecordingError
from replay.rulesets.rules_file import RulesetError
from replay.rulesets.ruleset import rules_definition
from schemas.hand import RulesRef
from schemas.languages.messages import say
from schemas.languages.numbers import number

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
