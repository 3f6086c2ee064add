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


def division_by_0(n: Any) -> int:
    return n[0] // 0  # here: nothing is divided by 0


def index_from_the_end(n: Any) -> int:
    return n[-1]  # here: count cells from 0


def store_at_the_end(n: Any) -> int:
    n[-1] = 3  # here: count cells from 0
    return 0


def part_of_a_list(n: Any) -> int:
    return len(n[0:2])  # here: write numbers, fields, cells, calls and tuples


def store_a_part(n: Any) -> int:
    n[:] = n  # here: give values to names, fields and cells
    return 0


def text(n: Any) -> int:
    return len("text" + "s")  # here: write numbers


def list_made_in_place(n: Any) -> int:
    return len([each for each in n])  # here: write numbers


def generator_of_two(n: Any) -> int:
    return any(i > each for each in n for i in range(3))  # here: let a generator go through one


def generator_that_takes_apart(n: Any) -> int:
    return sum(i for i, _ in zip(n, n))  # here: let a generator go through one thing


def counter_of_a_generator(n: Any) -> int:
    i = 2
    return sum(i for i in range(i)) + n[0]  # here: give the counter of the generator a name


def highest_of_a_generator(n: Any) -> int:
    return max(each for each in n)  # here: give min and max of a generator a default


def field_out_of_order(n: Any) -> int:
    return Move(gain=n[0], card=n[1]).card  # here: pass the 2 fields in their order


def field_too_much(n: Any) -> int:
    return Move(n[0], n[1], n[2]).card  # here: pass the 2 fields in their order


def function_inside(n: Any) -> int:
    def inner() -> int:  # here: write assignments, if, while, for and return
        return 1

    return inner()


def try_it(n: Any) -> int:
    try:  # here: write assignments, if, while, for and return
        return 1
    except ValueError:
        return 2
    return 3


def otherwise_of_a_loop(n: Any) -> int:
    for each in n:  # here: write assignments, if, while, for and return
        return each
    else:
        return 2
    return 3


def counter_of_two(n: Any) -> int:
    for number, each in enumerate(n):  # here: write assignments, if, while, for and return
        return number + each
    return 0


def step_that_changes(n: Any) -> int:
    total = 0
    for i in range(0, 9, n[0]):  # here: by a number that never changes
        total += i
    return total


def keyword(n: Any) -> int:
    return two(n[0], other=1)  # here: pass arguments by their place


def star(n: Any) -> int:
    return two(*n)  # here: pass arguments by their place


def argument_left_out(n: Any) -> int:
    return two(n[0])  # here: pass all 2 arguments


def field_left_out(n: Any) -> int:
    move = Move(1)  # here: pass all 2 arguments
    return move.card


def least_of_a_list(n: Any) -> int:
    return min(n)  # here: min and max take two or more


def foreign_function(n: Any) -> int:
    return print(n)  # here: call functions of the subset


def method(n: Any) -> int:
    return n.sum()  # here: call functions of the subset


def nothing_to_compare(n: Any) -> int:
    return 1 if n[0] is not None else 0  # here: compare numbers


def tuples_to_compare(n: Any) -> int:
    return (n[0], n[1]) == (1, 2)  # here: compare numbers


def look_into_a_list(n: Any) -> int:
    return 3 in n  # here: look for a number in a tuple


def call_between(n: Any) -> int:
    return 0 < change(n) < 9  # here: give what is compared twice a name first


def order_of_a_sum(n: Any) -> int:
    return n[0] + change(n)  # here: give change(n) a name first


def order_of_a_comparison(n: Any) -> int:
    return change(n) == n[0]  # here: give change(n) a name first


def order_of_arguments(n: Any) -> int:
    return two(change(n), change(n))  # here: give change(n) a name first


def order_of_a_change(n: Any) -> int:
    n[0] += change(n)  # here: give change(n) a name first
    return 0


def place_that_changes(n: Any) -> int:
    n[change(n)] += 1  # here: give the place that is changed a name first
    return 0


def places_in_a_chain(n: Any) -> int:
    a = b, c = n[0], n[1]  # here: give values to names, fields and cells
    return b


def list_that_may_change(n: Any) -> int:
    return LIST[n[0]]  # here: constants are numbers, bytes, and tuples of numbers


def table_of_tables(n: Any) -> int:
    return NESTED[n[0]][1]  # here: constants are numbers, bytes, and tuples of numbers


def dictionary(n: Any) -> int:
    return WORDS["a"]  # here: constants are numbers, bytes, and tuples of numbers


def huge_number(n: Any) -> int:
    return n[0] & HUGE  # here: a number has 64 bits


def huge_number_in_place(n: Any) -> int:
    return n[0] & 0xFFFFFFFFFFFFFFFF  # here: a number has 64 bits


def nothing_of_this_name(n: Any) -> int:
    return nobody + 1  # here: nothing has this name


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
