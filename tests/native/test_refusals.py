"""What lies outside of the compiled subset: the error says where it is, and what to write."""

import inspect
import re
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from tests.kit.rule_cases import rows_in
from tests.native import outside
from tricklog.core.engine.records import dtype_of
from tricklog.core.native.build import NoCompilerError, compile_text, compilers
from tricklog.core.native.scopes import UnsupportedError
from tricklog.core.native.translate import Translation

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
    translation = Translation(packages=("tests",))
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
        Translation(packages=("tests",)).entry("f", outside.power, (strange,))


@pytest.mark.skipif(next(compilers(), None) is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("kind", range(3))
def test_what_only_the_compiler_sees_is_said_of_python_lines(kind: int, tmp_path: Path) -> None:
    function, said = (
        (parts_of_a_named_tuple, "take the fields of a named tuple by their"),
        (half, "float-conversion"),
        (cut, "float-conversion"),
    )[kind]
    translation = Translation(packages=("tests",))
    translation.entry("f", function, (np.zeros(3, np.int64),))
    line = inspect.getsourcelines(function)[1] + 2
    with pytest.raises(NoCompilerError, match=said) as told:
        compile_text(translation.text(), tmp_path / "refused.so")
    assert f"tests/native/test_refusals.py:{line}:" in str(told.value)


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
