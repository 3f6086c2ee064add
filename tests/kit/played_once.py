"""Games that bots play, played once however many processes run the tests.

Bots practise before they play, and many tests want the same games, foremost those that are given
hands as parameters: every process that runs tests asks for these as it starts.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
from filelock import FileLock

from tricklog import Hand, Ruleset, decode_hand, encode_hand, generate
from tricklog.core.bots import generate as bots
from tricklog.core.bots.generate import Judgement

SHARED = "TESTS_SHARE_GAMES_IN"
"""Names the folder that all processes of a test run share; without it each plays its own games."""


@cache
def played(variant: str, games: int, seed: int, *, players: int | None = None) -> tuple[Hand, ...]:
    """Return the hands of games, as ``tricklog.generate`` plays them."""
    folder = os.environ.get(SHARED)
    if folder is None:
        return tuple(generate(variant, games, seed, players=players))
    path = Path(folder) / f"{variant}-{games}-{seed}-{players or 'least'}.jsonl"
    with FileLock(f"{path}.lock"):
        if path.exists():
            return tuple(map(decode_hand, path.read_bytes().splitlines()))
        hands = tuple(generate(variant, games, seed, players=players))
        part = path.with_suffix(".part")
        part.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
        assert tuple(map(decode_hand, part.read_bytes().splitlines())) == hands
        part.rename(path)
    return hands


def share_with_others(folder: Path) -> None:
    """Have this process play no game, and have its bots practise no rules, that another has."""
    folder.mkdir(exist_ok=True)
    os.environ[SHARED] = str(folder)
    vars(bots).update(_practise=_practised_once(bots._practise, folder))


def _practised_once(
    practise: Callable[[Ruleset, int], Judgement], folder: Path
) -> Callable[[Ruleset, int], Judgement]:
    def practised(ruleset: Ruleset, seats: int) -> Judgement:
        path = folder / f"practice-{ruleset.hash}-{seats}.json"
        with FileLock(f"{path}.lock"):
            if path.exists():
                return msgspec.json.decode(path.read_bytes(), type=Judgement)
            learned = practise(ruleset, seats)
            text = msgspec.json.encode(learned)
            assert msgspec.json.decode(text, type=Judgement) == learned
            path.write_bytes(text)
            return learned

    return practised
