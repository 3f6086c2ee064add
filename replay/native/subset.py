"""One function of the compiled subset as C++.

The subset: whole numbers, records, arrays and tuples; assignments, ``if``, ``while``, ``for`` over
a range or a tuple; calls by place of functions of the subset. What lies outside it is an error that
names the file, the line, and what to write instead.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Final, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from replay.native.translate import Translation

_BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_DIVISION: Final[dict[type[ast.operator], str]] = {
    ast.Mod: "py::mod",
    ast.FloorDiv: "py::floor_div",
}
_UNARY: Final[dict[type[ast.unaryop], str]] = {ast.Invert: "~", ast.USub: "-"}
_COMPARED: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_BUILTINS: Final[dict[object, str]] = {
    len: "py::len",
    min: "py::min",
    max: "py::max",
    abs: "py::abs",
    int: "i64",
    bool: "bool",
}
_CPP_WORDS: Final = """
and asm auto bool case catch char class const default delete do double enum explicit export extern
float friend goto inline int long mutable namespace new not operator or private protected public py
register short signed sizeof static struct switch template this throw try typedef union unsigned
using virtual void volatile xor
"""
_IGNORED: Final = "_"


class UnsupportedError(Exception):
    """Something that the compiled subset does not have: where it stands, what to write instead."""


def cpp_name(name: str) -> str:
    """Return a name that C++ does not use for something of its own."""
    return f"{name}_" if name in _CPP_WORDS.split() else name


class Function:
    """Writes one function."""

    def __init__(self, translation: Translation, function: FunctionType) -> None:
        self._translation, self._function = translation, function
        lines, self._first_line = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        self._tree = tree
        self._hints = get_type_hints(function)
        self._parameters = [each.arg for each in tree.args.args]
        self._assigned = set(_stored(tree.body))
        self._locals = self._assigned | set(self._parameters)
        self._declaring: set[tuple[int, str]] = set()
        self._lines: list[str] = []
        self._depth = 1

    def head(self) -> str:
        """Return what the function takes and returns, as C++ declares it."""
        taken = ", ".join(f"{self._taken(name)} {cpp_name(name)}" for name in self._parameters)
        translation = self._translation
        fitted = "FITTED_IN " if translation.is_fitted_in(self._function) else ""
        return f"{fitted}static {self._returned()} {translation.called(self._function)}({taken})"

    def _taken(self, name: str) -> str:
        hint = self._hints[name]
        known = self._translation.type_of(hint)
        if known is None or self._translation.has_stand_in(hint):
            return "auto&&"
        if known == "i64":
            return known
        if self._translation.is_record(hint):
            return f"{known}&"
        return known if name in self._assigned else f"{known} const&"

    def _returned(self) -> str:
        hint = self._hints["return"]
        if hint is type(None):
            return "void"
        if get_origin(hint) is tuple:
            parts = [self._translation.type_of(each) or "auto" for each in get_args(hint)]
            return f"py::Tuple<{', '.join(parts)}>"
        return self._translation.type_of(hint) or "auto"

    def body(self) -> str:
        """Return all that stands between the braces."""
        for name in sorted(self._assigned - set(self._parameters) - {_IGNORED}):
            places = self._first_places(self._tree.body, name)
            if places is None:
                # Given in several places, as only numbers can be.
                self._put(f"i64 {cpp_name(name)} = 0;")
            else:
                self._declaring |= places
        self._statements(self._tree.body)
        return "\n".join(self._lines) + "\n"

    def _first_places(self, block: Sequence[ast.stmt], name: str) -> set[tuple[int, str]] | None:
        """Return the statements that may declare a name, each before all else in its block.

        ``None`` where the name is used outside of the blocks in which it is given.
        """
        found: set[tuple[int, str]] = set()
        for each in block:
            if not _mentions(each, name):
                continue
            if isinstance(each, ast.Assign | ast.AnnAssign):
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                gives = any(name in _names_in(target) for target in targets)
                if found or not gives or (each.value and _mentions(each.value, name)):
                    return None
                return {(id(each), name)}
            if isinstance(each, ast.For) and name in _names_in(each.target):
                if _mentions(each.iter, name) or name in _stored(each.body):
                    return None
                found.add((id(each), name))
                continue
            heads = (getattr(each, part, None) for part in ("test", "iter", "target", "value"))
            if any(head is not None and _mentions(head, name) for head in heads):
                return None
            for inner in (getattr(each, "body", []), getattr(each, "orelse", [])):
                places = self._first_places(inner, name)
                if places is None:
                    return None
                found |= places
        return found

    def _error(self, node: ast.AST, advice: str) -> UnsupportedError:
        line = self._first_line + getattr(node, "lineno", 1) - 1
        place = f"{inspect.getsourcefile(self._function)}:{line}"
        return UnsupportedError(f"{place}: {ast.unparse(node)}: not in the subset; {advice}")

    # --- Statements

    def _put(self, text: str) -> None:
        self._lines.append("  " * self._depth + text)

    def _statements(self, block: Sequence[ast.stmt]) -> None:
        for each in block:
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
                changed = ast.BinOp(target, operator, value)
                self._put(f"{self._place(target)} = {self._value(changed)};")
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
        count = cpp_name(name) if owns else f"count{node.lineno}"
        match over:
            case ast.Call(ast.Name("range"), bounds):
                values = [self._value(each) for each in bounds]
                start, end = ("0", values[0]) if len(values) == 1 else values[:2]
                step = values[2] if len(values) > 2 else "1"
                until = ">" if _is_negative(bounds[2:]) else "<"
                last = f"end{node.lineno}"
                head = f"i64 {count} = {start}, {last} = {end}; {count} {until} {last}; "
                head += f"{count} += {step}"
            case ast.Tuple(items):
                head = f"i64 {count} : {{{', '.join(f'i64({self._value(i)})' for i in items)}}}"
            case _:
                head = f"i64 {count} : {self._value(over)}"
        first = "" if owns or name == _IGNORED else f"{cpp_name(name)} = {count};"
        self._braces(f"for ({head})", body, first)

    def _assign(self, node: ast.stmt, targets: Sequence[ast.expr], value: ast.expr) -> None:
        held = f"held{node.lineno}"
        match targets, value:
            case [ast.Tuple(places)], ast.Tuple(values) if len(places) == len(values):
                texts = [f"py::value({self._value(each)})" for each in values]
                given = {name for each in places for name in _names_in(each)}
                if any(_mentions(each, name) for each in values for name in given):
                    for number, text in enumerate(texts):
                        self._put(f"auto&& {held}_{number} = {text};")
                    texts = [f"{held}_{number}" for number in range(len(texts))]
                for place, text in zip(places, texts, strict=True):
                    self._give(node, place, text)
            case [ast.Tuple(places)], _:
                self._put(f"auto {held} = {self._value(value)};")
                for number, place in enumerate(places):
                    self._give(node, place, f"py::value(py::part<{number}>({held}))")
            case [place], _:
                self._give(node, place, f"py::value({self._value(value)})")
            case _:
                self._put(f"auto {held} = py::value({self._value(value)});")
                for place in targets:
                    self._give(node, place, held)

    def _give(self, node: ast.stmt, target: ast.expr, text: str) -> None:
        if not isinstance(target, ast.Name):
            self._put(f"{self._place(target)} = {text};")
        elif (id(node), target.id) in self._declaring:
            self._put(f"auto&& {cpp_name(target.id)} = {text};")
        elif target.id != _IGNORED:
            self._put(f"py::rebind({cpp_name(target.id)}, {text});")

    # --- Expressions

    def _meant(self, node: ast.expr) -> object:
        """Return what a name outside of the function means, or an attribute of it, or ``None``."""
        match node:
            case ast.Name(name) if name not in self._locals:
                found = self._function.__globals__.get(name, getattr(builtins, name, None))
                if found is None:
                    raise self._error(node, "nothing has this name")
                return found
            case ast.Attribute(value, name):
                owner = self._meant(value)
                if isinstance(owner, ModuleType | type):
                    return getattr(owner, name)
        return None

    def _place(self, node: ast.expr) -> str:
        """Return what can be written to."""
        match node:
            case ast.Name(name) if name in self._locals:
                return cpp_name(name)
            case ast.Attribute(value, name) if self._meant(node) is None:
                return f"{self._place(value)}.{cpp_name(name)}"
            case ast.Subscript(value, ast.Tuple(indexes)):
                return self._place(value) + "".join(f"[{self._value(each)}]" for each in indexes)
            case ast.Subscript(value, index) if not isinstance(index, ast.Slice):
                return f"{self._place(value)}[{self._value(index)}]"
        return self._value(node)

    def _truth(self, node: ast.expr) -> str:
        """Return a value of which it only matters whether it is 0."""
        if isinstance(node, ast.BoolOp):
            joined = " && " if isinstance(node.op, ast.And) else " || "
            return f"({joined.join(map(self._truth, node.values))})"
        return self._value(node)

    def _value(self, node: ast.expr) -> str:  # noqa: C901, PLR0911, PLR0912 - likewise
        meant = self._meant(node)
        if meant is not None:
            return self._constant(node, meant)
        match node:
            case ast.Constant(bytes() as text):
                return f"py::bytes({_quoted(text)})"
            case ast.Constant(int() as number):
                return self._translation.constant(number, "")
            case ast.Name() | ast.Attribute():
                return self._place(node)
            case ast.Subscript(value, ast.Tuple([row, index])):
                return f"py::cell({self._value(value)}[{self._value(row)}], {self._value(index)})"
            case ast.Subscript(value, index) if not isinstance(index, ast.Slice):
                return f"py::cell({self._value(value)}, {self._value(index)})"
            case ast.BinOp(left, operator, right):
                return self._arithmetic(node, left, operator, right)
            case ast.UnaryOp(ast.Not(), operand):
                return f"(!{self._truth(operand)})"
            case ast.UnaryOp(operator, operand) if type(operator) in _UNARY:
                return f"({_UNARY[type(operator)]}{self._value(operand)})"
            case ast.BoolOp(ast.And(), values):
                tests = " && ".join(self._truth(each) for each in values[:-1])
                return f"({tests} ? py::value({self._value(values[-1])}) : 0LL)"
            case ast.BoolOp(ast.Or(), values):
                return f"({' ?: '.join(f'py::value({self._value(each)})' for each in values)})"
            case ast.IfExp(test, ast.Constant(bytes() as yes), ast.Constant(bytes() as no)):
                texts = f"py::text({_quoted(yes)}) : py::text({_quoted(no)})"
                return f"({self._truth(test)} ? {texts})"
            case ast.IfExp(test, yes_, no_):
                values_ = f"py::value({self._value(yes_)}) : py::value({self._value(no_)})"
                return f"({self._truth(test)} ? {values_})"
            case ast.Compare(left, operators, others):
                return self._comparison(node, [left, *others], operators)
            case ast.Call(ast.Attribute(value, "bit_count" | "bit_length" as name), []):
                return f"py::{name}({self._value(value)})"
            case ast.Call():
                return self._call(node)
            case ast.Tuple(items):
                return f"py::Tuple({', '.join(f'py::value({self._value(i)})' for i in items)})"
        raise self._error(node, "write numbers, fields, cells, calls and tuples")

    def _constant(self, node: ast.expr, meant: object) -> str:
        module = self._function.__module__
        match node:
            case ast.Attribute(ast.Name(owner), _):
                home = self._function.__globals__.get(owner)
                module = home.__name__ if isinstance(home, ModuleType) else module
        name = f"{module}.{ast.unparse(node).rpartition('.')[2]}"
        try:
            return self._translation.constant(meant, name)
        except UnsupportedError as error:
            raise self._error(node, str(error)) from None

    def _arithmetic(
        self, node: ast.expr, left: ast.expr, operator: ast.operator, right: ast.expr
    ) -> str:
        one, other = self._value(left), self._value(right)
        if type(operator) in _BINARY:
            return f"({one} {_BINARY[type(operator)]} {other})"
        if type(operator) in _DIVISION:
            return f"{_DIVISION[type(operator)]}({one}, {other})"
        raise self._error(node, "use + - * // % & | ^ << >>, as all numbers are whole")

    def _comparison(
        self, node: ast.expr, sides: Sequence[ast.expr], operators: Sequence[ast.cmpop]
    ) -> str:
        if any(isinstance(part, ast.Call) for side in sides[1:-1] for part in ast.walk(side)):
            raise self._error(node, "give what is compared twice a name first")
        compared = zip(sides, operators, sides[1:], strict=False)
        return f"({' && '.join(self._compared(node, *each) for each in compared)})"

    def _compared(self, node: ast.expr, left: ast.expr, by: ast.cmpop, right: ast.expr) -> str:
        match by, right:
            case ast.Is(), ast.Constant(None):
                return "false"
            case ast.IsNot(), ast.Constant(None):
                # A number that may be missing is there in everything that is compiled.
                return "true"
            case ast.In() | ast.NotIn(), _:
                meant = self._meant(right)
                if isinstance(meant, tuple | frozenset):
                    items = [self._translation.constant(each, "") for each in sorted(meant)]
                elif isinstance(right, ast.Tuple):
                    items = [self._value(each) for each in right.elts]
                else:
                    raise self._error(node, "look for a number in a tuple")
                negated = "!" if isinstance(by, ast.NotIn) else ""
                return f"{negated}py::among({', '.join([self._value(left), *items])})"
        if type(by) not in _COMPARED:
            raise self._error(node, "compare numbers")
        return f"{self._value(left)} {_COMPARED[type(by)]} {self._value(right)}"

    def _call(self, node: ast.Call) -> str:
        called = self._meant(node.func)
        if node.keywords:
            raise self._error(node, "pass arguments by their place")
        if called is ord or (called is len and self._meant(node.args[0]) is not None):
            (argument,) = node.args
            known = argument.value if isinstance(argument, ast.Constant) else self._meant(argument)
            return self._translation.constant(called(known), "")  # type: ignore[operator]  # ord or len
        values = [self._value(each) for each in node.args]
        if isinstance(called, type) and self._translation.is_named_tuple(called):
            fields = ", ".join(f"py::value({each})" for each in values)
            return f"{self._translation.struct(called)}{{{fields}}}"
        if isinstance(called, FunctionType) and self._translation.is_ours(called):
            name = self._translation.function(called)
        elif called in _BUILTINS:
            name = _BUILTINS[called]
        else:
            raise self._error(node, "call functions of the subset")
        return f"{name}({', '.join(values)})"


def _quoted(text: bytes) -> str:
    """Return a text as C++ writes it, with all but plain signs in octal."""
    plain = set(range(32, 127)) - set(b'"\\?')
    return '"' + "".join(chr(each) if each in plain else f"\\{each:03o}" for each in text) + '"'


def _is_negative(step: Sequence[ast.expr]) -> bool:
    return bool(step) and isinstance(step[0], ast.UnaryOp) and isinstance(step[0].op, ast.USub)


def _names_in(target: ast.expr) -> Iterator[str]:
    """Yield the names that an assignment to ``target`` gives."""
    for each in target.elts if isinstance(target, ast.Tuple) else [target]:
        if isinstance(each, ast.Name):
            yield each.id


def _stored(block: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that are given a value in a block."""
    for statement in block:
        for each in ast.walk(statement):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield each.id


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
