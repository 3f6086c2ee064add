"""The page of the audit: verdicts, findings against the rules, counts, and lines kept aside."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, text_of
from tests.kit.dashboard_logs import REVOKE, VARIANTS, with_revoke
from tricklog import Finding, Hand, decode_hand, replay
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.audit.expected import expected, logged
from tricklog.ingest.loading.auditing import rules_trouble
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.samples import samples_folder

PLAYERS = ["ann", "bo", "cy", "dee"]


def links_of(app: AppTest) -> list[str]:
    return [each.proto.label for each in app.get("page_link")]


def test_the_audit_says_how_many_hands_are_in_order(app: AppTest) -> None:
    go(app, urls.AUDIT)
    shown = text_of(app)
    assert f"**{12 * len(VARIANTS)} of {12 * len(VARIANTS) + 3} hands** are in order" in shown
    assert "Revoke." in shown
    assert "Claimed points." in shown


def test_a_disputed_hand_is_found_and_its_verdict_said(app: AppTest) -> None:
    _, step = with_revoke()
    go(app, urls.AUDIT, find=REVOKE)
    shown = text_of(app)
    assert "something was against the rules" in shown
    assert "Claimed points." not in shown
    assert any(label == f":blue[{REVOKE}, step {step}]" for label in links_of(app))
    assert any("14.follow" in each.label for each in app.expander)
    assert "By the rules" in shown


def test_a_hand_in_order_is_said_to_be_so(app: AppTest) -> None:
    go(app, urls.AUDIT, find="king-pedro-11-1-1")
    shown = text_of(app)
    assert "played and scored by the rules" in shown
    assert "No findings" in shown


def test_findings_are_narrowed_by_kind_and_by_player(app: AppTest) -> None:
    go(app, urls.AUDIT)
    app.selectbox(key="finding").set_value("claimed-points").run()
    assert "2 findings" in text_of(app)
    go(app, urls.AUDIT, since="2199-01-01")
    assert "No hand matches" in text_of(app)


def test_findings_cannot_be_narrowed_by_what_they_do_not_have(app: AppTest) -> None:
    go(app, urls.AUDIT, at=["card:5"])
    assert "cannot be grouped or filtered by card" in text_of(app)


def test_counts_by_kind_player_log_and_rule_are_drawn(app: AppTest) -> None:
    go(app, urls.AUDIT, view="counts")
    assert [each.value for each in app.subheader] == [
        "Kinds of findings",
        "Who makes mistakes",
        "How well each log is kept",
        "Rules that are broken",
    ]


def test_lines_kept_aside_are_shown_as_text_with_place_reason_and_hint(app: AppTest) -> None:
    go(app, urls.AUDIT, view="unreadable lines")
    shown = text_of(app)
    assert "1 line kept aside" in shown
    assert "Missing field." in shown
    assert "<bdi>hands.jsonl:" in shown
    assert "Add the field" in shown
    assert app.code[0].value == '{"format": "tricklog/1"}'


def test_parts_that_do_not_exist_are_no_error(app: AppTest) -> None:
    for page, view in (("9", "findings"), ("x", "findings"), ("7", "counts")):
        assert text_of(go(app, urls.AUDIT, page=page, view=view))


# --- Logged against expected
def of_sample(name: str) -> tuple[Finding, list[str]]:
    (path,) = (samples_folder() / "invalid").rglob(f"{name}.jsonl")
    hand = decode_hand(path.read_bytes().splitlines()[0])
    return replay(hand).findings[0], list(hand.actions)


@pytest.mark.parametrize(
    ("name", "in_the_log", "by_the_rules"),
    [
        ("revoke", "dee plays ace of hearts", "one of Q♠ J♠ 9♠"),
        ("bid-too-low", "dee bids 5", "6 to 14 or pass"),
        ("claimed-winner", "ann", "cy"),
        ("claimed-change", "11 : 33", "11 : -35"),
        ("kitty-size", "3", "4"),
        ("bid-out-of-turn", "bo bids 7", "ann is to act"),
        ("card-not-in-pack", "6♥", ""),
        ("dealer-must-bid", "cy passes", "7"),
        ("not-thrown-in", "ann bids 16", "throw in"),
    ],
)
def test_a_finding_is_told_as_logged_and_due(name: str, in_the_log: str, by_the_rules: str) -> None:
    finding, actions = of_sample(name)
    assert logged(finding, actions, PLAYERS) == in_the_log
    assert expected(finding, PLAYERS) == by_the_rules


def test_every_finding_of_the_samples_can_be_reported() -> None:
    told = 0
    for path in (samples_folder() / "invalid").rglob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            hand = parse_line(line)
            if isinstance(hand, Hand) and rules_trouble(hand) is None:
                for finding in replay(hand).findings:
                    told += bool(logged(finding, hand.actions, PLAYERS))
                    expected(finding, PLAYERS)
    assert told > 50
