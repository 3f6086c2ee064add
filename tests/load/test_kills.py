"""Kill -9 while a warehouse is changed: the old or the new state stands, and work goes on."""

import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.kit.kills import Change, Stage, kill_at_random, stage, stop_at_each
from tests.kit.log_lines import generated, moved_on, write_hands
from tests.kit.publish_points import Point
from tests.kit.stored import content_or_none, wrong_scores
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import decode_hand, ingest, replay
from tricklog.ingest.store.publishing import KEPT
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.ingest.upkeep.rebuilding import rebuild

POINTS = tuple(map(str, Point))
NEW_FROM = POINTS[POINTS.index(Point.POINTER_REPLACED) :]
FEW = [Point.TABLES_WRITTEN, Point.NAMED, Point.POINTER_FLUSHED, Point.POINTER_REPLACED]
"""Points that leave other files than the one before."""
OURS = re.compile(r"CURRENT|LOCK|games-\d+\.(duckdb|seal)")

pytestmark = pytest.mark.posix


def rehearse(log: str) -> None:
    """Resolve the rules of a log, as every fork would do again."""
    for line in Path(log).read_bytes().splitlines():
        replay(decode_hand(line))


def load(db: str | Path, log: str | Path) -> None:
    ingest.load(log, db=db)


def audit_again(db: str | Path, _: object) -> None:
    reaudit(db)


def build_again(db: str | Path, _: object) -> None:
    rebuild(db=db)


class Changes:
    """Loads and all else that publishes, from warehouses in a folder to one of a whole log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        hands = generated("pedro", 1)[:5]
        hands = (*hands, moved_on(hands[2]))[1:]
        self.log = write_hands(folder / "whole.jsonl", hands)
        ingest.load(write_hands(folder / "half.jsonl", hands[:2]), db=folder / "half")
        ingest.load(self.log, db=folder / "whole")
        with pytest.MonkeyPatch.context() as patch:
            wrong_scores(patch)
            ingest.load(self.log, db=folder / "wrong")
        names = ("", "half", "whole", "wrong")
        self.states = {name: content_or_none(folder / name) for name in names}
        assert len(set(self.states.values())) == len(self.states)
        self.numbers = count()

    def change(
        self, name: str, work: Callable[[str | Path, str | Path], None], start: str, nth: int = 1
    ) -> Change:
        """Return work from the warehouse ``start``; empty: from none."""

        def begin() -> Path:
            db = self.folder / f"db-{next(self.numbers)}"
            return shutil.copytree(self.folder / start, db) if start else db

        def again(db: Path) -> Sequence[str]:
            work(db, self.log)
            left = [path.name for path in db.iterdir()]
            wrong = [f"{each} was left" for each in left if not OURS.fullmatch(each)]
            return wrong if len(left) <= 2 * KEPT + 2 else [*wrong, f"{len(left)} files were left"]

        old, new = self.states[start], self.states["whole"]
        look = content_or_none
        return Change(name, begin, work, [self.log], look, old, new, again, NEW_FROM, nth)

    def all(self) -> list[Change]:
        """Return what changes a warehouse, the last two after a publish into a folder of theirs."""
        return [
            self.change("first load", load, ""),
            self.change("second load", load, "half"),
            self.change("reaudit", audit_again, "wrong", nth=2),
            self.change("rebuild", build_again, "whole", nth=2),
        ]


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> Changes:
    return Changes(tmp_path_factory.mktemp("kills"))


@pytest.fixture(scope="module")
def forks(changes: Changes) -> Iterator[Stage]:
    with stage() as given:
        given.prepare(rehearse, changes.log)
        # What a load imports late is there for the others from then on.
        given.run(load, changes.folder / "rehearsal", changes.log)
        yield given


def test_stopped_at_points_of_a_publish(changes: Changes, forks: Stage) -> None:
    """All publish alike, only other drafts: a load is stopped at points that leave other files."""
    wrong = []
    for change in changes.all() if is_thorough() else changes.all()[1:2]:
        wrong += stop_at_each(forks, change, POINTS if is_thorough() else FEW)
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough("what a kill leaves at any moment is what stands at the points around it")
def test_killed_at_any_time(changes: Changes, forks: Stage) -> None:
    dice = random.Random("kills")
    wrong = []
    for change in changes.all():
        wrong += kill_at_random(forks, change, dice, scaled(5, most=50))
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough("each write of a load fails in store/test_damage")
def test_a_file_that_cannot_grow_leaves_the_old_state(changes: Changes, forks: Stage) -> None:
    change = changes.change("second load", load, "half")
    for room in some([1 << 16, 0, 1 << 12, 1 << 18, 1 << 19], 1):
        db = change.begin()
        ran = forks.run(change.work, db, *change.given, room=room)
        assert not ran.failed, room
        assert "arehouse is as it was. Free " in ran.said, room
        assert "File too large" in ran.said, room
        assert change.look(db) == change.old, room
        assert change.again(db) == [], room
        assert change.look(db) == change.new, room
