"""The page Practice: a question without what came of it, an answer, and what is kept of it."""

import html
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote_plus

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import Visit, cleared, pages_over
from tests.kit.app_pages import (
    address_of,
    go,
    open_app,
    queries_in,
    table_shown,
    tables_in,
    tell,
    text_of,
)
from tests.kit.log_lines import write_hands
from tests.kit.solved import silent_pairs, solve_all
from tests.kit.tiers import some
from tricklog import Filters, Replay, card_name, cards_in, pretty_card, replay
from tricklog.core.native import library
from tricklog.core.study import LossKind
from tricklog.core.study.questions.judging import judge
from tricklog.core.study.questions.known import Known, known_at
from tricklog.core.study.questions.moments import Moment, moment_at
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice import finding
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics.theme_costs import cells, heads, theme_costs
from tricklog.ingest.metrics.themes import REST
from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import Answer, answers, keep_answer, user_file
from tricklog.ingest.store.warehouse import hand, open_snapshot
from tricklog.schemas.hand import content_hash
from tricklog.schemas.render import card_words

AFTERWARDS = ("with all cards open</b>", "At the table", "best play", "cost")
CARD = re.compile(r"(?<!\w)[2-9TJQKA][SHDC](?!\w)")
CALLS = {"practice-topic": "latest bids and passes"}


@pytest.fixture(scope="module")
def _copied(solved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(solved, tmp_path_factory.mktemp("practice") / "db")


@pytest.fixture
def db(_copied: Path) -> Path:
    return cleared(_copied)


app = pages_over("db")


def ask(app: AppTest, topic: str = "", **asked: str) -> AppTest:
    go(app, urls.DEFINITIONS)
    return go(app, urls.PRACTICE, **({"practice-topic": topic} if topic else {}), **asked)


def question_of(app: AppTest) -> dict[str, str]:
    return {key: address_of(app)[key] for key in ("hand", "action")}


def asked(app: AppTest, db: Path) -> tuple[Replay, Moment, Known]:
    with open_snapshot(db) as tables:
        question = question_of(app)
        replayed = replay(hand(tables, question["hand"]))
    moment = moment_at(replayed, int(question["action"]))
    assert moment is not None
    return replayed, moment, known_at(moment)


def shown(app: AppTest) -> str:
    bodies = [each.proto.body for each in app.get("html")]
    styles = [each for each in bodies if each.startswith("<style")]
    text = text_of(app)
    for style in styles:
        text = text.replace(style, "")
    told = table_shown(app)["question"] if tables_in(app) else {}
    return " ".join([text, *told.get("lines", [])])


def choose(app: AppTest, place: int = 0) -> str:
    """Mark one of the cards that may be played, as a tap on the table does; returns it."""
    frame = table_shown(app)["frames"][0]
    held = frame["seats"][frame["turn"]]["hand"].split()
    card: str = [each for each in held if each in frame["legal"].split()][place]
    mark(app, card)
    return card


def mark(app: AppTest, *cards: str) -> None:
    asked_for = table_shown(app)["question"]["id"]
    tell(app, "choose", {"question": asked_for, "cards": " ".join(cards), "number": 7})


def press(app: AppTest, *keys: str) -> AppTest:
    for key in keys:
        app.button(key=f"practice-{key}").click().run()
        assert not app.exception, app.exception
    return app


def play(app: AppTest, place: int = 0) -> str:
    card = choose(app, place)
    press(app, "play")
    return card


def options(app: AppTest) -> list[str]:
    keys = [(each.key or "").removeprefix("practice-") for each in app.button]
    return [each for each in keys if each.startswith("option")]


def can(app: AppTest, key: str) -> bool:
    return f"practice-{key}" in {each.key for each in app.button}


def test_a_question_sends_nothing_of_what_is_hidden_or_comes_later(app: AppTest, db: Path) -> None:
    go(app, urls.PRACTICE)
    _, moment, known = asked(app, db)
    held = cards_in(moment.view.holdings[moment.seat])
    seen = {*held, *known.laid_off, *known.unseen_trumps}
    seen |= {card for card, _ in known.to_come} | {card for _, card in known.on_table}
    seen |= {card for trick in known.tricks for _, card in trick.plays}
    hidden = [
        card
        for seat, cards in enumerate(moment.view.holdings)
        for card in cards_in(cards)
        if seat != moment.seat and card not in seen
    ]
    assert hidden
    told = json.dumps(table_shown(app))
    assert card_name(held[0]) in CARD.findall(told)
    # Everything that the browser gets of the question, whatever it is shown as.
    sent = repr([element.proto for element in app.main if hasattr(element, "proto")])
    kinds = ("html", "button", "selectbox", "text_input", "caption", "markdown", "warning")
    sent += "".join(str(getattr(each, "proto", "")) for kind in kinds for each in app.get(kind))
    for card in hidden:
        for word in (pretty_card(card), card_words(card)):
            assert word not in sent + told
        assert card_name(card) not in CARD.findall(told)
    for word in AFTERWARDS:
        assert word not in shown(app).replace("cost that side", "")


def test_an_answer_opens_the_table_and_is_kept_outside_the_records(app: AppTest, db: Path) -> None:
    go(app, urls.PRACTICE)
    replayed, moment, _ = asked(app, db)
    assert not user_file(db).exists()
    card = choose(app)
    assert app.button(key="practice-play").label.replace("\\", "").startswith("Play ")
    press(app, "play")
    for words in ("with all cards open</b>", "At the table", "1 of"):
        assert words in shown(app)
    seats = table_shown(app)["frames"][0]["seats"]
    for seat, cards in zip(seats, moment.view.holdings, strict=True):
        assert set(seat["hand"].split()) == {card_name(each) for each in cards_in(cards)}
    (kept,) = answers(db)
    assert kept.content_hash == content_hash(replayed.hand)
    assert (kept.action, kept.answer) == (moment.index, f"play {card}")
    assert kept.loss is not None
    assert kept.table_loss
    ways = {each["key"]: each["to"] for each in table_shown(app)["question"]["links"]}
    assert f"replay?hand={replayed.hand.id}&ply={moment.index}" in ways["r"]
    assert ways["w"].endswith(f"&try={moment.index}.{card}")
    # The second grade waits for a click, and stands beside the first.
    assert "cards hidden</th>" not in shown(app)
    press(app, "hidden")
    text = shown(app)
    assert "cards hidden</th>" in text
    assert re.search(r"on average over \d+ deals that fit what", text)
    rows = re.findall(r"<tr[^>]*><td>.*?</tr>", text)
    assert rows
    assert all(re.search(r"<td><bdi>-?\d+\.\d</bdi></td>", row) for row in rows)


def test_next_goes_on(ledgers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here nothing is stored: hands are looked through on the way, some at each question."""
    for name, seconds in (("FIRST_LOOK", 1e-6), ("LONG_LOOK", 1e-6), ("_PATIENCE", 1e9)):
        monkeypatch.setattr(finding, name, seconds)
    app = go(open_app(shutil.copytree(ledgers, tmp_path / "db"), monkeypatch), urls.PRACTICE)
    first = question_of(app)
    play(app)
    second = question_of(press(app, "next"))
    assert second != first
    third = question_of(press(app, "skip"))
    assert third not in (first, second)
    assert question_of(press(app, "remember"))["hand"] != third["hand"]


def test_an_answer_can_be_removed_and_another_given(app: AppTest, db: Path) -> None:
    go(app, urls.PRACTICE)
    play(app)
    (first,) = answers(db)
    press(app, "remove")
    assert answers(db) == []
    assert can(app, "play")
    press(app, "hint")
    assert "choices cost nothing; the dearest costs" in shown(app)
    play(app, 1)
    (second,) = answers(db)
    assert second.answer != first.answer
    assert (first.hinted, second.hinted) == (False, True)


def test_the_first_answer_counts(app: AppTest, db: Path, visit: Visit) -> None:
    go(app, urls.PRACTICE)
    question = question_of(app)
    play(app)
    (link,) = [each.value for each in app.code]
    assert f"hand={question['hand']}&action={question['action']}" in link
    later = visit(db, urls.PRACTICE, **question)
    assert "You have answered this before" in shown(later)
    assert "At the table" not in shown(later)
    press(later, "show-before")
    assert "At the table" in shown(later)
    other = visit(db, urls.PRACTICE, **question)
    other.text_input(key="practice-name").set_value("Bo").run()
    play(other)
    assert "Others: 1 who answered this." in shown(other)
    assert sorted(each.who for each in answers(db)) == ["", "Bo"]


def test_answers_of_others_have_their_names_cleaned_and_never_shown(app: AppTest, db: Path) -> None:
    go(app, urls.PRACTICE)
    replayed, moment, _ = asked(app, db)
    hashed, text = content_hash(replayed.hand), moment.options[0].text
    for who in ("<b>Bo 0</b>", "<b>Bo 1</b>", "<b>Bo 2</b>"):
        keep_answer(db, Answer(hashed, moment.index, who, text, "points", 0, 1, hinted=False))
    play(app)
    assert "Others: 3 who answered this." in shown(app)
    assert "<b>Bo" not in shown(app)


@pytest.mark.parametrize("topic", some((*CALLS.values(), "latest trumps named"), 1))
def test_what_calls_and_trumps_cost_waits_for_a_click(app: AppTest, db: Path, topic: str) -> None:
    ask(app, topic)
    assert len(options(app)) > 1
    press(app, options(app)[-1], "play")
    text = shown(app)
    assert "You said <b>" in text
    assert "costs" not in text
    (kept,) = answers(db)
    assert (kept.loss, kept.table_loss) == (None, None)
    assert "What the calls were worth" not in text
    told = shown(press(app, "hidden"))
    table = told.partition("What the calls were worth")[2].partition("</table>")[0]
    assert table.count("<tr") > 1
    for words in (">you</span>", ">played</span>", "<b>0</b>"):
        assert words in table
    assert "What a call keeps others from is no part of it" in told


def test_the_field_says_what_others_did_with_such_cards(
    season: Path, tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "user_folder", lambda: tmp_path)
    app = visit(season, urls.PRACTICE, **CALLS)
    text = shown(press(app, options(app)[0], "play"))
    assert "To the field these cards are worth most with" in text
    assert "with cards worth this" in text or "Nobody else has had to call" in text


def test_cards_laid_off_are_chosen_as_a_set(app: AppTest, db: Path) -> None:
    ask(app, "latest cards laid off or taken")
    _, moment, _ = asked(app, db)
    legal = moment.legal
    assert app.button(key="practice-play").disabled == (not moment.allows(legal.must))
    free = cards_in(legal.may & ~legal.must)[: legal.least - legal.must.bit_count()]
    mark(app, *map(card_name, [*cards_in(legal.must), *free]))
    assert not app.button(key="practice-play").disabled
    press(app, "play")
    (kept,) = answers(db)
    assert kept.answer.split()[0] == moment.text_of(0)


def test_topics_narrow_the_list_down(app: AppTest, db: Path) -> None:
    topics: dict[str, Callable[[Known], bool]] = {
        "dearest leads": lambda known: not known.on_table,
        "dearest cards played to a lead": lambda known: bool(known.on_table),
        "dearest from trick 3 on": lambda known: len(known.tricks) > 1,
    }
    for topic, fits in some([*topics.items()], 2):
        assert fits(asked(ask(app, topic), db)[2]), topic
    # What kind of loss it was shows only after the answer.
    before = shown(ask(app, "kind of loss that cost most, told afterwards"))
    play(app)
    kinds = [f"({each.value})" for each in LossKind if f"({each.value})" in shown(app)]
    assert len(kinds) == 1
    assert kinds[0] not in before


def test_a_link_that_leads_nowhere_is_said_so(app: AppTest, db: Path) -> None:
    with open_snapshot(db) as tables:
        first = tables.execute("SELECT min(hand_id) FROM hands").fetchall()[0][0]
    for hand_id, action, told in (
        ("no such hand", "3", "no such hand"),
        (first, "999", "nobody has a choice"),
        (first, "x", "does not know"),
    ):
        assert told in shown(ask(app, hand=hand_id, action=action))


def test_without_the_library_bids_are_asked_and_cards_are_not(app: AppTest) -> None:
    with patch.object(library, "is_there", return_value=False):
        for topic, is_bid in (("ten dearest", False), (CALLS["practice-topic"], True)):
            ask(app, topic)
            assert ("Values need the library of machine code" in shown(app)) != is_bid
            assert can(app, "play") == is_bid


def test_a_damaged_file_of_answers_is_said_so_and_the_page_goes_on(app: AppTest, db: Path) -> None:
    for path in (user_file(db), userdata.copy_of(user_file(db))):
        path.write_bytes(b"junk" * 99)
    go(app, urls.PRACTICE)
    assert "cannot be used" in shown(app)
    play(app)
    assert "with all cards open</b>" in shown(app)


# --- Themes
def answer(app: AppTest, db: Path, *, right: bool) -> None:
    replayed, moment, _ = asked(app, db)
    rows = judge(replayed, moment, moment.options[0].text, solver_for).rows
    costs = {each.text: each.cost for each in rows}
    held = table_shown(app)["frames"][0]["seats"][moment.seat]["hand"].split()
    playable = [costs[f"play {card}"] for card in held if f"play {card}" in costs]
    play(app, [(cost == 0) == right for cost in playable].index(True))


def answer_all(app: AppTest, db: Path, *, right: bool) -> int:
    count = 0
    while can(app, "play"):
        answer(app, db, right=right)
        press(app, "next")
        count += 1
    return count


def test_a_theme_is_practised_until_it_is_right(app: AppTest, db: Path) -> None:
    theme = "theme: trump too high in tricks 1 and 2"
    assert f"{theme} · 1 of" in shown(ask(app, theme))
    count = answer_all(app, db, right=False)
    assert count > 1
    assert [each.loss for each in answers(db)].count(0) == 0
    first = question_of(press(app, "again"))
    answer(app, db, right=False)
    assert question_of(press(app, "next")) != first
    assert answer_all(app, db, right=True) == count
    assert not can(app, "again")
    # The first answers are those that are kept.
    assert len(answers(db)) == count
    assert [each.loss for each in answers(db)].count(0) == 0


def test_a_streak_is_counted_from_the_latest_answer_back(app: AppTest, db: Path) -> None:
    go(app, urls.PRACTICE)
    for right, told in (
        (True, "the last one cost nothing"),
        (True, "2 in a row cost nothing"),
        (False, ""),
        (True, "the last one cost nothing"),
    ):
        answer(app, db, right=right)
        assert ("cost nothing</p>" in shown(app)) == bool(told)
        assert told in shown(app)
        press(app, "next")


def test_what_costs_most_by_theme_is_what_python_says(db: Path, app: AppTest) -> None:
    go(app, urls.PRACTICE, **{"practice-game": "Finnish Pidro"})
    assert "lost in 100 chances" not in shown(app)
    app.toggle(key="practice-themes").set_value(True).run()
    text = shown(app)
    who = str(app.selectbox(key="practice-who").value)
    with open_facts(db) as facts:
        frame = theme_costs(facts, who, Filters.of({"variant": "pidro"}))
    listed = [
        html.unescape(each)
        for each in re.findall(r"<td[^>]*>(?:<a[^>]*>)?(?:<bdi>)?([^<]*)<", text)
    ]
    for row in frame.iter_rows(named=True):
        at = listed.index(cells(row)[0])
        assert listed[at : at + len(heads())] == [*cells(row)]
    dear = [each for each in frame["theme"] if f"practice-topic={quote_plus(each)}" in text]
    assert dear == frame.filter(frame["times"] > 0, frame["theme"] != REST)["theme"].to_list()


@pytest.mark.slow("loads and solves hands of its own, and opens two pages")
def test_an_undeclared_pair_leads_to_hands(tmp_path: Path, visit: Visit) -> None:
    hands = {each.id: each for each in silent_pairs()}
    load(write_hands(tmp_path / "log.jsonl", hands.values()), db=tmp_path / "db")
    solve_all(tmp_path / "db")
    with open_facts(tmp_path / "db") as facts:
        query = (
            "SELECT player, list(DISTINCT hand_id) FROM decision_facts JOIN games.hands "
            "USING (hand_no) WHERE deed = 'silence' AND loss > 0 GROUP BY player ORDER BY player"
        )
        (player, silent), *_ = facts.execute(query).fetchall()
    app = visit(tmp_path / "db", urls.PRACTICE, **{"practice-who": player})
    app.toggle(key="practice-themes").set_value(True).run()
    queries = [each for each in queries_in(app) if "pair not declared" in str(each)]
    assert queries
    assert queries == queries[:1] * len(queries)
    chosen = {key: values[0] for key, values in queries[0].items()}
    text = text_of(go(app, urls.HANDS, **chosen))
    assert [each for each in hands if (each in text) != (each in silent)] == []


def test_themes_without_numbers(app: AppTest, ledgers: Path, tmp_path: Path, visit: Visit) -> None:
    go(app, urls.PRACTICE)
    app.toggle(key="practice-themes").set_value(True).run()
    assert "Choose one variant" in shown(app)
    topic = {"practice-topic": "theme: cinch missed"}
    unsolved = visit(shutil.copytree(ledgers, tmp_path / "db"), urls.PRACTICE, **topic)
    assert "None of these hands is solved yet" in shown(unsolved)
    unsolved.toggle(key="practice-themes").set_value(True).run()
    assert "none here has been" in shown(unsolved)
