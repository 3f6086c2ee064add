"""The library as Python finds it: made of these sources, for this processor, or not used."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.in_process import run_here
from tricklog import ingest
from tricklog.core.compiled import make
from tricklog.core.compiled.make import source
from tricklog.core.native import build, library, sources
from tricklog.core.native.build import NoCompilerError, compilers, package_to_compile
from tricklog.ingest.cli import doctor

needs_compiler = pytest.mark.skipif(
    next(compilers(), None) is None, reason="there is no C++ compiler"
)


@pytest.fixture
def other_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have another library looked for, which is not there yet."""
    path = tmp_path / "other.so"
    monkeypatch.setattr(library, "LIBRARY", path)
    library.trouble.cache_clear()
    yield path
    library.trouble.cache_clear()


def trouble() -> library.Trouble:
    found = library.trouble()
    assert found is not None
    return found


def write_about_itself(path: Path, digest: str, processor: str = "") -> None:
    files = "\\n".join(sources.sources())
    texts = {"sources": files, "digest": digest, "processor": processor}
    exported = 'extern "C" __attribute__((visibility("default"))) char const'
    lines = [f'{exported} tricklog_{name}[] = "{text}";\n' for name, text in texts.items()]
    build.compile_text("".join(lines), path)


@pytest.mark.usefixtures("other_library")
def test_no_library_is_told_with_what_to_do() -> None:
    assert trouble().why == "the library of machine code was not made when Tricklog was installed"
    assert "install a C++ compiler" in trouble().remedy
    check = doctor._library()
    assert check.ok is None
    assert "plain Python" in check.says
    assert trouble().remedy in check.says


def test_what_is_no_library_is_not_used(other_library: Path) -> None:
    other_library.write_text("nothing of the kind", "utf-8")
    assert trouble().why.startswith("the library of machine code cannot be used here: ")


@needs_compiler
def test_a_library_of_other_sources_is_not_used(other_library: Path) -> None:
    write_about_itself(other_library, "0123456789abcdef")
    assert trouble().why == "the library of machine code was made of other sources"
    assert trouble().remedy.endswith("-m tricklog.core.compiled.make")


@needs_compiler
def test_a_library_of_these_sources_is_used(other_library: Path) -> None:
    write_about_itself(other_library, sources.digest(sources.sources()))
    assert library.trouble() is None


@needs_compiler
def test_a_library_for_another_processor_is_not_used(
    other_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "cpuinfo"
    told.write_text("model name\t: old\nflags\t\t: fpu popcnt sse2\nflags: avx9\n", "utf-8")
    monkeypatch.setattr(library, "_PROCESSOR", told)
    write_about_itself(other_library, "0123456789abcdef", "popcnt avx9 ")
    assert trouble().why == "the library of machine code needs a processor with avx9"
    assert "CXX=" in trouble().remedy


def test_where_the_system_says_nothing_of_its_processor_nothing_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (None, "Features : fp asimd\n"):
        told = tmp_path / "cpuinfo"
        if text:
            told.write_text(text, "utf-8")
        monkeypatch.setattr(library, "_PROCESSOR", told)
        assert library.lacks("popcnt") == ""


def test_the_doctor_names_what_made_the_library() -> None:
    if library.trouble():
        pytest.skip("there is no library")
    check = doctor._library()
    assert check.ok
    assert re.search(r"tricklog_native\.so, made by (GCC|.*Clang|.*clang)", check.says)


def test_a_digest_covers_every_file_and_its_place() -> None:
    files = sources.sources()
    of_core = {each.removeprefix("tricklog/core/") for each in files}
    assert {"native/python.hpp", "engine/rules/play.py"} < of_core
    assert {"native/subset.py", "compiled/driver.py"} < of_core
    whole = sources.digest(files)
    assert whole != sources.digest(files[1:])
    assert whole != sources.digest(["tricklog/core/gone.py", *files])


def test_a_digest_changes_with_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    digests = []
    for text in ("x = 1\n", "x = 2\n"):
        (tmp_path / "one.py").write_text(text, "utf-8")
        digests.append(sources.digest(["one.py"]))
    (tmp_path / "one.py").rename(tmp_path / "two.py")
    digests.append(sources.digest(["two.py"]))
    assert len(set(digests)) == 3


@pytest.mark.thorough("all of the library is translated for it")
def test_every_function_that_is_translated_is_of_a_source_in_the_digest() -> None:
    named = set(re.findall(r'#line \d+ "(.*?)"', source()))
    assert len(named) > 25
    assert named <= set(sources.sources())


# --- Compilers
def test_what_a_person_asks_for_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "/opt/g++ -march=native")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert next(compilers()) == ["/opt/g++", "-march=x86-64-v2", "-march=native"]
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert next(compilers()) == ["/opt/g++", "-march=native"]


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(build, "find_spec", lambda _: None)


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_a_package_is_asked_for_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for system, machine, asked in (
        ("linux", "x86_64", [build.ZIG]),
        ("darwin", "arm64", [build.ZIG]),
        ("linux", "riscv64", []),
        ("freebsd14", "x86_64", []),
    ):
        monkeypatch.setattr("sys.platform", system)
        monkeypatch.setattr("platform.machine", lambda named=machine: named)
        assert package_to_compile() == asked
    monkeypatch.setenv("CXX", "g++")
    assert package_to_compile() == []


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_nothing_is_made_and_the_reason_told(tmp_path: Path) -> None:
    with pytest.raises(NoCompilerError, match="there is no C\\+\\+ compiler, and no package"):
        make.build(tmp_path / "made.so")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("no_compiler")
def test_a_compiler_that_fails_is_quoted_and_the_old_library_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made.so"
    made.write_text("old", "utf-8")
    script = tmp_path / "broken"
    script.write_text("#!/bin/sh\necho it is broken >&2\nexit 1\n", "utf-8")
    script.chmod(0o755)
    for command, said in ((str(script), "it is broken"), ("/nowhere/c++", "No such file")):
        monkeypatch.setenv("CXX", command)
        with pytest.raises(NoCompilerError, match=said):
            build.compile_text("int x;", made)
    assert made.read_text("utf-8") == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"made.so", "broken"}


def test_a_processor_of_a_package_is_named_as_zig_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("platform.libc_ver", lambda: ("glibc", "2.36"))
    target = ["-target", f"x86_64-linux-gnu.{build._GLIBC}", "-mcpu=x86_64_v2"]
    assert build._zig_target("x86-64-v2") == target
    monkeypatch.setattr("platform.libc_ver", lambda: ("", ""))
    assert build._zig_target(None) == ["-mcpu=baseline"]


# --- Plain Python
@pytest.mark.posix
def test_everything_works_where_there_is_neither_library_nor_compiler(
    repository: Path, tmp_path: Path
) -> None:
    """``load`` and ``solve`` of a hand complete, and ``solve`` finds the same."""
    log = tmp_path / "one.jsonl"
    sample = min((repository / "sample_logs" / "valid" / "pidro").glob("*.jsonl"))
    log.write_bytes(sample.read_bytes().splitlines(keepends=True)[1])
    plain, quick = tmp_path / "plain.csv", tmp_path / "quick.csv"
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tricklog.core.native import library\n"
        "library.LIBRARY = Path('/nowhere/tricklog_native.so')\n"
        "from tricklog.ingest.cli import main\n"
        "for words in (['load', sys.argv[1]],\n"
        "              ['solve', '--jobs', '1', '--output', 'plain.csv']):\n"
        "    assert main([*words, '--db', 'plain']) == 0, words\n"
    )
    hidden = {name: text for name, text in os.environ.items() if name != "CXX"}
    subprocess.run(
        [sys.executable, "-c", program, str(log)],
        cwd=tmp_path,
        env=hidden | {"PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=True,
    )
    db = str(tmp_path / "quick")
    ingest.load(log, db=db)
    words = ["solve", "--jobs", "1", "--output", str(quick), "--db", db]
    assert run_here(words, tmp_path).status == 0
    assert plain.read_text("utf-8") == quick.read_text("utf-8")
    assert plain.read_text("utf-8").count("\n") > 10
