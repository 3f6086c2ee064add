"""What the names of a function are in C++: where each is declared, and what may change it."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

IGNORED: Final = "_"
_CPP_WORDS: Final = """
and asm auto bool case catch char class const default delete do double enum explicit export extern
float friend goto i64 inline int long mutable namespace new not operator or private protected public
py register short signed sizeof static struct switch template this throw try typedef union unsigned
using virtual void volatile xor
"""
OWN: Final = "py_"
"""What names of the translator's own begin with."""


class UnsupportedError(Exception):
    """Something that the compiled subset does not have: where it stands, what to write instead."""


def cpp_name(name: str) -> str:
    """Return a name that neither C++ nor the translator uses for something of its own."""
    is_taken = name in _CPP_WORDS.split() or name.startswith(OWN) or name.endswith("_")
    return f"{name}_" if is_taken and name != IGNORED else name


def names_in(target: ast.expr) -> Iterator[str]:
    """Yield the names that an assignment to ``target`` gives."""
    for each in target.elts if isinstance(target, ast.Tuple) else [target]:
        if isinstance(each, ast.Name):
            yield each.id


def stored(block: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that are given a value in a block, not those that generators count with."""
    for statement in block:
        nodes = [*ast.walk(statement)]
        counted_with = [each.target for each in nodes if isinstance(each, ast.comprehension)]
        for each in nodes:
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield from [each.id] * (each not in counted_with)


def counters(node: ast.AST) -> Iterator[str]:
    """Yield the names that generators count with."""
    for each in ast.walk(node):
        if isinstance(each, ast.comprehension):
            yield from names_in(each.target)


def mentions(node: ast.AST, name: str) -> bool:
    """Whether a name stands anywhere in ``node``."""
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def has_call(node: ast.AST) -> bool:
    """Whether anything is called in ``node``."""
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def first_places(block: Sequence[ast.stmt], name: str) -> set[tuple[int, str]] | None:
    """Return the statements that may declare a name, each before all else in its block.

    ``None`` where the name is used outside of the blocks in which it is given, so that it must be
    declared before all of them: a declaration inside would hide the one outside.
    """
    found: set[tuple[int, str]] = set()
    for each in block:
        if not mentions(each, name):
            continue
        if isinstance(each, ast.Assign | ast.AnnAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            gives = any(name in names_in(target) for target in targets)
            if found or not gives or (each.value and mentions(each.value, name)):
                return None
            return {(id(each), name)}
        if isinstance(each, ast.For) and name in names_in(each.target):
            if mentions(each.iter, name) or name in stored(each.body):
                return None
            found.add((id(each), name))
            continue
        heads = (getattr(each, part, None) for part in ("test", "iter", "target", "value"))
        if any(head is not None and mentions(head, name) for head in heads):
            return None
        for inner in (getattr(each, "body", []), getattr(each, "orelse", [])):
            places = first_places(inner, name)
            if places is None:
                return None
            found |= places
    return found


def always_returns(block: Sequence[ast.stmt]) -> bool:
    """Whether a block cannot be left at its end."""
    match block[-1]:
        case ast.Return():
            return True
        case ast.If(_, body, orelse):
            return bool(orelse) and always_returns(body) and always_returns(orelse)
        case ast.While(ast.Constant(True), body):
            return not any(map(_breaks, body))
    return False


def _breaks(statement: ast.stmt) -> bool:
    """Whether a statement of a loop ends that loop; a break in an inner one ends the inner one."""
    if isinstance(statement, ast.For | ast.While):
        return False
    inner = (*getattr(statement, "body", ()), *getattr(statement, "orelse", ()))
    return isinstance(statement, ast.Break) or any(map(_breaks, inner))
