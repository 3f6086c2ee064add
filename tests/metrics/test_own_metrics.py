"""Metrics of files and packages: figures like those built in, and nothing but expressions."""

import json
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest
from polars.testing import assert_frame_equal

from tests.cli.command_line import CommandLine
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.dashboard_logs import first_hands
from tests.kit.facts import Facts, facts_in, warehouse_of
from tests.kit.rule_cases import fields_in, rows_in
from tests.kit.tiers import some
from tricklog.core.rulesets.rules_file import RulesetError, read_rules_file
from tricklog.ingest import metrics
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, FigureError, Grain, Kind, OwnMetricError, measure, own
from tricklog.ingest.metrics.own import KEYS, NEEDED, SETTING, metrics_of_file, use_file
from tricklog.ingest.metrics.own.checks import ExpressionError, checked_expression, checked_metric
from tricklog.ingest.score_sheets.settings import MappingError, read_mapping

TOML, PY = "ours.toml", "ours.py"
MADE = METRIC["made-rate"]
ROW = {"name": "ours", "title": "Ours", "sentence": "How often.", "unit": "share of hands"}
ROW |= {"numerator": "some", "denominator": "all", "grain": "seat", "kind": "share"}
ROW |= {"cases": "trick_count > 0", "amount": "(tricks_won = 0)::INTEGER"}


def row(**changes: object) -> str:
    """A metric that counts what one built in does, with other values for some keys, or none."""
    values = {key: value for key, value in (ROW | changes).items() if value is not None}
    return "[[metric]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in values.items())


def toml(value: object) -> str:
    return json.dumps(value) if isinstance(value, str | bool) else str(value)


def rows(kind: str) -> list[list[str]]:
    """The rows of a kind in the table of text beside this module."""
    found = rows_in(Path(__file__).with_suffix(".txt"))
    return [rest for first, *rest in found if first == kind]


def written(head: str, more: str) -> str:
    """The text of a file: its head, and a metric in which some keys have other values."""
    head = head.replace("\\n", "\n")
    if more == "-":
        return head
    changes = {key: value if value != {} else None for key, value in fields_in(more).items()}
    return head + row(**changes)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(row())
    return path


club = warehouse_of("own", lambda: first_hands("pedro", 20))
facts = facts_in("club")


def forget() -> None:
    """Let files be read again, which a process does once."""
    own._found.cache_clear()


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(SETTING, raising=False)
    forget()
    yield
    forget()


# --- What may stand in a file
def test_a_metric_of_a_file_gives_the_figures_of_the_one_built_in(
    file: Path, facts: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(row(cases=MADE.cases, amount=MADE.amount))
    monkeypatch.setenv(SETTING, str(file))
    assert metrics.known_metrics()["ours"].grain == MADE.grain
    for by in ([], ["player"], ["role", "bid"]):
        ours, theirs = (measure(facts, name, by, minimum=1) for name in ("ours", MADE.name))
        assert ours.height > 0
        assert_frame_equal(ours, theirs, check_row_order=False)
    with pytest.raises(FigureError, match="did you mean 'ours'"):
        metrics.metric_named("our")


def test_a_file_of_the_command_is_checked_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def noted(path: Path) -> object:
        read.append(path)
        return metrics_of_file(path)

    monkeypatch.setattr(own, "metrics_of_file", noted)
    use_file(file)
    assert [each.name for each in own.own_metrics(()).metrics] == ["ours"]
    assert read == [file.resolve()]


def test_every_key_is_read(file: Path) -> None:
    more = {"group": "Club", "kind": "mean", "amount": "tricks_won", "weight": "trick_count"}
    more |= {"level": "hand", "within": "role", "better": "lower"}
    numbers = {"least": 0, "most": 1.5, "dated": date(2026, 11, 20)}
    flags = {"comparable": False, "every_verdict": True, "from_totals": True}
    file.write_text(row(**more, **numbers, **flags))
    (metric,) = metrics_of_file(file)
    assert set(KEYS) == {*NEEDED, *more, *numbers, *flags}
    assert (metric.group, metric.kind, metric.weight) == ("Club", Kind.MEAN, "trick_count")
    assert (metric.least, metric.most, metric.level) == (0, 1.5, 0)
    assert (metric.comparable, metric.every_verdict, metric.from_totals) == (False, True, True)
    assert metric.within == '"role"'
    assert (metric.better, metric.dated.isoformat()) == (-1, "2026-11-20")
    # What is usual, and terms, stand once.
    usual = '[usual]\ngroup = "Club"\nkind = "mean"\n'
    terms = '[terms]\nplayed = "trick_count > 0"\nmade = "$played AND result = \'made\'"\n'
    file.write_text(usual + terms + row(kind=None, cases="$made AND bid > 7"))
    (metric,) = metrics_of_file(file)
    assert (metric.group, metric.kind) == ("Club", Kind.MEAN)
    same = "trick_count > 0 AND result = 'made' AND bid > 7"
    assert metric.cases == checked_expression(same, Grain.SEAT)
    # The day is that of the file; a mark at its beginning is passed over.
    file.write_bytes(b"\xef\xbb\xbf" + row().encode())
    os.utime(file, (1_000_000_000, 1_000_000_000))
    (metric,) = metrics_of_file(file)
    assert (metric.name, metric.dated.isoformat()) == ("ours", "2001-09-09")
    file.write_bytes(b'\xef\xbb\xbfid = "own"\n')
    assert read_rules_file(file) == {"id": "own"}


PYTHON = """
    from tricklog import Grain, Kind, Metric
    METRICS = [Metric(
        name="coded", title="Coded", sentence="How often.", unit="share of hands", numerator="some",
        denominator="all", group="Club", grain=Grain.SEAT, kind=Kind.SHARE, cases="{cases}",
    )]
"""


def python(cases: str = "trick_count > 0") -> str:
    return textwrap.dedent(PYTHON).format(cases=cases)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        *((f"ours.{kind}", written(head, more), says) for kind, head, more, says in rows("fault")),
        (TOML, row(title="a" * 201), "ours.title has more than 200 characters"),
        (TOML, row() + row(), "name 'ours' stands twice"),
        (TOML, row(cases="NOT " * 490 + "true"), "cases is nested too deep"),
        (TOML, row(cases="NOT " * 150 + "true"), "cases is nested too deep"),
        (PY, python("(SELECT true)"), "coded.cases has a query within"),
    ],
)
def test_a_fault_is_told_with_its_key(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(OwnMetricError, match=f"^{name}.*{re.escape(says)}"):
        metrics_of_file(path)


TOO_MUCH = {
    "deep": f"x = {'[' * 600}{']' * 600}",
    "digits": f"x = {'9' * 5_000}",
    "400 digits": f"x = {'9' * 400}",
    "long": "# " + "x" * (1 << 16),
    "key": "x" + ".x" * 600 + " = 1",
}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_every_file_that_people_write_has_the_same_bounds(text: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(OwnMetricError, match="no such file needs"):
        metrics_of_file(file)
    with pytest.raises(RulesetError, match="no such file needs"):
        read_rules_file(file)
    with pytest.raises(MappingError, match="no such file needs"):
        read_mapping(text)


# --- Expressions
@pytest.mark.parametrize("text", [text for (text,) in rows("meant")])
def test_an_expression_means_what_it_meant(text: str) -> None:
    written = checked_expression(text, Grain.SEAT)
    assert checked_expression(written, Grain.SEAT) == written
    assert own.checks.type_of(Grain.SEAT, written) == "BOOLEAN"


@pytest.mark.parametrize(("text", "says"), [*rows("refused"), ("a" * 2001, "2,001 characters")])
def test_nothing_but_an_expression_goes_in(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(says)):
        checked_expression(text, Grain.SEAT)


@pytest.mark.parametrize(("text", "says"), rows("unbound"))
def test_what_duckdb_does_not_bind_to_a_row_is_told_with_its_key(text: str, says: str) -> None:
    with pytest.raises(OwnMetricError, match=f"^ours: made-rate.cases .*{re.escape(says)}"):
        checked_metric("ours", replace(MADE, cases=text))


@pytest.mark.parametrize("text", [text for (text,) in rows("unreached")])
def test_where_figures_are_counted_nothing_else_is_reached(text: str, club: Path) -> None:
    """Even by SQL that nobody has checked, on a connection that no other test asks."""
    with open_facts(club) as facts:
        before = facts.sql("SELECT count(*) FROM seat_rows").fetchall()
        with pytest.raises(duckdb.Error):
            facts.cursor().sql(f"SELECT ({text}) FROM seat_facts").fetchall()  # noqa: S608 - hostile
        assert facts.sql("SELECT count(*) FROM seat_rows").fetchall() == before
        with pytest.raises((FigureError, duckdb.Error)):
            measure(facts, replace(MADE, cases=text))


@pytest.mark.parametrize("text", ["true OR true -- ", "true) OR (true --", "true /* ) OR ( */"])
def test_a_comment_cannot_reach_beyond_the_expression(text: str) -> None:
    written = checked_expression(text, Grain.SEAT)
    assert "--" not in written
    assert "/*" not in written
    assert written.count("(") == written.count(")")


def test_every_metric_built_in_could_stand_in_a_file() -> None:
    for metric in some([*METRIC.values()], 20):
        checked_metric("built in", replace(metric, title="Words"))


# --- Python files and packages
@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with metrics of its own."""
    folder = tmp_path / "site"
    info = folder / "club_figures-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: club-figures\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tricklog.metrics]\nclub = club_figures:METRICS\n")
    (folder / "club_figures.py").write_text(python())
    monkeypatch.syspath_prepend(str(folder))
    yield folder / "club_figures.py"
    sys.modules.pop("club_figures", None)


def test_a_python_file_and_a_package_bring_metrics_along(package: Path) -> None:
    assert [each.name for each in metrics_of_file(package)] == ["coded"]
    assert metrics.known_metrics()["coded"].group == "Club"
    assert metrics.metric_problems() == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import nothing_of_that_name", "cannot be imported"),
        (python().replace('"coded"', '"made-rate"'), "'made-rate' is built in; rename this one"),
        (python("(SELECT true)"), "a query within"),
    ],
)
def test_a_package_that_is_wrong_is_left_out_and_told(package: Path, text: str, says: str) -> None:
    package.write_text(text)
    assert metrics.known_metrics() == METRIC
    (problem,) = metrics.metric_problems()
    assert says in problem
    assert "club" in problem


def test_of_two_metrics_with_one_name_the_second_is_left_out(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, missing = file.with_name("other.toml"), file.with_name("missing.toml")
    other.write_text(row(title="Theirs"))
    monkeypatch.setenv(SETTING, f"{file}:{other}:{missing}")
    assert metrics.known_metrics()["ours"].title == "Ours"
    twice, gone = metrics.metric_problems()
    assert "stands in another source" in twice
    assert "cannot be read" in gone


def test_the_example_of_the_page_is_one(repository: Path, file: Path) -> None:
    page = (repository / "docs" / "own-metrics.md").read_text("utf-8")
    example, with_terms = (part.split("```")[0] for part in page.split("```toml\n")[1:3])
    for text, name in ((with_terms, "sweeps"), (example, "no-trick")):
        file.write_text(text)
        assert [each.name for each in metrics_of_file(file)] == [name]
    assert [key for key in KEYS if f"`{key}`" not in page] == []
    file.write_text(example.replace("tricks_won", "trickswon"))
    with pytest.raises(OwnMetricError) as caught:
        metrics_of_file(file)
    assert page.split("```text\n")[1].split("\n```")[0] == str(caught.value)


# --- Where they stand
def test_the_command_counts_and_lists_metrics_of_a_file(
    tricklog: CommandLine, file: Path, club: Path
) -> None:
    options = ("--metrics", file, "--db", club)
    assert "\nOurs\n" in "\n" + tricklog("stats", "ours", "--by", "role", *options).text
    (told,) = tricklog("stats", "ours", "--format", "json", *options).objects
    assert told["figures"][0]["metric"]["name"] == "ours"
    assert "Your own\n  ours " in tricklog("stats", "--list", *options).text
    tricklog.patch.delenv(SETTING)
    file.write_text(row(knd="share"))
    said = tricklog("stats", "ours", *options, status=2).stderr
    assert "ours.knd is not known (did you mean 'kind'?)" in said
    forget()
    tricklog.patch.setenv(SETTING, str(file))
    said = tricklog("stats made-rate --db", club, status=0).stderr
    assert said.startswith("Left out: ours.toml: ours.knd")


def test_pages_show_metrics_of_a_file(
    monkeypatch: pytest.MonkeyPatch, file: Path, club: Path
) -> None:
    """And say what is left out, or cannot be counted."""
    explorer = "../pages/explorer/page.py"
    monkeypatch.setenv(SETTING, str(file))
    app = go(open_app(club, monkeypatch), explorer, metric="Ours", by="role")
    assert "How often." in text_of(app)
    assert not app.warning
    definitions = text_of(go(app, "../pages/definitions/page.py", about="ours"))
    assert "tricks_won" in definitions
    file.write_text(row(knd="share"))
    forget()
    app = go(open_app(club, monkeypatch), explorer)
    assert app.warning[0].value.startswith("Left out: ours")
    # A name of its own: the pages keep what they have measured by name.
    file.write_text(row(name="broken", title="Broken", amount="'abc'::INTEGER"))
    forget()
    app = go(open_app(club, monkeypatch), explorer, metric="Broken", by="role")
    assert not app.exception
    assert "amount cannot be counted" in app.info[0].value


# --- What only the rows show
@pytest.mark.parametrize(("more", "says"), [each[1:] for each in rows("row")])
def test_what_rows_make_of_an_expression_is_told_with_file_metric_and_key(
    more: str, says: str, club: Path, facts: Facts, file: Path, tricklog: CommandLine
) -> None:
    file.write_text(written("", more))
    ours = f"ours.toml: ours.{says}"
    tricklog.refuses("stats", "ours", "--metrics", file, "--db", club, says=ours)
    (metric,) = metrics_of_file(file)
    for asked, by in ((metric, []), (metric, ["player"]), (replace(metric, source=""), [])):
        with pytest.raises(OwnMetricError, match=re.escape(f"ours.{says}")):
            measure(facts, asked, by)


def test_hits_among_a_weight_are_a_share(facts: Facts, file: Path) -> None:
    file.write_text(row(amount="tricks_won", weight="trick_count"))
    (metric,) = metrics_of_file(file)
    assert measure(facts, metric, minimum=1)["value"].item() == 0.25
