"""Changing JSON so that it stays JSON: what random bytes would take ages to come upon."""

import copy
import json
import random
from typing import Any, Final

from tests.kit.noise import noise

ODD_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 3.0, 7.5, 1e308, 10**30, 2**63, "", "?", "AS KS", "10H", "JO", "\u0000"),
    *("\u2028", "x" * 201, "0 pass", "2026-11-20T19:03:00Z", "0000-01-01T00:00:00Z"),
    *("9999-12-31T23:59:59-23:59", [], {}, [[]], {"": {}}, {"0": 1}),
)


def changed_json(data: bytes, seed: int) -> bytes:
    """Return JSON ``data`` with one to three changes; other data as it is."""
    chance = random.Random(seed)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for _ in range(chance.randint(1, 3)):
        value = _changed(value, chance)
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5, separators=(",", ":"))
    if chance.random() < 0.1:
        text = _with_key_twice(text, chance)
    return text.encode("utf-8", "replace")


def _changed(value: object, chance: random.Random) -> object:
    if not isinstance(value, dict | list) or not value or chance.random() < 0.05:
        return _other(value, chance)
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = chance.choice(keys)
    if chance.random() < 0.6:
        value[key] = _changed(value[key], chance)
        return value
    match chance.randrange(5):
        case 0:
            del value[key]
        case 1 if isinstance(value, list):
            value.insert(key, copy.deepcopy(value[chance.choice(keys)]))
        case 1 if isinstance(value, dict):
            value[_other_key(str(key), chance)] = copy.deepcopy(value[key])
        case 2:
            other = chance.choice(keys)
            value[key], value[other] = value[other], value[key]
        case _:
            value[key] = _other(value[key], chance)
    return value


def _other(value: object, chance: random.Random) -> object:
    if isinstance(value, str) and chance.random() < 0.5:
        return _other_text(value, chance)
    if isinstance(value, int | float) and chance.random() < 0.6:
        return value + chance.choice((-1, 1, 2, 0.5, 100, 10**20))
    return copy.deepcopy(chance.choice(ODD_VALUES))


def _other_text(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    match chance.randrange(5):
        case 0:
            return noise(chance)
        case 1:
            return " ".join([*words, chance.choice(words)])
        case 2:
            chance.shuffle(words)
            return " ".join(words)
        case 3:
            at = chance.randint(0, len(text))
            return text[:at] + chance.choice("0 ?*\x1b\u2028é😀T") + text[at:]
        case _:
            return text[: chance.randint(0, len(text))]


def _other_key(key: str, chance: random.Random) -> str:
    return chance.choice((key + " ", key.upper(), "0", "00", "999", "", "/~", "k" * 500))


def _with_key_twice(text: str, chance: random.Random) -> str:
    starts = [at for at, mark in enumerate(text) if mark == "{" and text[at + 1 : at + 2] == '"']
    if not starts:
        return text
    at = chance.choice(starts) + 1
    key = text[at : text.index('"', at + 1) + 1]
    return f"{text[:at]}{key}:0,{text[at:]}"
