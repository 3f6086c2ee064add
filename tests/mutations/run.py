"""Making legal hands, putting faults into them, and judging what a replay finds."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.mutations import calls, drawing, exchange, giving, record, secret, stakes, tricks
from tests.mutations.kinds import KINDS, STOPS, Mutation, Subject, mutation_of
from tests.reference_engine.count import added, count, running_scores
from tests.reference_engine.table import tables_of
from tricklog import Claimed, Hand, Verdict, encode_hand, generate, replay, variants
from tricklog.core.engine.faults import FATAL, Fault

MODULES = (calls, exchange, giving, drawing, record, secret, stakes, tricks)
"""Importing them fills the table of kinds."""
REJECTS = {fault.name.lower().replace("_", "-") for fault in Fault if fault & FATAL}
REJECTS.add("card-not-in-pack")
HANDS_PER_OPTIONS = 6
"""So many hands are played under the same house rules before they change."""
_TURNS = 100
"""Hands of each system in which a code is looked for."""


@dataclass
class Tally:
    """What a run has seen: legal hands, mutations by kind and by code, and what went wrong."""

    legal: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    by_code: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def hands(self) -> int:
        """Return how many hands were replayed."""
        return self.legal + self.by_code.total()

    def add(self, other: "Tally") -> None:
        self.legal += other.legal
        self.by_kind += other.by_kind
        self.by_code += other.by_code
        self.alone += other.alone
        self.missed += other.missed
        self.failures += other.failures


def subjects(variant: str, chance: random.Random) -> Iterator[Subject]:
    """Yield legal hands without end, with what they come to by the rules written a second time."""
    while True:
        options = some_options(variant, chance)
        for _ in range(HANDS_PER_OPTIONS):
            hand = random_hand(variant, chance, options)
            if hand.actions:
                yield subject_of(hand, chance)


def played_by_bots(variant: str, chance: random.Random) -> Iterator[Subject]:
    """Yield hands of games between bots without end, under the rules of the books."""
    while True:
        for hand in generate(variant, 1, chance.randrange(2**32)):
            yield subject_of(hand, chance)


def subject_of(hand: Hand, chance: random.Random) -> Subject:
    """Return a legal hand that claims what the rules written a second time say it came to."""
    tables = tables_of(hand)
    game = tables[0].game
    result = count(tables[-1])
    scores = [chance.randint(-5, 5) for _ in range(game.sides)]
    if hand.whole_scores is not UNSET:
        scores = hand.whole_scores
    after = running_scores(tables[-1], scores, result)
    claimed = Claimed(
        points=result.points, change=added(scores, after), scores=after, winners=result.winners
    )
    return Subject(replace(hand, scores=scores, claimed=claimed), tables, chance)


def run(variant: str, seed: str, hands: int, *, each: int = 14, bots: float = 0.1) -> Tally:
    """Replay `hands` hands of a variant, legal ones and `each` mutations of every one.

    The kinds of fault that have come least so far go first. `bots` is the share of hands that
    bots play.
    """
    chance = random.Random(f"{variant}/{seed}")
    random_hands, bot_hands = subjects(variant, chance), played_by_bots(variant, chance)
    tally = Tally()
    while tally.hands < hands:
        subject = next(bot_hands if chance.random() < bots else random_hands)
        judge_legal(subject, tally)
        names = list(KINDS)
        chance.shuffle(names)
        names.sort(key=tally.by_kind.__getitem__)
        made = 0
        for name in names:
            mutation = tried(name, subject, tally)
            if mutation is not None:
                judge(mutation, tally)
                made += 1
            if made == each or tally.hands >= hands:
                break
    return tally


def with_code(code: str) -> Iterator[Mutation]:
    """Yield mutations that provoke a code, the same ones each time.

    All systems take turns, first under the rules of the books and then under random house rules.
    """
    chance = random.Random(code)
    for turn in range(_TURNS):
        for variant in variants():
            hand = random_hand(variant, chance, some_options(variant, chance) if turn else {})
            if not hand.actions:
                continue
            subject = subject_of(hand, chance)
            for name in KINDS:
                with suppress(AssertionError):
                    mutation = mutation_of(name, subject)
                    if mutation is not None and mutation.code == code:
                        yield mutation


def tried(name: str, subject: Subject, tally: Tally) -> Mutation | None:
    """Return the mutation of a kind; note when nobody can play on legally after the fault."""
    try:
        return mutation_of(name, subject)
    except AssertionError as error:
        tally.failures.append(
            f"{name}: {error}\n  nothing was judged\n  {written_out(subject.hand)}"
        )
        return None


def judge_legal(subject: Subject, tally: Tally) -> None:
    """A legal hand is valid, and hiding cards of it finds nothing."""
    tally.legal += 1
    replayed = replay(subject.hand)
    if replayed.findings or replayed.verdict != Verdict.VALID:
        failed(tally, "valid", subject.hand, replayed.findings, replayed.verdict)
    if subject.chance.random() < 0.3 and not stops_with_open_hands(subject):
        bare = replace(subject.hand, claimed=UNSET)
        hidden = hidden_record(bare, subject.chance, hidden_plays=subject.chance.random() < 0.5)
        tally.legal += 1
        replayed = replay(hidden)
        if replayed.findings or replayed.verdict not in (Verdict.VALID, Verdict.DOUBTFUL):
            failed(tally, "valid or doubtful", hidden, replayed.findings, replayed.verdict)


def stops_with_open_hands(subject: Subject) -> bool:
    """Did play stop in a game where who has trumps shows only by playing on?"""
    stopped = subject.hand.actions[-1].endswith(STOPS)
    return stopped and not subject.game.has("drop_out", "never")


def judge(mutation: Mutation, tally: Tally) -> None:
    """The fault is found first, with its code at its place, and alone where it stands alone."""
    tally.by_kind[mutation.kind] += 1
    tally.by_code[mutation.code] += 1
    tally.alone[mutation.code] += mutation.alone
    replayed = replay(mutation.hand)
    found = replayed.findings
    if mutation.code == "incomplete":
        right = replayed.verdict == Verdict.INCOMPLETE and not found
    else:
        first = [(item.code, item.pointer, item.seat) for item in found[:1]]
        right = first == [(mutation.code, mutation.pointer, mutation.seat)]
        right = right and replayed.verdict in verdicts_for(mutation)
        right = right and (len(found) == 1 or not mutation.alone)
    if not right:
        tally.missed[mutation.code] += 1
        wanted = f"{mutation.code} at {mutation.pointer} of seat {mutation.seat}"
        wanted += ", and nothing else" if mutation.alone else ""
        failed(tally, f"{mutation.kind}: {wanted}", mutation.hand, found, replayed.verdict)


def verdicts_for(mutation: Mutation) -> tuple[Verdict, ...]:
    if mutation.code in REJECTS:
        return (Verdict.REJECTED,)
    if mutation.alone:
        return (Verdict.IRREGULAR,)
    return (Verdict.IRREGULAR, Verdict.REJECTED, Verdict.INCOMPLETE)


def failed(tally: Tally, wanted: str, hand: Hand, found: object, verdict: Verdict) -> None:
    """Note what was expected and what came, with the hand as a log line."""
    items = [f"{item.code} at {item.pointer} of seat {item.seat}" for item in found]  # type: ignore[attr-defined]  # found is filled by then
    tally.failures.append(
        f"expected {wanted}\n  found {verdict}: {'; '.join(items) or 'nothing'}\n"
        f"  {written_out(hand)}"
    )


def written_out(hand: Hand) -> str:
    """Return a hand as a log line."""
    return encode_hand(hand).decode()
