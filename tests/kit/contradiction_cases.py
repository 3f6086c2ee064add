"""What cannot stand together in deal, exchange and phases: game, options, policy, reason."""

from typing import Any

Case = tuple[str, dict[str, Any], str, str]

EXCHANGE = ["auction", "trump", "discard", "refill", "rob", "come-down", "play"]


DEAL: list[Case] = [
    ("pedro", {"packets": [13, 1]}, "packets", "deal 56 cards, the pack has 52"),
    ("sancho", {"packets": [8]}, "packets", "deal 56 cards, the pack has 52"),
    (
        "pedro",
        {"players": [5]},
        "sides",
        "cannot be partners without 4 players",
    ),
    (
        "king-pedro",
        {"deal": "whole-pack", "kitty_size": 1},
        "kitty_size",
        "leaves a kitty, but the whole pack is dealt",
    ),
    (
        "sancho",
        {"deal": "whole-pack", "discard": "all-plain", "refill": "everybody"},
        "deal",
        "cannot be whole-pack where cards are laid off or drawn: nothing is left to draw",
    ),
    (
        "sancho",
        {"kitty_size": 2},
        "kitty_size",
        "cards go to the maker, who would have to lay off as many: discard is nothing",
    ),
    (
        "sancho",
        {"odd_card": "dealer"},
        "odd_card",
        "cannot be dealer where nothing is laid off: one hand would be larger",
    ),
    (
        "pedro",
        {"weak_start": "thrown-in"},
        "weak_start",
        "cannot be judged before trumps are named where only trumps carry points",
    ),
    (
        "pedro",
        {"ranks": "AKQJT9876432"},
        "off_five",
        "cannot be a trump in a pack without fives",
    ),
    (
        "pedro",
        {"ranks": "AKQT98765432", "off_jack": True},
        "off_jack",
        "cannot be a trump in a pack without jacks",
    ),
    (
        "eighty-three",
        {"joker": False, "kitty_size": 4},
        "points",
        "give the joker a worth, but there is no joker in the pack",
    ),
    (
        "twenty-nine",
        {"game_point": "count"},
        "game_point",
        "cannot be a count of cards where the cards of every suit carry points",
    ),
    (
        "twenty-nine",
        {"high_low": "in-play"},
        "high_low",
        "cannot be in-play where the cards of every suit carry points",
    ),
    (
        "sancho",
        {"high_low": "in-play"},
        "high_low",
        "cannot be in-play where points are counted out card by card",
    ),
    (
        "king-pedro",
        {"high_low": "in-play"},
        "low_to",
        "cannot be player where low is the lowest trump in play: say holder",
    ),
]
PHASES: list[Case] = [
    (
        "pedro",
        {"kitty_size": 4, "phases": EXCHANGE},
        "kitty_size",
        "is 4, but the phases have no kitty",
    ),
    (
        "pedro",
        {"phases": ["auction", "trump", "play"]},
        "discard",
        "is all-plain, but the phases have no discard",
    ),
    (
        "pedro",
        {"phases": ["auction", "trump", "discard", "rob", "play"]},
        "refill",
        "is others, but the phases have no refill",
    ),
    (
        "pedro",
        {"phases": ["auction", "trump", "discard", "refill", "play"]},
        "rob",
        "is all-trumps, but the phases have no rob",
    ),
    (
        "pedro",
        {"fold": "without-trumps", "phases": EXCHANGE},
        "fold",
        "is without-trumps, but the phases have no fold",
    ),
    (
        "twenty-nine",
        {"doubling": "double", "phases": ["auction", "trump", "deal-rest", "play"]},
        "doubling",
        "is double, but the phases have no double",
    ),
    (
        "twenty-nine",
        {"solo": "partner-open", "phases": ["auction", "trump", "deal-rest", "play"]},
        "solo",
        "is partner-open, but the phases have no solo",
    ),
    (
        "cinch",
        {"surplus_shown": True, "phases": EXCHANGE},
        "surplus_shown",
        "is true, but the phases have no show",
    ),
    (
        "pedro",
        {"packets": [5, 4], "phases": EXCHANGE},
        "packets",
        "are more than one, but the phases have no deal-rest",
    ),
]
ORDERS: list[tuple[str, str, str]] = [
    ("twenty-nine", "trump", "double"),
    ("ukrainian", "trump", "fold"),
    ("sixty-three", "trump", "give"),
    ("pedro", "trump", "discard"),
    ("king-pedro", "kitty", "discard"),
    ("ukrainian", "deal-rest", "fold"),
    ("ukrainian", "deal-rest", "discard"),
    ("ukrainian", "fold", "discard"),
    ("pedro", "discard", "refill"),
    ("pedro", "refill", "rob"),
    ("pedro", "give", "refill"),
    ("pedro", "give", "dealer-give"),
    ("pedro", "rob", "dealer-give"),
    ("pedro", "dealer-give", "come-down"),
    ("pedro", "rob", "come-down"),
    ("pedro", "come-down", "show"),
    ("cinch", "rob", "show"),
]
"""Phases of which the one has to come before the other."""
EXCHANGES: list[Case] = [
    (
        "king-pedro",
        {"rob": "all-trumps"},
        "rob",
        "is all-trumps, but nobody is dealt cards before it",
    ),
    (
        "pedro",
        {"refill": "everybody"},
        "refill",
        "is for everybody, but the dealer takes from the rest instead",
    ),
    (
        "pedro",
        {"rob": "nothing"},
        "rob",
        "is nothing, but nobody deals new cards to the dealer either",
    ),
    (
        "king-pedro",
        {"discard": "all-plain"},
        "refill",
        "is nobody, but discard is all-plain: hands would be short",
    ),
    (
        "sancho",
        {"refill": "everybody"},
        "refill",
        "needs a discard before it: nobody is short of cards",
    ),
    (
        "pedro",
        {"discard": "nothing", "refill": "nobody", "rob": "nothing"},
        "hand_size",
        "is 6, but 9 cards are dealt and kept",
    ),
    (
        "king-pedro",
        {"packets": [5]},
        "hand_size",
        "is 6, but only 5 cards are dealt and none drawn",
    ),
    (
        "pedro",
        {"rob": "whole-stock", "phases": [name for name in EXCHANGE if name != "come-down"]},
        "rob",
        "cannot be whole-stock without come-down among the phases",
    ),
    (
        "pedro",
        {"surplus": "discard", "phases": [name for name in EXCHANGE if name != "come-down"]},
        "surplus",
        "cannot be discard without come-down among the phases, after rob",
    ),
    (
        "pedro",
        {"discard": "plain-if-liked", "phases": [n for n in EXCHANGE if n != "come-down"]},
        "discard",
        "cannot be plain-if-liked without come-down among the phases, after rob",
    ),
    (
        "pedro",
        {"surplus": "to-partner", "phases": EXCHANGE},
        "surplus",
        "cannot be to-partner without give among the phases",
    ),
    (
        "pedro",
        {"surplus": "to-partner", "phases": ["auction", "trump", "give", *EXCHANGE[2:]]},
        "surplus",
        "cannot be to-partner without dealer-give among the phases, after rob",
    ),
    (
        "pedro",
        {"surplus": "to-partner", "rob": "whole-stock-first"},
        "rob",
        "cannot be whole-stock-first where surplus goes to the partner before the dealer robs",
    ),
    (
        "sancho",
        {"surplus": "to-partner"},
        "surplus",
        "cannot be to-partner where everybody plays alone",
    ),
    (
        "cinch",
        {"phases": [name for name in EXCHANGE if name != "come-down"]},
        "rob",
        "cannot be to-size without come-down among the phases",
    ),
    (
        "sixty-three",
        {"fold": "without-trumps"},
        "surplus",
        "cannot be to-partner where the partner may have folded",
    ),
    (
        "sancho",
        {"fold": "without-trumps"},
        "fold",
        "needs a partner who plays on",
    ),
    (
        "sancho",
        {"discard": "all-plain", "refill": "everybody", "discarded_points": "opponents"},
        "discarded_points",
        "cannot be opponents where everybody plays alone",
    ),
    (
        "king-pedro",
        {"search_discards": True},
        "search_discards",
        "needs a dealer who looks through the rest of the stock",
    ),
    (
        "pedro",
        {"rob_keeps_points": True},
        "rob_keeps_points",
        "has no meaning where rob is all-trumps: it limits a dealer who takes any cards",
    ),
    (
        "pedro",
        {"surplus_shown": True},
        "surplus_shown",
        "has no meaning where rob is all-trumps: no trump is left in the stock",
    ),
    (
        "pedro",
        {"discards_claimed": True},
        "discards_claimed",
        "needs discards that are shown: nobody can claim what nobody sees",
    ),
]
