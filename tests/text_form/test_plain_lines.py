"""Lines that are taken without questions: they say what the reader of all forms says."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.tiers import scaled
from tricklog import generate, variants, write_text
from tricklog.ingest.text_form import plain_lines, reader
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.reader import TextHand, TextReader

WORDS = (
    "Ann", "Bo", "Cy", "Dee", "ann", "Jo", "10h", "Ah", "Kd", "?", "2s", "5d", "5h", "TH", "7", "8",
    "28-56", "pass", "p", "trump", "hearts", "has", "discard", "draw", "takes", "bury", "claim",
    "give", "out", "-", "plays", "stock", "kitty", "none", "points", "before", "6", "+8", "dealer",
    "hand", "time", "trick", "3.", "Ah/2s", "ace", "of", "Ah,", "Bo,", "7,", "pass,", "no", "cards",
    "spades", "result", "made", "status", "(late)", "...", ">", "bids", "h", "# x", ";", "one:",
)  # fmt: skip
TABLES = ("Ann, Bo, Cy, Dee", "Ann Lee, Bo, Cy, Dee", "As, Bo, Jo, Dee", "Hand, Bo, Cy, Pass")


def read(text: str) -> list[TextHand]:
    lines = TextReader("text")
    found = [hand for n, line in enumerate(text.split("\n"), 1) for hand in lines.feed(n, n, line)]
    return [*found, *lines.end()]


def slowly(text: str) -> list[TextHand]:
    """Read a text by the questions alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TextReader, "_take_plainly", lambda *_: False)
        return read(text)


@pytest.mark.parametrize("variant", variants())
def test_generated_hands_are_read_alike_and_mostly_without_questions(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_text([*islice(generate(variant, 2, seed=4), 6)])
    assert read(text) == slowly(text)
    asked: list[str] = []
    says = TextReader._say

    def counting(self: TextReader, said: str, column: int) -> None:
        asked.append(said)
        says(self, said, column)

    monkeypatch.setattr(reader.TextReader, "_say", counting)
    read(text)
    assert len(asked) < len(text.splitlines()) / 4


@settings(max_examples=scaled(20))
@given(
    table=st.sampled_from(TABLES),
    lines=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), max_size=6),
    gap=st.sampled_from((" ", " ", "  ")),
)
def test_any_lines_say_the_same_as_questions(table: str, lines: list[list[str]], gap: str) -> None:
    said = "\n".join(gap.join(line) for line in lines)
    text = f"game pedro\nplayers {table}\nhand 1\n{said}\nBo has 9s 8s\n"
    assert read(text) == slowly(text)


@pytest.mark.parametrize(
    "line",
    ["Ann 10h 4h 3h 2h", "Ann 10h 4h, Dee Jh", "Ann 7, Bo pass", "Bo trump hearts", "Cy has Ah ?"],
)
def test_plain_lines_are_taken(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bool] = []
    take = plain_lines.take

    def noting(page: Page, said: str) -> bool:
        taken.append(take(page, said))
        return taken[-1]

    monkeypatch.setattr(plain_lines, "take", noting)
    read(f"game pedro\nplayers {TABLES[0]}\nhand 1\n{line}\n")
    assert taken[0] is True
