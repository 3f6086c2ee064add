"""The content of a rules file: every key and every value is checked, and what is wrong is named.

The same content may stand in a log, as ``rules.definition``. A variant file lists house rules by
number below ``[option]``; a user's file names them in ``house_rules``.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from tricklog.core.rulesets.guarded_toml import MAX_FILE, TomlError, read_toml
from tricklog.core.rulesets.policy_table import POLICIES, SECTIONS, TOPICS, BadValue
from tricklog.core.rulesets.suggestions import did_you_mean

_HEAD: Final = ("id", "version", "title", "family", "summary", "extends", "house_rules")
_CITING: Final = ("chapter", "topics", "rulings", "cite")
THE_LOG: Final = "the log"
OPTIONS: Final = "/rules/options"
"""Where a log has its house rules."""
ID_PATTERN: Final = "[a-z0-9][a-z0-9-]{0,63}"
"""How logs can name rules."""
MAX_VERSION: Final = 10_000
_NUMBER: Final = re.compile(r"([SCOsco])(\d{1,3})")


class RulesetError(ValueError):
    """Rules that cannot be used.

    ``source`` names the file or log, ``pointer`` the place in it: a dotted key of a file, a JSON
    pointer (RFC 6901) into a hand.
    """

    def __init__(self, source: str, pointer: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{source}: {pointer or 'the file'} {message}")
        self.source = source
        self.pointer = pointer
        self.message = message


def read_rules_file(path: Path) -> dict[str, Any]:
    """Return the content of a rules file, whose keys and values are still to be checked.

    Raises ``RulesetError`` when it is not TOML or more than any rules need, and ``OSError``.
    """
    with path.open("rb") as file:
        content = file.read(MAX_FILE + 1)
    try:
        return read_toml(content)
    except TomlError as error:
        raise RulesetError(path.name, "", str(error)) from None


def head_of(data: Mapping[str, Any], source: str, fallback: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that name a ruleset, those that are left out as in ``fallback``."""
    known = {*_HEAD, *_CITING, "option", *SECTIONS, *POLICIES}
    for key in data:
        if key not in known:
            sections = f"sections are {', '.join((*SECTIONS, *_CITING[1:]))}, option"
            raise wrong(source, (key,), f"is not known{did_you_mean(key, known)}; {sections}")
    head = {key: data.get(key, default) for key, default in fallback.items()}
    for key, value in head.items():
        if value is None:
            message = f"is missing; write it, or name a game with extends to take its {key}"
            raise wrong(source, (key,), message)
        wanted = int if key == "version" else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            kind = "a whole number" if wanted is int else "text"
            raise wrong(source, (key,), f"is {value!r}, it must be {kind}")
    if not re.fullmatch(ID_PATTERN, head["id"]):
        message = f"is {head['id']!r}, it must be small letters, digits and hyphens, 64 at most"
        raise wrong(source, ("id",), message)
    if not 1 <= head["version"] <= MAX_VERSION:
        raise wrong(source, ("version",), f"is {head['version']}, it must be 1 to {MAX_VERSION}")
    return head


def own_values(data: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return the policies a file sets, in their sections or, as house rules are, without."""
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key in POLICIES and key not in SECTIONS:
            values[key] = _checked(source, (key,), value)
    for section in SECTIONS:
        table = data.get(section, {})
        if section in POLICIES and not isinstance(table, dict):
            values[section] = _checked(source, (section,), table)
            continue
        if not isinstance(table, dict):
            raise wrong(source, (section,), f"is {table!r}, it must be a table")
        for key, value in table.items():
            policy = POLICIES.get(key)
            if policy is None:
                allowed = [item.key for item in POLICIES.values() if item.section == section]
                near = did_you_mean(key, POLICIES)
                message = f"is not known{near}; known are {', '.join(allowed)}"
                raise wrong(source, (section, key), message)
            if key in values:
                raise wrong(source, (section, key), "stands twice, here and outside its section")
            if policy.section != section:
                raise wrong(source, (section, key), f"is not known; it stands in {policy.section}")
            values[key] = _checked(source, (section, key), value)
    return values


def options_of(overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Return the policies that the options of a log set."""
    for key in overlay:
        if re.fullmatch(r"[SCO]\d+", key):
            message = f'is no policy; numbers stand in a list: "house_rules": ["{key}"]'
            raise wrong(OPTIONS, (key,), message)
        if key not in POLICIES:
            near = did_you_mean(key, POLICIES) or f"; known are {', '.join(POLICIES)}"
            raise wrong(OPTIONS, (key,), f"is not known{near}")
    return {key: _checked(OPTIONS, (key,), value) for key, value in overlay.items()}


def numbers_of(data: Mapping[str, Any], source: str) -> list[str]:
    """Return the numbers of the house rules that a file, or the options of a log, name."""
    numbers = data.get("house_rules", [])
    if not isinstance(numbers, list) or not all(isinstance(each, str) for each in numbers):
        message = f'is {numbers!r}, it must be a list of numbers such as ["O01", "O16"]'
        raise wrong(source, ("house_rules",), message)
    return list(dict.fromkeys(numbers))


def _checked(source: str, steps: Sequence[str], value: object) -> object:
    try:
        return POLICIES[steps[-1]].check(value)
    except BadValue as error:
        raise wrong(source, steps, str(error)) from None


def wrong(source: str, steps: Sequence[str], message: str) -> RulesetError:
    """Return the error for a place in a file, or, for a source with a slash, in a hand."""
    if not source.startswith("/"):
        return RulesetError(source, ".".join(steps), message)
    escaped = [step.replace("~", "~0").replace("/", "~1") for step in steps]
    return RulesetError(THE_LOG, "/".join((source, *escaped)), message)


def own_topics(data: Mapping[str, Any], source: str) -> dict[str, str]:
    """Return by topic the part of its chapter where a file says that this is treated."""
    return _named_texts(data, source, "topics", TOPICS, "a topic")


def own_cites(data: Mapping[str, Any], source: str, topics: Mapping[str, str]) -> dict[str, str]:
    """Return what the policies of a file rest on: by its chapter, and as it says itself.

    ``topics``: those of the file and of what it extends.
    """
    rulings = _named_texts(data, source, "rulings", POLICIES, "a policy")
    cites = _named_texts(data, source, "cite", POLICIES, "a policy")
    chapter = data.get("chapter")
    if chapter is None:
        if rulings:
            raise wrong(source, ("rulings",), "are added to a chapter; name it with chapter = 1")
        return cites
    if not isinstance(chapter, int) or isinstance(chapter, bool) or chapter < 0:
        raise wrong(source, ("chapter",), f"is {chapter!r}, it must be the number of a chapter")
    by_chapter = {}
    for key, policy in POLICIES.items():
        own = policy.rests_on or f"{chapter}.{topics.get(policy.topic, policy.topic)}"
        by_chapter[key] = " ".join(filter(None, (own, policy.ruling, rulings.get(key))))
    return {**by_chapter, **cites}


def _named_texts(
    data: Mapping[str, Any], source: str, table: str, names: Collection[str], what: str
) -> dict[str, str]:
    """Return a table of texts by name, none of which is unknown."""
    texts = data.get(table, {})
    if not isinstance(texts, dict):
        raise wrong(source, (table,), f"must be a table of texts by {what.rsplit(maxsplit=1)[-1]}")
    for key, value in texts.items():
        if key not in names:
            raise wrong(source, (table, key), f"is not {what}{did_you_mean(key, names)}")
        if not isinstance(value, str):
            raise wrong(source, (table, key), f"is {value!r}, it must be text")
    return dict(texts)


def is_game_of_its_own(data: Mapping[str, Any]) -> bool:
    """Whether a file says itself what its policies rest on, as another game does."""
    return "cite" in data or "chapter" in data


# --- House rules that have a number: what each stands for, and several of them together


class HouseRulesError(ValueError):
    """Numbers that name no house rule, or house rules that do not go together."""


class HouseRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named option of a variant: its citation, its words, the policy values it stands for.

    A list stands for a choice of values, unless the value of the policy is itself a list.
    """

    cite: str
    words: str
    values: dict[str, object]

    def holds(self, values: Mapping[str, object]) -> bool:
        """Whether policy ``values`` are as this rule has them."""
        return all(values[key] in self.choices(key) for key in self.values)

    def choices(self, key: str) -> list[object]:
        """Return the values this rule allows for policy ``key``, the first as its own."""
        value = self.values[key]
        return value if isinstance(value, list) and not POLICIES[key].is_list else [value]


def find(
    number: str, near: Sequence[HouseRule], elsewhere: Callable[[], Sequence[tuple[str, HouseRule]]]
) -> HouseRule:
    """Return the house rule of a number: the game's own, or what it means in other games.

    ``near`` are those of the game and of the games it extends, the nearest first; ``elsewhere``
    gives those of all games, each with the id of its game. Raises ``HouseRulesError``.
    """
    for rule in near:
        if rule.cite == number:
            return rule
    others = elsewhere()
    found = [(game, rule) for game, rule in others if rule.cite == number]
    if not found:
        raise HouseRulesError(
            f"names {number!r}, but no game has an option of that number"
            + _meant_number(number, [rule for _, rule in others], near)
        )
    first_game, first = found[0]
    for game, rule in found:
        if rule.values != first.values:
            raise HouseRulesError(
                f"names {number}, which means one thing in {first_game} and another in {game}: "
                "write the values that you play by instead"
            )
    return first


def _meant_number(number: str, rules: Sequence[HouseRule], near: Sequence[HouseRule]) -> str:
    """Return what may have been meant: ``O01`` for ``o1``, or else what there is to choose from."""
    if written := _NUMBER.fullmatch(number.strip()):
        whole = f"{written[1].upper()}{int(written[2]):02}"
        if any(rule.cite == whole for rule in rules):
            return f" (did you mean {whole!r}?)"
    listed = ", ".join(dict.fromkeys(rule.cite for rule in near))
    return f"; known here are {listed}" if listed else ""


def together(rules: Sequence[HouseRule], settled: Collection[str]) -> dict[str, Any]:
    """Return the values of several house rules at once.

    Where rules leave a choice it is the first value that suits them all. ``settled`` are policies
    set beside the rules, which are left out. Raises ``HouseRulesError`` when two rules set one
    policy differently.
    """
    left: dict[str, list[object]] = {}
    setter: dict[str, HouseRule] = {}
    for rule in rules:
        for key in rule.values:
            if key in settled:
                continue
            before = left.get(key)
            choices = rule.choices(key)
            left[key] = choices if before is None else [each for each in before if each in choices]
            if before is not None and not left[key]:
                one = setter[key]
                raise HouseRulesError(
                    f"names {one.cite} and {rule.cite}, which do not go together: {one.cite} sets "
                    f"{key} to {_either(before)}, {rule.cite} to {_either(choices)}; "
                    f"leave one out, or write {key} yourself"
                )
            setter.setdefault(key, rule)
    return {key: values[0] for key, values in left.items()}


def _either(values: Sequence[object]) -> str:
    return " or ".join(as_written(value) for value in values)


def as_written(value: object) -> str:
    """Return a policy value as a TOML file has it: ``6``, ``"follow"``, ``{ A = 1, J = 1 }``."""
    if isinstance(value, dict):
        pairs = [f"{key} = {as_written(item)}" for key, item in value.items()]
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(as_written(item) for item in value)}]"
    return msgspec.json.encode(value).decode()


def option_rows(data: Mapping[str, Any], source: str) -> tuple[HouseRule, ...]:
    """Return the house rules that a file lists itself: by number, or each with its number in it."""
    rows = data.get("option", {})
    if not isinstance(rows, dict | list):
        raise wrong(source, ("option",), "must be a table by number, or a list of tables")
    by_number = isinstance(rows, dict)
    own = []
    for number, row in rows.items() if isinstance(rows, dict) else enumerate(rows):
        place: tuple[str, ...] = ("option", str(number))
        try:
            if by_number:
                rule = HouseRule(str(number), *msgspec.convert(row, tuple[str, dict[str, object]]))
            else:
                rule = msgspec.convert(row, HouseRule)
        except msgspec.ValidationError as error:
            shape = '; a row is ["words", { policy = value }]' if by_number else ""
            raise wrong(source, place, f"{error}{shape}") from None
        place = (*place, "1" if by_number else "values")
        for key in rule.values:
            if key not in POLICIES:
                raise wrong(source, (*place, key), f"is not a policy{did_you_mean(key, POLICIES)}")
            if not rule.choices(key):
                raise wrong(source, (*place, key), "is empty, it must be a value")
            for item in rule.choices(key):
                _checked(source, (*place, key), item)
        own.append(rule)
    return tuple(own)
