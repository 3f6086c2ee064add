"""Folders that many tests read, made once however many processes run the tests."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


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
    then: Callable[[Path], object] | None = None,
) -> Path:
    """Have ``write`` put logs into a folder, load them, and make the facts; return the warehouse.

    ``then`` is called with the warehouse before its facts are made. It is shared as others are.
    """
    from tricklog.ingest import load
    from tricklog.ingest.facts.files import open_facts

    def make(folder: Path) -> None:
        db = folder / "db"
        load(write(folder), db=db)
        if then:
            then(db)
        open_facts(db).close()

    make.__module__ = write.__module__
    return made_once(factory, name, make) / "db"


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
