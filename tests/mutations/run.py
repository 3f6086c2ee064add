"""Making legal hands, putting faults into them, and judging what a replay finds."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.mutations import calls, exchange, record, secret, stakes, tricks
from tests.mutations.kinds import KINDS, STOPS, Mutation, Subject, mutation_of
from tests.reference_engine.count import added, count, running_scores
from tests.reference_engine.table import tables_of
from tricklog import Claimed, Finding, Hand, Verdict, encode_hand, generate, replay, variants
from tricklog.core.engine.faults import FATAL, Fault

MODULES = (calls, exchange, record, secret, stakes, tricks)
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
    failures: list[str] = field(default_factory=list)

    @property
    def hands(self) -> int:
        """Return how many hands were replayed."""
        return self.legal + self.by_code.total()

    def judge(
        self, hand: Hand, wanted: str, verdicts: Sequence[Verdict], first: str = "", most: int = 0
    ) -> None:
        """Note a hand whose verdict, first finding or number of findings is another."""
        replayed = replay(hand)
        found = [*map(_told, replayed.findings)]
        if replayed.verdict not in verdicts or "".join(found[:1]) != first or len(found) > most:
            self.failures.append(
                f"expected {wanted}\n  found {replayed.verdict}: {'; '.join(found) or 'nothing'}\n"
                f"  {encode_hand(hand).decode()}"
            )


def _told(found: Finding | Mutation) -> str:
    return f"{found.code} at {found.pointer} of seat {found.seat}"


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
    result = count(tables[-1])
    scores = [chance.randint(-5, 5) for _ in range(tables[0].game.sides)]
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
            try:
                mutation = mutation_of(name, subject)
            except AssertionError as error:
                # Nobody can play on legally after the fault.
                line = encode_hand(subject.hand).decode()
                tally.failures.append(f"{name}: {error}\n  nothing was judged\n  {line}")
                mutation = None
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


def judge_legal(subject: Subject, tally: Tally) -> None:
    """A legal hand is valid, and hiding cards of it finds nothing."""
    tally.legal += 1
    tally.judge(subject.hand, "valid", [Verdict.VALID])
    # Where play stopped in a game in which seats drop out, only playing on shows who has trumps.
    stopped = subject.hand.actions[-1].endswith(STOPS)
    shown = stopped and not subject.game.has("drop_out", "never")
    if subject.chance.random() < 0.3 and not shown:
        bare = replace(subject.hand, claimed=UNSET)
        hidden = hidden_record(bare, subject.chance, hidden_plays=subject.chance.random() < 0.5)
        tally.legal += 1
        tally.judge(hidden, "valid or doubtful", [Verdict.VALID, Verdict.DOUBTFUL])


def judge(mutation: Mutation, tally: Tally) -> None:
    """The fault is found first, with its code at its place, and alone where it stands alone."""
    tally.by_kind[mutation.kind] += 1
    tally.by_code[mutation.code] += 1
    wanted, most = _told(mutation), 1 if mutation.alone else 1_000_000
    told = f"{mutation.kind}: {wanted}{', and nothing else' if mutation.alone else ''}"
    if mutation.code == "incomplete":
        tally.judge(mutation.hand, told, [Verdict.INCOMPLETE])
    elif mutation.code in REJECTS:
        tally.judge(mutation.hand, told, [Verdict.REJECTED], wanted, most)
    else:
        later = [] if mutation.alone else [Verdict.REJECTED, Verdict.INCOMPLETE]
        tally.judge(mutation.hand, told, [Verdict.IRREGULAR, *later], wanted, most)
