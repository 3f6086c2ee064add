"""The page about Python: every example runs and prints what the page says."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def test_every_example_prints_what_the_page_says(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (repository / "docs" / "python-api.md").read_text("utf-8")
    blocks = _BLOCK.findall(page)
    assert blocks
    names: dict[str, Any] = {}
    printed = ""
    for kind, content in blocks:
        if kind == "text":
            assert printed == content
            continue
        assert printed == "" or printed in page, printed
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(content, "docs/python-api.md", "exec"), names)  # noqa: S102
        printed = output.getvalue()
