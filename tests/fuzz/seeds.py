"""What inputs start from: lines of the samples, whole small logs, actions and foreign records."""

import gzip
import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources

import zstandard

from tests.kit import log_lines
from tricklog import Hand, decode_hand, variants
from tricklog.ingest.reading.decode_errors import BOM
from tricklog.ingest.reading.samples import samples_folder
from tricklog.schemas.actions import TRUMP_CODES, VERB_NAMES
from tricklog.schemas.cards import CARD_NAMES

LONGEST = 1 << 14
"""Bytes of the longest seed; longer inputs only take longer."""
HANDS_OF_A_RECORD = 1
ACTIONS = (
    *("0 bid 7", "1 bid 28-56", "2 bid 83-double", "3 trump S-reversed", "4 reveal NT"),
    *("5 trump *", "6 claim 6H QS"),
)


def seeds_of(target: str) -> list[bytes]:
    """Return the seeds of one target, each once and none too long."""
    made = _BY_TARGET.get(target, foreign_records)
    return list(dict.fromkeys(seed for seed in made(target) if len(seed) <= LONGEST))


@cache
def sample_lines() -> tuple[bytes, ...]:
    """The first lines of every sample log, sound or not."""
    files = sorted(samples_folder().glob("*valid/**/*.jsonl"))
    return (
        log_lines.SOUND_LINE,
        *(line for file in files for line in file.read_bytes().split(b"\n")[:2]),
    )


def lines(_: str) -> Iterator[bytes]:
    """Seeds of the line reader: sample lines, and hands whose rules are embedded whole."""
    yield from sample_lines()
    for name in variants():
        text = (resources.files("tricklog.core.rulesets") / "variants" / f"{name}.toml").read_text(
            "utf-8"
        )
        yield log_lines.line(rules={"variant": name, "definition": tomllib.loads(text)})


def streams(_: str) -> Iterator[bytes]:
    """Seeds of the stream reader: a few lines, plain and compressed in several ways."""
    short = min(sample_lines()[1:], key=len)
    text = BOM + log_lines.SOUND_LINE + b"\r\n\n \noops\n" + short
    compress = zstandard.ZstdCompressor().compress
    yield from (text, b"", b"\n", short + b"\n")
    yield from (gzip.compress(text, mtime=0), gzip.compress(text, 0, mtime=0))
    yield from (compress(text), zstandard.ZstdCompressor(write_checksum=True).compress(text))
    yield gzip.compress(short + b"\n", mtime=0) * 2 + b"\0" * 8
    yield b"\x50\x2a\x4d\x18\x02\x00\x00\x00ab" + compress(short)


def documents(_: str) -> Iterator[bytes]:
    """Seeds of the reader of JSON over many lines."""
    hand = json.loads(log_lines.SOUND_LINE)
    for indent in (None, 2):
        for document in (hand, [hand, {}], [[], "a"]):
            yield json.dumps(document, indent=indent).encode()


def texts(_: str) -> Iterator[bytes]:
    """Seeds of the reader of text: the samples, a disputed trick and a score sheet."""
    for path in sorted((samples_folder() / "text").glob("*.trick")):
        yield path.read_bytes()
    yield (
        b"Pedro 20.11.2026\nAnn & Cy vs Bo & Dee\ndealer Ann\nBo p, Cy 8, p, p\ntrump hearts\n"
        b"then Dee has 7s\ntrick 3: Bo 8s 4s 2h 9s > Dee (Dee had it!)\n"
    )
    yield (
        b"game 63; players Jo, As, H, @0\nhand 1; contract Jo 48 double; ... tricks 1-2\n"
        b"hand 2; @Jo 7, set by 1; points 6 ?; after 2 13 # note\nhand ?\n"
    )


def actions(_: str) -> Iterator[bytes]:
    """Seeds of the action parser."""
    yield from (text.encode() for text in ACTIONS)
    for line in sample_lines():
        hand = _hand(line)
        yield from (text.encode() for text in (hand.actions if hand else ()))


def foreign_records(adapter: str) -> Iterator[bytes]:
    """Seeds of an adapter: its sample records, and each cut down to its first hand."""
    path = samples_folder() / "foreign" / f"{adapter}.jsonl"
    for line in path.read_bytes().splitlines():
        yield line
        record = json.loads(line)
        for part in ("hands", "rounds"):
            if part in record:
                record[part] = record[part][:HANDS_OF_A_RECORD]
        if "events" in record:
            record["events"] = record["events"][:40]
        yield json.dumps(record, separators=(",", ":")).encode()


def _hand(line: bytes) -> Hand | None:
    try:
        return decode_hand(line)
    except ValueError:
        return None


def words_of(target: str) -> list[bytes]:
    """Return words that inputs of a target are made of, for mutations by chance."""
    words = {*VERB_NAMES.values(), *TRUMP_CODES, *CARD_NAMES[:13], "JO", "?", "*", "28-56"}
    words |= {
        *("1e999", "-0", "null", "true", "[", "{", "}", "]", '"', ",", ":", "\\u0022", "\\ud800")
    }
    if target not in {"action", "stream"}:
        for seed in seeds_of(target)[:20]:
            words |= _keys(seed)
    return sorted(word.encode() for word in words)


def _keys(line: bytes) -> set[str]:
    keys: set[str] = set()

    def note(pairs: list[tuple[str, object]]) -> None:
        keys.update(json.dumps(key) for key, _ in pairs)

    try:
        json.loads(line, object_pairs_hook=note)
    except ValueError:
        return set()
    return keys


_BY_TARGET = {
    "reader": lines,
    "stream": streams,
    "json": documents,
    "text": texts,
    "action": actions,
}
