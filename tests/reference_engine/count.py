"""The count: points by side, whether the contract was made, what is added to the scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference_engine.game import JOKER, Game
from tests.reference_engine.table import SPECIAL, Table

GAME_COUNT = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}


@dataclass(frozen=True)
class Count:
    """How a hand came out; one entry per side."""

    result: str
    points: list[int]
    change: list[int]
    winners: list[int]
    """The seat that won each trick."""


def count(table: Table) -> Count:
    """Return how a hand came out that has been played to its end."""
    game = table.game
    winners = [trick.winner for trick in table.tricks]
    if table.thrown_in or table.maker < 0:
        nothing = [0] * game.sides
        return Count("thrown_in", nothing, nothing, winners)
    points = points_taken(table)
    if table.alone >= 0:
        return _alone(table, points, winners)
    if game.secret and not table.shown and game.has("unshown", "void"):
        return Count("void", points, [0] * game.sides, winners)
    made = points[game.side(table.maker)] >= points_needed(table)
    change = change_of(table, points, made=made)
    return Count("made" if made else "set", points, change, winners)


def points_taken(table: Table) -> list[int]:
    """Return the card points of each side."""
    game = table.game
    points = [0] * game.sides
    for card, side in takers(table).items():
        points[side] += worth(table, card)
    _, low = stand_ins(table)
    if low and game.has("low_to", "holder"):
        holder = next(seat for seat, hand in enumerate(table.at_play) if low in hand)
        points[game.side(holder)] += game.worth.get("2", 0)
    if table.over():
        if table.tricks:
            points[game.side(table.tricks[-1].winner)] += game.values["last_trick_points"]
        _add_game(table, points)
    return points


def takers(table: Table) -> dict[str, int]:
    """Return the side that scores each card."""
    game = table.game
    sides = {}
    two = game.two(table.trump)
    two_holder = next((seat for seat, hand in enumerate(table.at_play) if two in hand), -1)
    for trick in table.tricks:
        for seat, card in trick.cards:
            taker = trick.winner
            if card == two and game.has("low_to", "holder"):
                taker = two_holder
            elif card == two and game.has("low_to", "player"):
                taker = seat
            sides[card] = game.side(taker)
    for seat in table.seats:
        for card in table.discards[seat]:
            side = _side_of_discard(table, seat, card)
            if side >= 0:
                sides[card] = side
    return sides


def stand_ins(table: Table) -> tuple[str, str]:
    """Return the trumps that stand in for a missing ace and a missing two, "" for none."""
    game, trump = table.game, table.trump
    in_play = game.trumps({card for hand in table.at_play for card in hand}, trump)
    if not in_play or not game.has("high_low", "in-play"):
        return "", ""
    order = sorted(in_play, key=lambda each: game.height(each, trump))
    high = "" if "A" + trump in in_play else order[-1]
    return high, "" if "2" + trump in in_play else order[0]


def worth(table: Table, card: str) -> int:
    """Return the points of a card, and those of a missing ace or two that it stands in for."""
    game = table.game
    high, low = stand_ins(table)
    points = game.points(card, table.trump)
    if card == high:
        points += game.worth.get("A", 0)
    if card == low and game.has("low_to", "winner"):
        points += game.worth.get("2", 0)
    return points


def _side_of_discard(table: Table, seat: int, card: str) -> int:
    """Return who scores a card that was laid off before play, -1 for nobody."""
    game = table.game
    if not game.is_trump(card, table.trump):
        return -1
    if game.has("high_low", "in-play") and card[0] in "A2":
        # The highest and the lowest trump that are played have the points of these.
        return -1
    own, makers = game.side(seat), game.side(table.maker)
    stays = game.has("surplus", "discard-then-bury") and not game.has("low_to", "winner")
    if card == game.two(table.trump) and stays:
        return own
    if game.has("discarded_points", "opponents"):
        return 1 - own if game.partners else -1
    if game.has("discarded_points", "makers") and own != makers:
        return makers
    return -1


def _add_game(table: Table, points: list[int]) -> None:
    """Game as a count: one point for the side with more, by what its cards count."""
    if not table.game.has("game_point", "count"):
        return
    counted = [0] * table.game.sides
    for trick in table.tricks:
        of_ranks = (GAME_COUNT.get(card[0], 0) for _, card in trick.cards if card != JOKER)
        counted[table.game.side(trick.winner)] += sum(of_ranks)
    best = max(counted)
    if counted.count(best) == 1:
        points[counted.index(best)] += 1


def points_needed(table: Table) -> int:
    """Return what the makers have to take."""
    game = table.game
    if table.no_contract:
        return 0
    if table.standing == SPECIAL:
        doubled = game.has("special_bid", "double")
        return int(game.values["max_bid"]) if doubled else game.all_points()
    if table.pair_side < 0:
        return table.standing
    shift = game.values["pair_shift"]
    if table.pair_side == game.side(table.maker):
        if table.standing < game.values["pair_from"]:
            return table.standing
        return int(max(min(table.standing, game.values["min_bid"]), table.standing - shift))
    return int(min(max(table.standing, game.values["pair_cap"]), table.standing + shift))


def stake_of(table: Table, points: Sequence[int], *, made: bool) -> int:
    """Return the game points a contract is worth."""
    game = table.game
    auto = game.values["auto_double"]
    raises = table.doubles + (1 if auto and table.standing >= auto else 0)
    steps: list[int] = [game.values["stake_two_from"], game.values["stake_three_from"]]
    stake = (1, 2, 4, 6)[raises] * (1 + sum(0 < step <= table.standing for step in steps))
    if game.has("sweep", "doubles") and len({game.side(t.winner) for t in table.tricks}) == 1:
        stake *= 2
    taken = 2 * points[game.side(table.maker)]
    less = game.has("half_rule", "less-than-half") and taken < table.standing
    up_to = game.has("half_rule", "up-to-half") and taken <= table.standing
    return stake * 2 if not made and (less or up_to) else stake


def change_of(table: Table, points: Sequence[int], *, made: bool) -> list[int]:
    """Return what is added to each side's score."""
    game, bid = table.game, table.standing
    makers = game.side(table.maker)
    if game.has("made", "game-point"):
        stake = stake_of(table, points, made=made)
        return [stake * (1 if made else -1) if side == makers else 0 for side in range(game.sides)]
    change = list(points) if game.has("defenders", "own-points") else [0] * game.sides
    if made and (table.no_contract or game.has("made", "difference", "bid-less-others")):
        change = _difference(table, points)
    elif made:
        change[makers] = bid if game.has("made", "bid") else points[makers]
    else:
        if game.has("defenders", "bid-and-own-if-set"):
            change = [value + _amount(game, bid) for value in points]
        change[makers] = -_lost(table, points[makers])
    if made and _price(table):
        change[makers] = _price(table)
    return change


def _difference(table: Table, points: Sequence[int]) -> list[int]:
    """The side with more scores the difference, or the makers the bid less the others' points.

    Without a bid the difference is scored in every game (S21).
    """
    change = []
    makers = table.game.side(table.maker)
    by_bid = table.game.has("made", "bid-less-others") and not table.no_contract
    for side, own in enumerate(points):
        best = max(value for other, value in enumerate(points) if other != side)
        if by_bid:
            scored = table.standing - best if side == makers else own - table.standing
        else:
            scored = own - best
        change.append(max(0, scored))
    return change


def _amount(game: Game, bid: int) -> int:
    """Return the number a bid stands for when it is lost."""
    if bid != SPECIAL:
        return bid
    return 28 if game.has("special_bid", "dealer-28-56") else 2 * int(game.values["max_bid"])


def _price(table: Table) -> int:
    """Return what a bid with a price of its own scores when made, 0 for all other bids."""
    game, bid = table.game, table.standing
    if bid == SPECIAL:
        return 56 if game.has("special_bid", "dealer-28-56") else _amount(game, bid)
    slam = game.has("slam", "double-if-made") and bid == game.values["max_bid"]
    return 2 * bid if slam else 0


def _lost(table: Table, taken: int) -> int:
    """Return what a contract set costs."""
    game, bid = table.game, table.standing
    if game.has("failed", "nothing"):
        return 0
    return taken if game.has("failed", "minus-points") and bid != SPECIAL else _amount(game, bid)


def _alone(table: Table, points: list[int], winners: list[int]) -> Count:
    """All tricks alone: the whole stake won or lost, whatever was bid."""
    game = table.game
    stake = game.values["tenny_stake" if table.tenny else "solo_stake"]
    made = all(winner == table.alone for winner in winners)
    change = [0, 0]
    change[game.side(table.alone)] = stake if made else -stake
    return Count("made" if made else "set", points, change, winners)


def running_scores(table: Table, before: Sequence[int], result: Count) -> list[int]:
    """Return the running scores after a hand."""
    game = table.game
    totals = [old + new for old, new in zip(before, result.change, strict=True)]
    counts_out = game.has("both_over", "count-order") and game.has("won_by", "any-hand")
    if counts_out and table.trump and not table.no_contract:
        return _counted_out(table, totals, result)
    if not game.values["clamp"]:
        return totals
    return [max(game.values["lose_at"], min(game.values["target"], total)) for total in totals]


def added(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return what was really added to each running score."""
    return [new - old for old, new in zip(before, after, strict=True)]


def _counted_out(table: Table, totals: Sequence[int], result: Count) -> list[int]:
    """Take the points off again, then count card by card until a side is at the target."""
    game, scores = table.game, list(totals)
    loser = game.side(table.maker) if result.result == "set" else -1
    sides = takers(table)
    counted = []
    for kind in game.values["count_order"]:
        side = sides.get(game.card_of(kind, table.trump), -1)
        if side not in (-1, loser):
            counted.append((side, game.worth.get(kind, 0)))
    for side, points in counted:
        scores[side] -= points
    for side, points in counted:
        scores[side] += points
        if scores[side] >= game.values["target"]:
            break
    return scores
