"""Which policies cannot stand together, and why: a ruleset that contradicts itself is refused.

Every row names the policy to change and the sentence that tells the reason. What merely has no
effect in a game is no contradiction. Sources: 0.order, 1.exchange, 14.trump-call; S44, S87, S93.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

_PHASE_ORDER: Final = ("trump", "discard", "refill", "rob", "come-down", "show", "play")
"""Phases that have to come in this order; the others may stand anywhere between."""

_NEEDS_PHASE: Final[tuple[tuple[str, tuple[object, ...], str], ...]] = (
    ("kitty_size", (0,), "kitty"),
    ("discard", ("nothing",), "discard"),
    ("refill", ("nobody",), "refill"),
    ("rob", ("nothing",), "rob"),
    ("fold", ("never",), "fold"),
    ("doubling", ("none",), "double"),
    ("solo", ("none",), "solo"),
    ("surplus_shown", (False,), "show"),
)
"""A policy, the values with which nothing happens, and the phase that all others need."""

_PARTNERSHIP: Final = 4


def contradiction(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return a policy that contradicts another one, and the reason; ``None`` when all is well."""
    return next(_contradictions(values), None)


def partnership_problem(values: Mapping[str, Any], seats: int) -> str | None:
    """Return why so many players cannot sit down to these rules; ``None`` when they can (S42)."""
    if values["sides"] == "partners" and seats != _PARTNERSHIP:
        return f"holds {seats} players, but partnerships are for {_PARTNERSHIP}"
    return None


def _contradictions(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for rows in (_of_deal, _of_auction, _of_phases, _of_exchange, _of_trumps, _of_play, _of_game):
        yield from ((key, reason) for wrong, key, reason in rows(values) if wrong)


_Rows = tuple[tuple[bool, str, str], ...]


def _pack_size(values: Mapping[str, Any]) -> int:
    return 4 * len(values["ranks"]) + int(values["joker"])


def _of_deal(values: Mapping[str, Any]) -> _Rows:
    pack = _pack_size(values)
    most = sum(values["packets"]) * max(values["players"]) + values["kitty_size"]
    whole = values["deal"] == "whole-pack"
    return (
        (
            not whole and most > pack,
            "packets",
            f"deal {most} cards, the pack has {pack}",
        ),
        (
            values["sides"] == "partners" and _PARTNERSHIP not in values["players"],
            "sides",
            f"cannot be partners without {_PARTNERSHIP} players",
        ),
        (
            whole and values["kitty_size"] > 0,
            "kitty_size",
            "leaves a kitty, but the whole pack is dealt",
        ),
        (
            whole and (values["discard"] != "nothing" or values["refill"] != "nobody"),
            "deal",
            "cannot be whole-pack where cards are laid off or drawn: nothing is left to draw",
        ),
        (
            values["off_five"] and "5" not in values["ranks"],
            "off_five",
            "cannot be a trump in a pack without fives",
        ),
        (
            "joker" in values["points"] and not values["joker"],
            "points",
            "give the joker a worth, but there is no joker in the pack",
        ),
        (
            values["game_point"] == "count" and values["points_in"] == "every-suit",
            "game_point",
            "cannot be a count of cards where the cards of every suit carry points",
        ),
    )


def _of_auction(values: Mapping[str, Any]) -> _Rows:
    duel = values["auction"] == "duel"
    return (
        (
            values["min_bid"] > values["max_bid"],
            "min_bid",
            f"is {values['min_bid']}, above max_bid {values['max_bid']}: nobody could bid",
        ),
        (
            values["special_bid"] == "dealer-28-56" and values["trump_call"] == "secret",
            "special_bid",
            "cannot be dealer-28-56 while trumps are secret: nobody could check it",
        ),
        (
            duel and (values["sides"] != "partners" or values["players"] != [_PARTNERSHIP]),
            "auction",
            "can be a duel only between two partnerships",
        ),
        (
            values["ditto"] == "first-side" and not duel,
            "ditto",
            "can be for the first side only in a duel",
        ),
        (
            values["ditto"] != "nobody" and values["auction"] == "one-turn",
            "ditto",
            "needs an auction of more than one turn: the standing bid must have an answer",
        ),
        (
            duel and values["first_caller"] == "dealer",
            "first_caller",
            "cannot be the dealer in a duel, who speaks last",
        ),
        (
            values["tenny"] and (len(values["packets"]) == 1 or values["tenny_stake"] == 0),
            "tenny",
            "is played on the first packet before another: it needs two packets and a tenny_stake",
        ),
    )


def _of_phases(values: Mapping[str, Any]) -> _Rows:
    phases = values["phases"]
    order = [name for name in _PHASE_ORDER if name in phases]
    needed = tuple(
        (
            values[key] not in idle and phase not in phases,
            key,
            f"is {_written(values[key])}, but the phases have no {phase}",
        )
        for key, idle, phase in _NEEDS_PHASE
    )
    return (
        *needed,
        (
            len(values["packets"]) > 1 and "deal-rest" not in phases,
            "packets",
            "are more than one, but the phases have no deal-rest",
        ),
        (
            [name for name in phases if name in order] != order,
            "phases",
            f"must keep the order {', '.join(order)}",
        ),
    )


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_exchange(values: Mapping[str, Any]) -> _Rows:
    phases = values["phases"]
    laid_off = values["discard"] != "nothing"
    comes_down = "come-down" in phases
    dealt = sum(values["packets"])
    partners = values["sides"] == "partners"
    return (
        (
            values["rob"] != "nothing" and values["refill"] == "nobody",
            "rob",
            f"is {values['rob']}, but nobody is dealt cards before it",
        ),
        (
            values["rob"] != "nothing" and values["refill"] == "everybody",
            "refill",
            "is for everybody, but the dealer takes from the rest instead",
        ),
        (
            not laid_off and values["refill"] != "nobody",
            "refill",
            "needs a discard before it: nobody is short of cards",
        ),
        (
            not laid_off and values["deal"] == "packets" and dealt != values["hand_size"],
            "hand_size",
            f"is {values['hand_size']}, but {dealt} cards are dealt and kept",
        ),
        (
            laid_off and values["refill"] == "nobody" and dealt < values["hand_size"],
            "hand_size",
            f"is {values['hand_size']}, but only {dealt} cards are dealt and none drawn",
        ),
        (
            values["rob"] == "whole-stock" and not comes_down,
            "rob",
            "cannot be whole-stock without come-down among the phases",
        ),
        (
            values["rob"] == "all-trumps" and values["surplus"] == "discard" and not comes_down,
            "surplus",
            "cannot be discard without come-down among the phases, after rob",
        ),
        (
            values["surplus"] == "to-partner" and "give" not in phases,
            "surplus",
            "cannot be to-partner without give among the phases",
        ),
        (
            values["surplus"] == "to-partner" and not partners,
            "surplus",
            "cannot be to-partner where everybody plays for himself",
        ),
        (
            values["fold"] != "never" and not partners,
            "fold",
            "needs a partner who plays on",
        ),
        (
            values["search_discards"] and values["rob"] == "nothing",
            "search_discards",
            "needs a dealer who looks through the rest of the stock",
        ),
        (
            values["rob_keeps_points"] and values["rob"] != "to-size",
            "rob_keeps_points",
            f"has no meaning where rob is {values['rob']}: it limits a dealer who takes any cards",
        ),
        (
            values["surplus_shown"] and values["rob"] != "to-size",
            "surplus_shown",
            f"has no meaning where rob is {values['rob']}: no trump is left in the stock",
        ),
        (
            values["discards_claimed"] and values["discards_shown"] != "all",
            "discards_claimed",
            "needs discards that are shown: nobody can claim what nobody sees",
        ),
    )


def _of_trumps(values: Mapping[str, Any]) -> _Rows:
    secret = values["trump_call"] == "secret"
    return (
        (
            secret and values["points_in"] == "trumps",
            "trump_call",
            "cannot be secret while only trumps carry points",
        ),
        (
            secret and values["drop_out"] != "never",
            "drop_out",
            "cannot show who has no trumps while trumps are secret",
        ),
        (
            secret and values["discard"] != "nothing",
            "discard",
            f"cannot be {values['discard']} while trumps are secret",
        ),
        (
            not secret and values["no_trump"] != "never",
            "no_trump",
            "is said with a hidden card, so trumps have to be secret",
        ),
        (
            not secret and values["twos"] != "suit",
            "twos",
            "is about the maker's hidden card, so trumps have to be secret",
        ),
        (
            values["twos"] == "no-trump-reversed" and values["no_trump"] == "colours",
            "twos",
            "cannot mean no trumps reversed where a black joker or three says so already",
        ),
        (
            not secret and values["seventh_card"],
            "seventh_card",
            "lies hidden, so trumps have to be secret",
        ),
        (
            values["seventh_card"] and values["packets"][-1] + len(values["packets"]) < 4,
            "seventh_card",
            "needs a second packet of two cards or more",
        ),
        (
            not secret and values["ask"] != "must",
            "ask",
            f"cannot be {values['ask']} where trumps are open",
        ),
        (
            values["ask"] == "end-of-trick" and values["pair"] == "with-a-ruff",
            "pair",
            "cannot be declared with a ruff where the trump is shown at the end of a trick",
        ),
    )


def _of_play(values: Mapping[str, Any]) -> _Rows:
    stakes = values["made"] == "game-point"
    alone = values["solo"] != "none" or values["tenny"]
    return (
        (
            values["plain_follow"] == "trumps-only" and values["drop_out"] == "never",
            "plain_follow",
            "cannot be trumps-only while a player without trumps stays in",
        ),
        (
            values["plain_follow"] in {"any", "any-plain"} and values["plain_void"] != "any",
            "plain_void",
            "cannot bind who lacks the suit while who has it may play anything",
        ),
        (
            values["pair"] != "none" and values["pair_shift"] == 0,
            "pair_shift",
            "is 0, so the pair would change nothing",
        ),
        (
            values["solo"] != "none" and values["solo_stake"] == 0,
            "solo_stake",
            "is 0, so playing alone would score nothing",
        ),
        (
            alone and (not stakes or values["sides"] != "partners"),
            "solo" if values["solo"] != "none" else "tenny",
            "is for two partnerships that score game points",
        ),
        (
            (values["doubling"] != "none" or values["auto_double"] > 0) and not stakes,
            "doubling",
            "raises game points, and this game scores card points",
        ),
        (
            values["slam"] != "nothing-extra" and stakes,
            "slam",
            "scores a bid of card points, and this game scores game points",
        ),
        (
            values["special_bid"] != "none" and stakes,
            "special_bid",
            "has a price in card points, and this game scores game points",
        ),
        (
            stakes and values["all_pass"] == "no-contract",  # noqa: S105 - no password
            "all_pass",
            "cannot be no-contract where game points are scored: there is nothing to make or miss",
        ),
        (
            values["half_rule"] != "none" and values["failed"] != "minus-game-point",
            "half_rule",
            "is about game points lost, and this game loses card points",
        ),
    )


def _of_game(values: Mapping[str, Any]) -> _Rows:
    special = {"difference", "bid-less-others"}
    return (
        (
            (values["made"] == "game-point") != (values["failed"] == "minus-game-point"),
            "failed",
            f"is {values['failed']}, but made is {values['made']}: both count game points or none",
        ),
        (
            values["made"] in special and values["sides"] != "partners",
            "made",
            f"cannot be {values['made']} where more than two sides score",
        ),
        (
            values["defenders"] == "bid-and-own-if-set" and values["sides"] != "partners",
            "defenders",
            "cannot score the bid where more than one side defends",
        ),
        (
            values["both_over"] == "count-order" and not values["count_order"],
            "both_over",
            "is count-order, but count_order is empty",
        ),
        (
            values["both_over"] == "extra-hand" and values["sides"] != "partners",
            "both_over",
            "cannot be extra-hand where more than two sides may get there",
        ),
    )
