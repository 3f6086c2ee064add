"""The definitions of all figures as text, for ``docs/metrics.md`` and for the dashboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from tricklog.ingest.metrics import METRICS, comparing, dimensions_of, intervals, model, wording
from tricklog.ingest.metrics.intervals import Scale
from tricklog.ingest.metrics.model import Grain, Kind, Level, Metric
from tricklog.ingest.metrics.naming import NAMED_AT
from tricklog.ingest.metrics.query import counted_once
from tricklog.ingest.sql import toml_data
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

_FILLED_IN: Final[dict[str, dict[str, object]]] = {
    "Games, not cases": {"worth": f"{intervals.WORTH:.0f}"},
    "Too few": {
        "fewest": model.TOO_FEW,
        "games": intervals.FEWEST_GAMES,
        "games_of_amounts": intervals.FEWEST_GAMES_OF_AMOUNTS,
    },
    "Several games together": {"games": comparing.FEWEST_OF_OTHERS},
    "Differences": {"games": comparing.FEWEST_COMPARED},
    "Nobody is named by chance": {
        "level": f"{NAMED_AT * 100:.0f}",
        "relevant": f"{model.RELEVANT * 100:.0f}",
        "expected": f"{comparing.FEWEST_EXPECTED:.0f}",
    },
    "Hands left out": {
        "sound": Message(model.SOUND, context=_VERDICT),
        "partial": Message(model.PARTIAL, context=_VERDICT),
    },
}
PRINCIPLES: Final = tuple(
    (Message(heading), Message(text, _FILLED_IN.get(heading, {})))
    for heading, text in toml_data("tricklog.ingest.metrics", "principles.toml").items()
)
"""How figures are made, as headings and paragraphs."""

PLAYERS: Final = mark("""\
A player's figure is the metric under the filter of that player. The field is what all other players
did in the same variants under the same other filters, of whom what partners share counts once for
the side, each variant weighted by the player's own cases in it. The difference has a 99 % interval;
it is named when it stands among all figures compared. Python: `tricklog.ingest.metrics.standings`
for one player or for all in one figure, `tricklog.ingest.metrics.versus` for two.
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
    case, kind = str(_GRAINS[metric.grain]), str(_KINDS[metric.kind])
    if metric.level in _LEVELS:
        case = say("{case}, {once}", case=case, once=_LEVELS[metric.level])
    if metric.scale == Scale.PART:
        kind = say("{kind}, a part of a whole", kind=kind)
    elif metric.scale == Scale.ABOVE:
        kind = say("{kind}, at least {least}", kind=kind, least=f"{metric.least:g}")
    facts = [
        (say("counted"), wording.numerator(metric)),
        (say("out of"), wording.denominator(metric)),
        (say("unit"), wording.unit(metric)),
        (say("a case is"), case),
        (say("kind"), kind),
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


def definition_sql(metric: Metric) -> str:
    """Return a query over the facts that gives the value of a metric for all hands."""
    if metric.kind == Kind.COUNT:
        value = "count(*)"
    elif metric.weight == "1":
        value = f"sum({metric.amount}) / count(*)"
    else:
        value = f"sum({metric.amount}) / sum({metric.weight})"
    conditions = [] if metric.cases == "true" else metric.cases.split(" AND ")
    conditions += [] if metric.every_verdict else [metric.among_verdicts]
    conditions += filter(None, [counted_once(metric)])
    where = "\nWHERE " + "\n  AND ".join(conditions) if conditions else ""
    return f"SELECT {value}\nFROM {metric.grain.value}{where}"


def by_group(metrics: Iterable[Metric] = METRICS) -> Iterable[tuple[str, list[Metric]]]:
    """Return the groups in their order, each with its metrics."""
    groups: dict[str, list[Metric]] = {}
    for each in metrics:
        groups.setdefault(each.group, []).append(each)
    return groups.items()
