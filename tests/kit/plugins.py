"""Packages with adapters, as an installer leaves them: a module and its metadata."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tricklog.ingest.adapters import registry
from tricklog.ingest.reading import entry_points

TABLES = """
import msgspec
from tricklog.adapters import Adapter, GroupBy
import {base} as base

class Line(msgspec.Struct):
    table: str
    part: str

ADAPTER = Adapter({name!r}, "Tables", base.convert, Line, contract={contract})
"""
GOOD = TABLES.replace("{base}", "tricklog.ingest.adapters.rlcard_29")


def put_package(folder: Path, package: str, source: str, **points: str) -> None:
    """Put a package ``package`` 1.2 into a folder of installed packages.

    ``points`` are its entry points, by name; underscores stand for hyphens.
    """
    (folder / f"{package}.py").write_text(source, "utf-8")
    info = folder / f"{package}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    named = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[{entry_points.ADAPTERS}]\n{named}", "utf-8")


@contextmanager
def installed_from(folder: Path) -> Iterator[None]:
    """Have the packages of a folder installed for as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        forget()
        try:
            yield
        finally:
            patch.undo()
            for module in folder.glob("*.py"):
                sys.modules.pop(module.stem, None)
            forget()


def forget() -> None:
    registry.listed.cache_clear()
    registry.installed.cache_clear()
