"""What the JSON Schemas are made with: the docstrings of the types, and how a file is written."""

import ast
import inspect
import itertools
import textwrap
from collections.abc import Iterator
from typing import Any, Final

import msgspec

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def attribute_docs(owner: type) -> dict[str, str]:
    """Return the docstrings below the attributes of a class, by the name of the attribute."""
    body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {name: plain(words) for name, words in below_attributes(body)}


def below_attributes(owner: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield each attribute of a class with a docstring below it, as they are written."""
    for above, below in itertools.pairwise(owner.body):
        if not isinstance(below, ast.Expr) or not isinstance(below.value, ast.Constant):
            continue
        if isinstance(above, ast.AnnAssign | ast.Assign):
            target = above.target if isinstance(above, ast.AnnAssign) else above.targets[0]
            yield ast.unparse(target), str(below.value.value)


def plain(docstring: str | None) -> str:
    """Return a docstring as running text, paragraphs apart."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as its published file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"
