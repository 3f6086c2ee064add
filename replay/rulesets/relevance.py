"""Which questions arise in a game, as its other answers stand, and which answers clash.

A question that does not arise is left out where rules are put into words; its value is idle. Rules
without effect contradict nothing, so a log that says so is read; who writes down rules to play or
judge by is refused, and so is whoever contradicts themselves.

Tables say by conditions when something is so: ``rob = to-size | all-trumps, phases lacks show``.
Each part has to hold. It has a policy, or a figure made of several, a sign and a value, as files
write it; ``=`` and ``!=`` take several values, ``has`` and ``lacks`` ask about lists, and ``>``
and ``>=`` compare numbers, also those of two policies.

Sources: 0.order, 1.auction, 1.exchange, 1.game, 4.follow, 12.exchange, 14.trump-call; C13, S17,
S44, S50, S74 to S76, S87, S93.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from tricklog.core.rulesets.policy_table import OFF_CARDS, POLICIES
from tricklog.core.rulesets.rules_file import HouseRule
from tricklog.schemas.words import counted

Values = Mapping[str, Any]

_OVERFULL: Final = ("all_dealt > hand_size", "rob = all-trumps | whole-stock | whole-stock-first")
"""When a hand may hold surplus: any of these."""
_ALSO_ASKED: Final = {
    "game_point": ("game_point = count", "points has T"),
    "odd_card": ("odd_card != nobody", "deal = whole-pack"),
    "surplus": _OVERFULL,
    "buried_wins": tuple(f"surplus = bury | discard-then-bury, {each}" for each in _OVERFULL),
    "surplus_points": tuple(f"surplus = bury, {each}" for each in _OVERFULL),
    # Otherwise no hand takes two sides to the target.
    "both_over": ("won_by = any-hand, made != game-point | difference | bid-less-others",),
}
"""By policy, of which any has to hold besides, where that takes more than one other policy."""
POLICY_OF_PHASE: Final = {
    "kitty": "kitty_size",
    "discard": "discard",
    "refill": "refill",
    "rob": "rob",
    "fold": "fold",
    "double": "doubling",
    "solo": "solo",
    "show": "surplus_shown",
}
"""Phases with a policy: where its answer is idle, there is nothing to do in them."""


def in_a_sentence(value: object) -> str:
    """Return the value of a policy as a sentence has it: ``all-plain``, ``true``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def holds(condition: str, values: Values) -> bool:
    """Whether all parts of a condition hold; the empty one always does."""
    return all(_part_holds(part, values) for part in condition.split(", ") if part)


def _part_holds(part: str, values: Values) -> bool:
    key, sign, right = part.split(" ", 2)
    value = values[key]
    match sign:
        case "=":
            return in_a_sentence(value) in right.split(" | ")
        case "!=":
            return in_a_sentence(value) not in right.split(" | ")
        case "has":
            return right in map(str, value)
        case "lacks":
            return right not in map(str, value)
    other = int(values.get(right, right))
    return bool(value > other or (value == other and sign == ">="))


def is_idle(key: str, values: Values) -> bool:
    """Whether the thing that the question of a policy is about does not exist."""
    idle = POLICIES[key].idle
    return idle is not None and bool(values[key] == idle)


def applies(key: str, values: Values) -> bool:
    """Whether the question of a policy arises at all."""
    if is_idle(key, values) or not holds(POLICIES[key].asked, values):
        return False
    counts = {**values, "all_dealt": sum(values["packets"]) + values["kitty_size"]}
    return any(holds(each, counts) for each in _ALSO_ASKED.get(key, ("",)))


def _unasked_where(key: str, values: Values) -> str:
    """Return when the question of a policy does not arise, for one that does not."""
    for part in POLICIES[key].asked.split(", "):
        other, _, right = part.partition(" ")
        if right.startswith(("=", "!=")) and not holds(part, values):
            return f"does not arise where {other} is {in_a_sentence(values[other])}"
    return "does not arise in this game"


def phases_with_work(values: Values) -> list[str]:
    """Return the phases of a game in which there can be anything to do."""
    return [name for name in values["phases"] if _has_work(name, values)]


def _has_work(phase: str, values: Values) -> bool:
    if phase in POLICY_OF_PHASE:
        return not is_idle(POLICY_OF_PHASE[phase], values)
    if phase == "deal-rest":
        return values["deal"] == "packets" and len(values["packets"]) > 1
    gives = values["surplus"] == "to-partner" and applies("surplus", values)
    if phase == "give":
        return gives
    if phase == "dealer-give":
        return gives and values["rob"] != "nothing"
    if phase == "come-down":
        phases = values["phases"]
        gives_late = gives and phases.index("discard") < phases.index("give")
        buries = values["surplus"] == "bury" and values["discard"] == "all-plain"
        robs = values["rob"] != "nothing" and not (values["rob"] == "all-trumps" and buries)
        return robs or gives_late
    return True


# --- Rules without effect

_OF_PLAIN_LEADS: Final = frozenset({"plain_follow", "plain_void"})


def pointless(
    rule: HouseRule, values: Values, before: Values, settled: Collection[str]
) -> str | None:
    """Return why a house rule changes nothing in a game, ``None`` when it has an effect.

    ``values`` are the rules with it, ``before`` those of the game that they extend, ``settled``
    policies that are written beside it.
    """
    trumps_only = before["plain_follow"] == "trumps-only" and "plain_follow" not in settled
    if trumps_only and _OF_PLAIN_LEADS.issuperset(rule.values):
        return "only trumps are played in this game, so there are no plain leads"
    reasons = [idle_reason(key, values, before) for key in rule.values]
    return None if None in reasons else reasons[0]


def idle_reason(key: str, values: Values, before: Values) -> str | None:
    """Return why the answer to a question has no effect, ``None`` when it has one."""
    switched_off = is_idle(key, values) and values[key] != before.get(key, values[key])
    if switched_off or applies(key, values):
        return None
    if is_idle(key, values):
        return f"{key} is {in_a_sentence(values[key])} in this game already"
    return f'the question "{POLICIES[key].question}" {_unasked_where(key, values)}'


def points_in_play(values: Values) -> int:
    """Return the points of a hand in which every point card is in play."""
    worth = values["points"]
    ranks = sum(worth.get(rank, 0) for rank in values["ranks"])
    total = ranks * (4 if values["points_in"] == "every-suit" else 1)
    total += sum(worth.get(kind, 0) for kind in (*OFF_CARDS, "joker") if values[kind])
    return int(total + values["last_trick_points"] + (values["game_point"] == "count"))


# --- What cannot stand together

PARTNERSHIP: Final = 4
"""So many players make two partnerships."""

_TABLE: Final = """
# The deal
deal != whole-pack, most_dealt > pack_size
    packets deal {most_cards}, the pack has {pack_size}
sides = partners, players lacks 4
    sides cannot be partners without 4 players
deal = whole-pack, kitty_size > 0
    kitty_size leaves a kitty, but the whole pack is dealt
deal = whole-pack, discard != nothing
deal = whole-pack, refill != nobody
    deal cannot be whole-pack where cards are laid off or drawn: nothing is left to draw
kitty_size > 0, discard = nothing
    kitty_size cards go to the maker, who would have to lay off as many: discard is nothing
odd_card = dealer, discard = nothing
    odd_card cannot be dealer where nothing is laid off: one hand would be larger
weak_start != played, points_in = trumps
    weak_start cannot be judged before trumps are named where only trumps carry points
off_five = true, ranks lacks 5
    off_five cannot be a trump in a pack without fives
off_jack = true, ranks lacks J
    off_jack cannot be a trump in a pack without jacks
joker = false, points has joker
    points give the joker a worth, but there is no joker in the pack
high_low = in-play, points_in = every-suit
    high_low cannot be in-play where the cards of every suit carry points
high_low = in-play, both_over = count-order
    high_low cannot be in-play where points are counted out card by card
high_low = in-play, low_to = player
    low_to cannot be player where low is the lowest trump in play: say holder
game_point = count, points_in = every-suit
    game_point cannot be a count of cards where the cards of every suit carry points

# The auction
min_bid > max_bid
    min_bid is {min_bid}, above max_bid {max_bid}: nobody could bid
all_pass = dealer-forced | dealer-at-least | first-forced | first-opens, forced_bid > max_bid
    forced_bid is {forced_bid}, above max_bid {max_bid}
special_bid = dealer-28-56, trump_call = secret
    special_bid cannot be dealer-28-56 while trumps are secret: nobody could check it
special_bid = dealer-28-56, max_bid != 14
    special_bid is dealer-28-56, two and four times fourteen, but max_bid is {max_bid}
auction = duel, sides != partners
auction = duel, players != [4]
    auction can be a duel only between two partnerships
ditto = first-side, auction != duel
    ditto can be for the first side only in a duel
ditto = holder, auction != challenge
    ditto can be for the holder only where auction is challenge: elsewhere there is none
top_bid = ends, equal_bid = dealer-at-maximum | anyone-at-maximum
    equal_bid cannot be {equal_bid} where the highest bid ends the auction at once
ditto != nobody, auction = one-turn
    ditto needs an auction of more than one turn: the standing bid must have an answer
auction = duel, first_caller = dealer
    first_caller cannot be the dealer in a duel, who speaks last
tenny = true, packet_count = 1
tenny = true, tenny_stake = 0
    tenny is played on the first packet before another: it needs two packets and a tenny_stake

# Trumps
trump_call = secret, points_in = trumps
    trump_call cannot be secret while only trumps carry points
trump_call = secret, drop_out != never
    drop_out cannot show who has no trumps while trumps are secret
trump_call = secret, discard != nothing
    discard cannot be {discard} while trumps are secret
trump_call = secret, fold != never
    fold cannot show who has no trumps while trumps are secret
trump_call = secret, first_lead != any
    first_lead cannot be a trump while trumps are secret: the leader may not know them
first_lead = names-trump, discard != nothing
first_lead = names-trump, first_leader != maker
    first_lead can name trumps only where the maker leads and no cards are laid off before
first_lead = names-trump, off_five = true
first_lead = names-trump, off_jack = true
first_lead = names-trump, joker = true
    first_lead cannot name trumps where a card of no suit, or of another, is one of them
trump_call = secret, joker = true
    joker is always a trump, so trumps have to be open
trump_call = open, no_trump != never
    no_trump is said with a hidden card, so trumps have to be secret
trump_call = open, twos != suit
    twos is about the maker's hidden card, so trumps have to be secret
twos = no-trump-reversed, no_trump = colours
    twos cannot mean no trumps reversed where a black joker or three says so already
trump_call = open, seventh_card = true
    seventh_card lies hidden, so trumps have to be secret
seventh_card = true, packet_count = 1
seventh_card = true, last_packet = 1
    seventh_card needs a second packet of two cards or more
seventh_card = true, phases_before_trump has deal-rest
    seventh_card is called before it is dealt: the phases must have trump before deal-rest
trump_call = open, ask != must
    ask cannot be {ask} where trumps are open
trump_call = open, plain_void = must-trump-once-known
    plain_void cannot be must-trump-once-known where trumps are open: say must-trump
trump_call = open, unshown = counts
    unshown is about hidden trumps that never come to light, so trumps have to be secret
ask = end-of-trick, pair = with-a-ruff
    pair cannot be declared with a ruff where the trump is shown at the end of a trick

# The play
plain_follow = trumps-only, drop_out != without-trumps
    plain_follow cannot be trumps-only while a player without trumps stays in
plain_follow = any | any-plain, plain_void != any
    plain_void cannot bind who lacks the suit while who has it may play anything
pair != none, pair_shift = 0
    pair_shift is 0, so the pair would change nothing
four_jacks != played, ranks lacks J
    four_jacks needs jacks in the pack
pair != none, ranks lacks K
pair != none, ranks lacks Q
    pair is king and queen of trumps, and the pack lacks one of them
pair != none, min_bid > pair_cap
    pair_cap is {pair_cap}, below min_bid: no pair could make a contract harder
solo != none, solo_stake = 0
    solo_stake is 0, so playing alone would score nothing
solo != none, made != game-point
solo != none, sides != partners
    solo is for two partnerships that score game points
solo = none, tenny = true, made != game-point
solo = none, tenny = true, sides != partners
    tenny is for two partnerships that score game points
early_phases has solo
    solo is announced right before the first lead, so its phase is the last before play
solo != none, joker = true
tenny = true, joker = true
    joker is always a trump, and who plays alone plays without trumps
doubling != none, made != game-point
    doubling raises game points, and this game scores card points
doubling != none, discard != nothing
    doubling is for games in which no cards are laid off after it
auto_double > 0, made != game-point
    auto_double raises game points, and this game scores card points
stake_two_from > 0, made != game-point
    stake_two_from raises game points, and this game scores card points
stake_three_from > 0, stake_two_from = 0
stake_three_from > 0, stake_two_from >= stake_three_from
    stake_three_from needs a stake_two_from below it
sweep != nothing-extra, made != game-point
    sweep raises game points, and this game scores card points
half_rule != none, failed != minus-game-point
    half_rule is about game points lost, and this game loses card points

# The score
made = game-point, failed != minus-game-point
made != game-point, failed = minus-game-point
    failed is {failed}, but made is {made}: both count game points or none
made = game-point, defenders != nothing
    defenders cannot score {defenders} where contracts score game points
made = game-point, all_pass = no-contract
    all_pass cannot be no-contract where only contracts made or set score
made = game-point, special_bid != none
    special_bid cannot be {special_bid}: it counts card points, and this game game points
made = game-point, slam != nothing-extra
    slam cannot be {slam}: it counts card points, and this game game points
made = difference | bid-less-others, defenders = own-points
    defenders cannot score their own points as well where made is {made}
made = difference | bid-less-others, sides != partners
    made cannot be {made} where more than two sides score
defenders = bid-and-own-if-set, sides != partners
    defenders cannot score the bid where more than one side defends
both_over = count-order, points_in = every-suit
    both_over cannot be count-order where the cards of every suit carry points
both_over = count-order, uncounted != nothing
    count_order leaves out {uncounted}, which count points
both_over = count-order, game_point = count
both_over = count-order, last_trick_points > 0
    both_over cannot be count-order where points are scored that no card carries
both_over = count-order, made != points
both_over = count-order, defenders != own-points
    both_over cannot be count-order where not every side scores the points it took
both_over = count-order, clamp = true
    clamp cannot be set where points are counted out: the count stops at the target by itself
both_over = extra-hand, sides != partners
    both_over cannot be extra-hand where more than two sides may get there

# The exchange
rob != nothing, refill = nobody
    rob is {rob}, but nobody is dealt cards before it
rob != nothing, refill = everybody
    refill is for everybody, but the dealer takes from the rest instead
rob = nothing, refill = others
    rob is nothing, but nobody deals new cards to the dealer either
discard = all-plain | plain-if-liked | any, refill = nobody
    refill is nobody, but discard is {discard}: hands would be short
discard = nothing, refill != nobody
    refill needs a discard before it: nobody is short of cards
discard = nothing, deal = packets, dealt > hand_size
discard = nothing, deal = packets, hand_size > dealt
    hand_size is {hand_size}, but {cards_dealt} are dealt and kept
discard != nothing, refill = nobody, hand_size > dealt
    hand_size is {hand_size}, but only {cards_dealt} are dealt and none drawn
rob = whole-stock | whole-stock-first | to-size | stock-and-discards, phases lacks come-down
    rob cannot be {rob} without come-down among the phases
rob = all-trumps, surplus = discard, phases lacks come-down
    surplus cannot be discard without come-down among the phases, after rob
rob = all-trumps, discard = plain-if-liked, phases lacks come-down
    discard cannot be plain-if-liked without come-down among the phases, after rob
surplus = to-partner, phases lacks give
    surplus cannot be to-partner without give among the phases
surplus = to-partner, rob != nothing, phases lacks dealer-give
    surplus cannot be to-partner without dealer-give among the phases, after rob
surplus = to-partner, rob = whole-stock-first
    rob cannot be whole-stock-first where surplus goes to the partner before the dealer robs
surplus = to-partner, sides != partners
    surplus cannot be to-partner where everybody plays alone
surplus = to-partner, fold != never
    surplus cannot be to-partner where the partner may have folded
fold != never, sides != partners
    fold needs a partner who plays on
discard != nothing, discarded_points = opponents, sides != partners
    discarded_points cannot be opponents where everybody plays alone
search_discards = true, rob = nothing
    search_discards needs a dealer who looks through the rest of the stock
rob_keeps_points = true, rob != to-size
    rob_keeps_points has no meaning where rob is {rob}: it limits a dealer who takes any cards
surplus_shown = true, rob != to-size
    surplus_shown has no meaning where rob is {rob}: no trump is left in the stock
discards_claimed = true, discards_shown != all
    discards_claimed needs discards that are shown: nobody can claim what nobody sees
"""
"""What cannot be, one after the other: conditions, as ``relevance`` reads them, of
which any will do, and indented below them a sentence that begins with the policy to change.

What cannot be at all in a game stands before the phase that it would need.
"""
_OUT_OF_REACH: Final = """
strange_cards != nothing
    points give a worth to {strange_cards}, which this game does not have
min_bid > reach
    min_bid is {min_bid}, and there are {points_in_play} points: no bid could be made
max_bid > reach
    max_bid is {max_bid}, and there are {points_in_play} points: nobody could make such a bid
goes_out_at > target
    target is {target}, below goes_out_at {goes_out_at}, so nobody goes out
"""
"""The same of what contradicts nothing, and comes to nothing."""
_ORDERS: Final = (
    *("trump before double", "trump before fold", "trump before give", "trump before discard"),
    *("kitty before discard", "deal-rest before fold", "deal-rest before discard"),
    *("fold before discard", "discard before refill", "refill before rob", "give before refill"),
    *("give before dealer-give", "rob before dealer-give", "dealer-give before come-down"),
    *("rob before come-down", "come-down before show", "rob before show"),
)
"""Phases of which the one has to come before the other, where a game has both."""


def contradiction(values: Values) -> tuple[str, str] | None:
    """Return a policy that contradicts another one, and the reason; ``None`` when all is well."""
    return next(((key, reason) for wrong, key, reason in checks(values) if wrong), None)


def out_of_reach(values: Values) -> tuple[str, str] | None:
    """Return a policy that asks for what cannot be, and the reason; ``None`` when all is well."""
    found = _checked(_OUT_OF_REACH, values)
    return next(((key, reason) for wrong, key, reason in found if wrong), None)


def partnership_problem(values: Values, seats: int) -> str | None:
    """Return why so many players cannot sit down to these rules; ``None`` when they can (S42)."""
    if values["sides"] == "partners" and seats != PARTNERSHIP:
        return f"holds {seats} players, but partnerships are for {PARTNERSHIP}"
    return None


def checks(values: Values) -> Iterator[tuple[bool, str, str]]:
    """Yield everything that is checked: whether it is wrong, the policy, and the reason."""
    yield from _checked(_TABLE, values)
    phases = values["phases"]
    for phase, key in POLICY_OF_PHASE.items():
        wrong = not is_idle(key, values) and phase not in phases
        yield wrong, key, f"is {in_a_sentence(values[key])}, but the phases have no {phase}"
    wrong = len(values["packets"]) > 1 and "deal-rest" not in phases
    yield wrong, "packets", "are more than one, but the phases have no deal-rest"
    for order in _ORDERS:
        places = [phases.index(phase) for phase in order.split(" before ") if phase in phases]
        yield places != sorted(places), "phases", f"must have {order}"


def _checked(table: str, values: Values) -> Iterator[tuple[bool, str, str]]:
    counts = {**values, **_figures(values)}
    said = {key: in_a_sentence(value) for key, value in counts.items()}
    for conditions, key, reason in rows(table):
        wrong = any(holds(condition, counts) for condition in conditions)
        yield wrong, key, reason.format_map(said)


@cache
def rows(table: str = _TABLE) -> list[tuple[list[str], str, str]]:
    """Return a table: by row its conditions, the policy to change, the reason."""
    found: list[tuple[list[str], str, str]] = []
    conditions: list[str] = []
    for line in table.splitlines():
        if line.startswith(" "):
            key, reason = line.split(maxsplit=1)
            found.append((conditions, key, reason))
            conditions = []
        elif line and not line.startswith("#"):
            conditions.append(line)
    return found


def _figures(values: Values) -> dict[str, object]:
    packets, phases = values["packets"], values["phases"]
    dealt = sum(packets)
    most = dealt * max(values["players"]) + values["kitty_size"]
    uncounted = [card for card in values["points"] if card not in values["count_order"]]
    cards = {*values["ranks"], *(kind for kind in OFF_CARDS if values[kind]), "joker"}
    strange = [kind for kind in values["points"] if kind not in cards]
    points = points_in_play(values)
    return {
        "pack_size": 4 * len(values["ranks"]) + int(values["joker"]),
        "packet_count": len(packets),
        "last_packet": packets[-1],
        "dealt": dealt,
        "cards_dealt": counted(dealt, "card"),
        "most_dealt": most,
        "most_cards": counted(most, "card"),
        "phases_before_trump": phases[: phases.index("trump")],
        "early_phases": phases[:-2],
        "uncounted": ", ".join(uncounted) or "nothing",
        "strange_cards": ", ".join(strange) or "nothing",
        "points_in_play": points,
        "reach": points + (values["pair_shift"] if values["pair"] != "none" else 0),
    }
