"""Metrics of files and packages: figures like those built in, and nothing but expressions."""

import json
import math
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


def mean(**changes: object) -> str:
    return row(kind="mean", amount="1", **changes)


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
        (TOML, "metric = 3", "has no metric; each begins with [[metric]]"),
        (TOML, "", "has no metric"),
        (TOML, "[[metrics]]", "metrics is not known (did you mean 'metric'?)"),
        (TOML, "x = ", "is not TOML"),
        (TOML, row(knd="share"), "ours.knd is not known (did you mean 'kind'?)"),
        (TOML, row(name=None), "metric 1 has no name"),
        (TOML, row(cases=None), "ours has no cases"),
        (TOML, row(name="Ours"), "name is 'Ours'; write small letters"),
        (TOML, row(name="a--b"), "name is 'a--b'"),
        (TOML, row(kind="shares"), "ours.kind is 'shares' (did you mean 'share'?)"),
        (TOML, row(grain=3), "ours.grain is 3; allowed are seat, card"),
        (TOML, row(title=3), "ours.title is 3; it takes text"),
        (TOML, row(title=" "), "ours.title is empty"),
        (TOML, row(title="<b>"), "ours.title has '<'"),
        (TOML, row(title="a" * 201), "ours.title has more than 200 characters"),
        (TOML, row(comparable="no"), "ours.comparable is 'no'; it takes true or false"),
        (TOML, row(least=True), "ours.least is True; it takes a number"),
        (TOML, row(most=1), "ours.most needs a least beside it"),
        (TOML, row(dated="today"), "ours.dated is 'today'; it takes a day"),
        (
            TOML,
            row(amount="tricks_won = 0"),
            "ours.amount is of type BOOLEAN; a share takes a whole",
        ),
        (TOML, row(amount="trickswon"), "no column 'trickswon' (did you mean 'tricks_won'?)"),
        (TOML, row(cases="trick_count"), "ours.cases is of type UTINYINT; write a condition"),
        (TOML, row(weight="'x'"), "ours.weight is of type VARCHAR; write a number"),
        (TOML, row() + row(), "name 'ours' stands twice"),
        (TOML, row(cases="$played"), "ours.cases has $ before what is no term; [terms] has none"),
        (TOML, "[terms]\na = 3\n" + row(), "terms.a is 3; it takes text"),
        (TOML, "[terms]\na = '$b'\n" + row(), "terms.a has $ before what is no term"),
        (TOML, "usual = 3\n" + row(), "usual is no table; begin it with [usual]"),
        (TOML, "[usual]\nknd = 'share'\n" + row(), "ours.knd is not known (did you mean 'kind'?)"),
        (TOML, row(within="rolle"), "ours.within seat_facts has no column 'rolle'"),
        (TOML, mean(cases="NOT " * 490 + "true"), "cases is nested too deep"),
        (TOML, mean(cases="NOT " * 150 + "true"), "cases is nested too deep"),
        (TOML, mean(least=math.nan), "least is nan"),
        (TOML, mean(least=0, most=math.inf), "most is inf"),
        (TOML, mean(weight="-1"), "weight is -1"),
        (TOML, mean(weight="0 * 3"), "weight is 0"),
        (PY, "1 / 0", "cannot be run: ZeroDivisionError"),
        (PY, "x = 1", "has no list METRICS"),
        (PY, "METRICS = 3", "METRICS is no list of tricklog.Metric"),
        (PY, python("(SELECT true)"), "coded.cases has a query within"),
        (PY, "def METRICS():\n    raise ValueError('x')\n", "cannot be called: ValueError('x')"),
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
@pytest.mark.parametrize(
    "text",
    [
        "trick_count > 0 AND role = 'maker' OR NOT forced",
        "bid IN (7, 8) AND bid NOT IN (9) AND need BETWEEN 7 AND 9",
        "CASE WHEN result = 'made' THEN 1 ELSE 0 END = 1",
        "greatest(maker_points - need, 0) * 2 % 3 = 0 AND bid IS NOT NULL",
        "len(partners) = 1 AND partners[1] LIKE 'a%'",
        "suit = 'it''s -- no comment'",
        # Functions of DuckDB may be called.
        "regexp_matches(player, '^a') AND list_sum([1, 2]) = 3",
        "year(day) = 2026 AND log2(trick_count) > 1",
        "trick_count::verdict_key = 'valid'",
        "player COLLATE nocase = 'ann' AND main.abs(1) = 1",
    ],
)
def test_an_expression_means_what_it_meant(text: str) -> None:
    written = checked_expression(text, Grain.SEAT)
    assert checked_expression(written, Grain.SEAT) == written
    assert own.checks.type_of(Grain.SEAT, written) == "BOOLEAN"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(SELECT true)", "a query within"),
        ("EXISTS (SELECT 1)", "a query within"),
        ("bid IN (SELECT bid FROM games.hands)", "a query within"),
        ("(SELECT count(*) FROM read_text('/etc/passwd')) > 0", "a query within"),
        ("(SELECT count(*) FROM duckdb_settings()) > 0", "a query within"),
        ("true; DROP TABLE seat_rows", "is not one expression"),
        ("true) FROM t; ATTACH 'x'; SELECT (true", "is not one expression"),
        ("true) FROM seat_rows WHERE (true", "is not one expression"),
        ("true), (false", "is more than one expression"),
        ("true) AS x, (true", "is more than one expression"),
        ("current_setting('threads') = 1", "calls current_setting"),
        ("system.main.current_setting('threads') = 1", "calls current_setting"),
        ("getvariable('first') = 1", "calls getvariable"),
        ("json_serialize_plan('SELECT getvariable(''x'')') = ''", "calls json_serialize_"),
        ("write_log('x') IS NULL", "calls write_log"),
        ("random() > 0.5", "calls random"),
        ("now() > day", "calls now"),
        ("current_timestamp > day", "no column 'current_timestamp'"),
        ("len(list_filter(partners, lambda x: true)) = 1", "a lambda"),
        ("COLUMNS(*) = 1", "a star"),
        ("#1 = 1", "a column by number"),
        ("seat_facts.trick_count = 1", "no column 'seat_facts.trick_count'"),
        ("point_card = 'A'", "no column 'point_card'"),
        ("a" * 2001, "2,001 characters"),
        ("true UNION SELECT true", "is not one expression"),
    ],
)
def test_nothing_but_an_expression_goes_in(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(says)):
        checked_expression(text, Grain.SEAT)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is of type TUPLE"),
        ("read_text('/etc/passwd') = ''", "is a table function"),
        ("getenv('HOME') = ''", "getenv does not exist"),
        ("host('1.1.1.1'::INET) = ''", "required extension 'inet"),
        ("st_point(1, 2) IS NULL", "not in the catalog"),
        ("sum(trick_count) > 0", "cannot contain aggregates"),
        ("row_number() OVER () = 1", "cannot contain window functions"),
        ("unnest([1, 2]) = 1", "UNNEST not supported"),
        ("bid = ?", "Values were not provided"),
        ("abc(1) = 1", "abc does not exist"),
        ("trick_count::no_type = 1", "no_type does not exist"),
    ],
)
def test_what_duckdb_does_not_bind_to_a_row_is_told_with_its_key(text: str, says: str) -> None:
    with pytest.raises(OwnMetricError, match=f"^ours: made-rate.cases .*{re.escape(says)}"):
        checked_metric("ours", replace(MADE, cases=text))


@pytest.mark.parametrize(
    "text",
    [
        *("(SELECT count(*) FROM read_text('/etc/passwd')) > 0", "host('1.1.1.1'::INET) = ''"),
        "(SELECT count(*) FROM read_csv('/etc/passwd')) > 0",
        *("(SELECT count(*) FROM glob('/etc/*')) > 0", "(SELECT count(*) FROM '/etc/passwd') > 0"),
        "(SELECT count(*) FROM sqlite_scan('/etc/passwd', 'x')) > 0",
        *(
            f"true) FROM seat_facts; {statement}; SELECT (true"
            for statement in (
                *("ATTACH '/tmp/other.duckdb'", "INSTALL httpfs", "LOAD httpfs"),
                *("COPY (SELECT 1) TO '/tmp/other.csv'", "EXPORT DATABASE '/tmp/other'"),
                *("DELETE FROM seat_rows", "CREATE TABLE other (a INT)", "SET threads = 1"),
                "SET lock_configuration = false",
            )
        ),
    ],
)
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
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (row(amount="'abc'::INTEGER"), "amount cannot be counted: Conversion Error: "),
        (row(amount="pow(10, 400)::INTEGER"), "amount cannot be counted: Conversion Error"),
        (row(weight="(player || 'x')::INTEGER"), "weight cannot be counted: Conversion"),
        (row(cases="trick_count > 'abc'::INTEGER"), "cases cannot be counted: Conversion Err"),
        (row(amount="2147483647 + trick_count"), "amount cannot be counted: Out of Range Error"),
        (row(amount="tricks_won"), "amount is 6 in some case; a share is hits among cases"),
        (row(amount="-tricks_won::INTEGER"), "amount is -"),
        (
            row(amount="trick_count + 1", weight="trick_count"),
            "amount is 7 in some case; a share is hits among cases, so it has to be from 0 to",
        ),
        (mean(weight="-trick_count::INTEGER"), "weight is -6 in some case; write"),
        (row(kind="mean", amount="pow(10, 400)"), "amount is inf in some case"),
    ],
)
def test_what_rows_make_of_an_expression_is_told_with_file_metric_and_key(
    text: str, says: str, club: Path, facts: Facts, file: Path, tricklog: CommandLine
) -> None:
    file.write_text(text)
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
