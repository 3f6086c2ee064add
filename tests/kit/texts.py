"""Hands written as text, for tests: reading them whole, and back again."""

from collections.abc import Sequence

from tricklog import Hand, encode_hand, write_text
from tricklog.ingest.reading.text_documents import hand_of
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.ingest.text_form.reader import TextHand, TextReader

HEAD = "game Pedro\nplayers Ann, Bo, Cy, Dee\nhand 1\ndealer Ann\n"
"""Settings and the beginning of a hand, four lines."""


def read(text: str, source: str = "club") -> list[TextHand]:
    reader = TextReader(source)
    found: list[TextHand] = []
    byte = 0
    for number, line in enumerate(text.split("\n"), 1):
        found += reader.feed(number, byte, line)
        byte += len(line.encode()) + 1
    return [*found, *reader.end()]


def errors(hand: TextHand) -> list[Problem]:
    return [each for each in hand.problems if each.severity is Severity.ERROR]


def hands(text: str, source: str = "club") -> list[Hand]:
    """The hands of a text in which everything can be read."""
    made = []
    for written in read(text, source):
        assert written.record is not None, list(map(str, written.problems))
        hand = hand_of(written.record)
        assert isinstance(hand, Hand), hand
        made.append(hand)
    return made


def hand(text: str) -> Hand:
    (one,) = hands(text)
    return one


def same_again(log: Sequence[Hand], language: str = "en", *, names: bool = False) -> str:
    """The text of hands, which gives back the same hands and the same text in one step."""
    text = write_text(log, language=language, names=names)
    back = hands(text)
    assert list(map(encode_hand, back)) == list(map(encode_hand, log))
    assert write_text(back, language=language, names=names) == text
    return text
