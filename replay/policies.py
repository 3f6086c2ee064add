"""The rules questions a system answers, and the answers there are.

Each enum is one question of the rules; each member one answer, with its source as a citation into
``docs/rules/``. Variant files write a member as its name in lower case with hyphens. Engine code
branches on these values and never on which variant it is.
"""

from __future__ import annotations

from enum import IntEnum


class Sides(IntEnum):
    """Who scores together?"""

    PARTNERS = 0
    """Two sides, every other seat (1.players, 14.players)."""
    SINGLES = 1
    """Each for himself (6.players)."""


class Direction(IntEnum):
    """Which way do deal, calls and play go round?"""

    CLOCKWISE = 0
    """To the left (1.players)."""
    ANTICLOCKWISE = 1
    """To the right (O33, O57)."""


class PointsIn(IntEnum):
    """Which cards carry points?"""

    TRUMPS = 0
    """Only those of the trump suit (1.points)."""
    EVERY_SUIT = 1
    """Those of all four suits (14.points)."""


class LowTo(IntEnum):
    """Who scores the two of trumps?"""

    WINNER = 0
    """The side that takes it in a trick (C01, O17)."""
    HOLDER = 1
    """The side that has it in hand when the first trick begins (1.points, S09)."""
    PLAYER = 2
    """The side of the player who plays it (8.points)."""


class Auction(IntEnum):
    """How long does the auction go on?"""

    ONE_TURN = 0
    """Every seat speaks once (1.auction)."""
    ROUNDS = 1
    """Until all others have passed (8.auction, 14.auction)."""


class AllPass(IntEnum):
    """What if nobody bids?"""

    DEALER_FORCED = 0
    """The dealer must make the forced bid (1.auction, 14.auction)."""
    THROWN_IN = 1
    """The deal is thrown in and passes on (8.auction)."""


class TrumpCall(IntEnum):
    """Is the trump suit named openly?"""

    OPEN = 0
    """The maker says it at once (1.trump-call)."""
    SECRET = 1
    """The maker hides it; the first player who cannot follow must ask (14.trump-call)."""


class Discard(IntEnum):
    """What is laid off before play?"""

    ALL_PLAIN = 0
    """Every plain card, and nothing else of need (1.exchange)."""
    TO_SIZE = 1
    """Down to the hand size, plain cards first (8.exchange, S53)."""


class Surplus(IntEnum):
    """What becomes of trumps beyond the hand size?"""

    BURY = 0
    """They are kept and go under the card played to the first trick (1.surplus, 8.surplus)."""
    DISCARD = 1
    """They are discarded before play, never one with points (4.exchange)."""


class SurplusPoints(IntEnum):
    """May a point card be among the surplus put to the first trick?"""

    NONE = 0
    """No point card may be buried under the card that counts (1.surplus)."""
    ONE = 1
    """One among all cards put there; with every point card in hand, the two besides (8.surplus)."""


class Rob(IntEnum):
    """What does the dealer take when he looks through the rest of the stock?"""

    ALL_TRUMPS = 0
    """Every trump, and other cards to make up the hand size (1.rob, S13, S14)."""
    WHOLE_STOCK = 1
    """All that is left, and then comes down to the hand size (4.rob)."""


class FirstLeader(IntEnum):
    """Who leads to the first trick?"""

    MAKER = 0
    """The winner of the auction (1.lead)."""
    NEXT_TO_DEALER = 1
    """The seat after the dealer in the direction of play (14.lead)."""


class FirstLead(IntEnum):
    """What may be led to the first trick?"""

    ANY = 0
    """Any card (1.lead)."""
    TRUMP = 1
    """A trump, if the leader has one (O10)."""


class PlainFollow(IntEnum):
    """What may be played to a plain lead by a player who holds the suit?"""

    FOLLOW_OR_TRUMP = 0
    """A card of the suit or a trump (1.follow)."""
    FOLLOW = 1
    """A card of the suit (14.lead, O11)."""
    ANY = 2
    """Any card (8.follow, O12)."""
    TRUMPS_ONLY = 3
    """There are no plain leads: only trumps are played (4.follow)."""


class PlainVoid(IntEnum):
    """What may be played to a plain lead by a player without the suit?"""

    ANY = 0
    """Any card (1.follow, C04)."""
    MUST_TRUMP = 1
    """A trump, if he has one (O16)."""


class TrumplessTrick(IntEnum):
    """Who wins a trick without a trump?"""

    HIGHEST_OF_SUIT = 0
    """The highest card of the suit led (1.trick)."""
    LEADER = 1
    """Whoever led it (8.trick, C17)."""


class DropOut(IntEnum):
    """Does a player without trumps stay in the hand?"""

    NEVER = 0
    """Everybody plays to the end (1.follow)."""
    WITHOUT_TRUMPS = 1
    """He throws in his cards and is out (4.drop-out, 8.drop-out)."""


class Pair(IntEnum):
    """Do king and queen of trumps change the contract?"""

    NONE = 0
    """No (1.score)."""
    AFTER_OWN_TRICK = 1
    """Declared right after winning a trick, once trumps are known (14.pair)."""


class Made(IntEnum):
    """What do the makers score for a contract made?"""

    POINTS = 0
    """The points they took (1.score, 8.score)."""
    GAME_POINT = 1
    """The stake in game points (14.score)."""


class Failed(IntEnum):
    """What do the makers score for a contract set?"""

    MINUS_BID = 0
    """They lose the amount of the bid (1.score, C18)."""
    MINUS_GAME_POINT = 1
    """They lose the stake in game points (14.score)."""


class Defenders(IntEnum):
    """What do the defenders score?"""

    OWN_POINTS = 0
    """The points they took, always (1.score)."""
    NOTHING = 1
    """Nothing (14.score)."""


class WonBy(IntEnum):
    """On what hand can a side win the game by reaching the target?"""

    ANY_HAND = 0
    """On any hand (1.game)."""
    MADE_BID = 1
    """Only on its own bid made (8.game, C19)."""


class BothOver(IntEnum):
    """Both sides are at the target after one hand: who has won?"""

    EXTRA_HAND = 0
    """Nobody yet: one more hand, which the makers win if they make it (1.game, C05)."""
    MAKERS = 1
    """The side that won the auction (4.game, O15)."""


class Phase(IntEnum):
    """The stages of a hand; a system lists its own in order."""

    AUCTION = 0
    """Calls."""
    TRUMP = 1
    """The maker names trumps."""
    KITTY = 2
    """The maker takes the kitty."""
    DEAL_REST = 3
    """The later packets are dealt; nobody acts."""
    DISCARD = 4
    """Cards are laid off."""
    REFILL = 5
    """The other hands are filled from the stock, in rotation."""
    ROB = 6
    """The dealer takes from the rest of the stock."""
    COME_DOWN = 7
    """The dealer lays off down to the hand size."""
    PLAY = 8
    """Tricks."""
    OVER = 9
    """Nothing more happens."""


def value_name(member: IntEnum) -> str:
    """Return how variant files and logs write a policy value: ``follow-or-trump``."""
    return member.name.lower().replace("_", "-")
