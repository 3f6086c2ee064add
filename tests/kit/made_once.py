"""What many tests read, made once however many processes run the tests: folders, games of bots.

Bots practise before they play, and many tests want the same games, foremost those that are given
hands as parameters: every process that runs tests asks for these as it starts.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path

import msgspec
import pytest
from duckdb import DuckDBPyConnection
from filelock import FileLock

from tricklog import Hand, Ruleset, decode_hand, encode_hand, generate
from tricklog.core.bots import generate as bots
from tricklog.core.bots.generate import Judgement


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Have ``make`` fill a folder, unless another process of this test run has done so.

    Returns that folder, which all processes share: nobody may change it, who writes copies it.
    A name stands for one folder of the module that asks for it.
    """
    base = factory.getbasetemp()
    # The workers of one run have a folder each, below that of the run.
    shared = (
        base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    ) / f"shared-{name}-{make.__module__}"
    done = Path(f"{shared}.done")
    with FileLock(f"{shared}.lock"):
        if not done.exists():
            shutil.rmtree(shared, ignore_errors=True)
            shared.mkdir()
            make(shared)
            done.touch()
    return shared


def loaded_once(
    factory: pytest.TempPathFactory,
    name: str,
    write: Callable[[Path], Path],
    *then: Callable[[Path], object],
) -> Path:
    """Have ``write`` put logs into a folder, load them, and make the facts; return the warehouse.

    ``then`` are called with the warehouse before its facts are made. It is shared as others are.
    """
    from tricklog.ingest import load
    from tricklog.ingest.facts.files import open_facts

    def make(folder: Path) -> None:
        db = folder / "db"
        load(write(folder), db=db)
        for each in then:
            each(db)
        open_facts(db).close()

    make.__module__ = write.__module__
    return made_once(factory, name, make) / "db"


def hands_once(
    factory: pytest.TempPathFactory,
    name: str,
    hands: Callable[[], Iterable[Hand]],
    *then: Callable[[Path], object],
) -> Path:
    """Return a warehouse of these hands with its facts, as ``loaded_once`` does."""
    from tests.kit.log_lines import write_hands

    def write(folder: Path) -> Path:
        return write_hands(folder / "log.jsonl", hands())

    write.__module__ = hands.__module__
    return loaded_once(factory, name, write, *then)


def once(within: str = "") -> Callable[[Callable[[Path], object]], object]:
    """Turn a function that fills a folder into a fixture that gives it, made once.

    ``within`` names what the fixture gives of the folder, if it does not give the whole.
    """

    def fixture_of(make: Callable[[Path], object]) -> object:
        @pytest.fixture(scope="session", name=make.__name__)
        def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
            return made_once(tmp_path_factory, make.__name__, make) / within

        return made

    return fixture_of


def copied(whole: str, within: str = "", to: str = "db") -> object:
    """Make a fixture: a copy, for a test to change, of the folder that another fixture gives."""

    @pytest.fixture
    def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        return shutil.copytree(request.getfixturevalue(whole) / within, tmp_path / to)

    return copy


def opened(
    opening: Callable[[Path], AbstractContextManager[DuckDBPyConnection]], db: str = "db"
) -> object:
    """Make a fixture: the tables or facts of the warehouse that another fixture gives."""

    @pytest.fixture(scope="module")
    def connection(request: pytest.FixtureRequest) -> Iterator[DuckDBPyConnection]:
        with opening(request.getfixturevalue(db)) as found:
            yield found

    return connection


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
