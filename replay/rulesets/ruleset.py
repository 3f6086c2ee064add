"""Rulesets: variant files, house rules on top, and the record the engine reads.

A variant is a cited TOML file in ``replay/variants``. ``extends`` takes everything from another
variant; ``options`` of a log, or a user's own TOML, change single policies. A resolved ruleset
has a version and a hash that goes with every number derived under it.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET

from tricklog.core.engine.policies import GamePoint, Phase, Sides
from tricklog.core.engine.records import MAX_PHASES, NO_TRUMPS, TRUMPS, Rules
from tricklog.core.rulesets import relevance, rules_file
from tricklog.core.rulesets.policy_table import ADDED, COMMON, OFF_CARDS, POLICIES, Choice
from tricklog.core.rulesets.rules_file import OPTIONS, HouseRule, RulesetError, together, wrong
from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.core.rulesets.variant_names import variant_text, variants
from tricklog.schemas.cards import JOKER, RANKS
from tricklog.schemas.hand import Hand, RulesRef

KEPT: Final = 1 << 26
"""Bytes of the rules of logs that are remembered with what they resolve to."""
_SETTLED_SIZE: Final = 1 << 15
"""Bytes that a ruleset takes in memory at least, the engine's records for two tables included."""
_PARSED: Final = 8
"""Bytes that a byte of written rules takes in memory at most."""
_NAMES: Final = {"id": None, "version": 1, "title": None, "family": None, "summary": ""}
"""The fields that name rules, and what they are where nobody says it."""
MAX_CITE: Final = 200
"""Characters of the citations of a policy that are kept."""
CHANGED: Final = "with house rules"
"""Follows the title of a game in that of rules that change it and have no title of their own."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A variant with every policy settled."""

    id: str
    version: int
    title: str
    family: str
    summary: str
    extends: str
    """The variant it builds on in the end, empty without."""
    values: dict[str, Any]
    """Policy to value, as variant files write values."""
    options: dict[str, Any]
    """The house rules laid over the variant."""
    topics: dict[str, str] = field(repr=False)
    """By topic, the part of the chapter that treats it, where it has none of that name."""
    cites: dict[str, str]
    house_rules: tuple[HouseRule, ...]
    hash: str
    """16 hex digits over id, version and values."""
    near: tuple[HouseRule, ...] = field(repr=False)
    """The options it lists and those that what it extends lists, the nearest first."""
    numbers: tuple[str, ...]
    """The house rules that its file, and the files that one extends, name by number."""
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
def load_variant(name: str) -> Ruleset:
    """Return the ruleset of a variant without house rules; raise ``RulesetError`` for none."""
    if name not in variants():
        raise RulesetError(name, "", f"is no variant{did_you_mean(name, variants())}, {_known()}")
    return _resolve(_variant_data(name), f"{name}.toml", {}, shipped=True)


def _variant_data(name: str) -> dict[str, Any]:
    return {"id": name, **tomllib.loads(variant_text(name))}


def load_rules_file(path: str | Path) -> Ruleset:
    """Return the ruleset of a user's own TOML file. Raises ``RulesetError`` and ``OSError``."""
    return _load_file(Path(path), ())


def _load_file(path: Path, files: Sequence[Path]) -> Ruleset:
    """Return the ruleset of a file that the last of ``files`` extends, or that nobody does."""
    return _resolve(rules_file.read_rules_file(path), path.name, {}, files=(*files, path))


def rules_definition(path: Path) -> dict[str, Any]:
    """Return the content of a user's file as a log can carry it, with an id.

    Without one of its own that is the id of the game it extends, as everywhere. A log has no file
    beside it: of a file that extends another one it carries what differs from the game at the root.
    Raises what ``load_rules_file`` raises.
    """
    data = rules_file.read_rules_file(path)
    ruleset = _resolve(data, path.name, {}, files=(path,))
    if data.get("extends", "") in ("", *variants()):
        return {**data, "id": ruleset.id}
    root = load_variant(ruleset.extends).values if ruleset.extends else {}
    rules = {rule.cite: rule for rule in ruleset.house_rules if rule.holds(ruleset.values)}
    numbers = [number for number in dict.fromkeys(ruleset.numbers) if number in rules]
    by_number = {key for number in numbers for key in rules[number].values}
    shipped = [rule for _, rule in _every_house_rule()]
    definition: dict[str, Any] = {"extends": ruleset.extends} if ruleset.extends else {}
    definition |= {name: getattr(ruleset, name) for name in _NAMES}
    definition["house_rules"] = numbers
    definition["option"] = [
        msgspec.to_builtins(rule) for rule in ruleset.house_rules if rule not in shipped
    ]
    for key, value in ruleset.values.items():
        if key in by_number or value != root.get(key):
            definition.setdefault(POLICIES[key].section, {})[key] = value
    return definition


def ruleset_of(hand: Hand) -> Ruleset:
    """Return the ruleset of a hand. Raises ``RulesetError`` with a JSON pointer into the hand."""
    ruleset = resolved(hand.rules)
    if problem := seats_problem(ruleset, len(hand.players)):
        raise RulesetError(hand.id, "/players", problem)
    return ruleset


def seats_problem(ruleset: Ruleset, seats: int) -> str | None:
    """Return why so many players cannot sit down to a game; ``None`` when they can."""
    if seats not in ruleset.values["players"]:
        allowed = ", ".join(str(count) for count in ruleset.values["players"])
        return f"holds {seats} players; {ruleset.title} takes {allowed}"
    return relevance.partnership_problem(ruleset.values, seats)


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Values by key, of at most ``limit`` bytes together; those asked for longest ago go first.

    The caller says how large each value is, its key included. A value larger than ``limit`` is not
    kept. May be used by several threads.
    """

    def __init__(self, limit: int) -> None:
        """Start with nothing."""
        self.limit = limit
        self.size = 0
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return the value of a key, ``None`` when there is none."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep a value of ``size`` bytes, in the place of one that the key had before."""
        with self._lock:
            _, before = self._values.pop(key, (None, 0))
            self.size += size - before
            self._values[key] = value, size
            while self.size > self.limit:
                _, (_, gone) = self._values.popitem(last=False)
                self.size -= gone

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
            self.size = 0


_resolved: Final = BoundedCache[bytes, "Ruleset"](KEPT)


def resolved(reference: RulesRef) -> Ruleset:
    """Return the ruleset a log refers to, mostly the same one each time, as ``resolve`` does."""
    text = msgspec.json.encode(reference, order="deterministic")
    ruleset = _resolved.get(text)
    if ruleset is None:
        # The canonical form, so that nothing depends on the order of keys in the log.
        ruleset = resolve(msgspec.json.decode(text, type=RulesRef))
        _resolved.keep(text, ruleset, size_of(text))
    return ruleset


def size_of(text: bytes) -> int:
    """Return how many bytes the rules written as ``text`` may take in memory, once resolved."""
    return _SETTLED_SIZE + _PARSED * len(text)


def resolve(reference: RulesRef) -> Ruleset:
    """Return the ruleset a log refers to. Raises ``RulesetError`` with a pointer into the log."""
    if reference.definition is not UNSET:
        data, source = dict(reference.definition), "/rules/definition"
        data.setdefault("id", reference.variant)
    elif reference.variant in variants():
        data, source = {"extends": reference.variant}, OPTIONS
    else:
        near = did_you_mean(reference.variant, variants())
        raise wrong("/rules", ("variant",), f"is {reference.variant!r}{near}, {_known()}")
    overlay = {} if reference.options is UNSET else dict(reference.options)
    ruleset = _resolve(data, source, overlay)
    if reference.version is not UNSET and reference.version != ruleset.version:
        message = f"is {reference.version}, but {ruleset.id} is at version {ruleset.version}"
        raise wrong("/rules", ("version",), message)
    return ruleset


def _known() -> str:
    return f"known are {', '.join(variants())}"


def _resolve(
    data: Mapping[str, Any],
    source: str,
    overlay: Mapping[str, Any],
    *,
    files: Sequence[Path] = (),
    shipped: bool = False,
) -> Ruleset:
    """Return the ruleset of the content of a file; ``files`` are those being read, it the last."""
    base = _base(data, source, files)
    # A user's file may leave all but extends out.
    fallback = {name: getattr(base, name) for name in _NAMES} if base else _NAMES
    head = rules_file.head_of(data, source, fallback)
    rows = rules_file.option_rows(data, source)
    near = (*rows, *(base.near if base else ()))
    options = {key: value for key, value in overlay.items() if key != "house_rules"}
    of_file = [(False, rule) for rule in _named_rules(data, source, near)]
    of_options = [(True, rule) for rule in _named_rules(overlay, OPTIONS, near)]
    written = Written(
        source=source,
        before=base.values if base else COMMON if shipped else ADDED,
        own=rules_file.own_values(data, source),
        options=rules_file.options_of(options),
        named=(*of_file, *of_options),
    )
    values = settled(written)
    refuse_contradiction(written)
    if not shipped:
        refuse_pointless(written, extends=base is not None)
    # A file that cites rules of its own is another game, to which these need not apply.
    inherited = base.house_rules if base and not rules_file.is_game_of_its_own(data) else ()
    topics = {**(base.topics if base else {}), **rules_file.own_topics(data, source)}
    house_rules = _each_once((*rows, *(rule for _, rule in written.named), *inherited))
    inherits = source == OPTIONS or data.get("extends") not in variants()
    # The options of a log change a game by values that stand beside its name.
    changed = base is not None and source != OPTIONS and values != base.values
    return Ruleset(
        **{**head, **(_names_of_changed(base, data) if base and changed else {})},
        extends=base.extends if base and inherits else data.get("extends", ""),
        values=values,
        options=written.laid(by_options=True),
        topics=topics,
        cites=_cites(data, written, house_rules, topics, base),
        house_rules=house_rules,
        hash=rules_hash(head["id"], head["version"], values),
        near=near,
        numbers=(*(base.numbers if base else ()), *(rule.cite for _, rule in written.named)),
    )


def rules_hash(name: str, version: int, values: Mapping[str, Any]) -> str:
    """Return the hash of rules: 16 hex digits over id, version and policies.

    A question that was added later counts only where it is answered in another way than before.
    """
    counted = {key: value for key, value in values.items() if ADDED.get(key) != value}
    text = msgspec.json.encode([name, version, counted], order="deterministic")
    return hashlib.sha256(text).hexdigest()[:16]


def _cites(
    data: Mapping[str, Any],
    written: Written,
    house_rules: Sequence[HouseRule],
    topics: Mapping[str, str],
    base: Ruleset | None,
) -> dict[str, str]:
    cites = {**(base.cites if base else {}), **rules_file.own_cites(data, written.source, topics)}
    stated = {} if rules_file.is_game_of_its_own(data) else written.own
    values = written.values()
    by_number = [key for _, rule in written.named for key in rule.values]
    for key in dict.fromkeys((*by_number, *stated, *written.options)):
        rules = [rule for rule in house_rules if key in rule.values and rule.holds(values)]
        # The rule that leaves least open says most about the value.
        holding = [rule.cite for rule in sorted(rules, key=lambda rule: len(rule.choices(key)))]
        cites[key] = " ".join(dict.fromkeys([*holding, *cites.get(key, "").split()]))
    # Every finding repeats them.
    return {key: cite[:MAX_CITE] for key, cite in cites.items()}


def _base(data: Mapping[str, Any], source: str, files: Sequence[Path]) -> Ruleset | None:
    """Return what rules build on, if they name it: a variant, or a file beside their own."""
    parent = data.get("extends")
    if parent is None:
        return None
    if isinstance(parent, str) and parent in variants():
        return load_variant(parent)
    if not isinstance(parent, str) or not parent.endswith(".toml"):
        message = f"is {parent!r}{did_you_mean(parent, variants())}, {_known()}"
        raise wrong(source, ("extends",), message)
    if not files:
        message = f"is {parent!r}, a file, which nobody can read from here: write what it says"
        raise wrong(source, ("extends",), message)
    path = files[-1].parent / parent
    if any(path.resolve() == each.resolve() for each in files):
        raise wrong(source, ("extends",), f"is {parent!r}, which extends this file in turn")
    try:
        return _load_file(path, files)
    except OSError as error:
        message = f"is {parent!r}, which cannot be read: {error.strerror}"
        raise wrong(source, ("extends",), message) from None


def _names_of_changed(base: Ruleset, data: Mapping[str, Any]) -> dict[str, str]:
    title = base.title if base.title.endswith(CHANGED) else f"{base.title} {CHANGED}"
    return {key: data.get(key, other) for key, other in (("title", title), ("summary", ""))}


def _named_rules(
    data: Mapping[str, Any], source: str, near: Sequence[HouseRule]
) -> list[HouseRule]:
    numbers = rules_file.numbers_of(data, source)
    try:
        return [rules_file.find(number, near, _every_house_rule) for number in numbers]
    except rules_file.HouseRulesError as error:
        raise wrong(source, ("house_rules",), str(error)) from None


def _every_house_rule() -> list[tuple[str, HouseRule]]:
    """Return the house rules of all variants, each with the id of its variant."""
    return [(name, rule) for name in variants() for rule in load_variant(name).house_rules]


def _each_once(rules: Sequence[HouseRule]) -> tuple[HouseRule, ...]:
    first: dict[str, HouseRule] = {}
    for rule in rules:
        first.setdefault(rule.cite, rule)
    return tuple(first.values())


def make_rules(values: Mapping[str, Any], seats: int) -> Rules:
    """Return the engine's record for policy values and a number of seats."""
    rules = Rules(seats=seats)
    for key, policy in POLICIES.items():
        if isinstance(getattr(rules, key, None), int):
            value = values[key]
            setattr(rules, key, int(policy.member(value) if isinstance(policy, Choice) else value))
    rules.step = 1 if values["direction"] == "clockwise" else seats - 1
    against = values["call_direction"] == "against-play"
    rules.call_step = seats - rules.step if against else rules.step
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
    order = values["ranks"]
    worth = values["points"]
    ranks = [RANKS.index(rank) for rank in order]
    pack = [suit * 13 + rank for suit in range(4) for rank in ranks]
    rules.pack = sum(1 << card for card in pack) | (1 << JOKER if values["joker"] else 0)
    rules.pack_size = rules.pack.bit_count()
    every_suit = values["points_in"] == "every-suit"
    off_cards = {rank: kind for kind, rank in OFF_CARDS.items() if values[kind]}
    for trump in range(TRUMPS):
        for card in pack:
            suit, rank = divmod(card, 13)
            strength = 2 * (len(order) - order.index(RANKS[rank]))
            points = worth.get(RANKS[rank], 0) if every_suit or suit == trump else 0
            if RANKS[rank] in off_cards and suit == 3 - trump:
                suit, strength, points = trump, strength - 1, worth.get(off_cards[RANKS[rank]], 0)
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
    suit, rank = (3 - trump, OFF_CARDS[kind]) if kind in OFF_CARDS else (trump, kind)
    return suit * 13 + RANKS.index(rank)


# --- Rules as somebody wrote them


Named: TypeAlias = tuple[bool, HouseRule]
"""A house rule by number, and whether the options of a log name it and not a file."""


@dataclass(frozen=True, slots=True)
class Written:
    """Rules as somebody wrote them, on the way to be resolved.

    ``before`` are the values of what they extend, ``own`` those they set, ``options`` those of a
    log on top. ``named`` are the house rules by number, each with whether the options name it.
    """

    source: str
    before: Mapping[str, Any]
    own: Mapping[str, Any]
    options: Mapping[str, Any]
    named: tuple[Named, ...]

    def values(self, named: Sequence[Named] | None = None) -> dict[str, Any]:
        """Return the value of every policy that anything sets, with only some house rules."""
        laid = [self.laid(named, by_options=by_options) for by_options in (False, True)]
        return {**self.before, **laid[0], **laid[1]}

    def laid(self, named: Sequence[Named] | None = None, *, by_options: bool) -> dict[str, Any]:
        """Return what the file, or the options of a log on top of it, set by value and number."""
        own = self.options if by_options else self.own
        named = self.named if named is None else named
        return {**together([rule for source, rule in named if source == by_options], own), **own}

    def refuse(self, named: Sequence[Named], message: str) -> RulesetError:
        """Return the error of house rules that cannot hold, at the place that names them."""
        numbers = " and ".join(dict.fromkeys(rule.cite for _, rule in named))
        place = OPTIONS if named[-1][0] else self.source
        return wrong(place, ("house_rules",), f"names {numbers}, which {message}")


def settled(written: Written) -> dict[str, Any]:
    """Return the value of every policy. Raises ``RulesetError`` when one is set twice or never."""
    for by_options, place in enumerate((written.source, OPTIONS)):
        try:
            written.laid(by_options=bool(by_options))
        except rules_file.HouseRulesError as error:
            raise wrong(place, ("house_rules",), str(error)) from None
    values = written.values()
    missing = [key for key in POLICIES if key not in values]
    if missing:
        message = "is not set, and nothing is extended that sets it"
        raise wrong(written.source, missing[:1], message)
    return values


def refuse_contradiction(written: Written) -> None:
    """Raise ``RulesetError`` when policies cannot stand together; name what brought it about."""
    found = relevance.contradiction(written.values())
    if found is None:
        return
    key, reason = found
    if key in written.options:
        raise wrong(OPTIONS, (key,), reason)
    guilty = _guilty(written, relevance.contradiction)
    fit = "do not go together" if len(guilty) > 1 else "does not fit the other rules"
    if not guilty and relevance.contradiction(written.values([])) != found:
        guilty = [each for each in written.named if key in each[1].values] or list(written.named)
        fit = "do not fit the other rules"
    if guilty:
        raise written.refuse(guilty, f"{fit}: {key} {reason}")
    if written.source.startswith("/"):
        raise wrong(written.source, (), f"{key} {reason}")
    raise wrong(written.source, (key,), reason)


def _guilty(
    written: Written, check: Callable[[Mapping[str, Any]], tuple[str, str] | None]
) -> list[Named]:
    """Return the house rules without any one of which what is found would not be."""
    found = check(written.values())

    def is_guilty(one: Named) -> bool:
        return check(written.values([each for each in written.named if each != one])) != found

    return [*filter(is_guilty, written.named)]


def refuse_pointless(written: Written, *, extends: bool) -> None:
    """Raise ``RulesetError`` for rules that would come to nothing.

    House rules by number must have an effect wherever they are named. The values of a log are what
    somebody played by, so only those of a file must.
    """
    values = written.values()
    beside = {*written.own, *written.options}
    for each in written.named if extends else ():
        reason = relevance.pointless(each[1], values, written.before, beside)
        if reason:
            raise written.refuse([each], f"has no effect here: {reason}")
    found = relevance.out_of_reach(values)
    of_base = relevance.out_of_reach(written.before) if extends else None
    guilty = _guilty(written, relevance.out_of_reach) if found else []
    if found and guilty:
        raise written.refuse(guilty, f"cannot be in this game: {found[0]} {found[1]}")
    if written.source.startswith("/"):
        return
    if found and found != of_base:
        raise wrong(written.source, found[:1], found[1])
    for key in written.own if extends else ():
        unchanged = values[key] == written.before[key]
        reason = None if unchanged else relevance.idle_reason(key, values, written.before)
        if reason:
            raise wrong(written.source, (key,), f"has no effect: {reason}")
