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
from replay.house_rules import HouseRule, HouseRulesError, find, together
from replay.policies import GamePoint, Phase, Sides
from replay.policy_table import POLICIES, Choice, Number, Switch
from replay.records import MAX_PHASES, NO_TRUMPS, TRUMPS, Rules
from replay.rules_file import (
    THE_LOG,
    RulesetError,
    head_of,
    option_rows,
    options_of,
    own_cites,
    own_values,
    wrong,
)
from replay.spelling import meant
from schemas.cards import JOKER, RANKS
from schemas.hand import Hand, RulesRef

LONGEST_KEPT: Final = 1 << 14
"""Bytes of the longest reference to rules that is remembered with what it resolves to."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A variant with every policy settled."""

    id: str
    version: int
    title: str
    family: str
    summary: str
    extends: str
    """The variant it builds on, empty without."""
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
        return self.rules(self.values["players"][0]).all_points


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
    if name not in variants():
        raise RulesetError(name, "", f"is no variant{meant(name, variants())}, {_known()}")
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
    ruleset = resolved(hand.rules)
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


def resolved(reference: RulesRef) -> Ruleset:
    """Return the ruleset a log refers to, the same one each time; raises what ``resolve`` does."""
    text = msgspec.json.encode(reference, order="deterministic")
    # Rules as long as a line may be, each only once, must not add up in memory.
    return _cached_ruleset(text) if len(text) <= LONGEST_KEPT else resolve(reference)


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
        near = meant(reference.variant, variants())
        raise RulesetError(THE_LOG, "/rules/variant", f"is {reference.variant!r}{near}, {_known()}")
    overlay = {} if reference.options is UNSET else dict(reference.options)
    ruleset = _resolve(data, source, overlay)
    if reference.version is not UNSET and reference.version != ruleset.version:
        raise RulesetError(
            THE_LOG,
            "/rules/version",
            f"is {reference.version}, but {ruleset.id} is at version {ruleset.version}",
        )
    return ruleset


def _known() -> str:
    return f"known are {', '.join(variants())}"


@cache
def _variant_data(name: str) -> dict[str, Any]:
    text = (resources.files("replay") / "variants" / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _resolve(data: Mapping[str, Any], source: str, overlay: Mapping[str, Any]) -> Ruleset:
    base = _base(data, source)
    head = head_of(data, source, _head_of_base(base))
    own = own_values(data, source)
    rows = option_rows(data, source)
    named = _named_rules(data, source, rows)
    options = options_of(overlay)
    before = base.values if base else {}
    try:
        values = {**before, **together(named, own), **own, **options}
    except HouseRulesError as error:
        raise wrong(source, ("house_rules",), str(error)) from None
    missing = [key for key in POLICIES if key not in values]
    if missing:
        raise wrong(source, missing[:1], "is not set, and nothing is extended that sets it")
    _refuse_contradiction(source, before, own, options, named)
    # A file that cites rules of its own is another game, to which these need not apply.
    inherited = base.house_rules if base and "cite" not in data else ()
    house_rules = _each_once((*rows, *named, *inherited))
    cites = {**(base.cites if base else {}), **own_cites(data, source)}
    stated = {} if "cite" in data else own
    for key in dict.fromkeys((*(key for rule in named for key in rule.values), *stated, *options)):
        holding = [rule.cite for rule in house_rules if key in rule.values and rule.holds(values)]
        cites[key] = " ".join(dict.fromkeys([*holding, *cites.get(key, "").split()]))
    digest = hashlib.sha256(
        msgspec.json.encode([head["id"], head["version"], values], order="deterministic")
    ).hexdigest()
    return Ruleset(
        **head,
        extends=data.get("extends", ""),
        values=values,
        options=options,
        cites=cites,
        house_rules=house_rules,
        hash=digest[:16],
    )


def _base(data: Mapping[str, Any], source: str) -> Ruleset | None:
    """Return the variant that rules build on, if they name one."""
    parent = data.get("extends")
    if parent is None:
        return None
    if not isinstance(parent, str) or parent not in variants():
        raise wrong(source, ("extends",), f"is {parent!r}{meant(parent, variants())}, {_known()}")
    return load_variant(parent)


def _head_of_base(base: Ruleset | None) -> dict[str, Any]:
    """Return the names that rules take over: a user's file may leave all but extends out."""
    if base is None:
        return {"id": None, "version": 1, "title": None, "family": None, "summary": ""}
    keys = ("id", "version", "title", "family", "summary")
    return {key: getattr(base, key) for key in keys}


def _refuse_contradiction(
    source: str,
    before: Mapping[str, Any],
    own: Mapping[str, Any],
    options: Mapping[str, Any],
    named: Sequence[HouseRule],
) -> None:
    """Raise ``RulesetError`` when policies cannot stand together; name what brought it about."""

    def against(rules: Sequence[HouseRule]) -> tuple[str, str] | None:
        return contradiction({**before, **together(rules, own), **own, **options})

    found = against(named)
    if found is None:
        return
    key, reason = found
    if key in options:
        raise wrong("/rules/options", (key,), reason)
    guilty = [rule for rule in named if against([each for each in named if each != rule]) != found]
    fit = "do not go together" if len(guilty) > 1 else "does not fit the other rules"
    if not guilty and against([]) != found:
        guilty = [rule for rule in named if key in rule.values] or list(named)
        fit = "do not fit the other rules"
    if guilty:
        numbers = " and ".join(rule.cite for rule in guilty)
        message = f"names {numbers}, which {fit}: {key} {reason}"
        raise wrong(source, ("house_rules",), message)
    if source.startswith("/"):
        raise RulesetError(THE_LOG, source, f"{key} {reason}")
    raise wrong(source, (key,), reason)


def _named_rules(
    data: Mapping[str, Any], source: str, rows: Sequence[HouseRule]
) -> list[HouseRule]:
    """Return the house rules that a file names by number."""
    numbers = data.get("house_rules", [])
    if not isinstance(numbers, list) or not all(isinstance(each, str) for each in numbers):
        message = f'is {numbers!r}, it must be a list of numbers such as ["O01", "O16"]'
        raise wrong(source, ("house_rules",), message)
    near = list(rows)
    game = data.get("extends")
    while isinstance(game, str):
        near += load_variant(game).house_rules
        game = _variant_data(game).get("extends")
    try:
        return [find(number, near, _every_house_rule) for number in dict.fromkeys(numbers)]
    except HouseRulesError as error:
        raise wrong(source, ("house_rules",), str(error)) from None


def _every_house_rule() -> list[tuple[str, HouseRule]]:
    """Return the house rules of all variants, each with the id of its variant."""
    return [(name, rule) for name in variants() for rule in load_variant(name).house_rules]


def _each_once(rules: Sequence[HouseRule]) -> tuple[HouseRule, ...]:
    """Return rules without those whose citation an earlier one has."""
    first: dict[str, HouseRule] = {}
    for rule in rules:
        first.setdefault(rule.cite, rule)
    return tuple(first.values())


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
    phases = [int(Phase[name.upper().replace("-", "_")]) for name in values["phases"]]
    rules.phases = phases + [int(Phase.OVER)] * (MAX_PHASES - len(phases))
    _fill_cards(rules, values)
    # Every suit has the same cards, so any trump shows what a hand holds.
    rules.all_points = sum(rules.points[0]) + rules.last_trick_points
    rules.all_points += 1 if rules.game_point == GamePoint.COUNT else 0
    rules.packet = values["packets"][0]
    rules.dealt = sum(values["packets"])
    if values["deal"] == "whole-pack":
        rules.packet = rules.dealt = rules.hand_size = rules.pack_size // seats
    return rules


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
