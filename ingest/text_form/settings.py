"""Statements that hold from their line on: game, players, match, date, options."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import msgspec

from tricklog.core import load_variant, variants
from tricklog.ingest.text_form.cards import SUIT_WORDS, cards_of
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.names import MOST_WORDS, Names
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.ingest.text_form.scanner import JSON_STRING, json_text, keyword_of
from tricklog.ingest.text_form.vocabulary import AGAINST, KEYWORDS, NONES, VERBS, status_of
from tricklog.schemas.limits import MAX_SEATS, MIN_SEATS
from tricklog.schemas.player_ids import id_of_name

Setting = Callable[[Page, str, int], None]
"""Takes the page, what stands behind the keyword, and the column of that."""

_VERSION: Final = re.compile(r"(.*\S)\s+v?([1-9][0-9]{0,4})")
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_KEY_AND_VALUE: Final = re.compile(rf"({JSON_STRING}|[^\s=]+)\s*=\s*(.*\S)")
_AGAINST: Final = re.compile(
    r"([^,&+]+?)\s*[&+]\s*([^,&+]+?)\s+(\S+)\s+([^,&+]+?)\s*[&+]\s*([^,&+]+?)"
)
_NAME_PART: Final = re.compile(rf"\s*({JSON_STRING}|[^<>(\"]*[^<>(\"\s])?\s*")
_ID_PART: Final = re.compile(rf"<\s*({JSON_STRING}|[^<>\"]*[^<>\"\s])\s*>\s*")
_KIND_PART: Final = re.compile(r"\((bot|human)\)\s*", re.IGNORECASE)
_ISO_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DOTTED_DATE: Final = re.compile(r"([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})")
_AT_THE_END: Final = re.compile(
    r"(?:^|[\s,]+)([0-9]{1,2}\.\s?[0-9]{1,2}\.\s?[0-9]{4}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})\.?$"
)
_OFFSET: Final = re.compile(r"[zZ]|[+-][0-9]{2}:[0-9]{2}")
_NAME: Final = r"([^\W\d_][\w.'’-]*(?: [\w.'’-]+)??)"
_AND: Final = r"(?:\s+(?:and|och|ja|y|e|et|und)\s+|\s*[&+/]\s*)"
_VERSUS: Final = (
    rf"\s+(?:{'|'.join(map(re.escape, sorted(AGAINST)))}|v\.?|vs\.|versus|against|[-–—])\s+"
)
_OTHER_SIDES: Final = re.compile(
    rf"{_NAME}{_AND}{_NAME}{_VERSUS}{_NAME}{_AND}{_NAME}", re.IGNORECASE
)
_LEAST_LISTED: Final = 3
"""Names in a line of nothing else that is taken for the players."""
_MONTHS: Final = 12
_DASHES: Final = frozenset("-–—")
_OTHER_NAMES: Final = {"63": "sixty-three", "83": "eighty-three", "29": "twenty-nine"}
LONGEST: Final = 200
"""Characters of a name of a player or a game that are looked at."""


@cache
def games() -> dict[str, str]:
    """Return the variant by each of its names: id, title, and numbers in digits."""
    named = dict(_OTHER_NAMES)
    for variant in variants():
        for name in (variant, variant.replace("-", " "), load_variant(variant).title):
            named[fold(name)] = variant
    return named


def free_text(text: str) -> str:
    """Return text that goes to the end of a statement, which may be a JSON string."""
    said = json_text(text) if text.startswith('"') else None
    return text if said is None else said


# --- The game and its rules


def set_game(page: Page, text: str, column: int) -> None:
    """``game pedro 1``: the game, perhaps with the version of its rules."""
    page.settle("game")
    page.settle("option")
    page.table.rules = {}
    page.table.places["/rules"] = (page.line, column)
    name, version = text, None
    found = None if fold(text) in games() else _VERSION.fullmatch(text)
    if found:
        name, version = found[1], int(found[2])
    variant = games().get(fold(name))
    if variant is None:
        if not _ID.fullmatch(name):
            known = did_you_mean(name, games(), f"; known are {', '.join(variants())}")
            page.refuse("game", column, f"{shown(name)} is no game known here{known}")
            return
        # Its definition may follow; without one, whoever replays the hand refuses it.
        hint = did_you_mean(name, games(), "; its definition has to follow")
        page.caution(column, f"{shown(name)} is no game known here{hint}")
        variant = name
    page.table.rules = {"variant": variant}
    if version is not None:
        page.table.rules["version"] = version
    page.table.find_turns()


def json_value(text: str) -> Any:  # noqa: ANN401 - whatever JSON can say
    """Return what JSON says. Raises ``ValueError`` with a sentence when it is none."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error).removeprefix("JSON is malformed: ")) from None


def key_and_json(text: str, *, plain: bool = False) -> tuple[str, Any] | None:
    """Return a key and its value; with ``plain``, a value that is no JSON is that text."""
    found = _KEY_AND_VALUE.fullmatch(text)
    if found is None:
        return None
    key = json_text(found[1]) if found[1].startswith('"') else found[1]
    if key is None:
        return None
    try:
        return key, json_value(found[2])
    except ValueError:
        words = {"yes": True, "no": False}
        return (key, words.get(found[2], found[2])) if plain else None


def _need_game(page: Page, column: int, keyword: str) -> None:
    """Refuse rules that stand before the game: its line starts from the rules of the game alone."""
    table = page.table
    if "variant" in table.rules or table.judged_by or "game" in table.broken:
        page.settle(f"place of {keyword}")
        return
    message = f"{keyword} belongs to a game, and no game is named above it: first write game NAME"
    page.refuse(f"place of {keyword}", column, message)


def set_option(page: Page, text: str, column: int) -> None:
    """``option min_bid = 6``: a house rule by its key; ``option none`` for no house rules."""
    _need_game(page, column, "option")
    options: dict[str, Any] = page.table.rules.setdefault("options", {})
    if fold(text) not in NONES:
        found = key_and_json(text, plain=True)
        if found is None:
            message = "an option has a name and a value: option min_bid = 6"
            page.refuse("option", column, message)
            return
        options[found[0]] = found[1]
    page.table.find_turns()


def set_house(page: Page, text: str, column: int) -> None:
    """``house O01 O16``: house rules by their numbers."""
    _need_game(page, column, "house")
    numbers = [number.upper() for number in re.split(r"[,\s]+", text) if number]
    for number in numbers:
        if not re.fullmatch(r"O[0-9]{2,3}", number):
            message = f"{shown(number)} is no number of a house rule: house O01 O16"
            page.refuse("option", column, message)
            return
    options: dict[str, Any] = page.table.rules.setdefault("options", {})
    options["house_rules"] = [*options.get("house_rules", []), *numbers]
    page.table.find_turns()


def set_definition(page: Page, text: str, column: int) -> None:
    """``definition {…}``: the content of a rules file."""
    _need_game(page, column, "definition")
    page.withdraw("/rules")
    try:
        definition = json_value(text)
    except ValueError as error:
        page.refuse("option", column, f"a definition is one JSON object on this line: {error}")
        return
    page.table.rules["definition"] = definition
    page.table.find_turns()


# --- The players


def set_players(page: Page, text: str, column: int) -> None:
    """``players Ann, Bo, Cy, Dee``, clockwise; or ``players Ann & Cy vs Bo & Dee``."""
    page.settle("players")
    players: list[dict[str, Any]] = []
    page.table.places = {
        "/players": (page.line, column),
        **{key: at for key, at in page.table.places.items() if key == "/rules"},
    }
    for part, at, player in players_in(text):
        if player is None:
            message = (
                f"{shown(part.strip())} is no player: write Ann, or Ann <ann7> with an id, "
                "or Robo (bot)"
            )
            page.refuse("players", column + at, message)
        else:
            page.table.places[f"/players/{len(players)}"] = (page.line, column + at)
            players.append(player)
    if "players" not in page.table.broken and not MIN_SEATS <= len(players) <= MAX_SEATS:
        message = (
            f"{len(players)} players; a table has {MIN_SEATS} to {MAX_SEATS}, "
            "named clockwise and parted by commas"
        )
        page.refuse("players", column, message)
    table = page.table
    table.players, table.names = players, Names(players)
    table.find_turns()
    for seat, label in enumerate(table.names.labels):
        if label is None:
            name = players[seat].get("name", players[seat]["id"])
            message = (
                f"two players are called {shown(name)}: give one of them an id, "
                f"{name[:20]} <{id_of_name(name)[:20]}-2>, or write @{seat} in the lines"
            )
            page.caution(column, message)
            return


def players_in(text: str) -> Iterator[tuple[str, int, dict[str, Any] | None]]:
    """Give each player of a line as it is written, its place, and the player as the log has it.

    ``None`` for a part that is no player.
    """
    parts = re.finditer(rf"(?:{JSON_STRING}|[^,\"]|\")+", text)
    places = [(each[0], each.start()) for each in parts]
    if found := _against(text):
        # Partners sit opposite.
        places = [(found[group], found.start(group)) for group in (1, 4, 2, 5)]
    elif len(places) == 1 and not set('"<(') & set(text):
        places = [(word[0], word.start()) for word in re.finditer(r"\S+", text)]
    for part, at in places:
        if stripped := part.lstrip():
            yield stripped, at + len(part) - len(stripped), _player(part)


def _against(text: str) -> re.Match[str] | None:
    found = _AGAINST.fullmatch(text) if '"' not in text and len(text) < 4 * LONGEST else None
    return found if found and (fold(found[3]) in AGAINST or found[3] in _DASHES) else None


def _player(text: str) -> dict[str, Any] | None:
    """Return a player as the log has it, nothing when the text is none."""
    text = text.strip()
    name_part = _NAME_PART.match(text)
    at = name_part.end() if name_part else 0
    id_part = _ID_PART.match(text, at)
    at = id_part.end() if id_part else at
    kind_part = _KIND_PART.match(text, at)
    at = kind_part.end() if kind_part else at
    name = _name(name_part[1] if name_part else None)
    given = _name(id_part[1] if id_part else None)
    if at != len(text) or not (name or given):
        return None
    player: dict[str, Any] = {"id": given if given is not None else id_of_name(name or "")}
    if name is not None and (given is not None or name != player["id"]):
        player["name"] = name
    if kind_part:
        player["kind"] = kind_part[1].lower()
    return player if player["id"] else None


def _name(text: str | None) -> str | None:
    if text is None:
        return None
    return json_text(text) if text.startswith('"') else " ".join(text.split())


# --- Match, date and offset


def set_match(page: Page, text: str, _: int) -> None:
    """``match thursday-12``: what the log calls a game; ``match ?`` where it is not known."""
    page.table.match = None if text == "?" else free_text(text)


def set_date(page: Page, text: str, column: int) -> None:
    """``date 2026-11-20`` or ``date 20.11.2026``: the day of the hands that follow."""
    page.settle("date")
    page.table.date = None
    if text == "?":
        return
    text = text.rstrip(".")
    found = _ISO_DATE.fullmatch(text)
    parts = found.groups() if found else ()
    if dotted := _DOTTED_DATE.fullmatch(text):
        parts = (dotted[3], dotted[2], dotted[1])
    try:
        year, month, day = map(int, parts)
        page.table.date = dt.date(year, month, day).isoformat()
    except ValueError:
        message = f"{shown(text)} is no date this reader is sure of: write 2026-11-20 or 20.11.2026"
        if parts and 1 <= int(parts[1]) <= _MONTHS:
            message = f"there is no such day as {shown(text)}"
        page.refuse("date", column, message)


def set_zone(page: Page, text: str, column: int) -> None:
    """``zone +02:00``: the offset from UTC of the times that follow."""
    page.settle("zone")
    page.table.zone = None
    if _OFFSET.fullmatch(text):
        page.table.zone = text
    elif text != "?":
        message = f"{shown(text)} is no offset from UTC: write zone +02:00"
        page.refuse("zone", column, message)


def set_for_all(page: Page, text: str, column: int) -> None:
    """``all status complete``: what every hand has from here on that does not say otherwise."""
    page.settle("all")
    keyword = keyword_of(text)
    _, _, rest = text.partition(" ")
    if keyword == "status":
        status = status_of(rest.strip())
        if status is not None:
            page.table.for_all["status"] = status
            return
    elif keyword in {"stock", "kitty"} and fold(rest.strip()) in NONES:
        page.table.for_all[keyword] = ""
        return
    message = (
        "of all hands can be said: all status complete, all stock none, all kitty none; "
        "a remark stands in ( ) or after #"
    )
    page.refuse("all", column, message)


SETTINGS: Final[dict[str, Setting]] = {
    "game": set_game,
    "players": set_players,
    "match": set_match,
    "date": set_date,
    "zone": set_zone,
    "option": set_option,
    "house": set_house,
    "definition": set_definition,
    "all": set_for_all,
}


# --- A message that begins without words


def is_heading(page: Page, text: str, column: int) -> bool:
    """Take a line before the first hand that is just a game, a date, or the players.

    Returns whether it was one.
    """
    if page.table.is_met or len(text) > 4 * LONGEST:
        return False
    date = _AT_THE_END.search(text)
    game = (text[: date.start()] if date else text).rstrip(".")
    if not game or (fold(game) in games() and not page.table.rules):
        if game:
            set_game(page, game, column)
        if date:
            set_date(page, date[1], column + date.start(1))
        return True
    if _is_game_and_day(page, text, column):
        return True
    if page.table.players or keyword_of(text):
        return False
    names = text.rstrip(".")
    are_sides = _against(names) is not None
    if not are_sides and (found := _OTHER_SIDES.fullmatch(names)):
        # The partners of two sides, listed in another way than the form has.
        sides = "{} & {} vs {} & {}".format(*map(str.strip, found.groups()))
        set_players(page, sides, column)
        page.refuse("players", column, f"write & between partners and vs between sides: {sides}")
        return True
    if are_sides or _are_names(names):
        set_players(page, names, column)
        return True
    return False


def _is_game_and_day(page: Page, text: str, column: int) -> bool:
    """Take a line of a game and a day that is written in another way, which is refused."""
    if page.table.rules:
        return False
    words = list(re.finditer(r"\S+", text))
    for last in reversed(words[:-1]):
        day = text[last.end() :].strip()
        if fold(text[: last.end()].rstrip(",")) in games() and _is_like_a_day(day):
            set_game(page, text[: last.end()].rstrip(","), column)
            set_date(page, day, column + len(text) - len(day))
            return True
    return False


def _is_like_a_day(text: str) -> bool:
    """Whether a text has numbers, and words that mean nothing in a hand."""
    words = re.findall(r"[^\s,]+", text)
    if not any(map(str.isdigit, text)) or (len(words) == 1 and not re.search(r"\d[/.-]\d", text)):
        return False
    return not any(
        fold(word) in VERBS or fold(word) in SUIT_WORDS or cards_of(word) for word in words
    )


def _are_names(text: str) -> bool:
    """Whether a line is nothing but the names of players, parted by commas."""
    names = [name.strip() for name in text.split(",")]
    if not _LEAST_LISTED <= len(names) <= 2 * MAX_SEATS:
        return False
    words = list(itertools.chain.from_iterable(name.split(" ") for name in names))
    return (
        all(re.fullmatch(r"[^\W\d_][\w.'’-]*( [\w.'’-]+)?", name) for name in names)
        and not any(character.isdigit() for character in text)
        and not any(fold(word) in VERBS or fold(word) in KEYWORDS for word in words)
        and len(words) <= MOST_WORDS * len(names)
    )
