"""A trick on the table, without the hand around it: what is legal, who wins, what it scores.

A dispute names a few cards: what somebody held, what lay on the table. ``position`` takes just
that, and the rule functions of the engine answer, as they do when a whole hand is replayed. What
is not said stays unknown, and every answer says whether that could change it, and has the rules it
rests on. Sources: 0.players, 1.lead, 1.follow, 1.trick, 1.points, 14.ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from tricklog.core.engine import engine
from tricklog.core.engine.faults import FATAL, faults_in
from tricklog.core.engine.policies import FirstLead, HighLow, LowTo, Phase, TrumpCall
from tricklog.core.engine.records import SEATS, Rules, State, copy_state
from tricklog.core.engine.rules import auction, play, scoring
from tricklog.core.engine.rules.table import live_trump, named_trump, next_seat, side_of
from tricklog.core.judging.findings import action_finding, cite, codes_in
from tricklog.core.judging.views import choice_of
from tricklog.core.model import Finding
from tricklog.core.rulesets.rules_file import RulesetError
from tricklog.core.rulesets.ruleset import Ruleset, load_rules_file, load_variant
from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.core.rulesets.variant_names import variants
from tricklog.schemas.actions import TRUMP_CODES, Action, Verb, trump_name
from tricklog.schemas.cards import (
    CARD_NAMES,
    JOKER,
    SUIT_GLYPHS,
    SUIT_WORDS,
    SUITS,
    card_name,
    cards_in,
    parse_card,
    pretty_card,
)
from tricklog.schemas.hand import FORMAT, Hand, Player, RulesRef
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """What a player may play."""

    player: str
    cards: tuple[str, ...]
    """Of the cards that are named, those they may play."""
    verbs: tuple[str, ...]
    """What they may do: ``play``, or what comes first, such as ``bury`` or ``ask``."""
    sentence: str
    rule: str
    sure: bool
    """Whether all their cards are named."""


@dataclass(frozen=True, slots=True)
class PlayRuling:
    """Whether a play is legal."""

    play: str
    is_legal: bool
    findings: tuple[Finding, ...]
    """What is wrong with it, each with its rule and what would have been legal."""
    sentence: str
    rule: str
    sure: bool


@dataclass(frozen=True, slots=True)
class TrickWinner:
    """Who wins a trick."""

    player: str | None
    """``None`` when no card of it is named."""
    card: str | None
    """The card that wins it."""
    is_complete: bool
    """Whether nobody has still to play to it."""
    sentence: str
    rule: str
    sure: bool


@dataclass(frozen=True, slots=True)
class ScoringCard:
    """A card of a trick that counts."""

    card: str
    points: int
    player: str
    """Whose side its points count for: who wins the trick, or holds a two that counts for them."""


@dataclass(frozen=True, slots=True)
class TrickPoints:
    """What a trick scores."""

    points: int
    """Points that go to the side of the winner, those of its own two among them."""
    winner: str | None
    cards: tuple[ScoringCard, ...]
    is_complete: bool
    sentence: str
    rule: str
    sure: bool


@dataclass(slots=True)
class Position:
    """A trick on the table; ``position`` makes one. Cards are written as in a log: ``9S``, ``TD``.

    Every answer has a ``sentence``, ``rule`` with the citations it rests on, and ``sure``, which is
    false where a card that is not named could change it. The fields up to ``is_before`` are the
    question as it was put; ``position`` says what each of them is.
    """

    ruleset: Ruleset
    trump: str | None
    hands: Mapping[str, tuple[str, ...]]
    trick: tuple[str, ...]
    players: tuple[str, ...]
    maker: str | None
    number: int | None
    last: bool
    hidden: bool
    is_before: bool = False
    """Whether hands are those before the last play of the trick, which came on top."""
    rules: Rules = field(init=False, repr=False)
    names: list[str] = field(init=False)
    """The players by seat."""
    record: Hand = field(init=False, repr=False)
    """A record without actions, for what a finding needs of one."""
    state: State = field(init=False, repr=False)
    """After the cards of the trick."""
    played: list[tuple[int, int]] = field(init=False, default_factory=list)
    """(seat, card) in the order played."""
    found: list[Finding] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        """Lay the question out and play the trick. Raises ``PositionError``."""
        plays = [_play_of(text, f"trick[{place}]") for place, text in enumerate(self.trick)]
        self.rules = self.ruleset.rules(self._seat_count([name for name, _ in plays]))
        self._seat_players([name for name, _ in plays])
        self.state = State(phase=Phase.PLAY, step=self.rules.phases.index(Phase.PLAY))
        rules, players = RulesRef(self.ruleset.id), [Player(name) for name in self.names]
        self.record = Hand(
            format=FORMAT, id="question", rules=rules, players=players, dealer=0, actions=[]
        )
        self._name_trumps()
        seats = [self._seat_of(name, f"trick[{place}]") for place, (name, _) in enumerate(plays)]
        seated = [(seat, card) for seat, (_, card) in zip(seats, plays, strict=True)]
        self._lay_out(seated)
        for place, (seat, card) in enumerate(seated):
            self._play(seat, card, f"trick[{place}]")

    @property
    def turn(self) -> str | None:
        """Who plays next, as far as the trick tells; ``None`` when it is complete."""
        seat = engine.to_act(self.state)
        return None if self._is_complete or seat < 0 else self.names[seat]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the cards already played."""
        return tuple(self.found)

    def legal(self, player: str | None = None) -> LegalPlays:
        """Return what a player may play, the one whose turn it is unless another is named.

        Raises ``PositionError`` for a player who is not at the table, or has played already.
        """
        self._check_goes_on()
        seat = engine.to_act(self.state)
        if player is not None:
            seat = self._seat_of(player, "player")
            if any(seat == other for other, _ in self.played):
                raise PositionError("player", f"{player} has played to this trick already.")
        name = self.names[seat]
        if not self.state.active >> seat & 1:
            rule = cite(self.ruleset, ("drop_out",))
            sentence = one_line(f"{name} has no trump left and is out of the hand.")
            return LegalPlays(name, (), (), sentence, rule, sure=True)
        state = copy_state(self.state)
        if state.asker < 0:
            # What they may play does not wait for the others.
            state.turn = seat
        choice = choice_of(self.record, state, self.rules, seat)
        cards = tuple(map(card_name, cards_in(choice.cards)))
        rule = self._rule_of_choice(state, seat, choice.verbs)
        sure = state.unknown[seat] == 0
        return LegalPlays(name, cards, choice.verbs, one_line(choice.sentence), rule, sure)

    def judge(self, play: str) -> PlayRuling:
        """Return whether a play such as ``bo 4H`` would be legal, and if not, by which rule.

        Raises ``PositionError`` when it cannot be read.
        """
        name, card = _play_of(play, "play")
        seat = self._seat_of(name, "play")
        self._check_goes_on()
        before, state = copy_state(self.state), copy_state(self.state)
        found, _ = self._judged(state, seat, card)
        if found:
            rule = " ".join(dict.fromkeys(" ".join(each.rule for each in found).split()))
            sentence = " ".join(each.message for each in found)
        else:
            before.turn = seat
            rule = self._rule_of_choice(before, seat, ("play",))
            sentence = f"{name} may play {pretty_card(card)}."
        open_cards = state.doubt_cards & ~before.doubt_cards or before.unknown[seat]
        sure = bool(found) or not open_cards
        if not sure:
            sentence += " A card of theirs that is not named could forbid it."
        return PlayRuling(play, not found, tuple(found), one_line(sentence), rule, sure)

    def play(self, play: str) -> Position:
        """Return the position after any play; raise ``PositionError`` if it cannot be made."""
        return replace(self, trick=(*self.trick, play), is_before=True)

    def winner(self) -> TrickWinner:
        """Return who wins the trick as it lies; raise ``PositionError`` without a card."""
        seat = self._winner()
        rule = cite(self.ruleset, ("trumpless_trick",))
        is_complete = self._is_complete
        if seat < 0:
            sentence = "No card of the trick is named, so nobody knows who wins it."
            return TrickWinner(None, None, is_complete, sentence, rule, sure=False)
        card = next(card for other, card in self.played if other == seat)
        verb = "wins the trick" if is_complete else "is winning so far"
        unnamed = sum(card < 0 for _, card in self.played)
        sentence = f"{self.names[seat]} {verb} with {pretty_card(card)}."
        if unnamed:
            sentence += f" {counted(unnamed, 'card')} of it not named could have won it."
        sure, name = is_complete and not unnamed, self.names[seat]
        return TrickWinner(name, card_name(card), is_complete, one_line(sentence), rule, sure)

    def points(self) -> TrickPoints:
        """Return what the trick scores as it lies; raise ``PositionError`` without a card."""
        seat = self._winner()
        rule = cite(self.ruleset, ("points", "low_to"))
        is_complete = self._is_complete
        if seat < 0:
            sentence = "No card of the trick is named, so nobody knows what it scores."
            return TrickPoints(0, None, (), is_complete, sentence, rule, sure=False)
        state = copy_state(self.state)
        points = state.trick_points
        if not is_complete:
            points = scoring.count_trick(state, self.rules, seat)
        points += self._own_low(state, seat)
        cards = self._scoring(state, seat)
        sure = is_complete and all(card >= 0 for _, card in self.played)
        sentence = self._points_words(seat, points, cards)
        if self.rules.high_low == HighLow.IN_PLAY:
            sure = False
            sentence += (
                " High and low are the highest and lowest trump in play, which is not known."
            )
        name = self.names[seat]
        return TrickPoints(points, name, cards, is_complete, one_line(sentence), rule, sure)

    @property
    def _is_complete(self) -> bool:
        """Whether everybody who plays to the trick has played."""
        return bool(self.played) and self.state.played == 0

    def _check_goes_on(self) -> None:
        if self._is_complete:
            raise PositionError("trick", "it is complete; nobody has to play to it any more.")

    def _seat_of(self, name: str, where: str) -> int:
        """Return where a player sits. Raises ``PositionError``."""
        if name not in self.names:
            near, there = did_you_mean(name, self.names), ", ".join(self.names)
            message = f"there is no player {name!r}{near}; at the table are {there}."
            raise PositionError(where, message)
        return self.names.index(name)

    def _judged(self, state: State, seat: int, card: int) -> tuple[list[Finding], int]:
        """Play a card, known or not; return what is wrong with it as findings, and its faults."""
        before = copy_state(state)
        cards = 1 << card if card >= 0 else 0
        action = Action(seat, Verb.PLAY, card=card, cards=cards, size=1)
        faults = engine.apply(state, self.rules, action)
        found = (
            action_finding(self.record, self.ruleset, self.rules, before, 0, action, fault)
            for fault in faults_in(faults)
        )
        # There is no record for it to point into.
        return [replace(each, action=None, pointer="") for each in found], faults

    def _rule_of_choice(self, state: State, seat: int, verbs: tuple[str, ...]) -> str:
        if "play" not in verbs:
            return cite(self.ruleset, ("surplus",) if "bury" in verbs else ("ask",))
        asked = ("ask",) if "ask" in verbs or "reveal" in verbs else ()
        if state.played == 0:
            first = state.trick == 1 and self.rules.first_lead != FirstLead.ANY
            return cite(self.ruleset, ("first_lead" if first else "plain_follow", *asked))
        led, suit_cards = state.led_suit, self.rules.suit_cards[live_trump(state, self.rules)]
        follows = state.unknown[seat] or state.holding[seat] & suit_cards[led]
        is_void = led >= 0 and not follows
        return cite(self.ruleset, ("plain_void" if is_void else "plain_follow", *asked))

    def _winner(self) -> int:
        """Return the seat that wins the trick, or would win it as it lies; -1 when nobody knows."""
        if not self.played:
            message = "no card lies on the table; say what was played: ['ann 9S']."
            raise PositionError("trick", message)
        if self._is_complete:
            return self.state.winner
        return play.trick_winner(self.state, self.rules)

    # --- What it scores

    def _own_low(self, state: State, winner: int) -> int:
        """Return the points of a two that counts for who has it, where that is the winner's side.

        The engine does not count it to the trick, whoever takes it (1.points).
        """
        rules = self.rules
        low = rules.low_card[named_trump(state)] if rules.low_to != LowTo.WINNER else -1
        if all(card != low for _, card in self.played if card >= 0):
            return 0
        is_own = state.taken[side_of(rules, winner)] >> low & 1
        return scoring.worth_of(state, rules, low) if is_own else 0

    def _scoring(self, state: State, winner: int) -> tuple[ScoringCard, ...]:
        """Return the cards that count and whom for, as the engine has given them to sides."""
        rules = self.rules
        on_table = {card: seat for seat, card in self.played if card >= 0}
        cards = []
        for side in range(rules.side_count):
            for card in cards_in(state.taken[side]):
                to = winner if side == side_of(rules, winner) else on_table[card]
                worth = scoring.worth_of(state, rules, card)
                cards.append(ScoringCard(card_name(card), worth, self.names[to]))
        return tuple(cards)

    def _points_words(self, seat: int, points: int, cards: tuple[ScoringCard, ...]) -> str:
        name = self.names[seat]
        listed = ", ".join(f"{each.card} {each.points}" for each in cards if each.player == name)
        verb = "scores" if self._is_complete else "would score"
        own = f" ({listed})" if listed else ""
        sentence = f"{name}'s side {verb} {counted(points, 'point')}{own}."
        for each in cards:
            if each.player != name:
                sentence += f" {each.card} counts {each.points} for {each.player}'s side."
        return sentence

    # --- Who sits where

    def _seat_count(self, playing: Sequence[str]) -> int:
        allowed: list[int] = self.ruleset.values["players"]
        game = self.ruleset.title
        if self.players:
            if len(self.players) not in allowed:
                takes = ", ".join(map(str, allowed))
                message = f"there are {len(self.players)} of them, and {game} takes {takes}."
                raise PositionError("players", message)
            return len(self.players)
        named = {*playing, *self.hands} | ({self.maker} if self.maker else set())
        fitting = [count for count in allowed if count >= len(named)]
        if not fitting:
            raise PositionError(
                "players",
                f"{len(named)} players are named ({', '.join(sorted(named))}), and {game} is for "
                f"{max(allowed)}; name each in one way.",
            )
        return min(fitting)

    def _seat_players(self, playing: Sequence[str]) -> None:
        self.names = list(self.players)
        if len(set(self.names)) < len(self.names):
            raise PositionError("players", "a player is named twice.")
        if self.players:
            return
        order = list(dict.fromkeys([*playing, *self.hands, *filter(None, [self.maker])]))
        order += [f"player {number + 1}" for number in range(len(order), self.rules.seats)]
        self.names = [""] * self.rules.seats
        seat = 0
        for name in order:
            self.names[seat] = name
            seat = next_seat(self.rules, seat)

    # --- The cards

    def _name_trumps(self) -> None:
        state, game = self.state, self.ruleset.title
        if self.hidden and self.rules.trump_call != TrumpCall.SECRET:
            raise PositionError("hidden", f"{game} has no hidden trump; leave it out.")
        if self.hidden and self.maker is None:
            raise PositionError("maker", "say who chose the hidden trump, such as bo.")
        there_are = auction.trumps_to_show(self.rules)
        names = ", ".join(map(trump_name, codes_in(there_are)))
        if self.trump is None:
            raise PositionError("trump", f"say what is trumps: {names}.")
        text = _in_letters(self.trump).lower()
        if text not in _TRUMPS:
            meant = did_you_mean(self.trump, TRUMP_CODES)
            raise PositionError("trump", f"{self.trump!r} is no trump{meant}; write S, H, D or C.")
        code = _TRUMPS[text]
        if code < 0 and not self.hidden:
            message = f"only a hidden trump may be unknown; write one of {names}."
            raise PositionError("trump", message)
        if code >= 0 and not there_are >> code & 1:
            raise PositionError("trump", f"{game} has no {self.trump!r}; its trumps are {names}.")
        auction.set_trump(state, code)
        state.revealed = 0 if self.hidden else 1
        state.maker = self._seat_of(self.maker, "maker") if self.maker else -1

    def _lay_out(self, plays: Sequence[tuple[int, int]]) -> None:
        """Give every seat its cards, those of the trick included, and begin the trick.

        What is not named is unknown.
        """
        state, rules = self.state, self.rules
        size = rules.hand_size
        number = self.number or (size if self.last else min(MIDDLE, size))
        if self.number is not None and not 1 <= self.number <= size:
            message = f"is {self.number}; a hand of this game has tricks 1 to {size}."
            raise PositionError("number", message)
        others = 0 if self.last else size - number + 1
        on_table: dict[int, int] = {}
        places: dict[int, str] = {}
        for place, (seat, card) in enumerate(plays):
            on_table[seat] = on_table.get(seat, 0) | (1 << card if card >= 0 else 0)
            self._note_place(places, card, f"trick[{place}]")
        for seat, name in enumerate(self.names):
            state.holding[seat] = on_table.get(seat, 0)
            unnamed = sum(1 for other, card in plays if other == seat and card < 0)
            if name in self.hands:
                # A hand may still show the card that has just been played.
                shown = plays[-1][1] if self.is_before and plays and plays[-1][0] == seat else -1
                where = f"hands[{name!r}]"
                for word in self.hands[name]:
                    card = _card_of(word, where)
                    if card < 0:
                        unnamed += 1
                    elif card != shown:
                        self._note_place(places, card, where)
                        state.holding[seat] |= 1 << card
            else:
                has_played = seat in on_table
                unnamed += max(0, others - has_played) or (0 if has_played else 1)
                # Nothing is known of this hand, so it may hold a trump and stays in.
                state.hidden_plays[seat] = 1
            state.unknown[seat] = unnamed
        for name in self.hands:
            self._seat_of(name, "hands")
        state.dealer = plays[0][0] if plays else 0
        play.start_play(state, rules, state.dealer)
        state.trick = number
        if rules.high_low == HighLow.IN_PLAY:
            # Which trump is the highest in play, and which the lowest, these cards do not say.
            state.high_stand_in = state.low_stand_in = state.low_seat = -1
            state.points, state.taken = [0] * SEATS, [0] * SEATS

    def _note_place(self, places: dict[int, str], card: int, where: str) -> None:
        """Refuse a card that is in two places, or not in the pack (0.conservation)."""
        if card < 0:
            return
        if not self.rules.pack >> card & 1:
            raise PositionError(where, f"{card_name(card)} is not in the pack of this game.")
        if card in places:
            message = f"{pretty_card(card)} is already in {places[card]}; take it out of one."
            raise PositionError(where, message)
        places[card] = where

    def _play(self, seat: int, card: int, where: str) -> None:
        if self._is_complete:
            raise PositionError(where, "the trick was complete before it; leave it out.")
        found, faults = self._judged(self.state, seat, card)
        if faults & FATAL:
            raise PositionError(where, found[-1].message if found else "cannot be played.")
        self.found += found
        self.played.append((seat, card))


def position(  # noqa: PLR0913 - each is a part of the question
    rules: str | Path | Ruleset,
    *,
    trump: str | None = None,
    hands: Mapping[str, str | Iterable[str]] | None = None,
    trick: str | Sequence[str] = (),
    players: Sequence[str] = (),
    maker: str | None = None,
    number: int | None = None,
    last: bool = False,
    hidden: bool = False,
) -> Position:
    """Return a trick on the table, to be asked about.

    Args:
        rules: a game by name, a TOML file with rules of your own, or a ruleset.
        trump: ``S``, ``H``, ``D``, ``C``, ``NT`` and what else the game has; ``?`` where it is
            hidden and not known.
        hands: what players hold now, after the cards of the trick: ``{"bo": "8S 4H"}``; ``?`` is a
            card that is not known. Of players who are not named nothing is known.
        trick: the cards on the table in the order played, such as ``["ann 9S", "bo 4H"]``, or the
            same with commas in one text.
        players: who sits at the table, clockwise. Without it they sit in the order of the trick,
            then as ``hands`` names them, and the rest is made up.
        maker: who won the auction; needed only where the trump is hidden.
        number: which trick of the hand it is. Without it, one in the middle, to which no rule about
            the first trick applies.
        last: whether it is the last trick of the hand.
        hidden: whether the trump is still hidden, in games with a secret trump.

    Raises ``PositionError``, which says what is wrong, where, and what to write instead, and
    ``OSError`` for a file that cannot be read.
    """
    if isinstance(trick, str):
        trick = [each.strip() for each in trick.split(",") if each.strip()]
    held = {
        name: tuple(cards.replace(",", " ").split() if isinstance(cards, str) else cards)
        for name, cards in (hands or {}).items()
    }
    ruleset, seated = _rules_named(rules), tuple(players)
    return Position(ruleset, trump, held, tuple(trick), seated, maker, number, last, hidden)


MIDDLE: Final = 2
"""Number of a trick of which the question does not say which one it is."""


class PositionError(ValueError):
    """A question that cannot be answered: where in it the trouble is, and what to write instead."""

    def __init__(self, where: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


def _rules_named(rules: str | Path | Ruleset) -> Ruleset:
    """Return the rules meant; raise ``PositionError`` for what are none, and ``OSError``."""
    if isinstance(rules, Ruleset):
        return rules
    try:
        if isinstance(rules, Path) or rules.endswith(".toml"):
            return load_rules_file(rules)
    except RulesetError as error:
        raise PositionError("rules", str(error)) from error
    if rules not in variants():
        raise PositionError(
            "rules",
            f"there is no game {rules!r}{did_you_mean(rules, variants())}; known are "
            f"{', '.join(variants())}, and rules of your own are a file NAME.toml.",
        )
    return load_variant(rules)


# --- Cards, trumps and plays as people write them

_LETTERS: Final = str.maketrans(SUIT_GLYPHS, SUITS)
_TRUMPS: Final = {name.lower(): code for name, code in TRUMP_CODES.items()} | {
    word: code for code, word in enumerate(SUIT_WORDS)
}


def _in_letters(word: str) -> str:
    return word.strip().translate(_LETTERS)


def _card_of(word: str, where: str) -> int:
    """Return a card written as in a log, with a glyph, in lower case, or with 10 for the ten."""
    text = _in_letters(word).upper().replace("10", "T")
    if text in {"JOKER", CARD_NAMES[JOKER]}:
        return JOKER
    if len(text) == 2 and text[0] in SUITS and text[1] not in SUITS:
        text = text[::-1]
    try:
        return parse_card(text)
    except ValueError:
        raise PositionError(
            where,
            f"{word!r} is not a card; write rank and suit, such as AS, 10D or 5H, JO for the "
            "joker, ? for a card that is not known.",
        ) from None


def _play_of(text: str, where: str) -> tuple[str, int]:
    """Return who plays which card in ``ann 9S`` or ``ann: 9S``. Raises ``PositionError``."""
    name, _, card = text.strip().rpartition(" ")
    name = name.strip().removesuffix(":").rstrip()
    if not name:
        message = f"{text!r} is no play; write a player and a card, such as ann 9S."
        raise PositionError(where, message)
    if any(map(_is_card, name.split()[1:])):
        raise PositionError(
            where,
            f"{text!r} names more than one card; a play is a player and a card, as ann 9S, "
            "and commas stand between plays.",
        )
    return name, _card_of(card, where)


def _is_card(word: str) -> bool:
    """Return whether a word is a card by its rank and suit, and so hardly a part of a name."""
    try:
        return len(word) > 1 and _card_of(word, "") not in (-1, JOKER)
    except PositionError:
        return False
