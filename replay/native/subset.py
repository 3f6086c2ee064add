"""One function of the compiled subset as C++.

The subset: whole numbers, records, arrays and tuples; assignments, ``if``, ``while``, ``for`` over
a range, a tuple, or the members of a set; ``sum``, ``any``, ``all`` and ``union`` of a generator;
calls by place of functions of the subset. What lies outside it is an error that names the file, the
line, and what to write instead.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin, get_type_hints

from tricklog.core.engine.records import highest_first, lowest_first, union
from tricklog.core.native import scopes
from tricklog.core.native.scopes import IGNORED, OWN, UnsupportedError, cpp_name, mentions

if TYPE_CHECKING:
    from tricklog.core.native.translate import Translation

_ALIKE: Final = ("+", "-", "*", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=")
"""Operators between two values that C++ writes as Python does."""
_DIVISION: Final = {"%": "py::mod", "//": "py::floor_div"}
_ANY: Final = ast.Name("a")
_UNARY: Final[dict[type[ast.unaryop], str]] = {ast.Invert: "~", ast.USub: "-"}
_OF_ONE: Final[dict[object, str]] = {len: "py::len", abs: "py::abs", int: "i64", bool: "py::truth"}
_OF_MORE: Final[dict[object, str]] = {min: "py::min", max: "py::max"}
_EXTREME: Final = (
    "i64 {own} = {default}, {own}_has = 0; for ({head}) {tests}{{ i64 {own}_next = {value}; "
    "{own} = {own}_has ? EXTREME({own}, {own}_next) : {own}_next; {own}_has = 1; }} return {own};"
)
_FOLDED: Final[dict[object, str]] = {
    sum: "i64 {own} = 0; for ({head}) {tests}{own} += {value}; return {own};",
    union: "i64 {own} = 0; for ({head}) {tests}{own} |= {value}; return {own};",
    any: "for ({head}) {tests}if ({value}) return 1LL; return 0LL;",
    all: "for ({head}) {tests}if (!{value}) return 0LL; return 1LL;",
    min: _EXTREME.replace("EXTREME", "py::min"),
    max: _EXTREME.replace("EXTREME", "py::max"),
}
"""What becomes of the numbers that a generator gives."""
_MEMBERS: Final[dict[object, str]] = {highest_first: "highest", lowest_first: "lowest"}


@cache
def tree_of(function: FunctionType) -> tuple[ast.FunctionDef, int]:
    """Return the syntax tree of a function, and the line of its file before the tree begins."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree, first - 1


class Function:
    """Writes one function."""

    def __init__(self, translation: Translation, function: FunctionType) -> None:
        """Look at the function as a whole. Raises ``UnsupportedError``, as all else does here."""
        self._translation, self._function = translation, function
        self._tree, self._line_before = tree_of(function)
        taken = self._tree.args
        self._parameters = [each.arg for each in taken.args]
        self._assigned = set(scopes.stored(self._tree.body))
        self._locals = self._assigned | set(self._parameters) | set(scopes.counters(self._tree))
        self._hints = get_type_hints(function)
        self._declaring: set[tuple[int, str]] = set()
        self._lines: list[str] = []
        self._depth = 1
        self._line = self._line_before + 1
        self._place_of_all = translation.place_of(function)
        if self._tree.decorator_list or function.__qualname__ != function.__name__:
            raise self._error(self._tree, "write a function of the module, without decorators")
        if taken.vararg or taken.kwarg or taken.kwonlyargs or taken.defaults:
            raise self._error(self._tree, "take arguments by their place, all of them")
        if not self._returns_nothing() and not scopes.always_returns(self._tree.body):
            raise self._error(self._tree, "return something at its end, too")

    def _error(self, node: ast.AST, advice: str) -> UnsupportedError:
        line = self._line_before + getattr(node, "lineno", 1)
        place = f"{inspect.getsourcefile(self._function)}:{line}"
        what = ast.unparse(node).partition("\n")[0]
        return UnsupportedError(f"{place}: {what}: not in the subset; {advice}")

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
            places = scopes.first_places(self._tree.body, name)
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
                given = {name for each in places for name in scopes.names_in(each)}
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
            case ast.Attribute() | ast.Subscript() if not any(
                isinstance(each, ast.Slice) for each in ast.walk(target)
            ):
                self._put(f"py::put({self._place(target)}, {text});")
            case _:
                raise self._error(node, "give values to names, fields and cells, one by one")

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
        """Return a name, a field or a cell, as it can be written to."""
        match node:
            case ast.Name(name) if name in self._locals:
                return cpp_name(name)
            case ast.Attribute(value, name) if self._meant(node) is None:
                return f"{self._place(value)}.{cpp_name(name)}"
            case ast.Subscript(value, ast.Tuple(indexes)):
                return self._place(value) + "".join(f"[{self._index(each)}]" for each in indexes)
            case ast.Subscript(value, index):
                return f"{self._place(value)}[{self._index(index)}]"
        return self._value(node)

    def _index(self, node: ast.expr) -> str:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            raise self._error(node, "count cells from 0: nothing counts them from the end")
        return self._value(node)

    def _truth(self, node: ast.expr) -> str:
        """Return a value of which it only matters whether it is 0."""
        if isinstance(node, ast.BoolOp):
            joined = " && " if isinstance(node.op, ast.And) else " || "
            return f"({joined.join(map(self._truth, node.values))})"
        return self._value(node)

    def _value(self, node: ast.expr) -> str:  # noqa: C901, PLR0911, PLR0912 - a list of what there is
        meant = self._meant(node)
        if meant is not None:
            return self._constant(node, meant)
        match node:
            case ast.Constant(bytes() as text):
                return f"py::bytes({quoted(text)})"
            case ast.Constant(float() as fraction):
                return repr(fraction)
            case ast.Constant(int()):
                return self._constant(node, node.value)
            case ast.Name():
                return self._place(node)
            case ast.Attribute():
                return f"py::value({self._place(node)})"
            case ast.Subscript(value, ast.Tuple([row, index])):
                return f"py::cell({self._value(value)}[{self._index(row)}], {self._index(index)})"
            case ast.Subscript(value, index) if not isinstance(index, ast.Slice):
                return f"py::cell({self._value(value)}, {self._index(index)})"
            case ast.BinOp(left, operator, right):
                return self._arithmetic(node, left, operator, right)
            case ast.UnaryOp(ast.Not(), operand):
                return f"i64(!{self._truth(operand)})"
            case ast.UnaryOp(operator, operand) if type(operator) in _UNARY:
                return f"({_UNARY[type(operator)]}{self._value(operand)})"
            case ast.BoolOp(ast.And(), values):
                tests = " && ".join(self._truth(each) for each in values[:-1])
                return f"({tests} ? py::value({self._value(values[-1])}) : 0LL)"
            case ast.BoolOp(ast.Or(), values):
                return f"({' ?: '.join(f'py::value({self._value(each)})' for each in values)})"
            case ast.IfExp(test, ast.Constant(bytes() as yes), ast.Constant(bytes() as no)):
                texts = f"py::text({quoted(yes)}) : py::text({quoted(no)})"
                return f"({self._truth(test)} ? {texts})"
            case ast.IfExp(test, yes_, no_):
                values_ = f"py::value({self._value(yes_)}) : py::value({self._value(no_)})"
                return f"({self._truth(test)} ? {values_})"
            case ast.Compare(left, operators, others):
                return self._comparison(node, [left, *others], operators)
            case ast.Call(ast.Attribute(value, "bit_count" | "bit_length" as name), []):
                return f"py::{name}({self._value(value)})"
            case ast.Call(ast.Attribute(value, "_replace"), [], given):
                fields = (
                    f" {OWN}copy.{cpp_name(str(each.arg))} = {self._value(each.value)};"
                    for each in given
                )
                copied = f"auto {OWN}copy = {self._value(value)};{''.join(fields)}"
                return f"[&] {{ {copied} return {OWN}copy; }}()"
            case ast.Call():
                return self._call(node)
            case ast.Tuple(items):
                # In braces one comes after the other, as in Python.
                return f"py::Tuple{{{', '.join(f'py::value({self._value(i)})' for i in items)}}}"
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
        self._want_order(node, [left, right])
        one, other = self._value(left), self._value(right)
        sign = _sign(ast.BinOp(_ANY, operator, _ANY))
        if sign in _ALIKE:
            return f"({one} {sign} {other})"
        if sign in _DIVISION:
            if isinstance(right, ast.Constant) and right.value == 0:
                raise self._error(node, "nothing is divided by 0")
            return f"{_DIVISION[sign]}({one}, {other})"
        if sign == "/":
            return f"(double({one}) / double({other}))"
        raise self._error(node, "use + - * / // % & | ^ << >>")

    def _comparison(
        self, node: ast.expr, sides: Sequence[ast.expr], operators: Sequence[ast.cmpop]
    ) -> str:
        if any(map(scopes.has_call, sides[1:-1])):
            raise self._error(node, "give what is compared twice a name first")
        self._want_order(node, sides)
        compared = zip(sides, operators, sides[1:], strict=False)
        return f"i64({' && '.join(self._compared(node, *each) for each in compared)})"

    def _compared(self, node: ast.expr, left: ast.expr, by: ast.cmpop, right: ast.expr) -> str:
        if isinstance(by, ast.In | ast.NotIn):
            meant = self._meant(right)
            if isinstance(meant, tuple | frozenset):
                items = [self._constant(right, each) for each in sorted(meant)]
            elif isinstance(right, ast.Tuple):
                items = [self._value(each) for each in right.elts]
            else:
                raise self._error(node, "look for a number in a tuple")
            negated = "!" if isinstance(by, ast.NotIn) else ""
            return f"{negated}py::among({', '.join([self._value(left), *items])})"
        sign = _sign(ast.Compare(_ANY, [by], [_ANY]))
        if sign not in _ALIKE or any(isinstance(each, ast.Tuple) for each in (left, right)):
            raise self._error(node, "compare numbers, by == != < <= > >=")
        return f"{self._value(left)} {sign} {self._value(right)}"

    def _want_order(self, node: ast.expr, parts: Sequence[ast.expr]) -> None:
        """Refuse a call that changes something beside what may read it: C++ has no order there."""
        changing = [each for each in parts if self._changes(each)]
        if changing and any(each is not changing[0] and not self._stays(each) for each in parts):
            raise self._error(node, f"give {ast.unparse(changing[0])} a name first")

    def _changes(self, node: ast.AST) -> bool:
        """Whether working out an expression changes a record or an array."""
        return any(map(self._translation.changes, called_in(self._function, node)))

    def _stays(self, node: ast.expr) -> bool:
        """Whether no call can change an expression: a number, or the name of a record or array."""
        match node:
            case ast.BinOp(left, _, right):
                return self._stays(left) and self._stays(right)
            case ast.UnaryOp(_, operand):
                return self._stays(operand)
        return isinstance(node, ast.Name | ast.Constant) or self._meant(node) is not None

    # --- Loops

    def _head(self, node: ast.AST, count: str, over: ast.expr) -> str:
        """Return how a loop begins in which ``count`` stands for one thing after the other."""
        last = f"{OWN}end{getattr(node, 'lineno', 0)}"
        match over:
            case ast.Call(ast.Name("range"), bounds) if 1 <= len(bounds) <= 3:
                values = [self._value(each) for each in bounds]
                start, end = ("0", values[0]) if len(values) == 1 else values[:2]
                until, step = self._step(node, bounds[2:])
                goes_on = f"{count} {until} {last}; {count} += {step}"
                return f"i64 {count} = {start}, {last} = {end}; {goes_on}"
            case ast.Call(taken_from, [members]) if self._meant(taken_from) in _MEMBERS:
                taken = f"py::take_{_MEMBERS[self._meant(taken_from)]}({last})"
                given = self._value(members)
                return f"i64 {last} = {given}, {count} = 0; {last} && ({count} = {taken}, true);"
            case ast.Tuple(items):
                cells = ", ".join(f"i64({self._value(each)})" for each in items)
                return f"i64 {count} : py::List<i64, {len(items)}>{{{{{cells}}}}}"
        return f"i64 {count} : {self._value(over)}"

    def _step(self, node: ast.AST, given: Sequence[ast.expr]) -> tuple[str, str]:
        if not given:
            return "<", "1"
        is_below_0 = isinstance(given[0], ast.UnaryOp) and isinstance(given[0].op, ast.USub)
        number = given[0].operand if is_below_0 else given[0]  # type: ignore[attr-defined]  # seen
        step = number.value if isinstance(number, ast.Constant) else self._meant(number)
        if not isinstance(step, int) or step <= 0:
            raise self._error(node, "let a range go on by a number that never changes, and not 0")
        return (">", f"-{step:d}") if is_below_0 else ("<", f"{step:d}")

    def _folded(self, node: ast.Call, folded: object, given: ast.GeneratorExp) -> str:
        loop, *others = given.generators
        if others or not isinstance(loop.target, ast.Name):
            raise self._error(node, "let a generator go through one thing, with one counter")
        name = loop.target.id
        if mentions(loop.iter, name):
            raise self._error(node, "give the counter of the generator a name of its own")
        count = f"{OWN}count" if name == IGNORED else cpp_name(name)
        wanted = ["default"] if folded in (min, max) else []
        if [each.arg for each in node.keywords] != wanted:
            raise self._error(node, "give min and max of a generator a default, and nothing else")
        text = _FOLDED[folded].format(
            own=f"{OWN}found",
            head=self._head(node, count, loop.iter),
            tests="".join(f"if ({self._truth(each)}) " for each in loop.ifs),
            value=self._value(given.elt),
            default="".join(self._value(each.value) for each in node.keywords),
        )
        return f"[&] {{ {text} }}()"

    # --- Calls

    def _call(self, node: ast.Call) -> str:
        called = self._meant(node.func)
        match node.args:
            case [ast.GeneratorExp() as given] if called in _FOLDED:
                return self._folded(node, called, given)
        if isinstance(called, type) and self._translation.is_named_tuple(called):
            return self._made(node, called)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise self._error(node, "pass arguments by their place, one by one")
        if called in (ord, len) and len(node.args) == 1:
            (argument,) = node.args
            known = argument.value if isinstance(argument, ast.Constant) else self._meant(argument)
            if known is not None:
                return self._constant(node, called(known))  # type: ignore[arg-type]  # ord or len
        values = [self._value(each) for each in node.args]
        self._want_order(node, node.args)
        if isinstance(called, FunctionType) and self._translation.is_ours(called.__module__):
            self._want_arguments(node, called.__code__.co_argcount)
            name = self._translation.function(called)
        elif called in _OF_ONE:
            self._want_arguments(node, 1)
            name = _OF_ONE[called]
        elif called in _OF_MORE and len(values) > 1:
            name = _OF_MORE[called]
        else:
            raise self._error(node, "call functions of the subset; min and max take two or more")
        return f"{name}({', '.join(values)})"

    def _made(self, node: ast.Call, kind: Any) -> str:  # noqa: ANN401 - the class of a named tuple
        """Return a named tuple; fields left out are what its class says."""
        names: tuple[str, ...] = kind._fields
        given = dict(zip(names, node.args, strict=False))
        given |= {str(each.arg): each.value for each in node.keywords}
        if [*given] != [each for each in names if each in given] or len(node.args) > len(names):
            raise self._error(node, f"pass the {len(names)} fields in their order")
        defaults = kind._field_defaults
        if not all(each in given or each in defaults for each in names):
            raise self._error(node, f"pass all {len(names)} arguments")
        values = (
            self._value(given[each]) if each in given else self._constant(node, defaults[each])
            for each in names
        )
        fields = ", ".join(f"py::value({each})" for each in values)
        return f"{self._translation.struct(kind)}{{{fields}}}"

    def _want_arguments(self, node: ast.Call, count: int) -> None:
        if len(node.args) != count:
            raise self._error(node, f"pass all {count} arguments")


def _sign(whole: ast.expr) -> str:
    """Return how Python writes the operator between two names."""
    return ast.unparse(whole).split()[1]


def called_in(function: FunctionType, node: ast.AST) -> Iterator[FunctionType]:
    """Yield the functions that are called in ``node``, a part of ``function``."""
    for each in ast.walk(node):
        called: object = None
        match each:
            case ast.Call(ast.Name(name)):
                called = function.__globals__.get(name)
            case ast.Call(ast.Attribute(ast.Name(owner), name)):
                called = getattr(function.__globals__.get(owner), name, None)
        if isinstance(called, FunctionType):
            yield called


def quoted(text: bytes) -> str:
    """Return a text as C++ writes it, with all but plain signs in octal."""
    plain = set(range(32, 127)) - set(b'"\\?')
    return '"' + "".join(chr(each) if each in plain else f"\\{each:03o}" for each in text) + '"'
