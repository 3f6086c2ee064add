"""The hands that the page of one hand is shown with, and what its tests do again and again."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

import replay
from schemas.hand import Hand
from tests.kit.browsing import at_step
from tests.kit.dashboard_logs import first_hands, with_nasty_names
from tests.kit.table_data import data_of, whole_frames
from tests.kit.tables import TABLES

SECRET = first_hands("twenty-nine", 2)[1]
PEDROS = first_hands("pedro", 3)
PEDRO = PEDROS[1]
SEVEN = next(hand for hand in TABLES if len(hand.players) == 7)
KING = first_hands("king-pedro", 1)[0]
THROWN_IN = next(hand for hand in first_hands("bangladesh", 40) if hand.status == "thrown_in")
SHOWN = [SECRET, *PEDROS, KING, THROWN_IN, *TABLES, with_nasty_names()]


def opened(page: Page, server: str, hand: Hand | str, query: str = "", step: int = 0) -> Page:
    hand_id = hand if isinstance(hand, str) else hand.id
    page.goto(f"{server}/replay?hand={hand_id}{query}{f'&ply={step}' if step else ''}")
    at_step(page, step)
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def frames_of(hand: Hand) -> list[dict[str, Any]]:
    return whole_frames(data_of(replay.replay(hand)))


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seat", has=page.get_by_role("button", name=f"{name}: "))


def shows_hand(page: Page, hand: Hand) -> None:
    expect(page.get_by_role("heading", name=f"Hand {hand.id}")).to_be_visible(timeout=60_000)
