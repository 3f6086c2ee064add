"""The table of `replay --solve`, on terminals of any width."""

import re

import pytest
from rich.console import Console

from tests.kit.log_lines import one_game
from tricklog.core import replay
from tricklog.core.study import open_hand
from tricklog.ingest.cli.study_text import study_text
from tricklog.ingest.study.telling import Judged


@pytest.mark.parametrize("width", [80, 100])
def test_each_decision_has_its_numbers_on_one_line(width: int) -> None:
    replayed = replay(one_game("pidro")[0])
    studied = open_hand(replayed)
    judged = {each.action: Judged(20, 1.4, 0.6, 2.4) for each in studied.decisions}
    console = Console(width=width, record=True)
    with console.capture() as taken:
        console.print(study_text(studied, replayed, judged))
    lines = taken.get().splitlines()
    (head,) = (line for line in lines if line.startswith("action"))
    for name in ("trick", "choices", "value", "cost", "score", "judged", "luck"):
        assert name in head
    rows = [line for line in lines if re.match(r"\d+ ", line)]
    assert len(rows) == len(studied.decisions)
    for line, each in zip(rows, studied.decisions, strict=True):
        assert re.search(r"1\.4 ±1\.3 +\+2\.4 *$", line) or each.kind == "silence"
    assert all(len(line) <= width for line in lines)
