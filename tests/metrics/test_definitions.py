"""The definitions of metrics: in words, as SQL, and dated when one changes its meaning."""

import hashlib
import json
import re
from functools import partial
from pathlib import Path

import pytest

from tests.kit.facts import Facts, facts_in, warehouse_of
from tests.kit.log_lines import generated, moved_on
from tests.kit.solved import grade_some, solve_all, value_few
from tests.kit.tiers import some
from tests.regenerate.metrics import as_page, index, part
from tricklog.ingest.metrics import DIMENSION, METRIC, METRICS, Kind, Metric, measure
from tricklog.ingest.metrics import figure_words as words
from tricklog.ingest.metrics.page import PRINCIPLES, definition
from tricklog.schemas.languages.numbers import ordinal

GOLDEN = Path(__file__).parents[1] / "golden" / "metrics.json"
db = warehouse_of(
    "definitions",
    lambda: [*generated("pidro", 1), moved_on(generated("pidro", 1, 7)[0])],
    *(solve_all, value_few, partial(grade_some, hands=1)),
)
facts = facts_in("db")


def test_page_and_site_are_made_from_the_definitions(repository: Path) -> None:
    page = (repository / "docs" / "metrics.md").read_text("utf-8")
    assert page == as_page(), "./dev regenerate writes it"
    headings = dict.fromkeys(each.group for each in METRICS)
    names = [each.name for heading in headings for each in METRICS if each.group == heading]
    page = part()
    assert re.findall(r"^\| `([\w-]+)`", index(), re.MULTILINE) == names
    assert re.findall(r'<a id="([\w-]+)">', page) == names
    assert re.findall(r"^\| `([\w-]+)`", page, re.MULTILINE) == list(DIMENSION)
    assert all(str(text) in page for _, text in PRINCIPLES)
    assert all(definition(each).sql in page for each in METRICS)


def test_the_query_on_the_page_gives_the_figure(facts: Facts) -> None:
    counted = 0
    for metric in (metrics := some(METRICS, 35)):
        ((value,),) = facts.cursor().execute(definition(metric).sql).fetchall()
        figures = measure(facts, metric.name)["value"].to_list()
        counted += len(figures)
        assert figures == [] if value is None else figures == [pytest.approx(value)], metric.name
    assert counted > len(metrics) / 2


def test_what_is_reported_in_percent_is_a_share() -> None:
    for metric in METRICS:
        percent = metric.kind == Kind.SHARE or (metric.kind == Kind.MEAN and metric.comparable)
        assert words.is_share(metric) == percent, metric.name


def test_a_definition_does_not_change_without_its_date() -> None:
    """A change of meaning needs another ``dated``; the file is then written again.

    ``./dev regenerate`` writes it.
    """
    pinned = json.loads(GOLDEN.read_text("utf-8"))
    now = pins()
    changed = {name for name in now if now[name]["digest"] != pinned.get(name, {}).get("digest")}
    undated = {each for each in changed & {*pinned} if now[each]["dated"] <= pinned[each]["dated"]}
    assert not undated, "these mean something else than before: move their `dated`"
    assert now == pinned, "out of date: ./dev regenerate"


def write() -> None:
    """Pin the definitions as they are now."""
    GOLDEN.write_text(json.dumps(pins(), indent=1) + "\n", "utf-8")


def digest(metric: Metric) -> str:
    """Return 16 digits that change with what a metric means, not with the words about it."""
    meaning = (
        *(metric.grain, metric.kind, metric.cases, metric.amount, metric.weight),
        *(int(metric.level), metric.comparable, metric.every_verdict),
        *(["from totals"] if metric.from_totals else []),
    )
    return hashlib.sha256(repr(meaning).encode()).hexdigest()[:16]


def pins() -> dict[str, dict[str, str]]:
    return {of.name: {"dated": of.dated.isoformat(), "digest": digest(of)} for of in METRICS}


def test_figures_and_differences_in_words() -> None:
    names = ("n", "value", "low", "high")
    for name, row, told in (
        ("made-rate", (341, 0.634, 0.58, 0.68), "63 % (58 to 68 %), n 341"),
        ("made-rate", (90_341, 0.6342, 0.6311, 0.6373), "63.4 % (63.1 to 63.7 %), n 90,341"),
        ("margin", (341, 0.634, -0.5, 1.768), "0.63 (-0.50 to 1.77), n 341"),
        ("overbid", (41, 1.0, None, None), "1.00, n 41"),
        ("final-lead", (41, 34.26, 20.0, 48.5), "34.3 (20.0 to 48.5), n 41"),
        ("hands", (12_341, 12_341.0, None, None), "12,341"),
    ):
        figure = dict(zip(names, row, strict=True)) | {"enough": True}
        assert words.figure_text(METRIC[name], figure) == told
    few = {"n": 7, "value": 0.5, "low": 0.2, "high": 0.8, "enough": False}
    for name, games, lacks in (
        *(("made-rate", 5, "hands"), ("made-rate", 4, "games"), ("overbid", 9, "games")),
        *(("overbid", 10, "hands"), ("win-rate", 7, "games")),
    ):
        told = words.figure_text(METRIC[name], few | {"games": games})
        assert told == f"too few {lacks}, n 7", (name, games)
    parts = ("difference", "difference_low", "difference_high")
    for name, values, told in (
        ("made-rate", (0.041, -0.01, 0.092), "+4.1 (−1.0 to +9.2)"),
        ("made-rate", (-0.0001, -0.01, 0.01), "0.0 (−1.0 to +1.0)"),
        ("margin", (-0.5, -1.25, 0.254), "−0.50 (−1.25 to +0.25)"),
        ("margin", (None, None, None), "cannot tell yet"),
    ):
        difference = dict(zip(parts, values, strict=True))
        assert words.difference_text(METRIC[name], difference) == told


def test_places_in_words() -> None:
    row = {"place": 6, "of": 8, "from_place": 4, "to_place": 7}
    assert words.place_text(row) == "6th of 8, 4th to 7th"
    assert words.place_text(row | {"from_place": 6, "to_place": 6}) == "6th of 8"
    assert words.place_text({"place": None}) == ""
    assert words.standing_text(row | {"better_than": None}) == "6th of 8, 4th to 7th"
    share = {"better_than": 0.62, "better_low": 0.4, "better_high": 0.801}
    assert words.standing_text(share) == "better than 62 % (40 to 80 %)"
    later = "better than 62 % (40 to 80 %); known about twice as well from some 2,400 hands on"
    assert words.outlook_text(row | share | {"narrower_from": 2400}) == later
    assert words.outlook_text(share | {"narrower_from": None}) == words.standing_text(share)
    exact = row | {"better_than": None, "narrower_from": 2400, "from_place": 7}
    assert words.outlook_text(exact) == "6th of 8"
    for_sure = "better than half for sure: than 62 % (51 to 80 %)"
    assert words.standing_text(share | {"better_low": 0.51}) == for_sure
    assert [ordinal(each) for each in (1, 2, 3, 11, 12, 13, 21, 112, 1_001)] == [
        *("1st", "2nd", "3rd", "11th", "12th", "13th", "21st", "112th", "1,001st")
    ]
    assert [words.chance_text(each) for each in (0.004, 0.61, 0.996)] == [
        "under 1 %",
        "61 %",
        "over 99 %",
    ]


def test_what_rounds_to_nothing_has_no_sign() -> None:
    share, amount, count = METRIC["margin-share"], METRIC["margin"], METRIC["hands"]
    assert words.is_share(share)
    assert words.value_text(share, -0.004) == "0 %"
    assert words.value_text(share, -0.0004, 0.001) == "0.0 %"
    assert words.value_text(amount, -0.004) == "0.00"
    assert words.value_text(amount, -0.04, 30.0) == "0.0"
    assert words.value_text(count, -0.0) == "0"
    assert words.value_text(share, -0.006) == "-1 %"
    row = {"value": -0.001, "low": -0.03, "high": 0.02, "n": 900, "enough": True}
    assert words.figure_text(share, row) == "0 % (-3 to 2 %), n 900"
