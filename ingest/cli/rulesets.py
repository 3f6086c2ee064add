"""Which rules the user means: a variant by name, or a file of their own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ingest.cli.output import UserError
from replay import Ruleset, RulesetError, load_rules_file, load_variant, variants
from replay.spelling import nearest


def wanted_rules(name: str) -> Ruleset:
    """Return the rules of a variant, or of a user's TOML file.

    Raises ``UserError`` that says what to correct, or which variants there are.
    """
    if name in variants():
        return load_variant(name)
    if is_file_name(name):
        return _rules_of_file(Path(name))
    close = nearest(name, variants())
    meant = f"Did you mean {close}? " if close else ""
    raise UserError(
        f"there is no variant {name!r}",
        f"{meant}Known are {', '.join(variants())}; rules of your own are a file NAME.toml.",
    )


def is_file_name(name: str) -> bool:
    """Whether a user who names rules like this means a file."""
    path = Path(name)
    return path.suffix == ".toml" or len(path.parts) > 1 or path.is_file()


def _rules_of_file(path: Path) -> Ruleset:
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
    ruleset = _rules_of_file(path)
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    data.setdefault("id", ruleset.id)
    return data
