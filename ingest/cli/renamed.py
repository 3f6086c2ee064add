"""The names that commands and options had, each with what stands for it until 1.0.0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from tricklog.ingest.cli.output import note_json

COMMANDS: Final = {
    "adapters": "convert --list",
    "adapters new": "convert --new",
    "alias": "mark alias",
    "deals": "show deal",
    "doctor": "demo --check",
    "game": "show game",
    "ledger": "show ledger",
    "note": "mark note",
    "rating": "list ratings",
    "reaudit": "db reaudit",
    "rebuild": "db rebuild",
    "rejects": "db rejects",
    "rule": "rules",
    "schema": "rules --schema",
    "session": "show evening",
    "sheet": "load --inspect",
    "sheet inspect": "load --inspect",
    "summary": "stats --summary",
    "tag": "mark tag",
    "tidy": "db tidy",
    "variants": "rules",
    "verify": "db verify",
}
"""By what was typed first, the words to type now."""
OPTIONS: Final = {
    "ask": {"": "--variant"},
    "audit": {"--rules": "--variant"},
    "convert": {"--to": "--format"},
    "db rebuild": {"--to": "--output"},
    "export": {"--to": "--output"},
    "record": {"--game": "--variant"},
    "replay": {"--rules": "--variant", "--under": "--rescore --variant"},
    "report": {"--out": "--output"},
    "show deal": {"--limit": "--top"},
}
"""By command as it is called now, what was typed there; empty for the first word that stands alone.

A value goes with the last of the words that are typed now."""
_FLAGS: Final = frozenset({"--hidden", "--json", "--last"})
"""Options of ``ask`` that take no value."""


def renamed(tokens: Sequence[str]) -> list[str]:
    """Return the words of a command as they are typed now, and say on standard error what changed.

    Where a program reads standard error, which ``--json`` and ``--progress`` mean, it is an object.
    """
    words, changes = _command(list(tokens))
    name = " ".join(words[:2]) if " ".join(words[:2]) in OPTIONS else " ".join(words[:1])
    known = OPTIONS.get(name, {})
    end = words.index("--") if "--" in words else len(words)
    told: list[str] = []
    for place, word in enumerate(words[:end]):
        option, equals, value = word.partition("=")
        if option and option in known:
            changes[option] = f"tricklog {name} {known[option]}"
            told += known[option].split()
            told[-1] += equals + value
        elif "" in known and known[""] not in words and _stands_alone(words, place):
            changes[f"tricklog {name} GAME"] = f"tricklog {name} {known['']} GAME"
            told += [known[""], word]
        else:
            told.append(word)
    for old, now in changes.items():
        _say(old, now, as_object=not {"--json", "--progress"}.isdisjoint(words))
    return [*told, *words[end:]]


def _command(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words with the command as it is called now, and what changed."""
    for count in (2, 1):
        old = " ".join(words[:count])
        if now := COMMANDS.get(old):
            return [*now.split(), *words[count:]], {f"tricklog {old}": f"tricklog {now}"}
    return words, {}


def _stands_alone(words: Sequence[str], place: int) -> bool:
    """Whether a word behind the command is neither an option nor the value of one."""
    before = words[place - 1] if place > 1 else ""
    is_value = before.startswith("-") and "=" not in before and before not in _FLAGS
    return place > 0 and not words[place].startswith("-") and not is_value


def _say(old: str, now: str, *, as_object: bool) -> None:
    said = f"{old} is {now} now; the old name works until 1.0.0."
    if as_object:
        note_json({"warning": said})
    else:
        sys.stderr.write(f"{said}\n")
