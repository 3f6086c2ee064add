"""Which rules the user means: a variant by name, or a file of their own."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any

from ingest.cli.output import UserError
from replay import Ruleset, RulesetError, load_rules_file, variants


def wanted_variant(name: str) -> str:
    """Return ``name`` when it is a variant. Raises ``UserError`` that lists what there is."""
    if name in variants():
        return name
    close = difflib.get_close_matches(name.lower(), variants(), 1)
    meant = f"Did you mean {close[0]}? " if close else ""
    raise UserError(f"there is no variant {name!r}", f"{meant}Known are {', '.join(variants())}.")


def ruleset_from(path: Path) -> Ruleset:
    """Return the ruleset of a user's file. Raises ``UserError`` that says what to correct."""
    try:
        return load_rules_file(path)
    except RulesetError as error:
        raise UserError(f"{path}: {error.pointer or 'the file'} {error.message}") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error


def rules_definition(path: Path) -> dict[str, Any]:
    """Return the content of a user's rules file, ready to be embedded in hands, with an id.

    Without one of its own that is the id of the game it extends, as everywhere. Raises
    ``UserError`` that says what to correct.
    """
    ruleset = ruleset_from(path)
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    data.setdefault("id", ruleset.id)
    return data
