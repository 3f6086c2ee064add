"""What the JSON Schemas are made with: the docstrings of the types, and how a file is written."""

import ast
import inspect
import textwrap
from typing import Any, Final

import msgspec

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def attribute_docs(owner: type) -> dict[str, str]:
    """Return the docstrings below the attributes of a class, by the name of the attribute."""
    body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for above, below in zip(body.body, body.body[1:], strict=False):
        if not isinstance(below, ast.Expr) or not isinstance(below.value, ast.Constant):
            continue
        if isinstance(above, ast.AnnAssign | ast.Assign):
            target = above.target if isinstance(above, ast.AnnAssign) else above.targets[0]
            docs[ast.unparse(target)] = plain(str(below.value.value))
    return docs


def plain(docstring: str | None) -> str:
    """Return a docstring as running text, paragraphs apart."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as its published file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"
