"""What must hold for any input: each target takes bytes, and an assertion fails on a defect."""

import io
import json
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NoReturn, TextIO, cast

import msgspec
import zstandard

import tricklog.schemas.hand
from tricklog import ADAPTERS, ingest, write_text
from tricklog.ingest import adapters
from tricklog.ingest.loading.auditing import rules_trouble
from tricklog.ingest.reading import reader
from tricklog.ingest.reading.decode_errors import BOM
from tricklog.ingest.reading.json_documents import read_json
from tricklog.ingest.reading.json_positions import too_deep_at
from tricklog.ingest.reading.rejects import MESSAGE_LENGTH, Reject, RejectCode, Trouble
from tricklog.ingest.reading.shapes import Shape, shape_of_content
from tricklog.ingest.reading.sources import FREE_EXPANSION, GZIP_MAGIC, OTHER_MAGICS, ZSTD_MAGICS
from tricklog.ingest.reading.text_documents import read_text
from tricklog.schemas import actions
from tricklog.schemas.hand import Hand, content_hash, encode_hand

Target = Callable[[bytes], None]
_ARCHIVES: Final = (GZIP_MAGIC, *ZSTD_MAGICS, *OTHER_MAGICS)
BLANK: Final = b" \t\r\n"

_SCHEMA: Final = Path(tricklog.schemas.hand.__file__).with_name("hand.schema.json")
_ACTION_PATTERNS: Final = [
    re.compile(verb["pattern"].removesuffix("$") + r"\Z")
    for verb in json.loads(_SCHEMA.read_text("utf-8"))["$defs"]["action"]["anyOf"]
]


def check_line(data: bytes) -> None:
    """A line is a hand that can be written and read again, or a trouble inside it."""
    found = reader.parse_line(data)
    if isinstance(found, Trouble):
        check_trouble(found, data)
    else:
        check_hand(found, data)


def check_trouble(trouble: Trouble, text: bytes) -> None:
    """A trouble has a code, a sentence, a pointer, and a byte inside the line."""
    assert trouble.code in RejectCode
    check_sentence(trouble.message)
    assert trouble.at is None or 0 <= trouble.at <= len(text)
    check_pointer(trouble.pointer)
    if trouble.code is RejectCode.TOO_DEEP:
        assert too_deep_at(text) == trouble.at


def check_sentence(message: str) -> None:
    """A sentence for people is one printable line that is not too long."""
    assert message.endswith((".", "…"))
    assert message.isprintable()
    # An escape is longer than what it stands for.
    assert len(message) <= 12 * MESSAGE_LENGTH


def check_pointer(pointer: str) -> None:
    """A pointer is empty or a chain of steps."""
    assert not pointer or pointer.startswith("/")
    assert "~" not in pointer.replace("~0", "").replace("~1", "")


def check_hand(hand: Hand, text: bytes) -> None:
    """A hand is what its line says, the same when written and read; its rules resolve or not."""
    canonical = encode_hand(hand)
    again = reader.parse_line(canonical)
    assert again == hand
    assert encode_hand(again) == canonical
    assert content_hash(again) == content_hash(hand)
    assert too_deep_at(text) is None
    said = _strict_json(text)
    assert said.keys() == {field for field in Hand.__struct_fields__ if _is_set(hand, field)}
    said["format"] = hand.format
    assert msgspec.json.decode(canonical) == said
    if trouble := rules_trouble(hand):
        check_trouble(trouble, text)


def _is_set(hand: Hand, field: str) -> bool:
    return getattr(hand, field) is not msgspec.UNSET


def _strict_json(text: bytes) -> dict[str, Any]:
    """Return what another reader of JSON makes of a line; it fails on repeated keys and NaN."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        assert len(made) == len(pairs), "a repeated key was accepted"
        return made

    def never(constant: str) -> NoReturn:
        raise AssertionError(f"{constant} was accepted")

    read: dict[str, Any] = json.loads(text, object_pairs_hook=once, parse_constant=never)
    return read


def check_stream(data: bytes) -> None:
    """A stream of any bytes gives its lines in order, and each has one fate."""
    with standard_input(data):
        lines = list(ingest.read("-"))
    for line in lines:
        check_read_line(line)
    text, whole = expanded(data)
    if shape_of_content(text) is not Shape.LINES:
        return  # Records over several lines have a target of their own.
    if text != data and (text.startswith(_ARCHIVES) or len(text) > FREE_EXPANSION):
        return  # Where an archive in an archive, or a bomb, is noticed depends on how it is cut.
    ended = text.count(b"\n")
    assert [line.line for line in lines] == list(range(1, len(lines) + 1))
    if whole:
        body = text.removeprefix(BOM)
        tail = bool(body) and not body.endswith(b"\n")
        assert len(lines) == ended + tail
        for line in lines:
            given = text[line.byte :].split(b"\n", 1)[0]
            assert given[: len(line.text)] == line.text
            assert (line.kind is reader.LineKind.BLANK) == (
                len(given) <= reader.MAX_LINE and not given.strip(BLANK)
            )
    else:
        assert lines
        assert _is_of_archive(lines[-1])
        assert not any(_is_of_archive(line) for line in lines[:-1])


def check_json(data: bytes) -> None:
    """Records of JSON over many lines lie in it in order, and what is a hand is read as one."""
    end = 0
    for line in read_json("x.json", [(0, data)]):
        if line.reject:
            check_reject(line.reject)
            assert line.byte <= line.reject.byte <= len(data)
        assert line.line == data.count(b"\n", 0, line.byte) + 1
        assert line.byte >= end
        end = line.byte
        if line.hand:
            check_hand(line.hand, line.text)


def check_text(data: bytes) -> None:
    """Any text gives hands that can be written as text again, and rejects that say where."""
    lines = list(read_text("x.trick", [(0, data)]))
    for line in lines:
        assert 0 <= line.byte <= len(data)
        if line.reject:
            assert line.reject.message.isprintable()
            assert line.reject.hint
            assert line.byte <= line.reject.byte <= len(data)
            assert all(each.line >= 1 and each.column >= 1 for each in line.reject.problems)
        else:
            assert line.hand is not None
            check_hand(line.hand, line.text)
    hands = [line.hand for line in lines if line.hand]
    again = read_text("x.trick", [(0, write_text(hands).encode())])
    assert [line.hand for line in again] == hands


def _is_of_archive(line: reader.LogLine) -> bool:
    reject = line.reject
    return reject is not None and reject.code in {
        RejectCode.DAMAGED_ARCHIVE,
        RejectCode.EXPANDS_TOO_FAR,
        RejectCode.OTHER_ARCHIVE,
    }


def check_read_line(line: reader.LogLine) -> None:
    """A line of a file is a hand, a blank, or a reject whose place lies in it."""
    assert (line.hand is None) or (line.reject is None)
    if line.reject:
        check_reject(line.reject)
        assert (line.reject.file, line.reject.line) == (line.file, line.line)
        assert line.reject.byte >= line.byte
        if line.reject.code is RejectCode.LINE_TOO_LONG:
            assert len(line.text) == reader.KEPT_OF_LONG_LINE
        else:
            assert line.reject.byte <= line.byte + len(line.text)


def check_reject(reject: Reject) -> None:
    """A reject says what is wrong and what to do."""
    check_sentence(reject.message)
    check_pointer(reject.pointer)
    assert reject.hint
    assert reject.excerpt.isprintable()


def expanded(data: bytes) -> tuple[bytes, bool]:
    """Return what a stream holds, decompressed at once, and whether it is whole."""
    if data.startswith(OTHER_MAGICS):
        return b"", False
    if data.startswith(GZIP_MAGIC):
        return _expanded(data, lambda: zlib.decompressobj(wbits=31))
    if data.startswith(ZSTD_MAGICS):
        return _expanded(data, zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj)
    return data, True


def _expanded(data: bytes, new_frame: Callable[[], Any]) -> tuple[bytes, bool]:
    text = b""
    while data := data.lstrip(b"\0"):
        frame = new_frame()
        try:
            text += frame.decompress(data)
        except (zlib.error, zstandard.ZstdError):
            return text, False
        if not frame.eof:
            return text, False
        data = frame.unused_data
    return text, True


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """Give ``data`` as standard input."""
    before = sys.stdin
    sys.stdin = cast("TextIO", SimpleNamespace(buffer=io.BytesIO(data)))
    try:
        yield
    finally:
        sys.stdin = before


def check_action(data: bytes) -> None:
    """An action is read just when the published pattern takes it, and can be written again."""
    text = data.decode("utf-8", "replace")
    try:
        action = actions.parse_action(text)
    except actions.ActionError:
        if _follows_the_grammar(text):
            words = [word for word in text.split(" ")[2:] if word not in {"?", "*"}]
            assert len(set(words)) < len(words), "an action of the grammar was refused"
        return
    assert _follows_the_grammar(text)
    written = actions.format_action(
        action.seat, actions.Verb(action.verb), _amount(action), actions.action_cards(text)
    )
    assert written == text
    assert actions.parse_action(written) == action


def _follows_the_grammar(text: str) -> bool:
    return any(pattern.match(text) for pattern in _ACTION_PATTERNS)


def _amount(action: actions.Action) -> int:
    return action.amount if action.verb in actions.TAKES_BID | actions.TAKES_TRUMP else 0


def adapter_check(name: str) -> Target:
    """Return the target for one adapter."""

    def check(data: bytes) -> None:
        with standard_input(data):
            items = list(adapters.convert(name, "-"))
        counts = adapters.ConvertCounts()
        for item in items:
            assert not (item.hands and item.reject)
            counts.add(item)
            if item.reject:
                check_reject(item.reject)
                assert item.reject.code != RejectCode.ADAPTER_FAILED
            for hand in item.hands:
                assert reader.parse_line(encode_hand(hand)) == hand
            assert len({hand.id for hand in item.hands}) == len(item.hands)
        assert counts.converted + counts.rejected == counts.records
        if expanded(data) == (data, True) and shape_of_content(data) is Shape.LINES:
            body = data.removeprefix(BOM)
            assert len(items) == body.count(b"\n") + (bool(body) and not body.endswith(b"\n"))

    return check


TARGETS: Final[dict[str, Target]] = {
    "reader": check_line,
    "stream": check_stream,
    "json": check_json,
    "text": check_text,
    "action": check_action,
    **{name: adapter_check(name) for name in ADAPTERS},
}
