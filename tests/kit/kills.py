"""Killing what changes a warehouse, at its named points and at any time."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.store.publishing import KEPT, Point
from tests.kit.log_lines import generated, moved_on, write_hands

POINTS = tuple(Point)
REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True)
class Scene:
    """Something that changes a warehouse: from one state to another."""

    name: str
    what: str
    start: str
    """The warehouse it starts from; empty for none."""
    publishes: int
    """Which of its publishes is the one that counts; those before go to folders of its own."""


SCENES = (
    Scene("first load", "load", "", 1),
    Scene("second load", "load", "half", 1),
    Scene("reaudit", "reaudit", "wrong", 2),
    Scene("rebuild", "rebuild", "whole", 2),
)


@dataclass
class Tally:
    """What came of a number of kills."""

    kills: Counter[str] = field(default_factory=Counter)
    """By scene and point."""
    finished: int = 0
    """Times at which the work had ended before the kill."""
    old: int = 0
    new: int = 0
    failures: list[str] = field(default_factory=list)


class Killer:
    """Prepares the scenes in a folder, and kills."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        hands = generated("pedro", 1)[:5]
        hands = (*hands, moved_on(hands[2]))[1:]
        self.half = write_hands(folder / "half.jsonl", hands[:2])
        self.whole = write_hands(folder / "whole.jsonl", hands)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.kill_child", str(self.whole)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        )
        self.count = 0
        self.tally = Tally()
        half = self._ask(what="load", log=self.half, db=folder / "half")
        whole = self._ask(what="load", log=self.whole, db=folder / "whole")
        wrong = self._ask(what="load", log=self.whole, db=folder / "wrong", wrong=True)
        self.states: dict[str, str | None] = {
            "": None,
            "half": half["repeated"],
            "whole": whole["repeated"],
            "wrong": wrong["repeated"],
        }
        assert len(set(self.states.values())) == len(self.states)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def at_points(self, scene: Scene, points: Sequence[Point] = POINTS) -> None:
        """Kill once at each named point."""
        for point in points:
            told = self._ask_scene(scene, point=point, nth=scene.publishes)
            is_new = POINTS.index(point) >= POINTS.index(Point.POINTER_REPLACED)
            allowed = [self.states["whole"] if is_new else self.states[scene.start]]
            self._judge(scene, str(point), told, allowed)
            if told["status"] != -9:
                self.tally.failures.append(f"{scene.name} did not come to {point}")

    def at_random(self, scene: Scene, dice: random.Random, kills: int) -> None:
        """Kill at so many random times while the work is going on."""
        seconds = float(self._ask_scene(scene)["seconds"])
        done = 0
        while done < kills:
            told = self._ask_scene(scene, delay=dice.random() * seconds)
            allowed = [self.states["whole"], self.states[scene.start]]
            met = self._judge(scene, "any time", told, allowed)
            # A machine is busy now and idle then: follow how long the work takes.
            seconds *= 1.03 if met else 0.9
            done += met

    def without_room(self, scene: Scene, room: int) -> str:
        """Do it where no file may have more than ``room`` bytes; return what was said."""
        told = self._ask_scene(scene, room=room)
        self._judge(scene, f"{room} bytes", told, [self.states[scene.start]])
        return str(told["said"])

    def _judge(
        self, scene: Scene, when: str, told: dict[str, Any], allowed: list[str | None]
    ) -> bool:
        """Enter what came of one kill, and return whether the kill met the work."""
        tally = self.tally
        met = bool(told["status"] == -9)
        tally.finished += not met
        tally.kills[f"{scene.name}, {when}"] += met
        is_new = told["stands"] == self.states["whole"]
        tally.new += is_new
        tally.old += not is_new
        wrong = []
        if told["failed"]:
            wrong.append("the work could not be done again")
        if told["stands"] not in allowed:
            wrong.append(f"it left {told['stands']}, neither the old nor the new state")
        if told["repeated"] != self.states["whole"]:
            wrong.append(f"doing it again gave {told['repeated']}")
        if leftovers := [name for name in told["names"] if not _belongs(name)]:
            wrong.append(f"{leftovers} were left behind")
        if len(told["names"]) > 2 * KEPT + 2:
            wrong.append(f"{len(told['names'])} files are too many")
        tally.failures += [f"{scene.name}, killed at {when}: {each}" for each in wrong]
        return met

    def _ask_scene(self, scene: Scene, **more: object) -> dict[str, Any]:
        self.count += 1
        db = self.folder / f"db-{self.count}"
        start = str(self.folder / scene.start) if scene.start else None
        told = self._ask(what=scene.what, log=self.whole, db=db, start=start, **more)
        shutil.rmtree(db)
        return told

    def _ask(self, **task: object) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(task, default=str) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def _belongs(name: str) -> bool:
    return name in {"CURRENT", "LOCK"} or bool(re.fullmatch(r"games-\d+\.(duckdb|seal)", name))


def killer_in(folder: Path) -> Iterator[Killer]:
    """Give a killer for as long as it is needed."""
    killer = Killer(folder)
    yield killer
    killer.close()
