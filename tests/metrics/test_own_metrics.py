"""Metrics of files and packages: figures like those built in, and nothing but expressions."""

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from polars.testing import assert_frame_equal

from tests.cli.command_line import CommandLine
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.dashboard_logs import first_hands
from tests.kit.tiers import some
from tricklog.ingest.metrics import (
    METRIC,
    FigureError,
    Grain,
    Kind,
    Metric,
    known_metrics,
    measure,
    metric_named,
    metric_problems,
    own,
)
from tricklog.ingest.metrics.model import OwnMetricError
from tricklog.ingest.metrics.own import (
    KEYS,
    NEEDED,
    SETTING,
    metrics_of_file,
    own_metrics,
    use_file,
)
from tricklog.ingest.metrics.own.checks import (
    ExpressionError,
    checked_expression,
    checked_metric,
    type_of,
)
from tricklog.ingest.warehouses import load, open_facts
from tricklog.schemas.hand import encode_hand

MADE = METRIC["made-rate"]


def row(**changes: str) -> str:
    """A metric that counts what one built in does, with other values for some keys."""
    values = {
        "name": '"ours"',
        "title": '"Ours"',
        "sentence": '"How often."',
        "unit": '"share of hands"',
        "numerator": '"some"',
        "denominator": '"all"',
        "grain": '"seat"',
        "kind": '"share"',
        "cases": '"trick_count > 0"',
        "amount": '"(tricks_won = 0)::INTEGER"',
    } | changes
    return "[[metric]]\n" + "".join(f"{key} = {value}\n" for key, value in values.items() if value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(row())
    return path


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    log = folder / "log.jsonl"
    log.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in first_hands("pedro", 20)))
    load(log, db=folder / "db")
    return folder / "db"


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
    tmp_path: Path, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(row(cases=f'"{MADE.cases}"', amount=f'"{MADE.amount}"'))
    monkeypatch.setenv(SETTING, str(path))
    assert known_metrics()["ours"].grain == MADE.grain
    with open_facts(club) as facts:
        for by in ([], ["player"], ["role", "bid"]):
            ours, theirs = (measure(facts, name, by, minimum=1) for name in ("ours", MADE.name))
            assert ours.height > 0
            assert_frame_equal(ours, theirs, check_row_order=False)


def test_a_file_of_the_command_line_is_checked_once(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def noted(path: Path) -> tuple[Metric, ...]:
        read.append(path)
        return metrics_of_file(path)

    monkeypatch.setattr(own, "metrics_of_file", noted)
    use_file(file)
    assert [each.name for each in own_metrics(()).metrics] == ["ours"]
    assert read == [file.resolve()]


def test_every_key_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    more = {
        "group": '"Club"',
        "kind": '"mean"',
        "amount": '"tricks_won"',
        "weight": '"trick_count"',
        "level": '"hand"',
        "comparable": "false",
        "every_verdict": "true",
        "from_totals": "true",
        "within": '"role"',
        "least": "0",
        "most": "1.5",
        "better": '"lower"',
        "dated": "2026-11-20",
    }
    path.write_text(row(**more))
    (metric,) = metrics_of_file(path)
    assert set(KEYS) == {*NEEDED, *more}
    assert (metric.group, metric.kind, metric.weight) == ("Club", Kind.MEAN, "trick_count")
    assert (metric.least, metric.most, metric.level) == (0, 1.5, 0)
    assert (metric.comparable, metric.every_verdict, metric.from_totals) == (False, True, True)
    assert metric.within == '"role"'
    assert (metric.better, metric.dated.isoformat()) == (-1, "2026-11-20")


def test_what_is_usual_and_terms_stand_once(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    tables = """
        [usual]
        group = "Club"
        kind = "mean"
        [terms]
        played = "trick_count > 0"
        made = "$played AND result = 'made'"
    """
    path.write_text(textwrap.dedent(tables) + row(kind="", cases='"$made AND bid > 7"'))
    (metric,) = metrics_of_file(path)
    assert (metric.group, metric.kind) == ("Club", Kind.MEAN)
    same = "trick_count > 0 AND result = 'made' AND bid > 7"
    assert metric.cases == checked_expression(same, Grain.SEAT)


def test_without_a_day_it_is_that_of_the_file(file: Path) -> None:
    import os

    os.utime(file, (1_000_000_000, 1_000_000_000))
    assert metrics_of_file(file)[0].dated.isoformat() == "2001-09-09"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("metric = 3", "has no metric; each begins with [[metric]]"),
        ("", "has no metric"),
        ("[[metrics]]", "metrics is not known (did you mean 'metric'?)"),
        ("x = ", "is not TOML"),
        (row(knd='"share"'), "ours.knd is not known (did you mean 'kind'?)"),
        (row(name=""), "metric 1 has no name"),
        (row(cases=""), "ours has no cases"),
        (row(name='"Ours"'), "name is 'Ours'; write small letters"),
        (row(name='"a--b"'), "name is 'a--b'"),
        (row(kind='"shares"'), "ours.kind is 'shares' (did you mean 'share'?)"),
        (row(grain="3"), "ours.grain is 3; allowed are seat, card"),
        (row(title="3"), "ours.title is 3; it takes text"),
        (row(title='" "'), "ours.title is empty"),
        (row(title='"<b>"'), "ours.title has '<'"),
        (row(title=f'"{"a" * 201}"'), "ours.title has more than 200 characters"),
        (row(comparable='"no"'), "ours.comparable is 'no'; it takes true or false"),
        (row(least="true"), "ours.least is True; it takes a number"),
        (row(most="1"), "ours.most needs a least beside it"),
        (row(dated='"today"'), "ours.dated is 'today'; it takes a day"),
        (row(amount='"tricks_won = 0"'), "ours.amount is of type BOOLEAN; a share takes a whole"),
        (row(amount='"trickswon"'), "no column 'trickswon' (did you mean 'tricks_won'?)"),
        (row(cases='"trick_count"'), "ours.cases is of type UTINYINT; write a condition"),
        (row(weight="\"'x'\""), "ours.weight is of type VARCHAR; write a number"),
        (row() + row(), "name 'ours' stands twice"),
        (row(cases='"$played"'), "ours.cases has $ before what is no term; [terms] has none"),
        ("[terms]\na = 3\n" + row(), "terms.a is 3; it takes text"),
        ("[terms]\na = '$b'\n" + row(), "terms.a has $ before what is no term"),
        ("usual = 3\n" + row(), "usual is no table; begin it with [usual]"),
        ("[usual]\nknd = 'share'\n" + row(), "ours.knd is not known (did you mean 'kind'?)"),
        (row(within='"rolle"'), "ours.within seat_facts has no column 'rolle'"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_file_and_key(
    file: Path, text: str, says: str
) -> None:
    file.write_text(text)
    with pytest.raises(OwnMetricError) as caught:
        metrics_of_file(file)
    assert str(caught.value).startswith("ours.toml")
    assert says in str(caught.value)


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
    ],
)
def test_an_expression_means_what_it_meant(text: str) -> None:
    written = checked_expression(text, Grain.SEAT)
    assert checked_expression(written, Grain.SEAT) == written


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
        (
            "json_serialize_plan('SELECT current_setting(''threads'')') = ''",
            "calls json_serialize_",
        ),
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
    with pytest.raises(ExpressionError) as caught:
        checked_expression(text, Grain.SEAT)
    assert says in str(caught.value)


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
    with pytest.raises(OwnMetricError) as caught:
        checked_metric("ours", replace(MADE, cases=text))
    assert str(caught.value).startswith("ours: made-rate.cases ")
    assert says in str(caught.value)


def test_functions_of_duckdb_may_be_called() -> None:
    for text in (
        "regexp_matches(player, '^a') AND list_sum([1, 2]) = 3",
        "year(day) = 2026 AND log2(trick_count) > 1",
        "trick_count::verdict_key = 'valid'",
        "player COLLATE nocase = 'ann' AND main.abs(1) = 1",
    ):
        written = checked_expression(text, Grain.SEAT)
        assert checked_expression(written, Grain.SEAT) == written
        assert type_of(Grain.SEAT, written) == "BOOLEAN"


@pytest.mark.parametrize(
    "text",
    [
        "(SELECT count(*) FROM read_text('/etc/passwd')) > 0",
        "(SELECT count(*) FROM read_csv('/etc/passwd')) > 0",
        "(SELECT count(*) FROM glob('/etc/*')) > 0",
        "(SELECT count(*) FROM '/etc/passwd') > 0",
        "(SELECT count(*) FROM sqlite_scan('/etc/passwd', 'x')) > 0",
        "host('1.1.1.1'::INET) = ''",
        "true) FROM seat_facts; ATTACH '/tmp/other.duckdb'; SELECT (true",
        "true) FROM seat_facts; INSTALL httpfs; SELECT (true",
        "true) FROM seat_facts; LOAD httpfs; SELECT (true",
        "true) FROM seat_facts; COPY (SELECT 1) TO '/tmp/other.csv'; SELECT (true",
        "true) FROM seat_facts; EXPORT DATABASE '/tmp/other'; SELECT (true",
        "true) FROM seat_facts; DELETE FROM seat_rows; SELECT (true",
        "true) FROM seat_facts; CREATE TABLE other (a INT); SELECT (true",
        "true) FROM seat_facts; SET threads = 1; SELECT (true",
        "true) FROM seat_facts; SET lock_configuration = false; SELECT (true",
    ],
)
def test_where_figures_are_counted_nothing_else_is_reached(text: str, club: Path) -> None:
    """Even by SQL that nobody has checked."""
    with open_facts(club) as facts:
        before = facts.sql("SELECT count(*) FROM seat_rows").fetchall()
        with pytest.raises(duckdb.Error):
            facts.cursor().sql(f"SELECT ({text}) FROM seat_facts").fetchall()  # noqa: S608 - hostile
        assert facts.sql("SELECT count(*) FROM seat_rows").fetchall() == before
        with pytest.raises((FigureError, duckdb.Error)):
            measure(facts, replace(MADE, cases=text))


def test_a_comment_cannot_reach_beyond_the_expression() -> None:
    for text in ("true OR true -- ", "true) OR (true --", "true /* ) OR ( */"):
        written = checked_expression(text, Grain.SEAT)
        assert "--" not in written
        assert "/*" not in written
        assert written.count("(") == written.count(")")


def test_every_metric_built_in_could_stand_in_a_file() -> None:
    for metric in some([*METRIC.values()], 20):
        checked_metric("built in", replace(metric, title="Words"))


# --- Python files and packages

PYTHON = """
    from tricklog import Grain, Kind, Metric
    METRICS = [Metric(
        name="coded", title="Coded", sentence="How often.", unit="share of hands", numerator="some",
        denominator="all", group="Club", grain=Grain.SEAT, kind=Kind.SHARE, cases="{cases}",
    )]
"""


def python(cases: str = "trick_count > 0") -> str:
    return textwrap.dedent(PYTHON).format(cases=cases)


def test_a_python_file_has_a_list_of_metrics(tmp_path: Path) -> None:
    path = tmp_path / "ours.py"
    path.write_text(python())
    assert [each.name for each in metrics_of_file(path)] == ["coded"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 / 0", "ours.py cannot be run: ZeroDivisionError"),
        ("x = 1", "ours.py has no list METRICS"),
        ("METRICS = 3", "METRICS is no list of tricklog.Metric"),
        (python("(SELECT true)"), "ours.py: coded.cases has a query within"),
    ],
)
def test_what_is_wrong_in_a_python_file(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "ours.py"
    path.write_text(text)
    with pytest.raises(OwnMetricError, match=re.escape(says)):
        metrics_of_file(path)


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


@pytest.mark.usefixtures("package")
def test_a_package_brings_metrics_along() -> None:
    assert known_metrics()["coded"].group == "Club"
    assert metric_problems() == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import nothing_of_that_name", "cannot be imported"),
        (python().replace('"coded"', '"made-rate"'), "'made-rate' is built in; rename this one"),
        (python("(SELECT true)"), "a query within"),
    ],
)
def test_a_package_that_cannot_be_used_is_left_out_and_told(
    package: Path, text: str, says: str
) -> None:
    package.write_text(text)
    assert known_metrics() == METRIC
    (problem,) = metric_problems()
    assert says in problem
    assert "club" in problem


def test_of_two_sources_with_one_name_the_second_is_left_out(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(row(title='"Theirs"'))
    missing = tmp_path / "missing.toml"
    monkeypatch.setenv(SETTING, f"{file}:{other}:{missing}")
    assert known_metrics()["ours"].title == "Ours"
    twice, gone = metric_problems()
    assert "stands in another source" in twice
    assert "cannot be read" in gone


def test_a_name_that_is_none_gets_the_nearest(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, str(file))
    with pytest.raises(FigureError, match="did you mean 'ours'"):
        metric_named("our")


def test_the_example_of_the_page_is_one(repository: Path, tmp_path: Path) -> None:
    page = (repository / "docs" / "own-metrics.md").read_text("utf-8")
    example, with_terms = (part.split("```")[0] for part in page.split("```toml\n")[1:3])
    path = tmp_path / "ours.toml"
    path.write_text(with_terms)
    assert [each.name for each in metrics_of_file(path)] == ["sweeps"]
    path.write_text(example)
    assert [each.name for each in metrics_of_file(path)] == ["no-trick"]
    for key in KEYS:
        assert f"`{key}`" in page
    path.write_text(example.replace("tricks_won", "trickswon"))
    with pytest.raises(OwnMetricError) as caught:
        metrics_of_file(path)
    assert page.split("```text\n")[1].split("\n```")[0] == str(caught.value)


# --- Where they stand


def test_the_command_line_counts_and_lists_them(
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    file: Path,
    club: Path,
) -> None:
    tricklog = CommandLine(capsysbinary, monkeypatch)
    options = ("--metrics", file, "--db", club)
    assert "\nOurs\n" in "\n" + tricklog("stats", "ours", "--by", "role", *options).text
    (told,) = tricklog("stats", "ours", "--format", "json", *options).objects
    assert told["figures"][0]["metric"]["name"] == "ours"
    assert "Your own\n  ours " in tricklog("stats", "--list", *options).text
    monkeypatch.delenv(SETTING)
    file.write_text(row(knd='"share"'))
    ran = tricklog("stats", "ours", *options)
    assert ran.status == 2
    assert "ours.knd is not known (did you mean 'kind'?)" in ran.stderr
    forget()
    monkeypatch.setenv(SETTING, str(file))
    ran = tricklog("stats", "made-rate", "--db", club)
    assert ran.status == 0
    assert ran.stderr.startswith("Left out: ours.toml: ours.knd")


def test_the_pages_show_them_and_say_what_is_left_out(
    monkeypatch: pytest.MonkeyPatch, file: Path, club: Path
) -> None:
    monkeypatch.setenv(SETTING, str(file))
    app = go(open_app(club, monkeypatch), "../pages/explorer/page.py", metric="Ours", by="role")
    assert "How often." in text_of(app)
    assert not app.warning
    definitions = text_of(go(app, "../pages/definitions/page.py", about="ours"))
    assert "tricks_won" in definitions
    file.write_text(row(knd='"share"'))
    forget()
    app = go(open_app(club, monkeypatch), "../pages/explorer/page.py")
    assert app.warning[0].value.startswith("Left out: ours")


# --- What only the rows show


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"amount": "\"'abc'::INTEGER\""}, "ours.amount cannot be counted: Conversion Error: "),
        ({"amount": '"pow(10, 400)::INTEGER"'}, "ours.amount cannot be counted: Conversion Error"),
        ({"weight": "\"(player || 'x')::INTEGER\""}, "ours.weight cannot be counted: Conversion"),
        (
            {"cases": "\"trick_count > 'abc'::INTEGER\""},
            "ours.cases cannot be counted: Conversion Err",
        ),
        (
            {"amount": '"2147483647 + trick_count"'},
            "ours.amount cannot be counted: Out of Range Error",
        ),
        ({"amount": '"tricks_won"'}, "ours.amount is 6 in some case; a share is hits among cases"),
        ({"amount": '"-tricks_won::INTEGER"'}, "ours.amount is -"),
        (
            {"amount": '"trick_count + 1"', "weight": '"trick_count"'},
            "ours.amount is 7 in some case; a share is hits among cases, so it has to be from 0 to",
        ),
        (
            {"kind": '"mean"', "weight": '"-trick_count::INTEGER"'},
            "ours.weight is -6 in some case; write",
        ),
        ({"kind": '"mean"', "amount": '"pow(10, 400)"'}, "ours.amount is inf in some case"),
    ],
)
def test_what_rows_make_of_an_expression_is_told_with_file_metric_and_key(
    changes: dict[str, str],
    says: str,
    club: Path,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    tricklog = CommandLine(capsysbinary, monkeypatch)
    path = tmp_path / "club.toml"
    path.write_text(row(**changes))
    ran = tricklog("stats", "ours", "--metrics", path, "--db", club)
    assert ran.status == 2
    assert f"club.toml: {says}" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stdout == b""
    (metric,) = metrics_of_file(path)
    with open_facts(club) as facts:
        for by in ([], ["player"]):
            with pytest.raises(OwnMetricError, match=re.escape(says)):
                measure(facts, metric, by)
        with pytest.raises(OwnMetricError, match=re.escape(says)):
            measure(facts, replace(metric, source=""))


def test_the_page_says_what_cannot_be_counted(
    monkeypatch: pytest.MonkeyPatch, file: Path, club: Path
) -> None:
    # A name of its own: the pages keep what they have measured by name.
    file.write_text(row(name='"broken"', title='"Broken"', amount="\"'abc'::INTEGER\""))
    monkeypatch.setenv(SETTING, str(file))
    app = go(open_app(club, monkeypatch), "../pages/explorer/page.py", metric="Broken", by="role")
    assert not app.exception
    assert "amount cannot be counted" in app.info[0].value


def test_hits_among_a_weight_are_a_share(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(row(amount='"tricks_won"', weight='"trick_count"'))
    (metric,) = metrics_of_file(path)
    with open_facts(club) as facts:
        assert measure(facts, metric, minimum=1)["value"].item() == 0.25
