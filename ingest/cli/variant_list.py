"""The list of games, one line each, from the beginning of their files: no rule is read for it."""

from __future__ import annotations

import tomllib
from importlib import resources

from ingest.cli.languages import Language, speaking
from ingest.cli.output import SUCCESS, tell


def listed_variants(language: Language | None = None) -> int:
    """Print which variants there are; return the exit status."""
    from ingest.cli.text_table import aligned
    from schemas.languages.messages import Message, say

    with speaking(language):
        titles = [say("variant"), say("title"), say("version"), say("summary")]
        rows = []
        folder = resources.files("replay.rulesets") / "variants"
        for path in sorted(folder.iterdir(), key=lambda each: each.name):
            said = tomllib.loads(path.read_text("utf-8").partition("\n[")[0])
            summary = str(Message(said["summary"], context="a rule"))
            rows.append([said["id"], said["title"], str(said["version"]), summary])
    for line in aligned(titles, [False, False, True, False], rows):
        tell(line)
    return SUCCESS
