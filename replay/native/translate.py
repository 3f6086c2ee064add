"""From the functions that Python calls to one text in C++: all that they need, and nothing else.

A function becomes a function, a record (a dataclass of numbers and lists) a struct that lies in
memory as the numpy record does, a named tuple a struct, and where its fields are arrays a template
of one. Annotations say which parameters are numbers and records; the C++ compiler finds out the
rest.
"""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeGuard, get_type_hints

import numpy as np

from tricklog.core.engine.records import dtype_of
from tricklog.core.native.scopes import UnsupportedError, cpp_name
from tricklog.core.native.sources import ROOT
from tricklog.core.native.subset import Function, called_in, tree_of

OURS: Final = ("tricklog.core", "tricklog.schemas")
"""The packages whose functions may be called."""
Placing = Mapping[str, Mapping[str, Sequence[str]]]
_PRELUDE: Final = Path(__file__).with_name("python.hpp")
_LARGEST: Final = (1 << 63) - 1


class Translation:
    """The C++ text of some entries."""

    def __init__(
        self,
        *,
        placing: Placing | None = None,
        stood_in_for: frozenset[type] = frozenset(),
        packages: Sequence[str] = OURS,
    ) -> None:
        """Begin a text.

        ``placing``: functions by module that become part of whatever calls them, ``FITTED_IN``, or
        of which all that they call becomes a part, ``GATHERS``.
        ``stood_in_for``: records in whose place something else with some of their fields is passed.
        ``packages``: those whose functions may be called.
        """
        self._placing, self.stood_in_for = placing or {}, stood_in_for
        self._packages = packages
        self._changing: dict[FunctionType, bool] = {}
        self._structs: dict[type, str] = {}
        self._lists: dict[str, str] = {}
        self._heads: list[str] = []
        self._bodies: list[str] = []
        self._functions: dict[FunctionType, str] = {}
        self._layouts: dict[tuple[str, ...], np.dtype[Any]] = {}

    def text(self) -> str:
        """Return everything."""
        structs, lists = self._structs.values(), self._lists.values()
        prelude = _PRELUDE.read_text("utf-8")
        return "\n".join((prelude, *structs, *lists, *self._heads, *self._bodies, ""))

    def entry(self, name: str, function: Callable[..., int], arguments: Sequence[object]) -> None:
        """Let Python call a function with arguments of the types and layouts of these.

        Raises ``UnsupportedError`` for what the subset does not have.
        """
        assert isinstance(function, FunctionType)
        for each in arguments:
            self._learn_layouts(each)
        types = [self._type_like(each) for each in arguments]
        fields = "".join(f" {type_} a{number};" for number, type_ in enumerate(types))
        passed = ", ".join(f"all->a{number}" for number in range(len(types)))
        called = self.function(function)
        self._bodies.append(
            f"struct {name}_arguments {{{fields} }};\n"
            f"ENTRY {name}({name}_arguments* all) {{ return {called}({passed}); }}\n"
        )

    # --- Types

    def _learn_layouts(self, like: object) -> None:
        if isinstance(like, tuple):
            for each in like:
                self._learn_layouts(each)
        elif isinstance(like, np.ndarray | np.void) and like.dtype.names:
            self._layouts.setdefault(like.dtype.names, like.dtype)

    def _type_like(self, like: object) -> str:
        if isinstance(like, int):
            return "i64"
        if isinstance(like, np.void):
            return f"{self._record_with(like.dtype)}&"
        if isinstance(like, np.ndarray):
            return f"py::{'Array' if like.ndim == 1 else 'Table'}<{self._cell(like.dtype)}>"
        assert isinstance(like, tuple)
        types = [self._type_like(each) for each in like]
        if not self.is_named_tuple(type(like)):
            return f"py::List<{types[0]}, {len(types)}>"
        name = self.struct(type(like))
        hinted = zip(types, get_type_hints(type(like)).values(), strict=True)
        open_ones = [type_ for type_, hint in hinted if self.type_of(hint) is None]
        return f"{name}<{', '.join(open_ones)}>"

    def _cell(self, dtype: np.dtype[Any]) -> str:
        return self._record_with(dtype) if dtype.names else f"{dtype.name}_t"

    def _record_with(self, dtype: np.dtype[Any]) -> str:
        modules = [each for name, each in sys.modules.items() if self.is_ours(name)]
        for kind in (each for module in modules for each in vars(module).values()):
            if self.is_record(kind) and names_of(kind) == dtype.names:
                return self.struct(kind)
        raise UnsupportedError(f"no dataclass has the fields {dtype.names}")

    @staticmethod
    def is_record(kind: object) -> TypeGuard[type]:
        """Whether a type is a record."""
        return dataclasses.is_dataclass(kind) and isinstance(kind, type)

    @staticmethod
    def is_named_tuple(kind: object) -> TypeGuard[type[tuple[Any, ...]]]:
        """Whether a type is a named tuple."""
        return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")

    def type_of(self, hint: object) -> str | None:
        """Return the C++ type that an annotation asks for; ``None`` where it leaves that open."""
        if _is_number(hint):
            return "i64"
        if hint is float:
            return "double"
        if self.is_record(hint):
            return self.struct(hint)
        if self.is_named_tuple(hint):
            name = self.struct(hint)
            return None if self._structs[hint].startswith("template") else name
        return None

    def placing(self, function: FunctionType) -> str:
        """Return what the head of a function begins with."""
        module, name = function.__module__, function.__name__
        marks = (mark for mark, of in self._placing.items() if name in of.get(module, ()))
        return "".join(f"{mark} " for mark in marks)

    def struct(self, kind: type) -> str:
        """Return the name of the struct of a record or named tuple."""
        if kind not in self._structs:
            if kind.__name__ in {known.__name__ for known in self._structs}:
                raise UnsupportedError(f"two classes have the name {kind.__name__}; rename one")
            self._structs[kind] = ""
            text = self._record(kind) if self.is_record(kind) else self._named_tuple(kind)
            # Behind those that it needs itself, which came meanwhile.
            del self._structs[kind]
            self._structs[kind] = text
        return kind.__name__

    def _record(self, kind: type) -> str:
        names = names_of(kind)
        dtype = self._layouts.get(names) or dtype_of(kind())
        fields = []
        for name in names:
            cell, shape = dtype[name].subdtype or (dtype[name], ())
            type_ = f"{cell.name}_t"
            for length in reversed(shape):
                type_ = f"py::List<{type_}, {length}>"
            fields.append(f"  {type_} {cpp_name(name)};\n")
        return (
            f"struct {kind.__name__} {{\n  using in_place = void;\n{''.join(fields)}}};\n"
            f"static_assert(sizeof({kind.__name__}) == {dtype.itemsize});\n"
        )

    def _named_tuple(self, kind: type) -> str:
        open_types: list[str] = []
        fields = []
        for number, (name, hint) in enumerate(get_type_hints(kind).items()):
            type_ = self.type_of(hint)
            if type_ is None:
                type_ = f"T{number}"
                open_types.append(type_)
            elif type_ == "i64":
                type_ = "py::Number"
            fields.append(f"{type_}{'&' if self.is_record(hint) else ''} {cpp_name(name)}")
        text = f"struct {kind.__name__} {{ {'; '.join(fields)}; }};\n"
        if not open_types:
            return text
        head = f"template <{', '.join(f'class {each}' for each in open_types)}>\n"
        whole = f"{kind.__name__}<{', '.join(open_types)}>"
        return f"{head}{text}{head}{kind.__name__}({', '.join(fields)}) -> {whole};\n"

    # --- Constants and functions

    def is_ours(self, module: str) -> bool:
        """Whether the functions of a module may be called."""
        return any(f"{module}.".startswith(f"{each}.") for each in self._packages)

    @staticmethod
    def place_of(function: FunctionType) -> str:
        """Return the file of a function, as messages name it."""
        file = Path(inspect.getfile(function))
        return (file.relative_to(ROOT) if file.is_relative_to(ROOT) else file).as_posix()

    def changes(self, function: FunctionType) -> bool:
        """Whether a function changes a record or an array, or calls one that does."""
        if function not in self._changing:
            # What calls itself is no reason to think so.
            self._changing[function] = False
            tree = tree_of(function)[0]
            self._changing[function] = any(map(self.changes, called_in(function, tree))) or any(
                isinstance(each, ast.Attribute | ast.Subscript) and isinstance(each.ctx, ast.Store)
                for each in ast.walk(tree)
            )
        return self._changing[function]

    def constant(self, value: object, name: str) -> str:
        """Return how to write something that never changes; ``name`` is its module and name."""
        if isinstance(value, int):
            number = int(value)
            if not -_LARGEST - 1 <= number <= _LARGEST:
                raise UnsupportedError("a number has 64 bits, one of them for its sign")
            return "INT64_MIN" if number == -(1 << 63) else f"{number}LL"
        if self.is_named_tuple(type(value)):
            assert isinstance(value, tuple)
            parts = ", ".join(self.constant(each, "") for each in value)
            return f"{self.struct(type(value))}{{{parts}}}"
        if not isinstance(value, tuple | bytes) or not name:
            raise UnsupportedError("constants are numbers, bytes, and tuples of numbers")
        if name not in self._lists:
            type_ = "uint8_t" if isinstance(value, bytes) else "i64"
            cells = ", ".join(self.constant(each, "") for each in value)
            self._lists[name] = (
                f"static constexpr py::List<{type_}, {len(value)}> {_joined(name)} = "
                f"{{{{{cells}}}}};"
            )
        return _joined(name)

    def called(self, function: FunctionType) -> str:
        """Return what a function is called in C++."""
        return _joined(f"{function.__module__}.{function.__name__}")

    def function(self, function: FunctionType) -> str:
        """Return what a function is called, and write it if that has not been done."""
        name = self.called(function)
        if function not in self._functions:
            self._functions[function] = name
            writer = Function(self, function)
            head, body = writer.head(), writer.body()
            if "static auto " not in head:
                self._heads.append(f"{head};")
            self._bodies.append(f"{head} {{\n{body}}}\n")
        return name


def names_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a record."""
    return tuple(field.name for field in dataclasses.fields(kind))


def _is_number(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, int)


def _joined(name: str) -> str:
    return name.split(".", 1)[1].replace(".", "__")
