"""Rules that contradict each other are refused, each with its sentence, and nothing else is."""

from typing import Any

import pytest

from tests.kit.contradiction_cases import DEAL, EXCHANGES, ORDERS, PHASES, Case
from tricklog.core import RulesetError, load_variant, variants
from tricklog.core.rulesets.contradictions import checks, contradiction
from tricklog.core.rulesets.ruleset import resolve
from tricklog.schemas.hand import RulesRef

OPEN = {"trump_call": "open", "ask": "must"}
AUCTION: list[Case] = [
    ("pedro", {"min_bid": 20}, "min_bid", "is 20, above max_bid 14: nobody could bid"),
    ("pedro", {"forced_bid": 15}, "forced_bid", "is 15, above max_bid 14"),
    (
        "twenty-nine",
        {"special_bid": "dealer-28-56"},
        "special_bid",
        "cannot be dealer-28-56 while trumps are secret: nobody could check it",
    ),
    (
        "king-pedro",
        {"special_bid": "dealer-28-56"},
        "special_bid",
        "is dealer-28-56, two and four times fourteen, but max_bid is 44",
    ),
    (
        "sancho",
        {"auction": "duel"},
        "auction",
        "can be a duel only between two partnerships",
    ),
    (
        "bangladesh",
        {"players": [4, 5], "packets": [3, 3], "hand_size": 6},
        "auction",
        "can be a duel only between two partnerships",
    ),
    (
        "twenty-nine",
        {"ditto": "first-side"},
        "ditto",
        "can be for the first side only in a duel",
    ),
    (
        "pedro",
        {"ditto": "anyone"},
        "ditto",
        "needs an auction of more than one turn: the standing bid must have an answer",
    ),
    (
        "twenty-nine",
        {"ditto": "holder"},
        "ditto",
        "can be for the holder only where auction is challenge: elsewhere there is none",
    ),
    (
        "pedro",
        {"top_bid": "ends", "equal_bid": "anyone-at-maximum"},
        "equal_bid",
        "cannot be anyone-at-maximum where the highest bid ends the auction at once",
    ),
    (
        "bangladesh",
        {"first_caller": "dealer"},
        "first_caller",
        "cannot be the dealer in a duel, who speaks last",
    ),
    (
        "twenty-nine",
        {"tenny": True, "tenny_stake": 0},
        "tenny",
        "is played on the first packet before another: it needs two packets and a tenny_stake",
    ),
]
TRUMPS: list[Case] = [
    (
        "pedro",
        {"trump_call": "secret"},
        "trump_call",
        "cannot be secret while only trumps carry points",
    ),
    (
        "twenty-nine",
        {"drop_out": "without-trumps"},
        "drop_out",
        "cannot show who has no trumps while trumps are secret",
    ),
    (
        "twenty-nine",
        {"discard": "to-size"},
        "discard",
        "cannot be to-size while trumps are secret",
    ),
    (
        "twenty-nine",
        {"fold": "without-trumps"},
        "fold",
        "cannot show who has no trumps while trumps are secret",
    ),
    (
        "twenty-nine",
        {"first_lead": "trump"},
        "first_lead",
        "cannot be a trump while trumps are secret: the leader may not know them",
    ),
    (
        "pitch-with-fives",
        {"first_lead": "names-trump"},
        "first_lead",
        "can name trumps only where the maker leads and no cards are laid off before",
    ),
    (
        "sancho",
        {"first_lead": "names-trump", "off_five": True},
        "first_lead",
        "cannot name trumps where a card of no suit, or of another, is one of them",
    ),
    (
        "sancho",
        {"first_lead": "names-trump", "off_jack": True},
        "first_lead",
        "cannot name trumps where a card of no suit, or of another, is one of them",
    ),
    ("twenty-nine", {"joker": True}, "joker", "is always a trump, so trumps have to be open"),
    (
        "pedro",
        {"no_trump": "joker"},
        "no_trump",
        "is said with a hidden card, so trumps have to be secret",
    ),
    (
        "pedro",
        {"twos": "suit-reversed"},
        "twos",
        "is about the maker's hidden card, so trumps have to be secret",
    ),
    (
        "twenty-nine",
        {"twos": "no-trump-reversed", "no_trump": "colours"},
        "twos",
        "cannot mean no trumps reversed where a black joker or three says so already",
    ),
    ("pedro", {"seventh_card": True}, "seventh_card", "lies hidden, so trumps have to be secret"),
    (
        "twenty-nine",
        {"seventh_card": True, "packets": [8]},
        "seventh_card",
        "needs a second packet of two cards or more",
    ),
    (
        "twenty-nine",
        {"seventh_card": True, "packets": [7, 1]},
        "seventh_card",
        "needs a second packet of two cards or more",
    ),
    (
        "twenty-nine",
        {"seventh_card": True, "phases": ["auction", "deal-rest", "trump", "play"]},
        "seventh_card",
        "is called before it is dealt: the phases must have trump before deal-rest",
    ),
    ("pedro", {"ask": "optional"}, "ask", "cannot be optional where trumps are open"),
    (
        "pedro",
        {"plain_void": "must-trump-once-known"},
        "plain_void",
        "cannot be must-trump-once-known where trumps are open: say must-trump",
    ),
    (
        "pedro",
        {"unshown": "counts"},
        "unshown",
        "is about hidden trumps that never come to light, so trumps have to be secret",
    ),
    (
        "twenty-nine",
        {"ask": "end-of-trick", "pair": "with-a-ruff"},
        "pair",
        "cannot be declared with a ruff where the trump is shown at the end of a trick",
    ),
]
PLAY: list[Case] = [
    (
        "pidro",
        {"drop_out": "when-trump-led"},
        "plain_follow",
        "cannot be trumps-only while a player without trumps stays in",
    ),
    (
        "pedro",
        {"plain_follow": "trumps-only"},
        "plain_follow",
        "cannot be trumps-only while a player without trumps stays in",
    ),
    (
        "pedro",
        {"plain_follow": "any", "plain_void": "must-trump"},
        "plain_void",
        "cannot bind who lacks the suit while who has it may play anything",
    ),
    (
        "pedro",
        {"pair": "after-own-trick"},
        "pair_shift",
        "is 0, so the pair would change nothing",
    ),
    (
        "twenty-nine",
        {"ranks": "J9ATQ876"},
        "pair",
        "is king and queen of trumps, and the pack lacks one of them",
    ),
    (
        "twenty-nine",
        {"pair_cap": 14},
        "pair_cap",
        "is 14, below min_bid: no pair could make a contract harder",
    ),
    (
        "twenty-nine",
        {"solo": "partner-open", "solo_stake": 0},
        "solo_stake",
        "is 0, so playing alone would score nothing",
    ),
    (
        "pedro",
        {"solo": "partner-open", "solo_stake": 3},
        "solo",
        "is for two partnerships that score game points",
    ),
    (
        "ukrainian",
        {"tenny": True, "tenny_stake": 4},
        "tenny",
        "is for two partnerships that score game points",
    ),
    (
        "twenty-nine",
        {**OPEN, "joker": True, "solo": "partner-open"},
        "joker",
        "is always a trump, and who plays alone plays without trumps",
    ),
    (
        "pedro",
        {"doubling": "double"},
        "doubling",
        "raises game points, and this game scores card points",
    ),
    (
        "twenty-nine",
        {**OPEN, "discard": "to-size", "doubling": "double"},
        "doubling",
        "is for games in which no cards are laid off after it",
    ),
    (
        "lucknow",
        {"phases": ["auction", "trump", "solo", "deal-rest", "play"]},
        "solo",
        "is announced right before the first lead, so its phase is the last before play",
    ),
    (
        "pedro",
        {"auto_double": 10},
        "auto_double",
        "raises game points, and this game scores card points",
    ),
    (
        "twenty-nine",
        {"four_jacks": "thrown-in", "ranks": "9ATKQ876"},
        "four_jacks",
        "needs jacks in the pack",
    ),
    (
        "pedro",
        {"stake_two_from": 10},
        "stake_two_from",
        "raises game points, and this game scores card points",
    ),
    (
        "twenty-nine",
        {"stake_two_from": 20, "stake_three_from": 20},
        "stake_three_from",
        "needs a stake_two_from below it",
    ),
    (
        "pedro",
        {"sweep": "doubles"},
        "sweep",
        "raises game points, and this game scores card points",
    ),
    (
        "pedro",
        {"half_rule": "less-than-half"},
        "half_rule",
        "is about game points lost, and this game loses card points",
    ),
]
GAME: list[Case] = [
    (
        "pedro",
        {"made": "game-point", "defenders": "nothing"},
        "failed",
        "is minus-bid, but made is game-point: both count game points or none",
    ),
    (
        "twenty-nine",
        {"defenders": "own-points"},
        "defenders",
        "cannot score own-points where contracts score game points",
    ),
    (
        "twenty-nine",
        {"all_pass": "no-contract"},
        "all_pass",
        "cannot be no-contract where only contracts made or set score",
    ),
    (
        "twenty-nine",
        {"special_bid": "double"},
        "special_bid",
        "cannot be double: it counts card points, and this game game points",
    ),
    (
        "twenty-nine",
        {"slam": "double-if-made"},
        "slam",
        "cannot be double-if-made: it counts card points, and this game game points",
    ),
    (
        "pedro",
        {"made": "difference"},
        "defenders",
        "cannot score their own points as well where made is difference",
    ),
    (
        "sancho",
        {"made": "difference", "defenders": "nothing"},
        "made",
        "cannot be difference where more than two sides score",
    ),
    (
        "sancho",
        {"defenders": "bid-and-own-if-set"},
        "defenders",
        "cannot score the bid where more than one side defends",
    ),
    (
        "twenty-nine",
        {"both_over": "count-order", "count_order": ["J", "9", "A", "T"]},
        "both_over",
        "cannot be count-order where the cards of every suit carry points",
    ),
    (
        "pedro",
        {"both_over": "count-order", "count_order": ["A", "J", "T", "2"]},
        "count_order",
        "leaves out 5, off_five, which count points",
    ),
    (
        "sancho",
        {"last_trick_points": 1},
        "both_over",
        "cannot be count-order where points are scored that no card carries",
    ),
    (
        "sancho",
        {"made": "bid"},
        "both_over",
        "cannot be count-order where not every side scores the points it took",
    ),
    (
        "sancho",
        {"clamp": True},
        "clamp",
        "cannot be set where points are counted out: the count stops at the target by itself",
    ),
    (
        "sancho",
        {"both_over": "extra-hand"},
        "both_over",
        "cannot be extra-hand where more than two sides may get there",
    ),
]
CASES = [*DEAL, *AUCTION, *TRUMPS, *PLAY, *GAME, *EXCHANGES, *PHASES]


def turned_round(variant: str, first: str, later: str) -> list[str]:
    """The phases of a variant with two of them changing places."""
    phases = list(load_variant(variant).values["phases"])
    here, there = phases.index(first), phases.index(later)
    phases[here], phases[there] = later, first
    return phases


ORDER_CASES: list[Case] = [
    (
        variant,
        {"phases": turned_round(variant, first, later)},
        "phases",
        f"must have {first} before {later}",
    )
    for variant, first, later in ORDERS
]


def wrong_in(variant: str, options: dict[str, Any]) -> list[tuple[int, str, str]]:
    """All that is wrong, by the place of the check."""
    values = {**load_variant(variant).values, **options}
    return [
        (place, key, reason) for place, (wrong, key, reason) in enumerate(checks(values)) if wrong
    ]


@pytest.mark.parametrize(("variant", "options", "key", "reason"), CASES)
def test_a_contradiction_is_refused_with_its_sentence(
    variant: str, options: dict[str, Any], key: str, reason: str
) -> None:
    values = {**load_variant(variant).values, **options}
    assert (key, reason) == contradiction(values)
    with pytest.raises(RulesetError) as caught:
        resolve(RulesRef(variant, options=options))
    assert reason in caught.value.message


@pytest.mark.parametrize(("variant", "options", "key", "reason"), ORDER_CASES)
def test_phases_out_of_order_are_refused(
    variant: str, options: dict[str, Any], key: str, reason: str
) -> None:
    assert (key, reason) in [each[1:] for each in wrong_in(variant, options)]
    with pytest.raises(RulesetError, match="phases must have"):
        resolve(RulesRef(variant, options=options))


def test_every_check_has_a_case() -> None:
    every = list(enumerate(checks(load_variant("pedro").values)))
    found = {
        place
        for variant, options, key, reason in (*CASES, *ORDER_CASES)
        for place, *told in wrong_in(variant, options)
        if told == [key, reason]
    }
    assert [each for each in every if each[0] not in found] == []


@pytest.mark.parametrize("variant", variants())
def test_no_game_contradicts_itself(variant: str) -> None:
    assert wrong_in(variant, {}) == []
