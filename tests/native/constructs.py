"""Small functions that have everything of the compiled subset, and what they are called with.

Each takes a list of numbers, which it may change, and returns one. What is odd about them is the
point: a translator that mixes up two things of Python gives another number for one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

from tricklog.core.engine.records import highest_first, lowest_first, union

Numbers = list[int]
"""A list in plain Python, an array in the library."""


class Suit(IntEnum):
    HEARTS = 2
    SPADES = 5


@dataclass
class Table:
    """A record; ``double`` is a word of C++."""

    turn: int = 0
    double: int = 0
    held: list[int] = field(default_factory=lambda: [0] * 4)
    rows: list[list[int]] = field(default_factory=lambda: [[0] * 3 for _ in range(2)])


class Move(NamedTuple):
    card: int
    gain: int


class Bid(NamedTuple):
    low: int
    suit: int = 4
    high: int = -1


class Desk(NamedTuple):
    """Arrays, numbers and a record together."""

    numbers: Numbers
    shift: int
    table: Table


WEIGHTS: Final = (3, -5, 7, 11)
WORD: Final = b'p\x00s"?\\\xff'
RED: Final = frozenset({2, 3})
LARGEST: Final = (1 << 63) - 1
SMALLEST: Final = -(1 << 63)


def add_up(n: Numbers) -> int:
    return n[0] + n[1] * 3 - n[2]


def divide(n: Numbers) -> int:
    rest = n[0] % (n[1] | 1)
    return n[0] // (n[1] | 1) * 1000 + rest * 10 + n[2] // -3 + n[2] % -3


def wrap(n: Numbers) -> int:
    """Numbers that do not fit wrap around, and what is masked away afterwards is the same."""
    mixed = n[0] * 6364136223846793005 + n[1] * 1442695040888963407
    return mixed & 0xFFFFFFFF


def at_the_ends(n: Numbers) -> int:
    return (n[0] < LARGEST) + (n[0] > SMALLEST) * 2 + (LARGEST - 1 & 6)


def bits(n: Numbers) -> int:
    low = n[0] & -n[0]
    return (n[0] ^ n[1]) & 0xFF | low << 3 | ~n[2] & 5 | (n[0] & 0xFFFF) >> 2


def count_bits(n: Numbers) -> int:
    positive = n[0] & 0xFFFFFFFFFFFF
    return positive.bit_count() * 100 + positive.bit_length()


def shift_truth(n: Numbers) -> int:
    """A truth value is a number of 64 bits like every other."""
    return (n[0] > n[1]) << 40 | (not n[2]) << 41 | (n[0] in RED) << 42


def choose(n: Numbers) -> int:
    one = n[0] if n[0] > n[2] else n[1]
    other = n[1] and n[2]
    third = n[0] or n[1] or n[2]
    return one * 10000 + other * 100 + third


def compare(n: Numbers) -> int:
    between = 0 < n[0] <= n[1] != 7
    found = n[2] in (1, 5, n[0]) and n[1] not in (7, 8)
    return between * 4 + found * 2 + (n[0] == n[1])


def name_things(n: Numbers) -> int:
    return Suit.SPADES * WEIGHTS[n[0] & 3] + len(WEIGHTS) + ord("A") + Suit.HEARTS


def call_others(n: Numbers) -> int:
    return (
        _higher(n[0], min(n[1], n[2], 3)) + max(n[0], n[1]) + abs(n[2]) + int(n[0] > 0) * bool(n[1])
    )


def _higher(one: int, other: int) -> int:
    if one > other:
        return one
    else:  # noqa: RET505 - a function may end in two branches
        return other


def loop_over_ranges(n: Numbers) -> int:
    total = 0
    for i in range(n[0] & 7):
        total = total * 3 + i
    for i in range(2, n[1] & 15, 3):
        total += i * 100
    for i in range(9, n[2] & 7, -2):
        total -= i
    return total


def loop_over_things(n: Numbers) -> int:
    total = 0
    for each in (n[0], n[1], 4):
        total = total * 5 + each
    for weight in WEIGHTS:
        total += weight * n[2]
    for number in n:
        total ^= number
    return total


def change_the_counter(n: Numbers) -> int:
    """The counter is set again at each turn, whatever the body makes of it, and stays."""
    total = 0
    i = 50
    for i in range(4):
        total = total * 10 + i
        i += n[0]  # noqa: PLW2901 - that is what it is about
    return total * 1000 + i


def loop_to_the_end_of_a_range_that_moves(n: Numbers) -> int:
    end, turns = n[0] & 7, 0
    for _ in range(end):
        end += 1
        turns += end
    return turns


def loop_while(n: Numbers) -> int:
    steps = 0
    at = n[0] & 0xFFF
    while at != 1 and steps < 200:
        steps += 1
        if at % 2:
            at = at * 3 + 1
            continue
        at //= 2
        if steps > 150:
            break
    return steps


def leave_a_loop_without_end(n: Numbers) -> int:
    at = n[0] & 15
    while True:
        for inner in range(3):
            if inner == 2:
                break
        at += 1
        if at % 7 == 0:
            return at


def keep_the_outer_name(n: Numbers) -> int:
    """A name that is given inside a block is the one outside."""
    best = 12
    for i in range(3):
        if n[i] > 5:
            best = n[i]
        elif n[i] == 5:
            best, other = n[i] + 1, 2
            best += other
    return best


def give_a_name_in_two_branches(n: Numbers) -> int:
    if n[0] > n[1]:
        which = 1
        far = which * 2
    else:
        which = 7
        far = which + n[2]
    return which * 100 + far


def use_the_name_of_another_turn(n: Numbers) -> int:
    last = -1
    total = 0
    for number in n:
        if number > 2:
            total += last
        last = number
    return total


def swap(n: Numbers) -> int:
    one, other = n[0], n[1]
    one, other = other, one + other
    n[0], n[1] = n[1], n[0]
    third = fourth = n[2]
    third += 1
    return one * 1000 + other * 100 + third * 10 + fourth


def unpack(n: Numbers) -> int:
    low, high, is_even = _ends(n)
    move = _move(n[0])
    _, last, _ = _ends(n)
    product = move.gain * move.card & 0xFFFF
    return low * 100 + high * 10 + is_even + product + last


def _ends(n: Numbers) -> tuple[int, int, bool]:
    return min(n[0], n[1]), max(n[0], n[1]), n[0] % 2 == 0


def _move(card: int) -> Move:
    return Move(card + 1, card * 2)


def copy_with_other_fields(n: Numbers) -> int:
    move = Move(n[0], n[1])
    other = move._replace(gain=n[2], card=move.gain ^ 1)
    move = other._replace(card=n[0]) if n[0] > 1 else move
    return (move.card & 255) * 7 + (move.gain & 255) * 3 + (other.card & 255) * 5 - other.gain % 9


def one_after_the_other(n: Numbers) -> int:
    """Calls that change something come in the order in which they are written."""
    first, second = _take(n), _take(n)
    third, fourth = (_take(n), _take(n)) if first > 9 else (7, _take(n))
    move = Move(_take(n), _take(n))
    n[_take(n) & 1] = fourth
    return first * 1000 + second * 100 + third * 7 + fourth + move.card * 5 + move.gain


def _take(n: Numbers) -> int:
    n[0] = n[0] * 3 + 1 & 0xFF
    return n[0]


def read_bytes(n: Numbers) -> int:
    total = 0
    for each in WORD:
        total = total * 3 + each
    return total + _length(b"yes" if n[0] > 0 else b"") + b"heart"[n[1] & 3] + len(WORD)


def _length(text: bytes) -> int:
    return len(text) * 1000


def use_a_record(desk: Desk) -> int:
    table = desk.table
    table.turn += desk.numbers[0] + desk.shift
    table.double = table.turn * 2
    held = table.held
    held[table.turn & 3] = table.double
    table.held[0] += held[table.turn & 3] & 0xFF
    table.rows[1][2] = held[0] + 1
    row = table.rows[table.turn & 1]
    row[0] -= 1
    return _sum(table) * 10 + len(desk.numbers)


def _sum(table: Table) -> int:
    total = table.turn
    for each in table.held:
        total += each
    return total + table.rows[0][0] + table.rows[1][0] + table.rows[1][2]


def fold_generators(n: Numbers) -> int:
    """What a generator counts with is its own, though another name is the same."""
    each = 7
    total = sum(each * 3 for each in n if each > 1 if each < 300)
    some = any(n[i] == 5 for i in range(3)) * 2 + all(each for each in n if each != 7)
    far = max((abs(each) for each in n if each & 1), default=-4) & 0xFFFF
    near = min((each - far for each in (n[1], n[0])), default=n[2])
    sets = union(1 << (each & 15) for each in n)
    return (
        total
        + some * 10
        + far * 100
        + (near & 0xFF)
        + sets
        + each
        + sum(1 for _ in range(n[2] & 3))
    )


def fold_inside_each_other(n: Numbers) -> int:
    total = 0
    for i in range(2):
        total += sum(
            n[j] * (1 if any(n[j] > each for each in n) else 2) for j in range(i + 1, 3) if n[j]
        )
    return total * 2 + (3 if any(n[i] < 0 for i in (0, 2)) else 0)


def loop_over_members(n: Numbers) -> int:
    """A set is looked at once: what becomes of its name meanwhile does not matter."""
    members = n[0] & 0xFFFF
    total = 0
    for each in highest_first(members):
        members = 0
        total = total * 3 + each
        if each == 3:
            continue
        each += 1  # noqa: PLW2901 - it is given again at each turn
    for each in lowest_first(n[1] & 0xFF | n[2] & 0xF00):
        total = total * 5 + each
        if total > 1 << 40:
            break
    return total + members + sum(each * each for each in lowest_first(n[0] & 7))


def leave_fields_out(n: Numbers) -> int:
    plain, full = Bid(n[0]), Bid(n[0], n[1], high=n[2])
    late = Bid(n[1], high=3)
    return plain.low + plain.high * 3 + full.suit * 5 + full.high * 7 + late.suit + late.high


def names_of_cpp(n: Numbers) -> int:
    new, class_, template, i64, py_held, long = n[0], n[1], n[2], 4, 5, 6
    return new + class_ * 2 + template * 3 + i64 + py_held + long


def return_nothing(n: Numbers) -> int:
    _clear(n)
    return n[0] + n[1]


def _clear(n: Numbers) -> None:
    """Nothing is returned."""
    if n[0] > 2:
        return
    n[0] = 0


Construct = Callable[[Numbers], int]
OF_NUMBERS: Final[tuple[Construct, ...]] = (
    *(add_up, divide, wrap, at_the_ends, bits, count_bits, shift_truth, choose, compare),
    *(name_things, call_others, loop_over_ranges, loop_over_things, change_the_counter),
    *(loop_to_the_end_of_a_range_that_moves, loop_while, leave_a_loop_without_end),
    *(keep_the_outer_name, give_a_name_in_two_branches, use_the_name_of_another_turn, swap, unpack),
    *(copy_with_other_fields, one_after_the_other, read_bytes, fold_generators),
    *(fold_inside_each_other, loop_over_members, leave_fields_out, names_of_cpp, return_nothing),
)
