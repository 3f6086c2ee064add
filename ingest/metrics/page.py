"""The definitions of all figures as text, for ``docs/metrics.md`` and for the dashboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from tricklog.ingest.metrics import METRICS, dimensions_of, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED, FEWEST_EXPECTED, FEWEST_OF_OTHERS
from tricklog.ingest.metrics.intervals import FEWEST_GAMES, FEWEST_GAMES_OF_AMOUNTS, WORTH, Scale
from tricklog.ingest.metrics.model import (
    PARTIAL,
    RELEVANT,
    SOUND,
    TOO_FEW,
    Grain,
    Kind,
    Level,
    Metric,
)
from tricklog.ingest.metrics.naming import NAMED_AT
from tricklog.ingest.metrics.query import among_verdicts, counted_once
from tricklog.schemas.languages.messages import Message, mark, message, message_in, say

_GRAINS: Final = {
    Grain.SEAT: message("a player in a hand"),
    Grain.CARD: message("a point card"),
    Grain.GAME: message("a player in a complete game"),
    Grain.FINDING: message("a finding"),
    Grain.STUDY: message("a player in a solved hand"),
    Grain.DECISION: message("a decision in the play of a solved hand"),
    Grain.JUDGED: message("a decision graded by what its player knew"),
    Grain.LUCK: message("a player in a hand graded by what players knew"),
    Grain.PAR: message("a player in a hand held against par"),
}
_KINDS: Final = {
    Kind.SHARE: message_in("a kind of figure", "share"),
    Kind.MEAN: message_in("a kind of figure", "mean"),
    Kind.COUNT: message("count, without an interval"),
}
_LEVELS: Final = {
    Level.HAND: message("once for all at the table"),
    Level.SIDE: message("once for each side"),
}

_VERDICT: Final = "a verdict"
"""The context in which verdicts are translated."""

PRINCIPLES: Final = (
    (
        message("Cases"),
        message(
            "Facts are counted: one row for each player in each hand, for each point card, "
            "for each player in each complete game, for each finding, and, of hands that were "
            "solved, for each player and each decision in the play. A definition says which "
            "rows are its cases, what each adds to the numerator and what to the denominator. "
            "The figure is the one sum divided by the other, and n is the number of cases, or "
            "of chances where one hand has several, such as calls or leads."
        ),
    ),
    (
        message("What is shared counts once"),
        message(
            "What partners share, such as the points of their side, counts once for the side; "
            "what all at the table share, such as the length of a game, counts once for all. "
            "Only where figures are grouped by players, or by their seats or roles, does each "
            "have their own."
        ),
    ),
    (
        message("Games, not cases"),
        message(
            "Hands of one game are alike: the same people, the same evening. So the 95 % "
            "interval of a figure goes by its games. How far these scatter is taken from the "
            "games themselves and, as a few say little about that, from the games of all "
            "other rows, which count as much as {worth} games. A hand without a game counts "
            "as a game of its own.",
            worth=f"{WORTH:.0f}",
        ),
    ),
    (
        message("Shares and parts"),
        message(
            "A share of cases has Wilson's interval for as many cases as would say the same "
            "if each stood for itself: the number of cases divided by the design effect, how "
            "much the games of this figure scatter beyond what single cases would. A part of "
            "the points has the same. So they stay between 0 and 100 %, and say something "
            "even where all cases went one way."
        ),
    ),
    (
        message("Amounts"),
        message(
            "An amount that cannot fall below a least one has its interval on the scale of "
            "logarithms above that; where it is the least one in every case there is none. "
            "Other amounts have Student's."
        ),
    ),
    (
        message("Too few"),
        message(
            "A figure with fewer than {fewest} cases, or another minimum of your own, says "
            "too little to be shown as a result; so does a share with fewer than {games} "
            "games and an amount with fewer than {games_of_amounts}: it may have a rare large "
            "value that a few games have not shown yet. There is no interval then.",
            fewest=TOO_FEW,
            games=FEWEST_GAMES,
            games_of_amounts=FEWEST_GAMES_OF_AMOUNTS,
        ),
    ),
    (
        message("Several games together"),
        message(
            "Who plays what differs, so a figure over several variants says mostly which of "
            "them somebody played, and at tables of how many. Players are therefore compared "
            "within each variant and kind of table: what they did above the others there, "
            "weighted by their own cases in each. The variance counts their own games, those "
            "of the others, and that all at a table share its luck. A kind of table counts "
            "once the others have {games} games of it; those that do not count are named.",
            games=FEWEST_OF_OTHERS,
        ),
    ),
    (
        message("Differences"),
        message(
            "Two figures are compared from {games} games of each on, by the 99 % interval of "
            "their difference, which is the one shown. In one variant it is made of the "
            "intervals of both, and of how far they go together in the games they share.",
            games=FEWEST_COMPARED,
        ),
    ),
    (
        message("Nobody is named by chance"),
        message(
            "The highest of many is above the rest by chance, too. Whoever is named stands "
            "after Holm's correction for everything compared on the page, at {level} %, and "
            "is in shares at least {relevant} points in 100 away. A share takes part where "
            "the others' share would give {expected} hits and {expected} misses. Places go by "
            "the difference drawn towards the middle of all: as far as the spread of all says "
            "that they differ by chance (empirical Bayes, every spread weighted by how well "
            "it explains what was seen). With them stands between which places somebody is "
            "with a chance of 90 %, and the chance of being first.",
            level=f"{NAMED_AT * 100:.0f}",
            relevant=f"{RELEVANT * 100:.0f}",
            expected=f"{FEWEST_EXPECTED:.0f}",
        ),
    ),
    (
        message("Hands left out"),
        message(
            "Figures are made of hands with the verdict {sound}. Those that need no cards, "
            "such as contracts made or games won, also count records with gaps in which all "
            "that is written is in order, with the verdict {partial}, as far as they know "
            "enough. In an irregular hand one illegal play changes what the rest means; a "
            "doubtful, incomplete or rejected one has no sure result. How many are left out "
            "is said with every figure, and one switch counts them all. Figures of the audit "
            "always count every hand.",
            sound=Message(SOUND, context=_VERDICT),
            partial=Message(PARTIAL, context=_VERDICT),
        ),
    ),
    (
        message("Variants are not mixed"),
        message(
            "Amounts such as points mean something else in each game. A figure of amounts is "
            "refused where hands of several variants would be thrown together; it can be "
            "split by variant, or asked of one. Shares of what was at stake can be compared."
        ),
    ),
    (
        message("Forced bids stand apart"),
        message(
            "A bid that the last to speak had to make says nothing of their judgement. "
            "Figures of chosen contracts leave it out; others count it alone."
        ),
    ),
)
"""How figures are made, as headings and paragraphs."""

PLAYERS: Final = mark("""\
A player's figure is the metric under the filter of that player. The field is what all other players
did in the same variants under the same other filters, of whom what partners share counts once for
the side, each variant weighted by the player's own cases in it. The difference has a 99 % interval;
it is named when it stands among all figures compared. Python: `tricklog.ingest.metrics.players`,
`tricklog.ingest.metrics.standings` for all players in one figure, \
`tricklog.ingest.metrics.versus` for two.
""")
PAIRS: Final = mark("""\
What two people score together beyond what both bring with others, and what the side of one scores
against that of the other beyond what both bring elsewhere. The score of each side of a game, less
that of the field at the same kind of table, is taken apart by least squares into what each player
brings, less what the opponents bring, and what the pair does. So neither two strong players nor
weak other partners make a good pair. A pair takes ten games; its own games and, as four more, those
of all pairs say how far games scatter; the difference has a 99 % interval, and is named when it
stands among all pairs (Holm, 3 %). Pairs that are named are taken away when others are judged.
Among four people, who always meet in the same three ways, pairs cannot be told from players.
Python: `tricklog.ingest.metrics.pairs`.
""")
TWO_VARIANTS: Final = mark("""\
Two variants are compared in figures that mean the same in both: shares, and amounts that are no
points. Their games are distinct, so each side has its own as draws; the 99 % interval of the
difference is made of the intervals of both. Who plays which is not the same, so a difference is one
between the games as these tables play them. It is named when it stands among all figures compared
(Holm, 3 %) and is of a relevant size. What people are above the field is compared likewise, Holm
over the people. Python: `tricklog.ingest.metrics.versus`.
""")
LEAKS_READ: Final = mark("""\
Where a player loses points that others do not lose. The hands are those with a maker in which the
player sat. What is lost a hand is how often it happens, times what it costs each time, as a share
of what a hand can bring, so that variants can be taken together. The leaks are ranked by how far
that is above what the others lose a hand in the same variants; the difference has the 99 % interval
that all differences have, and is named when it stands among all leaks. Leaks overlap, so they are
not to be added up. A missed cinch is none of them: what it costs is not known, while the pedro lost
by it is counted. Python: `tricklog.ingest.metrics.leaks`.
""")

FIELD: Final = mark("""\
A contract that is set says nothing by itself of who bid too much: the play may have lost it. So
what makers bid and take is compared with what the others do with the same cards. The cards are
the maker's before the auction is over: trumps and their ranks, high cards and empty suits beside
them, and the place after the dealer. A linear fit for each variant and kind of table says how
many points such cards bring and what is bid on them; every game is judged by a fit that has not
seen it. The field of a player is the mean of the others, each of them counting once.

| figure | against the field with the same cards | named from |
|---|---|---|
| Calls (`calls`) | bids in free calls at the same price, by the holder | 10 in 100 calls |
| Bid (`bid`) | points bid, in contracts they chose to bid | 2 % of the points of the pack |
| Play (`play`) | points taken in them, with the same bid | 2 % of the points of the pack |

Over several kinds of tables each contract counts in standard deviations of its own kind, and 0.2
of them are named. A difference is named when it is so large and its chance, after correction for
all that are compared (Holm), is below 3 %. `calls` takes 100 calls of a player, the other two
take 30 contracts, each in 10 games. The fit takes 150 contracts in 30 games; where the hands
chosen have fewer it is made of the whole warehouse, samples and bots included, and where that has
fewer there is no figure. A player's own games are the draws for the 95 % interval, mixed with how
the games of all scatter, which counts for four games. Hands in which the maker's cards are not
all recorded are left out.

**Bid or pass.** Free calls are put into ten equal parts by the points expected less the least
bid, and by who holds the bid. Within each, what the hand added to the score is compared between
those who bid and those who passed, from 15 of each on. The chance to make a bid is the share of
hands with like cards, the nearer the more, that took as many points above or below those
expected; it is given in tenths. Python: `tricklog.ingest.metrics.field`.
""")


@dataclass(frozen=True, slots=True)
class Definition:
    """A metric put into words."""

    name: str
    title: str
    sentence: str
    group: str
    facts: tuple[tuple[str, str], ...]
    """What there is to know, as labels and texts."""
    grain: Grain
    dimensions: tuple[str, ...]
    sql: str
    """A query over the facts that gives the value for all hands."""
    dated: date
    """When the definition last changed."""


def definition(metric: Metric) -> Definition:
    """Return a metric put into words, in the language of whoever reads them."""
    facts = [
        (say("counted"), wording.numerator(metric)),
        (say("out of"), wording.denominator(metric)),
        (say("unit"), wording.unit(metric)),
        (say("a case is"), _case_words(metric)),
        (say("kind"), _kind_words(metric)),
    ]
    if metric.kind == Kind.COUNT:
        facts.pop(1)
    if not metric.comparable:
        facts.append((say("variants"), say("not to be mixed")))
    if metric.within:
        facts.append((say("players are compared"), say("within the role they have in a hand")))
    if metric.every_verdict:
        facts.append((say("hands"), say("of every verdict")))
    if metric.from_totals:
        facts.append((say("hands"), say("valid, and records with gaps that know enough")))
    return Definition(
        metric.name,
        wording.title(metric),
        wording.sentence(metric),
        wording.group(metric.group),
        tuple(facts),
        metric.grain,
        tuple(each.name for each in dimensions_of(metric)),
        definition_sql(metric),
        metric.dated,
    )


def _case_words(metric: Metric) -> str:
    """Return what a row of the facts of a metric is, and whether several share it."""
    case = _GRAINS[metric.grain]
    if metric.level not in _LEVELS:
        return str(case)
    return say("{case}, {once}", case=case, once=_LEVELS[metric.level])


def _kind_words(metric: Metric) -> str:
    """Return what kind a metric is of, and what its values can be."""
    kind = _KINDS[metric.kind]
    if metric.scale == Scale.PART:
        return say("{kind}, a part of a whole", kind=kind)
    if metric.scale == Scale.ABOVE:
        return say("{kind}, at least {least}", kind=kind, least=f"{metric.least:g}")
    return str(kind)


def definition_sql(metric: Metric) -> str:
    """Return a query over the facts that gives the value of a metric for all hands."""
    if metric.kind == Kind.COUNT:
        value = "count(*)"
    elif metric.weight == "1":
        value = f"sum({metric.amount}) / count(*)"
    else:
        value = f"sum({metric.amount}) / sum({metric.weight})"
    conditions = [] if metric.cases == "true" else metric.cases.split(" AND ")
    conditions += [among_verdicts(metric.verdicts)] if metric.verdicts else []
    conditions += filter(None, [counted_once(metric)])
    where = "\nWHERE " + "\n  AND ".join(conditions) if conditions else ""
    return f"SELECT {value}\nFROM {metric.grain.value}{where}"


def by_group(metrics: Iterable[Metric] = METRICS) -> Iterable[tuple[str, list[Metric]]]:
    """Return the groups in their order, each with its metrics."""
    groups: dict[str, list[Metric]] = {}
    for each in metrics:
        groups.setdefault(each.group, []).append(each)
    return groups.items()
