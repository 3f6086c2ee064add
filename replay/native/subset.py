"""One function of the compiled subset as C++.

The subset: whole numbers, records, arrays and tuples; assignments, ``if``, ``while``, ``for`` over
a range, a tuple, or the members of a set; ``sum``, ``any``, ``all`` and ``union`` of a generator;
calls by place of functions of the subset. What lies outside it is an error that names the file, the
line, and what to write instead.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING, get_args, get_origin, get_type_hints

from tricklog.core.native.expressions import Expressions
from tricklog.core.native.scopes import (
    IGNORED,
    OWN,
    always_returns,
    cpp_name,
    first_places,
    mentions,
    names_in,
)

if TYPE_CHECKING:
    from tricklog.core.native.translate import Translation


class Function(Expressions):
    """Writes one function."""

    def __init__(self, translation: Translation, function: FunctionType) -> None:
        """Look at the function as a whole. Raises ``UnsupportedError``, as all else does here."""
        super().__init__(translation, function)
        self._hints = get_type_hints(function)
        self._declaring: set[tuple[int, str]] = set()
        self._lines: list[str] = []
        self._depth = 1
        self._line = self._line_before + 1
        self._place_of_all = translation.place_of(function)
        taken = self._tree.args
        if self._tree.decorator_list or function.__qualname__ != function.__name__:
            raise self._error(self._tree, "write a function of the module, without decorators")
        if taken.vararg or taken.kwarg or taken.kwonlyargs or taken.defaults:
            raise self._error(self._tree, "take arguments by their place, all of them")
        if not self._returns_nothing() and not always_returns(self._tree.body):
            raise self._error(self._tree, "return something at its end, too")

    def head(self) -> str:
        """Return what the function takes and returns, as C++ declares it."""
        taken = ", ".join(f"{self._taken(name)} {cpp_name(name)}" for name in self._parameters)
        translation = self._translation
        placing = translation.placing(self._function)
        return f"{placing}static {self._returned()} {translation.called(self._function)}({taken})"

    def _taken(self, name: str) -> str:
        hint = self._hints[name]
        known = self._translation.type_of(hint)
        if type(None) in get_args(hint):
            raise self._error(self._tree, f"have {name} always there, such as -1 for nothing")
        is_open = known is None or hint in self._translation.stood_in_for
        if name in self._assigned and (is_open or self._translation.is_record(hint)):
            raise self._error(self._tree, f"give what {name} becomes a name of its own")
        if is_open:
            return "auto&&"
        if known == "i64":
            return known
        if self._translation.is_record(hint):
            return f"{known}&"
        return f"{known}" if name in self._assigned else f"{known} const&"

    def _returns_nothing(self) -> bool:
        return self._hints["return"] is type(None)

    def _returned(self) -> str:
        hint = self._hints["return"]
        if self._returns_nothing():
            return "void"
        if any(map(self._translation.is_record, (hint, *get_args(hint)))):
            raise self._error(self._tree, "change a record that is passed, and return none")
        if get_origin(hint) is tuple:
            parts = [self._translation.type_of(each) or "auto" for each in get_args(hint)]
            return f"py::Tuple<{', '.join(parts)}>"
        return self._translation.type_of(hint) or "auto"

    def body(self) -> str:
        """Return all that stands between the braces."""
        for name in sorted(self._assigned - set(self._parameters) - {IGNORED}):
            places = first_places(self._tree.body, name)
            if places is None:
                # Given in several places, as only numbers can be.
                self._put(f"i64 {cpp_name(name)} = 0;")
            else:
                self._declaring |= places
        self._statements(self._tree.body)
        return "\n".join(self._lines) + "\n"

    def _put(self, text: str) -> None:
        # What a compiler or a sanitizer says is said of the line in Python.
        self._lines.append(f'#line {self._line} "{self._place_of_all}"')
        self._lines.append("  " * self._depth + text)

    def _statements(self, block: Sequence[ast.stmt]) -> None:
        for each in block:
            self._line = self._line_before + each.lineno
            self._statement(each)

    def _braces(self, head: str, block: Sequence[ast.stmt], first: str = "") -> None:
        self._put(f"{head} {{")
        self._depth += 1
        if first:
            self._put(first)
        self._statements(block)
        self._depth -= 1
        self._put("}")

    def _statement(self, node: ast.stmt) -> None:  # noqa: C901, PLR0912 - a list of what there is
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(ast.Call() as call):
                self._put(f"{self._value(call)};")
            case ast.Assign(targets, value):
                self._assign(node, targets, value)
            case ast.AnnAssign(target, _, ast.expr() as value):
                self._assign(node, [target], value)
            case ast.AugAssign(target, operator, value):
                if self._changes(target):
                    raise self._error(node, "give the place that is changed a name first")
                changed = ast.copy_location(ast.BinOp(target, operator, value), node)
                self._give(node, target, self._value(changed))
            case ast.If(test, body, orelse):
                self._braces(f"if ({self._truth(test)})", body)
                if orelse:
                    self._braces("else", orelse)
            case ast.While(test, body, []):
                self._braces(f"while ({self._truth(test)})", body)
            case ast.For(ast.Name(name), iterable, body, []):
                self._loop(node, name, iterable, body)
            case ast.Return(None):
                self._put("return;")
            case ast.Return(ast.expr() as value):
                self._put(f"return {self._value(value)};")
            case ast.Continue():
                self._put("continue;")
            case ast.Break():
                self._put("break;")
            case _:
                raise self._error(node, "write assignments, if, while, for and return")

    def _loop(self, node: ast.For, name: str, over: ast.expr, body: Sequence[ast.stmt]) -> None:
        owns = (id(node), name) in self._declaring
        count = cpp_name(name) if owns else f"{OWN}count{node.lineno}"
        first = "" if owns or name == IGNORED else f"{cpp_name(name)} = {count};"
        self._braces(f"for ({self._head(node, count, over)})", body, first)

    def _assign(self, node: ast.stmt, targets: Sequence[ast.expr], value: ast.expr) -> None:
        held = f"{OWN}held{node.lineno}"
        match targets, value:
            case [ast.Tuple(places)], ast.Tuple(values) if len(places) == len(values):
                texts = [f"py::value({self._value(each)})" for each in values]
                given = {name for each in places for name in names_in(each)}
                if not all(isinstance(each, ast.Name) for each in places) or any(
                    mentions(each, name) for each in values for name in given
                ):
                    for number, text in enumerate(texts):
                        self._put(f"auto&& {held}_{number} = {text};")
                    texts = [f"py::value({held}_{number})" for number in range(len(texts))]
                for place, text in zip(places, texts, strict=True):
                    self._give(node, place, text)
            case [ast.Tuple(places)], _:
                self._put(f"auto {held} = {self._value(value)};")
                for number, place in enumerate(places):
                    self._give(node, place, f"py::value(py::part<{number}>({held}))")
            case [place], _:
                self._give(node, place, f"py::value({self._value(value)})")
            case _:
                self._put(f"auto&& {held} = py::value({self._value(value)});")
                for place in targets:
                    # Each gets the number itself, not another name of the one that is held.
                    self._give(node, place, f"py::value({held})")

    def _give(self, node: ast.stmt, target: ast.expr, text: str) -> None:
        match target:
            case ast.Name(name):
                if (id(node), name) in self._declaring:
                    self._put(f"auto&& {cpp_name(name)} = {text};")
                elif name == IGNORED:
                    self._put(f"(void)({text});")
                else:
                    self._put(f"py::rebind({cpp_name(name)}, {text});")
            case ast.Attribute() | ast.Subscript() if not _has_slice(target):
                self._put(f"py::put({self._place(target)}, {text});")
            case _:
                raise self._error(node, "give values to names, fields and cells, one by one")


def _has_slice(target: ast.expr) -> bool:
    return any(isinstance(each, ast.Slice) for each in ast.walk(target))
