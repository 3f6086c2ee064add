"""Faults and noise for records: actions that follow the grammar and little else."""

import random

from msgspec.structs import replace

from tricklog.schemas.actions import (
    TAKES_BID,
    TAKES_CARDS,
    TAKES_ONE_CARD,
    TAKES_TRUMP,
    TAKES_TWO_CARDS,
    TRUMP_CODES,
    VERB_NAMES,
    Verb,
)
from tricklog.schemas.cards import CARD_NAMES
from tricklog.schemas.hand import Claimed, Hand


def noise(chance: random.Random) -> str:
    """Return any action that follows the grammar."""
    verb = chance.choice(list(Verb))
    name, seat = VERB_NAMES[verb], chance.choice("0123" * 4 + "456")
    if verb in TAKES_BID:
        bids = ["5", "6", "7", "8", "15", "16", "30", "31", "28-56", str(chance.randint(1, 999))]
        return f"{seat} {name} {chance.choice(bids)}"
    if verb in TAKES_TRUMP:
        # A trump that is shown is a suit, no longer hidden.
        kept_secret = {"*", "seventh"} if verb == Verb.REVEAL else set()
        return (
            f"{seat} {name} {chance.choice([*sorted(set(TRUMP_CODES) - kept_secret), *'SHDC' * 3])}"
        )
    count = 0
    if verb in TAKES_ONE_CARD:
        count = 1
    elif verb in TAKES_TWO_CARDS:
        count = 2
    elif verb in TAKES_CARDS:
        count = chance.choice([1, 1, 2, 3, 4, 5, 6, 7, 9, 12, 20])
    words = [*CARD_NAMES, *"????**"]
    return " ".join([str(seat), name, *chance.sample(words, count)])


def broken(hand: Hand, chance: random.Random) -> Hand:
    """Return the hand with actions dropped, doubled, shuffled, given to others or replaced."""
    actions = list(hand.actions)
    for _ in range(chance.choice([0, 1, 1, 2, 4])):
        if not actions:
            break
        one, other = chance.randrange(len(actions)), chance.randrange(len(actions))
        change = chance.randrange(8)
        if change == 0:
            del actions[one]
        elif change == 1:
            actions.insert(one, actions[other])
        elif change == 2:
            actions[one], actions[other] = actions[other], actions[one]
        elif change == 3:
            actions[one] = f"{chance.randrange(len(hand.players))}{actions[one][1:]}"
        elif change == 4:
            actions.insert(one, noise(chance))
        elif change == 5:
            actions[one] = noise(chance)
        elif change == 6:
            start = 0 if chance.random() < 0.3 else one
            stretch = actions[start : start + 5]
            chance.shuffle(stretch)
            actions[start : start + 5] = stretch
        else:
            del actions[one:]
    return replace(hand, actions=actions)


def with_noisy_cards(hand: Hand, chance: random.Random) -> Hand:
    """Return the hand with cards changed, missing or twice in what was dealt."""
    piles = [*(hand.deal or []), hand.stock or "", hand.kitty or ""]
    for _ in range(chance.choice([0, 1, 1, 5])):
        place = chance.randrange(len(piles))
        cards = piles[place].split()
        if not cards or chance.random() < 0.2:
            cards.append(chance.choice(CARD_NAMES))
        elif chance.random() < 0.3:
            cards.pop()
        else:
            cards[chance.randrange(len(cards))] = chance.choice(CARD_NAMES)
        piles[place] = " ".join(cards)
    claimed = Claimed(
        points=[chance.randrange(15) for _ in range(chance.choice([2, 2, 3]))],
        winners=[chance.randrange(7) for _ in range(chance.randrange(10))],
    )
    scores = [0] * chance.choice([2, 2, 2, 3])
    return replace(
        hand, deal=piles[:-2], stock=piles[-2], kitty=piles[-1], claimed=claimed, scores=scores
    )
