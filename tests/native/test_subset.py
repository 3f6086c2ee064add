"""Every construct of the compiled subset: the machine code gives what Python gives.

What lies outside is refused: the error says where it is, and what to write.
"""

import ctypes
import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from tests.kit.rule_cases import rows_in
from tests.native import constructs, outside
from tests.native.constructs import OF_NUMBERS, Desk, Table
from tricklog.core.engine.records import dtype_of, pack
from tricklog.core.native.build import NoCompilerError, compile_text, compilers
from tricklog.core.native.library import Call
from tricklog.core.native.scopes import UnsupportedError
from tricklog.core.native.translate import Translation

PACKAGES = ("tests",)
NUMBERS = (-9, -1, 0, 1, 2, 5, 7, 300, (1 << 40) + 5)
TRIPLES = [list(each) for each in itertools.product(NUMBERS, repeat=3)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All of them, compiled once."""
    translation = Translation(packages=PACKAGES)
    for function in OF_NUMBERS:
        translation.entry(function.__name__, function, (np.zeros(3, np.int64),))
    translation.entry("use_a_record", constructs.use_a_record, (_desk([0, 0, 0]),))
    library = tmp_path_factory.mktemp("native") / "constructs.so"
    if next(compilers(), None) is None:
        pytest.skip("there is no C++ compiler")
    compile_text(translation.text(), library, "-O1", "-DCHECKED")
    return ctypes.CDLL(str(library))


def _desk(numbers: list[int]) -> Desk:
    rows = np.zeros(1, dtype_of(Table()))
    return Desk(np.array(numbers), 3, rows[0])  # type: ignore[arg-type]  # a record of numpy


@pytest.mark.parametrize("function", OF_NUMBERS, ids=lambda function: function.__name__)
def test_numbers_are_those_of_python(made: ctypes.CDLL, function: constructs.Construct) -> None:
    given = np.zeros(3, np.int64)
    call = Call(function.__name__, given, of=made)
    for numbers in TRIPLES:
        given[:] = numbers
        changed = [*numbers]
        assert call() == function(changed), numbers
        assert given.tolist() == changed, numbers


def test_records_are_those_of_python(made: ctypes.CDLL) -> None:
    for numbers in TRIPLES:
        table, desk = Table(), _desk(numbers)
        plain = constructs.use_a_record(Desk(numbers, 3, table))
        assert Call("use_a_record", desk, of=made)() == plain
        expected = np.zeros(1, dtype_of(Table()))
        pack(table, expected[0])
        assert desk.table == expected[0]


def test_a_function_that_is_not_used_is_not_translated() -> None:
    translation = Translation(packages=PACKAGES)
    translation.entry("swap", constructs.swap, (np.zeros(3, np.int64),))
    assert "constructs__swap(" in translation.text()
    assert "loop_while" not in translation.text()


@pytest.mark.parametrize("mark", ["FITTED_IN", "GATHERS"])
def test_what_is_fitted_in_or_gathers_says_so(mark: str) -> None:
    placing = {mark: {constructs.__name__: ("_higher",)}}
    translation = Translation(placing=placing, packages=PACKAGES)
    translation.entry("f", constructs.call_others, (np.zeros(3, np.int64),))
    lines = [line for line in translation.text().splitlines() if "_higher(i64" in line]
    assert lines
    assert all(line.startswith(f"{mark} ") for line in lines)


def test_lines_of_the_machine_code_are_those_of_python() -> None:
    translation = Translation(packages=PACKAGES)
    translation.entry("f", constructs.add_up, (np.zeros(3, np.int64),))
    text = Path(constructs.__file__).read_text("utf-8").splitlines()
    line = text.index("    return n[0] + n[1] * 3 - n[2]") + 1
    assert f'#line {line} "tests/native/constructs.py"' in translation.text()


def _fields_in_memory() -> Iterator[tuple[str, int]]:
    dtype = dtype_of(Table())
    for name in dtype.names or ():
        yield name, dtype[name].itemsize // 8


def test_a_record_lies_in_memory_as_its_dataclass_says() -> None:
    translation = Translation(packages=PACKAGES)
    translation.entry("f", constructs.use_a_record, (_desk([0, 0, 0]),))
    text = translation.text()
    assert dict(_fields_in_memory()) == {"turn": 1, "double": 1, "held": 4, "rows": 6}
    assert "int64_t turn;\n  int64_t double_;\n" in text
    assert "py::List<int64_t, 4> held;\n  py::List<py::List<int64_t, 3>, 2> rows;\n" in text
    assert "static_assert(sizeof(Table) == 96);" in text


# --- What is refused
LINES = rows_in(Path(outside.__file__).with_suffix(".txt"))
HEAD = "from typing import Any\n\nfrom tests.native.outside import *\n\n\ndef {}(n: Any) -> int:\n"
# Called by those beside them, whose line says nothing.
HELPERS = {"change", "same", "two", "maybe_missing", "other_array", "returned"}


def kinds() -> Iterator[Callable[..., int]]:
    for name, each in vars(outside).items():
        home = inspect.unwrap(each) if callable(each) else None
        is_ours = inspect.isfunction(home) and home.__module__ == outside.__name__
        if is_ours and name not in HELPERS:
            yield each


def marked(function: Callable[..., int]) -> tuple[int, str]:
    """Return the line that is refused, and what is advised: of the function or of what it calls."""
    lines, first = inspect.getsourcelines(inspect.unwrap(function))
    called = re.findall(r"(\w+)\(", "".join(lines[1:]))
    for name in ["", *(each for each in called if each in HELPERS)]:
        if name:
            lines, first = inspect.getsourcelines(vars(outside)[name])
        for number, line in enumerate(lines):
            if "# here: " in line:
                return max(first, 1) + number, line.partition("# here: ")[2].strip()
    raise AssertionError(function)


@pytest.mark.parametrize("function", [*kinds()], ids=lambda function: function.__name__)
def test_it_is_refused_with_place_and_advice(function: Callable[..., int]) -> None:
    check_refusal(function, outside.__file__, *marked(function))


@pytest.mark.parametrize(("name", "lines", "advice"), LINES, ids=[each[0] for each in LINES])
def test_a_line_is_refused_with_place_and_advice(
    name: str, lines: str, advice: str, tmp_path: Path
) -> None:
    path = tmp_path / "refused.py"
    path.write_text(HEAD.format(name) + "".join(f"    {each}\n" for each in lines.split(" ; ")))
    spec = spec_from_file_location("tests.native.refused", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    check_refusal(vars(module)[name], str(path), HEAD.count("\n") + 1, advice)


def check_refusal(function: Callable[..., int], file: str, line: int, advice: str) -> None:
    translation = Translation(packages=PACKAGES)
    state = np.zeros(1, dtype_of(outside.State()))[0]
    arguments = (np.zeros(3, np.int64), state)[: len(inspect.signature(function).parameters)]
    with pytest.raises(UnsupportedError) as refused:
        translation.entry("f", function, arguments)
    said = str(refused.value)
    assert said.startswith(f"{file}:{line}: "), said
    assert advice in said


def test_a_record_of_no_dataclass_is_refused() -> None:
    strange = np.zeros(1, [("one", "int64"), ("of_its_own", "int64")])
    with pytest.raises(UnsupportedError, match="no dataclass has the fields"):
        Translation(packages=PACKAGES).entry("f", outside.power, (strange,))


@pytest.mark.skipif(next(compilers(), None) is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("kind", range(3))
def test_what_only_the_compiler_sees_is_said_of_python_lines(kind: int, tmp_path: Path) -> None:
    function, said = (
        (parts_of_a_named_tuple, "take the fields of a named tuple by their"),
        (half, "float-conversion"),
        (cut, "float-conversion"),
    )[kind]
    translation = Translation(packages=PACKAGES)
    translation.entry("f", function, (np.zeros(3, np.int64),))
    line = inspect.getsourcelines(function)[1] + 2
    with pytest.raises(NoCompilerError, match=said) as told:
        compile_text(translation.text(), tmp_path / "refused.so")
    assert f"tests/native/test_subset.py:{line}:" in str(told.value)


def parts_of_a_named_tuple(n: list[int]) -> int:
    move = outside.Move(n[0], 1)
    card, gain = move
    return card + gain


def half(n: list[int]) -> int:
    fraction = n[0] / 2
    return fraction  # type: ignore[return-value]  # noqa: RET504 - as it is refused


def cut(n: list[int]) -> int:
    fraction = n[0] * 0.5
    return doubled(fraction)  # type: ignore[arg-type]  # likewise


def doubled(number: int) -> int:
    return number * 2
