"""Logs as they come from many tables: valid hands of all systems, and all that goes wrong."""

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tests.kit.noise import broken
from tricklog.schemas.hand import Hand, decode_hand, encode_hand

COMPRESSED_EVERY = 5
"""Every so many logs one is compressed."""
_GARBAGE = (b"{", b"[1, 2]", b"hello", b'{"format":"tricklog/9"}', b"\xff\xfe", b'{"format":')


def write_dirty_logs(
    lines: Sequence[bytes], folder: Path, files: int, seed: int = 1, share: float = 0.002
) -> list[Path]:
    """Write the hands of ``lines`` into logs, with mishaps of every kind; return the logs.

    Games go over from one log to the next, and some are spread over all of them. Of each kind of
    mishap there is one for a ``share`` of the hands, about: a hand once more, in the same words or
    in others, another hand under an id that is taken, once or twice, a hand that breaks the rules,
    garbage, a blank line. Logs differ in length.
    """
    chance = random.Random(seed)
    placed = [bytearray() for _ in range(files)]
    cuts = sorted(chance.random() for _ in range(files - 1))
    for number, line in enumerate(lines):
        home = sum(cut < number / len(lines) for cut in cuts)
        if chance.random() < share * 5:
            home = chance.randrange(files)
        for text in _with_mishaps(line, chance, share):
            placed[home] += text + b"\n"
            if chance.random() < share * 2:
                placed[chance.randrange(files)] += text + b"\n"
    folder.mkdir(parents=True, exist_ok=True)
    return list(_written(folder, placed))


def _with_mishaps(line: bytes, chance: random.Random, share: float) -> Iterator[bytes]:
    yield line
    if chance.random() < share:
        yield json.dumps(json.loads(line), indent=None, separators=(", ", ": ")).encode()
    if chance.random() < share:
        other = _other(decode_hand(line), chance)
        yield from [other] * chance.choice([1, 1, 2])
    if chance.random() < share:
        hand = decode_hand(line)
        yield encode_hand(
            msgspec.structs.replace(broken(hand, chance), id=f"{hand.id}-b", claimed=msgspec.UNSET)
        )
    if chance.random() < share:
        yield chance.choice([*_GARBAGE, b"", b"   "])


def _other(hand: Hand, chance: random.Random) -> bytes:
    """Return another hand under the same id, one that is valid or one that is not."""
    if chance.random() < 0.5:
        return encode_hand(
            msgspec.structs.replace(hand, notes={"0": f"copy {chance.randrange(3)}"})
        )
    # Without the last action it would be the same hand, not played to its end.
    actions = [*hand.actions[:-2], hand.actions[-1]]
    return encode_hand(msgspec.structs.replace(hand, actions=actions))


def _written(folder: Path, placed: Sequence[bytes | bytearray]) -> Iterator[Path]:
    for number, text in enumerate(placed):
        path = folder / f"log-{number:03d}.jsonl"
        if number % COMPRESSED_EVERY == COMPRESSED_EVERY - 1:
            path = path.with_name(f"{path.name}.gz")
            path.write_bytes(gzip.compress(text, 1))
        else:
            path.write_bytes(text)
        yield path
