"""A long run over simulated clubs: is it found who bids and plays otherwise than the field?

    python -m tests.long.field [--clubs 5] [--seed 1] [--evenings 40] [--alike]

Each club is eight people whose temperaments are known (``tests.kit.simulated_club``). Prints for
every person how often each figure named them above or below the field, over all games together,
with its mean; and how often the twins differ. Exit status 1 when, in some club, the bold bidder or
the slight overbidder is not named above in calls, the weak player is, or the careful twins are not
named below or differ by a tenth or more; or when the weak player is named below in play in fewer
than half of the clubs.

With ``--alike`` all eight play alike. Then it prints how many figures differ from the field at 5 %,
and the status is 1 when any is named.
"""

import argparse
import math
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ingest
from ingest.facts.files import open_facts
from ingest.metrics.field import (
    QUESTIONS,
    Table,
    figures_over_tables,
    player_figures,
    study,
    tables,
)
from replay.bots.bots import Temperament
from tests.kit.simulated_club import EVENINGS, PEOPLE, write_season

TWINS = (("careful-1", "careful-2"), ("steady-1", "steady-2"))
Rows = dict[tuple[str, str], dict[str, Any]]


def figures_of(
    seed: int, evenings: int, people: Mapping[str, Temperament] = PEOPLE
) -> tuple[Rows, dict[str, Rows]]:
    """Return the figures of a club over all its games, and by variant, by question and player."""
    with tempfile.TemporaryDirectory() as folder:
        log = write_season(Path(folder) / "season.jsonl", seed, evenings, people=people)
        ingest.load(log, db=Path(folder) / "db")
        with open_facts(Path(folder) / "db") as facts:
            kinds = [Table(row["variant"], row["seating"]) for row in tables(facts).to_dicts()]
            studies = [study(facts, each) for each in kinds]
    return (
        by_player(figures_over_tables(studies).to_dicts()),
        {each.table.variant: by_player(player_figures(each).to_dicts()) for each in studies},
    )


def by_player(rows: list[dict[str, Any]]) -> Rows:
    """Return rows by question and player."""
    return {(row["question"], row["player"]): row for row in rows}


def named(rows: Rows, question: str, player: str) -> int:
    """Return 1 for named above, -1 for named below, else 0."""
    row = rows.get((question, player))
    if row is None or not row["named"]:
        return 0
    return 1 if row["value"] > 0 else -1


def differ(rows: Rows, question: str, pair: tuple[str, str]) -> float:
    """Return how many standard errors two people differ by, 0 where one has too few cases."""
    one, other = (rows.get((question, name)) for name in pair)
    if not one or not other or not (one["enough"] and other["enough"]):
        return 0.0
    widths = [(row["high"] - row["low"]) / 2 / 1.96 for row in (one, other)]
    return float(abs(one["value"] - other["value"]) / math.hypot(*widths))


def failures(rows: Rows) -> list[str]:
    """Return what is not found as it is known to be."""
    found = [
        f"{player} is not named above in calls"
        for player in ("bold", "slight")
        if named(rows, "calls", player) != 1
    ]
    found += [
        f"{player} is not named below in calls"
        for player in TWINS[0]
        if named(rows, "calls", player) != -1
    ]
    if named(rows, "calls", "weak") == 1:
        found.append("weak is named above in calls")
    one, other = (rows["calls", name]["value"] for name in TWINS[0])
    if abs(one - other) >= 0.1:
        found.append(f"{' and '.join(TWINS[0])} differ in calls")
    return found


def alike(clubs: int, seed: int, evenings: int) -> int:
    """Print what is found among people who play alike; return how many figures are named."""
    people = dict.fromkeys(PEOPLE, PEOPLE["steady-1"])
    compared = different = wrongly = 0
    for club in range(clubs):
        over_all, by_variant = figures_of(seed + club, evenings, people)
        for rows in (over_all, *by_variant.values()):
            enough = [row for row in rows.values() if row["enough"]]
            compared += len(enough)
            different += sum(row["p"] < 0.05 for row in enough)
            wrongly += sum(row["named"] for row in enough)
    print(f"{compared} figures, {different} different at 5 %, {wrongly} named")
    return wrongly


def main() -> None:
    """Run, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--clubs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evenings", type=int, default=EVENINGS)
    parser.add_argument("--alike", action="store_true")
    arguments = parser.parse_args()
    if arguments.alike:
        sys.exit(bool(alike(arguments.clubs, arguments.seed, arguments.evenings)))
    above, below, twins = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    values: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    wrong, weak = [], 0
    began = time.monotonic()
    for club in range(arguments.clubs):
        seed = arguments.seed + club
        rows, by_variant = figures_of(seed, arguments.evenings)
        wrong += [f"club {seed}: {each}" for each in failures(rows)]
        weak += named(rows, "play", "weak") == -1
        for key, row in rows.items():
            above[key] += named(rows, *key) == 1
            below[key] += named(rows, *key) == -1
            if row["enough"]:
                values[key].append(row["value"])
        for pair in TWINS:
            for question in QUESTIONS:
                apart = differ(rows, question.name, pair)
                twins[f"{pair[0][:-2]} {question.name} 95"] += apart > 1.96
                twins[f"{pair[0][:-2]} {question.name} 99"] += apart > 2.576
        cases = {name: sum(row["n"] for row in each.values()) for name, each in by_variant.items()}
        left = (time.monotonic() - began) / (club + 1) * (arguments.clubs - club - 1)
        print(f"club {seed}: {cases}, {left / 60:.1f} min left", file=sys.stderr, flush=True)
    print(table(above, below, values, arguments.clubs))
    print("\nTwins called different at 95 and 99 %:", dict(twins))
    if 2 * weak < arguments.clubs:
        wrong.append(f"weak is named below in play in {weak} of {arguments.clubs} clubs")
    print(f"\n{len(wrong)} failures", *wrong, sep="\n")
    sys.exit(bool(wrong))


def table(
    above: Counter[tuple[str, str]],
    below: Counter[tuple[str, str]],
    values: dict[tuple[str, str], list[float]],
    clubs: int,
) -> str:
    """Return the table of people: mean, and in how many clubs they were named above and below."""
    lines = [
        f"| of {clubs} clubs | " + " | ".join(each.name for each in QUESTIONS) + " |",
        "|---|" + "---|" * len(QUESTIONS),
    ]
    for player in PEOPLE:
        cells = []
        for question in QUESTIONS:
            key = (question.name, player)
            mean = sum(values[key]) / len(values[key]) if values[key] else math.nan
            cells.append(f"{mean:+.2f}, above {above[key]}, below {below[key]}")
        lines.append(f"| {player} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
