"""Which policies cannot stand together, and why: a ruleset that contradicts itself is refused.

Every row names the policy to change and the sentence that tells the reason. What merely has no
effect in a game is no contradiction. Sources: 0.order, 1.exchange, 14.trump-call; S44, S87, S93.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from replay.rulesets.exchange_contradictions import (
    PARTNERSHIP,
    Rows,
    of_deal,
    of_exchange,
    of_phases,
)
from replay.rulesets.policy_table import OFF_CARDS
from replay.rulesets.relevance import FORCING


def contradiction(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return a policy that contradicts another one, and the reason; ``None`` when all is well."""
    return next(_contradictions(values), None)


def partnership_problem(values: Mapping[str, Any], seats: int) -> str | None:
    """Return why so many players cannot sit down to these rules; ``None`` when they can (S42)."""
    if values["sides"] == "partners" and seats != PARTNERSHIP:
        return f"holds {seats} players, but partnerships are for {PARTNERSHIP}"
    return None


def _contradictions(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((key, reason) for wrong, key, reason in checks(values) if wrong)


def checks(values: Mapping[str, Any]) -> Iterator[tuple[bool, str, str]]:
    """Yield everything that is checked: whether it is wrong, the policy, and the reason."""
    # A rule that cannot be at all in a game is reported before the phase that it would need.
    for rows in (of_deal, _of_auction, _of_trumps, _of_play, _of_game, of_exchange, of_phases):
        yield from rows(values)


def _of_auction(values: Mapping[str, Any]) -> Rows:
    duel = values["auction"] == "duel"
    challenge = values["auction"] == "challenge"
    ends = values["top_bid"] == "ends"
    nobody_bids = values["all_pass"]
    return (
        (
            values["min_bid"] > values["max_bid"],
            "min_bid",
            f"is {values['min_bid']}, above max_bid {values['max_bid']}: nobody could bid",
        ),
        (
            nobody_bids in FORCING and values["forced_bid"] > values["max_bid"],
            "forced_bid",
            f"is {values['forced_bid']}, above max_bid {values['max_bid']}",
        ),
        (
            values["special_bid"] == "dealer-28-56" and values["trump_call"] == "secret",
            "special_bid",
            "cannot be dealer-28-56 while trumps are secret: nobody could check it",
        ),
        (
            values["special_bid"] == "dealer-28-56" and values["max_bid"] != 14,
            "special_bid",
            f"is dealer-28-56, two and four times fourteen, but max_bid is {values['max_bid']}",
        ),
        (
            duel and (values["sides"] != "partners" or values["players"] != [PARTNERSHIP]),
            "auction",
            "can be a duel only between two partnerships",
        ),
        (
            values["ditto"] == "first-side" and not duel,
            "ditto",
            "can be for the first side only in a duel",
        ),
        (
            values["ditto"] == "holder" and not challenge,
            "ditto",
            "can be for the holder only where auction is challenge: elsewhere there is none",
        ),
        (
            ends and values["equal_bid"] in {"dealer-at-maximum", "anyone-at-maximum"},
            "equal_bid",
            f"cannot be {values['equal_bid']} where the highest bid ends the auction at once",
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


def _before(phases: list[str], first: str, later: str) -> bool:
    return later not in phases or phases.index(first) < phases.index(later)


def _of_trumps(values: Mapping[str, Any]) -> Rows:
    secret = values["trump_call"] == "secret"
    by_lead = values["first_lead"] == "names-trump"
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
            secret and values["fold"] != "never",
            "fold",
            "cannot show who has no trumps while trumps are secret",
        ),
        (
            secret and values["first_lead"] != "any",
            "first_lead",
            "cannot be a trump while trumps are secret: the leader may not know them",
        ),
        (
            by_lead and (values["discard"] != "nothing" or values["first_leader"] != "maker"),
            "first_lead",
            "can name trumps only where the maker leads and no cards are laid off before",
        ),
        (
            by_lead and any(values[key] for key in (*OFF_CARDS, "joker")),
            "first_lead",
            "cannot name trumps where a card of no suit, or of another, is one of them",
        ),
        (
            secret and values["joker"],
            "joker",
            "is always a trump, so trumps have to be open",
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
            values["seventh_card"] and (len(values["packets"]) == 1 or values["packets"][-1] == 1),
            "seventh_card",
            "needs a second packet of two cards or more",
        ),
        (
            values["seventh_card"] and not _before(values["phases"], "trump", "deal-rest"),
            "seventh_card",
            "is called before it is dealt: the phases must have trump before deal-rest",
        ),
        (
            not secret and values["ask"] != "must",
            "ask",
            f"cannot be {values['ask']} where trumps are open",
        ),
        (
            not secret and values["plain_void"] == "must-trump-once-known",
            "plain_void",
            "cannot be must-trump-once-known where trumps are open: say must-trump",
        ),
        (
            not secret and values["unshown"] == "counts",
            "unshown",
            "is about hidden trumps that never come to light, so trumps have to be secret",
        ),
        (
            values["ask"] == "end-of-trick" and values["pair"] == "with-a-ruff",
            "pair",
            "cannot be declared with a ruff where the trump is shown at the end of a trick",
        ),
    )


def _of_play(values: Mapping[str, Any]) -> Rows:
    stakes = values["made"] == "game-point"
    alone = values["solo"] != "none" or values["tenny"]
    return (
        (
            values["plain_follow"] == "trumps-only" and values["drop_out"] != "without-trumps",
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
            values["four_jacks"] != "played" and "J" not in values["ranks"],
            "four_jacks",
            "needs jacks in the pack",
        ),
        (
            values["pair"] != "none" and not {"K", "Q"} <= set(values["ranks"]),
            "pair",
            "is king and queen of trumps, and the pack lacks one of them",
        ),
        (
            values["pair"] != "none" and values["pair_cap"] < values["min_bid"],
            "pair_cap",
            f"is {values['pair_cap']}, below min_bid: no pair could make a contract harder",
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
            "solo" in values["phases"][:-2],
            "solo",
            "is announced right before the first lead, so its phase is the last before play",
        ),
        (
            alone and values["joker"],
            "joker",
            "is always a trump, and who plays alone plays without trumps",
        ),
        (
            values["doubling"] != "none" and not stakes,
            "doubling",
            "raises game points, and this game scores card points",
        ),
        (
            values["doubling"] != "none" and values["discard"] != "nothing",
            "doubling",
            "is for games in which no cards are laid off after it",
        ),
        (
            values["auto_double"] > 0 and not stakes,
            "auto_double",
            "raises game points, and this game scores card points",
        ),
        (
            values["stake_two_from"] > 0 and not stakes,
            "stake_two_from",
            "raises game points, and this game scores card points",
        ),
        (
            values["stake_three_from"] > 0
            and not 0 < values["stake_two_from"] < values["stake_three_from"],
            "stake_three_from",
            "needs a stake_two_from below it",
        ),
        (
            values["sweep"] != "nothing-extra" and not stakes,
            "sweep",
            "raises game points, and this game scores card points",
        ),
        (
            values["half_rule"] != "none" and values["failed"] != "minus-game-point",
            "half_rule",
            "is about game points lost, and this game loses card points",
        ),
    )


def _of_game(values: Mapping[str, Any]) -> Rows:
    special = {"difference", "bid-less-others"}
    stakes = values["made"] == "game-point"
    nobody_bids = values["all_pass"]
    counted_out = values["both_over"] == "count-order"
    uncounted = [card for card in values["points"] if card not in values["count_order"]]
    return (
        (
            stakes != (values["failed"] == "minus-game-point"),
            "failed",
            f"is {values['failed']}, but made is {values['made']}: both count game points or none",
        ),
        (
            stakes and values["defenders"] != "nothing",
            "defenders",
            f"cannot score {values['defenders']} where contracts score game points",
        ),
        (
            stakes and nobody_bids == "no-contract",
            "all_pass",
            "cannot be no-contract where only contracts made or set score",
        ),
        (
            stakes and values["special_bid"] != "none",
            "special_bid",
            f"cannot be {values['special_bid']}: it counts card points, and this game game points",
        ),
        (
            stakes and values["slam"] != "nothing-extra",
            "slam",
            f"cannot be {values['slam']}: it counts card points, and this game game points",
        ),
        (
            values["made"] in special and values["defenders"] == "own-points",
            "defenders",
            f"cannot score their own points as well where made is {values['made']}",
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
            counted_out and values["points_in"] == "every-suit",
            "both_over",
            "cannot be count-order where the cards of every suit carry points",
        ),
        (
            counted_out and bool(uncounted),
            "count_order",
            f"leaves out {', '.join(uncounted)}, which count points",
        ),
        (
            counted_out and (values["game_point"] == "count" or values["last_trick_points"] > 0),
            "both_over",
            "cannot be count-order where points are scored that no card carries",
        ),
        (
            counted_out and (values["made"], values["defenders"]) != ("points", "own-points"),
            "both_over",
            "cannot be count-order where not every side scores the points it took",
        ),
        (
            counted_out and values["clamp"],
            "clamp",
            "cannot be set where points are counted out: the count stops at the target by itself",
        ),
        (
            values["both_over"] == "extra-hand" and values["sides"] != "partners",
            "both_over",
            "cannot be extra-hand where more than two sides may get there",
        ),
    )
