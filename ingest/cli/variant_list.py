"""The list of games, one line each."""

from __future__ import annotations

from ingest.cli.languages import Language, speaking
from ingest.cli.output import SUCCESS, tell


def listed_variants(language: Language | None = None) -> int:
    """Print which variants there are; return the exit status."""
    from ingest.cli.text_table import aligned
    from replay.rulesets.heads import heads
    from schemas.languages.messages import Message, say

    with speaking(language):
        titles = [say("variant"), say("title"), say("version"), say("summary")]
        rows = []
        for each in heads():
            summary = str(Message(each.summary, context="a rule"))
            rows.append([each.id, each.title, str(each.version), summary])
    for line in aligned(titles, [False, False, True, False], rows):
        tell(line)
    return SUCCESS
