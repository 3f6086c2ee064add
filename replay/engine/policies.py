"""The rules questions a system answers, and the answers there are.

Each enum is one question of the rules; each member one answer, with its source as a citation into
``docs/rules/``. Variant files write a member as its name in lower case with hyphens. Engine code
branches on these values and never on which variant it is.
"""

from enum import IntEnum
from typing import Self


class Answer(IntEnum):
    """An answer to a question of the rules: its number, and what it means, with its source."""

    text: str
    """What it means, for people, and in brackets what it rests on."""

    def __new__(cls, number: int, text: str = "") -> Self:
        """Return the answer of a number, which alone is enough to look one up."""
        answer = int.__new__(cls, number)
        answer._value_ = number
        answer.text = " ".join(text.split())
        return answer


# A table of questions: an answer begins on the line of its number, also where it has several lines.
# fmt: off

class Sides(Answer):
    """Who scores together?"""
    PARTNERS = 0, "Two sides, every other seat (1.players, 14.players)."
    SINGLES = 1, "Each alone (6.players)."

class Direction(Answer):
    """Which way does play go round?"""
    CLOCKWISE = 0, "To the left (1.players)."
    ANTICLOCKWISE = 1, "To the right (O33, O57)."

class CallDirection(Answer):
    """Which way do calls go round?"""
    WITH_PLAY = 0, "The way of the play (1.auction, 14.auction)."
    AGAINST_PLAY = 1, "The other way: the seat that plays before the dealer speaks first (O69)."

class PointsIn(Answer):
    """Which cards carry points?"""
    TRUMPS = 0, "Only those of the trump suit (1.points)."
    EVERY_SUIT = 1, "Those of all four suits (14.points)."

class HighLow(Answer):
    """Which trumps are high and low?"""
    ACE_AND_TWO = 0, "Ace and two, if they are in play (5.points, C15)."
    IN_PLAY = 1, "The highest and the lowest trump in play, for what ace and two are worth (C15)."

class GamePoint(Answer):
    """What is the point called game?"""
    CARD = 0, "A card that carries it, the ten in most games (1.points, C15)."
    COUNT = 1, """A point for the side with more in its tricks by ten 10, ace 4, king 3, queen 2,
    jack 1 in every suit; for nobody when both have the same (C15)."""

class Deal(Answer):
    """How much of the pack is dealt?"""
    PACKETS = 0, "As many cards as the packets say (1.deal)."
    WHOLE_PACK = 1, "All of it in equal hands, a rest stays over (O24, S50)."

class OddCard(Answer):
    """Who gets a card that is left over?"""
    NOBODY = 0, "Nobody (6.deal)."
    DEALER = 1, "The dealer, who lays off one card more (S74)."

class FirstCaller(Answer):
    """Who speaks first?"""
    NEXT_TO_DEALER = 0, """The seat after the dealer in the direction of the calls (1.auction,
    14.auction)."""
    DEALER = 1, "The dealer (O34)."

class LowTo(Answer):
    """Who scores the two of trumps?"""
    WINNER = 0, "The side that takes it in a trick (C01, O17)."
    HOLDER = 1, "The side that has it in hand when the first trick begins (1.points, S09, O85)."
    PLAYER = 2, "The side of the player who plays it (8.points)."

class Auction(Answer):
    """How long does the auction go on?"""
    ONE_TURN = 0, "Every seat speaks once (1.auction)."
    ROUNDS = 1, "Until all others have passed (8.auction, 14.auction)."
    DUEL = 2, """The first two players bid against each other until one passes and their partner may
    go on for them, until three have passed (O58, S100)."""
    CHALLENGE = 3, """Two at a time: the first two in turn who have not passed bid against each
    other until one of them passes, and the next in turn takes their place (O68)."""

class TopBid(Answer):
    """What if the highest bid is made?"""
    GOES_ON = 0, "The auction goes on, though nobody can bid higher (S05)."
    ENDS = 1, "The auction is over at once (O67)."

class AllPass(Answer):
    """What if nobody bids?"""
    DEALER_FORCED = 0, "The dealer must make the forced bid (1.auction, 14.auction)."
    THROWN_IN = 1, """The deal is thrown in and passes on, once all have passed (8.auction, S52);
    where trumps are secret after three passes, and the last to speak may not bid (O60, S104)."""
    NO_CONTRACT = 2, "The dealer names trumps and has no number to reach (O20, S21)."
    DEALER_AT_LEAST = 3, "The dealer must bid, the forced bid or more (O65)."
    FIRST_FORCED = 4, "When all have passed, the first speaker must make the forced bid (O70)."
    THROWN_IN_BY_ALL = 5, """The deal is thrown in once all have passed; after the passes of all
    others the last to speak may bid what they like, where trumps are secret, too (O77)."""
    FIRST_OPENS = 6, "It cannot be: the first to speak must bid, the forced bid or more (O78)."

class EqualBid(Answer):
    """Who may bid the standing number?"""
    NOBODY = 0, "Nobody: every bid goes higher (1.auction)."
    DEALER = 1, "The dealer (5.auction, 6.auction)."
    DEALER_AT_MAXIMUM = 2, "The dealer, when the highest bid there is has been made."
    ANYONE_AT_MAXIMUM = 3, "Whoever comes later, when the highest bid there is has been made (S30)."
    ANYONE = 4, "Anybody, but nobody twice at the same number."

class Ditto(Answer):
    """Who may hold a bid by saying ditto?"""
    NOBODY = 0, "Nobody (14.auction)."
    ANYONE = 1, "Anybody, but not after a ditto (O54, S96)."
    FIRST_SIDE = 2, "The side of the first speaker, against the other side (O58)."
    HOLDER = 3, "Of the two who bid against each other the one who comes first in turn (O68)."

class Slam(Answer):
    """What does the highest bid score?"""
    NOTHING_EXTRA = 0, "What any bid scores (1.score)."
    DOUBLE_IF_MADE = 1, "Twice its number, and just the number is lost (O03)."

class SpecialBid(Answer):
    """Is there a bid above the highest?"""
    NONE = 0, "No (1.auction)."
    DEALER_28_56 = 1, """The dealer who holds ace, king and two of a suit may say 28-56: all points
    win 56, anything less loses 28 (O04, S16)."""
    DOUBLE = 2, """The highest number doubled: all points win twice the number, anything less loses
    as much (11.auction, S69)."""

class WeakStart(Answer):
    """What if one of the first two has no points?"""
    PLAYED = 0, "The hand is played (14.deal)."
    THROWN_IN = 1, "The deal is thrown in (O59, S101)."

class TrumpCall(Answer):
    """Is the trump suit named openly?"""
    OPEN = 0, "The maker says it at once (1.trump-call)."
    SECRET = 1, "The maker hides it until it is asked for or shown (14.trump-call)."

class NoTrump(Answer):
    """May there be no trumps?"""
    NEVER = 0, "No (14.trump-call)."
    JOKER = 1, "Yes, with the joker as the hidden card (O37, S86)."
    COLOURS = 2, """Yes: a red joker or three says no trumps, a black one no trumps with the ranks
    reversed (O40, S87)."""

class Twos(Answer):
    """What does a two mean as the hidden card?"""
    SUIT = 0, "Its suit is trumps, as with any other card (14.trump-call)."
    NO_TRUMP_REVERSED = 1, "No trumps, and the ranks are reversed (O38)."
    SUIT_REVERSED = 2, "Its suit is trumps, and the ranks are reversed (O39)."

class Doubling(Answer):
    """How far may the stake be raised?"""
    NONE = 0, "Not at all (14.score)."
    DOUBLE = 1, "The defenders may double it (O42, S89)."
    REDOUBLE = 2, "The defenders may double, and the makers redouble (O43)."
    SUPER = 3, "After double and redouble the doubling side may raise it once more (O44, C27)."

class Fold(Answer):
    """May a player fold before the tricks?"""
    NEVER = 0, "No (1.fold)."
    WITHOUT_TRUMPS = 1, """Without a trump one must; with one trump, or two of which one is the two,
    one may give them to the partner and fold (9.fold, S59)."""
    WITH_ONE_OR_TWO = 2, """Without a trump one must; with one trump or any two one may give them to
    the partner and fold (O80)."""

class Discard(Answer):
    """What is laid off before play?"""
    ALL_PLAIN = 0, "Every plain card; nothing else has to go (1.exchange)."
    TO_SIZE = 1, "Down to the hand size, plain cards first (8.exchange, S53, S66)."
    NOTHING = 2, "Nothing: the cards dealt are played (6.exchange, 14.deal)."
    PLAIN_IF_LIKED = 3, """As many plain cards as one likes, down to the hand size at least unless
    all are trumps (O05, S17)."""
    ANY = 4, "Whatever cards one does not want (3.exchange)."
    POINTS_KEPT = 5, """Down to the hand size; of all cards only those with points have to be kept
    (11.exchange, S71)."""

class DiscardsShown(Answer):
    """Which discards are shown?"""
    NONE = 0, "None (1.exchange, S31)."
    TRUMPS = 1, "The trumps (O22, 9.exchange)."
    ALL = 2, "All of them (O09)."

class DiscardedPoints(Answer):
    """Who scores a discarded point card?"""
    NOBODY = 0, """Nobody; where it had to be kept, laying it off is a fault (1.exchange,
    3.exchange)."""
    OPPONENTS = 1, "The opponents of the player who laid it off, which is no fault (O07, S18, S22)."
    MAKERS = 2, "The makers, if a defender laid it off; else nobody (O23, C11)."

class Surplus(Answer):
    """What becomes of surplus trumps?"""
    BURY = 0, """They are kept and go under the card played to the first trick (1.surplus,
    8.surplus, C03)."""
    DISCARD = 1, "They are discarded before play, never one with points (4.exchange)."
    TO_PARTNER = 2, """They go to the partner, who lays off after that, or, without points, are
    discarded; where hands come down to size plain cards first, only point cards are given (10.give,
    11.give, S66, S71)."""
    DISCARD_THEN_BURY = 3, """Those without points are discarded; if more than the hand size carry
    points the two may go as well, and what is then over goes to the first trick (9.surplus, C20,
    S60)."""

class SurplusPoints(Answer):
    """May surplus hold a point card?"""
    NONE = 0, "No point card may be buried under the card that counts (1.surplus)."
    ONE = 1, """One among all cards put there; with every point card in hand, the two besides
    (8.surplus)."""

class Refill(Answer):
    """Who is dealt new cards?"""
    NOBODY = 0, "Nobody (6.exchange, 8.exchange)."
    OTHERS = 1, "All but the dealer (1.refill)."
    EVERYBODY = 2, "All, the dealer last (5.refill, S38)."

class FirstDrawer(Answer):
    """Who is dealt new cards first?"""
    NEXT_TO_DEALER = 0, "The seat after the dealer, and so round (1.refill, S11)."
    MAKER = 1, "The maker, and so round."

class EmptyStock(Answer):
    """What if the stock runs out?"""
    SHORT = 0, "Those who come late get fewer cards (S13)."
    DISCARDS = 1, "What has been laid off is shuffled and dealt."

class Rob(Answer):
    """What does the dealer take from the rest?"""
    ALL_TRUMPS = 0, "Every trump, and other cards to make up the hand size (1.rob, S13, S14)."
    WHOLE_STOCK = 1, "All that is left, and then comes down to the hand size (4.rob)."
    NOTHING = 2, "Nothing (5.refill, 8.exchange)."
    TO_SIZE = 3, "Any cards, to make up the hand size (2.rob, C08)."
    STOCK_AND_DISCARDS = 4, """Any cards of it and of what was laid off, to make up the hand size
    (3.rob, S25, S26)."""
    WHOLE_STOCK_FIRST = 5, """All that is left, before laying anything off; of plain cards the
    dealer then keeps any number, and comes down to the hand size at least (O66)."""

class Solo(Answer):
    """May a player undertake all tricks alone?"""
    NONE = 0, "No (14.players)."
    PARTNER_HIDDEN = 1, "Yes, without trumps; the partner's cards lie face down (O46, S90)."
    PARTNER_OPEN = 2, "Yes, without trumps; the partner's cards lie open and are not played (O53)."

class ThrowIn(Answer):
    """What if, with all cards dealt, the trumps lie as described?"""
    PLAYED = 0, "The hand is played (14.deal)."
    THROWN_IN = 1, "The deal is thrown in (O61, O62)."

class FirstLeader(Answer):
    """Who leads to the first trick?"""
    MAKER = 0, "The winner of the auction (1.lead)."
    NEXT_TO_DEALER = 1, "The seat after the dealer in the direction of play (14.lead)."
    DEALER = 2, "The dealer (O34)."

class FirstLead(Answer):
    """What may be led first?"""
    ANY = 0, "Any card (1.lead)."
    TRUMP = 1, "A trump, if the leader has one (O10)."
    NAMES_TRUMP = 2, """The card that names trumps: one of the suit named, which the maker has to
    hold (O82)."""

class PlainFollow(Answer):
    """What may be played to a plain lead?"""
    FOLLOW_OR_TRUMP = 0, "A card of the suit or a trump (1.follow)."
    FOLLOW = 1, "A card of the suit (14.lead, O11)."
    ANY = 2, "Any card (8.follow, O12)."
    TRUMPS_ONLY = 3, "There are no plain leads: only trumps are played (4.follow)."
    ANY_PLAIN = 4, "Any plain card; a trump only from a hand of nothing else (9.follow)."

class PlainVoid(Answer):
    """And without the suit?"""
    ANY = 0, "Any card (1.follow, C04)."
    MUST_TRUMP = 1, "A trump, if they have one (O16)."
    MUST_TRUMP_ONCE_KNOWN = 2, """A trump, if they have one and trumps were known before their turn;
    any card by who had them shown in that turn (O71)."""

class TrumplessTrick(Answer):
    """Who wins a trick without trumps?"""
    HIGHEST_OF_SUIT = 0, "The highest card of the suit led (1.trick)."
    LEADER = 1, "Whoever led it (8.trick, C17)."

class DropOut(Answer):
    """Does a player without trumps stay in?"""
    NEVER = 0, "Everybody plays to the end (1.follow)."
    WITHOUT_TRUMPS = 1, "They throw in their cards and are out (4.drop-out, 8.drop-out)."
    WHEN_TRUMP_LED = 2, """They play on until a trump is led; then they throw in their cards and are
    out (O84)."""

class Ask(Answer):
    """When is the hidden trump shown?"""
    MUST = 0, "The first player who cannot follow must ask for it (14.ask, S80)."
    OPTIONAL = 1, """A player who cannot follow may ask for it, and must then trump if they can
    (O48, S92)."""
    END_OF_TRICK = 2, """At the end of the first trick in which somebody cannot follow; nobody asks
    (O49, S93)."""
    OPTIONAL_THROWN_DEAD = 3, """A player who cannot follow may ask for it, and must then trump if
    they can; a trump thrown before that is none in that trick (O83)."""

class Pair(Answer):
    """Do king and queen of trumps change the contract?"""
    NONE = 0, "No (1.score)."
    AFTER_OWN_TRICK = 1, "Declared right after winning a trick, once trumps are known (14.pair)."
    AFTER_ANY_TRICK = 2, """Declared between tricks by a side that has won one since trumps were
    known."""
    WITH_A_RUFF = 3, "Declared when one of the side has just trumped a plain lead (O55, S97)."
    AFTER_REVEAL = 4, """Declared between tricks, once the trick in which trumps were shown is over
    (O63, S103)."""
    AT_ONCE = 5, """Declared as soon as trumps are shown, in the middle of a trick as well; it takes
    no trick (O74)."""
    AT_ONCE_WITH_A_TRICK = 6, """Declared as soon as trumps are shown, in the middle of a trick as
    well, by a side that has won a trick, before trumps were shown or since (O75)."""

class EarlyEnd(Answer):
    """May play stop early?"""
    NEVER = 0, "No (S08)."
    WHEN_DECIDED = 1, "Yes, as soon as the contract is made or set whatever comes."

class Made(Answer):
    """What does a contract made score?"""
    POINTS = 0, "The points they took (1.score, 8.score)."
    GAME_POINT = 1, "The stake in game points (14.score)."
    DIFFERENCE = 2, "The side with more points scores the difference (O13, C10)."
    BID_LESS_OTHERS = 3, """The bid less the points of the others; below nothing, the others score
    it (O18, C10)."""
    BID = 4, "The bid (C21)."

class Failed(Answer):
    """What does a contract set cost?"""
    MINUS_BID = 0, "They lose the amount of the bid (1.score, C18)."
    MINUS_GAME_POINT = 1, "They lose the stake in game points (14.score)."
    NOTHING = 2, "Nothing (O13)."
    MINUS_POINTS = 3, "They lose the points they took (C18)."

class Defenders(Answer):
    """What do the defenders score?"""
    OWN_POINTS = 0, "The points they took, always (1.score)."
    NOTHING = 1, "Nothing (14.score)."
    BID_AND_OWN_IF_SET = 2, """The bid and the points they took when the contract is set, else
    nothing (O13, C10)."""

class HalfRule(Answer):
    """Does a contract missed by far cost double?"""
    NONE = 0, "No (14.score)."
    LESS_THAN_HALF = 1, "With less than half of the bid taken (O51, C29, S94)."
    UP_TO_HALF = 2, "With half of the bid taken, or less (O51, C29, S94)."

class Unshown(Answer):
    """What if trumps are never shown?"""
    VOID = 0, "Nobody scores (14.score, S81)."
    COUNTS = 1, "The hand counts like any other (O72)."

class Sweep(Answer):
    """What if one side takes every trick?"""
    NOTHING_EXTRA = 0, "The contract counts as always (14.score)."
    DOUBLES = 1, "The stake is doubled, won or lost (O73)."

class WonBy(Answer):
    """On what hand can it be won?"""
    ANY_HAND = 0, "On any hand (1.game)."
    MADE_BID = 1, "Only on its own bid made (8.game, C19)."
    OWN_BID = 2, "Only on its own bid, made or not (C19)."

class BothOver(Answer):
    """And with both sides there?"""
    EXTRA_HAND = 0, "Nobody yet: one more hand, which the makers win if they make it (1.game, C05)."
    MAKERS = 1, "The side that won the auction (4.game, O15)."
    COUNT_ORDER = 2, """The points of the hand are counted one by one in their order, and who is
    there first has won (6.game, 7.game, S47)."""

class MatchScore(Answer):
    """What does a game count in a match?"""
    NONE = 0, "There are no matches (14.game)."
    WON_TWO_LOST_ONE = 1, "Two for the winners and one off for the losers (O50)."
    WON_ONE_LOST_ONE = 2, "One for the winners and one off for the losers (O50)."

class Phase(Answer):
    """The stages of a hand, in the order of a system; one with nothing to do is skipped."""
    AUCTION = 0, "Calls."
    TRUMP = 1, "The maker names trumps."
    KITTY = 2, "The maker takes the kitty."
    DOUBLE = 3, "The stake may be raised."
    DEAL_REST = 4, "The later packets are dealt; nobody acts."
    FOLD = 5, "Players without trumps fold, those with few may give them away."
    GIVE = 6, "Surplus trumps go to the partner."
    DISCARD = 7, "Cards are laid off."
    REFILL = 8, "Hands are filled from the stock, in rotation."
    ROB = 9, "The dealer takes from the rest of the stock."
    DEALER_GIVE = 10, "The dealer's surplus point trumps go to the partner."
    COME_DOWN = 11, "Who is over the hand size lays off down to it."
    SHOW = 12, "The dealer shows the trumps that are left in the stock."
    SOLO = 13, "A player may undertake all tricks alone."
    PLAY = 14, "Tricks."
    OVER = 15, "Nothing more happens."


# fmt: on


def value_name(member: IntEnum) -> str:
    """Return how variant files and logs write a policy value: ``follow-or-trump``."""
    return member.name.lower().replace("_", "-")
