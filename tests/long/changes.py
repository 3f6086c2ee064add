"""A long run over simulated seasons: is a change found where there is one, and nowhere else?

    python -m tests.long.changes [--tries 300] [--clubs 12] [--evenings 40] [--seed 1]

First seasons of players whose shares never change, drawn at random: how often is a change found at
95 % and at 99 %? Then clubs of eight simulated people, one of whom plays better from evening to
evening: how often is that one found, and how often one of the other seven? Exit status 1 when
constant players are called changed at 99 % in more than 2 % of the cases, by more than chance
explains, in either.
"""

import math
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.kit.simulated_club import EVENINGS, IMPROVING, write_season
from tests.kit.simulated_games import Season, Setting, alarms, found_in
from tests.long import parser_of
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.figure_words import FAMILY
from tricklog.ingest.metrics.trend import changes

MOST = 0.02
SETTINGS = {
    "even": Setting(0.5, 0.0, 6),
    "alike in a game": Setting(0.5, 0.1, 6),
    "few hits": Setting(0.15, 0.05, 10),
    "many hits": Setting(0.8, 0.05, 4),
}


def main() -> None:
    """Run, and print the tables."""
    arguments = parser_of(__doc__, tries=300, clubs=12, evenings=EVENINGS, seed=1).parse_args()
    sound = not arguments.tries or _constant(arguments.tries, arguments.seed)
    if arguments.clubs:
        sound &= _clubs(arguments.clubs, arguments.evenings, arguments.seed)
    sys.exit(not sound)


def _constant(tries: int, seed: int) -> bool:
    """Print how often constant players are called changed; return whether seldom enough."""
    sound = True
    print("| constant shares | games | compared | at 95 % | at 99 % |\n|---|---:|---:|---:|---:|")
    for name, setting in SETTINGS.items():
        for games in (10, 15, 40, 100):
            # No further than the shares of all can go along.
            for drift in (0.0, 0.6 * min(setting.share, 1 - setting.share)):
                season = Season(setting, games, apart=0.02, drift=drift)
                found = found_in(season, tries, seed)
                compared = sum(map(len, found))
                if not compared:
                    continue
                often, seldom = alarms(found)
                said = f"{name}, field moves" if drift else name
                print(f"| {said} | {games} | {compared} | {often:.1%} | {seldom:.1%} |", flush=True)
                sound &= _seldom(seldom, compared)
    return sound


def _seldom(share: float, compared: int) -> bool:
    """Return whether a share is no more than promised, by two standard errors."""
    return share <= MOST + 2 * math.sqrt(MOST / max(compared, 1))


def _clubs(clubs: int, evenings: int, seed: int) -> bool:
    """Print who is found in simulated clubs; return whether the steady ones seldom are."""
    metrics = [METRIC[each] for each in FAMILY]
    told: Counter[tuple[str, str]] = Counter()
    sizes: dict[str, list[float]] = {}
    named = 0
    for club in range(clubs):
        with tempfile.TemporaryDirectory() as folder:
            log = write_season(Path(folder) / "club.jsonl", seed + club, evenings)
            ingest.load(log, db=Path(folder) / "db")
            with open_facts(Path(folder) / "db") as facts:
                rows = changes(facts, metrics)
                own = changes(facts, metrics, player=IMPROVING)
        named += bool(own["named"].any())
        for row in rows.iter_rows(named=True):
            who = "improving" if row["player"] == IMPROVING else "steady"
            told[row["metric"], who] += 1
            told[row["metric"], f"{who} at 95 %"] += row["chance"] < 0.05
            told[row["metric"], f"{who} at 99 %"] += row["chance"] < 0.01
            if who == "improving":
                sizes.setdefault(row["metric"], []).append(row["change"])
    print(
        f"\nIn {named} of {clubs} clubs a figure of the improving player is named (Holm over all)."
    )
    print("\n| metric | change | improving 95 / 99 % | the other seven 95 / 99 % |")
    print("|---|---:|---:|---:|")
    compared = wrong = 0
    for name in FAMILY:
        parts = []
        for who in ("improving", "steady"):
            count = max(told[name, who], 1)
            shares = [told[name, f"{who} at {level} %"] / count for level in (95, 99)]
            parts.append(" / ".join(f"{each:.1%}" for each in shares))
        mean = sum(sizes.get(name, [0.0])) / max(len(sizes.get(name, [])), 1)
        print(f"| {name} | {mean * 100:+.1f} | {parts[0]} | {parts[1]} |", flush=True)
        compared += told[name, "steady"]
        wrong += told[name, "steady at 99 %"]
    print(f"\nOf {compared} figures of steady players {wrong} are called changed at 99 %.")
    return _seldom(wrong / max(compared, 1), compared)


if __name__ == "__main__":
    main()
