"""The facts of hands counted once more, in plain Python from their replays.

What each figure means is in ``ingest/facts/views.sql``; nothing of the SQL there is used.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from msgspec import UNSET

from tricklog import Capture, Outcome, Replay, Trick, Verb
from tricklog.core.engine.policies import AllPass
from tricklog.schemas.cards import CARD_NAMES, SUITS

Row = dict[str, Any]
TRUMPS = ("S", "H", "D", "C", "NT", "NT", "S", "H", "D", "C", "seventh")
COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}
STRENGTH = "23456789TJQKA"


# --- What a card is
class Pack:
    """What the cards of a game are under one trump suit, ``None`` without trumps."""

    def __init__(self, item: Replay, suit: str | None) -> None:
        self.values = item.ruleset.values
        self.suit = suit

    def off_role(self, card: str) -> str:
        """Return which trump of the other suit of the colour a card is; empty for any other."""
        if self.suit is None or card[1] != COLOUR[self.suit]:
            return ""
        kind = {"5": "off_five", "J": "off_jack"}.get(card[0], "")
        return kind if kind and self.values[kind] else ""

    def is_off_five(self, card: str) -> bool:
        return self.off_role(card) == "off_five"

    def is_trump(self, card: str) -> bool:
        if self.suit is None:
            return False
        if card == "JO":
            return bool(self.values["joker"])
        if card[0] not in str(self.values["ranks"]):
            return False
        return card[1] == self.suit or bool(self.off_role(card))

    def points(self, card: str) -> int:
        if self.values["points_in"] == "trumps" and not self.is_trump(card):
            return 0
        if off_role := self.off_role(card):
            return int(self.values["points"].get(off_role, 0))
        key = "joker" if card == "JO" else card[0]
        if key == "T" and self.values["game_point"] == "count":
            return 0
        return int(self.values["points"].get(key, 0))

    def is_pedro(self, card: str) -> bool:
        five = card[0] == "5" and self.is_trump(card)
        return five and self.points(card) > 0

    def pedros(self) -> int:
        return sum(self.is_pedro(card) for card in CARD_NAMES)

    def is_above_pedro(self, card: str) -> bool:
        return self.is_trump(card) and card != "JO" and STRENGTH.index(card[0]) > 3

    def height(self, card: str) -> int:
        """Return the place of a trump among all, the lowest first, which is the joker."""
        if card == "JO":
            return -1
        ranks = str(self.values["ranks"])[::-1]
        return 2 * ranks.index(card[0]) - bool(self.off_role(card))

    def role(self, card: str) -> str:
        if card == "JO":
            return "joker"
        return self.off_role(card).replace("_", " ") or card[0]


def suit_of(outcome: Outcome | None) -> str | None:
    if outcome is None or outcome.trump is None:
        return None
    name = TRUMPS[outcome.trump]
    return name if name in COLOUR else None


# --- The day
def evening_of(item: Replay) -> date | None:
    """Return the day on which the evening of a hand began: six hours after midnight are of it."""
    if item.hand.started_at is UNSET:
        return None
    day = (datetime.fromisoformat(item.hand.started_at) - timedelta(hours=6)).date()
    is_zero = date(1969, 12, 30) <= day <= date(1970, 1, 3)
    return None if is_zero or not 1901 <= day.year < 2100 else day


def company_of(item: Replay) -> tuple[str, ...]:
    return tuple(sorted(player.id for player in item.hand.players))


def in_games(items: Iterable[Replay]) -> Iterator[Row]:
    """Return the rows of ``seat_rows``, those of each game with the day on which it began."""
    items = list(items)
    began: dict[str, date] = {}
    # The hands of a game come in the order of their numbers, and then of their times.
    for item in sorted(
        items, key=lambda each: (each.hand.hand or 1_000_000, str(each.hand.started_at or ""))
    ):
        game, day = item.hand.game or "", evening_of(item)
        if game and day:
            began.setdefault(game, day)
    for item in items:
        day = began.get(item.hand.game or "", evening_of(item))
        for row in seat_rows(item):
            yield row | {"day": day, "table": day and (day, company_of(item))}


# --- The seats of a hand
def seat_rows(item: Replay) -> Iterator[Row]:
    hand, outcome = item.hand, item.outcome
    sides = [item.ruleset.side_of(seat) for seat in range(len(hand.players))]
    seen: set[int] = set()
    day = evening_of(item)
    shared = {
        "hand_id": hand.id,
        "verdict": item.verdict.value,
        "family": item.ruleset.family,
        "variant": item.ruleset.id,
        "ruleset": item.ruleset.hash,
        "seating": f"{len(sides)} {'singles' if len(set(sides)) == len(sides) else 'partners'}",
        "day": day,
        "table": day and (day, company_of(item)),
        "game": hand.game or None,
        "hand": hand.hand or None,
        "dealer_id": hand.players[hand.dealt_by].id,
        **of_contract(outcome),
        "trick_count": len(item.tricks) if outcome else 0,
        "in_play": sum(outcome.points) if outcome else None,
        "maker_points": None,
        "pack_points": item.ruleset.total_points,
        "available": item.ruleset.total_points,
    }
    if outcome and outcome.maker is not None:
        shared["maker_points"] = outcome.points[sides[outcome.maker]]
    if item.ruleset.values["made"] == "game-point":
        shared["available"] = outcome.stake if outcome else None
    for seat, player in enumerate(hand.players):
        own = sides[seat]
        others = [each.id for place, each in enumerate(hand.players) if sides[place] != own]
        yield shared | {
            "seat": seat,
            "side_no": own,
            "player": player.id,
            "kind": player.kind or None,
            "partners": [
                each.id
                for place, each in enumerate(hand.players)
                if sides[place] == own and place != seat
            ],
            "opponents": others,
            "first_of_hand": seat == 0,
            "first_of_side": own not in seen,
            "from_dealer": places_after(item, hand.dealt_by, seat),
            **of_maker(item, sides, seat),
            "lead_before": lead(hand.scores, own, len(set(sides))),
            "lead_after": lead(outcome.scores if outcome else None, own, len(set(sides))),
            "side_points": outcome.points[own] if outcome else None,
            "side_change": outcome.change[own] if outcome else None,
            "own_points": sum(
                capture.points for capture in item.captures if outcome and capture.by_seat == seat
            ),
            "faults": sum(finding.seat == seat for finding in item.findings),
            **held_at_call(item, seat),
            **calls_of(item, seat),
            **declared_by(item, seat),
            **play_of(item, sides, seat),
        }
        seen.add(own)


def of_contract(outcome: Outcome | None) -> Row:
    names = ("result", "bid", "need", "forced", "no_contract", "stake")
    row: Row = {name: getattr(outcome, name, None) for name in names}
    if outcome is None:
        return row | {"alone": None, "suit": None}
    suit = None if outcome.trump is None or outcome.trump < 0 else TRUMPS[outcome.trump]
    return row | {"alone": outcome.alone is not None, "suit": suit}


def places_after(item: Replay, first: int, seat: int) -> int:
    """How many places a seat comes after another, as play goes round."""
    seats = len(item.hand.players)
    step = 1 if item.ruleset.values["direction"] == "clockwise" else -1
    return next(places for places in range(seats) if (first + step * places) % seats == seat)


def of_maker(item: Replay, sides: list[int], seat: int) -> Row:
    maker = item.outcome.maker if item.outcome else None
    if maker is None:
        return {"side": None, "role": None, "from_maker": None}
    with_maker = sides[seat] == sides[maker]
    role = "maker" if seat == maker else "partner" if with_maker else "defender"
    return {
        "side": "makers" if with_maker else "defenders",
        "role": role,
        "from_maker": places_after(item, maker, seat),
    }


def lead(scores: Any, own: int, sides: int) -> int | None:  # noqa: ANN401 - as recorded
    if scores is None or scores is UNSET or len(scores) != sides:
        return None
    return int(scores[own] - max(score for side, score in enumerate(scores) if side != own))


def held_at_call(item: Replay, seat: int) -> Row:
    """Trumps among the cards the player had when they called, and their points."""
    held = trumps_at_call(item, seat)
    if held is None:
        return {"trumps_held": None, "points_held": None}
    pack, trumps = held
    return {"trumps_held": len(trumps), "points_held": sum(map(pack.points, trumps))}


def ranks_held(item: Replay, seat: int) -> list[str] | None:
    """Ranks of these trumps, the highest first."""
    held = trumps_at_call(item, seat)
    if held is None:
        return None
    pack, trumps = held
    in_order = (*"AKQJ", "off jack", *"T98765", "off five", *"432", "joker")
    return [name for name in in_order if name in {pack.role(card) for card in trumps}]


def trumps_at_call(item: Replay, seat: int) -> tuple[Pack, set[str]] | None:
    """Return the trumps the player held, of the suit they named or, first of equals, their best."""
    if item.hand.deal is UNSET:
        return None
    cards = item.hand.deal[seat].split(" ")[: item.rules.packet]
    if len(cards) < item.rules.packet or {"?", "*", ""} & set(cards):
        return None
    outcome = item.outcome
    named = suit_of(outcome) if outcome and outcome.maker == seat else None
    packs = [Pack(item, suit) for suit in ([named] if named else SUITS)]
    held = [(pack, {card for card in cards if pack.is_trump(card)}) for pack in packs]
    return max(held, key=lambda each: (len(each[1]), sum(map(each[0].points, each[1]))))


def calls_of(item: Replay, seat: int) -> Row:
    """Calls of the player, but for a bid that the passes of all others forced from them."""
    counted = [
        call.verb != Verb.PASS
        for call, forced in zip(item.calls, forced_calls(item), strict=True)
        if call.seat == seat and not forced
    ]
    return {"turns": len(counted), "bids": sum(counted)}


def forced_calls(item: Replay) -> list[bool]:
    """Return of each call whether it is a bid that was forced, by the passes of all others or not.

    Where the first speaker has to bid, all have passed before, the first speaker among them, or
    nobody has spoken.
    """
    found = []
    passed: set[int] = set()
    seats = set(range(len(item.hand.players)))
    opened = False
    for call in item.calls:
        passers = {
            AllPass.DEALER_FORCED: seats - {call.seat},
            AllPass.DEALER_AT_LEAST: seats - {call.seat},
            AllPass.FIRST_FORCED: seats,
            AllPass.FIRST_OPENS: set(),
        }.get(AllPass(item.rules.all_pass))
        is_pass = call.verb == Verb.PASS
        due = not opened and passers is not None and passed >= passers
        found.append(due and not is_pass)
        if is_pass:
            passed.add(call.seat)
        else:
            opened = True
    return found


def call_rows(item: Replay) -> Iterator[Row]:
    """Return a row for each call, told by the text of its action and the calls before it."""
    sides = [item.ruleset.side_of(seat) for seat in range(len(item.hand.players))]
    said: list[tuple[int, str, int]] = []
    standing: tuple[int, str, int] | None = None
    too_low = {each.action for each in item.findings if each.code == "bid-not-higher"}
    for number, call in enumerate(item.calls, 1):
        words = item.hand.actions[call.action].split(" ")
        seat, verb = int(words[0]), words[1]
        if verb == "bid":
            amount = amount_named(words[2])
        else:
            amount = standing[2] if verb == "ditto" and standing else 0
        partners = [each for each in said if sides[each[0]] == sides[seat] and each[0] != seat]
        opponents = [each for each in said if sides[each[0]] != sides[seat]]
        own = held_at_call(item, seat)
        yield {
            "hand_id": item.hand.id,
            "call": number,
            "seat": seat,
            "verb": verb,
            "amount": amount,
            "bid_name": name_of_amount(amount) if amount else None,
            "standing": standing and standing[2],
            "standing_of": "none" if standing is None else seen_from(seat, standing[0], sides),
            "partners_best": best_bid(partners),
            "partner_passed": any(verb == "pass" for _, verb, _ in partners),
            "opponents_best": best_bid(opponents),
            **own,
            "ranks_held": ranks_held(item, seat),
            "lead_before": lead(item.hand.scores, sides[seat], len(set(sides))),
        }
        said.append((seat, verb, amount))
        if verb in ("bid", "ditto") and call.action not in too_low:
            standing = said[-1]


def amount_named(word: str) -> int:
    """Return the number of a bid: 28-56 comes after all plain ones, a doubled one as much later."""
    if word == "28-56":
        return 1001
    return 2000 + int(word.removesuffix("-double")) if word.endswith("-double") else int(word)


def name_of_amount(amount: int) -> str:
    if amount == 1001:
        return "28-56"
    return f"{amount - 2000}-double" if amount > 2000 else str(amount)


def best_bid(said: list[tuple[int, str, int]]) -> int | None:
    return max((amount for _, verb, amount in said if verb != "pass"), default=None)


def declared_by(item: Replay, seat: int) -> Row:
    done = Counter(action.verb for action in item.actions[: item.played] if action.seat == seat)
    return {
        "asks": done[Verb.ASK],
        "reveals": done[Verb.REVEAL],
        "pairs": done[Verb.PAIR],
        "doubles": done[Verb.DOUBLE] + done[Verb.REDOUBLE] + done[Verb.SUPER],
    }


# --- Play
def named_plays(trick: Trick) -> list[tuple[int, str]]:
    return [(seat, CARD_NAMES[card] if card >= 0 else "") for seat, card in trick.plays]


def play_of(item: Replay, sides: list[int], seat: int) -> Row:
    names = ("leads", "trump_leads", "point_leads", "leads_won", "tricks_won", "point_tricks_won")
    found: Row = dict.fromkeys((*names, "trumps_drawn", "cinch_chances", "cinches"), 0)
    if item.outcome is None:
        return found
    pack = Pack(item, suit_of(item.outcome))
    for trick in item.tricks:
        cards = named_plays(trick)
        led = cards[0][1]
        if trick.winner == seat:
            found["tricks_won"] += 1
            found["point_tricks_won"] += trick.points > 0
        if trick.leader == seat:
            found["leads"] += 1
            won = trick.winner is not None and sides[trick.winner] == sides[seat]
            found["leads_won"] += won
            if led:
                found["point_leads"] += pack.points(led) > 0
            if led and pack.is_trump(led):
                found["trump_leads"] += 1
                found["trumps_drawn"] += sum(
                    card != "" and pack.is_trump(card)
                    for other, card in cards
                    if sides[other] != sides[seat]
                )
        if third_could_cinch(item, sides, trick, seat, pack):
            found["cinch_chances"] += 1
            found["cinches"] += pack.is_above_pedro(cards[2][1])
    return found


def third_could_cinch(item: Replay, sides: list[int], trick: Trick, seat: int, pack: Pack) -> bool:
    cards = named_plays(trick)
    if len(cards) != 4 or cards[2][0] != seat or sides[cards[3][0]] == sides[seat]:
        return False
    if len(set(sides)) == len(sides) or "" in {card for _, card in cards[:2]}:
        return False
    if any(pack.is_above_pedro(card) for _, card in cards[:2]):
        return False
    earlier = [card for each in item.tricks[: trick.number - 1] for _, card in named_plays(each)]
    own = [
        card
        for each in item.tricks[trick.number - 1 :]
        for player, card in named_plays(each)
        if player == seat and card
    ]
    out = {card for card in [*earlier, cards[0][1], cards[1][1], *own] if card}
    fives_left = pack.pedros() - sum(pack.is_pedro(card) for card in out)
    # What they held in earlier tricks is among those played there.
    return fives_left > 0 and any(pack.is_above_pedro(card) for card in own)


# --- Cards
def card_rows(item: Replay) -> Iterator[Row]:
    """Return a row for each point card of a hand that came to its end."""
    outcome = item.outcome
    if outcome is None:
        return
    sides = [item.ruleset.side_of(seat) for seat in range(len(item.hand.players))]
    pack = Pack(item, suit_of(outcome))
    for capture in item.captures:
        own = sides[capture.from_seat]
        leaders = (trick.leader for trick in item.tricks if trick.number == capture.trick)
        leader = next(leaders, None)
        yield {
            "hand_id": item.hand.id,
            "seat": capture.from_seat,
            "point_card": pack.role(CARD_NAMES[capture.card]),
            "card_points": capture.points,
            "trick": 0 if leader is None else capture.trick,
            "kept": capture.side == own,
            "to_makers": (None if outcome.maker is None else capture.side == sides[outcome.maker]),
            "taker": item.hand.players[capture.by_seat].id,
            "place": place_of(item, capture),
            "under_trump": is_under_trump(item, pack, capture),
            "won_by": seen_from(capture.from_seat, capture.by_seat, sides),
            "led_by": (None if leader is None else seen_from(capture.from_seat, leader, sides)),
            "held_at": seen_from_maker(item, capture.from_seat),
            "led_at": None if leader is None else seen_from_maker(item, leader),
            "taken_at": seen_from_maker(item, capture.by_seat),
        }


def seen_from_maker(item: Replay, seat: int) -> str | None:
    """Return what a seat is called from the maker's chair, walking round the table one by one."""
    assert item.outcome is not None
    maker = item.outcome.maker
    if maker is None:
        return None
    if seat == maker:
        return "maker"
    if len(item.hand.players) == 4 and len({item.ruleset.side_of(each) for each in range(4)}) == 2:
        return {1: "left", 2: "partner", 3: "right"}[(seat - maker) % 4]
    return f"{places_after(item, maker, seat)} after"


def cards_of_trick(item: Replay, capture: Capture) -> list[str]:
    """Return the cards of the trick that took a card, in the order played."""
    tricks = (trick for trick in item.tricks if trick.number == capture.trick)
    return [card for trick in tricks for _, card in named_plays(trick)]


def place_of(item: Replay, capture: Capture) -> int:
    cards = cards_of_trick(item, capture)
    name = CARD_NAMES[capture.card]
    return cards.index(name) + 1 if name in cards else 0


def is_under_trump(item: Replay, pack: Pack, capture: Capture) -> bool:
    """Return whether a trump that ranks higher came to the trick before a trump.

    The rank of a trump is that of the game's list, the off five comes right under the five. Trumps
    that are secret count from the trick in which they are shown.
    """
    place, card = place_of(item, capture), CARD_NAMES[capture.card]
    if not place or not pack.is_trump(card):
        return False
    if pack.values["trump_call"] == "secret":
        shown = item.workspace.state.reveal_trick
        if not shown or capture.trick < shown:
            return False
    before = cards_of_trick(item, capture)[: place - 1]
    return any(pack.is_trump(other) and pack.height(other) > pack.height(card) for other in before)


def seen_from(seat: int, other: int, sides: list[int]) -> str:
    if seat == other:
        return "own"
    return "partner" if sides[seat] == sides[other] else "opponents"


# --- Games
_OF_GAME = (
    *("game", "family", "variant", "ruleset", "seating", "day", "table", "seat", "side_no"),
    *("player", "partners", "opponents", "kind", "first_of_side", "lead_after"),
)
"""What a row of a game has of the rows of its last hand."""


def game_rows(items: list[Replay]) -> Iterator[Row]:
    """Return a row for each player of a game, if it is complete."""
    items = sorted(items, key=lambda item: item.hand.hand or 0)
    numbers = [item.hand.hand for item in items]
    last = items[-1]
    if numbers != list(range(1, len(items) + 1)) or last.outcome is None:
        return
    if last.outcome.winner_side is None:
        return
    by_hand: dict[str, dict[int, Row]] = {}
    for row in in_games(items):
        by_hand.setdefault(row["hand_id"], {})[row["seat"]] = row
    rows = list(by_hand.values())
    for seat, row in rows[-1].items():
        if len({each[seat]["player"] for each in rows}) > 1:
            continue
        leads = [each[seat]["lead_after"] for each in rows]
        yield {
            **{name: row[name] for name in _OF_GAME},
            "verdict": (
                "valid" if {each[seat]["verdict"] for each in rows} == {"valid"} else "irregular"
            ),
            "first_of_game": seat == 0,
            "hands": len(items),
            "won": last.ruleset.side_of(seat) == last.outcome.winner_side,
            "worst_lead": None if None in leads else min(leads),
            "target": last.ruleset.values["target"],
        }
