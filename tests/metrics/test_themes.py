"""Themes of what choices cost: which position is of which, and that nothing is left over."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from tests.kit.facts import Facts, facts_in, figure
from tests.kit.log_lines import generated
from tests.kit.rule_cases import fields_in, rows_in
from tests.kit.solved import silent_pairs, solve_all, solved_for_themes, warehouse
from tests.kit.tiers import some
from tricklog import Filters, generate, replay
from tricklog.core.engine.facts import fives
from tricklog.core.engine.rules.table import live_trump
from tricklog.core.solver.losses import could_show
from tricklog.core.study import Solver, open_hand
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import FigureError, Metric, UnsolvedError
from tricklog.ingest.metrics import theme_costs as module
from tricklog.ingest.metrics.naming import NAMED_AT, corrected_among
from tricklog.ingest.metrics.theme_costs import cells, heads, theme_costs
from tricklog.ingest.metrics.themes import REST, THEME_SQL, THEMES, TITLES, Theme

Row = dict[str, Any]
DECISION: Row = {"hand_no": 1, "action": 20, "seat": 0, "trick": 3, "turn": 1, "deed": "card"}
DECISION |= {"card": "7H", "showed": False, "by_makers": True, "loss": 2, "choices": 3}
DECISION |= {"loss_kind": "other", "family": "pedro", "role": "maker", "rank": "7", "suit": "H"}
DECISION |= {"opponents": ["bo", "di"]}
"""A card put to a lead in the third of six tricks, by who has no point card."""
TYPES = {int: "INT", str: "TEXT", bool: "BOOLEAN", list: "TEXT[]"}
NINE: Final[Row] = {"family": "twenty-nine"}
LEAD: Final[Row] = {"turn": 0}


def themes_of(
    changes: Row,
    *others: Row,
    points: Sequence[Sequence[object]] = (),
    ask: str = "must",
    pairs: int = 0,
) -> tuple[str | None, set[str]]:
    """The theme of the one decision that differs so, and those that it is a chance of."""
    columns = ", ".join(f'"{name}" {TYPES[type(value)]}' for name, value in DECISION.items())
    rows = [DECISION | changes, *(DECISION | other for other in others)]
    with duckdb.connect() as facts:
        facts.execute(f"""
            ATTACH ':memory:' AS games;
            CREATE TABLE games.hands AS SELECT 1 AS hand_no, 1 AS seating_id;
            CREATE TABLE games.seatings AS SELECT 1 AS seating_id, 'r' AS ruleset;
            CREATE TABLE games.rulesets AS SELECT 'r' AS ruleset, '{{"ask": "{ask}"}}' AS policies;
            CREATE TABLE seat_rows AS SELECT 1 AS hand_no, seat, 6 AS trick_count,
                if(seat = 0, {pairs}, 0) AS pairs FROM range(4) AS of(seat);
            CREATE TABLE card_rows (hand_no INT, seat INT, trick INT, point_card TEXT);
            CREATE TABLE decision_rows ({columns});
        """)  # noqa: S608 - our own
        for each in points:
            facts.execute("INSERT INTO card_rows VALUES (1, ?, ?, ?)", [*each])
        for row in rows:
            places = ", ".join("?" * len(row))
            facts.execute(f"INSERT INTO decision_rows VALUES ({places})", [*row.values()])  # noqa: S608 - our own
        listed = THEMES[rows[0]["family"]]
        asked = ", ".join([THEME_SQL, *(f"({each.chance or each.lost})" for each in listed)])
        found = facts.execute(
            f'SELECT {asked} FROM decision_rows WHERE "action" = $1',  # noqa: S608 - our own
            [rows[0]["action"]],
        ).fetchall()
    ((theme, *chances),) = found
    return theme, {each.title for each, is_one in zip(listed, chances, strict=True) if is_one}


TABLE = rows_in(Path(__file__).with_suffix(".txt"))
DEEDS = {row[1]: fields_in(row[2]) for row in TABLE if row[0] == "deed"}


def cases(wanted: str) -> list[list[str]]:
    return [case for kind, *case in TABLE if kind == wanted]


def told_of(case: list[str], **changes: object) -> tuple[str | None, set[str]]:
    family, _, differs, others, table = case
    row = fields_in(differs) | {"family": family} | changes
    return themes_of(row, *(DEEDS[name] for name in others.split()), **fields_in(table))


@pytest.mark.parametrize("case", cases("of it"), ids=" ".join)
def test_a_loss_of_each_theme_is_a_chance_of_it_and_one_that_cost_nothing_too(
    case: list[str],
) -> None:
    found, chances = told_of(case)
    assert found == case[1]
    assert case[1] in chances
    assert told_of(case, loss=0) == (None, chances)


@pytest.mark.parametrize("case", cases("near it"), ids=" ".join)
def test_what_is_near_a_theme_is_neither_of_it_nor_a_chance(case: list[str]) -> None:
    found, chances = told_of(case)
    assert case[1] not in (found, *chances)


def test_every_theme_has_its_cases() -> None:
    due = {(family, each.title) for family, listed in THEMES.items() for each in listed}
    for kind in ("of it", "near it"):
        assert {(family, theme) for family, theme, *_ in cases(kind)} == due


def test_the_first_that_fits_is_the_theme_and_what_none_fits_is_the_rest() -> None:
    lead = LEAD | {"loss_kind": "pedro given away", "trick": 1}
    assert themes_of(lead)[0] == "pedro given away"
    assert themes_of({})[0] == REST
    assert themes_of({"choices": 1, "trick": 6})[0] is None
    # A hand in which the pair was declared is a chance.
    assert "pair not declared" in themes_of(NINE | {"trick": 1}, pairs=1)[1]


def test_to_declare_a_pair_is_never_worse_so_that_it_is_no_question() -> None:
    played = [replay(each) for each in silent_pairs()]
    solver, costs = Solver(played[0].rules), []
    for each in (found for hand in played for found in open_hand(hand, solver).decisions):
        if each.kind == "silence":
            assert each.before.exact is not None
            assert each.after.exact is not None
            more = each.before.exact - each.after.exact
            costs.append(more if each.by_makers else -more)
    assert len(costs) >= len(played) > 3
    assert min(costs) == 0 < max(costs)


# --- On hands that were solved
db = pytest.fixture(scope="module")(solved_for_themes)
facts = facts_in("db")


def of_game(variant: str, **also: str) -> Filters:
    return Filters.of({"variant": variant} | also)


@pytest.mark.slow("solves the games that all of these tests share")
@pytest.mark.parametrize("variant", ["pidro", "twenty-nine"])
def test_themes_and_the_rest_are_all_that_was_lost(facts: Facts, variant: str) -> None:
    whole = 0
    for (player,) in facts.execute("SELECT player FROM games.players").fetchall():
        frame = theme_costs(facts, player, of_game(variant))
        ((value, n),) = figure(facts, "cost-per-decision", variant=variant, player=player).values()
        lost = sum(frame["lost"])
        assert lost == pytest.approx(n * value)
        assert frame["share"].sum() == pytest.approx(1)
        assert frame["theme"][-1] == REST
        assert set(frame["theme"]) <= set(TITLES)
        compared = frame.filter(frame["chances"].is_not_null()).to_dicts()
        for row in compared:
            assert row["chances"] >= row["times"]
            assert row["value"] * row["chances"] == pytest.approx(row["lost"])
        whole += lost
    every = figure(facts, "cost-per-decision", "theme", variant=variant)
    assert whole == pytest.approx(sum(value * n for value, n in every.values()))


@pytest.mark.slow("asks for each theme of each player")
def test_what_loses_most_comes_first_and_holm_says_what_is_named(facts: Facts) -> None:
    judged = 0
    for (player,) in facts.execute("SELECT player FROM games.players").fetchall():
        rows = theme_costs(facts, player, of_game("pidro", player=player)).to_dicts()
        compared = [each for each in rows if each["difference"] is not None]
        assert rows[: len(compared)] == compared
        differences = [float(each["difference"] or 0) for each in compared]
        assert differences == sorted(differences, reverse=True)
        due = [
            each is not None and each < NAMED_AT
            for each in corrected_among(row["chance"] for row in compared)
        ]
        assert [each["named"] for each in compared] == due
        judged += len(compared)
        for row in rows:
            assert len(cells(row)) == len(heads())
    assert judged > 10


def test_a_theme_of_one_player_is_named(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others' losses of it are taken away."""
    planted = module.metric_of

    def of_one(theme: Theme, family: str) -> Metric:
        found = planted(theme, family)
        if theme.title != "points kept back":
            return found
        amount = "CASE WHEN player = 'bot-weak-1' THEN 3 + hash(hand) % 3 ELSE hash(hand) % 2 END"
        return replace(found, amount=amount)

    monkeypatch.setattr(module, "metric_of", of_one)
    rows = theme_costs(facts, "bot-weak-1", of_game("pidro")).to_dicts()
    assert rows[0]["theme"] == "points kept back"
    assert rows[0]["named"]
    assert cells(rows[0])[-1] == "more than others"


def test_what_has_no_themes_is_refused_with_a_sentence(
    facts: Facts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Too few chances are said so and not compared.
    rows = theme_costs(facts, "bot-weak-1", of_game("twenty-nine")).to_dicts()
    assert all(each["difference"] is None for each in rows)
    assert {cells(each)[-1] for each in rows if each["chances"]} == {"too few games"}
    with pytest.raises(FigureError, match="There is no player 'nobody'"):
        theme_costs(facts, "nobody", of_game("pidro"))
    with pytest.raises(FigureError, match="Choose one variant"):
        theme_costs(facts, "bot-weak-1")
    assert theme_costs(facts, "bot-weak-1", of_game("sancho")).is_empty()
    monkeypatch.setattr(module, "THEMES", {})
    with pytest.raises(FigureError, match="has no themes"):
        theme_costs(facts, "bot-weak-1", of_game("pidro"))
    db = warehouse(tmp_path, generated("pidro", 1, 1)[:2])
    with open_facts(db) as unsolved, pytest.raises(UnsolvedError):
        theme_costs(unsolved, "bot-weak-1", of_game("pidro"))


@pytest.mark.parametrize(
    "ask", some(("must", "optional", "optional-thrown-dead", "end-of-trick"), 2)
)
def test_where_the_trump_may_be_asked_for_is_as_the_engine_has_it(ask: str, tmp_path: Path) -> None:
    hands = [*generate("twenty-nine", 1, 4, options=None if ask == "must" else {"ask": ask})][:6]
    db = warehouse(tmp_path, hands)
    solve_all(db)
    played = {each.id: replay(each) for each in hands}
    themes = {each.title: each for each in THEMES["twenty-nine"]}
    hidden, asking = themes["leads before the trump is out"], themes["asking for trumps"]
    met = set()
    with open_facts(db) as facts:
        query = (
            f'SELECT hand_id, "action", decision_facts.seat, turn, showed, choices, {hidden.lost}, '  # noqa: S608 - our own
            f"{asking.chance} FROM decision_facts JOIN games.hands USING (hand_no) "
            "WHERE deed = 'card'"
        )
        rows = facts.execute(query).fetchall()
    for hand, action, seat, turn, showed, choices, is_hidden, may_ask in rows:
        state, rules = played[hand].state_at(action), played[hand].rules
        if turn == 0 and choices > 1:
            assert is_hidden == (not state.revealed)
            met.add(is_hidden)
        elif not showed:
            assert may_ask == (could_show(state, rules, seat) and choices > 1)
            met.add(("asks", may_ask))
    assert met >= {True, False, ("asks", False)}
    assert (("asks", True) in met) == ask.startswith("optional")


def test_who_holds_a_five_of_trumps_is_as_the_engine_has_it(facts: Facts) -> None:
    given = THEMES["pedro"][0]
    played = {each.id: replay(each) for each in generated("pidro", 14, 5)}
    query = (
        f'SELECT hand_id, "action", decision_facts.seat, {given.chance} FROM decision_facts '  # noqa: S608 - our own
        "JOIN games.hands USING (hand_no) WHERE decision_facts.variant = 'pidro' "
        "AND deed = 'card' AND choices > 1"
    )
    rows = facts.execute(query).fetchall()
    met = set()
    for hand, action, seat, is_chance in rows:
        state, rules = played[hand].state_at(action), played[hand].rules
        held = fives(rules, live_trump(state, rules)) & state.holding[seat]
        assert bool(is_chance) == bool(held)
        met.add(bool(is_chance))
    assert met == {True, False}
