"""Faults between the auction and the tricks, from the kitty to the rob."""

from tests.mutations.kinds import Act, Faults, Subject, at, on
from tests.reference_engine.table import Table

DISCARDS = ("discard", "discard-up")


def first_discards(subject: Subject) -> list[int]:
    """Return the discards of hands as dealt: each seat's first, before the dealer robs.

    One that is followed by another, with nothing in between, is only a part of it.
    """
    found, seats = [], set()
    for index, (seat, verb, _) in enumerate(subject.actions):
        if verb == "rob":
            break
        if verb in DISCARDS and seat not in seats:
            seats.add(seat)
            later = [verb for who, verb, _ in subject.actions[index + 1 :] if who == seat]
            if later[:1] not in (["discard"], ["discard-up"]):
                found.append(index)
    return subject.shuffled(found)


def is_free_dealer(act: Act) -> bool:
    """Does the dealer choose the last cards freely in robbing, so that no clearing is due?"""
    return act.seat == act.table.dealer and act.game.has("rob", "to-size", "stock-and-discards")


def trumps_lie_free(act: Act) -> bool:
    """Is laying off a trump no fault, since others may take it up (S19, S20)?"""
    return bool(act.game.values["search_discards"] or act.game.values["discards_claimed"])


# --- The kitty
@on("kitty")
def kitty_taken_by_another(act: Act) -> Faults:
    yield act.instead("kitty-by-other", act.rest, act.other(), alone=False)


@on("kitty")
def kitty_taken_in_part(act: Act) -> Faults:
    if len(act.rest) > 1:
        yield act.faulty("kitty-count", act.rest[1:], sound=True)


@on("kitty")
def card_not_in_the_kitty(act: Act) -> Faults:
    strange = act.pick(act.table.hands[act.other()])
    yield act.instead("card-not-in-kitty", [*act.rest[1:], strange])


# --- Laying off
@at(first_discards)
def plain_card_kept(act: Act) -> Faults:
    """Where all plain cards go, or all beside too many trumps, one stays."""
    plain, many = act.plain(act.rest), len(act.trumps()) > act.game.hand_size
    all_go = act.game.has("discard", "all-plain") or (act.game.has("discard", "to-size") and many)
    if all_go and plain and len(act.rest) > 1 and not is_free_dealer(act):
        yield act.instead("kept-plain", act.without(act.pick(plain)), alone=False)


def must_keep_trumps(act: Act) -> bool:
    """Must the seat of a discard keep every trump it holds?"""
    if trumps_lie_free(act) or is_free_dealer(act) or act.game.has("discard", "any", "nothing"):
        return False
    return act.game.has("surplus", "bury") or len(act.trumps()) <= act.game.hand_size


def to_size(act: Act) -> bool:
    return act.game.has("discard", "to-size", "points-kept")


def kept_in(act: Act) -> list[str]:
    """Return the discard, with room for one card more where hands come down to size."""
    return act.rest[1:] if to_size(act) else act.rest


@at(first_discards)
def trump_laid_off(act: Act) -> Faults:
    """A trump without points goes with the plain cards, or in the place of one."""
    blanks = act.blanks(act.held - set(act.rest))
    if blanks and must_keep_trumps(act) and not act.game.has("discard", "points-kept"):
        yield act.faulty("discarded-trump", [*kept_in(act), act.pick(blanks)])


@at(first_discards)
def points_laid_off(act: Act) -> Faults:
    """A point card of trumps goes with the plain cards, or in the place of one."""
    points = act.points(act.held - set(act.rest))
    if points and must_keep_trumps(act) and not act.game.has("discarded_points", "opponents"):
        yield act.faulty("discarded-points", [*kept_in(act), act.pick(points)])


@at(first_discards)
def too_few_laid_off(act: Act) -> Faults:
    """Down to size means down to it: one plain card less stays over."""
    if to_size(act) and len(act.trumps()) <= act.game.hand_size and len(act.rest) > 1:
        yield act.faulty("discard-count", act.rest[1:])


@at(first_discards)
def too_many_laid_off(act: Act) -> Faults:
    left = act.plain(act.held - set(act.rest))
    if to_size(act) and len(act.trumps()) <= act.game.hand_size and left:
        yield act.faulty("discard-count", [*act.rest, act.pick(left)])


@at(first_discards)
def surplus_not_laid_off(act: Act) -> Faults:
    """Where surplus trumps are discarded, one of them stays."""
    game, trumps = act.game, sorted(act.trumps(act.rest))
    stays = act.trumps(act.held - set(act.rest)) | {*trumps[:1]}
    # Who lays off points besides has room for it.
    comes_down = len(stays) > game.hand_size and game.has("surplus", "discard")
    # The dealer comes down to size only after the rob.
    later = act.seat == act.table.dealer and not game.has("rob", "nothing")
    bound = game.has("discard", "all-plain") and not (is_free_dealer(act) or later)
    if comes_down and bound and trumps and len(act.rest) > 1 and not trumps_lie_free(act):
        yield act.faulty("discard-count", act.without(trumps[0]))


@on(*DISCARDS, "bury")
def card_of_another_laid_off(act: Act) -> Faults:
    if held := act.table.hands[act.other()]:
        yield act.instead("card-not-held", [*act.rest[1:], act.pick(held)])


# --- Coming down to size after the rest was taken
def last_discards(subject: Subject) -> list[int]:
    """Return the discards of a dealer who has robbed."""
    robs = [index for index, (_, verb, _) in enumerate(subject.actions) if verb == "rob"]
    return [index for index in subject.places(*DISCARDS) if robs and index > robs[0]]


@at(last_discards)
def dealer_comes_down_too_little(act: Act) -> Faults:
    game, plain, kept = act.game, act.plain(), act.chance.choice(act.rest)
    free = is_free_dealer(act) or game.has("discard", "any", "points-kept")
    all_go = kept in plain and plain <= set(act.rest) and not free
    left = len(act.held) - len(act.rest) + 1
    # A dealer who takes the pack first may keep any number up to the hand size (O66).
    fewer = game.has("rob", "whole-stock-first") and left <= game.hand_size
    if len(act.rest) > 1 and not fewer:
        yield act.faulty("kept-plain" if all_go else "discard-count", act.without(kept))


@at(last_discards)
def dealer_comes_down_by_a_point_card(act: Act) -> Faults:
    points = act.points(act.held - set(act.rest))
    free = act.game.has("discard", "any") or act.game.has("discarded_points", "opponents")
    if points and not free:
        yield act.faulty("discarded-points", [*act.rest[1:], act.pick(points)])


# --- What has to be shown
@on("discard-up")
def discard_not_shown(act: Act) -> Faults:
    trumps = act.game.has("discards_shown", "trumps") and act.trumps(act.rest)
    if act.game.has("discards_shown", "all") or trumps:
        cards = " ".join(act.rest)
        yield act.faulty("discard-not-shown", f"discard {cards}", sound=True)


@on("show")
def rest_not_shown(act: Act) -> Faults:
    """The dealer says nothing of trumps left in the stock, and plays."""
    hand = act.subject.instead(act.index)
    for by, text in enumerate(hand.actions[act.index :]):
        if act.table.number == 0 and text.startswith(f"{act.seat} play "):
            yield act.fault("discard-not-shown", hand, by)


# --- Claiming
def claim_times(subject: Subject) -> list[int]:
    """Return where cards may be claimed: from the first discard to the end of the exchange."""
    if not subject.game.values["discards_claimed"]:
        return []
    start = min(subject.places(*DISCARDS), default=len(subject.actions))
    ends = subject.places("rob", "play", "bury")
    draws = subject.places("draw")
    if draws and subject.game.has("rob", "whole-stock-first"):
        # What a dealer lays off who has taken the stock first, or found none, ends the exchange.
        ends += [index for index in subject.places(*DISCARDS) if index > min(draws)]
    end = min(ends, default=0)
    return [index for index in subject.places(*DISCARDS, "draw", "claim") if start < index < end]


def laid_off(table: Table, seat: int, *, opponents: bool = True) -> set[str]:
    """Return the discards of one's opponents, or of one's own side."""
    side, seats = table.game.side, table.seats
    whose = [each for each in seats if (side(each) != side(seat)) == opponents]
    return {card for each in whose for card in table.discards[each]}


def may_claim(act: Act, seat: int) -> bool:
    trumps = act.trumps(act.table.hands[seat])
    return seat not in act.table.filled and len(trumps) < act.game.hand_size


def claim(*cards: str) -> str:
    return f"claim {' '.join(cards)}"


@at(claim_times)
def claimed_by_who_may_not(act: Act) -> Faults:
    """Who has drawn, holds trumps enough, or is on the same side claims a trump."""
    for seat in act.seats():
        own_side = may_claim(act, seat)
        cards = act.trumps(laid_off(act.table, seat, opponents=not own_side))
        plain = act.plain(act.table.hands[seat])
        if cards:
            given = [act.pick(plain)] if plain else []
            yield act.added("claim-not-allowed", claim(act.pick(cards), *given), seat)


@at(claim_times)
def claimed_for_the_wrong_card(act: Act) -> Faults:
    """A trump is given for the claimed one, or nothing in spite of a plain card in hand."""
    for seat in act.seats():
        cards = act.trumps(laid_off(act.table, seat))
        plain, trumps = act.plain(act.table.hands[seat]), act.trumps(act.table.hands[seat])
        if cards and plain and may_claim(act, seat):
            given = [act.pick(trumps)] if trumps and act.chance.random() < 0.5 else []
            text = claim(act.pick(cards), *given)
            if given:
                yield act.added("claim-not-allowed", text, seat)
            else:
                # The hand is one card too large from there on.
                yield act.before("claim-not-allowed", text, seat, alone=False)


@at(claim_times)
def plain_card_claimed(act: Act) -> Faults:
    for seat in act.seats():
        plain = act.plain(act.table.hands[seat])
        theirs = act.plain(laid_off(act.table, seat))
        if plain and theirs and may_claim(act, seat):
            text = claim(act.pick(theirs), act.pick(plain))
            yield act.added("claim-not-allowed", text, seat)


@at(claim_times)
def claimed_out_of_nowhere(act: Act) -> Faults:
    seat = act.chance.choice(list(act.table.seats))
    held, own = act.table.hands[act.subject.others(seat)[0]], act.table.hands[seat]
    if held and own:
        yield act.before("card-not-in-stock", claim(act.pick(held), act.pick(own)), seat)


# --- Drawing
@on("draw")
def draw_before_ones_turn(act: Act) -> Faults:
    """Two seats are dealt their cards the other way round."""
    all_laid_off = act.index > max(act.subject.places(*DISCARDS), default=0)
    _, verb, cards = act.next
    if verb == "draw" and all_laid_off and {*act.rest, *cards} <= set(act.table.stock):
        texts = act.subject.hand.actions[act.index : act.index + 2]
        hand = act.subject.instead(act.index, *reversed(texts), count=2)
        yield act.fault("draw-out-of-turn", hand)


@on("draw")
def too_few_drawn(act: Act) -> Faults:
    """One card of a draw is left out; a discard, where the stock did not do: it goes first."""
    left_out = next((card for card in act.rest if card not in act.table.stock), act.rest[-1])
    if len(act.rest) > 1:
        yield act.faulty("draw-count", act.without(left_out))


@on("draw")
def too_many_drawn(act: Act) -> Faults:
    if below := act.table.stock[len(act.rest) :]:
        yield act.faulty("draw-count", [*act.rest, below[0]])


@on("draw")
def drawn_from_below(act: Act) -> Faults:
    below = act.table.stock[len(act.rest) :]
    if below and set(act.rest) <= set(act.table.stock):
        yield act.faulty("draw-order", [*act.rest[:-1], act.chance.choice(below)])


@at(lambda subject: [*subject.places("draw"), *subject.places("rob")])
def drawn_from_elsewhere(act: Act) -> Faults:
    if held := act.table.hands[act.other()]:
        yield act.instead("card-not-in-stock", [*act.rest[:-1], act.pick(held)])


# --- Robbing
def is_short(act: Act) -> bool:
    """Is the rest of the stock too short for the dealer's hand (S13)?"""
    left, searched = set(act.table.stock), bool(act.game.values["search_discards"])
    for pile in act.table.discards if searched else ():
        left |= act.trumps(pile)
    # May the dealer take discards in any case?
    is_open = searched or act.game.has("rob", "stock-and-discards")
    short = len(left) + len(act.held) < act.game.hand_size
    return short or bool(set(act.rest) & act.table.discards[act.seat] and not is_open)


def takes_all(act: Act) -> bool:
    return act.game.has("rob", "whole-stock", "whole-stock-first")


def plain_left(act: Act) -> set[str]:
    return act.plain(set(act.table.stock) - set(act.rest))


@on("rob")
def robbed_by_another(act: Act) -> Faults:
    if set(act.rest) <= set(act.table.stock):
        yield act.instead("rob-by-other", act.rest, act.other(), alone=False)


@on("rob")
def trump_left_in_the_stock(act: Act) -> Faults:
    """A trump stays, and a plain card is taken for it where there is one."""
    if not act.game.has("rob", "all-trumps") or is_short(act):
        return
    trumps, left = act.trumps(act.rest), plain_left(act)
    if trumps and (left or len(act.rest) > 1):
        taken = act.without(act.pick(trumps))
        yield act.faulty("rob-left-trumps", [*taken, act.pick(left)] if left else taken)


@on("rob")
def point_card_left_in_the_stock(act: Act) -> Faults:
    """A dealer who chooses leaves a point trump for a card without points (S22)."""
    if not act.game.values["rob_keeps_points"] or is_short(act):
        return
    points, left = act.points(set(act.rest) & set(act.table.stock)), plain_left(act)
    if points and left and len(points | act.points()) <= act.game.hand_size:
        yield act.faulty("rob-left-trumps", [*act.without(act.pick(points)), act.pick(left)])


@on("rob")
def card_left_of_the_whole_stock(act: Act) -> Faults:
    if takes_all(act) and len(act.rest) > 1:
        yield act.faulty("rob-left-trumps", act.rest[1:])


@on("rob")
def rest_of_the_stock_left(act: Act) -> Faults:
    who, verb, _ = act.next
    # What the dealer does next they may do with a card that they have taken.
    if takes_all(act) and verb == "play" and who != act.seat:
        # Cards of the stock, played later, would show that the dealer took them unrecorded.
        hand = act.subject.played_on(act.index, act.subject.hand.actions[act.index + 1])
        if hand is not None:
            yield act.fault("not-robbed", hand, alone=False, seat=act.seat)


@on("rob")
def laid_off_only_after_robbing(act: Act) -> Faults:
    """The dealer takes the rest of the stock with plain cards that had to go before."""
    subject, acts = act.subject, act.subject.actions
    own = [each for each, (who, verb, _) in enumerate(acts) if (who, verb) == (act.seat, "discard")]
    plays = [each for each, (_, verb, _) in enumerate(acts) if verb == "play"]
    if not act.game.has("rob", "whole-stock") or not own or own[0] > act.index or not plays:
        return
    if len(subject.tables[plays[0]].hands[act.seat]) != act.game.values["hand_size"]:
        # After robbing the dealer comes down to a hand, and no further.
        return
    first = Act(subject, own[0])
    cards = [card for each in own for card in acts[each][2]]
    # Laying trumps off is the first fault then.
    if first.plain() and not first.trumps(cards):
        kept = [each for each in range(len(acts)) if each not in own]
        actions, place = [subject.hand.actions[each] for each in kept], kept.index(act.index) + 1
        actions.insert(place, first.text(cards))
        yield subject.fault("discard-out-of-turn", place, subject.ended(0, *actions), alone=False)


@on("rob")
def too_much_robbed(act: Act) -> Faults:
    """A plain card more than the hand size takes."""
    left = plain_left(act)
    if left and act.game.has("rob", "all-trumps"):
        yield act.faulty("rob-count", [*act.rest, act.pick(left)])


@on("rob")
def too_little_robbed(act: Act) -> Faults:
    """A plain card less than the hand size takes."""
    plain = act.plain(act.rest) & set(act.table.stock)
    fits = len(act.held) + len(act.rest) == act.game.hand_size
    if plain and fits and len(act.rest) > 1 and not (is_short(act) or takes_all(act)):
        yield act.faulty("rob-count", act.without(act.pick(plain)))


# --- What does no harm
@on("draw")
def draw_in_two_goes(act: Act) -> Faults:
    if len(act.rest) > 1:
        cut = act.chance.randrange(1, len(act.rest))
        parts = [act.text(part) for part in (act.rest[:cut], act.rest[cut:])]
        yield act.fault("draw-split", act.subject.instead(act.index, *parts), 1)


# --- Giving surplus to the partner
def gives_points_only(act: Act) -> bool:
    """Are blanks laid off before anything is given (S66)?"""
    return act.game.has("discard", "to-size")


def for_the_partner(act: Act) -> set[str]:
    """Return what the seat holds of the trumps that count for a gift."""
    return act.points() if gives_points_only(act) else act.trumps()


def has_robbed(act: Act) -> bool:
    return any(verb == "rob" for _, verb, _ in act.subject.actions[: act.index])


@on("give")
def too_many_given(act: Act) -> Faults:
    held = for_the_partner(act)
    more, surplus = held - set(act.rest), len(act.rest) == len(held) - act.game.hand_size
    if act.game.has("surplus", "to-partner") and surplus and more and not has_robbed(act):
        yield act.faulty("give-count", [*act.rest, act.pick(more)])


@on("give")
def too_few_given(act: Act) -> Faults:
    points_kept = act.game.has("discard", "points-kept")
    kept = points_kept or gives_points_only(act) or not act.game.has("fold", "never")
    # A blank that is kept may still be laid off.
    blanks = act.blanks()
    laid_off = points_kept and blanks - set(act.rest[1:])
    # Of blanks and point cards together, it may be a point card that had to go.
    mixed = blanks & set(act.rest) and set(act.rest) - blanks
    if kept and len(act.rest) > 1 and not laid_off and not mixed:
        yield act.faulty("give-count", act.rest[1:])


def giving_times(subject: Subject) -> list[int]:
    """Return where surplus may be given: while hands as dealt are laid off."""
    if not subject.game.has("surplus", "to-partner"):
        return []
    return [index for index in first_discards(subject) if not subject.tables[index].number]


@at(giving_times)
def given_without_surplus(act: Act) -> Faults:
    """Who has no more trumps than a hand holds gives one, or gives a plain card.

    Trumps without points do not count where they are laid off first.
    """
    if len(for_the_partner(act)) <= act.game.hand_size:
        yield act.added("give-not-allowed", f"give {act.pick(act.held)}")


@at(giving_times)
def point_card_given_beside_blanks_too_many(act: Act) -> Faults:
    """Who has too many trumps, but not too many with points, gives one of these (S66)."""
    points, size = act.points(), act.game.hand_size
    if gives_points_only(act) and 0 < len(points) <= size < len(act.trumps()):
        yield act.added("give-not-allowed", f"give {act.pick(points)}")


@at(giving_times)
def blanks_given(act: Act) -> Faults:
    """Who has too many trumps gives one without points instead of laying it off (S66)."""
    blanks = act.blanks()
    if gives_points_only(act) and blanks and len(act.trumps()) > act.game.hand_size:
        yield act.added("give-not-allowed", f"give {act.pick(blanks)}")


@on("give")
def blank_given_for_a_point_card(act: Act) -> Faults:
    """A trump without points goes to the partner in the place of one with points (S66, S76)."""
    blanks, points_only = act.blanks(), gives_points_only(act) or has_robbed(act)
    if act.game.has("surplus", "to-partner") and points_only and blanks:
        yield act.faulty("give-not-allowed", [*act.rest[1:], act.pick(blanks)])


@on("give")
def gift_returned(act: Act) -> Faults:
    """Gifts go one way only (S71)."""
    phases, partner = act.game.values["phases"], (act.seat + 2) % 4
    trumps = act.trumps(act.subject.tables[act.index + 1].hands[partner])
    # Else who gets something back lays off once more.
    gives_first = phases.index("give") < phases.index("discard")
    if act.game.has("surplus", "to-partner") and trumps and gives_first:
        yield act.added("give-not-allowed", f"give {act.pick(trumps)}", partner, by=1)


# --- Folding
def folding_times(subject: Subject) -> list[int]:
    """Return where a seat may fold: before it lays off."""
    return [] if subject.game.has("fold", "never") else first_discards(subject)


@at(folding_times)
def folded_with_trumps(act: Act) -> Faults:
    if act.trumps():
        yield act.added("fold-with-trumps", "fold")


@on("fold")
def not_folded(act: Act) -> Faults:
    """A seat without trumps lays off as if it played on."""
    over = len(act.held) - act.game.hand_size
    laid_off = [place for place in act.subject.places(*DISCARDS) if place > act.index]
    # Who has not folded by the time that others draw or rob is taken to be out.
    ends = [place for place in act.subject.places("draw", "rob") if place > act.index]
    if laid_off and over > 0 and min(laid_off) < min(ends, default=min(laid_off) + 1):
        text = act.text(f"discard {' '.join(act.chance.sample(sorted(act.held), over))}")
        actions = list(act.subject.hand.actions)
        actions.insert(min(laid_off), text)
        del actions[act.index]
        hand = act.subject.ended(0, *actions)
        yield act.subject.fault("not-folded", actions.index(text), hand, alone=False)


@at(folding_times)
def trumps_given_to_fold_wrongly(act: Act) -> Faults:
    """The maker, or who holds too many trumps for it, gives one to the partner in order to fold."""
    trumps = act.trumps()
    one_or_two = act.game.has("fold", "with-one-or-two")
    any_two = one_or_two or act.game.two(act.table.trump) in trumps
    few = len(trumps) == 1 or (len(trumps) == 2 and any_two)
    wrong = act.seat == act.table.maker or not few
    if trumps and wrong and (act.seat + 2) % 4 not in act.table.folded:
        text = f"give {act.pick(trumps)}"
        # Who has given trumps away in order to fold cannot go on.
        yield (
            act.before("give-not-allowed", text, alone=False)
            if one_or_two
            else act.added("give-not-allowed", text)
        )
