"""Stepping through a hand in a real browser: no key press is lost."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState

from tests.browser.replay.shown import frames_of, opened, pedro, pedros, press, shows_hand, slide
from tests.kit.browsing import PATIENCE, at_step, settle
from tests.kit.dashboard_logs import REVOKE
from tests.kit.table_data import data_of, whole_frames
from tricklog import core

pytestmark = pytest.mark.browser

LOOK_EVERY = 50
"""Milliseconds between two looks at what the browser has sent."""
STEADY = 1_000
"""Milliseconds between two steps at the speed it begins with."""


def test_keys_and_buttons_lead_to_every_step_and_no_press_is_lost(page: Page, server: str) -> None:
    data = data_of(core.replay(pedro()))
    last = len(pedro().actions)
    opened(page, server, pedro())
    press(page, *["ArrowRight", "ArrowRight", "ArrowLeft"] * 20, leads=20)
    press(page, *["j", "k", "k"] * 5, leads=15)
    press(page, "End", "ArrowRight", leads=last)
    press(page, "Home", leads=0)
    decisions = [step for step, frame in enumerate(whole_frames(data)) if frame["decision"]]
    for step in decisions[1:6]:
        press(page, "n", leads=step)
    press(page, "p", leads=decisions[4])
    parts = [group["first"] for group in data["groups"]]
    press(page, "Home")
    for step in parts[1:4]:
        press(page, "Shift+ArrowRight", leads=step)
    press(page, "Shift+ArrowLeft", leads=parts[2])
    # Keys meant for others are left alone.
    press(page, "Control+ArrowRight", "Alt+j", "Meta+ArrowRight")
    page.get_by_label("Speed").focus()
    press(page, "ArrowDown", "j", leads=parts[2])
    for label, step in (("First step", 0), ("Next step", 1), ("Last step", last)):
        page.get_by_role("button", name=label).click()
        at_step(page, step)
    # A button that was clicked leaves the keys to the table.
    press(page, "ArrowLeft", "ArrowLeft", leads=last - 2)
    slide(page, 7)
    page.get_by_role("slider", name="Step").focus()
    press(page, "ArrowRight", leads=8)


def test_chances_stand_beside_the_points(page: Page, server: str) -> None:
    opened(page, server, pedro())
    sides = page.locator(".scores .side")
    told = re.compile(r"points? · (\d+) % to win")
    expect(sides).to_have_text([told, told])
    found = [told.search(each) for each in sides.all_inner_texts()]
    assert sum(int(each[1]) for each in found if each) == 100
    before = sides.first.inner_text()
    press(page, "End", leads=len(pedro().actions))
    expect(sides).to_have_text([told, told])
    expect(sides.first).not_to_have_text(before)


@pytest.mark.thorough("keys, buttons and the slider lead to steps in the first tier")
def test_the_list_of_steps_leads_to_each_and_follows(page: Page, server: str) -> None:
    opened(page, server, pedro())
    page.get_by_role("tab", name="Steps").click()
    page.get_by_role("button", name=re.compile(r"^Step 21: ")).click()
    at_step(page, 21)
    now = page.locator(".record [aria-current]")
    expect(now).to_have_attribute("data-step", "21")
    press(page, "End")
    expect(now).to_have_attribute("data-step", str(len(pedro().actions)))
    expect(now).to_be_in_viewport()
    assert page.locator(".record").evaluate("list => list.scrollTop") > 0
    assert page.locator(".record h3").first.inner_text() == "Auction"
    # Legal cards are marked, and the chosen one is raised.
    step = next(
        step
        for step, frame in enumerate(frames_of(pedro()))
        if frame["number"] and len(frame["legal"].split()) == 3
    )
    slide(page, step)
    expect(page.locator(".card.legal")).to_have_count(3)
    expect(page.locator(".card.chosen")).to_have_count(1)
    expect(page.locator(".card.legal").first).to_have_attribute("aria-label", re.compile(", legal"))


@pytest.mark.thorough("keys, buttons and the slider lead to steps in the first tier")
def test_a_finding_leads_to_its_step(page: Page, server: str) -> None:
    opened(page, server, REVOKE)
    expect(page.locator(".here .finding")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Revoke")).first.click()
    first = int(page.locator("ul.findings button").first.get_attribute("data-step") or 0)
    at_step(page, first)


@pytest.mark.thorough("keys, buttons and the slider lead to steps in the first tier")
def test_it_plays_by_itself_until_the_end(lone_page: Page, server: str) -> None:
    # Time is told to all pages that share anything.
    page, last = lone_page, len(pedro().actions)
    stop = page.get_by_role("button", name="Stop")
    stopped = page.get_by_role("button", name="Play by itself")
    opened(page, server, pedro(), step=last - 3)
    # Time stands still on the page, and goes on when the test says so: a busy machine would miss
    # what stands for a moment.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))
    press(page, "Space")
    expect(stop).to_be_visible()
    page.clock.run_for(3 * STEADY)
    at_step(page, last)
    expect(stopped).to_be_visible()
    press(page, "Space")
    expect(stop).to_be_visible()
    at_step(page, 0)
    press(page, "+")
    page.clock.run_for(STEADY // 2)
    at_step(page, 1)
    press(page, "ArrowLeft")
    expect(stopped).to_be_visible()
    page.clock.run_for(3 * STEADY)
    at_step(page, 0)


def test_no_key_for_another_hand_is_lost_while_python_is_busy(page: Page, server: str) -> None:
    # Of two messages of a component that come while Python is busy it hears the later alone.
    between = Between(page)
    opened(page, server, pedros()[0], step=5)
    settle(page)
    between.answers.hold()
    between.asked.clear()
    press(page, "Shift+J", "w")
    between.waits_for("ask")
    assert {"go", "ask"} <= set(between.asked[-1]), between.asked
    between.answers.release()
    shows_hand(page, pedros()[1])

    # The hand of the first key may come before Python has heard of the second: keys count from the
    # hand at which the first was pressed.
    press(page, "Shift+K")
    shows_hand(page, pedros()[0])
    settle(page)
    between.asked.clear()
    press(page, "Shift+J")
    between.waits_for("go")
    between.questions.hold()
    press(page, "Shift+J")
    shows_hand(page, pedros()[1])
    press(page, "Shift+K", "Shift+J")
    # Python, when busy, hears the last alone.
    between.questions.release(last=1)
    shows_hand(page, pedros()[2])

    # The other hand opens at its deal, and the way back is the step before.
    at_step(page, 0)
    expect(page).to_have_url(re.compile(rf"hand={pedros()[2].id}$"))
    settle(page)
    press(page, "ArrowRight")
    expect(page).to_have_url(re.compile(rf"hand={pedros()[2].id}&ply=1$"))
    press(page, "Shift+K")
    shows_hand(page, pedros()[1])
    page.go_back()
    shows_hand(page, pedros()[2])
    at_step(page, 1)
    # What the browser has when it asks, it may have thrown away before the answer comes.
    assert len(between.reruns) > 2
    assert not any(each.cached_message_hashes for each in between.reruns)


class Held:
    """Messages that go one way, until they are held back."""

    def __init__(self) -> None:
        self._is_held = False
        self._held: list[Callable[[], None]] = []

    def hold(self) -> None:
        self._is_held = True

    def pass_on(self, send: Callable[[], None]) -> None:
        self._held.append(send)
        if not self._is_held:
            self._let_go()

    def release(self, last: int = 0) -> None:
        """Pass on what was held, or the last of it alone."""
        self._is_held = False
        self._held = self._held[-last:]
        self._let_go()

    def _let_go(self) -> None:
        held, self._held = self._held, []
        for send in held:
            send()


class Between:
    """Stands between a page and Python; notes which events of the table are ``asked``."""

    def __init__(self, page: Page) -> None:
        self.asked: list[list[str]] = []
        self.reruns: list[ClientState] = []
        self.questions = Held()
        self.answers = Held()
        self._page = page
        page.route_web_socket(re.compile("/_stcore/stream"), self._relay)

    def _relay(self, socket: WebSocketRoute) -> None:
        python = socket.connect_to_server()

        def ask(message: bytes | str) -> None:
            assert isinstance(message, bytes)
            self.reruns.append(BackMsg.FromString(message).rerun_script)
            states = self.reruns[-1].widget_states.widgets
            self.asked.extend(
                [event["event"] for event in json.loads(each.json_trigger_value)]
                for each in states
                if each.json_trigger_value
            )
            self.questions.pass_on(lambda: python.send(message))

        socket.on_message(ask)
        python.on_message(lambda message: self.answers.pass_on(lambda: socket.send(message)))

    def waits_for(self, event: str) -> None:
        for _ in range(PATIENCE // LOOK_EVERY):
            if any(event in each for each in self.asked):
                return
            self._page.wait_for_timeout(LOOK_EVERY)
        raise AssertionError(self.asked)
