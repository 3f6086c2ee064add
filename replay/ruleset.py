"""Rulesets: variant files, house rules on top, and the record the engine reads.

A variant is a cited TOML file in ``replay/variants``. ``extends`` takes everything from another
variant; ``options`` of a log, or a user's own TOML, change single policies. A resolved ruleset
has a version and a hash that goes with every number derived under it.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from replay.contradictions import contradiction, partnership_problem
from replay.policies import Phase, Sides
from replay.policy_table import POLICIES, SECTIONS, BadValue, Choice, Number, Switch
from replay.records import MAX_PHASES, NO_TRUMPS, TRUMPS, Rules
from schemas.cards import JOKER, RANKS
from schemas.hand import Hand, RulesRef

_HEAD: Final = ("id", "version", "title", "family", "summary", "extends")
_THE_LOG: Final = "the log"


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
        if isinstance(value, list) and not POLICIES[key].is_list:
            return value
        return [value]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A variant with every policy settled."""

    id: str
    version: int
    title: str
    family: str
    summary: str
    values: dict[str, Any]
    """Policy to value, as variant files write values."""
    options: dict[str, Any]
    """The house rules laid over the variant."""
    cites: dict[str, str]
    house_rules: tuple[HouseRule, ...]
    hash: str
    """16 hex digits over id, version and values."""
    _records: dict[int, Rules] = field(default_factory=dict, repr=False, compare=False)

    def cite(self, policy: str) -> str:
        """Return the citation of a policy, with that of the house rule that set it."""
        return self.cites.get(policy, "")

    def rules(self, seats: int) -> Rules:
        """Return the engine's record for a table of ``seats`` players."""
        record = self._records.get(seats)
        if record is None:
            record = self._records[seats] = make_rules(self.values, seats)
        return record

    def sides(self, seats: int) -> int:
        """Return how many sides keep a score at a table of ``seats`` players."""
        return self.rules(seats).side_count

    def side_of(self, seat: int) -> int:
        """Return the side a seat plays for."""
        return seat % 2 if self.values["sides"] == "partners" else seat

    @property
    def total_points(self) -> int:
        """Card points in a hand when every point card is in play."""
        return _all_points(self.values)


@cache
def variants() -> tuple[str, ...]:
    """Return the ids of the variants that come with Tricklog, sorted."""
    folder = resources.files("replay") / "variants"
    names = (item.name for item in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load_variant(name: str) -> Ruleset:
    """Return the ruleset of a variant without house rules.

    Raises ``RulesetError`` when there is no such variant.
    """
    return _resolve(_variant_data(name), f"{name}.toml", {})


def load_rules_file(path: Path) -> Ruleset:
    """Return the ruleset of a user's own TOML file.

    Raises ``RulesetError`` naming file, key and allowed values, and ``OSError``.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(path.name, "", f"is not TOML: {error}") from None
    return _resolve(data, path.name, {})


def ruleset_of(hand: Hand) -> Ruleset:
    """Return the ruleset a hand was played under.

    Raises ``RulesetError`` with a JSON pointer into the hand.
    """
    ruleset = _cached_ruleset(msgspec.json.encode(hand.rules, order="deterministic"))
    problem = seats_problem(ruleset, len(hand.players))
    if problem:
        raise RulesetError(hand.id, "/players", problem)
    return ruleset


def seats_problem(ruleset: Ruleset, seats: int) -> str | None:
    """Return why so many players cannot sit down to a game; ``None`` when they can."""
    if seats not in ruleset.values["players"]:
        allowed = ", ".join(str(count) for count in ruleset.values["players"])
        return f"holds {seats} players; {ruleset.title} takes {allowed}"
    return partnership_problem(ruleset.values, seats)


@lru_cache(maxsize=4096)
def _cached_ruleset(reference: bytes) -> Ruleset:
    return resolve(msgspec.json.decode(reference, type=RulesRef))


def resolve(reference: RulesRef) -> Ruleset:
    """Return the ruleset a log refers to. Raises ``RulesetError`` with a pointer into the log."""
    if reference.definition is not UNSET:
        data, source = dict(reference.definition), "/rules/definition"
        data.setdefault("id", reference.variant)
    elif reference.variant in variants():
        data, source = _variant_data(reference.variant), "/rules/options"
    else:
        raise RulesetError(
            _THE_LOG,
            "/rules/variant",
            f"is {reference.variant!r}, known are {', '.join(variants())}",
        )
    overlay = {} if reference.options is UNSET else dict(reference.options)
    ruleset = _resolve(data, source, overlay)
    if reference.version is not UNSET and reference.version != ruleset.version:
        raise RulesetError(
            _THE_LOG,
            "/rules/version",
            f"is {reference.version}, but {ruleset.id} is at version {ruleset.version}",
        )
    return ruleset


def _variant_data(name: str) -> dict[str, Any]:
    if name not in variants():
        raise RulesetError(name, "extends", f"names no variant; known are {', '.join(variants())}")
    text = (resources.files("replay") / "variants" / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _resolve(data: Mapping[str, Any], source: str, overlay: Mapping[str, Any]) -> Ruleset:
    base: Ruleset | None = None
    parent = data.get("extends")
    if parent is not None:
        if not isinstance(parent, str) or parent not in variants():
            raise _wrong(source, ("extends",), f"is {parent!r}, known are {', '.join(variants())}")
        base = load_variant(parent)
    head = _head(data, source, base)
    values = dict(base.values) if base else {}
    cites = dict(base.cites) if base else {}
    own = _own_values(data, source)
    values.update(own)
    cites.update(_own_cites(data, source))
    house_rules = _house_rules(data, source, base)
    options = _options(overlay)
    values.update(options)
    changed = options if "cite" in data else {**own, **options}
    for key in changed:
        named = [rule.cite for rule in house_rules if key in rule.values and rule.holds(values)]
        cites[key] = " ".join(dict.fromkeys([*named, cites.get(key, "")]))
    missing = [key for key in POLICIES if key not in values]
    if missing:
        raise _wrong(source, missing[:1], "is not set, and nothing is extended that sets it")
    wrong = contradiction(values)
    if wrong:
        key, reason = wrong
        if key in options:
            raise _wrong("/rules/options", (key,), reason)
        if source.startswith("/"):
            raise RulesetError(_THE_LOG, source, f"{key} {reason}")
        raise _wrong(source, (key,), reason)
    digest = hashlib.sha256(
        msgspec.json.encode([head["id"], head["version"], values], order="deterministic")
    ).hexdigest()
    return Ruleset(
        **head,
        values=values,
        options=options,
        cites=cites,
        house_rules=house_rules,
        hash=digest[:16],
    )


def _head(data: Mapping[str, Any], source: str, base: Ruleset | None) -> dict[str, Any]:
    """Return the fields that name a ruleset; a user's file may leave all but extends out."""
    known = {*_HEAD, "cite", "option", *SECTIONS, *POLICIES}
    for key in data:
        if key not in known:
            sections = f"sections are {', '.join(SECTIONS)}, cite, option"
            raise _wrong(source, (key,), f"is not known; {sections}")
    fallback = {
        "id": base.id if base else None,
        "version": base.version if base else 1,
        "title": base.title if base else None,
        "family": base.family if base else None,
        "summary": base.summary if base else "",
    }
    head = {key: data.get(key, default) for key, default in fallback.items()}
    for key, value in head.items():
        if value is None:
            raise _wrong(
                source,
                (key,),
                f"is missing; write it, or name a game with extends to take its {key}",
            )
        wanted = int if key == "version" else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            kind = "a whole number" if wanted is int else "text"
            raise _wrong(source, (key,), f"is {value!r}, it must be {kind}")
    return head


def _own_values(data: Mapping[str, Any], source: str) -> dict[str, Any]:
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
            raise _wrong(source, (section,), f"is {table!r}, it must be a table")
        for key, value in table.items():
            policy = POLICIES.get(key)
            if policy is None or policy.section != section:
                allowed = [item.key for item in POLICIES.values() if item.section == section]
                raise _wrong(
                    source, (section, key), f"is not known; known are {', '.join(allowed)}"
                )
            values[key] = _checked(source, (section, key), value)
    return values


def _options(overlay: Mapping[str, Any]) -> dict[str, Any]:
    for key in overlay:
        if key not in POLICIES:
            raise _wrong("/rules/options", (key,), f"is not known; known are {', '.join(POLICIES)}")
    return {key: _checked("/rules/options", (key,), value) for key, value in overlay.items()}


def _checked(source: str, steps: Sequence[str], value: object) -> object:
    """Return the value of the policy that the last step names, if the policy takes it."""
    try:
        return POLICIES[steps[-1]].check(value)
    except BadValue as error:
        raise _wrong(source, steps, str(error)) from None


def _wrong(source: str, steps: Sequence[str], message: str) -> RulesetError:
    """Return the error for a place in a file, or, for a source with a slash, in a hand."""
    if not source.startswith("/"):
        return RulesetError(source, ".".join(steps), message)
    escaped = [step.replace("~", "~0").replace("/", "~1") for step in steps]
    return RulesetError(_THE_LOG, "/".join((source, *escaped)), message)


def _own_cites(data: Mapping[str, Any], source: str) -> dict[str, str]:
    table = data.get("cite", {})
    if not isinstance(table, dict):
        raise _wrong(source, ("cite",), "must be a table of citations by policy")
    for key, value in table.items():
        if key not in POLICIES or not isinstance(value, str):
            raise _wrong(source, ("cite", key), "is not the citation of a policy")
    return dict(table)


def _house_rules(
    data: Mapping[str, Any], source: str, base: Ruleset | None
) -> tuple[HouseRule, ...]:
    rows = data.get("option", [])
    if not isinstance(rows, list):
        raise _wrong(source, ("option",), "must be a list of tables")
    own = []
    for index, row in enumerate(rows):
        place = ("option", str(index))
        try:
            rule = msgspec.convert(row, HouseRule)
        except msgspec.ValidationError as error:
            raise _wrong(source, place, str(error)) from None
        for key in rule.values:
            if key not in POLICIES:
                raise _wrong(source, (*place, "values", key), "is not a policy")
            for item in rule.choices(key):
                _checked(source, (*place, "values", key), item)
        own.append(rule)
    # A file that cites rules of its own is another game, to which these need not apply.
    inherited = base.house_rules if base and "cite" not in data else ()
    taken = {rule.cite for rule in own}
    return (*own, *(rule for rule in inherited if rule.cite not in taken))


def make_rules(values: Mapping[str, Any], seats: int) -> Rules:
    """Return the engine's record for policy values and a number of seats."""
    rules = Rules(seats=seats)
    for key, policy in POLICIES.items():
        if not hasattr(rules, key):
            continue
        if isinstance(policy, Choice):
            setattr(rules, key, policy.member(values[key]))
        elif isinstance(policy, Number | Switch):
            setattr(rules, key, int(values[key]))
    rules.step = 1 if values["direction"] == "clockwise" else seats - 1
    rules.side_count = 2 if rules.sides == Sides.PARTNERS else seats
    rules.all_points = _all_points(values)
    phases = [int(Phase[name.upper().replace("-", "_")]) for name in values["phases"]]
    rules.phases = phases + [int(Phase.OVER)] * (MAX_PHASES - len(phases))
    _fill_cards(rules, values)
    rules.packet = values["packets"][0]
    rules.dealt = sum(values["packets"])
    if values["deal"] == "whole-pack":
        rules.packet = rules.dealt = rules.hand_size = rules.pack_size // seats
    return rules


def _all_points(values: Mapping[str, Any]) -> int:
    suits = 4 if values["points_in"] == "every-suit" else 1
    counted = 1 if values["game_point"] == "count" else 0
    return int(sum(values["points"].values()) * suits + values["last_trick_points"] + counted)


def _fill_cards(rules: Rules, values: Mapping[str, Any]) -> None:
    """Fill the tables by trump and card."""
    order = values["ranks"]
    worth = values["points"]
    ranks = [RANKS.index(rank) for rank in order]
    pack = [suit * 13 + rank for suit in range(4) for rank in ranks]
    rules.pack = sum(1 << card for card in pack) | (1 << JOKER if values["joker"] else 0)
    rules.pack_size = rules.pack.bit_count()
    every_suit = values["points_in"] == "every-suit"
    for trump in range(TRUMPS):
        for card in pack:
            suit, rank = divmod(card, 13)
            strength = 2 * (len(order) - order.index(RANKS[rank]))
            points = worth.get(RANKS[rank], 0) if every_suit or suit == trump else 0
            if values["off_five"] and RANKS[rank] == "5" and suit == 3 - trump:
                suit, strength, points = trump, strength - 1, worth.get("off_five", 0)
            rules.suit[trump][card] = suit
            rules.strength[trump][card] = strength
            rules.points[trump][card] = points
            rules.suit_cards[trump][suit] |= 1 << card
            if suit == trump:
                rules.trump_cards[trump] |= 1 << card
            if points:
                rules.point_cards[trump] |= 1 << card
            if suit == trump and RANKS[rank] in "KQ":
                rules.pair_cards[trump] |= 1 << card
            if suit == trump and RANKS[rank] == "2" and points:
                rules.low_card[trump] = card
        if values["joker"]:
            _add_joker(rules, trump, worth.get("joker", 0))
        order_of_count = [_card_of(kind, trump) for kind in values["count_order"]]
        rules.count_order[trump][: len(order_of_count)] = order_of_count


def _add_joker(rules: Rules, trump: int, points: int) -> None:
    """Make the joker the lowest trump; without trumps it belongs to no suit."""
    rules.suit[trump][JOKER] = trump
    rules.strength[trump][JOKER] = 1
    if trump < NO_TRUMPS:
        rules.points[trump][JOKER] = points
        rules.suit_cards[trump][trump] |= 1 << JOKER
        rules.trump_cards[trump] |= 1 << JOKER
        rules.point_cards[trump] |= 1 << JOKER if points else 0


def _card_of(kind: str, trump: int) -> int:
    """Return the card of a kind that point cards are named by, -1 without trumps."""
    if trump == NO_TRUMPS:
        return -1
    if kind == "joker":
        return JOKER
    suit, rank = (3 - trump, "5") if kind == "off_five" else (trump, kind)
    return suit * 13 + RANKS.index(rank)
