"""The page of the audit: verdicts, findings against the rules, counts, and lines kept aside.

What it says of filters and of hands in order is in ``test_said.py``.
"""

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, text_of
from tests.kit.dashboard_logs import REVOKE, with_revoke
from tricklog import Finding, Hand, decode_hand, replay
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.audit.expected import expected, logged
from tricklog.ingest.loading.auditing import rules_trouble
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.samples import samples_folder

PLAYERS = ["ann", "bo", "cy", "dee"]


def test_a_disputed_hand_is_found_and_its_verdict_said(app: AppTest) -> None:
    go(app, urls.AUDIT)
    app.selectbox(key="finding").set_value("claimed-points").run()
    assert "2 findings" in text_of(app)
    go(app, urls.DEFINITIONS)
    shown = text_of(go(app, urls.AUDIT, find=REVOKE))
    assert "something was against the rules" in shown
    assert "Claimed points." not in shown
    step = f":blue[{REVOKE}, step {with_revoke()[1]}]"
    assert step in [each.proto.label for each in app.get("page_link")]
    assert any("14.follow" in each.label for each in app.expander)
    assert "By the rules" in shown


def test_counts_are_drawn_and_parts_that_do_not_exist_are_no_error(app: AppTest) -> None:
    go(app, urls.AUDIT, view="counts")
    assert [each.value for each in app.subheader] == [
        "Kinds of findings",
        "Who makes mistakes",
        "How well each log is kept",
        "Rules that are broken",
    ]
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
