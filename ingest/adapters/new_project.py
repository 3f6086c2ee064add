"""A project to begin an adapter with: package, sample records and tests that pass as they are."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from tricklog.ingest.adapters.contract import CONTRACT
from tricklog.ingest.adapters.registry import NAME, OWN

LONGEST: Final = 40
"""Characters of a name; it is part of the id of every hand."""
_TEMPLATE: Final = "template"
_FILES: Final = {
    "pyproject.toml": "pyproject.toml.in",
    "README.md": "README.md.in",
    "src/tricklog_@MODULE@/__init__.py": "adapter.py.in",
    "src/tricklog_@MODULE@/py.typed": None,
    "tests/test_adapter.py": "test_adapter.py.in",
    "tests/sample.jsonl": "sample.jsonl",
}
"""The files of a project, and what each is made from."""


class ProjectError(ValueError):
    """A project that cannot be written; the sentence says why."""


def write_project(name: str, folder: Path, version: str) -> list[Path]:
    """Write a project for the adapter ``name`` into a folder that is empty or not there yet.

    ``version`` is that of Tricklog. Returns the files. Raises ``ProjectError`` for a name that no
    adapter can have or that is taken, and for a folder with something in it, and ``OSError`` where
    it cannot be written.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise ProjectError(
            f"{name!r} cannot be the name of an adapter: small letters, digits and single hyphens, "
            f"{LONGEST} characters at most"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ProjectError(f"{folder} is there already, and a new project needs an empty folder")
    values = {
        "@NAME@": name,
        "@MODULE@": name.replace("-", "_"),
        # A checkout that is not installed has no version to ask for.
        "@REQUIREMENT@": f"{OWN}>={version}" if version[:1].isdigit() else OWN,
        "@CONTRACT@": str(CONTRACT),
    }
    written = []
    for place, template in _FILES.items():
        path = folder / _filled(place, values)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled(_text_of(template), values), "utf-8")
        written.append(path)
    return written


def _text_of(template: str | None) -> str:
    if template is None:
        return ""
    return files("tricklog.ingest.adapters").joinpath(_TEMPLATE, template).read_text("utf-8")


def _filled(text: str, values: dict[str, str]) -> str:
    for token, value in values.items():
        text = text.replace(token, value)
    return text
