"""Every construct of the compiled subset: the machine code gives what Python gives."""

import ctypes
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.native import constructs
from tests.native.constructs import OF_NUMBERS, Desk, Table
from tricklog.core.engine.records import dtype_of, pack
from tricklog.core.native.build import compile_text, compilers
from tricklog.core.native.library import Call
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
