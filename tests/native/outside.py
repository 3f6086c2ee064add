"""Functions that lie outside of the compiled subset, each by what stands in the line marked."""

# mypy: ignore-errors

from dataclasses import dataclass, field
from typing import Any, NamedTuple

LIST = [1, 2, 3]
HUGE = 1 << 63
NESTED = ((1, 2), (3, 4))
WORDS = {"a": 1}


@dataclass
class State:
    turn: int = 0
    held: list[int] = field(default_factory=lambda: [0] * 3)


class Move(NamedTuple):
    card: int
    gain: int


def change(n: Any) -> int:
    n[0] += 1
    return n[0]


def same(function: Any) -> Any:
    return function


def two(one: int, other: int) -> int:
    return one + other


def power(n: Any) -> int:
    return n[0] ** 2  # here: use + - * / // % & | ^ << >>


def counter_of_a_generator(n: Any) -> int:
    i = 2
    return sum(i for i in range(i)) + n[0]  # here: give the counter of the generator a name


def nothing_at_the_end(n: Any) -> int:  # here: return something at its end
    if n[0] > 1:
        return 1


def argument_that_is_left_open(n: Any, *, other: int) -> int:  # here: take arguments by their place
    return other


def default(n: Any, other: int = 1) -> int:  # here: take arguments by their place
    return other


@same
def decorated(n: Any) -> int:  # here: without decorators
    return 1


def maybe(n: Any) -> int:
    return maybe_missing(n[0])


def maybe_missing(number: int | None) -> int:  # here: have number always there
    return 1


def array_of_another_name(n: Any) -> int:
    return other_array(n)


def other_array(n: Any) -> int:  # here: give what n becomes a name of its own
    n = LIST
    return 1


def record(n: Any, state: State) -> int:
    return returned(state).turn


def returned(state: State) -> State:  # here: change a record that is passed
    return state
