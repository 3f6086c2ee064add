"""Rule cases of whole hands, and of tables at which one thing is done after the other.

They stand in `cases/VARIANT/*.txt` beside those of `test_cases`. A row that cites no rule belongs
to the row before: one test has all rows up to the next that cites one.

`[hand]`: a record is replayed, and is found to be what the row says of it.

- Where it starts from: `actions`, separated by commas, cards played to a trick as
  `0 AS 1 2S 2 3S 3 4S`; or `start`, a sound hand of `tests.kit.sound_hands` or the `name` of
  another row of the file, with actions exchanged by `instead`, up to `until`, and `add` after them.
- `dealer`, `deal`, `stock`, `kitty`, `scores`, `status`, `options`, `claimed`, `known` are fields
  of a log; `unset` names fields that it does not have. `gaps` are written as `5 tricks 1 2` or
  `9 rest`, and may end with `winner 2` or `holds 3 7S AS`.
- `found` are its findings with the number of the action or the pointer, none where it is missing.
  `legal`, `cites`, `message` and `seat` are of the first of them. `outcome`, `known_outcome`,
  `tricks` and `at` (by number of actions) have fields of `tricklog.Outcome`, `Trick` and `View`,
  `state` those of the state at its end.
  `captures` are those of some cards: `2S 1 trick 3 from 0 by 0 for 0`, or `2S none`.
  `noted` are the facts of its calls (`tests.kit.coded`).

`[table]` has the hands as dealt, those of the later packets included: `maker` bids the minimum, all
others pass. `[play]` has the hands at a lead, `[auction]` those known before the first call; with
`start` they are those of another row of the file. `script` says what is done, step by step, a
semicolon after each:

    0 pass, 1 bid 7             done, without a fault
    0 play AS -> revoke         done, with these faults
    ? 0 play AS -> revoke       judged, and not done
    > 0 play AS -> revoke       done in a record that goes on with this and the next such steps;
    >> 0 play AS                the first step of another such record
    = turn 1                    so it is now: a field of the state, or of what follows
    = legal.1 play AS KS        what seat 1 may do; `= silent yes`: nobody has to do anything
    set maker 2                 from now on it is
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import support
from tests.kit.coded import as_text, call_facts
from tests.kit.rule_cases import Case
from tests.kit.sound_hands import place_of, sound
from tests.rules.test_cases import CASES, rules_for
from tricklog.core import Finding, Replay, Trick, replay, ruleset_of
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import early_end, scoring
from tricklog.core.engine.rules.table import Legal
from tricklog.core.judging.setup import first_state, read_actions
from tricklog.core.render.sentences import result_text
from tricklog.schemas.actions import VERB_NAMES
from tricklog.schemas.cards import card_name, names_in
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Claimed, Gap, Hand, Known, Player, Then

CARD_SETS = frozenset(
    (
        *("holding", "discarded", "reserve", "taken", "stock_set", "seventh", "kitty", "seen"),
        *("holdings", "must", "cards", "buried", "under", "at_play", "doubt_cards"),
    )
)
"""Fields whose numbers are sets of cards: cases write them as cards."""
SEAT_SETS = frozenset(("pending", "active", "buriers", "folded"))
"""Fields whose numbers are sets of seats."""
FIELDS = ("deal", "stock", "kitty", "scores", "dealer", "status")


def grouped(kind: str) -> Iterator[Any]:
    """Yield the parameters of each test of a kind: its rows, with all rows of their file."""
    for variant, tables in CASES.items():
        tests: list[list[Case]] = []
        for row in tables.get(kind, ()):
            if "rule" in row:
                tests.append([])
            tests[-1].append(row)
        for number, rows in enumerate(tests):
            cited = rows[0]["rule"].replace(" ", "-")
            yield pytest.param(variant, rows, id=f"{variant}-{cited}-{number}")


def rows_of(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("variant", "rows"), [*grouped(kind)])


# --- Whole hands
def record(variant: str, row: Case) -> Hand:
    """Return the record of a row."""
    if "start" in row:
        named = {each["name"]: each for each in CASES[variant]["hand"] if "name" in each}
        name = row["start"]
        hand = record(variant, named[name]) if name in named else sound(name)
        hand = replace(hand, claimed=UNSET)
    else:
        hand = support.hand_of(variant, support.actions_in(row["actions"]))
    kept = hand.actions
    if "until" in row:
        kept = kept[: place_of(hand, row["until"]) + 1]
    kept = exchanged(kept, row.get("instead", {}))
    hand = replace(hand, actions=[*kept, *support.actions_in(row.get("add", ""))])
    given: dict[str, Any] = {key: row[key] for key in FIELDS if key in row}
    given |= dict.fromkeys(row.get("unset", ()), UNSET)
    options = (row["options"] or UNSET) if "options" in row else hand.rules.options
    if "players" in row:
        given["players"] = [Player(id=name) for name in support.PLAYERS[: row["players"]]]
    for key, kind in (("claimed", Claimed), ("known", Known)):
        if key in row:
            given[key] = kind(**row[key])
    if "gaps" in row:
        given["gaps"] = [*map(gap_of, row["gaps"])]
    if {"known", "gaps"} & set(row):
        given["format"] = FORMAT_WITH_GAPS
    rules = replace(hand.rules, variant=variant, options=options)
    return replace(hand, rules=rules, **given)


def gap_of(text: str) -> Gap:
    """Return a gap: what is missing before which action, which tricks, and what was so then."""
    written = re.fullmatch(r"(\d+) (\w+)((?: \d)*)(?: winner (\d))?(?: holds (\d) (.+))?", text)
    assert written, text
    before, missing, tricks, winner, holder, cards = written.groups()
    fields: dict[str, Any] = {"before": int(before), "missing": missing}
    if tricks:
        fields["tricks"] = [int(number) for number in tricks.split()]
    if winner:
        fields["then"] = Then(winner=int(winner))
    if holder:
        fields["then"] = Then(holdings=[*[None] * int(holder), cards, *[None] * (3 - int(holder))])
    return Gap(**fields)


def exchanged(actions: list[str], instead: dict[str, str]) -> list[str]:
    """Return actions with some of them exchanged, each found once, all at the same time."""
    found = list(actions)
    new: dict[int, list[str]] = {}
    for old, text in instead.items():
        wanted = support.actions_in(old)
        ends = range(len(actions) - len(wanted) + 1)
        (place,) = (at for at in ends if actions[at : at + len(wanted)] == wanted)
        found[place : place + len(wanted)] = [""] * len(wanted)
        new[place] = support.actions_in(text)
    return [each for at, text in enumerate(found) for each in new.get(at, [text] if text else [])]


def written(name: str, value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    """Return a value as cases write it."""
    if name == "trick":
        return " ".join(f"{seat} {card_name(card)}" for seat, card in value)
    if isinstance(value, tuple | list):
        return [written(name, each) for each in value]
    if name in CARD_SETS:
        return names_in(value)
    return "none" if value is None else value


def places_of(replayed: Replay) -> list[str]:
    return [f"{each.code} {each.pointer}".replace("/actions/", "") for each in replayed.findings]


def told_of(replayed: Replay, row: Case) -> Case:
    """Return what a replay says of all that a row speaks of."""
    told: Case = {"found": places_of(replayed)}
    first: Finding | None = replayed.findings[0] if replayed.findings else None
    for key, name in (("legal", "legal"), ("cites", "rule"), ("message", "message")):
        told[key] = getattr(first, name, "")
    told["seat"] = first.seat if first else None
    told["verdict"] = replayed.verdict.value
    told["doubts"] = list(replayed.doubts)
    told["played"] = replayed.played
    told["captures"] = [capture_of(replayed, text[:2]) for text in row.get("captures", ())]
    if "told" in row:
        told["told"] = result_text(replayed)
    if "noted" in row:
        told["noted"] = [*map(as_text, call_facts(replayed))]
    for key in ("outcome", "known_outcome"):
        if key in row:
            told[key] = fields_of(getattr(replayed, key), row[key])
    if "state" in row:
        told["state"] = fields_of(replayed.state_at(len(replayed)), row["state"])
    told["tricks"] = {
        key: [written(key, of_trick(trick, key)) for trick in replayed.tricks]
        for key in row.get("tricks", {})
    }
    told["at"] = {
        key: fields_of(replayed.at(int(key)), fields) for key, fields in row.get("at", {}).items()
    }
    return told


def capture_of(replayed: Replay, card: str) -> str:
    for each in replayed.captures:
        if card_name(each.card) == card:
            where = f"trick {each.trick} from {each.from_seat} by {each.by_seat}"
            return f"{card} {each.points} {where} for {each.side}"
    return f"{card} none"


def of_trick(trick: Trick, key: str) -> int | None:
    """Return a field of a trick, or how many cards it has."""
    return len(trick.plays) if key == "size" else getattr(trick, key)


def fields_of(there: object, wanted: Case) -> Case:
    """Return those fields of something that are wanted, those within fields as well."""
    return {
        name: fields_of(getattr(there, name), value)
        if isinstance(value, dict)
        else written(name, getattr(there, name))
        for name, value in wanted.items()
    }


SAID = (
    *("legal", "cites", "message", "seat", "verdict", "doubts", "played", "told"),
    *("outcome", "known_outcome", "noted", "captures", "state"),
)


@rows_of("hand")
def test_hand(variant: str, rows: list[Case]) -> None:
    for row in rows:
        replayed = replay(record(variant, row))
        told = told_of(replayed, row)
        expected = {key: row[key] for key in (*SAID, "tricks", "at") if key in row}
        expected["found"] = row.get("found", [])
        assert {key: told[key] for key in expected} == expected, row
        assert all(each.rule and each.message.endswith(".") for each in replayed.findings), row
        if "gaps" in row:
            assert all(replayed.at(step).phase for step in range(len(replayed) + 1)), row


# --- Tables
@dataclass
class Bench:
    """A table in mid-play, after an exchange with the hand so far: all actions may be foreseen."""

    state: State
    rules: Rules
    hand: Hand | None = None


def legal_words(options: Legal) -> str:
    """Return what may be done: verbs, bids, cards with their number, those that must be chosen."""
    words = [name for verb, name in VERB_NAMES.items() if options.verbs >> verb & 1]
    if options.high:
        words.append(f"{options.low}-{options.high}")
    if options.most:
        words += [f"{options.least}-{options.most}", "of", names_in(options.may)]
        words += ["must", names_in(options.must)] if options.must else []
        if options.limited:
            words += ["limit", str(options.limit), names_in(options.limited)]
    return " ".join(words)


def fact(bench: Bench, name: str, wanted: str) -> str:
    """Return a fact as a script writes it, of a list as many entries as are wanted."""
    state, rules = bench.state, bench.rules
    field, _, index = name.partition(".")
    if field == "phase":
        return Phase(state.phase).name
    if field == "now":
        return support.legal_now(state, rules)
    if field == "legal":
        return legal_words(engine.legal(state, rules, int(index)))
    if field == "aside":
        return legal_words(engine.legal_aside(state, rules, int(index)))
    if field == "need":
        return str(scoring.points_needed(state, rules))
    if field == "defence":
        causes = {early_end.DUE: "due", early_end.OPEN: "open"}
        return causes.get(early_end.by_defence(state, rules), "no-cause")
    if field == "silent":
        return "yes" if engine.may_pass_over(state, rules) else "no"
    value = getattr(state, field)
    if index:
        value = value[int(index)]
    elif isinstance(value, list):
        return " ".join(map(str, value[: len(wanted.split())]))
    if field in SEAT_SETS:
        return " ".join(str(seat) for seat in range(rules.seats) if value >> seat & 1)
    return names_in(value) if field in CARD_SETS else str(value)


def put(state: State, name: str, text: str) -> None:
    """Set a field of the state, or an entry of one."""
    field, _, index = name.partition(".")
    value = support.card_set(text) if field in CARD_SETS else [int(word) for word in text.split()]
    if isinstance(value, list) and isinstance(getattr(state, field), list) and not index:
        getattr(state, field)[: len(value)] = value
        return
    value = value[0] if isinstance(value, list) else value
    if index:
        getattr(state, field)[int(index)] = value
    else:
        setattr(state, field, value)


def steps_in(text: str) -> list[tuple[str, str]]:
    """Return the actions of a step with the codes of their faults."""
    done, arrow, codes = text.partition(" -> ")
    return [(done, codes)] if arrow else [(each, "") for each in support.actions_in(done)]


def carry_out(bench: Bench, script: str) -> None:
    """Do what a script says, step by step."""
    steps = [step.strip() for step in script.split(";")]
    now = bench
    while steps:
        step = steps.pop(0)
        sign, _, rest = step.partition(" ")
        if sign == "=":
            name, _, wanted = rest.partition(" ")
            assert fact(now, name, wanted) == wanted, step
            continue
        now = bench
        if sign == "set":
            put(bench.state, *rest.split(" ", 1))
        elif sign == ">>":
            foretold = steps_in(rest)
            while steps and steps[0].startswith("> "):
                foretold += steps_in(steps.pop(0)[2:])
            now = foreseen(bench, foretold)
        elif sign == "?":
            for text, codes in steps_in(rest):
                assert " ".join(support.judged(bench.state, bench.rules, text)) == codes, step
        else:
            for text, codes in steps_in(step):
                assert " ".join(done(bench, text)) == codes, step


def done(bench: Bench, text: str) -> list[str]:
    """Do something; return the codes of its faults."""
    if bench.hand:
        bench.hand.actions.append(text)
    return support.do(bench.state, bench.rules, text)


def foreseen(bench: Bench, steps: list[tuple[str, str]]) -> Bench:
    """Return where a record that goes on with these steps leads to."""
    assert bench.hand is not None
    actions = [*bench.hand.actions, *(text for text, _ in steps)]
    hand = replace(bench.hand, actions=actions)
    state, rules, _ = first_state(hand, ruleset_of(hand), read_actions(hand))
    engine.start(state, rules)
    found = [(text, " ".join(support.do(state, rules, text))) for text in actions]
    assert found[-len(steps) :] == steps
    return Bench(state, rules)


SET_UP = ("deal", "stock", "kitty", "trumps", "maker", "dealer", "options", "hands", "leader")


def set_up(kind: str, variant: str, row: Case) -> Case:
    """Return a row, with what it takes from the one it starts from."""
    if "start" not in row:
        return row
    (named,) = (each for each in CASES[variant][kind] if each.get("name") == row["start"])
    return {key: named[key] for key in SET_UP if key in named} | row


@rows_of("table")
def test_table(variant: str, rows: list[Case]) -> None:
    for each in rows:
        row = set_up("table", variant, each)
        carry_out(after_auction(variant, row), row["script"])


def after_auction(variant: str, row: Case) -> Bench:
    maker, stock, kitty = row.get("maker", 0), row.get("stock", ""), row.get("kitty", "")
    dealt = {"deal": list(row["deal"]), "stock": stock, "kitty": kitty}
    dealt["players"] = support.PLAYERS[: len(row["deal"])]
    dealer, options = row.get("dealer", support.DEALER), row.get("options")
    hand = support.hand_of(variant, options=options, dealer=dealer, **dealt)
    state, rules, faults = first_state(hand, ruleset_of(hand), [])
    assert not faults, row
    engine.start(state, rules)
    bench = Bench(state, rules, hand)
    while state.phase == Phase.AUCTION:
        bids = state.turn == maker and state.high_bid == 0
        text = f"{state.turn} bid {rules.min_bid}" if bids else f"{state.turn} pass"
        assert done(bench, text) == [], text
    while state.phase in (Phase.TRUMP, Phase.KITTY):
        named = f"trump {row.get('trumps', 'S')}"
        text = f"{maker} {named if state.phase == Phase.TRUMP else f'kitty {kitty}'}"
        assert done(bench, text) == [], text
    return bench


@rows_of("play")
def test_play(variant: str, rows: list[Case]) -> None:
    for each in rows:
        row = set_up("play", variant, each)
        rules = rules_for(variant, row)
        how = {key: row[key] for key in ("leader", "trick", "shown", "size") if key in row}
        state = support.play_table(rules, row.get("trumps", "S"), row.get("hands", {}), **how)
        carry_out(Bench(state, rules), row["script"])


@rows_of("auction")
def test_auction(variant: str, rows: list[Case]) -> None:
    for row in rows:
        rules = rules_for(variant, row)
        dealer = row.get("dealer", support.DEALER)
        state = support.auction_table(rules, row.get("hands"), dealer=dealer)
        carry_out(Bench(state, rules), row["script"])
