"""The hands that the page of one hand is shown with, and what its tests do again and again."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.kit.browsing import at_step
from tests.kit.dashboard_logs import first_hands, with_nasty_names, with_revoke
from tests.kit.table_data import data_of, whole_frames
from tests.kit.tables import TABLES
from tricklog import Hand, core

# Games are played when a test asks for them: whoever only collects the tests needs none.


def secret() -> Hand:
    """A hand of Twenty-Nine, whose trump is hidden."""
    return first_hands("twenty-nine", 2)[1]


def pedros() -> list[Hand]:
    """Three hands of one game of Pedro; in the first, three cards cost something."""
    return first_hands("pedro", 3)


def pedro() -> Hand:
    """The second of them."""
    return pedros()[1]


def seven() -> Hand:
    return next(hand for hand in TABLES if len(hand.players) == 7)


@cache
def thrown_in() -> Hand:
    """A deal that nobody bid on."""
    return next(hand for hand in first_hands("bangladesh", 40) if hand.status == "thrown_in")


BY_NAME: dict[str, Callable[[], Hand]] = {
    "pedro": pedro,
    "secret": secret,
    "seven": seven,
    "king": lambda: first_hands("king-pedro", 1)[0],
    "revoke": lambda: with_revoke()[0],
}


def shown() -> list[Hand]:
    """All of them, and others, in the order in which they were played."""
    king, revoke = BY_NAME["king"](), BY_NAME["revoke"]()
    return [secret(), *pedros(), king, thrown_in(), *TABLES, with_nasty_names(), revoke]


def opened(page: Page, server: str, hand: Hand | str, query: str = "", step: int = 0) -> Page:
    hand_id = hand if isinstance(hand, str) else hand.id
    page.goto(f"{server}/replay?hand={hand_id}{query}{f'&ply={step}' if step else ''}")
    at_step(page, step)
    return page


def with_values(page: Page, server: str, hand: Hand, query: str = "", step: int = 0) -> Page:
    opened(page, server, hand, query, step)
    expect(page.get_by_role("tab", name=re.compile(r"^Dearest \d"))).to_be_visible()
    return page


def press(page: Page, *keys: str, leads: int | None = None) -> None:
    """Press keys one after the other, which lead to a step."""
    for key in keys:
        page.keyboard.press(key)
    if leads is not None:
        at_step(page, leads)


def slide(page: Page, step: int) -> None:
    page.get_by_role("slider", name="Step").fill(str(step))
    at_step(page, step)


def frames_of(hand: Hand) -> list[dict[str, Any]]:
    return whole_frames(data_of(core.replay(hand)))


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seat", has=page.get_by_role("button", name=f"{name}: "))


def shows_hand(page: Page, hand: Hand) -> None:
    expect(page.get_by_role("heading", name=f"Hand {hand.id}")).to_be_visible()
