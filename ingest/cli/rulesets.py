"""Which rules the user means: a variant by name, or a file of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tricklog.core.rulesets.variant_names import variants
from tricklog.ingest.cli.output import UserError, guess

if TYPE_CHECKING:
    from tricklog.core import Ruleset
    from tricklog.schemas.hand import RulesRef


def wanted_rules(name: str) -> Ruleset:
    """Return the rules of a variant, or of a user's TOML file.

    Raises ``UserError`` that says what to correct, or which variants there are.
    """
    if name in variants():
        from tricklog.core import load_variant

        return load_variant(name)
    if is_file_name(name):
        from tricklog.core import load_rules_file

        with _reading(Path(name)):
            return load_rules_file(Path(name))
    raise UserError(
        f"there is no variant {name!r}",
        f"{guess(name, variants())}Known are {', '.join(variants())}; rules of your own are a file "
        "NAME.toml.",
    )


def rules_named(name: str) -> RulesRef:
    """Return how hands name the rules of a variant, or hold those of a user's TOML file."""
    from tricklog.core.rulesets.ruleset import rules_definition
    from tricklog.schemas.hand import RulesRef

    ruleset = wanted_rules(name)
    if name in variants():
        return RulesRef(ruleset.id)
    with _reading(Path(name)):
        definition = rules_definition(Path(name))
    return RulesRef(definition["id"], definition=definition)


def is_file_name(name: str) -> bool:
    """Whether a user who names rules like this means a file."""
    path = Path(name)
    return path.suffix == ".toml" or len(path.parts) > 1 or path.is_file()


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Raise ``UserError`` for what is wrong with a rules file."""
    from tricklog.core import RulesetError
    from tricklog.ingest.reading.rejects import sentence

    try:
        yield
    except RulesetError as error:
        file = path if error.source == path.name else error.source
        where = error.pointer or "the file"
        raise UserError(f"{file}: {sentence(f'{where} {error.message}')}") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error
