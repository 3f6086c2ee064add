"""``docs/metrics.md``: an index of all figures, and what the site has of each beside it."""

from html import escape
from pathlib import Path

from tests.regenerate.texts import folded
from tricklog import DIMENSIONS, Dimension, Grain, Kind, Metric
from tricklog.ingest.metrics import page
from tricklog.ingest.metrics.intervals import Scale
from tricklog.ingest.metrics.leaks import LEAKS, Leak
from tricklog.ingest.metrics.query import Which

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
_BEGIN = "<!-- made: metrics -->\n"
_END = "<!-- end of metrics -->"
_QUESTIONS = {
    "Bidding": "Do I bid too much, or too little?",
    "Capture": "Where do the points and the fives go?",
    "Play": "How do I lead and play?",
    "Open cards": "What did my cards cost, with all cards open?",
    "Hidden cards": "What did they cost, by what I could know?",
    "Against par": "Was it the bid, the play or the cards?",
    "Luck and choices": "Was it luck?",
    "Scoring": "Do I win?",
    "Audit": "Was everything by the rules?",
}
"""By group of metrics, the question of a player that its figures answer."""
_SURE = {
    Scale.SHARE: "Wilson's interval, by games",
    Scale.PART: "Wilson's interval for a part, by games",
    Scale.ABOVE: "an interval on the scale of logarithms, by games",
    Scale.FREE: "Student's interval, by games",
}


def as_page() -> str:
    """Return the page with its index written again."""
    before, rest = PAGE.read_text("utf-8").split(_BEGIN)
    return f"{before}{_BEGIN}\n{index()}\n{_END}{rest.split(_END)[1]}"


def index() -> str:
    """Return a table for each question, with a line for each metric."""
    parts = []
    for group, metrics in page.by_group():
        parts.append(f"### {_QUESTIONS.get(group, group)}\n")
        parts.append("| metric | what it asks | unit |\n|---|---|---|")
        parts += [f"| `{each.name}` | {each.sentence} | {each.unit} |" for each in metrics]
        parts.append("")
    return "\n".join(parts)


def part() -> str:
    """Return the same with a fold for each metric, and how figures are made and compared."""
    parts = []
    for group, metrics in page.by_group():
        parts.append(f"### {_QUESTIONS.get(group, group)}\n")
        parts += [_fold(each) for each in metrics]
    parts.append("## Dimensions\n\nWhat figures can be grouped and filtered by.\n")
    parts.append("| dimension | what it is | of |\n|---|---|---|")
    parts += [_row(each) for each in DIMENSIONS]
    parts.append("\n## How figures are made\n")
    parts += [f"**{heading}.** {text}\n" for heading, text in page.PRINCIPLES]
    parts += ["## Players against the field\n", page.PLAYERS, "## Leaks\n", page.LEAKS_READ]
    parts.append("| leak | events | an event costs | as a share of |\n|---|---|---|---|")
    parts += [_leak_row(each) for each in LEAKS]
    parts += ["\n## Pairs\n", page.PAIRS, "## Two variants\n", page.TWO_VARIANTS]
    parts += ["## Bidding apart from play\n", page.FIELD]
    return "\n".join(parts)


def _fold(metric: Metric) -> str:
    shown = page.definition(metric)
    facts = "\n".join(f"- {label}: {text}" for label, text in shown.facts)
    sure = "it is counted, so there is none"
    if metric.kind != Kind.COUNT:
        sure = f"{_SURE[metric.scale]}, from {metric.fewest_games} games on"
    by = "player" if "player" in shown.dimensions else shown.dimensions[0]
    return folded(
        f"<code>{metric.name}</code> {escape(shown.sentence)} <em>{escape(metric.unit)}</em>",
        f"{shown.title}.\n\n{facts}\n- how sure: {sure}\n"
        f"- dimensions: those of {_PLURALS[shown.grain]}\n- last changed: {shown.dated}\n\n"
        f"```sh\ntricklog stats {metric.name} --by {by}\n```\n\n```sql\n{shown.sql}\n```\n",
        metric.name,
    )


def _leak_row(leak: Leak) -> str:
    cases = "others" if leak.which == Which.OTHERS else leak.which
    events = f"{leak.sentence} Cases of `{leak.metric.name}` ({cases})"
    events += f", card {', '.join(leak.cards)}." if leak.cards else "."
    return f"| {leak.title} (`{leak.name}`) | {events} | `{leak.cost}` | {leak.share_of} |"


def _row(dimension: Dimension) -> str:
    if set(dimension.grains) == set(Grain):
        grains = "everything"
    else:
        grains = ", ".join(_PLURALS[each] for each in dimension.grains)
    return f"| `{dimension.name}` | {dimension.sentence} | {grains} |"


_PLURALS = {
    Grain.SEAT: "players",
    Grain.CARD: "cards",
    Grain.GAME: "games",
    Grain.FINDING: "findings",
    Grain.STUDY: "solved hands",
    Grain.DECISION: "decisions",
    Grain.JUDGED: "graded decisions",
    Grain.LUCK: "graded hands",
    Grain.PAR: "auctions held against par",
}


def write() -> None:
    PAGE.write_text(as_page(), encoding="utf-8")
