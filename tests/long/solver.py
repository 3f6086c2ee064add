"""The solver against the engine, at length: rules state by state, values by trying everything.

    python -m tests.long.solver --states 1000000
    python -m tests.long.solver --endings 100000 --cards 12
    python -m tests.long.solver --hands 100

``--states`` plays random hands of every shape until so many states of all together have been
compared. ``--endings`` compares so many values of each shape with alpha-beta over the compiled
engine, nothing shared but the rules, in endings of so many cards to four more; what differs is
played on to where the fewest cards do. ``--hands`` switches parts of the search off, one after the
other, and compares the values of whole deals, so many of each shape. ``--only`` names shapes.
"""

import time
from itertools import islice

from tests.engine.test_solver_rules import carried_out
from tests.kit.open_play import SHAPES, cards_left, random_plays, set_on_board
from tests.kit.trial import Trial, states_after
from tests.long import parser_of
from tricklog.core.compiled.solving import Place
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.solver import answer, position

WIDER = 4
"""Endings have so many more cards than asked for at the most, so that all of a trick comes up."""
OFF = {
    "bounds": position.USE_BOUNDS,
    "likeness": position.USE_LIKENESS,
    "keys": position.USE_KEYS,
    "order": position.USE_ORDER,
    "table": position.USE_TABLE,
    "ranks": position.USE_RANKS,
}


def main() -> None:
    """Compare what is asked for, and print what was found."""
    parser = parser_of(__doc__, states=0, endings=0, cards=12, hands=0, seed=1)
    parser.add_argument("--only", nargs="*", default=list(SHAPES))
    given = parser.parse_args()
    if given.states:
        compare_states(given.only, given.states, given.seed)
    if given.endings:
        compare_endings(given.only, given.endings, given.cards, given.seed)
    if given.hands:
        compare_switches(given.only, given.hands, given.seed)


def compare_states(names: list[str], count: int, seed: int) -> None:
    """Compare moves, turns, winners and points; the first difference is an error."""
    began, total = time.perf_counter(), 0
    for name in names:
        done = 0
        for played in random_plays(name, seed):
            done += carried_out(played)
            if done >= count / len(names):
                break
        total += done
        print(f"{name}: {done:,} states", flush=True)
    print(f"{total:,} states, no difference, {time.perf_counter() - began:.0f} s")


def compare_endings(names: list[str], count: int, cards: int, seed: int) -> None:
    """Compare values; print the ending with the fewest cards that differs."""
    place, trial = Place(compiled=True), Trial(compiled=True)
    for name in names:
        began, done, nodes, hidden = time.perf_counter(), 0, 0, 0
        differing: list[tuple[int, State, Rules]] = []
        for played in random_plays(name, seed):
            for state in played.states:
                left = cards_left(state, played.rules)
                if state.phase != Phase.PLAY or not cards <= left <= cards + WIDER:
                    continue
                done += 1
                hidden += state.revealed == 0 and SHAPES[name].rules.trump_call == 1
                found = value_of(place, state, played.rules)
                nodes += place.nodes
                if found != trial.value(state, played.rules):
                    differing.append((left, state, played.rules))
            if done >= count:
                break
        words = f"{trial.nodes / done:,.0f} nodes each to try everything, {nodes / done:,.0f} ours"
        trial.nodes = 0
        took = time.perf_counter() - began
        print(
            f"{name}: {done:,} endings ({hidden:,} with trumps hidden), {len(differing)} differ; "
            f"{words}, {took:.0f} s",
            flush=True,
        )
        if differing:
            _, state, rules = min(differing, key=lambda each: each[0])
            print_fewest(place, trial, state, rules)


def value_of(place: Place, state: State, rules: Rules) -> int:
    """Return the value that the solver gives."""
    ((*_, low, high),) = place.ask(answer.VALUE, state, rules)
    assert low == high
    return low


def print_fewest(place: Place, trial: Trial, state: State, rules: Rules) -> None:
    """Go on from an ending whose value differs as long as some move leads to another such one."""
    there = True
    while there:
        there = False
        for then in states_after(state, rules):
            if then.phase == Phase.OVER or then.pair_side != state.pair_side:
                continue
            if value_of(place, then, rules) != trial.value(then, rules):
                state, there = then, True
                break
    print(f"  ours {value_of(place, state, rules)}, right {trial.value(state, rules)}: {state}")


def compare_switches(names: list[str], count: int, seed: int) -> None:
    """Compare values of deals with parts of the search switched off, as far as time allows."""
    for name in names:
        place = Place(compiled=True)
        nodes = dict.fromkeys(["all", *OFF], 0)
        differ = 0
        for played in islice(random_plays(name, seed), count):
            set_on_board(place, "switches", position.ALL_SWITCHES)
            right = place.ask(answer.VALUE, played.first, played.rules, budget=20_000_000)[0]
            nodes["all"] += place.nodes
            for word, switch in OFF.items():
                set_on_board(place, "switches", position.ALL_SWITCHES & ~switch)
                row = place.ask(answer.VALUE, played.first, played.rules, budget=20_000_000)[0]
                nodes[word] += place.nodes
                apart = row[answer.HIGH] < right[answer.LOW] or row[answer.LOW] > right[answer.HIGH]
                differ += apart
        words = ", ".join(f"without {word} {nodes[word] / nodes['all']:.2f}" for word in OFF)
        print(f"{name}: {count} deals, {differ} differ; nodes {nodes['all'] / count:,.0f}; {words}")


if __name__ == "__main__":
    main()
